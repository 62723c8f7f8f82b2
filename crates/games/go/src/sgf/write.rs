//! Writing trees as `FF[4]` in UTF-8.

use std::fmt;

use super::tree::{Collection, NodeId, Tree};

/// A line is broken before a node when it is longer than this, in bytes.
const LINE: usize = 78;

impl Tree {
    /// The tree as SGF. Between nodes there are line breaks, and one at the end; empty lines come only from texts.
    pub fn to_sgf(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        let mut line = out.len();
        let mut node = self.root();
        out.push_str("(;GM[1]FF[4]CA[UTF-8]");
        self.write_properties(node, out);
        loop {
            if let Some(child) = self.first_child(node) {
                let variations = self.next_sibling(child).is_some();
                if variations || node == self.root() || out.len() - line > LINE {
                    out.push('\n');
                    line = out.len();
                }
                out.push_str(if variations { "(;" } else { ";" });
                node = child;
            } else {
                // Up to the next variation that is still to be written.
                loop {
                    let Some(parent) = self.parent(node) else {
                        out.push_str(")\n");
                        return;
                    };
                    let alone = self.first_child(parent) == Some(node) && self.next_sibling(node).is_none();
                    if !alone {
                        out.push(')');
                        if let Some(sibling) = self.next_sibling(node) {
                            out.push('\n');
                            line = out.len();
                            out.push_str("(;");
                            node = sibling;
                            break;
                        }
                    }
                    node = parent;
                }
            }
            self.write_properties(node, out);
        }
    }

    fn write_properties(&self, node: NodeId, out: &mut String) {
        for property in self.properties(node) {
            out.push_str(property.name());
            for value in property.values() {
                out.push('[');
                out.push_str(value);
                out.push(']');
            }
        }
    }
}

impl Collection {
    /// All trees as SGF, one after the other.
    pub fn to_sgf(&self) -> String {
        let mut out = String::new();
        for tree in &self.trees {
            tree.write(&mut out);
        }
        out
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sgf())
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.trees.iter().try_for_each(|tree| write!(f, "{tree}"))
    }
}
