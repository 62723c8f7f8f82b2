//! Who of a game holds which seat of its rematch. Whoever was away when it was made gets a token when he comes back with the old one.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Store, StoreError, TokenKind};
use crate::identity::SecretHash;

/// What a new game follows.
#[derive(Clone, Debug)]
pub struct Follows {
    /// The finished game.
    pub game: String,
    /// Its seats that persons held, each with the seat of the same person in the new game.
    pub seats: Vec<(u8, u8)>,
}

/// The seat of a rematch that belongs to who holds a seat of the game before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heir {
    /// The new game.
    pub next: String,
    /// Its seat.
    pub seat: u8,
}

/// Keeps what the game `next` follows.
pub(super) fn keep(c: &Connection, next: &str, follows: &Follows) -> Result<(), StoreError> {
    for (seat, next_seat) in &follows.seats {
        c.execute(
            "INSERT INTO rematches(game, seat, next, next_seat) VALUES (?1, ?2, ?3, ?4)",
            params![follows.game, seat, next, next_seat],
        )?;
    }
    Ok(())
}

/// A seat was given to somebody else: who held it gets nothing by that any more, before or after.
pub(super) fn disinherit(c: &Connection, game: &str, seat: u8) -> Result<(), StoreError> {
    c.execute(
        "DELETE FROM rematches WHERE (game = ?1 AND seat = ?2) OR (next = ?1 AND next_seat = ?2)",
        params![game, seat],
    )?;
    Ok(())
}

impl Store {
    /// The game that a rematch of this one led to, if it was not deleted.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn rematch_of(&self, id: String) -> Result<Option<String>, StoreError> {
        self.read(move |c| {
            let sql = "SELECT r.next FROM rematches r JOIN games g ON g.id = r.next
                       WHERE r.game = ?1 AND g.deleted IS NULL ORDER BY g.created DESC LIMIT 1";
            Ok(c.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// The seat of the rematch that belongs to who holds `seat` of this game.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn heir(&self, id: String, seat: u8) -> Result<Option<Heir>, StoreError> {
        self.read(move |c| {
            let sql = "SELECT r.next, r.next_seat FROM rematches r JOIN games g ON g.id = r.next
                       WHERE r.game = ?1 AND r.seat = ?2 AND g.deleted IS NULL ORDER BY g.created DESC LIMIT 1";
            let heir = |row: &rusqlite::Row<'_>| Ok(Heir { next: row.get(0)?, seat: row.get(1)? });
            Ok(c.prepare_cached(sql)?.query_row(params![id, seat], heir).optional()?)
        })
        .await
    }

    /// Gives a token to who inherits a seat; one that is there already stays. `false` when the seat is somebody else's meanwhile.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn inherit(&self, heir: Heir, kind: TokenKind, token: SecretHash) -> Result<bool, StoreError> {
        self.write(move |c| {
            let sql = "SELECT 1 FROM rematches WHERE next = ?1 AND next_seat = ?2 LIMIT 1";
            let open = c.query_row(sql, params![heir.next, heir.seat], |_| Ok(())).optional()?.is_some();
            if open {
                c.execute(
                    "INSERT OR IGNORE INTO tokens(hash, game, kind, seat) VALUES (?1, ?2, ?3, ?4)",
                    params![token.as_slice(), heir.next, kind.name(), heir.seat],
                )?;
            }
            Ok(open)
        })
        .await
    }
}
