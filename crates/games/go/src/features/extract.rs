//! The features of every move of a position.
//!
//! Everything about chains (size, liberties, whether a ladder catches them) is found once per position; a move then looks at
//! its eight neighbours. Nothing allocates.

use super::ladder::Ladder;
use super::levels::{self, Capture, Extend, Group, Levels, SelfAtari, Short, Threat, border_level, distance_level};
use crate::board::{EDGE, EMPTY};
use crate::{Go, Move, Point};

/// Liberties of a chain that are known by place; more are only counted.
const KNOWN: usize = 4;

/// A chain, kept at its head.
#[derive(Clone, Copy)]
struct Chain {
    liberties: u8,
    /// What [`Scene::fate`] found.
    fate: u8,
    known: [u16; KNOWN],
}

const ASKED: u8 = 1;
/// In atari, and lost even when its owner moves; or with two liberties, and the opponent catches it by playing on the first,
/// or on the second.
const CAUGHT: u8 = 2;
const CAUGHT_BY: [u8; 2] = [2, 4];

/// A position seen by the player to move. `N` is at least the number of cells of the board.
struct Scene<'a, const N: usize> {
    go: &'a Go,
    cells: &'a [u8],
    own: u8,
    ladders: bool,
    chains: [Chain; N],
    ladder: Ladder<'a, N>,
    /// Rows of bits: the columns with a stone within three lines.
    near: [u32; 25],
    last: [Option<Point>; 2],
}

/// Calls `each` with the place of every action in `actions` and its features. Without `ladders`, chains count as free.
pub(super) fn extract(go: &Go, actions: &[Move], ladders: bool, each: impl FnMut(usize, &Levels)) {
    match go.board().cells().len() {
        0..=110 => Scene::<110>::new(go, ladders).each(actions, each),
        111..=210 => Scene::<210>::new(go, ladders).each(actions, each),
        211..=420 => Scene::<420>::new(go, ladders).each(actions, each),
        _ => Scene::<704>::new(go, ladders).each(actions, each),
    }
}

impl<'a, const N: usize> Scene<'a, N> {
    fn new(go: &'a Go, ladders: bool) -> Self {
        let board = go.board();
        let cells = board.cells();
        let mut chains = [Chain { liberties: 0, fate: 0, known: [0; KNOWN] }; N];
        let size = go.size();
        let mut stones = [0u32; 25];
        for (row, stones) in stones.iter_mut().enumerate().take(size.height()) {
            let start = (row + 1) * board.stride();
            for (column, cell) in (start..start + size.width()).enumerate() {
                if cells[cell] != EMPTY {
                    *stones |= 1 << column;
                    continue;
                }
                let mut heads = [usize::MAX; 4];
                for (i, n) in board.neighbors(cell).into_iter().enumerate() {
                    if cells[n] >= EMPTY {
                        continue;
                    }
                    let head = board.head(n);
                    if heads.contains(&head) {
                        continue;
                    }
                    heads[i] = head;
                    let chain = &mut chains[head];
                    if let Some(known) = chain.known.get_mut(usize::from(chain.liberties)) {
                        *known = cell as u16;
                    }
                    chain.liberties = chain.liberties.saturating_add(1);
                }
            }
        }
        let mut last = [None; 2];
        for (slot, (_, mv)) in last.iter_mut().zip(go.moves().rev()) {
            *slot = mv.point();
        }
        let near = dilated(&stones, size.height());
        Scene { go, cells, own: go.to_move() as u8, ladders, chains, ladder: Ladder::new(board), near, last }
    }

    fn each(&mut self, actions: &[Move], mut each: impl FnMut(usize, &Levels)) {
        for (i, action) in actions.iter().enumerate() {
            let levels = match action.point() {
                Some(point) => self.levels(point),
                None => Levels::of(Group::Pass, pass_level(self.go)),
            };
            each(i, &levels);
        }
    }

    /// What ladders say of a chain; found when first asked for.
    fn fate(&mut self, head: usize) -> u8 {
        let Chain { liberties, fate, known } = self.chains[head];
        if fate != 0 || !self.ladders {
            return fate;
        }
        let known = known.map(usize::from);
        let fate = match liberties {
            1 if self.ladder.is_caught(head, known[0]) => ASKED | CAUGHT,
            2 => {
                let first = self.ladder.is_caught_by(head, known[0], known[1]);
                let second = self.ladder.is_caught_by(head, known[1], known[0]);
                ASKED | (u8::from(first) * CAUGHT_BY[0]) | (u8::from(second) * CAUGHT_BY[1])
            }
            _ => ASKED,
        };
        self.chains[head].fate = fate;
        fate
    }

    /// Whether the chain is next to a chain of the player to move that is in atari. Returns the number of its stones.
    fn saved_by_taking(&self, head: usize) -> u16 {
        let board = self.go.board();
        let mut saved = 0;
        for stone in board.ring(head) {
            for n in board.neighbors(stone) {
                if self.cells[n] == self.own && self.chains[board.head(n)].liberties == 1 {
                    saved = saved.max(board.chain_len(n));
                }
            }
        }
        saved
    }

    #[inline]
    fn levels(&mut self, point: Point) -> Levels {
        let (go, own) = (self.go, self.own);
        let (board, size) = (go.board(), go.size());
        let cell = board.cell(point);
        let stride = board.stride();
        let mut levels = Levels::default();

        // Clockwise from the upper left, as patterns have it. Only the lower left corner has a neighbour before the first cell.
        let around = [
            cell + stride - 1,
            cell + stride,
            cell + stride + 1,
            cell + 1,
            (cell + 1).wrapping_sub(stride),
            cell - stride,
            (cell - stride).wrapping_sub(1),
            cell - 1,
        ];
        let mut code = 0u32;
        let mut heads = [usize::MAX; 4];
        let mut liberties = Few::default();
        let (mut capture, mut extend) = (Capture::None, Extend::None);
        let (mut ataris, mut threat, mut presses) = (0, Threat::None, false);
        let (mut relieves, mut ladder_out, mut touches, mut taken) = (false, false, false, 0);
        let mut joined = 1u16;
        let mut hemmed = false;
        for (i, n) in around.into_iter().enumerate() {
            let stone = self.cells.get(n).copied().unwrap_or(EDGE);
            let seen = match stone {
                EMPTY => 0,
                EDGE => 3,
                color => 1 + u32::from(color != own),
            };
            code |= seen << (2 * i);
            if i % 2 == 0 {
                continue;
            }
            if stone == EMPTY {
                liberties.add(n as u16);
            }
            if stone >= EMPTY {
                continue;
            }
            touches = true;
            let head = board.head(n);
            let Chain { liberties: count, known, .. } = self.chains[head];
            if count == 1 {
                code |= 1 << (16 + i / 2);
            }
            if heads.contains(&head) {
                continue;
            }
            heads[i / 2] = head;
            let stones = board.chain_len(n);
            if stone == own {
                joined += stones;
                for &l in known.iter().take(usize::from(count).min(KNOWN)) {
                    if usize::from(l) != cell {
                        liberties.add(l);
                    }
                }
                if usize::from(count) > KNOWN {
                    liberties.full();
                }
                match count {
                    1 => {
                        let caught = self.fate(head) & CAUGHT != 0;
                        extend = extend.max(Extend::of(stones, caught));
                    }
                    2 => {
                        relieves = true;
                        ladder_out |= self.fate(head) & (CAUGHT_BY[0] | CAUGHT_BY[1]) != 0;
                    }
                    _ => {}
                }
            } else {
                match count {
                    1 => {
                        liberties.add(n as u16);
                        taken += stones;
                        let saved = self.saved_by_taking(head);
                        let retakes = self.last[0]
                            .map(|last| board.cell(last))
                            .is_some_and(|last| self.cells[last] < EMPTY && board.head(last) == head);
                        let caught = self.fate(head) & CAUGHT != 0;
                        capture = capture.max(Capture::of(stones, saved, retakes, caught));
                    }
                    2 => {
                        ataris += 1;
                        let by = if usize::from(known[0]) == cell { CAUGHT_BY[0] } else { CAUGHT_BY[1] };
                        let caught = self.fate(head) & by != 0;
                        threat = threat.max(Threat::of(stones, caught));
                        hemmed = true;
                    }
                    3 => presses = true,
                    _ => {}
                }
            }
        }
        if taken > 1 {
            liberties.full();
        }
        let after = liberties.len();
        levels.pattern = code;
        let column = point.column(size);
        let row = point.row(size);
        levels.set(Group::Capture, capture as u16);
        if capture == Capture::None {
            if after <= 1 {
                levels.set(Group::SelfAtari, SelfAtari::of(joined, hemmed || presses) as u16);
            }
            // Extending that leaves one liberty is told by the group of self-atari.
            if after >= 2 {
                levels.set(Group::Extend, extend as u16);
            }
            if touches {
                levels.set(Group::Liberties, levels::liberties_level(after));
            }
        }
        if ataris > 1 {
            threat = Threat::Double;
        }
        levels.set(Group::Atari, threat as u16);
        levels.set(Group::Short, Short::of(presses, relieves && after >= 3, ladder_out && after >= 2) as u16);
        if is_enclosed(code) && crate::knowledge::is_own_eye(go, go.to_move(), point) {
            levels.set(Group::Eye, 1);
        }
        let line = column.min(row).min(size.width() - 1 - column).min(size.height() - 1 - row);
        levels.set(Group::Border, border_level(size, line, self.near[row] >> column & 1 == 1));
        for (group, last) in [Group::Last, Group::Before].into_iter().zip(self.last) {
            if let Some(last) = last {
                let (dx, dy) = (column.abs_diff(last.column(size)), row.abs_diff(last.row(size)));
                levels.set(group, distance_level(dx + dy + dx.max(dy)));
            }
        }
        levels
    }
}

fn pass_level(go: &Go) -> u16 {
    match go.passes() {
        0 => 1 + u16::from(go.ply() as usize * 2 > go.size().points()),
        _ => 3,
    }
}

/// Whether all four orthogonal neighbours in a pattern are the mover's stones or off the board.
fn is_enclosed(code: u32) -> bool {
    [1, 3, 5, 7].into_iter().all(|i| code >> (2 * i) & 1 == 1)
}

/// A few different liberties, as many as matter.
#[derive(Default)]
struct Few([u16; KNOWN], usize);

impl Few {
    fn add(&mut self, cell: u16) {
        if self.1 < KNOWN && !self.0[..self.1].contains(&cell) {
            self.0[self.1] = cell;
            self.1 += 1;
        }
    }

    fn full(&mut self) {
        self.1 = KNOWN;
    }

    fn len(&self) -> usize {
        self.1
    }
}

/// The bits within three columns and three rows of a set one.
fn dilated(rows: &[u32; 25], height: usize) -> [u32; 25] {
    let wide = rows.map(|r| r | r << 1 | r >> 1 | r << 2 | r >> 2 | r << 3 | r >> 3);
    let mut near = [0; 25];
    for (row, near) in near.iter_mut().enumerate().take(height) {
        for r in &wide[row.saturating_sub(3)..(row + 4).min(height)] {
            *near |= r;
        }
    }
    near
}
