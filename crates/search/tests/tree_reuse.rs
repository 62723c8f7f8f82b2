//! What a search keeps between runs.

mod tree_games;

use std::collections::BTreeMap;

use kiebitz_core::{Game, Uniform};
use kiebitz_search::{NodeInfo, Parallel, Search, Uct, UctSettings};

use tree_games::hex::{Hex, HexKnowledge};
use tree_games::tictactoe::TicTacToe;
use tree_games::{full, run};

type Nodes<A> = BTreeMap<Vec<A>, NodeInfo<A>>;

/// All nodes below `path`, by their path from there.
fn below<A: Copy + Ord>(look: &dyn Fn(&[A]) -> Option<NodeInfo<A>>, path: &[A]) -> Nodes<A> {
    let mut nodes = BTreeMap::new();
    let mut todo = vec![path.to_vec()];
    while let Some(at) = todo.pop() {
        let node = look(&at).expect("a node");
        for &action in &node.children {
            let mut child = at.clone();
            child.push(action);
            todo.push(child);
        }
        nodes.insert(at[path.len()..].to_vec(), node);
    }
    nodes
}

/// Everything in `after` is as in `before` but for one more simulation along one path.
fn check_one_more<A: Copy + Ord + std::fmt::Debug>(before: &Nodes<A>, after: &Nodes<A>) {
    let mut changed = Vec::new();
    for (path, old) in before {
        let new = &after[path];
        if new.visits != old.visits {
            assert_eq!(new.visits, old.visits + 1);
            changed.push(path.clone());
            // The order of children, their values before this visit and their priors are kept; only a leaf may have grown.
            assert!(old.children.is_empty() || old.children == new.children);
            if !path.is_empty() {
                let added = new.value * new.visits as f64 - old.value * old.visits as f64;
                assert!((-1e-6..=1.0 + 1e-6).contains(&added), "{added}");
            }
        } else {
            assert_eq!((old.value, old.terminal, &old.children), (new.value, new.terminal, &new.children));
            assert_eq!(old.prior, new.prior);
        }
    }
    assert!(!changed.is_empty());
    for pair in changed.windows(2) {
        assert!(pair[1].starts_with(&pair[0]) && pair[1].len() == pair[0].len() + 1, "one path: {changed:?}");
    }
}

#[test]
fn two_runs_are_one_run_of_both_budgets() {
    for threads in [1, 3] {
        let mut settings = full();
        settings.tree.threads = threads;
        settings.tree.parallel = Parallel::Root;
        let game = TicTacToe::after(&[4]);
        let whole = run(&mut Uct::new(Uniform, settings.clone()), &game, 6000, 5);
        let mut search = Uct::new(Uniform, settings);
        run(&mut search, &game, 2400, 5);
        let second = run(&mut search, &game, 3600, 5);
        assert_eq!(second.visits, 6000);
        if threads == 1 {
            assert_eq!(second, whole);
        } else {
            // Sums of floats are added in another order.
            for (a, b) in second.rows.iter().zip(&whole.rows) {
                assert_eq!((a.action, a.visits, &a.pv), (b.action, b.visits, &b.pv));
                assert!((a.utility.of(1) - b.utility.of(1)).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn the_subtree_of_the_moves_played_is_kept() {
    let mut search = Uct::new(HexKnowledge, {
        let mut s = UctSettings::rave();
        s.tree.early_stop = false;
        s
    });
    let mut game = Hex::<5>::empty();
    // Many segments, so that blocks move between them.
    let mut report = run(&mut search, &game, 40_000, 3);
    assert!(report.nodes > 40_000);
    while !game.turn().is_terminal() {
        let line: Vec<u16> = report.rows[0].pv.iter().copied().take(2).collect();
        if line.len() < 2 {
            break;
        }
        let before = below(&|path| search.node(path), &line);
        let nodes = report.nodes;
        for &action in &line {
            game.apply(action);
            search.observe(action);
        }
        if game.turn().is_terminal() {
            break;
        }
        assert_eq!(below(&|path| search.node(path), &[]), before, "observed, not yet compacted");
        report = run(&mut search, &game, 1, 3);
        let after = below(&|path| search.node(path), &[]);
        check_one_more(&before, &after);
        assert_eq!(report.nodes as usize, after.len(), "every node is accounted for");
        assert!(report.nodes < nodes);
        // Growing on works after compaction.
        report = run(&mut search, &game, 3000, 3);
        let after = below(&|path| search.node(path), &[]);
        assert_eq!(report.nodes as usize, after.len());
        let root = &after[&vec![]];
        assert_eq!(root.children.iter().map(|&a| after[&vec![a]].visits).sum::<u64>(), report.visits);
    }
}

#[test]
fn kept_visits_count_in_the_rows() {
    let mut search = Uct::new(Uniform, full());
    let game = TicTacToe::default();
    let line = run(&mut search, &game, 20_000, 1).rows[0].pv[..2].to_vec();
    let kept = search.node(&line).unwrap();
    let values: BTreeMap<u8, (u64, f64)> = kept
        .children
        .iter()
        .map(|&a| search.node(&[line[0], line[1], a]).map(|n| (a, (n.visits, n.value))).unwrap())
        .collect();
    let after = TicTacToe::after(&line);
    line.iter().for_each(|&a| search.observe(a));
    let report = run(&mut search, &after, 1, 1);
    assert_eq!(report.visits, values.values().map(|v| v.0).sum::<u64>() + 1);
    for row in &report.rows {
        let (visits, value) = values[&row.action];
        assert!(row.visits - visits <= 1);
        assert!((row.utility.of(0) - value).abs() < 1.0 / row.visits as f64 + 1e-9);
        assert!((row.utility.of(0) + row.utility.of(1) - 1.0).abs() < 1e-9 || row.visits > visits);
    }
    assert_eq!(report.rows.iter().filter(|row| row.returns.is_some() && !row.proven).count(), 1, "of the new one");
}

#[test]
fn another_position_drops_the_tree() {
    let game = TicTacToe::default();
    let fresh = |game: &TicTacToe| run(&mut Uct::new(Uniform, full()), game, 500, 1);
    // Not told of a move; told of another one; told of an illegal one; told of one that is not in the tree.
    let mut search = Uct::new(Uniform, full());
    run(&mut search, &game, 500, 1);
    assert_eq!(run(&mut search, &TicTacToe::after(&[4]), 500, 1), fresh(&TicTacToe::after(&[4])));
    search.observe(0);
    assert_eq!(run(&mut search, &TicTacToe::after(&[4, 1]), 500, 1), fresh(&TicTacToe::after(&[4, 1])));
    search.observe(4);
    assert_eq!(run(&mut search, &TicTacToe::after(&[4, 1]), 500, 1), fresh(&TicTacToe::after(&[4, 1])));
    let mut search = Uct::new(Uniform, full());
    run(&mut search, &game, 1, 1);
    search.observe(8);
    search.observe(7);
    assert_eq!(run(&mut search, &TicTacToe::after(&[8, 7]), 500, 1).visits, 500);
    // Reset, or switched off.
    let mut search = Uct::new(Uniform, full());
    run(&mut search, &game, 500, 1);
    search.observe(4);
    search.reset();
    assert_eq!(run(&mut search, &TicTacToe::after(&[4]), 500, 1), fresh(&TicTacToe::after(&[4])));
    let mut settings = full();
    settings.tree.reuse = false;
    let mut search = Uct::new(Uniform, settings);
    run(&mut search, &game, 500, 1);
    search.observe(4);
    assert_eq!(run(&mut search, &TicTacToe::after(&[4]), 500, 1), fresh(&TicTacToe::after(&[4])));
}

#[test]
fn root_parallel_keeps_its_trees() {
    let mut settings = full();
    settings.tree.threads = 3;
    settings.tree.parallel = Parallel::Root;
    let mut search = Uct::new(Uniform, settings);
    let best = run(&mut search, &TicTacToe::default(), 9000, 1).best();
    let kept: u64 = search.nodes(&[best]).into_iter().map(|node| node.unwrap().visits - 1).sum();
    search.observe(best);
    let report = run(&mut search, &TicTacToe::after(&[best]), 300, 1);
    assert_eq!(report.visits, kept + 300);
}
