//! Making games: new ones, from files, from positions of other games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kiebitz_catalog::Entry;
use kiebitz_core::record::{Header, ReadRecord, What};
use kiebitz_core::{PlayerSpec, Seat, Turn};
use kiebitz_play::replay::Declared;
use serde_json::{Map, Value};

use crate::app::App;
use crate::cards;
use crate::events::{Create, Event, SeatMade};
use crate::go;
use crate::identity;
use crate::protocol::common::{ClockSetting, Phase, SeatKind, SeatSetting};
use crate::protocol::http::{CreateGame, Created, Invite, SeatToken};
use crate::refusal::Refusal;
use crate::store::{Follows, NewToken, TokenKind};
use crate::table::Table;

/// The longest name or title, in characters.
pub const MOST_NAME: usize = 40;
/// The largest file that is imported, in bytes, unpacked where it is compressed.
const MOST_BYTES: usize = 1 << 20;
/// The longest game that is imported, in moves.
const MOST_LINES: usize = 2000;
/// The deepest nesting of variations in an imported file.
const MOST_DEPTH: usize = 1000;
/// The longest main time: a day.
const MOST_MAIN: u64 = 86_400_000;
/// The longest increment: an hour.
const MOST_INCREMENT: u64 = 3_600_000;
/// The most threads a computer at the table may use.
const MOST_THREADS: u64 = 16;
/// The most MiB its tree may take.
const MOST_MEMORY: u64 = 1024;

/// Lines a game begins with, and whether their result stands.
#[derive(Debug)]
pub struct Beginning {
    /// The lines of a record.
    pub lines: Vec<Map<String, Value>>,
    /// Nobody is asked about dead stones.
    pub counted: bool,
}

/// Marks on one letter; no script stacks more, heaps of them cover the lines around.
const MOST_MARKS: usize = 4;

/// Whether a character is not to be seen by itself but changes how others are shown: control characters, what turns the direction of
/// writing, invisible blanks and letters, and tags. The joiners and variation selectors that scripts and emoji need are none of them.
fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character stands on, under or around the one before it: joiners, variation selectors and combining marks of any script.
fn leans(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05bd}' | '\u{0610}'..='\u{061a}'
        | '\u{064b}'..='\u{065f}' | '\u{0670}' | '\u{06d6}'..='\u{06dc}' | '\u{0e31}' | '\u{0e34}'..='\u{0e3a}'
        | '\u{0e47}'..='\u{0e4e}' | '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{200c}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302d}'
        | '\u{3099}' | '\u{309a}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{e0100}'..='\u{e01ef}')
}

/// A text without characters that mislead who reads it, and with no more marks than one can read, none of them on nothing.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut room = 0;
    for c in text.chars().filter(|&c| !misleads(c)) {
        if !leans(c) {
            room = if c.is_whitespace() { 0 } else { MOST_MARKS };
        } else if room == 0 {
            continue;
        } else {
            room -= 1;
        }
        plain.push(c);
    }
    plain.trim().to_owned()
}

/// A name or title: at most 40 characters, none that mislead.
///
/// # Errors
/// When it is too long.
pub fn name(text: &str) -> Result<String, Refusal> {
    let text = plain(text);
    if text.chars().count() > MOST_NAME {
        return Err(Refusal::new(400, "name", format!("a name or title has at most {MOST_NAME} characters")));
    }
    Ok(text)
}

fn clock(setting: ClockSetting) -> Result<ClockSetting, Refusal> {
    let fine = match setting {
        ClockSetting::None {} => true,
        ClockSetting::Absolute { main_ms } => (1000..=MOST_MAIN).contains(&main_ms),
        ClockSetting::Fischer { main_ms, increment_ms } => {
            (1000..=MOST_MAIN).contains(&main_ms) && increment_ms <= MOST_INCREMENT
        }
    };
    let message = "the main time must be from 1 second to 24 hours, the increment at most an hour";
    if fine { Ok(setting) } else { Err(Refusal::new(400, "clock", message)) }
}

/// A computer that may play here: a known one, within the bounds of this machine.
fn computer(entry: &Entry, player: &str) -> Result<String, Refusal> {
    let spec: PlayerSpec = player.parse()?;
    let number = |key: &str| spec.settings.get(key).and_then(|v| v.replace('_', "").parse::<u64>().ok());
    for (key, most) in [("threads", MOST_THREADS), ("memory", MOST_MEMORY)] {
        if number(key).is_some_and(|n| n > most) {
            return Err(Refusal::new(400, "spec.bad_value", format!("{key} must be at most {most} at the table")));
        }
    }
    entry.player(&spec)?;
    Ok(spec.to_string())
}

fn seats(entry: &Entry, settings: &[SeatSetting]) -> Result<Vec<SeatMade>, Refusal> {
    let seat = |setting: &SeatSetting| {
        Ok(match setting {
            SeatSetting::Here { name: text } => SeatMade { kind: SeatKind::Here, name: name(text)?, player: None },
            SeatSetting::Link { name: text } => SeatMade { kind: SeatKind::Link, name: name(text)?, player: None },
            SeatSetting::Computer { player } => {
                SeatMade { kind: SeatKind::Computer, name: String::new(), player: Some(computer(entry, player)?) }
            }
        })
    };
    settings.iter().map(seat).collect()
}

fn entry(game: &str) -> Result<&'static Entry, Refusal> {
    kiebitz_catalog::game(game).map_err(|e| Refusal::new(404, "game.unknown_name", e.to_string()))
}

/// The keys of a header, which a record reader accepts.
fn header_map(header: &Header) -> Map<String, Value> {
    header.entries().filter(|(key, _)| *key != "seed").map(|(k, v)| (k.to_owned(), v.clone())).collect()
}

/// A finished game of which another one is the rematch.
#[derive(Debug)]
pub struct RematchOf {
    /// Its id.
    pub id: String,
    /// For each seat of the new game, the seat its holder had in the finished one; `None` where nobody had it.
    pub held: Vec<Option<Seat>>,
}

/// Makes a game with its tokens. Seats by link get invitations; in a rematch only those that nobody had, the others tokens.
///
/// # Errors
/// When the game is impossible, or cannot be stored.
pub async fn make(
    app: &App,
    mut create: Create,
    title: String,
    beginning: Option<Beginning>,
    rematch_of: Option<RematchOf>,
) -> Result<Created, Refusal> {
    let id = identity::new_id()?;
    let seed = identity::new_seed()?;
    create.seed = seed.to_string();
    create.salt = identity::new_secret()?;
    create.rolls.clear();
    let at = app.time_of_day();
    if beginning.is_none() {
        let mut trial = Table::new(&id, create.clone(), String::new(), at)?;
        while let Turn::Chance(_) = trial.game.turn() {
            let Some(roll) = trial.game.roll() else { break };
            create.rolls.push(roll);
        }
    }
    let kinds: Vec<SeatKind> = create.seats.iter().map(|s| s.kind).collect();
    let mut table = Table::new(&id, create, title.clone(), at)?;
    if table.game.meta().hidden && table.game.meta().players < 2 {
        return Err(Refusal::new(400, "players", "this game cannot be played at the table"));
    }
    let mut events = vec![table.first_event()];
    if let Some(Beginning { lines, counted }) = beginning {
        let prepared = table.prepare(&Event::Lines { lines, counted }, at)?;
        events.push((prepared.event, prepared.digest));
        table = prepared.table;
        if !counted && table.phase() == Phase::Playing && matches!(table.game.turn(), Turn::Chance(_)) {
            return Err(Refusal::new(422, "chance", "this position waits for chance; take one a step before or after"));
        }
    }
    if table.phase() == Phase::Playing && cards::hands_are_missing(table.game.as_ref()) {
        let message = "some hands of this game are not known, so it cannot be played on; take a record with all hands";
        return Err(Refusal::new(422, "hidden.hands", message));
    }
    let mut created = Created {
        id: id.clone(),
        tokens: Vec::new(),
        invites: Vec::new(),
        watch: identity::new_secret()?,
        warnings: Vec::new(),
    };
    let mut stored = vec![NewToken { hash: identity::hash(&created.watch), kind: TokenKind::Watch, seat: None }];
    let held = |seat: Seat| *rematch_of.as_ref()?.held.get(usize::from(seat))?;
    let mut follows = rematch_of.as_ref().map(|old| Follows { game: old.id.clone(), seats: Vec::new() });
    for (seat, kind) in kinds.into_iter().enumerate() {
        let seat = seat as Seat;
        if let (Some(follows), Some(old)) = (&mut follows, held(seat)) {
            follows.seats.push((old, seat));
        }
        let secret = identity::new_secret()?;
        let hash = identity::hash(&secret);
        match kind {
            SeatKind::Computer => {}
            SeatKind::Here => {
                stored.push(NewToken { hash, kind: TokenKind::Maker, seat: Some(seat) });
                created.tokens.push(SeatToken { seat, token: secret });
            }
            SeatKind::Link if held(seat).is_some() => {
                stored.push(NewToken { hash, kind: TokenKind::Seat, seat: Some(seat) });
                created.tokens.push(SeatToken { seat, token: secret });
                let name = table.seats[usize::from(seat)].made.name.clone();
                let prepared = table.prepare(&Event::Seat { seat, name, taken: true }, at)?;
                events.push((prepared.event, prepared.digest));
                table = prepared.table;
            }
            SeatKind::Link => {
                stored.push(NewToken { hash, kind: TokenKind::Invite, seat: Some(seat) });
                created.invites.push(Invite { seat, code: secret });
            }
        }
    }
    let summary = serde_json::to_string(&table.summary()).unwrap_or_default();
    app.store.create(id, title, table.phase() == Phase::Over, summary, events, stored, follows).await?;
    Ok(created)
}

/// Refuses computers that cannot play a game that begins like this.
fn check_players(entry: &Entry, seats: &[SeatMade], header: &Header) -> Result<(), Refusal> {
    for seat in seats.iter().filter_map(|s| s.player.as_deref()) {
        let spec: PlayerSpec = seat.parse()?;
        if entry.default_player().name != spec.name {
            let game = entry.game.start(header, 0)?;
            tokio::task::block_in_place(|| entry.check_player(&spec, game.as_ref()))?;
        }
    }
    Ok(())
}

/// Makes the game a page asks for.
///
/// # Errors
/// As [`make`].
pub async fn create(app: &App, wish: CreateGame) -> Result<Created, Refusal> {
    let entry = entry(&wish.game)?;
    let count = u8::try_from(wish.seats.len()).unwrap_or(u8::MAX);
    if !entry.game.players().contains(&count) {
        let (least, most) = (*entry.game.players().start(), *entry.game.players().end());
        let message = format!("{} has {least} to {most} seats, not {}", wish.game, wish.seats.len());
        return Err(Refusal::new(400, "seats", message));
    }
    let mut header = Header::new(entry.game.id(), count, wish.rules);
    if let Some(setup) = wish.setup {
        header.set("setup", setup);
    }
    let create = Create {
        header: header_map(&header),
        seats: seats(entry, &wish.seats)?,
        clock: clock(wish.clock)?,
        seed: String::new(),
        salt: String::new(),
        hints: wish.hints,
        rolls: Vec::new(),
        parent: None,
    };
    check_players(entry, &create.seats, &header)?;
    make(app, create, name(&wish.title)?, None, None).await
}

/// Lines of a record as objects.
fn lines_of(read: &ReadRecord) -> Result<Vec<Map<String, Value>>, Refusal> {
    let text = read.record.to_text();
    let line = |line: &str| match serde_json::from_str(line) {
        Ok(Value::Object(map)) => Ok(map),
        _ => Err(Refusal::new(400, "record.line", "a line of the record is no object")),
    };
    text.lines().skip(1).map(line).collect()
}

/// Makes a game from a file: a record or SGF in any encoding. All seats are at this browser.
///
/// # Errors
/// When the file is no game, or too long.
pub async fn import(app: &App, bytes: Vec<u8>, title: &str) -> Result<Created, Refusal> {
    let title = name(title)?;
    // Who no longer waits for the answer, or may not, needs no game.
    let ended = Ended::default();
    let flag = ended.0.clone();
    let read = tokio::task::spawn_blocking(move || read(&bytes, &flag)).await;
    let (read, counted) = read.map_err(|_| Refusal::new(503, "closing", "the server is shutting down"))??;
    let header = &read.record.header;
    let names = header.names();
    let seat = |i: usize| {
        let text = names.get(i).map(String::as_str).unwrap_or_default();
        let name = plain(text).chars().take(MOST_NAME).collect();
        SeatMade { kind: SeatKind::Here, name, player: None }
    };
    let create = Create {
        header: header_map(header),
        seats: (0..usize::from(header.players())).map(seat).collect(),
        clock: ClockSetting::default(),
        seed: String::new(),
        salt: String::new(),
        hints: true,
        rolls: Vec::new(),
        parent: None,
    };
    let lines = lines_of(&read)?;
    let mut created = make(app, create, title, Some(Beginning { lines, counted }), None).await?;
    created.warnings = read.warnings.into_iter().take(20).collect();
    Ok(created)
}

/// Tells work elsewhere that its request has ended.
#[derive(Default)]
struct Ended(Arc<AtomicBool>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Where the trees of an SGF file are nested too deeply; a file that is no SGF is hardly ever.
fn too_deep(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut inside, mut escaped) = (0usize, false, false);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b']' => inside = false,
            b'[' => inside = true,
            b'(' if !inside => depth += 1,
            b')' if !inside => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_DEPTH {
            return Some(at);
        }
    }
    None
}

/// Reads a file; the second value says whether its result stands. Stops when `ended` is set.
fn read(bytes: &[u8], ended: &AtomicBool) -> Result<(ReadRecord, bool), Refusal> {
    // Before anything is played through: a small file can unpack to a large one.
    let limits = kiebitz_play::load::Limits { bytes: MOST_BYTES, nodes: 2 * MOST_LINES };
    let unpacked =
        kiebitz_play::load::unpacked(bytes, limits.bytes).map_err(|e| Refusal::new(400, e.code(), e.to_string()))?;
    if let Some(at) = too_deep(&unpacked) {
        let message = format!("variations are nested more than {MOST_DEPTH} deep at byte {at}");
        return Err(Refusal::new(400, "sgf.depth", message));
    }
    let mut read = kiebitz_play::load::read_within(&unpacked, false, limits)
        .map_err(|e| Refusal::new(400, e.code(), e.to_string()))?;
    // Events beside the moves are few in a game, such as what was agreed at its end.
    let actions = read.record.lines.iter().filter(|line| matches!(line.what(), What::Action(_))).count();
    if actions > MOST_LINES || read.record.lines.len() > 2 * MOST_LINES {
        return Err(Refusal::new(400, "record.too_large", format!("the game has more than {MOST_LINES} moves")));
    }
    let refused = |e: kiebitz_play::replay::ReplayError| Refusal::new(400, e.code(), e.to_string());
    let mut game = kiebitz_play::replay::start(&read.record.header).map_err(refused)?;
    for index in 0..read.record.lines.len() {
        if ended.load(Ordering::Relaxed) {
            return Err(Refusal::new(408, "timeout", "the request has ended"));
        }
        kiebitz_play::replay::step(&read, index, game.as_mut()).map_err(refused)?;
    }
    // A result that the moves do not come to says nothing of which stones were dead: they are to be agreed on.
    let told = kiebitz_play::replay::declared(&read.record.header, game.as_ref());
    let counted = game.turn().is_terminal() && (told == Declared::Same || !go::needs_agreement(game.as_ref()));
    read.warnings.extend(kiebitz_play::replay::doubt(&read.record.header, game.as_ref()));
    Ok((read, counted))
}

/// Makes a game from a position of another one, perhaps with other moves after it.
///
/// # Errors
/// When there is no such position, or an action is impossible.
pub async fn branch(
    app: &App,
    from: &Table,
    step: u32,
    actions: &[String],
    settings: Option<Vec<SeatSetting>>,
) -> Result<Created, Refusal> {
    let record = from
        .record()
        .ok_or_else(|| Refusal::new(403, "hidden", "a game with hidden cards branches when it is over"))?;
    let seats = match settings {
        Some(settings) => seats(from.entry, &settings)?,
        None => {
            let mut same: Vec<SeatMade> = from.seats.iter().map(|h| h.made.clone()).collect();
            for seat in same.iter_mut().filter(|s| s.kind == SeatKind::Link) {
                seat.kind = SeatKind::Here;
            }
            same
        }
    };
    let game = position(from, step, actions)?;
    check_players(from.entry, &seats, &record.header)?;
    let mut read = ReadRecord { record: game.record(), line_numbers: Vec::new(), warnings: Vec::new() };
    // Comments of the old game go along as far as it is the same.
    for (line, old) in read.record.lines.iter_mut().zip(&record.lines).take(step as usize) {
        *line = old.clone();
    }
    let mut header = header_map(&record.header);
    for key in ["names", "result", "before", "after"] {
        header.shift_remove(key);
    }
    let create = Create {
        header,
        seats,
        clock: ClockSetting::default(),
        seed: String::new(),
        salt: String::new(),
        hints: true,
        rolls: Vec::new(),
        parent: Some(from.id.to_string()),
    };
    let lines = lines_of(&read)?;
    make(app, create, from.title.clone(), Some(Beginning { lines, counted: false }), None).await
}

/// The position of a game after so many steps and some actions.
///
/// # Errors
/// When there is no such position, or an action is impossible.
pub fn position(from: &Table, step: u32, actions: &[String]) -> Result<Box<dyn kiebitz_core::DynGame>, Refusal> {
    let record =
        from.record().ok_or_else(|| Refusal::new(403, "hidden", "positions are shown when the game is over"))?;
    if step as usize > record.lines.len() {
        let message = format!("the game has {} steps, there is no position {step}", record.lines.len());
        return Err(Refusal::new(404, "step", message));
    }
    if actions.len() > MOST_LINES {
        return Err(Refusal::new(400, "actions", format!("at most {MOST_LINES} actions can follow")));
    }
    let mut game = from.entry.game.start(&record.header, 0)?;
    for line in record.lines.iter().take(step as usize) {
        game.perform(line)?;
    }
    for action in actions {
        game.play(action)?;
    }
    Ok(game)
}
