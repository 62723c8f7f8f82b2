//! One node of the tree.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::counter::{Amaf, Sum, Visits, Writer};
use super::publish::Link;

/// A node stands for the position after its action. It holds no position: the simulation replays the actions.
#[derive(Debug)]
pub(crate) struct Node<A> {
    /// Sum of the utility of the seat that chose this node.
    pub sum: Sum,
    /// Visits and sum over simulations in which that seat played the action later (all moves as first).
    pub amaf: Amaf,
    /// Its children.
    pub link: Link,
    /// Simulations through it, virtual losses included while they last.
    pub visits: Visits,
    /// Held by who adds to the children's `amaf`.
    pub amaf_writer: Writer,
    /// Prior probability as the bits of an `f32`.
    prior: AtomicU32,
    /// 1 + the index of the parent; set only while the arena is compacted, at the first of a block of siblings.
    pub owner: AtomicU32,
    action: OnceLock<A>,
}

impl<A> Default for Node<A> {
    fn default() -> Self {
        Node {
            sum: Sum::new(),
            amaf: Amaf::new(),
            link: Link::new(),
            visits: Visits::new(),
            amaf_writer: Writer::new(),
            prior: AtomicU32::new(0),
            owner: AtomicU32::new(0),
            action: OnceLock::new(),
        }
    }
}

impl<A: Copy> Node<A> {
    /// Makes a fresh node the child of an action; for the thread that expands its parent.
    pub fn fill(&self, action: A, prior: f32) {
        // A node is filled once between two clearings, so that the action is never there already.
        let _ = self.action.set(action);
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
    }

    /// The action that leads here.
    ///
    /// # Panics
    /// At the root, which no action leads to. Children are published after they are filled.
    #[inline]
    pub fn action(&self) -> A {
        *self.action.get().expect("a child has an action")
    }

    /// Forgets the action: the node becomes the root.
    pub fn forget_action(&mut self) {
        self.action.take();
    }

    /// Prior probability; 0 where the search uses none.
    #[inline]
    pub fn prior(&self) -> f64 {
        f64::from(f32::from_bits(self.prior.load(Ordering::Relaxed)))
    }

    /// Mean utility of the seat that chose this node; 0 before the first visit.
    pub fn mean(&self) -> f64 {
        let n = self.visits.get();
        if n == 0 { 0.0 } else { self.sum.get() / f64::from(n) }
    }
}

/// Bytes of one tree node for actions of type `A`: 48 for actions of up to four bytes.
pub const fn node_bytes<A>() -> usize {
    size_of::<Node<A>>()
}
