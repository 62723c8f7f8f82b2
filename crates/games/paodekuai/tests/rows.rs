//! Rows of the requirements (PD-…) and regressions (P…) of Pao De Kuai that the rules, the light policy and the solver show.

mod common;

use common::{all_sets, cards, legal, naive, options, play, position, random_hand, random_step, session};
use kiebitz_core::{Game, Knowledge, Notation, Observer, Rng, Scratch, Session, Turn};
use kiebitz_paodekuai::{
    Action, CardSet, Cards, LightPolicy, Options, PRESETS, PaoDeKuai, PaoDeKuaiKnowledge, PlayoutPolicy, Rules, Setup,
    Situation, Solver, State,
};
use serde_json::json;

/// The fragments did not compile, and their classes were never shown: here a deal runs from the shuffle to the scores.
#[test]
fn p1_p2_pd_01_pd_02_a_whole_game_runs() {
    let (mut rng, mut buffer) = (Rng::new(1), Vec::new());
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, 1).unwrap();
    while random_step(&mut session, &mut rng, &mut buffer) {}
    assert_eq!(session.turn(), Turn::Terminal);
    assert!(session.state().result_text(None).is_some_and(|text| text.split(',').count() == 3));
}

/// Passes, follows and finishing moves come from one list that is already filtered: who could finish with a play that does not
/// beat the trick does not.
#[test]
fn p4_pd_19_finishing_moves_must_beat() {
    let game =
        session(&options("{}"), json!({"hands": ["456", "78", "33"], "to_move": 2, "trick": {"play": "44", "by": 0}}));
    let (light, mut rng) = (LightPolicy::default(), Rng::new(1));
    assert_eq!(light.choose(game.state().rules(), game.state().state(), &mut rng, &mut Vec::new()), Action::PASS);
    let game =
        session(&options("{}"), json!({"hands": ["456", "78", "55"], "to_move": 2, "trick": {"play": "44", "by": 0}}));
    let choice = light.choose(game.state().rules(), game.state().state(), &mut rng, &mut Vec::new());
    assert_eq!(choice, Action::play(cards("55")));
}

/// Where only a bomb beats and passing is allowed, it bombs with probability 0.2: within three standard errors in 10,000 calls.
#[test]
fn p5_pd_17_bombs_with_probability_one_in_five() {
    let setup = json!({"hands": ["456A", "37777", "8899"], "to_move": 1, "trick": {"play": "A", "by": 2}, "played": ["", "", "A"]});
    let free = session(&options(r#"{"must_beat":false}"#), setup.clone());
    let mut rng = Rng::new(5);
    let mut count = |game: &PaoDeKuai, light: LightPolicy| {
        let choices = (0..10_000).map(|_| light.choose(game.rules(), game.state(), &mut rng, &mut Vec::new()));
        choices.filter(|choice| !choice.is_pass()).count() as f64
    };
    let bombs = count(free.state(), LightPolicy::default());
    assert!((bombs - 2_000.0).abs() < 3.0 * 1_600f64.sqrt(), "{bombs}");
    let half = count(free.state(), LightPolicy { bomb: 0.5, ..LightPolicy::default() });
    assert!((half - 5_000.0).abs() < 3.0 * 2_500f64.sqrt(), "{half}");
    // It must where passing is illegal, and does when an opponent is nearly out.
    assert_eq!(count(session(&options("{}"), setup.clone()).state(), LightPolicy::default()), 10_000.0);
    let mut close = setup;
    close["hands"][0] = json!("45");
    assert_eq!(count(session(&options(r#"{"must_beat":false}"#), close).state(), LightPolicy::default()), 10_000.0);
}

/// The rest of policy 2: smallest single or pair on lead, smallest that beats when following, without splitting ranks.
#[test]
fn pd_17_pd_20_light_policy() {
    let choose = |hands: [&str; 3], trick: Option<&str>, rules: &str| {
        let trick = trick.map(|play| json!({"play": play, "by": 2}));
        let game = session(&options(rules), json!({"hands": hands, "to_move": 0, "trick": trick}));
        let choice = LightPolicy::default().choose(
            game.state().rules(),
            game.state().state(),
            &mut Rng::new(1),
            &mut Vec::new(),
        );
        assert!(game.state().is_legal(choice));
        game.state().action_text(choice)
    };
    assert_eq!(choose(["3556", "89", "TT"], None, "{}"), "3");
    assert_eq!(choose(["33556", "89", "TT"], None, "{}"), "33");
    assert_eq!(choose(["34567", "89", "TT"], None, "{}"), "34567");
    assert_eq!(choose(["5568", "99", "TT"], Some("4"), "{}"), "6");
    assert_eq!(choose(["55688", "99", "TT"], Some("6"), "{}"), "8");
    assert_eq!(choose(["555668", "99", "TT"], Some("44"), "{}"), "66");
    assert_eq!(choose(["3568", "9", "TT"], None, "{}"), "8");
    assert_eq!(choose(["355", "9", "TT"], None, "{}"), "55");
    assert_eq!(choose(["5556778", "99", "TT"], Some("44433"), "{}"), "55577");
    assert_eq!(choose(["3333", "99", "TT"], None, r#"{"bomb_split":false}"#), "3333");
}

#[test]
fn pd_16_pd_20_playouts_end_and_are_legal() {
    let knowledge = PaoDeKuaiKnowledge::default();
    for (name, options, players) in all_sets() {
        let start = PaoDeKuai::new(players, &options, None).unwrap();
        let (mut rng, mut scratch, mut trace) = (Rng::new(9), Scratch::default(), Vec::new());
        for _ in 0..60 {
            trace.clear();
            let mut game = start.clone();
            let outcome = knowledge.playout(&mut game, &mut rng, &mut scratch, Some(&mut trace));
            assert!(game.state().is_deal_over() && trace.len() <= 52 * usize::from(players), "{name}");
            assert_eq!(outcome.returns.as_slice().iter().sum::<f64>(), 0.0, "{name}");
        }
        // A search may ask for the policy's choice out of a list.
        let mut game = start;
        game.apply(game.sample(&mut rng, &mut Vec::new()));
        if game.turn().seat().is_some() {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            assert!(knowledge.pick(&game, &actions, &mut rng) < actions.len());
        }
    }
}

/// Rule sets are documented configurations.
#[test]
fn pd_04_rule_sets_are_options() {
    for name in PRESETS {
        let options = Options::preset(name).expect(name);
        assert!(options.faults(options.players.unwrap_or(3)).is_empty(), "{name}");
    }
}

/// The legal plays of hands of up to ten cards are all sub-multisets that the rules allow.
#[test]
fn pd_05_generator_equals_brute_force() {
    let options = Options::default();
    let rules = Rules::new(&options, 3).unwrap();
    let (mut rng, mut buffer) = (Rng::new(6), Vec::new());
    for _ in 0..500 {
        let hand = random_hand(&rules, 10, &mut rng);
        rules.plays(&Situation::lead(hand), &mut buffer);
        let found: Vec<Cards> = buffer.iter().map(|action| action.cards()).collect();
        assert!(found.iter().eq(naive::plays(&options, hand, None, None, false).iter()), "{hand}");
    }
}

/// On a known deal the game can be solved; that is what the endgame solver does.
#[test]
fn pd_06_pd_39_known_endgames_are_solved_and_proven_wins_kept() {
    let rules = Rules::new(&Options::preset("duel16").unwrap(), 2).unwrap();
    let (mut rng, mut wins) = (Rng::new(4), 0);
    for _ in 0..60 {
        let deck: Vec<_> = rules.deck().to_vec();
        let mut order: Vec<usize> = (0..deck.len()).collect();
        rng.shuffle(&mut order);
        let hand = |range: std::ops::Range<usize>| order[range].iter().map(|&i| deck[i]).collect::<CardSet>().ranks();
        let game = position(rules.options(), &Setup::lead(&[hand(0..5), hand(5..10)], 0));
        let mut solver = Solver::new(game.rules(), 1_000_000);
        let winner = if solver.wins(game.state(), 0).unwrap() { 0 } else { 1 };
        assert_eq!(solver.wins(game.state(), 1).unwrap(), winner == 1, "one of two players wins");
        // The winner follows the solver, the loser plays at random: the win is never lost.
        let mut session =
            Session::<PaoDeKuai>::new(2, rules.options().clone(), Some(Setup::lead(&[hand(0..5), hand(5..10)], 0)), 0)
                .unwrap();
        let mut buffer = Vec::new();
        while let Turn::Seat(seat) = session.turn() {
            if seat != winner {
                random_step(&mut session, &mut rng, &mut buffer);
                continue;
            }
            let solved = solver.root(session.state().state()).unwrap();
            let action = solved.iter().find(|solved| solved.wins).expect("a winning action").action;
            session.play(action).unwrap();
        }
        assert_eq!(session.state().state().winner(), Some(winner));
        wins += usize::from(winner == 0);
    }
    assert!((10..55).contains(&wins), "{wins}");
}

/// The public state has what its list asks for, and the count of passes and the free lead that the list forgets.
#[test]
fn pd_11_the_view_has_the_whole_public_state() {
    let mut game = session(&options(r#"{"must_beat":false}"#), json!({"hands": ["345K", "67A", "89T"], "to_move": 0}));
    play(&mut game, &["3", "6", "pass"]);
    let view = game.view(Observer::Seat(0));
    assert_eq!(view["hands"], json!(["45K", "?2", "?3"]));
    assert_eq!((&view["to_move"], &view["passes"], &view["terminal"]), (&json!(0), &json!(1), &json!(false)));
    assert_eq!((&view["trick"]["by"], &view["trick"]["play"]), (&json!(1), &json!("6")));
    assert_eq!((&view["counts"], &view["played"]), (&json!([3, 2, 3]), &json!(["3", "6", ""])));
    play(&mut game, &["pass"]);
    assert_eq!(game.view(Observer::Seat(0))["trick"], json!(null));
}

/// The order of cards does not matter, the public history does.
#[test]
fn pd_12_information_keys() {
    let dealt = |deal: &str| {
        let mut session =
            Session::<PaoDeKuai>::new(2, options(r#"{"hand":2,"deck":"custom","removed":[]}"#), None, 0).unwrap();
        play(&mut session, &[deal]);
        session
    };
    let kitty = |own: &str| {
        let own: CardSet = (0..4).map(|i| kiebitz_paodekuai::Card::parse(&own[2 * i..2 * i + 2]).unwrap()).collect();
        CardSet::FULL.without(own).to_string()
    };
    let first = dealt(&format!("deal S3S5/H6H7/{}", kitty("S3S5H6H7")));
    let second = dealt(&format!("deal S5S3/H7H6/{}", kitty("S3S5H6H7")));
    assert_eq!(first.state().information_key(0), second.state().information_key(0));
    assert_eq!(first.state(), second.state());
    let other = dealt(&format!("deal S3S5/H6H8/{}", kitty("S3S5H6H8")));
    assert_eq!(first.state().information_key(0), other.state().information_key(0), "another hand is not seen");
    assert_ne!(first.state().information_key(1), other.state().information_key(1));
    // The same cards played in another order.
    let line = |actions: &[&str]| {
        let mut game =
            session(&options(r#"{"must_beat":false}"#), json!({"hands": ["34KK", "56AA", "78TT"], "to_move": 0}));
        play(&mut game, actions);
        game
    };
    let (a, b) = (line(&["3", "pass", "pass", "4", "pass", "pass"]), line(&["4", "pass", "pass", "3", "pass", "pass"]));
    assert_eq!(a.state().state().hand(0), b.state().state().hand(0));
    assert_ne!(a.state().information_key(1), b.state().information_key(1));
}

/// Worlds agree with the numbers of cards, what was played, and what passes prove.
#[test]
fn pd_18_worlds_are_consistent_with_public_information() {
    let setup = json!({"hands": ["34", "?3", "?2"], "to_move": 0, "played": ["55", "9", ""], "plays_made": [1, 1, 0],
        "evidence": [{"seat": 1, "trick": ["pair", 1, 3, 0, false], "played_since": "9"}]});
    let game = session(&options("{}"), setup);
    let mut rng = Rng::new(8);
    for _ in 0..500 {
        let seen = game.seen(0, rng.next_u64());
        let state = seen.sample_world().state();
        let (first, second) = (state.hand(1).unwrap(), state.hand(2).unwrap());
        assert_eq!((first.len(), second.len()), (3, 2));
        let with_nine = first.plus(cards("9"));
        assert!((4..13).all(|rank| with_nine.count(rank) < 2), "{first}: no pair above the sixes, nines counted");
        assert!(first.count(2) + second.count(2) <= 2);
    }
}

/// Cards left, bombs and shut-outs are paid; see `scoring.rs` for each rule.
#[test]
fn pd_27_returns_follow_the_rule_set() {
    let game = |rules: &str| {
        let setup = json!({"hands": ["A", "3456", "789"], "to_move": 0, "plays_made": [1, 0, 1], "bombs": [1]});
        let mut session = session(&options(rules), setup);
        play(&mut session, &["A"]);
        session.returns().as_slice().to_vec()
    };
    assert_eq!(game("{}"), [11.0 - 10.0, -8.0 + 20.0, -3.0 - 10.0]);
    assert_eq!(game(r#"{"card_point":2,"shutout":1,"bomb_points":0}"#), [14.0, -8.0, -6.0]);
}

#[test]
fn pd_32_states_are_small() {
    assert!(
        size_of::<State>() <= 128 && size_of::<PaoDeKuai>() <= 128,
        "{} {}",
        size_of::<State>(),
        size_of::<PaoDeKuai>()
    );
    fn is_copy<T: Copy>() {}
    is_copy::<State>();
}

/// No deal is longer than its cards allow: a cap of 200 rounds is never met, in 100,000 playouts of either policy.
#[test]
fn pd_34_deals_end_by_themselves() {
    let start = PaoDeKuai::new(3, &Options::default(), None).unwrap();
    for policy in [PlayoutPolicy::Random, PlayoutPolicy::Light] {
        let knowledge = PaoDeKuaiKnowledge { policy, ..PaoDeKuaiKnowledge::default() };
        let (mut rng, mut scratch, mut trace, mut longest) = (Rng::new(2), Scratch::default(), Vec::new(), 0);
        for _ in 0..50_000 {
            trace.clear();
            knowledge.playout(&mut start.clone(), &mut rng, &mut scratch, Some(&mut trace));
            longest = longest.max(trace.len());
        }
        assert!(longest > 60 && longest <= 48 * 3, "{policy:?}: {longest}");
    }
}

/// The legal list of a state is a function of the state: nothing is cached that could differ.
#[test]
fn pd_33_lists_are_identical() {
    let (mut rng, mut buffer) = (Rng::new(3), Vec::new());
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, 3).unwrap();
    while random_step(&mut session, &mut rng, &mut buffer) {
        assert_eq!(legal(session.state()), legal(&session.state().clone()));
    }
}
