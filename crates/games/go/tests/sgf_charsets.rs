//! Character sets: declared, guessed, wrong.

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, WINDOWS_1252};
use kiebitz_go::sgf::{self, Charset, Mode, Parsed, WarningKind};

fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable, "{text} can be written in {}", encoding.name());
    bytes.into_owned()
}

fn read(bytes: &[u8]) -> Parsed {
    let parsed = sgf::parse(bytes, Mode::Tolerant).expect("a tree");
    let written = parsed.collection.to_sgf();
    let again = sgf::parse(written.as_bytes(), Mode::Tolerant).expect("what is written is read");
    assert_eq!(again.collection, parsed.collection);
    parsed
}

/// Name and comment of the first tree.
fn texts(parsed: &Parsed) -> (String, String) {
    let tree = &parsed.collection.trees[0];
    (tree.info().black.name.unwrap_or_default(), tree.comment(tree.root()).unwrap_or_default())
}

/// Characters whose second byte is `]` or `\` must neither end a value nor escape its end.
#[test]
fn sgf_charset_with_brackets_inside_characters() {
    for (label, encoding, name, comment) in [
        ("GB18030", GB18030, "朴埈奭", "黑棋\n金昞俊"),
        ("GBK", GBK, "朴埈奭", "黑棋\n金昞俊"),
        ("gb2312", GBK, "金昞", "奭"),
        ("Big5", BIG5, "本因坊", "功許蓋"),
        ("Big5", BIG5, "許", "本因坊戰]七\\番棋"),
        ("Shift_JIS", SHIFT_JIS, "表", "ソ能ゾ十 本因坊"),
        ("SHIFT-JIS", SHIFT_JIS, "ゾ", "予定]表\\"),
        ("EUC-KR", EUC_KR, "이창호", "흑 불계승"),
        ("ISO-8859-1", WINDOWS_1252, "Müller", "Weiß gewann mit ½ Punkt"),
    ] {
        let escaped = sgf::escape(comment);
        for file in [
            format!("(;GM[1]FF[4]CA[{label}]PB[{name}]C[{escaped}];B[aa])"),
            format!("(;GM[1]FF[4]PB[{name}]C[{escaped}]CA[{label}];B[aa])"),
        ] {
            let bytes = encode(encoding, &file);
            let parsed = read(&bytes);
            assert_eq!(parsed.warnings, [], "{file}");
            assert_eq!(texts(&parsed), (name.to_owned(), comment.to_owned()), "{file}");
            assert_eq!(parsed.collection.trees[0].main_line_moves().count(), 1);
            assert_eq!(parsed.collection.trees[0].charset(), Charset::from_label(label));
        }
    }
    // The cases above are what they are meant to be.
    let last = |encoding, character: &str| encode(encoding, character)[1];
    assert_eq!((last(GBK, "奭"), last(GBK, "昞")), (b']', b'\\'));
    assert_eq!((last(BIG5, "因"), last(BIG5, "許")), (b']', b'\\'));
    assert_eq!((last(SHIFT_JIS, "ゾ"), last(SHIFT_JIS, "表")), (b']', b'\\'));
}

#[test]
fn sgf_charset_utf8() {
    let file = "(;GM[1]FF[4]CA[UTF-8]PB[黑方]C[žluťoučký 囲碁 바둑 🏆])";
    let parsed = read(file.as_bytes());
    assert_eq!(parsed.warnings, []);
    assert_eq!(texts(&parsed), ("黑方".to_owned(), "žluťoučký 囲碁 바둑 🏆".to_owned()));
    assert!(parsed.collection.to_sgf().starts_with("(;GM[1]FF[4]CA[UTF-8]PB[黑方]"));
}

#[test]
fn sgf_charset_is_utf8_when_written() {
    let parsed = read(&encode(SHIFT_JIS, "(;FF[4]CA[Shift_JIS]PB[表])"));
    assert_eq!(parsed.collection.to_sgf(), "(;GM[1]FF[4]CA[UTF-8]PB[表])\n");
}

#[test]
fn sgf_charset_of_each_tree() {
    let mut bytes = encode(GB18030, "(;FF[4]CA[GB18030]PB[朴埈奭])");
    bytes.extend(encode(SHIFT_JIS, "(;FF[4]PB[表ゾ]CA[Shift_JIS])"));
    bytes.extend(encode(EUC_KR, "\n(;FF[4]CA[EUC-KR]PB[이창호])"));
    bytes.extend(b"(;FF[4]PB[plain])");
    bytes.extend("(;FF[4]CA[UTF-8]PB[許])".bytes());
    let parsed = read(&bytes);
    assert_eq!(parsed.warnings, []);
    let names: Vec<_> = parsed.collection.trees.iter().filter_map(|tree| tree.info().black.name).collect();
    assert_eq!(names, ["朴埈奭", "表ゾ", "이창호", "plain", "許"]);
}

#[test]
fn sgf_charset_guessed() {
    for (encoding, name, comment) in [
        (GB18030, "柯洁", "黑中盘胜"),
        (GB18030, "黑方", "第21届三星杯世界围棋公开赛"),
        (GB18030, "古力九段", "白棋这手非常严厉，黑棋只能忍耐。"),
        (BIG5, "周俊勳", "白中盤勝"),
        (BIG5, "許皓鋐", "第64屆本因坊戰 七番棋挑戰賽第5局"),
        (BIG5, "黑方", "這手棋很好"),
        (SHIFT_JIS, "武宮正樹", "黒番中押し勝ち"),
        (SHIFT_JIS, "井山裕太", "これは良い手です。"),
        (SHIFT_JIS, "プレーヤー", "コミ六目半"),
        (EUC_KR, "이창호", "흑 불계승"),
        (EUC_KR, "박정환 9단", "이 수가 좋았다"),
        (EUC_KR, "신진서", ""),
        (WINDOWS_1252, "Müller", "Schwarz verliert – größer"),
        (WINDOWS_1252, "François", "C'était très serré"),
        (WINDOWS_1252, "Sjöberg", ""),
    ] {
        let bytes = encode(encoding, &format!("(;GM[1]FF[4]SZ[19]PB[{name}]C[{comment}];B[pd];W[dp])"));
        let parsed = read(&bytes);
        let found: Vec<_> = parsed.warnings.iter().map(|warning| warning.kind.clone()).collect();
        assert_eq!(found, [WarningKind::CharsetGuessed { charset: encoding.name() }], "{name} {comment}");
        assert_eq!(texts(&parsed), (name.to_owned(), comment.to_owned()));
        assert!(!parsed.warnings[0].breaks_standard());
    }
    // Valid UTF-8 is UTF-8, ASCII needs no guess.
    let parsed = read("(;PB[許皓鋐])".as_bytes());
    assert_eq!(parsed.warnings[0].kind, WarningKind::CharsetGuessed { charset: "UTF-8" });
    assert_eq!(read(b"(;PB[Cho Chikun])").warnings, []);
}

#[test]
fn sgf_charset_unknown() {
    let parsed = read(&encode(GB18030, "(;FF[4]CA[Klingon]PB[柯洁]C[黑中盘胜])"));
    let warning = &parsed.warnings[0];
    assert_eq!(
        warning.to_string(),
        "line 1, column 1 (byte 0), property CA: `Klingon` is no known character set, gb18030 was used"
    );
    assert_eq!(texts(&parsed).0, "柯洁");
}

#[test]
fn sgf_charset_bad_bytes() {
    let parsed = read(b"(;FF[4]CA[UTF-8]PB[a\xFFb\xC3]PW[\xE4\xB8])");
    assert_eq!(texts(&parsed).0, "a\u{FFFD}b\u{FFFD}");
    let found: Vec<_> = parsed.warnings.iter().map(|warning| warning.to_string()).collect();
    assert_eq!(
        found,
        [
            "line 1, column 17 (byte 16), property PB: bytes that are no UTF-8 text were replaced by U+FFFD (2 times)",
            "line 1, column 25 (byte 24), property PW: bytes that are no UTF-8 text were replaced by U+FFFD (1 times)",
        ]
    );
    assert!(sgf::parse(b"(;FF[4]CA[UTF-8]PB[a\xFFb])", Mode::Strict).is_err());
    // A character that is cut off must not swallow the bracket.
    for label in ["Shift_JIS", "Big5", "GB18030", "EUC-KR"] {
        let mut bytes = format!("(;FF[4]CA[{label}]PB[x").into_bytes();
        bytes.extend(b"\xFF]PW[y])");
        let parsed = read(&bytes);
        assert_eq!(parsed.collection.trees[0].info().white.name.as_deref(), Some("y"), "{label}");
        assert_eq!(parsed.warnings[0].code(), "sgf_bad_bytes");
    }
}

#[test]
fn sgf_charset_byte_order_marks() {
    let text = "(;GM[1]FF[4]PB[黑方];B[aa])";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    let plain = read(text.as_bytes()).collection;
    for bytes in [format!("\u{FEFF}{text}").into_bytes(), utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
        let parsed = read(&bytes);
        assert_eq!(parsed.warnings, []);
        assert_eq!(parsed.collection, plain);
    }
    // The mark is believed, whatever CA says.
    let parsed = read("\u{FEFF}(;CA[Big5]PB[黑方])".as_bytes());
    assert_eq!(parsed.warnings[0].kind, WarningKind::CharsetOverridden { label: "Big5".to_owned() });
    assert_eq!(texts(&parsed).0, "黑方");
    // Half a surrogate pair.
    let mut bytes = utf16(u16::to_le_bytes);
    bytes.extend([0x00, 0xD8, b']', 0]);
    let parsed = sgf::parse(&bytes, Mode::Tolerant).unwrap();
    assert_eq!(parsed.warnings[0].code(), "sgf_bad_bytes");
}
