//! What several messages contain.

use kiebitz_core::{Estimate, Reason, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[cfg(test)]
use ts_rs::TS;

/// How time is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockSetting {
    /// It is not.
    None {},
    /// So much for the whole game.
    Absolute {
        /// Milliseconds for each seat, 1 s to 24 h.
        main_ms: u64,
    },
    /// So much, and some more for every move made.
    Fischer {
        /// Milliseconds for each seat, 1 s to 24 h.
        main_ms: u64,
        /// Milliseconds added after each move, at most 1 h.
        increment_ms: u64,
    },
}

impl Default for ClockSetting {
    fn default() -> Self {
        ClockSetting::None {}
    }
}

/// Who is to sit on a seat of a new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatSetting {
    /// The person at this browser. Several such seats share it.
    Here {
        /// A name, at most 40 characters; empty for none.
        #[serde(default)]
        name: String,
    },
    /// A person who gets a link.
    Link {
        /// A name, at most 40 characters; empty for none.
        #[serde(default)]
        name: String,
    },
    /// A computer.
    Computer {
        /// Its spec: `best:level=5`, or any player spec.
        player: String,
    },
}

/// What kind of player sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A person at the browser where the game was made.
    Here,
    /// A person who came by a link, or may still come.
    Link,
    /// A computer.
    Computer,
}

/// A seat as everybody at the table sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SeatInfo {
    /// Its number, from 0 in the order of play.
    pub seat: Seat,
    /// What kind of player.
    pub kind: SeatKind,
    /// The name given; empty for none.
    pub name: String,
    /// The spec of a computer.
    pub player: Option<String>,
    /// The level of a computer that has one.
    pub level: Option<u8>,
    /// A seat for a link: somebody has taken it. Always `true` for others.
    pub taken: bool,
    /// A person on it is connected now. Always `true` for computers.
    pub online: bool,
    /// For how many milliseconds a person has been away; absent when online or never there.
    pub away_ms: Option<u64>,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Moves are made.
    Playing,
    /// Go: both have passed, the dead stones are not agreed yet.
    Scoring,
    /// It is over.
    Over,
}

/// Why and how a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Outcome {
    /// The result in the game's own form, such as `B+3.5`, `W+R`, `W+T`, `0`.
    pub result: Option<String>,
    /// The seats that won, or share the win; all of them for a draw.
    pub winners: Vec<Seat>,
    /// The result on the game's own scale, one number per seat; empty after a resignation or a loss on time, when nothing is counted.
    pub returns: Vec<f64>,
    /// `score` (played to its end), `resign` or `timeout`.
    pub how: String,
    /// The seat that resigned or lost on time.
    pub by: Option<Seat>,
    /// The seed of the game's luck, secret until now, so that shuffles can be checked against `seed_hash`.
    pub seed: String,
    /// The salt of `seed_hash`.
    pub seed_salt: String,
}

/// One move that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MoveMade {
    /// The seat, or null for chance and set-ups.
    pub by: Option<Seat>,
    /// `action`, `setup`, or an event's name (`dead`, `resign`, `timeout`).
    pub kind: String,
    /// The action's text; empty for others.
    pub action: String,
    /// Milliseconds the seat took, where a clock ran or a person played.
    pub ms: Option<u64>,
    /// For a move of chance: what finished rounds had brought each seat before it, on the game's scale.
    pub returns: Option<Vec<f64>>,
}

/// The clocks as they stand. Times are what is left at the moment the message was sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ClockState {
    /// How time is limited.
    pub setting: ClockSetting,
    /// Milliseconds left, per seat.
    pub left_ms: Vec<u64>,
    /// The seat whose clock is running.
    pub running: Option<Seat>,
}

/// A mean and its standard error (0 when exact).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Measured {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl From<Estimate> for Measured {
    fn from(e: Estimate) -> Self {
        Measured { mean: e.mean, error: e.error }
    }
}

/// A reason as data: the page words it. The codes of Go: `go.lead`, `go.capture`, `go.atari_escape`, `go.group_danger`,
/// `go.group_unsettled`, `go.area`, and `threat` of every game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReasonData {
    /// What kind of reason.
    pub code: String,
    /// What on the table it is about, in the game's notation.
    pub subject: Vec<String>,
    /// Its numbers by name.
    #[cfg_attr(test, ts(type = "Record<string, number>"))]
    pub numbers: Map<String, Value>,
}

impl From<&Reason> for ReasonData {
    fn from(r: &Reason) -> Self {
        ReasonData { code: r.code.clone(), subject: r.subject.clone(), numbers: r.numbers.clone() }
    }
}

/// A candidate of a hint, from the point of view of the seat to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct CandidateData {
    /// The action.
    pub action: String,
    /// Simulations spent on it.
    pub visits: u64,
    /// The seat's utility, `[0, 1]`: its chance to win where the game is won or lost. An error of 0.5 or more means a mere bound.
    pub win_rate: Measured,
    /// The seat's expected result in the game's points, where known.
    pub points: Option<Measured>,
    /// What it loses against the best candidate, in points where known, else in utility; 0 for the best.
    pub loss: Measured,
    /// Whether `loss` is in points.
    pub loss_in_points: bool,
    /// The line expected, this action first.
    pub pv: Vec<String>,
    /// Proven, not estimated.
    pub proven: bool,
    /// Why, the weightiest first. Empty in early reports.
    pub reasons: Vec<ReasonData>,
}

/// A group of stones in a scoring proposal (Go).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GroupStatus {
    /// 0 Black, 1 White.
    pub color: u8,
    /// Its stones.
    pub stones: Vec<String>,
    /// The computer's opinion: `alive`, `dead`, `seki` or `unknown`.
    pub status: String,
    /// Decided by unconditional life, not by playouts.
    pub certain: bool,
    /// How often its points end as the enemy's, 0 to 1.
    pub danger: f64,
    /// Whether it is on the list of dead stones as it stands.
    pub dead: bool,
}

/// What one side counts (Go), in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SideCount {
    /// Living stones; 0 under territory scoring.
    pub stones: u32,
    /// Empty points and points of dead enemy stones.
    pub territory: u32,
    /// Enemy stones taken or dead; 0 under area scoring.
    pub prisoners: u32,
    /// Points given up for groups (stone scoring).
    pub group_tax: u32,
    /// White's points for handicap stones.
    pub handicap: u32,
    /// Komi, and half a point for the button.
    pub komi: f64,
    /// All of it.
    pub total: f64,
}

/// The count of a Go position (Go).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GoCount {
    /// `area` or `territory`.
    pub scoring: String,
    /// The unit of the ruleset: `points`, or `zi` for Chinese rules, where the margin is half of `margin`.
    pub unit: String,
    /// Black's and White's.
    pub sides: Vec<SideCount>,
    /// Black's points minus White's.
    pub margin: f64,
    /// The result if this is accepted, such as `B+3.5`.
    pub result: String,
    /// Rows from the top: `X` Black's, `O` White's, `.` nobody's.
    pub owner: Vec<String>,
}

/// The state of scoring (Go).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Scoring {
    /// The computer is still looking which stones are dead: `groups` have no opinion yet.
    pub pending: bool,
    /// All groups.
    pub groups: Vec<GroupStatus>,
    /// The dead stones as they stand.
    pub dead: Vec<String>,
    /// The count with them.
    pub count: GoCount,
    /// Whether each seat has accepted this list.
    pub accepted: Vec<bool>,
    /// Neutral points are open that cost territory under these rules: resume and fill them first.
    pub open_points: bool,
}

/// Something a seat asks of the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Asked {
    /// Its number, to answer it by.
    pub id: u32,
    /// What is asked for: `undo`, `redo` or `hints`.
    pub what: String,
    /// Who asks.
    pub by: Seat,
    /// Who has not answered yet.
    pub waiting_for: Vec<Seat>,
}
