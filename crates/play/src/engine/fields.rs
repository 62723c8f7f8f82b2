//! Reading the fields of a query: what is wrong is said with the field's name, what nobody asked for is remembered.

use serde_json::{Map, Value};

/// What is wrong with a line: the field, where one is to blame, and one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The field of the query.
    pub field: Option<String>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Problem {
    /// A problem of a field.
    pub fn of(field: &str, message: impl Into<String>) -> Self {
        Problem { field: Some(field.to_owned()), message: message.into() }
    }
}

/// The fields of one JSON object.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    map: &'a Map<String, Value>,
    asked: Vec<&'static str>,
}

/// A value shortened for a message.
pub(crate) fn short(value: &Value) -> String {
    clip(&value.to_string())
}

/// A text shortened for a message.
pub(crate) fn clip(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(40).chain(['…']).collect() }
}

impl<'a> Fields<'a> {
    pub fn new(map: &'a Map<String, Value>) -> Self {
        Fields { map, asked: Vec::new() }
    }

    /// A field's value; null is as good as absent.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        self.map.get(key).filter(|v| !v.is_null())
    }

    pub fn has(&self, key: &str) -> bool {
        self.map.get(key).is_some_and(|v| !v.is_null())
    }

    /// Whether a field is this text, in any case.
    pub fn is_text(&self, key: &str, text: &str) -> bool {
        self.map.get(key).and_then(Value::as_str).is_some_and(|s| s.eq_ignore_ascii_case(text))
    }

    pub fn text(&mut self, key: &'static str) -> Result<Option<&'a str>, Problem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| Problem::of(key, format!("it is {}, it must be a text", short(value))))
    }

    pub fn whole(&mut self, key: &'static str, min: u64, max: u64) -> Result<Option<u64>, Problem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match whole(value).filter(|n| (min..=max).contains(n)) {
            Some(n) => Ok(Some(n)),
            None => {
                Err(Problem::of(key, format!("it is {}, it must be a whole number from {min} to {max}", short(value))))
            }
        }
    }

    pub fn number(&mut self, key: &'static str, min: f64, max: f64) -> Result<Option<f64>, Problem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.as_f64().filter(|n| (min..=max).contains(n)) {
            Some(n) => Ok(Some(n)),
            None => Err(Problem::of(key, format!("it is {}, it must be a number from {min} to {max}", short(value)))),
        }
    }

    pub fn flag(&mut self, key: &'static str) -> Result<bool, Problem> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(b)) => Ok(*b),
            Some(value) => Err(Problem::of(key, format!("it is {}, it must be true or false", short(value)))),
        }
    }

    pub fn object(&mut self, key: &'static str) -> Result<Option<&'a Map<String, Value>>, Problem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let wrong = || Problem::of(key, format!("it is {}, it must be an object {{…}}", short(value)));
        value.as_object().map(Some).ok_or_else(wrong)
    }

    pub fn list(&mut self, key: &'static str, of: &str) -> Result<Option<&'a [Value]>, Problem> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let wrong = || Problem::of(key, format!("it is {}, it must be a list of {of}", short(value)));
        value.as_array().map(|a| Some(a.as_slice())).ok_or_else(wrong)
    }

    pub fn texts(&mut self, key: &'static str) -> Result<Option<Vec<String>>, Problem> {
        let Some(list) = self.list(key, "texts")? else { return Ok(None) };
        let text = |v: &Value| {
            let wrong = || Problem::of(key, format!("it has {} in it, it must be a list of texts", short(v)));
            v.as_str().map(str::to_owned).ok_or_else(wrong)
        };
        list.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    pub fn integers(&mut self, key: &'static str) -> Result<Option<Vec<i64>>, Problem> {
        let Some(list) = self.list(key, "whole numbers")? else { return Ok(None) };
        let integer = |v: &Value| {
            let wrong = || Problem::of(key, format!("it has {} in it, it must be a list of whole numbers", short(v)));
            integer(v).ok_or_else(wrong)
        };
        list.iter().map(integer).collect::<Result<_, _>>().map(Some)
    }

    /// The fields nobody asked for.
    pub fn unused(&self) -> impl Iterator<Item = &'a str> {
        self.map.keys().map(String::as_str).filter(|key| !self.asked.contains(key))
    }
}

/// A number that is whole, however it is written (`500` or `500.0`).
pub(crate) fn integer(value: &Value) -> Option<i64> {
    let whole = |x: f64| (x.fract() == 0.0 && x.abs() <= 9e15).then_some(x as i64);
    value.as_i64().or_else(|| value.as_f64().and_then(whole))
}

fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| integer(value).and_then(|n| u64::try_from(n).ok()))
}
