//! Writing games to files so that nothing is lost: a file that exists is not replaced unasked, and a crash leaves the old one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kiebitz_core::DynGame;
use kiebitz_core::record::{Line, Record, What};

/// Why a game was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file exists already.
    #[error("{0} exists already; choose another name, or 'save! FILE' to replace it")]
    Exists(PathBuf),
    /// The name is that of a directory.
    #[error("{0} is a directory; name a file")]
    Directory(PathBuf),
    /// The directory to write to does not exist.
    #[error("there is no directory {0}; make it first or choose another name")]
    NoDirectory(PathBuf),
    /// Only Go has SGF.
    #[error("{path} ends in .sgf, but SGF is for Go; save {game} as .jsonl or .jsonl.gz")]
    NoSgf {
        /// The file.
        path: PathBuf,
        /// The game.
        game: String,
    },
    /// The ending of the name says another format.
    #[error("{0} has an ending that is no format of games here; the endings are .sgf (Go), .jsonl and .jsonl.gz")]
    Ending(PathBuf),
    /// A file without an ending may be anything: it is not replaced.
    #[error(
        "{0} has no ending that says it is a game, so it is not replaced; the endings are .sgf (Go), .jsonl and .jsonl.gz"
    )]
    NoEnding(PathBuf),
    /// The record of a running game would show the other seats' cards.
    #[error("{0} hides cards: its record shows them all, so it can be saved when the game is over")]
    Hidden(String),
    /// A device, a pipe and the like.
    #[error("{0} is not an ordinary file: name another")]
    Special(PathBuf),
    /// The system refused.
    #[error("{path} cannot be written: {kind}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What kind of refusal.
        kind: io::ErrorKind,
    },
}

impl SaveError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            SaveError::Exists(_) => "save.exists",
            SaveError::Directory(_) => "save.directory",
            SaveError::NoDirectory(_) => "save.no_directory",
            SaveError::NoSgf { .. } => "save.no_sgf",
            SaveError::Ending(_) | SaveError::NoEnding(_) => "save.ending",
            SaveError::Hidden(_) => "save.hidden",
            SaveError::Special(_) => "save.special",
            SaveError::Io { .. } => "save.io",
        }
    }
}

/// Whether a file of this name may be written, before there is anything to write.
///
/// # Errors
/// When it exists and `replace` is not set, when it is a directory, or when its directory does not exist.
pub fn check(path: &Path, replace: bool) -> Result<(), SaveError> {
    if path.is_dir() {
        return Err(SaveError::Directory(path.to_owned()));
    }
    if path.exists() && !path.is_file() {
        return Err(SaveError::Special(path.to_owned()));
    }
    // A link that leads nowhere is there too.
    if !replace && path.symlink_metadata().is_ok() {
        return Err(SaveError::Exists(path.to_owned()));
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => {
            Err(SaveError::NoDirectory(parent.to_owned()))
        }
        _ => Ok(()),
    }
}

/// Whether the file of this name, which exists, may be replaced by a game: a name without an ending may be anybody's.
///
/// # Errors
/// When it is a file whose name has no ending.
pub fn check_replaced(path: &Path) -> Result<(), SaveError> {
    if path.extension().is_none() && path.is_file() { Err(SaveError::NoEnding(path.to_owned())) } else { Ok(()) }
}

/// The bytes of a record in the format the file's name asks for: `.sgf`, `.jsonl`, either JSON Lines with `.gz` after it; a name
/// without an ending is JSON Lines.
///
/// # Errors
/// When the ending is that of another format, or the format does not suit the game.
pub fn bytes_for(record: &Record, path: &Path) -> Result<Vec<u8>, SaveError> {
    let has = |suffix: &str| path.to_string_lossy().to_ascii_lowercase().ends_with(suffix);
    let plain = if has(".gz") { path.with_extension("") } else { path.to_owned() };
    let ending = plain.extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_deref().map(|ending| ending.to_str()) {
        None | Some(Some("jsonl")) => {}
        Some(Some("sgf")) if !has(".gz") => {}
        Some(_) => return Err(SaveError::Ending(path.to_owned())),
    }
    if has(".sgf") {
        return crate::go_sgf::from_record(record)
            .ok_or_else(|| SaveError::NoSgf { path: path.to_owned(), game: record.header.game().to_owned() });
    }
    Ok(if has(".gz") { record.to_gz() } else { record.to_text().into_bytes() })
}

/// The record of a game with the players' names and its result. Where the game went on from `source`, what that record says
/// besides (date, event, comments, unknown keys) is kept, up to the line where the two part; not its result.
pub fn record_of(game: &dyn DynGame, names: &[String], source: Option<&Record>) -> Record {
    let mut record = game.record();
    if let Some(source) = source {
        for (key, value) in source.header.entries() {
            if record.header.get(key).is_none() && !matches!(key, "result" | "rules" | "setup") {
                record.header.set(key, value.clone());
            }
        }
        for (line, old) in record.lines.iter_mut().zip(&source.lines) {
            if !same_step(line, old) {
                break;
            }
            *line = old.clone();
        }
    }
    if !names.is_empty() {
        record.header.set("names", names.to_vec());
    }
    if let Some(result) = game.result() {
        record.header.set("result", result);
    }
    record
}

/// Whether two lines say that the same happened. Notations differ in case at most (`d4`, `D4`).
fn same_step(a: &Line, b: &Line) -> bool {
    a.by() == b.by()
        && match (a.what(), b.what()) {
            (What::Action(a), What::Action(b)) => a.eq_ignore_ascii_case(b.trim()),
            (What::Event(x), What::Event(y)) => x == y && a.event_data() == b.event_data(),
            (What::Setup(a), What::Setup(b)) => a == b,
            _ => false,
        }
}

/// Writes the file whole or not at all.
///
/// # Errors
/// As [`check`], or when the system refuses.
pub fn write(path: &Path, bytes: &[u8], replace: bool) -> Result<(), SaveError> {
    check(path, replace)?;
    let failed = |e: io::Error| SaveError::Io { path: path.to_owned(), kind: e.kind() };
    // Through a link the file it leads to is written.
    let target = if path.exists() { path.canonicalize().map_err(failed)? } else { path.to_owned() };
    let (part, mut file) = part_beside(&target).map_err(failed)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&part, &target));
    written.map_err(|e| {
        let _ = fs::remove_file(&part);
        failed(e)
    })
}

/// A new file beside `target` under a name that nobody uses.
fn part_beside(target: &Path) -> io::Result<(PathBuf, fs::File)> {
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..100 {
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{}-{number}.part", std::process::id()));
        let part = PathBuf::from(name);
        match fs::OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((part, file)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => last = e,
            Err(e) => return Err(e),
        }
    }
    Err(last)
}
