//! F-20: peers that come and go. Alone in its program, for it counts the program's open files.
#![cfg(target_os = "linux")]

#[path = "server/support/mod.rs"]
mod support;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use support::{Folder, Running, hot_seat, request, times};

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("a list").count()
}

#[test]
fn f_20_coming_and_going() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let id = made["id"].as_str().unwrap().to_owned();
    let key = running.key.clone();
    let come_and_go = |times: usize| {
        let threads: Vec<_> = (0..8)
            .map(|t| {
                let (addr, id, key) = (running.addr, id.clone(), key.clone());
                std::thread::spawn(move || {
                    for i in 0..times / 8 {
                        match (t + i) % 3 {
                            0 => drop(TcpStream::connect(addr)),
                            1 => drop(request(addr, "GET", "/healthz", None, None)),
                            _ => {
                                let mut page = support::Page::open(addr, &id, &[&key]);
                                page.wait_type("state");
                            }
                        }
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().expect("no panic"));
    };
    come_and_go(24);
    let settle = |most: usize| {
        let until = Instant::now() + support::PATIENCE;
        while open_files() > most && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(50));
        }
        open_files()
    };
    std::thread::sleep(Duration::from_millis(1500));
    let full = times(1, 0) == 1;
    if full {
        // What the allocator takes for so many threads at once it keeps.
        come_and_go(1000);
        std::thread::sleep(Duration::from_millis(1500));
    }
    let (before, memory) = (open_files(), support::resident());
    come_and_go(times(5000, 240));
    let after = settle(before + 2);
    let memory_after = support::resident();
    println!(
        "F-20: {} connections: {before} open files before, {after} after; resident memory {:.1} MiB before, {:.1} MiB after",
        times(5000, 240),
        memory as f64 / 1048576.0,
        memory_after as f64 / 1048576.0
    );
    assert!(after <= before + 2, "{before} open files before, {after} after");
    if full {
        assert!(memory_after <= memory + memory / 20, "{memory} bytes before, {memory_after} after");
    }
    running.stop();
}
