//! Reads the JSON that pages and programs send. What does not fit is told in one plain sentence that names the field and says what
//! would be right; the library's own words are about Rust's types.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Expected, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Number, Value};

/// The longest piece of what was sent that is repeated, in characters.
const MOST_SHOWN: usize = 40;
/// The keys that tell which kind of message or setting an object is.
const TAGS: [&str; 2] = ["type", "kind"];

/// Reads an object. `name` is what the whole is called in sentences, such as `the body`.
///
/// # Errors
/// One sentence.
pub fn read<T: DeserializeOwned>(bytes: &[u8], name: &str) -> Result<T, String> {
    let whole = serde_json::from_slice::<Strict>(bytes).map_err(|e| match e.classify() {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => format!("{name} is empty, it must be a JSON object"),
        serde_json::error::Category::Data => e.to_string(),
        _ => format!("{name} is no JSON from line {}, column {} on", e.line(), e.column()),
    })?;
    fit(&whole.0, name)
}

/// Reads the pairs of a query string, which are all texts.
///
/// # Errors
/// One sentence.
pub fn read_pairs<T: DeserializeOwned>(pairs: Vec<(String, String)>) -> Result<T, String> {
    let mut whole = Map::new();
    for (key, value) in pairs {
        if whole.contains_key(&key) {
            return Err(twice(&key));
        }
        whole.insert(key, Value::String(value));
    }
    fit(&Value::Object(whole), "the query")
}

fn fit<T: DeserializeOwned>(whole: &Value, name: &str) -> Result<T, String> {
    if !whole.is_object() {
        return Err(format!("{name} must be an object, not {}", found(whole.unexpected())));
    }
    T::deserialize(At(whole)).map_err(|misfit| closer::<T>(whole, misfit).sentence(name))
}

fn twice(key: &str) -> String {
    format!("the field {} is given twice", shown(key))
}

/// A piece of what was sent, as it may be repeated.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MOST_SHOWN).collect()
}

/// A value in which no object has a key twice.
struct Strict(Value);

impl<'de> serde::Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Strict;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_unit<E>(self) -> Result<Strict, E> {
                Ok(Strict(Value::Null))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Strict, E> {
                Ok(Strict(Value::Bool(value)))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Strict, A::Error> {
                let mut list = Vec::new();
                while let Some(Strict(item)) = items.next_element()? {
                    list.push(item);
                }
                Ok(Strict(Value::Array(list)))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Strict, A::Error> {
                let mut map = Map::new();
                while let Some((key, Strict(value))) = fields.next_entry::<String, Strict>()? {
                    if map.contains_key(&key) {
                        return Err(serde::de::Error::custom(twice(&key)));
                    }
                    map.insert(key, value);
                }
                Ok(Strict(Value::Object(map)))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
enum Wrong {
    /// The value is of another kind or out of bounds: what was found, what is right.
    Value(String, String),
    /// A tag or name that is none of these.
    Name(String, &'static [&'static str]),
    Unknown(String, &'static [&'static str]),
    Missing(String),
    Other(String),
}

/// What does not fit, and where.
#[derive(Clone, Debug, PartialEq)]
struct Misfit {
    /// From the inside to the outside.
    path: Vec<Step>,
    wrong: Wrong,
}

impl Misfit {
    fn inside(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    fn place(&self, field: Option<&str>) -> String {
        let mut place = String::new();
        let keys = field.map(|key| Step::Key(key.to_owned()));
        for step in self.path.iter().rev().chain(&keys) {
            match step {
                Step::Key(key) => {
                    place += if place.is_empty() { "" } else { "." };
                    place += &shown(key);
                }
                Step::Index(index) => place += &format!("[{index}]"),
            }
        }
        place
    }

    fn sentence(&self, name: &str) -> String {
        let place = self.place(None);
        let place = if place.is_empty() { name } else { &place };
        match &self.wrong {
            Wrong::Value(found, right) => format!("{place} must be {right}, not {found}"),
            Wrong::Name(found, known) => format!("{place} must be one of {}, not {}", known.join(", "), shown(found)),
            Wrong::Unknown(field, []) => format!("{place} takes no field {} here", shown(field)),
            Wrong::Unknown(field, known) => {
                format!("{place} has no field {}; its fields are {}", shown(field), known.join(", "))
            }
            Wrong::Missing(field) => format!("the field {} is missing", self.place(Some(field))),
            Wrong::Other(what) => {
                format!("{place}: {}", what.chars().filter(|c| !c.is_control()).take(160).collect::<String>())
            }
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence("it"))
    }
}

impl std::error::Error for Misfit {}

fn misfit(wrong: Wrong) -> Misfit {
    Misfit { path: Vec::new(), wrong }
}

impl serde::de::Error for Misfit {
    fn custom<T: fmt::Display>(what: T) -> Self {
        misfit(Wrong::Other(what.to_string()))
    }
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        misfit(Wrong::Value(found(unexpected), right(&expected.to_string())))
    }
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        misfit(Wrong::Name(variant.to_owned(), expected))
    }
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        misfit(Wrong::Unknown(field.to_owned(), expected))
    }
    fn missing_field(field: &'static str) -> Self {
        misfit(Wrong::Missing(field.to_owned()))
    }
}

/// What was found, in words.
fn found(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(text) => format!("the text \"{}\"", shown(text)),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        _ => "something else".to_owned(),
    }
}

/// What the library expects, in words.
fn right(expected: &str) -> String {
    let whole = |most: u64| format!("a whole number from 0 to {most}");
    match expected {
        "u8" => whole(u8::MAX.into()),
        "u16" => whole(u16::MAX.into()),
        "u32" => whole(u32::MAX.into()),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "i8" | "i16" | "i32" | "i64" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a string" | "string" | "variant identifier" | "field identifier" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        _ if is_object(expected) => "an object".to_owned(),
        other => other.to_owned(),
    }
}

/// Whether the library expects an object. It would also take a list of the fields' values, which nobody means.
fn is_object(expected: &str) -> bool {
    expected == "a map" || expected.starts_with("struct ") || expected.contains("tagged enum ")
}

trait Look {
    fn unexpected(&self) -> Unexpected<'_>;
}

impl Look for Value {
    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => number_found(number),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }
}

fn number_found(number: &Number) -> Unexpected<'static> {
    match (number.as_u64(), number.as_i64()) {
        (Some(n), _) => Unexpected::Unsigned(n),
        (None, Some(n)) => Unexpected::Signed(n),
        (None, None) => Unexpected::Float(number.as_f64().unwrap_or_default()),
    }
}

/// A value that is read, and that knows the way to what does not fit.
#[derive(Clone, Copy)]
struct At<'a>(&'a Value);

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match number_found(number) {
                Unexpected::Unsigned(n) => visitor.visit_u64(n),
                Unexpected::Signed(n) => visitor.visit_i64(n),
                _ => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => visitor.visit_str(text),
            Value::Array(_) if is_object(&(&visitor as &dyn Expected).to_string()) => self.refuse(&visitor),
            Value::Array(list) => visitor.visit_seq(Items { list, next: 0 }),
            Value::Object(map) => visitor.visit_map(Fields { fields: map.iter(), value: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    /// The library takes a number for a name too.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::String(text) => visitor.visit_str(text),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(StrDeserializer::new(text)),
            _ => Err(misfit(Wrong::Value(found(self.0.unexpected()), "a text".to_owned()))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct ignored_any
    }
}

impl At<'_> {
    fn refuse<T>(self, expected: &dyn Expected) -> Result<T, Misfit> {
        Err(serde::de::Error::invalid_type(self.0.unexpected(), expected))
    }
}

struct Items<'a> {
    list: &'a [Value],
    next: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misfit;

    fn next_element_seed<S: serde::de::DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        let Some(item) = self.list.get(self.next) else { return Ok(None) };
        self.next += 1;
        seed.deserialize(At(item)).map(Some).map_err(|misfit| misfit.inside(Step::Index(self.next - 1)))
    }
}

struct Fields<'a> {
    fields: serde_json::map::Iter<'a>,
    value: Option<(&'a str, &'a Value)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Misfit;

    fn next_key_seed<S: serde::de::DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        let Some((key, value)) = self.fields.next() else { return Ok(None) };
        self.value = Some((key, value));
        seed.deserialize(StrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<S: serde::de::DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misfit> {
        let Some((key, value)) = self.value.take() else { return Err(serde::de::Error::custom("no value")) };
        seed.deserialize(At(value)).map_err(|misfit| misfit.inside(Step::Key(key.to_owned())))
    }
}

/// The part of a value at the end of a path from the inside to the outside.
fn part<'a>(whole: &'a mut Value, path: &[Step]) -> Option<&'a mut Value> {
    path.iter().rev().try_fold(whole, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    })
}

/// Objects that say by a tag what they are come apart before their fields are read, and the way to the field is lost. It is the last
/// of the fewest fields with which the very same is wrong, for they are read one after the other.
fn closer<T: DeserializeOwned>(whole: &Value, misfit: Misfit) -> Misfit {
    let mut place = misfit.path.clone();
    let mut trial = whole.clone();
    match &misfit.wrong {
        Wrong::Value(..) => {}
        Wrong::Name(found, _) => {
            let Some(object) = part(&mut trial, &place) else { return misfit };
            let tag = TAGS.into_iter().find(|tag| object.get(tag).and_then(Value::as_str) == Some(found));
            place.splice(..0, tag.map(|tag| Step::Key(tag.to_owned())));
            return Misfit { path: place, wrong: misfit.wrong };
        }
        _ => return misfit,
    }
    // Whether the same is wrong with the part in this place replaced.
    let same = |place: &[Step], value: Value| {
        let mut trial = whole.clone();
        if let Some(part) = part(&mut trial, place) {
            *part = value;
        }
        T::deserialize(At(&trial)).is_err_and(|other| other == misfit)
    };
    loop {
        let Some(inner) = part(&mut trial, &place).cloned() else { break };
        let step = match inner {
            Value::Object(fields) => {
                let mut few: Map<String, Value> = fields
                    .iter()
                    .filter(|(key, _)| TAGS.contains(&key.as_str()))
                    .map(|(k, v)| (k.clone(), v.clone()))
                    .collect();
                if same(&place, Value::Object(few.clone())) {
                    break;
                }
                fields.into_iter().find_map(|(key, value)| {
                    few.insert(key.clone(), value);
                    same(&place, Value::Object(few.clone())).then_some(Step::Key(key))
                })
            }
            Value::Array(items) if !same(&place, Value::Array(Vec::new())) => {
                (1..=items.len()).find(|&n| same(&place, Value::Array(items[..n].to_vec()))).map(|n| Step::Index(n - 1))
            }
            _ => break,
        };
        let Some(step) = step else { break };
        place.insert(0, step);
    }
    Misfit { path: place, wrong: misfit.wrong }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::client::ClientMessage;
    use crate::protocol::http::{CreateGame, Mine, NewLinks};

    fn why<T: DeserializeOwned + fmt::Debug>(text: &str) -> String {
        read::<T>(text.as_bytes(), "the body").expect_err(text)
    }

    #[test]
    fn what_is_wrong_is_told_with_its_field_and_what_is_right() {
        let game =
            |rest: &str| why::<CreateGame>(&format!("{{\"game\":\"go\",\"seats\":[{{\"kind\":\"here\"}}]{rest}}}"));
        let seat =
            |seat: &str| why::<CreateGame>(&format!("{{\"game\":\"go\",\"seats\":[{{\"kind\":\"here\"}},{seat}]}}"));
        let say = |text: &str| why::<ClientMessage>(text);
        let mut wrong = Vec::new();
        for (told, right) in [
            (why::<CreateGame>("[\"go\",[]]"), "the body must be an object, not a list"),
            (why::<CreateGame>("5"), "the body must be an object, not 5"),
            (why::<CreateGame>("  "), "the body is empty, it must be a JSON object"),
            (why::<CreateGame>("{\"game\":"), "the body is no JSON from line 1, column 8 on"),
            (why::<CreateGame>("{\"game\":\"go\"}"), "the field seats is missing"),
            (why::<CreateGame>("{\"game\":5}"), "game must be a text, not 5"),
            (
                why::<CreateGame>("{\"game\":\"go\",\"game\":\"go\"}"),
                "the field game is given twice at line 1 column 25",
            ),
            (game(",\"hints\":\"yes\""), "hints must be true or false, not the text \"yes\""),
            (game(",\"rules\":[]"), "rules must be an object, not a list"),
            (
                game(",\"x\":1"),
                "the body has no field x; its fields are game, seats, rules, setup, clock, title, hints",
            ),
            (game(",\"clock\":{\"kind\":\"none\",\"main_ms\":5}"), "clock takes no field main_ms here"),
            (
                game(",\"clock\":{\"kind\":\"absolute\",\"main_ms\":-5}"),
                "clock.main_ms must be a whole number, 0 or more, not -5",
            ),
            (game(",\"clock\":{\"kind\":\"absolute\"}"), "the field clock.main_ms is missing"),
            (game(",\"clock\":[\"none\"]"), "clock must be an object, not a list"),
            (seat("{\"kind\":\"robot\"}"), "seats[1].kind must be one of here, link, computer, not robot"),
            (seat("{\"kind\":0}"), "seats[1].kind must be a text, not 0"),
            (seat("{\"name\":\"x\"}"), "the field seats[1].kind is missing"),
            (seat("{\"kind\":\"computer\"}"), "the field seats[1].player is missing"),
            (seat("{\"kind\":\"computer\",\"player\":[1]}"), "seats[1].player must be a text, not a list"),
            (seat("[\"here\"]"), "seats[1] must be an object, not a list"),
            (seat("{\"kind\":\"here\",\"x\":1}"), "seats[1] has no field x; its fields are name"),
            (why::<Mine>("{\"tokens\":[\"a\",7]}"), "tokens[1] must be a text, not 7"),
            (
                say("{\"type\":\"play\",\"cid\":\"a\",\"v\":-1}"),
                "v must be a whole number from 0 to 4294967295, not -1",
            ),
            (say("{\"action\":1.5,\"type\":\"play\",\"v\":1}"), "action must be a text, not 1.5"),
            (say("{\"type\":\"play\",\"v\":1,\"seat\":300}"), "seat must be a whole number from 0 to 255, not 300"),
            (say("{\"type\":\"hello\",\"tokens\":[\"a\",7]}"), "tokens[1] must be a text, not 7"),
            (say("{\"type\":\"hello\",\"tokens\":null}"), "tokens must be a list, not null"),
            (say("{\"type\":\"rematch\",\"x\":1}"), "the body takes no field x here"),
        ] {
            if told != right {
                wrong.push((told, right));
            }
        }
        assert_eq!(wrong, []);
        let other = say("{\"type\":\"shout\"}");
        assert!(
            other.starts_with("type must be one of hello, play, resign") && other.ends_with("not shout"),
            "{other}"
        );
        assert_eq!(read::<NewLinks>(b"{\"taken\":true}", "it").expect("it is fine"), NewLinks { taken: true });
        assert!(matches!(read::<ClientMessage>(b"{\"type\":\"rematch\"}", "it"), Ok(ClientMessage::Rematch {})));
    }
}
