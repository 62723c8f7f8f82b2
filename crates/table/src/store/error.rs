//! Why the store refuses.

use rusqlite::ErrorCode;

/// Why something could not be read or written. Sentences name no paths and no SQL.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No space on the disk, or the file may not grow.
    #[error("the disk is full; nothing was changed, make space and try again")]
    Full,
    /// The file that was opened is no longer where it was.
    #[error(
        "the data file was deleted, moved or replaced under the running server; put it back, or start the server anew"
    )]
    Gone,
    /// Another program holds the file.
    #[error("another program is using the data file; nothing was changed, try again")]
    Busy,
    /// The disk may not be written.
    #[error("the data folder cannot be written; nothing was changed")]
    ReadOnly,
    /// The data file is damaged.
    #[error("the data file is damaged; put a backup in its place, or move it away and start anew")]
    Damaged,
    /// The data file has no bytes.
    #[error(
        "the data file is empty (0 bytes), its games are gone; put a backup in its place, or delete it to start anew"
    )]
    Empty,
    /// A game's log is damaged, or cannot be replayed.
    #[error("this game's log is damaged at event {seq}: {why}; it was set aside, nothing was deleted")]
    Log {
        /// The event.
        seq: u32,
        /// What is wrong.
        why: String,
    },
    /// The data file is from a newer version.
    #[error("the data folder was used by a newer version ({found}, this one knows {known}); use that version")]
    Newer {
        /// The file's version.
        found: i64,
        /// The newest this build knows.
        known: i64,
    },
    /// The file is not ours.
    #[error("the data folder holds a database of another program; choose another folder")]
    Foreign,
    /// There is no such game.
    #[error("there is no such game")]
    Unknown,
    /// The event is there already.
    #[error("the game has moved on")]
    Stale,
    /// Something that cannot be done.
    #[error("{0}")]
    Refused(&'static str),
    /// The store is closed: the server stops.
    #[error("the server is shutting down")]
    Closed,
    /// Anything else.
    #[error("the data file cannot be used ({0})")]
    Other(String),
}

impl StoreError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            StoreError::Full => "store.full",
            StoreError::Gone => "store.gone",
            StoreError::Busy => "store.busy",
            StoreError::ReadOnly => "store.read_only",
            StoreError::Damaged => "store.damaged",
            StoreError::Empty => "store.empty",
            StoreError::Log { .. } => "store.log",
            StoreError::Newer { .. } => "store.newer",
            StoreError::Foreign => "store.foreign",
            StoreError::Unknown => "game.unknown",
            StoreError::Stale => "stale",
            StoreError::Refused(_) => "store.refused",
            StoreError::Closed => "closing",
            StoreError::Other(_) => "store.other",
        }
    }

    /// The status of an HTTP answer that reports it.
    pub fn status(&self) -> u16 {
        match self {
            StoreError::Unknown => 404,
            StoreError::Stale => 409,
            StoreError::Log { .. } | StoreError::Refused(_) => 422,
            StoreError::Full | StoreError::ReadOnly => 507,
            _ => 503,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        if matches!(error, rusqlite::Error::QueryReturnedNoRows) {
            return StoreError::Unknown;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => StoreError::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged,
            Some(ErrorCode::ConstraintViolation) => StoreError::Stale,
            Some(code) => StoreError::Other(format!("{code:?}")),
            // A column of another type than it was written with.
            None => StoreError::Damaged,
        }
    }
}
