//! Three tiny complete games, written against the public contract alone. They show how little a game needs, and serve as test
//! beds whose exact values are known:
//!
//! - [`TicTacToe`]: perfect information, no chance; its value is a draw;
//! - [`Kuhn`]: hidden cards, two to four players; with two players the first loses 1/18 of an ante a game (Kuhn 1950);
//! - [`Countdown`]: dice with listed outcomes and a decision at every turn; small enough to enumerate.
#![forbid(unsafe_code)]

mod dice;
mod dice_notation;
mod kuhn;
mod kuhn_notation;
mod tictactoe;

pub use dice::{Countdown, CountdownOptions, DiceAction};
pub use kuhn::{Kuhn, KuhnAction, KuhnBelief, MAX_KUHN_PLAYERS};
pub use tictactoe::TicTacToe;
