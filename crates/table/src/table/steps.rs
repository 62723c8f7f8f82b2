//! Taking back, and doing again.

use kiebitz_core::{Illegal, Seat};
use serde_json::{Value, json};

use super::{Kind, Made, Table};

impl Table {
    /// Takes back steps; with `resume` to play on instead of counting.
    pub(super) fn undo(&mut self, steps: u32, resume: bool) -> Result<(), Illegal> {
        let mut back = Vec::new();
        for _ in 0..steps {
            let nothing = || Illegal::new("undo.nothing", "there is nothing to take back");
            let made = self.made.last().ok_or_else(nothing)?;
            if !self.game.undo() {
                return Err(nothing());
            }
            back.insert(0, json!({"by": made.by, made.kind.name(): made.action}));
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

    /// How many steps go back to the last decision of one of these seats; `None` when there is none.
    pub fn steps_back(&self, seats: &[Seat]) -> Option<u32> {
        let mine = |m: Made<'_>| m.kind == Kind::Action && m.by.is_some_and(|by| seats.contains(&by));
        self.made.iter().rev().position(mine).map(|i| i as u32 + 1)
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
