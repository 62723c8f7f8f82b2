//! Wins that are proven whatever the others hold (section 12.3 and 12.5): plays that nobody can beat until the hand is empty, or
//! one way to play that is first out in every world that is possible, whatever the others do.
//!
//! A search that looks at each world by itself proves nothing: it may need another play in each. Here one choice is made for all
//! worlds that the seat cannot tell apart, and they are told apart only by what the others play.

use std::sync::Arc;

use kiebitz_core::{Game, Rng, Seat, Seen, Turn};
use rustc_hash::FxHashMap;

use crate::action::Action;
use crate::cards::Cards;
use crate::game::PaoDeKuai;
use crate::generate::Situation;
use crate::heavy::unseen_by;
use crate::plan::{Rival, might_be_beaten, sure_win_against};
use crate::rules::Rules;
use crate::sampler::Sampler;
use crate::solver::{Solver, WIN};
use crate::state::State;

/// How much is looked at before giving up. All of it counts steps, not time, so that a seed decides everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofEffort {
    /// Hands looked at for a line of plays that nobody can beat.
    pub hands: u32,
    /// The most worlds that are listed.
    pub worlds: usize,
    /// Worlds at positions that are looked at for all worlds together.
    pub visits: u64,
}

impl Default for ProofEffort {
    fn default() -> Self {
        ProofEffort { hands: 4_000, worlds: 2_000, visits: 30_000 }
    }
}

/// Worlds that are solved one by one first: an action that loses in one of them is not looked at in all.
const TRIED_WORLDS: usize = 12;
/// Positions for each of those solutions, and for all of them.
const TRIED_POSITIONS: u64 = 2_000;
const ALL_TRIED_POSITIONS: u64 = 20_000;

/// An action after which the seat is first out for sure.
#[derive(Clone, PartialEq, Debug)]
pub struct WinProof {
    /// The action.
    pub action: Action,
    /// The plays in order, none of which but the last can be beaten; empty when that is not how the win was proven.
    pub line: Vec<Cards>,
    /// How many worlds were solved together; 0 when the plays cannot be beaten in any.
    pub worlds: usize,
}

/// What the seat to move knows of those that may keep it from winning.
struct Table<'a> {
    rules: &'a Rules,
    state: &'a State,
    seat: Seat,
    hand: Cards,
    sampler: Arc<Sampler>,
    /// All others that hold cards.
    rivals: Vec<Rival>,
    /// Those of them that may still play in this trick.
    answering: Vec<Rival>,
}

impl<'a> Table<'a> {
    /// `None` when the seat is not to move.
    fn of(game: &'a PaoDeKuai, seen: &Seen<PaoDeKuai>) -> Option<Table<'a>> {
        let seat = seen.seat();
        let (rules, state) = (game.rules(), game.state());
        let hand = state.hand(seat).filter(|_| game.turn() == Turn::Seat(seat))?;
        let sampler = seen.belief().sampler(rules, state, seat);
        let others = (0..rules.players()).filter(|&other| other != seat && !state.is_out(other));
        let rivals = others.map(|other| sampler.rival(rules, state, other)).collect();
        let answering = state.answering(rules, seat).map(|other| sampler.rival(rules, state, other)).collect();
        Some(Table { rules, state, seat, hand, sampler, rivals, answering })
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.state.actions(self.rules, &mut actions);
        actions
    }

    /// The plays from this action on that nobody can beat but the last.
    fn line_after(&self, action: Action, effort: &ProofEffort) -> Option<Vec<Cards>> {
        let cards = action.cards();
        if cards == self.hand && !action.is_pass() {
            return Some(vec![cards]);
        }
        let reading = self.state.read(self.rules, cards).filter(|_| !action.is_pass())?;
        if might_be_beaten(self.rules, &self.answering, &reading) {
            return None;
        }
        // In the tricks that follow everybody may play again.
        let situation = self.state.situation(self.rules);
        let next = Situation { trick: None, must_include: None, hand: self.hand.minus(cards), ..situation };
        let mut line = sure_win_against(self.rules, &next, &self.rivals, effort.hands)?;
        line.insert(0, cards);
        Some(line)
    }

    /// Those of the actions after which one way to go on is first out in all worlds.
    fn wins_in_all_worlds(&self, actions: Vec<Action>, effort: &ProofEffort) -> Vec<WinProof> {
        let (rules, seat) = (self.rules, self.seat);
        let Some(worlds) = self.sampler.few(rules, effort.worlds) else { return Vec::new() };
        // Where the bird is does not matter for who is out first.
        let mut rng = Rng::new(0);
        let worlds: Vec<State> = worlds
            .iter()
            .map(|(world, _)| {
                let mut state = *self.state;
                self.sampler.put(rules, world, &mut state, &mut rng);
                state
            })
            .collect();
        if worlds.is_empty() {
            return Vec::new();
        }
        let mut actions = not_lost_in_one(rules, seat, &worlds, actions);
        let mut solver = WorldsSolver { rules, seat, known: FxHashMap::default(), left: effort.visits };
        // As later on, so that what is found now is found again.
        if let Some(first) = worlds.first() {
            solver.order(first, &mut actions);
        }
        let mut proofs = Vec::new();
        for action in actions {
            match solver.wins_after(&worlds, action) {
                Some(true) => proofs.push(WinProof { action, line: Vec::new(), worlds: worlds.len() }),
                Some(false) => {}
                None => break,
            }
        }
        proofs
    }
}

/// The actions of the seat to move that are proven to make it first out; none where it has no choice. A seat that goes on to play
/// proven actions is meant to keep its proof: what it must look at later is a part of what it looked at before, in the same order.
pub fn proven_wins(seen: &Seen<PaoDeKuai>, effort: &ProofEffort) -> Vec<WinProof> {
    let game = seen.sample_world();
    let Some(table) = Table::of(game, seen) else { return Vec::new() };
    let actions = table.actions();
    if actions.len() < 2 {
        return Vec::new();
    }
    let line = |action| table.line_after(action, effort);
    let lines = actions.iter().filter_map(|&action| Some(WinProof { action, line: line(action)?, worlds: 0 }));
    let found: Vec<WinProof> = lines.collect();
    if found.is_empty() { table.wins_in_all_worlds(actions, effort) } else { found }
}

/// The proof that this action of the seat to move makes it first out, by itself, whatever other actions are proven; `None`
/// without one.
pub fn proven_win(seen: &Seen<PaoDeKuai>, action: Action, effort: &ProofEffort) -> Option<WinProof> {
    let game = seen.sample_world();
    let table = Table::of(game, seen)?;
    match table.line_after(action, effort) {
        Some(line) => Some(WinProof { action, line, worlds: 0 }),
        None => table.wins_in_all_worlds(vec![action], effort).pop(),
    }
}

/// The actions without those that lose in one of a few worlds against the best defence with open cards.
fn not_lost_in_one(rules: &Rules, seat: Seat, worlds: &[State], mut actions: Vec<Action>) -> Vec<Action> {
    let mut solver = Solver::new(rules, TRIED_POSITIONS);
    let mut visited = 0;
    for world in worlds.iter().step_by(worlds.len().div_ceil(TRIED_WORLDS)) {
        actions.retain(|&action| {
            if visited > ALL_TRIED_POSITIONS {
                return true;
            }
            let mut next = *world;
            next.apply(rules, action);
            let wins = solver.wins(&next, seat);
            visited += solver.visited();
            wins != Ok(false)
        });
        if actions.is_empty() {
            break;
        }
    }
    actions
}

/// Looks for one way to play that wins in all worlds.
struct WorldsSolver<'a> {
    rules: &'a Rules,
    seat: Seat,
    known: FxHashMap<u128, bool>,
    left: u64,
}

impl WorldsSolver<'_> {
    /// Whether the seat is first out for sure after this action of whoever is to move; `None` when too much was looked at.
    fn wins_after(&mut self, worlds: &[State], action: Action) -> Option<bool> {
        let next = worlds.iter().map(|world| {
            let mut next = *world;
            next.apply(self.rules, action);
            next
        });
        self.wins(&next.collect::<Vec<_>>())
    }

    /// The same for worlds that the seat cannot tell apart.
    fn wins(&mut self, worlds: &[State]) -> Option<bool> {
        let Some(first) = worlds.first() else { return Some(true) };
        if let Some(out) = first.finishing_order().next() {
            return Some(out == self.seat);
        }
        // A sum does not depend on the order of the worlds.
        let mark = WIN + 16 * u64::from(self.seat);
        let key = worlds.iter().fold(0u128, |sum, world| sum.wrapping_add(world.solver_key(self.rules, mark, false)));
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.left = self.left.checked_sub(worlds.len() as u64)?;
        let wins = if first.to_move() == self.seat { self.own(worlds, first)? } else { self.other(worlds)? };
        self.known.insert(key, wins);
        Some(wins)
    }

    fn own(&mut self, worlds: &[State], first: &State) -> Option<bool> {
        let mut actions = Vec::new();
        first.actions(self.rules, &mut actions);
        let hand = first.hand(self.seat).unwrap_or_default();
        if actions.iter().any(|action| action.cards() == hand) {
            return Some(true);
        }
        self.order(first, &mut actions);
        for action in actions {
            if self.wins_after(worlds, action)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Plays that nobody can beat first, then long ones, then low ones; the pass last.
    fn order(&self, state: &State, actions: &mut [Action]) {
        if actions.len() < 2 {
            return;
        }
        let unseen = unseen_by(self.rules, state, self.seat);
        let others = (0..self.rules.players()).filter(|&other| other != self.seat);
        let rivals: Vec<Rival> = others.map(|other| Rival { most: unseen, length: state.hand_len(other) }).collect();
        actions.sort_by_cached_key(|action| {
            let reading = state.read(self.rules, action.cards()).filter(|_| !action.is_pass());
            let beaten = reading.is_none_or(|reading| might_be_beaten(self.rules, &rivals, &reading));
            (reading.is_none(), beaten, u8::MAX - action.cards().len(), *action)
        });
    }

    /// Another seat, which may know everything, does in each world what it likes; then only the worlds are left in which it can.
    fn other(&mut self, worlds: &[State]) -> Option<bool> {
        let mut nexts: Vec<(Action, State)> = Vec::new();
        let mut actions = Vec::new();
        for world in worlds {
            world.actions(self.rules, &mut actions);
            for &action in &actions {
                let mut next = *world;
                next.apply(self.rules, action);
                if next.finishing_order().next().is_some() {
                    return Some(false);
                }
                nexts.push((action, next));
            }
        }
        nexts.sort_by_key(|(action, _)| *action);
        for group in nexts.chunk_by(|(a, _), (b, _)| a == b) {
            let group: Vec<State> = group.iter().map(|(_, next)| *next).collect();
            if !self.wins(&group)? {
                return Some(false);
            }
        }
        Some(true)
    }
}
