//! What only Go has in the dialogue: how moves are typed and spoken, scores, and the agreement on dead stones.

use std::io::{self, BufRead, Write};

use kiebitz_core::{Analysis, DynGame, Luck, PlayerError, Rng, Seat, Session, Thinking};
use kiebitz_go::status::{Assessment, assess};
use kiebitz_go::{Color, Go, GoBuffer, Move, Point, Ruleset, Size};
use serde_json::{Map, Value};

use super::{Console, ConsoleError, Seated, Settled, Turned};
use crate::Lang;
use crate::clock::ClockState;
use crate::go_mind::{Action, GoMind, Request};
use crate::reasons::seat_name;

/// Playouts for the status of stones.
const STATUS_PLAYOUTS: u32 = 1000;

fn go(game: &dyn DynGame) -> Option<&Go> {
    game.as_any().downcast_ref::<Session<Go>>().map(Session::state)
}

/// What a computer player of Go does.
pub enum Decided {
    /// It plays the first candidate.
    Plays(Analysis),
    /// It gives up.
    Resigns,
}

/// Asks a mind for the move of the seat to move.
pub fn decide(mind: &mut GoMind, game: &dyn DynGame, thinking: &Thinking<'_>) -> Result<Decided, PlayerError> {
    let Some(session) = game.as_any().downcast_ref::<Session<Go>>() else {
        return Err(PlayerError::new("player.game", format!("this player plays Go, not {}", game.id())));
    };
    let request = Request { stop: Some(thinking.stop), reasons: thinking.reasons, ..Request::default() };
    let color = session.state().to_move();
    let decision = mind.genmove_with(session, color, &ClockState::unlimited(2), &request)?;
    Ok(if decision.action == Action::Resign { Decided::Resigns } else { Decided::Plays(decision.analysis) })
}

/// The stone of a seat.
pub fn mark(seat: Seat) -> &'static str {
    if seat == 0 { "●" } else { "○" }
}

/// The rules in one line.
pub fn rules_line(game: &dyn DynGame, lang: Lang) -> String {
    let Some(go) = go(game) else { return String::new() };
    let (size, options) = (go.size(), go.options());
    let (width, height, komi, handicap) = (size.width(), size.height(), options.komi_points(), options.handicap);
    match lang {
        Lang::En => {
            let rules = options.ruleset_name().map_or("own", |r| r.name());
            let handicap = if handicap >= 2 { format!(", handicap {handicap}") } else { String::new() };
            format!("board {width}x{height}, {rules} rules, komi {komi}{handicap}")
        }
        Lang::Zh => {
            let rules = options.ruleset_name().map_or("自定规则".to_owned(), ruleset_zh);
            let handicap = if handicap >= 2 { format!("，让 {handicap} 子") } else { String::new() };
            format!("棋盘 {width}x{height}，{rules}，贴 {komi} 目{handicap}")
        }
    }
}

fn ruleset_zh(ruleset: Ruleset) -> String {
    match ruleset {
        Ruleset::Chinese => "中国规则".to_owned(),
        Ruleset::Japanese => "日本规则".to_owned(),
        Ruleset::Korean => "韩国规则".to_owned(),
        Ruleset::StoneScoring => "还棋头数子规则".to_owned(),
        Ruleset::NewZealand => "新西兰规则".to_owned(),
        Ruleset::Aga => "美国规则（AGA）".to_owned(),
        Ruleset::Bga => "英国规则（BGA）".to_owned(),
        other => format!("{} 规则", other.name()),
    }
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
        ["弃着" | "停一手" | "虚手"] => Ok("pass".to_owned()),
        [word] => match Move::parse(word, size) {
            Ok(mv) => Ok(mv.text(size).to_string()),
            Err(_) if looks_like_a_point(word) => Err(off_board(word, size, lang)),
            Err(_) => Err(format_error()),
        },
        [row, column] => match (row.parse::<i64>(), column.parse::<i64>()) {
            (Ok(row), Ok(column)) => {
                let zero_based = |n: i64| usize::try_from(n - 1).ok();
                let point = zero_based(column).zip(zero_based(row)).and_then(|(c, r)| size.point(c, r));
                point.map(|p| p.text(size).to_string()).ok_or_else(|| off_board(&fields.join(" "), size, lang))
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
    let [black, white] = Color::ALL.map(|color| f64::from(score.sides[color.index()].total()) / 4.0);
    let (komi, bonus) = (go.options().komi_points(), go.options().handicap_bonus());
    match (lang, bonus) {
        (Lang::En, 0) => format!("Black {black}, White {white} (White has komi {komi})"),
        (Lang::En, _) => format!("Black {black}, White {white} (White has komi {komi} and {bonus} for the handicap)"),
        (Lang::Zh, 0) => format!("黑方 {black} 目，白方 {white} 目（含贴目 {komi}）"),
        (Lang::Zh, _) => format!("黑方 {black} 目，白方 {white} 目（含贴目 {komi}、让子补偿 {bonus}）"),
    }
}

fn names(points: &[Point], size: Size) -> Vec<String> {
    points.iter().map(|p| p.text(size).to_string()).collect()
}

fn list(dead: &[String], lang: Lang) -> String {
    if dead.is_empty() { lang.choose("none", "无").to_owned() } else { dead.join(" ") }
}

/// Whether territory that is some side's goes uncounted because neutral points next to it are open.
fn taxed_territory(go: &Go, assessment: &Assessment, dead: &[Point]) -> bool {
    let (literal, meant) = (go.score_without(dead), assessment.score(go));
    Color::ALL.iter().any(|c| literal.sides[c.index()].territory < meant.sides[c.index()].territory)
}

impl<R: BufRead, W: Write> Console<'_, R, W> {
    fn session(&self) -> Option<&Session<Go>> {
        self.game.as_any().downcast_ref()
    }

    fn go(&self) -> Option<&Go> {
        self.session().map(Session::state)
    }

    /// What playouts say about the stones: the opinion of the computer player where one plays, so that it stands by what it passed
    /// for.
    fn assessed(&mut self) -> Option<Assessment> {
        let session = self.game.as_any().downcast_ref::<Session<Go>>()?;
        for seat in &mut self.seats {
            if let Seated::Go(mind) = seat {
                return Some(mind.dead_stones(session));
            }
        }
        let go = session.state();
        let mut buffer = GoBuffer::default();
        let mut rng: Rng = Luck::new(self.seed).stream(0x6465_6164, self.game.steps() as u64);
        Some(assess(go, STATUS_PLAYOUTS, &mut rng, |go, rng, out| buffer.ownership(go, rng, out)))
    }

    /// Prints the score and the stones that playouts call dead. Under territory rules it is an estimate: neutral points may
    /// still be open.
    pub(super) fn estimate_score(&mut self) -> Result<Turned, ConsoleError> {
        let Some(assessment) = self.assessed() else { return Ok(Turned::Again) };
        let Some(go) = self.go() else { return Ok(Turned::Again) };
        let (dead, lang) = (names(&assessment.dead(), go.size()), self.lang);
        let result = kiebitz_go::result_text(assessment.score(go).margin());
        let expected = go.expected_margin(&assessment.ownership);
        writeln!(self.out, "{}{}", lang.choose("dead stones (by playouts): ", "死子（按模拟）："), list(&dead, lang))?;
        writeln!(self.out, "{}{result}", lang.choose("if the game ended now: ", "若此刻终局："))?;
        let leader = seat_name("go", u8::from(expected < 0.0), lang);
        match lang {
            Lang::En => {
                writeln!(self.out, "estimate if both play on (by playouts): {leader} by {:.1} points", expected.abs())?
            }
            Lang::Zh => writeln!(self.out, "若继续下完（按模拟估计）：{leader}领先 {:.1} 目", expected.abs())?,
        }
        Ok(Turned::Again)
    }

    /// Prints the result if these stones were dead.
    fn print_margin_without(&mut self, dead: &[String]) -> io::Result<()> {
        let Some(go) = self.go() else { return Ok(()) };
        let points: Vec<_> = dead.iter().filter_map(|t| Point::parse(t, go.size()).ok()).collect();
        let result = kiebitz_go::result_text(go.margin_without(&points));
        writeln!(self.out, "{}{result}", self.lang.choose("if the game ended now: ", "若此刻终局："))
    }

    /// After two passes under rules that trust the players, lets them agree which stones are dead.
    pub(super) fn agree_dead_stones(&mut self) -> Result<Settled, ConsoleError> {
        let Some(go) = self.go() else { return Ok(Settled::Counted) };
        let friendly = go.options().rules.friendly_pass;
        let anyone = self.seats.iter().any(|s| matches!(s, Seated::Person));
        // A forfeit counts no stones, and a game that was loaded may have its dead stones already.
        let forfeited = self.session().is_some_and(|s| s.forfeit().is_some());
        if !friendly || go.passes() < 2 || go.is_void() || forfeited || !go.dead_stones().is_empty() {
            return Ok(Settled::Counted);
        }
        let Some(assessment) = self.assessed() else { return Ok(Settled::Counted) };
        let Some(go) = self.go() else { return Ok(Settled::Counted) };
        let (stones, lang) = (assessment.dead(), self.lang);
        let mut dead = names(&stones, go.size());
        let open = taxed_territory(go, &assessment, &stones);
        let mut settled = Settled::Counted;
        if anyone {
            self.print_board()?;
            writeln!(
                self.out,
                "{}",
                lang.choose(
                    "Both have passed. Name a stone to mark its chain as dead or alive; 'done' counts, 'resume' plays on.",
                    "双方均已弃着。输入一子可将其整块棋标为死或活；“确认”（done）数子，“继续”（resume）继续对局。"
                )
            )?;
            if open {
                writeln!(
                    self.out,
                    "{}",
                    lang.choose(
                        "Neutral points are open. Under these rules territory that touches them does not count: 'resume' and fill them first.",
                        "尚有单官未收。按此规则，与单官相连的空不算目：请先“继续”（resume），收完单官。"
                    )
                )?;
            }
            loop {
                writeln!(self.out, "{}{}", lang.choose("dead stones: ", "死子："), list(&dead, lang))?;
                write!(self.out, "{}", lang.choose("dead or alive: ", "死活："))?;
                self.out.flush()?;
                let Some(line) = self.read_line()? else {
                    writeln!(self.out, "\n{}", lang.choose("The input has ended.", "输入结束。"))?;
                    settled = Settled::EndOfInput;
                    // Nobody has agreed to anything.
                    dead.clear();
                    break;
                };
                let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
                match word.to_lowercase().as_str() {
                    "" | "done" | "ok" | "确认" => break,
                    "resume" | "undo" | "继续" | "悔棋" => {
                        self.resume()?;
                        self.keep()?;
                        return Ok(Settled::Resumed);
                    }
                    "quit" | "exit" | "q" | "退出" => {
                        writeln!(self.out, "{}", lang.choose("Goodbye.", "再见。"))?;
                        return Ok(Settled::Left);
                    }
                    "save" | "save!" | "保存" => {
                        self.save_as(rest.trim(), word.ends_with('!'))?;
                    }
                    "score" | "形势" | "数子" => self.print_margin_without(&dead)?,
                    "board" | "棋盘" => self.print_board()?,
                    "help" | "?" | "帮助" => writeln!(
                        self.out,
                        "{}",
                        lang.choose(
                            "D4 or 4 4     mark the chain there as dead, or alive again\ndone          count\nresume        play on\nscore         the result with these dead stones\nboard         print the board\nsave FILE     save the game\nquit          leave",
                            "D4 或 4 4        将该处整块棋标为死，再输入则标回活\n确认 done        数子\n继续 resume      继续对局\n形势 score       按这些死子计算的结果\n棋盘 board       显示棋盘\n保存 save 文件   保存对局\n退出 quit        离开"
                        )
                    )?,
                    _ => self.toggle(line.trim(), &mut dead)?,
                }
            }
        }
        if !dead.is_empty() {
            let mut data = Map::new();
            data.insert("stones".to_owned(), dead.iter().cloned().map(Value::from).collect());
            if let Err(e) = self.game.event(0, "dead", &data) {
                writeln!(self.out, "{e}")?;
            }
        }
        self.keep()?;
        Ok(settled)
    }

    /// Marks or unmarks the chain of a stone, named as a move is.
    fn toggle(&mut self, text: &str, dead: &mut Vec<String>) -> io::Result<()> {
        let lang = self.lang;
        let name = read_move(text, self.game.as_ref(), lang);
        let chain: Vec<String> = match (&name, self.go()) {
            (Ok(name), Some(go)) => match Point::parse(name, go.size()) {
                Ok(p) if go.board().stone(p).is_some() => {
                    go.board().chain(p).iter().map(|p| p.text(go.size()).to_string()).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if chain.is_empty() {
            let shown = name.unwrap_or_else(|_| super::words::clip(text));
            return writeln!(self.out, "{}{shown}", lang.choose("there is no stone there: ", "此处没有棋子："));
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
        while self.go().is_some_and(|go| go.passes() > 0) && self.game.undo() {}
        writeln!(self.out, "{}", self.lang.choose("Play goes on.", "对局继续。"))
    }
}
