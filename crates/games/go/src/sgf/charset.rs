//! Character sets: their names in CA, and where one character ends in the bytes.
//!
//! In Shift_JIS, Big5 and GB18030 the second byte of a character may be `]` or `\`, so the reader walks over characters
//! and not over bytes. [`Charset::step`] cuts where the Encoding Standard's decoders do (pinned by a test against them).

use std::borrow::Cow;

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// A character set in which ASCII bytes that start a character are ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    encoding: &'static Encoding,
    steps: Steps,
}

/// How characters are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    /// A byte from 0x80 never has an ASCII byte as its second one.
    Bytes,
    Utf8,
    ShiftJis,
    Gb18030,
    Big5,
    EucKr,
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset { encoding: UTF_8, steps: Steps::Utf8 };
    /// GB18030, which holds GBK and GB2312.
    pub const GB18030: Charset = Charset { encoding: GB18030, steps: Steps::Gb18030 };
    /// Shift_JIS with the extensions of Windows.
    pub const SHIFT_JIS: Charset = Charset { encoding: SHIFT_JIS, steps: Steps::ShiftJis };
    /// Big5 with the Hong Kong additions.
    pub const BIG5: Charset = Charset { encoding: BIG5, steps: Steps::Big5 };
    /// EUC-KR with the extensions of Windows.
    pub const EUC_KR: Charset = Charset { encoding: EUC_KR, steps: Steps::EucKr };
    /// Latin-1 (ISO-8859-1), read as windows-1252 as all browsers do.
    pub const LATIN_1: Charset = Charset { encoding: WINDOWS_1252, steps: Steps::Bytes };

    /// The character set of a CA value: the labels of the Encoding Standard in any case, and some that programs write.
    /// `None` for unknown ones and for those in which ASCII bytes can mean something else (UTF-16, ISO-2022-JP).
    pub fn from_label(label: &str) -> Option<Charset> {
        let label = label.trim();
        let encoding = Encoding::for_label(label.as_bytes()).or_else(|| {
            let plain: String =
                label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
            Some(match plain.as_str() {
                "utf8" => UTF_8,
                "gb18030" | "gb2312" | "gbk" | "gb" | "cp936" | "936" | "windows936" => GB18030,
                "big5" | "cp950" | "950" | "windows950" => BIG5,
                "shiftjis" | "sjis" | "cp932" | "932" | "windows932" => SHIFT_JIS,
                "euckr" | "cp949" | "949" | "ksc5601" | "uhc" => EUC_KR,
                "latin1" | "iso88591" | "cp1252" | "ansi" => WINDOWS_1252,
                _ => return None,
            })
        })?;
        if !encoding.is_ascii_compatible() || encoding.name() == "replacement" {
            return None;
        }
        let steps = match encoding.name() {
            "UTF-8" => Steps::Utf8,
            "Shift_JIS" => Steps::ShiftJis,
            "GBK" | "gb18030" => Steps::Gb18030,
            "Big5" => Steps::Big5,
            "EUC-KR" => Steps::EucKr,
            _ => Steps::Bytes,
        };
        Some(Charset { encoding, steps })
    }

    /// The name in the Encoding Standard, such as `UTF-8` or `windows-1252`.
    pub fn name(self) -> &'static str {
        self.encoding.name()
    }

    /// Whether the second byte of a character may be `]` or `\`.
    pub(super) fn hides_ascii(self) -> bool {
        matches!(self.steps, Steps::ShiftJis | Steps::Gb18030 | Steps::Big5)
    }

    /// Whether both cut characters in the same way.
    pub(super) fn cuts_as(self, other: Charset) -> bool {
        self.steps == other.steps
    }

    /// The bytes of the first character, at least 1; what follows bytes that mean nothing is never swallowed with them
    /// when it is ASCII.
    #[inline]
    pub(super) fn step(self, bytes: &[u8]) -> usize {
        let &[first, ref rest @ ..] = bytes else { return 1 };
        if first < 0x80 || self.steps == Steps::Bytes {
            return 1;
        }
        let lead = match self.steps {
            Steps::Bytes => false,
            Steps::Utf8 => return rest.iter().take(3).take_while(|&&b| b & 0xC0 == 0x80).count() + 1,
            Steps::ShiftJis => matches!(first, 0x81..=0x9F | 0xE0..=0xFC),
            Steps::Gb18030 | Steps::Big5 | Steps::EucKr => matches!(first, 0x81..=0xFE),
        };
        match (lead, rest) {
            (false, _) | (_, []) => 1,
            (_, [0x30..=0x39, 0x81..=0xFE, 0x30..=0x39, ..]) if self.steps == Steps::Gb18030 => 4,
            (_, &[second, ..]) if second >= 0x80 => 2,
            (_, &[0x40..=0x7E, ..]) if self.is_character(bytes) => 2,
            _ => 1,
        }
    }

    /// Whether the first two bytes are a character.
    fn is_character(self, bytes: &[u8]) -> bool {
        let Some(pair) = bytes.get(..2) else { return false };
        let mut buffer = [0; 16];
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let (result, ..) = decoder.decode_to_utf8_without_replacement(pair, &mut buffer, true);
        matches!(result, encoding_rs::DecoderResult::InputEmpty)
    }

    /// The text of `bytes` and how many replacement characters had to be put in.
    pub(super) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, usize) {
        let (text, bad) = self.encoding.decode_without_bom_handling(bytes);
        let count = if bad { text.matches('\u{FFFD}').count().max(1) } else { 0 };
        (text, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_core::Rng;

    /// Cutting first and decoding the pieces gives the text of decoding at once, whatever the bytes.
    #[test]
    fn sgf_steps_cut_where_the_decoders_do() {
        let mut rng = Rng::new(7);
        for charset in [Charset::GB18030, Charset::SHIFT_JIS, Charset::BIG5, Charset::EUC_KR, Charset::LATIN_1] {
            for _ in 0..20_000 {
                let mut bytes: Vec<u8> = (0..12)
                    .map(|_| match rng.below(4) {
                        0 => b"[]\\:09A~@\x7F"[rng.below(10)],
                        _ => rng.below(256) as u8,
                    })
                    .collect();
                // A sequence that the end cuts off is one error whatever it holds; no value ends that way.
                bytes.extend(b"\n\n\n");
                let whole = charset.decode(&bytes).0.into_owned();
                let mut pieces = String::new();
                let mut rest = &bytes[..];
                while !rest.is_empty() {
                    let (piece, after) = rest.split_at(charset.step(rest).min(rest.len()));
                    pieces.push_str(&charset.decode(piece).0);
                    rest = after;
                }
                assert_eq!(pieces, whole, "{} {bytes:02x?}", charset.name());
            }
        }
    }

    #[test]
    fn sgf_charset_labels() {
        for (label, name) in [
            ("UTF-8", Some("UTF-8")),
            ("utf8", Some("UTF-8")),
            (" UTF_8 ", Some("UTF-8")),
            ("GB18030", Some("gb18030")),
            ("GB2312", Some("GBK")),
            ("gb_2312-80", Some("GBK")),
            ("CP936", Some("gb18030")),
            ("BIG-5", Some("Big5")),
            ("Big5", Some("Big5")),
            ("Shift_JIS", Some("Shift_JIS")),
            ("SHIFT-JIS", Some("Shift_JIS")),
            ("EUC-KR", Some("EUC-KR")),
            ("ISO-8859-1", Some("windows-1252")),
            ("Latin1", Some("windows-1252")),
            ("EUC-JP", Some("EUC-JP")),
            ("windows-1251", Some("windows-1251")),
            ("UTF-16", None),
            ("ISO-2022-JP", None),
            ("ISO-2022-KR", None),
            ("Klingon", None),
            ("", None),
        ] {
            assert_eq!(Charset::from_label(label).map(Charset::name), name, "{label}");
        }
    }
}
