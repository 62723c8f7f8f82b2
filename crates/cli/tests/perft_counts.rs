//! `kiebitz perft`.

mod run;

use run::{directory, json, kiebitz, refused};

#[test]
fn perft_of_tictactoe() {
    // The games that end early are missing from the deeper counts.
    let answer = json("perft tictactoe 9 --json");
    let expected = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872];
    assert_eq!(answer["counts"], serde_json::json!(expected));
    assert_eq!((answer["game"].as_str(), answer["depth"].as_u64()), (Some("tictactoe"), Some(9)));
    assert!(answer.get("divide").is_none());
    let ran = kiebitz("perft tictactoe 2");
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "  1  9\n  2  72\n", ""));
}

#[test]
fn perft_of_go() {
    let rows = [
        ("size=2,ko=positional", vec![5, 21, 68, 156, 316, 604, 1088, 2184]),
        ("size=2,ko=situational,suicide=true", vec![5, 21, 68, 156, 316, 604, 1184, 2672]),
        ("size=3,ko=positional", vec![10, 91, 738, 5281, 33384]),
        ("size=5,ko=positional", vec![26, 651, 15650]),
    ];
    for (rules, counts) in rows {
        let answer = json(&format!("perft go {} --rules {rules} --json", counts.len()));
        assert_eq!(answer["counts"], serde_json::json!(counts), "{rules}");
    }
}

#[test]
fn perft_divides_by_first_action() {
    let answer = json("perft countdown 3 --json --divide --rules start=12");
    assert_eq!(answer["counts"], serde_json::json!([2, 17, 32]));
    assert_eq!(answer["divide"], serde_json::json!({"one": 12, "two": 20}));
    let ran = kiebitz("perft countdown 3 --divide");
    assert_eq!(ran.stdout, "one: 12\ntwo: 20\n\n  1  2\n  2  17\n  3  32\n");
}

#[test]
fn perft_from_a_position() {
    let path = directory("perft-from").join("game.jsonl");
    let record = "{\"kiebitz\":1,\"game\":\"countdown\",\"players\":2}\n{\"by\":0,\"action\":\"two\"}\n";
    std::fs::write(&path, record).expect("a file");
    let answer = json(&format!("perft countdown 2 --json --from {}", path.display()));
    // Eleven sums; after 12 the game is over.
    assert_eq!(answer["counts"], serde_json::json!([11, 20]));
    refused(
        &format!("perft kuhn 2 --from {}", path.display()),
        &format!("{}: this is a game of countdown, not of kuhn", path.display()),
    );
}

#[test]
fn perft_refuses_bad_input() {
    refused("perft tictactoe 2 --players 4", "tictactoe is for 2 players, not for 4");
    refused("perft tictactoe 2 --rules size=3", "tictactoe has no rule options, there is no 'size'");
    for depth in ["0", "256", "x", "-1"] {
        let ran = kiebitz(&format!("perft tictactoe {depth}"));
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{depth}");
    }
}
