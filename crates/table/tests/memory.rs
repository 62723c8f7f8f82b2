//! F-19: the tree of a computer stays within its memory. Alone in its program, for it looks at the program's memory.
#![cfg(target_os = "linux")]

#[path = "server/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Folder, Peak, Running, config, resident, times};

/// Lets a computer with so many MiB for its tree think; the memory that was needed more than before, and the action.
fn think(running: &Running, mib: usize, seconds: usize) -> (usize, String) {
    let player = format!("uct:time={seconds}s,memory={mib},early=off");
    let made =
        running.create(&json!({"game": "go", "seats": [{"kind": "computer", "player": player}, {"kind": "here"}]}));
    let id = made["id"].as_str().expect("an id").to_owned();
    let before = resident();
    let peak = Peak::of_memory();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    // It may think for longer than other tests wait for anything.
    let until = Instant::now() + support::PATIENCE + Duration::from_secs(seconds as u64);
    let moved = |m: &Value| m["type"] == "state" && m["ply"] == 1;
    let state = loop {
        assert!(Instant::now() < until && page.closed.is_none(), "the computer does not move");
        if let Some(state) = page.next_within(Duration::from_secs(1)).filter(moved) {
            break state;
        }
    };
    let grown = peak.end().saturating_sub(before);
    let deleted = running.owner("PATCH", &format!("/api/games/{id}"), Some(&json!({"deleted": true})));
    assert_eq!(deleted.status, 204);
    page.wait_closed();
    (grown, state["moves"][0]["action"].as_str().expect("an action").to_owned())
}

#[test]
fn f_19_a_tree_stays_within_its_memory() {
    let (mib, seconds) = (16, times(60, 2));
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.limits.move_time = Duration::from_secs(120);
    let running = Running::start(config);
    // What the search needs besides its tree is there after the first.
    think(&running, 1, 1);
    let (grown, action) = think(&running, mib, seconds);
    println!(
        "F-19: {seconds} s of search with {mib} MiB for the tree: {:.1} MiB more resident memory, it played {action}",
        grown as f64 / 1048576.0
    );
    assert!(action != "pass" && !action.is_empty(), "{action}");
    // A tree without bound grows by more than that in the same time: else this test would find nothing.
    if times(1, 0) == 1 {
        assert!(grown <= (mib << 20) * 105 / 100, "{grown} bytes");
        let (unbound, _) = think(&running, 512, 20);
        assert!(unbound > (mib << 20) * 2, "{unbound} bytes");
    }
    running.stop();
}
