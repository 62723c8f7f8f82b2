//! What the root says about the game: players, rules, komi, result.

use super::error::SgfError;
use super::number::{Number, number};
use super::result::GameResult;
use super::rules::{self, Komi};
use super::tree::{Property, Tree};
use super::warning::{WarningKind, clip};
use crate::Size;

/// One player of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// PB, PW.
    pub name: Option<String>,
    /// BR, WR, such as `9p` or `15级`.
    pub rank: Option<String>,
    /// BT, WT.
    pub team: Option<String>,
}

/// The game information of a tree's root, or for a tree to be built ([`Tree::new`]).
#[derive(Clone, Debug, PartialEq)]
pub struct GameInfo {
    /// SZ.
    pub size: Size,
    /// KM in points for White. `None` when it is missing or no number.
    pub komi: Option<f64>,
    /// HA, 0 when missing. It places no stones: those are the root's setup.
    pub handicap: u16,
    /// RU as written.
    pub rules: Option<String>,
    /// The name of the ruleset that RU means, such as `chinese`; see [`super::ruleset`].
    pub ruleset: Option<&'static str>,
    /// PB, BR and BT.
    pub black: Player,
    /// PW, WR and WT.
    pub white: Player,
    /// RE; `None` when it is missing or cannot be read.
    pub result: Option<GameResult>,
    /// RE as written.
    pub result_text: Option<String>,
    /// DT, by the standard `2016-03-13` and the like.
    pub date: Option<String>,
    /// EV.
    pub event: Option<String>,
    /// RO.
    pub round: Option<String>,
    /// PC.
    pub place: Option<String>,
    /// GN.
    pub game_name: Option<String>,
    /// TM, the main time in seconds.
    pub time: Option<f64>,
    /// OT, such as `3x60 byo-yomi`.
    pub overtime: Option<String>,
    /// ON.
    pub opening: Option<String>,
    /// GC.
    pub comment: Option<String>,
    /// AN.
    pub annotator: Option<String>,
    /// CP.
    pub copyright: Option<String>,
    /// SO.
    pub source: Option<String>,
    /// US, who entered the game.
    pub user: Option<String>,
    /// AP, `name:version`.
    pub application: Option<String>,
}

impl GameInfo {
    /// Nothing is known but the size.
    pub fn new(size: Size) -> Self {
        GameInfo {
            size,
            komi: None,
            handicap: 0,
            rules: None,
            ruleset: None,
            black: Player::default(),
            white: Player::default(),
            result: None,
            result_text: None,
            date: None,
            event: None,
            round: None,
            place: None,
            game_name: None,
            time: None,
            overtime: None,
            opening: None,
            comment: None,
            annotator: None,
            copyright: None,
            source: None,
            user: None,
            application: None,
        }
    }
}

/// Gets each repair with the property it is in; an error ends the reading.
pub(super) type Report<'r> = dyn FnMut(WarningKind, Property<'_>) -> Result<(), SgfError> + 'r;

impl Tree {
    /// The game information of the root.
    pub fn info(&self) -> GameInfo {
        // A report that never refuses never ends the reading.
        read_info(self, &mut |_, _| Ok(())).unwrap_or_else(|_| GameInfo::new(self.size()))
    }
}

/// Reads the root's game information and reports every repair.
pub(super) fn read_info(tree: &Tree, report: &mut Report<'_>) -> Result<GameInfo, SgfError> {
    let mut info = GameInfo::new(tree.size());
    let mut komi = None;
    for property in tree.properties(tree.root()) {
        let target = match property.name() {
            "KM" => {
                komi = Some(property);
                continue;
            }
            "HA" => {
                info.handicap = read_handicap(property, report)?;
                continue;
            }
            "TM" => {
                info.time = read_number(property, "seconds", report)?.filter(|&seconds| seconds >= 0.0);
                continue;
            }
            "RU" => {
                let text = property.simple_text();
                info.ruleset = rules::ruleset(&text);
                match info.ruleset {
                    _ if text.is_empty() => {}
                    None => report(WarningKind::UnknownRules { value: clip(&text) }, property)?,
                    Some(ruleset) if rules::is_nearest(&text) => {
                        report(WarningKind::NearestRules { value: clip(&text), ruleset }, property)?;
                    }
                    Some(_) => {}
                }
                info.rules = some(text);
                continue;
            }
            "RE" => {
                let text = property.simple_text();
                info.result = GameResult::parse(&text);
                if info.result.is_none() && !text.is_empty() {
                    report(WarningKind::BadResult { value: clip(&text) }, property)?;
                }
                info.result_text = some(text);
                continue;
            }
            "GC" => {
                info.comment = some(property.text());
                continue;
            }
            "PB" => &mut info.black.name,
            "PW" => &mut info.white.name,
            "BR" => &mut info.black.rank,
            "WR" => &mut info.white.rank,
            "BT" => &mut info.black.team,
            "WT" => &mut info.white.team,
            "DT" => &mut info.date,
            "EV" => &mut info.event,
            "RO" => &mut info.round,
            "PC" => &mut info.place,
            "GN" => &mut info.game_name,
            "OT" => &mut info.overtime,
            "ON" => &mut info.opening,
            "AN" => &mut info.annotator,
            "CP" => &mut info.copyright,
            "SO" => &mut info.source,
            "US" => &mut info.user,
            "AP" => &mut info.application,
            _ => continue,
        };
        *target = some(property.simple_text());
    }
    if let Some(property) = komi {
        let own = info.application.as_deref().is_some_and(|name| name.starts_with("kiebitz"));
        info.komi = read_komi(property, info.ruleset, own, report)?;
    }
    Ok(info)
}

fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn read_komi(
    property: Property<'_>,
    ruleset: Option<&str>,
    own: bool,
    report: &mut Report<'_>,
) -> Result<Option<f64>, SgfError> {
    let raw = property.value();
    let (kind, komi) = match rules::komi(raw, ruleset, own) {
        Komi::Plain(komi) => return Ok(Some(komi)),
        Komi::Loose(komi) => (WarningKind::NumberSpelling { value: clip(raw), read: komi }, Some(komi)),
        Komi::Converted(komi) => (WarningKind::KomiUnits { value: clip(raw), komi }, Some(komi)),
        Komi::Bad => (WarningKind::BadNumber { value: clip(raw), expected: "a number of points such as 6.5" }, None),
    };
    report(kind, property)?;
    Ok(komi)
}

fn read_handicap(property: Property<'_>, report: &mut Report<'_>) -> Result<u16, SgfError> {
    let raw = property.value();
    let value = number(raw);
    let stones = value.value().filter(|v| v.fract() == 0.0 && (0.0..=(Size::MAX * Size::MAX) as f64).contains(v));
    match (stones, value) {
        (Some(stones), Number::Loose(read)) => {
            report(WarningKind::NumberSpelling { value: clip(raw), read }, property)?;
            Ok(stones as u16)
        }
        (Some(stones), _) => Ok(stones as u16),
        (None, _) => {
            report(WarningKind::BadNumber { value: clip(raw), expected: "a number of stones such as 2" }, property)?;
            Ok(0)
        }
    }
}

/// A number that has no meaning of its own.
pub(super) fn read_number(
    property: Property<'_>,
    expected: &'static str,
    report: &mut Report<'_>,
) -> Result<Option<f64>, SgfError> {
    let raw = property.value();
    match number(raw) {
        Number::Plain(value) => Ok(Some(value)),
        Number::Loose(read) => {
            report(WarningKind::NumberSpelling { value: clip(raw), read }, property)?;
            Ok(Some(read))
        }
        Number::Bad => {
            report(WarningKind::BadNumber { value: clip(raw), expected }, property)?;
            Ok(None)
        }
    }
}
