//! The settings of the heavy playout, so that each of its parts can be switched off and measured.

use kiebitz_core::{Settings, SpecError};

/// How often each part of the heavy policy is asked, in the order in which they are. All numbers are probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// Save an own chain that the last move put in atari, by capturing or extending. Key `play-save`.
    pub save: f64,
    /// An extension that a ladder catches does not save. Key `play-ladder`, `on` or `off`.
    pub ladder: bool,
    /// Capture the chain of the last move when it is in atari. Key `play-capture`.
    pub capture: f64,
    /// Play the vital point of a small eye space beside the last move. Key `play-nakade`; 0 unless set, as it did not measure
    /// better at equal time (`docs/go.md`).
    pub nakade: f64,
    /// Play a 3x3 shape beside the last move. Key `play-shape`.
    pub shape: f64,
    /// Capture any chain that was put in atari some moves ago. Key `play-hunt`.
    pub hunt: f64,
    /// Leave out moves that put the own chain of two stones or more in atari, unless giving it up kills. Key `play-safe`.
    pub safe: f64,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { save: 0.9, ladder: true, capture: 0.9, nakade: 0.0, shape: 0.9, hunt: 0.9, safe: 0.95 }
    }
}

impl Policy {
    /// Reads the policy from a player spec; this one has the defaults.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn read(self, settings: &mut Settings) -> Result<Self, SpecError> {
        let mut part = |key, default| settings.number(key, default, 0.0, 1.0);
        let read = Policy {
            save: part("play-save", self.save)?,
            ladder: self.ladder,
            capture: part("play-capture", self.capture)?,
            nakade: part("play-nakade", self.nakade)?,
            shape: part("play-shape", self.shape)?,
            hunt: part("play-hunt", self.hunt)?,
            safe: part("play-safe", self.safe)?,
        };
        Ok(Policy { ladder: settings.switch("play-ladder", self.ladder)?, ..read })
    }

    /// The probabilities in 256ths, ready to compare with a byte.
    pub(super) fn odds(&self) -> Odds {
        let byte = |p: f64| (p * 256.0) as u64;
        Odds {
            save: byte(self.save),
            ladder: self.ladder,
            capture: byte(self.capture),
            nakade: byte(self.nakade),
            shape: byte(self.shape),
            hunt: byte(self.hunt),
            safe: byte(self.safe),
        }
    }
}

/// [`Policy`] as the playout uses it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    pub save: u64,
    pub ladder: bool,
    pub capture: u64,
    pub nakade: u64,
    pub shape: u64,
    pub hunt: u64,
    pub safe: u64,
}
