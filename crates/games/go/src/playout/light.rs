//! The light playout: uniform over the legal points that are no own eye, to the end.

use kiebitz_core::{Rng, Trace};

use super::board::{EMPTY, PlayoutBoard};
use super::course::{Playout, Start};
use crate::Move;

impl<const N: usize> PlayoutBoard<N> {
    /// Plays from the board to the end and returns the final area score.
    ///
    /// Each move is uniform over the legal points that are no simple eye of the mover; a player passes only when there is
    /// none. It ends with two passes in a row, or after three moves per point, or by mercy.
    ///
    /// An eye of the opponent is played when that captures, so groups with one eye inside the opponent's area get captured.
    ///
    /// `trace` receives every move, passes included, and is not cleared. Nothing allocates while it has room; three moves
    /// per point are always enough.
    pub fn light_playout(&mut self, start: Start, rng: &mut Rng, trace: Option<&mut Trace<Move>>) -> Playout {
        self.run(start, trace, |board, color, _| board.light_move(color, rng))
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
