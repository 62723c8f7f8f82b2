//! The course of a playout, whatever policy chooses the moves.

use kiebitz_core::Trace;

use super::board::{NONE, PlayoutBoard};
use super::vertex::Vertex;
use crate::{Color, Move};

/// Why a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayoutEnd {
    /// Two passes in a row.
    Passes,
    /// Three moves per point were played (a cycle that simple ko does not forbid).
    Length,
    /// One side had so many more stones that the playout was decided.
    Mercy,
}

/// The result of one playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The area score of the final board, Black minus White, without komi.
    pub score: i32,
    /// How many moves were played, passes included.
    pub moves: u32,
    /// Why it ended.
    pub end: PlayoutEnd,
}

/// Where a playout begins and when it may end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Who moves first.
    pub to_move: Color,
    /// Passes made just before.
    pub passes: u8,
    /// The point of the move before, which the heavy policy answers.
    pub last: Option<Vertex>,
    /// End when the difference of stones on the board exceeds 30 % of the points.
    pub mercy: bool,
}

impl Start {
    /// From a quiet position.
    pub const fn of(to_move: Color) -> Self {
        Start { to_move, passes: 0, last: None, mercy: false }
    }
}

impl<const N: usize> PlayoutBoard<N> {
    /// Plays to the end. `choose` plays one move for a colour, given the vertex of the move before ([`NONE`] for none), and
    /// returns its vertex, or `None` to pass.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        start: Start,
        mut trace: Option<&mut Trace<Move>>,
        mut choose: impl FnMut(&mut Self, usize, usize) -> Option<usize>,
    ) -> Playout {
        let points = self.size().points() as u32;
        let most_moves = 3 * points;
        let mercy_lead = if start.mercy { (points * 3 / 10) as i32 } else { i32::MAX };
        let mut color = start.to_move.index();
        let mut last = start.last.map_or(usize::from(NONE), Vertex::index);
        let mut passes = u32::from(start.passes);
        let mut moves = 0;
        let end = loop {
            if passes >= 2 {
                break PlayoutEnd::Passes;
            }
            if moves >= most_moves {
                break PlayoutEnd::Length;
            }
            let played = choose(self, color, last);
            moves += 1;
            if let Some(trace) = trace.as_deref_mut() {
                let mv = played.and_then(|v| self.point(Vertex::new(v))).map_or(Move::PASS, Move::from);
                trace.push((color as u8, mv));
            }
            last = played.unwrap_or(usize::from(NONE));
            if played.is_some() {
                passes = 0;
                if self.lead().abs() > mercy_lead {
                    break PlayoutEnd::Mercy;
                }
            } else {
                passes += 1;
                self.pass();
            }
            color = 1 - color;
        };
        Playout { score: self.area_score(), moves, end }
    }
}
