//! A simulation does not allocate once its buffers are warm and its tree is full.

mod hidden_support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use hidden_support::*;
use kiebitz_core::{Game, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, TicTacToe};
use kiebitz_search::{Ismcts, IsmctsConfig, OpenLoop, OpenLoopConfig, Search};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(old, layout, size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a run.
fn count<G: Game>(search: &mut impl Search<G>, game: &G, visits: u64) -> u64 {
    let seen = seen(game, 1);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let report = run(search, &seen, visits, 5);
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    assert_eq!(report.visits, visits);
    after - before
}

// One test: others in the same process would be counted too.
#[test]
fn simulations_do_not_allocate() {
    let tictactoe = TicTacToe::new(2, &(), None).unwrap();
    let dice = Countdown::new(2, &CountdownOptions { start: 40, faces: 6 }, None).unwrap();
    let ismcts = IsmctsConfig { memory: 1, bias: 1.0, early: false, ..Default::default() };
    let open_loop = OpenLoopConfig { memory: 1, early: false, ..Default::default() };
    fn check<G: Game>(mut search: impl Search<G>, game: &G) {
        // The first run grows everything; a run of the same search then needs only its report, however long it is.
        count(&mut search, game, 60_000);
        let (short, long) = (count(&mut search, game, 1_000), count(&mut search, game, 60_000));
        // Lines of the report may be longer after the longer search: a few allocations for each of its rows.
        assert!(long <= short + 60, "{long} allocations in 60,000 simulations, {short} in 1,000");
    }
    check(Ismcts::new(ismcts, Uniform), &tictactoe);
    check(Ismcts::new(ismcts, Uniform), &dice);
    check(OpenLoop::new(open_loop, Uniform), &tictactoe);
    check(OpenLoop::new(open_loop, Uniform), &dice);
}
