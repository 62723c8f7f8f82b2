//! Time controls and what is left on the players' clocks.

use std::time::Duration;

use kiebitz_go::Color;
use kiebitz_search::timing::{self, Allocation, Overtime, PlayerClock};

/// How much time the players have.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) enum Control {
    /// As much as they like.
    #[default]
    Unlimited,
    /// `main` for the whole game.
    Absolute { main: Duration },
    /// After `main`, `stones` moves in every `period`.
    Canadian { main: Duration, period: Duration, stones: u32 },
    /// After `main`, `periods` times `period`, each renewed by a move within it.
    Byoyomi { main: Duration, period: Duration, periods: u32 },
    /// `main`, and `increment` after every move.
    Fischer { main: Duration, increment: Duration },
    /// As Fischer; the clock never holds more than `limit`, a move never takes more than `longest`.
    FischerCapped { main: Duration, increment: Duration, limit: Duration, longest: Duration },
}

/// What the controller said is left for one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Left {
    /// Time.
    pub time: Duration,
    /// Stones to be played in it (Canadian) or periods (byo-yomi); 0 in the main time.
    pub stones: u32,
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clocks {
    control: Control,
    left: [Option<Left>; 2],
}

/// Seconds that may come from anybody as a duration of at most a thousand years.
pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, 3.2e10)).unwrap_or_default()
}

/// Time lost on the way between the controller and us.
const LAG: Duration = Duration::from_millis(100);

impl Clocks {
    /// New time controls; both clocks start afresh.
    pub fn set(&mut self, control: Control) {
        *self = Clocks { control, left: [None; 2] };
    }

    /// A new game under the same controls.
    pub fn restart(&mut self) {
        self.left = [None; 2];
    }

    pub fn set_left(&mut self, color: Color, left: Left) {
        self.left[color.index()] = Some(left);
    }

    /// The player's clock; `None` without time control.
    fn clock(&self, color: Color) -> Option<PlayerClock> {
        let left = self.left[color.index()];
        let (main, increment, overtime) = match self.control {
            Control::Unlimited => return None,
            Control::Absolute { main } => (main, Duration::ZERO, Overtime::None),
            Control::Canadian { main, period, stones } => {
                (main, Duration::ZERO, Overtime::Canadian { left: period, moves: stones })
            }
            Control::Byoyomi { main, period, periods } => (main, Duration::ZERO, Overtime::Byoyomi { period, periods }),
            Control::Fischer { main, increment } => (main, increment, Overtime::None),
            Control::FischerCapped { main, increment, limit, .. } => (main.min(limit), increment, Overtime::None),
        };
        let (main, overtime) = match (left, overtime) {
            (None, overtime) => (main, overtime),
            (Some(left), Overtime::Canadian { .. }) if left.stones > 0 => {
                (Duration::ZERO, Overtime::Canadian { left: left.time, moves: left.stones })
            }
            (Some(left), Overtime::Byoyomi { .. }) if left.stones > 0 => {
                (Duration::ZERO, Overtime::Byoyomi { period: left.time, periods: left.stones })
            }
            (Some(left), overtime) => (left.time, overtime),
        };
        Some(PlayerClock { main, increment, overtime, lag: LAG })
    }

    /// Time for the player's next move in a game of `points` points in which it has made `played` moves.
    pub fn allocate(&self, color: Color, points: u32, played: u32) -> Option<Allocation> {
        let clock = self.clock(color)?;
        let typical = points * 3 / 10;
        let left = timing::moves_left(typical, played, 12);
        let progress = f64::from(played) / f64::from((played + left).max(1));
        let mut allocation = timing::allocate(&clock, left, timing::emphasis(progress));
        if let Control::FischerCapped { longest, .. } = self.control {
            allocation.target = allocation.target.min(longest);
            allocation.maximum = allocation.maximum.min(longest);
        }
        Some(allocation)
    }

    /// The player has moved: what it took is gone until the controller says something else.
    pub fn spend(&mut self, color: Color, took: Duration) {
        let (start, increment, cap) = match self.control {
            Control::Absolute { main } => (main, Duration::ZERO, Duration::MAX),
            Control::Fischer { main, increment } => (main, increment, Duration::MAX),
            Control::FischerCapped { main, increment, limit, .. } => (main, increment, limit),
            Control::Canadian { main, .. } | Control::Byoyomi { main, .. } if main > Duration::ZERO => {
                (main, Duration::ZERO, Duration::MAX)
            }
            _ => return,
        };
        let left = self.left[color.index()].unwrap_or(Left { time: start, stones: 0 });
        if left.stones == 0 {
            let time = left.time.saturating_sub(took).saturating_add(increment).min(cap);
            self.left[color.index()] = Some(Left { time, stones: 0 });
        }
    }
}
