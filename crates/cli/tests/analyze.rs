//! `kiebitz analyze`: a whole game with what each move lost, or one position.

mod session;

use std::path::Path;

use serde_json::{Value, json};
use session::Place;

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// On 5x5 Black can take three stones with B4, and plays E1.
const BLUNDER: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[7]RU[Chinese]PB[Ann]PW[Bo]DT[2026-05-01]C[a short game]\n\
;B[ab];W[ac];B[bd];W[bc];B[cc]C[well];W[ad];B[ae];W[ea];B[ee]C[oh no];W[bb])";

fn blunder(test: &str) -> Place {
    let place = Place::new(&format!("analyze-{test}"));
    place.write("game.sgf", BLUNDER);
    place
}

#[test]
fn a_blunder_is_found_and_the_better_move_named() {
    let place = blunder("blunder");
    let line = "analyze game.sgf --player uct:visits=800 --seed 3 --worst 5";
    let review = json_of(&place.say(&format!("{line} --json")).fine());
    let worst = review["worst"].as_array().expect("the worst moves");
    assert!(worst.iter().take(5).any(|i| i == 8), "the ninth move: {review}");
    let explained = review["moves"].as_array().expect("moves").iter().filter(|m| m.get("reasons").is_some()).count();
    assert_eq!(explained, worst.len().min(5), "as many moves are explained as asked for");
    let entry = &review["moves"][8];
    assert_eq!((&entry["action"], &entry["best"], &entry["seat"]), (&json!("E1"), &json!("B4"), &json!(0)));
    assert_eq!(entry["mistake"], true);
    let (loss, error) = (&entry["points_loss"]["mean"], &entry["points_loss"]["error"]);
    assert!(loss.as_f64().expect("a loss") > 2.0 * error.as_f64().expect("an error"), "{entry}");
    let reasons = entry["reasons"].as_array().expect("reasons");
    assert!(reasons.iter().any(|r| r["code"] == "go.capture" && r["subject"] == json!(["B3"])), "{entry}");
    // As text: the table, then the worst moves. One move alone, so that there is one order.
    let line = format!("{line} --from 9 --to 9");
    let text = place.say(&line).fine();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "  no  side     played  best    win rate        lost");
    assert!(
        lines[1].starts_with("   9  Black    E1      B4      ") && lines[1].ends_with(" win rate ▲"),
        "{}",
        lines[1]
    );
    assert_eq!(
        lines[2..4],
        [
            "",
            "▲ lost more than twice the standard error of its loss: 1 of 1 moves. The worst, with what speaks for the better move:"
        ]
    );
    assert!(lines[4].starts_with("   9  Black E1: +") && lines[4].contains("; better: B4"), "{}", lines[4]);
    assert!(lines[5..].contains(&"        · B4: it captures 3 stones at B3"), "{text}");
    assert!(lines[5..].iter().all(|l| l.starts_with("        · B4: ")), "{text}");
    // In Chinese, the columns as wide for the eye.
    let chinese = place.say(&format!("{line} --lang zh")).fine();
    assert!(chinese.contains("   9  黑方       E1      B4      "), "{chinese}");
    assert!(
        chinese.contains("\n   9  黑方 E1：+")
            && chinese.contains("；更好：B4")
            && chinese.contains("        · B4：提掉 B3 的 3 子\n")
    );
    let width = |line: &str, end: &str| {
        let before = line.split(end).next().expect("a column");
        before.chars().map(|c| if c < '\u{2e80}' { 1 } else { 2 }).sum::<usize>()
    };
    let rows: Vec<&str> = chinese.lines().collect();
    assert_eq!(width(rows[0], "着法"), width(rows[1], "E1"));
    assert_eq!(width(rows[0], "最佳"), width(rows[1], "B4"));
    assert_eq!(width(rows[0], "损失"), rows[1].find('+').map(|at| width(&rows[1][..at], "\n")).expect("a loss"));
}

#[test]
fn the_same_seed_gives_the_same_review() {
    let place = blunder("seed");
    let line = "analyze game.sgf --player uct:visits=60";
    let first = place.say(&format!("{line} --seed 5 --json")).fine();
    assert_eq!(place.say(&format!("{line} --seed 5 --json")).fine(), first);
    assert_ne!(place.say(&format!("{line} --seed 6 --json")).fine(), first);
    let position = place.say(&format!("{line} --seed 5 --move 8 --json")).fine();
    let without_time = |text: &str| {
        let mut value = json_of(text);
        value["analysis"]["seconds"] = json!(0);
        value
    };
    assert_eq!(without_time(&place.say(&format!("{line} --seed 5 --move 8 --json")).fine()), without_time(&position));
}

#[test]
fn json_has_the_keys_it_is_known_for() {
    let place = blunder("keys");
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let review = json_of(&place.say("analyze game.sgf --player uct:visits=40 --json").fine());
    assert_eq!(keys(&review), ["game", "player", "result", "moves", "worst"]);
    assert_eq!((&review["game"], &review["player"]), (&json!("go"), &json!("uct:visits=40")));
    let moves = review["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 10);
    for (i, entry) in moves.iter().enumerate() {
        let mut found = keys(entry);
        found.retain(|k| k != "reasons");
        let expected = [
            "number",
            "step",
            "seat",
            "action",
            "best",
            "pv",
            "win_rate",
            "points",
            "win_rate_loss",
            "points_loss",
            "mistake",
            "visits",
            "best_visits",
            "played_visits",
        ];
        assert_eq!(found, expected);
        assert_eq!((&entry["number"], &entry["step"], &entry["seat"]), (&json!(i + 1), &json!(i), &json!(i % 2)));
        let rate = &entry["win_rate"];
        assert_eq!(keys(rate), ["mean", "error"]);
        assert!((0.0..=1.0).contains(&rate["mean"].as_f64().expect("a mean")), "{rate}");
        assert_eq!(entry["pv"][0], entry["best"]);
        assert!((1..=40).contains(&entry["visits"].as_u64().expect("visits")), "{entry}");
        assert!(entry["win_rate_loss"].is_object(), "every move was compared: {entry}");
    }
    let position = json_of(&place.say("analyze game.sgf --player uct:visits=40 --move 8 --json").fine());
    assert_eq!(keys(&position), ["game", "move", "analysis"]);
    assert_eq!(position["move"], 8);
    let analysis = &position["analysis"];
    assert_eq!(keys(analysis), ["seat", "player", "visits", "seconds", "candidates", "details"]);
    assert_eq!(analysis["seat"], 0);
    let all = analysis["visits"].as_u64().expect("visits");
    assert!((1..=40).contains(&all), "{all}");
    let candidates = analysis["candidates"].as_array().expect("candidates");
    let visits: u64 = candidates.iter().map(|c| c["visits"].as_u64().expect("visits")).sum();
    assert!(visits <= all && visits + 1 >= all, "the visits are shared out: {visits} of {all}");
    assert_eq!(analysis["details"]["ownership"].as_array().map(Vec::len), Some(25));
}

#[test]
fn one_position_is_shown_with_its_candidates() {
    let place = blunder("position");
    let line = "analyze game.sgf --player uct:visits=400 --move 8";
    let text = place.say(line).fine();
    assert!(text.starts_with("   A B C D E\n 5 + + + +(○)5\n 4 ● + + + + 4\n 3 ○ ○ ● + + 3\n"), "{text}");
    let rest = text.split("Black to play\n").nth(1).expect("whose turn it is");
    assert!(rest.starts_with("B4    win rate "), "{rest}");
    assert!(rest.contains("\n      · it captures 3 stones at B3\n"), "{rest}");
    let candidates = rest.lines().filter(|l| !l.starts_with(' ')).count();
    assert!((1..=8).contains(&candidates), "{rest}");
    let chinese = place.say(&format!("{line} --lang zh")).fine();
    assert!(chinese.contains("\n黑方行棋\nB4    胜率 "), "{chinese}");
    // Before the first move and after the last.
    assert!(place.say("analyze game.sgf --player random --move 0").fine().contains("Black to play"));
    assert!(place.say("analyze game.sgf --player random --move 10").fine().contains("Black to play"));
}

#[test]
fn from_and_to_choose_moves() {
    let place = blunder("range");
    let numbers = |flags: &str| -> Vec<u64> {
        let review = json_of(&place.say(&format!("analyze game.sgf --player uct:visits=20 --json {flags}")).fine());
        review["moves"].as_array().expect("moves").iter().map(|m| m["number"].as_u64().expect("a number")).collect()
    };
    assert_eq!(numbers("--from 9"), [9, 10]);
    assert_eq!(numbers("--to 2"), [1, 2]);
    assert_eq!(numbers("--from 4 --to 4"), [4]);
    assert_eq!(numbers("--from 10 --to 99"), [10]);
}

#[test]
fn the_sgf_it_writes_is_sgf_with_comments_and_variations() {
    let place = blunder("sgf");
    let line = "analyze game.sgf --player uct:visits=800 --seed 3 --sgf out.sgf";
    let ran = place.say(line);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, "Written: out.sgf\n"));
    let sgf = place.read("out.sgf");
    assert!(
        sgf.starts_with("(;GM[1]FF[4]CA[UTF-8]AP[kiebitz:0.1.0]SZ[5]KM[7]RU[Chinese]PB[Ann]PW[Bo]DT[2026-05-01]"),
        "{sgf}"
    );
    // What was written in the game stays; the review is added to it.
    assert!(sgf.contains("C[a short game]") && sgf.contains(";B[cc]C[well\nBlack: "), "{sgf}");
    assert!(
        sgf.contains(";B[ee]C[oh no\nBlack: ") && sgf.contains("\nE1 lost +") && sgf.contains("; better: B4"),
        "{sgf}"
    );
    assert!(sgf.contains("\nit captures 3 stones at B3"), "{sgf}");
    // The better line is a variation beside the mistake.
    assert!(sgf.contains("(;B[bb]"), "{sgf}");
    let review = json_of(&place.say(&line.replace("--sgf out.sgf", "--json")).fine());
    let mistakes = review["worst"].as_array().expect("mistakes").len();
    assert!(mistakes >= 1);
    // Two branches where there is a variation, and the tree itself.
    assert_eq!(sgf.matches("(;").count(), 1 + 2 * mistakes, "{sgf}");
    assert_eq!(sgf.matches("C[").count(), 1 + 10, "every move has a comment");
    // It reads again, strictly, as the same game, and is not replaced unasked.
    let again = place.say("replay --strict out.sgf").fine();
    assert_eq!(again.replace("out.sgf", "game.sgf"), place.say("replay --strict game.sgf").fine());
    assert_eq!(place.say(line).status, 2);
    let chinese = place.say(&format!("{line} --force --lang zh"));
    assert_eq!((chinese.status, chinese.stderr.as_str()), (0, "已写入： out.sgf\n"));
    assert!(place.read("out.sgf").contains("\nE1 损失 +") && place.read("out.sgf").contains("；更好：B4"));
    // From a record too.
    place
        .run(&["play", "go", "--from", "game.sgf", "--color", "both", "--player", "random"], b"save game.jsonl\n")
        .fine();
    assert_eq!(place.say("analyze game.jsonl --player uct:visits=30 --sgf two.sgf").status, 0);
    assert_eq!(place.read("two.sgf").matches("C[").count(), 11);
}

#[test]
fn real_games_are_reviewed_to_the_end() {
    let place = Place::new("analyze-real");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/go/tests/data/sgf");
    for (file, moves, warnings) in [("fox-app", 92, 2), ("lee-alphago-2016-g4", 180, 0), ("ogs-download", 113, 0)] {
        // RE tells of a resignation in two of them: one line more.
        let lines = moves + usize::from(file != "ogs-download");
        let path = folder.join(format!("{file}.sgf"));
        let path = path.to_str().expect("a path");
        let ran = place.run(&["analyze", path, "--player", "uct:visits=20", "--json"], b"");
        assert_eq!((ran.status, ran.stderr.lines().count()), (0, warnings), "{file}: {}", ran.stderr);
        let review = json_of(&ran.stdout);
        let list = review["moves"].as_array().expect("moves");
        assert_eq!(list.len(), moves, "{file}");
        assert!(list.iter().all(|m| m["win_rate_loss"].is_object()), "{file}");
        // With so few visits some moves are looked at once, and of their points nothing is known.
        let pointless = list.iter().filter(|m| m["points_loss"].is_null()).count();
        assert!(list.iter().all(|m| m["points_loss"].is_object() || m["points_loss"].is_null()), "{file}");
        assert!(pointless * 10 < moves, "{file}: {pointless}");
        let ran = place.run(&["analyze", path, "--player", "uct:visits=20", "--sgf", &format!("{file}.sgf")], b"");
        assert_eq!(ran.status, 0, "{file}: {}", ran.stderr);
        assert_eq!(ran.stdout.lines().skip(1).take_while(|l| !l.is_empty()).count(), moves, "{file}");
        let again = place.say(&format!("replay --strict --json {file}.sgf")).fine();
        assert_eq!(json_of(&again)["lines"], lines, "{file}");
    }
}

#[test]
fn few_visits_accuse_nobody() {
    let place = blunder("few");
    let text = place.say("analyze game.sgf --player uct:visits=10 --seed 1").fine();
    assert!(!text.contains('▲') && text.ends_with("No move lost more than twice its standard error.\n"), "{text}");
}

#[test]
fn komi_in_zi_is_read_as_points() {
    let place = Place::new("analyze-zi");
    place.write("zi.sgf", "(;GM[1]FF[4]CA[GB2312]SZ[19]RU[Chinese]KM[375];B[pd];W[dp])");
    let ran = place.run(&["play", "go", "--from", "zi.sgf", "--color", "both", "--player", "random"], b"");
    assert_eq!(ran.status, 0);
    assert_eq!(ran.stdout.lines().nth(1), Some("board 19x19, chinese rules, komi 7.5"));
    assert_eq!(
        ran.stderr,
        "warning: zi.sgf: line 1, column 40 (byte 39), property KM: `375` was read as a komi of 7.5 points\n"
    );
    let ran = place.say("analyze zi.sgf --player random --sgf out.sgf");
    assert_eq!(ran.status, 0);
    assert!(place.read("out.sgf").contains("KM[7.5]RU[Chinese]"), "{}", place.read("out.sgf"));
}

#[test]
fn what_the_rules_forbid_is_executed_with_a_warning_and_not_reviewed() {
    let place = Place::new("analyze-illegal");
    place.write(
        "odd.sgf",
        "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[7]RU[Chinese];B[cc];W[cc];B[ba];W[dd];B[ab];W[aa];B[];W[];B[ee];W[ed])",
    );
    let ran = place.say("analyze odd.sgf --player uct:visits=20 --json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let warnings: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(
        warnings,
        [
            "warning: odd.sgf: move 2 (white C3) at line 1 is illegal and was executed: C3 is occupied by a black stone",
            "warning: odd.sgf: move 6 (white A5) at line 1 is illegal and was executed: A5 is forbidden for white: the stone would have no liberty and takes nothing",
            "warning: odd.sgf: move 9 (black E1) at line 1 is illegal and was executed: the game is over, no action is possible",
        ]
    );
    let review = json_of(&ran.stdout);
    let actions: Vec<&str> =
        review["moves"].as_array().expect("moves").iter().map(|m| m["action"].as_str().expect("text")).collect();
    // C3 on C3 and the suicide became set-ups; E1 is a move again once the game goes on.
    assert_eq!(actions, ["C3", "B5", "D2", "A4", "pass", "pass", "E1", "E2"]);
    let end = place.say("replay odd.sgf");
    assert!(
        end.stdout.contains(" 5 + ● + + + 5\n 4 ● + + + + 4\n 3 + + ○ + + 3\n 2 + + + ○(○)2\n 1 + + + + ● 1\n"),
        "{}",
        end.stdout
    );
    let strict = place.say("analyze --strict odd.sgf");
    assert_eq!(
        (strict.status, strict.stderr.as_str()),
        (2, "kiebitz: odd.sgf: move 2 (white C3) at line 1 is illegal: C3 is occupied by a black stone\n")
    );
    // Written as SGF, it is the same game without anything illegal in it.
    assert_eq!(place.say("analyze odd.sgf --player random --sgf out.sgf").status, 0);
    let again = place.say("replay --strict out.sgf").fine();
    assert!(again.ends_with(end.stdout.split_once('\n').expect("a board").1), "{again}\n{}", end.stdout);
}

#[test]
fn other_games_are_reviewed_too() {
    let place = Place::new("analyze-others");
    place.write(
        "ttt.jsonl",
        "{\"kiebitz\":1,\"game\":\"tictactoe\",\"players\":2}\n{\"by\":0,\"action\":\"b2\"}\n{\"by\":1,\"action\":\"b1\"}\n{\"by\":0,\"action\":\"a1\"}\n\
         {\"by\":1,\"action\":\"a2\"}\n{\"by\":0,\"action\":\"c3\"}\n",
    );
    let review = json_of(&place.say("analyze ttt.jsonl --player alphabeta --json").fine());
    // An edge in answer to the centre loses; what follows was lost already.
    assert_eq!(review["worst"], json!([1]));
    assert_eq!(review["moves"][1]["win_rate_loss"], json!({"mean": 0.5, "error": 0.0}));
}

/// A move without alternative is not judged: what one look says about it is noise.
#[test]
fn forced_moves_are_not_judged() {
    let place = Place::new("analyze-forced");
    let line = "play paodekuai --color none --seed 3 --player policy --save game.jsonl --quiet";
    place.run(&line.split(' ').collect::<Vec<_>>(), b"").fine();
    let text = place.say("analyze game.jsonl --player ismcts:visits=20 --seed 1").fine();
    let forced: Vec<&str> = text.lines().filter(|l| l.ends_with("– (forced)")).collect();
    assert!(!forced.is_empty() && forced.iter().all(|l| !l.contains('%')), "{text}");
    assert!(text.contains("best    value ") && !text.contains("win rate"), "{text}");
    // In one position as well: the passes are forced, where nothing beats what lies there.
    let number: usize = forced[0].split_whitespace().next().expect("a number").parse().expect("a number");
    // Before the moves lies the deal.
    let one = place.say(&format!("analyze game.jsonl --player ismcts:visits=20 --move {number}")).fine();
    assert!(one.contains(" – (the only move)\n") && !one.contains("value"), "{one}");
}

/// Who never looked at a move has no bound for it.
#[test]
fn moves_nobody_looked_at_have_no_win_rate() {
    let place = Place::new("analyze-unvisited");
    place.write("start.jsonl", "{\"kiebitz\":1,\"game\":\"tictactoe\",\"players\":2}\n");
    let random = place.say("analyze start.jsonl --move 0 --player random").fine();
    assert!(random.contains("visits 0") && !random.contains('≤') && !random.contains("win rate"), "{random}");
    // Few visits: some moves are looked at once or never.
    let few = place.say("analyze start.jsonl --move 0 --player uct:visits=12").fine();
    assert!(!few.contains('≤'), "{few}");
    // A search that prunes does have bounds.
    let pruned = place.say("analyze start.jsonl --move 0 --player alphabeta").fine();
    assert!(pruned.contains("≤ 50.0 %"), "{pruned}");
}
