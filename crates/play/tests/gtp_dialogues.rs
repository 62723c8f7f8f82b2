//! Dialogues as front ends and servers have them, to the end: `data/gtp/NAME.in` is what each of them sends.

mod gtp_support;

use gtp_support::{golden, options, script, transcript};
use kiebitz_play::gtp::command_names;

fn dialogue(name: &str) {
    let text = transcript(options("uct:visits=200"), &script(&format!("{name}.in")));
    // A new command does not change what the others do.
    let all = command_names().join("\n");
    assert!(name == "lizzie" || text.contains(&all), "{name} lists the commands");
    golden(&format!("{name}.txt"), &text.replace(&all, "(all commands)"));
}

#[test]
fn sabaki() {
    dialogue("sabaki");
}

#[test]
fn gogui() {
    dialogue("gogui");
}

#[test]
fn lizzie() {
    dialogue("lizzie");
}

#[test]
fn cgos() {
    dialogue("cgos");
}

#[test]
fn gtp2ogs() {
    dialogue("gtp2ogs");
}
