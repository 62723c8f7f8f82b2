//! `kiebitz match`: the report, and that it depends on nothing but the match.

mod run;

use run::{directory, json, kiebitz, refused};
use serde_json::Value;

/// The part of the report that must not differ from run to run.
fn report(line: &str) -> Value {
    let mut report = json(line);
    let timing = report.as_object_mut().expect("an object").shift_remove("timing").expect("timing");
    assert!(timing["wall_seconds"].as_f64().is_some_and(|s| s >= 0.0), "{timing}");
    report
}

#[test]
fn match_is_reproducible_for_any_number_of_threads() {
    let line = "match tictactoe random random --games 300 --seed 7 --json";
    let one = report(line);
    assert_eq!(one["games"]["finished"], 300);
    assert_eq!(one["match"]["seed"], 7);
    assert_eq!((one["valid"].as_bool(), one["interrupted"].as_bool()), (Some(true), Some(false)));
    assert_eq!(report(line), one);
    assert_eq!(report(&format!("{line} --threads 2")), one);
    assert_ne!(report(&line.replace("--seed 7", "--seed 8"))["players"], one["players"]);
    let players = one["players"].as_array().expect("players");
    let number = |player: usize, key: &str| players[player][key].as_u64().expect("a number");
    assert_eq!(number(0, "wins") + number(0, "draws") + number(0, "losses"), 300);
    assert_eq!(number(0, "wins"), number(1, "losses"));
    assert_eq!(players[0]["name"], "random");
}

#[test]
fn match_resumes_from_its_journal() {
    let path = directory("match-resume").join("journal.jsonl");
    let line = "match kuhn random random --players 3 --games 60 --json";
    let whole = report(line);
    let line = format!("{line} --journal {}", path.display());
    assert_eq!(report(&line), whole);
    let text = std::fs::read_to_string(&path).expect("the journal");
    let head: Vec<&str> = text.lines().take(20).collect();
    std::fs::write(&path, head.join("\n") + "\n{\"id\":5").expect("the journal");
    assert_eq!(report(&line), whole);
    assert_eq!(std::fs::read_to_string(&path).expect("the journal").lines().count(), text.lines().count());
    refused(
        &line.replace("--json", "--seed 5"),
        &format!(
            "the journal {} is of another match: its seed is 0, here it is 5; name another file or start the same match",
            path.display()
        ),
    );
}

#[test]
fn match_saves_records_that_replay() {
    let directory = directory("match-save");
    report(&format!("match countdown random random --games 2 --json --save {}", directory.display()));
    let first = std::fs::read_to_string(directory.join("0.jsonl")).expect("a record");
    assert!(first.starts_with("{\"kiebitz\":1,\"game\":\"countdown\",\"players\":2,"), "{first}");
    let facts = kiebitz(&format!("replay {} --facts", directory.join("1.jsonl").display()));
    assert_eq!(facts.status, 0, "{}", facts.stderr);
    assert!(facts.stdout.lines().last().is_some_and(|l| l.contains("\"terminal\":true")));
}

#[test]
fn match_prints_a_table() {
    let ran = kiebitz("match tictactoe random random --games 3 --seed 1");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[0].starts_with("tictactoe, 2 players, seed 1: 4 games, 0 failed, 2 complete blocks of 2; "),
        "{}",
        lines[0]
    );
    assert!(lines[2].starts_with("player") && lines[2].contains("win share [95 %]"));
    assert!(lines[3].starts_with("A random") && lines[4].starts_with("  seat 0"));
    assert!(lines.iter().any(|l| l.starts_with("A random – B random: +")));
    assert!(lines.iter().any(|l| l.trim_start().starts_with("Elo ")));
    assert!(!ran.stdout.contains("NaN") && !ran.stdout.contains("inf"));
    let chinese = kiebitz("match tictactoe random random --games 2 --lang zh");
    assert!(chinese.stdout.contains("得分率"), "{}", chinese.stdout);
}

#[test]
fn match_refuses_bad_input_with_one_sentence() {
    let games = kiebitz("games --json").stdout;
    let games: Value = serde_json::from_str(&games).expect("JSON");
    let list = |key: &str, name: Option<&str>| {
        let names = games[key].as_array().expect("a list").iter();
        names.map(|v| name.map_or(v, |n| &v[n]).as_str().expect("a name").to_owned()).collect::<Vec<_>>().join(", ")
    };
    let (all_games, all_players) = (list("games", Some("game")), list("players", None));
    refused("match chess random random", &format!("no game is called 'chess'; there are: {all_games}"));
    refused("match tictactoe random foo", &format!("no player is called 'foo'; there are: {all_players}"));
    let rows = [
        ("match tictactoe random", "a match is for 2 to 16 players, not 1"),
        ("match tictactoe random random --players 3", "tictactoe is for 2 players, not for 3"),
        ("match tictactoe random random --games 0", "--games 0: it must be a whole number from 1 to 10000000"),
        ("match tictactoe random random --threads 0", "--threads 0: it must be a whole number from 1 to 256"),
        (
            "match tictactoe random random --visits 0",
            "--visits 0: it must be a whole number from 1 to 18446744073709551615",
        ),
        (
            "match tictactoe random random --time 5x",
            "--time 5x: it must be a duration such as 500ms, 1.5s or 2m, from 1ms to one day",
        ),
        ("match tictactoe random random --max-failures 2", "--max-failures 2: it must be a number from 0 to 1"),
        ("match tictactoe random random --max-failures -1", "--max-failures -1: it must be a number from 0 to 1"),
        ("match tictactoe random random --max-failures 1e308", "--max-failures 1e308: it must be a number from 0 to 1"),
        ("match tictactoe random random --games -1", "--games -1: it must be a whole number from 1 to 10000000"),
        (
            "match tictactoe random random --games 18446744073709551616",
            "--games 18446744073709551616: it must be a whole number from 1 to 10000000",
        ),
        ("match tictactoe random random --threads -1", "--threads -1: it must be a whole number from 1 to 256"),
        (
            "match tictactoe random random --time -1s",
            "--time -1s: it must be a duration such as 500ms, 1.5s or 2m, from 1ms to one day",
        ),
        ("match tictactoe random random --save Cargo.toml", "--save: Cargo.toml is not a directory: name one"),
        ("match tictactoe random random --rules size", "--rules: 'size' is not of the form key=value"),
        (
            "match tictactoe random random:",
            "player 'random:' is not of the form name or name:key=value,key=value: '' has no =",
        ),
        ("match tictactoe random random:level=3", "player 'random' has no setting 'level'; it has: visits, time, seed"),
    ];
    for (line, sentence) in rows {
        refused(line, sentence);
    }
    let unknown_flag = kiebitz("match tictactoe random random --nope");
    assert_eq!((unknown_flag.status, unknown_flag.stdout.as_str()), (2, ""));
}

#[test]
fn match_refuses_a_player_that_cannot_play_the_game() {
    // At once, not by failing in every game.
    refused(
        "match kuhn random uct:visits=5 --games 10000000",
        "player 'uct' cannot play kuhn: it hides information from the players; ismcts and pimc can",
    );
}

/// With more than two players the column is what it says below the table; with two it is the score.
#[test]
fn match_names_the_score_of_several_players() {
    let text = |line: &str| kiebitz(line).stdout;
    let several = text("match kuhn random random random --players 3 --games 6");
    assert!(
        several.contains("  ahead  ") && several.contains("\nahead: the mean share of opponents that fared worse"),
        "{several}"
    );
    assert!(!several.lines().any(|l| l.starts_with("player ") && l.contains("score")), "{several}");
    let two = text("match kuhn random random --games 4");
    assert!(two.contains("  score  ") && !two.contains("ahead"), "{two}");
}

#[test]
fn match_of_searches_is_reproducible() {
    let line = "match go uct:visits=20 random --rules size=5 --games 6 --seed 3 --json";
    let one = report(line);
    assert_eq!(one["match"]["rules"], serde_json::json!({"size": 5}));
    assert_eq!(report(&format!("{line} --threads 2")), one);
    let cards = "match kuhn ismcts:visits=50 random random --players 3 --games 12 --json";
    assert_eq!(report(cards), report(&format!("{cards} --threads 3")));
}

/// Ctrl-C ends the match in order: status 130, the way to go on, and a journal of whole games.
#[cfg(unix)]
#[test]
fn match_interrupted_can_go_on() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let path = directory("match-interrupt").join("my journal.jsonl");
    let journal = path.to_str().expect("a path");
    let mut arguments =
        vec!["match", "tictactoe", "random", "random", "--games", "9000000", "--threads", "2", "--journal"];
    arguments.push(journal);
    let mut child = Command::new(env!("CARGO_BIN_EXE_kiebitz"))
        .args(&arguments)
        .env("LC_ALL", "C")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // Once games are in the journal the match is under way.
    while std::fs::metadata(&path).map_or(0, |m| m.len()) < 20_000 {
        assert!(child.try_wait().expect("a status").is_none(), "the match ended early");
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130));
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        stderr.starts_with("kiebitz: interrupted after ") && stderr.contains(" of 9000000 games; go on with: "),
        "{stderr}"
    );
    assert!(stderr.ends_with(&format!("--threads 2 --journal '{journal}'\n")), "{stderr}");

    // The first games of the journal are those of a match that was not interrupted.
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_kiebitz"));
    let short = ["match", "tictactoe", "random", "random", "--games", "20", "--json"];
    let output = command.args(short).args(["--journal", journal]).output().expect("the program runs");
    let mut resumed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    resumed.as_object_mut().expect("an object").shift_remove("timing");
    assert_eq!(resumed, report(&short.join(" ")));
}
