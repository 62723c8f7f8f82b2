//! How fast a game is, and a signature of what it does: written once for all games.

use std::cell::Cell;
use std::hash::Hasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kiebitz_core::record::Header;
use kiebitz_core::{
    Budget, Clock, Game, GameType, Knowledge, Luck, ManualClock, Notation, Payoff, PlayerSpec, Scratch, Seat, Session,
    SetupError, Trace, Turn,
};
use kiebitz_search::{Context, Report, Search, registry};

/// The seed of everything here.
const SEED: u64 = 0x6B69_6562;
/// Purposes of [`Luck::stream`].
const STREAM_MEASURE: u64 = 1;
const STREAM_SIGNATURE: u64 = 2;
/// Playouts or games between two looks at the clock.
const BATCH: u64 = 8;
/// Positions in which worlds are drawn, how many of them one has, and with how many proofs where random games have such.
const WORLD_POSITIONS: usize = 200;
const WORLDS_EACH: u64 = 100;
const WORLD_PROOFS: usize = 4;
const WORLD_GAMES: u64 = 2_000;
/// The work behind a signature: playouts, random games and their longest part, searched positions and visits for each.
const SIGNATURE_PLAYOUTS: u64 = 32;
const SIGNATURE_GAMES: u64 = 4;
const SIGNATURE_STEPS: usize = 200;
const SIGNATURE_POSITIONS: usize = 3;
const SIGNATURE_VISITS: u64 = 64;

/// A named set of options under which a game is measured, besides or instead of the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name, such as `9x9`.
    pub name: &'static str,
    /// The rules of a record header, as a JSON object.
    pub rules: &'static str,
    /// Settings of a player spec, such as `playouts=light`: the playouts of each are measured besides the default ones.
    pub policies: &'static [&'static str],
}

/// The usual game.
pub(crate) const DEFAULT_VARIANT: &[Variant] = &[Variant { name: "default", rules: "{}", policies: &[] }];

/// How to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchConfig {
    /// How long one measurement takes.
    pub time: Duration,
    /// How often it is made; the best counts.
    pub repeats: u32,
    /// The numbers of threads, in the order of the result.
    pub threads: Vec<usize>,
}

impl Default for BenchConfig {
    fn default() -> Self {
        BenchConfig { time: Duration::from_millis(200), repeats: 5, threads: vec![1, 2] }
    }
}

/// The speed with a number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreadRate {
    /// How many threads.
    pub threads: usize,
    /// Playouts per second, all threads together.
    pub playouts: f64,
    /// Visits per second of one search with so many threads; `None` without a search, or when it has one thread only.
    pub visits: Option<f64>,
}

/// The search that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRate {
    /// Its spec.
    pub player: String,
    /// Visits per second with one thread, from the first decision of the game.
    pub visits: f64,
    /// Bytes of its tree per node; `None` when it keeps none.
    pub bytes_per_node: Option<f64>,
}

/// Games of uniformly random legal actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomGames {
    /// Games per second.
    pub games: f64,
    /// Decisions of players per game.
    pub length: f64,
    /// The share of decisions with one legal action.
    pub forced: f64,
}

/// Drawing worlds (determinizations) of what a seat does not know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldRate {
    /// Worlds per second, a hundred for each position; what a belief prepares for them is made anew for each position.
    pub worlds: f64,
    /// The positions: decisions in random games.
    pub positions: usize,
    /// The fewest [`Game::proofs`] in one of them.
    pub proofs: usize,
}

/// The speed of one game under one set of options.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRow {
    /// The game's name.
    pub game: &'static str,
    /// The name of the set of options.
    pub variant: &'static str,
    /// How many players.
    pub players: u8,
    /// Playouts per second with one thread, from the start of the game, by the game's own playout policy.
    pub playouts: f64,
    /// Decisions of players per playout.
    pub playout_length: f64,
    /// Playouts per second by the policies of the variant, with their settings.
    pub policies: Vec<(&'static str, f64)>,
    /// Actions per second, chance included, of games of random legal actions: list all, play one.
    pub moves: f64,
    /// Those games; `None` when none ended in the time.
    pub random: Option<RandomGames>,
    /// How fast worlds are drawn; `None` in a game without hidden information.
    pub worlds: Option<WorldRate>,
    /// Bytes of a state, without what it keeps on the heap.
    pub state_bytes: usize,
    /// The game's default tree search; `None` when no tree search can play it.
    pub search: Option<SearchRate>,
    /// The speed by number of threads.
    pub scaling: Vec<ThreadRate>,
    /// A hash of random games, playouts and searches with fixed seeds: it changes only when behaviour changes, not with time
    /// or machine.
    pub signature: u32,
}

/// The measuring of `G`; `clock` must go forward by itself.
///
/// # Errors
/// When the options of the variant are impossible.
pub(crate) fn bench<G: Notation, K: Knowledge<G> + Default + Clone + 'static>(
    variant: &Variant,
    config: &BenchConfig,
    clock: &dyn Clock,
) -> Result<BenchRow, SetupError> {
    let rules = serde_json::from_str(variant.rules).map_err(|e| {
        SetupError::new("bench.rules", format!("the rules of {} are no JSON object: {e}", variant.name))
    })?;
    let players = G::default_players(&G::options_from_json(&rules)?);
    let header = Header::new(G::ID, players, rules);
    let session = |seed| GameType::<G>::session(&header, seed);
    let start = session(SEED)?;
    let knowledge = K::default();
    let bench = Bench { start: start.state(), knowledge: &knowledge, config, clock };
    let searched = first_decision(start.clone());
    let spec = searched.as_ref().and_then(|session| tree_search::<G, K>(session, &knowledge));
    let visits = |threads| {
        let (session, spec) = (searched.as_ref()?, spec.as_ref()?);
        bench.visits(session, &with_threads(spec, threads))
    };
    let single = visits(1);
    let playouts = bench.best(|| bench.playouts(1));
    let rate = |&threads: &usize| match threads {
        1 => ThreadRate { threads, playouts, visits: single.map(|(rate, _)| rate) },
        _ => ThreadRate {
            threads,
            playouts: bench.best(|| bench.playouts(threads)),
            visits: visits(threads).map(|(rate, _)| rate),
        },
    };
    let scaling = config.threads.iter().map(rate).collect();
    let search = spec.as_ref().zip(single).map(|(spec, (visits, bytes_per_node))| SearchRate {
        player: spec.to_string(),
        visits,
        bytes_per_node,
    });
    let policies = policies(variant, &bench)?;
    let (moves, random) = bench.random_games();
    Ok(BenchRow {
        game: G::ID,
        variant: variant.name,
        players: header.players(),
        playouts,
        playout_length: bench.playout_length(),
        policies,
        moves,
        random,
        worlds: bench.worlds(&session)?,
        state_bytes: size_of::<G>(),
        search,
        scaling,
        signature: signature::<G, K>(&session, &knowledge, spec.as_ref())?,
    })
}

struct Bench<'a, G: Game, K: Knowledge<G>> {
    start: &'a G,
    knowledge: &'a K,
    config: &'a BenchConfig,
    clock: &'a dyn Clock,
}

impl<G: Notation, K: Knowledge<G> + Clone + 'static> Bench<'_, G, K> {
    fn best(&self, mut measure: impl FnMut() -> f64) -> f64 {
        (0..self.config.repeats.max(1)).map(|_| measure()).fold(0.0, f64::max)
    }

    /// Calls `work` on every thread until the time is over; `work` returns how much it did. The total per second.
    fn rate(&self, threads: usize, work: impl Fn(usize, &dyn Fn() -> bool) -> u64 + Sync) -> f64 {
        let total = AtomicU64::new(0);
        let start = self.clock.now();
        let in_time = || self.clock.now().saturating_sub(start) < self.config.time;
        std::thread::scope(|scope| {
            for thread in 0..threads.max(1) {
                let (work, total, in_time) = (&work, &total, &in_time);
                scope.spawn(move || {
                    // At least one batch: on a busy machine the time may be over before a thread begins.
                    let begun = Cell::new(false);
                    let more = || !begun.replace(true) || in_time();
                    total.fetch_add(work(thread, &more), Ordering::Relaxed)
                });
            }
        });
        let seconds = self.clock.now().saturating_sub(start).as_secs_f64();
        if seconds > 0.0 { total.into_inner() as f64 / seconds } else { 0.0 }
    }

    fn playouts(&self, threads: usize) -> f64 {
        self.rate(threads, |thread, more| {
            let mut rng = Luck::new(SEED).stream(STREAM_MEASURE, thread as u64);
            let mut scratch = Scratch::<G, K::Buffer>::default();
            let mut state = self.start.clone();
            let mut done = 0;
            while more() {
                for _ in 0..BATCH {
                    state.clone_from(self.start);
                    std::hint::black_box(self.knowledge.playout(&mut state, &mut rng, &mut scratch, None));
                }
                done += BATCH;
            }
            done
        })
    }

    /// Actions per second of games of random legal actions, and those games.
    fn random_games(&self) -> (f64, Option<RandomGames>) {
        let [games, actions, decisions, forced] = [const { AtomicU64::new(0) }; 4];
        let rate = self.best(|| {
            self.rate(1, |_, more| {
                let mut rng = Luck::new(SEED).stream(STREAM_MEASURE, actions.load(Ordering::Relaxed));
                let mut scratch = Scratch::<G>::default();
                let mut state = self.start.clone();
                // Of all actions, and of the games that have ended: actions, decisions, forced ones.
                let (mut done, mut ended, mut ongoing) = (0, [0u64; 4], [0u64; 3]);
                while more() {
                    for _ in 0..BATCH {
                        match state.turn() {
                            Turn::Terminal => {
                                state.clone_from(self.start);
                                ended[0] += 1;
                                ended[1..].iter_mut().zip(&mut ongoing).for_each(|(sum, n)| *sum += std::mem::take(n));
                                continue;
                            }
                            Turn::Chance(_) => {
                                let action = state.sample(&mut rng, &mut scratch.weighted);
                                state.apply(action);
                            }
                            Turn::Seat(_) => {
                                state.actions(&mut scratch.actions);
                                state.apply(scratch.actions[rng.below(scratch.actions.len())]);
                                ongoing[1] += 1;
                                ongoing[2] += u64::from(scratch.actions.len() == 1);
                            }
                        }
                        ongoing[0] += 1;
                        done += 1;
                    }
                }
                for (sum, n) in [&games, &actions, &decisions, &forced].into_iter().zip(ended) {
                    sum.fetch_add(n, Ordering::Relaxed);
                }
                done
            })
        });
        let [games, actions, decisions, forced] = [games, actions, decisions, forced].map(|n| n.into_inner() as f64);
        let random = (games > 0.0 && decisions > 0.0).then(|| RandomGames {
            games: rate * games / actions,
            length: decisions / games,
            forced: forced / decisions,
        });
        (rate, random)
    }

    /// How fast worlds are drawn at decisions of random games: at those with many proofs, or at any where there are none such.
    fn worlds(&self, session: &dyn Fn(u64) -> Result<Session<G>, SetupError>) -> Result<Option<WorldRate>, SetupError> {
        if !self.start.meta().hidden {
            return Ok(None);
        }
        let fewest = if world_positions(session, WORLD_PROOFS)?.is_empty() { 0 } else { WORLD_PROOFS };
        let (mut best, mut count, mut proofs) = (0f64, 0, 0);
        for _ in 0..self.config.repeats.max(1) {
            // Made anew each time: a belief keeps what it has prepared for drawing.
            let positions = world_positions(session, fewest)?;
            count = positions.len();
            proofs = positions.iter().map(|(session, seat)| proofs_of(session, *seat)).min().unwrap_or(0);
            best = best.max(self.rate(1, |_, more| {
                let mut rng = Luck::new(SEED).stream(STREAM_MEASURE, 0);
                let mut done = 0;
                for (session, seat) in &positions {
                    if !more() {
                        break;
                    }
                    let seen = session.seen(*seat, SEED);
                    let mut world = seen.sample_world().clone();
                    for _ in 0..WORLDS_EACH {
                        seen.draw_into(&mut world, &mut rng);
                    }
                    std::hint::black_box(&world);
                    done += WORLDS_EACH;
                }
                done
            }));
        }
        Ok((count > 0).then_some(WorldRate { worlds: best, positions: count, proofs }))
    }

    fn playout_length(&self) -> f64 {
        let mut rng = Luck::new(SEED).stream(STREAM_MEASURE, 0);
        let mut scratch = Scratch::<G, K::Buffer>::default();
        let mut trace: Trace<G::Action> = Vec::new();
        for _ in 0..SIGNATURE_PLAYOUTS {
            self.knowledge.playout(&mut self.start.clone(), &mut rng, &mut scratch, Some(&mut trace));
        }
        trace.len() as f64 / SIGNATURE_PLAYOUTS as f64
    }

    /// Visits per second and bytes per node of the search at the turn of `session`; `None` when it cannot run with this spec.
    fn visits(&self, session: &Session<G>, spec: &PlayerSpec) -> Option<(f64, Option<f64>)> {
        let mut search = registry::build::<G, K>(spec, self.knowledge, &[]).ok()?.search;
        let (mut best, mut bytes) = (0f64, None);
        for _ in 0..self.config.repeats.max(1) {
            search.reset();
            let report = run(&mut *search, session, Budget::time(self.config.time), self.clock)?;
            let seconds = report.elapsed.as_secs_f64();
            if seconds > 0.0 {
                best = best.max(report.visits as f64 / seconds);
            }
            bytes = (report.nodes > 0).then(|| report.bytes as f64 / report.nodes as f64);
        }
        Some((best, bytes))
    }
}

/// Playouts per second by each policy of the variant.
fn policies<G: Notation, K: Knowledge<G> + Clone + 'static>(
    variant: &Variant,
    bench: &Bench<'_, G, K>,
) -> Result<Vec<(&'static str, f64)>, SetupError> {
    let rate = |settings: &'static str| {
        let wrong = |e: kiebitz_core::SpecError| SetupError::new("bench.policy", e.to_string());
        let spec: PlayerSpec = format!("policy:{settings}").parse().map_err(wrong)?;
        let knowledge = registry::build::<G, K>(&spec, bench.knowledge, &[]).map_err(wrong)?.knowledge;
        let bench = Bench { knowledge: &knowledge, ..*bench };
        Ok((settings, bench.best(|| bench.playouts(1))))
    };
    variant.policies.iter().copied().map(rate).collect()
}

fn proofs_of<G: Notation>(session: &Session<G>, seat: Seat) -> usize {
    session.belief(seat).map_or(0, |belief| session.state().proofs(seat, belief))
}

/// Decisions in random games, one in ten of those in which the seat to move has at least so many proofs.
fn world_positions<G: Notation>(
    session: &dyn Fn(u64) -> Result<Session<G>, SetupError>,
    proofs: usize,
) -> Result<Vec<(Session<G>, Seat)>, SetupError> {
    let mut rng = Luck::new(SEED).stream(STREAM_MEASURE, 0);
    let (mut found, mut actions) = (Vec::new(), Vec::new());
    for seed in 0..WORLD_GAMES {
        let mut session = session(seed)?;
        for _ in 0..SIGNATURE_STEPS {
            let seat = match session.turn() {
                Turn::Terminal => break,
                Turn::Chance(_) => {
                    session.roll();
                    continue;
                }
                Turn::Seat(seat) => seat,
            };
            if proofs_of(&session, seat) >= proofs && rng.below(10) == 0 {
                found.push((session.clone(), seat));
                if found.len() == WORLD_POSITIONS {
                    return Ok(found);
                }
            }
            session.state().actions(&mut actions);
            if session.play(actions[rng.below(actions.len())]).is_err() {
                break;
            }
        }
    }
    Ok(found)
}

/// The game at its first decision; `None` when it has none.
fn first_decision<G: Notation>(mut session: Session<G>) -> Option<Session<G>> {
    while session.roll().is_some() {}
    session.turn().seat().map(|_| session)
}

/// The tree search for a game: the first of the known ones that plays it.
fn tree_search<G: Notation, K: Knowledge<G> + Clone + 'static>(
    session: &Session<G>,
    knowledge: &K,
) -> Option<PlayerSpec> {
    let names: &[&str] = if session.state().meta().hidden { &["ismcts"] } else { &["uct", "ismcts"] };
    names.iter().find_map(|name| {
        let spec: PlayerSpec = name.parse().ok()?;
        let mut search = registry::build::<G, K>(&spec, knowledge, &[]).ok()?.search;
        run(&mut *search, session, Budget::visits(1), &ManualClock::new()).map(|_| spec)
    })
}

fn with_threads(spec: &PlayerSpec, threads: usize) -> PlayerSpec {
    let mut spec = spec.clone();
    if threads > 1 {
        spec.settings.insert("threads".to_owned(), threads.to_string());
    }
    spec
}

fn run<G: Notation>(
    search: &mut dyn Search<G>,
    session: &Session<G>,
    budget: Budget,
    clock: &dyn Clock,
) -> Option<Report<G>> {
    let seat = session.turn().seat()?;
    let stop = AtomicBool::new(false);
    search.run(&session.seen(seat, SEED), &Context::new(budget, clock, &stop, SEED)).ok()
}

/// FNV-1a, whose values are the same on every machine.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

impl Fnv {
    fn number(&mut self, n: u64) {
        self.write(&n.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.write(text.as_bytes());
    }

    /// To a millionth, so that the last bits do not count.
    fn payoff(&mut self, payoff: &Payoff) {
        for &x in payoff.as_slice() {
            self.number((x * 1e6).round() as i64 as u64);
        }
    }
}

fn signature<G: Notation, K: Knowledge<G> + Clone + 'static>(
    session: &dyn Fn(u64) -> Result<Session<G>, SetupError>,
    knowledge: &K,
    spec: Option<&PlayerSpec>,
) -> Result<u32, SetupError> {
    let mut hash = Fnv(0xCBF2_9CE4_8422_2325);
    for seed in 0..SIGNATURE_GAMES {
        let positions = if seed == 0 { spec.map_or(0, |_| SIGNATURE_POSITIONS) } else { 0 };
        random_game(session(seed)?, seed, knowledge, spec, positions, &mut hash);
    }
    let start = session(SEED)?;
    let mut rng = Luck::new(SEED).stream(STREAM_SIGNATURE, SIGNATURE_GAMES);
    let mut scratch = Scratch::<G, K::Buffer>::default();
    let mut trace = Vec::new();
    for _ in 0..SIGNATURE_PLAYOUTS {
        trace.clear();
        let outcome = knowledge.playout(&mut start.state().clone(), &mut rng, &mut scratch, Some(&mut trace));
        hash.number(trace.len() as u64);
        hash.payoff(&outcome.utility);
        hash.payoff(&outcome.returns);
    }
    let hash = hash.finish();
    Ok((hash ^ (hash >> 32)) as u32)
}

/// Hashes a game of random legal actions, and what the search finds at its first `positions` decisions.
fn random_game<G: Notation, K: Knowledge<G> + Clone + 'static>(
    mut session: Session<G>,
    seed: u64,
    knowledge: &K,
    spec: Option<&PlayerSpec>,
    mut positions: usize,
    hash: &mut Fnv,
) {
    let mut rng = Luck::new(SEED).stream(STREAM_SIGNATURE, seed);
    let mut actions = Vec::new();
    for _ in 0..SIGNATURE_STEPS {
        let state = session.state().clone();
        let action = match session.turn() {
            Turn::Terminal => break,
            Turn::Chance(_) => {
                let Some(action) = session.roll() else { break };
                action
            }
            Turn::Seat(_) => {
                if let Some(spec) = spec.filter(|_| positions > 0) {
                    positions -= 1;
                    hash_search(&session, knowledge, spec, hash);
                }
                state.actions(&mut actions);
                hash.number(actions.len() as u64);
                let action = actions[rng.below(actions.len())];
                if session.play(action).is_err() {
                    break;
                }
                action
            }
        };
        hash.text(&state.action_text(action));
    }
    hash.payoff(&session.returns());
    hash.payoff(&session.utility());
}

fn hash_search<G: Notation, K: Knowledge<G> + Clone + 'static>(
    session: &Session<G>,
    knowledge: &K,
    spec: &PlayerSpec,
    hash: &mut Fnv,
) {
    let Ok(built) = registry::build::<G, K>(spec, knowledge, &[]) else { return };
    let mut search = built.search;
    let Some(report) = run(&mut *search, session, Budget::visits(SIGNATURE_VISITS), &ManualClock::new()) else {
        return;
    };
    hash.number(report.visits);
    for row in &report.rows {
        hash.text(&session.state().action_text(row.action));
        hash.number(row.visits);
        hash.payoff(&row.utility);
    }
}
