//! Flat Monte Carlo: playouts from every action, without a tree.

use kiebitz_core::{Game, Knowledge, Luck, Outcome, Rng, Scratch, Seat, Seen, Settings, SpecError, Turn};

use crate::limit::Limit;
use crate::report::PayoffStats;
use crate::{Context, Report, Row, Search, SearchError, StopReason};

/// Which action gets the next playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Allocation {
    /// The action with the highest upper confidence bound, see [`ucb1`].
    #[default]
    Ucb1,
    /// Every action in turn.
    Uniform,
}

/// Settings of [`Flat`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatConfig {
    /// Which action gets the next playout.
    pub policy: Allocation,
    /// The weight of exploration in [`ucb1`], for utilities in `[0, 1]`.
    pub c: f64,
    /// Only the best `k` actions by prior, then by [`Knowledge::order`], are looked at; 0: all.
    pub k: u32,
    /// Common random numbers: the n-th playout of every action has the same world and the same luck, so that their difference
    /// depends less on luck.
    pub crn: bool,
}

impl Default for FlatConfig {
    fn default() -> Self {
        FlatConfig { policy: Allocation::Ucb1, c: std::f64::consts::SQRT_2, k: 0, crn: false }
    }
}

impl FlatConfig {
    /// Reads `policy` (ucb1 or uniform; default ucb1), `c` (0 to 100; default 1.4142…), `k` (0 to 1000000; default 0), `crn`
    /// (on or off; default off).
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        let default = Self::default();
        Ok(FlatConfig {
            policy: match settings.choice("policy", &["ucb1", "uniform"])? {
                "uniform" => Allocation::Uniform,
                _ => Allocation::Ucb1,
            },
            c: settings.number("c", default.c, 0.0, 100.0)?,
            k: settings.integer("k", 0, 0, 1_000_000)? as u32,
            crn: settings.switch("crn", default.crn)?,
        })
    }
}

/// The upper confidence bound `mean + c * sqrt(ln(total) / visits)` (P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time
/// analysis of the multiarmed bandit problem", 2002, with `c = sqrt(2)` for rewards in `[0, 1]`); infinite for an action
/// without visits.
pub fn ucb1(mean: f64, visits: u64, total: u64, c: f64) -> f64 {
    if visits == 0 {
        return f64::INFINITY;
    }
    crate::select::ucb1(mean, visits as f64, libm::log(total as f64), c)
}

/// Flat Monte Carlo search: playouts by [`Knowledge::playout`] from the worlds a seat holds possible, counted for each root
/// action. Works for every game. A visit is a playout.
///
/// With UCB1 the most visited action is the best, with uniform allocation the one with the highest mean.
#[derive(Debug)]
pub struct Flat<K> {
    config: FlatConfig,
    knowledge: K,
}

impl<K> Flat<K> {
    /// A search with this knowledge of the game.
    pub fn new(config: FlatConfig, knowledge: K) -> Self {
        Flat { config, knowledge }
    }
}

/// An action with the playouts from it.
struct Arm<A> {
    action: A,
    prior: f32,
    utility: PayoffStats,
    returns: PayoffStats,
}

impl<A: Copy + Ord> Arm<A> {
    fn visits(&self) -> u64 {
        self.utility.count()
    }

    fn mean(&self, seat: Seat) -> f64 {
        self.utility.estimate(seat).mean
    }

    fn row(&self, total: u64) -> Row<A> {
        let (utility, utility_error) = self.utility.utilities();
        Row {
            action: self.action,
            visits: self.visits(),
            availability: total,
            prior: Some(f64::from(self.prior)),
            utility,
            utility_error,
            returns: Some(self.returns.payoffs()),
            pv: vec![self.action],
            pv_visits: Vec::new(),
            proven: false,
        }
    }
}

impl<K> Flat<K> {
    /// The actions to look at, in order of actions.
    fn arms<G: Game>(&self, state: &G) -> Vec<Arm<G::Action>>
    where
        K: Knowledge<G>,
    {
        let mut actions = Vec::new();
        state.actions(&mut actions);
        self.knowledge.prune(state, &mut actions);
        let mut priors = vec![0.0; actions.len()];
        if !actions.is_empty() {
            self.knowledge.prior(state, &actions, &mut priors);
        }
        let (utility, returns) = (PayoffStats::default(), PayoffStats::default());
        let mut arms: Vec<Arm<G::Action>> =
            actions.into_iter().zip(priors).map(|(action, prior)| Arm { action, prior, utility, returns }).collect();
        let k = self.config.k as usize;
        if k > 0 && arms.len() > k {
            let order = |arm: &Arm<G::Action>| self.knowledge.order(state, arm.action);
            arms.sort_by(|a, b| b.prior.total_cmp(&a.prior).then_with(|| order(b).cmp(&order(a))));
            arms.truncate(k);
            arms.sort_by_key(|arm| arm.action);
        }
        arms
    }

    fn report<G: Game>(
        &self,
        arms: &[Arm<G::Action>],
        seat: Seat,
        limit: &Limit<'_, G>,
        stop: StopReason,
    ) -> Report<G> {
        let total = limit.visits();
        let mut rows: Vec<Row<G::Action>> = arms.iter().filter(|a| a.visits() > 0).map(|a| a.row(total)).collect();
        let by_visits = self.config.policy == Allocation::Ucb1;
        rows.sort_by(|a, b| {
            let visits = if by_visits { b.visits.cmp(&a.visits) } else { std::cmp::Ordering::Equal };
            visits.then(b.utility.of(seat).total_cmp(&a.utility.of(seat))).then(a.action.cmp(&b.action))
        });
        Report { seat, rows, visits: total, nodes: 0, bytes: 0, depth: 1, elapsed: limit.elapsed(), stop }
    }

    /// The index of the arm to play next.
    fn choose<A: Copy + Ord>(&self, arms: &[Arm<A>], seat: Seat, total: u64) -> usize {
        if self.config.policy == Allocation::Uniform {
            return (total % arms.len() as u64) as usize;
        }
        let (mut best, mut best_bound) = (0, f64::NEG_INFINITY);
        for (i, arm) in arms.iter().enumerate() {
            let bound = ucb1(arm.mean(seat), arm.visits(), total, self.config.c);
            if bound > best_bound {
                (best, best_bound) = (i, bound);
            }
        }
        best
    }
}

/// The purposes of the streams of randomness.
const WORLD: u64 = b'f' as u64;
const PLAYOUT: u64 = b'p' as u64;

impl<G: Game, K: Knowledge<G>> Search<G> for Flat<K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let Turn::Seat(seat) = root.sample_world().turn() else { return Err(SearchError::NotAPlayersTurn) };
        let mut limit = Limit::new(context, false, 1)?;
        let mut arms = self.arms(root.sample_world());
        if arms.is_empty() {
            return Err(SearchError::NotAPlayersTurn);
        }
        let luck = Luck::new(context.seed);
        let mut rng = luck.stream(WORLD, 0);
        let mut scratch: Scratch<G, K::Buffer> = Scratch::default();
        let mut world = root.sample_world().clone();
        while limit.tick() {
            // The tick counted the playout that comes now.
            let i = self.choose(&arms, seat, limit.visits() - 1);
            let arm = &mut arms[i];
            let outcome = if self.config.crn {
                let n = arm.visits();
                root.draw_into(&mut world, &mut luck.stream(WORLD, n));
                self.play(&mut world, arm.action, &mut luck.stream(PLAYOUT, n), &mut scratch)
            } else {
                root.draw_into(&mut world, &mut rng);
                self.play(&mut world, arm.action, &mut rng, &mut scratch)
            };
            arm.utility.add(&outcome.utility);
            arm.returns.add(&outcome.returns);
            limit.arm();
            if limit.progress_is_due() {
                let report = self.report(&arms, seat, &limit, StopReason::Stopped);
                limit.progress(&report);
            }
        }
        let stop = limit.reason().unwrap_or(StopReason::Stopped);
        Ok(self.report(&arms, seat, &limit, stop))
    }
}

impl<K> Flat<K> {
    fn play<G: Game>(
        &self,
        world: &mut G,
        action: G::Action,
        rng: &mut Rng,
        scratch: &mut Scratch<G, K::Buffer>,
    ) -> Outcome
    where
        K: Knowledge<G>,
    {
        world.apply(action);
        self.knowledge.playout(world, rng, scratch, None)
    }
}
