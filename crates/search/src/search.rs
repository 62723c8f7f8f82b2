//! The interface of every search.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kiebitz_core::{Budget, Clock, Game, Knowledge, Seat, Seen};

use crate::Report;

/// Receives the state of a running search.
pub type Progress<'a, G> = &'a (dyn Fn(&Report<G>) + Sync);

/// Actions that a seat may not choose, or the only ones it may choose, in the first plies below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction<A> {
    /// Whose choice is restricted, whoever is to move at the root.
    pub seat: Seat,
    /// The actions.
    pub actions: Vec<A>,
    /// They are the only ones it may choose; otherwise it may not choose them.
    pub only: bool,
    /// How many plies from the root on it holds: 1 is the root's own choice. Chance does not count.
    pub plies: u32,
}

impl<A: PartialEq> Restriction<A> {
    /// Whether `seat` may choose `action` so many plies below the root, as far as this restriction goes.
    pub fn allows(&self, ply: u32, seat: Seat, action: &A) -> bool {
        seat != self.seat || ply >= self.plies || self.actions.contains(action) == self.only
    }
}

/// Leaves of `actions`, all that are legal in `state`, those that a tree search may choose for `seat` so many plies below the
/// root: those worth looking at ([`Knowledge::prune`]), and where restrictions hold those named as the only ones; else of those
/// worth looking at, or else of all, the ones that are not forbidden. Where none is left, restrictions do not hold.
pub(crate) fn choosable<G: Game, K: Knowledge<G>>(
    restrictions: &[Restriction<G::Action>],
    knowledge: &K,
    state: &G,
    actions: &mut Vec<G::Action>,
    ply: u32,
    seat: Seat,
) {
    if !restrictions.iter().any(|r| r.seat == seat && ply < r.plies) {
        return knowledge.prune(state, actions);
    }
    let allowed = |action: &G::Action| restrictions.iter().all(|r| r.allows(ply, seat, action));
    let all = actions.clone();
    knowledge.prune(state, actions);
    let pruned = actions.clone();
    let named = restrictions.iter().any(|r| r.only && r.seat == seat && ply < r.plies);
    actions.retain(|action| !named && allowed(action));
    if actions.is_empty() {
        actions.extend(all.into_iter().filter(allowed));
    }
    if actions.is_empty() {
        *actions = pruned;
    }
}

/// What a search needs besides the position.
pub struct Context<'a, G: Game> {
    /// How long it may think.
    pub budget: Budget,
    /// With a budget of time: how long it may think at most while the result is unclear ([`crate::timing::wants_more`]).
    /// `None`, or less than the budget: never longer than the budget. Only tree searches with one tree or several
    /// ([`crate::Uct`], [`crate::Puct`]) use it.
    pub maximum: Option<Duration>,
    /// The clock it reads.
    pub clock: &'a dyn Clock,
    /// Set by somebody else to make it stop after at most one more simulation.
    pub stop: &'a AtomicBool,
    /// Receives the state of the search now and then.
    pub progress: Option<Progress<'a, G>>,
    /// The least time between two progress reports.
    pub progress_every: Duration,
    /// All randomness of the search follows from it.
    pub seed: u64,
    /// What may not be chosen near the root. Tree searches ([`crate::Uct`], [`crate::Puct`], [`crate::Ismcts`],
    /// [`crate::OpenLoop`]) keep to it wherever a choice is left: such a run starts with an empty tree and leaves nothing to the
    /// next one. Other searches do not ask, but none plays a proven action ([`Knowledge::proven`]) that may not be chosen.
    pub restrictions: &'a [Restriction<G::Action>],
}

impl<G: Game> fmt::Debug for Context<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("budget", &self.budget).field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl<'a, G: Game> Context<'a, G> {
    /// A context without progress reports.
    pub fn new(budget: Budget, clock: &'a dyn Clock, stop: &'a AtomicBool, seed: u64) -> Self {
        Context {
            budget,
            maximum: None,
            clock,
            stop,
            progress: None,
            progress_every: Duration::from_millis(250),
            seed,
            restrictions: &[],
        }
    }

    /// Whether somebody asked the search to stop.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Why a search refuses a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// It is not a player's turn.
    #[error("there is nothing to search: it is not a player's turn")]
    NotAPlayersTurn,
    /// The algorithm cannot handle this kind of game.
    #[error("{algorithm} cannot play this game: {reason}")]
    Unsuitable {
        /// The algorithm's name.
        algorithm: &'static str,
        /// What the game has that the algorithm cannot handle, and what can.
        reason: &'static str,
    },
    /// Neither visits nor time are limited.
    #[error("the search has no limit: give it visits, time, or both")]
    NoBudget,
}

impl SearchError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            SearchError::NotAPlayersTurn => "search.no_turn",
            SearchError::Unsuitable { .. } => "search.unsuitable",
            SearchError::NoBudget => "search.no_budget",
        }
    }
}

/// A search: chooses an action for the seat to move, knowing only what that seat has seen.
///
/// With a visit budget, one thread and a seed, the report is the same on every machine.
pub trait Search<G: Game>: Send {
    /// Searches the position.
    ///
    /// # Errors
    /// When the position or the game does not suit the algorithm; never for lack of time (at least one simulation is done).
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError>;

    /// Tells of an action played since the last run, as the searching seat saw it, so that a tree may be kept.
    fn observe(&mut self, _action: G::Action) {}

    /// Whether what it keeps is of use when another seat searches next (as when it ponders on the opponent's time). A search
    /// that keeps values in the eyes of one seat answers `false`.
    fn serves_any_seat(&self) -> bool {
        false
    }

    /// Forgets everything: another game begins.
    fn reset(&mut self) {}
}
