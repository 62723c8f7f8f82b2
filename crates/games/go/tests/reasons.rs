//! What is said of a move is true.

use kiebitz_core::record::Header;
use kiebitz_core::{GameType, Knowledge, Notation, Reason, Rng, Scratch, Session};
use kiebitz_go::{Go, GoBuffer, GoKnowledge};
use serde_json::json;

fn reasons(size: usize, black: &str, white: &str, to_move: &str, action: &str) -> Vec<Reason> {
    let mut header = Header::new("go", 2, json!({ "size": size, "komi": 7 }).as_object().unwrap().clone());
    let points = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    header.set("setup", json!({"black": points(black), "white": points(white), "to_move": to_move}));
    let session: Session<Go> = GameType::session(&header, 0).unwrap();
    let action = session.state().parse_action(action).unwrap();
    let seen = session.seen(session.turn().seat().unwrap(), 1);
    let mut scratch: Scratch<Go, GoBuffer> = Scratch::default();
    GoKnowledge::default().reasons(&seen, action, None, &mut Rng::new(3), &mut scratch)
}

fn saves(size: usize, black: &str, white: &str, action: &str) -> bool {
    let reasons = reasons(size, black, white, "white", action);
    assert!(reasons.iter().any(|r| r.code == "go.lead"), "{reasons:?}");
    reasons.iter().any(|r| r.code == "go.atari_escape")
}

/// Stones that run into a ladder are not saved; with a stone of theirs on its way they are.
#[test]
fn stones_that_a_ladder_takes_are_not_saved() {
    // After G3 comes Black G2, White F3, Black E3.
    assert!(!saves(9, "F4 G5 H4 H3 F2 C7 C3", "G4 D6", "G3"));
    // A ladder towards the empty corner, and one that runs into a stone.
    let black = "G8 F7 H7 H6";
    assert!(!saves(13, black, "G7", "G6"));
    assert!(saves(13, black, "G7 D4 E4", "G6"));
    // Four liberties at once.
    assert!(saves(9, "E6 D5 F5", "E5 C3", "E4"));
}

/// The chain may take pursuers that are in atari.
#[test]
fn stones_that_take_their_pursuers_are_saved() {
    let black = "G8 F7 H7 H6";
    assert!(!saves(13, black, "G7 J7 J6", "G6"));
    assert!(saves(13, black, "G7 J7 J6 H8", "G6"));
}
