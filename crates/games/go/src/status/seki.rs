//! Seki: chains of both colours that live because neither side can begin to take the other.

use kiebitz_core::Rng;

use super::area::{Known, open_areas};
use super::search::fate;
use super::{Cause, ChainStatus, Status, Stop};
use crate::knowledge::is_own_eye;
use crate::{Go, Point};

/// An attack that takes the chain less often than this at the end of its best line fails.
const FAILED: f32 = 0.5;

/// Finds seki among the chains that playouts leave `undecided`. A chain may be in seki when each of its liberties is also one of
/// an undecided enemy chain, or an eye of its own, with at least one of the former. It is, when an attack on it that moves first
/// fails and so does one on an enemy chain of that kind that it shares a liberty with.
pub(super) fn find_seki(
    go: &Go,
    chains: &mut [ChainStatus],
    chain_at: &[Option<usize>],
    known: &[Known],
    undecided: &[bool],
    rng: &mut Rng,
    stop: Stop<'_>,
) {
    let size = go.size();
    let shared_with = |c: usize| -> Option<Vec<usize>> {
        let color = chains[c].color;
        let enemies = |liberty: Point| {
            let around = size.neighbors(liberty).filter_map(|p| chain_at[p.index()]);
            around.filter(|&n| chains[n].color != color && undecided[n]).collect::<Vec<usize>>()
        };
        let mut shared = Vec::new();
        for liberty in go.board().liberties(chains[c].stones[0]) {
            let with = enemies(liberty);
            if with.is_empty() && !is_own_eye(go, color, liberty) {
                return None;
            }
            shared.extend(with);
        }
        shared.sort_unstable();
        shared.dedup();
        (!shared.is_empty()).then_some(shared)
    };
    let shared: Vec<Option<Vec<usize>>> =
        (0..chains.len()).map(|c| if undecided[c] { shared_with(c) } else { None }).collect();
    let areas = open_areas(go.board(), chains, chain_at, known);
    let mut stands = vec![false; chains.len()];
    for (c, shared_by) in shared.iter().enumerate() {
        let has_partner = shared_by.iter().flatten().any(|&enemy| shared[enemy].is_some());
        if let Some(area) = areas.iter().find(|area| has_partner && area.chains.contains(&c)) {
            stands[c] = fate(go, area, &chains[c], chains[c].color.opponent(), rng, stop) < FAILED;
        }
    }
    for (c, shared_by) in shared.iter().enumerate().filter(|&(c, _)| stands[c]) {
        let partners: Vec<usize> = shared_by.iter().flatten().copied().filter(|&enemy| stands[enemy]).collect();
        if !partners.is_empty() {
            chains[c].status = Status::Seki;
            chains[c].cause = Cause::Seki;
            chains[c].partners = partners;
        }
    }
}
