//! How many plays a hand needs if nobody interferes: exactly (section 12.4), and a fast estimate.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::action::Action;
use crate::cards::{Cards, RUNNING, above, bits, run, runs};
use crate::generate::{Situation, kicker_sets};
use crate::options::BombPay;
use crate::reading::{Class, Reading};
use crate::rules::Rules;

/// The fewest plays that empty a hand, for hands of one set of rules; remembers what it has found.
#[derive(Debug)]
pub struct MinPlays<'a> {
    rules: &'a Rules,
    /// By hand, and whether the last play (which may be short) is still to come.
    known: FxHashMap<(Cards, bool), u8>,
    /// How many plays may still be looked at.
    left: u64,
}

impl<'a> MinPlays<'a> {
    /// A table for these rules.
    pub fn new(rules: &'a Rules) -> Self {
        MinPlays { rules, known: FxHashMap::default(), left: 0 }
    }

    /// The fewest plays that empty `hand` when every play is a lead. Takes milliseconds for 16 cards.
    pub fn of(&mut self, hand: Cards) -> u8 {
        self.within(hand, u64::MAX).unwrap_or(u8::MAX)
    }

    /// As [`MinPlays::of`], looking at no more than `looks` plays; `None` when that is not enough to be sure.
    pub fn within(&mut self, hand: Cards, looks: u64) -> Option<u8> {
        self.left = looks;
        self.fewest(hand, true)
    }

    /// `last`: the play that empties the hand is among those that are left. Every rank must go at some time, so only plays
    /// with the lowest rank are looked at; their order does not matter but for the last one. Bombs that may not be split stay
    /// whole in every order.
    fn fewest(&mut self, hand: Cards, last: bool) -> Option<u8> {
        let Some(low) = hand.lowest_rank() else { return Some(0) };
        if let Some(&known) = self.known.get(&(hand, last)) {
            return Some(known);
        }
        let rules = self.rules;
        let mut best = u8::MAX;
        if rules.lead_reading(hand, last).is_some() {
            best = 1;
        } else {
            let mut plays: Vec<Action> = Vec::new();
            rules.plays(&Situation { must_include: Some(low), ..Situation::lead(hand) }, &mut plays);
            let full = |cards: Cards| rules.lead_reading(cards, false).is_some();
            let mut plays: Vec<(Cards, bool)> =
                plays.iter().map(|play| play.cards()).filter(|&cards| full(cards)).map(|cards| (cards, last)).collect();
            if last {
                let short = short_plays(rules, hand).into_iter().filter(|cards| cards.count(low) > 0);
                plays.extend(short.map(|cards| (cards, false)));
            }
            plays.sort_by_key(|(cards, _)| std::cmp::Reverse(cards.len()));
            for (cards, last) in plays {
                // Not all at once, so at least two.
                if best == 2 {
                    break;
                }
                self.left = self.left.checked_sub(1)?;
                best = best.min(self.fewest(hand.minus(cards), last)?.saturating_add(1));
            }
        }
        self.known.insert((hand, last), best);
        Some(best)
    }
}

/// The plays that are only allowed as the last cards.
fn short_plays(rules: &Rules, hand: Cards) -> Vec<Cards> {
    let mut found = Vec::new();
    let n = hand.len();
    for size in 1..=n / 3 {
        let ranks = if size == 1 { hand.ge3() } else { hand.ge3() & RUNNING };
        for low in bits(runs(ranks, size)) {
            let body = 3 * run(size) * low;
            for kickers in 0..=(n - 3 * size).min(2 * size) {
                kicker_sets(Cards(hand.0 - body), kickers, false, body, &mut |code| {
                    let cards = Cards(code);
                    let short = rules.lead_reading(cards, true).is_some() && rules.lead_reading(cards, false).is_none();
                    if short && rules.keeps_bombs(hand, cards) {
                        found.push(cards);
                    }
                });
            }
        }
    }
    found
}

/// An estimate of the plays a hand needs: bombs, triples with their kickers, then straights and pair runs where they save plays,
/// then what is left. Never asks for memory.
pub fn estimated_plays(rules: &Rules, hand: Cards) -> f32 {
    let options = rules.options();
    let mut plays = 0;
    let bombs = rules.bomb_ranks(hand);
    plays += bombs.count_ones();
    let triples = hand.ge3() & !bombs;
    let mut rest = hand.0 & !((bombs | triples) * 7);
    // Rows of triples are one play, with two kickers a triple.
    let mut rows = triples & RUNNING;
    let mut capacity = 0u32;
    let most = (0..3).rev().find(|c| options.triple_kickers >> c & 1 == 1).unwrap_or(0);
    let mut single_triples = triples & !RUNNING;
    while rows != 0 {
        let low = rows & rows.wrapping_neg();
        let mut size = 1;
        while rows & (low << (3 * size)) != 0 {
            size += 1;
        }
        rows &= !(run(size as u8) * low);
        plays += 1;
        capacity += most * size;
    }
    while single_triples != 0 {
        single_triples &= single_triples - 1;
        plays += 1;
        capacity += most;
    }
    // Straights: each single in it is a play saved; pairs become singles.
    loop {
        let cards = Cards(rest);
        let (ones, singles) = (cards.ge1() & RUNNING, cards.ge1() & !cards.ge2() & RUNNING);
        let mut best = (1, 0);
        for size in options.straight_min..=12 {
            let lows = runs(ones, size);
            if lows == 0 {
                break;
            }
            for low in bits(lows) {
                let ranks = run(size) * low;
                let saved = (ranks & singles).count_ones();
                if saved > best.0 {
                    best = (saved, ranks);
                }
            }
        }
        if best.1 == 0 {
            break;
        }
        rest -= best.1;
        plays += 1;
    }
    // Pair runs.
    loop {
        let pairs = Cards(rest).ge2() & RUNNING;
        let mut best = 0;
        for size in options.pairrun_min..=12 {
            let lows = runs(pairs, size);
            if lows == 0 {
                break;
            }
            best = run(size) * (lows & lows.wrapping_neg());
        }
        if best == 0 {
            break;
        }
        rest -= 2 * best;
        plays += 1;
    }
    let left = Cards(rest);
    let pairs = left.ge2().count_ones();
    let singles = left.ge1().count_ones() - pairs;
    let absorbed = singles.min(capacity);
    let pair_room = (capacity - absorbed) / 2;
    (plays + singles - absorbed + pairs - pairs.min(pair_room)) as f32
}

/// Whether a hand of at most `longest` cards out of `unseen` might beat this: never wrong when it says no. Looks at counts of
/// ranks only, and believes that kickers are there.
pub fn might_beat(rules: &Rules, unseen: Cards, longest: u8, trick: &Reading) -> bool {
    let bomb_key = if trick.class == Class::Bomb { above(trick.key) } else { u64::MAX };
    let fours = unseen.eq4() & bomb_key != 0 && longest >= 4;
    let threes = unseen.ge3() & rules.triple_bombs() & bomb_key != 0 && longest >= 3;
    if fours || threes {
        return true;
    }
    let low = above(trick.key) >> (3 * u32::from(trick.size - 1));
    let fits = |each: u8| each * trick.size <= longest;
    match trick.class {
        Class::Bomb => false,
        Class::Single => unseen.ge1() & low != 0,
        Class::Pair => unseen.ge2() & low != 0 && fits(2),
        Class::Straight => runs(unseen.ge1() & RUNNING, trick.size) & low != 0 && fits(1),
        Class::Pairrun => runs(unseen.ge2() & RUNNING, trick.size) & low != 0 && fits(2),
        Class::Tri => {
            let ranks = if trick.size == 1 { unseen.ge3() } else { unseen.ge3() & RUNNING };
            runs(ranks, trick.size) & low != 0 && fits(3)
        }
        Class::Quad => unseen.eq4() & low != 0 && longest >= 4 + trick.kickers,
    }
}

/// Another seat as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rival {
    /// It holds no card that is not among these.
    pub most: Cards,
    /// How many it holds.
    pub length: u8,
}

/// Whether one of these seats might beat this: never wrong when it says no.
pub fn might_be_beaten(rules: &Rules, rivals: &[Rival], trick: &Reading) -> bool {
    rivals.iter().any(|rival| might_beat(rules, rival.most, rival.length, trick))
}

/// The plays, in order, with which the seat to lead is out for sure: each but the last cannot be beaten by any hand of at most
/// `longest` cards out of `unseen` (section 12.3). `None` when no such order is found within `limit` looks at hands.
pub fn sure_win(rules: &Rules, situation: &Situation, unseen: Cards, longest: u8, limit: u32) -> Option<Vec<Cards>> {
    sure_win_against(rules, situation, &[Rival { most: unseen, length: longest }], limit)
}

/// As [`sure_win`], against seats of which more is known. Of plays that cannot be beaten, bombs that are paid come first.
pub fn sure_win_against(rules: &Rules, situation: &Situation, rivals: &[Rival], limit: u32) -> Option<Vec<Cards>> {
    let mut sure = Sure { rules, rivals, left: limit, line: Vec::new(), failed: FxHashSet::default() };
    sure.find(situation).then_some(sure.line)
}

/// Looks for plays that nobody can beat.
struct Sure<'a> {
    rules: &'a Rules,
    rivals: &'a [Rival],
    left: u32,
    line: Vec<Cards>,
    /// Hands on lead from which there is no such line.
    failed: FxHashSet<Cards>,
}

impl Sure<'_> {
    fn find(&mut self, situation: &Situation) -> bool {
        let rules = self.rules;
        let hand = situation.hand;
        if self.left == 0 || (situation.trick.is_none() && self.failed.contains(&hand)) {
            return false;
        }
        self.left -= 1;
        let mut plays = Vec::new();
        rules.plays(situation, &mut plays);
        if plays.iter().any(|play| play.cards() == hand) {
            self.line.push(hand);
            return true;
        }
        let is_paid = |cards: Cards| rules.options().bomb_pay != BombPay::None && rules.is_bomb(cards);
        // The long ones first: fewer plays are left.
        plays.sort_by_key(|play| (!is_paid(play.cards()), std::cmp::Reverse(play.cards().len())));
        for play in plays {
            let cards = play.cards();
            let reading = match &situation.trick {
                None => rules.lead_reading(cards, false),
                Some(trick) => rules.follow_reading(cards, trick, false),
            };
            if reading.is_none_or(|reading| might_be_beaten(rules, self.rivals, &reading)) {
                continue;
            }
            self.line.push(cards);
            // Everybody passes, so the numbers of cards stay and the duty of the highest single too.
            let next = Situation { trick: None, must_include: None, hand: hand.minus(cards), ..*situation };
            if self.find(&next) {
                return true;
            }
            self.line.pop();
        }
        // Without the duties of an opening a hand that fails now fails always.
        if situation.trick.is_none() && situation.must_include.is_none() && self.left > 0 {
            self.failed.insert(hand);
        }
        false
    }
}
