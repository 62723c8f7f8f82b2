//! The strengths of features, and the text file that holds them.
//!
//! The file: the line `kiebitz-go-gammas 1`, then one line `GROUP LEVEL STRENGTH` for each level in any order; empty lines and
//! lines that start with `#` are comments. A level that has no line has strength 1. The levels of `pattern` are 3x3 patterns
//! row by row with the move `*` in the middle: `X` the mover's stone, `O` the opponent's, `x` and `o` the same in atari, `#` off
//! the board, `.` empty; a pattern stands for its eight symmetric forms.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use super::levels::{GROUPS, Group, Levels};
use super::pattern::{self, NO_PATTERN, PATTERNS};

/// The first line of a file.
const HEADER: &str = "kiebitz-go-gammas 1";
/// Levels of a group, a power of two for cheap indexing.
const LEVELS: usize = 32;
/// The largest file read, in bytes.
const MAX_BYTES: usize = 4 << 20;
/// Strengths are within this factor of 1.
const MAX_GAMMA: f32 = 1e6;

/// Why a text holds no strengths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GammasError {
    /// Another kind of file, or another version.
    #[error("the strengths of Go moves must start with the line '{HEADER}'")]
    Header,
    /// A line cannot be read.
    #[error("line {line} of the strengths of Go moves: {why}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The text is too long.
    #[error("the strengths of Go moves must be at most {MAX_BYTES} bytes")]
    Size,
}

impl GammasError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            GammasError::Header => "go_gammas_header",
            GammasError::Line { .. } => "go_gammas_line",
            GammasError::Size => "go_gammas_size",
        }
    }
}

/// The Bradley–Terry strength of each level of each feature group (Coulom 2007). A move's strength is the product over the
/// groups; it is chosen with a probability in proportion to it.
#[derive(Clone, PartialEq)]
pub struct Gammas {
    listed: [[f32; LEVELS]; GROUPS],
    /// The place in `patterns` by pattern in any of its forms; 0 for those without a strength.
    places: Vec<u16>,
    /// Strength 1 first.
    patterns: Vec<f32>,
}

impl fmt::Debug for Gammas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gammas").field("patterns", &(self.patterns.len() - 1)).finish_non_exhaustive()
    }
}

impl Gammas {
    /// Those that come with the program, learned from games.
    ///
    /// # Panics
    /// Never: a test reads the file that is built in.
    pub fn built_in() -> &'static Gammas {
        static BUILT_IN: LazyLock<Gammas> =
            LazyLock::new(|| Gammas::parse(include_str!("../../data/gammas.txt")).unwrap_or_else(|_| Gammas::equal()));
        &BUILT_IN
    }

    /// All strengths 1.
    pub fn equal() -> Self {
        Gammas { listed: [[1.0; LEVELS]; GROUPS], places: vec![0; PATTERNS], patterns: vec![1.0] }
    }

    /// Reads a text as [`Gammas::text`] writes it.
    ///
    /// # Errors
    /// See [`GammasError`].
    pub fn parse(text: &str) -> Result<Self, GammasError> {
        if text.len() > MAX_BYTES {
            return Err(GammasError::Size);
        }
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, first)| first.trim_end() != HEADER) {
            return Err(GammasError::Header);
        }
        let mut places = BTreeMap::new();
        for group in Group::LISTED {
            for (i, level) in group.levels().into_iter().enumerate() {
                places.insert((group.name(), level), (group as usize, i + 1));
            }
        }
        let mut gammas = Gammas::equal();
        for (i, line) in lines {
            let bad = |why: String| GammasError::Line { line: i + 1, why };
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let &[group, level, gamma] = words.as_slice() else {
                return Err(bad("it must hold a group, a level and a strength".to_owned()));
            };
            let clip = |word: &str| word.chars().take(32).collect::<String>();
            let gamma = match gamma.parse::<f32>() {
                Ok(g) if (1.0 / MAX_GAMMA..=MAX_GAMMA).contains(&g) => g,
                _ => {
                    return Err(bad(format!(
                        "'{}' is no strength from {} to {MAX_GAMMA}",
                        clip(gamma),
                        1.0 / MAX_GAMMA
                    )));
                }
            };
            if group == Group::Pattern.name() {
                let Some(pattern) = pattern::parse(level).filter(|&p| p & 0xFFFF != NO_PATTERN & 0xFFFF) else {
                    return Err(bad(format!("'{}' is no pattern such as .X.O*.###", clip(level))));
                };
                if !gammas.add_pattern(pattern, gamma) {
                    return Err(bad("there are too many patterns".to_owned()));
                }
            } else {
                let Some(&(group, level)) = places.get(&(group, level.to_owned())) else {
                    return Err(bad(format!("there is no level '{}' of a group '{}'", clip(level), clip(group))));
                };
                gammas.set(group, level, gamma);
            }
        }
        Ok(gammas)
    }

    /// The text of a file, sorted by group and level; levels of strength 1 are left out. `comments` become its first lines.
    pub fn text(&self, comments: &[String]) -> String {
        let mut lines = vec![HEADER.to_owned()];
        lines.extend(comments.iter().map(|c| format!("# {c}")));
        for group in Group::LISTED {
            for (i, level) in group.levels().iter().enumerate() {
                let gamma = self.of(group as usize, i + 1);
                if gamma != 1.0 {
                    lines.push(format!("{} {level} {gamma:.4}", group.name()));
                }
            }
        }
        let mut patterns: Vec<(String, f32)> = self
            .places
            .iter()
            .enumerate()
            .filter(|&(code, &place)| place != 0 && pattern::canonical(code as u32) == code as u32)
            .map(|(code, &place)| (pattern::text(code as u32), self.patterns[usize::from(place)]))
            .collect();
        patterns.sort_by(|a, b| a.0.cmp(&b.0));
        lines.extend(patterns.iter().map(|(text, gamma)| format!("{} {text} {gamma:.4}", Group::Pattern.name())));
        lines.push(String::new());
        lines.join("\n")
    }

    /// Gives a pattern and its symmetric forms a strength; `false` when there are too many patterns.
    pub(super) fn add_pattern(&mut self, code: u32, gamma: f32) -> bool {
        let Ok(place) = u16::try_from(self.patterns.len()) else { return false };
        self.patterns.push(gamma);
        for form in pattern::symmetric(code) {
            self.places[form as usize % PATTERNS] = place;
        }
        true
    }

    pub(super) fn set(&mut self, group: usize, level: usize, gamma: f32) {
        if let Some(slot) = self.listed.get_mut(group).and_then(|g| g.get_mut(level)) {
            *slot = gamma;
        }
    }

    #[inline(always)]
    fn of(&self, group: usize, level: usize) -> f32 {
        self.listed[group][level % LEVELS]
    }

    /// The strength of a move: the product over the groups whose bit is set in `groups` (those of [`Group`]).
    #[inline]
    pub(super) fn strength(&self, levels: &Levels, groups: u16) -> f32 {
        let place = self.places[levels.pattern as usize % PATTERNS];
        let on = groups >> Group::Pattern as u16 & 1;
        let mut strength = self.patterns[usize::from(place * on)];
        for (i, &level) in levels.listed().iter().enumerate() {
            strength *= self.of(i, usize::from(level * (groups >> i & 1)));
        }
        strength
    }
}
