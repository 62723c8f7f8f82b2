//! What each page is told: built for its seats, from what those may know.

use std::collections::HashMap;
use std::sync::Arc;

use kiebitz_core::{Observer, Seat};
use serde_json::{Value, json};

use super::Room;
use crate::go;
use crate::protocol::common::{ClockSetting, ClockState, Phase, SeatInfo, SeatKind};
use crate::protocol::server::{ServerMessage, TableState, You};

/// A message as text.
pub(super) fn text(message: &ServerMessage) -> Arc<str> {
    serde_json::to_string(message).unwrap_or_default().into()
}

impl Room {
    /// The seats with who is there.
    pub(super) fn seat_infos(&self) -> Vec<SeatInfo> {
        let now = self.app.now();
        let mut infos = self.table.seat_infos();
        for info in &mut infos {
            if info.kind != SeatKind::Computer {
                info.online = self.is_online(info.seat);
                let away = self.away_since.get(&info.seat).filter(|_| !info.online);
                info.away_ms = away.map(|&since| now.saturating_sub(since).as_millis() as u64);
            }
        }
        infos
    }

    /// Whether hints may be asked for at this table.
    pub(super) fn hints_allowed(&self) -> bool {
        self.table.hints || self.table.people() <= 1
    }

    /// Whose view a connection with these seats gets, and whether a curtain is closed.
    fn view_of(&self, seats: &[Seat], looked: Option<Seat>) -> (Option<Seat>, bool) {
        let turn = self.table.turn().filter(|t| seats.contains(t));
        if seats.len() > 1 && !self.table.is_open() {
            let shown = turn.filter(|&t| looked == Some(t));
            return (shown, turn.is_some() && shown.is_none());
        }
        (turn.or(seats.first().copied()), false)
    }

    pub(super) fn clock(&self) -> ClockState {
        let setting = self.table.create.clock;
        let running = self.left_now().and(self.table.turn());
        let mut left_ms = self.table.left_ms.clone();
        if let (Some(seat), Some(left)) = (running, self.left_now())
            && let Some(mine) = left_ms.get_mut(usize::from(seat))
        {
            *mine = left;
        }
        if setting == ClockSetting::default() {
            left_ms.clear();
        }
        ClockState { setting, left_ms, running }
    }

    /// The game as it stands, for these seats.
    fn state(&self, seats: &[Seat], looked: Option<Seat>) -> TableState {
        let (phase, turn) = (self.table.phase(), self.table.turn());
        let (view_of, curtain) = self.view_of(seats, looked);
        let mine = turn.is_some() && turn == view_of && phase == Phase::Playing;
        let game = self.table.game.as_ref();
        let mut view = self.table.view(view_of);
        if self.app.config.faults.leak
            && let Value::Object(view) = &mut view
        {
            view.insert(
                "leak".to_owned(),
                json!([game.legal(), self.table.create.seed, game.view(Observer::Omniscient)]),
            );
        }
        let scoring = match phase {
            Phase::Scoring => go::scoring(game, self.assessment.as_deref(), &self.dead, &self.accepted),
            _ => None,
        };
        let may_undo = self.may_undo(seats) && self.table.may_undo_end().is_ok();
        let outcome = self.table.outcome();
        let by_score = outcome.as_ref().is_some_and(|o| o.how == "score");
        TableState {
            v: self.table.v,
            phase,
            view,
            view_of,
            curtain,
            legal: if mine { game.legal() } else { Vec::new() },
            turn,
            ply: self.table.ply(),
            moves: self.table.moves_seen(view_of),
            seats: self.seat_infos(),
            clock: self.clock(),
            can_undo: may_undo && self.table.steps_back(seats).is_some(),
            can_redo: may_undo && self.table.can_redo(),
            hints: !seats.is_empty() && self.hints_allowed() && phase == Phase::Playing,
            asked: self.question.as_ref().map(|q| q.asked.clone()),
            scoring,
            count: if by_score { go::final_count(game) } else { None },
            outcome,
            rematch: self.rematch.clone(),
        }
    }

    /// Whether a connection with these seats may take back at all: a finished game only where nobody else plays.
    pub(super) fn may_undo(&self, seats: &[Seat]) -> bool {
        !seats.is_empty() && (self.table.phase() != Phase::Over || self.others(seats).is_empty())
    }

    pub(super) fn looked(&self, id: u64) -> Option<Seat> {
        let looked = self.connections.get(&id)?.looked;
        looked.filter(|&(_, v)| v == self.table.v).map(|(seat, _)| seat)
    }

    /// Sends the state to one page.
    pub(super) fn send_state(&self, id: u64) {
        let Some(connection) = self.connections.get(&id) else { return };
        let state = self.state(&connection.seats, self.looked(id));
        connection.outbox.state(text(&ServerMessage::State(state)));
    }

    /// Sends the state to all pages; those with the same seats get the same text.
    pub(super) fn broadcast(&self) {
        let mut texts: HashMap<(&[Seat], Option<Seat>), Arc<str>> = HashMap::new();
        for (&id, connection) in &self.connections {
            let key = (connection.seats.as_slice(), self.looked(id));
            let message =
                texts.entry(key).or_insert_with(|| text(&ServerMessage::State(self.state(&connection.seats, key.1))));
            connection.outbox.state(message.clone());
        }
    }

    pub(super) fn welcome(&self, id: u64) {
        let Some(connection) = self.connections.get(&id) else { return };
        let rules = self.table.header().rules();
        let message = ServerMessage::Welcome {
            id: self.table.id.to_string(),
            game: self.table.game.id().to_owned(),
            title: self.table.title.clone(),
            you: You { seats: connection.seats.clone(), owner: connection.owner },
            rules,
            seed_hash: self.table.seed_hash(),
            server: env!("CARGO_PKG_VERSION").to_owned(),
        };
        connection.outbox.send(text(&message));
    }

    /// Tells everybody but one who is there.
    pub(super) fn presence(&self, but: Option<u64>) {
        let spectators = self.connections.values().filter(|c| c.seats.is_empty()).count() as u32;
        let message = text(&ServerMessage::Presence { seats: self.seat_infos(), spectators });
        for (_, connection) in self.connections.iter().filter(|(id, _)| Some(**id) != but) {
            connection.outbox.send(message.clone());
        }
    }

    pub(super) fn send(&self, id: u64, message: &ServerMessage) {
        if let Some(connection) = self.connections.get(&id) {
            connection.outbox.send(text(message));
        }
    }
}
