//! The one thread that writes.

use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::StoreError;

/// So many changes may wait.
pub(crate) const WAITING: usize = 1024;
/// So many changes are committed together at most.
const GROUP: usize = 64;

/// What is done to the file.
pub(crate) type Change = Box<dyn FnOnce(&Connection) -> Result<(), StoreError> + Send>;

/// A change, and who wants to know when it is on the disk.
pub(crate) struct Job {
    pub(crate) run: Change,
    pub(crate) reply: oneshot::Sender<Result<(), StoreError>>,
}

pub(crate) fn start(connection: Connection, jobs: mpsc::Receiver<Job>) -> Result<JoinHandle<()>, StoreError> {
    let spawned = thread::Builder::new().name("store".to_owned()).spawn(move || run(connection, jobs));
    spawned.map_err(|e| StoreError::Other(e.kind().to_string()))
}

fn run(connection: Connection, mut jobs: mpsc::Receiver<Job>) {
    while let Some(first) = jobs.blocking_recv() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(job) = jobs.try_recv()
        {
            group.push(job);
        }
        if commit(&connection, group) {
            jobs.close();
        }
    }
    let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
}

/// Commits a group; one change that is refused does not take the others with it. Answers whether somebody asked to close.
fn commit(connection: &Connection, group: Vec<Job>) -> bool {
    let mut close = false;
    let mut done = Vec::with_capacity(group.len());
    if let Err(e) = connection.execute_batch("BEGIN IMMEDIATE") {
        let error = StoreError::from(e);
        for job in group {
            let _ = job.reply.send(Err(again(&error)));
        }
        return false;
    }
    for job in group {
        let result = step(connection, job.run);
        close |= matches!(result, Err(StoreError::Closed));
        done.push((job.reply, result));
    }
    let committed = connection.execute_batch("COMMIT").map_err(StoreError::from);
    if committed.is_err() {
        let _ = connection.execute_batch("ROLLBACK");
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
        StoreError::Busy => StoreError::Busy,
        StoreError::ReadOnly => StoreError::ReadOnly,
        StoreError::Damaged => StoreError::Damaged,
        StoreError::Other(what) => StoreError::Other(what.clone()),
        _ => StoreError::Other("commit".to_owned()),
    }
}
