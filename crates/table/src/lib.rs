//! The table in the browser: an HTTP and WebSocket server for games between people and computers, their storage, and the page.
//!
//! [`run`] is all a command needs. Inside: [`accept`] (connections), [`http`] and [`api`] (requests), [`socket`] (pages),
//! `room` (one table with its people), [`table`] (one game as its log tells it), [`store`] (the log), [`queue`] (computers).
#![forbid(unsafe_code)]

pub mod accept;
pub mod address;
pub mod api;
pub mod app;
pub mod cards;
pub mod events;
pub mod files;
pub mod forwarded;
pub mod go;
pub mod http;
pub mod identity;
pub mod limits;
pub mod lobby;
pub mod metrics;
pub mod minds;
pub mod outbox;
pub mod positions;
pub mod protocol;
pub mod queue;
pub mod reading;
pub mod refusal;
pub mod review;
pub mod room;
mod run;
pub mod server;
pub mod socket;
pub mod store;
pub mod table;
pub mod think;

pub use app::{Config, Mode};
pub use run::{dev_folder, run};
pub use server::{Server, StartError, default_folder};
