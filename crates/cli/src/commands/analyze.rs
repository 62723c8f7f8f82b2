//! `kiebitz analyze`: what each move of a game lost, or what to play in one position.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_core::record::ReadRecord;
use kiebitz_core::{Budget, Observer, PlayerSpec, Thinking};
use kiebitz_play::review::{ReviewOptions, count_moves, review};
use kiebitz_play::{WallClock, go_sgf, reasons, replay, review_text, save};
use serde_json::json;

use crate::common::{Failure, LangArgs, bar, load};

/// Analyze a game: what each move lost, the worst first; or one position
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
    /// Look only at the position after this many lines
    #[arg(long = "move", value_name = "N", conflicts_with_all = ["from", "to", "sgf"])]
    steps: Option<usize>,
    /// The first move to look at
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: usize,
    /// The last move to look at
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// How many of the worst moves to explain
    #[arg(long, value_name = "N", default_value_t = 5)]
    worst: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the game with the analysis as comments to this SGF file (Go)
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Replace the file of --sgf if it exists
    #[arg(long, requires = "sgf")]
    force: bool,
    /// Refuse what SGF tolerates, such as illegal moves
    #[arg(long)]
    strict: bool,
    /// Seed of the player
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    lang: LangArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let lang = args.lang.get();
    let read = load(&args.file, args.strict, lang)?;
    let entry = kiebitz_catalog::game(read.record.header.game())?;
    if args.sgf.is_some() && entry.game.id() != "go" {
        return Err(Failure(format!("--sgf is for go, not for {}", entry.game.id())));
    }
    if args.from == 0 || args.to.is_some_and(|to| to < args.from) {
        return Err(Failure("--from and --to: moves are numbered from 1, and --to is not before --from".to_owned()));
    }
    if let Some(path) = args.sgf.as_ref().filter(|p| !args.force && p.exists()) {
        return Err(Failure(format!("--sgf: {} exists already; choose another name, or add --force", path.display())));
    }
    let spec = args.player.clone().unwrap_or_else(|| entry.default_player());
    let mut player = entry.player(&spec)?;
    let clock = WallClock::start();
    let stop = AtomicBool::new(false);
    let mut thinking = Thinking::new(Budget::time(Duration::from_secs(1)), &clock, &stop, args.seed);
    if let Some(steps) = args.steps {
        thinking.reasons = 3;
        return position(&args, &read, player.as_mut(), &thinking, steps);
    }
    let named = |e: &dyn std::fmt::Display| Failure(format!("{}: {e}", args.file.display()));
    let moves = count_moves(&read).map_err(|e| named(&e))?;
    let options = ReviewOptions { from: args.from, to: args.to.unwrap_or(usize::MAX), worst: args.worst };
    let wanted = moves.min(options.to).saturating_sub(options.from - 1);
    if wanted == 0 {
        return Err(Failure(format!("{}: there is no move to look at: the game has {moves}", args.file.display())));
    }
    let bar = bar(wanted as u64);
    let result = review(&read, player.as_mut(), &thinking, &options, |done| bar.set_position(done as u64))
        .map_err(|e| named(&e))?;
    bar.finish_and_clear();
    if let Some(path) = &args.sgf {
        let bytes = go_sgf::annotated(&read.record, &result, lang)
            .ok_or_else(|| Failure(format!("{}: this game cannot be written as SGF", args.file.display())))?;
        save::write(path, &bytes, args.force)?;
        eprintln!("{} {}", lang.choose("Written:", "已写入："), path.display());
    }
    if args.json {
        println!("{}", serde_json::to_string(&result)?);
    } else {
        println!("{}", review_text::text(&result, args.worst, lang));
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
        return Err(Failure(format!("--move {steps}: {} has only {lines} lines", args.file.display())));
    }
    let game = replay::replay(read, Some(steps)).map_err(|e| Failure(format!("{}: {e}", args.file.display())))?;
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
