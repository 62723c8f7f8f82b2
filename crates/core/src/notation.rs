//! How a game looks from outside the process: text of actions, JSON of options and set-ups, facts, views, boards.

use serde_json::{Map, Value};

use crate::{Game, Illegal, Seat, SetupError, Turn};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observer {
    /// A player, who sees what that seat knows.
    Seat(Seat),
    /// A spectator, who sees what everybody knows.
    Public,
    /// Someone who may see everything: a replay after the end, a test.
    Omniscient,
}

/// How a player ended the game without playing it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeit {
    /// The seat resigned.
    Resign(Seat),
    /// The seat's time ran out.
    Timeout(Seat),
}

impl Forfeit {
    /// The seat that lost by it.
    pub fn seat(self) -> Seat {
        match self {
            Forfeit::Resign(seat) | Forfeit::Timeout(seat) => seat,
        }
    }
}

/// The border of a game: everything that crosses it is text or JSON, and what leaves for a seat is built by [`Notation::view`].
///
/// `parse_action` and `action_text` are inverse on every legal action of a state.
pub trait Notation: Game {
    /// The action in the game's notation; masked parts are `?`.
    fn action_text(&self, action: Self::Action) -> String;

    /// Reads an action in this state. Need not be legal, only well-formed: legality is [`Game::check`].
    ///
    /// # Errors
    /// When the text is no action of this game; the sentence says what would be.
    fn parse_action(&self, text: &str) -> Result<Self::Action, Illegal>;

    /// Options from a record header's `rules`; absent keys mean the default.
    ///
    /// # Errors
    /// Unknown keys and impossible values, with what would be right.
    fn options_from_json(rules: &Map<String, Value>) -> Result<Self::Options, SetupError>;

    /// Options that a record may also name in its header itself, beside `rules` (the length of a match).
    const HEADER_OPTIONS: &'static [&'static str] = &[];

    /// The options that differ from the default, as in a record header's `rules`.
    fn options_to_json(options: &Self::Options) -> Map<String, Value>;

    /// A set-up from JSON.
    ///
    /// # Errors
    /// When it is none of this game's; the sentence says what would be.
    fn setup_from_json(options: &Self::Options, setup: &Value) -> Result<Self::Setup, SetupError>;

    /// A set-up as JSON.
    fn setup_to_json(options: &Self::Options, setup: &Self::Setup) -> Value;

    /// The facts of the state, each with a fixed name, as listed on the game's page. Includes `to_move` (see
    /// [`to_move_fact`]) and `terminal`.
    fn facts(&self) -> Map<String, Value>;

    /// The facts that say what the mover may not do: lists that are empty when a forfeit has ended the game (`ko` in Go).
    const MOVER_BANS: &'static [&'static str] = &[];

    /// What `observer` sees, as JSON; the only way out of the process.
    fn view(&self, observer: Observer) -> Value;

    /// What `observer` sees, drawn with characters for a terminal; no trailing newline.
    fn board_text(&self, observer: Observer) -> String;

    /// The result in the game's own form (`B+3.5`), or `None` before the end.
    fn result_text(&self, forfeit: Option<Forfeit>) -> Option<String>;

    // ---- for games that allow it ----

    /// Hands the turn to `seat` although it is another's (set-up play in Go).
    ///
    /// # Errors
    /// When the game does not allow it: the default.
    fn hand_turn_to(&mut self, seat: Seat) -> Result<(), Illegal> {
        match self.turn() {
            Turn::Seat(s) if s == seat => Ok(()),
            Turn::Seat(s) => {
                Err(Illegal::new("turn.other", format!("it is the turn of player {s}, not of player {seat}")))
            }
            Turn::Chance(_) => Err(Illegal::new("turn.chance", format!("chance moves now, not player {seat}"))),
            Turn::Terminal => Err(Illegal::game_over()),
        }
    }

    /// Changes the position in mid-game (stones set in Go).
    ///
    /// # Errors
    /// When the game does not allow it (the default) or the set-up is impossible.
    fn set_up(&mut self, _setup: &Self::Setup) -> Result<(), SetupError> {
        Err(SetupError::new("setup.midgame", format!("{} cannot set up a position in mid-game", Self::ID)))
    }

    /// An event of the game's own (agreed dead stones in Go) by a seat.
    ///
    /// # Errors
    /// When the game has no such event (the default) or it is impossible now.
    fn event(&mut self, _by: Seat, name: &str, _data: &Map<String, Value>) -> Result<(), Illegal> {
        Err(Illegal::new("event.unknown", format!("{} has no event '{name}'; there are: resign, timeout", Self::ID)))
    }
}

/// The value of the fact `to_move`: the seat, `"chance"`, or null at the end.
pub fn to_move_fact(turn: Turn) -> Value {
    match turn {
        Turn::Seat(seat) => Value::from(seat),
        Turn::Chance(_) => Value::from("chance"),
        Turn::Terminal => Value::Null,
    }
}

/// For games without rule options (`type Options = ()`): put it inside the `impl Notation` block.
#[macro_export]
macro_rules! no_options {
    () => {
        fn options_from_json(rules: &$crate::JsonMap) -> Result<(), $crate::SetupError> {
            match rules.keys().next() {
                None => Ok(()),
                Some(key) => {
                    let message = format!("{} has no rule options, there is no '{key}'", <Self as $crate::Game>::ID);
                    Err($crate::SetupError::new("options.unknown", message))
                }
            }
        }
        fn options_to_json(_: &()) -> $crate::JsonMap {
            $crate::JsonMap::new()
        }
    };
}

/// For games without positions to start from (`type Setup = ()`): put it inside the `impl Notation` block.
#[macro_export]
macro_rules! no_setup {
    () => {
        fn setup_from_json(_: &Self::Options, _: &$crate::Json) -> Result<(), $crate::SetupError> {
            let message = format!("{} has no set-up, it starts from its usual position", <Self as $crate::Game>::ID);
            Err($crate::SetupError::new("setup.none", message))
        }
        fn setup_to_json(_: &Self::Options, _: &()) -> $crate::Json {
            $crate::Json::Null
        }
    };
}
