//! What the reader repaired or could not use, each with its place in the file.

use std::fmt;

use crate::Size;

/// A place in a file. Counted in the bytes that were given to the reader, except that a UTF-16 file is counted after its
/// conversion to UTF-8. Line and column start at 1, `byte` at 0; a column is one character. All are 0 in trees that were
/// built and not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextPosition {
    /// Bytes before this place.
    pub byte: u32,
    /// The line; LF, CR, CR LF and LF CR each end one.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

impl fmt::Display for TextPosition {
    /// `line 3, column 7 (byte 52)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} (byte {})", self.line, self.column, self.byte)
    }
}

/// One thing the reader repaired, left out or interpreted.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What it was.
    pub kind: WarningKind,
    /// Where.
    pub position: TextPosition,
    /// In or after which game tree of the file, from 1; 0 before the first.
    pub tree: usize,
    /// In which property, when it was in one.
    pub property: Option<String>,
}

impl Warning {
    /// A stable name for programs, such as `sgf_off_board`.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Whether the standard calls this an error, so that [`super::Mode::Strict`] refuses the file.
    pub fn breaks_standard(&self) -> bool {
        self.kind.breaks_standard()
    }
}

impl fmt::Display for Warning {
    /// `line 1, column 20 (byte 19), property KM: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.position)?;
        if let Some(property) = &self.property {
            write!(f, ", property {property}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// The kinds of [`Warning`]. Quoted texts are cut to 24 characters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WarningKind {
    /// Text between nodes and properties, or after the last tree.
    #[error("`{text}` is neither a node nor a property and was skipped")]
    SkippedText {
        /// What was skipped.
        text: String,
    },
    /// A property where a node should start.
    #[error("a node must start with `;`, so one was added")]
    MissingSemicolon,
    /// The end of the file inside a tree.
    #[error("the file ends with {open} open `(`, so the missing `)` were added")]
    UnclosedTree {
        /// How many are open.
        open: usize,
    },
    /// A `)` outside of every tree.
    #[error("this `)` closes nothing and was skipped")]
    ExtraParenthesis,
    /// The end of the file inside a value.
    #[error("the value has no closing `]`, so it was taken to go on to the end of the file")]
    UnclosedValue,
    /// A variation must have a node before its own variations or its end.
    #[error("a variation must have a node after its `(`")]
    EmptyVariation,
    /// After the first variation only variations may follow.
    #[error("a node cannot follow a variation, so it was read as one more variation")]
    NodeAfterVariation,
    /// `FF[4]` has capital letters only. Lower-case letters are dropped, as `FF[1]` to `FF[3]` asked for; digits are kept.
    #[error("`{name}` is no property name: expected capital letters only, read as {read}")]
    NameSpelling {
        /// The name as written.
        name: String,
        /// The name as read.
        read: String,
    },
    /// A value whose property has no name, or no capital letter in it.
    #[error("a value must follow a property name in capital letters, so it was left out")]
    NamelessValue,
    /// A property name without value.
    #[error("`{name}` has no value and was left out: expected `[` after a property name")]
    NoValue {
        /// The name as written.
        name: String,
    },
    /// One property twice in a node; values are merged and an exact repetition is dropped.
    #[error("the property is in this node already, so both were merged")]
    DuplicateProperty,
    /// A second move in a node.
    #[error("the node has a move already, so this one was put into a node of its own")]
    SeveralMoves,
    /// More than one value where the standard allows one. The first counts; of comments all do.
    #[error("{count} values where one is allowed")]
    ExtraValues {
        /// How many there are.
        count: usize,
    },
    /// AP, CA, FF, GM, ST or SZ below the root.
    #[error("this property belongs to the first node of a tree and means nothing here")]
    MisplacedRootProperty,

    /// No CA, and text beyond ASCII.
    #[error("no CA property names the character set, {charset} was guessed")]
    CharsetGuessed {
        /// What was guessed.
        charset: &'static str,
    },
    /// A CA that is not supported.
    #[error("`{label}` is no known character set, {charset} was used")]
    CharsetUnknown {
        /// What CA says.
        label: String,
        /// What was used.
        charset: &'static str,
    },
    /// A byte order mark says something else than CA.
    #[error("the byte order mark says Unicode, not `{label}`, and was believed")]
    CharsetOverridden {
        /// What CA says.
        label: String,
    },
    /// Bytes that mean nothing in the character set.
    #[error("bytes that are no {charset} text were replaced by U+FFFD ({count} times)")]
    BadBytes {
        /// The character set.
        charset: &'static str,
        /// How many replacement characters there are.
        count: usize,
    },

    /// `SZ[19:19]` must be `SZ[19]`.
    #[error("a square board must be written with one number")]
    SquareSizeTwice,
    /// A number in an unusual spelling, such as with a comma.
    #[error("`{value}` was read as {read}: expected a plain number")]
    NumberSpelling {
        /// As written.
        value: String,
        /// As read.
        read: f64,
    },
    /// No number at all.
    #[error("`{value}` is no number and was ignored: expected {expected}")]
    BadNumber {
        /// As written.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A komi in hundredths or in zi (stones; one zi is two points).
    #[error("`{value}` was read as a komi of {komi} points")]
    KomiUnits {
        /// As written.
        value: String,
        /// In points.
        komi: f64,
    },
    /// HA of 2 or more, but no stones before the first move. The board stays empty.
    #[error("a handicap of {handicap} without handicap stones (AB), so the board was left empty")]
    HandicapWithoutStones {
        /// What HA says.
        handicap: u16,
    },
    /// HA differs from the number of black stones set up.
    #[error("a handicap of {handicap}, but {stones} black stones were set up")]
    HandicapMismatch {
        /// What HA says.
        handicap: u16,
        /// How many stones there are.
        stones: usize,
    },
    /// An RU without a ruleset of ours.
    #[error("`{value}` is no known ruleset")]
    UnknownRules {
        /// As written.
        value: String,
    },
    /// An RU that is only nearly one of ours.
    #[error("`{value}` rules are not supported, {ruleset} is the nearest")]
    NearestRules {
        /// As written.
        value: String,
        /// The name of ours.
        ruleset: &'static str,
    },
    /// An RE that cannot be read.
    #[error("`{value}` is no result: expected for example B+12.5, W+R, 0, Void or ?")]
    BadResult {
        /// As written.
        value: String,
    },
    /// Neither `B` nor `W`.
    #[error("`{value}` is no colour: expected B or W")]
    BadColor {
        /// As written.
        value: String,
    },
    /// Text where a point or a move should be.
    #[error("`{value}` is no {expected} and was ignored")]
    BadPoint {
        /// As written.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A point the board does not have.
    #[error("`{value}` is off the {size} board and was ignored")]
    OffBoard {
        /// As written.
        value: String,
        /// The board.
        size: Size,
    },
    /// Setup and a move in one node; the setup counts first.
    #[error("setup and a move must not be in one node, so the setup was taken first")]
    SetupWithMove,
    /// A point in two of AB, AW and AE; the later property counts.
    #[error("a point is set up twice in one node, so the later property counts")]
    SetupConflict,
}

impl WarningKind {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SkippedText { .. } => "sgf_skipped_text",
            Self::MissingSemicolon => "sgf_missing_semicolon",
            Self::UnclosedTree { .. } => "sgf_unclosed_tree",
            Self::ExtraParenthesis => "sgf_extra_parenthesis",
            Self::UnclosedValue => "sgf_unclosed_value",
            Self::EmptyVariation => "sgf_empty_variation",
            Self::NodeAfterVariation => "sgf_node_after_variation",
            Self::NameSpelling { .. } => "sgf_name_spelling",
            Self::NamelessValue => "sgf_nameless_value",
            Self::NoValue { .. } => "sgf_no_value",
            Self::DuplicateProperty => "sgf_duplicate_property",
            Self::SeveralMoves => "sgf_several_moves",
            Self::ExtraValues { .. } => "sgf_extra_values",
            Self::MisplacedRootProperty => "sgf_misplaced_root_property",
            Self::CharsetGuessed { .. } => "sgf_charset_guessed",
            Self::CharsetUnknown { .. } => "sgf_charset_unknown",
            Self::CharsetOverridden { .. } => "sgf_charset_overridden",
            Self::BadBytes { .. } => "sgf_bad_bytes",
            Self::SquareSizeTwice => "sgf_square_size_twice",
            Self::NumberSpelling { .. } => "sgf_number_spelling",
            Self::BadNumber { .. } => "sgf_bad_number",
            Self::KomiUnits { .. } => "sgf_komi_units",
            Self::HandicapWithoutStones { .. } => "sgf_handicap_without_stones",
            Self::HandicapMismatch { .. } => "sgf_handicap_mismatch",
            Self::UnknownRules { .. } => "sgf_unknown_rules",
            Self::NearestRules { .. } => "sgf_nearest_rules",
            Self::BadResult { .. } => "sgf_bad_result",
            Self::BadColor { .. } => "sgf_bad_color",
            Self::BadPoint { .. } => "sgf_bad_point",
            Self::OffBoard { .. } => "sgf_off_board",
            Self::SetupWithMove => "sgf_setup_with_move",
            Self::SetupConflict => "sgf_setup_conflict",
        }
    }

    /// Whether the standard calls this an error. The others are interpretations of legal files.
    pub fn breaks_standard(&self) -> bool {
        !matches!(
            self,
            Self::CharsetGuessed { .. }
                | Self::CharsetUnknown { .. }
                | Self::CharsetOverridden { .. }
                | Self::KomiUnits { .. }
                | Self::HandicapWithoutStones { .. }
                | Self::HandicapMismatch { .. }
                | Self::UnknownRules { .. }
                | Self::NearestRules { .. }
        )
    }
}

/// Messages quote what was written, but never a megabyte of it, and in one line.
pub(super) fn clip(text: &str) -> String {
    let mut out: String = text.chars().take(24).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(24).is_some() {
        out.push('…');
    }
    out
}
