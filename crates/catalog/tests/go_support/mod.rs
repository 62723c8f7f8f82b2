//! Short ways to positions, players and searches, for the tests of the rows of Go.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::atomic::AtomicBool;

use kiebitz_catalog::game;
use kiebitz_core::record::Header;
use kiebitz_core::{
    Analysis, Budget, Clock, DynGame, DynPlayer, GameType, Knowledge, ManualClock, Notation, Outcome, Rng, Scratch,
    Seat, Session, Thinking, Trace,
};
use kiebitz_go::{Go, GoBuffer, GoKnowledge, Move};
use kiebitz_search::{Context, Report, Search};
use serde_json::{Map, Value, json};

/// Nobody stops a search.
pub static NO_STOP: AtomicBool = AtomicBool::new(false);

/// A header of Go with these rules.
fn header(rules: &Value) -> Header {
    Header::new("go", 2, rules.as_object().unwrap().clone())
}

/// An empty board with these rules.
pub fn go(rules: Value) -> Session<Go> {
    GameType::session(&header(&rules), 0).unwrap()
}

/// A position: rows from the top, `X` black, `O` white, `.` empty; `to_move` is next.
pub fn position(mut rules: Value, rows: &[&str], to_move: &str) -> Session<Go> {
    rules["size"] = json!([rows[0].len(), rows.len()]);
    let mut setup = Map::new();
    for (name, mark) in [("black", 'X'), ("white", 'O')] {
        let mut points = Vec::new();
        for (row, line) in rows.iter().rev().enumerate() {
            for (column, _) in line.chars().enumerate().filter(|(_, c)| *c == mark) {
                points.push(format!("{}{}", b"ABCDEFGHJ"[column] as char, row + 1));
            }
        }
        setup.insert(name.to_owned(), points.into());
    }
    setup.insert("to_move".to_owned(), to_move.into());
    let mut header = header(&rules);
    header.set("setup", Value::Object(setup));
    GameType::session(&header, 0).unwrap()
}

/// Plays these texts for whoever is to move.
pub fn play(game: &mut dyn DynGame, moves: &str) {
    for text in moves.split_whitespace() {
        game.play(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

/// A move by its text.
pub fn mv(session: &Session<Go>, text: &str) -> Move {
    Move::parse(text, session.state().size()).unwrap()
}

/// The player of a spec.
pub fn player(name: &str, spec: &str) -> Box<dyn DynPlayer> {
    game(name).unwrap().player(&spec.parse().unwrap()).unwrap_or_else(|e| panic!("{spec}: {e}"))
}

/// What a new player of this spec says of the position, by a clock that stands still.
pub fn analyze(spec: &str, game: &dyn DynGame, seed: u64) -> Analysis {
    analyze_with(&mut *player(game.id(), spec), game, seed)
}

/// What a player says of the position.
pub fn analyze_with(player: &mut dyn DynPlayer, game: &dyn DynGame, seed: u64) -> Analysis {
    let clock = ManualClock::new();
    player.analyze(game, &Thinking::new(Budget::visits(50), &clock, &NO_STOP, seed)).unwrap()
}

/// Runs a search for the seat to move.
pub fn run<G: Notation>(
    search: &mut dyn Search<G>,
    session: &Session<G>,
    budget: Budget,
    clock: &dyn Clock,
) -> Report<G> {
    let seat = session.turn().seat().unwrap();
    search.run(&session.seen(seat, 1), &Context::new(budget, clock, &NO_STOP, 1)).unwrap()
}

/// The built-in knowledge of Go, watched: `F` is told of every playout, the moves of the simulation (those in the tree
/// first, where somebody asked for them) and its outcome.
pub struct Watched<F>(pub F);

impl<F: Fn(&[(Seat, Move)], &Outcome) + Send + Sync> Knowledge<Go> for Watched<F> {
    type Buffer = GoBuffer;

    fn playout(
        &self,
        game: &mut Go,
        rng: &mut Rng,
        scratch: &mut Scratch<Go, GoBuffer>,
        mut trace: Option<&mut Trace<Move>>,
    ) -> Outcome {
        let outcome = GoKnowledge::default().playout(game, rng, scratch, trace.as_deref_mut());
        self.0(trace.map_or(&[], |t| &t[..]), &outcome);
        outcome
    }

    fn amaf(&self, game: &Go, action: Move) -> Option<u32> {
        GoKnowledge::default().amaf(game, action)
    }

    fn amaf_size(&self, game: &Go) -> u32 {
        GoKnowledge::default().amaf_size(game)
    }

    fn has_amaf(&self) -> bool {
        GoKnowledge::default().has_amaf()
    }

    fn prune(&self, game: &Go, actions: &mut Vec<Move>) {
        GoKnowledge::default().prune(game, actions);
    }
}
