//! The contract of a game.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::RangeInclusive;

use crate::{Payoff, Rng, Seat, Turn};

/// Facts about a game after its options are known. Searches read them and refuse what they cannot do, instead of failing
/// deep inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meta {
    /// How many seats play.
    pub players: u8,
    /// The returns of all seats always sum to zero (or to one constant).
    pub zero_sum: bool,
    /// Some seat does not see everything.
    pub hidden: bool,
    /// No game is longer than this many actions, chance included.
    pub max_length: u32,
    /// Bounds of every entry of [`Game::returns`].
    pub min_return: f64,
    /// See `min_return`.
    pub max_return: f64,
    /// The kinds of chance events; [`Turn::Chance`] is an index into it.
    pub chance: &'static [ChanceKind],
}

/// One kind of chance event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChanceKind {
    /// Its name in records and messages, such as `roll`.
    pub name: &'static str,
    /// Whether [`Game::chance_outcomes`] lists its outcomes (dice, single draws). A deal of a whole deck is only sampled;
    /// enumerating algorithms and perft refuse it.
    pub listed: bool,
}

/// A distribution over actions; probabilities sum to 1.
pub type Weighted<A> = Vec<(A, f64)>;

/// Why an action may not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Illegal {
    /// The broken rule, stable across versions, such as `go.ko`.
    pub code: &'static str,
    /// One sentence that names the action and the rule it breaks.
    pub message: Cow<'static, str>,
}

impl Illegal {
    /// An illegality with its stable code and its sentence.
    pub fn new(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Illegal { code, message: message.into() }
    }

    /// The action came after the end of the game.
    pub fn game_over() -> Self {
        Illegal::new("game.over", "the game is over, no action is possible")
    }
}

/// Why options or a set-up do not make a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SetupError {
    /// What is wrong, stable across versions, such as `go.size`.
    pub code: &'static str,
    /// One sentence that says what was wrong, where, and what would be right.
    pub message: Cow<'static, str>,
}

impl SetupError {
    /// An error with its stable code and its sentence.
    pub fn new(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        SetupError { code, message: message.into() }
    }
}

/// A game: its state is the implementing type, a plain value, cheap to clone.
///
/// Chance is a player: a roll or a draw is an action at a [`Turn::Chance`] node, so that a game is one flat list of actions
/// and replays exactly. Games without chance or without hidden information keep the defaults of those parts.
///
/// What must hold is stated here and tested for every game by [`crate::conformance`].
pub trait Game: Sized + Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The name in records and on the command line.
    const ID: &'static str;
    /// The possible numbers of players.
    const PLAYERS: RangeInclusive<u8>;

    /// The rule options; `default()` is the game as most people play it.
    type Options: Clone + Debug + PartialEq + Default + Send + Sync + 'static;
    /// A position to start from; `()` for a game that has none.
    type Setup: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// An action of a player or of chance; at most 16 bytes.
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// What [`Game::undo`] needs. `snapshot_undo!()` provides undo by clone.
    type Undo: Send;
    /// What a seat inferred from what it saw and the state does not hold (passes that prove something, cards shown);
    /// `()` with perfect information.
    type Belief: Clone + Default + PartialEq + Debug + Send + Sync + 'static;

    /// The first state of a game of `players` seats.
    ///
    /// # Errors
    /// When the number of players, the options or the set-up are impossible; the error names every reason it can.
    fn new(players: u8, options: &Self::Options, setup: Option<&Self::Setup>) -> Result<Self, SetupError>;

    /// The number of players of a game with these options when nobody says otherwise.
    fn default_players(_options: &Self::Options) -> u8 {
        *Self::PLAYERS.start()
    }

    /// Static facts of this game.
    fn meta(&self) -> Meta;

    /// Who acts next; O(1).
    fn turn(&self) -> Turn;

    /// Clears `out`, then writes the legal actions of the seat to move (or the outcomes of a listed chance node), sorted and
    /// without duplicates. Empty at the end of the game and at a chance node that is only sampled.
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Whether `action` may be played now.
    ///
    /// # Errors
    /// Names the rule that forbids it.
    fn check(&self, action: Self::Action) -> Result<(), Illegal>;

    /// Plays a legal action. What happens with an illegal one is unspecified (debug builds panic); outsiders use
    /// [`Game::try_apply`].
    fn apply(&mut self, action: Self::Action);

    /// As [`Game::apply`], and returns what takes it back.
    fn apply_undo(&mut self, action: Self::Action) -> Self::Undo;

    /// Takes back the last action; the state is then equal to the one before it.
    fn undo(&mut self, undo: Self::Undo);

    /// The result on the game's own scale (points, chips), one entry per seat; before the end, the result if the game
    /// stopped here, where that has a meaning.
    fn returns(&self) -> Payoff;

    /// What searches maximise: `[0, 1]` per seat, chosen by the options.
    fn utility(&self) -> Payoff;

    /// Who won, and nothing else: +1 for the winner, -1 shared by the others; a shared win is divided, 0 for all is a draw. By
    /// default who has the highest utility wins.
    fn win_returns(&self) -> Payoff {
        self.utility().win_returns()
    }

    /// A hash of the state, kept up to date incrementally: equal states have equal keys.
    fn key(&self) -> u64;

    /// The same hash computed from nothing; conformance compares the two.
    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    /// A key under which a transposition table may store a value: it must differ wherever the continuations do, the history
    /// included where a rule looks at it.
    fn transposition_key(&self) -> u64 {
        self.key()
    }

    /// Whether `action` may be played now.
    fn is_legal(&self, action: Self::Action) -> bool {
        self.check(action).is_ok()
    }

    /// Plays `action` if it is legal, else leaves the state unchanged.
    ///
    /// # Errors
    /// Names the rule that forbids it.
    fn try_apply(&mut self, action: Self::Action) -> Result<(), Illegal> {
        self.check(action)?;
        self.apply(action);
        Ok(())
    }

    // ---- chance; defaults for games without it ----

    /// Clears `out`, then writes the outcomes of a listed chance node with their probabilities, sorted by action.
    fn chance_outcomes(&self, out: &mut Weighted<Self::Action>) {
        out.clear();
    }

    /// Draws an outcome of the chance node. The default draws from [`Game::chance_outcomes`].
    ///
    /// # Panics
    /// When this is not a chance node.
    fn sample(&self, rng: &mut Rng, scratch: &mut Weighted<Self::Action>) -> Self::Action {
        self.chance_outcomes(scratch);
        let mut u = rng.unit();
        for &(action, p) in scratch.iter() {
            if u < p {
                return action;
            }
            u -= p;
        }
        scratch.last().expect("a chance node that lists its outcomes").0
    }

    // ---- hidden information; defaults for games without it ----

    /// Equal exactly for the states that `seat` cannot tell apart.
    fn information_key(&self, _seat: Seat) -> u128 {
        u128::from(self.key())
    }

    /// `action` as `seat` sees it when it is played in this state: hidden parts masked.
    fn masked(&self, action: Self::Action, _seat: Seat) -> Self::Action {
        action
    }

    /// What `seat` knows before the first action. A set-up may tell more than its position holds (what earlier actions
    /// proved); the default is nothing.
    fn belief_at_start(_setup: Option<&Self::Setup>, _seat: Seat) -> Self::Belief {
        Self::Belief::default()
    }

    /// What of a seat's belief every seat knows (what passes proved before all eyes), without what only that seat saw: with
    /// it a search draws worlds from the view of another seat. The default is nothing.
    fn public_belief(&self, _belief: &Self::Belief) -> Self::Belief {
        Self::Belief::default()
    }

    /// Updates what `seat` knows. Called before every action, with the action as [`Game::masked`] shows it to the seat; may
    /// read of the state only what the seat sees.
    fn observe(&self, _belief: &mut Self::Belief, _seat: Seat, _seen: Self::Action) {}

    /// How many restrictions on what others hide `belief` holds besides what the state shows, such as passes that prove something.
    /// For measurements: the more there are, the harder worlds are to draw. 0 where the state shows all that is known.
    fn proofs(&self, _seat: Seat, _belief: &Self::Belief) -> usize {
        0
    }

    /// Replaces what `seat` does not know by a random world consistent with everything it observed. The result is a function
    /// of the seat's information, its belief and `rng` alone: equal for any two states the seat cannot tell apart.
    fn determinize(&mut self, _seat: Seat, _belief: &Self::Belief, _rng: &mut Rng) {}
}

/// Undo by clone, for games whose states are small: put it inside the `impl Game` block.
#[macro_export]
macro_rules! snapshot_undo {
    () => {
        type Undo = Self;
        fn apply_undo(&mut self, action: Self::Action) -> Self {
            let before = self.clone();
            self.apply(action);
            before
        }
        fn undo(&mut self, before: Self) {
            *self = before;
        }
    };
}
