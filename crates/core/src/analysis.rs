//! The result of looking at a position, as data: what a front end prints, a record carries and a program reads.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Seat;

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; 0 for an exact value.
    pub error: f64,
}

/// One reason in the game's own terms, as data; front ends turn it into sentences of their language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// What kind of reason, stable across versions, such as `go.group_in_danger`.
    pub code: String,
    /// What on the table it is about, in the game's notation (a point, a tile, a card); may be empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subject: Vec<String>,
    /// Its numbers by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub numbers: Map<String, Value>,
}

impl Reason {
    /// A reason with its code, subjects and numbers.
    pub fn new(
        code: &str,
        subject: impl IntoIterator<Item = String>,
        numbers: impl IntoIterator<Item = (&'static str, f64)>,
    ) -> Self {
        Reason {
            code: code.to_owned(),
            subject: subject.into_iter().collect(),
            numbers: numbers.into_iter().map(|(k, v)| (k.to_owned(), Value::from(v))).collect(),
        }
    }

    /// A number of the reason by name; 0 when absent.
    pub fn number(&self, name: &str) -> f64 {
        self.numbers.get(name).and_then(Value::as_f64).unwrap_or(0.0)
    }
}

/// One candidate action of an [`Analysis`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The action in the game's notation.
    pub action: String,
    /// Simulations (or nodes) spent on it.
    pub visits: u64,
    /// Its prior probability, where the player has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// Utility per seat, `[0, 1]`: the chance to win where the game is won or lost.
    pub utility: Vec<Estimate>,
    /// Returns per seat in the game's own points; empty when the player does not know them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<Estimate>,
    /// The line the player expects, this action first.
    pub pv: Vec<String>,
    /// Simulations through each action of `pv`; empty where the player does not count them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv_visits: Vec<u64>,
    /// The value is proven, not estimated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proven: bool,
    /// Why, the weightiest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

/// What a player found out about a position: its candidates, the best first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The seat to move, whose information was used.
    pub seat: Seat,
    /// The player's spec.
    pub player: String,
    /// Simulations (or nodes) in all.
    pub visits: u64,
    /// Time spent, in seconds of the clock that was passed in.
    pub seconds: f64,
    /// The candidates, the best first; never empty.
    pub candidates: Vec<Candidate>,
    /// What else the game shows of the position, by name (in Go `ownership`: per point from the top left, row by row, 1 for
    /// Black's, −1 for White's).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
}

impl Analysis {
    /// The best candidate.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }

    /// The candidate with this action text.
    pub fn candidate(&self, action: &str) -> Option<&Candidate> {
        self.candidates.iter().find(|c| c.action == action)
    }
}
