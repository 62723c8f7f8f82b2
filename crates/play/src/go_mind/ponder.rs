//! Thinking on a thread of its own, until told to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use kiebitz_core::{Analysis, Budget, Clock, DynPlayer, Session, Thinking};
use kiebitz_go::{Go, Move};

/// A player that the thread and its owner share. It stays where it is when a thread breaks down.
#[derive(Clone)]
pub(super) struct SharedPlayer(Arc<Mutex<Box<dyn DynPlayer>>>);

impl SharedPlayer {
    pub fn new(player: Box<dyn DynPlayer>) -> Self {
        SharedPlayer(Arc::new(Mutex::new(player)))
    }

    /// The player; waits while a thread thinks with it. A thread that broke down left no half-counted tree, so what it held is
    /// good.
    pub fn lock(&self) -> MutexGuard<'_, Box<dyn DynPlayer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receives the state of a background analysis, on the thread of the analysis.
pub type Listener = Arc<dyn Fn(&Analysis) + Send + Sync>;

/// What to do in the background.
#[derive(Clone)]
pub struct PonderRequest {
    /// When to stop without being told to. Unlimited: never.
    pub budget: Budget,
    /// The only moves to look at; `None` for all. What is found then is not kept for the next search.
    pub only: Option<Vec<Move>>,
    /// Receives the state of the analysis.
    pub listener: Option<Listener>,
    /// The least time between two reports.
    pub every: Duration,
    /// For how many of the best moves reasons are wanted, in the final analysis; above 0, its details hold an ownership map.
    pub reasons: usize,
}

impl Default for PonderRequest {
    /// Until told to stop, all moves, nobody listens.
    fn default() -> Self {
        let every = Duration::from_millis(100);
        PonderRequest { budget: Budget::default(), only: None, listener: None, every, reasons: 0 }
    }
}

impl std::fmt::Debug for PonderRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (budget, only) = (&self.budget, &self.only);
        f.debug_struct("PonderRequest").field("budget", budget).field("only", only).finish_non_exhaustive()
    }
}

/// A running background analysis.
pub(super) struct Pondering {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Option<Analysis>>,
}

/// Without a limit of its own a search runs until it is told to stop; this is more than any will do.
const ENDLESS: u64 = u64::MAX;

impl Pondering {
    /// Starts thinking about `session` for the colour to move there. `None` when the system gives no thread.
    pub fn start(
        player: &SharedPlayer,
        session: Session<Go>,
        clock: Arc<dyn Clock + Send + Sync>,
        seed: u64,
        request: PonderRequest,
    ) -> Option<Pondering> {
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, player) = (stop.clone(), player.clone());
        let think = move || {
            let budget = request.budget.or(Budget::visits(ENDLESS));
            let mut thinking = Thinking::new(budget, clock.as_ref(), &flag, seed);
            (thinking.hard, thinking.any_seat, thinking.reasons) = (true, true, request.reasons);
            thinking.progress_every = request.every;
            let only: Option<Vec<String>> = request
                .only
                .map(|moves| moves.into_iter().map(|mv| mv.text(session.state().size()).to_string()).collect());
            thinking.only = only.as_deref();
            let listener = request.listener;
            let forward = |analysis: &Analysis| {
                if let Some(listener) = &listener {
                    listener(analysis);
                }
            };
            if listener.is_some() {
                thinking.progress = Some(&forward);
            }
            player.lock().analyze(&session, &thinking).ok()
        };
        let thread = std::thread::Builder::new().name("ponder".to_owned()).spawn(think).ok()?;
        Some(Pondering { stop, thread })
    }

    /// Whether the thread has ended by itself.
    pub fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Stops the thread and waits for its end: at most one more simulation. What it found; `None` when it broke down.
    pub fn stop(self) -> Option<Analysis> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().ok().flatten()
    }
}
