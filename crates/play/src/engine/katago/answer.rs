//! Answers in the form of KataGo's.

use kiebitz_core::{Analysis, Candidate, DynGame, DynPlayer, Estimate, Overview, PlayerError, Seat, Thinking, Turn};
use kiebitz_go::{Color, Move, Point, Size};
use serde_json::{Map, Value, json};
use std::sync::atomic::Ordering;

use super::hash::Position;
use super::query::Katago;
use crate::engine::answer::head;
use crate::engine::look::analyze;
use crate::engine::query::Query;
use crate::engine::workers::Shared;

/// For so many of the best moves the ownership after them is given: each costs playouts.
const MOVES_WITH_OWNERSHIP: usize = 16;
/// `lcb` lies this many standard errors below the win rate.
const LCB_ERRORS: f64 = 2.0;

/// Looks at the position for the final answer, sending reports on the way.
pub(crate) fn look(
    shared: &Shared,
    query: &Query,
    form: &Katago,
    turn: usize,
    game: Box<dyn DynGame>,
    thinking: &Thinking<'_>,
) -> Result<Value, PlayerError> {
    let game = game.as_ref();
    let Turn::Seat(mover) = game.turn() else {
        return Err(PlayerError::new("player.turn", "the game is over here, there is nothing to look at"));
    };
    let mut player =
        query.entry.player(&query.spec).map_err(|e| PlayerError { code: e.code(), message: e.to_string() })?;
    let stopped = || thinking.stop.load(Ordering::Relaxed);
    let shows = form.ownership || form.ownership_stdev || form.policy;
    let overview = if shows && !stopped() { player.overview(game, thinking)? } else { Overview::default() };
    let sheet = Sheet {
        query,
        form,
        turn,
        seat: form.report_as.seat(mover),
        mover,
        overview: &overview,
        position: Position::of(form.size, &game.facts(), if mover == 0 { Color::Black } else { Color::White }),
    };
    let analysis = analyze(shared, query, game, thinking, |analysis| Value::Object(sheet.answer(analysis, true)))?;
    let mut answer = sheet.answer(&analysis, false);
    if form.moves_ownership || form.moves_ownership_stdev {
        let infos = answer.get_mut("moveInfos").and_then(Value::as_array_mut);
        for (info, candidate) in infos.into_iter().flatten().zip(&analysis.candidates).take(MOVES_WITH_OWNERSHIP) {
            if stopped() {
                break;
            }
            if let (Value::Object(info), Some(after)) = (info, after(player.as_mut(), game, mover, candidate, thinking))
            {
                sheet.ownership(info, &after, [form.moves_ownership, form.moves_ownership_stdev]);
            }
        }
    }
    Ok(Value::Object(answer))
}

/// What there is to say after a move; nothing where it ends the game.
fn after(
    player: &mut dyn DynPlayer,
    game: &dyn DynGame,
    mover: Seat,
    candidate: &Candidate,
    thinking: &Thinking<'_>,
) -> Option<Overview> {
    let mut after = game.clone_box();
    after.play_as(mover, &candidate.action).ok()?;
    player.overview(after.as_ref(), thinking).ok()
}

/// What an answer is written from.
struct Sheet<'a> {
    query: &'a Query,
    form: &'a Katago,
    turn: usize,
    /// From whose view numbers are given.
    seat: Seat,
    mover: Seat,
    overview: &'a Overview,
    position: Position,
}

/// A number with six digits after the point, and never −0.
fn rounded(x: f64) -> Value {
    json!((x * 1e6).round() / 1e6 + 0.0)
}

/// Mean and spread of a number over the simulations through an action.
#[derive(Clone, Copy)]
struct Spread {
    mean: f64,
    stdev: f64,
}

impl Sheet<'_> {
    fn answer(&self, analysis: &Analysis, during: bool) -> Map<String, Value> {
        let mut map = head(&self.query.id, self.turn, during);
        let stdev = self.common_stdev(analysis);
        let infos = analysis.candidates.iter().enumerate();
        let infos: Vec<Value> = infos.map(|(order, c)| Value::Object(self.info(c, order, stdev))).collect();
        map.insert("moveInfos".to_owned(), infos.into());
        map.insert("rootInfo".to_owned(), Value::Object(self.root(analysis, stdev)));
        self.ownership(&mut map, self.overview, [self.form.ownership, self.form.ownership_stdev]);
        if self.form.policy
            && let Some(policy) = self.policy()
        {
            map.insert("policy".to_owned(), policy);
        }
        map
    }

    /// The utility of an action for the seat whose view it is.
    fn winrate(&self, candidate: &Candidate) -> Estimate {
        candidate.utility.get(usize::from(self.seat)).copied().unwrap_or(Estimate { mean: 0.5, error: 0.5 })
    }

    /// The points of an action for the seat whose view it is; a single simulation has no spread of its own.
    fn points(&self, candidate: &Candidate, common: f64) -> Option<Spread> {
        let returns = candidate.returns.get(usize::from(self.seat))?;
        let n = candidate.visits as f64;
        let stdev = if candidate.visits > 1 { returns.error * n.sqrt() } else { common };
        Some(Spread { mean: returns.mean, stdev })
    }

    /// The standard deviation of the points over all simulations, as far as actions with several of them tell.
    fn common_stdev(&self, analysis: &Analysis) -> f64 {
        let (mut squares, mut visits) = (0.0, 0.0);
        for candidate in analysis.candidates.iter().filter(|c| c.visits > 1) {
            if let Some(points) = self.points(candidate, 0.0) {
                squares += points.stdev * points.stdev * candidate.visits as f64;
                visits += candidate.visits as f64;
            }
        }
        if visits > 0.0 { (squares / visits).sqrt() } else { 0.0 }
    }

    /// What a move and the root have in common.
    fn values(&self, map: &mut Map<String, Value>, winrate: Estimate, points: Option<Spread>) {
        // The bound that is worse for the mover, in the view of the answer.
        let worse = if self.seat == self.mover { -LCB_ERRORS } else { LCB_ERRORS };
        let lcb = winrate.mean + worse * winrate.error;
        map.insert("winrate".to_owned(), rounded(winrate.mean));
        map.insert("lcb".to_owned(), rounded(lcb));
        map.insert("utility".to_owned(), rounded(2.0 * winrate.mean - 1.0));
        map.insert("utilityLcb".to_owned(), rounded(2.0 * lcb - 1.0));
        if let Some(points) = points {
            for name in ["scoreLead", "scoreMean", "scoreSelfplay"] {
                map.insert(name.to_owned(), rounded(points.mean));
            }
            map.insert("scoreStdev".to_owned(), rounded(points.stdev));
        }
    }

    fn info(&self, candidate: &Candidate, order: usize, stdev: f64) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("move".to_owned(), candidate.action.as_str().into());
        map.insert("order".to_owned(), order.into());
        map.insert("visits".to_owned(), candidate.visits.into());
        map.insert("weight".to_owned(), candidate.visits.into());
        self.values(&mut map, self.winrate(candidate), self.points(candidate, stdev));
        let known = self.overview.priors.iter().find(|(action, _)| *action == candidate.action).map(|(_, p)| *p);
        if let Some(prior) = candidate.prior.or(known) {
            map.insert("prior".to_owned(), rounded(prior));
        }
        let length = candidate.pv.len().min(self.form.pv_len.saturating_add(1));
        map.insert("pv".to_owned(), json!(candidate.pv[..length]));
        if self.form.pv_visits && !candidate.pv_visits.is_empty() {
            let visits: Vec<u64> = candidate.pv_visits.iter().take(length).copied().collect();
            map.insert("pvVisits".to_owned(), visits.into());
        }
        if !candidate.reasons.is_empty() {
            map.insert("reasons".to_owned(), json!(candidate.reasons));
        }
        map
    }

    fn root(&self, analysis: &Analysis, stdev: f64) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("currentPlayer".to_owned(), if self.mover == 0 { "B" } else { "W" }.into());
        map.insert("visits".to_owned(), analysis.visits.into());
        map.insert("weight".to_owned(), analysis.visits.into());
        if let Some(whole) = whole(analysis) {
            let points = self.points(&whole, stdev).map(|points| Spread { stdev, ..points });
            self.values(&mut map, self.winrate(&whole), points);
        }
        map.insert("thisHash".to_owned(), self.position.this_hash().into());
        map.insert("symHash".to_owned(), self.position.sym_hash().into());
        map
    }

    /// Adds the ownership map that `overview` shows, and its standard deviation, where they are asked for.
    fn ownership(&self, map: &mut Map<String, Value>, overview: &Overview, asked: [bool; 2]) {
        let Some(points) = overview.details.get("ownership").and_then(Value::as_array) else { return };
        let sign = if self.seat == 0 { 1.0 } else { -1.0 };
        let points: Vec<f64> = points.iter().map(|p| sign * p.as_f64().unwrap_or(0.0)).collect();
        if asked[0] {
            map.insert("ownership".to_owned(), points.iter().map(|&p| rounded(p)).collect());
        }
        if asked[1] {
            // Nearly every point ends as somebody's: 1 or −1.
            let stdev = points.iter().map(|&p| rounded((1.0 - p * p).max(0.0).sqrt()));
            map.insert("ownershipStdev".to_owned(), stdev.collect());
        }
    }

    /// The prior of every point from the top left row by row, then of a pass; −1 where it is illegal.
    fn policy(&self) -> Option<Value> {
        let size = self.form.size;
        if self.overview.priors.is_empty() {
            return None;
        }
        let mut policy = vec![json!(-1); size.points() + 1];
        for (action, prior) in &self.overview.priors {
            let mv = Move::parse(action, size).ok()?;
            let place = mv.point().map_or(size.points(), |point| from_top(point, size));
            *policy.get_mut(place)? = rounded(*prior);
        }
        Some(policy.into())
    }
}

/// All simulations as one candidate: means over them, as the values of a move are means over those through it.
fn whole(analysis: &Analysis) -> Option<Candidate> {
    let mut whole = analysis.best()?.clone();
    let visits: f64 = analysis.candidates.iter().map(|c| c.visits as f64).sum();
    if visits <= 0.0 {
        return Some(whole);
    }
    let mean = |of: &dyn Fn(&Candidate) -> Option<Estimate>| -> Option<Estimate> {
        let (mut mean, mut squares) = (0.0, 0.0);
        for candidate in &analysis.candidates {
            let (e, share) = (of(candidate)?, candidate.visits as f64 / visits);
            mean += share * e.mean;
            squares += (share * e.error).powi(2);
        }
        Some(Estimate { mean, error: squares.sqrt() })
    };
    whole.utility = (0..whole.utility.len()).map_while(|seat| mean(&|c| c.utility.get(seat).copied())).collect();
    whole.returns = (0..whole.returns.len()).map_while(|seat| mean(&|c| c.returns.get(seat).copied())).collect();
    whole.visits = visits as u64;
    Some(whole)
}

/// The place of a point in lists from the top left, row by row.
fn from_top(point: Point, size: Size) -> usize {
    (size.height() - 1 - point.row(size)) * size.width() + point.column(size)
}
