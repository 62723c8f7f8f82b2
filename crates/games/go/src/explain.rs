//! Why a move is good, in Go's own terms: what it captures, which groups it saves or endangers, where it gains points. All
//! numbers are means over playouts, compared with those after a pass.

use kiebitz_core::{Estimate, Game, Reason, Rng};
use serde_json::{Map, Value};

use crate::atari::is_caught;
use crate::knowledge::{GoBuffer, GoKnowledge};
use crate::{Color, Go, Move, Point};

/// Playouts for one ownership map.
const PLAYOUTS: u32 = 400;
/// A group's danger is worth a reason when it changes by more than this.
const DANGER_CHANGE: f64 = 0.12;
/// Stones that are lost in more than this share of the playouts are not called saved.
const SAVED_DANGER: f64 = 0.5;
/// A gain in points around a point is worth a reason from here on.
const AREA_GAIN: f64 = 1.0;

/// Means over playouts from one position.
pub(crate) struct Ownership {
    /// Per point in index order: 1 when it always ends as Black's, −1 as White's.
    pub(crate) points: Vec<f64>,
    /// Black's margin in points and its standard error.
    pub(crate) margin: (f64, f64),
}

impl Ownership {
    /// Plays `playouts` playouts from `go`.
    pub(crate) fn of(go: &Go, playouts: u32, rng: &mut Rng, buffer: &mut GoBuffer) -> Self {
        let size = go.size().points();
        let mut one = vec![0i8; size];
        let mut points = vec![0.0; size];
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..playouts {
            let margin = buffer.playout(go, &GoKnowledge::default(), rng, None);
            buffer.board.ownership(&mut one);
            for (total, &o) in points.iter_mut().zip(&one) {
                *total += f64::from(o);
            }
            sum += margin;
            squares += margin * margin;
        }
        let n = f64::from(playouts.max(1));
        points.iter_mut().for_each(|p| *p /= n);
        let mean = sum / n;
        let variance = (squares / n - mean * mean).max(0.0);
        Ownership { points, margin: (mean, libm::sqrt(variance / n)) }
    }

    /// How likely the stones of `chain` are lost by `color`: 0 safe, 1 dead.
    fn danger(&self, chain: &[Point], color: Color) -> f64 {
        let sum: f64 = chain.iter().filter_map(|p| self.points.get(p.index())).sum();
        let mean = sum / chain.len().max(1) as f64;
        let own = if color == Color::Black { mean } else { -mean };
        (1.0 - own) / 2.0
    }
}

/// The chains of the board, each with its colour, in order of their first point.
fn chains(go: &Go) -> Vec<(Color, Vec<Point>)> {
    let board = go.board();
    let mut visited = vec![false; go.size().points()];
    let mut chains = Vec::new();
    for point in go.size().iter() {
        let Some(color) = board.stone(point) else { continue };
        if visited[point.index()] {
            continue;
        }
        let mut chain = board.chain(point);
        chain.sort_unstable();
        for p in &chain {
            visited[p.index()] = true;
        }
        chains.push((color, chain));
    }
    chains
}

fn name(go: &Go, point: Point) -> String {
    point.text(go.size()).to_string()
}

/// A reason with the points it is worth.
type Weighted = (f64, Reason);

/// Why `action` is good or bad for the colour to move; the weightiest first, at most two, and who leads.
pub(crate) fn reasons(
    go: &Go,
    action: Move,
    returns: Option<Estimate>,
    rng: &mut Rng,
    buffer: &mut GoBuffer,
) -> Vec<Reason> {
    if go.turn().is_terminal() || !go.is_legal(action) {
        return Vec::new();
    }
    let mover = go.to_move();
    let mut after = go.clone();
    after.apply(action);
    if after.turn().is_terminal() {
        return Vec::new();
    }
    let with = Ownership::of(&after, PLAYOUTS, rng, buffer);
    let mut found: Vec<Weighted> = Vec::new();
    if let Some(point) = action.point() {
        captured(go, &after, point, &mut found);
        escaped(go, &after, point, &with, &mut found);
        let mut passed = go.clone();
        passed.apply(Move::PASS);
        if !passed.turn().is_terminal() {
            let without = Ownership::of(&passed, PLAYOUTS, rng, buffer);
            let shown = dangers(go, &after, &with, &without, &mut found);
            gains(go, mover, &with, &without, &shown, &mut found);
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut reasons: Vec<Reason> = found.into_iter().take(2).map(|(_, reason)| reason).collect();
    // What the search found, where it counts points; else the playouts after the move.
    let (margin, error) = match returns {
        Some(expected) if mover == Color::Black => (expected.mean, expected.error),
        Some(expected) => (-expected.mean, expected.error),
        None => with.margin,
    };
    reasons.push(Reason::new("go.lead", [], [("points", margin), ("error", error)]));
    reasons
}

fn captured(go: &Go, after: &Go, point: Point, found: &mut Vec<Weighted>) {
    let taken: Vec<Point> =
        go.board().stones(go.to_move().opponent()).filter(|&p| after.board().stone(p).is_none()).collect();
    // A neighbour names the place better than the lowest stone.
    let near = go.size().neighbors(point).find(|n| taken.contains(n));
    if let Some(first) = near.or(taken.first().copied()) {
        let stones = taken.len() as f64;
        found.push((2.0 * stones, Reason::new("go.capture", [name(go, first)], [("stones", stones)])));
    }
}

/// Own chains in atari that the move saves: no ladder takes them afterwards, and most playouts leave them on the board.
fn escaped(go: &Go, after: &Go, point: Point, with: &Ownership, found: &mut Vec<Weighted>) {
    let mut visited: Vec<Point> = Vec::new();
    for (color, chain) in chains(go) {
        if color != go.to_move() || go.board().liberties(chain[0]).len() != 1 || visited.contains(&chain[0]) {
            continue;
        }
        let kept = after.board().stone(chain[0]) == Some(color) && after.board().liberties(chain[0]).len() > 1;
        if kept && with.danger(&chain, color) <= SAVED_DANGER && is_caught(after, chain[0]) == Some(false) {
            let stones = chain.len() as f64;
            let near = go.size().neighbors(point).find(|n| chain.contains(n)).unwrap_or(chain[0]);
            found.push((2.0 * stones, Reason::new("go.atari_escape", [name(go, near)], [("stones", stones)])));
            visited.push(chain[0]);
        }
    }
}

/// Groups whose danger the move changes. Returns their points, which [`gains`] leaves out.
fn dangers(go: &Go, after: &Go, with: &Ownership, without: &Ownership, found: &mut Vec<Weighted>) -> Vec<Point> {
    let mut shown = Vec::new();
    for (color, chain) in chains(go) {
        if after.board().stone(chain[0]).is_none() {
            shown.extend(chain);
            continue;
        }
        let (before, now) = (without.danger(&chain, color), with.danger(&chain, color));
        if (now - before).abs() <= DANGER_CHANGE {
            continue;
        }
        let stones = chain.len() as f64;
        let numbers = [("color", color.index() as f64), ("stones", stones), ("before", before), ("after", now)];
        found
            .push((2.0 * stones * (now - before).abs(), Reason::new("go.group_danger", [name(go, chain[0])], numbers)));
        shown.extend(chain);
    }
    shown
}

/// Where the move gains most besides the groups already named: the sum over the points within a distance of two.
fn gains(go: &Go, mover: Color, with: &Ownership, without: &Ownership, shown: &[Point], found: &mut Vec<Weighted>) {
    let size = go.size();
    let sign = if mover == Color::Black { 1.0 } else { -1.0 };
    let mut gain: Vec<f64> = with.points.iter().zip(&without.points).map(|(a, b)| sign * (a - b)).collect();
    for point in shown {
        gain[point.index()] = 0.0;
    }
    let around = |center: Point| -> f64 {
        let near = size.iter().filter(|p| {
            p.column(size).abs_diff(center.column(size)) <= 2 && p.row(size).abs_diff(center.row(size)) <= 2
        });
        near.map(|p| gain[p.index()]).sum()
    };
    let best = size.iter().map(|p| (around(p), p)).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    if let Some((points, center)) = best.filter(|(points, _)| *points >= AREA_GAIN) {
        found.push((points, Reason::new("go.area", [name(go, center)], [("points", points)])));
    }
}

/// The ownership map, from the top left row by row, Black's margin, and the groups that are neither safe nor lost.
pub(crate) fn details(go: &Go, rng: &mut Rng, buffer: &mut GoBuffer) -> Map<String, Value> {
    if go.turn().is_terminal() {
        return Map::new();
    }
    let map = Ownership::of(go, PLAYOUTS, rng, buffer);
    let size = go.size();
    let rows =
        (0..size.height()).rev().flat_map(|row| (0..size.width()).filter_map(move |column| size.point(column, row)));
    let rounded = |x: f64| Value::from(libm::round(1000.0 * x) / 1000.0);
    let mut details = Map::new();
    details.insert("ownership".to_owned(), rows.map(|p| rounded(map.points[p.index()])).collect());
    details.insert("lead".to_owned(), rounded(map.margin.0));
    details.insert("lead_error".to_owned(), rounded(map.margin.1));
    let unsettled: Vec<Value> = chains(go)
        .into_iter()
        .filter_map(|(color, chain)| {
            let danger = map.danger(&chain, color);
            (0.25..0.75).contains(&danger).then(|| {
                let numbers = [("color", color.index() as f64), ("stones", chain.len() as f64), ("danger", danger)];
                serde_json::to_value(Reason::new("go.group_unsettled", [name(go, chain[0])], numbers))
                    .unwrap_or_default()
            })
        })
        .collect();
    details.insert("unsettled".to_owned(), unsettled.into());
    details
}
