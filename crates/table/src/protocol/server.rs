//! What a page is told on the WebSocket of a table. Everything here is built for one connection: it contains only what its
//! seats (or spectators) may know.

use kiebitz_core::Seat;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::common::{
    Asked, CandidateData, ClockState, Measured, MoveMade, Outcome, Phase, ReasonData, Scoring, SeatInfo,
};
#[cfg(test)]
use ts_rs::TS;

/// What this connection is at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct You {
    /// The seats it plays; empty for a spectator.
    pub seats: Vec<Seat>,
    /// It is the owner of this server: may delete and rename.
    pub owner: bool,
}

/// The game as it stands, whole each time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TableState {
    /// The version: it goes up by one with everything that changes the game (a name that changes does not).
    pub v: u32,
    /// Where the game stands.
    pub phase: Phase,
    /// What `view_of` (or the public) sees, in the game's own form (Go: `size`, `board`, `captures`, `last`, `ko`, …).
    #[cfg_attr(test, ts(type = "any"))]
    pub view: Value,
    /// Whose view it is; null for spectators, and while the curtain is closed.
    pub view_of: Option<Seat>,
    /// Several own seats and hidden information: send `look` to draw the curtain aside for the seat to move.
    pub curtain: bool,
    /// The legal actions, only while one of this connection's seats is to move and its view is shown; else empty.
    pub legal: Vec<String>,
    /// The seat to move; null at the end, while scoring and while chance acts.
    pub turn: Option<Seat>,
    /// How many actions were played (chance excluded).
    pub ply: u32,
    /// The moves so far, those this connection may know.
    pub moves: Vec<MoveMade>,
    /// The seats.
    pub seats: Vec<SeatInfo>,
    /// The clocks.
    pub clock: ClockState,
    /// Whether there is something to take back / to do again for a seat of this connection.
    pub can_undo: bool,
    /// See `can_undo`.
    pub can_redo: bool,
    /// Whether hints may be asked for.
    pub hints: bool,
    /// What is being asked among the seats.
    pub asked: Option<Asked>,
    /// Go, in phase `scoring`.
    pub scoring: Option<Scoring>,
    /// Phase `over`.
    pub outcome: Option<Outcome>,
    /// Go, phase `over` by score: the count.
    pub count: Option<super::common::GoCount>,
    /// The seats that want a rematch.
    pub rematch: Vec<Seat>,
}

/// One message to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "messages are serialised at once, never kept")]
pub enum ServerMessage {
    /// The answer to `hello`; a `state` follows.
    Welcome {
        /// The game's id.
        id: String,
        /// The game's name, such as `go`.
        game: String,
        /// The title given to this game; may be empty.
        title: String,
        /// What this connection is here.
        you: You,
        /// The rule options that differ from the default.
        #[cfg_attr(test, ts(type = "Record<string, any>"))]
        rules: Map<String, Value>,
        /// SHA-256 of `seed` and `seed_salt` (joined by a colon), as hex: with the outcome, everybody can check that the luck was fixed at the start.
        seed_hash: String,
        /// The server's version.
        server: String,
    },
    /// The game as it stands.
    State(TableState),
    /// A message with this `cid` was carried out (or had been before).
    Ack {
        /// The page's name of the attempt.
        cid: String,
        /// The version it led to.
        v: u32,
    },
    /// A message was refused; nothing has changed.
    Error {
        /// A stable code: `stale`, `turn.other`, `go.ko`, `busy`, `rate`, …
        code: String,
        /// One English sentence.
        message: String,
        /// The `cid` of the refused message, where it had one.
        cid: Option<String>,
        /// The `id` of the refused hint or what-if.
        id: Option<u32>,
        /// The state's version, where it is `stale`: a `state` message follows.
        v: Option<u32>,
        /// Seconds after which another try makes sense.
        retry_after: Option<u32>,
    },
    /// A computer is at work, at most five times a second. Everybody gets this much of it and no more.
    Thinking {
        /// The seat it plays for.
        seat: Seat,
        /// Milliseconds since it began to think; 0 while it waits.
        ms: u32,
        /// Waiting for a free processor: how many are before it.
        queued: Option<u32>,
    },
    /// An answer to `hint`, only to who asked. Comes several times: first `area`, then `moves` without reasons that get better,
    /// then `moves` with reasons and `done`.
    Hint {
        /// The page's number of the question.
        id: u32,
        /// The version it is about.
        v: u32,
        /// The seat whose information was used.
        seat: Seat,
        /// Waiting for a free processor: how many are before it.
        queued: Option<u32>,
        /// First step: where to look, in the game's notation (points of an area, a group), with the reason.
        area: Option<HintArea>,
        /// Second step: the best candidates, the best first (at most 5).
        candidates: Vec<CandidateData>,
        /// Simulations so far.
        visits: u64,
        /// What else the game shows, by name (Go: `ownership`, from the top left, row by row, 1 for Black's, −1 for White's; `lead`, `lead_error`; `unsettled`).
        #[cfg_attr(test, ts(type = "Record<string, any>"))]
        details: Map<String, Value>,
        /// Nothing more will come.
        done: bool,
    },
    /// An answer to `what_if`, only to who asked.
    WhatIf {
        /// The page's number of the question.
        id: u32,
        /// The version it is about.
        v: u32,
        /// Waiting for a free processor: how many are before it.
        queued: Option<u32>,
        /// The action asked about.
        action: String,
        /// What it loses against the best; null while nothing is known.
        loss: Option<Measured>,
        /// Whether `loss` is in points (else in utility).
        loss_in_points: bool,
        /// The loss exceeds twice its standard error.
        mistake: bool,
        /// The best action.
        best: String,
        /// What the others would do after it.
        pv: Vec<String>,
        /// Nothing more will come.
        done: bool,
    },
    /// Somebody came or went.
    Presence {
        /// The seats.
        seats: Vec<SeatInfo>,
        /// How many spectators watch.
        spectators: u32,
    },
    /// The other game that a rematch leads to, when it is made. Who was away then is told when he comes back to the finished game with
    /// his tokens, each time the same.
    Rematch {
        /// The new game's id.
        id: String,
        /// This connection's tokens for it: only for seats that it held.
        tokens: Vec<super::http::SeatToken>,
        /// The invitations to seats that nobody had taken: only for who shares out the seats of this table, when the game is made.
        invites: Vec<super::http::Invite>,
        /// What lets watch the new game: for spectators and who shares out the seats, when it is made.
        watch: Option<String>,
    },
    /// The review of this game has got further: fetch it.
    Review {
        /// Positions done in the present pass.
        done: u32,
        /// Positions in all.
        total: u32,
        /// `coarse`, `fine` or `complete`.
        pass: String,
    },
    /// The answer to `ping`.
    Pong {
        /// The number of the ping.
        n: u32,
    },
    /// The connection is about to be closed by the server.
    Bye {
        /// `shutdown` (come back soon), `deleted`, `slow`, `rate`, `replaced`.
        code: String,
    },
}

/// The first step of a hint: where to look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct HintArea {
    /// Points (or other places) of the area or group.
    pub places: Vec<String>,
    /// Why there, where it is known already.
    pub reason: Option<ReasonData>,
}
