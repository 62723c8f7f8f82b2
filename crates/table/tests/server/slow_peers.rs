//! F-07 and F-08: peers that send slowly or read slowly.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::support::{Folder, Page, Running, config, connect_from, hot_seat, request, times};
use serde_json::json;

/// Opens silent, prefacing and dripping sockets; says how many the server has closed when the time is over, and
/// when it had closed the last one.
fn closed_within(addr: SocketAddr, sockets: usize, time: Duration) -> (usize, Duration) {
    let mut streams: Vec<(usize, TcpStream, bool)> = (0..sockets)
        .map(|i| {
            let stream = TcpStream::connect(addr).expect("a connection");
            stream.set_nonblocking(true).expect("an option");
            (i % 3, stream, false)
        })
        .collect();
    for (kind, stream, _) in &mut streams {
        if *kind == 1 {
            let _ = stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        }
    }
    let line = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: 1\r\n";
    let began = Instant::now();
    let until = began + time;
    let mut sent = 0;
    while Instant::now() < until && streams.iter().any(|(_, _, closed)| !closed) {
        std::thread::sleep(Duration::from_millis(100));
        sent += 1;
        for (kind, stream, closed) in streams.iter_mut().filter(|(_, _, closed)| !closed) {
            if *kind == 2 && sent % 3 == 0 {
                let _ = stream.write_all(&line[sent % line.len()..][..1]);
            }
            let mut buffer = [0; 512];
            loop {
                match stream.read(&mut buffer) {
                    Ok(0) => *closed = true,
                    Ok(_) => continue,
                    Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(_) => *closed = true,
                }
                break;
            }
        }
    }
    (streams.iter().filter(|(_, _, closed)| *closed).count(), began.elapsed())
}

#[test]
fn f_07_slow_senders_are_closed() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    // The limit of five seconds, shortened for the test.
    let full = times(1, 0) == 1;
    if !full {
        config.limits.header_time = Duration::from_secs(1);
    }
    let running = Running::start(config);
    let sockets = times(200, 30);
    let addr = running.addr;
    let slow = std::thread::spawn(move || closed_within(addr, sockets, Duration::from_secs(if full { 8 } else { 15 })));
    std::thread::sleep(Duration::from_millis(300));
    // Others are served meanwhile.
    let mut taken = Vec::new();
    for _ in 0..times(200, 20) {
        let since = Instant::now();
        assert_eq!(request(addr, "GET", "/healthz", None, None).status, 200);
        taken.push(since.elapsed());
        std::thread::sleep(Duration::from_millis(if full { 10 } else { 0 }));
    }
    let (closed, after) = slow.join().expect("the thread ends");
    assert_eq!(closed, sockets);
    taken.sort_unstable();
    let late = crate::support::percentile(&taken, 99);
    println!(
        "F-07: {closed} of {sockets} slow senders closed within {:.1} s; other requests: 99 % within {:.1} ms",
        after.as_secs_f64(),
        late.as_secs_f64() * 1000.0
    );
    if full {
        assert!(late < Duration::from_millis(100) && after < Duration::from_secs(6), "{late:?}, {after:?}");
    }
    running.stop();
}

#[test]
fn f_07_a_plain_accept_loop_does_not_close_them() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let addr = listener.local_addr().expect("an address");
    listener.set_nonblocking(true).expect("an option");
    runtime.spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        loop {
            let Ok((stream, _)) = listener.accept().await else { return };
            tokio::spawn(async move {
                let service = hyper::service::service_fn(async |_| {
                    Ok::<_, std::convert::Infallible>(hyper::Response::new(String::new()))
                });
                let io = hyper_util::rt::TokioIo::new(stream);
                let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, service).await;
            });
        }
    });
    let (closed, _) = closed_within(addr, 9, Duration::from_secs(3));
    assert!(closed < 9, "the test finds nothing wrong with a loop without timers");
}

/// Between two updates of a table: 50 a second.
const UPDATE: Duration = Duration::from_millis(20);

#[test]
fn f_08_slow_readers_are_let_go() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    let full = times(1, 0) == 1;
    if !full {
        config.limits.write_time = Duration::from_secs(1);
    }
    let readers = times(20, 3);
    let running = Running::start(config);
    let made = running.create(&hot_seat(19));
    let id = made["id"].as_str().unwrap();
    let key = running.key.clone();
    let mut player = running.sit(id, &[&key]);
    let state = player.wait_type("state");
    // They say hello and ask for nothing more, but never read. What their system buffers is no matter of the server.
    let mut slow = Vec::new();
    for _ in 0..readers {
        let stream = connect_from(&running, [127, 0, 0, 1], Some(4096));
        let mut page = Page::open_on(running.addr, stream, id, &[made["watch"].as_str().unwrap()]);
        page.wait_type("state");
        slow.push(page);
    }
    let mut v = state["v"].clone();
    let mut update = |player: &mut Page, step: usize| {
        let since = Instant::now();
        let say = match step % 2 {
            0 => json!({"type": "play", "v": v, "cid": format!("{step}"), "action": "D4"}),
            _ => json!({"type": "undo", "v": v, "cid": format!("{step}")}),
        };
        player.say(&say);
        v = player.wait_type("ack")["v"].clone();
        let watching = |frame: &String| {
            let message: serde_json::Value = serde_json::from_str(frame).ok()?;
            message["spectators"].as_u64().filter(|_| message["type"] == "presence")
        };
        let left = player.frames.iter().filter_map(watching).next_back();
        player.frames.clear();
        std::thread::sleep(UPDATE.saturating_sub(since.elapsed()));
        left
    };
    let began = Instant::now();
    #[cfg(target_os = "linux")]
    let (before, peak) = (crate::support::resident(), crate::support::Peak::of_memory());
    let mut steps = 0;
    while update(&mut player, steps) != Some(0) {
        steps += 1;
        assert!(began.elapsed() < crate::support::PATIENCE, "pages that do not read are still there");
    }
    let taken = began.elapsed();
    #[cfg(target_os = "linux")]
    {
        let each = peak.end().saturating_sub(before) / readers;
        println!(
            "F-08: {readers} slow readers, {:.0} updates a second: all gone after {:.1} s, {} KiB of resident memory each",
            steps as f64 / taken.as_secs_f64(),
            taken.as_secs_f64(),
            each >> 10
        );
        if full {
            assert!(each < 1 << 20, "{each} bytes for each");
        }
    }
    if full {
        assert!(taken <= Duration::from_secs(10), "{taken:?}");
    }
    drop(slow);
    running.stop();
}
