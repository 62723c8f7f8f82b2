//! Finding a property of the node that is being read.

use std::collections::HashMap;

use super::tree::{NodeId, Tree};

/// The properties of the node being read. Nodes have few, so they are searched; for a node with many an index by name
/// keeps reading linear.
#[derive(Default)]
pub(super) struct NodeNames {
    count: usize,
    index: HashMap<String, u32>,
}

impl NodeNames {
    const FEW: usize = 24;

    pub fn start(&mut self) {
        self.count = 0;
        if !self.index.is_empty() {
            self.index = HashMap::new();
        }
    }

    pub fn find(&self, tree: &Tree, node: NodeId, name: &str) -> Option<u32> {
        if self.count <= Self::FEW {
            return tree.property(node, name).map(|property| property.index);
        }
        self.index.get(name).copied()
    }

    pub fn add(&mut self, tree: &Tree, node: NodeId, name: &str, property: u32) {
        self.count += 1;
        if self.count == Self::FEW + 1 {
            self.index = tree.properties(node).map(|property| (property.name().to_owned(), property.index)).collect();
        } else if self.count > Self::FEW {
            self.index.insert(name.to_owned(), property);
        }
    }
}
