//! What happens in a game: deals, the fallback leader, plays and passes, in 16 bytes.

use kiebitz_core::Seat;

use crate::cards::{Card, CardSet, Cards};

/// The kinds of actions are told apart by the highest bits.
const KIND: u32 = 124;
const KIND_LEADER: u128 = 1 << KIND;
const KIND_MASKED: u128 = 2 << KIND;
const KIND_DEAL: u128 = 3 << KIND;
/// Three owners of cards, base 5, in seven bits.
const GROUP: u32 = 7;
/// A masked deal in which no hand is known.
const NOBODY: u128 = 7;

/// Who holds a card that nobody was dealt.
pub const KITTY: Seat = 4;

/// An action of a player or of chance. Plays are ordered by their code (see [`Cards`]), the pass before all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u128);

/// What an [`Action`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// No play.
    Pass,
    /// A play: a multiset of ranks.
    Play(Cards),
    /// Chance names the leader because nobody holds the lead card.
    Leader(Seat),
    /// Chance deals.
    Deal(Deal),
}

/// Who got which cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deal {
    /// All hands. Cards that are neither in a hand nor in the kitty are not in the deck.
    Open {
        /// By seat; empty for seats that do not exist.
        hands: [CardSet; 4],
        /// The cards dealt to nobody.
        kitty: CardSet,
    },
    /// The deal as one seat (or nobody) sees it.
    Masked {
        /// Whose cards are known, and which they are.
        known: Option<(Seat, CardSet)>,
    },
}

impl Action {
    /// The pass.
    pub const PASS: Action = Action(0);

    /// A play; no card is the pass.
    #[inline]
    pub const fn play(cards: Cards) -> Action {
        Action(cards.0 as u128)
    }

    #[inline]
    pub(crate) const fn play_code(code: u64) -> Action {
        Action(code as u128)
    }

    /// Chance names the leader.
    pub const fn leader(seat: Seat) -> Action {
        Action(KIND_LEADER | seat as u128)
    }

    /// Chance deals.
    pub fn deal(deal: &Deal) -> Action {
        match deal {
            Deal::Masked { known: None } => Action(KIND_MASKED | NOBODY << 52),
            Deal::Masked { known: Some((seat, cards)) } => {
                Action(KIND_MASKED | u128::from(*seat) << 52 | u128::from(cards.0))
            }
            Deal::Open { hands, kitty } => {
                let mut owners = [0u8; 54];
                for (owner, set) in (0u8..).zip(hands.iter().chain([kitty])) {
                    let mut left = set.0;
                    while left != 0 {
                        owners[left.trailing_zeros() as usize] = owner;
                        left &= left - 1;
                    }
                }
                Action::deal_to(&owners)
            }
        }
    }

    /// A deal by the owner of each card index ([`KITTY`] for nobody, 0 for cards not in the deck). The last two are unused.
    pub(crate) fn deal_to(owners: &[u8; 54]) -> Action {
        let groups = owners.chunks_exact(3).rev();
        let code = groups.fold(0, |code, group| code << GROUP | u128::from(group[0] + 5 * group[1] + 25 * group[2]));
        // 17 groups and one card use 122 bits.
        Action(KIND_DEAL | code)
    }

    /// Whether it is a play or the pass.
    #[inline]
    pub const fn is_play_or_pass(self) -> bool {
        self.0 >> KIND == 0
    }

    /// Whether it is the pass.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// The cards of a play; none for anything else.
    #[inline]
    pub const fn cards(self) -> Cards {
        if self.is_play_or_pass() { Cards(self.0 as u64) } else { Cards::EMPTY }
    }

    /// What it says. `deck` tells which cards of a deal count.
    pub fn kind(self, deck: &[Card]) -> ActionKind {
        match self.0 >> KIND {
            0 if self.0 == 0 => ActionKind::Pass,
            0 => ActionKind::Play(Cards(self.0 as u64)),
            1 => ActionKind::Leader(self.0 as u8),
            2 => {
                let seat = (self.0 >> 52 & 7) as u8;
                let cards = CardSet(self.0 as u64 & CardSet::FULL.0);
                let known = (u128::from(seat) != NOBODY).then_some((seat, cards));
                ActionKind::Deal(Deal::Masked { known })
            }
            _ => {
                let mut sets = [CardSet::EMPTY; 5];
                let mut owners = [0u8; 54];
                self.owners(&mut owners);
                for &card in deck {
                    if let Some(set) = sets.get_mut(usize::from(owners[usize::from(card.index())])) {
                        set.insert(card);
                    }
                }
                let [hands @ .., kitty] = sets;
                ActionKind::Deal(Deal::Open { hands, kitty })
            }
        }
    }

    /// The owner of each card index of an open deal.
    pub(crate) fn owners(self, owners: &mut [u8; 54]) {
        let mut code = self.0 & ((1 << KIND) - 1);
        for group in owners.chunks_exact_mut(3) {
            let digits = (code & 127) as u8;
            group.copy_from_slice(&[digits % 5, digits / 5 % 5, digits / 25]);
            code >>= GROUP;
        }
    }

    pub(crate) fn is_deal(self) -> bool {
        self.0 >> KIND >= 2
    }
}

impl std::fmt::Debug for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind(&[]) {
            ActionKind::Pass => write!(f, "pass"),
            ActionKind::Play(cards) => write!(f, "{cards}"),
            ActionKind::Leader(seat) => write!(f, "leader {seat}"),
            ActionKind::Deal(_) => write!(f, "deal {:#x}", self.0),
        }
    }
}
