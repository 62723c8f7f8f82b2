//! Measures the move prior on one thread: microseconds for all moves of a position from random games, best of five repeats.
//!
//! `cargo run --release -p kiebitz-go --example prior`

use std::hint::black_box;
use std::time::Instant;

use kiebitz_core::{Game, Knowledge, PlayerSpec, Rng, Settings};
use kiebitz_go::{Go, GoKnowledge, Move, Ruleset, Size};

const REPEATS: usize = 5;

/// Positions of random games, with the moves that a search would ask the prior for.
fn positions(side: usize, knowledge: &GoKnowledge) -> Vec<(Go, Vec<Move>)> {
    let size = Size::square(side).expect("a size from 1 to 25");
    let mut rng = Rng::new(7);
    let mut found = Vec::new();
    while found.len() < 50 {
        let mut go = Go::with_ruleset(size, Ruleset::Chinese);
        let mut actions = Vec::new();
        for ply in 0..size.points() * 3 / 4 {
            go.actions(&mut actions);
            knowledge.prune(&go, &mut actions);
            if ply % 8 == 7 {
                found.push((go.clone(), actions.clone()));
            }
            // By the prior, so that positions look like those of a search.
            let mut prior = vec![0.0; actions.len()];
            knowledge.prior(&go, &actions, &mut prior);
            let mut at = rng.unit() as f32;
            let chosen = prior.iter().position(|&p| {
                at -= p;
                at < 0.0
            });
            let mv = actions[chosen.unwrap_or(0)];
            if mv.is_pass() {
                break;
            }
            go.apply(mv);
        }
    }
    found
}

fn main() {
    let specs = ["uct", "uct:prior-gammas=hand", "uct:prior-ladder=on,prior-short=on"];
    for side in [9, 13, 19] {
        let base = GoKnowledge::default();
        let positions = positions(side, &base);
        let moves: usize = positions.iter().map(|(_, actions)| actions.len()).sum();
        let mean = moves as f64 / positions.len() as f64;
        for text in specs {
            let spec: PlayerSpec = text.parse().expect("a spec");
            let knowledge = base.read(&mut Settings::new(&spec)).expect("settings");
            let mut out = vec![0.0; side * side + 1];
            let mut best = f64::INFINITY;
            for _ in 0..REPEATS {
                let start = Instant::now();
                let rounds = 40;
                for _ in 0..rounds {
                    for (go, actions) in &positions {
                        knowledge.prior(go, actions, &mut out[..actions.len()]);
                        black_box(&out);
                    }
                }
                best = best.min(start.elapsed().as_secs_f64() / (rounds * positions.len()) as f64);
            }
            println!("{side:>2}x{side:<2} {mean:>6.1} moves  {:>7.2} us  {text}", best * 1e6);
        }
    }
}
