//! The options in the form that the course of a deal and the generators read.

use kiebitz_core::SetupError;

use crate::cards::{Card, Cards, RANKS, Rank, RankMask, bit};
use crate::options::{Options, SameRank};
use crate::reading::{Class, Reading};
use crate::reward::Frame;

/// Options that were found possible for a number of players, with what follows from them.
#[derive(Clone, PartialEq, Debug)]
pub struct Rules {
    options: Options,
    players: u8,
    deck: Vec<Card>,
    deck_counts: Cards,
    /// Ranks of which three cards are a bomb.
    triple_bombs: RankMask,
    /// The most kickers a triple may have at any time.
    most_kickers: u8,
    /// How a search values the end of the deal at its root; `None` outside of searches.
    frame: Option<Frame>,
}

/// Which kickers complete a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kickers {
    /// None: so many are not allowed.
    Forbidden,
    /// Any.
    Any,
    /// Pairs only.
    Pairs,
}

impl Rules {
    /// The rules of these options for so many players.
    ///
    /// # Errors
    /// As [`Options::validate`].
    pub fn new(options: &Options, players: u8) -> Result<Rules, SetupError> {
        options.validate(players)?;
        let cards = options.card_set();
        let ranks = (0..RANKS as Rank).filter(|rank| options.triple_bombs >> rank & 1 == 1);
        Ok(Rules {
            players,
            deck: cards.iter().collect(),
            deck_counts: cards.ranks(),
            triple_bombs: ranks.fold(0, |mask, rank| mask | bit(rank)),
            most_kickers: (0..3).rev().find(|c| options.triple_kickers >> c & 1 == 1).unwrap_or(0),
            options: options.clone(),
            frame: None,
        })
    }

    /// These rules for a search: nothing comes after the deal that is played, and its end is valued by `frame`.
    pub(crate) fn framed(&self, frame: Frame, deal_no: u16) -> Rules {
        let options = Options { deals: deal_no.saturating_add(1), target: None, ..self.options.clone() };
        Rules { options, frame: Some(frame), ..self.clone() }
    }

    /// How the end of a deal is valued.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The number of players.
    #[inline]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The cards that are played with, in order.
    pub fn deck(&self) -> &[Card] {
        &self.deck
    }

    /// How many cards of each rank the deck has.
    #[inline]
    pub fn deck_counts(&self) -> Cards {
        self.deck_counts
    }

    /// How many cards are dealt to nobody.
    pub fn kitty(&self) -> u8 {
        self.deck.len() as u8 - self.players * self.options.hand
    }

    #[inline]
    pub(crate) fn triple_bombs(&self) -> RankMask {
        self.triple_bombs
    }

    /// The ranks that are bombs in this hand.
    #[inline]
    pub(crate) fn bomb_ranks(&self, hand: Cards) -> RankMask {
        hand.eq4() | (hand.ge3() & self.triple_bombs)
    }

    /// Whether a play is a bomb.
    #[inline]
    pub(crate) fn is_bomb(&self, play: Cards) -> bool {
        let ranks = play.ge1();
        ranks & ranks.wrapping_sub(1) == 0 && self.bomb_ranks(play) != 0
    }

    /// Whether a play would be illegal with more cards of some rank: bombs may not be split, and it has a part of one.
    pub(crate) fn may_split(&self, play: Cards) -> bool {
        let fours = self.deck_counts.eq4() & !play.eq4();
        let threes = self.deck_counts.ge3() & self.triple_bombs & !play.ge3();
        !self.options.bomb_split && play.ge1() & (fours | threes) != 0
    }

    /// The ranks no part of which may be used alone.
    #[inline]
    pub(crate) fn whole_ranks(&self, hand: Cards) -> RankMask {
        if self.options.bomb_split { 0 } else { self.bomb_ranks(hand) }
    }

    /// Whether the fourth card of a rank in a body of `triples` triples may be a kicker.
    #[inline]
    pub(crate) fn same_rank(&self, triples: u8) -> bool {
        match self.options.kicker_same_rank {
            SameRank::Never => false,
            SameRank::Plane => triples >= 2,
            SameRank::Always => true,
        }
    }

    /// Whether a triple with `kickers` for `triples` triples is short when it empties the hand: too few kickers, and not
    /// enough for `plane_range` either.
    #[inline]
    pub(crate) fn is_short(&self, triples: u8, kickers: u8) -> bool {
        self.options.short_last && kickers < triples * self.most_kickers && !self.in_range(triples, kickers)
    }

    #[inline]
    fn in_range(&self, triples: u8, kickers: u8) -> bool {
        self.options.plane_range && triples >= 2 && triples <= kickers && kickers <= 2 * triples
    }

    /// Which kickers complete a body of `triples` triples when there are `kickers` of them, against a trick if there is one;
    /// `empties`: the play is the whole hand.
    #[inline]
    pub(crate) fn kickers(&self, triples: u8, kickers: u8, empties: bool, trick: Option<&Reading>) -> Kickers {
        let options = &self.options;
        let in_range = self.in_range(triples, kickers);
        let short = empties && self.is_short(triples, kickers);
        let each = kickers / triples;
        let counted = each * triples == kickers && each <= 2 && options.triple_kickers >> each & 1 == 1;
        if !(in_range || short || counted) {
            return Kickers::Forbidden;
        }
        if let Some(trick) = trick {
            let fits = kickers == trick.kickers
                || (options.short_follow && (short || trick.short))
                || (options.plane_range && triples >= 2 && !short && !trick.short);
            if !fits {
                return Kickers::Forbidden;
            }
        }
        if counted && options.kicker_pair && each == 2 && !in_range && !short { Kickers::Pairs } else { Kickers::Any }
    }

    /// Whether a four may have so many kickers.
    #[inline]
    pub(crate) fn quad_kickers(&self, kickers: u8) -> bool {
        kickers < 8 && self.options.quad_kickers >> kickers & 1 == 1
    }

    /// Whether `play` beats `trick`: section 4.3, a strict partial order. Kicker ranks never matter.
    pub fn beats(&self, play: &Reading, trick: &Reading) -> bool {
        match (play.class, trick.class) {
            (Class::Bomb, Class::Bomb) => play.key > trick.key,
            (Class::Bomb, _) => true,
            (_, Class::Bomb) => false,
            _ if play.class != trick.class || play.size != trick.size || play.key <= trick.key => false,
            (Class::Tri, _) => {
                let either_short = play.short || trick.short;
                play.kickers == trick.kickers
                    || (self.options.short_follow && either_short)
                    || (self.options.plane_range && play.size >= 2 && !either_short)
            }
            _ => play.kickers == trick.kickers,
        }
    }
}
