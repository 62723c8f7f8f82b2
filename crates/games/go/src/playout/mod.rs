//! Playouts: a fast board and the policies that play on it.

mod any;
mod area;
mod board;
mod course;
mod heavy;
mod liberties;
mod light;
mod nakade;
mod policy;
mod queries;
mod set_up;
mod shapes;
mod vertex;

pub use any::AnyPlayoutBoard;
pub use board::PlayoutBoard;
pub use course::{Playout, PlayoutEnd, Start};
pub use policy::Policy;
pub use set_up::SetUpError;
pub use vertex::Vertex;
