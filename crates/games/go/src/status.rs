//! Which stones are dead at the end of a game, and the territory that follows: an estimate from playouts and small searches.
//!
//! 1. Unconditional life decides exactly where it can: pass-alive chains are alive, enemy chains inside pass-alive territory
//!    are dead.
//! 2. Playouts from the position, half with each player moving first, say how often the points of a chain end as the enemy's:
//!    its danger. Below 0.1 and above 0.9 that is taken as it is.
//! 3. For the chains between, the areas they lie in (walled in by the living) are searched, once with each player moving first,
//!    and the danger is what the two searches give together. Both players have passed, so neither thinks that beginning there
//!    gains anything: a chain goes to whom it goes more often when each begins half of the time. Dead is a danger above 0.5,
//!    and one that is not far below it is unknown, which counts as alive.
//! 4. Bent four in the corner, which play takes for a seki, is dead: the chain that can be made to capture it can only hope for
//!    a ko that the other side starts when no threats are left.
//! 5. Chains that share their last liberties with an enemy are in seki when searches find no attack on either.

mod area;
mod bent_four;
mod policy;
mod search;
mod seki;
mod tree;

use std::ops::Range;

use kiebitz_core::Rng;

use self::area::{Known, open_areas};
use self::bent_four::find_bent_fours;
use self::seki::find_seki;
use crate::board::NONE;
use crate::{Color, Go, Point, Score, Scoring, Tax, pass_alive};

/// The fewest playouts an assessment runs.
pub const MIN_PLAYOUTS: u32 = 500;
/// A chain whose points the enemy gets more often than this is dead.
const DEAD: f32 = 0.5;
/// A chain whose points the enemy gets no more often than this is alive.
const ALIVE: f32 = 0.35;
/// A chain whose points go one way more often than this in playouts is not searched.
const SETTLED: f32 = 0.9;
/// A danger between these, after the search of an area, is looked at again in a search for the one chain.
const CLOSE: Range<f32> = 0.35..0.65;

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

/// Why a chain is alive, dead or in seki.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It cannot be taken even if its owner always passes.
    PassAlive,
    /// It lies where the enemy's unconditional life leaves no room to live.
    PassAliveTerritory,
    /// Playouts nearly always end this way; [`ChainStatus::danger`] says how often.
    Playouts,
    /// Searches of the area with either player beginning; [`ChainStatus::danger`] says how they ended on the mean.
    Search,
    /// It is the bent four in the corner, or the chain around that (its [`ChainStatus::partners`]).
    BentFour,
    /// Neither it nor its [`ChainStatus::partners`] can be attacked.
    Seki,
}

impl Cause {
    /// A fixed name for programs.
    pub fn code(self) -> &'static str {
        match self {
            Cause::PassAlive => "pass_alive",
            Cause::PassAliveTerritory => "pass_alive_territory",
            Cause::Playouts => "playouts",
            Cause::Search => "search",
            Cause::BentFour => "bent_four",
            Cause::Seki => "seki",
        }
    }
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
    /// How often its points end as the enemy's, 0 to 1, mean over its stones: by playouts, or by searches for chains that
    /// playouts do not settle.
    pub danger: f32,
    /// What decided its status.
    pub cause: Cause,
    /// Enemy chains it is in seki or in a bent four with, by their place in [`Assessment::chains`]; else empty.
    pub partners: Vec<usize>,
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
pub fn assess<F>(go: &Go, playouts: u32, rng: &mut Rng, playout: F) -> Assessment
where
    F: FnMut(&Go, &mut Rng, &mut [i8]),
{
    match assess_unless(&|| false, go, playouts, rng, playout) {
        Some(assessment) => assessment,
        None => unreachable!("nobody stops it"),
    }
}

/// Asked before every playout and every visit whether to give up.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// As [`assess`], but gives up within a playout when `stop` says so: `None` then.
pub fn assess_unless<F>(stop: Stop<'_>, go: &Go, playouts: u32, rng: &mut Rng, mut playout: F) -> Option<Assessment>
where
    F: FnMut(&Go, &mut Rng, &mut [i8]),
{
    let size = go.size();
    let ownership = if Color::ALL.iter().all(|&color| go.board().count(color) == 0) {
        vec![0.0; size.points()]
    } else {
        mean_ownership(go, playouts.max(MIN_PLAYOUTS), rng, &mut playout, stop)
    };
    if stop() {
        return None;
    }
    let (mut chains, chain_at) = find_chains(go, &ownership);
    decide_by_unconditional_life(go, &mut chains);
    let known: Vec<Known> = chains.iter().map(known).collect();
    let mut undecided: Vec<bool> = known.iter().map(|&known| known == Known::Open).collect();
    for area in open_areas(go.board(), &chains, &chain_at, &known) {
        let owners = Color::ALL.map(|first| search::owners(go, &area, first, rng, stop));
        for &c in &area.chains {
            let [a, b] = owners.each_ref().map(|owners| danger(chains[c].color, &chains[c].stones, owners));
            chains[c].danger = (a + b) / 2.0;
            chains[c].cause = Cause::Search;
            if CLOSE.contains(&chains[c].danger) {
                let [a, b] = Color::ALL.map(|first| search::fate(go, &area, &chains[c], first, rng, stop));
                chains[c].danger = (a + b) / 2.0;
            }
        }
    }
    for chain in chains.iter_mut().filter(|chain| !chain.certain) {
        chain.status = match chain.danger {
            danger if danger > DEAD => Status::Dead,
            danger if danger <= ALIVE => Status::Alive,
            _ => Status::Unknown,
        };
    }
    find_bent_fours(go, &mut chains, &chain_at, &mut undecided);
    find_seki(go, &mut chains, &chain_at, &known, &undecided, rng, stop);
    (!stop()).then_some(Assessment { chains, ownership, chain_at })
}

/// How often these stones end as the enemy's, when the points have these mean owners.
fn danger(color: Color, stones: &[Point], owners: &[f32]) -> f32 {
    let black = stones.iter().map(|p| owners[p.index()]).sum::<f32>() / stones.len() as f32;
    let own = if color == Color::Black { black } else { -black };
    (1.0 - own) / 2.0
}

/// What unconditional life and playouts say of a chain.
fn known(chain: &ChainStatus) -> Known {
    match (chain.certain, chain.status, chain.danger) {
        (true, Status::Dead, _) => Known::Dead,
        (true, _, _) => Known::Alive,
        (_, _, danger) if danger > SETTLED => Known::Dead,
        (_, _, danger) if danger < 1.0 - SETTLED => Known::Alive,
        _ => Known::Open,
    }
}

fn mean_ownership<F>(go: &Go, playouts: u32, rng: &mut Rng, playout: &mut F, stop: Stop<'_>) -> Vec<f32>
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
        if stop() {
            break;
        }
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
        for stone in &stones {
            chain_at[stone.index()] = Some(chains.len());
        }
        let danger = danger(color, &stones, ownership);
        chains.push(ChainStatus {
            color,
            stones,
            status: Status::Unknown,
            certain: false,
            danger,
            cause: Cause::Playouts,
            partners: Vec::new(),
        });
    }
    (chains, chain_at)
}

fn decide_by_unconditional_life(go: &Go, chains: &mut [ChainStatus]) {
    for color in Color::ALL {
        let own = pass_alive(go.board(), color, go.options().rules.suicide);
        for chain in chains.iter_mut() {
            let (set, status, cause) = if chain.color == color {
                (&own.stones, Status::Alive, Cause::PassAlive)
            } else {
                (&own.territory, Status::Dead, Cause::PassAliveTerritory)
            };
            if chain.stones.iter().all(|stone| set.binary_search(stone).is_ok()) {
                chain.status = status;
                chain.certain = true;
                chain.cause = cause;
            }
        }
    }
}
