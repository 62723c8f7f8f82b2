//! A game in progress: the owner of the truth.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value};

use crate::{Forfeit, Game, Illegal, Luck, Notation, Observer, Payoff, Seat, Seen, SetupError, Turn};

/// One step of a session's history. What is rare is boxed: a history is mostly actions, and every copy of a session has one.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<G: Game> {
    /// An action of a seat, or of chance (`None`).
    Action {
        /// Who acted.
        by: Option<Seat>,
        /// What was done.
        action: G::Action,
    },
    /// A position set up in mid-game.
    SetUp(Box<G::Setup>),
    /// Resignation or loss on time.
    Forfeit(Forfeit),
    /// An event of the game's own.
    Event {
        /// The seat that made it.
        by: Seat,
        /// Its name.
        name: Box<str>,
        /// Its further keys, as in the record line.
        data: Box<Map<String, Value>>,
    },
}

impl<G: Game> Step<G> {
    /// Mixes this step into the digest of those before it.
    fn digest(&self, before: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        before.hash(&mut hasher);
        match self {
            Step::Action { by, action } => (0u8, by, action).hash(&mut hasher),
            // Rare, and without a hash of their own: by all that is in them.
            Step::SetUp(setup) => (1u8, format!("{setup:?}")).hash(&mut hasher),
            Step::Forfeit(forfeit) => (2u8, format!("{forfeit:?}")).hash(&mut hasher),
            Step::Event { by, name, data } => (3u8, by, name, format!("{data:?}")).hash(&mut hasher),
        }
        hasher.finish()
    }
}

/// Purposes of [`Luck::stream`] used by a session.
const STREAM_SEEN: u64 = 1;

/// State, one belief per seat, the counters of indexed randomness and the history. Only a session holds the true state of a
/// game with hidden information; players receive [`Session::seen`], front ends [`Notation::view`].
#[derive(Clone, Debug)]
pub struct Session<G: Game> {
    players: u8,
    options: G::Options,
    setup: Option<G::Setup>,
    seed: u64,
    state: G,
    beliefs: Vec<G::Belief>,
    events_of_kind: Vec<u32>,
    forfeit: Option<Forfeit>,
    history: Vec<Step<G>>,
    /// Of each step with all before it, see [`Session::digest`].
    digests: Vec<u64>,
    undone: Vec<Step<G>>,
}

impl<G: Notation> Session<G> {
    /// Starts a game.
    ///
    /// # Errors
    /// As [`Game::new`].
    pub fn new(players: u8, options: G::Options, setup: Option<G::Setup>, seed: u64) -> Result<Self, SetupError> {
        let state = G::new(players, &options, setup.as_ref())?;
        let kinds = state.meta().chance.len();
        let beliefs = (0..players).map(|seat| G::belief_at_start(setup.as_ref(), seat)).collect();
        Ok(Session {
            players,
            options,
            setup,
            seed,
            state,
            beliefs,
            events_of_kind: vec![0; kinds],
            forfeit: None,
            history: Vec::new(),
            digests: Vec::new(),
            undone: Vec::new(),
        })
    }

    /// The number of players.
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The rule options.
    pub fn options(&self) -> &G::Options {
        &self.options
    }

    /// The position it started from, if not the usual one.
    pub fn setup(&self) -> Option<&G::Setup> {
        self.setup.as_ref()
    }

    /// The seed of its luck; a secret until the end.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The true state: for the referee and for games without hidden information. Players get [`Session::seen`].
    pub fn state(&self) -> &G {
        &self.state
    }

    /// What happened so far.
    pub fn history(&self) -> &[Step<G>] {
        &self.history
    }

    /// A number for the first `steps` steps of the history, so that who followed a game so far need not compare them all: two
    /// histories share it by chance practically never. `None` when there are not so many. It is the same only within one build of
    /// the program, so it is not for files.
    pub fn digest(&self, steps: usize) -> Option<u64> {
        match steps.checked_sub(1) {
            None => Some(0),
            Some(last) => self.digests.get(last).copied(),
        }
    }

    /// Who acts next.
    pub fn turn(&self) -> Turn {
        if self.forfeit.is_some() { Turn::Terminal } else { self.state.turn() }
    }

    /// The resignation or loss on time that ended it.
    pub fn forfeit(&self) -> Option<Forfeit> {
        self.forfeit
    }

    /// Plays for the seat to move (or for chance).
    ///
    /// # Errors
    /// When the action is illegal; the session is unchanged.
    pub fn play(&mut self, action: G::Action) -> Result<(), Illegal> {
        let by = self.turn().seat();
        self.perform(Step::Action { by, action })
    }

    /// Plays for `seat`, handing it the turn where the game allows that.
    ///
    /// # Errors
    /// When it is not the seat's turn or the action is illegal; the session is unchanged.
    pub fn play_as(&mut self, seat: Seat, action: G::Action) -> Result<(), Illegal> {
        self.perform(Step::Action { by: Some(seat), action })
    }

    /// A copy in which it is `seat`'s turn, where the game allows that (Go, whose controllers ask either colour for a move). The
    /// history stays as it is.
    ///
    /// # Errors
    /// When the game is over or does not let the turn be handed over, or there is no such seat.
    pub fn with_turn_of(&self, seat: Seat) -> Result<Self, Illegal> {
        if self.turn().is_terminal() {
            return Err(Illegal::game_over());
        }
        let mut copy = self.clone();
        if copy.turn() != Turn::Seat(seat) {
            copy.state.hand_turn_to(seat)?;
        }
        Ok(copy)
    }

    /// Lets chance act with the session's own luck.
    ///
    /// Returns the action, or `None` when it is not chance's turn.
    pub fn roll(&mut self) -> Option<G::Action> {
        let Turn::Chance(kind) = self.turn() else { return None };
        let k = self.events_of_kind[usize::from(kind)];
        let action = self.state.sample(&mut Luck::new(self.seed).event(kind, k), &mut Vec::new());
        self.perform(Step::Action { by: None, action }).ok().map(|()| action)
    }

    /// Does a step of any kind: an action, a set-up, a forfeit, an event.
    ///
    /// # Errors
    /// When the step is impossible now; the session is unchanged.
    pub fn perform(&mut self, step: Step<G>) -> Result<(), Illegal> {
        self.execute(&step)?;
        self.digests.push(step.digest(self.digests.last().copied().unwrap_or(0)));
        self.history.push(step);
        self.undone.clear();
        Ok(())
    }

    fn execute(&mut self, step: &Step<G>) -> Result<(), Illegal> {
        if self.forfeit.is_some() {
            return Err(Illegal::game_over());
        }
        match step {
            Step::Action { by, action } => self.act(*by, *action),
            Step::SetUp(setup) => {
                self.state.set_up(setup).map_err(|e| Illegal { code: e.code, message: e.message })?;
                Ok(())
            }
            Step::Forfeit(forfeit) => {
                if forfeit.seat() >= self.players {
                    return Err(no_such_seat(forfeit.seat(), self.players));
                }
                if self.state.turn().is_terminal() {
                    return Err(Illegal::game_over());
                }
                self.forfeit = Some(*forfeit);
                Ok(())
            }
            Step::Event { by, name, data } => {
                if *by >= self.players {
                    return Err(no_such_seat(*by, self.players));
                }
                self.state.event(*by, name, data)
            }
        }
    }

    fn act(&mut self, by: Option<Seat>, action: G::Action) -> Result<(), Illegal> {
        let turn = self.state.turn();
        match (by, turn) {
            (_, Turn::Terminal) => return Err(Illegal::game_over()),
            (None, Turn::Seat(seat)) => {
                return Err(Illegal::new("turn.player", format!("it is the turn of player {seat}, not of chance")));
            }
            (Some(seat), _) if seat >= self.players => return Err(no_such_seat(seat, self.players)),
            (Some(seat), turn) if turn != Turn::Seat(seat) => {
                // Handing over the turn changes the state, so try the whole step on a copy.
                let mut other = self.state.clone();
                other.hand_turn_to(seat)?;
                other.check(action)?;
                self.state = other;
            }
            _ => self.state.check(action)?,
        }
        for (seat, belief) in self.beliefs.iter_mut().enumerate() {
            let seat = seat as Seat;
            self.state.observe(belief, seat, self.state.masked(action, seat));
        }
        if let Turn::Chance(kind) = self.state.turn() {
            self.events_of_kind[usize::from(kind)] += 1;
        }
        self.state.apply(action);
        Ok(())
    }

    /// Takes back the last step. Luck does not change: the same roll comes again.
    ///
    /// Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.history.pop() else { return false };
        let undone = std::mem::take(&mut self.undone);
        let steps = std::mem::take(&mut self.history);
        let mut fresh = match Session::new(self.players, self.options.clone(), self.setup.clone(), self.seed) {
            Ok(fresh) => fresh,
            Err(_) => unreachable!("the same options made this session"),
        };
        for step in steps {
            let replayed = fresh.perform(step);
            debug_assert!(replayed.is_ok(), "a step that was possible is possible again");
        }
        *self = fresh;
        self.undone = undone;
        self.undone.push(step);
        true
    }

    /// Does again what was taken back last.
    ///
    /// Returns whether there was something.
    pub fn redo(&mut self) -> bool {
        let Some(step) = self.undone.pop() else { return false };
        let rest = std::mem::take(&mut self.undone);
        let done = self.perform(step).is_ok();
        self.undone = rest;
        done
    }

    /// What `seat` knows, for a search. `salt` chooses the world it guesses first.
    pub fn seen(&self, seat: Seat, salt: u64) -> Seen<G> {
        let mut rng = Luck::new(salt).stream(STREAM_SEEN, u64::from(seat));
        Seen::new(&self.state, seat, &self.beliefs[usize::from(seat)], &mut rng)
    }

    /// The belief of a seat.
    pub fn belief(&self, seat: Seat) -> Option<&G::Belief> {
        self.beliefs.get(usize::from(seat))
    }

    /// The result on the game's scale.
    pub fn returns(&self) -> Payoff {
        self.state.returns()
    }

    /// The result as utilities; after a forfeit the others share the win.
    pub fn utility(&self) -> Payoff {
        match self.forfeit {
            None => self.state.utility(),
            Some(forfeit) => {
                let share = if self.players > 1 { 1.0 / f64::from(self.players - 1) } else { 0.0 };
                let mut payoff = Payoff::uniform(self.players, share);
                payoff.set(forfeit.seat(), 0.0);
                payoff
            }
        }
    }

    /// Who won, see [`Game::win_returns`]; after a forfeit the others share the win.
    pub fn win_returns(&self) -> Payoff {
        if self.forfeit.is_some() { self.utility().win_returns() } else { self.state.win_returns() }
    }

    /// The facts of the state, with a forfeit taken into account.
    pub fn facts(&self) -> Map<String, Value> {
        let mut facts = self.state.facts();
        if self.forfeit.is_some() {
            facts.retain(|key, _| !key.starts_with("legal"));
            for key in G::MOVER_BANS {
                facts.insert((*key).to_owned(), Value::Array(Vec::new()));
            }
            facts.insert("to_move".to_owned(), Value::Null);
            facts.insert("terminal".to_owned(), Value::Bool(true));
            if let Some(result) = self.state.result_text(self.forfeit) {
                facts.insert("result".to_owned(), Value::from(result));
            }
        }
        facts
    }

    /// What `observer` sees of the state.
    pub fn view(&self, observer: Observer) -> Value {
        self.state.view(observer)
    }
}

fn no_such_seat(seat: Seat, players: u8) -> Illegal {
    Illegal::new(
        "turn.seat",
        format!("there is no player {seat}; players are numbered 0 to {}", players.saturating_sub(1)),
    )
}
