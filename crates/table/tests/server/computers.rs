//! F-16, F-17, F-18: computers that fail, that are too many, that are no longer wanted.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::{Folder, Running, config, times};
use kiebitz_table::limits::Limits;
use kiebitz_table::queue::{Control, Job, Place, Priority, Queue, QueueError, Turned};
use serde_json::json;

/// Waits for something that must happen soon.
fn soon(what: &str, happened: impl Fn() -> bool) {
    let until = Instant::now() + crate::support::PATIENCE;
    while !happened() {
        assert!(Instant::now() < until, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn job(priority: Priority, peer: Option<IpAddr>, work: impl FnMut(&Control) -> Turned + Send + 'static) -> Job {
    Job { priority, peer, wall: None, work: Box::new(work), panicked: Box::new(|| {}) }
}

/// Work that goes on until it is stopped.
fn endless(control: &Control) -> Turned {
    while !control.stop.load(Ordering::Relaxed) {
        std::hint::spin_loop();
    }
    if control.is_cancelled() { Turned::Done } else { Turned::More }
}

#[test]
fn a_live_move_goes_before_a_review_which_goes_on_later() {
    let queue = Queue::start(1, &Limits::default()).expect("threads");
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    let review = queue
        .submit(job(Priority::Review, None, move |control| {
            counted.fetch_add(1, Ordering::Relaxed);
            endless(control)
        }))
        .expect("a place");
    soon("the review runs", || matches!(review.place(), Place::Running(_)));
    let done = Arc::new(AtomicBool::new(false));
    let set = done.clone();
    let _moving = queue
        .submit(job(Priority::Move, None, move |_| {
            set.store(true, Ordering::Relaxed);
            Turned::Done
        }))
        .expect("a place");
    soon("the move", || done.load(Ordering::Relaxed));
    soon("the review again", || runs.load(Ordering::Relaxed) == 2);
    drop(review);
    soon("an idle queue", || queue.load() == (0, 0));
    queue.close();
}

#[test]
fn f_17_the_queue_is_bounded_for_others_and_fair_to_the_owner() {
    let limits = Limits::default();
    let queue = Queue::start(1, &limits).expect("threads");
    let blocker = queue.submit(job(Priority::Move, None, endless)).expect("a place");
    soon("it runs", || matches!(blocker.place(), Place::Running(_)));
    let address = |n: u8| IpAddr::from([10, 0, 0, n]);
    let mut tickets = Vec::new();
    let mut refused = Vec::new();
    for n in 0..100u8 {
        match queue.submit(job(Priority::Move, Some(address(n % 40)), endless)) {
            Ok(ticket) => tickets.push(ticket),
            Err(error) => refused.push(error),
        }
    }
    assert_eq!(tickets.len(), limits.queue);
    assert!(refused.iter().all(|e| matches!(e, QueueError::Full | QueueError::TooMany)));
    drop(tickets);
    let mut mine = Vec::new();
    for _ in 0..2 {
        mine.push(queue.submit(job(Priority::Hint, Some(address(1)), endless)).expect("two at once"));
    }
    let third = queue.submit(job(Priority::Hint, Some(address(1)), endless));
    assert_eq!(third.err(), Some(QueueError::TooMany));
    // The owner waits in order: a move before a hint.
    let hint = queue.submit(job(Priority::Hint, None, |_| Turned::Done)).expect("a place");
    let moving = queue.submit(job(Priority::Move, None, |_| Turned::Done)).expect("a place");
    assert_eq!((moving.place(), hint.place()), (Place::Waiting(0), Place::Waiting(3)));
    drop((mine, hint, moving, blocker));
    queue.close();
}

#[test]
fn f_17_computing_time_of_an_address_is_bounded() {
    let limits = Limits { computing_seconds: 0.02, ..Limits::default() };
    let queue = Queue::start(1, &limits).expect("threads");
    let address = Some(IpAddr::from([10, 0, 0, 1]));
    let work = |_: &Control| {
        std::thread::sleep(Duration::from_millis(60));
        Turned::Done
    };
    let first = queue.submit(job(Priority::Hint, address, work)).expect("a place");
    soon("it ends", || first.place() == Place::Gone);
    soon("the budget is used up", || {
        queue.submit(job(Priority::Hint, address, |_| Turned::Done)).err() == Some(QueueError::Budget)
    });
    queue.close();
}

#[test]
fn f_18_closed_tables_free_their_computer() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let key = running.key.clone();
    let queue = running.app().queue.clone();
    for _ in 0..times(200, 8) {
        let made = running.create(
            &json!({"game": "go", "seats": [{"kind": "computer", "player": "uct:time=60s"}, {"kind": "here"}]}),
        );
        let id = made["id"].as_str().unwrap();
        let mut page = running.sit(id, &[&key]);
        page.wait_type("state");
        soon("the computer thinks", || queue.load().1 == 1);
        let deleted = running.owner("PATCH", &format!("/api/games/{id}"), Some(&json!({"deleted": true})));
        assert_eq!(deleted.status, 204);
        let since = Instant::now();
        soon("the computer is free", || queue.load() == (0, 0));
        if times(1, 0) == 1 {
            assert!(since.elapsed() < Duration::from_millis(50), "{:?}", since.elapsed());
        }
        assert_eq!(page.wait_closed(), 4010);
    }
    running.stop();
}

#[test]
fn f_18_move_now_ends_the_thinking() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.limits.move_time = Duration::from_secs(3600);
    let running = Running::start(config);
    let made = running.create(&json!({"game": "go", "seats": [{"kind": "computer", "player": "uct:time=1h"}, {"kind": "here"}], "rules": {"size": 9}}));
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&running.key.clone()]);
    let state = page.wait_type("state");
    let thinking =
        page.wait("thinking", |m| m["type"] == "thinking" && m["queued"].is_null() && m["ms"].as_u64() > Some(0));
    assert_eq!(thinking["seat"], 0);
    page.say(&json!({"type": "move_now", "v": state["v"]}));
    page.wait_state("the move", |s| s["ply"] == 1);
    running.stop();
}

#[test]
fn f_16_a_computer_that_panics_does_not_stop_the_game() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.faults.computer_panic = Some(if times(1, 0) == 1 { 50 } else { 3 });
    let running = Running::start(config);
    let key = running.key.clone();
    let mut moves = 0;
    while moves < times(1000, 20) {
        let made = running.create(&json!({"game": "go", "rules": {"size": 5, "ruleset": "tromp-taylor"},
            "seats": [{"kind": "computer", "player": "uct:visits=10"}, {"kind": "computer", "player": "uct:visits=10"}]}));
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
        let over = page.wait_state("the end", |s| s["phase"] == "over");
        moves += over["ply"].as_u64().unwrap() as usize;
    }
    let panics = running.app().queue.panics();
    assert!(panics > 0);
    assert!(running.owner("GET", "/metrics", None).text().contains(&format!("kiebitz_panics_total {panics}\n")));
    running.stop();
}

#[test]
fn f_17_people_are_answered_while_computers_are_busy() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let key = running.key.clone();
    let mut busy = Vec::new();
    for _ in 0..times(64, 6) {
        let made = running
            .create(&json!({"game": "go", "seats": [{"kind": "computer", "player": "uct:time=2s"}, {"kind": "here"}]}));
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
        page.wait_type("state");
        busy.push(page);
    }
    let queued = busy.last_mut().expect("a page").wait_type("thinking");
    assert!(queued["queued"].as_u64().is_some(), "{queued}");
    let made = running.create(&crate::support::hot_seat(9));
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
    let mut v = page.wait_type("state")["v"].clone();
    let mut times_taken = Vec::new();
    for (n, action) in ["C3", "G7", "G3", "C7", "E5", "E3", "E7", "C5", "G5", "D4"].iter().enumerate() {
        let since = Instant::now();
        let ack = page.play(&v, action);
        times_taken.push(since.elapsed());
        assert_eq!(ack["type"], "ack", "move {n}: {ack}");
        v = ack["v"].clone();
    }
    times_taken.sort_unstable();
    if times(1, 0) == 1 {
        assert!(times_taken[9] < Duration::from_millis(200), "{times_taken:?}");
    }
    running.stop();
}
