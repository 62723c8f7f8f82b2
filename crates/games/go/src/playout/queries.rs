//! What a playout board says of itself, and moves with their legality checked.

use std::fmt::{self, Write as _};

use super::board::{BLACK, COUNT_SHIFT, EMPTY, NONE, PlayoutBoard, SUM_SHIFT, WHITE, is_only};
use super::vertex::Vertex;
use crate::{Color, Point, Size};

impl<const N: usize> PlayoutBoard<N> {
    /// The size of the board.
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The vertex of a point. A point off the board gives the border.
    #[inline]
    pub const fn vertex(&self, point: Point) -> Vertex {
        if !self.size.contains(point) {
            return Vertex::new(NONE as usize);
        }
        Vertex::new((point.row(self.size) + 1) * Self::STRIDE + point.column(self.size) + 1)
    }

    /// The point of a vertex, `None` on the border.
    #[inline]
    pub const fn point(&self, vertex: Vertex) -> Option<Point> {
        let (row, column) = (vertex.index() / Self::STRIDE, vertex.index() % Self::STRIDE);
        self.size.point(column.wrapping_sub(1), row.wrapping_sub(1))
    }

    /// The stone on a vertex, `None` when it is empty or border.
    #[inline]
    pub const fn stone(&self, vertex: Vertex) -> Option<Color> {
        match self.cells[Self::at(vertex.index())] {
            BLACK => Some(Color::Black),
            WHITE => Some(Color::White),
            _ => None,
        }
    }

    /// The empty points, in no meaningful order.
    #[inline]
    pub fn empty_points(&self) -> impl ExactSizeIterator<Item = Vertex> + '_ {
        let count = usize::from(self.empty_count).min(N);
        self.empties[..count].iter().map(|&v| Vertex::new(usize::from(v)))
    }

    /// The point where simple ko forbids to take back, if any. It binds the opponent of the last player only.
    #[inline]
    pub fn ko(&self) -> Option<Vertex> {
        (self.ko != NONE).then(|| Vertex::new(Self::at(usize::from(self.ko))))
    }

    /// The stones of the chain on `vertex`, starting there; nothing when there is no stone.
    #[inline]
    pub fn chain(&self, vertex: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let start = Self::at(vertex.index());
        let mut stone = self.stone(vertex).map(|_| start);
        std::iter::from_fn(move || {
            let now = stone?;
            let next = Self::at(usize::from(self.next[now]));
            stone = (next != start).then_some(next);
            Some(Vertex::new(now))
        })
    }

    /// The number of stones of the chain on `vertex`, 0 when there is no stone.
    #[inline]
    pub fn chain_length(&self, vertex: Vertex) -> usize {
        match self.stone(vertex) {
            Some(_) => usize::from(self.lengths[Self::at(usize::from(self.chains[Self::at(vertex.index())]))]),
            None => 0,
        }
    }

    /// The number of pairs (stone, empty neighbour) of the chain on `vertex`: 0 when there is no stone.
    #[inline]
    pub fn pseudo_liberties(&self, vertex: Vertex) -> usize {
        match self.stone(vertex) {
            Some(_) => {
                let chain = usize::from(self.chains[Self::at(vertex.index())]);
                (self.liberties[Self::at(chain)] >> COUNT_SHIFT) as usize
            }
            None => 0,
        }
    }

    /// Black stones minus White stones on the board.
    #[inline]
    pub fn lead(&self) -> i32 {
        i32::from(self.lead)
    }

    /// Whether `color` may put a stone here: an empty point, no suicide (of any number of stones, whatever the rules: it
    /// gains nothing in a playout, and with it a playout need not end), and no stone that takes back a ko.
    #[inline]
    pub fn is_legal(&self, color: Color, vertex: Vertex) -> bool {
        let v = Self::at(vertex.index());
        self.cells[v] == EMPTY && (self.surroundings(v) >= u32::from(EMPTY) || self.is_legal_enclosed(color.index(), v))
    }

    /// Whether this is a simple eye of `color`: an empty point whose four neighbours are own stones or border, with at most
    /// one enemy stone on its diagonals, and none at the edge of the board.
    #[inline]
    pub fn is_eye(&self, color: Color, vertex: Vertex) -> bool {
        let v = Self::at(vertex.index());
        self.cells[v] == EMPTY && self.is_eye_within(color.index(), v, self.surroundings(v))
    }

    /// The only liberty of the chain on `vertex` when it is in atari; `None` when it has more, or there is no stone.
    #[inline]
    pub fn in_atari(&self, vertex: Vertex) -> Option<Vertex> {
        self.stone(vertex)?;
        let liberties = self.liberties[Self::at(usize::from(self.chains[Self::at(vertex.index())]))];
        let count = liberties >> COUNT_SHIFT;
        let sum = (liberties >> SUM_SHIFT) & ((1 << (COUNT_SHIFT - SUM_SHIFT)) - 1);
        let only = sum.checked_div(count)? as usize;
        is_only(liberties, only).then_some(Vertex::new(Self::at(only)))
    }

    /// Puts a stone of `color` on `vertex` and takes off what it captures. `false`, and nothing happens, when it is illegal
    /// by [`PlayoutBoard::is_legal`].
    #[inline]
    pub fn play(&mut self, color: Color, vertex: Vertex) -> bool {
        let legal = self.is_legal(color, vertex);
        if legal {
            let v = Self::at(vertex.index());
            self.place(color.index(), v, usize::from(self.places[v]), self.surroundings(v));
        }
        legal
    }

    /// A pass: any ko may be taken from now on.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = NONE;
    }
}

impl<const N: usize> fmt::Debug for PlayoutBoard<N> {
    /// A diagram, top row first: `X` Black, `O` White, `k` the ko.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayoutBoard<{N}> {}", self.size)?;
        for row in (0..self.size.height()).rev() {
            f.write_char('\n')?;
            for point in (0..self.size.width()).filter_map(|column| self.size.point(column, row)) {
                let vertex = self.vertex(point);
                f.write_char(match self.stone(vertex) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None if self.ko() == Some(vertex) => 'k',
                    None => '.',
                })?;
            }
        }
        Ok(())
    }
}
