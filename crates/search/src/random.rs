//! A random legal action.

use std::time::Duration;

use kiebitz_core::{Game, Luck, Payoff, Seen, Turn};

use crate::{Context, Report, Row, Search, SearchError, StopReason};

/// Chooses uniformly among the legal actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Search<G> for Random {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let Turn::Seat(seat) = root.sample_world().turn() else { return Err(SearchError::NotAPlayersTurn) };
        let mut actions = Vec::new();
        root.sample_world().actions(&mut actions);
        let mut rng = Luck::new(context.seed).stream(0, 0);
        let first = rng.below(actions.len());
        actions.swap(0, first);
        actions[1..].sort_unstable();
        let zero = Payoff::uniform(root.meta().players, 0.5);
        let rows = actions
            .iter()
            .map(|&action| Row {
                action,
                visits: 0,
                availability: 1,
                prior: None,
                utility: zero,
                utility_error: zero,
                returns: None,
                pv: vec![action],
                proven: false,
            })
            .collect();
        Ok(Report {
            seat,
            rows,
            visits: 0,
            nodes: 0,
            bytes: 0,
            depth: 0,
            elapsed: Duration::ZERO,
            stop: StopReason::Complete,
        })
    }
}
