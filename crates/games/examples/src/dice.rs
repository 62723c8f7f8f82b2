//! Countdown: a small dice game of our own for two players, with chance that can be enumerated and a decision at every turn.
//!
//! A count starts at 12. In turn, a player chooses to roll one die or two; the sum of the roll is taken off the count.
//! Who brings the count to exactly zero wins two points from the other; who brings it below zero pays one point to the other.
//! The count falls with every roll, so no position comes twice, and the exact value follows by enumeration.

use std::ops::RangeInclusive;

use kiebitz_core::{ChanceKind, Game, Illegal, Meta, Payoff, Seat, SetupError, Turn, Weighted, snapshot_undo};

/// What happens in a game of countdown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiceAction {
    /// The seat rolls one die. Text: `one`.
    One,
    /// The seat rolls two dice. Text: `two`.
    Two,
    /// Chance: the sum of the dice. Text: `roll 7`.
    Roll(u8),
}

/// The rules that may be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountdownOptions {
    /// Where the count starts, 1 to 60; 12 by default.
    pub start: u8,
    /// Faces of a die, 2 to 20; 6 by default.
    pub faces: u8,
}

impl Default for CountdownOptions {
    fn default() -> Self {
        CountdownOptions { start: 12, faces: 6 }
    }
}

/// A state of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Countdown {
    options: CountdownOptions,
    /// What is left; zero or below ends the game.
    count: i16,
    /// Whose turn it is; at the end, who rolled last.
    seat: Seat,
    /// The dice about to be rolled; 0 while the seat decides.
    dice: u8,
}

impl Countdown {
    /// What is left of the count; zero or below at the end.
    pub fn count(&self) -> i16 {
        self.count
    }

    /// The rules it is played by.
    pub fn options(&self) -> &CountdownOptions {
        &self.options
    }

    /// How many dice are about to be rolled; 0 while the seat decides and at the end.
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// The sums the chosen dice can show.
    fn sums(&self) -> RangeInclusive<u8> {
        self.dice..=self.dice * self.options.faces
    }
}

impl Game for Countdown {
    const ID: &'static str = "countdown";
    const PLAYERS: RangeInclusive<u8> = 2..=2;
    type Options = CountdownOptions;
    type Setup = ();
    type Action = DiceAction;
    type Belief = ();
    snapshot_undo!();

    fn new(players: u8, options: &CountdownOptions, _: Option<&()>) -> Result<Self, SetupError> {
        let CountdownOptions { start, faces } = *options;
        if players != 2 {
            return Err(SetupError::new("countdown.players", format!("countdown has 2 players, not {players}")));
        }
        if !(1..=60).contains(&start) {
            return Err(SetupError::new("countdown.start", format!("the count starts from 1 to 60, not at {start}")));
        }
        if !(2..=20).contains(&faces) {
            return Err(SetupError::new("countdown.faces", format!("a die has 2 to 20 faces, not {faces}")));
        }
        Ok(Countdown { options: *options, count: i16::from(start), seat: 0, dice: 0 })
    }

    fn meta(&self) -> Meta {
        Meta {
            players: 2,
            zero_sum: true,
            hidden: false,
            // Each turn is a choice and a roll, and takes at least one off the count.
            max_length: 2 * u32::from(self.options.start),
            min_return: -2.0,
            max_return: 2.0,
            chance: &[ChanceKind { name: "roll", listed: true }],
        }
    }

    fn turn(&self) -> Turn {
        match (self.count, self.dice) {
            (..=0, _) => Turn::Terminal,
            (_, 0) => Turn::Seat(self.seat),
            _ => Turn::Chance(0),
        }
    }

    fn actions(&self, out: &mut Vec<DiceAction>) {
        out.clear();
        match self.turn() {
            Turn::Seat(_) => out.extend([DiceAction::One, DiceAction::Two]),
            Turn::Chance(_) => out.extend(self.sums().map(DiceAction::Roll)),
            Turn::Terminal => {}
        }
    }

    fn check(&self, action: DiceAction) -> Result<(), Illegal> {
        match (self.turn(), action) {
            (Turn::Terminal, _) => Err(Illegal::game_over()),
            (Turn::Seat(_), DiceAction::One | DiceAction::Two) => Ok(()),
            (Turn::Seat(_), _) => Err(Illegal::new("countdown.choose", "the seat chooses one die or two first")),
            (Turn::Chance(_), DiceAction::Roll(sum)) if self.sums().contains(&sum) => Ok(()),
            (Turn::Chance(_), _) => {
                let (low, high) = self.sums().into_inner();
                Err(Illegal::new("countdown.roll", format!("the dice show a sum from {low} to {high}")))
            }
        }
    }

    fn apply(&mut self, action: DiceAction) {
        debug_assert!(self.is_legal(action), "illegal action {action:?}");
        match action {
            DiceAction::One => self.dice = 1,
            DiceAction::Two => self.dice = 2,
            DiceAction::Roll(sum) => {
                self.dice = 0;
                self.count -= i16::from(sum);
                if self.count > 0 {
                    self.seat = 1 - self.seat;
                }
            }
        }
    }

    /// Points: 2 for exactly zero, -1 for less, and the opposite for the other; 0 before the end.
    fn returns(&self) -> Payoff {
        let points = match self.count {
            1.. => 0.0,
            0 => 2.0,
            _ => -1.0,
        };
        Payoff::zero_sum(if self.seat == 0 { points } else { -points })
    }

    /// Returns scaled from `[-2, 2]` to `[0, 1]`.
    fn utility(&self) -> Payoff {
        let value = 0.5 + self.returns().of(0) / 4.0;
        Payoff::new(&[value, 1.0 - value])
    }

    fn key(&self) -> u64 {
        u64::from(self.count as u16) << 16 | u64::from(self.seat) << 8 | u64::from(self.dice)
    }

    fn chance_outcomes(&self, out: &mut Weighted<DiceAction>) {
        out.clear();
        if self.turn() != Turn::Chance(0) {
            return;
        }
        let faces = f64::from(self.options.faces);
        for sum in self.sums() {
            // One die: every sum in one way. Two dice: min(sum - 1, 2 faces + 1 - sum) ways of faces squared.
            let p = match self.dice {
                1 => 1.0 / faces,
                _ => f64::from((sum - 1).min(2 * self.options.faces + 1 - sum)) / (faces * faces),
            };
            out.push((DiceAction::Roll(sum), p));
        }
    }
}
