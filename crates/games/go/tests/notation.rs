//! Texts, facts, views, boards, records.

mod common;

use common::{diagram, game, mv, options, play, size};
use kiebitz_core::record::Record;
use kiebitz_core::{DynGame, Forfeit, Game, GameType, Notation, Observer, Rng};
use kiebitz_go::{Go, KoRule, Options, Ruleset, Setup};
use serde_json::{Value, json};

#[test]
fn texts_of_moves_round_trip() {
    let mut actions = Vec::new();
    for (width, height) in [(19, 19), (25, 25), (9, 7), (1, 1)] {
        let go = game(&Options::new(size(width, height), Ruleset::Chinese));
        go.actions(&mut actions);
        for &action in &actions {
            let text = go.action_text(action);
            assert_eq!(go.parse_action(&text), Ok(action));
            assert_eq!(go.parse_action(&format!(" {} ", text.to_lowercase())), Ok(action));
        }
    }
    let go = game(&Options::new(size(9, 9), Ruleset::Chinese));
    for (text, code) in [
        ("K1", "go.off_board"),
        ("A10", "go.off_board"),
        ("I5", "go.move"),
        ("A0", "go.move"),
        ("", "go.move"),
        ("resign", "go.move"),
        ("D4 D5", "go.move"),
        ("äö", "go.move"),
    ] {
        let error = go.parse_action(text).unwrap_err();
        assert_eq!(error.code, code, "{text}: {error}");
    }
}

#[test]
fn go_17_g4_boards_have_aligned_coordinates_without_i() {
    let mut go = game(&Options::new(size(9, 9), Ruleset::Chinese));
    play(&mut go, "E5 C3");
    let nine = "   A B C D E F G H J
 9 + + + + + + + + + 9
 8 + + + + + + + + + 8
 7 + + + + + + + + + 7
 6 + + + + + + + + + 6
 5 + + + + ● + + + + 5
 4 + + + + + + + + + 4
 3 + +(○)+ + + + + + 3
 2 + + + + + + + + + 2
 1 + + + + + + + + + 1
   A B C D E F G H J";
    assert_eq!(go.board_text(Observer::Public), nine);
    let mut go = game(&Options::new(size(13, 2), Ruleset::Chinese));
    play(&mut go, "N2");
    let wide = "   A B C D E F G H J K L M N
 2 + + + + + + + + + + + +(●)2
 1 + + + + + + + + + + + + + 1
   A B C D E F G H J K L M N";
    assert_eq!(go.board_text(Observer::Seat(1)), wide);
    for side in [10, 13, 19, 25] {
        let text = game(&Options::new(size(side, side), Ruleset::Chinese)).board_text(Observer::Public);
        assert!(!text.contains('I'));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), side + 2);
        for line in &lines[1..=side] {
            for (column, letter) in lines[0].chars().enumerate().filter(|(_, c)| *c != ' ') {
                assert_eq!(line.chars().nth(column), Some('+'), "{letter} of {line}");
            }
        }
    }
}

#[test]
fn facts_of_a_position() {
    let text = "
        . X O .
        X O . O
        . X O .";
    let mut go = diagram(&Options { komi: 2, ..options(4, 3, KoRule::Simple, false) }, text);
    play(&mut go, "C2");
    // Black: four stones and A1, A3; White: three stones and D1, D3. B2 touches Black only.
    assert_eq!(
        Value::from(go.facts()),
        json!({
            "to_move": 1, "terminal": false, "legal_count": 3, "legal": ["D1", "D3", "pass"],
            "black": ["A2", "B1", "B3", "C2"], "white": ["C1", "C3", "D2"], "captures": [1, 0], "ko": ["B2"],
            "score": 1.5, "result": null
        })
    );
}

#[test]
fn facts_at_the_end() {
    let mut go = game(&Options::new(size(9, 9), Ruleset::Chinese));
    play(&mut go, "E5 pass pass");
    let facts = Value::from(go.facts());
    assert_eq!(
        facts,
        json!({
            "to_move": null, "terminal": true, "black": ["E5"], "white": [], "captures": [0, 0], "ko": [], "score": 74,
            "result": "B+74"
        })
    );
    let start = Value::from(game(&Options::default()).facts());
    assert_eq!(start["legal_count"], 362);
    assert_eq!(start["score"], json!(-7.5));
    let legal: Vec<&str> = start["legal"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
    assert!(legal.is_sorted());
    assert_eq!((legal[0], legal[361]), ("A1", "pass"));
}

#[test]
fn results_with_forfeits() {
    let go = game(&Options::default());
    assert_eq!(go.result_text(None), None);
    assert_eq!(go.result_text(Some(Forfeit::Resign(0))).as_deref(), Some("W+R"));
    assert_eq!(go.result_text(Some(Forfeit::Timeout(1))).as_deref(), Some("B+T"));
}

#[test]
fn set_ups_round_trip() {
    let options = Options::new(size(19, 19), Ruleset::Chinese);
    for value in [
        json!({}),
        json!({"black": ["D4"], "white": ["Q16"], "to_move": "black"}),
        json!({"black": ["D4", "T19"], "to_move": "white"}),
        json!({"empty": ["A1"]}),
    ] {
        let setup = Go::setup_from_json(&options, &value).unwrap();
        assert_eq!(Go::setup_to_json(&options, &setup), value);
    }
    let numbers = Go::setup_from_json(&options, &json!({"to_move": 1})).unwrap();
    assert_eq!(Go::setup_to_json(&options, &numbers), json!({"to_move": "white"}));
    for (value, code) in [
        (json!([]), "go.setup"),
        (json!({"black": "D4"}), "go.setup"),
        (json!({"black": [4]}), "go.setup"),
        (json!({"red": []}), "go.setup"),
        (json!({"to_move": "red"}), "go.setup"),
        (json!({"black": ["I4"]}), "go.off_board"),
        (json!({"black": ["A20"]}), "go.off_board"),
    ] {
        assert_eq!(Go::setup_from_json(&options, &value).unwrap_err().code, code, "{value}");
    }
    let game = |value: Value| Go::new(2, &options, Some(&Go::setup_from_json(&options, &value).unwrap()));
    assert_eq!(game(json!({"black": ["D4"], "white": ["D4"]})).unwrap_err().code, "go.setup");
    let captured = json!({"black": ["A1"], "white": ["A2", "B1"]});
    assert_eq!(game(captured).unwrap_err().code, "go.no_liberty");
    // A point of another board.
    let outside = Setup { black: vec![size(25, 25).point(24, 24).unwrap()], ..Setup::default() };
    assert_eq!(Go::new(2, &options, Some(&outside)).unwrap_err().code, "go.off_board");
}

const RECORD: &str = r#"{"kiebitz":1,"game":"go","players":2,"rules":{"size":5,"komi":0.5},"setup":{"black":["C3"],"to_move":"white"},"expect":{"to_move":1,"black":["C3"],"legal_count":25}}
{"by":1,"action":"C4"}
{"by":1,"action":"b4","expect":{"to_move":0,"white":["B4","C4"]}}
{"by":0,"action":"D4"}
{"by":"setup","setup":{"white":["E1"],"empty":["C3"],"to_move":"white"},"expect":{"to_move":1,"black":["D4"],"white":["B4","C4","E1"]}}
{"by":1,"action":"pass"}
{"by":0,"action":"pass","expect":{"terminal":true,"score":-2.5,"result":"W+2.5","to_move":null}}
{"by":0,"event":"dead","stones":["E1"],"expect":{"score":-1.5,"result":"W+1.5"}}
{"by":1,"event":"dead","stones":["D4"],"expect":{"score":-25.5,"result":"W+25.5","black":["D4"]}}
"#;

#[test]
fn a_record_with_everything() {
    let read = Record::read(RECORD.as_bytes()).unwrap();
    let mut session = GameType::<Go>::session(&read.record.header, 0).unwrap();
    let check = |session: &dyn DynGame, expect: Option<&serde_json::Map<String, Value>>| {
        let facts = session.facts();
        for (key, value) in expect.into_iter().flatten() {
            assert_eq!(facts.get(key), Some(value), "{key} of {facts:?}");
        }
    };
    let first = RECORD.lines().next().unwrap();
    let header: Value = serde_json::from_str(first).unwrap();
    check(&session, header["expect"].as_object());
    for line in &read.record.lines {
        DynGame::perform(&mut session, line).unwrap_or_else(|e| panic!("{line:?}: {e}"));
        check(&session, line.expect());
    }
    // Everything can be taken back and done again.
    let end = session.state().clone();
    let mut undone = 0;
    while DynGame::undo(&mut session) {
        undone += 1;
    }
    assert_eq!(undone, read.record.lines.len());
    while DynGame::redo(&mut session) {}
    assert_eq!(*session.state(), end);
}

#[test]
fn events_that_are_refused() {
    let mut go = game(&Options::new(size(5, 5), Ruleset::Chinese));
    play(&mut go, "C3");
    let data = |value: Value| value.as_object().unwrap().clone();
    let stones = data(json!({"stones": ["C3"]}));
    assert_eq!(go.event(0, "dead", &stones).unwrap_err().code, "go.dead", "the game is not over");
    play(&mut go, "pass pass");
    assert_eq!(go.event(0, "draw", &stones).unwrap_err().code, "event.unknown");
    for bad in [
        json!({}),
        json!({"stones": "C3"}),
        json!({"stones": [3]}),
        json!({"stones": ["Z9"]}),
        json!({"stones": ["A1"]}),
    ] {
        assert_eq!(go.event(0, "dead", &data(bad.clone())).unwrap_err().code, "go.dead", "{bad}");
    }
    assert!(go.event(1, "dead", &stones).is_ok());
    assert_eq!(go.hand_turn_to(0).unwrap_err().code, "game.over");
    let mut go = game(&Options::default());
    assert_eq!(go.hand_turn_to(2).unwrap_err().code, "turn.seat");
    go.hand_turn_to(1).unwrap();
    let q16 = mv(&go, "Q16");
    go.try_apply(q16).unwrap();
    assert_eq!(go.facts()["white"], json!(["Q16"]));
}

#[test]
fn the_view_shows_everything_to_everybody() {
    let mut go = game(&Options::new(size(5, 3), Ruleset::Japanese));
    play(&mut go, "B2 D2");
    let view = go.view(Observer::Public);
    assert_eq!(view["size"], json!([5, 3]));
    assert_eq!(view["board"], json!([".....", ".X.O.", "....."]));
    assert_eq!(view["last"], json!({"by": 1, "action": "D2"}));
    assert_eq!(view["komi"], json!(6.5));
    assert_eq!(view["ruleset"], json!("japanese"));
    assert_eq!(view["to_move"], json!(0));
    for observer in [Observer::Seat(0), Observer::Seat(1), Observer::Omniscient] {
        assert_eq!(go.view(observer), view);
    }
    play(&mut go, "pass pass");
    assert_eq!(go.view(Observer::Public)["to_move"], Value::Null);
}

#[test]
fn no_text_panics() {
    let go = game(&Options::new(size(9, 9), Ruleset::Chinese));
    let mut rng = Rng::new(2);
    for _ in 0..20_000 {
        let length = rng.below(6);
        let text: String = (0..length).map(|_| char::from_u32(rng.below(0x250) as u32).unwrap_or('x')).collect();
        if let Ok(action) = go.parse_action(&text) {
            assert_eq!(go.parse_action(&go.action_text(action)), Ok(action));
        }
    }
}
