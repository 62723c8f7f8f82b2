//! `kiebitz go`: what only Go has.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use kiebitz_core::PlayerSpec;
use kiebitz_go::features::fit::Prediction;
use kiebitz_play::go_fit::{self, Material};
use kiebitz_play::{WallClock, files, save};

use crate::common::{Failure, bar, may_write, whole};

/// What only Go has
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    FitPatterns(FitArgs),
}

/// Learn how strong features of moves are, from games
///
/// Strengths are Bradley–Terry gammas by minorisation–maximisation. Every tenth game is not learned from: on these the report
/// says how likely the moves played were (mean logarithm of their probability), and how often they were the first or among the
/// first five.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: kiebitz go fit-patterns games/*.sgf --out gammas.txt\n\nscripts/gnugo-games.py plays games to learn from."
)]
struct FitArgs {
    /// SGF files; all games in them, main lines only
    #[arg(value_name = "FILE", required_unless_present = "self_play")]
    files: Vec<PathBuf>,
    /// Play so many games and learn from these as well
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = whole::<u64>(0, 100_000))]
    self_play: u64,
    /// The board of these games
    #[arg(long, value_name = "SIZE", default_value_t = 9, allow_negative_numbers = true,
        value_parser = whole::<usize>(2, 25))]
    size: usize,
    /// Who plays them
    #[arg(long, value_name = "PLAYER", default_value = "uct:visits=400")]
    player: PlayerSpec,
    /// The seed of these games
    #[arg(long, value_name = "SEED", default_value_t = 0, allow_negative_numbers = true,
        value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Patterns seen less often are left out
    #[arg(long, value_name = "N", default_value_t = 50, allow_negative_numbers = true,
        value_parser = whole::<usize>(1, 1_000_000))]
    rare: usize,
    /// Write the strengths to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let Command::FitPatterns(args) = args.command;
    fit(args)
}

/// The largest file of games to learn from, in bytes.
const MAX_SGF_BYTES: u64 = 256 << 20;

fn fit(args: FitArgs) -> Result<ExitCode, Failure> {
    match &args.out {
        Some(path) => may_write("--out", path, args.force)?,
        None if args.force => return Err(Failure("--force goes with --out FILE".to_owned())),
        None => {}
    }
    let mut material = Material::default();
    for path in &args.files {
        let shown = path.display();
        let bytes = files::read(path, MAX_SGF_BYTES)?;
        material.add_sgf(&bytes).map_err(|e| Failure(format!("{shown}: {e}")))?;
    }
    if args.self_play > 0 {
        let entry = kiebitz_catalog::game("go")?;
        let (header, clock, stop) = (go_fit::header(args.size), WallClock::start(), AtomicBool::new(false));
        let bar = bar(args.self_play);
        for game in 0..args.self_play {
            let seed = args.seed.wrapping_add(game);
            material.add_self_play(entry, &header, &args.player, seed, &clock, &stop).map_err(Failure)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    if material.training.is_empty() || material.held_out.is_empty() {
        return Err(Failure("there is too little to learn from: at least ten games with moves are needed".to_owned()));
    }
    let fit = material.fit(args.rare);
    println!("{} games, {} positions to learn from", material.games, material.training.len());
    println!("{:<10} {:>9} {:>12} {:>12} {:>7} {:>7}", "", "positions", "mean log p", "uniform", "first", "five");
    let rows = [("learned", fit.training), ("held out", fit.held_out), ("built in", fit.built_in)];
    for (name, Prediction { positions, log_likelihood, uniform, top1, top5 }) in rows {
        println!("{name:<10} {positions:>9} {log_likelihood:>12.4} {uniform:>12.4} {top1:>7.3} {top5:>7.3}");
    }
    if let Some(path) = &args.out {
        let comments = [
            format!("Learned by `kiebitz go fit-patterns` from {} positions.", material.training.len()),
            format!(
                "Held out: {} positions, mean log p {:.4}, first {:.3}.",
                fit.held_out.positions, fit.held_out.log_likelihood, fit.held_out.top1
            ),
        ];
        save::write(path, fit.gammas.text(&comments).as_bytes(), args.force)?;
    }
    Ok(ExitCode::SUCCESS)
}
