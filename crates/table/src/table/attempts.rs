//! What pages asked for under names of their own, so that an attempt that comes twice is carried out once.

use std::collections::VecDeque;

use kiebitz_core::{DynGame, Seat};
use sha2::{Digest, Sha256};

use crate::events::Event;

/// So many names of attempts are remembered.
const MOST: usize = 64;

/// What is kept of a text, of which only needs to be known whether another one is the same. A table keeps many, and copies them with
/// every change.
type Mark = [u8; 16];

fn mark(text: &str) -> Mark {
    let digest = Sha256::digest(text.as_bytes());
    let mut mark = Mark::default();
    mark.iter_mut().zip(digest.iter()).for_each(|(to, from)| *to = *from);
    mark
}

/// The mark of an action. Notations differ in case at most.
fn action_mark(text: &str) -> Mark {
    mark(&text.trim().to_ascii_lowercase())
}

/// What a page asked for with an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// An action of a seat.
    Play(Option<Seat>, Box<str>),
    /// The resignation of a seat.
    Resign(Option<Seat>),
    /// To take back, for a seat.
    Undo(Option<Seat>),
    /// To do again, for a seat.
    Redo(Option<Seat>),
    /// To play on instead of counting.
    Resume,
}

/// What was carried out of a wish.
#[derive(Clone, Copy, Debug)]
enum Done {
    Play(Seat, Mark),
    Resign(Seat),
    Undo(Seat),
    Redo(Seat),
    Resume,
}

impl Done {
    fn of(event: &Event) -> Option<Self> {
        Some(match event {
            Event::Action { seat, action, .. } => Done::Play(*seat, action_mark(action)),
            Event::Forfeit { seat, .. } => Done::Resign(*seat),
            Event::Undo { resume: true, .. } => Done::Resume,
            Event::Undo { by, .. } => Done::Undo(*by),
            Event::Redo { by, .. } => Done::Redo(*by),
            _ => return None,
        })
    }

    /// Whether `again` asks for the same; a seat that it leaves out is the same.
    fn is_same(self, again: &Wish, game: &dyn DynGame) -> bool {
        let same_seat = |a: Seat, b: &Option<Seat>| b.is_none_or(|b| a == b);
        match (self, again) {
            (Done::Play(a, done), Wish::Play(b, text)) => {
                let same = |text: &str| done == action_mark(text);
                same_seat(a, b) && (same(text) || game.canonical(text).is_ok_and(|text| same(&text)))
            }
            (Done::Resign(a), Wish::Resign(b)) | (Done::Undo(a), Wish::Undo(b)) | (Done::Redo(a), Wish::Redo(b)) => {
                same_seat(a, b)
            }
            (Done::Resume, Wish::Resume) => true,
            _ => false,
        }
    }
}

/// What is known of an attempt's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The same was carried out and led to this version.
    Done(u32),
    /// Something else was carried out under this name.
    Other,
}

/// An attempt of a page that was carried out.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    name: Mark,
    /// The version it led to.
    v: u32,
    done: Done,
}

/// The last attempts that were carried out.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempts(VecDeque<Attempt>);

impl Attempts {
    /// Keeps the name of the attempt that led to an event, if it has one, with the version after it.
    pub(super) fn keep(&mut self, event: &Event, v: u32) {
        let Some((name, done)) = event.cid().zip(Done::of(event)) else { return };
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(Attempt { name: mark(name), v, done });
    }

    /// What is known of an attempt of this name, if it is one of the last.
    pub(super) fn known(&self, name: &str, wish: &Wish, game: &dyn DynGame) -> Option<Known> {
        let name = mark(name);
        let attempt = self.0.iter().find(|attempt| attempt.name == name)?;
        Some(if attempt.done.is_same(wish, game) { Known::Done(attempt.v) } else { Known::Other })
    }
}
