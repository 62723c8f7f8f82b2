//! Every refusal has a code and one plain sentence, whichever part of the server it comes from.

use std::time::Duration;

use crate::support::{Answer, Folder, Running, config, hot_seat, raw, request, upload};
use serde_json::{Value, json};

/// The code and the sentence of a refusal.
#[track_caller]
fn refused(answer: &Answer, status: u16) -> (String, String) {
    assert_eq!(answer.status, status, "{}\n{}", answer.head, answer.text());
    let kind = answer.header("content-type").unwrap_or_default();
    assert_eq!(kind, "application/json", "{}", answer.text());
    let body = answer.json();
    let text = |key: &str| body[key].as_str().unwrap_or_else(|| panic!("no {key}: {body}")).to_owned();
    (text("code"), text("message"))
}

#[test]
fn what_does_not_fit_is_named_and_nothing_unknown_is_taken() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap();
    let mut clock = hot_seat(9);
    clock["clock"] = json!({"kind": "none", "main_ms": 5});
    let mut hints = hot_seat(9);
    hints["hints"] = json!(-1);
    for (path, body, code, message) in [
        ("/api/games".to_owned(), clock, "json", "clock takes no field main_ms here"),
        ("/api/games".to_owned(), hints, "json", "hints must be true or false, not -1"),
        ("/api/games".to_owned(), json!(["go", [{"kind": "here"}]]), "json", "the body must be an object, not a list"),
        (format!("/api/games/{id}/review"), json!({"x": 1}), "json", "the body takes no field x here"),
        (
            format!("/api/games/{id}/branch"),
            json!({"step": -1}),
            "json",
            "step must be a whole number from 0 to 4294967295, not -1",
        ),
        ("/api/import?nam=x".to_owned(), json!({}), "query", "the query has no field nam; its fields are name"),
        ("/api/import?name=a&name=b".to_owned(), json!({}), "query", "the field name is given twice"),
    ] {
        let answer = running.owner("POST", &path, Some(&body));
        assert_eq!(refused(&answer, 400), (code.to_owned(), message.to_owned()), "{path}");
    }
    let list = running.owner("GET", "/api/games?deleted=yes", None);
    assert_eq!(refused(&list, 400).1, "deleted must be one of 0, 1, not yes");
    // On the WebSocket as well.
    let mut page = running.sit(id, &[&running.key]);
    page.wait_type("state");
    for (message, told) in [
        (
            json!({"type": "play", "v": -1, "cid": "a", "action": "C3"}),
            "v must be a whole number from 0 to 4294967295, not -1",
        ),
        (json!({"type": "rematch", "x": 1}), "the message takes no field x here"),
        (json!(["rematch"]), "the message must be an object, not a list"),
        (json!({"type": "play"}), "the field v is missing"),
    ] {
        page.say(&message);
        let error = page.wait_type("error");
        assert_eq!((&error["code"], &error["message"]), (&json!("message"), &json!(told)), "{message}");
    }
    running.stop();
}

#[test]
fn refusals_before_and_around_the_handlers_have_codes_too() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let addr = running.addr;
    for (method, path, status, code) in [
        ("DELETE", "/api/games", 405, "method"),
        ("GET", "/api/join", 405, "method"),
        ("POST", "/index.html", 405, "method"),
        ("GET", "/nothing.html", 404, "path"),
        ("GET", "/api/nothing", 404, "path"),
        ("GET", "/ws", 400, "upgrade"),
        ("GET", "/api/games/%ff/positions", 400, "request"),
    ] {
        let answer = request(addr, method, path, Some(&running.key), None);
        assert_eq!(refused(&answer, status).0, code, "{method} {path}");
        if status == 405 {
            assert!(answer.header("allow").is_some_and(|methods| !methods.is_empty()), "{}", answer.head);
        }
    }
    // What is no HTTP at all is refused before anything of ours has seen it.
    for line in ["GET /api/games?name=%00%0a<b> HTTP/1.1", "GET / HTTP/1.1\r\nX y: z", "\u{1}\u{2}"] {
        let answer = raw(addr, format!("{line}\r\nHost: {addr}\r\nConnection: close\r\n\r\n").as_bytes());
        assert_eq!(refused(&answer.expect("an answer"), 400).0, "http", "{line}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: {addr}\r\n{}\r\n", "X: y\r\n".repeat(500));
    assert_eq!(refused(&raw(addr, long.as_bytes()).expect("an answer"), 431).0, "http");
    running.stop();
}

#[test]
fn a_request_that_takes_too_long_is_told_so() {
    let folder = Folder::new();
    let mut slow = config(folder.path());
    slow.limits.request_time = Duration::from_millis(300);
    let running = Running::start(slow);
    let head =
        format!("POST /api/join HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nConnection: close\r\n", running.addr);
    let bytes = format!("{head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{{");
    assert_eq!(refused(&raw(running.addr, bytes.as_bytes()).expect("an answer"), 408).0, "timeout");
    running.stop();
}

/// The hand of one seat only is not enough to play on with.
#[test]
fn a_game_of_which_hands_are_not_known_is_refused() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let here = json!({"kind": "here"});
    let made = running.create(&json!({"game": "paodekuai", "seats": [here, here, here]}));
    let id = made["id"].as_str().unwrap();
    let mut page = running.sit(id, &[&running.key]);
    let v = page.wait_type("state")["v"].clone();
    page.say(&json!({"type": "resign", "v": v, "cid": "r", "seat": 0}));
    page.wait_state("the end", |s| s["phase"] == "over");
    let whole = running.owner("GET", &format!("/api/games/{id}/record"), None).text();
    let mut lines = whole.lines();
    let (header, deal) = (lines.next().expect("a header"), lines.next().expect("a deal"));
    let line: Value = serde_json::from_str(deal).expect("JSON");
    let hands = line["action"].as_str().expect("text").trim_start_matches("deal ").split('/').take(3);
    // Who has the three of spades leads with it.
    let seat = hands.clone().position(|hand| hand.contains("S3")).expect("somebody has it");
    let lead = json!({"by": seat, "action": "3"});
    let masked: Vec<&str> = hands.enumerate().map(|(of, hand)| if of == seat { hand } else { "?16" }).collect();
    let masked = json!({"by": "chance", "action": format!("deal {}", masked.join("/"))});
    let known = upload(running.addr, "/api/import", &running.key, format!("{header}\n{deal}\n{lead}\n").as_bytes());
    assert_eq!(known.status, 201, "{}", known.text());
    for text in [format!("{header}\n{masked}\n{lead}\n"), format!("{header}\n{masked}\n")] {
        let answer = upload(running.addr, "/api/import", &running.key, text.as_bytes());
        let (code, message) = refused(&answer, 422);
        assert_eq!(code, "hidden.hands", "{message}");
        assert!(message.starts_with("some hands of this game are not known"), "{message}");
    }
    running.stop();
}
