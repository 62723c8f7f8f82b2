//! Several threads: no count is lost, separate trees are added up exactly.

mod tree_games;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kiebitz_core::{Game, Uniform};
use kiebitz_search::{NodeInfo, Parallel, Uct, UctSettings};

use tree_games::hex::{Hex, HexKnowledge};
use tree_games::tictactoe::TicTacToe;
use tree_games::{Hook, full, run};

fn threads(n: usize, parallel: Parallel) -> UctSettings {
    let mut settings = full();
    settings.tree.threads = n;
    settings.tree.parallel = parallel;
    settings
}

/// Visits of a node are those of its children and those from before it had any.
fn check_counts(
    search: &Uct<TicTacToe, Uniform>,
    path: &mut Vec<u8>,
    node: &NodeInfo<u8>,
    expand_after: u64,
    slack: u64,
) {
    let mut sum = 0;
    for &action in &node.children {
        path.push(action);
        let child = search.node(path).expect("a child");
        sum += child.visits;
        check_counts(search, path, &child, expand_after, slack);
        path.pop();
    }
    let own = if path.is_empty() { 0 } else { expand_after };
    if !node.children.is_empty() {
        // With several threads some may have played out from the node while another was expanding it.
        assert!(node.visits >= sum + own && node.visits <= sum + own + slack, "{path:?}: {} and {sum}", node.visits);
    }
    assert!(node.value >= 0.0 && node.value <= 1.0);
}

#[test]
fn one_thread_counts_exactly() {
    let mut search = Uct::new(Uniform, full());
    run(&mut search, &TicTacToe::default(), 20_000, 1);
    check_counts(&search, &mut Vec::new(), &search.node(&[]).unwrap(), 1, 0);
}

#[test]
fn threads_lose_no_counts() {
    for virtual_loss in [0, 1, 3] {
        let mut settings = threads(4, Parallel::Tree);
        settings.tree.virtual_loss = virtual_loss;
        let mut search = Uct::new(Uniform, settings);
        let report = run(&mut search, &TicTacToe::default(), 100_000, 1);
        let root = search.node(&[]).unwrap();
        assert_eq!((report.visits, root.visits), (100_000, 100_000));
        let sum: u64 = root.children.iter().map(|&a| search.node(&[a]).unwrap().visits).sum();
        assert_eq!(sum, 100_000);
        check_counts(&search, &mut Vec::new(), &root, 1, 200);
        for row in &report.rows {
            // The payoffs of all threads and the sum in the node are counted apart, and agree.
            let node = search.node(&[row.action]).unwrap();
            assert_eq!(node.visits, row.visits);
            assert!((node.value - row.utility.of(0)).abs() < 1e-6);
        }
    }
}

#[test]
fn threads_lose_no_amaf_counts() {
    let mut settings = UctSettings::rave();
    settings.tree.early_stop = false;
    settings.tree.threads = 4;
    let mut search = Uct::new(HexKnowledge, settings);
    run(&mut search, &Hex::<3>::empty(), 4_000, 1);
    let root = search.node(&[]).unwrap();
    // Nine cells are filled, five of them by seat 0; a playout fills the board, a game that ends in the tree does not.
    let total: u64 = root.children.iter().map(|&a| search.node(&[a]).unwrap().amaf_visits).sum();
    assert!(total > 3 * 4_000 && total <= 5 * 4_000, "{total}");
    for &a in &root.children {
        let child = search.node(&[a]).unwrap();
        assert!(child.amaf_visits >= child.visits, "a move is its own first");
    }
}

#[test]
fn root_parallel_adds_up_exactly() {
    let game = TicTacToe::after(&[4, 0]);
    let mut search = Uct::new(Uniform, threads(3, Parallel::Root));
    let report = run(&mut search, &game, 3001, 8);
    assert_eq!(report.visits, 3001);
    // The first tree is what one thread grows with its share of the budget.
    let mut single = Uct::new(Uniform, full());
    let alone = run(&mut single, &game, 1001, 8);
    for row in &report.rows {
        let nodes = search.nodes(&[row.action]);
        assert_eq!(nodes.len(), 3);
        assert_eq!(nodes[0], single.node(&[row.action]));
        let nodes: Vec<_> = nodes.into_iter().map(|node| node.unwrap()).collect();
        assert_eq!(row.visits, nodes.iter().map(|node| node.visits).sum::<u64>());
        let sum: f64 = nodes.iter().map(|node| node.value * node.visits as f64).sum();
        assert!((row.utility.of(0) - sum / row.visits as f64).abs() < 1e-6);
    }
    let shares: Vec<u64> = search.nodes(&[]).into_iter().map(|root| root.unwrap().visits).collect();
    assert_eq!(shares, [1001, 1000, 1000]);
    assert!(report.nodes > alone.nodes);
    // Independent trees: the result does not depend on scheduling.
    assert_eq!(report, run(&mut Uct::new(Uniform, threads(3, Parallel::Root)), &game, 3001, 8));
}

#[test]
fn threads_find_the_same_move() {
    for parallel in [Parallel::Tree, Parallel::Root] {
        let game = TicTacToe::after(&[0, 4, 1]);
        let report = run(&mut Uct::new(Uniform, threads(4, parallel)), &game, 8000, 2);
        assert_eq!(report.best(), 2);
        let mut line = game.clone();
        report.rows[0].pv.iter().for_each(|&cell| line.try_apply(cell).expect("a legal line"));
    }
}

#[test]
fn a_panic_in_a_game_ends_all_threads_and_leaves_a_usable_search() {
    let armed = AtomicBool::new(true);
    let simulations = AtomicU64::new(0);
    let hook = Hook(|_: &TicTacToe| {
        if simulations.fetch_add(1, Ordering::Relaxed) == 1000 && armed.load(Ordering::Relaxed) {
            panic!("a bug in a game");
        }
    });
    let mut search = Uct::new(hook, threads(3, Parallel::Tree));
    let game = TicTacToe::default();
    let result = catch_unwind(AssertUnwindSafe(|| run(&mut search, &game, 3_000_000, 1)));
    assert!(result.is_err());
    assert!(simulations.load(Ordering::Relaxed) < 1_000_000, "the others stopped as well");
    armed.store(false, Ordering::Relaxed);
    assert_eq!(run(&mut search, &game, 100, 1).visits, 100);
}
