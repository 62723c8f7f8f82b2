//! Search algorithms for any game that implements the contract of `kiebitz-core`: one file each, none knows a game.
#![forbid(unsafe_code)]

mod random;
pub mod registry;
mod report;
mod search;

pub use random::Random;
pub use report::{PayoffStats, Report, Row, StopReason};
pub use search::{Context, Progress, Search, SearchError};
