//! Max^n and paranoid search against plain references.

mod synthetic;

use kiebitz_core::{Budget, Game, Rng, Uniform};
use kiebitz_examples::TicTacToe;
use kiebitz_search::{AlphaBeta, AlphaBetaConfig, MaxN, MaxNConfig, Paranoid, SearchError, StopReason, Window};
use synthetic::*;

fn maxn(depth: u32) -> MaxNConfig {
    MaxNConfig { depth: Some(depth), ..MaxNConfig::default() }
}

#[test]
fn maxn_equals_the_reference() {
    for seed in 0..100 {
        for players in [2, 3, 4] {
            let levels = if seed % 2 == 0 { 1000 } else { 3 };
            let game = Tree::with(players, Shape { seed, levels, constant_sum: seed % 4 < 2, ..Shape::default() });
            let knowledge = TreeKnowledge { prunes: seed % 3 == 0, ..TreeKnowledge::default() };
            for depth in [1, 2, 3, 5, 7] {
                let expected = reference(&game, depth, &Plain(knowledge), 0, Objective::Own);
                let report = run(&mut MaxN::new(maxn(depth), knowledge), &game, UNLIMITED);
                // All seats' values, ties included.
                assert_eq!(report.rows[0].utility, expected, "seed {seed} players {players} depth {depth}");
            }
        }
    }
}

#[test]
fn two_players_zero_sum_all_agree() {
    let mut rng = Rng::new(3);
    let start = TicTacToe::new(2, &(), None).unwrap();
    for _ in 0..100 {
        let game = random_state(&start, &mut rng, 8);
        if game.key().count_ones() < 3 {
            continue;
        }
        let expected = reference(&game, 9, &Blank, 0, Objective::Own).of(game.turn().seat().unwrap());
        let config = AlphaBetaConfig { depth: Some(9), ..AlphaBetaConfig::default() };
        assert_eq!(best_value(&run(&mut MaxN::new(maxn(9), Uniform), &game, UNLIMITED)), expected);
        let report = run(&mut Paranoid::new(config, Uniform), &game, UNLIMITED);
        assert_eq!((best_value(&report), report.rows[0].proven), (expected, true));
    }
    for seed in 0..50 {
        let game = Tree::with(2, Shape { seed, ..Shape::default() });
        for depth in 1..=5 {
            let config = AlphaBetaConfig { depth: Some(depth), ..AlphaBetaConfig::default() };
            let expected = best_value(&run(&mut AlphaBeta::new(config, Uniform), &game, UNLIMITED));
            assert!(close(best_value(&run(&mut MaxN::new(maxn(depth), Uniform), &game, UNLIMITED)), expected));
            assert!(close(best_value(&run(&mut Paranoid::new(config, Uniform), &game, UNLIMITED)), expected));
        }
    }
}

#[test]
fn paranoid_equals_the_reference() {
    for seed in 0..60 {
        for players in [3, 4] {
            let levels = if seed % 2 == 0 { 1000 } else { 3 };
            let game = Tree::with(players, Shape { seed, levels, constant_sum: false, ..Shape::default() });
            let seat = game.turn().seat().unwrap();
            for depth in [1, 2, 4, 7] {
                let expected = reference(&game, depth, &Blank, 0, Objective::Against(seat)).of(seat);
                for (tt, ordering, window) in [
                    (0, false, Window::Full),
                    (1, true, Window::Full),
                    (0, true, Window::Null),
                    (1, true, Window::Aspiration),
                ] {
                    let depth = Some(depth);
                    let config = AlphaBetaConfig { depth, tt, ordering, window, ..AlphaBetaConfig::default() };
                    let report = run(&mut Paranoid::new(config, Uniform), &game, UNLIMITED);
                    assert!(close(best_value(&report), expected), "seed {seed} {players} {config:?}");
                    assert_eq!(report.rows[0].utility.players(), players);
                }
            }
        }
    }
}

#[test]
fn paranoid_needs_fewer_nodes_than_maxn() {
    let (mut all, mut pruned) = (0, 0);
    for seed in 0..20 {
        let game = Tree::with(3, Shape { seed, branching: 6, ..Shape::default() });
        all += run(&mut MaxN::new(maxn(7), Uniform), &game, UNLIMITED).visits;
        let config = AlphaBetaConfig { depth: Some(7), tt: 0, ..AlphaBetaConfig::default() };
        pruned += run(&mut Paranoid::new(config, Uniform), &game, UNLIMITED).visits;
    }
    assert!(pruned < all, "{pruned} of {all}");
}

#[test]
fn budgets_and_refusals() {
    let game = Tree::with(3, Shape { length: 30, ..Shape::default() });
    for visits in [0, 1, 2, 50, 3000] {
        let report = run(&mut MaxN::new(MaxNConfig::default(), Uniform), &game, Budget::visits(visits));
        assert_eq!(report.stop, StopReason::Visits);
        assert!(report.visits <= visits.max(1));
        let report = run(&mut Paranoid::new(AlphaBetaConfig::default(), Uniform), &game, Budget::visits(visits));
        assert!(report.visits <= visits.max(1));
    }
    // An unfinished iteration of max^n does not count.
    let whole = run(&mut MaxN::new(maxn(3), Uniform), &game, UNLIMITED);
    let budget = Budget::visits(whole.visits + 3);
    let cut = run(&mut MaxN::new(MaxNConfig::default(), Uniform), &game, budget);
    assert_eq!((cut.depth, cut.rows[0].utility), (3, whole.rows[0].utility));
    let chance = Tree::with(3, Shape { chance: true, ..Shape::default() });
    let budget = Budget::visits(10);
    for refused in [
        try_run(&mut MaxN::new(MaxNConfig::default(), Uniform), &chance, budget, 0),
        try_run(&mut Paranoid::new(AlphaBetaConfig::default(), Uniform), &chance, budget, 0),
    ] {
        assert!(matches!(refused, Err(SearchError::Unsuitable { reason, .. }) if reason.contains("expectimax")));
    }
    let leaves = MaxNConfig { chance_leaves: true, ..MaxNConfig::default() };
    run(&mut MaxN::new(leaves, Uniform), &chance, budget);
    assert_eq!(try_run(&mut MaxN::new(leaves, Uniform), &chance, UNLIMITED, 0).unwrap_err(), SearchError::NoBudget);
}
