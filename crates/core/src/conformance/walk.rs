//! One random game, looked at after every action.

use super::memory::{Event, Memory};
use super::{Config, Failure, Problem, actions, chance, demand, fail, hidden, payoffs, replay, text};
use crate::{DynGame, Notation, Session, Turn};

/// How many legal actions besides the chosen one are played on a copy in each state.
const TRIED: usize = 3;

/// Plays game number `number`. Two games in a row share a seed of luck, but not the players' choices.
pub(super) fn play<G: Notation>(config: &Config<G>, number: u32, memory: &mut Memory<G>) -> Result<(), Failure> {
    let seed = config.seed.wrapping_add(u64::from(number / 2));
    let mut session = match Session::new(config.players, config.options.clone(), config.setup.clone(), seed) {
        Ok(session) => session,
        Err(e) => {
            let problem = Problem { check: "game.start", message: format!("the game does not start: {e}") };
            return Err(problem.at(String::new()));
        }
    };
    steps(config, number, &mut session, memory).map_err(|problem| problem.at(DynGame::record(&session).to_text()))
}

fn steps<G: Notation>(
    config: &Config<G>,
    number: u32,
    session: &mut Session<G>,
    memory: &mut Memory<G>,
) -> Result<(), Problem> {
    // `live` is played with undo all along, and taken back to the start at the end.
    let mut live = session.state().clone();
    let mut states = vec![live.clone()];
    let mut facts = vec![session.facts()];
    let mut undos = Vec::new();
    let mut events = Vec::new();
    loop {
        let length = undos.len();
        let legal = actions::list(&live)?;
        memory.summary.states += 1;
        actions::membership(&live, &legal, memory)?;
        memory.keys(&live)?;
        payoffs::results(&live, length, memory)?;
        text::round_trip(&live, &legal, memory)?;
        text::outside(&live)?;
        let outcomes = chance::outcomes(&live, &legal)?;
        chance::sampler(&live, &outcomes, memory)?;
        let beliefs: Vec<G::Belief> = (0..session.players()).filter_map(|seat| session.belief(seat).cloned()).collect();
        let worlds = hidden::knowledge(&live, &beliefs, length, memory)?;
        if live.turn().is_terminal() {
            memory.summary.finished += 1;
            break;
        }
        if length >= config.max_actions {
            break;
        }
        for _ in 0..TRIED.min(legal.len()) {
            actions::play(&live, legal[memory.rng.below(legal.len())])?;
        }
        let action = match live.turn() {
            Turn::Chance(kind) => {
                let Some(action) = session.roll() else {
                    fail!("chance.sampled_legal", "the session's own roll is refused in {live:?}");
                };
                events.push(Event { kind, outcomes, action });
                action
            }
            _ => {
                let action = legal[memory.rng.below(legal.len())];
                if let Err(e) = session.play(action) {
                    fail!("check.listed", "a session refuses the legal {action:?}: {e}");
                }
                action
            }
        };
        text::one(&live, action)?;
        let next = actions::play(&live, action)?;
        hidden::observation(&live, action, &next, &beliefs, &worlds, memory)?;
        demand!(
            *session.state() == next,
            "apply.repeatable",
            "{action:?} gives {next:?} here and {:?} in a session",
            session.state()
        );
        undos.push(live.apply_undo(action));
        demand!(live == next, "apply.undo", "{action:?} gives {next:?} when applied, {live:?} when applied with undo");
        states.push(next);
        facts.push(session.facts());
    }
    memory.summary.longest = memory.summary.longest.max(undos.len());
    let length = undos.len();
    for (i, undo) in undos.into_iter().enumerate().rev() {
        live.undo(undo);
        demand!(
            live == states[i] && live.key() == states[i].key(),
            "undo.line",
            "taking back {} actions in a row gives {live:?}, the state was {:?}",
            length - i,
            states[i]
        );
    }
    replay::undo_redo(session, &states)?;
    replay::luck(session, memory)?;
    replay::record(session, &facts)?;
    if number.is_multiple_of(2) {
        memory.events = events;
    } else {
        chance::same_luck::<G>(&memory.events, &events)?;
    }
    Ok(())
}
