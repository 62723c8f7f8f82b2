//! The searches that PIMC can solve its worlds with, by name.

use std::fmt;

use kiebitz_core::{Game, Knowledge, Seen, Settings, SpecError};

use crate::alphabeta::depth_setting;
use crate::maxn;
use crate::{
    AlphaBeta, AlphaBetaConfig, Combine, Context, Expectimax, ExpectimaxConfig, Flat, FlatConfig, Ismcts, IsmctsConfig,
    MaxN, MaxNConfig, OpenLoop, OpenLoopConfig, Paranoid, Report, Revealed, Search, SearchError,
};

/// Outcomes that expectimax draws where the game does not list them, if nobody says otherwise.
const DRAWS: u64 = 8;

/// The default memory of an inner transposition table in MiB: it is emptied for every world.
const TABLE_MIB: u64 = 4;

/// The words of `inner`.
const INNER: &[&str] = &["auto", "alphabeta", "maxn", "paranoid", "expectimax", "flat", "uct", "openloop"];

/// An inner search of [`Pimc`](crate::Pimc) and its settings. Chance that comes after the root is a leaf for `alphabeta`,
/// `maxn` and `paranoid`; the others look into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PimcInner {
    /// Key `inner=auto`, the default: [`AlphaBeta`] in zero-sum games of two players, [`MaxN`] in all others.
    Auto(AlphaBetaConfig),
    /// Key `inner=alphabeta`.
    AlphaBeta(AlphaBetaConfig),
    /// Key `inner=maxn`.
    MaxN(MaxNConfig),
    /// Key `inner=paranoid`.
    Paranoid(AlphaBetaConfig),
    /// Key `inner=expectimax`. With `all_rows`, every root action is valued, which costs the pruning.
    Expectimax {
        /// Its settings.
        config: ExpectimaxConfig,
        /// Whether every root action is valued, or only the best one.
        all_rows: bool,
    },
    /// Key `inner=flat`: flat Monte Carlo, which plays chance out.
    Flat(FlatConfig),
    /// Key `inner=uct`: tree search with nodes for listed outcomes of chance, which on a revealed world is UCT.
    Uct(IsmctsConfig),
    /// Key `inner=openloop`.
    OpenLoop(OpenLoopConfig),
}

impl PimcInner {
    /// Reads `inner`, `depth` (actions to look ahead for the exact ones, 0 to 256; 0: as deep as the budget allows; default
    /// 0), `tt` (MiB for each thread, 0 to 1024; default 4), `draws` (outcomes that expectimax draws where chance is not
    /// listed, 1 to 10000; default 8) and `c` (exploration of `flat`, `uct` and `openloop`; default √2). With
    /// [`Combine::Mean`] exact searches value every action, with votes only the best one.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings, combine: Combine) -> Result<Self, SpecError> {
        let inner = settings.choice("inner", INNER)?;
        let depth = depth_setting(settings)?;
        let tt = settings.integer("tt", TABLE_MIB, 0, 1024)? as u32;
        let draws = settings.integer("draws", DRAWS, 1, 10_000)? as u32;
        let c = settings.number("c", std::f64::consts::SQRT_2, 0.0, 100.0)?;
        let all_rows = combine == Combine::Mean;
        let duel = AlphaBetaConfig { depth, tt, all_rows, chance_leaves: true, ..Default::default() };
        Ok(match inner {
            "alphabeta" => PimcInner::AlphaBeta(duel),
            "maxn" => PimcInner::MaxN(many(&duel)),
            "paranoid" => PimcInner::Paranoid(duel),
            "expectimax" => PimcInner::Expectimax {
                config: ExpectimaxConfig { depth, tt, samples: draws, ..Default::default() },
                all_rows,
            },
            "flat" => PimcInner::Flat(FlatConfig { c, ..Default::default() }),
            "uct" => PimcInner::Uct(IsmctsConfig { c, memory: 64, ..Default::default() }),
            "openloop" => PimcInner::OpenLoop(OpenLoopConfig { c, memory: 64, ..Default::default() }),
            _ => PimcInner::Auto(duel),
        })
    }

    /// The search, for worlds of the game `G`.
    pub fn make<G: Game, K: Knowledge<G> + Clone + 'static>(&self, knowledge: &K) -> Box<dyn Search<Revealed<G>>> {
        let knowledge = Revealed(knowledge.clone());
        match *self {
            PimcInner::Auto(config) => Box::new(Auto {
                duel: AlphaBeta::new(config, knowledge.clone()),
                many: MaxN::new(many(&config), knowledge),
            }),
            PimcInner::AlphaBeta(config) => Box::new(AlphaBeta::new(config, knowledge)),
            PimcInner::MaxN(config) => Box::new(MaxN::new(config, knowledge)),
            PimcInner::Paranoid(config) => Box::new(Paranoid::new(config, knowledge)),
            PimcInner::Expectimax { config, all_rows: true } => Box::new(AllRows { config, knowledge }),
            PimcInner::Expectimax { config, all_rows: false } => Box::new(Expectimax::new(config, knowledge)),
            PimcInner::Flat(config) => Box::new(Flat::new(config, knowledge)),
            PimcInner::Uct(config) => Box::new(Ismcts::new(config, knowledge)),
            PimcInner::OpenLoop(config) => Box::new(OpenLoop::new(config, knowledge)),
        }
    }
}

/// The settings of max^n that correspond to these.
fn many(config: &AlphaBetaConfig) -> MaxNConfig {
    MaxNConfig { depth: config.depth, prune: config.prune, chance_leaves: config.chance_leaves }
}

/// Alpha-beta where it is right, else max^n.
struct Auto<G: Game, K: Knowledge<G>> {
    duel: AlphaBeta<G, K>,
    many: MaxN<K>,
}

impl<G: Game, K: Knowledge<G>> fmt::Debug for Auto<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auto").finish_non_exhaustive()
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Auto<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let meta = root.meta();
        if meta.players == 2 && meta.zero_sum { self.duel.run(root, context) } else { self.many.run(root, context) }
    }

    fn reset(&mut self) {
        Search::<G>::reset(&mut self.duel);
        Search::<G>::reset(&mut self.many);
    }
}

/// Expectimax with a value, not a bound, for every root action: max^n that averages over chance.
struct AllRows<K> {
    config: ExpectimaxConfig,
    knowledge: K,
}

impl<G: Game, K: Knowledge<G>> Search<G> for AllRows<K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let ExpectimaxConfig { depth, prune, samples, .. } = self.config;
        let rules = maxn::Rules { depth, prune, chance: maxn::ChanceNodes::Average { samples } };
        maxn::search(rules, &self.knowledge, root.sample_world(), context)
    }
}
