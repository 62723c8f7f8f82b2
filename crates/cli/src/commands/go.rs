//! `kiebitz go`: what only Go has.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use kiebitz_core::PlayerSpec;
use kiebitz_go::features::fit::Prediction;
use kiebitz_play::WallClock;
use kiebitz_play::go_fit::{self, Material};

use crate::common::{Failure, bar, whole};

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
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0, 100_000))]
    self_play: u64,
    /// The board of these games
    #[arg(long, value_name = "SIZE", default_value_t = 9, value_parser = whole::<usize>(2, 25))]
    size: usize,
    /// Who plays them
    #[arg(long, value_name = "PLAYER", default_value = "uct:visits=400")]
    player: PlayerSpec,
    /// The seed of these games
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Patterns seen less often are left out
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<usize>(1, 1_000_000))]
    rare: usize,
    /// Write the strengths to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let Command::FitPatterns(args) = args.command;
    fit(args)
}

fn fit(args: FitArgs) -> Result<ExitCode, Failure> {
    let mut material = Material::default();
    for path in &args.files {
        let shown = path.display();
        let bytes = std::fs::read(path).map_err(|e| Failure(format!("{shown} cannot be read: {e}")))?;
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
        std::fs::write(path, fit.gammas.text(&comments))
            .map_err(|e| Failure(format!("{} cannot be written: {e}", path.display())))?;
    }
    Ok(ExitCode::SUCCESS)
}
