//! Bad input: exit status 2 and one sentence that says what was wrong, where, and what would be right.

mod session;

use session::Place;

/// The files the table names.
fn files(test: &str) -> Place {
    let place = Place::new(test);
    std::fs::create_dir(place.path("folder")).expect("a directory");
    let record = |rest: &str| format!("{{\"kiebitz\":1,\"game\":\"go\",\"players\":2{rest}");
    place
        .write("empty.sgf", "")
        .write("blank.sgf", " \n\t\n")
        .write("text.txt", "1. e4 e5\n")
        .write("binary.sgf", b"\x00\x01\x02\xff\xfe\x80 (not a game)")
        .write("broken.sgf.gz", b"\x1f\x8b\x08\x00 this is no stream")
        .write("othello.sgf", "(;GM[2]FF[4]SZ[8];B[aa])")
        .write("chess.sgf", "(;GM[3]FF[4];B[aa])")
        .write("size26.sgf", "(;GM[1]FF[4]SZ[26];B[aa])")
        .write("size_text.sgf", "(;GM[1]FF[4]\nSZ[nine];B[aa])")
        .write("unclosed.sgf", "(;GM[1]FF[4]SZ[9];B[aa];W[bb]")
        .write("occupied.sgf", "(;GM[1]FF[4]SZ[9];B[ee];W[dd]\n;B[dd])")
        .write("three_passes.sgf", "(;GM[1]FF[4]SZ[9];B[];W[];B[ee])")
        .write("suicide.sgf", "(;GM[1]FF[4]SZ[5]RU[Chinese]AW[ab][ba];B[aa])")
        .write("no_liberty.sgf", "(;GM[1]FF[4]SZ[2]AB[aa][ab][ba]AW[bb])")
        .write("off_board.sgf", "(;GM[1]FF[4]SZ[9];B[kk])")
        .write("notes", "milk, bread\n")
        .write("fine.sgf", "(;GM[1]FF[4]SZ[9];B[aa];W[bb])")
        .write("no_header.jsonl", "{\"game\":\"go\",\"players\":2}\n")
        .write("version.jsonl", "{\"kiebitz\":2,\"game\":\"go\",\"players\":2}\n")
        .write("chess.jsonl", "{\"kiebitz\":1,\"game\":\"chess\",\"players\":2}\n")
        .write("three.jsonl", "{\"kiebitz\":1,\"game\":\"go\",\"players\":3}\n")
        .write("ten.jsonl", "{\"kiebitz\":1,\"game\":\"go\",\"players\":10}\n")
        .write("rules.jsonl", record(",\"rules\":{\"wall\":\"grey\"}}\n"))
        .write("size.jsonl", record(",\"rules\":{\"size\":[9,0]}}\n"))
        .write("setup.jsonl", record(",\"rules\":{\"size\":9},\"setup\":{\"black\":[\"K10\"]}}\n"))
        .write("twice.jsonl", record(",\"setup\":{\"black\":[\"D4\"],\"white\":[\"D4\"]}}\n"))
        .write("cut.jsonl", record("}\n{\"by\":0,\"action\":\"D4\"\n{\"by\":1,\"action\":\"D5\"}\n"))
        .write("list.jsonl", record("}\n[0,\"D4\"]\n"))
        .write("by.jsonl", record("}\n{\"by\":2,\"action\":\"D4\"}\n"))
        .write("no_by.jsonl", record("}\n{\"action\":\"D4\"}\n"))
        .write("both.jsonl", record("}\n{\"by\":0,\"action\":\"D4\",\"event\":\"resign\"}\n"))
        .write("letter_i.jsonl", record("}\n\n{\"by\":0,\"action\":\"I5\"}\n"))
        .write("masked.jsonl", record("}\n{\"by\":0,\"action\":\"?\"}\n"))
        .write("occupied.jsonl", record("}\n{\"by\":0,\"action\":\"D4\"}\n{\"by\":1,\"action\":\"D4\"}\n"))
        .write("chance.jsonl", record("}\n{\"by\":\"chance\",\"action\":\"D4\"}\n"))
        .write("event.jsonl", record("}\n{\"by\":0,\"event\":\"dance\"}\n"))
        .write("dead.jsonl", record("}\n{\"by\":0,\"event\":\"dead\",\"stones\":[]}\n"))
        .write("over.jsonl", record("}\n{\"by\":0,\"event\":\"resign\"}\n{\"by\":1,\"action\":\"D4\"}\n"))
        .write(
            "ended.jsonl",
            record(",\"rules\":{\"size\":9}}\n{\"by\":0,\"action\":\"pass\"}\n{\"by\":1,\"action\":\"pass\"}\n"),
        )
        .write("fine.jsonl", record(",\"rules\":{\"size\":9}}\n{\"by\":0,\"action\":\"D4\"}\n"))
        .write(
            "tictactoe.jsonl",
            "{\"kiebitz\":1,\"game\":\"tictactoe\",\"players\":2}\n{\"by\":0,\"action\":\"b2\"}\n",
        );
    place
}

const GO_RULES: &str = "size, komi, ruleset, handicap, ko, scoring, tax, suicide, button, friendly_pass, white_bonus";
const RULESETS: &str = "tromp-taylor, chinese, chinese-ogs, chinese-kgs, japanese, korean, stone-scoring, aga, bga, new-zealand, aga-button";
const DURATION: &str = "it must be a duration such as 500ms, 1.5s or 2m, from 1ms to one day";
const NO_GAME: &str = "this is neither a record (JSON Lines whose first line begins with {\"kiebitz\":1) nor SGF (which begins with \"(;\")";

/// The names `kiebitz games` lists.
fn known(place: &Place) -> (String, String) {
    let games: serde_json::Value = serde_json::from_str(&place.say("games --json").fine()).expect("JSON");
    let join = |list: Vec<&str>| list.join(", ");
    let names = |key: &str| games[key].as_array().expect("a list").clone();
    (
        join(names("games").iter().map(|g| g["game"].as_str().expect("a name")).collect()),
        join(names("players").iter().map(|p| p.as_str().expect("a name")).collect()),
    )
}

#[test]
fn bad_files_are_refused_with_one_sentence() {
    let place = files("bad-files");
    let (games, _) = known(&place);
    let rows: &[(&str, String)] = &[
        ("replay nowhere.sgf", "nowhere.sgf: there is no such file".into()),
        ("replay folder", "folder is a directory: name a file".into()),
        ("replay /dev/zero", "/dev/zero is not an ordinary file: name another".into()),
        ("analyze /dev/null", "/dev/null is not an ordinary file: name another".into()),
        ("replay empty.sgf", "empty.sgf: the file is empty".into()),
        ("replay blank.sgf", "blank.sgf: the file is empty".into()),
        ("replay text.txt", format!("text.txt: {NO_GAME}")),
        ("replay binary.sgf", format!("binary.sgf: {NO_GAME}")),
        ("replay broken.sgf.gz", "broken.sgf.gz: the file looks like gzip but cannot be unpacked; save it again".into()),
        (
            "replay othello.sgf",
            "othello.sgf: line 1, column 3 (byte 2), property GM: game tree 1 is a game of Othello, not of Go: expected GM[1]".into(),
        ),
        (
            "replay chess.sgf",
            "chess.sgf: line 1, column 3 (byte 2), property GM: game tree 1 is a game of chess, not of Go: expected GM[1]".into(),
        ),
        (
            "replay size26.sgf",
            "size26.sgf: line 1, column 13 (byte 12), property SZ: `26` is no board size: expected 1 to 25, or two such numbers as in 13:9".into(),
        ),
        (
            "replay size_text.sgf",
            "size_text.sgf: line 2, column 1 (byte 13), property SZ: `nine` is no board size: expected 1 to 25, or two such numbers as in 13:9".into(),
        ),
        (
            "replay --strict unclosed.sgf",
            "unclosed.sgf: refused in strict mode: line 1, column 30 (byte 29): the file ends with 1 open `(`, so the missing `)` were added".into(),
        ),
        (
            "replay --strict off_board.sgf",
            "off_board.sgf: refused in strict mode: line 1, column 19 (byte 18), property B: `kk` is off the 9x9 board and was ignored".into(),
        ),
        (
            "replay --strict occupied.sgf",
            "occupied.sgf: move 3 (black D6) at line 2 is illegal: D6 is occupied by a white stone".into(),
        ),
        (
            "replay --strict three_passes.sgf",
            "three_passes.sgf: move 3 (black E5) at line 1 is illegal: the game is over, no action is possible".into(),
        ),
        (
            "replay --strict suicide.sgf",
            "suicide.sgf: move 1 (black A5) at line 1 is illegal: A5 is forbidden for black: the stone would have no liberty and takes nothing".into(),
        ),
        (
            "replay --strict no_liberty.sgf",
            "no_liberty.sgf: the set-up at line 1 is impossible: a chain would have no liberty".into(),
        ),
        (
            "replay no_header.jsonl",
            "no_header.jsonl: line 1: the first line must be a header with \"kiebitz\":1, \"game\" and \"players\"".into(),
        ),
        ("replay version.jsonl", "version.jsonl: line 1: record version 2 is not known, this build reads version 1".into()),
        ("replay chess.jsonl", format!("chess.jsonl: line 1: no game is called 'chess'; there are: {games}")),
        ("replay three.jsonl", "three.jsonl: line 1: go is for 2 players, not for 3".into()),
        ("replay ten.jsonl", "ten.jsonl: line 1: \"players\" must be a number from 1 to 6".into()),
        ("replay rules.jsonl", format!("rules.jsonl: line 1: Go has no rule 'wall'; there are: {GO_RULES}")),
        (
            "replay size.jsonl",
            "size.jsonl: line 1: size is [9,0], it must be a number from 1 to 25 or [width,height] with both from 1 to 25".into(),
        ),
        ("replay setup.jsonl", "setup.jsonl: line 1: `K10` is off the 9x9 board, in the set-up".into()),
        ("replay twice.jsonl", "twice.jsonl: line 1: D4 is named twice in the set-up".into()),
        ("replay cut.jsonl", "cut.jsonl: line 2: this is not JSON: EOF while parsing an object at column 21".into()),
        ("replay list.jsonl", "list.jsonl: line 2: a line must be a JSON object {…}".into()),
        ("replay by.jsonl", "by.jsonl: line 2: \"by\" is 2, it must be a player from 0 to 1, \"chance\" or \"setup\"".into()),
        ("replay no_by.jsonl", "no_by.jsonl: line 2: \"by\" is missing: a player's number, \"chance\" or \"setup\"".into()),
        ("replay both.jsonl", "both.jsonl: line 2: a line has exactly one of \"action\", \"event\" and \"setup\"".into()),
        ("replay letter_i.jsonl", "letter_i.jsonl: line 3: `I5` is no move: columns have no letter I, after H comes J".into()),
        ("replay masked.jsonl", "masked.jsonl: line 2: `?` is no move: expected a letter and a number such as D4, or pass".into()),
        ("replay occupied.jsonl", "occupied.jsonl: line 3: D4 is occupied by a black stone".into()),
        ("replay chance.jsonl", "chance.jsonl: line 2: it is the turn of player 0, not of chance".into()),
        ("replay event.jsonl", "event.jsonl: line 2: Go has no event 'dance'; there are: dead, resume, resign, timeout".into()),
        ("replay dead.jsonl", "dead.jsonl: line 2: dead stones can be agreed only after two passes".into()),
        ("replay over.jsonl", "over.jsonl: line 3: the game is over, no action is possible".into()),
        ("replay --check nowhere.sgf", "nowhere.sgf: there is no such file".into()),
        ("analyze nowhere.sgf", "nowhere.sgf: there is no such file".into()),
        ("analyze chess.jsonl", format!("chess.jsonl: line 1: no game is called 'chess'; there are: {games}")),
        ("play go --from folder", "folder is a directory: name a file".into()),
        ("play go --from tictactoe.jsonl", "tictactoe.jsonl: this is a game of tictactoe, not of go".into()),
    ];
    refuse(&place, rows);
}

#[test]
fn bad_flags_are_refused_with_one_sentence() {
    let place = files("bad-flags");
    let (games, players) = known(&place);
    let uct = "visits, time, seed, rave, rave-k, rave-bias, prior-form, prior-wins, widen, widen-power, early, threads, parallel, vloss, expand, memory, early-stop, reuse, eval, c, fpu, prior, bias";
    let go = "playouts, play-save, play-capture, play-nakade, play-shape, play-hunt, play-safe, play-ladder, mercy, prior-gammas, prior-capture, prior-escape, prior-self-atari, prior-atari, prior-short, prior-border, prior-distance, prior-pattern, prior-ladder";
    let spec = "is not of the form name or name:key=value,key=value";
    let whole = "it must be a whole number from 0 to";
    let rows: &[(&str, String)] = &[
        ("dance", format!("no command is called 'dance'; there are: {}", commands(&place))),
        ("go nope", "no command of 'go' is called 'nope'; there are: fit-patterns".into()),
        ("--lang zh play go", "--lang goes after the command: kiebitz play … --lang".into()),
        ("--dance play go", "there is no option --dance; 'kiebitz play --help' lists the options".into()),
        ("--dance", "there is no option --dance; 'kiebitz --help' lists the options".into()),
        ("play", "<GAME> is missing; 'kiebitz play --help' says what goes where".into()),
        ("play chess", format!("no game is called 'chess'; there are: {games}")),
        ("play go now", "'now' is one argument too many; 'kiebitz play --help' says what there is".into()),
        ("play go --dance", "there is no option --dance; 'kiebitz play --help' lists the options".into()),
        ("play go --colr black", "there is no option --colr; did you mean --color?".into()),
        ("play go --komi", "--komi needs a value: --komi <POINTS>".into()),
        ("play go --komi nan", "--komi nan: it must be a number of points such as 6.5".into()),
        ("play go --komi inf", "--komi inf: it must be a number of points such as 6.5".into()),
        ("play go --komi six", "--komi six: it must be a number of points such as 6.5".into()),
        ("play go --komi 1e9", "komi is 1000000000.0, it must be a multiple of 0.25 between -10000 and 10000".into()),
        ("play go --komi 6.3", "komi is 6.3, it must be a multiple of 0.25 between -10000 and 10000".into()),
        (
            "play go --size 0",
            "size is 0, it must be a number from 1 to 25 or [width,height] with both from 1 to 25".into(),
        ),
        (
            "play go --size 26",
            "size is 26, it must be a number from 1 to 25 or [width,height] with both from 1 to 25".into(),
        ),
        (
            "play go --size 9x26",
            "size is \"9x26\", it must be a number from 1 to 25 or [width,height] with both from 1 to 25".into(),
        ),
        ("play go --size 9x", "--size 9x: it must be a number such as 13, or width and height such as 9x7".into()),
        ("play go --size -9", "--size -9: it must be a number such as 13, or width and height such as 9x7".into()),
        (
            "play go --size 9,komi=3",
            "--size 9,komi=3: it must be a number such as 13, or width and height such as 9x7".into(),
        ),
        ("play go --size 9 --size 13", "--size is given twice; leave one out".into()),
        ("play go --size 9 --rules size=13", "--size and --rules size=… say the same thing; leave one out".into()),
        (
            "play go --handicap 99",
            "there is no fixed handicap of 99 stones on 19x19: it has at most 9; a set-up can place them".into(),
        ),
        (
            "play go --handicap 2 --size 5",
            "there is no fixed handicap of 2 stones on 5x5: it has none; a set-up can place them".into(),
        ),
        ("play go --handicap -1", format!("--handicap -1: {whole} 625")),
        ("play go --rules ruleset=cheese", format!("ruleset is \"cheese\", it must be one of: {RULESETS}")),
        ("play go --rules wall=grey", format!("Go has no rule 'wall'; there are: {GO_RULES}")),
        (
            "play go --rules ko=maybe",
            "ko is \"maybe\", it must be one of: simple, positional, situational, natural".into(),
        ),
        ("play go --rules suicide=2", "suicide is 2, it must be true or false".into()),
        ("play go --rules size", "--rules: 'size' is not of the form key=value".into()),
        ("play go --rules size=9,", "--rules: '' is not of the form key=value".into()),
        ("play go --rules size=9,size=13", "--rules: 'size' is given twice".into()),
        ("play go --players 3", "go is for 2 players, not for 3".into()),
        ("play go --players 0", "--players 0: it must be a whole number from 1 to 6".into()),
        ("play go --players two", "--players two: it must be a whole number from 1 to 6".into()),
        ("play go --seed -1", format!("--seed -1: {whole} 18446744073709551615")),
        ("play go --color green", "--color green: it must be black, white, both or none".into()),
        ("play tictactoe --color 3", "--color 3: it must be a number from 1 to 2, both or none".into()),
        ("play tictactoe --size 3", "--size is for go, not for tictactoe".into()),
        ("play go --lang xx", "--lang: no language is called 'xx'; there are: en, zh".into()),
        ("play go --time 0", format!("--time 0: {DURATION}")),
        ("play go --time -1s", format!("--time -1s: {DURATION}")),
        ("play go --player alphago", format!("no player is called 'alphago'; there are: {players}")),
        ("play go --player uct:foo=1", format!("player 'uct' has no setting 'foo'; it has: {uct}, {go}")),
        ("play go --player uct:", format!("--player: player 'uct:' {spec}: '' has no =")),
        ("play go --player uct:visits", format!("--player: player 'uct:visits' {spec}: 'visits' has no =")),
        ("play go --player uct:c=1,c=2", format!("--player: player 'uct:c=1,c=2' {spec}: 'c' is given twice")),
        ("play go --player uct:time=0", format!("player 'uct': time=0 cannot be used, {DURATION}")),
        (
            "play go --player uct:visits=-1",
            "player 'uct': visits=-1 cannot be used, it must be a whole number from 1 to 1099511627776".into(),
        ),
        (
            "play go --player uct:threads=0",
            "player 'uct': threads=0 cannot be used, it must be a whole number from 1 to 256".into(),
        ),
        (
            "play go --player uct:rave=maybe",
            "player 'uct': rave=maybe cannot be used, it must be one of mse, off, hand".into(),
        ),
        (
            "play go --player uct:c=nan",
            "player 'uct': c=nan cannot be used, it must be a number from 0 to 1000000".into(),
        ),
        (
            "play go --player best:level=11",
            "player 'best': level=11 cannot be used, it must be a whole number from 1 to 10".into(),
        ),
        ("play go --move 3", "--move 3 goes with --from FILE".into()),
        ("play go --from fine.sgf --move 3", "--move 3: fine.sgf has only 2 moves".into()),
        ("play go --from fine.jsonl --move 2", "--move 2: fine.jsonl has only 1 move".into()),
        ("play go --from fine.sgf --komi 7", "--komi does not go with --from: the file says it; leave it out".into()),
        ("play go --force", "--force goes with --save FILE".into()),
        (
            "play go --save notes --force",
            "--save: notes has no ending that says it is a game, so it is not replaced; the endings are .sgf (Go), .jsonl and .jsonl.gz".into(),
        ),
        ("play go --save fine.sgf", "--save: fine.sgf exists already; choose another name, or add --force".into()),
        ("play go --save folder", "--save: folder is a directory; name a file".into()),
        ("play go --save no/x.sgf", "--save: there is no directory no; make it first or choose another name".into()),
        (
            "play tictactoe --save x.sgf",
            "--save: x.sgf ends in .sgf, but SGF is for Go; save tictactoe as .jsonl or .jsonl.gz".into(),
        ),
        (
            "play tictactoe --save x.txt",
            "--save: x.txt has an ending that is no format of games here; the endings are .sgf (Go), .jsonl and .jsonl.gz".into(),
        ),
        (
            "play go --save x.sgf.gz",
            "--save: x.sgf.gz has an ending that is no format of games here; the endings are .sgf (Go), .jsonl and .jsonl.gz".into(),
        ),
        (
            "play paodekuai --save x.sgf",
            "--save: x.sgf ends in .sgf, but SGF is for Go; save paodekuai as .jsonl or .jsonl.gz".into(),
        ),
        ("gtp --lag -1s", format!("--lag -1s: {DURATION}")),
        ("gtp --time -1s", format!("--time -1s: {DURATION}")),
        ("perft tictactoe -1", "<DEPTH> -1: it must be a whole number from 1 to 255".into()),
        (
            "match tictactoe random random --journal /dev/zero",
            "the journal /dev/zero is not an ordinary file: name another".into(),
        ),
        ("serve --data fine.sgf", "--data: fine.sgf is not a folder: name one".into()),
        ("serve --dev fine.sgf", "--dev: fine.sgf is not a folder: name one".into()),
        ("serve --dev nowhere", "--dev: there is no folder nowhere".into()),
        ("serve --dev folder", "--dev: folder has no index.html: name the folder of the page".into()),
        (
            "serve --trusted-proxy foo",
            "--trusted-proxy foo: it must be an IP address such as 127.0.0.1 or ::1, without a port".into(),
        ),
        ("replay", "<FILE>... is missing; 'kiebitz replay --help' says what goes where".into()),
        ("replay --check --facts fine.sgf", "--check and --facts do not go together; leave one out".into()),
        ("replay --move 3 fine.sgf", "--move 3: fine.sgf has only 2 moves".into()),
        ("replay --move x fine.sgf", format!("--move x: {whole} 1000000")),
        ("analyze fine.sgf --move 3", "--move 3: fine.sgf has only 2 moves".into()),
        ("analyze fine.sgf --move -1", format!("--move -1: {whole} 1000000")),
        (
            "analyze ended.jsonl --move 2",
            "--move 2: the game is over there in ended.jsonl; choose a position where a player moves".into(),
        ),
        ("analyze fine.sgf --from 3", "--from 3: fine.sgf has only 2 moves".into()),
        ("analyze fine.sgf --from 0", "--from 0: it must be a whole number from 1 to 1000000".into()),
        ("analyze fine.sgf --from 2 --to 1", "--to 1 is before --from 2; give the first and the last move".into()),
        ("analyze fine.sgf --move 1 --to 1", "--move and --to do not go together; leave one out".into()),
        ("analyze fine.sgf --force", "--force goes with --sgf FILE".into()),
        (
            "analyze fine.sgf --sgf fine.sgf",
            "--sgf: fine.sgf exists already; choose another name, or add --force".into(),
        ),
        (
            "analyze fine.sgf --sgf no/x.sgf",
            "--sgf: there is no directory no; make it first or choose another name".into(),
        ),
        ("analyze tictactoe.jsonl --sgf x.sgf", "--sgf is for go, not for tictactoe".into()),
        ("analyze fine.sgf --player nobody", format!("no player is called 'nobody'; there are: {players}")),
        ("games --lang de", "--lang: no language is called 'de'; there are: en, zh".into()),
    ];
    refuse(&place, rows);
}

/// The names of the subcommands, as the page of help lists them.
fn commands(place: &Place) -> String {
    let help = place.say("--help").fine();
    let list = help.split("Commands:\n").nth(1).expect("a list").split("\n\n").next().expect("its end").to_owned();
    let names: Vec<&str> = list.lines().filter_map(|l| l.split_whitespace().next()).filter(|n| *n != "help").collect();
    names.join(", ")
}

#[track_caller]
fn refuse(place: &Place, rows: &[(&str, String)]) {
    let mut wrong = Vec::new();
    for (line, sentence) in rows {
        let ran = place.say(line);
        let expected = format!("kiebitz: {sentence}\n");
        if (ran.status, ran.stderr.as_str(), ran.stdout.as_str()) != (2, &expected, "") {
            wrong.push(format!(
                "{line}\n  expected 2 {expected:?}\n  found    {} {:?} {:?}",
                ran.status, ran.stderr, ran.stdout
            ));
        }
        assert!(!ran.stderr.contains("os error") && !ran.stderr.contains("error:"), "{line}: {}", ran.stderr);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows.len() >= 40, "the table is long");
}

#[test]
fn values_with_blanks_and_control_characters_stay_on_one_line() {
    let place = files("bad-values");
    for (arguments, sentence) in [
        (
            vec!["play", "go", "--size", ""],
            "--size '': it must be a number such as 13, or width and height such as 9x7",
        ),
        (vec!["play", "go", "--komi", "6 1/2"], "--komi '6 1/2': it must be a number of points such as 6.5"),
        (vec!["play", "a\nb"], "no game is called 'a b'; there are: "),
        (vec!["play", "go", "a\nb"], "'a b' is one argument too many; 'kiebitz play --help' says what there is"),
    ] {
        let ran = place.run(&arguments, b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.starts_with(&format!("kiebitz: {sentence}")), "{arguments:?}: {:?}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{arguments:?}: {:?}", ran.stderr);
    }
    let long = "x".repeat(10_000);
    for arguments in [vec!["play", &long], vec!["play", "go", &long], vec!["play", "go", "--rules", &long]] {
        let ran = place.run(&arguments, b"");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.len() < 400, "{}", ran.stderr);
    }
}

/// A full disk is told of whatever is printed: help too.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_told() {
    for arguments in [&["--help"][..], &["--version"], &["play", "--help"], &["games"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kiebitz"));
        let ran = command.args(arguments).stdout(full).output().expect("it runs");
        let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors, "kiebitz: the output cannot be written: no storage space\n", "{arguments:?}");
    }
}

/// Only a tolerant reading warns and goes on.
#[test]
fn odd_files_are_read_with_a_warning() {
    let place = files("odd-files");
    for (file, warning) in [
        ("unclosed.sgf", "line 1, column 30 (byte 29): the file ends with 1 open `(`, so the missing `)` were added"),
        ("off_board.sgf", "line 1, column 19 (byte 18), property B: `kk` is off the 9x9 board and was ignored"),
        ("occupied.sgf", "move 3 (black D6) at line 2 is illegal and was executed: D6 is occupied by a white stone"),
        (
            "three_passes.sgf",
            "move 3 (black E5) at line 1 is illegal and was executed: the game is over, no action is possible",
        ),
        (
            "suicide.sgf",
            "move 1 (black A5) at line 1 is illegal and was executed: A5 is forbidden for black: the stone would have no liberty and takes nothing",
        ),
        ("no_liberty.sgf", "the set-up at line 1 leaves chains without liberties; they were removed"),
    ] {
        let ran = place.say(&format!("replay {file}"));
        assert_eq!((ran.status, ran.stderr), (0, format!("warning: {file}: {warning}\n")), "{file}");
    }
}

/// Lines typed in a game that is going on, with the answer of the program. Black has D3 before each.
#[test]
fn go_32_bad_lines_in_the_terminal_are_answered_with_one_sentence() {
    let place = files("bad-lines");
    let form = "format error, retry: type a point such as D4, row and column such as 3 4, or pass";
    let number = "please enter a number: row and column, such as 3 4";
    let off = |text: &str| {
        format!("illegal move, retry: {text} is not on the board of 9 columns (letters without I) and 9 rows")
    };
    let rows: Vec<(String, String)> = vec![
        ("foo".into(), form.into()),
        ("1 2 3".into(), form.into()),
        ("5".into(), form.into()),
        ("D".into(), form.into()),
        ("I5".into(), off("I5")),
        ("D4 D5".into(), number.into()),
        ("a b".into(), number.into()),
        ("3 d".into(), number.into()),
        ("3.5 4".into(), number.into()),
        ("99999999999999999999 1".into(), number.into()),
        ("10 1".into(), off("10 1")),
        ("0 5".into(), off("0 5")),
        ("5 -1".into(), off("5 -1")),
        ("K1".into(), off("K1")),
        ("D10".into(), off("D10")),
        ("d0".into(), off("d0")),
        ("D3".into(), "illegal move, retry: D3 is occupied by a black stone".into()),
        ("3 4".into(), "illegal move, retry: D3 is occupied by a black stone".into()),
        ("résumé".into(), form.into()),
        ("save".into(), "Name a file: save game.sgf".into()),
        ("save no/game.sgf".into(), "not saved: there is no directory no; make it first or choose another name".into()),
        ("save folder".into(), "not saved: folder is a directory; name a file".into()),
        ("save! folder".into(), "not saved: folder is a directory; name a file".into()),
        (
            "save fine.sgf".into(),
            "not saved: fine.sgf exists already; choose another name, or 'save! FILE' to replace it".into(),
        ),
        ("x".repeat(300), "format error, retry: the line is too long for a move".into()),
        ("D4 ".repeat(60_000), "format error, retry: the line is too long for a move".into()),
        ("\u{1b}[2J".into(), form.into()),
    ];
    let mut input = b"D3\n".to_vec();
    for (line, _) in &rows {
        input.extend_from_slice(line.as_bytes());
        input.push(b'\n');
    }
    // Bytes that are no text.
    input.extend_from_slice(b"\xff\xfe\x80\n\xc3\n\x00\nquit\n");
    let text = place.run(&["play", "go", "--size", "9", "--color", "both", "--player", "random"], &input).fine();
    let answers: Vec<&str> = text.split("your move: ").skip(2).collect();
    assert_eq!(answers.len(), rows.len() + 4, "{text}");
    let prompt = "\nWhite(○) to play\n";
    for ((line, expected), answer) in rows.iter().zip(&answers) {
        assert_eq!(answer.strip_suffix(prompt), Some(expected.as_str()), "{:.60}", line);
    }
    for answer in &answers[rows.len()..rows.len() + 3] {
        assert_eq!(answer.strip_suffix(prompt), Some(form));
    }
    assert_eq!(answers[rows.len() + 3], "Goodbye.\n");
    assert_eq!(place.read("fine.sgf"), "(;GM[1]FF[4]SZ[9];B[aa];W[bb])", "a file is not replaced unasked");
}
