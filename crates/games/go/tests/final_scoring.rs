//! Finished games, assessed as GNU Go's aftermath does it: dead stones and score (`docs/go-scoring.md`).
//!
//! The games and GNU Go's answers come from `scripts/make_scoring_games.py`.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use kiebitz_core::{Game, Rng};
use kiebitz_go::status::{Assessment, assess};
use kiebitz_go::{Go, GoBuffer, Options, Ruleset, result_text};
use serde_json::Value;

/// Playouts for one assessment.
const PLAYOUTS: u32 = 1000;

/// A finished game with the answer of the reference.
struct Finished {
    name: String,
    go: Go,
    dead: BTreeSet<String>,
    score: String,
}

fn load(text: &str) -> Vec<Finished> {
    let games = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    games
        .map(|game| {
            let size = game["size"].as_u64().unwrap() as usize;
            let komi = (game["komi"].as_f64().unwrap() * 4.0) as i32;
            let options = Options { komi, ..Options::new(common::size(size, size), Ruleset::Chinese) };
            let mut go = common::game(&options);
            common::play(&mut go, game["moves"].as_str().unwrap());
            assert!(go.turn().is_terminal());
            let dead = game["dead"].as_array().unwrap().iter().map(|p| p.as_str().unwrap().to_owned()).collect();
            let score = game["score"].as_str().unwrap().to_owned();
            Finished { name: format!("{size}x{size} seed {}", game["seed"]), go, dead, score }
        })
        .collect()
}

fn assessment(go: &Go, seed: u64) -> Assessment {
    let mut buffer = GoBuffer::default();
    assess(go, PLAYOUTS, &mut Rng::new(seed), |go, rng, out| buffer.ownership(go, rng, out))
}

/// What is different from the reference; `None` when dead stones and score agree.
fn difference(game: &Finished) -> Option<String> {
    let found = assessment(&game.go, 1);
    let dead: BTreeSet<String> = common::names(&game.go, &found.dead()).into_iter().collect();
    let score = result_text(found.score(&game.go).margin());
    if dead == game.dead && score == game.score {
        return None;
    }
    let mut text = format!("{}: score {score}, reference {}\n", game.name, game.score);
    let _ = writeln!(text, "only here dead: {:?}", dead.difference(&game.dead).collect::<Vec<_>>());
    let _ = writeln!(text, "only there dead: {:?}", game.dead.difference(&dead).collect::<Vec<_>>());
    text += &common::rows(&game.go);
    for chain in found.chains.iter().filter(|c| !c.certain && c.danger > 0.1) {
        let first = chain.stones[0].text(game.go.size()).to_string();
        let _ =
            writeln!(text, "{} {first}: {:?} {:.3} {}", chain.color, chain.status, chain.danger, chain.cause.code());
    }
    Some(text)
}

fn compare(text: &str) -> (usize, Vec<String>) {
    let games = load(text);
    let (first, second) = games.split_at(games.len() / 2);
    let differences = std::thread::scope(|scope| {
        let half = scope.spawn(|| first.iter().filter_map(difference).collect::<Vec<_>>());
        let rest: Vec<_> = second.iter().filter_map(difference).collect();
        let mut all = half.join().unwrap();
        all.extend(rest);
        all
    });
    for difference in &differences {
        println!("{difference}");
    }
    (games.len(), differences)
}

#[test]
fn dead_stones_and_score_agree_with_the_aftermath() {
    let nine = compare(include_str!("data/scoring/9x9.jsonl"));
    let thirteen = compare(include_str!("data/scoring/13x13.jsonl"));
    let (games, differences) = (nine.0 + thirteen.0, nine.1.len() + thirteen.1.len());
    println!("9x9 {} of {}, 13x13 {} of {}", nine.1.len(), nine.0, thirteen.1.len(), thirteen.0);
    assert!(games >= 200 && differences * 100 <= games * 3, "{differences} of {games} games differ");
}
