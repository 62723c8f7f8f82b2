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

fn number_of(found: &[Reason], code: &str, name: &str) -> Option<f64> {
    found.iter().find(|reason| reason.code == code).map(|reason| reason.number(name))
}

/// Who is locked or out does not beat a play in this trick.
#[test]
fn locked_seats_do_not_beat() {
    let rules = options(r#"{"pass_locks":true,"must_beat":false}"#);
    let start = |locked: &[u8]| {
        json!({"hands": ["5K", "?14", "?1"], "to_move": 0, "trick": {"play": "7", "by": 2}, "locked": locked,
            "passes": locked.len(), "plays_made": [1, 1, 1]})
    };
    // Of 46 cards that seat 2 may hold three aces and the two beat a king.
    let found = reasons(&session(&rules, start(&[1])), "K");
    let chance = number_of(&found, "paodekuai.beaten", "chance").unwrap();
    assert!((chance - 4.0 / 46.0).abs() < 1e-9, "{chance}");
    let found = reasons(&session(&rules, start(&[])), "K");
    assert!(number_of(&found, "paodekuai.beaten", "chance").unwrap() > 0.7, "{found:?}");
    // The only other seat with cards is locked, and the second place is sure.
    let rules = options(r#"{"pass_locks":true,"must_beat":false,"end":"ranking"}"#);
    let start = json!({"hands": ["5K", "?14", ""], "to_move": 0, "trick": {"play": "7", "by": 2}, "locked": [1],
        "out": [2], "plays_made": [1, 1, 1]});
    let found = reasons(&session(&rules, start), "K");
    assert_eq!(codes(&found), ["paodekuai.sure_win", "paodekuai.unbeatable", "paodekuai.plays_left"]);
    assert_eq!((&found[0].subject[..], found[0].number("place")), (&["K".to_owned(), "5".to_owned()][..], 2.0));
}

/// In a whole history: seat 1 passed and is locked until the trick ends.
#[test]
fn locks_of_a_history_count_for_their_trick_only() {
    let rules = options(r#"{"pass_locks":true,"must_beat":false}"#);
    let start = json!({"hands": ["34KK", "?3", "?1"], "to_move": 2, "plays_made": [1, 1, 1],
        "played": ["", "44455566677788899", "99TTTTJJJJ"], "trick": {"play": "5", "by": 1}});
    let mut game = session(&rules, start);
    play(&mut game, &["pass"]);
    // Seat 2 is locked: only seat 1, with three of 17 cards, may beat the king.
    let found = reasons(&game, "K");
    let beaten = number_of(&found, "paodekuai.beaten", "chance").unwrap();
    let deck = game.state().rules().deck_counts();
    let unseen = i32::from(deck.len()) - 4 - 17 - 10;
    let higher = i32::from(deck.count(11) + deck.count(12));
    let none: f64 = (0..3).map(|i| f64::from(unseen - higher - i) / f64::from(unseen - i)).product();
    // A bomb needs four cards.
    assert!((beaten - (1.0 - none)).abs() < 1e-9, "{beaten} for {}", 1.0 - none);
}

/// What passes prove is used: nobody can beat what no possible hand beats, and a sample is no proof.
#[test]
fn passes_prove_what_nobody_beats() {
    let start = json!({"hands": ["Q4", "?5"], "to_move": 0, "plays_made": [3, 3],
        "evidence": [{"seat": 1, "trick": ["single", 1, 8, 0, false], "played_since": ""}]});
    let game = session(&options("{}"), start);
    let found = reasons(&game, "Q");
    assert_eq!(codes(&found), ["paodekuai.sure_win", "paodekuai.unbeatable", "paodekuai.plays_left"]);
    assert_eq!(found[0].subject, ["Q", "4"]);
    // Without the pass it is a chance, from a sample or a list.
    let start = json!({"hands": ["Q4", "?5"], "to_move": 0, "plays_made": [3, 3]});
    let found = reasons(&session(&options("{}"), start), "Q");
    assert_eq!(codes(&found), ["paodekuai.beaten", "paodekuai.plays_left"]);
    assert!(found[0].number("chance") > 0.3 && found[0].number("error") > 0.0, "{found:?}");
    // A four is rare, but a sample without one proves nothing.
    let start = json!({"hands": ["A3456789TJK", "?4", "?4"], "to_move": 0, "plays_made": [3, 3, 3],
        "played": ["2AA", "", ""]});
    let found = reasons(&session(&options("{}"), start), "A");
    let chance = number_of(&found, "paodekuai.beaten", "chance").unwrap();
    assert!(0.0 < chance && chance < 0.05, "{found:?}");
}

/// A straight that no possible hand holds, by a pass on a straight: runs too, not only counts of ranks.
#[test]
fn listed_worlds_prove_what_nobody_beats() {
    let start = json!({"hands": ["456783", "?5"], "to_move": 0, "plays_made": [1, 1],
        "played": ["333444555666777888", "99TTTJJJQQQKKKAA"],
        "evidence": [{"seat": 1, "trick": ["straight", 5, 4, 0, false], "played_since": ""}]});
    let found = reasons(&session(&options("{}"), start), "45678");
    assert!(codes(&found).contains(&"paodekuai.unbeatable"), "{found:?}");
    assert!(number_of(&found, "paodekuai.beaten", "chance").is_none());
}

/// Every action that is a proven win says so, by a line of plays or in all worlds: the other two cards are of 5, 6 and queen.
#[test]
fn all_proven_wins_say_so() {
    let start = json!({"hands": ["44K", "?2"], "to_move": 0, "plays_made": [1, 1],
        "played": ["333344555666777788889999", "TTTTJJJJQQQKKKAAA2"]});
    let game = session(&options("{}"), start);
    let first = |action: &str| reasons(&game, action).remove(0);
    assert_eq!((first("44").code.as_str(), &first("44").subject.join(" ")[..]), ("paodekuai.sure_win", "44 K"));
    assert_eq!((first("K").code.as_str(), &first("K").subject.join(" ")[..]), ("paodekuai.sure_win", "K 44"));
    assert_eq!((first("4").code.as_str(), first("4").number("worlds")), ("paodekuai.proven_win", 3.0));
}

/// The plays that are left are counted exactly for hands of any length.
#[test]
fn plays_left_of_long_hands() {
    let mut game = Session::<PaoDeKuai>::new(2, options(r#"{"players":2}"#), None, 1).unwrap();
    let deal = "deal H3H4H5H6H7H8H9HTHJHQHKHAC5C6D7D8/S4C4D4S5S6S7C7C8C9CTCJSQSKCKCASJ";
    play(&mut game, &[deal]);
    let found = reasons(&game, "56789TJQKA");
    let before_after = |name| number_of(&found, "paodekuai.plays_left", name);
    assert_eq!((before_after("before"), before_after("after")), (Some(2.0), Some(1.0)));
}
