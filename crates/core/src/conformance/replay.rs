//! Sessions: taking back and doing again, records, and luck that does not depend on who drew numbers in between.

use serde_json::{Map, Value};

use super::memory::Memory;
use super::{Verdict, demand, fail};
use crate::record::Record;
use crate::{DynGame, DynGameType, GameType, Notation, Observer, Seat, Session, Step};

/// How many steps are taken back and done again.
const TAKEN_BACK: usize = 4;

/// Taking back restores the states before, doing again the states after, and luck does not change.
pub(super) fn undo_redo<G: Notation>(session: &Session<G>, states: &[G]) -> Verdict {
    let length = session.history().len();
    let back = length.min(TAKEN_BACK);
    let mut copy = session.clone();
    demand!(!copy.redo(), "session.redo", "there is something to do again although nothing was taken back");
    for i in 1..=back {
        demand!(copy.undo(), "session.undo", "only {} of {length} steps can be taken back", i - 1);
        demand!(
            *copy.state() == states[length - i],
            "session.undo",
            "after {i} steps were taken back the state is {:?}, it was {:?}",
            copy.state(),
            states[length - i]
        );
    }
    // The same luck comes again.
    let mut again = copy.clone();
    for step in &session.history()[length - back..] {
        match step {
            Step::Action { by: None, action } => {
                let rolled = again.roll();
                demand!(
                    rolled == Some(*action),
                    "luck.undo",
                    "chance gave {action:?}, and {rolled:?} after it was taken back"
                );
            }
            step => {
                demand!(again.perform(step.clone()).is_ok(), "session.redo", "{step:?} is impossible the second time")
            }
        }
    }
    for i in (0..back).rev() {
        demand!(copy.redo(), "session.redo", "only {} of {back} steps can be done again", back - 1 - i);
        demand!(
            *copy.state() == states[length - i],
            "session.redo",
            "after a step was done again the state is {:?}, it was {:?}",
            copy.state(),
            states[length - i]
        );
    }
    for found in [&copy, &again] {
        demand!(
            found.state() == session.state() && found.history() == session.history(),
            "session.redo",
            "taking back and doing again gives {:?} instead of {:?}",
            found.state(),
            session.state()
        );
        for seat in 0..session.players() {
            demand!(
                found.belief(seat) == session.belief(seat),
                "session.belief",
                "taking back and doing again gives player {seat} the belief {:?} instead of {:?}",
                found.belief(seat),
                session.belief(seat)
            );
        }
    }
    Ok(())
}

/// The same seed gives the same luck although players and searches drew other numbers in between.
pub(super) fn luck<G: Notation>(session: &Session<G>, memory: &mut Memory<G>) -> Verdict {
    let fresh =
        Session::<G>::new(session.players(), session.options().clone(), session.setup().cloned(), session.seed());
    let mut other = match fresh {
        Ok(other) => other,
        Err(e) => fail!("game.start", "the game does not start a second time: {e}"),
    };
    let mut scratch = Vec::new();
    for step in session.history() {
        if let Step::Action { by: None, action } = step {
            for seat in 0..other.players() {
                let seen = other.seen(seat, memory.rng.next_u64());
                seen.draw(&mut memory.rng);
            }
            other.state().sample(&mut memory.rng, &mut scratch);
            let rolled = other.roll();
            demand!(
                rolled == Some(*action),
                "luck.replay",
                "one seed gives {action:?} in one game and {rolled:?} in another"
            );
        } else if let Err(e) = other.perform(step.clone()) {
            fail!("session.replay", "{step:?} is impossible the second time: {e}");
        }
    }
    Ok(())
}

/// A game that is written as a record, read and played again has the same facts after every line and gives the same record.
pub(super) fn record<G: Notation>(session: &Session<G>, facts: &[Map<String, Value>]) -> Verdict {
    let text = DynGame::record(session).to_text();
    let read = match Record::read(text.as_bytes()) {
        Ok(read) => read,
        Err(e) => fail!("record.read", "a record that was just written cannot be read: {e}"),
    };
    demand!(read.warnings.is_empty(), "record.read", "reading back a record gives warnings: {:?}", read.warnings);
    let mut game = match GameType::<G>::new().start(&read.record.header, session.seed() ^ 1) {
        Ok(game) => game,
        Err(e) => fail!("record.start", "the header of a record does not start the game: {e}"),
    };
    demand!(
        read.record.lines.len() + 1 == facts.len(),
        "record.replay",
        "a game of {} steps gives a record of {} lines",
        facts.len() - 1,
        read.record.lines.len()
    );
    demand!(game.facts() == facts[0], "record.facts", "a replay starts with {:?}, not {:?}", game.facts(), facts[0]);
    for (i, line) in read.record.lines.iter().enumerate() {
        if let Err(e) = game.perform(line) {
            fail!("record.replay", "line {} of a record cannot be replayed: {e}", i + 2);
        }
        let (found, expected) = (game.facts(), &facts[i + 1]);
        if found != *expected {
            let key = expected.keys().chain(found.keys()).find(|k| found.get(*k) != expected.get(*k));
            let key = key.map_or("", String::as_str);
            fail!(
                "record.facts",
                "after line {} of a replay the fact {key} is {:?}, it was {:?}",
                i + 2,
                found.get(key),
                expected.get(key)
            );
        }
    }
    let observers = (0..session.players() as Seat).map(Observer::Seat);
    for observer in observers.chain([Observer::Public, Observer::Omniscient]) {
        demand!(
            game.view(observer) == session.view(observer),
            "record.view",
            "after a replay {observer:?} sees {}, before it was {}",
            game.view(observer),
            session.view(observer)
        );
    }
    let again = game.record().to_text();
    demand!(again == text, "record.round_trip", "a replayed record is written differently:\n{again}");
    Ok(())
}
