//! Writing games to files so that nothing is lost: a file that exists is not replaced unasked, and a crash leaves the old one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kiebitz_core::DynGame;

/// Why a game was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file exists already.
    #[error("{0} exists already; choose another name, or 'save! FILE' to replace it")]
    Exists(PathBuf),
    /// Only Go has SGF.
    #[error("{path} ends in .sgf, but SGF is for Go; save {game} as .jsonl or .jsonl.gz")]
    NoSgf {
        /// The file.
        path: PathBuf,
        /// The game.
        game: String,
    },
    /// The system refused.
    #[error("{path} cannot be written: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The bytes of a game in the format the file's name asks for: `.sgf`, `.gz`, else JSON Lines.
///
/// # Errors
/// When the format does not suit the game.
pub fn bytes_for(game: &dyn DynGame, path: &Path, names: &[String]) -> Result<Vec<u8>, SaveError> {
    let mut record = game.record();
    if !names.is_empty() {
        record.header.set("names", names.to_vec());
    }
    if let Some(result) = game.result() {
        record.header.set("result", result);
    }
    let has = |suffix: &str| path.to_string_lossy().to_ascii_lowercase().ends_with(suffix);
    if has(".sgf") {
        return crate::go_sgf::from_record(&record)
            .ok_or_else(|| SaveError::NoSgf { path: path.to_owned(), game: game.id().to_owned() });
    }
    Ok(if has(".gz") { record.to_gz() } else { record.to_text().into_bytes() })
}

/// Writes the file whole or not at all.
///
/// # Errors
/// When it exists and `replace` is not set, or the system refuses.
pub fn write(path: &Path, bytes: &[u8], replace: bool) -> Result<(), SaveError> {
    if !replace && path.exists() {
        return Err(SaveError::Exists(path.to_owned()));
    }
    let io = |source| SaveError::Io { path: path.to_owned(), source };
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let mut file = fs::File::create(&part).map_err(io)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(io)?;
    fs::rename(&part, path).map_err(io)
}
