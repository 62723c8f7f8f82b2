//! One simulation: selection, expansion, playout, backing up.

use std::hint::select_unpredictable;

use kiebitz_core::{Game, Knowledge, MAX_PLAYERS, Outcome, Payoff, Rng, Scratch, Seat, Trace, Turn};

use super::arena::{ROOT, SEGMENT, Tree};
use super::counter::{amaf_visit, to_fixed};
use super::node::Node;
use super::publish::{Children, State};
use crate::Restriction;
use crate::search::choosable;
use crate::select::Rule;

/// All-moves-as-first results for the children of one node that a thread holds back. Only in a shared tree, and only of nodes
/// with many visits: there the threads meet, and writing to all children in every simulation would be what they spend their
/// time on.
struct Pending {
    /// The node; [`NOBODY`] for none.
    parent: u32,
    /// How many simulations are in it.
    count: u32,
    /// What is to be added to each child.
    sums: Vec<u64>,
}

const NOBODY: u32 = u32::MAX;

/// Nodes for which a thread may hold results back at a time.
const PENDING_NODES: usize = 8;

/// Results are held back of nodes with so many visits; so many results at most.
const PENDING_VISITS: u32 = 256;
const PENDING_COUNT: u32 = 16;

/// What all threads of a run have in common.
pub(crate) struct Job<'a, G: Game, K, R> {
    pub root: &'a G,
    pub knowledge: &'a K,
    pub rule: &'a R,
    pub expand_after: u32,
    pub eval: f64,
    /// Visits added on the way down; 0 in a tree of one thread.
    pub virtual_loss: u32,
    /// Several threads write to one tree.
    pub shared: bool,
    /// What may not be chosen near the root.
    pub restrictions: &'a [Restriction<G::Action>],
}

/// A node on the way down, and the seat that chose it.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    seat: Seat,
}

/// What one simulation found.
pub(crate) struct Sample {
    /// The root child it went through, as an index among the root's children; `None` when the root has none.
    pub child: Option<usize>,
    /// Its length in the tree.
    pub depth: u32,
    pub utility: Payoff,
    /// In the game's points; `None` when a static evaluation took the playout's place.
    pub returns: Option<Payoff>,
}

/// One thread with all it needs; no simulation allocates once its buffers have grown.
pub(crate) struct Worker<'a, G: Game, K: Knowledge<G>, R> {
    job: &'a Job<'a, G, K, R>,
    pub tree: &'a Tree<G::Action>,
    pub rng: Rng,
    state: G,
    scratch: Scratch<G, K::Buffer>,
    path: Vec<Step>,
    /// The players' moves of this simulation, those in the tree first; kept only for all-moves-as-first.
    trace: Trace<G::Action>,
    /// Which seat was the first to play a move in the rest of the simulation: simulation number * 256 + seat.
    first: Vec<u64>,
    simulation: u64,
    pending: Vec<Pending>,
    /// Prior, random rank and action of the children in the making.
    candidates: Vec<(f32, u32, G::Action)>,
    priors: Vec<f32>,
}

impl<'a, G: Game, K: Knowledge<G>, R: Rule> Worker<'a, G, K, R> {
    pub fn new(job: &'a Job<'a, G, K, R>, tree: &'a Tree<G::Action>, rng: Rng) -> Self {
        let table = if job.rule.uses_amaf() { job.knowledge.amaf_size(job.root) } else { 0 };
        Worker {
            job,
            tree,
            rng,
            state: job.root.clone(),
            scratch: Scratch::default(),
            path: Vec::with_capacity(128),
            trace: Vec::new(),
            first: vec![0; table as usize],
            simulation: 0,
            pending: (0..if job.shared { PENDING_NODES } else { 0 })
                .map(|_| Pending { parent: NOBODY, count: 0, sums: Vec::new() })
                .collect(),
            candidates: Vec::new(),
            priors: Vec::new(),
        }
    }

    /// Gives the root its children if it has none.
    pub fn expand_root(&mut self) {
        self.state.clone_from(self.job.root);
        if let (Turn::Seat(seat), State::Leaf) = (self.state.turn(), self.tree.node(ROOT).link.state()) {
            self.path.clear();
            self.expand(ROOT, seat);
        }
    }

    /// Runs one simulation from the root.
    pub fn simulate(&mut self) -> Sample {
        let (job, tree) = (self.job, self.tree);
        self.state.clone_from(job.root);
        self.path.clear();
        self.trace.clear();
        let mut first_child = None;
        let mut at = ROOT;
        let (utility, returns) = loop {
            let node = tree.node(at);
            match node.link.state() {
                State::Expanded(children) => {
                    let siblings = tree.children(children);
                    let chosen = job.rule.choose(node.visits.get(), siblings);
                    let child = &siblings[chosen];
                    if job.virtual_loss > 0 {
                        child.visits.add(job.virtual_loss, true);
                    }
                    let action = child.action();
                    if !self.first.is_empty() {
                        self.trace.push((children.seat, action));
                    }
                    first_child.get_or_insert(chosen);
                    at = children.first + chosen as u32;
                    self.path.push(Step { node: at, seat: children.seat });
                    self.state.apply(action);
                }
                State::Terminal => break self.game_over(),
                state => match self.state.turn() {
                    Turn::Terminal => {
                        node.link.mark_terminal();
                        break self.game_over();
                    }
                    Turn::Seat(seat)
                        if state == State::Leaf
                            && node.visits.get().wrapping_sub(if at == ROOT { 0 } else { job.virtual_loss })
                                >= job.expand_after.saturating_mul(tree.thrift())
                            && self.expand(at, seat) => {}
                    _ => break self.evaluate(),
                },
            }
        };
        self.back_up(&utility);
        Sample { child: first_child, depth: self.path.len() as u32, utility, returns }
    }

    /// Gives a leaf its children: the actions that the game's knowledge does not prune, the best prior first, in random
    /// order where priors are equal or not asked for. `false` when another thread does it or the tree is full.
    fn expand(&mut self, at: u32, seat: Seat) -> bool {
        let (job, tree) = (self.job, self.tree);
        let link = &tree.node(at).link;
        if tree.is_full() || !link.claim() {
            return false;
        }
        let actions = &mut self.scratch.actions;
        self.state.actions(actions);
        let ply = self.path.len() as u32;
        choosable(job.restrictions, job.knowledge, &self.state, actions, ply, seat);
        self.priors.clear();
        self.priors.resize(actions.len(), 0.0);
        if job.rule.uses_prior() && !actions.is_empty() {
            job.knowledge.prior(&self.state, actions, &mut self.priors);
        }
        self.candidates.clear();
        self.candidates.extend(self.priors.iter().zip(actions.iter()).map(|(&prior, &action)| (prior, 0, action)));
        self.rng.shuffle(&mut self.candidates);
        if job.rule.uses_prior() {
            for (rank, candidate) in self.candidates.iter_mut().enumerate() {
                candidate.1 = rank as u32;
            }
            // An unstable sort does not allocate; the random rank makes it a total order.
            self.candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        self.candidates.truncate(SEGMENT);
        let count = self.candidates.len();
        let first = if count == 0 { None } else { tree.allocate(count) };
        let Some(first) = first else {
            link.release();
            return false;
        };
        let children = Children { first, count: count as u32, seat };
        for (node, &(prior, _, action)) in tree.children(children).iter().zip(&self.candidates) {
            node.fill(action, prior);
        }
        link.publish(children);
        true
    }

    fn game_over(&self) -> (Payoff, Option<Payoff>) {
        let Outcome { utility, returns } = Outcome::of(&self.state);
        (utility, Some(returns))
    }

    /// The value of a leaf: a playout, a static evaluation, or a mixture.
    fn evaluate(&mut self) -> (Payoff, Option<Payoff>) {
        let job = self.job;
        let known = if job.eval > 0.0 { job.knowledge.evaluate(&self.state) } else { None };
        if let Some(value) = known
            && job.eval >= 1.0
        {
            return (value, None);
        }
        let trace = if self.first.is_empty() { None } else { Some(&mut self.trace) };
        let outcome = job.knowledge.playout(&mut self.state, &mut self.rng, &mut self.scratch, trace);
        let mut utility = outcome.utility;
        if let Some(value) = known {
            for seat in 0..utility.players() {
                utility.set(seat, (1.0 - job.eval) * utility.of(seat) + job.eval * value.of(seat));
            }
        }
        (utility, Some(outcome.returns))
    }

    fn back_up(&mut self, utility: &Payoff) {
        let (job, tree) = (self.job, self.tree);
        let mut fixed = [0; MAX_PLAYERS];
        for (fixed, &u) in fixed.iter_mut().zip(utility.as_slice()) {
            *fixed = to_fixed(u);
        }
        tree.node(ROOT).visits.add(1, job.shared);
        for step in &self.path {
            let node = tree.node(step.node);
            node.sum.add(fixed[usize::from(step.seat)], job.shared);
            if job.virtual_loss != 1 {
                node.visits.add(1u32.wrapping_sub(job.virtual_loss), job.shared);
            }
        }
        if !self.first.is_empty() {
            self.back_up_amaf(utility);
        }
    }

    /// All moves as first: a child whose action its seat plays later in this simulation takes part in the result, if nobody
    /// else played there before. From the end to the front, so that the table holds who was first after each node.
    fn back_up_amaf(&mut self, utility: &Payoff) {
        let (job, tree) = (self.job, self.tree);
        self.simulation += 1;
        let mark = self.simulation << 8;
        let in_tree = self.path.len();
        for &(seat, action) in self.trace[in_tree..].iter().rev() {
            if let Some(first) = slot(job, &mut self.first, action) {
                *first = mark | u64::from(seat);
            }
        }
        for depth in (0..in_tree).rev() {
            let (seat, action) = self.trace[depth];
            if let Some(first) = slot(job, &mut self.first, action) {
                *first = mark | u64::from(seat);
            }
            let visit = amaf_visit(utility.of(seat));
            let parent = if depth == 0 { ROOT } else { self.path[depth - 1].node };
            let children = tree.children_of(parent);
            // Whether a child takes part follows no pattern: a branch would be mispredicted half of the time.
            let part = |child: &Node<G::Action>| {
                let first = job.knowledge.amaf(job.root, child.action()).and_then(|i| self.first.get(i as usize));
                let hit = first.copied().unwrap_or(0) == mark | u64::from(seat);
                select_unpredictable(hit, visit, 0)
            };
            if !job.shared {
                for child in children {
                    child.amaf.add(part(child));
                }
            } else if tree.node(parent).visits.get() < PENDING_VISITS {
                let _held = tree.node(parent).amaf_writer.hold();
                for child in children {
                    child.amaf.add(part(child));
                }
            } else {
                let pending = &mut self.pending[parent as usize % PENDING_NODES];
                if pending.parent != parent {
                    pending.write(tree);
                    pending.parent = parent;
                    pending.sums.resize(children.len(), 0);
                }
                for (child, sum) in children.iter().zip(&mut pending.sums) {
                    *sum += part(child);
                }
                pending.count += 1;
                if pending.count >= PENDING_COUNT {
                    pending.write(tree);
                }
            }
        }
    }

    /// Writes to the tree what this thread held back.
    pub fn flush(&mut self) {
        for pending in &mut self.pending {
            pending.write(self.tree);
        }
    }
}

impl Pending {
    fn write<A: Copy>(&mut self, tree: &Tree<A>) {
        if self.count == 0 {
            return;
        }
        let _held = tree.node(self.parent).amaf_writer.hold();
        for (child, sum) in tree.children_of(self.parent).iter().zip(&mut self.sums) {
            child.amaf.add(*sum);
            *sum = 0;
        }
        self.count = 0;
    }
}

/// The entry of an action in a table of first plays.
#[inline]
fn slot<'t, G: Game, K: Knowledge<G>, R>(
    job: &Job<'_, G, K, R>,
    first: &'t mut [u64],
    action: G::Action,
) -> Option<&'t mut u64> {
    first.get_mut(job.knowledge.amaf(job.root, action)? as usize)
}
