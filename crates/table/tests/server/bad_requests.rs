//! F-09 and F-10: requests and frames that are none.

use std::io::Write;
use std::time::Duration;

use crate::support::{Folder, Numbers, Page, Running, hot_seat, mutate, raw, request, times};
use serde_json::{Value, json};
use tungstenite::Message;

#[test]
fn f_09_malformed_requests() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap();
    let host = running.addr;
    let head = format!(
        "Host: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n",
        running.key
    );
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for path in [
        "/",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/lib/../../Cargo.toml",
        "/index.html%00.js",
        "/api/games/../../x",
        "/.git/config",
        "/types.d.ts",
        "/\\..\\..\\x",
        "/api/nothing",
        "/healthz/",
    ] {
        seeds.push(format!("GET {path} HTTP/1.1\r\n{head}\r\n").into_bytes());
    }
    let body = hot_seat(9).to_string();
    for path in
        ["/api/games", "/api/mine", "/api/join", &format!("/api/games/{id}/branch"), &format!("/api/games/{id}/review")]
    {
        let text = format!(
            "POST {path} HTTP/1.1\r\n{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        seeds.push(text.into_bytes());
        let chunked = format!(
            "POST {path} HTTP/1.1\r\n{head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
            body.len()
        );
        seeds.push(chunked.into_bytes());
    }
    seeds.push(format!("GET /{} HTTP/1.1\r\n{head}\r\n", "a".repeat(20_000)).into_bytes());
    seeds.push(format!("GET / HTTP/1.1\r\n{head}{}\r\n", "X: y\r\n".repeat(80)).into_bytes());
    seeds.push(format!("DELETE / HTTP/1.1\r\n{head}\r\n").into_bytes());
    seeds.push(b"\0\x01\x02\r\n\r\n".to_vec());
    let mut numbers = Numbers::new(9);
    let look = |answer: crate::support::Answer, bytes: &[u8]| {
        let what = String::from_utf8_lossy(bytes).chars().take(300).collect::<String>();
        assert!(answer.status < 500 || answer.status == 503, "{} for {what}", answer.status);
        let body = answer.text();
        assert!(!body.contains("root:") && !body.contains("[package]"), "a file outside: {what}");
    };
    for seed in &seeds {
        look(raw(host, seed).unwrap_or_else(|| panic!("no answer to {}", String::from_utf8_lossy(seed))), seed);
    }
    let unknown =
        |path: &str| raw(host, format!("GET {path} HTTP/1.1\r\n{head}\r\n").as_bytes()).expect("an answer").status;
    assert_eq!((unknown("/nothing.js"), unknown("/api/nothing"), unknown("/types.d.ts")), (404, 404, 404));
    for _ in 0..times(10_000, 400) {
        let pick = numbers.below(seeds.len());
        let mut bytes = mutate(&seeds[pick], &mut numbers);
        // So that the server does not wait for the rest.
        bytes.extend_from_slice(b"\r\n\r\n");
        let Ok(mut stream) = std::net::TcpStream::connect(host) else { panic!("the server is gone") };
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.set_read_timeout(Some(Duration::from_secs(20)));
        let mut answer = Vec::new();
        let _ = std::io::Read::read_to_end(&mut stream, &mut answer);
        if let Some(answer) = crate::support::parse(&answer) {
            look(answer, &bytes);
        }
    }
    println!(
        "F-09: {} malformed requests, no panic, no status of 500 but 503, no file from outside",
        seeds.len() + times(10_000, 400)
    );
    assert_eq!(running.owner("GET", "/healthz", None).status, 200);
    let metrics = running.owner("GET", "/metrics", None).text();
    assert!(metrics.contains("kiebitz_panics_total 0\n"), "{metrics}");
    assert_eq!(metrics.matches("# TYPE").count(), 10);
    assert_eq!(request(host, "GET", "/metrics", None, None).status, 401);
    running.stop();
}

#[test]
fn bodies_and_imports_are_bounded() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let long = json!({"tokens": ["x".repeat(70_000)]});
    let refused = running.owner("POST", "/api/mine", Some(&long));
    assert_eq!((refused.status, &refused.json()["code"]), (413, &json!("body.too_large")));
    let refused = crate::support::upload(running.addr, "/api/import", &running.key, &vec![b' '; (1 << 20) + 1]);
    assert_eq!(refused.status, 413);
    let refused = crate::support::upload(running.addr, "/api/import", &running.key, b"hello");
    assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("load.unknown_format")));
    running.stop();
}

#[test]
fn f_10_malformed_frames() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let other = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap();
    let key = running.key.clone();
    let mut bystander = running.sit(other["id"].as_str().unwrap(), &[&key]);
    let quiet = bystander.wait_type("state");
    let seeds: Vec<Value> = vec![
        json!({"type": "play", "v": 0, "cid": "a", "action": "D4"}),
        json!({"type": "undo", "v": 0, "cid": "b"}),
        json!({"type": "redo", "v": 0, "cid": "b"}),
        json!({"type": "resign", "v": 99, "cid": "c", "seat": 1}),
        json!({"type": "toggle_dead", "v": 0, "stone": "D4"}),
        json!({"type": "accept_score", "v": 0, "dead": ["A1"]}),
        json!({"type": "answer", "id": 1, "yes": true}),
        json!({"type": "look", "seat": 7}),
        json!({"type": "what_if", "v": 0, "id": 1, "action": "Z99"}),
        json!({"type": "ping", "n": 4_294_967_295u32}),
        json!({"type": "hello", "game": id, "tokens": []}),
        json!({"type": "rematch"}),
    ];
    let mut numbers = Numbers::new(10);
    let mut page = running.sit(id, &[&key]);
    page.wait_type("state");
    // Whoever says nothing for long is taken for gone.
    let alive = |bystander: &mut Page, n: usize| {
        bystander.say(&json!({"type": "ping", "n": n}));
        bystander.wait("pong", |m| m["type"] == "pong" && m["n"] == n);
    };
    for n in 0..times(20_000, 600) {
        if n % 50 == 0 {
            alive(&mut bystander, n);
        }
        let seed = numbers.pick(&seeds).to_string();
        let text = String::from_utf8_lossy(&mutate(seed.as_bytes(), &mut numbers)).into_owned();
        if page.closed.is_some() || page.socket.send(Message::Text(text.into())).is_err() {
            page = running.sit(id, &[&key]);
        }
        while page.next_within(Duration::ZERO).is_some() {}
    }
    drop(page);
    alive(&mut bystander, 1);
    // Each breach has its code.
    let closes = |frame: Message, expected: u16| {
        let mut page = running.sit(id, &[&key]);
        page.wait_type("state");
        let _ = page.socket.send(frame);
        assert_eq!(page.wait_closed(), expected);
    };
    closes(Message::Text("x".repeat(8 * 1024 + 1).into()), 1009);
    closes(Message::Binary(vec![1, 2, 3].into()), 1003);
    let unmasked = |bytes: &[u8], expected: u16| {
        let mut page = running.sit(id, &[&key]);
        page.wait_type("state");
        page.socket.get_mut().write_all(bytes).expect("bytes are sent");
        assert_eq!(page.wait_closed(), expected);
    };
    unmasked(b"\x81\x01x", 1002);
    unmasked(b"\xf1\x80\0\0\0\0", 1002);
    unmasked(b"\x81\x82\0\0\0\0\xff\xfe", 1007);
    alive(&mut bystander, 2);
    // No hello, or none that opens anything.
    let mut stranger = Page::silent(running.addr);
    stranger.say(&json!({"type": "ping", "n": 1}));
    assert_eq!(stranger.wait_closed(), 4001);
    for (game, tokens) in [(id, vec![]), ("aaaaaaaaaaaa", vec![key.as_str()]), ("../../x", vec![key.as_str()])] {
        let mut stranger = running.sit(game, &tokens);
        assert_eq!(stranger.wait_closed(), 4004, "{game}");
    }
    println!(
        "F-10: {} mutated messages, six kinds of broken frames each with its close code, others not affected",
        times(20_000, 600)
    );
    // Nobody else noticed, and the table still plays.
    alive(&mut bystander, 7);
    let ack = bystander.play(&quiet["v"], "E5");
    assert_eq!(ack["type"], "ack", "{ack}");
    let mut page = running.sit(id, &[&key]);
    alive(&mut page, 8);
    assert!(running.owner("GET", "/metrics", None).text().contains("kiebitz_panics_total 0\n"));
    running.stop();
}

#[test]
fn f_10_floods_are_cut_off() {
    let folder = Folder::new();
    let mut config = crate::support::config(folder.path());
    config.limits.message_burst = 20;
    config.limits.messages_per_second = 5.0;
    let running = Running::start(config);
    let made = running.create(&hot_seat(9));
    let key = running.key.clone();
    for ping in [false, true] {
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
        page.wait_type("state");
        for n in 0..200 {
            let frame = if ping {
                Message::Ping(vec![1].into())
            } else {
                Message::Text(json!({"type": "ping", "n": n}).to_string().into())
            };
            if page.socket.send(frame).is_err() {
                break;
            }
        }
        assert_eq!(page.wait_closed(), 1008);
    }
    running.stop();
}

#[test]
fn games_that_do_not_exist_cannot_be_changed() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    for id in ["aaaaaaaaaaaa", "AAA"] {
        for wish in [json!({"title": "T"}), json!({"deleted": true}), json!({"deleted": false}), json!({})] {
            let answer = running.owner("PATCH", &format!("/api/games/{id}"), Some(&wish));
            assert_eq!((answer.status, &answer.text().contains("game.unknown")), (404, &true), "{id} {wish}");
        }
    }
    running.stop();
}

#[test]
fn a_change_that_is_refused_changes_nothing() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let path = format!("/api/games/{}", running.create(&hot_seat(5))["id"].as_str().unwrap());
    let change = |wish: &Value| running.owner("PATCH", &path, Some(wish)).status;
    let titles = |list: &str| {
        let games = running.owner("GET", list, None).json()["games"].as_array().expect("games").clone();
        games.iter().map(|game| game["title"].as_str().expect("a title").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(change(&json!({"title": "first"})), 204);
    let long = "x".repeat(41);
    assert_eq!(change(&json!({"deleted": true, "title": long})), 400);
    assert_eq!((titles("/api/games"), titles("/api/games?deleted=1")), (vec!["first".to_owned()], vec![]));
    assert_eq!(change(&json!({"deleted": true})), 204);
    assert_eq!(change(&json!({"deleted": false, "title": long})), 400);
    assert_eq!((titles("/api/games"), titles("/api/games?deleted=1")), (vec![], vec!["first".to_owned()]));
    assert_eq!(change(&json!({"deleted": false, "title": "second"})), 204);
    assert_eq!((titles("/api/games"), titles("/api/games?deleted=1")), (vec!["second".to_owned()], vec![]));
    running.stop();
}
