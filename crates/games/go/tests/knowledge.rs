//! What the knowledge of Go leaves out for a search.

mod common;

use common::{diagram, options};
use kiebitz_core::{Game, Knowledge};
use kiebitz_go::{Color, GoKnowledge, KoRule, Move};

fn pruned(text: &str, suicide: bool, color: Color) -> Vec<String> {
    let rows: Vec<_> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let size = (rows[0].split_whitespace().count(), rows.len());
    let mut go = diagram(&options(size.0, size.1, KoRule::Positional, suicide), text);
    go.set_to_move(color);
    let mut all: Vec<Move> = Vec::new();
    go.actions(&mut all);
    let mut kept = all.clone();
    GoKnowledge::default().prune(&go, &mut kept);
    all.retain(|mv| !kept.contains(mv));
    all.iter().map(|mv| mv.text(go.size()).to_string()).collect()
}

#[test]
fn own_eyes_and_suicide_are_left_out() {
    let text = "
        . X . O .
        X X X O O
        . X O O .
        X X O . O
        O O O O .";
    assert_eq!(pruned(text, false, Color::Black), ["A3", "A5"]);
    // White's last eye but one is E3; suicide of several stones is legal and left out.
    assert_eq!(pruned(text, true, Color::White), ["E1", "D2", "E3", "E5"]);
    let text = "
        O O O O .
        O X X O O
        O X . O .
        O O O O .";
    assert_eq!(pruned(text, true, Color::Black), ["C2"], "three stones would be lost");
    assert_eq!(pruned(text, true, Color::White), ["E4"], "an eye; at C2 White takes three");
}
