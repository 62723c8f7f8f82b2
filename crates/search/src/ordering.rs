//! The order in which a depth-first search tries actions: the better the first ones, the more is pruned.

use std::cmp::Reverse;

use kiebitz_core::{Game, Knowledge, Seat};

use crate::negamax::{Left, Ply, Run};

/// The place of an action in the order, the highest first: table action, the game's own order, killers, history.
pub(crate) type Rank = (bool, i32, u8, u32);

impl<G: Game, K: Knowledge<G>> Run<'_, '_, G, K> {
    /// The action to try first in a state, for probing.
    pub(crate) fn first_choice(&mut self, game: &G, seat: Seat, left: Left, ply: usize) -> Option<G::Action> {
        if self.memory.plies.len() <= ply {
            self.memory.plies.resize_with(ply + 1, Ply::default);
        }
        let stored = left.depth > 0 && self.memory.table.is_on();
        let hint = if stored { self.memory.table.get(game.transposition_key()).and_then(|e| e.best) } else { None };
        let ordered = self.order(game, seat, hint, ply);
        let first = ordered.first().map(|&(_, action)| action);
        self.memory.plies[ply].ordered = ordered;
        first
    }

    pub(crate) fn list_actions(&mut self, game: &G, actions: &mut Vec<G::Action>) {
        game.actions(actions);
        if self.rules.prune {
            let before = actions.len();
            self.knowledge.prune(game, actions);
            self.pruned |= actions.len() < before;
        }
    }

    /// The legal actions in the order to try them. The buffer belongs to the ply and must be given back.
    pub(crate) fn order(
        &mut self,
        game: &G,
        seat: Seat,
        hint: Option<G::Action>,
        ply: usize,
    ) -> Vec<(Rank, G::Action)> {
        let mut actions = std::mem::take(&mut self.memory.plies[ply].actions);
        let mut ordered = std::mem::take(&mut self.memory.plies[ply].ordered);
        self.list_actions(game, &mut actions);
        ordered.clear();
        if self.rules.ordering {
            ordered.extend(actions.iter().map(|&action| (self.rank(game, seat, action, hint, ply), action)));
            // Stable: equals keep the order of actions.
            ordered.sort_by_key(|&(rank, _)| Reverse(rank));
        } else {
            ordered.extend(actions.iter().map(|&action| (Rank::default(), action)));
        }
        self.memory.plies[ply].actions = actions;
        ordered
    }

    pub(crate) fn rank(&self, game: &G, seat: Seat, action: G::Action, hint: Option<G::Action>, ply: usize) -> Rank {
        let killer = match self.memory.plies.get(ply).map(|p| p.killers) {
            Some([Some(first), _]) if first == action => 2,
            Some([_, Some(second)]) if second == action => 1,
            _ => 0,
        };
        let history = self.memory.history.get(&(seat, action)).copied().unwrap_or(0);
        (hint == Some(action), self.knowledge.order(game, action), killer, history)
    }

    /// An action that ended the search of a node is likely to end that of its siblings too.
    pub(crate) fn remember(&mut self, seat: Seat, action: G::Action, ply: usize, depth: u32) {
        let killers = &mut self.memory.plies[ply].killers;
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let history = self.memory.history.entry((seat, action)).or_default();
        *history = history.saturating_add((depth + 1) * (depth + 1));
    }
}
