//! The heavy playout: it answers the last move where it stands (atari, capture, vital points, shapes), as the policies of
//! MoGo (Gelly et al. 2006), Fuego and Pachi do, and plays at random only when nothing answers.

use kiebitz_core::{Rng, Trace};

use super::board::{EMPTY, NONE, PlayoutBoard, STONE};
use super::course::{Playout, Start};
use super::policy::{Odds, Policy};
use super::shapes::Shapes;
use crate::Move;

/// No vertex.
const NOWHERE: usize = NONE as usize;

/// Moves to draw from.
struct Choice {
    vertices: [u16; 16],
    count: usize,
}

impl Choice {
    const NONE: Choice = Choice { vertices: [NONE; 16], count: 0 };

    #[inline(always)]
    fn add(&mut self, vertex: usize) {
        self.vertices[self.count & 15] = vertex as u16;
        self.count += 1;
    }

    /// One of them, `None` when there are none.
    #[inline(always)]
    fn draw(&self, rng: &mut Rng) -> Option<usize> {
        match self.count.min(16) {
            0 => None,
            1 => Some(usize::from(self.vertices[0])),
            n => Some(usize::from(self.vertices[rng.below(n) & 15])),
        }
    }
}

/// Stones whose chains were seen in atari; the newest last.
struct Hot {
    stones: [u16; 16],
    count: usize,
}

impl Hot {
    #[inline(always)]
    fn add(&mut self, stone: usize) {
        if self.count == 16 {
            self.stones.copy_within(1.., 0);
            self.count = 15;
        }
        self.stones[self.count & 15] = stone as u16;
        self.count += 1;
    }
}

impl<const N: usize> PlayoutBoard<N> {
    /// Plays from the board to the end by the heavy policy and returns the final area score. All else is as in
    /// [`PlayoutBoard::light_playout`].
    pub fn heavy_playout(
        &mut self,
        start: Start,
        policy: &Policy,
        rng: &mut Rng,
        trace: Option<&mut Trace<Move>>,
    ) -> Playout {
        let odds = policy.odds();
        // What is answered is a stone of the opponent.
        let last = start.last.filter(|&v| self.stone(v) == Some(start.to_move.opponent()));
        let start = Start { last, ..start };
        let shapes = Shapes::get();
        let mut hot = Hot { stones: [NONE; 16], count: 0 };
        self.run(start, trace, |board, color, last| {
            let vertex = board.heavy_move(color, last, &odds, shapes, &mut hot, rng)?;
            board.put_down(color, vertex);
            Some(vertex)
        })
    }

    /// Chooses a move of the heavy policy; `None` for a pass.
    #[inline]
    fn heavy_move(
        &mut self,
        color: usize,
        last: usize,
        odds: &Odds,
        shapes: &Shapes,
        hot: &mut Hot,
        rng: &mut Rng,
    ) -> Option<usize> {
        let dice = rng.next_u64();
        let asks = |part: u32, odds: u64| (dice >> (8 * part)) & 255 < odds;
        if last != NOWHERE {
            let (mine, theirs) = self.look_around(color, last, hot);
            if mine.count > 0
                && asks(0, odds.save)
                && let Some(vertex) = self.save(color, &mine, odds.ladder, rng)
            {
                return Some(vertex);
            }
            if theirs != NOWHERE && asks(1, odds.capture) && self.allows(color, theirs) {
                return Some(theirs);
            }
            if asks(2, odds.nakade)
                && let Some(vertex) = self.vital_near(color, last)
            {
                return Some(vertex);
            }
            if asks(3, odds.shape)
                && let Some(vertex) = self.shape_near(color, last, shapes, rng)
            {
                return Some(vertex);
            }
        }
        if hot.count > 0
            && asks(4, odds.hunt)
            && let Some(vertex) = self.hunt(color, hot)
        {
            return Some(vertex);
        }
        self.anywhere(color, odds.safe, rng)
    }

    /// What the last move put in atari: own chains next to it (one stone each), and where its own chain is captured if that
    /// is in atari. Notes chains in atari for later.
    #[inline(always)]
    fn look_around(&self, color: usize, last: usize, hot: &mut Hot) -> (Choice, usize) {
        let mut mine = Choice::NONE;
        for n in Self::neighbors(last) {
            if self.cells[n] == STONE[color] {
                let chain = self.chain_of(n);
                if self.only_liberty(chain) != NOWHERE {
                    if !mine.vertices[..mine.count.min(4)].contains(&(chain as u16)) {
                        mine.add(chain);
                    }
                    hot.add(n);
                }
            }
        }
        let theirs = self.only_liberty(self.chain_of(last));
        if theirs != NOWHERE {
            hot.add(last);
        }
        (mine, theirs)
    }

    /// A move that saves one of the chains in atari.
    #[inline(never)]
    fn save(&self, color: usize, chains: &Choice, ladder: bool, rng: &mut Rng) -> Option<usize> {
        let mut moves = Choice::NONE;
        for &chain in &chains.vertices[..chains.count.min(16)] {
            let chain = usize::from(chain);
            let hostage = self.hostage(color, chain);
            if hostage != NOWHERE && self.allows(color, hostage) {
                moves.add(hostage);
            }
            let liberty = self.only_liberty(chain);
            if liberty != NOWHERE
                && liberty != hostage
                && self.escapes(color, liberty, ladder)
                && self.allows(color, liberty)
            {
                moves.add(liberty);
            }
        }
        moves.draw(rng)
    }

    /// The vital point of a small eye space that touches the last move.
    #[inline(always)]
    fn vital_near(&self, color: usize, last: usize) -> Option<usize> {
        for n in Self::neighbors(last) {
            if self.cells[n] == EMPTY {
                let vertex = self.nakade(n);
                if vertex != NOWHERE && self.allows(color, vertex) {
                    return Some(vertex);
                }
            }
        }
        None
    }

    /// A move beside the last one that makes a known shape.
    #[inline(always)]
    fn shape_near(&self, color: usize, last: usize, shapes: &Shapes, rng: &mut Rng) -> Option<usize> {
        let mut moves = Choice::NONE;
        for n in Self::around(last) {
            if self.cells[n] == EMPTY
                && shapes.contains(color, self.shape_code(n))
                && self.allows(color, n)
                && !self.is_wasted(color, n)
            {
                moves.add(n);
            }
        }
        moves.draw(rng)
    }

    /// Captures a chain that is still in atari, the newest first. Forgets those that are not.
    #[inline(always)]
    fn hunt(&self, color: usize, hot: &mut Hot) -> Option<usize> {
        let mut at = hot.count;
        while at > 0 {
            at -= 1;
            let stone = usize::from(hot.stones[at & 15]);
            let cell = self.cell(stone);
            let liberty = if cell == EMPTY { NOWHERE } else { self.only_liberty(self.chain_of(stone)) };
            if liberty == NOWHERE {
                hot.stones.copy_within((at & 15) + 1.., at & 15);
                hot.count -= 1;
            } else if cell == STONE[1 - color] && self.allows(color, liberty) {
                return Some(liberty);
            }
        }
        None
    }

    /// A random move that is no own eye and, mostly, does not put own stones in atari for nothing.
    #[inline(always)]
    fn anywhere(&mut self, color: usize, safe: u64, rng: &mut Rng) -> Option<usize> {
        let mut left = self.empty_count();
        while left > 0 {
            let place = rng.below(left);
            let vertex = self.empty_at(place);
            let surroundings = self.surroundings(vertex);
            let open = surroundings >> 6;
            if open >= 2
                || ((open == 1
                    || (!self.is_eye_within(color, vertex, surroundings) && self.is_legal_enclosed(color, vertex)))
                    && !(self.is_wasted(color, vertex) && rng.next_u64() & 255 < safe))
            {
                return Some(vertex);
            }
            left -= 1;
            self.swap_empties(place, left);
        }
        None
    }

    /// Whether a stone here puts an own chain of two stones or more in atari for nothing.
    #[inline]
    fn is_wasted(&self, color: usize, vertex: usize) -> bool {
        if self.surroundings(vertex) >> 6 >= 2 {
            return false;
        }
        let (few, stones) = self.liberties_after(color, vertex);
        few.count < 2 && stones >= 2 && !self.makes_nakade(color, vertex, stones)
    }
}
