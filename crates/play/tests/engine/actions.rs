//! Lines that ask for something else than an analysis.

use serde_json::{Value, json};

use crate::support::{Talk, answer, answers, is_final, refused};

#[test]
fn query_version_echoes_the_line_with_the_version() {
    let answer = answer(r#"{"id":"v","action":"query_version","extra":[1]}"#);
    assert_eq!(
        answer,
        json!({"id":"v","action":"query_version","extra":[1],"version":env!("CARGO_PKG_VERSION"),"git_hash":"<omitted>","engine":"kiebitz"})
    );
}

#[test]
fn query_models_lists_the_program_the_games_and_the_players() {
    let answer = answer(r#"{"id":"m","action":"query_models"}"#);
    assert_eq!((&answer["id"], &answer["models"][0]["name"]), (&json!("m"), &json!("kiebitz")));
    let games: Vec<&str> =
        answer["games"].as_array().expect("a list").iter().filter_map(|g| g["game"].as_str()).collect();
    let all: Vec<&str> = kiebitz_catalog::games().iter().map(|entry| entry.game.id()).collect();
    assert_eq!(games, all);
    assert!(answer["players"].as_array().expect("a list").contains(&json!("uct")));
}

#[test]
fn clear_cache_is_echoed() {
    assert_eq!(answer(r#"{"id":"c","action":"clear_cache"}"#), json!({"id":"c","action":"clear_cache"}));
}

#[test]
fn unknown_actions_are_refused() {
    let (field, error) = refused(r#"{"id":"x","action":"dance"}"#);
    assert_eq!(field, "action");
    assert!(error.contains("terminate_all"), "{error}");
    assert_eq!(refused(r#"{"id":"x","action":7}"#).0, "action");
    assert_eq!(refused(r#"{"id":"x","action":"terminate"}"#).0, "terminateId");
    assert_eq!(refused(r#"{"id":"x","action":"terminate","terminateId":"a","turnNumbers":[0.5]}"#).0, "turnNumbers");
    assert_eq!(refused(r#"{"id":"x","action":"terminate_all","turnNumbers":"0"}"#).0, "turnNumbers");
}

#[test]
fn terminating_what_is_not_there_is_only_echoed() {
    let line = r#"{"id":"t","action":"terminate","terminateId":"nobody"}"#;
    assert_eq!(answers(line), [serde_json::from_str::<Value>(line).expect("JSON")]);
}

#[test]
fn a_running_search_that_is_terminated_answers_with_what_it_has() {
    let talk = Talk::start(1);
    talk.block();
    talk.say(r#"{"id":"t","action":"terminate","terminateId":"blocker"}"#);
    let rest = talk.finish();
    let echo = json!({"id":"t","action":"terminate","terminateId":"blocker"});
    assert!(rest.contains(&echo), "{rest:?}");
    let last: Vec<&Value> = rest.iter().filter(|line| is_final(line, "blocker")).collect();
    assert_eq!(last.len(), 1);
    assert!(last[0]["analysis"]["visits"].as_u64().expect("visits") > 0);
    assert_eq!(rest.len(), 2);
}

#[test]
fn a_waiting_position_that_is_terminated_has_no_results() {
    let talk = Talk::start(1);
    talk.block();
    talk.say(r#"{"id":"w","game":"tictactoe","actions":["b2","a1"],"turns":[0,1,2]}"#);
    talk.say(r#"{"id":"t","action":"terminate","terminateId":"w","turnNumbers":[1]}"#);
    assert_eq!(talk.hear_final(), json!({"id":"w","isDuringSearch":false,"turnNumber":1,"noResults":true}));
    assert_eq!(talk.hear_final()["id"], "t");
    talk.say(r#"{"id":"u","action":"terminate","terminateId":"blocker"}"#);
    let rest = talk.finish();
    let turns: Vec<&Value> = rest.iter().filter(|l| is_final(l, "w")).map(|l| &l["turnNumber"]).collect();
    assert_eq!(turns, [0, 2]);
    assert!(rest.iter().all(|line| line.get("noResults").is_none()), "{rest:?}");
}

#[test]
fn terminate_all_ends_everything_or_the_turns_it_names() {
    let talk = Talk::start(1);
    talk.block();
    talk.say(r#"{"id":"a","game":"tictactoe","actions":["b2"],"turns":[0,1]}"#);
    talk.say(r#"{"id":"b","game":"kuhn"}"#);
    talk.say(r#"{"id":"t","action":"terminate_all","turnNumbers":[1]}"#);
    assert_eq!(talk.hear_final(), json!({"id":"a","isDuringSearch":false,"turnNumber":1,"noResults":true}));
    assert_eq!(talk.hear_final()["id"], "t");
    talk.say(r#"{"id":"u","action":"terminate_all"}"#);
    let rest = talk.finish();
    for (id, results) in [("a", false), ("b", false), ("blocker", true)] {
        let last: Vec<&Value> = rest.iter().filter(|line| is_final(line, id)).collect();
        assert_eq!(last.len(), 1, "{id} {rest:?}");
        assert_eq!(last[0].get("noResults").is_none(), results, "{id}");
    }
}
