//! Dead stones, seki and territory from playouts (the slow ones of these tests).

mod common;

use common::playout::playout;
use common::{diagram, names, options, play, point};
use kiebitz_core::{Game, Rng};
use kiebitz_go::status::{Assessment, Cause, MIN_PLAYOUTS, Status, assess};
use kiebitz_go::{Color, Go, GoBuffer, KoRule, Options, Ruleset};

fn position(width: usize, height: usize, text: &str) -> Go {
    diagram(&options(width, height, KoRule::Simple, false), text)
}

/// By the slow playout; the fast one must find the same dead stones and seki.
fn status(go: &Go) -> Assessment {
    let found = assess(go, 600, &mut Rng::new(7), playout);
    let mut buffer = GoBuffer::default();
    let fast = assess(go, 2000, &mut Rng::new(7), |go, rng, out| buffer.ownership(go, rng, out));
    for status in [Status::Dead, Status::Seki] {
        assert_eq!(found.stones(status), fast.stones(status), "{status:?}, slow and fast playout");
    }
    found
}

#[test]
fn two_eyes_are_alive_for_certain() {
    let text = "
        . . X . . . .
        . . X . . X .
        . . X X X . .
        O O O X . . .
        . O O X . . .
        O O O X . X .
        . O O X . . .";
    let go = position(7, 7, text);
    let found = status(&go);
    let chain = found.chain(point(&go, "A2")).unwrap();
    assert_eq!((chain.status, chain.certain, chain.color, chain.stones.len()), (Status::Alive, true, Color::White, 10));
    assert_eq!(found.status(point(&go, "D1")), Some(Status::Alive));
    assert_eq!(found.dead(), []);
    assert_eq!(found.status(point(&go, "G7")), None);
}

#[test]
fn one_eye_in_enemy_land_is_dead() {
    let text = "
        . X . X . . .
        X X X X . . .
        . . . X . . .
        X X X X X X X
        O O X . X . .
        . O X X X X .
        O O X . . X .";
    let go = position(7, 7, text);
    let found = status(&go);
    assert_eq!(names(&go, &found.dead()), ["A1", "B1", "B2", "A3", "B3"]);
    assert_eq!(found.status(point(&go, "D4")), Some(Status::Alive));
}

#[test]
fn a_stone_in_pass_alive_territory_is_dead_for_certain() {
    let text = "
        . X . X O
        X X X X .
        . . . X X
        X X X X .
        . . . . .";
    let go = position(5, 5, text);
    let found = status(&go);
    let chain = found.chain(point(&go, "E5")).unwrap();
    assert_eq!((chain.status, chain.certain), (Status::Dead, true));
}

#[test]
fn stones_without_eyes_among_living_enemies_are_dead() {
    let text = "
        . X . . . X O . .
        X . X . . X O . O
        . X . . . X O O .
        . . . X X X X O O
        . O . . X . X X O
        . O . . X X . X O
        . . . . X O O X O
        X X X X X O . O O
        . . . . X O O O .";
    let go = position(9, 9, text);
    let found = status(&go);
    assert_eq!(names(&go, &found.dead()), ["B4", "B5"]);
    let mut finished = go.clone();
    play(&mut finished, "pass pass");
    finished.agree_dead(&found.dead()).unwrap();
    assert_eq!(found.score(&go).margin(), finished.margin());
}

#[test]
fn seki_with_an_eye_each() {
    let text = "
        . X X O .
        X X X O O
        X X . O O";
    let go = position(5, 3, text);
    let found = status(&go);
    assert!(found.chains.iter().all(|chain| chain.status == Status::Seki), "{found:?}");
    // No points in seki under Japanese rules, however the board is counted.
    let japanese = diagram(&Options { komi: 0, ..Options::new(go.size(), Ruleset::Japanese) }, text);
    let score = status(&japanese).score(&japanese);
    assert_eq!(score.sides.map(|s| s.territory), [0, 0]);
    assert_eq!(score.owner[10], 0, "A3");
}

/// Black's corner lives only as long as White does not start a ko for it: bent four is dead.
const BENT_FOUR: &str = "
    . O . O . . . . .
    O O O O . . . . .
    . . . . O . . . .
    . . . . . O . . .
    . . . . O . . . .
    O O O O O . . . .
    X X X X O . . . .
    . . X X O . . . .
    O O O X O . . . .";

#[test]
fn bent_four_in_the_corner_is_dead() {
    let go = position(9, 9, BENT_FOUR);
    let found = status(&go);
    assert_eq!(found.status(point(&go, "A3")), Some(Status::Dead), "{:?}", found.chain(point(&go, "A3")));
    assert_eq!(found.chain(point(&go, "A3")).unwrap().cause, Cause::BentFour);
    assert_eq!(found.status(point(&go, "A1")), Some(Status::Alive));
    assert_eq!(found.score(&go).margin(), -4 * 81);
    // The same with the colours and the corner exchanged.
    let mirrored: Vec<String> = BENT_FOUR
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let row: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
            row.into_iter().rev().map(|c| [c, 'X', 'O'][usize::from(c == 'O') + 2 * usize::from(c == 'X')]).collect()
        })
        .rev()
        .collect();
    let go = position(9, 9, &mirrored.join("\n"));
    assert_eq!(status(&go).status(point(&go, "J7")), Some(Status::Dead));
}

#[test]
fn three_in_the_corner_with_an_outside_liberty_is_no_bent_four() {
    // Black's chain has a liberty outside (E3 is empty), so it can capture the three.
    let text = BENT_FOUR.replacen("X X X X O . . . .", "X X X X . . . . .", 1);
    let go = position(9, 9, &text);
    let found = assess(&go, 600, &mut Rng::new(7), playout);
    assert_ne!(found.chain(point(&go, "A3")).unwrap().cause, Cause::BentFour);
}

#[test]
fn territory_is_estimated_with_open_neutral_points() {
    // A finished game with C1..C5 open. A3 is dead.
    let text = "
        . X . O .
        . X . O .
        O X . O .
        X X . O O
        . X . O .";
    let go = diagram(&Options { komi: 2, ..Options::new(common::size(5, 5), Ruleset::Japanese) }, text);
    let found = status(&go);
    assert_eq!(names(&go, &found.dead()), ["A3"]);
    let score = found.score(&go);
    let [black, white] = score.sides;
    assert_eq!((black.territory, black.prisoners), (4, 1));
    assert_eq!((white.territory, white.prisoners, white.quarters), (4, 0, 2));
    assert_eq!(score.margin(), 2);
}

#[test]
fn a_finished_game_is_assessed_as_it_stands() {
    let mut go = position(5, 5, ".X.O.\n.X.O.\nOX.O.\nXX.OO\n.X.O.");
    let before = status(&go);
    play(&mut go, "pass pass");
    let mut calls = 0;
    let mut black_first = 0;
    let after = assess(&go, 1, &mut Rng::new(7), |start, rng, out| {
        assert!(!start.turn().is_terminal());
        assert_eq!(start.passes(), 0);
        calls += 1;
        black_first += u32::from(start.to_move() == Color::Black);
        playout(start, rng, out);
    });
    assert_eq!((calls, black_first), (MIN_PLAYOUTS, MIN_PLAYOUTS / 2));
    assert_eq!(before.dead(), after.dead());
    assert!(go.turn().is_terminal());
    // Nothing to ask on an empty board.
    let empty = position(3, 3, "...\n...\n...");
    let found = assess(&empty, 1, &mut Rng::new(1), |_, _, _| panic!("no playout is needed"));
    assert!(found.chains.is_empty());
}
