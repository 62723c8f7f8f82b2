//! Measures time keeping: games of the engine against itself under every time system, with very short clocks.
//!
//! ```text
//! cargo run --release -p kiebitz-play --example time_systems -- [GAMES [THREADS [SIZE [PONDER]]]]
//! ```
//!
//! GAMES (50) for each system, THREADS (1) of the search, SIZE (9) of the board; a fourth word `ponder` lets both sides think on the
//! opponent's time too. Prints for each system: games, losses on time, moves, the mean time of a move, and how much longer than
//! allowed moves took at the 50th, 99th and 100th percentile, in milliseconds. The last line is the whole as JSON. Ends with status 1
//! when a game was lost on time.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use kiebitz_core::record::Header;
use kiebitz_core::{GameType, Session};
use kiebitz_go::Go;
use kiebitz_play::clock::{ClockState, Flag, TimeSettings};
use kiebitz_play::go_mind::{GoMind, MindOptions};
use serde_json::{Value, json};

/// Two to five seconds a game and side.
const SYSTEMS: [&str; 6] = [
    "absolute 3",
    "canadian 1 1 15",
    "byoyomi 1 0.06 3",
    "fischer 1 0.04",
    "fischer-capped 1 0.04 1.2 0.15",
    "canadian 0 0.6 10",
];

/// Moves of a game at most: who plays on for ever loses nothing here.
const LONGEST: usize = 400;

struct Measured {
    lost: u32,
    elapsed: Vec<Duration>,
    over: Vec<Duration>,
}

fn game(settings: TimeSettings, minds: &mut [GoMind; 2], size: u64, seed: u64, ponder: bool, all: &mut Measured) {
    let rules = json!({"size": size, "ruleset": if seed.is_multiple_of(2) { "chinese" } else { "tromp-taylor" }});
    let header = Header::new("go", 2, rules.as_object().cloned().unwrap_or_default());
    let mut session: Session<Go> = match GameType::session(&header, seed) {
        Ok(session) => session,
        Err(e) => panic!("{e}"),
    };
    let mut clock = ClockState::new(settings, 2);
    minds.iter_mut().for_each(GoMind::reset);
    for _ in 0..LONGEST {
        if session.turn().is_terminal() {
            return;
        }
        let color = session.state().to_move();
        let seat = color.index();
        // As a controller would see it: from the question to the answer.
        let start = Instant::now();
        let decision = match minds[seat].genmove(&session, color, &clock) {
            Ok(decision) => decision,
            Err(e) => panic!("{e}"),
        };
        let elapsed = start.elapsed();
        all.elapsed.push(elapsed);
        all.over.push(decision.allowed.map_or(Duration::ZERO, |allowed| elapsed.saturating_sub(allowed)));
        if clock.spend(seat as u8, elapsed) == Flag::Fallen {
            all.lost += 1;
            return;
        }
        let Some(mv) = decision.action.as_move() else { return };
        if let Err(e) = session.play(mv) {
            panic!("{e}");
        }
        if ponder {
            minds[seat].ponder(&session);
        }
    }
}

fn percentile(sorted: &[Duration], part: f64) -> f64 {
    let at = ((sorted.len() as f64 * part).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).map_or(0.0, |d| d.as_secs_f64() * 1000.0)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| words.get(i).and_then(|w| w.parse().ok()).unwrap_or(default);
    let (games, threads, size) = (number(0, 50), number(1, 1), number(2, 9));
    let ponder = words.get(3).is_some_and(|w| w == "ponder");
    // Without early stop every move takes all its time, and White's never longer: then what is allowed is what is used.
    let spec = format!("uct:threads={threads},early-stop=off");
    let mind = |seed: u64| {
        let spec = match spec.parse() {
            Ok(spec) => spec,
            Err(e) => panic!("{e}"),
        };
        match GoMind::from_spec(&spec, seed, MindOptions { extend: seed == 1, ..MindOptions::default() }) {
            Ok(mind) => mind,
            Err(e) => panic!("{e}"),
        }
    };
    let load = || std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("{spec}, {size}x{size}, {games} games each{}", if ponder { ", pondering" } else { "" });
    println!(
        "{:32} {:>5} {:>5} {:>7} {:>9} {:>8} {:>8} {:>8}",
        "system", "games", "lost", "moves", "mean ms", "p50", "p99", "max"
    );
    let (mut rows, mut lost) = (Vec::new(), 0);
    for system in SYSTEMS {
        let settings = match TimeSettings::from_words(&system.split_whitespace().collect::<Vec<_>>()) {
            Ok(settings) => settings,
            Err(e) => panic!("{e}"),
        };
        let before = load();
        let mut all = Measured { lost: 0, elapsed: Vec::new(), over: Vec::new() };
        let mut minds = [mind(1), mind(2)];
        for seed in 0..games {
            game(settings, &mut minds, size, seed, ponder, &mut all);
        }
        all.over.sort_unstable();
        let moves = all.elapsed.len();
        let mean = all.elapsed.iter().sum::<Duration>().as_secs_f64() * 1000.0 / moves.max(1) as f64;
        let [p50, p99, most] = [0.5, 0.99, 1.0].map(|part| percentile(&all.over, part));
        println!("{system:32} {games:>5} {:>5} {moves:>7} {mean:>9.2} {p50:>8.2} {p99:>8.2} {most:>8.2}", all.lost);
        lost += all.lost;
        rows.push(json!({
            "system": system, "games": games, "lost_on_time": all.lost, "moves": moves, "mean_ms": mean,
            "over_p50_ms": p50, "over_p99_ms": p99, "over_max_ms": most,
            "load_before": before.split(' ').next().map_or(Value::Null, Value::from),
        }));
    }
    println!("{}", json!({"player": spec, "size": size, "ponder": ponder, "systems": rows}));
    if lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
