//! Player specs: `name` or `name:key=value,key=value`, the same on the command line, in records and in Python.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A player's name and settings, before anybody looked at what they mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The algorithm's name, such as `uct`.
    pub name: String,
    /// The settings by key.
    pub settings: BTreeMap<String, String>,
}

/// What is wrong with a player spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Not of the form `name:key=value,…`.
    #[error("player '{spec}' is not of the form name or name:key=value,key=value: {why}")]
    Syntax {
        /// The whole spec.
        spec: String,
        /// Where it departs from the form.
        why: String,
    },
    /// No player has this name.
    #[error("no player is called '{name}'; there are: {known}")]
    UnknownName {
        /// The name.
        name: String,
        /// The known names.
        known: String,
    },
    /// The player has no such setting.
    #[error("player '{name}' has no setting '{key}'; it has: {known}")]
    UnknownKey {
        /// The player.
        name: String,
        /// The key.
        key: String,
        /// The known keys.
        known: String,
    },
    /// The setting's value cannot be used.
    #[error("player '{name}': {key}={value} cannot be used, it must be {expected}")]
    BadValue {
        /// The player.
        name: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// The player exists but cannot play this game.
    #[error("player '{name}' cannot play {game}: {reason}")]
    Unsuitable {
        /// The player.
        name: String,
        /// The game.
        game: String,
        /// Why, and what would do.
        reason: String,
    },
}

impl SpecError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            SpecError::Syntax { .. } => "spec.syntax",
            SpecError::UnknownName { .. } => "spec.unknown_name",
            SpecError::UnknownKey { .. } => "spec.unknown_key",
            SpecError::BadValue { .. } => "spec.bad_value",
            SpecError::Unsuitable { .. } => "spec.unsuitable",
        }
    }
}

/// The longest spec accepted, in bytes.
const MAX_SPEC: usize = 4096;

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let shown: String = text.chars().take(80).collect();
        let bad = |why: &str| SpecError::Syntax { spec: shown.clone(), why: why.to_owned() };
        if text.len() > MAX_SPEC {
            return Err(bad("it is too long"));
        }
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim(), Some(rest)),
            None => (text.trim(), None),
        };
        if name.is_empty() {
            return Err(bad("the name is empty"));
        }
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
            return Err(bad("a name consists of letters, digits, - and _"));
        }
        let mut settings = BTreeMap::new();
        if let Some(rest) = rest {
            for part in rest.split(',') {
                let Some((key, value)) = part.split_once('=') else {
                    return Err(bad(&format!("'{}' has no =", part.trim())));
                };
                let (key, value) = (key.trim(), value.trim());
                if key.is_empty() || value.is_empty() {
                    return Err(bad(&format!("'{}' lacks a key or a value", part.trim())));
                }
                if settings.insert(key.to_owned(), value.to_owned()).is_some() {
                    return Err(bad(&format!("'{key}' is given twice")));
                }
            }
        }
        Ok(PlayerSpec { name: name.to_ascii_lowercase(), settings })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.settings.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// Reads the settings of a spec one by one; [`Settings::finish`] refuses what nobody asked for.
#[derive(Clone, Debug)]
pub struct Settings {
    name: String,
    left: BTreeMap<String, String>,
    known: Vec<&'static str>,
}

impl Settings {
    /// Starts reading the settings of `spec`.
    pub fn new(spec: &PlayerSpec) -> Self {
        Settings { name: spec.name.clone(), left: spec.settings.clone(), known: Vec::new() }
    }

    fn bad(&self, key: &str, value: &str, expected: impl Into<String>) -> SpecError {
        SpecError::BadValue {
            name: self.name.clone(),
            key: key.to_owned(),
            value: value.chars().take(40).collect(),
            expected: expected.into(),
        }
    }

    /// The raw text of a setting.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        // Two readers may look at one key; a message names it once.
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.left.remove(key)
    }

    /// A whole number within bounds.
    ///
    /// # Errors
    /// When the value is no whole number or out of bounds.
    pub fn integer(&mut self, key: &'static str, default: u64, min: u64, max: u64) -> Result<u64, SpecError> {
        let Some(value) = self.text(key) else { return Ok(default) };
        match value.replace('_', "").parse::<u64>() {
            Ok(n) if (min..=max).contains(&n) => Ok(n),
            _ => Err(self.bad(key, &value, format!("a whole number from {min} to {max}"))),
        }
    }

    /// A number within bounds.
    ///
    /// # Errors
    /// When the value is no finite number or out of bounds.
    pub fn number(&mut self, key: &'static str, default: f64, min: f64, max: f64) -> Result<f64, SpecError> {
        let Some(value) = self.text(key) else { return Ok(default) };
        match value.parse::<f64>() {
            Ok(x) if x >= min && x <= max => Ok(x),
            _ => Err(self.bad(key, &value, format!("a number from {min} to {max}"))),
        }
    }

    /// `on` or `off`.
    ///
    /// # Errors
    /// When the value is neither.
    pub fn switch(&mut self, key: &'static str, default: bool) -> Result<bool, SpecError> {
        let Some(value) = self.text(key) else { return Ok(default) };
        match value.as_str() {
            "on" | "true" | "yes" => Ok(true),
            "off" | "false" | "no" => Ok(false),
            _ => Err(self.bad(key, &value, "on or off")),
        }
    }

    /// One of several words; the first is the default.
    ///
    /// # Errors
    /// When the value is none of them.
    pub fn choice(&mut self, key: &'static str, words: &[&'static str]) -> Result<&'static str, SpecError> {
        let Some(value) = self.text(key) else { return Ok(words[0]) };
        match words.iter().find(|w| **w == value) {
            Some(word) => Ok(word),
            None => Err(self.bad(key, &value, format!("one of {}", words.join(", ")))),
        }
    }

    /// A duration such as `500ms`, `1.5s`, `2m`; a bare number is seconds.
    ///
    /// # Errors
    /// When the value is no duration between 1 ms and one day.
    pub fn duration(&mut self, key: &'static str) -> Result<Option<Duration>, SpecError> {
        let Some(value) = self.text(key) else { return Ok(None) };
        match parse_duration(&value) {
            Some(d) => Ok(Some(d)),
            None => Err(self.bad(key, &value, "a duration such as 500ms, 1.5s or 2m, from 1ms to one day")),
        }
    }

    /// The keys read so far.
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// When the spec has a setting that nobody asked for.
    pub fn finish(self) -> Result<(), SpecError> {
        match self.left.into_keys().next() {
            None => Ok(()),
            Some(key) => {
                let known = if self.known.is_empty() { "none".to_owned() } else { self.known.join(", ") };
                Err(SpecError::UnknownKey { name: self.name, key, known })
            }
        }
    }
}

/// Reads a duration such as `500ms`, `1.5s`, `2m`, `1h`; a bare number is seconds. `None` when it is none, or not within
/// 1 ms and one day.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = number.trim().parse::<f64>().ok()? * factor;
    (0.001..=86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}
