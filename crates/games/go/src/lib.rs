//! Go.
#![forbid(unsafe_code)]

mod point;

pub use point::{Color, Move, MoveError, MoveText, Point, Size, SizeError};
