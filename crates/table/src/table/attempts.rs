//! What pages asked for under names of their own, so that an attempt that comes twice is carried out once.

use kiebitz_core::{DynGame, Seat};

use crate::events::Event;

/// An attempt of a page that was carried out.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) name: Box<str>,
    /// The version it led to.
    pub(super) v: u32,
    pub(super) wish: Wish,
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

impl Wish {
    /// What led to an event.
    pub(super) fn of(event: &Event) -> Option<Self> {
        Some(match event {
            Event::Action { seat, action, .. } => Wish::Play(Some(*seat), action.as_str().into()),
            Event::Forfeit { seat, .. } => Wish::Resign(Some(*seat)),
            Event::Undo { resume: true, .. } => Wish::Resume,
            Event::Undo { by, .. } => Wish::Undo(Some(*by)),
            Event::Redo { by, .. } => Wish::Redo(Some(*by)),
            _ => return None,
        })
    }

    /// Whether `again` asks for the same; a seat that it leaves out is the same.
    pub(super) fn is_same(&self, again: &Wish, game: &dyn DynGame) -> bool {
        let same_seat = |a: &Option<Seat>, b: &Option<Seat>| b.is_none() || a == b;
        match (self, again) {
            (Wish::Play(a, done), Wish::Play(b, text)) => {
                let same = |text: &str| done.eq_ignore_ascii_case(text);
                same_seat(a, b) && (same(text.trim()) || game.canonical(text).is_ok_and(|text| same(&text)))
            }
            (Wish::Resign(a), Wish::Resign(b)) | (Wish::Undo(a), Wish::Undo(b)) | (Wish::Redo(a), Wish::Redo(b)) => {
                same_seat(a, b)
            }
            (Wish::Resume, Wish::Resume) => true,
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
