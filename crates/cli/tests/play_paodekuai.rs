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
    let input = "帮助\n跟\n3\n提示\n5666T\n牌\n不要\n45QQQ\n悔牌\n45QQQ\n棋盘\n9TJQK\n9\n\n";
    let ran = place.run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    golden("paodekuai_zh.txt", &without_times(&ran.stdout));
}

/// The first lines name the rules: the nearest preset and what differs from it, and computers by their level.
#[test]
fn pd_03_the_rules_and_the_players_are_named_at_the_start() {
    let place = Place::new("play-paodekuai-rules");
    let start = |more: &str| {
        let line = format!("play paodekuai --color 1 --seed 1 {more}");
        let text = place.run(&line.split_whitespace().collect::<Vec<_>>(), b"").fine();
        text.lines().skip(1).take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        start(""),
        ["48 cards, 16 each, classic16 rules, one deal", "player 1: person", "player 2: kiebitz level 5"]
    );
    assert_eq!(
        start("--rules preset=duel15,must_beat=false,deals=4 --player best:level=2"),
        [
            "45 cards, 15 each, duel15 rules with must_beat=false, a match of 4 deals",
            "player 1: person",
            "player 2: kiebitz level 2"
        ]
    );
    assert_eq!(
        start("--rules preset=zsy,target=50 --player ismcts:visits=9 --lang zh"),
        ["52 张牌，每人 13 张，zsy 规则，打到 50 分", "玩家1：玩家", "玩家2：kiebitz ismcts:visits=9"]
    );
    assert_eq!(start("--time 50ms")[2], "player 2: kiebitz with 0.05 s a move");
    // The record says which player it was.
    place
        .run(
            &"play paodekuai --color none --seed 1 --player best:level=1 --save g.jsonl".split(' ').collect::<Vec<_>>(),
            b"",
        )
        .fine();
    assert!(place.read("g.jsonl").contains("kiebitz ismcts:"), "{}", place.read("g.jsonl"));
}

/// 过 passes as 不要 does, and nothing is saved over a file that may be anything.
#[test]
fn pd_03_words_of_card_players() {
    let place = Place::new("play-paodekuai-words");
    let line = "play paodekuai --color both --player policy --seed 2 --lang zh";
    let ran = |word: &str| place.run(&line.split(' ').collect::<Vec<_>>(), format!("{word}\n").as_bytes()).fine();
    let passed = ran("pass");
    assert!(passed.contains("轮到出牌，不能不出"), "{passed}");
    assert_eq!((ran("不要"), ran("过")), (passed.clone(), passed));
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
