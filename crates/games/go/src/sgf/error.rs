//! Why a file, or one of its trees, is refused.

use super::warning::{TextPosition, Warning};

/// Why a file or a tree is refused, or a change of a tree is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SgfError {
    /// Longer than [`super::Limits::bytes`].
    #[error("the file has {bytes} bytes: at most {limit} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// More than [`super::Limits::nodes`] nodes in all trees.
    #[error("{position}: the file has more than {limit} nodes")]
    TooManyNodes {
        /// The limit.
        limit: usize,
        /// The first node too many.
        position: TextPosition,
    },
    /// More than [`super::Limits::values`] property values in all trees.
    #[error("{position}: the file has more than {limit} property values")]
    TooManyValues {
        /// The limit.
        limit: usize,
        /// The first value too many.
        position: TextPosition,
    },
    /// Variations nested deeper than [`super::Limits::depth`].
    #[error("{position}: variations are nested more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: usize,
        /// The first `(` too many.
        position: TextPosition,
    },
    /// Nothing in the file looks like a game tree.
    #[error("no game tree found: expected a text that starts with `(;`")]
    NoTree,
    /// A tree of another game. Other trees of the file are still read.
    #[error("{position}, property GM: game tree {tree} is a game of {game}, not of Go: expected GM[1]")]
    OtherGame {
        /// The tree in the file, from 1.
        tree: usize,
        /// The name of the game by the standard's list, or what is written there.
        game: String,
        /// Where it says so.
        position: TextPosition,
    },
    /// A board that is not supported. Other trees of the file are still read.
    #[error("{position}, property SZ: `{value}` is no board size: expected 1 to 25, or two such numbers as in 13:9")]
    BadSize {
        /// The tree in the file, from 1.
        tree: usize,
        /// As written.
        value: String,
        /// Where it says so.
        position: TextPosition,
    },
    /// The file breaks the standard and was read in [`super::Mode::Strict`].
    #[error("{0}")]
    Strict(Warning),
    /// A property name that no file may have.
    #[error("`{name}` is no property name: expected capital letters")]
    BadName {
        /// The name.
        name: String,
    },
    /// GM, FF, CA and SZ follow from the tree itself.
    #[error("property {name} cannot be changed: it follows from how the tree was made")]
    FixedProperty {
        /// The name.
        name: String,
    },
    /// A raw value that would end early, or not at all.
    #[error("`{value}` is no raw value: expected `]` and a last `\\` to be escaped by `\\`")]
    BadRawValue {
        /// The value.
        value: String,
    },
}

impl SgfError {
    /// A stable name for programs. A refusal by [`super::Mode::Strict`] has the code of the warning.
    pub fn code(&self) -> &'static str {
        match self {
            SgfError::TooLong { .. } => "sgf_too_long",
            SgfError::TooManyNodes { .. } => "sgf_too_many_nodes",
            SgfError::TooManyValues { .. } => "sgf_too_many_values",
            SgfError::TooDeep { .. } => "sgf_too_deep",
            SgfError::NoTree => "sgf_no_tree",
            SgfError::OtherGame { .. } => "sgf_other_game",
            SgfError::BadSize { .. } => "sgf_bad_size",
            SgfError::Strict(warning) => warning.code(),
            SgfError::BadName { .. } => "sgf_bad_name",
            SgfError::FixedProperty { .. } => "sgf_fixed_property",
            SgfError::BadRawValue { .. } => "sgf_bad_raw_value",
        }
    }

    /// The place in the file, where there is one.
    pub fn position(&self) -> Option<TextPosition> {
        match self {
            SgfError::TooManyNodes { position, .. }
            | SgfError::TooManyValues { position, .. }
            | SgfError::TooDeep { position, .. }
            | SgfError::OtherGame { position, .. }
            | SgfError::BadSize { position, .. } => Some(*position),
            SgfError::Strict(warning) => Some(warning.position),
            _ => None,
        }
    }
}
