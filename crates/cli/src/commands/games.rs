//! `kiebitz games`: the games and players there are.

use std::process::ExitCode;

use kiebitz_catalog::{Entry, games};
use kiebitz_play::Lang;
use serde_json::json;

use crate::common::{Failure, LangArgs};

/// List the games and the players
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: kiebitz games --json")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    lang: LangArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let lang = args.lang.get();
    if args.json {
        let list: Vec<_> = games()
            .iter()
            .map(|e| {
                let players = e.game.players();
                json!({"game": e.game.id(), "players": [players.start(), players.end()], "en": e.titles[0], "zh": e.titles[1],
                    "example": e.example})
            })
            .collect();
        println!("{}", json!({"games": list, "players": Entry::player_names()}));
        return Ok(ExitCode::SUCCESS);
    }
    for entry in games() {
        let players = entry.game.players();
        let range = if players.start() == players.end() {
            players.start().to_string()
        } else {
            format!("{}–{}", players.start(), players.end())
        };
        let note = if entry.example { lang.choose("  (example)", "  （示例）") } else { "" };
        println!("{:<12} {:<5} {}{note}", entry.game.id(), range, lang.choose(entry.titles[0], entry.titles[1]));
    }
    println!("\n{}: {}", if lang == Lang::Zh { "棋手" } else { "players" }, Entry::player_names().join(", "));
    Ok(ExitCode::SUCCESS)
}
