//! Looking at one position of a query.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_core::{Analysis, Budget, DynGame, PlayerError, Thinking, Turn};
use serde_json::Value;

use super::answer;
use super::fields::Problem;
use super::katago;
use super::query::{Form, Query, Reports};
use super::workers::Shared;

/// Visits where neither the query nor its player says how long to look.
pub(crate) const DEFAULT_VISITS: u64 = 1_000;

/// Looks at the position, sending reports during the search; the value is the final answer.
pub(crate) fn look(shared: &Shared, query: &Query, turn: usize, stop: &AtomicBool) -> Value {
    let failed = |problem: Problem| answer::position_error(&query.id, turn, &problem);
    let game = match query.position(turn) {
        Ok(game) => game,
        Err(message) => return failed(Problem::of("actions", message)),
    };
    let mut thinking = Thinking::new(Budget::visits(DEFAULT_VISITS), shared.clock.as_ref(), stop, query.seed);
    if let Some(budget) = query.budget {
        thinking.budget = budget;
        thinking.hard = true;
    }
    thinking.reasons = query.reasons;
    thinking.reasons_after_stop = false;
    thinking.restrictions = &query.restrictions;
    let answered = match &query.form {
        Form::Own { candidates } => own(shared, query, turn, game.as_ref(), &thinking, *candidates),
        Form::Katago(form) => katago::answer::look(shared, query, form, turn, game, &thinking),
    };
    answered.unwrap_or_else(|e| failed(Problem::of("player", e.to_string())))
}

fn own(
    shared: &Shared,
    query: &Query,
    turn: usize,
    game: &dyn DynGame,
    thinking: &Thinking<'_>,
    candidates: usize,
) -> Result<Value, PlayerError> {
    if !matches!(game.turn(), Turn::Seat(_)) {
        return Ok(answer::nothing_to_decide(&query.id, turn, game));
    }
    let line = |analysis: &Analysis, during: bool| {
        let mut shown = analysis.clone();
        shown.candidates.truncate(candidates);
        answer::own(&query.id, turn, during, game, &shown)
    };
    let analysis = analyze(shared, query, game, thinking, |analysis| line(analysis, true))?;
    Ok(line(&analysis, false))
}

/// Lets the query's player analyze, sending what `report` makes of its progress.
pub(crate) fn analyze(
    shared: &Shared,
    query: &Query,
    game: &dyn DynGame,
    thinking: &Thinking<'_>,
    report: impl Fn(&Analysis) -> Value + Sync,
) -> Result<Analysis, PlayerError> {
    let mut player =
        query.entry.player(&query.spec).map_err(|e| PlayerError { code: e.code(), message: e.to_string() })?;
    let Some(Reports { first, every }) = query.reports else {
        return player.analyze(game, thinking);
    };
    let due = Mutex::new(shared.clock.now().saturating_add(first));
    let progress = |analysis: &Analysis| {
        let now = shared.clock.now();
        let Ok(mut due) = due.lock() else { return };
        if now >= *due {
            *due = now.saturating_add(every);
            shared.output.send_if_idle(&report(analysis));
        }
    };
    // The player looks at the clock a little more often than a report is due, or every second one would be late.
    let progress_every = first.min(every).mul_f64(0.5).min(Duration::from_secs(1));
    player.analyze(game, &Thinking { progress: Some(&progress), progress_every, ..*thinking })
}
