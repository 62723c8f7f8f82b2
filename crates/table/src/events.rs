//! What is in the log of a game. These shapes are never changed, only added to: old games must be replayable for ever.

use kiebitz_core::Seat;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::protocol::common::{ClockSetting, SeatKind};

/// A seat as it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatMade {
    /// What kind of player.
    pub kind: SeatKind,
    /// The name given; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The spec of a computer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}

/// How a game began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Create {
    /// The header of its record, without seed.
    pub header: Map<String, Value>,
    /// Who sits where.
    pub seats: Vec<SeatMade>,
    /// How time is limited.
    #[serde(default)]
    pub clock: ClockSetting,
    /// The seed of its luck, as decimal text (JSON readers lose the last bits of large numbers). Secret until the end.
    pub seed: String,
    /// The salt of the published hash of the seed.
    pub salt: String,
    /// Hints were allowed although several people play.
    #[serde(default)]
    pub hints: bool,
    /// What chance did before the first move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<String>,
    /// The game it branched off from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Event {
    /// The first one.
    Create(Box<Create>),
    /// Lines of a record that was imported, or from which this game branched off.
    Lines {
        /// The lines.
        lines: Vec<Map<String, Value>>,
        /// The result stands as it is: nobody is asked about dead stones.
        #[serde(default)]
        counted: bool,
    },
    /// A seat acted.
    Action {
        /// The seat.
        seat: Seat,
        /// What it did.
        action: String,
        /// What chance did then.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rolls: Vec<String>,
        /// The page's name of the attempt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cid: Option<String>,
        /// Milliseconds it took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// A seat resigned or lost on time.
    Forfeit {
        /// The seat.
        seat: Seat,
        /// It lost on time.
        timeout: bool,
        /// The page's name of the attempt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cid: Option<String>,
    },
    /// Steps were taken back.
    Undo {
        /// How many.
        steps: u32,
        /// Who wanted it.
        by: Seat,
        /// The page's name of the attempt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cid: Option<String>,
        /// To play on instead of counting.
        #[serde(default)]
        resume: bool,
        /// Milliseconds the seat to move had thought before, where its clock ran.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// Steps were done again.
    Redo {
        /// How many.
        steps: u32,
        /// Who wanted it.
        by: Seat,
        /// The page's name of the attempt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cid: Option<String>,
        /// Milliseconds the seat to move had thought before, where its clock ran.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// Go: these stones were agreed dead, and the game is counted.
    Counted {
        /// The stones.
        dead: Vec<String>,
    },
    /// A person sat down on a seat for a link, or left it for somebody else.
    Seat {
        /// The seat.
        seat: Seat,
        /// The person's name.
        name: String,
        /// Somebody has it.
        taken: bool,
    },
    /// All persons agreed to allow hints.
    Hints,
}

impl Event {
    /// Whether it changes the position, so that what a page saw before is stale.
    pub fn moves_on(&self) -> bool {
        !matches!(self, Event::Seat { .. } | Event::Hints)
    }

    /// The page's name of the attempt that led to it.
    pub fn cid(&self) -> Option<&str> {
        match self {
            Event::Action { cid, .. }
            | Event::Forfeit { cid, .. }
            | Event::Undo { cid, .. }
            | Event::Redo { cid, .. } => cid.as_deref(),
            _ => None,
        }
    }

    /// Where it takes back or does again: a place for the milliseconds that the seat to move had thought before.
    pub fn thought_before(&mut self) -> Option<&mut Option<u64>> {
        match self {
            Event::Undo { ms, .. } | Event::Redo { ms, .. } => Some(ms),
            _ => None,
        }
    }

    /// Gives the attempt that leads to it a name.
    pub fn name(&mut self, name: String) {
        if let Event::Action { cid, .. }
        | Event::Forfeit { cid, .. }
        | Event::Undo { cid, .. }
        | Event::Redo { cid, .. } = self
        {
            *cid = Some(name);
        }
    }
}
