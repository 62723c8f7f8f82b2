//! What an SGF file holds besides the moves of its main line (variations, markup, names, unknown properties), kept beside the
//! record and put back where the game is written as SGF again.

use kiebitz_core::record::Record;
use kiebitz_go::sgf::{self, Mode, NodeId, Tree};

/// The key of a record's header that holds the file a game was read from, where it holds more than the record says.
pub(crate) const KEY: &str = "sgf";

/// Longer files are not kept: a record's header is one line.
const MOST_BYTES: usize = 1 << 20;

/// Properties that the record itself decides.
const OF_THE_RECORD: [&str; 15] =
    ["GM", "FF", "CA", "AP", "SZ", "B", "W", "AB", "AW", "AE", "PL", "KM", "HA", "RU", "RE"];

/// Notes in the record what `tree` holds besides. `written` is the record as it would be written without that.
///
/// Answers a warning when it cannot be kept.
pub(crate) fn note(record: &mut Record, tree: &Tree, written: &mut Tree) -> Option<String> {
    if !graft(written, tree) {
        return None;
    }
    let text = tree.to_sgf();
    if text.len() > MOST_BYTES {
        return Some("variations and markup of so large a file are not kept".to_owned());
    }
    record.header.set(KEY, text);
    None
}

/// Adds to `written` what the record keeps of the file it came from.
pub(crate) fn restore(written: &mut Tree, record: &Record) {
    let Some(text) = record.header.get(KEY).and_then(|value| value.as_str()) else { return };
    if let Ok(parsed) = sgf::parse(text.as_bytes(), Mode::Tolerant)
        && let Some(tree) = parsed.collection.trees.first().filter(|tree| tree.size() == written.size())
    {
        graft(written, tree);
    }
}

/// Adds to `new` what `old` has besides, along the moves that both main lines share; where they part, the old line becomes
/// a variation. Answers whether anything was added.
fn graft(new: &mut Tree, old: &Tree) -> bool {
    let mut added = merge(new, new.root(), old, old.root());
    let mut at = follow(new, new.root(), old, old.root());
    let mut old_at = old.root();
    while let Some(old_next) = old.first_child(old_at) {
        let next = new.first_child(at);
        let empty = old.played(old_next).is_none() && old.setup(old_next).is_empty();
        let matched = if empty { Some(at) } else { next.filter(|&n| same_step(new, n, old, old_next)) };
        let variations = old.children(old_at).skip(usize::from(matched.is_some()));
        for variation in variations {
            if !new.children(at).any(|child| same_below(new, child, old, variation)) {
                if new.first_child(at).is_none() {
                    // The game ends here: an empty node keeps the first child, and with it the main line, for that.
                    new.add_node(at);
                }
                copy(new, at, old, variation);
                added = true;
            }
        }
        let Some(next) = matched else { break };
        added |= merge(new, next, old, old_next);
        at = if empty { next } else { follow(new, next, old, old_next) };
        old_at = old_next;
    }
    added
}

/// A node with stones set and a move is two in the record: the second one where there is one.
fn follow(new: &Tree, node: NodeId, old: &Tree, old_node: NodeId) -> NodeId {
    let Some(played) = old.played(old_node) else { return node };
    if new.played(node).is_some() {
        return node;
    }
    new.first_child(node).filter(|&child| new.played(child) == Some(played)).unwrap_or(node)
}

/// Whether a node of the written tree is what the reader made of a node of the file; an illegal move became a set-up.
fn same_step(new: &Tree, node: NodeId, old: &Tree, old_node: NodeId) -> bool {
    match (new.played(node), old.played(old_node)) {
        (Some(one), Some(other)) => one == other,
        (None, _) => !new.setup(node).is_empty(),
        (Some(_), None) => false,
    }
}

/// Copies the properties that `node` lacks; comments that it lacks go before its own.
fn merge(new: &mut Tree, node: NodeId, old: &Tree, old_node: NodeId) -> bool {
    let mut added = false;
    for property in old.properties(old_node) {
        let name = property.name();
        if OF_THE_RECORD.contains(&name) || !is_name(name) {
            continue;
        }
        let present = new.property(node, name).map(|p| p.text());
        let done = match present {
            None => new.set_raw(node, name, &property.values().collect::<Vec<_>>()),
            Some(own) if name == "C" && !own.contains(&property.text()) => {
                new.set(node, name, &[format!("{}\n\n{own}", property.text())])
            }
            Some(_) => continue,
        };
        added |= done.is_ok();
    }
    added
}

/// Names with digits were allowed by older versions of the format only.
fn is_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether both nodes and all below them are the same: written and read again, a variation is there already.
fn same_below(new: &Tree, node: NodeId, old: &Tree, old_node: NodeId) -> bool {
    let mut open = vec![(node, old_node)];
    while let Some((node, old_node)) = open.pop() {
        if !new.properties(node).eq(old.properties(old_node))
            || new.children(node).count() != old.children(old_node).count()
        {
            return false;
        }
        open.extend(new.children(node).zip(old.children(old_node)));
    }
    true
}

/// Copies `old_node` and all below it as a new last child of `parent`.
fn copy(new: &mut Tree, parent: NodeId, old: &Tree, old_node: NodeId) {
    let mut open = vec![(parent, old_node)];
    while let Some((parent, old_node)) = open.pop() {
        let node = new.add_node(parent);
        for property in old.properties(old_node) {
            if !is_name(property.name()) {
                continue;
            }
            // A property that may not be set here was not one of the game's.
            let _ = new.set_raw(node, property.name(), &property.values().collect::<Vec<_>>());
        }
        let children: Vec<_> = old.children(old_node).collect();
        open.extend(children.into_iter().rev().map(|child| (node, child)));
    }
}
