//! The log of one game: events with a chain of digests.

use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use super::StoreError;

/// A digest of an event and all before it.
pub type Digest = [u8; 16];

/// The digest before the first event of a game.
pub fn first_digest(game: &str) -> Digest {
    shorten(Sha256::digest(game.as_bytes()).into())
}

/// The digest of an event that follows on `before`.
pub fn next_digest(before: &Digest, seq: u32, at: i64, body: &str) -> Digest {
    let mut hash = Sha256::new();
    hash.update(before);
    hash.update(seq.to_le_bytes());
    hash.update(at.to_le_bytes());
    hash.update(body.as_bytes());
    shorten(hash.finalize().into())
}

fn shorten(digest: [u8; 32]) -> Digest {
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}

/// An event as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number, from 0.
    pub seq: u32,
    /// When: milliseconds since 1970.
    pub at: i64,
    /// What, as JSON.
    pub body: String,
}

/// A game as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// When it was made.
    pub created: i64,
    /// When it was last played.
    pub updated: i64,
    /// Its title.
    pub title: String,
    /// It is deleted.
    pub deleted: bool,
    /// Its events, in order.
    pub events: Vec<StoredEvent>,
    /// The digest of the last event.
    pub digest: Digest,
}

/// Appends an event, and brings the row in the list of games up to date.
///
/// # Errors
/// [`StoreError::Stale`] when there is an event of this number already.
pub(crate) fn append(
    connection: &Connection,
    game: &str,
    event: &StoredEvent,
    digest: &Digest,
    over: bool,
    summary: &str,
) -> Result<(), StoreError> {
    let mut insert =
        connection.prepare_cached("INSERT INTO events(game, seq, at, body, digest) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    insert.execute(params![game, event.seq, event.at, event.body, digest.as_slice()])?;
    let mut update = connection
        .prepare_cached("UPDATE games SET updated = ?2, over = ?3, summary = ?4, events = ?5 WHERE id = ?1")?;
    update.execute(params![game, event.at, over, summary, event.seq + 1])?;
    Ok(())
}

/// Reads a game with its log.
///
/// # Errors
/// [`StoreError::Unknown`], or [`StoreError::Log`] when an event is missing or does not fit its digest.
pub(crate) fn load(connection: &Connection, game: &str) -> Result<StoredGame, StoreError> {
    let row = connection.query_row(
        "SELECT created, updated, title, deleted IS NOT NULL, events FROM games WHERE id = ?1",
        [game],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get::<_, u32>(4)?)),
    )?;
    let (created, updated, title, deleted, count) = row;
    let mut statement =
        connection.prepare_cached("SELECT seq, at, body, digest FROM events WHERE game = ?1 ORDER BY seq")?;
    let mut rows = statement.query([game])?;
    let mut events = Vec::new();
    let mut digest = first_digest(game);
    while let Some(row) = rows.next()? {
        let expected = events.len() as u32;
        let broken = |why: &str| StoreError::Log { seq: expected, why: why.to_owned() };
        let seq: u32 = row.get(0).map_err(|_| broken("its number is damaged"))?;
        let at: i64 = row.get(1).map_err(|_| broken("its time is damaged"))?;
        let body: String = row.get(2).map_err(|_| broken("its text is damaged"))?;
        let stored: Vec<u8> = row.get(3).map_err(|_| broken("its digest is damaged"))?;
        if seq != expected {
            return Err(broken("it is missing"));
        }
        digest = next_digest(&digest, seq, at, &body);
        if stored != digest {
            return Err(broken("it does not fit its digest"));
        }
        events.push(StoredEvent { seq, at, body });
    }
    // The last ones may be missing without a gap.
    if events.is_empty() || events.len() as u64 != u64::from(count) {
        return Err(StoreError::Log { seq: events.len() as u32, why: "it is missing".to_owned() });
    }
    Ok(StoredGame { created, updated, title, deleted, events, digest })
}
