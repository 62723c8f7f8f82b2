//! Where nodes live: segments that are allocated when first needed and never move, up to a cap.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::node::Node;
use super::publish::{Children, State};

/// Nodes of a segment (192 KiB for small actions): a small search pays for one. Also the most children a node can have.
pub(crate) const SEGMENT: usize = 4096;

/// The root's index.
pub(crate) const ROOT: u32 = 0;

pub(super) type Segment<A> = OnceLock<Box<[Node<A>; SEGMENT]>>;

/// A tree of nodes linked by index; siblings are neighbours in one segment, and stand after their parent.
#[derive(Debug)]
pub(crate) struct Tree<A> {
    pub(super) segments: Box<[Segment<A>]>,
    pub(super) growth: Growth,
}

/// How far the tree has grown. On cache lines of its own: every expansion writes here, every step reads `segments`.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Growth {
    /// The first index not yet given out.
    pub next: AtomicU64,
    /// Indices skipped at the ends of segments.
    pub skipped: AtomicU64,
    full: AtomicBool,
}

/// The place of a block of `count` nodes when `next` is the first free index: a block does not cross into another segment.
pub(super) fn place(next: u64, count: u64) -> u64 {
    let offset = next % SEGMENT as u64;
    if offset + count > SEGMENT as u64 { next - offset + SEGMENT as u64 } else { next }
}

fn new_segment<A>() -> Box<[Node<A>; SEGMENT]> {
    let nodes: Box<[Node<A>]> = (0..SEGMENT).map(|_| Node::default()).collect();
    nodes.try_into().unwrap_or_else(|_| unreachable!("the length is SEGMENT"))
}

impl<A: Copy> Tree<A> {
    /// A tree with a root that may take `bytes` (but at least one segment).
    pub fn new(bytes: u64) -> Self {
        let each = (SEGMENT * size_of::<Node<A>>() + size_of::<Segment<A>>()) as u64;
        let most = u64::from(u32::MAX) / SEGMENT as u64;
        let segments = (bytes / each).clamp(1, most) as usize;
        let mut tree = Tree { segments: (0..segments).map(|_| OnceLock::new()).collect(), growth: Growth::default() };
        tree.clear();
        tree
    }

    /// Back to a lone root; frees all but the first segment.
    pub fn clear(&mut self) {
        let used = *self.growth.next.get_mut();
        self.truncate(0, used);
        self.segments[0].get_or_init(new_segment);
        *self.growth.next.get_mut() = 1;
        *self.growth.skipped.get_mut() = 0;
    }

    /// Frees the segments behind `end`, makes the nodes from `end` on fresh, and allows growth again.
    pub(super) fn truncate(&mut self, end: u64, used: u64) {
        let keep = (end as usize).div_ceil(SEGMENT).max(1);
        let last = (used as usize).div_ceil(SEGMENT).min(self.segments.len());
        for segment in self.segments.iter_mut().take(last).skip(keep) {
            segment.take();
        }
        if let Some(segment) = self.segments[keep - 1].get_mut() {
            let from = end as usize - (keep - 1) * SEGMENT;
            let to = (used as usize).saturating_sub((keep - 1) * SEGMENT).min(SEGMENT);
            for node in segment.iter_mut().take(to).skip(from) {
                *node = Node::default();
            }
        }
        *self.growth.next.get_mut() = end;
        *self.growth.full.get_mut() = false;
    }

    /// The node at an index that was given out.
    #[inline]
    pub fn node(&self, index: u32) -> &Node<A> {
        let i = index as usize;
        &self.segments[i / SEGMENT].get().expect("an index that was given out")[i % SEGMENT]
    }

    /// As [`Tree::node`], for a tree nobody else looks at.
    pub(super) fn node_mut(&mut self, index: u32) -> &mut Node<A> {
        let i = index as usize;
        &mut self.segments[i / SEGMENT].get_mut().expect("an index that was given out")[i % SEGMENT]
    }

    /// Siblings.
    #[inline]
    pub fn children(&self, children: Children) -> &[Node<A>] {
        let (i, n) = (children.first as usize, children.count as usize);
        &self.segments[i / SEGMENT].get().expect("an index that was given out")[i % SEGMENT..][..n]
    }

    /// The children of the node; empty when it has none (yet).
    pub fn children_of(&self, index: u32) -> &[Node<A>] {
        match self.node(index).link.state() {
            State::Expanded(children) => self.children(children),
            _ => &[],
        }
    }

    /// The children of the root.
    pub fn root_children(&self) -> &[Node<A>] {
        self.children_of(ROOT)
    }

    /// Simulations through the root.
    pub fn root_visits(&self) -> u64 {
        u64::from(self.node(ROOT).visits.get())
    }

    /// Room for `count` siblings, fresh; `None` when the cap is reached.
    pub fn allocate(&self, count: usize) -> Option<u32> {
        debug_assert!(count <= SEGMENT, "{count} children do not fit into a segment");
        let mut next = self.growth.next.load(Ordering::Relaxed);
        loop {
            let start = place(next, count as u64);
            let end = start + count as u64;
            if end > (self.segments.len() * SEGMENT) as u64 {
                self.growth.full.store(true, Ordering::Relaxed);
                return None;
            }
            match self.growth.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    if start > next {
                        self.growth.skipped.fetch_add(start - next, Ordering::Relaxed);
                    }
                    self.segments[start as usize / SEGMENT].get_or_init(new_segment);
                    return Some(start as u32);
                }
                Err(seen) => next = seen,
            }
        }
    }

    /// Whether the cap was reached: the tree does not grow any more.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.growth.full.load(Ordering::Relaxed)
    }

    /// Nodes in the tree.
    pub fn nodes(&self) -> u64 {
        self.growth.next.load(Ordering::Relaxed) - self.growth.skipped.load(Ordering::Relaxed)
    }

    /// Bytes allocated for the tree.
    pub fn bytes(&self) -> u64 {
        let segments = self.growth.next.load(Ordering::Relaxed).div_ceil(SEGMENT as u64);
        segments * (SEGMENT * size_of::<Node<A>>()) as u64 + (self.segments.len() * size_of::<Segment<A>>()) as u64
    }

    /// By how much to multiply the visits before an expansion: the whole room over what is left of it. When memory runs
    /// short, only nodes that are visited more often are worth it, so that a tree is full late and not after its first
    /// moments.
    #[inline]
    pub fn thrift(&self) -> u32 {
        let room = (self.segments.len() * SEGMENT) as u64;
        let left = room.saturating_sub(self.growth.next.load(Ordering::Relaxed));
        if left * 2 > room { 1 } else { (room / left.max(1)) as u32 }
    }
}
