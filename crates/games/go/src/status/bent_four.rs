//! Bent four in the corner.

use super::{Cause, ChainStatus, Status};
use crate::{Go, Point, Size};

/// The corner, the point beside it, and two points along the other edge, for every corner and both ways round.
fn shapes(size: Size) -> Vec<[Point; 4]> {
    let (width, height) = (size.width(), size.height());
    let mut shapes = Vec::new();
    for (right, top) in [(false, false), (false, true), (true, false), (true, true)] {
        let point = |from_side: usize, from_edge: usize| {
            let column = if right { width.checked_sub(1 + from_side)? } else { from_side };
            let row = if top { height.checked_sub(1 + from_edge)? } else { from_edge };
            size.point(column, row)
        };
        for shape in [[(0, 0), (0, 1), (1, 0), (2, 0)], [(0, 0), (1, 0), (0, 1), (0, 2)]] {
            let points: Vec<Point> = shape.iter().filter_map(|&(a, b)| point(a, b)).collect();
            shapes.extend(<[Point; 4]>::try_from(points));
        }
    }
    shapes
}

/// Finds chains of three stones that playouts leave `undecided` and one more stone makes a bent four in the corner. Their two
/// liberties are all that the enemy chains around them have, so whoever of those plays first is captured, while the three can
/// be made four and given up for a ko at any time.
pub(super) fn find_bent_fours(go: &Go, chains: &mut [ChainStatus], chain_at: &[Option<usize>], undecided: &mut [bool]) {
    let size = go.size();
    for shape in shapes(size) {
        for inside in 0..chains.len() {
            let chain = &chains[inside];
            let liberties = go.board().liberties(chain.stones[0]);
            let made = |p: &Point| shape.contains(p) && !chain.stones.contains(p);
            let fits = chain.stones.len() == 3
                && undecided[inside]
                && chain.stones.iter().all(|p| shape.contains(p))
                && liberties.len() == 2
                && liberties.iter().any(made);
            if !fits {
                continue;
            }
            let near = chain.stones.iter().chain(&liberties).flat_map(|&p| size.neighbors(p));
            let mut around: Vec<usize> = near.filter_map(|p| chain_at[p.index()]).filter(|&c| c != inside).collect();
            around.sort_unstable();
            around.dedup();
            let caught = |&c: &usize| {
                chains[c].color != chain.color
                    && !chains[c].certain
                    && go.board().liberties(chains[c].stones[0]).iter().all(|l| liberties.contains(l))
            };
            if around.is_empty() || !around.iter().all(caught) {
                continue;
            }
            for &c in &around {
                chains[c].status = Status::Dead;
                chains[c].cause = Cause::BentFour;
                chains[c].partners = vec![inside];
                undecided[c] = false;
            }
            chains[inside].status = Status::Alive;
            chains[inside].cause = Cause::BentFour;
            chains[inside].partners = around;
            undecided[inside] = false;
        }
    }
}
