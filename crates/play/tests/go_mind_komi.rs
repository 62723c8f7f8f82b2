//! Dynamic komi in handicap games.

mod go_mind_support;

use go_mind_support::{BLACK, WHITE, decide, empty, mind_with, play};
use kiebitz_play::go_mind::{DynamicKomi, MindOptions};
use serde_json::json;

#[test]
fn the_win_rate_comes_near_a_half_in_a_handicap_game() {
    let rates = |dynamic_komi: bool| {
        let mut session = empty(json!({"size": 9, "handicap": 9}));
        let mut white = mind_with("uct:visits=300", 1, MindOptions { dynamic_komi, ..MindOptions::default() });
        let mut rates = Vec::new();
        for _ in 0..2 {
            let decision = decide(&mut white, &session);
            rates.push(decision.analysis.candidates[0].utility[1].mean);
            session.play(decision.action.as_move().unwrap()).unwrap();
            if session.turn().is_terminal() {
                break;
            }
            play(&mut session, "pass");
        }
        rates
    };
    let (real, shifted) = (rates(false), rates(true));
    assert!(real[0] < 0.2, "White is far behind: {real:?}");
    // The first shift is a guess from playouts, the second follows the search.
    let away = |rate: f64| (rate - 0.5).abs();
    assert!(shifted.len() == 2 && shifted.iter().all(|&r| away(r) < away(real[0])), "{real:?} {shifted:?}");
    assert!(away(shifted[1]) < 0.25, "{shifted:?}");
}

#[test]
fn the_shift_follows_the_win_rate_and_ends_in_mid_game() {
    let mut session = empty(json!({"size": 9, "handicap": 2}));
    let mut komi = DynamicKomi::default();
    assert!(DynamicKomi::applies(session.state()) && komi.is_new(session.state()));
    assert!(komi.begin(session.state(), 10.2));
    assert_eq!(komi.points(), 10.0);
    assert!(!komi.is_new(session.state()));
    assert!(!komi.follow(session.state(), WHITE, 0.5, Some(1.0)), "fair: nothing changes");
    // White behind gets more, White ahead less; for Black it is the other way round.
    assert!(komi.follow(session.state(), WHITE, 0.3, Some(-6.0)));
    assert_eq!(komi.points(), 13.0);
    assert!(komi.follow(session.state(), WHITE, 0.7, None));
    assert_eq!(komi.points(), 11.0);
    assert!(komi.follow(session.state(), BLACK, 0.9, Some(4.0)));
    assert_eq!(komi.points(), 13.0);
    // The search sees the other komi, the game does not.
    let shifted = komi.shifted(&session).unwrap().unwrap();
    assert_eq!(shifted.options().komi - session.options().komi, 52);
    assert_eq!(shifted.history(), session.history());
    // Never more than 15 points for each stone.
    for _ in 0..20 {
        komi.follow(session.state(), WHITE, 0.0, Some(-100.0));
    }
    assert_eq!(komi.points(), 30.0);
    for _ in 0..41 {
        play(&mut session, "pass");
        if session.turn().is_terminal() {
            session.undo();
            let free = session.state().size().iter().find(|&p| kiebitz_core::Game::is_legal(session.state(), p.into()));
            session.play(free.unwrap().into()).unwrap();
        }
    }
    assert!(!DynamicKomi::applies(session.state()));
    assert!(komi.follow(session.state(), WHITE, 0.1, None));
    assert!(komi.points() == 0.0 && komi.shifted(&session).unwrap().is_none());
    // Nor in an even game.
    assert!(!DynamicKomi::applies(empty(json!({"size": 9})).state()));
}
