//! `kiebitz play`: a game in the terminal.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use kiebitz_catalog::Entry;
use kiebitz_core::{DynGame, DynPlayer, PlayerSpec, parse_duration};
use kiebitz_play::console::{Console, Ended, Seated};
use kiebitz_play::{Lang, WallClock, replay};
use serde_json::Value;

use crate::common::{Failure, GameArgs, LangArgs, fresh_seed, load};

/// Play a game in the terminal
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  kiebitz play go\n  kiebitz play go --size 13 --color white --handicap 2 --time 3s\n  kiebitz play go --from game.sgf --move 40\n  kiebitz play tictactoe --player alphabeta"
)]
pub struct Args {
    /// The game (see: kiebitz games)
    game: String,
    /// Your seat: black or white in Go, else a player's number from 1; 'both' plays all seats, 'none' watches
    #[arg(long, value_name = "SEAT", alias = "colour")]
    color: Option<String>,
    /// The computer player: a spec such as uct:time=2s
    #[arg(long, value_name = "SPEC")]
    player: Option<PlayerSpec>,
    /// How long the computer thinks about a move, such as 500ms or 2s
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Board size of Go: 9, 13, 19, or 9x7
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// Komi of Go [default: by rules and size]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    komi: Option<f64>,
    /// Handicap stones of Go
    #[arg(long, value_name = "N")]
    handicap: Option<u8>,
    /// Go on from a record or SGF file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// With --from: after this many lines
    #[arg(long = "move", value_name = "N", requires = "from")]
    steps: Option<usize>,
    /// Write the game to this file after every step
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Moves without the computer's reasons
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    common: GameArgs,
    #[command(flatten)]
    lang: LangArgs,
}

fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| "a duration such as 500ms, 1.5s or 2m, from 1ms to one day".to_owned())
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let entry = kiebitz_catalog::game(&args.game)?;
    let lang = args.lang.get();
    let seed = args.common.seed.unwrap_or_else(fresh_seed);
    let game = start(&args, entry, seed, lang)?;
    let seats = seats(&args, entry, game.meta().players)?;
    let clock = WallClock::start();
    let adviser = computer(&args, entry)?;
    let mut console = Console::new(io::stdin().lock(), io::stdout().lock(), lang, game, seats, adviser, &clock)
        .seed(seed)
        .explain(!args.quiet);
    if let Some(path) = args.save {
        console = console.record_to(path);
    }
    match console.run() {
        Ok(Ended::GameOver | Ended::Quit | Ended::EndOfInput) => Ok(ExitCode::SUCCESS),
        // A reader that went away (a closed pipe) is no failure of ours.
        Err(kiebitz_play::console::ConsoleError::Io(e)) if e.kind() == io::ErrorKind::BrokenPipe => {
            Ok(ExitCode::SUCCESS)
        }
        Err(e) => Err(e.into()),
    }
}

fn start(args: &Args, entry: &Entry, seed: u64, lang: Lang) -> Result<Box<dyn DynGame>, Failure> {
    if let Some(path) = &args.from {
        let started =
            args.size.is_some() || args.komi.is_some() || args.handicap.is_some() || args.common.rules.is_some();
        if started {
            return Err(Failure(
                "--from: the file says the size, komi, handicap and rules; leave those flags out".to_owned(),
            ));
        }
        let read = load(path, false, lang)?;
        if read.record.header.game() != entry.game.id() {
            let message =
                format!("{}: this is a game of {}, not of {}", path.display(), read.record.header.game(), args.game);
            return Err(Failure(message));
        }
        let lines = read.record.lines.len();
        if let Some(steps) = args.steps.filter(|&n| n > lines) {
            return Err(Failure(format!("--move {steps}: {} has only {lines} moves", path.display())));
        }
        return replay::replay(&read, args.steps).map_err(|e| Failure(format!("{}: {e}", path.display())));
    }
    let mut header = args.common.header(entry)?;
    let mut rules = header.rules();
    let go_flags: [(&str, Option<Value>); 3] = [
        (
            "size",
            args.size
                .as_deref()
                .map(|s| crate::common::parse_rules(&format!("size={s}")).map(|m| m["size"].clone()))
                .transpose()?,
        ),
        ("komi", args.komi.map(Value::from)),
        ("handicap", args.handicap.map(Value::from)),
    ];
    for (key, value) in go_flags {
        let Some(value) = value else { continue };
        if entry.game.id() != "go" {
            return Err(Failure(format!("--{key} is for go, not for {}", entry.game.id())));
        }
        rules.insert(key.to_owned(), value);
    }
    if !rules.is_empty() {
        header.set("rules", rules);
    }
    Ok(entry.game.start(&header, seed)?)
}

fn computer(args: &Args, entry: &Entry) -> Result<Box<dyn DynPlayer>, Failure> {
    let mut spec = match &args.player {
        Some(spec) => spec.clone(),
        None => entry.default_player(),
    };
    if let Some(time) = args.time {
        spec.settings.remove("visits");
        spec.settings.insert("time".to_owned(), format!("{}ms", time.as_millis()));
    }
    Ok(entry.player(&spec)?)
}

fn seats(args: &Args, entry: &Entry, players: u8) -> Result<Vec<Seated>, Failure> {
    let wanted = args.color.as_deref().unwrap_or("1").to_lowercase();
    let person: Vec<bool> = match wanted.as_str() {
        "both" | "all" => vec![true; usize::from(players)],
        "none" => vec![false; usize::from(players)],
        word => {
            let seat = match (entry.game.id(), word) {
                ("go", "black" | "b") => Some(0),
                ("go", "white" | "w") => Some(1),
                _ => word.parse::<u8>().ok().filter(|n| (1..=players).contains(n)).map(|n| n - 1),
            };
            let Some(seat) = seat else {
                let words = if entry.game.id() == "go" {
                    "black, white".to_owned()
                } else {
                    format!("a number from 1 to {players}")
                };
                return Err(Failure(format!("--color {word}: it must be {words}, both or none")));
            };
            (0..players).map(|s| s == seat).collect()
        }
    };
    person.into_iter().map(|p| Ok(if p { Seated::Person } else { Seated::Computer(computer(args, entry)?) })).collect()
}
