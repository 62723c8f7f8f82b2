//! The character set that a tree's CA property declares, found before the tree is read.
//!
//! To find CA the values before it must be skipped, and where those end depends on the character set. So the first node
//! is walked with each way of cutting characters, and a CA counts when its own way of cutting finds it.

use super::charset::Charset;
use super::cursor::{Cursor, is_blank};

/// What a tree says about its character set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    Known(Charset),
    Unknown(String),
    Missing,
}

/// Looks for CA in the first node of the tree that starts at `start`.
///
/// `budget` is how many bytes all calls together may look at. A file that is what it seems needs four walks over each
/// first node; only one made to mislead needs more, and then CA is not found.
pub(super) fn declared(bytes: &[u8], start: usize, budget: &mut usize) -> Declared {
    let plain = find_label(bytes, start, Charset::LATIN_1, budget);
    let named = plain.label.as_deref().map(Charset::from_label);
    match named {
        Some(Some(charset)) if !charset.hides_ascii() => return Declared::Known(charset),
        None if plain.ascii_only => return Declared::Missing,
        _ => {}
    }
    for charset in [Charset::GB18030, Charset::SHIFT_JIS, Charset::BIG5] {
        let Some(label) = find_label(bytes, start, charset, budget).label else { continue };
        match Charset::from_label(&label) {
            Some(found) if found.cuts_as(charset) => return Declared::Known(found),
            _ => {}
        }
    }
    match (named, plain.label) {
        (Some(Some(charset)), _) => Declared::Known(charset),
        (_, Some(label)) => Declared::Unknown(label),
        (_, None) => Declared::Missing,
    }
}

struct Found {
    label: Option<String>,
    ascii_only: bool,
}

/// The value of the first CA in the first node, cutting characters as `charset` does.
fn find_label(bytes: &[u8], start: usize, charset: Charset, budget: &mut usize) -> Found {
    let mut cursor = Cursor::new(bytes, start);
    cursor.charset = charset;
    let label = walk_first_node(&mut cursor, start.saturating_add(*budget));
    let seen = cursor.since(start);
    *budget = budget.saturating_sub(seen.len());
    Found { label, ascii_only: seen.is_ascii() }
}

fn walk_first_node(cursor: &mut Cursor<'_>, end: usize) -> Option<String> {
    let mut name = Vec::new();
    let mut nodes = 0;
    cursor.step(); // the `(`
    loop {
        let byte = cursor.peek()?;
        if cursor.at() >= end {
            return None;
        }
        match byte {
            b';' if nodes == 0 && name.is_empty() => nodes = 1,
            b';' | b'(' | b')' => return None,
            b'[' => {
                cursor.step();
                let from = cursor.at();
                skip_value(cursor, end)?;
                if name == b"CA" {
                    return Some(String::from_utf8_lossy(cursor.since(from)).trim().chars().take(40).collect());
                }
                nodes = 1;
                // More values of the same property may follow.
            }
            b']' => name.clear(),
            b'A'..=b'Z' => {
                name.clear();
                while let Some(letter) = cursor.peek().filter(u8::is_ascii_alphanumeric) {
                    if letter.is_ascii_uppercase() && name.len() < 3 {
                        name.push(letter);
                    }
                    cursor.step();
                }
                continue;
            }
            byte if is_blank(byte) => {}
            _ => name.clear(),
        }
        cursor.step();
    }
}

/// To the `]` that ends the value.
fn skip_value(cursor: &mut Cursor<'_>, end: usize) -> Option<()> {
    loop {
        match cursor.peek()? {
            _ if cursor.at() >= end => return None,
            b']' => return Some(()),
            b'\\' => {
                cursor.step();
                cursor.step();
            }
            _ => cursor.step(),
        }
    }
}

/// Where the tree that starts at `start` ends when no character hides a `]`: good enough to look at its text.
pub(super) fn rough_end(bytes: &[u8], start: usize) -> usize {
    let mut cursor = Cursor::new(bytes, start);
    cursor.charset = Charset::LATIN_1;
    let mut open = 0usize;
    while let Some(byte) = cursor.peek() {
        match byte {
            b'(' => open += 1,
            b')' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return cursor.at() + 1;
                }
            }
            b'[' => {
                cursor.step();
                if skip_value(&mut cursor, usize::MAX).is_none() {
                    break;
                }
            }
            _ => {}
        }
        cursor.step();
    }
    bytes.len()
}
