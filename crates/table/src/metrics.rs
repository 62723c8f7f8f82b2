//! Ten counters, for the owner.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is counted since the start.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Connections accepted.
    pub connections: AtomicU64,
    /// Connections closed at once because there were too many.
    pub connections_refused: AtomicU64,
    /// HTTP requests.
    pub requests: AtomicU64,
    /// HTTP requests refused (status 400 and above).
    pub requests_refused: AtomicU64,
    /// WebSocket messages from pages.
    pub messages: AtomicU64,
    /// WebSocket messages refused.
    pub messages_refused: AtomicU64,
    /// Events written.
    pub events: AtomicU64,
    /// Events that could not be written.
    pub events_failed: AtomicU64,
    /// Wrong tokens.
    pub wrong_tokens: AtomicU64,
    /// Tables or computers that panicked.
    pub panics: AtomicU64,
}

impl Metrics {
    /// Counts one.
    pub fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The counters as Prometheus text.
    pub fn text(&self, computer_panics: u64) -> String {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let rows = [
            ("connections_total", read(&self.connections)),
            ("connections_refused_total", read(&self.connections_refused)),
            ("requests_total", read(&self.requests)),
            ("requests_refused_total", read(&self.requests_refused)),
            ("messages_total", read(&self.messages)),
            ("messages_refused_total", read(&self.messages_refused)),
            ("events_total", read(&self.events)),
            ("events_failed_total", read(&self.events_failed)),
            ("wrong_tokens_total", read(&self.wrong_tokens)),
            ("panics_total", read(&self.panics) + computer_panics),
        ];
        let mut text = String::new();
        for (name, value) in rows {
            let _ = writeln!(text, "# TYPE kiebitz_{name} counter\nkiebitz_{name} {value}");
        }
        text
    }
}
