//! Every message between page and server, as types. `web/types.d.ts` is generated from them; a test fails when it is stale.
//!
//! - [`http`]: bodies of requests and answers of the HTTP part (lobby, invitations, records, review).
//! - [`client`]: what a page says on the WebSocket of a table.
//! - [`server`]: what it is told there.
//! - [`common`]: what several of them contain.
//!
//! `docs/table-protocol.md` shows each with an example. Words for people are never sent, except for errors, whose English
//! sentence stands beside a stable code: reasons, results and states are codes with numbers, which the page words.

pub mod client;
pub mod common;
pub mod http;
pub mod server;

#[cfg(test)]
mod types_file;
