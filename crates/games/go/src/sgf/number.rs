//! Numbers as files write them.

/// What a value says as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// As the standard wants it: sign, digits, point, digits.
    Plain(f64),
    /// Understood: a comma for the point, blanks, a unit behind it.
    Loose(f64),
    /// Not understood.
    Bad,
}

impl Number {
    pub fn value(self) -> Option<f64> {
        match self {
            Number::Plain(value) | Number::Loose(value) => Some(value),
            Number::Bad => None,
        }
    }
}

/// Reads a decimal number. Digits behind the number make it unreadable: `3 3/4` is not 3.
pub(super) fn number(raw: &str) -> Number {
    if let Some((value, "")) = leading_number(raw) {
        return Number::Plain(value);
    }
    // No number is longer, and files may be.
    if raw.len() > 200 {
        return Number::Bad;
    }
    let dotted = raw.trim().replace(',', ".");
    let mut joined = String::new();
    for part in dotted.split_inclusive(['.', '+', '-']) {
        joined.push_str(if joined.ends_with(['.', '+', '-']) { part.trim_start() } else { part });
        if joined.ends_with('.') {
            let blank = joined.trim_end_matches('.').trim_end().len();
            joined.truncate(blank);
            joined.push('.');
        }
    }
    match leading_number(&joined) {
        Some((value, rest)) if !rest.contains(|c: char| c.is_numeric()) => Number::Loose(value),
        _ => Number::Bad,
    }
}

/// The decimal number at the start of `text`, and what follows it.
fn leading_number(text: &str) -> Option<(f64, &str)> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(unsigned);
    let after = unsigned.get(whole..)?;
    let fraction = after.strip_prefix('.').map_or(0, |after| digits(after) + 1);
    if whole + fraction.saturating_sub(1) == 0 {
        return None;
    }
    let length = text.len() - unsigned.len() + whole + fraction;
    let value: f64 = text.get(..length)?.trim_start_matches('+').parse().ok()?;
    value.is_finite().then_some((value, text.get(length..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sgf_numbers() {
        for (raw, expected) in [
            ("6.5", Number::Plain(6.5)),
            ("0", Number::Plain(0.0)),
            ("-5", Number::Plain(-5.0)),
            ("+7", Number::Plain(7.0)),
            ("7.", Number::Plain(7.0)),
            (".5", Number::Plain(0.5)),
            ("6,5", Number::Loose(6.5)),
            (" 6.5 ", Number::Loose(6.5)),
            ("6. 5", Number::Loose(6.5)),
            ("6 .5", Number::Loose(6.5)),
            ("- 6,5", Number::Loose(-6.5)),
            ("6.5 points", Number::Loose(6.5)),
            ("5目", Number::Loose(5.0)),
            ("", Number::Bad),
            (" ", Number::Bad),
            (".", Number::Bad),
            ("-", Number::Bad),
            ("abc", Number::Bad),
            ("3 3/4", Number::Bad),
            ("1e5", Number::Bad),
            ("6.5.5", Number::Bad),
            ("5½", Number::Bad),
            ("nan", Number::Bad),
            ("inf", Number::Bad),
        ] {
            assert_eq!(number(raw), expected, "{raw:?}");
        }
        assert_eq!(number(&"9".repeat(500)), Number::Bad);
    }
}
