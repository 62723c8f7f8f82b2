//! Acceptance line 3: two seats and a spectator play a game to its end, and every frame to each is looked at. A planted leak is
//! found.

use crate::support::{Folder, Page, Running, config, request};
use serde_json::{Value, json};

/// A finding in the frames of a page.
fn faults(page: &Page, seats: &[u64], secrets: &[(&str, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    for frame in &page.frames {
        let message: Value = serde_json::from_str(frame).expect("JSON");
        let over = message["phase"] == "over";
        for (what, secret) in secrets {
            // The seed is told at the end.
            if frame.contains(secret.as_str()) && !(over && *what == "seed") {
                faults.push(format!("{what} in {}", &frame[..frame.len().min(200)]));
            }
        }
        let mine = message["turn"].as_u64().is_some_and(|turn| seats.contains(&turn));
        if !mine && message["legal"].as_array().is_some_and(|l| !l.is_empty()) {
            faults.push("legal actions of another seat".to_owned());
        }
        let inner = message["view"].to_string();
        if !over && (inner.contains("legal") || inner.contains("leak")) {
            faults.push("legal actions inside the view".to_owned());
        }
        if matches!(message["type"].as_str(), Some("hint" | "what_if"))
            && !seats.contains(&message["seat"].as_u64().unwrap_or(99))
        {
            faults.push("advice for another seat".to_owned());
        }
        if frame.contains("candidates") && seats.is_empty() {
            faults.push("candidates for a spectator".to_owned());
        }
        if message["type"] == "thinking" {
            let keys: Vec<&String> = message.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["type", "seat", "ms", "queued"]);
        }
    }
    faults
}

struct Table {
    running: Running,
    pages: Vec<(Page, Vec<u64>)>,
    secrets: Vec<(&'static str, String)>,
}

fn table(folder: &Folder, game: &str, rules: &Value, leak: bool) -> Table {
    let mut config = config(folder.path());
    config.faults.leak = leak;
    let running = Running::start(config);
    let wish = json!({"game": game, "seats": [{"kind": "here"}, {"kind": "link"}], "rules": rules, "hints": true});
    let made = running.create(&wish);
    let id = made["id"].as_str().unwrap().to_owned();
    let code = made["invites"][0]["code"].as_str().unwrap().to_owned();
    let joined = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": code}))).json();
    let mine = made["tokens"][0]["token"].as_str().unwrap().to_owned();
    let theirs = joined["token"]["token"].as_str().unwrap().to_owned();
    let watch = made["watch"].as_str().unwrap().to_owned();
    let mut pages = Vec::new();
    for (token, seats) in [(&mine, vec![0]), (&theirs, vec![1]), (&watch, vec![])] {
        let mut page = running.sit(&id, &[token]);
        page.wait_type("welcome");
        pages.push((page, seats));
    }
    let seed = running.runtime.block_on(async { running.app().load(&id).await.expect("a game").create.seed.clone() });
    let secrets = vec![
        ("token", mine),
        ("token", theirs),
        ("token", watch),
        ("token", running.key.clone()),
        ("invitation", code),
        ("seed", seed),
    ];
    Table { running, pages, secrets }
}

/// Plays legal actions by a fixed rule until the game is over.
fn play_out(table: &mut Table, choose: impl Fn(&Value, usize) -> String) {
    let mut v = 0;
    for step in 0.. {
        let mut state = json!(null);
        for (page, _) in &mut table.pages {
            state = page.wait_state("the state", |s| s["v"].as_u64() >= Some(v));
        }
        if state["phase"] != "playing" {
            break;
        }
        let turn = state["turn"].as_u64().expect("a turn");
        let (page, _) = table.pages.iter_mut().find(|(_, seats)| seats.contains(&turn)).expect("a page");
        page.say(&json!({"type": "hint", "v": state["v"], "id": step}));
        let mine: Value = page
            .frames
            .iter()
            .rev()
            .filter_map(|f| serde_json::from_str(f).ok())
            .find(|m: &Value| m["type"] == "state")
            .unwrap();
        let action = choose(&mine["legal"], step);
        let ack = page.play(&state["v"], &action);
        assert_eq!(ack["type"], "ack", "{ack}");
        v = ack["v"].as_u64().unwrap();
    }
}

fn all_faults(table: &mut Table) -> Vec<String> {
    for (page, _) in &mut table.pages {
        while page.next_within(std::time::Duration::from_millis(300)).is_some() {}
    }
    table.pages.iter().flat_map(|(page, seats)| faults(page, seats, &table.secrets)).collect()
}

fn any(legal: &Value, step: usize) -> String {
    let legal = legal.as_array().expect("legal actions");
    legal[(step * 7 + 3) % legal.len()].as_str().unwrap().to_owned()
}

#[test]
fn no_frame_of_a_go_game_tells_too_much() {
    let folder = Folder::new();
    let mut table = table(&folder, "go", &json!({"size": 5}), false);
    play_out(&mut table, |legal, step| if step < 12 { any(legal, step) } else { "pass".to_owned() });
    // Both seats accept.
    let states: Vec<Value> = table
        .pages
        .iter_mut()
        .map(|(page, _)| page.state("the proposal", |s| s["scoring"]["pending"] == false))
        .collect();
    for (page, _) in &mut table.pages[..2] {
        page.say(&json!({"type": "accept_score", "v": states[0]["v"], "dead": states[0]["scoring"]["dead"]}));
    }
    for (page, _) in &mut table.pages {
        page.wait_state("the end", |s| s["phase"] == "over");
    }
    assert_eq!(all_faults(&mut table), Vec::<String>::new());
    table.running.stop();
}

#[test]
fn no_frame_of_a_game_with_hidden_cards_tells_too_much() {
    let folder = Folder::new();
    let mut table = table(&folder, "kuhn", &json!({}), false);
    // Before the first move: the cards of the other seat are in nobody's frames, and the moves of chance neither.
    for (page, seats) in &mut table.pages {
        let state = page.wait_type("state");
        assert_eq!(state["moves"], json!([]), "{state}");
        let mine = page.frames.join("\n");
        let game = table
            .running
            .runtime
            .block_on(async { table.running.app().load(state_id(&mine).as_str()).await.expect("a game") });
        for seat in 0..2u8 {
            let seen = game.game.view(kiebitz_core::Observer::Seat(seat)).to_string();
            let public = game.game.view(kiebitz_core::Observer::Public).to_string();
            assert_ne!(seen, public, "a seat sees its card");
            let shown = state["view"].to_string();
            assert_eq!(shown == seen, seats.contains(&u64::from(seat)), "seat {seat}");
        }
    }
    let mut v = None;
    for step in 0..4 {
        let mut last = json!(null);
        for (page, _) in &mut table.pages {
            page.say(&json!({"type": "ping", "n": step}));
            page.wait_type("pong");
            last = page
                .frames
                .iter()
                .rev()
                .filter_map(|f| serde_json::from_str(f).ok())
                .find(|m: &Value| m["type"] == "state")
                .unwrap();
        }
        let _ = v.replace(last["v"].clone());
        if last["phase"] != "playing" {
            break;
        }
        let turn = last["turn"].as_u64().unwrap();
        let (page, _) = table.pages.iter_mut().find(|(_, seats)| seats.contains(&turn)).unwrap();
        let mine: Value = page
            .frames
            .iter()
            .rev()
            .filter_map(|f| serde_json::from_str(f).ok())
            .find(|m: &Value| m["type"] == "state")
            .unwrap();
        let action = any(&mine["legal"], step as usize);
        assert_eq!(page.play(&last["v"], &action)["type"], "ack");
        page.wait_state("the next state", |s| s["v"].as_u64() > last["v"].as_u64());
    }
    assert_eq!(all_faults(&mut table), Vec::<String>::new());
    table.running.stop();
}

/// The id of the game in the frames of a page.
fn state_id(frames: &str) -> String {
    let first = frames.lines().next().expect("a frame");
    let welcome: Value = serde_json::from_str(first).expect("JSON");
    welcome["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_planted_leak_is_found() {
    let folder = Folder::new();
    let mut table = table(&folder, "go", &json!({"size": 5}), true);
    for (page, _) in &mut table.pages {
        page.wait_type("state");
    }
    let faults = all_faults(&mut table);
    for what in ["seed in", "legal actions inside the view"] {
        assert!(faults.iter().any(|f| f.starts_with(what)), "{what}: {faults:?}");
    }
    table.running.stop();
}
