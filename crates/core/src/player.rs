//! Players whose type is not known. `core` cannot see the searches: players are built by the catalog.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::{Analysis, Budget, Clock, DynGame, PlayerSpec, Seat};

/// Receives the state of a running analysis.
pub type AnalysisProgress<'a> = &'a (dyn Fn(&Analysis) + Sync);

/// Actions that a seat may not choose, or the only ones it may choose, in the first plies a player looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Whose choice is restricted, whoever is to move.
    pub seat: Seat,
    /// The actions, as texts of the position looked at. A text that is no action there is left out.
    pub actions: Vec<String>,
    /// They are the only ones it may choose; otherwise it may not choose them.
    pub only: bool,
    /// How many plies it holds: 1 is the choice in the position itself.
    pub plies: u32,
}

/// What a player is given besides the game.
pub struct Thinking<'a> {
    /// How long it may think where its spec says nothing; never more than this when `hard` is set.
    pub budget: Budget,
    /// The budget overrides the spec's own.
    pub hard: bool,
    /// With a `hard` budget of time: how long it may think at most while the result is unclear; `None` for the budget itself.
    pub maximum: Option<Duration>,
    /// The only actions it may choose from, as texts; `None` for all legal ones.
    pub only: Option<&'a [String]>,
    /// In a game without hidden information: what the player learned while another seat was to move is kept, as it is when one
    /// player ponders on the opponent's time or plays for both. Otherwise each change of the seat starts afresh.
    pub any_seat: bool,
    /// The clock it reads.
    pub clock: &'a dyn Clock,
    /// Set by somebody else to make it stop after at most one more simulation.
    pub stop: &'a AtomicBool,
    /// Receives the state of the analysis now and then.
    pub progress: Option<AnalysisProgress<'a>>,
    /// The least time between two progress reports.
    pub progress_every: Duration,
    /// All randomness of the player follows from it.
    pub seed: u64,
    /// For how many of the best candidates reasons are wanted.
    pub reasons: usize,
    /// Whether reasons are still wanted when `stop` has ended the search: they take time.
    pub reasons_after_stop: bool,
    /// What may not be chosen. Tree searches keep to it as they look ahead, the others in what they report; where nothing
    /// is left to choose it does not hold.
    pub restrictions: &'a [Restriction],
}

impl fmt::Debug for Thinking<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinking").field("budget", &self.budget).field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl<'a> Thinking<'a> {
    /// Thinking without progress reports and reasons.
    pub fn new(budget: Budget, clock: &'a dyn Clock, stop: &'a AtomicBool, seed: u64) -> Self {
        let progress_every = Duration::from_millis(250);
        Thinking {
            budget,
            hard: false,
            maximum: None,
            only: None,
            any_seat: false,
            clock,
            stop,
            progress: None,
            progress_every,
            seed,
            reasons: 0,
            reasons_after_stop: true,
            restrictions: &[],
        }
    }
}

/// Why a player gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PlayerError {
    /// A stable code.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

impl PlayerError {
    /// An error with its stable code and its sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        PlayerError { code, message: message.into() }
    }
}

/// What can be said of a position without searching it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Overview {
    /// What the game shows of the position, as in [`Analysis::details`].
    pub details: Map<String, Value>,
    /// Every legal action with its prior probability, in action order.
    pub priors: Vec<(String, f64)>,
}

/// A player of one game.
pub trait DynPlayer: Send {
    /// Its spec, as given.
    fn spec(&self) -> &PlayerSpec;

    /// Looks at the position of `game` for the seat to move, knowing only what that seat has seen. The first candidate is
    /// what it plays.
    ///
    /// # Errors
    /// When it is not a player's turn, or `game` is not the game it was built for.
    fn analyze(&mut self, game: &dyn DynGame, thinking: &Thinking<'_>) -> Result<Analysis, PlayerError>;

    /// What the game shows of the position to the seat to move, without a search. The default shows nothing.
    ///
    /// # Errors
    /// As [`DynPlayer::analyze`].
    fn overview(&mut self, _game: &dyn DynGame, _thinking: &Thinking<'_>) -> Result<Overview, PlayerError> {
        Ok(Overview::default())
    }

    /// Forgets what it kept between moves: another game begins.
    fn reset(&mut self);
}
