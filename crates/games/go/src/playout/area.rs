//! The exact area score and the owner of each point of a playout board: stones, and empty regions that touch one colour.

use super::board::{BLACK, EMPTY, PlayoutBoard, WHITE};
use super::vertex::Vertex;
use crate::Color;

/// The owner of an empty region that touches these colours.
#[inline(always)]
fn owner(black: bool, white: bool) -> i8 {
    i8::from(black && !white) - i8::from(white && !black)
}

/// The owner of an empty point without empty neighbours, from the packed sum of its neighbours' cells. The border counts as
/// both colours there, so a colour is present exactly when the other one does not fill all four places.
#[inline(always)]
fn point_owner(surroundings: u32) -> i8 {
    owner((surroundings >> 3) & 7 != 4, surroundings & 7 != 4)
}

impl<const N: usize> PlayoutBoard<N> {
    /// The area score of the board as it stands, Black minus White, without komi: stones plus the empty regions that touch
    /// one colour only (Tromp-Taylor). Exact for every board; fast when each empty region is one point, as after a playout.
    pub fn area_score(&self) -> i32 {
        let mut score = self.lead();
        let mut regions = false;
        for vertex in self.empty_points() {
            let surroundings = self.surroundings(vertex.index());
            if surroundings < u32::from(EMPTY) {
                score += i32::from(point_owner(surroundings));
            } else {
                regions = true;
            }
        }
        if regions {
            self.large_regions(|region, owner| score += region.len() as i32 * i32::from(owner));
        }
        score
    }

    /// Writes the owner of each point, by [`crate::Point::index`]: 1 Black, -1 White, 0 nobody. The sum is
    /// [`PlayoutBoard::area_score`]. Writes as much as fits when `out` is not as long as the board has points.
    pub fn ownership(&self, out: &mut [i8]) {
        for (point, out) in self.size().iter().zip(out.iter_mut()) {
            let vertex = self.vertex(point);
            *out = match self.stone(vertex) {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => point_owner(self.surroundings(vertex.index())),
            };
        }
        if self.empty_points().any(|v| self.surroundings(v.index()) >= u32::from(EMPTY)) {
            self.large_regions(|region, owner| {
                for &vertex in region {
                    let point = self.point(Vertex::new(usize::from(vertex)));
                    if let Some(out) = point.and_then(|p| out.get_mut(p.index())) {
                        *out = owner;
                    }
                }
            });
        }
    }

    /// Calls `visit` with the vertices and the owner of each empty region of two points or more.
    #[inline(never)]
    fn large_regions(&self, mut visit: impl FnMut(&[u16], i8)) {
        let mut seen = [false; N];
        let mut region = [0u16; N];
        for start in self.empty_points().map(Vertex::index) {
            if seen[Self::at(start)] || self.surroundings(start) < u32::from(EMPTY) {
                continue;
            }
            seen[Self::at(start)] = true;
            region[0] = start as u16;
            let (mut length, mut done) = (1, 0);
            let (mut black, mut white) = (false, false);
            while done < length {
                for n in Self::neighbors(usize::from(region[Self::at(done)])) {
                    match self.cell(n) {
                        BLACK => black = true,
                        WHITE => white = true,
                        EMPTY if !seen[n] => {
                            seen[n] = true;
                            region[Self::at(length)] = n as u16;
                            length += 1;
                        }
                        _ => {}
                    }
                }
                done += 1;
            }
            visit(&region[..length.min(N)], owner(black, white));
        }
    }
}
