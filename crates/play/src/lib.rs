//! A game in progress: clocks, languages, the terminal dialogue, replay, analysis and review.
#![forbid(unsafe_code)]

mod clock;
mod lang;
pub mod replay;
pub mod review;

pub use clock::WallClock;
pub use lang::{Lang, UnknownLang};
