//! Matches between players, with the statistics that tell whether a result means anything.
//!
//! [`Match`] describes a match, [`Match::run`] plays it on several threads and returns a [`Report`] that is the same for any
//! number of threads, and for a match resumed from its [`journal`].
#![forbid(unsafe_code)]

mod game_result;
pub mod journal;
pub mod load;
pub mod pairing;
mod play_game;
mod report;
mod runner;
pub mod stats;

pub use game_result::{GameResult, Place};
pub use pairing::MAX_GAMES;
pub use play_game::{Effort, Ending, Failure, FailureKind, Table, play_game};
pub use report::{
    FailureCounts, FailureNote, GameCounts, LengthSummary, Mean, PairReport, PlayerReport, Report, SeatReport, Tally,
};
pub use runner::{ArenaError, Contestant, MAX_THREADS, Match, Outcome, PlayerTiming, Progress, Timing};
