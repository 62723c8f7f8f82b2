//! `kiebitz replay`: records with expected facts, the form of `--facts`, and every format a game is kept in.

mod session;

use serde_json::{Value, json};
use session::{Place, data};

fn place(test: &str) -> Place {
    let place = Place::new(&format!("replay-{test}"));
    for name in ["capture", "ko", "dead", "resign", "setup"] {
        let file = format!("{name}.jsonl");
        place.write(&file, std::fs::read(data("records").join(&file)).expect("a record"));
    }
    place
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect()
}

#[test]
fn check_counts_the_facts_it_compared() {
    let place = place("check");
    for (file, facts) in [("capture", 26), ("ko", 11), ("dead", 11), ("resign", 4), ("setup", 6)] {
        let text = place.say(&format!("replay --check {file}.jsonl")).fine();
        assert_eq!(text, format!("1 file, {facts} facts compared, 0 files differ\n"), "{file}");
    }
    let all = "capture.jsonl ko.jsonl dead.jsonl resign.jsonl setup.jsonl";
    assert_eq!(place.say(&format!("replay --check {all}")).fine(), "5 files, 58 facts compared, 0 files differ\n");
    assert_eq!(
        place.say(&format!("replay --check --json {all}")).fine(),
        "{\"files\":5,\"facts\":58,\"different\":0}\n"
    );
    let zh = place.say("replay --check --lang zh ko.jsonl").fine();
    assert_eq!(zh, "共 1 个文件，核对 11 项事实，0 个文件有差异\n");
}

#[test]
fn check_reports_the_first_difference_of_each_file() {
    let place = place("differences");
    let capture = place.read("capture.jsonl");
    let change = |from: &str, to: &str| {
        assert!(capture.contains(from), "{from}");
        capture.replacen(from, to, 1)
    };
    // (file, what is changed, line, key, expected, found, facts compared)
    let rows = [
        (
            "value",
            change("\"white\":[\"A1\"]", "\"white\":[\"A1\",\"C1\"]"),
            3,
            "white",
            r#"["A1","C1"]"#,
            r#"["A1"]"#,
            14,
        ),
        ("order", change("[\"A2\",\"B1\"]", "[\"B1\",\"A2\"]"), 4, "black", r#"["B1","A2"]"#, r#"["A2","B1"]"#, 17),
        (
            "type",
            change("\"score\":8.5}}\n{\"by\":1", "\"score\":\"8.5\"}}\n{\"by\":1"),
            2,
            "score",
            "\"8.5\"",
            "8.5",
            13,
        ),
        ("header", change("\"legal_count\":10", "\"legal_count\":9"), 1, "legal_count", "9", "10", 3),
        ("null", change("\"terminal\":false}}", "\"terminal\":null}}"), 5, "terminal", "null", "false", 22),
        (
            "unknown",
            change("\"terminal\":false}}", "\"moon\":\"full\"}}"),
            5,
            "moon",
            "\"full\"",
            "no such fact here",
            22,
        ),
        // Facts about legal actions are absent at the end.
        ("absent", change("\"to_move\":null", "\"legal_count\":0"), 6, "legal_count", "0", "no such fact here", 24),
    ];
    for (name, text, line, key, expected, found, facts) in &rows {
        let file = format!("{name}.jsonl");
        place.write(&file, text);
        let ran = place.say(&format!("replay --check {file}"));
        let report = format!("{file}: line {line}: {key}: expected {expected}, found {found}\n");
        assert_eq!(
            (ran.status, ran.stdout, ran.stderr.as_str()),
            (1, format!("{report}1 file, {facts} facts compared, 1 file differs\n"), ""),
            "{name}"
        );
    }
    // Every file has its own first difference; the good ones between them are silent.
    let ran = place.say("replay --check value.jsonl ko.jsonl unknown.jsonl");
    assert_eq!(ran.status, 1);
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    assert!(ran.stdout.ends_with("3 files, 47 facts compared, 2 files differ\n"), "{}", ran.stdout);
    // As JSON.
    let ran = place.say("replay --check --json value.jsonl ko.jsonl unknown.jsonl");
    let found = lines(&ran.stdout);
    assert_eq!(ran.status, 1);
    assert_eq!(
        found[0],
        json!({"file": "value.jsonl", "code": "difference", "line": 3, "message": "line 3: white: expected [\"A1\",\"C1\"], found [\"A1\"]",
            "detail": {"key": "white", "expected": ["A1", "C1"], "found": ["A1"]}})
    );
    assert_eq!(found[1]["detail"], json!({"key": "moon", "expected": "full", "found": null}));
    assert_eq!(found[2], json!({"files": 3, "facts": 47, "different": 2}));
}

#[test]
fn check_takes_a_line_that_cannot_be_played_as_a_difference() {
    let place = place("impossible");
    let capture = place.read("capture.jsonl");
    place.write("occupied.jsonl", capture.replace("\"action\":\"B1\"", "\"action\":\"A1\""));
    place.write("masked.jsonl", capture.replace("\"action\":\"B1\"", "\"action\":\"?\""));
    place.write("unknown.jsonl", capture.replace("\"action\":\"B1\"", "\"action\":\"steal 3\""));
    for (file, sentence) in [
        ("occupied", "A1 is occupied by a white stone"),
        ("masked", "`?` is no move: expected a letter and a number such as D4, or pass"),
        ("unknown", "`steal 3` is no move: expected a letter and a number such as D4, or pass"),
    ] {
        let ran = place.say(&format!("replay --check {file}.jsonl"));
        assert_eq!(
            (ran.status, ran.stdout),
            (1, format!("{file}.jsonl: line 4: {sentence}\n1 file, 0 facts compared, 1 file differs\n"))
        );
        // Without --check it is bad input.
        let ran = place.say(&format!("replay {file}.jsonl"));
        assert_eq!((ran.status, ran.stderr), (2, format!("kiebitz: {file}.jsonl: line 4: {sentence}\n")));
    }
    let ran = place.say("replay --check --json occupied.jsonl");
    assert_eq!(lines(&ran.stdout)[0]["code"], "go.occupied");
}

#[test]
fn numbers_are_compared_by_value() {
    let place = place("numbers");
    place.write(
        "floats.jsonl",
        "{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":9},\"expect\":{\"score\":-7.0,\"captures\":[0.0,0],\"to_move\":0.0}}\n",
    );
    assert_eq!(place.say("replay --check floats.jsonl").fine(), "1 file, 3 facts compared, 0 files differ\n");
}

#[test]
fn facts_prints_one_object_for_every_line_the_headers_first() {
    let place = place("facts");
    let printed = lines(&place.say("replay --facts dead.jsonl").fine());
    assert_eq!(printed.len(), 5);
    assert_eq!(printed[0].as_object().expect("an object").keys().collect::<Vec<_>>(), ["line", "facts"]);
    assert_eq!(printed[1]["line"], 2);
    assert_eq!((&printed[1]["by"], &printed[1]["action"]), (&json!(0), &json!("pass")));
    assert_eq!((&printed[4]["by"], &printed[4]["event"]), (&json!(1), &json!("dead")));
    let keys: Vec<&str> = printed[0]["facts"].as_object().expect("facts").keys().map(String::as_str).collect();
    let all = ["to_move", "terminal", "legal_count", "legal", "black", "white", "captures", "ko", "score", "result"];
    assert_eq!(keys, all);
    // At the end nothing is legal and nobody is to move.
    let end = printed[4]["facts"].as_object().expect("facts");
    assert!(end.keys().all(|k| !k.starts_with("legal")), "{end:?}");
    assert_eq!((&end["to_move"], &end["terminal"], &end["result"]), (&Value::Null, &json!(true), &json!("W+7")));
    // The dead event counts them off: the last one holds.
    let scores: Vec<&Value> = printed.iter().map(|p| &p["facts"]["score"]).collect();
    assert_eq!(scores, [&json!(-7), &json!(-7), &json!(-7), &json!(-3), &json!(-7)]);
    // What is printed can be expected: the facts of each line, put into the record, hold.
    for name in ["capture", "ko", "dead", "resign", "setup"] {
        let file = format!("{name}.jsonl");
        let facts = lines(&place.say(&format!("replay --facts {file}")).fine());
        let mut record = lines(&place.read(&file));
        let mut count = 0;
        for (line, printed) in record.iter_mut().zip(&facts) {
            line["expect"] = printed["facts"].clone();
            count += printed["facts"].as_object().expect("facts").len();
        }
        assert_eq!(record.len(), facts.len());
        place.write("all.jsonl", record.iter().map(|l| format!("{l}\n")).collect::<String>());
        let checked = place.say("replay --check all.jsonl").fine();
        assert_eq!(checked, format!("1 file, {count} facts compared, 0 files differ\n"));
    }
}

#[test]
fn resignation_ends_the_facts_and_blank_lines_keep_their_numbers() {
    let place = place("resign");
    let printed = lines(&place.say("replay --facts resign.jsonl").fine());
    assert_eq!(printed[3]["event"], "resign");
    let facts = &printed[3]["facts"];
    assert_eq!((&facts["to_move"], &facts["result"]), (&Value::Null, &json!("W+R")));
    place.write("blank.jsonl", place.read("resign.jsonl").replace('\n', "\n\n"));
    let printed = lines(&place.say("replay --facts blank.jsonl").fine());
    assert_eq!(printed.iter().map(|p| p["line"].as_u64().expect("a line")).collect::<Vec<_>>(), [1, 3, 5, 7]);
    assert_eq!(place.say("replay --check blank.jsonl").fine(), "1 file, 4 facts compared, 0 files differ\n");
}

#[test]
fn every_form_of_a_game_replays_alike() {
    let place = place("forms");
    // The same game as a record, compressed, and as SGF.
    let line = "play go --from capture.jsonl --color none --player random";
    let saves = ["game.jsonl", "game.jsonl.gz", "game.sgf"];
    for file in saves {
        place.run(&format!("{line} --save {file}").split(' ').collect::<Vec<_>>(), b"").fine();
    }
    let expected = lines(&place.say("replay --facts capture.jsonl").fine());
    for file in saves {
        let facts = lines(&place.say(&format!("replay --facts {file}")).fine());
        assert_eq!(facts.len(), expected.len(), "{file}");
        for (a, b) in facts.iter().zip(&expected) {
            assert_eq!(a["facts"], b["facts"], "{file}");
        }
    }
    // A compressed record keeps what it expects.
    assert_eq!(place.say("replay --check game.jsonl.gz").fine(), "1 file, 26 facts compared, 0 files differ\n");
    let whole = std::fs::read(place.path("game.jsonl.gz")).expect("a file");
    place.write("cut.jsonl.gz", &whole[..whole.len() - 6]);
    let ran = place.say("replay cut.jsonl.gz");
    assert_eq!(ran.status, 0);
    assert_eq!(
        ran.stderr,
        "warning: cut.jsonl.gz: the compressed data is damaged or ends early; what could be read was used\n"
    );
}

#[test]
fn a_crash_in_the_last_line_loses_that_line_only() {
    let place = place("crash");
    let text = place.read("capture.jsonl");
    place.write("crash.jsonl", &text[..text.trim_end().len() - 30]);
    let ran = place.say("replay --check crash.jsonl");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "1 file, 22 facts compared, 0 files differ\n"));
    assert_eq!(ran.stderr, "warning: crash.jsonl: line 6 is incomplete and was dropped\n");
}

#[test]
fn replay_prints_the_end_and_the_position_after_any_line() {
    let place = place("print");
    let end = place.say("replay capture.jsonl").fine();
    let board = "   A B C\n 3 + + + 3\n 2 ● + + 2\n 1 + ● + 1\n   A B C";
    assert_eq!(end, format!("capture.jsonl: go, 5 moves\n{board}\nB+8.5\n"));
    let one = place.say("replay --move 1 capture.jsonl").fine();
    assert_eq!(one, "capture.jsonl: go, 1 move\n   A B C\n 3 + + + 3\n 2(●)+ + 2\n 1 + + + 1\n   A B C\n");
    assert!(place.say("replay --move 0 --lang zh capture.jsonl").fine().starts_with("capture.jsonl：go，0 手\n"));
    assert!(place.say("replay resign.jsonl").fine().starts_with("resign.jsonl: go, 2 moves in 3 lines\n"));
    let both = lines(&place.say("replay --json capture.jsonl resign.jsonl").fine());
    assert_eq!(both.len(), 2);
    assert_eq!(
        (&both[0]["file"], &both[0]["lines"], &both[0]["result"]),
        (&json!("capture.jsonl"), &json!(5), &json!("B+8.5"))
    );
    assert_eq!((&both[1]["game"], &both[1]["facts"]["result"]), (&json!("go"), &json!("W+R")));
}
