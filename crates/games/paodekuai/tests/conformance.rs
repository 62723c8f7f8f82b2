//! Pao De Kuai keeps every promise of the contract.

mod common;

use common::{all_sets, options};
use kiebitz_core::conformance::{self, Config};
use kiebitz_paodekuai::{Options, PaoDeKuai, Setup};
use serde_json::json;

#[test]
fn every_preset_and_option_set() {
    for (name, options, players) in all_sets() {
        let config = Config::<PaoDeKuai>::new(players).options(options).games(3);
        let summary = conformance::check(&config).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(summary.finished == 3 && summary.worlds > 50, "{name}: {summary:?}");
    }
}

#[test]
fn matches_and_leaders() {
    for rules in [
        r#"{"deals":3}"#,
        r#"{"target":20,"lead":"rotate"}"#,
        r#"{"lead_fallback":"random","bird":"HT","hand":8,"deals":2,"lead":"card"}"#,
        r#"{"lead_fallback":"lowest","hand":8,"deals":2,"lead":"card","cap":10}"#,
    ] {
        let config = Config::<PaoDeKuai>::new(3).options(options(rules)).games(3).max_actions(200);
        let summary = conformance::check(&config).unwrap_or_else(|e| panic!("{rules}: {e}"));
        assert!(summary.worlds > 50, "{rules}: {summary:?}");
    }
    conformance::check(&Config::<PaoDeKuai>::new(2).games(8)).unwrap();
}

#[test]
fn from_positions() {
    for (rules, setup) in [
        ("{}", json!({"hands": ["447JJK", "45T", "677TJKA"], "to_move": 0})),
        (
            r#"{"must_beat":false,"pass_locks":true}"#,
            json!({"hands": ["345K", "67A", "89T2"], "to_move": 0, "locked": [1],
            "trick": {"play": "6", "by": 2}, "passes": 0, "kitty": "", "played": ["", "", ""],
            "evidence": [{"seat": 1, "trick": ["pair", 1, 5, 0, false], "played_since": ""}]}),
        ),
        (r#"{"end":"ranking"}"#, json!({"hands": ["A3444", "", "89TT"], "to_move": 0, "out": [1], "bombs": [1]})),
    ] {
        let options = options(rules);
        let setup = Setup::from_json(&options, &setup).unwrap();
        let config = Config::<PaoDeKuai>::new(3).options(options).setup(setup).games(6);
        let summary = conformance::check(&config).unwrap_or_else(|e| panic!("{rules}: {e}"));
        assert_eq!(summary.finished, 6);
    }
    assert_eq!(Options::default(), Options::preset("classic16").unwrap());
}
