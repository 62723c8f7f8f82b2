//! What the suite remembers from one state to the next, and across games.

use std::collections::HashMap;

use super::{Summary, Verdict, demand};
use crate::{Game, Meta, Rng, Turn, Weighted};

/// How many states are kept for comparing keys.
const MAX_STATES: usize = 300;
/// How many different actions are kept as candidates for illegal ones.
const MAX_ACTIONS: usize = 2_000;
/// How many views are kept for comparing information keys.
const MAX_VIEWS: usize = 20_000;

/// What a seat saw when it had an information key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sight<A> {
    pub view: String,
    pub board: String,
    pub turn: Turn,
    /// Its legal actions when it is to move, else empty.
    pub actions: Vec<A>,
}

/// An event of chance of the session whose luck is compared.
pub(super) struct Event<A> {
    pub kind: u8,
    pub outcomes: Weighted<A>,
    pub action: A,
}

pub(super) struct Memory<G: Game> {
    pub meta: Meta,
    pub rng: Rng,
    pub summary: Summary,
    states: Vec<(G, u64, u64)>,
    actions: Vec<G::Action>,
    next_action: usize,
    sights: HashMap<(u8, u128), Sight<G::Action>>,
    /// The constant the returns of a finished game sum to.
    pub sum: Option<f64>,
    /// How often the sampler of each kind of event was tested.
    pub sampled: Vec<u32>,
    /// The events of the last game of even number; the next one has the same luck.
    pub events: Vec<Event<G::Action>>,
    /// Whether some seat ever knew less than everything there is, as far as its view says.
    pub draws: u64,
    distinct: u64,
}

impl<G: Game> Memory<G> {
    pub fn new(meta: Meta, rng: Rng) -> Self {
        Memory {
            meta,
            rng,
            summary: Summary::default(),
            states: Vec::new(),
            actions: Vec::new(),
            next_action: 0,
            sights: HashMap::new(),
            sum: None,
            sampled: vec![0; meta.chance.len()],
            events: Vec::new(),
            draws: 0,
            distinct: 0,
        }
    }

    /// Compares the keys of `state` with those of the states before: equal states have equal keys, and states with equal
    /// transposition keys have the same continuations, of which the next actions are looked at.
    pub fn keys(&mut self, state: &G) -> Verdict {
        let (key, again) = (state.key(), state.recomputed_key());
        demand!(
            key == again,
            "key.incremental",
            "the key kept up to date is {key:#x}, computed anew it is {again:#x}; state: {state:?}"
        );
        let transposition = state.transposition_key();
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        state.actions(&mut mine);
        let mut known = false;
        for (other, other_key, other_transposition) in &self.states {
            if other == state {
                known = true;
                demand!(
                    *other_key == key && *other_transposition == transposition,
                    "key.equal_states",
                    "equal states have the keys {other_key:#x} and {key:#x}, and the transposition keys \
                     {other_transposition:#x} and {transposition:#x}; state: {state:?}"
                );
            }
            if *other_transposition == transposition && other != state {
                other.actions(&mut others);
                demand!(
                    other.turn() == state.turn() && others == mine,
                    "key.transposition",
                    "two states share a transposition key but not their legal actions: {other:?} with {others:?} and \
                     {state:?} with {mine:?}"
                );
                demand!(
                    !state.turn().is_terminal() || other.utility() == state.utility(),
                    "key.transposition",
                    "two finished games share a transposition key but not their utility: {other:?} and {state:?}"
                );
            }
        }
        if !known {
            self.distinct += 1;
            if self.states.len() < MAX_STATES {
                self.states.push((state.clone(), key, transposition));
            } else {
                let place = self.rng.below(MAX_STATES);
                self.states[place] = (state.clone(), key, transposition);
            }
        }
        Ok(())
    }

    /// Keeps an action as a candidate for an illegal one elsewhere.
    pub fn keep_action(&mut self, action: G::Action) {
        if self.actions.contains(&action) {
            return;
        }
        if self.actions.len() < MAX_ACTIONS {
            self.actions.push(action);
        } else {
            self.actions[self.next_action] = action;
            self.next_action = (self.next_action + 1) % MAX_ACTIONS;
        }
    }

    /// Up to `count` random actions seen before that are not in `legal`, which is sorted.
    pub fn other_actions(&mut self, legal: &[G::Action], count: usize) -> Vec<G::Action> {
        if self.actions.len() <= count {
            return self.actions.iter().copied().filter(|a| legal.binary_search(a).is_err()).collect();
        }
        let picked = (0..count).map(|_| self.rng.below(self.actions.len())).collect::<Vec<_>>();
        picked.into_iter().map(|i| self.actions[i]).filter(|a| legal.binary_search(a).is_err()).collect()
    }

    /// Two states in which a seat has one information key look the same to it.
    pub fn sight(&mut self, seat: u8, key: u128, sight: Sight<G::Action>) -> Verdict {
        match self.sights.get(&(seat, key)) {
            Some(before) => {
                demand!(
                    *before == sight,
                    "information.key_too_coarse",
                    "player {seat} sees different things under one information key: {before:?} and {sight:?}"
                );
            }
            None if self.sights.len() < MAX_VIEWS => {
                self.sights.insert((seat, key), sight);
            }
            None => {}
        }
        Ok(())
    }

    /// What can only be said at the end.
    pub fn finish(&self) -> Verdict {
        let first = self.states.first().map(|s| s.1);
        let constant = self.states.iter().all(|s| Some(s.1) == first);
        demand!(
            self.distinct < 4 || !constant,
            "key.constant",
            "{} different states have the one key {first:x?}",
            self.distinct
        );
        demand!(
            !self.meta.hidden || self.draws < 20 || self.summary.worlds > 0,
            "determinize.nothing_redrawn",
            "the game says it hides something, but {} drawn worlds all equal the true one",
            self.draws
        );
        Ok(())
    }
}
