//! The course of deals and matches where no record looks: leaders, locks, short plays, offences, several deals.

mod common;

use common::{legal, options, play, session};
use kiebitz_core::record::{Line, Record};
use kiebitz_core::{DynGame, DynGameType, Game, GameType, Notation, Rng, Session, Turn};
use kiebitz_paodekuai::{Action, LeadEvidence, Options, PaoDeKuai, Phase};
use serde_json::{Value, json};

fn facts(session: &Session<PaoDeKuai>) -> Value {
    Value::Object(session.facts())
}

/// A two-player game that was dealt this.
fn duel(rules: &str, deal: &str) -> Session<PaoDeKuai> {
    let mut session = Session::new(2, options(rules), None, 0).unwrap();
    play(&mut session, &[deal]);
    session
}

/// 3 cards each of a deck of eight: S3 to 6 in two suits.
const SMALL: &str = r#"{"deck":"custom","hand":3,"removed":["C3","D3","C4","D4","C5","D5","C6","D6","S7","H7","C7","D7","S8","H8","C8","D8","S9","H9","C9","D9","ST","HT","CT","DT","SJ","HJ","CJ","DJ","SQ","HQ","CQ","DQ","SK","HK","CK","DK","SA","HA","CA","DA","S2","H2","C2","D2"]"#;

fn small(more: &str) -> String {
    format!("{SMALL}{more}}}")
}

#[test]
fn lead_card_leads_and_must_be_included() {
    let session = duel(&small(""), "deal H3S4S5/S3H4S6/H5H6");
    assert_eq!((session.turn(), session.state().state().lead_evidence()), (Turn::Seat(1), LeadEvidence::HoldsCard));
    assert_eq!((facts(&session)["must_include"].clone(), legal(session.state())), (json!("3"), vec!["3".to_owned()]));
    let free = duel(&small(r#","lead_include":false"#), "deal H3S4S5/S3H4S6/H5H6");
    assert_eq!(
        (facts(&free)["must_include"].clone(), legal(free.state())),
        (Value::Null, vec!["3".into(), "4".into(), "6".into()])
    );
}

#[test]
fn fallback_lead_lowest_by_suit() {
    // S3 is in the kitty; H3 is the lowest dealt card.
    let session = duel(&small(""), "deal S4S5S6/H3H4H5/S3H6");
    assert_eq!((session.turn(), session.state().state().lead_evidence()), (Turn::Seat(1), LeadEvidence::Lowest));
    assert_eq!(facts(&session)["must_include"], Value::Null);
    // Of two fours the spade leads.
    let session = duel(&small(""), "deal S4S5S6/H4H5H6/S3H3");
    assert_eq!(session.turn(), Turn::Seat(0));
}

#[test]
fn fallback_lead_of_a_seat_or_random() {
    let session = duel(&small(r#","lead_fallback":"seat:1""#), "deal H3S4S5/S6H4H5/S3H6");
    assert_eq!((session.turn(), session.state().state().lead_evidence()), (Turn::Seat(1), LeadEvidence::NobodyHolds));
    let mut session = duel(&small(r#","lead_fallback":"random""#), "deal H3S4S5/S6H4H5/S3H6");
    assert_eq!(session.turn(), Turn::Chance(1));
    assert_eq!(legal(session.state()), ["leader 0", "leader 1"]);
    play(&mut session, &["leader 1"]);
    assert_eq!(session.turn(), Turn::Seat(1));
    assert!(session.state().parse_action("leader 2").is_err());
}

#[test]
fn other_leaders() {
    let session = duel(&small(r#","lead":"seat:1""#), "deal S3S4S5/H3H4H5/S6H6");
    assert_eq!((session.turn(), facts(&session)["must_include"].clone()), (Turn::Seat(1), Value::Null));
    let session = duel(&small(r#","lead":"rotate""#), "deal H3S4S5/S3H4H5/S6H6");
    assert_eq!(session.turn(), Turn::Seat(0));
    let hearts = duel(&small(r#","lead_card":"H3""#), "deal S3S4S5/H3H4H5/S6H6");
    assert_eq!(hearts.turn(), Turn::Seat(1));
}

#[test]
fn three_seats_pass_and_come_back() {
    let rules = options(r#"{"must_beat":false}"#);
    let mut session = session(&rules, json!({"hands": ["345K", "67A", "89T"], "to_move": 0}));
    play(&mut session, &["3", "6", "pass"]);
    // Seat 2 passed but may come back while the trick lives.
    play(&mut session, &["K", "A", "pass"]);
    assert_eq!(session.turn(), Turn::Seat(0));
    play(&mut session, &["pass"]);
    assert_eq!((session.turn(), session.state().state().trick()), (Turn::Seat(1), None));
}

#[test]
fn pass_locks_with_three_seats() {
    let rules = options(r#"{"must_beat":false,"pass_locks":true}"#);
    let mut session = session(&rules, json!({"hands": ["345K", "67A", "89T2"], "to_move": 0}));
    play(&mut session, &["3", "6", "pass"]);
    assert!(session.state().state().is_locked(2));
    // Seat 2 is skipped from now on.
    play(&mut session, &["K", "A"]);
    assert_eq!(session.turn(), Turn::Seat(0));
    play(&mut session, &["pass"]);
    // Both others are locked: the trick is over, and so are the locks.
    assert_eq!((session.turn(), session.state().state().trick()), (Turn::Seat(1), None));
    assert!(!session.state().state().is_locked(2));
    // A skipped seat has not passed: no pass is in the history of seat 2 but its own.
    let passes = session.facts()["plays_made"].clone();
    assert_eq!(passes, json!([3, 3, 1]));
}

#[test]
fn all_others_locked_gives_the_lead_back_at_once() {
    let rules = options(r#"{"must_beat":false,"pass_locks":true}"#);
    let setup = json!({"hands": ["345K", "67A", "89T2"], "to_move": 0, "locked": [1],
        "trick": {"play": "6", "by": 2}, "passes": 0});
    let mut session = session(&rules, setup);
    play(&mut session, &["K", "2"]);
    assert_eq!(session.turn(), Turn::Seat(0));
    play(&mut session, &["pass"]);
    assert_eq!((session.turn(), session.state().state().trick()), (Turn::Seat(2), None));
}

#[test]
fn must_beat_and_bombs() {
    let setup = json!({"hands": ["3K", "6A7777", "89T"], "to_move": 0});
    let on = |rules: &str| {
        let mut session = session(&options(rules), setup.clone());
        play(&mut session, &["K"]);
        legal(session.state())
    };
    assert_eq!(on("{}"), ["7777", "A"]);
    assert_eq!(on(r#"{"must_beat":false}"#), ["pass", "7777", "A"]);
    assert_eq!(on(r#"{"must_beat_bombs":false}"#), ["7777", "A"]);
    let setup = json!({"hands": ["3A", "6K7777", "89T"], "to_move": 0});
    let mut bombs = session(&options(r#"{"must_beat_bombs":false}"#), setup);
    play(&mut bombs, &["A"]);
    assert_eq!(legal(bombs.state()), ["pass", "7777"]);
    let refused =
        session(&options("{}"), json!({"hands": ["3K", "6A", "89T"], "to_move": 1, "trick": {"play": "K", "by": 0}}));
    let e = refused.state().check(Action::PASS).unwrap_err();
    assert!(e.code == "paodekuai.must_beat" && e.message.contains('A'), "{e}");
}

/// What is named is a play that obliges: bombs need not be played here, but the same cards with a kicker must.
#[test]
fn must_beat_names_what_must_be_played() {
    let rules = r#"{"must_beat_bombs":false,"triple_bombs":"A","triple_kickers":[1]}"#;
    let setup = json!({"hands": ["AAA34", "5678", "67JK"], "to_move": 0, "plays_made": [1, 1, 1],
        "trick": {"play": "QQQ5", "by": 2}});
    let session = session(&options(rules), setup);
    let e = session.state().check(Action::PASS).unwrap_err();
    assert_eq!(e.message, "pass is not possible: 3AAA beats 5QQQ, and who can beat must");
}

#[test]
fn must_max_on_lead_and_follow() {
    let mut session = session(&options("{}"), json!({"hands": ["35KK", "6", "89T"], "to_move": 0}));
    assert_eq!(legal(session.state()), ["K", "KK"]);
    let e = session.state().check(session.state().parse_action("5").unwrap()).unwrap_err();
    assert!(e.code == "paodekuai.highest_single" && e.message.contains('K'), "{e}");
    play(&mut session, &["KK", "pass", "pass", "5"]);
    assert_eq!(session.turn(), Turn::Seat(1));
}

/// The next seat is the next one that still holds cards, locked or not.
#[test]
fn must_max_looks_at_the_next_seat_with_cards() {
    let rules = options(r#"{"end":"ranking"}"#);
    let setup = json!({"hands": ["35K", "", "9", "TT"], "to_move": 0, "out": [1]});
    let four = Options { players: None, deck: kiebitz_paodekuai::Deck::D52, hand: 13, ..rules };
    assert_eq!(legal(session(&four, setup).state()), ["K"]);
    let locks = options(r#"{"must_beat":false,"pass_locks":true}"#);
    let setup = json!({"hands": ["35KA", "9", "TT"], "to_move": 0, "locked": [1], "trick": {"play": "4", "by": 2}, "passes": 0});
    assert_eq!(legal(session(&locks, setup).state()), ["pass", "A"]);
}

#[test]
fn liability_makes_the_offender_pay_for_all() {
    let rules = options(r#"{"baodan":"liability","one_card_free":false}"#);
    let start = json!({"hands": ["35K", "6", "89T"], "to_move": 0});
    let mut guilty = session(&rules, start.clone());
    play(&mut guilty, &["5", "6"]);
    assert_eq!((facts(&guilty)["liable"].clone(), facts(&guilty)["scores"].clone()), (json!(0), json!([-5, 5, 0])));
    // The highest single is no offence.
    let mut innocent = session(&rules, json!({"hands": ["345", "6", "89T"], "to_move": 0}));
    play(&mut innocent, &["5", "6"]);
    assert_eq!(
        (facts(&innocent)["liable"].clone(), facts(&innocent)["scores"].clone()),
        (Value::Null, json!([-2, 5, -3]))
    );
    // Nor is a pair.
    let mut pair = session(&rules, json!({"hands": ["33K", "6", "89T"], "to_move": 0}));
    play(&mut pair, &["33", "pass", "pass"]);
    assert_eq!(pair.state().state().offence(), None);
}

#[test]
fn a_pass_voids_the_offence() {
    let rules = options(r#"{"baodan":"liability","must_beat":false}"#);
    let mut session = session(&rules, json!({"hands": ["35K", "6", "89T"], "to_move": 0}));
    play(&mut session, &["5"]);
    assert_eq!(session.state().state().offence(), Some(0));
    play(&mut session, &["pass"]);
    assert_eq!(session.state().state().offence(), None);
    play(&mut session, &["8", "pass", "pass", "9", "pass", "pass", "T"]);
    assert_eq!(facts(&session)["liable"], Value::Null);
}

/// Who is locked cannot go out: another's last card punishes nobody.
#[test]
fn offence_before_a_locked_seat() {
    let rules = options(r#"{"baodan":"liability","must_beat":false,"pass_locks":true}"#);
    let setup =
        json!({"hands": ["35KA", "9", "T"], "to_move": 0, "locked": [1], "trick": {"play": "4", "by": 2}, "passes": 0});
    let mut session = session(&rules, setup);
    play(&mut session, &["5", "T"]);
    assert_eq!((facts(&session)["winner"].clone(), facts(&session)["liable"].clone()), (json!(2), Value::Null));
}

#[test]
fn in_ranking_an_offence_has_no_effect() {
    let rules = options(r#"{"baodan":"liability","end":"ranking"}"#);
    let mut session = session(&rules, json!({"hands": ["35K", "6", "89T"], "to_move": 0}));
    play(&mut session, &["5", "6"]);
    assert_eq!((session.turn(), facts(&session)["liable"].clone()), (Turn::Seat(2), Value::Null));
}

/// The last play of who is out stays; if nobody beats it, the next seat with cards leads.
#[test]
fn ranking_hands_the_lead_on() {
    let rules = options(r#"{"end":"ranking","baodan":"off"}"#);
    let mut session = session(&rules, json!({"hands": ["A", "35", "467"], "to_move": 0}));
    play(&mut session, &["A"]);
    assert_eq!((session.turn(), session.state().state().trick().unwrap().2), (Turn::Seat(1), 0));
    play(&mut session, &["pass", "pass"]);
    assert_eq!((session.turn(), session.state().state().trick()), (Turn::Seat(1), None));
    play(&mut session, &["3", "4", "5"]);
    let facts = facts(&session);
    assert_eq!(
        (&facts["finishing_order"], &facts["winner"], &facts["scores"]),
        (&json!([0, 1, 2]), &json!(0), &json!([2, 0, -2]))
    );
    assert_eq!(facts["cards_left"], json!(["", "", "67"]));
}

/// A short play on the table (possible when the deal goes on) is beaten by a full one and by a longer short one.
#[test]
fn beating_a_short_play() {
    let start = json!({"hands": ["4448", "3555668", "777QQ9"], "to_move": 0});
    let mut ranking = session(&options(r#"{"end":"ranking"}"#), start.clone());
    play(&mut ranking, &["4448"]);
    assert_eq!(facts(&ranking)["reading"], json!(["tri", 1, 1, 1, true]));
    assert!(legal(ranking.state()).contains(&"55566".to_owned()), "{:?}", legal(ranking.state()));
    assert!(!legal(ranking.state()).contains(&"555".to_owned()));
    play(&mut ranking, &["55566", "777QQ"]);
    // Where only equal numbers of kickers compare, five cards do not beat four.
    let mut strict = session(&options(r#"{"end":"ranking","short_follow":false}"#), start);
    play(&mut strict, &["4448"]);
    assert_eq!(legal(strict.state()), ["pass"]);
    // And a short one that empties the hand beats a full one.
    let mut last = session(&options("{}"), json!({"hands": ["444889", "5553", "777QQ9"], "to_move": 0}));
    play(&mut last, &["44488"]);
    assert_eq!(legal(last.state()), ["3555"]);
    play(&mut last, &["5553"]);
    assert_eq!(facts(&last)["winner"], json!(1));
}

#[test]
fn a_match_goes_on_with_the_winner() {
    let rules = options(r#"{"deals":3}"#);
    let mut session = Session::<PaoDeKuai>::new(3, rules, None, 5).unwrap();
    let (mut rng, mut buffer) = (Rng::new(1), Vec::new());
    let mut totals = [0.0; 3];
    for deal in 1..=3 {
        assert_eq!(session.turn(), Turn::Chance(0));
        let winner = session.state().state().winner();
        session.roll();
        if let Some(winner) = winner {
            assert_eq!(session.turn(), Turn::Seat(winner), "the winner of deal {} leads", deal - 1);
            assert_eq!(facts(&session)["must_include"], Value::Null);
        } else {
            assert_eq!(facts(&session)["must_include"], json!("3"));
        }
        while session.turn().seat().is_some() {
            common::random_step(&mut session, &mut rng, &mut buffer);
        }
        let facts = facts(&session);
        assert_eq!(session.state().state().deals_finished(), deal);
        for (seat, total) in totals.iter_mut().enumerate() {
            *total += facts["scores"][seat].as_f64().unwrap();
        }
        assert_eq!(facts["terminal"], json!(deal == 3));
        assert_eq!(session.returns().as_slice(), totals);
    }
    assert_eq!(session.state().result_text(None).unwrap().split(',').count(), 3);
    // A match is won by points, whoever was first out in its last deal.
    assert_eq!(session.win_returns(), session.returns().win_returns());
}

#[test]
fn lead_card_and_rotate_in_a_match() {
    for (rules, expected) in
        [(r#"{"deals":4,"lead":"rotate"}"#, Some([0, 1, 2, 0])), (r#"{"deals":4,"lead":"card"}"#, None)]
    {
        let mut session = Session::<PaoDeKuai>::new(3, options(rules), None, 9).unwrap();
        let (mut rng, mut buffer) = (Rng::new(2), Vec::new());
        for deal in 0..4 {
            session.roll();
            let leader = session.turn().seat().unwrap();
            match expected {
                Some(seats) => assert_eq!(leader, seats[deal]),
                None => assert_eq!(session.state().state().lead_evidence(), LeadEvidence::HoldsCard),
            }
            while session.turn().seat().is_some() {
                common::random_step(&mut session, &mut rng, &mut buffer);
            }
        }
        assert!(session.turn().is_terminal());
    }
}

/// `deals` and `target` may stand in the header itself.
#[test]
fn a_match_to_a_target() {
    let record = Record::read(b"{\"kiebitz\":1,\"game\":\"paodekuai\",\"players\":3,\"target\":30}\n").unwrap().record;
    let mut game = GameType::<PaoDeKuai>::new().start(&record.header, 3).unwrap();
    let mut rng = Rng::new(3);
    let mut deals = 0;
    while !game.turn().is_terminal() {
        if game.turn().seat().is_none() {
            assert!(game.returns().as_slice().iter().all(|&total| total < 30.0));
            deals += 1;
            game.roll();
            continue;
        }
        let legal = game.legal();
        game.play(&legal[rng.below(legal.len())]).unwrap();
    }
    assert!(deals > 1 && game.returns().as_slice().iter().any(|&total| total >= 30.0), "{deals}");
    let again = game.record();
    assert_eq!(again.header.rules().get("target"), Some(&json!(30)));
    let mut replayed = GameType::<PaoDeKuai>::new().start(&again.header, 4).unwrap();
    for line in &again.lines {
        replayed.perform(line).unwrap();
    }
    assert_eq!(replayed.returns(), game.returns());
}

#[test]
fn deals_that_cannot_be() {
    let session = Session::<PaoDeKuai>::new(2, options(&small("")), None, 0).unwrap();
    let game = session.state();
    for text in [
        "deal S3S4S5",
        "deal S3S4S5/H3H4H5/S6H6/S3",
        "deal S3S4S5/H3H4",
        "deal S3S4S5/H3H4S3",
        "deal S3S4S5/H3H4S7",
        "deal S3S4S5/H3H4H",
        "deal S3S4S5/H3H4HX",
        "deal S3S4S5/?4/?2",
        "deal S3S4S5/H3H4H5/S6",
    ] {
        let refused = game.parse_action(text).and_then(|action| game.check(action));
        assert!(refused.is_err(), "{text}");
    }
    assert_eq!(game.check(Action::PASS).unwrap_err().code, "paodekuai.deal");
    let mut dealt = session.clone();
    play(&mut dealt, &["deal S3S4S5/H3H4H5/S6H6"]);
    assert_eq!(dealt.state().state().phase(), Phase::Play);
    let action = game.parse_action("deal S3S4S5/H3H4H5/S6H6").unwrap();
    assert_eq!(dealt.state().check(action).unwrap_err().code, "paodekuai.dealt");
    let line = Line::action(kiebitz_core::record::By::Chance, "deal S3S4S5/H3H4H5/S6H6");
    assert!(DynGame::perform(&mut dealt, &line).is_err());
}
