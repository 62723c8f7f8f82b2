//! The tables of the data file, and bringing older files up to date.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::StoreError;

/// "KiBz", in the head of the file.
const APPLICATION: i64 = 0x4B69_427A;

/// Each step brings a file from the version of its index to the next. Steps are never changed, only added.
const STEPS: &[&str] = &[
    "CREATE TABLE games(
        id TEXT PRIMARY KEY NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        title TEXT NOT NULL,
        over INTEGER NOT NULL,
        events INTEGER NOT NULL,
        summary TEXT NOT NULL,
        deleted INTEGER,
        broken TEXT
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE events(
        game TEXT NOT NULL REFERENCES games(id),
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        digest BLOB NOT NULL,
        PRIMARY KEY(game, seq)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE tokens(
        hash BLOB PRIMARY KEY NOT NULL,
        game TEXT NOT NULL REFERENCES games(id),
        kind TEXT NOT NULL,
        seat INTEGER
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX tokens_of_game ON tokens(game);
     CREATE INDEX games_by_time ON games(over, updated);",
    "CREATE TABLE reviews(
        game TEXT PRIMARY KEY NOT NULL REFERENCES games(id),
        body TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;",
    // Which seat of its rematch belongs to who held a seat of a game.
    "CREATE TABLE rematches(
        game TEXT NOT NULL REFERENCES games(id),
        seat INTEGER NOT NULL,
        next TEXT NOT NULL REFERENCES games(id),
        next_seat INTEGER NOT NULL,
        PRIMARY KEY(game, seat, next)
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX rematches_by_next ON rematches(next, next_seat);",
];

/// The newest version this build knows.
pub(crate) const NEWEST: i64 = STEPS.len() as i64;

/// Opens the file for writing and brings it up to date; makes it, readable by its owner only, where there is none.
pub(crate) fn open(path: &Path, pages: Option<u32>) -> Result<Connection, StoreError> {
    match path.metadata() {
        // No crash of ours leaves such a file: games that were in it are lost unless somebody puts a backup in its place.
        Ok(data) if data.len() == 0 => return Err(StoreError::Empty),
        Ok(_) => {}
        Err(e) if e.kind() == ErrorKind::NotFound => make(path)?,
        Err(e) => return Err(StoreError::Other(e.kind().to_string())),
    }
    let mut connection = Connection::open_with_flags(path, WRITING)?;
    settings(&connection)?;
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != APPLICATION {
        return Err(StoreError::Foreign);
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", 1000)?;
    if let Some(pages) = pages {
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    let health: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if health != "ok" {
        return Err(StoreError::Damaged);
    }
    migrate(&mut connection)?;
    Ok(connection)
}

/// Never makes a file.
const WRITING: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Makes a file with all tables. It gets its name when it is complete, so that a crash leaves a whole one or none.
fn make(path: &Path) -> Result<(), StoreError> {
    let part = path.with_extension("part");
    let failed = |e: std::io::Error| match e.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly,
        kind => StoreError::Other(kind.to_string()),
    };
    match std::fs::remove_file(&part) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(failed(e)),
        _ => {}
    }
    make_private(&part).map_err(failed)?;
    let mut connection = Connection::open_with_flags(&part, WRITING)?;
    settings(&connection)?;
    migrate(&mut connection)?;
    connection.close().map_err(|(_, e)| e)?;
    std::fs::rename(&part, path).map_err(failed)
}

/// Opens the file for reading.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    settings(&connection)?;
    Ok(connection)
}

/// KiB of the file that a connection keeps in its own memory. The system keeps what is read often anyway; with the 2 MiB that SQLite
/// takes by itself, five connections would hold as much as two hundred tables.
const CACHE: i64 = 512;

fn settings(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(())
}

fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// Brings the tables up to date.
fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > NEWEST {
        return Err(StoreError::Newer { found, known: NEWEST });
    }
    let done = usize::try_from(found).map_err(|_| StoreError::Foreign)?;
    for step in STEPS.iter().skip(done) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", NEWEST)?;
    transaction.commit()?;
    Ok(())
}
