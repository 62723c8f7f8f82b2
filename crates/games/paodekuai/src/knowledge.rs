//! What Pao De Kuai tells a search: playouts, priors and reasons.

use kiebitz_core::{
    Estimate, Game, Knowledge, Outcome, Payoff, Proven, Reason, Rng, Scratch, Seen, Settings, SpecError, Trace, Turn,
};
use serde_json::{Map, Value};

use crate::action::Action;
use crate::explain;
use crate::game::PaoDeKuai;
use crate::heavy::{HeavyPolicy, softmax};
use crate::learned::LearnedModel;
use crate::light::LightPolicy;
use crate::model::{Model, ModelBuffer, OpponentModel};
use crate::proof::{ProofEffort, proven_wins};
use crate::reward::{Reward, RewardKind};
use crate::soft::{SoftEvidence, weigh};
use crate::state::Phase;

/// How playouts are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// By [`LightPolicy`].
    #[default]
    Light,
    /// By [`HeavyPolicy`].
    Heavy,
    /// By [`LearnedModel`].
    Learned,
    /// Uniformly over the legal actions.
    Random,
}

/// The knowledge of Pao De Kuai that is built in.
#[derive(Clone, Debug, PartialEq)]
pub struct PaoDeKuaiKnowledge {
    /// How playouts are played.
    pub policy: PlayoutPolicy,
    /// The light policy.
    pub light: LightPolicy,
    /// The heavy policy; its scores are the priors, whatever the policy of playouts, unless `learned_priors` is set.
    pub heavy: HeavyPolicy,
    /// The policy that was learned from self-play.
    pub learned: LearnedModel,
    /// Whether priors are what was learned.
    pub learned_priors: bool,
    /// What searches maximise.
    pub reward: Reward,
    /// How much is looked at for a proof of a win; `None` for none at all.
    pub proofs: Option<ProofEffort>,
    /// How the others play in the playouts of a search; `None` for the policy of playouts.
    pub opponents: Option<Model>,
    /// What is made of the others' actions beyond proof; `None` for nothing.
    pub evidence: Option<SoftEvidence>,
}

impl Default for PaoDeKuaiKnowledge {
    fn default() -> Self {
        PaoDeKuaiKnowledge {
            policy: PlayoutPolicy::Light,
            light: LightPolicy::default(),
            heavy: HeavyPolicy::default(),
            learned: LearnedModel::default(),
            learned_priors: false,
            reward: Reward::default(),
            proofs: Some(ProofEffort::default()),
            opponents: None,
            evidence: None,
        }
    }
}

/// The temperature of priors.
const PRIOR_TEMPERATURE: f32 = 0.7;

/// What a thread keeps between playouts.
#[derive(Debug, Default)]
pub struct PaoDeKuaiBuffer {
    scores: Vec<f32>,
    model: ModelBuffer,
}

impl PaoDeKuaiKnowledge {
    fn choose(
        &self,
        game: &PaoDeKuai,
        rng: &mut Rng,
        actions: &mut Vec<Action>,
        buffer: &mut PaoDeKuaiBuffer,
    ) -> Action {
        let (rules, state) = (&*game.rules, &game.state);
        if let (Some(model), Some(frame)) = (&self.opponents, rules.frame())
            && state.to_move() != frame.seat
        {
            return model.choose(rules, state, rng, &mut buffer.model);
        }
        let pick = match self.policy {
            PlayoutPolicy::Light => return self.light.choose(rules, state, rng, actions),
            PlayoutPolicy::Heavy => {
                state.actions(rules, actions);
                self.heavy.choose(rules, state, actions, rng, &mut buffer.scores)
            }
            PlayoutPolicy::Learned => return self.learned.choose(rules, state, rng, &mut buffer.model),
            PlayoutPolicy::Random => {
                state.actions(rules, actions);
                rng.below(actions.len())
            }
        };
        actions.get(pick).copied().unwrap_or(Action::PASS)
    }
}

impl Knowledge<PaoDeKuai> for PaoDeKuaiKnowledge {
    type Buffer = PaoDeKuaiBuffer;

    /// `playouts=light|heavy|learned|random`; `bomb`, the light policy's probability of a bomb that it need not play;
    /// `temperature` of the learned policy, 0 for its best action; `priors=heavy|learned`; what the search
    /// maximises: `reward=score|win|speed|mixed`, `lambda` (the weight of winning in `mixed`, default 0.5) and `thrift` (default 0),
    /// see [`Reward`]; `proofs=on|off`, whether a proven win is always played; `opponents=playouts|random|rule|memory|risk|learned`,
    /// how the others play in playouts; `evidence=proofs|random|rule|memory|risk|learned`, the model by which the others' actions
    /// tell of their cards (`proofs`: only what is proven), with `beta` (the exponent of the likelihood, default 0.5) and `worlds`
    /// (how many are weighted, default 256).
    fn read(&self, settings: &mut Settings) -> Result<Self, SpecError> {
        let policy = match settings.choice("playouts", &["light", "heavy", "learned", "random"])? {
            "heavy" => PlayoutPolicy::Heavy,
            "learned" => PlayoutPolicy::Learned,
            "random" => PlayoutPolicy::Random,
            _ => PlayoutPolicy::Light,
        };
        let bomb = settings.number("bomb", self.light.bomb, 0.0, 1.0)?;
        let kind = match settings.choice("reward", &["score", "win", "speed", "mixed"])? {
            "win" => RewardKind::Win,
            "speed" => RewardKind::Speed,
            "mixed" => RewardKind::Mixed,
            _ => RewardKind::Score,
        };
        let reward = Reward {
            kind,
            lambda: settings.number("lambda", self.reward.lambda, 0.0, 1.0)?,
            thrift: settings.number("thrift", self.reward.thrift, 0.0, 1.0)?,
        };
        let proofs = settings.switch("proofs", true)?.then(|| self.proofs.unwrap_or_default());
        let learned_priors = settings.choice("priors", &["heavy", "learned"])? == "learned";
        let temperature = f64::from(self.learned.temperature);
        let temperature = settings.number("temperature", temperature, 0.0, 100.0)? as f32;
        let learned = LearnedModel { temperature, ..self.learned.clone() };
        let models = |first| [first, "random", "rule", "memory", "risk", "learned"];
        let opponents = Model::named(settings.choice("opponents", &models("playouts"))?);
        let model = Model::named(settings.choice("evidence", &models("proofs"))?);
        let beta = settings.number("beta", 0.5, 0.0, 4.0)?;
        let worlds = settings.integer("worlds", 256, 1, 100_000)? as usize;
        let evidence = model.map(|model| SoftEvidence { model, beta, worlds });
        let light = LightPolicy { bomb, ..self.light };
        Ok(PaoDeKuaiKnowledge {
            policy,
            light,
            reward,
            proofs,
            opponents,
            evidence,
            learned,
            learned_priors,
            ..self.clone()
        })
    }

    /// Plays to the end of the deal; the deals after it promise nothing to anyone.
    fn playout(
        &self,
        game: &mut PaoDeKuai,
        rng: &mut Rng,
        scratch: &mut Scratch<PaoDeKuai, PaoDeKuaiBuffer>,
        mut trace: Option<&mut Trace<Action>>,
    ) -> Outcome {
        while matches!(game.turn(), Turn::Chance(_)) {
            let action = game.sample(rng, &mut scratch.weighted);
            game.apply(action);
        }
        while game.state.phase() == Phase::Play {
            let action = self.choose(game, rng, &mut scratch.actions, &mut scratch.own);
            debug_assert!(game.is_legal(action), "the policy plays {action:?} in {:?}", game.state);
            if let Some(trace) = trace.as_deref_mut() {
                trace.push((game.state.to_move(), action));
            }
            game.state.apply(&game.rules, action);
        }
        Outcome::of(game)
    }

    fn pick(&self, game: &PaoDeKuai, actions: &[Action], rng: &mut Rng) -> usize {
        if !matches!(game.turn(), Turn::Seat(_)) {
            return rng.below(actions.len());
        }
        let action = self.choose(game, rng, &mut Vec::new(), &mut PaoDeKuaiBuffer::default());
        actions.binary_search(&action).unwrap_or(0)
    }

    /// A softmax over the scores of the heavy policy, or over those that were learned.
    fn prior(&self, game: &PaoDeKuai, actions: &[Action], out: &mut [f32]) {
        if !matches!(game.turn(), Turn::Seat(_)) {
            return out.fill(1.0 / actions.len() as f32);
        }
        let mut scores = Vec::with_capacity(actions.len());
        if self.learned_priors {
            self.learned.weights(&game.rules, &game.state, actions, &mut scores);
        } else {
            self.heavy.scores(&game.rules, &game.state, actions, &mut scores);
            let best = scores.iter().copied().fold(f32::MIN, f32::max);
            softmax(&mut scores, best, PRIOR_TEMPERATURE);
        }
        let sum: f32 = scores.iter().sum();
        for (place, score) in out.iter_mut().zip(&scores) {
            *place = score / sum;
        }
    }

    fn reasons(
        &self,
        seen: &Seen<PaoDeKuai>,
        action: Action,
        _: Option<Estimate>,
        rng: &mut Rng,
        _: &mut Scratch<PaoDeKuai, PaoDeKuaiBuffer>,
    ) -> Vec<Reason> {
        explain::reasons(seen, action, self.evidence.as_ref(), rng)
    }

    fn details(
        &self,
        seen: &Seen<PaoDeKuai>,
        rng: &mut Rng,
        _: &mut Scratch<PaoDeKuai, PaoDeKuaiBuffer>,
    ) -> Map<String, Value> {
        explain::details(seen, self.evidence.as_ref(), rng)
    }

    /// The reward, fixed at the root; nothing comes after the deal. With soft evidence, worlds drawn by it.
    fn frame(&self, root: &Seen<PaoDeKuai>, rng: &mut Rng) -> Option<Seen<PaoDeKuai>> {
        let seat = root.seat();
        if root.sample_world().turn() != Turn::Seat(seat) {
            return None;
        }
        Some(root.changed(|world, belief| {
            *world = world.framed(seat, self.reward);
            let Some(soft) = &self.evidence else { return };
            let (rules, state) = (world.rules(), world.state());
            let mut actions = Vec::new();
            state.actions(rules, &mut actions);
            if actions.len() < 2 {
                return;
            }
            if let Some(weighted) = weigh(rules, state, seat, belief, soft, rng) {
                let worlds = weighted.resample(soft.worlds, rng);
                belief.draw_from(rules, state, seat, worlds);
            }
        }))
    }

    fn proven(&self, root: &Seen<PaoDeKuai>) -> Vec<Proven<Action>> {
        let Some(effort) = &self.proofs else { return Vec::new() };
        let exact = self.reward.kind == RewardKind::Win && self.reward.thrift == 0.0;
        let mut won = Payoff::uniform(root.meta().players, 0.0);
        won.set(root.seat(), 1.0);
        let wins = proven_wins(root, effort).into_iter();
        wins.map(|win| Proven { action: win.action, utility: exact.then_some(won) }).collect()
    }

    fn null_action(&self, game: &PaoDeKuai) -> Option<Action> {
        game.is_legal(Action::PASS).then_some(Action::PASS)
    }
}
