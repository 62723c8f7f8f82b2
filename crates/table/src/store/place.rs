//! Whether a file is still where it was opened.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::StoreError;

/// A file under its name.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    path: PathBuf,
    file: (u64, u64),
}

/// What tells a file from another one of the same name: its device and number. Where the system has none, only that there is one.
fn number(data: &Metadata) -> (u64, u64) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (data.dev(), data.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = data;
        (0, 0)
    }
}

impl Place {
    /// The file that has this name now.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let data = path.metadata().map_err(|_| StoreError::Gone)?;
        Ok(Place { path: path.to_owned(), file: number(&data) })
    }

    /// Whether the same file has that name now.
    ///
    /// # Errors
    /// [`StoreError::Gone`] when another one has it, or none.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        match self.path.metadata() {
            Ok(data) if number(&data) == self.file => Ok(()),
            _ => Err(StoreError::Gone),
        }
    }
}
