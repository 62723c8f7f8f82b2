//! The list of games, their tokens and reviews.

use rusqlite::{Connection, OptionalExtension, params};

use super::log::{self, Digest, StoredEvent, StoredGame};
use super::rematches::{self, Follows};
use super::{Store, StoreError};
use crate::identity::SecretHash;

/// The most games a list gives.
const MOST_ROWS: u32 = 500;

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// It plays a seat.
    Seat,
    /// It plays a seat of the browser where the game was made, and may rename and delete.
    Maker,
    /// It invites to a seat, once.
    Invite,
    /// It lets watch.
    Watch,
}

impl TokenKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            TokenKind::Seat => "seat",
            TokenKind::Maker => "maker",
            TokenKind::Invite => "invite",
            TokenKind::Watch => "watch",
        }
    }

    fn of(name: &str) -> Option<Self> {
        [TokenKind::Seat, TokenKind::Maker, TokenKind::Invite, TokenKind::Watch].into_iter().find(|k| k.name() == name)
    }
}

/// A token to be stored.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The hash of the secret.
    pub hash: SecretHash,
    /// What it is for.
    pub kind: TokenKind,
    /// The seat; `None` for spectators.
    pub seat: Option<u8>,
}

/// What a token opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The game.
    pub game: String,
    /// What it is for.
    pub kind: TokenKind,
    /// The seat; `None` for spectators.
    pub seat: Option<u8>,
    /// The game was deleted: the token opens nothing until it is back.
    pub deleted: bool,
}

/// Which games a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// Those that are not deleted.
    Without,
    /// Only deleted ones.
    Only,
}

/// A game of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its id.
    pub id: String,
    /// When it was made.
    pub created: i64,
    /// When it was last played.
    pub updated: i64,
    /// Its title.
    pub title: String,
    /// What the list shows, as JSON.
    pub summary: String,
    /// Why it was set aside.
    pub broken: Option<String>,
}

/// A damaged text does not take the whole list with it.
fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let text = |column: usize| -> rusqlite::Result<Option<String>> {
        Ok(row.get_ref(column)?.as_bytes_or_null()?.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
    };
    Ok(Row {
        id: row.get(0)?,
        created: row.get(1)?,
        updated: row.get(2)?,
        title: text(3)?.unwrap_or_default(),
        summary: text(4)?.unwrap_or_default(),
        broken: text(5)?,
    })
}

fn insert_token(connection: &Connection, game: &str, token: &NewToken) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO tokens(hash, game, kind, seat) VALUES (?1, ?2, ?3, ?4)",
        params![token.hash.as_slice(), game, token.kind.name(), token.seat],
    )?;
    Ok(())
}

impl Store {
    /// Makes a game with its first events, its tokens and, for a rematch, what it follows: all or nothing.
    ///
    /// # Errors
    /// As [`Store::write`].
    #[allow(clippy::too_many_arguments, reason = "the columns of one row")]
    pub async fn create(
        &self,
        id: String,
        title: String,
        over: bool,
        summary: String,
        events: Vec<(StoredEvent, Digest)>,
        tokens: Vec<NewToken>,
        follows: Option<Follows>,
    ) -> Result<(), StoreError> {
        self.write(move |c| {
            let at = events.first().map_or(0, |(event, _)| event.at);
            c.execute(
                "INSERT INTO games(id, created, updated, title, over, summary, events) VALUES (?1, ?2, ?2, ?3, ?4, ?5, 0)",
                params![id, at, title, over, summary],
            )?;
            for (event, digest) in &events {
                log::append(c, &id, event, digest, over, &summary)?;
            }
            tokens.iter().try_for_each(|token| insert_token(c, &id, token))?;
            follows.iter().try_for_each(|follows| rematches::keep(c, &id, follows))
        })
        .await
    }

    /// Appends an event to a game.
    ///
    /// # Errors
    /// As [`Store::write`]; [`StoreError::Stale`] when there is an event of this number already.
    pub async fn append(
        &self,
        id: String,
        event: StoredEvent,
        digest: Digest,
        over: bool,
        summary: String,
    ) -> Result<(), StoreError> {
        self.write(move |c| log::append(c, &id, &event, &digest, over, &summary)).await
    }

    /// A game with its log.
    ///
    /// # Errors
    /// When there is none, or the log is damaged.
    pub async fn load(&self, id: String) -> Result<StoredGame, StoreError> {
        self.read(move |c| log::load(c, &id)).await
    }

    /// Games, unfinished first, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn list(&self, deleted: Deleted) -> Result<Vec<Row>, StoreError> {
        self.read(move |c| {
            let not = if deleted == Deleted::Without { "" } else { "NOT" };
            let mut statement = c.prepare_cached(&format!(
                "SELECT id, created, updated, title, summary, broken FROM games
                 WHERE deleted IS {not} NULL ORDER BY over, updated DESC LIMIT {MOST_ROWS}"
            ))?;
            let rows = statement.query_map([], row)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// One game of the list.
    ///
    /// # Errors
    /// When there is none.
    pub async fn row(&self, id: String) -> Result<Row, StoreError> {
        self.read(move |c| {
            let sql =
                "SELECT id, created, updated, title, summary, broken FROM games WHERE id = ?1 AND deleted IS NULL";
            Ok(c.query_row(sql, [id], row)?)
        })
        .await
    }

    /// Ids of the games that are neither over, deleted nor set aside.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn unfinished(&self) -> Result<Vec<String>, StoreError> {
        self.read(|c| {
            let mut statement =
                c.prepare_cached("SELECT id FROM games WHERE over = 0 AND deleted IS NULL AND broken IS NULL")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Sets a game aside that cannot be replayed. Nothing is deleted.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn set_aside(&self, id: String, why: String) -> Result<(), StoreError> {
        self.write(move |c| {
            c.execute("UPDATE games SET broken = ?2 WHERE id = ?1", params![id, why])?;
            Ok(())
        })
        .await
    }

    /// Brings what the list shows of a game up to date where it was damaged, unless the game has moved on.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn mend_summary(&self, id: String, damaged: String, summary: String) -> Result<(), StoreError> {
        self.write(move |c| {
            c.execute("UPDATE games SET summary = ?3 WHERE id = ?1 AND summary = ?2", params![id, damaged, summary])?;
            Ok(())
        })
        .await
    }

    /// Renames a game, deletes it or brings it back, all or nothing; what is `None` stays as it is. A deleted game keeps everything.
    ///
    /// # Errors
    /// As [`Store::write`]; [`StoreError::Unknown`] when there is no such game.
    pub async fn change(
        &self,
        id: String,
        title: Option<String>,
        deleted: Option<bool>,
        now: i64,
    ) -> Result<(), StoreError> {
        self.write(move |c| {
            let sql = "UPDATE games SET title = coalesce(?2, title),
                       deleted = CASE ?3 WHEN 1 THEN ?4 WHEN 0 THEN NULL ELSE deleted END WHERE id = ?1";
            let changed = c.execute(sql, params![id, title, deleted, now])?;
            if changed == 0 { Err(StoreError::Unknown) } else { Ok(()) }
        })
        .await
    }

    /// What a token opens, or would open if its game were not deleted.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn opened(&self, hash: SecretHash) -> Result<Option<Opened>, StoreError> {
        self.read(move |c| find(c, &hash)).await
    }

    /// Exchanges an invitation for a token: the one is gone, the other is there. `None` when the invitation is unknown or used.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn accept(&self, invite: SecretHash, token: SecretHash) -> Result<Option<Opened>, StoreError> {
        self.write(move |c| {
            let open = |o: &Opened| o.kind == TokenKind::Invite && !o.deleted;
            let Some(opened) = find(c, &invite)?.filter(open) else { return Ok(None) };
            c.execute("DELETE FROM tokens WHERE hash = ?1", [invite.as_slice()])?;
            insert_token(c, &opened.game, &NewToken { hash: token, kind: TokenKind::Seat, seat: opened.seat })?;
            Ok(Some(opened))
        })
        .await
    }

    /// Replaces tokens of a game: those of the kinds and seats of the new ones, and seat tokens of the seats in `free`.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn replace_tokens(&self, id: String, new: Vec<NewToken>, free: Vec<u8>) -> Result<(), StoreError> {
        self.write(move |c| {
            for seat in &free {
                c.execute("DELETE FROM tokens WHERE game = ?1 AND kind = 'seat' AND seat = ?2", params![id, seat])?;
                rematches::disinherit(c, &id, *seat)?;
            }
            for token in &new {
                c.execute(
                    "DELETE FROM tokens WHERE game = ?1 AND kind = ?2 AND seat IS ?3",
                    params![id, token.kind.name(), token.seat],
                )?;
            }
            new.iter().try_for_each(|token| insert_token(c, &id, token))
        })
        .await
    }

    /// The review of a game, as JSON.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn review(&self, id: String) -> Result<Option<String>, StoreError> {
        self.read(move |c| {
            Ok(c.query_row("SELECT body FROM reviews WHERE game = ?1", [id], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// Keeps the review of a game.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub async fn keep_review(&self, id: String, body: String) -> Result<(), StoreError> {
        self.write(move |c| {
            c.execute(
                "INSERT INTO reviews(game, body) VALUES (?1, ?2) ON CONFLICT(game) DO UPDATE SET body = excluded.body",
                params![id, body],
            )?;
            Ok(())
        })
        .await
    }
}

fn find(c: &Connection, hash: &SecretHash) -> Result<Option<Opened>, StoreError> {
    let sql = "SELECT t.game, t.kind, t.seat, g.deleted IS NOT NULL FROM tokens t JOIN games g ON g.id = t.game
               WHERE t.hash = ?1";
    let mut statement = c.prepare_cached(sql)?;
    let found = statement
        .query_row([hash.as_slice()], |row| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    Ok(found.and_then(|(game, kind, seat, deleted)| Some(Opened { game, kind: TokenKind::of(&kind)?, seat, deleted })))
}
