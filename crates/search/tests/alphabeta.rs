//! Alpha-beta against plain minimax.

mod synthetic;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_core::{Budget, Game, Notation, Rng, Seen, Turn, Uniform};
use kiebitz_examples::{Countdown, Kuhn, TicTacToe};
use kiebitz_search::{AlphaBeta, AlphaBetaConfig, Context, Search, SearchError, StopReason, Window};
use synthetic::*;

/// Every combination of the settings that must not change a value.
fn variants() -> Vec<AlphaBetaConfig> {
    let mut all = Vec::new();
    for window in [Window::Full, Window::Null, Window::Aspiration] {
        for tt in [0, 1] {
            for ordering in [false, true] {
                for all_rows in [false, true] {
                    all.push(AlphaBetaConfig { window, tt, ordering, all_rows, ..AlphaBetaConfig::default() });
                }
            }
        }
    }
    all
}

/// The value of every root action by plain minimax.
fn action_values<G: Game>(game: &G, depth: u32, leaves: &impl Leaves<G>, extra: u32) -> Vec<(G::Action, f64)> {
    let seat = game.turn().seat().unwrap();
    let mut actions = Vec::new();
    game.actions(&mut actions);
    leaves.prune(game, &mut actions);
    let value = |action| {
        let mut next = game.clone();
        next.apply(action);
        (action, reference(&next, depth - 1, leaves, extra, Objective::Own).of(seat))
    };
    actions.into_iter().map(value).collect()
}

#[test]
fn equals_minimax_on_tictactoe() {
    let mut rng = Rng::new(5);
    let start = TicTacToe::new(2, &(), None).unwrap();
    for _ in 0..150 {
        // At least two moves are made; the reference on the empty board is slow.
        let game = random_state(&start, &mut rng, 8);
        if game.key().count_ones() < 2 {
            continue;
        }
        let expected = reference(&game, 9, &Blank, 0, Objective::Own).of(game.turn().seat().unwrap());
        let values = action_values(&game, 9, &Blank, 0);
        for config in variants() {
            let mut search = AlphaBeta::new(AlphaBetaConfig { depth: Some(9), ..config }, Uniform);
            let report = run(&mut search, &game, UNLIMITED);
            assert_eq!(best_value(&report), expected, "{game:?} {config:?}");
            assert!(report.rows[0].proven);
            assert_eq!(report.stop, StopReason::Complete);
            let best = values.iter().find(|v| v.0 == report.best()).unwrap();
            assert_eq!(best.1, expected, "{game:?} {config:?}");
        }
    }
}

#[test]
fn tictactoe_is_a_draw() {
    let start = TicTacToe::new(2, &(), None).unwrap();
    let mut search = AlphaBeta::new(AlphaBetaConfig::default(), Uniform);
    let report = run(&mut search, &start, Budget::visits(1_000_000));
    assert_eq!(best_value(&report), 0.5);
    assert_eq!((report.stop, report.depth, report.rows[0].proven), (StopReason::Complete, 9, true));
    assert_eq!(report.rows.len(), 9);
    assert!(report.visits < 50_000, "{}", report.visits);
    // Two perfect players follow the line; it ends in a draw.
    let mut game = start;
    for &action in &report.rows[0].pv {
        game.try_apply(action).unwrap();
    }
    assert_eq!(game.returns().of(0), 0.0);
}

#[test]
fn equals_minimax_on_random_trees_at_every_depth() {
    for seed in 0..60 {
        for (levels, players_value) in [(1000, false), (3, true)] {
            let shape = Shape { seed, levels, length: 8, ..Shape::default() };
            let game = Tree::with(2, shape);
            let knowledge = TreeKnowledge { restless: seed % 2 == 1, prunes: seed % 3 == 0, orders: players_value };
            let extra = (seed % 4) as u32;
            for depth in [1, 2, 3, 4, 5, 8] {
                let seat = game.turn().seat().unwrap();
                let expected = reference(&game, depth, &Plain(knowledge), extra, Objective::Own).of(seat);
                let values = action_values(&game, depth, &Plain(knowledge), extra);
                for config in variants() {
                    let config = AlphaBetaConfig { depth: Some(depth), extend: extra, ..config };
                    let report = run(&mut AlphaBeta::new(config, knowledge), &game, UNLIMITED);
                    assert!(close(best_value(&report), expected), "seed {seed} depth {depth} {config:?}");
                    for row in &report.rows {
                        // After a certain win the search looks at no other action at this depth.
                        if best_value(&report) >= 1.0 && !config.all_rows && row != &report.rows[0] {
                            continue;
                        }
                        let true_value = values.iter().find(|v| v.0 == row.action).unwrap().1;
                        if row.utility_error.of(0) == 0.0 {
                            assert!(close(row.utility.of(seat), true_value), "seed {seed} depth {depth} {config:?}");
                        } else {
                            assert!(row.utility.of(seat) >= true_value - 1e-9, "an upper bound");
                            assert!(!config.all_rows);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a6_depth_parity() {
    // Depth 1 is the best one-step evaluation; the sign is right at odd and even depths, and when a seat moves twice.
    for seed in 0..200 {
        let game = Tree::with(2, Shape { seed, branching: 6, ..Shape::default() });
        let knowledge = TreeKnowledge::default();
        for depth in 1..=4 {
            let values = action_values(&game, depth, &Plain(knowledge), 0);
            let best = values.iter().map(|v| v.1).fold(f64::MIN, f64::max);
            let config = AlphaBetaConfig { depth: Some(depth), ..AlphaBetaConfig::default() };
            let report = run(&mut AlphaBeta::new(config, knowledge), &game, UNLIMITED);
            let chosen = values.iter().find(|v| v.0 == report.best()).unwrap().1;
            assert!(close(chosen, best), "seed {seed} depth {depth}");
            assert!(close(best_value(&report), best));
        }
    }
}

#[test]
fn a7_end_of_the_game() {
    // One action is left: every depth gives the value of the finished game.
    let mut game = TicTacToe::new(2, &(), None).unwrap();
    for square in [0, 1, 2, 4, 3, 5, 7, 6] {
        game.apply(square);
    }
    for depth in [None, Some(1), Some(2), Some(7)] {
        let config = AlphaBetaConfig { depth, ..AlphaBetaConfig::default() };
        let report = run(&mut AlphaBeta::new(config, Uniform), &game, Budget::visits(100));
        assert_eq!((report.best(), best_value(&report), report.rows[0].proven), (8, 0.5, true));
        assert_eq!(report.stop, StopReason::Complete);
    }
    game.apply(8);
    let error = try_run(&mut AlphaBeta::new(AlphaBetaConfig::default(), Uniform), &game, Budget::visits(9), 0);
    assert_eq!(error.unwrap_err(), SearchError::NotAPlayersTurn);
}

#[test]
fn certain_win_is_taken_and_proven() {
    let mut game = TicTacToe::new(2, &(), None).unwrap();
    for square in [0, 3, 1, 4] {
        game.apply(square);
    }
    for config in variants() {
        let report = run(&mut AlphaBeta::new(config, Uniform), &game, Budget::visits(100_000));
        assert_eq!((best_value(&report), report.rows[0].proven), (1.0, true), "{config:?}");
        assert!(report.depth == 1 || config.all_rows, "an immediate win needs no second iteration, {config:?}");
        assert_eq!(report.best(), 2);
    }
}

#[test]
fn proven_only_when_nothing_was_cut() {
    let game = Tree::with(2, Shape { seed: 3, length: 6, ..Shape::default() });
    let search = |depth, prunes| {
        let config = AlphaBetaConfig { depth: Some(depth), ..AlphaBetaConfig::default() };
        let knowledge = TreeKnowledge { prunes, ..TreeKnowledge::default() };
        run(&mut AlphaBeta::new(config, knowledge), &game, UNLIMITED).rows[0].proven
    };
    assert!(!search(2, false));
    assert!(search(6, false));
    assert!(!search(6, true), "a pruner proves nothing");
}

#[test]
fn ordering_and_table_save_nodes() {
    let nodes = |config: AlphaBetaConfig, orders: bool| -> u64 {
        let visit = |seed| {
            let game = Tree::with(2, Shape { seed, branching: 6, length: 7, ..Shape::default() });
            let config = AlphaBetaConfig { depth: Some(7), ..config };
            run(&mut AlphaBeta::new(config, TreeKnowledge { orders, ..TreeKnowledge::default() }), &game, UNLIMITED)
                .visits
        };
        (0..40).map(visit).sum()
    };
    let plain = AlphaBetaConfig { ordering: false, tt: 0, window: Window::Full, ..AlphaBetaConfig::default() };
    let base = nodes(plain, false);
    let ordered = nodes(AlphaBetaConfig { ordering: true, ..plain }, false);
    let informed = nodes(AlphaBetaConfig { ordering: true, ..plain }, true);
    let table = nodes(AlphaBetaConfig { ordering: true, tt: 1, ..plain }, false);
    assert!(ordered < base, "killers and history: {ordered} of {base}");
    assert!(informed < ordered, "the game's order: {informed} of {ordered}");
    assert!(4 * table < 3 * ordered, "transpositions: {table} of {ordered}");
}

#[test]
fn budgets_are_kept() {
    let game = Tree::with(2, Shape { length: 30, ..Shape::default() });
    for visits in [0, 1, 2, 3, 7, 20, 1000, 12345] {
        for config in variants() {
            let report = run(&mut AlphaBeta::new(config, TreeKnowledge::default()), &game, Budget::visits(visits));
            assert!(report.visits <= visits.max(1), "{} of {visits}", report.visits);
            assert_eq!(report.stop, StopReason::Visits);
            let in_rows: u64 = report.rows.iter().map(|r| r.visits).sum();
            assert!(in_rows <= report.visits && (visits > 3 || report.rows.len() as u64 <= visits.max(1)));
        }
    }
    // With a table that is too small nothing breaks.
    let game = Tree::with(2, Shape { length: 30, drift: true, branching: 8, ..Shape::default() });
    let config = AlphaBetaConfig { tt: 1, ..AlphaBetaConfig::default() };
    let report = run(&mut AlphaBeta::new(config, TreeKnowledge::default()), &game, Budget::visits(200_000));
    assert!(report.bytes <= 1 << 20 && report.nodes > 1000, "{} {}", report.bytes, report.nodes);
}

#[test]
fn same_seed_same_report() {
    let game = Tree::with(2, Shape { length: 30, ..Shape::default() });
    let mut search = AlphaBeta::new(AlphaBetaConfig::default(), TreeKnowledge::default());
    let first = run(&mut search, &game, Budget::visits(5000));
    // Also when the search has run before: the table of another run is not used.
    run(&mut search, &Tree::with(2, Shape { seed: 1, length: 30, ..Shape::default() }), Budget::visits(5000));
    let again = run(&mut search, &game, Budget::visits(5000));
    assert_eq!(Report { bytes: 0, ..first }, Report { bytes: 0, ..again });
}
use kiebitz_search::Report;

#[test]
fn time_and_stop() {
    let game = Tree::with(2, Shape { length: 30, ..Shape::default() });
    let seen = Seen::new(&game, 0, &(), &mut Rng::new(0));
    let mut search = AlphaBeta::new(AlphaBetaConfig::default(), TreeKnowledge::default());
    let (clock, stop) = (TickingClock::default(), AtomicBool::new(false));
    let report = search.run(&seen, &Context::new(Budget::time(Duration::from_millis(50)), &clock, &stop, 0)).unwrap();
    assert_eq!(report.stop, StopReason::Time);
    assert!(report.visits < 2000 && report.depth > 1);
    // Told to stop before it starts, it still finds an action.
    let stop = AtomicBool::new(true);
    let report = search.run(&seen, &Context::new(Budget::time(Duration::from_secs(9)), &clock, &stop, 0)).unwrap();
    assert_eq!((report.stop, report.visits, report.rows.len()), (StopReason::Stopped, 1, 1));
    // Even where the first action would take long.
    let restless = TreeKnowledge { restless: true, ..TreeKnowledge::default() };
    let mut long = AlphaBeta::new(AlphaBetaConfig { extend: 64, tt: 0, ..AlphaBetaConfig::default() }, restless);
    let report = long.run(&seen, &Context::new(Budget::visits(100), &clock, &stop, 0)).unwrap();
    assert_eq!((report.stop, report.visits, report.rows.len()), (StopReason::Stopped, 1, 1));
    // Told so in a progress report, it stops at the next node.
    let stop = AtomicBool::new(false);
    let seen_visits = std::sync::Mutex::new(0);
    let progress = |report: &Report<Tree>| {
        assert!(!report.rows.is_empty());
        if report.depth >= 4 {
            *seen_visits.lock().unwrap() = report.visits;
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let mut context = Context::new(Budget::visits(1_000_000), &clock, &stop, 0);
    context.progress = Some(&progress);
    context.progress_every = Duration::ZERO;
    let report = search.run(&seen, &context).unwrap();
    assert_eq!((report.stop, report.depth), (StopReason::Stopped, 4));
    assert_eq!(report.visits, *seen_visits.lock().unwrap());
}

#[test]
fn interrupted_iteration_keeps_the_best_so_far() {
    // Whatever the budget, the value is that of some search of the reported depth or one deeper for the action chosen.
    for seed in 0..30 {
        let game = Tree::with(2, Shape { seed, length: 9, branching: 5, ..Shape::default() });
        for visits in (1..400).step_by(7) {
            for window in [Window::Full, Window::Aspiration] {
                let config = AlphaBetaConfig { window, ..AlphaBetaConfig::default() };
                let knowledge = TreeKnowledge::default();
                let report = run(&mut AlphaBeta::new(config, knowledge), &game, Budget::visits(visits));
                let row = &report.rows[0];
                if row.utility_error.of(0) == 0.0 {
                    let candidates = [report.depth, report.depth + 1].into_iter().filter(|&d| d > 0);
                    let found = candidates
                        .flat_map(|d| action_values(&game, d, &Plain(knowledge), 0))
                        .any(|v| v.0 == row.action && close(v.1, row.utility.of(report.seat)));
                    assert!(found, "seed {seed} visits {visits} {window:?}");
                }
            }
        }
    }
}

#[test]
fn refuses_what_it_cannot_play() {
    let mut search = AlphaBeta::new(AlphaBetaConfig::default(), Uniform);
    let game = TicTacToe::new(2, &(), None).unwrap();
    assert_eq!(try_run(&mut search, &game, UNLIMITED, 0).unwrap_err(), SearchError::NoBudget);
    let reason = |result: Result<_, SearchError>| match result {
        Err(SearchError::Unsuitable { algorithm: "alphabeta", reason }) => reason,
        _ => panic!("not refused"),
    };
    let budget = Budget::visits(10);
    let tree = |players, shape| Tree::with(players, shape);
    let mut search = AlphaBeta::new(AlphaBetaConfig::default(), Uniform);
    assert!(reason(try_run(&mut search, &tree(3, Shape::default()), budget, 0).map(drop)).contains("two players"));
    let chance = tree(2, Shape { chance: true, ..Shape::default() });
    assert!(reason(try_run(&mut search, &chance, budget, 0).map(drop)).contains("expectimax"));
    let mut kuhn = Kuhn::new(2, &(), None).unwrap();
    let mut deals = Vec::new();
    kuhn.actions(&mut deals);
    kuhn.apply(deals[0]);
    let mut search = AlphaBeta::new(AlphaBetaConfig { chance_leaves: true, ..AlphaBetaConfig::default() }, Uniform);
    assert!(reason(try_run(&mut search, &kuhn, budget, 0).map(drop)).contains("hides"));
}

#[test]
fn searches_a_drawn_world_of_a_hidden_game() {
    // With both cards known, the higher card bets or checks for the most and the lower one loses the least.
    let mut kuhn = Kuhn::new(2, &(), None).unwrap();
    let deal = kuhn.parse_action("deal 1,3").unwrap();
    kuhn.apply(deal);
    let config = AlphaBetaConfig { chance_leaves: true, depth: Some(9), ..AlphaBetaConfig::default() };
    let (clock, stop) = (kiebitz_core::ManualClock::new(), AtomicBool::new(false));
    let report =
        AlphaBeta::new(config, Uniform).search_state(&kuhn, &Context::new(UNLIMITED, &clock, &stop, 0)).unwrap();
    assert_eq!((kuhn.action_text(report.best()).as_str(), best_value(&report)), ("pass", 0.25));
    assert!(report.rows[0].proven);
}

#[test]
fn chance_nodes_as_leaves() {
    let game = Countdown::new(2, &Default::default(), None).unwrap();
    let config = AlphaBetaConfig { chance_leaves: true, depth: Some(5), ..AlphaBetaConfig::default() };
    let report = run(&mut AlphaBeta::new(config, Uniform), &game, UNLIMITED);
    assert_eq!((best_value(&report), report.rows[0].proven), (0.5, false));
    assert!(matches!(game.turn(), Turn::Seat(0)));
}
