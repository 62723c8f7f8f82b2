//! The network: one hidden layer, and the text of its weights.

use std::sync::{Arc, LazyLock};

use kiebitz_core::Rng;

use super::features::{ACTION_FEATURES, STATE_FEATURES, Scene};
use crate::action::Action;
use crate::rules::Rules;
use crate::state::State;

/// Units of the hidden layer.
pub const HIDDEN: usize = 16;
/// What enters the hidden layer.
pub(super) const INPUTS: usize = STATE_FEATURES + ACTION_FEATURES;
/// Where the parts of the parameters begin: a row of weights to the hidden units for each input, those of the position first; their
/// biases; their weights in the score.
pub(super) const BIAS: usize = INPUTS * HIDDEN;
pub(super) const OUTPUT: usize = BIAS + HIDDEN;
/// How many parameters the network has.
pub const PARAMETERS: usize = OUTPUT + HIDDEN;

/// The score of a play that empties the hand: next to it nothing else is ever played.
const OUT: f32 = 1e4;

/// One hidden layer of rectified units; the score of an action is their weighted sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Network(pub(super) Box<[f32; PARAMETERS]>);

/// Adds the rows of weights, each times its input. Without branches, so that it runs in vector registers.
#[inline]
fn add_rows(rows: &[f32], inputs: &[f32], sums: &mut [f32; HIDDEN]) {
    for (row, &x) in rows.chunks_exact(HIDDEN).zip(inputs) {
        for (sum, w) in sums.iter_mut().zip(row) {
            *sum += x * w;
        }
    }
}

/// The weighted sum of the rectified units, in four parts, since one long chain of additions would have to wait for each.
#[inline]
fn output(weights: &[f32], hidden: &[f32; HIDDEN]) -> f32 {
    let mut parts = [0.0; 4];
    for (weights, hidden) in weights.chunks_exact(4).zip(hidden.chunks_exact(4)) {
        for ((part, w), sum) in parts.iter_mut().zip(weights).zip(hidden) {
            *part += w * sum.max(0.0);
        }
    }
    parts[0] + parts[1] + (parts[2] + parts[3])
}

impl Network {
    /// With small random parameters.
    pub fn random(rng: &mut Rng) -> Network {
        Network(Box::new(std::array::from_fn(|_| (rng.unit() as f32 - 0.5) * 0.4)))
    }

    /// Reads the parameters, separated by white space; `None` when they are not [`PARAMETERS`] finite numbers.
    pub fn parse(text: &str) -> Option<Network> {
        let numbers: Option<Vec<f32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let numbers = numbers.filter(|numbers| numbers.iter().all(|x| x.is_finite()))?;
        Some(Network(Box::new(numbers.try_into().ok()?)))
    }

    /// The parameters as [`Network::parse`] reads them, eight a line.
    pub fn to_text(&self) -> String {
        let line = |row: &[f32]| row.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>().join(" ") + "\n";
        self.0.chunks(8).map(line).collect()
    }

    /// The network that is built in, trained as `docs/paodekuai.md` tells.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::parse(include_str!("weights.txt"));
            debug_assert!(network.is_some(), "the weights are as many as the network has parameters");
            Arc::new(network.unwrap_or_else(|| Network(Box::new([0.0; PARAMETERS]))))
        });
        Arc::clone(&NETWORK)
    }

    /// What the position adds to each hidden unit, its bias included.
    pub(super) fn base(&self, state: &[f32; STATE_FEATURES]) -> [f32; HIDDEN] {
        let mut sums = [0.0; HIDDEN];
        sums.copy_from_slice(&self.0[BIAS..OUTPUT]);
        add_rows(&self.0[..STATE_FEATURES * HIDDEN], state, &mut sums);
        sums
    }

    /// The hidden units before they are rectified, and the score.
    pub(super) fn forward(&self, base: &[f32; HIDDEN], action: &[f32; ACTION_FEATURES]) -> ([f32; HIDDEN], f32) {
        let mut hidden = *base;
        add_rows(&self.0[STATE_FEATURES * HIDDEN..BIAS], action, &mut hidden);
        (hidden, output(&self.0[OUTPUT..], &hidden))
    }

    /// The score of each action of the seat to move; probabilities are a softmax over them.
    pub fn scores(&self, rules: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        let scene = Scene::new(rules, state);
        let base = self.base(&scene.features);
        let score = |&action: &Action| scene.action(action).map_or(OUT, |features| self.forward(&base, &features).1);
        out.clear();
        out.extend(actions.iter().map(score));
    }
}
