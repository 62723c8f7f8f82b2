//! The game as a record, for everybody or for one seat.

use kiebitz_core::Seat;
use kiebitz_core::record::{Header, Line, Record, What};

use super::Table;
use crate::protocol::common::Phase;

impl Table {
    /// The record; `None` while something in it is hidden. The seed is in it only at the end.
    pub fn record(&self) -> Option<Record> {
        if !self.is_open() {
            return None;
        }
        let names = self.names();
        let given = names.iter().any(|n| !n.is_empty());
        let mut record =
            kiebitz_play::save::record_of(self.game.as_ref(), if given { &names } else { &[] }, self.source.as_deref());
        if self.phase() != Phase::Over {
            record.header.remove("seed");
            record.header.remove("result");
            // What an imported file told of its end stays true until somebody plays on.
            if self.made.len() == self.begun as usize
                && let Some(told) = self.create.header.get("result")
            {
                record.header.set("result", told.clone());
            }
        }
        for (key, value) in &self.create.header {
            if record.header.get(key).is_none() && key != "result" {
                record.header.set(key, value.clone());
            }
        }
        if !self.title.is_empty() {
            record.header.set("title", self.title.as_str());
        }
        for (index, made) in self.made.iter().enumerate() {
            if let (Some(line), Some(ms)) = (record.lines.get_mut(index), made.ms) {
                line.set("clock_ms", ms);
            }
        }
        for (&steps, what) in &self.taken_back {
            match record.lines.get_mut(steps as usize) {
                Some(line) => line.set("before", what.clone()),
                None => record.header.set("after", what.clone()),
            }
        }
        Some(record)
    }

    /// The record as one seat sees it: whole when nothing is hidden any more, else with `?` for what the seat may not know, and
    /// without what was taken back. `None` where that cannot be told apart: a game that began with a position.
    pub fn record_for(&self, seat: Seat) -> Option<Record> {
        if let Some(record) = self.record() {
            return Some(record);
        }
        let whole = self.game.record();
        if whole.header.setup().is_some() {
            return None;
        }
        let mut header = Header::new(whole.header.game(), whole.header.players(), whole.header.rules());
        let names = self.names();
        if names.iter().any(|n| !n.is_empty()) {
            header.set("names", names);
        }
        if !self.title.is_empty() {
            header.set("title", self.title.as_str());
        }
        let mut lines = Vec::with_capacity(whole.lines.len());
        for (line, seen) in whole.lines.iter().zip(self.game.seen_steps(Some(seat))) {
            lines.push(match line.what() {
                What::Action(_) => Line::action(line.by(), &seen.action),
                What::Event(name) => Line::event(line.by(), name, line.event_data()),
                What::Setup(_) => return None,
            });
        }
        Some(Record { header, lines })
    }
}
