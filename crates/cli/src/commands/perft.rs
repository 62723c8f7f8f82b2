//! `kiebitz perft`: how many sequences of actions there are.

use std::path::PathBuf;
use std::process::ExitCode;

use kiebitz_core::PerftError;
use kiebitz_play::replay;
use serde_json::{Map, Value, json};

use crate::common::{Failure, GameArgs, LangArgs, load, whole};

/// Count the sequences of actions of each length
///
/// Outcomes of dice and draws count as actions. A game that ended earlier is not counted at a deeper depth.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: kiebitz perft go 4 --rules size=3 --divide")]
pub struct Args {
    /// The game (see: kiebitz games)
    game: String,
    /// The longest length, 1 to 255
    #[arg(value_name = "DEPTH", allow_negative_numbers = true, value_parser = whole::<u8>(1, 255))]
    depth: u8,
    /// Also the sequences of the longest length by their first action
    #[arg(long)]
    divide: bool,
    /// Start from the end of this record or SGF file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "rules", "seed"])]
    from: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    common: GameArgs,
    #[command(flatten)]
    lang: LangArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let entry = kiebitz_catalog::game(&args.game)?;
    let game = match &args.from {
        Some(path) => {
            let read = load(path, true, args.lang.get())?;
            if read.record.header.game() != entry.game.id() {
                let found = read.record.header.game();
                return Err(Failure(format!("{}: this is a game of {found}, not of {}", path.display(), args.game)));
            }
            replay::replay(&read, None).map_err(|e| Failure(format!("{}: {e}", path.display())))?
        }
        None => entry.game.start(&args.common.header(entry)?, args.common.seed.unwrap_or(0))?,
    };
    let perft = game.perft(args.depth).map_err(|e| match e {
        PerftError::Sampled { .. } if args.from.is_none() => Failure(format!("{e} (--from FILE)")),
        e => e.into(),
    })?;
    if args.json {
        let header = game.record().header;
        let mut answer = json!({
            "game": game.id(), "players": header.players(), "rules": header.rules(), "depth": args.depth, "counts": perft.counts,
        });
        if args.divide {
            let divide: Map<String, Value> = perft.divide.into_iter().map(|(a, n)| (a, n.into())).collect();
            answer["divide"] = divide.into();
        }
        println!("{answer}");
        return Ok(ExitCode::SUCCESS);
    }
    if args.divide {
        for (action, count) in &perft.divide {
            println!("{action}: {count}");
        }
        println!();
    }
    for (i, count) in perft.counts.iter().enumerate() {
        println!("{:>3}  {count}", i + 1);
    }
    Ok(ExitCode::SUCCESS)
}
