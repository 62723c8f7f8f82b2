//! The fast board: stones, chains, pseudo-liberties and empty points in fixed arrays, with simple ko and no undo.

use super::vertex::stride;
use crate::Size;

// A cell is a bit field, so that the sum over four neighbours counts Black (bits 0..3), White (bits 3..6) and empty
// points (bits 6..) at once. The border counts as both colours: "own or border" is then one comparison.
pub(super) const BLACK: u8 = 1;
pub(super) const WHITE: u8 = 1 << 3;
pub(super) const BORDER: u8 = BLACK | WHITE;
pub(super) const EMPTY: u8 = 1 << 6;

/// What a stone of each colour looks like in a cell, by [`crate::Color::index`].
pub(super) const STONE: [u8; 2] = [BLACK, WHITE];

/// How far the count of each colour is shifted in a sum of neighbours, by [`crate::Color::index`].
const SHIFT: [u32; 2] = [0, 3];

/// No vertex: index 0 is a corner of the border on every board.
pub(super) const NONE: u16 = 0;

/// A ko as one word: where it may not be taken back, and who may not.
#[inline(always)]
pub(super) const fn ko_word(color: usize, vertex: usize) -> u16 {
    vertex as u16 | (color as u16) << 15
}

// The liberties of a chain in one word: how many pairs (stone, empty neighbour) there are, the sum of the empty
// neighbours' indices and the sum of their squares. The sums are over pairs, so a liberty next to two stones counts
// twice ("pseudo-liberties"); adding or removing one is a single addition. A chain of s stones has at most 2s + 2 pairs,
// so at most 1252 on 25x25 (11 bits); indices there are below 702, so the sums need 20 and 30 bits.
pub(super) const COUNT_SHIFT: u32 = 50;
pub(super) const SUM_SHIFT: u32 = 30;

/// The word of one pair whose liberty is `vertex`.
#[inline(always)]
pub(super) fn liberty(vertex: usize) -> u64 {
    let v = vertex as u64;
    (1 << COUNT_SHIFT) + v * ((1 << SUM_SHIFT) + v)
}

/// Whether every liberty of a chain is `vertex` (also when it has none). Count times the word of `vertex` has the sums
/// that only `count` equal liberties have: with a mean of `vertex` and a variance of 0.
#[inline(always)]
pub(super) fn is_only(liberties: u64, vertex: usize) -> bool {
    (liberties >> COUNT_SHIFT).wrapping_mul(liberty(vertex)) == liberties
}

/// A board for playouts with room for `N` vertices, border included; see [`super::AnyPlayoutBoard`] for the capacities.
///
/// It knows captures, suicide (never legal) and simple ko. It enforces no turn order, keeps no history and cannot undo:
/// copy it. It is a plain value without heap memory.
///
/// Aligned to 64 bytes because copies of more than 2 KiB between blocks that are 1 to 31 bytes apart modulo 4096 are
/// a hundred times slower on some processors (`rep movsb`).
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct PlayoutBoard<const N: usize> {
    /// Per vertex: [`BLACK`], [`WHITE`], [`EMPTY`] or [`BORDER`].
    pub(super) cells: [u8; N],
    /// Per chain: its liberties. The places of empty points and of the border hold rubbish.
    pub(super) liberties: [u64; N],
    /// Per stone: its chain, named by one of its vertices. Empty points and the border name themselves, so that an update
    /// of "the chain of a neighbour" needs no test: it hits an unused place.
    pub(super) chains: [u16; N],
    /// Per stone: the next stone of its chain, in a circle.
    pub(super) next: [u16; N],
    /// Per chain: its number of stones.
    pub(super) lengths: [u16; N],
    /// The empty points, in no order; the first `empty_count` count.
    pub(super) empties: [u16; N],
    /// Per empty point: its place in `empties`.
    pub(super) places: [u16; N],
    pub(super) empty_count: u16,
    /// [`ko_word`] of the ko that may not be taken now, or [`NONE`].
    pub(super) ko: u16,
    /// Black stones minus White stones on the board.
    pub(super) lead: i16,
    pub(super) size: Size,
}

impl<const N: usize> PlayoutBoard<N> {
    pub(super) const STRIDE: usize = stride(N);

    /// Distances to the neighbours: right, left, up, down.
    const ORTHOGONAL: [usize; 4] = [1, N - 1, Self::STRIDE, N - Self::STRIDE];
    const DIAGONAL: [usize; 4] = [Self::STRIDE + 1, Self::STRIDE - 1, N - Self::STRIDE + 1, N - Self::STRIDE - 1];

    /// The largest width and height of a board of this capacity.
    pub const MAX_SIDE: usize = Self::STRIDE - 1;

    const LARGEST: Size = match Size::square(Self::MAX_SIDE) {
        Ok(size) => size,
        Err(_) => panic!("the stride of every capacity leaves at most 25 columns"),
    };

    /// An empty board of the largest size of this capacity.
    pub fn new() -> Self {
        let mut board = PlayoutBoard {
            cells: [BORDER; N],
            liberties: [0; N],
            chains: [0; N],
            next: [0; N],
            lengths: [0; N],
            empties: [0; N],
            places: [0; N],
            empty_count: 0,
            ko: NONE,
            lead: 0,
            size: Self::LARGEST,
        };
        board.clear(Self::LARGEST);
        board
    }

    /// An index in `0..N`, which spares every bounds check. No effect on the indices of a sound board.
    #[inline(always)]
    pub(super) const fn at(index: usize) -> usize {
        index & (N - 1)
    }

    #[inline(always)]
    pub(super) const fn neighbors(vertex: usize) -> [usize; 4] {
        let d = Self::ORTHOGONAL;
        [Self::at(vertex + d[0]), Self::at(vertex + d[1]), Self::at(vertex + d[2]), Self::at(vertex + d[3])]
    }

    /// The eight points around a vertex.
    #[inline(always)]
    pub(super) const fn around(vertex: usize) -> [usize; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (Self::neighbors(vertex), Self::diagonals(vertex));
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    const fn diagonals(vertex: usize) -> [usize; 4] {
        let d = Self::DIAGONAL;
        [Self::at(vertex + d[0]), Self::at(vertex + d[1]), Self::at(vertex + d[2]), Self::at(vertex + d[3])]
    }

    /// The counts of the four neighbours of `vertex`, packed as the cells are.
    #[inline(always)]
    pub(super) fn surroundings(&self, vertex: usize) -> u32 {
        Self::neighbors(vertex).iter().map(|&n| u32::from(self.cells[n])).sum()
    }

    #[inline(always)]
    pub(super) fn found_chain(&mut self, vertex: usize, liberties: u64) {
        let vertex = Self::at(vertex);
        self.chains[vertex] = vertex as u16;
        self.next[vertex] = vertex as u16;
        self.lengths[vertex] = 1;
        self.liberties[vertex] = liberties;
    }

    #[inline(always)]
    pub(super) fn join_chain(&mut self, vertex: usize, chain: u16, liberties: u64) {
        let (vertex, head) = (Self::at(vertex), Self::at(usize::from(chain)));
        self.chains[vertex] = chain;
        self.next[vertex] = self.next[head];
        self.next[head] = vertex as u16;
        self.lengths[head] += 1;
        self.liberties[head] = self.liberties[head].wrapping_add(liberties);
    }

    /// Makes two chains one; nothing happens when they are one already. The shorter is renamed.
    #[inline(always)]
    pub(super) fn merge_chains(&mut self, a: u16, b: u16) {
        if a == b {
            return;
        }
        let (a, b) = (Self::at(usize::from(a)), Self::at(usize::from(b)));
        let (keep, gone) = if self.lengths[a] >= self.lengths[b] { (a, b) } else { (b, a) };
        self.lengths[keep] += self.lengths[gone];
        self.liberties[keep] = self.liberties[keep].wrapping_add(self.liberties[gone]);
        let mut stone = gone;
        loop {
            self.chains[stone] = keep as u16;
            let next = Self::at(usize::from(self.next[stone]));
            if next == gone {
                break;
            }
            stone = next;
        }
        self.next[stone] = self.next[keep];
        self.next[keep] = gone as u16;
    }

    /// Takes a chain off the board and returns how many stones it had.
    #[inline(never)]
    fn remove_chain(&mut self, chain: u16) -> u16 {
        let head = Self::at(usize::from(chain));
        let mut stone = head;
        let mut count = self.empty_count;
        loop {
            let next = Self::at(usize::from(self.next[stone]));
            self.cells[stone] = EMPTY;
            self.chains[stone] = stone as u16;
            self.empties[Self::at(usize::from(count))] = stone as u16;
            self.places[stone] = count;
            count += 1;
            // Neighbours of the same chain that are still named by it only spoil its place, which is unused from now on.
            for n in Self::neighbors(stone) {
                let liberties = &mut self.liberties[Self::at(usize::from(self.chains[n]))];
                *liberties = liberties.wrapping_add(liberty(stone));
            }
            if next == head {
                break;
            }
            stone = next;
        }
        let removed = count - self.empty_count;
        self.empty_count = count;
        removed
    }

    /// Puts a stone on an empty point, without asking whether that is legal. `place` is the point's place in the list of
    /// empty points and `surroundings` what [`PlayoutBoard::surroundings`] says of it.
    #[inline(always)]
    pub(super) fn place(&mut self, color: usize, vertex: usize, place: usize, surroundings: u32) {
        let vertex = Self::at(vertex);
        let (own, enemy) = (STONE[color], STONE[1 - color]);
        let last = usize::from(self.empty_count.wrapping_sub(1));
        let moved = self.empties[Self::at(last)];
        self.empties[Self::at(place)] = moved;
        self.places[Self::at(usize::from(moved))] = place as u16;
        self.empty_count = last as u16;
        self.cells[vertex] = own;
        self.ko = NONE;

        let mut gained = 0;
        let mut friends = 0u32;
        let mut captured = 0u32;
        for (d, n) in Self::neighbors(vertex).into_iter().enumerate() {
            let cell = self.cells[n];
            let liberties = &mut self.liberties[Self::at(usize::from(self.chains[n]))];
            *liberties = liberties.wrapping_sub(liberty(vertex));
            // Only the last of several neighbours of one chain sees it without liberties.
            captured |= u32::from(cell == enemy && *liberties == 0) << d;
            friends |= u32::from(cell == own) << d;
            gained += if cell == EMPTY { liberty(n) } else { 0 };
        }

        let neighbors = Self::neighbors(vertex);
        if friends == 0 {
            self.found_chain(vertex, gained);
        } else {
            self.join_chain(vertex, self.chains[neighbors[friends.trailing_zeros() as usize & 3]], gained);
            friends &= friends - 1;
            while friends != 0 {
                self.merge_chains(self.chains[vertex], self.chains[neighbors[friends.trailing_zeros() as usize & 3]]);
                friends &= friends - 1;
            }
        }
        let mut change = 1;
        if captured != 0 {
            let mut removed = 0;
            let mut last_chain = NONE;
            while captured != 0 {
                last_chain = self.chains[neighbors[captured.trailing_zeros() as usize & 3]];
                removed += self.remove_chain(last_chain);
                captured &= captured - 1;
            }
            // A stone among enemies only that takes one stone is alone and has one liberty: taking it back would repeat.
            if removed == 1 && (surroundings >> SHIFT[1 - color]) & 7 == 4 {
                self.ko = ko_word(1 - color, usize::from(last_chain));
            }
            change += removed as i16;
        }
        self.lead += if color == 0 { change } else { -change };
    }

    #[inline(always)]
    pub(super) fn cell(&self, vertex: usize) -> u8 {
        self.cells[Self::at(vertex)]
    }

    #[inline(always)]
    pub(super) fn empty_count(&self) -> usize {
        usize::from(self.empty_count)
    }

    #[inline(always)]
    pub(super) fn empty_at(&self, place: usize) -> usize {
        usize::from(self.empties[Self::at(place)])
    }

    /// Swaps two places of the list of empty points.
    #[inline(always)]
    pub(super) fn swap_empties(&mut self, a: usize, b: usize) {
        let (va, vb) = (self.empties[Self::at(a)], self.empties[Self::at(b)]);
        self.empties[Self::at(a)] = vb;
        self.empties[Self::at(b)] = va;
        self.places[Self::at(usize::from(vb))] = a as u16;
        self.places[Self::at(usize::from(va))] = b as u16;
    }

    /// Whether a stone on an empty point without empty neighbours is neither suicide nor takes back a ko: it captures, or
    /// joins a chain that has another liberty.
    #[inline(always)]
    pub(super) fn is_legal_enclosed(&self, color: usize, vertex: usize) -> bool {
        let (own, enemy) = (STONE[color], STONE[1 - color]);
        // One after the other: deciding early is faster than gathering four chains into a vector.
        let allows = |n: usize| {
            let only = is_only(self.liberties[Self::at(usize::from(self.chains[n]))], vertex);
            let cell = self.cells[n];
            cell == if only { enemy } else { own }
        };
        let [right, left, up, down] = Self::neighbors(vertex);
        let legal = allows(right) || allows(left) || allows(up) || allows(down);
        legal && ko_word(color, vertex) != self.ko
    }

    /// Whether an empty point is a simple eye, given its surroundings.
    #[inline(always)]
    pub(super) fn is_eye_within(&self, color: usize, vertex: usize, surroundings: u32) -> bool {
        if (surroundings >> SHIFT[color]) & 7 != 4 {
            return false;
        }
        // All four are own or border here, and only the border counts as the enemy too.
        let mut enemies = u32::from((surroundings >> SHIFT[1 - color]) & 7 != 0);
        for n in Self::diagonals(vertex) {
            enemies += u32::from(self.cells[n] == STONE[1 - color]);
        }
        enemies < 2
    }
}

impl<const N: usize> Default for PlayoutBoard<N> {
    fn default() -> Self {
        Self::new()
    }
}
