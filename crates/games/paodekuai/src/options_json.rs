//! Options as JSON, as in a record header's `rules`.

use kiebitz_core::{Json, JsonMap, SetupError};
use serde_json::json;

use crate::cards::{Card, CardSet, RANK_LETTERS};
use crate::options::{Baodan, BombPay, Deck, End, Fallback, Lead, MAX_DEALS, MAX_POINTS, Options, PRESETS, SameRank};

/// All names, for messages.
const NAMES: &str = "preset, players, deck, removed, hand, deals, target, lead, lead_card, lead_include, lead_fallback, \
    must_beat, must_beat_bombs, pass_locks, straight_min, pairrun_min, triple_kickers, kicker_pair, plane_range, \
    kicker_same_rank, short_last, short_follow, quad_kickers, bomb_split, triple_bombs, baodan, end, card_point, \
    one_card_free, shutout, reverse_shutout, bomb_points, bomb_pay, bird, cap, show_counts";

fn error(key: &str, value: &Json, right: &str) -> SetupError {
    let value: String = value.to_string().chars().take(60).collect();
    SetupError::new("paodekuai.option", format!("the option {key} is {value}, it must be {right}"))
}

fn boolean(key: &str, value: &Json) -> Result<bool, SetupError> {
    value.as_bool().ok_or_else(|| error(key, value, "true or false"))
}

fn whole(key: &str, value: &Json, least: u16, most: u16) -> Result<u16, SetupError> {
    let number = value.as_u64().and_then(|n| u16::try_from(n).ok()).filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| error(key, value, &format!("a number from {least} to {most}")))
}

fn number(key: &str, value: &Json, most: u16) -> Result<u16, SetupError> {
    whole(key, value, 0, most)
}

fn byte(key: &str, value: &Json, least: u8, most: u8) -> Result<u8, SetupError> {
    whole(key, value, least.into(), most.into()).map(|n| n as u8)
}

fn card(key: &str, value: &Json) -> Result<Card, SetupError> {
    value.as_str().and_then(Card::parse).ok_or_else(|| error(key, value, "a card such as S3"))
}

/// A number after `seat:`.
fn seat(text: &str) -> Option<u8> {
    text.strip_prefix("seat:")?.parse().ok().filter(|&seat| seat < 4)
}

/// One of several names.
fn named<T: Copy>(key: &str, value: &Json, names: &[(&str, T)]) -> Result<T, SetupError> {
    let text = value.as_str().unwrap_or_default();
    names.iter().find(|(name, _)| *name == text).map(|&(_, found)| found).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        error(key, value, &format!("one of {}", names.join(", ")))
    })
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, named)| named == value).map_or("", |(name, _)| name)
}

/// A set of small numbers as a mask: a list, or one number alone, as the command line gives it.
fn numbers(key: &str, value: &Json, allowed: u8) -> Result<u8, SetupError> {
    let known: Vec<u8> = (0..8).filter(|n| allowed >> n & 1 == 1).collect();
    let named = known.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let wrong = || error(key, value, &format!("a list of numbers among {named}, such as [{}]", known[0]));
    let one = std::slice::from_ref(value);
    let list = value.as_array().map_or(one, Vec::as_slice);
    list.iter().try_fold(0, |mask, item| {
        let bit = item.as_u64().filter(|&n| n < 8).map(|n| 1u8 << n).filter(|bit| bit & allowed != 0);
        Ok(mask | bit.ok_or_else(wrong)?)
    })
}

fn number_list(mask: u8) -> Json {
    (0..8).filter(|n| mask >> n & 1 == 1).collect::<Vec<u8>>().into()
}

/// A set of ranks as a mask: a text of rank letters. A single rank that is a digit may come as a number.
fn ranks(value: &Json) -> Result<u16, SetupError> {
    let wrong = || error("triple_bombs", value, "a text of ranks such as \"A\"");
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        _ => return Err(wrong()),
    };
    text.chars().try_fold(0, |mask, letter| {
        let rank = RANK_LETTERS.iter().position(|&l| l == letter.to_ascii_uppercase());
        Ok(mask | 1 << rank.ok_or_else(wrong)?)
    })
}

fn rank_text(mask: u16) -> String {
    RANK_LETTERS.iter().enumerate().filter(|(rank, _)| mask >> rank & 1 == 1).map(|(_, letter)| letter).collect()
}

const DECKS: [(&str, Deck); 4] = [("d48", Deck::D48), ("d45", Deck::D45), ("d52", Deck::D52), ("custom", Deck::Custom)];
const SAME_RANKS: [(&str, SameRank); 3] =
    [("never", SameRank::Never), ("plane", SameRank::Plane), ("always", SameRank::Always)];
const BAODANS: [(&str, Baodan); 3] =
    [("must_max", Baodan::MustMax), ("liability", Baodan::Liability), ("off", Baodan::Off)];
const ENDS: [(&str, End); 2] = [("first_out", End::FirstOut), ("ranking", End::Ranking)];
const BOMB_PAYS: [(&str, BombPay); 3] = [("each", BombPay::Each), ("winner", BombPay::Winner), ("none", BombPay::None)];

fn lead(value: &Json) -> Result<Lead, SetupError> {
    match value.as_str().unwrap_or_default() {
        "card" => Ok(Lead::Card),
        "winner" => Ok(Lead::Winner),
        "rotate" => Ok(Lead::Rotate),
        text => seat(text).map(Lead::Seat).ok_or_else(|| error("lead", value, "card, winner, rotate or seat:0")),
    }
}

fn fallback(value: &Json) -> Result<Fallback, SetupError> {
    match value.as_str().unwrap_or_default() {
        "lowest" => Ok(Fallback::Lowest),
        "random" => Ok(Fallback::Random),
        text => seat(text).map(Fallback::Seat).ok_or_else(|| error("lead_fallback", value, "lowest, random or seat:0")),
    }
}

fn removed(value: &Json) -> Result<CardSet, SetupError> {
    let wrong = || error("removed", value, "a list of different cards such as [\"SA\",\"S2\"] or SA+S2");
    // As the command line has lists: SA+S2.
    let list: Vec<&str> = match value {
        Json::Array(list) => list.iter().map(|item| item.as_str().ok_or_else(wrong)).collect::<Result<_, _>>()?,
        Json::String(text) if text.is_empty() => Vec::new(),
        _ => value.as_str().ok_or_else(wrong)?.split('+').collect(),
    };
    let mut set = CardSet::EMPTY;
    for item in list {
        let card = Card::parse(item).ok_or_else(wrong)?;
        if !set.insert(card) {
            return Err(wrong());
        }
    }
    Ok(set)
}

impl Options {
    /// Options from a record header's `rules`: a `preset` first, then everything that differs from it.
    ///
    /// # Errors
    /// Unknown names and values outside their domain, with what would be right.
    pub fn from_json(rules: &JsonMap) -> Result<Options, SetupError> {
        let mut options = match rules.get("preset") {
            None => Options::default(),
            Some(value) => value
                .as_str()
                .and_then(Options::preset)
                .ok_or_else(|| error("preset", value, &format!("one of {}", PRESETS.join(", "))))?,
        };
        for (key, value) in rules {
            options.set(key, value)?;
        }
        // A match to a target has no other end by default.
        if options.target.is_some() && !rules.contains_key("deals") {
            options.deals = MAX_DEALS;
        }
        // A deck by its own name is the same deck however it was written.
        if options.removed.is_some() && options.card_set() == (Options { removed: None, ..options.clone() }).card_set()
        {
            options.removed = None;
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &Json) -> Result<(), SetupError> {
        match key {
            "preset" => {}
            "players" => self.players = Some(byte(key, value, 2, 4)?),
            "deck" => self.deck = named(key, value, &DECKS)?,
            "removed" => self.removed = Some(removed(value)?),
            "hand" => self.hand = byte(key, value, 1, 26)?,
            "deals" => self.deals = whole(key, value, 1, MAX_DEALS)?,
            "target" => self.target = if value.is_null() { None } else { Some(whole(key, value, 1, u16::MAX)?) },
            "lead" => self.lead = lead(value)?,
            "lead_card" => self.lead_card = card(key, value)?,
            "lead_include" => self.lead_include = boolean(key, value)?,
            "lead_fallback" => self.lead_fallback = fallback(value)?,
            "must_beat" => self.must_beat = boolean(key, value)?,
            "must_beat_bombs" => self.must_beat_bombs = boolean(key, value)?,
            "pass_locks" => self.pass_locks = boolean(key, value)?,
            "straight_min" => self.straight_min = byte(key, value, 3, 12)?,
            "pairrun_min" => self.pairrun_min = byte(key, value, 2, 3)?,
            "triple_kickers" => self.triple_kickers = numbers(key, value, 0b111)?,
            "kicker_pair" => self.kicker_pair = boolean(key, value)?,
            "plane_range" => self.plane_range = boolean(key, value)?,
            "kicker_same_rank" => self.kicker_same_rank = named(key, value, &SAME_RANKS)?,
            "short_last" => self.short_last = boolean(key, value)?,
            "short_follow" => self.short_follow = boolean(key, value)?,
            "quad_kickers" => self.quad_kickers = numbers(key, value, 0b1100)?,
            "bomb_split" => self.bomb_split = boolean(key, value)?,
            "triple_bombs" => self.triple_bombs = ranks(value)?,
            "baodan" => self.baodan = named(key, value, &BAODANS)?,
            "end" => self.end = named(key, value, &ENDS)?,
            "card_point" => self.card_point = number(key, value, MAX_POINTS)?,
            "one_card_free" => self.one_card_free = boolean(key, value)?,
            "shutout" => self.shutout = number(key, value, MAX_POINTS)?,
            "reverse_shutout" => self.reverse_shutout = number(key, value, MAX_POINTS)?,
            "bomb_points" => self.bomb_points = number(key, value, MAX_POINTS)?,
            "bomb_pay" => self.bomb_pay = named(key, value, &BOMB_PAYS)?,
            "bird" => {
                self.bird = if value.as_str() == Some("") || value.is_null() { None } else { Some(card(key, value)?) }
            }
            "cap" => {
                let none = value.is_null() || value.as_str() == Some("none");
                self.cap = if none { None } else { Some(number(key, value, u16::MAX)?) };
            }
            "show_counts" => self.show_counts = boolean(key, value)?,
            _ => {
                let key: String = key.chars().take(40).collect();
                let message = format!("Pao De Kuai has no option '{key}'; there are: {NAMES}");
                return Err(SetupError::new("paodekuai.option", message));
            }
        }
        Ok(())
    }

    /// The options that differ from the default.
    pub fn to_json(&self) -> JsonMap {
        let plain = Options::default();
        let mut rules = self.all_json();
        let same = plain.all_json();
        rules.retain(|key, value| same.get(key) != Some(value));
        // Reading a target alone gives the longest match.
        if self.target.is_some() && self.deals == MAX_DEALS {
            rules.shift_remove("deals");
        } else if self.target.is_some() {
            rules.insert("deals".to_owned(), self.deals.into());
        }
        rules
    }

    fn all_json(&self) -> JsonMap {
        let lead = match self.lead {
            Lead::Card => "card".to_owned(),
            Lead::Winner => "winner".to_owned(),
            Lead::Rotate => "rotate".to_owned(),
            Lead::Seat(seat) => format!("seat:{seat}"),
        };
        let fallback = match self.lead_fallback {
            Fallback::Lowest => "lowest".to_owned(),
            Fallback::Random => "random".to_owned(),
            Fallback::Seat(seat) => format!("seat:{seat}"),
        };
        let removed = self.removed.map(|set| set.iter().map(|card| card.to_string()).collect::<Vec<_>>());
        let all: [(&str, Json); 34] = [
            ("players", json!(self.players)),
            ("deck", name_of(&DECKS, &self.deck).into()),
            ("removed", json!(removed)),
            ("hand", self.hand.into()),
            ("target", json!(self.target)),
            ("deals", self.deals.into()),
            ("lead", lead.into()),
            ("lead_card", self.lead_card.to_string().into()),
            ("lead_include", self.lead_include.into()),
            ("lead_fallback", fallback.into()),
            ("must_beat", self.must_beat.into()),
            ("must_beat_bombs", self.must_beat_bombs.into()),
            ("pass_locks", self.pass_locks.into()),
            ("straight_min", self.straight_min.into()),
            ("pairrun_min", self.pairrun_min.into()),
            ("triple_kickers", number_list(self.triple_kickers)),
            ("kicker_pair", self.kicker_pair.into()),
            ("plane_range", self.plane_range.into()),
            ("kicker_same_rank", name_of(&SAME_RANKS, &self.kicker_same_rank).into()),
            ("short_last", self.short_last.into()),
            ("short_follow", self.short_follow.into()),
            ("quad_kickers", number_list(self.quad_kickers)),
            ("bomb_split", self.bomb_split.into()),
            ("triple_bombs", rank_text(self.triple_bombs).into()),
            ("baodan", name_of(&BAODANS, &self.baodan).into()),
            ("end", name_of(&ENDS, &self.end).into()),
            ("card_point", self.card_point.into()),
            ("one_card_free", self.one_card_free.into()),
            ("shutout", self.shutout.into()),
            ("reverse_shutout", self.reverse_shutout.into()),
            ("bomb_points", self.bomb_points.into()),
            ("bomb_pay", name_of(&BOMB_PAYS, &self.bomb_pay).into()),
            ("bird", self.bird.map_or_else(String::new, |card| card.to_string()).into()),
            ("cap", json!(self.cap)),
        ];
        let mut map: JsonMap = all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        map.insert("show_counts".to_owned(), self.show_counts.into());
        map
    }
}
