//! One game as its log tells it: no connections, no clocks that run, nothing that waits.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use kiebitz_catalog::Entry;
use kiebitz_core::record::{By, Header, Line, Record, What};
use kiebitz_core::{DynGame, Illegal, Observer, Seat, SeenStep, Turn};
use serde_json::{Map, Value, json};

use crate::events::{Create, Event, SeatMade};
use crate::go;
use crate::identity;
use crate::protocol::common::{ClockSetting, MoveMade, Outcome, Phase, SeatInfo, SeatKind};
use crate::protocol::http::GameSummary;
use crate::store::{self, Digest, StoreError, StoredEvent, StoredGame};

/// So many names of attempts are remembered.
const CIDS: usize = 64;

/// A step of the game, small.
#[derive(Clone, Debug)]
struct Made {
    by: Option<Seat>,
    kind: &'static str,
    action: Box<str>,
    ms: Option<u32>,
}

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
    made: Vec<Made>,
    undone: Vec<Made>,
    /// By the number of steps: what was taken back when so many were left.
    taken_back: BTreeMap<u32, Vec<Value>>,
    /// Lines that say more than what was done (comments), of imported games.
    source: Option<Arc<Record>>,
    cids: VecDeque<(Box<str>, u32)>,
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
            made: self.made.clone(),
            undone: self.undone.clone(),
            taken_back: self.taken_back.clone(),
            source: self.source.clone(),
            cids: self.cids.clone(),
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
            ClockSetting::None => Vec::new(),
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
            made: Vec::new(),
            undone: Vec::new(),
            taken_back: BTreeMap::new(),
            source: None,
            cids: VecDeque::new(),
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
        table.seq = seq;
        let (event, digest) = table.stored(event, at);
        Ok(Prepared { event, digest, table })
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
                self.push(Some(*seat), "action", &text, *ms);
                for roll in rolls {
                    self.roll(roll)?;
                }
                self.charge(*seat, ms.unwrap_or(0));
            }
            Event::Forfeit { seat, timeout, .. } => {
                let name = if *timeout { "timeout" } else { "resign" };
                self.game.event(*seat, name, &Map::new())?;
                self.push(Some(*seat), name, "", None);
                if let Some(left) = self.left_ms.get_mut(usize::from(*seat)).filter(|_| *timeout) {
                    *left = 0;
                }
            }
            Event::Undo { steps, resume, .. } => self.undo(*steps, *resume)?,
            Event::Redo { steps, .. } => {
                for _ in 0..*steps {
                    let made = self
                        .undone
                        .pop()
                        .ok_or_else(|| Illegal::new("undo.nothing", "there is nothing to do again"))?;
                    if !self.game.redo() {
                        return Err(Illegal::new("undo.nothing", "there is nothing to do again"));
                    }
                    self.made.push(made);
                }
            }
            Event::Counted { dead } => {
                if self.phase() != Phase::Scoring {
                    return Err(Illegal::new("go.dead", "dead stones are agreed after both have passed"));
                }
                let data = Map::from_iter([("stones".to_owned(), json!(dead))]);
                if !dead.is_empty() {
                    self.game.event(0, "dead", &data)?;
                    self.push(Some(0), "dead", "", None);
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
        if let Some(cid) = event.cid() {
            if self.cids.len() >= CIDS {
                self.cids.pop_front();
            }
            self.cids.push_back((cid.into(), self.v));
        }
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
                (By::Seat(seat), What::Action(text)) => (Some(seat), "action", text),
                (_, What::Action(text)) => (None, "action", text),
                (By::Seat(seat), What::Event("resign")) => (Some(seat), "resign", ""),
                (By::Seat(seat), What::Event("timeout")) => (Some(seat), "timeout", ""),
                (By::Seat(seat), What::Event(_)) => (Some(seat), "dead", ""),
                _ => (None, "setup", ""),
            };
            self.push(by, kind, action, line.get("clock_ms").and_then(Value::as_u64));
        }
        self.counted = counted;
        self.source = Some(Arc::new(read.record));
        Ok(())
    }

    fn roll(&mut self, text: &str) -> Result<(), Illegal> {
        self.game.perform(&Line::action(By::Chance, text))?;
        self.push(None, "action", text, None);
        Ok(())
    }

    fn push(&mut self, by: Option<Seat>, kind: &'static str, action: &str, ms: Option<u64>) {
        let ms = ms.map(|ms| u32::try_from(ms).unwrap_or(u32::MAX));
        self.made.push(Made { by, kind, action: action.into(), ms });
        self.undone.clear();
    }

    fn charge(&mut self, seat: Seat, ms: u64) {
        let increment = match self.create.clock {
            ClockSetting::Fischer { increment_ms, .. } => increment_ms,
            _ => 0,
        };
        // The time before the first move is nobody's.
        let first = self.made.iter().filter(|m| m.by.is_some()).count() <= 1;
        if let Some(left) = self.left_ms.get_mut(usize::from(seat)) {
            *left = left.saturating_sub(if first { 0 } else { ms }).saturating_add(increment);
        }
    }

    fn undo(&mut self, steps: u32, resume: bool) -> Result<(), Illegal> {
        let mut back = Vec::new();
        for _ in 0..steps {
            let nothing = || Illegal::new("undo.nothing", "there is nothing to take back");
            let made = self.made.pop().ok_or_else(nothing)?;
            if !self.game.undo() {
                return Err(nothing());
            }
            back.insert(0, json!({"by": made.by, made.kind: &*made.action}));
            self.undone.push(made);
        }
        self.counted = false;
        let left = self.made.len() as u32;
        let mut gone: Vec<Value> = self.taken_back.split_off(&left).into_values().flatten().collect();
        gone.push(if resume { json!({"resumed": back}) } else { json!({"taken_back": back}) });
        self.taken_back.insert(left, gone);
        Ok(())
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

    /// The version an attempt of this name led to, if it is one of the last.
    pub fn known(&self, cid: &str) -> Option<u32> {
        self.cids.iter().find(|(known, _)| &**known == cid).map(|&(_, v)| v)
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

    /// How many steps go back to the last decision of one of these seats; `None` when there is none.
    pub fn steps_back(&self, seats: &[Seat]) -> Option<u32> {
        let mine = |m: &Made| m.kind == "action" && m.by.is_some_and(|by| seats.contains(&by));
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

    /// How many steps were made.
    pub fn steps(&self) -> u32 {
        self.made.len() as u32
    }

    /// How many actions of players were played.
    pub fn ply(&self) -> u32 {
        self.made.iter().filter(|m| m.kind == "action" && m.by.is_some()).count() as u32
    }

    /// Whether what happened may be shown to everybody: nothing is hidden, or it is over.
    pub fn is_open(&self) -> bool {
        !self.game.meta().hidden || self.phase() == Phase::Over
    }

    /// The moves, as far as everybody may know them.
    pub fn moves(&self) -> Vec<MoveMade> {
        if !self.is_open() {
            return Vec::new();
        }
        let shown = |m: &Made| MoveMade {
            by: m.by,
            kind: m.kind.to_owned(),
            action: m.action.to_string(),
            ms: m.ms.map(u64::from),
            returns: None,
        };
        self.made.iter().map(shown).collect()
    }

    /// The moves as a seat may know them, or as everybody may (`None`): hidden parts are masked until the game is over. Moves of
    /// chance say what finished rounds had brought each seat when they were made.
    pub fn moves_seen(&self, seat: Option<Seat>) -> Vec<MoveMade> {
        if self.game.meta().chance.is_empty() {
            return self.moves();
        }
        let open = self.is_open();
        let shown = |(m, seen): (&Made, SeenStep)| MoveMade {
            by: m.by,
            kind: m.kind.to_owned(),
            action: if open { m.action.to_string() } else { seen.action },
            ms: m.ms.map(u64::from),
            returns: m.by.is_none().then(|| seen.returns.as_slice().to_vec()),
        };
        self.made.iter().zip(self.game.seen_steps(seat)).map(shown).collect()
    }

    /// What somebody sees.
    pub fn view(&self, seat: Option<Seat>) -> Value {
        let observer = match seat {
            _ if self.phase() == Phase::Over => Observer::Omniscient,
            Some(seat) => Observer::Seat(seat),
            None => Observer::Public,
        };
        self.game.view(observer)
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.phase() != Phase::Over {
            return None;
        }
        let utility = self.game.utility();
        let best = utility.as_slice().iter().copied().fold(f64::MIN, f64::max);
        let winners = (0..utility.players()).filter(|&s| utility.of(s) >= best - 1e-9).collect();
        let last = self.made.last().filter(|m| matches!(m.kind, "resign" | "timeout"));
        Some(Outcome {
            result: self.game.result(),
            winners,
            returns: self.game.returns().as_slice().to_vec(),
            how: last.map_or("score", |m| m.kind).to_owned(),
            by: last.and_then(|m| m.by),
            seed: self.create.seed.clone(),
            seed_salt: self.create.salt.clone(),
        })
    }

    /// The published hash of the seed.
    pub fn seed_hash(&self) -> String {
        identity::commitment(self.create.seed.parse().unwrap_or(0), &self.create.salt)
    }

    /// The seats, without who is connected.
    pub fn seat_infos(&self) -> Vec<SeatInfo> {
        self.seats.iter().enumerate().map(|(i, holder)| seat_info(i as Seat, holder)).collect()
    }

    /// The players' names, computers by their spec.
    pub fn names(&self) -> Vec<String> {
        let name = |h: &SeatHolder| h.made.player.clone().unwrap_or_else(|| h.made.name.clone());
        self.seats.iter().map(name).collect()
    }

    /// The game as the list shows it.
    pub fn summary(&self) -> GameSummary {
        GameSummary {
            id: self.id.to_string(),
            game: self.game.id().to_owned(),
            title: self.title.clone(),
            phase: self.phase(),
            seats: self.seat_infos(),
            ply: self.ply(),
            turn: self.turn(),
            result: self.outcome().and_then(|o| o.result),
            view: self.view(None),
            created: self.created,
            updated: self.updated,
            yours: Vec::new(),
            broken: None,
            parent: self.create.parent.clone(),
        }
    }

    /// The record; `None` while something in it is hidden. The seed is in it only at the end.
    pub fn record(&self) -> Option<Record> {
        if !self.is_open() {
            return None;
        }
        let names = self.names();
        let given = names.iter().any(|n| !n.is_empty());
        let mut record =
            kiebitz_play::save::record_of(self.game.as_ref(), if given { &names } else { &[] }, self.source.as_deref());
        if self.phase() != Phase::Over {
            record.header.remove("seed");
            record.header.remove("result");
        }
        for (key, value) in &self.create.header {
            if record.header.get(key).is_none() && key != "result" {
                record.header.set(key, value.clone());
            }
        }
        if !self.title.is_empty() {
            record.header.set("title", self.title.as_str());
        }
        for (index, made) in self.made.iter().enumerate() {
            if let (Some(line), Some(ms)) = (record.lines.get_mut(index), made.ms) {
                line.set("clock_ms", ms);
            }
        }
        for (&steps, what) in &self.taken_back {
            match record.lines.get_mut(steps as usize) {
                Some(line) => line.set("before", what.clone()),
                None => record.header.set("after", what.clone()),
            }
        }
        Some(record)
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

/// A seat as everybody sees it, without who is connected.
pub fn seat_info(seat: Seat, holder: &SeatHolder) -> SeatInfo {
    let level = holder.made.player.as_deref().and_then(|spec| {
        let spec: kiebitz_core::PlayerSpec = spec.parse().ok()?;
        let level = spec.settings.get("level").and_then(|l| l.parse().ok());
        (spec.name == "best").then(|| level.unwrap_or(5))
    });
    SeatInfo {
        seat,
        kind: holder.made.kind,
        name: holder.made.name.clone(),
        player: holder.made.player.clone(),
        level,
        taken: holder.taken,
        online: holder.made.kind == SeatKind::Computer,
        away_ms: None,
    }
}
