//! What computers do at the table: move, give hints, say what a move would lose. Everything here runs on the queue's threads.

use std::sync::Arc;
use std::time::Duration;

use kiebitz_catalog::Entry;
use kiebitz_core::{
    Analysis, Budget, Candidate, Clock, DynGame, DynPlayer, Estimate, PlayerError, PlayerSpec, Seat, Session, Thinking,
};
use kiebitz_go::Go;
use kiebitz_play::WallClock;
use serde_json::Map;

use crate::go;
use crate::minds::{Chair, Minds};
use crate::protocol::common::{CandidateData, Measured, ReasonData};
use crate::protocol::server::{HintArea, ServerMessage};
use crate::queue::{Control, Turned};

/// A player whose spec names no budget thinks for so long.
pub const UNSAID: Duration = Duration::from_secs(2);
/// Between two reports of a search.
const REPORT_EVERY: Duration = Duration::from_millis(220);
/// So many candidates are shown.
const SHOWN: usize = 5;
/// So many of them with reasons.
const WITH_REASONS: usize = 3;
/// A loss counts when it exceeds so many standard errors.
const SIGNIFICANT: f64 = 2.0;

/// A copy of a game with what is needed to think about it.
#[derive(Debug)]
pub struct Position {
    /// The game's entry in the catalog.
    pub entry: &'static Entry,
    /// The game.
    pub game: Box<dyn DynGame>,
    /// The randomness of the player.
    pub seed: u64,
}

/// The strongest player of the game for so much time.
fn advisor(entry: &Entry, time: Duration) -> Result<Box<dyn DynPlayer>, PlayerError> {
    let mut spec = entry.default_player();
    spec.settings.insert("level".to_owned(), "10".to_owned());
    spec.settings.insert("time".to_owned(), format!("{}ms", time.as_millis().max(1)));
    build(entry, &spec)
}

/// A player of a spec.
///
/// # Errors
/// When there is none.
pub fn build(entry: &Entry, spec: &PlayerSpec) -> Result<Box<dyn DynPlayer>, PlayerError> {
    entry.player(spec).map_err(|e| PlayerError::new("player.spec", e.to_string()))
}

/// What a computer wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It plays this.
    Play(String),
    /// It gives up.
    Resign,
}

/// Chooses for the seat to move. `None` when nobody wants it any more.
pub fn choose(
    position: &Position,
    chair: &Chair,
    minds: &Minds,
    control: &Control,
) -> Option<Result<Choice, PlayerError>> {
    let result = match position.game.as_any().downcast_ref::<Session<Go>>() {
        Some(session) => chair.choose(minds, session, control),
        None => plainly(position, &chair.spec, control),
    };
    (!control.is_cancelled()).then_some(result)
}

/// The best move of a player, for games that need no judgement besides the search's.
fn plainly(position: &Position, spec: &str, control: &Control) -> Result<Choice, PlayerError> {
    let spec: PlayerSpec = spec.parse().map_err(|_| PlayerError::new("player.spec", "the player's spec is damaged"))?;
    let mut player = build(position.entry, &spec)?;
    let clock = WallClock::start();
    let thinking = Thinking::new(Budget::time(UNSAID), &clock, &control.stop, position.seed);
    let analysis = player.analyze(position.game.as_ref(), &thinking)?;
    let best = analysis.best().ok_or_else(|| PlayerError::new("player.none", "the player found no move"))?;
    Ok(Choice::Play(best.action.clone()))
}

/// A legal move where a player failed: a pass that ends the game and wins it, else the move that looks best at once, else the first
/// one, a pass if there is no other.
pub fn fall_back(game: &dyn DynGame) -> Option<String> {
    let legal = game.legal();
    if game.meta().hidden {
        // Trying moves out would look at what is hidden.
        return legal.into_iter().next();
    }
    let seat = game.turn().seat();
    let score = |action: &String| {
        let mut next = game.clone_box();
        next.play(action).ok()?;
        Some((next.utility().of(seat?), next.turn().is_terminal()))
    };
    let pass = legal.iter().find(|action| *action == "pass");
    if let Some(pass) = pass.filter(|pass| score(pass).is_some_and(|(value, ends)| ends && value > 0.5)) {
        return Some(pass.clone());
    }
    let value = |action: &String| score(action).map_or(f64::MIN, |(value, _)| value);
    let best = legal.iter().filter(|a| *a != "pass").max_by(|a, b| value(a).total_cmp(&value(b)));
    best.or(legal.first()).cloned()
}

fn measured(list: &[Estimate], seat: Seat) -> Option<Measured> {
    list.get(usize::from(seat)).copied().map(Measured::from)
}

fn difference(best: Estimate, other: Estimate) -> Measured {
    Measured { mean: best.mean - other.mean, error: (best.error * best.error + other.error * other.error).sqrt() }
}

/// What `other` loses against `best` for a seat, and whether in points.
fn loss(best: &Candidate, other: &Candidate, seat: Seat) -> Option<(Measured, bool)> {
    let s = usize::from(seat);
    match (best.returns.get(s), other.returns.get(s)) {
        (Some(&b), Some(&o)) => Some((difference(b, o), true)),
        _ => Some((difference(*best.utility.get(s)?, *other.utility.get(s)?), false)),
    }
}

/// The best candidates of an analysis, for its seat.
pub fn candidates(analysis: &Analysis) -> Vec<CandidateData> {
    let Some(best) = analysis.best() else { return Vec::new() };
    let none = Measured { mean: 0.0, error: 0.0 };
    let data = |candidate: &Candidate| {
        let (loss, loss_in_points) = if std::ptr::eq(candidate, best) {
            (none, !best.returns.is_empty())
        } else {
            loss(best, candidate, analysis.seat).unwrap_or((none, false))
        };
        CandidateData {
            action: candidate.action.clone(),
            visits: candidate.visits,
            win_rate: measured(&candidate.utility, analysis.seat).unwrap_or(none),
            points: measured(&candidate.returns, analysis.seat),
            loss,
            loss_in_points,
            pv: candidate.pv.clone(),
            proven: candidate.proven,
            reasons: candidate.reasons.iter().map(ReasonData::from).collect(),
        }
    };
    analysis.candidates.iter().take(SHOWN).map(data).collect()
}

/// The first step of a hint: the area of the best move, or the group its weightiest reason is about.
fn area(game: &dyn DynGame, analysis: &Analysis) -> Option<HintArea> {
    let best = analysis.best()?;
    let reason = best.reasons.iter().find(|r| r.code != "go.lead" && !r.subject.is_empty());
    let mut places = go::area(game, &best.action);
    if let Some(group) =
        reason.filter(|r| r.code == "go.group_danger").and_then(|r| go::chain(game, r.subject.first()?))
    {
        places = group;
    }
    Some(HintArea { places, reason: reason.map(ReasonData::from) })
}

/// Where messages about a hint go: `true` as the second value for the last one.
pub type Tell = Arc<dyn Fn(ServerMessage, bool) + Send + Sync>;

fn failed(id: u32, v: u32, error: &PlayerError) -> ServerMessage {
    ServerMessage::Error {
        code: error.code.to_owned(),
        message: error.message.clone(),
        cid: None,
        id: Some(id),
        v: Some(v),
        retry_after: None,
    }
}

/// Looks for a hint and tells about it as it gets better.
pub fn hint(position: &Position, id: u32, v: u32, time: Duration, control: &Control, tell: &Tell) -> Turned {
    let message = |analysis: &Analysis, done: bool| ServerMessage::Hint {
        id,
        v,
        seat: analysis.seat,
        queued: None,
        area: area(position.game.as_ref(), analysis),
        candidates: candidates(analysis),
        visits: analysis.visits,
        details: if done { analysis.details.clone() } else { Map::new() },
        done,
    };
    let report = |analysis: &Analysis| tell(message(analysis, false), false);
    let result = advisor(position.entry, time).and_then(|mut player| {
        let clock = WallClock::start();
        let mut thinking = Thinking::new(Budget::time(time), &clock, &control.stop, position.seed);
        thinking.progress = Some(&report);
        thinking.progress_every = REPORT_EVERY;
        thinking.reasons = WITH_REASONS;
        player.analyze(position.game.as_ref(), &thinking)
    });
    if control.is_cancelled() {
        return Turned::Done;
    }
    if control.is_preempted() {
        return Turned::More;
    }
    match result {
        Ok(analysis) => tell(message(&analysis, true), true),
        Err(error) => tell(failed(id, v, &error), true),
    }
    Turned::Done
}

/// What an action would lose against the best: the position is looked at, then the one after the action.
pub fn what_if(
    position: &Position,
    action: &str,
    id: u32,
    v: u32,
    time: Duration,
    control: &Control,
    tell: &Tell,
) -> Turned {
    let result = what_if_loss(position, action, time, control);
    if control.is_cancelled() {
        return Turned::Done;
    }
    if control.is_preempted() {
        return Turned::More;
    }
    match result {
        Ok((loss, loss_in_points, best, pv)) => {
            let mistake = loss.is_some_and(|l| l.mean > 0.0 && l.mean > SIGNIFICANT * l.error);
            let action = action.to_owned();
            let done = true;
            tell(
                ServerMessage::WhatIf { id, v, queued: None, action, loss, loss_in_points, mistake, best, pv, done },
                true,
            );
        }
        Err(error) => tell(failed(id, v, &error), true),
    }
    Turned::Done
}

type Loss = (Option<Measured>, bool, String, Vec<String>);

fn what_if_loss(position: &Position, action: &str, time: Duration, control: &Control) -> Result<Loss, PlayerError> {
    let game = position.game.as_ref();
    let clock = WallClock::start();
    let thinking = Thinking::new(Budget::time(time), &clock as &dyn Clock, &control.stop, position.seed);
    let mut player = advisor(position.entry, time)?;
    let analysis = player.analyze(game, &thinking)?;
    let seat = analysis.seat;
    let best = analysis.best().ok_or_else(|| PlayerError::new("player.none", "the player found no move"))?;
    let none = Measured { mean: 0.0, error: 0.0 };
    if best.action == action {
        return Ok((Some(none), !best.returns.is_empty(), best.action.clone(), best.pv.clone()));
    }
    let within = analysis.candidate(action);
    let enough = within.is_some_and(|c| c.proven || 10 * c.visits >= best.visits);
    let hidden = game.meta().hidden;
    if enough || hidden || !game.meta().chance.is_empty() {
        // Where something is hidden only this seat's own analysis may speak.
        let known = within.and_then(|c| loss(best, c, seat));
        let pv = within.map(|c| c.pv.clone()).unwrap_or_default();
        return Ok((known.map(|k| k.0), known.is_some_and(|k| k.1), best.action.clone(), pv));
    }
    let mut after = game.clone_box();
    after.play(action).map_err(|e| PlayerError::new(e.code, e.message))?;
    let mut pv = vec![action.to_owned()];
    let next = if after.turn().is_terminal() {
        let exact = |v: &[f64]| v.iter().map(|&mean| Estimate { mean, error: 0.0 }).collect::<Vec<_>>();
        let (utility, returns) = (exact(after.utility().as_slice()), exact(after.returns().as_slice()));
        let (action, pv, reasons) = (String::new(), Vec::new(), Vec::new());
        Candidate { action, visits: 0, prior: None, utility, returns, pv, pv_visits: Vec::new(), proven: true, reasons }
    } else {
        player.reset();
        let reply = player.analyze(after.as_ref(), &thinking)?;
        reply.best().cloned().ok_or_else(|| PlayerError::new("player.none", "the player found no move"))?
    };
    pv.extend(next.pv.iter().cloned());
    let known = loss(best, &next, seat);
    Ok((known.map(|k| k.0), known.is_some_and(|k| k.1), best.action.clone(), pv))
}

/// Looks at one position for so long, with reasons.
///
/// # Errors
/// When the player gives no answer.
pub fn look(position: &Position, time: Duration, control: &Control) -> Result<Analysis, PlayerError> {
    let clock = WallClock::start();
    let mut thinking = Thinking::new(Budget::time(time), &clock, &control.stop, position.seed);
    thinking.reasons = WITH_REASONS;
    advisor(position.entry, time)?.analyze(position.game.as_ref(), &thinking)
}
