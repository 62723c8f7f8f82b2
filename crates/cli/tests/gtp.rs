//! `kiebitz gtp` as a process: its flags, its pipe.

mod session;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use session::Place;

#[test]
fn a_game_by_pipe() {
    let place = Place::new("gtp-pipe");
    let input = b"1 name\nboardsize 5\ngenmove b\ngenmove w\nkata-analyze 1\nfinal_score\nnonsense\nquit\nname\n";
    let text = place.run(&["gtp", "--player", "uct:visits=20", "--seed", "3", "--resign", "off"], input).fine();
    let replies: Vec<&str> = text.split("\n\n").filter(|r| !r.is_empty()).collect();
    assert_eq!(replies.len(), 8, "nothing is answered after quit: {text}");
    assert_eq!((replies[0], replies[1], replies[6], replies[7]), ("=1 kiebitz", "=", "? unknown command", "="));
    assert!(replies[2].starts_with("= ") && replies[5].starts_with("= "), "{text}");
    // The same seed, the same moves.
    let again = place.run(&["gtp", "--player", "uct:visits=20", "--seed", "3"], input).fine();
    assert_eq!(again.split("\n\n").nth(2), Some(replies[2]));
}

#[test]
fn bad_flags_are_refused_in_one_sentence() {
    let place = Place::new("gtp-flags");
    for (line, word) in [
        ("gtp --player nonsense", "nonsense"),
        ("gtp --player uct:nonsense=1", "nonsense"),
        ("gtp --resign maybe", "maybe"),
        ("gtp --time never", "never"),
        ("gtp --seed x", "x"),
        ("gtp go", "go"),
    ] {
        let ran = place.say(line);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        assert!(ran.stderr.contains(word) && ran.stderr.lines().count() == 1, "{line}: {}", ran.stderr);
    }
}

/// A controller that goes away ends the program, whatever it is doing, as any command whose reader went away.
#[test]
fn a_reader_that_goes_away_ends_the_program() {
    for command in ["", "genmove b", "kata-analyze b 100000", "kata-analyze b 1"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kiebitz"))
            .args(["gtp", "--time", "1h"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut input = child.stdin.take().expect("its input");
        writeln!(input, "{command}").expect("somebody reads");
        drop(child.stdout.take());
        // The input stays open.
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{command}");
        drop(input);
    }
}

/// What has no place in a reply is said on standard error.
#[test]
fn rules_that_are_not_known_are_told_on_standard_error() {
    let place = Place::new("gtp-notes");
    place.write("a.sgf", "(;GM[1]FF[4]SZ[5]RU[Calvin\u{202e}ball];B[cc])");
    let ran = place.run(&["gtp"], b"kata-set-rules aga\nloadsgf a.sgf\nquit\n");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "=\n\n=\n\n=\n\n"));
    assert!(
        ran.stderr.ends_with("kiebitz gtp: a.sgf: the rules it names are not known; the rules stay aga\n"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains('\u{202e}'), "{}", ran.stderr);
}

/// Analysis streams at once through the real pipe and ends with the next line.
#[test]
fn analysis_streams_and_stops() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kiebitz"))
        .args(["gtp", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("its input");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines().map(|l| l.expect("a line"));
    let mut next = || lines.next().expect("a line");
    for i in 0..50 {
        writeln!(input, "{i} kata-analyze b 1 maxmoves 2").expect("somebody reads");
        assert_eq!(next(), format!("={i}"));
        assert!(next().starts_with("info move "));
        writeln!(input, "name").expect("somebody reads");
        while next().starts_with("info ") {}
        assert_eq!(next(), "= kiebitz");
        assert_eq!(next(), "");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}
