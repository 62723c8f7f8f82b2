//! The Go Text Protocol, version 2 (draft 2), with the extensions that front ends and servers use: KataGo's and Leela Zero's
//! analysis, KGS, CGOS and GoGui.
//!
//! Lines are read by a thread of their own. Commands are answered one after the other, in order; an analysis ends as soon as the
//! next line is there, which is then answered.

mod analysis;
mod arguments;
mod commands;
mod core;
mod dialogue;
mod framing;
mod game;
mod gui;
mod handicap;
mod lines;
mod ownership;
mod params;
mod rules;
mod score;
mod setup;
mod thinker;
mod time;

use std::io::{self, Read, Write};
use std::time::Duration;

use kiebitz_core::{Analysis, PlayerSpec, SpecError};

use crate::clock::ClockState;

use arguments::Arguments;
use dialogue::{Dialogue, Line};
use framing::{Fault, parse, reply};
use game::Game;
use thinker::Thinker;

/// How the program plays over GTP.
#[derive(Clone, Debug)]
pub struct GtpOptions {
    /// The player.
    pub player: PlayerSpec,
    /// All its randomness follows from it.
    pub seed: u64,
    /// Time for a move when neither the player's spec nor a clock says otherwise.
    pub time: Duration,
    /// Time that is lost on the way of every move to and from the controller.
    pub lag: Duration,
    /// Whether it gives up lost games.
    pub resign: bool,
    /// Whether it thinks on the opponent's time.
    pub ponder: bool,
    /// Gets what is worth knowing and has no place in a reply, a sentence at a time: the program writes it to its standard error.
    pub note: fn(&str),
}

impl GtpOptions {
    /// A player with its seed, two seconds a move, a lag of 100 ms, resigning, not pondering; notes go nowhere.
    pub fn new(player: PlayerSpec, seed: u64) -> Self {
        let (time, lag) = (Duration::from_secs(2), Duration::from_millis(100));
        GtpOptions { player, seed, time, lag, resign: true, ponder: false, note: |_| {} }
    }
}

/// Why the program ended before the input did.
#[derive(Debug, thiserror::Error)]
pub enum GtpError {
    /// The player cannot be built.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A reply cannot be written.
    #[error("the reply cannot be written: {}", .0.kind())]
    Output(#[from] io::Error),
}

impl GtpError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            GtpError::Player(e) => e.code(),
            GtpError::Output(_) => "gtp.output",
        }
    }
}

/// All that commands change.
struct Engine {
    game: Game,
    thinker: Thinker,
    clocks: ClockState,
    /// The last analysis of a search for a move or of the position.
    last: Option<Analysis>,
    /// The opponent's name as a server told it.
    opponent: String,
    quit: bool,
}

/// A command being carried out.
struct Call<'a, 'w> {
    id: &'a str,
    name: &'a str,
    arguments: Arguments<'a>,
    dialogue: &'a mut Dialogue<'w>,
}

impl Engine {
    fn new(options: &GtpOptions) -> Result<Self, SpecError> {
        Ok(Engine {
            game: Game::new(),
            thinker: Thinker::new(options)?,
            clocks: ClockState::unlimited(2),
            last: None,
            opponent: String::new(),
            quit: false,
        })
    }

    /// Another game begins: what was learned of the old one is of no use.
    fn forget(&mut self) {
        self.thinker.reset();
        self.last = None;
    }
}

/// Answers commands until `quit` or the end of the input.
///
/// `input` is read by a thread that ends with it; after `quit` that thread may still wait for a line.
///
/// # Errors
/// When the player cannot be built, or nobody reads the output any more.
pub fn run<R: Read + Send + 'static, W: Write>(options: GtpOptions, input: R, mut output: W) -> Result<(), GtpError> {
    let mut engine = Engine::new(&options)?;
    answer_all(&mut engine, &mut Dialogue::new(input, &mut output))
}

/// As [`run`], ending too when `closed` returns: it waits, on a thread of its own, until nobody reads the output any more. A
/// program that searches or waits for input writes nothing, and would not notice.
///
/// # Errors
/// As [`run`].
pub fn run_until<R: Read + Send + 'static, W: Write>(
    options: GtpOptions,
    input: R,
    mut output: W,
    closed: impl FnOnce() + Send + 'static,
) -> Result<(), GtpError> {
    let mut engine = Engine::new(&options)?;
    let mut dialogue = Dialogue::new(input, &mut output);
    dialogue.watch(closed);
    answer_all(&mut engine, &mut dialogue)
}

fn answer_all(engine: &mut Engine, dialogue: &mut Dialogue<'_>) -> Result<(), GtpError> {
    while !engine.quit
        && let Some(line) = dialogue.next_line()
    {
        let (id, answer) = match &line {
            Line::TooLong => (String::new(), Err(Fault::new("the line is too long"))),
            Line::Text(text) => match parse(text) {
                None => continue,
                Some(request) => {
                    let answer = match commands::find(&request.command) {
                        None => Err(Fault::new("unknown command")),
                        Some(run) => {
                            let mut call = Call {
                                id: &request.id,
                                name: &request.command,
                                arguments: Arguments::new(&request.words),
                                dialogue,
                            };
                            run(engine, &mut call)
                        }
                    };
                    (request.id, answer)
                }
            },
        };
        dialogue.write(&reply(&id, &answer));
    }
    dialogue.failure().map_or(Ok(()), |e| Err(e.into()))
}

/// The names of all commands, sorted.
pub fn command_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = commands::COMMANDS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names
}
