//! The threads on which computers think, and the fair queue in front of them.
//!
//! A live move goes before a hint, a hint before a review somebody looks at, that before work in the background; a lower job is
//! stopped for a higher one and goes on later. Nothing here runs on the async threads.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::limits::{Buckets, Limits};

/// What goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A computer's move in a game, or the dead stones at its end: players wait for it.
    Move,
    /// A hint, a what-if, a question of the text command line.
    Hint,
    /// A review somebody looks at.
    Review,
    /// A review nobody looks at.
    Background,
}

/// Jobs of the owner, all together, that may wait: a bound against mistakes, not against people.
const MOST_WAITING: usize = 2048;
/// Computing time is given back within.
const REFILL: Duration = Duration::from_secs(600);

/// What a piece of work says when it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turned {
    /// It is done (or was cancelled).
    Done,
    /// It was stopped for a higher job, or has done a part: it wants to go on.
    More,
}

/// The flags by which work is stopped.
#[derive(Debug, Default)]
pub struct Control {
    /// Set when the work must return: searches read it.
    pub stop: AtomicBool,
    cancelled: AtomicBool,
    preempted: AtomicBool,
}

impl Control {
    /// Nobody wants the result any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The flag behind [`Control::is_cancelled`], for work that takes one.
    pub fn cancel(&self) -> &AtomicBool {
        &self.cancelled
    }

    /// It was stopped for a higher job: it should return [`Turned::More`].
    pub fn is_preempted(&self) -> bool {
        self.preempted.load(Ordering::Relaxed)
    }
}

/// Work to be done: called until it says [`Turned::Done`].
pub type Work = Box<dyn FnMut(&Control) -> Turned + Send>;

/// A job to be queued.
pub struct Job {
    /// What goes first.
    pub priority: Priority,
    /// The peer it is done for; `None` for the owner.
    pub peer: Option<IpAddr>,
    /// After so much time its search is stopped and gives the best it has; `None` when it knows itself.
    pub wall: Option<Duration>,
    /// The work.
    pub work: Work,
    /// Called when the work panicked.
    pub panicked: Box<dyn FnOnce() + Send>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("priority", &self.priority).field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// Why a job is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// Too many wait.
    #[error("all processors are busy and the queue is full; try again in a few seconds")]
    Full,
    /// This address has jobs enough.
    #[error("this address has two computations running already; wait for one to end")]
    TooMany,
    /// This address has used its computing time.
    #[error("this address has used up its computing time; try again in a few minutes")]
    Budget,
    /// The server stops.
    #[error("the server is shutting down")]
    Closed,
}

impl QueueError {
    /// A stable code.
    pub fn code(self) -> &'static str {
        match self {
            QueueError::Full => "busy",
            QueueError::TooMany => "busy.address",
            QueueError::Budget => "budget",
            QueueError::Closed => "closing",
        }
    }

    /// Seconds after which another try makes sense.
    pub fn retry_after(self) -> u32 {
        match self {
            QueueError::Full | QueueError::TooMany => 5,
            QueueError::Budget => 60,
            QueueError::Closed => 2,
        }
    }
}

struct Waiting {
    id: u64,
    job: Job,
    control: Arc<Control>,
}

struct Running {
    id: u64,
    priority: Priority,
    peer: Option<IpAddr>,
    control: Arc<Control>,
    began: Instant,
    deadline: Option<Instant>,
}

#[derive(Default)]
struct State {
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    /// Something to do for workers.
    work: Condvar,
    /// Deadlines have changed.
    deadlines: Condvar,
    next: AtomicU64,
    panics: AtomicU64,
    budgets: Buckets,
    queue: usize,
    per_address: usize,
}

/// The queue with its threads.
#[derive(Clone)]
pub struct Queue {
    shared: Arc<Shared>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.shared.lock();
        f.debug_struct("Queue").field("waiting", &state.waiting.len()).field("running", &state.running.len()).finish()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job that waits or runs. Dropping it cancels the job.
pub struct Ticket {
    id: u64,
    control: Arc<Control>,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ticket").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// So many are before it.
    Waiting(usize),
    /// It has been running for so long.
    Running(Duration),
    /// It has ended.
    Gone,
}

impl Ticket {
    /// Where the job is.
    pub fn place(&self) -> Place {
        let state = self.shared.lock();
        if let Some(running) = state.running.iter().find(|r| r.id == self.id) {
            return Place::Running(running.began.elapsed());
        }
        let Some(mine) = state.waiting.iter().find(|w| w.id == self.id) else { return Place::Gone };
        let before = |w: &&Waiting| (w.job.priority, w.id) < (mine.job.priority, mine.id);
        Place::Waiting(state.waiting.iter().filter(before).count())
    }

    /// Makes the search give the best it has; a waiting one does so as soon as it has looked once.
    pub fn finish_now(&self) {
        self.control.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.control.cancelled.store(true, Ordering::Relaxed);
        self.control.stop.store(true, Ordering::Relaxed);
        let removed = {
            let mut state = self.shared.lock();
            let index = state.waiting.iter().position(|w| w.id == self.id);
            index.map(|i| state.waiting.remove(i))
        };
        drop(removed);
    }
}

impl Queue {
    /// Starts so many workers.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn start(workers: usize, limits: &Limits) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State::default()),
            work: Condvar::new(),
            deadlines: Condvar::new(),
            next: AtomicU64::new(0),
            panics: AtomicU64::new(0),
            budgets: Buckets::new(limits.computing_seconds, REFILL),
            queue: limits.queue,
            per_address: limits.jobs_per_address,
        });
        let mut threads = Vec::new();
        for number in 0..workers.max(1) {
            let shared = shared.clone();
            threads.push(thread::Builder::new().name(format!("computer-{number}")).spawn(move || worker(&shared))?);
        }
        let watched = shared.clone();
        threads.push(thread::Builder::new().name("deadlines".to_owned()).spawn(move || watch(&watched))?);
        Ok(Queue { shared, threads: Arc::new(Mutex::new(threads)) })
    }

    /// Queues a job.
    ///
    /// # Errors
    /// When the queue is full, or the address has had its share.
    pub fn submit(&self, job: Job) -> Result<Ticket, QueueError> {
        let mut state = self.shared.lock();
        if state.closed {
            return Err(QueueError::Closed);
        }
        if let Some(peer) = job.peer {
            let waiting = state.waiting.iter().filter(|w| w.job.peer.is_some()).count();
            if waiting >= self.shared.queue {
                return Err(QueueError::Full);
            }
            let mine = state.waiting.iter().filter(|w| w.job.peer == Some(peer)).count()
                + state.running.iter().filter(|r| r.peer == Some(peer)).count();
            if mine >= self.shared.per_address {
                return Err(QueueError::TooMany);
            }
            if !self.shared.budgets.has_any(peer) {
                return Err(QueueError::Budget);
            }
        } else if state.waiting.len() >= MOST_WAITING {
            return Err(QueueError::Full);
        }
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let control = Arc::new(Control::default());
        let priority = job.priority;
        state.waiting.push(Waiting { id, job, control: control.clone() });
        let workers = self.threads.lock().unwrap_or_else(PoisonError::into_inner).len().saturating_sub(1);
        if state.running.len() >= workers {
            preempt(&mut state, priority);
        }
        drop(state);
        self.shared.work.notify_one();
        Ok(Ticket { id, control, shared: self.shared.clone() })
    }

    /// How many jobs wait, and how many run.
    pub fn load(&self) -> (usize, usize) {
        let state = self.shared.lock();
        (state.waiting.len(), state.running.len())
    }

    /// How many jobs have panicked.
    pub fn panics(&self) -> u64 {
        self.shared.panics.load(Ordering::Relaxed)
    }

    /// Cancels everything and waits for the threads.
    pub fn close(&self) {
        let dropped = {
            let mut state = self.shared.lock();
            state.closed = true;
            for running in &state.running {
                running.control.cancelled.store(true, Ordering::Relaxed);
                running.control.stop.store(true, Ordering::Relaxed);
            }
            std::mem::take(&mut state.waiting)
        };
        drop(dropped);
        self.shared.work.notify_all();
        self.shared.deadlines.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            let _ = thread.join();
        }
    }
}

/// Stops the lowest running job for one of this priority, unless one is stopped already.
fn preempt(state: &mut State, priority: Priority) {
    let stopping = state.running.iter().any(|r| r.control.is_preempted());
    let lowest = state.running.iter().filter(|r| r.priority > priority).max_by_key(|r| (r.priority, r.id));
    if let Some(lowest) = lowest.filter(|_| !stopping) {
        lowest.control.preempted.store(true, Ordering::Relaxed);
        lowest.control.stop.store(true, Ordering::Relaxed);
    }
}

fn worker(shared: &Shared) {
    loop {
        let mut waiting = {
            let mut state = shared.lock();
            loop {
                if state.closed {
                    return;
                }
                let best =
                    (0..state.waiting.len()).min_by_key(|&i| (state.waiting[i].job.priority, state.waiting[i].id));
                let Some(best) = best else {
                    state = shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                    continue;
                };
                let waiting = state.waiting.remove(best);
                let began = Instant::now();
                state.running.push(Running {
                    id: waiting.id,
                    priority: waiting.job.priority,
                    peer: waiting.job.peer,
                    control: waiting.control.clone(),
                    began,
                    deadline: waiting.job.wall.map(|wall| began + wall),
                });
                break waiting;
            }
        };
        shared.deadlines.notify_all();
        let began = Instant::now();
        let turned = catch_unwind(AssertUnwindSafe(|| (waiting.job.work)(&waiting.control)));
        if let Some(peer) = waiting.job.peer {
            shared.budgets.spend(peer, began.elapsed().as_secs_f64());
        }
        let mut state = shared.lock();
        state.running.retain(|r| r.id != waiting.id);
        match turned {
            Ok(Turned::More) if !state.closed && !waiting.control.is_cancelled() => {
                if waiting.control.preempted.swap(false, Ordering::Relaxed) {
                    waiting.control.stop.store(false, Ordering::Relaxed);
                }
                state.waiting.push(waiting);
                drop(state);
                shared.work.notify_one();
            }
            Ok(_) => drop(state),
            Err(_) => {
                drop(state);
                shared.panics.fetch_add(1, Ordering::Relaxed);
                // What it leaves behind may panic too.
                let panicked = waiting.job.panicked;
                let work = waiting.job.work;
                let _ = catch_unwind(AssertUnwindSafe(move || drop(work)));
                let _ = catch_unwind(AssertUnwindSafe(panicked));
            }
        }
    }
}

/// Stops searches whose time is over.
fn watch(shared: &Shared) {
    let mut state = shared.lock();
    while !state.closed {
        let now = Instant::now();
        let mut next: Option<Instant> = None;
        for running in &mut state.running {
            match running.deadline {
                Some(deadline) if deadline <= now => {
                    running.control.stop.store(true, Ordering::Relaxed);
                    running.deadline = None;
                }
                Some(deadline) => next = Some(next.map_or(deadline, |n| n.min(deadline))),
                None => {}
            }
        }
        state = match next {
            Some(next) => {
                let wait = next.saturating_duration_since(now);
                shared.deadlines.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
            }
            None => shared.deadlines.wait(state).unwrap_or_else(PoisonError::into_inner),
        };
    }
}
