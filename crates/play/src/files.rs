//! Reading files that a user names: never more than is wanted, and nothing that has no end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is none of this name.
    #[error("{0}: there is no such file")]
    Missing(PathBuf),
    /// The name is that of a directory.
    #[error("{0} is a directory: name a file")]
    Directory(PathBuf),
    /// A device and the like.
    #[error("{0} is not an ordinary file: name another")]
    Special(PathBuf),
    /// It has more bytes than any such file needs.
    #[error("{path} is larger than {mib} MiB")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most that is read.
        mib: u64,
    },
    /// The system refused.
    #[error("{path} cannot be read: {kind}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What kind of refusal.
        kind: io::ErrorKind,
    },
}

impl ReadError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ReadError::Missing(_) => "read.missing",
            ReadError::Directory(_) => "read.directory",
            ReadError::Special(_) => "read.special",
            ReadError::TooLarge { .. } => "read.too_large",
            ReadError::Io { .. } => "read.io",
        }
    }
}

/// Reads a file of at most `most` bytes. A pipe is read too, up to so many: a shell hands over the output of another program as
/// one. Devices are not, some of them never end.
///
/// # Errors
/// When there is no such file, it is neither an ordinary one nor a pipe, it is larger, or the system refuses.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let failed = |e: io::Error| match e.kind() {
        io::ErrorKind::NotFound => ReadError::Missing(path.to_owned()),
        io::ErrorKind::IsADirectory => ReadError::Directory(path.to_owned()),
        kind => ReadError::Io { path: path.to_owned(), kind },
    };
    let too_large = || ReadError::TooLarge { path: path.to_owned(), mib: most >> 20 };
    // Before it is opened: opening alone may wait or have effects.
    let about = fs::metadata(path).map_err(failed)?;
    if about.is_dir() {
        return Err(ReadError::Directory(path.to_owned()));
    }
    if !about.is_file() && !is_pipe(&about) {
        return Err(ReadError::Special(path.to_owned()));
    }
    if about.is_file() && about.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(unix)]
fn is_pipe(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    about.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}
