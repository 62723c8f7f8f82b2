//! Rules of Go as options: named rulesets and single keys, with KataGo's names.

use kiebitz_core::SetupError;
use serde_json::{Map, Value, json};

use crate::Size;

/// What a board move may not repeat. Passes are exempt from all of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KoRule {
    /// A single stone that just took a single stone may not be retaken at once. A long cycle ends without result.
    Simple,
    /// No earlier whole-board position, whoever was to move; the first position counts.
    Positional,
    /// No earlier pair of whole-board position and player to move next; pairs made by a pass and the first one count.
    Situational,
    /// As situational, but only pairs made by a board move count.
    Natural,
}

impl KoRule {
    const NAMES: [(&'static str, KoRule); 4] = [
        ("simple", KoRule::Simple),
        ("positional", KoRule::Positional),
        ("situational", KoRule::Situational),
        ("natural", KoRule::Natural),
    ];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        name_of(&Self::NAMES, self)
    }
}

/// What counts at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones on the board and empty points that touch one colour only.
    Area,
    /// Empty points that touch one colour only and prisoners.
    Territory,
}

impl Scoring {
    const NAMES: [(&'static str, Scoring); 2] = [("area", Scoring::Area), ("territory", Scoring::Territory)];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        name_of(&Self::NAMES, self)
    }
}

/// What groups must give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tax {
    /// Nothing.
    None,
    /// Empty points of groups in seki do not count.
    Seki,
    /// As seki, and each independent living group counts two points less (stone scoring).
    All,
}

impl Tax {
    const NAMES: [(&'static str, Tax); 3] = [("none", Tax::None), ("seki", Tax::Seki), ("all", Tax::All)];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        name_of(&Self::NAMES, self)
    }
}

/// What White gets for N ≥ 2 handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhiteBonus {
    /// Nothing.
    Zero,
    /// N − 1 points.
    NMinusOne,
    /// N points.
    N,
}

impl WhiteBonus {
    const NAMES: [(&'static str, WhiteBonus); 3] =
        [("0", WhiteBonus::Zero), ("n-1", WhiteBonus::NMinusOne), ("n", WhiteBonus::N)];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        name_of(&Self::NAMES, self)
    }
}

fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, v)| *v == value).map_or("", |(name, _)| name)
}

/// Everything a ruleset decides besides komi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// What may not be repeated.
    pub ko: KoRule,
    /// What counts.
    pub scoring: Scoring,
    /// What groups give up.
    pub tax: Tax,
    /// Whether a move may remove two or more own stones. A single stone may never remove itself.
    pub suicide: bool,
    /// The first player to pass gets half a point, and that pass is not one of the two that end the game.
    pub button: bool,
    /// Dead stones need not be captured before the passes: the players agree on them. The referee counts the board as it
    /// stands in either case; engines and front ends look at this.
    pub friendly_pass: bool,
    /// What White gets for handicap stones.
    pub white_bonus: WhiteBonus,
}

/// The named rulesets, with the facts KataGo 1.18 gives for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ruleset {
    /// Positional superko, area, suicide, stones on the board are alive.
    TrompTaylor,
    /// Area with simple ko, as played over the board.
    Chinese,
    /// Chinese as on OGS: positional superko.
    ChineseOgs,
    /// Chinese as on KGS: positional superko.
    ChineseKgs,
    /// Territory with simple ko; no points in seki.
    Japanese,
    /// As Japanese.
    Korean,
    /// Ancient Chinese: stones only, so every living group gives up two points.
    StoneScoring,
    /// American: area with situational superko.
    Aga,
    /// British: as American.
    Bga,
    /// New Zealand: area with situational superko and suicide.
    NewZealand,
    /// American with the button.
    AgaButton,
}

impl Ruleset {
    const NAMES: [(&'static str, Ruleset); 11] = [
        ("tromp-taylor", Ruleset::TrompTaylor),
        ("chinese", Ruleset::Chinese),
        ("chinese-ogs", Ruleset::ChineseOgs),
        ("chinese-kgs", Ruleset::ChineseKgs),
        ("japanese", Ruleset::Japanese),
        ("korean", Ruleset::Korean),
        ("stone-scoring", Ruleset::StoneScoring),
        ("aga", Ruleset::Aga),
        ("bga", Ruleset::Bga),
        ("new-zealand", Ruleset::NewZealand),
        ("aga-button", Ruleset::AgaButton),
    ];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Ruleset> {
        Self::NAMES.iter().map(|(_, set)| *set)
    }

    /// Its name in records and in KataGo.
    pub fn name(self) -> &'static str {
        name_of(&Self::NAMES, self)
    }

    /// The ruleset of a name, in any case, with `-`, `_`, a blank or nothing between the words; `tt` and `nz` work too.
    pub fn from_name(text: &str) -> Option<Ruleset> {
        let plain = |s: &str| -> String {
            s.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
        };
        let wanted = match plain(text).as_str() {
            "tt" => "tromptaylor".to_owned(),
            "nz" => "newzealand".to_owned(),
            other => other.to_owned(),
        };
        Self::NAMES.iter().find(|(name, _)| plain(name) == wanted).map(|(_, set)| *set)
    }

    /// Its rules.
    pub fn rules(self) -> Rules {
        use Ruleset::*;
        let rules = Rules {
            ko: KoRule::Situational,
            scoring: Scoring::Area,
            tax: Tax::None,
            suicide: false,
            button: false,
            friendly_pass: true,
            white_bonus: WhiteBonus::Zero,
        };
        match self {
            TrompTaylor => Rules { ko: KoRule::Positional, suicide: true, friendly_pass: false, ..rules },
            Chinese => Rules { ko: KoRule::Simple, white_bonus: WhiteBonus::N, ..rules },
            ChineseOgs | ChineseKgs => Rules { ko: KoRule::Positional, white_bonus: WhiteBonus::N, ..rules },
            Japanese | Korean => Rules { ko: KoRule::Simple, scoring: Scoring::Territory, tax: Tax::Seki, ..rules },
            StoneScoring => Rules { ko: KoRule::Simple, tax: Tax::All, ..rules },
            Aga | Bga => Rules { white_bonus: WhiteBonus::NMinusOne, ..rules },
            NewZealand => Rules { suicide: true, ..rules },
            AgaButton => Rules { white_bonus: WhiteBonus::NMinusOne, button: true, ..rules },
        }
    }
}

impl Rules {
    /// The first named ruleset with exactly these rules, if there is one.
    pub fn name(&self) -> Option<Ruleset> {
        Ruleset::all().find(|set| set.rules() == *self)
    }

    /// As KataGo's `kata-get-rules` writes them.
    pub fn to_katago_json(&self) -> Map<String, Value> {
        let upper = |name: &str| Value::from(name.to_ascii_uppercase());
        let mut map = Map::new();
        map.insert("ko".to_owned(), upper(self.ko.name()));
        map.insert("scoring".to_owned(), upper(self.scoring.name()));
        map.insert("tax".to_owned(), upper(self.tax.name()));
        map.insert("suicide".to_owned(), self.suicide.into());
        map.insert("hasButton".to_owned(), self.button.into());
        map.insert("whiteHandicapBonus".to_owned(), upper(self.white_bonus.name()));
        map.insert("friendlyPassOk".to_owned(), self.friendly_pass.into());
        map
    }

    /// Changes one rule by its key, ours or KataGo's. Values may be texts in any case.
    ///
    /// # Errors
    /// `go.option` for an unknown key, else `go.` and the key for an impossible value.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), SetupError> {
        match key {
            "ko" | "koRule" => self.ko = choice("go.ko_rule", key, &KoRule::NAMES, value)?,
            "scoring" | "scoringRule" => self.scoring = choice("go.scoring", key, &Scoring::NAMES, value)?,
            "tax" | "taxRule" => self.tax = choice("go.tax", key, &Tax::NAMES, value)?,
            "suicide" | "multiStoneSuicideLegal" => self.suicide = flag("go.suicide_rule", key, value)?,
            "button" | "hasButton" => self.button = flag("go.button", key, value)?,
            "friendly_pass" | "friendlyPassOk" => self.friendly_pass = flag("go.friendly_pass", key, value)?,
            "white_bonus" | "whiteHandicapBonus" => {
                let zero = Value::from("0");
                let value = if value.as_u64() == Some(0) { &zero } else { value };
                self.white_bonus = choice("go.white_bonus", key, &WhiteBonus::NAMES, value)?;
            }
            _ => return Err(unknown_key(key)),
        }
        Ok(())
    }
}

fn unknown_key(key: &str) -> SetupError {
    SetupError::new(
        "go.option",
        format!(
            "Go has no rule '{}'; there are: size, komi, ruleset, handicap, ko, scoring, tax, suicide, button, \
             friendly_pass, white_bonus",
            key.chars().take(32).collect::<String>()
        ),
    )
}

/// A value in an error message, cut short.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 { text } else { text.chars().take(40).chain(['…']).collect() }
}

fn choice<T: Copy>(code: &'static str, key: &str, names: &[(&'static str, T)], value: &Value) -> Result<T, SetupError> {
    let text = value.as_str().unwrap_or_default();
    match names.iter().find(|(name, _)| text.eq_ignore_ascii_case(name)) {
        Some((_, value)) => Ok(*value),
        None => {
            let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            Err(SetupError::new(code, format!("{key} is {}, it must be one of: {}", short(value), known.join(", "))))
        }
    }
}

fn flag(code: &'static str, key: &str, value: &Value) -> Result<bool, SetupError> {
    match value {
        Value::Bool(b) => Ok(*b),
        Value::String(s) if s.eq_ignore_ascii_case("true") => Ok(true),
        Value::String(s) if s.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(SetupError::new(code, format!("{key} is {}, it must be true or false", short(value)))),
    }
}

/// The largest komi either way, in points.
pub const MAX_KOMI: i32 = 10_000;

/// Points as quarter points, the unit of all scores; `None` unless it is a multiple of 0.25 of at most [`MAX_KOMI`].
pub fn quarter_points(points: f64) -> Option<i32> {
    let quarters = points * 4.0;
    (quarters.fract() == 0.0 && quarters.abs() <= f64::from(4 * MAX_KOMI)).then_some(quarters as i32)
}

/// The options of a game. The default is 19x19 under Chinese rules with komi 7.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The board.
    pub size: Size,
    /// The ruleset it was chosen by; [`Options::rules`] may differ from it in single rules.
    pub ruleset: Ruleset,
    /// The rules.
    pub rules: Rules,
    /// What White gets for moving second, in quarter points (7.5 points are 30).
    pub komi: i32,
    /// The number of handicap stones; they count from 2 on. Without a set-up they are placed as fixed handicap.
    pub handicap: u16,
}

impl Default for Options {
    fn default() -> Self {
        let size = Size::square(19).expect("19 is a size");
        Options::new(size, Ruleset::Chinese)
    }
}

impl Options {
    /// An even game under a named ruleset with its usual komi.
    pub fn new(size: Size, ruleset: Ruleset) -> Self {
        let rules = ruleset.rules();
        Options { size, ruleset, rules, komi: default_komi(size, &rules, 0), handicap: 0 }
    }

    /// The komi in points.
    pub fn komi_points(&self) -> f64 {
        f64::from(self.komi) / 4.0
    }

    /// The name of the ruleset whose rules these are: the one they were chosen by if they are still its, else any other,
    /// else none.
    pub fn ruleset_name(&self) -> Option<Ruleset> {
        if self.ruleset.rules() == self.rules { Some(self.ruleset) } else { self.rules.name() }
    }

    /// What White gets for the handicap stones, in points.
    pub fn handicap_bonus(&self) -> u16 {
        match self.rules.white_bonus {
            _ if self.handicap < 2 => 0,
            WhiteBonus::Zero => 0,
            WhiteBonus::NMinusOne => self.handicap - 1,
            WhiteBonus::N => self.handicap,
        }
    }

    /// Options from the `rules` of a record header. Absent keys mean the default; KataGo's keys are accepted too.
    ///
    /// # Errors
    /// An unknown key (`go.option`) or an impossible value (`go.size`, `go.komi`, `go.ruleset`, `go.handicap`,
    /// `go.ko_rule`, `go.scoring`, `go.tax`, `go.suicide_rule`, `go.button`, `go.friendly_pass`, `go.white_bonus`).
    pub fn from_json(json: &Map<String, Value>) -> Result<Self, SetupError> {
        let size = json.get("size").map_or_else(|| Ok(Options::default().size), size_from_json)?;
        let ruleset = match json.get("ruleset") {
            None => Ruleset::Chinese,
            Some(value) => value.as_str().and_then(Ruleset::from_name).ok_or_else(|| {
                let known: Vec<&str> = Ruleset::all().map(Ruleset::name).collect();
                let message = format!("ruleset is {}, it must be one of: {}", short(value), known.join(", "));
                SetupError::new("go.ruleset", message)
            })?,
        };
        let mut rules = ruleset.rules();
        for (key, value) in json {
            if !matches!(key.as_str(), "size" | "ruleset" | "komi" | "handicap") {
                rules.set(key, value)?;
            }
        }
        let most = size.points() as u64;
        let handicap = match json.get("handicap") {
            None => 0,
            Some(value) => value.as_u64().filter(|&n| n <= most).ok_or_else(|| {
                let message = format!("handicap is {}, it must be a whole number from 0 to {most}", short(value));
                SetupError::new("go.handicap", message)
            })? as u16,
        };
        let komi = match json.get("komi") {
            None => default_komi(size, &rules, handicap),
            Some(value) => value.as_f64().and_then(quarter_points).ok_or_else(|| bad_komi(&short(value)))?,
        };
        Ok(Options { size, ruleset, rules, komi, handicap })
    }

    /// The options that differ from the default, as in the `rules` of a record header: the ruleset is named, and single
    /// rules appear where they differ from it, the komi where it differs from the usual one.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut map = Map::new();
        if self.size != Options::default().size {
            map.insert("size".to_owned(), size_to_json(self.size));
        }
        if self.ruleset != Ruleset::Chinese {
            map.insert("ruleset".to_owned(), self.ruleset.name().into());
        }
        let (named, own) = (self.ruleset.rules().to_map(), self.rules.to_map());
        for (key, value) in own {
            if named.get(&key) != Some(&value) {
                map.insert(key, value);
            }
        }
        if self.handicap != 0 {
            map.insert("handicap".to_owned(), self.handicap.into());
        }
        if self.komi != default_komi(self.size, &self.rules, self.handicap) {
            map.insert("komi".to_owned(), points_to_json(self.komi));
        }
        map
    }

    /// Checks what the type allows but a game does not.
    pub(crate) fn validate(&self) -> Result<(), SetupError> {
        if self.komi.unsigned_abs() > 4 * MAX_KOMI as u32 {
            return Err(bad_komi(&format!("{}", self.komi_points())));
        }
        let points = self.size.points();
        if usize::from(self.handicap) > points {
            let message = format!("handicap is {}, the board has only {points} points", self.handicap);
            return Err(SetupError::new("go.handicap", message));
        }
        Ok(())
    }
}

impl Rules {
    fn to_map(self) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("ko".to_owned(), self.ko.name().into());
        map.insert("scoring".to_owned(), self.scoring.name().into());
        map.insert("tax".to_owned(), self.tax.name().into());
        map.insert("suicide".to_owned(), self.suicide.into());
        map.insert("button".to_owned(), self.button.into());
        map.insert("friendly_pass".to_owned(), self.friendly_pass.into());
        map.insert("white_bonus".to_owned(), self.white_bonus.name().into());
        map
    }
}

fn bad_komi(found: &str) -> SetupError {
    let message = format!("komi is {found}, it must be a multiple of 0.25 between -{MAX_KOMI} and {MAX_KOMI}");
    SetupError::new("go.komi", message)
}

/// The usual komi in quarter points: 0.5 with a handicap of 2 or more, else 6.5 when territory counts, 7 on boards smaller
/// than 10x10 (with perfect play a draw is likely there) and with the button, 7.5 otherwise.
pub fn default_komi(size: Size, rules: &Rules, handicap: u16) -> i32 {
    if handicap >= 2 {
        2
    } else if rules.scoring == Scoring::Territory {
        26
    } else if rules.button || size.points() < 100 {
        28
    } else {
        30
    }
}

/// Quarter points as a JSON number: a whole number where it is one.
pub(crate) fn points_to_json(quarters: i32) -> Value {
    if quarters % 4 == 0 { json!(quarters / 4) } else { json!(f64::from(quarters) / 4.0) }
}

/// A size as in a record header: a number, or `[width, height]`.
fn size_to_json(size: Size) -> Value {
    if size.width() == size.height() { json!(size.width()) } else { json!([size.width(), size.height()]) }
}

/// A size from a number, `[width, height]`, or the texts `9` and `9x7`.
fn size_from_json(value: &Value) -> Result<Size, SetupError> {
    let number = |v: &Value| v.as_u64().and_then(|n| usize::try_from(n).ok());
    let sides = match value {
        Value::Array(sides) => match sides.as_slice() {
            [width, height] => number(width).zip(number(height)),
            _ => None,
        },
        Value::String(text) => {
            let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
            width.trim().parse().ok().zip(height.trim().parse().ok())
        }
        other => number(other).map(|side| (side, side)),
    };
    sides.and_then(|(width, height)| Size::new(width, height).ok()).ok_or_else(|| {
        let message = format!(
            "size is {}, it must be a number from 1 to {max} or [width,height] with both from 1 to {max}",
            short(value),
            max = Size::MAX
        );
        SetupError::new("go.size", message)
    })
}
