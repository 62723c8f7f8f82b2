//! Measures light and heavy playouts from the empty board on one thread: playouts and moves per second, best of five repeats.
//!
//! `cargo run --release -p kiebitz-go --example playouts`

use std::time::Instant;

use kiebitz_core::{Rng, Trace};
use kiebitz_go::playout::{AnyPlayoutBoard, Policy, Start};
use kiebitz_go::{Color, Move, Size};

const REPEATS: usize = 5;
const SECONDS: f64 = 1.0;

/// Playouts per second and moves per playout.
fn measure(side: usize, heavy: bool, mercy: bool, traced: bool, set_up: bool) -> (f64, f64) {
    let size = Size::square(side).expect("a size from 1 to 25");
    let empty = AnyPlayoutBoard::new(size);
    let mut board = AnyPlayoutBoard::new(size);
    let mut trace: Trace<Move> = Vec::with_capacity(3 * size.points());
    let policy = Policy::default();
    let mut best = (0.0, 0.0);
    for repeat in 0..REPEATS {
        let mut rng = Rng::new(repeat as u64);
        let (mut playouts, mut moves, mut sum) = (0u64, 0u64, 0i64);
        let start = Instant::now();
        let seconds = loop {
            for _ in 0..1000 {
                if set_up {
                    board.set_up(size, [], Color::Black, None).expect("an empty board");
                } else {
                    board.clone_from(&empty);
                }
                trace.clear();
                let start = Start { mercy, ..Start::of(Color::Black) };
                let trace = traced.then_some(&mut trace);
                let end = if heavy {
                    board.heavy_playout(start, &policy, &mut rng, trace)
                } else {
                    board.light_playout(start, &mut rng, trace)
                };
                moves += u64::from(end.moves);
                sum += i64::from(end.score);
            }
            playouts += 1000;
            let seconds = start.elapsed().as_secs_f64();
            if seconds >= SECONDS {
                break seconds;
            }
        };
        std::hint::black_box(sum);
        let rate = playouts as f64 / seconds;
        if rate > best.0 {
            best = (rate, moves as f64 / playouts as f64);
        }
    }
    best
}

/// Microseconds to set up the board after half as many moves as points.
fn measure_set_up(side: usize) -> f64 {
    let size = Size::square(side).expect("a size from 1 to 25");
    let mut trace: Trace<Move> = Vec::new();
    AnyPlayoutBoard::new(size).light_playout(Start::of(Color::Black), &mut Rng::new(1), Some(&mut trace));
    let mut position = AnyPlayoutBoard::new(size);
    for &(seat, mv) in trace.iter().take(size.points() / 2) {
        let color = Color::from_index(usize::from(seat)).expect("a seat of Go");
        assert!(position.play(color, mv), "a playout's moves are legal");
    }
    let stones: Vec<_> = size.iter().filter_map(|p| Some((p, position.stone(p)?))).collect();
    let mut board = AnyPlayoutBoard::new(size);
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = Instant::now();
        for _ in 0..20_000 {
            board.set_up(size, std::hint::black_box(&stones).iter().copied(), Color::Black, None).expect("a position");
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e6 / 20_000.0);
    }
    best
}

fn load() -> String {
    std::fs::read_to_string("/proc/loadavg").map(|s| s.trim().to_string()).unwrap_or_else(|_| "unknown".into())
}

fn main() {
    let only = std::env::args().nth(1).and_then(|s| s.parse::<usize>().ok());
    println!("load average {}", load());
    println!("{:>6} {:<22} {:>12} {:>12} {:>12}", "size", "what", "playouts/s", "moves each", "ns/move");
    for side in [9, 13, 19, 25] {
        if only.is_some_and(|only| only != side) {
            continue;
        }
        if only.is_none() {
            println!("{side:>6} set up a half-played board: {:.2} us", measure_set_up(side));
        }
        for (what, heavy, mercy, traced, set_up) in [
            ("plain", false, false, false, false),
            ("heavy", true, false, false, false),
            ("with trace", false, false, true, false),
            ("set up each time", false, false, false, true),
            ("mercy rule", false, true, false, false),
        ] {
            if only.is_some() && !["plain", "heavy"].contains(&what) {
                continue;
            }
            let (rate, moves) = measure(side, heavy, mercy, traced, set_up);
            println!("{:>6} {:<22} {:>12.0} {:>12.1} {:>12.1}", side, what, rate, moves, 1e9 / (rate * moves));
        }
    }
    println!("load average {}", load());
}
