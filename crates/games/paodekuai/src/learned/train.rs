//! Learning the network from records of self-play whose lines tell how often a search visited each action.

use kiebitz_core::record::{Line, Record, What};
use kiebitz_core::{DynGame, Game, GameType, Notation, Rng, Session, Turn};
use serde_json::{Map, Value};

use super::{ACTION_FEATURES, DIRECT, FEATURES, Features, HIDDEN, Network, OUTPUT, PARAMETERS, STATE_FEATURES};
use crate::action::Action;
use crate::game::PaoDeKuai;

/// Adam's decay rates and its guard against division by nothing (Kingma & Ba, "Adam", ICLR 2015).
const DECAY: [f32; 2] = [0.9, 0.999];
const TINY: f32 = 1e-8;

/// A decision and the share of visits of each of its actions. Plays that empty the hand are not learned, so there are at least two
/// actions with features.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// What the network sees.
    pub features: Features,
    /// The shares; their sum is 1.
    pub shares: Vec<f32>,
}

/// Writes into the line of an action how often a search visited each action: `"eval":{"visits":{"33":12,…}}`.
pub fn note_visits(line: &mut Line, game: &PaoDeKuai, visits: impl IntoIterator<Item = (Action, u64)>) {
    let visits: Map<String, Value> = visits.into_iter().map(|(a, n)| (game.action_text(a), n.into())).collect();
    let mut eval = Map::new();
    eval.insert("visits".to_owned(), visits.into());
    line.set("eval", eval);
}

/// The decisions of a record whose lines tell visits.
///
/// # Errors
/// The line that cannot be played, in one sentence.
pub fn examples(record: &Record) -> Result<Vec<Example>, String> {
    let mut session: Session<PaoDeKuai> = GameType::session(&record.header, 0).map_err(|e| e.to_string())?;
    let (mut found, mut actions) = (Vec::new(), Vec::new());
    for (number, line) in record.lines.iter().enumerate() {
        let visits = line.get("eval").and_then(|eval| eval.get("visits")).and_then(Value::as_object);
        if let (Some(visits), Turn::Seat(_), What::Action(_)) = (visits, session.turn(), line.what()) {
            let game = session.state();
            game.actions(&mut actions);
            let features = Features::of(game.rules(), game.state(), &actions);
            let count = |&action: &Action| visits.get(&game.action_text(action)).and_then(Value::as_f64).unwrap_or(0.0);
            let counts: Vec<f64> = actions.iter().map(count).collect();
            let sum: f64 = counts.iter().sum();
            if actions.len() > 1 && sum > 0.0 && features.actions.iter().all(Option::is_some) {
                let shares = counts.iter().map(|n| (n / sum) as f32).collect();
                found.push(Example { features, shares });
            }
        }
        DynGame::perform(&mut session, line).map_err(|e| format!("line {}: {e}", number + 2))?;
    }
    Ok(found)
}

/// The probabilities of the actions of an example.
fn probabilities(network: &Network, example: &Example) -> (Vec<f32>, Vec<[f32; HIDDEN]>) {
    let base = network.base(&example.features.state);
    let passes: Vec<_> =
        example.features.actions.iter().flatten().map(|action| network.forward(&base, action)).collect();
    let best = passes.iter().map(|pass| pass.1).fold(f32::MIN, f32::max);
    let weights: Vec<f32> = passes.iter().map(|pass| libm::expf(pass.1 - best)).collect();
    let sum: f32 = weights.iter().sum();
    (weights.iter().map(|w| w / sum).collect(), passes.into_iter().map(|pass| pass.0).collect())
}

/// The mean cross-entropy of the shares under what `probabilities` gives for each example, in nats. It is smallest, the entropy of
/// the shares themselves, where both agree.
pub fn cross_entropy(examples: &[Example], probabilities: impl Fn(&Example) -> Vec<f32>) -> f64 {
    let of = |example: &Example| -> f64 {
        let logs = probabilities(example).into_iter().map(|p| libm::log(f64::from(p).max(1e-9)));
        logs.zip(&example.shares).map(|(log, &share)| -log * f64::from(share)).sum()
    };
    examples.iter().map(of).sum::<f64>() / examples.len().max(1) as f64
}

/// The loss of the network: its [`cross_entropy`].
pub fn loss(network: &Network, examples: &[Example]) -> f64 {
    cross_entropy(examples, |example| probabilities(network, example).0)
}

/// Learns by Adam on batches of 32 examples in random order, so many times over all examples, at a rate that falls to a tenth.
/// The same random stream learns the same.
pub fn train(network: &mut Network, examples: &[Example], epochs: usize, rate: f32, rng: &mut Rng) {
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut moments = [[0.0f32; PARAMETERS]; 2];
    let mut powers = [1.0f32; 2];
    for epoch in 0..epochs {
        let rate = rate * (1.0 - 0.9 * epoch as f32 / epochs as f32);
        rng.shuffle(&mut order);
        for batch in order.chunks(32) {
            let mut gradient = [0.0f32; PARAMETERS];
            for &place in batch {
                add_gradient(network, &examples[place], 1.0 / batch.len() as f32, &mut gradient);
            }
            powers = [powers[0] * DECAY[0], powers[1] * DECAY[1]];
            for (place, &g) in gradient.iter().enumerate() {
                let (first, second) = (&mut moments[0][place], g * g);
                *first = DECAY[0] * *first + (1.0 - DECAY[0]) * g;
                let first = *first / (1.0 - powers[0]);
                moments[1][place] = DECAY[1] * moments[1][place] + (1.0 - DECAY[1]) * second;
                let second = moments[1][place] / (1.0 - powers[1]);
                network.0[place] -= rate * first / (second.sqrt() + TINY);
            }
        }
    }
}

/// Adds the gradient of an example's cross-entropy, times `factor`.
fn add_gradient(network: &Network, example: &Example, factor: f32, gradient: &mut [f32; PARAMETERS]) {
    let (probabilities, hidden) = probabilities(network, example);
    let actions = example.features.actions.iter().flatten();
    for (((action, hidden), p), share) in actions.zip(&hidden).zip(&probabilities).zip(&example.shares) {
        let error = (p - share) * factor;
        for (place, x) in action.iter().enumerate() {
            gradient[DIRECT + place] += error * x;
        }
        for (unit, &sum) in hidden.iter().enumerate().filter(|&(_, &sum)| sum > 0.0) {
            gradient[OUTPUT + unit] += error * sum;
            let back = error * network.0[OUTPUT + unit];
            let weights: &mut [f32] = &mut gradient[unit * (FEATURES + 1)..][..FEATURES + 1];
            for (place, x) in example.features.state.iter().chain(action).enumerate() {
                weights[place] += back * x;
            }
            weights[FEATURES] += back;
        }
    }
    const { assert!(STATE_FEATURES + ACTION_FEATURES == FEATURES) };
}
