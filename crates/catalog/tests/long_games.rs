//! What a player does for a move does not grow with the game before it: a counting global allocator, alone in its own test binary.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;

use kiebitz_core::record::Header;
use kiebitz_core::{Budget, DynGame, DynPlayer, ManualClock, Thinking};
use serde_json::{Map, json};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system allocator unchanged; counting touches a constant-initialised thread local,
// which does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn think(player: &mut dyn DynPlayer, game: &dyn DynGame) {
    let (clock, stop) = (ManualClock::default(), AtomicBool::new(false));
    player.analyze(game, &Thinking::new(Budget::visits(1), &clock, &stop, 1)).unwrap();
}

/// Copying the history is what took quadratic time in a match of many deals. Steps with data of their own show it: whoever copies
/// them allocates.
#[test]
fn a_move_costs_the_same_after_a_long_game() {
    let entry = kiebitz_catalog::game("go").unwrap();
    let header = Header::new("go", 2, Map::from_iter([("size".to_owned(), json!(5))]));
    let after = |rounds: usize| {
        let mut game = entry.game.start(&header, 1).unwrap();
        game.play("C3").unwrap();
        game.play("D4").unwrap();
        for _ in 0..rounds {
            game.play("pass").unwrap();
            game.play("pass").unwrap();
            game.event(0, "dead", &Map::from_iter([("stones".to_owned(), json!(["D4"]))])).unwrap();
            game.event(0, "resume", &Map::new()).unwrap();
        }
        let mut player = entry.player(&"random".parse().unwrap()).unwrap();
        think(player.as_mut(), game.as_ref());
        let before = COUNT.with(Cell::get);
        think(player.as_mut(), game.as_ref());
        COUNT.with(Cell::get) - before
    };
    let (short, long) = (after(1), after(60));
    assert!(short > 0, "the counter counts");
    assert!(long < short + 20, "{short} allocations for a move of a short game, {long} of a long one");
}
