//! One thread of a search: its buffers, its sums, and when it stops.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use kiebitz_core::{Game, Knowledge, Luck, Outcome, Rng, Scratch, Seat};

use super::forest::{Forest, Grip, lock};
use super::job::{Control, Job, Part, RootSums};
use super::keys::Keys;
use super::{Observers, line};
use crate::StopReason;
use crate::action_tree::{ActionTree, Choice, Chosen, ROOT};

/// Purpose of [`Luck::stream`] for the simulations of a thread.
const STREAM_SIMULATIONS: u64 = 0x6973_6d63;

/// A thread looks whether the choice is settled after this many simulations.
const SETTLE_EVERY: u64 = 64;

/// A thread looks at the clock for progress reports after this many simulations.
const PROGRESS_EVERY: u64 = 16;

/// One thread's buffers and sums, on cache lines of its own.
#[repr(align(128))]
pub(super) struct Worker<G: Game, B> {
    pub(super) world: G,
    pub(super) scratch: Scratch<G, B>,
    pub(super) keys: Keys<G::Action>,
    /// The nodes of a simulation and who chose them, those of the searching seat's own choice first.
    pub(super) path: Vec<(u32, Seat)>,
    pub(super) asked: Asked,
    /// What re-determinizing simulations need besides.
    pub(super) fork: Fork<G>,
    /// The root's legal actions, sorted; behind them those that only other worlds showed (a proper game has none).
    root: Vec<RootSums<G::Action>>,
    /// How much of each of the root's legal actions is published in [`Control::counts`].
    published: Vec<u64>,
    depth: u32,
}

/// Buffers for priors, of actions and of the keys behind which they are.
#[derive(Debug, Default)]
pub(super) struct Asked {
    actions: Vec<f32>,
    keys: Vec<f32>,
}

/// A decision of another seat, and what every seat has seen on the way there.
pub(super) struct Fork<G: Game> {
    pub(super) world: G,
    pub(super) belief: G::Belief,
    pub(super) beliefs: Vec<G::Belief>,
}

impl Asked {
    /// Chooses among the keys at a node; priors are asked for where they count.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn choose<G: Game, K: Knowledge<G>>(
        &mut self,
        tree: &mut ActionTree<G::Action>,
        job: &Job<'_, G, K>,
        world: &G,
        actions: &[G::Action],
        keys: &Keys<G::Action>,
        (at, seat): (u32, Seat),
        rng: &mut Rng,
    ) -> Option<Chosen> {
        let choice = Choice { at, seat, keys: keys.keys(actions), rule: &job.params.rule };
        let tried = tree.survey(choice, rng);
        let mut priors = None;
        if job.params.rule.bias > 0.0 && tree.has_fresh() {
            self.actions.clear();
            self.actions.resize(actions.len(), 0.0);
            job.knowledge.prior(world, actions, &mut self.actions);
            if keys.masked {
                keys.sum_priors(&self.actions, &mut self.keys);
            }
            priors = Some(if keys.masked { self.keys.as_slice() } else { self.actions.as_slice() });
        }
        let chosen = tree.choose(choice, tried, priors, rng)?;
        tree.enter(chosen.node);
        Some(chosen)
    }
}

impl<G: Game, B: Default> Worker<G, B> {
    pub(super) fn new(world: &G) -> Self {
        Worker {
            world: world.clone(),
            scratch: Scratch::default(),
            keys: Keys::new(),
            path: Vec::new(),
            asked: Asked::default(),
            fork: Fork { world: world.clone(), belief: G::Belief::default(), beliefs: Vec::new() },
            root: Vec::new(),
            published: Vec::new(),
            depth: 0,
        }
    }

    pub(super) fn forget(&mut self) {
        self.root.clear();
        self.published.clear();
        self.depth = 0;
    }

    pub(super) fn restart(&mut self, actions: &[G::Action]) {
        self.forget();
        self.root.extend(actions.iter().map(|&action| RootSums::new(action)));
        self.published.resize(actions.len(), 0);
    }

    /// How often it went through a root action.
    pub(super) fn visits(&self, action: G::Action) -> u64 {
        self.root.iter().find(|r| r.action == action).map_or(0, |r| r.utility.count())
    }

    /// Simulates until the share is used up, the time is over, or somebody says stop.
    pub(super) fn work<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        forest: &Mutex<Forest<G::Action>>,
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
            let mut grip = Grip::new(forest, job.shared);
            match job.params.observers {
                Observers::Single => self.simulate_single(job, &mut grip, &mut rng),
                Observers::Multiple => self.simulate_multiple(job, &mut grip, &mut rng),
                Observers::Redeterminize => self.simulate_redeterminized(job, &mut grip, &mut rng),
            }
            drop(grip);
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
                    let part = self.part(&lock(forest), job.shared && index > 0);
                    let mut parts = job.control.parts.lock().unwrap_or_else(PoisonError::into_inner);
                    if index > 0 {
                        parts[index] = Some(part);
                    } else {
                        let parts: Vec<_> = std::iter::once(part).chain(parts.iter().flatten().cloned()).collect();
                        let line = |action| line::principal(&lock(forest), job.params.observers, job.root, action);
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

    /// Plays the world of a simulation to its end.
    pub(super) fn finish<K: Knowledge<G, Buffer = B>>(&mut self, job: &Job<'_, G, K>, rng: &mut Rng) -> Outcome {
        if self.world.turn().is_terminal() {
            Outcome::of(&self.world)
        } else {
            job.knowledge.playout(&mut self.world, rng, &mut self.scratch, None)
        }
    }

    /// Takes the outcome up the path.
    pub(super) fn credit(&self, outcome: &Outcome, grip: &mut Grip<'_, G::Action>) {
        grip.with(|forest| {
            for &(node, seat) in &self.path {
                forest.tree.credit(node, outcome.utility.of(seat));
            }
        });
    }

    /// Takes the outcome up the path, which begins with the root's choice, and adds it to the sums of the root action.
    pub(super) fn record(&mut self, outcome: &Outcome, grip: &mut Grip<'_, G::Action>) {
        self.credit(outcome, grip);
        self.depth = self.depth.max(self.path.len() as u32);
        // The path is empty only if the root's actions differ between worlds (they must not) and the tree is full.
        let Some(&(node, _)) = self.path.first() else { return };
        let action = grip.with(|forest| forest.tree.node(node).action());
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

    /// What it found, with what only the trees know; without that where another thread already tells it.
    pub(super) fn part(&self, forest: &Forest<G::Action>, told: bool) -> Part<G::Action> {
        let mut rows = self.root.clone();
        if told {
            return Part { rows, nodes: 0, bytes: 0, depth: self.depth };
        }
        for child in forest.tree.children(ROOT) {
            let node = forest.tree.node(child);
            if let Some(place) = self.place(node.action()) {
                rows[place].available = node.available();
                rows[place].prior = node.prior();
            }
        }
        Part { rows, nodes: forest.nodes(), bytes: forest.bytes(), depth: self.depth }
    }
}
