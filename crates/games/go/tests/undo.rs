//! Random games: undo, copies, keys and the board's own bookkeeping after every move.

mod common;

use std::collections::HashMap;

use common::{game, size};
use kiebitz_core::{Game, Rng};
use kiebitz_go::{Color, Go, Options, Ruleset};

fn random_options(rng: &mut Rng) -> Options {
    let sets: Vec<Ruleset> = Ruleset::all().collect();
    let side = |rng: &mut Rng| {
        let most = if rng.chance(0.1) { 25 } else { 6 };
        1 + rng.below(most)
    };
    Options::new(size(side(rng), side(rng)), sets[rng.below(sets.len())])
}

#[test]
fn undo_restores_the_state_exactly() {
    let mut rng = Rng::new(3);
    let mut actions = Vec::new();
    let mut scratch = game(&Options::default());
    for _ in 0..300 {
        let mut go = game(&random_options(&mut rng));
        let start = go.clone();
        let mut before: Vec<(Go, u64, u64)> = Vec::new();
        while !go.turn().is_terminal() && before.len() < 150 {
            go.actions(&mut actions);
            assert!(actions.is_sorted());
            let action = actions[rng.below(actions.len())];
            let copy = go.clone();
            let undo = go.apply_undo(action);
            let after = go.clone();
            assert_eq!(go.key(), go.recomputed_key());
            go.board().verify().unwrap();
            go.undo(undo);
            assert_eq!(go, copy);
            assert_eq!((go.key(), go.transposition_key()), (copy.key(), copy.transposition_key()));
            assert_eq!(go.key(), go.recomputed_key());
            go.board().verify().unwrap();
            before.push((copy, go.key(), go.transposition_key()));
            go.apply(action);
            assert_eq!(go, after);
            assert_ne!(go, before.last().unwrap().0);
            // A copy into used memory is equal and independent.
            scratch.clone_from(&go);
            assert_eq!(scratch, go);
            assert!(scratch.undo_last());
            assert_ne!(scratch, go);
        }
        while let Some((state, key, transposition)) = before.pop() {
            assert!(go.undo_last());
            assert_eq!(go, state);
            assert_eq!((go.key(), go.transposition_key()), (key, transposition));
        }
        assert_eq!(go, start);
        assert!(!go.undo_last());
    }
}

#[test]
fn undo_after_moves_out_of_turn() {
    let mut rng = Rng::new(4);
    let mut actions = Vec::new();
    for _ in 0..100 {
        let mut go = game(&random_options(&mut rng));
        let mut boards = Vec::new();
        while !go.turn().is_terminal() && boards.len() < 80 {
            let color = Color::from_index(rng.below(2)).unwrap();
            boards.push((common::rows(&go), go.captures(Color::Black), go.captures(Color::White), go.passes()));
            go.set_to_move(color);
            go.actions(&mut actions);
            let action = actions[rng.below(actions.len())];
            go.play_as(color, action).unwrap();
            assert_eq!(go.to_move(), color.opponent());
        }
        while let Some(board) = boards.pop() {
            assert!(go.undo_last());
            assert_eq!((common::rows(&go), go.captures(Color::Black), go.captures(Color::White), go.passes()), board);
            go.board().verify().unwrap();
        }
    }
}

/// States that a transposition table takes for the same have the same continuations: the same legal moves, and after each
/// of them again, to a depth of three.
#[test]
fn equal_transposition_keys_mean_equal_continuations() {
    fn continuations(go: &mut Go, depth: usize) -> u64 {
        let mut actions = Vec::new();
        go.actions(&mut actions);
        let mut sum = u64::from(go.turn().is_terminal()) + actions.len() as u64;
        if depth > 0 {
            for (i, &action) in actions.iter().enumerate() {
                let undo = go.apply_undo(action);
                sum = sum.wrapping_mul(31).wrapping_add((i as u64 + 1) * continuations(go, depth - 1));
                go.undo(undo);
            }
        }
        sum
    }
    let mut rng = Rng::new(5);
    let mut actions = Vec::new();
    for set in [Ruleset::TrompTaylor, Ruleset::NewZealand, Ruleset::Chinese, Ruleset::Japanese] {
        let mut seen: HashMap<u64, (u64, i32)> = HashMap::new();
        let mut met_again = 0;
        for _ in 0..600 {
            let mut go = game(&Options::new(size(2, 2), set));
            while !go.turn().is_terminal() && go.ply() < 12 {
                let found = (continuations(&mut go, 3), go.margin());
                if let Some(old) = seen.insert(go.transposition_key(), found) {
                    met_again += 1;
                    assert_eq!(old, found, "{go:?}");
                }
                go.actions(&mut actions);
                go.apply(actions[rng.below(actions.len())]);
            }
        }
        assert!(met_again > 300, "{set:?}: {met_again}");
    }
}
