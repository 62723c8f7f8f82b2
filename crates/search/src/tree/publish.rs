//! How the children of a node become visible to other threads: one word per node, written once.
//!
//! A leaf is claimed by one thread (compare-and-swap), which fills the children and then publishes them with one `Release`
//! store; readers load the word with `Acquire`, so whoever sees the children sees them filled. Nobody waits: who loses the
//! claim goes on with a playout. Written over `super::sync` so that a loom test can check all interleavings of this file.

use super::sync::{AtomicU64, Ordering};

/// Where the children of a node are, and whose choice they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Children {
    /// Index of the first child; the others follow it.
    pub first: u32,
    /// How many; less than 2^24.
    pub count: u32,
    /// The seat that chooses among them.
    pub seat: u8,
}

/// What a node's word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Not expanded.
    Leaf,
    /// A thread is filling the children.
    Claimed,
    /// The game is over here.
    Terminal,
    /// Expanded.
    Expanded(Children),
}

const LEAF: u64 = 0;
const CLAIMED: u64 = 1;
const TERMINAL: u64 = 2;
const EXPANDED: u64 = 3;

/// The word: first child in bits 32.., their number in bits 8..32, the seat in bits 2..8, the state in bits 0..2.
#[derive(Debug)]
pub(crate) struct Link(AtomicU64);

impl Link {
    pub fn new() -> Self {
        Link(AtomicU64::new(LEAF))
    }

    /// What the node is now. What it says of children is filled in.
    #[inline]
    pub fn state(&self) -> State {
        let word = self.0.load(Ordering::Acquire);
        match word & 3 {
            LEAF => State::Leaf,
            CLAIMED => State::Claimed,
            TERMINAL => State::Terminal,
            _ => State::Expanded(Children {
                first: (word >> 32) as u32,
                count: (word >> 8) as u32 & 0xFF_FFFF,
                seat: (word >> 2) as u8 & 0x3F,
            }),
        }
    }

    /// Tries to become the one thread that expands this leaf.
    #[inline]
    pub fn claim(&self) -> bool {
        self.0.compare_exchange(LEAF, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Makes filled children visible. Only for the thread that holds the claim (or the tree alone).
    #[inline]
    pub fn publish(&self, children: Children) {
        let word = u64::from(children.first) << 32
            | u64::from(children.count & 0xFF_FFFF) << 8
            | u64::from(children.seat & 0x3F) << 2
            | EXPANDED;
        self.0.store(word, Ordering::Release);
    }

    /// Gives a claim back: there was no room for children.
    pub fn release(&self) {
        self.0.store(LEAF, Ordering::Release);
    }

    /// Marks a leaf as the end of a game. Any thread may; all of them find the same.
    pub fn mark_terminal(&self) {
        let _ = self.0.compare_exchange(LEAF, TERMINAL, Ordering::Relaxed, Ordering::Relaxed);
    }
}
