//! What the root of one or several trees says.

use std::time::Duration;

use kiebitz_core::{Game, Outcome, Payoff, Seat};

use super::arena::{ROOT, Tree};
use super::publish::State;
use super::simulate::Sample;
use crate::{PayoffStats, Report, Row, StopReason};

/// Payoffs of the simulations through one root action.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowStats {
    pub utility: PayoffStats,
    pub returns: PayoffStats,
}

impl RowStats {
    pub fn add(&mut self, sample: &Sample) {
        self.utility.add(&sample.utility);
        if let Some(returns) = &sample.returns {
            self.returns.add(returns);
        }
    }

    pub fn merge(&mut self, other: &RowStats) {
        self.utility.merge(&other.utility);
        self.returns.merge(&other.returns);
    }
}

/// One root action over all trees.
struct RootAction<A> {
    action: A,
    prior: f64,
    /// Visits and utility sum (of the seat to move) of simulations whose payoffs are not in any [`RowStats`]: they belong to
    /// runs before the position became the root.
    kept_visits: u64,
    kept_sum: f64,
}

/// The root's actions in their order, and where each tree has them: children stand in another order in every tree.
pub(crate) struct Root<A> {
    seat: Seat,
    actions: Vec<RootAction<A>>,
    /// For each tree: for each root child its index in `actions`.
    ranks: Vec<Vec<usize>>,
}

impl<A: Copy + Ord> Root<A> {
    /// The roots of the trees before a run, whose payoffs so far are `stats` (for each tree and child; missing ones empty).
    pub fn new(seat: Seat, trees: &[Tree<A>], stats: &[Vec<RowStats>]) -> Self {
        let mut actions: Vec<A> =
            trees.iter().flat_map(|tree| tree.children_of(ROOT)).map(|child| child.action()).collect();
        actions.sort_unstable();
        actions.dedup();
        let mut actions: Vec<_> = actions
            .into_iter()
            .map(|action| RootAction { action, prior: 0.0, kept_visits: 0, kept_sum: 0.0 })
            .collect();
        let mut ranks = Vec::new();
        for (t, tree) in trees.iter().enumerate() {
            let mut of_tree = Vec::new();
            for (i, child) in tree.children_of(ROOT).iter().enumerate() {
                let rank = actions.partition_point(|a| a.action < child.action());
                let known = stats.get(t).and_then(|s| s.get(i)).map(|s| s.utility).unwrap_or_default();
                let root = &mut actions[rank];
                root.prior = child.prior();
                let kept = u64::from(child.visits.get()).saturating_sub(known.count());
                if kept > 0 {
                    root.kept_visits += kept;
                    root.kept_sum += child.sum.get() - known.estimate(seat).mean * known.count() as f64;
                }
                of_tree.push(rank);
            }
            ranks.push(of_tree);
        }
        Root { seat, actions, ranks }
    }

    /// How many actions there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Writes the visits of every action and the sum of its utility, for the seat to move, into `out`.
    pub fn sums(&self, trees: &[Tree<A>], out: &mut Vec<(u64, f64)>) {
        out.clear();
        out.resize(self.actions.len(), (0, 0.0));
        for (tree, ranks) in trees.iter().zip(&self.ranks) {
            for (child, &rank) in tree.children_of(ROOT).iter().zip(ranks) {
                out[rank].0 += u64::from(child.visits.get());
                out[rank].1 += child.sum.get();
            }
        }
    }
}

/// What a report says besides its rows.
pub(crate) struct Totals {
    pub depth: u32,
    pub elapsed: Duration,
    pub stop: StopReason,
}

/// The report on `trees` when `stats` holds the payoffs of each worker: its tree, and for each root child its payoffs.
pub(crate) fn report<G: Game>(
    game: &G,
    root: &Root<G::Action>,
    trees: &[Tree<G::Action>],
    stats: &[(usize, Vec<RowStats>)],
    uses_prior: bool,
    totals: Totals,
) -> Report<G> {
    let mut merged = vec![RowStats::default(); root.actions.len()];
    for (tree, rows) in stats {
        for (row, &rank) in rows.iter().zip(&root.ranks[*tree]) {
            merged[rank].merge(row);
        }
    }
    let visits = root.actions.iter().zip(&merged).map(|(a, s)| a.kept_visits + s.utility.count()).sum();
    let mut rows: Vec<_> = root
        .actions
        .iter()
        .zip(&merged)
        .filter(|(action, stats)| action.kept_visits + stats.utility.count() > 0)
        .map(|(action, stats)| row(game, root.seat, action, stats, visits, uses_prior))
        .collect();
    let mean = |row: &Row<G::Action>| row.utility.of(root.seat);
    rows.sort_by(|a, b| b.visits.cmp(&a.visits).then(mean(b).total_cmp(&mean(a))).then(a.action.cmp(&b.action)));
    for row in &mut rows {
        extend_line(trees, row);
    }
    for row in rows.iter_mut().filter(|row| row.proven) {
        let mut end = game.clone();
        end.apply(row.action);
        let Outcome { utility, returns } = Outcome::of(&end);
        let zero = Payoff::uniform(utility.players(), 0.0);
        (row.utility, row.utility_error, row.returns) = (utility, zero, Some((returns, zero)));
    }
    Report {
        seat: root.seat,
        rows,
        visits,
        nodes: trees.iter().map(Tree::nodes).sum(),
        bytes: trees.iter().map(Tree::bytes).sum(),
        depth: totals.depth,
        elapsed: totals.elapsed,
        stop: totals.stop,
    }
}

fn row<G: Game>(
    game: &G,
    seat: Seat,
    action: &RootAction<G::Action>,
    stats: &RowStats,
    root_visits: u64,
    uses_prior: bool,
) -> Row<G::Action> {
    let visits = action.kept_visits + stats.utility.count();
    let (mut utility, mut error) = stats.utility.utilities();
    if action.kept_visits > 0 {
        // The tree kept the mean of the seat to move alone. The others' are those of this run's simulations; without any,
        // what the seat to move leaves, shared equally.
        let n = visits as f64;
        let mean = (action.kept_sum + stats.utility.estimate(seat).mean * stats.utility.count() as f64) / n;
        let bound = (mean * (1.0 - mean)).max(0.0).sqrt() / n.sqrt();
        if stats.utility.count() == 0 {
            let players = game.meta().players;
            utility = Payoff::uniform(players, (1.0 - mean) / f64::from(players.max(2) - 1));
            error = Payoff::uniform(players, bound);
        }
        utility.set(seat, mean);
        // No spread was kept: that of a win-or-loss game is the largest possible.
        error.set(seat, if visits < 2 { 0.5 } else { bound });
    }
    Row {
        action: action.action,
        visits,
        availability: root_visits,
        prior: uses_prior.then_some(action.prior),
        utility,
        utility_error: error,
        returns: (stats.returns.count() > 0).then(|| stats.returns.payoffs()),
        pv: vec![action.action],
        pv_visits: vec![visits],
        proven: false,
    }
}

/// Continues a line that holds one root action by the most visited children, in the tree that visited the action most;
/// `proven` when the action ends the game.
fn extend_line<A: Copy + Ord>(trees: &[Tree<A>], row: &mut Row<A>) {
    let mut best: Option<(&Tree<A>, u32, u32)> = None;
    for tree in trees {
        if let Some(child) = find(tree, ROOT, row.action) {
            let visits = tree.node(child).visits.get();
            if best.is_none_or(|(_, _, most)| visits > most) {
                best = Some((tree, child, visits));
            }
        }
    }
    let Some((tree, mut at, _)) = best else { return };
    row.proven = tree.node(at).link.state() == State::Terminal;
    while let State::Expanded(children) = tree.node(at).link.state() {
        let next = tree.children(children).iter().enumerate().filter(|(_, child)| child.visits.get() > 0).max_by(
            |(_, a), (_, b)| {
                let by_value = || a.mean().total_cmp(&b.mean());
                a.visits.get().cmp(&b.visits.get()).then_with(by_value).then_with(|| b.action().cmp(&a.action()))
            },
        );
        let Some((i, child)) = next else { return };
        row.pv.push(child.action());
        row.pv_visits.push(u64::from(child.visits.get()));
        at = children.first + i as u32;
    }
}

/// The child of a node by its action.
pub(super) fn find<A: Copy + Eq>(tree: &Tree<A>, at: u32, action: A) -> Option<u32> {
    let State::Expanded(children) = tree.node(at).link.state() else { return None };
    let i = tree.children(children).iter().position(|child| child.action() == action)?;
    Some(children.first + i as u32)
}

/// A node of a search tree, for those who want to look inside.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeInfo<A> {
    /// Simulations through it.
    pub visits: u64,
    /// Mean utility, `[0, 1]`, of the seat that chose it; 0 for the root, which nobody chose.
    pub value: f64,
    /// Simulations in which that seat played its action later (all moves as first).
    pub amaf_visits: u64,
    /// Their mean utility.
    pub amaf_value: f64,
    /// Prior probability; 0 where the search uses none.
    pub prior: f64,
    /// The game is over there.
    pub terminal: bool,
    /// The actions of its children in the order in which they stand; empty when it is not expanded.
    pub children: Vec<A>,
}

/// Looks at the node at the end of `path`.
pub(super) fn inspect<A: Copy + Eq>(tree: &Tree<A>, mut at: u32, path: &[A]) -> Option<NodeInfo<A>> {
    for &action in path {
        at = find(tree, at, action)?;
    }
    let node = tree.node(at);
    let (amaf_visits, amaf_sum) = node.amaf.get();
    Some(NodeInfo {
        visits: u64::from(node.visits.get()),
        value: node.mean(),
        amaf_visits: amaf_visits as u64,
        amaf_value: if amaf_visits == 0.0 { 0.0 } else { amaf_sum / amaf_visits },
        prior: node.prior(),
        terminal: node.link.state() == State::Terminal,
        children: tree.children_of(at).iter().map(|child| child.action()).collect(),
    })
}
