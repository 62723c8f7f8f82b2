//! What only Pao De Kuai has in the dialogue.

use kiebitz_core::{DynGame, Session};
use kiebitz_paodekuai::{Options, PRESETS, PaoDeKuai};
use serde_json::Value;

use crate::Lang;

/// The rules in one line: the preset that comes nearest, the cards, the deals, and every option that differs from the preset.
pub fn rules_line(game: &dyn DynGame, lang: Lang) -> String {
    let Some(session) = game.as_any().downcast_ref::<Session<PaoDeKuai>>() else { return String::new() };
    let options = session.state().rules().options();
    let (preset, differing) = nearest(options);
    let (cards, hand, deals) = (options.card_set().len(), options.hand, options.deals);
    let differing = differing.join(", ");
    match lang {
        Lang::En => {
            let differing = if differing.is_empty() { differing } else { format!(" with {differing}") };
            let length = match (options.target, deals) {
                (Some(points), _) => format!("a match to {points} points"),
                (None, 1) => "one deal".to_owned(),
                (None, deals) => format!("a match of {deals} deals"),
            };
            format!("{cards} cards, {hand} each, {preset} rules{differing}, {length}")
        }
        Lang::Zh => {
            let differing = if differing.is_empty() { differing } else { format!("（另 {differing}）") };
            let length = match (options.target, deals) {
                (Some(points), _) => format!("打到 {points} 分"),
                (None, 1) => "打一副".to_owned(),
                (None, deals) => format!("打 {deals} 副"),
            };
            format!("{cards} 张牌，每人 {hand} 张，{preset} 规则{differing}，{length}")
        }
    }
}

/// The preset with the fewest differing options, and these as `key=value`; those that only say how long is played are left out.
fn nearest(options: &Options) -> (&'static str, Vec<String>) {
    let mut rules = options.to_json();
    rules.retain(|key, _| key != "deals" && key != "target");
    let mut best = (PRESETS[0], Vec::new(), usize::MAX);
    for name in PRESETS {
        let Some(preset) = Options::preset(name).map(|preset| preset.to_json()) else { continue };
        // Both are what differs from the default: what the preset changes and the rules do not cannot be told as a difference.
        if preset.keys().any(|key| !rules.contains_key(key)) {
            continue;
        }
        let differing: Vec<String> = rules
            .iter()
            .filter(|(key, value)| preset.get(*key) != Some(*value))
            .map(|(key, value)| format!("{key}={}", plain(value)))
            .collect();
        if differing.len() < best.2 {
            let count = differing.len();
            best = (name, differing, count);
        }
    }
    (best.0, best.1)
}

/// A value as `--rules` reads it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join("+"),
        other => other.to_string(),
    }
}
