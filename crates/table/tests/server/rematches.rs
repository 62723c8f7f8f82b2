//! Rematches: everybody keeps a seat, whoever was away too; the new game has nothing of the old one but rules, names and clocks.

use crate::support::{Folder, Page, Running, request, upload};
use serde_json::{Value, json};

/// A game of Ada, who made it, and Bo, who was invited.
struct Pair {
    id: String,
    ada: String,
    bo: String,
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

fn pair(running: &Running) -> Pair {
    let seats = json!([{"kind": "here", "name": "Ada"}, {"kind": "link", "name": "Bo"}]);
    let made = running.create(&json!({"game": "go", "seats": seats, "rules": {"size": 5}}));
    let code = json!({"code": made["invites"][0]["code"], "name": "Bo"});
    let joined = request(running.addr, "POST", "/api/join", None, Some(&code)).json();
    Pair { id: text(&made["id"]), ada: text(&made["tokens"][0]["token"]), bo: text(&joined["token"]["token"]) }
}

fn resign(page: &mut Page) {
    let state = page.state("the state", |_| true);
    page.say(&json!({"type": "resign", "v": state["v"], "cid": "resign"}));
    page.wait_state("the end", |s| s["phase"] == "over");
}

/// What a page is told of a rematch before it is told something else.
fn told(page: &mut Page) -> Option<Value> {
    page.say(&json!({"type": "ping", "n": 77}));
    page.wait_type("pong");
    let frames = page.frames.iter().rev().filter_map(|f| serde_json::from_str::<Value>(f).ok());
    frames.into_iter().find(|m| m["type"] == "rematch")
}

#[test]
fn the_rematch_of_an_import_has_nothing_of_its_moves_and_comments() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let sgf = b"(;SZ[9]KM[5.5]RE[W+R]PB[Ada]PW[Bo]EV[cup]RO[final]C[root comment];B[aa]C[bad move](;W[bb];B[cc])(;W[dd]C[var]))";
    let made = upload(running.addr, "/api/import", &running.key, sgf).json();
    let mut page = running.sit(&text(&made["id"]), &[&running.key.clone()]);
    page.wait_type("state");
    page.say(&json!({"type": "rematch"}));
    let next = text(&page.wait_type("rematch")["id"]);
    let record = |format: &str| running.owner("GET", &format!("/api/games/{next}/record{format}"), None).text();
    for text in [record("?format=sgf"), record("")] {
        for old in ["cup", "final", "comment", "bad move", "var", "W+R", "[aa]", "[bb]", "[dd]"] {
            assert!(!text.contains(old), "{old} in {text}");
        }
        for kept in ["Ada", "Bo", "5.5"] {
            assert!(text.contains(kept), "no {kept} in {text}");
        }
    }
    running.stop();
}

#[test]
fn a_finished_game_is_not_resumed_and_says_why() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Pair { id, ada, .. } = pair(&running);
    let mut a = running.sit(&id, &[&ada]);
    let v = a.wait_type("state")["v"].clone();
    a.say(&json!({"type": "resume_play", "v": v, "cid": "early"}));
    assert_eq!(a.wait_type("error")["code"], "scoring.not");
    resign(&mut a);
    let v = a.state("the end", |s| s["phase"] == "over")["v"].clone();
    a.say(&json!({"type": "resume_play", "v": v, "cid": "late"}));
    assert_eq!(a.wait_type("error")["code"], "turn.over");
    running.stop();
}
