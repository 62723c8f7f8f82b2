//! The contract of a game.
#![forbid(unsafe_code)]

mod rng;

pub use rng::{Luck, Rng};
