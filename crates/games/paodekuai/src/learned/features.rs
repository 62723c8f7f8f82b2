//! What the network reads: numbers about a position and about each action, from the hand of the seat to move and what is public.

use kiebitz_core::Seat;

use crate::action::Action;
use crate::cards::{Cards, LOW, RankMask, above, bit, highest, lowest};
use crate::heavy::unseen_by;
use crate::plan::{estimated_plays, might_beat};
use crate::reading::Class;
use crate::rules::Rules;
use crate::state::State;

/// Numbers about the position, the same for all actions.
pub const STATE_FEATURES: usize = 12;
/// Numbers about an action.
pub const ACTION_FEATURES: usize = 24;

/// A decision as the network sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// About the position: a lead; plays the hand needs; cards held, by the next seat, by the shortest of the others; whether the
    /// next seat holds one card, whether the shortest other seat holds one, at most two, at most four; own cards that no unseen
    /// single beats; unseen aces and twos; whether the next seat's play is on top of the trick.
    pub state: [f32; STATE_FEATURES],
    /// About each action: a pass; plays the rest needs and whether it is one; whether nobody can beat it; a bomb; kings, aces and
    /// twos given away; key; cards; ranks split; a lead that a nearly empty hand might beat with its last cards; a single, a pair,
    /// a triple, a run; how much unseen beats it; of the rest: loose singles, cards that no unseen single beats, bombs, the lowest
    /// rank, pairs, triples; whether nobody can beat it and the rest is one play. `None` for a play that empties the hand.
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
pub(super) struct Scene<'a> {
    rules: &'a Rules,
    state: &'a State,
    hand: Cards,
    unseen: Cards,
    /// Ranks above which nothing is unseen.
    top: RankMask,
    shortest: u8,
    longest: u8,
    before: f32,
    pub(super) features: [f32; STATE_FEATURES],
}

fn flag(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}

fn count(mask: RankMask) -> f32 {
    mask.count_ones() as f32
}

/// The cards of these ranks.
fn within(cards: Cards, ranks: RankMask) -> f32 {
    f32::from(Cards(cards.code() & (ranks * 7)).len())
}

impl<'a> Scene<'a> {
    pub(super) fn new(rules: &'a Rules, state: &'a State) -> Scene<'a> {
        let me = state.to_move();
        let players = rules.players();
        let hand = state.hand(me).unwrap_or_default();
        let unseen = unseen_by(rules, state, me);
        let others = || (0..players).filter(|&seat| seat != me && !state.is_out(seat));
        let next: Seat = (1..players).map(|step| (me + step) % players).find(|&seat| !state.is_out(seat)).unwrap_or(me);
        let lengths = others().map(|seat| state.hand_len(seat));
        let (shortest, longest) = lengths.fold((52, 0), |(s, l), n| (n.min(s), n.max(l)));
        let beyond = others().filter(|&seat| seat != next).map(|seat| state.hand_len(seat)).min();
        let top = if unseen.is_empty() { LOW } else { above(highest(unseen.code())) | bit(highest(unseen.code())) };
        let before = estimated_plays(rules, hand);
        let features = [
            flag(state.trick().is_none()),
            before / 8.0,
            f32::from(hand.len()) / 16.0,
            f32::from(state.hand_len(next)) / 16.0,
            f32::from(beyond.unwrap_or(state.hand_len(next))) / 16.0,
            flag(state.hand_len(next) == 1),
            flag(shortest == 1),
            flag(shortest <= 2),
            flag(shortest <= 4),
            within(hand, top) / 4.0,
            f32::from(unseen.count(11) + unseen.count(12)) / 4.0,
            flag(state.trick().is_some_and(|(_, _, owner)| owner == next)),
        ];
        Scene { rules, state, hand, unseen, top, shortest, longest, before, features }
    }

    /// The features of an action; `None` for a play that empties the hand, and for what is no legal action.
    pub(super) fn action(&self, action: Action) -> Option<[f32; ACTION_FEATURES]> {
        let mut features = [0.0; ACTION_FEATURES];
        let (rest, plays, locked);
        if action.is_pass() {
            (rest, plays, locked) = (self.hand, self.before, false);
            features[0] = 1.0;
        } else {
            let cards = action.cards();
            if cards == self.hand {
                return None;
            }
            let reading = self.state.read(self.rules, cards)?;
            rest = self.hand.minus(cards);
            plays = estimated_plays(self.rules, rest);
            locked = !might_beat(self.rules, self.unseen, self.longest, &reading);
            let lead = self.state.trick().is_none();
            features[4] = flag(reading.class == Class::Bomb);
            features[5] = f32::from(cards.count(10)) / 2.0;
            features[6] = f32::from(cards.count(11)) / 2.0;
            features[7] = f32::from(cards.count(12)) / 2.0;
            features[8] = f32::from(reading.key) / 12.0;
            features[9] = f32::from(cards.len()) / 8.0;
            features[10] = count(cards.ge1() & rest.ge1()) / 4.0;
            features[11] = flag(lead && !locked && self.shortest <= 2 && cards.len() == self.shortest);
            let kind = match reading.class {
                Class::Single => 12,
                Class::Pair => 13,
                Class::Tri | Class::Quad => 14,
                _ => 15,
            };
            features[kind] = flag(reading.class != Class::Bomb);
            features[16] = match reading.class {
                Class::Single => within(self.unseen, above(reading.key)) / 16.0,
                Class::Pair => count(self.unseen.ge2() & above(reading.key)) / 8.0,
                _ => 0.5 * flag(!locked),
            };
        }
        features[1] = plays / 8.0;
        features[2] = flag(plays <= 1.0);
        features[3] = flag(locked);
        features[17] = count(rest.ge1() & !rest.ge2() & !self.top) / 8.0;
        features[18] = within(rest, self.top) / 4.0;
        features[19] = count(self.rules.bomb_ranks(rest));
        features[20] = f32::from(lowest(rest.code())) / 12.0;
        features[21] = count(rest.ge2() & !rest.ge3()) / 8.0;
        features[22] = count(rest.ge3()) / 4.0;
        features[23] = flag(locked && plays <= 1.0);
        Some(features)
    }
}
