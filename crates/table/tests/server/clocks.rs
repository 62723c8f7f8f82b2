//! The players' clocks: when they run, and what the time of day, taking back and restarts do to them (F-06).

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::support::{Folder, Running, config, hot_seat, request};
use serde_json::{Value, json};

#[test]
fn f_06_jumps_of_the_time_of_day() {
    let folder = Folder::new();
    let config = config(folder.path());
    let shift = config.faults.day_shift.clone();
    let running = Running::start(config);
    let mut wish = hot_seat(9);
    wish["clock"] = json!({"kind": "fischer", "main_ms": 600_000, "increment_ms": 1000});
    let made = running.create(&wish);
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let mut state = page.wait_type("state");
    for (hours, action) in [(0, "C3"), (1, "G7"), (-1, "G3"), (0, "C7"), (-1, "E5"), (1, "E7")] {
        shift.store(hours * 3_600_000, Ordering::Relaxed);
        let ack = page.play(&state["v"], action);
        assert_eq!(ack["type"], "ack", "{ack}");
        state = page.wait_state("the next state", |s| s["v"] == ack["v"]);
        assert_eq!(state["phase"], "playing");
        for (seat, left) in state["clock"]["left_ms"].as_array().unwrap().iter().enumerate() {
            let left = left.as_u64().expect("no negative time");
            // An increment for each of three moves at most, and no hour lost.
            assert!((400_000..=603_000).contains(&left), "seat {seat} has {left} after a jump of {hours} h");
        }
    }
    let left = state["clock"]["left_ms"].clone();
    running.stop();
    let running = Running::new(folder.path());
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let again = page.wait_type("state");
    // The time while nothing was served is nobody's.
    let (before, after) = (left[1].as_u64().unwrap(), again["clock"]["left_ms"][1].as_u64().unwrap());
    assert_eq!(before, after);
    assert_eq!(again["phase"], "playing");
    running.stop();
}

#[test]
fn the_clock_of_a_free_seat_stands_still() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running
        .create(&json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "link"}], "rules": {"size": 5},
        "clock": {"kind": "absolute", "main_ms": 2000}}));
    let id = made["id"].as_str().unwrap();
    let mut ada = running.sit(id, &[made["tokens"][0]["token"].as_str().unwrap()]);
    let state = ada.wait_type("state");
    assert_eq!(ada.play(&state["v"], "C3")["type"], "ack");
    let waiting = ada.state("the move", |s| s["ply"] == 1);
    assert_eq!(waiting["clock"]["running"], Value::Null);
    // Longer than the time that Bo is to have.
    std::thread::sleep(Duration::from_millis(2400));
    let code = json!({"code": made["invites"][0]["code"]});
    let joined = request(running.addr, "POST", "/api/join", None, Some(&code)).json();
    assert!(joined["token"]["token"].is_string(), "{joined}");
    let state = ada.wait_state("Bo at the table", |s| s["seats"][1]["taken"] == true);
    assert_eq!((&state["phase"], &state["clock"]["running"]), (&json!("playing"), &json!(1)));
    assert!(state["clock"]["left_ms"][1].as_u64() > Some(0), "{}", state["clock"]);
    // From now on it runs.
    let over = ada.state("the loss on time", |s| s["phase"] == "over");
    assert_eq!((&over["outcome"]["how"], &over["outcome"]["result"]), (&json!("timeout"), &json!("B+T")));
    running.stop();
}

#[test]
fn playing_and_taking_back_makes_no_time() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let mut wish = hot_seat(5);
    wish["clock"] = json!({"kind": "fischer", "main_ms": 100_000, "increment_ms": 60_000});
    let made = running.create(&wish);
    let id = made["id"].as_str().unwrap();
    let mut page = running.sit(id, &[&running.key]);
    let mut state = page.wait_type("state");
    let left = |state: &Value| [0, 1].map(|seat| state["clock"]["left_ms"][seat].as_u64().expect("a time"));
    for round in 0..4 {
        let ack = page.play(&state["v"], "C3");
        assert_eq!(ack["type"], "ack", "{ack}");
        let played = page.state("the move", |s| s["v"] == ack["v"]);
        assert!(left(&played)[0] > 100_000, "the increment of round {round}");
        // Seat 1 thinks for a while: that time stays used.
        std::thread::sleep(Duration::from_millis(100));
        for (kind, ply) in [("undo", 0), ("redo", 1), ("undo", 0)] {
            let v = page.state("a state", |_| true)["v"].clone();
            page.say(&json!({"type": kind, "v": v, "cid": format!("{kind}{v}")}));
            let state = page.state(kind, |s| s["v"].as_u64() > v.as_u64());
            assert_eq!(state["ply"], ply);
            let most = if ply == 0 { 100_000 } else { 160_000 };
            assert!(left(&state)[0] <= most && left(&state)[0] > most - 60_000, "{kind}: {}", state["clock"]);
        }
        state = page.state("the undo", |s| s["ply"] == 0);
        assert!(left(&state)[1] <= 100_000 - 100 * (round + 1), "time came back: {}", state["clock"]);
    }
    let before = left(&state);
    running.stop();
    // The log tells the same.
    let running = Running::new(folder.path());
    assert_eq!(left(&running.sit(id, &[&running.key]).wait_type("state")), before);
    running.stop();
}
