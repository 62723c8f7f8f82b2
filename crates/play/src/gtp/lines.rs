//! Lines of analysis as front ends read them: `info move D4 visits 37 …`, and CGOS's JSON.

use std::fmt::Write as _;

use kiebitz_core::{Analysis, Candidate, Estimate, Knowledge as _};
use kiebitz_go::{Go, GoKnowledge, Move, Point, Size};
use serde_json::{Map, Value, json};

use super::ownership::{self, Maps};

/// Whose form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Leela Zero's: shares as whole numbers of 1/10000.
    Lz,
    /// KataGo's: shares as fractions, points, utility.
    Kata,
    /// Sabaki's: Leela Zero's keys with fractions, and points. A decimal point tells it from Leela Zero's.
    Plain,
    /// One line of JSON.
    Cgos,
}

/// What a line shall hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contents {
    pub form: Form,
    pub min_moves: usize,
    pub max_moves: usize,
    pub root_info: bool,
    pub ownership: bool,
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub pv_visits: bool,
}

/// The lower confidence bound is so many standard errors below the mean: 97.5 % on one side.
const LCB_ERRORS: f64 = 1.96;

/// Lines are cut after so many moves.
const LONGEST_LINE: usize = 16;

/// A candidate's numbers as its player sees them.
struct Numbers {
    winrate: f64,
    error: f64,
    lcb: f64,
    /// Mean and standard deviation of the score, where it is known.
    score: Option<(f64, f64)>,
    prior: f64,
}

impl Numbers {
    fn of(candidate: &Candidate, seat: usize) -> Self {
        let win = candidate.utility.get(seat).copied().unwrap_or(Estimate { mean: 0.5, error: 0.5 });
        // The error of the mean tells the spread of the single results.
        let spread = |e: &Estimate| e.error * (candidate.visits.max(1) as f64).sqrt();
        Numbers {
            winrate: win.mean.clamp(0.0, 1.0),
            error: win.error,
            lcb: (win.mean - LCB_ERRORS * win.error).clamp(0.0, 1.0),
            score: candidate.returns.get(seat).map(|e| (e.mean, spread(e))),
            prior: candidate.prior.unwrap_or(0.0),
        }
    }
}

/// A number with six decimals; never minus zero.
fn decimal(x: f64) -> String {
    let x = if x.is_finite() { x } else { 0.0 };
    let text = format!("{x:.6}");
    if text == "-0.000000" { "0.000000".to_owned() } else { text }
}

/// A share as Leela Zero writes it.
fn ten_thousandths(x: f64) -> u32 {
    (x.clamp(0.0, 1.0) * 10_000.0).round() as u32
}

/// Adds legal moves nobody looked at, the best priors first, until there are `min` candidates. All have estimates of the score,
/// if any has: a candidate whose playouts are all from an earlier search gets the position's.
fn filled(state: &Go, analysis: &Analysis, min: usize) -> Vec<Candidate> {
    let (utility, returns) = root_estimates(analysis);
    let mut candidates = analysis.candidates.clone();
    for candidate in candidates.iter_mut().filter(|c| c.returns.is_empty()) {
        candidate.returns.clone_from(&returns);
    }
    if candidates.len() >= min {
        return candidates;
    }
    let mut moves: Vec<Move> = Vec::new();
    kiebitz_core::Game::actions(state, &mut moves);
    let mut priors = vec![0.0; moves.len()];
    GoKnowledge::default().prior(state, &moves, &mut priors);
    let mut rest: Vec<(f32, Move)> = priors.into_iter().zip(moves).collect();
    rest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (prior, mv) in rest {
        if candidates.len() >= min {
            break;
        }
        let action = mv.text(state.size()).to_string();
        if candidates.iter().all(|c| c.action != action) {
            candidates.push(Candidate {
                pv: vec![action.clone()],
                pv_visits: vec![0],
                action,
                visits: 0,
                prior: Some(f64::from(prior)),
                utility: utility.clone(),
                returns: returns.clone(),
                proven: false,
                reasons: Vec::new(),
            });
        }
    }
    candidates
}

/// Means by visits over the candidates that have estimates.
fn root_estimates(analysis: &Analysis) -> (Vec<Estimate>, Vec<Estimate>) {
    let mean = |of: fn(&Candidate) -> &Vec<Estimate>| -> Vec<Estimate> {
        let known = || analysis.candidates.iter().filter(|c| !of(c).is_empty());
        let total = known().map(|c| c.visits).sum::<u64>() as f64;
        let share = |c: &Candidate| if total > 0.0 { c.visits as f64 / total } else { 1.0 / known().count() as f64 };
        let one = |seat: usize| {
            let sum = |value: fn(&Estimate) -> f64| -> f64 {
                known().filter_map(|c| Some(share(c) * value(of(c).get(seat)?))).sum()
            };
            Estimate { mean: sum(|e| e.mean), error: sum(|e| e.error) }
        };
        (0..known().map(|c| of(c).len()).max().unwrap_or(0)).map(one).collect()
    };
    (mean(|c| &c.utility), mean(|c| &c.returns))
}

/// One line of analysis of `state`, with its end of line; nothing where nothing is to be shown.
pub(crate) fn line(contents: &Contents, state: &Go, analysis: &Analysis, maps: Option<&Maps>) -> String {
    if contents.form == Form::Cgos {
        return cgos(contents, state, analysis, maps);
    }
    let seat = usize::from(analysis.seat);
    let mut out = String::new();
    let candidates = filled(state, analysis, contents.min_moves);
    for (order, candidate) in candidates.iter().take(contents.max_moves).enumerate() {
        if order > 0 {
            out.push(' ');
        }
        info(&mut out, contents, candidate, order, seat);
        if let Some(map) = maps.and_then(|m| m.moves.get(order)).filter(|_| contents.moves_ownership) {
            floats(&mut out, " movesOwnership", &map.mean, state.size());
        }
    }
    if contents.root_info {
        root_info(&mut out, contents.form, analysis, seat);
    }
    if let Some(maps) = maps {
        if contents.ownership {
            floats(&mut out, " ownership", &maps.root.mean, state.size());
        }
        if contents.ownership_stdev {
            floats(&mut out, " ownershipStdev", &maps.root.deviation, state.size());
        }
    }
    // An empty line would end the reply: where nothing is to be shown (`maxmoves 0`) there is no line.
    match out.trim_start() {
        "" => String::new(),
        line => format!("{line}\n"),
    }
}

fn info(out: &mut String, contents: &Contents, candidate: &Candidate, order: usize, seat: usize) {
    let n = Numbers::of(candidate, seat);
    let _ = write!(out, "info move {} visits {}", &candidate.action, candidate.visits);
    match contents.form {
        Form::Lz => {
            let (winrate, prior, lcb) = (ten_thousandths(n.winrate), ten_thousandths(n.prior), ten_thousandths(n.lcb));
            let _ = write!(out, " winrate {winrate} prior {prior} lcb {lcb}");
        }
        Form::Kata | Form::Cgos => {
            let (utility, winrate) = (decimal(2.0 * n.winrate - 1.0), decimal(n.winrate));
            let _ = write!(out, " utility {utility} winrate {winrate}");
            if let Some((mean, spread)) = n.score {
                let (mean, spread) = (decimal(mean), decimal(spread));
                let _ = write!(out, " scoreMean {mean} scoreStdev {spread} scoreLead {mean} scoreSelfplay {mean}");
            }
            let low = decimal(2.0 * (n.winrate - LCB_ERRORS * n.error) - 1.0);
            let _ = write!(out, " prior {} lcb {} utilityLcb {low}", decimal(n.prior), decimal(n.lcb));
        }
        Form::Plain => {
            let _ = write!(out, " winrate {}", decimal(n.winrate));
            if let Some((mean, _)) = n.score {
                let _ = write!(out, " scoreLead {}", decimal(mean));
            }
            let _ = write!(out, " prior {} lcb {}", decimal(n.prior), decimal(n.lcb));
        }
    }
    let _ = write!(out, " order {order} pv");
    for mv in candidate.pv.iter().take(LONGEST_LINE) {
        let _ = write!(out, " {}", mv);
    }
    if contents.pv_visits && !candidate.pv_visits.is_empty() {
        out.push_str(" pvVisits");
        for visits in candidate.pv_visits.iter().take(LONGEST_LINE.min(candidate.pv.len())) {
            let _ = write!(out, " {visits}");
        }
    }
}

fn root_info(out: &mut String, form: Form, analysis: &Analysis, seat: usize) {
    let (utility, returns) = root_estimates(analysis);
    let winrate = utility.get(seat).map_or(0.5, |e| e.mean);
    let _ = match form {
        Form::Lz => write!(out, " rootInfo visits {} winrate {}", analysis.visits, ten_thousandths(winrate)),
        _ => write!(
            out,
            " rootInfo visits {} utility {} winrate {}",
            analysis.visits,
            decimal(2.0 * winrate - 1.0),
            decimal(winrate)
        ),
    };
    if let Some(score) = returns.get(seat).filter(|_| form != Form::Lz) {
        let mean = decimal(score.mean);
        let _ = write!(out, " scoreMean {mean} scoreLead {mean} scoreSelfplay {mean}");
    }
}

/// Numbers point by point, row by row from the top left.
fn floats(out: &mut String, key: &str, values: &[f64], size: Size) {
    out.push_str(key);
    for point in from_top(size) {
        let value = values.get(point.index()).copied().unwrap_or(0.0);
        let text = format!("{value:.3}");
        let _ = write!(out, " {}", if text == "-0.000" { "0.000" } else { &text });
    }
}

/// All points, row by row from the top left.
pub(crate) fn from_top(size: Size) -> impl Iterator<Item = Point> {
    (0..size.height()).rev().flat_map(move |row| (0..size.width()).filter_map(move |column| size.point(column, row)))
}

/// The computer Go server's form: one line of JSON.
fn cgos(contents: &Contents, state: &Go, analysis: &Analysis, maps: Option<&Maps>) -> String {
    let seat = usize::from(analysis.seat);
    let rounded = |x: f64| json!((x * 10_000.0).round() / 10_000.0);
    let moves: Vec<Value> = filled(state, analysis, contents.min_moves)
        .iter()
        .take(contents.max_moves)
        .map(|candidate| {
            let n = Numbers::of(candidate, seat);
            let mut object = Map::new();
            object.insert("move".to_owned(), candidate.action.as_str().into());
            object.insert("visits".to_owned(), candidate.visits.into());
            object.insert("winrate".to_owned(), rounded(n.winrate));
            if let Some((mean, _)) = n.score {
                object.insert("score".to_owned(), rounded(mean));
            }
            object.insert("prior".to_owned(), rounded(n.prior));
            let after: Vec<&str> = candidate.pv.iter().skip(1).take(LONGEST_LINE).map(String::as_str).collect();
            object.insert("pv".to_owned(), after.join(" ").into());
            Value::Object(object)
        })
        .collect();
    let (utility, returns) = root_estimates(analysis);
    let mut object = Map::new();
    object.insert("winrate".to_owned(), rounded(utility.get(seat).map_or(0.5, |e| e.mean)));
    if let Some(score) = returns.get(seat) {
        object.insert("score".to_owned(), rounded(score.mean));
    }
    object.insert("visits".to_owned(), analysis.visits.into());
    object.insert("moves".to_owned(), moves.into());
    if let Some(maps) = maps {
        object.insert("ownership".to_owned(), encoded(&maps.root, state.size()).into());
    }
    format!("{}\n", Value::Object(object))
}

/// CGOS's ownership: a character a point for −1 to 1.
fn encoded(map: &ownership::Map, size: Size) -> String {
    const CHARACTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let encode = |point: Point| {
        let share = (map.mean.get(point.index()).copied().unwrap_or(0.0) + 1.0) / 2.0;
        let index = (share.clamp(0.0, 1.0) * 62.0).round() as usize;
        CHARACTERS.get(index).map_or('f', |&c| char::from(c))
    };
    from_top(size).map(encode).collect()
}
