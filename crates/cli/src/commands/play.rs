//! `kiebitz play`: a game in the terminal.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use kiebitz_catalog::Entry;
use kiebitz_core::record::Record;
use kiebitz_core::{DynGame, DynPlayer, PlayerSpec};
use kiebitz_play::console::{Console, Ended, Seated};
use kiebitz_play::go_mind::{GoMind, MindOptions, ResignRule};
use kiebitz_play::{Lang, WallClock, replay};
use serde_json::Value;

use crate::common::{Failure, GameArgs, LangArgs, beyond, fresh_seed, load, may_write, time, whole};

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
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    time: Option<Duration>,
    /// Board size of Go: 9, 13, 19, or 9x7
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size)]
    size: Option<String>,
    /// Komi of Go [default: by rules and size]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    komi: Option<f64>,
    /// Handicap stones of Go
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(0, 625))]
    handicap: Option<u16>,
    /// Go on from a record or SGF file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// With --from: after this many moves, deals and other chance events counted as well
    #[arg(long = "move", value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0, 1_000_000))]
    steps: Option<usize>,
    /// Write the game to this file after every step (.sgf for Go, .jsonl, .jsonl.gz); one that hides cards at its end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace the file of --save if it exists
    #[arg(long)]
    force: bool,
    /// Let the computer resign when it is hopeless (Go)
    #[arg(long)]
    resign: bool,
    /// Moves without the computer's reasons
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    common: GameArgs,
    #[command(flatten)]
    lang: LangArgs,
}

fn size(text: &str) -> Result<String, String> {
    let number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let fine = text.split_once('x').map_or_else(|| number(text), |(width, height)| number(width) && number(height));
    if fine {
        Ok(text.to_owned())
    } else {
        Err("it must be a number such as 13, or width and height such as 9x7".to_owned())
    }
}

fn points(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    number.ok_or_else(|| "it must be a number of points such as 6.5".to_owned())
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let entry = kiebitz_catalog::game(&args.game)?;
    let lang = args.lang.get();
    let seed = args.common.seed.unwrap_or_else(fresh_seed);
    let (game, source) = start(&args, entry, seed, lang)?;
    if args.resign && entry.game.id() != "go" {
        return Err(Failure(format!("--resign is for go, not for {}", entry.game.id())));
    }
    let seats = seats(&args, entry, game.meta().players, seed)?;
    let clock = WallClock::start();
    let adviser = computer(&args, entry)?;
    entry.check_player(adviser.spec(), game.as_ref())?;
    let mut console = Console::new(io::stdin().lock(), io::stdout().lock(), lang, game, seats, adviser, &clock)
        .seed(seed)
        .explain(!args.quiet)
        .computers_called(&shown(&spec(&args, entry), lang));
    if let Some(source) = source {
        console = console.going_on_from(source);
    }
    match args.save {
        Some(path) => {
            may_write("--save", &path, args.force)?;
            console.record_to(path).map_err(|e| Failure(format!("--save: {e}")))?;
        }
        None if args.force => return Err(Failure("--force goes with --save FILE".to_owned())),
        None => {}
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

/// The game to play, and the record it goes on from.
fn start(args: &Args, entry: &Entry, seed: u64, lang: Lang) -> Result<(Box<dyn DynGame>, Option<Record>), Failure> {
    if let Some(path) = &args.from {
        let given = [
            ("--size", args.size.is_some()),
            ("--komi", args.komi.is_some()),
            ("--handicap", args.handicap.is_some()),
            ("--rules", args.common.rules.is_some()),
            ("--players", args.common.players.is_some()),
        ];
        if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
            return Err(Failure(format!("{flag} does not go with --from: the file says it; leave it out")));
        }
        let read = load(path, false, lang)?;
        if !read.record.header.game().eq_ignore_ascii_case(entry.game.id()) {
            let message =
                format!("{}: this is a game of {}, not of {}", path.display(), read.record.header.game(), args.game);
            return Err(Failure(message));
        }
        let lines = read.record.lines.len();
        if let Some(steps) = args.steps.filter(|&n| n > lines) {
            return Err(Failure(beyond(steps, path, lines)));
        }
        let game = replay::replay(&read, args.steps).map_err(|e| Failure(format!("{}: {e}", path.display())))?;
        return Ok((game, Some(read.record)));
    }
    if let Some(steps) = args.steps {
        return Err(Failure(format!("--move {steps} goes with --from FILE")));
    }
    let mut header = args.common.header(entry)?;
    let mut rules = header.rules();
    let go_flags = [
        ("size", args.size.as_deref().map(|text| text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from))),
        ("komi", args.komi.map(Value::from)),
        ("handicap", args.handicap.map(Value::from)),
    ];
    for (key, value) in go_flags {
        let Some(value) = value else { continue };
        if entry.game.id() != "go" {
            return Err(Failure(format!("--{key} is for go, not for {}", entry.game.id())));
        }
        if rules.insert(key.to_owned(), value).is_some() {
            return Err(Failure(format!("--{key} and --rules {key}=… say the same thing; leave one out")));
        }
    }
    if !rules.is_empty() {
        header.set("rules", rules);
    }
    Ok((entry.game.start(&header, seed)?, None))
}

fn spec(args: &Args, entry: &Entry) -> PlayerSpec {
    let mut spec = match &args.player {
        Some(spec) => spec.clone(),
        None => entry.default_player(),
    };
    if let Some(time) = args.time {
        spec.settings.remove("visits");
        spec.settings.insert("time".to_owned(), format!("{}ms", time.as_millis()));
    }
    spec
}

/// What a player is called on the screen: `level 5` for one of the game's own levels, else its spec.
fn shown(spec: &PlayerSpec, lang: Lang) -> String {
    let mut further = spec.settings.clone();
    let level = further.remove("level").unwrap_or_else(|| "5".to_owned());
    match further.get("time") {
        _ if spec.name != "best" => spec.to_string(),
        None if further.is_empty() => format!("{} {level}", lang.choose("level", "等级")),
        Some(time) if further.len() == 1 => {
            let time = kiebitz_core::parse_duration(time).map_or(time.clone(), |t| format!("{} s", t.as_secs_f64()));
            match lang {
                Lang::En => format!("with {time} a move"),
                Lang::Zh => format!("每手 {time}"),
            }
        }
        _ => spec.to_string(),
    }
}

fn computer(args: &Args, entry: &Entry) -> Result<Box<dyn DynPlayer>, Failure> {
    Ok(entry.player(&spec(args, entry))?)
}

/// A computer player at the board. In Go one that searches also judges when to pass; a random one plays as it comes.
fn seated(args: &Args, entry: &Entry, seed: u64) -> Result<Seated, Failure> {
    let spec = spec(args, entry);
    if entry.game.id() != "go" || spec.name == "random" {
        return Ok(Seated::Computer(entry.player(&spec)?));
    }
    let options = MindOptions { resign: args.resign.then(ResignRule::default), ..MindOptions::default() };
    Ok(Seated::Go(Box::new(GoMind::from_spec(&spec, seed, options)?)))
}

fn seats(args: &Args, entry: &Entry, players: u8, seed: u64) -> Result<Vec<Seated>, Failure> {
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
    person.into_iter().map(|p| if p { Ok(Seated::Person) } else { seated(args, entry, seed) }).collect()
}
