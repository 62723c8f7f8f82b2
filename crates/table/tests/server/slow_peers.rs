//! F-07 and F-08: peers that send slowly or read slowly.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::support::{Folder, Running, config, hot_seat, request, times};
use serde_json::json;

/// Opens silent, prefacing and dripping sockets; says how many the server has closed when the time is over.
fn closed_within(addr: SocketAddr, sockets: usize, time: Duration) -> usize {
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
    let until = Instant::now() + time;
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
    streams.iter().filter(|(_, _, closed)| *closed).count()
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
    for _ in 0..20 {
        assert_eq!(request(addr, "GET", "/healthz", None, None).status, 200);
    }
    assert_eq!(slow.join().expect("the thread ends"), sockets);
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
    let closed = closed_within(addr, 9, Duration::from_secs(3));
    assert!(closed < 9, "the test finds nothing wrong with a loop without timers");
}

#[test]
fn f_08_a_slow_reader_is_let_go() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.limits.write_time = Duration::from_secs(1);
    let running = Running::start(config);
    let made = running.create(&hot_seat(19));
    let id = made["id"].as_str().unwrap();
    let key = running.key.clone();
    let mut player = running.sit(id, &[&key]);
    let state = player.wait_type("state");
    // It says hello and asks for much, but never reads.
    let mut slow = running.sit(id, &[made["watch"].as_str().unwrap()]);
    slow.wait_type("state");
    let mut v = state["v"].clone();
    // States of 19x19 until the socket's buffers are full and the server can write no more.
    for step in 0..20_000 {
        let say = match step % 2 {
            0 => json!({"type": "play", "v": v, "cid": format!("{step}"), "action": "D4"}),
            _ => json!({"type": "undo", "v": v, "cid": format!("{step}")}),
        };
        player.say(&say);
        v = player.wait_type("ack")["v"].clone();
        if player.frames.iter().any(|f| f.contains("\"presence\"") && f.contains("\"spectators\":0")) {
            running.stop();
            return;
        }
        player.frames.clear();
    }
    panic!("a page that does not read is still there");
}
