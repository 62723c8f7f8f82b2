//! How much memory a table holds, seen by the allocator: nothing here looks at a clock or at what the system gives. A test binary
//! of its own, for the allocator counts everything in it.

#[path = "server/support/mod.rs"]
mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use support::{Folder, Numbers, Page, Running, config, hot_seat, times, upload};

struct Counting;

thread_local! {
    /// The thread of a test, and so of the pages that it opens, which are not the server's.
    static OURS: Cell<bool> = const { Cell::new(false) };
}

static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Live blocks by their size in steps of 16 bytes: says what is large when there is too much.
static BLOCKS: [AtomicUsize; 4096] = [const { AtomicUsize::new(0) }; 4096];

/// What a block takes with the allocator's own head, as the GNU C library lays it out.
fn whole(size: usize) -> usize {
    (size + 8).next_multiple_of(16).max(32)
}

fn place(size: usize) -> usize {
    (whole(size) / 16).min(BLOCKS.len() - 1)
}

// SAFETY: everything is passed on to the system's allocator; only counters are added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !OURS.get() {
            LIVE.fetch_add(whole(layout.size()), Relaxed);
            BLOCKS[place(layout.size())].fetch_add(1, Relaxed);
        }
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if !OURS.get() {
            LIVE.fetch_sub(whole(layout.size()), Relaxed);
            BLOCKS[place(layout.size())].fetch_sub(1, Relaxed);
        }
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn blocks() -> Vec<usize> {
    BLOCKS.iter().map(|n| n.load(Relaxed)).collect()
}

/// What is live when nothing moves any more: tasks that have nothing left to do end within moments.
fn settled() -> usize {
    let mut last = (LIVE.load(Relaxed), 0);
    loop {
        std::thread::sleep(Duration::from_millis(20));
        let live = LIVE.load(Relaxed);
        last = if live == last.0 { (live, last.1 + 1) } else { (live, 0) };
        if last.1 == 10 {
            return live;
        }
    }
}

/// Plays so many moves at a new table and keeps the page, not what it was told.
fn play(running: &Running, numbers: &mut Numbers, moves: usize) -> Page {
    let made = running.create(&hot_seat(19));
    let mut page = running.sit(made["id"].as_str().expect("an id"), &[&running.key]);
    let mut state = page.wait_type("state");
    for _ in 0..moves {
        let legal = state["legal"].as_array().expect("legal actions");
        let action = numbers.pick(&legal[..legal.len() - 1]).as_str().expect("text").to_owned();
        let ack = page.play(&state["v"], &action);
        assert_eq!(ack["type"], "ack", "{ack}");
        state = page.state("the next state", |s| s["v"].as_u64() >= ack["v"].as_u64());
        page.frames = Vec::new();
    }
    page
}

/// The sizes of blocks that take most.
fn largest(before: &[usize], after: &[usize], tables: usize) -> String {
    let mut grown: Vec<(usize, usize)> = (0..before.len())
        .map(|place| (after[place].saturating_sub(before[place]), place * 16))
        .filter(|(blocks, _)| *blocks > 0)
        .collect();
    grown.sort_by_key(|(blocks, size)| std::cmp::Reverse(blocks * size));
    let tell = |(blocks, size): &(usize, usize)| format!("{:.1} x {size}", *blocks as f64 / tables as f64);
    grown.iter().take(24).map(tell).collect::<Vec<_>>().join(", ")
}

/// The counters are the program's: one test after the other.
static TURN: Mutex<()> = Mutex::new(());

/// The server, whose tables stay in memory while nobody is there.
fn start(folder: &Folder) -> Running {
    let mut config = config(folder.path());
    config.limits.room_idle = Duration::from_secs(3600);
    Running::start(config)
}

/// What each of so many tables takes; `make` makes one, and one page in four stays there.
fn bytes_of_each(what: &str, tables: usize, mut make: impl FnMut() -> Page) -> usize {
    OURS.set(true);
    // The first ones pay for what is made once.
    let mut pages = vec![make()];
    drop(make());
    let (before, blocks_before) = (settled(), blocks());
    for n in 0..tables {
        let page = make();
        if n % 4 == 0 {
            pages.push(page);
        }
    }
    let (after, blocks_after) = (settled(), blocks());
    let each = after.saturating_sub(before) / tables;
    println!(
        "{what}: {each} bytes for each of {tables} tables; most of it: {}",
        largest(&blocks_before, &blocks_after, tables)
    );
    each
}

/// A table may take 64 KiB of resident memory: what is above this is for what the allocator cannot use, and for SQLite.
const MOST: usize = 44 << 10;

#[test]
fn a_table_of_150_moves_is_small() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let running = start(&folder);
    let mut numbers = Numbers::new(19);
    let each = bytes_of_each("150 moves on 19x19", times(40, 4), || play(&running, &mut numbers, 150));
    assert!(each < MOST, "{each} bytes for a table");
    // Else the counter would count nothing: the board alone takes more.
    assert!(each > 4 << 10, "{each} bytes for a table");
    running.stop();
}

#[test]
fn a_table_of_an_imported_game_is_small() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let running = start(&folder);
    let mut numbers = Numbers::new(20);
    let played = play(&running, &mut numbers, 150);
    let sgf = {
        let list = running.owner("GET", "/api/games", None).json();
        let id = list["games"][0]["id"].as_str().expect("an id").to_owned();
        running.owner("GET", &format!("/api/games/{id}/record?format=sgf"), None).body
    };
    drop(played);
    let import = || {
        let answer = upload(running.addr, "/api/import", &running.key, &sgf);
        assert_eq!(answer.status, 201, "{}", answer.text());
        let mut page = running.sit(answer.json()["id"].as_str().expect("an id"), &[&running.key]);
        let state = page.wait_type("state");
        assert_eq!(state["ply"], 150);
        page.frames = Vec::new();
        page
    };
    let each = bytes_of_each("150 imported moves", times(40, 8), import);
    assert!(each < MOST, "{each} bytes for a table");
    running.stop();
}
