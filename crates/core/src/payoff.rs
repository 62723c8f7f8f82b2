//! Seats, turns and vectors with one number per seat.

use serde::{Deserialize, Serialize};

/// A player's place at the table, from 0 in the order of the first round.
pub type Seat = u8;

/// The largest table: Carcassonne with Inns & Cathedrals seats six.
pub const MAX_PLAYERS: usize = 6;

/// Who acts next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Turn {
    /// A player decides.
    Seat(Seat),
    /// Chance decides. The number is an index into [`crate::Meta::chance`]: the kind of event, which is also the purpose of
    /// its indexed randomness.
    Chance(u8),
    /// Nobody: the game is over.
    Terminal,
}

impl Turn {
    /// The seat to move, if it is a player's turn.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Turn::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// Whether the game is over.
    pub fn is_terminal(self) -> bool {
        self == Turn::Terminal
    }
}

/// One number per seat: returns, utilities or their means. Never "the score of the side that just moved", which is the
/// classical source of sign mistakes in tree search.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(into = "Vec<f64>", try_from = "Vec<f64>")]
pub struct Payoff {
    values: [f64; MAX_PLAYERS],
    players: u8,
}

impl Payoff {
    /// A payoff with one entry per seat.
    ///
    /// # Panics
    /// When there are more than [`MAX_PLAYERS`] entries.
    pub fn new(per_seat: &[f64]) -> Self {
        let mut values = [0.0; MAX_PLAYERS];
        values[..per_seat.len()].copy_from_slice(per_seat);
        Payoff { values, players: per_seat.len() as u8 }
    }

    /// A payoff of `players` equal entries.
    pub fn uniform(players: u8, value: f64) -> Self {
        let mut values = [0.0; MAX_PLAYERS];
        values[..usize::from(players)].fill(value);
        Payoff { values, players }
    }

    /// The two-player payoff `[value, -value]`.
    pub fn zero_sum(value: f64) -> Self {
        Payoff::new(&[value, -value])
    }

    /// Only who is first counts: +1 shared by the seats with the highest entry, -1 shared by the others, 0 where all are alike.
    pub fn win_returns(&self) -> Payoff {
        let best = self.as_slice().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = self.as_slice().iter().filter(|&&x| x == best).count();
        let others = usize::from(self.players) - first;
        let mut payoff = Payoff::uniform(self.players, 0.0);
        for seat in (0..self.players).filter(|_| others > 0) {
            let won = self.of(seat) == best;
            payoff.set(seat, if won { 1.0 / first as f64 } else { -1.0 / others as f64 });
        }
        payoff
    }

    /// The entry of `seat`; 0 for a seat that does not exist.
    #[inline]
    pub fn of(&self, seat: Seat) -> f64 {
        self.values.get(usize::from(seat)).copied().unwrap_or(0.0)
    }

    /// Sets the entry of `seat`.
    ///
    /// # Panics
    /// When there is no such seat.
    #[inline]
    pub fn set(&mut self, seat: Seat, value: f64) {
        assert!(seat < self.players, "seat {seat} of {}", self.players);
        self.values[usize::from(seat)] = value;
    }

    /// How many seats it has.
    #[inline]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The entries in seat order.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..usize::from(self.players)]
    }
}

impl std::fmt::Debug for Payoff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl From<Payoff> for Vec<f64> {
    fn from(payoff: Payoff) -> Self {
        payoff.as_slice().to_vec()
    }
}

impl TryFrom<Vec<f64>> for Payoff {
    type Error = String;

    fn try_from(values: Vec<f64>) -> Result<Self, String> {
        if values.len() > MAX_PLAYERS {
            return Err(format!("a payoff has at most {MAX_PLAYERS} entries, found {}", values.len()));
        }
        Ok(Payoff::new(&values))
    }
}
