//! Records: JSON Lines, one header and one line per action or event, safe against a crash in the last line.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Map, Value};

use crate::{MAX_PLAYERS, Seat};

/// The largest record accepted, uncompressed.
pub const MAX_RECORD_BYTES: usize = 64 << 20;
/// The most lines a record may have.
pub const MAX_RECORD_LINES: usize = 1_000_000;
/// The version of the format this build reads and writes.
pub const RECORD_VERSION: u64 = 1;

/// What is wrong with a record, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// A stable code.
    pub code: &'static str,
    /// One sentence that says what is wrong and what would be right.
    pub message: String,
}

impl RecordError {
    /// A file of more than `limit` bytes, at least a MiB.
    pub fn too_large(limit: usize) -> Self {
        RecordError::new(1, "record.too_large", format!("the record is larger than {} MiB", limit >> 20))
    }

    fn new(line: usize, code: &'static str, message: impl Into<String>) -> Self {
        RecordError { line, code, message: message.into() }
    }
}

/// Who a line is by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A player.
    Seat(Seat),
    /// Chance.
    Chance,
    /// Nobody: a position set up in mid-game.
    Setup,
}

/// What a line says happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What<'a> {
    /// An action in the game's notation.
    Action(&'a str),
    /// An event.
    Event(&'a str),
    /// A position set up.
    Setup(&'a Value),
}

/// The first line: the game, its players, and every option that differs from its default. Unknown keys are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Header(Map<String, Value>);

impl Header {
    /// The header of a new record.
    pub fn new(game: &str, players: u8, rules: Map<String, Value>) -> Self {
        let mut map = Map::new();
        map.insert("kiebitz".to_owned(), RECORD_VERSION.into());
        map.insert("game".to_owned(), game.into());
        map.insert("players".to_owned(), players.into());
        if !rules.is_empty() {
            map.insert("rules".to_owned(), Value::Object(rules));
        }
        Header(map)
    }

    fn parse(map: Map<String, Value>, line: usize) -> Result<Self, RecordError> {
        let bad = |code, message: String| Err(RecordError::new(line, code, message));
        match map.get("kiebitz") {
            Some(v) if v.as_u64() == Some(RECORD_VERSION) => {}
            Some(v) => {
                let message =
                    format!("record version {} is not known, this build reads version {RECORD_VERSION}", short(v));
                return bad("record.version", message);
            }
            None => {
                let message = "the first line must be a header with \"kiebitz\":1, \"game\" and \"players\"".to_owned();
                return bad("record.header", message);
            }
        }
        if map.contains_key("by") {
            return bad("record.header", "the header is the first line and has no \"by\"".to_owned());
        }
        if map.get("game").and_then(Value::as_str).is_none() {
            return bad("record.header", "\"game\" must be the name of a game, as text".to_owned());
        }
        match map.get("players").and_then(Value::as_u64) {
            Some(n) if (1..=MAX_PLAYERS as u64).contains(&n) => {}
            _ => return bad("record.header", format!("\"players\" must be a number from 1 to {MAX_PLAYERS}")),
        }
        for key in ["rules", "expect"] {
            if map.get(key).is_some_and(|v| !v.is_object()) {
                return bad("record.header", format!("\"{key}\" must be an object {{…}}"));
            }
        }
        if let Some(names) = map.get("names") {
            let fine = names.as_array().is_some_and(|a| a.iter().all(Value::is_string));
            if !fine {
                return bad("record.header", "\"names\" must be a list of texts".to_owned());
            }
        }
        if map.get("seed").is_some_and(|v| v.as_u64().is_none()) {
            return bad("record.header", "\"seed\" must be a whole number from 0 to 18446744073709551615".to_owned());
        }
        Ok(Header(map))
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        self.0.get("game").and_then(Value::as_str).unwrap_or_default()
    }

    /// The number of players.
    pub fn players(&self) -> u8 {
        self.0.get("players").and_then(Value::as_u64).unwrap_or(0) as u8
    }

    /// The rule options that differ from their defaults.
    pub fn rules(&self) -> Map<String, Value> {
        self.0.get("rules").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// A position to start from.
    pub fn setup(&self) -> Option<&Value> {
        self.0.get("setup")
    }

    /// The seed of the game's luck.
    pub fn seed(&self) -> Option<u64> {
        self.0.get("seed").and_then(Value::as_u64)
    }

    /// The players' names.
    pub fn names(&self) -> Vec<String> {
        let names = self.0.get("names").and_then(Value::as_array);
        names.map(|a| a.iter().filter_map(Value::as_str).map(str::to_owned).collect()).unwrap_or_default()
    }

    /// The facts that must hold before the first action.
    pub fn expect(&self) -> Option<&Map<String, Value>> {
        self.0.get("expect").and_then(Value::as_object)
    }

    /// Any key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// All keys with their values, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// Sets any key but those that make it a header.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        debug_assert!(!matches!(key, "kiebitz" | "by"), "the key {key} is fixed");
        self.0.insert(key.to_owned(), value.into());
    }

    /// Removes a key.
    pub fn remove(&mut self, key: &str) {
        self.0.shift_remove(key);
    }
}

/// A further line: an action, an event or a set-up, perhaps with `expect`, `comment`, `clock_ms`, `eval`. Unknown keys are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Line(Map<String, Value>);

impl Line {
    /// The line of an action.
    pub fn action(by: By, text: &str) -> Self {
        Line::with(by, "action", Value::from(text))
    }

    /// The line of an event with its further keys.
    pub fn event(by: By, name: &str, data: Map<String, Value>) -> Self {
        let mut line = Line::with(by, "event", Value::from(name));
        line.0.extend(data);
        line
    }

    /// The line of a set-up in mid-game.
    pub fn setup(setup: Value) -> Self {
        Line::with(By::Setup, "setup", setup)
    }

    fn with(by: By, key: &str, value: Value) -> Self {
        let mut map = Map::new();
        let by = match by {
            By::Seat(seat) => Value::from(seat),
            By::Chance => Value::from("chance"),
            By::Setup => Value::from("setup"),
        };
        map.insert("by".to_owned(), by);
        map.insert(key.to_owned(), value);
        Line(map)
    }

    fn parse(map: Map<String, Value>, line: usize, players: u8) -> Result<Self, RecordError> {
        let bad = |message: String| Err(RecordError::new(line, "record.line", message));
        let by = match map.get("by") {
            Some(Value::String(s)) if s == "chance" => By::Chance,
            Some(Value::String(s)) if s == "setup" => By::Setup,
            Some(v) => match v.as_u64() {
                Some(n) if n < u64::from(players) => By::Seat(n as Seat),
                _ => {
                    let most = players.saturating_sub(1);
                    return bad(format!(
                        "\"by\" is {}, it must be a player from 0 to {most}, \"chance\" or \"setup\"",
                        short(v)
                    ));
                }
            },
            None => return bad("\"by\" is missing: a player's number, \"chance\" or \"setup\"".to_owned()),
        };
        let kinds = ["action", "event", "setup"].iter().filter(|k| map.contains_key(**k)).count();
        if kinds != 1 {
            return bad("a line has exactly one of \"action\", \"event\" and \"setup\"".to_owned());
        }
        for key in ["action", "event"] {
            if map.get(key).is_some_and(|v| !v.is_string()) {
                return bad(format!("\"{key}\" must be a text"));
            }
        }
        if map.contains_key("setup") != (by == By::Setup) {
            return bad("\"setup\" goes with \"by\":\"setup\"".to_owned());
        }
        if map.get("expect").is_some_and(|v| !v.is_object()) {
            return bad("\"expect\" must be an object {…}".to_owned());
        }
        Ok(Line(map))
    }

    /// Who it is by.
    pub fn by(&self) -> By {
        match self.0.get("by") {
            Some(Value::String(s)) if s == "chance" => By::Chance,
            Some(Value::Number(n)) => By::Seat(n.as_u64().unwrap_or(0) as Seat),
            _ => By::Setup,
        }
    }

    /// What it says happened.
    pub fn what(&self) -> What<'_> {
        if let Some(text) = self.0.get("action").and_then(Value::as_str) {
            What::Action(text)
        } else if let Some(name) = self.0.get("event").and_then(Value::as_str) {
            What::Event(name)
        } else {
            What::Setup(self.0.get("setup").unwrap_or(&Value::Null))
        }
    }

    /// The keys of an event besides those every line may have.
    pub fn event_data(&self) -> Map<String, Value> {
        const COMMON: [&str; 6] = ["by", "event", "expect", "comment", "clock_ms", "eval"];
        self.0.iter().filter(|(k, _)| !COMMON.contains(&k.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    /// The facts that must hold after it.
    pub fn expect(&self) -> Option<&Map<String, Value>> {
        self.0.get("expect").and_then(Value::as_object)
    }

    /// Any key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Sets any key but those that say what happened.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        debug_assert!(!matches!(key, "by" | "action" | "event" | "setup"), "the key {key} is fixed");
        self.0.insert(key.to_owned(), value.into());
    }
}

/// A whole record.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// The further lines.
    pub lines: Vec<Line>,
}

/// A record that was read, with what was odd about it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadRecord {
    /// The record.
    pub record: Record,
    /// The file's line of each of `record.lines` (blank lines are skipped).
    pub line_numbers: Vec<usize>,
    /// Sentences about what was dropped.
    pub warnings: Vec<String>,
}

impl Record {
    /// A record without lines.
    pub fn new(header: Header) -> Self {
        Record { header, lines: Vec::new() }
    }

    /// Reads a record, gzip-compressed or not.
    ///
    /// # Errors
    /// The first bad line. Only an unparsable last line without a newline is dropped, with a warning: a crash left it.
    pub fn read(bytes: &[u8]) -> Result<ReadRecord, RecordError> {
        let mut warnings = Vec::new();
        let unpacked;
        let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
            unpacked = unpack_gzip(bytes, MAX_RECORD_BYTES, &mut warnings)?;
            &unpacked[..]
        } else {
            bytes
        };
        if bytes.len() > MAX_RECORD_BYTES {
            return Err(RecordError::too_large(MAX_RECORD_BYTES));
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut header = None;
        let mut lines = Vec::new();
        let mut line_numbers = Vec::new();
        for (index, raw) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
            let number = index + 1;
            if number > MAX_RECORD_LINES {
                let message = format!("the record has more than {MAX_RECORD_LINES} lines");
                return Err(RecordError::new(number, "record.too_large", message));
            }
            let complete = raw.ends_with(b"\n");
            let trimmed = raw.trim_ascii();
            if trimmed.is_empty() {
                continue;
            }
            let map = match serde_json::from_slice::<Value>(trimmed) {
                Ok(Value::Object(map)) => map,
                Ok(_) => return Err(RecordError::new(number, "record.line", "a line must be a JSON object {…}")),
                Err(_) if !complete && header.is_some() => {
                    warnings.push(format!("line {number} is incomplete and was dropped"));
                    break;
                }
                Err(e) => {
                    let message = format!("this is not JSON: {} at column {}", json_problem(&e), e.column());
                    return Err(RecordError::new(number, "record.json", message));
                }
            };
            match &header {
                None => header = Some(Header::parse(map, number)?),
                Some(h) => {
                    lines.push(Line::parse(map, number, h.players())?);
                    line_numbers.push(number);
                }
            }
        }
        match header {
            Some(header) => Ok(ReadRecord { record: Record { header, lines }, line_numbers, warnings }),
            None => Err(RecordError::new(1, "record.empty", "the record is empty; its first line must be a header")),
        }
    }

    /// The record as text, one JSON object a line.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for map in std::iter::once(&self.header.0).chain(self.lines.iter().map(|l| &l.0)) {
            text.push_str(&serde_json::to_string(map).unwrap_or_default());
            text.push('\n');
        }
        text
    }

    /// The record gzip-compressed.
    pub fn to_gz(&self) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        // Writing into memory cannot fail.
        let _ = encoder.write_all(self.to_text().as_bytes());
        encoder.finish().unwrap_or_default()
    }
}

/// Unpacks gzip data to at most `limit` bytes (at least a MiB); a stream that ends early gives what it holds, with a warning.
///
/// # Errors
/// When it is too large or no gzip data.
pub fn unpack_gzip(bytes: &[u8], limit: usize, warnings: &mut Vec<String>) -> Result<Vec<u8>, RecordError> {
    let mut out = Vec::new();
    let mut decoder = MultiGzDecoder::new(bytes).take(limit as u64 + 1);
    match decoder.read_to_end(&mut out) {
        Ok(_) if out.len() > limit => Err(RecordError::too_large(limit)),
        Ok(_) => Ok(out),
        Err(_) if !out.is_empty() => {
            warnings.push("the compressed data is damaged or ends early; what could be read was used".to_owned());
            Ok(out)
        }
        Err(_) => Err(RecordError::new(1, "record.gzip", "the file looks like gzip but cannot be unpacked")),
    }
}

/// The JSON library's sentence without its own position.
fn json_problem(e: &serde_json::Error) -> String {
    let text = e.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// A value shortened for a message.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 { text } else { text.chars().take(40).chain(['…']).collect() }
}
