//! No playout and no prior allocates: a counting global allocator, alone in its own test binary.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use kiebitz_core::{Game, Knowledge, Rng, Trace};
use kiebitz_go::playout::{AnyPlayoutBoard, Policy, Start};
use kiebitz_go::{Color, Go, GoKnowledge, Move, Ruleset, Size};

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

#[test]
fn go_12_playouts_do_not_allocate() {
    let before = count();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(count(), before + 1, "the counter counts");

    for (width, height) in [(1, 1), (9, 9), (13, 13), (19, 19), (25, 25)] {
        let size = Size::new(width, height).unwrap();
        let stones: Vec<_> = size.iter().step_by(7).map(|p| (p, Color::ALL[p.index() % 2])).collect();
        let empty = AnyPlayoutBoard::new(size);
        let mut board = AnyPlayoutBoard::new(Size::square(9).unwrap());
        let mut trace: Trace<Move> = Vec::with_capacity(3 * size.points());
        let mut owners = vec![0; size.points()];
        let mut rng = Rng::new(9);
        let mut moves = 0;
        let policy = Policy { nakade: 0.9, ..Policy::default() };
        board.heavy_playout(Start::of(Color::Black), &policy, &mut rng, None);
        let before = count();
        for i in 0..200 {
            if i % 2 == 0 {
                board.clone_from(&empty);
            } else {
                board.set_up(size, stones.iter().copied(), Color::White, None).unwrap();
            }
            board.ownership(&mut owners);
            trace.clear();
            let traced = (i % 3 == 0).then_some(&mut trace);
            let start = Start { mercy: i % 5 == 0, ..Start::of(Color::Black) };
            moves += match i % 4 {
                0 => board.light_playout(start, &mut rng, traced).moves,
                _ => board.heavy_playout(start, &policy, &mut rng, traced).moves,
            };
            board.ownership(&mut owners);
        }
        assert_eq!(count(), before, "{size}");
        assert!(moves >= 200);
    }
}

#[test]
fn priors_do_not_allocate() {
    let knowledge = GoKnowledge::default();
    let mut rng = Rng::new(5);
    let (mut actions, mut out) = (Vec::new(), vec![0.0; 626]);
    for side in [9, 13, 19, 25] {
        let mut go = Go::with_ruleset(Size::square(side).unwrap(), Ruleset::Chinese);
        for ply in 0..side * side / 2 {
            go.actions(&mut actions);
            let out = &mut out[..actions.len()];
            // The first one may read the built-in strengths.
            knowledge.prior(&go, &actions, out);
            let before = count();
            knowledge.prior(&go, &actions, out);
            assert_eq!(count(), before, "{side} {ply}");
            go.apply(actions[rng.below(actions.len() - 1)]);
        }
    }
}
