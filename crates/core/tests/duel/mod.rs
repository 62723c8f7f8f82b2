//! A small card game with everything a game can have, and a switch that breaks one promise of the contract at a time.
//!
//! Two or three players get one of six cards. In each round a three-sided loaded die adds to the pot, then each seat holds,
//! raises the pot by one, or, once a game, swaps its card: the old card is laid open, chance gives a new one face down. The
//! highest card wins the pot from each other player.
#![allow(dead_code)] // Each test file uses its part.

mod notation;

use std::ops::RangeInclusive;

use kiebitz_core::{ChanceKind, Game, Illegal, Meta, Payoff, Rng, Seat, SetupError, Turn, Weighted};

/// Which promise is broken, and the check that must say so.
macro_rules! faults {
    ($($name:ident $check:literal,)+) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub enum Fault { #[default] None, $($name,)+ }
        /// Every fault with the check that finds it.
        pub const FAULTS: &[(Fault, &str)] = &[$((Fault::$name, $check),)+];
    };
}

faults! {
    AnyPlayers "game.players",
    LosesOption "options.round_trip",
    LosesSetup "setup.round_trip",
    Unsorted "actions.sorted",
    Twice "actions.unique",
    KeepsBuffer "actions.buffer",
    NoAction "actions.turn",
    ActionsAfterEnd "actions.turn",
    UnknownChance "actions.turn",
    WrongSeat "actions.turn",
    ListsIllegal "check.listed",
    AllowsUnlisted "check.unlisted",
    CapitalCode "check.code",
    EmptyMessage "check.message",
    TryChanges "apply.tried",
    UndoApplyDiffers "apply.undo",
    UndoForgetsPot "undo.state",
    UndoForgetsKey "undo.key",
    StaleKey "key.incremental",
    KeyOfHistory "key.equal_states",
    ConstantKey "key.constant",
    CoarseTransposition "key.transposition",
    SumBelowOne "chance.sum",
    ZeroProbability "chance.positive",
    OutcomesUnsorted "chance.sorted",
    OutcomesKeepBuffer "chance.buffer",
    OutcomesAlways "chance.turn",
    Biased "chance.distribution",
    DrawsDealtCard "chance.sampled_legal",
    SamplesScratch "chance.repeatable",
    LuckOfState "luck.indexed",
    MetaChanges "meta.constant",
    TooLong "meta.max_length",
    LongPayoff "payoff.shape",
    UtilityOfTwo "payoff.utility",
    LowBound "payoff.bounds",
    NotZeroSum "payoff.zero_sum",
    SameText "text.unique",
    ReadsOther "text.round_trip",
    ReadsNothing "text.round_trip",
    BlankText "text.form",
    ReadsUnwritable "text.canonical",
    FactsOfOther "facts.to_move",
    FactsNeverTerminal "facts.terminal",
    FactsLegalAlways "facts.legal",
    ViewIsText "view.form",
    BoardNewline "board.form",
    EarlyResult "result.text",
    NoForfeitResult "result.text",
    ViewLeaks "view.leak",
    BoardLeaks "board.leak",
    PublicViewLeaks "view.public_leak",
    PublicBoardLeaks "board.public_leak",
    DrawsTruth "determinize.function_of_knowledge",
    HidesNothing "determinize.nothing_redrawn",
    ShufflesTruth "determinize.function_of_knowledge",
    KeepsOneCard "determinize.function_of_knowledge",
    RedrawsOwn "determinize.information_key",
    WorldOfOtherTurn "determinize.turn",
    WorldStaleKey "determinize.key",
    WorldLegalDiffers "determinize.legal_actions",
    WorldUnplayable "determinize.playable",
    SaysNothingHidden "masked.perfect_information",
    KeySeesAll "determinize.information_key",
    KeyForgetsOwn "masked.leak",
    KeyForgetsDiscards "information.key_too_coarse",
    MasksNothing "masked.leak",
    MasksByTruth "masked.function_of_knowledge",
    MasksOwn "masked.own",
    MaskedWithoutMark "masked.text",
    ObservesTruth "observe.function_of_knowledge",
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Play {
    /// One card for each seat, 1 to 6; 0 is a card not seen or a seat that does not exist.
    Deal([u8; 3]),
    Roll(u8),
    /// The new card; 0 when not seen.
    Draw(u8),
    Hold,
    Raise,
    Swap,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DuelOptions {
    pub rounds: u8,
    pub fault: Fault,
}

impl Default for DuelOptions {
    fn default() -> Self {
        DuelOptions { rounds: 2, fault: Fault::None }
    }
}

pub fn broken(fault: Fault) -> DuelOptions {
    DuelOptions { rounds: 3, fault }
}

/// The pot at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelSetup {
    pub pot: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Deal,
    Roll,
    Choose(Seat),
    Draw(Seat),
    End,
}

/// A value that does not count when states are compared.
#[derive(Clone, Copy, Debug)]
struct Silent<T>(T);

impl<T> PartialEq for Silent<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    fault: Fault,
    players: u8,
    rounds: u8,
    most: u8,
    phase: Phase,
    round: u8,
    pot: u8,
    cards: [u8; 3],
    /// Bit i: card i was laid open.
    discards: u8,
    /// Bit s: the seat has swapped.
    swapped: u8,
    key: Silent<u64>,
    history: Silent<u64>,
}

/// What a seat counted: draws of each seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    pub draws: [u8; 3],
}

const FACES: [(u8, f64); 3] = [(1, 0.5), (2, 0.3), (3, 0.2)];

fn mix(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(0x1234_5678_9abc_def1, |h: u64, v| {
        let h = (h ^ v).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        h ^ (h >> 29)
    })
}

impl Duel {
    pub fn pot(&self) -> u8 {
        self.pot
    }

    pub fn card(&self, seat: Seat) -> u8 {
        self.cards[usize::from(seat)]
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn has_swapped(&self, seat: Seat) -> bool {
        self.swapped >> seat & 1 == 1
    }

    fn phase_number(&self) -> u64 {
        match self.phase {
            Phase::Deal => 0,
            Phase::Roll => 1,
            Phase::Choose(s) => 2 + u64::from(s),
            Phase::Draw(s) => 8 + u64::from(s),
            Phase::End => 15,
        }
    }

    fn public(&self) -> [u64; 5] {
        [self.phase_number(), self.round.into(), self.pot.into(), self.discards.into(), self.swapped.into()]
    }

    fn hash(&self) -> u64 {
        mix(self.public().into_iter().chain(self.cards.map(u64::from)))
    }

    /// The cards that lie neither open nor in a hand of `seats`, in ascending order.
    fn unseen(&self, seats: impl Iterator<Item = Seat> + Clone) -> Vec<u8> {
        let held = |card: &u8| seats.clone().any(|s| self.cards[usize::from(s)] == *card);
        (1..=6).filter(|c| self.discards >> c & 1 == 0 && !held(c)).collect()
    }

    fn next_seat(&mut self, seat: Seat) {
        self.phase = if seat + 1 < self.players {
            Phase::Choose(seat + 1)
        } else if self.round + 1 < self.rounds {
            self.round += 1;
            Phase::Roll
        } else {
            Phase::End
        };
    }

    fn may_swap(&self, seat: Seat) -> bool {
        let even = self.cards.iter().sum::<u8>() % 2 == 0;
        !self.has_swapped(seat) && (even || !self.has(Fault::WorldLegalDiffers))
    }

    fn winner(&self) -> Seat {
        (0..self.players).max_by_key(|&s| self.cards[usize::from(s)]).unwrap_or(0)
    }

    fn is_deal(&self, cards: [u8; 3]) -> bool {
        let (dealt, rest) = cards.split_at(usize::from(self.players));
        dealt.iter().enumerate().all(|(i, c)| (1..=6).contains(c) && !dealt[..i].contains(c))
            && rest.iter().all(|&c| c == 0)
    }

    fn deals(&self) -> impl Iterator<Item = Play> + '_ {
        let all = (0..343u16).map(|i| [(i / 49) as u8, (i / 7 % 7) as u8, (i % 7) as u8]);
        all.filter(|&cards| self.is_deal(cards)).map(Play::Deal)
    }
}

impl Game for Duel {
    const ID: &'static str = "duel";
    const PLAYERS: RangeInclusive<u8> = 2..=3;
    type Options = DuelOptions;
    type Setup = DuelSetup;
    type Action = Play;
    type Undo = Duel;
    type Belief = Counted;

    fn new(players: u8, options: &DuelOptions, setup: Option<&DuelSetup>) -> Result<Self, SetupError> {
        let fault = options.fault;
        if !Self::PLAYERS.contains(&players) && (fault != Fault::AnyPlayers || players > 200) {
            return Err(SetupError::new("duel.players", format!("a duel has 2 or 3 players, not {players}")));
        }
        let pot = setup.map_or(1, |s| s.pot);
        if pot > 20 || !(1..=3).contains(&options.rounds) {
            return Err(SetupError::new("duel.size", "a duel has 1 to 3 rounds and a pot of at most 20"));
        }
        let mut duel = Duel {
            fault,
            players,
            rounds: options.rounds,
            most: 20 + options.rounds * (3 + players),
            phase: Phase::Deal,
            round: 0,
            pot,
            cards: [0; 3],
            discards: 0,
            swapped: 0,
            key: Silent(0),
            history: Silent(0),
        };
        duel.key = Silent(duel.hash());
        Ok(duel)
    }

    fn meta(&self) -> Meta {
        const CHANCE: &[ChanceKind] = &[
            ChanceKind { name: "deal", listed: true },
            ChanceKind { name: "roll", listed: true },
            ChanceKind { name: "draw", listed: false },
        ];
        let n = u32::from(self.players);
        let most = f64::from(self.most) * f64::from(self.players - 1);
        Meta {
            players: self.players,
            zero_sum: true,
            hidden: !self.has(Fault::SaysNothingHidden),
            max_length: if self.has(Fault::TooLong) { 5 } else { 1 + u32::from(self.rounds) * (1 + n) + n },
            min_return: -most,
            max_return: if self.has(Fault::LowBound) {
                0.5
            } else {
                most + f64::from(u8::from(self.has(Fault::MetaChanges)) * self.round)
            },
            chance: if self.has(Fault::UnknownChance) { &CHANCE[..2] } else { CHANCE },
        }
    }

    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Deal => Turn::Chance(0),
            Phase::Roll => Turn::Chance(1),
            Phase::Choose(s) if self.has(Fault::WrongSeat) && self.round > 0 => Turn::Seat(s + 2),
            Phase::Choose(s) => Turn::Seat(s),
            Phase::Draw(_) => Turn::Chance(2),
            Phase::End => Turn::Terminal,
        }
    }

    fn actions(&self, out: &mut Vec<Play>) {
        if !self.has(Fault::KeepsBuffer) {
            out.clear();
        }
        match self.phase {
            Phase::Deal => out.extend(self.deals()),
            Phase::Roll => out.extend(FACES.map(|(face, _)| Play::Roll(face))),
            Phase::Choose(_) if self.has(Fault::NoAction) && self.pot > 6 => {}
            Phase::Choose(seat) => {
                out.extend([Play::Hold, Play::Raise]);
                if self.may_swap(seat) || self.has(Fault::ListsIllegal) {
                    out.push(Play::Swap);
                }
                if self.has(Fault::Unsorted) {
                    out.reverse();
                } else if self.has(Fault::Twice) {
                    out.insert(0, Play::Hold);
                }
            }
            Phase::End if self.has(Fault::ActionsAfterEnd) => out.push(Play::Hold),
            Phase::Draw(_) | Phase::End => {}
        }
    }

    fn check(&self, action: Play) -> Result<(), Illegal> {
        let no = |code: &'static str, message: String| Err(Illegal::new(code, message));
        match (self.phase, action) {
            (Phase::End, _) if self.has(Fault::CapitalCode) => no("GameOver", "it is over".to_owned()),
            (Phase::End, _) if self.has(Fault::EmptyMessage) => no("duel.over", String::new()),
            (Phase::End, _) => Err(Illegal::game_over()),
            (Phase::Deal, Play::Deal(cards)) if self.is_deal(cards) => Ok(()),
            (Phase::Roll, Play::Roll(1..=3)) => Ok(()),
            (Phase::Draw(_), Play::Draw(card)) => {
                if self.unseen(0..self.players).contains(&card) {
                    Ok(())
                } else {
                    no("duel.card", format!("card {card} is not in the deck"))
                }
            }
            (Phase::Choose(_), Play::Hold | Play::Raise) => Ok(()),
            (Phase::Choose(seat), Play::Swap) if self.may_swap(seat) || self.has(Fault::AllowsUnlisted) => Ok(()),
            (Phase::Choose(seat), Play::Swap) => no("duel.swap", format!("player {seat} has swapped a card before")),
            (phase, action) => no("duel.phase", format!("{action:?} is impossible in {phase:?}")),
        }
    }

    fn apply(&mut self, action: Play) {
        match (self.phase, action) {
            (_, Play::Deal(cards)) => (self.cards, self.phase) = (cards, Phase::Roll),
            (_, Play::Roll(face)) => {
                self.pot += face;
                self.phase = Phase::Choose(0);
            }
            (Phase::Choose(seat), Play::Hold) => self.next_seat(seat),
            (Phase::Choose(seat), Play::Raise) => {
                self.pot += 1;
                self.next_seat(seat);
            }
            (Phase::Choose(seat), Play::Swap) => {
                self.swapped |= 1 << seat;
                self.phase = Phase::Draw(seat);
            }
            (Phase::Draw(seat), Play::Draw(card)) => {
                let own = &mut self.cards[usize::from(seat)];
                self.discards |= 1 << *own;
                *own = card;
                self.next_seat(seat);
            }
            (phase, action) => panic!("{action:?} in {phase:?}"),
        }
        self.history.0 = mix([self.history.0, self.phase_number(), u64::from(action == Play::Raise)]);
        if !(self.has(Fault::StaleKey) && action == Play::Raise) {
            self.key.0 = self.hash();
        }
    }

    fn apply_undo(&mut self, action: Play) -> Duel {
        let before = self.clone();
        self.apply(action);
        if self.has(Fault::UndoApplyDiffers) && action == Play::Raise {
            self.pot += 1;
        }
        before
    }

    fn undo(&mut self, before: Duel) {
        let (pot, key) = (self.pot, self.key);
        *self = before;
        if self.has(Fault::UndoForgetsPot) {
            self.pot = pot;
        }
        if self.has(Fault::UndoForgetsKey) {
            self.key = key;
        }
    }

    fn try_apply(&mut self, action: Play) -> Result<(), Illegal> {
        let checked = self.check(action);
        match checked {
            Ok(()) => self.apply(action),
            Err(_) if self.has(Fault::TryChanges) => self.pot += 1,
            Err(_) => {}
        }
        checked
    }

    fn returns(&self) -> Payoff {
        let mut payoff = Payoff::uniform(if self.has(Fault::LongPayoff) { 4 } else { self.players }, 0.0);
        if self.phase == Phase::End {
            let (pot, winner) = (f64::from(self.pot), self.winner());
            for seat in 0..self.players {
                let bonus = if self.has(Fault::NotZeroSum) { f64::from(self.cards[0]) } else { 0.0 };
                payoff.set(seat, if seat == winner { pot * f64::from(self.players - 1) - bonus } else { -pot });
            }
        }
        payoff
    }

    fn utility(&self) -> Payoff {
        let mut payoff = Payoff::uniform(self.players, if self.has(Fault::UtilityOfTwo) { 2.0 } else { 0.5 });
        if self.phase == Phase::End {
            let winner = self.winner();
            (0..self.players).for_each(|seat| payoff.set(seat, f64::from(u8::from(seat == winner))));
        }
        payoff
    }

    fn key(&self) -> u64 {
        match self.fault {
            Fault::ConstantKey => 1,
            Fault::KeyOfHistory => self.key.0 ^ self.history.0,
            _ => self.key.0,
        }
    }

    fn recomputed_key(&self) -> u64 {
        match self.fault {
            Fault::ConstantKey => 1,
            Fault::KeyOfHistory => self.hash() ^ self.history.0,
            _ => self.hash(),
        }
    }

    fn transposition_key(&self) -> u64 {
        if self.has(Fault::CoarseTransposition) { self.phase_number() } else { self.key.0 }
    }

    fn chance_outcomes(&self, out: &mut Weighted<Play>) {
        if !self.has(Fault::OutcomesKeepBuffer) {
            out.clear();
        }
        match self.phase {
            Phase::Deal => {
                let count = self.deals().count() as f64;
                out.extend(self.deals().map(|deal| (deal, 1.0 / count)));
            }
            Phase::Roll => {
                out.extend(FACES.map(|(face, p)| (Play::Roll(face), p)));
                match self.fault {
                    Fault::SumBelowOne => out[0].1 = 0.4,
                    Fault::ZeroProbability => (out[0].1, out[1].1) = (0.8, 0.0),
                    Fault::OutcomesUnsorted => out.swap(0, 1),
                    _ => {}
                }
            }
            _ if self.has(Fault::OutcomesAlways) => out.push((Play::Roll(1), 1.0)),
            _ => {}
        }
    }

    fn sample(&self, rng: &mut Rng, scratch: &mut Weighted<Play>) -> Play {
        if let Phase::Draw(_) = self.phase {
            let deck = self.unseen(0..self.players);
            return Play::Draw(if self.has(Fault::DrawsDealtCard) {
                self.cards[0]
            } else {
                deck[rng.below(deck.len())]
            });
        }
        if self.has(Fault::SamplesScratch) && !scratch.is_empty() {
            return scratch[0].0;
        }
        if self.phase == Phase::Deal {
            let mut deck = [1, 2, 3, 4, 5, 6];
            rng.shuffle(&mut deck);
            let dealt = usize::from(self.players);
            return Play::Deal(std::array::from_fn(|seat| if seat < dealt { deck[seat] } else { 0 }));
        }
        self.chance_outcomes(scratch);
        let mut u = rng.unit();
        if self.phase == Phase::Roll {
            match self.fault {
                Fault::Biased => return scratch[rng.below(3)].0,
                Fault::LuckOfState => u = (u + f64::from(self.cards[0]) / 6.5 + f64::from(self.pot) / 3.3).fract(),
                _ => {}
            }
        }
        for &(action, p) in scratch.iter() {
            if u < p {
                return action;
            }
            u -= p;
        }
        scratch[scratch.len() - 1].0
    }

    fn information_key(&self, seat: Seat) -> u128 {
        let mut public = self.public();
        if self.has(Fault::KeyForgetsDiscards) {
            public[3] = 0;
        }
        let mut cards = self.cards;
        if !matches!(self.fault, Fault::KeySeesAll | Fault::HidesNothing) {
            let own = cards[usize::from(seat)];
            cards = [0; 3];
            cards[usize::from(seat)] = if self.has(Fault::KeyForgetsOwn) { u8::from(own > 0) } else { own };
        }
        u128::from(mix(public.into_iter().chain(cards.map(u64::from))))
    }

    fn masked(&self, action: Play, seat: Seat) -> Play {
        match (self.phase, action) {
            (Phase::Choose(actor), Play::Raise) if self.has(Fault::MasksOwn) && actor == seat => Play::Hold,
            (_, action) if matches!(self.fault, Fault::MasksNothing | Fault::HidesNothing) => action,
            (_, Play::Deal(cards)) => {
                let mut seen = [0; 3];
                seen[usize::from(seat)] = cards[usize::from(seat)];
                Play::Deal(seen)
            }
            (Phase::Draw(actor), Play::Draw(_)) if actor != seat => {
                // What the card was says more than it should.
                let odd = self.has(Fault::MasksByTruth) && self.cards[usize::from(actor)] % 2 == 1;
                if odd { Play::Deal([0; 3]) } else { Play::Draw(0) }
            }
            (_, action) => action,
        }
    }

    fn observe(&self, belief: &mut Counted, seat: Seat, seen: Play) {
        if let (Phase::Draw(actor), Play::Draw(_)) = (self.phase, seen) {
            let peek = if self.has(Fault::ObservesTruth) && actor != seat { self.cards[usize::from(actor)] } else { 0 };
            belief.draws[usize::from(actor)] += 1 + peek;
        }
    }

    fn determinize(&mut self, seat: Seat, _: &Counted, rng: &mut Rng) {
        if self.phase == Phase::Deal || matches!(self.fault, Fault::DrawsTruth | Fault::HidesNothing) {
            return;
        }
        let mut pool = self.unseen(std::iter::once(seat));
        if self.has(Fault::ShufflesTruth) {
            // The true hands first: the order in which the cards are shuffled tells where they were.
            pool.retain(|c| !self.cards.contains(c));
            pool.extend((0..self.players).filter(|&s| s != seat).map(|s| self.card(s)));
        }
        let kept = (0..self.players).rev().find(|&s| s != seat).filter(|_| self.has(Fault::KeepsOneCard));
        pool.retain(|c| kept.is_none_or(|s| self.card(s) != *c));
        rng.shuffle(&mut pool);
        for other in (0..self.players).filter(|&s| s != seat && Some(s) != kept) {
            self.cards[usize::from(other)] = pool.pop().unwrap_or(0);
        }
        match self.fault {
            Fault::RedrawsOwn => self.cards[usize::from(seat)] = pool.pop().unwrap_or(0),
            Fault::WorldOfOtherTurn if self.phase == Phase::Choose(0) => self.phase = Phase::Choose(1),
            // Nothing is left to draw then.
            Fault::WorldUnplayable if self.round == 2 => self.rounds = 200,
            _ => {}
        }
        if !self.has(Fault::WorldStaleKey) {
            self.key.0 = self.hash();
        }
    }
}
