//! A server in the test's process, and small clients for it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use kiebitz_table::{Config, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A folder that goes away with the test.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("kiebitz-table-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server with its runtime.
pub struct Running {
    pub runtime: Runtime,
    pub server: Option<Server>,
    pub addr: SocketAddr,
    pub key: String,
}

/// A server for tests: no limit by address, quick hints.
pub fn config(folder: &Path) -> Config {
    let mut config = Config::local("127.0.0.1:0".parse().expect("an address"), folder.to_owned());
    config.limits.connections_per_address = 512;
    config.limits.spectators_per_address = 512;
    config.limits.messages_per_second = 1000.0;
    config.limits.message_burst = 1000;
    config.limits.hint_time = Duration::from_millis(300);
    config.limits.review_visits = [30, 60];
    config
}

impl Running {
    pub fn start(config: Config) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        let server = runtime.block_on(Server::start(config)).expect("the server starts");
        let (addr, key) = (server.addr(), server.owner_key().to_owned());
        Running { runtime, server: Some(server), addr, key }
    }

    pub fn new(folder: &Path) -> Self {
        Running::start(config(folder))
    }

    pub fn app(&self) -> &std::sync::Arc<kiebitz_table::app::App> {
        self.server.as_ref().expect("it runs").app()
    }

    pub fn stop(mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }

    /// A request with the owner's key.
    pub fn owner(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        request(self.addr, method, path, Some(&self.key), body)
    }

    /// Makes a game; panics when it is refused.
    pub fn create(&self, wish: &Value) -> Value {
        let answer = self.owner("POST", "/api/games", Some(wish));
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// A page at a table.
    pub fn sit(&self, game: &str, tokens: &[&str]) -> Page {
        Page::open(self.addr, game, tokens)
    }
}

/// An HTTP answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<String> {
        let wanted = format!("{}:", name.to_ascii_lowercase());
        let line = self.head.lines().find(|l| l.to_ascii_lowercase().starts_with(&wanted))?;
        Some(line[wanted.len()..].trim().to_owned())
    }
}

/// Sends bytes as they are and reads the answer until the server closes.
pub fn raw(addr: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    raw_on(TcpStream::connect(addr).ok()?, bytes)
}

/// As [`raw`], on a connection that is open.
pub fn raw_on(mut stream: TcpStream, bytes: &[u8]) -> Option<Answer> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    stream.write_all(bytes).ok()?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    parse(&answer)
}

pub fn parse(answer: &[u8]) -> Option<Answer> {
    let split = answer.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&answer[..split]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, head, body: answer[split + 4..].to_vec() })
}

/// A request as a page of this server makes it.
pub fn request(addr: SocketAddr, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Answer {
    raw(addr, &request_bytes(addr, method, path, token, body)).expect("an answer")
}

/// The bytes of such a request.
pub fn request_bytes(addr: SocketAddr, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Vec<u8> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
    let token = token.map(|t| format!("Authorization: Bearer {t}\r\n")).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {addr}\r\nOrigin: http://{addr}\r\nConnection: close\r\n{kind}{token}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

/// Sends bytes of a file.
pub fn upload(addr: SocketAddr, path: &str, token: &str, bytes: &[u8]) -> Answer {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {addr}\r\nOrigin: http://{addr}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
        bytes.len()
    );
    raw(addr, &[head.as_bytes(), bytes].concat()).expect("an answer")
}

/// A page: a WebSocket with everything it was ever told.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
    /// Every frame as it came.
    pub frames: Vec<String>,
    pub closed: Option<u16>,
    attempts: u32,
}

/// How long a page waits for something that must come.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn connect(addr: SocketAddr) -> WebSocket<TcpStream> {
    upgrade(addr, TcpStream::connect(addr).expect("a connection"))
}

/// A WebSocket on a connection that is open.
pub fn upgrade(addr: SocketAddr, stream: TcpStream) -> WebSocket<TcpStream> {
    let mut request = format!("ws://{addr}/ws").into_client_request().expect("a request");
    request.headers_mut().insert("Origin", format!("http://{addr}").parse().expect("a header"));
    stream.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
    stream.set_nodelay(true).expect("an option");
    let stream2 = stream.try_clone().expect("a clone");
    stream2.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    // Clients are in the memory of the test too: as small as they can be.
    let small = tungstenite::protocol::WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    let (socket, _) = tungstenite::client::client_with_config(request, stream, Some(small)).expect("a WebSocket");
    stream2.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
    socket
}

impl Page {
    /// A page that has not said hello.
    pub fn silent(addr: SocketAddr) -> Page {
        Page { socket: connect(addr), frames: Vec::new(), closed: None, attempts: 0 }
    }

    pub fn open(addr: SocketAddr, game: &str, tokens: &[&str]) -> Page {
        Page::open_on(addr, TcpStream::connect(addr).expect("a connection"), game, tokens)
    }

    /// A page on a connection that is open.
    pub fn open_on(addr: SocketAddr, stream: TcpStream, game: &str, tokens: &[&str]) -> Page {
        let mut page = Page { socket: upgrade(addr, stream), frames: Vec::new(), closed: None, attempts: 0 };
        page.say(&json!({"type": "hello", "game": game, "tokens": tokens}));
        page
    }

    pub fn say(&mut self, message: &Value) {
        self.say_text(&message.to_string());
    }

    pub fn say_text(&mut self, text: &str) {
        self.socket.send(Message::Text(text.into())).expect("the message is sent");
    }

    /// The next message, if one comes within the time.
    pub fn next_within(&mut self, time: Duration) -> Option<Value> {
        let until = Instant::now() + time;
        let slice = time.clamp(Duration::from_millis(1), Duration::from_millis(100));
        self.socket.get_ref().set_read_timeout(Some(slice)).expect("a timeout");
        while self.closed.is_none() {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    self.frames.push(text.to_string());
                    return Some(serde_json::from_str(&text).expect("JSON"));
                }
                Ok(Message::Close(frame)) => self.closed = Some(frame.map_or(1005, |f| f.code.into())),
                Ok(_) => {}
                Err(tungstenite::Error::Io(e))
                    if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
                Err(_) => self.closed = Some(1006),
            }
            if Instant::now() >= until {
                break;
            }
        }
        None
    }

    /// The next message that fits; panics when none comes.
    pub fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && self.closed.is_none() {
            if let Some(message) = self.next_within(Duration::from_secs(1))
                && fits(&message)
            {
                return message;
            }
        }
        let last =
            self.frames.iter().rev().take(3).map(|f| f.chars().take(400).collect::<String>()).collect::<Vec<_>>();
        panic!("{what} did not come (closed: {:?}); the last frames: {last:#?}", self.closed);
    }

    pub fn wait_type(&mut self, kind: &str) -> Value {
        self.wait(kind, |m| m["type"] == kind)
    }

    /// The next state that fits.
    pub fn wait_state(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        self.wait(what, |m| m["type"] == "state" && fits(m))
    }

    /// The newest state when it fits, else the next one that does: a state that was not sent yet is replaced by a newer one.
    pub fn state(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let mut states = self.frames.iter().rev().filter_map(|f| serde_json::from_str::<Value>(f).ok());
        let newest = states.find(|m| m["type"] == "state");
        match newest.filter(|s| fits(s)) {
            Some(state) => state,
            None => self.wait_state(what, fits),
        }
    }

    /// The next message; `None` when the server closes instead.
    pub fn wait_or_closed(&mut self) -> Option<Value> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && self.closed.is_none() {
            let message = self.next_within(Duration::from_secs(1));
            if message.is_some() {
                return message;
            }
        }
        assert!(self.closed.is_some(), "neither a message nor the end came");
        None
    }

    pub fn wait_closed(&mut self) -> u16 {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some(code) = self.closed {
                return code;
            }
            let _ = self.next_within(Duration::from_secs(1));
        }
        panic!("the server did not close");
    }

    /// Plays an action; the answer is the `ack` or the `error`.
    pub fn play(&mut self, v: &Value, action: &str) -> Value {
        self.attempts += 1;
        let cid = format!("c{}-{}", std::process::id(), self.attempts);
        self.say(&json!({"type": "play", "v": v, "cid": cid, "action": action}));
        self.wait("an answer", |m| matches!(m["type"].as_str(), Some("ack" | "error")) && m["cid"] == cid.as_str())
    }
}

/// A game between two persons at this browser.
pub fn hot_seat(size: u32) -> Value {
    json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "here"}], "rules": {"size": size}})
}

/// A game against a computer.
pub fn against(player: &str, size: u32) -> Value {
    json!({"game": "go", "seats": [{"kind": "here", "name": "Ada"}, {"kind": "computer", "player": player}], "rules": {"size": size}})
}

/// How often a fault is caused: the full number with `KIEBITZ_FAULTS=full`, a small one otherwise.
pub fn times(full: usize, small: usize) -> usize {
    if std::env::var("KIEBITZ_FAULTS").is_ok_and(|v| v == "full") { full } else { small }
}

/// A stream of numbers that look random, the same each time.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Bytes of memory that this process has resident.
#[cfg(target_os = "linux")]
pub fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("the system's figures");
    let pages: usize = text.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number");
    pages * 4096
}

/// The names of this process's threads.
#[cfg(target_os = "linux")]
pub fn threads() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("the system's list").flatten();
    // One that ends meanwhile has no name any more.
    tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
        .map(|n| n.trim().to_owned())
        .collect()
}

/// Samples a figure until told to stop; the largest one.
#[cfg(target_os = "linux")]
pub struct Peak {
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
    thread: std::thread::JoinHandle<usize>,
}

#[cfg(target_os = "linux")]
impl Peak {
    pub fn of_memory() -> Peak {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let flag = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut peak = 0;
            while !flag.load(Ordering::Relaxed) {
                peak = peak.max(resident());
                std::thread::sleep(Duration::from_millis(20));
            }
            peak
        });
        Peak { stop, thread }
    }

    pub fn end(self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("no panic")
    }
}

/// How long a bare echo takes on this machine while something else is measured: what is taken off a time before it is judged, for
/// others may be at work.
pub struct Beside {
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
    thread: std::thread::JoinHandle<Vec<Duration>>,
}

impl Beside {
    pub fn start() -> Beside {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let addr = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let _ = stream.set_nodelay(true);
            let mut byte = [0];
            while stream.read_exact(&mut byte).is_ok() && stream.write_all(&byte).is_ok() {}
        });
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let flag = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(addr).expect("a connection");
            let _ = stream.set_nodelay(true);
            let mut taken = Vec::new();
            while !flag.load(Ordering::Relaxed) {
                let since = Instant::now();
                let mut byte = [1];
                stream.write_all(&byte).expect("a byte is sent");
                stream.read_exact(&mut byte).expect("a byte comes back");
                taken.push(since.elapsed());
                std::thread::sleep(Duration::from_millis(5));
            }
            taken.sort_unstable();
            taken
        });
        Beside { stop, thread }
    }

    /// What each of these parts of the echoes took at most.
    pub fn end<const N: usize>(self, parts: [usize; N]) -> [Duration; N] {
        self.stop.store(true, Ordering::Relaxed);
        let taken = self.thread.join().expect("no panic");
        parts.map(|part| if taken.is_empty() { Duration::ZERO } else { percentile(&taken, part) })
    }
}

/// Milliseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// What stands at a part of a sorted list.
pub fn percentile(sorted: &[Duration], part: usize) -> Duration {
    sorted[(sorted.len() * part / 100).min(sorted.len() - 1)]
}

/// A connection from another address of this machine, and with a receive buffer of so many bytes.
pub fn connect_from(running: &Running, from: [u8; 4], buffer: Option<u32>) -> TcpStream {
    let stream = running.runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        if let Some(bytes) = buffer {
            socket.set_recv_buffer_size(bytes).expect("an option");
        }
        socket.bind((from, 0).into()).expect("an address of this machine");
        socket.connect(running.addr).await.expect("a connection")
    });
    let stream = stream.into_std().expect("a stream");
    stream.set_nonblocking(false).expect("an option");
    stream
}

/// Changes a few bytes of a text.
pub fn mutate(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len() + 1);
        match numbers.below(5) {
            0 if at < bytes.len() => bytes[at] = numbers.next() as u8,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, numbers.next() as u8),
            3 => bytes.truncate(at),
            _ => {
                let from = numbers.below(bytes.len() + 1);
                let piece = bytes[from.min(at)..from.max(at)].to_vec();
                let at = numbers.below(bytes.len() + 1);
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}
