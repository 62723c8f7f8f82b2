//! The trees of a search in one arena, with the information sets that are roots of their own, under one memory limit; and
//! how threads get at them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use kiebitz_core::Seat;
use rustc_hash::FxHashMap;

use crate::action_tree::{ActionTree, CHANCE, Node, ROOT};

/// The information of a seat, as [`kiebitz_core::Game::information_key`] has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InformationSet {
    /// In halves, for a smaller entry.
    key: [u64; 2],
    seat: Seat,
    /// Belongs to the model of how the seats play, not to what the searching seat knows.
    model: bool,
}

impl InformationSet {
    pub(super) fn new(seat: Seat, key: u128, model: bool) -> Self {
        InformationSet { key: [(key >> 64) as u64, key as u64], seat, model }
    }
}

/// Bytes of one place in the table: the entry and its control byte.
const PLACE: usize = size_of::<(InformationSet, u32)>() + 1;

/// The trees.
#[derive(Debug)]
pub(super) struct Forest<A> {
    pub(super) tree: ActionTree<A>,
    sets: FxHashMap<InformationSet, u32>,
    /// The most information sets.
    limit: usize,
}

impl<A: Copy + Ord> Forest<A> {
    pub(super) fn new() -> Self {
        Forest { tree: ActionTree::new(), sets: FxHashMap::default(), limit: 0 }
    }

    /// Forgets everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.sets.clear();
    }

    /// Starts afresh within `bytes`; `least` nodes there may be in any case. `sets`: whether information sets will be asked
    /// for.
    pub(super) fn restart(&mut self, filler: A, bytes: usize, least: usize, sets: bool) {
        self.sets.clear();
        // A table has a power of two places, seven of eight are used at most, and while it doubles both tables exist.
        let most = bytes / 2 / (PLACE + PLACE / 2);
        let places = if sets && most >= 16 { 1 << most.ilog2() } else { 0 };
        self.limit = places / 8 * 7;
        self.sets.shrink_to(self.limit);
        let left = bytes - places * (PLACE + PLACE / 2);
        self.tree.restart(filler, (left / size_of::<Node<A>>()).max(least));
    }

    /// Where the tree of an information set begins; `None` where there is none yet.
    pub(super) fn find(&self, set: InformationSet) -> Option<u32> {
        self.sets.get(&set).copied()
    }

    /// As [`Forest::find`], and makes what is missing; `None` when there is no room for it. The second value is whether it is
    /// new.
    pub(super) fn find_or_add(&mut self, set: InformationSet, filler: A) -> Option<(u32, bool)> {
        if let Some(&root) = self.sets.get(&set) {
            return Some((root, false));
        }
        if self.sets.len() >= self.limit {
            return None;
        }
        let root = self.tree.add_root(CHANCE, filler)?;
        self.sets.insert(set, root);
        Some((root, true))
    }

    /// Nodes in all trees.
    pub(super) fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Their bytes, and those of the table.
    pub(super) fn bytes(&self) -> usize {
        self.tree.len() * size_of::<Node<A>>() + self.sets.capacity().div_ceil(7) * 8 * PLACE
    }

    /// The most visited child of `at` that `wanted` accepts.
    pub(super) fn most_visited(&self, at: u32, wanted: impl Fn(&Node<A>) -> bool) -> Option<u32> {
        let mut best: Option<u32> = None;
        for child in self.tree.children(at) {
            let node = self.tree.node(child);
            let more = best.is_none_or(|b| node.visits() > self.tree.node(b).visits());
            if node.visits() > 0 && more && wanted(node) {
                best = Some(child);
            }
        }
        best
    }

    /// The root's child for an action of the searching seat.
    pub(super) fn root_child(&self, seat: Seat, action: A) -> Option<u32> {
        self.most_visited(ROOT, |node| node.seat() == seat && node.action() == action)
    }
}

/// A lock that a panicking thread leaves usable: counters have no state in between.
pub(super) fn lock<A>(forest: &Mutex<Forest<A>>) -> MutexGuard<'_, Forest<A>> {
    forest.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How one simulation gets at its trees: those of its own thread it holds all the time, those of all threads only for each
/// step down and for the way up (a *global mutex*: Chaslot, Winands, van den Herik, "Parallel Monte-Carlo Tree Search", 2008).
/// Worlds, legal actions and playouts, which take most of the time, are always outside the lock.
pub(super) enum Grip<'a, A> {
    Own(MutexGuard<'a, Forest<A>>),
    Shared(&'a Mutex<Forest<A>>),
}

impl<'a, A: Copy + Ord> Grip<'a, A> {
    pub(super) fn new(forest: &'a Mutex<Forest<A>>, shared: bool) -> Self {
        if shared { Grip::Shared(forest) } else { Grip::Own(lock(forest)) }
    }

    pub(super) fn with<R>(&mut self, act: impl FnOnce(&mut Forest<A>) -> R) -> R {
        match self {
            Grip::Own(forest) => act(forest),
            Grip::Shared(forest) => act(&mut lock(forest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stays_within_its_limit() {
        let mut forest = Forest::new();
        forest.restart(0u32, 1 << 20, 3, true);
        let mut added = 0u128;
        while forest.find_or_add(InformationSet::new(1, added, false), 0).is_some() {
            added += 1;
        }
        assert!(added > 5_000 && forest.bytes() <= 1 << 20, "{added} sets in {} bytes", forest.bytes());
        assert_eq!(forest.find(InformationSet::new(1, 0, false)), Some(1));
        assert_eq!(forest.find(InformationSet::new(2, 0, false)), None);
        assert_eq!(forest.find(InformationSet::new(1, 0, true)), None);
        forest.restart(0, 1 << 20, 3, false);
        assert_eq!(forest.find_or_add(InformationSet::new(1, 0, false), 0), None);
        assert_eq!(forest.nodes(), 1);
    }
}
