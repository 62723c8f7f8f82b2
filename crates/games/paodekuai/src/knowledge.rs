//! What Pao De Kuai tells a search: playouts, priors and reasons.

use kiebitz_core::{Estimate, Game, Knowledge, Outcome, Reason, Rng, Scratch, Seen, Settings, SpecError, Trace, Turn};
use serde_json::{Map, Value};

use crate::action::Action;
use crate::explain;
use crate::game::PaoDeKuai;
use crate::heavy::{HeavyPolicy, softmax};
use crate::light::LightPolicy;
use crate::state::Phase;

/// How playouts are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// By [`LightPolicy`].
    #[default]
    Light,
    /// By [`HeavyPolicy`].
    Heavy,
    /// Uniformly over the legal actions.
    Random,
}

/// The knowledge of Pao De Kuai that is built in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PaoDeKuaiKnowledge {
    /// How playouts are played.
    pub policy: PlayoutPolicy,
    /// The light policy.
    pub light: LightPolicy,
    /// The heavy policy; its scores are the priors, whatever the policy of playouts.
    pub heavy: HeavyPolicy,
}

/// The temperature of priors.
const PRIOR_TEMPERATURE: f32 = 0.7;

/// What a thread keeps between playouts.
#[derive(Debug, Default)]
pub struct PaoDeKuaiBuffer {
    scores: Vec<f32>,
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
        let pick = match self.policy {
            PlayoutPolicy::Light => return self.light.choose(rules, state, rng, actions),
            PlayoutPolicy::Heavy => {
                state.actions(rules, actions);
                self.heavy.choose(rules, state, actions, rng, &mut buffer.scores)
            }
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

    /// `playouts=light|heavy|random`, and `bomb`, the light policy's probability of a bomb that it need not play.
    fn read(&self, settings: &mut Settings) -> Result<Self, SpecError> {
        let policy = match settings.choice("playouts", &["light", "heavy", "random"])? {
            "heavy" => PlayoutPolicy::Heavy,
            "random" => PlayoutPolicy::Random,
            _ => PlayoutPolicy::Light,
        };
        let bomb = settings.number("bomb", self.light.bomb, 0.0, 1.0)?;
        Ok(PaoDeKuaiKnowledge { policy, light: LightPolicy { bomb, ..self.light }, ..*self })
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

    /// A softmax over the scores of the heavy policy.
    fn prior(&self, game: &PaoDeKuai, actions: &[Action], out: &mut [f32]) {
        if !matches!(game.turn(), Turn::Seat(_)) {
            return out.fill(1.0 / actions.len() as f32);
        }
        let mut scores = Vec::with_capacity(actions.len());
        self.heavy.scores(&game.rules, &game.state, actions, &mut scores);
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        softmax(&mut scores, best, PRIOR_TEMPERATURE);
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
        explain::reasons(seen, action, rng)
    }

    fn details(
        &self,
        seen: &Seen<PaoDeKuai>,
        rng: &mut Rng,
        _: &mut Scratch<PaoDeKuai, PaoDeKuaiBuffer>,
    ) -> Map<String, Value> {
        explain::details(seen, rng)
    }

    fn null_action(&self, game: &PaoDeKuai) -> Option<Action> {
        game.is_legal(Action::PASS).then_some(Action::PASS)
    }
}
