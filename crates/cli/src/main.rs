//! The program `kiebitz`: argument parsing and printing, nothing else.
#![forbid(unsafe_code)]

/// As `std::println`, which panics when the reader has gone away (`kiebitz … | head`).
macro_rules! println {
    () => { $crate::common::print(format_args!("\n")) };
    ($($words:tt)*) => { $crate::common::print(format_args!("{}\n", format_args!($($words)*))) };
}

/// As `std::print`; see `println`.
#[allow(unused_macros, reason = "not every set of commands needs it")]
macro_rules! print {
    ($($words:tt)*) => { $crate::common::print(format_args!($($words)*)) };
}

mod commands;
mod common;
mod reader;
mod usage;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

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
    Tune(Box<commands::tune::Args>),
    Gtp(commands::gtp::Args),
    Engine(Box<commands::engine::Args>),
    Perft(commands::perft::Args),
    Bench(commands::bench::Args),
    Games(commands::games::Args),
    Go(commands::go::Args),
    Serve(commands::serve::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(commands::engine::katago_words(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers, everything else is bad input.
            let words: Vec<String> = std::env::args_os().skip(1).map(|w| w.to_string_lossy().into_owned()).collect();
            if let Some(sentence) = usage::sentence(&error, &Cli::command(), &words) {
                return Failure(sentence).report();
            }
            if error.use_stderr() {
                let _ = error.print();
                return ExitCode::from(2);
            }
            return match error.print().and_then(|()| io::stdout().flush()) {
                Err(e) if e.kind() != io::ErrorKind::BrokenPipe => common::unwritable(&e),
                _ => ExitCode::SUCCESS,
            };
        }
    };
    let result = match cli.command {
        Command::Play(args) => commands::play::run(*args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Analyze(args) => commands::analyze::run(args),
        Command::Match(args) => commands::matches::run(*args),
        Command::Tune(args) => commands::tune::run(*args),
        Command::Gtp(args) => commands::gtp::run(args),
        Command::Engine(args) => commands::engine::run(*args),
        Command::Perft(args) => commands::perft::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Games(args) => commands::games::run(args),
        Command::Go(args) => commands::go::run(args),
        Command::Serve(args) => commands::serve::run(args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

impl Failure {
    /// Prints the sentence on stderr; the status is 2, bad input.
    fn report(&self) -> ExitCode {
        common::note(format_args!("kiebitz: {self}"));
        ExitCode::from(2)
    }
}
