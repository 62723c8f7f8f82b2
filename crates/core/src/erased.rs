//! The erased layer, written once for all games: a game in progress behind `dyn`, its actions as text.

use std::any::Any;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::record::{By, Header, Line, Record, What};
use crate::{
    Forfeit, Illegal, Meta, Notation, Observer, Payoff, Perft, PerftError, Seat, Session, SetupError, Step, Turn,
};

/// A step that was made, as somebody sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenStep {
    /// The text of an action, hidden parts as `?`; empty for steps that are no actions.
    pub action: String,
    /// The result on the game's scale just before it: what finished rounds have brought.
    pub returns: Payoff,
}

/// A game in progress whose type is not known. Implemented by every [`Session`].
pub trait DynGame: Debug + Send + Sync {
    /// The game's name.
    fn id(&self) -> &'static str;
    /// Static facts.
    fn meta(&self) -> Meta;
    /// Who acts next.
    fn turn(&self) -> Turn;
    /// The legal actions, in action order.
    fn legal(&self) -> Vec<String>;
    /// Whether the seat to move may play this.
    ///
    /// # Errors
    /// When the text is no action or the action is illegal.
    fn check(&self, action: &str) -> Result<(), Illegal>;
    /// The action's canonical text (`d4` → `D4`).
    ///
    /// # Errors
    /// When the text is no action of this game.
    fn canonical(&self, action: &str) -> Result<String, Illegal>;
    /// The possible actions that `seat` sees as this one, in action order: one where nothing is masked (`?`). At a chance node
    /// whose outcomes are not listed it is the masked action itself, where the game can go on from it. None where the action is
    /// impossible.
    ///
    /// Any of them will do to find out what the seat knows: a belief is told of actions only as the seat sees them, and the rest
    /// is drawn anew from the seat's information ([`crate::Game::determinize`]).
    ///
    /// # Errors
    /// When the text is no action of this game.
    fn unmasked(&self, action: &str, seat: Seat) -> Result<Vec<String>, Illegal>;
    /// Plays for the seat to move, or for chance.
    ///
    /// # Errors
    /// When the text is no action or the action is illegal; nothing is changed then.
    fn play(&mut self, action: &str) -> Result<(), Illegal>;
    /// Plays for a seat, handing it the turn where the game allows that.
    ///
    /// # Errors
    /// As [`DynGame::play`].
    fn play_as(&mut self, seat: Seat, action: &str) -> Result<(), Illegal>;
    /// A copy in which it is `seat`'s turn, where the game allows that; the history stays as it is.
    ///
    /// # Errors
    /// As [`Session::with_turn_of`].
    fn with_turn_of(&self, seat: Seat) -> Result<Box<dyn DynGame>, Illegal>;
    /// Lets chance act; `None` when it is not its turn.
    fn roll(&mut self) -> Option<String>;
    /// Sets up a position in mid-game.
    ///
    /// # Errors
    /// When the game does not allow it or the set-up is impossible.
    fn set_up(&mut self, setup: &Value) -> Result<(), Illegal>;
    /// Resigns or loses on time.
    ///
    /// # Errors
    /// When the game is over or there is no such seat.
    fn forfeit(&mut self, forfeit: Forfeit) -> Result<(), Illegal>;
    /// An event of the game's own.
    ///
    /// # Errors
    /// When there is none of that name or it is impossible now.
    fn event(&mut self, by: Seat, name: &str, data: &Map<String, Value>) -> Result<(), Illegal>;
    /// Does what a line of a record says.
    ///
    /// # Errors
    /// When it is impossible now; nothing is changed then.
    fn perform(&mut self, line: &Line) -> Result<(), Illegal>;
    /// Takes back the last step; `false` when there is none.
    fn undo(&mut self) -> bool;
    /// Does again what was taken back; `false` when there is nothing.
    fn redo(&mut self) -> bool;
    /// How many steps were made.
    fn steps(&self) -> usize;
    /// The steps so far as `seat` sees them. For nobody's eyes (`None`, or a seat there is not) an action that the seats do not
    /// all see in the same way is `?`.
    fn seen_steps(&self, seat: Option<Seat>) -> Vec<SeenStep>;
    /// The result on the game's scale.
    fn returns(&self) -> Payoff;
    /// The result as utilities.
    fn utility(&self) -> Payoff;
    /// Who won, see [`Game::win_returns`](crate::Game::win_returns).
    fn win_returns(&self) -> Payoff;
    /// The result in the game's own form, at the end.
    fn result(&self) -> Option<String>;
    /// All facts.
    fn facts(&self) -> Map<String, Value>;
    /// What somebody sees, as JSON.
    fn view(&self, observer: Observer) -> Value;
    /// What somebody sees, drawn with characters.
    fn board_text(&self, observer: Observer) -> String;
    /// The whole game as a record, the seed included.
    fn record(&self) -> Record;
    /// Counts the action sequences of each length up to `depth` from here, see [`crate::perft`].
    ///
    /// # Errors
    /// When `depth` is 0, or a chance event within the depth is only sampled.
    fn perft(&self, depth: u8) -> Result<Perft<String>, PerftError>;
    /// A copy.
    fn clone_box(&self) -> Box<dyn DynGame>;
    /// For downcasting to the session's type.
    fn as_any(&self) -> &dyn Any;
}

impl<G: Notation> DynGame for Session<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn meta(&self) -> Meta {
        self.state().meta()
    }

    fn turn(&self) -> Turn {
        Session::turn(self)
    }

    fn legal(&self) -> Vec<String> {
        if Session::turn(self).is_terminal() {
            return Vec::new();
        }
        let mut actions = Vec::new();
        self.state().actions(&mut actions);
        actions.iter().map(|&a| self.state().action_text(a)).collect()
    }

    fn check(&self, action: &str) -> Result<(), Illegal> {
        if Session::turn(self).is_terminal() {
            return Err(Illegal::game_over());
        }
        self.state().check(self.state().parse_action(action)?)
    }

    fn canonical(&self, action: &str) -> Result<String, Illegal> {
        Ok(self.state().action_text(self.state().parse_action(action)?))
    }

    fn unmasked(&self, action: &str, seat: Seat) -> Result<Vec<String>, Illegal> {
        let state = self.state();
        let seen = state.parse_action(action)?;
        let mut actions = Vec::new();
        if !Session::turn(self).is_terminal() {
            state.actions(&mut actions);
        }
        if actions.is_empty() && state.masked(seen, seat) == seen && DynGame::check(self, action).is_ok() {
            actions.push(seen);
        }
        Ok(actions.into_iter().filter(|&a| state.masked(a, seat) == seen).map(|a| state.action_text(a)).collect())
    }

    fn play(&mut self, action: &str) -> Result<(), Illegal> {
        let action = self.state().parse_action(action)?;
        Session::play(self, action)
    }

    fn play_as(&mut self, seat: Seat, action: &str) -> Result<(), Illegal> {
        let action = self.state().parse_action(action)?;
        Session::play_as(self, seat, action)
    }

    fn with_turn_of(&self, seat: Seat) -> Result<Box<dyn DynGame>, Illegal> {
        Ok(Box::new(Session::with_turn_of(self, seat)?))
    }

    fn roll(&mut self) -> Option<String> {
        let before = self.state().clone();
        Session::roll(self).map(|a| before.action_text(a))
    }

    fn set_up(&mut self, setup: &Value) -> Result<(), Illegal> {
        let setup = G::setup_from_json(self.options(), setup).map_err(illegal)?;
        Session::perform(self, Step::SetUp(Box::new(setup)))
    }

    fn forfeit(&mut self, forfeit: Forfeit) -> Result<(), Illegal> {
        Session::perform(self, Step::Forfeit(forfeit))
    }

    fn event(&mut self, by: Seat, name: &str, data: &Map<String, Value>) -> Result<(), Illegal> {
        match name {
            "resign" => DynGame::forfeit(self, Forfeit::Resign(by)),
            "timeout" => DynGame::forfeit(self, Forfeit::Timeout(by)),
            _ => Session::perform(self, Step::Event { by, name: name.into(), data: Box::new(data.clone()) }),
        }
    }

    fn perform(&mut self, line: &Line) -> Result<(), Illegal> {
        match (line.by(), line.what()) {
            (By::Setup, What::Setup(setup)) => self.set_up(setup),
            (By::Chance, What::Action(text)) => {
                let action = self.state().parse_action(text)?;
                Session::perform(self, Step::Action { by: None, action })
            }
            (By::Seat(seat), What::Action(text)) => DynGame::play_as(self, seat, text),
            (By::Seat(seat), What::Event(name)) => DynGame::event(self, seat, name, &line.event_data()),
            _ => Err(Illegal::new("record.line", "only players make events, and only set-up lines set up a position")),
        }
    }

    fn undo(&mut self) -> bool {
        Session::undo(self)
    }

    fn redo(&mut self) -> bool {
        Session::redo(self)
    }

    fn steps(&self) -> usize {
        self.history().len()
    }

    fn seen_steps(&self, seat: Option<Seat>) -> Vec<SeenStep> {
        let players = self.players();
        let Ok(mut state) = G::new(players, self.options(), self.setup()) else { return Vec::new() };
        let mut steps = Vec::with_capacity(self.history().len());
        for step in self.history() {
            let returns = state.returns();
            let mut text = String::new();
            match step {
                Step::Action { by, action } => {
                    if let Some(by) = by.filter(|&by| state.turn() != Turn::Seat(by)) {
                        let handed = state.hand_turn_to(by);
                        debug_assert!(handed.is_ok(), "a step that was possible is possible again");
                    }
                    let seen = |seat| state.masked(*action, seat);
                    text = match seat.filter(|&seat| seat < players) {
                        Some(seat) => state.action_text(seen(seat)),
                        None if (1..players).all(|seat| seen(seat) == seen(0)) => state.action_text(seen(0)),
                        None => "?".to_owned(),
                    };
                    state.apply(*action);
                }
                Step::SetUp(setup) => {
                    let set = state.set_up(setup);
                    debug_assert!(set.is_ok(), "a step that was possible is possible again");
                }
                Step::Event { by, name, data } => {
                    let done = state.event(*by, name, data);
                    debug_assert!(done.is_ok(), "a step that was possible is possible again");
                }
                Step::Forfeit(_) => {}
            }
            steps.push(SeenStep { action: text, returns });
        }
        steps
    }

    fn returns(&self) -> Payoff {
        Session::returns(self)
    }

    fn utility(&self) -> Payoff {
        Session::utility(self)
    }

    fn win_returns(&self) -> Payoff {
        Session::win_returns(self)
    }

    fn result(&self) -> Option<String> {
        if Session::turn(self).is_terminal() { self.state().result_text(Session::forfeit(self)) } else { None }
    }

    fn facts(&self) -> Map<String, Value> {
        Session::facts(self)
    }

    fn view(&self, observer: Observer) -> Value {
        Session::view(self, observer)
    }

    fn board_text(&self, observer: Observer) -> String {
        self.state().board_text(observer)
    }

    fn record(&self) -> Record {
        let mut header = Header::new(G::ID, self.players(), G::options_to_json(self.options()));
        if let Some(setup) = self.setup() {
            header.set("setup", G::setup_to_json(self.options(), setup));
        }
        header.set("seed", self.seed());
        let mut record = Record::new(header);
        // Texts depend on the state an action is played in, so play the game again.
        let Ok(mut replay) =
            Session::<G>::new(self.players(), self.options().clone(), self.setup().cloned(), self.seed())
        else {
            return record;
        };
        for step in self.history() {
            record.lines.push(match step {
                Step::Action { by, action } => {
                    let by = by.map_or(By::Chance, By::Seat);
                    Line::action(by, &replay.state().action_text(*action))
                }
                Step::SetUp(setup) => Line::setup(G::setup_to_json(self.options(), setup)),
                Step::Forfeit(Forfeit::Resign(seat)) => Line::event(By::Seat(*seat), "resign", Map::new()),
                Step::Forfeit(Forfeit::Timeout(seat)) => Line::event(By::Seat(*seat), "timeout", Map::new()),
                Step::Event { by, name, data } => Line::event(By::Seat(*by), name, Map::clone(data)),
            });
            let replayed = Session::perform(&mut replay, step.clone());
            debug_assert!(replayed.is_ok(), "a step that was possible is possible again");
        }
        record
    }

    fn perft(&self, depth: u8) -> Result<Perft<String>, PerftError> {
        if Session::turn(self).is_terminal() {
            // A forfeit ends the session, not the state.
            return Ok(Perft { counts: vec![0; usize::from(depth)], divide: Vec::new() });
        }
        let Perft { counts, divide } = crate::perft(self.state(), depth)?;
        let divide = divide.into_iter().map(|(action, n)| (self.state().action_text(action), n)).collect();
        Ok(Perft { counts, divide })
    }

    fn clone_box(&self) -> Box<dyn DynGame> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn illegal(e: SetupError) -> Illegal {
    Illegal { code: e.code, message: e.message }
}

/// A kind of game whose type is not known: makes sessions.
pub trait DynGameType: Debug + Send + Sync {
    /// The game's name.
    fn id(&self) -> &'static str;
    /// The possible numbers of players.
    fn players(&self) -> RangeInclusive<u8>;
    /// The number of players of a game with these `rules` of a record header when nobody says otherwise; the usual number where the
    /// rules cannot be read.
    fn default_players(&self, rules: &Map<String, Value>) -> u8;
    /// Starts the game a record's header describes; a header without seed plays with `seed`.
    ///
    /// # Errors
    /// When options, players or set-up are impossible.
    fn start(&self, header: &Header, seed: u64) -> Result<Box<dyn DynGame>, SetupError>;
}

/// The game type of `G`.
#[derive(Debug)]
pub struct GameType<G>(PhantomData<fn() -> G>);

impl<G> GameType<G> {
    /// The game type of `G`.
    pub const fn new() -> Self {
        GameType(PhantomData)
    }
}

impl<G> Default for GameType<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Notation> GameType<G> {
    /// Starts a typed session from a header.
    ///
    /// # Errors
    /// When options, players or set-up are impossible.
    pub fn session(header: &Header, seed: u64) -> Result<Session<G>, SetupError> {
        let players = header.players();
        if !G::PLAYERS.contains(&players) {
            let message = format!(
                "{} is for {} players, not for {players}",
                G::ID,
                if G::PLAYERS.start() == G::PLAYERS.end() {
                    G::PLAYERS.start().to_string()
                } else {
                    format!("{} to {}", G::PLAYERS.start(), G::PLAYERS.end())
                }
            );
            return Err(SetupError::new("players", message));
        }
        let mut rules = header.rules();
        for key in G::HEADER_OPTIONS {
            if let (Some(value), false) = (header.get(key), rules.contains_key(*key)) {
                rules.insert((*key).to_owned(), value.clone());
            }
        }
        let options = G::options_from_json(&rules)?;
        let setup = header.setup().map(|s| G::setup_from_json(&options, s)).transpose()?;
        Session::new(players, options, setup, header.seed().unwrap_or(seed))
    }
}

impl<G: Notation> DynGameType for GameType<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn players(&self) -> RangeInclusive<u8> {
        G::PLAYERS
    }

    fn default_players(&self, rules: &Map<String, Value>) -> u8 {
        G::default_players(&G::options_from_json(rules).unwrap_or_default())
    }

    fn start(&self, header: &Header, seed: u64) -> Result<Box<dyn DynGame>, SetupError> {
        Ok(Box::new(Self::session(header, seed)?))
    }
}
