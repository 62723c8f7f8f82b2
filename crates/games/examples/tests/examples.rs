//! The example games against their known numbers.

use std::collections::BTreeSet;

use kiebitz_core::{Game, Notation, Rng, Seen, Turn};
use kiebitz_examples::{Countdown, CountdownOptions, DiceAction, Kuhn, KuhnAction, KuhnBelief, TicTacToe};

/// Leaves at `depth`, finished games above it not counted.
fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
        .into_iter()
        .map(|action| {
            let mut next = game.clone();
            let undo = next.apply_undo(action);
            let count = perft(&next, depth - 1);
            next.undo(undo);
            assert_eq!(&next, game);
            count
        })
        .sum()
}

/// Every state reachable from `game`, with every text read back.
fn walk<G: Game>(game: &G, visit: &mut impl FnMut(&G)) {
    visit(game);
    let mut actions = Vec::new();
    game.actions(&mut actions);
    assert!(actions.is_sorted() && actions.iter().collect::<BTreeSet<_>>().len() == actions.len());
    assert_eq!(actions.is_empty(), game.turn().is_terminal());
    for action in actions {
        let mut next = game.clone();
        next.try_apply(action).unwrap();
        walk(&next, visit);
    }
}

#[test]
fn tictactoe_counts() {
    let game = TicTacToe::new(2, &(), None).unwrap();
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&game, depth)).collect();
    assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
    let (mut first, mut second, mut drawn) = (0, 0, 0);
    walk(&game, &mut |g: &TicTacToe| {
        if g.turn().is_terminal() {
            match g.returns().of(0) {
                1.0 => first += 1,
                -1.0 => second += 1,
                _ => drawn += 1,
            }
        }
    });
    assert_eq!((first, second, drawn), (131_184, 77_904, 46_080));
}

#[test]
fn tictactoe_refuses() {
    let mut game = TicTacToe::new(2, &(), None).unwrap();
    assert_eq!(TicTacToe::new(3, &(), None).unwrap_err().code, "tictactoe.players");
    assert_eq!(game.try_apply(9).unwrap_err().code, "tictactoe.square");
    for text in ["b2", "a1", "b1", "a2", "b3"] {
        let action = game.parse_action(text).unwrap();
        assert_eq!(game.action_text(action), text);
        game.try_apply(action).unwrap();
        assert_eq!(
            game.try_apply(action).unwrap_err().code,
            if text == "b3" { "game.over" } else { "tictactoe.occupied" }
        );
    }
    assert_eq!(game.returns().as_slice(), [1.0, -1.0]);
    assert_eq!(game.utility().as_slice(), [1.0, 0.0]);
    for bad in ["d1", "a", "a1 "] {
        assert_eq!(game.parse_action(bad).unwrap_err().code, "tictactoe.text");
    }
}

fn kuhn(players: u8, deal: [u8; 4], line: &str) -> Kuhn {
    let mut game = Kuhn::new(players, &(), None).unwrap();
    game.try_apply(KuhnAction::Deal(deal)).unwrap();
    for c in line.chars() {
        game.try_apply(if c == 'b' { KuhnAction::Bet } else { KuhnAction::Pass }).unwrap();
    }
    game
}

#[test]
fn kuhn_payoffs_two_players() {
    for (line, won, lost) in
        [("pp", 1.0, -1.0), ("pbp", -1.0, -1.0), ("pbb", 2.0, -2.0), ("bp", 1.0, 1.0), ("bb", 2.0, -2.0)]
    {
        for (cards, expected) in [([3, 1, 0, 0], won), ([1, 3, 0, 0], lost)] {
            let game = kuhn(2, cards, line);
            assert_eq!(game.turn(), Turn::Terminal, "{line}");
            assert_eq!(game.returns().as_slice(), [expected, -expected], "{line}");
            assert_eq!(game.utility().of(0), 0.5 + expected / 4.0);
        }
    }
}

#[test]
fn kuhn_payoffs_more_players() {
    assert_eq!(kuhn(3, [2, 4, 1, 0], "pbpb").returns().as_slice(), [-2.0, 3.0, -1.0]);
    assert_eq!(kuhn(3, [2, 4, 1, 0], "pbbp").returns().as_slice(), [-1.0, 3.0, -2.0]);
    assert_eq!(kuhn(4, [5, 4, 1, 2], "pppbpbp").returns().as_slice(), [-1.0, 4.0, -1.0, -2.0]);
    for players in 2..=4 {
        let mut deals = 0;
        let mut information: BTreeSet<(u8, u128)> = BTreeSet::new();
        walk(&Kuhn::new(players, &(), None).unwrap(), &mut |g: &Kuhn| match g.turn() {
            Turn::Terminal => {
                assert_eq!(g.returns().as_slice().iter().sum::<f64>(), 0.0);
                assert!(g.utility().as_slice().iter().all(|u| (0.0..=1.0).contains(u)));
            }
            Turn::Seat(seat) => {
                information.insert((seat, g.information_key(seat)));
                deals += u32::from(g.history().count() == 0);
            }
            Turn::Chance(_) => {}
        });
        let expected = [(6, 12), (24, 48), (120, 160)][usize::from(players) - 2];
        assert_eq!((deals, information.len()), expected, "{players} players");
    }
}

#[test]
fn kuhn_refuses() {
    assert_eq!(Kuhn::new(5, &(), None).unwrap_err().code, "kuhn.players");
    let mut game = Kuhn::new(2, &(), None).unwrap();
    for deal in [[1, 1, 0, 0], [1, 0, 0, 0], [1, 4, 0, 0], [1, 2, 3, 0]] {
        assert_eq!(game.try_apply(KuhnAction::Deal(deal)).unwrap_err().code, "kuhn.deal");
    }
    assert_eq!(game.try_apply(KuhnAction::Bet).unwrap_err().code, "kuhn.deal");
    game.try_apply(KuhnAction::Deal([1, 2, 0, 0])).unwrap();
    assert_eq!(game.try_apply(KuhnAction::Deal([1, 2, 0, 0])).unwrap_err().code, "kuhn.dealt");
    assert_eq!(kuhn(2, [1, 2, 0, 0], "pp").try_apply(KuhnAction::Pass).unwrap_err().code, "game.over");
}

#[test]
fn kuhn_texts() {
    let game = Kuhn::new(3, &(), None).unwrap();
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions.extend([KuhnAction::Pass, KuhnAction::Bet, KuhnAction::Deal([0, 4, 0, 0])]);
    for action in actions {
        assert_eq!(game.parse_action(&game.action_text(action)), Ok(action));
    }
    assert_eq!(game.action_text(game.masked(KuhnAction::Deal([2, 4, 1, 0]), 1)), "deal ?,4,?");
    for bad in ["deal 1,2", "deal 1,2,3,4", "deal 1,2,5", "deal 1,2,+3", "deal", "Bet", ""] {
        assert_eq!(game.parse_action(bad).unwrap_err().code, "kuhn.text", "{bad}");
    }
}

#[test]
fn kuhn_hides_cards() {
    // Two deals the first seat cannot tell apart: one information key, and one world for one generator.
    let (a, b) = (kuhn(3, [2, 4, 1, 0], "pb"), kuhn(3, [2, 1, 3, 0], "pb"));
    assert_eq!(a.information_key(0), b.information_key(0));
    assert_ne!(a.information_key(1), b.information_key(1));
    let mut counts = [0; 5];
    for seed in 0..3000 {
        let belief = KuhnBelief::default();
        let x = Seen::new(&a, 0, &belief, &mut Rng::new(seed));
        let y = Seen::new(&b, 0, &belief, &mut Rng::new(seed));
        assert_eq!(x.sample_world(), y.sample_world());
        assert_eq!(x.information_key(), a.information_key(0));
        let other = x.sample_world().card(1).unwrap();
        assert_ne!(Some(other), x.sample_world().card(2));
        counts[usize::from(other)] += 1;
    }
    assert_eq!(counts[2], 0);
    assert!([1, 3, 4].iter().all(|&c: &usize| (850..1150).contains(&counts[c])), "{counts:?}");
    let mut belief = KuhnBelief::default();
    let start = Kuhn::new(3, &(), None).unwrap();
    start.observe(&mut belief, 2, start.masked(KuhnAction::Deal([2, 4, 1, 0]), 2));
    assert_eq!(belief, KuhnBelief { card: Some(1), observed: 1 });
}

/// The first player's value at a count, from nothing but the rules: v(n) for the player to choose, in points.
fn countdown_values(start: usize, faces: usize) -> Vec<f64> {
    let mut v = vec![0.0; start + 1];
    for n in 1..=start {
        let after = |sum: usize| match n.cmp(&sum) {
            std::cmp::Ordering::Greater => -v[n - sum],
            std::cmp::Ordering::Equal => 2.0,
            std::cmp::Ordering::Less => -1.0,
        };
        let one: f64 = (1..=faces).map(after).sum::<f64>() / faces as f64;
        let two: f64 = (1..=faces).flat_map(|a| (1..=faces).map(move |b| a + b)).map(after).sum();
        v[n] = one.max(two / (faces * faces) as f64);
    }
    v
}

fn expectation(game: &Countdown) -> f64 {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let next = |action| {
        let mut next = game.clone();
        next.try_apply(action).unwrap();
        expectation(&next)
    };
    match game.turn() {
        Turn::Terminal => game.returns().of(0),
        Turn::Seat(0) => actions.into_iter().map(next).fold(f64::MIN, f64::max),
        Turn::Seat(_) => actions.into_iter().map(next).fold(f64::MAX, f64::min),
        Turn::Chance(_) => {
            let mut outcomes = Vec::new();
            game.chance_outcomes(&mut outcomes);
            assert!(outcomes.iter().map(|o| o.0).eq(actions), "outcomes are the actions");
            assert!((outcomes.iter().map(|o| o.1).sum::<f64>() - 1.0).abs() < 1e-12);
            outcomes.into_iter().map(|(action, p)| p * next(action)).sum()
        }
    }
}

#[test]
fn countdown_exact_value() {
    for (start, faces) in [(1, 2), (6, 2), (9, 3), (10, 6), (12, 6)] {
        let game = Countdown::new(2, &CountdownOptions { start, faces }, None).unwrap();
        let expected = countdown_values(start.into(), faces.into());
        let found = expectation(&game);
        assert!((found - expected[usize::from(start)]).abs() < 1e-12, "{start} {faces}: {found}");
    }
    // By hand: at 1, one die of two faces shows 1 or 2: 2/2 - 1/2.
    assert_eq!(countdown_values(1, 2)[1], 0.5);
}

#[test]
fn countdown_has_decisions() {
    // Both choices are best somewhere.
    let v = countdown_values(12, 6);
    let one_best = |n: usize| {
        let one: f64 = (1..=6)
            .map(|s| {
                if n > s {
                    -v[n - s]
                } else if n == s {
                    2.0
                } else {
                    -1.0
                }
            })
            .sum::<f64>()
            / 6.0;
        (one - v[n]).abs() < 1e-12
    };
    let best: Vec<bool> = (1..=12).map(one_best).collect();
    assert!(best.contains(&true) && best.contains(&false), "{best:?}");
}

#[test]
fn countdown_refuses_and_reads() {
    for (start, faces, code) in [(0, 6, "countdown.start"), (61, 6, "countdown.start"), (9, 1, "countdown.faces")] {
        assert_eq!(Countdown::new(2, &CountdownOptions { start, faces }, None).unwrap_err().code, code);
    }
    let mut game = Countdown::new(2, &CountdownOptions::default(), None).unwrap();
    assert_eq!(game.try_apply(DiceAction::Roll(3)).unwrap_err().code, "countdown.choose");
    for text in ["two", "roll 12"] {
        let action = game.parse_action(text).unwrap();
        assert_eq!(game.action_text(action), text);
        game.try_apply(action).unwrap();
    }
    assert_eq!((game.turn(), game.count()), (Turn::Terminal, 0));
    assert_eq!(game.returns().as_slice(), [2.0, -2.0]);
    assert_eq!(game.try_apply(DiceAction::One).unwrap_err().code, "game.over");
    for bad in ["roll 13", "roll 0", "roll 07"] {
        assert_eq!(game.parse_action(bad).unwrap_err().code, "countdown.text");
    }
}
