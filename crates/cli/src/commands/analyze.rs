//! `kiebitz analyze`: what each move of a game lost, or what to play in one position.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_core::record::ReadRecord;
use kiebitz_core::{Budget, Observer, PlayerSpec, Thinking, Turn};
use kiebitz_play::replay::ReplayError;
use kiebitz_play::review::{ReviewOptions, count_moves, forced_moves, review};
use kiebitz_play::{WallClock, go_sgf, reasons, replay, review_text, save};
use serde_json::json;

use crate::common::{Failure, LangArgs, bar, beyond, counted, load, may_write, note, whole};

/// Analyze a game: what each move lost, the worst first; or one position
///
/// The win rate is the chance to win, in per cent. Where a game is not just won or lost (Pao De Kuai) it is the value instead: the
/// expected result on a scale from the worst to the best possible, where an even position need not show 50 %. Both and the points
/// come with their standard error.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  kiebitz analyze game.sgf --player uct:visits=2000\n  kiebitz analyze game.sgf --move 40\n  kiebitz analyze game.sgf --sgf reviewed.sgf"
)]
pub struct Args {
    /// A record (JSON Lines, or SGF for Go), gzip-compressed or not
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The player who looks: a spec such as uct:visits=2000
    #[arg(long, value_name = "SPEC")]
    player: Option<PlayerSpec>,
    /// Look only at the position after this many moves, deals and other chance events counted as well
    #[arg(long = "move", value_name = "N", conflicts_with_all = ["from", "to", "sgf"], allow_negative_numbers = true,
        value_parser = whole::<usize>(0, 1_000_000))]
    steps: Option<usize>,
    /// The first move to look at
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = whole::<usize>(1, 1_000_000))]
    from: usize,
    /// The last move to look at
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(1, 1_000_000))]
    to: Option<usize>,
    /// How many of the worst moves to explain
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true,
        value_parser = whole::<usize>(0, 1_000_000))]
    worst: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the game with the analysis as comments to this SGF file (Go)
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Replace the file of --sgf if it exists
    #[arg(long)]
    force: bool,
    /// Refuse what SGF tolerates, such as illegal moves
    #[arg(long)]
    strict: bool,
    /// Seed of the player
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    #[command(flatten)]
    lang: LangArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let lang = args.lang.get();
    let read = load(&args.file, args.strict, lang)?;
    let named = |e: &dyn std::fmt::Display| Failure(format!("{}: {e}", args.file.display()));
    let entry = kiebitz_catalog::game(read.record.header.game()).map_err(|e| named(&ReplayError::from(e)))?;
    if args.sgf.is_some() && entry.game.id() != "go" {
        return Err(Failure(format!("--sgf is for go, not for {}", entry.game.id())));
    }
    if let Some(to) = args.to.filter(|&to| to < args.from) {
        return Err(Failure(format!("--to {to} is before --from {}; give the first and the last move", args.from)));
    }
    if args.force && args.sgf.is_none() {
        return Err(Failure("--force goes with --sgf FILE".to_owned()));
    }
    if let Some(path) = &args.sgf {
        may_write("--sgf", path, args.force)?;
    }
    let spec = args.player.clone().unwrap_or_else(|| entry.default_player());
    let mut player = entry.player(&spec)?;
    if let Ok(start) = replay::start(&read.record.header) {
        entry.check_player(&spec, start.as_ref())?;
    }
    let clock = WallClock::start();
    let stop = AtomicBool::new(false);
    let mut thinking = Thinking::new(Budget::time(Duration::from_secs(1)), &clock, &stop, args.seed);
    if let Some(steps) = args.steps {
        thinking.reasons = 3;
        return position(&args, &read, player.as_mut(), &thinking, steps);
    }
    let moves = count_moves(&read).map_err(|e| named(&e))?;
    let options = ReviewOptions { from: args.from, to: args.to.unwrap_or(usize::MAX), worst: args.worst };
    let wanted = moves.min(options.to).saturating_sub(options.from - 1);
    if wanted == 0 {
        let file = args.file.display();
        return Err(Failure(match moves {
            0 => format!("{file} has no move to look at; --move 0 looks at the position it starts from"),
            _ => format!("--from {}: {file} has only {}", options.from, counted(moves, "move")),
        }));
    }
    let bar = bar(wanted as u64);
    let result = review(&read, player.as_mut(), &thinking, &options, |done| bar.set_position(done as u64))
        .map_err(|e| named(&e))?;
    bar.finish_and_clear();
    if let Some(path) = &args.sgf {
        let bytes = go_sgf::annotated(&read.record, &result, lang)
            .ok_or_else(|| Failure(format!("{}: this game cannot be written as SGF", args.file.display())))?;
        save::write(path, &bytes, args.force)?;
        note(format_args!("{} {}", lang.choose("Written:", "已写入："), path.display()));
    }
    if args.json {
        println!("{}", serde_json::to_string(&result)?);
    } else {
        let forced = forced_moves(&read).map_err(|e| named(&e))?;
        println!("{}", review_text::text(&result, &forced, args.worst, lang));
    }
    Ok(ExitCode::SUCCESS)
}

fn position(
    args: &Args,
    read: &ReadRecord,
    player: &mut dyn kiebitz_core::DynPlayer,
    thinking: &Thinking<'_>,
    steps: usize,
) -> Result<ExitCode, Failure> {
    let lines = read.record.lines.len();
    if steps > lines {
        return Err(Failure(beyond(steps, &args.file, lines)));
    }
    let game = replay::replay(read, Some(steps)).map_err(|e| Failure(format!("{}: {e}", args.file.display())))?;
    if !matches!(game.turn(), Turn::Seat(_)) {
        let why = if game.turn().is_terminal() { "the game is over" } else { "chance moves" };
        let file = args.file.display();
        return Err(Failure(format!("--move {steps}: {why} there in {file}; choose a position where a player moves")));
    }
    let analysis = player.analyze(game.as_ref(), thinking)?;
    if args.json {
        println!("{}", json!({"game": game.id(), "move": steps, "analysis": analysis}));
        return Ok(ExitCode::SUCCESS);
    }
    let lang = args.lang.get();
    println!("{}", game.board_text(Observer::Seat(analysis.seat)));
    println!("{}", reasons::seat_name(game.id(), analysis.seat, lang) + lang.choose(" to play", "行棋"));
    println!("{}", reasons::analysis_text(game.id(), &analysis, 8, lang));
    Ok(ExitCode::SUCCESS)
}
