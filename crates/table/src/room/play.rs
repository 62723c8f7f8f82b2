//! What people say at the table: moves, undo, scoring, questions among the seats.

use kiebitz_core::Seat;

use super::{Question, Room};
use crate::app::App;
use crate::events::{Create, Event};
use crate::go;
use crate::lobby;
use crate::protocol::client::ClientMessage;
use crate::protocol::common::{Asked, Phase, SeatKind};
use crate::protocol::server::ServerMessage;
use crate::refusal::Refusal;
use crate::table::{Known, SeatHolder, Wish};

/// The longest name of an attempt.
const MOST_CID: usize = 40;
/// The longest text of an action that is looked at.
const MOST_ACTION: usize = 200;

fn over() -> Refusal {
    Refusal::new(422, "turn.over", "the game is over")
}

/// What a message refers to, for the answer.
#[derive(Default)]
struct About {
    cid: Option<String>,
    id: Option<u32>,
}

impl Room {
    pub(super) async fn say(&mut self, id: u64, message: ClientMessage) {
        if !self.connections.contains_key(&id) {
            return;
        }
        let mut about = About::default();
        match &message {
            ClientMessage::Play { cid, .. }
            | ClientMessage::Resign { cid, .. }
            | ClientMessage::Undo { cid, .. }
            | ClientMessage::Redo { cid, .. }
            | ClientMessage::ResumePlay { cid, .. } => about.cid = Some(cid.chars().take(MOST_CID).collect()),
            ClientMessage::Hint { id, .. } | ClientMessage::WhatIf { id, .. } => about.id = Some(*id),
            _ => {}
        }
        let result = self.obey(id, message).await;
        if let Err(refusal) = result {
            self.refuse(id, refusal, about);
        }
    }

    fn refuse(&mut self, id: u64, refusal: Refusal, about: About) {
        crate::metrics::Metrics::count(&self.app.metrics.messages_refused);
        let stale = refusal.code == "stale";
        self.send(
            id,
            &ServerMessage::Error {
                code: refusal.code,
                message: refusal.message,
                cid: about.cid,
                id: about.id,
                v: stale.then_some(self.table.v),
                retry_after: refusal.retry_after,
            },
        );
        if stale {
            self.send_state(id);
        }
    }

    async fn obey(&mut self, id: u64, message: ClientMessage) -> Result<(), Refusal> {
        match message {
            ClientMessage::Hello { .. } => Err(Refusal::new(400, "hello", "hello was said already")),
            ClientMessage::Ping { n } => {
                self.send(id, &ServerMessage::Pong { n });
                Ok(())
            }
            ClientMessage::Play { v, cid, action, seat } => {
                if action.len() > MOST_ACTION {
                    return Err(Refusal::new(400, "action", "the action is too long"));
                }
                if self.repeated(id, &cid, &Wish::Play(seat, action.as_str().into()))? {
                    return Ok(());
                }
                let seat = self.seat_of(id, seat)?;
                self.fresh(v)?;
                self.playing_now()?;
                let ms = self.turn_ms();
                let event = self.table.action(seat, &action, Some(cid.clone()), Some(ms))?;
                self.carry_out(id, cid, &event).await
            }
            ClientMessage::Resign { v, cid, seat } => {
                if self.repeated(id, &cid, &Wish::Resign(seat))? {
                    return Ok(());
                }
                let seat = self.seat_of(id, seat)?;
                self.fresh(v)?;
                // Also while the dead stones are discussed: who resigns then gives up the game.
                if self.table.phase() == Phase::Over {
                    return Err(over());
                }
                let event = Event::Forfeit { seat, timeout: false, cid: Some(cid.clone()) };
                self.carry_out(id, cid, &event).await
            }
            ClientMessage::Undo { v, cid, seat } => self.take_back(id, v, cid, seat, false).await,
            ClientMessage::Redo { v, cid, seat } => self.take_back(id, v, cid, seat, true).await,
            ClientMessage::Answer { id: number, yes, seat } => self.answer(id, number, yes, seat).await,
            ClientMessage::Hint { v, id: number } => {
                self.fresh(v)?;
                self.give_hint(id, number, None)
            }
            ClientMessage::WhatIf { v, id: number, action } => {
                self.fresh(v)?;
                // Whether an action is possible tells the cards of the seat to move: nobody else learns it.
                self.may_be_advised(id)?;
                if action.len() > MOST_ACTION {
                    return Err(Refusal::new(400, "action", "the action is too long"));
                }
                let action = self.table.game.canonical(&action)?;
                self.table.game.check(&action)?;
                self.give_hint(id, number, Some(action))
            }
            ClientMessage::Stop { id: number } => {
                if let Some(connection) = self.connections.get_mut(&id) {
                    connection.advice.take_if(|advice| advice.id == number);
                }
                Ok(())
            }
            ClientMessage::MoveNow { v } => {
                self.seat_of(id, None)?;
                self.fresh(v)?;
                if let Some((_, ticket)) = &self.computer {
                    ticket.finish_now();
                }
                Ok(())
            }
            ClientMessage::ToggleDead { v, stone } => {
                self.seat_of(id, None)?;
                self.fresh(v)?;
                self.toggle_dead(&stone)
            }
            ClientMessage::AcceptScore { v, dead, seat } => {
                let seats = self.seats_of(id, seat)?;
                self.fresh(v)?;
                self.accept_score(&seats, dead).await
            }
            ClientMessage::ResumePlay { v, cid } => {
                if self.repeated(id, &cid, &Wish::Resume)? {
                    return Ok(());
                }
                let by = self.seat_of(id, None)?;
                self.fresh(v)?;
                if self.table.phase() == Phase::Over {
                    return Err(over());
                }
                if self.table.phase() != Phase::Scoring {
                    return Err(Refusal::new(422, "scoring.not", "there is nothing to resume: play has not stopped"));
                }
                let steps = go::passes(self.table.game.as_ref());
                let event = Event::Undo { steps, by, cid: Some(cid.clone()), resume: true, ms: None };
                self.carry_out(id, cid, &event).await
            }
            ClientMessage::AskHints { seat } => {
                let seats = self.seats_of(id, seat)?;
                if self.hints_allowed() {
                    return Ok(());
                }
                self.ask(id, "hints", &seats, Event::Hints, None).await
            }
            ClientMessage::Rematch {} => self.rematch(id).await,
            ClientMessage::Look { seat } => {
                self.seat_of(id, Some(seat))?;
                let v = self.table.v;
                if let Some(connection) = self.connections.get_mut(&id) {
                    connection.looked = Some((seat, v));
                }
                self.send_state(id);
                Ok(())
            }
        }
    }

    /// Whether this very attempt was carried out before; it is answered then.
    fn repeated(&self, id: u64, cid: &str, wish: &Wish) -> Result<bool, Refusal> {
        if cid.is_empty() || cid.chars().count() > MOST_CID {
            return Err(Refusal::new(400, "cid", format!("cid must have 1 to {MOST_CID} characters")));
        }
        match self.table.known(&self.full_cid(id, cid), wish) {
            Some(Known::Done(v)) => {
                self.send(id, &ServerMessage::Ack { cid: cid.to_owned(), v });
                Ok(true)
            }
            Some(Known::Other) => {
                let message = "something else was done under this cid already; take a new one for each attempt";
                Err(Refusal::new(409, "cid.reused", message))
            }
            None => Ok(false),
        }
    }

    /// Two pages may choose the same name for different attempts.
    fn full_cid(&self, id: u64, cid: &str) -> String {
        let seat = self.connections.get(&id).and_then(|c| c.seats.first().copied());
        format!("{}:{cid}", seat.map_or(String::new(), |s| s.to_string()))
    }

    fn fresh(&self, v: u32) -> Result<(), Refusal> {
        if v == self.table.v {
            return Ok(());
        }
        Err(Refusal::new(409, "stale", format!("the game has moved on: version {}, not {v}", self.table.v)))
    }

    /// The seat a message is for: the one named, else the seat to move when it is the sender's, else the sender's first.
    fn seat_of(&self, id: u64, seat: Option<Seat>) -> Result<Seat, Refusal> {
        let mine = self.connections.get(&id).map_or(&[][..], |c| &c.seats);
        let not_yours = || Refusal::new(403, "seat.not_yours", "this seat is not yours");
        match seat {
            Some(seat) if mine.contains(&seat) => Ok(seat),
            Some(_) => Err(not_yours()),
            None => {
                let turn = self.table.turn().filter(|t| mine.contains(t));
                turn.or(mine.first().copied()).ok_or_else(not_yours)
            }
        }
    }

    fn seats_of(&self, id: u64, seat: Option<Seat>) -> Result<Vec<Seat>, Refusal> {
        match seat {
            Some(seat) => Ok(vec![self.seat_of(id, Some(seat))?]),
            None => {
                self.seat_of(id, None)?;
                Ok(self.connections.get(&id).map(|c| c.seats.clone()).unwrap_or_default())
            }
        }
    }

    async fn carry_out(&mut self, id: u64, cid: String, event: &Event) -> Result<(), Refusal> {
        let full = self.full_cid(id, &cid);
        let mut event = event.clone();
        event.name(full);
        let v = self.append(&event).await?;
        self.send(id, &ServerMessage::Ack { cid, v });
        self.changed();
        Ok(())
    }

    /// Seats of persons that a connection with these seats does not hold.
    pub(super) fn others(&self, seats: &[Seat]) -> Vec<Seat> {
        let person = |&seat: &Seat| {
            let holder = &self.table.seats[usize::from(seat)];
            holder.made.kind != SeatKind::Computer && holder.taken && !seats.contains(&seat)
        };
        (0..self.table.seats.len() as Seat).filter(person).collect()
    }

    async fn take_back(&mut self, id: u64, v: u32, cid: String, seat: Option<Seat>, redo: bool) -> Result<(), Refusal> {
        let wish = if redo { Wish::Redo(seat) } else { Wish::Undo(seat) };
        if self.repeated(id, &cid, &wish)? {
            return Ok(());
        }
        let by = self.seat_of(id, seat)?;
        self.fresh(v)?;
        let seats = self.seats_of(id, seat)?;
        let mine = self.seats_of(id, None)?;
        if !self.may_undo(&mine) {
            return Err(Refusal::new(422, "turn.over", "the game is over: play on from its review"));
        }
        self.table.may_undo_end()?;
        let event = if redo {
            let nothing = || Refusal::new(422, "undo.nothing", "there is nothing to do again");
            let steps = self.table.steps_forward(&seats).ok_or_else(nothing)?;
            Event::Redo { steps, by, cid: None, ms: None }
        } else {
            let steps = self.table.steps_back(&seats).ok_or_else(|| self.table.no_way_back(&seats))?;
            Event::Undo { steps, by, cid: None, resume: false, ms: None }
        };
        if self.others(&mine).is_empty() {
            return self.carry_out(id, cid, &event).await;
        }
        let what = if redo { "redo" } else { "undo" };
        self.ask(id, what, &seats, event, Some(cid)).await
    }

    /// Asks the other persons; when there are none, it is done at once.
    async fn ask(
        &mut self,
        id: u64,
        what: &str,
        seats: &[Seat],
        event: Event,
        cid: Option<String>,
    ) -> Result<(), Refusal> {
        let mine = self.seats_of(id, None)?;
        let waiting_for = self.others(&mine);
        if self.question.is_some() {
            return Err(Refusal::new(409, "asked", "another question is still open"));
        }
        if waiting_for.is_empty() {
            self.append(&event).await?;
            self.changed();
            return Ok(());
        }
        self.questions += 1;
        let by = seats.first().copied().unwrap_or(0);
        let asked = Asked { id: self.questions, what: what.to_owned(), by, waiting_for };
        self.question = Some(Question { asked, event, cid: cid.map(|cid| (id, cid)) });
        self.broadcast();
        Ok(())
    }

    async fn answer(&mut self, id: u64, number: u32, yes: bool, seat: Option<Seat>) -> Result<(), Refusal> {
        let seats = self.seats_of(id, seat)?;
        let Some(question) = self.question.as_mut().filter(|q| q.asked.id == number) else {
            return Err(Refusal::new(409, "asked.gone", "that question is no longer open"));
        };
        let asker = seats.contains(&question.asked.by);
        if !yes && (asker || seats.iter().any(|s| question.asked.waiting_for.contains(s))) {
            self.question = None;
            self.broadcast();
            return Ok(());
        }
        question.asked.waiting_for.retain(|s| !seats.contains(s));
        if !question.asked.waiting_for.is_empty() {
            self.broadcast();
            return Ok(());
        }
        self.do_what_was_asked().await
    }

    /// Does what a question was about: all have agreed.
    async fn do_what_was_asked(&mut self) -> Result<(), Refusal> {
        let Some(Question { mut event, cid, .. }) = self.question.take() else { return Ok(()) };
        if let Some((asker, cid)) = &cid {
            event.name(self.full_cid(*asker, cid));
        }
        let v = self.append(&event).await?;
        if let Some((asker, cid)) = cid {
            self.send(asker, &ServerMessage::Ack { cid, v });
        }
        self.changed();
        Ok(())
    }

    /// A seat is free again: nothing waits for it any more, and what its holder asked or agreed to does not count. What the others
    /// were waiting for is done when nobody else is left to agree.
    pub(super) async fn seat_is_free(&mut self, seat: Seat) {
        self.rematch.retain(|&s| s != seat);
        if let Some(accepted) = self.accepted.get_mut(usize::from(seat)) {
            *accepted = false;
        }
        self.question.take_if(|q| q.asked.by == seat);
        let mut all = false;
        if let Some(question) = &mut self.question {
            question.asked.waiting_for.retain(|&s| s != seat);
            all = question.asked.waiting_for.is_empty();
        }
        // What cannot be done, such as on a full disk, can be asked for again.
        let _ = match self.table.phase() {
            _ if all => self.do_what_was_asked().await,
            Phase::Scoring if self.accepted.contains(&true) => self.count_when_accepted().await,
            Phase::Over if !self.rematch.is_empty() && !self.rematched => self.rematch_when_wanted().await,
            _ => Ok(()),
        };
    }

    /// Whether actions are played now; while dead stones are discussed that is told, not that the game is over.
    pub(super) fn playing_now(&self) -> Result<(), Refusal> {
        match self.table.phase() {
            Phase::Playing => Ok(()),
            Phase::Scoring => Err(Refusal::new(
                422,
                "scoring.open",
                "both have passed: agree on the dead stones, or resume play before another move",
            )),
            Phase::Over => Err(over()),
        }
    }

    fn scoring_now(&self) -> Result<(), Refusal> {
        match self.table.phase() {
            Phase::Scoring => Ok(()),
            _ => Err(Refusal::new(422, "scoring.not", "dead stones are agreed after both have passed")),
        }
    }

    fn toggle_dead(&mut self, stone: &str) -> Result<(), Refusal> {
        self.scoring_now()?;
        let chain = go::chain(self.table.game.as_ref(), stone)
            .ok_or_else(|| Refusal::new(422, "go.dead", "there is no stone on that point"))?;
        if chain.iter().any(|s| self.dead.contains(s)) {
            self.dead.retain(|s| !chain.contains(s));
        } else {
            self.dead.extend(chain);
        }
        self.accepted.fill(false);
        self.broadcast();
        Ok(())
    }

    async fn accept_score(&mut self, seats: &[Seat], mut dead: Vec<String>) -> Result<(), Refusal> {
        self.scoring_now()?;
        let mut mine = self.dead.clone();
        mine.sort_unstable();
        dead.sort_unstable();
        dead.dedup();
        if mine != dead {
            return Err(Refusal::new(409, "stale", "the list of dead stones has changed"));
        }
        for &seat in seats {
            if let Some(accepted) = self.accepted.get_mut(usize::from(seat)) {
                *accepted = true;
            }
        }
        self.count_when_accepted().await
    }

    /// Counts the game when every person has accepted: computers accept what people accept.
    pub(super) async fn count_when_accepted(&mut self) -> Result<(), Refusal> {
        let open = |(seat, accepted): (usize, &bool)| {
            let holder = &self.table.seats[seat];
            holder.made.kind != SeatKind::Computer && holder.taken && !accepted
        };
        if self.accepted.iter().enumerate().any(open) {
            self.broadcast();
            return Ok(());
        }
        let dead = std::mem::take(&mut self.dead);
        if let Err(refusal) = self.append(&Event::Counted { dead: dead.clone() }).await {
            self.dead = dead;
            return Err(refusal);
        }
        self.changed();
        Ok(())
    }

    async fn rematch(&mut self, id: u64) -> Result<(), Refusal> {
        let seats = self.seats_of(id, None)?;
        if self.table.phase() != Phase::Over {
            return Err(Refusal::new(422, "rematch.early", "a rematch follows when the game is over"));
        }
        let made = self.rematched || self.app.store.rematch_of(self.table.id.to_string()).await?.is_some();
        if made {
            return Err(Refusal::new(409, "rematch.done", "the other game was made already"));
        }
        for seat in seats {
            if !self.rematch.contains(&seat) {
                self.rematch.push(seat);
            }
        }
        self.rematch_when_wanted().await
    }

    /// Makes the rematch when every person wants it.
    async fn rematch_when_wanted(&mut self) -> Result<(), Refusal> {
        if !self.others(&self.rematch).is_empty() {
            self.broadcast();
            return Ok(());
        }
        self.rematched = true;
        let made = self.make_rematch(&self.app.clone()).await;
        if made.is_err() {
            self.rematched = false;
        }
        made
    }

    /// The same game with everybody one seat further.
    async fn make_rematch(&mut self, app: &App) -> Result<(), Refusal> {
        let players = self.table.seats.len();
        let further = |seat: Seat| ((usize::from(seat) + 1) % players) as Seat;
        let mut seats: Vec<_> = self.table.seats.iter().map(|h| h.made.clone()).collect();
        seats.rotate_right(1);
        let old = &self.table.create;
        let mut header = old.header.clone();
        // Names come from the seats. What else stands in the header of an import tells of that game: its moves, comments and result.
        header.retain(|key, _| matches!(key.as_str(), "kiebitz" | "game" | "players" | "rules" | "setup"));
        let create = Create {
            header,
            seats,
            clock: old.clock,
            seed: String::new(),
            salt: String::new(),
            hints: self.table.hints,
            rolls: Vec::new(),
            parent: None,
        };
        let person = |h: &SeatHolder| h.taken && h.made.kind != SeatKind::Computer;
        let mut held: Vec<_> = (0..).zip(&self.table.seats).map(|(seat, h)| person(h).then_some(seat)).collect();
        held.rotate_right(1);
        let rematch_of = lobby::RematchOf { id: self.table.id.to_string(), held };
        let made = lobby::make(app, create, self.table.title.clone(), None, Some(rematch_of)).await?;
        let is_here =
            |seat: &Seat| self.table.seats.get(usize::from(*seat)).is_some_and(|h| h.made.kind == SeatKind::Here);
        for connection in self.connections.values() {
            let mine = connection.seats.iter().map(|&seat| further(seat));
            let tokens = made.tokens.iter().filter(|t| mine.clone().any(|s| s == t.seat)).cloned().collect();
            let maker = connection.owner || connection.seats.iter().any(is_here);
            let message = ServerMessage::Rematch {
                id: made.id.clone(),
                tokens,
                invites: if maker { made.invites.clone() } else { Vec::new() },
                watch: (maker || connection.seats.is_empty()).then(|| made.watch.clone()),
            };
            connection.outbox.send(super::views::text(&message));
        }
        Ok(())
    }
}
