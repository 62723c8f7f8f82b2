//! What a page says on the WebSocket of a table.

use kiebitz_core::Seat;
use serde::{Deserialize, Serialize};

#[cfg(test)]
use ts_rs::TS;

/// A message from the page. The first one is `hello`. Messages that change the game carry `v`, the version of the state the
/// person saw: an older one is refused with `stale`. `cid` is a name of the page's own for this attempt (at most 40 characters,
/// new for each move): a repeated one is answered as the first time and changes nothing. `seat` may be left out where the
/// connection has one seat only, or the seat to move is one of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Sits down, or sits down again after a lost connection.
    Hello {
        /// The game.
        game: String,
        /// All tokens this browser has for the game: the owner key, seat tokens, a spectator token. May be empty where the game is public.
        tokens: Vec<String>,
    },
    /// Plays an action (`D4`, `pass`).
    Play {
        /// The version seen.
        v: u32,
        /// The page's name of this attempt.
        cid: String,
        /// The action in the game's notation.
        action: String,
        /// For which seat.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Resigns.
    Resign {
        /// The version seen.
        v: u32,
        /// The page's name of this attempt.
        cid: String,
        /// For which seat.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Takes back to the seat's last decision; where another person plays it is asked for first.
    Undo {
        /// The version seen.
        v: u32,
        /// The page's name of this attempt.
        cid: String,
        /// For which seat.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Does again what was taken back, by the same rules; luck is the same.
    Redo {
        /// The version seen.
        v: u32,
        /// The page's name of this attempt.
        cid: String,
        /// For which seat.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Answers what another seat asks.
    Answer {
        /// The number of the question.
        id: u32,
        /// Yes or no.
        yes: bool,
        /// For which seat.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Asks for a hint for the position as it stands. Answered by `hint` messages with the same `id`.
    Hint {
        /// The version seen.
        v: u32,
        /// The page's number of this question.
        id: u32,
    },
    /// Asks what an action would lose against the best one. Answered by `what_if`.
    WhatIf {
        /// The version seen.
        v: u32,
        /// The page's number of this question.
        id: u32,
        /// The action.
        action: String,
    },
    /// No longer wants the answer of this number.
    Stop {
        /// The number of the hint or what-if.
        id: u32,
    },
    /// Makes a computer that thinks play the best it has found.
    MoveNow {
        /// The version seen.
        v: u32,
    },
    /// Go, while scoring: marks the group of a stone as dead, or alive again.
    ToggleDead {
        /// The version seen.
        v: u32,
        /// Any stone of the group.
        stone: String,
    },
    /// Go, while scoring: accepts the dead stones as they stand; when all have, the game is counted.
    AcceptScore {
        /// The version seen.
        v: u32,
        /// Exactly the dead stones this person sees; another list is refused with `stale`.
        dead: Vec<String>,
        /// For which seat; without it, for all seats of this connection.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Go, while scoring: plays on; the two passes are taken back.
    ResumePlay {
        /// The version seen.
        v: u32,
        /// The page's name of this attempt.
        cid: String,
    },
    /// Asks the others to allow hints, where several people play.
    AskHints {
        /// For which seat.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Wants another game with the same settings, colours exchanged. Answered by `rematch` to everybody when all persons want it.
    Rematch {},
    /// Several seats at one browser in a game with hidden information: the curtain is drawn aside for this seat.
    Look {
        /// The seat whose view is to be sent.
        seat: Seat,
    },
    /// Heartbeat; answered by `pong` with the same number. Send one at least every 5 s.
    Ping {
        /// Any number.
        n: u32,
    },
}
