//! When to give up.

use kiebitz_go::{Color, Go};

/// When a player gives up: its best move has won too few games for several own moves in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResignRule {
    /// The win rate below which a move counts as hopeless, `[0, 1]`.
    pub below: f64,
    /// How many own moves in a row must be hopeless, at least 1.
    pub moves: u32,
    /// Nobody gives up before so many plies for each point of the board.
    pub not_before: f64,
}

impl Default for ResignRule {
    /// Below 10 % for three own moves, not before a third of the board's points has been played.
    fn default() -> Self {
        ResignRule { below: 0.1, moves: 3, not_before: 1.0 / 3.0 }
    }
}

/// How hopeless the last own moves of each colour were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hopeless {
    /// For each colour: hopeless moves in a row, and the ply after which the last one was played.
    in_a_row: [(u32, Option<u32>); 2],
}

impl Hopeless {
    /// Notes the win rate of `color`'s best move in the position `go` and answers whether the rule says to give up. A move taken
    /// back, or another game, starts the count afresh.
    pub fn note(&mut self, rule: &ResignRule, go: &Go, color: Color, win_rate: f64) -> bool {
        let ply = go.ply();
        let (count, last) = &mut self.in_a_row[color.index()];
        if last.is_none_or(|last| ply <= last) {
            *count = 0;
        }
        *last = Some(ply);
        *count = if win_rate < rule.below { *count + 1 } else { 0 };
        let least = rule.not_before * go.size().points() as f64;
        *count >= rule.moves.max(1) && f64::from(ply) >= least
    }
}
