//! Expectimax against plain enumeration.

mod synthetic;

use kiebitz_core::{Budget, Game, Notation, Rng, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, DiceAction, Kuhn};
use kiebitz_search::{Expectimax, ExpectimaxConfig, SearchError, StopReason, Window};
use synthetic::*;

fn variants() -> Vec<ExpectimaxConfig> {
    let mut all = Vec::new();
    for star in [0, 1, 2] {
        for tt in [0, 1] {
            for ordering in [false, true] {
                for window in [Window::Full, Window::Null, Window::Aspiration] {
                    all.push(ExpectimaxConfig { star, tt, ordering, window, ..ExpectimaxConfig::default() });
                }
            }
        }
    }
    all
}

#[test]
fn countdown_is_solved() {
    for (start, faces) in [(3, 2), (8, 3), (9, 6), (12, 6)] {
        let game = Countdown::new(2, &CountdownOptions { start, faces }, None).unwrap();
        let expected = reference(&game, 60, &Blank, 0, Objective::Own).of(0);
        // Without a table the largest takes too long.
        for config in variants().into_iter().filter(|config| start < 12 || config.tt > 0) {
            let config = ExpectimaxConfig { depth: Some(start.into()), ..config };
            let report = run(&mut Expectimax::new(config, Uniform), &game, UNLIMITED);
            assert!(close(best_value(&report), expected), "{start} {faces} {config:?}");
            assert!(report.rows[0].proven);
            assert_eq!(report.stop, StopReason::Complete);
        }
    }
}

#[test]
fn countdown_decisions_by_hand() {
    // At 2 of two-faced dice: two dice show 2 with 1/4, else overshoot: 2/4 - 3/4. One die: 2 with 1/2; 1 with 1/2 leaves the
    // opponent at 1, worth 1/2 to them (2/2 - 1/2): 2/2 - 1/4. So one die, worth 0.75 points.
    let game = Countdown::new(2, &CountdownOptions { start: 2, faces: 2 }, None).unwrap();
    let config = ExpectimaxConfig { depth: Some(4), ..ExpectimaxConfig::default() };
    let report = run(&mut Expectimax::new(config, Uniform), &game, UNLIMITED);
    assert_eq!(report.best(), DiceAction::One);
    assert!(close(best_value(&report), 0.5 + 0.75 / 4.0));
}

#[test]
fn equals_enumeration_on_random_trees() {
    for seed in 0..24 {
        let levels = [1000, 2, 3][seed as usize % 3];
        let game = Tree::with(2, Shape { seed, levels, chance: true, length: 7, ..Shape::default() });
        let knowledge = TreeKnowledge { prunes: seed % 2 == 0, orders: seed % 5 == 0, restless: false };
        let seat = game.turn().seat().unwrap();
        for depth in [1, 2, 3, 7] {
            let expected = reference(&game, depth, &Plain(knowledge), 0, Objective::Own).of(seat);
            for config in variants() {
                let config = ExpectimaxConfig { depth: Some(depth), ..config };
                let report = run(&mut Expectimax::new(config, knowledge), &game, UNLIMITED);
                let found = best_value(&report);
                assert!(close(found, expected), "seed {seed} depth {depth} {config:?}: {found} for {expected}");
                let mut next = game.clone();
                next.apply(report.best());
                let chosen = reference(&next, depth - 1, &Plain(knowledge), 0, Objective::Own).of(seat);
                assert!(close(chosen, expected), "seed {seed} depth {depth} {config:?}");
            }
        }
    }
}

#[test]
fn depth_one_is_the_exact_mean() {
    // The leaves lie after the draw that follows the action (CA-17).
    let mut rng = Rng::new(8);
    let start = Tree::with(2, Shape { seed: 12, chance: true, ..Shape::default() });
    for _ in 0..50 {
        let game = random_state(&start, &mut rng, 4);
        let config = ExpectimaxConfig { depth: Some(1), window: Window::Full, star: 0, ..ExpectimaxConfig::default() };
        let report = run(&mut Expectimax::new(config, TreeKnowledge::default()), &game, UNLIMITED);
        for row in report.rows.iter().filter(|r| r.utility_error.of(0) == 0.0) {
            let mut next = game.clone();
            next.apply(row.action);
            let mean = reference(&next, 0, &Plain(TreeKnowledge::default()), 0, Objective::Own);
            assert!(close(row.utility.of(report.seat), mean.of(report.seat)));
        }
    }
}

#[test]
fn star_saves_nodes() {
    let nodes = |star| -> u64 {
        let visit = |seed| {
            let shape = Shape { seed, branching: 20, length: 5, chance: true, drift: true, ..Shape::default() };
            let game = Tree::with(2, shape);
            let config = ExpectimaxConfig { star, depth: Some(5), ..ExpectimaxConfig::default() };
            let knowledge = TreeKnowledge { orders: true, ..TreeKnowledge::default() };
            run(&mut Expectimax::new(config, knowledge), &game, UNLIMITED).visits
        };
        (0..10).map(visit).sum()
    };
    let (none, star1, star2) = (nodes(0), nodes(1), nodes(2));
    assert!(star1 < none && star2 < star1, "{none} {star1} {star2}");
}

#[test]
fn more_players_average_max_n() {
    for seed in 0..40 {
        for (players, constant_sum) in [(3, true), (4, false), (2, false)] {
            let shape = Shape { seed, chance: true, length: 6, constant_sum, ..Shape::default() };
            let game = Tree::with(players, shape);
            let seat = game.turn().seat().unwrap();
            for depth in [1, 3, 6] {
                let expected = reference(&game, depth, &Blank, 0, Objective::Own);
                let config = ExpectimaxConfig { depth: Some(depth), ..ExpectimaxConfig::default() };
                let report = run(&mut Expectimax::new(config, Uniform), &game, UNLIMITED);
                assert!(close(report.rows[0].utility.of(seat), expected.of(seat)));
                assert!(report.rows[0].proven || depth < 6);
            }
        }
    }
}

#[test]
fn sampled_chance_needs_samples() {
    let game = Tree::with(2, Shape { seed: 4, chance: true, sampled: true, length: 5, ..Shape::default() });
    let search = |samples, seed| {
        let config = ExpectimaxConfig { depth: Some(5), samples, ..ExpectimaxConfig::default() };
        try_run(&mut Expectimax::new(config, Uniform), &game, UNLIMITED, seed)
    };
    assert!(matches!(search(0, 1), Err(SearchError::Unsuitable { algorithm: "expectimax", .. })));
    let report = search(3, 1).unwrap();
    assert!(!report.rows[0].proven, "a sample proves nothing");
    assert_eq!(report, search(3, 1).unwrap());
    // Many draws come close to the true mean: all outcomes are equally likely here.
    let mean = |seed: u64| best_value(&search(300, seed).unwrap());
    let values: Vec<f64> = (0..5).map(mean).collect();
    assert!(values.iter().all(|v| (v - values[0]).abs() < 0.1), "{values:?}");
}

#[test]
fn budgets_are_kept() {
    let game = Countdown::new(2, &CountdownOptions { start: 60, faces: 6 }, None).unwrap();
    for visits in [0, 1, 30, 1000, 5000] {
        for star in [0, 2] {
            let config = ExpectimaxConfig { star, ..ExpectimaxConfig::default() };
            let report = run(&mut Expectimax::new(config, Uniform), &game, Budget::visits(visits));
            assert_eq!(report.stop, StopReason::Visits);
            // The first action always has a value: at least one evaluation of each outcome.
            assert!(report.visits <= visits.max(12), "{} of {visits}", report.visits);
        }
    }
    let mut kuhn = Kuhn::new(2, &(), None).unwrap();
    let deal = kuhn.parse_action("deal 1,2").unwrap();
    kuhn.apply(deal);
    let refused = try_run(&mut Expectimax::new(ExpectimaxConfig::default(), Uniform), &kuhn, Budget::visits(1), 0);
    assert_eq!(refused.unwrap_err().code(), "search.unsuitable");
}
