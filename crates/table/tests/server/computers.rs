//! F-16, F-17, F-18: computers that fail, that are too many, that are no longer wanted.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::{Folder, Running, config, request, times};
use kiebitz_table::limits::Limits;
use kiebitz_table::queue::{Control, Job, Place, Priority, Queue, QueueError, Turned};
use serde_json::{Value, json};

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

/// What a computer is busy with when its table is closed.
#[derive(Clone, Copy, Debug)]
enum Busy {
    Searching,
    /// It looks which stones are dead.
    Judging,
    /// It gives a hint.
    Advising,
}

/// A late position on 19x19 with much to judge, White to move.
fn late_position() -> Value {
    let mut numbers = crate::support::Numbers::new(18);
    let (mut black, mut white) = (Vec::new(), Vec::new());
    for (x, column) in "ABCDEFGHJKLMNOPQRST".chars().enumerate() {
        for row in 1..=19 {
            // A point of three is left open, so that all stones have liberties.
            match numbers.below(2) {
                _ if (x + row) % 3 == 0 => {}
                0 => black.push(format!("{column}{row}")),
                _ => white.push(format!("{column}{row}")),
            }
        }
    }
    json!({"black": black, "white": white, "to_move": "white"})
}

/// Closes a table whose computer is busy; how long the computer was not free after that was acknowledged.
fn close_while(running: &Running, busy: Busy, late: &Value) -> Duration {
    let key = running.key.clone();
    let queue = &running.app().queue;
    let computer = json!({"kind": "computer", "player": "uct:time=60s"});
    let mut wish = json!({"game": "go", "seats": [computer, {"kind": "here"}]});
    match busy {
        Busy::Searching => {}
        Busy::Judging => wish["setup"] = late.clone(),
        Busy::Advising => wish["seats"][0] = json!({"kind": "here"}),
    }
    let made = running.create(&wish);
    let id = made["id"].as_str().unwrap();
    let mut page = running.sit(id, &[&key]);
    let state = page.wait_type("state");
    match busy {
        Busy::Searching => {}
        Busy::Judging => assert_eq!(page.play(&state["v"], "pass")["type"], "ack"),
        Busy::Advising => page.say(&json!({"type": "hint", "v": state["v"], "id": 1})),
    }
    soon("the computer is busy", || queue.load().1 == 1);
    let deleted = running.owner("PATCH", &format!("/api/games/{id}"), Some(&json!({"deleted": true})));
    assert_eq!(deleted.status, 204);
    let since = Instant::now();
    soon("the computer is free", || queue.load() == (0, 0));
    let taken = since.elapsed();
    assert_eq!(page.wait_closed(), 4010);
    taken
}

#[test]
fn f_18_closed_tables_free_their_computer() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.limits.hint_time = Duration::from_secs(60);
    let running = Running::start(config);
    let late = late_position();
    let all = [Busy::Searching, Busy::Judging, Busy::Advising];
    let rounds = |n: usize| {
        let close = |i: usize| (close_while(&running, all[i % 3], &late), all[i % 3]);
        (0..n).map(close).collect::<Vec<_>>()
    };
    // The first rounds pay for what is made once.
    rounds(times(30, 3));
    #[cfg(target_os = "linux")]
    let (threads, memory) = (crate::support::threads(), crate::support::resident());
    let beside = crate::support::Beside::start();
    let mut taken = rounds(times(200, 6));
    let [echo] = beside.end([99]);
    taken.sort_unstable_by_key(|(time, _)| *time);
    let (last, busy) = taken[taken.len() - 1];
    #[cfg(target_os = "linux")]
    {
        let computers = |names: &[String]| names.iter().filter(|n| n.starts_with("computer")).count();
        // A thread that was joined can be listed for a moment yet.
        let patience = Instant::now() + Duration::from_secs(2);
        while computers(&crate::support::threads()) > computers(&threads) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(10));
        }
        let (threads_after, memory_after) = (crate::support::threads(), crate::support::resident());
        println!(
            "F-18: {} tables closed: computer free within {:.0} ms ({busy:?}; {:.1} ms for half of them; an echo beside {:.0} ms); threads {} before, {} after; \
             resident memory {} MiB before, {} MiB after",
            taken.len(),
            last.as_secs_f64() * 1000.0,
            taken[taken.len() / 2].0.as_secs_f64() * 1000.0,
            crate::support::ms(echo),
            threads.len(),
            threads_after.len(),
            memory >> 20,
            memory_after >> 20
        );
        // Other tests of this program run at the same time in the small set.
        if times(1, 0) == 1 {
            assert_eq!(computers(&threads), computers(&threads_after));
            // Threads for blocking work come and go with their use.
            assert!(threads_after.len() <= threads.len() + 4, "{threads_after:?}");
            assert!(memory_after <= memory + memory / 10, "{memory} bytes before, {memory_after} after");
        }
    }
    if times(1, 0) == 1 {
        assert!(
            last < Duration::from_millis(50) + echo,
            "{busy:?}: free after {last:?}, not 50 ms (and {echo:?} of an echo)"
        );
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
    for round in 0.. {
        if moves >= times(1000, 20) {
            break;
        }
        // Go takes its time.
        let (game, rules) = match round % 8 {
            0 => ("go", json!({"size": 4, "ruleset": "tromp-taylor"})),
            _ => ("tictactoe", json!({})),
        };
        let computer = json!({"kind": "computer", "player": "uct:visits=10"});
        let made = running.create(&json!({"game": game, "rules": rules, "seats": [computer, computer]}));
        let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
        // Patience is for a move, not for a game: one of Go has hundreds, and others may be at work on this machine.
        let mut state = page.wait_type("state");
        while state["phase"] != "over" {
            state = page.wait_state("the next move", |_| true);
            page.frames.clear();
        }
        moves += state["ply"].as_u64().unwrap() as usize;
    }
    let panics = running.app().queue.panics();
    println!("F-16: {moves} moves of computers, {panics} panics, every game came to its end");
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
    let made = running.create(&crate::support::hot_seat(19));
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
    let mut state = page.wait_type("state");
    let mut taken = Vec::new();
    let mut numbers = crate::support::Numbers::new(17);
    let beside = crate::support::Beside::start();
    for n in 0..times(300, 10) {
        let legal = state["legal"].as_array().expect("legal actions");
        let action = numbers.pick(&legal[..legal.len() - 1]).as_str().expect("text").to_owned();
        let since = Instant::now();
        let ack = page.play(&state["v"], &action);
        taken.push(since.elapsed());
        assert_eq!(ack["type"], "ack", "move {n}: {ack}");
        let v = ack["v"].as_u64();
        state = page.state("the next state", |s| s["v"].as_u64() >= v);
        page.frames.clear();
    }
    taken.sort_unstable();
    let [late, latest] = [95, 99].map(|part| crate::support::percentile(&taken, part));
    let [echo_late, echo_latest] = beside.end([95, 99]);
    let (waiting, _) = running.app().queue.load();
    println!(
        "F-17: {} moves of a person while {} computers move ({waiting} still wait at the end): 95 % within {:.1} ms, 99 % within {:.1} ms \
         (an echo beside {:.1} and {:.1} ms)",
        taken.len(),
        busy.len(),
        late.as_secs_f64() * 1000.0,
        latest.as_secs_f64() * 1000.0,
        crate::support::ms(echo_late),
        crate::support::ms(echo_latest)
    );
    if times(1, 0) == 1 {
        let fine = late < Duration::from_millis(50) + echo_late && latest < Duration::from_millis(200) + echo_latest;
        assert!(
            fine,
            "95 % within {late:?}, 99 % within {latest:?} (echoes {echo_late:?}, {echo_latest:?}), not 50 and 200 ms"
        );
    }
    drop(busy);
    running.stop();
}

#[test]
fn f_17_one_address_gets_its_share_and_no_more() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&crate::support::hot_seat(9));
    let path = format!("/api/games/{}/analyse", made["id"].as_str().unwrap());
    let token = made["tokens"][0]["token"].as_str().unwrap();
    let asks = times(100, 12);
    let threads: Vec<_> = (0..asks)
        .map(|_| {
            let (addr, path, token) = (running.addr, path.clone(), token.to_owned());
            std::thread::spawn(move || request(addr, "POST", &path, Some(&token), Some(&json!({"step": 0}))))
        })
        .collect();
    let queue = &running.app().queue;
    let mut most = 0;
    while threads.iter().any(|t| !t.is_finished()) {
        let (waiting, run) = queue.load();
        most = most.max(waiting + run);
        std::thread::sleep(Duration::from_millis(1));
    }
    let (mut fine, mut refused) = (0, 0);
    for answer in threads.into_iter().map(|t| t.join().expect("no panic")) {
        match answer.status {
            200 => fine += 1,
            429 => {
                refused += 1;
                assert_eq!(answer.json()["code"], "busy.address");
                assert!(answer.header("retry-after").is_some_and(|s| s.parse::<u32>().is_ok()), "{}", answer.head);
            }
            other => panic!("{other}: {}", answer.text()),
        }
    }
    println!(
        "F-17: {asks} looks at once from one address: {fine} done, {refused} refused, at most {most} in the queue"
    );
    assert!(fine >= 1 && refused >= 1 && most <= 2, "{fine} done, {refused} refused, {most} at once");
    running.stop();
}

#[test]
fn f_17_rooms_of_many_addresses_wait_in_a_bounded_queue() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.limits.queue = times(32, 4);
    let (bound, rooms) = (config.limits.queue, times(64, 8));
    let running = Running::start(config);
    let mut pages = Vec::new();
    for n in 0..rooms {
        let player = json!({"kind": "computer", "player": "uct:time=100ms"});
        let made = running.create(&json!({"game": "go", "rules": {"size": 9}, "seats": [{"kind": "here"}, player]}));
        let stream = crate::support::connect_from(&running, [127, 0, 1, n as u8 + 1], None);
        let token = made["tokens"][0]["token"].as_str().unwrap().to_owned();
        let mut page = crate::support::Page::open_on(running.addr, stream, made["id"].as_str().unwrap(), &[&token]);
        let state = page.wait_type("state");
        pages.push((page, state));
    }
    let since = Instant::now();
    let mut most = 0;
    let queue = &running.app().queue;
    for (page, state) in &mut pages {
        assert_eq!(page.play(&state["v"], "E5")["type"], "ack");
        most = most.max(queue.load().0);
    }
    // Who found the queue full is not forgotten.
    for (page, _) in &mut pages {
        page.wait_state("the computer's move", |s| s["ply"] == 2);
        most = most.max(queue.load().0);
    }
    println!(
        "F-17: {rooms} rooms of as many addresses ask for a move at once: at most {most} wait (bound {bound}), all have it after {:.1} s",
        since.elapsed().as_secs_f64()
    );
    assert!(most <= bound, "{most} waited");
    running.stop();
}
