//! Random games move by move against a second engine that keeps every board.

mod common;

use common::naive::Naive;
use common::{game, options, rows};
use kiebitz_core::{Game, Rng};
use kiebitz_go::{Color, Go, KoRule, Move};

fn same_board(go: &Go, naive: &Naive) -> bool {
    go.size().iter().all(|p| {
        let stone = match naive.cells[p.index()] {
            b'X' => Some(Color::Black),
            b'O' => Some(Color::White),
            _ => None,
        };
        go.board().stone(p) == stone
    })
}

/// Plays random games, comparing the legal points at every position; returns how many moves were made and how many points
/// a repetition rule forbade. Now and then the same colour plays twice, as in set-up play.
fn compare(width: usize, height: usize, ko: KoRule, suicide: bool, moves: u64, rng: &mut Rng) -> (u64, u64) {
    let options = options(width, height, ko, suicide);
    let (mut made, mut banned) = (0, 0);
    let mut actions = Vec::new();
    while made < moves {
        let mut go = game(&options);
        let mut naive = Naive::new(width, height, ko, suicide);
        // Long games need superko most; the second engine's cost grows with the history.
        let out_of_turn = if rng.chance(0.3) { 0.2 } else { 0.0 };
        for _ in 0..200 {
            if rng.chance(out_of_turn) {
                let color = Color::from_index(rng.below(2)).unwrap();
                go.set_to_move(color);
                naive.to_move = color.index();
            }
            go.actions(&mut actions);
            let points: Vec<usize> = actions.iter().filter_map(|m| m.point()).map(|p| p.index()).collect();
            if points != naive.legal_points() {
                panic!(
                    "{width}x{height} {ko:?} {suicide}\n{}{:?}\n{points:?}\n{go:?}",
                    rows(&go),
                    naive.legal_points()
                );
            }
            assert_eq!(actions.last(), Some(&Move::PASS));
            for point in go.size().iter() {
                let verdict = go.check(point.into());
                assert_eq!(verdict.is_ok(), points.contains(&point.index()));
                banned += u64::from(verdict.is_err_and(|e| matches!(e.code, "go.ko" | "go.superko")));
            }
            let pass = points.is_empty() || rng.chance(0.05);
            let action = if pass { Move::PASS } else { actions[rng.below(points.len())] };
            go.apply(action);
            naive.play(action.point().map(|p| p.index()));
            made += 1;
            assert!(same_board(&go, &naive));
            for color in Color::ALL {
                assert_eq!(go.captures(color) as usize, naive.captures[color.index()]);
            }
            assert_eq!(i64::from(go.margin()), 4 * naive.area());
            if go.turn().is_terminal() {
                break;
            }
        }
    }
    (made, banned)
}

#[test]
fn go_08_exact_superko_against_stored_boards() {
    let mut rng = Rng::new(8);
    let (mut made, mut banned) = (0, 0);
    for (width, height, share) in [(1, 5, 1), (2, 2, 1), (2, 3, 2), (3, 3, 3), (3, 4, 2), (4, 4, 1)] {
        for ko in [KoRule::Positional, KoRule::Situational, KoRule::Natural] {
            for suicide in [false, true] {
                let (m, b) = compare(width, height, ko, suicide, 17_000 * share, &mut rng);
                made += m;
                banned += b;
            }
        }
    }
    assert!(made >= 1_000_000, "{made} moves");
    assert!(banned > 50_000, "the rule was hardly tested: {banned} points forbidden");
}

#[test]
fn go_09_go_15_random_games_on_larger_boards() {
    let mut rng = Rng::new(9);
    for (width, height, moves) in [(5, 5, 5_000), (9, 9, 2_000), (7, 3, 5_000), (19, 19, 400), (25, 25, 200)] {
        for ko in [KoRule::Simple, KoRule::Positional] {
            compare(width, height, ko, false, moves, &mut rng);
            compare(width, height, ko, true, moves, &mut rng);
        }
    }
}
