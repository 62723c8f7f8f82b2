//! `kiebitz serve` as a program: where it listens, how it refuses, how it ends (acceptance line 6, F-01, F-21).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("kiebitz-serve-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn kiebitz(arguments: &[&str], data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz"));
    command.arg("serve").args(arguments).arg("--data").arg(data).args(["--lang", "en"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A server as a process; it ends with the test.
struct Serving {
    child: Child,
    /// The link it printed.
    link: String,
    /// Where it was reached: address and port.
    host: String,
}

impl Serving {
    fn start(arguments: &[&str], data: &Path) -> Serving {
        let mut child = kiebitz(arguments, data).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let link = loop {
            let line = lines.next().expect("a link").expect("text");
            if line.trim().starts_with("http://") || line.trim().starts_with("https://") {
                break line.trim().to_owned();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        let address = std::fs::read_to_string(data.join("address")).expect("the address");
        Serving { child, link, host: address.trim().to_owned() }
    }

    fn key(&self) -> &str {
        self.link.rsplit('/').next().expect("a key")
    }

    /// A request with the owner's key; status and body.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
        ask(&self.host, method, path, self.key(), body).expect("an answer")
    }

    fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to end as a system does; the status.
    fn terminate(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill runs").success());
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        panic!("it does not end");
    }
}

fn ask(host: &str, method: &str, path: &str, key: &str, body: Option<&Value>) -> Option<(u16, String)> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    Some((status, answer.split_once("\r\n\r\n")?.1.to_owned()))
}

/// How a start that must fail does: its status and its one sentence.
fn refused(arguments: &[&str], data: &Path) -> (Option<i32>, String) {
    let output = kiebitz(arguments, data).output().expect("it runs");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.trim_end().lines().count(), 1, "one sentence: {text}");
    (output.status.code(), text.trim_end().to_owned())
}

/// The addresses at which a process listens, from the system's table.
#[cfg(target_os = "linux")]
fn listening(id: u32) -> Vec<String> {
    let mut inodes = Vec::new();
    for entry in std::fs::read_dir(format!("/proc/{id}/fd")).expect("its files").flatten() {
        if let Ok(target) = std::fs::read_link(entry.path())
            && let Some(inode) = target.to_string_lossy().strip_prefix("socket:[")
        {
            inodes.push(inode.trim_end_matches(']').to_owned());
        }
    }
    let mut addresses = Vec::new();
    for table in ["tcp", "tcp6"] {
        let text = std::fs::read_to_string(format!("/proc/{id}/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if fields.get(3) == Some(&"0A") && fields.get(9).is_some_and(|inode| inodes.iter().any(|i| i == inode)) {
                addresses.push(format!("{table} {}", fields[1].split(':').next().unwrap_or_default()));
            }
        }
    }
    addresses
}

#[cfg(target_os = "linux")]
#[test]
fn it_listens_where_it_says() {
    // In the system's table addresses are hexadecimal, the first byte last.
    for (name, arguments, expected) in [
        ("local", &["--addr", "127.0.0.1:0"][..], "tcp 0100007F"),
        ("bare-port", &["--addr", ":0"], "tcp 0100007F"),
        ("lan", &["--lan", "--addr", ":0"], "tcp 00000000"),
        ("public", &["--public", "--addr", "0.0.0.0:0"], "tcp 00000000"),
        ("lan-one", &["--lan", "--addr", "127.0.0.1:0"], "tcp 0100007F"),
    ] {
        let data = folder(name);
        let serving = Serving::start(arguments, &data);
        assert_eq!(listening(serving.child.id()), [expected], "{name}");
        assert_eq!(serving.ask("GET", "/healthz", None).0, 200, "{name}");
        assert_eq!(serving.terminate(), Some(0), "{name}");
        let _ = std::fs::remove_dir_all(data);
    }
}

/// What a server says when it has started.
fn announced(arguments: &[&str], data: &Path, language: &str) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz"));
    command.arg("serve").args(arguments).args(["--lang", language, "--data"]).arg(data);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut said = Vec::new();
    for line in lines {
        said.push(line.expect("text"));
        if said.last().is_some_and(|line| line.contains("Ctrl-C")) {
            break;
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    said
}

#[test]
fn a_link_for_this_machine_alone_is_not_offered_to_phones() {
    for (language, alone, phone) in
        [("en", "Only this machine can open it", "phone, in the same"), ("zh", "只有本机可以打开", "手机也可打开")]
    {
        let data = folder(&format!("alone-{language}"));
        let said = announced(&["--lan", "--addr", "127.0.0.1:0"], &data, language).join("\n");
        assert!(said.contains("http://127.0.0.1:") && said.contains(alone), "{said}");
        assert!(!said.contains(phone), "{said}");
        let _ = std::fs::remove_dir_all(data);
    }
}

#[test]
fn a_log_gets_the_link_for_the_network_and_no_picture() {
    // The picture on a terminal is read by a phone's eye in the tests of the page.
    for (language, phone) in [("en", "opens the same link"), ("zh", "也可打开此链接")] {
        let data = folder(&format!("log-{language}"));
        let said = announced(&["--lan", "--addr", ":0"], &data, language);
        let links: Vec<&str> = said.iter().map(|line| line.trim()).filter(|line| line.starts_with("http://")).collect();
        assert_eq!(links.len(), 1, "{said:?}");
        assert!(links[0].contains("/#/owner/"), "{said:?}");
        let said = said.join("\n");
        assert!(said.ends_with(&data.display().to_string()), "where games are kept: {said}");
        assert!(said.contains(phone), "{said}");
        assert!(!said.contains(['█', '▀', '▄', '\u{1b}']), "{said}");
        assert_eq!(said.lines().count(), 5, "{said}");
        let _ = std::fs::remove_dir_all(data);
    }
    let help = Command::new(env!("CARGO_BIN_EXE_kiebitz")).args(["serve", "--help"]).output().expect("it runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("on a terminal also as a QR code, into a file or pipe the link alone"), "{help}");
}

/// What `serve --help` says about backups, done: the file fetched while it runs, put in the place of what is there, is all games.
#[test]
fn the_help_says_how_to_back_up_and_restore() {
    let help = Command::new(env!("CARGO_BIN_EXE_kiebitz")).args(["serve", "--help"]).output().expect("it runs");
    let help = String::from_utf8(help.stdout).expect("text");
    for words in
        ["~/.local/share/kiebitz", "Authorization: Bearer KEY", "/api/backup", "owner-key", "Restore: end the server"]
    {
        assert!(help.contains(words), "{words}: {help}");
    }
    let files = ["kiebitz.db", "kiebitz.db-wal", "kiebitz.db-shm"];
    assert!(files.iter().all(|file| help.contains(file)), "{help}");
    let data = folder("backup");
    let serving = Serving::start(&["--addr", ":0"], &data);
    let key = std::fs::read_to_string(data.join("owner-key")).expect("the key");
    assert_eq!(key.trim(), serving.key(), "the last part of the link");
    games(&serving, 2);
    let sorted = |serving: &Serving| {
        let mut ids = ids(serving);
        ids.sort();
        ids
    };
    let kept = sorted(&serving);
    let mut stream = TcpStream::connect(&serving.host).expect("the server");
    let request = format!(
        "GET /api/backup HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
        serving.host,
        key.trim()
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let head = answer.windows(4).position(|w| w == b"\r\n\r\n").expect("a head");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer[..head]));
    games(&serving, 1);
    assert_eq!(ids(&serving).len(), 3);
    // A kill leaves the files beside the data behind.
    serving.kill();
    for file in files {
        let _ = std::fs::remove_file(data.join(file));
    }
    std::fs::write(data.join("kiebitz.db"), &answer[head + 4..]).expect("the backup in its place");
    let serving = Serving::start(&["--addr", ":0"], &data);
    assert_eq!((sorted(&serving), serving.key()), (kept, key.trim()));
    serving.kill();
    let _ = std::fs::remove_dir_all(data);
}

#[test]
fn addresses_beyond_this_machine_need_a_word() {
    let data = folder("beyond");
    for address in ["0.0.0.0:0", "192.168.1.5:8000", "[::]:8000", "10.0.0.1"] {
        let (code, text) = refused(&["--addr", address], &data);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("--lan") && text.contains("--public"), "{text}");
    }
    for address in ["nonsense", "127.0.0.1:99999", "example.org:80"] {
        let (code, text) = refused(&["--addr", address], &data);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("127.0.0.1:8000"), "{text}");
    }
    let (code, text) = refused(&["--lan", "--public"], &data);
    assert_eq!(code, Some(2), "{text}");
    let (code, text) = refused(&["--allow-origin", "play.example.org"], &data);
    assert_eq!(code, Some(2), "{text}");
    assert!(!data.exists(), "nothing was made");
}

#[test]
fn a_taken_port_and_a_taken_folder_are_told() {
    let (data, other) = (folder("taken"), folder("taken-other"));
    let serving = Serving::start(&["--addr", "127.0.0.1:0"], &data);
    let (code, text) = refused(&["--addr", "127.0.0.1:0"], &data);
    assert_eq!(code, Some(2));
    assert!(text.contains(&format!("already served at http://{}", serving.host)), "{text}");
    let (code, text) = refused(&["--addr", &serving.host], &other);
    assert_eq!(code, Some(2));
    assert!(text.contains(&format!("already serving at http://{}", serving.host)), "{text}");
    let stranger = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = stranger.local_addr().expect("an address").to_string();
    let (code, text) = refused(&["--addr", &taken], &other);
    assert_eq!(code, Some(2));
    assert!(text.contains(&taken) && text.contains("another program"), "{text}");
    serving.kill();
    // The folder of a killed server is free again, and the link stays the same.
    let serving = Serving::start(&["--addr", "127.0.0.1:0"], &data);
    assert_eq!(serving.ask("GET", "/api/games", None).0, 200);
    serving.kill();
    let _ = std::fs::remove_dir_all(data);
    let _ = std::fs::remove_dir_all(other);
}

#[test]
fn a_public_server_warns() {
    let data = folder("warns");
    let mut serving = Serving::start(&["--public", "--addr", "127.0.0.1:0"], &data);
    let mut errors = BufReader::new(serving.child.stderr.take().expect("its errors"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("a line");
    assert!(line.contains("warning") && line.contains("--allow-origin"), "{line}");
    serving.kill();
    let _ = std::fs::remove_dir_all(data);
}

/// Games of computers against each other, to be looked at through the list.
fn games(serving: &Serving, count: usize) {
    let wish = json!({"game": "go", "rules": {"size": 9}, "seats": [
        {"kind": "computer", "player": "uct:visits=5"}, {"kind": "here"}]});
    for _ in 0..count {
        let (status, text) = serving.ask("POST", "/api/games", Some(&wish));
        assert_eq!(status, 201, "{text}");
    }
}

/// How many times a fault is caused: the full number with `KIEBITZ_FAULTS=full`.
fn times(full: usize, small: usize) -> usize {
    if std::env::var("KIEBITZ_FAULTS").is_ok_and(|v| v == "full") { full } else { small }
}

/// A page at a table over a plain socket: plays for the seat of a person until the server is gone, and tells what was
/// acknowledged.
fn play_until_gone(host: &str, game: &str, key: &str, enough: usize) -> u64 {
    let Some(mut page) = plain_page(host, game, key) else { return 0 };
    let (mut acknowledged, mut sent) = (0, 0u64);
    let mut answers = 0;
    while let Some(message) = page.read() {
        match message["type"].as_str() {
            Some("ack") => {
                acknowledged = message["v"].as_u64().unwrap_or(0);
                answers += 1;
                if answers >= enough {
                    break;
                }
            }
            Some("state") if message["v"].as_u64() > Some(sent) || sent == 0 => {
                let legal = message["legal"].as_array().cloned().unwrap_or_default();
                if message["phase"] != "playing" {
                    break;
                }
                if let Some(action) = legal.first() {
                    sent = message["v"].as_u64().unwrap_or(0);
                    let say = json!({"type": "play", "v": sent, "cid": format!("k{sent}"), "action": action});
                    if page.write(&say).is_none() {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    acknowledged
}

/// Just enough of a WebSocket.
struct PlainPage(BufReader<TcpStream>);

fn plain_page(host: &str, game: &str, key: &str) -> Option<PlainPage> {
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let head = format!(
        "GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|&n| n > 0)?;
        if line == "\r\n" {
            break;
        }
    }
    let mut page = PlainPage(reader);
    page.write(&json!({"type": "hello", "game": game, "tokens": [key]}))?;
    Some(page)
}

impl PlainPage {
    fn write(&mut self, message: &Value) -> Option<()> {
        let text = message.to_string();
        assert!(text.len() < 65_536);
        let mut frame = vec![0x81];
        if text.len() < 126 {
            frame.push(0x80 | text.len() as u8);
        } else {
            frame.push(0x80 | 126);
            frame.extend((text.len() as u16).to_be_bytes());
        }
        // A mask of zeros changes nothing.
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.get_mut().write_all(&frame).ok()
    }

    /// The next text message; `None` when the server is gone or closes.
    fn read(&mut self) -> Option<Value> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).ok()?;
            let length = match head[1] & 127 {
                126 => {
                    let mut more = [0; 2];
                    self.0.read_exact(&mut more).ok()?;
                    usize::from(u16::from_be_bytes(more))
                }
                127 => {
                    let mut more = [0; 8];
                    self.0.read_exact(&mut more).ok()?;
                    usize::try_from(u64::from_be_bytes(more)).ok()?
                }
                n => usize::from(n),
            };
            let mut content = vec![0; length];
            self.0.read_exact(&mut content).ok()?;
            match head[0] & 15 {
                1 => return serde_json::from_slice(&content).ok(),
                8 => return Some(json!({"type": "closed", "code": u16::from_be_bytes([content[0], content[1]])})),
                _ => {}
            }
        }
    }
}

fn ids(serving: &Serving) -> Vec<String> {
    let (_, list) = serving.ask("GET", "/api/games", None);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    list["games"].as_array().expect("games").iter().map(|g| g["id"].as_str().expect("an id").to_owned()).collect()
}

fn version(serving: &Serving, game: &str) -> u64 {
    let (status, text) = serving.ask("GET", &format!("/api/games/{game}/positions"), None);
    assert_eq!(status, 200, "{text}");
    serde_json::from_str::<Value>(&text).expect("JSON")["v"].as_u64().expect("a version")
}

#[test]
fn f_01_no_acknowledged_move_is_lost_by_a_kill() {
    let data = folder("kill");
    let (mut all, mut slowest) = (0, Duration::ZERO);
    for round in 0..times(200, 4) {
        let serving = Serving::start(&["--addr", "127.0.0.1:0"], &data);
        games(&serving, 4);
        let mine: Vec<String> = ids(&serving).into_iter().take(4).collect();
        let players: Vec<_> = mine
            .iter()
            .cloned()
            .map(|id| {
                let (host, key) = (serving.host.clone(), serving.key().to_owned());
                std::thread::spawn(move || (id.clone(), play_until_gone(&host, &id, &key, usize::MAX)))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(150 + (round as u64 * 37) % 250));
        serving.kill();
        let acknowledged: Vec<(String, u64)> = players.into_iter().map(|p| p.join().expect("no panic")).collect();
        let since = Instant::now();
        let serving = Serving::start(&["--addr", "127.0.0.1:0"], &data);
        slowest = slowest.max(since.elapsed());
        all += acknowledged.iter().map(|(_, v)| v).sum::<u64>();
        for (id, v) in &acknowledged {
            let found = version(&serving, id);
            assert!(found >= *v, "round {round}: {v} was acknowledged, {found} is there");
        }
        let (_, list) = serving.ask("GET", "/api/games", None);
        assert!(!list.contains("\"broken\":\""), "{list}");
        serving.kill();
    }
    println!(
        "F-01: {} kills, {all} moves acknowledged, none lost, no game damaged, serving again within {:.2} s",
        times(200, 4),
        slowest.as_secs_f64()
    );
    if times(1, 0) == 1 {
        assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    }
    let _ = std::fs::remove_dir_all(data);
}

#[test]
fn f_21_it_ends_when_asked_and_tells_the_pages() {
    let data = folder("end");
    let mut slowest = Duration::ZERO;
    for _ in 0..times(50, 2) {
        let serving = Serving::start(&["--addr", "127.0.0.1:0"], &data);
        games(&serving, 2);
        let mine: Vec<String> = ids(&serving).into_iter().take(2).collect();
        let mut watcher = plain_page(&serving.host, &mine[0], serving.key()).expect("a page");
        let (host, key, game) = (serving.host.clone(), serving.key().to_owned(), mine[1].clone());
        let player = std::thread::spawn(move || play_until_gone(&host, &game, &key, usize::MAX));
        std::thread::sleep(Duration::from_millis(300));
        let since = Instant::now();
        assert_eq!(serving.terminate(), Some(0));
        slowest = slowest.max(since.elapsed());
        let acknowledged = player.join().expect("no panic");
        let mut told = false;
        while let Some(message) = watcher.read() {
            told |= message["type"] == "bye" && message["code"] == "shutdown";
            if message["type"] == "closed" {
                assert_eq!(message["code"], 1001);
                break;
            }
        }
        assert!(told, "the page was told");
        let serving = Serving::start(&["--addr", "127.0.0.1:0"], &data);
        assert!(version(&serving, &mine[1]) >= acknowledged);
        serving.kill();
    }
    println!(
        "F-21: {} ends under load, each within {:.2} s, pages told 1001, nothing lost",
        times(50, 2),
        slowest.as_secs_f64()
    );
    if times(1, 0) == 1 {
        assert!(slowest <= Duration::from_secs(3), "{slowest:?}");
    }
    let _ = std::fs::remove_dir_all(data);
}
