//! Taking back, and doing again.

use kiebitz_core::{Illegal, Seat};
use serde_json::{Value, json};

use super::{Kind, Made, Table};
use crate::protocol::common::Phase;

/// Whether a step was a decision of one of these seats.
fn is_decision(made: Made<'_>, seats: &[Seat]) -> bool {
    made.kind == Kind::Action && made.by.is_some_and(|by| seats.contains(&by))
}

fn shown() -> Illegal {
    Illegal::new("undo.shown", "what was hidden then has been shown since: nothing before that can be taken back")
}

impl Table {
    /// Takes back steps; with `resume` to play on instead of counting.
    pub(super) fn undo(&mut self, steps: u32, resume: bool) -> Result<(), Illegal> {
        let increment = self.increment();
        let mut back = Vec::new();
        for _ in 0..steps {
            let nothing = || Illegal::new("undo.nothing", "there is nothing to take back");
            let made = self.made.last().ok_or_else(nothing)?;
            if !self.game.undo() {
                return Err(nothing());
            }
            back.insert(0, json!({"by": made.by, made.kind.name(): made.action}));
            // Or time could be made by playing and taking back. The time the step took stays used.
            if let Some(left) = made.earns().and_then(|seat| self.left_ms.get_mut(usize::from(seat))) {
                *left = left.saturating_sub(increment);
            }
            self.undone.push(made);
            self.made.pop();
        }
        self.counted = false;
        let left = self.made.len() as u32;
        let mut gone: Vec<Value> = self.taken_back.split_off(&left).into_values().flatten().collect();
        gone.push(if resume { json!({"resumed": back}) } else { json!({"taken_back": back}) });
        self.taken_back.insert(left, gone);
        Ok(())
    }

    /// How many steps go back to the last decision of one of these seats; `None` when there is none, or something that was hidden
    /// then has been shown since: in a game that hides something chance deals anew when a deal has ended and its hands are open.
    pub fn steps_back(&self, seats: &[Seat]) -> Option<u32> {
        let hides = self.game.meta().hidden;
        let since = self.made.iter().rev().take_while(|m| !hides || m.by.is_some());
        since.enumerate().find(|&(_, m)| is_decision(m, seats)).map(|(i, _)| i as u32 + 1)
    }

    /// Why nothing can be taken back for these seats.
    pub fn no_way_back(&self, seats: &[Seat]) -> Illegal {
        let decided = self.made.iter().any(|m| is_decision(m, seats));
        if decided && self.game.meta().hidden {
            shown()
        } else {
            Illegal::new("undo.nothing", "there is nothing to take back")
        }
    }

    /// Whether the end of the game may be taken back, if it is over: not when it has shown what was hidden, nor when the time is gone
    /// that playing on would need.
    ///
    /// # Errors
    /// What to tell who wants to take it back.
    pub fn may_undo_end(&self) -> Result<(), Illegal> {
        if self.phase() != Phase::Over {
            return Ok(());
        }
        if self.game.meta().hidden {
            return Err(shown());
        }
        if !self.left_ms.is_empty() && self.made.last().is_some_and(|m| m.kind == Kind::Timeout) {
            let message = "a loss on time cannot be taken back, no time is left to play on: play on from its review";
            return Err(Illegal::new("undo.time", message));
        }
        Ok(())
    }

    /// How many steps go forward to the next decision of one of these seats, or to the end of what was taken back.
    pub fn steps_forward(&self, seats: &[Seat]) -> Option<u32> {
        if self.undone.is_empty() {
            return None;
        }
        let mut game = self.game.clone_box();
        let mut steps = 0;
        while steps < self.undone.len() as u32 && game.redo() {
            steps += 1;
            if game.turn().seat().is_some_and(|seat| seats.contains(&seat)) {
                break;
            }
        }
        (steps > 0).then_some(steps)
    }

    /// Whether something was taken back that can be done again.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}
