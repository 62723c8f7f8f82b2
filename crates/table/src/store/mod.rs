//! Where games are kept: one SQLite file, an append-only log of events for each game.
//!
//! One thread writes, in groups: everything that waits is committed together, and nobody is told "done" before the disk has it.
//! Readers use their own connections. Every event carries a digest that depends on all events before it, so that a damaged or
//! missing one is noticed.

mod error;
mod games;
mod log;
mod place;
mod rematches;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

pub use error::StoreError;
pub use games::{Deleted, NewToken, Opened, Row, TokenKind};
pub use log::{Digest, StoredEvent, StoredGame, first_digest, next_digest};
use place::Place;
pub use rematches::{Follows, Heir};
use writer::Job;

/// Reader connections kept open.
const READERS: usize = 4;

/// The store of one data folder.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

struct Inner {
    path: PathBuf,
    file: Place,
    jobs: mpsc::Sender<Job>,
    readers: Mutex<Vec<Connection>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// The name of the data file in the data folder.
pub const FILE: &str = "kiebitz.db";

impl Store {
    /// Opens the data file of a folder, or makes it; older files are brought up to date. `pages` limits its size.
    ///
    /// # Errors
    /// When the file is damaged, empty, of a newer version, or none of ours.
    pub fn open(folder: &Path, pages: Option<u32>) -> Result<Self, StoreError> {
        let path = folder.join(FILE);
        let connection = schema::open(&path, pages)?;
        let file = Place::of(&path)?;
        let (jobs, receiver) = mpsc::channel(writer::WAITING);
        let writer = writer::start(connection, file.clone(), receiver)?;
        let inner = Inner { path, file, jobs, readers: Mutex::new(Vec::new()), writer: Mutex::new(Some(writer)) };
        Ok(Store { inner: Arc::new(inner) })
    }

    /// Runs a change on the writer's thread; answers when it is on the disk.
    ///
    /// # Errors
    /// When the change is refused (disk full, busy, constraint): nothing of it has happened then.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let (value_to, value_from) = oneshot::channel();
        let run = Box::new(move |connection: &Connection| {
            let value = change(connection)?;
            let _ = value_to.send(value);
            Ok(())
        });
        self.inner.jobs.send(Job { run, last: false, reply }).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)??;
        value_from.await.map_err(|_| StoreError::Closed)
    }

    /// Whether the data file is still the one that was opened.
    ///
    /// # Errors
    /// When it was deleted, moved or replaced.
    pub fn check_place(&self) -> Result<(), StoreError> {
        self.inner.file.check()
    }

    /// Reads on a connection of its own, off the async threads.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
        tokio::task::spawn_blocking(move || store.read_now(query)).await.map_err(|_| StoreError::Closed)?
    }

    /// As [`Store::read`], on this thread.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_now<T>(&self, query: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let free = self.readers().pop();
        let connection = match free {
            Some(connection) => connection,
            None => schema::open_reader(&self.inner.path)?,
        };
        let result = query(&connection);
        let mut readers = self.readers();
        if readers.len() < READERS {
            readers.push(connection);
        }
        result
    }

    fn readers(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.inner.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes everything as one file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn backup(&self, to: PathBuf) -> Result<(), StoreError> {
        self.read(move |connection| {
            let name = to.to_str().ok_or(StoreError::Refused("the backup's file name is not UTF-8"))?;
            connection.execute("VACUUM INTO ?1", [name])?;
            Ok(())
        })
        .await
    }

    /// Waits until everything is on the disk and lets the writer go. Later writes are refused.
    pub async fn close(&self) {
        let (reply, answer) = oneshot::channel();
        let last = Job { run: Box::new(|_| Err(StoreError::Closed)), last: true, reply };
        if self.inner.jobs.send(last).await.is_ok() {
            let _ = answer.await;
        }
        let writer = self.inner.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            let _ = tokio::task::spawn_blocking(move || writer.join()).await;
        }
    }
}
