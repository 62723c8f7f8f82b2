//! Exact solving with all cards on the table: can a seat force being first out, and what score can it force, against all others
//! together (section 12). Exact for two players; for more a forced win is a proof, and its absence is none.

use kiebitz_core::Seat;
use rustc_hash::FxHashMap;

use crate::action::Action;
use crate::duel::Duel;
use crate::reading::Class;
use crate::rules::Rules;
use crate::state::{Phase, State};

/// The search gave up: it looked at more positions than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the position was not solved within {0} positions")]
pub struct Unsolved(pub u64);

/// One root action with its exact values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolvedAction {
    /// The action.
    pub action: Action,
    /// Whether the seat to move forces being first out after it.
    pub wins: bool,
    /// The score the seat to move forces after it.
    pub value: i32,
}

/// Solves positions of one set of rules, and remembers what it has solved.
#[derive(Debug)]
pub struct Solver<'a> {
    rules: &'a Rules,
    wins: FxHashMap<u128, bool>,
    /// For two players.
    duel: Duel<'a>,
    /// Bounds of values, lower and upper.
    values: FxHashMap<u128, (i32, i32)>,
    buffers: Vec<Vec<Action>>,
    visited: u64,
    limit: u64,
}

/// The marks that are mixed into the keys of the two questions.
pub(crate) const WIN: u64 = 11;
const VALUE: u64 = 12;

impl<'a> Solver<'a> {
    /// A solver that gives up after so many positions for one question.
    pub fn new(rules: &'a Rules, limit: u64) -> Self {
        Solver {
            rules,
            wins: FxHashMap::default(),
            duel: Duel::new(rules),
            values: FxHashMap::default(),
            buffers: Vec::new(),
            visited: 0,
            limit,
        }
    }

    /// How many positions the last question took.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether `seat` can force being first out. All hands of `state` must be known and a deal be in play.
    ///
    /// # Errors
    /// When the limit is reached.
    pub fn wins(&mut self, state: &State, seat: Seat) -> Result<bool, Unsolved> {
        let two = self.rules.players() == 2 && state.phase() == Phase::Play && !state.include_duty();
        if two && state.finishing_order().next().is_none() {
            let mover_wins = self.duel.wins(state, self.limit);
            self.visited = self.duel.visited();
            return mover_wins.map(|wins| wins == (state.to_move() == seat));
        }
        self.visited = 0;
        self.win(state, seat, 0)
    }

    /// The score of the deal that `seat` can force.
    ///
    /// # Errors
    /// When the limit is reached.
    pub fn value(&mut self, state: &State, seat: Seat) -> Result<i32, Unsolved> {
        self.visited = 0;
        self.bounded(state, seat, i32::MIN, i32::MAX, 0)
    }

    /// Every legal action of the seat to move with what it forces.
    ///
    /// # Errors
    /// When the limit is reached for one of them.
    pub fn root(&mut self, state: &State) -> Result<Vec<SolvedAction>, Unsolved> {
        let seat = state.to_move();
        let mut actions = Vec::new();
        state.actions(self.rules, &mut actions);
        let mut solved = Vec::with_capacity(actions.len());
        for action in actions {
            let mut next = *state;
            next.apply(self.rules, action);
            solved.push(SolvedAction { action, wins: self.wins(&next, seat)?, value: self.value(&next, seat)? });
        }
        Ok(solved)
    }

    fn visit(&mut self) -> Result<(), Unsolved> {
        self.visited += 1;
        if self.visited > self.limit { Err(Unsolved(self.limit)) } else { Ok(()) }
    }

    /// The ordered actions of `state` in the buffer of this depth.
    fn list(&mut self, state: &State, depth: usize) -> Vec<Action> {
        if self.buffers.len() <= depth {
            self.buffers.resize_with(depth + 1, Vec::new);
        }
        let mut actions = std::mem::take(&mut self.buffers[depth]);
        state.actions(self.rules, &mut actions);
        if actions.len() > 1 {
            self.order(state, &mut actions);
        }
        actions
    }

    /// Plays that empty the hand first, then those that nobody can beat, then long ones and low ones; bombs and the pass late.
    fn order(&self, state: &State, actions: &mut [Action]) {
        let me = state.to_move();
        let hand = state.hand(me).unwrap_or_default();
        let others = (0..self.rules.players()).filter(|&seat| seat != me && !state.is_out(seat));
        let others: Vec<_> = others.filter_map(|seat| state.hand(seat)).collect();
        actions.sort_by_cached_key(|action| {
            let cards = action.cards();
            if cards == hand {
                return (0, 0, 0, 0);
            }
            let Some(reading) = state.read(self.rules, cards).filter(|_| !action.is_pass()) else {
                return (3, 0, 0, 0);
            };
            let beaten = others.iter().any(|other| self.rules.can_beat(*other, &reading));
            let bomb = u8::from(reading.class == Class::Bomb);
            (1 + u8::from(beaten), bomb, u8::MAX - cards.len(), reading.key)
        });
    }

    fn win(&mut self, state: &State, seat: Seat, depth: usize) -> Result<bool, Unsolved> {
        if state.phase() != Phase::Play {
            return Ok(state.winner() == Some(seat));
        }
        // In a ranking the game goes on after the first is out.
        if let Some(first) = state.finishing_order().next() {
            return Ok(first == seat);
        }
        let key = state.solver_key(self.rules, WIN + 16 * u64::from(seat), false);
        if let Some(&known) = self.wins.get(&key) {
            return Ok(known);
        }
        self.visit()?;
        let mine = state.to_move() == seat;
        let actions = self.list(state, depth);
        let mut result = Ok(!mine);
        for &action in &actions {
            let mut next = *state;
            next.apply(self.rules, action);
            match self.win(&next, seat, depth + 1) {
                Ok(won) if won == mine => {
                    result = Ok(mine);
                    break;
                }
                Ok(_) => {}
                Err(e) => {
                    result = Err(e);
                    break;
                }
            }
        }
        self.buffers[depth] = actions;
        if let Ok(won) = result {
            self.wins.insert(key, won);
        }
        result
    }

    fn bounded(&mut self, state: &State, seat: Seat, alpha: i32, beta: i32, depth: usize) -> Result<i32, Unsolved> {
        if state.phase() != Phase::Play {
            return Ok(state.scores(self.rules)[usize::from(seat)]);
        }
        let key = state.solver_key(self.rules, VALUE + 16 * u64::from(seat), true);
        let (low, high) = self.values.get(&key).copied().unwrap_or((i32::MIN, i32::MAX));
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        let (mut alpha, mut beta) = (alpha.max(low), beta.min(high));
        let (first_alpha, first_beta) = (alpha, beta);
        self.visit()?;
        let mine = state.to_move() == seat;
        let actions = self.list(state, depth);
        let mut best = if mine { i32::MIN } else { i32::MAX };
        let mut failed = None;
        for &action in &actions {
            let mut next = *state;
            next.apply(self.rules, action);
            match self.bounded(&next, seat, alpha, beta, depth + 1) {
                Err(e) => {
                    failed = Some(e);
                    break;
                }
                Ok(value) if mine => {
                    best = best.max(value);
                    alpha = alpha.max(best);
                }
                Ok(value) => {
                    best = best.min(value);
                    beta = beta.min(best);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.buffers[depth] = actions;
        if let Some(e) = failed {
            return Err(e);
        }
        let kept = self.values.entry(key).or_insert((i32::MIN, i32::MAX));
        if best < first_beta {
            kept.1 = kept.1.min(best);
        }
        if best > first_alpha {
            kept.0 = kept.0.max(best);
        }
        Ok(best)
    }
}
