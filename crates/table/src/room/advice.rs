//! Hints and what-ifs: only for who asked, from what the seat to move knows.

use std::sync::Arc;

use serde_json::Map;

use super::{Advice, Command, Room};
use crate::protocol::server::ServerMessage;
use crate::queue::{Job, Place, Priority, Work};
use crate::refusal::Refusal;
use crate::think;

impl Room {
    /// Whether a page may ask for advice now: hints are allowed, and its seat is to move. What is refused here depends on nothing that
    /// is hidden.
    pub(super) fn may_be_advised(&self, id: u64) -> Result<(), Refusal> {
        if !self.hints_allowed() {
            return Err(Refusal::new(403, "hints.off", "hints are off: not all players have agreed to them"));
        }
        self.playing_now()?;
        let mine = self.connections.get(&id).map_or(&[][..], |c| &c.seats);
        if !self.table.turn().is_some_and(|turn| mine.contains(&turn)) {
            return Err(Refusal::new(422, "turn.other", "a hint is for the player to move"));
        }
        Ok(())
    }

    /// Queues a hint, or with an action a what-if, for a page whose seat is to move.
    pub(super) fn give_hint(&mut self, id: u64, number: u32, action: Option<String>) -> Result<(), Refusal> {
        self.may_be_advised(id)?;
        let Some(connection) = self.connections.get(&id) else { return Ok(()) };
        let peer = if connection.owner { None } else { connection.peer };
        let (v, time) = (self.table.v, self.app.config.limits.hint_time);
        let position = self.position();
        let commands = self.commands.clone();
        let tell: think::Tell = Arc::new(move |message, done| {
            let _ = commands.blocking_send(Command::Advice(id, number, Box::new(message), done));
        });
        let asked = action.clone();
        let work: Work = match action {
            None => Box::new(move |control| think::hint(&position, number, v, time, control, &tell)),
            Some(action) => {
                Box::new(move |control| think::what_if(&position, &action, number, v, time / 2, control, &tell))
            }
        };
        let commands = self.commands.clone();
        let panicked = Box::new(move || {
            let message = ServerMessage::Error {
                code: "player.failed".to_owned(),
                message: "the computer failed; nothing was changed, try again".to_owned(),
                cid: None,
                id: Some(number),
                v: Some(v),
                retry_after: None,
            };
            let _ = commands.blocking_send(Command::Advice(id, number, Box::new(message), true));
        });
        // The new question replaces the old one, which must not hold a place in the queue meanwhile.
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.advice = None;
        }
        let ticket = self.app.queue.submit(Job { priority: Priority::Hint, peer, wall: None, work, panicked })?;
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.advice = Some(Advice { id: number, ticket, what_if: asked });
        }
        self.tell_advice_places();
        Ok(())
    }

    pub(super) fn forward_advice(&mut self, id: u64, number: u32, message: &ServerMessage, done: bool) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if connection.advice.as_ref().is_none_or(|advice| advice.id != number) {
            return;
        }
        if done {
            connection.advice = None;
        }
        self.send(id, message);
    }

    /// Tells who waits for advice how many are before them.
    pub(super) fn tell_advice_places(&self) {
        let v = self.table.v;
        for (&id, connection) in &self.connections {
            let Some(advice) = &connection.advice else { continue };
            let Place::Waiting(before) = advice.ticket.place() else { continue };
            let queued = Some(before as u32);
            let message = match &advice.what_if {
                None => ServerMessage::Hint {
                    id: advice.id,
                    v,
                    seat: self.table.turn().unwrap_or(0),
                    queued,
                    area: None,
                    candidates: Vec::new(),
                    visits: 0,
                    details: Map::new(),
                    done: false,
                },
                Some(action) => ServerMessage::WhatIf {
                    id: advice.id,
                    v,
                    queued,
                    action: action.clone(),
                    loss: None,
                    loss_in_points: false,
                    mistake: false,
                    best: String::new(),
                    pv: Vec::new(),
                    done: false,
                },
            };
            self.send(id, &message);
        }
    }
}
