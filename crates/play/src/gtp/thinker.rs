//! The mind behind the protocol, and what may be set of it.

use std::time::Duration;

use kiebitz_core::{Analysis, Budget, PlayerError, PlayerSpec, Restriction, Session, SpecError};
use kiebitz_go::status::Assessment;
use kiebitz_go::{Color, Go};

use super::GtpOptions;
use super::dialogue::Signals;
use crate::clock::ClockState;
use crate::go_mind::{Decision, GoMind, MindOptions, Request, ResignRule};

/// An analysis goes on until it is stopped; this many simulations are more than anybody waits for.
const ENDLESS: u64 = 4_000_000_000;

/// The mind and the spec of its player.
pub(crate) struct Thinker {
    spec: PlayerSpec,
    mind: GoMind,
    options: GtpOptions,
}

/// What a search is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// Who moves.
    pub color: Color,
    /// The time between reports, if any are wanted.
    pub every: Option<Duration>,
    /// What may not be chosen.
    pub restrictions: &'a [Restriction],
    /// No pass while dead stones of the opponent are on the board.
    pub cleanup: bool,
}

fn mind_options(options: &GtpOptions) -> MindOptions {
    MindOptions {
        lag: options.lag,
        budget: Budget::time(options.time),
        resign: options.resign.then(ResignRule::default),
        ..MindOptions::default()
    }
}

impl Thinker {
    /// The mind of these options.
    pub fn new(options: &GtpOptions) -> Result<Self, SpecError> {
        let mind = GoMind::from_spec(&options.player, options.seed, mind_options(options))?;
        Ok(Thinker { spec: options.player.clone(), mind, options: options.clone() })
    }

    /// The player's spec as it was given.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// How it plays.
    pub fn options(&self) -> &GtpOptions {
        &self.options
    }

    /// Another spec; the old player stays when it cannot be built.
    pub fn set_spec(&mut self, spec: PlayerSpec) -> Result<(), SpecError> {
        self.mind = GoMind::from_spec(&spec, self.options.seed, mind_options(&self.options))?;
        self.spec = spec;
        Ok(())
    }

    /// Whether it gives up lost games.
    pub fn set_resign(&mut self, resign: bool) {
        self.options.resign = resign;
        self.mind.set_options(mind_options(&self.options));
    }

    /// Forgets what was learned.
    pub fn reset(&mut self) {
        self.mind.reset();
    }

    /// What becomes of the stones on the board: the opinion that made it pass, if it did.
    pub fn assessment(&mut self, game: &Session<Go>) -> Assessment {
        self.mind.dead_stones(game)
    }

    /// Looks at a position until `signals` say stop.
    pub fn analyze(&mut self, game: &Session<Go>, task: &Task<'_>, signals: &Signals) -> Result<Analysis, PlayerError> {
        let report = |analysis: &Analysis| signals.report(analysis);
        let mut request = request(task, signals);
        request.budget = Some(Budget::visits(ENDLESS));
        if task.every.is_some() {
            request.progress = Some(&report);
        }
        self.mind.analyze(game, task.color, &request)
    }

    /// Chooses a move, within the time of the clock or until `signals` say stop.
    pub fn decide(
        &mut self,
        game: &Session<Go>,
        clock: &ClockState,
        task: &Task<'_>,
        signals: &Signals,
    ) -> Result<Decision, PlayerError> {
        let report = |analysis: &Analysis| signals.report(analysis);
        let mut request = request(task, signals);
        if task.every.is_some() {
            request.progress = Some(&report);
        }
        self.mind.genmove_with(game, task.color, clock, &request)
    }

    /// Thinks on the opponent's time, if it should.
    pub fn ponder(&mut self, game: &Session<Go>) {
        if self.options.ponder {
            self.mind.ponder(game);
        }
    }

    /// Stops thinking on the opponent's time.
    pub fn stop(&mut self) {
        self.mind.stop();
    }
}

fn request<'a>(task: &Task<'a>, signals: &'a Signals) -> Request<'a> {
    Request {
        restrictions: task.restrictions,
        cleanup: task.cleanup,
        stop: Some(&signals.stop),
        cancel: Some(&signals.cancel),
        every: task.every.unwrap_or_default(),
        ..Request::default()
    }
}
