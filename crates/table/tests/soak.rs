//! F-22 and acceptance line 5: many tables at once.

#[path = "server/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Folder, Numbers, Page, Running, hot_seat, times};

/// Bytes of memory this process has resident.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("the system's figures");
    let pages: usize = text.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number");
    pages * 4096
}

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

#[test]
fn f_22_bots_over_sockets() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let key = running.key.clone();
    let seconds = times(600, 3) as u64;
    let threads: Vec<_> = (0..times(50, 8))
        .map(|n| {
            let made = running.create(&hot_seat(9));
            let (addr, key, id) = (running.addr, key.clone(), made["id"].as_str().unwrap().to_owned());
            std::thread::spawn(move || {
                let mut page = Page::open(addr, &id, &[&key]);
                let mut numbers = Numbers::new(n as u64 + 1);
                let mut state = page.wait_type("state");
                let mut slowest = Duration::ZERO;
                let until = Instant::now() + Duration::from_secs(seconds);
                let mut moves = 0;
                while Instant::now() < until
                    && state["legal"].as_array().is_some_and(|l| l.len() > 1)
                    && state["ply"].as_u64() < Some(300)
                {
                    slowest = slowest.max(step(&mut page, &mut state, &mut numbers));
                    moves += 1;
                }
                (moves, slowest)
            })
        })
        .collect();
    let results: Vec<_> = threads.into_iter().map(|t| t.join().expect("no panic")).collect();
    assert!(results.iter().all(|(moves, _)| *moves > 0), "{results:?}");
    let metrics = running.owner("GET", "/metrics", None).text();
    assert!(
        metrics.contains("kiebitz_panics_total 0\n") && metrics.contains("kiebitz_messages_refused_total 0\n"),
        "{metrics}"
    );
    running.stop();
}

/// Run by hand, alone: `KIEBITZ_FAULTS=full cargo test --release -p kiebitz-table --test soak load -- --nocapture`.
#[cfg(target_os = "linux")]
#[test]
fn load_of_many_large_tables() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
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
    let before = resident();
    let mut pages = Vec::new();
    for n in 0..tables {
        let made = running.create(&hot_seat(19));
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
        let mut state = page.wait_type("state");
        for _ in 0..moves {
            step(&mut page, &mut state, &mut numbers);
        }
        if n < live {
            pages.push((page, state));
        }
    }
    let each = resident().saturating_sub(before) / tables;
    println!("{} bytes for each of {tables} tables", each);
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
    for _ in 0..times(4, 2) {
        for (page, state) in &mut pages {
            taken.push(step(page, state, &mut numbers));
        }
    }
    taken.sort_unstable();
    let late = taken[(taken.len() * 95 / 100).min(taken.len() - 1)];
    println!("95th percentile of {} moves: {late:?}", taken.len());
    if times(1, 0) == 1 {
        assert!(late < Duration::from_millis(50), "{late:?}");
    }
    running.stop();
}
