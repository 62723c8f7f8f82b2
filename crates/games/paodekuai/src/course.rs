//! The course of a deal (section 5 of the rules): who leads, plays, passes, the end of tricks and deals.

use kiebitz_core::{Illegal, Seat};

use crate::action::{Action, ActionKind, Deal};
use crate::cards::{Cards, above};
use crate::options::{Baodan, End, Fallback, Lead};
use crate::reading::{Class, Reading, includes};
use crate::rules::Rules;
use crate::state::{Bird, LeadEvidence, Phase, State};

impl State {
    /// Plays an action that is possible.
    #[inline]
    pub(crate) fn apply(&mut self, rules: &Rules, action: Action) {
        if action.is_play_or_pass() {
            if action.is_pass() {
                self.apply_pass(rules)
            } else {
                self.apply_play(rules, action.cards())
            }
            return;
        }
        match action.kind(rules.deck()) {
            ActionKind::Leader(seat) => {
                // Chance names a leader only where nobody holds the lead card.
                self.lead = LeadEvidence::NobodyHolds;
                self.start(seat);
            }
            ActionKind::Deal(deal) => self.apply_deal(rules, &deal),
            ActionKind::Pass | ActionKind::Play(_) => {}
        }
    }

    /// How a play of the seat to move is read; `None` when it is no combination or does not beat the trick.
    #[inline]
    pub(crate) fn read(&self, rules: &Rules, play: Cards) -> Option<Reading> {
        let empties = play.len() == self.hand_len(self.turn);
        match &self.trick {
            None => rules.lead_reading(play, empties),
            Some(trick) => rules.follow_reading(play, trick, empties),
        }
    }

    fn apply_deal(&mut self, rules: &Rules, deal: &Deal) {
        let winner = self.winner();
        self.clear_deal();
        let options = rules.options();
        let players = rules.players();
        let holder;
        match deal {
            Deal::Open { hands, .. } => {
                for (seat, set) in (0..players).zip(hands) {
                    self.hands[usize::from(seat)] = set.ranks();
                }
                let of = |card| (0..players).zip(hands).find(|(_, set)| set.contains(card)).map(|(seat, _)| seat);
                if let Some(seat) = options.bird.and_then(of) {
                    self.set_bird(Bird::Dealt(seat));
                }
                holder = Some(of(options.lead_card).ok_or_else(|| {
                    // The lowest card of all hands, suits in their order.
                    let lowest = |set: &crate::cards::CardSet| set.0.trailing_zeros();
                    (0..players).zip(hands).min_by_key(|(_, set)| lowest(set)).map_or(0, |(seat, _)| seat)
                }));
            }
            Deal::Masked { known } => {
                for seat in 0..players {
                    match known {
                        Some((own, cards)) if *own == seat => self.set_hand(seat, cards.ranks()),
                        _ => self.forget(seat, options.hand),
                    }
                }
                let known = known.as_ref();
                if let Some((seat, _)) = known.filter(|(_, set)| options.bird.is_some_and(|bird| set.contains(bird))) {
                    self.set_bird(Bird::Dealt(*seat));
                }
                holder = known.filter(|(_, set)| set.contains(options.lead_card)).map(|(seat, _)| Ok(*seat));
            }
        }
        self.phase = Phase::Leader;
        let leader = match (options.lead, winner) {
            (Lead::Winner, Some(winner)) if self.deal_no > 0 => Some(winner),
            (Lead::Rotate, _) => Some((self.deal_no % u16::from(players)) as Seat),
            (Lead::Seat(seat), _) => Some(seat),
            (Lead::Card | Lead::Winner, _) => return self.lead_by_card(rules, holder),
        };
        if let Some(leader) = leader {
            self.start(leader);
        }
    }

    /// The leader of a deal that is led by the holder of the lead card: `Ok` with the holder, `Err` with the holder of the
    /// lowest card when nobody holds it, `None` when that is not known.
    fn lead_by_card(&mut self, rules: &Rules, holder: Option<Result<Seat, Seat>>) {
        match holder {
            Some(Ok(seat)) => self.lead_with_card(rules, seat),
            // Masked: whoever acts first is the leader.
            None => {}
            Some(Err(lowest)) => match rules.options().lead_fallback {
                Fallback::Lowest => {
                    self.lead = LeadEvidence::Lowest;
                    self.start(lowest);
                }
                Fallback::Seat(seat) => {
                    self.lead = LeadEvidence::NobodyHolds;
                    self.start(seat);
                }
                Fallback::Random => self.lead = LeadEvidence::NobodyHolds,
            },
        }
    }

    fn lead_with_card(&mut self, rules: &Rules, seat: Seat) {
        self.lead = LeadEvidence::HoldsCard;
        self.set_include_duty(rules.options().lead_include);
        self.start(seat);
    }

    fn start(&mut self, leader: Seat) {
        (self.leader, self.turn, self.phase) = (leader, leader, Phase::Play);
    }

    /// Whether it is not known who leads, because only a part of the deal was told.
    pub(crate) fn is_leader_untold(&self) -> bool {
        self.phase == Phase::Leader && self.lead == LeadEvidence::Nothing
    }

    /// After a deal of which only a part was told: this seat leads. A seat whose hand was told does not hold the lead card (else
    /// it would lead already), so it leads because nobody does; another seat may hold it.
    ///
    /// # Errors
    /// When the seat cannot lead, or chance must say first that it does.
    pub(crate) fn tell_leader(&mut self, rules: &Rules, seat: Seat) -> Result<(), Illegal> {
        let card = rules.options().lead_card;
        let fallback = rules.options().lead_fallback;
        let Some(hand) = self.hand(seat) else {
            match fallback {
                // Who leads without the card is named by a rule or by chance, and that is not so here.
                Fallback::Seat(named) if named != seat => self.lead_with_card(rules, seat),
                Fallback::Random => self.lead_with_card(rules, seat),
                _ if rules.kitty() == 0 => self.lead_with_card(rules, seat),
                _ => self.start(seat),
            }
            return Ok(());
        };
        let cannot = |why: String| {
            let message = format!("seat {seat} cannot lead: it does not hold the lead card {card}, and {why}");
            Err(Illegal::new("paodekuai.leader", message))
        };
        if rules.kitty() == 0 {
            return cannot("all cards are dealt, so who holds it leads".to_owned());
        }
        match fallback {
            Fallback::Seat(named) if named != seat => {
                return cannot(format!("seat {named} leads where nobody holds it"));
            }
            Fallback::Seat(_) => self.lead = LeadEvidence::NobodyHolds,
            Fallback::Random => {
                let message = format!("where nobody holds {card} chance names the leader first: leader {seat}");
                return Err(Illegal::new("turn.chance", message));
            }
            Fallback::Lowest => {
                let lowest = hand.lowest_rank().unwrap_or(0);
                let lower = rules.deck().iter().filter(|card| card.rank() < lowest).count();
                if lower > usize::from(rules.kitty()) {
                    return cannot(format!("another seat was dealt a lower card than a {}", Cards::of(lowest, 1)));
                }
                self.lead = LeadEvidence::Lowest;
            }
        }
        self.start(seat);
        Ok(())
    }

    #[inline]
    pub(crate) fn apply_pass(&mut self, rules: &Rules) {
        let me = self.turn;
        self.note(me, 0);
        self.set_last_was_play(false);
        self.set_offence(None);
        self.passes += 1;
        if rules.options().pass_locks {
            self.locked |= 1 << me;
        }
        self.hand_on(rules, me);
    }

    #[inline]
    pub(crate) fn apply_play(&mut self, rules: &Rules, play: Cards) {
        let me = self.turn;
        let place = usize::from(me);
        let Some(reading) = self.read(rules, play) else {
            debug_assert!(false, "{play} is no legal play in {self:?}");
            return;
        };
        let players = rules.players();
        // Offences are made and punished by this play; see section 5.4.
        let pending = self.offence();
        let offends = rules.options().baodan == Baodan::Liability
            && reading.class == Class::Single
            && self.next_has_one(players)
            && !self.is_unknown(me)
            && self.hands[place].ge1() & above(reading.key) != 0;
        let punished = pending.filter(|&offender| self.next_holding(offender, players) == me);
        self.set_offence(offends.then_some(me));

        self.note(me, play.0);
        self.set_last_was_play(true);
        self.set_include_duty(false);
        if self.lead == LeadEvidence::HoldsCard && me == self.leader && includes(play, rules.options().lead_card.rank())
        {
            self.lead = LeadEvidence::PlayedCard;
        }
        let hand = self.hands[place];
        self.hands[place] = Cards(hand.0 - if self.is_unknown(me) { u64::from(play.len()) } else { play.0 });
        self.played[place] = self.played[place].plus(play);
        self.plays_made[place] += 1;
        (self.trick, self.trick_play, self.owner, self.passes) = (Some(reading), play, me, 0);
        if self.hands[place].is_empty() {
            self.finish(me);
            if self.ends(rules) {
                if rules.options().end == End::FirstOut {
                    self.set_liable(punished);
                }
                return self.end_deal(rules);
            }
        }
        self.hand_on(rules, me);
    }

    /// Notes an action in the hash of the history.
    #[inline]
    fn note(&mut self, seat: Seat, code: u64) {
        let mixed = (self.history ^ ((code << 3) | (u64::from(seat) + 1))).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.history = mixed ^ mixed >> 29;
    }

    /// The turn goes on from `seat`, or the trick ends.
    #[inline]
    fn hand_on(&mut self, rules: &Rules, seat: Seat) {
        let holding = self.holding(rules.players());
        let others = holding & !(1 << self.owner);
        let waiting = others & !self.locked;
        let over = if rules.options().pass_locks { waiting == 0 } else { self.passes >= others.count_ones() as u8 };
        if !over {
            self.turn = crate::state::next_in(waiting, seat);
            return;
        }
        self.close_trick();
        self.clear_trick();
        // Who is out does not lead: the next seat with cards does.
        self.turn =
            if holding >> self.owner & 1 == 1 { self.owner } else { crate::state::next_in(holding, self.owner) };
    }

    fn close_trick(&mut self) {
        if self.trick.is_some_and(|trick| trick.class == Class::Bomb) {
            self.pay_bomb(self.owner);
        }
    }

    fn end_deal(&mut self, rules: &Rules) {
        let options = rules.options();
        if options.end == End::Ranking {
            let last = self.holding(rules.players()).trailing_zeros() as Seat;
            // The last one has no place but is listed; his cards stay.
            if last < rules.players() {
                self.finish(last);
            }
        }
        self.close_trick();
        self.set_offence(None);
        let scores = self.scores(rules);
        self.add_scores(&scores, rules.players());
        self.deal_no += 1;
        let reached = options.target.is_some_and(|target| {
            (0..rules.players()).any(|seat| self.total(seat, rules.players()) >= i32::from(target))
        });
        self.phase = if self.deal_no >= options.deals || reached { Phase::Over } else { Phase::Deal };
    }
}
