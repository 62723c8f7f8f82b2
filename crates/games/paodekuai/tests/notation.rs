//! Text of cards, plays, options and set-ups.

mod common;

use common::{all_sets, cards, legal, options, session};
use kiebitz_core::{Forfeit, Game, Notation, Rng, Session, Turn};
use kiebitz_paodekuai::{Action, Card, CardSet, Cards, LeadEvidence, Options, PRESETS, PaoDeKuai, Setup};
use serde_json::{Map, Value, json};

#[test]
fn packed_counters_count_like_lists() {
    let mut rng = Rng::new(1);
    for _ in 0..20_000 {
        let counts: [u8; 13] = std::array::from_fn(|_| rng.below(5) as u8);
        let other: [u8; 13] = std::array::from_fn(|rank| rng.below(usize::from(counts[rank]) + 2).min(4) as u8);
        let (a, b) = (Cards::from_counts(counts), Cards::from_counts(other));
        assert_eq!((a.counts(), a.len(), a.is_empty()), (counts, counts.iter().sum(), counts == [0; 13]));
        assert_eq!(a.contains(b), (0..13).all(|rank| counts[rank] >= other[rank]), "{a} {b}");
        assert_eq!(a.is_one(), a.len() == 1);
        assert_eq!(a.lowest_rank(), (0..13).find(|&rank| counts[usize::from(rank)] > 0));
        assert_eq!(a.highest_rank(), (0..13).rev().find(|&rank| counts[usize::from(rank)] > 0));
        assert_eq!(Cards::from_code(a.code()), Some(a));
        assert_eq!(Cards::parse(&a.to_string()), Ok(a));
    }
    for code in [5, 6, 7, 1 << 39, 7 << 36, u64::MAX] {
        assert_eq!(Cards::from_code(code), None, "{code:#o}");
    }
}

#[test]
fn texts_in_any_order_and_case() {
    assert_eq!(cards("k10j9q8"), cards("89TJQK"));
    assert_eq!(cards("443a3").to_string(), "3344A");
    assert!(Cards::parse("333331").is_err() && Cards::parse("1").is_err() && Cards::parse("33333").is_err());
    assert_eq!(Card::parse("h10"), Card::parse("HT"));
    assert_eq!((Card::parse("3S"), Card::parse("S33"), Card::parse("S")), (None, None, None));
    let game = PaoDeKuai::new(3, &Options::default(), None).unwrap();
    assert_eq!(game.parse_action("PASS"), Ok(Action::PASS));
    assert_eq!(game.parse_action("4433 3").map_err(|e| e.code), Err("paodekuai.text"));
    assert_eq!(game.parse_action("").map_err(|e| e.code), Err("paodekuai.text"));
}

#[test]
fn action_codes_are_packed_counters_and_the_pass_is_zero() {
    assert_eq!((cards("3").code(), cards("4").code(), cards("2222").code()), (1, 8, 4 << 36));
    assert!(Action::PASS < Action::play(cards("3")));
    assert!(size_of::<Action>() <= 16);
}

#[test]
fn deals_survive_as_actions() {
    let mut rng = Rng::new(2);
    for (name, options, players) in all_sets() {
        let game = PaoDeKuai::new(players, &options, None).unwrap();
        for _ in 0..200 {
            let action = game.sample(&mut rng, &mut Vec::new());
            assert_eq!(game.check(action), Ok(()), "{name}");
            let text = game.action_text(action);
            assert_eq!(game.parse_action(&text), Ok(action), "{name}: {text}");
            for seat in 0..players {
                let masked = game.masked(action, seat);
                let text = game.action_text(masked);
                assert_eq!(game.parse_action(&text), Ok(masked), "{name}: {text}");
                assert_eq!(game.check(masked), Ok(()), "{name}: {text}");
                assert!(text.contains(&format!("?{}", options.hand)), "{text}");
            }
        }
    }
}

/// Every card is equally likely in every hand.
#[test]
fn deals_are_uniform() {
    let game = PaoDeKuai::new(2, &Options::default(), None).unwrap();
    let mut rng = Rng::new(3);
    let mut counts = vec![[0u64; 3]; 52];
    for _ in 0..9_000 {
        let mut dealt = game.clone();
        dealt.apply(game.sample(&mut rng, &mut Vec::new()));
        let text = game.action_text(game.sample(&mut rng, &mut Vec::new()));
        for (place, hand) in text.trim_start_matches("deal ").split('/').enumerate() {
            for i in 0..hand.len() / 2 {
                counts[usize::from(Card::parse(&hand[2 * i..2 * i + 2]).unwrap().index())][place] += 1;
            }
        }
    }
    let deck: CardSet = game.rules().deck().iter().copied().collect();
    for card in deck.iter() {
        let test = kiebitz_core::conformance::chi_squared(&counts[usize::from(card.index())], &[1.0 / 3.0; 3]);
        assert!(test.fits(), "{card}: {:?}", counts[usize::from(card.index())]);
    }
}

#[test]
fn options_round_trip() {
    for (name, options, _) in all_sets() {
        let rules = options.to_json();
        assert_eq!(Options::from_json(&rules), Ok(options), "{name}: {rules:?}");
    }
    for text in [
        r#"{"deals":10,"target":50,"lead":"seat:2","lead_fallback":"seat:0","lead_card":"H3","cap":64,"bird":"HT"}"#,
        r#"{"deals":1,"target":50}"#,
        r#"{"deck":"custom","removed":["S2"],"show_counts":false,"triple_bombs":"2"}"#,
        r#"{"deck":"d48","removed":["H2","C2","S2","CA"],"lead":"rotate","lead_fallback":"random"}"#,
    ] {
        let set = options(text);
        assert_eq!(Options::from_json(&set.to_json()), Ok(set.clone()), "{text}");
        assert_eq!(Value::Object(set.to_json()).as_object().unwrap().len(), options(text).to_json().len());
    }
}

#[test]
fn presets() {
    let differences = |name: &str| Value::Object(Options::preset(name).expect(name).to_json());
    let expected = [
        ("classic16", json!({})),
        ("classic15", json!({"deck": "d45", "hand": 15})),
        ("duel16", json!({"players": 2})),
        ("duel15", json!({"players": 2, "deck": "d45", "hand": 15})),
        ("four13", json!({"players": 4, "deck": "d52", "hand": 13})),
        ("free", json!({"must_beat": false})),
        ("hunan", json!({"bird": "HT"})),
        ("strictshort", json!({"plane_range": true, "short_follow": false, "lead_include": false, "baodan": "off"})),
        (
            "zsy",
            json!({"players": 4, "deck": "d52", "hand": 13, "end": "ranking", "must_beat": false,
            "triple_kickers": [0], "pairrun_min": 3, "straight_min": 3, "baodan": "off"}),
        ),
    ];
    assert_eq!(expected.len(), PRESETS.len());
    for (name, json) in expected {
        assert_eq!(differences(name), json, "{name}");
    }
    // A preset with differences.
    let mixed = options(r#"{"preset":"classic15","must_beat":false}"#);
    assert_eq!(Value::Object(mixed.to_json()), json!({"deck": "d45", "hand": 15, "must_beat": false}));
}

#[test]
fn bad_options_say_what_is_right() {
    let refused = |text: &str, players: u8| {
        let value: Value = serde_json::from_str(text).unwrap();
        match Options::from_json(value.as_object().unwrap()) {
            Ok(options) => PaoDeKuai::new(players, &options, None).expect_err(text).message.into_owned(),
            Err(e) => e.message.into_owned(),
        }
    };
    for (text, players, part) in [
        (r#"{"nothing":1}"#, 3, "no option 'nothing'"),
        (r#"{"preset":"classic17"}"#, 3, "classic16"),
        (r#"{"deck":"d54"}"#, 3, "d48, d45"),
        (r#"{"deck":"d45"}"#, 3, "45 cards"),
        (r#"{"preset":"duel16"}"#, 3, "2 players"),
        (r#"{"straight_min":2}"#, 3, "from 3 to 12"),
        (r#"{"straight_min":"x"}"#, 3, "from 3 to 12"),
        (r#"{"pairrun_min":4}"#, 3, "from 2 to 3"),
        (r#"{"players":"x"}"#, 3, "from 2 to 4"),
        (r#"{"hand":"x"}"#, 3, "from 1 to 26"),
        (r#"{"deals":"x"}"#, 3, "from 1 to 500"),
        (r#"{"target":0}"#, 3, "from 1 to 65535"),
        (r#"{"triple_kickers":[0,1,2,3]}"#, 3, "a list of numbers among 0, 1, 2, such as [0]"),
        (r#"{"quad_kickers":[4]}"#, 3, "a list of numbers among 2, 3, such as [2]"),
        (r#"{"quad_kickers":"x"}"#, 3, "a list of numbers among 2, 3"),
        ("{}", 4, "for four players there is preset=four13"),
        (r#"{"hand":17}"#, 3, "give a smaller hand"),
        (r#"{"triple_bombs":"K"}"#, 3, "three cards in the deck, K has 4"),
        (r#"{"triple_bombs":"X"}"#, 3, "text of ranks"),
        (r#"{"lead_card":"H2"}"#, 3, "not in the deck"),
        (r#"{"bird":"SA"}"#, 3, "not in the deck"),
        (r#"{"lead":"seat:3"}"#, 3, "seats are 0 to 2"),
        (r#"{"lead":"first"}"#, 3, "card, winner, rotate"),
        (r#"{"removed":["SA","SA"]}"#, 3, "different cards"),
        (r#"{"removed":["SA"]}"#, 3, "d48 has 48 cards, not 51"),
        (r#"{"must_beat":"yes"}"#, 3, "true or false"),
        (r#"{"bomb_points":5000}"#, 3, "from 0 to 1000"),
        (r#"{"deals":0}"#, 3, "from 1 to 500"),
        (r#"{"hand":0}"#, 3, "from 1 to 26"),
        ("{}", 5, "2 to 4 players"),
    ] {
        let message = refused(text, players);
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn set_ups_round_trip() {
    let classic = Options::default();
    for json in [
        json!({"hands": ["447JJK", "45T", "677TJKA"], "to_move": 0}),
        json!({"hands": ["3344TT2", "?12", "?9"], "to_move": 0, "trick": {"play": "44555", "by": 2}, "passes": 1}),
        json!({"hands": ["3344", "56", "78"], "to_move": 0, "must_include": "3", "plays_made": [0, 0, 0]}),
        json!({"hands": ["9", "34", "78"], "to_move": 0, "bombs": [1, 0], "offence": 2, "played": ["K", "4", ""],
            "evidence": [{"seat": 1, "trick": ["pair", 1, 5, 0, false], "played_since": "4"},
                {"seat": 0, "single": "K", "played_since": "K", "on": "K"}]}),
    ] {
        let setup = Setup::from_json(&classic, &json).unwrap();
        let written = setup.to_json(&classic);
        assert_eq!(Setup::from_json(&classic, &written), Ok(setup), "{json}");
        session(&classic, written);
    }
    // The example of the specification: who has passed may be told, or follows from the seats.
    let told = session(
        &classic,
        json!({"hands": ["3344TT2", "?12", "66"], "to_move": 0, "trick": {"play": "44555", "by": 2}, "passes": 1}),
    );
    assert_eq!(told.state().state().passes(), 1);
    let follows = session(
        &classic,
        json!({"hands": ["3344TT2", "?12", "66"], "to_move": 0, "trick": {"play": "44555", "by": 1}}),
    );
    assert_eq!(follows.state().state().passes(), 1);
    assert_eq!(follows.facts()["hands"], json!(["3344TT2", "?12", "66"]));
    assert_eq!(follows.facts()["trick"], json!({"play": "44555", "by": 1, "reading": ["tri", 1, 2, 2, false]}));
    assert_eq!(legal(follows.state()), ["pass"]);
}

#[test]
fn a_trick_with_two_readings_must_be_told() {
    let classic = Options::default();
    let start = json!({"hands": ["66677788", "9", "TT"], "to_move": 0, "trick": {"play": "3334445556", "by": 2}});
    let setup = Setup::from_json(&classic, &start).unwrap();
    let e = PaoDeKuai::new(3, &classic, Some(&setup)).unwrap_err();
    assert!(e.message.contains("several ways"), "{e}");
    let mut told = start;
    told["trick"]["reading"] = json!(["tri", 2, 2, 4, false]);
    session(&classic, told);
}

#[test]
fn impossible_set_ups_are_refused() {
    let classic = Options::default();
    for (json, part) in [
        (json!({"hands": ["3", "4"], "to_move": 0}), "2 hands for 3 players"),
        (json!({"hands": ["3", "4", "5"], "to_move": 3}), "no seat 3"),
        (json!({"hands": ["3", "4", ""], "to_move": 0}), "not listed in out"),
        (json!({"hands": ["3", "4", ""], "to_move": 0, "out": [2]}), "the deal is over"),
        (json!({"hands": ["2", "2", "5"], "to_move": 0}), "rank 2"),
        (json!({"hands": ["3", "4", "5"], "to_move": 0, "trick": {"play": "6", "by": 0}}), "own play"),
        (json!({"hands": ["3", "4", "5"], "to_move": 0, "trick": {"play": "67", "by": 1}}), "no combination"),
        (json!({"hands": ["3", "4", "5"], "to_move": 0, "passes": 1}), "without a trick"),
        (json!({"hands": ["3", "4", "5"], "to_move": 0, "locked": [1], "trick": {"play": "6", "by": 1}}), "pass_locks"),
        (json!({"hands": ["4", "4", "5"], "to_move": 0, "must_include": "3"}), "does not hold"),
        (json!({"hands": ["?16", "?16", "?16"], "to_move": 0, "kitty": "3"}), "47 are left"),
        (json!({"hands": ["?17", "4", "5"], "to_move": 0}), "more than 16"),
        (
            json!({"hands": ["3", "4", "5"], "to_move": 0, "evidence": [{"seat": 1, "trick": ["pair", 1, 5, 0, false], "played_since": "6"}]}),
            "do not contain",
        ),
    ] {
        let setup = Setup::from_json(&classic, &json).expect("the form is right");
        let e = PaoDeKuai::new(3, &classic, Some(&setup)).unwrap_err();
        assert!(e.message.contains(part), "{json}: {e}");
    }
    for json in [
        json!({"hands": ["3", "x", "5"], "to_move": 0}),
        json!({"hands": ["3", "?x", "5"], "to_move": 0}),
        json!({"hands": "345", "to_move": 0}),
        json!({"to_move": 0}),
        json!({"hands": ["3", "4", "5"]}),
        json!({"hands": ["3", "4", "5"], "to_move": 0, "trick": ["6"]}),
        json!({"hands": ["3", "4", "5"], "to_move": 0, "trick": {"play": "6", "by": 1, "reading": ["single", 1]}}),
        json!({"hands": ["3", "4", "5"], "to_move": 0, "must_include": "4"}),
        json!({"hands": ["3", "4", "5"], "to_move": 0, "hand": 1}),
    ] {
        assert!(Setup::from_json(&classic, &json).is_err(), "{json}");
    }
}

#[test]
fn facts_before_the_deal_and_at_the_end() {
    let mut game = Session::<PaoDeKuai>::new(3, Options::default(), None, 1).unwrap();
    let facts = Value::Object(game.facts());
    assert_eq!((&facts["to_move"], &facts["terminal"], facts.get("legal")), (&json!("chance"), &json!(false), None));
    game.roll();
    let (mut rng, mut buffer) = (Rng::new(1), Vec::new());
    let reading = |facts: &Map<String, Value>| facts.contains_key("reading");
    assert!(!reading(&game.facts()));
    while common::random_step(&mut game, &mut rng, &mut buffer) {
        let last = game.history().last().cloned();
        let passed = matches!(last, Some(kiebitz_core::Step::Action { action, .. }) if action.is_pass());
        assert_eq!(reading(&game.facts()), !passed);
    }
    let facts = Value::Object(game.facts());
    assert_eq!((&facts["to_move"], &facts["terminal"], facts.get("legal")), (&Value::Null, &json!(true), None));
    assert!(facts["scores"].is_array() && facts["winner"].is_number());
}

/// A preset brings its players, and cards can be listed as the command line lists numbers.
#[test]
fn presets_bring_their_players_and_cards_are_lists() {
    for (rules, players) in
        [("{}", 3), (r#"{"preset":"duel16"}"#, 2), (r#"{"preset":"duel16","deals":3}"#, 2), (r#"{"players":4}"#, 4)]
    {
        assert_eq!(PaoDeKuai::default_players(&options(rules)), players, "{rules}");
    }
    for name in PRESETS {
        let options = options(&json!({ "preset": name }).to_string());
        assert!(PaoDeKuai::new(PaoDeKuai::default_players(&options), &options, None).is_ok(), "{name}");
    }
    let list = options(r#"{"deck":"custom","removed":["SA","S2","H2","C2"]}"#);
    assert_eq!(options(r#"{"deck":"custom","removed":"SA+S2+H2+C2"}"#), list);
    let rules = json!({"removed": "SA+SA"});
    let error = PaoDeKuai::options_from_json(rules.as_object().unwrap()).unwrap_err();
    assert!(
        error.message.ends_with("it must be a list of different cards such as [\"SA\",\"S2\"] or SA+S2"),
        "{error}"
    );
}

#[test]
fn a_result_tells_a_loss_on_time_from_giving_up() {
    let game = PaoDeKuai::new(3, &Options::default(), None).unwrap();
    assert_eq!(game.result_text(Some(Forfeit::Resign(1))).as_deref(), Some("seat 1 gave up"));
    assert_eq!(game.result_text(Some(Forfeit::Timeout(2))).as_deref(), Some("seat 2 ran out of time"));
}

/// The reading is that of the play just made, even where nobody can answer and the trick is over at once.
#[test]
fn a_play_that_ends_its_trick_has_its_reading() {
    let options = options(r#"{"end":"ranking","pass_locks":true,"must_beat":false}"#);
    let start = json!({"hands": ["34", "67", ""], "to_move": 0, "plays_made": [1, 1, 1], "out": [2],
        "trick": {"play": "5", "by": 2}});
    let mut game = common::session(&options, start);
    common::play(&mut game, &["pass"]);
    assert!(!game.facts().contains_key("reading"));
    common::play(&mut game, &["6"]);
    let facts = game.facts();
    assert_eq!((&facts["reading"], &facts["trick"]), (&json!(["single", 1, 3, 0, false]), &Value::Null));
    assert_eq!(facts["to_move"], json!(1));
    // Two bodies are possible: the higher one counts.
    let start = json!({"hands": ["34", "55566677789", ""], "to_move": 0, "plays_made": [1, 1, 1], "out": [2],
        "trick": {"play": "333444TTJJ", "by": 2}});
    let mut row = common::session(&options, start);
    common::play(&mut row, &["pass", "5556667778"]);
    assert_eq!(row.facts()["reading"], json!(["tri", 2, 4, 4, false]));
    common::play(&mut game, &["7"]);
    assert_eq!(game.facts()["reading"], json!(["single", 1, 4, 0, false]));
}

/// After a deal of which a seat knows its own hand, without the lead card, that seat may lead only where nobody need hold it.
#[test]
fn a_seat_leads_a_masked_deal_by_fallback() {
    let deal = "deal H3H4H5H6H7H8H9HTHJHQHKHAC5C6D7D8/?16";
    let start = |json: &str, deal: &str, players: u8| {
        let mut game = Session::<PaoDeKuai>::new(players, options(json), None, 0).unwrap();
        common::play(&mut game, &[deal]);
        game
    };
    let game = start("{}", deal, 2).with_turn_of(0).unwrap();
    let state = game.state().state();
    assert_eq!((game.turn(), state.lead_evidence()), (Turn::Seat(0), LeadEvidence::Lowest));
    assert!(!state.include_duty(), "nobody holds the lead card");
    // As the whole deal.
    let whole = start("{}", "deal H3H4H5H6H7H8H9HTHJHQHKHAC5C6D7D8/S4C4D4S5S6S7C7C8C9CTCJSQSKCKCASJ", 2);
    assert_eq!(whole.state().information_key(0), game.state().information_key(0));
    let game = start(r#"{"lead_fallback":"seat:0"}"#, deal, 2).with_turn_of(0).unwrap();
    assert_eq!(game.state().state().lead_evidence(), LeadEvidence::NobodyHolds);
    // Where another seat leads then, or all cards are dealt, it does not lead.
    let error = start(r#"{"lead_fallback":"seat:1"}"#, deal, 2).with_turn_of(0).unwrap_err();
    assert!(error.message.contains("seat 1 leads where nobody holds it"), "{error}");
    let error = start("{}", "deal H3H4H5H6H7H8H9HTHJHQHKHAC5C6D7D8/?16/?16", 3).with_turn_of(0).unwrap_err();
    assert!(error.message.contains("does not hold the lead card S3, and all cards are dealt"), "{error}");
    // Of the lower cards more than sixteen were not dealt to the seat: the other one has some.
    let error = start("{}", "deal H8C8S8D8H9C9HTCTHJCJHQCQHKCKHACA/?16", 2).with_turn_of(0).unwrap_err();
    assert!(error.message.contains("another seat was dealt a lower card than a 8"), "{error}");
    // Chance names the leader where the rules say so.
    let error = start(r#"{"lead_fallback":"random"}"#, deal, 2).with_turn_of(0).unwrap_err();
    assert_eq!(error.code, "turn.chance");
    let mut game = start(r#"{"lead_fallback":"random"}"#, deal, 2);
    common::play(&mut game, &["leader 0"]);
    assert_eq!(game.state().state().lead_evidence(), LeadEvidence::NobodyHolds);
}
