//! F-22 and acceptance line 5: many tables at once.

#[path = "server/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Folder, Numbers, Page, Running, hot_seat, request, times};

/// Plays one legal action for whoever is to move.
fn step(page: &mut Page, state: &mut Value, numbers: &mut Numbers) -> Duration {
    let legal = state["legal"].as_array().expect("legal actions");
    let action = numbers.pick(&legal[..legal.len() - 1]).as_str().unwrap_or("pass").to_owned();
    let since = Instant::now();
    let ack = page.play(&state["v"], &action);
    let taken = since.elapsed();
    assert_eq!(ack["type"], "ack", "{ack}");
    let v = ack["v"].as_u64();
    *state = page.wait_state("the next state", |s| s["v"].as_u64() >= v);
    page.frames.clear();
    taken
}

/// What is needed of a state to play on: with its moves as values, each page of this test would take as much memory as two tables.
fn small(state: &Value) -> Value {
    let legal = state["legal"].as_array().expect("legal actions");
    json!({"v": state["v"], "legal": [legal[0], legal[legal.len() / 2], "pass"]})
}

/// What a bot has seen.
#[derive(Debug, Default)]
struct Seen {
    games: usize,
    errors: Vec<Value>,
    taken: Vec<Duration>,
}

/// A game that a bot plays to its end, every seat of it or all but one for a computer.
fn play_to_the_end(
    running: &Addressed,
    game: &Value,
    numbers: &mut Numbers,
    computer: bool,
    pause: Duration,
    seen: &mut Seen,
) {
    let players = game["players_default"].as_u64().expect("a number");
    let seat = |n: u64| match computer && n == players - 1 {
        true => json!({"kind": "computer", "player": "best:level=1"}),
        false => json!({"kind": "here"}),
    };
    let mut wish = json!({"game": game["id"], "seats": (0..players).map(seat).collect::<Vec<_>>()});
    if game["id"] == "go" {
        wish["rules"] = json!({"size": times(9, 5)});
    }
    let made = request(running.addr, "POST", "/api/games", Some(&running.key), Some(&wish));
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let id = made["id"].as_str().expect("an id");
    let mut page = Page::open(running.addr, id, &[&running.key]);
    let mut state = page.wait_type("state");
    loop {
        let v = state["v"].as_u64();
        match state["phase"].as_str() {
            Some("over") => break,
            Some("scoring") if state["scoring"]["pending"] == false => {
                page.say(&json!({"type": "accept_score", "v": v, "dead": state["scoring"]["dead"]}));
                state = page.wait("the end", |m| m["type"] == "error" || m["phase"] == "over");
            }
            Some("playing") if state["curtain"] == true => {
                page.say(&json!({"type": "look", "seat": state["turn"]}));
                state = page.wait_state("the cards", |s| s["curtain"] == false);
            }
            Some("playing") if state["legal"].as_array().is_some_and(|l| !l.is_empty()) => {
                std::thread::sleep(pause);
                let legal = state["legal"].as_array().expect("legal actions");
                let ending = state["ply"].as_u64() > Some(times(60, 20) as u64) && legal.contains(&json!("pass"));
                let action =
                    if ending { "pass".to_owned() } else { numbers.pick(legal).as_str().expect("text").to_owned() };
                let since = Instant::now();
                let ack = page.play(&state["v"], &action);
                seen.taken.push(since.elapsed());
                if ack["type"] != "ack" {
                    seen.errors.push(ack);
                    break;
                }
                let v = ack["v"].as_u64();
                state = page.state("the next state", |s| s["v"].as_u64() >= v);
            }
            // A computer is to move, or looks at the stones.
            _ => state = another_state(&mut page),
        }
        if state["type"] == "error" {
            seen.errors.push(state);
            break;
        }
        page.frames.clear();
    }
    let deleted = request(
        running.addr,
        "PATCH",
        &format!("/api/games/{id}"),
        Some(&running.key),
        Some(&json!({"deleted": true})),
    );
    assert_eq!(deleted.status, 204, "{}", deleted.text());
    seen.games += 1;
}

/// The next state, however long a computer takes on a busy machine.
fn another_state(page: &mut Page) -> Value {
    let until = Instant::now() + 10 * support::PATIENCE;
    while Instant::now() < until && page.closed.is_none() {
        if let Some(state) = page.next_within(Duration::from_secs(1)).filter(|m| m["type"] == "state") {
            return state;
        }
    }
    panic!("another state did not come (closed: {:?})", page.closed);
}

/// Where the server is, for threads.
#[derive(Clone)]
struct Addressed {
    addr: std::net::SocketAddr,
    key: String,
}

/// How much a figure grows in a unit of time, by least squares.
fn slope(samples: &[(f64, f64)]) -> f64 {
    let n = samples.len() as f64;
    let (x, y) = (samples.iter().map(|s| s.0).sum::<f64>() / n, samples.iter().map(|s| s.1).sum::<f64>() / n);
    let up: f64 = samples.iter().map(|s| (s.0 - x) * (s.1 - y)).sum();
    up / samples.iter().map(|s| (s.0 - x).powi(2)).sum::<f64>()
}

#[test]
fn f_22_bots_over_sockets() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let info = request(running.addr, "GET", "/api/info", Some(&running.key), None).json();
    let games = info["games"].as_array().expect("games").clone();
    assert!(games.len() >= 5, "{games:?}");
    let full = times(1, 0) == 1;
    let (bots, seconds) = (times(50, 6), times(600, 2) as u64);
    let pause = Duration::from_millis(if full { 150 } else { 0 });
    let beside = support::Beside::start();
    let began = Instant::now();
    let until = began + Duration::from_secs(seconds);
    let threads: Vec<_> = (0..bots)
        .map(|n| {
            let (server, games) = (Addressed { addr: running.addr, key: running.key.clone() }, games.clone());
            std::thread::spawn(move || {
                let mut numbers = Numbers::new(n as u64 + 1);
                let mut seen = Seen::default();
                for round in 0.. {
                    let game = &games[(n + round) % games.len()];
                    play_to_the_end(&server, game, &mut numbers, (n + round / games.len()) % 10 == 0, pause, &mut seen);
                    if Instant::now() >= until {
                        break;
                    }
                }
                seen
            })
        })
        .collect();
    let mut memory = Vec::new();
    #[cfg(target_os = "linux")]
    while threads.iter().any(|t| !t.is_finished()) {
        memory.push((began.elapsed().as_secs_f64() / 60.0, support::resident() as f64 / 1048576.0));
        std::thread::sleep(Duration::from_millis(if full { 1000 } else { 100 }));
    }
    let (mut taken, mut played, mut errors) = (Vec::new(), 0, Vec::new());
    for seen in threads.into_iter().map(|t| t.join().expect("no panic")) {
        taken.extend(seen.taken);
        played += seen.games;
        errors.extend(seen.errors);
    }
    assert_eq!(errors, Vec::<Value>::new());
    let metrics = running.owner("GET", "/metrics", None).text();
    assert!(
        metrics.contains("kiebitz_panics_total 0\n") && metrics.contains("kiebitz_messages_refused_total 0\n"),
        "{metrics}"
    );
    taken.sort_unstable();
    let late = support::percentile(&taken, 99);
    let [echo] = beside.end([99]);
    // The first third warms up: threads, caches of statements, the allocator.
    memory.retain(|(minutes, _)| *minutes * 180.0 >= seconds as f64);
    let growth = if memory.len() > 2 { slope(&memory) } else { 0.0 };
    println!(
        "F-22: {bots} bots, {seconds} s, {} games: {played} played, {} moves, 99 % acknowledged within {:.1} ms (an echo beside {:.1} ms), \
         0 errors, resident memory grows by {growth:.2} MiB a minute",
        games.len(),
        taken.len(),
        support::ms(late),
        support::ms(echo)
    );
    if full {
        assert!(late < Duration::from_millis(100) + echo, "99 % within {late:?}, not 100 ms (and {echo:?} of an echo)");
        assert!(growth < 1.0, "{growth} MiB a minute");
    }
    running.stop();
}

/// Run by hand, alone: `KIEBITZ_FAULTS=full cargo test -p kiebitz-table --test soak load -- --nocapture`.
#[cfg(target_os = "linux")]
#[test]
fn load_of_many_large_tables() {
    let folder = Folder::new();
    let mut config = support::config(folder.path());
    // All of them stay in memory, however long this takes.
    config.limits.room_idle = Duration::from_secs(36_000);
    // So do their pages, which answer no ping while moves are played elsewhere.
    config.limits.ping_every = Duration::from_secs(36_000);
    let running = Running::start(config);
    let key = running.key.clone();
    let (tables, moves, live) = (times(200, 6), times(150, 20), times(50, 3));
    let mut numbers = Numbers::new(5);
    // The first table pays for what is made once.
    let first = running.create(&hot_seat(19));
    let mut page = running.sit(first["id"].as_str().unwrap(), &[&key]);
    let mut state = page.wait_type("state");
    for _ in 0..moves {
        step(&mut page, &mut state, &mut numbers);
    }
    let before = support::resident();
    let mut pages = Vec::new();
    for n in 0..tables {
        let made = running.create(&hot_seat(19));
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
        let mut state = page.wait_type("state");
        for _ in 0..moves {
            step(&mut page, &mut state, &mut numbers);
        }
        if n < live {
            page.frames = Vec::new();
            pages.push((page, small(&state)));
        }
    }
    let each = support::resident().saturating_sub(before) / tables;
    println!("Load: {} KiB of resident memory for each of {tables} tables of 19x19 with {moves} moves", each >> 10);
    if times(1, 0) == 1 {
        assert!(each < 64 << 10, "{each} bytes for each table");
    }
    assert_eq!(running.app().open_rooms(), tables + 1);
    let mut computers = Vec::new();
    for _ in 0..times(10, 2) {
        let made = running.create(&json!({"game": "go", "seats": [{"kind": "computer", "player": "best:level=5"}, {"kind": "computer", "player": "best:level=5"}]}));
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
        page.wait_type("state");
        computers.push(page);
    }
    let mut taken: Vec<Duration> = Vec::new();
    let beside = support::Beside::start();
    for _ in 0..times(4, 2) {
        for (page, state) in &mut pages {
            taken.push(step(page, state, &mut numbers));
        }
    }
    taken.sort_unstable();
    let late = support::percentile(&taken, 95);
    let [echo] = beside.end([95]);
    println!(
        "Load: {} moves of people while {} games of computers run: 95 % acknowledged within {:.1} ms (an echo beside {:.1} ms)",
        taken.len(),
        computers.len(),
        support::ms(late),
        support::ms(echo)
    );
    if times(1, 0) == 1 {
        assert!(late < Duration::from_millis(50) + echo, "95 % within {late:?}, not 50 ms (and {echo:?} of an echo)");
    }
    running.stop();
}
