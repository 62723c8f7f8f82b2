//! Talks to the GTP program of this process: whole scripts, or line by line as front ends do.
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use kiebitz_play::gtp::{self, GtpOptions};

/// A fast player: one thread, so many visits a move.
pub fn options(spec: &str) -> GtpOptions {
    let mut options = GtpOptions::new(spec.parse().expect("a spec"), 1);
    options.time = Duration::from_millis(20);
    options.lag = Duration::from_millis(1);
    options
}

/// What the program answers to all of `input` at once.
pub fn answers(options: GtpOptions, input: &[u8]) -> String {
    let mut output = Vec::new();
    gtp::run(options, Cursor::new(input.to_vec()), &mut output).expect("a player");
    String::from_utf8(output).expect("UTF-8")
}

/// The replies to `input`, without the empty lines.
pub fn replies(input: &str) -> Vec<String> {
    let text = answers(options("random"), input.as_bytes());
    text.split("\n\n").filter(|r| !r.is_empty()).map(str::to_owned).collect()
}

/// Each command with its reply must be these, one after the other.
#[track_caller]
pub fn expect(dialogue: &[(&str, &str)]) {
    let input: String = dialogue.iter().map(|(command, _)| format!("{command}\n")).collect();
    let found = replies(&input);
    for (i, (command, expected)) in dialogue.iter().enumerate() {
        assert_eq!(found.get(i).map(String::as_str), Some(*expected), "reply {i}, to '{command}'");
    }
    assert_eq!(found.len(), dialogue.len(), "{found:?}");
}

/// The end of a channel of bytes as input; it ends with the channel.
pub struct Pipe {
    receiver: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Pipe {
    pub fn new() -> (Sender<Vec<u8>>, Pipe) {
        let (sender, receiver) = channel();
        (sender, Pipe { receiver, rest: Vec::new() })
    }
}

impl Read for Pipe {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            match self.receiver.recv() {
                Ok(bytes) => self.rest = bytes,
                Err(_) => return Ok(0),
            }
        }
        let n = self.rest.len().min(out.len());
        out[..n].copy_from_slice(&self.rest[..n]);
        self.rest.drain(..n);
        Ok(n)
    }
}

struct Lines {
    sender: Sender<String>,
    rest: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.rest)).expect("UTF-8");
                let _ = self.sender.send(line);
            } else {
                self.rest.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A running program.
pub struct Talk {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    thread: Option<JoinHandle<()>>,
}

/// Nothing takes so long: a test that waits for more has failed.
pub const PATIENCE: Duration = Duration::from_secs(100);

impl Talk {
    pub fn new(options: GtpOptions) -> Self {
        let (input, pipe) = Pipe::new();
        let (sender, output) = channel();
        let thread = std::thread::spawn(move || {
            let lines = Lines { sender, rest: Vec::new() };
            gtp::run(options, pipe, lines).expect("a player");
        });
        Talk { input: Some(input), output, thread: Some(thread) }
    }

    /// Sends text as it is.
    pub fn send(&self, text: &str) {
        self.input.as_ref().expect("an open pipe").send(text.as_bytes().to_vec()).expect("somebody reads");
    }

    /// The next line of output.
    #[track_caller]
    pub fn line(&self) -> String {
        self.output.recv_timeout(PATIENCE).expect("a line of output")
    }

    /// Lines up to the next empty one.
    #[track_caller]
    pub fn reply(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                return lines;
            }
            lines.push(line);
        }
    }

    /// Sends a command and returns its reply.
    #[track_caller]
    pub fn ask(&self, command: &str) -> String {
        self.send(&format!("{command}\n"));
        self.reply().join("\n")
    }

    /// Ends the input; what is still written, line by line.
    pub fn end(mut self) -> Vec<String> {
        self.input.take();
        self.thread.take().expect("a thread").join().expect("no panic");
        self.output.iter().collect()
    }
}

/// Commands whose reply goes on until the next line.
fn is_analysis(line: &str) -> bool {
    line.split_whitespace().any(|w| matches!(w, "lz-analyze" | "kata-analyze" | "analyze"))
}

/// Commands that answer with a move the search chose.
fn chooses(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = words.iter().find(|w| !w.bytes().all(|b| b.is_ascii_digit())).copied().unwrap_or_default();
    name.contains("genmove") || name.starts_with("kata-search")
}

/// Runs a script as a front end would, waiting for each reply, and for a line of every analysis. What a search finds is masked.
pub fn transcript(options: GtpOptions, script: &str) -> String {
    let talk = Talk::new(options);
    let mut out = String::new();
    let mut open = false;
    let show = |line: &str, out: &mut String| {
        let shown = mask(line);
        if !shown.starts_with("info") || !out.ends_with(&format!("{shown}\n")) {
            out.push_str(&shown);
            out.push('\n');
        }
    };
    for line in script.lines() {
        if line.starts_with("//") {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        talk.send(&format!("{line}\n"));
        if open {
            for late in talk.reply() {
                show(&late, &mut out);
            }
            out.push('\n');
            open = false;
        }
        out.push_str(&format!("> {line}\n"));
        let silent = line.split('#').next().unwrap_or_default().trim().is_empty();
        if silent {
            continue;
        }
        let first = talk.line();
        if first.starts_with('=') && is_analysis(line) {
            show(&first, &mut out);
            show(&talk.line(), &mut out);
            open = true;
            continue;
        }
        if first.starts_with('=') && chooses(line) {
            out.push_str(&chosen(&first));
            out.push('\n');
        } else {
            show(&first, &mut out);
        }
        for more in talk.reply() {
            show(&more, &mut out);
        }
        out.push('\n');
    }
    let rest = talk.end();
    for line in rest.iter().filter(|l| !l.is_empty()) {
        show(line, &mut out);
    }
    out
}

/// `= D4` as `= MOVE`.
fn chosen(reply: &str) -> String {
    match reply.split_once(' ') {
        Some((head, text)) if is_move(text) => format!("{head} MOVE"),
        _ => reply.to_owned(),
    }
}

fn is_move(text: &str) -> bool {
    let mut bytes = text.bytes();
    let letter = bytes.next().is_some_and(|b| b.is_ascii_uppercase());
    text == "pass" || text == "resign" || letter && bytes.len() > 0 && bytes.all(|b| b.is_ascii_digit())
}

/// The shape of a line that a search wrote; another line as it is.
fn mask(line: &str) -> String {
    if let Some(mv) = line.strip_prefix("play ").filter(|mv| is_move(mv)) {
        return format!("play {}", if is_move(mv) { "MOVE" } else { mv });
    }
    if line.starts_with("{\"winrate\"") {
        return cgos_shape(line);
    }
    if !line.starts_with("info ") {
        return line.to_owned();
    }
    let mut keys: Vec<String> = Vec::new();
    let mut count = 0;
    let mut infos = 0;
    let close = |keys: &mut Vec<String>, count: usize| {
        if let Some(last) = keys.last_mut()
            && count > 1
        {
            *last += &format!("[{count}]");
        }
    };
    for word in line.split(' ') {
        let value = word.parse::<f64>().is_ok() || is_move(word);
        if value {
            count += 1;
            continue;
        }
        if word == "info" {
            infos += 1;
        }
        // Lines of moves differ in length.
        if !matches!(keys.last().map(String::as_str), Some("pv" | "pvVisits")) {
            close(&mut keys, count);
        }
        count = 0;
        keys.push(word.to_owned());
    }
    if !matches!(keys.last().map(String::as_str), Some("pv" | "pvVisits")) {
        close(&mut keys, count);
    }
    // One candidate stands for all; they must be alike.
    let blocks: Vec<String> = keys.join(" ").split("info ").skip(1).map(|b| b.trim().to_owned()).collect();
    let head = |b: &str| b.split(" rootInfo").next().unwrap_or_default().split(" ownership").next().map(str::to_owned);
    let shapes: std::collections::BTreeSet<_> = blocks.iter().filter_map(|b| head(b)).collect();
    assert!(shapes.len() <= 1, "candidates of one line differ in shape: {shapes:?}");
    assert_eq!(blocks.len(), infos);
    let tail = blocks.last().cloned().unwrap_or_default();
    format!("info {tail}")
}

fn cgos_shape(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let keys = |v: &serde_json::Value| v.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    let moves = value["moves"].as_array().expect("moves");
    let ownership = value["ownership"].as_str().map_or(0, str::len);
    format!("info JSON: {}; moves: {}; ownership of {ownership}", keys(&value), keys(&moves[0]))
}

/// Compares a text with the golden file of this name; `KIEBITZ_BLESS=1` writes the file instead.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = data(name);
    if std::env::var_os("KIEBITZ_BLESS").is_some() {
        std::fs::write(&path, text).expect("the golden file");
        return;
    }
    let expected = std::fs::read_to_string(&path).expect("the golden file");
    if expected != text {
        let same = expected.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
        panic!(
            "{name}, line {}:\n expected {:?}\n found    {:?}\n the whole text:\n{text}",
            same + 1,
            expected.lines().nth(same),
            text.lines().nth(same)
        );
    }
}

/// A file of `tests/data/gtp`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp").join(name)
}

/// A script of `tests/data/gtp`.
#[track_caller]
pub fn script(name: &str) -> String {
    std::fs::read_to_string(data(name)).expect("a script")
}
