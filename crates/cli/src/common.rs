//! What several commands share: common flags and the way they fail.

use std::fmt;
use std::path::Path;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_catalog::Entry;
use kiebitz_core::record::{Header, ReadRecord};
use kiebitz_play::Lang;
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
    /// Number of players [default: the game's usual number]
    #[arg(long, value_name = "N")]
    pub players: Option<u8>,
    /// Rule options as in a record's header: key=value,key=value; a list as 0+1, a size as 9x7
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// Seed of the game's luck and of the players
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

impl GameArgs {
    /// The header of the game to start.
    ///
    /// # Errors
    /// When `--rules` is not of the form key=value,key=value.
    pub fn header(&self, entry: &Entry) -> Result<Header, Failure> {
        let rules = self.rules.as_deref().map(parse_rules).transpose()?.unwrap_or_default();
        Ok(Header::new(entry.game.id(), self.players.unwrap_or_else(|| entry.game.default_players()), rules))
    }
}

/// Reads `key=value,key=value`: numbers, `true`/`false`, lists `0+1`, sizes `9x7`, else text.
pub fn parse_rules(text: &str) -> Result<Map<String, Value>, Failure> {
    let mut rules = Map::new();
    for part in text.split(',') {
        let Some((key, value)) =
            part.split_once('=').map(|(k, v)| (k.trim(), v.trim())).filter(|(k, v)| !k.is_empty() && !v.is_empty())
        else {
            return Err(Failure(format!("--rules: '{}' is not of the form key=value", part.trim())));
        };
        if rules.insert(key.to_owned(), rule_value(value)).is_some() {
            return Err(Failure(format!("--rules: '{key}' is given twice")));
        }
    }
    Ok(rules)
}

fn rule_value(text: &str) -> Value {
    let scalar = |t: &str| match t {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => serde_json::from_str::<Value>(t).ok().filter(Value::is_number).unwrap_or_else(|| Value::from(t)),
    };
    let all_numbers = |sep: char| text.contains(sep) && text.split(sep).all(|p| p.parse::<u32>().is_ok());
    for sep in ['+', 'x'] {
        if all_numbers(sep) {
            return text.split(sep).map(scalar).collect();
        }
    }
    scalar(text)
}

/// Reads a record or an SGF file, compressed or not; what was odd about it goes to stderr.
///
/// # Errors
/// When the file cannot be read or is no game.
pub fn load(path: &Path, strict: bool, lang: Lang) -> Result<ReadRecord, Failure> {
    let bytes = std::fs::read(path).map_err(|e| Failure(format!("{} cannot be read: {e}", path.display())))?;
    let read = kiebitz_play::load::read(&bytes, strict).map_err(|e| Failure(format!("{}: {e}", path.display())))?;
    for warning in &read.warnings {
        eprintln!("{} {}: {warning}", lang.choose("warning:", "警告："), path.display());
    }
    Ok(read)
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
