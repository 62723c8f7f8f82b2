//! Searches of an open area: who gets its points when both play there, and whether a chain in it can be taken.

use kiebitz_core::Rng;

use super::area::OpenArea;
use super::policy::Local;
use super::tree::Tree;
use super::{ChainStatus, Stop};
use crate::playout::PlayoutBoard;
use crate::{Color, Go, Point};

/// Visits of a search for the owners.
const OWNER_VISITS: u32 = 1000;
/// Visits of a search for the fate of one chain.
const FATE_VISITS: u32 = 3000;
/// Weight of the exploration term in both.
const EXPLORATION: [f32; 2] = [0.05, 0.1];

/// Mean owner of each point, by [`Point::index`] from 1 (Black) to -1 (White), over a search in which `first` begins.
pub(super) fn owners(go: &Go, area: &OpenArea, first: Color, rng: &mut Rng, stop: Stop<'_>) -> Vec<f32> {
    sized(go, area, &[], first, rng, stop)
}

/// How likely the points of the chain end as the enemy's, 0 to 1, when `first` begins: at the end of the line that a search for
/// just that prefers.
pub(super) fn fate(go: &Go, area: &OpenArea, chain: &ChainStatus, first: Color, rng: &mut Rng, stop: Stop<'_>) -> f32 {
    let owner = sized(go, area, &chain.stones, first, rng, stop).first().copied().unwrap_or(0.0);
    let own = if chain.color == Color::Black { owner } else { -owner };
    (1.0 - own) / 2.0
}

/// The owners of all points, or with a target only the mean owner of that.
fn sized(go: &Go, area: &OpenArea, target: &[Point], first: Color, rng: &mut Rng, stop: Stop<'_>) -> Vec<f32> {
    match go.size().width().max(go.size().height()) {
        0..=9 => on_board::<128>(go, area, target, first, rng, stop),
        10..=13 => on_board::<256>(go, area, target, first, rng, stop),
        14..=19 => on_board::<512>(go, area, target, first, rng, stop),
        _ => on_board::<1024>(go, area, target, first, rng, stop),
    }
}

fn on_board<const N: usize>(
    go: &Go,
    area: &OpenArea,
    target: &[Point],
    first: Color,
    rng: &mut Rng,
    stop: Stop<'_>,
) -> Vec<f32> {
    let mut board = PlayoutBoard::<N>::new();
    let stones = Color::ALL.into_iter().flat_map(|color| go.board().stones(color).map(move |point| (point, color)));
    let set = board.set_up(go.size(), stones, first, None);
    debug_assert!(set.is_ok(), "a position of the referee fits the playout board: {set:?}");
    let local = Local::new(board, &area.points, target);
    let mut tree = Tree::new(&local, first, EXPLORATION[usize::from(!target.is_empty())]);
    if target.is_empty() {
        tree.search(OWNER_VISITS, rng, stop);
        tree.ownership()
    } else {
        tree.search(FATE_VISITS, rng, stop);
        vec![tree.target_owner()]
    }
}
