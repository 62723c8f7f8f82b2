//! One game as its log tells it: no connections, no clocks that run, nothing that waits.

mod attempts;
mod made;
mod record;
mod shown;
mod steps;

use std::collections::BTreeMap;
use std::sync::Arc;

use kiebitz_catalog::Entry;
use kiebitz_core::record::{By, Header, Line, Record, What};
use kiebitz_core::{DynGame, Illegal, Seat, Turn};
use serde_json::{Map, Value, json};

use self::attempts::Attempts;
pub use self::attempts::{Known, Wish};
use self::made::{Kind, Made, Steps};
use crate::events::{Create, Event, SeatMade};
use crate::go;
use crate::identity;
use crate::protocol::common::{ClockSetting, Phase, SeatKind};
use crate::store::{self, Digest, StoreError, StoredEvent, StoredGame};

/// A person or computer at the table.
#[derive(Clone, Debug)]
pub struct SeatHolder {
    /// As it was made; the name as it is now.
    pub made: SeatMade,
    /// Somebody has it.
    pub taken: bool,
}

/// A game with everything that follows from its log.
#[derive(Debug)]
pub struct Table {
    /// Its id.
    pub id: Arc<str>,
    /// How it began.
    pub create: Arc<Create>,
    /// The title.
    pub title: String,
    /// When it was made: milliseconds since 1970.
    pub created: i64,
    /// When it was last played.
    pub updated: i64,
    /// The game's entry in the catalog.
    pub entry: &'static Entry,
    /// The game itself.
    pub game: Box<dyn DynGame>,
    /// Who sits where.
    pub seats: Vec<SeatHolder>,
    /// Hints are allowed.
    pub hints: bool,
    /// Milliseconds left for each seat; empty without a clock.
    pub left_ms: Vec<u64>,
    /// The version that pages see.
    pub v: u32,
    seq: u32,
    digest: Digest,
    counted: bool,
    /// How many steps it began with: those of an imported game, or of the game it branched off.
    begun: u32,
    made: Steps,
    undone: Steps,
    /// By the number of steps: what was taken back when so many were left.
    taken_back: BTreeMap<u32, Vec<Value>>,
    /// Lines that say more than what was done (comments), of imported games.
    source: Option<Arc<Record>>,
    attempts: Attempts,
}

impl Clone for Table {
    fn clone(&self) -> Self {
        Table {
            id: self.id.clone(),
            create: self.create.clone(),
            title: self.title.clone(),
            created: self.created,
            updated: self.updated,
            entry: self.entry,
            game: self.game.clone_box(),
            seats: self.seats.clone(),
            hints: self.hints,
            left_ms: self.left_ms.clone(),
            v: self.v,
            seq: self.seq,
            digest: self.digest,
            counted: self.counted,
            begun: self.begun,
            made: self.made.clone(),
            undone: self.undone.clone(),
            taken_back: self.taken_back.clone(),
            source: self.source.clone(),
            attempts: self.attempts.clone(),
        }
    }
}

/// An event ready to be appended, and the table as it is after it.
#[derive(Debug)]
pub struct Prepared {
    /// The event as it is stored.
    pub event: StoredEvent,
    /// Its digest.
    pub digest: Digest,
    /// The table after it.
    pub table: Table,
}

fn broken(message: &'static str) -> Illegal {
    Illegal::new("log", message)
}

impl Table {
    /// The table of a new game before its first event was stored.
    ///
    /// # Errors
    /// When the game, its options or set-up are impossible.
    pub fn new(id: &str, create: Create, title: String, at: i64) -> Result<Table, Illegal> {
        let bad = |e: kiebitz_core::SetupError| Illegal { code: e.code, message: e.message };
        let text = format!("{}\n", Value::Object(create.header.clone()));
        let read = Record::read(text.as_bytes()).map_err(|e| Illegal::new(e.code, e.message))?;
        let header = read.record.header;
        let entry = kiebitz_catalog::game(header.game()).map_err(|e| Illegal::new("game.unknown", e.to_string()))?;
        let seed = create.seed.parse::<u64>().map_err(|_| broken("the seed is no number"))?;
        let game = entry.game.start(&header, seed).map_err(bad)?;
        if create.seats.len() != usize::from(game.meta().players) {
            let message = format!("{} seats were given for {} players", create.seats.len(), game.meta().players);
            return Err(Illegal::new("seats", message));
        }
        let seats =
            create.seats.iter().map(|made| SeatHolder { made: made.clone(), taken: made.kind != SeatKind::Link });
        let left_ms = match create.clock {
            ClockSetting::None {} => Vec::new(),
            ClockSetting::Absolute { main_ms } | ClockSetting::Fischer { main_ms, .. } => {
                vec![main_ms; create.seats.len()]
            }
        };
        let mut table = Table {
            id: id.into(),
            title,
            created: at,
            updated: at,
            entry,
            game,
            seats: seats.collect(),
            hints: create.hints,
            left_ms,
            v: 0,
            seq: 0,
            digest: store::first_digest(id),
            counted: false,
            begun: 0,
            made: Steps::default(),
            undone: Steps::default(),
            taken_back: BTreeMap::new(),
            source: None,
            attempts: Attempts::default(),
            create: Arc::new(create),
        };
        for roll in table.create.clone().rolls.iter() {
            table.roll(roll)?;
        }
        Ok(table)
    }

    /// The table that a log describes.
    ///
    /// # Errors
    /// When the log cannot be replayed.
    pub fn replay(id: &str, stored: StoredGame) -> Result<Table, StoreError> {
        let mut table: Option<Table> = None;
        for event in &stored.events {
            let bad = |why: String| StoreError::Log { seq: event.seq, why };
            let body: Event = serde_json::from_str(&event.body)
                .map_err(|e| bad(format!("it cannot be read ({:?})", e.classify())))?;
            match (&mut table, body) {
                (None, Event::Create(create)) => {
                    let mut new = Table::new(id, *create, stored.title.clone(), event.at)
                        .map_err(|e| bad(e.message.into_owned()))?;
                    new.seq = 1;
                    table = Some(new);
                }
                (Some(table), body) => {
                    table.apply(&body).map_err(|e| bad(e.message.into_owned()))?;
                    table.updated = event.at;
                }
                (None, _) => return Err(bad("it is not the beginning of a game".to_owned())),
            }
        }
        let mut table = table.ok_or(StoreError::Unknown)?;
        table.fit();
        table.digest = stored.digest;
        table.created = stored.created;
        Ok(table)
    }

    /// The first event of a new table, as it is stored.
    pub fn first_event(&mut self) -> (StoredEvent, Digest) {
        let body = Event::Create(Box::new((*self.create).clone()));
        self.stored(&body, self.created)
    }

    fn stored(&mut self, event: &Event, at: i64) -> (StoredEvent, Digest) {
        let body = serde_json::to_string(event).unwrap_or_default();
        let digest = store::next_digest(&self.digest, self.seq, at, &body);
        let stored = StoredEvent { seq: self.seq, at, body };
        self.digest = digest;
        self.seq += 1;
        self.updated = at;
        (stored, digest)
    }

    /// What an event would lead to; nothing has changed yet.
    ///
    /// # Errors
    /// When it is impossible now.
    pub fn prepare(&self, event: &Event, at: i64) -> Result<Prepared, Illegal> {
        let mut table = self.clone();
        let seq = table.seq;
        table.apply(event)?;
        table.fit();
        table.seq = seq;
        let (event, digest) = table.stored(event, at);
        Ok(Prepared { event, digest, table })
    }

    /// Gives back memory that only future steps would need: what grows takes up to twice of what it holds, a copy exactly that, and
    /// tables stay for long.
    fn fit(&mut self) {
        self.game = self.game.clone_box();
    }

    /// Applies an event.
    fn apply(&mut self, event: &Event) -> Result<(), Illegal> {
        match event {
            Event::Create(_) => return Err(broken("a game begins only once")),
            Event::Lines { lines, counted } => self.apply_lines(lines, *counted)?,
            Event::Action { seat, action, rolls, ms, .. } => {
                match self.game.turn() {
                    Turn::Seat(turn) if turn == *seat => {}
                    Turn::Seat(turn) => {
                        return Err(Illegal::new(
                            "turn.other",
                            format!("it is the turn of player {turn}, not of {seat}"),
                        ));
                    }
                    _ => return Err(Illegal::game_over()),
                }
                let text = self.game.canonical(action)?;
                self.game.play_as(*seat, action)?;
                self.push(Some(*seat), Kind::Action, &text, *ms);
                for roll in rolls {
                    self.roll(roll)?;
                }
                self.charge(*seat, ms.unwrap_or(0));
            }
            Event::Forfeit { seat, timeout, .. } => {
                let kind = if *timeout { Kind::Timeout } else { Kind::Resign };
                if self.phase() == Phase::Scoring {
                    // Who gives up while the dead stones are discussed does so in the game: it goes on for that.
                    self.undo(go::passes(self.game.as_ref()), true)?;
                }
                self.game.event(*seat, kind.name(), &Map::new())?;
                self.push(Some(*seat), kind, "", None);
                if let Some(left) = self.left_ms.get_mut(usize::from(*seat)).filter(|_| *timeout) {
                    *left = 0;
                }
            }
            Event::Undo { steps, resume, ms, .. } => {
                self.use_time(*ms);
                self.undo(*steps, *resume)?;
            }
            Event::Redo { steps, ms, .. } => {
                self.use_time(*ms);
                for _ in 0..*steps {
                    let nothing = || Illegal::new("undo.nothing", "there is nothing to do again");
                    let made = self.undone.last().ok_or_else(nothing)?;
                    if !self.game.redo() {
                        return Err(nothing());
                    }
                    if let Some(seat) = made.earns() {
                        let increment = self.increment();
                        if let Some(left) = self.left_ms.get_mut(usize::from(seat)) {
                            *left = left.saturating_add(increment);
                        }
                    }
                    self.made.push(made);
                    self.undone.pop();
                }
            }
            Event::Counted { dead } => {
                if self.phase() != Phase::Scoring {
                    return Err(Illegal::new("go.dead", "dead stones are agreed after both have passed"));
                }
                let data = Map::from_iter([("stones".to_owned(), json!(dead))]);
                if !dead.is_empty() {
                    self.game.event(0, "dead", &data)?;
                    self.push(Some(0), Kind::Dead, "", None);
                }
                self.counted = true;
            }
            Event::Seat { seat, name, taken } => {
                let holder = self.seats.get_mut(usize::from(*seat)).ok_or_else(|| broken("there is no such seat"))?;
                holder.made.name = name.clone();
                holder.taken = *taken;
            }
            Event::Hints => self.hints = true,
        }
        self.seq += 1;
        if event.moves_on() {
            self.v += 1;
        }
        self.attempts.keep(event, self.v);
        Ok(())
    }

    fn apply_lines(&mut self, lines: &[Map<String, Value>], counted: bool) -> Result<(), Illegal> {
        let mut header = self.create.header.clone();
        header.insert("kiebitz".to_owned(), 1.into());
        let mut text = format!("{}\n", Value::Object(header));
        for line in lines {
            text += &format!("{}\n", Value::Object(line.clone()));
        }
        let read = Record::read(text.as_bytes()).map_err(|e| Illegal::new(e.code, e.to_string()))?;
        for line in &read.record.lines {
            self.game.perform(line)?;
            let (by, kind, action) = match (line.by(), line.what()) {
                (By::Seat(seat), What::Action(text)) => (Some(seat), Kind::Action, text),
                (_, What::Action(text)) => (None, Kind::Action, text),
                (By::Seat(seat), What::Event("resign")) => (Some(seat), Kind::Resign, ""),
                (By::Seat(seat), What::Event("timeout")) => (Some(seat), Kind::Timeout, ""),
                (By::Seat(seat), What::Event(_)) => (Some(seat), Kind::Dead, ""),
                _ => (None, Kind::Setup, ""),
            };
            self.push(by, kind, action, line.get("clock_ms").and_then(Value::as_u64));
        }
        self.counted = counted;
        self.begun = u32::try_from(self.made.len()).unwrap_or(u32::MAX);
        self.source = self.what_more(read.record).map(Arc::new);
        Ok(())
    }

    /// What a record says besides what the game itself tells; `None` when nothing.
    fn what_more(&self, mut record: Record) -> Option<Record> {
        let own = self.game.record();
        let says_more = |(line, own): (&Line, &Line)| {
            let mut own = own.clone();
            if let Some(ms) = line.get("clock_ms").and_then(Value::as_u64).and_then(|ms| u32::try_from(ms).ok()) {
                own.set("clock_ms", ms);
            }
            *line != own
        };
        let last = record.lines.iter().zip(&own.lines).rposition(says_more)?;
        record.lines.truncate(last + 1);
        Some(record)
    }

    fn roll(&mut self, text: &str) -> Result<(), Illegal> {
        self.game.perform(&Line::action(By::Chance, text))?;
        self.push(None, Kind::Action, text, None);
        Ok(())
    }

    fn push(&mut self, by: Option<Seat>, kind: Kind, action: &str, ms: Option<u64>) {
        let ms = ms.map(|ms| u32::try_from(ms).unwrap_or(u32::MAX));
        self.made.push(Made { by, kind, action, ms });
        self.undone.clear();
    }

    /// Milliseconds that an action gives to who played it.
    fn increment(&self) -> u64 {
        match self.create.clock {
            ClockSetting::Fischer { increment_ms, .. } => increment_ms,
            _ => 0,
        }
    }

    /// Takes time from the seat to move that leads to no action: used time does not come back when something is taken back.
    fn use_time(&mut self, ms: Option<u64>) {
        let seat = self.turn().map(usize::from);
        if let Some(left) = seat.and_then(|seat| self.left_ms.get_mut(seat)) {
            *left = left.saturating_sub(ms.unwrap_or(0));
        }
    }

    fn charge(&mut self, seat: Seat, ms: u64) {
        let increment = self.increment();
        // The time before the first move is nobody's.
        let first = self.made.iter().filter(|m| m.by.is_some()).count() <= 1;
        if let Some(left) = self.left_ms.get_mut(usize::from(seat)) {
            *left = left.saturating_sub(if first { 0 } else { ms }).saturating_add(increment);
        }
    }

    /// Where the game stands.
    pub fn phase(&self) -> Phase {
        if !self.game.turn().is_terminal() {
            Phase::Playing
        } else if !self.counted && go::needs_agreement(self.game.as_ref()) {
            Phase::Scoring
        } else {
            Phase::Over
        }
    }

    /// The seat to move.
    pub fn turn(&self) -> Option<Seat> {
        self.game.turn().seat()
    }

    /// What is known of an attempt of this name, if it is one of the last.
    pub fn known(&self, cid: &str, wish: &Wish) -> Option<Known> {
        self.attempts.known(cid, wish, self.game.as_ref())
    }

    /// The event of an action, chance's answer included.
    ///
    /// # Errors
    /// When the action is impossible now.
    pub fn action(&self, seat: Seat, action: &str, cid: Option<String>, ms: Option<u64>) -> Result<Event, Illegal> {
        match self.game.turn() {
            Turn::Seat(turn) if turn == seat => {}
            Turn::Terminal => return Err(Illegal::new("turn.over", "the game is over")),
            _ => return Err(Illegal::new("turn.other", "it is another player's turn")),
        }
        let action = self.game.canonical(action)?;
        self.game.check(&action)?;
        let mut rolls = Vec::new();
        // Only where chance may answer is the move tried beforehand.
        if self.game.meta().chance.is_empty() {
            return Ok(Event::Action { seat, action, rolls, cid, ms });
        }
        let mut next = self.game.clone_box();
        next.play_as(seat, &action)?;
        while let Some(roll) = next.roll() {
            rolls.push(roll);
        }
        Ok(Event::Action { seat, action, rolls, cid, ms })
    }

    /// How many steps were made.
    pub fn steps(&self) -> u32 {
        self.made.len() as u32
    }

    /// How many actions of players were played.
    pub fn ply(&self) -> u32 {
        self.made.iter().filter(|m| m.kind == Kind::Action && m.by.is_some()).count() as u32
    }

    /// The published hash of the seed.
    pub fn seed_hash(&self) -> String {
        identity::commitment(self.create.seed.parse().unwrap_or(0), &self.create.salt)
    }

    /// The seed of what its Go computers draw: the same after a restart, and nothing of the game's luck follows from it.
    pub fn mind_seed(&self) -> u64 {
        identity::derived(&format!("mind:{}:{}", self.create.seed, self.create.salt))
    }

    /// The header with which a game begins like this one.
    pub fn header(&self) -> Header {
        self.game.record().header
    }

    /// The spec of the computer on a seat.
    pub fn computer(&self, seat: Seat) -> Option<&str> {
        self.seats.get(usize::from(seat))?.made.player.as_deref()
    }

    /// Whether several persons at different browsers play.
    pub fn people(&self) -> usize {
        let links = self.seats.iter().filter(|h| h.made.kind == SeatKind::Link).count();
        links + usize::from(self.seats.iter().any(|h| h.made.kind == SeatKind::Here))
    }
}
