//! What a search maximises at the end of a deal (section 10.4): being first out, being it soon, the score, or a mixture.

use kiebitz_core::{Payoff, Seat};

use crate::cards::Cards;
use crate::heavy::unseen_by;
use crate::options::{BombPay, End};
use crate::reading::Class;
use crate::rules::Rules;
use crate::state::{MAX_SEATS, State};

/// What counts at the end of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RewardKind {
    /// The score of the deal, `clamp((s + b) / 2b)`. Half the width `b` is 64 points for cards and a bomb's price from two others
    /// for every bomb paid so far or still possible, fixed at the root.
    #[default]
    Score,
    /// 1 for who is first out, 0 for the others.
    Win,
    /// `(1 + 1 / (1 + own plays)) / 2` for who is first out, 0 for the others: between a half and one, more for fewer plays.
    Speed,
    /// `λ · win + (1 − λ) · score`.
    Mixed,
}

/// How a search values the end of a deal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reward {
    /// What counts.
    pub kind: RewardKind,
    /// The weight λ of winning in [`RewardKind::Mixed`].
    pub lambda: f64,
    /// What is taken off for high cards and bombs that were played since the root, as a share of all that the deck has: 0 for
    /// nothing. Who is out has played all of them, so it tells lost deals apart and makes winning dearer with a strong hand.
    pub thrift: f64,
}

impl Default for Reward {
    fn default() -> Self {
        Reward { kind: RewardKind::Score, lambda: 0.5, thrift: 0.0 }
    }
}

/// A reward with what was fixed at the root of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Frame {
    /// Who searches.
    pub seat: Seat,
    reward: Reward,
    /// Half the width of the scale of scores.
    width: f64,
    /// Points of the deals before.
    totals: [i32; MAX_SEATS],
    /// What had been played.
    played: [Cards; MAX_SEATS],
}

/// The price of cards that are high: a king a third, an ace one, a two one and a half.
fn price(cards: Cards) -> f64 {
    f64::from(cards.count(10)) / 3.0 + f64::from(cards.count(11)) + 1.5 * f64::from(cards.count(12))
}

/// How many bombs were paid in this deal or may still be, as `seat` sees it: ranks of which it has enough, or of which it and the
/// plays left enough to others who have so many cards.
fn bombs(rules: &Rules, state: &State, seat: Seat) -> u32 {
    let own = state.hand(seat).unwrap_or_default();
    let unseen = unseen_by(rules, state, seat);
    let others = (0..rules.players()).filter(|&other| other != seat).map(|other| state.hand_len(other));
    let longest = others.max().unwrap_or(0);
    let hidden = |size: u8, ranks: u64| if longest >= size { ranks } else { 0 };
    let fours = own.eq4() | hidden(4, unseen.eq4());
    let threes = (own.ge3() | hidden(3, unseen.ge3())) & rules.triple_bombs();
    let lying = state.trick().is_some_and(|(_, trick, _)| trick.class == Class::Bomb);
    state.bombs_paid_to().count() as u32 + (fours | threes).count_ones() + u32::from(lying)
}

impl Frame {
    /// Fixes a reward at this root of a search for `seat`. Reads of the state only what the seat sees.
    pub fn new(rules: &Rules, state: &State, seat: Seat, reward: Reward) -> Frame {
        let options = rules.options();
        let cards = match options.end {
            End::FirstOut => 64.0 * f64::from(options.card_point),
            End::Ranking => f64::from(rules.players() - 1),
        };
        let bomb = if options.bomb_pay == BombPay::None { 0.0 } else { 2.0 * f64::from(options.bomb_points) };
        let width = cards + bomb * f64::from(bombs(rules, state, seat));
        let totals = std::array::from_fn(|seat| state.total(seat as Seat, rules.players()));
        let played = std::array::from_fn(|seat| state.played(seat as Seat));
        Frame { seat, reward, width: width.max(1.0), totals, played }
    }

    /// Half the width of the scale of scores.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The utility of the end of the deal; before the end, of its stopping here, with an equal chance to win for all.
    pub fn utility(&self, rules: &Rules, state: &State) -> Payoff {
        let players = rules.players();
        let over = state.is_deal_over();
        let winner = state.winner();
        let mut payoff = Payoff::uniform(players, 0.0);
        for seat in 0..players {
            let place = usize::from(seat);
            let won = if over { f64::from(u8::from(winner == Some(seat))) } else { 1.0 / f64::from(players) };
            let points =
                if over { state.total(seat, players) - self.totals[place] } else { state.scores(rules)[place] };
            let score = || (0.5 + f64::from(points) / (2.0 * self.width)).clamp(0.0, 1.0);
            let mut value = match self.reward.kind {
                RewardKind::Score => score(),
                RewardKind::Win => won,
                RewardKind::Speed => won * (1.0 + 1.0 / (1.0 + f64::from(state.plays_made()[place]))) / 2.0,
                RewardKind::Mixed => self.reward.lambda * won + (1.0 - self.reward.lambda) * score(),
            };
            if self.reward.thrift > 0.0 {
                value = (value - self.reward.thrift * self.spent(rules, state, seat)).max(0.0);
            }
            payoff.set(seat, value);
        }
        payoff
    }

    /// The share of the deck's high cards and bombs that a seat has played since the root; a bomb counts as two aces.
    fn spent(&self, rules: &Rules, state: &State, seat: Seat) -> f64 {
        let since = state.played(seat).minus(self.played[usize::from(seat)]);
        let fours = |cards: Cards| 2.0 * f64::from(rules.bomb_ranks(cards).count_ones());
        let deck = rules.deck_counts();
        (price(since) + fours(since)) / (price(deck) + fours(deck)).max(1.0)
    }
}
