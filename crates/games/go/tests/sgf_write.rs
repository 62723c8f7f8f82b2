//! Writing: trees built here, trees changed after reading, and the round trip of any tree.

use kiebitz_go::sgf::{self, Collection, GameInfo, GameResult, Margin, Mark, Mode, NodeId, Setup, Tree};
use kiebitz_go::{Color, Move, Point, Size};
use proptest::prelude::*;

fn point(text: &str, size: Size) -> Point {
    Point::parse(text, size).expect("a point")
}

fn read(file: &str) -> Collection {
    sgf::parse(file.as_bytes(), Mode::Tolerant).unwrap_or_else(|error| panic!("{file}: {error}")).collection
}

/// What we write is legal, and reads as what it was.
fn check_strict(tree: &Tree) {
    let written = tree.to_sgf();
    let parsed = sgf::parse(written.as_bytes(), Mode::Strict).unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(parsed.warnings, [], "{written}");
    assert_eq!(&parsed.collection.trees[0], tree);
}

#[test]
fn sgf_write_a_game() {
    let size = Size::square(19).unwrap();
    let mut info = GameInfo::new(size);
    info.komi = Some(7.5);
    info.ruleset = Some("chinese");
    info.black.name = Some("AlphaGo".to_owned());
    info.white.name = Some("李世石".to_owned());
    info.white.rank = Some("9p".to_owned());
    info.game_name = Some("a [famous]\none \\ two: three".to_owned());
    info.result = Some(GameResult::Win { winner: Color::White, by: Margin::Resignation });
    info.time = Some(7200.0);
    let mut tree = Tree::new(&info, &Setup::default());
    let first = tree.add_move(tree.root(), Color::Black, point("Q16", size).into());
    let second = tree.add_move(first, Color::White, Move::PASS);
    tree.set_comment(first, "hoshi [4-4]\nC:\\");
    tree.set_labels(second, &[(point("D4", size), "A"), (point("Q4", size), "1:0]")]);
    tree.set_marked(second, Mark::Triangle, &[point("A19", size), point("T1", size)]);
    tree.set(second, "SBKV", &["47.3"]).unwrap();
    let expected = format!(
        "(;GM[1]FF[4]CA[UTF-8]AP[kiebitz:{}]SZ[19]KM[7.5]RU[Chinese]PB[AlphaGo]PW[李世石]WR[9p]\
         GN[a [famous\\] one \\\\ two: three]TM[7200]RE[W+R]\n\
         ;B[pd]C[hoshi [4-4\\]\nC:\\\\];W[]LB[dp:A][pp:1\\:0\\]]TR[aa][ss]SBKV[47.3])\n",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(tree.to_sgf(), expected);
    assert_eq!(tree.to_string(), expected);
    check_strict(&tree);
    let again = read(&expected).trees.remove(0);
    assert_eq!(again.comment(first).as_deref(), Some("hoshi [4-4]\nC:\\"));
    assert_eq!(again.info().game_name.as_deref(), Some("a [famous] one \\ two: three"));
    assert_eq!(again.labels(second)[1].1, "1:0]");
}

#[test]
fn sgf_write_handicap_and_setup() {
    let size = Size::new(13, 9).unwrap();
    let mut info = GameInfo::new(size);
    info.handicap = 2;
    info.komi = Some(0.5);
    info.ruleset = Some("new-zealand");
    let setup =
        Setup { black: vec![point("D4", size), point("K6", size)], to_play: Some(Color::White), ..Setup::default() };
    let mut tree = Tree::new(&info, &setup);
    let node = tree.add_move(tree.root(), Color::White, point("G5", size).into());
    let setup = Setup { empty: vec![point("D4", size)], white: vec![point("N9", size)], ..Setup::default() };
    tree.add_setup(node, &setup);
    tree.set_result(GameResult::Win { winner: Color::Black, by: Margin::Points(12.5) });
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        tree.to_sgf(),
        format!(
            "(;GM[1]FF[4]CA[UTF-8]AP[kiebitz:{version}]SZ[13:9]KM[0.5]RU[NZ]HA[2]AB[df][jd]PL[W]RE[B+12.5]\n;W[ge];AW[ma]AE[df])\n"
        )
    );
    check_strict(&tree);
    let again = read(&tree.to_sgf()).trees.remove(0);
    assert_eq!(again.info().ruleset, Some("new-zealand"));
    assert_eq!(again.setup(again.root()).black, [point("D4", size), point("K6", size)]);
}

/// A komi that another file would mean in zi is literal in ours.
#[test]
fn sgf_write_quarter_komi() {
    for komi in [3.75, 2.75, 7.0, -0.5, 375.0, 0.0, -0.0, 1e300] {
        let mut info = GameInfo::new(Size::square(9).unwrap());
        info.komi = Some(komi);
        info.ruleset = Some("chinese");
        let tree = Tree::new(&info, &Setup::default());
        check_strict(&tree);
        assert_eq!(tree.info().komi, Some(komi));
    }
}

#[test]
fn sgf_write_rulesets() {
    for name in [
        "chinese",
        "chinese-ogs",
        "chinese-kgs",
        "japanese",
        "korean",
        "stone-scoring",
        "aga",
        "bga",
        "new-zealand",
        "aga-button",
        "tromp-taylor",
    ] {
        let mut info = GameInfo::new(Size::square(9).unwrap());
        info.ruleset = Some(name);
        let tree = Tree::new(&info, &Setup::default());
        check_strict(&tree);
        assert_eq!(tree.info().ruleset, Some(name));
    }
}

/// An analysis goes into a game that was read: comments at its nodes, best lines as variations.
#[test]
fn sgf_add_analysis() {
    let mut tree = read("(;FF[4]SZ[9];B[ee]C[old];W[cc])").trees.remove(0);
    let size = tree.size();
    let node = tree.node_of_move(1).unwrap();
    tree.add_comment(node, "win rate 51.2%");
    let line = [(Color::White, point("G3", size).into()), (Color::Black, Move::PASS)];
    let end = tree.add_moves(node, line);
    tree.set_comment(end, "better");
    tree.set_node_name(end, "line 1");
    assert_eq!(
        tree.to_sgf(),
        "(;GM[1]FF[4]CA[UTF-8]SZ[9]\n;B[ee]C[old\nwin rate 51.2%]\n(;W[cc])\n(;W[gg];B[]C[better]N[line 1]))\n"
    );
    check_strict(&tree);
    assert_eq!(tree.children(node).count(), 2);
    assert_eq!(tree.main_line_moves().count(), 2, "the game stays the main line");
}

#[test]
fn sgf_change_properties() {
    let mut tree = read("(;SZ[9]A[1]B[aa]C[3];W[bb])").trees.remove(0);
    let root = tree.root();
    let names = |tree: &Tree| tree.properties(root).map(|p| p.name().to_owned()).collect::<Vec<_>>().join(" ");
    tree.set_raw(root, "A", &["x", "y:z"]).unwrap();
    assert_eq!(names(&tree), "SZ A B C", "the place is kept");
    assert_eq!(tree.property(root, "A").unwrap().values().collect::<Vec<_>>(), ["x", "y:z"]);
    tree.set::<&str>(root, "C", &[]).unwrap();
    assert_eq!(names(&tree), "SZ A B");
    tree.set(root, "N", &["new"]).unwrap();
    assert_eq!(names(&tree), "SZ A B N");
    tree.set::<&str>(root, "A", &[]).unwrap();
    tree.set::<&str>(root, "X", &[]).unwrap();
    assert_eq!(names(&tree), "SZ B N");
    tree.set_comment(root, "");
    assert_eq!(names(&tree), "SZ B N");

    for (name, code) in [
        ("", "sgf_bad_name"),
        ("b", "sgf_bad_name"),
        ("B]", "sgf_bad_name"),
        ("1B", "sgf_bad_name"),
        ("É", "sgf_bad_name"),
        ("GM", "sgf_fixed_property"),
        ("FF", "sgf_fixed_property"),
        ("CA", "sgf_fixed_property"),
        ("SZ", "sgf_fixed_property"),
    ] {
        assert_eq!(tree.set(root, name, &["1"]).unwrap_err().code(), code, "{name}");
    }
    for bad in ["a]b", "a\\", "\\\\\\", "]"] {
        assert_eq!(tree.set_raw(root, "X", &["fine", bad]).unwrap_err().code(), "sgf_bad_raw_value", "{bad}");
    }
    assert!(tree.property(root, "X").is_none());
    check_strict(&read("(;FF[4])").trees[0]);
}

#[test]
fn sgf_write_round_trip_keeps_header_properties_first() {
    let collection = read("(;SZ[9]GM[1]CA[Big5]PB[x]FF[3];B[aa])(;AP[other:1])");
    let written = "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[x]\n;B[aa])\n(;GM[1]FF[4]CA[UTF-8]AP[other:1])\n";
    assert_eq!(collection.to_sgf(), written);
    assert_eq!(collection.to_string(), written);
    assert_eq!(read(written), collection);
}

#[test]
fn sgf_write_breaks_long_lines() {
    let size = Size::square(19).unwrap();
    let mut tree = Tree::new(&GameInfo::new(size), &Setup::default());
    let mut node = tree.root();
    for point in size.iter() {
        node = tree.add_move(node, Color::Black, point.into());
    }
    let written = tree.to_sgf();
    assert!(written.lines().count() > 20);
    assert!(written.lines().all(|line| !line.is_empty() && line.len() <= 100));
    check_strict(&tree);
}

/// Trees of the same shape but different content, or the other way round, are not equal.
#[test]
fn sgf_equality() {
    let files = [
        "(;SZ[9];B[aa](;W[bb])(;W[cc]))",
        "(;SZ[9];B[aa](;W[cc])(;W[bb]))",
        "(;SZ[9];B[aa];W[bb];W[cc])",
        "(;SZ[9];B[aa](;W[bb])(;W[cc]C[]))",
        "(;SZ[9](;B[aa];W[bb])(;W[cc]))",
        "(;SZ[9];B[aa](;W[bb][cc])(;))",
        "(;SZ[9])",
    ];
    for (i, a) in files.iter().enumerate() {
        for (j, b) in files.iter().enumerate() {
            assert_eq!(read(a) == read(b), i == j, "{a} {b}");
        }
    }
    assert_eq!(read("(;SZ[9];B[aa](;W[bb]))"), read("(;FF[3] SZ[9] ; B [aa] ; W[bb])"));
}

/// How to build a random tree: under which node each next one goes, and its properties.
fn any_tree() -> impl Strategy<Value = Tree> {
    let text = prop_oneof![
        "[\\x00-\\x7F]{0,12}",
        "[\\]\\[\\\\:;()\\r\\n\\t ]{0,8}",
        any::<String>(),
        "[黑白方級段ソ表因許é\u{FEFF}\u{FFFD}]{0,6}",
    ];
    let name = prop_oneof!["[A-Z]{1,2}", "[A-Z][A-Z0-9]{0,5}"];
    let property = (name, proptest::collection::vec(text, 1..4));
    let node = (any::<prop::sample::Index>(), proptest::collection::vec(property, 0..5));
    (1usize..=25, 1usize..=25, proptest::collection::vec(node, 0..30)).prop_map(|(width, height, nodes)| {
        let mut tree = Tree::new(&GameInfo::new(Size::new(width, height).expect("a size")), &Setup::default());
        let mut ids: Vec<NodeId> = vec![tree.root()];
        for (parent, properties) in nodes {
            let node = tree.add_node(*parent.get(&ids));
            ids.push(node);
            for (name, texts) in properties {
                // A second move in a node, or moves and header properties with odd values, are for the reader's tests.
                if !matches!(name.as_str(), "B" | "W") {
                    tree.set(node, &name, &texts).expect("a property name");
                }
            }
        }
        tree
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sgf_round_trip_of_any_tree(a in any_tree(), b in any_tree()) {
        let collection = Collection { trees: vec![a, b] };
        let written = collection.to_sgf();
        let parsed = sgf::parse(written.as_bytes(), Mode::Tolerant).expect("what is written is read");
        prop_assert_eq!(&parsed.collection, &collection);
        prop_assert_eq!(parsed.collection.to_sgf(), written);
    }

    #[test]
    fn sgf_round_trip_of_any_text(text in any::<String>()) {
        let size = Size::square(9).expect("a size");
        let mut tree = Tree::new(&GameInfo::new(size), &Setup::default());
        let node = tree.add_move(tree.root(), Color::Black, Move::PASS);
        tree.set_comment(node, &text);
        tree.set_labels(node, &[(size.point(0, 0).expect("a point"), text.as_str())]);
        let again = read(&tree.to_sgf()).trees.remove(0);
        prop_assert_eq!(again.comment(node), tree.comment(node));
        prop_assert_eq!(again.labels(node), tree.labels(node));
        // Text comes back as it was, but for the spelling of line breaks and blanks.
        let same = |text: &str| {
            text.replace("\r\n", "\n").replace('\r', "\n").replace(['\t', '\x0B', '\x0C'], " ")
        };
        prop_assert_eq!(same(&again.comment(node).unwrap_or_default()), same(&text));
    }

    /// Any bytes at all are read or refused, and what is read comes back.
    #[test]
    fn sgf_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "[\\(\\);\\[\\]A-Ca\\\\ \\n黑]{0,60}") {
        for file in [&bytes[..], text.as_bytes(), &[b"(;", &bytes[..]].concat(), &[b"(;C[", &bytes[..]].concat(), format!("(;{text}").as_bytes()] {
            let Ok(parsed) = sgf::parse(file, Mode::Tolerant) else { continue };
            prop_assert_eq!(read(&parsed.collection.to_sgf()), parsed.collection);
        }
    }
}
