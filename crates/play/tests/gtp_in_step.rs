//! The program stays in step whatever comes when: analysis that is cut off at any moment, commands in bursts, interrupts.

mod gtp_support;

use std::io::{self, ErrorKind};
use std::sync::mpsc::channel;
use std::time::Duration;

use gtp_support::{PATIENCE, Pipe, Talk, answers, options};
use kiebitz_core::Rng;
use kiebitz_play::gtp::{GtpError, GtpOptions, run_until};

const ANALYSES: &[&str] = &[
    "lz-analyze 1",
    "kata-analyze 1 rootInfo true",
    "kata-analyze 2 ownership true maxmoves 3",
    "kata-analyze 1 movesOwnership true maxmoves 2 pvVisits true",
    "analyze 1",
    "lz-analyze 100",
    "kata-analyze 1 minmoves 20",
    "kata-analyze b 1 avoid b E5,pass 3",
    "kata-analyze w 1 allow w E5,D4,pass 2",
    "kata-search_analyze_cancellable 1",
    "kata-search_cancellable",
];

/// The head of a reply with this number.
fn is_head(line: &str, id: usize) -> bool {
    line.strip_prefix(['=', '?'])
        .and_then(|l| l.strip_prefix(&id.to_string()))
        .is_some_and(|l| l.is_empty() || l.starts_with(' '))
}

/// One thousand positions, each analysed and cut off after up to 3 ms, by a command, an empty line or a comment; then everything
/// is answered, in order, and the game is where it should be.
#[test]
fn analysis_is_cut_off_at_any_moment() {
    let talk = Talk::new(options("uct:threads=2"));
    let mut rng = Rng::new(5);
    let mut id = 0;
    let mut next = || {
        id += 1;
        id
    };
    talk.ask("boardsize 9");
    let mut played = 0;
    let mut infos = 0;
    for position in 0..1000 {
        // Another position: a move for either colour, or one less.
        let (mut ids, mut text) = (Vec::new(), String::new());
        let mut add = |text: &mut String, command: &str| {
            let id = next();
            ids.push(id);
            *text += &format!("{id} {command}\n");
        };
        if played > 40 {
            add(&mut text, "clear_board");
            played = 0;
        } else if played > 0 && rng.below(5) == 0 {
            add(&mut text, "undo");
            played -= 1;
        } else {
            let color = ["b", "w"][rng.below(2)];
            let (column, row) = (b"ABCDEFGHJ"[rng.below(9)] as char, 1 + rng.below(9));
            add(&mut text, &format!("is_legal {color} {column}{row}"));
            add(&mut text, "komi 7");
        }
        add(&mut text, ANALYSES[rng.below(ANALYSES.len())]);
        talk.send(&text);
        // Now and then long enough for a line of analysis.
        let long = if position % 20 == 0 { 20_000 } else { 0 };
        std::thread::sleep(Duration::from_micros(long + rng.below(3000) as u64));
        let mut after = String::new();
        match rng.below(4) {
            0 => after.push('\n'),
            1 => after.push_str("# nothing\n"),
            _ => {}
        }
        if rng.below(2) == 0 {
            add(&mut after, "stop");
        }
        let color = ["b", "w"][position % 2];
        add(&mut after, &format!("all_legal {color}"));
        talk.send(&after);
        let mut legal = String::new();
        for (i, &id) in ids.iter().enumerate() {
            let reply = talk.reply();
            assert!(is_head(&reply[0], id), "position {position}: reply {id} is {reply:?} to\n{text}{after}");
            assert!(!reply[0].starts_with('?'), "position {position}: {reply:?} to\n{text}{after}");
            infos += reply.iter().filter(|l| l.starts_with("info ")).count();
            for line in &reply[1..] {
                let fine = line.starts_with("info ") || line.starts_with("play ") || line == "cancelled";
                assert!(fine, "position {position}: {line}");
            }
            if i + 1 == ids.len() {
                legal.clone_from(&reply[0]);
            }
        }
        // Now a move, so that positions differ.
        let moves: Vec<&str> = legal.split(' ').skip(1).collect();
        if let Some(mv) = moves.get(rng.below(moves.len().max(1)))
            && !mv.is_empty()
        {
            let reply = talk.ask(&format!("play {color} {mv}"));
            assert_eq!(reply, "=", "play {color} {mv} after {legal}");
            played += 1;
        }
    }
    assert!(infos > 0, "no analysis lived long enough to say something");
    assert_eq!(talk.ask("99999 name"), "=99999 kiebitz");
    assert_eq!(talk.end(), Vec::<String>::new());
}

#[test]
fn bursts_are_answered_in_order() {
    let mut input = String::from("boardsize 9\n");
    let mut expected = vec!["=".to_owned()];
    for id in 0..300 {
        match id % 6 {
            0 => input += &format!("{id} lz-analyze 1\n"),
            1 => input += &format!("{id} play {} pass\n", ["b", "w"][id / 6 % 2]),
            2 => input += &format!("{id} reg_genmove b\n"),
            3 => input += &format!("{id} nonsense\n"),
            4 => input += &format!("\n# comment\n{id} kata-analyze 1 ownership true\n"),
            _ => input += &format!("{id} kata-genmove_analyze w 1\n"),
        }
        expected.push(format!("{}{id}", if id % 6 == 3 { '?' } else { '=' }));
    }
    let text = answers(options("uct:visits=3"), input.as_bytes());
    let heads: Vec<String> = text
        .split("\n\n")
        .filter(|r| !r.is_empty())
        .map(|r| r.split([' ', '\n']).next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(heads, expected);
}

/// All that is asked before the input ends is answered, the last line without its end too; an analysis ends with the input.
#[test]
fn the_end_of_the_input_ends_nothing_early() {
    let text = answers(options("uct:visits=50"), b"boardsize 5\n1 genmove b\n2 genmove w\n3 lz-analyze 1\n4 name");
    let heads: Vec<&str> = text.split("\n\n").filter(|r| !r.is_empty()).collect();
    assert_eq!(heads.len(), 5, "{text}");
    assert!(heads[1].starts_with("=1 ") && heads[2].starts_with("=2 "), "{text}");
    assert_eq!((heads[3], heads[4]), ("=3", "=4 kiebitz"));
    let text = answers(options("uct:visits=50"), b"kata-analyze 1");
    assert!(text.starts_with("=\n") && text.ends_with("\n\n"), "{text}");
}

/// GoGui's comment cuts a search for a move short: the best so far is played.
#[test]
fn an_interrupt_plays_the_best_so_far() {
    let mut slow = options("uct");
    slow.time = Duration::from_secs(3600);
    let talk = Talk::new(slow);
    talk.ask("boardsize 9");
    talk.send("genmove b\n");
    std::thread::sleep(Duration::from_millis(5));
    talk.send("# interrupt\n");
    let reply = talk.reply().join("\n");
    assert!(reply.starts_with("= ") && reply.len() > 2, "{reply}");
    // Without a search it is a comment.
    talk.send("# interrupt\n");
    assert_eq!(talk.ask("name"), "= kiebitz");
    // Other lines wait for the move; they are lost no more than it.
    talk.send("genmove w\nname\n2 list_stones b\n");
    std::thread::sleep(Duration::from_millis(5));
    talk.send(" #  interrupt \n");
    assert!(talk.reply()[0].starts_with("= "));
    assert_eq!(talk.reply(), ["= kiebitz"]);
    assert!(talk.reply()[0].starts_with("=2 "));
    assert_eq!(talk.end(), Vec::<String>::new());
}

/// An hour for each move.
fn slow() -> GtpOptions {
    GtpOptions { time: Duration::from_secs(3600), ..options("uct") }
}

/// `quit` during a search ends it: the best so far is the answer, what was asked in between is answered, then the program ends.
#[test]
fn quit_cuts_a_search_short() {
    for command in
        ["genmove b", "reg_genmove b", "kata-genmove_analyze b 1", "kata-search_analyze b 1", "kata-search b"]
    {
        let talk = Talk::new(slow());
        talk.ask("boardsize 9");
        talk.send(&format!("1 {command}\n2 genmove w\n"));
        // A quit that comes together with the command is a script's and waits; this one comes later.
        std::thread::sleep(Duration::from_millis(500));
        talk.send("3 list_stones w\n4 quit # enough\n5 name\n");
        let first = talk.reply();
        let mv = if command.contains("analyze") {
            assert_eq!(first[0], "=1", "{command}");
            first.last().and_then(|line| line.strip_prefix("play ")).map(str::to_owned)
        } else {
            first[0].strip_prefix("=1 ").map(str::to_owned)
        };
        assert!(mv.is_some_and(|mv| mv.len() >= 2), "{command}: {first:?}");
        assert!(talk.reply()[0].starts_with("=2 "), "{command}");
        assert!(talk.reply()[0].starts_with("=3 "), "{command}");
        assert_eq!(talk.reply(), ["=4"], "{command}");
        assert_eq!(talk.end(), Vec::<String>::new(), "{command}: nothing is answered after quit");
    }
}

/// A script that ends with `quit` wants the answers it asked for, all of the search; and so does one that just ends.
#[test]
fn a_script_gets_whole_searches() {
    for end in ["quit\n", "2 showboard\n quit\nname\n", ""] {
        let input = format!("boardsize 5\nkata-genmove_analyze b 100000 rootInfo true maxmoves 1\n{end}");
        let text = answers(options("uct:visits=3000,early=off"), input.as_bytes());
        assert!(text.contains(" rootInfo visits 3000 "), "{end:?}: {text}");
    }
}

/// When nobody reads the replies the program ends, whatever it is doing, though it has nothing to write that would fail.
#[test]
fn a_reader_that_went_away_ends_the_program() {
    for command in ["", "genmove b\n", "kata-analyze b 100000\nkata-analyze b 100000\n", "kata-search_cancellable b\n"]
    {
        let (input, pipe) = Pipe::new();
        let (close, closed) = channel::<()>();
        let (done, ended) = channel();
        std::thread::spawn(move || {
            let _ = done.send(run_until(slow(), pipe, io::sink(), move || {
                let _ = closed.recv();
            }));
        });
        input.send(format!("boardsize 9\n{command}").into_bytes()).expect("somebody reads");
        std::thread::sleep(Duration::from_millis(20));
        drop(close);
        let end = ended.recv_timeout(PATIENCE).expect("it ends");
        assert!(matches!(&end, Err(GtpError::Output(e)) if e.kind() == ErrorKind::BrokenPipe), "{command:?}: {end:?}");
    }
}

#[test]
fn a_search_that_may_be_cancelled_is_cancelled_by_any_line() {
    let mut slow = options("uct");
    slow.time = Duration::from_secs(3600);
    let talk = Talk::new(slow);
    talk.ask("boardsize 9");
    for (command, expected) in
        [("kata-search_cancellable b", "= cancelled"), ("kata-search_analyze_cancellable w 1", "=")]
    {
        talk.send(&format!("{command}\n"));
        std::thread::sleep(Duration::from_millis(25));
        talk.send("3 list_stones b\n");
        let reply = talk.reply();
        assert_eq!(reply[0], expected);
        if expected == "=" {
            assert_eq!(reply.last().map(String::as_str), Some("play cancelled"));
        }
        assert_eq!(talk.reply(), ["=3"]);
    }
}

/// Thinking on the opponent's time is in nobody's way.
#[test]
fn pondering_keeps_in_step() {
    let mut pondering = options("uct:threads=2");
    pondering.time = Duration::from_millis(3);
    pondering.ponder = true;
    let talk = Talk::new(pondering);
    talk.ask("boardsize 9");
    for round in 0..20 {
        assert!(talk.ask("genmove b").starts_with("= "));
        std::thread::sleep(Duration::from_millis(round % 3));
        match round % 5 {
            0 => assert_eq!(talk.ask("undo"), "="),
            1 => assert_eq!(talk.ask("stop"), "="),
            2 => assert_eq!(talk.ask("komi 6.5"), "="),
            3 => assert!(talk.ask("1 kata-analyze w 1\n2 name").starts_with("=1")),
            _ => {}
        }
        if round % 5 == 3 {
            assert_eq!(talk.reply(), ["=2 kiebitz"]);
        }
        assert!(talk.ask("genmove w").starts_with("= "));
    }
    assert_eq!(talk.ask("clear_board"), "=");
    assert_eq!(talk.end(), Vec::<String>::new());
}
