//! The line of play that a search expects, and what it learned along a line.

use kiebitz_core::{Game, Seat, Seen, Turn};

use super::forest::{Forest, InformationSet};
use super::{Branch, Observers};
use crate::action_tree::{CHANCE, ROOT};

/// `action` and the most visited answers, as far as they are legal in the world the caller can see and chance does not
/// interfere: a line that can be replayed.
pub(super) fn principal<G: Game>(
    forest: &Forest<G::Action>,
    observers: Observers,
    root: &Seen<G>,
    action: G::Action,
) -> Vec<G::Action> {
    let (viewer, mut world) = (root.seat(), root.sample_world().clone());
    let (mut line, mut played, mut actions) = (vec![action], action, Vec::new());
    let mut at = forest.root_child(viewer, action);
    while let Some(node) = at {
        if world.try_apply(played).is_err() {
            break;
        }
        let Turn::Seat(mover) = world.turn() else { break };
        world.actions(&mut actions);
        // With several observers the mover's tree decides, in which it sees its own actions as they are.
        let single = observers == Observers::Single;
        let seen = |a: G::Action| if single && mover != viewer { world.masked(a, viewer) } else { a };
        let begin = if single { Some(node) } else { information_set(forest, observers, viewer, &world) };
        at = begin.and_then(|begin| {
            forest.most_visited(begin, |n| n.seat() == mover && actions.iter().any(|&a| seen(a) == n.action()))
        });
        let Some(child) = at else { break };
        let key = forest.tree.node(child).action();
        let Some(&action) = actions.iter().find(|&&a| seen(a) == key) else { break };
        played = action;
        line.push(action);
    }
    line
}

/// Where the tree of the seat to move begins, for searches with several observers.
pub(super) fn information_set<G: Game>(
    forest: &Forest<G::Action>,
    observers: Observers,
    viewer: Seat,
    world: &G,
) -> Option<u32> {
    let mover = world.turn().seat()?;
    let model = observers == Observers::Redeterminize && mover != viewer;
    forest.find(InformationSet::new(mover, world.information_key(mover), model))
}

/// The children of the node after a line of actions as the searching seat sees them.
pub(super) fn after<A: Copy + Ord>(forest: &Forest<A>, line: &[A], out: &mut Vec<Branch<A>>) {
    let mut at = vec![ROOT];
    for action in line {
        at = at
            .iter()
            .flat_map(|&node| forest.tree.children(node))
            .filter(|&child| forest.tree.node(child).action() == *action)
            .collect();
    }
    at.into_iter().for_each(|node| children(forest, node, out));
}

/// The children of a node; `mean` is the sum until [`merge`].
pub(super) fn children<A: Copy + Ord>(forest: &Forest<A>, at: u32, out: &mut Vec<Branch<A>>) {
    out.extend(forest.tree.children(at).map(|child| {
        let node = forest.tree.node(child);
        let by = (node.seat() != CHANCE).then_some(node.seat());
        Branch { by, action: node.action(), visits: node.visits(), availability: node.available(), mean: node.sum() }
    }));
}

/// Adds up equal branches, those of chance last.
pub(super) fn merge<A: Copy + Ord>(mut all: Vec<Branch<A>>) -> Vec<Branch<A>> {
    all.sort_by_key(|branch| (branch.by.unwrap_or(CHANCE), branch.action));
    let mut merged: Vec<Branch<A>> = Vec::new();
    for branch in all {
        match merged.last_mut() {
            Some(last) if last.by == branch.by && last.action == branch.action => {
                last.visits += branch.visits;
                last.availability += branch.availability;
                last.mean += branch.mean;
            }
            _ => merged.push(branch),
        }
    }
    // Until here `mean` held the sum.
    merged.iter_mut().filter(|b| b.visits > 0).for_each(|b| b.mean /= b.visits as f64);
    merged
}
