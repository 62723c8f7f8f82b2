//! Nothing that is read from outside makes the program panic or run away: files, records, player specs, rule texts, and lines
//! typed in the terminal, each made wrong many times. `KIEBITZ_FUZZ=1000000` sets the number of inputs of every loop,
//! `KIEBITZ_FUZZ_SEED` other ones.

mod mutate;

use std::cell::Cell;

use kiebitz_core::record::{Header, Record};
use kiebitz_core::{DynGame, ManualClock, PlayerSpec};
use kiebitz_play::console::{Console, Ended, Seated};
use kiebitz_play::{Lang, go_sgf, load, replay, rules_text};
use mutate::{count, mutate, pick, run};

const SGF: &[&[u8]] = &[
    b"(;GM[1]FF[4]CA[UTF-8]AP[x:1]SZ[5]KM[7]RU[Chinese]PB[Ann]PW[Bo]RE[B+R];B[ab];W[ac];B[bd]C[a \\] b];W[bc];B[cc];W[ad];B[ae];W[ea];B[bb];W[])",
    b"(;GM[1]FF[4]SZ[9:5]HA[2]AB[cc][gc]AW[ee]AE[aa]PL[W];W[ff];B[];W[tt];B[ab:cc](;W[gg];B[hh])(;W[aa]N[x]LB[aa:1]TR[bb]))",
    b"(;FF[3]GaMe[1]SiZe[7]KM[3.75]RU[Japanese];Black[dd];White[ee];AB[aa][ba]AW[bb];B[ab];W[ga];B[gb];AE[dd])",
    b"(;GM[1]SZ[3]KM[375]RU[NZ];B[aa];W[ba];B[ab];W[ca];B[bb];W[cb];B[cc];W[bc];B[ac];W[aa])(;GM[1]SZ[3];B[bb])",
    b"\xef\xbb\xbftext before (;CA[GB2312]PB[\xba\xda\xb7\xbd]SZ[2];B[aa];W[ab];B[bb];W[ba];B[aa];W[bb];B[])",
    b"(;SZ[1];B[aa];W[])(;GM[2];B[aa])",
];

const RECORDS: &[&[u8]] = &[
    b"{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":5,\"komi\":0.5,\"ruleset\":\"aga-button\"},\"seed\":7}\n{\"by\":0,\"action\":\"C3\"}\n{\"by\":1,\"action\":\"pass\",\"comment\":\"x\"}\n{\"by\":0,\"action\":\"B2\"}\n{\"by\":1,\"event\":\"resign\"}\n",
    b"{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":[4,3],\"ko\":\"positional\",\"suicide\":true},\"setup\":{\"black\":[\"A1\",\"B2\"],\"white\":[\"C1\"],\"to_move\":\"white\"}}\n{\"by\":1,\"action\":\"D3\"}\n{\"by\":\"setup\",\"setup\":{\"black\":[\"A3\"],\"empty\":[\"D3\"]}}\n{\"by\":0,\"action\":\"pass\"}\n{\"by\":1,\"action\":\"pass\"}\n{\"by\":0,\"event\":\"dead\",\"stones\":[\"C1\"]}\n",
    b"{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":9,\"handicap\":3,\"white_bonus\":\"n\"},\"names\":[\"a\",\"b\"],\"expect\":{\"to_move\":1}}\n{\"by\":1,\"action\":\"e5\"}\n{\"by\":0,\"event\":\"timeout\"}\n",
    b"{\"kiebitz\":1,\"game\":\"tictactoe\",\"players\":2}\n{\"by\":0,\"action\":\"b2\"}\n{\"by\":1,\"action\":\"a1\"}\n{\"by\":0,\"action\":\"c3\"}\n",
    b"{\"kiebitz\":1,\"game\":\"kuhn\",\"players\":2}\n{\"by\":\"chance\",\"action\":\"deal KQ\"}\n{\"by\":0,\"action\":\"pass\"}\n{\"by\":1,\"action\":\"bet\"}\n",
    b"{\"kiebitz\":1,\"game\":\"countdown\",\"players\":2}\n{\"by\":0,\"action\":\"one\"}\n{\"by\":\"chance\",\"action\":\"roll 3\"}\n",
];

const TOKENS: &[&str] = &[
    "(;",
    ")",
    "[",
    "]",
    "\\",
    ";B[",
    ";W[tt]",
    "AB[aa:zz]",
    "AE[",
    "SZ[25]",
    "SZ[25:1]",
    "KM[",
    "RU[",
    "\n",
    "\r",
    "\u{feff}",
    "\0",
    "{",
    "}",
    "[[[[[[[[",
    "\"by\":1",
    "\"action\":\"pass\"",
    "\"event\":\"dead\",\"stones\":[]",
    "{\"by\":\"setup\",\"setup\":{}}\n",
    "null",
    "true",
    "\"players\":6",
    "\"size\":25",
    "\u{1f}\u{8b}",
    "黑",
    "1e308",
    "-0.0",
    "\"komi\":1e-9",
    "\"handicap\":9",
];

/// Files of every format, mixed: what reads also replays or says why not, and what replays can be written and read again.
#[test]
fn files_made_wrong_are_read_or_refused() {
    let corpus: Vec<&[u8]> = SGF.iter().chain(RECORDS).copied().collect();
    let (read_fine, replayed) = (Cell::new(0u64), Cell::new(0u64));
    let inputs = count(20_000);
    run(
        "files",
        inputs,
        1,
        |rng| {
            let text = mutate(rng, &corpus, TOKENS);
            // Some of them compressed, and then wrong once more.
            match rng.below(20) {
                0 => Record::read(&text).map_or(text, |r| mutate(rng, &[&r.record.to_gz()], TOKENS)),
                _ => text,
            }
        },
        |bytes| {
            let strict = bytes.len() % 3 == 0;
            let read = match load::read(bytes, strict) {
                Ok(read) => read,
                Err(e) => {
                    assert!(!e.to_string().is_empty() && !e.code().is_empty());
                    return;
                }
            };
            read_fine.set(read_fine.get() + 1);
            assert_eq!(read.line_numbers.len(), read.record.lines.len());
            let again = Record::read(read.record.to_text().as_bytes()).expect("what was read can be written");
            assert_eq!(again.record, read.record);
            let game = match replay::replay(&read, None) {
                Ok(game) => game,
                Err(e) => {
                    assert!(!e.to_string().is_empty() && !e.code().is_empty());
                    return;
                }
            };
            replayed.set(replayed.get() + 1);
            if game.id() == "go" {
                same_game_as_sgf(&read.record, game.as_ref(), read.warnings.is_empty());
            }
        },
    );
    // Else the loop would show little.
    assert!(read_fine.get() > inputs / 4, "{} of {inputs} were read", read_fine.get());
    assert!(replayed.get() > inputs / 10, "{} of {inputs} were replayed", replayed.get());
}

/// A game that replays is written as SGF with the same stones at the end. Even strict reading takes it, but where the game
/// came from a file with faults: what that held is kept as it was.
fn same_game_as_sgf(record: &Record, game: &dyn DynGame, faultless: bool) {
    let sgf = go_sgf::from_record(record).expect("a game of Go that replays");
    let text = String::from_utf8_lossy(&sgf).into_owned();
    let read = load::read(&sgf, faultless).unwrap_or_else(|e| panic!("our own SGF is refused: {e}\n{text}"));
    let again = replay::replay(&read, None).unwrap_or_else(|e| panic!("our own SGF cannot be replayed: {e}\n{text}"));
    let (found, expected) = (again.facts(), game.facts());
    for key in ["black", "white"] {
        assert_eq!(found[key], expected[key], "{key}\n{text}");
    }
}

#[test]
fn player_specs_made_wrong_are_built_or_refused() {
    let corpus: &[&[u8]] = &[
        b"uct:visits=100,threads=2,rave=off,c=1.4",
        b"best:level=3,time=500ms",
        b"pimc:samples=32,inner=uct,depth=3",
        b"puct:visits=10,prior=3,seed=9",
        b"alphabeta:depth=4,time=1.5s",
        b"random",
        b"flat:visits=5",
        b"expectimax:depth=2",
        b"openloop:visits=7,widen=1.5",
    ];
    let tokens = [
        "=", ",", ":", "visits=", "time=1h", "level=10", "memory=1", "inf", "nan", "-0", "1_000", "é", "on",
        "rave-k=5", " ",
    ];
    let (parsed, built) = (Cell::new(0u64), Cell::new(0u64));
    let inputs = count(20_000);
    run(
        "specs",
        inputs,
        2,
        |rng| mutate(rng, corpus, &tokens),
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let Ok(spec) = text.parse::<PlayerSpec>() else { return };
            parsed.set(parsed.get() + 1);
            assert_eq!(spec.to_string().parse::<PlayerSpec>().expect("its own text"), spec);
            for entry in kiebitz_catalog::games() {
                match entry.player(&spec) {
                    Ok(_) => built.set(built.get() + 1),
                    Err(e) => assert!(!e.to_string().is_empty() && e.to_string().len() < 1000, "{e}"),
                }
            }
        },
    );
    assert!(parsed.get() > inputs / 3 && built.get() > inputs / 10, "{} parsed, {} built", parsed.get(), built.get());
}

#[test]
fn rule_texts_made_wrong_start_a_game_or_are_refused() {
    let corpus: &[&[u8]] = &[
        b"size=9,komi=6.5,ruleset=japanese",
        b"size=9x7,ko=positional,suicide=true,tax=all",
        b"size=13,handicap=4,white_bonus=n-1,button=false",
        b"size=1+25,friendly_pass=true,scoring=territory",
        b"size=3,button=true",
    ];
    let tokens = [
        "=",
        ",",
        "x",
        "+",
        "size=25",
        "komi=-10000",
        "komi=0.25",
        "handicap=9",
        "ruleset=nz",
        "null",
        "[]",
        "1e400",
        " ",
        "é",
    ];
    let (parsed, started) = (Cell::new(0u64), Cell::new(0u64));
    let inputs = count(20_000);
    run(
        "rules",
        inputs,
        3,
        |rng| mutate(rng, corpus, &tokens),
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let Ok(rules) = rules_text::parse(&text) else { return };
            parsed.set(parsed.get() + 1);
            for entry in kiebitz_catalog::games() {
                let header = Header::new(entry.game.id(), entry.game.default_players(&rules), rules.clone());
                match entry.game.start(&header, 0) {
                    Ok(game) => {
                        started.set(started.get() + 1);
                        // The header of its record starts the same game.
                        let again = entry.game.start(&game.record().header, 0).expect("the game's own rules");
                        assert_eq!(again.record(), game.record());
                        assert_eq!(again.facts(), game.facts());
                    }
                    Err(e) => assert!(!e.to_string().is_empty() && e.to_string().len() < 1000, "{e}"),
                }
            }
        },
    );
    assert!(
        parsed.get() > inputs / 3 && started.get() > inputs / 50,
        "{} parsed, {} started",
        parsed.get(),
        started.get()
    );
}

/// Whole sessions of forty lines each, both languages, all games.
#[test]
fn lines_made_wrong_in_the_terminal_are_answered() {
    let corpus: &[&[u8]] = &[
        b"3 4",
        b"D4",
        b"c3",
        b"pass",
        b"A1",
        b"5,5",
        b"undo",
        b"board",
        b"help",
        b"moves",
        b"B2",
        b"1 1",
        b"done",
        b"resume",
        b"b2",
        b"bet",
        b"one",
        b"two",
        b"E1",
        b"\xe5\xbc\x83\xe7\x9d\x80",
    ];
    let rare: &[&[u8]] = &[b"hint", b"score", b"resign", b"quit"];
    let tokens =
        ["\n", "pass\npass\n", "undo\n", "\t", " ", "\u{0}", "é", "9999999999999999999999", "-", "D", "resume"];
    let (over, quit, end) = (Cell::new(0u64), Cell::new(0u64), Cell::new(0u64));
    let sessions = count(20_000) / 40;
    let clock = ManualClock::new();
    run(
        "terminal",
        sessions,
        4,
        |rng| {
            let mut text = Vec::new();
            for _ in 0..40 {
                let plain = rng.below(3) > 0;
                let lines = if rng.below(30) == 0 { rare } else { corpus };
                let line = if plain { pick(rng, lines).to_vec() } else { mutate(rng, lines, &tokens) };
                // Saving would write files of any name.
                if !line.to_ascii_lowercase().windows(4).any(|w| w == b"save") && !line.contains(&0xbf) {
                    text.extend_from_slice(&line);
                }
                text.push(b'\n');
            }
            text
        },
        |bytes| {
            let games = kiebitz_catalog::games();
            // Half of them games of Go, on small boards.
            let entry = if bytes.len() % 2 == 0 { &games[0] } else { &games[bytes.len() % games.len()] };
            let rules =
                ["size=5", "size=3,ruleset=tromp-taylor", "size=4,ruleset=japanese", "size=7x2,ruleset=aga-button"];
            let rules = rules_text::parse(rules[bytes.len() / 2 % 4]).expect("rules");
            let rules = if entry.game.id() == "go" { rules } else { Default::default() };
            let game = entry
                .game
                .start(&Header::new(entry.game.id(), entry.game.default_players(&rules), rules), 5)
                .expect("a game");
            let player = || entry.player(&"random".parse().expect("a spec")).expect("a player");
            let seats = (0..game.meta().players)
                .map(|seat| if seat == 0 || bytes.len() % 5 == 0 { Seated::Person } else { Seated::Computer(player()) })
                .collect();
            let lang = if bytes.len() % 4 == 0 { Lang::Zh } else { Lang::En };
            let mut out = Vec::new();
            let mut console = Console::new(bytes, &mut out, lang, game, seats, player(), &clock)
                .seed(bytes.len() as u64)
                .explain(bytes.len() % 7 == 0);
            let ended = console.run().expect("the dialogue comes to an end");
            let counter = match ended {
                Ended::GameOver => &over,
                Ended::Quit => &quit,
                Ended::EndOfInput => &end,
            };
            counter.set(counter.get() + 1);
            // Forty lines do not make a flood.
            assert!(out.len() < 200_000, "{} bytes of output", out.len());
            assert!(String::from_utf8(out).is_ok(), "what is printed is text");
        },
    );
    assert!(over.get() > 0 && quit.get() > 0 && end.get() > 0, "all ends: {over:?} {quit:?} {end:?}");
}
