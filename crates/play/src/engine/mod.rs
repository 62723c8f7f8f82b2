//! The engine of `kiebitz engine`: queries and answers as JSON Lines, for all games, after the model of KataGo's analysis
//! engine. `docs/engine.md` describes the protocol.
//!
//! A query names a game, its actions so far, and the positions to look at. Several are looked at at once, and answered as they
//! finish. Everything goes through the erased layer: a new game needs nothing here. Queries about Go may also come in KataGo's
//! own form, and are then answered in it.

mod answer;
mod commands;
mod fields;
mod katago;
mod lines;
mod look;
mod masked;
mod output;
mod query;
mod workers;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::thread::JoinHandle;

use serde_json::{Map, Value};

use crate::WallClock;
use fields::{Fields, Problem};
use workers::Shared;

pub use katago::{ReportAs, UnknownReportAs};
pub use lines::MAX_LINE_BYTES;
pub use query::{MAX_ACTIONS, MAX_ID_BYTES};
pub use workers::{MAX_WAITING, MAX_WAITING_BYTES};

/// How an engine works where a query does not say it.
#[derive(Clone, Copy, Debug)]
pub struct EngineConfig {
    /// Positions looked at at the same time, at least 1.
    pub threads: usize,
    /// Visits for a query in KataGo's form without `maxVisits`.
    pub visits: u64,
    /// The seed of queries without `seed`.
    pub seed: u64,
    /// From whose view win rates, points and ownership are given in KataGo's form.
    pub report_as: ReportAs,
    /// Moves after the first in a line given in KataGo's form.
    pub pv_len: usize,
    /// At the end of the input, stop what is unfinished instead of finishing it.
    pub quit_without_waiting: bool,
}

impl Default for EngineConfig {
    fn default() -> Self {
        EngineConfig {
            threads: 1,
            visits: 500,
            seed: 0,
            report_as: ReportAs::Black,
            pv_len: 15,
            quit_without_waiting: false,
        }
    }
}

/// An engine at work.
#[derive(Debug)]
pub struct Engine {
    config: EngineConfig,
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Engine {
    /// Starts the threads; answers are written to `output`, one JSON object a line.
    pub fn start(config: EngineConfig, output: Box<dyn Write + Send>) -> Self {
        let (output, writer) = output::start(output);
        let shared = Arc::new(Shared::new(output, Box::new(WallClock::start())));
        let workers = (0..config.threads.max(1))
            .map(|worker| {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || shared.work(worker))
            })
            .collect();
        Engine { config, shared, workers, writer }
    }

    /// Takes in one line: a query, or an action such as `terminate`. What is wrong with it is answered as an error; an empty
    /// line is nothing.
    pub fn line(&self, line: &[u8]) {
        // Some editors put a byte order mark before a text.
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return;
        }
        if line.len() > MAX_LINE_BYTES {
            return self.too_long();
        }
        let map = match serde_json::from_slice::<Value>(line) {
            Ok(Value::Object(map)) => map,
            Ok(_) => return self.refuse(None, &none("a query must be a JSON object {…}")),
            Err(e) => return self.refuse(None, &none(format!("this line is not JSON: {e}"))),
        };
        let id = match map.get("id") {
            Some(Value::String(id)) if id.is_empty() => {
                return self.refuse(None, &Problem::of("id", "it is empty; give every query a text that names it"));
            }
            Some(Value::String(id)) if id.len() <= MAX_ID_BYTES => id.clone(),
            Some(Value::String(_)) => {
                return self.refuse(None, &Problem::of("id", format!("it is longer than {MAX_ID_BYTES} bytes")));
            }
            _ => return self.refuse(None, &Problem::of("id", "a query must have an \"id\", a text")),
        };
        match map.get("action").filter(|action| !action.is_null()) {
            None => self.query(&id, &map, line.len()),
            Some(Value::String(action)) => {
                if let Err(problem) = commands::run(&self.shared, action, &map) {
                    self.refuse(Some(&id), &problem);
                }
            }
            Some(_) => self.refuse(Some(&id), &Problem::of("action", "it must be a text")),
        }
    }

    fn query(&self, id: &str, map: &Map<String, Value>, bytes: usize) {
        if self.shared.is_open(id) {
            return self.refuse(Some(id), &workers::id_in_use());
        }
        let mut fields = Fields::new(map);
        fields.get("id");
        fields.get("action");
        let mut warnings = Vec::new();
        let read = if katago::query::is_meant(&fields) {
            katago::query::read(id, &mut fields, &self.config, bytes, &mut warnings)
        } else {
            query::own(id, &mut fields, &self.config, bytes)
        };
        match read {
            Ok(query) => {
                warnings.extend(answer::unused(fields.unused()));
                warnings.iter().for_each(|w| self.shared.output.send(&answer::warning(id, w)));
                if let Err(problem) = self.shared.submit(query) {
                    self.refuse(Some(id), &problem);
                }
            }
            Err(problem) => self.refuse(Some(id), &problem),
        }
    }

    fn refuse(&self, id: Option<&str>, problem: &Problem) {
        self.shared.output.send(&answer::error(id, problem));
    }

    fn too_long(&self) {
        self.refuse(None, &none(format!("this line is longer than {MAX_LINE_BYTES} bytes and was skipped")));
    }

    /// Nobody reads the answers any more.
    pub fn is_closed(&self) -> bool {
        self.shared.output.is_closed()
    }

    /// Ends every query: those being looked at are answered with what they have, the others without results.
    pub fn terminate_all(&self) {
        self.shared.terminate(|_, _| true);
    }

    /// Waits until everything is answered.
    ///
    /// # Errors
    /// When the answers cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.shared.end();
        for worker in self.workers {
            // A worker catches the panics of what it does.
            let _ = worker.join();
        }
        self.shared.output.end();
        self.writer.join().unwrap_or_else(|_| Err(io::Error::other("the writer of answers ended early")))
    }
}

fn none(message: impl Into<String>) -> Problem {
    Problem { field: None, message: message.into() }
}

/// Answers the lines of `input` until it ends or nobody reads the answers.
///
/// # Errors
/// When the input cannot be read or the answers cannot be written.
pub fn serve(mut input: impl BufRead, output: Box<dyn Write + Send>, config: EngineConfig) -> io::Result<()> {
    let engine = Engine::start(config, output);
    let read = loop {
        match lines::next(&mut input) {
            Ok(None) => break Ok(()),
            Ok(Some(_)) if engine.is_closed() => break Ok(()),
            Ok(Some(lines::Line::Whole(line))) => engine.line(&line),
            Ok(Some(lines::Line::TooLong)) => engine.too_long(),
            Err(e) => break Err(e),
        }
    };
    if config.quit_without_waiting || engine.is_closed() {
        engine.terminate_all();
    }
    engine.finish().and(read)
}
