//! Ownership maps for a running analysis: means over playouts after the candidates, weighted by their visits.

use std::time::{Duration, Instant};

use kiebitz_core::{Analysis, Game as _, Notation as _, Rng};
use kiebitz_go::{Color, Go, GoBuffer};

/// Playouts for one report, shared out by visits.
const PLAYOUTS: u32 = 240;

/// Playouts after each candidate whose own map is wanted.
const OWN_PLAYOUTS: u32 = 24;

/// By point index: mean and standard deviation of 1 for the points the colour to move ends with, −1 for the other's.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub mean: Vec<f64>,
    pub deviation: Vec<f64>,
}

/// The maps of one report.
#[derive(Clone, Debug)]
pub(crate) struct Maps {
    /// Of the position.
    pub root: Map,
    /// Of the candidates asked for, in their order.
    pub moves: Vec<Map>,
}

/// Makes maps; keeps its playout board.
#[derive(Default)]
pub(crate) struct Mapper {
    buffer: GoBuffer,
}

impl Mapper {
    /// Maps of `state`, and of its first `own` candidates; takes about `time` at most.
    pub fn maps(&mut self, state: &Go, analysis: &Analysis, own: usize, rng: &mut Rng, time: Duration) -> Maps {
        let end = Instant::now() + time;
        let points = state.size().points();
        let total: u64 = analysis.candidates.iter().map(|c| c.visits).sum::<u64>().max(1);
        let mut root = Sums::new(points);
        let mut moves = Vec::new();
        for (i, candidate) in analysis.candidates.iter().enumerate() {
            let share = (u64::from(PLAYOUTS) * candidate.visits).div_ceil(total) as u32;
            let late = Instant::now() >= end;
            let count = match (i < own, late) {
                (true, false) => share.max(OWN_PLAYOUTS),
                (true, true) => 1,
                (false, true) => break,
                // What hardly anybody looks at does not change the mean.
                (false, false) if candidate.visits * 100 < total => break,
                (false, false) => share,
            };
            let mut after = state.clone();
            match after.parse_action(&candidate.action) {
                Ok(action) if after.is_legal(action) => after.apply(action),
                _ => continue,
            }
            let map = self.sums(&after, count, rng, end);
            root.add(&map, candidate.visits.max(1) as f64 / total as f64);
            if i < own {
                moves.push(map.map(state.to_move()));
            }
        }
        if root.weight == 0.0 {
            root = self.sums(state, PLAYOUTS, rng, end);
        }
        Maps { root: root.map(state.to_move()), moves }
    }

    /// Playouts from one position; at least one.
    fn sums(&mut self, state: &Go, count: u32, rng: &mut Rng, end: Instant) -> Sums {
        let mut sums = Sums::new(state.size().points());
        if state.turn().is_terminal() {
            sums.add_owners(&state.score().owner);
            return sums;
        }
        let mut owners = vec![0i8; state.size().points()];
        for i in 0..count.max(1) {
            if i > 0 && i % 8 == 0 && Instant::now() >= end {
                break;
            }
            owners.fill(0);
            self.buffer.ownership(state, rng, &mut owners);
            sums.add_owners(&owners);
        }
        sums
    }
}

/// Weighted sums of owners, 1 for Black, −1 for White.
struct Sums {
    sum: Vec<f64>,
    squares: Vec<f64>,
    weight: f64,
}

impl Sums {
    fn new(points: usize) -> Self {
        Sums { sum: vec![0.0; points], squares: vec![0.0; points], weight: 0.0 }
    }

    fn add_owners(&mut self, owners: &[i8]) {
        for ((sum, square), &owner) in self.sum.iter_mut().zip(&mut self.squares).zip(owners) {
            let owner = f64::from(owner.signum());
            *sum += owner;
            *square += owner * owner;
        }
        self.weight += 1.0;
    }

    /// Adds the means of another with this weight.
    fn add(&mut self, other: &Sums, weight: f64) {
        let scale = weight / other.weight.max(1.0);
        for (sum, &o) in self.sum.iter_mut().zip(&other.sum) {
            *sum += o * scale;
        }
        for (square, &o) in self.squares.iter_mut().zip(&other.squares) {
            *square += o * scale;
        }
        self.weight += weight;
    }

    /// Means as this colour sees them.
    fn map(&self, color: Color) -> Map {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let weight = if self.weight > 0.0 { self.weight } else { 1.0 };
        let mean: Vec<f64> = self.sum.iter().map(|s| s / weight).collect();
        let deviation = mean.iter().zip(&self.squares).map(|(m, s)| (s / weight - m * m).max(0.0).sqrt()).collect();
        Map { mean: mean.iter().map(|m| sign * m).collect(), deviation }
    }
}
