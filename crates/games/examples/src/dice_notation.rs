//! How countdown looks from outside.

use kiebitz_core::{Forfeit, Illegal, JsonMap, Notation, Observer, SetupError, Turn, no_setup, to_move_fact};
use serde_json::{Value, json};

use super::{Countdown, CountdownOptions, DiceAction};
use kiebitz_core::Game as _;

impl Notation for Countdown {
    no_setup!();

    /// `one`, `two`, `roll 7`.
    fn action_text(&self, action: DiceAction) -> String {
        match action {
            DiceAction::One => "one".to_owned(),
            DiceAction::Two => "two".to_owned(),
            DiceAction::Roll(sum) => format!("roll {sum}"),
        }
    }

    fn parse_action(&self, text: &str) -> Result<DiceAction, Illegal> {
        let highest = 2 * self.options().faces;
        let roll = |text: &str| (1..=highest).find(|sum| sum.to_string() == text).map(DiceAction::Roll);
        match text {
            "one" => Ok(DiceAction::One),
            "two" => Ok(DiceAction::Two),
            _ => text.strip_prefix("roll ").and_then(roll).ok_or_else(|| {
                let message = format!("'{text}' is no action, they are: one, two, and roll 1 to roll {highest}");
                Illegal::new("countdown.text", message)
            }),
        }
    }

    fn options_from_json(rules: &JsonMap) -> Result<CountdownOptions, SetupError> {
        let mut options = CountdownOptions::default();
        for (key, value) in rules {
            let (field, low, high) = match key.as_str() {
                "start" => (&mut options.start, 1, 60),
                "faces" => (&mut options.faces, 2, 20),
                _ => {
                    let message = format!("countdown has no option '{key}'; it has: start, faces");
                    return Err(SetupError::new("countdown.option", message));
                }
            };
            match value.as_u64() {
                Some(n) if (low..=high).contains(&n) => *field = n as u8,
                _ => {
                    let message = format!("{key} is {value}, it must be a whole number from {low} to {high}");
                    return Err(SetupError::new("countdown.option", message));
                }
            }
        }
        Ok(options)
    }

    fn options_to_json(options: &CountdownOptions) -> JsonMap {
        let default = CountdownOptions::default();
        let all = [("start", options.start, default.start), ("faces", options.faces, default.faces)];
        let differing = all.into_iter().filter(|(_, value, usual)| value != usual);
        differing.map(|(key, value, _)| (key.to_owned(), value.into())).collect()
    }

    /// `to_move`, `terminal`, `count` (what is left), `dice` (about to be rolled).
    fn facts(&self) -> JsonMap {
        let turn = self.turn();
        let facts = [
            ("to_move", to_move_fact(turn)),
            ("terminal", turn.is_terminal().into()),
            ("count", self.count().into()),
            ("dice", self.dice().into()),
        ];
        facts.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
    }

    fn view(&self, _: Observer) -> Value {
        json!({"to_move": to_move_fact(self.turn()), "count": self.count(), "dice": self.dice()})
    }

    fn board_text(&self, _: Observer) -> String {
        let count = self.count();
        match self.turn() {
            Turn::Seat(seat) => format!("count {count}, player {} chooses", seat + 1),
            Turn::Chance(_) if self.dice() == 1 => format!("count {count}, one die is rolled"),
            Turn::Chance(_) => format!("count {count}, two dice are rolled"),
            Turn::Terminal => format!("count {count}, the end"),
        }
    }

    /// The first player's points: `+2`, `-1`; after a forfeit the winner's number.
    fn result_text(&self, forfeit: Option<Forfeit>) -> Option<String> {
        match forfeit {
            Some(forfeit) => Some(format!("player {} wins", 2 - forfeit.seat().min(1))),
            None => self.turn().is_terminal().then(|| format!("{:+}", self.returns().of(0))),
        }
    }
}
