//! Games made of hashes, a plain reference search, and helpers shared by the tests of exact searches.
#![allow(dead_code)]

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kiebitz_core::{
    Budget, ChanceKind, Clock, Game, Illegal, Knowledge, ManualClock, Meta, Payoff, Rng, Seen, SetupError, Turn,
    Weighted, snapshot_undo,
};
use kiebitz_search::{Context, Report, Search, SearchError};

/// The shape of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub seed: u64,
    /// At most this many actions or outcomes.
    pub branching: u64,
    /// The longest line.
    pub length: u32,
    /// Different values of a terminal state; few of them make ties.
    pub levels: u64,
    /// Some plies belong to chance.
    pub chance: bool,
    /// Chance does not list its outcomes.
    pub sampled: bool,
    /// Values add up along the line, so that an evaluation tells something of the end.
    pub drift: bool,
    /// Utilities of all seats sum to one; otherwise they are unrelated.
    pub constant_sum: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            seed: 0,
            branching: 4,
            length: 7,
            levels: 1000,
            chance: false,
            sampled: false,
            drift: false,
            constant_sum: true,
        }
    }
}

/// A game whose tree and values come from a hash: variable branching, some lines end early, some seats move twice in a row, and
/// many states are reached by several paths.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    shape: Shape,
    players: u8,
    ply: u32,
    /// Sums of the actions played at even and odd plies: what the future depends on.
    place: [u32; 2],
    score: i32,
}

fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Tree {
    pub fn with(players: u8, shape: Shape) -> Self {
        Tree::new(players, &shape, None).unwrap()
    }

    fn hash(&self, purpose: u64) -> u64 {
        mix(mix(self.shape.seed ^ purpose << 32) ^ self.key())
    }

    fn width(&self) -> u32 {
        1 + (self.hash(1) % self.shape.branching) as u32
    }

    /// A value in `[0, 1]` per seat.
    fn values(&self, purpose: u64) -> Payoff {
        if self.shape.drift {
            let value = 0.5 + f64::from(self.score) / 200.0;
            return Payoff::new(&[value.clamp(0.0, 1.0), 1.0 - value.clamp(0.0, 1.0)]);
        }
        let level = |seat: u64| self.hash(purpose + seat) % self.shape.levels;
        let scale = (self.shape.levels - 1).max(1) as f64;
        let raw: Vec<f64> = (0..u64::from(self.players)).map(|seat| level(seat) as f64 / scale).collect();
        if !self.shape.constant_sum {
            return Payoff::new(&raw);
        }
        if self.players == 2 {
            return Payoff::new(&[raw[0], 1.0 - raw[0]]);
        }
        let sum: f64 = raw.iter().sum::<f64>().max(1e-9);
        Payoff::new(&raw.iter().map(|x| x / sum).collect::<Vec<f64>>())
    }
}

impl Game for Tree {
    const ID: &'static str = "tree";
    const PLAYERS: RangeInclusive<u8> = 2..=4;
    type Options = Shape;
    type Setup = ();
    type Action = u32;
    type Belief = ();
    snapshot_undo!();

    fn new(players: u8, shape: &Shape, _: Option<&()>) -> Result<Self, SetupError> {
        Ok(Tree { shape: *shape, players, ply: 0, place: [0; 2], score: 0 })
    }
    fn meta(&self) -> Meta {
        let chance: &[ChanceKind] = match (self.shape.chance, self.shape.sampled) {
            (false, _) => &[],
            (true, false) => &[ChanceKind { name: "draw", listed: true }],
            (true, true) => &[ChanceKind { name: "draw", listed: false }],
        };
        let zero_sum = self.shape.constant_sum;
        let max_length = self.shape.length;
        Meta { players: self.players, zero_sum, hidden: false, max_length, min_return: 0.0, max_return: 1.0, chance }
    }
    fn turn(&self) -> Turn {
        if self.ply >= self.shape.length || (self.ply > 2 && self.hash(2).is_multiple_of(8)) {
            return Turn::Terminal;
        }
        let draw = mix(self.shape.seed ^ u64::from(self.ply) << 40);
        // Most odd plies and some even ones are chance's, never the first.
        let odds = if self.ply % 2 == 1 { 8 } else { 1 };
        if self.shape.chance && self.ply > 0 && draw % 10 < odds {
            return Turn::Chance(0);
        }
        let twice = u32::from(draw >> 20 & 3 == 0);
        let round = if self.shape.chance { self.ply / 2 } else { self.ply };
        Turn::Seat(((round + twice) % u32::from(self.players)) as u8)
    }
    fn actions(&self, out: &mut Vec<u32>) {
        out.clear();
        match self.turn() {
            Turn::Terminal => {}
            Turn::Chance(_) if self.shape.sampled => {}
            _ => out.extend(0..self.width()),
        }
    }
    fn check(&self, action: u32) -> Result<(), Illegal> {
        match self.turn() {
            Turn::Terminal => Err(Illegal::game_over()),
            _ if action < self.width() => Ok(()),
            _ => Err(Illegal::new("tree.action", "there is no such branch")),
        }
    }
    fn apply(&mut self, action: u32) {
        debug_assert!(self.is_legal(action));
        if self.shape.drift {
            self.score += (self.hash(7 + u64::from(action)) % 31) as i32 - 15;
        }
        self.place[(self.ply & 1) as usize] += action;
        self.ply += 1;
    }
    fn returns(&self) -> Payoff {
        self.utility()
    }
    /// Before the end the value has nothing to do with what follows.
    fn utility(&self) -> Payoff {
        self.values(16)
    }
    fn key(&self) -> u64 {
        u64::from(self.score as u16) << 48
            | u64::from(self.ply) << 32
            | u64::from(self.place[0]) << 16
            | u64::from(self.place[1])
    }
    fn chance_outcomes(&self, out: &mut Weighted<u32>) {
        out.clear();
        if matches!(self.turn(), Turn::Chance(_)) && !self.shape.sampled {
            out.extend((0..self.width()).map(|i| (i, 1.0 + (self.hash(3 + u64::from(i)) % 5) as f64)));
            let sum: f64 = out.iter().map(|o| o.1).sum();
            out.iter_mut().for_each(|o| o.1 /= sum);
        }
    }
    fn sample(&self, rng: &mut Rng, scratch: &mut Weighted<u32>) -> u32 {
        if self.shape.sampled {
            return rng.below(self.width() as usize) as u32;
        }
        self.chance_outcomes(scratch);
        let mut u = rng.unit();
        scratch
            .iter()
            .find(|o| {
                u -= o.1;
                u < 0.0
            })
            .unwrap_or(&scratch[0])
            .0
    }
}

/// Knowledge of a [`Tree`]: an evaluation unlike [`Game::utility`], restlessness, a pruner and an order that often is right.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeKnowledge {
    pub restless: bool,
    pub prunes: bool,
    pub orders: bool,
}

impl Knowledge<Tree> for TreeKnowledge {
    type Buffer = ();
    fn evaluate(&self, game: &Tree) -> Option<Payoff> {
        Some(game.values(64))
    }
    fn is_quiet(&self, game: &Tree) -> bool {
        !self.restless || !game.hash(5).is_multiple_of(3)
    }
    fn prune(&self, game: &Tree, actions: &mut Vec<u32>) {
        if self.prunes && actions.len() > 1 {
            actions.retain(|&a| (game.hash(6) >> a) & 3 != 0 || a == 0);
        }
    }
    fn order(&self, game: &Tree, action: u32) -> i32 {
        if !self.orders {
            return 0;
        }
        let Turn::Seat(seat) = game.turn() else { return 0 };
        let mut next = game.clone();
        next.apply(action);
        (reference(&next, 1, &Plain(*self), 0, Objective::Own).of(seat) * 1000.0) as i32
    }
}

/// What the reference maximises.
#[derive(Clone, Copy, Debug)]
pub enum Objective {
    /// Everybody the own utility; of equals the first (max^n).
    Own,
    /// The seat its own utility, everybody else its loss (paranoid).
    Against(u8),
}

/// How the reference sees leaves.
pub trait Leaves<G: Game> {
    fn value(&self, game: &G) -> Payoff;
    fn quiet(&self, _: &G) -> bool {
        true
    }
    fn prune(&self, _: &G, _: &mut Vec<G::Action>) {}
}

/// No knowledge.
pub struct Blank;
impl<G: Game> Leaves<G> for Blank {
    fn value(&self, game: &G) -> Payoff {
        game.utility()
    }
}

/// A game's knowledge.
pub struct Plain<K>(pub K);
impl<G: Game, K: Knowledge<G>> Leaves<G> for Plain<K> {
    fn value(&self, game: &G) -> Payoff {
        self.0.evaluate(game).unwrap_or_else(|| game.utility())
    }
    fn quiet(&self, game: &G) -> bool {
        self.0.is_quiet(game)
    }
    fn prune(&self, game: &G, actions: &mut Vec<G::Action>) {
        self.0.prune(game, actions);
    }
}

/// Minimax, max^n, paranoid or expectimax without any pruning, in a dozen lines, to compare with.
pub fn reference<G: Game>(game: &G, depth: u32, leaves: &impl Leaves<G>, extra: u32, objective: Objective) -> Payoff {
    let after = |action: G::Action, depth: u32, extra: u32| {
        let mut next = game.clone();
        next.apply(action);
        reference(&next, depth, leaves, extra, objective)
    };
    let seat = match game.turn() {
        Turn::Terminal => return game.utility(),
        Turn::Chance(_) => {
            let mut outcomes = Vec::new();
            game.chance_outcomes(&mut outcomes);
            let mut mean = Payoff::uniform(game.meta().players, 0.0);
            for (action, p) in outcomes {
                let value = after(action, depth, extra);
                (0..mean.players()).for_each(|s| mean.set(s, mean.of(s) + p * value.of(s)));
            }
            return mean;
        }
        Turn::Seat(seat) => seat,
    };
    let (depth, extra) = match (depth, extra) {
        (1.., _) => (depth - 1, extra),
        (0, 1..) if !leaves.quiet(game) => (0, extra - 1),
        _ => return leaves.value(game),
    };
    let worth = |payoff: &Payoff| match objective {
        Objective::Own => payoff.of(seat),
        Objective::Against(alone) if alone == seat => payoff.of(alone),
        Objective::Against(alone) => -payoff.of(alone),
    };
    let mut actions = Vec::new();
    game.actions(&mut actions);
    leaves.prune(game, &mut actions);
    let values = actions.into_iter().map(|action| after(action, depth, extra));
    values.reduce(|best, next| if worth(&next) > worth(&best) { next } else { best }).unwrap()
}

/// What a search makes of a state whose true state is known to the seat.
pub fn try_run<G: Game>(
    search: &mut dyn Search<G>,
    game: &G,
    budget: Budget,
    seed: u64,
) -> Result<Report<G>, SearchError> {
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let seat = game.turn().seat().unwrap_or(0);
    let seen = Seen::new(game, seat, &G::Belief::default(), &mut Rng::new(seed));
    search.run(&seen, &Context::new(budget, &clock, &stop, seed))
}

/// As [`try_run`], for what must succeed.
pub fn run<G: Game>(search: &mut dyn Search<G>, game: &G, budget: Budget) -> Report<G> {
    let report = try_run(search, game, budget, 1).unwrap();
    assert!(!report.rows.is_empty());
    assert_eq!(Some(report.seat), game.turn().seat());
    for row in &report.rows {
        assert!(game.is_legal(row.action));
        assert_eq!(row.pv.first(), Some(&row.action));
    }
    report
}

/// No limit but the depth of the search.
pub const UNLIMITED: Budget = Budget { visits: None, time: None };

/// The value of the best row for the seat to move.
pub fn best_value<G: Game>(report: &Report<G>) -> f64 {
    report.rows[0].utility.of(report.seat)
}

/// A state after some random actions, still a player's turn.
pub fn random_state<G: Game>(start: &G, rng: &mut Rng, most: usize) -> G {
    loop {
        let mut game = start.clone();
        let (mut actions, mut scratch) = (Vec::new(), Vec::new());
        for _ in 0..rng.below(most + 1) {
            let action = match game.turn() {
                Turn::Terminal => break,
                Turn::Chance(_) => game.sample(rng, &mut scratch),
                Turn::Seat(_) => {
                    game.actions(&mut actions);
                    actions[rng.below(actions.len())]
                }
            };
            game.apply(action);
        }
        if game.turn().seat().is_some() {
            return game;
        }
    }
}

/// A clock that moves on by one millisecond each time it is read.
#[derive(Default)]
pub struct TickingClock(pub AtomicU64);

impl Clock for TickingClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}
