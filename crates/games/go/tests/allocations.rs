//! The referee does not allocate in a search: a counting global allocator, alone in its own test binary.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use kiebitz_core::{Game, Rng};
use kiebitz_go::{Go, Ruleset, Size};

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

fn count() -> usize {
    COUNT.with(Cell::get)
}

/// One descent as a search makes it: copy the root into used memory, then list, play and count.
fn descend(root: &Go, world: &mut Go, actions: &mut Vec<kiebitz_go::Move>, rng: &mut Rng) -> f64 {
    world.clone_from(root);
    for _ in 0..30 {
        world.actions(actions);
        if actions.is_empty() {
            break;
        }
        let undo = world.apply_undo(actions[0]);
        world.undo(undo);
        let action = actions[rng.below(actions.len())];
        assert!(world.is_legal(action));
        world.apply(action);
    }
    let _ = world.key() ^ world.transposition_key();
    world.returns().of(0) + world.utility().of(0)
}

#[test]
fn copies_and_moves_do_not_allocate_after_warming_up() {
    let before = count();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(count(), before + 1, "the counter counts");
    for (side, set) in
        [(9, Ruleset::TrompTaylor), (19, Ruleset::Chinese), (19, Ruleset::NewZealand), (5, Ruleset::Japanese)]
    {
        let mut rng = Rng::new(12);
        let mut actions = Vec::new();
        let mut root = Go::with_ruleset(Size::square(side).unwrap(), set);
        for _ in 0..side * side {
            root.actions(&mut actions);
            let points = actions.len() - 1;
            if points == 0 {
                break;
            }
            root.apply(actions[rng.below(points)]);
        }
        let mut world = root.clone();
        // Warm up: the logs of the copy grow to what a descent needs.
        for _ in 0..200 {
            descend(&root, &mut world, &mut actions, &mut rng);
        }
        let before = count();
        for _ in 0..200 {
            std::hint::black_box(descend(&root, &mut world, &mut actions, &mut rng));
        }
        assert_eq!(count() - before, 0, "{side} {set:?}");
    }
}
