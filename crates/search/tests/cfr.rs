//! Counterfactual regret minimisation on Kuhn poker, with nothing but the public contract: shows that information keys,
//! listed chance and payoffs are enough, and checks them against the known equilibrium.

use std::collections::BTreeMap;

use kiebitz_core::{Game, Turn};
use kiebitz_examples::{Kuhn, KuhnAction};

/// One information set: what the seat to move regrets and has played, by action.
#[derive(Default)]
struct Node {
    regrets: Vec<f64>,
    weights: Vec<f64>,
}

fn normalised(values: &[f64]) -> Vec<f64> {
    let sum: f64 = values.iter().sum();
    let uniform = 1.0 / values.len() as f64;
    values.iter().map(|v| if sum > 0.0 { v / sum } else { uniform }).collect()
}

/// CFR+ (O. Tammelin, "Solving large imperfect information games using CFR+", 2014): regrets never fall below zero, both seats
/// in turn, and later strategies weigh more.
#[derive(Default)]
struct Cfr {
    nodes: BTreeMap<(u8, u128), Node>,
}

impl Cfr {
    /// The value of `state` for `learner`, whose regrets are updated; `reach` is the chance that all others play to here.
    fn walk<G: Game>(&mut self, state: &G, learner: u8, own: f64, reach: f64, weight: f64) -> f64 {
        let after = |action: G::Action| {
            let mut next = state.clone();
            next.try_apply(action).unwrap();
            next
        };
        let seat = match state.turn() {
            Turn::Terminal => return state.returns().of(learner),
            Turn::Chance(_) => {
                let mut outcomes = Vec::new();
                state.chance_outcomes(&mut outcomes);
                return outcomes
                    .into_iter()
                    .map(|(a, p)| p * self.walk(&after(a), learner, own, reach * p, weight))
                    .sum();
            }
            Turn::Seat(seat) => seat,
        };
        let mut actions = Vec::new();
        state.actions(&mut actions);
        let key = (seat, state.information_key(seat));
        let node = self
            .nodes
            .entry(key)
            .or_insert_with(|| Node { regrets: vec![0.0; actions.len()], weights: vec![0.0; actions.len()] });
        let strategy = normalised(&node.regrets);
        if seat != learner {
            let walk =
                |(action, p): (&G::Action, &f64)| p * self.walk(&after(*action), learner, own, reach * p, weight);
            return actions.iter().zip(&strategy).map(walk).sum();
        }
        let values: Vec<f64> = actions
            .iter()
            .zip(&strategy)
            .map(|(&action, p)| self.walk(&after(action), learner, own * p, reach, weight))
            .collect();
        let value: f64 = values.iter().zip(&strategy).map(|(v, p)| v * p).sum();
        let node = self.nodes.get_mut(&key).unwrap();
        for i in 0..values.len() {
            node.regrets[i] = (node.regrets[i] + reach * (values[i] - value)).max(0.0);
            node.weights[i] += weight * own * strategy[i];
        }
        value
    }

    fn solve<G: Game>(start: &G, iterations: u32) -> Self {
        let mut cfr = Cfr::default();
        for t in 1..=iterations {
            for learner in 0..start.meta().players {
                cfr.walk(start, learner, 1.0, 1.0, f64::from(t));
            }
        }
        cfr
    }

    /// The average strategy of the seat to move.
    fn average<G: Game>(&self, state: &G) -> Vec<f64> {
        let seat = state.turn().seat().unwrap();
        normalised(&self.nodes[&(seat, state.information_key(seat))].weights)
    }

    /// The value of `state` for seat 0 when all play their average strategies.
    fn value<G: Game>(&self, state: &G) -> f64 {
        let mut outcomes = Vec::new();
        match state.turn() {
            Turn::Terminal => return state.returns().of(0),
            Turn::Chance(_) => state.chance_outcomes(&mut outcomes),
            Turn::Seat(_) => {
                let mut actions = Vec::new();
                state.actions(&mut actions);
                outcomes.extend(actions.into_iter().zip(self.average(state)));
            }
        }
        let mut total = 0.0;
        for (action, p) in outcomes {
            let mut next = state.clone();
            next.try_apply(action).unwrap();
            total += p * self.value(&next);
        }
        total
    }
}

/// The probability of a bet with this card after this line of passes and bets.
fn bet(cfr: &Cfr, card: u8, line: &[KuhnAction]) -> f64 {
    let mut game = Kuhn::new(2, &(), None).unwrap();
    let other = if card == 1 { 2 } else { 1 };
    let deal = if line.len().is_multiple_of(2) { [card, other, 0, 0] } else { [other, card, 0, 0] };
    game.try_apply(KuhnAction::Deal(deal)).unwrap();
    line.iter().for_each(|&a| game.try_apply(a).unwrap());
    cfr.average(&game)[1]
}

#[test]
fn kuhn_equilibrium() {
    use KuhnAction::{Bet, Pass};
    let start = Kuhn::new(2, &(), None).unwrap();
    let cfr = Cfr::solve(&start, 2000);
    assert_eq!(cfr.nodes.len(), 12);
    let value = cfr.value(&start);
    assert!((value + 1.0 / 18.0).abs() < 1e-3, "{value}");

    // Nobody folds the highest card or calls with the lowest.
    for line in [&[Bet][..], &[Pass, Bet]] {
        assert!(bet(&cfr, 3, line) > 0.999);
        assert!(bet(&cfr, 1, line) < 0.001);
    }
    // The equilibria (Kuhn 1950): with a = the first player's bet with the lowest card, at most 1/3, the highest bets 3a, and
    // the middle calls with a + 1/3; the second player bluffs and calls with 1/3.
    let a = bet(&cfr, 1, &[]);
    assert!((-0.001..=1.0 / 3.0 + 0.01).contains(&a), "{a}");
    for (found, expected) in [
        (bet(&cfr, 3, &[]), 3.0 * a),
        (bet(&cfr, 2, &[]), 0.0),
        (bet(&cfr, 2, &[Pass, Bet]), a + 1.0 / 3.0),
        (bet(&cfr, 1, &[Pass]), 1.0 / 3.0),
        (bet(&cfr, 2, &[Pass]), 0.0),
        (bet(&cfr, 3, &[Pass]), 1.0),
        (bet(&cfr, 2, &[Bet]), 1.0 / 3.0),
    ] {
        assert!((found - expected).abs() < 0.03, "{found} for {expected} (a = {a})");
    }
}
