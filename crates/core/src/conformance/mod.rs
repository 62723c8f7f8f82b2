//! The tests every game must pass: [`check`] plays random games and looks at every promise of [`Game`] and [`Notation`] after
//! every action.
//!
//! A game's own tests call it once for each number of players and each set of options worth the time:
//!
//! ```text
//! #[test]
//! fn conformance() {
//!     conformance::check(&Config::<Azul>::new(2)).unwrap();
//! }
//! ```
//!
//! Everything follows from the seed, so a result is the same on every run and every machine. What a game promises beyond the
//! contract (scores, rulings, sizes) is for its own tests; so is the distribution of an event that is only sampled, for which
//! [`chi_squared`] is public.
//!
//! One leak cannot be found from outside: a re-drawn world that keeps a hidden part which no other outcome of a single event
//! of chance, and no re-drawing, would have changed. Games that deal everything at once test that themselves.

mod actions;
mod border;
mod chance;
mod chi_squared;
mod hidden;
mod memory;
mod payoffs;
mod replay;
mod text;
mod walk;

use std::fmt;

pub use chi_squared::{ChiSquared, chi_squared, chi_squared_critical};

use crate::{Game, Luck, Notation};
use memory::Memory;

/// What to play.
#[derive(Clone, Debug)]
pub struct Config<G: Game> {
    /// The number of players.
    pub players: u8,
    /// The rule options.
    pub options: G::Options,
    /// The position to start from.
    pub setup: Option<G::Setup>,
    /// How many random games are played.
    pub games: u32,
    /// After how many actions, chance included, a game is left unfinished.
    pub max_actions: usize,
    /// All randomness follows from it.
    pub seed: u64,
}

impl<G: Game> Config<G> {
    /// Twenty games of `players` players with the default options, each to its end.
    pub fn new(players: u8) -> Self {
        Config { players, options: G::Options::default(), setup: None, games: 20, max_actions: 10_000, seed: 1 }
    }

    /// With other rule options.
    pub fn options(self, options: G::Options) -> Self {
        Config { options, ..self }
    }

    /// From a position.
    pub fn setup(self, setup: G::Setup) -> Self {
        Config { setup: Some(setup), ..self }
    }

    /// With another number of games.
    pub fn games(self, games: u32) -> Self {
        Config { games, ..self }
    }

    /// With games broken off after so many actions.
    pub fn max_actions(self, max_actions: usize) -> Self {
        Config { max_actions, ..self }
    }

    /// With another seed.
    pub fn seed(self, seed: u64) -> Self {
        Config { seed, ..self }
    }
}

/// What was looked at. Tests may demand that enough was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games played to their end.
    pub finished: u32,
    /// States looked at.
    pub states: u64,
    /// The longest game, in actions.
    pub longest: usize,
    /// Chance nodes whose sampler was tested against its distribution.
    pub distributions: u32,
    /// Worlds drawn for a seat that differed from the true one.
    pub worlds: u64,
}

/// A broken promise.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which promise, such as `actions.sorted`; stable.
    pub check: &'static str,
    /// What was found, with numbers, actions and states.
    pub message: String,
    /// The game in which it was found, as the text of a record; empty when no game was played yet.
    pub record: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.check, self.message)?;
        if self.record.is_empty() { Ok(()) } else { write!(f, "\nafter this game:\n{}", self.record) }
    }
}

// `unwrap` in a test prints this; the derived form would be one long line.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

/// A broken promise before it is known where.
#[derive(Debug)]
struct Problem {
    check: &'static str,
    message: String,
}

impl Problem {
    fn at(self, record: String) -> Failure {
        Failure { check: self.check, message: self.message, record }
    }
}

type Verdict = Result<(), Problem>;

/// `fail!("name.of.check", "message {}", …)`: returns the problem.
macro_rules! fail {
    ($check:expr, $($message:tt)+) => {
        return Err($crate::conformance::Problem { check: $check, message: format!($($message)+) })
    };
}
use fail;

/// `demand!(condition, "name.of.check", "message {}", …)`: returns the problem unless the condition holds.
macro_rules! demand {
    ($condition:expr, $check:expr, $($message:tt)+) => {
        // Not `!condition`: a comparison with a number that is none must fail.
        if $condition {
        } else {
            $crate::conformance::fail!($check, $($message)+);
        }
    };
}
use demand;

/// Plays random games and tests every promise of the contract after every action.
///
/// # Errors
/// The first broken promise, with the game that shows it.
///
/// # Panics
/// Where the game panics, which no game may.
pub fn check<G: Notation>(config: &Config<G>) -> Result<Summary, Failure> {
    let before = |problem: Problem| problem.at(String::new());
    let meta = border::game(config).map_err(before)?;
    let mut memory = Memory::new(meta, Luck::new(config.seed).stream(1, 0));
    for game in 0..config.games {
        walk::play(config, game, &mut memory)?;
    }
    memory.finish().map_err(before)?;
    Ok(memory.summary)
}
