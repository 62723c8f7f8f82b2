//! Queries about Go in the form of KataGo's analysis engine, and answers in the same form. The names of fields and their
//! meaning are those of KataGo's `docs/Analysis_Engine.md`.

pub(crate) mod answer;
mod hash;
pub(crate) mod query;

use std::str::FromStr;

use kiebitz_core::Seat;

/// From whose view win rates, points and ownership are given: KataGo's `reportAnalysisWinratesAs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ReportAs {
    /// Black's, as in KataGo's example configuration, and as KaTrain asks for.
    #[default]
    Black,
    /// White's.
    White,
    /// That of the player to move.
    SideToMove,
}

/// A name that is none of [`ReportAs`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it must be black, white or sidetomove")]
pub struct UnknownReportAs;

impl UnknownReportAs {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        "engine.report_as"
    }
}

impl FromStr for ReportAs {
    type Err = UnknownReportAs;

    fn from_str(text: &str) -> Result<Self, UnknownReportAs> {
        match text.trim().to_ascii_lowercase().as_str() {
            "black" => Ok(ReportAs::Black),
            "white" => Ok(ReportAs::White),
            "sidetomove" => Ok(ReportAs::SideToMove),
            _ => Err(UnknownReportAs),
        }
    }
}

impl ReportAs {
    /// The seat whose view it is when `mover` is to move.
    fn seat(self, mover: Seat) -> Seat {
        match self {
            ReportAs::Black => 0,
            ReportAs::White => 1,
            ReportAs::SideToMove => mover,
        }
    }
}
