//! The heavy policy of section 11.4: few plays left, control kept, plays that nobody can beat.

use kiebitz_core::{Rng, Seat};

use crate::action::Action;
use crate::cards::Cards;
use crate::plan::{estimated_plays, might_beat};
use crate::reading::Class;
use crate::rules::Rules;
use crate::state::State;

/// How the heavy policy weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyPolicy {
    /// What a play is worth that nobody can beat, in plays.
    pub control: f32,
    /// What an ace costs that is given away; a two costs half as much again, a king a third.
    pub high: f32,
    /// What a bomb costs.
    pub bomb: f32,
    /// The temperature of choices; 0 for the best one.
    pub temperature: f32,
}

impl Default for HeavyPolicy {
    fn default() -> Self {
        HeavyPolicy { control: 0.9, high: 0.45, bomb: 0.9, temperature: 0.0 }
    }
}

/// The cards that the others may hold, as the seat to move sees it: neither in its hand nor played.
pub(crate) fn unseen_by(rules: &Rules, state: &State, seat: Seat) -> Cards {
    let played = (0..rules.players()).fold(0, |sum, other| sum + state.played(other).code());
    let own = state.hand(seat).unwrap_or_default();
    Cards(rules.deck_counts().code() - own.code() - played)
}

impl HeavyPolicy {
    /// The score of each action, in plays, the higher the better. Reads only what the seat to move sees.
    pub fn scores(&self, rules: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        out.clear();
        let me = state.to_move();
        let hand = state.hand(me).unwrap_or_default();
        let unseen = unseen_by(rules, state, me);
        let others = (0..rules.players()).filter(|&seat| seat != me && !state.is_out(seat));
        let (shortest, longest) =
            others.map(|seat| state.hand_len(seat)).fold((52, 0), |(s, l), n| (n.min(s), n.max(l)));
        let before = estimated_plays(rules, hand);
        for action in actions {
            if action.is_pass() {
                // Passing keeps the hand and gives the lead away.
                out.push(-before - if shortest <= 2 { 1.0 } else { 0.1 });
                continue;
            }
            let cards = action.cards();
            if cards == hand {
                out.push(100.0);
                continue;
            }
            let Some(reading) = state.read(rules, cards) else {
                out.push(-100.0);
                continue;
            };
            let rest = Cards(hand.0 - cards.0);
            let mut score = -estimated_plays(rules, rest);
            let is_bomb = reading.class == Class::Bomb;
            let locked = !might_beat(rules, unseen, longest, &reading);
            if locked {
                score += self.control;
            }
            if is_bomb {
                score -= self.bomb;
            } else {
                let aces = f32::from(cards.count(11));
                let twos = f32::from(cards.count(12));
                let kings = f32::from(cards.count(10));
                let price = aces + 1.5 * twos + kings / 3.0;
                score -= self.high * price * if locked { 0.5 } else { 1.0 };
            }
            // Do not lead what a short hand may beat with its last cards.
            if state.trick().is_none() && cards.len() == shortest && shortest <= 2 && !locked {
                score -= 0.8;
            }
            score += 0.02 * f32::from(cards.len()) - 0.015 * f32::from(reading.key);
            out.push(score);
        }
    }

    /// An index into `actions`, which is not empty.
    pub fn choose(
        &self,
        rules: &Rules,
        state: &State,
        actions: &[Action],
        rng: &mut Rng,
        scores: &mut Vec<f32>,
    ) -> usize {
        if actions.len() == 1 {
            return 0;
        }
        self.scores(rules, state, actions, scores);
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        if self.temperature <= 0.0 {
            return scores.iter().position(|&score| score == best).unwrap_or(0);
        }
        softmax(scores, best, self.temperature);
        let mut u = rng.unit() as f32 * scores.iter().sum::<f32>();
        for (place, &weight) in scores.iter().enumerate() {
            u -= weight;
            if u < 0.0 {
                return place;
            }
        }
        actions.len() - 1
    }
}

/// Turns scores into weights `exp((score - best) / temperature)`; `libm`, for the result may decide.
pub(crate) fn softmax(scores: &mut [f32], best: f32, temperature: f32) {
    for score in scores {
        *score = libm::expf((*score - best) / temperature);
    }
}
