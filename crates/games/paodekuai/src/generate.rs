//! Which plays a hand allows: the full list, and whether there is any, on the packed counters.

use crate::action::Action;
use crate::cards::{Cards, RUNNING, Rank, RankMask, above, bits, lowest, run, runs};
use crate::reading::{Class, Reading, includes};
use crate::rules::{Kickers, Rules};

/// What decides which plays are legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation {
    /// The hand of the seat to move.
    pub hand: Cards,
    /// What must be beaten, or `None` on lead.
    pub trick: Option<Reading>,
    /// The rank the opening play must contain.
    pub must_include: Option<Rank>,
    /// A single must be the highest possible one: the next seat has one card and baodan is `must_max`.
    pub highest_single: bool,
}

impl Situation {
    /// A lead without further duties.
    pub fn lead(hand: Cards) -> Situation {
        Situation { hand, trick: None, must_include: None, highest_single: false }
    }

    /// A play on top of a trick.
    pub fn follow(hand: Cards, trick: Reading) -> Situation {
        Situation { trick: Some(trick), ..Situation::lead(hand) }
    }
}

/// Calls `push` with `base` plus every multiset of `left` units of `ranks` (unit and how many there are), of which there are
/// `total`.
fn choose(ranks: &[(u64, u8)], left: u8, total: u8, base: u64, push: &mut impl FnMut(u64)) {
    if left == 0 {
        return push(base);
    }
    let Some((&(unit, count), rest)) = ranks.split_first() else { return };
    let after = total - count;
    for take in left.saturating_sub(after)..=count.min(left) {
        choose(rest, left - take, after, base + unit * u64::from(take), push);
    }
}

/// As [`choose`], of cards or (`pairs`) of whole pairs.
pub(crate) fn kicker_sets(rest: Cards, kickers: u8, pairs: bool, base: u64, push: &mut impl FnMut(u64)) {
    let mut ranks = [(0, 0); crate::cards::RANKS];
    let (mut length, mut total) = (0, 0);
    for unit in bits(if pairs { rest.ge2() } else { rest.ge1() }) {
        let count = rest.count(lowest(unit)) / if pairs { 2 } else { 1 };
        ranks[length] = (if pairs { 2 * unit } else { unit }, count);
        length += 1;
        total += count;
    }
    let kickers = if pairs { kickers / 2 } else { kickers };
    if kickers <= total {
        choose(&ranks[..length], kickers, total, base, push);
    }
}

impl Rules {
    /// Clears `out`, then writes the plays that are legal in the situation, sorted by code; empty when none beats the trick.
    /// `pass` is not a play.
    pub fn plays(&self, situation: &Situation, out: &mut Vec<Action>) {
        out.clear();
        let hand = situation.hand;
        let mut push = |code: u64| out.push(Action::play_code(code));
        let trick = situation.trick.as_ref();
        // On lead, or against anything but a bomb, every bomb is legal; against a bomb the higher ones.
        let bomb_key = trick.filter(|trick| trick.class == Class::Bomb).map(|trick| trick.key);
        self.bombs(hand, bomb_key, &mut push);
        match trick {
            None => {
                let ranks = (hand.ge1(), hand.ge2());
                bits(ranks.0).for_each(&mut push);
                bits(ranks.1).for_each(|unit| push(2 * unit));
                for size in self.options().straight_min..=12 {
                    if !run_plays(ranks.0, size, RUNNING, 1, &mut push) {
                        break;
                    }
                }
                for size in self.options().pairrun_min..=12 {
                    if !run_plays(ranks.1, size, RUNNING, 2, &mut push) {
                        break;
                    }
                }
                self.triples(hand, None, &mut push);
                self.quads(hand, None, &mut push);
            }
            Some(trick) => match trick.class {
                Class::Bomb => {}
                Class::Single => bits(hand.ge1() & above(trick.key)).for_each(push),
                Class::Pair => bits(hand.ge2() & above(trick.key)).for_each(|unit| push(2 * unit)),
                Class::Straight => {
                    run_plays(hand.ge1(), trick.size, lows_above(trick), 1, &mut push);
                }
                Class::Pairrun => {
                    run_plays(hand.ge2(), trick.size, lows_above(trick), 2, &mut push);
                }
                Class::Tri => self.triples(hand, Some(trick), &mut push),
                Class::Quad => self.quads(hand, Some(trick), &mut push),
            },
        }
        if let Some(rank) = situation.must_include {
            out.retain(|play| includes(play.cards(), rank));
        }
        if self.whole_ranks(hand) != 0 {
            out.retain(|play| self.keeps_bombs(hand, play.cards()));
        }
        out.sort_unstable();
        out.dedup();
        if situation.highest_single {
            let best = out.iter().rev().find(|play| play.cards().is_one()).copied();
            out.retain(|&play| !play.cards().is_one() || Some(play) == best);
        }
    }

    /// Whether `hand` has a play that beats the trick. Does not enumerate kickers.
    #[inline]
    pub fn can_beat(&self, hand: Cards, trick: &Reading) -> bool {
        self.can_bomb(hand, trick) || self.can_beat_without_bomb(hand, trick)
    }

    /// Whether `hand` has a bomb that beats the trick.
    #[inline]
    pub fn can_bomb(&self, hand: Cards, trick: &Reading) -> bool {
        let bombs = self.bomb_ranks(hand);
        (if trick.class == Class::Bomb { bombs & above(trick.key) } else { bombs }) != 0
    }

    /// Whether `hand` has a play other than a bomb that beats the trick. Does not enumerate kickers.
    #[inline]
    pub fn can_beat_without_bomb(&self, hand: Cards, trick: &Reading) -> bool {
        let whole = self.whole_ranks(hand);
        match trick.class {
            Class::Bomb => false,
            Class::Single => hand.ge1() & !whole & above(trick.key) != 0,
            Class::Pair => hand.ge2() & !whole & above(trick.key) != 0,
            Class::Straight => runs(hand.ge1() & !whole & RUNNING, trick.size) & lows_above(trick) != 0,
            Class::Pairrun => runs(hand.ge2() & !whole & RUNNING, trick.size) & lows_above(trick) != 0,
            Class::Tri => self.can_beat_triple(hand, whole, trick),
            Class::Quad => bits(hand.eq4() & above(trick.key)).any(|rank| {
                let rest = Cards(hand.0 - 4 * rank);
                self.quad_kickers(trick.kickers) && enough(rest, whole & !rank, 0, trick.kickers)
            }),
        }
    }

    fn can_beat_triple(&self, hand: Cards, whole: RankMask, trick: &Reading) -> bool {
        let size = trick.size;
        let n = hand.len();
        if n < 3 * size {
            return false;
        }
        let ranks = if size == 1 { hand.ge3() } else { hand.ge3() & RUNNING };
        let lows = runs(ranks, size) & lows_above(trick);
        bits(lows).any(|low| {
            let body = run(size) * low;
            // The fourth cards of body ranks: kickers, where that is allowed; they must go along where bombs are not split.
            let fourths = hand.eq4() & body;
            let rest = Cards(hand.0 - 3 * body);
            let left = n - 3 * size;
            let (mut usable, mut forced) = (rest, 0);
            if !self.same_rank(size) {
                usable = Cards(rest.0 - fourths);
                if whole & fourths != 0 {
                    return false;
                }
            } else if whole & fourths != 0 {
                forced = (whole & fourths).count_ones() as u8;
            }
            let outside = whole & !body;
            (0..=left.min(2 * size)).any(|kickers| {
                let empties = kickers == left;
                if empties && usable != rest {
                    return false;
                }
                // All cards of one rank would be a bomb.
                let bomb = size == 1
                    && match kickers {
                        0 => body & self.triple_bombs() != 0,
                        1 => forced == 1 || usable.0 == fourths,
                        _ => false,
                    };
                if bomb {
                    return false;
                }
                match self.kickers(size, kickers, empties, Some(trick)) {
                    Kickers::Forbidden => false,
                    Kickers::Any => enough(usable, outside, forced, kickers),
                    Kickers::Pairs => forced == 0 && enough_pairs(usable, outside, body, size),
                }
            })
        })
    }

    fn bombs(&self, hand: Cards, key: Option<Rank>, push: &mut impl FnMut(u64)) {
        let higher = key.map_or(u64::MAX, above);
        bits(hand.eq4() & higher).for_each(|unit| push(4 * unit));
        bits(hand.ge3() & self.triple_bombs() & higher).for_each(|unit| push(3 * unit));
    }

    fn triples(&self, hand: Cards, trick: Option<&Reading>, push: &mut impl FnMut(u64)) {
        let mut ranks = hand.ge3();
        if ranks == 0 {
            return;
        }
        let n = hand.len();
        for size in trick.map_or(1, |trick| trick.size)..=trick.map_or(12, |trick| trick.size) {
            if size > 1 {
                ranks &= RUNNING;
            }
            let lows = runs(ranks, size);
            if lows == 0 || 3 * size > n {
                break;
            }
            for low in bits(lows & trick.map_or(u64::MAX, lows_above)) {
                let body = run(size) * low;
                let fourths = hand.eq4() & body;
                let mut rest = Cards(hand.0 - 3 * body);
                let left = n - 3 * size;
                // The play may be the whole hand only if the fourth cards of its body may be kickers.
                let mut whole = true;
                if !self.same_rank(size) && fourths != 0 {
                    rest = Cards(rest.0 - fourths);
                    whole = false;
                }
                for kickers in 0..=left.min(2 * size) {
                    let empties = kickers == left;
                    if empties && !whole {
                        continue;
                    }
                    match self.kickers(size, kickers, empties, trick) {
                        Kickers::Forbidden => {}
                        Kickers::Any => kicker_sets(rest, kickers, false, 3 * body, push),
                        Kickers::Pairs => {
                            // A fourth card of the body is no pair.
                            kicker_sets(Cards(rest.0 & !(body * 7)), kickers, true, 3 * body, push);
                        }
                    }
                }
            }
        }
    }

    fn quads(&self, hand: Cards, trick: Option<&Reading>, push: &mut impl FnMut(u64)) {
        if self.options().quad_kickers == 0 {
            return;
        }
        for unit in bits(hand.eq4() & trick.map_or(u64::MAX, |trick| above(trick.key))) {
            for kickers in 2..=3 {
                if self.quad_kickers(kickers) && trick.is_none_or(|trick| trick.kickers == kickers) {
                    kicker_sets(Cards(hand.0 - 4 * unit), kickers, false, 4 * unit, push);
                }
            }
        }
    }
}

/// Pushes the runs of `size` ranks with `each` cards whose lowest rank is in `lows`; `false` when there is none of that size
/// at all.
fn run_plays(ranks: RankMask, size: u8, lows: RankMask, each: u64, push: &mut impl FnMut(u64)) -> bool {
    let found = runs(ranks & RUNNING, size);
    bits(found & lows).for_each(|low| push(run(size) * low * each));
    found != 0
}

/// The lowest ranks of runs and bodies that are higher than the trick's.
#[inline]
fn lows_above(trick: &Reading) -> RankMask {
    above(trick.key + 1 - trick.size.min(trick.key + 1))
}

/// Whether exactly `kickers` cards can be taken from `rest`, ranks of `whole` all or none, `forced` of them for sure.
#[inline]
fn enough(rest: Cards, whole: RankMask, forced: u8, kickers: u8) -> bool {
    if whole == 0 && forced == 0 {
        return rest.len() >= kickers;
    }
    let Some(wanted) = kickers.checked_sub(forced) else { return false };
    let fours = (rest.eq4() & whole).count_ones() as u8;
    let threes = (rest.ge3() & !rest.eq4() & whole).count_ones() as u8;
    let free = rest.len() - forced - 4 * fours - 3 * threes;
    (0..=fours).any(|four| {
        (0..=threes).any(|three| {
            let taken = 4 * four + 3 * three;
            taken <= wanted && wanted - taken <= free
        })
    })
}

/// Whether `pairs` pairs can be taken from `rest`, ranks of `whole` all or none, ranks of `body` not at all.
#[inline]
fn enough_pairs(rest: Cards, whole: RankMask, body: RankMask, pairs: u8) -> bool {
    let rest = Cards(rest.0 & !(body * 7));
    let free = Cards(rest.0 & !(whole * 7));
    let single = (free.ge2().count_ones() + free.eq4().count_ones()) as u8;
    let fours = (rest.eq4() & whole).count_ones() as u8;
    (0..=fours).any(|four| 2 * four <= pairs && pairs - 2 * four <= single)
}
