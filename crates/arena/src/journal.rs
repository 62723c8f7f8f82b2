//! The journal of a match: JSON Lines, one header and one line per game, appended as games end. A match that was interrupted,
//! or whose machine crashed, goes on from it.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::GameResult;
use crate::pairing::Schedule;

/// The version of the format.
const VERSION: u64 = 1;
/// The largest journal accepted, in bytes.
const MAX_BYTES: u64 = 4 << 30;

/// What makes a match this match and no other. The number of games is not part of it: a match can be lengthened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchIdentity {
    /// The version of the format.
    kiebitz_match: u64,
    /// The game's name.
    pub game: String,
    /// The number of seats.
    pub players: u8,
    /// The rule options that differ from their defaults.
    pub rules: Map<String, Value>,
    /// The specs of the contestants.
    pub contestants: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// Visits per decision of players whose spec says nothing.
    pub visits: Option<u64>,
    /// Milliseconds per decision of players whose spec says nothing.
    pub time_ms: Option<u64>,
}

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("the journal {path} cannot be {what}: {}", .source.kind())]
    Io {
        /// The file.
        path: String,
        /// What failed: opened, read, written.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// Another process writes it.
    #[error("the journal {0} is in use by another match; wait for its end or name another file")]
    InUse(String),
    /// A device, a pipe, a directory and the like.
    #[error("the journal {0} is not an ordinary file: name another")]
    Special(String),
    /// Not a journal at all.
    #[error("{0} is not the journal of a match; name a file that does not exist yet, or one written by a match")]
    NotAJournal(String),
    /// The journal of another match.
    #[error(
        "the journal {path} is of another match: its {what} is {found}, here it is {expected}; name another file or start the same match"
    )]
    OtherMatch {
        /// The file.
        path: String,
        /// What differs.
        what: &'static str,
        /// Its value in the journal.
        found: String,
        /// Its value in this match.
        expected: String,
    },
    /// A line that is no game of this match.
    #[error("the journal {path}, line {line}: {why}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

impl JournalError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            JournalError::Io { .. } => "journal.io",
            JournalError::InUse(_) => "journal.in_use",
            JournalError::Special(_) => "journal.special",
            JournalError::NotAJournal(_) => "journal.format",
            JournalError::OtherMatch { .. } => "journal.other_match",
            JournalError::Line { .. } => "journal.line",
        }
    }
}

impl MatchIdentity {
    /// The identity of a match.
    pub fn new(game: &str, players: u8, rules: Map<String, Value>, contestants: Vec<String>, seed: u64) -> Self {
        let game = game.to_owned();
        MatchIdentity { kiebitz_match: VERSION, game, players, rules, contestants, seed, visits: None, time_ms: None }
    }

    /// The first part in which `self` (found in a file) differs from `other`: its name and both values.
    fn difference(&self, other: &MatchIdentity) -> Option<(&'static str, String, String)> {
        let value = |v: Option<u64>| v.map_or("none".to_owned(), |v| v.to_string());
        let rules = |r: &Map<String, Value>| Value::Object(r.clone()).to_string();
        let rows = [
            ("format version", self.kiebitz_match.to_string(), other.kiebitz_match.to_string()),
            ("game", self.game.clone(), other.game.clone()),
            ("number of players", self.players.to_string(), other.players.to_string()),
            ("list of contestants", self.contestants.join(" "), other.contestants.join(" ")),
            ("seed", self.seed.to_string(), other.seed.to_string()),
            ("--visits", value(self.visits), value(other.visits)),
            ("--time in ms", value(self.time_ms), value(other.time_ms)),
        ];
        let first = rows.into_iter().find(|(_, found, expected)| found != expected);
        // Rules compare as values: the order in which they were given does not matter.
        first.or_else(|| (self.rules != other.rules).then(|| ("set of rules", rules(&self.rules), rules(&other.rules))))
    }
}

/// A journal open for appending; no other process can open it meanwhile.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens or creates the journal of a match, and returns the results it holds, by id. A last line cut short by a crash is
    /// removed: its game is played again.
    ///
    /// # Errors
    /// When the file cannot be read or written, is in use, or is not the journal of this match.
    pub fn open(
        path: &Path,
        identity: &MatchIdentity,
        schedule: &Schedule,
    ) -> Result<(Journal, BTreeMap<u64, GameResult>), JournalError> {
        let shown = path.display().to_string();
        let io = |what| {
            let path = shown.clone();
            move |source| JournalError::Io { path, what, source }
        };
        // A device may have no end, and opening a pipe may wait for ever.
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(JournalError::Special(shown));
        }
        let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = opened.map_err(io("opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(shown)),
            Err(TryLockError::Error(source)) => return Err(io("locked")(source)),
        }
        let mut bytes = Vec::new();
        (&file).take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(io("read"))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(JournalError::NotAJournal(shown));
        }
        let mut journal = Journal { file, path: path.to_owned() };
        let header = line_of(identity);
        // Empty, or a crash cut the header short.
        if header.len() > bytes.len() && header.as_bytes().starts_with(&bytes) {
            journal.truncate(0)?;
            journal.write(&header)?;
            return Ok((journal, BTreeMap::new()));
        }
        let text = String::from_utf8(bytes).map_err(|_| JournalError::NotAJournal(shown.clone()))?;
        let mut results = BTreeMap::new();
        let mut start = 0;
        for (i, piece) in text.split_inclusive('\n').enumerate() {
            let complete = piece.ends_with('\n');
            if i == 0 {
                let found: MatchIdentity =
                    serde_json::from_str(piece).map_err(|_| JournalError::NotAJournal(shown.clone()))?;
                if let Some((what, found, expected)) = found.difference(identity) {
                    return Err(JournalError::OtherMatch { path: shown, what, found, expected });
                }
            } else {
                match serde_json::from_str::<GameResult>(piece) {
                    Ok(result) if result.belongs_to(&schedule.task(result.id)) => {
                        results.entry(result.id).or_insert(result);
                    }
                    Ok(result) => {
                        let why = format!("game {} was not played as this match plays it", result.id);
                        return Err(JournalError::Line { path: shown, line: i + 1, why });
                    }
                    Err(_) if !complete => {
                        journal.truncate(start as u64)?;
                        return Ok((journal, results));
                    }
                    Err(e) => {
                        let why = format!("it is not the result of a game: {e}");
                        return Err(JournalError::Line { path: shown, line: i + 1, why });
                    }
                }
            }
            start += piece.len();
            if !complete {
                journal.write("\n")?;
            }
        }
        Ok((journal, results))
    }

    /// Appends a result.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, result: &GameResult) -> Result<(), JournalError> {
        self.write(&line_of(result))
    }

    /// Waits until everything appended is on the disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|source| self.error(source))
    }

    fn write(&mut self, line: &str) -> Result<(), JournalError> {
        self.file.write_all(line.as_bytes()).map_err(|source| self.error(source))
    }

    fn truncate(&mut self, length: u64) -> Result<(), JournalError> {
        self.file.set_len(length).map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.display().to_string(), what: "written", source }
    }
}

/// A value as one line. Only finite numbers and text keys come here, which always can be written.
fn line_of(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}
