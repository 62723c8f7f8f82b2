//! How Go looks from outside: texts of moves, JSON of options and set-ups, facts, view, board.

use kiebitz_core::{Forfeit, Game, Illegal, Notation, Observer, Seat, SetupError, to_move_fact};
use serde_json::{Map, Value, json};

use crate::rules::points_to_json;
use crate::{Color, Go, Move, MoveError, Options, Point, Setup};

impl Go {
    /// The texts of points, sorted as texts (`A10` before `A2`).
    fn sorted_texts(&self, points: impl Iterator<Item = Point>) -> Vec<String> {
        let mut texts: Vec<String> = points.map(|p| p.text(self.size()).to_string()).collect();
        texts.sort_unstable();
        texts
    }

    /// Empty points that only the repetition rule forbids to the player to move; none after the end.
    pub fn repetition_bans(&self) -> Vec<Point> {
        if self.turn().is_terminal() {
            return Vec::new();
        }
        let empty = self.size().iter().filter(|&p| self.board().stone(p).is_none());
        empty.filter(|&p| self.is_banned_by_repetition(p.into())).collect()
    }

    /// Rows from the top, one character a point.
    fn text_rows(&self, of: impl Fn(Point) -> char) -> Vec<String> {
        let size = self.size();
        let row = |row: usize| (0..size.width()).filter_map(|column| size.point(column, row)).map(&of).collect();
        (0..size.height()).rev().map(row).collect()
    }
}

impl Notation for Go {
    const MOVER_BANS: &'static [&'static str] = &["ko"];

    fn action_text(&self, action: Move) -> String {
        action.text(self.size()).to_string()
    }

    /// # Errors
    /// `go.off_board` for a point that the board does not have, else `go.move`.
    fn parse_action(&self, text: &str) -> Result<Move, Illegal> {
        Move::parse(text.trim(), self.size()).map_err(|e| {
            let code = if matches!(e, MoveError::OffBoard { .. }) { "go.off_board" } else { "go.move" };
            Illegal::new(code, e.to_string())
        })
    }

    fn options_from_json(rules: &Map<String, Value>) -> Result<Options, SetupError> {
        Options::from_json(rules)
    }

    fn options_to_json(options: &Options) -> Map<String, Value> {
        options.to_json()
    }

    fn setup_from_json(options: &Options, setup: &Value) -> Result<Setup, SetupError> {
        Setup::from_json(options.size, setup)
    }

    fn setup_to_json(options: &Options, setup: &Setup) -> Value {
        setup.to_json(options.size)
    }

    /// `to_move`, `terminal`, `legal_count` (pass included) and `legal` before the end, `black`, `white` (stones),
    /// `captures` (by Black, by White), `ko` (points that only the repetition rule forbids), `score` (Black minus White, komi
    /// included, the board as it stands) and `result` (null before the end). Lists are sorted as texts.
    fn facts(&self) -> Map<String, Value> {
        let turn = self.turn();
        let mut facts = Map::new();
        facts.insert("to_move".to_owned(), to_move_fact(turn));
        facts.insert("terminal".to_owned(), turn.is_terminal().into());
        if !turn.is_terminal() {
            let mut moves = Vec::new();
            self.actions(&mut moves);
            let mut legal: Vec<String> = moves.iter().map(|&mv| self.action_text(mv)).collect();
            legal.sort_unstable();
            facts.insert("legal_count".to_owned(), legal.len().into());
            facts.insert("legal".to_owned(), legal.into());
        }
        for color in Color::ALL {
            facts.insert(color.to_string(), self.sorted_texts(self.board().stones(color)).into());
        }
        facts.insert("captures".to_owned(), Color::ALL.map(|color| self.captures(color)).to_vec().into());
        facts.insert("ko".to_owned(), self.sorted_texts(self.repetition_bans().into_iter()).into());
        facts.insert("score".to_owned(), points_to_json(self.margin()));
        facts.insert("result".to_owned(), self.result().into());
        facts
    }

    /// Everything, for everybody: there is nothing hidden. `board` and `owner` are rows from the top with `X` for Black,
    /// `O` for White and `.` for nobody; `owner` counts the board as it stands.
    fn view(&self, _observer: Observer) -> Value {
        let options = self.options();
        let turn = self.turn();
        let last = self.last_move().map(|(color, mv)| json!({"by": color.index(), "action": self.action_text(mv)}));
        let score = self.score();
        let owner = |p: Point| match score.owner[p.index()] {
            1 => 'X',
            -1 => 'O',
            _ => '.',
        };
        let stone = |p: Point| match self.board().stone(p) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        };
        json!({
            "size": [self.size().width(), self.size().height()],
            "rules": options.rules.to_katago_json(),
            "ruleset": options.ruleset_name().map(|set| set.name()),
            "komi": points_to_json(options.komi),
            "handicap": options.handicap,
            "board": self.text_rows(stone),
            "to_move": to_move_fact(turn),
            "terminal": turn.is_terminal(),
            "ply": self.ply(),
            "passes": self.passes(),
            "last": last,
            "ko": self.sorted_texts(self.repetition_bans().into_iter()),
            "captures": Color::ALL.map(|color| self.captures(color)),
            "button": self.button().map(Color::index),
            "dead": self.sorted_texts(self.dead_stones().into_iter()),
            "owner": self.text_rows(owner),
            "score": points_to_json(score.margin()),
            "result": self.result(),
        })
    }

    /// Black ●, White ○, empty points +, the last stone in brackets; columns without the letter I, rows from below.
    fn board_text(&self, _observer: Observer) -> String {
        let size = self.size();
        let last = self.last_move().and_then(|(_, mv)| mv.point());
        let letters = || -> String {
            let names = (0..size.width()).filter_map(|column| size.point(column, 0)).map(|p| p.text(size).to_string());
            names.map(|name| format!(" {}", &name[..1])).collect()
        };
        let mut lines = vec![format!("  {}", letters())];
        for row in (0..size.height()).rev() {
            let mut line = format!("{:>2}", row + 1);
            let mut close = false;
            for point in (0..size.width()).filter_map(|column| size.point(column, row)) {
                let here = last == Some(point) && self.board().stone(point).is_some();
                line.push(match (close, here) {
                    (true, _) => ')',
                    (false, true) => '(',
                    (false, false) => ' ',
                });
                line.push(match self.board().stone(point) {
                    Some(Color::Black) => '●',
                    Some(Color::White) => '○',
                    None => '+',
                });
                close = here;
            }
            line.push(if close { ')' } else { ' ' });
            line.push_str(&(row + 1).to_string());
            lines.push(line);
        }
        lines.push(format!("  {}", letters()));
        lines.join("\n")
    }

    fn result_text(&self, forfeit: Option<Forfeit>) -> Option<String> {
        let Some(forfeit) = forfeit else { return self.result() };
        let winner = if forfeit.seat() == 0 { 'W' } else { 'B' };
        let how = if matches!(forfeit, Forfeit::Resign(_)) { 'R' } else { 'T' };
        Some(format!("{winner}+{how}"))
    }

    /// Either colour may play at any time before the end.
    fn hand_turn_to(&mut self, seat: Seat) -> Result<(), Illegal> {
        if self.turn().is_terminal() {
            return Err(Illegal::game_over());
        }
        let color = Color::from_index(usize::from(seat))
            .ok_or_else(|| Illegal::new("turn.seat", format!("there is no player {seat}; Go has players 0 and 1")))?;
        self.set_to_move(color);
        Ok(())
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), SetupError> {
        self.set_stones(setup)
    }

    /// `dead` with `stones`, after two passes: the players agree that these chains are dead. The last such event counts.
    /// `resume` after the end: they play on, see [`Go::resume`].
    fn event(&mut self, _by: Seat, name: &str, data: &Map<String, Value>) -> Result<(), Illegal> {
        if name == "resume" {
            if !self.turn().is_terminal() {
                return Err(Illegal::new("go.resume", "only a game that is over can be resumed"));
            }
            self.resume();
            return Ok(());
        }
        if name != "dead" {
            let name: String = name.chars().take(32).collect();
            let message = format!("Go has no event '{name}'; there are: dead, resume, resign, timeout");
            return Err(Illegal::new("event.unknown", message));
        }
        let wrong = || Illegal::new("go.dead", "a dead event needs \"stones\", a list of points such as [\"D4\"]");
        let list = data.get("stones").and_then(Value::as_array).ok_or_else(wrong)?;
        let mut stones = Vec::with_capacity(list.len().min(self.size().points()));
        for item in list {
            let text = item.as_str().ok_or_else(wrong)?;
            stones.push(Point::parse(text, self.size()).map_err(|e| Illegal::new("go.dead", e.to_string()))?);
        }
        self.agree_dead(&stones)
    }
}
