//! The arguments of a command: colours, vertices, numbers.

use kiebitz_go::{Color, Move, Point, Size};

use super::framing::Fault;

/// The words after a command, taken one by one.
#[derive(Clone, Debug)]
pub(crate) struct Arguments<'a> {
    words: &'a [String],
}

impl<'a> Arguments<'a> {
    pub fn new(words: &'a [String]) -> Self {
        Arguments { words }
    }

    /// How many are left.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The next word without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        self.words.first().map(String::as_str)
    }

    /// The next word.
    pub fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// The last word; taken from the end.
    pub fn pop_last(&mut self) -> Option<&'a str> {
        let (last, rest) = self.words.split_last()?;
        self.words = rest;
        Some(last)
    }

    /// All that is left, with blanks between.
    pub fn rest(&mut self) -> String {
        std::mem::take(&mut self.words).join(" ")
    }

    /// There must be nothing left.
    pub fn finish(&self) -> Result<(), Fault> {
        if self.is_empty() { Ok(()) } else { Err(Fault::syntax()) }
    }

    /// The next word, which must be there.
    pub fn word(&mut self) -> Result<&'a str, Fault> {
        self.next().ok_or_else(Fault::syntax)
    }

    /// A colour.
    pub fn color(&mut self) -> Result<Color, Fault> {
        self.next().and_then(color).ok_or_else(Fault::vertex)
    }

    /// A vertex or `pass`.
    pub fn vertex(&mut self, size: Size) -> Result<Move, Fault> {
        self.next().and_then(|w| Move::parse(w, size).ok()).ok_or_else(Fault::vertex)
    }

    /// A vertex that is no pass.
    pub fn point(&mut self, size: Size) -> Result<Point, Fault> {
        self.vertex(size)?.point().ok_or_else(Fault::vertex)
    }

    /// A whole number.
    pub fn int(&mut self) -> Result<i64, Fault> {
        self.word()?.parse().map_err(|_| Fault::syntax())
    }

    /// A whole number that is not negative.
    pub fn count(&mut self) -> Result<u32, Fault> {
        self.word()?.parse().map_err(|_| Fault::syntax())
    }

    /// A finite number.
    pub fn number(&mut self) -> Result<f64, Fault> {
        number(self.word()?).ok_or_else(Fault::syntax)
    }

    /// A finite number that is not negative.
    pub fn amount(&mut self) -> Result<f64, Fault> {
        self.number().and_then(|x| if x >= 0.0 { Ok(x) } else { Err(Fault::syntax()) })
    }
}

/// A finite number.
pub(crate) fn number(text: &str) -> Option<f64> {
    // Rust also reads `inf`, `nan` and their like.
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    text.parse().ok().filter(|x: &f64| plain && x.is_finite())
}

/// A colour: `b`, `black`, `w`, `white` in any case.
pub(crate) fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A truth value as KataGo's commands take it.
pub(crate) fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "1" | "on" => Some(true),
        "false" | "f" | "0" | "off" => Some(false),
        _ => None,
    }
}
