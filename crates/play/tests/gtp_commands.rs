//! Every command with its replies, as transcripts in `data/gtp`: `NAME.in` is what a controller sends, `NAME.txt` the dialogue.

mod gtp_support;

use gtp_support::{golden, options, script, transcript};
use kiebitz_play::gtp::command_names;

const SUBJECTS: &[&str] = &["core", "setup", "handicap", "time", "rules", "score", "analysis", "gui"];

fn subject(name: &str) {
    let text = transcript(options("uct:visits=40"), &script(&format!("{name}.in")));
    golden(&format!("{name}.txt"), &text);
}

#[test]
fn core() {
    subject("core");
}

#[test]
fn setup() {
    subject("setup");
}

#[test]
fn handicap() {
    subject("handicap");
}

#[test]
fn time() {
    subject("time");
}

#[test]
fn rules() {
    subject("rules");
}

#[test]
fn score() {
    subject("score");
}

#[test]
fn analysis() {
    subject("analysis");
}

#[test]
fn gui() {
    subject("gui");
}

/// Commands that other tests of this directory try out, for their replies differ from run to run or need files.
const ELSEWHERE: &[&str] = &["loadsgf", "cputime", "quit", "list_commands", "kiebitz-ownership", "kiebitz-prior"];

#[test]
fn every_command_is_in_a_transcript() {
    let scripts: String = SUBJECTS.iter().map(|name| script(&format!("{name}.in"))).collect();
    let words: Vec<&str> = scripts.split_whitespace().collect();
    for name in command_names() {
        assert!(words.contains(&name) || ELSEWHERE.contains(&name), "{name} is in no transcript");
    }
}
