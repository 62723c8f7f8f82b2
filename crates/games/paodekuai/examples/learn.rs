//! Trains the network of the learned policy on games of `examples/selfplay.rs`:
//! `cargo run --release -p kiebitz-paodekuai --example learn -- DEALS FILE… > weights.txt`.
//!
//! First from the visits in the files, then from `DEALS` deals of the network against itself. A tenth of the games is held out. Says
//! on stderr how well the held-out visits are foretold: by the network, and for comparison by a uniform guess, by the heavy policy
//! and by the visits themselves. The same files and number give the same weights.

use kiebitz_core::record::Record;
use kiebitz_core::{Game, Rng};
use kiebitz_paodekuai::learned::Network;
use kiebitz_paodekuai::learned::train::{
    Example, agreement, cross_entropy, decisions, examples, loss, probabilities, reinforce, train,
};
use kiebitz_paodekuai::{MemoryModel, OpponentModel, Options, PaoDeKuai};

const EPOCHS: usize = 12;
const RATE: f32 = 0.005;
/// Of the second part: the rate, and the weight of keeping to several actions.
const REINFORCE: (f32, f32) = (0.002, 0.01);

/// The records of a file with many.
fn records(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut lines = text.lines().peekable();
    std::iter::from_fn(move || {
        let mut record = lines.next()?.to_owned() + "\n";
        while let Some(line) = lines.next_if(|line| !line.starts_with("{\"kiebitz\"")) {
            record += &(line.to_owned() + "\n");
        }
        Some(record)
    })
}

/// The probabilities by the heavy policy of the decisions of a record.
fn heavy(record: &Record, temperature: f32) -> Vec<Vec<f32>> {
    let (model, mut found) = (MemoryModel { temperature, ..MemoryModel::default() }, Vec::new());
    let each = |game: &PaoDeKuai, actions: &[_], _| {
        let mut weights = Vec::new();
        model.weights(game.rules(), game.state(), actions, &mut weights);
        let sum: f32 = weights.iter().sum();
        found.push(weights.iter().map(|weight| weight / sum).collect());
    };
    decisions(record, each).expect("a record that was read before");
    found
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let deals: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    let mut by_heavy = [0.35, 0.7, 1.4].map(|temperature| (temperature, Vec::new()));
    let mut games = 0;
    for file in arguments {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        for record in records(&text) {
            let record = Record::read(record.as_bytes()).unwrap_or_else(|e| panic!("{file}: {e}")).record;
            let found = examples(&record).unwrap_or_else(|e| panic!("{file}: {e}"));
            if games % 10 == 9 {
                held_out.extend(found);
                by_heavy.iter_mut().for_each(|(temperature, all)| all.extend(heavy(&record, *temperature)));
            } else {
                learned.extend(found);
            }
            games += 1;
        }
    }
    eprintln!("{games} games, {} decisions to learn, {} held out", learned.len(), held_out.len());
    let uniform = |example: &Example| vec![1.0 / example.shares.len() as f32; example.shares.len()];
    eprintln!("held out, in nats: uniform {:.4}", cross_entropy(&held_out, uniform));
    for (temperature, all) in by_heavy {
        let next = |mut all: std::vec::IntoIter<Vec<f32>>| move |_: &Example| all.next().unwrap_or_default();
        let entropy = cross_entropy(&held_out, next(all.clone().into_iter()));
        let agrees = 100.0 * agreement(&held_out, next(all.into_iter()));
        eprintln!("heavy with temperature {temperature}: {entropy:.4}, {agrees:.1} % of the most visited actions");
    }
    // Nothing foretells visits better than the visits themselves.
    eprintln!("the least that is possible: {:.4}", cross_entropy(&held_out, |example| example.shares.clone()));
    let mut rng = Rng::new(40);
    let mut network = Network::random(&mut rng);
    train(&mut network, &learned, EPOCHS, RATE, &mut rng);
    let tell = |name: &str, network: &Network| {
        let losses = [1.0, 2.0, 3.0, 5.0].map(|temperature| loss(network, &held_out, temperature));
        let agrees = 100.0 * agreement(&held_out, |example| probabilities(network, example));
        let known = loss(network, &learned, 1.0);
        eprintln!(
            "{name} with temperature 1, 2, 3, 5: {losses:.4?}, {agrees:.1} %; on what it learned from {known:.4}"
        );
    };
    tell("network", &network);
    if deals > 0 {
        let start = PaoDeKuai::new(3, &Options::default(), None).expect("the usual game");
        reinforce(&mut network, &start, deals, REINFORCE.0, REINFORCE.1, &mut rng);
        tell("after the deals against itself", &network);
    }
    print!("{}", network.to_text());
}
