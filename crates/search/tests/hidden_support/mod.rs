//! What the tests of open-loop search, information-set search and PIMC share: exact values by enumeration, a plain minimax
//! to solve worlds, and two hand-made games.
#![allow(dead_code)] // Each test binary uses a part.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kiebitz_core::{
    Budget, Clock, Game, Illegal, ManualClock, Meta, Payoff, Rng, Seat, Seen, SetupError, Turn, snapshot_undo,
};
use kiebitz_search::{Context, Report, Row, Search, SearchError, StopReason};

/// The exact utilities when every seat maximises its own (ties: the first action), chance enumerated.
pub fn exact<G: Game>(game: &G) -> Payoff {
    match game.turn() {
        Turn::Terminal => game.utility(),
        Turn::Chance(_) => {
            let mut outcomes = Vec::new();
            game.chance_outcomes(&mut outcomes);
            let mut mean = Payoff::uniform(game.meta().players, 0.0);
            for (action, p) in outcomes {
                let value = exact(&after(game, action));
                for seat in 0..mean.players() {
                    mean.set(seat, mean.of(seat) + p * value.of(seat));
                }
            }
            mean
        }
        Turn::Seat(seat) => {
            let values = exact_actions(game);
            let mut best = values[0].1;
            for (_, value) in values {
                if value.of(seat) > best.of(seat) {
                    best = value;
                }
            }
            best
        }
    }
}

/// The exact utilities after each legal action.
pub fn exact_actions<G: Game>(game: &G) -> Vec<(G::Action, Payoff)> {
    legal(game).into_iter().map(|action| (action, exact(&after(game, action)))).collect()
}

pub fn legal<G: Game>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
}

pub fn after<G: Game>(game: &G, action: G::Action) -> G {
    let mut next = game.clone();
    next.try_apply(action).unwrap();
    next
}

/// What the seat to move sees of `state`, with a default belief.
pub fn seen<G: Game>(state: &G, seed: u64) -> Seen<G> {
    Seen::new(state, state.turn().seat().unwrap_or(0), &G::Belief::default(), &mut Rng::new(seed))
}

pub fn run<G: Game>(search: &mut (impl Search<G> + ?Sized), seen: &Seen<G>, visits: u64, seed: u64) -> Report<G> {
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    search.run(seen, &Context::new(Budget::visits(visits), &clock, &stop, seed)).unwrap()
}

/// The row of an action.
pub fn row<G: Game>(report: &Report<G>, action: G::Action) -> &Row<G::Action> {
    report.rows.iter().find(|r| r.action == action).unwrap()
}

/// A clock that moves by a fixed step whenever it is read.
pub struct Ticking(pub AtomicU64, pub u64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(self.1, Ordering::Relaxed))
    }
}

/// Plain exhaustive search: every root action with its exact value.
pub struct Minimax;

impl<G: Game> Search<G> for Minimax {
    fn run(&mut self, root: &Seen<G>, _: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let seat = root.seat();
        let mut rows: Vec<_> = exact_actions(root.sample_world())
            .into_iter()
            .map(|(action, utility)| Row {
                action,
                visits: 1,
                availability: 1,
                prior: None,
                utility,
                utility_error: Payoff::uniform(utility.players(), 0.0),
                returns: None,
                pv: vec![action],
                pv_visits: Vec::new(),
                proven: true,
            })
            .collect();
        rows.sort_by(|a, b| b.utility.of(seat).total_cmp(&a.utility.of(seat)).then(a.action.cmp(&b.action)));
        let (visits, elapsed) = (rows.len() as u64, Duration::ZERO);
        Ok(Report { seat, rows, visits, nodes: 0, bytes: 0, depth: 0, elapsed, stop: StopReason::Complete })
    }
}

/// A hand-made game with three hidden worlds of known probability: seat 0 acts and does not know the world, then seat 1 may
/// do 0 in every world, 1 in the first world only (probability 1/2), 2 in the second only (1/3), 3 in the third only (1/6).
/// Seat 1 gets a utility of 0.2 for 0, and for the others the entry of `worth`.
#[derive(Clone, Debug, PartialEq)]
pub struct Doors {
    pub world: u8,
    pub played: Vec<u8>,
    pub worth: [u8; 4],
}

impl Doors {
    /// `worth` in tenths.
    pub fn with(worth: [u8; 4]) -> Self {
        Doors { world: 0, played: Vec::new(), worth }
    }
}

impl Game for Doors {
    const ID: &'static str = "doors";
    const PLAYERS: RangeInclusive<u8> = 2..=2;
    type Options = ();
    type Setup = ();
    type Action = u8;
    type Belief = ();
    snapshot_undo!();

    fn new(_: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        Ok(Doors::with([2, 5, 5, 5]))
    }

    fn meta(&self) -> Meta {
        Meta { players: 2, zero_sum: true, hidden: true, max_length: 2, min_return: 0.0, max_return: 1.0, chance: &[] }
    }

    fn turn(&self) -> Turn {
        if self.played.len() == 2 { Turn::Terminal } else { Turn::Seat(self.played.len() as Seat) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        match self.played.len() {
            0 => out.extend([7, 8]),
            1 => out.extend([0, self.world + 1]),
            _ => {}
        }
    }

    fn check(&self, action: u8) -> Result<(), Illegal> {
        if legal(self).contains(&action) { Ok(()) } else { Err(Illegal::new("doors.closed", "this door is closed")) }
    }

    fn apply(&mut self, action: u8) {
        debug_assert!(self.is_legal(action));
        self.played.push(action);
    }

    fn returns(&self) -> Payoff {
        self.utility()
    }

    fn utility(&self) -> Payoff {
        let worth = match self.played.as_slice() {
            [_, door] => f64::from(self.worth[usize::from(*door)]) / 10.0,
            _ => 0.0,
        };
        Payoff::new(&[1.0 - worth, worth])
    }

    fn key(&self) -> u64 {
        self.played.iter().fold(u64::from(self.world), |key, &a| key << 8 | u64::from(a + 1))
    }

    fn information_key(&self, seat: Seat) -> u128 {
        u128::from(if seat == 0 { Doors { world: 0, ..self.clone() }.key() } else { self.key() })
    }

    fn determinize(&mut self, seat: Seat, _: &(), rng: &mut Rng) {
        if seat == 0 {
            self.world = [0, 0, 0, 1, 1, 2][rng.below(6)];
        }
    }
}

/// A hand-made game about secrets: seat 0 plays safe (0, worth 0.5 to both) or dares (1); then seat 1 hides a coin in one of
/// three hands (10, 11, 12), unseen by seat 0, who guesses (20, 21, 22) and wins everything or nothing. Daring is worth 1/3.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Coin {
    pub dared: Option<bool>,
    pub hand: Option<u8>,
    pub guess: Option<u8>,
}

/// What seat 0 sees of the hiding.
pub const SOME_HAND: u8 = 19;

impl Game for Coin {
    const ID: &'static str = "coin";
    const PLAYERS: RangeInclusive<u8> = 2..=2;
    type Options = ();
    type Setup = ();
    type Action = u8;
    type Belief = ();
    snapshot_undo!();

    fn new(_: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        Ok(Coin::default())
    }

    fn meta(&self) -> Meta {
        Meta { players: 2, zero_sum: true, hidden: true, max_length: 3, min_return: 0.0, max_return: 1.0, chance: &[] }
    }

    fn turn(&self) -> Turn {
        match (self.dared, self.hand, self.guess) {
            (None, ..) => Turn::Seat(0),
            (Some(true), None, _) => Turn::Seat(1),
            (Some(true), Some(_), None) => Turn::Seat(0),
            _ => Turn::Terminal,
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        match (self.turn(), self.hand) {
            (Turn::Seat(1), _) => out.extend([10, 11, 12]),
            (Turn::Seat(_), None) => out.extend([0, 1]),
            (Turn::Seat(_), Some(_)) => out.extend([20, 21, 22]),
            _ => {}
        }
    }

    fn check(&self, action: u8) -> Result<(), Illegal> {
        if legal(self).contains(&action) { Ok(()) } else { Err(Illegal::new("coin.no", "not now")) }
    }

    fn apply(&mut self, action: u8) {
        debug_assert!(self.is_legal(action));
        match action {
            0 | 1 => self.dared = Some(action == 1),
            10..=12 => self.hand = Some(action - 10),
            _ => self.guess = Some(action - 20),
        }
    }

    fn returns(&self) -> Payoff {
        self.utility()
    }

    fn utility(&self) -> Payoff {
        let first = match (self.dared, self.guess) {
            (Some(true), Some(_)) => f64::from(u8::from(self.guess == self.hand)),
            _ => 0.5,
        };
        Payoff::new(&[first, 1.0 - first])
    }

    fn key(&self) -> u64 {
        let digit = |x: Option<u8>| x.map_or(0, |x| u64::from(x) + 1);
        digit(self.dared.map(u8::from)) << 16 | digit(self.hand) << 8 | digit(self.guess)
    }

    fn information_key(&self, seat: Seat) -> u128 {
        let hand = if seat == 0 { self.hand.map(|_| 0) } else { self.hand };
        u128::from(Coin { hand, ..self.clone() }.key())
    }

    fn masked(&self, action: u8, seat: Seat) -> u8 {
        if seat == 0 && (10..=12).contains(&action) { SOME_HAND } else { action }
    }

    fn determinize(&mut self, seat: Seat, _: &(), rng: &mut Rng) {
        if seat == 0 && self.hand.is_some() {
            self.hand = Some(rng.below(3) as u8);
        }
    }
}
