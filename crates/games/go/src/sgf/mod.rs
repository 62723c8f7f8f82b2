//! SGF, the Smart Game Format `FF[4]` for Go: reading, looking at, changing and writing game records.
//!
//! Source of the format: A. Hollosi, "SGF File Format `FF[4]`" (red-bean.com/sgf). `FF[1]` to `FF[3]` are read as well.
//!
//! Two layers:
//! - [`parse`] turns bytes into a [`Collection`] of [`Tree`]s: nodes with properties in file order and values exactly as
//!   written, unknown ones included. Nothing here is recursive: parsing, walking, comparing, writing and dropping need
//!   constant stack for any depth, and time and memory grow linearly with the input.
//! - The Go view, methods of [`Tree`]: [`Tree::info`], [`Tree::played`], [`Tree::setup`], [`Tree::comment`],
//!   [`Tree::labels`] and so on. Moves are not executed here: whether one is legal is the referee's question. The view
//!   gives the caller what a refusal needs ([`PlayedMove`] has the move number and the place in the file).
//!
//! Reading is forgiving by default: what can be understood is, and each repair is a [`Warning`] with line, column and
//! byte. With [`Mode::Strict`] the first thing that breaks the standard is an error.
//!
//! What is kept apart from the properties: `GM`, `FF` and `CA` of a root. In memory all text is Unicode and all trees are
//! Go, so [`Tree::charset`] and [`Tree::file_format`] only tell what the file said, and the writer always begins with
//! `(;GM[1]FF[4]CA[UTF-8]`. `parse(write(t))` equals `t`.
//!
//! ```
//! use kiebitz_go::sgf::{self, Mode};
//!
//! let parsed = sgf::parse(b"(;GM[1]FF[4]SZ[9]KM[6,5];B[ee];W[])", Mode::Tolerant)?;
//! let tree = &parsed.collection.trees[0];
//! assert_eq!(tree.info().komi, Some(6.5));
//! assert_eq!(parsed.warnings[0].code(), "sgf_number_spelling");
//! let moves: Vec<String> = tree.main_line_moves().map(|m| m.mv.text(tree.size()).to_string()).collect();
//! assert_eq!(moves, ["E5", "pass"]);
//! # Ok::<(), sgf::SgfError>(())
//! ```

mod build;
mod charset;
mod check;
mod cursor;
mod declared;
mod error;
mod game;
mod guess;
mod header;
mod info;
mod markup;
mod names;
mod number;
mod parse;
mod points;
mod result;
mod rules;
mod text;
mod tree;
mod warning;
mod write;

pub use charset::Charset;
pub use error::SgfError;
pub use game::{PlayedMove, Setup};
pub use info::{GameInfo, Player};
pub use markup::Mark;
pub use parse::{Limits, Mode, Parsed, parse, parse_with_limits};
pub use result::{GameResult, Margin};
pub use rules::ruleset;
pub use text::{escape, escape_part, simple_text, split_composed, text};
pub use tree::{Collection, NodeId, Property, Tree};
pub use warning::{TextPosition, Warning, WarningKind};
