//! Players of one spec against two of another, on the same deals in every seat:
//! `cargo run --release -p kiebitz-paodekuai --example ablation -- DEALS SEED BASE SPEC…`. With no arguments: what models of the
//! others are worth, at equal visits.
//!
//! Each spec sits once in each of three seats in every deal, two players of `BASE` in the others. Prints how often it is first out
//! (par 33.3 %) and its points a deal (par 0), with 95 % intervals over deals, and the processor time of a decision of each, in
//! which a forced one counts as none.
//! `KIEBITZ_WEIGHTS=FILE` takes the weights of the learned policy from a file instead of those that are built in. Deals are numbered
//! from `SEED` (default 0); the same number is the same deal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kiebitz_core::{Budget, Clock, Game, Luck, ManualClock, PlayerSpec, Seat, Session, Turn};
use kiebitz_paodekuai::learned::Network;
use kiebitz_paodekuai::{Options, PaoDeKuai, PaoDeKuaiKnowledge};
use kiebitz_search::{Context, Search, registry};

static NO_STOP: AtomicBool = AtomicBool::new(false);
const BASE: &str = "ismcts:visits=200,c=0.35";
const SPECS: [&str; 10] = [
    "ismcts:visits=200,c=0.35,opponents=random",
    "ismcts:visits=200,c=0.35,opponents=rule",
    "ismcts:visits=200,c=0.35,opponents=memory",
    "ismcts:visits=200,c=0.35,opponents=risk",
    "ismcts:visits=200,c=0.35,evidence=random",
    "ismcts:visits=200,c=0.35,evidence=rule",
    "ismcts:visits=200,c=0.35,evidence=memory",
    "ismcts:visits=200,c=0.35,evidence=risk",
    "ismcts:visits=200,c=0.35,evidence=memory,opponents=memory",
    "ismcts:visits=200,c=0.35,proofs=off",
];

/// A player, its budget, and how many decisions it made in how many seconds.
struct Player {
    search: Box<dyn Search<PaoDeKuai>>,
    budget: Budget,
    decisions: u64,
    seconds: f64,
}

impl Player {
    fn milliseconds(&self) -> f64 {
        1e3 * self.seconds / self.decisions.max(1) as f64
    }
}

/// Seconds of processor time of this thread; of a clock where the system does not tell.
fn now(begin: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |n| n * 1e-9)
}

fn player(spec: &str) -> Player {
    let spec: PlayerSpec = spec.parse().expect("a spec");
    let mut knowledge = PaoDeKuaiKnowledge::default();
    if let Ok(file) = std::env::var("KIEBITZ_WEIGHTS") {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        knowledge.learned.network = Arc::new(Network::parse(&text).expect("weights of the network"));
    }
    let built = registry::build::<PaoDeKuai, _>(&spec, &knowledge, &[]);
    let built = built.unwrap_or_else(|e| panic!("{e}"));
    Player { search: built.search, budget: built.budget.or(Budget::visits(200)), decisions: 0, seconds: 0.0 }
}

/// Plays deal `number` with `one` in `seat`; whether it is first out, and its points.
fn play(one: &mut Player, base: &mut Player, seat: Seat, number: u64, clock: &dyn Clock) -> (f64, f64) {
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, number).expect("the usual game");
    let (mut step, mut actions, begin) = (0, Vec::new(), Instant::now());
    while session.turn() != Turn::Terminal {
        let Turn::Seat(mover) = session.turn() else {
            session.roll();
            continue;
        };
        step += 1;
        let player = if mover == seat { &mut *one } else { &mut *base };
        let seed = Luck::new(number).stream(u64::from(mover) + 1, step).next_u64();
        session.state().actions(&mut actions);
        let mut action = actions[0];
        if actions.len() > 1 {
            let before = now(begin);
            player.search.reset();
            let context = Context::new(player.budget, clock, &NO_STOP, seed);
            action = player.search.run(&session.seen(mover, seed), &context).expect("a report").best();
            player.decisions += 1;
            player.seconds += now(begin) - before;
        }
        session.play(action).expect("a legal action");
    }
    (f64::from(u8::from(session.state().state().winner() == Some(seat))), session.returns().of(seat))
}

/// Mean and half of the 95 % interval.
fn interval(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

/// What a player got in deals against two of another.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// How often it was first out, with half of the 95 % interval.
    pub first_out: (f64, f64),
    /// Its points a deal, the same way.
    pub points: (f64, f64),
    /// Processor time of a decision, its own and the others', in milliseconds.
    pub milliseconds: (f64, f64),
}

/// Plays so many deals, each with the player in every seat, numbered from `first`.
pub fn duplicate(spec: &str, base: &str, deals: u64, first: u64) -> Found {
    let (mut one, mut other) = (player(spec), player(base));
    let (mut wins, mut points, clock) = (Vec::new(), Vec::new(), ManualClock::new());
    for number in first..first + deals {
        let results: Vec<(f64, f64)> = (0..3).map(|seat| play(&mut one, &mut other, seat, number, &clock)).collect();
        wins.push(results.iter().map(|result| result.0).sum::<f64>() / 3.0);
        points.push(results.iter().map(|result| result.1).sum::<f64>() / 3.0);
    }
    let milliseconds = (one.milliseconds(), other.milliseconds());
    Found { first_out: interval(&wins), points: interval(&points), milliseconds }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let deals: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(300);
    let first: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let base = arguments.next().unwrap_or_else(|| BASE.to_owned());
    let mut specs: Vec<String> = arguments.collect();
    if specs.is_empty() {
        specs = SPECS.iter().map(ToString::to_string).collect();
    }
    println!("{deals} deals, each with the player in every seat, against two of {base}");
    for spec in specs {
        let Found { first_out: (won, won_error), points: (score, score_error), milliseconds } =
            duplicate(&spec, &base, deals, first);
        println!(
            "{spec}: first out {:.1} ± {:.1} %, points {score:+.2} ± {score_error:.2} a deal, {:.3} ms ({:.3} ms the others)",
            100.0 * won,
            100.0 * won_error,
            milliseconds.0,
            milliseconds.1
        );
    }
}
