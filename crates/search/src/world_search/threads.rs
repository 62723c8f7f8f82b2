//! What searches of worlds need of their threads and of the root.

use kiebitz_core::{Game, Seen, Turn};

use crate::SearchError;

/// The legal actions of the seat to move, which it knows.
pub(crate) fn root_actions<G: Game>(root: &Seen<G>) -> Result<Vec<G::Action>, SearchError> {
    let mut actions = Vec::new();
    if root.sample_world().turn() == Turn::Seat(root.seat()) {
        root.sample_world().actions(&mut actions);
    }
    if actions.is_empty() { Err(SearchError::NotAPlayersTurn) } else { Ok(actions) }
}

/// Runs `work` on every worker, each in its own thread, the first in this one.
pub(crate) fn run_threads<W: Send, R: Send>(workers: &mut [W], work: impl Fn(usize, &mut W) -> R + Sync) -> Vec<R> {
    let Some((first, others)) = workers.split_first_mut() else { return Vec::new() };
    if others.is_empty() {
        return vec![work(0, first)];
    }
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> =
            others.iter_mut().enumerate().map(|(i, worker)| scope.spawn(move || work(i + 1, worker))).collect();
        let mut results = vec![work(0, first)];
        for handle in handles {
            match handle.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
