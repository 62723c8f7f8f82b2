//! Hex on a small rhombus: a game where a move is worth much the same whenever it is played, which is what
//! all-moves-as-first needs. Seat 0 joins top and bottom, seat 1 left and right; a full board has exactly one winner.

use kiebitz_core::snapshot_undo;
use kiebitz_core::{Game, Illegal, Knowledge, Meta, Outcome, Payoff, Rng, Scratch, Seat, SetupError, Trace, Turn};

#[derive(Clone, Debug, PartialEq)]
pub struct Hex<const N: usize> {
    /// Stones of each seat.
    stones: [u128; 2],
    winner: Option<Seat>,
}

impl<const N: usize> Hex<N> {
    pub fn empty() -> Self {
        Hex { stones: [0; 2], winner: None }
    }

    /// Whose stone is on a cell.
    pub fn owner(&self, cell: u16) -> Option<Seat> {
        (0..2).find(|&s| self.stones[usize::from(s)] >> cell & 1 == 1)
    }

    fn mover(&self) -> Seat {
        ((self.stones[0] | self.stones[1]).count_ones() % 2) as Seat
    }

    fn column(i: usize) -> u128 {
        (0..N).fold(0, |mask, row| mask | 1 << (row * N + i))
    }

    /// Whether the stones join two sides: top and bottom for seat 0, left and right for seat 1.
    fn joins(stones: u128, seat: Seat) -> bool {
        let row = (1u128 << N) - 1;
        let (from, to) = if seat == 0 { (row, row << (N * (N - 1))) } else { (Self::column(0), Self::column(N - 1)) };
        let (left, right) = (!Self::column(0), !Self::column(N - 1));
        let mut group = stones & from;
        loop {
            // Six neighbours: left, right, up, up-right, down, down-left.
            let side = (group & left) >> 1 | (group & right) << 1;
            let up = group >> N | (group & right) >> (N - 1);
            let down = group << N | (group & left) << (N - 1);
            let grown = (group | side | up | down) & stones;
            if grown & to != 0 {
                return true;
            }
            if grown == group {
                return false;
            }
            group = grown;
        }
    }
}

impl<const N: usize> Game for Hex<N> {
    const ID: &'static str = "hex";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=2;
    type Options = ();
    type Setup = ();
    type Action = u16;
    type Belief = ();
    snapshot_undo!();

    fn new(_: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        Ok(Hex::empty())
    }

    fn meta(&self) -> Meta {
        Meta {
            players: 2,
            zero_sum: true,
            hidden: false,
            max_length: (N * N) as u32,
            min_return: -1.0,
            max_return: 1.0,
            chance: &[],
        }
    }

    fn turn(&self) -> Turn {
        if self.winner.is_some() { Turn::Terminal } else { Turn::Seat(self.mover()) }
    }

    fn actions(&self, out: &mut Vec<u16>) {
        out.clear();
        if self.winner.is_none() {
            out.extend((0..(N * N) as u16).filter(|c| (self.stones[0] | self.stones[1]) >> c & 1 == 0));
        }
    }

    fn check(&self, action: u16) -> Result<(), Illegal> {
        let free = usize::from(action) < N * N && (self.stones[0] | self.stones[1]) >> action & 1 == 0;
        if self.winner.is_none() && free { Ok(()) } else { Err(Illegal::new("hex.taken", "the cell is taken")) }
    }

    fn apply(&mut self, action: u16) {
        let seat = self.mover();
        self.stones[usize::from(seat)] |= 1 << action;
        if Self::joins(self.stones[usize::from(seat)], seat) {
            self.winner = Some(seat);
        }
    }

    fn returns(&self) -> Payoff {
        Payoff::zero_sum(match self.winner {
            Some(0) => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        })
    }

    fn utility(&self) -> Payoff {
        let first = 0.5 + 0.5 * self.returns().of(0);
        Payoff::new(&[first, 1.0 - first])
    }

    fn key(&self) -> u64 {
        let mut rng = Rng::new((self.stones[0] ^ self.stones[0] >> 64) as u64);
        let other = Rng::new((self.stones[1] ^ self.stones[1] >> 64) as u64).next_u64();
        rng.next_u64().wrapping_mul(3) ^ other
    }
}

/// Fills the board at random and looks once who won; a cell is its own place among all moves as first.
pub struct HexKnowledge;

impl<const N: usize> Knowledge<Hex<N>> for HexKnowledge {
    type Buffer = ();

    fn playout(
        &self,
        game: &mut Hex<N>,
        rng: &mut Rng,
        scratch: &mut Scratch<Hex<N>>,
        mut trace: Option<&mut Trace<u16>>,
    ) -> Outcome {
        if game.winner.is_none() {
            game.actions(&mut scratch.actions);
            rng.shuffle(&mut scratch.actions);
            let mut seat = game.mover();
            for &action in &scratch.actions {
                game.stones[usize::from(seat)] |= 1 << action;
                if let Some(trace) = trace.as_deref_mut() {
                    trace.push((seat, action));
                }
                seat = 1 - seat;
            }
            game.winner = Some(if Hex::<N>::joins(game.stones[0], 0) { 0 } else { 1 });
        }
        Outcome::of(game)
    }

    fn amaf(&self, _: &Hex<N>, action: u16) -> Option<u32> {
        Some(u32::from(action))
    }

    fn amaf_size(&self, _: &Hex<N>) -> u32 {
        (N * N) as u32
    }
}
