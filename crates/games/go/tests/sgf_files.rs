//! Files as servers and collections write them.

use kiebitz_go::sgf::{self, Charset, GameResult, Margin, Mode, Parsed, WarningKind};
use kiebitz_go::{Color, Move};

fn read(name: &str) -> Parsed {
    let path = format!("{}/tests/data/sgf/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the file is there");
    let parsed = sgf::parse(&bytes, Mode::Tolerant).expect("the file is read");
    assert_eq!(parsed.collection.trees.len(), 1);
    // The round trip of every file is stable, in the tree and in the text.
    let written = parsed.collection.to_sgf();
    let again = sgf::parse(written.as_bytes(), Mode::Tolerant).expect("what is written is read");
    assert_eq!(again.collection, parsed.collection);
    assert_eq!(again.collection.to_sgf(), written);
    parsed
}

fn codes(parsed: &Parsed) -> Vec<&'static str> {
    parsed.warnings.iter().map(|warning| warning.code()).collect()
}

#[test]
fn sgf_lee_alphago() {
    let parsed = read("lee-alphago-2016-g4.sgf");
    assert_eq!(codes(&parsed), [] as [&str; 0]);
    let tree = &parsed.collection.trees[0];
    let info = tree.info();
    assert_eq!(info.black.name.as_deref(), Some("AlphaGo"));
    assert_eq!(info.white.name.as_deref(), Some("Lee Sedol"));
    assert_eq!(info.white.rank.as_deref(), Some("9p"));
    assert_eq!(info.komi, Some(7.5));
    assert_eq!(info.ruleset, Some("chinese"));
    assert_eq!(info.time, Some(7200.0));
    assert_eq!(info.overtime.as_deref(), Some("3x60 byo-yomi"));
    assert_eq!(info.date.as_deref(), Some("2016-03-13"));
    assert_eq!(info.result, Some(GameResult::Win { winner: Color::White, by: Margin::Resignation }));
    assert_eq!((info.size.width(), info.size.height()), (19, 19));

    let moves: Vec<_> = tree.main_line_moves().collect();
    assert_eq!(moves.len(), 180);
    assert_eq!(moves[0].mv, Move::parse("Q16", info.size).unwrap());
    assert_eq!((moves[77].number, moves[77].color), (78, Color::White));
    assert_eq!(moves[77].mv, Move::parse("L11", info.size).unwrap(), "the famous wedge");
    assert!(moves.iter().all(|m| m.color == if m.number % 2 == 1 { Color::Black } else { Color::White }));
    // Where a refusal of move 11 would point: the third line of the file begins with it.
    assert_eq!((moves[10].position.line, moves[10].position.column), (3, 1));
    assert_eq!(tree.node_of_move(78), Some(moves[77].node));
    assert_eq!(tree.path(moves[77].node).len(), 79);
}

#[test]
fn sgf_fox() {
    let parsed = read("fox-app.sgf");
    // This server writes AP twice.
    assert_eq!(codes(&parsed), ["sgf_charset_guessed", "sgf_duplicate_property"]);
    let tree = &parsed.collection.trees[0];
    assert_eq!(tree.charset(), Some(Charset::UTF_8));
    let info = tree.info();
    assert_eq!(info.black.name.as_deref(), Some("黑方"));
    assert_eq!(info.white.name.as_deref(), Some("白方"));
    assert_eq!(info.black.rank.as_deref(), Some("15级"));
    assert_eq!(info.komi, Some(0.0));
    assert_eq!(info.handicap, 0);
    assert_eq!(info.ruleset, Some("japanese"));
    assert_eq!(tree.main_line_moves().count(), 92);
    assert!(tree.property(tree.root(), "TC").is_some(), "properties of the server's own are kept");
}

#[test]
fn sgf_ogs() {
    let parsed = read("ogs-download.sgf");
    assert_eq!(codes(&parsed), [] as [&str; 0]);
    let tree = &parsed.collection.trees[0];
    assert_eq!(tree.len(), 114);
    assert_eq!(tree.main_line_moves().count(), 113);
    let comment = tree.comment(tree.root()).unwrap();
    assert!(comment.starts_with("Game chats will be available"));
    assert!(comment.ends_with(".\n"));
    assert_eq!(tree.info().place.as_deref(), Some("OGS"));
    assert_eq!(tree.info().result, Some(GameResult::Unknown));
}

/// The same games must be read from the character sets of their countries, with and without CA.
#[test]
fn sgf_fox_in_gb18030() {
    let path = format!("{}/tests/data/sgf/fox-app.sgf", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the file is UTF-8");
    let (bytes, _, _) = encoding_rs::GB18030.encode(&text);
    let parsed = sgf::parse(&bytes, Mode::Tolerant).unwrap();
    assert_eq!(parsed.warnings[0].kind, WarningKind::CharsetGuessed { charset: "gb18030" });
    assert_eq!(parsed.collection.trees[0].info().black.name.as_deref(), Some("黑方"));
    assert_eq!(parsed.collection, read("fox-app.sgf").collection);
}
