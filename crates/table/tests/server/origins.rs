//! F-11: which hosts and origins are answered.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::{Folder, Running, config, raw};

/// Sends a request with these headers; the status.
fn status(running: &Running, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    let body = if method == "POST" { "{\"tokens\":[]}" } else { "" };
    text += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    raw(running.addr, text.as_bytes()).expect("an answer").status
}

/// Asks for an upgrade with these headers; the status.
fn upgrade(running: &Running, headers: &[(&str, &str)]) -> u16 {
    let mut text = "GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n".to_owned();
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += "\r\n";
    let mut stream = TcpStream::connect(running.addr).expect("a connection");
    stream.write_all(text.as_bytes()).expect("bytes are sent");
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n > 0) {
        answer.push(byte[0]);
    }
    crate::support::parse(&answer).expect("an answer").status
}

#[test]
fn f_11_hosts_and_origins() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.allow_origin = vec!["https://play.example.org".to_owned()];
    let running = Running::start(config);
    let port = running.addr.port();
    let own = format!("127.0.0.1:{port}");
    let local = format!("localhost:{port}");
    let origin = |host: &str| format!("http://{host}");
    let bearer = format!("Bearer {}", running.key);
    let wrong = "Bearer AAAAAAAAAAAAAAAAAAAAAA";

    // Hosts, by a request that changes nothing.
    for (host, expected) in [
        (own.as_str(), 200),
        (local.as_str(), 200),
        ("play.example.org", 200),
        ("LOCALHOST", 421),
        ("127.0.0.1", 421),
        ("127.0.0.1:1", 421),
        ("[::1]", 421),
        ("10.0.0.1", 421),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("", 421),
    ] {
        assert_eq!(status(&running, "GET", "/api/info", &[("Host", host)]), expected, "host {host}");
    }
    for (host, expected) in
        [(format!("evil.example:{port}"), 421), (format!("[::1]:{port}"), 421), (format!("0.0.0.0:{port}"), 421)]
    {
        assert_eq!(status(&running, "GET", "/api/info", &[("Host", &host)]), expected, "host {host}");
    }
    assert_eq!(status(&running, "GET", "/api/info", &[]), 400, "no host");
    assert_eq!(status(&running, "GET", "/api/info", &[("Host", &own), ("Host", &own)]), 400, "two hosts");

    // Origins, by a request that might change something, and by an upgrade.
    let same = origin(&own);
    let other = origin(&local);
    let cases: [(&str, Option<&str>, Option<&str>, u16); 13] = [
        (&own, Some(&same), None, 200),
        (&local, Some(&other), None, 200),
        (&own, Some("https://play.example.org"), None, 200),
        ("play.example.org", Some("https://play.example.org"), None, 200),
        (&own, Some(&other), None, 403),
        (&own, Some("http://127.0.0.1"), None, 403),
        (&own, Some("http://evil.example"), None, 403),
        (&own, Some("https://evil.example"), Some(&bearer), 403),
        (&own, Some("null"), None, 403),
        (&own, Some(""), None, 403),
        (&own, None, None, 403),
        (&own, None, Some(wrong), 403),
        (&own, None, Some(&bearer), 200),
    ];
    for (host, origin, token, expected) in cases {
        let mut headers = vec![("Host", host)];
        headers.extend(origin.map(|o| ("Origin", o)));
        headers.extend(token.map(|t| ("Authorization", t)));
        assert_eq!(status(&running, "POST", "/api/mine", &headers), expected, "POST {headers:?}");
        let expected = if expected == 200 { 101 } else { expected };
        assert_eq!(upgrade(&running, &headers), expected, "upgrade {headers:?}");
    }
    println!("F-11: 17 hosts, 13 origins by a request and by an upgrade, each with the status it should have");
    running.stop();
}

#[test]
fn f_11_hosts_of_absolute_targets() {
    let folder = Folder::new();
    let mut config = config(folder.path());
    config.allow_origin = vec!["https://play.example.org".to_owned()];
    let running = Running::start(config);
    let own = running.addr.to_string();
    let local = format!("localhost:{}", running.addr.port());
    let public = "play.example.org";
    for (target, host, expected) in [
        (format!("http://{own}/api/info"), own.as_str(), 200),
        (format!("http://{local}/api/info"), local.as_str(), 200),
        (format!("http://{public}/api/info"), public, 200),
        // The target says for whom the request is meant, whatever the header says.
        ("http://evil.example/api/info".to_owned(), own.as_str(), 421),
        (format!("http://evil.example:{}/api/info", running.addr.port()), own.as_str(), 421),
        (format!("http://{own}/api/info"), "evil.example", 421),
        ("http://evil.example/api/info".to_owned(), "evil.example", 421),
        (format!("http://{local}/api/info"), own.as_str(), 421),
        (format!("http://user@{own}/api/info"), own.as_str(), 421),
        (format!("http://{own}@evil.example/api/info"), own.as_str(), 421),
    ] {
        let found = status(&running, "GET", &target, &[("Host", host)]);
        assert_eq!(found, expected, "GET {target} with Host {host}");
    }
    running.stop();
}
