//! The computers that play Go: each is a mind that knows when to pass and when to give up, and that keeps between its moves what
//! it learned, as far as there is room for it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kiebitz_core::{Budget, PlayerError, PlayerSpec, Seat, Session};
use kiebitz_go::Go;
use kiebitz_play::clock::ClockState;
use kiebitz_play::go_mind::{Action, GoMind, MindOptions, Request, ResignRule};

use crate::queue::Control;
use crate::think::{Choice, UNSAID};

/// What a move loses between the mind and the log.
const LAG: Duration = Duration::from_millis(50);
/// A tree node takes less than this.
const NODE_BYTES: u64 = 64;
/// The memory of a tree whose spec does not say, in MiB: the default of the searches.
const TREE_MIB: u64 = 256;

struct Kept {
    game: Arc<str>,
    seat: Seat,
    bytes: u64,
    mind: GoMind,
}

/// The minds that wait for their next move, the one that has waited longest first.
pub struct Minds {
    /// The most that their trees may take together, in bytes.
    most: u64,
    kept: Mutex<VecDeque<Kept>>,
}

impl std::fmt::Debug for Minds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Minds").field("most", &self.most).field("kept", &self.lock().len()).finish()
    }
}

impl Minds {
    /// None yet; `most` bytes at most for all trees.
    pub fn new(most: u64) -> Self {
        Minds { most, kept: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, game: &str, seat: Seat) -> Option<GoMind> {
        let mut kept = self.lock();
        let at = kept.iter().position(|k| &*k.game == game && k.seat == seat)?;
        kept.remove(at).map(|k| k.mind)
    }

    fn keep(&self, new: Kept) {
        let mut forgotten = Vec::new();
        {
            let mut kept = self.lock();
            kept.push_back(new);
            while kept.iter().map(|k| k.bytes).sum::<u64>() > self.most {
                forgotten.extend(kept.pop_front());
            }
        }
        // Freeing large trees takes time: not under the lock.
        drop(forgotten);
    }

    /// Forgets the minds of a game. What is returned may take a while to drop.
    pub fn forget(&self, game: &str) -> Vec<GoMind> {
        let mut kept = self.lock();
        let (gone, stay): (Vec<Kept>, Vec<Kept>) = kept.drain(..).partition(|k| &*k.game == game);
        kept.extend(stay);
        gone.into_iter().map(|k| k.mind).collect()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Who is to move in which game, and what time there is.
#[derive(Debug)]
pub struct Chair {
    /// The game.
    pub game: Arc<str>,
    /// The seat.
    pub seat: Seat,
    /// The spec of its player.
    pub spec: String,
    /// The seed of everything its mind draws: the same one each time, so that its opinion of the stones stays.
    pub seed: u64,
    /// The clocks at `since`.
    pub clock: ClockState,
    /// When the clocks were read: the time in the queue is the player's.
    pub since: Instant,
}

impl Chair {
    /// The clocks now.
    fn clock_now(&self) -> ClockState {
        let mut clock = self.clock.clone();
        if let Some(left) = clock.remaining(self.seat) {
            clock.set_time_left(self.seat, left.time.saturating_sub(self.since.elapsed()), left.stones);
        }
        clock
    }

    fn mind(&self) -> Result<GoMind, PlayerError> {
        let damaged = |e: kiebitz_core::SpecError| PlayerError::new("player.spec", e.to_string());
        let spec: PlayerSpec = self.spec.parse().map_err(damaged)?;
        let options = MindOptions {
            lag: LAG,
            budget: Budget::time(UNSAID),
            resign: Some(ResignRule::default()),
            ..MindOptions::default()
        };
        GoMind::from_spec(&spec, self.seed, options).map_err(damaged)
    }

    /// Chooses what the seat does.
    ///
    /// # Errors
    /// When the player cannot be built or gives no answer, and when nobody wants one any more.
    pub fn choose(&self, minds: &Minds, session: &Session<Go>, control: &Control) -> Result<Choice, PlayerError> {
        let mut mind = match minds.take(&self.game, self.seat) {
            Some(mind) => mind,
            None => self.mind()?,
        };
        let request = Request { stop: Some(&control.stop), cancel: Some(control.cancel()), ..Request::default() };
        let color = session.state().to_move();
        let decision = mind.genmove_with(session, color, &self.clock_now(), &request)?;
        // One that nobody waits for may belong to a table that is gone.
        if !control.is_cancelled() {
            let bytes = tree_bytes(mind.spec(), session.state());
            minds.keep(Kept { game: self.game.clone(), seat: self.seat, bytes, mind });
        }
        let size = session.state().size();
        Ok(match decision.action {
            Action::Resign => Choice::Resign,
            Action::Play(mv) => Choice::Play(mv.text(size).to_string()),
            Action::Pass => Choice::Play("pass".to_owned()),
        })
    }
}

/// A bound for the tree that a player keeps after a move: its memory, or, with few visits, the nodes that these can make twice.
fn tree_bytes(spec: &PlayerSpec, go: &Go) -> u64 {
    let number = |key: &str| spec.settings.get(key).and_then(|text| text.replace('_', "").parse::<u64>().ok());
    let memory = number("memory").unwrap_or(TREE_MIB).saturating_mul(1 << 20);
    let children = go.size().points() as u64 + 1;
    let grown = number("visits").map(|visits| visits.saturating_mul(2 * children * NODE_BYTES));
    grown.map_or(memory, |grown| grown.min(memory))
}
