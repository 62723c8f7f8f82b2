//! Points (section 6).

mod common;

use common::{options, play, session};
use serde_json::{Value, json};

/// The scores of a deal from this position after these actions.
fn scores(rules: &str, setup: Value, actions: &[&str]) -> Value {
    let mut session = session(&options(rules), setup);
    play(&mut session, actions);
    let facts = session.facts();
    assert_eq!(facts["terminal"], json!(true), "{facts:?}");
    let points = session.returns();
    assert_eq!(points.as_slice().iter().sum::<f64>(), 0.0);
    facts["scores"].clone()
}

/// The four examples of the rules.
#[test]
fn worked_examples() {
    let setup = json!({"hands": ["A", "34567", "8"], "to_move": 0});
    assert_eq!(scores("{}", setup, &["A"]), json!([5, -5, 0]));
    let full = "3344556677889TJQ";
    let setup = json!({"hands": ["A", full, "3456789"], "to_move": 0, "plays_made": [1, 0, 1]});
    assert_eq!(scores("{}", setup.clone(), &["A"]), json!([39, -32, -7]));
    let mut bombed = setup;
    bombed["bombs"] = json!([0]);
    assert_eq!(scores("{}", bombed, &["A"]), json!([59, -42, -17]));
    let setup = json!({"hands": ["A", "3456", "789"], "to_move": 0, "bombs": [1]});
    assert_eq!(scores("{}", setup, &["A"]), json!([-3, 16, -13]));
}

/// Who is first out wins a deal, also with the fewest points (a bomb of another pays more) or with none (all others hold one
/// card).
#[test]
fn first_out_wins_a_deal() {
    let wins = |setup: Value| {
        let mut session = session(&options("{}"), setup);
        play(&mut session, &["A"]);
        (session.win_returns().as_slice().to_vec(), session.returns().as_slice().to_vec())
    };
    let bombed = json!({"hands": ["A", "3456", "789"], "to_move": 0, "bombs": [1]});
    assert_eq!(wins(bombed), (vec![1.0, -0.5, -0.5], vec![-3.0, 16.0, -13.0]));
    let nothing = json!({"hands": ["A", "3", "4"], "to_move": 0});
    assert_eq!(wins(nothing), (vec![1.0, -0.5, -0.5], vec![0.0, 0.0, 0.0]));
}

#[test]
fn shutout_and_reverse_shutout() {
    let setup = json!({"hands": ["3456", "A", "789"], "to_move": 1, "plays_made": [1, 3, 0], "leader": 0});
    assert_eq!(scores("{}", setup.clone(), &["A"]), json!([-4, 10, -6]));
    assert_eq!(scores(r#"{"reverse_shutout":2}"#, setup.clone(), &["A"]), json!([-8, 14, -6]));
    assert_eq!(scores(r#"{"reverse_shutout":3,"shutout":1}"#, setup.clone(), &["A"]), json!([-12, 15, -3]));
    // Only the opening leader, and only after exactly one play.
    let mut other = setup.clone();
    other["leader"] = json!(1);
    assert_eq!(scores(r#"{"reverse_shutout":2}"#, other, &["A"]), json!([-4, 10, -6]));
    let mut two = setup;
    two["plays_made"] = json!([2, 3, 0]);
    assert_eq!(scores(r#"{"reverse_shutout":2}"#, two, &["A"]), json!([-4, 10, -6]));
}

/// A shut-out of a whole deal: both losers never play a card.
#[test]
fn shutout_in_a_deal() {
    let rules = r#"{"deck":"custom","hand":2,"removed":["D3","C4","D4","S5","H5","C5","D5","S6","H6","C6","D6","S7","H7","C7","D7","S8","H8","C8","D8","S9","H9","C9","D9","ST","HT","CT","DT","SJ","HJ","CJ","DJ","SQ","HQ","CQ","DQ","SK","HK","CK","DK","SA","HA","CA","DA","H2","C2","D2"]}"#;
    let mut session = kiebitz_core::Session::new(3, options(rules), None, 0).unwrap();
    play(&mut session, &["deal S3H3/C3S4/H4S2", "33"]);
    assert_eq!(session.facts()["scores"], json!([8, -4, -4]));
}

#[test]
fn one_card_and_points_per_card() {
    let setup = json!({"hands": ["A", "3", "789"], "to_move": 0});
    assert_eq!(scores("{}", setup.clone(), &["A"]), json!([3, 0, -3]));
    assert_eq!(scores(r#"{"one_card_free":false}"#, setup.clone(), &["A"]), json!([4, -1, -3]));
    assert_eq!(scores(r#"{"card_point":5}"#, setup, &["A"]), json!([15, 0, -15]));
}

#[test]
fn bombs_paid_under_each_winner_and_none() {
    // Seat 1 bombs, wins the trick, and loses the deal.
    let setup = json!({"hands": ["3AA", "34567777", "89T"], "to_move": 0});
    let play_out = |rules: &str| {
        let mut session = session(&options(rules), setup.clone());
        play(&mut session, &["A", "7777", "pass", "pass", "3", "8", "A", "pass", "pass", "3"]);
        let facts = session.facts();
        assert_eq!(facts["bombs_paid_to"], json!([1]), "{rules}");
        facts["scores"].clone()
    };
    assert_eq!(play_out("{}"), json!([3 + 2 - 10, -3 + 20, -2 - 10]));
    assert_eq!(play_out(r#"{"bomb_pay":"winner"}"#), json!([3 + 2 + 20, -3 - 10, -2 - 10]));
    assert_eq!(play_out(r#"{"bomb_pay":"none"}"#), json!([5, -3, -2]));
    assert_eq!(play_out(r#"{"bomb_points":5}"#), json!([0, -3 + 10, -2 - 5]));
}

#[test]
fn only_the_last_bomb_of_a_trick_counts() {
    let setup = json!({"hands": ["A9999", "37777", "8TJ"], "to_move": 1});
    let mut session = session(&options("{}"), setup);
    play(&mut session, &["7777", "pass", "9999", "pass", "pass", "A"]);
    assert_eq!(
        (session.facts()["bombs_paid_to"].clone(), session.facts()["scores"].clone()),
        (json!([0]), json!([23, -10, -13]))
    );
    // A bomb that ends the deal counts.
    let setup = json!({"hands": ["9999", "37777", "8TJ"], "to_move": 1});
    assert_eq!(scores("{}", setup, &["7777", "pass", "9999"]), json!([23, -10, -13]));
}

#[test]
fn cap_limits_losses() {
    let full = "3344556677889TJQ";
    let setup = json!({"hands": ["A", full, "3456789"], "to_move": 0, "plays_made": [1, 0, 1]});
    assert_eq!(scores(r#"{"cap":20}"#, setup.clone(), &["A"]), json!([27, -20, -7]));
    assert_eq!(scores(r#"{"cap":5}"#, setup, &["A"]), json!([10, -5, -5]));
    // Two winners receive less, in proportion.
    let setup = json!({"hands": ["A", "3456", full, "8"], "to_move": 0, "plays_made": [1, 1, 0, 1], "bombs": [1]});
    let four = r#"{"deck":"custom","removed":[],"hand":13,"cap":25}"#;
    let mut small = setup;
    small["hands"][2] = json!("344556677889T");
    // Seat 0: 4 + 26 + 0 - 10 = 20; seat 1: -4 + 30 = 26; seat 2: -26 - 10 = -36; seat 3: -10. Paid are
    // 25 + 10 = 35 of 46: 15.2 and 19.8.
    let found = scores(four, small, &["A"]);
    assert_eq!(found, json!([15, 20, -25, -10]));
}

#[test]
fn bird_doubles_for_its_holder() {
    let rules = r#"{"bird":"HT","deck":"custom","hand":2,"removed":["D3","C4","D4","S5","H5","C5","D5","S6","H6","C6","D6","S7","H7","C7","D7","S8","H8","C8","D8","S9","H9","C9","D9","ST","CT","DT","SJ","HJ","CJ","DJ","SQ","HQ","CQ","DQ","SK","HK","CK","DK","SA","HA","CA","DA","H2","C2","D2"],"shutout":1}"#;
    for (deal, expected) in [
        ("deal S3H3/C3S4/HTS2/H4", json!([6, -2, -4])),
        ("deal S3H3/HTS4/C3S2/H4", json!([6, -4, -2])),
        ("deal S3H3/H4S4/C3S2/HT", json!([4, -2, -2])),
    ] {
        let mut session = kiebitz_core::Session::new(3, options(rules), None, 0).unwrap();
        play(&mut session, &[deal, "33"]);
        assert_eq!(session.facts()["scores"], expected, "{deal}");
    }
}

#[test]
fn ranking_scores_places_and_bombs() {
    let setup = json!({"hands": ["A", "3", "", "8"], "to_move": 0, "out": [2], "bombs": [3]});
    let four = r#"{"deck":"d52","hand":13,"end":"ranking"}"#;
    assert_eq!(scores(four, setup, &["A", "pass", "pass", "3"]), json!([1 - 10, -1 - 10, 3 - 10, -3 + 30]));
}
