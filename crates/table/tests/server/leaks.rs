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
        // The view of some games tells the seat to move its own plays.
        let inner = message["view"].to_string();
        if !over && (inner.contains("legal") && !mine || inner.contains("leak")) {
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

/// Every text inside a value, keys included, with the way to it.
fn texts(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((path.to_owned(), text.clone())),
        Value::Array(list) => list.iter().for_each(|v| texts(v, path, found)),
        Value::Object(map) => {
            for (key, v) in map {
                found.push((path.to_owned(), key.clone()));
                texts(v, &format!("{path}.{key}"), found);
            }
        }
        _ => {}
    }
}

const RANKS: &str = "3456789TJQKA2";

/// Cards of others in the frames of a page, before the deal was over in which they were dealt.
fn card_faults(page: &Page, seats: &[u64], deals: &[Vec<Vec<String>>]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut deal = 0;
    for frame in &page.frames {
        let message: Value = serde_json::from_str(frame).expect("JSON");
        if message["phase"] == "over" {
            break;
        }
        let view = &message["view"];
        deal = view["deal"].as_u64().map_or(deal, |number| number as usize - 1);
        let mut found = Vec::new();
        for key in ["view", "moves", "legal", "candidates", "details", "area", "pv"] {
            texts(&message[key], &format!(".{key}"), &mut found);
        }
        for (other, hand) in deals[deal].iter().enumerate().filter(|(seat, _)| !seats.contains(&(*seat as u64))) {
            // The suits of another's cards are never told, not even of those that were played.
            let suited = |(_, text): &&(String, String)| {
                // Earlier deals of the match stand there too, so of a deal only the place of the other seat counts.
                let dealt = text.strip_prefix("deal ").map(|hands| hands.split('/').nth(other).unwrap_or_default());
                let place = dealt.unwrap_or(text);
                dealt.is_some_and(|dealt| !dealt.starts_with('?'))
                    || hand.iter().any(|card| place.contains(card.as_str()))
            };
            let suited = found.iter().find(suited);
            faults.extend(suited.map(|(path, text)| format!("a card of seat {other} in {path}: {text}")));
            let Some(played) = view["played"][other].as_str() else { continue };
            let mut rest: Vec<char> = hand.iter().filter_map(|card| card.chars().nth(1)).collect();
            for rank in played.chars() {
                rest.swap_remove(rest.iter().position(|&r| r == rank).expect("a card it held"));
            }
            rest.sort_by_key(|&rank| RANKS.find(rank));
            let rest: String = rest.into_iter().collect();
            // Somebody may hold the same cards in other suits: the place counts.
            let leaked = |(path, text): &(String, String)| *text == rest && path.starts_with(".view.leak");
            let told = !rest.is_empty() && (view["hands"][other] == *rest || found.iter().any(leaked));
            faults.extend(told.then(|| format!("the hand of seat {other} is told: {rest}")));
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
        let dealt = state["moves"][0]["action"].as_str().expect("the deal");
        let masked = match seats.as_slice() {
            [0] => dealt.starts_with("deal ") && dealt.ends_with(",?"),
            [1] => dealt.starts_with("deal ?,") && !dealt.ends_with('?'),
            _ => dealt == "?",
        };
        assert!(masked && state["moves"].as_array().is_some_and(|m| m.len() == 1), "{state}");
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

/// Plays a match of two deals and looks at every frame for another's cards.
fn card_game(leak: bool) -> Vec<String> {
    let folder = Folder::new();
    let mut table = table(&folder, "paodekuai", &json!({"preset": "duel16", "deals": 2}), leak);
    let longest = |legal: &Value, _: usize| {
        let plays = legal.as_array().expect("legal actions").iter().filter_map(Value::as_str);
        plays.max_by_key(|play| if *play == "pass" { 0 } else { play.len() }).expect("an action").to_owned()
    };
    play_out(&mut table, longest);
    let end = table.pages[0].0.state("the end", |s| s["phase"] == "over");
    let moves = end["moves"].as_array().expect("moves").iter().filter(|m| m["by"].is_null());
    let deals: Vec<Vec<Vec<String>>> = moves
        .map(|m| {
            let hands = m["action"].as_str().expect("a deal").trim_start_matches("deal ").split('/').take(2);
            let cards =
                |hand: &str| hand.as_bytes().chunks(2).map(|c| String::from_utf8_lossy(c).into_owned()).collect();
            hands.map(cards).collect()
        })
        .collect();
    assert_eq!(deals.len(), 2);
    let mut faults = if leak { Vec::new() } else { all_faults(&mut table) };
    faults.extend(table.pages.iter().flat_map(|(page, seats)| card_faults(page, seats, &deals)));
    // The sheet: what the first deal brought is told with the second, and is of sum zero.
    let second = end["moves"].as_array().expect("moves").iter().filter(|m| m["by"].is_null()).nth(1).expect("a deal");
    let totals: f64 = second["returns"].as_array().expect("returns").iter().filter_map(Value::as_f64).sum();
    assert_eq!(totals, 0.0);
    table.running.stop();
    faults
}

#[test]
fn no_frame_of_a_card_game_holds_anothers_cards_before_the_deal_ends() {
    assert_eq!(card_game(false), Vec::<String>::new());
}

#[test]
fn a_planted_leak_of_cards_is_found() {
    let faults = card_game(true);
    for what in ["the hand of seat 0", "the hand of seat 1"] {
        assert!(faults.iter().any(|f| f.starts_with(what)), "{what}: {faults:?}");
    }
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
