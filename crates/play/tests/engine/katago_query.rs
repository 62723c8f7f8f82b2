//! What a query in KataGo's form may say, field by field.

use serde_json::{Value, json};

use crate::support::{answer, answers, katago, numbers, refused};

/// The list of moves of an answer.
fn moves(answer: &Value) -> Vec<&str> {
    answer["moveInfos"].as_array().expect("a list").iter().filter_map(|i| i["move"].as_str()).collect()
}

fn player(answer: &Value) -> &str {
    answer["rootInfo"]["currentPlayer"].as_str().expect("a player")
}

/// An answer to a query about an empty 5x5 board with further fields.
#[track_caller]
fn ask(fields: &str) -> Value {
    answer(&katago(fields))
}

/// The warnings of a query: fields and texts.
fn warnings(line: &str) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let all = answers(line);
    assert!(all.iter().any(|l| l["rootInfo"].is_object()), "{all:?}");
    all.iter().filter(|l| l["warning"].is_string()).map(|l| (text(&l["field"]), text(&l["warning"]))).collect()
}

#[test]
fn moves_are_played_and_turns_chosen() {
    let line = katago(r#","moves":[["B","C3"],["w","c4"],["b","(1,1)"],["WHITE","pass"]],"analyzeTurns":[0,2,4]"#);
    let answers = answers(&line);
    let turns: Vec<(&Value, &str)> = answers.iter().map(|a| (&a["turnNumber"], player(a))).collect();
    assert_eq!(turns, [(&json!(0), "B"), (&json!(2), "B"), (&json!(4), "B")]);
    assert!(moves(&answers[0]).contains(&"C3"));
    assert!(!moves(&answers[1]).contains(&"C3") && !moves(&answers[1]).contains(&"C4"));
    // (1,1) from the top left is B4.
    assert!(moves(&answers[1]).contains(&"B4") && !moves(&answers[2]).contains(&"B4"));
    // Without analyzeTurns: the position after all moves.
    assert_eq!(ask(r#","moves":[["B","C3"]]"#)["turnNumber"], 1);
}

#[test]
fn a_colour_may_move_twice() {
    assert_eq!(player(&ask(r#","moves":[["B","C3"],["B","C4"]]"#)), "W");
    assert_eq!(player(&ask(r#","moves":[["W","C3"],["W","C4"]]"#)), "B");
}

#[test]
fn initial_stones_and_player() {
    let answer = ask(r#","initialStones":[["B","C3"],["B","D3"]],"moves":[],"initialPlayer":"W""#);
    assert_eq!(player(&answer), "W");
    assert!(!moves(&answer).contains(&"C3") && !moves(&answer).contains(&"D3"));
    // White begins where there are handicap stones, Black where there are none, else the first move says it.
    assert_eq!(player(&ask(r#","initialStones":[["B","C3"],["B","D3"]],"moves":[]"#)), "W");
    assert_eq!(player(&ask(r#","initialStones":[["B","C3"],["W","D3"]],"moves":[]"#)), "B");
    let turn0 = ask(r#","initialStones":[["B","C3"]],"moves":[["W","D3"]],"analyzeTurns":[0]"#);
    assert_eq!(player(&turn0), "W");
}

#[test]
fn a_point_takes_one_initial_stone() {
    for (stones, error) in [
        (r#"["B","C3"],["W","D3"],["B","D3"]"#, "it has D3 for both players; a point takes one stone"),
        (r#"["B","C3"],["B","c3"]"#, "it has C3 twice; a point takes one stone"),
        (r#"["W","(0,4)"],["W","A1"]"#, "it has A1 twice; a point takes one stone"),
    ] {
        let found = refused(&katago(&format!(r#","initialStones":[{stones}],"moves":[]"#)));
        assert_eq!(found, ("initialStones".to_owned(), error.to_owned()), "{stones}");
    }
}

#[test]
fn rules_are_a_name_or_an_object() {
    // What the rules say of suicide shows in the policy: at B1 Black would join A1 and leave both stones without liberty.
    let stones = r#""initialStones":[["B","A1"],["W","A2"],["W","B2"],["W","C1"]],"moves":[],"initialPlayer":"B""#;
    let policy_b1 = |rules: &str| {
        let line = format!(
            r#"{{"id":"q","rules":{rules},"boardXSize":3,"boardYSize":2,"maxVisits":10,"includePolicy":true,{stones}}}"#
        );
        numbers(&answer(&line)["policy"])[4]
    };
    for rules in [r#""tromp-taylor""#, r#""new zealand""#, "{}", r#"{"suicide":true}"#, r#""{\"suicide\":true}""#] {
        assert!(policy_b1(rules) >= 0.0, "{rules}");
    }
    for rules in [r#""chinese""#, r#""japanese""#, r#""aga""#, r#"{"suicide":false,"ko":"SIMPLE","scoring":"AREA"}"#] {
        assert_eq!(policy_b1(rules), -1.0, "{rules}");
    }
    for rules in ["7", r#""nonsense""#, r#"{"ko":"NONE"}"#, r#""{""#, r#"{"handicap":2}"#, "null", "[]"] {
        let line = format!(r#"{{"id":"q","rules":{rules},"boardXSize":3,"boardYSize":2,{stones}}}"#);
        assert_eq!(refused(&line).0, "rules", "{rules}");
    }
}

#[test]
fn komi_and_handicap_bonus_count() {
    // A board that Black owns: 25 points less komi, whoever moves. Visits are few, so look at the sign and the difference.
    let stones: Vec<String> =
        ["B", "C", "D"].iter().flat_map(|c| (1..=5).map(move |r| format!(r#"["B","{c}{r}"]"#))).collect();
    let lead = |fields: &str| {
        let line = format!(
            r#"{{"id":"q","boardXSize":5,"boardYSize":5,"maxVisits":50,"moves":[],"initialStones":[{}],"initialPlayer":"B",{fields}}}"#,
            stones.join(",")
        );
        answer(&line)["rootInfo"]["scoreLead"].as_f64().expect("a number")
    };
    assert_eq!(lead(r#""rules":"tromp-taylor","komi":0"#), 25.0);
    assert_eq!(lead(r#""rules":"tromp-taylor","komi":6.5"#), 18.5);
    assert_eq!(
        lead(r#""rules":"tromp-taylor""#),
        18.0,
        "7 is usual on small boards, and a handicap does not change it"
    );
    assert_eq!(lead(r#""rules":{"komi":1.5}"#), 23.5);
    // Chinese: one point for each of the 15 handicap stones.
    assert_eq!(lead(r#""rules":"chinese","komi":0"#), 10.0);
    assert_eq!(lead(r#""rules":"chinese","komi":0,"whiteHandicapBonus":"N-1""#), 11.0);
    assert_eq!(lead(r#""rules":"chinese","komi":0,"whiteHandicapBonus":0"#), 25.0);
    let line = katago(r#","moves":[],"whiteHandicapBonus":"M""#);
    assert_eq!(refused(&line).0, "rules");
}

#[test]
fn visits_time_and_settings() {
    let visits = |fields: &str| ask(fields)["rootInfo"]["visits"].as_u64().expect("visits");
    assert_eq!(visits(r#","moves":[]"#), 60);
    // The field counts more than the setting.
    assert_eq!(visits(r#","moves":[],"overrideSettings":{"maxVisits":20}"#), 60);
    let line = |settings: &str| {
        let fields = format!(r#","moves":[],"overrideSettings":{settings}"#);
        answer(&katago(&fields).replace(r#","maxVisits":60"#, ""))["rootInfo"]["visits"].as_u64()
    };
    assert_eq!(line(r#"{"maxVisits":20}"#), Some(20));
    assert_eq!(line(r#"{"maxVisits":"30","maxPlayouts":10}"#), Some(10));
    assert_eq!(line(r#"{"maxTime":1000.0}"#), Some(500), "the engine's own default");
    for settings in [
        r#"{"maxVisits":0}"#,
        r#"{"maxTime":-1}"#,
        r#"{"reportAnalysisWinratesAs":"ME"}"#,
        "[]",
        r#"{"analysisPVLen":0}"#,
    ] {
        let fields = format!(r#","moves":[],"overrideSettings":{settings}"#);
        assert_eq!(refused(&katago(&fields)).0, "overrideSettings", "{settings}");
    }
}

#[test]
fn settings_of_a_network_are_ignored_with_a_warning() {
    let line = katago(
        r#","moves":[],"overrideSettings":{"wideRootNoise":0.04,"maxTime":8.0,"x":"y"},"rootPolicyTemperature":1.1,"bogus":1"#,
    );
    let found = warnings(&line);
    let fields: Vec<&str> = found.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(fields, ["overrideSettings", "rootPolicyTemperature", "bogus"]);
    assert!(found[0].1.ends_with("wideRootNoise, x"), "{found:?}");
}

#[test]
fn allow_and_avoid_moves() {
    let allowed = ask(r#","moves":[],"allowMoves":[{"player":"B","moves":["C3","pass"],"untilDepth":1}]"#);
    let found = moves(&allowed);
    assert!(!found.is_empty() && found.iter().all(|m| ["C3", "pass"].contains(m)), "{found:?}");
    let avoid = r#","moves":[["B","A1"]],"avoidMoves":[{"player":"W","moves":["C3"],"untilDepth":1},{"player":"W","moves":["C4"],"untilDepth":3},{"player":"B","moves":["D3"],"untilDepth":1}]"#;
    let avoided = ask(avoid);
    let found = moves(&avoided);
    assert!(!found.contains(&"C3") && !found.contains(&"C4"), "{found:?}");
    for (fields, field) in [
        (r#""avoidMoves":{}"#, "avoidMoves"),
        (r#""avoidMoves":[{}]"#, "avoidMoves"),
        (r#""avoidMoves":[{"player":"X","moves":["C3"],"untilDepth":1}]"#, "avoidMoves"),
        (r#""avoidMoves":[{"player":"B","moves":["C9"],"untilDepth":1}]"#, "avoidMoves"),
        (r#""avoidMoves":[{"player":"B","moves":["C3"],"untilDepth":0}]"#, "avoidMoves"),
        (
            r#""allowMoves":[{"player":"B","moves":[],"untilDepth":1},{"player":"W","moves":[],"untilDepth":1}]"#,
            "allowMoves",
        ),
        (r#""allowMoves":[],"avoidMoves":[]"#, "allowMoves"),
    ] {
        assert_eq!(refused(&katago(&format!(r#","moves":[],{fields}"#))).0, field, "{fields}");
    }
}

/// A restriction that leaves nothing is no wish to look at everything.
#[test]
fn allow_and_avoid_moves_must_leave_a_choice() {
    let mut all: Vec<String> = Vec::new();
    for column in ["A", "B", "C", "D", "E"] {
        all.extend((1..=5).map(|row| format!("\"{column}{row}\"")));
    }
    let points = all.join(",");
    let none = "so player 1 has no choice left";
    for (fields, field, error) in [
        (
            r#""moves":[["B","C3"]],"allowMoves":[{"player":"W","moves":["C3"],"untilDepth":1}]"#.to_owned(),
            "allowMoves",
            format!("at turn 1 none of these actions is legal, {none}; allow at least one that is"),
        ),
        (
            r#""moves":[["B","C3"]],"allowMoves":[{"player":"W","moves":[],"untilDepth":3}]"#.to_owned(),
            "allowMoves",
            format!("at turn 1 none of these actions is legal, {none}; allow at least one that is"),
        ),
        // Two lists together, after the end of the game too.
        (
            format!(
                r#""moves":[["B","pass"],["W","pass"],["B","C3"]],"avoidMoves":[{{"player":"W","moves":[{points}],"untilDepth":1}},{{"player":"W","moves":["pass"],"untilDepth":2}}]"#
            ),
            "avoidMoves",
            format!("at turn 3 these are all the legal actions, {none}; leave at least one out"),
        ),
    ] {
        assert_eq!(refused(&katago(&format!(",{fields}"))), (field.to_owned(), error), "{fields}");
    }
    // The pass is left, and what holds for the other player is no matter.
    let pass = ask(&format!(
        r#","moves":[["B","pass"],["W","pass"]],"avoidMoves":[{{"player":"B","moves":[{points}],"untilDepth":1}},{{"player":"W","moves":[{points},"pass"],"untilDepth":1}}]"#
    ));
    assert_eq!(moves(&pass), ["pass"]);
}

#[test]
fn a_finished_game_is_looked_at_as_if_it_went_on() {
    let after = ask(r#","moves":[["B","C3"],["W","pass"],["B","pass"]]"#);
    assert_eq!(player(&after), "W");
    assert!(moves(&after).len() > 5);
    // And moves may follow.
    let further =
        ask(r#","moves":[["B","C3"],["W","pass"],["B","pass"],["W","D3"],["B","pass"],["W","pass"],["B","B3"]]"#);
    assert_eq!(player(&further), "W");
}

#[test]
fn a_repetition_is_tolerated_under_the_simple_ko_rule() {
    // One-point boards repeat at once: on 1x2, A1, then B1 takes it, then A1 takes that: the board after the first move.
    let line = r#"{"id":"q","rules":"tromp-taylor","boardXSize":2,"boardYSize":1,"maxVisits":10,"moves":[["B","A1"],["W","B1"],["B","pass"],["W","pass"],["B","A1"]]}"#;
    let found = warnings(line);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "moves");
    assert!(found[0].1.starts_with("Illegal move 4: A1"), "{found:?}");
}

#[test]
fn illegal_moves_are_refused_as_katago_words_it() {
    let (field, error) = refused(&katago(r#","moves":[["B","C3"],["W","C3"]]"#));
    assert_eq!(field, "moves");
    assert!(error.starts_with("Illegal move 1: C3"), "{error}");
}

#[test]
fn wrong_fields_are_named() {
    for (line, field) in [
        (r#"{"id":"a"}"#, "game"),
        (r#"{"id":"a","rules":"chinese"}"#, "game"),
        (r#"{"id":"a","boardXSize":9,"rules":"chinese","moves":[]}"#, "boardYSize"),
        (r#"{"id":"a","moves":[],"rules":"chinese"}"#, "boardXSize"),
        (r#"{"id":"a","boardXSize":26,"boardYSize":9,"rules":"chinese","moves":[]}"#, "boardXSize"),
        (r#"{"id":"a","boardXSize":9,"boardYSize":"9","rules":"chinese","moves":[]}"#, "boardYSize"),
        (r#"{"id":"a","boardXSize":9,"boardYSize":9,"moves":[]}"#, "rules"),
        (r#"{"id":"a","boardXSize":9,"boardYSize":9,"rules":"chinese"}"#, "moves"),
    ] {
        assert_eq!(refused(line).0, field, "{line}");
    }
    for (fields, field) in [
        (r#""moves":"C3""#, "moves"),
        (r#""moves":[["B"]]"#, "moves"),
        (r#""moves":[["X","C3"]]"#, "moves"),
        (r#""moves":[["B","I3"]]"#, "moves"),
        (r#""moves":[["B","C9"]]"#, "moves"),
        (r#""moves":[["B","(5,0)"]]"#, "moves"),
        (r#""moves":[["B",3]]"#, "moves"),
        (r#""moves":[],"initialStones":[["B","pass"]]"#, "initialStones"),
        (r#""moves":[],"initialStones":[["B","A1"],["W","A2"],["W","B1"]]"#, "initialStones"),
        (r#""moves":[],"initialPlayer":"me""#, "initialPlayer"),
        (r#""moves":[],"analyzeTurns":[1]"#, "analyzeTurns"),
        (r#""moves":[],"analyzeTurns":"all""#, "analyzeTurns"),
        (r#""moves":[],"includeOwnership":1"#, "includeOwnership"),
        (r#""moves":[],"includePolicy":"yes""#, "includePolicy"),
        (r#""moves":[],"analysisPVLen":0"#, "analysisPVLen"),
        (r#""moves":[],"player":"nobody""#, "player"),
        (r#""moves":[],"reportDuringSearchEvery":-1"#, "reportDuringSearchEvery"),
        (r#""moves":[],"priority":0.5"#, "priority"),
    ] {
        assert_eq!(refused(&katago(&format!(",{fields}"))).0, field, "{fields}");
    }
    let komi = |k: &str| katago(r#","moves":[]"#).replace(r#""komi":0"#, &format!(r#""komi":{k}"#));
    assert_eq!(refused(&komi("6.3")).0, "komi");
    assert_eq!(refused(&komi("\"six\"")).0, "komi");
    for (text, shown) in [("1e308", "1e+308"), ("-10000.5", "-10000.5"), ("\"nan\"", "\"nan\"")] {
        let error = format!("it is {shown}, it must be a number from -10000 to 10000");
        assert_eq!(refused(&komi(text)), ("komi".to_owned(), error));
    }
    assert_eq!(refused(&katago(r#","moves":[]"#).replace(r#""maxVisits":60"#, r#""maxVisits":0"#)).0, "maxVisits");
}

#[test]
fn a_named_game_of_go_may_have_katagos_fields() {
    let line = katago(r#","moves":[["B","C3"]],"game":"Go""#);
    assert_eq!(player(&answer(&line)), "W");
}
