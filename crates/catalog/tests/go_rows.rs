//! Rows of the requirements of Go (GO-…) and of its regressions (G…) that need the game, its knowledge and the searches
//! together. `docs/requirements-go.md` lists all rows.

mod go_support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use go_support::{NO_STOP, Watched, analyze, analyze_with, go, mv, play, player, position, run};
use kiebitz_catalog::{BenchConfig, game};
use kiebitz_core::record::Header;
use kiebitz_core::{
    Analysis, Budget, Clock, DynGame, DynPlayer, Game, Knowledge, ManualClock, Outcome, Payoff, Rng, Scratch, Seat,
    Thinking, Trace, Turn,
};
use kiebitz_go::{Color, Go, GoKnowledge, Move};
use kiebitz_search::{StopReason, Uct, UctSettings, node_bytes, registry};
use serde_json::json;

const MS: Duration = Duration::from_millis(1);

/// Plays a game of 5x5; returns Black's margin in points.
fn game_of(black: &mut Box<dyn DynPlayer>, white: &mut Box<dyn DynPlayer>, seed: u64, size: u8) -> f64 {
    let mut session = go(json!({"size": size}));
    black.reset();
    white.reset();
    while let Some(seat) = DynGame::turn(&session).seat() {
        let turn = if seat == 0 { &mut *black } else { &mut *white };
        let chosen = analyze_with(turn.as_mut(), &session, seed * 1000 + DynGame::steps(&session) as u64);
        play(&mut session, &chosen.candidates[0].action);
    }
    DynGame::returns(&session).of(0)
}

/// The margins of `games` games, colours in turn, in the eyes of the first player.
fn margins(first: &str, second: &str, games: u64, size: u8) -> Vec<f64> {
    let (mut first, mut second) = (player("go", first), player("go", second));
    (0..games)
        .map(|n| match n % 2 {
            0 => game_of(&mut first, &mut second, n, size),
            _ => -game_of(&mut second, &mut first, n, size),
        })
        .collect()
}

#[test]
fn go_02_every_step_of_the_ladder_beats_the_one_below() {
    // On 5x5 strong players win with Black, whoever the other is: the last step needs more room.
    for (stronger, weaker, size) in
        [("flat:visits=60", "random", 5), ("uct:visits=100", "flat:visits=60", 5), ("best:level=7", "best:level=3", 9)]
    {
        let wins = margins(stronger, weaker, 20, size).iter().filter(|&&m| m > 0.0).count();
        // Equal players win 16 or more of 20 with probability 0.006. The seeds are fixed.
        assert!(wins >= 16, "{stronger} won {wins} of 20 against {weaker}");
    }
}

#[test]
fn g2_sixty_iterations_of_plain_uct_beat_random_play() {
    let margins = margins("uct:visits=60,rave=off,prior=0", "random", 12, 5);
    let mean = margins.iter().sum::<f64>() / margins.len() as f64;
    // With the wrong sign it was -6.8, and 5.6 once the sign was right.
    assert!(mean > 5.6, "{mean}: {margins:?}");
}

/// Black has the board but a row of three points. Whoever plays its middle point C3 decides whether Black lives: Black makes
/// two eyes, White takes everything.
const VITAL: [&str; 5] = ["XXXXX", "XXXXX", "X...X", "XXXXX", "XXXXX"];

#[test]
fn g2_go_21_one_move_win_gets_most_visits() {
    for (to_move, seat) in [("black", 0), ("white", 1)] {
        let session = position(json!({}), &VITAL, to_move);
        for spec in ["uct:visits=500,rave=off,prior=0", "uct:visits=500", "puct:visits=500", "flat:visits=500"] {
            for seed in 0..5 {
                let analysis = analyze(spec, &session, seed);
                let (best, others) = analysis.candidates.split_first().unwrap();
                assert_eq!(best.action, "C3", "{spec} for {to_move}");
                for other in others {
                    assert!(best.visits > other.visits, "{spec} for {to_move}: {}", other.action);
                    assert!(best.utility[seat].mean > other.utility[seat].mean, "{spec} for {to_move}");
                }
            }
        }
    }
}

#[test]
fn g2_go_22_values_alternate_from_the_chooser_up() {
    // Plain UCT: a node is visited once by the playout that made it, then once for each visit of a child. What a child is
    // worth to its chooser, its parent is worth the rest of to the other.
    for to_move in ["black", "white"] {
        let session = position(json!({}), &VITAL, to_move);
        let mut settings = UctSettings::default();
        settings.tree.early_stop = false;
        let mut search = Uct::new(GoKnowledge::default(), settings);
        run(&mut search, &session, Budget::visits(3000), &ManualClock::new());
        let (mut todo, mut inner) = (vec![vec![]], 0);
        while let Some(path) = todo.pop() {
            let node = search.node(&path).unwrap();
            let children: Vec<_> =
                node.children.iter().map(|&a| (a, search.node(&[&path[..], &[a]].concat()).unwrap())).collect();
            todo.extend(children.iter().filter(|(_, c)| c.visits > 0).map(|&(a, _)| [&path[..], &[a]].concat()));
            if path.is_empty() || children.is_empty() {
                continue;
            }
            inner += 1;
            let visits: u64 = children.iter().map(|(_, c)| c.visits).sum();
            let rest: f64 = children.iter().map(|(_, c)| c.visits as f64 * (1.0 - c.value)).sum();
            assert_eq!(node.visits, 1 + visits);
            let own = node.visits as f64 * node.value - rest;
            assert!([0.0, 0.5, 1.0].iter().any(|result| (own - result).abs() < 1e-3), "{path:?}: {own}");
        }
        assert!(inner > 30, "{inner} inner nodes");
        // In the eyes of the one who moves: the vital point wins, the one beside it mostly loses.
        let value = |text: &str| search.node(&[mv(&session, text)]).unwrap().value;
        assert!(value("C3") > 0.6 && value("C3") > value("B3") + 0.3, "{to_move}: {} and {}", value("C3"), value("B3"));
    }
}

#[test]
fn g3_go_19_two_eyed_group_alive_engine_passes() {
    // White has all but two eyes, and Black has passed. Filling an eye would lose every stone.
    let rows = ["OOOO.", "OOOOO", "OOOOO", "OOOOO", ".OOOO"];
    let mut session = position(json!({}), &rows, "black");
    play(&mut session, "pass");
    assert_eq!(DynGame::legal(&session), ["A1", "E5", "pass"], "filling an eye is legal");
    for spec in ["best", "uct:visits=200", "uct:visits=200,rave=off,prior=0", "puct:visits=200", "flat:visits=200"] {
        let analysis = analyze(spec, &session, 1);
        assert_eq!(analysis.candidates[0].action, "pass", "{spec}");
        assert_eq!(analysis.candidates.len(), 1, "{spec}: own eyes are not looked at");
    }
    play(&mut session, "pass");
    assert_eq!(DynGame::result(&session).as_deref(), Some("W+32"));
    // Both sides alive and the rest settled: whoever is ahead passes, and so the game ends.
    let rows = ["XXXOO", "X.XO.", "XXXOO", "X.XO.", "XXXOO"];
    let mut session = position(json!({"komi": 0}), &rows, "white");
    play(&mut session, "pass");
    for spec in ["best", "uct:visits=1000", "puct:visits=1000"] {
        assert_eq!(analyze(spec, &session, 1).candidates[0].action, "pass", "{spec}");
    }
}

#[test]
fn go_05_the_engine_plays_every_size() {
    for side in [5, 7, 9, 13, 19, 25] {
        let mut session = go(json!({"size": side}));
        for _ in 0..2 {
            let analysis = analyze("uct:visits=20", &session, side);
            assert_eq!(analysis.visits, 20);
            play(&mut session, &analysis.candidates[0].action);
        }
    }
}

#[test]
fn go_18_bytes_per_node_are_reported() {
    // The tree's nodes hold no board: 48 bytes, and the bench says what a node takes in fact.
    assert_eq!(node_bytes::<Move>(), 48);
    let entry = game("go").unwrap();
    let config = BenchConfig { time: 5 * MS, repeats: 1, threads: vec![1] };
    let row = entry.bench(&entry.variants()[0], &config, &Steps::default()).unwrap();
    let search = row.search.expect("Go has a tree search");
    assert!(search.player.starts_with("uct"), "{}", search.player);
    assert!(search.bytes_per_node.expect("it keeps a tree") >= 48.0);
}

fn visits(analysis: &Analysis) -> Vec<u64> {
    analysis.candidates.iter().map(|c| c.visits).collect()
}

#[test]
fn go_23_final_choice_is_most_visits() {
    let mut not_by_value = 0;
    for spec in ["uct:visits=400,rave=off,prior=0,c=0.5", "uct:visits=400", "puct:visits=400"] {
        for seed in 0..5 {
            let analysis = analyze(spec, &go(json!({"size": 5})), seed);
            let counts = visits(&analysis);
            assert!(counts.is_sorted_by(|a, b| a >= b), "{spec}: {counts:?}");
            let value = |i: usize| analysis.candidates[i].utility[0].mean;
            not_by_value += u32::from((1..counts.len()).any(|i| value(i) > value(0)));
        }
    }
    assert!(not_by_value > 0, "the best mean was always the most visited, so nothing was tested");
}

#[test]
fn go_24_c_is_configurable() {
    let session = go(json!({"size": 5}));
    let counts = |settings: &str| {
        let spec = format!("uct:visits=1500,early=off,rave=off,prior=0{settings}");
        visits(&analyze(&spec, &session, 3))
    };
    assert_eq!(counts(""), counts(",c=1.4142135623730951"), "the default is the square root of two");
    let share = |counts: &[u64]| counts[0] as f64 / counts.iter().sum::<u64>() as f64;
    let [greedy, usual, even] = [",c=0.2", "", ",c=20"].map(|c| share(&counts(c)));
    assert!(greedy > usual && usual > even, "{greedy} {usual} {even}");
    assert!(greedy > 0.3 && even < 0.06, "of 26 moves: {greedy} and {even}");
    assert!(game("go").unwrap().player(&"uct:c=-1".parse().unwrap()).is_err());
}

/// A clock that goes on by a millisecond whenever somebody looks.
#[derive(Default)]
struct Steps(AtomicU64);

impl Clock for Steps {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn go_25_time_limit_is_kept_within_a_tenth() {
    let limit = 200 * MS;
    let session = go(json!({"size": 9}));
    // Playouts that take long, little, and now this, now that.
    let costs: [fn(u64) -> Duration; 3] =
        [|_| 10 * MS, |_| Duration::from_micros(30), |n| Duration::from_micros(if n % 7 == 0 { 9000 } else { 20 })];
    for cost in costs {
        let (clock, count) = (ManualClock::new(), AtomicU64::new(0));
        let watch = |_: &[(Seat, Move)], _: &Outcome| clock.advance(cost(count.fetch_add(1, Ordering::Relaxed)));
        let mut settings = UctSettings::rave();
        settings.tree.early_stop = false;
        let report = run(&mut Uct::new(Watched(watch), settings), &session, Budget::time(limit), &clock);
        assert_eq!(report.stop, StopReason::Time);
        assert!(report.elapsed >= limit && report.elapsed <= limit * 11 / 10, "{:?}", report.elapsed);
    }
    // By a player's spec.
    let mut player = player("go", "uct:time=200ms,early=off");
    let clock = Steps::default();
    let analysis = player.analyze(&session, &Thinking::new(Budget::default(), &clock, &NO_STOP, 1)).unwrap();
    assert!((0.2..=0.22).contains(&analysis.seconds), "{}", analysis.seconds);
}

#[test]
fn go_25_iteration_limit_is_kept() {
    let session = go(json!({"size": 9}));
    for n in [1, 17, 321] {
        assert_eq!(analyze(&format!("uct:visits={n},early=off"), &session, 1).visits, n);
    }
    // Whichever comes first, and a caller that insists.
    let clock = Steps::default();
    let both = |spec: &str, hard: bool| {
        let mut thinking = Thinking::new(Budget::visits(9), &clock, &NO_STOP, 1);
        thinking.hard = hard;
        player("go", spec).analyze(&session, &thinking).unwrap().visits
    };
    assert_eq!(both("uct:visits=33,time=1h,early=off", false), 33);
    assert!(both("uct:visits=1000000,time=20ms,early=off", false) < 1000);
    assert_eq!(both("uct:visits=1000000,early=off", true), 9);
}

#[test]
fn go_26_statistics_in_output() {
    let session = go(json!({"size": 9}));
    let clock = Steps::default();
    let progress = Mutex::new(Vec::new());
    let note = |analysis: &Analysis| progress.lock().unwrap().push(analysis.visits);
    let mut thinking = Thinking::new(Budget::default(), &clock, &NO_STOP, 1);
    thinking.progress = Some(&note);
    thinking.progress_every = 20 * MS;
    let analysis = player("go", "uct:visits=500,time=1h,early=off").analyze(&session, &thinking).unwrap();
    let json = serde_json::to_value(&analysis).unwrap();
    assert_eq!((json["visits"].as_u64(), json["player"].as_str()), (Some(500), Some(&*analysis.player)));
    assert!(json["seconds"].as_f64().unwrap() > 0.0);
    let candidates = json["candidates"].as_array().unwrap();
    assert_eq!(candidates.iter().map(|c| c["visits"].as_u64().unwrap()).sum::<u64>(), 500);
    for candidate in candidates {
        assert!(candidate["utility"][0]["error"].as_f64().unwrap() >= 0.0);
        assert!(candidate["returns"][0]["mean"].as_f64().unwrap().abs() < 100.0);
        assert_eq!(candidate["pv"][0], candidate["action"]);
    }
    let progress = progress.into_inner().unwrap();
    assert!(progress.len() >= 3 && progress.is_sorted() && progress.iter().all(|&n| n <= 500), "{progress:?}");
}

#[test]
fn go_36_amaf_same_colour_only() {
    // Every simulation is written down; afterwards the statistics of the root's children are counted from the notes.
    let session = go(json!({"size": 9}));
    let notes = Mutex::new(Vec::new());
    let watch = |moves: &[(Seat, Move)], outcome: &Outcome| {
        notes.lock().unwrap().push((moves.to_vec(), outcome.utility.of(0)));
    };
    let mut settings = UctSettings::rave();
    settings.tree.early_stop = false;
    let mut search = Uct::new(Watched(watch), settings);
    run(&mut search, &session, Budget::visits(400), &ManualClock::new());
    let notes = notes.lock().unwrap();
    assert_eq!(notes.len(), 400);
    let (mut own, mut others) = (0, 0);
    for point in session.state().size().iter() {
        let first_by = |seat: Seat| {
            let mut of_seat = Vec::new();
            for (moves, utility) in notes.iter() {
                if moves.iter().find(|(_, mv)| mv.point() == Some(point)).is_some_and(|first| first.0 == seat) {
                    of_seat.push(*utility);
                }
            }
            of_seat
        };
        let black = first_by(0);
        let node = search.node(&[point.into()]).unwrap();
        assert_eq!(node.amaf_visits, black.len() as u64, "Black was the first on the point");
        let mean = if black.is_empty() { 0.0 } else { black.iter().sum::<f64>() / black.len() as f64 };
        assert!((node.amaf_value - mean).abs() < 1e-3, "{} and {mean}", node.amaf_value);
        own += black.len();
        others += first_by(1).len();
    }
    assert!(own > 5000 && others > 5000, "both colours were first often: {own} and {others}");
    assert_eq!(search.node(&[Move::PASS]).unwrap().amaf_visits, 0, "a pass is no move of that kind");
}

#[test]
fn go_39_memory_cap() {
    let session = go(json!({"size": 9}));
    let report = |spec: &str| {
        let mut search = registry::build::<Go, _>(&spec.parse().unwrap(), &GoKnowledge::default(), &[]).unwrap().search;
        run(&mut *search, &session, Budget::visits(5000), &ManualClock::new())
    };
    let (capped, free) = (report("uct:memory=4,early=off"), report("uct:early=off"));
    assert!(capped.bytes <= 4 << 20, "{} bytes", capped.bytes);
    assert!(free.bytes > 8 << 20, "{} bytes without the cap, so that it was felt", free.bytes);
    assert_eq!((capped.visits, capped.stop), (5000, StopReason::Visits), "a full tree is searched on");
}

#[test]
fn go_39_transposition_option() {
    // Positions that come up again by another order of moves are searched once, with the same answer: `tt=0` switches it off.
    let session = go(json!({"size": [2, 3], "komi": 0.5, "ko": "positional"}));
    let report = |spec: &str| {
        let mut search = registry::build::<Go, _>(&spec.parse().unwrap(), &GoKnowledge::default(), &[]).unwrap().search;
        run(&mut *search, &session, Budget::visits(3_000_000), &ManualClock::new())
    };
    let (with, without) = (report("alphabeta:depth=8"), report("alphabeta:depth=8,tt=0"));
    assert_eq!((with.depth, without.depth), (8, 8));
    assert_eq!(with.rows[0].utility, without.rows[0].utility);
    assert!(with.visits < without.visits, "{} positions with the table, {} without", with.visits, without.visits);
}

#[test]
fn go_40_converges_to_solved_value() {
    // 3x3 is worth 9 points to Black, by the centre alone: with a komi of 8.5 every other first move loses.
    for (spec, reached) in [("uct:rave=off,prior=0,c=0.3", 0.85), ("uct:rave=mse", 0.99)] {
        let session = go(json!({"size": 3, "komi": 8.5, "ko": "positional"}));
        let mut won = Vec::new();
        for visits in [1_000, 10_000, 100_000] {
            let analysis = analyze(&format!("{spec},visits={visits},early=off"), &session, 7);
            let best = &analysis.candidates[0];
            if visits >= 10_000 {
                assert_eq!(best.action, "B2", "{spec} with {visits} visits");
                assert!(best.visits > visits / 2, "{spec}: {} of {visits}", best.visits);
            }
            won.push(best.utility[0].mean);
        }
        assert!(won[2] > reached && won[2] > won[0], "the chance to win approaches one: {spec} {won:?}");
    }
    // Tic-tac-toe is a draw.
    let tictactoe = game("tictactoe").unwrap().game;
    let header = Header::new("tictactoe", 2, Default::default());
    let session = tictactoe.start(&header, 0).unwrap();
    let best = analyze("uct:visits=50000,c=0.5,early=off", session.as_ref(), 5).candidates[0].clone();
    assert!((best.utility[0].mean - 0.5).abs() < 0.05, "{best:?}");
}

#[test]
fn go_35_rave_priors_widening_and_puct_are_selectable() {
    let session = go(json!({"size": 9}));
    let specs = [
        "uct:rave=mse",
        "uct:rave=mse,rave-bias=0.1",
        "uct:rave=hand",
        "uct:rave=hand,rave-k=50",
        "uct:rave=off",
        "uct:rave=off,prior=0",
        "uct:rave=off,bias=2",
        "uct:rave=off,widen=1",
        "puct",
        "puct:c=3",
    ];
    let mut results = Vec::new();
    for spec in specs {
        let join = if spec.contains(':') { ',' } else { ':' };
        let analysis = analyze(&format!("{spec}{join}visits=600,early=off"), &session, 2);
        let moves: Vec<_> = analysis.candidates.iter().map(|c| (c.action.clone(), c.visits)).collect();
        assert!(!results.contains(&moves), "{spec} does what another one does");
        results.push(moves);
    }
    assert_eq!(
        visits(&analyze("uct:visits=600,early=off", &session, 2)),
        visits(&analyze("uct:rave=mse,visits=600,early=off", &session, 2)),
        "RAVE is Go's default"
    );
}

#[test]
fn go_35_knowledge_of_captures_and_eyes() {
    let best_prior = |rows: &[&str]| {
        let session = position(json!({}), rows, "black");
        let mut actions = Vec::new();
        Game::actions(session.state(), &mut actions);
        let mut prior = vec![0.0; actions.len()];
        GoKnowledge::default().prior(session.state(), &actions, &mut prior);
        assert!((prior.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        let best = (0..prior.len()).max_by(|&a, &b| prior[a].total_cmp(&prior[b])).unwrap();
        actions[best].text(session.state().size()).to_string()
    };
    // White's stone can be taken; Black's two stones must run, and a friend breaks the ladder.
    assert_eq!(best_prior(&[".......", "...X...", "..XO...", "...X...", ".......", ".......", "......."]), "E5");
    assert_eq!(best_prior(&[".......", "..OO...", ".OXXO..", "..O....", "....X..", ".......", "......."]), "D4");
    // An own eye is never looked at.
    let session = position(json!({}), &[".X.X.", "XXXX.", "OOOO.", "....."], "black");
    let mut actions = Vec::new();
    Game::actions(session.state(), &mut actions);
    assert!(actions.contains(&mv(&session, "A4")));
    GoKnowledge::default().prune(session.state(), &mut actions);
    assert!(!actions.contains(&mv(&session, "A4")) && actions.contains(&mv(&session, "E4")));
}

/// Stands for a network: its policy likes A1, its value likes Black to have C3. It plays no playouts.
#[derive(Clone)]
struct Network;

impl Knowledge<Go> for Network {
    type Buffer = ();

    fn playout(&self, _: &mut Go, _: &mut Rng, _: &mut Scratch<Go>, _: Option<&mut Trace<Move>>) -> Outcome {
        panic!("the value takes the playout's place")
    }

    fn prior(&self, go: &Go, actions: &[Move], out: &mut [f32]) {
        for (out, action) in out.iter_mut().zip(actions) {
            let a1 = action.point().is_some_and(|p| p.index() == 0);
            *out = if a1 { 0.9 } else { 0.1 / (actions.len() - 1) as f32 };
        }
        assert_eq!(go.size().points(), 25);
    }

    fn evaluate(&self, go: &Go) -> Option<Payoff> {
        let c3 = go.size().point(2, 2).and_then(|p| go.board().stone(p));
        let black = if c3 == Some(Color::Black) { 0.9 } else { 0.3 };
        Some(Payoff::new(&[black, 1.0 - black]))
    }
}

#[test]
fn go_35_puct_takes_a_learned_policy_and_value() {
    let session = go(json!({"size": 5}));
    let search = |spec: &str| registry::build::<Go, _>(&spec.parse().unwrap(), &Network, &[]).unwrap().search;
    let clock = ManualClock::new();
    let first = run(&mut *search("puct:eval=1"), &session, Budget::visits(1), &clock);
    assert_eq!(first.best(), mv(&session, "A1"), "the policy comes first");
    assert!((first.rows[0].prior.unwrap() - 0.9).abs() < 1e-6);
    assert!((first.rows[0].utility.of(0) - 0.3).abs() < 1e-6, "the value of the position");
    let report = run(&mut *search("puct:eval=1"), &session, Budget::visits(3000), &clock);
    assert_eq!(report.best(), mv(&session, "C3"), "the value decides");
}

#[test]
fn go_41_one_spec_plays_every_game() {
    for entry in kiebitz_catalog::games() {
        for spec in ["ismcts:visits=60", "openloop:visits=60", "flat:visits=60", "greedy", "random"] {
            let rules = if entry.game.id() == "go" { json!({"size": 5}) } else { json!({}) };
            let header = Header::new(
                entry.game.id(),
                entry.game.default_players(rules.as_object().unwrap()),
                rules.as_object().unwrap().clone(),
            );
            let mut session = entry.game.start(&header, 4).unwrap();
            let mut player = entry.player(&spec.parse().unwrap()).unwrap();
            for step in 0.. {
                match session.turn() {
                    Turn::Terminal => break,
                    Turn::Chance(_) => assert!(session.roll().is_some()),
                    Turn::Seat(_) => {
                        let best = analyze_with(&mut *player, session.as_ref(), step).candidates[0].action.clone();
                        session.play(&best).unwrap_or_else(|e| panic!("{spec} plays {best}: {e}"));
                    }
                }
                assert!(step < 3000, "{} with {spec} does not end", entry.game.id());
            }
        }
    }
}

#[test]
fn go_41_plain_uct_refuses_what_it_cannot_play() {
    for (name, other) in [("kuhn", "ismcts"), ("countdown", "openloop")] {
        let entry = game(name).unwrap();
        let header = Header::new(name, entry.game.default_players(&Default::default()), Default::default());
        let mut session = entry.game.start(&header, 4).unwrap();
        while session.roll().is_some() {}
        let clock = ManualClock::new();
        let thinking = Thinking::new(Budget::visits(10), &clock, &NO_STOP, 1);
        let error = player(name, "uct").analyze(session.as_ref(), &thinking).unwrap_err();
        assert_eq!(error.code, "search.unsuitable");
        assert!(error.message.contains(other), "{error}");
    }
}
