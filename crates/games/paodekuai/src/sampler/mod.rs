//! Worlds for a seat: the other hands drawn uniformly over the deals of the unseen cards, under everything that is proven.
//!
//! A few draws without regard to the proofs are tried first. Then the [`lattice`] draws exactly under the allowed counts of each
//! rank and the forbidden runs; where few worlds are possible it lists them all. Only what it cannot express (kickers that must be
//! pairs, fours with kickers, bombs that may not be split) is still rejected. If that fails too, a chain of swaps gives an
//! approximate world, which says so.

mod deals;
mod lattice;
mod limits;
mod possible;

use std::sync::OnceLock;

use kiebitz_core::{Rng, Seat};

use crate::belief::{Belief, Proof};
use crate::cards::{Cards, RANKS, Rank, above};
use crate::heavy::unseen_by;
use crate::options::Baodan;
use crate::plan::Rival;
use crate::reading::Class;
use crate::rules::Rules;
use crate::state::{Bird, LeadEvidence, MAX_SEATS, State};
use deals::{BUCKETS, Deals, KITTY_BUCKET};
use lattice::Lattice;
use limits::restrict;

pub(crate) use possible::contradiction;

/// Draws without regard to the proofs before the exact sampler is asked.
const REJECTIONS: u32 = 4;
/// Draws of the exact sampler before the approximate one is asked.
const TRIES: u32 = 2_000;
/// Swaps of the approximate sampler.
const SWAPS: u32 = 400;
/// So many worlds are listed instead of drawn.
pub const FEW_WORLDS: usize = 2_000;

/// Worlds are listed where the others together have no more cards.
const FEW_CARDS: u8 = 14;

/// How a world was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Nothing is proven: uniform.
    Uniform,
    /// Uniform, and everything proven happened to hold.
    Rejection,
    /// By the exact sampler.
    Exact,
    /// From the list of all worlds.
    Enumerated,
    /// By random swaps from some possible deal: not exactly the right distribution.
    Approximate,
    /// No world was found in which everything proven holds. Only a contradictory set-up does this.
    Contradiction,
}

/// One way the hidden cards may lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct World {
    /// The hands by seat; empty for the seat that looks and seats that hold nothing.
    pub hands: [Cards; MAX_SEATS],
    /// The cards dealt to nobody.
    pub kitty: Cards,
    /// How it was drawn.
    pub method: Method,
}

/// What is public of a position besides the own hand, as far as worlds depend on it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Position {
    seat: Seat,
    own: Option<Cards>,
    played: [Cards; MAX_SEATS],
    lengths: [u8; MAX_SEATS],
    leader: Seat,
    lead: LeadEvidence,
}

impl Position {
    fn of(state: &State, seat: Seat) -> Position {
        Position {
            seat,
            own: state.hand(seat),
            played: state.played,
            lengths: std::array::from_fn(|seat| state.hand_len(seat as Seat)),
            leader: state.leader(),
            lead: state.lead_evidence(),
        }
    }
}

/// Draws worlds for one seat in one position.
#[derive(Debug)]
pub struct Sampler {
    position: Position,
    /// Proofs about hidden hands.
    proofs: Vec<Proof>,
    deals: Vec<Deals>,
    lattice: OnceLock<Lattice>,
}

impl Sampler {
    /// The sampler for `seat`, which knows `belief`. Of `state` it reads only what the seat sees.
    pub fn new(rules: &Rules, state: &State, seat: Seat, belief: &Belief) -> Sampler {
        let hidden = |other: Seat| other < rules.players() && (other != seat || state.is_unknown(seat));
        let mut proofs: Vec<Proof> = belief.proofs().iter().filter(|proof| hidden(proof.seat)).copied().collect();
        limits::drop_implied(rules, &mut proofs);
        let deals = Deals::all(rules, state, seat, belief.own());
        Sampler { position: Position::of(state, seat), proofs, deals, lattice: OnceLock::new() }
    }

    /// Whether it was made for this position.
    pub(crate) fn is_for(&self, state: &State, seat: Seat) -> bool {
        self.position == Position::of(state, seat)
    }

    /// The proofs that restrict the hidden hands, without those that others imply.
    pub fn proofs(&self) -> &[Proof] {
        &self.proofs
    }

    /// Whether a world agrees with everything that is proven.
    pub fn allows(&self, rules: &Rules, hands: &[Cards; MAX_SEATS]) -> bool {
        self.proofs.iter().all(|proof| proof.allows(rules, hands[usize::from(proof.seat)]))
    }

    /// The most cards of each rank that a hidden hand may hold, out of `unseen`: what proofs say of single ranks is used.
    pub fn most(&self, rules: &Rules, seat: Seat, unseen: Cards) -> Cards {
        let length = self.position.lengths.get(usize::from(seat)).copied().unwrap_or(0);
        let mut allowed = [31; RANKS];
        for proof in self.proofs.iter().filter(|proof| proof.seat == seat) {
            restrict(rules, proof, length, &mut allowed);
        }
        let most = |rank: Rank| {
            let left = unseen.count(rank).min(length);
            (0..=left).rev().find(|&count| allowed[usize::from(rank)] >> count & 1 == 1).unwrap_or(0)
        };
        Cards::from_counts(std::array::from_fn(|rank| most(rank as Rank)))
    }

    /// A hidden hand in this position as far as it is known: out of the cards that `seat` does not see.
    pub(crate) fn rival(&self, rules: &Rules, state: &State, other: Seat) -> Rival {
        let unseen = unseen_by(rules, state, self.position.seat);
        Rival { most: self.most(rules, other, unseen), length: state.hand_len(other) }
    }

    fn lattice(&self, rules: &Rules) -> &Lattice {
        self.lattice.get_or_init(|| Lattice::new(rules, &self.deals, &self.proofs))
    }

    /// Draws a world.
    pub fn draw(&self, rules: &Rules, rng: &mut Rng) -> World {
        if self.proofs.is_empty() {
            return self.uniform(rng).world(Method::Uniform);
        }
        for _ in 0..REJECTIONS {
            let drawn = self.uniform(rng);
            if self.allows(rules, drawn.hands()) {
                return drawn.world(Method::Rejection);
            }
        }
        self.draw_exact(rules, rng)
    }

    /// Draws a world without trying plain draws first.
    pub fn draw_exact(&self, rules: &Rules, rng: &mut Rng) -> World {
        let lattice = self.lattice(rules);
        if let Some(drawn) = lattice.pick(rng) {
            return drawn.world(Method::Enumerated);
        }
        for _ in 0..TRIES {
            let Some(drawn) = lattice.draw(&self.deals, rng) else { break };
            if lattice.is_complete() || self.allows(rules, drawn.hands()) {
                return drawn.world(Method::Exact);
            }
        }
        self.approximate(rules, rng)
    }

    /// All worlds with their probabilities, if there are at most `most`.
    pub fn worlds(&self, rules: &Rules, most: usize) -> Option<Vec<(World, f64)>> {
        let lattice = self.lattice(rules);
        let listed = lattice.list(rules, &self.deals, &self.proofs, most)?;
        let total: f64 = listed.iter().map(|(_, weight)| weight).sum();
        Some(listed.into_iter().map(|(drawn, weight)| (drawn.world(Method::Enumerated), weight / total)).collect())
    }

    /// As [`Sampler::worlds`], but only looks where the others' cards are few: listing worlds takes long where there are many.
    pub(crate) fn few(&self, rules: &Rules, most: usize) -> Option<Vec<(World, f64)>> {
        let seat = self.position.seat;
        let others = (0..rules.players()).filter(|&other| other != seat);
        let hidden: u8 = others.map(|other| self.position.lengths[usize::from(other)]).sum();
        if hidden > FEW_CARDS || self.count(rules) > 4.0 * most as f64 {
            return None;
        }
        self.worlds(rules, most)
    }

    /// As [`Sampler::few`], of the hands of these seats only, however many cards others hold of whom nothing is proven: their
    /// cards lie in the kitty of the worlds, and their hands hold only what is certain.
    pub(crate) fn few_of(&self, rules: &Rules, seats: &[Seat], most: usize) -> Option<Vec<(World, f64)>> {
        let others = (0..rules.players()).filter(|other| *other != self.position.seat && !seats.contains(other));
        let aside: Vec<Seat> = others.filter(|&other| self.proofs.iter().all(|proof| proof.seat != other)).collect();
        if aside.iter().all(|&other| self.position.lengths[usize::from(other)] == 0) {
            return self.few(rules, most);
        }
        let mut position = self.position;
        let mut deals = self.deals.clone();
        for &other in &aside {
            let place = usize::from(other);
            position.lengths[place] = 0;
            for deals in &mut deals {
                deals.sizes[KITTY_BUCKET] += std::mem::take(&mut deals.sizes[place]);
            }
        }
        let part = Sampler { position, proofs: self.proofs.clone(), deals, lattice: OnceLock::new() };
        part.few(rules, most)
    }

    /// How many worlds agree with the allowed counts and runs: an upper bound of the possible ones.
    pub fn count(&self, rules: &Rules) -> f64 {
        self.lattice(rules).count()
    }

    /// A deal without regard to the proofs.
    fn uniform(&self, rng: &mut Rng) -> Drawn {
        let deals = match self.deals.as_slice() {
            [only] => only,
            several => {
                let total: f64 = several.iter().map(Deals::mass).sum();
                let mut u = rng.unit() * total;
                let found = several.iter().find(|deals| {
                    u -= deals.mass();
                    u < 0.0
                });
                match found.or(several.last()) {
                    Some(deals) => deals,
                    None => return Drawn::default(),
                }
            }
        };
        deals.draw(rng)
    }

    /// Swaps of single cards between hidden hands, starting from the deal with the fewest broken proofs that was found.
    fn approximate(&self, rules: &Rules, rng: &mut Rng) -> World {
        let broken = |drawn: &Drawn| {
            self.proofs.iter().filter(|proof| !proof.allows(rules, drawn.hands()[usize::from(proof.seat)])).count()
        };
        let lattice = self.lattice(rules);
        let mut best = lattice.draw(&self.deals, rng).unwrap_or_else(|| self.uniform(rng));
        let mut worst = broken(&best);
        for _ in 0..10 * SWAPS {
            let swapped = best.swap(rng);
            let after = broken(&swapped);
            if after <= worst {
                (best, worst) = (swapped, after);
            }
            if worst == 0 {
                break;
            }
        }
        if worst > 0 {
            return best.world(Method::Contradiction);
        }
        for _ in 0..SWAPS {
            let swapped = best.swap(rng);
            if broken(&swapped) == 0 {
                best = swapped;
            }
        }
        best.world(Method::Approximate)
    }

    /// Puts a world into a state of this position: the hands, and what else is hidden.
    pub(crate) fn put(&self, rules: &Rules, world: &World, state: &mut State, rng: &mut Rng) {
        let seat = self.position.seat;
        for other in 0..rules.players() {
            if other != seat || state.is_unknown(other) {
                state.set_hand(other, world.hands[usize::from(other)]);
            }
        }
        if let Some(bird) = rules.options().bird
            && state.bird() != Bird::Dealt(seat)
        {
            let held = match state.lead_evidence() {
                LeadEvidence::HoldsCard | LeadEvidence::PlayedCard => Some(Bird::Dealt(state.leader())),
                LeadEvidence::Lowest | LeadEvidence::NobodyHolds => Some(Bird::Nowhere),
                LeadEvidence::Nothing => None,
            };
            let held = held.filter(|_| bird == rules.options().lead_card);
            state.set_bird(held.unwrap_or_else(|| self.draw_bird(rules, state, bird.rank(), rng)));
        }
        // A single before the next seat's last card is an offence when a higher card is held: see who may hold one.
        if rules.options().baodan == Baodan::Liability
            && let (0, Some((_, reading, owner))) = (state.passes(), state.trick())
            && owner != seat
            && reading.class == Class::Single
        {
            let next = state.next_holding(owner, rules.players());
            let higher = state.hand(owner).is_some_and(|hand| hand.ge1() & above(reading.key) != 0);
            state.set_offence((higher && state.hand_len(next) == 1).then_some(owner));
        }
    }

    /// The bird card is one of those of its rank that the seat was not dealt, each equally likely.
    fn draw_bird(&self, rules: &Rules, state: &State, rank: Rank, rng: &mut Rng) -> Bird {
        let dealt = |seat: Seat| {
            let hand = state.hand(seat).map_or(0, |hand| hand.count(rank));
            usize::from(hand + state.played(seat).count(rank))
        };
        let all = usize::from(rules.deck_counts().count(rank));
        let others = all.saturating_sub(dealt(self.position.seat));
        if others == 0 {
            return Bird::Nowhere;
        }
        let mut place = rng.below(others);
        for seat in (0..rules.players()).filter(|&seat| seat != self.position.seat) {
            match place.checked_sub(dealt(seat)) {
                Some(left) => place = left,
                None => return Bird::Dealt(seat),
            }
        }
        Bird::Nowhere
    }
}

/// The cards of each bucket: the seats, then the kitty.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Drawn {
    seats: [Cards; MAX_SEATS],
    kitty: Cards,
    /// Cards that may not move: forced ones are part of the hands too.
    forced: [Cards; BUCKETS],
}

impl Drawn {
    fn hands(&self) -> &[Cards; MAX_SEATS] {
        &self.seats
    }

    fn world(&self, method: Method) -> World {
        World { hands: self.seats, kitty: self.kitty, method }
    }

    fn bucket(&self, bucket: usize) -> Cards {
        self.seats.get(bucket).copied().unwrap_or(self.kitty)
    }

    fn set_bucket(&mut self, bucket: usize, cards: Cards) {
        match self.seats.get_mut(bucket) {
            Some(place) => *place = cards,
            None => self.kitty = cards,
        }
    }

    /// With two random free cards of two buckets exchanged: every card equally likely, so the chain keeps uniform deals.
    fn swap(&self, rng: &mut Rng) -> Drawn {
        let free = |bucket: usize| self.bucket(bucket).minus(self.forced[bucket]);
        let filled: Vec<usize> = (0..BUCKETS).filter(|&bucket| !free(bucket).is_empty()).collect();
        if filled.len() < 2 {
            return *self;
        }
        let a = filled[rng.below(filled.len())];
        let b = filled[rng.below(filled.len())];
        let mut take = |bucket: usize| {
            let cards = free(bucket);
            let mut place = rng.below(usize::from(cards.len())) as u8;
            let counts = cards.counts();
            let rank = counts.iter().position(|&count| {
                let here = place < count;
                place = place.saturating_sub(count);
                here
            });
            Cards::of(rank.unwrap_or(0) as Rank, 1)
        };
        if a == b {
            return *self;
        }
        let (from_a, from_b) = (take(a), take(b));
        let mut swapped = *self;
        swapped.set_bucket(a, self.bucket(a).minus(from_a).plus(from_b));
        swapped.set_bucket(b, self.bucket(b).minus(from_b).plus(from_a));
        swapped
    }
}
