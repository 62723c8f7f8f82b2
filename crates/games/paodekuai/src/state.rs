//! The state of a game: everything that changes, in 120 bytes.

use kiebitz_core::Seat;

use crate::cards::{Cards, Rank};
use crate::generate::Situation;
use crate::options::{Baodan, End};
use crate::reading::{Class, Reading};
use crate::rules::Rules;

/// The most seats.
pub const MAX_SEATS: usize = 4;
/// In one-byte fields that name a seat: none.
const NOBODY: u8 = 255;

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Phase {
    /// Chance deals.
    Deal,
    /// Chance names the leader, or (after a deal of which only a part is known) it is not known who leads.
    Leader,
    /// A player plays.
    Play,
    /// The game is over.
    Over,
}

/// What the leader's being the leader says about the cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum LeadEvidence {
    /// Nothing, or nothing any more.
    Nothing,
    /// The leader holds the lead card: the first card of its rank that he plays is it.
    HoldsCard,
    /// The leader held the lead card and has played it.
    PlayedCard,
    /// Nobody holds the lead card, and the leader was dealt the lowest of all dealt cards.
    Lowest,
    /// Nobody holds the lead card.
    NobodyHolds,
}

/// Where the bird card is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bird {
    /// Dealt to this seat.
    Dealt(Seat),
    /// Dealt to nobody, not known, or not played with.
    Nowhere,
}

/// A plain value; all of it is the truth, which only the referee may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// For a seat in `unknown` not the cards but their number.
    pub(crate) hands: [Cards; MAX_SEATS],
    /// What each seat has played in this deal.
    pub(crate) played: [Cards; MAX_SEATS],
    /// The last play of the trick.
    pub(crate) trick_play: Cards,
    /// A hash of all that was played since the deal, in order.
    pub(crate) history: u64,
    /// Points of the finished deals; those of the last seat follow, for all sum to zero.
    totals: [i32; MAX_SEATS - 1],
    /// The seats whose bombs were paid, in order: two bits each, above their number in the lowest four bits.
    pub(crate) bombs: u32,
    /// How many deals are finished.
    pub(crate) deal_no: u16,
    pub(crate) trick: Option<Reading>,
    pub(crate) plays_made: [u8; MAX_SEATS],
    pub(crate) turn: u8,
    /// Whose play is on top of the trick.
    pub(crate) owner: u8,
    /// Who led the first trick of the deal.
    pub(crate) leader: u8,
    /// Passes since the last play.
    pub(crate) passes: u8,
    /// Four bits: seats that may not play again in this trick. Above them, while there is no trick, how the play was read that
    /// ended the last one at once: its size, or [`CLOSED_BY_QUAD`].
    pub(crate) locked: u8,
    /// Seats without cards.
    pub(crate) out: u8,
    /// The seats in the order in which they went out, two bits each.
    pub(crate) finished: u8,
    pub(crate) phase: Phase,
    flags: u8,
    bird: u8,
    /// Who played a single that was not his highest before the next seat's last card, just now.
    offence: u8,
    liable: u8,
    pub(crate) lead: LeadEvidence,
}

/// In the upper bits of `locked`: a four with kickers; no size of a play is as large.
const CLOSED_BY_QUAD: u8 = 15;
/// The last action was a play.
const LAST_WAS_PLAY: u8 = 1;
/// The opening play must contain the lead card's rank.
const MUST_INCLUDE: u8 = 2;
/// Four bits: seats whose cards are not known.
const UNKNOWN: u8 = 4;

const fn seat_of(byte: u8) -> Option<Seat> {
    if byte == NOBODY { None } else { Some(byte) }
}

/// The first seat of `mask` after `seat`, around the table.
#[inline]
pub(crate) fn next_in(mask: u8, seat: Seat) -> Seat {
    let later = u32::from(mask) >> (seat + 1) << (seat + 1);
    (if later != 0 { later } else { u32::from(mask) }).trailing_zeros() as u8
}

impl State {
    /// The state before the first deal.
    pub(crate) fn new() -> State {
        State {
            hands: [Cards::EMPTY; MAX_SEATS],
            played: [Cards::EMPTY; MAX_SEATS],
            trick_play: Cards::EMPTY,
            history: 0,
            totals: [0; MAX_SEATS - 1],
            bombs: 0,
            deal_no: 0,
            trick: None,
            plays_made: [0; MAX_SEATS],
            turn: 0,
            owner: 0,
            leader: 0,
            passes: 0,
            locked: 0,
            out: 0,
            finished: 0,
            phase: Phase::Deal,
            flags: 0,
            bird: NOBODY,
            offence: NOBODY,
            liable: NOBODY,
            lead: LeadEvidence::Nothing,
        }
    }

    /// Everything of the last deal is forgotten but its result.
    pub(crate) fn clear_deal(&mut self) {
        *self = State { totals: self.totals, deal_no: self.deal_no, ..State::new() };
    }

    /// The true hand of a seat; `None` when it is not known even here. A seat may ask for its own only.
    #[inline]
    pub fn hand(&self, seat: Seat) -> Option<Cards> {
        (!self.is_unknown(seat)).then(|| self.hands[usize::from(seat)])
    }

    /// How many cards a seat holds.
    #[inline]
    pub fn hand_len(&self, seat: Seat) -> u8 {
        let hand = self.hands[usize::from(seat)];
        if self.is_unknown(seat) { hand.0 as u8 } else { hand.len() }
    }

    /// What a seat has played in this deal.
    #[inline]
    pub fn played(&self, seat: Seat) -> Cards {
        self.played[usize::from(seat)]
    }

    /// The play on top of the trick, how it is read, and whose it is; `None` on lead.
    pub fn trick(&self) -> Option<(Cards, Reading, Seat)> {
        self.trick.map(|reading| (self.trick_play, reading, self.owner))
    }

    /// How the play just made is read, whether or not it ended its trick; `None` when the last action was no play.
    pub fn last_reading(&self, rules: &Rules) -> Option<Reading> {
        if !self.last_was_play() || self.trick.is_some() {
            return self.trick.filter(|_| self.last_was_play());
        }
        let (class, size) = match self.locked >> 4 {
            CLOSED_BY_QUAD => (Some(Class::Quad), 1),
            size => (None, size),
        };
        // Of readings of one class and size that of the highest key counts.
        let readings = rules.readings(self.trick_play, self.hand_len(self.owner) == 0).into_iter();
        let fits = |reading: &Reading| {
            reading.size == size && class.map_or(reading.class != Class::Quad, |class| class == reading.class)
        };
        readings.filter(fits).max_by_key(|reading| reading.key)
    }

    /// Ends the trick: nothing lies on the table, nobody has passed or is locked.
    #[inline]
    pub(crate) fn clear_trick(&mut self) {
        let closed_by = match &self.trick {
            Some(reading) if self.last_was_play() => {
                if reading.class == Class::Quad {
                    CLOSED_BY_QUAD
                } else {
                    reading.size
                }
            }
            _ => 0,
        };
        self.trick = None;
        (self.locked, self.passes) = (closed_by << 4, 0);
    }

    /// How many plays each seat has made in this deal.
    pub fn plays_made(&self) -> [u8; MAX_SEATS] {
        self.plays_made
    }

    /// Who led the first trick of the deal.
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// The seat to move, while a deal is played.
    #[inline]
    pub fn to_move(&self) -> Seat {
        self.turn
    }

    /// What happens next.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Passes since the last play.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// How many deals are finished.
    pub fn deals_finished(&self) -> u16 {
        self.deal_no
    }

    /// Whether a seat may not play again in this trick.
    pub fn is_locked(&self, seat: Seat) -> bool {
        self.locked >> seat & 1 == 1
    }

    /// Whether a seat holds no card.
    pub fn is_out(&self, seat: Seat) -> bool {
        self.out >> seat & 1 == 1
    }

    /// The seats other than this one that may still play in the trick in which it plays now: with cards and not locked.
    pub fn answering(&self, rules: &Rules, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.holding(rules.players()) & !self.locked & !(1 << seat);
        (0..rules.players()).filter(move |other| seats >> other & 1 == 1)
    }

    /// What the leader's being the leader says.
    pub fn lead_evidence(&self) -> LeadEvidence {
        self.lead
    }

    /// Where the bird card was dealt.
    pub fn bird(&self) -> Bird {
        seat_of(self.bird).map_or(Bird::Nowhere, Bird::Dealt)
    }

    pub(crate) fn set_bird(&mut self, bird: Bird) {
        self.bird = if let Bird::Dealt(seat) = bird { seat } else { NOBODY };
    }

    /// Who let the next seat play its last card on a single that was not the highest, just now.
    pub fn offence(&self) -> Option<Seat> {
        seat_of(self.offence)
    }

    pub(crate) fn set_offence(&mut self, seat: Option<Seat>) {
        self.offence = seat.unwrap_or(NOBODY);
    }

    /// Who pays for all losers of the deal.
    pub fn liable(&self) -> Option<Seat> {
        seat_of(self.liable)
    }

    pub(crate) fn set_liable(&mut self, seat: Option<Seat>) {
        self.liable = seat.unwrap_or(NOBODY);
    }

    /// The seats that are out, in their order.
    pub fn finishing_order(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.out.count_ones()).map(|i| self.finished >> (2 * i) & 3)
    }

    pub(crate) fn finish(&mut self, seat: Seat) {
        self.finished |= seat << (2 * self.out.count_ones());
        self.out |= 1 << seat;
    }

    /// The seats whose bombs were paid, in order.
    pub fn bombs_paid_to(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.bombs & 15).map(|i| (self.bombs >> (4 + 2 * i) & 3) as Seat)
    }

    pub(crate) fn pay_bomb(&mut self, seat: Seat) {
        // There are never more than 13 bombs in a deck.
        debug_assert!(self.bombs & 15 < 14);
        self.bombs |= u32::from(seat) << (4 + 2 * (self.bombs & 15));
        self.bombs += 1;
    }

    /// Points of the finished deals of a seat.
    pub fn total(&self, seat: Seat, players: u8) -> i32 {
        if seat + 1 == players {
            -self.totals.iter().take(usize::from(seat)).sum::<i32>()
        } else {
            self.totals.get(usize::from(seat)).copied().unwrap_or(0)
        }
    }

    pub(crate) fn add_scores(&mut self, scores: &[i32; MAX_SEATS], players: u8) {
        for (total, score) in self.totals.iter_mut().zip(scores).take(usize::from(players) - 1) {
            *total += score;
        }
    }

    /// Whether the last action was a play.
    pub fn last_was_play(&self) -> bool {
        self.flags & LAST_WAS_PLAY != 0
    }

    pub(crate) fn set_last_was_play(&mut self, play: bool) {
        self.flags = self.flags & !LAST_WAS_PLAY | u8::from(play);
    }

    /// Whether the next play must contain the rank of the lead card.
    #[inline]
    pub fn include_duty(&self) -> bool {
        self.flags & MUST_INCLUDE != 0
    }

    pub(crate) fn set_include_duty(&mut self, duty: bool) {
        self.flags = self.flags & !MUST_INCLUDE | if duty { MUST_INCLUDE } else { 0 };
    }

    /// Whether the cards of a seat are not known even here: a deal or position of which only a part was told.
    #[inline]
    pub fn is_unknown(&self, seat: Seat) -> bool {
        self.flags & (UNKNOWN << seat) != 0
    }

    /// Makes the cards of a seat unknown: only their number is kept.
    pub(crate) fn forget(&mut self, seat: Seat, number: u8) {
        self.flags |= UNKNOWN << seat;
        self.hands[usize::from(seat)] = Cards(u64::from(number));
    }

    /// The position as everybody sees it: every hand unknown, and no marks that tell of cards.
    pub(crate) fn public(&self, players: u8) -> State {
        let mut public = *self;
        for seat in 0..players {
            public.forget(seat, self.hand_len(seat));
        }
        (public.bird, public.offence, public.liable) = (NOBODY, NOBODY, NOBODY);
        public
    }

    pub(crate) fn set_hand(&mut self, seat: Seat, hand: Cards) {
        self.flags &= !(UNKNOWN << seat);
        self.hands[usize::from(seat)] = hand;
    }

    /// Flags and marks that everybody knows.
    pub(crate) fn public_flags(&self) -> u64 {
        u64::from(self.flags & (UNKNOWN - 1))
    }

    /// Marks that not everybody knows: where the bird is, offences (they tell that a higher card is held), and which hands are
    /// not known even here.
    pub(crate) fn secret_flags(&self) -> u64 {
        let marks = [self.bird, self.offence, self.liable, self.flags];
        u64::from(u32::from_le_bytes(marks))
    }

    /// The seats that hold cards.
    #[inline]
    pub(crate) fn holding(&self, players: u8) -> u8 {
        ((1 << players) - 1) & !self.out
    }

    /// The cards that are neither played nor in a known hand.
    pub(crate) fn unseen(&self, rules: &Rules) -> Cards {
        let mut rest = rules.deck_counts().0;
        for seat in 0..rules.players() {
            rest -= self.played(seat).0;
            rest -= self.hand(seat).map_or(0, Cards::code);
        }
        Cards(rest)
    }

    /// The rank the opening play must contain, or `None` without that duty.
    #[inline]
    pub fn must_include(&self, rules: &Rules) -> Option<Rank> {
        self.include_duty().then(|| rules.options().lead_card.rank())
    }

    /// The next seat that still holds cards, locked or not; the seat itself when there is no other.
    #[inline]
    pub(crate) fn next_holding(&self, seat: Seat, players: u8) -> Seat {
        next_in(self.holding(players), seat)
    }

    /// Whether the next seat after the one to move holds exactly one card.
    #[inline]
    pub(crate) fn next_has_one(&self, players: u8) -> bool {
        let next = self.next_holding(self.turn, players);
        let hand = self.hands[usize::from(next)];
        // One card or, unknown, the number one: the code of one three is 1 too.
        if self.is_unknown(next) { hand.0 == 1 } else { hand.is_one() }
    }

    /// What decides which plays are legal for the seat to move. Its hand must be known.
    #[inline]
    pub fn situation(&self, rules: &Rules) -> Situation {
        Situation {
            hand: self.hands[usize::from(self.turn)],
            trick: self.trick,
            must_include: self.must_include(rules),
            highest_single: rules.options().baodan == Baodan::MustMax && self.next_has_one(rules.players()),
        }
    }

    /// Whether the last deal is finished, and its hands lie open.
    #[inline]
    pub fn is_deal_over(&self) -> bool {
        self.phase == Phase::Over || (self.phase == Phase::Deal && self.deal_no > 0)
    }

    /// Who was first out in the deal that is finished.
    pub fn winner(&self) -> Option<Seat> {
        if self.is_deal_over() { self.finishing_order().next() } else { None }
    }

    /// Whether the deal is over now that a seat is out.
    pub(crate) fn ends(&self, rules: &Rules) -> bool {
        match rules.options().end {
            End::FirstOut => self.out != 0,
            End::Ranking => self.holding(rules.players()).count_ones() <= 1,
        }
    }
}
