//! Legal actions: the list, the check, playing and taking back.

use super::memory::Memory;
use super::{Verdict, demand, fail};
use crate::{Game, Illegal, Turn};

/// How many actions of a long list, or outside it, are looked at one by one in a state.
const SAMPLE: usize = 40;

/// The legal actions of a state, after looking at the list itself.
pub(super) fn list<G: Game>(state: &G) -> Result<Vec<G::Action>, super::Problem> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    if let Some(pair) = actions.windows(2).find(|pair| pair[0] >= pair[1]) {
        let what = if pair[0] == pair[1] { "twice" } else { "out of order" };
        fail!(
            if pair[0] == pair[1] { "actions.unique" } else { "actions.sorted" },
            "{:?} is listed {what}, next to {:?}",
            pair[1],
            pair[0]
        );
    }
    // A buffer with something in it, long or short, gives the same list.
    let mut again = actions.clone();
    again.extend_from_within(..actions.len().min(3));
    state.actions(&mut again);
    demand!(
        again == actions,
        "actions.buffer",
        "a buffer that was not empty gives {again:?} instead of {actions:?}: it must be cleared first"
    );
    match state.turn() {
        Turn::Terminal => {
            demand!(actions.is_empty(), "actions.turn", "the game is over but lists {actions:?}");
        }
        Turn::Seat(seat) => {
            let players = state.meta().players;
            demand!(seat < players, "actions.turn", "it is the turn of player {seat}, but there are {players} players");
            demand!(!actions.is_empty(), "actions.turn", "player {seat} is to move but has no legal action: {state:?}");
        }
        Turn::Chance(kind) => {
            let Some(kind) = state.meta().chance.get(usize::from(kind)) else {
                fail!("actions.turn", "chance of kind {kind} is to move, but meta() has no such kind")
            };
            demand!(
                actions.is_empty() != kind.listed,
                "actions.turn",
                "the event '{}' has listed = {} but its node lists {} actions",
                kind.name,
                kind.listed,
                actions.len()
            );
        }
    }
    Ok(actions)
}

fn well_formed(illegal: &Illegal, what: &str) -> Verdict {
    let code = illegal.code;
    let fine =
        code.contains('.') && code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._".contains(&b));
    demand!(fine, "check.code", "the code '{code}' for {what} is not of the form game.rule");
    let message = &*illegal.message;
    demand!(
        !message.trim().is_empty() && !message.contains('\n'),
        "check.message",
        "the message '{message}' for {what} is not one sentence"
    );
    Ok(())
}

/// The check agrees with the list.
pub(super) fn membership<G: Game>(state: &G, legal: &[G::Action], memory: &mut Memory<G>) -> Verdict {
    let step = legal.len().div_ceil(10 * SAMPLE).max(1);
    for &action in legal.iter().step_by(step) {
        if let Err(e) = state.check(action) {
            fail!("check.listed", "{action:?} is listed as legal, but check says: {e}; state: {state:?}");
        }
        demand!(state.is_legal(action), "check.is_legal", "is_legal and check differ on {action:?}");
        memory.keep_action(action);
    }
    if let Turn::Chance(_) = state.turn()
        && legal.is_empty()
    {
        return Ok(()); // Only sampled: what is legal here is not listed.
    }
    let mut copy = state.clone();
    for action in memory.other_actions(legal, SAMPLE) {
        match state.check(action) {
            Ok(()) => fail!("check.unlisted", "{action:?} is not listed, but check allows it; state: {state:?}"),
            Err(e) => well_formed(&e, &format!("{action:?}"))?,
        }
        demand!(!state.is_legal(action), "check.is_legal", "is_legal and check differ on {action:?}");
        demand!(copy.try_apply(action).is_err(), "apply.tried", "try_apply plays {action:?}, which is illegal");
        demand!(
            copy == *state && copy.key() == state.key(),
            "apply.tried",
            "try_apply of the illegal {action:?} changed the state from {state:?} to {copy:?}"
        );
    }
    Ok(())
}

/// All keys of a state.
fn keys<G: Game>(state: &G) -> (u64, u64, u64, Vec<u128>) {
    let information = (0..state.meta().players).map(|seat| state.information_key(seat)).collect();
    (state.key(), state.recomputed_key(), state.transposition_key(), information)
}

/// Playing an action gives one state in whatever way it is played, and taking it back gives the state before.
pub(super) fn play<G: Game>(state: &G, action: G::Action) -> Result<G, super::Problem> {
    let mut next = state.clone();
    demand!(next == *state, "state.clone", "a copy differs from its original: {next:?} and {state:?}");
    next.apply(action);
    let mut tried = state.clone();
    if let Err(e) = tried.try_apply(action) {
        fail!("apply.tried", "try_apply refuses the legal {action:?}: {e}");
    }
    demand!(tried == next, "apply.tried", "{action:?} gives {next:?} when applied, {tried:?} when tried");
    let mut live = state.clone();
    let undo = live.apply_undo(action);
    demand!(
        live == next && keys(&live) == keys(&next),
        "apply.undo",
        "{action:?} gives {next:?} when applied, {live:?} when applied with undo"
    );
    live.undo(undo);
    demand!(live == *state, "undo.state", "taking back {action:?} gives {live:?}, the state before was {state:?}");
    let (found, expected) = (keys(&live), keys(state));
    demand!(found == expected, "undo.key", "taking back {action:?} gives the keys {found:x?} instead of {expected:x?}");
    Ok(next)
}
