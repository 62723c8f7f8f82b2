//! F-06: the time of day jumps; the players' clocks do not care.

use std::sync::atomic::Ordering;

use crate::support::{Folder, Running, config, hot_seat};
use serde_json::json;

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
