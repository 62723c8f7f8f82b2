//! Where the board is still open: connected areas around undecided chains, walled in by living ones.

use crate::{Board, Point};

use super::ChainStatus;

/// A maximal connected set of points without a stone of a settled living chain, with an undecided chain in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenArea {
    /// All its points, in index order.
    pub points: Vec<Point>,
    /// The undecided chains in it, by their place in the list of chains.
    pub chains: Vec<usize>,
}

/// What is known of a chain before its area is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It lives; nobody need play next to it.
    Alive,
    /// It is lost, but its points can be played on.
    Dead,
    /// Not settled.
    Open,
}

/// The open areas, in order of their first point. `known` says what is known of each chain.
pub(super) fn open_areas(
    board: &Board,
    chains: &[ChainStatus],
    chain_at: &[Option<usize>],
    known: &[Known],
) -> Vec<OpenArea> {
    let size = board.size();
    let known_at = |point: Point| chain_at[point.index()].map(|c| known[c]);
    let mut seen = vec![false; size.points()];
    let mut areas = Vec::new();
    for start in size.iter() {
        if seen[start.index()] || known_at(start) == Some(Known::Alive) {
            continue;
        }
        seen[start.index()] = true;
        let mut points = vec![start];
        let mut done = 0;
        while let Some(&point) = points.get(done) {
            for n in size.neighbors(point) {
                if !seen[n.index()] && known_at(n) != Some(Known::Alive) {
                    seen[n.index()] = true;
                    points.push(n);
                }
            }
            done += 1;
        }
        points.sort_unstable();
        let inside = |c: &usize| known[*c] == Known::Open && points.binary_search(&chains[*c].stones[0]).is_ok();
        let open: Vec<usize> = (0..chains.len()).filter(inside).collect();
        if !open.is_empty() {
            areas.push(OpenArea { points, chains: open });
        }
    }
    areas
}
