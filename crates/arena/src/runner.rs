//! Plays a match: several games at once, a journal to resume from, records of the games.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use kiebitz_core::record::Header;
use kiebitz_core::{Budget, Clock, DynGame, DynGameType, DynPlayer, Luck, SetupError, SpecError};
use serde::Serialize;

use crate::journal::{Journal, JournalError, MatchIdentity};
use crate::load::{cpu_seconds, load_average};
use crate::pairing::{Schedule, ScheduleError, Task};
use crate::play_game::catch;
use crate::{Effort, Ending, Failure, FailureKind, GameResult, Report, Table, play_game};

/// The most games played at once.
pub const MAX_THREADS: usize = 256;

/// The purpose of [`Luck::stream`] for the players' own randomness, by game.
const STREAM_PLAYERS: u64 = 0x706C_6179;

/// How often the journal is forced onto the disk: what a crash of the machine may lose.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Makes a contestant's player, once for each seat and thread.
pub type MakePlayer<'a> = &'a (dyn Fn() -> Result<Box<dyn DynPlayer>, SpecError> + Sync);

/// A contestant.
pub struct Contestant<'a> {
    /// Its spec.
    pub name: String,
    /// Makes its player.
    pub make: MakePlayer<'a>,
}

impl std::fmt::Debug for Contestant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contestant").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What is known while a match goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Games of the schedule.
    pub games: u64,
    /// Games ended so far, those found in the journal included.
    pub done: u64,
    /// Failed games among them.
    pub failed: u64,
    /// The first contestant's results in finished games, every seat it had counting once.
    pub first: crate::Tally,
}

/// A match to be played.
pub struct Match<'a> {
    /// The game.
    pub game: &'a dyn DynGameType,
    /// Players and rules of every game.
    pub header: Header,
    /// The contestants, at least two.
    pub contestants: Vec<Contestant<'a>>,
    /// How many games at least; see [`Schedule::new`].
    pub games: u64,
    /// The luck of all games and the players' randomness follow from it.
    pub seed: u64,
    /// How long a player may think whose spec says nothing.
    pub budget: Budget,
    /// How many games are played at once.
    pub threads: usize,
    /// The largest share of failed games of a valid match, 0 to 1.
    pub max_failures: f64,
    /// Where results are kept as they come; a match found there goes on.
    pub journal: Option<&'a Path>,
    /// The directory where the record of every game played is saved, as `0.jsonl`, `1.jsonl`, …
    pub save: Option<&'a Path>,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Set by somebody else to end the match early.
    pub stop: &'a AtomicBool,
    /// Hears of every game that ends.
    pub progress: Option<&'a dyn Fn(&Progress)>,
}

impl std::fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Match")
            .field("game", &self.game.id())
            .field("contestants", &self.contestants)
            .field("games", &self.games)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// The game cannot be started.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A player cannot be made.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The contestants cannot be paired.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The number of threads is out of bounds.
    #[error("a match is played by 1 to {MAX_THREADS} threads, not {0}")]
    Threads(usize),
    /// The largest share of failures is no share.
    #[error("the largest share of failed games is a number from 0 to 1, not {0}")]
    MaxFailures(f64),
    /// Records are to be saved in what is no directory.
    #[error("{0} is not a directory: name one, in which a record of every game is saved")]
    NoDirectory(String),
    /// A record of another game is in the way.
    #[error("{0} is there already and is another game's record; save in another directory")]
    OtherRecord(String),
    /// A record cannot be saved.
    #[error("the record {path} cannot be saved: {}", .source.kind())]
    Save {
        /// The file or directory.
        path: String,
        /// Why.
        source: io::Error,
    },
}

impl ArenaError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ArenaError::Setup(e) => e.code,
            ArenaError::Spec(e) => e.code(),
            ArenaError::Schedule(e) => e.code(),
            ArenaError::Journal(e) => e.code(),
            ArenaError::Threads(_) => "match.threads",
            ArenaError::MaxFailures(_) => "match.max_failures",
            ArenaError::NoDirectory(_) => "match.save_directory",
            ArenaError::OtherRecord(_) => "match.save_exists",
            ArenaError::Save { .. } => "match.save",
        }
    }
}

/// A contestant's time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerTiming {
    /// Its spec.
    pub name: String,
    /// Seconds per decision, over all finished games.
    pub seconds_per_move: f64,
}

/// What the match took: measured, and different every time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Games played by this run, those found in the journal not included.
    pub games_played: u64,
    /// Seconds this run took.
    pub wall_seconds: f64,
    /// Processor seconds this run used, all threads together; where the operating system tells.
    pub cpu_seconds: Option<f64>,
    /// Processors kept busy on average, `cpu_seconds / wall_seconds`.
    pub cpu_load: Option<f64>,
    /// The machine's load averages at the end, of 1, 5 and 15 minutes; where the operating system tells.
    pub load_average: Option<[f64; 3]>,
    /// Games played at once.
    pub threads: usize,
    /// The contestants.
    pub players: Vec<PlayerTiming>,
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The report: the same for any number of threads, and for a match that was interrupted and resumed.
    pub report: Report,
    /// What it took.
    pub timing: Timing,
    /// The stop flag ended it early: games are missing.
    pub interrupted: bool,
    /// How many results were found in the journal.
    pub resumed: u64,
}

/// What the workers share.
struct Shared<'a> {
    schedule: &'a Schedule,
    /// The games found in the journal.
    done: &'a BTreeSet<u64>,
    /// The next game.
    next: AtomicU64,
    /// Set when something makes it useless to begin further games.
    halt: AtomicBool,
}

impl Match<'_> {
    /// Plays the match.
    ///
    /// # Errors
    /// When something is wrong with the description, or a file cannot be written.
    pub fn run(&self) -> Result<Outcome, ArenaError> {
        let seats = self.header.players();
        if !(1..=MAX_THREADS).contains(&self.threads) {
            return Err(ArenaError::Threads(self.threads));
        }
        if !(0.0..=1.0).contains(&self.max_failures) {
            return Err(ArenaError::MaxFailures(self.max_failures));
        }
        // Whatever cannot work fails here, before anything is written.
        let first = self.game.start(&self.game_header(0), self.seed)?;
        let zero_sum = first.meta().zero_sum;
        for contestant in &self.contestants {
            (contestant.make)()?;
        }
        if let Some(directory) = self.save.filter(|directory| directory.exists() && !directory.is_dir()) {
            return Err(ArenaError::NoDirectory(directory.display().to_string()));
        }
        let schedule = Schedule::new(self.contestants.len(), usize::from(seats), self.games, self.seed)?;
        let identity = self.identity(&*first);
        let (mut journal, mut results) = match self.journal {
            None => (None, BTreeMap::new()),
            Some(path) => {
                let (journal, results) = Journal::open(path, &identity, &schedule)?;
                (Some(journal), results)
            }
        };
        if let Some(directory) = self.save {
            fs::create_dir_all(directory).map_err(|source| save_error(directory, source))?;
        }
        let resumed = results.range(..schedule.games()).count() as u64;
        let (wall, cpu) = (self.clock.now(), cpu_seconds());
        self.play_missing(&schedule, &mut journal, &mut results)?;
        if let Some(journal) = &mut journal {
            journal.sync()?;
        }
        let wall_seconds = self.clock.now().saturating_sub(wall).as_secs_f64();
        let cpu_seconds = cpu.and_then(|before| Some(cpu_seconds()? - before));
        let report = Report::new(identity, &schedule, &results, self.max_failures, zero_sum);
        let timing = Timing {
            games_played: report.games.finished + report.games.failed - resumed,
            wall_seconds,
            cpu_seconds,
            cpu_load: cpu_seconds.filter(|_| wall_seconds > 0.0).map(|s| s / wall_seconds),
            load_average: load_average(),
            threads: self.threads,
            players: self.player_timings(results.range(..schedule.games()).map(|(_, r)| r)),
        };
        Ok(Outcome { interrupted: report.games.missing > 0, report, timing, resumed })
    }

    fn identity(&self, game: &dyn DynGame) -> MatchIdentity {
        // The rules as the game writes them, so that one way of giving them equals another.
        let rules = game.record().header.rules();
        let names = self.contestants.iter().map(|c| c.name.clone()).collect();
        let mut identity = MatchIdentity::new(game.id(), self.header.players(), rules, names, self.seed);
        identity.visits = self.budget.visits;
        identity.time_ms = self.budget.time.map(|t| t.as_millis() as u64);
        identity
    }

    /// The header of a game with the seed of its luck.
    fn game_header(&self, seed: u64) -> Header {
        let mut header = self.header.clone();
        header.set("seed", seed);
        header
    }

    fn player_timings<'r>(&self, results: impl Iterator<Item = &'r GameResult>) -> Vec<PlayerTiming> {
        let mut sums = vec![(0.0, 0u64); self.contestants.len()];
        for result in results.filter(|r| r.is_finished()) {
            for (&player, effort) in result.lineup.iter().zip(&result.effort) {
                sums[player].0 += effort.seconds;
                sums[player].1 += effort.moves;
            }
        }
        let timing = |(contestant, (seconds, moves)): (&Contestant<'_>, (f64, u64))| PlayerTiming {
            name: contestant.name.clone(),
            seconds_per_move: seconds / moves.max(1) as f64,
        };
        self.contestants.iter().zip(sums).map(timing).collect()
    }

    /// Plays the games that have no result yet and adds their results.
    fn play_missing(
        &self,
        schedule: &Schedule,
        journal: &mut Option<Journal>,
        results: &mut BTreeMap<u64, GameResult>,
    ) -> Result<(), ArenaError> {
        let done: BTreeSet<u64> = results.keys().copied().collect();
        let shared = Shared { schedule, done: &done, next: AtomicU64::new(0), halt: AtomicBool::new(false) };
        // A channel of no capacity beyond the threads keeps games from running far ahead of a slow disk.
        let (sender, receiver) = mpsc::sync_channel(self.threads);
        let worker = Worker {
            game: self.game,
            makers: self.contestants.iter().map(|c| c.make).collect(),
            names: self.contestants.iter().map(|c| c.name.as_str()).collect(),
            header: &self.header,
            seed: self.seed,
            budget: self.budget,
            clock: self.clock,
            stop: self.stop,
            save: self.save,
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                let (worker, shared, sender) = (&worker, &shared, sender.clone());
                scope.spawn(move || worker.work(shared, &sender));
            }
            drop(sender);
            let collected = self.collect(schedule, &receiver, journal, results);
            shared.halt.store(true, Ordering::Relaxed);
            // Workers that wait for room in the channel must not wait for ever.
            drop(receiver);
            collected
        })
    }

    fn collect(
        &self,
        schedule: &Schedule,
        receiver: &Receiver<Result<GameResult, ArenaError>>,
        journal: &mut Option<Journal>,
        results: &mut BTreeMap<u64, GameResult>,
    ) -> Result<(), ArenaError> {
        let mut progress = Progress { games: schedule.games(), done: 0, failed: 0, first: crate::Tally::default() };
        for (_, result) in results.range(..schedule.games()) {
            progress.add(result);
        }
        let tell = |progress: &Progress| self.progress.iter().for_each(|f| f(progress));
        tell(&progress);
        let mut synced = self.clock.now();
        for result in receiver {
            let result = result?;
            if let Some(journal) = journal.as_mut() {
                journal.append(&result)?;
                let now = self.clock.now();
                if now.saturating_sub(synced) >= SYNC_EVERY {
                    journal.sync()?;
                    synced = now;
                }
            }
            progress.add(&result);
            tell(&progress);
            results.insert(result.id, result);
        }
        Ok(())
    }
}

impl Progress {
    fn add(&mut self, result: &GameResult) {
        self.done += 1;
        if !result.is_finished() {
            self.failed += 1;
            return;
        }
        for (seat, _) in result.lineup.iter().enumerate().filter(|(_, player)| **player == 0) {
            self.first.add(result.place(seat));
        }
    }
}

/// What one thread needs to play games.
struct Worker<'a> {
    game: &'a dyn DynGameType,
    makers: Vec<MakePlayer<'a>>,
    names: Vec<&'a str>,
    header: &'a Header,
    seed: u64,
    budget: Budget,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
    save: Option<&'a Path>,
}

impl Worker<'_> {
    /// Plays games until there are no more, the match is stopped or something goes wrong.
    fn work(&self, shared: &Shared<'_>, sender: &SyncSender<Result<GameResult, ArenaError>>) {
        // Players are used again from game to game; a contestant may need several, one for each of its seats.
        let mut idle: Vec<Vec<Box<dyn DynPlayer>>> = self.makers.iter().map(|_| Vec::new()).collect();
        while !shared.halt.load(Ordering::Relaxed) {
            let id = shared.next.fetch_add(1, Ordering::Relaxed);
            if id >= shared.schedule.games() {
                return;
            }
            if shared.done.contains(&id) {
                continue;
            }
            let result = match self.play(&shared.schedule.task(id), &mut idle) {
                Ok(Some(result)) => Ok(result),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            let failed = result.is_err();
            if sender.send(result).is_err() || failed {
                return;
            }
        }
    }

    /// Plays one game; `None` when it was stopped.
    fn play(&self, task: &Task, idle: &mut [Vec<Box<dyn DynPlayer>>]) -> Result<Option<GameResult>, ArenaError> {
        let mut header = self.header.clone();
        header.set("seed", task.seed);
        let mut game = self.game.start(&header, task.seed)?;
        let mut players = Vec::with_capacity(task.lineup.len());
        for &contestant in &task.lineup {
            players.push(match idle[contestant].pop() {
                Some(player) => player,
                None => (self.makers[contestant])()?,
            });
        }
        let seed = Luck::new(self.seed).stream(STREAM_PLAYERS, task.id).next_u64();
        let table = Table { budget: self.budget, clock: self.clock, stop: self.stop, seed };
        let (ending, effort) = play_game(&mut *game, &mut players, &table);
        let result = match ending {
            Ending::Stopped => return Ok(None),
            Ending::Finished => {
                for (&contestant, mut player) in task.lineup.iter().zip(players) {
                    player.reset();
                    idle[contestant].push(player);
                }
                finished(task, &*game, effort)
            }
            // Nobody knows in what state the players are: the next game gets new ones.
            Ending::Failed(failure) => failed(task, game.steps(), effort, failure),
        };
        if let Some(directory) = self.save {
            self.save(directory, &*game, &result)?;
        }
        Ok(Some(result))
    }

    /// Saves the record of a game.
    fn save(&self, directory: &Path, game: &dyn DynGame, result: &GameResult) -> Result<(), ArenaError> {
        let path: PathBuf = directory.join(format!("{}.jsonl", result.id));
        // After a panic inside the game even its record may be impossible; the failure is in the journal all the same.
        let Ok(mut record) = catch(|| game.record()) else { return Ok(()) };
        let names: Vec<&str> = result.lineup.iter().map(|&p| self.names[p]).collect();
        record.header.set("names", names);
        if let Some(text) = &result.result {
            record.header.set("result", text.as_str());
        }
        if let Some(failure) = &result.failure {
            record.header.set("failure", serde_json::to_value(failure).unwrap_or_default());
        }
        let text = record.to_text();
        // A game that is played again after an interruption comes out the same; anything else there is another match's.
        if let Ok(about) = fs::symlink_metadata(&path) {
            let same = about.is_file()
                && about.len() == text.len() as u64
                && fs::read(&path).is_ok_and(|old| old == text.as_bytes());
            return if same { Ok(()) } else { Err(ArenaError::OtherRecord(path.display().to_string())) };
        }
        // Whole or not at all: half a record would be another game's when the match goes on.
        let part = directory.join(format!("{}.jsonl.part", result.id));
        fs::write(&part, text).and_then(|()| fs::rename(&part, &path)).map_err(|source| {
            let _ = fs::remove_file(&part);
            save_error(&path, source)
        })
    }
}

fn save_error(path: &Path, source: io::Error) -> ArenaError {
    ArenaError::Save { path: path.display().to_string(), source }
}

fn finished(task: &Task, game: &dyn DynGame, effort: Vec<Effort>) -> GameResult {
    let ended = catch(|| {
        let [utility, win_returns, returns] =
            [game.utility(), game.win_returns(), game.returns()].map(|p| p.as_slice().to_vec());
        (utility, win_returns, returns, game.result())
    });
    let problem = match ended {
        Err(panic) => panic,
        Ok((utility, win_returns, returns, result)) => {
            let numbers = |list: &[f64]| list.len() == task.lineup.len() && list.iter().all(|x| x.is_finite());
            if numbers(&utility) && numbers(&win_returns) && numbers(&returns) {
                let length = game.steps() as u64;
                let Task { id, block, seed, lineup } = task.clone();
                let failure = None;
                return GameResult {
                    id,
                    block,
                    seed,
                    lineup,
                    length,
                    effort,
                    utility,
                    win_returns,
                    returns,
                    result,
                    failure,
                };
            }
            "the game ended without a number for every seat".to_owned()
        }
    };
    let step = game.steps();
    failed(task, step, effort, Failure { kind: FailureKind::Game, seat: None, step, message: problem })
}

fn failed(task: &Task, steps: usize, effort: Vec<Effort>, failure: Failure) -> GameResult {
    let Task { id, block, seed, lineup } = task.clone();
    GameResult {
        id,
        block,
        seed,
        lineup,
        length: steps as u64,
        effort,
        utility: Vec::new(),
        win_returns: Vec::new(),
        returns: Vec::new(),
        result: None,
        failure: Some(failure),
    }
}
