//! Information-set Monte Carlo tree search: single observer, multiple observers, re-determinizing.

use std::fmt;

use kiebitz_core::{Game, Knowledge, Seen, Settings, SpecError};

use crate::action_tree::Rule;
use crate::world_search::{Branch, ChanceNodes, Observers, Params, WorldSearch};
use crate::{Context, Parallel, Report, Search, SearchError};

/// Settings of [`Ismcts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IsmctsConfig {
    /// Weight of the exploration term, for utilities in `[0, 1]`. Key `c`; 0.7 by default, as published.
    pub c: f64,
    /// First-play urgency: an action not tried yet counts as worth this much. Infinite by default: everything is tried
    /// once first, as published. Key `fpu`.
    pub fpu: f64,
    /// Weight of the progressive bias `bias · p / (visits + 1)` (Chaslot et al. 2008), with `p` from
    /// [`Knowledge::prior`]. Key `bias`; 0 by default, which leaves priors unasked.
    pub bias: f64,
    /// Whose information the nodes stand for. Key `observers`: `single` (default), `multiple`, `redeterminize`.
    pub observers: Observers,
    /// Where outcomes of chance get nodes of their own, with a single observer; with several, a node always stands for all
    /// that its seat has seen. Key `chance`: `listed` (default), `never`, `always`.
    pub chance: ChanceNodes,
    /// Threads. Key `threads`; 1 by default.
    pub threads: usize,
    /// How threads work together. Key `parallel`: `root` (default, the same result every time) or `tree`.
    pub parallel: Parallel,
    /// Memory of all trees together in MiB. A full tree stops growing, the search goes on. Key `memory`; 256 by default.
    pub memory: usize,
    /// Stop when the most visited action can no longer be overtaken; not where restrictions leave one action of several, whose
    /// value is what is asked for then. Key `early`; on by default.
    pub early: bool,
}

impl Default for IsmctsConfig {
    fn default() -> Self {
        IsmctsConfig {
            c: 0.7,
            fpu: f64::INFINITY,
            bias: 0.0,
            observers: Observers::Single,
            chance: ChanceNodes::Listed,
            threads: 1,
            parallel: Parallel::Root,
            memory: 256,
            early: true,
        }
    }
}

impl IsmctsConfig {
    /// Reads `c`, `fpu`, `bias`, `observers`, `chance`, `threads`, `parallel`, `memory` and `early` from the settings of a
    /// player spec.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        let d = IsmctsConfig::default();
        Ok(IsmctsConfig {
            c: settings.number("c", d.c, 0.0, 100.0)?,
            fpu: settings.number("fpu", d.fpu, 0.0, 100.0)?,
            bias: settings.number("bias", d.bias, 0.0, 1000.0)?,
            observers: match settings.choice("observers", &["single", "multiple", "redeterminize"])? {
                "multiple" => Observers::Multiple,
                "redeterminize" => Observers::Redeterminize,
                _ => Observers::Single,
            },
            chance: match settings.choice("chance", &["listed", "never", "always"])? {
                "never" => ChanceNodes::Never,
                "always" => ChanceNodes::Always,
                _ => ChanceNodes::Listed,
            },
            threads: settings.integer("threads", d.threads as u64, 1, 256)? as usize,
            parallel: match settings.choice("parallel", &["root", "tree"])? {
                "tree" => Parallel::Tree,
                _ => Parallel::Root,
            },
            memory: settings.integer("memory", d.memory as u64, 1, 1 << 20)? as usize,
            early: settings.switch("early", d.early)?,
        })
    }
}

/// ISMCTS (Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012): one freshly drawn
/// world for each simulation, on nodes that stand for information sets. Two to six players; every node maximises the utility
/// of the seat that acts there.
///
/// In a simulation only children legal in its world take part, with exploration `c · √(ln A / N)`, where `A` counts how
/// often the child was legal when its parent was visited and `N` its visits (the subset-armed bandit); the parent's own
/// visits do not enter, so nothing is asked of the root's parent. Rows report `A` as `availability`.
///
/// # Observers
/// **Single** (SO-ISMCTS): one tree. A node stands for what the searching seat can tell apart: children are keyed by the seat
/// that acts and its action as [`Game::masked`] shows it; of actions behind one key, one is played at random (the paper's
/// partially observable moves).
///
/// **Multiple** (MO-ISMCTS): one tree for each seat, all descended together, the tree of the seat to move chooses. The nodes of
/// a seat are its own information sets, its hidden cards included ([`Game::information_key`]); the paper has one root for all
/// hands of an opponent instead. Each tree grows by one node at most for each simulation, and a seat without a node goes on by
/// [`Knowledge::pick`].
///
/// **Redeterminize** (after Goodman, "Re-determinizing MCTS in Hanabi", IEEE CoG 2019, whose players do not know their own
/// cards): as `Multiple`, but what the other seats learn is measured in worlds re-drawn from *their* view, so that their
/// trees do not learn the searching seat's cards. Each visit simulates twice, once in the searching seat's world, from which
/// only that seat learns, and once from a decision of another seat on its way, all equally likely, in a world re-drawn for
/// that seat. What the other seats believe is [`Game::public_belief`] and what they saw since.
///
/// With perfect information all three are UCT.
///
/// # What it gets wrong
/// Worlds are drawn from the seat's belief whatever line the tree follows: what the others' actions would tell about their
/// cards is not inferred (*non-locality*). With a single observer the other seats' nodes are those of the *searching* seat:
/// opponents do not know their own cards in the tree. With a single observer and with multiple ones they learn what the
/// searching seat holds. Unlike PIMC no seat is assumed to act differently in worlds it cannot tell apart (*strategy fusion*).
/// It does not converge to an equilibrium: `docs/hidden-information.md` has the measured distance in Kuhn poker.
///
/// With one seed, a visit budget and one thread (or `parallel=root` and no early end) the report is always the same.
pub struct Ismcts<G: Game, K: Knowledge<G>> {
    config: IsmctsConfig,
    knowledge: K,
    search: WorldSearch<G, K>,
}

impl<G: Game, K: Knowledge<G>> Ismcts<G, K> {
    /// A search with these settings and this knowledge of the game.
    pub fn new(config: IsmctsConfig, knowledge: K) -> Self {
        Ismcts { config, knowledge, search: WorldSearch::new() }
    }

    /// Its settings.
    pub fn config(&self) -> &IsmctsConfig {
        &self.config
    }

    /// What the last run learned after a line of actions as the seat sees them (outcomes of chance included where they have
    /// nodes); all threads together, in order of seat and action. With several observers only the root has such a line, the
    /// empty one; see [`Ismcts::information_set`].
    pub fn branches(&self, line: &[G::Action]) -> Vec<Branch<G::Action>> {
        self.search.branches(line)
    }

    /// What the last run learned at the information set of the seat to move in `world`, whatever the others hold there; all
    /// threads together, in order of action. Nothing with a single observer, whose nodes are no information sets of the other
    /// seats.
    pub fn information_set(&self, world: &G) -> Vec<Branch<G::Action>> {
        self.search.information_set(world)
    }
}

impl<G: Game, K: Knowledge<G>> fmt::Debug for Ismcts<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ismcts").field("config", &self.config).finish_non_exhaustive()
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Ismcts<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let IsmctsConfig { c, fpu, bias, observers, chance, threads, parallel, memory, early } = self.config;
        let rule = Rule { c, fpu, bias };
        let params = Params { rule, threads, parallel, memory, early, chance, observers };
        self.search.run(params, &self.knowledge, root, context)
    }

    fn reset(&mut self) {
        self.search.reset();
    }
}
