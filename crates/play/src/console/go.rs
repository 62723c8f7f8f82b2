//! What only Go has in the dialogue: how moves are typed and spoken, scores, and the agreement on dead stones.

use std::io::{self, BufRead, Write};

use kiebitz_core::{DynGame, Luck, Rng, Seat, Session};
use kiebitz_go::status::{Status, assess};
use kiebitz_go::{Color, Go, GoBuffer, Move, Size};
use serde_json::{Map, Value};

use super::{Console, ConsoleError, Seated, Turned};
use crate::Lang;
use crate::reasons::seat_name;

/// Playouts for the status of stones.
const STATUS_PLAYOUTS: u32 = 1000;

fn go(game: &dyn DynGame) -> Option<&Go> {
    game.as_any().downcast_ref::<Session<Go>>().map(Session::state)
}

/// The stone of a seat.
pub fn mark(seat: Seat) -> &'static str {
    if seat == 0 { "●" } else { "○" }
}

/// The rules in one line.
pub fn rules_line(game: &dyn DynGame, lang: Lang) -> String {
    let Some(go) = go(game) else { return String::new() };
    let (size, options) = (go.size(), go.options());
    let rules = options.ruleset_name().map_or(lang.choose("own rules", "自定规则"), |r| r.name());
    let komi = options.komi_points();
    let handicap = if options.handicap >= 2 {
        format!(", {} {}", lang.choose("handicap", "让子"), options.handicap)
    } else {
        String::new()
    };
    format!(
        "{} {}x{}, {} {rules}, {} {komi}{handicap}",
        lang.choose("board", "棋盘"),
        size.width(),
        size.height(),
        lang.choose("rules", "规则"),
        lang.choose("komi", "贴目")
    )
}

/// A move as row and column and by its name: `3 4 (D3)`.
pub fn spoken(action: &str) -> String {
    let Some((letter, row)) = action.split_at_checked(1) else { return action.to_owned() };
    let letter = letter.as_bytes()[0].to_ascii_uppercase();
    if !row.bytes().all(|b| b.is_ascii_digit()) || row.is_empty() || !letter.is_ascii_uppercase() {
        return action.to_owned();
    }
    // Columns are counted without the letter I.
    let column = u32::from(letter - b'A') + 1 - u32::from(letter > b'I');
    format!("{row} {column} ({action})")
}

/// Reads a move as a person types it: `D4`, `pass`, or row and column as printed, `3 4`.
pub fn read_move(line: &str, game: &dyn DynGame, lang: Lang) -> Result<String, String> {
    let format_error = || {
        lang.choose(
            "format error, retry: type a point such as D4, row and column such as 3 4, or pass",
            "格式错误，请重新输入：着点如 D4，行与列如 3 4，或 pass",
        )
        .to_owned()
    };
    let Some(go) = go(game) else { return Ok(line.to_owned()) };
    let size = go.size();
    let fields: Vec<&str> = line.split([' ', '\t', ',']).filter(|f| !f.is_empty()).collect();
    match fields[..] {
        [word] if word == "弃着" || word == "停一手" => Ok("pass".to_owned()),
        [word] => match Move::parse(word, size) {
            Ok(mv) => Ok(mv.text(size).to_string()),
            Err(_) if looks_like_a_point(word) => Err(off_board(word, size, lang)),
            Err(_) => Err(format_error()),
        },
        [row, column] => match (row.parse::<i64>(), column.parse::<i64>()) {
            (Ok(row), Ok(column)) => {
                let zero_based = |n: i64| usize::try_from(n - 1).ok();
                let point = zero_based(column).zip(zero_based(row)).and_then(|(c, r)| size.point(c, r));
                point.map(|p| p.text(size).to_string()).ok_or_else(|| off_board(line, size, lang))
            }
            _ => Err(lang
                .choose("please enter a number: row and column, such as 3 4", "请输入数字：行与列，例如 3 4")
                .to_owned()),
        },
        _ => Err(format_error()),
    }
}

fn looks_like_a_point(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.as_str().len() <= 3
        && !chars.as_str().is_empty()
        && chars.all(|c| c.is_ascii_digit())
}

fn off_board(text: &str, size: Size, lang: Lang) -> String {
    let (width, height) = (size.width(), size.height());
    match lang {
        Lang::En => format!(
            "illegal move, retry: {text} is not on the board of {width} columns (letters without I) and {height} rows"
        ),
        Lang::Zh => format!("着法不合法，请重新输入：{text} 不在 {width} 列（字母不含 I）{height} 行的棋盘上"),
    }
}

/// The score of both sides as it will be counted, komi named.
pub fn score_lines(game: &dyn DynGame, lang: Lang) -> String {
    let Some(go) = go(game) else { return String::new() };
    let score = go.score();
    let side = |color: Color| {
        let s = score.side(color);
        format!("{} {}", seat_name("go", color.index() as Seat, lang), s.total())
    };
    let komi = go.options().komi_points();
    format!("{}, {} ({} {komi})", side(Color::Black), side(Color::White), lang.choose("White has komi", "白方贴目"))
}

impl<R: BufRead, W: Write> Console<'_, R, W> {
    fn go(&self) -> Option<&Go> {
        go(self.game.as_ref())
    }

    /// The chains that playouts call dead, each by its stones.
    fn dead_by_playouts(&self) -> Vec<String> {
        let Some(go) = self.go() else { return Vec::new() };
        let mut buffer = GoBuffer::default();
        let mut rng: Rng = Luck::new(self.seed).stream(0x6465_6164, self.game.steps() as u64);
        let assessment = assess(go, STATUS_PLAYOUTS, &mut rng, |go, rng, out| buffer.ownership(go, rng, out));
        let size = go.size();
        size.iter().filter(|&p| assessment.status(p) == Some(Status::Dead)).map(|p| p.text(size).to_string()).collect()
    }

    /// Prints the score and the stones that playouts call dead.
    pub(super) fn estimate_score(&mut self) -> Result<Turned, ConsoleError> {
        let dead = self.dead_by_playouts();
        let lang = self.lang;
        let list = if dead.is_empty() { lang.choose("none", "无").to_owned() } else { dead.join(" ") };
        writeln!(self.out, "{} {list}", lang.choose("dead stones (by playouts):", "死子（按模拟）："))?;
        if let Some(go) = self.go() {
            let mut counted = go.clone();
            let size = counted.size();
            let points: Vec<_> = dead.iter().filter_map(|t| kiebitz_go::Point::parse(t, size).ok()).collect();
            let margin = counted.margin_without(&points);
            let line = kiebitz_go::result_text(margin);
            writeln!(self.out, "{} {line}", lang.choose("if the game ended now:", "若此刻终局："))?;
        }
        Ok(Turned::Again)
    }

    /// After two passes under rules that trust the players, lets them agree which stones are dead. `false`: they play on.
    pub(super) fn agree_dead_stones(&mut self) -> Result<bool, ConsoleError> {
        let Some(go) = self.go() else { return Ok(true) };
        let friendly = go.options().rules.friendly_pass;
        let anyone = self.seats.iter().any(|s| matches!(s, Seated::Person));
        if !friendly || go.passes() < 2 || go.is_void() {
            return Ok(true);
        }
        let mut dead = self.dead_by_playouts();
        let lang = self.lang;
        if anyone {
            loop {
                let list = if dead.is_empty() { lang.choose("none", "无").to_owned() } else { dead.join(" ") };
                writeln!(self.out, "{} {list}", lang.choose("dead stones:", "死子："))?;
                write!(
                    self.out,
                    "{}",
                    lang.choose(
                        "mark a chain by one of its stones (again to unmark), 'done' to count, 'resume' to play on: ",
                        "输入一子以标记其棋块为死或活，done 数子，resume 继续对局："
                    )
                )?;
                self.out.flush()?;
                let Some(line) = self.read_line()? else {
                    writeln!(self.out)?;
                    break;
                };
                let word = line.trim();
                match word.to_lowercase().as_str() {
                    "" | "done" | "ok" | "确认" => break,
                    "resume" | "继续" => {
                        self.resume()?;
                        return Ok(false);
                    }
                    _ => self.toggle(word, &mut dead)?,
                }
            }
        }
        if !dead.is_empty() {
            let mut data = Map::new();
            data.insert("stones".to_owned(), dead.iter().cloned().map(Value::from).collect());
            if let Err(e) = self.game.event(0, "dead", &data) {
                writeln!(self.out, "{e}")?;
            }
            self.keep()?;
        }
        Ok(true)
    }

    /// Marks or unmarks the chain of a stone.
    fn toggle(&mut self, word: &str, dead: &mut Vec<String>) -> io::Result<()> {
        let lang = self.lang;
        let chain: Vec<String> = match self.go() {
            Some(go) => {
                let size = go.size();
                match kiebitz_go::Point::parse(word, size) {
                    Ok(p) if go.board().stone(p).is_some() => {
                        go.board().chain(p).iter().map(|p| p.text(size).to_string()).collect()
                    }
                    _ => Vec::new(),
                }
            }
            None => Vec::new(),
        };
        if chain.is_empty() {
            return writeln!(self.out, "{}: {word}", lang.choose("there is no stone there", "此处没有棋子"));
        }
        if dead.contains(&chain[0]) {
            dead.retain(|s| !chain.contains(s));
        } else {
            dead.extend(chain);
        }
        Ok(())
    }

    /// Takes back the two passes: the players disagree and play on.
    fn resume(&mut self) -> io::Result<()> {
        self.game.undo();
        self.game.undo();
        writeln!(self.out, "{}", self.lang.choose("Play goes on.", "对局继续。"))
    }
}
