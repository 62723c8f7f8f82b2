//! A session as KaTrain holds it: the fields and their order are those it sends.

use serde_json::{Value, json};

use crate::support::{Talk, is_final, numbers};

/// KaTrain's query about the position after `moves` of a 9x9 game.
fn query(id: u32, moves: &[[&str; 2]], extra: Value) -> String {
    let mut query = json!({
        "rules": "japanese",
        "priority": 100,
        "analyzeTurns": [moves.len()],
        "maxVisits": 100,
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "includeOwnership": true,
        "includeMovesOwnership": true,
        "includePolicy": true,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": moves,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 1000.0, "wideRootNoise": 0.04},
        "reportDuringSearchEvery": 1000.0,
        "id": format!("QUERY:{id}"),
    });
    for (key, value) in extra.as_object().expect("an object") {
        query[key] = value.clone();
    }
    query.to_string()
}

/// What KaTrain reads of an answer: the keys it takes without asking whether they are there.
#[track_caller]
fn read(answer: &Value, player: &str) {
    let root = &answer["rootInfo"];
    for key in ["winrate", "scoreLead", "visits"] {
        assert!(root[key].is_number(), "{key}: {root}");
    }
    assert_eq!(root["currentPlayer"], player);
    for info in answer["moveInfos"].as_array().expect("a list") {
        for key in ["visits", "winrate", "scoreLead", "order", "prior"] {
            assert!(info[key].is_number(), "{key}: {info}");
        }
        assert!(info["move"].is_string() && info["pv"].is_array(), "{info}");
    }
}

#[test]
fn a_session_of_katrain() {
    let talk = Talk::start(2);
    talk.say(r#"{"id": "QUERY:0", "action": "query_version"}"#);
    assert!(talk.hear()["version"].is_string());

    // A new game: the empty board, then moves as they are played.
    let game = [["B", "E5"], ["W", "E3"], ["B", "C4"]];
    for (number, player) in ["B", "W", "B", "W"].iter().enumerate() {
        let number_of_query = 1 + number as u32;
        talk.say(&query(number_of_query, &game[..number], json!({})));
        let warning = talk.hear();
        assert_eq!(
            (&warning["field"], &warning["id"]),
            (&json!("overrideSettings"), &json!(format!("QUERY:{number_of_query}")))
        );
        assert!(warning["warning"].as_str().is_some_and(|w| w.contains("wideRootNoise")));
        let answer = talk.hear_final();
        assert!(is_final(&answer, &format!("QUERY:{number_of_query}")));
        assert_eq!(answer["turnNumber"], number);
        read(&answer, player);
        assert_eq!(numbers(&answer["ownership"]).len(), 81);
        assert_eq!(numbers(&answer["policy"]).len(), 82);
        assert_eq!(numbers(&answer["moveInfos"][0]["ownership"]).len(), 81);
    }

    // "Find alternatives": the moves known so far are to be avoided.
    let avoid = json!({"avoidMoves": [{"moves": ["E5", "D5", "pass"], "player": "B", "untilDepth": 1}], "overrideSettings": {}});
    talk.say(&query(10, &[], avoid));
    let answer = talk.hear_final();
    read(&answer, "B");
    let moves: Vec<&str> =
        answer["moveInfos"].as_array().expect("a list").iter().filter_map(|i| i["move"].as_str()).collect();
    assert!(!moves.contains(&"E5") && !moves.contains(&"D5") && !moves.contains(&"pass"), "{moves:?}");

    // A region of interest is avoided outside for both players.
    let outside: Vec<String> = "ABCDEFGHJ"
        .chars()
        .flat_map(|c| (1..=9).map(move |r| format!("{c}{r}")))
        .filter(|p| !p.starts_with('C'))
        .collect();
    let region: Vec<Value> =
        ["B", "W"].iter().map(|p| json!({"moves": outside, "player": p, "untilDepth": 1})).collect();
    talk.say(&query(11, &game, json!({"avoidMoves": region, "overrideSettings": {}})));
    let answer = talk.hear_final();
    read(&answer, "W");
    assert!(
        answer["moveInfos"]
            .as_array()
            .expect("a list")
            .iter()
            .all(|i| { i["move"].as_str().is_some_and(|m| m.starts_with('C') || m == "pass") })
    );

    // "Sweep": one more move, nothing included; an occupied point is an illegal move.
    let sweep = json!({"includeOwnership": false, "includeMovesOwnership": false, "includePolicy": false, "maxVisits": 25, "overrideSettings": {}});
    talk.say(&query(12, &[["B", "E5"], ["W", "E5"]], sweep.clone()));
    let refused = talk.hear();
    assert!(refused["error"].as_str().is_some_and(|e| e.contains("Illegal move")), "{refused}");
    assert_eq!(refused["id"], "QUERY:12");
    talk.say(&query(13, &[["B", "E5"], ["W", "D6"]], sweep));
    let answer = talk.hear_final();
    assert!(answer.get("ownership").is_none() && answer.get("policy").is_none());

    // Pondering until it is terminated; its reports keep ownership and policy.
    let ponder = json!({"maxVisits": 1_000_000, "reportDuringSearchEvery": 0.001, "overrideSettings": {}});
    talk.say(&query(14, &game, ponder));
    let report = talk.hear();
    assert_eq!((&report["id"], &report["isDuringSearch"]), (&json!("QUERY:14"), &json!(true)));
    read(&report, "W");
    assert_eq!((numbers(&report["ownership"]).len(), numbers(&report["policy"]).len()), (81, 82));
    talk.say(r#"{"action": "terminate", "terminateId": "QUERY:14", "id": "QUERY:15"}"#);
    let mut ended = Vec::new();
    while ended.len() < 2 {
        ended.push(talk.hear_final());
    }
    assert!(ended.iter().any(|l| l["terminateId"] == "QUERY:14" && l["id"] == "QUERY:15"), "{ended:?}");
    let last = ended.iter().find(|l| is_final(l, "QUERY:14")).expect("a final answer");
    read(last, "W");

    // The game ends by two passes, and its last position shows who owns what.
    let over = [["B", "E5"], ["W", "pass"], ["B", "pass"]];
    talk.say(&query(16, &over, json!({"overrideSettings": {}})));
    let answer = talk.hear_final();
    read(&answer, "W");
    assert!(numbers(&answer["ownership"]).iter().sum::<f64>() > 0.0);
    assert!(answer["rootInfo"]["scoreLead"].is_number());

    assert!(talk.finish().is_empty());
}
