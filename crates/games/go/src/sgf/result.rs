//! Results, the values of RE.

use std::fmt;

use super::number::number;
use crate::Color;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameResult {
    /// Nobody won: `0`.
    Draw,
    /// Someone won: `B+12.5`, `W+R`.
    Win {
        /// Who.
        winner: Color,
        /// By what.
        by: Margin,
    },
    /// No result, or the game was broken off: `Void`.
    Void,
    /// Not known: `?`.
    Unknown,
}

/// By what a game was won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// By so many points, more than 0.
    Points(f64),
    /// By resignation.
    Resignation,
    /// On time.
    Time,
    /// By forfeit.
    Forfeit,
    /// The record does not say.
    Unstated,
}

impl GameResult {
    /// Reads an RE value: the standard's forms in any case, and `Resign`, `Time`, `Forfeit`, `Draw` and `Jigo` written
    /// out. `None` when it says something else.
    pub fn parse(value: &str) -> Option<GameResult> {
        let value = value.trim().to_ascii_lowercase();
        let (winner, by) = match value.as_str() {
            "0" | "draw" | "jigo" => return Some(GameResult::Draw),
            "void" => return Some(GameResult::Void),
            "?" => return Some(GameResult::Unknown),
            text => text.split_once('+')?,
        };
        let winner = match winner.trim() {
            "b" | "black" => Color::Black,
            "w" | "white" => Color::White,
            _ => return None,
        };
        let by = match by.trim() {
            "" => Margin::Unstated,
            "r" | "res" | "resign" | "resignation" => Margin::Resignation,
            "t" | "time" => Margin::Time,
            "f" | "forfeit" => Margin::Forfeit,
            points => match number(points).value()? {
                points if points > 0.0 => Margin::Points(points),
                _ => return None,
            },
        };
        Some(GameResult::Win { winner, by })
    }
}

impl fmt::Display for GameResult {
    /// The value of RE, without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (winner, by) = match self {
            GameResult::Draw => return f.write_str("0"),
            GameResult::Void => return f.write_str("Void"),
            GameResult::Unknown => return f.write_str("?"),
            GameResult::Win { winner, by } => (winner, by),
        };
        f.write_str(match winner {
            Color::Black => "B+",
            Color::White => "W+",
        })?;
        match by {
            Margin::Points(points) => write!(f, "{points}"),
            Margin::Resignation => f.write_str("R"),
            Margin::Time => f.write_str("T"),
            Margin::Forfeit => f.write_str("F"),
            Margin::Unstated => Ok(()),
        }
    }
}
