//! Several threads: no count is lost, separate trees are added up exactly.

mod tree_games;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use kiebitz_core::{Game, Knowledge, Outcome, Payoff, Rng, Scratch, Trace, Uniform};
use kiebitz_search::select::Rave;
use kiebitz_search::{Parallel, Uct, UctSettings};

use tree_games::explicit::{Explicit, Position, choice, end};
use tree_games::tictactoe::TicTacToe;
use tree_games::{Hook, full, run};

fn threads(n: usize, parallel: Parallel) -> UctSettings {
    let mut settings = full();
    settings.tree.threads = n;
    settings.tree.parallel = parallel;
    settings
}

/// Four plies of four actions, with ends of all values.
fn bushy() -> Explicit {
    fn grow(ply: u8, number: &mut u32) -> Arc<Position> {
        if ply == 4 {
            *number += 1;
            let u = f64::from(*number * 7 % 11) / 10.0;
            return end(&[u, 1.0 - u]);
        }
        choice(ply % 2, (0..4).map(|_| grow(ply + 1, number)).collect())
    }
    Explicit::start(2, grow(0, &mut 0))
}

/// Checks all counts of the tree below `path`: the visits of a node are those of its children and the playouts that started
/// from it (`playouts`, by path), or those of an end of the game.
fn check_counts<K: Knowledge<Explicit>>(
    search: &Uct<Explicit, K>,
    path: &mut Vec<u8>,
    playouts: &BTreeMap<Vec<u8>, u64>,
) -> u64 {
    let node = search.node(path).expect("a node");
    assert!(node.value >= 0.0 && node.value <= 1.0);
    let mut sum = playouts.get(path).copied().unwrap_or(0);
    for &action in &node.children {
        path.push(action);
        sum += check_counts(search, path, playouts);
        path.pop();
    }
    if node.terminal {
        assert_eq!(sum, 0);
    } else {
        assert_eq!(node.visits, sum, "{path:?}");
    }
    node.visits
}

#[test]
fn threads_lose_no_counts() {
    for (n, virtual_loss) in [(1, 1), (4, 0), (4, 1), (4, 3)] {
        let playouts = Mutex::new(BTreeMap::new());
        let hook = Hook(|game: &Explicit| *playouts.lock().unwrap().entry(game.path.clone()).or_insert(0) += 1);
        let mut settings = threads(n, Parallel::Tree);
        settings.tree.virtual_loss = virtual_loss;
        settings.tree.expand_after = 3;
        let mut search = Uct::new(hook, settings);
        let report = run(&mut search, &bushy(), 100_000, 1);
        assert_eq!(report.visits, 100_000);
        assert_eq!(check_counts(&search, &mut Vec::new(), &playouts.lock().unwrap()), 100_000);
        for row in &report.rows {
            // The payoffs of all threads and the sum in the node are counted apart, and agree.
            let node = search.node(&[row.action]).unwrap();
            assert_eq!(node.visits, row.visits);
            assert!((node.value - row.utility.of(0)).abs() < 1e-6);
        }
    }
}

/// Every playout claims that seat 0 plays 2 and 3, and seat 1 plays 1.
struct Told;

impl Knowledge<Explicit> for Told {
    type Buffer = ();

    fn playout(
        &self,
        _: &mut Explicit,
        _: &mut Rng,
        _: &mut Scratch<Explicit>,
        trace: Option<&mut Trace<u8>>,
    ) -> Outcome {
        trace.expect("RAVE asks for the moves").extend([(0, 2), (1, 1), (0, 3)]);
        Outcome { utility: Payoff::new(&[0.25, 0.75]), returns: Payoff::new(&[1.0, 3.0]) }
    }

    fn amaf(&self, _: &Explicit, action: u8) -> Option<u32> {
        Some(u32::from(action))
    }

    fn amaf_size(&self, _: &Explicit) -> u32 {
        4
    }
}

#[test]
fn threads_lose_no_amaf_counts() {
    // Only the root is expanded, so that every simulation is told.
    let mut settings = threads(4, Parallel::Tree);
    settings.rave = Rave::Mse { bias: 0.01 };
    settings.tree.expand_after = 1_000_000;
    let mut search = Uct::new(Told, settings.clone());
    run(&mut search, &bushy(), 100_003, 1);
    for action in 0..4 {
        let node = search.node(&[action]).unwrap();
        let expected = if action >= 2 { 100_003 } else { node.visits };
        assert_eq!((node.amaf_visits, node.amaf_value), (expected, 0.25), "action {action}");
    }
    // The same one and two plies further down: all but the simulations that ended at the node itself. At its children the
    // game goes on, so that these are told as well.
    settings.tree.expand_after = 20_000;
    let mut search = Uct::new(Told, settings);
    run(&mut search, &bushy(), 100_003, 1);
    let mut checked = 0;
    for action in 0..4 {
        let node = search.node(&[action]).unwrap();
        let below: Vec<_> = node.children.iter().map(|&reply| search.node(&[action, reply]).unwrap()).collect();
        if let Some(told) = node.children.iter().position(|&reply| reply == 1).map(|i| &below[i]) {
            let through: u64 = below.iter().map(|child| child.visits).sum();
            if action != 1 && below.iter().all(|child| child.children.is_empty()) {
                assert_eq!(told.amaf_visits, through);
                checked += 1;
            }
        }
    }
    assert!(checked > 0);
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
    let result = catch_unwind(AssertUnwindSafe(|| run(&mut search, &game, 300_000_000, 1)));
    assert!(result.is_err());
    assert!(simulations.load(Ordering::Relaxed) < 200_000_000, "the others stopped as well");
    armed.store(false, Ordering::Relaxed);
    assert_eq!(run(&mut search, &game, 100, 1).visits, 100);
}
