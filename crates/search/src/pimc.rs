//! Perfect-information Monte Carlo: draw worlds, solve each with all cards on the table, combine.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kiebitz_core::{Budget, Estimate, Game, Luck, Seat, Seen, Settings, SpecError};

use crate::world_search::{root_actions, run_threads};
use crate::{Context, PayoffStats, Report, Revealed, Row, Search, SearchError, StopReason};

/// Purpose of [`Luck::stream`] for the drawn worlds.
const STREAM_WORLDS: u64 = 0x7069_6d63;

/// How the worlds' answers become one choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Combine {
    /// The best mean of the worlds' values.
    #[default]
    Mean,
    /// The most worlds in which it is best.
    Vote,
}

/// Settings of [`Pimc`]; those of its inner search belong to the maker of that search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PimcConfig {
    /// How many worlds are drawn, each solved with an equal share of the budget. Key `samples`; 32 by default. With
    /// perfect information there is one world.
    pub samples: u32,
    /// Key `combine`: `mean` (default) or `vote`.
    pub combine: Combine,
    /// Threads, each solving whole worlds: their number does not change what a visit budget finds. Key `threads`; 1 by
    /// default.
    pub threads: usize,
    /// Stop when no world still to come could change the choice. Key `early`; off by default, since it mostly spoils the
    /// values of an analysis and rarely saves much.
    pub early: bool,
}

impl Default for PimcConfig {
    fn default() -> Self {
        PimcConfig { samples: 32, combine: Combine::Mean, threads: 1, early: false }
    }
}

impl PimcConfig {
    /// Reads `samples`, `combine`, `threads` and `early` from the settings of a player spec.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        let d = PimcConfig::default();
        Ok(PimcConfig {
            samples: settings.integer("samples", u64::from(d.samples), 1, 1_000_000)? as u32,
            combine: match settings.choice("combine", &["mean", "vote"])? {
                "vote" => Combine::Vote,
                _ => Combine::Mean,
            },
            threads: settings.integer("threads", d.threads as u64, 1, 256)? as usize,
            early: settings.switch("early", d.early)?,
        })
    }
}

/// Makes the searches that solve the drawn worlds, one for each thread. Any closure that returns one will do.
pub trait MakeInner<G: Game>: Send + Sync {
    /// A new search. It must report every root action it can with a value, not only a bound, or means make no sense.
    fn make(&self) -> Box<dyn Search<Revealed<G>>>;
}

impl<G: Game, F: Fn() -> Box<dyn Search<Revealed<G>>> + Send + Sync> MakeInner<G> for F {
    fn make(&self) -> Box<dyn Search<Revealed<G>>> {
        self()
    }
}

/// How one action did over the worlds of the last run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Votes<A> {
    /// The action.
    pub action: A,
    /// In how many worlds it was best. Worlds with several equally good exact values split their vote.
    pub votes: f64,
    /// How many worlds valued it.
    pub worlds: u64,
    /// The deciding seat's utility over those worlds, with the standard error of the mean.
    pub utility: Estimate,
    /// Its utility in the worst of them.
    pub worst: f64,
    /// Its utility in the best of them.
    pub best: f64,
}

/// Perfect-information Monte Carlo: draws worlds from what the seat has seen, lets an inner search solve each as if all cards
/// were on the table ([`Revealed`]), and combines the answers by mean of values or by votes.
///
/// World `k` and the inner search's seed follow from (seed, k) alone, so all actions of a world are compared under the same
/// luck, and the number of threads changes nothing. A visit budget is split evenly over the worlds, fewer of them where it is
/// too small for each to look at every action; time is split over the worlds still to come. Without a budget the inner search must limit itself (by depth). Standard errors are those of the
/// mean over worlds; with perfect information the inner report is passed on as it is.
///
/// # What it gets wrong
/// It averages over the best play of *each world*, as if the seat could later act differently in worlds it cannot tell apart
/// (*strategy fusion*), and it ignores that a position may be unlikely to have arisen in some worlds because other seats
/// would have played otherwise (*non-locality*): Frank and Basin, "Search in games with incomplete information", 1998; Long
/// et al., "Understanding the success of perfect information Monte Carlo sampling", AAAI 2010. It never values hiding or
/// gaining information. `docs/hidden-information.md` has the measured distance from equilibrium in Kuhn poker.
pub struct Pimc<G: Game> {
    config: PimcConfig,
    maker: Box<dyn MakeInner<G>>,
    inner: Vec<Box<dyn Search<Revealed<G>>>>,
    votes: Vec<Votes<G::Action>>,
}

impl<G: Game> Pimc<G> {
    /// A search with these settings that solves worlds with what `maker` makes.
    pub fn new(config: PimcConfig, maker: impl MakeInner<G> + 'static) -> Self {
        Pimc { config, maker: Box::new(maker), inner: Vec::new(), votes: Vec::new() }
    }

    /// Its settings.
    pub fn config(&self) -> &PimcConfig {
        &self.config
    }

    /// The vote table of the last run, in the order of the report's rows.
    pub fn votes(&self) -> &[Votes<G::Action>] {
        &self.votes
    }
}

impl<G: Game> fmt::Debug for Pimc<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pimc").field("config", &self.config).field("votes", &self.votes).finish_non_exhaustive()
    }
}

/// The solved worlds, in the order in which they were drawn.
type Solved<G> = Vec<Option<Report<Revealed<G>>>>;

/// What all threads share.
struct Job<'a, G: Game> {
    config: PimcConfig,
    root: &'a Seen<G>,
    context: &'a Context<'a, G>,
    start: Duration,
    worlds: usize,
    solved: Mutex<Solved<G>>,
    settled: AtomicBool,
}

impl<G: Game> Job<'_, G> {
    fn solved(&self) -> MutexGuard<'_, Solved<G>> {
        self.solved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elapsed(&self) -> Duration {
        self.context.clock.now().saturating_sub(self.start)
    }

    /// Solves every `threads`-th world from `index` on.
    fn work(
        &self,
        inner: &mut dyn Search<Revealed<G>>,
        index: usize,
        threads: usize,
    ) -> Result<StopReason, SearchError> {
        let context = self.context;
        let mut last_progress = self.start;
        for world in (index..self.worlds).step_by(threads) {
            // The first world is always looked at.
            if world > 0 && context.stopped() {
                return Ok(StopReason::Stopped);
            }
            if self.settled.load(Ordering::Relaxed) {
                return Ok(StopReason::Settled);
            }
            let mut budget = Budget::default();
            if let Some(visits) = context.budget.visits {
                let (visits, worlds) = (visits.max(1), self.worlds as u64);
                let share = visits / worlds + u64::from((world as u64) < visits % worlds);
                if share == 0 {
                    return Ok(StopReason::Visits);
                }
                budget.visits = Some(share);
            }
            if let Some(time) = context.budget.time {
                let left = time.saturating_sub(self.elapsed());
                if world > 0 && left.is_zero() {
                    return Ok(StopReason::Time);
                }
                budget.time = Some(left / (self.worlds - world).div_ceil(threads) as u32);
            }
            let mut rng = Luck::new(context.seed).stream(STREAM_WORLDS, world as u64);
            let drawn = Revealed(self.root.draw(&mut rng));
            let seen = Seen::new(&drawn, self.root.seat(), &(), &mut rng);
            let inner_context =
                Context { budget, progress: None, ..Context::new(budget, context.clock, context.stop, rng.next_u64()) };
            // Nothing passes from one world to the next, so that it does not matter who solves which.
            inner.reset();
            let report = inner.run(&seen, &inner_context)?;
            let mut solved = self.solved();
            solved[world] = Some(report);
            if self.config.early && world + 1 < self.worlds && self.is_settled(&solved) {
                self.settled.store(true, Ordering::Relaxed);
                return Ok(StopReason::Settled);
            }
            if index == 0
                && let Some(progress) = context.progress
                && self.context.clock.now().saturating_sub(last_progress) >= context.progress_every
            {
                last_progress = context.clock.now();
                let (report, _) = self.combine(&solved, StopReason::Stopped);
                drop(solved);
                progress(&report);
            }
        }
        Ok(StopReason::Complete)
    }

    /// Whether the best action stays best whatever the worlds still to come say: each can change a difference of votes, or
    /// of sums of utilities, by one at most.
    fn is_settled(&self, solved: &Solved<G>) -> bool {
        let done = solved.iter().flatten().count();
        let left = (self.worlds - done) as f64;
        let tallies = tally(solved, self.root.seat());
        let score = |t: &Tally<G::Action>| match self.config.combine {
            Combine::Vote => t.votes,
            Combine::Mean => t.utility.estimate(self.root.seat()).mean * t.utility.count() as f64,
        };
        if left == 0.0 || tallies.iter().any(|t| t.utility.count() < done as u64) {
            return false;
        }
        let mut scores: Vec<f64> = tallies.iter().map(score).collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        scores.first().unwrap_or(&0.0) - scores.get(1).unwrap_or(&0.0) > left
    }

    fn combine(&self, solved: &Solved<G>, stop: StopReason) -> (Report<G>, Vec<Votes<G::Action>>) {
        let seat = self.root.seat();
        let reports = || solved.iter().flatten();
        let mut tallies = tally(solved, seat);
        let worlds = reports().count() as u64;
        let mean = |t: &Tally<G::Action>| t.utility.estimate(seat).mean;
        tallies.sort_by(|a, b| {
            // What fewer than half of the worlds looked at is not compared by its mean over those few.
            let rare = |t: &Tally<G::Action>| 2 * t.utility.count() < worlds;
            let by_mean = mean(b).total_cmp(&mean(a));
            let by_votes = b.votes.total_cmp(&a.votes);
            let order = match self.config.combine {
                Combine::Mean => by_mean.then(by_votes),
                Combine::Vote => by_votes.then(by_mean),
            };
            rare(a).cmp(&rare(b)).then(order).then(a.action.cmp(&b.action))
        });
        let votes = tallies
            .iter()
            .map(|t| Votes {
                action: t.action,
                votes: t.votes,
                worlds: t.utility.count(),
                utility: t.utility.estimate(seat),
                worst: t.worst,
                best: t.best,
            })
            .collect();
        let open = !self.root.meta().hidden;
        let rows = tallies
            .into_iter()
            .map(|t| {
                let (mut utility, mut utility_error) = t.utility.payoffs();
                let mut returns = (t.returns.count() == t.utility.count()).then(|| t.returns.payoffs());
                if open {
                    (utility, utility_error, returns) = (t.first.utility, t.first.utility_error, t.first.returns);
                }
                Row {
                    action: t.action,
                    visits: t.visits,
                    availability: t.utility.count(),
                    prior: None,
                    utility,
                    utility_error,
                    returns,
                    pv: self.legal_prefix(&t.first.pv),
                    pv_visits: Vec::new(),
                    proven: open && t.first.proven,
                }
            })
            .collect();
        let report = Report {
            seat,
            rows,
            visits: reports().map(|r| r.visits).sum(),
            nodes: reports().map(|r| r.nodes).max().unwrap_or(0),
            bytes: reports().map(|r| r.bytes).max().unwrap_or(0),
            depth: reports().map(|r| r.depth).max().unwrap_or(0),
            elapsed: self.elapsed(),
            stop,
        };
        (report, votes)
    }

    /// A world's line as far as it can be replayed in the world the caller can see.
    fn legal_prefix(&self, line: &[G::Action]) -> Vec<G::Action> {
        let mut world = self.root.sample_world().clone();
        line.iter()
            .copied()
            .take_while(|&action| world.turn().seat().is_some() && world.try_apply(action).is_ok())
            .collect()
    }
}

/// What the worlds say of one action.
struct Tally<'a, A> {
    action: A,
    votes: f64,
    visits: u64,
    utility: PayoffStats,
    returns: PayoffStats,
    worst: f64,
    best: f64,
    /// Its row in the first world that voted for it, or else in the first that valued it.
    first: &'a Row<A>,
}

/// Whether a row ties with the best of its world: both values exact and equal.
fn ties_with_best<A>(row: &Row<A>, best: &Row<A>, seat: Seat) -> bool {
    let exact = |r: &Row<A>| r.utility_error.of(seat) == 0.0;
    exact(row) && exact(best) && row.utility.of(seat) == best.utility.of(seat)
}

/// Sums over the worlds solved so far, in the order in which they were drawn; sorted by action.
fn tally<G: Game>(solved: &Solved<G>, seat: Seat) -> Vec<Tally<'_, G::Action>> {
    let mut tallies: Vec<Tally<'_, G::Action>> = Vec::new();
    for report in solved.iter().flatten() {
        let Some(best) = report.rows.first() else { continue };
        let winners = report.rows.iter().filter(|r| ties_with_best(r, best, seat)).count().max(1);
        for (i, row) in report.rows.iter().enumerate() {
            let value = row.utility.of(seat);
            let wins = i == 0 || ties_with_best(row, best, seat);
            let place = tallies.binary_search_by(|t| t.action.cmp(&row.action)).unwrap_or_else(|place| {
                let (utility, returns) = (PayoffStats::default(), PayoffStats::default());
                let (worst, best) = (f64::INFINITY, f64::NEG_INFINITY);
                let new =
                    Tally { action: row.action, votes: 0.0, visits: 0, utility, returns, worst, best, first: row };
                tallies.insert(place, new);
                place
            });
            let t = &mut tallies[place];
            if wins {
                if t.votes == 0.0 {
                    t.first = row;
                }
                t.votes += 1.0 / winners as f64;
            }
            t.visits += row.visits;
            t.utility.add(&row.utility);
            if let Some((returns, _)) = &row.returns {
                t.returns.add(returns);
            }
            t.worst = t.worst.min(value);
            t.best = t.best.max(value);
        }
    }
    tallies
}

impl<G: Game> Search<G> for Pimc<G> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let actions = root_actions(root)?.len() as u64;
        let mut worlds = if root.meta().hidden { self.config.samples.max(1) as usize } else { 1 };
        if let Some(visits) = context.budget.visits {
            // A world with a visit less could not be asked about every action, and would vote for the first one.
            worlds = worlds.min((visits / (actions + 1)).max(1) as usize);
        }
        let threads = self.config.threads.clamp(1, worlds);
        self.inner.truncate(threads);
        while self.inner.len() < threads {
            self.inner.push(self.maker.make());
        }
        let solved = Mutex::new((0..worlds).map(|_| None).collect());
        let job = Job {
            config: self.config,
            root,
            context,
            start: context.clock.now(),
            worlds,
            solved,
            settled: AtomicBool::new(false),
        };
        let reasons = run_threads(&mut self.inner, |index, inner| job.work(inner.as_mut(), index, threads))
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        let solved = job.solved();
        // That one world was settled early says nothing of the whole.
        let inner = solved.iter().flatten().map(|r| r.stop).filter(|&stop| stop != StopReason::Settled);
        let reasons: Vec<_> = reasons.into_iter().chain(inner).collect();
        let stop = [StopReason::Stopped, StopReason::Settled, StopReason::Time, StopReason::Visits]
            .into_iter()
            .find(|reason| reasons.contains(reason))
            .unwrap_or(StopReason::Complete);
        let (report, votes) = job.combine(&solved, stop);
        self.votes = votes;
        Ok(report)
    }

    fn reset(&mut self) {
        self.inner.iter_mut().for_each(|inner| inner.reset());
        self.votes.clear();
    }
}
