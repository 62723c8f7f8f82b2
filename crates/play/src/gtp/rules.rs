//! Rules by name and one by one, after KataGo and KGS. They change neither stones nor moves.

use kiebitz_go::{Options, Rules, Ruleset};
use serde_json::{Map, Value};

use super::arguments::flag;
use super::framing::{Answer, Fault};
use super::setup::{komi_from, note_komi, set_options};
use super::{Call, Engine};

pub(crate) fn kata_get_rules(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let mut map: Vec<(String, Value)> = engine.game.options().rules.to_katago_json().into_iter().collect();
    // KataGo sorts its keys.
    map.sort_by(|a, b| a.0.cmp(&b.0));
    let map: Map<String, Value> = map.into_iter().collect();
    Ok(Value::Object(map).to_string().into())
}

pub(crate) fn kata_set_rules(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    if call.arguments.is_empty() {
        return Err(Fault::syntax());
    }
    let text = call.arguments.rest();
    let options = parsed(engine.game.options(), &text)?;
    let reply = set_options(engine, options)?;
    if let Ok(map) = serde_json::from_str::<Map<String, Value>>(&text)
        && let Some(komi) = map.get("komi")
    {
        note_komi(engine, &komi.as_str().map_or_else(|| komi.to_string(), str::to_owned));
    }
    Ok(reply)
}

/// The options with other rules: a JSON object as `kata-get-rules` prints it, a name, or a name with changes as in
/// `chinese+suicidetrue`.
fn parsed(old: &Options, text: &str) -> Result<Options, Fault> {
    let mut options = *old;
    if text.trim_start().starts_with('{') {
        let map: Map<String, Value> =
            serde_json::from_str(text).map_err(|e| Fault::new(format!("the rules are no JSON: {e}")))?;
        for (key, value) in &map {
            set_one(&mut options, key, value)?;
        }
        return Ok(options);
    }
    let mut parts = text.split('+').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let ruleset = Ruleset::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Ruleset::all().map(Ruleset::name).collect();
        Fault::new(format!("unknown rules '{}', known are: {}", short(name), known.join(", ")))
    })?;
    (options.ruleset, options.rules) = (ruleset, ruleset.rules());
    for part in parts {
        change(&mut options.rules, part)?;
    }
    Ok(options)
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// One rule or komi.
fn set_one(options: &mut Options, key: &str, value: &Value) -> Result<(), Fault> {
    if key == "komi" {
        options.komi = match value {
            Value::String(text) => komi_from(text)?,
            Value::Number(number) => komi_from(&number.to_string())?,
            _ => return Err(Fault::syntax()),
        };
        return Ok(());
    }
    options.rules.set(key, value).map_err(|e| match e.code {
        // A record's header has further keys (size, handicap, ruleset), for which GTP has commands of their own.
        "go.option" => Fault::new(format!(
            "'{}' is no rule to be set here; there are: komi, ko, scoring, tax, suicide, button, friendly_pass, white_bonus",
            short(key)
        )),
        _ => Fault::new(e.message),
    })
}

/// A change after a `+`: a key and its value without a blank or with `=`, or the name of a flag alone, as in `+button`.
fn change(rules: &mut Rules, part: &str) -> Result<(), Fault> {
    const KEYS: [&str; 16] = [
        "friendlyPassOk",
        "friendly_pass",
        "whiteHandicapBonus",
        "white_bonus",
        "multiStoneSuicideLegal",
        "hasButton",
        "scoringRule",
        "scoring",
        "suicide",
        "button",
        "taxRule",
        "koRule",
        "score",
        "tax",
        "sui",
        "ko",
    ];
    let unknown = || Fault::new(format!("unknown rule '{}'", short(part)));
    let lower = part.to_ascii_lowercase();
    let key = KEYS.iter().find(|key| lower.starts_with(&key.to_ascii_lowercase())).ok_or_else(unknown)?;
    let value = lower.get(key.len()..).unwrap_or_default().trim_start_matches(['=', ' ']);
    let key = match *key {
        "score" => "scoring",
        "sui" => "suicide",
        key => key,
    };
    let value = match (value, flag(value)) {
        ("", _) => Value::Bool(true),
        (_, Some(on)) if key != "white_bonus" && key != "whiteHandicapBonus" => Value::Bool(on),
        (text, _) => Value::from(text),
    };
    rules.set(key, &value).map_err(|e| Fault::new(e.message))
}

pub(crate) fn kata_set_rule(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let key = call.arguments.word()?;
    let value = call.arguments.word()?;
    call.arguments.finish()?;
    let mut options = *engine.game.options();
    set_one(&mut options, key, &Value::from(value))?;
    let reply = set_options(engine, options)?;
    if key == "komi" {
        note_komi(engine, value);
    }
    Ok(reply)
}

pub(crate) fn kgs_rules(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let name = call.arguments.word()?.to_ascii_lowercase();
    call.arguments.finish()?;
    let ruleset = match name.as_str() {
        "chinese" => Ruleset::ChineseKgs,
        "aga" => Ruleset::Aga,
        "japanese" => Ruleset::Japanese,
        "new_zealand" => Ruleset::NewZealand,
        _ => {
            let text = format!("unknown rules '{}', known are: chinese, aga, japanese, new_zealand", short(&name));
            return Err(Fault::new(text));
        }
    };
    let mut options = *engine.game.options();
    (options.ruleset, options.rules) = (ruleset, ruleset.rules());
    set_options(engine, options)
}
