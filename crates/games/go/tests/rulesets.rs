//! Named rulesets, single rules, komi, JSON.

mod common;

use common::{game, size};
use kiebitz_core::{Game, Notation};
use kiebitz_go::{Go, KoRule, Options, Rules, Ruleset, Scoring, Tax, WhiteBonus, default_komi, quarter_points};
use serde_json::{Map, Value, json};

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn from(value: Value) -> Options {
    Options::from_json(&map(value)).unwrap()
}

fn code(value: Value) -> &'static str {
    let error = Options::from_json(&map(value)).unwrap_err();
    assert!(error.message.len() > 20, "{error}");
    error.code
}

#[test]
fn table_of_rulesets() {
    use KoRule::*;
    use Scoring::*;
    let row = |name: &str, ko, scoring, tax, suicide, white_bonus, friendly_pass, button| {
        let set = Ruleset::from_name(name).unwrap();
        assert_eq!(set.name(), name);
        assert_eq!(set.rules(), Rules { ko, scoring, tax, suicide, button, friendly_pass, white_bonus }, "{name}");
    };
    let (zero, n, less) = (WhiteBonus::Zero, WhiteBonus::N, WhiteBonus::NMinusOne);
    row("tromp-taylor", Positional, Area, Tax::None, true, zero, false, false);
    row("chinese", Simple, Area, Tax::None, false, n, true, false);
    row("chinese-ogs", Positional, Area, Tax::None, false, n, true, false);
    row("chinese-kgs", Positional, Area, Tax::None, false, n, true, false);
    row("japanese", Simple, Territory, Tax::Seki, false, zero, true, false);
    row("korean", Simple, Territory, Tax::Seki, false, zero, true, false);
    row("stone-scoring", Simple, Area, Tax::All, false, zero, true, false);
    row("aga", Situational, Area, Tax::None, false, less, true, false);
    row("bga", Situational, Area, Tax::None, false, less, true, false);
    row("new-zealand", Situational, Area, Tax::None, true, zero, true, false);
    row("aga-button", Situational, Area, Tax::None, false, less, true, true);
    assert_eq!(Ruleset::all().count(), 11);
}

#[test]
fn names_in_other_spellings() {
    for (text, set) in [
        ("Tromp_Taylor", Ruleset::TrompTaylor),
        ("tromptaylor", Ruleset::TrompTaylor),
        ("TT", Ruleset::TrompTaylor),
        ("nz", Ruleset::NewZealand),
        ("new_zealand", Ruleset::NewZealand),
        ("CHINESE-OGS", Ruleset::ChineseOgs),
    ] {
        assert_eq!(Ruleset::from_name(text), Some(set), "{text}");
    }
    assert_eq!(Ruleset::from_name("go"), None);
    assert_eq!(Ruleset::from_name(""), None);
}

#[test]
fn names_are_recovered() {
    for set in Ruleset::all() {
        let options = Options::new(size(19, 19), set);
        assert_eq!(options.ruleset_name(), Some(set));
        let found = set.rules().name().unwrap();
        assert_eq!(found.rules(), set.rules());
    }
    // Single rules may lead from one named set to another, or to none.
    let options = from(json!({"ruleset": "chinese", "ko": "positional"}));
    assert_eq!(options.ruleset_name(), Some(Ruleset::ChineseOgs));
    let options = from(json!({"ruleset": "chinese", "suicide": true}));
    assert_eq!(options.ruleset_name(), None);
}

#[test]
fn go_14_default_komi() {
    for (json, komi) in [
        (json!({}), 7.5),
        (json!({"ruleset": "tromp-taylor"}), 7.5),
        (json!({"ruleset": "japanese"}), 6.5),
        (json!({"ruleset": "japanese", "size": 9}), 6.5),
        (json!({"ruleset": "korean"}), 6.5),
        (json!({"scoring": "territory"}), 6.5),
        (json!({"size": 9}), 7.0),
        (json!({"size": 13}), 7.5),
        (json!({"size": 10}), 7.5),
        (json!({"size": [9, 7]}), 7.0),
        (json!({"ruleset": "aga-button"}), 7.0),
        (json!({"button": true}), 7.0),
        (json!({"handicap": 2}), 0.5),
        (json!({"handicap": 4, "ruleset": "japanese"}), 0.5),
        (json!({"handicap": 1}), 7.5),
        (json!({"komi": 6.5}), 6.5),
        (json!({"komi": -3}), -3.0),
        (json!({"komi": 3.75}), 3.75),
        (json!({"komi": 0}), 0.0),
    ] {
        assert_eq!(from(json.clone()).komi_points(), komi, "{json}");
    }
    assert_eq!(default_komi(size(19, 19), &Ruleset::Aga.rules(), 0), 30);
    assert_eq!(quarter_points(7.5), Some(30));
    assert_eq!(quarter_points(0.1), None);
    assert_eq!(quarter_points(f64::NAN), None);
    assert_eq!(quarter_points(f64::INFINITY), None);
    assert_eq!(quarter_points(1e12), None);
}

#[test]
fn header_of_the_specification() {
    let options = from(json!({"size": 9, "komi": 7, "ruleset": "chinese", "handicap": 0}));
    assert_eq!(options, Options::new(size(9, 9), Ruleset::Chinese));
    assert_eq!(options.to_json(), map(json!({"size": 9})));
    assert_eq!(Options::default().to_json(), Map::new());
    assert_eq!(from(json!({})), Options::default());
}

#[test]
fn single_keys_and_katagos_names() {
    let own = from(json!({
        "ruleset": "aga", "ko": "natural", "scoring": "territory", "suicide": true, "tax": "all", "button": true,
        "friendly_pass": false, "white_bonus": "n"
    }));
    assert_eq!(
        own.rules,
        Rules {
            ko: KoRule::Natural,
            scoring: Scoring::Territory,
            tax: Tax::All,
            suicide: true,
            button: true,
            friendly_pass: false,
            white_bonus: WhiteBonus::N
        }
    );
    let katago = from(json!({
        "ruleset": "aga", "ko": "POSITIONAL", "scoring": "AREA", "suicide": true, "tax": "SEKI", "hasButton": true,
        "friendlyPassOk": false, "whiteHandicapBonus": "N-1"
    }));
    assert_eq!(
        katago.rules,
        Rules {
            ko: KoRule::Positional,
            scoring: Scoring::Area,
            tax: Tax::Seki,
            suicide: true,
            button: true,
            friendly_pass: false,
            white_bonus: WhiteBonus::NMinusOne
        }
    );
    assert_eq!(
        Value::from(katago.rules.to_katago_json()),
        json!({"ko": "POSITIONAL", "scoring": "AREA", "tax": "SEKI", "suicide": true, "hasButton": true,
               "whiteHandicapBonus": "N-1", "friendlyPassOk": false})
    );
    // What KataGo writes is read back.
    for set in Ruleset::all() {
        let rules = Value::from(set.rules().to_katago_json());
        assert_eq!(from(rules).rules, set.rules());
    }
}

#[test]
fn json_round_trip() {
    let mut seen = 0;
    for set in Ruleset::all() {
        for size in [json!(9), json!(19), json!([13, 7]), json!([1, 25])] {
            for extra in [
                json!({}),
                json!({"ko": "situational"}),
                json!({"komi": 0.25, "suicide": true}),
                json!({"handicap": 3}),
            ] {
                let mut rules = map(json!({"size": size, "ruleset": set.name()}));
                rules.extend(map(extra));
                let options = Options::from_json(&rules).unwrap();
                let written = options.to_json();
                assert_eq!(Options::from_json(&written).unwrap(), options, "{written:?}");
                for key in written.keys() {
                    assert!(rules.contains_key(key), "{key} was not asked for: {written:?}");
                }
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 11 * 4 * 4);
}

#[test]
fn errors_have_stable_codes() {
    assert_eq!(code(json!({"size": 26})), "go.size");
    assert_eq!(code(json!({"size": 0})), "go.size");
    assert_eq!(code(json!({"size": [9, 9, 9]})), "go.size");
    assert_eq!(code(json!({"size": -1})), "go.size");
    assert_eq!(code(json!({"size": "9y9"})), "go.size");
    assert_eq!(code(json!({"size": null})), "go.size");
    assert_eq!(code(json!({"komi": "7"})), "go.komi");
    assert_eq!(code(json!({"komi": 7.3})), "go.komi");
    assert_eq!(code(json!({"komi": 1e300})), "go.komi");
    assert_eq!(code(json!({"ruleset": "swedish"})), "go.ruleset");
    assert_eq!(code(json!({"ruleset": 1})), "go.ruleset");
    assert_eq!(code(json!({"handicap": -1})), "go.handicap");
    assert_eq!(code(json!({"handicap": 1000})), "go.handicap");
    assert_eq!(code(json!({"ko": "none"})), "go.ko_rule");
    assert_eq!(code(json!({"scoring": true})), "go.scoring");
    assert_eq!(code(json!({"suicide": 1})), "go.suicide_rule");
    assert_eq!(code(json!({"tax": "some"})), "go.tax");
    assert_eq!(code(json!({"button": "maybe"})), "go.button");
    assert_eq!(code(json!({"friendly_pass": 0})), "go.friendly_pass");
    assert_eq!(code(json!({"white_bonus": "2"})), "go.white_bonus");
    assert_eq!(code(json!({"white_bonus": 1})), "go.white_bonus");
    assert_eq!(code(json!({"colour": "red"})), "go.option");
    assert_eq!(from(json!({"size": "13x9"})).size, size(13, 9));
}

#[test]
fn impossible_games_are_refused() {
    let mut options = Options::new(size(9, 9), Ruleset::Chinese);
    assert_eq!(Go::new(3, &options, None).unwrap_err().code, "go.players");
    options.komi = 1 << 20;
    assert_eq!(Go::new(2, &options, None).unwrap_err().code, "go.komi");
    options.komi = 0;
    options.handicap = 82;
    assert_eq!(Go::new(2, &options, None).unwrap_err().code, "go.handicap");
    options.handicap = 10;
    assert_eq!(Go::new(2, &options, None).unwrap_err().code, "go.handicap");
}

#[test]
fn rules_can_change_in_mid_game() {
    let mut go = game(&Options::new(size(9, 9), Ruleset::Chinese));
    common::play(&mut go, "E5 C3 D4");
    let stones = common::rows(&go);
    let options = from(json!({"size": 9, "ruleset": "japanese", "komi": 0.5}));
    go.set_options(options).unwrap();
    assert_eq!(common::rows(&go), stones);
    assert_eq!(Go::options_to_json(go.options()), map(json!({"size": 9, "ruleset": "japanese", "komi": 0.5})));
    assert_eq!(go.moves().len(), 3);
    assert_eq!(go.set_options(Options::default()).unwrap_err().code, "go.size");
}
