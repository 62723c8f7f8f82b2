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
    let made = running.create(&json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "link"}], "rules": {"size": 5},
        "clock": {"kind": "absolute", "main_ms": 1000}}));
    let id = made["id"].as_str().unwrap();
    let mut ada = running.sit(id, &[made["tokens"][0]["token"].as_str().unwrap()]);
    let state = ada.wait_type("state");
    assert_eq!(ada.play(&state["v"], "C3")["type"], "ack");
    let waiting = ada.state("the move", |s| s["ply"] == 1);
    assert_eq!(waiting["clock"]["running"], Value::Null);
    // Longer than the time that Bo is to have.
    std::thread::sleep(Duration::from_millis(1500));
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
