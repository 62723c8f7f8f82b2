//! Rulesets (RU) and komi (KM), which depends on them.

use super::number::{Number, number};

/// The name of the ruleset that an RU value means, as this crate names rulesets; `None` when it is none of them. Case,
/// blanks and signs do not matter, nor does text after the first word. `GOE` and `Ing` give the nearest, Tromp-Taylor
/// (area, positional superko, suicide), which differs in how dead stones are agreed on.
pub fn ruleset(value: &str) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(40).collect()
    };
    let name = |plain: &str| {
        Some(match plain {
            "chinese" | "chineserules" | "china" | "cn" | "中国" | "中國" | "中国规则" | "中國規則" => {
                "chinese"
            }
            "chineseogs" => "chinese-ogs",
            "chinesekgs" => "chinese-kgs",
            "japanese" | "japaneserules" | "japan" | "jp" | "日本" | "日本规则" | "日本規則" => "japanese",
            "korean" | "koreanrules" | "korea" | "kr" | "韩国" | "韓國" | "韩国规则" => "korean",
            "stonescoring" => "stone-scoring",
            "aga" => "aga",
            "bga" | "french" => "bga",
            "newzealand" | "nz" => "new-zealand",
            "agabutton" => "aga-button",
            "tromptaylor" | "tt" => "tromp-taylor",
            "goe" | "ing" | "ingsst" | "sst" | "应氏" | "應氏" | "应氏规则" => "tromp-taylor",
            _ => return None,
        })
    };
    // No name is longer, and files may be.
    let value: String = value.trim().chars().take(200).collect();
    name(&plain(&value)).or_else(|| name(&plain(value.split([' ', ',', ';', '(', ':', '/']).next()?)))
}

/// Whether [`ruleset`] gives only the nearest.
pub(super) fn is_nearest(value: &str) -> bool {
    let value = value.trim().to_lowercase();
    ["goe", "ing", "sst", "应氏", "應氏"].iter().any(|name| value.starts_with(name))
}

/// The RU value for a ruleset: the standard's own names where it has one.
pub(super) fn rules_text(ruleset: &str) -> &str {
    match ruleset {
        "chinese" => "Chinese",
        "japanese" => "Japanese",
        "korean" => "Korean",
        "aga" => "AGA",
        "bga" => "BGA",
        "new-zealand" => "NZ",
        "tromp-taylor" => "Tromp-Taylor",
        other => other,
    }
}

/// A komi as read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Komi {
    /// A plain number of points.
    Plain(f64),
    /// A number of points, spelled unusually.
    Loose(f64),
    /// Given in hundredths or in zi, here in points.
    Converted(f64),
    /// No number.
    Bad,
}

/// Reads KM. Two habits of Chinese servers and books are understood, unless `literal` says that the file is our own:
/// - hundredths: 550, 650, 700 and 750 are points; 275, 325, 350 and 375 are zi (one zi is two points), so that
///   `KM[375]` is 7.5;
/// - under Chinese rules the quarters 2.75, 3.25 and 3.75 are zi.
pub(super) fn komi(raw: &str, ruleset: Option<&str>, literal: bool) -> Komi {
    let (value, plain) = match number(raw) {
        Number::Plain(value) => (value, true),
        Number::Loose(value) => (value, false),
        Number::Bad => return Komi::Bad,
    };
    let chinese = ruleset.is_some_and(|name| name.starts_with("chinese"));
    if !literal {
        if [275.0, 325.0, 350.0, 375.0].contains(&value) {
            return Komi::Converted(value / 50.0);
        }
        if [550.0, 650.0, 700.0, 750.0].contains(&value) {
            return Komi::Converted(value / 100.0);
        }
        if chinese && [2.75, 3.25, 3.75].contains(&value) {
            return Komi::Converted(value * 2.0);
        }
    }
    if plain { Komi::Plain(value) } else { Komi::Loose(value) }
}
