//! The searches as players of this game: rewards and proofs by their keys, what a report tells, budgets and memory.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use common::{options, random_step, session};
use kiebitz_core::{Budget, Clock, Game, Luck, ManualClock, PlayerSpec, Session, SpecError};
use kiebitz_paodekuai::{LightPolicy, Options, PaoDeKuai, PaoDeKuaiKnowledge};
use kiebitz_search::registry::{self, Built};
use kiebitz_search::{Context, Report, Restriction, StopReason};
use serde_json::json;

static NO_STOP: AtomicBool = AtomicBool::new(false);

fn build(spec: &str) -> Result<Built<PaoDeKuai, PaoDeKuaiKnowledge>, SpecError> {
    registry::build(&spec.parse::<PlayerSpec>().unwrap(), &PaoDeKuaiKnowledge::default(), &[])
}

fn run_by(spec: &str, session: &Session<PaoDeKuai>, budget: Budget, clock: &dyn Clock) -> Report<PaoDeKuai> {
    let mut built = build(spec).unwrap_or_else(|e| panic!("{e}"));
    let seat = session.turn().seat().unwrap();
    built.search.run(&session.seen(seat, 7), &Context::new(built.budget.or(budget), clock, &NO_STOP, 7)).unwrap()
}

fn run(spec: &str, session: &Session<PaoDeKuai>) -> Report<PaoDeKuai> {
    run_by(spec, session, Budget::visits(100), &ManualClock::new())
}

fn opening(seed: u64) -> Session<PaoDeKuai> {
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).unwrap();
    session.roll().unwrap();
    session
}

/// Rewards have keys, unknown ones are refused, and each is what the report's utilities are made of.
#[test]
fn pd_24_pd_25_pd_26_rewards_by_key() {
    let session = opening(2);
    let sum = |spec: &str| {
        let report = run(spec, &session);
        report.rows[0].utility.as_slice().iter().sum::<f64>()
    };
    assert!((sum("ismcts:reward=win") - 1.0).abs() < 1e-9);
    let speed = sum("ismcts:reward=speed");
    assert!(speed > 0.5 && speed < 0.7, "{speed}: between a half and (1 + 1/2) / 2 of a win");
    assert!((sum("ismcts:reward=score") - 1.5).abs() < 1e-9, "zero-sum around a half");
    assert!((sum("ismcts:reward=mixed,lambda=0.25") - (0.25 + 0.75 * 1.5)).abs() < 1e-9);
    assert!(sum("ismcts:reward=win,thrift=0.5") < 1.0);
    for (bad, code) in [
        ("ismcts:reward=glory", "spec.bad_value"),
        ("ismcts:lambda=2", "spec.bad_value"),
        ("pimc:evidence=oracle", "spec.bad_value"),
        ("flat:opponents=me", "spec.bad_value"),
        ("ismcts:rewards=win", "spec.unknown_key"),
    ] {
        assert_eq!(build(bad).map(|_| ()).unwrap_err().code(), code, "{bad}");
    }
    let unknown = build("ismcts:rewards=win").map(|_| ()).unwrap_err().to_string();
    assert!(["reward", "lambda", "proofs", "opponents", "evidence", "beta"].iter().all(|key| unknown.contains(key)));
}

/// In a match a search values its own deal alone: the same deal gives the same report, whatever was scored before.
#[test]
fn earlier_deals_do_not_count() {
    let deal = |session: &mut Session<PaoDeKuai>| {
        let state = session.state();
        let mut rng = kiebitz_core::Rng::new(5);
        let action = state.sample(&mut rng, &mut Vec::new());
        session.play(action).unwrap();
    };
    let rules = options(r#"{"deals":3,"lead":"card"}"#);
    let mut later = Session::<PaoDeKuai>::new(3, rules.clone(), None, 4).unwrap();
    let (mut rng, mut buffer) = (kiebitz_core::Rng::new(1), Vec::new());
    while later.state().state().deals_finished() == 0 {
        assert!(random_step(&mut later, &mut rng, &mut buffer));
    }
    let mut first = Session::<PaoDeKuai>::new(3, rules, None, 4).unwrap();
    deal(&mut first);
    deal(&mut later);
    let rows = |session: &Session<PaoDeKuai>| {
        let report = run("ismcts:visits=200", session);
        report.rows.iter().map(|row| (row.action, row.visits, row.utility)).collect::<Vec<_>>()
    };
    assert_eq!(rows(&first), rows(&later));
}

/// A proven win is chosen by every search, however few visits it has, and told as exact where winning is all that counts.
#[test]
fn pd_39_searches_play_proven_wins() {
    // KK and then 3: nobody can have a pair above, nor a bomb. Two visits cannot find that out.
    let setup = json!({"hands": ["3KK", "?3", "?3"], "to_move": 0, "plays_made": [3, 3, 3],
        "played": ["3456789TJQ2", "456789TJQA", "55A"]});
    let session = session(&options("{}"), setup);
    let wanted = kiebitz_core::Notation::parse_action(session.state(), "KK").unwrap();
    let mut without = 0;
    for algorithm in ["ismcts", "pimc", "flat", "openloop"] {
        let report = run(&format!("{algorithm}:visits=2,reward=win"), &session);
        let row = &report.rows[0];
        assert_eq!(row.action, wanted, "{algorithm}");
        assert!(row.proven && row.utility.as_slice() == [1.0, 0.0, 0.0] && row.utility_error.of(0) == 0.0);
        let report = run(&format!("{algorithm}:visits=2"), &session);
        assert!(report.rows[0].action == wanted && !report.rows[0].proven, "{algorithm}: the score is not proven");
        without += usize::from(run(&format!("{algorithm}:visits=2,proofs=off"), &session).rows[0].action != wanted);
    }
    assert!(without > 0, "two visits find it without the proof too");
    // Who asks for other actions is not given the proof, by whichever search.
    let clock = ManualClock::new();
    let avoided = [Restriction { seat: 0, actions: vec![wanted], only: false, plies: 1 }];
    for observers in ["single", "multiple", "redeterminize"] {
        for parallel in ["root", "tree"] {
            let spec = format!("ismcts:visits=30,reward=win,threads=2,observers={observers},parallel={parallel}");
            let mut built = build(&spec).unwrap();
            let context = Context { restrictions: &avoided, ..Context::new(Budget::visits(30), &clock, &NO_STOP, 7) };
            let report = built.search.run(&session.seen(0, 7), &context).unwrap();
            assert!(!report.rows.is_empty(), "{spec}");
            assert!(report.rows.iter().all(|row| !row.proven && row.action != wanted), "{spec}: {:?}", report.rows);
        }
    }
}

/// The report tells the win rate of each action with its standard error.
#[test]
fn pd_09_win_rates_with_intervals() {
    let report = run("ismcts:visits=2000,reward=win,early=off", &opening(3));
    assert_eq!(report.visits, 2_000);
    for row in &report.rows {
        let (p, n) = (row.utility.of(report.seat), row.visits as f64);
        assert!((0.0..=1.0).contains(&p));
        let error = row.utility_error.of(report.seat);
        assert!((error - (p * (1.0 - p) / n).sqrt()).abs() < 0.05 || n < 30.0, "{p} {error} {n}");
        let (points, _) = row.returns.unwrap();
        assert!(points.as_slice().iter().sum::<f64>().abs() < 1e-9);
    }
}

/// With three players a win rate of a third is even, not a half: over many openings the leader's is near what leading is worth.
#[test]
fn pd_31_an_even_position_is_a_third() {
    let mut mean = 0.0;
    let number = 60;
    for seed in 0..number {
        let report = run("ismcts:visits=100,reward=win,early=off", &opening(seed));
        let total: f64 = report.rows.iter().map(|row| row.visits as f64 * row.utility.of(report.seat)).sum();
        mean += total / report.visits as f64 / number as f64;
    }
    assert!((0.25..0.6).contains(&mean), "{mean}");
}

/// A simulation goes one step beyond what was tried before, and on from there by the policy.
#[test]
fn pd_22_a_simulation_adds_one_step() {
    let mut before = 0;
    for visits in [1, 2, 3, 4, 10, 300] {
        let report = run(&format!("ismcts:visits={visits},early=off"), &opening(4));
        assert_eq!(report.rows.iter().map(|row| row.visits).sum::<u64>(), visits);
        assert!(u64::from(report.depth) <= visits && report.nodes >= before, "{report:?}");
        before = report.nodes;
        // Whatever was not tried yet comes first.
        let tried = report.rows.len() as u64;
        let mut legal = Vec::new();
        opening(4).state().actions(&mut legal);
        assert_eq!(tried, visits.min(legal.len() as u64));
    }
}

/// A clock that goes on by a tenth of a millisecond each time it is read.
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(100 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A budget of time ends the search within 10 ms after it: here by a clock that moves with every look at it.
#[test]
fn pd_21_the_time_is_kept() {
    for spec in ["ismcts:early=off", "ismcts:early=off,playouts=heavy", "flat"] {
        for milliseconds in [5, 100] {
            let limit = Duration::from_millis(milliseconds);
            let report = run_by(spec, &opening(5), Budget::time(limit), &Ticking(AtomicU64::new(0)));
            assert_eq!(report.stop, StopReason::Time, "{spec}");
            assert!(report.elapsed >= limit && report.elapsed <= limit + Duration::from_millis(10), "{spec}");
            assert!(report.visits > 10);
        }
    }
}

/// Trees do not add up from decision to decision: after a thousand, the same decision takes as much memory as at first.
#[test]
fn pd_35_memory_stays_flat() {
    let mut player = build("ismcts:visits=60,early=off").unwrap();
    let clock = ManualClock::new();
    let mut decide = |session: &Session<PaoDeKuai>, luck: u64| {
        let seat = session.turn().seat().unwrap();
        let context = Context::new(Budget::visits(60), &clock, &NO_STOP, luck);
        player.search.run(&session.seen(seat, luck), &context).unwrap()
    };
    let first = decide(&opening(1_000), 1);
    let (mut decisions, mut rng, mut actions) = (0u64, kiebitz_core::Rng::new(1), Vec::new());
    for seed in 0.. {
        let mut session = opening(seed);
        while session.turn().seat().is_some() {
            session.state().actions(&mut actions);
            if actions.len() > 1 {
                decide(&session, Luck::new(seed).stream(1, decisions).next_u64());
                decisions += 1;
            }
            let state = session.state();
            let action = LightPolicy::default().choose(state.rules(), state.state(), &mut rng, &mut Vec::new());
            session.play(action).unwrap();
        }
        if decisions >= 1_000 {
            break;
        }
    }
    let last = decide(&opening(1_000), 1);
    assert!(first.bytes > 0 && last.bytes == first.bytes && last.nodes == first.nodes);
    assert_eq!(first, last);
}

/// The values to be compared, with the published one among them, can all be set; the table is printed by `kiebitz match`.
#[test]
fn pd_37_values_of_c() {
    let session = opening(6);
    for c in ["0.5", "0.7", "1.0", "1.5", "1.4142135623730951"] {
        let report = run(&format!("ismcts:visits=100,c={c}"), &session);
        assert!(report.visits > 0 && report.visits <= 100);
    }
    assert_eq!(build("ismcts:c=-1").map(|_| ()).unwrap_err().code(), "spec.bad_value");
}
