//! The program `kiebitz`: argument parsing and printing, nothing else.
#![forbid(unsafe_code)]

mod commands;
mod common;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::common::Failure;

/// Plays, teaches and studies tabletop games.
#[derive(Parser, Debug)]
#[command(name = "kiebitz", version, about, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Play(Box<commands::play::Args>),
    Replay(commands::replay::Args),
    Analyze(commands::analyze::Args),
    Match(Box<commands::matches::Args>),
    Perft(commands::perft::Args),
    Bench(commands::bench::Args),
    Games(commands::games::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers, everything else is bad input.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let result = match cli.command {
        Command::Play(args) => commands::play::run(*args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Analyze(args) => commands::analyze::run(args),
        Command::Match(args) => commands::matches::run(*args),
        Command::Perft(args) => commands::perft::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Games(args) => commands::games::run(args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

impl Failure {
    /// Prints one sentence on stderr; the status is 2 for bad input, else 1.
    fn report(&self) -> ExitCode {
        eprintln!("kiebitz: {self}");
        ExitCode::from(2)
    }
}
