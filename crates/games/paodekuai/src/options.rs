//! The rule options, their presets, and what must hold between them.

use kiebitz_core::{Seat, SetupError};

use crate::cards::{Card, CardSet, RANK_LETTERS, Rank};

/// The longest match, in deals.
pub const MAX_DEALS: u16 = 500;
/// The largest number of points an option may give.
pub const MAX_POINTS: u16 = 1000;

/// Which cards are played with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Deck {
    /// 52 cards without three twos and an ace: 48.
    D48,
    /// As d48 and without two more aces and a king: 45.
    D45,
    /// All 52.
    D52,
    /// 52 without [`Options::removed`].
    Custom,
}

/// Who leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Lead {
    /// The holder of the lead card, in every deal.
    Card,
    /// The holder of the lead card in the first deal of a match, then the winner of the deal before.
    Winner,
    /// Seat 0 in the first deal, then the next seat in every deal.
    Rotate,
    /// Always this seat.
    Seat(Seat),
}

/// Who leads when nobody holds the lead card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Fallback {
    /// The holder of the lowest dealt card, suits in the order S H C D.
    Lowest,
    /// A random seat: an event of chance after the deal.
    Random,
    /// This seat.
    Seat(Seat),
}

/// Whether the fourth card of a body rank may be a kicker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SameRank {
    /// Never.
    Never,
    /// Only in airplanes of two triples and more.
    Plane,
    /// Always.
    Always,
}

/// What holds for singles while the next seat has one card left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Baodan {
    /// A single must be the highest possible.
    MustMax,
    /// Who lets the next seat out with a single that was not his highest pays for all.
    Liability,
    /// Nothing.
    Off,
}

/// When a deal ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum End {
    /// When the first player is out.
    FirstOut,
    /// When one player is left.
    Ranking,
}

/// Who pays for a bomb to whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BombPay {
    /// Every other player to the player of the bomb.
    Each,
    /// Every loser to the winner of the deal.
    Winner,
    /// Nobody.
    None,
}

/// All rule options; [`Options::default`] is the "classic 16" set.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Options {
    /// The number of players these options are for; any when `None`.
    pub players: Option<u8>,
    /// Which cards are played with.
    pub deck: Deck,
    /// The cards left out of the 52, where they are not those of the deck's name.
    pub removed: Option<CardSet>,
    /// How many cards each seat is dealt; the rest is the kitty, face down to everyone.
    pub hand: u8,
    /// How many deals a match has; with a target, at most so many.
    pub deals: u16,
    /// The match ends when somebody has so many points.
    pub target: Option<u16>,
    /// Who leads.
    pub lead: Lead,
    /// The card whose holder leads.
    pub lead_card: Card,
    /// The opening play of the holder of the lead card must contain it.
    pub lead_include: bool,
    /// Who leads when nobody holds the lead card.
    pub lead_fallback: Fallback,
    /// Passing is illegal while a beating play exists.
    pub must_beat: bool,
    /// As `must_beat`, also where only bombs beat.
    pub must_beat_bombs: bool,
    /// A player who passed may not play again in the trick.
    pub pass_locks: bool,
    /// The fewest ranks of a straight.
    pub straight_min: u8,
    /// The fewest pairs of a pair run.
    pub pairrun_min: u8,
    /// Bit c: a triple may have c kickers at any time.
    pub triple_kickers: u8,
    /// Two kickers of a triple must be a pair.
    pub kicker_pair: bool,
    /// Airplanes of k triples may carry any number of wings from k to 2k.
    pub plane_range: bool,
    /// May the fourth card of a body rank be a kicker?
    pub kicker_same_rank: SameRank,
    /// A triple or airplane with too few kickers is allowed if it empties the hand.
    pub short_last: bool,
    /// Such a short play may also beat a full one.
    pub short_follow: bool,
    /// Bit c: a four may have c kickers.
    pub quad_kickers: u8,
    /// A play may use some of the cards of a bomb.
    pub bomb_split: bool,
    /// Bit r: three cards of rank r are a bomb.
    pub triple_bombs: u16,
    /// What holds for singles while the next seat has one card left.
    pub baodan: Baodan,
    /// When a deal ends.
    pub end: End,
    /// Points for each card left.
    pub card_point: u16,
    /// A loser with one card left pays nothing for it.
    pub one_card_free: bool,
    /// Factor for a loser who played no card.
    pub shutout: u16,
    /// Factor for the opening leader who lost after one play.
    pub reverse_shutout: u16,
    /// Points for a bomb.
    pub bomb_points: u16,
    /// Who pays for a bomb to whom.
    pub bomb_pay: BombPay,
    /// The card that doubles what its holder pays or wins.
    pub bird: Option<Card>,
    /// The most a player loses in a deal.
    pub cap: Option<u16>,
    /// Are the opponents' numbers of cards shown? They follow from the plays anyway: an option for the front ends.
    pub show_counts: bool,
}

const S3: Card = match Card::of(0, 0) {
    Some(card) => card,
    None => unreachable!(),
};

impl Default for Options {
    fn default() -> Self {
        Options {
            players: None,
            deck: Deck::D48,
            removed: None,
            hand: 16,
            deals: 1,
            target: None,
            lead: Lead::Winner,
            lead_card: S3,
            lead_include: true,
            lead_fallback: Fallback::Lowest,
            must_beat: true,
            must_beat_bombs: true,
            pass_locks: false,
            straight_min: 5,
            pairrun_min: 2,
            triple_kickers: 0b100,
            kicker_pair: false,
            plane_range: false,
            kicker_same_rank: SameRank::Plane,
            short_last: true,
            short_follow: true,
            quad_kickers: 0,
            bomb_split: true,
            triple_bombs: 0,
            baodan: Baodan::MustMax,
            end: End::FirstOut,
            card_point: 1,
            one_card_free: true,
            shutout: 2,
            reverse_shutout: 1,
            bomb_points: 10,
            bomb_pay: BombPay::Each,
            bird: None,
            cap: None,
            show_counts: true,
        }
    }
}

impl Deck {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Deck::D48 => "d48",
            Deck::D45 => "d45",
            Deck::D52 => "d52",
            Deck::Custom => "custom",
        }
    }

    /// The cards it leaves out of the 52, and how many are left. A custom deck leaves out nothing by itself.
    fn removed(self) -> CardSet {
        let cards: &[&str] = match self {
            Deck::D48 => &["H2", "C2", "D2", "SA"],
            Deck::D45 => &["H2", "C2", "D2", "SA", "CA", "DA", "DK"],
            Deck::D52 | Deck::Custom => &[],
        };
        cards.iter().filter_map(|card| Card::parse(card)).collect()
    }
}

/// The names of the presets.
pub const PRESETS: [&str; 9] =
    ["classic16", "classic15", "duel16", "duel15", "four13", "free", "hunan", "strictshort", "zsy"];

impl Options {
    /// The options of a preset; `None` when there is none of that name.
    pub fn preset(name: &str) -> Option<Options> {
        let classic = Options::default();
        let fifteen = Options { deck: Deck::D45, hand: 15, ..classic.clone() };
        let four = Options { players: Some(4), deck: Deck::D52, hand: 13, ..classic.clone() };
        Some(match name {
            "classic16" => classic,
            "classic15" => fifteen,
            "duel16" => Options { players: Some(2), ..classic },
            "duel15" => Options { players: Some(2), ..fifteen },
            "four13" => four,
            "free" => Options { must_beat: false, ..classic },
            "hunan" => Options { lead_include: true, bird: Card::parse("HT"), baodan: Baodan::MustMax, ..classic },
            "strictshort" => {
                Options { plane_range: true, short_follow: false, lead_include: false, baodan: Baodan::Off, ..classic }
            }
            "zsy" => Options {
                end: End::Ranking,
                must_beat: false,
                triple_kickers: 0b001,
                pairrun_min: 3,
                straight_min: 3,
                baodan: Baodan::Off,
                ..four
            },
            _ => return None,
        })
    }

    /// The cards that are played with.
    pub fn card_set(&self) -> CardSet {
        CardSet::FULL.without(self.removed.unwrap_or_else(|| self.deck.removed()))
    }

    /// What is wrong with the options for so many players, each in one sentence; nothing when they make a game.
    pub fn faults(&self, players: u8) -> Vec<String> {
        let mut faults = Vec::new();
        let mut demand = |holds: bool, message: String| {
            if !holds {
                faults.push(message);
            }
        };
        demand((2..=4).contains(&players), format!("Pao De Kuai has 2 to 4 players, not {players}"));
        if let Some(fixed) = self.players {
            demand(fixed == players, format!("these options are for {fixed} players, not for {players}"));
        }
        let deck = self.card_set();
        let (name, size, named) = (self.deck.name(), deck.len(), 52 - self.deck.removed().len());
        demand(
            self.deck == Deck::Custom || size == named,
            format!("the deck {name} has {named} cards, not {size}; other numbers are the deck custom"),
        );
        demand(self.hand >= 1, "each seat is dealt at least one card".to_owned());
        demand(
            u16::from(players) * u16::from(self.hand) <= u16::from(size),
            format!(
                "{players} players with {} cards each need more than the {size} cards of the deck{}",
                self.hand,
                if players == 4 { "; for four players there is preset=four13" } else { "; give a smaller hand" }
            ),
        );
        demand(
            (1..=MAX_DEALS).contains(&self.deals),
            format!("a match has 1 to {MAX_DEALS} deals, not {}", self.deals),
        );
        demand(self.target != Some(0), "the target is at least one point".to_owned());
        for (name, seat) in [
            ("lead", if let Lead::Seat(seat) = self.lead { Some(seat) } else { None }),
            ("lead_fallback", if let Fallback::Seat(seat) = self.lead_fallback { Some(seat) } else { None }),
        ] {
            let Some(seat) = seat else { continue };
            demand(seat < players, format!("{name} names seat {seat}; seats are 0 to {}", players.saturating_sub(1)));
        }
        demand(deck.contains(self.lead_card), format!("the lead card {} is not in the deck", self.lead_card));
        if let Some(bird) = self.bird {
            demand(deck.contains(bird), format!("the bird card {bird} is not in the deck"));
        }
        demand((3..=12).contains(&self.straight_min), format!("straight_min is 3 to 12, not {}", self.straight_min));
        demand((2..=3).contains(&self.pairrun_min), format!("pairrun_min is 2 or 3, not {}", self.pairrun_min));
        demand(self.triple_kickers & !0b111 == 0, "triple_kickers are among 0, 1 and 2".to_owned());
        demand(self.quad_kickers & !0b1100 == 0, "quad_kickers are among 2 and 3".to_owned());
        let ranks = deck.ranks();
        for (rank, letter) in RANK_LETTERS.iter().enumerate() {
            let count = ranks.count(rank as Rank);
            demand(
                self.triple_bombs >> rank & 1 == 0 || count == 3,
                format!("a rank of triple_bombs has three cards in the deck, {letter} has {count}"),
            );
        }
        let points = [
            ("card_point", self.card_point),
            ("shutout", self.shutout),
            ("reverse_shutout", self.reverse_shutout),
            ("bomb_points", self.bomb_points),
        ];
        for (name, value) in points {
            demand(value <= MAX_POINTS, format!("{name} is 0 to {MAX_POINTS}, not {value}"));
        }
        faults
    }

    /// Whether they make a game of so many players.
    ///
    /// # Errors
    /// `paodekuai.options`, with everything that is wrong.
    pub fn validate(&self, players: u8) -> Result<(), SetupError> {
        let faults = self.faults(players);
        if faults.is_empty() { Ok(()) } else { Err(SetupError::new("paodekuai.options", faults.join("; "))) }
    }
}
