//! The light playout: uniform over the legal points that are no own eye, to the end.

use kiebitz_core::{Rng, Trace};

use super::board::{EMPTY, PlayoutBoard};
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

impl<const N: usize> PlayoutBoard<N> {
    /// Plays from the board to the end and returns the final area score.
    ///
    /// Each move is uniform over the legal points that are no simple eye of the mover; a player passes only when there is
    /// none. It ends with two passes in a row, of which `passes` were made before, or after three moves per point. With
    /// `mercy` it also ends when the difference of stones on the board exceeds 30 % of the points.
    ///
    /// An eye of the opponent is played when that captures, so groups with one eye inside the opponent's area get captured.
    ///
    /// `trace` receives every move, passes included, and is not cleared. Nothing allocates while it has room; three moves
    /// per point are always enough.
    pub fn light_playout(
        &mut self,
        to_move: Color,
        passes: u8,
        mercy: bool,
        rng: &mut Rng,
        mut trace: Option<&mut Trace<Move>>,
    ) -> Playout {
        let points = self.size().points() as u32;
        let most_moves = 3 * points;
        let mercy_lead = if mercy { (points * 3 / 10) as i32 } else { i32::MAX };
        let mut color = to_move.index();
        let mut passes = u32::from(passes);
        let mut moves = 0;
        let end = loop {
            if passes >= 2 {
                break PlayoutEnd::Passes;
            }
            if moves >= most_moves {
                break PlayoutEnd::Length;
            }
            let played = self.light_move(color, rng);
            moves += 1;
            if let Some(trace) = trace.as_deref_mut() {
                let mv = played.and_then(|v| self.point(Vertex::new(v))).map_or(Move::PASS, Move::from);
                trace.push((color as u8, mv));
            }
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

    /// Plays one move of the light policy; `None` when there is none and the board is unchanged.
    ///
    /// A drawn point that will not do is swapped behind the ones still to draw from, so each that will do is equally likely.
    #[inline(always)]
    fn light_move(&mut self, color: usize, rng: &mut Rng) -> Option<usize> {
        let mut left = self.empty_count();
        while left > 0 {
            let place = rng.below(left);
            let vertex = self.empty_at(place);
            let surroundings = self.surroundings(vertex);
            if surroundings >= u32::from(EMPTY)
                || (!self.is_eye_within(color, vertex, surroundings) && self.is_legal_enclosed(color, vertex))
            {
                self.place(color, vertex, place, surroundings);
                return Some(vertex);
            }
            left -= 1;
            self.swap_empties(place, left);
        }
        None
    }
}
