//! The simulations of open-loop search and of information-set search, and their threads: a fresh world for each simulation,
//! a walk down an [`ActionTree`], a playout, and sums that are merged exactly.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kiebitz_core::{Game, Knowledge, Luck, Meta, Outcome, Rng, Scratch, Seat, Seen, Turn};

use crate::action_tree::{ActionTree, CHANCE, Choice, Node, ROOT, Rule};
use crate::{Context, PayoffStats, Report, Row, SearchError, StopReason};

/// Purpose of [`Luck::stream`] for the simulations of a thread.
const STREAM_SIMULATIONS: u64 = 0x6973_6d63;

/// A thread looks whether the choice is settled after this many simulations.
const SETTLE_EVERY: u64 = 64;

/// A thread looks at the clock for progress reports after this many simulations.
const PROGRESS_EVERY: u64 = 16;

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

/// What the simulations need to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params {
    pub(crate) rule: Rule,
    pub(crate) threads: usize,
    /// MiB for all trees together.
    pub(crate) memory: usize,
    pub(crate) early: bool,
    pub(crate) chance: ChanceNodes,
}

/// What a search learned of one action (or outcome of chance) after some line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch<A> {
    /// The seat that acts; `None` for chance.
    pub by: Option<Seat>,
    /// The action, as the searching seat sees it.
    pub action: A,
    /// Simulations through it.
    pub visits: u64,
    /// How often it was legal when the line was reached, counted from the simulation that met it first.
    pub availability: u64,
    /// Mean utility of the seat that acts; 0 for chance and without visits.
    pub mean: f64,
}

/// The legal actions as the searching seat can tell them apart.
#[derive(Debug)]
struct Keys<A> {
    /// Whether keys and actions differ here.
    masked: bool,
    /// Key and index of each action, sorted.
    pairs: Vec<(A, u32)>,
    unique: Vec<A>,
    /// Where the actions of each key begin in `pairs`, and the end.
    starts: Vec<usize>,
}

impl<A: Copy + Ord> Keys<A> {
    fn new() -> Self {
        Keys { masked: false, pairs: Vec::new(), unique: Vec::new(), starts: Vec::new() }
    }

    /// Prepares the keys of `actions`, which `mover` may play in `world`, for `viewer`.
    fn read<G: Game<Action = A>>(&mut self, world: &G, actions: &[A], mover: Seat, viewer: Seat, hidden: bool) {
        self.masked = false;
        if !hidden || mover == viewer {
            return;
        }
        self.pairs.clear();
        for (index, &action) in actions.iter().enumerate() {
            let key = world.masked(action, viewer);
            self.masked |= key != action;
            self.pairs.push((key, index as u32));
        }
        if !self.masked {
            return;
        }
        self.pairs.sort_unstable();
        self.unique.clear();
        self.starts.clear();
        for (i, &(key, _)) in self.pairs.iter().enumerate() {
            if self.unique.last() != Some(&key) {
                self.unique.push(key);
                self.starts.push(i);
            }
        }
        self.starts.push(self.pairs.len());
    }

    fn keys<'a>(&'a self, actions: &'a [A]) -> &'a [A] {
        if self.masked { &self.unique } else { actions }
    }

    /// One of the actions behind a key, all equally likely.
    fn action(&self, key: usize, actions: &[A], rng: &mut Rng) -> A {
        if !self.masked {
            return actions[key];
        }
        let group = &self.pairs[self.starts[key]..self.starts[key + 1]];
        let chosen = if group.len() == 1 { 0 } else { rng.below(group.len()) };
        actions[group[chosen].1 as usize]
    }

    /// Sums the priors of the actions behind each key.
    fn sum_priors(&self, priors: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.extend(
            self.starts
                .windows(2)
                .map(|w| self.pairs[w[0]..w[1]].iter().map(|&(_, i)| priors[i as usize]).sum::<f32>()),
        );
    }
}

/// Sums of one root action.
#[derive(Clone, Debug)]
struct RootSums<A> {
    action: A,
    available: u64,
    prior: f64,
    utility: PayoffStats,
    returns: PayoffStats,
}

/// What one thread found so far.
#[derive(Clone, Debug)]
struct Part<A> {
    rows: Vec<RootSums<A>>,
    nodes: usize,
    depth: u32,
}

/// What all threads share.
struct Control<A> {
    start: Duration,
    /// Simulations in all and per root action, as published by the threads now and then.
    done: AtomicU64,
    counts: Vec<(A, AtomicU64)>,
    settled: AtomicBool,
    /// The latest state of the other threads, for progress reports.
    parts: Mutex<Vec<Option<Part<A>>>>,
}

/// What a run does not change.
struct Job<'a, G: Game, K> {
    root: &'a Seen<G>,
    meta: Meta,
    knowledge: &'a K,
    params: Params,
    context: &'a Context<'a, G>,
    control: Control<G::Action>,
}

/// One thread's tree, buffers and sums, on cache lines of its own.
#[repr(align(128))]
struct Worker<G: Game, B> {
    tree: ActionTree<G::Action>,
    world: G,
    scratch: Scratch<G, B>,
    keys: Keys<G::Action>,
    path: Vec<(u32, Seat)>,
    priors: Vec<f32>,
    key_priors: Vec<f32>,
    /// The root's legal actions, sorted; behind them those that only other worlds showed (a proper game has none).
    root: Vec<RootSums<G::Action>>,
    /// How much of each of the root's legal actions is published in [`Control::counts`].
    published: Vec<u64>,
    depth: u32,
}

/// The trees of a search; they are kept after a run to be asked about, and their memory for the next.
pub(crate) struct WorldSearch<G: Game, K: Knowledge<G>> {
    workers: Vec<Worker<G, K::Buffer>>,
}

impl<G: Game, K: Knowledge<G>> WorldSearch<G, K> {
    pub(crate) fn new() -> Self {
        WorldSearch { workers: Vec::new() }
    }

    /// Forgets what was learned; the memory is kept, since players of games with hidden information start afresh with every
    /// move.
    pub(crate) fn reset(&mut self) {
        self.workers.iter_mut().for_each(Worker::forget);
    }

    pub(crate) fn run(
        &mut self,
        params: Params,
        knowledge: &K,
        root: &Seen<G>,
        context: &Context<'_, G>,
    ) -> Result<Report<G>, SearchError> {
        let mut actions = root_actions(root)?;
        knowledge.prune(root.sample_world(), &mut actions);
        if !context.budget.is_limited() {
            return Err(SearchError::NoBudget);
        }
        let visits = context.budget.visits.map(|v| v.max(1));
        let threads = (params.threads.max(1) as u64).min(visits.unwrap_or(u64::MAX)) as usize;
        let bytes = params.memory.saturating_mul(1 << 20) / threads;
        let limit = (bytes / size_of::<Node<G::Action>>()).max(actions.len() + 1);
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            self.workers.push(Worker::new(root.sample_world()));
        }
        for worker in &mut self.workers {
            worker.restart(&actions, limit);
        }
        let control = Control {
            start: context.clock.now(),
            done: AtomicU64::new(0),
            counts: actions.iter().map(|&a| (a, AtomicU64::new(0))).collect(),
            settled: AtomicBool::new(false),
            parts: Mutex::new((0..threads).map(|_| None).collect()),
        };
        let job = Job { root, meta: root.meta(), knowledge, params, context, control };
        let reasons = run_threads(&mut self.workers, |index, worker| {
            let share = visits.map(|v| v / threads as u64 + u64::from((index as u64) < v % threads as u64));
            worker.work(&job, index, share)
        });
        let parts: Vec<_> = self.workers.iter().map(Worker::part).collect();
        let stop = [StopReason::Stopped, StopReason::Complete, StopReason::Settled, StopReason::Time]
            .into_iter()
            .find(|reason| reasons.contains(reason))
            .unwrap_or(StopReason::Visits);
        Ok(job.report(parts, stop, |action| self.principal_variation(root, action)))
    }

    /// The line after `action`, from the thread that visited it most.
    fn principal_variation(&self, root: &Seen<G>, action: G::Action) -> Vec<G::Action> {
        let visits =
            |w: &Worker<G, K::Buffer>| w.root.iter().find(|r| r.action == action).map_or(0, |r| r.utility.count());
        let mut best: Option<(&Worker<G, K::Buffer>, u64)> = None;
        for worker in &self.workers {
            let count = visits(worker);
            if best.is_none_or(|(_, most)| count > most) {
                best = Some((worker, count));
            }
        }
        best.map_or_else(Vec::new, |(worker, _)| worker.principal_variation(root, action))
    }

    /// What was learned after `line` in the last run, all threads together.
    pub(crate) fn branches(&self, line: &[G::Action]) -> Vec<Branch<G::Action>> {
        let mut all: Vec<(u8, Branch<G::Action>)> = Vec::new();
        for worker in &self.workers {
            let mut at = vec![ROOT];
            for action in line {
                at = at
                    .iter()
                    .flat_map(|&node| worker.tree.children(node))
                    .filter(|&child| worker.tree.node(child).action() == *action)
                    .collect();
            }
            for child in at.iter().flat_map(|&node| worker.tree.children(node)) {
                let node = worker.tree.node(child);
                let by = (node.seat() != CHANCE).then_some(node.seat());
                let (visits, availability, sum) = (node.visits(), node.available(), node.sum());
                let branch = Branch { by, action: node.action(), visits, availability, mean: sum };
                all.push((node.seat(), branch));
            }
        }
        all.sort_by_key(|(seat, branch)| (*seat, branch.action));
        let mut merged: Vec<Branch<G::Action>> = Vec::new();
        for (_, branch) in all {
            match merged.last_mut() {
                Some(last) if last.by == branch.by && last.action == branch.action => {
                    last.visits += branch.visits;
                    last.availability += branch.availability;
                    last.mean += branch.mean;
                }
                _ => merged.push(branch),
            }
        }
        // Until here `mean` held the sum.
        merged.iter_mut().filter(|b| b.visits > 0).for_each(|b| b.mean /= b.visits as f64);
        merged
    }
}

/// The legal actions of the seat to move, which it knows.
pub(crate) fn root_actions<G: Game>(root: &Seen<G>) -> Result<Vec<G::Action>, SearchError> {
    let mut actions = Vec::new();
    if root.sample_world().turn() == Turn::Seat(root.seat()) {
        root.sample_world().actions(&mut actions);
    }
    if actions.is_empty() { Err(SearchError::NotAPlayersTurn) } else { Ok(actions) }
}

/// Runs `work` on every worker, each in its own thread, the first in this one.
pub(crate) fn run_threads<W: Send, R: Send>(workers: &mut [W], work: impl Fn(usize, &mut W) -> R + Sync) -> Vec<R> {
    let Some((first, others)) = workers.split_first_mut() else { return Vec::new() };
    if others.is_empty() {
        return vec![work(0, first)];
    }
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> =
            others.iter_mut().enumerate().map(|(i, worker)| scope.spawn(move || work(i + 1, worker))).collect();
        let mut results = vec![work(0, first)];
        for handle in handles {
            match handle.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

impl<G: Game, K: Knowledge<G>> Job<'_, G, K> {
    fn has_own_node(&self, kind: u8) -> bool {
        match self.params.chance {
            ChanceNodes::Never => false,
            ChanceNodes::Always => true,
            ChanceNodes::Listed => self.meta.chance.get(usize::from(kind)).is_some_and(|k| k.listed),
        }
    }

    fn elapsed(&self) -> Duration {
        self.context.clock.now().saturating_sub(self.control.start)
    }

    fn is_over_time(&self) -> bool {
        self.context.budget.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// How many simulations are still to come at most; by time, an estimate on the safe side from the speed so far.
    fn remaining(&self, done: u64) -> f64 {
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
    fn is_settled(&self) -> Option<StopReason> {
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

    fn report(
        &self,
        parts: Vec<Part<G::Action>>,
        stop: StopReason,
        line: impl Fn(G::Action) -> Vec<G::Action>,
    ) -> Report<G> {
        let seat = self.root.seat();
        let nodes: usize = parts.iter().map(|p| p.nodes).sum();
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
        Report {
            seat,
            rows,
            visits,
            nodes: nodes as u64,
            bytes: (nodes * size_of::<Node<G::Action>>()) as u64,
            depth,
            elapsed: self.elapsed(),
            stop,
        }
    }
}

impl<G: Game, B: Default> Worker<G, B> {
    fn new(world: &G) -> Self {
        Worker {
            tree: ActionTree::new(),
            world: world.clone(),
            scratch: Scratch::default(),
            keys: Keys::new(),
            path: Vec::new(),
            priors: Vec::new(),
            key_priors: Vec::new(),
            root: Vec::new(),
            published: Vec::new(),
            depth: 0,
        }
    }

    fn forget(&mut self) {
        self.tree.clear();
        self.root.clear();
        self.published.clear();
        self.depth = 0;
    }

    fn restart(&mut self, actions: &[G::Action], limit: usize) {
        self.forget();
        if let Some(&filler) = actions.first() {
            self.tree.restart(filler, limit);
        }
        self.root.extend(actions.iter().map(|&action| RootSums::new(action)));
        self.published.resize(actions.len(), 0);
    }

    /// Simulates until the share is used up, the time is over, or somebody says stop.
    fn work<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        index: usize,
        share: Option<u64>,
    ) -> StopReason {
        let context = job.context;
        let mut rng = Luck::new(context.seed).stream(STREAM_SIMULATIONS, index as u64);
        // Counts in nodes have 32 bits.
        let share = share.unwrap_or(u64::MAX).min(u64::from(u32::MAX));
        let mut last_progress = job.control.start;
        let mut visits = 0;
        while visits < share {
            // The first thread does at least one simulation, whatever happens.
            if visits > 0 || index > 0 {
                if context.stopped() {
                    return StopReason::Stopped;
                }
                if job.control.settled.load(Ordering::Relaxed) {
                    return StopReason::Settled;
                }
                if job.is_over_time() {
                    return StopReason::Time;
                }
            }
            self.simulate(job, &mut rng);
            visits += 1;
            let look = visits % SETTLE_EVERY == 0 || job.control.counts.len() == 1;
            if job.params.early && look && visits < share {
                self.publish(&job.control);
                if let Some(reason) = job.is_settled() {
                    job.control.settled.store(true, Ordering::Relaxed);
                    return reason;
                }
            }
            if visits % PROGRESS_EVERY == 0
                && let Some(progress) = context.progress
            {
                let now = context.clock.now();
                if now.saturating_sub(last_progress) >= context.progress_every {
                    last_progress = now;
                    let mut parts = job.control.parts.lock().unwrap_or_else(PoisonError::into_inner);
                    if index > 0 {
                        parts[index] = Some(self.part());
                    } else {
                        let parts: Vec<_> =
                            std::iter::once(self.part()).chain(parts.iter().flatten().cloned()).collect();
                        let line = |action| self.principal_variation(job.root, action);
                        progress(&job.report(parts, StopReason::Stopped, line));
                    }
                }
            }
        }
        self.publish(&job.control);
        StopReason::Visits
    }

    /// Adds what is new to the counts all threads share.
    fn publish(&mut self, control: &Control<G::Action>) {
        let mut new = 0;
        for ((sums, published), (_, count)) in self.root.iter().zip(&mut self.published).zip(&control.counts) {
            let more = sums.utility.count() - *published;
            if more > 0 {
                count.fetch_add(more, Ordering::Relaxed);
                *published += more;
                new += more;
            }
        }
        control.done.fetch_add(new, Ordering::Release);
    }

    fn simulate<K: Knowledge<G, Buffer = B>>(&mut self, job: &Job<'_, G, K>, rng: &mut Rng) {
        let Worker { tree, world, scratch, keys, path, priors, key_priors, .. } = self;
        let (viewer, hidden, rule) = (job.root.seat(), job.meta.hidden, &job.params.rule);
        job.root.draw_into(world, rng);
        path.clear();
        let mut at = ROOT;
        loop {
            match world.turn() {
                Turn::Terminal => break,
                Turn::Chance(kind) => {
                    let action = world.sample(rng, &mut scratch.weighted);
                    if !job.has_own_node(kind) {
                        world.apply(action);
                        continue;
                    }
                    let seen = if hidden { world.masked(action, viewer) } else { action };
                    world.apply(action);
                    let Some(child) = tree.outcome(at, seen) else { break };
                    path.push((child, CHANCE));
                    at = child;
                }
                Turn::Seat(mover) => {
                    world.actions(&mut scratch.actions);
                    job.knowledge.prune(world, &mut scratch.actions);
                    let actions = scratch.actions.as_slice();
                    keys.read(world, actions, mover, viewer, hidden);
                    let choice = Choice { at, seat: mover, keys: keys.keys(actions), rule };
                    let tried = tree.survey(choice, rng);
                    let asked = rule.bias > 0.0 && tree.has_fresh();
                    if asked {
                        priors.clear();
                        priors.resize(actions.len(), 0.0);
                        job.knowledge.prior(world, actions, priors);
                        if keys.masked {
                            keys.sum_priors(priors, key_priors);
                        }
                    }
                    let asked = asked.then_some(if keys.masked { key_priors.as_slice() } else { priors.as_slice() });
                    let Some(chosen) = tree.choose(choice, tried, asked, rng) else { break };
                    world.apply(keys.action(chosen.key, actions, rng));
                    path.push((chosen.node, mover));
                    at = chosen.node;
                    if chosen.is_new {
                        break;
                    }
                }
            }
        }
        let outcome = if world.turn().is_terminal() {
            Outcome::of(world)
        } else {
            job.knowledge.playout(world, rng, scratch, None)
        };
        self.record(&outcome);
    }

    fn record(&mut self, outcome: &Outcome) {
        self.tree.record(ROOT, 0.0);
        for &(node, seat) in &self.path {
            self.tree.record(node, outcome.utility.of(seat));
        }
        self.depth = self.depth.max(self.path.len() as u32);
        // The path is empty only if the root's actions differ between worlds (they must not) and the tree is full.
        let Some(&(node, _)) = self.path.first() else { return };
        let action = self.tree.node(node).action();
        let place = self.place(action).unwrap_or_else(|| {
            self.root.push(RootSums::new(action));
            self.root.len() - 1
        });
        self.root[place].utility.add(&outcome.utility);
        self.root[place].returns.add(&outcome.returns);
    }

    /// Where the sums of a root action are.
    fn place(&self, action: G::Action) -> Option<usize> {
        let (known, others) = self.root.split_at(self.published.len());
        match known.binary_search_by(|sums| sums.action.cmp(&action)) {
            Ok(place) => Some(place),
            Err(_) => others.iter().position(|sums| sums.action == action).map(|i| known.len() + i),
        }
    }

    fn part(&self) -> Part<G::Action> {
        let mut rows = self.root.clone();
        for child in self.tree.children(ROOT) {
            let node = self.tree.node(child);
            if let Some(place) = self.place(node.action()) {
                rows[place].available = node.available();
                rows[place].prior = node.prior();
            }
        }
        Part { rows, nodes: self.tree.len(), depth: self.depth }
    }

    /// `action` and the most visited answers, as far as they are legal in the world the caller can see and chance does not
    /// interfere: a line that can be replayed.
    fn principal_variation(&self, root: &Seen<G>, action: G::Action) -> Vec<G::Action> {
        let mut line = vec![action];
        let mut world = root.sample_world().clone();
        let mut actions = Vec::new();
        let child_of = |at: u32, seat: Seat, wanted: &dyn Fn(G::Action) -> bool| {
            let mut best: Option<u32> = None;
            for child in self.tree.children(at) {
                let node = self.tree.node(child);
                let more = best.is_none_or(|b| node.visits() > self.tree.node(b).visits());
                if node.seat() == seat && node.visits() > 0 && more && wanted(node.action()) {
                    best = Some(child);
                }
            }
            best
        };
        let mut next = child_of(ROOT, root.seat(), &|a| a == action);
        let mut played = action;
        while let Some(at) = next {
            if world.try_apply(played).is_err() {
                break;
            }
            let Turn::Seat(mover) = world.turn() else { break };
            world.actions(&mut actions);
            let seen = |a: G::Action| if mover == root.seat() { a } else { world.masked(a, root.seat()) };
            next = child_of(at, mover, &|key| actions.iter().any(|&a| seen(a) == key));
            let Some(child) = next else { break };
            let key = self.tree.node(child).action();
            let Some(&action) = actions.iter().find(|&&a| seen(a) == key) else { break };
            played = action;
            line.push(action);
        }
        line
    }
}

impl<A> RootSums<A> {
    fn new(action: A) -> Self {
        RootSums { action, available: 0, prior: 0.0, utility: PayoffStats::default(), returns: PayoffStats::default() }
    }
}
