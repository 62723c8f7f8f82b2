//! The players' clocks in a running game.

use std::time::Duration;

use kiebitz_core::Seat;
use kiebitz_search::timing::{Overtime, PlayerClock};

use super::TimeSettings;

/// What a move did to its player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// It was made in time.
    InTime,
    /// The flag fell: the player has lost on time.
    Fallen,
}

/// What a player's clock shows, in the form of GTP's `time_left`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Time left: of the main time, or of the period in overtime.
    pub time: Duration,
    /// In overtime: Canadian moves still to play in the period, or byo-yomi periods left. 0 in the main time.
    pub stones: u32,
}

/// One player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    /// Main time left; zero in overtime.
    main: Duration,
    /// Time left in the period: less than a whole one only under Canadian overtime or where a controller said so.
    period: Duration,
    /// Periods left (byo-yomi), or moves left in this period (Canadian).
    stones: u32,
    fallen: bool,
}

/// The clocks of all players of a game. Whoever referees calls [`ClockState::spend`] after every move; where a controller keeps
/// the time, what it says ([`ClockState::set_time_left`]) replaces the own count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockState {
    settings: TimeSettings,
    sides: Vec<Side>,
}

impl ClockState {
    /// The clocks of `players` players before the first move.
    pub fn new(settings: TimeSettings, players: u8) -> Self {
        let (period, stones) = overtime(&settings);
        let side = Side { main: settings.main(), period, stones, fallen: false };
        ClockState { settings, sides: vec![side; usize::from(players)] }
    }

    /// No limit for anyone.
    pub fn unlimited(players: u8) -> Self {
        ClockState::new(TimeSettings::None, players)
    }

    /// The time system.
    pub fn settings(&self) -> &TimeSettings {
        &self.settings
    }

    /// Sets all clocks back to the start.
    pub fn restart(&mut self) {
        *self = ClockState::new(self.settings, self.sides.len() as u8);
    }

    /// Takes over what a controller says of a player's clock (GTP's `time_left`, KGS's habit of sending byo-yomi periods as
    /// stones included). Ignored for a seat that is not there.
    pub fn set_time_left(&mut self, seat: Seat, time: Duration, stones: u32) {
        let settings = self.settings;
        let Some(side) = self.sides.get_mut(usize::from(seat)) else { return };
        let (period, all) = overtime(&settings);
        let overtime = stones > 0 && matches!(settings, TimeSettings::Byoyomi { .. } | TimeSettings::Canadian { .. });
        *side = if overtime {
            Side { main: Duration::ZERO, period: time.min(period), stones, fallen: false }
        } else {
            Side { main: time, period, stones: all, fallen: false }
        };
    }

    /// Counts a move that took `elapsed` on a player's clock.
    pub fn spend(&mut self, seat: Seat, elapsed: Duration) -> Flag {
        let settings = self.settings;
        let Some(side) = self.sides.get_mut(usize::from(seat)) else { return Flag::InTime };
        let over = elapsed.saturating_sub(side.main);
        match settings {
            TimeSettings::None => {}
            TimeSettings::Absolute { .. } => side.fallen |= !over.is_zero(),
            TimeSettings::Fischer { increment, .. } => {
                side.fallen |= !over.is_zero();
                side.main = side.main.saturating_sub(elapsed).saturating_add(increment);
                return side.flag();
            }
            TimeSettings::FischerCapped { increment, limit, longest, .. } => {
                side.fallen |= !over.is_zero() || elapsed > longest;
                let kept = side.main.saturating_sub(elapsed);
                // A clock that started above the limit keeps what it has.
                side.main = kept.saturating_add(increment).min(limit.max(kept));
                return side.flag();
            }
            TimeSettings::Byoyomi { period, .. } => {
                let mut over = over;
                while over > side.period && side.stones > 0 {
                    over -= side.period;
                    side.stones -= 1;
                    side.period = period;
                }
                side.fallen |= side.stones == 0 && !over.is_zero();
                side.period = period;
            }
            TimeSettings::Canadian { period, moves, .. } => {
                if side.main.is_zero() || !over.is_zero() {
                    side.fallen |= over > side.period;
                    side.period = side.period.saturating_sub(over);
                    side.stones = side.stones.saturating_sub(1);
                    if side.stones == 0 {
                        (side.period, side.stones) = (period, moves);
                    }
                }
            }
        }
        if settings != TimeSettings::None {
            side.main = side.main.saturating_sub(elapsed);
        }
        side.flag()
    }

    /// Whether a player has lost on time.
    pub fn has_fallen(&self, seat: Seat) -> bool {
        self.sides.get(usize::from(seat)).is_some_and(|side| side.fallen)
    }

    /// What a player's clock shows; `None` without a limit or for a seat that is not there.
    pub fn remaining(&self, seat: Seat) -> Option<Remaining> {
        let side = self.limited(seat)?;
        Some(match self.settings {
            TimeSettings::Byoyomi { .. } | TimeSettings::Canadian { .. } if side.main.is_zero() => {
                Remaining { time: side.period, stones: side.stones }
            }
            _ => Remaining { time: side.main, stones: 0 },
        })
    }

    /// How long a player's next move may take before it loses on time; `None` without a limit.
    pub fn flag_falls_after(&self, seat: Seat) -> Option<Duration> {
        let side = self.limited(seat)?;
        Some(match self.settings {
            TimeSettings::Byoyomi { period, .. } => {
                let later = period.saturating_mul(side.stones.saturating_sub(1));
                side.main.saturating_add(side.period).saturating_add(later)
            }
            TimeSettings::Canadian { .. } => side.main.saturating_add(side.period),
            TimeSettings::FischerCapped { longest, .. } => side.main.min(longest),
            _ => side.main,
        })
    }

    /// The clock from which the time of a player's next move is allocated ([`kiebitz_search::timing::allocate`]); `None` without a
    /// limit.
    ///
    /// `lag` is lost on every move on the way. Where nothing renews itself, the time for the lag of `reserve` more moves is held
    /// back, though not more than half of what there was at the start: games can be longer than anyone expects.
    pub fn player_clock(&self, seat: Seat, lag: Duration, reserve: u32) -> Option<PlayerClock> {
        let side = self.limited(seat)?;
        let mut clock =
            PlayerClock { main: side.main, increment: Duration::ZERO, overtime: Overtime::None, lag, longest: None };
        match self.settings {
            TimeSettings::None => return None,
            TimeSettings::Absolute { .. } => {}
            TimeSettings::Canadian { .. } => {
                clock.overtime = Overtime::Canadian { left: side.period, moves: side.stones.max(1) };
            }
            TimeSettings::Byoyomi { .. } => {
                clock.overtime = Overtime::Byoyomi { period: side.period, periods: side.stones };
            }
            TimeSettings::Fischer { increment, .. } => clock.increment = increment,
            TimeSettings::FischerCapped { increment, longest, .. } => {
                clock.increment = increment;
                clock.longest = Some(longest);
            }
        }
        if clock.overtime == Overtime::None {
            let quick = lag.saturating_add(kiebitz_search::timing::LEAST);
            // What a move costs that is made at once, and what must be there to make the last one.
            let each = quick.saturating_sub(clock.increment);
            let held = each.saturating_mul(reserve).saturating_add(quick).min(self.settings.main() / 2);
            // A clock is never run down to its last moment.
            let held = held.max(side.main / 10);
            clock.main = side.main.saturating_sub(held);
            // The lag comes out of what was held back.
            clock.main = clock.main.saturating_add(lag.min(held));
        }
        Some(clock)
    }

    fn limited(&self, seat: Seat) -> Option<&Side> {
        if self.settings.is_none() { None } else { self.sides.get(usize::from(seat)) }
    }
}

impl Side {
    fn flag(&self) -> Flag {
        if self.fallen { Flag::Fallen } else { Flag::InTime }
    }
}

/// The length of a period, and its moves or how many there are.
fn overtime(settings: &TimeSettings) -> (Duration, u32) {
    match *settings {
        TimeSettings::Canadian { period, moves, .. } => (period, moves),
        TimeSettings::Byoyomi { period, periods, .. } => (period, periods),
        _ => (Duration::ZERO, 0),
    }
}
