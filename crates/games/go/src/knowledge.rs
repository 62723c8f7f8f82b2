//! What Go tells a search: playouts on the fast board, which moves count for all-moves-as-first, own eyes left out, and
//! reasons.

use kiebitz_core::{
    Estimate, Game, Knowledge, Outcome, Payoff, Reason, Rng, Scratch, Seen, Settings, SpecError, Trace, Turn,
};
use serde_json::{Map, Value};

use crate::board::EMPTY;
use crate::explain;
use crate::features::{self, PriorSettings};
use crate::influence;
use crate::playout::{AnyPlayoutBoard, Policy, Start};
use crate::{Color, Go, Move, Point, Scoring, Size};

/// The lead in points, by the static estimate, that stands for three quarters of a win.
const LEAD: f64 = 10.0;

/// The knowledge of Go that is built in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoKnowledge {
    /// The policy of heavy playouts; `None` for light ones. Key `playouts`, `heavy` or `light`, and those of [`Policy`].
    pub policy: Option<Policy>,
    /// End playouts that one side has won by far. Their scores are then estimates. Key `mercy`.
    pub mercy: bool,
    /// The move prior.
    pub prior: PriorSettings,
}

impl Default for GoKnowledge {
    fn default() -> Self {
        GoKnowledge { policy: Some(Policy::default()), mercy: false, prior: PriorSettings::default() }
    }
}

/// What a thread keeps between playouts.
#[derive(Debug)]
pub struct GoBuffer {
    pub(crate) board: AnyPlayoutBoard,
}

impl Default for GoBuffer {
    fn default() -> Self {
        let smallest = Size::square(1).unwrap_or_else(|_| unreachable!("a board of one point exists"));
        GoBuffer { board: AnyPlayoutBoard::new(smallest) }
    }
}

impl GoBuffer {
    /// Puts a position of the referee on the playout board.
    pub(crate) fn set_up(&mut self, go: &Go) {
        let board = go.board();
        let stones = Color::ALL.into_iter().flat_map(|color| board.stones(color).map(move |point| (point, color)));
        let set = self.board.set_up(go.size(), stones, go.to_move(), go.ko_point());
        debug_assert!(set.is_ok(), "a position of the referee fits the playout board: {set:?}");
    }

    /// Plays one light playout from `go` and writes the final owner of each point by [`Point::index`]: 1 Black, −1 White, 0
    /// nobody. The form that [`crate::status::assess`] asks for: light playouts do not know that nobody may move first in a
    /// seki, so that its stones come out undecided.
    pub fn ownership(&mut self, go: &Go, rng: &mut Rng, owners: &mut [i8]) {
        self.playout(go, &GoKnowledge { policy: None, ..GoKnowledge::default() }, rng, None);
        self.board.ownership(owners);
    }

    /// One playout from `go`, whose board is set up first. Returns Black's margin in points.
    pub(crate) fn playout(
        &mut self,
        go: &Go,
        knowledge: &GoKnowledge,
        rng: &mut Rng,
        trace: Option<&mut Trace<Move>>,
    ) -> f64 {
        self.set_up(go);
        let last = go.last_move().and_then(|(_, mv)| mv.point()).map(|point| self.board.vertex(point));
        let start = Start { to_move: go.to_move(), passes: go.passes(), last, mercy: knowledge.mercy };
        let playout = match &knowledge.policy {
            Some(policy) => self.board.heavy_playout(start, policy, rng, trace),
            None => self.board.light_playout(start, rng, trace),
        };
        margin(go, f64::from(playout.score))
    }
}

/// Black's margin in points when a playout from `go` ended with this area score.
///
/// Under territory scoring, area minus the stones that Black has placed more than White is the same margin, as long as both
/// go on alternately; the stones placed in the playout itself are not counted, for the playout fills its own territory, which no
/// player does. Taxes are left out. So the margin of a playout is an estimate there.
pub(crate) fn margin(go: &Go, area: f64) -> f64 {
    let options = go.options();
    let mut margin = area - options.komi_points() - f64::from(options.handicap_bonus());
    if options.rules.scoring == Scoring::Territory {
        let placed = |color: Color| go.board().count(color) as f64 + f64::from(go.captures(color.opponent()));
        margin -= placed(Color::Black) - placed(Color::White);
    }
    match go.button() {
        Some(Color::Black) => margin + 0.5,
        Some(Color::White) => margin - 0.5,
        None => margin,
    }
}

/// The outcome of a margin.
fn outcome(margin: f64) -> Outcome {
    let black = if margin > 0.0 {
        1.0
    } else if margin < 0.0 {
        0.0
    } else {
        0.5
    };
    Outcome { utility: Payoff::new(&[black, 1.0 - black]), returns: Payoff::zero_sum(margin) }
}

/// Whether `point` is an eye of `color` that is never worth filling: all neighbours are its own stones, and the opponent has
/// less than two of the diagonals (none at the edge).
pub(crate) fn is_own_eye(go: &Go, color: Color, point: Point) -> bool {
    let (size, board) = (go.size(), go.board());
    if !size.neighbors(point).all(|n| board.stone(n) == Some(color)) {
        return false;
    }
    let (column, row) = (point.column(size) as isize, point.row(size) as isize);
    let (mut hostile, mut outside) = (0, 0);
    for (dc, dr) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        let (c, r) = (column + dc, row + dr);
        let diagonal = usize::try_from(c).ok().zip(usize::try_from(r).ok()).and_then(|(c, r)| size.point(c, r));
        match diagonal {
            None => outside += 1,
            Some(p) => hostile += usize::from(board.stone(p) == Some(color.opponent())),
        }
    }
    if outside > 0 { hostile == 0 } else { hostile < 2 }
}

/// Whether a legal stone on `point` takes its own chain off the board: it gains nothing but a threat of ko.
fn removes_own(go: &Go, color: Color, point: Point) -> bool {
    let board = go.board();
    let cells = board.cells();
    board.neighbors(board.cell(point)).into_iter().all(|n| match cells[n] {
        cell if cell == EMPTY => false,
        cell if cell < EMPTY => (cell == color as u8) == (board.liberties_to_two(n) == 1),
        _ => true,
    })
}

impl Knowledge<Go> for GoKnowledge {
    type Buffer = GoBuffer;

    fn read(&self, settings: &mut Settings) -> Result<Self, SpecError> {
        let words = if self.policy.is_some() { ["heavy", "light"] } else { ["light", "heavy"] };
        let heavy = settings.choice("playouts", &words)? == "heavy";
        let policy = self.policy.unwrap_or_default().read(settings)?;
        Ok(GoKnowledge {
            policy: heavy.then_some(policy),
            mercy: settings.switch("mercy", self.mercy)?,
            prior: self.prior.read(settings)?,
        })
    }

    fn playout(
        &self,
        game: &mut Go,
        rng: &mut Rng,
        scratch: &mut Scratch<Go, GoBuffer>,
        trace: Option<&mut Trace<Move>>,
    ) -> Outcome {
        if game.turn() == Turn::Terminal {
            return Outcome::of(game);
        }
        outcome(scratch.own.playout(game, self, rng, trace))
    }

    fn evaluate(&self, game: &Go) -> Option<Payoff> {
        let lead = influence::estimate(game) / LEAD;
        let black = 0.5 + 0.5 * lead / (1.0 + lead.abs());
        Some(Payoff::new(&[black, 1.0 - black]))
    }

    fn amaf(&self, _game: &Go, action: Move) -> Option<u32> {
        action.point().map(|p| p.index() as u32)
    }

    fn amaf_size(&self, game: &Go) -> u32 {
        game.size().points() as u32
    }

    fn has_amaf(&self) -> bool {
        true
    }

    fn prior(&self, game: &Go, actions: &[Move], out: &mut [f32]) {
        features::prior(game, self.prior, actions, out);
    }

    fn prune(&self, game: &Go, actions: &mut Vec<Move>) {
        let color = game.to_move();
        let suicide = game.options().rules.suicide;
        let useless = |p| is_own_eye(game, color, p) || (suicide && removes_own(game, color, p));
        actions.retain(|mv| !mv.point().is_some_and(useless));
    }

    fn reasons(
        &self,
        seen: &Seen<Go>,
        action: Move,
        returns: Option<Estimate>,
        rng: &mut Rng,
        scratch: &mut Scratch<Go, GoBuffer>,
    ) -> Vec<Reason> {
        explain::reasons(seen.sample_world(), action, returns, rng, &mut scratch.own)
    }

    fn details(&self, seen: &Seen<Go>, rng: &mut Rng, scratch: &mut Scratch<Go, GoBuffer>) -> Map<String, Value> {
        explain::details(seen.sample_world(), rng, &mut scratch.own)
    }

    fn null_action(&self, game: &Go) -> Option<Move> {
        (game.turn() != Turn::Terminal).then_some(Move::PASS)
    }
}
