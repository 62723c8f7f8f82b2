//! The Go view: sizes, coordinates, moves, setup, komi, rules, results, marks.

use kiebitz_go::sgf::{self, GameResult, Margin, Mark, Mode, Parsed, Tree, WarningKind};
use kiebitz_go::{Color, Point, Size};

fn read(file: &str) -> Parsed {
    sgf::parse(file.as_bytes(), Mode::Tolerant).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn tree(file: &str) -> Tree {
    read(file).collection.trees.remove(0)
}

fn kinds(parsed: &Parsed) -> Vec<&WarningKind> {
    parsed.warnings.iter().map(|warning| &warning.kind).collect()
}

fn names(points: &[Point], size: Size) -> Vec<String> {
    points.iter().map(|point| point.text(size).to_string()).collect()
}

/// The moves of the main line as `bD4`, `wpass`.
fn moves(tree: &Tree) -> Vec<String> {
    let color = |color| if color == Color::Black { "b" } else { "w" };
    tree.main_line_moves().map(|m| format!("{}{}", color(m.color), m.mv.text(tree.size()))).collect()
}

#[test]
fn sgf_sizes() {
    for (value, expected) in [
        ("SZ[19]", Some((19, 19))),
        ("", Some((19, 19))),
        ("SZ[]", Some((19, 19))),
        ("SZ[9]", Some((9, 9))),
        ("SZ[1]", Some((1, 1))),
        ("SZ[25]", Some((25, 25))),
        ("SZ[ 13 ]", Some((13, 13))),
        ("SZ[13:9]", Some((13, 9))),
        ("SZ[9:9]", Some((9, 9))),
        ("SZ[26]", None),
        ("SZ[0]", None),
        ("SZ[13:26]", None),
        ("SZ[-9]", None),
        ("SZ[52]", None),
        ("SZ[99999999999999999999]", None),
        ("SZ[nine]", None),
    ] {
        let size = sgf::parse(format!("(;FF[4]{value})").as_bytes(), Mode::Tolerant)
            .map(|parsed| parsed.collection.trees[0].size());
        assert_eq!(size.as_ref().ok().map(|size| (size.width(), size.height())), expected, "{value}");
        if let Err(error) = size {
            assert_eq!(error.code(), "sgf_bad_size");
        }
    }
    assert_eq!(kinds(&read("(;FF[4]SZ[9:9])")), [&WarningKind::SquareSizeTwice]);
}

/// SGF counts rows from the top, the board from the bottom.
#[test]
fn sgf_coordinates() {
    assert_eq!(moves(&tree("(;SZ[19];B[aa];W[ss];B[dp];W[sa])")), ["bA19", "wT1", "bD4", "wT19"]);
    assert_eq!(moves(&tree("(;SZ[13:9];B[aa];W[mi];B[ai])")), ["bA9", "wN1", "bA1"]);
    assert_eq!(moves(&tree("(;SZ[25];B[yy];W[ya];B[zz])")), ["bZ1", "wZ25"]);
    assert_eq!(moves(&tree("(;SZ[9];B[jj];W[aj];B[A1];W[a];B[aaa];W[AA];B[ aa ])")), ["bA9"]);
}

#[test]
fn sgf_passes() {
    assert_eq!(moves(&tree("(;SZ[19];B[];W[tt])")), ["bpass", "wpass"]);
    assert_eq!(moves(&tree("(;SZ[9];B[];W[tt])")), ["bpass", "wpass"]);
    // From 20 on `tt` is a point; where it is off a rectangular board, it is nothing.
    assert_eq!(moves(&tree("(;SZ[20];B[];W[tt])")), ["bpass", "wU1"]);
    assert_eq!(moves(&tree("(;SZ[25];B[tt])")), ["bU6"]);
    let parsed = read("(;FF[4]SZ[21:5];B[tt])");
    assert_eq!(moves(&parsed.collection.trees[0]), [] as [&str; 0]);
    assert_eq!(parsed.warnings[0].code(), "sgf_off_board");
}

#[test]
fn sgf_setup_and_rectangles() {
    let tree = tree("(;SZ[9]AB[aa][ca:ec]AW[ii:hh]AE[ee]PL[W])");
    let setup = tree.setup(tree.root());
    let size = tree.size();
    assert_eq!(names(&setup.black, size), ["C7", "D7", "E7", "C8", "D8", "E8", "A9", "C9", "D9", "E9"]);
    assert_eq!(names(&setup.white, size), ["H1", "J1", "H2", "J2"]);
    assert_eq!(names(&setup.empty, size), ["E5"]);
    assert_eq!(setup.to_play, Some(Color::White));

    // The whole of the largest board, and one column of it.
    let tree = self::tree("(;SZ[25]AB[aa:yy])");
    assert_eq!(tree.setup(tree.root()).black.len(), 625);
    let tree = self::tree("(;SZ[25]AB[ya:yy])");
    assert_eq!(tree.setup(tree.root()).black.len(), 25);
}

#[test]
fn sgf_setup_that_contradicts_itself() {
    let parsed = read("(;FF[4]SZ[9]AB[aa][bb]AW[bb:cc]AE[aa])");
    assert_eq!(kinds(&parsed), [&WarningKind::SetupConflict]);
    let tree = &parsed.collection.trees[0];
    let setup = tree.setup(tree.root());
    assert!(setup.black.is_empty(), "the later property counts");
    assert_eq!((setup.white.len(), setup.empty.len()), (4, 1));

    let parsed = read("(;FF[4]SZ[9];AB[aa]B[bb])");
    assert_eq!(kinds(&parsed), [&WarningKind::SetupWithMove]);
    let tree = &parsed.collection.trees[0];
    let node = tree.first_child(tree.root()).unwrap();
    assert_eq!(tree.setup(node).black.len(), 1);
    assert!(tree.played(node).is_some());
}

#[test]
fn sgf_komi() {
    for (values, komi, codes) in [
        ("KM[6.5]", Some(6.5), &[][..]),
        ("KM[0]", Some(0.0), &[]),
        ("KM[-3.5]", Some(-3.5), &[]),
        ("KM[7.25]", Some(7.25), &[]),
        ("KM[6,5]", Some(6.5), &["sgf_number_spelling"]),
        ("KM[ 6.5 ]", Some(6.5), &["sgf_number_spelling"]),
        ("KM[6. 5]", Some(6.5), &["sgf_number_spelling"]),
        ("KM[5.5 points]", Some(5.5), &["sgf_number_spelling"]),
        ("KM[]", None, &["sgf_bad_number"]),
        ("KM[ ]", None, &["sgf_bad_number"]),
        ("KM[unknown]", None, &["sgf_bad_number"]),
        ("", None, &[]),
        // Hundredths: zi (two points each) up to 4, else points.
        ("KM[375]RU[Chinese]", Some(7.5), &["sgf_komi_units"]),
        ("RU[Chinese]KM[375]", Some(7.5), &["sgf_komi_units"]),
        ("KM[375]RU[chinese]AP[foxwq]", Some(7.5), &["sgf_komi_units"]),
        ("KM[375]", Some(7.5), &["sgf_komi_units"]),
        ("KM[275]RU[Chinese]", Some(5.5), &["sgf_komi_units"]),
        ("KM[325]RU[Chinese]", Some(6.5), &["sgf_komi_units"]),
        ("KM[650]RU[Japanese]", Some(6.5), &["sgf_komi_units"]),
        ("KM[750]RU[Chinese]", Some(7.5), &["sgf_komi_units"]),
        ("KM[100]RU[Chinese]", Some(100.0), &[]),
        // Quarters are zi under Chinese rules only, and never in our own files.
        ("KM[3.75]RU[Chinese]", Some(7.5), &["sgf_komi_units"]),
        ("KM[2.75]RU[Chinese]", Some(5.5), &["sgf_komi_units"]),
        ("KM[3.75]RU[Japanese]", Some(3.75), &[]),
        ("KM[3.75]RU[Chinese]AP[kiebitz:1.0]", Some(3.75), &[]),
        ("KM[375]RU[Chinese]AP[kiebitz:1.0]", Some(375.0), &[]),
    ] {
        let parsed = read(&format!("(;FF[4]SZ[19]{values})"));
        assert_eq!(parsed.collection.trees[0].info().komi, komi, "{values}");
        let found: Vec<_> = parsed.warnings.iter().map(|warning| warning.code()).collect();
        assert_eq!(found, codes, "{values}");
    }
}

#[test]
fn sgf_rulesets() {
    for (value, expected) in [
        ("Chinese", Some("chinese")),
        ("chinese", Some("chinese")),
        ("CN", Some("chinese")),
        ("中国规则", Some("chinese")),
        ("Chinese-OGS", Some("chinese-ogs")),
        ("chinese-kgs", Some("chinese-kgs")),
        ("Japanese", Some("japanese")),
        ("Japanese, komi 6.5", Some("japanese")),
        ("日本", Some("japanese")),
        ("Korean", Some("korean")),
        ("stone_scoring", Some("stone-scoring")),
        ("AGA", Some("aga")),
        ("BGA", Some("bga")),
        ("NZ", Some("new-zealand")),
        ("New Zealand", Some("new-zealand")),
        ("new_zealand", Some("new-zealand")),
        ("aga-button", Some("aga-button")),
        ("Tromp-Taylor", Some("tromp-taylor")),
        ("GOE", Some("tromp-taylor")),
        ("Ing", Some("tromp-taylor")),
        ("Calvinball", None),
        ("", None),
    ] {
        assert_eq!(sgf::ruleset(value), expected, "{value}");
    }
    assert_eq!(
        kinds(&read("(;FF[4]RU[GOE])")),
        [&WarningKind::NearestRules { value: "GOE".to_owned(), ruleset: "tromp-taylor" }]
    );
    let parsed = read("(;FF[4]RU[Calvinball])");
    assert_eq!(kinds(&parsed), [&WarningKind::UnknownRules { value: "Calvinball".to_owned() }]);
    assert_eq!(parsed.collection.trees[0].info().rules.as_deref(), Some("Calvinball"));
}

#[test]
fn sgf_results() {
    let win = |winner, by| Some(GameResult::Win { winner, by });
    for (value, expected, written) in [
        ("B+12.5", win(Color::Black, Margin::Points(12.5)), "B+12.5"),
        ("W+3", win(Color::White, Margin::Points(3.0)), "W+3"),
        ("B+0.50", win(Color::Black, Margin::Points(0.5)), "B+0.5"),
        ("B+R", win(Color::Black, Margin::Resignation), "B+R"),
        ("W+Resign", win(Color::White, Margin::Resignation), "W+R"),
        ("w+r", win(Color::White, Margin::Resignation), "W+R"),
        ("B+T", win(Color::Black, Margin::Time), "B+T"),
        ("B+Time", win(Color::Black, Margin::Time), "B+T"),
        ("W+F", win(Color::White, Margin::Forfeit), "W+F"),
        ("B+", win(Color::Black, Margin::Unstated), "B+"),
        ("0", Some(GameResult::Draw), "0"),
        ("Draw", Some(GameResult::Draw), "0"),
        ("Jigo", Some(GameResult::Draw), "0"),
        ("Void", Some(GameResult::Void), "Void"),
        ("?", Some(GameResult::Unknown), "?"),
        ("B+-3", None, ""),
        ("B+0", None, ""),
        ("Black won", None, ""),
        ("", None, ""),
    ] {
        assert_eq!(GameResult::parse(value), expected, "{value}");
        if let Some(result) = expected {
            assert_eq!(result.to_string(), written);
            assert_eq!(GameResult::parse(written), expected);
        }
    }
    let parsed = read("(;FF[4]RE[黑中盘胜]CA[UTF-8])");
    assert_eq!(kinds(&parsed), [&WarningKind::BadResult { value: "黑中盘胜".to_owned() }]);
    assert_eq!(parsed.collection.trees[0].info().result_text.as_deref(), Some("黑中盘胜"));
}

#[test]
fn sgf_handicap() {
    for (file, handicap, codes) in [
        ("HA[2]AB[dp][pd]", 2, &[][..]),
        ("HA[2];AB[dp][pd];W[dd]", 2, &[]),
        ("HA[4]AB[dd][pp]AB[dp][pd]", 4, &["sgf_duplicate_property"]),
        ("HA[9]AB[aa:cc]", 9, &[]),
        ("HA[0]", 0, &[]),
        ("HA[1]", 1, &[]),
        ("HA[2];W[dd]", 2, &["sgf_handicap_without_stones"]),
        ("HA[2];W[dd];AB[dp][pd]", 2, &["sgf_handicap_without_stones"]),
        ("HA[3]AB[dp][pd]", 3, &["sgf_handicap_mismatch"]),
        ("HA[two]", 0, &["sgf_bad_number"]),
        ("HA[-2]", 0, &["sgf_bad_number"]),
        ("HA[2.5]", 0, &["sgf_bad_number"]),
        ("HA[99999]", 0, &["sgf_bad_number"]),
    ] {
        let parsed = read(&format!("(;FF[4]{file})"));
        assert_eq!(parsed.collection.trees[0].info().handicap, handicap, "{file}");
        let found: Vec<_> = parsed.warnings.iter().map(|warning| warning.code()).collect();
        assert_eq!(found, codes, "{file}");
    }
    // The board stays empty.
    let tree = tree("(;HA[2];W[dd])");
    assert!(tree.setup(tree.root()).is_empty());
}

#[test]
fn sgf_game_information() {
    let info = tree(
        "(;GM[1]FF[4]AP[CGoban:3]SZ[19]PB[a]PW[b]BR[5k]WR[6d?]BT[East]WT[West]DT[1996-12-27,28]EV[Meijin]RO[05 (final)]\
         PC[Tokyo]GN[Game\n5]TM[600.5]OT[25 moves / 10 min]ON[san-ren-sei]GC[long\ncomment]AN[c]CP[d]SO[book]US[e]RE[B+T])",
    )
    .info();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    assert_eq!(text(&info.application), "CGoban:3");
    assert_eq!([text(&info.black.name), text(&info.black.rank), text(&info.black.team)], ["a", "5k", "East"]);
    assert_eq!([text(&info.white.name), text(&info.white.rank), text(&info.white.team)], ["b", "6d?", "West"]);
    assert_eq!([text(&info.date), text(&info.event), text(&info.round)], ["1996-12-27,28", "Meijin", "05 (final)"]);
    assert_eq!([text(&info.place), text(&info.game_name)], ["Tokyo", "Game 5"]);
    assert_eq!((info.time, text(&info.overtime)), (Some(600.5), "25 moves / 10 min".to_owned()));
    assert_eq!([text(&info.opening), text(&info.comment)], ["san-ren-sei", "long\ncomment"]);
    assert_eq!([text(&info.annotator), text(&info.copyright)], ["c", "d"]);
    assert_eq!([text(&info.source), text(&info.user)], ["book", "e"]);
}

#[test]
fn sgf_markup() {
    let tree = tree(
        "(;SZ[9]TR[aa][bb]SQ[ca:cc]CR[ii]MA[ee]SL[ab]DD[]TB[aa]TW[bb]LB[aa:A][bb:two words]AR[aa:bb]LN[cc:dd]N[name])",
    );
    let (root, size) = (tree.root(), tree.size());
    assert_eq!(names(&tree.marked(root, Mark::Triangle), size), ["B8", "A9"]);
    assert_eq!(names(&tree.marked(root, Mark::Square), size), ["C7", "C8", "C9"]);
    assert_eq!(names(&tree.marked(root, Mark::Circle), size), ["J1"]);
    assert_eq!(names(&tree.marked(root, Mark::Cross), size), ["E5"]);
    assert_eq!(names(&tree.marked(root, Mark::Selected), size), ["A8"]);
    assert_eq!(names(&tree.marked(root, Mark::Dimmed), size), [] as [&str; 0]);
    assert_eq!(names(&tree.marked(root, Mark::BlackTerritory), size), ["A9"]);
    assert_eq!(names(&tree.marked(root, Mark::WhiteTerritory), size), ["B8"]);
    let labels: Vec<_> = tree.labels(root).into_iter().map(|(p, label)| (p.text(size).to_string(), label)).collect();
    assert_eq!(labels, [("A9".to_owned(), "A".to_owned()), ("B8".to_owned(), "two words".to_owned())]);
    let pairs = |pairs: Vec<(Point, Point)>| -> Vec<String> {
        pairs.into_iter().map(|(a, b)| format!("{} {}", a.text(size), b.text(size))).collect()
    };
    assert_eq!(pairs(tree.arrows(root)), ["A9 B8"]);
    assert_eq!(pairs(tree.lines(root)), ["C7 D6"]);
    assert_eq!(tree.node_name(root).as_deref(), Some("name"));
}

#[test]
fn sgf_moves_of_variations() {
    let tree = tree("(;SZ[9];B[aa];W[bb](;B[cc])(;MN[10]W[dd]C[here];B[ee]))");
    let node = tree.walk().map(|(_, node)| node).find(|&node| tree.comment(node).as_deref() == Some("here")).unwrap();
    let path = tree.path(node);
    assert_eq!(path.len(), 4);
    let played: Vec<_> = tree.moves_on(path).collect();
    assert_eq!(played.iter().map(|m| m.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(played[2].mv.text(tree.size()).to_string(), "D6");
    assert_eq!(played[2].position, tree.position(node));
    assert_eq!(tree.printed_number(node), Some(10));
    assert_eq!(tree.node_of_move(2), tree.parent(node));
    assert_eq!(tree.node_of_move(4), None);
    assert_eq!(tree.node_of_move(0), None);
    assert_eq!(tree.line_from(node).count(), 2);
}
