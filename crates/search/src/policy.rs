//! The policy of playouts as a player: what every search is measured against.

use kiebitz_core::{Game, Knowledge, Seen};

use crate::random::choose;
use crate::{Context, Report, Search, SearchError};

/// Plays [`Knowledge::pick`], the choice of the playout policy, without any search; the seed decides where the policy draws.
/// Needs no budget, and has no settings but those of the knowledge. The report has a row for every action, the chosen one
/// first; it learned nothing of their values, so each utility is 0.5 with an error of 0.5.
#[derive(Clone, Debug)]
pub struct Policy<K> {
    knowledge: K,
}

impl<K> Policy<K> {
    /// The player of this knowledge's policy.
    pub fn new(knowledge: K) -> Self {
        Policy { knowledge }
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Policy<K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        choose(root, context, false, |state, actions, rng| self.knowledge.pick(state, actions, rng))
    }
}
