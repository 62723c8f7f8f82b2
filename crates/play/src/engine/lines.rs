//! Lines of input, of bounded length.

use std::io::{self, BufRead};

/// The longest line accepted, in bytes: a long game with lists of moves to avoid is some 30 KiB.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Its bytes, without the newline.
    Whole(Vec<u8>),
    /// It is longer than [`MAX_LINE_BYTES`] and was skipped.
    TooLong,
}

/// Reads the next line; `None` at the end. A line that is too long is read to its end, but not kept.
pub(crate) fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let (mut any, mut too_long) = (false, false);
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        if buffer.is_empty() {
            break;
        }
        any = true;
        let end = buffer.iter().position(|&b| b == b'\n');
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        too_long |= line.len() + piece.len() > MAX_LINE_BYTES;
        if !too_long {
            line.extend_from_slice(piece);
        }
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(match (any, too_long) {
        (false, _) => None,
        (true, true) => Some(Line::TooLong),
        (true, false) => Some(Line::Whole(line)),
    })
}

#[cfg(test)]
mod tests {
    use super::{Line, MAX_LINE_BYTES, next};
    use std::io::BufReader;

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        let mut input = BufReader::with_capacity(3, &b"one\n\nthree and more"[..]);
        let mut lines = Vec::new();
        while let Some(Line::Whole(line)) = next(&mut input).expect("memory can be read") {
            lines.push(String::from_utf8(line).expect("text"));
        }
        assert_eq!(lines, ["one", "", "three and more"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_alone() {
        let text = [vec![b'x'; MAX_LINE_BYTES + 1], b"\nok\n".to_vec(), vec![b'y'; MAX_LINE_BYTES]].concat();
        let mut input = &text[..];
        assert_eq!(next(&mut input).expect("memory"), Some(Line::TooLong));
        assert_eq!(next(&mut input).expect("memory"), Some(Line::Whole(b"ok".to_vec())));
        assert_eq!(next(&mut input).expect("memory"), Some(Line::Whole(vec![b'y'; MAX_LINE_BYTES])));
        assert_eq!(next(&mut input).expect("memory"), None);
    }
}
