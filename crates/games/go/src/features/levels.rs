//! The feature groups and their levels. A move has exactly one level of every group; level 0 means that the group has nothing
//! to say, and its strength is 1.

use super::pattern::NO_PATTERN;
use crate::Size;

/// A group of features that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Group {
    /// A pass: before a stone for every other point was played, later, and after a pass.
    Pass,
    /// Filling an own eye.
    Eye,
    /// Taking stones.
    Capture,
    /// Giving an own chain in atari more liberties.
    Extend,
    /// Leaving the own chain with one liberty.
    SelfAtari,
    /// Leaving a chain of the opponent with one liberty.
    Atari,
    /// Taking one of three liberties, or giving more to a chain with two.
    Short,
    /// The liberties of the chain after the move, for moves that touch stones.
    Liberties,
    /// The line of the board, by size of the board and whether a stone is within three lines.
    Border,
    /// The distance to the last move.
    Last,
    /// The distance to the move before it.
    Before,
    /// The 3x3 pattern. Its levels are patterns, so it has no list of names.
    Pattern,
}

/// The number of groups but that of patterns.
pub(super) const GROUPS: usize = 11;

impl Group {
    /// The groups but that of patterns.
    pub const LISTED: [Group; GROUPS] = [
        Group::Pass,
        Group::Eye,
        Group::Capture,
        Group::Extend,
        Group::SelfAtari,
        Group::Atari,
        Group::Short,
        Group::Liberties,
        Group::Border,
        Group::Last,
        Group::Before,
    ];

    /// Its name in weights files.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Pass => "pass",
            Group::Eye => "eye",
            Group::Capture => "capture",
            Group::Extend => "extend",
            Group::SelfAtari => "self-atari",
            Group::Atari => "atari",
            Group::Short => "short",
            Group::Liberties => "liberties",
            Group::Border => "border",
            Group::Last => "last",
            Group::Before => "before",
            Group::Pattern => "pattern",
        }
    }

    /// Its levels from 1 on, by name, in order.
    pub fn levels(self) -> Vec<String> {
        let named = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
        match self {
            Group::Pass => named(&["early", "late", "answer"]),
            Group::Eye => named(&["own"]),
            Group::Capture => named(&[
                "caught-1", "free-1", "caught-2", "free-2", "caught-5", "free-5", "retakes", "saves-1", "saves-2",
            ]),
            Group::Extend => named(&["caught-1", "caught-2", "works-1", "works-2", "works-4"]),
            Group::SelfAtari => named(&["throw-in", "1", "2", "4"]),
            Group::Atari => named(&["escapes-1", "escapes-2", "caught-1", "caught-2", "double"]),
            Group::Short => named(&["presses", "relieves", "both", "out-of-ladder"]),
            Group::Liberties => named(&["2", "3", "4"]),
            Group::Border => ["small", "medium", "large"]
                .iter()
                .flat_map(|class| {
                    ["far", "near"].map(|near| (1..=LINES).map(move |line| format!("{class}-{near}-{line}")))
                })
                .flatten()
                .collect(),
            Group::Last | Group::Before => (2..=FAR).map(|d| d.to_string()).collect(),
            Group::Pattern => Vec::new(),
        }
    }
}

/// Lines from the border that are told apart; further in is the last of them.
const LINES: usize = 5;
/// The largest distance with a level.
const FAR: usize = 17;

/// The level of a point on `line` (0 is the border) with or without a stone within three lines.
pub(super) fn border_level(size: Size, line: usize, near: bool) -> u16 {
    let class = match size.width().min(size.height()) {
        0..=10 => 0,
        11..=15 => 1,
        _ => 2,
    };
    1 + ((class * 2 + usize::from(near)) * LINES + line.min(LINES - 1)) as u16
}

/// The level of a distance `|dx| + |dy| + max(|dx|, |dy|)`.
pub(super) fn distance_level(distance: usize) -> u16 {
    if (2..=FAR).contains(&distance) { distance as u16 - 1 } else { 0 }
}

/// The level of a chain with so many liberties after the move.
pub(super) fn liberties_level(after: usize) -> u16 {
    after.clamp(1, 4) as u16 - 1
}

/// Levels of [`Group::Capture`], the weightiest last: of several chains the last of their levels counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Capture {
    None,
    /// One stone that could not get away.
    Caught1,
    Free1,
    Caught2,
    Free2,
    Caught5,
    Free5,
    /// The chain of the last move.
    Retakes,
    /// A single own stone next to it was in atari.
    Saves1,
    Saves2,
}

impl Capture {
    pub fn of(stones: u16, saved: u16, retakes: bool, caught: bool) -> Self {
        match (saved, stones) {
            (2.., _) => Capture::Saves2,
            (1, _) => Capture::Saves1,
            _ if retakes => Capture::Retakes,
            (_, 0..=1) if caught => Capture::Caught1,
            (_, 0..=1) => Capture::Free1,
            (_, 2..=4) if caught => Capture::Caught2,
            (_, 2..=4) => Capture::Free2,
            _ if caught => Capture::Caught5,
            _ => Capture::Free5,
        }
    }
}

/// Levels of [`Group::Extend`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extend {
    None,
    /// One stone, which is caught all the same.
    Caught1,
    Caught2,
    /// One stone, which gets away.
    Works1,
    Works2,
    Works4,
}

impl Extend {
    pub fn of(stones: u16, caught: bool) -> Self {
        match stones {
            0..=1 if caught => Extend::Caught1,
            _ if caught => Extend::Caught2,
            0..=1 => Extend::Works1,
            2..=3 => Extend::Works2,
            _ => Extend::Works4,
        }
    }
}

/// Levels of [`Group::SelfAtari`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SelfAtari {
    /// One stone next to a chain with two or three liberties: perhaps a snapback.
    ThrowIn = 1,
    One,
    Two,
    Four,
}

impl SelfAtari {
    pub fn of(stones: u16, hemmed: bool) -> Self {
        match stones {
            0..=1 if hemmed => SelfAtari::ThrowIn,
            0..=1 => SelfAtari::One,
            2..=3 => SelfAtari::Two,
            _ => SelfAtari::Four,
        }
    }
}

/// Levels of [`Group::Atari`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Threat {
    None,
    /// One stone, which can get away.
    Escapes1,
    Escapes2,
    /// One stone, which is caught.
    Caught1,
    Caught2,
    /// More than one chain.
    Double,
}

impl Threat {
    pub fn of(stones: u16, caught: bool) -> Self {
        match (stones, caught) {
            (0..=1, false) => Threat::Escapes1,
            (_, false) => Threat::Escapes2,
            (0..=1, true) => Threat::Caught1,
            (_, true) => Threat::Caught2,
        }
    }
}

/// Levels of [`Group::Short`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Short {
    None,
    /// An opponent's chain is left with two liberties.
    Presses,
    /// An own chain had two liberties and has three or more.
    Relieves,
    Both,
    /// An own chain with two liberties could have been caught in a ladder.
    OutOfLadder,
}

impl Short {
    pub fn of(presses: bool, relieves: bool, out: bool) -> Self {
        match (presses, relieves) {
            _ if out => Short::OutOfLadder,
            (true, true) => Short::Both,
            (true, false) => Short::Presses,
            (false, true) => Short::Relieves,
            (false, false) => Short::None,
        }
    }
}

/// One level of each group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Levels {
    listed: [u16; GROUPS],
    /// The 3x3 pattern as it lies, not its canonical form; see [`super::pattern`].
    pub pattern: u32,
}

impl Levels {
    /// One level and no pattern, all other groups at 0.
    pub fn of(group: Group, level: u16) -> Self {
        let mut levels = Levels { pattern: NO_PATTERN, ..Levels::default() };
        levels.set(group, level);
        levels
    }

    #[inline]
    pub fn set(&mut self, group: Group, level: u16) {
        if let Some(slot) = self.listed.get_mut(group as usize) {
            *slot = level;
        }
    }

    /// The levels of [`Group::LISTED`].
    #[inline]
    pub fn listed(&self) -> &[u16; GROUPS] {
        &self.listed
    }
}
