//! The simulations of open-loop search and of information-set search, and their threads: a fresh world for each simulation,
//! a walk down the trees of an [`ActionTree`](crate::action_tree::ActionTree), a playout, and sums that are merged exactly.

mod forest;
mod job;
mod keys;
mod line;
mod observers;
mod single;
mod threads;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};

use kiebitz_core::{Game, Knowledge, Seat, Seen};

use self::forest::{Forest, lock};
use self::job::{Control, Job};
use self::worker::Worker;
use crate::action_tree::{ROOT, Rule};
use crate::search::choosable;
use crate::{Context, Parallel, Report, SearchError, StopReason};

pub(crate) use self::threads::{root_actions, run_threads};

/// Where the tree has a node of its own for every outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ChanceNodes {
    /// Nowhere: what follows is shared by all outcomes (open loop).
    Never,
    /// After chance whose outcomes are listed (dice, single draws); a deal of a whole deck is shared.
    #[default]
    Listed,
    /// After every event of chance.
    Always,
}

/// Whose information the nodes of the tree stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Observers {
    /// That of the searching seat: one tree for all.
    #[default]
    Single,
    /// That of the seat that acts: one tree for each seat, descended together.
    Multiple,
    /// As `Multiple`, and what the other seats learn is measured in worlds re-drawn from their view.
    Redeterminize,
}

/// What the simulations need to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params {
    pub(crate) rule: Rule,
    pub(crate) threads: usize,
    pub(crate) parallel: Parallel,
    /// MiB for all trees together.
    pub(crate) memory: usize,
    pub(crate) early: bool,
    pub(crate) chance: ChanceNodes,
    pub(crate) observers: Observers,
}

/// What a search learned of one action (or outcome of chance) after some line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch<A> {
    /// The seat that acts; `None` for chance.
    pub by: Option<Seat>,
    /// The action, as the searching seat sees it (with several observers: as the acting seat does).
    pub action: A,
    /// Simulations through it.
    pub visits: u64,
    /// How often it was legal when the line was reached, counted from the simulation that met it first.
    pub availability: u64,
    /// Mean utility of the seat that acts; 0 for chance and without visits.
    pub mean: f64,
}

/// Whose position the last run searched.
#[derive(Clone, Copy, Debug)]
struct Last {
    observers: Observers,
    viewer: Seat,
    key: u128,
}

/// The trees of a search; they are kept after a run to be asked about, and their memory for the next.
pub(crate) struct WorldSearch<G: Game, K: Knowledge<G>> {
    workers: Vec<Worker<G, K::Buffer>>,
    /// One for each thread, or one for all.
    forests: Vec<Mutex<Forest<G::Action>>>,
    last: Option<Last>,
}

impl<G: Game, K: Knowledge<G>> WorldSearch<G, K> {
    pub(crate) fn new() -> Self {
        WorldSearch { workers: Vec::new(), forests: Vec::new(), last: None }
    }

    /// Forgets what was learned; the memory is kept, since players of games with hidden information start afresh with every
    /// move.
    pub(crate) fn reset(&mut self) {
        self.last = None;
        self.workers.iter_mut().for_each(Worker::forget);
        self.forests.iter_mut().for_each(|forest| forest.get_mut().unwrap_or_else(PoisonError::into_inner).clear());
    }

    pub(crate) fn run(
        &mut self,
        mut params: Params,
        knowledge: &K,
        root: &Seen<G>,
        context: &Context<'_, G>,
    ) -> Result<Report<G>, SearchError> {
        let mut actions = root_actions(root)?;
        let legal = actions.len();
        choosable(context.restrictions, knowledge, root.sample_world(), &mut actions, 0, root.seat());
        // Who allows one action of several wants to know its value.
        params.early &= actions.len() > 1 || legal == 1;
        if !context.budget.is_limited() {
            return Err(SearchError::NoBudget);
        }
        let meta = root.meta();
        if !meta.hidden {
            // Everybody sees the same, so one tree says it all.
            params.observers = Observers::Single;
        }
        let visits = context.budget.visits.map(|v| v.max(1));
        let threads = (params.threads.max(1) as u64).min(visits.unwrap_or(u64::MAX)) as usize;
        let shared = threads > 1 && params.parallel == Parallel::Tree;
        let trees = if shared { 1 } else { threads };
        let bytes = params.memory.saturating_mul(1 << 20) / trees;
        self.workers.truncate(threads);
        self.forests.truncate(trees);
        while self.workers.len() < threads {
            self.workers.push(Worker::new(root.sample_world()));
        }
        while self.forests.len() < trees {
            self.forests.push(Mutex::new(Forest::new()));
        }
        self.workers.iter_mut().for_each(|worker| worker.restart(&actions));
        for forest in &mut self.forests {
            let forest = forest.get_mut().unwrap_or_else(PoisonError::into_inner);
            forest.restart(actions[0], bytes, actions.len() + 1, params.observers != Observers::Single);
        }
        self.last = Some(Last { observers: params.observers, viewer: root.seat(), key: root.information_key() });
        let control = Control {
            start: context.clock.now(),
            done: AtomicU64::new(0),
            counts: actions.iter().map(|&a| (a, AtomicU64::new(0))).collect(),
            settled: AtomicBool::new(false),
            parts: Mutex::new((0..threads).map(|_| None).collect()),
        };
        let job = Job { root, meta, knowledge, params, shared, context, control };
        let forests = &self.forests;
        let reasons = run_threads(&mut self.workers, |index, worker| {
            let share = visits.map(|v| v / threads as u64 + u64::from((index as u64) < v % threads as u64));
            worker.work(&job, &forests[index % trees], index, share)
        });
        let part = |(index, worker): (usize, &Worker<G, K::Buffer>)| {
            worker.part(&lock(&forests[index % trees]), shared && index > 0)
        };
        let parts: Vec<_> = self.workers.iter().enumerate().map(part).collect();
        let stop = [StopReason::Stopped, StopReason::Complete, StopReason::Settled, StopReason::Time]
            .into_iter()
            .find(|reason| reasons.contains(reason))
            .unwrap_or(StopReason::Visits);
        Ok(job.report(parts, stop, |action| self.principal_variation(params.observers, root, action)))
    }

    /// The line after `action`, from the thread that visited it most.
    fn principal_variation(&self, observers: Observers, root: &Seen<G>, action: G::Action) -> Vec<G::Action> {
        let mut best = (0, 0);
        for (index, worker) in self.workers.iter().enumerate() {
            let visits = worker.visits(action);
            if index == 0 || visits > best.1 {
                best = (index, visits);
            }
        }
        let Some(forest) = self.forests.get(best.0 % self.forests.len().max(1)) else { return Vec::new() };
        line::principal(&lock(forest), observers, root, action)
    }

    /// What was learned after `line` in the last run, all threads together.
    pub(crate) fn branches(&self, line: &[G::Action]) -> Vec<Branch<G::Action>> {
        let mut all = Vec::new();
        self.forests.iter().for_each(|forest| line::after(&lock(forest), line, &mut all));
        line::merge(all)
    }

    /// What was learned at the information set of the seat to move in `world`, in the last run with several observers.
    pub(crate) fn information_set(&self, world: &G) -> Vec<Branch<G::Action>> {
        let mut all = Vec::new();
        if let (Some(last), Some(mover)) = (self.last, world.turn().seat())
            && last.observers != Observers::Single
        {
            let is_root = mover == last.viewer && world.information_key(mover) == last.key;
            for forest in &self.forests {
                let forest = lock(forest);
                let at = match is_root {
                    true => Some(ROOT),
                    false => line::information_set(&forest, last.observers, last.viewer, world),
                };
                at.into_iter().for_each(|at| line::children(&forest, at, &mut all));
            }
        }
        line::merge(all)
    }
}
