//! Bodies of requests and answers of the HTTP part. Requests carry `Authorization: Bearer TOKEN` with the owner key or a seat's
//! token where they need a right.

use kiebitz_core::Seat;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::common::{ClockSetting, Measured, Phase, ReasonData, SeatInfo, SeatSetting};
#[cfg(test)]
use ts_rs::TS;

/// Every answer with a status of 400 or more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ErrorBody {
    /// A stable code.
    pub code: String,
    /// One English sentence.
    pub message: String,
}

/// `GET /api/info`: what this server offers, and what the asker is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Info {
    /// The server's version.
    pub version: String,
    /// The bearer token is the owner's.
    pub owner: bool,
    /// `local`, `lan` or `public`.
    pub mode: String,
    /// Links for other machines begin with this (`http://192.168.1.5:8000`); on a local server it is the address itself.
    pub link_base: String,
    /// The games, those to play first.
    pub games: Vec<GameKind>,
    /// The names of all players.
    pub players: Vec<String>,
}

/// A game one can play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameKind {
    /// Its name, such as `go`.
    pub id: String,
    /// Its English and Chinese names.
    pub titles: [String; 2],
    /// A tiny game that shows how games are written.
    pub example: bool,
    /// The fewest players.
    pub players_min: u8,
    /// The most players.
    pub players_max: u8,
    /// How many when nobody says otherwise.
    pub players_default: u8,
    /// Something is hidden from some seat.
    pub hidden: bool,
    /// The game's options with their values to choose from; for Go `size`, `ruleset`, `komi`, `handicap`, for Pao De Kuai
    /// `preset`, `deals`, `target`, `must_beat`, `show_counts`.
    pub options: Vec<OptionKind>,
}

/// One option of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct OptionKind {
    /// The key in a record's header.
    pub key: String,
    /// The values to offer, the default first; empty for a free number.
    #[cfg_attr(test, ts(type = "Array<any>"))]
    pub values: Vec<Value>,
}

/// `POST /api/defaults`: what options lead to, such as the komi of a board size or the players of a preset. Answered by
/// [`Defaults`]; options that do not go together, or not with so many players, are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct AskDefaults {
    /// The game's name.
    pub game: String,
    /// The options chosen so far.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "Record<string, any>"))]
    pub rules: Map<String, Value>,
    /// For how many players; without it, for as many as the options ask for, else for the game's usual number.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub players: Option<u8>,
}

/// The answer to [`AskDefaults`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Defaults {
    /// For how many players it is.
    pub players: u8,
    /// The options that differ from the game's defaults: a preset is taken apart.
    #[cfg_attr(test, ts(type = "Record<string, any>"))]
    pub rules: Map<String, Value>,
    /// The empty board's view, for a picture and the resulting options (Go: `komi`, `handicap`, `ruleset`, `size`).
    #[cfg_attr(test, ts(type = "any"))]
    pub view: Value,
    /// Go: the most fixed handicap stones of the size.
    pub max_handicap: Option<u32>,
}

/// `POST /api/games`: makes a game. Answered by [`Created`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct CreateGame {
    /// The game's name.
    pub game: String,
    /// One for each seat.
    pub seats: Vec<SeatSetting>,
    /// Rule options as in a record's header.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub rules: Map<String, Value>,
    /// A position to start from, as in a record's header.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub setup: Option<Value>,
    /// How time is limited.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub clock: ClockSetting,
    /// A title, at most 40 characters.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub title: String,
    /// Hints are allowed although several people play. Always so with one person.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub hints: bool,
}

/// A seat's secret: whoever has it plays the seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SeatToken {
    /// The seat.
    pub seat: Seat,
    /// The secret. Shown once: keep it in localStorage.
    pub token: String,
}

/// An invitation to a seat, as the last part of a link: `LINK_BASE/#/join/CODE`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Invite {
    /// The seat.
    pub seat: Seat,
    /// The code; it works once.
    pub code: String,
}

/// The answer to [`CreateGame`], [`Branch`] and an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Created {
    /// The game's id: 12 letters and digits.
    pub id: String,
    /// The tokens of the seats of this browser.
    pub tokens: Vec<SeatToken>,
    /// Invitations for the seats by link.
    pub invites: Vec<Invite>,
    /// The code of the spectators' link, `LINK_BASE/#/watch/CODE`; works as a token and as often as one likes.
    pub watch: String,
    /// What was odd about an imported file.
    pub warnings: Vec<String>,
}

/// `POST /api/join`: exchanges an invitation for a seat's token. Answered by [`Joined`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The code of an invitation or of a spectators' link.
    pub code: String,
    /// The person's name, at most 40 characters.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub name: String,
}

/// The answer to [`Join`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Joined {
    /// The game's id.
    pub id: String,
    /// The seat's token; null for spectators.
    pub token: Option<SeatToken>,
    /// The spectator's token; null for seats.
    pub watch: Option<String>,
}

/// `POST /api/games/ID/links`: makes new links (the old ones stop working). Answered by [`Created`] with `invites` for the open
/// seats and `watch`. Needs the owner key or the token of a seat `here`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct NewLinks {
    /// Also for seats that somebody took already: their token stops working.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub taken: bool,
}

/// `GET /api/games` (owner: all) and `POST /api/mine` with [`Mine`]: my games, unfinished first, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameList {
    /// The games.
    pub games: Vec<GameSummary>,
}

/// `POST /api/mine`: asks for the games that these tokens open (at most 100).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Mine {
    /// Seat tokens and spectator tokens.
    pub tokens: Vec<String>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameSummary {
    /// The id.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The title; may be empty.
    pub title: String,
    /// Where it stands; `over` also for a game that cannot be opened.
    pub phase: Phase,
    /// The seats (presence is not filled in).
    pub seats: Vec<SeatInfo>,
    /// How many actions were played.
    pub ply: u32,
    /// The seat to move.
    pub turn: Option<Seat>,
    /// The result.
    pub result: Option<String>,
    /// The public view of the position, for a small picture. Null for a game that cannot be opened.
    #[cfg_attr(test, ts(type = "any"))]
    pub view: Value,
    /// When it was made: milliseconds since 1970.
    pub created: i64,
    /// When it was last played.
    pub updated: i64,
    /// The seats the asker plays.
    pub yours: Vec<Seat>,
    /// It cannot be replayed and was set aside: one sentence. Nothing is lost.
    pub broken: Option<String>,
    /// The game this one branched off from.
    pub parent: Option<String>,
}

/// `PATCH /api/games/ID`: renames a game, or deletes it (`deleted: true`), or brings a deleted one back (`deleted: false`).
/// Needs the owner key or the token of a seat `here`. Answered by 204.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct ChangeGame {
    /// The new title, at most 40 characters.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub title: Option<String>,
    /// Deletes, or brings back.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub deleted: Option<bool>,
}

/// `GET /api/games/ID/positions`: every position of a game, for stepping without further questions. Before the end of a game
/// with hidden information only the moves a seat may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Positions {
    /// The game's id.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The title.
    pub title: String,
    /// The rule options that differ from their defaults.
    #[cfg_attr(test, ts(type = "Record<string, any>"))]
    pub rules: Map<String, Value>,
    /// The seats.
    pub seats: Vec<SeatInfo>,
    /// The seats the asker plays.
    pub yours: Vec<Seat>,
    /// The version these belong to.
    pub v: u32,
    /// The result.
    pub result: Option<String>,
    /// The positions: before the first step, then after each.
    pub positions: Vec<Position>,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Position {
    /// The steps made before it: 0 for the start.
    pub step: u32,
    /// Who made the last one; null for chance, set-ups and the start.
    pub by: Option<Seat>,
    /// `start`, `action`, `setup` or an event's name.
    pub kind: String,
    /// The action's text; empty for others.
    pub action: String,
    /// A comment of the record.
    pub comment: Option<String>,
    /// The seat to move.
    pub turn: Option<Seat>,
    /// The view.
    #[cfg_attr(test, ts(type = "any"))]
    pub view: Value,
}

/// `POST /api/games/ID/branch`: a new game from a position of this one, perhaps with another move. Answered by [`Created`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// So many steps of this game are kept.
    pub step: u32,
    /// Actions to play after them.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub actions: Vec<String>,
    /// Who sits where; as in this game (links become `here`) when left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub seats: Option<Vec<SeatSetting>>,
}

/// `POST /api/games/ID/analyse`: looks at one position, perhaps after other moves, in the background of the review. The answer
/// comes when it is done, at the latest after 10 s: [`Analysed`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// So many steps of this game.
    pub step: u32,
    /// Actions to play after them.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub actions: Vec<String>,
}

/// The answer to [`Analyse`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Analysed {
    /// The view after the actions.
    #[cfg_attr(test, ts(type = "any"))]
    pub view: Value,
    /// The seat to move.
    pub turn: Option<Seat>,
    /// The legal actions.
    pub legal: Vec<String>,
    /// Simulations.
    pub visits: u64,
    /// The best candidates, the best first.
    pub candidates: Vec<super::common::CandidateData>,
    /// What else the game shows, as in a hint.
    #[cfg_attr(test, ts(type = "Record<string, any>"))]
    pub details: Map<String, Value>,
}

/// The body of `POST /api/games/ID/review`: an empty object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartReview {}

/// `POST /api/games/ID/review` starts (or goes on with) a review and `GET` tells how far it is; both answer this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReviewState {
    /// `none`, `queued`, `running`, `complete` or `failed`.
    pub status: String,
    /// `coarse`, `fine` or `complete`.
    pub pass: String,
    /// Moves looked at in this pass.
    pub done: u32,
    /// Moves in all.
    pub total: u32,
    /// The version of the game it belongs to.
    pub v: u32,
    /// The spec of the player who looked.
    pub player: String,
    /// The moves looked at so far, in order.
    pub moves: Vec<ReviewedMove>,
    /// Indices into `moves`: the mistakes (loss above twice its standard error), the worst first.
    pub worst: Vec<u32>,
    /// One sentence, where it failed.
    pub error: Option<String>,
}

/// One move under review. Values are those of the seat that moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReviewedMove {
    /// The move's number, from 1.
    pub number: u32,
    /// The steps before it: the position it was made in is `positions[step]`.
    pub step: u32,
    /// Who moved.
    pub seat: Seat,
    /// What was played.
    pub action: String,
    /// What the player would have played.
    pub best: String,
    /// The line it expects.
    pub pv: Vec<String>,
    /// The seat's utility with best play.
    pub win_rate: Measured,
    /// Points with best play, where known.
    pub points: Option<Measured>,
    /// The loss of the move in points where known, else in utility; null when not known yet.
    pub loss: Option<Measured>,
    /// Whether `loss` is in points.
    pub loss_in_points: bool,
    /// The loss exceeds twice its standard error, with visits enough.
    pub mistake: bool,
    /// `coarse` or `fine`: grey and "still being checked" while coarse.
    pub pass: String,
    /// Simulations.
    pub visits: u64,
    /// Why the best move is good, for the worst moves.
    pub reasons: Vec<ReasonData>,
}

/// `POST /api/games/ID/text`: what a person typed in the text command line that the server must answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct AskText {
    /// `board`; Go also `groups` and `score`.
    pub what: String,
}

/// The answer to [`AskText`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TextAnswer {
    /// The board drawn with characters (`board`).
    pub board: Option<String>,
    /// The groups with what playouts think of them (`groups`).
    pub groups: Vec<super::common::GroupStatus>,
    /// The count with the dead stones that playouts see (`score`).
    pub count: Option<super::common::GoCount>,
    /// Black's expected margin if both play on (`score`).
    pub expected: Option<f64>,
}
