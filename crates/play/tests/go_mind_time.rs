//! Time for moves of Go: no flag ever falls.

mod go_mind_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use go_mind_support::{empty, mind, play};
use kiebitz_core::{Budget, Clock, Session, Step};
use kiebitz_go::{Color, Go};
use kiebitz_play::clock::{ClockState, Flag, TimeSettings};
use kiebitz_play::go_mind::{Decision, GoMind, MindOptions, Request, time};
use kiebitz_search::timing::Allocation;
use serde_json::json;

const MS: Duration = Duration::from_millis(1);

fn settings(text: &str) -> TimeSettings {
    TimeSettings::from_words(&text.split_whitespace().collect::<Vec<_>>()).unwrap()
}

/// Positions after 0 to `count` - 1 moves; a board that is full is cleared. Only the number of plies matters to the clock.
fn plies(size: u64, count: usize) -> Vec<Session<Go>> {
    let mut session = empty(json!({"size": size, "ruleset": "chinese"}));
    let mut all = vec![session.clone()];
    while all.len() < count {
        let points = session.state().size();
        let free = points.iter().find(|&p| kiebitz_core::Game::is_legal(session.state(), p.into()));
        match free {
            Some(point) => session.play(point.into()).unwrap(),
            None => {
                let setup = kiebitz_go::Setup { empty: points.iter().collect(), ..Default::default() };
                session.perform(Step::SetUp(Box::new(setup))).unwrap();
                continue;
            }
        }
        all.push(session.clone());
    }
    all
}

/// Every system, short and long.
const SYSTEMS: [&str; 14] = [
    "absolute 10",
    "absolute 60",
    "absolute 3600",
    "canadian 0 10 10",
    "canadian 30 5 25",
    "canadian 600 300 25",
    "byoyomi 0 1 1",
    "byoyomi 10 2 1",
    "byoyomi 600 30 5",
    "fischer 5 1",
    "fischer 60 0.05",
    "fischer 300 10",
    "fischer-capped 10 2 15 3",
    "fischer-capped 60 5 -1 -1",
];

#[test]
fn a_game_of_300_moves_at_the_maximum_never_falls() {
    for size in [9, 19] {
        let positions = plies(size, 300);
        for system in SYSTEMS {
            for lag in [0, 10, 20, 50] {
                if system == "absolute 10" && lag == 50 {
                    // 150 moves need 7.5 seconds for the lag alone; half of the clock is held back for it.
                    continue;
                }
                let mut clock = ClockState::new(settings(system), 2);
                for (ply, session) in positions.iter().enumerate() {
                    let seat = (ply % 2) as u8;
                    let Allocation { target, maximum } =
                        time::allocate(session.state(), &clock, seat, lag * MS).unwrap();
                    assert!(target <= maximum, "{size} {system} {lag} {ply}");
                    let flag = clock.spend(seat, maximum + lag * MS);
                    assert_eq!(flag, Flag::InTime, "{system} on {size}x{size}, lag {lag} ms, ply {ply}: {maximum:?}");
                }
            }
        }
    }
}

#[test]
fn the_clock_is_used() {
    // Whoever thinks for the target of every move has used most of the clock after a usual game of 19x19.
    let positions = plies(19, 240);
    for (system, least) in [("absolute 600", 0.6), ("fischer 300 5", 0.6)] {
        let mut clock = ClockState::new(settings(system), 2);
        let mut used = Duration::ZERO;
        for (ply, session) in positions.iter().enumerate() {
            let target = time::allocate(session.state(), &clock, (ply % 2) as u8, 20 * MS).unwrap().target;
            if ply % 2 == 0 {
                used += target;
            }
            clock.spend((ply % 2) as u8, target + 20 * MS);
        }
        let whole = clock.remaining(0).unwrap().time + used;
        assert!(used.as_secs_f64() > least * whole.as_secs_f64(), "{system}: {used:?} of {whole:?}");
    }
    // The middle of the game gets more than its beginning.
    let clock = ClockState::new(settings("absolute 600"), 2);
    let target = |ply: usize| time::allocate(positions[ply].state(), &clock, 0, 20 * MS).unwrap().target;
    assert!(target(100) > target(0) * 3 / 2, "{:?} {:?}", target(0), target(100));
    assert!(time::allocate(positions[0].state(), &ClockState::unlimited(2), 0, MS).is_none());
}

/// A clock that goes forward by a step whenever it is read.
struct Steps(std::sync::atomic::AtomicU64, u64);

impl Clock for Steps {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(self.1, Ordering::Relaxed))
    }
}

fn timed(spec: &str, options: MindOptions) -> GoMind {
    let clock = Arc::new(Steps(0.into(), 1000));
    GoMind::from_spec(&spec.parse().unwrap(), 1, options).unwrap().with_clock(clock)
}

fn decide(mind: &mut GoMind, session: &Session<Go>, clock: &ClockState) -> Decision {
    mind.genmove(session, session.state().to_move(), clock).unwrap()
}

#[test]
fn the_clock_overrides_the_time_and_keeps_the_visits_of_the_spec() {
    let session = empty(json!({"size": 9}));
    let clock = ClockState::new(settings("byoyomi 0 0.2 1"), 2);
    // 180 ms at 1 ms for every look at the clock.
    let decision = decide(&mut timed("uct:early=off,time=1h", MindOptions::default()), &session, &clock);
    assert_eq!(decision.allowed, Some(180 * MS));
    assert!(decision.elapsed >= 170 * MS && decision.elapsed <= 190 * MS, "{:?}", decision.elapsed);
    let decision = decide(&mut timed("uct:early=off,visits=30", MindOptions::default()), &session, &clock);
    assert_eq!(decision.analysis.visits, 30);
    let decision = decide(&mut timed("uct:early=off,time=50ms", MindOptions::default()), &session, &clock);
    assert!(decision.elapsed < 130 * MS, "the spec's own time is a wish: {:?}", decision.elapsed);
    // No clock: what the spec says, else the mind's own budget.
    let options = MindOptions { budget: Budget::visits(77), ..MindOptions::default() };
    let decision = decide(&mut timed("uct:early=off", options), &session, &ClockState::unlimited(2));
    assert_eq!((decision.analysis.visits, decision.allowed), (77, None));
}

#[test]
fn an_unclear_result_is_thought_about_for_longer_but_not_beyond_the_maximum() {
    let clock = ClockState::new(settings("absolute 20"), 2);
    let (mut longer, mut most) = (0, Duration::ZERO);
    for opening in ["E5", "E5 C3", "E5 C3 G7", "D4 F6", "C3 G3 C7", "E4 E6 C5"] {
        let mut session = empty(json!({"size": 9}));
        play(&mut session, opening);
        let seat = session.state().to_move().index() as u8;
        let given = time::allocate(session.state(), &clock, seat, 20 * MS).unwrap();
        let decision = decide(&mut timed("uct:early=off", MindOptions::default()), &session, &clock);
        assert!(decision.elapsed <= given.maximum + 5 * MS, "{opening}: {:?} {given:?}", decision.elapsed);
        assert!(decision.elapsed + 2 * MS >= given.target, "{opening}: {:?} {given:?}", decision.elapsed);
        longer += u32::from(decision.elapsed > given.target + 5 * MS);
        most = most.max(decision.elapsed);
        let options = MindOptions { extend: false, ..MindOptions::default() };
        let plain = decide(&mut timed("uct:early=off", options), &session, &clock);
        assert!(plain.elapsed <= given.target + 5 * MS, "{opening}: {:?} {given:?}", plain.elapsed);
    }
    assert!(longer > 0, "some of these positions are unclear: {most:?}");
}

#[test]
fn early_stop_saves_visits_and_never_changes_the_move() {
    let mut saved = 0;
    let mut session = empty(json!({"size": 7}));
    for (ply, text) in ["D4", "D5", "E5", "C4", "C5", "D3", "E4", "C6", "B5", "E6", "F6"].into_iter().enumerate() {
        for seed in [1, 2] {
            let whole = |spec: &str| {
                let decision = decide(&mut mind(spec, seed), &session, &ClockState::unlimited(2));
                (decision.action, decision.analysis.visits)
            };
            let early = whole("uct:visits=2000");
            let full = whole("uct:visits=2000,early-stop=off");
            assert_eq!(early.0, full.0, "ply {ply}");
            assert_eq!(full.1, 2000);
            assert_eq!(early, whole("uct:visits=2000,early=on"), "the same again");
            saved += 2000 - early.1;
        }
        play(&mut session, text);
    }
    assert!(saved > 2000, "{saved} of 44000 visits");
}

#[test]
fn a_stop_flag_gets_the_move_at_once() {
    let session = empty(json!({"size": 9}));
    let stop = AtomicBool::new(true);
    let request = Request { stop: Some(&stop), budget: Some(Budget::visits(1_000_000)), ..Request::default() };
    let decision = mind("uct", 1).genmove_with(&session, Color::Black, &ClockState::unlimited(2), &request).unwrap();
    assert_eq!(decision.analysis.visits, 1);
}
