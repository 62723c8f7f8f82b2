//! Fixed handicap placement (GTP version 2, section 4.1.1).

use crate::{Point, Size};

/// The most stones that fixed handicap knows on a board: 9 when both sides are odd and at least 9, else 4 when both are at
/// least 7, else none (0).
///
/// ```
/// # use kiebitz_go::{Size, max_fixed_handicap};
/// assert_eq!(max_fixed_handicap(Size::square(19).unwrap()), 9);
/// assert_eq!(max_fixed_handicap(Size::square(8).unwrap()), 4);
/// assert_eq!(max_fixed_handicap(Size::square(6).unwrap()), 0);
/// ```
pub fn max_fixed_handicap(size: Size) -> usize {
    let (width, height) = (size.width(), size.height());
    match width.min(height) {
        0..=6 => 0,
        7..=8 => 4,
        _ if width % 2 == 1 && height % 2 == 1 => 9,
        _ => 4,
    }
}

/// The points of `stones` fixed handicap stones in the order they are listed: two opposite corners, the other corners, left
/// and right, bottom and top, the centre for odd numbers from 5 on. On the third line on sides shorter than 13, else on the
/// fourth.
///
/// `None` when there is no placement for this number: fewer than 2, or more than [`max_fixed_handicap`].
pub fn fixed_handicap(size: Size, stones: usize) -> Option<Vec<Point>> {
    if !(2..=max_fixed_handicap(size)).contains(&stones) {
        return None;
    }
    let lines = |side: usize| {
        let line = if side < 13 { 2 } else { 3 };
        (line, side / 2, side - 1 - line)
    };
    let (left, middle, right) = lines(size.width());
    let (bottom, center, top) = lines(size.height());
    let mut places = vec![(left, bottom), (right, top)];
    if stones >= 3 {
        places.push((left, top));
    }
    if stones >= 4 {
        places.push((right, bottom));
    }
    if stones >= 6 {
        places.extend([(left, center), (right, center)]);
    }
    if stones >= 8 {
        places.extend([(middle, bottom), (middle, top)]);
    }
    if stones >= 5 && stones % 2 == 1 {
        places.push((middle, center));
    }
    places.into_iter().map(|(column, row)| size.point(column, row)).collect()
}
