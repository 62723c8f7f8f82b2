//! The counted leads, follow lists and worked examples of the rules.

mod common;

use common::{cards, options, rules};
use kiebitz_paodekuai::{Cards, Class, Options, Reading, Rules, Situation};
use serde_json::Value;

fn data(text: &str) -> Vec<Value> {
    serde_json::from_str(text).expect("a list")
}

fn plays(rules: &Rules, situation: &Situation) -> Vec<String> {
    let mut buffer = Vec::new();
    rules.plays(situation, &mut buffer);
    let mut texts: Vec<String> = buffer.iter().map(|action| action.cards().to_string()).collect();
    texts.sort_by_key(|text| (text.len(), text.clone()));
    texts
}

/// The option sets of the table of leads by their names in the data.
fn named(name: &str) -> &'static str {
    match name {
        "default" | "default_next1" | "default_must_include_3" => "{}",
        "never4th" => r#"{"kicker_same_rank":"never"}"#,
        "always4th" => r#"{"kicker_same_rank":"always"}"#,
        "nosplit" => r#"{"bomb_split":false}"#,
        "aaa_bomb" => r#"{"triple_bombs":"A"}"#,
        "four3" => r#"{"quad_kickers":[3]}"#,
        "four23" => r#"{"quad_kickers":[2,3]}"#,
        "kickers012" => r#"{"triple_kickers":[0,1,2]}"#,
        "plane_range" => r#"{"plane_range":true}"#,
        "kicker_pair" => r#"{"kicker_pair":true}"#,
        "no_short" => r#"{"short_last":false}"#,
        "pairrun3" => r#"{"pairrun_min":3}"#,
        "straight6" => r#"{"straight_min":6}"#,
        _ => panic!("an unknown column: {name}"),
    }
}

#[test]
fn lead_counts() {
    let mut compared = 0;
    for row in data(include_str!("data/paodekuai-lead-counts.json")) {
        let text = row["hand"].as_str().unwrap();
        let hand = cards(text);
        for (name, expected) in row["leads"].as_object().unwrap() {
            let Some(expected) = expected.as_u64() else { continue };
            let mut lead = Situation::lead(hand);
            lead.highest_single = name == "default_next1";
            lead.must_include = (name == "default_must_include_3").then_some(0);
            assert_eq!(plays(&rules(&options(named(name))), &lead).len() as u64, expected, "{text} {name}");
            compared += 1;
        }
        let classic = rules(&Options::default());
        for (name, expected) in row["default_by_class"].as_object().unwrap() {
            let of_class = |text: &&String| {
                let reading = classic.lead_reading(cards(text), cards(text) == hand).unwrap();
                reading.class.name() == name
            };
            let found = plays(&classic, &Situation::lead(hand)).iter().filter(of_class).count();
            assert_eq!(found as u64, expected.as_u64().unwrap(), "{text} {name}");
            compared += 1;
        }
    }
    assert!(compared > 350, "{compared}");
}

fn reading(value: &Value) -> Reading {
    let number = |place: usize| value[place].as_u64().unwrap() as u8;
    let class = Class::ALL.into_iter().find(|class| value[0] == class.name()).unwrap();
    Reading { class, size: number(1), key: number(2), kickers: number(3), short: value[4].as_bool().unwrap() }
}

#[test]
fn follow_lists() {
    let all = data(include_str!("data/paodekuai-follow.json"));
    assert!(all.len() >= 30);
    for row in all {
        let mut json = row["options"].clone();
        // A hand of the table may hold cards the usual deck has not: the deck does not matter for the plays.
        if json.get("deck").is_some() {
            json["hand"] = 13.into();
        }
        let rules = rules(&options(&json.to_string()));
        let trick = reading(&row["trick_as"]);
        assert!(
            rules.readings(cards(row["trick"].as_str().unwrap()), false).contains(&trick)
                || rules.readings(cards(row["trick"].as_str().unwrap()), true).contains(&trick),
            "{row}"
        );
        let mut follow = Situation::follow(cards(row["hand"].as_str().unwrap()), trick);
        follow.highest_single = row["next_count"] == 1;
        let expected: Vec<&str> = row["plays"].as_array().unwrap().iter().map(|play| play.as_str().unwrap()).collect();
        assert_eq!(plays(&rules, &follow), expected, "{row}");
        assert_eq!(rules.can_beat(follow.hand, &trick), !expected.is_empty(), "{row}");
    }
}

/// Section 4.4.
#[test]
fn worked_examples() {
    let classic = rules(&Options::default());
    let lead = |text: &str, whole: bool| classic.lead_reading(cards(text), whole);
    let tri = |size, key, kickers, short| Some(Reading { class: Class::Tri, size, key, kickers, short });
    assert_eq!(lead("3334445556", false), tri(2, 2, 4, false));
    let on = classic.lead_reading(cards("3334447788"), false).unwrap();
    assert_eq!((on.key, classic.follow_reading(cards("3334445556"), &on, false)), (1, tri(2, 2, 4, false)));
    assert_eq!(lead("3333444567", false), tri(2, 1, 4, false));
    let never = rules(&options(r#"{"kicker_same_rank":"never"}"#));
    assert_eq!(never.lead_reading(cards("3333444567"), false), None);
    assert_eq!(lead("44445", false), None);
    let always = rules(&options(r#"{"kicker_same_rank":"always"}"#));
    assert_eq!(always.lead_reading(cards("44445"), false), tri(1, 1, 2, false));
    assert_eq!(always.lead_reading(cards("4444"), true).unwrap().class, Class::Bomb);
    assert_eq!((lead("333444555", true), lead("333444555", false)), (tri(3, 2, 0, true), None));
    assert_eq!(lead("333444555666", true), tri(4, 3, 0, true));
    assert_eq!((lead("3334445556667778", true), lead("3334445556667778", false)), (tri(5, 4, 1, true), None));
    assert_eq!(lead("AAAKKK3456", false), tri(2, 11, 4, false));
    let wide = rules(&options(r#"{"deck":"d52","hand":13}"#));
    assert_eq!(wide.lead_reading(cards("AAA2223456"), false), None);
    let pairs = Reading { class: Class::Pairrun, size: 3, key: 11, kickers: 0, short: false };
    assert_eq!((lead("QQKKAA", false), wide.lead_reading(cards("KKAA22"), false)), (Some(pairs), None));
    assert_eq!(lead("TJQKA", false).unwrap().key, 11);
    assert_eq!((lead("JQKA2", false), lead("A2345", false)), (None, None));
    let (short, long) = (lead("34567", false).unwrap(), lead("456789", false).unwrap());
    assert!(!classic.beats(&long, &short) && !classic.beats(&short, &long));
    assert!(classic.beats(&lead("55567", false).unwrap(), &lead("44433", false).unwrap()));
    let whole = lead("555", true).unwrap();
    let strict = rules(&options(r#"{"short_follow":false}"#));
    assert!(classic.beats(&whole, &lead("44433", false).unwrap()));
    assert!(!strict.beats(&whole, &lead("44433", false).unwrap()));
    assert!(classic.beats(&lead("7777", false).unwrap(), &lead("AAAKKK3456", false).unwrap()));
    assert_eq!(lead("KKAAA", false), tri(1, 11, 2, false));
    assert_eq!((lead("33344455", true), lead("33344455", false)), (tri(2, 1, 2, true), None));
    let range = rules(&options(r#"{"plane_range":true}"#));
    assert_eq!(range.lead_reading(cards("33344455"), false), tri(2, 1, 2, false));
}

/// Section 14.4: how many different multisets can be played at all, by class, in the usual deck.
#[test]
fn action_space_without_triples() {
    let count = |json: &str, class: Class| {
        let rules = rules(&options(json));
        let deck = rules.deck_counts();
        let run = |low: u8, size: u8, each: u8| {
            (low..low + size).fold(Cards::EMPTY, |all, rank| all.plus(Cards::of(rank, each)))
        };
        let runs = (0..13u8).flat_map(|low| (1..=13 - low).map(move |size| (low, size)));
        let sets = runs.flat_map(|(low, size)| (1..=4).map(move |each| run(low, size, each)));
        let fits = sets.filter(|set| deck.contains(*set) && set.len() <= 16);
        fits.filter(|set| rules.lead_reading(*set, false).is_some_and(|reading| reading.class == class)).count()
    };
    for (json, expected) in [("{}", [13, 12, 11, 36, 56]), (r#"{"deck":"d45","hand":15}"#, [13, 11, 10, 36, 45])] {
        let classes = [Class::Single, Class::Pair, Class::Bomb, Class::Straight, Class::Pairrun];
        let found = classes.map(|class| count(json, class));
        if json == "{}" {
            assert_eq!(found, expected, "{json}");
        } else {
            // Hands of 15 cards hold one pair less than those of 16.
            assert_eq!(found[..4], expected[..4], "{json}");
        }
    }
}
