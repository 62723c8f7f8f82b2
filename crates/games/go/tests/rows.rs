//! Rows of the requirements of Go (GO-…) and of its regressions (G…) that need the rules alone and have no other test.
//! `docs/requirements-go.md` lists all rows.

mod common;

use std::collections::HashSet;

use common::{code, diagram, game, play, size};
use kiebitz_core::{Game, Turn};
use kiebitz_go::{Color, Options, Ruleset};

#[test]
fn go_06_black_is_seat_0_and_points_are_numbered_row_by_row() {
    let go = game(&Options::new(size(9, 7), Ruleset::Chinese));
    assert_eq!((go.turn(), Color::Black.index(), Color::White.index()), (Turn::Seat(0), 0, 1));
    for (index, point) in go.size().iter().enumerate() {
        assert_eq!((point.index(), point.row(go.size()), point.column(go.size())), (index, index / 9, index % 9));
        assert_eq!(go.board().stone(point), None);
    }
}

#[test]
fn g1_go_16_positions_of_one_and_two_stones_have_different_hashes() {
    let mut go = game(&Options::new(size(9, 9), Ruleset::Chinese));
    let points: Vec<_> = go.size().iter().collect();
    let mut hashes = HashSet::from([go.board().hash()]);
    let mut count = 1;
    for first in &points {
        for color in Color::ALL {
            go.set_to_move(color);
            go.play_as(color, (*first).into()).unwrap();
            hashes.insert(go.board().hash());
            count += 1;
            for second in points.iter().filter(|p| p > &first) {
                for color in Color::ALL {
                    go.play_as(color, (*second).into()).unwrap();
                    assert_eq!(go.board().count(Color::Black) + go.board().count(Color::White), 2);
                    hashes.insert(go.board().hash());
                    count += 1;
                    assert!(go.undo_last());
                }
            }
            assert!(go.undo_last());
        }
    }
    assert_eq!((hashes.len(), count), (1 + 162 + 81 * 80 / 2 * 4, 1 + 162 + 81 * 80 / 2 * 4));
}

#[test]
fn go_16_the_side_to_move_has_a_key_of_its_own() {
    let mut keys = HashSet::new();
    for moves in ["", "E5", "E5 C3", "E5 C3 pass", "A1 B1 A2 B2"] {
        let mut go = game(&Options::new(size(9, 9), Ruleset::Chinese));
        play(&mut go, moves);
        let key = |color: Color| {
            let mut go = go.clone();
            go.set_to_move(color);
            assert_eq!(go.key(), go.recomputed_key());
            (go.key(), go.board().hash())
        };
        let (black, white) = (key(Color::Black), key(Color::White));
        assert_eq!(black.1, white.1, "the board's hash, which superko looks at, does not know whose turn it is");
        keys.insert(black.0 ^ white.0);
    }
    assert_eq!(keys.len(), 1, "the same key in every position");
    assert!(!keys.contains(&0));
}

#[test]
fn go_28_results_are_one_zero_and_a_half() {
    let end = |komi: i32, moves: &str| {
        let mut go = game(&Options { komi, ..Options::new(size(5, 5), Ruleset::Chinese) });
        play(&mut go, moves);
        assert_eq!(go.turn(), Turn::Terminal);
        go.utility().as_slice().to_vec()
    };
    // Komi counts in quarters of a point.
    assert_eq!(end(26, "C3 pass pass"), [1.0, 0.0]);
    assert_eq!(end(26, "pass pass"), [0.0, 1.0]);
    assert_eq!(end(100, "C3 pass pass"), [0.5, 0.5]);
    assert_eq!(end(0, "pass pass"), [0.5, 0.5]);
}

#[test]
fn g_ok_ko_suicide_and_occupied_points_are_refused() {
    for set in Ruleset::all() {
        let mut go = diagram(&Options::new(size(4, 3), set), ".XO.\nXO.O\n.XO.");
        play(&mut go, "C2");
        assert_eq!(code(&go, "B2"), "go.ko", "{set:?}");
        assert_eq!(code(&go, "C2"), "go.occupied", "{set:?}");
        let go = diagram(&Options::new(size(3, 3), set), ".O.\nO.O\n.O.");
        assert_eq!(code(&go, "B2"), "go.suicide", "{set:?}");
    }
}
