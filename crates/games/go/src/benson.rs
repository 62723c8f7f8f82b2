//! Unconditional life (Benson, "Life in the game of Go", Information Sciences 10, 1976).
//!
//! Regions are the maximal connected sets of points without a stone of the colour. A region is vital to a chain when all its
//! empty points are liberties of that chain. Chains with fewer than two vital regions are dropped, then regions that touch a
//! dropped chain, until nothing changes; what is left cannot be captured even if its owner always passes. Where suicide of
//! several stones is legal, all points of a region must be adjacent to the chain, since enemy stones in it may vanish.

use crate::board::{Board, EMPTY};
use crate::{Color, Point};

/// What is unconditionally a colour's, in index order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassAlive {
    /// Stones that cannot be captured.
    pub stones: Vec<Point>,
    /// Points of regions in which the enemy cannot live: every chain around is alive, and at most one point of the region is
    /// not next to them. Enemy stones on such points are dead.
    pub territory: Vec<Point>,
}

/// One maximal connected set of points without a stone of the colour.
struct Region {
    cells: Vec<usize>,
    /// Heads of the chains it touches.
    borders: Vec<usize>,
    /// Heads of the chains it is vital to.
    vital: Vec<usize>,
    /// Points that touch no stone of the colour.
    inner: usize,
    alive: bool,
}

/// The pass-alive stones and territory of `color`; `suicide` says whether removing several own stones is legal.
pub fn pass_alive(board: &Board, color: Color, suicide: bool) -> PassAlive {
    let own = color as u8;
    let cells = board.cells();
    let mut regions = find_regions(board, color, suicide);
    let mut chains: Vec<usize> = Vec::new();
    for point in board.stones(color) {
        let cell = board.cell(point);
        if board.head(cell) == cell {
            chains.push(cell);
        }
    }
    loop {
        let before = chains.len();
        chains.retain(|head| regions.iter().filter(|r| r.alive && r.vital.contains(head)).count() >= 2);
        if chains.len() == before {
            break;
        }
        for region in &mut regions {
            region.alive = region.alive && region.borders.iter().all(|head| chains.contains(head));
        }
    }
    let points = |cells: &mut dyn Iterator<Item = usize>| -> Vec<Point> {
        let mut points: Vec<Point> = cells.map(|cell| board.point(cell)).collect();
        points.sort_unstable();
        points
    };
    let stones = (0..cells.len()).filter(|&cell| cells[cell] == own && chains.contains(&board.head(cell)));
    // Without a chain dropped, regions were never tested against the chains: none is left in an empty list.
    let territory = regions
        .iter()
        .filter(|r| r.inner <= 1 && !r.borders.is_empty() && r.borders.iter().all(|head| chains.contains(head)))
        .flat_map(|r| r.cells.iter().copied());
    PassAlive { stones: points(&mut { stones }), territory: points(&mut { territory }) }
}

fn find_regions(board: &Board, color: Color, suicide: bool) -> Vec<Region> {
    let own = color as u8;
    let cells = board.cells();
    let mut seen = vec![false; cells.len()];
    let mut regions = Vec::new();
    for start in board.size().iter().map(|p| board.cell(p)) {
        if cells[start] == own || seen[start] {
            continue;
        }
        let mut region = Region { cells: vec![start], borders: Vec::new(), vital: Vec::new(), inner: 0, alive: true };
        seen[start] = true;
        let mut done = 0;
        while let Some(&cell) = region.cells.get(done) {
            let mut touches = false;
            for n in board.neighbors(cell) {
                if cells[n] == own {
                    touches = true;
                    let head = board.head(n);
                    if !region.borders.contains(&head) {
                        region.borders.push(head);
                    }
                } else if cells[n] <= EMPTY && !seen[n] {
                    seen[n] = true;
                    region.cells.push(n);
                }
            }
            region.inner += usize::from(!touches);
            done += 1;
        }
        let mut vital = region.borders.clone();
        for &cell in &region.cells {
            if suicide || cells[cell] == EMPTY {
                let next_to =
                    |head: usize| board.neighbors(cell).into_iter().any(|n| cells[n] == own && board.head(n) == head);
                vital.retain(|&head| next_to(head));
            }
        }
        region.vital = vital;
        regions.push(region);
    }
    regions
}
