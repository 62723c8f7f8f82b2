//! Writing answers: one thread writes, so that nobody waits for a slow reader.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use serde_json::Value;

use crate::terminal::escaped_json;

/// Reports during a search are dropped while so many lines wait to be written.
const MANY_LINES: usize = 1_000;

/// What the writer and the others share.
#[derive(Debug, Default)]
struct Flow {
    waiting: AtomicUsize,
    closed: AtomicBool,
}

/// Where answers go.
#[derive(Debug)]
pub(crate) struct Output {
    lines: Sender<Option<String>>,
    flow: Arc<Flow>,
}

/// Starts a writer.
pub(crate) fn start(to: Box<dyn Write + Send>) -> (Output, JoinHandle<io::Result<()>>) {
    let (lines, from) = channel();
    let flow = Arc::new(Flow::default());
    let shared = Arc::clone(&flow);
    let writer = std::thread::spawn(move || {
        let result = write(to, &from, &shared);
        if result.is_err() {
            shared.closed.store(true, Ordering::Relaxed);
        }
        result
    });
    (Output { lines, flow }, writer)
}

fn write(mut to: Box<dyn Write + Send>, from: &Receiver<Option<String>>, flow: &Flow) -> io::Result<()> {
    while let Ok(Some(line)) = from.recv() {
        let more = flow.waiting.fetch_sub(1, Ordering::Relaxed) > 1;
        to.write_all(line.as_bytes())?;
        if !more {
            to.flush()?;
        }
    }
    to.flush()
}

impl Output {
    /// Writes one line.
    pub fn send(&self, line: &Value) {
        self.flow.waiting.fetch_add(1, Ordering::Relaxed);
        // Ids and fields are echoed as they came, and somebody may look at the output. Where the writer has ended nobody reads
        // any more.
        let _ = self.lines.send(Some(escaped_json(&line.to_string()) + "\n"));
    }

    /// Writes one line that nobody misses when the reader is slow.
    pub fn send_if_idle(&self, line: &Value) {
        if self.flow.waiting.load(Ordering::Relaxed) < MANY_LINES {
            self.send(line);
        }
    }

    /// Nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.flow.closed.load(Ordering::Relaxed)
    }

    /// No more lines come.
    pub fn end(&self) {
        let _ = self.lines.send(None);
    }
}
