//! Commands that change the board and the game.

use std::path::Path;

use kiebitz_core::record::{Line, MAX_RECORD_BYTES, ReadRecord, What};
use kiebitz_core::{DynGame, GameType, Session};
use kiebitz_go::{Color, Go, Point, Setup, Size, result_text, sgf};

use super::arguments::Arguments;
use super::framing::{Answer, Fault, Reply};
use super::{Call, Engine};
use crate::{files, go_sgf, komi, load, save};

pub(crate) fn boardsize(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let (width, height) = match call.arguments.len() {
        // KataGo also takes `19:13`.
        1 => {
            let word = call.arguments.word()?;
            let (width, height) = word.split_once(':').unwrap_or((word, word));
            let side = |text: &str| text.parse::<i64>().map_err(|_| Fault::syntax());
            (side(width)?, side(height)?)
        }
        2 => (call.arguments.int()?, call.arguments.int()?),
        _ => return Err(Fault::syntax()),
    };
    let side = |n: i64| usize::try_from(n).unwrap_or(0);
    let size = Size::new(side(width), side(height)).map_err(|_| Fault::new("unacceptable size"))?;
    clear(engine, size)
}

pub(crate) fn clear_board(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let size = engine.game.size();
    clear(engine, size)
}

fn clear(engine: &mut Engine, size: Size) -> Answer {
    engine.game.clear(size).map_err(|e| Fault::new(e.message))?;
    engine.clocks.restart();
    engine.forget();
    Ok(Reply::done())
}

/// Any number within bounds that no game reaches: GTP programs must take ridiculous komi. One between two half points is changed
/// to the quarter between them, and a note says so.
pub(crate) fn komi(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let word = call.arguments.word()?;
    call.arguments.finish()?;
    let mut options = *engine.game.options();
    options.komi = komi_from(word)?;
    let reply = set_options(engine, options)?;
    note_komi(engine, word);
    Ok(reply)
}

/// Tells of a komi that counts as another one.
pub(crate) fn note_komi(engine: &Engine, given: &str) {
    if let Some(note) = komi::changed(given) {
        (engine.thinker.options().note)(&note);
    }
}

/// A komi in quarter points; what is a number but no possible komi (`1e308`, `nan`) gets a sentence of its own.
pub(crate) fn komi_from(text: &str) -> Result<i32, Fault> {
    let points: f64 = text.parse().map_err(|_| Fault::syntax())?;
    komi::quarters(points).ok_or_else(|| Fault::new(komi::beyond(text)))
}

/// Other rules or komi.
pub(crate) fn set_options(engine: &mut Engine, options: kiebitz_go::Options) -> Answer {
    if options != *engine.game.options() {
        engine.game.set_options(options).map_err(|e| Fault::new(e.message))?;
        engine.forget();
    }
    Ok(Reply::done())
}

pub(crate) fn get_komi(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok(engine.game.options().komi_points().to_string().into())
}

pub(crate) fn play(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    let mv = call.arguments.vertex(engine.game.size())?;
    call.arguments.finish()?;
    engine.game.play(color, mv).map_err(|_| Fault::new("illegal move"))?;
    Ok(Reply::done())
}

/// All moves of the list or none of them.
pub(crate) fn play_sequence(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let mut game = engine.game.clone();
    while !call.arguments.is_empty() {
        let color = call.arguments.color()?;
        let mv = call.arguments.vertex(game.size())?;
        game.play(color, mv).map_err(|_| Fault::new(format!("illegal move {color} {}", mv.text(game.size()))))?;
    }
    engine.game = game;
    Ok(Reply::done())
}

/// One move. qGo sends `undo 0` for it.
pub(crate) fn undo(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    if call.arguments.len() == 1 && matches!(call.arguments.peek(), Some("0" | "1")) {
        call.arguments.next();
    }
    call.arguments.finish()?;
    take_back(engine, 1)
}

pub(crate) fn gg_undo(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let moves = if call.arguments.is_empty() { 1 } else { call.arguments.count()? };
    call.arguments.finish()?;
    take_back(engine, moves as usize)
}

fn take_back(engine: &mut Engine, moves: usize) -> Answer {
    if engine.game.undoable() < moves {
        return Err(Fault::new("cannot undo"));
    }
    engine.thinker.stop();
    for _ in 0..moves {
        engine.game.undo();
    }
    Ok(Reply::done())
}

/// Colours and points in turn.
fn stones(arguments: &mut Arguments<'_>, size: Size, may_clear: bool) -> Result<Setup, Fault> {
    let mut setup = Setup::default();
    let mut named: Vec<Point> = Vec::new();
    while let Some(word) = arguments.peek() {
        let empty = may_clear && matches!(word.to_ascii_lowercase().as_str(), "e" | "empty");
        let color = if empty {
            arguments.next();
            None
        } else {
            Some(arguments.color()?)
        };
        let point = arguments.point(size)?;
        if named.contains(&point) {
            return Err(Fault::vertex());
        }
        named.push(point);
        match color {
            Some(Color::Black) => setup.black.push(point),
            Some(Color::White) => setup.white.push(point),
            None => setup.empty.push(point),
        }
    }
    Ok(setup)
}

/// These stones and no others; history, captures and handicap begin anew, Black is to move.
pub(crate) fn set_position(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let mut setup = stones(&mut call.arguments, engine.game.size(), false)?;
    setup.to_move = Some(Color::Black);
    let mut options = *engine.game.options();
    options.handicap = 0;
    engine.game.start(options, Some(setup)).map_err(|_| Fault::new("illegal position"))?;
    engine.forget();
    Ok(Reply::done())
}

/// Sets stones on the board as it is; `empty` takes one off.
pub(crate) fn gogui_setup(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let setup = stones(&mut call.arguments, engine.game.size(), true)?;
    engine.game.set_up(setup).map_err(|_| Fault::new("illegal position"))?;
    Ok(Reply::done())
}

pub(crate) fn gogui_setup_player(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    call.arguments.finish()?;
    let setup = Setup { to_move: Some(color), ..Setup::default() };
    engine.game.set_up(setup).map_err(|_| Fault::new("illegal position"))?;
    Ok(Reply::done())
}

/// Loads a file up to the position before a move.
pub(crate) fn loadsgf(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let cannot = || Fault::new("cannot load file");
    if call.arguments.is_empty() {
        return Err(Fault::syntax());
    }
    let mut words = call.arguments.clone();
    let (name, before) = match call.arguments.pop_last().and_then(|w| w.parse::<u64>().ok()) {
        // A name may hold blanks and end in a number.
        Some(number) if !call.arguments.is_empty() && !Path::new(&words.clone().rest()).is_file() => {
            (call.arguments.rest(), Some(number))
        }
        _ => (words.rest(), None),
    };
    // A pipe may have no end, and the controller waits.
    if !Path::new(&name).is_file() {
        return Err(cannot());
    }
    let bytes = files::read(Path::new(&name), MAX_RECORD_BYTES as u64).map_err(|_| cannot())?;
    let wrong = |why: String| Fault::new(format!("cannot load file: {why}"));
    let read = load::read(&bytes, false).map_err(|e| wrong(e.to_string()))?;
    let session = replayed(&read, before).ok_or_else(cannot)?;
    let said = Said::by(&bytes);
    let old = *engine.game.options();
    let mut game = engine.game.clone();
    game.replace(session);
    let mut options = *game.options();
    if said.rules != Some(true) {
        (options.rules, options.ruleset) = (old.rules, old.ruleset);
    }
    if said.komi != Some(true) {
        options.komi = old.komi;
    }
    if options != *game.options() {
        game.set_options(options).map_err(|e| wrong(e.message.into_owned()))?;
    }
    let note = engine.thinker.options().note;
    for warning in read.warnings.iter().take(MOST_NOTES) {
        note(&format!("{name}: {warning}"));
    }
    if said.rules == Some(false) {
        let rules = old.ruleset_name().map_or("as they were", |set| set.name());
        note(&format!("{name}: the rules it names are not known; the rules stay {rules}"));
    }
    if said.komi == Some(false) {
        note(&format!("{name}: its komi cannot be read; the komi stays {}", old.komi_points()));
    }
    engine.game = game;
    engine.clocks.restart();
    engine.forget();
    Ok(Reply::done())
}

/// So many notes are written about one file.
const MOST_NOTES: usize = 20;

/// Whether a file says its rules and its komi: `None` where it does not, `Some(false)` where nobody understands it. What a file
/// leaves open stays as it was: komi and rules are the controller's to set.
struct Said {
    rules: Option<bool>,
    komi: Option<bool>,
}

impl Said {
    /// Of an SGF file; the header of a record always says both. A komi beyond all bounds is none that is understood.
    fn by(bytes: &[u8]) -> Said {
        let plain = load::unpacked(bytes, MAX_RECORD_BYTES).ok().filter(|plain| !load::is_record(plain));
        let parsed = plain.and_then(|plain| sgf::parse(&plain, sgf::Mode::Tolerant).ok());
        let Some(tree) = parsed.as_ref().and_then(|parsed| parsed.collection.trees.first()) else {
            return Said { rules: Some(true), komi: Some(true) };
        };
        let info = tree.info();
        let known = info.ruleset.is_some() || go_sgf::own_rules(tree).is_some();
        let raw = tree.properties(tree.root()).find(|p| p.name() == "KM").map(|p| p.simple_text()).unwrap_or_default();
        let understood = info.komi.and_then(komi::quarters).is_some();
        Said { rules: info.rules.map(|_| known), komi: (!raw.is_empty()).then_some(understood) }
    }
}

/// The game of a record up to the position before the move with this number.
fn replayed(read: &ReadRecord, before: Option<u64>) -> Option<Session<Go>> {
    if !read.record.header.game().eq_ignore_ascii_case("go") {
        return None;
    }
    let mut session = GameType::<Go>::session(&read.record.header, 0).ok()?;
    let mut number = 0;
    for line in &read.record.lines {
        if matches!(line.what(), What::Action(_)) {
            number += 1;
            if before.is_some_and(|before| number >= before) {
                break;
            }
        }
        // A resignation is no position.
        if !is_forfeit(line) {
            DynGame::perform(&mut session, line).ok()?;
        }
    }
    Some(session)
}

fn is_forfeit(line: &Line) -> bool {
    matches!(line.what(), What::Event("resign" | "timeout"))
}

/// The game as SGF: printed, or written to a file. A file that exists is replaced only where that loses no more than a game:
/// controllers expect to be obeyed without a question.
pub(crate) fn printsgf(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let mut record = DynGame::record(engine.game.session());
    let session = engine.game.session();
    if session.turn().is_terminal() && session.forfeit().is_none() && !session.state().is_void() {
        // The same as `final_score` says, dead stones taken off where the rules do.
        record.header.set("result", result_text(engine.score().margin()));
    }
    let bytes = go_sgf::from_record(&record).ok_or_else(|| Fault::new("this game cannot be written as SGF"))?;
    if call.arguments.is_empty() {
        return Ok(String::from_utf8_lossy(&bytes).into_owned().into());
    }
    let name = call.arguments.rest();
    let path = Path::new(&name);
    if path.is_file() && !load::is_sgf_file(path) {
        return Err(Fault::new(format!(
            "cannot write file: {name} exists and is not an SGF file; choose another name"
        )));
    }
    save::write(path, &bytes, true).map_err(|e| Fault::new(format!("cannot write file: {e}")))?;
    Ok(Reply::done())
}
