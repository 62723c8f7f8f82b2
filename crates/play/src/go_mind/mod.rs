//! The decisions above the search for Go: how long to think, when to pass, which stones are dead, when to resign, thinking on the
//! opponent's time. GTP, the terminal and the table ask a [`GoMind`]; it asks a player ([`kiebitz_core::DynPlayer`]).

mod decide;
mod komi;
pub mod pass;
mod ponder;
mod resign;
mod status;
pub mod time;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_core::{
    Analysis, AnalysisProgress, Budget, Clock, DynPlayer, PlayerError, PlayerSpec, Restriction, Session, SpecError,
    Thinking, Turn,
};
use kiebitz_go::status::Assessment;
use kiebitz_go::{Color, Go, Move, Point, Setup};

use crate::WallClock;
use crate::clock::ClockState;

pub use komi::DynamicKomi;
pub use ponder::{Listener, PonderRequest};
use ponder::{Pondering, SharedPlayer};
pub use resign::{Hopeless, ResignRule};
pub use status::Assessor;

/// Makes the players a mind thinks with: all alike.
pub type PlayerBuilder = Box<dyn Fn() -> Result<Box<dyn DynPlayer>, SpecError> + Send>;

/// How a mind decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MindOptions {
    /// Time that every move loses on the way: the controller, the network, and what a search takes longer than it should.
    pub lag: Duration,
    /// How long to think where neither clock nor player say so.
    pub budget: Budget,
    /// When to resign; `None`: never.
    pub resign: Option<ResignRule>,
    /// Whether an unclear result is thought about for longer, up to twice the time.
    pub extend: bool,
    /// Whether the komi is shifted in handicap games to keep the win rate near a half.
    pub dynamic_komi: bool,
    /// Whether the search's pass, and its moves when nothing is left to do, are judged at all; off: what it plays is played.
    pub judge_passes: bool,
}

impl Default for MindOptions {
    /// A lag of 20 ms, a second a move, no resignation, thinking longer when unclear, the real komi.
    fn default() -> Self {
        MindOptions {
            lag: Duration::from_millis(20),
            budget: Budget::time(Duration::from_secs(1)),
            resign: None,
            extend: true,
            dynamic_komi: false,
            judge_passes: true,
        }
    }
}

/// What else a move is asked for with.
#[derive(Clone, Copy, Default)]
pub struct Request<'a> {
    /// Replaces clock and player's own budget.
    pub budget: Option<Budget>,
    /// The only moves to choose from; `None` for all. The pass is then played only if it is among them.
    pub only: Option<&'a [Move]>,
    /// What either colour may not play, or may only play, in the first moves from here; see [`kiebitz_core::Thinking`]. Where
    /// there are any, what the search plays is played, a pass too.
    pub restrictions: &'a [Restriction],
    /// Play on until no dead enemy stone is on the board (`kgs-genmove_cleanup`): no pass while one is.
    pub cleanup: bool,
    /// Set by somebody else to get the move at once.
    pub stop: Option<&'a AtomicBool>,
    /// Set by somebody else, together with `stop`, when nobody wants the move any more: the call ends at once with the error
    /// `mind.cancelled`.
    pub cancel: Option<&'a AtomicBool>,
    /// Receives the state of the search now and then.
    pub progress: Option<AnalysisProgress<'a>>,
    /// The least time between two reports; zero stands for 250 ms.
    pub every: Duration,
    /// For how many of the best moves reasons are wanted; above 0, the analysis' details hold an ownership map. They take time of
    /// their own, after the search.
    pub reasons: usize,
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (budget, only, cleanup) = (&self.budget, &self.only, &self.cleanup);
        let mut debug = f.debug_struct("Request");
        debug.field("budget", budget).field("only", only).field("cleanup", cleanup).finish_non_exhaustive()
    }
}

/// What a mind does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It plays a stone.
    Play(Move),
    /// It passes.
    Pass,
    /// It gives up.
    Resign,
}

impl Action {
    /// The move on the board; `None` for a resignation.
    pub fn as_move(self) -> Option<Move> {
        match self {
            Action::Play(mv) => Some(mv),
            Action::Pass => Some(Move::PASS),
            Action::Resign => None,
        }
    }
}

/// A decision with what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What to do.
    pub action: Action,
    /// What the search found; its first candidate is the move that is played (also where the mind chose another one than the
    /// search). With 0 visits when nothing had to be searched.
    pub analysis: Analysis,
    /// With a pass: the stones the mind takes for dead, where it looked.
    pub dead: Option<Vec<Point>>,
    /// How long it thought, by the mind's clock.
    pub elapsed: Duration,
    /// How long it was allowed to think at most; `None` without a limit of time.
    pub allowed: Option<Duration>,
}

/// A Go player with judgement.
///
/// One mind plays one game at a time, for one colour or for both. It is told nothing: every call gets the whole game, and what was
/// kept is used as far as it fits. With a budget of visits, one thread and a seed its decisions are the same on every machine.
pub struct GoMind {
    player: SharedPlayer,
    /// Looks at positions besides the game's, so that the player's tree stays.
    second: Option<Box<dyn DynPlayer>>,
    build: PlayerBuilder,
    spec: PlayerSpec,
    seed: u64,
    options: MindOptions,
    clock: Arc<dyn Clock + Send + Sync>,
    assessor: Assessor,
    hopeless: Hopeless,
    komi: DynamicKomi,
    pondering: Option<Pondering>,
}

impl fmt::Debug for GoMind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (spec, options) = (self.spec.to_string(), &self.options);
        f.debug_struct("GoMind").field("player", &spec).field("options", options).finish_non_exhaustive()
    }
}

/// Nobody wants the answer.
fn cancelled() -> PlayerError {
    PlayerError::new("mind.cancelled", "nobody wants this move any more")
}

/// There is nothing to decide.
fn over() -> PlayerError {
    PlayerError::new("mind.over", "the game is over, there is nothing to decide")
}

impl GoMind {
    /// A mind that thinks with the players `build` makes. All randomness follows from `seed`.
    ///
    /// # Errors
    /// When no player can be made.
    pub fn new(build: PlayerBuilder, seed: u64, options: MindOptions) -> Result<Self, SpecError> {
        let player = build()?;
        let spec = player.spec().clone();
        Ok(GoMind {
            player: SharedPlayer::new(player),
            second: None,
            build,
            spec,
            seed,
            options,
            clock: Arc::new(WallClock::start()),
            assessor: Assessor::new(seed),
            hopeless: Hopeless::default(),
            komi: DynamicKomi::default(),
            pondering: None,
        })
    }

    /// A mind that thinks with the player of a spec.
    ///
    /// # Errors
    /// As [`kiebitz_catalog::Entry::player`].
    pub fn from_spec(spec: &PlayerSpec, seed: u64, options: MindOptions) -> Result<Self, SpecError> {
        let spec = spec.clone();
        let build = move || {
            let unsuitable = |e: kiebitz_catalog::UnknownGame| SpecError::Unsuitable {
                name: spec.name.clone(),
                game: "go".to_owned(),
                reason: e.to_string(),
            };
            kiebitz_catalog::game("go").map_err(unsuitable)?.player(&spec)
        };
        GoMind::new(Box::new(build), seed, options)
    }

    /// Reads this clock instead of the real one.
    pub fn with_clock(mut self, clock: Arc<dyn Clock + Send + Sync>) -> Self {
        self.clock = clock;
        self
    }

    /// The spec of its player; of `best`, what it stands for.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// How it decides.
    pub fn options(&self) -> &MindOptions {
        &self.options
    }

    /// Decides in another way from now on.
    pub fn set_options(&mut self, options: MindOptions) {
        self.options = options;
    }

    /// Forgets everything: another game begins.
    pub fn reset(&mut self) {
        self.stop();
        self.player.lock().reset();
        self.assessor.reset();
        self.hopeless = Hopeless::default();
        self.komi = DynamicKomi::default();
    }

    /// Chooses what `color` does in the position of `session`, within the time of its clock. The session is not changed, nor the
    /// clock: the caller plays the move and counts the time. Out of turn, it is as if the other colour had not been to move; after
    /// two passes, as if the game went on.
    ///
    /// # Errors
    /// When the game is over by resignation, on time or without result, or the player gives no answer.
    pub fn genmove(
        &mut self,
        session: &Session<Go>,
        color: Color,
        clock: &ClockState,
    ) -> Result<Decision, PlayerError> {
        self.genmove_with(session, color, clock, &Request::default())
    }

    /// As [`GoMind::genmove`], with further wishes.
    ///
    /// # Errors
    /// As [`GoMind::genmove`]; `player.only` when none of the moves it may choose from is legal, `mind.cancelled` when the
    /// request was cancelled.
    pub fn genmove_with(
        &mut self,
        session: &Session<Go>,
        color: Color,
        clock: &ClockState,
        request: &Request<'_>,
    ) -> Result<Decision, PlayerError> {
        let start = self.clock.now();
        self.stop();
        let session = with_turn(session, color)?;
        self.decide(session.as_ref(), clock, request, start)
    }

    /// Looks at the position for `color` without deciding anything. What the search learns is kept, unless only some moves are
    /// looked at.
    ///
    /// # Errors
    /// As [`GoMind::genmove`].
    pub fn analyze(
        &mut self,
        session: &Session<Go>,
        color: Color,
        request: &Request<'_>,
    ) -> Result<Analysis, PlayerError> {
        self.stop();
        let session = with_turn(session, color)?;
        let budget = request.budget.map(|budget| (budget, None));
        self.search(session.as_ref(), request, budget, None)
    }

    /// What becomes of the stones on the board. The same answer as the one that made the mind pass, as long as no stone is
    /// played.
    pub fn dead_stones(&mut self, session: &Session<Go>) -> Assessment {
        let clock = self.clock.clone();
        self.assessor.assess(session.state(), clock.as_ref()).clone()
    }

    /// Thinks about the position of `session` in the background, on the opponent's time. What it learns is kept for the next move.
    /// Any other call stops it, and so does dropping the mind. Does nothing when the game is over.
    pub fn ponder(&mut self, session: &Session<Go>) {
        if let Turn::Seat(seat) = session.turn()
            && let Some(color) = Color::from_index(usize::from(seat))
        {
            // Where it is a colour's turn, it can be asked for.
            let _ = self.ponder_with(session, color, PonderRequest::default());
        }
    }

    /// As [`GoMind::ponder`], for `color`, with further wishes.
    ///
    /// # Errors
    /// When the game is over; `mind.thread` when the system gives no thread.
    pub fn ponder_with(
        &mut self,
        session: &Session<Go>,
        color: Color,
        request: PonderRequest,
    ) -> Result<(), PlayerError> {
        self.stop();
        let session = with_turn(session, color)?;
        let session = self.shifted(session.as_ref())?.into_owned();
        let seed = self.search_seed(&session);
        let pondering = Pondering::start(&self.player, session, self.clock.clone(), seed, request);
        self.pondering =
            Some(pondering.ok_or_else(|| PlayerError::new("mind.thread", "the system gives no thread to think on"))?);
        Ok(())
    }

    /// Whether it thinks in the background.
    pub fn is_pondering(&self) -> bool {
        self.pondering.as_ref().is_some_and(|p| !p.is_finished())
    }

    /// Stops thinking in the background, within a simulation and the time to sum up. What it found since it started, if it did.
    pub fn stop(&mut self) -> Option<Analysis> {
        self.pondering.take().and_then(Pondering::stop)
    }

    /// The seed of a search in this position.
    fn search_seed(&self, session: &Session<Go>) -> u64 {
        self.seed.wrapping_add(session.history().len() as u64)
    }

    /// The game as the search should see it: under the shifted komi where there is one.
    fn shifted<'s>(&self, session: &'s Session<Go>) -> Result<Cow<'s, Session<Go>>, PlayerError> {
        if !self.options.dynamic_komi {
            return Ok(Cow::Borrowed(session));
        }
        let shifted = self.komi.shifted(session).map_err(|e| PlayerError::new(e.code, e.to_string()))?;
        Ok(shifted.map_or(Cow::Borrowed(session), Cow::Owned))
    }

    /// Searches. `budget` with the longest time overrides what the player's spec says; `only` what the request says.
    fn search(
        &self,
        session: &Session<Go>,
        request: &Request<'_>,
        budget: Option<(Budget, Option<Duration>)>,
        only: Option<&[Move]>,
    ) -> Result<Analysis, PlayerError> {
        let session = self.shifted(session)?;
        let idle = AtomicBool::new(false);
        let stop = request.stop.unwrap_or(&idle);
        let mut thinking =
            Thinking::new(self.options.budget, self.clock.as_ref(), stop, self.search_seed(session.as_ref()));
        if let Some((budget, maximum)) = budget {
            (thinking.budget, thinking.maximum, thinking.hard) = (budget, maximum, true);
        }
        thinking.any_seat = true;
        thinking.progress = request.progress;
        if !request.every.is_zero() {
            thinking.progress_every = request.every;
        }
        thinking.reasons = request.reasons;
        let only: Option<Vec<String>> = only.or(request.only).map(|moves| texts(session.state(), moves));
        thinking.only = only.as_deref();
        thinking.restrictions = request.restrictions;
        self.player.lock().analyze(session.as_ref(), &thinking)
    }
}

impl Drop for GoMind {
    fn drop(&mut self) {
        self.stop();
    }
}

fn texts(go: &Go, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| mv.text(go.size()).to_string()).collect()
}

/// The game with `color` to move, going on after two passes.
fn with_turn(session: &Session<Go>, color: Color) -> Result<Cow<'_, Session<Go>>, PlayerError> {
    let seat = color.index() as u8;
    match session.turn() {
        Turn::Seat(to_move) if to_move == seat => Ok(Cow::Borrowed(session)),
        Turn::Seat(_) => {
            session.with_turn_of(seat).map(Cow::Owned).map_err(|e| PlayerError::new(e.code, e.to_string()))
        }
        _ if session.forfeit().is_some() || session.state().is_void() => Err(over()),
        _ => {
            let mut resumed = session.clone();
            let setup = Setup { to_move: Some(color), ..Setup::default() };
            resumed
                .perform(kiebitz_core::Step::SetUp(Box::new(setup)))
                .map_err(|e| PlayerError::new(e.code, e.to_string()))?;
            Ok(Cow::Owned(resumed))
        }
    }
}
