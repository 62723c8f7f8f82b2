//! A game written out as a tree.

use std::sync::Arc;

use kiebitz_core::{ChanceKind, Game, Illegal, Meta, Payoff, Seat, SetupError, Turn, snapshot_undo};

#[derive(Clone, Debug, PartialEq)]
pub enum Position {
    /// The end, with a utility for each seat.
    End(Vec<f64>),
    /// The seat chooses; action `i` leads to the `i`-th position.
    Choice(Seat, Vec<Arc<Position>>),
}

pub fn end(utility: &[f64]) -> Arc<Position> {
    Arc::new(Position::End(utility.to_vec()))
}

pub fn choice(seat: Seat, next: Vec<Arc<Position>>) -> Arc<Position> {
    Arc::new(Position::Choice(seat, next))
}

#[derive(Clone, Debug, PartialEq)]
pub struct Explicit {
    players: u8,
    at: Arc<Position>,
    /// The actions so far.
    pub path: Vec<u8>,
    pub hidden: bool,
    pub chance: &'static [ChanceKind],
}

impl Explicit {
    pub fn start(players: u8, at: Arc<Position>) -> Self {
        Explicit { players, at, path: Vec::new(), hidden: false, chance: &[] }
    }
}

impl Game for Explicit {
    const ID: &'static str = "explicit";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=6;
    type Options = ();
    type Setup = ();
    type Action = u8;
    type Belief = ();
    snapshot_undo!();

    fn new(players: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        Ok(Explicit::start(players, end(&vec![0.5; usize::from(players)])))
    }

    fn meta(&self) -> Meta {
        Meta {
            players: self.players,
            zero_sum: false,
            hidden: self.hidden,
            max_length: 100,
            min_return: 0.0,
            max_return: 10.0,
            chance: self.chance,
        }
    }

    fn turn(&self) -> Turn {
        match &*self.at {
            Position::End(_) => Turn::Terminal,
            Position::Choice(seat, _) => Turn::Seat(*seat),
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        if let Position::Choice(_, next) = &*self.at {
            out.extend(0..next.len() as u8);
        }
    }

    fn check(&self, action: u8) -> Result<(), Illegal> {
        match &*self.at {
            Position::Choice(_, next) if usize::from(action) < next.len() => Ok(()),
            _ => Err(Illegal::new("explicit.none", "there is no such action")),
        }
    }

    fn apply(&mut self, action: u8) {
        if let Position::Choice(_, next) = &*self.at {
            self.at = next[usize::from(action)].clone();
            self.path.push(action);
        }
    }

    /// Ten times the utility.
    fn returns(&self) -> Payoff {
        let mut returns = self.utility();
        for seat in 0..returns.players() {
            returns.set(seat, 10.0 * returns.of(seat));
        }
        returns
    }

    fn utility(&self) -> Payoff {
        match &*self.at {
            Position::End(utility) => Payoff::new(utility),
            Position::Choice(..) => Payoff::uniform(self.players, 0.5),
        }
    }

    fn key(&self) -> u64 {
        self.path.iter().fold(1, |key, &a| key * 256 + u64::from(a))
    }
}
