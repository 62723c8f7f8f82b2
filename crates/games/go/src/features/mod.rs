//! What can be seen of a move at a glance, and how strong that makes it: the move prior.
//!
//! A move has features: it takes stones, it is near the last move, it makes a known 3x3 pattern. Each feature has a
//! Bradley–Terry strength (gamma); a move of twice the strength is chosen twice as often (Coulom, "Computing Elo ratings of move
//! patterns in the game of Go", 2007). The strengths are learned from games by [`fit`] and come with the program as
//! `data/gammas.txt`.

mod extract;
pub mod fit;
mod gammas;
mod hand;
mod ladder;
mod levels;
mod pattern;

pub use gammas::{Gammas, GammasError};

use kiebitz_core::{Settings, SpecError};

use self::levels::{Group, Levels};
use crate::{Go, Move};

/// Which strengths a prior uses, for comparisons and ablation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriorSettings {
    /// The strengths set by hand that were used before any were learned. Key `prior-gammas` = `learned` or `hand`.
    pub hand: bool,
    /// Bits of the groups that count.
    groups: u16,
    /// Whether ladders are read. Key `prior-ladder`.
    pub ladders: bool,
}

impl Default for PriorSettings {
    fn default() -> Self {
        // Both cost as much time as they gain, measured together (docs/go.md).
        let costly = 1 << Group::Short as u16 | 1 << Group::Liberties as u16;
        PriorSettings { hand: false, groups: !costly, ladders: false }
    }
}

impl PriorSettings {
    /// Reads the settings from a player spec: `prior-gammas`, `prior-ladder`, and a switch for each group of features:
    /// `prior-capture` (taking stones), `prior-escape` (saving own ones), `prior-self-atari`, `prior-atari`, `prior-short`
    /// (chains with few liberties), `prior-border`, `prior-distance` (to the last two moves), `prior-pattern`. All are on but
    /// `prior-ladder` and `prior-short`.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn read(self, settings: &mut Settings) -> Result<Self, SpecError> {
        let words = if self.hand { ["hand", "learned"] } else { ["learned", "hand"] };
        let hand = settings.choice("prior-gammas", &words)? == "hand";
        let mut groups = self.groups;
        let switches: [(&'static str, &[Group]); 8] = [
            ("prior-capture", &[Group::Capture]),
            ("prior-escape", &[Group::Extend]),
            ("prior-self-atari", &[Group::SelfAtari]),
            ("prior-atari", &[Group::Atari]),
            ("prior-short", &[Group::Short, Group::Liberties]),
            ("prior-border", &[Group::Border]),
            ("prior-distance", &[Group::Last, Group::Before]),
            ("prior-pattern", &[Group::Pattern]),
        ];
        for (key, members) in switches {
            let bits = members.iter().fold(0, |bits, &g| bits | 1 << g as u16);
            if settings.switch(key, groups & bits == bits)? { groups |= bits } else { groups &= !bits }
        }
        let ladders = settings.switch("prior-ladder", self.ladders)?;
        Ok(PriorSettings { hand, groups, ladders })
    }
}

/// The strength of a pass, as a share of that of an average move. It is not learned: when a pass is right depends on the rules
/// and on who takes dead stones off, not on how it looks.
const PASS: f32 = 0.02;

/// Writes the prior probability of each action of the player to move: its strength over the sum of all.
pub(crate) fn prior(go: &Go, settings: PriorSettings, actions: &[Move], out: &mut [f32]) {
    if settings.hand {
        return hand::prior(go, actions, out);
    }
    let gammas = Gammas::built_in();
    let (mut sum, mut pass) = (0.0, None);
    extract::extract(go, actions, settings.ladders, |i, levels: &Levels| {
        if let Some(slot) = out.get_mut(i) {
            if actions[i].is_pass() {
                (*slot, pass) = (0.0, Some(i));
            } else {
                *slot = gammas.strength(levels, settings.groups);
                sum += *slot;
            }
        }
    });
    if let Some(pass) = pass.and_then(|i| out.get_mut(i)) {
        *pass = if actions.len() > 1 { PASS * sum / (actions.len() - 1) as f32 } else { 1.0 };
        sum += *pass;
    }
    if sum > 0.0 && sum.is_finite() {
        out.iter_mut().for_each(|p| *p /= sum);
    } else {
        out.fill(1.0 / actions.len() as f32);
    }
}
