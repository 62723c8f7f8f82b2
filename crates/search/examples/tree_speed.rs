//! Simulations per second of tree search on tiny games, with one thread and with two:
//! `cargo run --release -p kiebitz-search --example tree_speed [SECONDS [NAME]]`.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kiebitz_core::{Budget, Clock, Game, Knowledge, Rng, Seen, Uniform};
use kiebitz_search::{Context, Parallel, Search, Uct, UctSettings, node_bytes};

#[path = "../tests/tree_games/mod.rs"]
mod tree_games;

use tree_games::hex::{Hex, HexKnowledge};
use tree_games::tictactoe::TicTacToe;

struct Wall(Instant);

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// CPU seconds of this process (Linux; elsewhere 0).
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn measure<G: Game<Belief = ()>, K: Knowledge<G>>(
    name: &str,
    game: &G,
    knowledge: impl Fn() -> K,
    settings: UctSettings,
    seconds: f64,
) {
    if std::env::args().nth(2).is_some_and(|only| !name.contains(&only)) {
        return;
    }
    // In turns, because a shared machine is not equally fast all the time.
    const WAYS: [(&str, usize, Parallel); 3] =
        [("1 thread", 1, Parallel::Tree), ("2 tree", 2, Parallel::Tree), ("2 root", 2, Parallel::Root)];
    let mut totals = [(0.0, 0.0); 3];
    for round in 0..15 {
        let (_, threads, parallel) = WAYS[round % 3];
        let mut settings = settings.clone();
        settings.tree.threads = threads;
        settings.tree.parallel = parallel;
        settings.tree.early_stop = false;
        settings.tree.memory = 512;
        let mut search = Uct::new(knowledge(), settings);
        let clock = Wall(Instant::now());
        let stop = AtomicBool::new(false);
        let context = Context::new(Budget::time(Duration::from_secs_f64(seconds)), &clock, &stop, 1);
        let before = cpu();
        let seen = Seen::new(game, 0, &(), &mut Rng::new(0));
        let Ok(report) = search.run(&seen, &context) else { return };
        let total = &mut totals[round % 3];
        total.0 += report.visits as f64;
        total.1 += cpu() - before;
    }
    let single = totals[0].0 / totals[0].1;
    for ((label, ..), (visits, used)) in WAYS.iter().zip(totals) {
        let (rate, wall) = (visits / used, 5.0 * seconds);
        println!(
            "{name:24} {label:8} {used:5.2} CPU s in {wall:5.2} s: {rate:9.0} visits/CPU s ({:.3}), {:9.0} visits/s",
            rate / single,
            visits / wall
        );
    }
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.0);
    println!(
        "bytes per node: {} (u16 actions), {} (u32), {} (u128)",
        node_bytes::<u16>(),
        node_bytes::<u32>(),
        node_bytes::<u128>()
    );
    measure("tictactoe", &TicTacToe::default(), || Uniform, UctSettings::default(), seconds);
    measure("hex 7x7 uct", &Hex::<7>::empty(), || HexKnowledge, UctSettings::default(), seconds);
    measure("hex 7x7 rave", &Hex::<7>::empty(), || HexKnowledge, UctSettings::rave(), seconds);
    let mut patient = UctSettings::rave();
    patient.tree.expand_after = 8;
    measure("hex 11x11 rave expand=8", &Hex::<11>::empty(), || HexKnowledge, patient, seconds);
}
