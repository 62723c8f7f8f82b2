//! The threads of a tree search: who simulates when, and when all of them stop.
//!
//! The thread that called takes part as worker 0, which also watches for a settled result and reports progress. Counters
//! that every simulation touches belong to one worker each and lie on lines of their own; shared ones are touched rarely.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kiebitz_core::{Budget, Game, Knowledge};

use crate::select::Rule;
use crate::tree::{Job, MAX_VISITS, Root, RowStats, Totals, Tree, TreeSettings, Worker, report};
use crate::{Context, Report, StopReason, timing};

/// Simulations between two looks at whether the result is settled.
const SETTLE_EVERY: u64 = 32;

/// Simulations that a worker of a shared tree draws at once from the common budget.
const TICKETS: u64 = 16;

/// Times between two looks at the clock are kept between these.
const CLOCK_OFTEN: Duration = Duration::from_micros(250);
const CLOCK_SELDOM: Duration = Duration::from_millis(1);

/// What one worker found, on cache lines of its own.
#[repr(align(128))]
struct Slot {
    done: AtomicU64,
    depth: AtomicU32,
    /// For each root child of the worker's tree. Locked for every simulation, almost always by its owner alone.
    rows: Mutex<Vec<RowStats>>,
}

impl Slot {
    fn rows(&self) -> MutexGuard<'_, Vec<RowStats>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Simulations given out of a shared tree's budget, away from what every simulation reads.
#[derive(Default)]
#[repr(align(128))]
struct Given(AtomicU64);

/// How often one worker looks at the clock: reading it can cost as much as a simulation of a tiny game.
struct Pace {
    every: u32,
    since: u32,
    last: Duration,
}

impl Pace {
    /// The time, when it is time to look.
    fn look(&mut self, now: impl FnOnce() -> Duration) -> Option<Duration> {
        self.since += 1;
        if self.since < self.every {
            return None;
        }
        let now = now();
        let passed = now.saturating_sub(self.last);
        if passed < CLOCK_OFTEN {
            self.every = (self.every * 2).min(1024);
        } else if passed > CLOCK_SELDOM {
            let ratio = CLOCK_SELDOM.as_secs_f64() / passed.as_secs_f64();
            self.every = ((f64::from(self.every) * ratio) as u32).max(1);
        }
        (self.since, self.last) = (0, now);
        Some(now)
    }
}

/// Ends the run when the worker that holds it panics (in a game or its knowledge): the others should not go on to the end of
/// the budget before the panic is passed on.
struct EndOnPanic<'a>(&'a AtomicU8);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(number(StopReason::Stopped), Ordering::Relaxed);
        }
    }
}

/// All workers of a run and what they share.
pub(crate) struct Crew<'a, G: Game, K, R> {
    context: &'a Context<'a, G>,
    start: Duration,
    deadline: Option<Duration>,
    /// The deadline while the result is unclear; not before `deadline`.
    extended: Option<Duration>,
    /// Simulations of this run at most.
    limit: u64,
    early_stop: bool,
    job: &'a Job<'a, G, K, R>,
    root: &'a Root<G::Action>,
    trees: &'a [Tree<G::Action>],
    slots: Vec<Slot>,
    depth: u32,
    given: Given,
    /// 0 while running, else 1 + the reason.
    ended: AtomicU8,
}

const REASONS: [StopReason; 5] =
    [StopReason::Visits, StopReason::Time, StopReason::Stopped, StopReason::Settled, StopReason::Complete];

/// A reason as [`Crew::ended`] holds it.
fn number(reason: StopReason) -> u8 {
    REASONS.iter().position(|&r| r == reason).unwrap_or(0) as u8 + 1
}

impl<'a, G: Game, K: Knowledge<G>, R: Rule> Crew<'a, G, K, R> {
    /// A crew for `job`; `stats` are the payoffs at the root of each tree from earlier runs, `depth` their depth.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        context: &'a Context<'a, G>,
        budget: Budget,
        start: Duration,
        settings: &TreeSettings,
        job: &'a Job<'a, G, K, R>,
        root: &'a Root<G::Action>,
        trees: &'a [Tree<G::Action>],
        mut stats: Vec<Vec<RowStats>>,
        depth: u32,
    ) -> Self {
        let mut slots = Vec::new();
        for thread in 0..settings.threads.max(1) {
            let mut rows = stats.get_mut(thread).map(std::mem::take).unwrap_or_default();
            rows.resize(trees[thread % trees.len()].root_children().len(), RowStats::default());
            slots.push(Slot { done: AtomicU64::new(0), depth: AtomicU32::new(0), rows: Mutex::new(rows) });
        }
        let room = MAX_VISITS.saturating_sub(trees.iter().map(Tree::root_visits).max().unwrap_or(0));
        Crew {
            context,
            start,
            deadline: budget.time.map(|time| start.saturating_add(time)),
            extended: budget.time.map(|time| start.saturating_add(context.maximum.unwrap_or(time).max(time))),
            limit: budget.visits.unwrap_or(u64::MAX).min(room).max(1),
            early_stop: settings.early_stop,
            job,
            root,
            trees,
            slots,
            depth,
            given: Given::default(),
            ended: AtomicU8::new(0),
        }
    }

    /// Lets the workers run to the end of the budget.
    pub fn work(&self, workers: &mut [Worker<'a, G, K, R>]) -> Report<G> {
        if let Some((first, others)) = workers.split_first_mut() {
            std::thread::scope(|scope| {
                for (i, worker) in others.iter_mut().enumerate() {
                    scope.spawn(move || self.work_alone(worker, i + 1));
                }
                self.work_alone(first, 0);
            });
        }
        let stop = match self.ended.load(Ordering::Relaxed) {
            0 => StopReason::Visits,
            n => REASONS[usize::from(n) - 1],
        };
        self.report(stop, self.context.clock.now())
    }

    /// The payoffs at the root of each tree.
    pub fn into_stats(self) -> Vec<Vec<RowStats>> {
        let mut stats: Vec<Vec<RowStats>> = Vec::new();
        for (thread, slot) in self.slots.into_iter().enumerate() {
            let rows = slot.rows.into_inner().unwrap_or_else(PoisonError::into_inner);
            match stats.get_mut(thread % self.trees.len()) {
                None => stats.push(rows),
                Some(sum) => sum.iter_mut().zip(&rows).for_each(|(sum, row)| sum.merge(row)),
            }
        }
        stats
    }

    /// Ends the run; the first reason counts.
    fn end(&self, reason: StopReason) {
        let _ = self.ended.compare_exchange(0, number(reason), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Draws simulations from the budget: from the common one in a shared tree, from the worker's own share otherwise.
    fn draw(&self, index: usize, own: u64) -> u64 {
        let threads = self.slots.len() as u64;
        if self.trees.len() > 1 {
            let share = self.limit / threads + u64::from((index as u64) < self.limit % threads);
            return share - own;
        }
        if threads == 1 {
            return self.limit - own;
        }
        let mut given = self.given.0.load(Ordering::Relaxed);
        loop {
            let left = self.limit - given;
            let chunk = TICKETS.min((left / (4 * threads)).max(1)).min(left);
            match self.given.0.compare_exchange_weak(given, given + chunk, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return chunk,
                Err(seen) => given = seen,
            }
        }
    }

    fn work_alone(&self, worker: &mut Worker<'a, G, K, R>, index: usize) {
        let _guard = EndOnPanic(&self.ended);
        self.simulations(worker, index);
        worker.flush();
    }

    fn simulations(&self, worker: &mut Worker<'a, G, K, R>, index: usize) {
        let slot = &self.slots[index];
        let mut pace = Pace { every: 1, since: 0, last: self.start };
        let mut reported = self.start;
        let mut sums = Vec::new();
        let watches_clock = self.deadline.is_some() || (index == 0 && self.context.progress.is_some());
        let (mut tickets, mut own) = (0, 0);
        loop {
            // At least one simulation is always done: worker 0's first.
            if own > 0 || index > 0 {
                if self.ended.load(Ordering::Relaxed) != 0 {
                    return;
                }
                if self.context.stopped() {
                    return self.end(StopReason::Stopped);
                }
            }
            if tickets == 0 {
                tickets = self.draw(index, own);
                if tickets == 0 {
                    return;
                }
            }
            let sample = worker.simulate();
            tickets -= 1;
            own += 1;
            slot.done.store(own, Ordering::Relaxed);
            if sample.depth > slot.depth.load(Ordering::Relaxed) {
                slot.depth.store(sample.depth, Ordering::Relaxed);
            }
            if let Some(child) = sample.child
                && let Some(row) = slot.rows().get_mut(child)
            {
                row.add(&sample);
            }
            if watches_clock && let Some(now) = pace.look(|| self.context.clock.now()) {
                if self.is_late(now, index, &mut sums) {
                    return self.end(StopReason::Time);
                }
                if index == 0
                    && let Some(progress) = self.context.progress
                    && now.saturating_sub(reported) >= self.context.progress_every
                {
                    reported = now;
                    progress(&self.report(StopReason::Stopped, now));
                }
            }
            if index == 0 && self.early_stop {
                if self.root.len() == 1 {
                    return self.end(StopReason::Complete);
                }
                if own % SETTLE_EVERY == 0 && self.is_settled(pace.last, &mut sums) {
                    return self.end(StopReason::Settled);
                }
            }
        }
    }

    /// Whether the time is over. Worker 0 alone decides whether the result is clear enough to end before the extended deadline,
    /// so that the others do not end a run that it wants to go on with.
    fn is_late(&self, now: Duration, index: usize, sums: &mut Vec<(u64, f64)>) -> bool {
        let (Some(deadline), Some(extended)) = (self.deadline, self.extended) else { return false };
        now >= extended || (now >= deadline && index == 0 && !self.is_unclear(sums))
    }

    /// Whether another root action than the most visited one has the best value.
    fn is_unclear(&self, sums: &mut Vec<(u64, f64)>) -> bool {
        self.root.sums(self.trees, sums);
        timing::is_unclear(sums.iter().map(|&(n, sum)| (n, if n == 0 { 0.0 } else { sum / n as f64 })))
    }

    /// Whether the best root action stays the most visited whatever the rest of the budget does.
    fn is_settled(&self, now: Duration, sums: &mut Vec<(u64, f64)>) -> bool {
        let done: u64 = self.slots.iter().map(|slot| slot.done.load(Ordering::Relaxed)).sum();
        let mut left = self.limit.saturating_sub(done);
        if let (Some(deadline), Some(extended)) = (self.deadline, self.extended) {
            let deadline = if extended > deadline && self.is_unclear(sums) { extended } else { deadline };
            let elapsed = now.saturating_sub(self.start);
            left = left.min(timing::visits_left(done, elapsed, deadline.saturating_sub(now)));
        }
        self.root.sums(self.trees, sums);
        let (mut best, mut second) = (0, 0);
        for &(n, _) in sums.iter() {
            if n > best {
                (best, second) = (n, best);
            } else if n > second {
                second = n;
            }
        }
        timing::is_settled(best, second, left)
    }

    fn report(&self, stop: StopReason, now: Duration) -> Report<G> {
        let stats: Vec<_> = (0..self.slots.len())
            .map(|thread| (thread % self.trees.len(), self.slots[thread].rows().clone()))
            .collect();
        let depth = self.slots.iter().map(|slot| slot.depth.load(Ordering::Relaxed)).max().unwrap_or(0);
        let totals = Totals { depth: depth.max(self.depth), elapsed: now.saturating_sub(self.start), stop };
        report(self.job.root, self.root, self.trees, &stats, self.job.rule.uses_prior(), totals)
    }
}
