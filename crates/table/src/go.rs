//! What only Go has at the table: the agreement on dead stones, its count, groups, and where a hint points first.

use std::sync::atomic::AtomicBool;

use kiebitz_core::{DynGame, Session};
use kiebitz_go::status::{Assessment, Status};
use kiebitz_go::{Color, Go, Move, Point, Ruleset, Score, Scoring as HowScored, Size};
use kiebitz_play::WallClock;
use kiebitz_play::go_mind::Assessor;

use crate::protocol::common::{GoCount, GroupStatus, Scoring, SideCount};

/// How far the area of a hint reaches from its best move.
const AREA_REACH: usize = 2;

fn session(game: &dyn DynGame) -> Option<&Session<Go>> {
    game.as_any().downcast_ref()
}

/// The position, where the game is Go.
pub fn state(game: &dyn DynGame) -> Option<&Go> {
    session(game).map(Session::state)
}

/// Whether the game has ended by two passes under rules where the players agree on dead stones, and they have not.
pub fn needs_agreement(game: &dyn DynGame) -> bool {
    let Some(session) = session(game) else { return false };
    let go = session.state();
    go.options().rules.friendly_pass
        && go.passes() >= 2
        && !go.is_void()
        && session.forfeit().is_none()
        && go.dead_stones().is_empty()
}

/// How many passes stand at the end.
pub fn passes(game: &dyn DynGame) -> u32 {
    state(game).map_or(0, |go| u32::from(go.passes()))
}

/// What becomes of the stones; takes about half a second on a large board, so not on an async thread. With the seed of the table's
/// minds it is the opinion with which a computer passed. `None` for other games, and when `stop` is set meanwhile.
pub fn assessment(game: &dyn DynGame, seed: u64, stop: &AtomicBool) -> Option<Assessment> {
    Assessor::new(seed).assess_unless(stop, state(game)?, &WallClock::start()).cloned()
}

/// Names of points.
pub fn names(points: &[Point], size: Size) -> Vec<String> {
    points.iter().map(|p| p.text(size).to_string()).collect()
}

/// Points of names; those that are none are left out.
pub fn points(names: &[String], size: Size) -> Vec<Point> {
    names.iter().filter_map(|name| Point::parse(name, size).ok()).collect()
}

/// The stones of the chain on a point.
pub fn chain(game: &dyn DynGame, name: &str) -> Option<Vec<String>> {
    let go = state(game)?;
    let point = Point::parse(name, go.size()).ok()?;
    go.board().stone(point)?;
    let mut chain = go.board().chain(point);
    chain.sort_unstable();
    Some(names(&chain, go.size()))
}

fn side(score: &Score, color: Color) -> SideCount {
    let side = &score.sides[color.index()];
    SideCount {
        stones: side.stones,
        territory: side.territory,
        prisoners: side.prisoners,
        group_tax: side.group_tax,
        handicap: side.handicap,
        komi: f64::from(side.quarters) / 4.0,
        total: f64::from(side.total()) / 4.0,
    }
}

fn count_of(go: &Go, score: &Score) -> GoCount {
    let size = go.size();
    let owner = |p: Point| match score.owner.get(p.index()) {
        Some(1) => 'X',
        Some(-1) => 'O',
        _ => '.',
    };
    let row = |row: usize| (0..size.width()).filter_map(|column| size.point(column, row)).map(owner).collect();
    let chinese = go.options().ruleset_name() == Some(Ruleset::Chinese);
    GoCount {
        scoring: go.options().rules.scoring.name().to_owned(),
        unit: if chinese { "zi" } else { "points" }.to_owned(),
        sides: Color::ALL.iter().map(|&color| side(score, color)).collect(),
        margin: f64::from(score.margin()) / 4.0,
        result: kiebitz_go::result_text(score.margin()),
        owner: (0..size.height()).rev().map(row).collect(),
    }
}

/// The count of the board with these stones dead.
pub fn count(game: &dyn DynGame, dead: &[String]) -> Option<GoCount> {
    let go = state(game)?;
    let score = go.score_without(&points(dead, go.size()));
    Some(count_of(go, &score))
}

/// The count of a game that is over by score: with the dead stones that were agreed.
pub fn final_count(game: &dyn DynGame) -> Option<GoCount> {
    let session = session(game)?;
    let over = session.state().passes() >= 2 && !session.state().is_void() && session.forfeit().is_none();
    over.then(|| count_of(session.state(), &session.state().score()))
}

/// The count with the dead stones that playouts see, and Black's expected margin if both play on.
pub fn estimate(game: &dyn DynGame, assessment: &Assessment) -> Option<(GoCount, f64)> {
    let go = state(game)?;
    Some((count_of(go, &assessment.score(go)), go.expected_margin(&assessment.ownership)))
}

fn status_name(status: Status) -> &'static str {
    match status {
        Status::Alive => "alive",
        Status::Dead => "dead",
        Status::Seki => "seki",
        Status::Unknown => "unknown",
    }
}

/// All groups with the computer's opinion; `dead` are the stones on the list.
pub fn groups(game: &dyn DynGame, assessment: Option<&Assessment>, dead: &[String]) -> Vec<GroupStatus> {
    let Some(go) = state(game) else { return Vec::new() };
    let size = go.size();
    let on_list = points(dead, size);
    let group = |color: Color, stones: &[Point], status: &str, certain: bool, danger: f64| GroupStatus {
        color: color.index() as u8,
        stones: names(stones, size),
        status: status.to_owned(),
        certain,
        danger,
        dead: stones.first().is_some_and(|s| on_list.contains(s)),
    };
    if let Some(assessment) = assessment {
        let of = |c: &kiebitz_go::status::ChainStatus| {
            group(c.color, &c.stones, status_name(c.status), c.certain, f64::from(c.danger))
        };
        return assessment.chains.iter().map(of).collect();
    }
    let mut seen: Vec<Point> = Vec::new();
    let mut groups = Vec::new();
    for point in size.iter() {
        let Some(color) = go.board().stone(point) else { continue };
        if seen.contains(&point) {
            continue;
        }
        let mut stones = go.board().chain(point);
        stones.sort_unstable();
        groups.push(group(color, &stones, "unknown", false, 0.0));
        seen.extend(stones);
    }
    groups
}

/// Where the agreement on dead stones stands.
pub fn scoring(
    game: &dyn DynGame,
    assessment: Option<&Assessment>,
    dead: &[String],
    accepted: &[bool],
) -> Option<Scoring> {
    let go = state(game)?;
    let open_points = assessment.is_some_and(|assessment| {
        let literal = go.score_without(&points(dead, go.size()));
        let meant = assessment.score(go);
        go.options().rules.scoring == HowScored::Territory
            && Color::ALL.iter().any(|c| literal.sides[c.index()].territory < meant.sides[c.index()].territory)
    });
    Some(Scoring {
        pending: assessment.is_none(),
        groups: groups(game, assessment, dead),
        dead: dead.to_vec(),
        count: count(game, dead)?,
        accepted: accepted.to_vec(),
        open_points,
    })
}

/// The points around a move: where a hint says to look first. Empty for a pass and for other games.
pub fn area(game: &dyn DynGame, action: &str) -> Vec<String> {
    let Some(go) = state(game) else { return Vec::new() };
    let size = go.size();
    let Some(center) = Move::parse(action, size).ok().and_then(Move::point) else { return Vec::new() };
    let near = |p: &Point| {
        p.column(size).abs_diff(center.column(size)) <= AREA_REACH
            && p.row(size).abs_diff(center.row(size)) <= AREA_REACH
    };
    size.iter().filter(near).map(|p| p.text(size).to_string()).collect()
}
