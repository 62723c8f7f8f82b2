//! `kiebitz bench`: how fast the games and the search are here.

use std::process::ExitCode;
use std::time::Duration;

use kiebitz_arena::load::load_average;
use kiebitz_catalog::{BenchConfig, BenchRow, games};
use kiebitz_play::WallClock;
use serde_json::{Value, json};

use crate::common::{Failure, LangArgs, bar, number};

/// Measure the speed of the games and of the search
///
/// Every speed is the best of five measurements. The signature changes only when a game or the search behaves differently, not
/// with time or machine.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: kiebitz bench go --json")]
pub struct Args {
    /// The game [default: all games]
    game: Option<String>,
    /// How long one measurement takes, in seconds
    #[arg(long, value_name = "S", default_value_t = 0.2, allow_negative_numbers = true,
        value_parser = number(0.001, 60.0))]
    seconds: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    lang: LangArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let lang = args.lang.get();
    let entries: Vec<_> = match &args.game {
        Some(name) => vec![kiebitz_catalog::game(name)?],
        None => games().iter().collect(),
    };
    let config = BenchConfig { time: Duration::from_secs_f64(args.seconds), ..BenchConfig::default() };
    let before = load_average();
    let clock = WallClock::start();
    let bar = bar(entries.iter().map(|e| e.variants().len() as u64).sum());
    let mut rows = Vec::new();
    for entry in entries {
        for variant in entry.variants() {
            rows.push(entry.bench(variant, &config, &clock)?);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let signature = signature(&rows);
    if args.json {
        let answer = json!({
            "seconds": args.seconds, "best_of": config.repeats, "load_average": before, "processors": processors(),
            "rows": rows.iter().map(row_json).collect::<Vec<_>>(), "signature": signature,
        });
        println!("{answer}");
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{:<12} {:<9} {:>11} {:>7} {:>12} {:>7} {:>6}  {:<7} {:>10} {:>7} {:>6}  {:>10}",
        "game", "", "playouts/s", "length", "moves/s", "bytes", "x2", "search", "visits/s", "b/node", "x2", "signature"
    );
    for row in &rows {
        println!("{}", row_text(row));
    }
    println!();
    for line in rows.iter().flat_map(further) {
        println!("{line}");
    }
    println!("signature: {signature}");
    if let Some([one, five, fifteen]) = before {
        println!(
            "{} {one:.2} {five:.2} {fifteen:.2} ({} {})",
            lang.choose("load average before:", "测试前系统负载："),
            processors(),
            lang.choose("processors", "个处理器")
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// One number for all rows: it depends on each of them and on their order.
fn signature(rows: &[BenchRow]) -> u32 {
    rows.iter().fold(0x811C_9DC5, |hash, row| {
        row.signature.to_le_bytes().iter().fold(hash, |h, &b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
    })
}

fn row_json(row: &BenchRow) -> Value {
    let search = row.search.as_ref().map(
        |s| json!({"player": s.player, "visits_per_second": s.visits.round(), "bytes_per_node": s.bytes_per_node}),
    );
    let single = row.scaling.iter().find(|rate| rate.threads == 1);
    let scaling: Vec<Value> = row
        .scaling
        .iter()
        .map(|rate| {
            let visits = rate.visits.zip(single.and_then(|s| s.visits)).filter(|(_, one)| *one > 0.0);
            json!({
                "threads": rate.threads,
                "playouts_per_second": rate.playouts.round(),
                "playouts_scaling": if row.playouts > 0.0 { Some(rate.playouts / row.playouts) } else { None },
                "visits_per_second": rate.visits.map(f64::round),
                "visits_scaling": visits.map(|(many, one)| many / one),
            })
        })
        .collect();
    json!({
        "game": row.game, "variant": row.variant, "players": row.players,
        "playouts_per_second": row.playouts.round(), "playout_length": row.playout_length,
        "moves_per_second": row.moves.round(), "state_bytes": row.state_bytes,
        "policies": row.policies.iter().map(|(settings, rate)| json!({"settings": settings, "playouts_per_second": rate.round()}))
            .collect::<Vec<_>>(),
        "random_games": row.random.map(|r| json!({"games_per_second": r.games.round(), "length": r.length, "forced": r.forced})),
        "worlds": row.worlds.map(|w| json!({"worlds_per_second": w.worlds.round(), "positions": w.positions, "proofs": w.proofs})),
        "search": search, "threads": scaling, "signature": row.signature,
    })
}

/// What not every game has, and games of random actions: a line for each.
fn further(row: &BenchRow) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(random) = row.random {
        said.push(format!(
            "random games {:.0}/s, {:.2} moves each, {:.1} % forced",
            random.games,
            random.length,
            100.0 * random.forced
        ));
    }
    said.extend(row.policies.iter().map(|(settings, rate)| format!("{settings} {rate:.0}/s")));
    if let Some(w) = row.worlds {
        let proofs = if w.proofs > 0 { format!(" with {} proofs or more", w.proofs) } else { String::new() };
        said.push(format!("worlds {:.0}/s at {} positions{proofs}", w.worlds, w.positions));
    }
    said.into_iter().map(|text| format!("{:<12} {:<9} {text}", row.game, row.variant)).collect()
}

fn row_text(row: &BenchRow) -> String {
    let two = row.scaling.iter().find(|rate| rate.threads == 2);
    let scaling = |many: Option<f64>, one: f64| match many {
        Some(many) if one > 0.0 => format!("{:.2}", many / one),
        _ => "–".to_owned(),
    };
    let (player, visits, bytes, visits_scaling) = match &row.search {
        None => ("–".to_owned(), "–".to_owned(), "–".to_owned(), "–".to_owned()),
        Some(search) => (
            search.player.clone(),
            format!("{:.0}", search.visits),
            search.bytes_per_node.map_or("–".to_owned(), |b| format!("{b:.0}")),
            scaling(two.and_then(|t| t.visits), search.visits),
        ),
    };
    format!(
        "{:<12} {:<9} {:>11.0} {:>7.1} {:>12.0} {:>7} {:>6}  {:<7} {:>10} {:>7} {:>6}  {:>10}",
        row.game,
        row.variant,
        row.playouts,
        row.playout_length,
        row.moves,
        row.state_bytes,
        scaling(two.map(|t| t.playouts), row.playouts),
        player,
        visits,
        bytes,
        visits_scaling,
        row.signature
    )
}
