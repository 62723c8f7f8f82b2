//! How a play is read: its class, size, key and kickers (section 4 of the rules).

use crate::cards::{Cards, LOW, RANKS, RUNNING, Rank, above, bit, bits, highest, lowest, run, runs};
use crate::rules::{Kickers, Rules};

/// The kind of a combination.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Class {
    /// Four of a rank, or three of a rank of `triple_bombs`. Beats everything but a higher bomb.
    Bomb,
    /// One card.
    Single,
    /// Two of a rank.
    Pair,
    /// Ranks in a row, one card each.
    Straight,
    /// Ranks in a row, two cards each.
    Pairrun,
    /// Triples in a row (or one) with kickers.
    Tri,
    /// Four of a rank with kickers.
    Quad,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 7] =
        [Class::Bomb, Class::Single, Class::Pair, Class::Straight, Class::Pairrun, Class::Tri, Class::Quad];

    /// Its name in facts.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Bomb => "bomb",
            Class::Single => "single",
            Class::Pair => "pair",
            Class::Straight => "straight",
            Class::Pairrun => "pairrun",
            Class::Tri => "tri",
            Class::Quad => "quad",
        }
    }
}

/// One way to read a multiset of ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Reading {
    /// The kind.
    pub class: Class,
    /// Ranks of a straight, pairs of a pair run, triples of a body; else 1.
    pub size: u8,
    /// The rank that is compared: the highest of a run or body.
    pub key: Rank,
    /// How many kickers.
    pub kickers: u8,
    /// A triple or airplane that is allowed because it empties the hand.
    pub short: bool,
}

impl Reading {
    const fn plain(class: Class, size: u8, key: Rank) -> Reading {
        Reading { class, size, key, kickers: 0, short: false }
    }

    /// The place in the order in which a lead is read; the least counts.
    fn lead_order(&self) -> (u8, bool, u8, u8) {
        let class = match self.class {
            Class::Bomb => 0,
            Class::Tri => 2,
            Class::Quad => 3,
            _ => 1,
        };
        (class, self.short, u8::MAX - self.size, u8::MAX - self.key)
    }
}

impl Rules {
    /// Calls `found` with every reading of `play`; `empties`: it is the whole hand.
    #[inline]
    pub(crate) fn for_each_reading(&self, play: Cards, empties: bool, mut found: impl FnMut(Reading)) {
        let (ge1, ge2, ge3, eq4) = (play.ge1(), play.ge2(), play.ge3(), play.eq4());
        if ge1 & ge1.wrapping_sub(1) == 0 {
            let key = lowest(ge1);
            match play.len() {
                0 => return,
                1 => return found(Reading::plain(Class::Single, 1, key)),
                2 => return found(Reading::plain(Class::Pair, 1, key)),
                4 => return found(Reading::plain(Class::Bomb, 1, key)),
                _ if ge1 & self.triple_bombs() != 0 => return found(Reading::plain(Class::Bomb, 1, key)),
                _ => {}
            }
        } else if ge2 == 0 || (ge2 == ge1 && ge3 == 0) {
            let (size, low) = (ge1.count_ones() as u8, lowest(ge1));
            let (class, least) = match ge2 {
                0 => (Class::Straight, self.options().straight_min),
                _ => (Class::Pairrun, self.options().pairrun_min),
            };
            if size >= least && ge1 & !RUNNING == 0 && run(size) << (3 * u32::from(low)) == ge1 {
                found(Reading::plain(class, size, highest(ge1)));
            }
            return;
        }
        if ge3 == 0 {
            return;
        }
        let n = play.len();
        let mut bodies = ge3;
        for triples in 1.. {
            if triples == 2 {
                bodies &= RUNNING;
            }
            let lows = runs(bodies, triples);
            if lows == 0 {
                break;
            }
            for low in bits(lows) {
                let body = run(triples) * low;
                if eq4 & body != 0 && !self.same_rank(triples) {
                    continue;
                }
                let kickers = n - 3 * triples;
                let fits = match self.kickers(triples, kickers, empties, None) {
                    Kickers::Forbidden => false,
                    Kickers::Any => true,
                    // No rank of the kickers has an odd count: the odd ranks of the play are those of the body, three cards each.
                    Kickers::Pairs => play.0 & LOW == body,
                };
                if fits {
                    let key = lowest(low) + triples - 1;
                    let short = empties && self.is_short(triples, kickers);
                    found(Reading { class: Class::Tri, size: triples, key, kickers, short });
                }
            }
        }
        if n >= 4 && self.quad_kickers(n - 4) {
            for rank in bits(eq4) {
                found(Reading { kickers: n - 4, ..Reading::plain(Class::Quad, 1, lowest(rank)) });
            }
        }
    }

    /// All readings of `play`, sorted; `empties`: it is the whole hand.
    pub fn readings(&self, play: Cards, empties: bool) -> Vec<Reading> {
        let mut all = Vec::new();
        self.for_each_reading(play, empties, |reading| all.push(reading));
        all.sort_unstable();
        all
    }

    /// Whether some play out of the deck has this reading.
    pub(crate) fn has_reading(&self, reading: &Reading) -> bool {
        let Reading { class, size, key, kickers, short } = *reading;
        if key >= RANKS as Rank || size == 0 {
            return false;
        }
        let deck = self.deck_counts();
        let is_run = |count: u8| {
            let ranks = (key + 1).checked_sub(size).map(|low| low..=key);
            let runs = |rank: Rank| size == 1 || bit(rank) & RUNNING != 0;
            ranks.is_some_and(|mut ranks| ranks.all(|rank| deck.count(rank) >= count && runs(rank)))
        };
        let plain = kickers == 0 && !short;
        let least = |least: u8| size >= least.max(2) && plain;
        match class {
            Class::Single => is_run(1) && size == 1 && plain,
            Class::Pair => is_run(2) && size == 1 && plain,
            Class::Straight => is_run(1) && least(self.options().straight_min),
            Class::Pairrun => is_run(2) && least(self.options().pairrun_min),
            Class::Bomb => {
                let count = if self.triple_bombs() & bit(key) != 0 { 3 } else { 4 };
                is_run(count) && size == 1 && plain
            }
            Class::Tri => {
                let allowed = self.kickers(size, kickers, short, None) != Kickers::Forbidden;
                is_run(3) && allowed && (!short || self.is_short(size, kickers))
            }
            Class::Quad => is_run(4) && size == 1 && !short && self.quad_kickers(kickers),
        }
    }

    /// How a lead is read; `None` when it is no combination. `empties`: it is the whole hand.
    #[inline]
    pub fn lead_reading(&self, play: Cards, empties: bool) -> Option<Reading> {
        let mut best: Option<Reading> = None;
        self.for_each_reading(play, empties, |reading| {
            if best.is_none_or(|best| reading.lead_order() < best.lead_order()) {
                best = Some(reading);
            }
        });
        best
    }

    /// How a play on top of `trick` is read: among the readings that beat it the one with the highest key; `None` when none
    /// does. `empties`: it is the whole hand.
    #[inline]
    pub fn follow_reading(&self, play: Cards, trick: &Reading, empties: bool) -> Option<Reading> {
        let mut best: Option<Reading> = None;
        self.for_each_reading(play, empties, |reading| {
            if self.beats(&reading, trick) && best.is_none_or(|best| reading.key > best.key) {
                best = Some(reading);
            }
        });
        best
    }

    /// Whether `play` keeps the rule that bombs in `hand` are not split.
    #[inline]
    pub(crate) fn keeps_bombs(&self, hand: Cards, play: Cards) -> bool {
        let whole = self.whole_ranks(hand);
        if whole == 0 {
            return true;
        }
        let mask = whole * 7;
        let used = Cards(play.0 & mask);
        let left = Cards((hand.0 & mask) - used.0);
        used.ge1() & left.ge1() == 0
    }

    /// The singles that may beat a single with this key (any single for `None`), as ranks.
    #[inline]
    pub(crate) fn single_ranks(&self, hand: Cards, key: Option<Rank>) -> u64 {
        let ranks = hand.ge1() & !self.whole_ranks(hand);
        key.map_or(ranks, |key| ranks & above(key))
    }
}

/// Whether a rank is in a play.
#[inline]
pub(crate) fn includes(play: Cards, rank: Rank) -> bool {
    play.0 & (bit(rank) * 7) != 0
}
