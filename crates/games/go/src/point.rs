//! The vocabulary shared by the whole crate: colours, board sizes, points and moves, and their text.

use std::fmt;

/// The colour of a player or a stone. Black is seat 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves first (seat 0).
    Black = 0,
    /// Gets the komi (seat 1).
    White = 1,
}

impl Color {
    /// Both colours in seat order.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The other colour.
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// The seat: 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The colour of a seat (0 Black, 1 White), `None` for any other number.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            _ => None,
        }
    }
}

impl fmt::Display for Color {
    /// `black` or `white`, as GTP and the records write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// A width or height outside 1..=25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of {width}x{height} is not supported: width and height must be 1 to 25")]
pub struct SizeError {
    /// The width asked for, in points.
    pub width: usize,
    /// The height asked for, in points.
    pub height: usize,
}

impl SizeError {
    /// A stable name of this error for programs.
    pub const fn code(&self) -> &'static str {
        "go_size"
    }
}

/// The size of a board: width and height in points, each from 1 to [`Size::MAX`] (GTP's column letters end at Z).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The largest width or height.
    pub const MAX: usize = 25;

    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// [`SizeError`] when either is outside 1..=25.
    pub const fn new(width: usize, height: usize) -> Result<Self, SizeError> {
        if width >= 1 && width <= Self::MAX && height >= 1 && height <= Self::MAX {
            Ok(Size { width: width as u8, height: height as u8 })
        } else {
            Err(SizeError { width, height })
        }
    }

    /// A square board.
    ///
    /// # Errors
    /// [`SizeError`] when `side` is outside 1..=25.
    pub const fn square(side: usize) -> Result<Self, SizeError> {
        Self::new(side, side)
    }

    /// The number of columns.
    #[inline]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// The number of rows.
    #[inline]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// The number of points, 1 to 625.
    #[inline]
    pub const fn points(self) -> usize {
        self.width() * self.height()
    }

    /// The point in `column` (0 is A) and `row` (0 is row 1, the lowest), `None` when that is off the board.
    #[inline]
    pub const fn point(self, column: usize, row: usize) -> Option<Point> {
        if column < self.width() && row < self.height() {
            Some(Point((row * self.width() + column) as u16))
        } else {
            None
        }
    }

    /// The point with this dense index, `None` when the board has fewer points.
    #[inline]
    pub const fn point_at(self, index: usize) -> Option<Point> {
        if index < self.points() { Some(Point(index as u16)) } else { None }
    }

    /// Whether `point` is on the board.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        point.index() < self.points()
    }

    /// All points in index order: A1, B1, …
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator + Clone {
        (0..self.points() as u16).map(Point)
    }

    /// The two to four orthogonal neighbours of `point` (fewer on boards of one row or column), in index order.
    /// A point off the board has none.
    #[inline]
    pub fn neighbors(self, point: Point) -> impl Iterator<Item = Point> + Clone {
        let (column, row) = (point.column(self), point.row(self));
        let inside = self.contains(point);
        let (index, width) = (point.0, u16::from(self.width));
        [
            (inside && row > 0).then(|| Point(index.wrapping_sub(width))),
            (inside && column > 0).then(|| Point(index.wrapping_sub(1))),
            (inside && column + 1 < self.width()).then(|| Point(index.wrapping_add(1))),
            (inside && row + 1 < self.height()).then(|| Point(index.wrapping_add(width))),
        ]
        .into_iter()
        .flatten()
    }
}

impl fmt::Display for Size {
    /// `9x9`, or `13x9` for 13 columns and 9 rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A point as its dense index `row * width + column` with row 0 at the bottom: A1 is 0, B1 is 1.
///
/// What it means depends on the [`Size`] it was made with; [`Size::contains`] checks one from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The dense index, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, 0 is A.
    #[inline]
    pub const fn column(self, size: Size) -> usize {
        self.index() % size.width()
    }

    /// The row from the bottom, 0 is row 1.
    #[inline]
    pub const fn row(self, size: Size) -> usize {
        self.index() / size.width()
    }

    /// The GTP name on a board of `size`, such as `D4`. Does not allocate; use `to_string` on it for text.
    pub const fn text(self, size: Size) -> MoveText {
        MoveText { mv: Move(self.0), size }
    }

    /// Reads a GTP vertex in any case; `pass` is no point.
    ///
    /// # Errors
    /// See [`MoveError`]; `pass` is [`MoveError::Syntax`] here.
    pub fn parse(text: &str, size: Size) -> Result<Self, MoveError> {
        let syntax = || MoveError::Syntax { text: clip(text) };
        let bytes = text.as_bytes();
        let (letter, digits) = bytes.split_first().ok_or_else(syntax)?;
        let letter = letter.to_ascii_uppercase();
        let column = match letter {
            b'A'..=b'H' => letter - b'A',
            b'J'..=b'Z' => letter - b'A' - 1,
            b'I' => return Err(MoveError::LetterI { text: clip(text) }),
            _ => return Err(syntax()),
        };
        let row = match digits {
            [a @ b'1'..=b'9'] => a - b'0',
            [a @ b'1'..=b'9', b @ b'0'..=b'9'] => (a - b'0') * 10 + (b - b'0'),
            _ => return Err(syntax()),
        };
        size.point(usize::from(column), usize::from(row) - 1)
            .ok_or_else(|| MoveError::OffBoard { text: clip(text), size })
    }
}

/// A move: a stone on a point, or a pass. Two bytes; points sort in index order and the pass last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// The pass.
    pub const PASS: Move = Move(u16::MAX);

    /// The point of the stone, `None` for a pass.
    #[inline]
    pub const fn point(self) -> Option<Point> {
        if self.is_pass() { None } else { Some(Point(self.0)) }
    }

    /// Whether this is the pass.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 == Move::PASS.0
    }

    /// The move's text on a board of `size`: `D4` or `pass`. Does not allocate; use `to_string` on it for text.
    pub const fn text(self, size: Size) -> MoveText {
        MoveText { mv: self, size }
    }

    /// Reads a GTP vertex or `pass`, in any case and without blanks around it.
    ///
    /// # Errors
    /// [`MoveError`] when the text is no vertex or the point is off a board of `size`.
    pub fn parse(text: &str, size: Size) -> Result<Self, MoveError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::PASS);
        }
        Point::parse(text, size).map(Move::from)
    }
}

impl From<Point> for Move {
    #[inline]
    fn from(point: Point) -> Self {
        Move(point.0)
    }
}

/// A move together with the size that gives it a name; prints as GTP does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveText {
    mv: Move,
    size: Size,
}

impl fmt::Display for MoveText {
    /// `D4` or `pass`. A point off the board prints as `?` and its index.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LETTERS: &[u8; Size::MAX] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
        let Some(point) = self.mv.point() else { return f.pad("pass") };
        match LETTERS.get(point.column(self.size)) {
            Some(&letter) if self.size.contains(point) => {
                write!(f, "{}{}", char::from(letter), point.row(self.size) + 1)
            }
            _ => write!(f, "?{}", point.0),
        }
    }
}

/// Why a text is no move on this board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Neither a letter with a number nor `pass`.
    #[error("`{text}` is no move: expected a letter and a number such as D4, or pass")]
    Syntax {
        /// The text, cut to 16 characters.
        text: String,
    },
    /// Column letters leave out I.
    #[error("`{text}` is no move: columns have no letter I, after H comes J")]
    LetterI {
        /// The text, cut to 16 characters.
        text: String,
    },
    /// A vertex the board does not have.
    #[error("`{text}` is off the {size} board")]
    OffBoard {
        /// The text, cut to 16 characters.
        text: String,
        /// The board's size.
        size: Size,
    },
}

impl MoveError {
    /// A stable name of this error for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            MoveError::Syntax { .. } => "go_move_syntax",
            MoveError::LetterI { .. } => "go_move_letter_i",
            MoveError::OffBoard { .. } => "go_move_off_board",
        }
    }
}

/// Errors quote what was written, but never a megabyte of it.
fn clip(text: &str) -> String {
    text.chars().take(16).collect()
}
