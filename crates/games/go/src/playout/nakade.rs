//! Vital points of small eye spaces: where one stone decides between one eye and two.

use super::board::{BLACK, EMPTY, NONE, PlayoutBoard, WHITE};

/// The largest eye space that one stone can still kill.
const LARGEST: usize = 6;

/// Whether an area of `count` points, where each has `degrees` neighbours in the area, can be kept to one eye by a stone on
/// its point of the highest degree: three in a row or bent, the pyramid, the cross and the bulky five, the rabbity six.
fn vital(count: usize, degrees: &[u8]) -> Option<usize> {
    let (at, most) = degrees.iter().copied().enumerate().max_by_key(|&(i, d)| (d, usize::MAX - i))?;
    let edges: u32 = degrees.iter().map(|&d| u32::from(d)).sum::<u32>() / 2;
    match (count, most, edges) {
        (3, 2, _) | (4, 3, _) | (5, 4, _) | (5, 3, 5) | (6, 4, 6) => Some(at),
        _ => None,
    }
}

impl<const N: usize> PlayoutBoard<N> {
    /// The vital point of the empty region around an empty vertex, if the region has three to six points, is enclosed by one
    /// colour (either), and has such a point; else [`NONE`].
    pub(super) fn nakade(&self, start: usize) -> usize {
        let mut region = [NONE; LARGEST];
        let mut degrees = [0u8; LARGEST];
        region[0] = start as u16;
        let (mut count, mut done) = (1, 0);
        let (mut wall, mut hubs) = (0, 0);
        while done < count {
            for n in Self::neighbors(usize::from(region[done])) {
                match self.cell(n) {
                    EMPTY => {
                        degrees[done] += 1;
                        if !region[..count].contains(&(n as u16)) {
                            if count == LARGEST {
                                return usize::from(NONE);
                            }
                            region[count] = n as u16;
                            count += 1;
                        }
                    }
                    cell @ (BLACK | WHITE) => wall |= cell,
                    _ => {}
                }
            }
            // No such shape has two points with three neighbours in it: this ends the search early on the open board.
            hubs += u32::from(degrees[done] >= 3);
            if hubs > 1 {
                return usize::from(NONE);
            }
            done += 1;
        }
        if wall == BLACK || wall == WHITE {
            vital(count, &degrees[..count]).map_or(usize::from(NONE), |at| usize::from(region[at]))
        } else {
            usize::from(NONE)
        }
    }

    /// Whether the stones that a stone of `color` on `vertex` would join make an area that one stone keeps to one eye when
    /// the enemy has taken it: then giving them up kills. Areas of one and two points and the square count too.
    pub(super) fn makes_nakade(&self, color: usize, vertex: usize, stones: u32) -> bool {
        if stones as usize > LARGEST {
            return false;
        }
        let own = super::board::STONE[color];
        let mut area = [NONE; LARGEST];
        let mut degrees = [0u8; LARGEST];
        area[0] = vertex as u16;
        let (mut count, mut done) = (1, 0);
        while done < count {
            for n in Self::neighbors(usize::from(area[done])) {
                if self.cell(n) == own || n == vertex {
                    degrees[done] += 1;
                    if !area[..count].contains(&(n as u16)) {
                        if count == LARGEST {
                            return false;
                        }
                        area[count] = n as u16;
                        count += 1;
                    }
                }
            }
            done += 1;
        }
        match count {
            0..=3 => true,
            4 => degrees[..4].iter().all(|&d| d == 2) || vital(4, &degrees[..4]).is_some(),
            _ => vital(count, &degrees[..count]).is_some(),
        }
    }
}
