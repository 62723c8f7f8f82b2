//! Go.
#![forbid(unsafe_code)]

pub mod playout;
mod point;

pub use point::{Color, Move, MoveError, MoveText, Point, Size, SizeError};
