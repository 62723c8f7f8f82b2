//! `kiebitz bench`: what it prints, never how fast it is.

mod run;

use run::{json, kiebitz, refused};

#[test]
fn bench_measures_a_game() {
    let answer = json("bench countdown --seconds 0.002 --json");
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!((row["game"].as_str(), row["variant"].as_str()), (Some("countdown"), Some("default")));
    for key in ["playouts_per_second", "moves_per_second", "playout_length", "state_bytes"] {
        assert!(row[key].as_f64().is_some_and(|x| x > 0.0), "{key}: {row}");
    }
    let threads: Vec<u64> =
        row["threads"].as_array().expect("a list").iter().filter_map(|t| t["threads"].as_u64()).collect();
    assert_eq!(threads, [1, 2]);
    assert_eq!(answer["best_of"], 5);
}

#[test]
fn bench_measures_go_on_every_size() {
    let answer = json("bench go --seconds 0.001 --json");
    let rows = answer["rows"].as_array().expect("rows");
    let variants: Vec<&str> = rows.iter().filter_map(|r| r["variant"].as_str()).collect();
    assert_eq!(variants, ["9x9", "13x13", "19x19"]);
    for row in rows {
        assert_eq!(row["search"]["player"], "uct");
        assert!(row["search"]["bytes_per_node"].as_f64().is_some_and(|b| b > 0.0), "{row}");
    }
    // A playout fills the board.
    assert!(rows[2]["playout_length"].as_f64() > rows[0]["playout_length"].as_f64());
}

/// Uniform play over legal actions has the numbers that an independent program found, or the bench measures something else.
#[test]
fn bench_measures_what_hidden_cards_need() {
    let answer = json("bench paodekuai --seconds 0.05 --json");
    let row = &answer["rows"][0];
    assert_eq!(row["variant"], "classic16");
    let random = &row["random_games"];
    let near = |key: &str, expected: f64, by: f64| {
        let found = random[key].as_f64().expect(key);
        assert!((found - expected).abs() <= by, "{key}: {found} for {expected}");
    };
    // The deals of a moment: ten times the tolerance that thousands of them get in the tests of the game.
    near("length", 46.8, 2.0);
    near("forced", 0.63, 0.03);
    let policies: Vec<&str> =
        row["policies"].as_array().expect("a list").iter().filter_map(|p| p["settings"].as_str()).collect();
    assert_eq!(policies, ["playouts=random", "playouts=light", "playouts=heavy"]);
    assert!(row["worlds"]["proofs"].as_u64().is_some_and(|n| n >= 4), "{row}");
    assert!(row["worlds"]["worlds_per_second"].as_f64().is_some_and(|n| n > 0.0), "{row}");
    // Hidden cards without proofs are worlds too; a game that hides nothing has none.
    let worlds = |game: &str| json(&format!("bench {game} --seconds 0.002 --json"))["rows"][0]["worlds"].clone();
    assert_eq!(worlds("kuhn")["proofs"], 0);
    assert!(worlds("tictactoe").is_null());
}

#[test]
fn bench_signature_does_not_depend_on_time() {
    let signatures = |seconds: &str| {
        let answer = json(&format!("bench kuhn --seconds {seconds} --json"));
        (answer["rows"][0]["signature"].as_u64().expect("a number"), answer["signature"].as_u64().expect("a number"))
    };
    let first = signatures("0.001");
    assert_eq!(signatures("0.004"), first);
    let other = json("bench countdown --seconds 0.001 --json");
    assert_ne!(other["signature"].as_u64(), Some(first.1));
}

#[test]
fn bench_prints_a_table() {
    let ran = kiebitz("bench tictactoe --seconds 0.001");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.lines().nth(1).is_some_and(|l| l.starts_with("tictactoe ")), "{}", ran.stdout);
    assert!(ran.stdout.lines().any(|l| l.starts_with("signature: ")));
}

#[test]
fn bench_refuses_bad_input() {
    refused("bench kuhn --seconds 0", "--seconds 0: it must be a number from 0.001 to 60");
    refused("bench kuhn --seconds -1", "--seconds -1: it must be a number from 0.001 to 60");
    refused("bench kuhn --seconds 1e308", "--seconds 1e308: it must be a number from 0.001 to 60");
    let ran = kiebitz("bench chess");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.starts_with("kiebitz: no game is called 'chess'; there are: go,"), "{}", ran.stderr);
}
