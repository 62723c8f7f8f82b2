//! The policy of playouts as a player: what every search is measured against.

use kiebitz_core::{Game, Knowledge, Payoff, Rng, Seen, Turn};

use crate::{Context, Report, Row, Search, SearchError, StopReason};

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
        let start = context.clock.now();
        let state = root.sample_world();
        let Turn::Seat(seat) = state.turn() else { return Err(SearchError::NotAPlayersTurn) };
        let mut actions = Vec::new();
        state.actions(&mut actions);
        if actions.is_empty() {
            return Err(SearchError::NotAPlayersTurn);
        }
        let chosen = self.knowledge.pick(state, &actions, &mut Rng::new(context.seed)).min(actions.len() - 1);
        actions[..=chosen].rotate_right(1);
        let half = Payoff::uniform(state.meta().players, 0.5);
        let row = |(i, action): (usize, G::Action)| Row {
            action,
            visits: u64::from(i == 0),
            availability: 1,
            prior: None,
            utility: half,
            utility_error: half,
            returns: None,
            pv: vec![action],
            pv_visits: Vec::new(),
            proven: false,
        };
        let rows = actions.into_iter().enumerate().map(row).collect();
        Ok(Report {
            seat,
            rows,
            visits: 1,
            nodes: 0,
            bytes: 0,
            depth: 0,
            elapsed: context.clock.now().saturating_sub(start),
            stop: StopReason::Complete,
        })
    }
}
