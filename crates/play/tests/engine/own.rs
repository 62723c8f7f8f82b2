//! Queries in our own form, for every game.

use serde_json::{Value, json};

use crate::support::{answer, answers, refused};

fn best(answer: &Value) -> &str {
    answer["analysis"]["candidates"][0]["action"].as_str().expect("a best action")
}

#[test]
fn tictactoe_is_solved() {
    // Crosses have two in a row, noughts to move must stop them, and lose nothing.
    let answer = answer(r#"{"id":"a","game":"tictactoe","actions":["b2","a1","a2"]}"#);
    assert_eq!(
        (&answer["id"], &answer["isDuringSearch"], &answer["turnNumber"], &answer["game"], &answer["toMove"]),
        (&json!("a"), &json!(false), &json!(3), &json!("tictactoe"), &json!(1))
    );
    assert_eq!(best(&answer), "c2");
    assert_eq!(answer["analysis"]["seat"], 1);
    assert_eq!(answer["analysis"]["candidates"][0]["utility"][1]["mean"], 0.5);
}

#[test]
fn countdown_with_its_dice_is_solved() {
    let line = r#"{"id":"a","game":"countdown"}"#;
    let first = answer(line);
    let action = best(&first).to_owned();
    assert!(["one", "two"].contains(&action.as_str()), "{action}");
    // Searched to the end: the value is exact.
    assert_eq!(first["analysis"]["candidates"][0]["utility"][0]["error"], 0.0, "{first}");
    // After the action chance rolls: there is nothing to decide, and that is said.
    let after = answer(&format!(r#"{{"id":"b","game":"countdown","actions":["{action}"]}}"#));
    assert_eq!((&after["toMove"], &after["noResults"]), (&json!("chance"), &json!(true)), "{after}");
}

#[test]
fn kuhn_answers_for_the_seat_to_move() {
    // With the king a bet is always called or folded to: betting last after a pass cannot lose.
    let answer = answer(r#"{"id":"a","game":"kuhn","actions":["deal 1,3","pass"],"seat":1,"visits":3000}"#);
    assert_eq!((&answer["toMove"], &answer["analysis"]["seat"]), (&json!(1), &json!(1)));
    assert_eq!(best(&answer), "bet");
}

#[test]
fn what_a_seat_does_not_see_may_be_masked() {
    let ask = |deal: &str| {
        let line = format!(r#"{{"id":"a","game":"kuhn","actions":["{deal}","pass"],"seat":1,"visits":2000,"seed":4}}"#);
        let mut answer = answer(&line);
        answer["analysis"]["seconds"] = Value::Null;
        answer
    };
    let masked = ask("deal ?,2");
    assert!(masked["analysis"]["visits"].as_u64().is_some_and(|n| n >= 2000), "{masked}");
    // Neither card of the other makes a difference: the engine answers from what the seat knows.
    assert_eq!(masked, ask("deal 1,2"));
    assert_eq!(masked, ask("deal 3,2"));
    assert_ne!(masked, ask("deal ?,3"));
}

#[test]
fn masks_need_a_seat_that_sees_them_so() {
    let ask = |rest: &str| refused(&format!(r#"{{"id":"a","game":"kuhn",{rest}}}"#));
    let (field, error) = ask(r#""actions":["deal ?,2","pass"]"#);
    assert_eq!(field, "actions");
    assert!(error.contains("\"seat\" must say from whom"), "{error}");
    // Seat 0 knows its own card.
    let (field, error) = ask(r#""actions":["deal ?,2"],"seat":0"#);
    assert_eq!(field, "actions");
    assert!(error.contains("player 0 sees no possible action"), "{error}");
    assert_eq!(ask(r#""actions":["deal ?,4"],"seat":1"#).0, "actions");
    assert_eq!(ask(r#""actions":["deal ?,?,2"],"seat":2"#).0, "seat");
}

#[test]
fn seats_that_do_not_move_are_refused() {
    let (field, error) = refused(r#"{"id":"a","game":"kuhn","actions":["deal 1,3","pass"],"seat":0}"#);
    assert_eq!((field.as_str(), error.as_str()), ("seat", "player 0 does not move at turn 2, player 1 does"));
    let (field, _) = refused(r#"{"id":"a","game":"tictactoe","seat":2}"#);
    assert_eq!(field, "seat");
}

#[test]
fn more_players_and_several_turns() {
    let line =
        r#"{"id":"a","game":"kuhn","players":3,"actions":["deal 1,2,3","pass","pass"],"turns":[1,3,2,2],"visits":200}"#;
    let answers = answers(line);
    let turns: Vec<(&Value, &Value)> = answers.iter().map(|l| (&l["turnNumber"], &l["toMove"])).collect();
    assert_eq!(turns, [(&json!(1), &json!(0)), (&json!(2), &json!(1)), (&json!(3), &json!(2))]);
    assert_eq!(answers[0]["analysis"]["candidates"][0]["utility"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_end_of_a_game_is_told() {
    let line = r#"{"id":"a","game":"tictactoe","actions":["b2","a1","a2","c2","c1","a3","b1","b3","c3"],"turns":[9]}"#;
    let answer = answer(line);
    assert_eq!((&answer["noResults"], &answer["toMove"]), (&json!(true), &Value::Null), "{answer}");
    assert_eq!(answer["utility"], json!([0.5, 0.5]));
    assert!(answer["result"].is_string(), "{answer}");
}

#[test]
fn go_takes_rules_setup_and_reasons() {
    let line = r#"{"id":"a","game":"go","rules":{"size":5,"komi":0},"setup":{"black":["C3"],"white":["C4"],"to_move":"white"},"player":"uct:early=off","visits":200,"reasons":1,"candidates":2}"#;
    let answer = answer(line);
    assert_eq!(answer["analysis"]["seat"], 1);
    let candidates = answer["analysis"]["candidates"].as_array().expect("a list");
    assert_eq!(candidates.len(), 2);
    assert!(candidates[0]["reasons"].as_array().is_some_and(|r| r.iter().any(|r| r["code"] == "go.lead")));
    assert_eq!(answer["analysis"]["details"]["ownership"].as_array().map(Vec::len), Some(25));
    assert_eq!(answer["analysis"]["player"], "uct:early=off");
    assert_eq!(answer["analysis"]["visits"], 200);
}

/// One simulation has no spread: neither points nor a lead nor a threat come from it.
#[test]
fn a_single_simulation_tells_no_points() {
    for visits in [2, 3, 5, 20] {
        let line = format!(
            r#"{{"id":"a","game":"go","rules":{{"size":9}},"actions":["E5"],"player":"uct","visits":{visits},"reasons":3}}"#
        );
        let answer = answer(&line);
        for candidate in answer["analysis"]["candidates"].as_array().expect("a list") {
            if candidate["visits"] == 1 {
                assert_eq!(candidate["returns"], Value::Null, "{visits}: {candidate}");
            }
            for reason in candidate["reasons"].as_array().unwrap_or(&Vec::new()) {
                let few = candidate["visits"].as_u64().is_some_and(|n| n < 10);
                assert!(!few || reason["code"] != "threat", "{visits}: {reason}");
                // The lead is then that of the playouts made for the reasons.
                assert!(reason["code"] != "go.lead" || reason["error"] != 0.5, "{visits}: {reason}");
                let error = reason["numbers"]["error"].as_f64();
                assert!(reason["code"] != "go.lead" || error.is_none_or(|e| e != 0.5), "{visits}: {reason}");
            }
        }
    }
}

#[test]
fn allow_and_avoid_restrict_the_choice() {
    let ask = |fields: &str| {
        answer(&format!(r#"{{"id":"a","game":"go","rules":{{"size":5}},"player":"uct","visits":100{fields}}}"#))
    };
    let actions = |answer: &Value| -> Vec<String> {
        let list = answer["analysis"]["candidates"].as_array().expect("a list");
        list.iter().filter_map(|c| c["action"].as_str()).map(str::to_owned).collect()
    };
    let only = actions(&ask(r#","allow":["a1","B2"]"#));
    assert!(!only.is_empty() && only.iter().all(|a| ["A1", "B2"].contains(&a.as_str())), "{only:?}");
    let rest = actions(&ask(r#","avoid":["C3","c4"]"#));
    assert!(!rest.contains(&"C3".to_owned()) && !rest.contains(&"C4".to_owned()) && rest.len() > 2, "{rest:?}");
    let (field, _) = refused(r#"{"id":"a","game":"go","allow":["Z99"]}"#);
    assert_eq!(field, "allow");
    let (field, _) = refused(r#"{"id":"a","game":"go","allow":["D4"],"avoid":["D5"]}"#);
    assert_eq!(field, "allow");
}

/// A restriction that leaves nothing is no wish to look at everything.
#[test]
fn allow_and_avoid_must_leave_a_choice() {
    let all = r#"["a1","a2","a3","b1","b3","c1","c2","c3"]"#;
    for (fields, field, error) in [
        (
            r#""game":"tictactoe","actions":["b2"],"allow":["b2","b2"]"#.to_owned(),
            "allow",
            "at turn 1 none of these actions is legal, so player 1 has no choice left; allow at least one that is",
        ),
        (
            r#""game":"tictactoe","allow":[]"#.to_owned(),
            "allow",
            "at turn 0 none of these actions is legal, so player 0 has no choice left; allow at least one that is",
        ),
        (
            format!(r#""game":"tictactoe","actions":["b2"],"avoid":{all}"#),
            "avoid",
            "at turn 1 these are all the legal actions, so player 1 has no choice left; leave at least one out",
        ),
        (
            r#""game":"kuhn","actions":["deal 1,2"],"avoid":["bet","pass"]"#.to_owned(),
            "avoid",
            "at turn 1 these are all the legal actions, so player 0 has no choice left; leave at least one out",
        ),
        // One of the turns is enough.
        (
            r#""game":"tictactoe","actions":["b2","a1"],"turns":[0,2],"allow":["a1"]"#.to_owned(),
            "allow",
            "at turn 2 none of these actions is legal, so player 0 has no choice left; allow at least one that is",
        ),
        (
            r#""game":"go","rules":{"size":5},"actions":["C3"],"allow":["C3"]"#.to_owned(),
            "allow",
            "at turn 1 none of these actions is legal, so player 1 has no choice left; allow at least one that is",
        ),
    ] {
        let (found, message) = refused(&format!(r#"{{"id":"a",{fields}}}"#));
        assert_eq!((found.as_str(), message.as_str()), (field, error), "{fields}");
    }
    // What is left is looked at; where nobody decides, nothing need be left.
    let one = answer(&format!(r#"{{"id":"a","game":"tictactoe","avoid":{all}}}"#));
    assert_eq!(best(&one), "b2");
    let some = answer(r#"{"id":"a","game":"tictactoe","actions":["b2"],"allow":["b2","a1"]}"#);
    assert_eq!((best(&some), some["analysis"]["candidates"].as_array().map(Vec::len)), ("a1", Some(1)));
    let chance = answer(r#"{"id":"a","game":"kuhn","avoid":["bet","pass"]}"#);
    assert_eq!(chance["toMove"], "chance");
}

/// With next to no visits many searches have not come to what they may choose: that is an error, and nothing else is shown.
#[test]
fn what_is_not_allowed_is_never_shown() {
    let players = [
        "random",
        "policy",
        "greedy",
        "flat",
        "uct",
        "puct",
        "alphabeta",
        "paranoid",
        "maxn",
        "openloop",
        "ismcts",
        "pimc",
    ];
    let (mut chosen, mut errors) = (0, 0);
    for player in players {
        let query = format!(r#"{{"id":"a","game":"tictactoe","player":"{player}","allow":["c3"]}}"#);
        for visits in [1, 50] {
            let line = query.replace('}', &format!(r#","visits":{visits},"reportDuringSearchEvery":0.001}}"#));
            for answer in answers(&line) {
                if let Some(error) = answer["error"].as_str() {
                    assert_eq!((&answer["field"], &answer["turnNumber"]), (&json!("player"), &json!(0)));
                    assert!(
                        error.starts_with("the search has looked at none of the actions it may choose from"),
                        "{answer}"
                    );
                    errors += 1;
                } else {
                    let list = answer["analysis"]["candidates"].as_array().expect("a list");
                    assert!(!list.is_empty() && list.iter().all(|c| c["action"] == "c3"), "{player}: {answer}");
                    chosen += 1;
                }
            }
        }
    }
    assert!(chosen >= players.len() && errors > 0, "{chosen} choices, {errors} errors");
}

#[test]
fn komi_beyond_all_bounds_is_refused() {
    for komi in ["1e308", "-10000.25", "\"nan\"", "\"inf\"", "6.3"] {
        let (field, error) = refused(&format!(r#"{{"id":"a","game":"go","rules":{{"size":5,"komi":{komi}}}}}"#));
        assert_eq!(field, "rules", "{komi}");
        assert!(error.ends_with("it must be a multiple of 0.25 between -10000 and 10000"), "{komi}: {error}");
    }
}

#[test]
fn time_and_visits_replace_the_budget_of_the_player() {
    let ask = |fields: &str| {
        answer(&format!(r#"{{"id":"a","game":"go","rules":{{"size":5}},"player":"uct:visits=70,early=off"{fields}}}"#))
    };
    assert_eq!(ask("")["analysis"]["visits"], 70);
    assert_eq!(ask(r#","visits":30"#)["analysis"]["visits"], 30);
    assert_eq!(ask(r#","visits":30,"time":"1000s""#)["analysis"]["visits"], 30);
    assert!(ask(r#","time":0.001"#)["analysis"]["visits"].as_u64().is_some_and(|n| n != 70));
}

#[test]
fn reports_come_during_the_search_if_asked() {
    let line = r#"{"id":"a","game":"go","rules":{"size":9},"player":"uct:early=off","visits":20000,"reportDuringSearchEvery":0.001,"reasons":0}"#;
    let answers = answers(line);
    let (last, reports) = answers.split_last().expect("answers");
    assert!(!reports.is_empty());
    assert!(reports.iter().all(|l| l["isDuringSearch"] == true && l["id"] == "a" && l["turnNumber"] == 0));
    assert!(reports.iter().all(|l| l["analysis"]["visits"].as_u64().is_some_and(|n| n > 0 && n <= 20000)));
    assert_eq!((&last["isDuringSearch"], &last["analysis"]["visits"]), (&json!(false), &json!(20000)));
}

#[test]
fn fields_that_mean_nothing_are_warned_of() {
    let answers = answers(r#"{"id":"a","game":"tictactoe","maxVisits":7,"gmae":"x"}"#);
    let warned: Vec<&Value> = answers.iter().filter(|l| l["warning"].is_string()).map(|l| &l["field"]).collect();
    assert_eq!(warned, ["maxVisits", "gmae"]);
    assert!(answers.iter().all(|l| l["id"] == "a"));
    assert_eq!(answers.len(), 3);
}

#[test]
fn wrong_fields_are_named() {
    for (fields, field) in [
        (r#""game":"chess""#, "game"),
        (r#""game":7"#, "game"),
        (r#""game":"kuhn","players":9"#, "players"),
        (r#""game":"kuhn","players":1"#, "players"),
        (r#""game":"kuhn","rules":{"x":1}"#, "rules"),
        (r#""game":"kuhn","rules":"x""#, "rules"),
        (r#""game":"go","rules":{"size":26}"#, "rules"),
        (r#""game":"kuhn","setup":{}"#, "setup"),
        (r#""game":"go","setup":{"black":["Z1"]}"#, "setup"),
        (r#""game":"tictactoe","actions":"b2""#, "actions"),
        (r#""game":"tictactoe","actions":[1]"#, "actions"),
        (r#""game":"tictactoe","actions":["b2","b2"]"#, "actions"),
        (r#""game":"tictactoe","actions":["xyz"]"#, "actions"),
        (r#""game":"tictactoe","moves":[]"#, "moves"),
        (r#""game":"tictactoe","turns":[1]"#, "turns"),
        (r#""game":"tictactoe","turns":[-1]"#, "turns"),
        (r#""game":"tictactoe","turns":[]"#, "turns"),
        (r#""game":"tictactoe","turns":0"#, "turns"),
        (r#""game":"tictactoe","player":"nobody""#, "player"),
        (r#""game":"tictactoe","player":"uct:x=1""#, "player"),
        (r#""game":"kuhn","actions":["deal 1,2"],"player":"uct""#, "player"),
        (r#""game":"tictactoe","visits":0"#, "visits"),
        (r#""game":"tictactoe","time":-1"#, "time"),
        (r#""game":"tictactoe","time":"soon""#, "time"),
        (r#""game":"tictactoe","seed":-1"#, "seed"),
        (r#""game":"tictactoe","reasons":1.5"#, "reasons"),
        (r#""game":"tictactoe","candidates":0"#, "candidates"),
        (r#""game":"tictactoe","priority":"high""#, "priority"),
        (r#""game":"tictactoe","priorities":[1]"#, "priorities"),
        (r#""game":"tictactoe","turns":[0],"priorities":[1,2]"#, "priorities"),
        (r#""game":"tictactoe","turns":[0],"priorities":[1],"priority":1"#, "priorities"),
        (r#""game":"tictactoe","reportDuringSearchEvery":0"#, "reportDuringSearchEvery"),
    ] {
        let (found, error) = refused(&format!(r#"{{"id":"a",{fields}}}"#));
        assert_eq!(found, field, "{fields}: {error}");
        assert!(!error.is_empty() && !error.contains('\n'), "{fields}: {error}");
    }
}

/// A masked deal of which the asked seat leads without the lead card, for nobody holds it: answered as the whole deal.
#[test]
fn a_masked_deal_is_led_by_fallback() {
    let mine = "H3H4H5H6H7H8H9HTHJHQHKHAC5C6D7D8";
    let other = "S4C4D4S5S6S7C7C8C9CTCJSQSKCKCASJ";
    let ask = |rules: &Value, actions: Value, turns: &[usize]| {
        let query = json!({"id": "o", "game": "paodekuai", "players": 2, "rules": rules, "turns": turns, "visits": 30,
            "seat": 0, "actions": actions});
        answers(&query.to_string())
    };
    let untimed = |mut line: Value| {
        line["analysis"]["seconds"].take();
        line
    };
    for rules in [json!({}), json!({"lead": "winner"}), json!({"lead_fallback": "seat:0"})] {
        let whole = ask(&rules, json!([format!("deal {mine}/{other}"), "3", "K"]), &[1]).remove(0);
        assert_eq!(whole["analysis"]["seat"], 0, "{whole}");
        for masked in [format!("deal {mine}/?16"), format!("deal {mine}/?16/?16")] {
            let told = ask(&rules, json!([masked]), &[1]).remove(0);
            assert_eq!(told["toMove"], 0, "{told}");
            assert_eq!(untimed(told), untimed(whole.clone()));
            let both = ask(&rules, json!([masked, "3", "K"]), &[1, 3]);
            assert_eq!(both.len(), 2);
            assert!(both.iter().all(|line| line["analysis"]["seat"] == 0), "{both:?}");
        }
    }
    // Who does not hold the lead card when all cards are dealt does not lead.
    let line = json!({"id": "o", "game": "paodekuai", "turns": [1], "visits": 30, "seat": 0,
        "actions": [format!("deal {mine}/?16/?16")]});
    let error = answer(&line.to_string());
    let told = error["error"].as_str().unwrap_or_default();
    assert!(told.contains("seat 0 cannot lead: it does not hold the lead card S3"), "{error}");
    // Where chance names the leader it is chance's turn.
    let chance = ask(&json!({"lead_fallback": "random"}), json!([format!("deal {mine}/?16")]), &[1]).remove(0);
    assert_eq!((&chance["toMove"], &chance["noResults"]), (&json!("chance"), &json!(true)), "{chance}");
}
