//! Whole matches: results, failures, threads, journals.

mod mock;

use std::fs;
use std::path::Path;

use kiebitz_arena::{ArenaError, FailureKind, Outcome, Tally};
use kiebitz_core::record::Record;
use kiebitz_core::{DynGameType, GameType};
use kiebitz_examples::{Countdown, Kuhn, TicTacToe};

use mock::{Mode, Plan, directory};

const TICTACTOE: &dyn DynGameType = &GameType::<TicTacToe>::new();
const KUHN: &dyn DynGameType = &GameType::<Kuhn>::new();
const COUNTDOWN: &dyn DynGameType = &GameType::<Countdown>::new();

fn json(outcome: &Outcome) -> String {
    serde_json::to_string(&outcome.report).unwrap()
}

#[test]
fn a_match_counts_wins_by_player_and_seat() {
    let report = Plan::new(TICTACTOE, &[Mode::Random, Mode::First], 400).run().unwrap().report;
    assert!(report.valid);
    assert_eq!((report.games.scheduled, report.games.finished, report.games.blocks), (400, 400, 200));
    let [a, b] = &report.players[..] else { panic!("two players") };
    assert_eq!((a.tally.total(), b.tally.total()), (400, 400));
    assert_eq!((a.tally.wins, a.tally.draws, a.tally.losses), (b.tally.losses, b.tally.draws, b.tally.wins));
    for player in [a, b] {
        let by_seat = |f: fn(&Tally) -> u64| player.seats.iter().map(|s| f(&s.tally)).sum::<u64>();
        assert_eq!(by_seat(|t| t.wins), player.tally.wins);
        assert!(player.seats.iter().all(|s| s.tally.total() == 200));
        assert_eq!(player.visits_per_move, 3.0);
        assert!(player.wilson.low < player.win_share && player.win_share < player.wilson.high);
    }
    // Who moves first wins more often, whoever it is.
    assert!(report.seats[0].win_share > report.seats[1].win_share + 0.2, "{:?}", report.seats);
    let pair = &report.pairs[0];
    assert_eq!(pair.tally, a.tally);
    assert!((pair.score - (a.tally.wins as f64 + a.tally.draws as f64 / 2.0) / 400.0).abs() < 1e-12);
    assert!(pair.elo.low.unwrap() < pair.elo.value.unwrap() && pair.elo.value.unwrap() < pair.elo.high.unwrap());
    assert_eq!(pair.block_scores.iter().map(|(_, n)| n).sum::<u64>(), 200);
    // The seat decides much, so pairs tell more than single games.
    assert!(pair.pairing.unwrap().efficiency > 1.0);
    // Returns are +1, 0, -1 here, so the margin is 2 score - 1.
    assert!((a.margin.mean - (2.0 * pair.score - 1.0)).abs() < 1e-12);
    assert!(report.length.shortest >= 5 && report.length.longest <= 9);
    assert!((a.moves_per_game + b.moves_per_game - report.length.mean).abs() < 1e-9);
}

#[test]
fn equal_deterministic_players_are_level() {
    // The same game twice in every pair: one win each, so the score is one half without any spread.
    let report = Plan::new(TICTACTOE, &[Mode::First, Mode::First], 20).run().unwrap().report;
    let pair = &report.pairs[0];
    assert_eq!((pair.score, pair.elo.value, pair.elo.low, pair.los), (0.5, Some(0.0), None, None));
    assert_eq!(pair.block_scores, [(0.5, 10)]);
    assert!(!serde_json::to_string(&report).unwrap().contains("NaN"));
}

#[test]
fn null_test_covers_zero() {
    let report = Plan::new(COUNTDOWN, &[Mode::Random, Mode::Random], 1000).run().unwrap().report;
    let elo = report.pairs[0].elo;
    assert!(elo.low.unwrap() < 0.0 && elo.high.unwrap() > 0.0, "{elo}");
}

#[test]
fn more_than_two_seats_and_round_robins() {
    let mut plan = Plan::new(KUHN, &[Mode::Random, Mode::First, Mode::Random], 30);
    plan.players = 3;
    let report = plan.run().unwrap().report;
    assert_eq!((report.block_size, report.games.finished), (3, 30));
    assert_eq!(report.pairs.iter().map(|p| (p.a, p.b)).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    assert!((report.players.iter().map(|p| p.win_share).sum::<f64>() - 1.0).abs() < 1e-12);
    assert!((report.players.iter().map(|p| p.score).sum::<f64>() - 1.5).abs() < 1e-12);
    assert_eq!(report.players[0].null_share, 1.0 / 3.0);
    // One against a field: the second contestant has two seats of three.
    plan.modes.pop();
    let report = plan.run().unwrap().report;
    assert_eq!((report.players[0].tally.total(), report.players[1].tally.total()), (30, 60));
    assert!((report.players[0].score + report.players[1].score - 1.0).abs() < 1e-12);
    assert_eq!(report.pairs[0].tally.total(), 60);
    // Three contestants for two seats: all pairs.
    plan.players = 2;
    plan.modes = vec![Mode::Random, Mode::First, Mode::Random];
    let report = plan.run().unwrap().report;
    assert_eq!((report.games.finished, report.pairs.len()), (30, 3));
    assert!(report.players.iter().all(|p| p.tally.total() == 20));
}

#[test]
fn failures_are_counted_apart_from_losses() {
    let cases = [
        (Mode::PanicsAt(3), FailureKind::Crash, "panic: mock panic at step 3"),
        (Mode::IllegalAt(3), FailureKind::Illegal, "'z9' is not legal: "),
        (Mode::ErrorAt(3), FailureKind::Error, "the mock does not want to"),
    ];
    for (mode, kind, message) in cases {
        // At step 3 the second seat decides: the mock fails in every game in which it sits there.
        let report = Plan::new(TICTACTOE, &[Mode::Random, mode], 10).run().unwrap().report;
        assert!(!report.valid);
        assert_eq!((report.games.failed, report.games.finished), (5, 5));
        assert_eq!(report.failure_share(), 0.5);
        // Every pair has a failed game, so nothing is counted: no wins for anybody.
        assert_eq!((report.games.blocks, report.games.counted), (0, 0));
        assert!(report.pairs.is_empty());
        let (good, bad) = (&report.players[0], &report.players[1]);
        assert_eq!((good.tally.total(), bad.tally.total(), good.failures.total()), (0, 0, 0));
        let counts = [bad.failures.crash, bad.failures.illegal, bad.failures.error];
        let expected =
            [FailureKind::Crash, FailureKind::Illegal, FailureKind::Error].map(|k| if k == kind { 5 } else { 0 });
        assert_eq!(counts, expected);
        let note = &report.failures[0];
        assert_eq!((note.failure.kind, note.failure.step, note.player, note.failure.seat), (kind, 3, Some(1), Some(1)));
        assert!(note.failure.message.starts_with(message), "{}", note.failure.message);
    }
}

#[test]
fn few_failures_leave_a_match_valid() {
    // Only some games are long enough for the ninth action, at step 8, by the first seat.
    let mut plan = Plan::new(TICTACTOE, &[Mode::Random, Mode::ErrorAt(8)], 100);
    plan.max_failures = 0.5;
    let report = plan.run().unwrap().report;
    let failed = report.games.failed;
    assert!(failed > 0 && failed < 50, "{failed}");
    assert!(report.valid);
    assert_eq!(report.games.counted, 100 - 2 * failed);
    assert_eq!(report.players[0].tally.total(), report.games.counted);
    plan.max_failures = (failed as f64 - 0.5) / 100.0;
    assert!(!plan.run().unwrap().report.valid);
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    for (game, modes) in [
        (TICTACTOE, vec![Mode::Random, Mode::First]),
        (COUNTDOWN, vec![Mode::Random, Mode::First, Mode::Random]),
        (KUHN, vec![Mode::Random, Mode::PanicsAt(2)]),
    ] {
        let mut plan = Plan::new(game, &modes, 120);
        let one = json(&plan.run().unwrap());
        for threads in [2, 8] {
            plan.threads = threads;
            assert_eq!(json(&plan.run().unwrap()), one);
        }
        plan.seed = 2;
        assert_ne!(json(&plan.run().unwrap()), one);
    }
}

#[test]
fn a_match_goes_on_from_its_journal() {
    let directory = directory("resume");
    let path = directory.join("journal.jsonl");
    let mut plan = Plan::new(COUNTDOWN, &[Mode::Random, Mode::First], 60);
    let whole = json(&plan.run().unwrap());
    plan.journal = Some(&path);
    let first = plan.run().unwrap();
    assert_eq!((json(&first), first.resumed), (whole.clone(), 0));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 61);

    // Nothing is left to do.
    let again = plan.run().unwrap();
    assert_eq!((json(&again), again.resumed, again.timing.games_played), (whole.clone(), 60, 0));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    // Half of it, in another order, the last line cut short by a crash.
    let lines: Vec<&str> = text.lines().collect();
    let cut = format!("{}\n{}\n{}\n{}", lines[0], lines[40], lines[7], &lines[9][..lines[9].len() / 2]);
    fs::write(&path, cut).unwrap();
    plan.threads = 2;
    let resumed = plan.run().unwrap();
    assert_eq!((json(&resumed), resumed.resumed), (whole.clone(), 2));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 61);

    // The last line lost only its newline; and a header cut short counts as none.
    fs::write(&path, text.trim_end()).unwrap();
    assert_eq!(plan.run().unwrap().resumed, 60);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::write(&path, &lines[0][..20]).unwrap();
    let resumed = plan.run().unwrap();
    assert_eq!((json(&resumed), resumed.resumed), (whole, 0));

    // More games than before.
    plan.games = 80;
    let longer = plan.run().unwrap();
    assert_eq!((longer.resumed, longer.timing.games_played), (60, 20));
    plan.journal = None;
    assert_eq!(json(&plan.run().unwrap()), json(&longer));
}

#[test]
fn an_interrupted_match_keeps_its_journal() {
    let directory = directory("interrupt");
    let path = directory.join("journal.jsonl");
    let mut plan = Plan::new(TICTACTOE, &[Mode::Random, Mode::StopsAfter(100)], 60);
    plan.journal = Some(&path);
    let stopped = plan.run().unwrap();
    assert!(stopped.interrupted);
    let games = stopped.report.games;
    assert!(games.finished > 0 && games.missing > 0, "{games:?}");
    assert_eq!(games.finished + games.missing, 60);
    // Nothing of the game that was stopped is kept: the journal has whole games only, and they are as in a whole match.
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count() as u64, 1 + games.finished);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("StopsAfter(100)", "Random")).unwrap();
    plan.modes[1] = Mode::Random;
    let resumed = plan.run().unwrap();
    assert_eq!((resumed.resumed, resumed.interrupted), (games.finished, false));
    plan.journal = None;
    assert_eq!(json(&resumed), json(&plan.run().unwrap()));
}

/// What never ends, or holds no journal, is refused before it is read; records are saved in directories only, and none is replaced.
#[test]
fn files_of_another_kind_are_refused() {
    let directory = directory("kinds");
    let mut plan = Plan::new(TICTACTOE, &[Mode::Random, Mode::First], 4);
    let refused = |plan: &Plan<'_>, code: &str, part: &str| {
        let error = plan.run().unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(part) && !error.to_string().contains("os error"), "{error}");
    };
    let zero = Path::new("/dev/zero");
    for special in [zero, directory.as_path()] {
        plan.journal = Some(special);
        if special.exists() {
            refused(&plan, "journal.special", "is not an ordinary file");
        }
    }
    plan.journal = None;
    let file = directory.join("file");
    fs::write(&file, "a letter").unwrap();
    plan.save = Some(&file);
    refused(&plan, "match.save_directory", "is not a directory");
    plan.save = Some(&directory);
    fs::write(directory.join("0.jsonl"), "a letter").unwrap();
    refused(&plan, "match.save_exists", "another game's record");
    assert_eq!(fs::read_to_string(directory.join("0.jsonl")).unwrap(), "a letter");
    fs::remove_file(directory.join("0.jsonl")).unwrap();
    plan.run().unwrap();
    // The same match again writes the same.
    plan.run().unwrap();
    let mut names: Vec<_> = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["0.jsonl", "1.jsonl", "2.jsonl", "3.jsonl", "file"]);
}

#[test]
fn journals_of_other_matches_are_refused() {
    let directory = directory("other");
    let path = directory.join("journal.jsonl");
    let mut plan = Plan::new(TICTACTOE, &[Mode::Random, Mode::First], 4);
    plan.journal = Some(&path);
    plan.run().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let refused = |plan: &Plan<'_>, code: &str, part: &str| {
        let before = fs::read(&path).unwrap();
        let error = plan.run().unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before, "a refused file is left alone");
    };
    let mut other = plan.clone();
    other.seed = 2;
    refused(&other, "journal.other_match", "its seed is 1, here it is 2;");
    other.seed = 1;
    other.modes.swap(0, 1);
    refused(&other, "journal.other_match", "its list of contestants is Random First, here it is First Random;");
    other = plan.clone();
    other.game = COUNTDOWN;
    refused(&other, "journal.other_match", "its game is tictactoe, here it is countdown;");
    for broken in ["my notes\n", "{}\n", "my notes", "{\"kiebitz\":1}"] {
        fs::write(&path, broken).unwrap();
        refused(&plan, "journal.format", "is not the journal of a match");
    }
    fs::write(&path, [0xff, 0xfe, b'\n']).unwrap();
    refused(&plan, "journal.format", "is not the journal of a match");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = "{\"id\":1";
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    refused(&plan, "journal.line", "line 3: it is not the result of a game");
    let odd = text.lines().nth(2).unwrap().replace("\"seed\":", "\"seed\":1");
    lines[2] = &odd;
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    refused(&plan, "journal.line", "line 3: game 1 was not played as this match plays it");
    // In use by somebody else.
    fs::write(&path, &text).unwrap();
    let held = fs::File::open(&path).unwrap();
    held.lock().unwrap();
    refused(&plan, "journal.in_use", "is in use by another match");
    held.unlock().unwrap();
    assert_eq!(plan.run().unwrap().resumed, 4);
}

#[test]
fn records_are_saved() {
    let directory = directory("save").join("records");
    let mut plan = Plan::new(COUNTDOWN, &[Mode::Random, Mode::ErrorAt(2)], 4);
    plan.save = Some(&directory);
    let report = plan.run().unwrap().report;
    assert!(report.games.failed > 0);
    for id in 0..4 {
        let read = Record::read(&fs::read(directory.join(format!("{id}.jsonl"))).unwrap()).unwrap().record;
        assert_eq!(read.header.game(), "countdown");
        let names = if id % 2 == 0 { ["Random", "ErrorAt(2)"] } else { ["ErrorAt(2)", "Random"] };
        assert_eq!(read.header.names(), names);
        // The record replays with its own seed: same luck, same end.
        let mut game = COUNTDOWN.start(&read.header, 0).unwrap();
        for line in &read.lines {
            game.perform(line).unwrap();
        }
        let failed = report.failures.iter().find(|f| f.id == id);
        assert_eq!(read.header.get("failure").is_some(), failed.is_some());
        assert_eq!(game.turn().is_terminal(), failed.is_none());
        let seed = failed.map(|f| f.seed);
        assert!(seed.is_none_or(|s| read.header.seed() == Some(s)));
    }
}

#[test]
fn impossible_matches_are_refused() {
    let plan = |change: fn(&mut Plan<'static>)| {
        let mut plan = Plan::new(TICTACTOE, &[Mode::Random, Mode::First], 4);
        change(&mut plan);
        plan.run().unwrap_err()
    };
    assert!(matches!(plan(|p| p.threads = 0), ArenaError::Threads(0)));
    assert!(matches!(plan(|p| p.max_failures = f64::NAN), ArenaError::MaxFailures(_)));
    assert!(matches!(plan(|p| p.players = 3), ArenaError::Setup(_)));
    assert_eq!(plan(|p| p.games = 0).code(), "match.games");
    assert_eq!(plan(|p| p.modes.truncate(1)).code(), "match.contestants");
}
