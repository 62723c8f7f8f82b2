//! Go.
#![forbid(unsafe_code)]

pub mod playout;
mod point;
pub mod sgf;

pub use point::{Color, Move, MoveError, MoveText, Point, Size, SizeError};
