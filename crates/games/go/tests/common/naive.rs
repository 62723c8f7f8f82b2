//! A second engine: whole boards copied, chains found by flood fill, history as a list of boards. Slow and plain.

use kiebitz_go::KoRule;

#[derive(Clone, Debug)]
pub struct Naive {
    pub width: usize,
    pub height: usize,
    /// `.`, `X` or `O`, row by row from the bottom.
    pub cells: Vec<u8>,
    /// 0 Black, 1 White.
    pub to_move: usize,
    pub passes: usize,
    pub ko: KoRule,
    pub suicide: bool,
    /// Every position so far with the next to move and whether a board move (not a pass) made it; the first one first.
    pub history: Vec<(Vec<u8>, usize, bool)>,
    pub captures: [usize; 2],
}

const STONE: [u8; 2] = [b'X', b'O'];

impl Naive {
    pub fn new(width: usize, height: usize, ko: KoRule, suicide: bool) -> Self {
        let cells = vec![b'.'; width * height];
        let history = vec![(cells.clone(), 0, false)];
        Naive { width, height, cells, to_move: 0, passes: 0, ko, suicide, history, captures: [0; 2] }
    }

    fn neighbors(&self, at: usize) -> Vec<usize> {
        let (x, y) = (at % self.width, at / self.width);
        let mut list = Vec::new();
        if x > 0 {
            list.push(at - 1);
        }
        if x + 1 < self.width {
            list.push(at + 1);
        }
        if y > 0 {
            list.push(at - self.width);
        }
        if y + 1 < self.height {
            list.push(at + self.width);
        }
        list
    }

    /// The connected cells of equal content, and whether an empty one is next to them.
    fn chain(&self, cells: &[u8], at: usize) -> (Vec<usize>, bool) {
        let mut chain = vec![at];
        let mut seen = vec![false; cells.len()];
        seen[at] = true;
        let mut liberty = false;
        let mut i = 0;
        while i < chain.len() {
            for n in self.neighbors(chain[i]) {
                liberty |= cells[n] == b'.';
                if cells[n] == cells[at] && !seen[n] {
                    seen[n] = true;
                    chain.push(n);
                }
            }
            i += 1;
        }
        (chain, liberty)
    }

    /// The board after a stone, the number of enemy and of own stones removed; `None` when it is illegal.
    fn after(&self, at: usize, color: usize) -> Option<(Vec<u8>, usize, usize)> {
        if self.passes >= 2 || self.cells[at] != b'.' {
            return None;
        }
        let mut cells = self.cells.clone();
        cells[at] = STONE[color];
        let mut taken = 0;
        for n in self.neighbors(at) {
            if cells[n] == STONE[1 - color] {
                let (chain, liberty) = self.chain(&cells, n);
                if !liberty {
                    taken += chain.len();
                    for c in chain {
                        cells[c] = b'.';
                    }
                }
            }
        }
        let (chain, liberty) = self.chain(&cells, at);
        let mut lost = 0;
        if !liberty {
            if chain.len() == 1 || !self.suicide {
                return None;
            }
            lost = chain.len();
            for c in chain {
                cells[c] = b'.';
            }
        }
        let banned = match self.ko {
            // The position before the opponent's last move, if that was the last move.
            KoRule::Simple => match self.history.as_slice() {
                [.., before, (_, next, _)] => *next == color && before.0 == cells,
                _ => false,
            },
            KoRule::Positional => self.history.iter().any(|(old, _, _)| *old == cells),
            KoRule::Situational => self.history.iter().any(|(old, next, _)| *old == cells && *next == 1 - color),
            KoRule::Natural => {
                self.history.iter().any(|(old, next, by_move)| *by_move && *old == cells && *next == 1 - color)
            }
        };
        (!banned).then_some((cells, taken, lost))
    }

    pub fn legal_points(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&at| self.after(at, self.to_move).is_some()).collect()
    }

    /// Plays a point, or passes (`None`).
    pub fn play(&mut self, at: Option<usize>) {
        let color = self.to_move;
        match at {
            None => self.passes += 1,
            Some(at) => {
                let (cells, taken, lost) = self.after(at, color).expect("a legal move");
                self.cells = cells;
                self.captures[color] += taken;
                self.captures[1 - color] += lost;
                self.passes = 0;
            }
        }
        self.to_move = 1 - color;
        self.history.push((self.cells.clone(), self.to_move, at.is_some()));
    }

    /// Lines of exactly this length; two passes end a line.
    pub fn perft(&self, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.passes >= 2 {
            return 0;
        }
        let mut lines = 0;
        for at in self.legal_points().into_iter().map(Some).chain([None]) {
            let mut next = self.clone();
            next.play(at);
            lines += next.perft(depth - 1);
        }
        lines
    }

    /// Black's stones and the empty regions that touch only Black, minus White's.
    pub fn area(&self) -> i64 {
        let mut score = 0;
        for at in 0..self.cells.len() {
            score += match self.cells[at] {
                b'X' => 1,
                b'O' => -1,
                _ => {
                    let (region, _) = self.chain(&self.cells, at);
                    let touches = |stone: u8| {
                        region.iter().any(|&c| self.neighbors(c).into_iter().any(|n| self.cells[n] == stone))
                    };
                    i64::from(touches(b'X') && !touches(b'O')) - i64::from(touches(b'O') && !touches(b'X'))
                }
            };
        }
        score
    }
}
