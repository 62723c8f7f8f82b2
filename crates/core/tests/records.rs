//! Reading and writing records.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use kiebitz_core::Rng;
use kiebitz_core::record::{By, Header, Line, MAX_RECORD_BYTES, MAX_RECORD_LINES, Record, What};
use serde_json::{Map, Value, json};

const HEADER: &str = r#"{"kiebitz":1,"game":"azul","players":2}"#;

/// Every kind of line there is, with unknown keys in places.
const FULL: &str = concat!(
    r#"{"kiebitz":1,"game":"azul","players":2,"rules":{"wall":"grey"},"names":["A","Ö"],"zeal":[1,{"b":2,"a":1}],"seed":7,"#,
    r#""expect":{"to_move":"chance"},"app":"x"}"#,
    "\n",
    r#"{"by":"chance","action":"deal BYWW,BYRK,RRWW,YRWW,BBKW"}"#,
    "\n",
    r#"{"by":1,"action":"f2 Y 1","clock_ms":1200,"zz":null,"comment":"说","expect":{"score":[0,1]},"eval":0.25}"#,
    "\n",
    r#"{"by":0,"event":"dead","stones":["D4"],"sure":true}"#,
    "\n",
    r#"{"by":"chance","action":"deal S3…/?16/?16"}"#,
    "\n",
    r#"{"by":"setup","setup":{"black":["A1"]},"comment":""}"#,
    "\n",
    r#"{"by":1,"event":"resign"}"#,
    "\n",
);

fn error(text: &str) -> String {
    match Record::read(text.as_bytes()) {
        Ok(read) => panic!("'{text}' is read as {read:?}"),
        Err(e) => e.to_string(),
    }
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_full_record_is_read_and_written_back_byte_for_byte() {
    let read = Record::read(FULL.as_bytes()).unwrap();
    assert_eq!(read.record.to_text(), FULL);
    assert_eq!(read.warnings, Vec::<String>::new());
    assert_eq!(read.line_numbers, [2, 3, 4, 5, 6, 7]);
    let Record { header, lines } = &read.record;
    assert_eq!((header.game(), header.players(), header.seed()), ("azul", 2, Some(7)));
    assert_eq!(header.names(), ["A", "Ö"]);
    assert_eq!(header.rules().get("wall"), Some(&json!("grey")));
    assert_eq!((header.setup(), header.get("app")), (None, Some(&json!("x"))));
    assert_eq!(header.expect().and_then(|e| e.get("to_move")), Some(&json!("chance")));
    let whats: Vec<(By, What)> = lines.iter().map(|l| (l.by(), l.what())).collect();
    assert_eq!(whats[0], (By::Chance, What::Action("deal BYWW,BYRK,RRWW,YRWW,BBKW")));
    assert_eq!(whats[1], (By::Seat(1), What::Action("f2 Y 1")));
    assert_eq!(whats[2], (By::Seat(0), What::Event("dead")));
    assert_eq!(whats[3], (By::Chance, What::Action("deal S3…/?16/?16")), "masked text is text");
    assert_eq!(whats[4], (By::Setup, What::Setup(&json!({"black": ["A1"]}))));
    assert_eq!(whats[5], (By::Seat(1), What::Event("resign")));
    assert_eq!(Value::Object(lines[2].event_data()).to_string(), r#"{"stones":["D4"],"sure":true}"#);
    assert_eq!(lines[1].get("clock_ms"), Some(&json!(1200)));
    assert_eq!(lines[1].expect().unwrap().get("score"), Some(&json!([0, 1])));
    assert_eq!(Record::read(&read.record.to_gz()).unwrap(), read);
}

#[test]
fn a_record_is_built() {
    let mut header = Header::new("go", 2, Map::from_iter([("size".to_owned(), json!(9))]));
    header.set("date", "2026-11-30");
    header.set("setup", json!({"black": ["D4"]}));
    header.set("seed", u64::MAX);
    header.set("date", "2026-12-01");
    let mut record = Record::new(header);
    record.lines.push(Line::action(By::Seat(1), "E5"));
    record.lines[0].set("comment", "\"\n\u{1f642}");
    record.lines.push(Line::event(By::Seat(0), "dead", Map::from_iter([("stones".to_owned(), json!(["D4"]))])));
    record.lines.push(Line::setup(json!({"white": []})));
    record.lines.push(Line::action(By::Chance, "roll 3"));
    let text = record.to_text();
    assert_eq!(
        text,
        concat!(
            r#"{"kiebitz":1,"game":"go","players":2,"rules":{"size":9},"date":"2026-12-01","setup":{"black":["D4"]},"#,
            r#""seed":18446744073709551615}"#,
            "\n{\"by\":1,\"action\":\"E5\",\"comment\":\"\\\"\\n\u{1f642}\"}\n",
            "{\"by\":0,\"event\":\"dead\",\"stones\":[\"D4\"]}\n",
            "{\"by\":\"setup\",\"setup\":{\"white\":[]}}\n{\"by\":\"chance\",\"action\":\"roll 3\"}\n",
        )
    );
    assert_eq!(Record::read(text.as_bytes()).unwrap().record, record);
    record.header.remove("setup");
    assert_eq!(record.header.setup(), None);
    assert!(!Header::new("go", 2, Map::new()).rules().contains_key("size"));
}

#[test]
fn header_errors() {
    for (text, message) in [
        ("", "line 1: the record is empty; its first line must be a header"),
        ("\n \n", "line 1: the record is empty; its first line must be a header"),
        ("{", "line 1: this is not JSON: EOF while parsing an object at column 1"),
        ("kiebitz\n", "line 1: this is not JSON: expected value at column 1"),
        ("[1]\n", "line 1: a line must be a JSON object {…}"),
        ("\n\n{}", "line 3: the first line must be a header with \"kiebitz\":1, \"game\" and \"players\""),
        (
            r#"{"by":0,"action":"D4"}"#,
            "line 1: the first line must be a header with \"kiebitz\":1, \"game\" and \"players\"",
        ),
        (
            r#"{"kiebitz":2,"game":"go","players":2}"#,
            "line 1: record version 2 is not known, this build reads version 1",
        ),
        (
            r#"{"kiebitz":"one and only and a very long version text","game":"go"}"#,
            "line 1: record version \"one and only and a very long version te… is not known, this build reads version 1",
        ),
        (r#"{"kiebitz":1,"game":"go","players":2,"by":0}"#, "line 1: the header is the first line and has no \"by\""),
        (r#"{"kiebitz":1,"players":2}"#, "line 1: \"game\" must be the name of a game, as text"),
        (r#"{"kiebitz":1,"game":7,"players":2}"#, "line 1: \"game\" must be the name of a game, as text"),
        (r#"{"kiebitz":1,"game":"go"}"#, "line 1: \"players\" must be a number from 1 to 6"),
        (r#"{"kiebitz":1,"game":"go","players":7}"#, "line 1: \"players\" must be a number from 1 to 6"),
        (r#"{"kiebitz":1,"game":"go","players":0}"#, "line 1: \"players\" must be a number from 1 to 6"),
        (r#"{"kiebitz":1,"game":"go","players":2.0}"#, "line 1: \"players\" must be a number from 1 to 6"),
        (r#"{"kiebitz":1,"game":"go","players":2,"rules":[]}"#, "line 1: \"rules\" must be an object {…}"),
        (r#"{"kiebitz":1,"game":"go","players":2,"expect":1}"#, "line 1: \"expect\" must be an object {…}"),
        (r#"{"kiebitz":1,"game":"go","players":2,"names":"A"}"#, "line 1: \"names\" must be a list of texts"),
        (r#"{"kiebitz":1,"game":"go","players":2,"names":["A",1]}"#, "line 1: \"names\" must be a list of texts"),
        (
            r#"{"kiebitz":1,"game":"go","players":2,"seed":-1}"#,
            "line 1: \"seed\" must be a whole number from 0 to 18446744073709551615",
        ),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn line_errors() {
    for (line, message) in [
        ("7", "line 2: a line must be a JSON object {…}"),
        ("{]", "line 2: this is not JSON: key must be a string at column 2"),
        (r#"{"by":0,"action":"a"} x"#, "line 2: this is not JSON: trailing characters at column 23"),
        ("\u{0}", "line 2: this is not JSON: expected value at column 1"),
        (r#"{"by":0,"action":"a","eval":1e999}"#, "line 2: this is not JSON: number out of range at column 33"),
        (r#"{"action":"D4"}"#, "line 2: \"by\" is missing: a player's number, \"chance\" or \"setup\""),
        (r#"{"by":2,"action":"D4"}"#, "line 2: \"by\" is 2, it must be a player from 0 to 1, \"chance\" or \"setup\""),
        (
            r#"{"by":-1,"action":"D4"}"#,
            "line 2: \"by\" is -1, it must be a player from 0 to 1, \"chance\" or \"setup\"",
        ),
        (
            r#"{"by":"B","action":"D4"}"#,
            "line 2: \"by\" is \"B\", it must be a player from 0 to 1, \"chance\" or \"setup\"",
        ),
        (
            r#"{"by":null,"action":"D4"}"#,
            "line 2: \"by\" is null, it must be a player from 0 to 1, \"chance\" or \"setup\"",
        ),
        (r#"{"by":0}"#, "line 2: a line has exactly one of \"action\", \"event\" and \"setup\""),
        (
            r#"{"by":0,"action":"a","event":"b"}"#,
            "line 2: a line has exactly one of \"action\", \"event\" and \"setup\"",
        ),
        (r#"{"by":0,"action":7}"#, "line 2: \"action\" must be a text"),
        (r#"{"by":0,"event":null}"#, "line 2: \"event\" must be a text"),
        (r#"{"by":0,"setup":{}}"#, "line 2: \"setup\" goes with \"by\":\"setup\""),
        (r#"{"by":"setup","action":"a"}"#, "line 2: \"setup\" goes with \"by\":\"setup\""),
        (r#"{"by":0,"action":"a","expect":"x"}"#, "line 2: \"expect\" must be an object {…}"),
        (HEADER, "line 2: \"by\" is missing: a player's number, \"chance\" or \"setup\""),
    ] {
        assert_eq!(error(&format!("{HEADER}\n{line}\n")), message, "{line}");
    }
    let e = Record::read(format!("{HEADER}\n\n\n{{\"by\":0}}\n").as_bytes()).unwrap_err();
    assert_eq!((e.line, e.code), (4, "record.line"));
    assert_eq!(error(&format!("{HEADER}\n\u{feff}{{}}\n")), "line 2: this is not JSON: expected value at column 1");
    let latin1 = [HEADER.as_bytes(), b"\n{\"by\":0,\"action\":\"\xe9\"}\n"].concat();
    let e = Record::read(&latin1).unwrap_err();
    assert_eq!(e.to_string(), "line 2: this is not JSON: invalid unicode code point at column 19");
}

/// A crash in the middle of a line loses that line only.
#[test]
fn an_incomplete_last_line_is_dropped() {
    let complete = Record::read(FULL.as_bytes()).unwrap().record;
    let first_two: usize = FULL.split_inclusive('\n').take(2).map(str::len).sum();
    for length in first_two..FULL.len() {
        let read = Record::read(&FULL.as_bytes()[..length]).unwrap();
        let whole = FULL.as_bytes()[..length].iter().filter(|&&b| b == b'\n').count() - 1;
        // The end of a line without its newline is complete.
        let kept = whole + usize::from(FULL.as_bytes()[length] == b'\n');
        assert_eq!(read.record.lines, complete.lines[..kept], "cut at {length}");
        let cut = FULL.as_bytes()[length - 1] != b'\n' && FULL.as_bytes()[length] != b'\n';
        let expected = if cut { vec![format!("line {} is incomplete and was dropped", whole + 2)] } else { vec![] };
        assert_eq!(read.warnings, expected, "cut at {length}");
    }
    // With a newline it is an error, and so is a bad line before the last.
    assert_eq!(
        error(&format!("{HEADER}\n{{\"by\":0,\n")),
        "line 2: this is not JSON: EOF while parsing a value at column 8"
    );
    let bad = format!("{HEADER}\n{{\"by\":0,\n{{\"by\":0,\"action\":\"a\"}}");
    assert_eq!(error(&bad), "line 2: this is not JSON: EOF while parsing a value at column 8");
    // Complete JSON that is no line of a record was not left by a crash.
    assert!(error(&format!("{HEADER}\n{{\"by\":0}}")).starts_with("line 2: a line has exactly one"));
}

#[test]
fn other_line_ends_and_a_byte_order_mark() {
    let windows = format!("\u{feff}{}", FULL.replace('\n', "\r\n"));
    assert_eq!(Record::read(windows.as_bytes()).unwrap().record.to_text(), FULL);
    let spaced = FULL.replace('\n', " \n\n \t\n");
    let read = Record::read(spaced.as_bytes()).unwrap();
    assert_eq!(read.record.to_text(), FULL);
    assert_eq!(read.line_numbers, [4, 7, 10, 13, 16, 19]);
}

#[test]
fn gzip() {
    let whole = Record::read(FULL.as_bytes()).unwrap();
    assert_eq!(Record::read(&gz(FULL.as_bytes())).unwrap(), whole);
    // Two members, as appending leaves them.
    let (head, tail) = FULL.split_at(FULL.find('\n').unwrap() + 1);
    assert_eq!(Record::read(&[gz(head.as_bytes()), gz(tail.as_bytes())].concat()).unwrap(), whole);
    // A stream that ends early gives what can be read, with a warning, or an error when that is nothing.
    let long: String = (0..20_000).map(|i| format!("{{\"by\":{},\"action\":\"a{}\"}}\n", i % 2, i * i)).collect();
    let long = format!("{HEADER}\n{long}");
    let packed = gz(long.as_bytes());
    let cut = Record::read(&packed[..packed.len() / 2]).unwrap();
    assert_eq!(cut.warnings[0], "the compressed data is damaged or ends early; what could be read was used");
    assert!(cut.record.lines.len() > 1_000 && cut.record.lines.len() < 20_000);
    assert!(long.starts_with(&cut.record.to_text()));
    let e = Record::read(&packed[..12]).unwrap_err();
    assert_eq!(e.to_string(), "line 1: the file looks like gzip but cannot be unpacked");
    assert_eq!(e.code, "record.gzip");
    assert_eq!(Record::read(&[0x1f, 0x8b]).unwrap_err().code, "record.gzip");
}

/// A small file that unpacks to more than the limit is refused before it fills the memory.
#[test]
fn a_zip_bomb_is_refused() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(HEADER.as_bytes()).unwrap();
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..(MAX_RECORD_BYTES >> 20) {
        encoder.write_all(&blanks).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 1 << 20, "{} bytes", bomb.len());
    let e = Record::read(&bomb).unwrap_err();
    assert_eq!(e.to_string(), "line 1: the record is larger than 64 MiB");
    assert_eq!(e.code, "record.too_large");
}

#[test]
fn limits() {
    let mut lines = format!("{HEADER}\n{}", "\n".repeat(MAX_RECORD_LINES - 1));
    assert!(Record::read(lines.as_bytes()).is_ok());
    lines.push('\n');
    assert_eq!(
        error(&lines),
        format!("line {}: the record has more than {MAX_RECORD_LINES} lines", MAX_RECORD_LINES + 1)
    );
}

#[test]
fn deep_nesting() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |depth: usize| {
            let inner = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            format!("{HEADER}\n{{\"by\":0,\"action\":\"a\",\"x\":{inner}}}\n")
        };
        let read = Record::read(nested(100).as_bytes()).unwrap();
        assert_eq!(read.record.to_text(), nested(100));
        for depth in [130, 10_000, 1_000_000] {
            let message = error(&nested(depth));
            assert!(message.starts_with("line 2: this is not JSON: recursion limit exceeded"), "{message}");
        }
    }
}

/// Numbers keep their value through any number of readings and writings.
#[test]
fn numbers_are_kept() {
    let mut rng = Rng::new(3);
    for i in 0..5_000 {
        let value = match i % 4 {
            0 => json!(rng.next_u64()),
            1 => json!(rng.next_u64() as i64),
            2 => json!(rng.unit() - 0.5),
            _ => json!(f64::from_bits(rng.next_u64())),
        };
        let mut record = Record::read(HEADER.as_bytes()).unwrap().record;
        record.header.set("value", value.clone());
        let again = Record::read(record.to_text().as_bytes()).unwrap().record;
        assert_eq!(again.header.get("value"), Some(&value));
    }
}

/// Spoils `text`: bytes changed, inserted, removed, pieces copied, cut, swapped.
fn spoil(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    const PIECES: [&[u8]; 20] = [
        b"\n",
        b"\"",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"null",
        b"-1",
        b"1e400",
        b"0.1",
        b"18446744073709551616",
        b"\"by\"",
        b"\"setup\"",
        b"\"chance\"",
        b"\xff\xfe",
    ];
    let mut bytes = text.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let to = at + rng.below(bytes.len() + 1 - at);
        match rng.below(7) {
            0 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            1 => drop(bytes.splice(at..at, PIECES[rng.below(PIECES.len())].iter().copied())),
            2 => drop(bytes.splice(at..to.min(at + 9), PIECES[rng.below(PIECES.len())].iter().copied())),
            3 => drop(bytes.drain(at..to.min(at + 20))),
            4 => {
                let piece = bytes[at..to.min(at + 60)].to_vec();
                let place = rng.below(bytes.len() + 1);
                bytes.splice(place..place, piece);
            }
            5 => bytes.truncate(at.max(bytes.len() / 2)),
            _ => bytes[at..to].reverse(),
        }
    }
    bytes
}

/// Whatever is read is written so that it is read the same; nothing panics.
#[test]
fn spoiled_records() {
    let seeds: Vec<Vec<u8>> = vec![
        FULL.as_bytes().to_vec(),
        format!("{HEADER}\n{{\"by\":1,\"action\":\"a\"}}\n").into_bytes(),
        gz(FULL.as_bytes()),
    ];
    let mut rng = Rng::new(8);
    let (mut accepted, mut refused) = (0, 0);
    for i in 0..20_000 {
        let bytes = spoil(&seeds[if i % 10 == 0 { 2 } else { i % 2 }], &mut rng);
        match Record::read(&bytes) {
            Ok(read) => {
                accepted += 1;
                assert_eq!(read.line_numbers.len(), read.record.lines.len());
                for line in &read.record.lines {
                    assert_eq!(matches!(line.what(), What::Setup(_)), line.by() == By::Setup);
                    assert!(!line.event_data().contains_key("by"));
                }
                let text = read.record.to_text();
                let again = Record::read(text.as_bytes()).unwrap();
                assert_eq!((&again.record, again.warnings.len()), (&read.record, 0));
                assert_eq!(again.record.to_text(), text);
            }
            Err(e) => {
                refused += 1;
                assert!(e.line > 0 && e.code.starts_with("record.") && !e.message.is_empty());
                assert!(!e.message.contains('\n') && e.message.len() < 300, "{e}");
            }
        }
    }
    assert!(accepted > 1_000 && refused > 5_000, "{accepted} accepted, {refused} refused");
}
