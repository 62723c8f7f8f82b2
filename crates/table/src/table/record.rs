//! The game as a record, for everybody or for one seat.

use kiebitz_core::record::{Header, Line, Record, What};
use kiebitz_core::{Illegal, Seat};

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
    ///
    /// # Errors
    /// Never for a game whose log could be replayed.
    pub fn record_for(&self, seat: Seat) -> Result<Option<Record>, Illegal> {
        if let Some(record) = self.record() {
            return Ok(Some(record));
        }
        let whole = self.game.record();
        let positions = whole.lines.iter().any(|line| matches!(line.what(), What::Setup(_)));
        if positions || whole.header.setup().is_some() {
            return Ok(None);
        }
        let mut header = Header::new(whole.header.game(), whole.header.players(), whole.header.rules());
        let names = self.names();
        if names.iter().any(|n| !n.is_empty()) {
            header.set("names", names);
        }
        if !self.title.is_empty() {
            header.set("title", self.title.as_str());
        }
        let unplayable = |e: kiebitz_core::SetupError| Illegal { code: e.code, message: e.message };
        let mut game = self.entry.game.start(&whole.header, 0).map_err(unplayable)?;
        let mut lines = Vec::with_capacity(whole.lines.len());
        for line in &whole.lines {
            lines.push(match line.what() {
                What::Action(action) => Line::action(line.by(), &game.masked(action, seat)?),
                What::Event(name) => Line::event(line.by(), name, line.event_data()),
                What::Setup(_) => return Ok(None),
            });
            game.perform(line)?;
        }
        Ok(Some(Record { header, lines }))
    }
}
