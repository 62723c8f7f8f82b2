//! The computers at the table: their moves, and the dead stones at the end.

use std::sync::Arc;
use std::time::Instant;

use kiebitz_core::Seat;
use kiebitz_play::clock::{ClockState as Clocks, TimeSettings};

use super::{Command, Room, TICK, Thought, views};
use crate::events::Event;
use crate::go;
use crate::identity;
use crate::minds::Chair;
use crate::protocol::common::{ClockSetting, Phase, SeatKind};
use crate::protocol::server::ServerMessage;
use crate::queue::{Job, Place, Priority, Turned, Work};
use crate::think::{self, Choice, Position};

impl Room {
    /// Lets computers go on: queues what is to be thought about, once.
    pub(super) fn drive(&mut self) {
        self.again = false;
        let watched = !self.connections.is_empty() || self.table.people() > 0;
        match self.table.phase() {
            Phase::Playing if watched => {
                let Some(seat) = self.table.turn() else { return };
                if self.computer.is_none()
                    && let Some(spec) = self.table.computer(seat).map(str::to_owned)
                {
                    self.begin_move(seat, spec);
                }
            }
            Phase::Scoring if self.assessment.is_none() && self.assessing.is_none() => self.begin_assessment(),
            _ => {}
        }
    }

    /// Who the computing for this table counts for; `None` is the owner.
    pub(super) fn payer(&self) -> Option<std::net::IpAddr> {
        if self.connections.values().any(|c| c.owner) { None } else { self.payer }
    }

    pub(super) fn position(&self) -> Position {
        let seed = identity::new_seed().unwrap_or(u64::from(self.table.v));
        Position { entry: self.table.entry, game: self.table.game.clone_box(), seed }
    }

    /// The clocks as they stand, for a computer.
    fn clocks(&self) -> Clocks {
        let players = self.table.seats.len() as Seat;
        let milliseconds = std::time::Duration::from_millis;
        let settings = match self.table.create.clock {
            ClockSetting::None {} => return Clocks::unlimited(players),
            ClockSetting::Absolute { main_ms } => TimeSettings::Absolute { main: milliseconds(main_ms) },
            ClockSetting::Fischer { main_ms, increment_ms } => {
                TimeSettings::Fischer { main: milliseconds(main_ms), increment: milliseconds(increment_ms) }
            }
        };
        let mut clocks = Clocks::new(settings, players);
        for (seat, left) in self.clock().left_ms.iter().enumerate() {
            clocks.set_time_left(seat as Seat, milliseconds(*left), 0);
        }
        clocks
    }

    fn begin_move(&mut self, seat: Seat, spec: String) {
        let position = self.position();
        let chair = Chair {
            game: self.table.id.clone(),
            seat,
            spec,
            seed: self.table.mind_seed(),
            clock: self.clocks(),
            since: Instant::now(),
        };
        let app = self.app.clone();
        let (v, commands) = (self.table.v, self.commands.clone());
        let fail = self.app.panics_now();
        let failed = commands.clone();
        let work: Work = Box::new(move |control| {
            assert!(!fail, "a test wants this computer to panic");
            if let Some(result) = think::choose(&position, &chair, &app.minds, control) {
                let thought = result.map_or(Thought::Failed, Thought::Chosen);
                let _ = commands.blocking_send(Command::Thought(v, thought));
            }
            Turned::Done
        });
        let mut wall = self.app.config.limits.move_time;
        if let Some(&left) = self.table.left_ms.get(usize::from(seat)) {
            // Not all of the time for one move. A mind knows its clock and plans for itself.
            let part = if go::state(self.table.game.as_ref()).is_some() { 4 } else { 20 };
            wall = wall.min(std::time::Duration::from_millis((left / part).max(50)));
        }
        let panicked = Box::new(move || {
            let _ = failed.blocking_send(Command::Thought(v, Thought::Failed));
        });
        let job = Job { priority: Priority::Move, peer: self.payer(), wall: Some(wall), work, panicked };
        match self.app.queue.submit(job) {
            Ok(ticket) => {
                self.computer = Some((seat, ticket));
                self.tell_thinking();
            }
            Err(_) => self.again = true,
        }
    }

    pub(super) async fn thought(&mut self, v: u32, thought: Thought) {
        if v != self.table.v || self.table.phase() != Phase::Playing {
            return;
        }
        let Some(seat) = self.table.turn().filter(|&s| self.table.computer(s).is_some()) else { return };
        self.computer = None;
        let ms = Some(self.turn_ms());
        let chosen = match thought {
            Thought::Chosen(Choice::Play(action)) => self.table.action(seat, &action, None, ms).ok(),
            Thought::Chosen(Choice::Resign) => Some(Event::Forfeit { seat, timeout: false, cid: None }),
            Thought::Failed => None,
        };
        // A player that fails or plays what is not allowed does not stop the game.
        let fallen_back = || {
            let action = think::fall_back(self.table.game.as_ref())?;
            self.table.action(seat, &action, None, ms).ok()
        };
        let Some(event) = chosen.or_else(fallen_back) else { return };
        match self.append(&event).await {
            Ok(_) => self.changed(),
            Err(_) => {
                // The disk may have space again soon: the computer thinks once more then.
                self.again = true;
            }
        }
    }

    fn begin_assessment(&mut self) {
        let position = self.position();
        let (v, commands) = (self.table.v, self.commands.clone());
        let failed = commands.clone();
        let seed = self.table.mind_seed();
        let work: Work = Box::new(move |control| {
            let assessment = go::assessment(position.game.as_ref(), seed, &control.stop);
            if control.is_cancelled() {
                return Turned::Done;
            }
            if control.is_preempted() {
                return Turned::More;
            }
            let _ = commands.blocking_send(Command::Assessed(v, assessment.map(Box::new)));
            Turned::Done
        });
        let panicked = Box::new(move || {
            let _ = failed.blocking_send(Command::Assessed(v, None));
        });
        // The players wait for it as for a move: behind hints it would never come while many computers play.
        let job = Job { priority: Priority::Move, peer: self.payer(), wall: None, work, panicked };
        match self.app.queue.submit(job) {
            Ok(ticket) => self.assessing = Some(ticket),
            Err(_) => self.again = true,
        }
    }

    pub(super) async fn assessed(&mut self, v: u32, assessment: Option<Box<kiebitz_go::status::Assessment>>) {
        if v != self.table.v || self.table.phase() != Phase::Scoring {
            return;
        }
        self.assessing = None;
        if let (Some(assessment), Some(go)) = (&assessment, go::state(self.table.game.as_ref())) {
            self.dead = go::names(&assessment.dead(), go.size());
            self.accepted.fill(false);
        }
        self.assessment = assessment;
        for (seat, accepted) in self.accepted.iter_mut().enumerate() {
            *accepted = self.table.seats[seat].made.kind == SeatKind::Computer;
        }
        // Where no person is, the computers' list stands.
        if self.table.people() == 0 {
            let _ = self.count_when_accepted().await;
        } else {
            self.broadcast();
        }
    }

    /// Now and then while somebody thinks.
    pub(super) fn tick(&mut self) {
        if self.again {
            self.drive();
        }
        self.tell_thinking();
        self.tell_advice_places();
    }

    fn tell_thinking(&self) {
        let Some((seat, ticket)) = &self.computer else { return };
        let (ms, queued) = match ticket.place() {
            Place::Waiting(before) => (0, Some(before as u32)),
            Place::Running(time) => (time.as_millis() as u32, None),
            Place::Gone => return,
        };
        let message: Arc<str> = views::text(&ServerMessage::Thinking { seat: *seat, ms, queued });
        for connection in self.connections.values() {
            connection.outbox.thinking(message.clone());
        }
        debug_assert!(TICK.as_millis() >= 200, "at most five times a second");
    }
}
