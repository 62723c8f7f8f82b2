//! How long a player may think, and the clock it reads. No clock is ever read that was not passed in.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A limit in simulations, in time, or both (whichever comes first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Budget {
    /// At most this many simulations (nodes for depth-first searches).
    pub visits: Option<u64>,
    /// At most this much time.
    pub time: Option<Duration>,
}

impl Budget {
    /// A budget of simulations.
    pub fn visits(visits: u64) -> Self {
        Budget { visits: Some(visits), time: None }
    }

    /// A budget of time.
    pub fn time(time: Duration) -> Self {
        Budget { visits: None, time: Some(time) }
    }

    /// Whether it limits anything.
    pub fn is_limited(&self) -> bool {
        self.visits.is_some() || self.time.is_some()
    }

    /// This budget where it says something, else `other`.
    pub fn or(self, other: Budget) -> Budget {
        if self.is_limited() { self } else { other }
    }
}

/// A monotonic clock.
pub trait Clock: Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// A clock that stands still unless told otherwise: for tests, and for budgets without time.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(by.as_nanos() as u64, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}
