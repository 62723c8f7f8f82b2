//! `kiebitz engine`: JSON queries and answers, one a line, for programs.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use kiebitz_play::engine::{EngineConfig, ReportAs, serve};

use crate::common::{Failure, note, whole};
use crate::reader;

/// The most positions that can be looked at at the same time.
const MAX_THREADS: u64 = 256;

/// Answer JSON queries, one a line, for all games; for Go in KataGo's form too (KaTrain)
#[derive(clap::Args, Debug)]
#[command(
    alias = "analysis",
    after_help = "Examples:\n  echo '{\"id\":\"a\",\"game\":\"tictactoe\",\"actions\":[\"b2\"]}' | kiebitz engine\n  kiebitz engine --threads 4 < queries.jsonl > answers.jsonl\n\nKaTrain: name this program as its KataGo executable. docs/engine.md describes the protocol."
)]
pub struct Args {
    /// Positions looked at at the same time [default: the number of processors]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(1, MAX_THREADS))]
    threads: Option<usize>,
    /// Visits of a query in KataGo's form without maxVisits
    #[arg(long, value_name = "N", default_value_t = 500, allow_negative_numbers = true,
        value_parser = whole::<u64>(1, u64::MAX))]
    visits: u64,
    /// Seed of queries without one
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Whose view answers in KataGo's form give: black, white or sidetomove
    #[arg(long, value_name = "SIDE", default_value = "black")]
    report_as: ReportAs,
    /// At the end of the input, stop what is unfinished
    #[arg(long)]
    quit_without_waiting: bool,
    /// As KataGo's: at most the number of processors
    #[arg(long, hide = true, value_name = "N", allow_negative_numbers = true,
        value_parser = whole::<usize>(1, 65_536))]
    analysis_threads: Option<usize>,
    /// KataGo's; there is no network here
    #[arg(long, hide = true, value_name = "FILE")]
    model: Option<OsString>,
    /// KataGo's
    #[arg(long, hide = true, value_name = "FILE")]
    human_model: Option<OsString>,
    /// KataGo's; not read
    #[arg(long, hide = true, value_name = "FILE")]
    config: Vec<OsString>,
    /// KataGo's; reportAnalysisWinratesAs, maxVisits and analysisPVLen are understood, the rest is ignored
    #[arg(long, hide = true, value_name = "KEY=VALUE,…")]
    override_config: Vec<String>,
}

/// The command line with KataGo's options of one dash (`-model FILE`) written with two, where the command is this one.
pub fn katago_words(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    const OPTIONS: [&str; 6] =
        ["analysis-threads", "config", "human-model", "model", "override-config", "quit-without-waiting"];
    let mut words: Vec<OsString> = words.collect();
    if words.get(1).is_some_and(|w| w == "engine" || w == "analysis") {
        for word in words.iter_mut().skip(2) {
            let option = word.to_str().and_then(|w| w.strip_prefix('-')).filter(|w| OPTIONS.contains(w));
            if let Some(option) = option.map(|o| format!("--{o}")) {
                *word = option.into();
            }
        }
    }
    words
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.or(args.analysis_threads.map(|n| n.min(processors)));
    let mut config = EngineConfig {
        threads: threads.unwrap_or(processors),
        visits: args.visits,
        seed: args.seed,
        report_as: args.report_as,
        quit_without_waiting: args.quit_without_waiting,
        ..EngineConfig::default()
    };
    for setting in args.override_config.iter().flat_map(|settings| settings.split(',')) {
        override_config(setting, &mut config)?;
    }
    if io::stdin().is_terminal() {
        note(format_args!("kiebitz engine: one JSON query a line; Ctrl-D ends"));
    }
    reader::exit_when_gone();
    serve(io::stdin().lock(), Box::new(Answers), config).map_err(|e| Failure(format!("engine: {}", e.kind())))?;
    Ok(ExitCode::SUCCESS)
}

fn override_config(setting: &str, config: &mut EngineConfig) -> Result<(), Failure> {
    let Some((key, value)) = setting.split_once('=') else { return Ok(()) };
    let (key, value) = (key.trim(), value.trim());
    let wrong = |why: &str| Failure(format!("--override-config {key}={value}: {why}"));
    match key {
        "reportAnalysisWinratesAs" => config.report_as = value.parse().map_err(|e| wrong(&format!("{e}")))?,
        "maxVisits" => config.visits = whole(1, u64::MAX)(value).map_err(|e| wrong(&e))?,
        "analysisPVLen" => config.pv_len = whole(1, 1_000)(value).map_err(|e| wrong(&e))?,
        _ => {}
    }
    Ok(())
}

/// Standard output. A reader that went away ends the program without a word, even while it waits for input.
struct Answers;

impl Answers {
    fn or_end<T>(result: io::Result<T>) -> io::Result<T> {
        match result {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            other => other,
        }
    }
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::or_end(io::stdout().lock().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::or_end(io::stdout().lock().flush())
    }
}
