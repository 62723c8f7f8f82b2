//! Dynamic komi: in handicap games a search that sees only won or only lost games does not care what it plays. A komi that keeps its
//! win rate near a half makes it fight for points (Baudiš, "Balancing MCTS by dynamically adjusting the komi value", 2011, the
//! situational form).

use kiebitz_core::{Session, SetupError};
use kiebitz_go::{Color, Go, MAX_KOMI};

/// The win rates between which the komi is left alone.
const FAIR: std::ops::RangeInclusive<f64> = 0.4..=0.6;
/// From so many plies for each point on, the real komi counts again.
const UNTIL: f64 = 0.5;
/// The largest shift, in points for each handicap stone.
const MOST: f64 = 15.0;

/// The shift of the komi in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DynamicKomi {
    /// Added to the komi, in quarter points: above 0 helps White.
    shift: i32,
    /// The ply the shift was last set at.
    ply: Option<u32>,
}

impl DynamicKomi {
    /// The shift in points, above 0 in White's favour.
    pub fn points(&self) -> f64 {
        f64::from(self.shift) / 4.0
    }

    /// Whether the komi of this position is shifted at all: in the first half of a handicap game.
    pub fn applies(go: &Go) -> bool {
        go.options().handicap >= 2 && f64::from(go.ply()) < UNTIL * go.size().points() as f64
    }

    /// Before the first search of a game: the shift that makes an expected margin (Black's, in points, by the real komi) zero.
    /// `true` when the komi changes.
    pub fn begin(&mut self, go: &Go, margin: f64) -> bool {
        self.set(go, margin)
    }

    /// Whether this game has no shift yet.
    pub fn is_new(&self, go: &Go) -> bool {
        self.ply.is_none_or(|ply| ply > go.ply())
    }

    /// After a search for `color` under the shifted komi: its best win rate, and its margin in points where known. `true` when
    /// the komi changes.
    pub fn follow(&mut self, go: &Go, color: Color, win_rate: f64, margin: Option<f64>) -> bool {
        if !Self::applies(go) {
            return self.set(go, 0.0);
        }
        if FAIR.contains(&win_rate) {
            self.ply = Some(go.ply());
            return false;
        }
        let ahead = if win_rate > 0.5 { 1.0 } else { -1.0 };
        let step = margin.map_or(2.0, |m| (m.abs() / 2.0).clamp(1.0, 10.0)) * ahead;
        let for_white = if color == Color::Black { step } else { -step };
        self.set(go, self.points() + for_white)
    }

    fn set(&mut self, go: &Go, points: f64) -> bool {
        let most = MOST * f64::from(go.options().handicap);
        // Whole points keep the fraction of the komi, and with it whether there are draws.
        let shift = points.clamp(-most, most).round() as i32 * 4;
        self.ply = Some(go.ply());
        std::mem::replace(&mut self.shift, shift) != shift
    }

    /// The game under the shifted komi; `None` when nothing is shifted.
    ///
    /// # Errors
    /// When the moves of the session cannot be played again.
    pub fn shifted(&self, session: &Session<Go>) -> Result<Option<Session<Go>>, SetupError> {
        if self.shift == 0 || !Self::applies(session.state()) {
            return Ok(None);
        }
        let mut options = *session.options();
        options.komi = (options.komi + self.shift).clamp(-4 * MAX_KOMI, 4 * MAX_KOMI);
        let mut shifted = Session::new(session.players(), options, session.setup().cloned(), session.seed())?;
        for step in session.history() {
            shifted.perform(step.clone()).map_err(|e| SetupError::new(e.code, e.to_string()))?;
        }
        Ok(Some(shifted))
    }
}
