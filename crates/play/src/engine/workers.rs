//! Positions waiting, the threads that look at them, and what ends them early.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use kiebitz_core::Clock;

use super::answer;
use super::fields::Problem;
use super::look;
use super::output::Output;
use super::query::Query;

/// The most positions that may wait to be looked at.
pub const MAX_WAITING: usize = 10_000;
/// The most text that unfinished queries may have come in, in bytes.
pub const MAX_WAITING_BYTES: usize = 64 << 20;

/// One position of a query.
#[derive(Debug)]
struct Job {
    query: Arc<Query>,
    turn: usize,
    stop: Arc<AtomicBool>,
}

/// Urgent ones first, then the earliest.
type Place = (Reverse<i64>, u64);

#[derive(Debug, Default)]
struct State {
    waiting: BTreeMap<Place, Job>,
    /// Positions being looked at, by the number of the worker.
    running: BTreeMap<usize, Job>,
    /// Positions without a final answer, by the id of their query.
    open: HashMap<String, usize>,
    bytes: usize,
    next: u64,
    /// No more queries come.
    ended: bool,
}

/// What the workers and the reader share.
pub(crate) struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    pub output: Output,
    pub clock: Box<dyn Clock + Send>,
}

impl Shared {
    pub fn new(output: Output, clock: Box<dyn Clock + Send>) -> Self {
        Shared { state: Mutex::default(), wake: Condvar::new(), output, clock }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that could panic happens while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a query of this id is unfinished.
    pub fn is_open(&self, id: &str) -> bool {
        self.state().open.contains_key(id)
    }

    /// Takes in a query.
    ///
    /// # Errors
    /// When too much is waiting, or a query of the same id is unfinished.
    pub fn submit(&self, query: Query) -> Result<(), Problem> {
        let mut state = self.state();
        if state.open.contains_key(&query.id) {
            return Err(id_in_use());
        }
        if state.waiting.len() + query.turns.len() > MAX_WAITING || state.bytes + query.bytes > MAX_WAITING_BYTES {
            let message = format!(
                "too much is waiting: at most {MAX_WAITING} positions from {} MiB of queries; wait for answers",
                MAX_WAITING_BYTES >> 20
            );
            return Err(Problem { field: None, message });
        }
        if query.turns.is_empty() {
            return Ok(());
        }
        state.open.insert(query.id.clone(), query.turns.len());
        state.bytes += query.bytes;
        let query = Arc::new(query);
        for &(turn, priority) in &query.turns {
            let place = (Reverse(priority), state.next);
            state.next += 1;
            state.waiting.insert(place, Job { query: Arc::clone(&query), turn, stop: Arc::default() });
        }
        drop(state);
        self.wake.notify_all();
        Ok(())
    }

    /// Ends the positions that `which` (id, turn) names: those that wait get an answer without results, those being looked at
    /// are stopped and answered with what they have.
    pub fn terminate(&self, which: impl Fn(&str, usize) -> bool) {
        let mut answers = Vec::new();
        let mut state = self.state();
        for job in state.running.values().filter(|job| which(&job.query.id, job.turn)) {
            job.stop.store(true, Ordering::Relaxed);
        }
        let named = |job: &Job| which(&job.query.id, job.turn);
        let places: Vec<Place> = state.waiting.iter().filter(|(_, job)| named(job)).map(|(&place, _)| place).collect();
        for place in places {
            if let Some(job) = state.waiting.remove(&place) {
                state.close(&job);
                answers.push(answer::no_results(&job.query.id, job.turn));
            }
        }
        drop(state);
        answers.iter().for_each(|answer| self.output.send(answer));
    }

    /// No more queries come; the workers end when they have done what is there.
    pub fn end(&self) {
        self.state().ended = true;
        self.wake.notify_all();
    }

    /// Looks at positions until the end.
    pub fn work(&self, worker: usize) {
        while let Some((query, turn, stop)) = self.next(worker) {
            let looked = catch_unwind(AssertUnwindSafe(|| look::look(self, &query, turn, &stop)));
            let last = looked.unwrap_or_else(|_| {
                let message = "a mistake in the program kept it from looking at this position; please report it";
                answer::position_error(&query.id, turn, &Problem { field: None, message: message.to_owned() })
            });
            let mut state = self.state();
            if let Some(job) = state.running.remove(&worker) {
                state.close(&job);
            }
            drop(state);
            // Who reads the answer may use the id again.
            self.output.send(&last);
        }
    }

    fn next(&self, worker: usize) -> Option<(Arc<Query>, usize, Arc<AtomicBool>)> {
        let mut state = self.state();
        loop {
            if self.output.is_closed() {
                state.waiting.clear();
            }
            if let Some((_, job)) = state.waiting.pop_first() {
                let taken = (Arc::clone(&job.query), job.turn, Arc::clone(&job.stop));
                state.running.insert(worker, job);
                return Some(taken);
            }
            if state.ended {
                return None;
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The problem of an id that is taken.
pub(crate) fn id_in_use() -> Problem {
    Problem::of("id", "a query of this id is not finished yet; ids must be unique")
}

impl State {
    /// A position has its final answer.
    fn close(&mut self, job: &Job) {
        if let Some(left) = self.open.get_mut(&job.query.id) {
            *left -= 1;
            if *left == 0 {
                self.open.remove(&job.query.id);
                self.bytes = self.bytes.saturating_sub(job.query.bytes);
            }
        }
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("state", &self.state).finish_non_exhaustive()
    }
}
