//! A slow board that is obviously right: whole positions, flood fill, and the rules by their words.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use kiebitz_core::Rng;
use kiebitz_go::playout::AnyPlayoutBoard;
use kiebitz_go::{Color, Move, Point, Size};

pub type Cells = Vec<Option<Color>>;

#[derive(Clone, Debug)]
pub struct Reference {
    pub size: Size,
    pub cells: Cells,
    /// The position before the last move: simple ko forbids to make it again.
    before: Cells,
}

impl Reference {
    pub fn new(size: Size) -> Self {
        let cells = vec![None; size.points()];
        Reference { size, before: cells.clone(), cells }
    }

    /// Reads a diagram, top row first: `X` Black, `O` White, `.` empty, blanks ignored.
    pub fn from_diagram(rows: &[&str]) -> Self {
        let rows: Vec<String> = rows.iter().map(|r| r.replace(' ', "")).collect();
        let size = Size::new(rows[0].len(), rows.len()).unwrap();
        let mut board = Reference::new(size);
        for (i, row) in rows.iter().rev().enumerate() {
            assert_eq!(row.len(), size.width());
            for (column, letter) in row.chars().enumerate() {
                board.cells[size.point(column, i).unwrap().index()] = match letter {
                    'X' => Some(Color::Black),
                    'O' => Some(Color::White),
                    '.' => None,
                    other => panic!("{other} in a diagram"),
                };
            }
        }
        board.before = board.cells.clone();
        board
    }

    pub fn stone(&self, point: Point) -> Option<Color> {
        self.cells[point.index()]
    }

    pub fn stones(&self) -> Vec<(Point, Color)> {
        self.size.iter().filter_map(|p| Some((p, self.stone(p)?))).collect()
    }

    /// The maximal connected set of points that hold the same as `start`, sorted.
    pub fn region(&self, start: Point) -> Vec<Point> {
        let mut region = vec![start];
        let mut done = 0;
        while done < region.len() {
            for n in self.size.neighbors(region[done]) {
                if self.stone(n) == self.stone(start) && !region.contains(&n) {
                    region.push(n);
                }
            }
            done += 1;
        }
        region.sort();
        region
    }

    /// The distinct liberties of the chain on `point`, sorted.
    pub fn liberties(&self, point: Point) -> Vec<Point> {
        let mut liberties: Vec<Point> = self
            .region(point)
            .into_iter()
            .flat_map(|stone| self.size.neighbors(stone))
            .filter(|&n| self.stone(n).is_none())
            .collect();
        liberties.sort();
        liberties.dedup();
        liberties
    }

    /// The board after a stone, `None` when the point is occupied or the stone's chain would have no liberty.
    fn after(&self, color: Color, point: Point) -> Option<Cells> {
        if self.stone(point).is_some() {
            return None;
        }
        let mut next = self.clone();
        next.cells[point.index()] = Some(color);
        for n in self.size.neighbors(point) {
            if next.stone(n) == Some(color.opponent()) && next.liberties(n).is_empty() {
                for stone in next.region(n) {
                    next.cells[stone.index()] = None;
                }
            }
        }
        if next.liberties(point).is_empty() {
            return None;
        }
        Some(next.cells)
    }

    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.after(color, point).is_some_and(|cells| cells != self.before)
    }

    /// Plays a legal stone, or passes.
    pub fn play(&mut self, color: Color, mv: Move) {
        let cells = match mv.point() {
            Some(point) => self.after(color, point).expect("a legal move"),
            None => self.cells.clone(),
        };
        self.before = std::mem::replace(&mut self.cells, cells);
    }

    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        if self.stone(point).is_some() || self.size.neighbors(point).any(|n| self.stone(n) != Some(color)) {
            return false;
        }
        let (column, row) = (point.column(self.size) as i32, point.row(self.size) as i32);
        let diagonals: Vec<Point> = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
            .into_iter()
            .filter_map(|(dx, dy)| self.size.point(usize::try_from(column + dx).ok()?, usize::try_from(row + dy).ok()?))
            .collect();
        let enemies = diagonals.iter().filter(|&&d| self.stone(d) == Some(color.opponent())).count();
        enemies < if diagonals.len() == 4 { 2 } else { 1 }
    }

    /// What the light policy may play.
    pub fn light_moves(&self, color: Color) -> Vec<Point> {
        self.size.iter().filter(|&p| self.is_legal(color, p) && !self.is_eye(color, p)).collect()
    }

    /// The owner of each point: 1 Black, -1 White, 0 nobody.
    pub fn ownership(&self) -> Vec<i8> {
        let touches = |p: Point, color: Color| {
            self.region(p).into_iter().any(|q| self.size.neighbors(q).any(|n| self.stone(n) == Some(color)))
        };
        self.size
            .iter()
            .map(|p| match self.stone(p) {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => i8::from(touches(p, Color::Black)) - i8::from(touches(p, Color::White)),
            })
            .collect()
    }

    pub fn area_score(&self) -> i32 {
        self.ownership().into_iter().map(i32::from).sum()
    }

    /// The same position on a playout board; no ko.
    pub fn playout_board(&self) -> AnyPlayoutBoard {
        let mut board = AnyPlayoutBoard::new(self.size);
        board.set_up(self.size, self.stones(), Color::Black, None).unwrap();
        board
    }
}

/// A position after `moves` random legal moves by alternate colours.
pub fn random_position(size: Size, moves: usize, rng: &mut Rng) -> Reference {
    let mut board = Reference::new(size);
    for i in 0..moves {
        let color = Color::ALL[i % 2];
        let legal: Vec<Point> = size.iter().filter(|&p| board.is_legal(color, p)).collect();
        if legal.is_empty() {
            board.play(color, Move::PASS);
        } else {
            board.play(color, Move::from(legal[rng.below(legal.len())]));
        }
    }
    board
}
