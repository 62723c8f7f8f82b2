//! Exact values of tiny boards by alpha-beta over whole histories (area, no komi, Black first).

mod common;

use std::collections::HashMap;

use common::{game, options};
use kiebitz_core::{Game, Turn};
use kiebitz_go::{Go, KoRule};

/// The value for Black, exact inside the window, else a bound, in points. The table holds bounds by key of position and
/// history.
fn value(go: &mut Go, mut alpha: i32, mut beta: i32, table: &mut HashMap<u64, (i32, i32)>) -> i32 {
    let Turn::Seat(seat) = go.turn() else { return go.margin() / 4 };
    let key = go.transposition_key();
    let (low, high) = table.get(&key).copied().unwrap_or((-100, 100));
    if low >= beta || low == high {
        return low;
    }
    if high <= alpha {
        return high;
    }
    (alpha, beta) = (alpha.max(low), beta.min(high));
    let (first_alpha, first_beta) = (alpha, beta);
    let mut actions = Vec::new();
    go.actions(&mut actions);
    // The best immediate score first.
    let mut scored: Vec<(i32, kiebitz_go::Move)> = Vec::with_capacity(actions.len());
    for &action in &actions {
        let undo = go.apply_undo(action);
        scored.push((if seat == 0 { -go.margin() } else { go.margin() }, action));
        go.undo(undo);
    }
    scored.sort_by_key(|&(score, action)| (score, !action.is_pass(), action));
    let mut best = if seat == 0 { -100 } else { 100 };
    for &(_, action) in &scored {
        let undo = go.apply_undo(action);
        let found = value(go, alpha, beta, table);
        go.undo(undo);
        if seat == 0 {
            best = best.max(found);
            alpha = alpha.max(best);
        } else {
            best = best.min(found);
            beta = beta.min(best);
        }
        if alpha >= beta {
            break;
        }
    }
    let bounds = match best {
        best if best <= first_alpha => (low, best),
        best if best >= first_beta => (best, high),
        best => (best, best),
    };
    table.insert(key, bounds);
    best
}

/// The value is at least `points`.
fn at_least(go: &mut Go, points: i32) -> bool {
    value(go, points - 1, points, &mut HashMap::new()) >= points
}

fn check(width: usize, height: usize, ko: KoRule, suicide: bool, expected: i32) {
    let mut go = game(&options(width, height, ko, suicide));
    assert!(at_least(&mut go, expected), "{width}x{height} {ko:?} suicide {suicide}");
    assert!(!at_least(&mut go, expected + 1), "{width}x{height} {ko:?} suicide {suicide}");
}

#[test]
fn rows_of_one_to_four_points() {
    for ko in [KoRule::Positional, KoRule::Situational] {
        for suicide in [false, true] {
            for (points, expected) in [(1, 0), (2, 0), (3, 3), (4, 4)] {
                check(points, 1, ko, suicide, expected);
                check(1, points, ko, suicide, expected);
            }
        }
    }
}

#[test]
fn two_by_two_under_positional_superko() {
    check(2, 2, KoRule::Positional, false, 1);
    check(2, 2, KoRule::Positional, true, 1);
}
