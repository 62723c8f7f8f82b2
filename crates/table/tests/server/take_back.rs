//! What may not be taken back: what was hidden cannot be hidden again, and time that is gone does not come back.

use crate::support::{Folder, Page, Running, against, request};
use serde_json::{Value, json};

/// The newest state that a page was told.
fn newest(page: &Page) -> Value {
    let states = page.frames.iter().rev().filter_map(|f| serde_json::from_str::<Value>(f).ok());
    states.into_iter().find(|m| m["type"] == "state").expect("a state")
}

/// Asks for something; the answer is the `ack` or the `error`.
fn ask(page: &mut Page, kind: &str, cid: &str) -> Value {
    page.say(&json!({"type": kind, "v": newest(page)["v"], "cid": cid}));
    page.wait("an answer", |m| matches!(m["type"].as_str(), Some("ack" | "error")) && m["cid"] == cid)
}

/// Everything but a pass first, the longest play first: a deal ends soon.
fn longest(state: &Value) -> String {
    let legal = state["legal"].as_array().expect("legal actions").iter().filter_map(Value::as_str);
    legal.max_by_key(|play| if *play == "pass" { 0 } else { play.len() }).expect("an action").to_owned()
}

fn deals(state: &Value) -> usize {
    let moves = state["moves"].as_array().expect("moves").iter();
    moves.filter(|m| m["by"].is_null() && m["action"].as_str().is_some_and(|a| a.starts_with("deal"))).count()
}

#[test]
fn a_game_that_showed_its_cards_at_its_end_is_not_taken_back() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let computer = json!({"kind": "computer", "player": "random"});
    for (game, rules, seats) in [
        ("paodekuai", json!({"deals": 2}), json!([{"kind": "here"}, computer, computer])),
        ("paodekuai", json!({}), json!([{"kind": "here"}, computer, computer])),
        ("kuhn", json!({}), json!([{"kind": "here"}, computer])),
    ] {
        let made = running.create(&json!({"game": game, "rules": rules, "seats": seats}));
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&running.key]);
        let mine = page.wait_state("my turn", |s| s["turn"] == 0 || s["phase"] == "over");
        if mine["phase"] == "playing" {
            assert_eq!(page.play(&mine["v"], &longest(&mine))["type"], "ack");
            let mine = page.state("my turn", |s| (s["turn"] == 0 && s["v"] != mine["v"]) || s["phase"] == "over");
            if mine["phase"] == "playing" {
                assert_eq!(mine["can_undo"], true, "while the cards are hidden");
                assert_eq!(ask(&mut page, "resign", "r")["type"], "ack");
            }
        }
        let over = page.state("the end", |s| s["phase"] == "over");
        assert_eq!((&over["can_undo"], &over["can_redo"]), (&json!(false), &json!(false)), "{game}");
        assert!(over["outcome"]["seed"].is_string());
        assert_eq!(ask(&mut page, "undo", "u")["code"], "undo.shown", "{game}");
        assert_eq!(ask(&mut page, "redo", "d")["code"], "undo.shown", "{game}");
        assert_eq!(newest(&page)["phase"], "over");
    }
    running.stop();
}

/// Nor with the other's leave: nobody is even asked.
#[test]
fn a_deal_that_has_ended_is_not_taken_back_in_the_next() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let rules = json!({"preset": "duel16", "deals": 2});
    let seats = json!([{"kind": "here"}, {"kind": "link"}]);
    let made = running.create(&json!({"game": "paodekuai", "rules": rules, "seats": seats}));
    let id = made["id"].as_str().unwrap();
    let code = json!({"code": made["invites"][0]["code"]});
    let joined = request(running.addr, "POST", "/api/join", None, Some(&code)).json();
    let tokens = [made["tokens"][0]["token"].clone(), joined["token"]["token"].clone()];
    let mut pages = tokens.map(|token| running.sit(id, &[token.as_str().unwrap()]));
    let mut states = [pages[0].wait_type("state"), pages[1].wait_type("state")];
    let play = |pages: &mut [Page; 2], states: &mut [Value; 2]| {
        let turn = states[0]["turn"].as_u64().expect("a turn") as usize;
        let v = states[turn]["v"].clone();
        let ack = pages[turn].play(&v, &longest(&states[turn]));
        assert_eq!(ack["type"], "ack", "{ack}");
        for (page, state) in pages.iter_mut().zip(states) {
            *state = page.state("the play", |s| s["v"] == ack["v"]);
        }
        turn
    };
    while deals(&states[0]) < 2 {
        play(&mut pages, &mut states);
    }
    for (seat, page) in pages.iter_mut().enumerate() {
        assert_eq!(states[seat]["can_undo"], false);
        assert_eq!(ask(page, "undo", "u1")["code"], "undo.shown");
    }
    // In the new deal what was played in it may be taken back, by who played it.
    let turn = play(&mut pages, &mut states);
    assert_eq!((&states[turn]["can_undo"], &states[1 - turn]["can_undo"]), (&json!(true), &json!(false)));
    assert_eq!(ask(&mut pages[1 - turn], "undo", "u2")["code"], "undo.shown");
    let v = states[turn]["v"].clone();
    pages[turn].say(&json!({"type": "undo", "v": v, "cid": "u3"}));
    let asked = pages[1 - turn].wait_state("the question", |s| !s["asked"].is_null());
    pages[1 - turn].say(&json!({"type": "answer", "id": asked["asked"]["id"], "yes": true}));
    let back = pages[turn].wait_state("the undo", |s| s["v"].as_u64() > v.as_u64());
    assert_eq!((deals(&back), &back["can_undo"]), (2, &json!(false)));
    running.stop();
}

#[test]
fn a_loss_on_time_is_not_taken_back() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let mut wish = against("random", 5);
    wish["clock"] = json!({"kind": "absolute", "main_ms": 1000});
    let made = running.create(&wish);
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&running.key]);
    let state = page.wait_type("state");
    assert_eq!(page.play(&state["v"], "C3")["type"], "ack");
    let over = page.wait_state("the end", |s| s["phase"] == "over");
    assert_eq!((&over["outcome"]["how"], &over["can_undo"]), (&json!("timeout"), &json!(false)));
    assert_eq!(ask(&mut page, "undo", "u")["code"], "undo.time");
    // A resignation may be: it was no accident of the clock.
    wish["clock"]["main_ms"] = json!(60_000);
    let made = running.create(&wish);
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&running.key]);
    let state = page.wait_type("state");
    assert_eq!(page.play(&state["v"], "C3")["type"], "ack");
    page.state("my turn", |s| s["turn"] == 0 && s["ply"] == 2);
    assert_eq!(ask(&mut page, "resign", "r")["type"], "ack");
    assert_eq!(page.state("the end", |s| s["phase"] == "over")["can_undo"], true);
    running.stop();
}
