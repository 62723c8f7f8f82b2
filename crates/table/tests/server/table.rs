//! A game at the table, from the first message to the record.

use crate::support::{Folder, Page, Running, against, hot_seat, request, upload};
use serde_json::json;

#[test]
fn a_game_against_the_computer_begins_and_goes_on() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&against("best:level=1", 9));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"][0]["token"].as_str().unwrap());
    let mut page = running.sit(id, &[token]);
    let welcome = page.wait_type("welcome");
    assert_eq!(welcome["you"]["seats"], json!([0]));
    assert_eq!(welcome["rules"]["size"], 9);
    let state = page.wait_type("state");
    assert_eq!((&state["turn"], &state["phase"], &state["view_of"]), (&json!(0), &json!("playing"), &json!(0)));
    assert_eq!(state["legal"].as_array().unwrap().len(), 82);
    let ack = page.play(&state["v"], "e5");
    assert_eq!(ack["type"], "ack", "{ack}");
    let state = page.wait_state("the computer's answer", |s| s["ply"] == 2);
    assert_eq!(state["moves"][0]["action"], "E5");
    assert_eq!(state["turn"], 0);
    running.stop();
}

#[test]
fn everything_is_there_again_after_a_restart() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let mut state = page.wait_type("state");
    for action in ["C3", "G7", "G3", "C7", "pass"] {
        assert_eq!(page.play(&state["v"], action)["type"], "ack");
        let before = state["v"].as_u64().unwrap();
        state = page.wait_state("the next state", |s| s["v"].as_u64() > Some(before));
    }
    page.say(&json!({"type": "undo", "v": state["v"], "cid": "u"}));
    let before = page.wait_state("the undo", |s| s["ply"] == 4);
    running.stop();
    let running = Running::new(folder.path());
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let after = page.wait_type("state");
    for key in ["v", "view", "turn", "moves", "ply", "legal"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    running.stop();
}

#[test]
fn undo_and_redo_between_people_are_asked_for() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let wish = json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "link"}], "rules": {"size": 9}});
    let made = running.create(&wish);
    let id = made["id"].as_str().unwrap();
    let code = made["invites"][0]["code"].as_str().unwrap();
    let joined = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": code, "name": "Bo"})));
    assert_eq!(joined.status, 200, "{}", joined.text());
    let theirs = joined.json()["token"]["token"].as_str().unwrap().to_owned();
    let again = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": code})));
    assert_eq!((again.status, &again.json()["code"]), (404, &json!("invite.unknown")));

    let mut ada = running.sit(id, &[made["tokens"][0]["token"].as_str().unwrap()]);
    let mut bo = running.sit(id, &[&theirs]);
    let state = ada.wait_type("state");
    assert_eq!(bo.wait_type("state")["legal"], json!([]));
    assert_eq!(ada.play(&state["v"], "E5")["type"], "ack");
    let state = bo.wait_state("the move", |s| s["ply"] == 1);
    assert_eq!(state["seats"][1]["name"], "Bo");
    ada.say(&json!({"type": "undo", "v": state["v"], "cid": "u1"}));
    let asked = bo.wait_state("the question", |s| !s["asked"].is_null());
    assert_eq!((&asked["asked"]["what"], &asked["asked"]["waiting_for"]), (&json!("undo"), &json!([1])));
    ada.wait_state("its own question", |s| s["asked"]["id"] == 1);
    bo.say(&json!({"type": "answer", "id": asked["asked"]["id"], "yes": false}));
    let refused = ada.wait_state("the refusal", |s| s["asked"].is_null() && s["ply"] == 1);
    ada.say(&json!({"type": "undo", "v": refused["v"], "cid": "u2"}));
    let asked = bo.wait_state("the question", |s| s["asked"]["id"] == 2);
    bo.say(&json!({"type": "answer", "id": asked["asked"]["id"], "yes": true}));
    let back = bo.wait_state("the undo", |s| s["ply"] == 0);
    assert!(back["asked"].is_null());
    ada.wait("the ack", |m| m["type"] == "ack" && m["cid"] == "u2");
    running.stop();
}

/// Both players pass on a board where Black has the left and White the right, with one dead stone in each.
fn to_scoring(page: &mut Page) -> serde_json::Value {
    let mut state = page.wait_type("state");
    let black = ["C1", "C2", "C3", "C4", "C5", "E3"];
    let white = ["D1", "D2", "D3", "D4", "D5", "B3"];
    for (b, w) in black.iter().zip(&white) {
        for action in [b, w] {
            let before = state["v"].as_u64().unwrap();
            assert_eq!(page.play(&state["v"], action)["type"], "ack", "{action}");
            state = page.wait_state("the next state", |s| s["v"].as_u64() > Some(before));
        }
    }
    for _ in 0..2 {
        let before = state["v"].as_u64().unwrap();
        assert_eq!(page.play(&state["v"], "pass")["type"], "ack");
        state = page.wait_state("the next state", |s| s["v"].as_u64() > Some(before));
    }
    state
}

#[test]
fn dead_stones_are_proposed_changed_and_accepted() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(5));
    let id = made["id"].as_str().unwrap();
    let mut page = running.sit(id, &[&running.key.clone()]);
    let state = to_scoring(&mut page);
    assert_eq!(state["phase"], "scoring");
    let state = page.state("the proposal", |s| s["scoring"]["pending"] == false);
    assert_eq!(state["scoring"]["groups"].as_array().unwrap().len(), 4);
    assert_eq!(state["scoring"]["count"]["unit"], "zi");
    let before = state["scoring"]["dead"].clone();
    page.say(&json!({"type": "toggle_dead", "v": state["v"], "stone": "B3"}));
    let state = page.wait_state("the change", |s| s["scoring"]["dead"] != before);
    // The list that was seen before is not accepted.
    page.say(&json!({"type": "accept_score", "v": state["v"], "dead": before}));
    assert_eq!(page.wait_type("error")["code"], "stale");
    page.say(&json!({"type": "resume_play", "v": state["v"], "cid": "r1"}));
    let state = page.wait_state("the game to go on", |s| s["phase"] == "playing");
    assert_eq!(state["ply"], 12);
    for n in 0..2 {
        let before = state["v"].as_u64().unwrap() + n;
        assert_eq!(page.play(&json!(before), "pass")["type"], "ack");
    }
    let mut state = page.state("the second proposal", |s| s["scoring"]["pending"] == false);
    for stone in ["B3", "E3"] {
        let dead = state["scoring"]["dead"].clone();
        if !dead.as_array().unwrap().contains(&json!(stone)) {
            page.say(&json!({"type": "toggle_dead", "v": state["v"], "stone": stone}));
            state = page.wait_state("the change", |s| s["scoring"]["dead"] != dead);
        }
    }
    page.say(&json!({"type": "accept_score", "v": state["v"], "dead": state["scoring"]["dead"]}));
    let over = page.wait_state("the end", |s| s["phase"] == "over");
    assert_eq!(over["outcome"]["how"], "score");
    // Three columns of five are Black's: 15 against 10 and komi.
    assert_eq!(over["count"]["sides"][0]["total"], 15.0);
    assert_eq!(over["moves"].as_array().unwrap().last().unwrap()["kind"], "dead");
    // The record tells it all, and is a record.
    let record = running.owner("GET", &format!("/api/games/{id}/record"), None);
    assert!(record.text().contains("\"resumed\""), "{}", record.text());
    let read = kiebitz_core::record::Record::read(&record.body).expect("a record");
    let game = kiebitz_play::replay::replay(&read, None).expect("it replays");
    assert_eq!(game.result().as_deref(), over["outcome"]["result"].as_str());
    let sgf = running.owner("GET", &format!("/api/games/{id}/record?format=sgf"), None);
    assert!(sgf.text().starts_with("(;"), "{}", sgf.text());
    running.stop();
}

#[test]
fn while_dead_stones_are_discussed_moves_are_refused_and_resigning_ends_the_game() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(5));
    let id = made["id"].as_str().unwrap();
    let mut page = running.sit(id, &[&running.key.clone()]);
    let state = to_scoring(&mut page);
    for message in [
        json!({"type": "play", "v": state["v"], "cid": "p", "action": "E1"}),
        json!({"type": "play", "v": state["v"], "cid": "q", "action": "pass", "seat": 1}),
        json!({"type": "hint", "v": state["v"], "id": 1}),
        json!({"type": "what_if", "v": state["v"], "id": 2, "action": "E1"}),
    ] {
        page.say(&message);
        assert_eq!(page.wait_type("error")["code"], "scoring.open", "{message}");
    }
    // Nothing is counted yet, and no file says so.
    let sgf = running.owner("GET", &format!("/api/games/{id}/record?format=sgf"), None).text();
    assert!(!sgf.contains("RE["), "{sgf}");
    let sgf = running.owner("GET", &format!("/api/games/{id}/record?format=sgf&analysis=en"), None).text();
    assert!(!sgf.contains("RE["), "{sgf}");
    let record = running.owner("GET", &format!("/api/games/{id}/record"), None).text();
    assert!(!record.contains("\"result\""), "{record}");
    page.say(&json!({"type": "resign", "v": state["v"], "cid": "r", "seat": 0}));
    let over = page.wait_state("the end", |s| s["phase"] == "over");
    let outcome = &over["outcome"];
    assert_eq!((&outcome["result"], &outcome["how"], &outcome["by"]), (&json!("W+R"), &json!("resign"), &json!(0)));
    assert_eq!((&outcome["winners"], &outcome["returns"], &over["count"]), (&json!([1]), &json!([]), &json!(null)));
    // It is a record like any other, and the table is the same after a restart.
    let record = running.owner("GET", &format!("/api/games/{id}/record"), None);
    let read = kiebitz_core::record::Record::read(&record.body).expect("a record");
    let game = kiebitz_play::replay::replay(&read, None).expect("it replays");
    assert_eq!(game.result().as_deref(), Some("W+R"));
    let sgf = running.owner("GET", &format!("/api/games/{id}/record?format=sgf"), None).text();
    assert!(sgf.contains("RE[W+R]"), "{sgf}");
    running.stop();
    let running = Running::new(folder.path());
    let mut page = running.sit(id, &[&running.key.clone()]);
    let again = page.wait_type("state");
    assert_eq!((&again["outcome"], &again["moves"]), (&over["outcome"], &over["moves"]));
    running.stop();
}

#[test]
fn names_and_titles_hold_nothing_that_misleads() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let ada = "A\u{202e}d\u{2066}a\u{200f}\u{0}\u{feff}";
    let made = running.create(&json!({
        "game": "go", "title": "\u{202d}fi\u{2028}nal\u{e0041}",
        "seats": [{"kind": "here", "name": ada}, {"kind": "link"}],
    }));
    let id = made["id"].as_str().unwrap();
    let code = json!({"code": made["invites"][0]["code"], "name": "\u{2067}Bo \u{1f468}\u{200d}\u{1f469}\u{2069} "});
    assert_eq!(request(running.addr, "POST", "/api/join", None, Some(&code)).status, 200);
    let mut page = running.sit(id, &[&running.key.clone()]);
    assert_eq!(page.wait_type("welcome")["title"], "final");
    let state = page.wait_type("state");
    // The joiner of an emoji stays.
    assert_eq!((&state["seats"][0]["name"], &state["seats"][1]["name"]), (&json!("Ada"), &json!("Bo 👨\u{200d}👩")));
    let sgf = "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[A\u{202e}b]PW[\u{200e}C];B[ee])";
    let made = upload(running.addr, "/api/import?name=x%E2%80%AEy", &running.key, sgf.as_bytes());
    assert_eq!(made.status, 201, "{}", made.text());
    let mut page = running.sit(made.json()["id"].as_str().unwrap(), &[&running.key.clone()]);
    assert_eq!(page.wait_type("welcome")["title"], "xy");
    let state = page.wait_type("state");
    assert_eq!((&state["seats"][0]["name"], &state["seats"][1]["name"]), (&json!("Ab"), &json!("C")));
    running.stop();
}

#[test]
fn hints_come_in_steps_and_what_if_tells_the_loss() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&against("best:level=1", 9));
    let id = made["id"].as_str().unwrap();
    let mut page = running.sit(id, &[&running.key.clone()]);
    let state = page.wait_type("state");
    assert_eq!(state["hints"], true);
    page.say(&json!({"type": "hint", "v": state["v"], "id": 7}));
    let hint = page.wait("the hint", |m| m["type"] == "hint" && m["done"] == true);
    assert_eq!(hint["id"], 7);
    assert!(!hint["area"]["places"].as_array().unwrap().is_empty());
    let best = &hint["candidates"][0];
    assert!(best["reasons"].as_array().is_some_and(|r| !r.is_empty()), "{best}");
    assert_eq!(hint["details"]["ownership"].as_array().unwrap().len(), 81);
    page.say(&json!({"type": "what_if", "v": state["v"], "id": 8, "action": "a1"}));
    let answer = page.wait("the answer", |m| m["type"] == "what_if" && m["done"] == true);
    assert_eq!((&answer["action"], &answer["loss_in_points"]), (&json!("A1"), &json!(true)));
    assert!(answer["loss"]["mean"].as_f64().is_some());
    running.stop();
}

#[test]
fn a_review_runs_in_the_background_and_a_branch_goes_on_from_it() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let sgf = b"(;GM[1]FF[4]SZ[9]PB[A]PW[B]KM[7]RE[B+R];B[ee];W[cc];B[ai];W[gg];B[gc];W[cg])";
    let made = upload(running.addr, "/api/import?name=old", &running.key, sgf);
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/games/{id}/review");
    assert_eq!(running.owner("GET", &path, None).json()["status"], "none");
    running.owner("POST", &path, Some(&json!({})));
    let mut state = json!(null);
    for _ in 0..600 {
        state = running.owner("GET", &path, None).json();
        if state["pass"] == "complete" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(state["pass"], "complete", "{state}");
    assert_eq!(state["moves"].as_array().unwrap().len(), 6);
    assert_eq!(state["moves"][2]["action"], "A1");
    let positions = running.owner("GET", &format!("/api/games/{id}/positions"), None).json();
    assert_eq!(positions["positions"].as_array().unwrap().len(), 8);
    assert_eq!(positions["result"], "B+R");
    let annotated = running.owner("GET", &format!("/api/games/{id}/record?format=sgf&analysis=en"), None);
    assert!(annotated.text().contains("C["), "{}", annotated.text());
    let wish = json!({"step": 2, "actions": ["G3"]});
    let branch = running.owner("POST", &format!("/api/games/{id}/branch"), Some(&wish));
    assert_eq!(branch.status, 201, "{}", branch.text());
    let other = branch.json()["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&other, &[&running.key.clone()]);
    let state = page.wait_type("state");
    assert_eq!((&state["ply"], &state["turn"], &state["phase"]), (&json!(3), &json!(1), &json!("playing")));
    running.stop();
}

#[test]
fn games_are_listed_renamed_deleted_and_brought_back() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap();
    let path = format!("/api/games/{id}");
    let renamed = running.owner("PATCH", &path, Some(&json!({"title": "final"})));
    assert_eq!(renamed.status, 204, "{}", renamed.text());
    let list = running.owner("GET", "/api/games", None).json();
    assert_eq!((&list["games"][0]["title"], &list["games"][0]["yours"]), (&json!("final"), &json!([0, 1])));
    let token = made["tokens"][0]["token"].as_str().unwrap();
    let mine = request(running.addr, "POST", "/api/mine", None, Some(&json!({"tokens": [token]}))).json();
    assert_eq!(mine["games"][0]["id"], id);
    assert_eq!(running.owner("PATCH", &path, Some(&json!({"deleted": true}))).status, 204);
    assert_eq!(running.owner("GET", "/api/games", None).json()["games"], json!([]));
    assert_eq!(running.owner("GET", "/api/games?deleted=1", None).json()["games"][0]["id"], id);
    assert_eq!(running.owner("PATCH", &path, Some(&json!({"deleted": false}))).status, 204);
    let mut page = running.sit(id, &[token]);
    assert_eq!(page.wait_type("welcome")["title"], "final");
    let backup = running.owner("GET", "/api/backup", None);
    assert!(backup.body.starts_with(b"SQLite format 3\0"));
    running.stop();
}

#[test]
fn a_rematch_exchanges_the_colours() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&against("best:level=1", 9));
    let id = made["id"].as_str().unwrap();
    let mut page = running.sit(id, &[&running.key.clone()]);
    let state = page.wait_type("state");
    page.say(&json!({"type": "resign", "v": state["v"], "cid": "x"}));
    let over = page.wait_state("the end", |s| s["phase"] == "over");
    assert_eq!((&over["outcome"]["how"], &over["outcome"]["winners"]), (&json!("resign"), &json!([1])));
    // What is on the board does not count then.
    assert_eq!(over["outcome"]["returns"], json!([]));
    page.say(&json!({"type": "rematch"}));
    let other = page.wait_type("rematch");
    assert_eq!(other["tokens"][0]["seat"], 1);
    let mut page = running.sit(other["id"].as_str().unwrap(), &[other["tokens"][0]["token"].as_str().unwrap()]);
    // The computer is Black now and begins.
    page.wait_state("the computer's move", |s| s["ply"] == 1 && s["turn"] == 1);
    running.stop();
}

#[test]
fn a_clock_that_runs_out_loses_the_game() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let mut wish = hot_seat(9);
    wish["clock"] = json!({"kind": "absolute", "main_ms": 1000});
    let made = running.create(&wish);
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&running.key.clone()]);
    let state = page.wait_type("state");
    assert_eq!((&state["clock"]["left_ms"], &state["clock"]["running"]), (&json!([1000, 1000]), &json!(null)));
    assert_eq!(page.play(&state["v"], "E5")["type"], "ack");
    let over = page.wait_state("the end", |s| s["phase"] == "over");
    assert_eq!((&over["outcome"]["result"], &over["outcome"]["by"]), (&json!("B+T"), &json!(1)));
    assert_eq!(over["outcome"]["returns"], json!([]));
    running.stop();
}
