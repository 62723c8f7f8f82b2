//! What replies alone do not show: restrictions, files, rules changed in mid-game, play after the end, odd input.

mod gtp_support;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use gtp_support::{Talk, answers, expect, options, replies};

/// The values of one analysis line: for each candidate its keys with the words after them.
fn candidates(line: &str) -> Vec<Vec<(String, Vec<String>)>> {
    const KEYS: &[&str] = &[
        "move",
        "visits",
        "utility",
        "winrate",
        "scoreMean",
        "scoreStdev",
        "scoreLead",
        "scoreSelfplay",
        "prior",
        "lcb",
        "utilityLcb",
        "order",
        "pv",
        "pvVisits",
        "movesOwnership",
        "rootInfo",
        "ownership",
        "ownershipStdev",
    ];
    let blocks = line.split("info ").map(str::trim).filter(|b| !b.is_empty());
    blocks
        .map(|block| {
            let mut keys: Vec<(String, Vec<String>)> = Vec::new();
            for word in block.split_whitespace() {
                if KEYS.contains(&word) {
                    keys.push((word.to_owned(), Vec::new()));
                } else if let Some((_, words)) = keys.last_mut() {
                    words.push(word.to_owned());
                }
            }
            keys
        })
        .collect()
}

fn words<'a>(candidate: &'a [(String, Vec<String>)], key: &str) -> &'a [String] {
    candidate.iter().find(|(k, _)| k == key).map(|(_, w)| w.as_slice()).unwrap_or_default()
}

fn number(candidate: &[(String, Vec<String>)], key: &str) -> f64 {
    words(candidate, key)[0].parse().expect("a number")
}

/// The n-th line of an analysis, which is then ended.
fn analysis(talk: &Talk, command: &str, lines: usize) -> Vec<Vec<(String, Vec<String>)>> {
    talk.send(&format!("{command}\n"));
    assert_eq!(talk.line(), "=", "{command}");
    let mut line = String::new();
    for _ in 0..lines {
        line = talk.line();
    }
    talk.send("\n");
    talk.reply();
    candidates(&line)
}

fn moves(analysis: &[Vec<(String, Vec<String>)>]) -> BTreeSet<String> {
    analysis.iter().map(|c| words(c, "move")[0].clone()).collect()
}

#[test]
fn allow_and_avoid_follow_the_given_colour_even_out_of_turn() {
    let talk = Talk::new(options("uct"));
    talk.ask("boardsize 7");
    talk.ask("play b D4");
    let set = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<String>>();
    // White's turn.
    assert_eq!(moves(&analysis(&talk, "kata-analyze 2 allow w C3,E5 1", 2)), set(&["C3", "E5"]));
    // Black, out of turn: what holds for White does not hold for Black's first move.
    let black = moves(&analysis(&talk, "kata-analyze b 2 allow w C3,E5 1", 3));
    assert!(black.len() > 2, "{black:?}");
    let passing = moves(&analysis(&talk, "kata-analyze b 2 allow b C3,pass 1", 2));
    assert!(!passing.is_empty() && passing.is_subset(&set(&["C3", "pass"])), "{passing:?}");
    let avoided = analysis(&talk, "kata-analyze b 2 avoid b C3,C5,E3,E5 1 avoid w A1 1", 3);
    assert!(!avoided.is_empty() && moves(&avoided).is_disjoint(&set(&["C3", "C5", "E3", "E5"])), "{avoided:?}");
    // Two plies deep: White's answers to Black's first moves.
    let deep = analysis(&talk, "kata-analyze b 2 allow b C3,E5 1 allow w C4,E4 2", 3);
    assert_eq!(moves(&deep), set(&["C3", "E5"]));
    let answers: BTreeSet<&str> = deep.iter().filter_map(|c| words(c, "pv").get(1)).map(String::as_str).collect();
    assert!(!answers.is_empty() && answers.is_subset(&BTreeSet::from(["C4", "E4"])), "{deep:?}");
    // What was grown under restrictions is not used without them, and it is still White's turn.
    assert!(moves(&analysis(&talk, "kata-analyze 2", 3)).len() > 4);
    assert_eq!(talk.ask("gogui-rules_side_to_move"), "= white");
}

#[test]
fn genmove_keeps_to_restrictions() {
    let talk = Talk::new(options("uct:visits=60"));
    talk.ask("boardsize 7");
    for mv in ["A1", "G7", "A7"] {
        let reply = talk.ask(&format!("kata-genmove_analyze b 100 allow b {mv} 1"));
        assert!(reply.ends_with(&format!("\nplay {mv}")), "{reply}");
    }
    assert_eq!(talk.ask("list_stones b"), "= A1 A7 G7");
}

#[test]
fn numbers_of_an_analysis_agree_with_each_other() {
    let talk = Talk::new(options("uct:threads=1"));
    talk.ask("boardsize 5");
    talk.ask("komi 0.5");
    let found = analysis(&talk, "kata-analyze b 3 pvVisits true rootInfo true ownership true", 3);
    let mut last = f64::INFINITY;
    for (order, candidate) in found.iter().enumerate() {
        assert_eq!(number(candidate, "order"), order as f64);
        let (visits, winrate) = (number(candidate, "visits"), number(candidate, "winrate"));
        assert!(visits <= last && visits >= 1.0, "most visited first");
        last = visits;
        assert!((0.0..=1.0).contains(&winrate) && number(candidate, "lcb") <= winrate);
        assert!((number(candidate, "utility") - (2.0 * winrate - 1.0)).abs() < 1e-5);
        assert!((0.0..=1.0).contains(&number(candidate, "prior")));
        assert!((-26.0..=26.0).contains(&number(candidate, "scoreLead")));
        assert!(number(candidate, "scoreStdev") >= 0.0);
        assert_eq!(number(candidate, "scoreMean"), number(candidate, "scoreLead"));
        let (pv, pv_visits) = (words(candidate, "pv"), words(candidate, "pvVisits"));
        assert_eq!(pv[0], words(candidate, "move")[0]);
        assert_eq!(pv.len(), pv_visits.len());
        let visits: Vec<u64> = pv_visits.iter().map(|v| v.parse().expect("a number")).collect();
        assert!(visits.is_sorted_by(|a, b| a >= b), "visits along a line fall: {visits:?}");
    }
    let ownership = words(found.last().expect("a candidate"), "ownership");
    assert_eq!(ownership.len(), 25);
    assert_eq!(moves(&found).len(), found.len(), "each candidate once");
}

#[test]
fn ownership_is_that_of_the_side_to_move() {
    let talk = Talk::new(options("uct"));
    talk.ask("boardsize 5 3");
    // Black has the left, White the right, both alive; the neutral column is between them.
    talk.ask("set_position b B1 b B2 b B3 w D1 w D2 w D3 b A2 w E2");
    for (color, sign) in [("b", 1.0), ("w", -1.0)] {
        for key in ["ownership", "movesOwnership"] {
            let found = analysis(&talk, &format!("kata-analyze {color} 2 {key} true"), 2);
            let map = found.iter().map(|c| words(c, key)).find(|w| !w.is_empty()).expect("a map");
            let at = |i: usize| sign * map[i].parse::<f64>().expect("a number");
            assert_eq!(map.len(), 15);
            // Row by row from the top left: A3 to E3, A2 to E2, A1 to E1.
            assert!(at(1) > 0.6 && at(5) > 0.6 && at(3) < -0.6 && at(9) < -0.6, "{color} {key} {map:?}");
        }
    }
}

#[test]
fn minmoves_and_maxmoves_bound_the_candidates() {
    let talk = Talk::new(options("uct"));
    talk.ask("boardsize 9");
    assert_eq!(analysis(&talk, "kata-analyze b 1 maxmoves 3", 1).len(), 3);
    let all = analysis(&talk, "kata-analyze b 1 minmoves 82", 1);
    assert_eq!(moves(&all).len(), 82, "81 points and the pass");
    assert_eq!(analysis(&talk, "lz-analyze b 1 minmoves 82 maxmoves 50", 1).len(), 50);
    // None at all is no empty line, which would end the reply.
    talk.send("kata-analyze b 1 maxmoves 0\n");
    assert_eq!(talk.line(), "=");
    std::thread::sleep(std::time::Duration::from_millis(50));
    talk.send("name\n");
    assert_eq!((talk.line(), talk.ask("")), (String::new(), "= kiebitz".to_owned()));
    talk.send("kata-analyze b 1 maxmoves 0 rootInfo true\n");
    assert_eq!(talk.line(), "=");
    assert!(talk.line().starts_with("rootInfo visits "));
    talk.send("\n");
    talk.reply();
    // More than there are.
    assert_eq!(analysis(&talk, "kata-analyze b 1 minmoves 1000", 1).len(), 82);
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn files_are_loaded_up_to_the_position_before_a_move() {
    let path = file("gtp load 12.sgf");
    std::fs::write(&path, "(;GM[1]FF[4]SZ[7]KM[3.5]AB[aa];B[dd];W[cc];B[ee];W[];B[]C[end])").expect("a file");
    let name = path.to_str().expect("a name");
    expect(&[
        ("kata-set-rules aga", "="),
        (&format!("loadsgf {name}"), "="),
        ("gogui-rules_board_size", "= 7"),
        ("get_komi", "= 3.5"),
        // The file names no rules: those set before stay.
        (
            "kata-get-rules",
            r#"= {"friendlyPassOk":true,"hasButton":false,"ko":"SITUATIONAL","scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"N-1"}"#,
        ),
        ("list_stones b", "= E3 D4 A7"),
        ("list_stones w", "= C5"),
        ("gogui-rules_side_to_move", "= white"),
        ("gg-undo 5", "="),
        ("undo", "? cannot undo"),
        (&format!("loadsgf {name} 3"), "="),
        ("list_stones b", "= D4 A7"),
        ("gogui-rules_side_to_move", "= black"),
        (&format!("loadsgf {name} 1"), "="),
        ("list_stones b", "= A7"),
        (&format!("loadsgf {name} 99"), "="),
        ("list_stones w", "= C5"),
        ("loadsgf", "? syntax error"),
        ("loadsgf no_such_file.sgf", "? cannot load file"),
        ("loadsgf /dev/zero", "? cannot load file"),
        (&format!("loadsgf {name}x 3"), "? cannot load file"),
        ("list_stones w", "= C5"),
    ]);
    let rules = file("gtp rules.sgf");
    std::fs::write(&rules, "(;GM[1]FF[4]SZ[5]RU[Japanese];B[cc])").expect("a file");
    let rubbish = file("gtp rubbish.sgf");
    std::fs::write(&rubbish, b"\xff\x00 no game").expect("a file");
    expect(&[
        (&format!("loadsgf {}", rules.display()), "="),
        (
            "kata-get-rules",
            r#"= {"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}"#,
        ),
        (
            &format!("loadsgf {}", rubbish.display()),
            "? cannot load file: this is neither a record (JSON Lines whose first line begins with {\"kiebitz\":1) nor SGF (which \
             begins with \"(;\")",
        ),
        (&format!("loadsgf {}", env!("CARGO_TARGET_TMPDIR")), "? cannot load file"),
    ]);
}

const CHINESE: &str = r#"= {"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE","scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"N"}"#;
const JAPANESE: &str = r#"= {"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}"#;

/// GTP draft 2: `loadsgf` sets board and komi to the values given in the file. What the file does not give, or nobody
/// understands (a komi beyond all bounds too), stays as the controller set it, and standard error tells.
#[test]
fn komi_and_rules_come_from_a_file_only_where_it_has_them() {
    static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let load = |name: &str, bytes: &[u8]| -> (String, String, String, Vec<String>) {
        let path = file(name);
        std::fs::write(&path, bytes).expect("a file");
        let mut noting = options("random");
        noting.note = |text| NOTES.lock().expect("no panic").push(text.to_owned());
        NOTES.lock().expect("no panic").clear();
        let input =
            format!("kata-set-rules japanese\nkomi 3.5\nloadsgf {}\nget_komi\nkata-get-rules\n", path.display());
        let text = answers(noting, input.as_bytes());
        let found: Vec<String> = text.split("\n\n").skip(2).map(str::to_owned).collect();
        let notes =
            NOTES.lock().expect("no panic").iter().map(|n| n.replace(&*path.display().to_string(), "F")).collect();
        (found[0].clone(), found[1].clone(), found[2].clone(), notes)
    };
    let sgf = |root: &str| format!("(;GM[1]FF[4]SZ[9]{root};B[ee])").into_bytes();
    for (root, komi, rules) in [
        ("", "= 3.5", JAPANESE),
        ("KM[0]", "= 0", JAPANESE),
        ("KM[7.5]RU[Chinese]", "= 7.5", CHINESE),
        ("RU[Chinese]", "= 3.5", CHINESE),
        ("KM[10000]", "= 10000", JAPANESE),
    ] {
        let found = load("gtp komi.sgf", &sgf(root));
        assert_eq!(found, ("=".to_owned(), komi.to_owned(), rules.to_owned(), Vec::new()), "{root}");
    }
    // Told on standard error.
    for (root, komi, note) in [
        ("KM[5.5]RU[Calvinball]", "= 5.5", "F: the rules it names are not known; the rules stay japanese"),
        ("RU[Calvinball]", "= 3.5", "F: the rules it names are not known; the rules stay japanese"),
        (
            "KM[]",
            "= 3.5",
            "F: line 1, column 18 (byte 17), property KM: `` is no number and was ignored: expected a number of points such as 6.5",
        ),
        ("KM[six]", "= 3.5", "F: its komi cannot be read; the komi stays 3.5"),
        ("KM[6.3]", "= 6.25", "F: a komi of 6.3 counts as 6.25 points, which decides every game alike"),
    ] {
        let (reply, found, rules, notes) = load("gtp komi.sgf", &sgf(root));
        assert_eq!((reply.as_str(), found.as_str(), rules.as_str()), ("=", komi, JAPANESE), "{root}");
        assert_eq!(notes.last().map(String::as_str), Some(note), "{root}: {notes:?}");
    }
    for root in ["KM[20000]", "KM[-10000.5]", "KM[1e308]", "KM[nan]", "KM[-inf]"] {
        let (reply, komi, rules, notes) = load("gtp komi.sgf", &sgf(root));
        assert_eq!((reply.as_str(), komi.as_str(), rules.as_str()), ("=", "= 3.5", JAPANESE), "{root}");
        let note = "F: its komi cannot be read; the komi stays 3.5";
        assert_eq!(notes.last().map(String::as_str), Some(note), "{root}: {notes:?}");
    }
    // A record says all that differs from the usual.
    let record = b"{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":5},\"comment\":\"(;KM[1])\"}\n";
    let (reply, komi, rules, _) = load("gtp komi.jsonl", record);
    assert_eq!((reply.as_str(), komi.as_str(), rules.as_str()), ("=", "= 7", CHINESE));
}

/// A komi between two half points counts as the quarter between them: the reply stays empty, standard error tells.
#[test]
fn a_komi_that_counts_as_another_is_told() {
    static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut noting = options("random");
    noting.note = |text| NOTES.lock().expect("no panic").push(text.to_owned());
    let input = "komi 6.3\nget_komi\nkomi 6.5\nkomi 1e308\nkata-set-rule komi -0.1\nkata-set-rules {\"komi\":7.1}\n";
    let text = answers(noting, input.as_bytes());
    let replies: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(replies[..3], ["=", "= 6.25", "="]);
    assert_eq!(replies[4..], ["=", "="]);
    let note = |from: &str, to: &str| format!("a komi of {from} counts as {to} points, which decides every game alike");
    assert_eq!(*NOTES.lock().expect("no panic"), [note("6.3", "6.25"), note("-0.1", "-0.25"), note("7.1", "7.25")]);
}

#[test]
fn games_are_written_and_loaded_again() {
    let path = file("gtp written.sgf");
    let name = path.to_str().expect("a name");
    expect(&[
        ("boardsize 9 7", "="),
        ("fixed_handicap 3", "= C3 G5 C5"),
        ("komi 0.5", "="),
        ("gogui-play_sequence w E4 b B2 b D2 w pass", "="),
        (&format!("printsgf {name}"), "="),
        ("boardsize 19", "="),
        (&format!("loadsgf {name}"), "="),
        ("gogui-rules_board_size", "= 9 7"),
        ("get_komi", "= 0.5"),
        ("list_stones b", "= B2 D2 C3 C5 G5"),
        ("list_stones w", "= E4"),
        ("gg-undo 4", "="),
        ("list_stones b", "= C3 C5 G5"),
        ("gogui-rules_side_to_move", "= white"),
        (
            "printsgf no_such_directory/x.sgf",
            "? cannot write file: there is no directory no_such_directory; make it first or choose another name",
        ),
    ]);
}

/// Controllers expect `printsgf` to write, so a game is replaced without a question; anything else is not.
#[test]
fn printsgf_replaces_nothing_but_sgf() {
    let print = |name: &str, before: &[u8]| {
        let path = file(name);
        std::fs::write(&path, before).expect("a file");
        let text = answers(options("random"), format!("boardsize 5\nprintsgf {}\n", path.display()).as_bytes());
        let reply = text.split("\n\n").nth(1).expect("an answer").replace(&*path.display().to_string(), "F");
        (reply, std::fs::read(&path).expect("a file"))
    };
    for (name, before) in [("gtp old.sgf", &b"(;GM[1]FF[4]SZ[9];B[ee])"[..]), ("gtp fresh.sgf", b"")] {
        let (reply, after) = print(name, before);
        assert_eq!(reply, "=");
        assert!(after.starts_with(b"(;") && after != before, "{name}");
    }
    for before in
        [&b"a letter\n"[..], b"{\"kiebitz\":1,\"game\":\"go\",\"players\":2}\n", b"\x7fELF\0\0", b"\x1f\x8b\x08"]
    {
        let (reply, after) = print("gtp letter.sgf", before);
        assert_eq!(reply, "? cannot write file: F exists and is not an SGF file; choose another name");
        assert_eq!(after, before, "it is as it was");
    }
}

#[test]
fn play_goes_on_after_the_end() {
    expect(&[
        ("boardsize 5", "="),
        ("gogui-play_sequence b C3 w C2 b pass w pass", "="),
        ("gogui-rules_legal_moves", "="),
        ("is_legal b D4", "= 1"),
        ("play b C3", "? illegal move"),
        // Refused moves change nothing: the game is still over.
        ("gogui-rules_final_result", "= White wins: W+7.5"),
        ("play w D4", "="),
        ("play b pass", "="),
        ("play w pass", "="),
        ("play b B2", "="),
        ("undo", "="),
        ("gogui-rules_final_result", "= White wins: W+8.5"),
        ("gg-undo 3", "="),
        ("gogui-rules_final_result", "= White wins: W+7.5"),
        ("undo", "="),
        ("gogui-rules_final_result", "="),
        ("list_stones w", "= C2"),
    ]);
    let text = answers(options("uct:visits=30"), b"boardsize 5\nplay b pass\nplay w pass\ngenmove b\nlist_stones b\n");
    assert!(!text.contains('?'), "a move after two passes: {text}");
}

/// What only the old rules allowed stands, and play goes on under the new ones.
#[test]
fn rules_changed_in_mid_game_move_no_stones() {
    expect(&[
        ("boardsize 3", "="),
        ("set_position w A2 w B2 w C1 b A1", "="),
        // A suicide of two stones.
        ("gogui-play_sequence b B1 w C3 b B3", "="),
        ("kata-set-rules chinese", "="),
        ("list_stones b", "= B3"),
        ("list_stones w", "= C1 A2 B2 C3"),
        ("gogui-rules_side_to_move", "= white"),
        ("undo", "="),
        ("undo", "="),
        ("undo", "? cannot undo"),
        ("list_stones w", "= C1 A2 B2"),
        ("play b A1", "="),
        ("play b B1", "? illegal move"),
    ]);
    // Komi alone leaves everything as it is.
    expect(&[
        ("boardsize 5", "="),
        ("gogui-play_sequence b B1 w C1 b A2 w D2 b B3 w C3 b C2 w B2", "="),
        ("komi 2", "="),
        ("captures w", "= 1"),
        ("play b C2", "? illegal move"),
        ("gg-undo 8", "="),
        ("undo", "? cannot undo"),
    ]);
}

/// Superko looks at the whole history whoever played, set-ups begin it anew.
#[test]
fn repetition_survives_moves_out_of_turn() {
    let ko = "gogui-play_sequence b B1 w C1 b A2 w D2 b B3 w C3 b C2 w B2";
    expect(&[
        ("boardsize 5", "="),
        (ko, "="),
        // White plays twice elsewhere: the position has changed.
        ("play w E5", "="),
        ("is_legal b C2", "= 1"),
        ("undo", "="),
        ("is_legal b C2", "= 0"),
        // A pass changes no position.
        ("play b pass", "="),
        ("play w pass", "="),
        ("is_legal b C2", "= 0"),
        ("kata-set-rule ko SIMPLE", "="),
        ("is_legal b C2", "= 1"),
        ("kata-set-rule ko POSITIONAL", "="),
        ("gogui-setup_player b", "="),
        ("is_legal b C2", "= 1"),
    ]);
}

#[test]
fn odd_input_is_answered() {
    let mut input = b"\xef\xbb\xbf  7   name \r\n\xff\xfe name\nna\0me\n\x0c\necho \xc3\xa9\n".to_vec();
    input.extend(std::iter::repeat_n(b'x', (1 << 20) + 100));
    input.extend(b"\nname\n# ");
    // A comment has no answer, and a command in front of one is a whole line.
    input.extend(std::iter::repeat_n(b'x', 1 << 20));
    input.extend(b"\n8 name # ");
    input.extend(std::iter::repeat_n(b'x', 3 << 20));
    input.extend(b"\necho ");
    input.extend(std::iter::repeat_n(b'y', 100_000));
    input.extend(b"\nquit\nname\n");
    let text = answers(options("random"), &input);
    let found: Vec<String> =
        text.split("\n\n").filter(|r| !r.is_empty()).map(|r| r.chars().take(40).collect()).collect();
    let long = format!("= {}", "y".repeat(38));
    assert_eq!(
        found,
        [
            "=7 kiebitz",
            "? unknown command",
            "= kiebitz",
            "= \u{e9}",
            "? the line is too long",
            "= kiebitz",
            "=8 kiebitz",
            &long,
            "="
        ]
    );
}

#[test]
fn what_differs_from_run_to_run_has_its_form() {
    let found = replies("cputime\nlist_commands\nboardsize 4 3\nplay b B2\nkiebitz-ownership\nkiebitz-prior\n");
    assert!(found[0].strip_prefix("= ").is_some_and(|s| s.parse::<f64>().is_ok_and(|s| s >= 0.0)), "{}", found[0]);
    let names: Vec<&str> = found[1].strip_prefix("= ").expect("a list").lines().collect();
    assert!(names.is_sorted() && names.contains(&"genmove") && names.contains(&"quit"));
    for board in &found[4..6] {
        let rows: Vec<Vec<f64>> =
            board[2..].lines().map(|row| row.split(' ').map(|n| n.parse().expect("a number")).collect()).collect();
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 4], "{board}");
    }
}

/// White lives everywhere; Black gives up, but only where it may.
#[test]
fn lost_games_are_given_up_where_that_is_wanted() {
    const LOST: &str = "set_position w A2 w B2 w C2 w D2 w E2 w A3 w C3 w E3 w A4 w B4 w C4 w D4 w E4";
    for resign in [true, false] {
        let talk = Talk::new(options("uct:visits=50"));
        talk.ask("boardsize 5");
        talk.ask(LOST);
        talk.ask(&format!("kata-set-param allowResignation {resign}"));
        let mut resigned = false;
        for _ in 0..12 {
            let reply = talk.ask("genmove b");
            assert!(reply.starts_with("= "), "{reply}");
            if reply == "= resign" {
                resigned = true;
                break;
            }
            talk.ask("play w pass");
        }
        assert_eq!(resigned, resign);
        // It is no move on the board.
        let to_move = talk.ask("gogui-rules_side_to_move");
        assert_eq!(to_move, "= black");
        assert_eq!(talk.ask("play b pass"), "=");
    }
}

/// What the program passes on is what it says is dead.
#[test]
fn dead_stones_are_those_it_passed_on() {
    let talk = Talk::new(options("uct:visits=200"));
    talk.ask("boardsize 7");
    talk.ask("kata-set-rules chinese");
    let setup =
        "set_position b B1 b B2 b B3 b B4 b B5 b B6 b B7 b C4 b A4 w F1 w F2 w F3 w F4 w F5 w F6 w F7 w E4 w G4 w A2";
    talk.ask(&format!("{setup} b D1 b D2 b D3 b D4 b D5 b D6 b D7 w E1 w E2 w E3 w E5 w E6 w E7"));
    talk.ask("play b pass");
    assert_eq!(talk.ask("genmove w"), "= pass");
    assert_eq!(talk.ask("final_status_list dead"), "= A2");
    assert_eq!(talk.ask("final_score"), talk.ask("final_score"));
    assert_eq!(talk.ask("gogui-rules_final_result"), talk.ask("final_score").replace("= W", "= White wins: W"));
    // The clean-up takes it off before it passes.
    for _ in 0..6 {
        if talk.ask("kgs-genmove_cleanup b") == "= pass" {
            break;
        }
        talk.ask("play w pass");
    }
    assert_eq!(talk.ask("final_status_list dead"), "=");
    assert!(!talk.ask("list_stones w").contains("A2"));
}
