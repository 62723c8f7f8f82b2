//! Simulations per second of information-set and open-loop search on the example games:
//! `cargo run --release -p kiebitz-search --example world_search_speed [THREADS]`.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kiebitz_core::{Budget, Game, ManualClock, Rng, Seen, Turn, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, Kuhn, TicTacToe};
use kiebitz_search::{Context, Ismcts, IsmctsConfig, OpenLoop, OpenLoopConfig, Search};

fn measure<G: Game>(name: &str, mut game: G, mut search: impl Search<G>) {
    let mut rng = Rng::new(1);
    while let Turn::Chance(_) = game.turn() {
        let action = game.sample(&mut rng, &mut Vec::new());
        game.apply(action);
    }
    let Some(seat) = game.turn().seat() else { return };
    let seen = Seen::new(&game, seat, &G::Belief::default(), &mut rng);
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let start = Instant::now();
    match search.run(&seen, &Context::new(Budget::visits(1_000_000), &clock, &stop, 1)) {
        Ok(report) => {
            let speed = report.visits as f64 / start.elapsed().as_secs_f64();
            let bytes = report.bytes as f64 / report.nodes as f64;
            println!(
                "{name:28} {speed:10.0} visits/s, {:8} nodes of {bytes} bytes, depth {}",
                report.nodes, report.depth
            );
        }
        Err(error) => println!("{name:28} {error}"),
    }
}

fn main() -> Result<(), kiebitz_core::SetupError> {
    let only = std::env::args().nth(1).and_then(|text| text.parse().ok());
    for threads in only.map_or(vec![1, 2], |n| vec![n]) {
        let ismcts = IsmctsConfig { threads, early: false, ..Default::default() };
        let open = OpenLoopConfig { threads, early: false, ..Default::default() };
        let dice = Countdown::new(2, &CountdownOptions { start: 40, faces: 6 }, None)?;
        println!("{threads} thread(s)");
        measure("ismcts tictactoe", TicTacToe::new(2, &(), None)?, Ismcts::new(ismcts, Uniform));
        measure("ismcts kuhn, 4 players", Kuhn::new(4, &(), None)?, Ismcts::new(ismcts, Uniform));
        measure("ismcts countdown from 40", dice.clone(), Ismcts::new(ismcts, Uniform));
        measure("openloop countdown from 40", dice, OpenLoop::new(open, Uniform));
        measure("openloop tictactoe", TicTacToe::new(2, &(), None)?, OpenLoop::new(open, Uniform));
    }
    Ok(())
}
