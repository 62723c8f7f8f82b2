//! Clocks: the real one, the time systems of tournaments, and the players' running clocks. They know no game.

mod settings;
mod state;
mod wall;

pub use settings::{BadTime, TimeSettings};
pub use state::{ClockState, Flag, Remaining};
pub use wall::WallClock;
