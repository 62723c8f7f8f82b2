//! The one thread that writes.

use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::StoreError;
use super::place::Place;

/// So many changes may wait.
pub(crate) const WAITING: usize = 1024;
/// So many changes are committed together at most.
const GROUP: usize = 64;

/// What is done to the file.
pub(crate) type Change = Box<dyn FnOnce(&Connection) -> Result<(), StoreError> + Send>;

/// A change, and who wants to know when it is on the disk.
pub(crate) struct Job {
    pub(crate) run: Change,
    /// Nothing is written after it.
    pub(crate) last: bool,
    pub(crate) reply: oneshot::Sender<Result<(), StoreError>>,
}

pub(crate) fn start(
    connection: Connection,
    file: Place,
    jobs: mpsc::Receiver<Job>,
) -> Result<JoinHandle<()>, StoreError> {
    let spawned = thread::Builder::new().name("store".to_owned()).spawn(move || run(connection, &file, jobs));
    spawned.map_err(|e| StoreError::Other(e.kind().to_string()))
}

fn run(connection: Connection, file: &Place, mut jobs: mpsc::Receiver<Job>) {
    while let Some(first) = jobs.blocking_recv() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(job) = jobs.try_recv()
        {
            group.push(job);
        }
        if commit(&connection, file, group) {
            jobs.close();
        }
    }
    let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
}

/// Commits a group; one change that is refused does not take the others with it. Answers whether somebody asked to close.
fn commit(connection: &Connection, file: &Place, group: Vec<Job>) -> bool {
    let mut close = false;
    let mut done = Vec::with_capacity(group.len());
    // The system goes on to write a file that has no name any more: nobody would ever find it.
    let begun = file.check().and_then(|()| Ok(connection.execute_batch("BEGIN IMMEDIATE")?));
    if let Err(error) = begun {
        for job in group {
            // Also where it is the one that asks to close.
            close |= job.last;
            let _ = job.reply.send(Err(again(&error)));
        }
        return close;
    }
    for job in group {
        let result = step(connection, job.run);
        close |= job.last;
        done.push((job.reply, result));
    }
    let mut committed = connection.execute_batch("COMMIT").map_err(StoreError::from);
    if committed.is_err() {
        let _ = connection.execute_batch("ROLLBACK");
    } else {
        committed = file.check();
    }
    for (reply, result) in done {
        let answer = match (&committed, result) {
            (Err(error), Ok(())) => Err(again(error)),
            (_, result) => result,
        };
        let _ = reply.send(answer);
    }
    close
}

fn step(connection: &Connection, run: Change) -> Result<(), StoreError> {
    connection.execute_batch("SAVEPOINT change")?;
    let result = run(connection);
    // A full disk may have ended the whole transaction: then there is no savepoint to go back to, and COMMIT reports it.
    match &result {
        Ok(()) => connection.execute_batch("RELEASE change")?,
        Err(_) => {
            let _ = connection.execute_batch("ROLLBACK TO change; RELEASE change");
        }
    }
    result
}

/// The same error for another who waits.
fn again(error: &StoreError) -> StoreError {
    match error {
        StoreError::Full => StoreError::Full,
        StoreError::Gone => StoreError::Gone,
        StoreError::Busy => StoreError::Busy,
        StoreError::ReadOnly => StoreError::ReadOnly,
        StoreError::Damaged => StoreError::Damaged,
        StoreError::Other(what) => StoreError::Other(what.clone()),
        _ => StoreError::Other("commit".to_owned()),
    }
}
