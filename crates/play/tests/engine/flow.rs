//! Several queries at once: order, priorities, ids, limits, and that one seed gives one answer.

use kiebitz_play::engine::{EngineConfig, MAX_ACTIONS, MAX_LINE_BYTES, MAX_WAITING, serve};
use serde_json::{Value, json};
use std::io::{self, Write};

use crate::support::{Talk, answers, answers_with, is_final, katago};

fn ids(lines: &[Value]) -> Vec<&str> {
    lines.iter().filter(|l| l["isDuringSearch"] == false).filter_map(|l| l["id"].as_str()).collect()
}

#[test]
fn urgent_queries_come_first_then_the_earliest() {
    let talk = Talk::start(1);
    talk.block();
    talk.say(r#"{"id":"a","game":"tictactoe"}"#);
    talk.say(r#"{"id":"b","game":"tictactoe","priority":5}"#);
    talk.say(r#"{"id":"c","game":"tictactoe","priority":-1}"#);
    talk.say(r#"{"id":"d","game":"tictactoe","priority":5}"#);
    talk.say(r#"{"id":"e","game":"tictactoe","actions":["b2","a1"],"turns":[0,2,1],"priorities":[-2,7,-2]}"#);
    talk.say(r#"{"id":"t","action":"terminate","terminateId":"blocker"}"#);
    let rest = talk.finish();
    assert_eq!(ids(&rest), ["blocker", "e", "b", "d", "a", "c", "e", "e"]);
    let turns: Vec<&Value> = rest.iter().filter(|l| is_final(l, "e")).map(|l| &l["turnNumber"]).collect();
    assert_eq!(turns, [2, 0, 1]);
}

#[test]
fn a_short_query_overtakes_a_long_one() {
    let talk = Talk::start(2);
    talk.block();
    talk.say(r#"{"id":"short","game":"tictactoe"}"#);
    assert!(is_final(&talk.hear_final(), "short"));
    talk.say(r#"{"id":"t","action":"terminate_all"}"#);
    assert_eq!(ids(&talk.finish()), ["blocker"]);
}

#[test]
fn the_end_of_the_input_lets_everything_finish() {
    let queries: String = (0..40).map(|i| format!("{{\"id\":\"{i}\",\"game\":\"tictactoe\"}}\n")).collect();
    for threads in [1, 3] {
        let answers = answers_with(EngineConfig { threads, ..EngineConfig::default() }, &queries);
        let mut ids: Vec<usize> = ids(&answers).iter().filter_map(|id| id.parse().ok()).collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..40).collect::<Vec<_>>());
    }
}

#[test]
fn the_end_of_the_input_can_stop_everything() {
    let config = EngineConfig { quit_without_waiting: true, ..EngineConfig::default() };
    let long = r#"{"id":"ID","game":"go","rules":{"size":5},"player":"uct:early=off","visits":1000000000000}"#;
    let input = format!("{}\n{}", long.replace("ID", "a"), long.replace("ID", "b"));
    let answers = answers_with(config, &input);
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().any(|l| is_final(l, "a")) && answers.iter().any(|l| is_final(l, "b")), "{answers:?}");
}

#[test]
fn an_id_is_taken_until_its_last_answer() {
    let talk = Talk::start(1);
    talk.block();
    talk.say(r#"{"id":"blocker","game":"tictactoe"}"#);
    let refused = talk.hear_final();
    assert_eq!((&refused["id"], &refused["field"]), (&json!("blocker"), &json!("id")), "{refused}");
    talk.say(r#"{"id":"t","action":"terminate_all"}"#);
    while !is_final(&talk.hear(), "blocker") {}
    talk.say(r#"{"id":"blocker","game":"tictactoe"}"#);
    let rest = talk.finish();
    let last = rest.iter().find(|line| is_final(line, "blocker")).expect("an answer");
    assert_eq!(last["game"], "tictactoe");
}

#[test]
fn one_seed_gives_one_answer() {
    let own = |seed: u64| {
        let line = format!(
            r#"{{"id":"a","game":"go","rules":{{"size":5}},"actions":["C3"],"player":"uct","visits":300,"seed":{seed}}}"#
        );
        let mut answer = crate::support::answer(&line);
        assert!(answer["analysis"]["seconds"].is_number());
        answer["analysis"]["seconds"] = Value::Null;
        answer
    };
    assert_eq!(own(1), own(1));
    assert_ne!(own(1), own(2));
    let fields = r#","moves":[["B","C3"]],"includeOwnership":true,"includeMovesOwnership":true,"includePolicy":true"#;
    let katago = katago(fields);
    assert_eq!(answers(&katago), answers(&katago));
    // What was looked at before does not matter.
    let after_others = answers(&format!("{{\"id\":\"z\",\"game\":\"go\",\"visits\":50,\"player\":\"uct\"}}\n{katago}"));
    assert_eq!(after_others.last(), answers(&katago).last());
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_answered() {
    let long = format!("{{\"id\":\"l\",\"game\":\"{}\"}}", "x".repeat(MAX_LINE_BYTES));
    let answers = answers(&format!("{long}\n{{\"id\":\"n\",\"game\":\"tictactoe\"}}"));
    assert!(answers.iter().any(|l| l["error"].as_str().is_some_and(|e| e.contains("longer than"))), "{answers:?}");
    assert!(answers.iter().any(|l| is_final(l, "n")));
}

#[test]
fn a_game_that_is_too_long_is_refused() {
    let passes = vec![r#"["B","pass"]"#; MAX_ACTIONS + 1].join(",");
    let (field, error) = crate::support::refused(&katago(&format!(r#","moves":[{passes}]"#)));
    assert_eq!(field, "moves");
    assert!(error.contains(&MAX_ACTIONS.to_string()), "{error}");
    let actions = vec![r#""b2""#; MAX_ACTIONS + 1].join(",");
    let line = format!(r#"{{"id":"q","game":"tictactoe","actions":[{actions}]}}"#);
    assert_eq!(crate::support::refused(&line).0, "actions");
}

#[test]
fn too_many_waiting_positions_are_refused() {
    let talk = Talk::start(1);
    talk.block();
    let passes: Vec<String> = (0..999).map(|i| format!(r#"["{}","pass"]"#, ["B", "W"][i % 2])).collect();
    let turns: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
    let fields = format!(r#","moves":[{}],"analyzeTurns":[{}]"#, passes.join(","), turns.join(","));
    let query = katago(&fields);
    for i in 0..=MAX_WAITING / 1000 {
        talk.say(&query.replacen("\"q\"", &format!("\"q{i}\""), 1));
    }
    let refused = talk.hear_final();
    assert_eq!(refused["id"], format!("q{}", MAX_WAITING / 1000));
    assert!(refused["error"].as_str().is_some_and(|e| e.contains("too much is waiting")), "{refused}");
    talk.say(r#"{"id":"t","action":"terminate_all"}"#);
    let rest = talk.finish();
    assert_eq!(rest.iter().filter(|l| l["noResults"] == true).count(), MAX_WAITING);
}

/// A reader that went away.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn an_output_that_is_closed_ends_the_engine() {
    let long = r#"{"id":"b","game":"go","rules":{"size":5},"player":"uct:early=off","visits":300}"#;
    let input = format!("{{\"id\":\"a\",\"action\":\"query_version\"}}\n{long}\n");
    let ended = serve(input.as_bytes(), Box::new(Closed), EngineConfig::default());
    assert_eq!(ended.expect_err("nothing can be written").kind(), io::ErrorKind::BrokenPipe);
}
