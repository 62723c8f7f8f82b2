//! Open-loop search.

mod hidden_support;

use hidden_support::*;
use kiebitz_core::{Game, Settings, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, DiceAction, TicTacToe};
use kiebitz_search::{OpenLoop, OpenLoopConfig, StopReason};

fn open_loop<G: Game>() -> OpenLoop<G, Uniform> {
    OpenLoop::new(OpenLoopConfig { early: false, ..Default::default() }, Uniform)
}

fn countdown(start: u8) -> Countdown {
    Countdown::new(2, &CountdownOptions { start, faces: 6 }, None).unwrap()
}

#[test]
fn openloop_converges_on_tictactoe() {
    let game = TicTacToe::new(2, &(), None).unwrap();
    let config = OpenLoopConfig { c: 0.7, early: false, ..Default::default() };
    let report = run(&mut OpenLoop::new(config, Uniform), &seen(&game, 1), 200_000, 1);
    assert!((report.rows[0].utility.of(0) - 0.5).abs() < 0.03, "{:?}", report.rows[0]);
    // X at a1 and c3, O in the centre: a corner now loses to nothing, an edge neither; but O to move must take an edge.
    let game = [0, 4, 8].iter().fold(game, |g, &a| after(&g, a));
    let best = run(&mut open_loop(), &seen(&game, 1), 20_000, 1).best();
    assert_eq!(exact(&after(&game, best)).of(1), 0.5);
}

/// The value for seat 0 of the best plan that does not look at the dice: what open loop converges to. All unfinished games
/// that one sequence of choices leads to, with their probabilities, get the same next choice.
fn best_plan(games: &[(Countdown, f64)]) -> f64 {
    let Some(seat) = games.first().and_then(|(game, _)| game.turn().seat()) else { return 0.0 };
    let values = [DiceAction::One, DiceAction::Two].map(|action| plan_after(games, action));
    if seat == 0 { values[0].max(values[1]) } else { values[0].min(values[1]) }
}

fn plan_after(games: &[(Countdown, f64)], action: DiceAction) -> f64 {
    let (mut ended, mut next) = (0.0, Vec::<(Countdown, f64)>::new());
    for (game, p) in games {
        let game = after(game, action);
        let mut outcomes = Vec::new();
        game.chance_outcomes(&mut outcomes);
        for (roll, q) in outcomes {
            let game = after(&game, roll);
            match next.iter_mut().find(|(other, _)| *other == game) {
                _ if game.turn().is_terminal() => ended += p * q * game.utility().of(0),
                Some((_, sum)) => *sum += p * q,
                None => next.push((game, p * q)),
            }
        }
    }
    ended + best_plan(&next)
}

#[test]
fn openloop_converges_on_dice() {
    // Where the best answers do not depend on the roll, the open-loop value is the exact value.
    for start in [1, 2, 3] {
        let game = countdown(start);
        let value = exact(&game).of(0);
        let report = run(&mut open_loop(), &seen(&game, 1), 200_000, 2);
        let best = &report.rows[0];
        assert!((best.utility.of(0) - value).abs() < 0.01, "start {start}: {} instead of {value}", best.utility.of(0));
    }
    // In general it is the value of the best plan that does not look at the dice, and the choice is the plan's.
    let mut worst: f64 = 0.0;
    for start in 4..=13 {
        let game = countdown(start);
        let plans = [DiceAction::One, DiceAction::Two].map(|a| plan_after(&[(game.clone(), 1.0)], a));
        let plan = plans[0].max(plans[1]);
        let value = exact(&game).of(0);
        let report = run(&mut open_loop(), &seen(&game, 1), 200_000, 2);
        let best = &report.rows[0];
        let found = best.utility.of(0);
        let chosen = exact(&after(&game, best.action)).of(0);
        println!("start {start:2}: open loop {found:.4}, best plan {plan:.4}, exact {value:.4}, choice {chosen:.4}");
        assert!((found - plan).abs() < 0.01, "start {start}: {found} instead of {plan}");
        if (plans[0] - plans[1]).abs() > 0.01 {
            assert_eq!(best.action, if plans[0] > plans[1] { DiceAction::One } else { DiceAction::Two });
        }
        worst = worst.max(value - chosen);
    }
    // The price of not looking, as documented.
    println!("the choice loses at most {worst:.4}");
    assert!(worst < 0.02);
}

#[test]
fn openloop_leaves_chance_out_of_the_tree() {
    let mut search = open_loop();
    let report = run(&mut search, &seen(&countdown(12), 1), 20_000, 2);
    let branches = search.branches(&[DiceAction::One]);
    assert_eq!(
        branches.iter().map(|b| (b.by, b.action)).collect::<Vec<_>>(),
        [(Some(1), DiceAction::One), (Some(1), DiceAction::Two)]
    );
    // Some games end with the roll, the others go on here.
    assert!(branches.iter().map(|b| b.visits).sum::<u64>() < row(&report, DiceAction::One).visits);
}

#[test]
fn openloop_threads_lose_nothing_and_repeat() {
    let game = countdown(20);
    for threads in [1, 4] {
        let config = OpenLoopConfig { threads, early: false, ..Default::default() };
        let report = run(&mut OpenLoop::new(config, Uniform), &seen(&game, 1), 10_003, 8);
        assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), 10_003);
        assert_eq!(run(&mut OpenLoop::new(config, Uniform), &seen(&game, 1), 10_003, 8), report);
        for row in &report.rows {
            let (returns, error) = row.returns.unwrap();
            // Utilities are the returns scaled from [-2, 2].
            assert!((0.5 + returns.of(0) / 4.0 - row.utility.of(0)).abs() < 1e-9);
            // That of the utility has two samples more.
            assert!((error.of(0) / 4.0 - row.utility_error.of(0)).abs() < 1e-3 && error.of(0) > 0.0);
        }
    }
    let report = run(&mut OpenLoop::new(OpenLoopConfig::default(), Uniform), &seen(&countdown(1), 1), 100_000, 8);
    assert_eq!(report.stop, StopReason::Settled);
}

#[test]
fn settings_are_read() {
    let read = |spec: &str| {
        let mut settings = Settings::new(&spec.parse().unwrap());
        let config = OpenLoopConfig::from_settings(&mut settings)?;
        settings.finish().map(|()| config)
    };
    assert_eq!(read("openloop"), Ok(OpenLoopConfig::default()));
    let expected = OpenLoopConfig { c: 0.5, fpu: 0.4, bias: 2.0, threads: 3, memory: 64, early: false };
    assert_eq!(read("openloop:c=0.5,fpu=0.4,bias=2,threads=3,memory=64,early=off"), Ok(expected));
    for bad in ["openloop:c=-1", "openloop:fpu=x", "openloop:threads=0", "openloop:memory=0", "openloop:depth=3"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}
