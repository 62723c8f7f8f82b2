//! Go: the referee with all its rules, a fast board for playouts, scoring, SGF, and what a search can know of the game.
//!
//! [`Go`] is the referee: it implements the contract of `kiebitz-core` and looks at the whole history (superko, undo, agreed dead
//! stones). [`playout`] has the board without history on which playouts run. [`sgf`] reads and writes records.
#![forbid(unsafe_code)]

mod atari;
mod benson;
mod board;
mod explain;
pub mod features;
mod handicap;
mod influence;
mod keys;
mod knowledge;
mod moves;
mod notation;
pub mod playout;
mod point;
mod rules;
mod scoring;
mod setup;
pub mod sgf;
mod state;
pub mod status;
mod zobrist;

pub use benson::{PassAlive, pass_alive};
pub use board::Board;
pub use handicap::{fixed_handicap, max_fixed_handicap};
pub use knowledge::{GoBuffer, GoKnowledge};
pub use point::{Color, Move, MoveError, MoveText, Point, Size, SizeError};
pub use rules::{KoRule, MAX_KOMI, Options, Rules, Ruleset, Scoring, Tax, WhiteBonus, default_komi, quarter_points};
pub use scoring::{Score, SideScore, area_owners, result_text};
pub use setup::Setup;
pub use state::{Go, Undo};
