//! Rule options as people type them: `key=value,key=value`.

use serde_json::{Map, Value};

/// What is wrong with a text of rule options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesTextError {
    /// A part without key, `=` or value.
    #[error("'{0}' is not of the form key=value")]
    Form(String),
    /// A key that is there already.
    #[error("'{0}' is given twice")]
    Twice(String),
}

impl RulesTextError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            RulesTextError::Form(_) => "rules_text.form",
            RulesTextError::Twice(_) => "rules_text.twice",
        }
    }
}

/// Reads `key=value,key=value` as the `rules` of a record's header: a value is a number, `true` or `false`, a list of numbers
/// (`0+1`), a size (`9x7`), else a text.
///
/// # Errors
/// When a part is not of that form or a key appears twice. What keys and values there are is the game's business.
pub fn parse(text: &str) -> Result<Map<String, Value>, RulesTextError> {
    let mut rules = Map::new();
    for part in text.split(',') {
        let pair = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        let Some((key, value)) = pair.filter(|(key, value)| !key.is_empty() && !value.is_empty()) else {
            return Err(RulesTextError::Form(part.trim().chars().take(40).collect()));
        };
        if rules.insert(key.to_owned(), value_of(value)).is_some() {
            return Err(RulesTextError::Twice(key.chars().take(40).collect()));
        }
    }
    Ok(rules)
}

fn value_of(text: &str) -> Value {
    let scalar = |t: &str| match t {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => serde_json::from_str::<Value>(t).ok().filter(Value::is_number).unwrap_or_else(|| Value::from(t)),
    };
    let all_numbers = |sep: char| text.contains(sep) && text.split(sep).all(|p| p.parse::<u32>().is_ok());
    for sep in ['+', 'x'] {
        if all_numbers(sep) {
            return text.split(sep).map(scalar).collect();
        }
    }
    scalar(text)
}
