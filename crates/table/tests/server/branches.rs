//! Games that branch off from others.

use crate::support::{Folder, Running};
use serde_json::json;

#[test]
fn a_branch_refuses_the_computers_that_a_new_game_refuses() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let random = json!({"kind": "computer", "player": "random"});
    let here = json!({"kind": "here"});
    let made = running.create(&json!({"game": "paodekuai", "seats": [here, random, random]}));
    let id = made["id"].as_str().expect("an id");
    let mut page = running.sit(id, &[&running.key]);
    let state = page.wait_state("my turn", |s| s["turn"] == 0 || s["phase"] == "over");
    if state["phase"] == "playing" {
        page.say(&json!({"type": "resign", "v": state["v"], "cid": "resign"}));
        page.wait_state("the end", |s| s["phase"] == "over");
    }
    let path = format!("/api/games/{id}/branch");
    for player in ["alphabeta", "maxn", "paranoid", "uct", "puct", "expectimax"] {
        let seats = json!([{"kind": "computer", "player": player}, here, here]);
        let new = running.owner("POST", "/api/games", Some(&json!({"game": "paodekuai", "seats": seats})));
        let branch = running.owner("POST", &path, Some(&json!({"step": 1, "seats": seats})));
        assert_eq!((new.status, branch.status), (400, 400), "{player}: {}", branch.text());
        assert_eq!(new.json(), branch.json(), "{player}");
    }
    let seats = json!([random, here, here]);
    assert_eq!(running.owner("POST", &path, Some(&json!({"step": 1, "seats": seats}))).status, 201);
    running.stop();
}
