//! Hidden information: what a seat is shown, and the worlds drawn for it, follow from what it saw and nothing else.

use serde_json::Value;

use super::memory::{Memory, Sight};
use super::{Problem, Verdict, actions, demand, fail, text};
use crate::{Notation, Observer, Rng, Seat, Turn};

/// Worlds drawn for each seat in each state, besides the one from the true state.
const WORLDS: usize = 2;
/// Other actions looked at besides the one that is played.
const ALTERNATIVES: usize = 12;
/// One state in so many has its worlds played to the end.
const PLAYED: u64 = 5;

/// What leaves the process for an observer, as text.
fn shown<G: Notation>(state: &G, observer: Observer) -> (String, String) {
    let view: Value = state.view(observer);
    (view.to_string(), state.board_text(observer))
}

fn sight<G: Notation>(state: &G, seat: Seat) -> Sight<G::Action> {
    let (view, board) = shown(state, Observer::Seat(seat));
    let mut actions = Vec::new();
    if state.turn() == Turn::Seat(seat) {
        state.actions(&mut actions);
    }
    Sight { view, board, turn: state.turn(), actions }
}

/// Two states that `seat` cannot tell apart look the same to it.
fn same_sight<G: Notation>(
    seat: Seat,
    (state, seen): (&G, &Sight<G::Action>),
    (other, there): (&G, &Sight<G::Action>),
) -> Verdict {
    demand!(
        seen.view == there.view,
        "view.leak",
        "the view of player {seat} shows something hidden: {} in {state:?}, but {} in {other:?}, which that player cannot \
         tell apart",
        seen.view,
        there.view
    );
    demand!(
        seen.board == there.board,
        "board.leak",
        "the board of player {seat} shows something hidden:\n{}\nand in a state which that player cannot tell apart\n{}",
        seen.board,
        there.board
    );
    demand!(
        seen.actions == there.actions,
        "information.legal_actions",
        "player {seat} may play {:?} in {state:?}, but {:?} in {other:?}, which it cannot tell apart",
        seen.actions,
        there.actions
    );
    Ok(())
}

/// The world drawn for `seat` from `state` with the generator of `seed`.
fn drawn<G: Notation>(state: &G, seat: Seat, belief: &G::Belief, seed: u64) -> G {
    let mut world = state.clone();
    world.determinize(seat, belief, &mut Rng::new(seed));
    world
}

/// Looks at what each seat knows in `state` after `length` actions, and returns worlds each seat holds possible. After the end
/// a game may lay everything open, so finished games are not looked at.
pub(super) fn knowledge<G: Notation>(
    state: &G,
    beliefs: &[G::Belief],
    length: usize,
    memory: &mut Memory<G>,
) -> Result<Vec<Vec<G>>, Problem> {
    let mut possible = Vec::new();
    if state.turn().is_terminal() {
        return Ok(possible);
    }
    let public = shown(state, Observer::Public);
    for (seat, belief) in beliefs.iter().enumerate() {
        let seat = seat as Seat;
        let seed = memory.rng.next_u64();
        let first = drawn(state, seat, belief, seed);
        demand!(
            first == drawn(state, seat, belief, seed),
            "determinize.repeatable",
            "one generator draws two different worlds for player {seat} from {state:?}"
        );
        if !memory.meta.hidden {
            demand!(
                first == *state,
                "determinize.perfect_information",
                "meta() says nothing is hidden, but a drawn world {first:?} differs from the state {state:?}"
            );
            continue;
        }
        let key = state.information_key(seat);
        let seen = sight(state, seat);
        memory.sight(seat, key, seen.clone())?;
        let mut worlds = vec![first];
        for i in 1..=WORLDS as u64 {
            let world = drawn(state, seat, belief, seed.wrapping_add(i));
            worlds.push(world);
        }
        for world in &worlds {
            demand!(
                world.turn() == state.turn(),
                "determinize.turn",
                "a world drawn for player {seat} has {:?} to move, not {:?}",
                world.turn(),
                state.turn()
            );
            demand!(
                world.information_key(seat) == key,
                "determinize.information_key",
                "a world drawn for player {seat} has another information key for that player: {world:?} from {state:?}"
            );
            let here = sight(world, seat);
            demand!(
                here.actions == seen.actions,
                "determinize.legal_actions",
                "player {seat} may play {:?} in {state:?}, but {:?} in the drawn world {world:?}",
                seen.actions,
                here.actions
            );
            same_sight(seat, (state, &seen), (world, &here))?;
            let again = drawn(world, seat, belief, seed);
            demand!(
                again == worlds[0],
                "determinize.function_of_knowledge",
                "player {seat} cannot tell {state:?} from {world:?}, but one generator draws {:?} from the first and \
                 {again:?} from the second",
                worlds[0]
            );
            let spectator = shown(world, Observer::Public);
            demand!(
                spectator.0 == public.0,
                "view.public_leak",
                "the public view shows something player {seat} does not know: {} in {state:?}, but {} in {world:?}",
                public.0,
                spectator.0
            );
            demand!(
                spectator.1 == public.1,
                "board.public_leak",
                "the public board shows something player {seat} does not know:\n{}\nand in another world\n{}",
                public.1,
                spectator.1
            );
            let (kept, anew) = (world.key(), world.recomputed_key());
            demand!(
                kept == anew,
                "determinize.key",
                "the key of a world drawn for player {seat} is {kept:#x}, computed anew it is {anew:#x}: {world:?}"
            );
            actions::list(world)?;
            memory.draws += 1;
            memory.summary.worlds += u64::from(world != state);
        }
        // Not in the first game: what is wrong with every state is reported better elsewhere.
        if memory.summary.longest > 0 && memory.summary.states.is_multiple_of(PLAYED) {
            playable(&worlds[0], seat, length, memory)?;
        }
        possible.push(worlds);
    }
    Ok(possible)
}

/// A drawn world is a state like any other: it can be played to its end.
fn playable<G: Notation>(world: &G, seat: Seat, length: usize, memory: &mut Memory<G>) -> Verdict {
    let mut state = world.clone();
    let (mut buffer, mut scratch) = (Vec::new(), Vec::new());
    let most = memory.meta.max_length as usize;
    for _ in length..=most {
        let action = match state.turn() {
            Turn::Terminal => return Ok(()),
            Turn::Chance(_) => state.sample(&mut memory.rng, &mut scratch),
            Turn::Seat(_) => {
                state.actions(&mut buffer);
                demand!(
                    !buffer.is_empty(),
                    "determinize.playable",
                    "nobody can move in {state:?}, which comes from {world:?}"
                );
                buffer[memory.rng.below(buffer.len())]
            }
        };
        if let Err(e) = state.try_apply(action) {
            fail!(
                "determinize.playable",
                "{action:?} cannot be played in {state:?}, which comes from the world {world:?} of player {seat}: {e}"
            );
        }
    }
    fail!(
        "determinize.playable",
        "a game from the world {world:?}, drawn for player {seat} after {length} actions, is longer than the {most} of meta()"
    )
}

/// The belief of `seat` after it observed an action.
fn observed<G: Notation>(state: &G, belief: &G::Belief, seat: Seat, seen: G::Action) -> G::Belief {
    let mut belief = belief.clone();
    state.observe(&mut belief, seat, seen);
    belief
}

/// Looks at what each seat sees of `action`, which leads from `state` to `next`. `possible` is what [`knowledge`] returned.
pub(super) fn observation<G: Notation>(
    state: &G,
    action: G::Action,
    next: &G,
    beliefs: &[G::Belief],
    possible: &[Vec<G>],
    memory: &mut Memory<G>,
) -> Verdict {
    for (seat, belief) in beliefs.iter().enumerate() {
        let seat = seat as Seat;
        let seen = state.masked(action, seat);
        if !memory.meta.hidden {
            demand!(
                seen == action,
                "masked.perfect_information",
                "meta() says nothing is hidden, but player {seat} sees {action:?} as {seen:?}"
            );
            continue;
        }
        demand!(
            seen == action || state.turn() != Turn::Seat(seat),
            "masked.own",
            "player {seat} sees its own action {action:?} as {seen:?}"
        );
        text::one(state, seen)?;
        let written = state.action_text(seen);
        demand!(
            seen == action || written.contains('?'),
            "masked.text",
            "player {seat} sees {action:?} as {seen:?}, but its text '{written}' has no ?"
        );
        let after = observed(state, belief, seat, seen);
        for world in possible.get(usize::from(seat)).into_iter().flatten() {
            if world.is_legal(action) {
                let there = world.masked(action, seat);
                demand!(
                    there == seen,
                    "masked.function_of_knowledge",
                    "player {seat} sees {action:?} as {seen:?} in {state:?}, but as {there:?} in {world:?}, which it cannot \
                     tell apart"
                );
            }
            let there = observed(world, belief, seat, seen);
            demand!(
                there == after,
                "observe.function_of_knowledge",
                "after {seen:?} the belief of player {seat} is {after:?} in {state:?}, but {there:?} in {world:?}, which it \
                 cannot tell apart"
            );
        }
    }
    if memory.meta.hidden && !next.turn().is_terminal() {
        alternatives(state, action, next, beliefs, memory)?;
    }
    Ok(())
}

/// Another action of somebody else that a seat cannot tell from the one that was played shows it the same, and the worlds
/// drawn for it afterwards are the same.
fn alternatives<G: Notation>(
    state: &G,
    action: G::Action,
    next: &G,
    beliefs: &[G::Belief],
    memory: &mut Memory<G>,
) -> Verdict {
    let mut others = Vec::new();
    state.actions(&mut others);
    if others.is_empty() {
        let mut scratch = Vec::new();
        others.extend((0..ALTERNATIVES).map(|_| state.sample(&mut memory.rng, &mut scratch)));
    }
    others.retain(|other| *other != action);
    memory.rng.shuffle(&mut others);
    let by_chance = matches!(state.turn(), Turn::Chance(_));
    for other in others.into_iter().take(ALTERNATIVES) {
        let mut there = state.clone();
        there.apply(other);
        for (seat, belief) in beliefs.iter().enumerate() {
            let seat = seat as Seat;
            if state.turn() == Turn::Seat(seat)
                || there.turn() != next.turn()
                || there.information_key(seat) != next.information_key(seat)
            {
                continue;
            }
            let (seen, seen_there) = (state.masked(action, seat), state.masked(other, seat));
            if seen != seen_there {
                demand!(
                    !by_chance,
                    "masked.leak",
                    "player {seat} sees {action:?} as {seen:?} and {other:?} as {seen_there:?}, but its information keys \
                     after them are equal: either too much is shown or the key forgets it"
                );
                continue;
            }
            let (here, elsewhere) = (sight(next, seat), sight(&there, seat));
            same_sight(seat, (next, &here), (&there, &elsewhere))?;
            let belief = observed(state, belief, seat, seen);
            let seed = memory.rng.next_u64();
            let (first, second) = (drawn(next, seat, &belief, seed), drawn(&there, seat, &belief, seed));
            demand!(
                first == second,
                "determinize.function_of_knowledge",
                "player {seat} cannot tell {next:?} from {there:?}, but one generator draws {first:?} from the first and \
                 {second:?} from the second"
            );
        }
    }
    Ok(())
}
