//! What somebody may not know, no refusal tells either: two games that differ only in hidden cards give each other seat and each
//! spectator the same answers to everything that can be asked.

use crate::support::{Folder, Page, Running, request};
use serde_json::{Value, json};

/// A game of three persons, as each of them and a spectator sees it.
struct World {
    id: String,
    /// The tokens of the seats, and of the spectator last.
    tokens: Vec<String>,
    pages: Vec<Page>,
    turn: usize,
    legal: Vec<String>,
}

fn newest(page: &Page) -> Value {
    let states = page.frames.iter().rev().filter_map(|f| serde_json::from_str::<Value>(f).ok());
    states.into_iter().find(|m| m["type"] == "state").expect("a state")
}

fn world(running: &Running, hints: bool) -> World {
    let link = json!({"kind": "link"});
    let made = running.create(&json!({"game": "paodekuai", "seats": [link, link, link], "hints": hints}));
    let id = made["id"].as_str().expect("an id").to_owned();
    let mut tokens = Vec::new();
    for invite in made["invites"].as_array().expect("invitations") {
        let joined = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": invite["code"]}))).json();
        tokens.push(joined["token"]["token"].as_str().expect("a token").to_owned());
    }
    tokens.push(made["watch"].as_str().expect("a token").to_owned());
    let mut pages: Vec<Page> = tokens.iter().map(|token| running.sit(&id, &[token])).collect();
    for page in &mut pages {
        page.wait_type("state");
    }
    let mut world = World { id, tokens, pages, turn: 0, legal: Vec::new() };
    world.look();
    world
}

impl World {
    /// Whose turn it is, and what it may do.
    fn look(&mut self) {
        self.turn = newest(&self.pages[0])["turn"].as_u64().expect("a turn") as usize;
        let legal = newest(&self.pages[self.turn])["legal"].clone();
        self.legal = serde_json::from_value(legal).expect("texts");
    }

    /// The answers to a message; states are looked at elsewhere, a seat's own cards are in them.
    fn answers(&mut self, who: usize, message: &Value) -> Vec<Value> {
        let page = &mut self.pages[who];
        let before = page.frames.len();
        page.say(message);
        page.say(&json!({"type": "ping", "n": before}));
        page.wait("the pong", |m| m["type"] == "pong" && m["n"] == before);
        let frames = page.frames[before..].iter().map(|f| serde_json::from_str::<Value>(f).expect("JSON"));
        frames
            .filter(|m| matches!(m["type"].as_str(), Some("error" | "ack" | "hint" | "what_if" | "rematch")))
            .collect()
    }

    fn asked(&self, running: &Running, who: usize, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
        let path = format!("/api/games/{}{path}", self.id);
        let answer = request(running.addr, method, &path, Some(&self.tokens[who]), body);
        (answer.status, answer.text().replace(&self.id, "ID"))
    }
}

/// Actions of every kind, and all that are possible in one of the worlds.
fn probes(worlds: &[World; 2]) -> Vec<String> {
    let mut probes: Vec<String> = ["pass", "deal ?", "leader 0", "S3", "33344", "345678", "KKKK", "", "?", "nonsense"]
        .into_iter()
        .map(str::to_owned)
        .collect();
    probes.extend("3456789TJQKA2".chars().flat_map(|rank| (1..=3).map(move |n| rank.to_string().repeat(n))));
    probes.extend(worlds.iter().flat_map(|world| world.legal.clone()));
    probes.sort_unstable();
    probes.dedup();
    probes
}

/// Asks everything in both worlds, by everybody who is not to move.
fn compare(running: &Running, worlds: &mut [World; 2], told: &mut usize) {
    assert_eq!(worlds[0].turn, worlds[1].turn);
    assert_ne!(worlds[0].legal, worlds[1].legal, "the hands differ");
    let turn = worlds[0].turn;
    let v = newest(&worlds[0].pages[0])["v"].clone();
    let probes = probes(worlds);
    for who in (0..4).filter(|&who| who != turn) {
        let mut messages = Vec::new();
        for (n, action) in probes.iter().enumerate() {
            messages.push(json!({"type": "what_if", "v": v, "id": n, "action": action}));
            for seat in [json!(null), json!(turn), json!(who)] {
                let mut play = json!({"type": "play", "v": v, "cid": format!("p{v}{n}{seat}"), "action": action});
                if !seat.is_null() {
                    play["seat"] = seat;
                }
                messages.push(play);
            }
        }
        for cid in ["undo", "redo", "resume_play"] {
            messages.push(json!({"type": cid, "v": v, "cid": format!("{cid}{v}")}));
        }
        for seat in 0..3 {
            messages.push(json!({"type": "look", "seat": seat}));
        }
        messages.extend([
            json!({"type": "resign", "v": v, "cid": format!("r{v}"), "seat": turn}),
            json!({"type": "undo", "v": v, "cid": format!("o{v}"), "seat": turn}),
            json!({"type": "hint", "v": v, "id": 1}),
            json!({"type": "stop", "id": 1}),
            json!({"type": "move_now", "v": v}),
            json!({"type": "toggle_dead", "v": v, "stone": "C3"}),
            json!({"type": "accept_score", "v": v, "dead": []}),
            json!({"type": "answer", "id": 99, "yes": true}),
            json!({"type": "ask_hints"}),
            json!({"type": "rematch"}),
        ]);
        for message in messages {
            let [one, other] = worlds.each_mut().map(|world| world.answers(who, &message));
            assert_eq!(one, other, "{who} says {message}");
            *told += one.len();
        }
        let some: Vec<&String> = probes.iter().step_by(7).collect();
        let mut requests = vec![
            ("GET", "/positions".to_owned(), None),
            ("GET", "/record?format=sgf".to_owned(), None),
            ("GET", "/review".to_owned(), None),
            ("POST", "/review".to_owned(), Some(json!({}))),
            ("POST", "/text".to_owned(), Some(json!({"what": "groups"}))),
        ];
        for action in some {
            for path in ["/branch", "/analyse"] {
                requests.push(("POST", path.to_owned(), Some(json!({"step": 1, "actions": [action]}))));
            }
        }
        // A seat's own cards are in these.
        if who == 3 {
            requests.push(("GET", "/record".to_owned(), None));
            requests.push(("POST", "/text".to_owned(), Some(json!({"what": "board"}))));
        }
        for (method, path, body) in requests {
            let [one, other] = worlds.each_ref().map(|world| world.asked(running, who, method, &path, body.as_ref()));
            assert_eq!(one, other, "{who} asks {method} {path} {body:?}");
        }
    }
}

#[test]
fn answers_do_not_depend_on_cards_that_the_asker_may_not_know() {
    let folder = Folder::new();
    let mut config = crate::support::config(folder.path());
    config.limits.games_per_address = 100_000;
    // Thousands of questions by each.
    config.limits.message_burst = 1_000_000;
    let running = Running::start(config);
    for hints in [false, true] {
        // Of four games of three seats two begin with the same seat.
        let mut begun: Vec<World> = Vec::new();
        let mut worlds = loop {
            let new = world(&running, hints);
            match begun.iter().position(|old| old.turn == new.turn && old.legal != new.legal) {
                Some(at) => break [begun.swap_remove(at), new],
                None => begun.push(new),
            }
        };
        let mut told = 0;
        compare(&running, &mut worlds, &mut told);
        // The same play in both, which is all that anybody else sees.
        let turn = worlds[0].turn;
        let same =
            worlds[0].legal.iter().find(|action| worlds[1].legal.contains(action)).expect("the card led").clone();
        for world in &mut worlds {
            let v = newest(&world.pages[turn])["v"].clone();
            assert_eq!(world.pages[turn].play(&v, &same)["type"], "ack");
            for page in &mut world.pages {
                page.state("the play", |s| s["v"] != v);
            }
            world.look();
        }
        if worlds[0].legal != worlds[1].legal {
            compare(&running, &mut worlds, &mut told);
        }
        assert!(told > 500, "{told} answers");
    }
    running.stop();
}
