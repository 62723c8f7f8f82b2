//! A policy learned from self-play: a small network that scores each action of the seat to move, as AlphaGo's rollout policy does
//! for moves (Silver et al., "Mastering the game of Go with deep neural networks and tree search", Nature 529, 2016).
//!
//! `examples/selfplay.rs` writes games with what a search thought of every action, `examples/learn.rs` trains the network on them
//! ([`train`]) and writes the weights that are built in. The network reads what the seat to move sees and nothing else.

mod features;
mod network;
pub mod train;

use std::sync::Arc;

use kiebitz_core::Rng;

use crate::action::Action;
use crate::heavy::softmax;
use crate::model::{ModelBuffer, OpponentModel};
use crate::rules::Rules;
use crate::state::State;

pub use features::{ACTION_FEATURES, Features, STATE_FEATURES};
pub use network::{HIDDEN, Network, PARAMETERS};

/// The network as a model of the other seats, and as a policy of playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedModel {
    /// The network.
    pub network: Arc<Network>,
    /// Scores are divided by it: 1 is what was learned, less is surer.
    pub temperature: f32,
}

impl Default for LearnedModel {
    fn default() -> Self {
        LearnedModel { network: Network::built_in(), temperature: 1.0 }
    }
}

impl OpponentModel for LearnedModel {
    fn name(&self) -> &str {
        "learned"
    }

    fn weights(&self, rules: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        self.network.scores(rules, state, actions, out);
        let best = out.iter().copied().fold(f32::MIN, f32::max);
        softmax(out, best, self.temperature.max(0.01));
    }

    /// Without the network where there is no choice, or a play empties the hand.
    fn choose(&self, rules: &Rules, state: &State, rng: &mut Rng, buffer: &mut ModelBuffer) -> Action {
        state.actions(rules, &mut buffer.actions);
        let actions = buffer.actions.as_slice();
        // No code is greater than that of the whole hand.
        let last = actions.last().copied().unwrap_or(Action::PASS);
        if actions.len() < 2 || state.hand(state.to_move()) == Some(last.cards()) {
            return last;
        }
        self.weights(rules, state, actions, &mut buffer.weights);
        let mut u = rng.unit() as f32 * buffer.weights.iter().sum::<f32>();
        for (&action, &weight) in actions.iter().zip(&buffer.weights) {
            u -= weight;
            if u < 0.0 {
                return action;
            }
        }
        last
    }
}
