//! A position to start from instead of a deal.

use kiebitz_core::{Json, JsonMap, Seat, SetupError};
use serde_json::json;

use crate::belief::{Evidence, Proof};
use crate::cards::{Cards, RANK_LETTERS};
use crate::options::Options;
use crate::reading::{Class, Reading};
use crate::rules::Rules;
use crate::sampler::contradiction;
use crate::state::{LeadEvidence, MAX_SEATS, Phase, State};

/// A hand of a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupHand {
    /// These cards.
    Cards(Cards),
    /// So many cards that are not told: `?12`.
    Unseen(u8),
}

impl SetupHand {
    fn len(self) -> u8 {
        match self {
            SetupHand::Cards(cards) => cards.len(),
            SetupHand::Unseen(number) => number,
        }
    }
}

/// What is on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupTrick {
    /// The play.
    pub play: Cards,
    /// Whose it is.
    pub by: Seat,
    /// How it is read; `None` where it can be read in one way only.
    pub reading: Option<Reading>,
}

/// A position in the middle of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The hands by seat.
    pub hands: Vec<SetupHand>,
    /// Whose turn it is.
    pub to_move: Seat,
    /// What is on the table.
    pub trick: Option<SetupTrick>,
    /// Passes since the last play.
    pub passes: u8,
    /// The next play must contain the rank of the lead card.
    pub must_include: bool,
    /// Plays made by each seat.
    pub plays_made: Vec<u8>,
    /// Who led the first trick.
    pub leader: Seat,
    /// Seats that may not play again in this trick.
    pub locked: Vec<Seat>,
    /// Seats without cards, in the order in which they went out.
    pub out: Vec<Seat>,
    /// The owners of the bombs paid so far.
    pub bombs: Vec<Seat>,
    /// Who just played a single that was not his highest before the next seat's last card.
    pub offence: Option<Seat>,
    /// What each seat has played.
    pub played: Vec<Cards>,
    /// The cards dealt to nobody; what is left of the deck when `None`.
    pub kitty: Option<Cards>,
    /// What earlier passes prove.
    pub evidence: Vec<Proof>,
}

fn fault(message: impl Into<String>) -> SetupError {
    SetupError::new("paodekuai.setup", message.into())
}

/// A reading as in facts: `["tri",1,3,2,false]`.
pub(crate) fn reading_json(reading: &Reading) -> Json {
    json!([reading.class.name(), reading.size, reading.key, reading.kickers, reading.short])
}

fn reading(name: &str, value: &Json) -> Result<Reading, SetupError> {
    let form = "a reading is a list such as [\"tri\",1,3,2,false]: class, size, key, kickers, short";
    let wrong = |what: String| Err(fault(format!("{name}: {what}")));
    let Some([class, size, key, kickers, short]) = value.as_array().and_then(|list| list.as_array()) else {
        return wrong(form.to_owned());
    };
    let Some(class) = Class::ALL.into_iter().find(|known| class.as_str() == Some(known.name())) else {
        return wrong(format!("the class of a reading is one of {}", Class::ALL.map(Class::name).join(", ")));
    };
    let number =
        |value: &Json, least: u64, most: u64| value.as_u64().filter(|n| (least..=most).contains(n)).map(|n| n as u8);
    let Some(size) = number(size, 1, 12) else {
        return wrong("the size of a reading, its second entry, is a number from 1 to 12".to_owned());
    };
    let Some(key) = number(key, 0, 12) else {
        return wrong("the key of a reading, its third entry, is a rank from 0 (a 3) to 12 (a 2)".to_owned());
    };
    let Some(kickers) = number(kickers, 0, 52) else {
        return wrong("the kickers of a reading, its fourth entry, are a number from 0".to_owned());
    };
    let Some(short) = short.as_bool() else {
        return wrong("the last entry of a reading, short, is true or false".to_owned());
    };
    Ok(Reading { class, size, key, kickers, short })
}

fn cards(name: &str, value: &Json) -> Result<Cards, SetupError> {
    let text = value.as_str().ok_or_else(|| fault(format!("{name} must be a text of ranks such as \"3344TT2\"")))?;
    Cards::parse(text).map_err(|e| fault(format!("{name}: {e}")))
}

fn seat(name: &str, value: &Json) -> Result<Seat, SetupError> {
    let number = value.as_u64().filter(|&seat| seat < MAX_SEATS as u64);
    let right = || fault(format!("{name} must be a seat, a number from 0 to {}", MAX_SEATS - 1));
    number.map(|seat| seat as Seat).ok_or_else(right)
}

/// Refuses keys that mean nothing.
fn only(what: &str, map: &JsonMap, keys: &[&str]) -> Result<(), SetupError> {
    match map.keys().find(|key| !keys.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let key: String = key.chars().take(40).collect();
            Err(fault(format!("{what} has no '{key}'; there are: {}", keys.join(", "))))
        }
    }
}

fn list<T>(
    name: &str,
    value: &Json,
    most: usize,
    item: impl Fn(&str, &Json) -> Result<T, SetupError>,
) -> Result<Vec<T>, SetupError> {
    let list = value.as_array().filter(|list| list.len() <= most);
    let list = list.ok_or_else(|| fault(format!("{name} must be a list of at most {most} entries")))?;
    list.iter().map(|value| item(name, value)).collect()
}

fn hand(name: &str, value: &Json) -> Result<SetupHand, SetupError> {
    match value.as_str().and_then(|text| text.strip_prefix('?')) {
        None => cards(name, value).map(SetupHand::Cards),
        Some(number) => number
            .parse()
            .ok()
            .filter(|&number| number <= 52)
            .map(SetupHand::Unseen)
            .ok_or_else(|| fault(format!("{name}: an unseen hand is its number of cards after a ?, as in ?12"))),
    }
}

fn trick(value: &Json) -> Result<SetupTrick, SetupError> {
    let map = value.as_object().ok_or_else(|| fault("trick must be an object with play and by, or null"))?;
    only("trick", map, &["play", "by", "reading"])?;
    let get = |key: &str| map.get(key).unwrap_or(&Json::Null);
    Ok(SetupTrick {
        play: cards("trick.play", get("play"))?,
        by: seat("trick.by", get("by"))?,
        reading: if get("reading").is_null() { None } else { Some(reading("trick.reading", get("reading"))?) },
    })
}

fn proof(name: &str, value: &Json) -> Result<Proof, SetupError> {
    let map = value.as_object().ok_or_else(|| fault(format!("{name} must be a list of objects")))?;
    only(name, map, &["seat", "trick", "single", "kept", "on", "played_since"])?;
    let get = |key: &str| map.get(key).unwrap_or(&Json::Null);
    let since = if get("played_since").is_null() { Cards::EMPTY } else { cards("played_since", get("played_since"))? };
    if ["trick", "single", "kept"].into_iter().filter(|key| !get(key).is_null()).count() != 1 {
        return Err(fault(format!(
            "each entry of {name} has one of trick, single and kept: what it is that proves something"
        )));
    }
    let kept = if get("kept").is_null() { None } else { Some(cards("kept", get("kept"))?) };
    let evidence = match get("single") {
        Json::Null if kept.is_some() => Evidence::KeptBombs,
        Json::Null => Evidence::Passed(reading("evidence.trick", get("trick"))?),
        value => {
            let single = cards("single", value)?;
            let rank = single.lowest_rank().filter(|_| single.is_one());
            Evidence::HighestSingle(rank.ok_or_else(|| fault("single must be one rank"))?)
        }
    };
    let on = if get("on").is_null() { Cards::EMPTY } else { cards("on", get("on"))? };
    let on = kept.unwrap_or(on);
    Ok(Proof { seat: seat("evidence.seat", get("seat"))?, evidence, on, trick: 0, since })
}

const KEYS: [&str; 14] = [
    "hands",
    "to_move",
    "trick",
    "passes",
    "must_include",
    "plays_made",
    "leader",
    "locked",
    "out",
    "bombs",
    "offence",
    "played",
    "kitty",
    "evidence",
];

impl Setup {
    /// A lead of `to_move` with these hands, everybody having made a play.
    pub fn lead(hands: &[Cards], to_move: Seat) -> Setup {
        let players = hands.len();
        Setup {
            hands: hands.iter().copied().map(SetupHand::Cards).collect(),
            to_move,
            trick: None,
            passes: 0,
            must_include: false,
            plays_made: vec![1; players],
            leader: 0,
            locked: Vec::new(),
            out: Vec::new(),
            bombs: Vec::new(),
            offence: None,
            played: vec![Cards::EMPTY; players],
            kitty: None,
            evidence: Vec::new(),
        }
    }

    /// Reads a set-up.
    ///
    /// # Errors
    /// What is missing or of the wrong kind.
    pub fn from_json(options: &Options, value: &Json) -> Result<Setup, SetupError> {
        let map = value.as_object().ok_or_else(|| fault("a set-up is an object with hands and to_move"))?;
        only("a set-up", map, &KEYS)?;
        let get = |key: &str| map.get(key).filter(|value| !value.is_null());
        let hands = get("hands").ok_or_else(|| fault("a set-up needs hands, one text for each seat"))?;
        let hands = list("hands", hands, MAX_SEATS, hand)?;
        let players = hands.len();
        let to_move = seat("to_move", get("to_move").ok_or_else(|| fault("a set-up needs to_move, a seat"))?)?;
        let trick = get("trick").map(trick).transpose()?;
        let seats = |key: &str, most: usize| get(key).map_or(Ok(Vec::new()), |value| list(key, value, most, seat));
        let must_include = match get("must_include") {
            None => false,
            Some(value) => {
                let rank = RANK_LETTERS[usize::from(options.lead_card.rank())].to_string();
                if value.as_str() != Some(&rank) {
                    return Err(fault(format!("must_include is null or the rank of the lead card, \"{rank}\"")));
                }
                true
            }
        };
        let number = |name: &str, value: &Json| {
            let number = value.as_u64().filter(|&n| n <= 52).map(|n| n as u8);
            number.ok_or_else(|| fault(format!("{name} must be a number from 0 to 52")))
        };
        let out = seats("out", MAX_SEATS)?;
        // Who has passed, where it is not told: the seats between the owner of the trick and the one to move.
        let between = trick.as_ref().map_or(0, |trick| {
            let players = players.max(1);
            let steps = (usize::from(to_move) + 2 * players - usize::from(trick.by) - 1) % players;
            let passed = (1..=steps).map(|step| (usize::from(trick.by) + step) % players);
            passed.filter(|&seat| hands.get(seat).is_some_and(|hand| hand.len() > 0)).count() as u8
        });
        Ok(Setup {
            passes: get("passes").map_or(Ok(between), |value| number("passes", value))?,
            plays_made: get("plays_made")
                .map_or(Ok(vec![1; players]), |value| list("plays_made", value, MAX_SEATS, number))?,
            leader: get("leader").map_or(Ok(0), |value| seat("leader", value))?,
            locked: seats("locked", MAX_SEATS)?,
            bombs: seats("bombs", 13)?,
            offence: get("offence").map(|value| seat("offence", value)).transpose()?,
            played: get("played")
                .map_or(Ok(vec![Cards::EMPTY; players]), |value| list("played", value, MAX_SEATS, cards))?,
            kitty: get("kitty").map(|value| cards("kitty", value)).transpose()?,
            evidence: get("evidence").map_or(Ok(Vec::new()), |value| list("evidence", value, 200, proof))?,
            hands,
            to_move,
            trick,
            must_include,
            out,
        })
    }

    /// The set-up as JSON, every key written.
    pub fn to_json(&self, options: &Options) -> Json {
        let hands = self.hands.iter().map(|hand| match hand {
            SetupHand::Cards(cards) => cards.to_string(),
            SetupHand::Unseen(number) => format!("?{number}"),
        });
        let trick = self.trick.as_ref().map(|trick| {
            let mut map = JsonMap::new();
            map.insert("play".to_owned(), trick.play.to_string().into());
            map.insert("by".to_owned(), trick.by.into());
            if let Some(reading) = &trick.reading {
                map.insert("reading".to_owned(), reading_json(reading));
            }
            map
        });
        let include = RANK_LETTERS[usize::from(options.lead_card.rank())].to_string();
        let evidence = self.evidence.iter().map(|proof| {
            let mut map = JsonMap::new();
            map.insert("seat".to_owned(), proof.seat.into());
            match &proof.evidence {
                Evidence::Passed(trick) => map.insert("trick".to_owned(), reading_json(trick)),
                Evidence::HighestSingle(rank) => {
                    map.insert("single".to_owned(), Cards::of(*rank, 1).to_string().into())
                }
                Evidence::KeptBombs => map.insert("kept".to_owned(), proof.on.to_string().into()),
            };
            map.insert("played_since".to_owned(), proof.since.to_string().into());
            if !proof.on.is_empty() && proof.evidence != Evidence::KeptBombs {
                map.insert("on".to_owned(), proof.on.to_string().into());
            }
            map
        });
        json!({
            "hands": hands.collect::<Vec<_>>(),
            "to_move": self.to_move,
            "trick": trick,
            "passes": self.passes,
            "must_include": self.must_include.then_some(include),
            "plays_made": self.plays_made,
            "leader": self.leader,
            "locked": self.locked,
            "out": self.out,
            "bombs": self.bombs,
            "offence": self.offence,
            "played": self.played.iter().map(Cards::to_string).collect::<Vec<_>>(),
            "kitty": self.kitty.map(|kitty| kitty.to_string()),
            "evidence": evidence.collect::<Vec<_>>(),
        })
    }

    /// The state, if the position is possible.
    ///
    /// # Errors
    /// The first thing that is impossible.
    pub(crate) fn state(&self, rules: &Rules) -> Result<State, SetupError> {
        let players = rules.players();
        if self.hands.len() != usize::from(players) {
            return Err(fault(format!("the set-up has {} hands for {players} players", self.hands.len())));
        }
        for (name, length) in [("plays_made", self.plays_made.len()), ("played", self.played.len())] {
            if length != usize::from(players) {
                return Err(fault(format!("{name} has {length} entries for {players} players")));
            }
        }
        let lists = [&self.locked, &self.out, &self.bombs];
        let named = lists.into_iter().flatten().copied().chain([self.to_move, self.leader]).chain(self.offence);
        let named = named.chain(self.evidence.iter().map(|proof| proof.seat)).chain(self.trick.map(|trick| trick.by));
        if let Some(seat) = named.into_iter().find(|&seat| seat >= players) {
            return Err(fault(format!("there is no seat {seat}, seats are 0 to {}", players - 1)));
        }
        self.check_cards(rules)?;
        let mut state = State::new();
        state.phase = Phase::Play;
        for (seat, hand) in (0..).zip(&self.hands) {
            match hand {
                SetupHand::Cards(cards) => state.set_hand(seat, *cards),
                SetupHand::Unseen(number) => state.forget(seat, *number),
            }
        }
        for (place, cards) in state.played.iter_mut().zip(&self.played) {
            *place = *cards;
        }
        for &seat in &self.out {
            if state.hand_len(seat) > 0 || state.is_out(seat) {
                return Err(fault(format!("seat {seat} is out but holds cards, or is out twice")));
            }
            state.finish(seat);
        }
        if let Some(seat) = (0..players).find(|&seat| state.hand_len(seat) == 0 && !state.is_out(seat)) {
            return Err(fault(format!("seat {seat} holds no cards but is not listed in out")));
        }
        if state.ends(rules) {
            return Err(fault("the deal is over in this position"));
        }
        if state.is_out(self.to_move) {
            return Err(fault(format!("seat {} is to move but holds no cards", self.to_move)));
        }
        state.turn = self.to_move;
        state.leader = self.leader;
        for (place, made) in state.plays_made.iter_mut().zip(&self.plays_made) {
            *place = *made;
        }
        for &seat in &self.bombs {
            state.pay_bomb(seat);
        }
        state.set_offence(self.offence);
        if let Some(trick) = &self.trick {
            state.trick = Some(self.trick_reading(rules, trick, state.hand_len(trick.by) == 0)?);
            state.trick_play = trick.play;
            state.owner = trick.by;
            state.passes = self.passes;
            if trick.by == self.to_move {
                return Err(fault(format!("seat {} is to move on its own play", self.to_move)));
            }
            if self.passes >= players {
                return Err(fault(format!("passes is {}, that ends a trick of {players} players", self.passes)));
            }
        } else if self.passes > 0 || !self.locked.is_empty() {
            return Err(fault("without a trick nobody has passed or is locked"));
        }
        if !self.locked.is_empty() && !rules.options().pass_locks {
            return Err(fault("locked needs the option pass_locks"));
        }
        for &seat in &self.locked {
            state.locked |= 1 << seat;
        }
        if state.is_locked(self.to_move) {
            return Err(fault(format!("seat {} is to move but locked", self.to_move)));
        }
        if self.must_include {
            let rank = rules.options().lead_card.rank();
            if self.trick.is_some() {
                return Err(fault("must_include is for a lead, but there is a trick"));
            }
            if state.hand(self.to_move).is_some_and(|hand| hand.count(rank) == 0) {
                return Err(fault("must_include names a rank that the seat to move does not hold"));
            }
            state.leader = self.to_move;
            state.lead = LeadEvidence::HoldsCard;
            state.set_include_duty(true);
        }
        match contradiction(rules, &state, self.kitty, &self.evidence) {
            None => Ok(state),
            Some(message) => Err(fault(message)),
        }
    }

    fn check_cards(&self, rules: &Rules) -> Result<(), SetupError> {
        let mut left = rules.deck_counts().counts();
        let mut unseen = 0;
        let mut take = |cards: Cards, what: &str| {
            for (rank, place) in left.iter_mut().enumerate() {
                let letter = RANK_LETTERS[rank];
                *place = place.checked_sub(cards.count(rank as u8)).ok_or_else(|| {
                    fault(format!("there are more cards of rank {letter} than in the deck, counting {what}"))
                })?;
            }
            Ok::<(), SetupError>(())
        };
        for (seat, hand) in self.hands.iter().enumerate() {
            if hand.len() > rules.options().hand {
                return Err(fault(format!("seat {seat} has more than {} cards", rules.options().hand)));
            }
            match hand {
                SetupHand::Cards(cards) => take(*cards, &format!("the hand of seat {seat}"))?,
                SetupHand::Unseen(number) => unseen += u32::from(*number),
            }
        }
        for (seat, cards) in self.played.iter().enumerate() {
            take(*cards, &format!("what seat {seat} has played"))?;
        }
        if let Some(kitty) = self.kitty {
            take(kitty, "the kitty")?;
        }
        let rest: u32 = left.iter().map(|&count| u32::from(count)).sum();
        if rest < unseen {
            return Err(fault(format!("the unseen hands have {unseen} cards, but only {rest} are left in the deck")));
        }
        for proof in &self.evidence {
            if !self.played.get(usize::from(proof.seat)).is_some_and(|played| played.contains(proof.since)) {
                return Err(fault(format!(
                    "the evidence says that seat {} has played {} since, but its played cards do not contain that",
                    proof.seat, proof.since
                )));
            }
            let Evidence::Passed(reading) = &proof.evidence else { continue };
            if !rules.has_reading(reading) {
                return Err(fault(format!(
                    "evidence.trick: under these rules no play reads as {}",
                    reading_json(reading)
                )));
            }
            let reads = |empties| rules.readings(proof.on, empties).contains(reading);
            if !proof.on.is_empty() && !reads(false) && !reads(true) {
                return Err(fault(format!("evidence.on: {} cannot be read as {}", proof.on, reading_json(reading))));
            }
        }
        Ok(())
    }

    fn trick_reading(&self, rules: &Rules, trick: &SetupTrick, empties: bool) -> Result<Reading, SetupError> {
        let readings = rules.readings(trick.play, empties);
        match (&trick.reading, readings.as_slice()) {
            (_, []) => Err(fault(format!("the trick {} is no combination", trick.play))),
            (Some(reading), all) if all.contains(reading) => Ok(*reading),
            (Some(_), _) => Err(fault(format!("the trick {} cannot be read that way", trick.play))),
            (None, [only]) => Ok(*only),
            (None, _) => {
                Err(fault(format!("the trick {} can be read in several ways: say which by reading", trick.play)))
            }
        }
    }
}
