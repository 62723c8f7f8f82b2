//! Deals, playouts and worlds do not allocate: a counting global allocator, alone in its own test binary.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use kiebitz_core::{Game, Knowledge, Rng, Scratch, Session, Turn};
use kiebitz_paodekuai::{Options, PaoDeKuai, PaoDeKuaiKnowledge, PlayoutPolicy};

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
fn deals_and_playouts_do_not_allocate_after_warming_up() {
    let before = count();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(count(), before + 1, "the counter counts");
    for preset in ["classic16", "duel16", "zsy"] {
        let options = Options::preset(preset).unwrap();
        let start = PaoDeKuai::new(options.players.unwrap_or(3), &options, None).unwrap();
        for policy in [PlayoutPolicy::Light, PlayoutPolicy::Heavy, PlayoutPolicy::Learned, PlayoutPolicy::Random] {
            let knowledge = PaoDeKuaiKnowledge { policy, ..PaoDeKuaiKnowledge::default() };
            let mut scratch = Scratch::default();
            scratch.actions.reserve(4096);
            let (mut rng, mut game) = (Rng::new(1), start.clone());
            // Until the largest choices were met: buffers grow with them.
            for _ in 0..1000 {
                game.clone_from(&start);
                knowledge.playout(&mut game, &mut rng, &mut scratch, None);
            }
            let before = count();
            for _ in 0..100 {
                game.clone_from(&start);
                std::hint::black_box(knowledge.playout(&mut game, &mut rng, &mut scratch, None));
            }
            assert_eq!(count() - before, 0, "{preset} {policy:?}");
        }
    }
}

#[test]
fn worlds_of_one_position_do_not_allocate_after_the_first() {
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, 1).unwrap();
    session.roll();
    let (mut rng, mut actions, mut positions) = (Rng::new(2), Vec::new(), 0);
    while let Turn::Seat(seat) = session.turn() {
        let mut world = session.state().clone();
        let belief = session.belief(seat).unwrap();
        for _ in 0..200 {
            world.determinize(seat, belief, &mut rng);
        }
        let before = count();
        for _ in 0..100 {
            world.determinize(seat, belief, &mut rng);
        }
        assert_eq!(count() - before, 0, "position {positions}");
        positions += 1;
        session.state().actions(&mut actions);
        session.play(actions[rng.below(actions.len())]).unwrap();
    }
    assert!(positions > 20);
}
