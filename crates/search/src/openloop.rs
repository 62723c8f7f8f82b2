//! Open-loop Monte Carlo tree search for games with chance.

use std::fmt;

use kiebitz_core::{Game, Knowledge, Seen, Settings, SpecError};

use crate::action_tree::Rule;
use crate::world_search::{Branch, ChanceNodes, Observers, Params, WorldSearch};
use crate::{Context, Parallel, Report, Search, SearchError};

/// Settings of [`OpenLoop`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenLoopConfig {
    /// Weight of the exploration term, for utilities in `[0, 1]`. Key `c`; √2 by default, the constant of UCB1 (Auer,
    /// Cesa-Bianchi, Fischer 2002).
    pub c: f64,
    /// First-play urgency: an action not tried yet counts as worth this much. Infinite by default: everything is tried
    /// once first. Key `fpu`.
    pub fpu: f64,
    /// Weight of the progressive bias `bias · p / (visits + 1)` (Chaslot et al. 2008), with `p` from
    /// [`Knowledge::prior`]. Key `bias`; 0 by default, which leaves priors unasked.
    pub bias: f64,
    /// Threads, each with a tree of its own. Key `threads`; 1 by default.
    pub threads: usize,
    /// Memory of all trees together in MiB. A full tree stops growing, the search goes on. Key `memory`; 256 by default.
    pub memory: usize,
    /// Stop when the most visited action can no longer be overtaken. Key `early`; on by default.
    pub early: bool,
}

impl Default for OpenLoopConfig {
    fn default() -> Self {
        OpenLoopConfig {
            c: std::f64::consts::SQRT_2,
            fpu: f64::INFINITY,
            bias: 0.0,
            threads: 1,
            memory: 256,
            early: true,
        }
    }
}

impl OpenLoopConfig {
    /// Reads `c`, `fpu`, `bias`, `threads`, `memory` and `early` from the settings of a player spec.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        let d = OpenLoopConfig::default();
        Ok(OpenLoopConfig {
            c: settings.number("c", d.c, 0.0, 100.0)?,
            fpu: settings.number("fpu", d.fpu, 0.0, 100.0)?,
            bias: settings.number("bias", d.bias, 0.0, 1000.0)?,
            threads: settings.integer("threads", d.threads as u64, 1, 256)? as usize,
            memory: settings.integer("memory", d.memory as u64, 1, 1 << 20)? as usize,
            early: settings.switch("early", d.early)?,
        })
    }
}

/// Open-loop Monte Carlo tree search: nodes stand for sequences of the players' actions, whatever chance did in between; each
/// simulation replays a sequence with fresh chance. Two to six players; every node maximises the utility of the seat that
/// acts there (max^n).
///
/// One tree serves all rolls and draws, so it stays small and learns fast where chance has many outcomes. The price: behind
/// chance every seat follows the best *plan* that does not look at what chance did, so values are those of plans and differ
/// from the exact ones where a seat would adapt (by up to 0.008 in the tests' dice game). At the root, where an action is
/// chosen before chance acts, this is often good enough; [`Ismcts`](crate::Ismcts) with a node for every outcome converges
/// to the exact value. Actions that some outcomes forbid
/// are compared by how often they were available, and since the same sequence can meet different seats, children are keyed
/// by seat and action.
///
/// With hidden information each simulation also draws a fresh world for the searching seat, and actions that the seat cannot
/// tell apart share a node: this is then information-set search with open-loop chance.
///
/// Sources: Pérez Liébana et al., "Open loop search for general video game playing", GECCO 2015; Lanctot et al., "Monte
/// Carlo *-minimax search", IJCAI 2013, for sampled chance.
pub struct OpenLoop<G: Game, K: Knowledge<G>> {
    config: OpenLoopConfig,
    knowledge: K,
    search: WorldSearch<G, K>,
}

impl<G: Game, K: Knowledge<G>> OpenLoop<G, K> {
    /// A search with these settings and this knowledge of the game.
    pub fn new(config: OpenLoopConfig, knowledge: K) -> Self {
        OpenLoop { config, knowledge, search: WorldSearch::new() }
    }

    /// Its settings.
    pub fn config(&self) -> &OpenLoopConfig {
        &self.config
    }

    /// What the last run learned after a line of the players' actions, chance left out; all threads together, in order of
    /// seat and action.
    pub fn branches(&self, line: &[G::Action]) -> Vec<Branch<G::Action>> {
        self.search.branches(line)
    }
}

impl<G: Game, K: Knowledge<G>> fmt::Debug for OpenLoop<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenLoop").field("config", &self.config).finish_non_exhaustive()
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for OpenLoop<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let OpenLoopConfig { c, fpu, bias, threads, memory, early } = self.config;
        let rule = Rule { c, fpu, bias };
        let params = Params {
            rule,
            threads,
            parallel: Parallel::Root,
            memory,
            early,
            chance: ChanceNodes::Never,
            observers: Observers::Single,
        };
        self.search.run(params, &self.knowledge, root, context)
    }

    fn reset(&mut self) {
        self.search.reset();
    }
}
