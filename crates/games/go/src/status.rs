//! Which stones are dead at the end of a game, and the territory that follows: an estimate from playouts.
//!
//! 1. Unconditional life decides exactly where it can: pass-alive chains are alive, enemy chains inside pass-alive territory
//!    are dead.
//! 2. Of the others, a chain is dead when playouts from the position (half with each player moving first) give its points
//!    to the enemy with a mean above 0.8 over the chain, alive below 0.2.
//! 3. Bent four in the corner, which playouts take for a seki, is dead: the chain that can be made to capture it can only
//!    hope for a ko that the other side starts when no threats are left.
//! 4. An undecided chain with an undecided enemy next to it (touching it or sharing a liberty) is in seki.
//! 5. What is left is unknown and counts as alive.

use kiebitz_core::Rng;

use crate::board::NONE;
use crate::{Color, Go, Point, Score, Scoring, Size, Tax, pass_alive};

/// The fewest playouts an assessment runs.
pub const MIN_PLAYOUTS: u32 = 500;
/// A chain whose points the enemy gets more often than this is dead.
const DEAD: f32 = 0.8;
/// A chain whose points the enemy gets less often than this is alive.
const ALIVE: f32 = 0.2;

/// What becomes of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It stays.
    Alive,
    /// It will be captured or is taken off without being captured.
    Dead,
    /// It stays, and so does an enemy chain next to it that neither side can attack.
    Seki,
    /// Undecided; treated as alive.
    Unknown,
}

/// One chain and what becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainStatus {
    /// Its colour.
    pub color: Color,
    /// Its stones, in index order.
    pub stones: Vec<Point>,
    /// What becomes of it.
    pub status: Status,
    /// Decided by unconditional life, not by playouts.
    pub certain: bool,
    /// How often its points end as the enemy's, 0 to 1, mean over its stones.
    pub danger: f32,
}

/// The status of every chain and the ownership of every point.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// All chains, in order of their first stone.
    pub chains: Vec<ChainStatus>,
    /// By [`Point::index`]: mean over the playouts of 1 for Black, -1 for White.
    pub ownership: Vec<f32>,
    chain_at: Vec<Option<usize>>,
}

impl Assessment {
    /// The status of the chain on `point`; `None` without a stone.
    pub fn status(&self, point: Point) -> Option<Status> {
        self.chain(point).map(|chain| chain.status)
    }

    /// The chain on `point`; `None` without a stone.
    pub fn chain(&self, point: Point) -> Option<&ChainStatus> {
        self.chains.get((*self.chain_at.get(point.index())?)?)
    }

    /// The stones of all chains with this status, in index order.
    pub fn stones(&self, status: Status) -> Vec<Point> {
        let chains = self.chains.iter().filter(|chain| chain.status == status);
        let mut stones: Vec<Point> = chains.flat_map(|chain| chain.stones.iter().copied()).collect();
        stones.sort_unstable();
        stones
    }

    /// The stones of dead chains, in index order.
    pub fn dead(&self) -> Vec<Point> {
        self.stones(Status::Dead)
    }

    /// The score with dead stones taken off. Under area scoring that is the count of the board without them. Under
    /// territory scoring it is an estimate, since neutral points may be open: a region counts for the colour that alone
    /// surrounds it, unless a chain in seki borders on it and the rules tax seki; two points for each group are not asked.
    pub fn score(&self, go: &Go) -> Score {
        let dead = self.dead();
        let rules = go.options().rules;
        if rules.scoring == Scoring::Area {
            return go.score_without(&dead);
        }
        let mut untaxed = go.clone();
        untaxed.options.rules.tax = Tax::None;
        let mut score = untaxed.score_without(&dead);
        if rules.tax == Tax::None {
            return score;
        }
        let size = go.size();
        let mut seki = self.stones(Status::Seki);
        let mut seen = vec![false; size.points()];
        // Empty points that connect to a stone in seki without crossing a living stone.
        while let Some(point) = seki.pop() {
            for n in size.neighbors(point) {
                let open = go.board().stone(n).is_none() || self.status(n) == Some(Status::Dead);
                if open && !seen[n.index()] {
                    seen[n.index()] = true;
                    seki.push(n);
                    let owner = std::mem::take(&mut score.owner[n.index()]);
                    if owner != 0 {
                        score.sides[usize::from(owner < 0)].territory -= 1;
                    }
                }
            }
        }
        score
    }
}

impl Go {
    /// Black's margin in points that an ownership map (as in [`Assessment`]) promises: its sum, with komi, handicap and button
    /// as in the score. Under territory scoring the stones Black has placed more than White are taken off, as in playouts.
    pub fn expected_margin(&self, ownership: &[f32]) -> f64 {
        let area: f64 = ownership.iter().map(|&o| f64::from(o)).sum();
        crate::knowledge::margin(self, area)
    }
}

/// Assesses all chains of the board as it stands, whether the game is over or not.
///
/// Runs `playouts` playouts, at least [`MIN_PLAYOUTS`]. `playout` plays one from the given position (whose turn it is has
/// been set; two passes before have been forgotten) and writes the final owner of each point by [`Point::index`]: 1 Black,
/// -1 White, 0 nobody.
pub fn assess<F>(go: &Go, playouts: u32, rng: &mut Rng, mut playout: F) -> Assessment
where
    F: FnMut(&Go, &mut Rng, &mut [i8]),
{
    let size = go.size();
    let ownership = if Color::ALL.iter().all(|&color| go.board().count(color) == 0) {
        vec![0.0; size.points()]
    } else {
        mean_ownership(go, playouts.max(MIN_PLAYOUTS), rng, &mut playout)
    };
    let (mut chains, chain_at) = find_chains(go, &ownership);
    decide_by_unconditional_life(go, &mut chains);
    for chain in chains.iter_mut().filter(|chain| !chain.certain) {
        chain.status = match chain.danger {
            danger if danger > DEAD => Status::Dead,
            danger if danger < ALIVE => Status::Alive,
            _ => Status::Unknown,
        };
    }
    find_bent_fours(go, &mut chains, &chain_at);
    find_seki(go, &mut chains, &chain_at);
    Assessment { chains, ownership, chain_at }
}

fn mean_ownership<F>(go: &Go, playouts: u32, rng: &mut Rng, playout: &mut F) -> Vec<f32>
where
    F: FnMut(&Go, &mut Rng, &mut [i8]),
{
    let points = go.size().points();
    let starts = Color::ALL.map(|color| {
        let mut start = go.clone();
        start.resume();
        start.ko = NONE;
        start.set_to_move(color);
        start
    });
    let mut sums = vec![0i32; points];
    let mut owner = vec![0i8; points];
    for i in 0..playouts {
        owner.fill(0);
        playout(&starts[i as usize % 2], rng, &mut owner);
        for (sum, &o) in sums.iter_mut().zip(&owner) {
            *sum += i32::from(o.signum());
        }
    }
    sums.into_iter().map(|sum| sum as f32 / playouts as f32).collect()
}

fn find_chains(go: &Go, ownership: &[f32]) -> (Vec<ChainStatus>, Vec<Option<usize>>) {
    let mut chains: Vec<ChainStatus> = Vec::new();
    let mut chain_at = vec![None; go.size().points()];
    for point in go.size().iter() {
        let Some(color) = go.board().stone(point) else { continue };
        if chain_at[point.index()].is_some() {
            continue;
        }
        let stones = go.board().chain(point);
        let mut sum = 0.0;
        for stone in &stones {
            chain_at[stone.index()] = Some(chains.len());
            sum += ownership[stone.index()];
        }
        let black = sum / stones.len() as f32;
        let own = if color == Color::Black { black } else { -black };
        chains.push(ChainStatus { color, stones, status: Status::Unknown, certain: false, danger: (1.0 - own) / 2.0 });
    }
    (chains, chain_at)
}

fn decide_by_unconditional_life(go: &Go, chains: &mut [ChainStatus]) {
    for color in Color::ALL {
        let own = pass_alive(go.board(), color, go.options().rules.suicide);
        for chain in chains.iter_mut() {
            let (set, status) =
                if chain.color == color { (&own.stones, Status::Alive) } else { (&own.territory, Status::Dead) };
            if chain.stones.iter().all(|stone| set.binary_search(stone).is_ok()) {
                chain.status = status;
                chain.certain = true;
            }
        }
    }
}

/// The corner, the point beside it, and two points along the other edge, for every corner and both ways round.
fn bent_fours(size: Size) -> Vec<[Point; 4]> {
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

/// Finds undecided chains of three stones that one more stone makes a bent four in the corner. Their two liberties are all
/// that the enemy chains around them have, so whoever of those plays first is captured, while the three can be made four and
/// given up for a ko at any time.
fn find_bent_fours(go: &Go, chains: &mut [ChainStatus], chain_at: &[Option<usize>]) {
    let size = go.size();
    for shape in bent_fours(size) {
        for inside in 0..chains.len() {
            let chain = &chains[inside];
            let liberties = go.board().liberties(chain.stones[0]);
            let made = |p: &Point| shape.contains(p) && !chain.stones.contains(p);
            let fits = chain.stones.len() == 3
                && chain.status == Status::Unknown
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
            if !around.is_empty() && around.iter().all(caught) {
                chains[inside].status = Status::Alive;
                for c in around {
                    chains[c].status = Status::Dead;
                }
            }
        }
    }
}

fn find_seki(go: &Go, chains: &mut [ChainStatus], chain_at: &[Option<usize>]) {
    let size = go.size();
    let undecided: Vec<bool> = chains.iter().map(|chain| chain.status == Status::Unknown).collect();
    let mut seki = Vec::new();
    for (i, chain) in chains.iter().enumerate().filter(|(i, _)| undecided[*i]) {
        let liberties = go.board().liberties(chain.stones[0]);
        let near = chain.stones.iter().chain(&liberties).flat_map(|&p| size.neighbors(p));
        let mut enemies = near.filter_map(|p| chain_at[p.index()]).filter(|&c| chains[c].color != chain.color);
        if enemies.any(|enemy| undecided[enemy]) {
            seki.push(i);
        }
    }
    for i in seki {
        chains[i].status = Status::Seki;
    }
}
