//! The random, greedy and flat players.

mod synthetic;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_core::{Budget, Game, Knowledge, ManualClock, Notation, Payoff, Rng, Seen, Turn, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, DiceAction, Kuhn, TicTacToe};
use kiebitz_search::{
    Allocation, Context, Flat, FlatConfig, Greedy, GreedyConfig, Policy, Random, Report, SearchError, StopReason, ucb1,
};
use synthetic::*;

fn tictactoe(squares: &[u8]) -> TicTacToe {
    let mut game = TicTacToe::new(2, &(), None).unwrap();
    squares.iter().for_each(|&s| game.apply(s));
    game
}

#[test]
fn random_is_uniform() {
    let game = tictactoe(&[4, 0]);
    let mut counts: BTreeMap<u8, f64> = BTreeMap::new();
    let n = 7000;
    for seed in 0..n {
        let report = try_run(&mut Random::default(), &game, UNLIMITED, seed).unwrap();
        assert_eq!(report.rows.len(), 7);
        *counts.entry(report.best()).or_default() += 1.0;
    }
    let expected = n as f64 / 7.0;
    let chi_squared: f64 =
        (0..9).filter(|s| ![0, 4].contains(s)).map(|s| (counts[&s] - expected).powi(2) / expected).sum();
    // The 99.9 % quantile of chi-squared with 6 degrees of freedom is 22.5.
    assert!(chi_squared < 22.5, "{chi_squared} {counts:?}");
}

#[test]
fn random_follows_the_seed() {
    let game = tictactoe(&[]);
    let choose = |seed| try_run(&mut Random::default(), &game, Budget::visits(5), seed).unwrap();
    assert_eq!(choose(3), choose(3));
    assert!((0..20).any(|seed| choose(seed).best() != choose(3).best()));
    let over = tictactoe(&[0, 3, 1, 4, 2]);
    assert_eq!(try_run(&mut Random::default(), &over, UNLIMITED, 0).unwrap_err(), SearchError::NotAPlayersTurn);
}

/// Its policy of playouts is the last square, or by the seed the first.
#[derive(Clone)]
struct Edges;

impl Knowledge<TicTacToe> for Edges {
    type Buffer = ();
    fn pick(&self, _: &TicTacToe, actions: &[u8], rng: &mut Rng) -> usize {
        if rng.chance(0.25) { 0 } else { actions.len() - 1 }
    }
}

#[test]
fn policy_plays_the_policy_of_playouts() {
    let game = tictactoe(&[4, 8]);
    let choose = |seed| try_run(&mut Policy::new(Edges), &game, UNLIMITED, seed).unwrap();
    let first = (0..4_000).filter(|&seed| choose(seed).best() == 0).count() as f64;
    assert!((0..40).all(|seed| choose(seed) == choose(seed) && [0, 7].contains(&choose(seed).best())));
    assert!((first - 1_000.0).abs() < 4.0 * 750f64.sqrt(), "{first}");
    assert_eq!(choose(1).rows.len(), 7);
    let over = tictactoe(&[0, 3, 1, 4, 2]);
    assert_eq!(try_run(&mut Policy::new(Edges), &over, UNLIMITED, 0).unwrap_err(), SearchError::NotAPlayersTurn);
}

/// Likes some squares more than others.
struct Squares(&'static [f64; 9]);

impl Knowledge<TicTacToe> for Squares {
    type Buffer = ();
    fn evaluate(&self, game: &TicTacToe) -> Option<Payoff> {
        let key = game.key();
        let sum = |own: u64| (0..9).filter(|s| own >> s & 1 == 1).map(|s| self.0[s]).sum::<f64>();
        let value = 0.5 + (sum(key >> 9) - sum(key & 511)) / 100.0;
        Some(Payoff::new(&[value, 1.0 - value]))
    }
    fn prior(&self, _: &TicTacToe, actions: &[u8], out: &mut [f32]) {
        let sum: f64 = actions.iter().map(|&a| self.0[usize::from(a)]).sum();
        actions.iter().zip(out).for_each(|(&a, p)| *p = (self.0[usize::from(a)] / sum) as f32);
    }
    fn order(&self, _: &TicTacToe, action: u8) -> i32 {
        -i32::from(action)
    }
}

const TASTE: [f64; 9] = [1.0, 2.0, 9.0, 4.0, 5.0, 3.0, 9.0, 6.0, 7.0];

#[test]
fn greedy_takes_the_best_evaluation() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let report =
            try_run(&mut Greedy::new(GreedyConfig::default(), Squares(&TASTE)), &tictactoe(&[]), UNLIMITED, seed);
        let report = report.unwrap();
        assert!(close(best_value(&report), 0.59));
        assert_eq!((report.rows.len(), report.visits), (9, 9));
        seen.insert(report.best());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [2, 6], "ties are broken by the seed");
    // For the second seat too.
    let report = run(&mut Greedy::new(GreedyConfig::default(), Squares(&TASTE)), &tictactoe(&[2]), UNLIMITED);
    assert_eq!((report.seat, report.best()), (1, 6));
}

#[test]
fn greedy_without_evaluation_sees_the_end() {
    // The winning square, though the evaluation prefers others: a finished game is worth its utility.
    let game = tictactoe(&[0, 3, 1, 4]);
    assert_eq!(run(&mut Greedy::new(GreedyConfig::default(), Uniform), &game, UNLIMITED).best(), 2);
    const NO: [f64; 9] = [9.0, 9.0, 0.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0];
    assert_eq!(run(&mut Greedy::new(GreedyConfig::default(), Squares(&NO)), &game, UNLIMITED).best(), 2);
}

#[test]
fn greedy_averages_chance() {
    // At 5, one die hits with 1/6 and overshoots with 1/6; two dice hit with 4/36 and overshoot with 26/36.
    let game = Countdown::new(2, &CountdownOptions { start: 5, faces: 6 }, None).unwrap();
    let report = run(&mut Greedy::new(GreedyConfig::default(), Uniform), &game, UNLIMITED);
    assert_eq!(report.best(), DiceAction::One);
    let points = |u: f64| (u - 0.5) * 4.0;
    assert!(close(points(report.rows[0].utility.of(0)), (2.0 - 1.0) / 6.0));
    assert!(close(points(report.rows[1].utility.of(0)), (2.0 * 4.0 - 26.0) / 36.0));
    assert_eq!((report.visits, report.rows[1].visits), (17, 11));
    assert_eq!(report.rows[0].utility_error.of(0), 0.0);
}

#[test]
fn greedy_averages_hidden_worlds() {
    // The first player holds the middle of three cards and faces a bet: a call wins 2 or loses 2, equally likely.
    let mut game = Kuhn::new(2, &(), None).unwrap();
    for text in ["deal 2,3", "pass", "bet"] {
        let action = game.parse_action(text).unwrap();
        game.apply(action);
    }
    let report = run(&mut Greedy::new(GreedyConfig { samples: 2000 }, Uniform), &game, UNLIMITED);
    let call = report.rows.iter().find(|r| game.action_text(r.action) == "bet").unwrap();
    let fold = report.rows.iter().find(|r| game.action_text(r.action) == "pass").unwrap();
    assert!((call.utility.of(0) - 0.5).abs() < 4.0 * call.utility_error.of(0));
    assert!((call.utility_error.of(0) - 0.5 / 2000f64.sqrt()).abs() < 1e-4);
    assert_eq!((fold.utility.of(0), fold.utility_error.of(0)), (0.25, 0.0));
}

#[test]
fn greedy_keeps_budgets() {
    let mut game = Kuhn::new(2, &(), None).unwrap();
    let deal = game.parse_action("deal 2,3").unwrap();
    game.apply(deal);
    let report = run(&mut Greedy::new(GreedyConfig::default(), Uniform), &game, Budget::visits(1));
    assert!(report.rows.len() == 1 && report.visits <= 2, "not all of the sixteen worlds");
    for (visits, rows) in [(0, 1), (1, 1), (4, 4), (100, 9)] {
        let report = run(&mut Greedy::new(GreedyConfig::default(), Uniform), &tictactoe(&[]), Budget::visits(visits));
        assert_eq!(report.rows.len(), rows);
        assert_eq!(report.stop, if rows < 9 { StopReason::Visits } else { StopReason::Complete });
    }
}

#[test]
fn ucb1_formula() {
    assert_eq!(ucb1(0.3, 0, 10, 1.0), f64::INFINITY);
    let e = std::f64::consts::E;
    // ln 20 = 2.9957…; 0.25 + 2 * sqrt(2.9957 / 5)
    assert!((ucb1(0.25, 5, 20, 2.0) - 1.798_091).abs() < 1e-6, "{}", ucb1(0.25, 5, 20, 2.0));
    assert_eq!(ucb1(0.25, 5, 20, 0.0), 0.25);
    assert!(ucb1(0.5, 1, 3, 1.0) > 0.5 + (e.ln()).sqrt());
}

fn flat(config: FlatConfig) -> Flat<Uniform> {
    Flat::new(config, Uniform)
}

#[test]
fn flat_finds_a_win() {
    let game = tictactoe(&[0, 3, 1, 4]);
    for policy in [Allocation::Ucb1, Allocation::Uniform] {
        for crn in [false, true] {
            let config = FlatConfig { policy, crn, ..FlatConfig::default() };
            let report = run(&mut flat(config), &game, Budget::visits(500));
            assert_eq!((report.best(), best_value(&report)), (2, 1.0));
            assert_eq!((report.visits, report.stop), (500, StopReason::Visits));
            assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), 500);
        }
    }
}

/// The mean utility of random play, enumerated.
fn random_mean<G: Game>(game: &G) -> Payoff {
    let mut outcomes = Vec::new();
    match game.turn() {
        Turn::Terminal => return game.utility(),
        Turn::Chance(_) => game.chance_outcomes(&mut outcomes),
        Turn::Seat(_) => {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            let p = 1.0 / actions.len() as f64;
            outcomes.extend(actions.into_iter().map(|a| (a, p)));
        }
    }
    let mut mean = Payoff::uniform(game.meta().players, 0.0);
    for (action, p) in outcomes {
        let mut next = game.clone();
        next.apply(action);
        let value = random_mean(&next);
        (0..mean.players()).for_each(|s| mean.set(s, mean.of(s) + p * value.of(s)));
    }
    mean
}

fn converges<G: Game>(game: &G) {
    for crn in [false, true] {
        let config = FlatConfig { policy: Allocation::Uniform, crn, ..FlatConfig::default() };
        let report = run(&mut flat(config), game, Budget::visits(40_000));
        for row in &report.rows {
            let mut next = game.clone();
            next.apply(row.action);
            let exact = random_mean(&next);
            for seat in 0..exact.players() {
                let error = row.utility_error.of(seat);
                assert!(error < 0.02);
                let difference = (row.utility.of(seat) - exact.of(seat)).abs();
                assert!(difference <= 4.0 * error, "{:?} seat {seat}: {difference} with {error}", row.action);
            }
            assert!(row.returns.is_some());
        }
    }
}

#[test]
fn flat_converges_to_exact_means() {
    converges(&tictactoe(&[4, 0, 8]));
    converges(&Countdown::new(2, &CountdownOptions::default(), None).unwrap());
    converges(&Tree::with(3, Shape { seed: 2, chance: true, ..Shape::default() }));
}

#[test]
fn flat_draws_worlds() {
    // As above: a call of the middle card is even, a fold loses one chip.
    let mut game = Kuhn::new(2, &(), None).unwrap();
    for text in ["deal 2,1", "bet"] {
        let action = game.parse_action(text).unwrap();
        game.apply(action);
    }
    // The second seat holds 1 against 2 or 3 and must not know which.
    let report =
        run(&mut flat(FlatConfig { policy: Allocation::Uniform, ..FlatConfig::default() }), &game, Budget::visits(100));
    let texts: Vec<String> = report.rows.iter().map(|r| game.action_text(r.action)).collect();
    assert_eq!(texts, ["pass", "bet"]);
    assert_eq!(report.rows[0].returns.unwrap().0.of(1), -1.0);
    assert_eq!(report.rows[1].returns.unwrap().0.of(1), -2.0);
}

#[test]
fn flat_looks_at_the_best_k() {
    let actions = |k, budget| {
        let config = FlatConfig { k, ..FlatConfig::default() };
        let report = run(&mut Flat::new(config, Squares(&TASTE)), &tictactoe(&[]), Budget::visits(budget));
        let mut actions: Vec<u8> = report.rows.iter().map(|r| r.action).collect();
        actions.sort();
        actions
    };
    assert_eq!(actions(1, 50), [2], "of equal priors the higher order");
    assert_eq!(actions(3, 50), [2, 6, 8]);
    assert_eq!(actions(0, 50).len(), 9);
    assert_eq!(actions(99, 50).len(), 9);
    assert_eq!(actions(0, 1).len(), 1);
}

#[test]
fn flat_allocates() {
    let game = tictactoe(&[]);
    let visits = |config: FlatConfig| {
        let mut rows = run(&mut flat(config), &game, Budget::visits(900)).rows;
        rows.sort_by_key(|r| r.action);
        rows.into_iter().map(|r| r.visits).collect::<Vec<u64>>()
    };
    assert_eq!(visits(FlatConfig { policy: Allocation::Uniform, ..FlatConfig::default() }), [100; 9]);
    let ucb = visits(FlatConfig::default());
    assert!(ucb[4] > 100 && ucb.iter().all(|&n| n > 20), "the centre is best, everything is tried: {ucb:?}");
}

#[test]
fn flat_common_random_numbers_lower_the_noise() {
    // Two equal actions: with common random numbers the difference of their means is smaller than without.
    let game = tictactoe(&[4]);
    let spread = |crn: bool| -> f64 {
        let difference = |seed| {
            let config = FlatConfig { policy: Allocation::Uniform, crn, ..FlatConfig::default() };
            let report = try_run(&mut flat(config), &game, Budget::visits(320), seed).unwrap();
            let mean = |a: u8| report.rows.iter().find(|r| r.action == a).unwrap().utility.of(1);
            (mean(7) - mean(8)).powi(2)
        };
        (0..300).map(difference).sum()
    };
    let (common, independent) = (spread(true), spread(false));
    assert!(common < 0.9 * independent, "{common} {independent}");
}

#[test]
fn flat_budgets_and_stop() {
    let game = tictactoe(&[]);
    assert_eq!(try_run(&mut flat(FlatConfig::default()), &game, UNLIMITED, 0).unwrap_err(), SearchError::NoBudget);
    let over = tictactoe(&[0, 3, 1, 4, 2]);
    let refused = try_run(&mut flat(FlatConfig::default()), &over, Budget::visits(3), 0);
    assert_eq!(refused.unwrap_err(), SearchError::NotAPlayersTurn);
    assert_eq!(run(&mut flat(FlatConfig::default()), &game, Budget::visits(0)).visits, 1);
    let first = run(&mut flat(FlatConfig::default()), &game, Budget::visits(700));
    assert_eq!(first, run(&mut flat(FlatConfig::default()), &game, Budget::visits(700)));

    let seen = Seen::new(&game, 0, &(), &mut Rng::new(0));
    let (clock, stop) = (TickingClock::default(), AtomicBool::new(false));
    let search = |context: &Context<'_, TicTacToe>| {
        kiebitz_search::Search::run(&mut flat(FlatConfig::default()), &seen, context).unwrap()
    };
    let report = search(&Context::new(Budget::time(Duration::from_millis(30)), &clock, &stop, 0));
    assert_eq!(report.stop, StopReason::Time);
    assert!(report.visits <= 31 && report.visits > 10);
    let reports = std::sync::Mutex::new(Vec::new());
    let progress = |report: &Report<TicTacToe>| {
        reports.lock().unwrap().push(report.visits);
        stop.store(report.visits >= 5, std::sync::atomic::Ordering::Relaxed);
    };
    let mut context = Context::new(Budget::visits(1000), &clock, &stop, 0);
    context.progress = Some(&progress);
    context.progress_every = Duration::ZERO;
    let report = search(&context);
    assert_eq!((report.stop, report.visits), (StopReason::Stopped, 5));
    assert_eq!(*reports.lock().unwrap(), [1, 2, 3, 4, 5]);
    let still = ManualClock::new();
    let before = AtomicBool::new(true);
    assert_eq!(search(&Context::new(Budget::visits(9), &still, &before, 0)).visits, 1);
}
