//! Lines the engine writes: errors, warnings, and answers in our own form.

use kiebitz_core::{Analysis, DynGame, Turn, to_move_fact};
use serde_json::{Map, Value, json};

use super::fields::{Problem, clip};
use crate::reasons::are_points_known;

/// So many unused fields of one query are named.
const MOST_WARNINGS: usize = 20;

/// The line of a problem, with the id of the query where it has one.
pub(crate) fn error(id: Option<&str>, problem: &Problem) -> Value {
    line(id, "error", problem)
}

/// The line of something odd that does not keep the query from being answered.
pub(crate) fn warning(id: &str, problem: &Problem) -> Value {
    line(Some(id), "warning", problem)
}

fn line(id: Option<&str>, kind: &str, problem: &Problem) -> Value {
    let mut map = Map::new();
    if let Some(id) = id {
        map.insert("id".to_owned(), id.into());
    }
    if let Some(field) = &problem.field {
        map.insert("field".to_owned(), clip(field).into());
    }
    map.insert(kind.to_owned(), problem.message.as_str().into());
    Value::Object(map)
}

/// Warnings of fields that mean nothing here.
pub(crate) fn unused<'a>(fields: impl Iterator<Item = &'a str>) -> Vec<Problem> {
    let message = "unexpected or unused field: is it spelled right?";
    fields.take(MOST_WARNINGS).map(|field| Problem::of(field, message)).collect()
}

/// What every answer begins with.
pub(crate) fn head(id: &str, turn: usize, during: bool) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("id".to_owned(), id.into());
    map.insert("isDuringSearch".to_owned(), during.into());
    map.insert("turnNumber".to_owned(), turn.into());
    map
}

/// The answer of a position that was not looked at, because its query was terminated before.
pub(crate) fn no_results(id: &str, turn: usize) -> Value {
    let mut map = head(id, turn, false);
    map.insert("noResults".to_owned(), true.into());
    Value::Object(map)
}

/// The error of a position that a player does not look at.
pub(crate) fn position_error(id: &str, turn: usize, problem: &Problem) -> Value {
    let mut value = error(Some(id), problem);
    if let Value::Object(map) = &mut value {
        map.insert("turnNumber".to_owned(), turn.into());
    }
    value
}

/// The answer in our own form; returns that are those of a single simulation are left out.
pub(crate) fn own(id: &str, turn: usize, during: bool, game: &dyn DynGame, analysis: &Analysis) -> Value {
    let mut map = head(id, turn, during);
    map.insert("game".to_owned(), game.id().into());
    map.insert("toMove".to_owned(), to_move_fact(game.turn()));
    let mut told = analysis.clone();
    for candidate in told.candidates.iter_mut().filter(|c| !c.proven) {
        if !candidate.returns.iter().copied().all(are_points_known) {
            candidate.returns.clear();
        }
    }
    map.insert("analysis".to_owned(), json!(told));
    Value::Object(map)
}

/// The answer where there is nothing to decide: at a chance node, and at the end of the game.
pub(crate) fn nothing_to_decide(id: &str, turn: usize, game: &dyn DynGame) -> Value {
    let mut map = head(id, turn, false);
    map.insert("noResults".to_owned(), true.into());
    map.insert("game".to_owned(), game.id().into());
    map.insert("toMove".to_owned(), to_move_fact(game.turn()));
    if game.turn() == Turn::Terminal {
        map.insert("result".to_owned(), json!(game.result()));
        map.insert("returns".to_owned(), json!(game.returns()));
        map.insert("utility".to_owned(), json!(game.utility()));
    }
    Value::Object(map)
}
