//! Putting a position on a playout board.

use super::board::{BLACK, BORDER, EMPTY, NONE, PlayoutBoard, STONE, ko_word, liberty};
use crate::{Color, Point, Size};

impl<const N: usize> PlayoutBoard<N> {
    /// Empties the board and gives it a size.
    pub(super) fn clear(&mut self, size: Size) {
        self.cells = [BORDER; N];
        for (i, chain) in self.chains.iter_mut().enumerate() {
            *chain = i as u16;
        }
        let mut count = 0;
        for row in 1..=size.height() {
            for column in 1..=size.width() {
                let vertex = Self::at(row * Self::STRIDE + column);
                self.cells[vertex] = EMPTY;
                self.empties[Self::at(count)] = vertex as u16;
                self.places[vertex] = count as u16;
                count += 1;
            }
        }
        self.empty_count = count as u16;
        self.ko = NONE;
        self.lead = 0;
        self.size = size;
    }

    /// Makes the board the given position. `ko` is the point where simple ko forbids `to_move` to take back; it has no empty
    /// neighbour.
    ///
    /// Stones are set as they are, without captures: a chain without liberty (which no position of a game has) stays until
    /// a neighbouring capture gives it one and it loses it again. Costs one to two microseconds on 19x19.
    ///
    /// # Errors
    /// [`SetUpError`] when the board has no room for `size`, a point is not on it, a stone is given twice or `ko` is not an
    /// empty point. The board is then empty or holds some of the stones, and is sound.
    pub fn set_up(
        &mut self,
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_move: Color,
        ko: Option<Point>,
    ) -> Result<(), SetUpError> {
        if size.width() > Self::MAX_SIDE || size.height() > Self::MAX_SIDE {
            return Err(SetUpError::TooLarge { size, most: Self::MAX_SIDE });
        }
        self.clear(size);
        let mut result = Ok(());
        for (point, color) in stones {
            if !size.contains(point) {
                result = Err(SetUpError::OffBoard { point, size });
                break;
            }
            let vertex = self.vertex(point).index();
            if self.cells[Self::at(vertex)] != EMPTY {
                result = Err(SetUpError::Occupied { point, size });
                break;
            }
            self.cells[Self::at(vertex)] = STONE[color.index()];
        }
        self.rebuild();
        result?;
        if let Some(point) = ko {
            if !size.contains(point) {
                return Err(SetUpError::OffBoard { point, size });
            }
            let vertex = self.vertex(point);
            if self.stone(vertex).is_some() {
                return Err(SetUpError::Occupied { point, size });
            }
            self.ko = ko_word(to_move.index(), vertex.index());
        }
        Ok(())
    }

    /// Computes chains, liberties, the list of empty points and the lead from the cells of a cleared board.
    fn rebuild(&mut self) {
        let mut count = 0;
        for row in 1..=self.size.height() {
            for column in 1..=self.size.width() {
                let vertex = Self::at(row * Self::STRIDE + column);
                let cell = self.cells[vertex];
                if cell == EMPTY {
                    self.empties[Self::at(count)] = vertex as u16;
                    self.places[vertex] = count as u16;
                    count += 1;
                    continue;
                }
                self.lead += if cell == BLACK { 1 } else { -1 };
                let [_, left, _, down] = Self::neighbors(vertex);
                let (left_own, down_own) = (self.cells[left] == cell, self.cells[down] == cell);
                match (left_own, down_own) {
                    (false, false) => self.found_chain(vertex, 0),
                    (true, false) => self.join_chain(vertex, self.chains[left], 0),
                    (false, true) => self.join_chain(vertex, self.chains[down], 0),
                    (true, true) => {
                        self.join_chain(vertex, self.chains[left], 0);
                        self.merge_chains(self.chains[left], self.chains[down]);
                    }
                }
            }
        }
        self.empty_count = count as u16;
        for i in 0..count {
            let vertex = usize::from(self.empties[Self::at(i)]);
            for n in Self::neighbors(vertex) {
                let liberties = &mut self.liberties[Self::at(usize::from(self.chains[n]))];
                *liberties = liberties.wrapping_add(liberty(vertex));
            }
        }
    }
}

/// Why a position cannot be put on a playout board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetUpError {
    /// The board's capacity is below the size.
    #[error("this playout board has room for {most}x{most}, not for {size}")]
    TooLarge {
        /// The size asked for.
        size: Size,
        /// The largest width and height it has room for.
        most: usize,
    },
    /// A stone or the ko is off the board.
    #[error("point {} is off the {size} board", .point.index())]
    OffBoard {
        /// The point.
        point: Point,
        /// The board's size.
        size: Size,
    },
    /// Two stones, or a stone and the ko, on one point.
    #[error("{} is given twice: a point has one stone, or the ko", .point.text(*.size))]
    Occupied {
        /// The point.
        point: Point,
        /// The board's size.
        size: Size,
    },
}

impl SetUpError {
    /// A stable name of this error for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            SetUpError::TooLarge { .. } => "go_playout_size",
            SetUpError::OffBoard { .. } => "go_playout_off_board",
            SetUpError::Occupied { .. } => "go_playout_occupied",
        }
    }
}
