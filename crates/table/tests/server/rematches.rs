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
fn who_was_away_when_the_rematch_was_made_gets_the_seat_when_coming_back() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Pair { id, ada, bo } = pair(&running);
    let (mut a, mut b) = (running.sit(&id, &[&ada]), running.sit(&id, &[&bo]));
    b.wait_type("state");
    resign(&mut a);
    a.say(&json!({"type": "rematch"}));
    b.state("Ada's wish", |s| s["rematch"] == json!([0]));
    drop(a);
    b.wait("Ada away", |m| m["type"] == "presence" && m["seats"][0]["online"] == false);
    b.say(&json!({"type": "rematch"}));
    let made = b.wait_type("rematch");
    let next = text(&made["id"]);
    assert_eq!(made["tokens"].as_array().map(Vec::len), Some(1));
    assert_eq!((&made["tokens"][0]["seat"], &made["invites"]), (&json!(0), &json!([])));

    let mut a = running.sit(&id, &[&ada]);
    let found = a.wait_type("rematch");
    assert_eq!((&found["id"], &found["tokens"][0]["seat"]), (&json!(next), &json!(1)));
    let token = text(&found["tokens"][0]["token"]);
    // What is stored tells nobody the token.
    assert_ne!(token, ada);
    running.stop();

    // After a restart it is the same, and there is no second rematch.
    let running = Running::new(folder.path());
    let mut a = running.sit(&id, &[&ada]);
    assert_eq!(a.wait_type("rematch"), found);
    a.say(&json!({"type": "rematch"}));
    assert_eq!(a.wait_type("error")["code"], "rematch.done");
    let mut new = running.sit(&next, &[&token]);
    assert_eq!(new.wait_type("welcome")["you"]["seats"], json!([1]));
    assert_eq!(new.wait_type("state")["seats"][0]["name"], "Bo");
    let mine = request(running.addr, "POST", "/api/mine", None, Some(&json!({"tokens": [token]}))).json();
    assert_eq!((&mine["games"][0]["id"], &mine["games"][0]["yours"]), (&json!(next), &json!([1])));

    // Only seats are inherited, and not by who lost the seat since.
    let mut b = running.sit(&id, &[&bo]);
    let again = b.wait_type("rematch");
    assert_eq!(again["tokens"][0]["seat"], 0);
    let links = format!("/api/games/{next}/links");
    assert_eq!(request(running.addr, "POST", &links, Some(&token), Some(&json!({"taken": true}))).status, 200);
    let mut b = running.sit(&id, &[&bo]);
    b.wait_type("state");
    assert_eq!(told(&mut b), None);
    for gone in [&made, &again] {
        let mut b = running.sit(&next, &[gone["tokens"][0]["token"].as_str().expect("a token")]);
        assert_eq!(b.wait_closed(), 4004);
    }
    running.stop();
}

#[test]
fn a_seat_that_nobody_took_stays_open_in_the_rematch() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made =
        running.create(&json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "link"}], "rules": {"size": 5}}));
    let mut page = running.sit(&text(&made["id"]), &[&text(&made["tokens"][0]["token"])]);
    let mut watching = running.sit(&text(&made["id"]), &[&text(&made["watch"])]);
    watching.wait_type("state");
    page.wait_type("state");
    resign(&mut page);
    page.say(&json!({"type": "rematch"}));
    let rematch = page.wait_type("rematch");
    let next = text(&rematch["id"]);
    assert_eq!(rematch["tokens"].as_array().map(Vec::len), Some(1));
    assert_eq!(rematch["tokens"][0]["seat"], 1);
    let mut page = running.sit(&next, &[&text(&rematch["tokens"][0]["token"])]);
    assert_eq!(page.wait_type("state")["seats"][0]["taken"], false);
    // Who watched may go on, and gets no seat.
    let seen = watching.wait_type("rematch");
    assert_eq!((&seen["tokens"], &seen["invites"]), (&json!([]), &json!([])));
    let mut watching = running.sit(&next, &[&text(&seen["watch"])]);
    assert_eq!(watching.wait_type("welcome")["you"]["seats"], json!([]));
    let code = json!({"code": rematch["invites"][0]["code"], "name": "Cy"});
    let joined = request(running.addr, "POST", "/api/join", None, Some(&code)).json();
    assert_eq!((&joined["id"], &joined["token"]["seat"]), (&json!(next), &json!(0)));
    page.state("Cy", |s| s["seats"][0]["name"] == "Cy");
    running.stop();
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
fn nothing_waits_for_a_seat_that_is_free_again() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    // An undo, asked of Bo.
    let Pair { id, ada, bo } = pair(&running);
    let (mut a, mut b) = (running.sit(&id, &[&ada]), running.sit(&id, &[&bo]));
    let state = a.wait_type("state");
    b.wait_type("state");
    assert_eq!(a.play(&state["v"], "C3")["type"], "ack");
    a.say(&json!({"type": "undo", "v": 1, "cid": "undo"}));
    a.state("the question", |s| s["asked"]["waiting_for"] == json!([1]));
    let links = format!("/api/games/{id}/links");
    assert_eq!(request(running.addr, "POST", &links, Some(&ada), Some(&json!({"taken": true}))).status, 200);
    assert_eq!(a.wait_type("ack")["cid"], "undo");
    let state = a.state("the undo", |s| s["ply"] == 0);
    assert_eq!((&state["asked"], &state["seats"][1]["taken"]), (&json!(null), &json!(false)));

    // A question of Bo's is gone with him; so is his wish for a rematch, and Ada's is fulfilled.
    let Pair { id, ada, bo } = pair(&running);
    let (mut a, mut b) = (running.sit(&id, &[&ada]), running.sit(&id, &[&bo]));
    a.wait_type("state");
    b.wait_type("state");
    b.say(&json!({"type": "ask_hints"}));
    a.state("the question", |s| s["asked"]["by"] == 1);
    let links = format!("/api/games/{id}/links");
    assert_eq!(request(running.addr, "POST", &links, Some(&ada), Some(&json!({"taken": true}))).status, 200);
    let state = a.state("no question", |s| s["asked"].is_null());
    assert_eq!(state["hints"], false, "Ada did not agree");

    let Pair { id, ada, bo } = pair(&running);
    let (mut a, mut b) = (running.sit(&id, &[&ada]), running.sit(&id, &[&bo]));
    a.wait_type("state");
    b.wait_type("state");
    resign(&mut a);
    a.say(&json!({"type": "rematch"}));
    a.state("the wish", |s| s["rematch"] == json!([0]));
    let links = format!("/api/games/{id}/links");
    assert_eq!(request(running.addr, "POST", &links, Some(&ada), Some(&json!({"taken": true}))).status, 200);
    let made = a.wait_type("rematch");
    assert_eq!((&made["tokens"][0]["seat"], &made["invites"][0]["seat"]), (&json!(1), &json!(0)));
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
