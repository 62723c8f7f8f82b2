//! Alpha-beta: the exact search of two-player games without chance.

use kiebitz_core::{Game, Knowledge, Seen, Settings, SpecError};

use crate::negamax::{self, Chance, MAX_PLY, Memory, Rules, Sides, Window};
use crate::{Context, Report, Search, SearchError};

/// The default memory of a transposition table, in MiB.
pub(crate) const TABLE_MIB: u64 = 64;
/// The largest memory of a transposition table, in MiB.
pub(crate) const MAX_TABLE_MIB: u64 = 16_384;

/// Settings of [`AlphaBeta`] and [`crate::Paranoid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaConfig {
    /// Actions of players to look ahead, at most 256; `None`: ever deeper until the budget ends.
    pub depth: Option<u32>,
    /// Memory of the transposition table in MiB, at most; 0 switches it off. It is kept under [`Game::transposition_key`].
    pub tt: u32,
    /// Order actions by the table, [`Knowledge::order`], killers and history; otherwise they are tried as listed.
    pub ordering: bool,
    /// How windows are set.
    pub window: Window,
    /// At most this many actions beyond `depth` while [`Knowledge::is_quiet`] says the position is not.
    pub extend: u32,
    /// Leave out what [`Knowledge::prune`] removes. A value is then proven only if nothing was removed.
    pub prune: bool,
    /// Search every root action with an open window, so that all rows are comparable and not only the best: several times
    /// slower.
    pub all_rows: bool,
    /// Play games with chance too, evaluating nodes of chance as leaves; otherwise such games are refused.
    pub chance_leaves: bool,
}

impl Default for AlphaBetaConfig {
    fn default() -> Self {
        AlphaBetaConfig {
            depth: None,
            tt: TABLE_MIB as u32,
            ordering: true,
            window: Window::Aspiration,
            extend: 0,
            prune: true,
            all_rows: false,
            chance_leaves: false,
        }
    }
}

/// Reads `depth`: 0 stands for no limit.
pub(crate) fn depth_setting(settings: &mut Settings) -> Result<Option<u32>, SpecError> {
    let depth = settings.integer("depth", 0, 0, MAX_PLY as u64)?;
    Ok((depth > 0).then_some(depth as u32))
}

/// Reads `window`, one of the three words; the first is the default.
pub(crate) fn window_setting(settings: &mut Settings, words: &[&'static str; 3]) -> Result<Window, SpecError> {
    Ok(match settings.choice("window", words)? {
        "full" => Window::Full,
        "null" => Window::Null,
        _ => Window::Aspiration,
    })
}

impl AlphaBetaConfig {
    /// Reads `depth` (0 to 256, 0: no limit; default 0), `tt` (MiB, 0 to 16384; default 64), `ordering` (on or off; default
    /// on), `window` (aspiration, null or full; default aspiration), `extend` (0 to 64; default 0), `prune` (on or off;
    /// default on), `rows` (best or all; default best), `chance` (refuse or leaf; default refuse).
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        let default = Self::default();
        Ok(AlphaBetaConfig {
            depth: depth_setting(settings)?,
            tt: settings.integer("tt", TABLE_MIB, 0, MAX_TABLE_MIB)? as u32,
            ordering: settings.switch("ordering", default.ordering)?,
            window: window_setting(settings, &["aspiration", "null", "full"])?,
            extend: settings.integer("extend", 0, 0, 64)? as u32,
            prune: settings.switch("prune", default.prune)?,
            all_rows: settings.choice("rows", &["best", "all"])? == "all",
            chance_leaves: settings.choice("chance", &["refuse", "leaf"])? == "leaf",
        })
    }

    pub(crate) fn rules(&self, sides: Sides) -> Rules {
        Rules {
            sides,
            chance: Chance::Leaf,
            depth: self.depth,
            ordering: self.ordering,
            window: self.window,
            extend: self.extend,
            prune: self.prune,
            all_rows: self.all_rows,
        }
    }
}

/// Alpha-beta with iterative deepening, a transposition table, move ordering, aspiration and null windows (D. E. Knuth,
/// R. W. Moore, "An analysis of alpha-beta pruning", 1975; T. A. Marsland, "A review of game-tree pruning", 1986).
///
/// Two players. The score of a state is the difference of the two utilities, so in a game that is not zero-sum each player is
/// taken to want the other's loss as much as the own gain; where utilities sum to one, as for win, draw and loss, it is the
/// utility itself. Leaves are scored by [`Knowledge::evaluate`], or where the game has none by the utility it would have if it
/// stopped there. Visits of the budget are states looked at.
///
/// The value of the best row is that of plain minimax at the depth reached, whatever the settings for speed. The other rows
/// hold upper bounds (with a utility error of 0.5, since nothing more is known) unless `all_rows` is set.
#[derive(Debug)]
pub struct AlphaBeta<G: Game, K> {
    config: AlphaBetaConfig,
    knowledge: K,
    memory: Memory<G>,
}

impl<G: Game, K: Knowledge<G>> AlphaBeta<G, K> {
    /// A search with this knowledge of the game.
    pub fn new(config: AlphaBetaConfig, knowledge: K) -> Self {
        AlphaBeta { config, knowledge, memory: Memory::new(config.tt) }
    }

    /// Searches `state` as if both players saw all of it: for games of perfect information, and for a world drawn from what a
    /// seat knows.
    ///
    /// # Errors
    /// When it is not a player's turn, the game does not suit, or neither depth nor budget limit the search.
    pub fn search_state(&mut self, state: &G, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let unsuitable = |reason| Err(SearchError::Unsuitable { algorithm: "alphabeta", reason });
        let meta = state.meta();
        if meta.players != 2 {
            return unsuitable("it is for two players; maxn and paranoid play with more");
        }
        if !meta.chance.is_empty() && !self.config.chance_leaves {
            return unsuitable("the game has chance; expectimax averages over it, and chance=leaf stops at it");
        }
        negamax::search(self.config.rules(Sides::Duel), &self.knowledge, &mut self.memory, state, context)
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for AlphaBeta<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        if root.meta().hidden {
            let reason = "the game hides information; pimc and ismcts search over the worlds that may be true";
            return Err(SearchError::Unsuitable { algorithm: "alphabeta", reason });
        }
        self.search_state(root.sample_world(), context)
    }
}
