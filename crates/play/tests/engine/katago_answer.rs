//! What an answer in KataGo's form contains, and what its numbers say.

use kiebitz_play::engine::{EngineConfig, ReportAs};
use serde_json::{Value, json};

use crate::support::{answer, answers, answers_with, katago, numbers};

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn the_shape_is_katagos() {
    let answer = answer(&katago(r#","moves":[["B","C3"]],"includePVVisits":true"#));
    let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["id", "isDuringSearch", "turnNumber", "moveInfos", "rootInfo"]);
    assert_eq!((&answer["isDuringSearch"], &answer["turnNumber"]), (&json!(false), &json!(1)));
    let root = &answer["rootInfo"];
    for key in ["winrate", "lcb", "utility", "utilityLcb", "scoreLead", "scoreMean", "scoreSelfplay", "scoreStdev"] {
        assert!(number(root, key).is_finite());
    }
    assert_eq!((&root["visits"], &root["currentPlayer"]), (&json!(60), &json!("W")));
    assert!(root["thisHash"].as_str().is_some_and(|h| h.len() == 32));
    assert!(root["symHash"].as_str().is_some_and(|h| h.len() == 32));
    let infos = answer["moveInfos"].as_array().expect("a list");
    assert_eq!(infos.iter().map(|i| i["visits"].as_u64().expect("visits")).sum::<u64>(), 60);
    for (order, info) in infos.iter().enumerate() {
        assert_eq!(info["order"], order);
        let (winrate, lcb, lead) = (number(info, "winrate"), number(info, "lcb"), number(info, "scoreLead"));
        assert!((0.0..=1.0).contains(&winrate));
        // White is to move and the view is Black's: worse for White is more for Black.
        assert!(lcb >= winrate, "{info}");
        assert!((number(info, "utility") - (2.0 * winrate - 1.0)).abs() < 1e-5);
        assert!((number(info, "utilityLcb") - (2.0 * lcb - 1.0)).abs() < 1e-5);
        assert!((-25.0..=25.0).contains(&lead));
        assert_eq!((number(info, "scoreMean"), number(info, "scoreSelfplay")), (lead, lead));
        assert!(number(info, "scoreStdev") >= 0.0);
        assert_eq!(info["weight"], info["visits"]);
        assert!((0.0..=1.0).contains(&number(info, "prior")));
        let pv = info["pv"].as_array().expect("a line");
        assert_eq!(pv[0], info["move"]);
        let visits = info["pvVisits"].as_array().expect("visits of the line");
        assert_eq!((visits.len(), &visits[0]), (pv.len(), &info["visits"]));
    }
}

#[test]
fn numbers_are_blacks_unless_asked_otherwise() {
    let ask = |moves: &str, settings: &str| {
        answer(&katago(&format!(r#","moves":{moves},"includeOwnership":true,"overrideSettings":{settings}"#)))
    };
    let white_to_move = r#"[["B","C3"],["W","pass"],["B","C4"]]"#;
    let black = ask(white_to_move, "{}");
    assert_eq!(black, ask(white_to_move, r#"{"reportAnalysisWinratesAs":"BLACK"}"#));
    let white = ask(white_to_move, r#"{"reportAnalysisWinratesAs":"WHITE"}"#);
    let mover = ask(white_to_move, r#"{"reportAnalysisWinratesAs":"SIDETOMOVE"}"#);
    assert_eq!(white, mover);
    assert_ne!(white, black);
    assert!(number(&black["rootInfo"], "winrate") > 0.5 && number(&black["rootInfo"], "scoreLead") > 0.0);
    for (b, w) in [(&black, &white)] {
        for (b, w) in [(&b["rootInfo"], &w["rootInfo"]), (&b["moveInfos"][0], &w["moveInfos"][0])] {
            assert!((number(b, "winrate") + number(w, "winrate") - 1.0).abs() < 1e-5);
            assert!((number(b, "lcb") + number(w, "lcb") - 1.0).abs() < 1e-5);
            assert!((number(b, "scoreLead") + number(w, "scoreLead")).abs() < 1e-5);
            assert_eq!(b["scoreStdev"], w["scoreStdev"]);
        }
        let sum = |(x, y): (f64, f64)| x + y;
        let pairs = numbers(&b["ownership"]).into_iter().zip(numbers(&w["ownership"]));
        assert!(pairs.map(sum).all(|s| s.abs() < 1e-9));
    }
    let black_to_move = r#"[["B","C3"],["W","pass"]]"#;
    assert_eq!(ask(black_to_move, "{}"), ask(black_to_move, r#"{"reportAnalysisWinratesAs":"SIDETOMOVE"}"#));
    // The engine may be told for all queries.
    let config = EngineConfig { report_as: ReportAs::White, ..EngineConfig::default() };
    let line = katago(&format!(r#","moves":{white_to_move},"includeOwnership":true,"overrideSettings":{{}}"#));
    assert_eq!(answers_with(config, &line), [white]);
}

#[test]
fn ownership_runs_from_the_top_left() {
    // Black has the left two columns walled off, White the right two.
    let stones: Vec<String> = (1..=5).flat_map(|r| [format!(r#"["B","B{r}"]"#), format!(r#"["W","C{r}"]"#)]).collect();
    let line = katago(&format!(
        r#","moves":[["B","A5"]],"initialStones":[{}],"includeOwnership":true,"includeOwnershipStdev":true,"includeMovesOwnership":true,"includeMovesOwnershipStdev":true"#,
        stones.join(",")
    ));
    let answer = answer(&line);
    let ownership = numbers(&answer["ownership"]);
    let stdev = numbers(&answer["ownershipStdev"]);
    assert_eq!((ownership.len(), stdev.len()), (25, 25));
    for (i, (&own, &sd)) in ownership.iter().zip(&stdev).enumerate() {
        assert!((-1.0..=1.0).contains(&own) && (0.0..=1.0).contains(&sd));
        assert!(if i % 5 < 2 { own > 0.3 } else { own < -0.3 }, "point {i}: {ownership:?}");
        assert!((own * own + sd * sd - 1.0).abs() < 1e-5);
    }
    let infos = answer["moveInfos"].as_array().expect("a list");
    let best = &infos[0];
    assert_eq!((numbers(&best["ownership"]).len(), numbers(&best["ownershipStdev"]).len()), (25, 25));
    assert!(infos.iter().filter(|i| i.get("ownership").is_some()).count() <= 16);
}

#[test]
fn policy_has_a_number_for_every_point_and_the_pass() {
    let answer = answer(&katago(r#","moves":[["B","A5"],["W","E1"]],"includePolicy":true"#));
    let policy = numbers(&answer["policy"]);
    assert_eq!(policy.len(), 26);
    // A5 is the first point, E1 the last.
    let illegal: Vec<usize> = (0..26).filter(|&i| policy[i] < 0.0).collect();
    assert_eq!(illegal, [0, 24]);
    assert!((policy.iter().filter(|p| **p >= 0.0).sum::<f64>() - 1.0).abs() < 1e-4);
}

#[test]
fn lines_are_as_long_as_asked() {
    let longest = |fields: &str| {
        let line = katago(&format!(r#","moves":[],{fields}"#)).replace(r#""maxVisits":60"#, r#""maxVisits":3000"#);
        let answer = answer(&line);
        let infos = answer["moveInfos"].as_array().expect("a list").clone();
        infos.iter().filter_map(|i| i["pv"].as_array().map(Vec::len)).max().expect("moves")
    };
    assert_eq!(longest(r#""analysisPVLen":1"#), 2, "one move after the first");
    assert_eq!(longest(r#""overrideSettings":{"analysisPVLen":2}"#), 3);
    assert!(longest(r#""analysisPVLen":1000"#) > 3);
}

#[test]
fn reasons_come_if_asked() {
    let answer = answer(&katago(r#","moves":[["B","C3"]],"reasons":2"#));
    let with = answer["moveInfos"].as_array().expect("a list").iter().filter(|i| i["reasons"].is_array()).count();
    assert_eq!(with, 2);
    assert!(answer["moveInfos"][0]["reasons"].as_array().is_some_and(|r| r.iter().any(|r| r["code"] == "go.lead")));
}

#[test]
fn reports_have_what_the_answer_has() {
    let line = katago(
        r#","moves":[],"includeOwnership":true,"includePolicy":true,"reportDuringSearchEvery":0.001,"firstReportDuringSearchAfter":0.002"#,
    )
    .replace(r#""maxVisits":60"#, r#""maxVisits":60000"#);
    let answers = answers(&line);
    let (last, reports) = answers.split_last().expect("answers");
    assert!(!reports.is_empty());
    for report in reports {
        assert_eq!((&report["isDuringSearch"], &report["turnNumber"]), (&json!(true), &json!(0)));
        assert_eq!((&report["ownership"], &report["policy"]), (&last["ownership"], &last["policy"]));
        assert!(report["moveInfos"].as_array().is_some_and(|infos| !infos.is_empty()));
    }
    assert_eq!((&last["isDuringSearch"], &last["rootInfo"]["visits"]), (&json!(false), &json!(60000)));
}

#[test]
fn equal_positions_have_equal_names() {
    let hashes = |moves: &str| {
        let root = answer(&katago(&format!(r#","moves":{moves}"#)))["rootInfo"].clone();
        (root["thisHash"].clone(), root["symHash"].clone())
    };
    let one = hashes(r#"[["B","B2"],["W","D4"],["B","C2"]]"#);
    assert_eq!(one, hashes(r#"[["B","C2"],["W","D4"],["B","B2"]]"#));
    let mirrored = hashes(r#"[["B","B2"],["W","D4"],["B","B3"]]"#);
    assert_ne!(one.0, mirrored.0);
    assert_eq!(one.1, mirrored.1);
}
