//! Trains the network of the learned policy on games of `examples/selfplay.rs`:
//! `cargo run --release -p kiebitz-paodekuai --example learn -- FILE… > weights.txt`.
//!
//! A tenth of the games is held out. Says on stderr how well the held-out visits are foretold, by the network and for comparison by
//! a uniform guess and by the visits themselves.

use kiebitz_core::Rng;
use kiebitz_core::record::Record;
use kiebitz_paodekuai::learned::Network;
use kiebitz_paodekuai::learned::train::{Example, cross_entropy, examples, loss, train};

const EPOCHS: usize = 40;
const RATE: f32 = 0.01;

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

fn main() {
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    let mut games = 0;
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        for record in records(&text) {
            let record = Record::read(record.as_bytes()).unwrap_or_else(|e| panic!("{file}: {e}")).record;
            let found = examples(&record).unwrap_or_else(|e| panic!("{file}: {e}"));
            if games % 10 == 9 {
                held_out.extend(found)
            } else {
                learned.extend(found)
            }
            games += 1;
        }
    }
    eprintln!("{games} games, {} decisions to learn, {} held out", learned.len(), held_out.len());
    let uniform = |example: &Example| vec![1.0 / example.shares.len() as f32; example.shares.len()];
    // Nothing foretells visits better than the visits themselves.
    let entropy = cross_entropy(&held_out, |example| example.shares.clone());
    eprintln!("held out: uniform {:.4}, the least that is possible {entropy:.4}", cross_entropy(&held_out, uniform));
    let mut rng = Rng::new(40);
    let mut network = Network::random(&mut rng);
    train(&mut network, &learned, EPOCHS, RATE, &mut rng);
    eprintln!("network: {:.4} held out, {:.4} learned", loss(&network, &held_out), loss(&network, &learned));
    print!("{}", network.to_text());
}
