//! Prior strengths of moves from what can be seen at a glance: captures, chains in atari, the distance to the last move and to
//! the edge. Strengths are Bradley–Terry: a move of strength 4 is chosen four times as often as one of strength 1 (Coulom,
//! "Computing Elo ratings of move patterns in the game of Go", 2007). The factors are round numbers set by hand and kept
//! to measure learned ones against; `docs/go.md` has the matches.

use crate::board::EMPTY;
use crate::{Color, Go, Move, Point};

/// A pass while the board has open points.
const PASS: f32 = 0.02;
/// Filling an own eye.
const EYE: f32 = 0.01;
/// Taking a chain, and for each of its stones.
const CAPTURE: (f32, f32) = (4.0, 3.0);
/// Saving an own chain in atari, and for each of its stones.
const ESCAPE: (f32, f32) = (3.0, 1.5);
/// Putting a chain in atari.
const ATARI: f32 = 1.7;
/// Leaving the own chain with one liberty.
const SELF_ATARI: f32 = 0.08;
/// On the first, second and third line with nothing near.
const EMPTY_EDGE: [f32; 3] = [0.05, 0.25, 1.3];
/// Distance to the last move, from 2: |dx| + |dy| + max(|dx|, |dy|).
const NEAR: [f32; 4] = [4.0, 3.0, 2.2, 1.5];

/// Writes the strength of each action of the player to move, normed to the sum 1.
pub(super) fn prior(go: &Go, actions: &[Move], out: &mut [f32]) {
    let last = go.last_move().and_then(|(_, mv)| mv.point());
    for (slot, action) in out.iter_mut().zip(actions) {
        *slot = action.point().map_or(PASS, |point| strength(go, point, last));
    }
    let sum: f32 = out.iter().sum();
    if sum > 0.0 {
        out.iter_mut().for_each(|p| *p /= sum);
    }
}

fn strength(go: &Go, point: Point, last: Option<Point>) -> f32 {
    let (color, size, board) = (go.to_move(), go.size(), go.board());
    let cells = board.cells();
    let cell = board.cell(point);
    let mut strength = 1.0f32;
    let (mut open, mut safe, mut touches) = (0, false, false);
    let mut seen = [usize::MAX; 4];
    for (i, n) in board.neighbors(cell).into_iter().enumerate() {
        if cells[n] == EMPTY {
            open += 1;
        } else if cells[n] < EMPTY {
            touches = true;
            let head = board.head(n);
            if seen.contains(&head) {
                continue;
            }
            seen[i] = head;
            let liberties = board.liberties_to_three(n);
            let stones = f32::from(board.chain_len(n));
            if cells[n] == color as u8 {
                safe |= liberties >= 3;
                if liberties == 1 {
                    strength *= ESCAPE.0 + ESCAPE.1 * stones;
                }
            } else if liberties == 1 {
                strength *= CAPTURE.0 + CAPTURE.1 * stones;
                safe = true;
            } else if liberties == 2 {
                strength *= ATARI;
            }
        }
    }
    if open <= 1 && !safe && is_self_atari(go, point, color) {
        strength *= SELF_ATARI;
    }
    if open == 0 && crate::knowledge::is_own_eye(go, color, point) {
        return EYE;
    }
    let (column, row) = (point.column(size), point.row(size));
    if !touches && size.points() >= 49 {
        let line = column.min(row).min(size.width() - 1 - column).min(size.height() - 1 - row);
        if line < EMPTY_EDGE.len() && is_lonely(go, point) {
            strength *= EMPTY_EDGE[line];
        }
    }
    if let Some(last) = last {
        let (dx, dy) = (column.abs_diff(last.column(size)), row.abs_diff(last.row(size)));
        let distance = dx + dy + dx.max(dy);
        if let Some(factor) = distance.checked_sub(2).and_then(|d| NEAR.get(d)) {
            strength *= factor;
        }
    }
    strength
}

/// Whether the chain of a stone on `point` would have at most one liberty (captures not looked at).
fn is_self_atari(go: &Go, point: Point, color: Color) -> bool {
    let board = go.board();
    let cells = board.cells();
    let cell = board.cell(point);
    let mut liberty = None;
    for n in board.neighbors(cell) {
        if cells[n] == EMPTY {
            match liberty {
                Some(l) if l != n => return false,
                _ => liberty = Some(n),
            }
        } else if cells[n] == color as u8 {
            for stone in board.ring(n) {
                for l in board.neighbors(stone) {
                    if cells[l] == EMPTY && l != cell && liberty != Some(l) {
                        if liberty.is_some() {
                            return false;
                        }
                        liberty = Some(l);
                    }
                }
            }
        }
    }
    true
}

/// Whether no stone is within three lines of the point.
fn is_lonely(go: &Go, point: Point) -> bool {
    let size = go.size();
    let (column, row) = (point.column(size), point.row(size));
    let columns = column.saturating_sub(3)..=(column + 3).min(size.width() - 1);
    columns
        .flat_map(|c| (row.saturating_sub(3)..=(row + 3).min(size.height() - 1)).map(move |r| (c, r)))
        .all(|(c, r)| size.point(c, r).is_none_or(|p| go.board().stone(p).is_none()))
}
