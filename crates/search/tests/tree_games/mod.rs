//! Tiny games for the tests of tree search.
#![allow(dead_code, missing_docs)]

pub mod explicit;
pub mod hex;
pub mod tictactoe;

use std::sync::atomic::AtomicBool;

use kiebitz_core::{Budget, Game, Knowledge, ManualClock, Outcome, Rng, Scratch, Seen, Trace, Uniform};
use kiebitz_search::{Context, Report, Search, UctSettings};

/// Never set.
pub static NO_STOP: AtomicBool = AtomicBool::new(false);

/// What the seat to move sees of a game without secrets.
pub fn seen<G: Game<Belief = ()>>(game: &G) -> Seen<G> {
    Seen::new(game, game.turn().seat().unwrap_or(0), &(), &mut Rng::new(0))
}

/// Runs a search with a visit budget and a clock that stands still.
pub fn run<G: Game<Belief = ()>>(search: &mut impl Search<G>, game: &G, visits: u64, seed: u64) -> Report<G> {
    let clock = ManualClock::new();
    search.run(&seen(game), &Context::new(Budget::visits(visits), &clock, &NO_STOP, seed)).expect("a report")
}

/// Defaults without early stop, so that the whole budget is used.
pub fn full() -> UctSettings {
    let mut settings = UctSettings::default();
    settings.tree.early_stop = false;
    settings
}

/// No knowledge, but calls a function with every position from which a playout starts.
pub struct Hook<F>(pub F);

impl<G: Game, F: Fn(&G) + Send + Sync> Knowledge<G> for Hook<F> {
    type Buffer = ();

    fn playout(
        &self,
        game: &mut G,
        rng: &mut Rng,
        scratch: &mut Scratch<G, ()>,
        trace: Option<&mut Trace<G::Action>>,
    ) -> Outcome {
        (self.0)(game);
        Uniform.playout(game, rng, scratch, trace)
    }
}
