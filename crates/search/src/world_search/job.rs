//! What all simulations of a run share, and the report made of what they found.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kiebitz_core::{Game, Knowledge, Meta, Seat, Seen};

use super::{ChanceNodes, Params};
use crate::search::choosable;
use crate::{Context, PayoffStats, Report, Row, StopReason};

/// Sums of one root action.
#[derive(Clone, Debug)]
pub(super) struct RootSums<A> {
    pub(super) action: A,
    pub(super) available: u64,
    pub(super) prior: f64,
    pub(super) utility: PayoffStats,
    pub(super) returns: PayoffStats,
}

/// What one thread found so far.
#[derive(Clone, Debug)]
pub(super) struct Part<A> {
    pub(super) rows: Vec<RootSums<A>>,
    pub(super) nodes: usize,
    pub(super) bytes: usize,
    pub(super) depth: u32,
}

/// What all threads share.
pub(super) struct Control<A> {
    pub(super) start: Duration,
    /// Simulations in all and per root action, as published by the threads now and then.
    pub(super) done: AtomicU64,
    pub(super) counts: Vec<(A, AtomicU64)>,
    pub(super) settled: AtomicBool,
    /// The latest state of the other threads, for progress reports.
    pub(super) parts: Mutex<Vec<Option<Part<A>>>>,
}

/// What a run does not change.
pub(super) struct Job<'a, G: Game, K> {
    pub(super) root: &'a Seen<G>,
    pub(super) meta: Meta,
    pub(super) knowledge: &'a K,
    pub(super) params: Params,
    /// All threads grow one forest.
    pub(super) shared: bool,
    pub(super) context: &'a Context<'a, G>,
    pub(super) control: Control<G::Action>,
}

impl<A> RootSums<A> {
    pub(super) fn new(action: A) -> Self {
        RootSums { action, available: 0, prior: 0.0, utility: PayoffStats::default(), returns: PayoffStats::default() }
    }
}

impl<G: Game, K: Knowledge<G>> Job<'_, G, K> {
    /// Writes what `mover` may choose from in `world`, after so many choices of the players since the root.
    pub(super) fn list_actions(&self, world: &G, ply: u32, mover: Seat, actions: &mut Vec<G::Action>) {
        world.actions(actions);
        choosable(self.context.restrictions, self.knowledge, world, actions, ply, mover);
    }

    pub(super) fn has_own_node(&self, kind: u8) -> bool {
        match self.params.chance {
            ChanceNodes::Never => false,
            ChanceNodes::Always => true,
            ChanceNodes::Listed => self.meta.chance.get(usize::from(kind)).is_some_and(|k| k.listed),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.context.clock.now().saturating_sub(self.control.start)
    }

    pub(super) fn is_over_time(&self) -> bool {
        self.context.budget.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// How many simulations are still to come at most; by time, an estimate on the safe side from the speed so far.
    pub(super) fn remaining(&self, done: u64) -> f64 {
        let by_visits = self.context.budget.visits.map_or(f64::INFINITY, |v| v.saturating_sub(done) as f64);
        let by_time = self.context.budget.time.map_or(f64::INFINITY, |limit| {
            let elapsed = self.elapsed();
            let left = limit.saturating_sub(elapsed).as_secs_f64();
            if elapsed.is_zero() { f64::INFINITY } else { 1.25 * left / elapsed.as_secs_f64() * done as f64 }
        });
        by_visits.min(by_time)
    }

    /// Whether the action with most visits stays it whatever comes. What is not published yet counts as still to come,
    /// so that the answer is safe with several threads.
    pub(super) fn is_settled(&self) -> Option<StopReason> {
        let control = &self.control;
        if control.counts.len() == 1 {
            return Some(StopReason::Complete);
        }
        let done = control.done.load(Ordering::Acquire);
        let (mut most, mut second, mut sum) = (0, 0, 0);
        for (_, count) in &control.counts {
            let count = count.load(Ordering::Relaxed);
            sum += count;
            if count > most {
                (most, second) = (count, most);
            } else {
                second = second.max(count);
            }
        }
        // Actions that the world at hand did not show, if there are any.
        second = second.max(done.saturating_sub(sum));
        ((most.saturating_sub(second)) as f64 > self.remaining(done.min(sum))).then_some(StopReason::Settled)
    }

    pub(super) fn report(
        &self,
        parts: Vec<Part<G::Action>>,
        stop: StopReason,
        line: impl Fn(G::Action) -> Vec<G::Action>,
    ) -> Report<G> {
        let seat = self.root.seat();
        let nodes: usize = parts.iter().map(|p| p.nodes).sum();
        let bytes: usize = parts.iter().map(|p| p.bytes).sum();
        let depth = parts.iter().map(|p| p.depth).max().unwrap_or(0);
        let mut all: Vec<_> = parts.into_iter().flat_map(|p| p.rows).collect();
        // Stable: equal actions stay in the order of their threads, so sums come out the same every time.
        all.sort_by_key(|sums| sums.action);
        let mut merged: Vec<RootSums<G::Action>> = Vec::new();
        for sums in all {
            match merged.last_mut() {
                Some(last) if last.action == sums.action => {
                    last.available += sums.available;
                    last.utility.merge(&sums.utility);
                    last.returns.merge(&sums.returns);
                }
                _ => merged.push(sums),
            }
        }
        let visits = merged.iter().map(|sums| sums.utility.count()).sum();
        merged.retain(|sums| sums.utility.count() > 0);
        let mut rows: Vec<Row<G::Action>> = merged
            .iter()
            .map(|sums| {
                let (utility, utility_error) = sums.utility.utilities();
                Row {
                    action: sums.action,
                    visits: sums.utility.count(),
                    availability: sums.available,
                    prior: (self.params.rule.bias > 0.0).then_some(sums.prior),
                    utility,
                    utility_error,
                    returns: Some(sums.returns.payoffs()),
                    pv: line(sums.action),
                    pv_visits: Vec::new(),
                    proven: false,
                }
            })
            .collect();
        rows.sort_by(|a, b| {
            b.visits
                .cmp(&a.visits)
                .then(b.utility.of(seat).total_cmp(&a.utility.of(seat)))
                .then(a.action.cmp(&b.action))
        });
        Report { seat, rows, visits, nodes: nodes as u64, bytes: bytes as u64, depth, elapsed: self.elapsed(), stop }
    }
}
