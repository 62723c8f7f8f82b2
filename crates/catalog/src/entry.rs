//! The list.

use std::fmt;
use std::sync::atomic::AtomicBool;

use kiebitz_core::{
    Budget, Clock, DynGame, DynGameType, DynPlayer, GameType, Knowledge, ManualClock, Notation, PlayerSpec, Scratch,
    SetupError, SpecError, Thinking, Turn, Uniform,
};
use kiebitz_examples::{Countdown, Kuhn, TicTacToe};
use kiebitz_go::{Go, GoKnowledge};
use kiebitz_paodekuai::{PaoDeKuai, PaoDeKuaiKnowledge};
use kiebitz_search::registry;

use crate::bench::{self, BenchConfig, BenchRow, Variant};
use crate::player::Erased;

/// A game with what is needed to play it.
pub struct Entry {
    /// The kind of game: makes sessions.
    pub game: &'static dyn DynGameType,
    /// Its English and Chinese names.
    pub titles: [&'static str; 2],
    /// One of the tiny games that show how a game is written and test the searches.
    pub example: bool,
    /// The spec behind `best`, by level 1 to 10.
    best: fn(u8) -> String,
    build: fn(&PlayerSpec) -> Result<Box<dyn DynPlayer>, SpecError>,
    /// The sets of options under which it is measured.
    variants: &'static [Variant],
    bench: fn(&Variant, &BenchConfig, &dyn Clock) -> Result<BenchRow, SetupError>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("game", &self.game.id()).finish_non_exhaustive()
    }
}

/// No game of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game is called '{name}'; there are: {known}")]
pub struct UnknownGame {
    /// The name asked for.
    pub name: String,
    /// The known names.
    pub known: String,
}

/// All games.
pub fn games() -> &'static [Entry] {
    static GAMES: [Entry; 5] = [
        entry::<Go, GoKnowledge>(&GameType::<Go>::new(), ["Go", "围棋"], false, go_best).measured_as(GO_SIZES),
        entry::<PaoDeKuai, PaoDeKuaiKnowledge>(
            &GameType::<PaoDeKuai>::new(),
            ["Pao De Kuai", "跑得快"],
            false,
            paodekuai_best,
        )
        .measured_as(PAODEKUAI_RULES),
        entry::<TicTacToe, Uniform>(&GameType::<TicTacToe>::new(), ["Tic-tac-toe", "井字棋"], true, |_| {
            "alphabeta".into()
        }),
        entry::<Kuhn, Uniform>(&GameType::<Kuhn>::new(), ["Kuhn poker", "库恩扑克"], true, |_| "ismcts".into()),
        entry::<Countdown, Uniform>(&GameType::<Countdown>::new(), ["Countdown", "倒数骰子"], true, |_| {
            "expectimax".into()
        }),
    ];
    &GAMES
}

/// The sizes people play Go on.
const GO_SIZES: &[Variant] = &[
    Variant { name: "9x9", rules: r#"{"size":9}"#, policies: &["playouts=light", "playouts=heavy"] },
    Variant { name: "13x13", rules: r#"{"size":13}"#, policies: &["playouts=light", "playouts=heavy"] },
    Variant { name: "19x19", rules: r#"{"size":19}"#, policies: &["playouts=light", "playouts=heavy"] },
];

/// All its playout policies.
const POLICIES: &[&str] = &["playouts=random", "playouts=light", "playouts=heavy"];

/// The usual rules of Pao De Kuai for three, two and four.
const PAODEKUAI_RULES: &[Variant] = &[
    Variant { name: "classic16", rules: "{}", policies: POLICIES },
    Variant { name: "duel16", rules: r#"{"preset":"duel16"}"#, policies: POLICIES },
    Variant { name: "four13", rules: r#"{"preset":"four13"}"#, policies: POLICIES },
];

/// The game of this name.
///
/// # Errors
/// When there is none; the error lists the known ones.
pub fn game(name: &str) -> Result<&'static Entry, UnknownGame> {
    let wanted = name.to_ascii_lowercase();
    games().iter().find(|e| e.game.id() == wanted).ok_or_else(|| UnknownGame {
        name: name.chars().take(40).collect(),
        known: games().iter().map(|e| e.game.id()).collect::<Vec<_>>().join(", "),
    })
}

/// Visits by level, measured on 9x9 (`docs/go.md`): each level wins about three games of four against the one below. The
/// first level hardly knows what a good move looks like: its prior counts as one visit.
fn go_best(level: u8) -> String {
    const VISITS: [u32; 10] = [10, 9, 20, 39, 70, 125, 220, 400, 820, 1950];
    let level = level.clamp(1, 10);
    let visits = VISITS[usize::from(level) - 1];
    let prior = if level == 1 { ",prior=1" } else { "" };
    format!("uct:visits={visits}{prior}")
}

/// Steps of a factor of two in visits. What the levels, heavy playouts and this exploration are worth is in `docs/paodekuai.md`;
/// from level 6 on more visits show no gain.
fn paodekuai_best(level: u8) -> String {
    let visits = 16u64 << level.clamp(1, 10);
    format!("ismcts:visits={visits},playouts=heavy,c=0.35")
}

const fn entry<G: Notation, K: Knowledge<G> + Default + Clone + 'static>(
    game: &'static dyn DynGameType,
    titles: [&'static str; 2],
    example: bool,
    best: fn(u8) -> String,
) -> Entry {
    let (build, bench) = (build::<G, K>, bench::bench::<G, K>);
    Entry { game, titles, example, best, build, variants: bench::DEFAULT_VARIANT, bench }
}

fn build<G: Notation, K: Knowledge<G> + Default + Clone + 'static>(
    spec: &PlayerSpec,
) -> Result<Box<dyn DynPlayer>, SpecError> {
    let built = registry::build::<G, K>(spec, &K::default(), &["best"])?;
    Ok(Box::new(Erased {
        spec: spec.clone(),
        search: built.search,
        knowledge: built.knowledge,
        budget: built.budget,
        seed: built.seed,
        followed: (0, 0),
        seat: None,
        scratch: Scratch::default(),
    }))
}

impl Entry {
    /// This game, measured under these sets of options.
    const fn measured_as(mut self, variants: &'static [Variant]) -> Self {
        self.variants = variants;
        self
    }

    /// The sets of options under which the game is measured.
    pub fn variants(&self) -> &'static [Variant] {
        self.variants
    }

    /// Measures the game under one set of options; `clock` must go forward by itself.
    ///
    /// # Errors
    /// When the options are impossible.
    pub fn bench(&self, variant: &Variant, config: &BenchConfig, clock: &dyn Clock) -> Result<BenchRow, SetupError> {
        (self.bench)(variant, config, clock)
    }

    /// Builds the player a spec describes. `best` stands for the game's own default player at a level from 1 to 10.
    ///
    /// # Errors
    /// Unknown names, keys and values, with the known ones.
    pub fn player(&self, spec: &PlayerSpec) -> Result<Box<dyn DynPlayer>, SpecError> {
        if spec.name != "best" {
            return (self.build)(spec);
        }
        let mut settings = kiebitz_core::Settings::new(spec);
        let level = settings.integer("level", 5, 1, 10)? as u8;
        let mut meant: PlayerSpec = (self.best)(level).parse()?;
        let mut further = spec.settings.clone();
        further.remove("level");
        if further.contains_key("time") {
            meant.settings.remove("visits");
        }
        meant.settings.extend(further);
        (self.build)(&meant)
    }

    /// Whether the player of `spec` can play this game at all: it looks at the first decision of `game`, with one simulation.
    ///
    /// # Errors
    /// As [`Entry::player`], and [`SpecError::Unsuitable`] with what the game has that the player cannot handle.
    pub fn check_player(&self, spec: &PlayerSpec, game: &dyn DynGame) -> Result<(), SpecError> {
        let mut player = self.player(spec)?;
        let mut game = game.clone_box();
        while matches!(game.turn(), Turn::Chance(_)) && game.roll().is_some() {}
        let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
        let mut thinking = Thinking::new(Budget::visits(1), &clock, &stop, 0);
        thinking.hard = true;
        match player.analyze(game.as_ref(), &thinking) {
            Err(e) if e.code == "search.unsuitable" => {
                let (name, game) = (spec.name.clone(), self.game.id().to_owned());
                let reason = e.message.split_once(": ").map_or(e.message.as_str(), |(_, why)| why).to_owned();
                Err(SpecError::Unsuitable { name, game, reason })
            }
            _ => Ok(()),
        }
    }

    /// The player when nobody names one.
    pub fn default_player(&self) -> PlayerSpec {
        PlayerSpec { name: "best".to_owned(), settings: Default::default() }
    }

    /// The names of all players.
    pub fn player_names() -> Vec<&'static str> {
        std::iter::once("best").chain(registry::algorithms::<TicTacToe, Uniform>().iter().map(|a| a.name)).collect()
    }
}
