//! Kuhn poker (H. W. Kuhn, "A simplified two-person poker", 1950), generalised to more players as in OpenSpiel: one card
//! more than players, one card each, one ante each, one round of betting with bets of one.

use std::ops::RangeInclusive;

use kiebitz_core::{ChanceKind, Game, Illegal, Meta, Payoff, Rng, Seat, SetupError, Turn, Weighted, snapshot_undo};

/// The largest table.
pub const MAX_KUHN_PLAYERS: usize = 4;

/// One card per seat: 1 is the lowest, `players + 1` the highest; 0 is a card not seen (or a seat that does not exist).
type Cards = [u8; MAX_KUHN_PLAYERS];

/// What happens in a game of Kuhn poker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum KuhnAction {
    /// Chance deals one card to each seat: 1 is the lowest, `players + 1` the highest. 0 stands for a card not seen, and for
    /// a seat that does not exist. Text: `deal 3,1`; as the first seat sees it: `deal 3,?`.
    Deal(Cards),
    /// To add nothing: a check before a bet, a fold after one. Text: `pass`.
    Pass,
    /// To add one chip: a bet, or a call after one. Text: `bet`.
    Bet,
}

/// A state: the cards, once dealt, and the passes and bets so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kuhn {
    players: u8,
    dealt: bool,
    cards: Cards,
    /// Bit i: the i-th action after the deal was a bet.
    bets: u8,
    /// Number of actions after the deal.
    length: u8,
}

/// What a seat noted of the actions shown to it. It adds nothing to the state, which keeps the own card too; it is here to
/// show how observation works.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KuhnBelief {
    /// The own card, once dealt.
    pub card: Option<u8>,
    /// How many actions the seat has observed, the deal included.
    pub observed: u32,
}

impl Kuhn {
    /// The card of `seat`, from 1; `None` before the deal. This is the true card: a seat may ask for its own only.
    pub fn card(&self, seat: Seat) -> Option<u8> {
        self.cards.get(usize::from(seat)).copied().filter(|&card| card > 0)
    }

    /// Passes (`false`) and bets (`true`) since the deal.
    pub fn history(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.length).map(|i| self.is_bet(i))
    }

    /// The number of players.
    pub fn players(&self) -> u8 {
        self.players
    }

    fn is_bet(&self, i: u8) -> bool {
        self.bets >> i & 1 == 1
    }

    /// The first bet; its index is also the bettor's seat, since everybody passed once before.
    fn first_bet(&self) -> Option<u8> {
        (0..self.length).find(|&i| self.is_bet(i))
    }

    /// Calls `f` with every deal in ascending order.
    fn for_each_deal(&self, mut f: impl FnMut(Cards)) {
        let (n, highest) = (usize::from(self.players), self.players + 1);
        let mut cards = [0; MAX_KUHN_PLAYERS];
        let mut seat = 0;
        loop {
            // The next card of `seat` that no earlier seat holds; when there is none, back to the seat before.
            cards[seat] += 1;
            if cards[seat] > highest {
                cards[seat] = 0;
                if seat == 0 {
                    return;
                }
                seat -= 1;
            } else if !cards[..seat].contains(&cards[seat]) {
                if seat + 1 == n {
                    f(cards);
                } else {
                    seat += 1;
                }
            }
        }
    }

    fn is_deal(&self, cards: Cards) -> bool {
        let (dealt, rest) = cards.split_at(usize::from(self.players));
        let proper = |(i, &c): (usize, &u8)| (1..=self.players + 1).contains(&c) && !dealt[..i].contains(&c);
        dealt.iter().enumerate().all(proper) && rest.iter().all(|&c| c == 0)
    }
}

impl Game for Kuhn {
    const ID: &'static str = "kuhn";
    const PLAYERS: RangeInclusive<u8> = 2..=MAX_KUHN_PLAYERS as u8;
    type Options = ();
    type Setup = ();
    type Action = KuhnAction;
    type Belief = KuhnBelief;
    snapshot_undo!();

    fn new(players: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        if !Self::PLAYERS.contains(&players) {
            let message = format!("Kuhn poker has 2 to {MAX_KUHN_PLAYERS} players, not {players}");
            return Err(SetupError::new("kuhn.players", message));
        }
        Ok(Kuhn { players, dealt: false, cards: [0; MAX_KUHN_PLAYERS], bets: 0, length: 0 })
    }

    fn meta(&self) -> Meta {
        Meta {
            players: self.players,
            zero_sum: true,
            hidden: true,
            // The deal; then at most everybody but the last passes, the last bets, the others answer.
            max_length: 2 * u32::from(self.players),
            min_return: -2.0,
            max_return: 2.0 * f64::from(self.players - 1),
            chance: &[ChanceKind { name: "deal", listed: true }],
        }
    }

    fn turn(&self) -> Turn {
        let end = self.first_bet().unwrap_or(0) + self.players;
        match (self.dealt, self.length == end) {
            (false, _) => Turn::Chance(0),
            (true, true) => Turn::Terminal,
            (true, false) => Turn::Seat(self.length % self.players),
        }
    }

    fn actions(&self, out: &mut Vec<KuhnAction>) {
        out.clear();
        match self.turn() {
            Turn::Chance(_) => self.for_each_deal(|cards| out.push(KuhnAction::Deal(cards))),
            Turn::Seat(_) => out.extend([KuhnAction::Pass, KuhnAction::Bet]),
            Turn::Terminal => {}
        }
    }

    fn check(&self, action: KuhnAction) -> Result<(), Illegal> {
        match (self.turn(), action) {
            (Turn::Terminal, _) => Err(Illegal::game_over()),
            (Turn::Chance(_), KuhnAction::Deal(cards)) if self.is_deal(cards) => Ok(()),
            (Turn::Chance(_), _) => Err(Illegal::new(
                "kuhn.deal",
                format!("the first action deals one different card from 1 to {} to each seat", self.players + 1),
            )),
            (Turn::Seat(_), KuhnAction::Deal(_)) => Err(Illegal::new("kuhn.dealt", "the cards are already dealt")),
            (Turn::Seat(_), _) => Ok(()),
        }
    }

    fn apply(&mut self, action: KuhnAction) {
        debug_assert!(self.is_legal(action), "illegal action {action:?}");
        match action {
            KuhnAction::Deal(cards) => (self.dealt, self.cards) = (true, cards),
            KuhnAction::Pass => self.length += 1,
            KuhnAction::Bet => {
                self.bets |= 1 << self.length;
                self.length += 1;
            }
        }
    }

    /// Chips won or lost; before the end as if the bets so far were all. The highest card among those who did not fold wins.
    fn returns(&self) -> Payoff {
        let mut payoff = Payoff::uniform(self.players, 0.0);
        if !self.dealt {
            return payoff;
        }
        let (mut paid, mut folded) = ([1.0; MAX_KUHN_PLAYERS], [false; MAX_KUHN_PLAYERS]);
        if let Some(first) = self.first_bet() {
            for i in first..self.length {
                let seat = usize::from(i % self.players);
                if self.is_bet(i) { paid[seat] = 2.0 } else { folded[seat] = true }
            }
        }
        let in_play = (0..self.players).filter(|&s| !folded[usize::from(s)]);
        let winner = in_play.max_by_key(|&s| self.cards[usize::from(s)]).unwrap_or(0);
        let pot: f64 = paid.iter().take(usize::from(self.players)).sum();
        for seat in 0..self.players {
            payoff.set(seat, if seat == winner { pot } else { 0.0 } - paid[usize::from(seat)]);
        }
        payoff
    }

    /// Returns scaled to `[0, 1]`.
    fn utility(&self) -> Payoff {
        let (mut payoff, meta) = (self.returns(), self.meta());
        for seat in 0..self.players {
            payoff.set(seat, (payoff.of(seat) - meta.min_return) / (meta.max_return - meta.min_return));
        }
        payoff
    }

    fn key(&self) -> u64 {
        let cards = self.cards.iter().fold(0, |key, &card| key << 8 | u64::from(card));
        cards << 16 | u64::from(self.length) << 8 | u64::from(self.bets)
    }

    fn chance_outcomes(&self, out: &mut Weighted<KuhnAction>) {
        out.clear();
        if !self.dealt {
            self.for_each_deal(|cards| out.push((KuhnAction::Deal(cards), 0.0)));
            let p = 1.0 / out.len() as f64;
            out.iter_mut().for_each(|outcome| outcome.1 = p);
        }
    }

    /// The own card and the betting. The cards stay face down at the end.
    fn information_key(&self, seat: Seat) -> u128 {
        u128::from(self.card(seat).unwrap_or(0)) << 16 | u128::from(self.length) << 8 | u128::from(self.bets)
    }

    fn masked(&self, action: KuhnAction, seat: Seat) -> KuhnAction {
        let KuhnAction::Deal(mut cards) = action else { return action };
        for (owner, card) in cards.iter_mut().enumerate() {
            if owner != usize::from(seat) {
                *card = 0;
            }
        }
        KuhnAction::Deal(cards)
    }

    fn observe(&self, belief: &mut KuhnBelief, seat: Seat, seen: KuhnAction) {
        belief.observed += 1;
        if let KuhnAction::Deal(cards) = seen {
            belief.card = cards.get(usize::from(seat)).copied();
        }
    }

    fn determinize(&mut self, seat: Seat, _: &KuhnBelief, rng: &mut Rng) {
        let Some(own) = self.card(seat) else { return };
        // Only the set of all cards and the own card go into the draw, never the cards the others really hold.
        let mut pool: Vec<u8> = (1..=self.players + 1).filter(|&c| c != own).collect();
        rng.shuffle(&mut pool);
        for other in (0..self.players).filter(|&other| other != seat) {
            self.cards[usize::from(other)] = pool.pop().unwrap_or(0);
        }
    }
}
