//! Liberties, captures and ladders on the playout board, which itself knows pseudo-liberties only.

use super::board::{COUNT_SHIFT, EMPTY, NONE, PlayoutBoard, STONE, SUM_SHIFT, is_only};

/// How many stones are laid to read a ladder. A ladder across a 19x19 board has less; what is longer counts as an escape.
const LADDER_STONES: u32 = 100;

/// Up to three different vertices; the count stops there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few {
    pub vertices: [u16; 3],
    pub count: usize,
}

impl Few {
    const NONE: Few = Few { vertices: [NONE; 3], count: 0 };

    /// Adds a vertex that is not there yet; `true` when there are three now.
    #[inline(always)]
    fn add(&mut self, vertex: usize) -> bool {
        let v = vertex as u16;
        if self.count >= 3 {
            return true;
        }
        if !self.vertices[..self.count].contains(&v) {
            self.vertices[self.count] = v;
            self.count += 1;
        }
        self.count == 3
    }
}

impl<const N: usize> PlayoutBoard<N> {
    /// The chain of a stone.
    #[inline(always)]
    pub(super) fn chain_of(&self, stone: usize) -> usize {
        Self::at(usize::from(self.chains[Self::at(stone)]))
    }

    /// The only liberty of a chain in atari, else [`NONE`].
    #[inline(always)]
    pub(super) fn only_liberty(&self, chain: usize) -> usize {
        let liberties = self.liberties[Self::at(chain)];
        let count = liberties >> COUNT_SHIFT;
        // Five pairs or more are at least two liberties: a point has four neighbours.
        if count == 0 || count > 4 {
            return usize::from(NONE);
        }
        let sum = (liberties >> SUM_SHIFT) & ((1 << (COUNT_SHIFT - SUM_SHIFT)) - 1);
        let only = (sum / count) as usize;
        if is_only(liberties, only) { Self::at(only) } else { usize::from(NONE) }
    }

    /// The liberties of a chain, up to three.
    #[inline]
    pub(super) fn few_liberties(&self, chain: usize) -> Few {
        let mut few = Few::NONE;
        self.add_liberties(chain, usize::from(NONE), &mut few);
        few
    }

    /// Adds the liberties of a chain but `except`; stops at three.
    #[inline]
    fn add_liberties(&self, chain: usize, except: usize, few: &mut Few) {
        let head = Self::at(chain);
        let mut stone = head;
        loop {
            for n in Self::neighbors(stone) {
                if self.cells[n] == EMPTY && n != except && few.add(n) {
                    return;
                }
            }
            stone = Self::at(usize::from(self.next[stone]));
            if stone == head {
                return;
            }
        }
    }

    /// The liberties that a stone of `color` on the empty `vertex` would have, up to three, and the number of its
    /// chain's stones. A chain it captures counts with the point that touches the new stone.
    pub(super) fn liberties_after(&self, color: usize, vertex: usize) -> (Few, u32) {
        let (own, enemy) = (STONE[color], STONE[1 - color]);
        let mut few = Few::NONE;
        let mut stones = 1;
        let mut joined = [usize::MAX; 4];
        for (i, n) in Self::neighbors(vertex).into_iter().enumerate() {
            let cell = self.cells[n];
            if cell == EMPTY {
                few.add(n);
            } else if cell == own {
                let chain = self.chain_of(n);
                if !joined.contains(&chain) {
                    joined[i] = chain;
                    stones += u32::from(self.lengths[chain]);
                    if few.count < 3 {
                        self.add_liberties(chain, vertex, &mut few);
                    }
                }
            } else if cell == enemy && is_only(self.liberties[self.chain_of(n)], vertex) {
                few.add(n);
            }
        }
        (few, stones)
    }

    /// Whether `color`, to move, saves its chain in atari by playing at its only liberty: it has two liberties then and no
    /// ladder catches it, or more.
    pub(super) fn escapes(&self, color: usize, liberty: usize, read_ladder: bool) -> bool {
        let (few, _) = self.liberties_after(color, liberty);
        match few.count {
            0 | 1 => false,
            2 if read_ladder => {
                let mut board = *self;
                board.put_down(color, liberty);
                let mut left = LADDER_STONES;
                !board.is_caught(color, liberty, &mut left)
            }
            _ => true,
        }
    }

    /// Whether the enemy, to move, catches the chain of `color` on `stone`, which has two liberties, by putting it in atari
    /// again and again.
    fn is_caught(&self, color: usize, stone: usize, left: &mut u32) -> bool {
        let few = self.few_liberties(self.chain_of(stone));
        match few.count {
            0 | 1 => return true,
            2 => {}
            _ => return false,
        }
        if self.has_hostage(color, stone) {
            return false;
        }
        for (side, other) in [(0, 1), (1, 0)] {
            let (hunt, flee) = (usize::from(few.vertices[side]), usize::from(few.vertices[other]));
            if *left < 2 {
                return false;
            }
            if !self.allows(1 - color, hunt) {
                continue;
            }
            *left -= 2;
            let mut board = *self;
            board.put_down(1 - color, hunt);
            // A stone in atari next to the chain lets it out by capturing; no way to flee is the end.
            if board.has_hostage(color, stone) {
                continue;
            }
            if !board.allows(color, flee) {
                return true;
            }
            board.put_down(color, flee);
            if board.is_caught(color, flee, left) {
                return true;
            }
        }
        false
    }

    /// Whether an enemy chain next to the chain on `stone` is in atari.
    fn has_hostage(&self, color: usize, stone: usize) -> bool {
        self.hostage(color, self.chain_of(stone)) != usize::from(NONE)
    }

    /// The point that captures an enemy chain in atari next to a chain of `color`, else [`NONE`].
    pub(super) fn hostage(&self, color: usize, chain: usize) -> usize {
        let enemy = STONE[1 - color];
        let head = Self::at(chain);
        let mut stone = head;
        loop {
            for n in Self::neighbors(stone) {
                if self.cells[n] == enemy {
                    let capture = self.only_liberty(self.chain_of(n));
                    if capture != usize::from(NONE) {
                        return capture;
                    }
                }
            }
            stone = Self::at(usize::from(self.next[stone]));
            if stone == head {
                return usize::from(NONE);
            }
        }
    }

    /// Whether a stone of `color` on an empty vertex is legal.
    #[inline(always)]
    pub(super) fn allows(&self, color: usize, vertex: usize) -> bool {
        self.surroundings(vertex) >= u32::from(EMPTY) || self.is_legal_enclosed(color, vertex)
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn put_down(&mut self, color: usize, vertex: usize) {
        let vertex = Self::at(vertex);
        self.place(color, vertex, usize::from(self.places[vertex]), self.surroundings(vertex));
    }
}
