//! Who only looks at games opens no tables: they would stay in memory for a while, and there is room for so many only.

use crate::support::{Folder, Running, config, hot_seat, upload};
use serde_json::json;

#[test]
fn more_games_are_looked_at_than_tables_may_be_open() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.limits.rooms = 2;
    let running = Running::start(config);
    let ids: Vec<String> =
        (0..4).map(|_| running.create(&hot_seat(5))["id"].as_str().expect("an id").to_owned()).collect();
    for id in &ids {
        let path = format!("/api/games/{id}");
        for (method, path, body) in [
            ("GET", format!("{path}/positions"), None),
            ("GET", format!("{path}/record"), None),
            ("GET", format!("{path}/record?format=sgf"), None),
            ("POST", format!("{path}/text"), Some(json!({"what": "board"}))),
            ("POST", format!("{path}/branch"), Some(json!({"step": 0, "actions": ["C3"]}))),
            ("POST", format!("{path}/analyse"), Some(json!({"step": 0, "actions": ["pass", "pass"]}))),
            ("PATCH", path.clone(), Some(json!({"title": "old"}))),
        ] {
            let answer = running.owner(method, &path, body.as_ref());
            assert!((200..300).contains(&answer.status), "{method} {path}: {}", answer.text());
        }
    }
    assert_eq!(running.app().open_rooms(), 0);
    // An open table answers as it stands.
    let mut page = running.sit(&ids[0], &[&running.key.clone()]);
    let state = page.wait_type("state");
    assert_eq!(page.play(&state["v"], "C3")["type"], "ack");
    let positions = running.owner("GET", &format!("/api/games/{}/positions", ids[0]), None).json();
    assert_eq!((positions["positions"].as_array().map(Vec::len), &positions["title"]), (Some(2), &json!("old")));
    let renamed = running.owner("PATCH", &format!("/api/games/{}", ids[0]), Some(&json!({"title": "new"})));
    assert_eq!(renamed.status, 204);
    page.wait("the title", |m| m["type"] == "welcome" && m["title"] == "new");
    assert_eq!(running.app().open_rooms(), 1);
    running.stop();
}

#[test]
fn a_finished_import_that_waits_for_its_count_lets_no_computer_think() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let sgf = b"(;GM[1]SZ[19];B[dd];W[pp];B[];W[])";
    let answer = upload(running.addr, "/api/import", &running.key, sgf);
    assert_eq!(answer.status, 201, "{}", answer.text());
    let id = answer.json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(running.owner("GET", &format!("/api/games/{id}/record"), None).status, 200);
    assert_eq!((running.app().queue.load(), running.app().open_rooms()), ((0, 0), 0));
    running.stop();
}
