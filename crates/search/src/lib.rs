//! Search algorithms for any game that implements the contract of `kiebitz-core`: one file each, none knows a game.
#![forbid(unsafe_code)]

mod action_tree;
mod ismcts;
mod openloop;
mod pimc;
mod random;
pub mod registry;
mod report;
mod revealed;
mod search;
mod world_search;

pub use ismcts::{Ismcts, IsmctsConfig};
pub use openloop::{OpenLoop, OpenLoopConfig};
pub use pimc::{Combine, MakeInner, Pimc, PimcConfig, Votes};
pub use random::Random;
pub use report::{PayoffStats, Report, Row, StopReason};
pub use revealed::Revealed;
pub use search::{Context, Progress, Search, SearchError};
pub use world_search::{Branch, ChanceNodes};
