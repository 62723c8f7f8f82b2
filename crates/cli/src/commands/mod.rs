//! The subcommands, one file each.

pub mod analyze;
pub mod games;
pub mod play;
pub mod replay;
