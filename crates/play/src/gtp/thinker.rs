//! The player behind the protocol, and what may be set of it.

use std::time::Duration;

use kiebitz_catalog::Entry;
use kiebitz_core::{
    Analysis, Budget, Clock as _, DynGame, DynPlayer, PlayerError, PlayerSpec, Restriction, SpecError, Thinking,
};

use super::dialogue::Signals;
use crate::WallClock;

/// An analysis goes on until it is stopped; this many simulations are more than anybody waits for.
const ENDLESS: u64 = 4_000_000_000;

/// The player, its spec and its clock.
pub(crate) struct Thinker {
    entry: &'static Entry,
    spec: PlayerSpec,
    player: Box<dyn DynPlayer>,
    clock: WallClock,
    seed: u64,
}

/// What a search is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// How long it may think where the player's spec says nothing; `None`: until it is stopped, whatever the spec says.
    pub budget: Option<Duration>,
    /// The time between reports, if any are wanted.
    pub every: Option<Duration>,
    /// What may not be chosen.
    pub restrictions: &'a [Restriction],
}

impl Thinker {
    /// The player of this spec.
    pub fn new(spec: PlayerSpec, seed: u64) -> Result<Self, SpecError> {
        let entry = kiebitz_catalog::games().iter().find(|e| e.game.id() == "go");
        let entry = entry.unwrap_or_else(|| unreachable!("the catalog has Go"));
        let player = entry.player(&spec)?;
        Ok(Thinker { entry, spec, player, clock: WallClock::start(), seed })
    }

    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// Another spec; the old player stays when it cannot be built.
    pub fn set_spec(&mut self, spec: PlayerSpec) -> Result<(), SpecError> {
        self.player = self.entry.player(&spec)?;
        self.spec = spec;
        Ok(())
    }

    /// Forgets what was learned.
    pub fn reset(&mut self) {
        self.player.reset();
    }

    /// Time since the start.
    pub fn running(&self) -> Duration {
        self.clock.now()
    }

    /// Whether the spec itself limits the search.
    pub fn has_budget(&self) -> bool {
        self.spec.name == "best" || ["visits", "time"].iter().any(|key| self.spec.settings.contains_key(*key))
    }

    /// Looks at a position until the budget is used up or `signals` say stop.
    pub fn think(&mut self, game: &dyn DynGame, task: &Task<'_>, signals: &Signals) -> Result<Analysis, PlayerError> {
        let budget = task.budget.map_or(Budget::visits(ENDLESS), Budget::time);
        let report = |analysis: &Analysis| signals.report(analysis);
        let mut thinking = Thinking::new(budget, &self.clock, &signals.stop, self.seed);
        thinking.hard = task.budget.is_none();
        thinking.restrictions = task.restrictions;
        if let Some(every) = task.every {
            thinking.progress = Some(&report);
            thinking.progress_every = every;
        }
        self.player.analyze(game, &thinking)
    }
}
