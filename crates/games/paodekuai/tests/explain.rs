//! Reasons and what is shown of the belief: their numbers are those of the position.

mod common;

use common::{cards, options, play, session};
use kiebitz_core::{Game, Knowledge, Notation, Reason, Rng, Scratch, Session};
use kiebitz_paodekuai::{Model, PaoDeKuai, PaoDeKuaiKnowledge, SoftEvidence};
use serde_json::json;

fn reasons(session: &Session<PaoDeKuai>, action: &str) -> Vec<Reason> {
    let seat = session.turn().seat().unwrap();
    let seen = session.seen(seat, 1);
    let action = session.state().parse_action(action).unwrap();
    assert!(session.state().is_legal(action));
    PaoDeKuaiKnowledge::default().reasons(&seen, action, None, &mut Rng::new(1), &mut Scratch::default())
}

fn codes(reasons: &[Reason]) -> Vec<&str> {
    reasons.iter().map(|reason| reason.code.as_str()).collect()
}

#[test]
fn sure_wins_and_plays_left() {
    let start = json!({"hands": ["AA3", "?3", "?3"], "to_move": 0,
        "played": ["", "4444555566667777", "88889999TTTTJJJJ"], "kitty": ""});
    let session = session(&options("{}"), start);
    let found = reasons(&session, "AA");
    assert_eq!(codes(&found), ["paodekuai.sure_win", "paodekuai.unbeatable", "paodekuai.plays_left"]);
    assert_eq!(found[0].subject, ["AA", "3"]);
    assert_eq!((found[2].number("before"), found[2].number("after")), (2.0, 1.0));
    let found = reasons(&session, "3");
    assert_eq!(codes(&found), ["paodekuai.beaten", "paodekuai.plays_left"]);
    assert_eq!(found[0].number("chance"), 1.0);
}

#[test]
fn forced_passes_and_last_plays() {
    let start = json!({"hands": ["34", "77", "AA"], "to_move": 0, "trick": {"play": "K", "by": 2}});
    let mut game = session(&options("{}"), start);
    let found = reasons(&game, "pass");
    assert_eq!((codes(&found), &found[0].subject[..]), (vec!["paodekuai.nothing_beats"], &["K".to_owned()][..]));
    play(&mut game, &["pass", "pass"]);
    assert_eq!(codes(&reasons(&game, "AA")), ["paodekuai.out"]);
    let game = session(&options("{}"), json!({"hands": ["355", "7", "AA"], "to_move": 0}));
    assert_eq!(codes(&reasons(&game, "5")).last(), Some(&"paodekuai.highest_single"));
}

#[test]
fn details_show_the_belief_and_its_proofs() {
    let mut game = session(&options("{}"), json!({"hands": ["3445KK", "667789", "99TTJA"], "to_move": 0}));
    play(&mut game, &["KK", "pass", "pass"]);
    let seen = game.seen(0, 1);
    let details = PaoDeKuaiKnowledge::default().details(&seen, &mut Rng::new(1), &mut Scratch::default());
    assert_eq!(details["proofs"][0], json!({"seat": 1, "proof": "passed", "on": "KK", "trick": 1}));
    assert_eq!(details["hands"][0]["seat"], json!(1));
    for hand in details["hands"].as_array().unwrap() {
        let expected: f64 = hand["expected"].as_object().unwrap().values().map(|n| n.as_f64().unwrap()).sum();
        assert!((expected - 6.0).abs() < 1e-9, "the expected numbers sum to the cards held: {expected}");
        // Who passed on kings holds at most one ace.
        assert!(hand["expected"]["A"].as_f64().unwrap() <= 1.0);
        assert_eq!(hand["expected"]["A"], hand["holds"]["A"]);
    }
    assert_eq!(details["unseen"].as_str().map(|text| cards(text).len()), Some(48 - 6));
}

/// With soft evidence every chance is that of the weighted worlds, and how many equal ones they are worth is told. Seat 1 could
/// have played an ace on the queen and played a king; the light policy always plays the lowest that beats.
#[test]
fn soft_evidence_tells_its_sample_size() {
    let rules = options(r#"{"must_beat":false}"#);
    let hidden = json!({"hands": ["3JQAA", "?5", "?5"], "to_move": 0, "plays_made": [1, 1, 1],
        "played": ["4445556667", "4777888999", "3335689TTTTJ"]});
    let mut game = session(&rules, hidden);
    play(&mut game, &["Q"]);
    let action = game.state().parse_action("K").unwrap();
    game.play(action).unwrap();
    play(&mut game, &["pass"]);
    let seen = game.seen(0, 1);
    let evidence = SoftEvidence { beta: 1.0, ..SoftEvidence::new(Model::named("rule").unwrap()) };
    let soft = PaoDeKuaiKnowledge { evidence: Some(evidence), ..PaoDeKuaiKnowledge::default() };
    let details = soft.details(&seen, &mut Rng::new(1), &mut Scratch::default());
    let worlds = details["worlds"].as_f64().unwrap();
    let ess = details["evidence"]["ess"].as_f64().unwrap();
    assert!(1.0 <= ess && ess < worlds, "{ess} of {worlds}");
    assert_eq!((&details["evidence"]["model"], &details["evidence"]["beta"]), (&json!("rule"), &json!(1.0)));
    let action = game.state().parse_action("A").unwrap();
    let told = soft.reasons(&seen, action, None, &mut Rng::new(1), &mut Scratch::default());
    let beaten = told.iter().find(|reason| reason.code == "paodekuai.beaten").expect("a chance");
    assert_eq!((beaten.number("worlds"), beaten.number("ess")), (worlds, ess), "hints and table say the same");
    assert!((0.0..=1.0).contains(&beaten.number("chance")));
    // Without it there is no such number.
    let plain = PaoDeKuaiKnowledge::default();
    assert!(!plain.details(&seen, &mut Rng::new(1), &mut Scratch::default()).contains_key("evidence"));
    let told = plain.reasons(&seen, action, None, &mut Rng::new(1), &mut Scratch::default());
    assert!(told.iter().all(|reason| !reason.numbers.contains_key("ess")), "{told:?}");
}
