//! `kiebitz replay`: plays records through, checks them, prints their facts.

use std::path::PathBuf;
use std::process::ExitCode;

use kiebitz_core::record::{By, Line, What};
use kiebitz_core::{DynGame, Observer};
use kiebitz_play::{Lang, replay};
use serde_json::json;

use crate::common::{Failure, LangArgs, beyond, counted, load, whole};

/// Replay records: print the end, check the facts they expect, or print all facts
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  kiebitz replay game.jsonl\n  kiebitz replay --check traces/*.jsonl.gz\n  kiebitz replay --facts game.sgf"
)]
pub struct Args {
    /// Records (JSON Lines, or SGF for Go), gzip-compressed or not
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Compare the facts each record expects; report the first difference of each file
    #[arg(long, conflicts_with = "facts")]
    check: bool,
    /// Print one JSON object with all facts for every line
    #[arg(long)]
    facts: bool,
    /// Stop after this many moves, deals and other chance events counted as well
    #[arg(long = "move", value_name = "N", conflicts_with_all = ["check", "facts"], allow_negative_numbers = true,
        value_parser = whole::<usize>(0, 1_000_000))]
    steps: Option<usize>,
    /// Refuse what SGF tolerates, such as illegal moves
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    lang: LangArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.check { check(&args) } else { show(&args) }
}

fn check(args: &Args) -> Result<ExitCode, Failure> {
    let (mut facts, mut bad, mut unreadable) = (0usize, 0usize, false);
    for path in &args.files {
        let file = path.display().to_string();
        let read = match load(path, args.strict, args.lang.get()) {
            Ok(read) => read,
            Err(failure) if args.files.len() > 1 => {
                // The other files are still worth a look; the status says that one could not be read.
                unreadable = true;
                crate::common::note(format_args!("kiebitz: {failure}"));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let (code, line, text, detail) = match replay::check(&read) {
            Ok(checked) => {
                facts += checked.facts;
                match checked.difference {
                    None => continue,
                    Some(d) => {
                        let found =
                            d.found.as_ref().map_or_else(|| "no such fact here".to_owned(), ToString::to_string);
                        let text = format!("line {}: {}: expected {}, found {found}", d.line, d.key, d.expected);
                        ("difference", d.line, text, json!({"key": d.key, "expected": d.expected, "found": d.found}))
                    }
                }
            }
            Err(e) => {
                let line = if let replay::ReplayError::Line { line, .. } = e { line } else { 1 };
                (e.code(), line, e.to_string(), json!({}))
            }
        };
        bad += 1;
        if args.json {
            println!("{}", json!({"file": file, "code": code, "line": line, "message": text, "detail": detail}));
        } else {
            println!("{file}: {text}");
        }
    }
    if args.json {
        println!("{}", json!({"files": args.files.len(), "facts": facts, "different": bad}));
    } else {
        println!("{}", summary(args.files.len(), facts, bad, args.lang.get()));
    }
    Ok(ExitCode::from(if unreadable { 2 } else { u8::from(bad > 0) }))
}

fn summary(files: usize, facts: usize, bad: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "{}, {} compared, {} differ{}",
            counted(files, "file"),
            counted(facts, "fact"),
            counted(bad, "file"),
            if bad == 1 { "s" } else { "" }
        ),
        Lang::Zh => format!("共 {files} 个文件，核对 {facts} 项事实，{bad} 个文件有差异"),
    }
}

/// A file's game and how many moves it has; where there are other lines (deals, resignations), how many lines as well.
fn length(file: &str, game: &dyn DynGame, lang: Lang) -> String {
    let (id, lines) = (game.id(), game.steps());
    let is_move = |line: &&Line| matches!((line.by(), line.what()), (By::Seat(_), What::Action(_)));
    let moves = game.record().lines.iter().filter(is_move).count();
    match lang {
        Lang::En if moves == lines => format!("{file}: {id}, {}", counted(moves, "move")),
        Lang::En => format!("{file}: {id}, {} in {}", counted(moves, "move"), counted(lines, "line")),
        Lang::Zh if moves == lines => format!("{file}：{id}，{moves} 手"),
        Lang::Zh => format!("{file}：{id}，{moves} 手，共 {lines} 行"),
    }
}

fn show(args: &Args) -> Result<ExitCode, Failure> {
    for path in &args.files {
        let read = load(path, args.strict, args.lang.get())?;
        let named = |e: replay::ReplayError| Failure(format!("{}: {e}", path.display()));
        if args.facts {
            replay::facts(&read, |line| println!("{line}")).map_err(named)?;
            continue;
        }
        let lines = read.record.lines.len();
        if let Some(steps) = args.steps.filter(|&n| n > lines) {
            return Err(Failure(beyond(steps, path, lines)));
        }
        let game = replay::replay(&read, args.steps).map_err(named)?;
        if args.json {
            println!(
                "{}",
                json!({"file": path.display().to_string(), "game": game.id(), "lines": game.steps(),
                "result": game.result(), "facts": game.facts()})
            );
            continue;
        }
        println!("{}", length(&path.display().to_string(), game.as_ref(), args.lang.get()));
        println!("{}", game.board_text(Observer::Omniscient));
        if let Some(result) = game.result() {
            println!("{result}");
        }
        if args.steps.is_none()
            && let Some(doubt) = replay::doubt(&read.record.header, game.as_ref())
        {
            eprintln!("{}: {doubt}", path.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}
