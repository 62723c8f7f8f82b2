//! The dialogue of a game in the terminal: a person types, the computer answers and says why.
//!
//! It reads and writes through traits, so a test is a script. What only one game has (how Go reads `3 4`, how dead stones are
//! agreed) is in a file of its own.

mod go;
mod paodekuai;
mod words;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_core::record::Record;
use kiebitz_core::{Clock, DynGame, DynPlayer, Forfeit, Observer, PlayerError, Seat, Thinking, Turn};

use crate::go_mind::GoMind;
use crate::reasons::{analysis_text, is_known, is_telling, seat_name, sentence};
use crate::terms::Terms;
use crate::{Lang, save};

/// Who sits at a seat.
pub enum Seated {
    /// The person at the terminal.
    Person,
    /// A computer player.
    Computer(Box<dyn DynPlayer>),
    /// A computer player of Go that judges when to pass and when to resign.
    Go(Box<GoMind>),
}

impl std::fmt::Debug for Seated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Seated::Person => f.write_str("Person"),
            Seated::Computer(player) => write!(f, "Computer({})", player.spec()),
            Seated::Go(mind) => write!(f, "Go({})", mind.spec()),
        }
    }
}

/// How the dialogue ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The game came to its end.
    GameOver,
    /// The person left.
    Quit,
    /// The input ended.
    EndOfInput,
}

/// Why the dialogue broke off.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// The terminal failed.
    #[error("the terminal cannot be read or written: {}", .0.kind())]
    Io(#[from] io::Error),
    /// A computer player gave no answer.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// The longest line of input that is read as one; what follows on the line is dropped.
const LONGEST_LINE: usize = 64 << 10;
/// The longest text that can be a move, in bytes.
const LONGEST_MOVE: usize = 200;

/// A game in the terminal.
pub struct Console<'a, R, W> {
    input: R,
    out: W,
    lang: Lang,
    game: Box<dyn DynGame>,
    seats: Vec<Seated>,
    /// Gives hints.
    adviser: Box<dyn DynPlayer>,
    clock: &'a dyn Clock,
    seed: u64,
    explain: bool,
    /// Every step is written here.
    record: Option<PathBuf>,
    /// The record the game went on from.
    source: Option<Record>,
    /// Files this dialogue wrote: they may be replaced.
    written: Vec<PathBuf>,
    /// Who plays, as the record names them.
    names: Vec<String>,
    /// Who plays, as the person is told; empty where that is `names`.
    titles: Vec<String>,
}

impl<R, W> std::fmt::Debug for Console<'_, R, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Console").field("game", &self.game.id()).field("seats", &self.seats).finish_non_exhaustive()
    }
}

/// What became of the end of the rules' play.
enum Settled {
    /// The result stands.
    Counted,
    /// The players play on.
    Resumed,
    /// The person left.
    Left,
    /// The input ended.
    EndOfInput,
}

/// What a line typed by a person asks for.
enum Turned {
    /// The game went on: look who is next.
    Moved,
    /// Nothing changed: ask again.
    Again,
    /// The person left.
    Left,
}

impl<'a, R: BufRead, W: Write> Console<'a, R, W> {
    /// A dialogue about `game`; `seats` has one entry per player, `adviser` gives hints.
    pub fn new(
        input: R,
        out: W,
        lang: Lang,
        game: Box<dyn DynGame>,
        seats: Vec<Seated>,
        adviser: Box<dyn DynPlayer>,
        clock: &'a dyn Clock,
    ) -> Self {
        let names = seats
            .iter()
            .map(|s| match s {
                Seated::Person => lang.choose("person", "玩家").to_owned(),
                Seated::Computer(player) => format!("kiebitz {}", player.spec()),
                Seated::Go(mind) => format!("kiebitz {}", mind.spec()),
            })
            .collect();
        Console {
            input,
            out,
            lang,
            game,
            seats,
            adviser,
            clock,
            seed: 0,
            explain: true,
            record: None,
            source: None,
            written: Vec::new(),
            names,
            titles: Vec::new(),
        }
    }

    /// What the computer players are called on the screen, such as `level 5`; records name them by their spec.
    pub fn computers_called(mut self, name: &str) -> Self {
        let title = |(seat, name_of): (&Seated, &String)| match seat {
            Seated::Person => name_of.clone(),
            Seated::Computer(_) | Seated::Go(_) => format!("kiebitz {name}"),
        };
        self.titles = self.seats.iter().zip(&self.names).map(title).collect();
        self
    }

    /// All randomness of the players follows from it.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Whether the computer says why it played a move.
    pub fn explain(mut self, on: bool) -> Self {
        self.explain = on;
        self
    }

    /// The record the game went on from: saving keeps what it says besides the moves.
    pub fn going_on_from(mut self, source: Record) -> Self {
        self.source = Some(source);
        self
    }

    /// Writes the game to `path` now and after every step. A file of that name is replaced.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn record_to(&mut self, path: PathBuf) -> Result<(), save::SaveError> {
        save::check_replaced(&path)?;
        // While cards are hidden there is nothing to write yet, but the file must be possible.
        if self.hides_cards() {
            save::bytes_for(&save::record_of(self.game.as_ref(), &self.names, self.source.as_ref()), &path)?;
            save::check(&path, true)?;
            self.written.push(path.clone());
        } else {
            self.save(&path, true)?;
        }
        self.record = Some(path);
        Ok(())
    }

    /// The game as it stands.
    pub fn game(&self) -> &dyn DynGame {
        self.game.as_ref()
    }

    /// Plays until the game is over or the person leaves.
    ///
    /// # Errors
    /// When the terminal fails or a computer player gives no answer.
    pub fn run(&mut self) -> Result<Ended, ConsoleError> {
        self.print_title()?;
        loop {
            match self.game.turn() {
                Turn::Terminal => match self.settle()? {
                    Settled::Counted => {
                        self.print_end()?;
                        return self.offer_to_save();
                    }
                    Settled::EndOfInput => {
                        self.print_end()?;
                        return Ok(Ended::EndOfInput);
                    }
                    Settled::Resumed => {}
                    Settled::Left => return Ok(Ended::Quit),
                },
                Turn::Chance(_) => {
                    if let Some(text) = self.game.roll() {
                        let by = self.lang.choose("chance", Terms::of(self.game.id()).chance);
                        writeln!(self.out, "{by}: {}", self.visible(&text))?;
                        self.keep()?;
                    }
                }
                Turn::Seat(seat) => match self.seats.get(usize::from(seat)) {
                    Some(Seated::Computer(_) | Seated::Go(_)) => self.computer(seat)?,
                    _ => match self.person(seat)? {
                        Some(Ended::GameOver) | None => {}
                        Some(ended) => return Ok(ended),
                    },
                },
            }
        }
    }

    /// After the end, lets a person save the game before the dialogue closes; nothing to ask when it is written already.
    fn offer_to_save(&mut self) -> Result<Ended, ConsoleError> {
        let anyone = self.seats.iter().any(|s| matches!(s, Seated::Person));
        if !anyone || self.record.is_some() {
            return Ok(Ended::GameOver);
        }
        loop {
            write!(
                self.out,
                "{}",
                self.lang.choose("save FILE, or Enter to leave: ", "“保存 文件名”可保存，回车退出：")
            )?;
            self.out.flush()?;
            let Some(line) = self.read_line()? else {
                writeln!(self.out)?;
                return Ok(Ended::GameOver);
            };
            let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            match word.to_lowercase().as_str() {
                "" | "quit" | "exit" | "q" | "退出" => return Ok(Ended::GameOver),
                "save" | "save!" | "保存" => {
                    self.save_as(rest.trim(), word.ends_with('!'))?;
                }
                "board" | "棋盘" | "牌" | "牌面" => self.print_board()?,
                _ => writeln!(
                    self.out,
                    "{}",
                    self.lang.choose(
                        "The game is over: save FILE, board, or quit.",
                        "对局已结束：可用“保存 文件名”、“棋盘”或“退出”。"
                    )
                )?,
            }
        }
    }

    /// The text of a chance action as the person may see it.
    fn visible(&self, text: &str) -> String {
        if self.game.meta().hidden {
            let kind = text.split(' ').next().unwrap_or_default();
            format!("{kind} ?")
        } else {
            text.to_owned()
        }
    }

    /// The one who looks at the board: the only person, or the seat to move where several sit at one terminal.
    fn observer(&self) -> Observer {
        let persons: Vec<usize> = (0..self.seats.len()).filter(|&i| matches!(self.seats[i], Seated::Person)).collect();
        match (&persons[..], self.game.turn()) {
            ([only], _) => Observer::Seat(*only as Seat),
            ([], _) => Observer::Public,
            (_, Turn::Seat(seat)) => Observer::Seat(seat),
            _ => Observer::Public,
        }
    }

    fn print_title(&mut self) -> io::Result<()> {
        let (lang, id) = (self.lang, self.game.id());
        let title = kiebitz_catalog::game(id).map_or(id, |e| lang.choose(e.titles[0], e.titles[1]));
        writeln!(self.out, "{}", words::title(lang, title))?;
        match id {
            "go" => writeln!(self.out, "{}", go::rules_line(self.game.as_ref(), lang))?,
            "paodekuai" => writeln!(self.out, "{}", paodekuai::rules_line(self.game.as_ref(), lang))?,
            _ => {}
        }
        for seat in 0..self.seats.len() as Seat {
            let who = self.titles.get(usize::from(seat)).unwrap_or(&self.names[usize::from(seat)]);
            writeln!(self.out, "{}{}{who}", seat_name(id, seat, lang), lang.choose(": ", "："))?;
        }
        writeln!(self.out, "{}", words::input_help(lang, id))
    }

    fn print_board(&mut self) -> io::Result<()> {
        let board = self.game.board_text(self.observer());
        writeln!(self.out, "\n{board}")
    }

    /// Where a game has something to agree on after its end (dead stones), asks for it.
    fn settle(&mut self) -> Result<Settled, ConsoleError> {
        if self.game.id() == "go" { self.agree_dead_stones() } else { Ok(Settled::Counted) }
    }

    fn print_end(&mut self) -> io::Result<()> {
        self.print_board()?;
        let lang = self.lang;
        writeln!(self.out, "{}", lang.choose("The game is over.", "对局结束。"))?;
        let (game, id) = (self.game.as_ref(), self.game.id());
        if let Some(sentence) = words::forfeited(lang, game) {
            // What is on the table does not count then.
            writeln!(self.out, "{sentence}")?;
        } else if id == "go" {
            writeln!(self.out, "{}", go::score_lines(game, lang))?;
        } else {
            let returns = game.returns();
            for seat in 0..returns.players() {
                let colon = lang.choose(": ", "：");
                writeln!(self.out, "{}{colon}{}", seat_name(id, seat, lang), returns.of(seat))?;
            }
        }
        writeln!(self.out, "{}", words::outcome(lang, self.game.as_ref()))
    }

    /// Whether the record would show what some seat may not know yet.
    fn hides_cards(&self) -> bool {
        self.game.meta().hidden && !self.game.turn().is_terminal()
    }

    /// Writes the running record, if one was asked for.
    fn keep(&mut self) -> io::Result<()> {
        if let Some(path) = self.record.clone().filter(|_| !self.hides_cards()) {
            let replace = self.written.contains(&path);
            match self.save(&path, replace) {
                Ok(()) => {}
                Err(e) => writeln!(self.out, "{}", words::not_saved(self.lang, &e))?,
            }
        }
        Ok(())
    }

    fn save(&mut self, path: &Path, replace: bool) -> Result<(), save::SaveError> {
        if self.hides_cards() {
            return Err(save::SaveError::Hidden(self.game.id().to_owned()));
        }
        let record = save::record_of(self.game.as_ref(), &self.names, self.source.as_ref());
        let bytes = save::bytes_for(&record, path)?;
        save::write(path, &bytes, replace)?;
        if !self.written.iter().any(|p| p == path) {
            self.written.push(path.to_owned());
        }
        Ok(())
    }

    fn thinking<'t>(&self, clock: &'t dyn Clock, stop: &'t AtomicBool, reasons: usize) -> Thinking<'t> {
        let budget = kiebitz_core::Budget::time(Duration::from_secs(1));
        let mut thinking = Thinking::new(budget, clock, stop, self.seed.wrapping_add(self.game.steps() as u64));
        thinking.reasons = reasons;
        thinking
    }

    fn computer(&mut self, seat: Seat) -> Result<(), ConsoleError> {
        let lang = self.lang;
        let name = seat_name(self.game.id(), seat, lang);
        writeln!(self.out, "{}", words::thinks(lang, &name))?;
        self.out.flush()?;
        let (started, stop, clock) = (self.clock.now(), AtomicBool::new(false), self.clock);
        let thinking = self.thinking(clock, &stop, usize::from(self.explain));
        let analysis = match self.seats.get_mut(usize::from(seat)) {
            Some(Seated::Computer(player)) => player.analyze(self.game.as_ref(), &thinking)?,
            Some(Seated::Go(mind)) => match go::decide(mind, self.game.as_ref(), &thinking)? {
                go::Decided::Plays(analysis) => analysis,
                go::Decided::Resigns => {
                    self.game.forfeit(Forfeit::Resign(seat)).map_err(|e| PlayerError::new(e.code, e.to_string()))?;
                    self.keep()?;
                    return Ok(());
                }
            },
            _ => return Ok(()),
        };
        let Some(best) = analysis.best().cloned() else {
            return Err(PlayerError::new("player.no_candidate", format!("{name} has found no move")).into());
        };
        let elapsed = self.clock.now().saturating_sub(started);
        self.game
            .play(&best.action)
            .map_err(|e| PlayerError::new("player.illegal", format!("{name} wanted to play {}: {e}", best.action)))?;
        let played = if self.game.id() == "go" { go::spoken(&best.action) } else { best.action.clone() };
        writeln!(self.out, "{}", words::played(lang, self.game.id(), &name, &played, elapsed, &analysis))?;
        // What a player thinks of hidden cards would tell which they are.
        if self.explain && !self.game.meta().hidden {
            if let Some(value) =
                best.utility.get(usize::from(seat)).copied().filter(|&v| analysis.visits > 0 && is_known(v))
            {
                writeln!(
                    self.out,
                    "  {}",
                    words::judgement(lang, self.game.id(), value, best.returns.get(usize::from(seat)).copied())
                )?;
            }
            for reason in best.reasons.iter().filter(|r| is_telling(r)).take(2) {
                writeln!(self.out, "  {}", sentence(self.game.id(), reason, lang))?;
            }
        }
        self.keep()?;
        Ok(())
    }

    fn person(&mut self, seat: Seat) -> Result<Option<Ended>, ConsoleError> {
        self.print_board()?;
        loop {
            let name = seat_name(self.game.id(), seat, self.lang);
            let mark = if self.game.id() == "go" { go::mark(seat) } else { "" };
            write!(self.out, "{}", words::prompt(self.lang, self.game.id(), &name, mark))?;
            self.out.flush()?;
            let Some(line) = self.read_line()? else {
                writeln!(self.out, "\n{}", self.lang.choose("The input has ended.", "输入结束。"))?;
                return Ok(Some(Ended::EndOfInput));
            };
            match self.obey(seat, line.trim())? {
                Turned::Moved => {
                    self.keep()?;
                    return Ok(None);
                }
                Turned::Again => {}
                Turned::Left => return Ok(Some(Ended::Quit)),
            }
        }
    }

    /// The next line of input, `None` at its end. Bytes that are no text become replacement characters; of a line that is too
    /// long the rest is dropped.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let mut read = false;
        loop {
            let chunk = self.input.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            read = true;
            let end = chunk.iter().position(|&b| b == b'\n');
            let taken = end.unwrap_or(chunk.len());
            bytes.extend_from_slice(&chunk[..taken.min(LONGEST_LINE - bytes.len())]);
            self.input.consume(end.map_or(taken, |end| end + 1));
            if end.is_some() {
                break;
            }
        }
        Ok(read.then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn obey(&mut self, seat: Seat, line: &str) -> Result<Turned, ConsoleError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_lowercase().as_str() {
            "" => Ok(Turned::Again),
            "quit" | "exit" | "q" | "退出" => {
                writeln!(self.out, "{}", self.lang.choose("Goodbye.", "再见。"))?;
                Ok(Turned::Left)
            }
            "help" | "?" | "帮助" => {
                writeln!(self.out, "{}", words::help(self.lang, self.game.id(), self.game.meta().hidden))?;
                Ok(Turned::Again)
            }
            "board" | "棋盘" | "牌" | "牌面" => {
                self.print_board()?;
                Ok(Turned::Again)
            }
            "undo" | "悔棋" | "悔牌" => self.take_back(),
            "hint" | "提示" => self.hint(),
            "resign" | "认输" => {
                self.game.forfeit(Forfeit::Resign(seat)).map_err(|e| PlayerError::new(e.code, e.to_string()))?;
                Ok(Turned::Moved)
            }
            "save" | "save!" | "保存" => self.save_as(rest, word.ends_with('!')),
            "score" | "形势" | "数子" if self.game.id() == "go" => self.estimate_score(),
            "moves" | "着法" => {
                writeln!(self.out, "{}", self.game.legal().join(" "))?;
                Ok(Turned::Again)
            }
            _ => self.play_text(line),
        }
    }

    fn play_text(&mut self, line: &str) -> Result<Turned, ConsoleError> {
        if line.len() > LONGEST_MOVE {
            writeln!(self.out, "{}", words::too_long(self.lang))?;
            return Ok(Turned::Again);
        }
        let action = if self.game.id() == "go" {
            match go::read_move(line, self.game.as_ref(), self.lang) {
                Ok(action) => action,
                Err(sentence) => {
                    writeln!(self.out, "{sentence}")?;
                    return Ok(Turned::Again);
                }
            }
        } else if self.game.id() == "paodekuai" && matches!(line, "不要" | "过" | "不出") {
            "pass".to_owned()
        } else {
            line.to_owned()
        };
        let seat = self.game.turn().seat();
        match self.game.play(&action) {
            Ok(()) => {
                // A board does not show a pass.
                if let Some(seat) = seat.filter(|_| self.game.id() == "go" && action == "pass") {
                    let name = seat_name("go", seat, self.lang);
                    writeln!(self.out, "{}", words::passed(self.lang, "go", &name))?;
                }
                Ok(Turned::Moved)
            }
            Err(e) => {
                writeln!(self.out, "{}", words::illegal(self.lang, self.game.id(), &action, &e))?;
                Ok(Turned::Again)
            }
        }
    }

    /// Takes back to the last decision of a person.
    fn take_back(&mut self) -> Result<Turned, ConsoleError> {
        let mut copy = self.game.clone_box();
        while copy.undo() {
            let Turn::Seat(seat) = copy.turn() else { continue };
            if !matches!(self.seats.get(usize::from(seat)), Some(Seated::Computer(_) | Seated::Go(_))) {
                self.game = copy;
                let undone = format!("已{}。", Terms::of(self.game.id()).undo);
                writeln!(self.out, "{}", self.lang.choose("Taken back.", &undone))?;
                return Ok(Turned::Moved);
            }
        }
        writeln!(self.out, "{}", self.lang.choose("There is nothing to take back.", "没有可以收回的一手。"))?;
        Ok(Turned::Again)
    }

    fn hint(&mut self) -> Result<Turned, ConsoleError> {
        writeln!(self.out, "{}", self.lang.choose("Thinking…", "思考中……"))?;
        self.out.flush()?;
        let (stop, clock) = (AtomicBool::new(false), self.clock);
        let thinking = self.thinking(clock, &stop, 1);
        match self.adviser.analyze(self.game.as_ref(), &thinking) {
            Ok(analysis) => writeln!(self.out, "{}", analysis_text(self.game.id(), &analysis, 3, self.lang))?,
            // A game goes on without advice.
            Err(e) => writeln!(self.out, "{}{e}", self.lang.choose("no hint: ", "无法提示："))?,
        }
        Ok(Turned::Again)
    }

    fn save_as(&mut self, file: &str, replace: bool) -> Result<Turned, ConsoleError> {
        if file.is_empty() {
            let ending = if self.game.id() == "go" { "sgf" } else { "jsonl" };
            writeln!(self.out, "{}save game.{ending}", self.lang.choose("Name a file: ", "请给出文件名："))?;
            return Ok(Turned::Again);
        }
        let path = PathBuf::from(file);
        let own = self.written.contains(&path);
        let allowed = if replace && !own { save::check_replaced(&path) } else { Ok(()) };
        match allowed.and_then(|()| self.save(&path, replace || own)) {
            Ok(()) => writeln!(self.out, "{} {}", self.lang.choose("Saved as", "已保存为"), path.display())?,
            Err(e) => writeln!(self.out, "{}", words::not_saved(self.lang, &e))?,
        }
        Ok(Turned::Again)
    }
}
