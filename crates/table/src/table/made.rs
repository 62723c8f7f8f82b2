//! The steps of a game, small: a table keeps them all, and every change begins with a copy of the table.

use kiebitz_core::Seat;

/// What a step was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Action,
    Resign,
    Timeout,
    Dead,
    Setup,
}

impl Kind {
    /// Its name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Action => "action",
            Kind::Resign => "resign",
            Kind::Timeout => "timeout",
            Kind::Dead => "dead",
            Kind::Setup => "setup",
        }
    }
}

/// A step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made<'a> {
    pub(super) by: Option<Seat>,
    pub(super) kind: Kind,
    pub(super) action: &'a str,
    pub(super) ms: Option<u32>,
}

impl Made<'_> {
    /// The seat to which it brought an increment, on a clock that gives one.
    pub(super) fn earns(&self) -> Option<Seat> {
        self.by.filter(|_| self.kind == Kind::Action)
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    by: Option<Seat>,
    kind: Kind,
    /// Where the action's text ends in the common text; it begins where that of the step before ends.
    end: u32,
    ms: Option<u32>,
}

/// Steps in their order. The texts of all actions stand one after the other in one text: a text of its own for each would take
/// twenty times the room.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    entries: Vec<Entry>,
    text: String,
}

impl Steps {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn clear(&mut self) {
        *self = Steps::default();
    }

    pub(super) fn push(&mut self, made: Made<'_>) {
        // A copy is as large as its content, and mostly one step is added to it: doubling would leave half of it unused.
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(8 + self.entries.len() / 8);
        }
        self.text.push_str(made.action);
        let Made { by, kind, ms, .. } = made;
        self.entries.push(Entry { by, kind, end: u32::try_from(self.text.len()).unwrap_or(u32::MAX), ms });
    }

    fn get(&self, index: usize) -> Option<Made<'_>> {
        let &Entry { by, kind, end, ms } = self.entries.get(index)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.entries[before].end);
        let action = self.text.get(begin as usize..end as usize).unwrap_or_default();
        Some(Made { by, kind, action, ms })
    }

    pub(super) fn last(&self) -> Option<Made<'_>> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Drops the last step.
    pub(super) fn pop(&mut self) {
        self.entries.pop();
        self.text.truncate(self.entries.last().map_or(0, |last| last.end as usize));
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Made<'_>> + ExactSizeIterator {
        (0..self.len()).map(|index| self.get(index).expect("an index below the length"))
    }
}
