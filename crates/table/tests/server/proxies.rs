//! Limits by address behind a proxy, and that nobody else is believed who says for whom he asks.

use std::net::IpAddr;

use crate::support::{Folder, Running, config, connect_from, hot_seat, raw, request_bytes};

/// Makes a game without a key, as asked through a proxy that names these addresses; the status.
fn make(running: &Running, forwarded: &str) -> u16 {
    let bytes = request_bytes(running.addr, "POST", "/api/games", None, Some(&hot_seat(9)));
    let text = String::from_utf8(bytes).expect("text");
    let text = text.replacen("\r\n", &format!("\r\nX-Forwarded-For: {forwarded}\r\n"), 1);
    raw(running.addr, text.as_bytes()).expect("an answer").status
}

fn start(folder: &Folder, trusted: &[IpAddr]) -> Running {
    let mut config = config(folder.path());
    config.limits.games_per_address = 2;
    config.limits.connections_per_address = 3;
    config.trusted_proxies = trusted.to_vec();
    Running::start(config)
}

#[test]
fn behind_a_trusted_proxy_each_address_has_its_own_limits() {
    let folder = Folder::new();
    let running = start(&folder, &[IpAddr::from([127, 0, 0, 1])]);
    assert_eq!([(); 3].map(|()| make(&running, "198.51.100.7")), [201, 201, 429]);
    assert_eq!([(); 3].map(|()| make(&running, "198.51.100.8")), [201, 201, 429]);
    // What comes before the proxy's own word is the client's invention.
    assert_eq!(make(&running, "203.0.113.9, 198.51.100.7"), 429);
    // The proxy holds more connections than one address may, up to all.
    let open: Vec<_> = (0..20).map(|_| connect_from(&running, [127, 0, 0, 1], None)).collect();
    assert_eq!(make(&running, "198.51.100.9"), 201);
    drop(open);
    running.stop();
}

#[test]
fn nobody_else_is_believed() {
    let folder = Folder::new();
    let running = start(&folder, &[IpAddr::from([127, 0, 0, 9])]);
    let statuses: Vec<u16> = (1..=4).map(|n| make(&running, &format!("198.51.100.{n}"))).collect();
    assert_eq!(statuses, [201, 201, 429, 429]);
    running.stop();
}
