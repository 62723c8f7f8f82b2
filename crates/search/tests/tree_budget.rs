//! When a tree search stops: visits, time, a stop flag, a settled result; and what it reports on the way.

mod tree_games;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kiebitz_core::{Budget, Game, ManualClock, Uniform};
use kiebitz_search::{Context, Report, Search, StopReason, Uct};

use tree_games::explicit::{Explicit, choice, end};
use tree_games::tictactoe::TicTacToe;
use tree_games::{Hook, NO_STOP, full, run, seen};

const MS: Duration = Duration::from_millis(1);

/// Nine moves that lead nowhere, so that every simulation plays a playout.
fn long_game() -> Explicit {
    let mut at = end(&[0.5, 0.5]);
    for ply in 0..12 {
        at = choice(ply % 2, vec![at.clone(), at.clone(), at]);
    }
    Explicit::start(2, at)
}

#[test]
fn go_25_visits_are_kept_exactly() {
    for threads in [1, 2, 3] {
        for visits in [1, 2, 7, 1000, 1001] {
            let mut settings = full();
            settings.tree.threads = threads;
            let report = run(&mut Uct::new(Uniform, settings), &TicTacToe::default(), visits, 1);
            assert_eq!((report.visits, report.stop), (visits, StopReason::Visits), "{threads} threads");
        }
    }
}

#[test]
fn go_25_time_is_kept() {
    // Every playout takes 10 ms, so that 100 ms are ten simulations.
    let clock = ManualClock::new();
    let mut search = Uct::new(Hook(|_: &Explicit| clock.advance(10 * MS)), full());
    let context = Context::new(Budget::time(100 * MS), &clock, &NO_STOP, 1);
    let report = search.run(&seen(&long_game()), &context).unwrap();
    assert_eq!((report.visits, report.stop, report.elapsed), (10, StopReason::Time, 100 * MS));

    // Simulations far shorter than the steps in which the clock is looked at: within a millisecond or two.
    let clock = ManualClock::new();
    let mut search = Uct::new(Hook(|_: &Explicit| clock.advance(Duration::from_micros(3))), full());
    let context = Context::new(Budget::time(100 * MS), &clock, &NO_STOP, 1);
    let report = search.run(&seen(&long_game()), &context).unwrap();
    assert_eq!(report.stop, StopReason::Time);
    assert!(report.elapsed >= 100 * MS && report.elapsed <= 102 * MS, "{:?}", report.elapsed);
}

#[test]
fn whichever_limit_comes_first() {
    for (visits, time, stop, expected) in
        [(5, 1000, StopReason::Visits, 5), (1000, 50, StopReason::Time, 5), (1, 1, StopReason::Time, 1)]
    {
        let clock = ManualClock::new();
        let mut search = Uct::new(Hook(|_: &Explicit| clock.advance(10 * MS)), full());
        let budget = Budget { visits: Some(visits), time: Some(time * MS) };
        let report = search.run(&seen(&long_game()), &Context::new(budget, &clock, &NO_STOP, 1)).unwrap();
        assert_eq!((report.stop, report.visits), (stop, expected));
    }
}

#[test]
fn the_context_overrides_the_settings_budget() {
    let mut settings = full();
    settings.tree.budget = Budget::visits(30);
    let clock = ManualClock::new();
    let mut search = Uct::new(Uniform, settings);
    let mut visits = |budget| {
        search.reset();
        search.run(&seen(&long_game()), &Context::new(budget, &clock, &NO_STOP, 1)).unwrap().visits
    };
    assert_eq!(visits(Budget::default()), 30);
    assert_eq!(visits(Budget::visits(20)), 20);
}

#[test]
fn stop_flag_ends_it_after_at_most_one_more_simulation() {
    for threads in [1u64, 2, 4] {
        let stop = AtomicBool::new(false);
        let (started, after) = (AtomicU64::new(0), AtomicU64::new(0));
        let hook = Hook(|_: &Explicit| {
            if stop.load(Ordering::Relaxed) {
                after.fetch_add(1, Ordering::Relaxed);
            }
            if started.fetch_add(1, Ordering::Relaxed) == 500 {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let mut settings = full();
        settings.tree.threads = threads as usize;
        let mut search = Uct::new(hook, settings);
        let clock = ManualClock::new();
        let context = Context::new(Budget::visits(1_000_000), &clock, &stop, 1);
        let report = search.run(&seen(&long_game()), &context).unwrap();
        assert_eq!(report.stop, StopReason::Stopped);
        // The simulation that sets the flag ends; every other thread may be within one.
        assert!(after.load(Ordering::Relaxed) < threads, "{} after the flag", after.load(Ordering::Relaxed));
        assert!(report.visits < 600_000);
    }
}

#[test]
fn at_least_one_simulation_is_done() {
    let stop = AtomicBool::new(true);
    let clock = ManualClock::new();
    let report = Uct::new(Uniform, full())
        .run(&seen(&long_game()), &Context::new(Budget::visits(100), &clock, &stop, 1))
        .unwrap();
    assert_eq!((report.visits, report.stop, report.rows.len()), (1, StopReason::Stopped, 1));
    // No time at all, no visits at all.
    let report = Uct::new(Uniform, full())
        .run(&seen(&long_game()), &Context::new(Budget::time(Duration::ZERO), &clock, &NO_STOP, 1))
        .unwrap();
    assert_eq!((report.visits, report.stop), (1, StopReason::Time));
    assert_eq!(run(&mut Uct::new(Uniform, full()), &long_game(), 0, 1).visits, 1);
}

#[test]
fn settled_when_the_second_best_cannot_overtake() {
    let game = Explicit::start(2, choice(0, vec![end(&[1.0, 0.0]), end(&[0.0, 1.0]), end(&[0.0, 1.0])]));
    let mut settings = full();
    settings.tree.early_stop = true;
    let early = run(&mut Uct::new(Uniform, settings.clone()), &game, 10_000, 1);
    assert_eq!((early.stop, early.best()), (StopReason::Settled, 0));
    assert!(early.visits > 5_000 && early.visits < 6_000, "{}", early.visits);
    assert_eq!(run(&mut Uct::new(Uniform, full()), &game, 10_000, 1).visits, 10_000);
    // Never another move than the whole budget would choose.
    for seed in 0..20 {
        let game = TicTacToe::after(&[0]);
        let early = run(&mut Uct::new(Uniform, settings.clone()), &game, 1500, seed);
        assert_eq!(early.best(), run(&mut Uct::new(Uniform, full()), &game, 1500, seed).best());
    }
}

#[test]
fn settled_by_time() {
    // 1 ms each, the better child takes nearly all visits: settled soon after half of the second.
    let side = |u: f64| choice(1, vec![choice(0, vec![end(&[u, 1.0 - u]), end(&[u, 1.0 - u])])]);
    let game = Explicit::start(2, choice(0, vec![side(1.0), side(0.0)]));
    let clock = ManualClock::new();
    let mut settings = full();
    settings.tree.early_stop = true;
    settings.tree.expand_after = 1_000_000;
    let mut search = Uct::new(Hook(|_: &Explicit| clock.advance(MS)), settings);
    let context = Context::new(Budget::time(1000 * MS), &clock, &NO_STOP, 1);
    let report = search.run(&seen(&game), &context).unwrap();
    assert_eq!(report.stop, StopReason::Settled);
    assert!(report.elapsed > 450 * MS && report.elapsed < 650 * MS, "{:?}", report.elapsed);
}

#[test]
fn a_single_action_needs_one_simulation() {
    let game = Explicit::start(2, choice(0, vec![choice(1, vec![end(&[1.0, 0.0]), end(&[0.0, 1.0])])]));
    let mut settings = full();
    settings.tree.early_stop = true;
    let report = run(&mut Uct::new(Uniform, settings), &game, 1000, 1);
    assert_eq!((report.visits, report.stop, report.best()), (1, StopReason::Complete, 0));
}

#[test]
fn go_26_progress_is_reported_now_and_then() {
    for threads in [1, 3] {
        let clock = ManualClock::new();
        let reports = Mutex::new(Vec::new());
        let progress = |report: &Report<Explicit>| {
            assert_eq!(report.visits, report.rows.iter().map(|row| row.visits).sum::<u64>());
            reports.lock().unwrap().push((report.elapsed, report.visits, report.stop));
        };
        let mut settings = full();
        settings.tree.threads = threads;
        let mut search = Uct::new(Hook(|_: &Explicit| clock.advance(MS)), settings);
        let mut context = Context::new(Budget::visits(1000), &clock, &NO_STOP, 1);
        context.progress = Some(&progress);
        context.progress_every = 100 * MS;
        let report = search.run(&seen(&long_game()), &context).unwrap();
        assert_eq!(report.visits, 1000);
        let reports = reports.into_inner().unwrap();
        // Among several threads, the one that reports may get its turn late.
        assert!(reports.len() >= if threads == 1 { 9 } else { 0 } && reports.len() <= 10, "{}", reports.len());
        assert!(reports.windows(2).all(|w| w[1].0 >= w[0].0 + 100 * MS && w[1].1 >= w[0].1));
        assert!(reports.iter().all(|r| r.2 == StopReason::Stopped));
    }
}

#[test]
fn progress_does_not_change_the_result() {
    let game = TicTacToe::default();
    let clock = ManualClock::new();
    let progress = |_: &Report<TicTacToe>| clock.advance(MS);
    let mut context = Context::new(Budget::visits(2000), &clock, &NO_STOP, 4);
    context.progress = Some(&progress);
    context.progress_every = Duration::ZERO;
    let mut report = Uct::new(Uniform, full()).run(&seen(&game), &context).unwrap();
    report.elapsed = Duration::ZERO;
    assert_eq!(report, run(&mut Uct::new(Uniform, full()), &game, 2000, 4));
    assert!(!game.turn().is_terminal());
}
