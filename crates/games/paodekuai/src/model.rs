//! Models of how the other seats play: for their part of playouts, and for what their actions tell of their cards.

use std::fmt;
use std::sync::Arc;

use kiebitz_core::Rng;

use crate::action::Action;
use crate::heavy::{HeavyPolicy, softmax};
use crate::learned::LearnedModel;
use crate::light::LightPolicy;
use crate::rules::Rules;
use crate::state::State;

/// Buffers of a model, so that asking it does not allocate.
#[derive(Debug, Default)]
pub struct ModelBuffer {
    /// Legal actions.
    pub actions: Vec<Action>,
    /// Their weights.
    pub weights: Vec<f32>,
}

/// How a seat is thought to play: a distribution over the legal actions of the seat to move. A model reads the hand of that seat
/// and what is public, and nothing else: the other hands may be unknown.
pub trait OpponentModel: fmt::Debug + Send + Sync {
    /// Its name, as in player specs.
    fn name(&self) -> &str;

    /// Clears `out`, then writes how likely each of `actions` is, in any common scale: all legal actions of the seat to move.
    fn weights(&self, rules: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>);

    /// Draws an action of the seat to move.
    fn choose(&self, rules: &Rules, state: &State, rng: &mut Rng, buffer: &mut ModelBuffer) -> Action {
        state.actions(rules, &mut buffer.actions);
        if buffer.actions.len() > 1 {
            self.weights(rules, state, &buffer.actions, &mut buffer.weights);
            let mut u = rng.unit() as f32 * buffer.weights.iter().sum::<f32>();
            for (&action, &weight) in buffer.actions.iter().zip(&buffer.weights) {
                u -= weight;
                if u < 0.0 {
                    return action;
                }
            }
        }
        buffer.actions.last().copied().unwrap_or(Action::PASS)
    }

    /// How likely the seat to move plays `action`; `None` where it has nothing else to do.
    fn probability(&self, rules: &Rules, state: &State, action: Action, buffer: &mut ModelBuffer) -> Option<f64> {
        state.actions(rules, &mut buffer.actions);
        if buffer.actions == [action] {
            return None;
        }
        let Ok(place) = buffer.actions.binary_search(&action) else { return Some(0.0) };
        self.weights(rules, state, &buffer.actions, &mut buffer.weights);
        let sum: f64 = buffer.weights.iter().map(|&weight| f64::from(weight)).sum();
        Some(f64::from(buffer.weights.get(place).copied().unwrap_or(0.0)) / sum.max(f64::MIN_POSITIVE))
    }
}

/// Every legal action is equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomModel;

impl OpponentModel for RandomModel {
    fn name(&self) -> &str {
        "random"
    }

    fn weights(&self, _: &Rules, _: &State, actions: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.resize(actions.len(), 1.0);
    }
}

/// The light policy with slips: with probability `slip` any legal action.
#[derive(Clone, Copy, Debug)]
pub struct RuleModel {
    /// The policy.
    pub light: LightPolicy,
    /// How often something else is played.
    pub slip: f32,
}

impl Default for RuleModel {
    fn default() -> Self {
        RuleModel { light: LightPolicy::default(), slip: 0.25 }
    }
}

impl OpponentModel for RuleModel {
    fn name(&self) -> &str {
        "rule"
    }

    fn weights(&self, rules: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.resize(actions.len(), self.slip / actions.len() as f32);
        // Chance enters the policy only where a bomb or a pass is all there is.
        for (bomb, share) in [(1.0, self.light.bomb), (0.0, 1.0 - self.light.bomb)] {
            let light = LightPolicy { bomb, ..self.light };
            let choice = light.choose(rules, state, &mut Rng::new(0), &mut Vec::new());
            if let Ok(place) = actions.binary_search(&choice) {
                out[place] += (1.0 - self.slip) * share as f32;
            }
        }
    }

    /// Without a list of actions unless the policy slips: playouts ask often.
    fn choose(&self, rules: &Rules, state: &State, rng: &mut Rng, buffer: &mut ModelBuffer) -> Action {
        if rng.chance(f64::from(self.slip)) {
            state.actions(rules, &mut buffer.actions);
            if !buffer.actions.is_empty() {
                return buffer.actions[rng.below(buffer.actions.len())];
            }
        }
        self.light.choose(rules, state, rng, &mut buffer.actions)
    }
}

/// A player with a memory for cards: a softmax over the scores of the heavy policy, which knows what is still out.
#[derive(Clone, Copy, Debug)]
pub struct MemoryModel {
    /// The policy whose scores count.
    pub heavy: HeavyPolicy,
    /// The temperature of the softmax, in plays.
    pub temperature: f32,
}

impl Default for MemoryModel {
    fn default() -> Self {
        MemoryModel { heavy: HeavyPolicy::default(), temperature: 0.5 }
    }
}

impl OpponentModel for MemoryModel {
    fn name(&self) -> &str {
        "memory"
    }

    fn weights(&self, rules: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        self.heavy.scores(rules, state, actions, out);
        let best = out.iter().copied().fold(f32::MIN, f32::max);
        softmax(out, best, self.temperature);
    }
}

/// A player with a memory who avoids risks: bombs and high cards are held back until somebody is nearly out, and then are not
/// spared.
#[derive(Clone, Copy, Debug)]
pub struct RiskModel {
    /// The player without that trait.
    pub memory: MemoryModel,
    /// With so many cards or fewer another seat is nearly out.
    pub key_cards: u8,
    /// How much dearer bombs and high cards are before.
    pub caution: f32,
}

impl Default for RiskModel {
    fn default() -> Self {
        RiskModel { memory: MemoryModel::default(), key_cards: 4, caution: 2.0 }
    }
}

impl OpponentModel for RiskModel {
    fn name(&self) -> &str {
        "risk"
    }

    fn weights(&self, rules: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        let me = state.to_move();
        let others = (0..rules.players()).filter(|&seat| seat != me && !state.is_out(seat));
        let key = others.map(|seat| state.hand_len(seat)).min().is_some_and(|least| least <= self.key_cards);
        let factor = if key { 0.0 } else { self.caution };
        let heavy = HeavyPolicy {
            bomb: self.memory.heavy.bomb * factor,
            high: self.memory.heavy.high * factor,
            ..self.memory.heavy
        };
        MemoryModel { heavy, ..self.memory }.weights(rules, state, actions, out);
    }
}

/// A model that is shared by threads. Two are equal when their names are.
#[derive(Clone, Debug)]
pub struct Model(Arc<dyn OpponentModel>);

impl Model {
    /// The names of the models that are built in.
    pub const NAMES: [&'static str; 5] = ["random", "rule", "memory", "risk", "learned"];

    /// Takes any model.
    pub fn new(model: impl OpponentModel + 'static) -> Model {
        Model(Arc::new(model))
    }

    /// A model that is built in; `None` when none has this name.
    pub fn named(name: &str) -> Option<Model> {
        Some(match name {
            "random" => Model::new(RandomModel),
            "rule" => Model::new(RuleModel::default()),
            "memory" => Model::new(MemoryModel::default()),
            "risk" => Model::new(RiskModel::default()),
            "learned" => Model::new(LearnedModel::default()),
            _ => return None,
        })
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.name() == other.name()
    }
}

impl std::ops::Deref for Model {
    type Target = dyn OpponentModel;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
