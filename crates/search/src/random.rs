//! The uniform random player.

use kiebitz_core::{Game, Payoff, Rng, Seen, Settings, SpecError, Turn};

use crate::{Context, Report, Row, Search, SearchError, StopReason};

/// Settings of [`Random`]: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RandomConfig;

impl RandomConfig {
    /// Reads nothing.
    ///
    /// # Errors
    /// Never.
    pub fn from_settings(_: &mut Settings) -> Result<Self, SpecError> {
        Ok(RandomConfig)
    }
}

/// Chooses uniformly among the legal actions, by the seed alone. Needs no budget. The report has a row for every action, the
/// chosen one first; it learned nothing of their values, so each utility is 0.5 with an error of 0.5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random {
    /// Its settings.
    pub config: RandomConfig,
}

impl<G: Game> Search<G> for Random {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        choose(root, context, true, |_, actions, rng| rng.below(actions.len()))
    }
}

/// The report of a player that chooses without looking ahead: a row for every action, the chosen one first, each with utility
/// 0.5 and an error of 0.5; with the prior of a uniform choice where `uniform` is set.
pub(crate) fn choose<G: Game>(
    root: &Seen<G>,
    context: &Context<'_, G>,
    uniform: bool,
    pick: impl FnOnce(&G, &[G::Action], &mut Rng) -> usize,
) -> Result<Report<G>, SearchError> {
    let start = context.clock.now();
    let state = root.sample_world();
    let Turn::Seat(seat) = state.turn() else { return Err(SearchError::NotAPlayersTurn) };
    let mut actions = Vec::new();
    state.actions(&mut actions);
    if actions.is_empty() {
        return Err(SearchError::NotAPlayersTurn);
    }
    let chosen = pick(state, &actions, &mut Rng::new(context.seed)).min(actions.len() - 1);
    let prior = uniform.then_some(1.0 / actions.len() as f64);
    actions[..=chosen].rotate_right(1);
    let half = Payoff::uniform(state.meta().players, 0.5);
    let row = |(i, action): (usize, G::Action)| Row {
        action,
        visits: u64::from(i == 0),
        availability: 1,
        prior,
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
