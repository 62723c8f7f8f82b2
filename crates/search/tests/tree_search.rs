//! What UCT and PUCT find on games whose values are known.

mod tree_games;

use std::collections::BTreeMap;
use std::sync::Mutex;

use kiebitz_core::{Budget, ChanceKind, Game, ManualClock, Uniform};
use kiebitz_search::{Context, Puct, PuctSettings, Search, SearchError, StopReason, Uct};

use tree_games::explicit::{Explicit, choice, end};
use tree_games::tictactoe::TicTacToe;
use tree_games::{Hook, NO_STOP, full, run, seen};

/// Two plies: seat 0 chooses a side, seat 1 the end.
fn two_plies() -> Explicit {
    let side = |a: f64, b: f64| choice(1, vec![end(&[a, 1.0 - a]), end(&[b, 1.0 - b])]);
    Explicit::start(2, choice(0, vec![side(1.0, 0.25), side(0.75, 0.0)]))
}

#[test]
fn go_03_four_phases() {
    // Simulation after simulation: where the playout starts, what was expanded, what was counted.
    let starts = Mutex::new(Vec::new());
    let mut search = Uct::new(Hook(|game: &Explicit| starts.lock().unwrap().push(game.path.clone())), full());
    let game = two_plies();
    let value = |path: &[u8]| {
        let mut game = game.clone();
        path.iter().for_each(|&a| game.apply(a));
        game.utility()
    };

    // 1: the root gets its children; the first of them is selected, it is no leaf of the game: playout from it.
    run(&mut search, &game, 1, 7);
    let root = search.node(&[]).unwrap();
    assert_eq!((root.visits, root.children.len()), (1, 2));
    let first = root.children[0];
    assert_eq!(*starts.lock().unwrap(), [vec![first]], "the playout starts at the selected leaf");
    let node = search.node(&[first]).unwrap();
    assert_eq!(node.visits, 1, "backed up");
    assert!(node.children.is_empty(), "only one node is added to the tree for each simulation");
    let results: Vec<f64> = (0..2).map(|b| value(&[first, b]).of(0)).collect();
    assert!(results.contains(&node.value), "the value is that of the seat that chose the node, seat 0");

    // 2: the untried sibling comes before any second visit.
    run(&mut search, &game, 1, 7);
    let second = root.children[1];
    assert_eq!(*starts.lock().unwrap(), [vec![first], vec![second]]);
    assert_eq!(search.node(&[second]).unwrap().visits, 1);

    // 3: UCB1 selects the better one (equal visits; the first of equals); it is expanded, the new child is an end.
    let (a, b) = (search.node(&[first]).unwrap().value, search.node(&[second]).unwrap().value);
    let (chosen, before) = if b > a { (second, b) } else { (first, a) };
    run(&mut search, &game, 1, 7);
    assert_eq!(starts.lock().unwrap().len(), 2, "an end of the game needs no playout");
    let node = search.node(&[chosen]).unwrap();
    assert_eq!((node.visits, node.children.len()), (2, 2));
    let leaf = node.children[0];
    let end = search.node(&[chosen, leaf]).unwrap();
    let result = value(&[chosen, leaf]);
    assert!(end.terminal);
    assert_eq!((end.visits, end.value), (1, result.of(1)), "the end was chosen by seat 1");
    assert_eq!(node.value, (before + result.of(0)) / 2.0, "its parent was chosen by seat 0");
    assert_eq!(search.node(&[]).unwrap().visits, 3);
    assert_eq!(search.node(&[chosen, node.children[1]]).unwrap().visits, 0);
}

#[test]
fn go_20_untried_moves_come_in_random_order() {
    let game = Explicit::start(2, choice(0, (0..6).map(|_| end(&[0.5, 0.5])).collect()));
    let first = |seed| run(&mut Uct::new(Uniform, full()), &game, 1, seed).best();
    let mut counts = BTreeMap::new();
    for seed in 0..1200 {
        assert_eq!(first(seed), first(seed));
        *counts.entry(first(seed)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6);
    // Chi-squared with 5 degrees of freedom: 20.5 is exceeded with probability 0.001.
    let chi: f64 = counts.values().map(|&n| f64::from(n - 200) * f64::from(n - 200) / 200.0).sum();
    assert!(chi < 20.5, "{counts:?}");
}

#[test]
fn go_21_go_22_one_move_win_gets_most_visits() {
    // X at 0 and 1, O at 3 and 4: X wins at 2. With O to move after X's 8, O wins at 5.
    let report = run(&mut Uct::new(Uniform, full()), &TicTacToe::after(&[0, 3, 1, 4]), 500, 1);
    assert_eq!(report.best(), 2);
    assert!(report.rows[0].proven);
    assert_eq!(
        (report.rows[0].utility.as_slice(), report.rows[0].utility_error.as_slice()),
        (&[1.0, 0.0][..], &[0.0; 2][..])
    );
    let report = run(&mut Uct::new(Uniform, full()), &TicTacToe::after(&[0, 3, 1, 4, 8]), 500, 1);
    assert_eq!((report.seat, report.best()), (1, 5));
    assert_eq!(report.rows[0].utility.of(1), 1.0);
    // X threatens 2 and O has no win: O must block.
    let report = run(&mut Uct::new(Uniform, full()), &TicTacToe::after(&[0, 4, 1]), 2000, 1);
    assert_eq!(report.best(), 2);
}

#[test]
fn regression_g2_the_stored_value_is_the_choosers() {
    // A 25-way root; child 12 is a finished game won by the mover, child 0 one that is lost.
    for mover in 0..2u8 {
        let ends = (0..25u8).map(|i| {
            let mine = match i {
                12 => 1.0,
                0 => 0.0,
                _ => 0.5,
            };
            if mover == 0 { end(&[mine, 1.0 - mine]) } else { end(&[1.0 - mine, mine]) }
        });
        let game = Explicit::start(2, choice(mover, ends.collect()));
        let mut search = Uct::new(Uniform, full());
        let report = run(&mut search, &game, 250, 3);
        assert_eq!(report.best(), 12);
        assert_eq!(report.rows.last().unwrap().action, 0);
        assert_eq!(search.node(&[12]).unwrap().value, 1.0);
        assert_eq!(search.node(&[0]).unwrap().value, 0.0);
    }
}

#[test]
fn every_seat_maximises_its_own_utility() {
    // Seat 0 would like the left side, but seat 1 prefers the end that is bad for seat 0 there, and so does seat 2.
    let left = choice(1, vec![end(&[0.9, 0.1, 0.5]), choice(2, vec![end(&[0.0, 0.6, 1.0]), end(&[1.0, 1.0, 0.0])])]);
    let right = choice(2, vec![end(&[0.3, 0.2, 0.9]), end(&[1.0, 0.0, 0.1])]);
    let game = Explicit::start(3, choice(0, vec![left, right]));
    for search in
        [&mut Uct::new(Uniform, full()) as &mut dyn Search<Explicit>, &mut Puct::new(Uniform, PuctSettings::default())]
    {
        let clock = ManualClock::new();
        let report = search.run(&seen(&game), &Context::new(Budget::visits(4000), &clock, &NO_STOP, 1)).unwrap();
        assert_eq!(report.best(), 1);
        assert_eq!(report.rows[0].pv, [1, 0]);
        let (value, returns) = (report.rows[0].utility, report.rows[0].returns.unwrap().0);
        for (seat, exact) in [0.3, 0.2, 0.9].into_iter().enumerate() {
            assert!((value.of(seat as u8) - exact).abs() < 0.1, "{value:?}");
            assert!((returns.of(seat as u8) - 10.0 * value.of(seat as u8)).abs() < 1e-9);
        }
        assert_eq!(report.rows.iter().find(|row| row.action == 0).unwrap().pv, [0, 1, 0]);
    }
}

#[test]
fn go_40_converges_to_the_exact_values_of_tictactoe() {
    // Every position after up to two plies: the chosen cell keeps the exact value.
    let mut lines = vec![vec![]];
    for a in 0..9u8 {
        lines.push(vec![a]);
        lines.extend((0..9).filter(|&b| b != a).map(|b| vec![a, b]));
    }
    for line in lines {
        let game = TicTacToe::after(&line);
        let mut settings = full();
        settings.c = 1.0;
        let report = run(&mut Uct::new(Uniform, settings), &game, 4000, 5);
        let mut after = game.clone();
        after.apply(report.best());
        assert_eq!(after.exact(), game.exact(), "after {line:?} it plays {}", report.best());
    }
    // The mean approaches the value of the draw.
    let mut errors = Vec::new();
    for visits in [1_000, 10_000, 100_000] {
        let mut settings = full();
        settings.c = 0.5;
        let report = run(&mut Uct::new(Uniform, settings), &TicTacToe::default(), visits, 5);
        errors.push((report.rows[0].utility.of(0) - 0.5).abs());
    }
    assert!(errors[2] < 0.03 && errors[2] < errors[0], "{errors:?}");
}

#[test]
fn same_seed_same_report() {
    let game = TicTacToe::after(&[4]);
    let report = |seed| run(&mut Uct::new(Uniform, full()), &game, 3000, seed);
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2));
    let puct = |seed| run(&mut Puct::new(Uniform, PuctSettings::default()), &game, 3000, seed);
    assert_eq!(puct(1), puct(1));
    // A setting replaces the context's seed.
    let mut settings = full();
    settings.tree.seed = Some(1);
    assert_eq!(run(&mut Uct::new(Uniform, settings), &game, 3000, 2), report(1));
    // Without reuse, and after a reset, the same search object repeats itself.
    let mut settings = full();
    settings.tree.reuse = false;
    let mut search = Uct::new(Uniform, settings);
    assert_eq!(run(&mut search, &game, 3000, 1), report(1));
    assert_eq!(run(&mut search, &game, 3000, 1), report(1));
    let mut search = Uct::new(Uniform, full());
    assert_eq!(run(&mut search, &game, 3000, 1), report(1));
    search.reset();
    assert_eq!(run(&mut search, &game, 3000, 1), report(1));
}

#[test]
fn report_is_consistent() {
    let report = run(&mut Uct::new(Uniform, full()), &TicTacToe::default(), 5000, 9);
    assert_eq!((report.visits, report.seat, report.stop), (5000, 0, StopReason::Visits));
    assert_eq!(report.rows.iter().map(|row| row.visits).sum::<u64>(), 5000);
    assert!(report.rows.windows(2).all(|w| w[0].visits >= w[1].visits));
    assert!(report.nodes > 1000 && report.bytes >= report.nodes * 48);
    assert!((6..=9).contains(&report.depth));
    for row in &report.rows {
        assert_eq!((row.pv[0], row.availability, row.prior), (row.action, 5000, None));
        assert!((row.utility.of(0) + row.utility.of(1) - 1.0).abs() < 1e-9);
        assert!(row.utility_error.of(0) > 0.0 && row.utility_error.of(0) < 0.5);
        let mut game = TicTacToe::default();
        row.pv.iter().for_each(|&cell| game.try_apply(cell).expect("a legal line"));
    }
}

#[test]
fn go_23_ties_by_value_then_action_order() {
    // Ten visits over ten ends of equal value: all have one visit.
    let game = Explicit::start(2, choice(0, (0..10).map(|_| end(&[0.5, 0.5])).collect()));
    let report = run(&mut Uct::new(Uniform, full()), &game, 10, 11);
    assert_eq!(report.rows.iter().map(|row| row.action).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    let game = Explicit::start(2, choice(0, (0..10).map(|i| end(&[f64::from(i % 3) / 2.0, 0.0])).collect()));
    let report = run(&mut Uct::new(Uniform, full()), &game, 10, 11);
    assert_eq!(report.rows.iter().map(|row| row.action).collect::<Vec<_>>(), [2, 5, 8, 1, 4, 7, 0, 3, 6, 9]);
}

#[test]
fn unsuitable_games_are_refused() {
    let clock = ManualClock::new();
    let context = Context::new(Budget::visits(10), &clock, &NO_STOP, 0);
    let mut search = Uct::new(Uniform, full());
    let mut hidden = two_plies();
    hidden.hidden = true;
    let error = search.run(&seen(&hidden), &context).unwrap_err();
    assert!(matches!(error, SearchError::Unsuitable { algorithm: "uct", .. }));
    assert!(error.to_string().contains("ismcts"), "{error}");
    let mut dice = two_plies();
    dice.chance = &[ChanceKind { name: "roll", listed: true }];
    assert_eq!(search.run(&seen(&dice), &context).unwrap_err().code(), "search.unsuitable");
    let over = Explicit::start(2, end(&[1.0, 0.0]));
    assert_eq!(search.run(&seen(&over), &context).unwrap_err(), SearchError::NotAPlayersTurn);
    let unlimited = Context::new(Budget::default(), &clock, &NO_STOP, 0);
    assert_eq!(search.run(&seen(&two_plies()), &unlimited).unwrap_err(), SearchError::NoBudget);
}
