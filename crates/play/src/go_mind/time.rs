//! Time for a move of Go.

use std::time::Duration;

use kiebitz_core::Seat;
use kiebitz_go::Go;
use kiebitz_search::timing::{self, Allocation};

use crate::clock::ClockState;

/// A game is expected to have 0.6 moves of each player for every point of the board, less what has been played by both: little at
/// first, more in the middle.
const EXPECTED: f64 = 0.6;
/// But at least so many own moves are expected.
const LEAST_MOVES: u32 = 12;
/// Plies for each point in a game of usual length; the middle of the game is measured by it.
const USUAL_LENGTH: f64 = 0.75;
/// Plies for each point in a long game, and own moves for which the lag is held back at any time.
const LONG_GAME: f64 = 1.6;
const LEAST_RESERVE: u32 = 130;

/// Time for the next move of `seat` in the position `go`; `None` without a limit. `lag` is lost on every move on the way.
pub fn allocate(go: &Go, clock: &ClockState, seat: Seat, lag: Duration) -> Option<Allocation> {
    let points = go.size().points() as f64;
    let played = go.ply();
    let long = ((LONG_GAME * points - f64::from(played)) / 2.0).max(0.0) as u32;
    let clock = clock.player_clock(seat, lag, long.max(LEAST_RESERVE))?;
    let left = timing::moves_left((EXPECTED * points) as u32, played, LEAST_MOVES);
    let emphasis = timing::emphasis(f64::from(played) / (USUAL_LENGTH * points));
    Some(timing::allocate(&clock, left, emphasis))
}
