//! Ranks, multisets of ranks as packed counters, and cards with suits.

use std::fmt;

/// A rank by its index from 0: `3 4 5 6 7 8 9 T J Q K A 2`.
pub type Rank = u8;

/// How many ranks there are.
pub const RANKS: usize = 13;
/// The index of the two, the highest single, which is in no run.
pub const TWO: Rank = 12;
/// The letters of the ranks by index.
pub const RANK_LETTERS: [char; RANKS] = ['3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A', '2'];
/// The letters of the suits in the order that breaks ties of the fallback lead.
pub const SUIT_LETTERS: [char; 4] = ['S', 'H', 'C', 'D'];

/// The lowest bit of each of the 13 counters.
pub(crate) const LOW: u64 = 0o1_1111_1111_1111;
/// The lowest bits of the ranks that may be in a run: all but the two.
pub(crate) const RUNNING: u64 = 0o1111_1111_1111;
/// Every second counter, and the bit above each of them.
const EVEN: u64 = 0o7_0707_0707_0707;
const ABOVE_EVEN: u64 = 0o10_1010_1010_1010;

/// A mask of ranks: the lowest bit of the counter of each rank that is in it. Shifting by three goes to the next rank.
pub(crate) type RankMask = u64;

/// The bit of a rank in a [`RankMask`]; also one card of that rank.
#[inline]
pub(crate) const fn bit(rank: Rank) -> u64 {
    1 << (3 * rank as u32)
}

/// The rank of a mask's lowest bit.
#[inline]
pub(crate) const fn lowest(mask: RankMask) -> Rank {
    (mask.trailing_zeros() / 3) as Rank
}

/// The rank of a mask's highest bit; 0 for an empty mask.
#[inline]
pub(crate) const fn highest(mask: RankMask) -> Rank {
    ((63u32.saturating_sub(mask.leading_zeros())) / 3) as Rank
}

/// The mask of `length` ranks in a row from the three up.
#[inline]
pub(crate) const fn run(length: u8) -> RankMask {
    LOW & ((1 << (3 * length as u32)) - 1)
}

/// The lowest ranks of all runs of `length` ranks inside `mask`.
#[inline]
pub(crate) const fn runs(mask: RankMask, length: u8) -> RankMask {
    let (mut found, mut i) = (mask, 1);
    while i < length {
        found &= mask >> (3 * i as u32);
        i += 1;
    }
    found
}

/// The ranks above `rank`.
#[inline]
pub(crate) const fn above(rank: Rank) -> RankMask {
    LOW & !((bit(rank) << 1) - 1)
}

/// The bits of a mask, lowest first.
#[inline]
pub(crate) fn bits(mut mask: RankMask) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let low = mask & mask.wrapping_neg();
            mask ^= low;
            low
        })
    })
}

/// A multiset of ranks: 13 counters of three bits, rank index i at bits 3i to 3i+2; each counter is at most 4. Equal sets are
/// equal codes, whatever order the cards came in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cards(pub(crate) u64);

/// A text is no list of ranks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CardsError {
    /// A letter that is no rank.
    #[error("'{0}' is no rank; ranks are 3 4 5 6 7 8 9 T J Q K A 2")]
    Letter(char),
    /// More than four cards of a rank.
    #[error("there are more than four cards of rank {0}")]
    TooMany(char),
}

impl Cards {
    /// No card.
    pub const EMPTY: Cards = Cards(0);

    /// The multiset of this code; `None` when it is no code of one.
    pub fn from_code(code: u64) -> Option<Cards> {
        let cards = Cards(code);
        let over = cards.eq4() & ((code >> 1 | code) & LOW);
        (code >> (3 * RANKS) == 0 && over == 0).then_some(cards)
    }

    /// The counters as one number.
    #[inline]
    pub const fn code(self) -> u64 {
        self.0
    }

    /// `count` cards of `rank`.
    ///
    /// # Panics
    /// In debug builds when there is no such rank or count.
    #[inline]
    pub const fn of(rank: Rank, count: u8) -> Cards {
        debug_assert!((rank as usize) < RANKS && count <= 4);
        Cards((count as u64) << (3 * rank as u32))
    }

    /// The multiset with these counts by rank.
    ///
    /// # Panics
    /// In debug builds when a count is above four.
    pub fn from_counts(counts: [u8; RANKS]) -> Cards {
        counts.iter().zip(0..).fold(Cards::EMPTY, |all, (&count, rank)| all.plus(Cards::of(rank, count)))
    }

    /// The counts by rank.
    pub fn counts(self) -> [u8; RANKS] {
        std::array::from_fn(|rank| self.count(rank as Rank))
    }

    /// How many cards of `rank`.
    #[inline]
    pub const fn count(self, rank: Rank) -> u8 {
        (self.0 >> (3 * rank as u32) & 7) as u8
    }

    /// How many cards.
    #[inline]
    pub const fn len(self) -> u8 {
        let pairs = (self.0 & EVEN) + (self.0 >> 3 & EVEN);
        (pairs.wrapping_mul(0o1_0101_0101_0101) >> 36 & 63) as u8
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is exactly one card.
    #[inline]
    pub const fn is_one(self) -> bool {
        self.0 & (self.0.wrapping_sub(1)) == 0 && self.0 & LOW != 0
    }

    /// Whether `other` is part of it.
    #[inline]
    pub const fn contains(self, other: Cards) -> bool {
        let even = ((self.0 & EVEN) | ABOVE_EVEN) - (other.0 & EVEN);
        let odd = ((self.0 >> 3 & EVEN) | ABOVE_EVEN) - (other.0 >> 3 & EVEN);
        even & odd & ABOVE_EVEN == ABOVE_EVEN
    }

    /// Both together. The sum must not have more than four of a rank.
    #[inline]
    pub const fn plus(self, other: Cards) -> Cards {
        Cards(self.0 + other.0)
    }

    /// Without `other`, which must be part of it.
    #[inline]
    pub const fn minus(self, other: Cards) -> Cards {
        debug_assert!(self.contains(other));
        Cards(self.0 - other.0)
    }

    /// Ranks with at least one card.
    #[inline]
    pub(crate) const fn ge1(self) -> RankMask {
        (self.0 | self.0 >> 1 | self.0 >> 2) & LOW
    }

    /// Ranks with at least two cards.
    #[inline]
    pub(crate) const fn ge2(self) -> RankMask {
        (self.0 >> 1 | self.0 >> 2) & LOW
    }

    /// Ranks with at least three cards.
    #[inline]
    pub(crate) const fn ge3(self) -> RankMask {
        (self.0 >> 2 | (self.0 >> 1 & self.0)) & LOW
    }

    /// Ranks with all four cards.
    #[inline]
    pub(crate) const fn eq4(self) -> RankMask {
        self.0 >> 2 & LOW
    }

    /// The lowest rank, if there is a card.
    pub fn lowest_rank(self) -> Option<Rank> {
        (!self.is_empty()).then(|| lowest(self.0))
    }

    /// The highest rank, if there is a card.
    pub fn highest_rank(self) -> Option<Rank> {
        (!self.is_empty()).then(|| highest(self.0))
    }

    /// Reads ranks in any order, upper or lower case, `10` for `T`.
    ///
    /// # Errors
    /// The first letter that is no rank, or a rank with more than four cards.
    pub fn parse(text: &str) -> Result<Cards, CardsError> {
        let mut counts = [0u8; RANKS];
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let letter = match letter.to_ascii_uppercase() {
                '1' if letters.peek() == Some(&'0') => {
                    letters.next();
                    'T'
                }
                letter => letter,
            };
            let rank = RANK_LETTERS.iter().position(|&l| l == letter).ok_or(CardsError::Letter(letter))?;
            counts[rank] += 1;
            if counts[rank] > 4 {
                return Err(CardsError::TooMany(letter));
            }
        }
        Ok(Cards::from_counts(counts))
    }
}

/// The ranks in ascending order; nothing for no card.
impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rank, letter) in RANK_LETTERS.iter().enumerate() {
            for _ in 0..self.count(rank as Rank) {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{self}'")
    }
}

/// A card with its suit, from 0 to 51: `4 * rank + suit`, so that cards in order are also ordered by rank, then suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card with this index from 0 to 51.
    pub const fn new(index: u8) -> Option<Card> {
        if index < 52 { Some(Card(index)) } else { None }
    }

    /// The card of a rank and a suit (an index into [`SUIT_LETTERS`]).
    pub const fn of(rank: Rank, suit: u8) -> Option<Card> {
        if (rank as usize) < RANKS && suit < 4 { Some(Card(4 * rank + suit)) } else { None }
    }

    /// Its index from 0 to 51.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        self.0 / 4
    }

    /// Its suit, an index into [`SUIT_LETTERS`].
    #[inline]
    pub const fn suit(self) -> u8 {
        self.0 % 4
    }

    /// Reads a suit and a rank, as in `S3`; `10` may stand for `T`. `None` when it is no card.
    pub fn parse(text: &str) -> Option<Card> {
        let mut letters = text.chars();
        let suit = letters.next()?.to_ascii_uppercase();
        let rank = match letters.next()?.to_ascii_uppercase() {
            '1' if letters.clone().next() == Some('0') => {
                letters.next();
                'T'
            }
            letter => letter,
        };
        if letters.next().is_some() {
            return None;
        }
        let rank = RANK_LETTERS.iter().position(|&l| l == rank)?;
        let suit = SUIT_LETTERS.iter().position(|&l| l == suit)?;
        Card::of(rank as Rank, suit as u8)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", SUIT_LETTERS[usize::from(self.suit())], RANK_LETTERS[usize::from(self.rank())])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of cards with suits: bit i is the card with index i.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(pub(crate) u64);

impl CardSet {
    /// All 52 cards.
    pub const FULL: CardSet = CardSet((1 << 52) - 1);
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);

    /// Whether the card is in it.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Puts a card into it; `false` when it was there.
    pub fn insert(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 |= 1 << card.0;
        self.0 != before
    }

    /// Without the cards of `other`.
    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// How many cards.
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards in order.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        (0..52).map(Card).filter(move |&card| self.contains(card))
    }

    /// The ranks alone.
    pub fn ranks(self) -> Cards {
        Cards::from_counts(std::array::from_fn(|rank| (self.0 >> (4 * rank) & 15).count_ones() as u8))
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<T: IntoIterator<Item = Card>>(cards: T) -> Self {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| CardSet(set.0 | 1 << card.0))
    }
}

/// Two characters a card, in order.
impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|card| write!(f, "{card}"))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{self}'")
    }
}
