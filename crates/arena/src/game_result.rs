//! The result of one game of a match, as the journal keeps it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::pairing::Task;
use crate::play_game::{Effort, Failure};

/// The result of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// Its number in the match, from 0.
    pub id: u64,
    /// The number of its block.
    pub block: u64,
    /// The seed of its luck.
    pub seed: u64,
    /// The contestant in each seat.
    pub lineup: Vec<usize>,
    /// How many steps it had, chance included.
    pub length: u64,
    /// What each seat spent.
    pub effort: Vec<Effort>,
    /// The utility of each seat; empty when it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub utility: Vec<f64>,
    /// Who won ([`kiebitz_core::Game::win_returns`]); empty when it failed, and in journals that did not keep it yet, where the
    /// highest utility wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub win_returns: Vec<f64>,
    /// The returns of each seat, in the game's own points; empty when it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<f64>,
    /// The result in the game's own form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Why it has no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// How a seat fared in the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Alone at the top.
    Win,
    /// At the top together with others (how many share it, itself included).
    Draw(usize),
    /// Not at the top.
    Loss,
}

impl GameResult {
    /// Whether it has a result.
    pub fn is_finished(&self) -> bool {
        self.failure.is_none()
    }

    /// Whether it is the game of `task`, with one number for every seat.
    pub(crate) fn belongs_to(&self, task: &Task) -> bool {
        let seats = task.lineup.len();
        let result_length = if self.is_finished() { seats } else { 0 };
        (self.id, self.block, self.seed) == (task.id, task.block, task.seed)
            && self.lineup == task.lineup
            && self.effort.len() == seats
            && self.utility.len() == result_length
            && (self.win_returns.is_empty() || self.win_returns.len() == result_length)
            && self.returns.len() == result_length
    }

    /// What orders the seats.
    fn wins(&self) -> &[f64] {
        if self.win_returns.is_empty() { &self.utility } else { &self.win_returns }
    }

    /// How a seat fared: alone at the top is a win, at the top with others a draw, anything else a loss.
    pub fn place(&self, seat: usize) -> Place {
        let own = self.wins()[seat];
        let best = self.wins().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sharing = self.wins().iter().filter(|&&u| u == best).count();
        match (own == best, sharing) {
            (false, _) => Place::Loss,
            (true, 1) => Place::Win,
            (true, n) => Place::Draw(n),
        }
    }

    /// 1 when seat `a` fared better than seat `b`, 0 when worse, one half when alike: by who won; among seats that did not win,
    /// by returns.
    pub fn compare(&self, a: usize, b: usize) -> f64 {
        let by_wins = self.wins()[a].total_cmp(&self.wins()[b]);
        let both_lost = self.place(a) == Place::Loss;
        let ordering = match by_wins {
            Ordering::Equal if both_lost => self.returns[a].total_cmp(&self.returns[b]),
            other => other,
        };
        match ordering {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        }
    }

    /// By how much a seat is ahead: its returns minus the mean of the others'; in a zero-sum game, where returns are
    /// differences already, the returns.
    pub fn margin(&self, seat: usize, zero_sum: bool) -> f64 {
        let sum: f64 = self.returns.iter().sum();
        let own = self.returns[seat];
        if zero_sum && sum.abs() < 1e-9 {
            return own;
        }
        own - (sum - own) / (self.returns.len() as f64 - 1.0).max(1.0)
    }
}
