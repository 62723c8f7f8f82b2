//! Text and SimpleText: escapes, line breaks and composed values.
//!
//! `FF[4]`: a backslash makes the next character plain text; a backslash before a line break removes it (soft line break);
//! other line breaks stay in Text and become blanks in SimpleText; all other white space is a blank. LF, CR, CR LF and
//! LF CR are each one line break.

/// The text of a raw Text value, with line breaks as `\n`.
pub fn text(raw: &str) -> String {
    decode(raw, '\n')
}

/// The text of a raw SimpleText value: one line.
pub fn simple_text(raw: &str) -> String {
    decode(raw, ' ')
}

fn decode(raw: &str, line_break: char) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    let mut escaped = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '\n' | '\r' => {
                let other = if c == '\n' { '\r' } else { '\n' };
                chars.next_if_eq(&other);
                if !escaped {
                    out.push(line_break);
                }
            }
            '\t' | '\x0B' | '\x0C' => out.push(' '),
            c => out.push(c),
        }
        escaped = false;
    }
    out
}

/// Makes a raw value of any text: `]` and `\` get a backslash, line breaks become `\n`.
pub fn escape(text: &str) -> String {
    encode(text, false)
}

/// Makes one part of a raw composed value such as `dd:label` of any text: as [`escape`], and `:` gets a backslash.
pub fn escape_part(text: &str) -> String {
    encode(text, true)
}

fn encode(text: &str, colon: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            ']' | '\\' => out.extend(['\\', c]),
            ':' if colon => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Splits a raw composed value at its first colon without backslash; both parts are raw.
pub fn split_composed(raw: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, byte) in raw.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b':' => return Some((raw.get(..at)?, raw.get(at + 1..)?)),
            _ => {}
        }
    }
    None
}

/// Whether a raw value may stand between `[` and `]` as it is.
pub(super) fn is_raw_value(raw: &str) -> bool {
    let mut escaped = false;
    for byte in raw.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b']' => return false,
            _ => {}
        }
    }
    !escaped
}
