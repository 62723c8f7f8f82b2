//! The light policy of section 11.2: plays by simple rules, chosen without a list of all plays wherever that is possible.

use kiebitz_core::Rng;

use crate::action::Action;
use crate::cards::{Cards, RUNNING, above, bit, bits, highest, lowest, run, runs};
use crate::reading::Class;
use crate::rules::Rules;
use crate::state::State;

/// How the light policy plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightPolicy {
    /// How likely it uses a bomb where only a bomb beats and it may pass.
    pub bomb: f64,
    /// It always bombs there when an opponent has so few cards.
    pub few_cards: u8,
}

impl Default for LightPolicy {
    fn default() -> Self {
        LightPolicy { bomb: 0.2, few_cards: 2 }
    }
}

/// Ranks of which some cards, but not all, are left after a play.
fn splits(hand: Cards, play: Cards) -> u32 {
    let left = Cards(hand.0 - play.0);
    (play.ge1() & left.ge1()).count_ones()
}

impl LightPolicy {
    /// The action of the seat to move, whose hand must be known. `buffer` is scratch.
    ///
    /// Leading: all cards if they are one play, else the lowest single or pair. Following: all cards if they beat, else the
    /// lowest play of the same kind that splits the fewest ranks; a bomb where nothing else beats, if it must or by chance.
    pub fn choose(&self, rules: &Rules, state: &State, rng: &mut Rng, buffer: &mut Vec<Action>) -> Action {
        let situation = state.situation(rules);
        let hand = situation.hand;
        let Some(trick) = situation.trick else {
            if state.read(rules, hand).is_some() {
                return Action::play(hand);
            }
            return self.lead(rules, state, buffer);
        };
        let bombs = rules.can_bomb(hand, &trick);
        if !rules.can_beat_without_bomb(hand, &trick) {
            if !bombs {
                return Action::PASS;
            }
            let options = rules.options();
            let forced = options.must_beat && options.must_beat_bombs;
            let close = || {
                (0..rules.players()).any(|seat| {
                    seat != state.to_move() && !state.is_out(seat) && state.hand_len(seat) <= self.few_cards
                })
            };
            if !(forced || close() || rng.chance(self.bomb)) {
                return Action::PASS;
            }
            return Action::play(lowest_bomb(rules, hand, (trick.class == Class::Bomb).then_some(trick.key)));
        }
        if state.read(rules, hand).is_some() {
            return Action::play(hand);
        }
        let whole = rules.whole_ranks(hand);
        let low = trick.key + 1 - trick.size;
        let best = match trick.class {
            Class::Single if situation.highest_single => bit(highest(hand.ge1() & !whole)),
            Class::Single => {
                let ranks = hand.ge1() & !whole & above(trick.key);
                let alone = ranks & !hand.ge2();
                bit(lowest(if alone != 0 { alone } else { ranks }))
            }
            Class::Pair => {
                let ranks = hand.ge2() & !whole & above(trick.key);
                let alone = ranks & !hand.ge3();
                2 * bit(lowest(if alone != 0 { alone } else { ranks }))
            }
            Class::Straight | Class::Pairrun => {
                let (ranks, each) = if trick.class == Class::Straight { (hand.ge1(), 1) } else { (hand.ge2(), 2) };
                let lows = runs(ranks & !whole & RUNNING, trick.size) & above(low);
                let plays = bits(lows).map(|unit| run(trick.size) * unit * each);
                plays.min_by_key(|&play| splits(hand, Cards(play))).unwrap_or(0)
            }
            Class::Tri | Class::Quad | Class::Bomb => {
                rules.plays(&situation, buffer);
                return self.lowest_of(rules, state, buffer);
            }
        };
        Action::play(Cards(best))
    }

    /// Of a list of plays on a triple or a four the one that splits least, then the lowest one; bombs last.
    fn lowest_of(&self, rules: &Rules, state: &State, plays: &[Action]) -> Action {
        let hand = state.situation(rules).hand;
        let order = |play: &&Action| {
            let reading = state.read(rules, play.cards());
            let bomb = reading.is_none_or(|reading| reading.class == Class::Bomb);
            // High kickers are the high bits of the code.
            (bomb, splits(hand, play.cards()), reading.map_or(0, |reading| reading.key), **play)
        };
        plays.iter().min_by_key(order).copied().unwrap_or(Action::PASS)
    }

    fn lead(&self, rules: &Rules, state: &State, buffer: &mut Vec<Action>) -> Action {
        let situation = state.situation(rules);
        let hand = situation.hand;
        let mut ranks = hand.ge1() & !rules.whole_ranks(hand);
        if let Some(rank) = situation.must_include {
            ranks &= bit(rank);
        }
        if ranks == 0 {
            // Only bombs that may not be split.
            rules.plays(&situation, buffer);
            return buffer.first().copied().unwrap_or(Action::PASS);
        }
        let pairs = ranks & hand.ge2();
        let single = if situation.highest_single { highest(ranks) } else { lowest(ranks) };
        if pairs != 0 && lowest(pairs) <= single {
            return Action::play(Cards(2 * bit(lowest(pairs))));
        }
        Action::play(Cards(bit(single)))
    }
}

fn lowest_bomb(rules: &Rules, hand: Cards, key: Option<u8>) -> Cards {
    let ranks = rules.bomb_ranks(hand) & key.map_or(u64::MAX, above);
    let rank = lowest(ranks);
    Cards::of(rank, hand.count(rank))
}
