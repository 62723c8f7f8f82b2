//! Every position of a game in one answer, so that stepping through it asks nothing more.

use kiebitz_core::record::{By, What};
use kiebitz_core::{DynGame, Observer, Seat};
use serde_json::Value;

use crate::protocol::common::Phase;
use crate::protocol::http::{Position, Positions};
use crate::refusal::Refusal;
use crate::table::Table;

/// The positions of a table's game.
///
/// # Errors
/// While something in it is hidden, or when it cannot be replayed.
pub fn of(table: &Table, yours: Vec<Seat>) -> Result<Positions, Refusal> {
    let hidden = || Refusal::new(403, "hidden", "positions of a game that hides something are shown when it is over");
    let record = table.record().ok_or_else(hidden)?;
    let observer = if table.phase() == Phase::Over { Observer::Omniscient } else { Observer::Public };
    let mut game = table.entry.game.start(&record.header, 0)?;
    let comment = record.header.get("comment").and_then(Value::as_str).map(str::to_owned);
    let mut positions = vec![position(game.as_ref(), observer, 0, None, "start", "", comment)];
    for (index, line) in record.lines.iter().enumerate() {
        game.perform(line)?;
        let by = match line.by() {
            By::Seat(seat) => Some(seat),
            _ => None,
        };
        let (kind, action) = match line.what() {
            What::Action(action) => ("action", action),
            What::Event(name) => (name, ""),
            What::Setup(_) => ("setup", ""),
        };
        let comment = line.get("comment").and_then(Value::as_str).map(str::to_owned);
        positions.push(position(game.as_ref(), observer, index as u32 + 1, by, kind, action, comment));
    }
    Ok(Positions {
        id: table.id.to_string(),
        game: table.game.id().to_owned(),
        title: table.title.clone(),
        rules: record.header.rules(),
        seats: table.seat_infos(),
        yours,
        v: table.v,
        result: table.outcome().and_then(|o| o.result),
        positions,
    })
}

fn position(
    game: &dyn DynGame,
    observer: Observer,
    step: u32,
    by: Option<u8>,
    kind: &str,
    action: &str,
    comment: Option<String>,
) -> Position {
    Position {
        step,
        by,
        kind: kind.to_owned(),
        action: action.to_owned(),
        comment,
        turn: game.turn().seat(),
        view: game.view(observer),
    }
}
