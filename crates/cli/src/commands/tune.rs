//! `kiebitz tune`: one setting of a player at several values, each against the same opponent with the same luck.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use kiebitz_arena::{Contestant, MAX_GAMES, MAX_THREADS, Match, Outcome, PlayerReport, Progress, Tally};
use kiebitz_core::{DynPlayer, PlayerSpec, SpecError};
use kiebitz_play::{Lang, WallClock};
use serde_json::{Value, json};

use super::matches::{
    INTERRUPTED, INVALID, STOP, budget, games_bar, mean, share, standing, stop_on_interrupt, this_command,
};
use crate::common::{Failure, GameArgs, LangArgs, number, time, whole};

/// The most values.
const MOST_VALUES: usize = 64;

/// Compare values of one setting of a player
///
/// For each value, the player sits against the opponent in every seat once for each deal (roll of the dice, opening); the
/// opponent takes all other seats. All values play the same deals, so that they differ by what they make of them, not by their
/// luck. The table has the share of games won with its 95 % interval (Wilson); equal players win 1/n of games of n players.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  kiebitz tune kuhn ismcts --key c --values 0.5,0.7,1.0,1.5,1.4142 --against random --games 1000\n  kiebitz tune paodekuai ismcts:visits=500 --key c --values 0.35,0.7,1.4 --against greedy --games 300 --journal c.jsonl\n\nThe journal of a value has the value in its name, here c.c=0.35.jsonl and so on; an interrupted run goes on from them.\n\nExit status: 0 all games were played, 2 bad input, 3 too many failed games, 130 interrupted"
)]
pub struct Args {
    /// The game (see: kiebitz games)
    game: String,
    /// The player whose setting is varied: a spec such as ismcts or uct:visits=2000
    player: String,
    /// The setting, such as c
    #[arg(long, value_name = "KEY")]
    key: String,
    /// Its values: value,value,…
    #[arg(long, value_name = "VALUES", allow_negative_numbers = true)]
    values: String,
    /// The opponent in all other seats: a spec
    #[arg(long, value_name = "PLAYER")]
    against: String,
    /// How many games for each value, rounded up to whole blocks
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
    /// Keep results in files named after this one as they come, and go on from those they hold
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The largest share of failed games of a valid result
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
    let values = values(&args.values)?;
    let player: PlayerSpec = args.player.parse()?;
    let opponent: PlayerSpec = args.against.parse()?;
    if let Some(given) = player.settings.get(&args.key) {
        let (key, player) = (&args.key, &args.player);
        return Err(Failure(format!("'{player}' sets {key}={given} itself; leave that out, --values sets {key}")));
    }
    let with = |value: &str| -> Result<PlayerSpec, Failure> {
        // By its text, so that a value is checked as in any other spec.
        let separator = if player.settings.is_empty() { ':' } else { ',' };
        Ok(format!("{player}{separator}{}={value}", args.key).parse()?)
    };
    let specs = values.iter().map(|value| with(value)).collect::<Result<Vec<PlayerSpec>, _>>()?;
    if let Ok(first) = entry.game.start(&header, 0) {
        for spec in specs.iter().chain([&opponent]) {
            entry.check_player(spec, first.as_ref())?;
        }
    }
    stop_on_interrupt()?;
    let (clock, bar) = (WallClock::start(), games_bar());
    let make_opponent = || -> Result<Box<dyn DynPlayer>, SpecError> { entry.player(&opponent) };
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (done, (value, spec)) in (0..).zip(values.iter().zip(&specs)) {
        let make = || -> Result<Box<dyn DynPlayer>, SpecError> { entry.player(spec) };
        let progress = |p: &Progress| {
            bar.set_length(p.games * specs.len() as u64);
            bar.set_position(p.games * done + p.done);
            bar.set_message(format!("{}={value} {}", args.key, standing(p)));
        };
        let journal = args.journal.as_deref().map(|path| journal_of(path, &args.key, value));
        let outcome = Match {
            game: entry.game,
            header: header.clone(),
            contestants: vec![
                Contestant { name: spec.to_string(), make: &make },
                Contestant { name: opponent.to_string(), make: &make_opponent },
            ],
            games: args.games,
            seed: args.common.seed.unwrap_or(0),
            budget,
            threads: args.threads,
            max_failures: args.max_failures,
            journal: journal.as_deref(),
            save: None,
            clock: &clock,
            stop: &STOP,
            progress: Some(&progress),
        }
        .run();
        let outcome = outcome.inspect_err(|_| bar.finish_and_clear())?;
        let interrupted = outcome.interrupted;
        outcomes.push(outcome);
        if interrupted {
            break;
        }
    }
    bar.finish_and_clear();
    if args.json {
        println!("{}", as_json(&args, &values, &outcomes)?);
    } else {
        print!("{}", text(&args, &values, &outcomes, lang));
    }
    Ok(verdict(&args, &outcomes, lang))
}

/// Reads `--values`.
fn values(text: &str) -> Result<Vec<String>, Failure> {
    let values: Vec<String> = text.split(',').map(|value| value.trim().to_owned()).collect();
    let bad = |why: String| Err(Failure(format!("--values: {why}")));
    if values.iter().any(String::is_empty) {
        return bad("a value is empty; write them as 0.5,0.7,1.0".to_owned());
    }
    if values.len() > MOST_VALUES {
        return bad(format!("there are {}, at most {MOST_VALUES} are possible", values.len()));
    }
    match values.iter().enumerate().find(|(i, value)| values[..*i].contains(value)) {
        Some((_, twice)) => bad(format!("{twice} is given twice; leave one out")),
        None => Ok(values),
    }
}

/// The journal of one value: `run.jsonl` becomes `run.c=0.5.jsonl`.
fn journal_of(path: &Path, key: &str, value: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.+".contains(c) { c } else { '_' };
    let value: String = value.chars().map(plain).collect();
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let ending = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}.{key}={value}{ending}"))
}

/// The varied player's part of a report; it is always the first contestant.
fn tuned(outcome: &Outcome) -> &PlayerReport {
    &outcome.report.players[0]
}

/// The value that won most; of equals the one with the better margin, then the first.
fn best(outcomes: &[Outcome]) -> usize {
    let key = |i: usize| (tuned(&outcomes[i]).win_share, tuned(&outcomes[i]).margin.mean);
    (1..outcomes.len()).fold(0, |best, i| if key(i) > key(best) { i } else { best })
}

/// The comparison, and apart from it (`timing`, `interrupted`) what differs from run to run.
fn as_json(args: &Args, values: &[String], outcomes: &[Outcome]) -> Result<String, Failure> {
    let rows = values.iter().zip(outcomes).map(|(value, outcome)| -> Result<Value, Failure> {
        let report = &outcome.report;
        Ok(json!({
            "value": value,
            "valid": report.valid,
            "games": report.games,
            "result": tuned(outcome),
            "failures": report.failures,
        }))
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let identity = &outcomes[0].report.identity;
    let value = json!({
        "game": identity.game,
        "players": identity.players,
        "rules": identity.rules,
        "seed": identity.seed,
        "visits": identity.visits,
        "time_ms": identity.time_ms,
        "player": args.player,
        "key": args.key,
        "against": identity.contestants[1],
        "par": tuned(&outcomes[0]).null_share,
        "rows": rows,
        "best": values[best(outcomes)],
        "interrupted": outcomes.iter().any(|o| o.interrupted) || outcomes.len() < values.len(),
        "timing": outcomes.iter().map(|o| serde_json::to_value(&o.timing)).collect::<Result<Vec<_>, _>>()?,
    });
    Ok(value.to_string())
}

fn text(args: &Args, values: &[String], outcomes: &[Outcome], lang: Lang) -> String {
    let identity = &outcomes[0].report.identity;
    let par = tuned(&outcomes[0]).null_share;
    let (game, players, seed) = (&identity.game, identity.players, identity.seed);
    let (player, key, opponent) = (&args.player, &args.key, &identity.contestants[1]);
    let mut lines = vec![match lang {
        Lang::En => {
            format!("{game}, {players} players, seed {seed}: {player} against {opponent}; equal players win {par:.3}")
        }
        Lang::Zh => format!("{game}，{players} 人，种子 {seed}：{player} 对 {opponent}；实力相当时胜率 {par:.3}"),
    }];
    lines.push(String::new());
    let width = values.iter().map(|v| v.chars().count()).max().unwrap_or(0).max(key.chars().count()) + 2;
    lines.push(format!(
        "{key:width$}  {:>6}  {:>6} {:>6} {:>6}  {:<21}  {:>16}  {:>8}  {:>8}",
        "games", "W", "D", "L", "win share [95 %]", "margin", "visits/m", "ms/move"
    ));
    for (value, outcome) in values.iter().zip(outcomes) {
        let result = tuned(outcome);
        let Tally { wins, draws, losses } = result.tally;
        lines.push(format!(
            "{value:width$}  {:>6}  {wins:>6} {draws:>6} {losses:>6}  {:<21}  {:>16}  {:>8.0}  {:>8.3}",
            outcome.report.games.counted,
            share(result.win_share, result.wilson),
            mean(result.margin),
            result.visits_per_move,
            outcome.timing.players[0].seconds_per_move * 1000.0
        ));
    }
    lines.push(String::new());
    let best = best(outcomes);
    let top = tuned(&outcomes[best]);
    let apart = |o: &&Outcome| tuned(o).wilson.high < top.wilson.low;
    let (clear, others) = (outcomes.iter().filter(apart).count(), outcomes.len() - 1);
    lines.push(match lang {
        Lang::En => format!(
            "most games won with {key}={}; the intervals of {clear} of the other {others} lie below its own",
            values[best]
        ),
        Lang::Zh => format!("{key}={} 胜率最高；其余 {others} 个取值中有 {clear} 个的区间完全低于它", values[best]),
    });
    lines.join("\n") + "\n"
}

/// The exit status, with a sentence on stderr unless it is 0.
fn verdict(args: &Args, outcomes: &[Outcome], lang: Lang) -> ExitCode {
    if outcomes.last().is_some_and(|outcome| outcome.interrupted) {
        let kept = match args.journal {
            Some(_) => format!("{} {}", lang.choose("go on with:", "继续请运行："), this_command()),
            None => lang.choose("nothing is kept without --journal", "未指定 --journal，结果未保存").to_owned(),
        };
        eprintln!("kiebitz: {} {kept}", lang.choose("interrupted;", "已中断；"));
        return ExitCode::from(INTERRUPTED);
    }
    if outcomes.iter().any(|outcome| !outcome.report.valid) {
        let limit = args.max_failures;
        match lang {
            Lang::En => {
                eprintln!(
                    "kiebitz: the result is invalid: more games failed than --max-failures allows, a share of {limit}"
                )
            }
            Lang::Zh => eprintln!("kiebitz: 结果无效：失败的对局多于 --max-failures 允许的比例 {limit}"),
        }
        return ExitCode::from(INVALID);
    }
    ExitCode::SUCCESS
}
