//! A game in progress: clocks, languages, the terminal dialogue, replay, analysis and review, GTP, the JSON engine.
#![forbid(unsafe_code)]

pub mod clock;
pub mod console;
pub mod engine;
pub mod files;
pub mod go_fit;
pub mod go_mind;
pub mod go_sgf;
pub mod gtp;
mod komi;
mod lang;
pub mod load;
pub mod reasons;
pub mod replay;
pub mod review;
pub mod review_text;
pub mod rules_text;
pub mod save;
mod sgf_keep;
pub mod terminal;
mod terms;

pub use clock::WallClock;
pub use lang::{Lang, UnknownLang};
