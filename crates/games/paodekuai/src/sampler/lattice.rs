//! Exact sampling: rank by rank, the ways to deal the cards of a rank to the buckets, weighted by the ways to finish.
//!
//! A node is what matters of the ranks below: how many cards each bucket has, and the lengths of the runs that a proof forbids.
//! The weight of an edge is the number of ways to choose the cards of the rank, so that paths are drawn as deals of single cards
//! would give them.

use kiebitz_core::Rng;
use rustc_hash::FxHashMap;

use crate::belief::Proof;
use crate::cards::{Cards, RANKS, Rank};
use crate::rules::Rules;
use crate::sampler::deals::{BUCKETS, Deals};
use crate::sampler::limits::{Allowed, NoRun, Rest, restrict};
use crate::sampler::{Drawn, FEW_WORLDS};
use crate::state::MAX_SEATS;

/// Forbidden runs that are followed: four bits each in a word.
const MAX_RUNS: usize = 16;
/// Above this size the forbidden runs are left to rejection.
const MAX_NODES: usize = 60_000;
/// Paths that are looked at when the worlds are listed, as a multiple of the worlds wanted.
const PATHS_PER_WORLD: usize = 20;

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    /// Three bits for each bucket.
    counts: u16,
    /// Ways to choose these cards.
    ways: f64,
    /// `ways` times the ways to finish from there.
    mass: f64,
}

#[derive(Clone, Debug, Default)]
struct Node {
    first: u32,
    last: u32,
    /// Ways to finish, as deals of single cards.
    mass: f64,
    /// Ways to finish, as multisets of ranks.
    paths: f64,
}

/// The lattice of one set of deals.
#[derive(Clone, Debug)]
struct Layers {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// Draws deals under what is proven of single ranks and of runs.
#[derive(Debug)]
pub(crate) struct Lattice {
    /// One for each set of deals.
    layers: Vec<Layers>,
    /// Everything that is proven is taken into account.
    complete: bool,
    /// All worlds with the sums of their weights, where they are few.
    few: Vec<(Drawn, f64)>,
}

/// What is forbidden to the buckets.
struct Limits {
    allowed: [Allowed; BUCKETS],
    runs: Vec<(usize, NoRun)>,
    complete: bool,
}

impl Limits {
    fn of(rules: &Rules, deals: &Deals, proofs: &[Proof], with_runs: bool) -> Limits {
        let mut limits = Limits { allowed: [[31; RANKS]; BUCKETS], runs: Vec::new(), complete: true };
        for proof in proofs {
            let bucket = usize::from(proof.seat);
            let length = deals.sizes[bucket] + deals.forced[bucket].len();
            match restrict(rules, proof, length, &mut limits.allowed[bucket]) {
                Rest::Nothing => {}
                Rest::NoRun(run) if with_runs && limits.runs.len() < MAX_RUNS => limits.runs.push((bucket, run)),
                Rest::NoRun(_) | Rest::Test => limits.complete = false,
            }
        }
        limits
    }
}

impl Lattice {
    pub fn new(rules: &Rules, deals: &[Deals], proofs: &[Proof]) -> Lattice {
        let build = |with_runs| {
            let mut complete = true;
            let layers = deals.iter().map(|deals| {
                let limits = Limits::of(rules, deals, proofs, with_runs);
                complete &= limits.complete;
                Layers::new(rules, deals, &limits)
            });
            let layers: Option<Vec<Layers>> = layers.collect();
            layers.map(|layers| Lattice { layers, complete, few: Vec::new() })
        };
        let none = || Lattice { layers: Vec::new(), complete: false, few: Vec::new() };
        let mut lattice = build(true).or_else(|| build(false)).unwrap_or_else(none);
        if let Some(mut few) = lattice.list(rules, deals, proofs, FEW_WORLDS) {
            let mut sum = 0.0;
            for (_, weight) in &mut few {
                sum += *weight;
                *weight = sum;
            }
            lattice.few = few;
        }
        lattice
    }

    /// Whether a drawn deal agrees with everything that is proven.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether no deal agrees even with what is taken into account.
    pub fn has_none(&self) -> bool {
        !self.layers.is_empty() && self.count() <= 0.0
    }

    /// How many multisets of ranks there are.
    pub fn count(&self) -> f64 {
        self.layers.iter().filter_map(|layers| layers.nodes.first()).map(|node| node.paths).sum()
    }

    /// One of the few worlds, if they were few.
    pub fn pick(&self, rng: &mut Rng) -> Option<Drawn> {
        let total = self.few.last()?.1;
        let u = rng.unit() * total;
        let place = self.few.partition_point(|(_, sum)| *sum <= u);
        self.few.get(place).or(self.few.last()).map(|(drawn, _)| *drawn)
    }

    /// Draws a deal; `None` when there is none.
    pub fn draw(&self, deals: &[Deals], rng: &mut Rng) -> Option<Drawn> {
        let mass = |layers: &Layers, deals: &Deals| layers.nodes.first().map_or(0.0, |node| deals.weight * node.mass);
        let total: f64 = self.layers.iter().zip(deals).map(|(layers, deals)| mass(layers, deals)).sum();
        if total <= 0.0 {
            return None;
        }
        let mut u = rng.unit() * total;
        let found = self.layers.iter().zip(deals).find(|(layers, deals)| {
            let mass = mass(layers, deals);
            let here = u < mass;
            if !here {
                u -= mass;
            }
            here
        });
        let (layers, deals) = match found {
            Some(found) => found,
            // Rounding: the last one that is possible.
            None => self.layers.iter().zip(deals).rfind(|(l, _)| l.nodes.first().is_some_and(|n| n.mass > 0.0))?,
        };
        let mut free = [Cards::EMPTY; BUCKETS];
        let mut node = layers.nodes.first()?;
        for rank in 0..RANKS {
            let edges = layers.edges.get(node.first as usize..node.last as usize)?;
            let mut u = rng.unit() * node.mass;
            let edge = edges.iter().find(|edge| {
                let here = u < edge.mass;
                u -= edge.mass;
                here
            });
            let edge = edge.or_else(|| edges.iter().rfind(|edge| edge.mass > 0.0))?;
            deal(&mut free, rank, edge.counts);
            node = layers.nodes.get(edge.to as usize)?;
        }
        Some(deals.drawn(&free))
    }

    /// All worlds that agree with everything proven, with their weights; `None` when there are more than `most` or too many
    /// have to be looked at.
    pub fn list(&self, rules: &Rules, deals: &[Deals], proofs: &[Proof], most: usize) -> Option<Vec<(Drawn, f64)>> {
        let bound = if self.complete { most } else { most * PATHS_PER_WORLD };
        if self.layers.is_empty() || self.count() > bound as f64 {
            return None;
        }
        let mut found: Vec<(Drawn, f64)> = Vec::new();
        for (layers, deals) in self.layers.iter().zip(deals) {
            let mut free = [Cards::EMPTY; BUCKETS];
            layers.walk(0, 0, deals.weight, &mut free, &mut |free, weight| {
                let drawn = deals.drawn(free);
                let allowed = self.complete
                    || proofs.iter().all(|proof| proof.allows(rules, drawn.hands()[usize::from(proof.seat)]));
                if allowed {
                    found.push((drawn, weight));
                }
            });
        }
        // Two sets of deals may hold one world.
        if self.layers.len() > 1 {
            let mut merged: Vec<(Drawn, f64)> = Vec::new();
            let mut places: FxHashMap<([Cards; MAX_SEATS], Cards), usize> = FxHashMap::default();
            for (drawn, weight) in found {
                let place = *places.entry((drawn.seats, drawn.kitty)).or_insert(merged.len());
                match merged.get_mut(place) {
                    Some(kept) => kept.1 += weight,
                    None => merged.push((drawn, weight)),
                }
            }
            found = merged;
        }
        (found.len() <= most).then_some(found)
    }
}

fn deal(free: &mut [Cards; BUCKETS], rank: usize, counts: u16) {
    for (bucket, cards) in free.iter_mut().enumerate() {
        *cards = cards.plus(Cards::of(rank as Rank, (counts >> (3 * bucket) & 7) as u8));
    }
}

/// `n!`, for at most four cards of a rank.
const FACTORIAL: [f64; 5] = [1.0, 1.0, 2.0, 6.0, 24.0];

impl Layers {
    /// `None` when there are too many nodes.
    fn new(rules: &Rules, deals: &Deals, limits: &Limits) -> Option<Layers> {
        let mut built = Layers { nodes: vec![Node::default()], edges: Vec::new() };
        let buckets: Vec<usize> = (0..BUCKETS).filter(|&bucket| deals.sizes[bucket] > 0).collect();
        // The cards each bucket has so far (six bits each) and the lengths of runs (four bits each), with the node.
        let mut frontier: Vec<((u32, u64), u32)> = vec![((0, 0), 0)];
        let mut starts = vec![0];
        for rank in 0..RANKS {
            starts.push(built.nodes.len());
            let ways = compositions(deals, limits, &buckets, rank);
            let mut next: FxHashMap<(u32, u64), u32> = FxHashMap::default();
            let mut order = Vec::new();
            for ((used, lengths), node) in frontier {
                let first = built.edges.len() as u32;
                'ways: for &(counts, totals, ways) in &ways {
                    let mut filled = used;
                    for &bucket in &buckets {
                        filled += u32::from(counts >> (3 * bucket) & 7) << (6 * bucket);
                        if (filled >> (6 * bucket) & 63) as u8 > deals.sizes[bucket] {
                            continue 'ways;
                        }
                    }
                    let mut after = 0;
                    for (i, (bucket, run)) in limits.runs.iter().enumerate() {
                        let count = (totals >> (3 * bucket) & 7) as u8;
                        let before = (lengths >> (4 * i) & 15) as u8;
                        match run.step(rules, rank as Rank, count, before) {
                            Some(length) => after |= u64::from(length) << (4 * i),
                            None => continue 'ways,
                        }
                    }
                    let to = *next.entry((filled, after)).or_insert_with(|| {
                        let to = built.nodes.len() as u32;
                        built.nodes.push(Node::default());
                        order.push(((filled, after), to));
                        to
                    });
                    built.edges.push(Edge { to, counts, ways, mass: 0.0 });
                }
                let place = &mut built.nodes[node as usize];
                (place.first, place.last) = (first, built.edges.len() as u32);
                if built.nodes.len() > MAX_NODES {
                    return None;
                }
            }
            frontier = order;
        }
        // All cards are dealt and no bucket has too many, so every bucket is full.
        for (_, node) in &frontier {
            let node = &mut built.nodes[*node as usize];
            (node.mass, node.paths) = (1.0, 1.0);
        }
        let last = *starts.last().unwrap_or(&0);
        for place in (0..last).rev() {
            let (mut mass, mut paths) = (0.0, 0.0);
            let (first, end) = (built.nodes[place].first as usize, built.nodes[place].last as usize);
            for edge in first..end {
                let to = &built.nodes[built.edges[edge].to as usize];
                let here = built.edges[edge].ways * to.mass;
                paths += to.paths;
                mass += here;
                built.edges[edge].mass = here;
            }
            (built.nodes[place].mass, built.nodes[place].paths) = (mass, paths);
        }
        Some(built)
    }

    /// Calls `found` with every path and its weight.
    fn walk(
        &self,
        node: usize,
        rank: usize,
        weight: f64,
        free: &mut [Cards; BUCKETS],
        found: &mut impl FnMut(&[Cards; BUCKETS], f64),
    ) {
        if rank == RANKS {
            return found(free, weight);
        }
        let Some(here) = self.nodes.get(node) else { return };
        for edge in &self.edges[here.first as usize..here.last as usize] {
            if edge.mass > 0.0 {
                let before = *free;
                deal(free, rank, edge.counts);
                self.walk(edge.to as usize, rank + 1, weight * edge.ways, free, found);
                *free = before;
            }
        }
    }
}

/// The ways to deal the cards of a rank: counts for each bucket, the same with the forced cards, and in how many ways the cards
/// can be chosen.
fn compositions(deals: &Deals, limits: &Limits, buckets: &[usize], rank: usize) -> Vec<(u16, u16, f64)> {
    let all = deals.pool.count(rank as Rank);
    let mut found = vec![(0u16, 0u16, FACTORIAL[usize::from(all)], all)];
    for (i, &bucket) in buckets.iter().enumerate() {
        let is_last = i + 1 == buckets.len();
        let forced = deals.forced[bucket].count(rank as Rank);
        found = found
            .iter()
            .flat_map(|&(counts, totals, ways, left)| {
                let least = if is_last { left } else { 0 };
                (least..=left).filter_map(move |count| {
                    let total = count + forced;
                    let fits = limits.allowed[bucket][rank] >> total & 1 == 1;
                    let shift = 3 * bucket;
                    fits.then(|| {
                        (
                            counts | u16::from(count) << shift,
                            totals | u16::from(total) << shift,
                            ways / FACTORIAL[usize::from(count)],
                            left - count,
                        )
                    })
                })
            })
            .collect();
    }
    found.into_iter().filter(|way| way.3 == 0).map(|(counts, totals, ways, _)| (counts, totals, ways)).collect()
}
