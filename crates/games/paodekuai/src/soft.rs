//! What the others' actions tell beyond proof (section 9.4): worlds weighted by how likely a model of the others plays as they did.

use kiebitz_core::{Rng, Seat};

use crate::belief::Belief;
use crate::model::{Model, ModelBuffer};
use crate::rules::Rules;
use crate::sampler::World;
use crate::state::{MAX_SEATS, State};

/// No action is thought less likely than this, so that one surprise does not decide everything.
const LEAST: f64 = 1e-3;
/// What the exponent is lowered by while too few worlds carry the weight.
const LOWER: f64 = 0.7;
/// Below this the exponent is taken for nothing.
const LEAST_BETA: f64 = 0.01;

/// How much is made of the others' actions.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftEvidence {
    /// How the others are thought to play.
    pub model: Model,
    /// The exponent of the likelihood; below 1 it guards against a wrong model.
    pub beta: f64,
    /// How many worlds are drawn, weighted, and drawn again by their weights.
    pub worlds: usize,
}

impl SoftEvidence {
    /// Evidence by this model, with the exponent a half and 256 worlds.
    pub fn new(model: Model) -> SoftEvidence {
        SoftEvidence { model, beta: 0.5, worlds: 256 }
    }
}

/// Worlds with weights.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedWorlds {
    /// The worlds, drawn or listed with everything that is proven.
    pub worlds: Vec<World>,
    /// Whether these are all that are possible, not a sample.
    pub complete: bool,
    /// Their weights; the sum is 1.
    pub weights: Vec<f64>,
    /// The exponent that was used: the one asked for, or a lower one.
    pub beta: f64,
    /// The effective sample size `1 / Σ w²`: how many equal weights would tell as much.
    pub ess: f64,
}

/// The logarithm of how likely the others played as they did if they hold these hands now; actions without an alternative do
/// not count.
pub fn log_likelihood(
    rules: &Rules,
    state: &State,
    belief: &Belief,
    hands: &[crate::cards::Cards; MAX_SEATS],
    model: &Model,
    buffer: &mut ModelBuffer,
) -> f64 {
    let mut sum = 0.0;
    for decision in belief.decisions() {
        let mut then = decision.state;
        let seat = then.to_move();
        let since = state.played(seat).minus(then.played(seat));
        then.set_hand(seat, hands[usize::from(seat)].plus(since));
        if let Some(p) = model.probability(rules, &then, decision.action, buffer) {
            sum += libm::log(p.max(LEAST));
        }
    }
    sum
}

/// Draws worlds for a seat and weighs them; `None` where there is nothing to weigh them by.
pub fn weigh(
    rules: &Rules,
    state: &State,
    seat: Seat,
    belief: &Belief,
    soft: &SoftEvidence,
    rng: &mut Rng,
) -> Option<WeightedWorlds> {
    belief.decisions().next()?;
    let sampler = belief.sampler(rules, state, seat);
    let listed = sampler.few(rules, soft.worlds);
    let complete = listed.is_some();
    let (worlds, priors): (Vec<World>, Vec<f64>) = match listed {
        Some(listed) => listed.into_iter().unzip(),
        None => (0..soft.worlds.max(1)).map(|_| (sampler.draw(rules, rng), 1.0)).unzip(),
    };
    let mut buffer = ModelBuffer::default();
    let logs: Vec<f64> = worlds
        .iter()
        .map(|world| log_likelihood(rules, state, belief, &world.hands, &soft.model, &mut buffer))
        .collect();
    let best = logs.iter().copied().fold(f64::MIN, f64::max);
    let weigh = |beta: f64| {
        let mut weights: Vec<f64> =
            logs.iter().zip(&priors).map(|(log, prior)| prior * libm::exp(beta * (log - best))).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        let ess = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        (weights, ess)
    };
    // Of listed worlds even the unweighted ones may count as fewer.
    let enough = (weigh(0.0).1 / 10.0).max(1.0);
    let mut beta = soft.beta;
    let (mut weights, mut ess) = weigh(beta);
    while ess < enough && beta > 0.0 {
        beta = if beta * LOWER < LEAST_BETA { 0.0 } else { beta * LOWER };
        (weights, ess) = weigh(beta);
    }
    Some(WeightedWorlds { worlds, complete, weights, beta, ess })
}

impl WeightedWorlds {
    /// `number` worlds in proportion to the weights, by systematic resampling: each comes up its expected number of times, rounded
    /// down or up.
    pub fn resample(&self, number: usize, rng: &mut Rng) -> Vec<World> {
        let mut drawn = Vec::with_capacity(number);
        let (start, mut sum) = (rng.unit(), 0.0);
        for (world, weight) in self.worlds.iter().zip(&self.weights) {
            sum += weight * number as f64;
            while drawn.len() < number && (drawn.len() as f64 + start) < sum {
                drawn.push(*world);
            }
        }
        while drawn.len() < number {
            match self.worlds.last() {
                Some(world) => drawn.push(*world),
                None => break,
            }
        }
        drawn
    }
}
