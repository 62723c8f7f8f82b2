//! Positions set up before or during a game.

use kiebitz_core::SetupError;
use serde_json::{Map, Value};

use crate::{Color, Move, Point, Size};

/// Stones to set: at the start of a game on the empty board, in mid-game on the board as it is (what lay on a named point is
/// replaced).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Points that get a black stone.
    pub black: Vec<Point>,
    /// Points that get a white stone.
    pub white: Vec<Point>,
    /// Points that become empty; of use only in mid-game.
    pub empty: Vec<Point>,
    /// Who moves next; `None`: at the start White with a handicap of 2 or more, else Black; in mid-game whose turn it was.
    pub to_move: Option<Color>,
}

impl Setup {
    /// A set-up from JSON: `{"black":["D4"],"white":["Q16"],"empty":[],"to_move":"black"}`, every key optional.
    ///
    /// # Errors
    /// `go.setup` for a wrong shape or an unknown key, `go.off_board` for a point that the board does not have.
    pub fn from_json(size: Size, json: &Value) -> Result<Self, SetupError> {
        let wrong = |message: String| SetupError::new("go.setup", message);
        let Value::Object(map) = json else {
            let message = r#"a set-up must be an object such as {"black":["D4"],"white":["Q16"],"to_move":"black"}"#;
            return Err(wrong(message.to_owned()));
        };
        let mut setup = Setup::default();
        for (key, value) in map {
            match key.as_str() {
                "black" => setup.black = points_from_json(size, key, value)?,
                "white" => setup.white = points_from_json(size, key, value)?,
                "empty" => setup.empty = points_from_json(size, key, value)?,
                "to_move" => {
                    setup.to_move = match value {
                        Value::String(s) if s.eq_ignore_ascii_case("black") => Some(Color::Black),
                        Value::String(s) if s.eq_ignore_ascii_case("white") => Some(Color::White),
                        Value::Number(n) if n.as_u64() == Some(0) => Some(Color::Black),
                        Value::Number(n) if n.as_u64() == Some(1) => Some(Color::White),
                        Value::Null => None,
                        _ => return Err(wrong("to_move in a set-up must be \"black\" or \"white\"".to_owned())),
                    };
                }
                other => {
                    let other: String = other.chars().take(32).collect();
                    let message = format!("a set-up has no key '{other}'; there are: black, white, empty, to_move");
                    return Err(wrong(message));
                }
            }
        }
        Ok(setup)
    }

    /// The set-up as JSON; lists without points and an unset `to_move` are left out.
    pub fn to_json(&self, size: Size) -> Value {
        let mut map = Map::new();
        for (key, points) in [("black", &self.black), ("white", &self.white), ("empty", &self.empty)] {
            if !points.is_empty() {
                map.insert(key.to_owned(), points.iter().map(|p| p.text(size).to_string()).collect());
            }
        }
        if let Some(color) = self.to_move {
            map.insert("to_move".to_owned(), color.to_string().into());
        }
        Value::Object(map)
    }

    /// Checks that every point is on the board and named once.
    pub(crate) fn validate(&self, size: Size) -> Result<(), SetupError> {
        let mut seen = vec![false; size.points()];
        for &point in self.black.iter().chain(&self.white).chain(&self.empty) {
            match seen.get_mut(point.index()) {
                None => return Err(off_board(&Move::from(point).text(size).to_string(), size)),
                Some(true) => {
                    let message = format!("{} is named twice in the set-up", point.text(size));
                    return Err(SetupError::new("go.setup", message));
                }
                Some(seen) => *seen = true,
            }
        }
        Ok(())
    }
}

fn off_board(text: &str, size: Size) -> SetupError {
    SetupError::new("go.off_board", format!("{text} in the set-up is off the {size} board"))
}

/// Reads a list of points.
fn points_from_json(size: Size, key: &str, value: &Value) -> Result<Vec<Point>, SetupError> {
    let wrong = || SetupError::new("go.setup", format!("{key} in a set-up must be a list of points such as [\"D4\"]"));
    let list = value.as_array().ok_or_else(wrong)?;
    list.iter()
        .map(|item| {
            let text = item.as_str().ok_or_else(wrong)?;
            Point::parse(text, size).map_err(|e| SetupError::new("go.off_board", format!("{e}, in the set-up")))
        })
        .collect()
}
