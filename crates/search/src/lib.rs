//! Search algorithms for any game that implements the contract of `kiebitz-core`: one file each, none knows a game.
#![forbid(unsafe_code)]

mod alphabeta;
mod expectimax;
mod flat;
mod greedy;
mod limit;
mod maxn;
mod negamax;
mod ordering;
mod paranoid;
mod random;
mod report;
mod search;
mod star;
mod table;

pub use alphabeta::{AlphaBeta, AlphaBetaConfig};
pub use expectimax::{Expectimax, ExpectimaxConfig};
pub use flat::{Allocation, Flat, FlatConfig, ucb1};
pub use greedy::{Greedy, GreedyConfig};
pub use maxn::{MaxN, MaxNConfig};
pub use negamax::Window;
pub use paranoid::Paranoid;
pub use random::{Random, RandomConfig};
pub use report::{PayoffStats, Report, Row, StopReason};
pub use search::{Context, Progress, Search, SearchError};
