//! The contract of a game, and what every game shares: sessions, records, player specs, budgets, randomness, probability and
//! the conformance suite.
//!
//! A game implements [`Game`] (its rules) and [`Notation`] (how it looks from outside). A [`Session`] owns the true state; a
//! search receives a [`Seen`]. The erased layer, [`DynGame`], is written once for all games.
#![forbid(unsafe_code)]

mod analysis;
mod budget;
pub mod conformance;
mod erased;
mod game;
mod knowledge;
mod notation;
mod payoff;
mod perft;
mod player;
pub mod probability;
pub mod record;
mod rng;
mod seen;
mod session;
mod spec;

pub use analysis::{Analysis, Candidate, Estimate, Reason};
pub use budget::{Budget, Clock, ManualClock};
pub use erased::{DynGame, DynGameType, GameType, SeenStep};
pub use game::{ChanceKind, Game, Illegal, Meta, SetupError, Weighted};
pub use knowledge::{Knowledge, Outcome, Proven, Scratch, Trace, Uniform, ValueTerm};
pub use notation::{Forfeit, Notation, Observer, to_move_fact};
pub use payoff::{MAX_PLAYERS, Payoff, Seat, Turn};
pub use perft::{Perft, PerftError, perft};
pub use player::{AnalysisProgress, DynPlayer, Overview, PlayerError, Restriction, Thinking};
pub use rng::{Luck, Rng};
pub use seen::Seen;
/// A JSON value, re-exported so that a game needs no further dependency.
pub use serde_json::Value as Json;
pub use session::{Session, Step};
pub use spec::{PlayerSpec, Settings, SpecError, parse_duration};
/// A JSON object with its keys in order, re-exported so that a game needs no further dependency.
pub type JsonMap = serde_json::Map<String, Json>;
