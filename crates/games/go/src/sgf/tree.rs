//! Game trees as flat arrays of nodes, properties and values that point at each other by index.
//!
//! No pointer, no recursion: a tree of any depth is copied, compared and dropped with constant stack.

use std::iter::successors;

use super::charset::Charset;
use super::error::SgfError;
use super::text;
use super::warning::{TextPosition, clip};
use crate::Size;

/// The game trees of one file, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collection {
    /// The trees.
    pub trees: Vec<Tree>,
}

/// A node of a [`Tree`]. It means something only together with the tree it came from; with another tree the answers are
/// those of some other node, or of a node without properties and relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// "No such index" in the links below.
pub(super) const NONE: u32 = u32::MAX;

/// One game tree. There is always a root.
///
/// Two trees are equal when their nodes, variations, properties and raw values are; where they stood in a file, its
/// character set and its format number do not matter.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<NodeData>,
    properties: Vec<PropertyData>,
    values: Vec<ValueData>,
    /// All names and raw values, one after the other.
    text: String,
    pub(super) size: Size,
    pub(super) charset: Option<Charset>,
    pub(super) file_format: Option<u8>,
}

#[derive(Clone, Debug)]
struct NodeData {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    first_property: u32,
    last_property: u32,
    position: TextPosition,
}

#[derive(Clone, Debug)]
struct PropertyData {
    name: Span,
    next: u32,
    first_value: u32,
    last_value: u32,
    position: TextPosition,
}

#[derive(Clone, Debug)]
struct ValueData {
    text: Span,
    next: u32,
}

/// A piece of `Tree::text`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

/// The next free index of an array. The reader's limits keep far below; only a program that builds a tree of 4 billion
/// parts could get here, and its memory would have ended long before.
fn next_index(length: usize) -> u32 {
    u32::try_from(length).ok().filter(|&index| index != NONE).expect("a tree has fewer than 2^32 - 1 parts")
}

impl Tree {
    /// A tree of one node without properties; `SZ` is up to the caller.
    pub(super) fn empty(size: Size, position: TextPosition) -> Self {
        let mut tree = Tree {
            nodes: Vec::new(),
            properties: Vec::new(),
            values: Vec::new(),
            text: String::new(),
            size,
            charset: None,
            file_format: None,
        };
        tree.push_node(NONE, position);
        tree
    }

    /// The board's size: 19x19 unless the root's SZ says otherwise.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The character set of the file this tree was read from.
    pub fn charset(&self) -> Option<Charset> {
        self.charset
    }

    /// The FF number of the file this tree was read from, if it had one.
    pub fn file_format(&self) -> Option<u8> {
        self.file_format
    }

    /// The first node.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The number of nodes, at least 1.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node before this one, `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes.get(node.0 as usize)?.parent)
    }

    /// The first node after this one, which goes on with the main variation.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes.get(node.0 as usize)?.first_child)
    }

    /// The next alternative to this node.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.nodes.get(node.0 as usize)?.next_sibling)
    }

    /// The nodes that follow this one: each starts a variation.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The root and always the first child, down to the end.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + Clone + '_ {
        self.line_from(self.root())
    }

    /// `node` and always the first child, down to the end.
    pub fn line_from(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        successors(Some(node), |&node| self.first_child(node))
    }

    /// The nodes from the root to `node`, both included.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = successors(Some(node), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    /// All nodes with their depth (0 for the root), each before its children and in the order of the file.
    pub fn walk(&self) -> impl Iterator<Item = (usize, NodeId)> + Clone + '_ {
        successors(Some((0, self.root())), |&(depth, node)| {
            if let Some(child) = self.first_child(node) {
                return Some((depth + 1, child));
            }
            let (mut depth, mut node): (usize, NodeId) = (depth, node);
            loop {
                if let Some(sibling) = self.next_sibling(node) {
                    return Some((depth, sibling));
                }
                node = self.parent(node)?;
                depth = depth.saturating_sub(1);
            }
        })
    }

    /// Where the node starts in the file.
    pub fn position(&self, node: NodeId) -> TextPosition {
        self.nodes.get(node.0 as usize).map_or_else(TextPosition::default, |node| node.position)
    }

    /// The properties of a node in the order of the file.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'_>> + Clone + '_ {
        let first = self.nodes.get(node.0 as usize).map_or(NONE, |node| node.first_property);
        successors(self.property_at(first), |property| self.property_at(property.data.next))
    }

    /// The property `name` of a node.
    pub fn property(&self, node: NodeId, name: &str) -> Option<Property<'_>> {
        self.properties(node).find(|property| property.name() == name)
    }

    /// A new last child of `parent` without properties.
    ///
    /// # Panics
    /// With more than 4 billion nodes.
    pub fn add_node(&mut self, parent: NodeId) -> NodeId {
        let parent = if (parent.0 as usize) < self.nodes.len() { parent.0 } else { 0 };
        self.push_node(parent, TextPosition::default())
    }

    /// Sets a property to texts, which are escaped; replaces earlier values. No values removes the property.
    ///
    /// # Errors
    /// [`SgfError::BadName`] for a name with anything but capital letters, [`SgfError::FixedProperty`] for GM, FF, CA and
    /// SZ of the root.
    pub fn set<S: AsRef<str>>(&mut self, node: NodeId, name: &str, texts: &[S]) -> Result<(), SgfError> {
        check_name(node, name)?;
        self.replace(node, name, texts.iter().map(|text| text::escape(text.as_ref())));
        Ok(())
    }

    /// Sets a property to raw values, such as points, numbers and composed values; replaces earlier ones. No values
    /// removes the property.
    ///
    /// # Errors
    /// As [`Tree::set`], and [`SgfError::BadRawValue`] for a value that is not escaped.
    pub fn set_raw<S: AsRef<str>>(&mut self, node: NodeId, name: &str, values: &[S]) -> Result<(), SgfError> {
        check_name(node, name)?;
        if let Some(bad) = values.iter().find(|value| !text::is_raw_value(value.as_ref())) {
            return Err(SgfError::BadRawValue { value: clip(bad.as_ref()) });
        }
        self.replace(node, name, values.iter().map(|value| value.as_ref().to_owned()));
        Ok(())
    }

    /// Sets a property without looking at name and values.
    pub(super) fn replace(&mut self, node: NodeId, name: &str, values: impl IntoIterator<Item = String>) {
        let old = self.properties(node).find(|property| property.name() == name).map(|property| property.index);
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() {
            if let Some(old) = old {
                self.unlink(node, old);
            }
            return;
        }
        let index = match old {
            Some(old) => {
                let data = &mut self.properties[old as usize];
                (data.first_value, data.last_value) = (NONE, NONE);
                old
            }
            None => {
                let name = self.push_text(name);
                self.push_property(node, name, TextPosition::default())
            }
        };
        for value in values {
            let value = self.push_text(&value);
            self.push_value(index, value);
        }
    }

    fn unlink(&mut self, node: NodeId, property: u32) {
        let next = self.properties[property as usize].next;
        let before = self.properties(node).find(|p| p.data.next == property).map(|p| p.index);
        let Some(node) = self.nodes.get_mut(node.0 as usize) else { return };
        match before {
            Some(before) => self.properties[before as usize].next = next,
            None => node.first_property = next,
        }
        if node.last_property == property {
            node.last_property = before.unwrap_or(NONE);
        }
    }

    pub(super) fn push_node(&mut self, parent: u32, position: TextPosition) -> NodeId {
        let index = next_index(self.nodes.len());
        self.nodes.push(NodeData {
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            first_property: NONE,
            last_property: NONE,
            position,
        });
        if let Some(data) = self.nodes.get_mut(parent as usize) {
            let last = std::mem::replace(&mut data.last_child, index);
            match self.nodes.get_mut(last as usize) {
                Some(last) => last.next_sibling = index,
                None => self.nodes[parent as usize].first_child = index,
            }
        }
        NodeId(index)
    }

    pub(super) fn push_property(&mut self, node: NodeId, name: Span, position: TextPosition) -> u32 {
        let index = next_index(self.properties.len());
        self.properties.push(PropertyData { name, next: NONE, first_value: NONE, last_value: NONE, position });
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            let last = std::mem::replace(&mut node.last_property, index);
            match self.properties.get_mut(last as usize) {
                Some(last) => last.next = index,
                None => node.first_property = index,
            }
        }
        index
    }

    pub(super) fn push_value(&mut self, property: u32, text: Span) {
        let index = next_index(self.values.len());
        self.values.push(ValueData { text, next: NONE });
        if let Some(property) = self.properties.get_mut(property as usize) {
            let last = std::mem::replace(&mut property.last_value, index);
            match self.values.get_mut(last as usize) {
                Some(last) => last.next = index,
                None => property.first_value = index,
            }
        }
    }

    /// Keeps a text.
    pub(super) fn push_text(&mut self, text: &str) -> Span {
        let start = next_index(self.text.len());
        self.text.push_str(text);
        Span { start, end: next_index(self.text.len()) }
    }

    pub(super) fn text_of(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    pub(super) fn set_position(&mut self, node: NodeId, position: TextPosition) {
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.position = position;
        }
    }

    pub(super) fn property_at(&self, index: u32) -> Option<Property<'_>> {
        self.properties.get(index as usize).map(|data| Property { tree: self, data, index })
    }
}

fn link(index: u32) -> Option<NodeId> {
    (index != NONE).then_some(NodeId(index))
}

fn check_name(node: NodeId, name: &str) -> Result<(), SgfError> {
    let mut letters = name.bytes();
    if !letters.next().is_some_and(|b| b.is_ascii_uppercase())
        || !letters.all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    {
        return Err(SgfError::BadName { name: clip(name) });
    }
    if node.0 == 0 && matches!(name, "GM" | "FF" | "CA" | "SZ") {
        return Err(SgfError::FixedProperty { name: name.to_owned() });
    }
    Ok(())
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.nodes.len() == other.nodes.len()
            && self.size == other.size
            && self.walk().zip(other.walk()).all(|((depth, a), (other_depth, b))| {
                depth == other_depth && self.properties(a).eq(other.properties(b))
            })
    }
}

/// A property of a node: a name and its values.
#[derive(Clone, Copy)]
pub struct Property<'a> {
    tree: &'a Tree,
    data: &'a PropertyData,
    pub(super) index: u32,
}

impl<'a> Property<'a> {
    /// The name, such as `AB`.
    pub fn name(&self) -> &'a str {
        self.tree.text_of(self.data.name)
    }

    /// The raw values: what stands between `[` and `]`, escapes included.
    pub fn values(&self) -> impl Iterator<Item = &'a str> + Clone + 'a {
        let tree = self.tree;
        successors(tree.values.get(self.data.first_value as usize), |value| tree.values.get(value.next as usize))
            .map(|value| tree.text_of(value.text))
    }

    /// The first raw value; every property that was read has one.
    pub fn value(&self) -> &'a str {
        self.values().next().unwrap_or("")
    }

    /// The last raw value.
    pub(super) fn last_value(&self) -> &'a str {
        self.tree.values.get(self.data.last_value as usize).map_or("", |value| self.tree.text_of(value.text))
    }

    /// All values as Text, separated by line breaks: a comment that was given twice is kept whole.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (index, raw) in self.values().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            out.push_str(&text::text(raw));
        }
        out
    }

    /// The first value as SimpleText, without blanks around it.
    pub fn simple_text(&self) -> String {
        text::simple_text(self.value()).trim().to_owned()
    }

    /// Where the name starts in the file.
    pub fn position(&self) -> TextPosition {
        self.data.position
    }
}

impl PartialEq for Property<'_> {
    /// The same name and the same raw values in the same order.
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.values().eq(other.values())
    }
}

impl std::fmt::Debug for Property<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        self.values().try_for_each(|value| write!(f, "[{value}]"))
    }
}
