//! `kiebitz match`: games between players, and what their results mean.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_arena::stats::Interval;
use kiebitz_arena::{
    Contestant, MAX_GAMES, MAX_THREADS, Match, Mean, Outcome, PairReport, PlayerReport, Progress, Report, SeatReport,
    Tally,
};
use kiebitz_core::{Budget, DynPlayer, PlayerSpec, SpecError};
use kiebitz_play::{Lang, WallClock};

use crate::common::{Failure, GameArgs, LangArgs, bar, number, time, whole};

/// Visits for players whose spec says nothing, when neither --visits nor --time is given.
const DEFAULT_VISITS: u64 = 1000;
/// Exit status of a match with too many failed games, and of one that was interrupted.
pub(super) const INVALID: u8 = 3;
pub(super) const INTERRUPTED: u8 = 130;

/// Set by Ctrl-C.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// Play a match between players
///
/// All games of a block have the same luck, and every player sits in every seat once. With as many players as seats, that is
/// one line-up; with more, everybody meets everybody; with fewer, the last player takes the seats that are left. The report is
/// the same for any number of threads as long as thinking is limited by visits. Failed games count for nobody.
///
/// Columns: W, D, L are games won, drawn and lost; win share counts a win that n players share as 1/n of one; score is the mean
/// share of opponents that fared worse (those who did not win are compared by points), one that fared the same counting one half,
/// so a second place among three gives 0.5: it is called "ahead" where more than two play. Margin is in the game's own points, with its standard error over blocks.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  kiebitz match tictactoe random random --games 1000 --threads 2\n  kiebitz match go uct:visits=800 uct:visits=200 --rules size=9 --journal run.jsonl --json\n\nExit status: 0 the match was played, 2 bad input, 3 too many failed games, 130 interrupted"
)]
pub struct Args {
    /// The game (see: kiebitz games)
    game: String,
    /// The players: specs such as random or uct:visits=2000; two or more
    #[arg(required = true, value_name = "PLAYER")]
    contestants: Vec<String>,
    /// How many games, rounded up to whole blocks
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true,
        value_parser = whole::<u64>(1, MAX_GAMES))]
    games: u64,
    /// How many games are played at once
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true,
        value_parser = whole::<usize>(1, MAX_THREADS as u64))]
    threads: usize,
    /// Visits per move of players whose spec says nothing [default: 1000, or unlimited with --time]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    visits: Option<u64>,
    /// Time per move of players whose spec says nothing, such as 500ms or 2s
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    time: Option<Duration>,
    /// Keep results in this file as they come, and go on from those it holds
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Save the record of every game in this directory
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// The largest share of failed games of a valid match
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, allow_negative_numbers = true,
        value_parser = number(0.0, 1.0))]
    max_failures: f64,
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
    let lang = args.lang.get();
    let entry = kiebitz_catalog::game(&args.game)?;
    let header = args.common.header(entry)?;
    let budget = budget(args.visits, args.time);
    let specs = args.contestants.iter().map(|text| text.parse()).collect::<Result<Vec<PlayerSpec>, _>>()?;
    if specs.len() >= 2
        && let Ok(first) = entry.game.start(&header, 0)
    {
        for spec in &specs {
            entry.check_player(spec, first.as_ref())?;
        }
    }
    if let Some(path) = args.save.as_deref().filter(|path| path.exists() && !path.is_dir()) {
        return Err(Failure(format!("--save: {} is not a directory: name one", path.display())));
    }
    let makers: Vec<_> =
        specs.iter().map(|spec| move || -> Result<Box<dyn DynPlayer>, SpecError> { entry.player(spec) }).collect();
    let contestants =
        specs.iter().zip(&makers).map(|(spec, make)| Contestant { name: spec.to_string(), make }).collect();
    stop_on_interrupt()?;
    let bar = games_bar();
    let clock = WallClock::start();
    let progress = |p: &Progress| {
        bar.set_length(p.games);
        bar.set_position(p.done);
        bar.set_message(standing(p));
    };
    let outcome = Match {
        game: entry.game,
        header,
        contestants,
        games: args.games,
        seed: args.common.seed.unwrap_or(0),
        budget,
        threads: args.threads,
        max_failures: args.max_failures,
        journal: args.journal.as_deref(),
        save: args.save.as_deref(),
        clock: &clock,
        stop: &STOP,
        progress: Some(&progress),
    }
    .run();
    bar.finish_and_clear();
    let outcome = outcome?;
    if args.json {
        println!("{}", json(&outcome)?);
    } else {
        print!("{}", text(&outcome, lang));
    }
    Ok(verdict(&args, &outcome, lang))
}

/// The first Ctrl-C ends a match in order, the second at once.
pub(super) fn stop_on_interrupt() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    })?;
    Ok(())
}

/// A progress bar of games, with room for how they stand.
pub(super) fn games_bar() -> ProgressBar {
    let bar = bar(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {elapsed} (eta {eta})") {
        bar.set_style(style);
    }
    bar
}

/// The first player's results so far.
pub(super) fn standing(progress: &Progress) -> String {
    let Tally { wins, draws, losses } = progress.first;
    let failed = if progress.failed > 0 { format!(" !{}", progress.failed) } else { String::new() };
    format!("+{wins} ={draws} -{losses}{failed}")
}

/// The budget of players whose spec says nothing, from `--visits` and `--time`.
pub(super) fn budget(visits: Option<u64>, time: Option<Duration>) -> Budget {
    Budget { visits: visits.or_else(|| time.is_none().then_some(DEFAULT_VISITS)), time }
}

/// The exit status, with a sentence on stderr unless it is 0.
fn verdict(args: &Args, outcome: &Outcome, lang: Lang) -> ExitCode {
    let games = &outcome.report.games;
    let done = games.finished + games.failed;
    if outcome.interrupted {
        let kept = match args.journal {
            Some(_) => format!("{} {}", lang.choose("go on with:", "继续请运行："), this_command()),
            None => lang.choose("nothing is kept without --journal", "未指定 --journal，结果未保存").to_owned(),
        };
        let all = games.scheduled;
        match lang {
            Lang::En => eprintln!("kiebitz: interrupted after {done} of {all} games; {kept}"),
            Lang::Zh => eprintln!("kiebitz: 已中断，完成 {done}/{all} 局；{kept}"),
        }
        return ExitCode::from(INTERRUPTED);
    }
    if !outcome.report.valid {
        let (failed, limit) = (games.failed, args.max_failures);
        match lang {
            Lang::En => eprintln!(
                "kiebitz: the match is invalid: {failed} of {done} games failed, --max-failures allows a share of {limit}"
            ),
            Lang::Zh => {
                eprintln!("kiebitz: 比赛无效：{done} 局中有 {failed} 局失败，--max-failures 允许的比例为 {limit}")
            }
        }
        return ExitCode::from(INVALID);
    }
    ExitCode::SUCCESS
}

/// The command line as it was typed.
pub(super) fn this_command() -> String {
    std::env::args().map(|word| shell_word(&word)).collect::<Vec<_>>().join(" ")
}

/// A word as a POSIX shell reads it.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=:,./+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The report, and apart from it (`timing`, `interrupted`) what differs from run to run.
fn json(outcome: &Outcome) -> Result<String, Failure> {
    let mut value = serde_json::to_value(&outcome.report)?;
    value["interrupted"] = outcome.interrupted.into();
    value["timing"] = serde_json::to_value(&outcome.timing)?;
    Ok(value.to_string())
}

fn text(outcome: &Outcome, lang: Lang) -> String {
    let report = &outcome.report;
    let mut lines = vec![summary(report, lang)];
    let several = report.identity.players > 2;
    lines.push(String::new());
    let width = report.players.iter().map(|p| p.name.chars().count()).max().unwrap_or(0) + 2;
    lines.push(format!(
        "{:width$}  {:>6} {:>6} {:>6}  {:<21}  {:>6}  {:>16}  {:>8}  {:>8}",
        "player",
        "W",
        "D",
        "L",
        "win share [95 %]",
        if several { "ahead" } else { "score" },
        "margin",
        "visits/m",
        "ms/move"
    ));
    for (i, (player, timing)) in report.players.iter().zip(&outcome.timing.players).enumerate() {
        lines.push(player_line(&label(report, i), player, timing.seconds_per_move, width));
        lines.extend(player.seats.iter().map(|seat| seat_line(seat, width)));
    }
    if several {
        lines.push(
            lang.choose(
                "ahead: the mean share of opponents that fared worse (those who did not win by points), level counting one half; 0.5 for equal players",
                "ahead：成绩不如它的对手的平均比例（未获胜者之间比得分），相同算一半；水平相同时为 0.5",
            )
            .to_owned(),
        );
    }
    lines.push(String::new());
    for pair in &report.pairs {
        lines.extend(pair_lines(report, pair, lang));
    }
    for (i, player) in report.players.iter().enumerate().filter(|(_, p)| p.failures.total() > 0) {
        let (f, name) = (player.failures, label(report, i));
        lines.push(match lang {
            Lang::En => {
                format!("failures of {name}: {} crashes, {} illegal actions, {} errors", f.crash, f.illegal, f.error)
            }
            Lang::Zh => format!("{name} 的失败：崩溃 {}，非法着法 {}，错误 {}", f.crash, f.illegal, f.error),
        });
    }
    for note in report.failures.iter().take(5) {
        lines.push(format!(
            "  game {} (seed {}), step {}: {}",
            note.id, note.seed, note.failure.step, note.failure.message
        ));
    }
    lines.push(timing_line(outcome, lang));
    lines.join("\n") + "\n"
}

fn summary(report: &Report, lang: Lang) -> String {
    let (identity, games) = (&report.identity, &report.games);
    let rules = if identity.rules.is_empty() {
        String::new()
    } else {
        format!(" {}", serde_json::Value::Object(identity.rules.clone()))
    };
    let (played, length) = (games.finished + games.failed, &report.length);
    match lang {
        Lang::En => format!(
            "{}{rules}, {} players, seed {}: {played} games, {} failed, {} complete blocks of {}; {:.1} steps a game ({} to {})",
            identity.game,
            identity.players,
            identity.seed,
            games.failed,
            games.blocks,
            report.block_size,
            length.mean,
            length.shortest,
            length.longest
        ),
        Lang::Zh => format!(
            "{}{rules}，{} 人，种子 {}：{played} 局，失败 {} 局，完整组 {} 个（每组 {} 局）；每局 {:.1} 步（{}～{}）",
            identity.game,
            identity.players,
            identity.seed,
            games.failed,
            games.blocks,
            report.block_size,
            length.mean,
            length.shortest,
            length.longest
        ),
    }
}

/// A contestant with its letter: two of them may have the same spec.
fn label(report: &Report, player: usize) -> String {
    format!("{} {}", (b'A' + player as u8) as char, report.players[player].name)
}

pub(super) fn share(value: f64, interval: Interval) -> String {
    format!("{value:.3} [{:.3}, {:.3}]", interval.low, interval.high)
}

pub(super) fn mean(mean: Mean) -> String {
    match mean.error {
        Some(error) => format!("{:+.2} ± {error:.2}", mean.mean),
        None => format!("{:+.2}", mean.mean),
    }
}

fn player_line(name: &str, player: &PlayerReport, seconds_per_move: f64, width: usize) -> String {
    let Tally { wins, draws, losses } = player.tally;
    format!(
        "{:width$}  {wins:>6} {draws:>6} {losses:>6}  {:<21}  {:>6.3}  {:>16}  {:>8.0}  {:>8.3}",
        name,
        share(player.win_share, player.wilson),
        player.score,
        mean(player.margin),
        player.visits_per_move,
        seconds_per_move * 1000.0
    )
}

fn seat_line(report: &SeatReport, width: usize) -> String {
    let Tally { wins, draws, losses } = report.tally;
    let name = format!("  seat {}", report.seat);
    format!("{name:width$}  {wins:>6} {draws:>6} {losses:>6}  {}", share(report.win_share, report.wilson))
}

fn pair_lines(report: &Report, pair: &PairReport, lang: Lang) -> Vec<String> {
    let Tally { wins, draws, losses } = pair.tally;
    let mut lines = vec![format!(
        "{} – {}: +{wins} ={draws} -{losses}, {} {}",
        label(report, pair.a),
        label(report, pair.b),
        lang.choose("score", "得分率"),
        share(pair.score, pair.wilson)
    )];
    let mut elo = format!("  Elo {}", pair.elo);
    if let Some(normalized) = pair.normalized_elo {
        elo += &format!(", nElo {:+.1} ± {:.1}", normalized.value, normalized.half_width);
    }
    if let Some(los) = pair.los {
        elo += &format!(", LOS {:.1} %", los * 100.0);
    }
    lines.push(elo);
    let blocks: Vec<String> = pair.block_scores.iter().map(|(s, n)| format!("{s:.2}: {n}")).collect();
    let mut line = format!("  {} {}", lang.choose("blocks by score", "各组得分"), blocks.join(", "));
    if let Some(pairing) = pair.pairing {
        let efficiency = lang.choose("a game counts as", "一局相当于独立局数");
        line += &format!("; {efficiency} {:.2}", pairing.efficiency);
    }
    lines.push(line);
    lines
}

fn timing_line(outcome: &Outcome, lang: Lang) -> String {
    let timing = &outcome.timing;
    let mut line = match lang {
        Lang::En => {
            format!("{} games in {:.1} s; threads: {}", timing.games_played, timing.wall_seconds, timing.threads)
        }
        Lang::Zh => format!("{} 局，用时 {:.1} 秒，{} 线程", timing.games_played, timing.wall_seconds, timing.threads),
    };
    if outcome.resumed > 0 {
        line += &format!("{} {}", lang.choose("; from the journal:", "；来自日志："), outcome.resumed);
    }
    if let Some(load) = timing.cpu_load {
        line += &format!("{} {load:.2}", lang.choose("; processors kept busy:", "；占用处理器："));
    }
    if let Some([one, five, fifteen]) = timing.load_average {
        line += &format!("{} {one:.2} {five:.2} {fifteen:.2}", lang.choose("; load average:", "；系统负载："));
    }
    line
}
