//! When the engine passes, ruleset by ruleset, and what it calls dead.

mod go_mind_support;

use go_mind_support::{WHITE, answer, decide, margin, mind, play, play_out, position};
use kiebitz_go::Point;
use kiebitz_go::status::Status;
use kiebitz_play::clock::ClockState;
use kiebitz_play::go_mind::{Action, Request};
use serde_json::json;

/// Black has the left, White the right, all of it alive, the borders closed: 4 columns and 3 columns of 7, nothing open.
const CLOSED: [&str; 7] = [".XX.XOO", "XXXXXO.", ".XXXXOO", "XXXXXO.", "X.XXXOO", "XXXXXO.", "X.XXXOO"];

/// As [`CLOSED`] with a dead white stone in Black's area, where there is more room.
const DEAD_WHITE: [&str; 7] = ["...XXOO", ".O.XXO.", "...XXOO", "XXXXXO.", "X.XXXOO", "XXXXXO.", "X.XXXOO"];

fn rules(name: &str, komi: f64) -> serde_json::Value {
    json!({"ruleset": name, "komi": komi})
}

const ALL: [&str; 11] = [
    "tromp-taylor",
    "chinese",
    "chinese-ogs",
    "chinese-kgs",
    "japanese",
    "korean",
    "stone-scoring",
    "aga",
    "bga",
    "new-zealand",
    "aga-button",
];

#[test]
fn a_won_and_finished_game_is_passed_at_once_under_every_ruleset() {
    for name in ALL {
        let mut session = position(rules(name, 0.5), &CLOSED, "white");
        play(&mut session, "pass");
        if name == "aga-button" {
            // White has the button; Black's pass and then White's are the two.
            play(&mut session, "pass");
            assert_eq!(answer(&mut mind("uct:visits=200", 1), &session), "pass", "{name}");
            continue;
        }
        let decision = decide(&mut mind("uct:visits=200", 1), &session);
        assert_eq!(decision.action, Action::Pass, "{name}");
        assert_eq!(decision.analysis.visits, 0, "{name}: nothing had to be searched");
        assert_eq!(decision.dead, Some(vec![]), "{name}");
    }
}

#[test]
fn who_is_ahead_passes_first_where_nothing_is_left() {
    for name in ALL {
        let session = position(rules(name, 0.5), &CLOSED, "black");
        assert_eq!(answer(&mut mind("uct:visits=300", 1), &session), "pass", "{name}");
    }
}

#[test]
fn tromp_taylor_takes_dead_stones_off_before_it_passes_if_they_decide() {
    // With the white stone dead Black has 35, White 14: with it alive Black's corner is nobody's.
    for (name, komi, expected) in [("tromp-taylor", 15.5, false), ("chinese", 15.5, true), ("tromp-taylor", 0.5, true)]
    {
        let mut session = position(rules(name, komi), &DEAD_WHITE, "white");
        play(&mut session, "pass");
        let literal = margin(&session);
        let mut mind = mind("uct:visits=400", 3);
        let decision = decide(&mut mind, &session);
        assert_eq!(
            decision.action == Action::Pass,
            expected,
            "{name} {komi}: literal {literal}, {:?}",
            decision.action
        );
        if expected && name == "chinese" {
            let dead: Vec<String> =
                decision.dead.unwrap().iter().map(|p| p.text(session.state().size()).to_string()).collect();
            assert_eq!(dead, ["B6"]);
        }
    }
}

#[test]
fn tromp_taylor_wins_against_an_opponent_that_only_passes() {
    for seed in 0..3 {
        let mut session = position(rules("tromp-taylor", 15.5), &DEAD_WHITE, "white");
        let mut black = mind("uct:visits=150", seed);
        for _ in 0..60 {
            if session.turn().is_terminal() {
                break;
            }
            if session.state().to_move() == WHITE {
                play(&mut session, "pass");
            } else {
                let action = decide(&mut black, &session).action;
                session.play(action.as_move().unwrap()).unwrap();
            }
        }
        assert!(session.turn().is_terminal(), "it ends");
        assert!(margin(&session) > 0.0, "{}: {:?}", margin(&session), session.state().board());
    }
}

#[test]
fn the_dead_list_is_the_one_it_passed_with() {
    let mut session = position(rules("chinese", 0.5), &DEAD_WHITE, "white");
    play(&mut session, "pass");
    let mut mind = mind("uct:visits=200", 1);
    let decision = decide(&mut mind, &session);
    assert_eq!(decision.action, Action::Pass);
    play(&mut session, "pass");
    let asked = mind.dead_stones(&session);
    assert_eq!(decision.dead, Some(asked.dead()));
    assert_eq!(asked.status(Point::parse("B6", session.state().size()).unwrap()), Some(Status::Dead));
    // Asked twice, the same answer.
    assert_eq!(mind.dead_stones(&session), asked);
}

/// Between the walls runs a column of neutral points.
const NEUTRAL: [&str; 7] = [".XX.OO.", "XXX.OOO", ".XX.OO.", "XXXXOOO", "X.XXO.O", "XXXXOOO", "X.XXO.O"];

#[test]
fn neutral_points_are_filled_where_they_count() {
    // Area: three neutral points are worth a point each.
    for name in ["chinese", "tromp-taylor", "aga", "new-zealand"] {
        let session = position(rules(name, 0.5), &NEUTRAL, "black");
        let first = answer(&mut mind("uct:visits=300", 1), &session);
        assert!(["D5", "D6", "D7"].contains(&first.as_str()), "{name}: {first}");
    }
    // Territory: Black is far enough ahead, whatever the open points cost.
    let session = position(rules("japanese", -20.5), &NEUTRAL, "black");
    assert_eq!(answer(&mut mind("uct:visits=300", 1), &session), "pass");
    // By the stones Black leads 4 to 3.5. The count would tax the territory that touches open points, 0 to 0.5: they are filled
    // before the pass.
    let mut rows = NEUTRAL;
    rows[6] = "X.XXOOO";
    let session = position(rules("japanese", 0.5), &rows, "black");
    let first = answer(&mut mind("uct:visits=300", 1), &session);
    assert!(["D5", "D6", "D7"].contains(&first.as_str()), "{first}");
}

#[test]
fn who_is_behind_does_not_pass_while_something_can_change() {
    // Black has everything, but White's C3 kills it.
    let rows = ["XXXXX", "XXXXX", "X...X", "XXXXX", "XXXXX"];
    for name in ["chinese", "tromp-taylor", "aga", "japanese"] {
        let mut session = position(rules(name, 0.5), &rows, "black");
        play(&mut session, "pass");
        assert_eq!(answer(&mut mind("uct:visits=400", 2), &session), "C3", "{name}");
        // Nor does Black pass its win away: it makes two eyes.
        let session = position(rules(name, 0.5), &rows, "black");
        assert_eq!(answer(&mut mind("uct:visits=400", 2), &session), "C3", "{name}");
    }
}

#[test]
fn a_lost_and_finished_game_is_not_played_on_for_ever() {
    for name in ["chinese", "tromp-taylor", "japanese", "aga-button"] {
        let mut session = position(rules(name, 60.5), &CLOSED, "black");
        let mut minds = [mind("uct:visits=100", 1), mind("uct:visits=100", 2)];
        play_out(&mut session, &mut minds);
        assert!(session.history().len() <= 12, "{name}: {}", session.history().len());
        assert!(margin(&session) < 0.0);
    }
}

#[test]
fn cleanup_does_not_pass_while_dead_enemy_stones_stand() {
    for name in ["chinese", "japanese"] {
        let mut session = position(rules(name, 0.5), &DEAD_WHITE, "black");
        let mut black = mind("uct:visits=100", 1);
        let request = Request { cleanup: true, ..Request::default() };
        let dead = Point::parse("B6", session.state().size()).unwrap();
        let mut moves = 0;
        while session.state().board().stone(dead) == Some(WHITE) {
            let decision =
                black.genmove_with(&session, session.state().to_move(), &ClockState::unlimited(2), &request).unwrap();
            assert_ne!(decision.action, Action::Pass, "{name}");
            session.play(decision.action.as_move().unwrap()).unwrap();
            play(&mut session, "pass");
            moves += 1;
            assert!(moves < 8, "{name}: it takes four moves");
        }
        let decision =
            black.genmove_with(&session, session.state().to_move(), &ClockState::unlimited(2), &request).unwrap();
        assert_eq!(decision.action, Action::Pass, "{name}");
    }
}

#[test]
fn in_a_seki_nobody_plays_the_shared_liberties() {
    // White's corner and Black's D1 to E2 with D3 share C1 and C2 and have no eyes; who plays there is taken.
    let rows = ["X.XXOO.O", "XXXXOOOO", "X.XXOO.O", "XXXXOOOO", "XXXOOOOO", "OOOXOOOO", "OO.XXOOO", "OO.XXOO."];
    for name in ["chinese", "tromp-taylor", "japanese"] {
        for komi in [0.5, -20.5] {
            for to_move in ["black", "white"] {
                let session = position(rules(name, komi), &rows, to_move);
                let first = answer(&mut mind("uct:visits=500", 1), &session);
                assert_eq!(first, "pass", "{name}, komi {komi}, {to_move}");
            }
        }
    }
}

#[test]
fn the_button_is_taken_when_nothing_else_is_left() {
    // Area: Black 35, White 14. With komi 21 the half point of the button decides, whoever takes it.
    for to_move in ["black", "white"] {
        let session = position(rules("aga-button", 21.0), &CLOSED, to_move);
        let black = kiebitz_go::area_owners(session.state().board(), &[]).iter().map(|&o| i32::from(o)).sum::<i32>();
        assert_eq!(black, 21, "the position is as described");
        assert_eq!(answer(&mut mind("uct:visits=300", 1), &session), "pass", "{to_move}");
    }
    // Where neutral points are open, they are worth twice the button.
    let session = position(rules("aga-button", 0.5), &NEUTRAL, "black");
    let first = answer(&mut mind("uct:visits=300", 1), &session);
    assert!(["D5", "D6", "D7"].contains(&first.as_str()), "{first}");
}
