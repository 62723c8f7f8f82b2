//! What several commands share: common flags and the way they fail.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_catalog::Entry;
use kiebitz_core::record::{Header, MAX_RECORD_BYTES, ReadRecord};
use kiebitz_core::{MAX_PLAYERS, parse_duration};
use kiebitz_play::save::{self, SaveError};
use kiebitz_play::terminal::controls_terminal;
use kiebitz_play::{Lang, files, rules_text};
use serde_json::{Map, Value};

/// Bad input: one sentence that says what was wrong, where, and what would be right. Exit status 2.
#[derive(Debug)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure(error.to_string())
    }
}

/// Prints on stdout. A reader that went away ends the program without a word; any other trouble is reported.
pub fn print(text: fmt::Arguments<'_>) {
    // What files are quoted with cannot control the terminal.
    let text = text.to_string().replace(|c: char| controls_terminal(c) && c != '\n' && c != '\t', "\u{fffd}");
    match io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(e) => {
            unwritable(&e);
            std::process::exit(2);
        }
    }
}

/// Tells that standard output cannot be written; the status is 2.
pub fn unwritable(error: &io::Error) -> ExitCode {
    note(format_args!("kiebitz: the output cannot be written: {}", error.kind()));
    ExitCode::from(2)
}

/// Prints one line on stderr: what files and arguments are quoted with cannot break it or control the terminal. Where nobody
/// can read it there is nothing left to do about that.
pub fn note(text: fmt::Arguments<'_>) {
    let line = text.to_string().replace(controls_terminal, " ");
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// A value parser for whole numbers within bounds.
pub fn whole<T: TryFrom<u64>>(min: u64, max: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let number = text.trim().parse::<u64>().ok().filter(|n| (min..=max).contains(n));
        let number = number.and_then(|n| T::try_from(n).ok());
        number.ok_or_else(|| format!("it must be a whole number from {min} to {max}"))
    }
}

/// A value parser for numbers within bounds.
pub fn number(min: f64, max: f64) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text| {
        let number = text.trim().parse::<f64>().ok().filter(|x| (min..=max).contains(x));
        number.ok_or_else(|| format!("it must be a number from {min} to {max}"))
    }
}

/// A value parser for durations. Options with it allow values that begin with a hyphen, or a negative one would be taken for an
/// option that does not exist.
pub fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text)
        .ok_or_else(|| "it must be a duration such as 500ms, 1.5s or 2m, from 1ms to one day".to_owned())
}

/// The flag for the language.
#[derive(Args, Debug, Clone)]
pub struct LangArgs {
    /// Language: en or zh [default: from the environment]
    #[arg(long, value_name = "LANG")]
    lang: Option<Lang>,
}

impl LangArgs {
    /// The language asked for, or that of the environment.
    pub fn get(&self) -> Lang {
        self.lang.unwrap_or_else(|| {
            let set =
                ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|k| std::env::var(k).ok().filter(|v| !v.is_empty()));
            set.map_or(Lang::En, |v| Lang::of_environment(&v))
        })
    }
}

/// The flags with which a game is started.
#[derive(Args, Debug, Clone)]
pub struct GameArgs {
    /// Number of players [default: the game's usual number, or that of a preset]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u8>(1, MAX_PLAYERS as u64))]
    pub players: Option<u8>,
    /// Rule options as in a record's header: key=value,key=value; a list as 0+1, a size as 9x7
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// Seed of the game's luck and of the players
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: Option<u64>,
}

impl GameArgs {
    /// The header of the game to start.
    ///
    /// # Errors
    /// When `--rules` is not of the form key=value,key=value.
    pub fn header(&self, entry: &Entry) -> Result<Header, Failure> {
        let rules = self.rules.as_deref().map(parse_rules).transpose()?.unwrap_or_default();
        let players = self.players.unwrap_or_else(|| entry.game.default_players(&rules));
        Ok(Header::new(entry.game.id(), players, rules))
    }
}

/// Reads `--rules`.
pub fn parse_rules(text: &str) -> Result<Map<String, Value>, Failure> {
    rules_text::parse(text).map_err(|e| Failure(format!("--rules: {e}")))
}

/// So many warnings about one file are shown.
const MOST_WARNINGS: usize = 20;

/// Reads a record or an SGF file, compressed or not; what was odd about it goes to stderr.
///
/// # Errors
/// When the file cannot be read or is no game.
pub fn load(path: &Path, strict: bool, lang: Lang) -> Result<ReadRecord, Failure> {
    let bytes = files::read(path, MAX_RECORD_BYTES as u64)?;
    let read = kiebitz_play::load::read(&bytes, strict).map_err(|e| Failure(format!("{}: {e}", path.display())))?;
    let word = lang.choose("warning:", "警告：");
    for warning in read.warnings.iter().take(MOST_WARNINGS) {
        note(format_args!("{word} {}: {warning}", path.display()));
    }
    if let Some(more) = read.warnings.len().checked_sub(MOST_WARNINGS).filter(|n| *n > 0) {
        note(format_args!("{word} {}: {more} {}", path.display(), lang.choose("more like these", "条类似的警告")));
    }
    Ok(read)
}

/// `--move` is beyond the end of a file.
pub fn beyond(steps: usize, path: &Path, lines: usize) -> String {
    format!("--move {steps}: {} has only {}", path.display(), counted(lines, "move"))
}

/// `1 move`, `2 moves`.
pub fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Whether the file that a flag names may be written.
///
/// # Errors
/// When it exists and `--force` is not given, or can never be written.
pub fn may_write(flag: &str, path: &Path, force: bool) -> Result<(), Failure> {
    save::check(path, force).map_err(|e| match e {
        SaveError::Exists(path) => {
            Failure(format!("{flag}: {} exists already; choose another name, or add --force", path.display()))
        }
        e => Failure(format!("{flag}: {e}")),
    })
}

/// A seed nobody chose.
pub fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// A progress bar on stderr, hidden when that is no terminal.
pub fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len}  {elapsed} (eta {eta})") {
        bar.set_style(style);
    }
    bar.tick();
    bar
}
