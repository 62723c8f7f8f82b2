//! Paranoid search: alpha-beta for more than two players, as one against all.

use kiebitz_core::{Game, Knowledge, Seen, Turn};

use crate::negamax::{self, Memory, Sides};
use crate::{AlphaBetaConfig, Context, Report, Search, SearchError};

/// Alpha-beta under the assumption that all other players join against the one to move (N. R. Sturtevant, R. E. Korf, "On
/// pruning techniques for multi-player games", 2000): the searching seat maximises its own utility, everybody else minimises
/// it. Reaches deeper than [`crate::MaxN`] and plays more timidly. With two players whose utilities sum to one it is
/// [`crate::AlphaBeta`].
///
/// A row's utility is the searched value for the seat to move; for the other seats it is read off the end of the expected line,
/// as far as that is known.
#[derive(Debug)]
pub struct Paranoid<G: Game, K> {
    config: AlphaBetaConfig,
    knowledge: K,
    memory: Memory<G>,
}

impl<G: Game, K: Knowledge<G>> Paranoid<G, K> {
    /// A search with this knowledge of the game.
    pub fn new(config: AlphaBetaConfig, knowledge: K) -> Self {
        Paranoid { config, knowledge, memory: Memory::new(config.tt) }
    }

    /// Searches `state` as if everybody saw all of it.
    ///
    /// # Errors
    /// When it is not a player's turn, the game does not suit, or neither depth nor budget limit the search.
    pub fn search_state(&mut self, state: &G, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let Turn::Seat(seat) = state.turn() else { return Err(SearchError::NotAPlayersTurn) };
        if !state.meta().chance.is_empty() && !self.config.chance_leaves {
            let reason = "the game has chance; expectimax averages over it, and chance=leaf stops at it";
            return Err(SearchError::Unsuitable { algorithm: "paranoid", reason });
        }
        negamax::search(self.config.rules(Sides::Alone(seat)), &self.knowledge, &mut self.memory, state, context)
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Paranoid<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        if root.meta().hidden {
            let reason = "the game hides information; pimc and ismcts search over the worlds that may be true";
            return Err(SearchError::Unsuitable { algorithm: "paranoid", reason });
        }
        self.search_state(root.sample_world(), context)
    }
}
