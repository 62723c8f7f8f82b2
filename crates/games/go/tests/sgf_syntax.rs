//! Reading trees: the standard's examples, and every repair of broken files.

use kiebitz_go::Color;
use kiebitz_go::sgf::{self, Collection, Limits, Mode, Parsed, SgfError, Tree, text};

fn read(file: &str) -> Parsed {
    let parsed = sgf::parse(file.as_bytes(), Mode::Tolerant).unwrap_or_else(|error| panic!("{file}: {error}"));
    let again = sgf::parse(parsed.collection.to_sgf().as_bytes(), Mode::Tolerant).expect("what is written is read");
    assert_eq!(again.collection, parsed.collection, "the round trip of {file}");
    parsed
}

/// The trees in a short form: properties as written, variations in parentheses.
fn shape(collection: &Collection) -> String {
    collection.to_sgf().replace("GM[1]FF[4]CA[UTF-8]", "").replace('\n', "")
}

/// Reads a file without any warning.
fn clean(file: &str) -> Collection {
    let parsed = read(file);
    assert_eq!(parsed.warnings, [], "{file}");
    let strict = sgf::parse(file.as_bytes(), Mode::Strict).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(strict, parsed);
    parsed.collection
}

/// Reads a file that needs one repair, which strict reading refuses; gives the short form and the warning.
fn repaired(file: &str) -> (String, &'static str) {
    let parsed = read(file);
    assert_eq!(parsed.warnings.len(), 1, "{file}: {:?}", parsed.warnings);
    let warning = &parsed.warnings[0];
    assert!(warning.breaks_standard());
    let strict = sgf::parse(file.as_bytes(), Mode::Strict).expect_err("strict reading refuses");
    assert_eq!(strict, SgfError::Strict(warning.clone()));
    assert_eq!(strict.to_string(), warning.to_string());
    assert_eq!(strict.code(), warning.code());
    (shape(&parsed.collection), warning.code())
}

fn tree(file: &str) -> Tree {
    read(file).collection.trees.remove(0)
}

/// The examples of the standard's page on the tree structure.
#[test]
fn sgf_spec_trees() {
    for (file, expected) in [
        ("(;FF[4]C[root];C[a];C[b];C[c])", "(;C[root];C[a];C[b];C[c])"),
        ("(;FF[4]C[root](;C[a];C[b](;C[c])(;C[d];C[e]))(;C[f](;C[g];C[h];C[i])(;C[j])))", ""),
        ("(;FF[4]C[root](;C[a];C[b];C[c])(;C[d];C[e]))", ""),
        ("(;FF[4]C[root](;C[a];C[b](;C[c])(;C[d];C[e]))(;C[f](;C[g](;C[h])(;C[i]))))", ""),
    ] {
        let collection = clean(file);
        if !expected.is_empty() {
            assert_eq!(shape(&collection), expected);
        }
    }
    let tree = tree("(;FF[4]C[root](;C[a];C[b](;C[c])(;C[d];C[e]))(;C[f](;C[g];C[h];C[i])(;C[j])))");
    let comments: Vec<(usize, String)> =
        tree.walk().map(|(depth, node)| (depth, tree.comment(node).unwrap_or_default())).collect();
    let expected = [
        (0, "root"),
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (3, "d"),
        (4, "e"),
        (1, "f"),
        (2, "g"),
        (3, "h"),
        (4, "i"),
        (2, "j"),
    ];
    assert_eq!(comments, expected.map(|(depth, text)| (depth, text.to_owned())));
    let main: Vec<_> = tree.main_line().filter_map(|node| tree.comment(node)).collect();
    assert_eq!(main, ["root", "a", "b", "c"]);
}

#[test]
fn sgf_collection_of_trees() {
    let collection = clean("(;FF[4]SZ[9];B[ee])(;FF[4]SZ[13];W[gg])\n\n(;FF[4])");
    let sizes: Vec<usize> = collection.trees.iter().map(|tree| tree.size().width()).collect();
    assert_eq!(sizes, [9, 13, 19]);
}

#[test]
fn sgf_white_space_is_free() {
    let plain = clean("(;FF[4]SZ[9]AB[aa][bb];B[cc](;W[dd])(;W[ee]))");
    for file in [
        " \r\n\t( ; FF [4]\nSZ [9] AB\n[aa]\r[bb] ; B\t[cc] \x0B( ; W [dd] ) \x0C ( ; W [ee] ) ) \n",
        "(\r;\rFF[4]\rSZ[9]\rAB[aa]\r[bb]\r;B[cc]\r(;W[dd])\r(;W[ee])\r)\r",
    ] {
        assert_eq!(clean(file), plain);
    }
}

#[test]
fn sgf_text_before_the_first_tree_is_skipped() {
    let mail = "From: someone (with a name)\nSubject: a game [1] :)\n\n(;FF[4]SZ[9];B[ee])\n";
    assert_eq!(clean(mail), clean("(;FF[4]SZ[9];B[ee])"));
    assert_eq!(clean("\u{FEFF}(;FF[4]SZ[9];B[ee])"), clean("(;FF[4]SZ[9];B[ee])"));
}

#[test]
fn sgf_unknown_properties_are_kept_in_order() {
    let file = "(;FF[4]ZZ[x][y]SZ[9]KGSDE[a:b]MULTIGOGM[1];B[ee]BM[2]SBKV[47.3]XX[])";
    assert_eq!(shape(&clean(file)), "(;ZZ[x][y]SZ[9]KGSDE[a:b]MULTIGOGM[1];B[ee]BM[2]SBKV[47.3]XX[])");
}

#[test]
fn sgf_text_escapes_and_line_breaks() {
    for (raw, as_text, as_simple_text) in [
        ("plain", "plain", "plain"),
        (r"a\]b\\c\:d\xe", r"a]b\c:dxe", r"a]b\c:dxe"),
        ("soft\\\nbreak", "softbreak", "softbreak"),
        ("soft\\\r\nbreak", "softbreak", "softbreak"),
        ("soft\\\n\rbreak", "softbreak", "softbreak"),
        ("hard\nbreak", "hard\nbreak", "hard break"),
        ("hard\r\nbreak", "hard\nbreak", "hard break"),
        ("hard\n\rbreak", "hard\nbreak", "hard break"),
        ("hard\rbreak", "hard\nbreak", "hard break"),
        ("two\n\nbreaks", "two\n\nbreaks", "two  breaks"),
        ("two\r\rbreaks", "two\n\nbreaks", "two  breaks"),
        ("tab\there", "tab here", "tab here"),
        ("tab\\\there", "tab here", "tab here"),
        (r"\\\\", r"\\", r"\\"),
        ("backslash\\\\\nline", "backslash\\\nline", "backslash\\ line"),
    ] {
        assert_eq!(text(raw), as_text, "{raw:?}");
        assert_eq!(sgf::simple_text(raw), as_simple_text, "{raw:?}");
        // In a file, the value is the same text.
        let tree = tree(&format!("(;C[{raw}])"));
        assert_eq!(tree.comment(tree.root()).as_deref(), Some(as_text));
        // Writing and reading gives the text back.
        assert_eq!(text(&sgf::escape(as_text)), as_text);
        assert_eq!(text(&sgf::escape_part(as_text)), as_text);
    }
    // The example of the standard.
    let example = "Meijin NR: yeah, k4 is won\\\nderful\nsweat NR: thank you! :\\)\ndada NR: yup. I like this move too. It's a \
        move only to be expected from a pro. I really like it :)\njansteen 4d: Can anyone\\\n explain [me\\] k4?";
    let expected = "Meijin NR: yeah, k4 is wonderful\nsweat NR: thank you! :)\ndada NR: yup. I like this move too. It's a \
        move only to be expected from a pro. I really like it :)\njansteen 4d: Can anyone explain [me] k4?";
    let tree = clean(&format!("(;FF[4]C[{example}])")).trees.remove(0);
    assert_eq!(tree.comment(tree.root()).as_deref(), Some(expected));
}

#[test]
fn sgf_composed_values() {
    assert_eq!(sgf::split_composed("ab:cd"), Some(("ab", "cd")));
    assert_eq!(sgf::split_composed("ab:cd:ef"), Some(("ab", "cd:ef")));
    assert_eq!(sgf::split_composed(r"a\:b:c"), Some((r"a\:b", "c")));
    assert_eq!(sgf::split_composed(r"a\\:c"), Some((r"a\\", "c")));
    assert_eq!(sgf::split_composed(r"a\:b"), None);
    assert_eq!(sgf::split_composed("人:字"), Some(("人", "字")));
    assert_eq!(sgf::escape_part("1:0]"), r"1\:0\]");
    let tree = clean(r"(;FF[4]SZ[9]LB[aa:1\:0][bb:\]x])").trees.remove(0);
    let labels: Vec<String> = tree.labels(tree.root()).into_iter().map(|(_, label)| label).collect();
    assert_eq!(labels, ["1:0", "]x"]);
}

#[test]
fn sgf_missing_semicolon() {
    let expected = ("(;SZ[9];B[aa](;W[bb])(;W[cc]))".to_owned(), "sgf_missing_semicolon");
    assert_eq!(repaired("(FF[4]SZ[9];B[aa](;W[bb])(;W[cc]))"), expected);
    assert_eq!(repaired("(;FF[4]SZ[9];B[aa](W[bb])(;W[cc]))"), expected);
}

#[test]
fn sgf_missing_semicolon_between_moves() {
    let expected = ("(;SZ[9];B[aa];W[bb]C[x])".to_owned(), "sgf_several_moves");
    assert_eq!(repaired("(;FF[4]SZ[9];B[aa]W[bb]C[x])"), expected);
    let (moves, code) = repaired("(;FF[4]SZ[9];B[aa]B[bb])");
    assert_eq!((moves.as_str(), code), ("(;SZ[9];B[aa];B[bb])", "sgf_several_moves"));
}

#[test]
fn sgf_missing_parenthesis() {
    for file in ["(;FF[4]SZ[9];B[aa](;W[bb])(;W[cc])", "(;FF[4]SZ[9];B[aa](;W[bb])(;W[cc]"] {
        assert_eq!(repaired(file), ("(;SZ[9];B[aa](;W[bb])(;W[cc]))".to_owned(), "sgf_unclosed_tree"));
    }
}

#[test]
fn sgf_unclosed_value() {
    let file = "(;FF[4]SZ[9];B[aa]C[half a comm";
    let parsed = read(file);
    let codes: Vec<_> = parsed.warnings.iter().map(|w| w.code()).collect();
    assert_eq!(codes, ["sgf_unclosed_value", "sgf_unclosed_tree"]);
    assert_eq!(shape(&parsed.collection), "(;SZ[9];B[aa]C[half a comm])");
    // A backslash at the end must not swallow the bracket when written.
    assert_eq!(shape(&read("(;C[half\\").collection), "(;C[half])");
    assert_eq!(shape(&read("(;C[half\\\\").collection), "(;C[half\\\\])");
}

#[test]
fn sgf_extra_parenthesis() {
    assert_eq!(repaired("(;FF[4]SZ[9];B[aa]))"), ("(;SZ[9];B[aa])".to_owned(), "sgf_extra_parenthesis"));
    assert_eq!(repaired("(;FF[4]);B[aa])"), ("(;)".to_owned(), "sgf_skipped_text"));
}

#[test]
fn sgf_empty_variation() {
    assert_eq!(repaired("(;FF[4]SZ[9];B[aa]())"), ("(;SZ[9];B[aa])".to_owned(), "sgf_empty_variation"));
    let (shape, code) = repaired("(;FF[4]SZ[9];B[aa]((;W[bb])(;W[cc])))");
    assert_eq!((shape.as_str(), code), ("(;SZ[9];B[aa](;W[bb])(;W[cc]))", "sgf_empty_variation"));
}

#[test]
fn sgf_node_after_variation() {
    let (shape, code) = repaired("(;FF[4]SZ[9];B[aa](;W[bb]);W[cc];B[dd])");
    assert_eq!((shape.as_str(), code), ("(;SZ[9];B[aa](;W[bb])(;W[cc];B[dd]))", "sgf_node_after_variation"));
}

#[test]
fn sgf_skipped_text() {
    for file in ["(;FF[4]SZ[9] ** ;B[aa])", "(;FF[4]CA[UTF-8]SZ[9]; 黑 B[aa])", "(;FF[4]SZ[9];B[aa]) bye"] {
        assert_eq!(repaired(file), ("(;SZ[9];B[aa])".to_owned(), "sgf_skipped_text"));
    }
    assert_eq!(repaired("(;FF[4]SZ[9];B[aa] C)"), ("(;SZ[9];B[aa])".to_owned(), "sgf_no_value"));
    assert_eq!(repaired("(;FF[4]SZ[9];[bb]B[aa])"), ("(;SZ[9];B[aa])".to_owned(), "sgf_nameless_value"));
    assert_eq!(repaired("(;FF[4]SZ[9];b[bb][cc]B[aa])"), ("(;SZ[9];B[aa])".to_owned(), "sgf_nameless_value"));
}

#[test]
fn sgf_old_property_names() {
    let parsed = read("(;FF[1]GaMe[1]SiZe[9]PlayerBlack[Honinbo Shusaku];White[aa];Black[bb])");
    assert!(parsed.warnings.iter().all(|warning| warning.code() == "sgf_name_spelling"));
    let tree = &parsed.collection.trees[0];
    assert_eq!(tree.size().width(), 9);
    assert_eq!(tree.file_format(), Some(1));
    assert_eq!(tree.info().black.name.as_deref(), Some("Honinbo Shusaku"));
    let colors: Vec<Color> = tree.main_line_moves().map(|m| m.color).collect();
    assert_eq!(colors, [Color::White, Color::Black]);
    // The old formats allowed it, FF[4] does not.
    assert!(sgf::parse(b"(;FF[3]SiZe[9];White[aa])", Mode::Strict).is_ok());
    assert_eq!(repaired("(;FF[4]SZ[9];White[aa])"), ("(;SZ[9];W[aa])".to_owned(), "sgf_name_spelling"));
}

#[test]
fn sgf_duplicate_properties() {
    assert_eq!(
        repaired("(;FF[4]SZ[9]AB[aa]PB[x]AB[bb][cc])"),
        ("(;SZ[9]AB[aa][bb][cc]PB[x])".to_owned(), "sgf_duplicate_property")
    );
    // An exact repetition adds nothing.
    assert_eq!(repaired("(;FF[4]SZ[9];B[aa]B[aa])"), ("(;SZ[9];B[aa])".to_owned(), "sgf_duplicate_property"));
    assert_eq!(repaired("(;FF[4]GM[1]GM[1])"), ("(;)".to_owned(), "sgf_duplicate_property"));
    // No part of a comment is lost.
    let parsed = read("(;C[one]N[n]C[two\nlines])");
    let tree = &parsed.collection.trees[0];
    assert_eq!(tree.comment(tree.root()).as_deref(), Some("one\ntwo\nlines"));
}

#[test]
fn sgf_extra_values() {
    assert_eq!(repaired("(;FF[4]SZ[9];B[aa][bb])"), ("(;SZ[9];B[aa][bb])".to_owned(), "sgf_extra_values"));
    let tree = tree("(;SZ[9];B[aa][bb])");
    assert_eq!(tree.main_line_moves().count(), 1);
}

#[test]
fn sgf_one_colour_twice_and_setup_in_mid_game() {
    let tree = clean("(;FF[4]SZ[9];B[aa];B[bb];AW[cc]AE[aa]PL[B];B[dd])").trees.remove(0);
    let colors: Vec<Color> = tree.main_line_moves().map(|m| m.color).collect();
    assert_eq!(colors, [Color::Black; 3]);
    let setups: Vec<bool> = tree.main_line().map(|node| !tree.setup(node).is_empty()).collect();
    assert_eq!(setups, [false, false, false, true, false]);
}

#[test]
fn sgf_other_games_are_refused_by_name() {
    for (number, name) in
        [("2", "Othello"), ("3", "chess"), ("11", "Hex"), ("40", "Kropki"), ("77", "GM[77]"), ("x", "GM[x]")]
    {
        let file = format!("(;GM[{number}]FF[4]SZ[8:8]B[D4]??)");
        let error = sgf::parse(file.as_bytes(), Mode::Tolerant).expect_err("not Go");
        let SgfError::OtherGame { tree, game, position } = &error else { panic!("{error}") };
        assert_eq!((*tree, game.as_str(), position.byte), (1, name, 2));
    }
    // Other trees of the file are still read.
    for mode in [Mode::Tolerant, Mode::Strict] {
        let parsed = sgf::parse(b"(;GM[1]FF[4]SZ[9])(;GM[2]FF[4];B[c4])(;FF[4]SZ[13])(;FF[4]SZ[37])", mode).unwrap();
        assert_eq!(parsed.collection.trees.len(), 2);
        assert_eq!(parsed.warnings, []);
        let codes: Vec<_> = parsed.refused.iter().map(SgfError::code).collect();
        assert_eq!(codes, ["sgf_other_game", "sgf_bad_size"]);
        assert_eq!(parsed.refused[1].position().map(|p| p.byte), Some(58));
    }
    // No GM at all, or an empty one, is Go.
    assert_eq!(clean("(;FF[4]SZ[9])").trees.len(), 1);
    assert_eq!(repaired("(;GM[]FF[4]SZ[9])"), ("(;SZ[9])".to_owned(), "sgf_bad_number"));
}

/// Lines end with LF, CR, CR LF or LF CR; columns count characters.
#[test]
fn sgf_positions() {
    let file = "\n(;C[黑方]X;\r\n;Y\r;\tZ\n\r\n  W)";
    let parsed = read(file);
    let places: Vec<(u32, u32, u32)> = parsed
        .warnings
        .iter()
        .filter(|w| w.code() == "sgf_no_value")
        .map(|w| (w.position.line, w.position.column, w.position.byte))
        .collect();
    assert_eq!(places, [(2, 8, 12), (3, 2, 17), (4, 3, 21), (6, 3, 27)]);
    for (_, _, byte) in places {
        assert!(file[byte as usize..].starts_with(|c: char| c.is_ascii_uppercase()));
    }
}

#[test]
fn sgf_limits() {
    let limits = Limits { bytes: 100, nodes: 3, values: 4, depth: 2 };
    let read = |file: &str| sgf::parse_with_limits(file.as_bytes(), Mode::Tolerant, &limits).map(|_| ());
    assert_eq!(read("(;;(;))"), Ok(()));
    assert_eq!(read(&" ".repeat(101)).unwrap_err().to_string(), "the file has 101 bytes: at most 100 are read");
    assert_eq!(read("(;;;;)").unwrap_err().to_string(), "line 1, column 5 (byte 4): the file has more than 3 nodes");
    assert_eq!(
        read("(;A[][]B[])(;C[][])").unwrap_err().to_string(),
        "line 1, column 17 (byte 16): the file has more than 4 property values"
    );
    assert_eq!(
        read("(;(;(;)))").unwrap_err().to_string(),
        "line 1, column 5 (byte 4): variations are nested more than 2 deep"
    );
    assert_eq!(read("(;;(;))(;)").unwrap_err().code(), "sgf_too_many_nodes");
}

#[test]
fn sgf_many_warnings_are_counted_not_kept() {
    let file = format!("(;{})", "x ".repeat(5000));
    let parsed = read(&file);
    assert_eq!(parsed.warnings.len(), Limits::MAX_WARNINGS);
    assert_eq!(parsed.warnings.len() + parsed.warnings_dropped, 5000);
}
