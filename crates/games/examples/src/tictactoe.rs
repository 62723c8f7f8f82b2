//! Tic-tac-toe: the smallest game of perfect information. Three in a row, column or diagonal win.

use std::ops::RangeInclusive;

use kiebitz_core::{Forfeit, Game, Illegal, JsonMap, Meta, Notation, Observer, Payoff, Seat, SetupError, Turn};
use kiebitz_core::{no_options, no_setup, snapshot_undo, to_move_fact};
use serde_json::Value;

/// A position. An action is a square, numbered 0 to 8 row by row; its text is column and row, `a1` to `c3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    /// The squares of each seat, bit by bit.
    own: [u16; 2],
    ply: u8,
}

/// Rows, columns, diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    /// Whether `seat` has three in a line.
    pub fn has_won(&self, seat: Seat) -> bool {
        self.own.get(usize::from(seat)).is_some_and(|own| LINES.iter().any(|line| own & line == *line))
    }

    /// The board from the first row to the last: `X` for the first seat, `O` for the second, `.` for an empty square.
    fn rows(&self) -> Vec<String> {
        let mark = |s: u8| ['.', 'X', 'O'][usize::from(self.own[0] >> s & 1 | (self.own[1] >> s & 1) << 1)];
        (0..3).map(|row| (0..3).map(|column| mark(3 * row + column)).collect()).collect()
    }

    fn occupied(&self) -> u16 {
        self.own[0] | self.own[1]
    }

    /// 1 when the first seat has won, -1 when the second has, else 0.
    fn score(&self) -> f64 {
        f64::from(i8::from(self.has_won(0)) - i8::from(self.has_won(1)))
    }
}

impl Game for TicTacToe {
    const ID: &'static str = "tictactoe";
    const PLAYERS: RangeInclusive<u8> = 2..=2;
    type Options = ();
    type Setup = ();
    type Action = u8;
    type Belief = ();
    snapshot_undo!();

    fn new(players: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        if players != 2 {
            return Err(SetupError::new("tictactoe.players", format!("tic-tac-toe has 2 players, not {players}")));
        }
        Ok(TicTacToe { own: [0; 2], ply: 0 })
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
        // Only the seat that has just moved can have completed a line.
        if self.ply == 9 || self.has_won((self.ply + 1) & 1) { Turn::Terminal } else { Turn::Seat(self.ply & 1) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        if !self.turn().is_terminal() {
            out.extend((0..9).filter(|square| self.occupied() >> square & 1 == 0));
        }
    }

    fn check(&self, action: u8) -> Result<(), Illegal> {
        if self.turn().is_terminal() {
            Err(Illegal::game_over())
        } else if action > 8 {
            Err(Illegal::new("tictactoe.square", format!("there is no square {action}, the last is 8")))
        } else if self.occupied() >> action & 1 == 1 {
            let message = format!("{} is already occupied", self.action_text(action));
            Err(Illegal::new("tictactoe.occupied", message))
        } else {
            Ok(())
        }
    }

    fn apply(&mut self, action: u8) {
        debug_assert!(self.is_legal(action), "illegal square {action}");
        self.own[usize::from(self.ply & 1)] |= 1 << action;
        self.ply += 1;
    }

    fn returns(&self) -> Payoff {
        Payoff::zero_sum(self.score())
    }

    fn utility(&self) -> Payoff {
        let value = 0.5 + 0.5 * self.score();
        Payoff::new(&[value, 1.0 - value])
    }

    fn key(&self) -> u64 {
        u64::from(self.own[0]) << 9 | u64::from(self.own[1])
    }
}

impl Notation for TicTacToe {
    no_options!();
    no_setup!();

    fn action_text(&self, action: u8) -> String {
        format!("{}{}", char::from(b'a' + action % 3), action / 3 + 1)
    }

    fn parse_action(&self, text: &str) -> Result<u8, Illegal> {
        match *text.as_bytes() {
            [column @ b'a'..=b'c', row @ b'1'..=b'3'] => Ok(column - b'a' + 3 * (row - b'1')),
            _ => Err(Illegal::new("tictactoe.text", format!("'{text}' is no square, they are called a1 to c3"))),
        }
    }

    fn facts(&self) -> JsonMap {
        let (turn, rows) = (self.turn(), self.rows());
        let facts = [("to_move", to_move_fact(turn)), ("terminal", turn.is_terminal().into()), ("board", rows.into())];
        facts.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
    }

    fn view(&self, _: Observer) -> Value {
        self.facts().into()
    }

    fn board_text(&self, _: Observer) -> String {
        self.rows().join("\n")
    }

    fn result_text(&self, forfeit: Option<Forfeit>) -> Option<String> {
        let winner = forfeit.map(|f| if f.seat() == 0 { "O" } else { "X" });
        let winner = winner.or(self.has_won(0).then_some("X")).or(self.has_won(1).then_some("O"));
        let draw = || self.turn().is_terminal().then(|| "draw".to_owned());
        winner.map(|mark| format!("{mark} wins")).or_else(draw)
    }
}
