//! Short ways to positions and minds.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::Arc;

use kiebitz_core::record::Header;
use kiebitz_core::{Clock, GameType, ManualClock, Session};
use kiebitz_go::{Color, Go, Move};
use kiebitz_play::clock::ClockState;
use kiebitz_play::go_mind::{Action, Decision, GoMind, MindOptions};
use serde_json::{Map, Value, json};

/// A game from a position: rows from the top, `X` black, `O` white, `.` empty; `to_move` is next.
pub fn position(mut rules: Value, rows: &[&str], to_move: &str) -> Session<Go> {
    rules["size"] = json!([rows[0].len(), rows.len()]);
    let mut setup = Map::new();
    for (name, mark) in [("black", 'X'), ("white", 'O')] {
        let mut points = Vec::new();
        for (row, line) in rows.iter().rev().enumerate() {
            for (column, _) in line.chars().enumerate().filter(|(_, c)| *c == mark) {
                points.push(format!("{}{}", b"ABCDEFGHJKLMNOPQRST"[column] as char, row + 1));
            }
        }
        setup.insert(name.to_owned(), points.into());
    }
    setup.insert("to_move".to_owned(), to_move.into());
    let mut header = Header::new("go", 2, rules.as_object().unwrap().clone());
    header.set("setup", Value::Object(setup));
    GameType::session(&header, 0).unwrap()
}

/// An empty board with these rules.
pub fn empty(rules: Value) -> Session<Go> {
    GameType::session(&Header::new("go", 2, rules.as_object().unwrap().clone()), 0).unwrap()
}

/// Plays these moves for whoever is to move.
pub fn play(session: &mut Session<Go>, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = Move::parse(text, session.state().size()).unwrap();
        session.play(mv).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

/// A mind that never looks at a real clock.
pub fn mind_with(spec: &str, seed: u64, options: MindOptions) -> GoMind {
    let clock: Arc<dyn Clock + Send + Sync> = Arc::new(ManualClock::new());
    GoMind::from_spec(&spec.parse().unwrap(), seed, options).unwrap().with_clock(clock)
}

pub fn mind(spec: &str, seed: u64) -> GoMind {
    mind_with(spec, seed, MindOptions::default())
}

/// The decision of the colour to move, without a clock.
pub fn decide(mind: &mut GoMind, session: &Session<Go>) -> Decision {
    mind.genmove(session, session.state().to_move(), &ClockState::unlimited(2)).unwrap()
}

/// Its text: a point, `pass` or `resign`.
pub fn text(session: &Session<Go>, action: Action) -> String {
    action.as_move().map_or("resign".to_owned(), |mv| mv.text(session.state().size()).to_string())
}

/// What the colour to move does, as text.
pub fn answer(mind: &mut GoMind, session: &Session<Go>) -> String {
    let decision = decide(mind, session);
    text(session, decision.action)
}

/// Lets two minds (for Black and for White) play to the end.
pub fn play_out(session: &mut Session<Go>, minds: &mut [GoMind; 2]) {
    for _ in 0..1000 {
        if session.turn().is_terminal() {
            return;
        }
        let color = session.state().to_move();
        let decision = decide(&mut minds[color.index()], session);
        let mv = decision.action.as_move().expect("nobody resigns");
        session.play(mv).unwrap();
    }
    panic!("the game does not end:\n{:?}", session.state().board());
}

/// Black's margin in points.
pub fn margin(session: &Session<Go>) -> f64 {
    f64::from(session.state().margin()) / 4.0
}

pub const BLACK: Color = Color::Black;
pub const WHITE: Color = Color::White;
