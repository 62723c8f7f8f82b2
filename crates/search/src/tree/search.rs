//! The search that [`crate::Uct`] and [`crate::Puct`] are: what is kept between runs, and the steps of a run.

use kiebitz_core::{Game, Knowledge, Luck, Rng, Seen, Turn};

use super::arena::{ROOT, Tree};
use super::report::{NodeInfo, Root, RowStats, find, inspect};
use super::settings::{Parallel, TreeSettings};
use super::simulate::{Job, Worker};
use crate::parallel::Crew;
use crate::select::Rule;
use crate::{Context, Report, SearchError};

/// A tree search with its selection rule.
pub(crate) struct TreeSearch<G: Game, K, R> {
    pub knowledge: K,
    pub rule: R,
    pub settings: TreeSettings,
    kept: Option<Kept<G>>,
}

/// What a run leaves to the next one.
struct Kept<G: Game> {
    /// The position that the next run should start from for the trees to be of use.
    state: G,
    trees: Vec<Tree<G::Action>>,
    /// The node of `state` in each tree, if it is there.
    at: Vec<Option<u32>>,
    /// The payoffs at the root of each tree, as long as it is the root.
    stats: Vec<Vec<RowStats>>,
    /// The threads' generators: going on with them makes two runs the same as one run of both budgets.
    rngs: Vec<Rng>,
    seed: u64,
    depth: u32,
}

impl<G: Game> Kept<G> {
    fn fits(&self, world: &G) -> bool {
        self.state.key() == world.key()
            && self.state.transposition_key() == world.transposition_key()
            && self.state.turn() == world.turn()
    }
}

impl<G: Game, K: Knowledge<G>, R: Rule> TreeSearch<G, K, R> {
    pub fn new(knowledge: K, rule: R, settings: TreeSettings) -> Self {
        TreeSearch { knowledge, rule, settings, kept: None }
    }

    pub fn run(&mut self, seen: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let start = context.clock.now();
        let world = seen.sample_world();
        let meta = world.meta();
        if meta.hidden {
            let reason = "it hides information from the players; ismcts and pimc can";
            return Err(SearchError::Unsuitable { algorithm: R::NAME, reason });
        }
        if !meta.chance.is_empty() {
            let reason = "it has chance events; openloop and expectimax can";
            return Err(SearchError::Unsuitable { algorithm: R::NAME, reason });
        }
        let Turn::Seat(seat) = world.turn() else { return Err(SearchError::NotAPlayersTurn) };
        let budget = context.budget.or(self.settings.budget);
        if !budget.is_limited() {
            return Err(SearchError::NoBudget);
        }

        let threads = self.settings.threads.max(1);
        if let Some(kept) = &mut self.kept
            && !context.restrictions.is_empty()
        {
            kept.at.fill(None);
        }
        // Taken out of `self`, so that a panic in a game leaves no half-counted tree behind.
        let Kept { trees, stats, mut rngs, depth, seed, .. } = self.resume(world, context);
        for thread in rngs.len()..threads {
            rngs.push(Luck::new(seed).stream(thread as u64, 0));
        }
        let shared = threads > 1 && trees.len() == 1;
        let job = Job {
            root: world,
            knowledge: &self.knowledge,
            rule: &self.rule,
            expand_after: self.settings.expand_after.max(1),
            eval: self.settings.eval,
            virtual_loss: if shared { self.settings.virtual_loss } else { 0 },
            shared,
            restrictions: context.restrictions,
        };
        let mut workers: Vec<Worker<'_, G, K, R>> = rngs
            .iter()
            .take(threads)
            .enumerate()
            .map(|(thread, rng)| Worker::new(&job, &trees[thread % trees.len()], rng.clone()))
            .collect();
        for worker in workers.iter_mut().take(trees.len()) {
            worker.expand_root();
        }
        let root = Root::new(seat, &trees, &stats);
        if root.len() == 0 {
            return Err(SearchError::NotAPlayersTurn);
        }
        let crew = Crew::new(context, budget, start, &self.settings, &job, &root, &trees, stats, depth);
        let report = crew.work(&mut workers);
        for (rng, worker) in rngs.iter_mut().zip(&workers) {
            *rng = worker.rng.clone();
        }
        let stats = crew.into_stats();
        drop(workers);
        self.kept = Some(Kept {
            state: world.clone(),
            // What was found with some actions left out says little of the position.
            at: vec![context.restrictions.is_empty().then_some(ROOT); trees.len()],
            trees,
            stats,
            rngs,
            seed,
            depth: report.depth,
        });
        Ok(report)
    }

    /// The trees to start from: the kept ones where they know the position, else empty ones.
    fn resume(&mut self, world: &G, context: &Context<'_, G>) -> Kept<G> {
        let seed = self.settings.seed.unwrap_or(context.seed);
        let count = match self.settings.parallel {
            Parallel::Tree => 1,
            Parallel::Root => self.settings.threads.max(1),
        };
        let Some(mut kept) = self.kept.take().filter(|kept| kept.trees.len() == count) else {
            let bytes = self.settings.memory.saturating_mul(1 << 20) / count as u64;
            return Kept {
                state: world.clone(),
                trees: (0..count).map(|_| Tree::new(bytes)).collect(),
                at: Vec::new(),
                stats: vec![Vec::new(); count],
                rngs: Vec::new(),
                seed,
                depth: 0,
            };
        };
        let fits = self.settings.reuse && kept.fits(world);
        if !fits {
            kept.at.fill(None);
        }
        let mut moved = true;
        for ((tree, at), stats) in kept.trees.iter_mut().zip(&kept.at).zip(&mut kept.stats) {
            match *at {
                Some(ROOT) => moved = false,
                Some(node) => {
                    tree.reroot(node);
                    stats.clear();
                }
                None => {
                    tree.clear();
                    stats.clear();
                }
            }
        }
        if moved {
            kept.depth = 0;
        }
        if kept.seed != seed || kept.at.iter().all(Option::is_none) {
            kept.rngs.clear();
            kept.seed = seed;
        }
        kept
    }

    pub fn observe(&mut self, action: G::Action) {
        let Some(kept) = &mut self.kept else { return };
        if !self.settings.reuse || kept.state.try_apply(action).is_err() {
            kept.at.fill(None);
            return;
        }
        for (tree, at) in kept.trees.iter().zip(&mut kept.at) {
            *at = at.and_then(|node| find(tree, node, action));
        }
    }

    pub fn reset(&mut self) {
        self.kept = None;
    }

    /// How many trees are kept.
    pub fn trees(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.trees.len())
    }

    pub fn node(&self, tree: usize, path: &[G::Action]) -> Option<NodeInfo<G::Action>> {
        let kept = self.kept.as_ref()?;
        inspect(kept.trees.get(tree)?, (*kept.at.get(tree)?)?, path)
    }
}
