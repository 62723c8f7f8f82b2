//! Learning the network from records of self-play whose lines tell how often a search visited each action.

use kiebitz_core::record::{Line, Record, What};
use kiebitz_core::{DynGame, Game, GameType, Notation, Rng, Seat, Session, Turn};
use serde_json::{Map, Value};

use super::features::{Features, STATE_FEATURES};
use super::network::{BIAS, HIDDEN, Network, OUTPUT, PARAMETERS};
use crate::action::Action;
use crate::game::PaoDeKuai;
use crate::heavy::softmax;
use crate::state::Phase;

/// Adam's decay rates and its guard against division by nothing.
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

/// What a search found of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The action.
    pub action: Action,
    /// How often it was tried.
    pub visits: u64,
    /// Its mean utility for the seat to move, `[0, 1]`; what is not a number is not written.
    pub value: f64,
}

/// Writes into the line of an action what a search found of every action, by the actions' texts:
/// `"eval":{"visits":{"33":12,…},"values":{"33":0.412,…}}`.
pub fn note(line: &mut Line, game: &PaoDeKuai, thoughts: &[Thought]) {
    let mut eval = Map::new();
    let text = |thought: &Thought| game.action_text(thought.action);
    let visits: Map<String, Value> = thoughts.iter().map(|t| (text(t), t.visits.into())).collect();
    eval.insert("visits".to_owned(), visits.into());
    let tried = thoughts.iter().filter(|t| t.visits > 0 && t.value.is_finite());
    let values: Map<String, Value> = tried.map(|t| (text(t), (libm::round(t.value * 1e4) / 1e4).into())).collect();
    eval.insert("values".to_owned(), values.into());
    line.set("eval", eval);
}

/// Calls `each` with every decision of a record whose line tells visits: the game before it, the legal actions and their shares of
/// the visits. Leaves out where a play empties the hand.
///
/// # Errors
/// The line that cannot be played, in one sentence.
pub fn decisions(record: &Record, mut each: impl FnMut(&PaoDeKuai, &[Action], Vec<f32>)) -> Result<(), String> {
    let mut session: Session<PaoDeKuai> = GameType::session(&record.header, 0).map_err(|e| e.to_string())?;
    let mut actions = Vec::new();
    for (number, line) in record.lines.iter().enumerate() {
        let visits = line.get("eval").and_then(|eval| eval.get("visits")).and_then(Value::as_object);
        if let (Some(visits), Turn::Seat(seat), What::Action(_)) = (visits, session.turn(), line.what()) {
            let game = session.state();
            game.actions(&mut actions);
            let count = |&action: &Action| visits.get(&game.action_text(action)).and_then(Value::as_f64).unwrap_or(0.0);
            let counts: Vec<f64> = actions.iter().map(count).collect();
            let sum: f64 = counts.iter().sum();
            let hand = game.state().hand(seat);
            let empties = actions.iter().any(|action| !action.is_pass() && Some(action.cards()) == hand);
            if actions.len() > 1 && sum > 0.0 && !empties {
                each(game, &actions, counts.iter().map(|n| (n / sum) as f32).collect());
            }
        }
        DynGame::perform(&mut session, line).map_err(|e| format!("line {}: {e}", number + 2))?;
    }
    Ok(())
}

/// The decisions of a record whose lines tell visits, as the network learns from them.
///
/// # Errors
/// As [`decisions`].
pub fn examples(record: &Record) -> Result<Vec<Example>, String> {
    let mut found = Vec::new();
    decisions(record, |game, actions, shares| {
        let features = Features::of(game.rules(), game.state(), actions);
        found.push(Example { features, shares });
    })?;
    Ok(found)
}

/// The hidden units of each action before they are rectified, and the probabilities of the actions at a temperature.
fn foretell(network: &Network, features: &Features, temperature: f32) -> (Vec<[f32; HIDDEN]>, Vec<f32>) {
    let base = network.base(&features.state);
    let passes = features.actions.iter().flatten().map(|action| network.forward(&base, action));
    let (hidden, mut weights): (Vec<_>, Vec<f32>) = passes.unzip();
    let best = weights.iter().copied().fold(f32::MIN, f32::max);
    softmax(&mut weights, best, temperature);
    let sum: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    (hidden, weights)
}

/// The mean cross-entropy of the shares under what `probabilities` gives for each example, in nats. It is smallest, the entropy of
/// the shares themselves, where both agree.
pub fn cross_entropy(examples: &[Example], mut probabilities: impl FnMut(&Example) -> Vec<f32>) -> f64 {
    let of = |example: &Example| -> f64 {
        let logs = probabilities(example).into_iter().map(|p| libm::log(f64::from(p).max(1e-9)));
        logs.zip(&example.shares).map(|(log, &share)| -log * f64::from(share)).sum()
    };
    examples.iter().map(of).sum::<f64>() / examples.len().max(1) as f64
}

/// The loss of the network, its [`cross_entropy`], with its scores divided by a temperature: 1 is what [`train`] makes small.
pub fn loss(network: &Network, examples: &[Example], temperature: f32) -> f64 {
    cross_entropy(examples, |example| foretell(network, &example.features, temperature).1)
}

/// The share of examples in which the action with the greatest probability is the one that was visited most.
pub fn agreement(examples: &[Example], mut probabilities: impl FnMut(&Example) -> Vec<f32>) -> f64 {
    let first = |values: &[f32]| {
        let best = values.iter().copied().fold(f32::MIN, f32::max);
        values.iter().position(|&value| value == best)
    };
    let agrees = |example: &&Example| first(&probabilities(example)) == first(&example.shares);
    examples.iter().filter(agrees).count() as f64 / examples.len().max(1) as f64
}

/// The probabilities that the network gives to the actions of an example.
pub fn probabilities(network: &Network, example: &Example) -> Vec<f32> {
    foretell(network, &example.features, 1.0).1
}

/// Steps of Adam (Kingma & Ba, "Adam", ICLR 2015).
struct Adam {
    first: [f32; PARAMETERS],
    second: [f32; PARAMETERS],
    powers: [f32; 2],
}

impl Adam {
    fn new() -> Adam {
        Adam { first: [0.0; PARAMETERS], second: [0.0; PARAMETERS], powers: [1.0; 2] }
    }

    /// One step down the gradient.
    fn step(&mut self, network: &mut Network, gradient: &[f32; PARAMETERS], rate: f32) {
        self.powers = [self.powers[0] * DECAY[0], self.powers[1] * DECAY[1]];
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, &g), (first, second)) in network.0.iter_mut().zip(gradient).zip(moments) {
            *first = DECAY[0] * *first + (1.0 - DECAY[0]) * g;
            *second = DECAY[1] * *second + (1.0 - DECAY[1]) * g * g;
            let (mean, variance) = (*first / (1.0 - self.powers[0]), *second / (1.0 - self.powers[1]));
            *weight -= rate * mean / (variance.sqrt() + TINY);
        }
    }
}

/// Learns by Adam on batches of 32 examples in random order, so many times over all examples, at a rate that falls to a tenth.
/// The same random stream learns the same.
pub fn train(network: &mut Network, examples: &[Example], epochs: usize, rate: f32, rng: &mut Rng) {
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut adam = Adam::new();
    let mut errors = Vec::new();
    for epoch in 0..epochs {
        let rate = rate * (1.0 - 0.9 * epoch as f32 / epochs as f32);
        rng.shuffle(&mut order);
        for batch in order.chunks(32) {
            let mut gradient = [0.0f32; PARAMETERS];
            for &place in batch {
                let Example { features, shares } = &examples[place];
                let (hidden, probabilities) = foretell(network, features, 1.0);
                errors.clear();
                errors.extend(probabilities.iter().zip(shares).map(|(p, share)| (p - share) / batch.len() as f32));
                add_gradient(network, features, &hidden, &errors, &mut gradient);
            }
            adam.step(network, &gradient, rate);
        }
    }
}

/// A decision of a game that the network plays against itself.
struct Choice {
    seat: Seat,
    features: Features,
    chosen: usize,
}

/// Learns from games of the network against itself, which it plays without a search: what was played in a game is made likelier
/// by how much more the seat got than was expected (REINFORCE with a baseline: Williams, Machine Learning 8, 1992). A seat gets 1
/// for being first out and nothing otherwise. The baseline is linear in what the network reads of the position; `entropy` is the
/// weight of a bonus for keeping to several actions. One step of Adam for each 128 deals, at a rate that falls to a tenth.
/// The same random stream learns the same.
pub fn reinforce(network: &mut Network, start: &PaoDeKuai, deals: usize, rate: f32, entropy: f32, rng: &mut Rng) {
    const BATCH: usize = 128;
    let (mut adam, mut expected) = (Adam::new(), Baseline::default());
    let mut errors = Vec::new();
    for first in (0..deals).step_by(BATCH) {
        let mut gradient = [0.0f32; PARAMETERS];
        for _ in 0..BATCH {
            let (choices, winner) = deal(network, start, rng);
            for Choice { seat, features, chosen } in &choices {
                let won = if winner == Some(*seat) { 1.0 } else { 0.0 };
                let advantage = won - expected.learn(&features.state, won);
                let (hidden, probabilities) = foretell(network, features, 1.0);
                let logs: Vec<f32> = probabilities.iter().map(|&p| libm::logf(p.max(1e-9))).collect();
                let spread: f32 = -probabilities.iter().zip(&logs).map(|(p, log)| p * log).sum::<f32>();
                errors.clear();
                errors.extend(probabilities.iter().zip(&logs).enumerate().map(|(place, (p, log))| {
                    let played = if place == *chosen { 1.0 } else { 0.0 };
                    ((p - played) * advantage + entropy * p * (log + spread)) / BATCH as f32
                }));
                add_gradient(network, features, &hidden, &errors, &mut gradient);
            }
        }
        adam.step(network, &gradient, rate * (1.0 - 0.9 * first as f32 / deals as f32));
    }
}

/// One deal of the network against itself: decisions that are not forced, and who is first out.
fn deal(network: &Network, start: &PaoDeKuai, rng: &mut Rng) -> (Vec<Choice>, Option<Seat>) {
    let (mut game, mut choices, mut actions) = (start.clone(), Vec::new(), Vec::new());
    while let Turn::Chance(_) = game.turn() {
        let action = game.sample(rng, &mut Vec::new());
        game.apply(action);
    }
    while game.state().phase() == Phase::Play {
        game.actions(&mut actions);
        // No code is greater than that of the whole hand.
        let mut action = actions.last().copied().unwrap_or(Action::PASS);
        let seat = game.state().to_move();
        if actions.len() > 1 && game.state().hand(seat) != Some(action.cards()) {
            let features = Features::of(game.rules(), game.state(), &actions);
            let mut u = rng.unit() as f32;
            let probabilities = foretell(network, &features, 1.0).1;
            let passed = |p: &f32| {
                u -= p;
                u < 0.0
            };
            let chosen = probabilities.iter().position(passed).unwrap_or(actions.len() - 1);
            action = actions[chosen];
            choices.push(Choice { seat, features, chosen });
        }
        game.apply(action);
    }
    (choices, game.state().winner())
}

/// How often a seat is first out, as a linear function of the position, learned as it goes.
#[derive(Default)]
struct Baseline([f32; STATE_FEATURES + 1]);

impl Baseline {
    /// What was expected before `won` was known.
    fn learn(&mut self, state: &[f32; STATE_FEATURES], won: f32) -> f32 {
        let inputs = || state.iter().copied().chain([1.0]);
        let expected: f32 = inputs().zip(&self.0).map(|(x, w)| x * w).sum();
        for (x, weight) in inputs().zip(&mut self.0) {
            *weight += 0.002 * (won - expected) * x;
        }
        expected
    }
}

/// Adds the gradient of a loss whose derivatives by the scores of the actions are `errors`.
fn add_gradient(
    network: &Network,
    features: &Features,
    hidden: &[[f32; HIDDEN]],
    errors: &[f32],
    gradient: &mut [f32; PARAMETERS],
) {
    let mut position = [0.0; HIDDEN];
    for ((action, hidden), &error) in features.actions.iter().flatten().zip(hidden).zip(errors) {
        let mut back = [0.0; HIDDEN];
        for (unit, &sum) in hidden.iter().enumerate().filter(|&(_, &sum)| sum > 0.0) {
            gradient[OUTPUT + unit] += error * sum;
            back[unit] = error * network.0[OUTPUT + unit];
            gradient[BIAS + unit] += back[unit];
            position[unit] += back[unit];
        }
        add_outer(&mut gradient[STATE_FEATURES * HIDDEN..BIAS], action, &back);
    }
    // What comes from the position is the same for all actions.
    add_outer(&mut gradient[..STATE_FEATURES * HIDDEN], &features.state, &position);
}

/// Adds `back`, each time times an input, to the rows of weights.
fn add_outer(rows: &mut [f32], inputs: &[f32], back: &[f32; HIDDEN]) {
    for (row, &x) in rows.chunks_exact_mut(HIDDEN).zip(inputs) {
        if x != 0.0 {
            for (weight, b) in row.iter_mut().zip(back) {
                *weight += x * b;
            }
        }
    }
}
