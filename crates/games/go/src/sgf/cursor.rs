//! A place in the bytes of a file that moves character by character and knows its line and column.

use super::charset::Charset;
use super::warning::TextPosition;

#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    column: u32,
    /// The LF or CR just passed, 0 otherwise: the other of the two right after it belongs to the same line break.
    line_break: u8,
    pub charset: Charset,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Cursor { bytes, at, line: 1, column: 1, line_break: 0, charset: Charset::UTF_8 }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn position(&self) -> TextPosition {
        TextPosition { byte: self.at as u32, line: self.line, column: self.column }
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// All bytes from here on.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    /// The bytes from `start` to here.
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.at).unwrap_or(&[])
    }

    /// Over one character.
    #[inline]
    pub fn step(&mut self) {
        let Some(byte) = self.peek() else { return };
        match byte {
            b'\n' | b'\r' => {
                if self.line_break != 0 && self.line_break != byte {
                    self.line_break = 0;
                } else {
                    self.line_break = byte;
                    self.line = self.line.saturating_add(1);
                    self.column = 1;
                }
                self.at += 1;
            }
            _ => {
                self.at += if byte < 0x80 { 1 } else { self.charset.step(self.rest()) };
                self.at = self.at.min(self.bytes.len());
                self.column = self.column.saturating_add(1);
                self.line_break = 0;
            }
        }
    }

    /// Over blanks, line breaks and other control characters.
    pub fn skip_blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.step();
        }
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}
