//! Places at a table: spectators have theirs, players and the owner have others.

use crate::support::{Folder, Page, Running, config, connect_from, request};
use serde_json::{Value, json};

/// A table of Ada, who made it, and Bo, who was invited: its id, their tokens and the spectators' code.
pub struct Made {
    pub id: String,
    pub ada: String,
    pub bo: String,
    pub watch: String,
}

pub fn made(running: &Running) -> Made {
    let wish = json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "link"}], "rules": {"size": 5}});
    let made = running.create(&wish);
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let code = json!({"code": made["invites"][0]["code"]});
    let joined = request(running.addr, "POST", "/api/join", None, Some(&code)).json();
    Made {
        id: text(&made["id"]),
        ada: text(&made["tokens"][0]["token"]),
        bo: text(&joined["token"]["token"]),
        watch: text(&made["watch"]),
    }
}

/// Pages with these tokens from an address until one is refused.
fn fill(running: &Running, from: [u8; 4], id: &str, token: &str) -> Vec<Page> {
    let mut pages = Vec::new();
    for _ in 0..200 {
        let mut page = Page::open_on(running.addr, connect_from(running, from, None), id, &[token]);
        let answer = page.wait_or_closed();
        if answer.is_none() {
            assert_eq!(page.wait_closed(), 1013);
            return pages;
        }
        pages.push(page);
    }
    panic!("there is no bound");
}

#[test]
fn spectators_keep_nobody_from_the_own_seat() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.limits.spectators_per_address = 16;
    let running = Running::start(config);
    let Made { id, ada, bo, watch } = made(&running);
    let mut watching = Vec::new();
    for last in 2..8 {
        let pages = fill(&running, [127, 0, 0, last], &id, &watch);
        assert!(pages.len() <= 16, "{} spectators from one address", pages.len());
        watching.extend(pages);
    }
    assert_eq!(watching.len(), 64, "all the places of spectators");
    for token in [&ada, &bo, &running.key] {
        running.sit(&id, &[token]).wait_type("state");
    }
    running.stop();
}

#[test]
fn one_player_does_not_keep_the_other_out() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Made { id, ada, bo, watch } = made(&running);
    let pages = fill(&running, [127, 0, 0, 2], &id, &bo);
    assert!(pages.len() > 2, "a player has several pages");
    for token in [&ada, &watch, &running.key] {
        running.sit(&id, &[token]).wait_type("state");
    }
    // Owners are bounded too, and leave the others their places.
    let _pages = fill(&running, [127, 0, 0, 1], &id, &running.key);
    running.sit(&id, &[&ada]).wait_type("state");
    running.stop();
}

#[test]
fn new_links_end_what_the_old_ones_opened() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Made { id, ada, bo, watch } = made(&running);
    let mut pages = [&ada, &bo, &watch, &running.key].map(|token| running.sit(&id, &[token]));
    let states = pages.each_mut().map(|page| page.wait_type("state"));
    let links = |body: &Value| {
        let answer = request(running.addr, "POST", &format!("/api/games/{id}/links"), Some(&ada), Some(body));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    // Only the spectators' link is new: Bo has taken the seat and keeps it.
    let watch = links(&json!({}))["watch"].as_str().expect("a code").to_owned();
    assert_eq!(pages[2].wait_closed(), 4001);
    assert_eq!(pages[0].play(&states[0]["v"], "C3")["type"], "ack");
    let state = pages[1].wait_state("the move", |s| s["ply"] == 1);
    let told = |page: &Page| page.frames.iter().any(|frame| frame.contains("C3"));
    assert!(!told(&pages[2]), "an old spectator saw the move");
    let mut watching = running.sit(&id, &[&watch]);
    watching.wait_type("state");
    // Now the seat too.
    links(&json!({"taken": true}));
    assert_eq!((pages[1].wait_closed(), watching.wait_closed()), (4001, 4001));
    for old in [&bo, &watch] {
        let mut page = running.sit(&id, &[old]);
        page.wait_type("error");
        assert_eq!(page.wait_closed(), 4004);
    }
    for page in [0, 3] {
        pages[page].wait_state("the free seat", |s| s["v"] == state["v"] && s["seats"][1]["taken"] == false);
    }
    running.stop();
}
