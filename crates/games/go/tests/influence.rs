//! The static estimate: what it must get right to be of use to a player that looks one move ahead.

mod common;

use common::{diagram, options};
use kiebitz_core::{Game, Knowledge};
use kiebitz_go::{Color, Go, GoKnowledge, KoRule, Move};

fn black(text: &str, to_move: Color) -> f64 {
    value(&position(text, to_move))
}

fn position(text: &str, to_move: Color) -> Go {
    let rows: Vec<_> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let size = (rows[0].split_whitespace().count(), rows.len());
    let mut go = diagram(&options(size.0, size.1, KoRule::Positional, false), text);
    go.set_to_move(to_move);
    go
}

fn value(go: &Go) -> f64 {
    let payoff = GoKnowledge::default().evaluate(go).expect("Go has an estimate");
    assert!((payoff.of(0) + payoff.of(1) - 1.0).abs() < 1e-12, "what one side gains the other loses: {payoff:?}");
    payoff.of(0)
}

/// The same position with the colours changed.
fn swapped(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c == 'X' {
                'O'
            } else if c == 'O' {
                'X'
            } else {
                c
            }
        })
        .collect()
}

const SPLIT: &str = "
    . . X . O O .
    . X . X O . O
    . . X . O . .
    . X X O . O .
    X . X O O . .
    . X O . O . O
    . X O . . . .";

#[test]
fn changing_the_colours_changes_the_sides() {
    let empty = position(". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", Color::Black);
    let komi = 0.5 - value(&empty);
    assert!(komi >= 0.0, "nothing but komi on an empty board");
    let (one, other) = (black(SPLIT, Color::Black), black(&swapped(SPLIT), Color::White));
    if komi == 0.0 {
        assert!((one + other - 1.0).abs() < 1e-9, "{one} and {other}");
    } else {
        assert!(one + other < 1.0, "White has komi in both: {one} and {other}");
    }
}

#[test]
fn a_chain_that_can_be_taken_is_worth_less_than_nothing() {
    // Black's stone has one liberty left.
    let text = "
        . . . . .
        . . O . .
        . O X . .
        . . O . .
        . . . . .";
    let without = text.replace('X', ".");
    assert!(black(text, Color::White) < black(&without, Color::White));
    assert!(black(text, Color::Black) > black(text, Color::White), "its owner may still save it");
}

#[test]
fn the_best_move_by_the_estimate_takes_the_stones_that_are_left_in_atari() {
    let go = position(
        "
        . . . . . .
        . . . . . .
        . . X X . .
        . X O O . .
        . . X X . .
        . . . . . .",
        Color::Black,
    );
    let mut actions = Vec::new();
    go.actions(&mut actions);
    let after = |mv: &Move| {
        let mut next = go.clone();
        next.apply(*mv);
        value(&next)
    };
    let best = actions.iter().copied().max_by(|a, b| after(a).total_cmp(&after(b))).unwrap();
    assert_eq!(best.text(go.size()).to_string(), "E3");
}
