//! F-14 and F-15: messages that come late, twice, out of turn or not at all.

use crate::support::{Folder, Numbers, Page, Running, request, times};
use serde_json::{Value, json};
use std::time::Duration;

/// A game of two persons; the pages of both, the first with seat 0.
fn two(running: &Running, game: &str, rules: &Value) -> (String, Page, Page) {
    let wish = json!({"game": game, "seats": [{"kind": "here"}, {"kind": "link"}], "rules": rules});
    let made = running.create(&wish);
    let id = made["id"].as_str().unwrap().to_owned();
    let code = made["invites"][0]["code"].as_str().unwrap();
    let joined = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": code}))).json();
    let theirs = joined["token"]["token"].as_str().unwrap().to_owned();
    let mut ada = running.sit(&id, &[made["tokens"][0]["token"].as_str().unwrap()]);
    let mut bo = running.sit(&id, &[&theirs]);
    ada.wait_type("welcome");
    bo.wait_type("welcome");
    (id, ada, bo)
}

/// The state as a page of the seat gets it when it asks again by sitting down anew.
fn key(running: &Running, id: &str) -> Value {
    running.runtime.block_on(async {
        let room = running.app().room(id).await.expect("a room");
        let table = room.snapshot().await.expect("a table");
        json!([table.v, table.game.facts(), table.moves_seen(None)])
    })
}

#[test]
fn f_14_messages_that_do_not_fit() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    for (game, rules) in [
        ("go", json!({"size": 9})),
        ("tictactoe", json!({})),
        ("countdown", json!({})),
        ("kuhn", json!({})),
        ("paodekuai", json!({})),
    ] {
        let (id, mut ada, mut bo) = two(&running, game, &rules);
        let state = ada.wait_type("state");
        let bo_state = bo.wait_type("state");
        let mine = if state["turn"] == 0 { &mut ada } else { &mut bo };
        let turn = state["turn"].as_u64().unwrap();
        let v = state["v"].as_u64().unwrap();
        let legal = if turn == 0 { &state["legal"] } else { &bo_state["legal"] };
        let action = legal[0].as_str().expect("a legal action").to_owned();
        let before = key(&running, &id);
        let refused = |page: &mut Page, message: Value, code: &str| {
            page.say(&message);
            let error = page.wait_type("error");
            assert_eq!(error["code"], code, "{game}: {message} gave {error}");
            assert_eq!(error["cid"], message.get("cid").cloned().unwrap_or(Value::Null), "{error}");
        };
        refused(mine, json!({"type": "play", "v": v + 1, "cid": "1", "action": action}), "stale");
        refused(mine, json!({"type": "play", "v": v, "cid": "", "action": action}), "cid");
        refused(
            mine,
            json!({"type": "play", "v": v, "cid": "2", "action": action, "seat": 1 - turn}),
            "seat.not_yours",
        );
        refused(mine, json!({"type": "play", "v": v, "cid": "3", "action": action, "seat": 9}), "seat.not_yours");
        refused(mine, json!({"type": "undo", "v": v, "cid": "4"}), "undo.nothing");
        refused(mine, json!({"type": "resume_play", "v": v, "cid": "5"}), "scoring.not");
        refused(mine, json!({"type": "answer", "id": 1, "yes": true}), "asked.gone");
        refused(mine, json!({"type": "rematch"}), "rematch.early");
        let nonsense = json!({"type": "play", "v": v, "cid": "6", "action": "no such action"});
        mine.say(&nonsense);
        assert_eq!(mine.wait_type("error")["cid"], "6");
        let other = if turn == 0 { &mut bo } else { &mut ada };
        refused(other, json!({"type": "play", "v": v, "cid": "7", "action": action}), "turn.other");
        other.say(&json!({"type": "hello", "game": id, "tokens": []}));
        assert_eq!(other.wait_type("error")["code"], "hello");
        assert_eq!(key(&running, &id), before, "{game}: nothing has changed");
        // A double submit is harmless.
        let mine = if turn == 0 { &mut ada } else { &mut bo };
        let play = json!({"type": "play", "v": v, "cid": "8", "action": action});
        mine.say(&play);
        let first = mine.wait_type("ack");
        let once = key(&running, &id);
        mine.say(&play);
        assert_eq!(mine.wait_type("ack"), first, "{game}");
        assert_eq!(key(&running, &id), once, "{game}");
        // The same name for something else is no double submit.
        for other in [
            json!({"type": "play", "v": v, "cid": "8", "action": "another action"}),
            json!({"type": "play", "v": v, "cid": "8", "action": action, "seat": 1 - turn}),
            json!({"type": "resign", "v": v, "cid": "8"}),
            json!({"type": "undo", "v": v, "cid": "8"}),
            json!({"type": "redo", "v": v, "cid": "8"}),
            json!({"type": "resume_play", "v": v, "cid": "8"}),
        ] {
            refused(mine, other, "cid.reused");
        }
        assert_eq!(key(&running, &id), once, "{game}");
        // A finished game takes no more.
        let v = first["v"].as_u64().unwrap();
        let page = &mut ada;
        if once[1]["terminal"] == false {
            page.say(&json!({"type": "resign", "v": v, "cid": "9", "seat": 0}));
            page.wait_type("ack");
        }
        let v = key(&running, &id)[0].as_u64().unwrap();
        refused(page, json!({"type": "play", "v": v, "cid": "10", "action": action}), "turn.over");
        refused(page, json!({"type": "resign", "v": v, "cid": "11"}), "turn.over");
    }
    running.stop();
}

#[test]
fn f_15_lost_repeated_and_reordered_messages() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let mut numbers = Numbers::new(15);
    for round in 0..times(500, 6) {
        let (id, ada, bo) = two(&running, "go", &json!({"size": 4, "ruleset": "tromp-taylor"}));
        let mut pages = [ada, bo];
        let mut late: Vec<(usize, Value)> = Vec::new();
        let mut states = [json!(null), json!(null)];
        for step in 0..400 {
            for (page, state) in pages.iter_mut().zip(&mut states) {
                while let Some(message) = page.next_within(Duration::from_millis(2)) {
                    if message["type"] == "state" {
                        *state = message;
                    }
                }
            }
            let known = states.iter().max_by_key(|s| s["v"].as_u64()).unwrap().clone();
            if known["phase"] == "over" {
                break;
            }
            let turn = known["turn"].as_u64().unwrap_or(0) as usize;
            let v = known["v"].as_u64().unwrap_or(0);
            let legal = states[turn]["legal"].as_array().cloned().unwrap_or_default();
            if legal.is_empty() {
                continue;
            }
            let action = if v > 30 { json!("pass") } else { numbers.pick(&legal).clone() };
            let message = json!({"type": "play", "v": v, "cid": format!("{round}-{step}"), "action": action});
            match numbers.below(10) {
                0 => {}
                1 => late.push((turn, message)),
                2 => {
                    pages[turn].say(&message);
                    pages[turn].say(&message);
                }
                _ => pages[turn].say(&message),
            }
            if numbers.below(4) == 0 && !late.is_empty() {
                let (who, message) = late.swap_remove(numbers.below(late.len()));
                pages[who].say(&message);
            }
        }
        // What both pages see is what the server has.
        let truth = key(&running, &id);
        for page in &mut pages {
            page.say(&json!({"type": "ping", "n": 1}));
            page.wait_type("pong");
            while page.next_within(Duration::from_millis(150)).is_some() {}
            let last = page
                .frames
                .iter()
                .rev()
                .filter_map(|f| serde_json::from_str(f).ok())
                .find(|m: &Value| m["type"] == "state")
                .unwrap();
            assert_eq!(last["v"], truth[0], "round {round}");
            assert_eq!(last["moves"], truth[2], "round {round}");
            assert_eq!(last["phase"], "over", "round {round}: {last}");
        }
    }
    println!(
        "F-15: {} games with lost, repeated and late messages, each over and seen alike by both pages",
        times(500, 6)
    );
    running.stop();
}
