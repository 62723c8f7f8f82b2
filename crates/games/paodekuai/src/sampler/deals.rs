//! The deals that agree with what the lead tells, before any proof.

use kiebitz_core::{Rng, Seat};

use crate::cards::{Card, CardSet, Cards, RANKS, Rank, bits, lowest};
use crate::rules::Rules;
use crate::sampler::Drawn;
use crate::state::{LeadEvidence, MAX_SEATS, State};

/// The seats and the kitty.
pub(crate) const BUCKETS: usize = 5;
/// The bucket of the cards that nobody was dealt.
pub(crate) const KITTY_BUCKET: usize = 4;

/// A set of deals: some cards are forced to a place, the rest is dealt uniformly.
#[derive(Clone, Debug)]
pub(crate) struct Deals {
    /// The cards that are dealt freely.
    pub pool: Cards,
    /// How many of them each bucket gets.
    pub sizes: [u8; BUCKETS],
    /// What each bucket has for sure.
    pub forced: [Cards; BUCKETS],
    /// What one of these deals weighs against one of another set.
    pub weight: f64,
}

impl Deals {
    /// The sets of deals that are possible for `seat`, who was dealt `own`: one, but for the lead of the lowest dealt card,
    /// where there is one for every card that may be it.
    pub fn all(rules: &Rules, state: &State, seat: Seat, own: Option<CardSet>) -> Vec<Deals> {
        let own_hand = state.hand(seat).unwrap_or_default();
        let played = (0..rules.players()).fold(0, |sum, other| sum + state.played(other).code());
        let pool = Cards(rules.deck_counts().code() - own_hand.code() - played);
        let mut sizes = [0; BUCKETS];
        for other in 0..rules.players() {
            if other != seat || state.is_unknown(seat) {
                sizes[usize::from(other)] = state.hand_len(other);
            }
        }
        let dealt: u8 = sizes.iter().sum();
        sizes[KITTY_BUCKET] = pool.len().saturating_sub(dealt);
        let plain = Deals { pool, sizes, forced: [Cards::EMPTY; BUCKETS], weight: 1.0 };
        let leader = state.leader();
        let hidden_leader = leader != seat || state.is_unknown(seat);
        let lead_card = Cards::of(rules.options().lead_card.rank(), 1);
        let forced = match state.lead_evidence() {
            LeadEvidence::Nothing | LeadEvidence::PlayedCard => None,
            LeadEvidence::HoldsCard if hidden_leader => plain.with(usize::from(leader), lead_card),
            LeadEvidence::HoldsCard => None,
            LeadEvidence::NobodyHolds => plain.with(KITTY_BUCKET, lead_card),
            LeadEvidence::Lowest => {
                let several = plain.lowest_led(rules, state, seat, own.unwrap_or_default());
                if !several.is_empty() {
                    return several;
                }
                None
            }
        };
        vec![forced.unwrap_or(plain)]
    }

    /// The deals in which the hands that `state` knows, and the kitty where it is told, are as they are; `None` when the seat that
    /// must hold the lead card cannot.
    pub fn told(rules: &Rules, state: &State, kitty: Option<Cards>) -> Option<Deals> {
        let mut pool = rules.deck_counts().minus(kitty.unwrap_or_default());
        let mut sizes = [0; BUCKETS];
        for seat in 0..rules.players() {
            pool = pool.minus(state.played(seat));
            match state.hand(seat) {
                Some(hand) => pool = pool.minus(hand),
                None => sizes[usize::from(seat)] = state.hand_len(seat),
            }
        }
        sizes[KITTY_BUCKET] = pool.len().saturating_sub(sizes.iter().sum());
        let plain = Deals { pool, sizes, forced: [Cards::EMPTY; BUCKETS], weight: 1.0 };
        let leader = state.leader();
        if state.lead_evidence() == LeadEvidence::HoldsCard && state.is_unknown(leader) {
            return plain.with(usize::from(leader), Cards::of(rules.options().lead_card.rank(), 1));
        }
        Some(plain)
    }

    /// With these cards forced into a bucket; `None` when that is impossible.
    fn with(&self, bucket: usize, cards: Cards) -> Option<Deals> {
        let mut deals = self.clone();
        if !self.pool.contains(cards) || self.sizes[bucket] < cards.len() {
            return None;
        }
        deals.pool = self.pool.minus(cards);
        deals.sizes[bucket] -= cards.len();
        deals.forced[bucket] = self.forced[bucket].plus(cards);
        Some(deals)
    }

    /// The deals in which the leader was dealt the lowest of all dealt cards: for each card that may be it, all lower ones are
    /// in the kitty, and so is the lead card.
    ///
    /// A play tells ranks, not suits. As elsewhere each played card is some particular one, all that it may be alike; so a set
    /// weighs the ways to say which they were. Where the leader has played the rank of the lowest card, that was it in one
    /// set, and in another one it is still in the hand.
    fn lowest_led(&self, rules: &Rules, state: &State, seat: Seat, own: CardSet) -> Vec<Deals> {
        let lead_card = rules.options().lead_card;
        let leader = state.leader();
        let hidden_own = state.is_unknown(seat);
        let below = |card: Card| {
            let lower = rules.deck().iter().copied().filter(|other| *other < card || *other == lead_card);
            lower.collect::<CardSet>().ranks()
        };
        let own_lowest = own.iter().next();
        if leader == seat && !hidden_own {
            let lower = own_lowest.map(below).unwrap_or_default();
            return self.with(KITTY_BUCKET, lower).into_iter().collect();
        }
        let candidates = rules.deck().iter().copied().take_while(|card| own_lowest.is_none_or(|own| *card < own));
        let hidden = |other: Seat| other < rules.players() && (hidden_own || other != seat);
        let played: [Cards; MAX_SEATS] =
            std::array::from_fn(|other| if hidden(other as Seat) { state.played(other as Seat) } else { Cards::EMPTY });
        let unseen = played.iter().fold(self.pool, |sum, cards| sum.plus(*cards));
        let mut several = Vec::new();
        for card in candidates.filter(|card| *card != lead_card) {
            let (lower, lowest) = (below(card), Cards::of(card.rank(), 1));
            let Some(deals) = self.with(KITTY_BUCKET, lower) else { continue };
            let free = unseen.minus(lower);
            if !free.contains(lowest) {
                continue;
            }
            let higher = free.minus(lowest);
            if let Some(kept) = deals.with(usize::from(leader), lowest) {
                several.push(Deals { weight: identities(higher, &played), ..kept });
            }
            if state.played(leader).contains(lowest) {
                let mut rest = played;
                rest[usize::from(leader)] = rest[usize::from(leader)].minus(lowest);
                several.push(Deals { weight: identities(higher, &rest), ..deals });
            }
        }
        several.retain(|deals| deals.weight > 0.0);
        several
    }

    /// How many deals of single cards there are, as a number that may be large, times what each weighs.
    pub fn mass(&self) -> f64 {
        let mut ways = self.weight;
        let mut n = 0.0;
        for &size in &self.sizes {
            for k in 1..=size {
                n += 1.0;
                ways *= n / f64::from(k);
            }
        }
        ways
    }

    /// What each bucket has when it gets these free cards.
    pub fn drawn(&self, free: &[Cards; BUCKETS]) -> Drawn {
        let mut drawn = Drawn { forced: self.forced, ..Drawn::default() };
        for (bucket, cards) in free.iter().enumerate() {
            drawn.set_bucket(bucket, self.forced[bucket].plus(*cards));
        }
        drawn
    }

    /// A deal, every deal of single cards equally likely.
    pub fn draw(&self, rng: &mut Rng) -> Drawn {
        let mut cards = [0u64; 4 * RANKS];
        let mut length = 0;
        for unit in bits(self.pool.ge1()) {
            for _ in 0..self.pool.count(lowest(unit) as Rank) {
                cards[length] = unit;
                length += 1;
            }
        }
        let mut free = [Cards::EMPTY; BUCKETS];
        // What is left when all other buckets are filled belongs to the largest one.
        let rest = (0..BUCKETS).max_by_key(|&bucket| self.sizes[bucket]).unwrap_or(KITTY_BUCKET);
        let mut left = self.pool.code();
        for bucket in (0..BUCKETS).filter(|&bucket| bucket != rest) {
            let mut sum = 0;
            for _ in 0..self.sizes[bucket] {
                let place = rng.below(length);
                sum += cards[place];
                length -= 1;
                cards[place] = cards[length];
            }
            left -= sum;
            free[bucket] = Cards(sum);
        }
        free[rest] = Cards(left);
        self.drawn(&free)
    }
}

/// In how many ways the cards that the seats have played can be chosen among these.
fn identities(among: Cards, played: &[Cards; MAX_SEATS]) -> f64 {
    let mut ways = 1.0;
    for rank in 0..RANKS as Rank {
        let mut left = f64::from(among.count(rank));
        for cards in played {
            for nth in 1..=cards.count(rank) {
                ways *= left.max(0.0) / f64::from(nth);
                left -= 1.0;
            }
        }
    }
    ways
}
