//! Text of actions, facts, views and boards.

use std::collections::HashMap;

use serde_json::Value;

use super::memory::Memory;
use super::{Verdict, demand, fail};
use crate::{Forfeit, Notation, Observer, Turn, to_move_fact};

/// How many texts of a long list are read back in a state, and how many spoiled texts are tried.
const SAMPLE: usize = 300;
const SPOILED: usize = 12;

/// Texts that are no action, or an unusual one, anywhere.
const ODD: [&str; 14] =
    ["", " ", "?", "-1", "0", "99999999999999999999999999", "\0", "é", "一", "a b c d e f g h", "=", ",", "/", "a1\n"];

/// Text and action are inverse, and different actions have different texts.
pub(super) fn round_trip<G: Notation>(state: &G, actions: &[G::Action], memory: &mut Memory<G>) -> Verdict {
    let mut texts = HashMap::new();
    for &action in actions {
        if let Some(other) = texts.insert(state.action_text(action), action) {
            fail!("text.unique", "{other:?} and {action:?} have the same text '{}'", state.action_text(action));
        }
    }
    for &action in actions.iter().step_by(actions.len().div_ceil(SAMPLE).max(1)) {
        one(state, action)?;
    }
    // A reader of text never panics, and what it takes has a canonical text.
    let mut tries: Vec<String> = vec![ODD[memory.rng.below(ODD.len())].to_owned()];
    if !actions.is_empty() {
        for _ in 0..SPOILED {
            let text = state.action_text(actions[memory.rng.below(actions.len())]);
            tries.push(spoil(&text, memory));
        }
    }
    for text in tries {
        let Ok(action) = state.parse_action(&text) else { continue };
        let canonical = state.action_text(action);
        let again = state.parse_action(&canonical);
        demand!(
            again.as_ref() == Ok(&action),
            "text.canonical",
            "'{text}' is read as {action:?}, written as '{canonical}', and that is read as {again:?}"
        );
        // May be legal or not, but must not panic.
        let _ = state.check(action);
    }
    Ok(())
}

/// The text of one action is proper and is read back as the same action.
pub(super) fn one<G: Notation>(state: &G, action: G::Action) -> Verdict {
    let text = state.action_text(action);
    demand!(
        !text.is_empty() && text == text.trim() && !text.chars().any(char::is_control),
        "text.form",
        "the text '{}' of {action:?} is empty, has blanks around it or control characters",
        text.escape_debug()
    );
    match state.parse_action(&text) {
        Ok(found) => {
            demand!(
                found == action,
                "text.round_trip",
                "{action:?} is written as '{text}', but that is read as {found:?}"
            );
        }
        Err(e) => fail!("text.round_trip", "{action:?} is written as '{text}', but reading that fails: {e}"),
    }
    Ok(())
}

fn spoil<G: Notation>(text: &str, memory: &mut Memory<G>) -> String {
    const LETTERS: [char; 16] =
        ['a', 'Z', '0', '9', ' ', '?', ',', '/', '-', '+', '=', ':', '\t', 'é', '跑', '\u{10ffff}'];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=memory.rng.below(2) {
        let at = memory.rng.below(chars.len() + 1);
        let letter = LETTERS[memory.rng.below(LETTERS.len())];
        match memory.rng.below(5) {
            0 => chars.insert(at, letter),
            1 if at < chars.len() => chars[at] = letter,
            2 if at < chars.len() => drop(chars.remove(at)),
            3 => chars.truncate(at),
            _ => chars.extend_from_within(..at),
        }
    }
    chars.into_iter().collect()
}

/// Facts, views and boards have their form.
pub(super) fn outside<G: Notation>(state: &G) -> Verdict {
    let turn = state.turn();
    let facts = state.facts();
    let to_move = to_move_fact(turn);
    demand!(
        facts.get("to_move") == Some(&to_move),
        "facts.to_move",
        "the fact to_move is {:?}, it must be {to_move}",
        facts.get("to_move")
    );
    demand!(
        facts.get("terminal") == Some(&Value::Bool(turn.is_terminal())),
        "facts.terminal",
        "the fact terminal is {:?}, it must be {}",
        facts.get("terminal"),
        turn.is_terminal()
    );
    if turn.seat().is_none() {
        let legal = facts.keys().find(|k| k.starts_with("legal"));
        demand!(legal.is_none(), "facts.legal", "the fact {legal:?} must be absent when no player is to move");
    }
    demand!(
        facts == state.clone().facts(),
        "facts.repeatable",
        "the facts of a copy differ from those of its original"
    );
    let seats = (0..state.meta().players).map(Observer::Seat);
    for observer in seats.chain([Observer::Public, Observer::Omniscient]) {
        let view = state.view(observer);
        demand!(view.is_object(), "view.form", "the view of {observer:?} is {view}, it must be an object");
        let board = state.board_text(observer);
        demand!(
            !board.is_empty() && !board.ends_with('\n'),
            "board.form",
            "the board of {observer:?} is empty or ends with a newline: '{board}'"
        );
    }
    let result = state.result_text(None);
    demand!(
        result.as_ref().is_some_and(|r| !r.is_empty()) == turn.is_terminal(),
        "result.text",
        "the text of the result is {result:?} with {turn:?} to move: there must be one at the end and none before"
    );
    if turn != Turn::Terminal {
        for forfeit in [Forfeit::Resign(0), Forfeit::Timeout(0)] {
            let result = state.result_text(Some(forfeit));
            demand!(
                result.as_ref().is_some_and(|r| !r.is_empty()),
                "result.text",
                "the text of the result after {forfeit:?} is {result:?}, it must say how the game ended"
            );
        }
    }
    Ok(())
}
