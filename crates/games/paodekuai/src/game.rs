//! The contract of a game.

use std::ops::RangeInclusive;
use std::sync::Arc;

use kiebitz_core::{ChanceKind, Game, Illegal, Meta, Payoff, Rng, Seat, SetupError, Turn, Weighted};

use crate::action::{Action, ActionKind, Deal, KITTY};
use crate::belief::Belief;
use crate::cards::{CardSet, Cards, bit, highest};
use crate::options::{BombPay, End, Options};
use crate::reading::{Class, includes};
use crate::reward::{Frame, Reward};
use crate::rules::Rules;
use crate::setup::Setup;
use crate::state::{Bird, MAX_SEATS, Phase, State};

const CHANCE: &[ChanceKind] =
    &[ChanceKind { name: "deal", listed: false }, ChanceKind { name: "leader", listed: true }];

/// A game of Pao De Kuai: one deal, or a match of several.
#[derive(Clone, Debug)]
pub struct PaoDeKuai {
    pub(crate) state: State,
    pub(crate) rules: Arc<Rules>,
}

impl PartialEq for PaoDeKuai {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && (Arc::ptr_eq(&self.rules, &other.rules) || self.rules == other.rules)
    }
}

impl PaoDeKuai {
    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The true state: for the referee. Players get [`kiebitz_core::Seen`].
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The number of players.
    pub fn players(&self) -> u8 {
        self.rules.players()
    }

    /// Plays an open deal: the cards by seat; what is left of the deck is the kitty.
    ///
    /// # Errors
    /// As [`Game::try_apply`].
    pub fn deal(&mut self, hands: &[CardSet]) -> Result<(), Illegal> {
        let mut all = [CardSet::EMPTY; MAX_SEATS];
        for (place, hand) in all.iter_mut().zip(hands) {
            *place = *hand;
        }
        let deck: CardSet = self.rules.deck().iter().copied().collect();
        let kitty = all.iter().fold(deck, |rest, hand| rest.without(*hand));
        self.try_apply(Action::deal(&Deal::Open { hands: all, kitty }))
    }

    /// 1 for who was first out in the deal that is over, and -1 shared among the others; 0 before the end.
    pub fn win_returns(&self) -> Payoff {
        let players = self.players();
        let mut payoff = Payoff::uniform(players, 0.0);
        if let Some(winner) = self.state.winner() {
            for seat in 0..players {
                payoff.set(seat, if seat == winner { 1.0 } else { -1.0 / f64::from(players - 1) });
            }
        }
        payoff
    }

    /// The same game for a search from here: nothing comes after the deal that is played, and its end is valued by `reward`, as
    /// fixed at this position in the eyes of `seat`.
    pub fn framed(&self, seat: Seat, reward: Reward) -> PaoDeKuai {
        let frame = Frame::new(&self.rules, &self.state, seat, reward);
        let rules = Arc::new(self.rules.framed(frame, self.state.deals_finished()));
        PaoDeKuai { state: self.state, rules }
    }

    /// Half the width of the scale on which a framed game values scores; `None` for a game that is not framed.
    pub fn reward_width(&self) -> Option<f64> {
        self.rules.frame().map(Frame::width)
    }

    fn check_deal(&self, action: Action, deal: &Deal) -> Result<(), Illegal> {
        let size = self.rules.options().hand;
        let deck: CardSet = self.rules.deck().iter().copied().collect();
        let players = self.players();
        let bad = |message: String| Err(Illegal::new("paodekuai.deal", message));
        match deal {
            Deal::Open { hands, .. } => {
                for (seat, hand) in (0..).zip(hands) {
                    let wanted = if seat < players { size } else { 0 };
                    if hand.len() != wanted {
                        return bad(format!("the deal gives seat {seat} {} cards, it must be {wanted}", hand.len()));
                    }
                }
                // Reading the action gives only cards of the deck.
                if Action::deal(deal) != action {
                    return bad("the deal has cards that are not in the deck".to_owned());
                }
            }
            Deal::Masked { known: Some((seat, cards)) } => {
                if *seat >= players {
                    return bad(format!("the deal is that of seat {seat}, seats are 0 to {}", players - 1));
                }
                if cards.len() != size || !cards.without(deck).is_empty() {
                    return bad(format!("a hand has {size} different cards of the deck, this one has {}", cards.len()));
                }
            }
            Deal::Masked { known: None } => {}
        }
        Ok(())
    }

    fn check_pass(&self) -> Result<(), Illegal> {
        let Some(trick) = self.state.trick else {
            return Err(Illegal::new("paodekuai.lead", "who leads must play, pass is not possible"));
        };
        let options = self.rules.options();
        let Some(hand) = self.state.hand(self.state.turn) else { return Ok(()) };
        if !options.must_beat {
            return Ok(());
        }
        let without = self.rules.can_beat_without_bomb(hand, &trick);
        if without || (options.must_beat_bombs && self.rules.can_bomb(hand, &trick)) {
            let mut plays = Vec::new();
            self.rules.plays(&self.state.situation(&self.rules), &mut plays);
            let beater = plays.iter().find(|play| !self.rules.is_bomb(play.cards())).or(plays.first());
            let beater = beater.map_or_else(String::new, |play| play.cards().to_string());
            let message =
                format!("pass is not possible: {beater} beats {}, and who can beat must", self.state.trick_play);
            return Err(Illegal::new("paodekuai.must_beat", message));
        }
        Ok(())
    }

    fn check_play(&self, play: Cards) -> Result<(), Illegal> {
        let state = &self.state;
        let seat = state.turn;
        match state.hand(seat) {
            Some(hand) if !hand.contains(play) => {
                let message = format!("seat {seat} does not hold {play}");
                return Err(Illegal::new("paodekuai.not_held", message));
            }
            None if play.len() > state.hand_len(seat) || !state.unseen(&self.rules).contains(play) => {
                let message = format!("seat {seat} cannot hold {play}: other cards are left, or fewer");
                return Err(Illegal::new("paodekuai.not_held", message));
            }
            _ => {}
        }
        if state.read(&self.rules, play).is_none() {
            let empties = play.len() == state.hand_len(seat);
            return Err(match self.rules.lead_reading(play, empties) {
                None if empties => Illegal::new("paodekuai.combination", format!("{play} is no combination")),
                None => Illegal::new(
                    "paodekuai.combination",
                    format!("{play} is no combination (one with too few kickers only as the last cards)"),
                ),
                Some(_) => Illegal::new(
                    "paodekuai.not_higher",
                    format!("{play} does not beat {}: it must be higher and of the same kind", state.trick_play),
                ),
            });
        }
        if let Some(rank) = state.must_include(&self.rules).filter(|&rank| !includes(play, rank)) {
            let message =
                format!("the opening play must contain the lead card, a {}: {play} does not", Cards::of(rank, 1));
            return Err(Illegal::new("paodekuai.lead_card", message));
        }
        let Some(hand) = state.hand(seat) else { return Ok(()) };
        if !self.rules.keeps_bombs(hand, play) {
            let message = format!("{play} splits a bomb: of a rank that is a bomb all cards are played or none");
            return Err(Illegal::new("paodekuai.bomb_split", message));
        }
        let situation = state.situation(&self.rules);
        if situation.highest_single && play.is_one() {
            let key = situation.trick.map(|trick| trick.key);
            let ranks = self.rules.single_ranks(hand, key);
            let ranks = situation.must_include.map_or(ranks, |rank| ranks & bit(rank));
            let best = highest(ranks);
            if !includes(play, best) {
                let message = format!(
                    "the next seat has one card left, so a single must be the highest: {} instead of {play}",
                    Cards::of(best, 1)
                );
                return Err(Illegal::new("paodekuai.highest_single", message));
            }
        }
        Ok(())
    }

    /// Half the width of the scale on which returns become utilities: what is lost in a bad deal with a bomb.
    fn scale(&self) -> f64 {
        let options = self.rules.options();
        let bombs = if options.bomb_pay == BombPay::None { 0.0 } else { 2.0 * f64::from(options.bomb_points) };
        let deal = match options.end {
            End::FirstOut => 64.0 * f64::from(options.card_point) + bombs,
            End::Ranking => f64::from(self.players() - 1) + bombs,
        };
        deal.max(1.0) * f64::from(options.deals).sqrt()
    }
}

/// Mixes words into one; good enough in all 64 bits for tables.
fn hash(seed: u64, words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(seed, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29)
    })
}

impl State {
    /// All that is public and matters for what follows, without the cards.
    fn public_words(&self) -> [u64; 8] {
        let trick = self.trick.map_or(0, |trick| {
            let class = trick.class as u64 + 1;
            class
                | u64::from(trick.size) << 8
                | u64::from(trick.key) << 16
                | u64::from(trick.kickers) << 24
                | u64::from(trick.short) << 32
        });
        let seats = [self.turn, self.owner, self.leader, self.passes, self.locked & 15, self.out, self.finished];
        let seats = seats.iter().fold(self.phase as u64, |word, &byte| word << 8 | u64::from(byte));
        let totals = [self.total(0, 4), self.total(1, 4), self.total(2, 4)].map(|total| total as u32 as u64);
        [
            trick,
            seats,
            u64::from(self.bombs) | u64::from(self.deal_no) << 32,
            u64::from(u32::from_le_bytes(self.plays_made)),
            totals[0] | totals[1] << 32,
            totals[2],
            self.public_flags(),
            self.lead as u64,
        ]
    }

    /// A key of all that decides what a seat can force, in 128 bits: two positions share it by chance practically never. With
    /// `points` also of all that decides the score.
    pub(crate) fn solver_key(&self, rules: &Rules, mark: u64, points: bool) -> u128 {
        let mut words = self.public_words();
        // Which seats have made no play, one, or more; of the opening leader only one play counts.
        let made = self.plays_made.iter().fold(0, |word, &made| word << 8 | u64::from(made.min(2)));
        words[3] = if points { made } else { 0 };
        // Flags of the last action decide nothing that follows.
        words[6] = u64::from(self.include_duty());
        if !points {
            words[2] = 0;
            words[4] = 0;
            words[5] = 0;
        }
        let secret = if points { self.secret_flags() & 0xFFFF } else { 0 };
        let locks = rules.options().pass_locks;
        let words = words.into_iter().chain([secret, u64::from(locks), mark]);
        let words = self.card_words().chain(words);
        let words: [u64; 15] = {
            let mut all = [0; 15];
            for (place, word) in all.iter_mut().zip(words) {
                *place = word;
            }
            all
        };
        u128::from(hash(5, words)) << 64 | u128::from(hash(6, words))
    }

    fn card_words(&self) -> impl Iterator<Item = u64> + '_ {
        self.hands.iter().map(|hand| hand.code())
    }

    fn played_words(&self) -> impl Iterator<Item = u64> + '_ {
        self.played.iter().map(|cards| cards.code())
    }
}

impl Game for PaoDeKuai {
    const ID: &'static str = "paodekuai";
    const PLAYERS: RangeInclusive<u8> = 2..=4;
    type Options = Options;
    type Setup = Setup;
    type Action = Action;
    type Undo = State;
    type Belief = Belief;

    fn new(players: u8, options: &Options, setup: Option<&Setup>) -> Result<Self, SetupError> {
        let rules = Arc::new(Rules::new(options, players)?);
        let state = match setup {
            None => State::new(),
            Some(setup) => setup.state(&rules)?,
        };
        Ok(PaoDeKuai { state, rules })
    }

    fn default_players(options: &Options) -> u8 {
        options.players.unwrap_or(3)
    }

    fn meta(&self) -> Meta {
        let options = self.rules.options();
        let (players, deals) = (u32::from(self.players()), u32::from(options.deals));
        let cards = self.rules.deck().len() as u32;
        // Every play takes a card, and between two plays all others pass at most; the deal and the leader come first.
        let length = cards * players + 2;
        let factor = options.shutout.max(options.reverse_shutout).max(1);
        let left = f64::from(options.card_point) * f64::from(options.hand) * f64::from(factor) * 2.0;
        // Each bomb takes four cards or the three of a rank.
        let bombs = f64::from(options.bomb_points) * 13.0;
        let most = f64::from(deals) * f64::from(players - 1) * (left + bombs + 1.0);
        Meta {
            players: self.players(),
            zero_sum: true,
            hidden: true,
            max_length: length * deals,
            min_return: -most,
            max_return: most,
            chance: CHANCE,
        }
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.state.phase {
            Phase::Play => Turn::Seat(self.state.turn),
            Phase::Deal => Turn::Chance(0),
            Phase::Leader => Turn::Chance(1),
            Phase::Over => Turn::Terminal,
        }
    }

    /// The plays of the seat to move by code, `pass` before them. None where its hand is not known.
    fn actions(&self, out: &mut Vec<Action>) {
        out.clear();
        match self.state.phase {
            Phase::Play => self.state.actions(&self.rules, out),
            Phase::Leader => out.extend((0..self.players()).map(Action::leader)),
            Phase::Deal | Phase::Over => {}
        }
    }

    fn check(&self, action: Action) -> Result<(), Illegal> {
        let kind = action.kind(self.rules.deck());
        match (self.state.phase, kind) {
            (Phase::Over, _) => Err(Illegal::game_over()),
            (Phase::Deal, ActionKind::Deal(deal)) => self.check_deal(action, &deal),
            (Phase::Leader, ActionKind::Leader(seat)) if seat < self.players() => Ok(()),
            (Phase::Play, ActionKind::Pass) => self.check_pass(),
            (Phase::Play, ActionKind::Play(play)) => self.check_play(play),
            (Phase::Deal, _) => Err(Illegal::new("paodekuai.deal", "the cards must be dealt first")),
            (Phase::Leader, _) => {
                let message = format!("chance names the leader first: leader 0 to leader {}", self.players() - 1);
                Err(Illegal::new("paodekuai.leader", message))
            }
            (Phase::Play, _) => Err(Illegal::new("paodekuai.dealt", "the cards are dealt, a player plays now")),
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        debug_assert!(self.is_legal(action), "illegal action {action:?} in {:?}", self.state);
        self.state.apply(&self.rules, action);
    }

    #[inline]
    fn apply_undo(&mut self, action: Action) -> State {
        let before = self.state;
        self.apply(action);
        before
    }

    #[inline]
    fn undo(&mut self, before: State) {
        self.state = before;
    }

    /// Points of all finished deals.
    fn returns(&self) -> Payoff {
        let mut payoff = Payoff::uniform(self.players(), 0.0);
        for seat in 0..self.players() {
            payoff.set(seat, f64::from(self.state.total(seat, self.players())));
        }
        payoff
    }

    /// In a single deal who is first out wins, whatever the points; in a match who has the most points.
    fn win_returns(&self) -> Payoff {
        match self.state.winner().filter(|_| self.rules.options().deals == 1) {
            None => self.returns().win_returns(),
            Some(winner) => {
                let mut payoff = Payoff::uniform(self.players(), 0.0);
                payoff.set(winner, 1.0);
                payoff.win_returns()
            }
        }
    }

    /// Returns on a scale on which a bad deal with a bomb is 0 or 1, cut off there; in a search that was told so, by its
    /// [`crate::Reward`].
    fn utility(&self) -> Payoff {
        if let Some(frame) = self.rules.frame() {
            return frame.utility(&self.rules, &self.state);
        }
        let (mut payoff, scale) = (self.returns(), self.scale());
        for seat in 0..self.players() {
            payoff.set(seat, (0.5 + payoff.of(seat) / (2.0 * scale)).clamp(0.0, 1.0));
        }
        payoff
    }

    fn key(&self) -> u64 {
        let state = &self.state;
        let cards = state.card_words().chain(state.played_words());
        let more = [state.history, state.trick_play.code(), state.secret_flags()];
        hash(1, cards.chain(state.public_words()).chain(more))
    }

    /// Without what was played, in what order: only hands, the trick and what the points need.
    fn transposition_key(&self) -> u64 {
        let state = &self.state;
        hash(2, state.card_words().chain(state.public_words()).chain([state.secret_flags()]))
    }

    fn chance_outcomes(&self, out: &mut Weighted<Action>) {
        out.clear();
        if self.state.phase == Phase::Leader {
            let p = 1.0 / f64::from(self.players());
            out.extend((0..self.players()).map(|seat| (Action::leader(seat), p)));
        }
    }

    /// Shuffles and deals, every deal equally likely; or names a leader.
    fn sample(&self, rng: &mut Rng, _: &mut Weighted<Action>) -> Action {
        if self.state.phase == Phase::Leader {
            return Action::leader(rng.below(usize::from(self.players())) as Seat);
        }
        let deck = self.rules.deck();
        let mut order = [0u8; 52];
        let order = &mut order[..deck.len()];
        for (place, card) in order.iter_mut().zip(deck) {
            *place = card.index();
        }
        rng.shuffle(order);
        let mut owners = [0u8; 54];
        let hand = usize::from(self.rules.options().hand);
        let seats = (0..self.players()).flat_map(|seat| std::iter::repeat_n(seat, hand));
        for (card, owner) in order.iter().zip(seats.chain(std::iter::repeat(KITTY))) {
            owners[usize::from(*card)] = owner;
        }
        Action::deal_to(&owners)
    }

    /// The own cards, the public state and the whole public history; after the end of a deal also the cards that then lie open.
    fn information_key(&self, seat: Seat) -> u128 {
        let state = &self.state;
        let open = state.is_deal_over();
        let mut words = [0u64; 24];
        let hands = (0..4).map(|other| {
            let shown = open || other == seat;
            let known = shown || state.is_unknown(other);
            if known { state.hands[usize::from(other)].code() } else { u64::from(state.hand_len(other)) }
        });
        let secret = if open { state.secret_flags() } else { u64::from(state.bird() == Bird::Dealt(seat)) };
        let flags = [state.history, state.trick_play.code(), secret, u64::from(seat)];
        let all = hands.chain(state.played_words()).chain(state.public_words()).chain(flags);
        for (place, word) in words.iter_mut().zip(all) {
            *place = word;
        }
        u128::from(hash(3, words)) << 64 | u128::from(hash(4, words))
    }

    /// Of a deal a seat sees its own cards.
    fn masked(&self, action: Action, seat: Seat) -> Action {
        if !action.is_deal() {
            return action;
        }
        match action.kind(self.rules.deck()) {
            // What another seat saw of it.
            ActionKind::Deal(Deal::Masked { known: Some((other, _)) }) if other != seat => {
                Action::deal(&Deal::Masked { known: None })
            }
            ActionKind::Deal(Deal::Open { hands, .. }) => {
                let known = hands.get(usize::from(seat)).map(|hand| (seat, *hand));
                Action::deal(&Deal::Masked { known })
            }
            _ => action,
        }
    }

    fn observe(&self, belief: &mut Belief, seat: Seat, seen: Action) {
        belief.observe(&self.rules, &self.state, seat, seen);
    }

    fn belief_at_start(setup: Option<&Setup>, _: Seat) -> Belief {
        Belief::with_proofs(setup.map_or_else(Vec::new, |setup| setup.evidence.clone()))
    }

    fn public_belief(&self, belief: &Belief) -> Belief {
        belief.public()
    }

    /// Draws the other hands (and the kitty) uniformly over the deals of the unseen cards, under everything that is proven.
    fn proofs(&self, seat: Seat, belief: &Belief) -> usize {
        belief.proofs().iter().filter(|proof| proof.seat != seat).count()
    }

    fn determinize(&mut self, seat: Seat, belief: &Belief, rng: &mut Rng) {
        if !matches!(self.state.phase, Phase::Play | Phase::Leader) {
            return;
        }
        let sampler = belief.sampler(&self.rules, &self.state, seat);
        let world = belief.draw(&self.rules, &sampler, &self.state, seat, rng);
        sampler.put(&self.rules, &world, &mut self.state, rng);
    }
}

impl State {
    /// Writes what the seat to move may do, sorted.
    #[inline]
    pub(crate) fn actions(&self, rules: &Rules, out: &mut Vec<Action>) {
        out.clear();
        if self.is_unknown(self.turn) {
            return;
        }
        let situation = self.situation(rules);
        let Some(trick) = &situation.trick else { return rules.plays(&situation, out) };
        let options = rules.options();
        // Most turns of a game with must_beat have nothing but the pass.
        if !rules.can_beat(situation.hand, trick) {
            return out.push(Action::PASS);
        }
        rules.plays(&situation, out);
        let only_bombs = || trick.class == Class::Bomb || !rules.can_beat_without_bomb(situation.hand, trick);
        if !options.must_beat || (!options.must_beat_bombs && only_bombs()) {
            out.insert(0, Action::PASS);
        }
    }
}
