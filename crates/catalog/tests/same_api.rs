//! One interface for all games: what plays Go plays Kuhn poker, through the same calls.

mod go_support;

use go_support::{NO_STOP, analyze, player};
use kiebitz_catalog::game;
use kiebitz_core::record::Header;
use kiebitz_core::{Analysis, Budget, DynGame, ManualClock, Payoff, Thinking, Turn};
use serde_json::{Value, json};

/// Plays a whole game with one player of this spec in every seat; knows nothing of the game.
fn play_out(name: &str, rules: &Value, spec: &str, seed: u64) -> (Vec<Analysis>, Payoff) {
    let entry = game(name).unwrap();
    let header =
        Header::new(name, entry.game.default_players(rules.as_object().unwrap()), rules.as_object().unwrap().clone());
    let mut session = entry.game.start(&header, seed).unwrap();
    let players = session.meta().players;
    let mut players: Vec<_> = (0..players).map(|_| player(name, spec)).collect();
    let clock = ManualClock::new();
    let mut said = Vec::new();
    loop {
        match session.turn() {
            Turn::Terminal => return (said, session.returns()),
            Turn::Chance(_) => {
                session.roll().expect("chance acts");
            }
            Turn::Seat(seat) => {
                let thinking = Thinking::new(Budget::visits(200), &clock, &NO_STOP, seed);
                let analysis = players[usize::from(seat)].analyze(session.as_ref(), &thinking).unwrap();
                assert_eq!(analysis.seat, seat);
                session.play(&analysis.best().expect("a candidate").action).expect("a legal action");
                said.push(analysis);
            }
        }
    }
}

#[test]
fn kuhn_with_ismcts_and_pimc_by_the_calls_that_play_go() {
    for (name, rules, spec) in [
        ("go", json!({"size": 5}), "uct:visits=50"),
        ("go", json!({"size": 5}), "puct:visits=50"),
        ("go", json!({"size": 5}), "ismcts:visits=50"),
        ("kuhn", json!({}), "ismcts:visits=200"),
        ("kuhn", json!({}), "pimc"),
        ("kuhn", json!({}), "pimc:samples=30,combine=vote"),
        ("tictactoe", json!({}), "uct:visits=200"),
        ("countdown", json!({}), "openloop:visits=200"),
    ] {
        for seed in 0..6 {
            let (said, returns) = play_out(name, &rules, spec, seed);
            assert!(!said.is_empty());
            assert!(returns.as_slice().iter().sum::<f64>().abs() < 1e-9, "{name}: {returns:?}");
            for analysis in &said {
                let mut actions: Vec<_> = analysis.candidates.iter().map(|c| &c.action).collect();
                actions.sort_unstable();
                actions.dedup();
                assert_eq!(actions.len(), analysis.candidates.len(), "{name}, {spec}: each candidate once");
                for candidate in &analysis.candidates {
                    assert!(candidate.utility.iter().all(|u| (0.0..=1.0).contains(&u.mean)), "{candidate:?}");
                    assert_eq!(candidate.pv.first(), Some(&candidate.action));
                }
            }
            assert_eq!(play_out(name, &rules, spec, seed), (said, returns), "{name}, {spec}: the same again");
        }
    }
}

/// Kuhn poker for two with these cards, after these bets.
fn kuhn(deal: &str, bets: &str) -> Box<dyn DynGame> {
    let mut session = game("kuhn").unwrap().game.start(&Header::new("kuhn", 2, Default::default()), 0).unwrap();
    session.play(&format!("deal {deal}")).unwrap();
    for bet in bets.split_whitespace() {
        session.play(bet).unwrap();
    }
    session
}

#[test]
fn kuhn_the_sure_actions_are_found() {
    for spec in ["ismcts:visits=2000", "pimc:samples=100,visits=100000"] {
        for other in [1, 2] {
            let analysis = analyze(spec, kuhn(&format!("{other},3"), "bet").as_ref(), 1);
            assert_eq!(analysis.candidates[0].action, "bet", "{spec} with the highest card calls");
        }
        for other in [2, 3] {
            let analysis = analyze(spec, kuhn(&format!("{other},1"), "bet").as_ref(), 1);
            assert_eq!(analysis.candidates[0].action, "pass", "{spec} with the lowest card folds");
        }
    }
}

#[test]
fn kuhn_the_card_of_the_other_changes_nothing() {
    for spec in ["ismcts:visits=500", "pimc:samples=40,visits=100000"] {
        for (bets, one, two) in [("", "2,1", "2,3"), ("pass", "1,2", "3,2"), ("bet", "1,2", "3,2")] {
            let [a, b] = [one, two].map(|deal| analyze(spec, kuhn(deal, bets).as_ref(), 9));
            assert_eq!(a, b, "{spec} after '{bets}'");
        }
    }
}

#[test]
fn a_player_refuses_another_game() {
    let clock = ManualClock::new();
    let thinking = Thinking::new(Budget::visits(10), &clock, &NO_STOP, 1);
    let error = player("go", "ismcts").analyze(kuhn("1,2", "").as_ref(), &thinking).unwrap_err();
    assert_eq!((error.code, &*error.message), ("player.game", "this player was made for go, not for kuhn"));
}
