//! Time for one move.

use std::time::Duration;

use kiebitz_search::timing::{
    Allocation, LEAST, Overtime, PlayerClock, allocate, emphasis, is_settled, moves_left, visits_left,
};

const S: Duration = Duration::from_secs(1);

fn clock(main: u32) -> PlayerClock {
    PlayerClock {
        main: main * S,
        increment: Duration::ZERO,
        overtime: Overtime::None,
        lag: Duration::ZERO,
        longest: None,
    }
}

fn target(clock: &PlayerClock, moves: u32) -> f64 {
    allocate(clock, moves, 1.0).target.as_secs_f64()
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

#[test]
fn main_time_is_shared_evenly_less_lag() {
    close(target(&clock(300), 30), 10.0);
    close(target(&PlayerClock { lag: S, ..clock(300) }, 30), 9.0);
    close(allocate(&clock(300), 30, 1.3).target.as_secs_f64(), 13.0);
    close(allocate(&clock(300), 30, 1.0).maximum.as_secs_f64(), 20.0);
}

#[test]
fn increment_is_used_but_comes_after_the_move() {
    close(target(&PlayerClock { increment: 5 * S, ..clock(300) }, 30), 15.0);
    // Two seconds left: the increment cannot be spent before it is there.
    close(target(&PlayerClock { increment: 5 * S, ..clock(2) }, 12), 2.0);
}

#[test]
fn byoyomi_gives_the_whole_period() {
    let overtime = Overtime::Byoyomi { period: 10 * S, periods: 3 };
    let lag = S / 2;
    let in_overtime = PlayerClock { overtime, lag, ..clock(0) };
    let allocation = allocate(&in_overtime, 40, 1.3);
    close(allocation.target.as_secs_f64(), 9.5);
    assert_eq!(allocation.maximum, allocation.target, "a longer move would cost a period");
    // With main time left, at least the period; more where the main time's share is more.
    close(target(&PlayerClock { overtime, lag, ..clock(60) }, 40), 9.5);
    close(target(&PlayerClock { overtime, lag, ..clock(800) }, 40), 19.5);
}

#[test]
fn canadian_overtime_is_shared_by_its_moves() {
    let overtime = Overtime::Canadian { left: 100 * S, moves: 10 };
    close(target(&PlayerClock { overtime, ..clock(0) }, 40), 10.0);
    let overtime = Overtime::Canadian { left: 3 * S, moves: 1 };
    close(target(&PlayerClock { overtime, ..clock(0) }, 40), 3.0);
}

#[test]
fn never_more_than_the_clock_and_never_nothing() {
    for main in [0, 1, 3, 60, 3600] {
        for moves in [0, 1, 2, 12, 200] {
            for lag in [Duration::ZERO, S / 10, 5 * S] {
                let clock = PlayerClock { lag, increment: 2 * S, ..clock(main) };
                let Allocation { target, maximum } = allocate(&clock, moves, 1.3);
                let most = (main * S).saturating_sub(lag).max(LEAST);
                assert!(target >= LEAST && target <= most, "{target:?} of {most:?}");
                assert!(maximum >= target && maximum <= most);
            }
        }
    }
    // Half of the clock at most, unless the target itself is more.
    let allocation = allocate(&clock(10), 3, 1.3);
    close(allocation.maximum.as_secs_f64(), 5.0);
    assert_eq!(allocate(&clock(0), 10, 1.0).target, LEAST);
    assert_eq!(allocate(&clock(10), 10, f64::NAN).target, LEAST);
}

#[test]
fn moves_and_emphasis() {
    assert_eq!((moves_left(110, 0, 12), moves_left(110, 50, 12), moves_left(110, 105, 12)), (110, 60, 12));
    assert_eq!(moves_left(5, 9, 0), 1);
    close(emphasis(0.0), 1.0);
    close(emphasis(0.125), 1.15);
    close(emphasis(0.25), 1.3);
    close(emphasis(0.5), 1.3);
    close(emphasis(0.75), 1.0);
    close(emphasis(1.5), 1.0);
    close(emphasis(-1.0), 1.0);
}

#[test]
fn settled_and_speed() {
    assert!(is_settled(600, 100, 499) && !is_settled(600, 100, 500));
    assert!(!is_settled(600, 100, u64::MAX));
    assert_eq!(visits_left(1000, 2 * S, 3 * S), 1500);
    assert_eq!(visits_left(1000, 2 * S, Duration::ZERO), 0);
    assert_eq!(visits_left(1000, Duration::ZERO, S), u64::MAX);
}
