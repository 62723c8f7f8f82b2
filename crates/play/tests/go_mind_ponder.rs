//! Thinking on the opponent's time, and what a mind keeps.

mod go_mind_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use go_mind_support::{BLACK, WHITE, answer, decide, empty, mind, mind_with, play};
use kiebitz_core::{Analysis, Forfeit, Step};
use kiebitz_go::Move;
use kiebitz_play::clock::ClockState;
use kiebitz_play::go_mind::{Action, Hopeless, MindOptions, PonderRequest, Request, ResignRule};
use serde_json::json;

/// Waits until the background search has done so many visits.
fn ponder_until(
    mind: &mut kiebitz_play::go_mind::GoMind,
    session: &kiebitz_core::Session<kiebitz_go::Go>,
    visits: u64,
) {
    let seen = Arc::new(AtomicU64::new(0));
    let writer = seen.clone();
    let listener = move |analysis: &Analysis| writer.store(analysis.visits, Ordering::Relaxed);
    let request =
        PonderRequest { listener: Some(Arc::new(listener)), every: Duration::ZERO, ..PonderRequest::default() };
    mind.ponder_with(session, session.state().to_move(), request).unwrap();
    // The manual clock stands still, so reports come whenever the search looks at it.
    while seen.load(Ordering::Relaxed) < visits {
        std::thread::yield_now();
    }
}

#[test]
fn pondering_keeps_the_tree_for_the_next_move() {
    let mut session = empty(json!({"size": 7}));
    let mut mind = mind("uct:visits=300,early=off", 1);
    let first = decide(&mut mind, &session);
    session.play(first.action.as_move().unwrap()).unwrap();
    ponder_until(&mut mind, &session, 3000);
    assert!(mind.is_pondering());
    let found = mind.stop().expect("it found something");
    assert!(found.visits >= 3000 && found.seat == 1);
    assert!(!mind.is_pondering() && mind.stop().is_none());
    // The opponent plays what was looked at most: much of the work is there already.
    play(&mut session, &found.candidates[0].action);
    let next = decide(&mut mind, &session);
    let reused = next.analysis.visits - 300;
    assert!(reused >= found.candidates[0].visits / 2, "{reused} of {}", found.candidates[0].visits);
    // And what was found for our own move before is there too.
    let mut fresh = go_mind_support::mind("uct:visits=300,early=off", 1);
    assert_eq!(decide(&mut fresh, &session).analysis.visits, 300);
}

#[test]
fn any_call_stops_pondering_and_a_mind_can_be_dropped_while_it_ponders() {
    let session = empty(json!({"size": 9}));
    let mut thinking = mind("uct:visits=50", 1);
    thinking.ponder(&session);
    assert!(thinking.is_pondering());
    assert_ne!(answer(&mut thinking, &session), "pass");
    assert!(!thinking.is_pondering());
    thinking.ponder(&session);
    thinking.reset();
    assert!(!thinking.is_pondering());
    thinking.ponder(&session);
    drop(thinking);
    // With two threads as well.
    let mut thinking = mind("uct:visits=50,threads=2", 1);
    thinking.ponder(&session);
    assert!(thinking.stop().is_some());
    // Nothing to ponder after the end.
    let mut over = session.clone();
    over.perform(Step::Forfeit(Forfeit::Resign(0))).unwrap();
    thinking.ponder(&over);
    assert!(!thinking.is_pondering());
    assert_eq!(thinking.genmove(&over, BLACK, &ClockState::unlimited(2)).unwrap_err().code, "mind.over");
}

#[test]
fn one_mind_plays_both_colours_with_one_tree() {
    let mut session = empty(json!({"size": 7}));
    let mut mind = mind("uct:visits=2000,early=off", 1);
    let first = decide(&mut mind, &session);
    session.play(first.action.as_move().unwrap()).unwrap();
    let second = decide(&mut mind, &session);
    assert!(second.analysis.visits > 2000, "{}", second.analysis.visits);
}

#[test]
fn a_move_out_of_turn_is_for_the_colour_asked() {
    let session = empty(json!({"size": 5}));
    let mut mind = mind("uct:visits=100", 1);
    let decision = mind.genmove(&session, WHITE, &ClockState::unlimited(2)).unwrap();
    assert_eq!(decision.analysis.seat, 1);
    assert!(matches!(decision.action, Action::Play(_)));
    // After two passes a controller may ask on.
    let mut ended = session.clone();
    play(&mut ended, "C3 pass pass");
    assert!(ended.turn().is_terminal());
    let decision = mind.genmove(&ended, WHITE, &ClockState::unlimited(2)).unwrap();
    assert!(decision.action.as_move().is_some());
}

#[test]
fn only_some_moves_can_be_asked_for() {
    let session = empty(json!({"size": 9}));
    let size = session.state().size();
    let only: Vec<Move> = ["A1", "J9", "A9"].iter().map(|t| Move::parse(t, size).unwrap()).collect();
    let request = Request { only: Some(&only), ..Request::default() };
    let mut mind = mind("uct:visits=200,early=off", 1);
    let decision = mind.genmove_with(&session, BLACK, &ClockState::unlimited(2), &request).unwrap();
    assert!(only.contains(&decision.action.as_move().unwrap()));
    assert_eq!((decision.analysis.candidates.len(), decision.analysis.visits), (3, 200));
    // The restricted tree is not gone on with.
    let all = mind.analyze(&session, BLACK, &Request::default()).unwrap();
    assert_eq!(all.visits, 200);
    assert!(all.candidates.len() > 3, "{}", all.candidates.len());
    let none = [Move::parse("A1", size).unwrap()];
    let mut taken = session.clone();
    play(&mut taken, "A1");
    let request = Request { only: Some(&none), ..Request::default() };
    let error = mind.genmove_with(&taken, WHITE, &ClockState::unlimited(2), &request).unwrap_err();
    assert_eq!(error.code, "player.only");
}

#[test]
fn resigning_needs_three_hopeless_moves_in_a_row_and_a_third_of_the_game() {
    let mut session = empty(json!({"size": 3}));
    let rule = ResignRule::default();
    let mut hopeless = Hopeless::default();
    let note = |hopeless: &mut Hopeless, session: &kiebitz_core::Session<kiebitz_go::Go>, rate: f64| {
        hopeless.note(&rule, session.state(), BLACK, rate)
    };
    // Plies 0, 2, 4: three hopeless moves, and 3 of 9 points are played at ply 4.
    assert!(!note(&mut hopeless, &session, 0.05));
    play(&mut session, "B2 A1");
    assert!(!note(&mut hopeless, &session, 0.09));
    play(&mut session, "C3 A3");
    assert!(note(&mut hopeless, &session, 0.0));
    // One move that is not hopeless starts the count afresh.
    play(&mut session, "pass C1");
    assert!(!note(&mut hopeless, &session, 0.1));
    play(&mut session, "B1 pass");
    assert!(!note(&mut hopeless, &session, 0.05));
    // So does a move taken back.
    session.undo();
    session.undo();
    assert!(!note(&mut hopeless, &session, 0.05));
    // Not before a third of the points.
    let mut early = Hopeless::default();
    let session = empty(json!({"size": 9}));
    for _ in 0..5 {
        assert!(!early.note(&ResignRule { moves: 1, ..rule }, session.state(), WHITE, 0.0));
    }
}

#[test]
fn the_computer_resigns_only_when_told_to() {
    for resigns in [true, false] {
        // With a komi of -60.5 on 49 points White can never win.
        let mut session = empty(json!({"size": 7, "komi": -60.5}));
        let resign = resigns.then(|| ResignRule { not_before: 0.0, ..ResignRule::default() });
        let mut mind = mind_with("uct:visits=100", 1, MindOptions { resign, ..MindOptions::default() });
        for own in 1..=4 {
            play(&mut session, "pass");
            let decision = decide(&mut mind, &session);
            assert_eq!(decision.action == Action::Resign, resigns && own == 3, "own move {own}: {:?}", decision.action);
            let Some(mv) = decision.action.as_move() else { break };
            assert_ne!(mv, Move::PASS, "a pass would end a lost game in which nothing is settled");
            session.play(mv).unwrap();
        }
    }
}
