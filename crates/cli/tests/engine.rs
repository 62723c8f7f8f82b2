//! `kiebitz engine` as a process: its pipes, its options, and how it ends.

mod run;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use run::refused;
use serde_json::Value;

fn start(words: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_kiebitz"))
        .args(words)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// The status, the lines of output and the errors when `input` is all there is to read.
fn talk(words: &[&str], input: &str) -> (Option<i32>, Vec<Value>, String) {
    let mut child = start(words);
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (output.status.code(), lines, String::from_utf8_lossy(&output.stderr).into_owned())
}

const HUGE: &str = r#"{"id":"huge","rules":"chinese","boardXSize":5,"boardYSize":5,"moves":[],"maxVisits":1000000000000,"reportDuringSearchEvery":0.01}"#;

#[test]
fn queries_of_every_game_are_answered() {
    let input: String = ["go", "tictactoe", "kuhn", "countdown"]
        .iter()
        .map(|game| {
            let actions = if *game == "kuhn" { r#","actions":["deal 1,2"]"# } else { "" };
            format!("{{\"id\":\"{game}\",\"game\":\"{game}\",\"visits\":50{actions}}}\n")
        })
        .collect();
    let (status, lines, errors) = talk(&["engine", "--threads", "2"], &format!("nonsense\n{input}"));
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    assert_eq!(lines.len(), 5);
    assert!(lines[0]["error"].is_string());
    for game in ["go", "tictactoe", "kuhn", "countdown"] {
        assert!(
            lines.iter().any(|l| l["id"] == game && l["analysis"]["candidates"][0]["action"].is_string()),
            "{game}"
        );
    }
}

#[test]
fn it_starts_as_katrain_starts_katago() {
    let words = [
        "analysis",
        "-model",
        "a model.bin.gz",
        "-config",
        "analysis.cfg",
        "-analysis-threads",
        "12",
        "-override-config",
        "homeDataDir=/x,maxVisits=7,reportAnalysisWinratesAs=SIDETOMOVE",
    ];
    let query = r#"{"id":"q","rules":"chinese","komi":0,"boardXSize":3,"boardYSize":3,"moves":[["B","B2"]]}"#;
    let (status, lines, errors) = talk(&words, query);
    assert_eq!((status, errors.as_str(), lines.len()), (Some(0), "", 1));
    assert_eq!(lines[0]["rootInfo"]["visits"], 7);
    // White is lost, and it is White's view.
    assert!(lines[0]["rootInfo"]["scoreLead"].as_f64().is_some_and(|lead| lead < 0.0), "{}", lines[0]);
}

#[test]
fn a_huge_search_that_is_terminated_lets_the_program_end() {
    let mut child = start(&["engine", "--threads", "1"]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || -> Value { serde_json::from_str(&output.next().expect("a line").expect("UTF-8")).expect("JSON") };
    writeln!(input, "{HUGE}").expect("it reads");
    assert_eq!(next()["isDuringSearch"], true);
    writeln!(input, r#"{{"id":"t","action":"terminate","terminateId":"huge"}}"#).expect("it reads");
    drop(input);
    let mut last = next();
    while last["isDuringSearch"] != false {
        last = next();
    }
    assert_eq!(last["id"], "huge");
    assert!(last["rootInfo"]["visits"].as_u64().is_some_and(|n| n > 0));
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_ends_the_program() {
    // With reports, the first of which finds nobody; without any, and without a query there is nothing to write.
    let silent = HUGE.replace(r#","reportDuringSearchEvery":0.01"#, "");
    for query in [HUGE, &silent, ""] {
        let mut child = start(&["engine", "--threads", "1"]);
        let mut input = child.stdin.take().expect("a pipe");
        writeln!(input, "{query}").expect("it reads");
        drop(child.stdout.take());
        // The input stays open.
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{query}");
        drop(input);
    }
}

#[test]
fn the_end_of_the_input_stops_the_search_if_asked() {
    let (status, lines, _) = talk(&["engine", "-quit-without-waiting"], &format!("{HUGE}\n"));
    assert_eq!(status, Some(0));
    assert_eq!(lines.iter().filter(|line| line["isDuringSearch"] == false).count(), 1);
}

#[test]
fn wrong_options_are_refused() {
    refused("engine --threads 0", "--threads 0: it must be a whole number from 1 to 256");
    refused("engine --report-as me", "--report-as me: it must be black, white or sidetomove");
    refused(
        "engine --override-config maxVisits=x",
        "--override-config maxVisits=x: it must be a whole number from 1 to 18446744073709551615",
    );
}
