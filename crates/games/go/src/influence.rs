//! A static estimate of the score, for players that look only a move or two ahead.

use crate::board::{EDGE, EMPTY};
use crate::{Color, Go};

/// How much of a stone's influence reaches each neighbour; below a quarter, so that the sum stays finite.
const SPREAD: f64 = 0.245;

/// How far influence is followed, in points.
const ROUNDS: usize = 8;

/// The influence at which a point is half of one's own.
const HALF: f64 = 1.2;

/// How safe a chain is by its liberties (none, 1, 2, 3 or more), where the opponent is to move.
const SAFETY: [f64; 4] = [0.0, -0.9, 0.8, 1.0];

/// The same where its own side is to move.
const SAFETY_TO_MOVE: [f64; 4] = [0.0, 0.0, 0.9, 1.0];

/// Black's estimated area minus White's, komi included, in points.
///
/// Stones are sources of influence that spreads over the board and fades on each step, as in Zobrist's model (AFIPS
/// 1969); a point belongs to the stronger side by a share that grows with its influence. A chain in atari that the
/// opponent can take counts for the opponent.
pub(crate) fn estimate(go: &Go) -> f64 {
    let board = go.board();
    let cells = board.cells();
    let mut source = vec![0.0f64; cells.len()];
    let mut stones = 0.0;
    for (cell, &content) in cells.iter().enumerate().filter(|&(_, &content)| content < EMPTY) {
        let liberties = usize::from(board.liberties_to_three(board.head(cell)));
        let safety = if content == go.to_move() as u8 { SAFETY_TO_MOVE } else { SAFETY }[liberties];
        source[cell] = if content == Color::Black as u8 { safety } else { -safety };
        stones += source[cell];
    }
    let mut field = source.clone();
    let mut next = source.clone();
    for _ in 0..ROUNDS {
        for (cell, _) in cells.iter().enumerate().filter(|&(_, &content)| content != EDGE) {
            let around: f64 = board.neighbors(cell).into_iter().map(|n| field[n]).sum();
            next[cell] = source[cell] + SPREAD * around;
        }
        std::mem::swap(&mut field, &mut next);
    }
    let land: f64 = cells
        .iter()
        .zip(&field)
        .filter(|&(&content, _)| content == EMPTY)
        .map(|(_, &influence)| influence / (influence.abs() + HALF))
        .sum();
    stones + land - f64::from(go.options().komi) / 4.0
}
