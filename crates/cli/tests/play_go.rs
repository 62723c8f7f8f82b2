//! `kiebitz play go` as a person meets it: scripted sessions (rows GO-17 and GO-29 to GO-34, regressions G4, G6 and G8).

mod session;

use session::{Place, golden, without_times};

/// A session whose output is compared with a golden text.
#[track_caller]
fn session(name: &str, line: &str, input: &str) -> Place {
    let place = Place::new(&format!("play-{name}"));
    let ran = place.run(&line.split_whitespace().collect::<Vec<_>>(), input.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{name}");
    golden(&format!("{name}.txt"), &without_times(&ran.stdout));
    place
}

/// Seven rows: Black holds columns A and B with two eyes, White F and G; A2 is a dead white stone, G6 a dead black one.
const TWO_SIDES: &str = "B1\nF1\nB2\nF2\nB3\nF3\nB4\nF4\nB5\nF5\nB6\nF6\nB7\nF7\nA4\nG4\nG6\nA2\n";

/// The text without the last question, whether to save, at the end of input.
fn left(text: &str) -> &str {
    let questions = ["save FILE, or Enter to leave: \n", "“保存 文件名”可保存，回车退出：\n"];
    questions.iter().find_map(|q| text.strip_suffix(q)).unwrap_or(text)
}

#[test]
fn a_finished_game_can_be_saved() {
    let place = Place::new("play-save-after");
    let line = "play go --size 5 --color both --player random --seed 1";
    let text = place.run(&line.split(' ').collect::<Vec<_>>(), b"C3\nresign\nwhat\nsave over.sgf\n\n").fine();
    assert!(
        text.contains("The game is over: save FILE, board, or quit.") && text.contains("Saved as over.sgf"),
        "{text}"
    );
    // The resignation survives SGF.
    let again = place.say("replay over.sgf").fine();
    assert!(again.ends_with("B+R\n"), "{again}");
}

#[test]
fn agreed_dead_stones_survive_sgf() {
    let place = Place::new("play-dead-sgf");
    let line = "play go --size 7 --color both --player random --seed 1 --save end.sgf";
    place.run(&line.split(' ').collect::<Vec<_>>(), format!("{TWO_SIDES}pass\npass\ndone\n").as_bytes()).fine();
    assert!(place.read("end.sgf").contains("TB["), "{}", place.read("end.sgf"));
    let facts = place.say("replay --facts end.sgf").fine();
    let last = facts.lines().last().expect("facts");
    assert!(last.contains("\"event\":\"dead\"") && last.contains("\"result\":\"W+7\""), "{last}");
}

#[test]
fn rules_without_a_name_survive_sgf() {
    let place = Place::new("play-rules-sgf");
    let header = r#"{"kiebitz":1,"game":"go","players":2,"rules":{"size":9,"ruleset":"aga-button","ko":"natural"}}"#;
    place.write("rules.jsonl", header);
    place.run(&["play", "go", "--from", "rules.jsonl", "--color", "both", "--save", "rules.sgf"], b"D4\n").fine();
    place.run(&["play", "go", "--from", "rules.sgf", "--color", "both", "--save", "again.jsonl"], b"").fine();
    let again = place.read("again.jsonl");
    assert!(again.contains(r#""ruleset":"aga-button""#) && again.contains(r#""ko":"natural""#), "{again}");
}

#[test]
fn go_30_title_size_and_forms_of_input() {
    session(
        "forms_en",
        "play go --size 9 --color both --player random",
        "3 4\nD4\nd5\n  e5  \n5,6\nj9\npass\nboard\nhelp\nundo\n\nQUIT\n",
    );
    session(
        "forms_zh",
        "play go --size 9 --color both --player random --lang zh",
        "3 4\nD4\nfoo\n1 2 3\na b\nD4\n10 1\n9 1\n棋盘\n帮助\n悔棋\n弃着\n停一手\n退出\n",
    );
}

#[test]
fn the_score_is_asked_for_in_chinese_too() {
    let place = Place::new("play-score-zh");
    let line = "play go --size 5 --color both --player random --seed 1 --lang zh";
    let score = |word: &str| place.run(&line.split(' ').collect::<Vec<_>>(), format!("C3\n{word}\n").as_bytes()).fine();
    assert!(score("形势").contains("若此刻终局："), "{}", score("形势"));
    assert_eq!(score("形势"), score("score"));
}

#[test]
fn go_29_a_person_against_the_computer() {
    session("computer_en", "play go --size 5 --player random --seed 7 --quiet", "C3\nundo\nundo\nC3\npass\nresign\n");
    session(
        "computer_zh",
        "play go --size 5 --color white --player random --seed 7 --lang zh --quiet",
        "C3\n悔棋\nD2\n认输\n",
    );
}

#[test]
fn go_31_prompts_name_the_colour() {
    let place = Place::new("play-prompts");
    let line = "play go --size 5 --color both --player random";
    let text = place.run(&line.split(' ').collect::<Vec<_>>(), b"a1\nb2\n").fine();
    let prompts: Vec<&str> = text.lines().filter(|l| l.ends_with("to play")).collect();
    assert_eq!(prompts, ["Black(●) to play", "White(○) to play", "Black(●) to play"]);
    assert_eq!(text.matches("your move: ").count(), 3);
    let chinese = place.run(&format!("{line} --lang zh").split(' ').collect::<Vec<_>>(), b"a1\n").fine();
    assert!(chinese.contains("轮到黑方（●）\n请落子：") && chinese.contains("轮到白方（○）\n请落子："), "{chinese}");
}

#[test]
fn go_34_final_board_score_and_winner() {
    // Two passes under Chinese rules: the dead stones come marked, and can be unmarked.
    session(
        "dead_en",
        "play go --size 7 --color both --player random --seed 1",
        &format!("{TWO_SIDES}pass\npass\nA2\nscore\nnothing\n2 1\nC4\nboard\nsave dead.sgf\ndone\n"),
    );
    session(
        "dead_zh",
        "play go --size 7 --color both --player random --seed 1 --lang zh",
        &format!("{TWO_SIDES}虚手\npass\nG6\n形势\nG6\n帮助\n确认\n"),
    );
    // Tromp-Taylor rules ask nothing: every stone counts as alive.
    session(
        "tromp_taylor",
        "play go --size 7 --color both --player random --rules ruleset=tromp-taylor",
        &format!("{TWO_SIDES}pass\npass\n"),
    );
    // A draw under integer komi.
    session(
        "draw",
        "play go --size 7 --komi 0 --color both --player random --seed 1",
        &format!("{TWO_SIDES}pass\npass\n"),
    );
}

#[test]
fn go_34_players_who_disagree_play_on() {
    session(
        "resume",
        "play go --size 7 --color both --player random --seed 1",
        &format!("{TWO_SIDES}pass\npass\nresume\nC4\npass\npass\nquit\n"),
    );
}

/// Under Japanese rules stones with a neutral point beside them are in seki (article 8): whoever forgets that is told.
#[test]
fn open_neutral_points_are_pointed_out_where_they_cost_territory() {
    let place = Place::new("play-neutral");
    let column =
        |letter: char, rows: usize| (1..=rows).map(|r| format!("\"{letter}{r}\"")).collect::<Vec<_>>().join(",");
    for ruleset in ["japanese", "chinese"] {
        let header = format!(
            "{{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{{\"size\":9,\"ruleset\":\"{ruleset}\",\"komi\":0}},\
             \"setup\":{{\"black\":[{}],\"white\":[{},{}]}}}}\n",
            column('D', 9),
            column('E', 8),
            column('F', 9)
        );
        place.write(&format!("{ruleset}.jsonl"), header);
    }
    let run = |file: &str, more: &str, input: &[u8]| {
        let line = format!("play go --from {file}.jsonl --color both --player random --seed 1{more}");
        place.run(&line.split(' ').collect::<Vec<_>>(), input).fine()
    };
    let warning = "\nNeutral points are open. Under these rules territory that touches them does not count: 'resume' and fill them first.\n";
    let done = run("japanese", "", b"score\npass\npass\ndone\n");
    assert!(done.contains("if the game ended now: 0\n") && done.contains(warning), "{done}");
    assert!(left(&done).ends_with("Black 0, White 0 (White has komi 0)\nDraw (0).\n"), "{done}");
    let filled = run("japanese", "", b"pass\npass\nresume\nE9\npass\npass\ndone\n");
    assert_eq!(filled.matches(warning).count(), 1, "{filled}");
    assert!(left(&filled).ends_with("Black 27, White 27 (White has komi 0)\nDraw (0).\n"), "{filled}");
    assert!(run("japanese", " --lang zh", b"pass\npass\n").contains("\n尚有单官未收。"));
    assert!(!run("chinese", "", b"pass\npass\ndone\n").contains("Neutral"), "area rules count stones");
}

#[test]
fn g4_boards_from_ten_rows_are_aligned_and_skip_the_letter_i() {
    session("board_13", "play go --size 13 --player random", "");
    session("board_19", "play go --player random --handicap 9 --seed 2 --quiet", "T19\n");
    session("board_25x7", "play go --size 25x7 --color both --player random", "Z7\n");
}

#[test]
fn g6_the_end_of_input_is_a_clean_end() {
    let place = Place::new("play-end-of-input");
    for (line, input) in [
        ("play go --size 5 --player random --seed 2", &b""[..]),
        ("play go --size 5 --player random --seed 2", b"C3\n"),
        // The last line has no newline and still counts.
        ("play go --size 5 --color both --player random", b"C3"),
        ("play go --size 5 --color both --player random --lang zh", b"C3"),
    ] {
        let text = place.run(&line.split(' ').collect::<Vec<_>>(), input).fine();
        let ended = if line.ends_with("zh") { "\n输入结束。\n" } else { "\nThe input has ended.\n" };
        assert!(text.ends_with(ended), "{text}");
        assert_eq!(text.contains('●'), !input.is_empty() || text.contains("Black(●)"), "{text}");
    }
    // While dead stones are marked: nobody has agreed to them, and the board is counted as it is.
    let line = "play go --size 7 --color both --player random --seed 1";
    let input = format!("{TWO_SIDES}pass\npass\n");
    let text = place.run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes()).fine();
    assert!(text.contains("dead or alive: \nThe input has ended.\n"), "{text}");
    assert!(text.ends_with("Black 12, White 19 (White has komi 7)\nWhite wins (W+7).\n"), "{text}");
}

#[test]
fn go_33_the_computer_says_what_it_plays_and_why() {
    let place = Place::new("play-reasons");
    let run = |more: &str, input: &str| {
        let line = format!("play go --size 7 --player uct:visits=60 --seed 5{more}");
        without_times(&place.run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes()).fine())
    };
    let text = run("", "D4\n");
    let after = text.split("White is thinking…\n").nth(1).expect("the computer's turn");
    let lines: Vec<&str> = after.lines().collect();
    let played = lines[0].strip_prefix("White plays ").and_then(|l| l.strip_suffix(" (# ms, 60 visits)"));
    let played = played.unwrap_or_else(|| panic!("{}", lines[0]));
    // `3 4 (D3)`: row, column, name.
    let fields: Vec<&str> = played.split(' ').collect();
    let (row, column): (usize, usize) = (fields[0].parse().expect("a row"), fields[1].parse().expect("a column"));
    assert_eq!(fields[2], format!("({}{row})", b"ABCDEFG"[column - 1] as char));
    let rate = lines[1].strip_prefix("  win rate ").unwrap_or_else(|| panic!("{}", lines[1]));
    assert!(rate.contains(" % ± ") && rate.ends_with(" points"), "{rate}");
    let reasons = lines[2..].iter().take_while(|l| l.starts_with("  ")).count();
    assert!((1..=2).contains(&reasons), "{after}");
    // The same seed, the same game; without reasons where they are not wanted.
    assert_eq!(run("", "D4\n"), text);
    let quiet = run(" --quiet", "D4\n");
    assert!(quiet.contains(lines[0]) && !quiet.contains("win rate"), "{quiet}");
    let chinese = run(" --lang zh", "D4\n");
    let expected = format!("白方思考中……\n白方落子 {played}（# 毫秒，60 次模拟）\n  胜率 ");
    assert!(chinese.contains(&expected), "{chinese}");
}

#[test]
fn hint_gives_the_best_moves_with_reasons_and_changes_nothing() {
    let place = Place::new("play-hint");
    let line = "play go --size 5 --color both --player uct:visits=400 --seed 5";
    // Black can take three stones with B4.
    let input = "A4\nA3\nB2\nB3\nC3\nA2\nA1\nE5\nhint\nundo\nquit\n";
    let text = place.run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes()).fine();
    let hint = text.split("Thinking…\n").nth(1).expect("a hint").split("Black(●) to play").next().expect("its end");
    let candidates: Vec<&str> = hint.lines().filter(|l| !l.starts_with(' ')).collect();
    // Moves the search never looked at are not shown.
    assert!((1..=3).contains(&candidates.len()), "{hint}");
    for candidate in &candidates {
        assert!(candidate.contains(" win rate ") && candidate.contains("  visits "), "{candidate}");
    }
    assert!(candidates[0].starts_with("B4 "), "the move that takes stones: {hint}");
    let reasons: Vec<&str> = hint.lines().filter_map(|l| l.strip_prefix("      · ")).collect();
    assert!(reasons.contains(&"it captures 3 stones at B3"), "{hint}");
    assert!(hint.lines().nth(1).is_some_and(|l| l.starts_with("      · ")), "reasons are given for the best: {hint}");
    // Undo takes back the one move before the hint, not more.
    let undone = text.split("Taken back.\n").nth(1).expect("an undo");
    assert!(undone.contains("White(○) to play") && undone.contains(" 2 ○ ● + + + 2"), "{undone}");
    let chinese = place.run(&format!("{line} --lang zh").split(' ').collect::<Vec<_>>(), input.as_bytes()).fine();
    assert!(chinese.contains("      · 提掉 B3 的 3 子\n"), "{chinese}");
}

#[test]
fn a_player_that_cannot_play_is_refused_before_the_start() {
    let place = Place::new("play-unsuitable");
    for seats in ["none", "both", "1"] {
        let ran = place.say(&format!("play kuhn --color {seats} --player alphabeta:visits=10 --seed 1"));
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        let sentence = "kiebitz: player 'alphabeta' cannot play kuhn: the game hides information; pimc and ismcts search over the worlds that may be true\n";
        assert_eq!(ran.stderr, sentence);
    }
}

#[test]
fn hidden_cards_stay_hidden_until_the_end() {
    let place = Place::new("play-hidden");
    for seed in 1..=6 {
        let line = format!("play kuhn --color 2 --seed {seed} --player ismcts:visits=300 --save live.jsonl --force");
        let ran = place.run(&line.split(' ').collect::<Vec<_>>(), b"save part.jsonl\n");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        // The computer says what it does, not what it thinks of its card.
        assert!(ran.stdout.contains(" visits)\n") && !ran.stdout.contains('%'), "{}", ran.stdout);
        assert!(ran.stdout.contains("not saved: kuhn hides cards"), "{}", ran.stdout);
        assert!(!place.path("part.jsonl").exists() && !place.path("live.jsonl").exists());
    }
    // At the end it is written, over the file that --force allows to replace.
    place.write("live.jsonl", "old");
    let line = "play kuhn --color both --seed 1 --player ismcts:visits=300 --save live.jsonl --force";
    place.run(&line.split(' ').collect::<Vec<_>>(), b"pass\npass\n").fine();
    assert!(place.read("live.jsonl").starts_with("{\"kiebitz\":1"), "{}", place.read("live.jsonl"));
}

#[test]
fn both_seats_by_computer_play_to_the_end() {
    let place = Place::new("play-none");
    for rules in ["chinese", "tromp-taylor", "japanese", "aga-button"] {
        let line =
            format!("play go --size 5 --color none --player uct:visits=20 --seed 3 --quiet --rules ruleset={rules}");
        let text = without_times(&place.say(&line).fine());
        assert!(text.contains("\nThe game is over.\nBlack "), "{text}");
        let last = text.lines().last().expect("a last line");
        assert!(last == "Draw (0)." || last.contains(" wins ("), "{last}");
        assert_eq!(without_times(&place.say(&line).fine()), text, "the same seed, the same game");
        assert!(!text.contains("your move"), "nobody is asked");
    }
    let random = place.say("play go --size 9 --color none --player random --seed 11 --lang zh --quiet").fine();
    assert!(random.contains("\n对局结束。\n黑方 "), "{random}");
}

#[test]
fn go_14_g8_komi_is_a_parameter() {
    let place = Place::new("play-komi");
    for (flags, title, score) in [
        ("--size 5", "board 5x5, chinese rules, komi 7", "Black 0, White 7 (White has komi 7)\nWhite wins (W+7)."),
        (
            "--size 5 --komi 6.5",
            "board 5x5, chinese rules, komi 6.5",
            "Black 0, White 6.5 (White has komi 6.5)\nWhite wins (W+6.5).",
        ),
        ("--size 5 --komi 0", "board 5x5, chinese rules, komi 0", "Black 0, White 0 (White has komi 0)\nDraw (0)."),
        (
            "--size 5 --komi -3.5",
            "board 5x5, chinese rules, komi -3.5",
            "Black 0, White -3.5 (White has komi -3.5)\nBlack wins (B+3.5).",
        ),
        ("", "board 19x19, chinese rules, komi 7.5", "Black 0, White 7.5 (White has komi 7.5)\nWhite wins (W+7.5)."),
        (
            "--rules ruleset=japanese",
            "board 19x19, japanese rules, komi 6.5",
            "Black 0, White 6.5 (White has komi 6.5)\nWhite wins (W+6.5).",
        ),
    ] {
        let line = format!("play go {flags} --color both --player random");
        let text = place.run(&line.split_whitespace().collect::<Vec<_>>(), b"pass\nPASS\ndone\n").fine();
        assert_eq!(text.lines().nth(1), Some(title));
        assert!(left(&text).ends_with(&format!("The game is over.\n{score}\n")), "{text}");
    }
}

#[test]
fn resignation_decides_whatever_the_board_says() {
    let place = Place::new("play-resign");
    let run = |lang: &str| {
        let line = format!("play go --size 5 --color both --player random --lang {lang}");
        place.run(&line.split(' ').collect::<Vec<_>>(), b"C3\nresign\n").fine()
    };
    let english = run("en");
    assert!(left(&english).ends_with("The game is over.\nWhite resigns.\nBlack wins (B+R).\n"), "{english}");
    assert!(left(&run("zh")).ends_with("对局结束。\n白方认输。\n黑方胜（B+R）。\n"));
}

#[test]
fn a_saved_game_goes_on_where_it_stood() {
    let place = Place::new("play-save");
    let files = ["game.sgf", "game.jsonl", "game.jsonl.gz"];
    let saves: String = files.iter().map(|f| format!("save {f}\n")).collect();
    let line = "play go --size 9 --komi 5.5 --color both --player random --seed 4 --rules ruleset=japanese";
    let text =
        place.run(&line.split(' ').collect::<Vec<_>>(), format!("D4\nF6\npass\nC3\n{saves}quit\n").as_bytes()).fine();
    assert_eq!(text.matches("Saved as game").count(), 3);
    assert_eq!(
        place.read("game.sgf"),
        "(;GM[1]FF[4]CA[UTF-8]AP[kiebitz:0.1.0]SZ[9]KM[5.5]RU[Japanese]PB[person]PW[person]\n;B[df];W[fd];B[];W[cg])\n"
    );
    assert_eq!(
        place.read("game.jsonl"),
        "{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":9,\"ruleset\":\"japanese\",\"komi\":5.5},\"seed\":4,\
         \"names\":[\"person\",\"person\"]}\n{\"by\":0,\"action\":\"D4\"}\n{\"by\":1,\"action\":\"F6\"}\n\
         {\"by\":0,\"action\":\"pass\"}\n{\"by\":1,\"action\":\"C3\"}\n"
    );
    let packed = std::fs::read(place.path("game.jsonl.gz")).expect("a file");
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    let board = text.split("your move: ").nth(4).expect("a board").split("White").next();
    for file in files {
        // The whole game: Black is to move.
        let on = place.run(&["play", "go", "--from", file, "--color", "both", "--player", "random"], b"").fine();
        assert!(on.contains("board 9x9, japanese rules, komi 5.5\n"), "{on}");
        assert!(on.contains(" 3 + +(○)+ + + + + + 3\n") && on.contains("Black(●) to play"), "{file}: {on}");
        assert!(board.is_some_and(|b| b.contains("Black")), "{text}");
        // After two moves, and on from there.
        let arguments = ["play", "go", "--from", file, "--move", "2", "--color", "both", "--player", "random"];
        let on = place.run(&arguments, b"E5\nundo\nundo\nundo\nundo\n").fine();
        assert!(on.contains(" 6 + + + + +(○)+ + + 6\n") && on.contains(" 5 + + + +(●)+ + + + 5\n"), "{on}");
        assert_eq!(on.matches("Taken back.").count(), 3, "to the first move of the file: {on}");
        assert_eq!(on.matches("There is nothing to take back.").count(), 1);
    }
}

#[test]
fn going_on_from_a_file_keeps_what_it_says_besides_the_moves() {
    let place = Place::new("play-keep");
    place.write(
        "old.jsonl",
        "{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":9},\"date\":\"2026-01-02\",\"mood\":\"good\",\"result\":\"W+R\"}\n\
         {\"by\":0,\"action\":\"d4\",\"comment\":\"my favourite\",\"clock_ms\":1200}\n{\"by\":1,\"action\":\"E5\",\"comment\":\"oh\"}\n",
    );
    let arguments = ["play", "go", "--from", "old.jsonl", "--color", "both", "--player", "random"];
    place.run(&arguments, b"undo\nC3\nsave new.jsonl\nsave new.sgf\n").fine();
    assert_eq!(
        place.read("new.jsonl"),
        "{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":9},\"seed\":0,\"date\":\"2026-01-02\",\"mood\":\"good\",\
         \"names\":[\"person\",\"person\"]}\n{\"by\":0,\"action\":\"d4\",\"comment\":\"my favourite\",\"clock_ms\":1200}\n\
         {\"by\":1,\"action\":\"C3\"}\n"
    );
    assert!(
        place.read("new.sgf").ends_with("DT[2026-01-02]\n;B[df]C[my favourite];W[cg])\n"),
        "{}",
        place.read("new.sgf")
    );
}

#[test]
fn save_flag_writes_every_step() {
    let place = Place::new("play-autosave");
    let line = "play go --size 5 --color both --player random --seed 6 --save live.sgf";
    let text = place.run(&line.split(' ').collect::<Vec<_>>(), b"C3\nB2\nundo\nresign\n").fine();
    assert!(!text.contains("not saved"), "{text}");
    let head = "(;GM[1]FF[4]CA[UTF-8]AP[kiebitz:0.1.0]SZ[5]KM[7]RU[Chinese]PB[person]PW[person]";
    assert_eq!(place.read("live.sgf"), format!("{head}RE[B+R]\n;B[cc])\n"));
    // It is there before the first move, and again it is not replaced unasked.
    assert_eq!(place.say(line).status, 2);
    place.run(&format!("{line} --force").split(' ').collect::<Vec<_>>(), b"").fine();
    assert_eq!(place.read("live.sgf"), format!("{head})\n"));
    assert!(!place.path("live.sgf.part").exists());
    // The agreed dead stones and the result are written too.
    let line = "play go --size 7 --color both --player random --seed 1 --save end.jsonl";
    place.run(&line.split(' ').collect::<Vec<_>>(), format!("{TWO_SIDES}pass\npass\ndone\n").as_bytes()).fine();
    let saved = place.read("end.jsonl");
    assert!(saved.contains("\"result\":\"W+7\""), "{saved}");
    assert!(saved.ends_with("{\"by\":0,\"event\":\"dead\",\"stones\":[\"A2\",\"G6\"]}\n"), "{saved}");
    // Read again, the game is over and nobody is asked again.
    let again = place.say("play go --from end.jsonl --color both --player random").fine();
    assert!(left(&again).ends_with("White wins (W+7).\n") && !again.contains("dead or alive"), "{again}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    for arguments in [
        vec!["play", "go", "--size", "9", "--color", "none", "--player", "random", "--seed", "1"],
        vec!["games"],
        vec!["replay", "--facts", "game.jsonl"],
    ] {
        let place = Place::new("play-pipe");
        let moves: String = (0..300).map(|i| format!("{{\"by\":{},\"action\":\"pass\"}}\n", i % 2)).collect();
        let setups =
            moves.replace("{\"by\":1,\"action\":\"pass\"}", "{\"by\":\"setup\",\"setup\":{\"to_move\":\"black\"}}");
        place.write("game.jsonl", format!("{{\"kiebitz\":1,\"game\":\"go\",\"players\":2}}\n{setups}"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_kiebitz"))
            .args(&arguments)
            .current_dir(place.path("."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}
