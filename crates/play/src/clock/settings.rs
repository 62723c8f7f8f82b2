//! Time systems: how much time a player has for a game.

use std::fmt;
use std::time::Duration;

/// A time system, the same for all players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TimeSettings {
    /// No limit.
    #[default]
    None,
    /// `main` for the whole game; who exceeds it loses.
    Absolute {
        /// Time for the game.
        main: Duration,
    },
    /// After `main`, `moves` moves within each `period` (Canadian overtime).
    Canadian {
        /// Main time.
        main: Duration,
        /// Time for `moves` moves.
        period: Duration,
        /// Moves in a period, at least 1.
        moves: u32,
    },
    /// After `main`, `period` for each move; who exceeds it loses one of `periods` (Japanese overtime).
    Byoyomi {
        /// Main time.
        main: Duration,
        /// Time for each move.
        period: Duration,
        /// How many periods.
        periods: u32,
    },
    /// `main` at the start and `increment` after every move.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Added after every move.
        increment: Duration,
    },
    /// As Fischer, but the clock never shows more than `limit`, and no move may take longer than `longest`.
    FischerCapped {
        /// Time at the start.
        main: Duration,
        /// Added after every move.
        increment: Duration,
        /// The most that the clock can show; [`Duration::MAX`] for no limit.
        limit: Duration,
        /// The longest move; [`Duration::MAX`] for no limit.
        longest: Duration,
    },
}

/// Words that are no time settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTime {
    /// No time system of this name.
    #[error("'{name}' is no time system; there are: none, absolute, canadian, byoyomi, fischer, fischer-capped")]
    Unknown {
        /// The name.
        name: String,
    },
    /// Too few or too many numbers.
    #[error("{name} needs {expected}")]
    Arguments {
        /// The time system.
        name: &'static str,
        /// What it needs.
        expected: &'static str,
    },
    /// A number that is no time or count.
    #[error("'{text}' cannot be used: {expected}")]
    Number {
        /// The text.
        text: String,
        /// What would be right.
        expected: &'static str,
    },
}

impl BadTime {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            BadTime::Unknown { .. } => "time.unknown",
            BadTime::Arguments { .. } => "time.arguments",
            BadTime::Number { .. } => "time.number",
        }
    }
}

/// The longest time that can be set: ten years. Anything longer is a slip of the pen, and sums of it stay in range.
const LONGEST: f64 = 3.2e8;

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Seconds, fractions allowed.
fn seconds(text: &str) -> Result<Duration, BadTime> {
    let number = text.parse::<f64>().ok().filter(|s| (0.0..=LONGEST).contains(s));
    let wrong = || BadTime::Number { text: clip(text), expected: "a time is a number of seconds from 0 to ten years" };
    // Minus zero is none either.
    Ok(Duration::from_secs_f64(number.ok_or_else(wrong)?.abs()))
}

/// Seconds, where a negative number stands for no limit.
fn limit(text: &str) -> Result<Duration, BadTime> {
    if text.parse::<f64>().is_ok_and(|s| s < 0.0) { Ok(Duration::MAX) } else { seconds(text) }
}

fn count(text: &str) -> Result<u32, BadTime> {
    let number = text.parse::<u32>().ok().filter(|n| *n <= 1_000_000);
    number.ok_or_else(|| BadTime::Number { text: clip(text), expected: "a count is a whole number from 0 to 1000000" })
}

impl TimeSettings {
    /// Canadian overtime as GTP's `time_settings` gives it: overtime without moves means no limit, no overtime means that
    /// the main time is all.
    pub fn from_gtp(main: Duration, period: Duration, moves: u32) -> Self {
        match (period.is_zero(), moves) {
            (true, _) => TimeSettings::Absolute { main },
            (false, 0) => TimeSettings::None,
            _ => TimeSettings::Canadian { main, period, moves },
        }
    }

    /// Reads the words of KGS and KataGo: `none`, `absolute MAIN`, `canadian MAIN PERIOD MOVES`, `byoyomi MAIN PERIOD PERIODS`,
    /// `fischer MAIN INCREMENT`, `fischer-capped MAIN INCREMENT LIMIT LONGEST` (a negative limit is none). Times are seconds.
    ///
    /// # Errors
    /// An unknown name, a wrong number of words, a word that is no number, or a negative time.
    pub fn from_words(words: &[&str]) -> Result<Self, BadTime> {
        let (name, rest) = words.split_first().map_or(("", &[][..]), |(name, rest)| (*name, rest));
        let need = |name, expected| Err(BadTime::Arguments { name, expected });
        match (name.to_ascii_lowercase().as_str(), rest) {
            ("none", _) => Ok(TimeSettings::None),
            ("absolute", [main]) => Ok(TimeSettings::Absolute { main: seconds(main)? }),
            ("absolute", _) => need("absolute", "one number: the main time"),
            ("canadian", [main, period, moves]) => {
                Ok(TimeSettings::from_gtp(seconds(main)?, seconds(period)?, count(moves)?))
            }
            ("canadian", _) => need("canadian", "three numbers: main time, time of a period, moves in a period"),
            ("byoyomi", [main, period, periods]) => {
                let (main, period, periods) = (seconds(main)?, seconds(period)?, count(periods)?);
                Ok(if period.is_zero() || periods == 0 {
                    TimeSettings::Absolute { main }
                } else {
                    TimeSettings::Byoyomi { main, period, periods }
                })
            }
            ("byoyomi", _) => need("byoyomi", "three numbers: main time, time of a period, number of periods"),
            ("fischer", [main, increment]) => {
                Ok(TimeSettings::Fischer { main: seconds(main)?, increment: seconds(increment)? })
            }
            ("fischer", _) => need("fischer", "two numbers: main time, increment"),
            ("fischer-capped", [main, increment, most, longest]) => Ok(TimeSettings::FischerCapped {
                main: seconds(main)?,
                increment: seconds(increment)?,
                limit: limit(most)?,
                longest: limit(longest)?,
            }),
            ("fischer-capped", _) => {
                need("fischer-capped", "four numbers: main time, increment, most on the clock, longest move")
            }
            (name, _) => Err(BadTime::Unknown { name: clip(name) }),
        }
    }

    /// The time at the start of the game, before any overtime.
    pub fn main(&self) -> Duration {
        match *self {
            TimeSettings::None => Duration::MAX,
            TimeSettings::Absolute { main }
            | TimeSettings::Canadian { main, .. }
            | TimeSettings::Byoyomi { main, .. }
            | TimeSettings::Fischer { main, .. }
            | TimeSettings::FischerCapped { main, .. } => main,
        }
    }

    /// Whether nothing is limited.
    pub fn is_none(&self) -> bool {
        *self == TimeSettings::None
    }
}

impl fmt::Display for TimeSettings {
    /// As [`TimeSettings::from_words`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = |d: Duration| if d == Duration::MAX { -1.0 } else { d.as_secs_f64() };
        match *self {
            TimeSettings::None => f.write_str("none"),
            TimeSettings::Absolute { main } => write!(f, "absolute {}", main.as_secs_f64()),
            TimeSettings::Canadian { main, period, moves } => {
                write!(f, "canadian {} {} {moves}", main.as_secs_f64(), period.as_secs_f64())
            }
            TimeSettings::Byoyomi { main, period, periods } => {
                write!(f, "byoyomi {} {} {periods}", main.as_secs_f64(), period.as_secs_f64())
            }
            TimeSettings::Fischer { main, increment } => {
                write!(f, "fischer {} {}", main.as_secs_f64(), increment.as_secs_f64())
            }
            TimeSettings::FischerCapped { main, increment, limit: most, longest } => {
                let (main, increment) = (main.as_secs_f64(), increment.as_secs_f64());
                write!(f, "fischer-capped {main} {increment} {} {}", limit(most), limit(longest))
            }
        }
    }
}
