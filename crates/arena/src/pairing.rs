//! Who sits where in which game, with which luck.

use kiebitz_core::Luck;

/// The most contestants of a match; with more, the line-ups of a round robin become too many.
pub const MAX_CONTESTANTS: usize = 16;
/// The most games of a match; all results are kept in memory, a few hundred bytes each.
pub const MAX_GAMES: u64 = 10_000_000;

/// The purpose of [`Luck::stream`] from which the seeds of blocks are drawn.
const STREAM_BLOCK: u64 = 0x626C_6F63;

/// Why contestants cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Too few or too many contestants.
    #[error("a match is for 2 to {MAX_CONTESTANTS} players, not {0}")]
    Contestants(usize),
    /// No games, or too many.
    #[error("a match has 1 to {MAX_GAMES} games, not {0}")]
    Games(u64),
    /// Nobody sits at the table.
    #[error("a match needs a game for at least 2 players, not {0}")]
    Seats(usize),
}

impl ScheduleError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ScheduleError::Contestants(_) => "match.contestants",
            ScheduleError::Games(_) => "match.games",
            ScheduleError::Seats(_) => "match.seats",
        }
    }
}

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its number in the match, from 0.
    pub id: u64,
    /// The number of its block, from 0.
    pub block: u64,
    /// The seed of its luck, the same for all games of the block.
    pub seed: u64,
    /// The contestant in each seat.
    pub lineup: Vec<usize>,
}

/// All games of a match. Game `id` is the same whatever the number of games, so that a match can be lengthened.
///
/// A *block* is one line-up with one seed in all its rotations: for two players two games with seats swapped, for n seats n
/// games, after which every contestant has had every seat. As many contestants as seats make one line-up; more make a round
/// robin of all selections; with fewer, the last contestant fills the seats that are left.
#[derive(Clone, Debug)]
pub struct Schedule {
    lineups: Vec<Vec<usize>>,
    seats: usize,
    seed: u64,
    games: u64,
}

impl Schedule {
    /// The schedule of a match with at least `games` games: the number is rounded up to whole rounds of one block for every
    /// line-up.
    ///
    /// # Errors
    /// When the number of contestants, seats or games is out of bounds.
    pub fn new(contestants: usize, seats: usize, games: u64, seed: u64) -> Result<Self, ScheduleError> {
        if !(2..=MAX_CONTESTANTS).contains(&contestants) {
            return Err(ScheduleError::Contestants(contestants));
        }
        if seats < 2 {
            return Err(ScheduleError::Seats(seats));
        }
        if !(1..=MAX_GAMES).contains(&games) {
            return Err(ScheduleError::Games(games));
        }
        let lineups = lineups(contestants, seats);
        let round = (lineups.len() * seats) as u64;
        Ok(Schedule { games: games.div_ceil(round) * round, lineups, seats, seed })
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many games make a block.
    pub fn block_size(&self) -> usize {
        self.seats
    }

    /// The line-ups, each in its first rotation.
    pub fn lineups(&self) -> &[Vec<usize>] {
        &self.lineups
    }

    /// Game `id`.
    pub fn task(&self, id: u64) -> Task {
        let block = id / self.seats as u64;
        let rotation = (id % self.seats as u64) as usize;
        let mut lineup = self.lineups[(block % self.lineups.len() as u64) as usize].clone();
        lineup.rotate_right(rotation);
        let seed = Luck::new(self.seed).stream(STREAM_BLOCK, block).next_u64();
        Task { id, block, seed, lineup }
    }
}

/// All selections of `seats` contestants, in lexicographic order; one line-up with the last contestant repeated when there
/// are too few.
fn lineups(contestants: usize, seats: usize) -> Vec<Vec<usize>> {
    if contestants <= seats {
        return vec![(0..seats).map(|seat| seat.min(contestants - 1)).collect()];
    }
    let mut all = Vec::new();
    let mut chosen: Vec<usize> = (0..seats).collect();
    loop {
        all.push(chosen.clone());
        // The last entry that can still grow; what follows it starts right after it.
        let Some(i) = (0..seats).rev().find(|&i| chosen[i] + seats - i < contestants) else { return all };
        chosen[i] += 1;
        for j in i + 1..seats {
            chosen[j] = chosen[j - 1] + 1;
        }
    }
}
