//! Who wins with two players and open cards: the positions are so few kinds that hands and trick are all there is to remember.

use rustc_hash::FxHashMap;

use crate::cards::Cards;
use crate::generate::Situation;
use crate::options::Baodan;
use crate::reading::{Class, Reading};
use crate::rules::Rules;
use crate::solver::Unsolved;
use crate::state::State;

/// Solves win or loss for two players, and remembers.
#[derive(Debug)]
pub(crate) struct Duel<'a> {
    rules: &'a Rules,
    /// By the hand of the leader and that of the other: whether the leader is first out.
    leads: FxHashMap<(u64, u64), bool>,
    /// By the hand that must follow, the other one, and the trick: whether the first is first out.
    follows: FxHashMap<(u64, u64, u64), bool>,
    buffers: Vec<Vec<Candidate>>,
    visited: u64,
    limit: u64,
}

/// A play with its place in the order: the least comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Candidate {
    order: (bool, bool, u8, u64),
    cards: Cards,
    /// How it is read.
    reading: Reading,
}

fn packed(trick: &Reading) -> u64 {
    let short = u64::from(trick.short);
    trick.class as u64
        | u64::from(trick.size) << 8
        | u64::from(trick.key) << 16
        | u64::from(trick.kickers) << 24
        | short << 32
}

impl<'a> Duel<'a> {
    pub fn new(rules: &'a Rules) -> Self {
        Duel {
            rules,
            leads: FxHashMap::default(),
            follows: FxHashMap::default(),
            buffers: Vec::new(),
            visited: 0,
            limit: 0,
        }
    }

    /// How many positions the last question took.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether the seat to move is first out; the opening play must not be due. Both hands are known.
    pub fn wins(&mut self, state: &State, limit: u64) -> Result<bool, Unsolved> {
        (self.visited, self.limit) = (0, limit);
        let me = state.to_move();
        let (mine, others) = (state.hand(me).unwrap_or_default(), state.hand(1 - me).unwrap_or_default());
        match state.trick() {
            None => self.lead(mine, others, 0),
            Some((_, trick, _)) => self.follow(mine, others, &trick, 0),
        }
    }

    fn visit(&mut self) -> Result<(), Unsolved> {
        self.visited += 1;
        if self.visited > self.limit { Err(Unsolved(self.limit)) } else { Ok(()) }
    }

    /// The plays of `mine` in order; `None` when one of them empties the hand.
    fn plays(&mut self, mine: Cards, others: Cards, trick: Option<Reading>, depth: usize) -> Option<Vec<Candidate>> {
        let rules = self.rules;
        let highest_single = rules.options().baodan == Baodan::MustMax && others.is_one();
        let situation = Situation { hand: mine, trick, must_include: None, highest_single };
        if self.buffers.len() <= depth {
            self.buffers.resize_with(depth + 1, Vec::new);
        }
        let mut actions = Vec::new();
        rules.plays(&situation, &mut actions);
        if actions.iter().any(|action| action.cards() == mine) {
            return None;
        }
        let mut plays = std::mem::take(&mut self.buffers[depth]);
        plays.clear();
        for action in actions {
            let cards = action.cards();
            let reading = match &trick {
                None => rules.lead_reading(cards, false),
                Some(trick) => rules.follow_reading(cards, trick, false),
            };
            let Some(reading) = reading else { continue };
            let beaten = rules.can_beat(others, &reading);
            let order = (beaten, reading.class == Class::Bomb, u8::MAX - cards.len(), cards.code());
            plays.push(Candidate { order, cards, reading });
        }
        plays.sort_unstable();
        Some(plays)
    }

    fn lead(&mut self, mine: Cards, others: Cards, depth: usize) -> Result<bool, Unsolved> {
        let key = (mine.code(), others.code());
        if let Some(&known) = self.leads.get(&key) {
            return Ok(known);
        }
        self.visit()?;
        let wins = match self.plays(mine, others, None, depth) {
            None => true,
            Some(plays) => self.any(mine, others, plays, depth)?,
        };
        self.leads.insert(key, wins);
        Ok(wins)
    }

    fn follow(&mut self, mine: Cards, others: Cards, trick: &Reading, depth: usize) -> Result<bool, Unsolved> {
        let options = self.rules.options();
        let beats = self.rules.can_beat(mine, trick);
        if !beats {
            return Ok(!self.lead(others, mine, depth + 1)?);
        }
        let key = (mine.code(), others.code(), packed(trick));
        if let Some(&known) = self.follows.get(&key) {
            return Ok(known);
        }
        self.visit()?;
        let may_pass =
            !options.must_beat || (!options.must_beat_bombs && !self.rules.can_beat_without_bomb(mine, trick));
        let wins = match self.plays(mine, others, Some(*trick), depth) {
            None => true,
            Some(plays) => {
                self.any(mine, others, plays, depth)? || (may_pass && !self.lead(others, mine, depth + 1)?)
            }
        };
        self.follows.insert(key, wins);
        Ok(wins)
    }

    /// Whether one of the plays wins.
    fn any(&mut self, mine: Cards, others: Cards, plays: Vec<Candidate>, depth: usize) -> Result<bool, Unsolved> {
        let mut result = Ok(false);
        for play in &plays {
            let rest = mine.minus(play.cards);
            let beaten = play.order.0;
            let won = if beaten {
                self.follow(others, rest, &play.reading, depth + 1).map(|lost| !lost)
            } else {
                self.lead(rest, others, depth + 1)
            };
            match won {
                Ok(false) => {}
                other => {
                    result = other;
                    break;
                }
            }
        }
        self.buffers[depth] = plays;
        result
    }
}
