//! What a seat knows besides the state: its own cards with suits, and what passes and singles prove of the others' hands.

use std::sync::{Arc, OnceLock};

use kiebitz_core::{Rng, Seat};

use crate::action::{Action, ActionKind, Deal};
use crate::cards::{CardSet, Cards, Rank};
use crate::options::Baodan;
use crate::reading::Reading;
use crate::rules::Rules;
use crate::sampler::{Sampler, World};
use crate::state::{Phase, State};

/// Why a hand is restricted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The seat passed on a trick that it would have had to beat.
    Passed(Reading),
    /// The seat played a single of this rank when it had to play its highest one.
    HighestSingle(Rank),
    /// The seat played a part of a rank where bombs may not be split: it did not hold a bomb of it.
    KeptBombs,
}

/// One proof. It holds of the hand *at that time*: the present hand and what the seat has played since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Whose hand.
    pub seat: Seat,
    /// Why.
    pub evidence: Evidence,
    /// The play that the seat passed on, or what it played itself.
    pub on: Cards,
    /// In which trick of the deal, from 1; 0 when a set-up does not say.
    pub trick: u8,
    /// What the seat has played since, with the play itself where that is the evidence.
    pub since: Cards,
}

impl Proof {
    /// Whether the seat may hold `hand` now.
    #[inline]
    pub fn allows(&self, rules: &Rules, hand: Cards) -> bool {
        let then = hand.plus(self.since);
        match &self.evidence {
            Evidence::Passed(trick) if rules.options().must_beat_bombs => !rules.can_beat(then, trick),
            Evidence::Passed(trick) => !rules.can_beat_without_bomb(then, trick),
            Evidence::HighestSingle(rank) => rules.single_ranks(then, Some(*rank)) == 0,
            Evidence::KeptBombs => rules.keeps_bombs(then, self.on),
        }
    }
}

/// An action of another seat with the position in which it was chosen, as everybody saw it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The position before it; the hands in it are unknown.
    pub state: State,
    /// What was played.
    pub action: Action,
}

/// The decisions of a deal, the last one first; what came before is shared by all that go on from there.
#[derive(Debug)]
struct Past {
    decision: Decision,
    before: Option<Arc<Past>>,
}

/// Worlds that stand for a belief in one position, each as likely as the others.
#[derive(Debug)]
struct Particles {
    sampler: Arc<Sampler>,
    worlds: Vec<World>,
}

/// What a seat knows besides the state.
#[derive(Clone, Default)]
pub struct Belief {
    /// The cards the seat was dealt, with suits; `None` after a set-up.
    own: Option<CardSet>,
    proofs: Vec<Proof>,
    /// Tricks of this deal so far.
    tricks: u8,
    /// The sampler of the position in which one was last asked for. A function of the rest and of the position.
    sampler: OnceLock<Arc<Sampler>>,
    /// What the others chose in this deal; the proofs follow from it too.
    past: Option<Arc<Past>>,
    /// Worlds to draw from instead, while the position stays.
    particles: Option<Arc<Particles>>,
}

impl PartialEq for Belief {
    fn eq(&self, other: &Self) -> bool {
        self.own == other.own && self.proofs == other.proofs && self.tricks == other.tricks
    }
}

impl std::fmt::Debug for Belief {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut f = f.debug_struct("Belief");
        f.field("own", &self.own).field("proofs", &self.proofs).field("tricks", &self.tricks).finish()
    }
}

impl Belief {
    /// A belief with these proofs, from a set-up.
    pub fn with_proofs(proofs: Vec<Proof>) -> Belief {
        Belief { proofs, ..Belief::default() }
    }

    /// What of it every seat knows: the proofs, which follow from plays before all eyes, without the own cards.
    pub fn public(&self) -> Belief {
        Belief { proofs: self.proofs.clone(), tricks: self.tricks, ..Belief::default() }
    }

    /// All proofs of this deal, about every seat, in the order in which they came.
    pub fn proofs(&self) -> &[Proof] {
        &self.proofs
    }

    /// The cards the seat was dealt, with suits.
    pub fn own(&self) -> Option<CardSet> {
        self.own
    }

    /// What the other seats chose in this deal, the last one first; forced actions are among them.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        std::iter::successors(self.past.as_deref(), |past| past.before.as_deref()).map(|past| &past.decision)
    }

    /// From now on worlds of this position are drawn from these, each equally likely.
    pub(crate) fn draw_from(&mut self, rules: &Rules, state: &State, seat: Seat, worlds: Vec<World>) {
        if !worlds.is_empty() {
            self.particles = Some(Arc::new(Particles { sampler: self.sampler(rules, state, seat), worlds }));
        }
    }

    /// Draws a world of the position that `sampler` is for.
    pub(crate) fn draw(&self, rules: &Rules, sampler: &Sampler, state: &State, seat: Seat, rng: &mut Rng) -> World {
        match &self.particles {
            Some(particles) if particles.sampler.is_for(state, seat) => {
                particles.worlds[rng.below(particles.worlds.len())]
            }
            _ => sampler.draw(rules, rng),
        }
    }

    /// Drops the sampler that is kept for the present position; what is drawn does not change, only the time it takes.
    pub fn forget_sampler(&mut self) {
        self.sampler = OnceLock::new();
    }

    /// The sampler for `seat` in this position; kept, for a search asks for many worlds of one position.
    pub(crate) fn sampler(&self, rules: &Rules, state: &State, seat: Seat) -> Arc<Sampler> {
        let make = || Arc::new(Sampler::new(rules, state, seat, self));
        let kept = self.sampler.get_or_init(make);
        if kept.is_for(state, seat) { Arc::clone(kept) } else { make() }
    }

    /// Takes in an action as the seat sees it, before it is applied.
    pub(crate) fn observe(&mut self, rules: &Rules, state: &State, seat: Seat, seen: Action) {
        self.sampler = OnceLock::new();
        self.particles = None;
        if seen.is_play_or_pass() && state.phase() == Phase::Play && state.to_move() != seat {
            let decision = Decision { state: state.public(rules.players()), action: seen };
            self.past = Some(Arc::new(Past { decision, before: self.past.take() }));
        }
        match seen.kind(rules.deck()) {
            ActionKind::Deal(deal) => {
                *self = Belief::default();
                self.own = match deal {
                    Deal::Masked { known: Some((own, cards)) } if own == seat => Some(cards),
                    Deal::Open { hands, .. } => hands.get(usize::from(seat)).copied(),
                    Deal::Masked { .. } => None,
                };
            }
            ActionKind::Leader(_) => {}
            ActionKind::Pass | ActionKind::Play(_) if state.phase() != Phase::Play => {}
            ActionKind::Pass => {
                let (Some((on, trick, _)), true) = (state.trick(), rules.options().must_beat) else { return };
                let evidence = Evidence::Passed(trick);
                self.proofs.push(Proof {
                    seat: state.to_move(),
                    evidence,
                    on,
                    trick: self.tricks,
                    since: Cards::EMPTY,
                });
            }
            ActionKind::Play(cards) => {
                self.tricks = self.tricks.saturating_add(u8::from(state.trick().is_none()));
                let mover = state.to_move();
                let must_max = rules.options().baodan == Baodan::MustMax && state.next_has_one(rules.players());
                if let (true, true, false, Some(rank)) =
                    (must_max, cards.is_one(), state.include_duty(), cards.lowest_rank())
                {
                    let (evidence, since) = (Evidence::HighestSingle(rank), Cards::EMPTY);
                    self.proofs.push(Proof { seat: mover, evidence, on: cards, trick: self.tricks, since });
                }
                if rules.may_split(cards) {
                    let (evidence, since) = (Evidence::KeptBombs, Cards::EMPTY);
                    self.proofs.push(Proof { seat: mover, evidence, on: cards, trick: self.tricks, since });
                }
                for proof in self.proofs.iter_mut().filter(|proof| proof.seat == mover) {
                    proof.since = proof.since.plus(cards);
                }
            }
        }
    }
}
