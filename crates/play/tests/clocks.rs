//! Time systems and running clocks.

use std::time::Duration;

use kiebitz_play::clock::{ClockState, Flag, Remaining, TimeSettings};
use kiebitz_search::timing::Overtime;

const S: Duration = Duration::from_secs(1);

fn words(text: &str) -> TimeSettings {
    TimeSettings::from_words(&text.split_whitespace().collect::<Vec<_>>()).unwrap()
}

#[test]
fn words_are_read_and_written() {
    for text in [
        "none",
        "absolute 300",
        "canadian 600 300 25",
        "byoyomi 600 30.5 5",
        "fischer 60 5",
        "fischer-capped 60 5 120 20",
        "fischer-capped 60 5 -1 -1",
    ] {
        assert_eq!(words(text).to_string(), text);
    }
    assert_eq!(words("Fischer 1.5 0.25"), TimeSettings::Fischer { main: S * 3 / 2, increment: S / 4 });
    assert_eq!(words("byoyomi 60 0 5"), TimeSettings::Absolute { main: 60 * S }, "periods without time are none");
    assert_eq!(
        words("fischer-capped 60 5 -1 -1"),
        TimeSettings::FischerCapped { main: 60 * S, increment: 5 * S, limit: Duration::MAX, longest: Duration::MAX }
    );
    for (text, code) in [
        ("", "time.unknown"),
        ("hourglass 5", "time.unknown"),
        ("absolute", "time.arguments"),
        ("fischer 1 2 3", "time.arguments"),
        ("absolute soon", "time.number"),
        ("absolute 1e300", "time.number"),
        ("absolute NaN", "time.number"),
        ("byoyomi 60 10 -1", "time.number"),
        ("absolute -1", "time.number"),
        ("fischer -1 5", "time.number"),
        ("fischer 5 -0.5", "time.number"),
        ("byoyomi 60 -10 1", "time.number"),
        ("canadian 60 -10 1", "time.number"),
        ("fischer-capped -60 5 -1 -1", "time.number"),
    ] {
        let error = TimeSettings::from_words(&text.split_whitespace().collect::<Vec<_>>()).unwrap_err();
        assert_eq!(error.code(), code, "{text}: {error}");
    }
    // GTP: no moves in the overtime is no limit, no overtime is absolute time.
    assert_eq!(TimeSettings::from_gtp(60 * S, 10 * S, 0), TimeSettings::None);
    assert_eq!(TimeSettings::from_gtp(60 * S, Duration::ZERO, 0), TimeSettings::Absolute { main: 60 * S });
    assert_eq!(words("canadian 60 10 5"), TimeSettings::from_gtp(60 * S, 10 * S, 5));
}

#[test]
fn no_limit() {
    let mut clock = ClockState::unlimited(2);
    assert_eq!(clock.spend(0, 10_000 * S), Flag::InTime);
    assert_eq!((clock.remaining(0), clock.flag_falls_after(0), clock.player_clock(0, S, 10)), (None, None, None));
}

#[test]
fn absolute_time_runs_down_and_falls() {
    let mut clock = ClockState::new(words("absolute 10"), 2);
    assert_eq!(clock.spend(0, 6 * S), Flag::InTime);
    assert_eq!(clock.remaining(0), Some(Remaining { time: 4 * S, stones: 0 }));
    assert_eq!(clock.remaining(1), Some(Remaining { time: 10 * S, stones: 0 }), "each has a clock");
    assert_eq!(clock.flag_falls_after(0), Some(4 * S));
    assert_eq!(clock.spend(0, 4 * S), Flag::InTime, "to the last moment");
    assert_eq!(clock.spend(0, Duration::from_nanos(1)), Flag::Fallen);
    assert!(clock.has_fallen(0) && !clock.has_fallen(1));
    clock.restart();
    assert!(!clock.has_fallen(0));
}

#[test]
fn fischer_adds_after_the_move_up_to_the_limit() {
    let mut clock = ClockState::new(words("fischer 10 5"), 2);
    assert_eq!(clock.spend(0, 7 * S), Flag::InTime);
    assert_eq!(clock.remaining(0).unwrap().time, 8 * S);
    assert_eq!(clock.spend(0, 9 * S), Flag::Fallen, "the increment comes too late");
    let mut clock = ClockState::new(words("fischer-capped 10 5 12 6"), 2);
    clock.spend(0, S);
    assert_eq!(clock.remaining(0).unwrap().time, 12 * S);
    assert_eq!(clock.flag_falls_after(0), Some(6 * S));
    assert_eq!(clock.player_clock(0, S, 0).unwrap().longest, Some(6 * S));
    assert_eq!(clock.spend(0, 7 * S), Flag::Fallen, "longer than a move may take");
}

#[test]
fn byoyomi_periods_are_lost_one_by_one() {
    let mut clock = ClockState::new(words("byoyomi 20 10 3"), 2);
    assert_eq!(clock.flag_falls_after(0), Some(50 * S));
    clock.spend(0, 15 * S);
    assert_eq!(clock.remaining(0), Some(Remaining { time: 5 * S, stones: 0 }));
    // Five seconds of main time and nine of the first period: it is not lost.
    clock.spend(0, 14 * S);
    assert_eq!(clock.remaining(0), Some(Remaining { time: 10 * S, stones: 3 }));
    clock.spend(0, 10 * S);
    assert_eq!(clock.remaining(0).unwrap().stones, 3);
    clock.spend(0, 11 * S);
    assert_eq!(clock.remaining(0), Some(Remaining { time: 10 * S, stones: 2 }));
    assert_eq!(clock.spend(0, 21 * S), Flag::Fallen);
    // A controller's word replaces the own count: KGS sends the periods as stones.
    clock.set_time_left(0, 10 * S, 2);
    assert_eq!((clock.remaining(0), clock.has_fallen(0)), (Some(Remaining { time: 10 * S, stones: 2 }), false));
    let clock = clock.player_clock(0, S, 9).unwrap();
    assert_eq!((clock.main, clock.overtime), (Duration::ZERO, Overtime::Byoyomi { period: 10 * S, periods: 2 }));
}

#[test]
fn canadian_moves_within_a_period() {
    let mut clock = ClockState::new(words("canadian 5 30 3"), 2);
    clock.spend(0, 4 * S);
    // One second of main time, three of the period: its first move.
    clock.spend(0, 4 * S);
    assert_eq!(clock.remaining(0), Some(Remaining { time: 27 * S, stones: 2 }));
    assert_eq!(clock.player_clock(0, S, 9).unwrap().overtime, Overtime::Canadian { left: 27 * S, moves: 2 });
    clock.spend(0, 20 * S);
    assert_eq!(clock.spend(0, 7 * S), Flag::InTime);
    assert_eq!(clock.remaining(0), Some(Remaining { time: 30 * S, stones: 3 }), "a new period");
    assert_eq!(clock.spend(0, 31 * S), Flag::Fallen);
    clock.set_time_left(0, 12 * S, 4);
    assert_eq!(clock.remaining(0), Some(Remaining { time: 12 * S, stones: 4 }));
    clock.set_time_left(1, 100 * S, 0);
    assert_eq!(clock.remaining(1), Some(Remaining { time: 100 * S, stones: 0 }));
}

#[test]
fn seats_that_are_not_there_are_ignored() {
    let mut clock = ClockState::new(words("absolute 10"), 2);
    clock.set_time_left(7, S, 0);
    assert_eq!(clock.spend(7, 100 * S), Flag::InTime);
    assert_eq!((clock.remaining(7), clock.has_fallen(7)), (None, false));
}
