//! Counting the board: area, territory, taxes; results as text.
//!
//! The board is counted literally: every stone on it is alive but those the players agreed dead. An empty region belongs to
//! a colour when it touches stones of that colour only; an empty board belongs to nobody.

use crate::board::{Board, EMPTY};
use crate::zobrist::CELLS;
use crate::{Color, Go, Point, Scoring, Tax};

/// What one side counts, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideScore {
    /// Living stones on the board; 0 when territory counts.
    pub stones: u32,
    /// Empty points (and points of dead enemy stones) that count.
    pub territory: u32,
    /// Enemy stones taken or dead on the board; 0 when area counts.
    pub prisoners: u32,
    /// Points given up for independent groups: two for each under [`Tax::All`].
    pub group_tax: u32,
    /// White's points for handicap stones.
    pub handicap: u32,
    /// Komi and half a point for the button, in quarter points.
    pub quarters: i32,
}

impl SideScore {
    /// All of it in quarter points.
    pub fn total(&self) -> i32 {
        let whole = i64::from(self.stones) + i64::from(self.territory) + i64::from(self.prisoners)
            - i64::from(self.group_tax)
            + i64::from(self.handicap);
        (whole * 4) as i32 + self.quarters
    }
}

/// The score of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Black's and White's.
    pub sides: [SideScore; 2],
    /// The owner of each point by [`Point::index`]: 1 Black, -1 White, 0 nobody. Points that a tax does not let count are
    /// nobody's.
    pub owner: Vec<i8>,
}

impl Score {
    /// Black's points minus White's, in quarter points.
    pub fn margin(&self) -> i32 {
        self.sides[0].total() - self.sides[1].total()
    }
}

/// A result as SGF's RE has it, from Black's margin in quarter points: `B+3.5`, `W+0.25`, `0` for a draw.
pub fn result_text(margin: i32) -> String {
    if margin == 0 {
        return "0".to_owned();
    }
    let winner = if margin > 0 { 'B' } else { 'W' };
    format!("{winner}+{}", f64::from(margin.abs()) / 4.0)
}

/// Arrays of one value a cell.
type PerCell<T> = [T; CELLS];

/// Who owns each cell of a board, dead stones taken off.
struct Count {
    cells: PerCell<u8>,
    owner: PerCell<i8>,
    size: usize,
    stride: usize,
}

impl Count {
    fn new(board: &Board, dead: &[u16]) -> Self {
        let size = board.cells().len();
        let mut cells = [EMPTY; CELLS];
        cells[..size].copy_from_slice(board.cells());
        for &cell in dead {
            cells[usize::from(cell)] = EMPTY;
        }
        let mut count = Count { cells, owner: [0; CELLS], size, stride: board.stride() };
        count.find_owners();
        count
    }

    #[inline(always)]
    fn neighbors(&self, cell: usize) -> [usize; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    fn find_owners(&mut self) {
        let mut queue = [0u16; CELLS];
        let mut seen = [false; CELLS];
        for start in 0..self.size {
            match self.cells[start] {
                0 => self.owner[start] = 1,
                1 => self.owner[start] = -1,
                EMPTY if !seen[start] => {
                    seen[start] = true;
                    queue[0] = start as u16;
                    let (mut done, mut len) = (0, 1);
                    let mut touches = 0;
                    while done < len {
                        for n in self.neighbors(usize::from(queue[done])) {
                            match self.cells[n] {
                                EMPTY if !seen[n] => {
                                    seen[n] = true;
                                    queue[len] = n as u16;
                                    len += 1;
                                }
                                color @ (0 | 1) => touches |= 1 << color,
                                _ => {}
                            }
                        }
                        done += 1;
                    }
                    let owner = match touches {
                        1 => 1,
                        2 => -1,
                        _ => 0,
                    };
                    for &cell in &queue[..len] {
                        self.owner[usize::from(cell)] = owner;
                    }
                }
                _ => {}
            }
        }
    }

    /// Cells of independently living groups, and how many groups each colour has: a group is a maximal connected set of
    /// cells of one owner. One that touches an empty point of nobody, or has a chain in atari, is in seki.
    fn independent(&self) -> (PerCell<bool>, [u32; 2]) {
        let mut alive = [false; CELLS];
        let mut groups = [0; 2];
        let mut queue = [0u16; CELLS];
        let mut seen = [false; CELLS];
        for start in 0..self.size {
            let owner = self.owner[start];
            if owner == 0 || seen[start] {
                continue;
            }
            seen[start] = true;
            queue[0] = start as u16;
            let (mut done, mut len, mut seki) = (0, 1, false);
            while done < len {
                let cell = usize::from(queue[done]);
                for n in self.neighbors(cell) {
                    if self.owner[n] == owner {
                        if !seen[n] {
                            seen[n] = true;
                            queue[len] = n as u16;
                            len += 1;
                        }
                    } else if self.cells[n] == EMPTY && self.owner[n] == 0 {
                        seki = true;
                    }
                }
                done += 1;
            }
            let members = &queue[..len];
            if seki || self.has_atari(members) {
                continue;
            }
            groups[usize::from(owner < 0)] += 1;
            for &cell in members {
                alive[usize::from(cell)] = true;
            }
        }
        (alive, groups)
    }

    /// Whether one of the chains among these cells has a single liberty.
    fn has_atari(&self, members: &[u16]) -> bool {
        let mut queue = [0u16; CELLS];
        let mut seen = [false; CELLS];
        for &start in members {
            let start = usize::from(start);
            let color = self.cells[start];
            if color >= EMPTY || seen[start] {
                continue;
            }
            seen[start] = true;
            queue[0] = start as u16;
            let (mut done, mut len) = (0, 1);
            let (mut liberty, mut liberties) = (0, 0);
            while done < len {
                for n in self.neighbors(usize::from(queue[done])) {
                    if self.cells[n] == color && !seen[n] {
                        seen[n] = true;
                        queue[len] = n as u16;
                        len += 1;
                    } else if self.cells[n] == EMPTY && n != liberty && liberties < 2 {
                        liberty = n;
                        liberties += 1;
                    }
                }
                done += 1;
            }
            if liberties < 2 {
                return true;
            }
        }
        false
    }

    /// Stones and counting empty points of each colour; empty points that do not count become nobody's.
    fn tally(&mut self, tax: Tax) -> ([u32; 2], [u32; 2], [u32; 2]) {
        let mut groups = [0; 2];
        if tax != Tax::None {
            let (alive, independent) = self.independent();
            if tax == Tax::All {
                groups = independent;
            }
            for (cell, alive) in alive.iter().enumerate().take(self.size) {
                if self.cells[cell] == EMPTY && !alive {
                    self.owner[cell] = 0;
                }
            }
        }
        let (mut stones, mut territory) = ([0; 2], [0; 2]);
        for cell in 0..self.size {
            let owner = self.owner[cell];
            if owner != 0 {
                let of = if self.cells[cell] == EMPTY { &mut territory } else { &mut stones };
                of[usize::from(owner < 0)] += 1;
            }
        }
        (stones, territory, groups)
    }
}

impl Go {
    /// The score of the board as it stands, every stone alive but those agreed dead, with komi, handicap points and button.
    pub fn score(&self) -> Score {
        self.score_without(&self.dead_stones())
    }

    /// Black's points minus White's in quarter points; as [`Go::score`], without allocation.
    pub fn margin(&self) -> i32 {
        let mut count = Count::new(&self.board, self.dead_cells());
        let [black, white] = self.sides(&mut count, self.dead_cells());
        black.total() - white.total()
    }

    /// Black's points minus White's in quarter points, were the chains on these points dead.
    pub fn margin_without(&self, dead: &[Point]) -> i32 {
        self.score_without(dead).margin()
    }

    /// The score, were the chains on these points dead. Points without stone are ignored.
    pub fn score_without(&self, dead: &[Point]) -> Score {
        let dead = chain_cells(&self.board, dead);
        let mut count = Count::new(&self.board, &dead);
        let sides = self.sides(&mut count, &dead);
        let owner = self.size().iter().map(|p| count.owner[self.board.cell(p)]).collect();
        Score { sides, owner }
    }

    fn sides(&self, count: &mut Count, dead: &[u16]) -> [SideScore; 2] {
        let options = self.options();
        let (stones, territory, groups) = count.tally(options.rules.tax);
        let mut sides = [SideScore::default(); 2];
        for color in Color::ALL {
            let i = color.index();
            let side = &mut sides[i];
            side.territory = territory[i];
            side.group_tax = 2 * groups[i];
            match options.rules.scoring {
                Scoring::Area => side.stones = stones[i],
                Scoring::Territory => {
                    let enemy = color.opponent();
                    let dead = dead.iter().filter(|&&c| self.board.cells()[usize::from(c)] == enemy as u8);
                    side.prisoners = self.captures(color) + dead.count() as u32;
                }
            }
            if self.button() == Some(color) {
                side.quarters += 2;
            }
        }
        sides[1].handicap = u32::from(options.handicap_bonus());
        sides[1].quarters += options.komi;
        sides
    }

    /// The result as SGF's RE has it: `B+3.5`, `0`, `Void`; `None` before the end.
    pub fn result(&self) -> Option<String> {
        if self.is_void() {
            Some("Void".to_owned())
        } else if self.passes() >= 2 {
            Some(result_text(self.margin()))
        } else {
            None
        }
    }
}

/// The owner of each point of a board by area: 1 Black, -1 White, 0 nobody, by [`Point::index`]. `dead` stones (with their
/// whole chains) are taken off first; points without stone are ignored.
pub fn area_owners(board: &Board, dead: &[Point]) -> Vec<i8> {
    let count = Count::new(board, &chain_cells(board, dead));
    board.size().iter().map(|p| count.owner[board.cell(p)]).collect()
}

/// The cells of the chains on these points, each once, sorted.
pub(crate) fn chain_cells(board: &Board, points: &[Point]) -> Vec<u16> {
    let stones = points.iter().filter(|&&p| board.stone(p).is_some());
    let mut cells: Vec<u16> = stones.flat_map(|&p| board.ring(board.cell(p)).map(|c| c as u16)).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}
