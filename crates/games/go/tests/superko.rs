//! Repetition rules on composed positions.

mod common;

use common::{code, diagram, game, options, play, rows};
use kiebitz_core::{Game, Rng, Turn};
use kiebitz_go::{Color, Go, KoRule, Move};

/// Black at C1 sends two stones, White takes them with A1, and B1 would take one back and restore the board.
const SEND_TWO: &str = "
    . . . .
    X O O .
    . X . O";

#[test]
fn send_two_return_one() {
    for (ko, expected) in [
        (KoRule::Simple, "legal"),
        (KoRule::Positional, "go.superko"),
        // The board would be the same but with White to move.
        (KoRule::Situational, "legal"),
        (KoRule::Natural, "legal"),
    ] {
        let mut go = diagram(&options(4, 3, ko, false), SEND_TWO);
        let start = rows(&go);
        play(&mut go, "C1 A1");
        assert_eq!(go.captures(Color::White), 2);
        assert_eq!(go.ko_point(), None);
        assert_eq!(code(&go, "B1"), expected, "{ko:?}");
        if expected == "legal" {
            play(&mut go, "B1");
            assert_eq!(rows(&go), start);
            // After White's pass the pair of board and player is there again (a pass may do that), and sending two again
            // would repeat the pair after the first time.
            play(&mut go, "pass");
            let again = if ko == KoRule::Simple { "legal" } else { "go.superko" };
            assert_eq!(code(&go, "C1"), again, "{ko:?}");
        }
    }
}

/// Three kos, one of which Black holds.
const TRIPLE_KO: &str = "
    . X O .
    X O . O
    . X O .
    . X O .
    X . X O
    . X O .
    . X O .
    X O . O
    . X O .";
/// Each takes a ko in turn; after six moves the board is the same with the same player to move.
const CYCLE: [&str; 6] = ["C8", "B5", "C2", "B8", "C5", "B2"];

#[test]
fn triple_ko_under_simple_ko_is_void() {
    let mut go = diagram(&options(4, 9, KoRule::Simple, false), TRIPLE_KO);
    let start = rows(&go);
    for (round, text) in CYCLE.iter().chain(&CYCLE).enumerate() {
        assert_eq!(go.turn(), Turn::Seat((round % 2) as u8));
        play(&mut go, text);
    }
    assert_eq!(rows(&go), start, "for the third time");
    assert_eq!(go.turn(), Turn::Terminal);
    assert!(go.is_void());
    assert_eq!(go.result().as_deref(), Some("Void"));
    assert_eq!(go.returns().as_slice(), [0.0, 0.0]);
    assert_eq!(go.utility().as_slice(), [0.5, 0.5]);
    assert_eq!(go.check(Move::PASS).unwrap_err().code, "game.over");
    assert_eq!(go.agree_dead(&[]).unwrap_err().code, "go.dead");
    assert!(go.undo_last());
    assert_eq!(go.turn(), Turn::Seat(1));
    assert!(!go.is_void());
    play(&mut go, "B2");
    assert!(go.is_void());
}

#[test]
fn a_pass_breaks_a_long_cycle() {
    let mut rules = options(4, 9, KoRule::Simple, false);
    rules.rules.button = true;
    let mut go = diagram(&rules, TRIPLE_KO);
    play(&mut go, &CYCLE.join(" "));
    // The first pass takes the button, so two passes leave the same board and player to move.
    play(&mut go, "pass pass");
    play(&mut go, &CYCLE.join(" "));
    assert!(!go.is_void(), "four times, but twice since the pass");
    play(&mut go, &CYCLE.join(" "));
    assert!(go.is_void());
}

#[test]
fn triple_ko_under_superko_forbids_the_last_move() {
    for ko in [KoRule::Positional, KoRule::Situational] {
        let mut go = diagram(&options(4, 9, ko, false), TRIPLE_KO);
        play(&mut go, &CYCLE[..5].join(" "));
        assert_eq!(code(&go, CYCLE[5]), "go.superko", "{ko:?}");
        let mut actions = Vec::new();
        go.actions(&mut actions);
        assert!(!actions.contains(&common::mv(&go, CYCLE[5])));
    }
    // The first pair was made by no move, so natural situational superko lets it come once more.
    let mut go = diagram(&options(4, 9, KoRule::Natural, false), TRIPLE_KO);
    play(&mut go, &CYCLE.join(" "));
    assert_eq!(code(&go, CYCLE[0]), "go.superko");
}

#[test]
fn natural_superko_forgets_pairs_made_by_passes() {
    // White passes, Black takes the ko. Retaking makes the pair that White's pass had made.
    let text = ".XO.\nXO.O\n.XO.";
    for (ko, expected) in [
        (KoRule::Simple, "go.ko"),
        (KoRule::Positional, "go.ko"),
        (KoRule::Situational, "go.ko"),
        (KoRule::Natural, "legal"),
    ] {
        let mut go = diagram(&options(4, 3, ko, false), text);
        go.play_as(Color::White, Move::PASS).unwrap();
        play(&mut go, "C2");
        assert_eq!(code(&go, "B2"), expected, "{ko:?}");
    }
}

#[test]
fn passes_are_exempt() {
    for ko in [KoRule::Positional, KoRule::Situational, KoRule::Natural] {
        let mut rules = options(4, 3, ko, false);
        rules.rules.button = true;
        let mut go = diagram(&rules, SEND_TWO);
        play(&mut go, "pass pass pass");
        assert_eq!(go.turn(), Turn::Terminal, "the first pass took the button");
    }
}

#[test]
fn set_up_play_keeps_the_history() {
    // The same colour twice in a row, and the position from before White's capture is still forbidden.
    let mut go = diagram(&options(4, 3, KoRule::Positional, false), SEND_TWO);
    play(&mut go, "C1 A1");
    let d3 = common::mv(&go, "D3");
    go.play_as(Color::White, d3).unwrap();
    assert_eq!(code(&go, "B1"), "legal", "D3 makes it a new position");
    let mut go = diagram(&options(4, 3, KoRule::Positional, false), SEND_TWO);
    let c1 = common::mv(&go, "C1");
    go.play_as(Color::Black, c1).unwrap();
    let a1 = common::mv(&go, "A1");
    go.play_as(Color::White, a1).unwrap();
    let b1 = common::mv(&go, "B1");
    assert_eq!(go.play_as(Color::Black, b1).unwrap_err().code, "go.superko");
}

#[test]
fn the_first_position_counts_for_superko() {
    // From the empty 2x1 board: black, white takes it, black takes that: A1 empty again and so on.
    let mut go = game(&options(2, 1, KoRule::Positional, true));
    play(&mut go, "A1 B1");
    assert_eq!(rows(&go), ".O\n");
    assert_eq!(code(&go, "A1"), "go.ko");
    // 1x2 with set-up: the set-up position itself may not come again.
    let mut go = diagram(&options(2, 1, KoRule::Positional, true), "X.");
    go.play_as(Color::White, common::mv(&go, "B1")).unwrap();
    assert_eq!(code(&go, "A1"), "go.ko");
}

#[test]
fn mid_game_set_up_starts_the_history_anew() {
    let mut go = diagram(&options(4, 3, KoRule::Positional, false), SEND_TWO);
    play(&mut go, "C1 A1");
    assert_eq!(code(&go, "B1"), "go.superko");
    go.set_stones(&kiebitz_go::Setup::default()).unwrap();
    assert_eq!(code(&go, "B1"), "legal");
    assert!(!go.undo_last());
    assert_eq!(go.ply(), 2);
}

#[test]
fn a_game_without_passes_ends_void_at_the_limit() {
    let mut rng = Rng::new(1);
    let mut actions = Vec::new();
    let mut reached = 0;
    for _ in 0..5 {
        let mut go: Go = game(&options(7, 7, KoRule::Simple, false));
        let limit = go.meta().max_length;
        assert_eq!(limit, 1490);
        while !go.turn().is_terminal() {
            go.actions(&mut actions);
            let stones = actions.len() - 1;
            go.apply(actions[if stones > 0 { rng.below(stones) } else { 0 }]);
            assert!(go.ply() <= limit);
        }
        if go.ply() == limit {
            reached += 1;
            assert!(go.is_void());
            assert_eq!(go.result().as_deref(), Some("Void"));
        }
    }
    assert!(reached >= 2, "{reached} games reached the limit");
}
