//! What must not reach a terminal as it is: names, comments and ids come from anybody.

/// Whether a character controls the terminal or the order in which it shows text, instead of being shown: control characters
/// (Unicode's category Cc), line and paragraph separators, and those that turn the direction of text round, behind which one
/// text can look like another (the property Bidi_Control, Unicode Standard Annex 9).
pub fn controls_terminal(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// JSON in which every such character is written as `\uXXXX`: the same values, safe to look at. In JSON they can stand only
/// inside of texts, so each may be replaced where it stands.
pub fn escaped_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if controls_terminal(c) {
            // All of them lie below 0x10000, where one escape is enough.
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{controls_terminal, escaped_json};

    #[test]
    fn what_turns_text_round_is_escaped_and_reads_back() {
        for c in ['\u{202e}', '\u{2066}', '\u{200f}', '\u{61c}', '\u{9b}', '\u{7f}', '\u{2028}', '\u{1b}', '\n'] {
            assert!(controls_terminal(c), "{c:?}");
            let text = format!("a{c}b");
            let json = serde_json::to_string(&text).expect("a text");
            let escaped = escaped_json(&json);
            assert!(!escaped.chars().any(controls_terminal), "{escaped:?}");
            assert_eq!(serde_json::from_str::<String>(&escaped).expect("JSON"), text);
        }
        for c in ['a', ' ', '黑', 'é', 'א', '\u{200d}', '\u{fe0f}', '🂡'] {
            assert!(!controls_terminal(c), "{c:?}");
            assert_eq!(escaped_json(&c.to_string()), c.to_string());
        }
    }
}
