//! Tic-tac-toe, with its exact values.

use kiebitz_core::{Game, Illegal, Meta, Payoff, Seat, SetupError, Turn, snapshot_undo};

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Clone, Debug, PartialEq, Default)]
pub struct TicTacToe {
    cells: [u16; 2],
}

impl TicTacToe {
    /// The position after these cells were taken in turn.
    pub fn after(cells: &[u8]) -> Self {
        let mut game = TicTacToe::default();
        for &cell in cells {
            game.try_apply(cell).expect("a legal cell");
        }
        game
    }

    fn mover(&self) -> Seat {
        ((self.cells[0] | self.cells[1]).count_ones() % 2) as Seat
    }

    fn winner(&self) -> Option<Seat> {
        (0..2).find(|&s| LINES.iter().any(|l| self.cells[usize::from(s)] & l == *l))
    }

    /// The exact utility of seat 0.
    pub fn exact(&self) -> f64 {
        let Turn::Seat(seat) = self.turn() else { return self.utility().of(0) };
        let mut actions = Vec::new();
        self.actions(&mut actions);
        let values = actions.into_iter().map(|action| {
            let mut next = self.clone();
            next.apply(action);
            next.exact()
        });
        if seat == 0 { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
    }
}

impl Game for TicTacToe {
    const ID: &'static str = "tictactoe";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=2;
    type Options = ();
    type Setup = ();
    type Action = u8;
    type Belief = ();
    snapshot_undo!();

    fn new(_: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        Ok(TicTacToe::default())
    }

    fn meta(&self) -> Meta {
        Meta {
            players: 2,
            zero_sum: true,
            hidden: false,
            max_length: 9,
            min_return: -1.0,
            max_return: 1.0,
            chance: &[],
        }
    }

    fn turn(&self) -> Turn {
        if self.winner().is_some() || self.cells[0] | self.cells[1] == 0o777 {
            Turn::Terminal
        } else {
            Turn::Seat(self.mover())
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        if !self.turn().is_terminal() {
            out.extend((0..9).filter(|c| (self.cells[0] | self.cells[1]) >> c & 1 == 0));
        }
    }

    fn check(&self, action: u8) -> Result<(), Illegal> {
        if self.turn().is_terminal() {
            return Err(Illegal::game_over());
        }
        if action < 9 && (self.cells[0] | self.cells[1]) >> action & 1 == 0 {
            Ok(())
        } else {
            Err(Illegal::new("tictactoe.taken", "the cell is taken"))
        }
    }

    fn apply(&mut self, action: u8) {
        let seat = usize::from(self.mover());
        self.cells[seat] |= 1 << action;
    }

    fn returns(&self) -> Payoff {
        Payoff::zero_sum(match self.winner() {
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
        u64::from(self.cells[0]) << 16 | u64::from(self.cells[1])
    }
}
