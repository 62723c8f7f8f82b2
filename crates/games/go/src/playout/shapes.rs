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
                for code in 0..1usize << 16 {
                    for (mover, table) in table.iter_mut().enumerate() {
                        // Colour 0 is Black, whose stones have the code `X`.
                        for black_is_x in [true, false] {
                            let mover_is_x = (mover == 0) == black_is_x;
                            if (mover_is_x || !only_x) && fits(&turned, code, black_is_x) {
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

fn fits(shape: &[u8; 8], code: usize, black_is_x: bool) -> bool {
    let (x, o) = if black_is_x { (X, O) } else { (O, X) };
    shape.iter().enumerate().all(|(i, wanted)| {
        let cell = code >> (2 * i) & 3;
        match wanted {
            b'X' => cell == x,
            b'O' => cell == o,
            b'x' => cell != OFF && cell != x,
            b'o' => cell != OFF && cell != o,
            b'.' => cell == FREE,
            b'?' => cell != OFF,
            b'-' => cell == OFF,
            _ => true,
        }
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
