//! The table in the browser: an HTTP and WebSocket server for games between people and computers, their storage, and the page.
#![forbid(unsafe_code)]

pub mod protocol;
