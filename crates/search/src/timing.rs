//! Time for one move: pure functions of what the clock shows. They know no game and read no clock.

use std::time::Duration;

use kiebitz_core::Game;

use crate::Report;

/// What comes after the main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtime {
    /// Nothing: the game is lost.
    None,
    /// Japanese: every move has the whole `period`; who exceeds it loses one of `periods`.
    Byoyomi {
        /// Time for each move.
        period: Duration,
        /// Periods left.
        periods: u32,
    },
    /// Canadian: `moves` moves within `left`, then again a full period.
    Canadian {
        /// Time left in this period.
        left: Duration,
        /// Moves to be played in it, at least 1.
        moves: u32,
    },
}

/// A player's clock before its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerClock {
    /// Main time left; zero in overtime.
    pub main: Duration,
    /// Added after every move (Fischer).
    pub increment: Duration,
    /// What comes after the main time.
    pub overtime: Overtime,
    /// Time that is lost for every move on the way (network, the controller).
    pub lag: Duration,
    /// The longest a single move may take by the rules of the clock, where they say so.
    pub longest: Option<Duration>,
}

/// Time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// To think.
    pub target: Duration,
    /// To think at most, where [`wants_more`] finds the result unclear: up to twice the target.
    pub maximum: Duration,
}

/// The least time that is ever given; a search does at least one simulation anyway.
pub const LEAST: Duration = Duration::from_millis(1);

/// Own moves still to come: `typical` own moves in a game of this kind less those `played`, at least `floor` (12 is usual).
pub fn moves_left(typical: u32, played: u32, floor: u32) -> u32 {
    typical.saturating_sub(played).max(floor).max(1)
}

/// How much more than an even share a move deserves in the middle of the game, where most is decided: rises from 1 at the
/// start to 1.3 at a quarter of the game, stays until the half, and is 1 again from three quarters on. `progress` is the
/// part of the game that is over, `[0, 1]`.
pub fn emphasis(progress: f64) -> f64 {
    let rise = progress / 0.25;
    let fall = (0.75 - progress) / 0.25;
    1.0 + 0.3 * rise.min(fall).clamp(0.0, 1.0)
}

/// Time for the next of `moves_left` own moves. Never more than the clock allows; at least [`LEAST`].
///
/// Main time is shared evenly, times `emphasis`; an increment is used up on top of it. Byo-yomi renews itself, so that
/// a move always gets the whole period, in Canadian overtime its share of it, less the lag.
pub fn allocate(clock: &PlayerClock, moves_left: u32, emphasis: f64) -> Allocation {
    let seconds = |d: Duration| d.as_secs_f64();
    let (main, lag) = (seconds(clock.main), seconds(clock.lag));
    let (renewed, reserve) = match clock.overtime {
        Overtime::None => (0.0, 0.0),
        Overtime::Byoyomi { period, periods } => (if periods > 0 { seconds(period) } else { 0.0 }, seconds(period)),
        Overtime::Canadian { left, moves } => (seconds(left) / f64::from(moves.max(1)), seconds(left)),
    };
    let even = main / f64::from(moves_left.max(1)) * emphasis.max(0.0) + seconds(clock.increment);
    // What can be spent on this move without losing on time.
    let most = main + if renewed > 0.0 { reserve } else { 0.0 };
    let most = clock.longest.map_or(most, |longest| most.min(seconds(longest)));
    let most = (most - lag).max(0.0);
    let target = (even.max(renewed) - lag).clamp(0.0, most);
    // In overtime alone, a longer move would cost a period (or the other moves' time).
    let maximum = if main > 0.0 { (2.0 * target).min(most) } else { target };
    // With sudden death, keep most of the clock for the moves to come.
    let maximum = if renewed > 0.0 { maximum } else { maximum.min((most / 2.0).max(target.min(most))) };
    Allocation { target: duration(target), maximum: duration(maximum) }
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).max(LEAST)
}

/// Simulations that fit into the time left at the speed so far; all of them while the speed is unknown.
pub fn visits_left(done: u64, elapsed: Duration, left: Duration) -> u64 {
    if elapsed.is_zero() {
        return u64::MAX;
    }
    (done as f64 * (left.as_secs_f64() / elapsed.as_secs_f64())).ceil() as u64
}

/// Whether the second-most visited action can no longer catch up with the most visited one.
pub fn is_settled(best: u64, second: u64, left: u64) -> bool {
    best > second.saturating_add(left)
}

/// Whether a result is unclear: the most visited action is not the one with the best value. Rows with less than a tenth of
/// the best one's visits are not asked, their values are too noisy.
pub fn wants_more<G: Game>(report: &Report<G>) -> bool {
    is_unclear(report.rows.iter().map(|row| (row.visits, row.utility.of(report.seat))))
}

/// As [`wants_more`], of the visits and mean utilities of the actions in any order.
pub fn is_unclear(rows: impl Iterator<Item = (u64, f64)> + Clone) -> bool {
    let better = |a: (u64, f64), b: (u64, f64)| if (b.0, b.1) > (a.0, a.1) { b } else { a };
    let Some((visits, value)) = rows.clone().reduce(better) else { return false };
    rows.into_iter().any(|(n, u)| n > 0 && n.saturating_mul(10) >= visits && u > value)
}
