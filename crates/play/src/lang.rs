//! The languages people are spoken to in.

use std::str::FromStr;

/// A language of the front ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
}

/// The name of no language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no language is called '{0}'; there are: en, zh")]
pub struct UnknownLang(pub String);

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(text: &str) -> Result<Self, UnknownLang> {
        match text.to_ascii_lowercase().as_str() {
            "en" => Ok(Lang::En),
            "zh" => Ok(Lang::Zh),
            _ => Err(UnknownLang(text.chars().take(40).collect())),
        }
    }
}

impl Lang {
    /// The language of an environment such as `zh_CN.UTF-8` (the value of `LC_ALL`, `LC_MESSAGES` or `LANG`).
    pub fn of_environment(value: &str) -> Lang {
        if value.to_ascii_lowercase().starts_with("zh") { Lang::Zh } else { Lang::En }
    }

    /// The one of two texts that is in this language.
    pub fn choose<'a>(self, en: &'a str, zh: &'a str) -> &'a str {
        match self {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }
}
