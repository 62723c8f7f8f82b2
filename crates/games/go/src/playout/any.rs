//! One board for every size: the smallest capacity that has room.

use kiebitz_core::{Rng, Trace};

use super::board::PlayoutBoard;
use super::course::{Playout, Start};
use super::policy::Policy;
use super::set_up::SetUpError;
use super::vertex::Vertex;
use crate::{Color, Move, Point, Size};

/// A [`PlayoutBoard`] of the capacity that the size needs: 9x9, 13x13, 19x19 or 25x25.
///
/// Keep one and set it up or copy it again and again: what is copied is as long as the board in it.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one reusable buffer without indirection is what this is for")]
pub enum AnyPlayoutBoard {
    /// Up to 9x9.
    Nine(PlayoutBoard<128>),
    /// Up to 13x13.
    Thirteen(PlayoutBoard<256>),
    /// Up to 19x19.
    Nineteen(PlayoutBoard<512>),
    /// Up to 25x25.
    TwentyFive(PlayoutBoard<1024>),
}

/// Runs the same expression on the board of any capacity.
macro_rules! each {
    ($any:expr, $board:ident => $body:expr) => {
        match $any {
            AnyPlayoutBoard::Nine($board) => $body,
            AnyPlayoutBoard::Thirteen($board) => $body,
            AnyPlayoutBoard::Nineteen($board) => $body,
            AnyPlayoutBoard::TwentyFive($board) => $body,
        }
    };
}

impl AnyPlayoutBoard {
    /// An empty board of this size.
    pub fn new(size: Size) -> Self {
        let mut board = match size.width().max(size.height()) {
            0..=9 => AnyPlayoutBoard::Nine(PlayoutBoard::new()),
            10..=13 => AnyPlayoutBoard::Thirteen(PlayoutBoard::new()),
            14..=19 => AnyPlayoutBoard::Nineteen(PlayoutBoard::new()),
            _ => AnyPlayoutBoard::TwentyFive(PlayoutBoard::new()),
        };
        each!(&mut board, b => b.clear(size));
        board
    }

    fn has_capacity_of(&self, size: Size) -> bool {
        let side = size.width().max(size.height());
        let (least, most) = match self {
            AnyPlayoutBoard::Nine(_) => (0, 9),
            AnyPlayoutBoard::Thirteen(_) => (10, 13),
            AnyPlayoutBoard::Nineteen(_) => (14, 19),
            AnyPlayoutBoard::TwentyFive(_) => (20, 25),
        };
        (least..=most).contains(&side)
    }

    /// See [`PlayoutBoard::set_up`]. Changes the capacity when the size needs another.
    ///
    /// # Errors
    /// [`SetUpError`] when a point is off the board, a stone is given twice or `ko` is not an empty point.
    pub fn set_up(
        &mut self,
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_move: Color,
        ko: Option<Point>,
    ) -> Result<(), SetUpError> {
        if !self.has_capacity_of(size) {
            *self = AnyPlayoutBoard::new(size);
        }
        each!(self, b => b.set_up(size, stones, to_move, ko))
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        each!(self, b => b.size())
    }

    /// Plays a move; `false`, and nothing happens, when a stone there is illegal (see [`PlayoutBoard::is_legal`]).
    pub fn play(&mut self, color: Color, mv: Move) -> bool {
        each!(self, b => match mv.point() {
            Some(point) => b.play(color, b.vertex(point)),
            None => { b.pass(); true }
        })
    }

    /// See [`PlayoutBoard::is_legal`].
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        each!(self, b => b.is_legal(color, b.vertex(point)))
    }

    /// See [`PlayoutBoard::is_eye`].
    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        each!(self, b => b.is_eye(color, b.vertex(point)))
    }

    /// The stone on a point, `None` when it is empty or off the board.
    pub fn stone(&self, point: Point) -> Option<Color> {
        each!(self, b => b.stone(b.vertex(point)))
    }

    /// The vertex of a point on this board.
    pub fn vertex(&self, point: Point) -> Vertex {
        each!(self, b => b.vertex(point))
    }

    /// See [`PlayoutBoard::light_playout`].
    pub fn light_playout(&mut self, start: Start, rng: &mut Rng, trace: Option<&mut Trace<Move>>) -> Playout {
        each!(self, b => b.light_playout(start, rng, trace))
    }

    /// See [`PlayoutBoard::heavy_playout`].
    pub fn heavy_playout(
        &mut self,
        start: Start,
        policy: &Policy,
        rng: &mut Rng,
        trace: Option<&mut Trace<Move>>,
    ) -> Playout {
        each!(self, b => b.heavy_playout(start, policy, rng, trace))
    }

    /// See [`PlayoutBoard::area_score`].
    pub fn area_score(&self) -> i32 {
        each!(self, b => b.area_score())
    }

    /// See [`PlayoutBoard::ownership`].
    pub fn ownership(&self, out: &mut [i8]) {
        each!(self, b => b.ownership(out));
    }
}

impl Clone for AnyPlayoutBoard {
    fn clone(&self) -> Self {
        match self {
            AnyPlayoutBoard::Nine(board) => AnyPlayoutBoard::Nine(*board),
            AnyPlayoutBoard::Thirteen(board) => AnyPlayoutBoard::Thirteen(*board),
            AnyPlayoutBoard::Nineteen(board) => AnyPlayoutBoard::Nineteen(*board),
            AnyPlayoutBoard::TwentyFive(board) => AnyPlayoutBoard::TwentyFive(*board),
        }
    }

    /// Copies no more than the board in `source`; use this for a buffer.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (AnyPlayoutBoard::Nine(to), AnyPlayoutBoard::Nine(from)) => *to = *from,
            (AnyPlayoutBoard::Thirteen(to), AnyPlayoutBoard::Thirteen(from)) => *to = *from,
            (AnyPlayoutBoard::Nineteen(to), AnyPlayoutBoard::Nineteen(from)) => *to = *from,
            (AnyPlayoutBoard::TwentyFive(to), AnyPlayoutBoard::TwentyFive(from)) => *to = *from,
            (to, from) => *to = from.clone(),
        }
    }
}

impl Default for AnyPlayoutBoard {
    /// An empty 9x9 board; [`AnyPlayoutBoard::set_up`] gives it any other size.
    fn default() -> Self {
        AnyPlayoutBoard::Nine(PlayoutBoard::new())
    }
}
