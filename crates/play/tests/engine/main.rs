//! The JSON engine, driven through its lines.

mod actions;
mod bad_lines;
#[path = "../../../games/paodekuai/tests/common/mod.rs"]
mod cards;
mod flow;
mod katago_answer;
mod katago_query;
mod katrain;
#[path = "../mutate/mod.rs"]
mod mutate;
mod own;
mod peeking;
mod support;
