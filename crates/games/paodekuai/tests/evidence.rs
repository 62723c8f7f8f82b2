//! Evidence of a set-up: what contradicts itself, the hands or the numbers of cards is refused, and says why.

mod common;

use kiebitz_core::{Game, Json, SetupError};
use kiebitz_paodekuai::{Options, PaoDeKuai, Setup};
use serde_json::json;

/// Three players, seat 0 to move; `more` is added to the set-up.
fn start(rules: &str, hands: [&str; 3], more: Json) -> Result<PaoDeKuai, SetupError> {
    let options: Options = common::options(rules);
    let mut json = json!({"hands": hands, "to_move": 0});
    for (key, value) in more.as_object().unwrap() {
        json[key] = value.clone();
    }
    PaoDeKuai::new(3, &options, Some(&Setup::from_json(&options, &json)?))
}

fn refused(hands: [&str; 3], more: Json) -> String {
    start("{}", hands, more.clone()).expect_err(&more.to_string()).message.into_owned()
}

fn passed(seat: u8, reading: Json) -> Json {
    json!({"seat": seat, "trick": reading, "played_since": ""})
}

#[test]
fn evidence_that_no_cards_agree_with_is_refused() {
    let low = json!(["single", 1, 0, 0, false]);
    // Both others have nothing above a 3, and all 3s are elsewhere.
    let message =
        refused(["3333", "?16", "?16"], json!({"evidence": [passed(1, low.clone()), passed(2, low.clone())]}));
    assert!(message.contains("contradicts the numbers of cards"), "{message}");
    // One of them alone is already too much: four cards of nothing but 3s, one of which is left.
    let message = refused(["333", "?4", "?16"], json!({"evidence": [passed(1, low.clone())]}));
    assert!(message.contains("contradicts the numbers of cards"), "{message}");
    assert!(start("{}", ["333", "?1", "?16"], json!({"evidence": [passed(1, low.clone())]})).is_ok());
    // The last 3 is in the kitty.
    let kitty = json!({"evidence": [passed(1, low.clone())], "kitty": "3"});
    assert!(refused(["333", "?1", "?16"], kitty).contains("contradicts the numbers of cards"));
    // The last 3 is needed by two.
    let two = json!({"evidence": [passed(1, low.clone()), passed(2, low)]});
    assert!(refused(["333", "?1", "?1"], two).contains("contradicts the numbers of cards"));
}

/// Kickers that must be pairs cannot be counted rank by rank: what is left over to trying is refused too, and what is possible
/// is not.
#[test]
fn evidence_that_is_tested_on_whole_hands() {
    let rules = r#"{"kicker_pair":true}"#;
    let evidence = json!({"evidence": [passed(1, json!(["tri", 1, 0, 2, false]))],
        "played": ["3333444455556666", "777788889999TT", ""]});
    // Left are two tens, four knaves, queens and kings, three aces and a two: any fourteen of them hold a triple and a pair.
    let e = start(rules, ["K", "?14", "K"], evidence.clone()).unwrap_err();
    assert!(e.message.contains("contradicts the numbers of cards"), "{e}");
    assert!(start(rules, ["K", "?4", "?4"], evidence).is_ok());
}

#[test]
fn evidence_against_a_told_hand_is_refused() {
    let low = passed(0, json!(["single", 1, 0, 0, false]));
    let message = refused(["4", "?2", "?2"], json!({"evidence": [low]}));
    assert!(message.contains("seat 0 passed") && message.contains("it holds 4"), "{message}");
    let message = refused(
        ["9", "A", "?2"],
        json!({"evidence": [{"seat": 1, "single": "K", "played_since": "K"}], "played": ["", "K", ""]}),
    );
    assert!(message.contains("seat 1 played its highest single") && message.contains("had K then"), "{message}");
    assert!(
        start("{}", ["3", "?2", "?2"], json!({"evidence": [passed(0, json!(["single", 1, 0, 0, false]))]})).is_ok()
    );
}

#[test]
fn evidence_of_another_form_is_refused() {
    for (evidence, part) in [
        (json!({"seat": 1, "trick": ["single", 1, 0, 0, false], "since": "3"}), "no 'since'"),
        (json!({"seat": 1}), "one of trick, single and kept"),
        (json!({"seat": 1, "trick": ["single", 1, 0, 0, false], "single": "3"}), "one of trick, single and kept"),
        (json!({"seat": 7, "single": "3"}), "a number from 0 to 3"),
        (passed(1, json!(["single", 1, 99, 0, false])), "from 0 (a 3) to 12 (a 2)"),
        (passed(1, json!(["single", 0, 9, 0, false])), "from 1 to 12"),
        (passed(1, json!(["solo", 1, 9, 0, false])), "one of bomb, single"),
        (passed(1, json!(["single", 1, 9, "x", false])), "kickers"),
        (passed(1, json!(["single", 1, 9, 0, 0])), "true or false"),
        (passed(1, json!(["single", 2, 9, 0, false])), "no play reads as"),
        (passed(1, json!(["pair", 1, 9, 1, false])), "no play reads as"),
        (passed(1, json!(["pair", 1, 12, 0, false])), "no play reads as"),
        (passed(1, json!(["straight", 4, 9, 0, false])), "no play reads as"),
        (passed(1, json!(["straight", 5, 12, 0, false])), "no play reads as"),
        (passed(1, json!(["straight", 5, 3, 0, false])), "no play reads as"),
        (passed(1, json!(["tri", 1, 3, 3, false])), "no play reads as"),
        (passed(1, json!(["quad", 1, 3, 2, false])), "no play reads as"),
        (json!({"seat": 1, "trick": ["single", 1, 9, 0, false], "on": "44"}), "cannot be read as"),
    ] {
        let message = refused(["345", "?2", "?2"], json!({"evidence": [evidence]}));
        assert!(message.contains(part), "{message}");
    }
    let trick = json!({"trick": {"play": "6", "by": 1, "owner": 1}});
    assert!(refused(["345", "?2", "?2"], trick).contains("trick has no 'owner'"));
    // Every kind of reading there is may be evidence.
    for reading in [
        json!(["single", 1, 12, 0, false]),
        json!(["pair", 1, 11, 0, false]),
        json!(["straight", 5, 11, 0, false]),
        json!(["pairrun", 2, 11, 0, false]),
        json!(["tri", 1, 11, 2, false]),
        json!(["tri", 2, 11, 4, false]),
        json!(["tri", 1, 5, 1, true]),
        json!(["bomb", 1, 10, 0, false]),
    ] {
        let started = start("{}", ["345", "?2", "?2"], json!({"evidence": [passed(1, reading.clone())]}));
        assert!(started.is_ok(), "{reading}: {started:?}");
    }
}
