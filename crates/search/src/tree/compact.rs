//! Making a node the root: what hangs below it moves to the front of the arena, in place, the rest is freed.
//!
//! Siblings stand after their parent, so one pass in the order of indices suffices: when a node has moved, it leaves its new
//! index at the first of its children, and blocks without such a note are garbage. A block never moves up: blocks keep
//! their order and [`place`] is monotone. Nothing is allocated, so the cap holds throughout.

use std::mem::take;
use std::sync::atomic::Ordering;

use super::arena::{ROOT, Tree, place};
use super::node::Node;
use super::publish::{Children, State};

impl<A: Copy> Tree<A> {
    /// Keeps the subtree of `node` alone; `node` becomes the root.
    pub fn reroot(&mut self, node: u32) {
        if node == ROOT {
            return;
        }
        let used = *self.growth.next.get_mut();
        let mut root = take(self.node_mut(node));
        root.forget_action();
        self.settle(root, ROOT);
        let (mut free, mut skipped) = (1, 0);
        let mut at = 1;
        while at < used {
            let owner = *self.node_mut(at as u32).owner.get_mut();
            if owner == 0 {
                at += 1;
                continue;
            }
            *self.node_mut(at as u32).owner.get_mut() = 0;
            let State::Expanded(children) = self.node(owner - 1).link.state() else {
                unreachable!("only the parent of siblings leaves a note at the first of them")
            };
            let to = place(free, u64::from(children.count));
            for i in 0..u64::from(children.count) {
                let node = take(self.node_mut((at + i) as u32));
                self.settle(node, (to + i) as u32);
            }
            self.node(owner - 1).link.publish(Children { first: to as u32, ..children });
            skipped += to - free;
            free = to + u64::from(children.count);
            at += u64::from(children.count);
        }
        *self.growth.skipped.get_mut() = skipped;
        self.truncate(free, used);
    }

    /// Puts a node to its new place and tells its children where it is.
    fn settle(&mut self, node: Node<A>, to: u32) {
        if let State::Expanded(children) = node.link.state() {
            self.node(children.first).owner.store(to + 1, Ordering::Relaxed);
        }
        *self.node_mut(to) = node;
    }
}
