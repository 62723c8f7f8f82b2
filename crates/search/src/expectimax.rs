//! Expectimax: the exact search of games with chance.

use kiebitz_core::{Game, Knowledge, Meta, Seen, Settings, SpecError};

use crate::alphabeta::{MAX_TABLE_MIB, TABLE_MIB, depth_setting, window_setting};
use crate::maxn::{self, ChanceNodes};
use crate::negamax::{self, Chance, Memory, Rules, Sides, Window};
use crate::{Context, Report, Search, SearchError};

/// Settings of [`Expectimax`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectimaxConfig {
    /// Actions of players to look ahead, at most 256; chance does not count. `None`: ever deeper until the budget ends.
    pub depth: Option<u32>,
    /// Memory of the transposition table in MiB, at most; 0 switches it off.
    pub tt: u32,
    /// Order actions by the table, [`Knowledge::order`], killers and history; otherwise they are tried as listed.
    pub ordering: bool,
    /// How windows are set.
    pub window: Window,
    /// Pruning at nodes of chance: 0 none, 1 Star1, 2 Star1 after the probes of Star2.
    pub star: u8,
    /// Leave out what [`Knowledge::prune`] removes. A value is then proven only if nothing was removed.
    pub prune: bool,
    /// Outcomes to draw at a chance node that does not list them; 0 refuses games with such nodes.
    pub samples: u32,
}

impl Default for ExpectimaxConfig {
    fn default() -> Self {
        ExpectimaxConfig {
            depth: None,
            tt: TABLE_MIB as u32,
            ordering: true,
            // Measured on synthetic trees: the results of null windows at nodes of chance are searched again too often.
            window: Window::Full,
            star: 2,
            prune: true,
            samples: 0,
        }
    }
}

impl ExpectimaxConfig {
    /// Reads `depth` (0 to 256, 0: no limit; default 0), `tt` (MiB, 0 to 16384; default 64), `ordering` (on or off; default
    /// on), `window` (full, null or aspiration; default full), `star` (0, 1 or 2; default 2), `prune` (on or off;
    /// default on), `samples` (0 to 10000; default 0).
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        let default = Self::default();
        Ok(ExpectimaxConfig {
            depth: depth_setting(settings)?,
            tt: settings.integer("tt", TABLE_MIB, 0, MAX_TABLE_MIB)? as u32,
            ordering: settings.switch("ordering", default.ordering)?,
            window: window_setting(settings, &["full", "null", "aspiration"])?,
            star: settings.integer("star", u64::from(default.star), 0, 2)? as u8,
            prune: settings.switch("prune", default.prune)?,
            samples: settings.integer("samples", 0, 0, 10_000)? as u32,
        })
    }
}

/// Expectimax with iterative deepening: the value of a chance node is the mean over its outcomes.
///
/// With two players and zero sum it searches with windows as [`crate::AlphaBeta`] does, pruning at nodes of chance by Star1 and
/// Star2; any other game is searched as by [`crate::MaxN`], without pruning. Leaves lie after the chance events that follow the
/// last action: at depth 1 each action has its exact mean evaluation. Every setting for speed leaves values the same up to
/// rounding.
#[derive(Debug)]
pub struct Expectimax<G: Game, K> {
    config: ExpectimaxConfig,
    knowledge: K,
    memory: Memory<G>,
}

impl<G: Game, K: Knowledge<G>> Expectimax<G, K> {
    /// A search with this knowledge of the game.
    pub fn new(config: ExpectimaxConfig, knowledge: K) -> Self {
        Expectimax { config, knowledge, memory: Memory::new(config.tt) }
    }

    /// Searches `state` as if everybody saw all of it.
    ///
    /// # Errors
    /// When it is not a player's turn, the game does not suit, or neither depth nor budget limit the search.
    pub fn search_state(&mut self, state: &G, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let ExpectimaxConfig { depth, ordering, window, star, prune, samples, .. } = self.config;
        let Meta { players, zero_sum, chance, .. } = state.meta();
        if samples == 0 && chance.iter().any(|kind| !kind.listed) {
            let reason = "some of the game's chance is only sampled, not listed; samples=N averages over N draws of it";
            return Err(SearchError::Unsuitable { algorithm: "expectimax", reason });
        }
        if players != 2 || !zero_sum {
            let rules = maxn::Rules { depth, prune, chance: ChanceNodes::Average { samples } };
            return maxn::search(rules, &self.knowledge, state, context);
        }
        let rules = Rules {
            sides: Sides::Duel,
            chance: Chance::Average { star, samples },
            depth,
            ordering,
            window,
            extend: 0,
            prune,
            all_rows: false,
        };
        negamax::search(rules, &self.knowledge, &mut self.memory, state, context)
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Expectimax<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        if root.meta().hidden {
            let reason = "the game hides information; pimc and ismcts search over the worlds that may be true";
            return Err(SearchError::Unsuitable { algorithm: "expectimax", reason });
        }
        self.search_state(root.sample_world(), context)
    }
}
