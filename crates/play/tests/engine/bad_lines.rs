//! Lines made wrong: an error each, and the engine goes on.

use std::sync::atomic::{AtomicUsize, Ordering};

use kiebitz_core::Rng;
use kiebitz_play::terminal::controls_terminal;
use serde_json::{Map, Value};

use crate::mutate::{count, mutate, pick, run};
use crate::support::{Talk, answer, is_final, refused, serve_to};

#[test]
fn lines_that_are_no_query_are_refused() {
    for (line, field) in [
        ("hello", ""),
        ("{", ""),
        ("[]", ""),
        ("7", ""),
        ("null", ""),
        ("{}", "id"),
        (r#"{"id":7,"game":"kuhn"}"#, "id"),
        (r#"{"id":null}"#, "id"),
        (r#"{"id":"","game":"tictactoe"}"#, "id"),
        (r#"{"id":"","action":"query_version"}"#, "id"),
    ] {
        let (found, error) = refused(line);
        assert_eq!(found, field, "{line}: {error}");
    }
    assert!(answer("\u{1}{}").get("id").is_none());
    let long = format!(r#"{{"id":"{}"}}"#, "x".repeat(2_000));
    assert_eq!(refused(&long).0, "id");
    let deep = format!(r#"{{"id":"a","rules":{}"#, "[".repeat(100_000));
    assert_eq!(refused(&deep).0, "");
}

/// Ids and fields are echoed as they are, but nothing of them controls a terminal that shows the answers.
#[test]
fn what_is_echoed_does_not_control_a_terminal() {
    let (id, field) = ("a\u{202e}b\u{9b}2J\u{2066}", "x\u{7f}\u{200f}");
    let mut output = Vec::new();
    let line = format!(r#"{{"id":"{id}","game":"tictactoe","{field}":1}}"#);
    serve_to(&line, &mut output);
    let text = String::from_utf8(output).expect("UTF-8");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.chars().all(|c| c == '\n' || !controls_terminal(c)), "{text:?}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.iter().all(|line| line["id"] == id), "{text}");
    assert_eq!(lines[0]["field"], field);
}

#[test]
fn empty_lines_are_nothing() {
    assert!(crate::support::answers("\n  \n\r\n\t\n").is_empty());
    // Nor is the byte order mark of a text.
    assert_eq!(answer("\u{feff}{\"id\":\"a\",\"game\":\"tictactoe\",\"action\":null}\r\n")["turnNumber"], 0);
}

const QUERIES: &[&[u8]] = &[
    br#"{"id":"a","game":"tictactoe","actions":["b2","a1","a2"],"turns":[0,1,3],"priority":3,"seed":5}"#,
    br#"{"id":"a","game":"kuhn","players":3,"actions":["deal ?,2,?","pass","bet"],"seat":1,"turns":[2],"visits":20}"#,
    br#"{"id":"a","game":"countdown","player":"expectimax:depth=2","reasons":1,"candidates":1}"#,
    br#"{"id":"a","game":"go","rules":{"size":[4,3],"komi":0.5},"setup":{"black":["A1"],"white":["C1"],"to_move":"white"},"actions":["B2","pass"],"player":"uct:visits=5","allow":["C3"],"reportDuringSearchEvery":0.1}"#,
    br#"{"id":"a","rules":"japanese","priority":1,"analyzeTurns":[0,2],"maxVisits":4,"komi":6.5,"boardXSize":5,"boardYSize":5,"includeOwnership":true,"includeMovesOwnership":true,"includePolicy":true,"initialStones":[["B","C3"],["W","C4"]],"initialPlayer":"W","moves":[["W","B2"],["B","pass"]],"overrideSettings":{"reportAnalysisWinratesAs":"BLACK","maxTime":0.01},"reportDuringSearchEvery":0.01}"#,
    br#"{"id":"a","rules":{"ko":"SIMPLE","scoring":"AREA","tax":"NONE","suicide":true,"hasButton":false,"whiteHandicapBonus":"N"},"priorities":[1,2],"analyzeTurns":[0,1],"maxVisits":3,"boardXSize":4,"boardYSize":2,"moves":[["B","(1,1)"]],"avoidMoves":[{"player":"W","moves":["A1","pass"],"untilDepth":1}],"analysisPVLen":3,"includePVVisits":true}"#,
    br#"{"id":"t","action":"terminate","terminateId":"a","turnNumbers":[0,1]}"#,
    br#"{"id":"t","action":"query_version"}"#,
];

const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "1e400",
    "18446744073709551616",
    "\"?\"",
    "\"pass\"",
    "\"B\"",
    "\"game\":\"go\"",
    "\"moves\":[]",
    "\"turns\":[0]",
    "\"seat\":0",
    "\\u0000",
    "\u{fffd}",
    "\n",
    "黑",
    "\"untilDepth\":0",
    "\"(9,9)\"",
    "\"actions\":[\"?\"]",
    "\"setup\":{}",
    "\"komi\":1e9",
];

const VALUES: &[&str] = &[
    "null",
    "true",
    "-1",
    "0",
    "1",
    "2",
    "25",
    "1e300",
    "\"\"",
    "\"?\"",
    "\"B\"",
    "\"pass\"",
    "[]",
    "[0]",
    "[[]]",
    "[\"b2\"]",
    "{}",
    "{\"size\":5}",
    "\"tromp-taylor\"",
    "[[\"B\",\"A1\"]]",
    "\"uct:visits=3\"",
    "\"random\"",
    "[null]",
    "18446744073709551615",
];

/// A query with one to three fields taken out, given another value, or taken from another query.
fn change_fields(rng: &mut Rng) -> Vec<u8> {
    let parse = |text: &[u8]| serde_json::from_slice::<Map<String, Value>>(text).expect("a query");
    let mut query = parse(pick(rng, QUERIES));
    for _ in 0..1 + rng.below(3) {
        let other = parse(pick(rng, QUERIES));
        let from = if rng.below(2) == 0 { &query } else { &other };
        let keys: Vec<&String> = from.keys().collect();
        let Some(key) = keys.get(rng.below(keys.len().max(1))).map(|k| k.to_string()) else { continue };
        match rng.below(3) {
            0 => drop(query.remove(&key)),
            1 => drop(query.insert(key, serde_json::from_str(pick(rng, VALUES)).expect("a value"))),
            _ => {
                if let Some(value) = other.get(&key) {
                    query.insert(key, value.clone());
                }
            }
        }
    }
    Value::Object(query).to_string().into_bytes()
}

#[test]
fn lines_made_wrong_never_stop_the_engine() {
    let talk = Talk::start(2);
    let inputs = count(3_000);
    let said = AtomicUsize::new(0);
    let mut seen = Seen::default();
    run(
        "engine",
        inputs,
        71,
        |rng| if rng.below(2) == 0 { mutate(rng, QUERIES, TOKENS) } else { change_fields(rng) },
        |line| {
            let number = said.fetch_add(1, Ordering::Relaxed);
            // Ids must differ, or most lines are refused for that alone.
            let text = String::from_utf8_lossy(line).replacen(r#""id":"a""#, &format!(r#""id":"a{number}""#), 1);
            talk.say(&text);
            talk.engine.line(line);
            // Visits and times made huge by accident must not keep the rest waiting.
            if number % 20 == 19 {
                talk.say(r#"{"id":"t","action":"terminate_all"}"#);
            }
            seen.add(&talk.heard());
        },
    );
    talk.say(r#"{"id":"t","action":"terminate_all"}"#);
    // It still knows its trade.
    for (number, query) in QUERIES.iter().enumerate().take(6) {
        talk.say(&String::from_utf8_lossy(query).replacen(r#""id":"a""#, &format!(r#""id":"whole{number}""#), 1));
    }
    talk.say(r#"{"id":"the last","game":"tictactoe"}"#);
    let answers = talk.finish();
    seen.add(&answers);
    assert!(answers.iter().any(|line: &Value| is_final(line, "the last")));
    assert!(seen.errors > inputs / 3 && seen.looked > 6, "{seen:?} of {inputs} inputs");
}

/// What the answers to lines made wrong were.
#[derive(Debug, Default)]
struct Seen {
    errors: u64,
    looked: u64,
}

impl Seen {
    fn add(&mut self, answers: &[Value]) {
        for answer in answers {
            let map = answer.as_object().expect("an object");
            self.errors += u64::from(map.contains_key("error"));
            self.looked += u64::from(map.contains_key("moveInfos") || map.contains_key("analysis"));
            assert!(!answer["error"].as_str().is_some_and(|e| e.contains("mistake in the program")), "{answer}");
        }
    }
}
