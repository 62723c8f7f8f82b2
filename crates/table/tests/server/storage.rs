//! F-02, F-03, F-04 and F-05: what happens to the data file.

use std::path::Path;
use std::time::Duration;

use crate::support::{Folder, Numbers, Page, Running, config, hot_seat, times};
use kiebitz_table::store::Store;
use kiebitz_table::table::Table;
use serde_json::{Value, json};

/// Plays legal moves until something is refused or so many are played; the moves acknowledged and the last answer.
fn play(page: &mut Page, most: usize) -> (Vec<String>, Value) {
    let mut state = page.wait_type("state");
    let mut acknowledged = Vec::new();
    let mut answer = json!(null);
    for step in 0..most {
        let legal = state["legal"].as_array().expect("legal actions").clone();
        if legal.len() < 2 {
            break;
        }
        let action = legal[(step * 31 + 5) % (legal.len() - 1)].as_str().unwrap().to_owned();
        answer = page.play(&state["v"], &action);
        if answer["type"] != "ack" {
            break;
        }
        acknowledged.push(action);
        let v = answer["v"].as_u64();
        state = page.wait_state("the next state", |s| s["v"].as_u64() >= v);
    }
    (acknowledged, answer)
}

fn actions(state: &Value) -> Vec<String> {
    let moves = state["moves"].as_array().expect("moves");
    moves.iter().map(|m| m["action"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn f_04_a_full_disk_refuses_and_recovers() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(19));
    let id = made["id"].as_str().unwrap().to_owned();
    running.stop();
    let bytes = folder.path().join(kiebitz_table::store::FILE).metadata().expect("the file").len();
    let mut limited = config(folder.path());
    // Place for some moves more.
    limited.limits.data_pages = Some(bytes as u32 / 4096 + 3);
    let running = Running::start(limited);
    let key = running.key.clone();
    let mut page = running.sit(&id, &[&key]);
    let (acknowledged, answer) = play(&mut page, 5000);
    assert_eq!(answer["code"], "store.full", "{answer}");
    assert!(!acknowledged.is_empty());
    let mut again = running.sit(&id, &[&key]);
    assert_eq!(actions(&again.wait_type("state")), acknowledged, "nobody sees a move that is not stored");
    let refused = running.owner("POST", "/api/games", Some(&hot_seat(9)));
    assert_eq!((refused.status, &refused.json()["code"]), (507, &json!("store.full")));
    running.stop();
    // Space again.
    let running = Running::new(folder.path());
    let mut page = running.sit(&id, &[&key]);
    let state = page.wait_type("state");
    assert_eq!(actions(&state), acknowledged);
    let legal = state["legal"][0].as_str().unwrap().to_owned();
    assert_eq!(page.play(&state["v"], &legal)["type"], "ack");
    println!("F-04: refused with store.full after {} moves, none of them lost, goes on with space", acknowledged.len());
    running.stop();
}

#[test]
fn f_05_another_program_holds_the_file() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let mut state = page.wait_type("state");
    let file = folder.path().join(kiebitz_table::store::FILE);
    let mut longest = Duration::ZERO;
    for round in 0..times(20, 2) {
        let other = rusqlite::Connection::open(&file).expect("it opens");
        other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
        let holder = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(if times(1, 0) == 1 { 3000 } else { 700 }));
            other.execute_batch("ROLLBACK").expect("it lets go");
        });
        let action = state["legal"][round].as_str().unwrap().to_owned();
        let since = std::time::Instant::now();
        let ack = page.play(&state["v"], &action);
        longest = longest.max(since.elapsed());
        assert_eq!(ack["type"], "ack", "{ack}");
        holder.join().expect("no panic");
        state = page.wait_state("the next state", |s| s["v"] == ack["v"]);
    }
    println!(
        "F-05: {} locks held by another program, moves delayed by at most {:.1} s",
        times(20, 2),
        longest.as_secs_f64()
    );
    if times(1, 0) == 1 {
        assert!(longest <= Duration::from_secs(5), "{longest:?}");
    }
    running.stop();
}

/// A data folder with one game of some moves; the game's id and its moves.
fn played(folder: &Folder, moves: usize) -> (String, Vec<String>) {
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let (acknowledged, _) = play(&mut page, moves);
    running.stop();
    (id, acknowledged)
}

/// Opens a store and replays a game; the moves, or why not.
fn replayed(folder: &Path, id: &str) -> Result<Vec<String>, String> {
    let store = Store::open(folder, None).map_err(|e| e.to_string())?;
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let result = runtime.block_on(store.load(id.to_owned()));
    let stored = result.map_err(|e| e.to_string())?;
    let table = Table::replay(id, stored).map_err(|e| e.to_string())?;
    runtime.block_on(store.close());
    Ok(table.moves().into_iter().map(|m| m.action).collect())
}

#[test]
fn f_02_a_truncated_journal_gives_a_prefix() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let (acknowledged, _) = play(&mut page, 12);
    // A copy of the files as a crash would leave them.
    let name = kiebitz_table::store::FILE;
    let database = std::fs::read(folder.path().join(name)).expect("the file");
    let journal = std::fs::read(folder.path().join(format!("{name}-wal"))).expect("the journal");
    running.stop();
    let mut numbers = Numbers::new(2);
    let mut shorter = 0;
    for _ in 0..times(500, 40) {
        let copy = Folder::new();
        let cut = numbers.below(journal.len());
        std::fs::write(copy.path().join(name), &database).expect("a copy");
        std::fs::write(copy.path().join(format!("{name}-wal")), &journal[..cut]).expect("a copy");
        // Cut before the game was made, there is no such game; else a prefix of its moves.
        if let Ok(moves) = replayed(copy.path(), &id) {
            assert_eq!(moves, acknowledged[..moves.len()], "cut at {cut}");
            shorter += usize::from(moves.len() < acknowledged.len());
        }
    }
    println!(
        "F-02: {} cuts of the journal, {shorter} of them lost the last moves, none more than that",
        times(500, 40)
    );
    assert!(shorter > 0, "some cuts lost the last moves");
}

#[test]
fn f_03_flipped_bits_are_noticed() {
    let folder = Folder::new();
    let (id, acknowledged) = played(&folder, 30);
    let name = kiebitz_table::store::FILE;
    let database = std::fs::read(folder.path().join(name)).expect("the file");
    let mut numbers = Numbers::new(3);
    let (mut fine, mut noticed) = (0, 0);
    for _ in 0..times(1000, 60) {
        let copy = Folder::new();
        let mut flipped = database.clone();
        let bit = numbers.below(flipped.len() * 8);
        flipped[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(copy.path().join(name), &flipped).expect("a copy");
        match replayed(copy.path(), &id) {
            Ok(moves) => {
                assert_eq!(moves, acknowledged, "bit {bit}");
                fine += 1;
            }
            Err(_) => noticed += 1,
        }
    }
    println!("F-03: {} flipped bits: {noticed} noticed, {fine} without effect, no wrong state", fine + noticed);
    assert!(fine > 0 && noticed > 0, "{fine} harmless, {noticed} noticed");
}

#[test]
fn a_game_that_cannot_be_replayed_is_set_aside() {
    let folder = Folder::new();
    let (id, acknowledged) = played(&folder, 6);
    let file = folder.path().join(kiebitz_table::store::FILE);
    let other = rusqlite::Connection::open(&file).expect("it opens");
    other
        .execute("UPDATE events SET body = replace(body, '\"seat\":1', '\"seat\":0') WHERE seq = 4", [])
        .expect("a change");
    drop(other);
    let running = Running::new(folder.path());
    let key = running.key.clone();
    let good = running.create(&hot_seat(9));
    let mut page = running.sit(&id, &[&key]);
    let error = page.wait_type("error");
    assert_eq!((&error["code"], page.wait_closed()), (&json!("store.log"), 4004));
    let list = running.owner("GET", "/api/games", None).json();
    let row = list["games"].as_array().unwrap().iter().find(|g| g["id"] == id.as_str()).expect("it is listed").clone();
    assert!(row["broken"].as_str().is_some_and(|why| why.contains("event 4")), "{row}");
    // Others are not affected, and nothing is deleted.
    let mut page = running.sit(good["id"].as_str().unwrap(), &[&key]);
    page.wait_type("state");
    running.stop();
    let other = rusqlite::Connection::open(&file).expect("it opens");
    let events: u32 =
        other.query_row("SELECT count(*) FROM events WHERE game = ?1", [&id], |row| row.get(0)).expect("a count");
    assert_eq!(events as usize, acknowledged.len() + 1);
}

#[test]
fn older_files_are_brought_up_to_date_and_newer_ones_refused() {
    let folder = Folder::new();
    let (id, acknowledged) = played(&folder, 5);
    let file = folder.path().join(kiebitz_table::store::FILE);
    // As version 1 was: without reviews.
    let other = rusqlite::Connection::open(&file).expect("it opens");
    other.execute_batch("DROP TABLE rematches; DROP TABLE reviews; PRAGMA user_version = 1").expect("a change");
    drop(other);
    assert_eq!(replayed(folder.path(), &id), Ok(acknowledged));
    let other = rusqlite::Connection::open(&file).expect("it opens");
    let (version, reviews): (i64, i64) = other
        .query_row("SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM reviews)", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .expect("the table is there");
    assert_eq!((version, reviews), (3, 0));
    other.execute_batch("PRAGMA user_version = 99").expect("a change");
    drop(other);
    let refused = replayed(folder.path(), &id).expect_err("a newer version");
    assert!(refused.contains("newer version (99"), "{refused}");
}

#[test]
fn a_backup_is_a_data_file() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let (acknowledged, _) = play(&mut page, 4);
    let backup = running.owner("GET", "/api/backup", None);
    running.stop();
    let copy = Folder::new();
    std::fs::write(copy.path().join(kiebitz_table::store::FILE), &backup.body).expect("a copy");
    assert_eq!(replayed(copy.path(), &id), Ok(acknowledged));
}

#[test]
fn an_empty_data_file_is_no_new_beginning() {
    let folder = Folder::new();
    let (id, acknowledged) = played(&folder, 3);
    let file = folder.path().join(kiebitz_table::store::FILE);
    let bytes = std::fs::read(&file).expect("the file");
    std::fs::write(&file, b"").expect("a change");
    let refused = replayed(folder.path(), &id).expect_err("an empty file");
    assert!(refused.contains("0 bytes") && refused.contains("backup"), "{refused}");
    assert_eq!(file.metadata().expect("the file").len(), 0, "it is left as it is");
    // A database of somebody else is none of ours either, even without tables.
    std::fs::remove_file(&file).expect("it goes");
    let other = rusqlite::Connection::open(&file).expect("it opens");
    other.execute_batch("PRAGMA user_version = 7").expect("a change");
    drop(other);
    let refused = replayed(folder.path(), &id).expect_err("another database");
    assert!(refused.contains("another program"), "{refused}");
    // The backup in its place, as the message says.
    std::fs::write(&file, bytes).expect("a change");
    assert_eq!(replayed(folder.path(), &id), Ok(acknowledged));
    // What a start left that was killed while it made the file is no obstacle.
    let fresh = Folder::new();
    std::fs::write(fresh.path().join("kiebitz.part"), b"").expect("a file");
    Running::new(fresh.path()).stop();
}

#[test]
fn a_key_file_without_a_key_is_named_and_kept() {
    let start = |folder: &Folder| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let started = runtime.expect("a runtime").block_on(kiebitz_table::Server::start(config(folder.path())));
        started.map(|server| server.owner_key().to_owned()).map_err(|e| e.to_string())
    };
    for wrong in [&b""[..], b"short", b"a line that is no key at all", &[0xff, 0xfe, 0, 1]] {
        let folder = Folder::new();
        let file = folder.path().join("owner-key");
        std::fs::write(&file, wrong).expect("a file");
        let refused = start(&folder).expect_err("no key");
        let name = file.display().to_string();
        assert!(refused.contains(&name) && refused.contains("holds no key") && refused.contains("delete"), "{refused}");
        assert_eq!(std::fs::read(&file).expect("the file"), wrong, "it is kept");
        std::fs::remove_file(&file).expect("it goes");
        assert!(start(&folder).is_ok(), "as the message says");
    }
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("owner-key")).expect("a folder");
    let refused = start(&folder).expect_err("a folder");
    assert!(refused.contains("owner-key") && refused.contains("cannot be read"), "{refused}");
}
