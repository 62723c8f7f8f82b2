//! Search algorithms for any game that implements the contract of `kiebitz-core`: one file each, none knows a game.
#![forbid(unsafe_code)]

mod action_tree;
mod alphabeta;
mod expectimax;
mod flat;
mod greedy;
mod ismcts;
mod limit;
mod maxn;
mod negamax;
mod openloop;
mod ordering;
mod parallel;
mod paranoid;
mod pimc;
mod puct;
mod random;
pub mod registry;
mod report;
mod revealed;
mod search;
pub mod select;
mod star;
mod table;
pub mod timing;
mod tree;
mod uct;
mod world_search;

pub use alphabeta::{AlphaBeta, AlphaBetaConfig};
pub use expectimax::{Expectimax, ExpectimaxConfig};
pub use flat::{Allocation, Flat, FlatConfig, ucb1};
pub use greedy::{Greedy, GreedyConfig};
pub use ismcts::{Ismcts, IsmctsConfig};
pub use maxn::{MaxN, MaxNConfig};
pub use negamax::Window;
pub use openloop::{OpenLoop, OpenLoopConfig};
pub use paranoid::Paranoid;
pub use pimc::{Combine, MakeInner, Pimc, PimcConfig, Votes};
pub use puct::{Puct, PuctSettings};
pub use random::{Random, RandomConfig};
pub use report::{PayoffStats, Report, Row, StopReason};
pub use revealed::Revealed;
pub use search::{Context, Progress, Search, SearchError};
pub use tree::{NodeInfo, Parallel, TreeSettings, node_bytes};
pub use uct::{RAVE_BIAS, RAVE_C, RAVE_K, RAVE_PRIOR_VISITS, Uct, UctSettings};
pub use world_search::{Branch, ChanceNodes};
