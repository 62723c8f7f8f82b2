//! Players with known behaviour, good and bad, for any game.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kiebitz_arena::{ArenaError, Contestant, Match, Outcome};
use kiebitz_core::record::Header;
use kiebitz_core::{
    Analysis, Budget, Candidate, DynGame, DynGameType, DynPlayer, Luck, ManualClock, PlayerError, PlayerSpec,
    SpecError, Thinking,
};

/// What a mock does at its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The first legal action.
    First,
    /// A random legal action.
    Random,
    /// Panics when its game has had this many steps, else random.
    PanicsAt(usize),
    /// Plays what is not legal when its game has had this many steps, else random.
    IllegalAt(usize),
    /// Gives an error when its game has had this many steps, else random.
    ErrorAt(usize),
    /// Sets the stop flag of the match after this many analyses of all players, else random.
    StopsAfter(u64),
}

pub struct Mock {
    spec: PlayerSpec,
    mode: Mode,
    /// How often it was asked since the last reset: must not change what it plays in a match.
    asked: u64,
    shared: &'static Shared,
}

/// What all mocks of one match share.
#[derive(Default)]
pub struct Shared {
    pub stop: AtomicBool,
    pub analyses: AtomicU64,
}

impl DynPlayer for Mock {
    fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    fn analyze(&mut self, game: &dyn DynGame, thinking: &Thinking<'_>) -> Result<Analysis, PlayerError> {
        let legal = game.legal();
        let mut rng = Luck::new(thinking.seed).stream(0, self.asked);
        self.asked += 1;
        let count = self.shared.analyses.fetch_add(1, Ordering::Relaxed);
        let random = legal[rng.below(legal.len())].clone();
        let action = match self.mode {
            Mode::First => legal[0].clone(),
            Mode::PanicsAt(step) if step == game.steps() => panic!("mock panic at step {step}"),
            Mode::IllegalAt(step) if step == game.steps() => "z9".to_owned(),
            Mode::ErrorAt(step) if step == game.steps() => {
                return Err(PlayerError::new("mock.error", "the mock does not want to"));
            }
            Mode::StopsAfter(n) if count >= n => {
                self.shared.stop.store(true, Ordering::Relaxed);
                random
            }
            _ => random,
        };
        let candidate = Candidate {
            action,
            visits: 3,
            prior: None,
            utility: Vec::new(),
            returns: Vec::new(),
            pv: Vec::new(),
            pv_visits: Vec::new(),
            proven: false,
            reasons: Vec::new(),
        };
        let mut analysis: Analysis =
            serde_json::from_str(r#"{"seat":0,"player":"","visits":3,"seconds":0,"candidates":[]}"#)
                .expect("an analysis");
        analysis.candidates = vec![candidate];
        Ok(analysis)
    }

    fn reset(&mut self) {
        self.asked = 0;
    }
}

/// A match to be played by mocks.
#[derive(Clone)]
pub struct Plan<'a> {
    pub game: &'static dyn DynGameType,
    pub players: u8,
    pub modes: Vec<Mode>,
    pub games: u64,
    pub seed: u64,
    pub threads: usize,
    pub max_failures: f64,
    pub journal: Option<&'a Path>,
    pub save: Option<&'a Path>,
}

impl<'a> Plan<'a> {
    pub fn new(game: &'static dyn DynGameType, modes: &[Mode], games: u64) -> Self {
        Plan {
            game,
            players: game.default_players(&Default::default()),
            modes: modes.to_vec(),
            games,
            seed: 1,
            threads: 1,
            max_failures: 0.01,
            journal: None,
            save: None,
        }
    }

    pub fn run(&self) -> Result<Outcome, ArenaError> {
        let shared: &'static Shared = Box::leak(Box::default());
        let makers: Vec<_> = self
            .modes
            .iter()
            .map(|&mode| {
                move || -> Result<Box<dyn DynPlayer>, SpecError> {
                    Ok(Box::new(Mock { spec: "mock".parse()?, mode, asked: 0, shared }))
                }
            })
            .collect();
        let contestants = self.modes.iter().zip(&makers);
        Match {
            game: self.game,
            header: Header::new(self.game.id(), self.players, Default::default()),
            contestants: contestants.map(|(mode, make)| Contestant { name: format!("{mode:?}"), make }).collect(),
            games: self.games,
            seed: self.seed,
            budget: Budget::visits(10),
            threads: self.threads,
            max_failures: self.max_failures,
            journal: self.journal,
            save: self.save,
            clock: &ManualClock::new(),
            stop: &shared.stop,
            progress: None,
        }
        .run()
    }
}

/// A fresh directory for one test.
pub fn directory(test: &str) -> std::path::PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{test}"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory for tests");
    directory
}
