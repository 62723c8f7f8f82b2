//! Replaying a record: facts after every line, and their comparison with what the record expects.

use kiebitz_catalog::UnknownGame;
use kiebitz_core::record::{Header, ReadRecord};
use kiebitz_core::{DynGame, SetupError};
use kiebitz_go::sgf::{GameResult, Margin};
use serde_json::{Map, Value, json};

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The header names no known game.
    #[error("line 1: {0}")]
    Game(#[from] UnknownGame),
    /// The header's options, players or set-up are impossible.
    #[error("line 1: {0}")]
    Setup(#[from] SetupError),
    /// A line says something impossible.
    #[error("line {line}: {message}")]
    Line {
        /// The file's line, from 1.
        line: usize,
        /// A stable code.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
}

impl ReplayError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ReplayError::Game(_) => "game.unknown",
            ReplayError::Setup(e) => e.code,
            ReplayError::Line { code, .. } => code,
        }
    }
}

/// What a record's header tells of the result, beside what its moves come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// Nothing, or nothing that can be compared; or the game is not over.
    Nothing,
    /// The same.
    Same,
    /// Something else: in Go mostly dead stones that the record does not name.
    Other,
}

/// Compares the result that `header` declares with that of `game`, played to the record's end.
pub fn declared(header: &Header, game: &dyn DynGame) -> Declared {
    let (Some(told), Some(own)) = (header.get("result").and_then(Value::as_str), game.result()) else {
        return Declared::Nothing;
    };
    let same = match (game.id(), GameResult::parse(told), GameResult::parse(&own)) {
        ("go", None | Some(GameResult::Unknown), _) => return Declared::Nothing,
        // `B+` alone leaves open by what.
        ("go", Some(GameResult::Win { winner, by: Margin::Unstated }), Some(GameResult::Win { winner: own, .. })) => {
            winner == own
        }
        ("go", told, own) => told == own,
        _ => told.trim() == own,
    };
    if same { Declared::Same } else { Declared::Other }
}

/// One sentence for a record whose moves come to another result than it declares.
pub fn doubt(header: &Header, game: &dyn DynGame) -> Option<String> {
    if declared(header, game) != Declared::Other {
        return None;
    }
    let told = header.get("result").and_then(Value::as_str).unwrap_or_default();
    let dead = if game.id() == "go" { "; no dead stones are named" } else { "" };
    Some(format!("the file tells the result {told}, its moves come to {}{dead}", game.result().unwrap_or_default()))
}

/// A fact that is not as the record expects.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The file's line, from 1.
    pub line: usize,
    /// The fact.
    pub key: String,
    /// What the record says.
    pub expected: Value,
    /// What the game says; `None` when it has no such fact here.
    pub found: Option<Value>,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// How many facts were compared.
    pub facts: usize,
    /// The first one that differs.
    pub difference: Option<Difference>,
}

/// Starts the game that a header describes.
///
/// # Errors
/// When the game is unknown, or its options, players or set-up are impossible.
pub fn start(header: &Header) -> Result<Box<dyn DynGame>, ReplayError> {
    Ok(kiebitz_catalog::game(header.game())?.game.start(header, 0)?)
}

/// Replays the first `steps` lines (all for `None`).
///
/// # Errors
/// The first line that is impossible.
pub fn replay(read: &ReadRecord, steps: Option<usize>) -> Result<Box<dyn DynGame>, ReplayError> {
    let mut game = start(&read.record.header)?;
    visit(read, steps, game.as_mut(), |_, _| true)?;
    Ok(game)
}

/// Plays the line with this index.
///
/// # Errors
/// When it is impossible.
pub fn step(read: &ReadRecord, index: usize, game: &mut dyn DynGame) -> Result<(), ReplayError> {
    let number = read.line_numbers.get(index).copied().unwrap_or(index + 2);
    game.perform(&read.record.lines[index]).map_err(|e| ReplayError::Line {
        line: number,
        code: e.code,
        message: e.to_string(),
    })
}

/// Plays the lines, calling `seen` with the game and the index of the line after each, until it returns `false`.
fn visit(
    read: &ReadRecord,
    steps: Option<usize>,
    game: &mut dyn DynGame,
    mut seen: impl FnMut(&dyn DynGame, usize) -> bool,
) -> Result<(), ReplayError> {
    for index in 0..read.record.lines.len().min(steps.unwrap_or(usize::MAX)) {
        step(read, index, game)?;
        if !seen(game, index) {
            break;
        }
    }
    Ok(())
}

/// Compares every `expect` of the record with the facts; stops at the first difference.
///
/// # Errors
/// When the record cannot be replayed up to there.
pub fn check(read: &ReadRecord) -> Result<Checked, ReplayError> {
    let mut checked = Checked { facts: 0, difference: None };
    let mut game = start(&read.record.header)?;
    if let Some(expect) = read.record.header.expect() {
        compare(expect, game.as_ref(), 1, &mut checked);
    }
    if checked.difference.is_none() {
        visit(read, None, game.as_mut(), |game, index| {
            if let Some(expect) = read.record.lines[index].expect() {
                let number = read.line_numbers.get(index).copied().unwrap_or(index + 2);
                compare(expect, game, number, &mut checked);
            }
            checked.difference.is_none()
        })?;
    }
    Ok(checked)
}

fn compare(expect: &Map<String, Value>, game: &dyn DynGame, line: usize, checked: &mut Checked) {
    let facts = game.facts();
    for (key, expected) in expect {
        checked.facts += 1;
        let found = facts.get(key);
        if !found.is_some_and(|found| same(expected, found)) {
            checked.difference =
                Some(Difference { line, key: key.clone(), expected: expected.clone(), found: found.cloned() });
            return;
        }
    }
}

/// Equal as JSON, numbers by value (`7` and `7.0` are the same).
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}

/// Calls `print` with one JSON object for every line of the record, the header's first:
/// `{"line":1,"by":…,"action":…,"facts":{…}}`.
///
/// # Errors
/// The first line that is impossible; the lines before it were printed.
pub fn facts(read: &ReadRecord, mut print: impl FnMut(Value)) -> Result<(), ReplayError> {
    let mut game = start(&read.record.header)?;
    print(json!({"line": 1, "facts": game.facts()}));
    visit(read, None, game.as_mut(), |game, index| {
        let line = &read.record.lines[index];
        let number = read.line_numbers.get(index).copied().unwrap_or(index + 2);
        let mut object = Map::new();
        object.insert("line".to_owned(), number.into());
        for key in ["by", "action", "event", "setup"] {
            if let Some(value) = line.get(key) {
                object.insert(key.to_owned(), value.clone());
            }
        }
        object.insert("facts".to_owned(), Value::Object(game.facts()));
        print(Value::Object(object));
        true
    })
}
