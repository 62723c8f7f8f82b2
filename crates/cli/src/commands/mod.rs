//! The subcommands, one file each.

pub mod analyze;
pub mod bench;
pub mod engine;
pub mod games;
pub mod go;
pub mod gtp;
pub mod matches;
pub mod perft;
pub mod play;
pub mod replay;
pub mod serve;
pub mod tune;
