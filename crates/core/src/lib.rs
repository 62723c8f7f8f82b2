//! The contract of a game, and what every game shares: sessions, records, player specs, budgets, randomness, probability and
//! the conformance suite.
//!
//! A game implements [`Game`] (its rules) and [`Notation`] (how it looks from outside). A [`Session`] owns the true state; a
//! search receives a [`Seen`]. The erased layer, [`DynGame`], is written once for all games.
#![forbid(unsafe_code)]

mod analysis;
mod budget;
mod game;
mod knowledge;
mod payoff;
mod rng;
mod seen;
mod spec;

pub use analysis::{Analysis, Candidate, Estimate, Reason};
pub use budget::{Budget, Clock, ManualClock};
pub use game::{ChanceKind, Game, Illegal, Meta, SetupError, Weighted};
pub use knowledge::{Knowledge, Outcome, Scratch, Trace, Uniform, ValueTerm};
pub use payoff::{MAX_PLAYERS, Payoff, Seat, Turn};
pub use rng::{Luck, Rng};
pub use seen::Seen;
pub use spec::{PlayerSpec, Settings, SpecError, parse_duration};
