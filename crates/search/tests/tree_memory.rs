//! Memory of a tree search, seen by the allocator. A test binary of its own: the allocator counts everything in it, and the
//! tests take turns.

mod tree_games;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kiebitz_core::Uniform;
use kiebitz_search::{Parallel, Uct, UctSettings, node_bytes};

use tree_games::hex::{Hex, HexKnowledge};
use tree_games::tictactoe::TicTacToe;
use tree_games::{Hook, full, run};

struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is passed on to the system's allocator; only counters are added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        let live = LIVE.fetch_add(layout.size() as u64, Relaxed) + layout.size() as u64;
        PEAK.fetch_max(live, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as u64, Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static TURN: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most bytes that were live at once while `work` ran, beyond those before it.
fn peak<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = work();
    (result, PEAK.load(Relaxed) - before)
}

const MIB: u64 = 1 << 20;

#[test]
fn go_39_the_memory_cap_holds() {
    let _turn = alone();
    for (threads, parallel) in [(1, Parallel::Tree), (3, Parallel::Tree), (2, Parallel::Root)] {
        let mut settings = UctSettings::rave();
        settings.tree.memory = 16;
        settings.tree.threads = threads;
        settings.tree.parallel = parallel;
        settings.tree.early_stop = false;
        settings.tree.expand_after = 2;
        let mut search = Uct::new(HexKnowledge, settings);
        let (report, peak) = peak(|| run(&mut search, &Hex::<11>::empty(), 60_000, 1));
        assert_eq!(report.visits, 60_000, "a full tree is searched on");
        assert!(peak <= 16 * MIB + 16 * MIB / 20, "{peak} bytes");
        assert!(report.bytes <= 16 * MIB && report.bytes > 14 * MIB, "{} bytes reported", report.bytes);
        assert!(report.bytes.abs_diff(peak) < 16 * MIB / 20, "{} reported, {peak} used", report.bytes);
        assert!(report.nodes * node_bytes::<u16>() as u64 > report.bytes * 9 / 10);
        // Moving on in the tree keeps within the cap as well: it is compacted in place.
        let line = report.rows[0].pv[..2].to_vec();
        let mut game = Hex::<11>::empty();
        for &action in &line {
            kiebitz_core::Game::apply(&mut game, action);
            kiebitz_search::Search::observe(&mut search, action);
        }
        let before = LIVE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let report = run(&mut search, &game, 60_000, 1);
        assert!(
            report.visits > 60_000,
            "the subtree was kept: {} visits, {threads} threads {parallel:?}",
            report.visits
        );
        assert!(PEAK.load(Relaxed) - before < MIB, "{} more bytes", PEAK.load(Relaxed) - before);
    }
}

#[test]
fn a_small_search_is_cheap() {
    let _turn = alone();
    let mut settings = full();
    settings.tree.memory = 4096;
    let (_, peak) = peak(|| run(&mut Uct::new(Uniform, settings), &TicTacToe::default(), 10, 1));
    assert!(peak < MIB, "{peak} bytes");
}

#[test]
fn no_allocation_for_a_simulation() {
    let _turn = alone();
    // Calls of the allocator at each playout.
    let calls = Mutex::new(Vec::with_capacity(100_000));
    let note = |_: &Hex<5>| calls.lock().unwrap().push(CALLS.load(Relaxed));
    let mut settings = full();
    settings.tree.memory = 8;
    run(&mut Uct::new(Hook(note), settings), &Hex::<5>::empty(), 50_000, 1);
    let calls = calls.into_inner().unwrap();
    let segments = 8 * MIB / (4096 * 48) + 1;
    let (from, to) = (calls[200], *calls.last().unwrap());
    assert!(calls.len() > 30_000);
    // Segments, and a few buffers that grow to their final size (the longest path, the longest list of actions).
    assert!(to - from <= segments + 10, "{} allocations", to - from);
    assert!(to > calls[0], "the counter counts");
}
