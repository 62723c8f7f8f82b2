//! Counting nodes against the budget, the clock and the stop flag.

use std::time::Duration;

use kiebitz_core::Game;

use crate::{Context, Report, SearchError, StopReason};

/// The budget of one run. It never ends a search before [`Limit::arm`], so that at least one action has a value; until then it
/// only asks for haste.
#[derive(Debug)]
pub(crate) struct Limit<'a, G: Game> {
    context: &'a Context<'a, G>,
    start: Duration,
    deadline: Option<Duration>,
    visits: u64,
    max_visits: u64,
    /// The clock is read once in this many nodes.
    clock_every: u64,
    armed: bool,
    last_progress: Duration,
    reason: Option<StopReason>,
}

impl<'a, G: Game> Limit<'a, G> {
    /// Starts the clock, to be read once in `clock_every` nodes. A search that ends by itself (because of a depth) needs no
    /// budget.
    pub fn new(context: &'a Context<'a, G>, ends_by_itself: bool, clock_every: u64) -> Result<Self, SearchError> {
        if !context.budget.is_limited() && !ends_by_itself {
            return Err(SearchError::NoBudget);
        }
        let start = context.clock.now();
        Ok(Limit {
            context,
            start,
            deadline: context.budget.time.map(|time| start.saturating_add(time)),
            visits: 0,
            max_visits: context.budget.visits.unwrap_or(u64::MAX),
            clock_every,
            armed: false,
            last_progress: start,
            reason: None,
        })
    }

    /// From now on the budget counts.
    pub fn arm(&mut self) {
        self.armed = true;
    }

    /// Counts one node and answers whether it may be searched. Once it said no, it always does.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.is_over() && self.armed {
            return false;
        }
        self.visits += 1;
        true
    }

    fn is_over(&mut self) -> bool {
        if self.reason.is_none() {
            let late = |now: Duration| self.deadline.is_some_and(|deadline| now >= deadline);
            if self.context.stopped() {
                self.reason = Some(StopReason::Stopped);
            } else if self.visits >= self.max_visits {
                self.reason = Some(StopReason::Visits);
            } else if self.visits.is_multiple_of(self.clock_every) && late(self.context.clock.now()) {
                self.reason = Some(StopReason::Time);
            }
        }
        self.reason.is_some()
    }

    /// Whether the budget ran out before there was an action: whatever ends the search soon is right.
    pub fn is_hasty(&self) -> bool {
        !self.armed && self.reason.is_some()
    }

    /// Nodes counted.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Why the budget ran out, if it did.
    pub fn reason(&self) -> Option<StopReason> {
        self.reason
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.context.clock.now().saturating_sub(self.start)
    }

    /// Whether somebody listens and the last progress report is long enough ago.
    pub fn progress_is_due(&self) -> bool {
        self.context.progress.is_some()
            && self.context.clock.now().saturating_sub(self.last_progress) >= self.context.progress_every
    }

    /// Hands out a progress report.
    pub fn progress(&mut self, report: &Report<G>) {
        if let Some(listener) = self.context.progress {
            self.last_progress = self.context.clock.now();
            listener(report);
        }
    }
}
