//! A policy learned from self-play: a small network that scores each action of the seat to move, as AlphaGo's rollout policy does
//! for moves (Silver et al., "Mastering the game of Go with deep neural networks and tree search", Nature 529, 2016).
//!
//! `examples/selfplay.rs` writes games with what a search thought of every action, `examples/learn.rs` trains the network on them
//! ([`train`]) and writes the weights that are built in. The network reads what the seat to move sees and nothing else.

pub mod train;

use std::sync::{Arc, LazyLock};

use kiebitz_core::Rng;

use crate::action::Action;
use crate::cards::Cards;
use crate::heavy::{softmax, unseen_by};
use crate::model::OpponentModel;
use crate::plan::{estimated_plays, might_beat};
use crate::reading::Class;
use crate::rules::Rules;
use crate::state::State;

/// Numbers about the position, the same for all actions.
pub const STATE_FEATURES: usize = 8;
/// Numbers about an action.
pub const ACTION_FEATURES: usize = 12;
/// Units of the hidden layer.
pub const HIDDEN: usize = 12;
const FEATURES: usize = STATE_FEATURES + ACTION_FEATURES;
/// Where the parts of the parameters begin: for each hidden unit its weights and its bias; the weights of the hidden units; direct
/// weights of the action's features.
const OUTPUT: usize = HIDDEN * (FEATURES + 1);
const DIRECT: usize = OUTPUT + HIDDEN;
/// How many parameters the network has.
pub const PARAMETERS: usize = DIRECT + ACTION_FEATURES;

/// The score of a play that empties the hand: nothing is better.
const OUT: f32 = 30.0;

/// A decision as the network sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// About the position: whether it is a lead, plays the hand needs, cards held, the shortest and the longest other hand, whether
    /// the shortest holds one or at most two cards, whether the next seat holds one.
    pub state: [f32; STATE_FEATURES],
    /// About each action: a pass, plays the rest needs and whether it is one, whether nobody can beat it, a bomb, kings, aces and
    /// twos given away, key, cards, ranks split, whether a nearly empty hand might beat a lead of this length. `None` for a
    /// play that empties the hand.
    pub actions: Vec<Option<[f32; ACTION_FEATURES]>>,
}

impl Features {
    /// Those of the seat to move, whose hand must be known.
    pub fn of(rules: &Rules, state: &State, actions: &[Action]) -> Features {
        let scene = Scene::new(rules, state);
        Features { state: scene.features, actions: actions.iter().map(|&action| scene.action(action)).collect() }
    }
}

/// What is worked out once for all actions.
struct Scene<'a> {
    rules: &'a Rules,
    state: &'a State,
    hand: Cards,
    unseen: Cards,
    shortest: u8,
    longest: u8,
    before: f32,
    features: [f32; STATE_FEATURES],
}

fn flag(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}

impl<'a> Scene<'a> {
    fn new(rules: &'a Rules, state: &'a State) -> Scene<'a> {
        let me = state.to_move();
        let hand = state.hand(me).unwrap_or_default();
        let others = (0..rules.players()).filter(|&seat| seat != me && !state.is_out(seat));
        let (shortest, longest) =
            others.map(|seat| state.hand_len(seat)).fold((52, 0), |(s, l), n| (n.min(s), n.max(l)));
        let before = estimated_plays(rules, hand);
        let features = [
            flag(state.trick().is_none()),
            before / 8.0,
            f32::from(hand.len()) / 16.0,
            f32::from(shortest) / 16.0,
            f32::from(longest) / 16.0,
            flag(shortest == 1),
            flag(shortest <= 2),
            flag(state.next_has_one(rules.players())),
        ];
        Scene { rules, state, hand, unseen: unseen_by(rules, state, me), shortest, longest, before, features }
    }

    fn action(&self, action: Action) -> Option<[f32; ACTION_FEATURES]> {
        let mut features = [0.0; ACTION_FEATURES];
        if action.is_pass() {
            (features[0], features[1]) = (1.0, self.before / 8.0);
            return Some(features);
        }
        let cards = action.cards();
        if cards == self.hand {
            return None;
        }
        let reading = self.state.read(self.rules, cards)?;
        let rest = self.hand.minus(cards);
        let plays = estimated_plays(self.rules, rest);
        let locked = !might_beat(self.rules, self.unseen, self.longest, &reading);
        let lead = self.state.trick().is_none();
        let risky = lead && !locked && self.shortest <= 2 && cards.len() == self.shortest;
        Some([
            0.0,
            plays / 8.0,
            flag(plays <= 1.0),
            flag(locked),
            flag(reading.class == Class::Bomb),
            f32::from(cards.count(10)) / 2.0,
            f32::from(cards.count(11)) / 2.0,
            f32::from(cards.count(12)) / 2.0,
            f32::from(reading.key) / 12.0,
            f32::from(cards.len()) / 8.0,
            (cards.ge1() & rest.ge1()).count_ones() as f32 / 4.0,
            flag(risky),
        ])
    }
}

/// One hidden layer of rectified units; the score of an action is their weighted sum and that of the action's own features.
#[derive(Clone, Debug, PartialEq)]
pub struct Network(Box<[f32; PARAMETERS]>);

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
    fn base(&self, state: &[f32; STATE_FEATURES]) -> [f32; HIDDEN] {
        std::array::from_fn(|unit| {
            let weights = &self.0[unit * (FEATURES + 1)..][..FEATURES + 1];
            let sum: f32 = weights.iter().zip(state).map(|(w, x)| w * x).sum();
            sum + weights[FEATURES]
        })
    }

    /// The hidden units before they are rectified, and the score.
    fn forward(&self, base: &[f32; HIDDEN], action: &[f32; ACTION_FEATURES]) -> ([f32; HIDDEN], f32) {
        let mut score: f32 = self.0[DIRECT..].iter().zip(action).map(|(w, x)| w * x).sum();
        let mut hidden = *base;
        for (unit, sum) in hidden.iter_mut().enumerate() {
            let weights = &self.0[unit * (FEATURES + 1) + STATE_FEATURES..][..ACTION_FEATURES];
            *sum += weights.iter().zip(action).map(|(w, x)| w * x).sum::<f32>();
            score += self.0[OUTPUT + unit] * sum.max(0.0);
        }
        (hidden, score)
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
        softmax(out, best, self.temperature);
    }
}
