//! The referee's board: stones, chains, exact captures and the hash of the position. It knows no history and no turn.

use std::fmt;

use crate::zobrist::{self, CELLS};
use crate::{Color, Point, Size};

/// A cell without a stone. Cells of stones hold their colour's index.
pub(crate) const EMPTY: u8 = 2;
/// A cell of the border.
pub(crate) const EDGE: u8 = 3;
/// No cell.
pub(crate) const NONE: u16 = u16::MAX;

/// A stone's place in its chain: a ring through all its stones. `size` counts at the head only.
#[derive(Clone, Copy, Debug)]
struct Link {
    next: u16,
    head: u16,
    size: u16,
}

const NO_LINK: Link = Link { next: NONE, head: NONE, size: 0 };

/// What a stone did when it was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// How many stones it removed; they are at the end of the log.
    pub removed: u16,
    /// The removed stones are the mover's own, the placed one among them.
    pub suicide: bool,
    /// The cell where retaking at once would restore the position before, or [`NONE`].
    pub ko: u16,
}

/// Stones on a board of any size up to 25x25, with their chains.
///
/// Inside, cells lie row by row with one border cell after each row and a border row below and above, so that every point
/// has four neighbours. Two boards are equal when the same stones lie on boards of the same size.
pub struct Board {
    size: Size,
    /// Cells from one row to the next: width + 1.
    stride: u16,
    cells: Vec<u8>,
    links: Vec<Link>,
    hash: u64,
    count: [u16; 2],
}

/// Copies `from` into `into`, reusing its memory, in pieces of at most 2 KiB: longer copies meet a slow path of the C
/// library on processors with fast short `rep movsb` when the addresses differ by a few bytes modulo 4096 (a factor of 20).
pub(crate) fn copy_in_pieces<T: Copy>(into: &mut Vec<T>, from: &[T]) {
    into.clear();
    into.reserve(from.len());
    for piece in from.chunks(2048 / size_of::<T>().max(1)) {
        into.extend_from_slice(piece);
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        let mut board = Board { cells: Vec::new(), links: Vec::new(), ..*self };
        copy_in_pieces(&mut board.cells, &self.cells);
        copy_in_pieces(&mut board.links, &self.links);
        board
    }

    fn clone_from(&mut self, source: &Self) {
        let Board { size, stride, cells, links, hash, count } = self;
        (*size, *stride, *hash, *count) = (source.size, source.stride, source.hash, source.count);
        copy_in_pieces(cells, &source.cells);
        copy_in_pieces(links, &source.links);
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.hash == other.hash && self.cells == other.cells
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Board {}", self.size)?;
        for row in (0..self.size.height()).rev() {
            for column in 0..self.size.width() {
                let stone = self.size.point(column, row).and_then(|p| self.stone(p));
                f.write_str(match stone {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None => ".",
                })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        let stride = size.width() + 1;
        let len = (size.height() + 2) * stride;
        let mut cells = vec![EDGE; len];
        for row in 0..size.height() {
            let start = (row + 1) * stride;
            cells[start..start + size.width()].fill(EMPTY);
        }
        Board { size, stride: stride as u16, cells, links: vec![NO_LINK; len], hash: 0, count: [0; 2] }
    }

    /// The size.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stone on `point`; `None` when it is empty or not on this board.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        if !self.size.contains(point) {
            return None;
        }
        Color::from_index(usize::from(self.cells[self.cell(point)]))
    }

    /// The points of a colour's stones, in index order.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        self.size.iter().filter(move |&p| self.stone(p) == Some(color))
    }

    /// How many stones of a colour lie on the board.
    #[inline]
    pub fn count(&self, color: Color) -> usize {
        usize::from(self.count[color.index()])
    }

    /// The hash of the position: equal positions of one size have equal hashes.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The stones of the chain on `point`, in index order; empty when there is no stone.
    pub fn chain(&self, point: Point) -> Vec<Point> {
        if self.stone(point).is_none() {
            return Vec::new();
        }
        let mut chain: Vec<Point> = self.ring(self.cell(point)).map(|c| self.point(c)).collect();
        chain.sort_unstable();
        chain
    }

    /// The liberties of the chain on `point`, each once, in index order; empty when there is no stone.
    pub fn liberties(&self, point: Point) -> Vec<Point> {
        if self.stone(point).is_none() {
            return Vec::new();
        }
        let mut liberties: Vec<Point> = self
            .ring(self.cell(point))
            .flat_map(|stone| self.neighbors(stone))
            .filter(|&n| self.cells[n] == EMPTY)
            .map(|n| self.point(n))
            .collect();
        liberties.sort_unstable();
        liberties.dedup();
        liberties
    }

    // ---- cells ----

    /// The cell of a point of this board.
    #[inline(always)]
    pub(crate) fn cell(&self, point: Point) -> usize {
        point.index() + point.row(self.size) + self.size.width() + 1
    }

    /// The point of a cell on the board.
    #[inline]
    pub(crate) fn point(&self, cell: usize) -> Point {
        let stride = usize::from(self.stride);
        self.size.point_at(cell - cell / stride - self.size.width()).expect("a cell that is on the board")
    }

    /// All cells: colours, [`EMPTY`] and [`EDGE`].
    #[inline(always)]
    pub(crate) fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Cells from one row to the next.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        usize::from(self.stride)
    }

    /// The four neighbours of a cell on the board.
    #[inline(always)]
    pub(crate) fn neighbors(&self, cell: usize) -> [usize; 4] {
        let stride = usize::from(self.stride);
        [cell - stride, cell - 1, cell + 1, cell + stride]
    }

    /// The head of the chain of a stone: the same cell for all its stones.
    #[inline(always)]
    pub(crate) fn head(&self, cell: usize) -> usize {
        usize::from(self.links[cell].head)
    }

    /// The stones of the chain of the stone on `cell`.
    pub(crate) fn ring(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next = Some(cell);
        std::iter::from_fn(move || {
            let stone = next?;
            let after = usize::from(self.links[stone].next);
            next = (after != cell).then_some(after);
            Some(stone)
        })
    }

    /// The number of liberties of the chain of the stone on `cell`, 2 standing for two or more.
    #[inline]
    pub(crate) fn liberties_to_two(&self, cell: usize) -> u8 {
        let mut first = 0;
        let mut stone = cell;
        loop {
            for n in self.neighbors(stone) {
                if self.cells[n] == EMPTY && n != first {
                    if first != 0 {
                        return 2;
                    }
                    first = n;
                }
            }
            stone = usize::from(self.links[stone].next);
            if stone == cell {
                return u8::from(first != 0);
            }
        }
    }

    /// The number of liberties of the chain of the stone on `cell`, 3 standing for three or more.
    pub(crate) fn liberties_to_three(&self, cell: usize) -> u8 {
        let mut found = [0; 2];
        let mut count = 0;
        for stone in self.ring(cell) {
            for n in self.neighbors(stone) {
                if self.cells[n] == EMPTY && !found[..count].contains(&n) {
                    if count == 2 {
                        return 3;
                    }
                    found[count] = n;
                    count += 1;
                }
            }
        }
        count as u8
    }

    /// The number of stones of the chain of the stone on `cell`.
    #[inline]
    pub(crate) fn chain_len(&self, cell: usize) -> u16 {
        self.links[self.head(cell)].size
    }

    #[inline]
    fn has_liberty(&self, cell: usize) -> bool {
        let mut stone = cell;
        loop {
            if self.neighbors(stone).into_iter().any(|n| self.cells[n] == EMPTY) {
                return true;
            }
            stone = usize::from(self.links[stone].next);
            if stone == cell {
                return false;
            }
        }
    }

    /// The combined key of all stones of the chain on `cell`.
    pub(crate) fn chain_key(&self, cell: usize) -> u64 {
        let color = usize::from(self.cells[cell]);
        self.ring(cell).fold(0, |key, stone| key ^ zobrist::stone(color, stone))
    }

    /// The hash of the position computed from nothing.
    pub(crate) fn recomputed_hash(&self) -> u64 {
        let stones = self.cells.iter().enumerate().filter(|&(_, &c)| c < EMPTY);
        stones.fold(0, |hash, (cell, &c)| hash ^ zobrist::stone(usize::from(c), cell))
    }

    // ---- changes ----

    #[inline]
    fn set(&mut self, cell: usize, color: Color) {
        self.cells[cell] = color as u8;
        self.count[color.index()] += 1;
        self.hash ^= zobrist::stone(color.index(), cell);
    }

    #[inline]
    fn clear(&mut self, cell: usize, color: Color) {
        self.cells[cell] = EMPTY;
        self.count[color.index()] -= 1;
        self.hash ^= zobrist::stone(color.index(), cell);
    }

    /// Removes a chain, appends its cells to `log` and returns their number.
    fn remove_chain(&mut self, cell: usize, color: Color, log: &mut Vec<u16>) -> u16 {
        let mut removed = 0;
        let mut stone = cell;
        loop {
            let next = usize::from(self.links[stone].next);
            self.clear(stone, color);
            log.push(stone as u16);
            removed += 1;
            stone = next;
            if stone == cell {
                return removed;
            }
        }
    }

    /// Joins two different chains of one colour; the smaller one is relabelled.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.head(a), self.head(b));
        let (big, small) = if self.links[a].size >= self.links[b].size { (a, b) } else { (b, a) };
        self.links[big].size += self.links[small].size;
        let mut stone = small;
        loop {
            self.links[stone].head = big as u16;
            stone = usize::from(self.links[stone].next);
            if stone == small {
                break;
            }
        }
        let next = self.links[big].next;
        self.links[big].next = self.links[small].next;
        self.links[small].next = next;
    }

    /// Places a stone on an empty cell: first enemy chains without liberty are removed, then the mover's own.
    pub(crate) fn place(&mut self, cell: usize, color: Color, log: &mut Vec<u16>) -> Placed {
        debug_assert_eq!(self.cells[cell], EMPTY);
        let enemy = color.opponent();
        self.set(cell, color);
        self.links[cell] = Link { next: cell as u16, head: cell as u16, size: 1 };
        let neighbors = self.neighbors(cell);
        let mut removed = 0;
        for n in neighbors {
            if self.cells[n] == enemy as u8 && !self.has_liberty(n) {
                removed += self.remove_chain(n, enemy, log);
            }
        }
        for n in neighbors {
            if self.cells[n] == color as u8 && self.head(n) != self.head(cell) {
                self.join(cell, n);
            }
        }
        if removed == 0 && !self.has_liberty(cell) {
            let removed = self.remove_chain(cell, color, log);
            return Placed { removed, suicide: true, ko: NONE };
        }
        // A lone stone that took a lone stone and has no other liberty could be retaken at once.
        let single = removed == 1 && self.links[cell].size == 1 && self.head(cell) == cell;
        let retakable = single && neighbors.into_iter().filter(|&n| self.cells[n] == EMPTY).count() == 1;
        let ko = if retakable { log.last().copied().unwrap_or(NONE) } else { NONE };
        Placed { removed, suicide: false, ko }
    }

    /// Takes back [`Board::place`]: the same cell and colour, with the stones it removed.
    pub(crate) fn take_back(&mut self, cell: usize, color: Color, removed: &[u16], suicide: bool) {
        let removed_color = if suicide { color } else { color.opponent() };
        if !suicide {
            self.unchain(cell);
            self.clear(cell, color);
        }
        for &r in removed {
            let r = usize::from(r);
            self.set(r, removed_color);
            self.links[r] = NO_LINK;
        }
        if suicide {
            self.clear(cell, color);
        } else {
            for n in self.neighbors(cell) {
                self.rechain(n, color);
            }
        }
        for &r in removed {
            self.rechain(usize::from(r), removed_color);
        }
    }

    /// Sets or removes a stone without any capture; [`Board::rebuild`] must follow.
    pub(crate) fn put(&mut self, point: Point, stone: Option<Color>) {
        let cell = self.cell(point);
        if let Some(old) = self.stone(point) {
            self.clear(cell, old);
        }
        if let Some(new) = stone {
            self.set(cell, new);
        }
    }

    /// Finds all chains anew.
    pub(crate) fn rebuild(&mut self) {
        self.links.fill(NO_LINK);
        for cell in 0..self.cells.len() {
            if let Some(color) = Color::from_index(usize::from(self.cells[cell])) {
                self.rechain(cell, color);
            }
        }
    }

    /// Marks the stones of a chain as belonging to none.
    fn unchain(&mut self, cell: usize) {
        let mut stone = cell;
        loop {
            self.links[stone].head = NONE;
            stone = usize::from(self.links[stone].next);
            if stone == cell {
                return;
            }
        }
    }

    /// Builds the chain of the stone on `cell` if that stone is of `color` and belongs to none. The ring under construction
    /// is the queue of the search.
    fn rechain(&mut self, cell: usize, color: Color) {
        if self.cells[cell] != color as u8 || self.links[cell].head != NONE {
            return;
        }
        self.links[cell] = Link { next: NONE, head: cell as u16, size: 1 };
        let (mut stone, mut last, mut size) = (cell, cell, 1);
        loop {
            for n in self.neighbors(stone) {
                if self.cells[n] == color as u8 && self.links[n].head == NONE {
                    self.links[n] = Link { next: NONE, head: cell as u16, size: 0 };
                    self.links[last].next = n as u16;
                    last = n;
                    size += 1;
                }
            }
            if stone == last {
                break;
            }
            stone = usize::from(self.links[stone].next);
        }
        self.links[last].next = cell as u16;
        self.links[cell].size = size;
    }

    /// Whether chains and counts are what the stones say; for tests.
    ///
    /// # Errors
    /// A sentence about the first difference.
    pub fn verify(&self) -> Result<(), String> {
        if self.hash != self.recomputed_hash() {
            return Err("the hash is not that of the stones".to_owned());
        }
        let mut fresh = self.clone();
        fresh.rebuild();
        for color in Color::ALL {
            let count = self.stones(color).count();
            if count != self.count(color) {
                return Err(format!("{} {color} stones are counted as {}", count, self.count(color)));
            }
            for point in self.stones(color) {
                let cell = self.cell(point);
                if self.chain(point) != fresh.chain(point) {
                    return Err(format!("the chain of {} is wrong", point.text(self.size)));
                }
                let head = self.head(cell);
                let size = usize::from(self.links[head].size);
                if !self.ring(cell).any(|c| c == head) || self.ring(cell).any(|c| self.head(c) != head) {
                    return Err(format!("the head of {} is wrong", point.text(self.size)));
                }
                if size != self.chain(point).len() {
                    return Err(format!("the chain of {} is counted as {size}", point.text(self.size)));
                }
                if self.liberties(point).is_empty() {
                    return Err(format!("the chain of {} has no liberty", point.text(self.size)));
                }
            }
        }
        Ok(())
    }
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellSet([u64; CELLS / 64]);

impl CellSet {
    pub(crate) const EMPTY: CellSet = CellSet([0; CELLS / 64]);

    #[inline(always)]
    pub(crate) fn contains(&self, cell: usize) -> bool {
        self.0[cell >> 6] >> (cell & 63) & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, cell: usize) {
        self.0[cell >> 6] |= 1 << (cell & 63);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, cell: usize) {
        self.0[cell >> 6] &= !(1 << (cell & 63));
    }
}
