//! Playouts: a fast board and the policies that play on it.

mod any;
mod area;
mod board;
mod light;
mod queries;
mod set_up;
mod vertex;

pub use any::AnyPlayoutBoard;
pub use board::PlayoutBoard;
pub use light::{Playout, PlayoutEnd};
pub use set_up::SetUpError;
pub use vertex::Vertex;
