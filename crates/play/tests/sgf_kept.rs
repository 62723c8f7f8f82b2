//! Nothing that an SGF file holds is lost when its game is written again.

use kiebitz_core::record::Record;
use kiebitz_go::sgf::{self, Mode, Tree};
use kiebitz_play::go_sgf;

const STUDY: &str = "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]PB[Ann]BR[3d]PW[Bob]WR[1k]GN[A study]XY[unknown]PC[Home]
;B[ee]C[the centre]TR[ee]
(;W[gc];B[cc]LB[cc:A][dd:B]
  (;W[cg]N[main])
  (;W[gg]C[also]
    (;B[cg])
    (;B[gf])))
(;W[cc]C[the other corner];B[gg]))";

fn tree(bytes: &[u8]) -> Tree {
    sgf::parse(bytes, Mode::Tolerant).expect("SGF").collection.trees.remove(0)
}

fn record(bytes: &[u8]) -> Record {
    go_sgf::to_record(bytes, false).expect("a game of Go").record
}

/// All properties of all nodes, as far as the record does not decide them, sorted.
fn said(tree: &Tree) -> Vec<String> {
    let decided = ["GM", "FF", "CA", "AP", "SZ", "KM", "HA", "RU", "RE", "AB", "AW", "AE", "PL"];
    let mut all: Vec<String> = tree
        .walk()
        .flat_map(|(_, node)| tree.properties(node))
        .filter(|p| !decided.contains(&p.name()))
        .flat_map(|p| p.values().map(|v| format!("{}[{v}]", p.name())).collect::<Vec<_>>())
        .collect();
    all.sort();
    all
}

#[test]
fn variations_markup_and_unknown_properties_come_back() {
    let original = tree(STUDY.as_bytes());
    let written = tree(&go_sgf::from_record(&record(STUDY.as_bytes())).unwrap());
    assert_eq!(said(&written), said(&original));
    assert_eq!(written.len(), original.len());
    let main: Vec<_> = written.main_line_moves().map(|m| (m.color, m.mv)).collect();
    assert_eq!(main, original.main_line_moves().map(|m| (m.color, m.mv)).collect::<Vec<_>>());
    // Once more changes nothing.
    let text = go_sgf::from_record(&record(STUDY.as_bytes())).unwrap();
    assert_eq!(go_sgf::from_record(&record(&text)).unwrap(), text);
}

#[test]
fn what_was_played_instead_becomes_a_variation() {
    let read = record(STUDY.as_bytes());
    let mut shorter = Record::new(read.header.clone());
    shorter.lines = read.lines[..2].to_vec();
    let written = tree(&go_sgf::from_record(&shorter).unwrap());
    assert_eq!(said(&written), said(&tree(STUDY.as_bytes())));
    // The game ends after two moves, though the file goes on.
    assert_eq!(written.main_line_moves().count(), 2);
    let text = go_sgf::from_record(&shorter).unwrap();
    assert_eq!(record(&text).lines, shorter.lines);
    assert_eq!(go_sgf::from_record(&record(&text)).unwrap(), text, "once more changes nothing");
}

#[test]
fn a_record_without_anything_else_holds_nothing_twice() {
    let plain = b"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7]RU[Chinese]PB[Ann]PW[Bob];B[ee];W[gc];B[])";
    assert!(record(plain).header.get("sgf").is_none());
    assert!(record(STUDY.as_bytes()).header.get("sgf").is_some());
}

#[test]
fn empty_nodes_root_moves_and_executed_illegal_moves_do_not_break_the_thread() {
    for text in [
        "(;SZ[9]B[ee]C[first];C[only words](;W[gc](;B[cc])(;B[gg]))(;W[cg]))",
        // White plays on a stone: executed as the standard says.
        "(;SZ[9];B[ee];W[ee]C[odd](;B[gc]TR[gc])(;B[gg]CR[gg]))",
        "(;SZ[9];AB[ee]W[gc](;B[cc]MA[cc])(;B[gg];W[cc]))",
    ] {
        let original = tree(text.as_bytes());
        let written = tree(&go_sgf::from_record(&record(text.as_bytes())).unwrap());
        let comments =
            |tree: &Tree| said(tree).into_iter().filter(|p| !p.starts_with(['B', 'W', 'C'])).collect::<Vec<_>>();
        assert_eq!(comments(&written), comments(&original), "{text}");
        for (_, node) in original.walk() {
            if let Some(words) = original.comment(node) {
                assert!(written.walk().any(|(_, n)| written.comment(n).is_some_and(|c| c.contains(&words))), "{words}");
            }
        }
        let leaves = |tree: &Tree| {
            let last = |node| tree.first_child(node).is_none() && tree.properties(node).next().is_some();
            tree.walk().filter(|&(_, node)| last(node)).count()
        };
        assert_eq!(leaves(&written), leaves(&original), "{text}");
    }
}

#[test]
fn real_files_are_written_whole() {
    for name in ["fox-app", "lee-alphago-2016-g4", "ogs-download"] {
        let path = format!("{}/../games/go/tests/data/sgf/{name}.sgf", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(&path).expect("a file of the Go crate");
        let (original, text) = (tree(&bytes), go_sgf::from_record(&record(&bytes)).unwrap());
        let written = tree(&text);
        for (_, node) in original.walk().filter(|&(_, node)| original.comment(node).is_some()) {
            let words = original.comment(node).unwrap();
            assert!(
                written.walk().any(|(_, n)| written.comment(n).is_some_and(|c| c.contains(&words))),
                "{name}: {words}"
            );
        }
        let moves = |tree: &Tree| tree.walk().filter(|&(_, node)| tree.played(node).is_some()).count();
        assert_eq!(moves(&written), moves(&original), "{name}");
        assert_eq!(go_sgf::from_record(&record(&text)).unwrap(), text, "{name}: once more changes nothing");
    }
}
