//! The 3x3 shapes that playouts answer locally (Gelly, Wang, Munos & Teytaud, "Modification of UCT with patterns in
//! Monte-Carlo Go", 2006): hane, cuts, and moves at the edge.

use std::sync::LazyLock;

use super::board::PlayoutBoard;

/// Codes of a cell: two bits of the index of a shape.
const FREE: usize = 0;
const X: usize = 1;
const O: usize = 2;
const OFF: usize = 3;

/// Shapes around the empty centre, rows from the top. `X` and `O` are the two colours (either way round); `x` is anything on
/// the board but `X`, `o` but `O`; `.` is empty, `?` anything on the board, `-` off the board, `*` anything at all. The
/// middle is where to play. The first flag: only when the mover is `X`.
const SHAPES: [(bool, [&str; 3]); 13] = [
    // Hane: enclosing, not cutting, at a bend.
    (false, ["XOX", ".*.", "???"]),
    (false, ["XO.", ".*.", "?.?"]),
    (false, ["XO?", "X*.", "x.?"]),
    // A thin hane, only for the one who bends around.
    (true, ["XOO", ".*.", "?.?"]),
    // Cuts, unprotected or peeped at, and pushing through.
    (false, ["XO?", "O*o", "?o?"]),
    (false, ["XO?", "O*X", "???"]),
    (false, ["?X?", "O*O", "ooo"]),
    (false, ["OX?", "o*O", "???"]),
    // At the edge: chase, block a cut, block a connection, come down, cut.
    (false, ["X.?", "O*?", "---"]),
    (false, ["OX?", "X*O", "---"]),
    (false, ["?X?", "x*O", "---"]),
    (false, ["?XO", "x*x", "---"]),
    (false, ["?OX", "X*O", "---"]),
];

/// For each colour to move, which of the 4^8 surroundings are such a shape.
pub(super) struct Shapes([Box<[u64; 1024]>; 2]);

static SHAPES_TABLE: LazyLock<Shapes> = LazyLock::new(Shapes::build);

impl Shapes {
    /// The table, made on first use.
    pub(super) fn get() -> &'static Self {
        &SHAPES_TABLE
    }

    /// Whether a stone of `color` makes a shape in this surrounding, see [`PlayoutBoard::shape_code`].
    #[inline(always)]
    pub(super) fn contains(&self, color: usize, code: usize) -> bool {
        self.0[color & 1][(code >> 6) & 1023] >> (code & 63) & 1 != 0
    }

    fn build() -> Self {
        let mut table = [Box::new([0u64; 1024]), Box::new([0u64; 1024])];
        for (only_x, rows) in &SHAPES {
            for turn in 0..8 {
                let turned = turned(rows, turn);
                for black_is_x in [true, false] {
                    for code in codes(&turned, black_is_x) {
                        for (mover, table) in table.iter_mut().enumerate() {
                            // Colour 0 is Black, whose stones have the code `X`.
                            if (mover == 0) == black_is_x || !only_x {
                                table[code >> 6] |= 1 << (code & 63);
                            }
                        }
                    }
                }
            }
        }
        Shapes(table)
    }
}

/// The eight neighbours of the centre in the order of a code's bit pairs: rows from the top.
const AROUND: [(usize, usize); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)];

/// A shape turned and mirrored in one of eight ways, as its eight neighbours.
fn turned(rows: &[&str; 3], turn: usize) -> [u8; 8] {
    AROUND.map(|(row, column)| {
        let (mut r, mut c) = (row, column);
        if turn & 1 != 0 {
            c = 2 - c;
        }
        if turn & 2 != 0 {
            r = 2 - r;
        }
        if turn & 4 != 0 {
            (r, c) = (c, r);
        }
        rows[r].as_bytes()[c]
    })
}

/// All surroundings that are this shape. Listed cell by cell: of all 65,536 few are.
fn codes(shape: &[u8; 8], black_is_x: bool) -> Vec<usize> {
    let (x, o) = if black_is_x { (X, O) } else { (O, X) };
    let fits = |wanted: u8, cell: usize| match wanted {
        b'X' => cell == x,
        b'O' => cell == o,
        b'x' => cell != OFF && cell != x,
        b'o' => cell != OFF && cell != o,
        b'.' => cell == FREE,
        b'?' => cell != OFF,
        b'-' => cell == OFF,
        _ => true,
    };
    shape.iter().enumerate().fold(vec![0], |begun, (i, &wanted)| {
        let cells = || (0..4).filter(|&cell| fits(wanted, cell));
        begun.iter().flat_map(|code| cells().map(move |cell| code | cell << (2 * i))).collect()
    })
}

impl<const N: usize> PlayoutBoard<N> {
    /// The eight points around a vertex as one number of 16 bits, two for each: empty, Black, White, border.
    #[inline(always)]
    pub(super) fn shape_code(&self, vertex: usize) -> usize {
        let s = Self::STRIDE;
        let code = |at: usize| {
            let cell = usize::from(self.cells[Self::at(at)]);
            (cell & 1) | (cell >> 2 & 2)
        };
        code(vertex + s + N - 1)
            | code(vertex + s) << 2
            | code(vertex + s + 1) << 4
            | code(vertex + N - 1) << 6
            | code(vertex + 1) << 8
            | code(vertex + N - s - 1) << 10
            | code(vertex + N - s) << 12
            | code(vertex + N - s + 1) << 14
    }
}
