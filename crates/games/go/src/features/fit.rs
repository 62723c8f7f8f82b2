//! Learning the strengths of features from games: minorisation–maximisation (Hunter 2004; Coulom 2007).
//!
//! Every position of a game is a competition that the move played has won against all other legal moves. For a feature `i` of
//! strength `γ`, the update is
//!
//! ```text
//! γ = (W + 1) / (Σ C / E + 2 / (γ + 1))
//! ```
//!
//! with `W` the competitions won by moves that have it, `E` the sum of the strengths of all moves of a competition, and `C` the
//! sum over the moves with the feature of their strength without it. The 1 and the 2 are one won and one lost game
//! against an opponent of strength 1, which keeps rare features near 1. All levels of a group are updated at once, for a move has
//! one of them.

use std::collections::HashMap;

use kiebitz_core::Game;

use super::extract::extract;
use super::gammas::Gammas;
use super::levels::{GROUPS, Group};
use super::pattern;
use crate::{Go, Move};

/// The most moves (rows) that [`Examples`] hold, about 2 GB.
pub const MAX_ROWS: usize = 60_000_000;

/// Rounds over all groups.
const ROUNDS: usize = 25;

/// Competitions to learn from or to be tested on.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// Levels by group; that of patterns last, as places in `patterns`.
    columns: [Vec<u16>; GROUPS + 1],
    /// Where each competition starts, and the place of its winner from there.
    positions: Vec<(usize, u16)>,
    /// Canonical patterns by place; place 0 is that of a pass.
    patterns: HashMap<u32, u16>,
}

/// How well strengths predict the moves of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Positions looked at.
    pub positions: usize,
    /// Mean of the logarithm of the probability of the move played.
    pub log_likelihood: f64,
    /// The same when all legal moves have the same probability.
    pub uniform: f64,
    /// How often the move played was the strongest.
    pub top1: f64,
    /// How often it was among the five strongest.
    pub top5: f64,
}

impl Examples {
    /// Nothing yet.
    pub fn new() -> Self {
        Examples { patterns: HashMap::from([(pattern::NO_PATTERN, 0)]), ..Examples::default() }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds a position and the move that was played in it. `false` when there is nothing to learn (the game is over, the move
    /// is illegal or the only one) or the examples are full.
    pub fn add(&mut self, go: &Go, played: Move) -> bool {
        let mut actions = Vec::new();
        go.actions(&mut actions);
        let start = self.columns[0].len();
        let Some(winner) = actions.iter().position(|&a| a == played) else { return false };
        if actions.len() < 2 || start + actions.len() > MAX_ROWS {
            return false;
        }
        let Examples { columns, patterns, .. } = self;
        extract(go, &actions, true, |_, levels| {
            for (column, &level) in columns.iter_mut().zip(levels.listed()) {
                column.push(level);
            }
            let next = patterns.len().min(usize::from(u16::MAX)) as u16;
            let place = *patterns.entry(pattern::canonical(levels.pattern)).or_insert(next);
            columns[GROUPS].push(place);
        });
        self.positions.push((start, winner as u16));
        true
    }

    fn rows(&self, position: usize) -> (std::ops::Range<usize>, usize) {
        let (start, winner) = self.positions[position];
        let end = self.positions.get(position + 1).map_or(self.columns[0].len(), |&(next, _)| next);
        (start..end, start + usize::from(winner))
    }

    /// Learns strengths. Patterns that occur in fewer than `rare` rows keep strength 1.
    pub fn fit(&self, rare: usize) -> Gammas {
        let mut gammas: Vec<Vec<f64>> =
            self.columns.iter().map(|c| vec![1.0; 1 + usize::from(c.iter().copied().max().unwrap_or(0))]).collect();
        let mut seen = vec![0usize; gammas[GROUPS].len()];
        self.columns[GROUPS].iter().for_each(|&p| seen[usize::from(p)] += 1);
        let mut wins: Vec<Vec<f64>> = gammas.iter().map(|g| vec![0.0; g.len()]).collect();
        for position in 0..self.len() {
            let (_, winner) = self.rows(position);
            for (wins, column) in wins.iter_mut().zip(&self.columns) {
                wins[usize::from(column[winner])] += 1.0;
            }
        }
        let mut strength = vec![1.0f64; self.columns[0].len()];
        for _ in 0..ROUNDS {
            for group in 0..=GROUPS {
                let (column, gammas) = (&self.columns[group], &mut gammas[group]);
                let mut share = vec![0.0; gammas.len()];
                for position in 0..self.len() {
                    let (rows, _) = self.rows(position);
                    let total: f64 = strength[rows.clone()].iter().sum();
                    for row in rows {
                        share[usize::from(column[row])] += strength[row] / total;
                    }
                }
                let old = gammas.clone();
                for level in 1..gammas.len() {
                    if group == GROUPS && seen[level] < rare {
                        continue;
                    }
                    let gamma = old[level];
                    let new = (wins[group][level] + 1.0) / (share[level] / gamma + 2.0 / (gamma + 1.0));
                    gammas[level] = new.clamp(1e-5, 1e5);
                }
                for (strength, &level) in strength.iter_mut().zip(column) {
                    *strength *= gammas[usize::from(level)] / old[usize::from(level)];
                }
            }
        }
        let mut fitted = Gammas::equal();
        for group in Group::LISTED {
            for (level, &gamma) in gammas[group as usize].iter().enumerate().skip(1) {
                fitted.set(group as usize, level, gamma as f32);
            }
        }
        let mut patterns: Vec<_> = self.patterns.iter().map(|(&code, &place)| (code, usize::from(place))).collect();
        patterns.sort_unstable();
        for (code, place) in patterns {
            if place != 0 && seen.get(place).is_some_and(|&n| n >= rare) {
                fitted.add_pattern(code, gammas[GROUPS][place] as f32);
            }
        }
        fitted
    }

    /// How well `gammas` predict these examples; all zero when there are none.
    pub fn test(&self, gammas: &Gammas) -> Prediction {
        let mut codes = vec![pattern::NO_PATTERN; self.patterns.len()];
        for (&code, &place) in &self.patterns {
            codes[usize::from(place)] = code;
        }
        let mut found = Prediction { positions: self.len(), ..Prediction::default() };
        let mut strengths = Vec::new();
        for position in 0..self.len() {
            let (rows, winner) = self.rows(position);
            let own = winner - rows.start;
            strengths.clear();
            strengths.extend(rows.map(|row| {
                let mut levels = super::Levels::default();
                for (group, column) in Group::LISTED.into_iter().zip(&self.columns) {
                    levels.set(group, column[row]);
                }
                levels.pattern = codes[usize::from(self.columns[GROUPS][row])];
                f64::from(gammas.strength(&levels, u16::MAX))
            }));
            let total: f64 = strengths.iter().sum();
            found.log_likelihood += libm::log(strengths[own] / total);
            found.uniform -= libm::log(strengths.len() as f64);
            // Of equal strengths half are counted as before it.
            let better = strengths.iter().filter(|&&s| s > strengths[own]).count();
            let equal = strengths.iter().filter(|&&s| s == strengths[own]).count() - 1;
            let rank = better + equal / 2;
            found.top1 += f64::from(u8::from(rank == 0));
            found.top5 += f64::from(u8::from(rank < 5));
        }
        let n = self.len().max(1) as f64;
        found.log_likelihood /= n;
        found.uniform /= n;
        found.top1 /= n;
        found.top5 /= n;
        found
    }
}
