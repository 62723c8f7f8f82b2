//! The heavy playout policy: what it answers, what it leaves alone, and that it is sound.

mod common;

use common::{diagram, options, point};
use kiebitz_core::{Game, Rng, Trace};
use kiebitz_go::playout::{AnyPlayoutBoard, Policy, Start};
use kiebitz_go::{Color, Go, KoRule, Move, Point};

/// Every part always asked, so that a test does not depend on the dice.
fn always() -> Policy {
    Policy { save: 1.0, ladder: true, capture: 1.0, nakade: 1.0, shape: 0.0, hunt: 1.0, safe: 1.0 }
}

fn position(text: &str) -> Go {
    let rows: Vec<_> = text.trim().lines().collect();
    diagram(&options(rows[0].split_whitespace().count(), rows.len(), KoRule::Simple, false), text)
}

/// The first moves of many playouts by `color` after the opponent's stone on `last`, without repetition.
fn replies(go: &Go, color: Color, last: Option<&str>, policy: &Policy) -> Vec<String> {
    let size = go.size();
    let stones: Vec<_> = size.iter().filter_map(|p| Some((p, go.board().stone(p)?))).collect();
    let mut board = AnyPlayoutBoard::new(size);
    let mut found = Vec::new();
    for seed in 0..300 {
        board.set_up(size, stones.iter().copied(), color, None).unwrap();
        let mut trace: Trace<Move> = Vec::new();
        let start = Start { last: last.map(|text| board.vertex(point(go, text))), ..Start::of(color) };
        board.heavy_playout(start, policy, &mut Rng::new(seed), Some(&mut trace));
        let text = trace[0].1.point().map_or("pass".to_owned(), |p| p.text(size).to_string());
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found.sort();
    found
}

#[test]
fn a_chain_in_atari_is_extended_where_that_saves_it() {
    let go = position(
        ". . . . . . .
         . . . . . . .
         . . . X . . .
         . . X O . . .
         . . . X . . .
         . . . . . . .
         . . . . . . .",
    );
    assert_eq!(replies(&go, Color::White, Some("C4"), &always()), ["E4"]);
}

#[test]
fn a_chain_in_atari_is_saved_by_capturing_too() {
    let go = position(
        ". . . . . . .
         . . . . . . .
         . . O X . . .
         . . X O . . .
         . . O X . . .
         . . . . . . .
         . . . . . . .",
    );
    assert_eq!(replies(&go, Color::White, Some("D5"), &always()), ["B4", "E4"]);
}

#[test]
fn a_ladder_is_not_run_from() {
    // White's stone on C3 is in atari; Black to have played C4. Running at D3 meets the ladder towards the upper right.
    let text = ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . X X . . . . .
         . X O . . . . . .
         . . X . . . . . .
         . . . . . . . . .";
    let go = position(text);
    let all = replies(&go, Color::White, Some("C4"), &Policy { ladder: false, ..always() });
    assert_eq!(all, ["D3"]);
    let some = replies(&go, Color::White, Some("C4"), &always());
    assert!(some.len() > 5, "nothing to answer, so anywhere: {some:?}");
    // A stone in its way lets the chain run out.
    let broken = position(&text.replace(". . X . . . . . .", ". . X . O . . . ."));
    assert_eq!(replies(&broken, Color::White, Some("C4"), &always()), ["D3"]);
}

#[test]
fn the_last_chain_is_captured_when_it_is_in_atari() {
    let go = position(
        ". . . . .
         . . X . .
         . X O X .
         . . . . .
         . . . . .",
    );
    assert_eq!(replies(&go, Color::Black, Some("C3"), &always()), ["C2"]);
}

#[test]
fn the_vital_point_of_an_eye_space_beside_the_last_move_is_played() {
    let text = "
        . O O O O O .
        . O X X X O .
        . O X . X O .
        . O X . X O .
        . O X . X O .
        . O X X X O .
        . O O O O O .";
    let go = position(text);
    assert_eq!(replies(&go, Color::White, Some("C4"), &always()), ["D4"]);
    assert_ne!(replies(&go, Color::Black, Some("B4"), &always()), ["D4"], "the move does not touch the eye space");
}

#[test]
fn nobody_moves_first_in_a_seki() {
    let go = position("X X X X O O O\nX X X . O O O\nX X X . O O O");
    for color in Color::ALL {
        assert_eq!(replies(&go, color, None, &always()), ["pass"], "{color:?}");
        let anyhow = Policy { safe: 0.0, ..always() };
        assert_eq!(replies(&go, color, None, &anyhow), ["D1", "D2"], "{color:?}");
    }
}

#[test]
fn stones_are_given_up_where_that_kills() {
    // Black's eye space holds two white stones: a third leaves a bent three, with its vital point White's.
    let go = position(
        "X X X X O .
         . . . X O .
         O O X X O .
         X X X O O .
         O O O O . .
         . . . . . .",
    );
    let first = replies(&go, Color::White, None, &always());
    // B5 leaves two liberties and is fine anyway; A5 leaves one.
    assert!(first.contains(&"A5".to_owned()), "{first:?}");
}

#[test]
fn heavy_playouts_end_and_keep_the_board_sound() {
    for (width, height) in [(1, 1), (2, 2), (5, 3), (9, 9), (13, 13), (19, 19), (25, 25)] {
        let size = kiebitz_go::Size::new(width, height).unwrap();
        let mut board = AnyPlayoutBoard::new(size);
        let mut rng = Rng::new(5);
        let policy = Policy { shape: 0.9, ..always() };
        for _ in 0..30 {
            let empty: [(Point, Color); 0] = [];
            board.set_up(size, empty, Color::Black, None).unwrap();
            let mut trace: Trace<Move> = Vec::new();
            let end = board.heavy_playout(Start::of(Color::Black), &policy, &mut rng, Some(&mut trace));
            assert_eq!(end.moves as usize, trace.len());
            // The referee agrees with every move.
            let mut go = diagram(
                &options(width, height, KoRule::Simple, false),
                &vec![vec!["."; width].join(" "); height].join("\n"),
            );
            for &(seat, mv) in &trace {
                if go.turn().is_terminal() {
                    go.resume();
                }
                assert_eq!(go.to_move().index(), usize::from(seat));
                assert!(go.is_legal(mv), "{}", mv.text(size));
                go.apply(mv);
            }
            for p in size.iter() {
                assert_eq!(go.board().stone(p), board.stone(p));
            }
            let owners = kiebitz_go::area_owners(go.board(), &[]);
            assert_eq!(owners.iter().map(|&o| i32::from(o)).sum::<i32>(), end.score);
        }
    }
}
