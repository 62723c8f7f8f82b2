//! Search algorithms for any game that implements the contract of `kiebitz-core`: one file each, none knows a game.
#![forbid(unsafe_code)]

mod parallel;
mod puct;
mod report;
mod search;
pub mod select;
pub mod timing;
mod tree;
mod uct;

pub use puct::{Puct, PuctSettings};
pub use report::{PayoffStats, Report, Row, StopReason};
pub use search::{Context, Progress, Search, SearchError};
pub use tree::{NodeInfo, Parallel, TreeSettings, node_bytes};
pub use uct::{RAVE_BIAS, RAVE_C, RAVE_K, Uct, UctSettings};
