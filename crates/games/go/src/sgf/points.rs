//! SGF's coordinates: two letters, column then row, with `a` at the left and at the top.

use super::text::split_composed;
use crate::{Move, Point, Size};

/// Why a value is no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointError {
    /// Not two letters (or not two points around a colon).
    Syntax,
    /// Two letters that name no point of the board.
    OffBoard,
}

/// Column and row from the top, from 0: `a` to `z` are 0 to 25, `A` to `Z` are 26 to 51.
fn coordinates(raw: &str) -> Option<(usize, usize)> {
    let &[column, row] = raw.trim().as_bytes() else { return None };
    let index = |letter: u8| match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    };
    Some((index(column)?, index(row)?))
}

/// Reads a point.
pub(super) fn point(raw: &str, size: Size) -> Result<Point, PointError> {
    let (column, row) = coordinates(raw).ok_or(PointError::Syntax)?;
    let row = size.height().checked_sub(row + 1).ok_or(PointError::OffBoard)?;
    size.point(column, row).ok_or(PointError::OffBoard)
}

/// Reads a move: a point, nothing for a pass, and `tt` for a pass on boards up to 19x19 (the pass of `FF[1]` to `FF[3]`).
pub(super) fn mv(raw: &str, size: Size) -> Result<Move, PointError> {
    match raw.trim() {
        "" => Ok(Move::PASS),
        "tt" if size.width() <= 19 && size.height() <= 19 => Ok(Move::PASS),
        raw => point(raw, size).map(Move::from),
    }
}

/// The two letters of a point.
pub(super) fn point_text(point: Point, size: Size) -> String {
    // Boards end at 25, so small letters are enough.
    let letter = |index: usize| char::from(b'a' + index.min(25) as u8);
    let row = size.height().saturating_sub(point.row(size) + 1);
    [letter(point.column(size)), letter(row)].into_iter().collect()
}

/// The value of a move: a pass is empty.
pub(super) fn move_text(mv: Move, size: Size) -> String {
    mv.point().map_or_else(String::new, |point| point_text(point, size))
}

/// Points of a board as one bit each, so that many overlapping rectangles cost no more memory than one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PointSet {
    /// From row 0, the lowest; bit 0 is column A.
    rows: [u32; Size::MAX],
}

impl PointSet {
    /// Adds a value of a point list: a point or a rectangle `ac:ee` between two corners.
    pub fn add(&mut self, raw: &str, size: Size) -> Result<(), PointError> {
        let (a, b) = match split_composed(raw) {
            Some((a, b)) => (point(a, size)?, point(b, size)?),
            None => {
                let point = point(raw, size)?;
                (point, point)
            }
        };
        let order = |a: usize, b: usize| (a.min(b), a.max(b));
        let (left, right) = order(a.column(size), b.column(size));
        let (low, high) = order(a.row(size), b.row(size));
        let bits = (u32::MAX >> (31 - (right - left))) << left;
        for row in self.rows.iter_mut().take(high + 1).skip(low) {
            *row |= bits;
        }
        Ok(())
    }

    /// Whether the sets share a point.
    pub fn meets(&self, other: &PointSet) -> bool {
        self.rows.iter().zip(&other.rows).any(|(a, b)| a & b != 0)
    }

    /// Takes the points of `other` out.
    pub fn remove(&mut self, other: &PointSet) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(a, b)| *a &= !b);
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The points in index order.
    pub fn points(&self, size: Size) -> Vec<Point> {
        size.iter().filter(|p| self.rows.get(p.row(size)).is_some_and(|row| row >> p.column(size) & 1 == 1)).collect()
    }
}
