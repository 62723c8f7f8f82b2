//! Handicap stones (GTP draft 2, section 4.1).

use kiebitz_go::{Point, Setup, Size, fixed_handicap as fixed_points, max_fixed_handicap};

use super::framing::{Answer, Fault, Reply};
use super::{Call, Engine};

/// The stones as a reply.
fn list(points: &[Point], size: Size) -> Reply {
    points.iter().map(|p| p.text(size).to_string()).collect::<Vec<_>>().join(" ").into()
}

fn place(engine: &mut Engine, points: &[Point]) -> Result<(), Fault> {
    let mut options = *engine.game.options();
    options.handicap = points.len() as u16;
    let setup = Setup { black: points.to_vec(), ..Setup::default() };
    engine.game.start(options, Some(setup)).map_err(|_| Fault::new("bad vertex list"))?;
    engine.forget();
    Ok(())
}

pub(crate) fn fixed_handicap(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let stones = call.arguments.int()?;
    call.arguments.finish()?;
    let size = engine.game.size();
    let points = usize::try_from(stones).ok().and_then(|n| fixed_points(size, n));
    let points = points.ok_or_else(|| Fault::new("invalid number of stones"))?;
    if !engine.game.is_fresh() {
        return Err(Fault::new("board not empty"));
    }
    place(engine, &points)?;
    Ok(list(&points, size))
}

/// Places as many stones as fixed handicap knows where it knows them; further ones go where they are farthest from the others,
/// not on the first two lines as long as there is room.
pub(crate) fn place_free_handicap(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let stones = call.arguments.int()?;
    call.arguments.finish()?;
    let size = engine.game.size();
    let stones = usize::try_from(stones).ok().filter(|n| (2..size.points()).contains(n));
    let stones = stones.ok_or_else(|| Fault::new("invalid number of stones"))?;
    if !engine.game.is_fresh() {
        return Err(Fault::new("board not empty"));
    }
    let points = free_points(size, stones);
    place(engine, &points)?;
    Ok(list(&points, size))
}

fn free_points(size: Size, stones: usize) -> Vec<Point> {
    let known = stones.min(max_fixed_handicap(size));
    let mut points = fixed_points(size, known).unwrap_or_default();
    let line = |p: Point| {
        let (column, row) = (p.column(size), p.row(size));
        column.min(row).min(size.width() - 1 - column).min(size.height() - 1 - row)
    };
    let distance = |a: Point, b: Point| {
        let columns = a.column(size).abs_diff(b.column(size));
        let rows = a.row(size).abs_diff(b.row(size));
        columns * columns + rows * rows
    };
    while points.len() < stones {
        let free = size.iter().filter(|p| !points.contains(p));
        let nearest = |p: Point| points.iter().map(|&q| distance(p, q)).min().unwrap_or(usize::MAX);
        let best = free.max_by_key(|&p| (line(p).min(2), nearest(p), line(p).min(3), std::cmp::Reverse(p)));
        let Some(best) = best else { break };
        points.push(best);
    }
    points
}

pub(crate) fn set_free_handicap(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let bad = || Fault::new("bad vertex list");
    let size = engine.game.size();
    let mut points = Vec::new();
    while !call.arguments.is_empty() {
        let point = call.arguments.point(size).map_err(|_| bad())?;
        if points.contains(&point) {
            return Err(bad());
        }
        points.push(point);
    }
    if !(2..size.points()).contains(&points.len()) {
        return Err(bad());
    }
    if !engine.game.is_fresh() {
        return Err(Fault::new("board not empty"));
    }
    place(engine, &points)?;
    Ok(Reply::done())
}
