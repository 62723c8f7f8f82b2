//! Whether a chain with one liberty is caught: in a ladder, or because extending leaves it with one liberty.

use crate::board::{Board, EMPTY};

/// Extensions looked at for one question. A ladder over the whole of a 19x19 board has about 35.
const BUDGET: u32 = 60;
/// Chains that the running chain may pick up on its way; with more it counts as free.
const JOINED: usize = 6;

/// A board on which chains run. Stones are only added, and taken back at the end: the reading stops before anything is
/// captured.
pub(super) struct Ladder<'a, const N: usize> {
    board: &'a Board,
    cells: [u8; N],
    budget: u32,
}

/// The heads of the chains that the running chain consists of, besides the stones added.
#[derive(Clone, Copy)]
struct Heads([u16; JOINED], usize);

impl Heads {
    fn contains(&self, head: usize) -> bool {
        self.0[..self.1].contains(&(head as u16))
    }

    fn push(&mut self, head: usize) -> bool {
        if self.1 == JOINED {
            return false;
        }
        self.0[self.1] = head as u16;
        self.1 += 1;
        true
    }
}

/// Up to two liberties; a third one means that the chain is free.
struct Liberties([usize; 2], usize);

impl Liberties {
    /// `false` when there would be more than two.
    fn add(&mut self, cell: usize) -> bool {
        if self.0[..self.1].contains(&cell) {
            return true;
        }
        if self.1 == 2 {
            return false;
        }
        self.0[self.1] = cell;
        self.1 += 1;
        true
    }
}

impl<'a, const N: usize> Ladder<'a, N> {
    pub fn new(board: &'a Board) -> Self {
        let mut cells = [EMPTY; N];
        let from = board.cells();
        cells[..from.len()].copy_from_slice(from);
        Ladder { board, cells, budget: 0 }
    }

    /// Whether the chain of the stone on `stone`, whose only liberty is `liberty`, is caught although its owner moves.
    pub fn is_caught(&mut self, stone: usize, liberty: usize) -> bool {
        self.budget = BUDGET;
        let color = self.cells[stone];
        self.prey_of_none(stone, color) && self.runs(Heads([0; JOINED], 0).with(self.board.head(stone)), liberty, color)
    }

    /// Whether the chain of the stone on `stone`, whose liberties are `taken` and `left`, is caught when its opponent plays
    /// on `taken`.
    pub fn is_caught_by(&mut self, stone: usize, taken: usize, left: usize) -> bool {
        self.budget = BUDGET;
        let color = self.cells[stone];
        // What is quickly free needs no stones on the board.
        let open = self.board.neighbors(left).into_iter().filter(|&n| n != taken && self.cells[n] == EMPTY).count();
        if open >= 3 || !self.prey_of_none(stone, color) {
            return false;
        }
        self.chased(Heads([0; JOINED], 0).with(self.board.head(stone)), taken, left, color)
    }

    /// Whether no opponent's chain next to this chain is in atari itself: capturing it would be a way out.
    fn prey_of_none(&self, stone: usize, color: u8) -> bool {
        self.board.ring(stone).all(|s| {
            self.board.neighbors(s).into_iter().all(|n| self.cells[n] != color ^ 1 || self.has_two_liberties(n))
        })
    }

    /// The pursuer plays on `taken`; the chain is left with `left`.
    fn chased(&mut self, chain: Heads, taken: usize, left: usize, color: u8) -> bool {
        self.cells[taken] = color ^ 1;
        let caught = self.has_two_liberties(taken) && self.runs(chain, left, color);
        self.cells[taken] = EMPTY;
        caught
    }

    /// The chain, in atari, extends to `at`.
    fn runs(&mut self, chain: Heads, at: usize, color: u8) -> bool {
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        self.cells[at] = color;
        let caught = self.extended(chain, at, color);
        self.cells[at] = EMPTY;
        caught
    }

    fn extended(&mut self, mut chain: Heads, at: usize, color: u8) -> bool {
        let mut liberties = Liberties([0; 2], 0);
        let board = self.board;
        for n in board.neighbors(at) {
            if self.cells[n] == EMPTY {
                if !liberties.add(n) {
                    return false;
                }
            } else if self.cells[n] == color {
                // Stones that were added belong to the chain already.
                if board.cells()[n] != color || chain.contains(board.head(n)) {
                    continue;
                }
                if !chain.push(board.head(n)) {
                    return false;
                }
                for stone in board.ring(n) {
                    for l in board.neighbors(stone) {
                        if self.cells[l] == EMPTY && !liberties.add(l) {
                            return false;
                        }
                        if self.cells[l] == color ^ 1 && !self.has_two_liberties(l) {
                            return false;
                        }
                    }
                }
            } else if self.cells[n] == color ^ 1 && !self.has_two_liberties(n) {
                return false;
            }
        }
        let Liberties([a, b], count) = liberties;
        count < 2 || self.chased(chain, a, b, color) || self.chased(chain, b, a, color)
    }

    /// Whether the chain of the stone on `stone`, added ones included, has two liberties.
    fn has_two_liberties(&self, stone: usize) -> bool {
        let color = self.cells[stone];
        let mut first = usize::MAX;
        let mut seen = [0u64; 11];
        let mut queue = [0u16; 64];
        let (mut next, mut len) = (0, 1);
        queue[0] = stone as u16;
        seen[stone >> 6] |= 1 << (stone & 63);
        while next < len {
            let at = usize::from(queue[next]);
            next += 1;
            for n in self.board.neighbors(at) {
                if self.cells[n] == EMPTY {
                    if first != usize::MAX && first != n {
                        return true;
                    }
                    first = n;
                } else if self.cells[n] == color && seen[n >> 6] >> (n & 63) & 1 == 0 {
                    seen[n >> 6] |= 1 << (n & 63);
                    if len == queue.len() {
                        return true;
                    }
                    queue[len] = n as u16;
                    len += 1;
                }
            }
        }
        false
    }
}

impl Heads {
    fn with(mut self, head: usize) -> Self {
        self.push(head);
        self
    }
}
