//! The eight points around a move: who has stones there, where the board ends, and which orthogonal neighbours are in atari.
//!
//! A pattern is a number of 20 bits. The neighbours go clockwise from the upper left one with two bits each, lowest first:
//! 0 empty, 1 the mover's, 2 the opponent's, 3 off the board. Four more bits tell whether the upper, right, lower and left
//! neighbour belongs to a chain with one liberty. Colours are relative to the mover, so that a pattern and the one with colours
//! swapped are the same number.

/// Patterns are less than this.
pub(super) const PATTERNS: usize = 1 << 20;

/// That of a pass: no move on a board is surrounded by the border.
pub(super) const NO_PATTERN: u32 = 0xF_FFFF;

/// The eight neighbours' places in text, which is row by row with the move in the middle.
const PLACES: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];

/// A pattern turned by a quarter.
const fn turned(pattern: u32) -> u32 {
    let (points, atari) = (pattern & 0xFFFF, pattern >> 16);
    let points = (points << 4 | points >> 12) & 0xFFFF;
    let atari = (atari << 1 | atari >> 3) & 0xF;
    points | atari << 16
}

/// A pattern with left and right exchanged.
const fn mirrored(pattern: u32) -> u32 {
    // Clockwise from the upper left: 0 and 2, 7 and 3, 6 and 4 change places; 1 and 5 stay.
    let mut points = 0;
    let mut i = 0;
    while i < 8 {
        let from = (10 - i) % 8;
        points |= (pattern >> (2 * from) & 3) << (2 * i);
        i += 1;
    }
    let atari = pattern >> 16;
    let atari = atari & 0b0101 | (atari & 0b0010) << 2 | (atari & 0b1000) >> 2;
    points | atari << 16
}

/// The eight forms of a pattern under the symmetries of the square; some may be equal.
pub(super) fn symmetric(pattern: u32) -> [u32; 8] {
    let mut forms = [pattern; 8];
    for i in 1..8 {
        forms[i] = if i == 4 { mirrored(pattern) } else { turned(forms[i - 1]) };
    }
    forms
}

/// The least of the symmetric forms.
pub(super) fn canonical(pattern: u32) -> u32 {
    symmetric(pattern).into_iter().min().unwrap_or(pattern)
}

/// As text: nine characters row by row from the top, `.` empty, `X` the mover's, `O` the opponent's, `#` off the board, `*`
/// the move; `x` and `o` are neighbours in atari.
pub(super) fn text(pattern: u32) -> String {
    let mut text = [b'*'; 9];
    for (i, &place) in PLACES.iter().enumerate() {
        let atari = i % 2 == 1 && pattern >> (16 + i / 2) & 1 == 1;
        text[place] = match (pattern >> (2 * i) & 3, atari) {
            (0, _) => b'.',
            (1, false) => b'X',
            (1, true) => b'x',
            (2, false) => b'O',
            (2, true) => b'o',
            _ => b'#',
        };
    }
    text.into_iter().map(char::from).collect()
}

/// Reads what [`text`] writes.
pub(super) fn parse(text: &str) -> Option<u32> {
    let text: &[u8; 9] = text.as_bytes().try_into().ok()?;
    if text[4] != b'*' {
        return None;
    }
    let mut pattern = 0;
    for (i, &place) in PLACES.iter().enumerate() {
        let (point, atari) = match text[place] {
            b'.' => (0, false),
            b'X' => (1, false),
            b'x' => (1, true),
            b'O' => (2, false),
            b'o' => (2, true),
            b'#' => (3, false),
            _ => return None,
        };
        if atari && i % 2 == 0 {
            return None;
        }
        pattern |= point << (2 * i) | u32::from(atari) << (16 + i / 2);
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text form shows the symmetries to the eye, so it is what they are compared by.
    #[test]
    fn patterns_have_eight_forms() {
        assert_eq!(parse("XO.#*x..x"), None, "a diagonal neighbour has no atari");
        assert_eq!(parse("XO.#.x..O"), None, "the move is in the middle");
        let pattern = parse("XO.#*x.o.").expect("a pattern");
        assert_eq!(text(pattern), "XO.#*x.o.");
        assert_eq!(text(turned(pattern)), ".#Xo*O.x.");
        assert_eq!(text(mirrored(pattern)), ".OXx*#.o.");
        let forms = symmetric(pattern);
        for form in forms {
            assert_eq!(canonical(form), canonical(pattern));
            assert!(forms.contains(&turned(form)) && forms.contains(&mirrored(form)));
        }
        let mut distinct = forms.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 8);
    }
}
