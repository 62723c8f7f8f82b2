//! `kiebitz play paodekuai` as people meet it: scripted sessions (row PD-03).

mod session;

use serde_json::Value;
use session::{Place, golden, without_times};

/// A person against two computers, from the deal to the end: what is typed wrong, what is illegal, the list of moves, a hint, a move
/// taken back; while cards are hidden nothing is saved, at the end the game is, and the record says who was first out.
#[test]
fn pd_03_a_person_and_two_computers() {
    let place = Place::new("play-paodekuai");
    let line = "play paodekuai --color 2 --player ismcts:visits=60 --seed 7";
    let input = "help\nfoo\n33\nmoves\nsave game.jsonl\nhint\n38889\nundo\n38889\nboard\npass\n5TTTJ\nJJQQ\n2\n6\nsave game.jsonl\n\n";
    let ran = place.run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    golden("paodekuai_en.txt", &without_times(&ran.stdout));
    // Nobody's hand but the person's is on the screen before the end.
    let (before, after) = ran.stdout.split_once("The game is over.").expect("an end");
    let boards = before.trim_end().rsplit_once("\n\n").expect("the last board").0;
    let hands = |text: &str| text.lines().filter(|l| l.starts_with("  ") && l.contains(") ")).count();
    assert_eq!(hands(boards), 0, "{boards}");
    assert!(after.contains("player 2 wins"), "{after}");
    let facts = place.say("replay --facts game.jsonl").fine();
    let last: Value = serde_json::from_str(facts.lines().last().expect("facts")).expect("JSON");
    assert_eq!((&last["facts"]["winner"], &last["facts"]["terminal"]), (&Value::from(1), &Value::from(true)), "{last}");
    assert_eq!(last["facts"]["scores"], serde_json::json!([0, 11, -11]));
}

#[test]
fn pd_03_the_same_in_chinese_for_two() {
    let place = Place::new("play-paodekuai-zh");
    let line =
        "play paodekuai --color 1 --players 2 --rules preset=duel16 --player ismcts:visits=60 --seed 12 --lang zh";
    let input = "帮助\n跟\n3\n提示\n5666T\npass\n45QQQ\n悔牌\n45QQQ\n棋盘\n9TJQK\n9\n\n";
    let ran = place.run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    golden("paodekuai_zh.txt", &without_times(&ran.stdout));
}

/// Several people at one terminal: each sees only the own hand, when it is to move.
#[test]
fn pd_03_people_at_one_terminal() {
    let place = Place::new("play-paodekuai-both");
    let line = "play paodekuai --color both --player policy --seed 2";
    let ran = place.run(&line.split(' ').collect::<Vec<_>>(), b"moves\npass\n33\nresign\n\n");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    golden("paodekuai_both.txt", &without_times(&ran.stdout));
}
