//! The one list of games and players: names to erased games and players.
//!
//! Adding a game is one folder under `crates/games/` and one line in [`games`].
#![forbid(unsafe_code)]

mod bench;
mod entry;
mod player;

pub use bench::{BenchConfig, BenchRow, RandomGames, SearchRate, ThreadRate, Variant, WorldRate};
pub use entry::{Entry, UnknownGame, game, games};
