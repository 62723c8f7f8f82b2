//! Numbers of lines from the empty board, found by the referee and by a second engine.

mod common;

use common::naive::Naive;
use common::{game, options};
use kiebitz_core::Game;
use kiebitz_go::{Go, KoRule};

fn perft(go: &mut Go, depth: usize, buffers: &mut [Vec<kiebitz_go::Move>]) -> u64 {
    if depth == 0 {
        return 1;
    }
    if go.turn().is_terminal() {
        return 0;
    }
    let (actions, rest) = buffers.split_first_mut().unwrap();
    go.actions(actions);
    let mut lines = 0;
    for &action in actions.iter() {
        let undo = go.apply_undo(action);
        lines += perft(go, depth - 1, rest);
        go.undo(undo);
    }
    lines
}

/// Checks the listed counts and, by both engines, `further` depths more, whose values are returned.
fn check(width: usize, height: usize, ko: KoRule, suicide: bool, listed: &[u64], further: usize) -> Vec<u64> {
    let mut go = game(&options(width, height, ko, suicide));
    let start = go.clone();
    let naive = Naive::new(width, height, ko, suicide);
    let depths = listed.len() + further;
    let mut buffers = vec![Vec::new(); depths];
    let counts: Vec<u64> = (1..=depths).map(|depth| perft(&mut go, depth, &mut buffers)).collect();
    assert_eq!(go, start);
    assert_eq!(counts[..listed.len()], *listed, "{width}x{height} {ko:?} suicide {suicide}");
    let second: Vec<u64> = (1..=depths).map(|depth| naive.perft(depth)).collect();
    assert_eq!(counts, second, "{width}x{height} {ko:?} suicide {suicide}: two engines");
    counts[listed.len()..].to_vec()
}

#[test]
fn two_by_two() {
    let positional = [5, 21, 68, 156, 316, 604, 1088, 2184];
    check(2, 2, KoRule::Positional, false, &positional, 2);
    check(2, 2, KoRule::Positional, true, &positional, 2);
    check(2, 2, KoRule::Situational, true, &[5, 21, 68, 156, 316, 604, 1184, 2672], 2);
    check(2, 2, KoRule::Simple, false, &[5, 21, 68, 156, 316, 604, 1168], 2);
}

#[test]
fn two_by_three() {
    check(2, 3, KoRule::Positional, false, &[7, 43, 222, 934, 3242, 8666], 2);
    check(2, 3, KoRule::Positional, true, &[7, 43, 222, 942, 3378, 9834], 2);
    // Columns and rows change nothing.
    check(3, 2, KoRule::Positional, false, &[7, 43, 222, 934, 3242, 8666], 1);
}

#[test]
fn three_by_three() {
    let listed = [10, 91, 738, 5281, 33384];
    for ko in [KoRule::Positional, KoRule::Situational, KoRule::Simple] {
        check(3, 3, ko, false, &listed, 1);
    }
    check(3, 3, KoRule::Positional, true, &listed, 1);
}

#[test]
fn four_by_four() {
    check(4, 4, KoRule::Positional, false, &[17, 273, 4112, 57984], 1);
}

#[test]
fn five_by_five() {
    check(5, 5, KoRule::Positional, false, &[26, 651, 15650], 1);
}

#[test]
fn natural_situational_superko() {
    // No listed values: the two engines against each other.
    check(2, 2, KoRule::Natural, true, &[5, 21, 68], 6);
    check(2, 3, KoRule::Natural, false, &[7, 43], 5);
    check(1, 4, KoRule::Natural, true, &[5], 8);
    check(1, 4, KoRule::Situational, true, &[5], 8);
}
