//! How the test game looks from outside.

use kiebitz_core::{Forfeit, Game, Illegal, JsonMap, Notation, Observer, SetupError, Turn, to_move_fact};
use serde_json::{Map, Value, json};

use super::{Duel, DuelOptions, DuelSetup, FAULTS, Fault, Phase, Play};

fn number(key: &str, value: &Value, most: u64) -> Result<u8, SetupError> {
    match value.as_u64() {
        Some(n) if n <= most => Ok(n as u8),
        _ => Err(SetupError::new("duel.value", format!("{key} is {value}, it must be a number from 0 to {most}"))),
    }
}

impl Duel {
    fn hand(&self, observer: Observer, leak: Fault, public_leak: Fault) -> Vec<Value> {
        let dealt = (0..self.players).filter(|_| self.phase != Phase::Deal);
        let card = |seat| {
            let visible = match observer {
                Observer::Seat(own) => own == seat || self.has(leak),
                Observer::Public => self.has(public_leak),
                Observer::Omniscient => true,
            };
            if visible || self.phase == Phase::End { json!(self.card(seat)) } else { Value::Null }
        };
        dealt.map(card).collect()
    }

    fn legal(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.actions(&mut actions);
        actions.into_iter().map(|a| self.action_text(a)).collect()
    }
}

impl Notation for Duel {
    fn action_text(&self, action: Play) -> String {
        let card = |&c: &u8| match c {
            0 if self.has(Fault::MaskedWithoutMark) => "0".to_owned(),
            0 => "?".to_owned(),
            c => c.to_string(),
        };
        match action {
            Play::Deal(cards) => {
                let cards: Vec<String> = cards.iter().take(usize::from(self.players)).map(card).collect();
                format!("deal {}", cards.join(","))
            }
            Play::Roll(face) => format!("roll {face}"),
            Play::Draw(c) => format!("draw {}", card(&c)),
            Play::Hold if self.has(Fault::BlankText) => "hold ".to_owned(),
            Play::Hold if self.has(Fault::SameText) => "raise".to_owned(),
            Play::Hold => "hold".to_owned(),
            Play::Raise => "raise".to_owned(),
            Play::Swap => "swap".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Play, Illegal> {
        let bad = || Illegal::new("duel.text", format!("'{text}' is no action"));
        let card = |word: &str| match word {
            "?" => Ok(0),
            "0" if self.has(Fault::MaskedWithoutMark) => Ok(0),
            _ => (1..=6).find(|c: &u8| c.to_string() == word).ok_or_else(bad),
        };
        match text {
            "hold" => Ok(Play::Hold),
            "raise" if self.has(Fault::ReadsOther) => Ok(Play::Hold),
            "raise" => Ok(Play::Raise),
            "swap" if self.has(Fault::ReadsNothing) => Err(bad()),
            "swap" => Ok(Play::Swap),
            _ => match text.split_once(' ') {
                Some(("roll", face)) => Ok(Play::Roll(match face.parse() {
                    Ok(face @ 1..=3) => face,
                    // Written as `roll 0`, which is refused.
                    Err(_) if self.has(Fault::ReadsUnwritable) => 0,
                    _ => return Err(bad()),
                })),
                Some(("draw", word)) => card(word).map(Play::Draw),
                Some(("deal", words)) => {
                    let mut cards = [0; 3];
                    let words: Vec<&str> = words.split(',').collect();
                    if words.len() != usize::from(self.players) {
                        return Err(bad());
                    }
                    for (seat, word) in words.into_iter().enumerate() {
                        cards[seat] = card(word)?;
                    }
                    Ok(Play::Deal(cards))
                }
                _ => Err(bad()),
            },
        }
    }

    fn options_from_json(rules: &JsonMap) -> Result<DuelOptions, SetupError> {
        let mut options = DuelOptions::default();
        for (key, value) in rules {
            match key.as_str() {
                "rounds" => options.rounds = number(key, value, 3)?,
                "fault" => {
                    let index = usize::from(number(key, value, FAULTS.len() as u64)?);
                    options.fault = index.checked_sub(1).map_or(Fault::None, |i| FAULTS[i].0);
                }
                _ => return Err(SetupError::new("duel.option", format!("a duel has no option '{key}'"))),
            }
        }
        Ok(options)
    }

    fn options_to_json(options: &DuelOptions) -> JsonMap {
        let mut rules = Map::new();
        if options.rounds != 2 && options.fault != Fault::LosesOption {
            rules.insert("rounds".to_owned(), options.rounds.into());
        }
        if let Some(index) = FAULTS.iter().position(|(fault, _)| *fault == options.fault) {
            rules.insert("fault".to_owned(), (index + 1).into());
        }
        rules
    }

    fn setup_from_json(_: &DuelOptions, setup: &Value) -> Result<DuelSetup, SetupError> {
        match setup.get("pot") {
            Some(pot) => Ok(DuelSetup { pot: number("pot", pot, 20)? }),
            None => Err(SetupError::new("duel.setup", "a set-up of a duel is its pot")),
        }
    }

    fn setup_to_json(options: &DuelOptions, setup: &DuelSetup) -> Value {
        json!({"pot": setup.pot + u8::from(options.fault == Fault::LosesSetup)})
    }

    fn facts(&self) -> JsonMap {
        let turn = if self.has(Fault::FactsOfOther) { Turn::Seat(1) } else { self.turn() };
        let terminal = self.turn().is_terminal() && !self.has(Fault::FactsNeverTerminal);
        let mut facts = Map::new();
        facts.insert("to_move".to_owned(), to_move_fact(turn));
        facts.insert("terminal".to_owned(), terminal.into());
        facts.insert("pot".to_owned(), self.pot.into());
        facts.insert("cards".to_owned(), json!(&self.cards[..usize::from(self.players)]));
        if turn.seat().is_some() || self.has(Fault::FactsLegalAlways) {
            facts.insert("legal".to_owned(), self.legal().into());
        }
        facts
    }

    fn view(&self, observer: Observer) -> Value {
        if self.has(Fault::ViewIsText) {
            return json!("a duel");
        }
        let mut view = json!({
            "to_move": to_move_fact(self.turn()),
            "round": self.round,
            "pot": self.pot,
            "open": self.discards,
            "cards": self.hand(observer, Fault::ViewLeaks, Fault::PublicViewLeaks),
        });
        if let (Observer::Seat(own), Turn::Seat(seat)) = (observer, self.turn())
            && own == seat
        {
            view["legal"] = self.legal().into();
        }
        view
    }

    fn board_text(&self, observer: Observer) -> String {
        let cards = self.hand(observer, Fault::BoardLeaks, Fault::PublicBoardLeaks);
        let end = if self.has(Fault::BoardNewline) { "\n" } else { "" };
        format!("round {} pot {} cards {}{end}", self.round, self.pot, Value::from(cards))
    }

    fn result_text(&self, forfeit: Option<Forfeit>) -> Option<String> {
        match forfeit {
            Some(_) if self.has(Fault::NoForfeitResult) => None,
            Some(Forfeit::Resign(seat)) => Some(format!("player {seat} resigned")),
            Some(Forfeit::Timeout(seat)) => Some(format!("player {seat} lost on time")),
            None if self.phase == Phase::End || self.has(Fault::EarlyResult) => {
                Some(format!("player {} wins {}", self.winner(), self.pot))
            }
            None => None,
        }
    }

    /// Changes the pot while a seat is to move.
    fn set_up(&mut self, setup: &DuelSetup) -> Result<(), SetupError> {
        if !matches!(self.phase, Phase::Choose(_)) {
            return Err(SetupError::new("duel.setup", "the pot can be set while a player chooses"));
        }
        self.pot = setup.pot;
        self.key.0 = self.hash();
        Ok(())
    }

    /// `tip`: a seat adds chips to the pot.
    fn event(&mut self, by: u8, name: &str, data: &JsonMap) -> Result<(), Illegal> {
        match (name, data.get("chips").and_then(Value::as_u64)) {
            ("tip", Some(chips @ 1..=3)) => {
                self.pot += chips as u8;
                self.key.0 = self.hash();
                Ok(())
            }
            _ => Err(Illegal::new("duel.event", format!("player {by} cannot do '{name}', only tip 1 to 3 chips"))),
        }
    }
}
