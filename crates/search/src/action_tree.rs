//! A search tree whose nodes are keyed by the seat that acts and its action, with availability counts: the arena shared by
//! open-loop search and information-set search.
//!
//! The actions that are legal at a node may differ from one simulation to the next (another world, other luck), so a choice
//! is a *subset-armed bandit* (Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2),
//! 2012, section V): a child's exploration term uses how often the child was available, not how often its parent was visited.
//! Everything the formula needs is in the child, so it is defined at the children of the root as anywhere else.

use std::sync::LazyLock;

use kiebitz_core::{Rng, Seat};

/// The root's place in the arena.
pub(crate) const ROOT: u32 = 0;

/// The seat of nodes that follow an outcome of chance.
pub(crate) const CHANCE: Seat = Seat::MAX;

/// No node: the root is nobody's child, so its place is free to say so.
const NONE: u32 = ROOT;

/// Natural logarithms of small counts: they are needed for every child at every step. From `libm`, as all that decides.
static LOGARITHMS: LazyLock<Box<[f64]>> = LazyLock::new(|| (0..4096).map(|n| libm::log(f64::from(n))).collect());

/// What follows an action of a seat, or an outcome of chance, at the node before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<A> {
    /// Sum of the utilities of the seat that chose this node; 0 for outcomes of chance.
    sum: f64,
    visits: u32,
    /// How often the action was legal when the node before was visited, from the simulation that created this node.
    available: u32,
    /// First child; children are linked in ascending order of (seat, action).
    first: u32,
    next: u32,
    prior: f32,
    /// At the root this is only a filler.
    action: A,
    seat: Seat,
}

const _: () = assert!(size_of::<Node<u32>>() <= 64);

impl<A: Copy> Node<A> {
    fn new(seat: Seat, action: A) -> Self {
        Node { sum: 0.0, visits: 0, available: 0, first: NONE, next: NONE, prior: 0.0, action, seat }
    }

    pub(crate) fn seat(&self) -> Seat {
        self.seat
    }

    pub(crate) fn action(&self) -> A {
        self.action
    }

    pub(crate) fn visits(&self) -> u64 {
        u64::from(self.visits)
    }

    pub(crate) fn available(&self) -> u64 {
        u64::from(self.available)
    }

    pub(crate) fn prior(&self) -> f64 {
        f64::from(self.prior)
    }

    /// Sum of the utilities of the seat that acted.
    pub(crate) fn sum(&self) -> f64 {
        self.sum
    }

    /// What a choice weighs: mean, exploration by availability, progressive bias. Needs at least one visit.
    #[inline]
    fn score(&self, rule: &Rule, logarithms: &[f64]) -> f64 {
        let visits = f64::from(self.visits);
        let logarithm = match logarithms.get(self.available as usize) {
            Some(&known) => known,
            None => libm::log(f64::from(self.available)),
        };
        let value = self.sum / visits + rule.c * (logarithm / visits).sqrt();
        if rule.bias > 0.0 { value + rule.bias * f64::from(self.prior) / (visits + 1.0) } else { value }
    }
}

/// How a choice weighs its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    /// Weight of the exploration term.
    pub(crate) c: f64,
    /// First-play urgency: what an action not tried yet is worth.
    pub(crate) fpu: f64,
    /// Weight of the progressive bias; 0 leaves priors unasked.
    pub(crate) bias: f64,
}

/// A choice to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a, A> {
    /// The node.
    pub(crate) at: u32,
    /// Who chooses.
    pub(crate) seat: Seat,
    /// Among what: sorted, without duplicates.
    pub(crate) keys: &'a [A],
    pub(crate) rule: &'a Rule,
}

/// A legal action without visits.
#[derive(Clone, Copy, Debug)]
struct Fresh {
    /// Index into the legal keys.
    key: usize,
    /// The sibling it follows, or `NONE`.
    after: u32,
    /// Its node where it has one (at the root), or `NONE`.
    node: u32,
}

/// The best of the children tried so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tried {
    node: u32,
    key: usize,
    value: f64,
}

/// A child that was chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    /// Its node.
    pub(crate) node: u32,
    /// Index into the legal keys.
    pub(crate) key: usize,
    /// Nobody was there before.
    pub(crate) is_new: bool,
}

/// The arena.
#[derive(Debug)]
pub(crate) struct ActionTree<A> {
    nodes: Vec<Node<A>>,
    limit: usize,
    fresh: Vec<Fresh>,
}

impl<A: Copy + Ord> ActionTree<A> {
    pub(crate) fn new() -> Self {
        ActionTree { nodes: Vec::new(), limit: 0, fresh: Vec::new() }
    }

    /// Empties the tree but keeps its memory; there is no root either until it is restarted.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Starts a tree with nothing but its root, keeping the memory. `filler` is any action; the tree will not hold more than
    /// `limit` nodes.
    pub(crate) fn restart(&mut self, filler: A, limit: usize) {
        self.limit = limit.clamp(1, u32::MAX as usize);
        self.nodes.clear();
        self.nodes.shrink_to(self.limit);
        self.nodes.push(Node::new(CHANCE, filler));
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: u32) -> &Node<A> {
        &self.nodes[id as usize]
    }

    /// The children of a node, in ascending order of (seat, action); none in a tree that was never started.
    pub(crate) fn children(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.nodes.get(id as usize).map_or(NONE, |n| n.first);
        std::iter::successors((first != NONE).then_some(first), |&n| {
            let next = self.nodes[n as usize].next;
            (next != NONE).then_some(next)
        })
    }

    fn has_room(&self) -> bool {
        self.nodes.len() < self.limit
    }

    /// Adds a root of another tree in the same arena; `None` when there is no room for it and a child.
    pub(crate) fn add_root(&mut self, seat: Seat, filler: A) -> Option<u32> {
        (self.nodes.len() + 1 < self.limit).then(|| self.push(Node::new(seat, filler)))
    }

    fn push(&mut self, node: Node<A>) -> u32 {
        if self.nodes.len() == self.nodes.capacity() {
            // Doubling, but never past the limit.
            let more = self.nodes.len().max(64).min(self.limit - self.nodes.len());
            self.nodes.reserve_exact(more);
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Adds a child of `at` behind its sibling `after` (`NONE`: in front).
    fn insert(&mut self, at: u32, after: u32, seat: Seat, action: A) -> u32 {
        let id = self.push(Node::new(seat, action));
        let link =
            if after == NONE { &mut self.nodes[at as usize].first } else { &mut self.nodes[after as usize].next };
        let next = std::mem::replace(link, id);
        self.nodes[id as usize].next = next;
        id
    }

    /// Walks the children of the node and the keys side by side: counts every legal child as available, finds the
    /// best of those already tried, and keeps the others for [`ActionTree::choose`]. Takes O(children + keys).
    ///
    /// At the root every legal action gets its node at once, so that its availability is complete.
    pub(crate) fn survey(&mut self, choice: Choice<'_, A>, rng: &mut Rng) -> Option<Tried> {
        let Choice { at, seat, keys, rule } = choice;
        self.fresh.clear();
        let logarithms = &**LOGARITHMS;
        let mut best: Option<Tried> = None;
        let mut ties = 1;
        let mut after = NONE;
        let mut child = self.nodes[at as usize].first;
        for (key, &action) in keys.iter().enumerate() {
            let mut found = false;
            while child != NONE {
                let node = &self.nodes[child as usize];
                match (node.seat, node.action).cmp(&(seat, action)) {
                    std::cmp::Ordering::Less => (after, child) = (child, node.next),
                    std::cmp::Ordering::Equal => {
                        found = true;
                        break;
                    }
                    std::cmp::Ordering::Greater => break,
                }
            }
            if !found {
                if !self.has_room() {
                    continue;
                }
                if at != ROOT {
                    self.fresh.push(Fresh { key, after, node: NONE });
                    continue;
                }
                child = self.insert(at, after, seat, action);
            }
            let node = &mut self.nodes[child as usize];
            node.available = node.available.saturating_add(1);
            if node.visits == 0 {
                self.fresh.push(Fresh { key, after, node: child });
                continue;
            }
            let value = node.score(rule, logarithms);
            match best {
                Some(b) if value < b.value => {}
                Some(b) if value == b.value => {
                    // Equally good ones are equally likely.
                    ties += 1;
                    if rng.below(ties) == 0 {
                        best = Some(Tried { node: child, key, value });
                    }
                }
                _ => {
                    ties = 1;
                    best = Some(Tried { node: child, key, value });
                }
            }
        }
        best
    }

    /// The key that a choice would fall on now, without counting anything: an index into `keys`, the first of equal ones.
    /// `None` where some key was never tried.
    pub(crate) fn recall(&self, choice: Choice<'_, A>) -> Option<usize> {
        let Choice { at, seat, keys, rule } = choice;
        let mut children = self.children(at).map(|child| self.node(child)).peekable();
        let mut best: Option<(usize, f64)> = None;
        for (key, &action) in keys.iter().enumerate() {
            while children.next_if(|node| (node.seat, node.action) < (seat, action)).is_some() {}
            let node = children.next_if(|node| (node.seat, node.action) == (seat, action) && node.visits > 0)?;
            let value = node.score(rule, &LOGARITHMS);
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((key, value));
            }
        }
        best.map(|(key, _)| key)
    }

    /// Whether the last survey met actions that were not tried yet (and that the tree has room for).
    pub(crate) fn has_fresh(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// Chooses between the best child tried so far and the actions not tried yet, of which one becomes a new node. Priors,
    /// one per key, decide between the latter; without them all are equally likely. `None` when the tree is full and no
    /// child is legal.
    pub(crate) fn choose(
        &mut self,
        choice: Choice<'_, A>,
        tried: Option<Tried>,
        priors: Option<&[f32]>,
        rng: &mut Rng,
    ) -> Option<Chosen> {
        let Choice { at, seat, keys, rule } = choice;
        let fresh = match priors {
            _ if self.fresh.is_empty() => None,
            None if self.fresh.len() == 1 => Some(self.fresh[0]),
            None if tried.is_some_and(|t| t.value >= rule.fpu) => None,
            None => Some(self.fresh[rng.below(self.fresh.len())]),
            Some(priors) => {
                let mut best = self.fresh[0];
                let mut ties = 1;
                for &f in &self.fresh[1..] {
                    match priors[f.key].total_cmp(&priors[best.key]) {
                        std::cmp::Ordering::Less => {}
                        std::cmp::Ordering::Equal => {
                            ties += 1;
                            if rng.below(ties) == 0 {
                                best = f;
                            }
                        }
                        std::cmp::Ordering::Greater => (best, ties) = (f, 1),
                    }
                }
                Some(best)
            }
        };
        let prior = |f: Fresh| priors.map_or(0.0, |p| p[f.key]);
        match (tried, fresh) {
            (None, None) => None,
            (Some(t), Some(f)) if t.value >= rule.fpu + rule.bias * f64::from(prior(f)) => {
                Some(Chosen { node: t.node, key: t.key, is_new: false })
            }
            (_, Some(f)) => {
                let node = if f.node == NONE {
                    let node = self.insert(at, f.after, seat, keys[f.key]);
                    self.nodes[node as usize].available = 1;
                    node
                } else {
                    f.node
                };
                self.nodes[node as usize].prior = prior(f);
                Some(Chosen { node, key: f.key, is_new: true })
            }
            (Some(t), None) => Some(Chosen { node: t.node, key: t.key, is_new: false }),
        }
    }

    /// The child that follows an outcome of chance, made where it is missing; `None` when the tree is full.
    pub(crate) fn outcome(&mut self, at: u32, outcome: A) -> Option<u32> {
        let mut after = NONE;
        let mut found = None;
        for child in self.children(at) {
            let node = &self.nodes[child as usize];
            match (node.seat, node.action).cmp(&(CHANCE, outcome)) {
                std::cmp::Ordering::Less => after = child,
                std::cmp::Ordering::Equal => {
                    found = Some(child);
                    break;
                }
                std::cmp::Ordering::Greater => break,
            }
        }
        let child = match found {
            Some(child) => child,
            None if self.has_room() => self.insert(at, after, CHANCE, outcome),
            None => return None,
        };
        let node = &mut self.nodes[child as usize];
        node.available = node.available.saturating_add(1);
        Some(child)
    }

    /// Counts a visit of a node on the way down. Until [`ActionTree::credit`] follows it counts as lost, which sends other
    /// threads elsewhere (a virtual loss of one visit).
    pub(crate) fn enter(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        node.visits = node.visits.saturating_add(1);
    }

    /// Adds the utility of the seat that chose a node, on the way up.
    pub(crate) fn credit(&mut self, id: u32, utility: f64) {
        self.nodes[id as usize].sum += utility;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule { c: 0.7, fpu: f64::INFINITY, bias: 0.0 };

    /// A tree whose root has the children 1, 2, 3 with these visits, availabilities and means.
    fn tree(children: [(u32, u32, f64); 3]) -> ActionTree<u32> {
        let mut tree = ActionTree::new();
        tree.restart(0, 100);
        let mut after = NONE;
        for (i, (visits, available, mean)) in children.into_iter().enumerate() {
            after = tree.insert(ROOT, after, 0, i as u32 + 1);
            let node = &mut tree.nodes[after as usize];
            (node.visits, node.available, node.sum) = (visits, available, mean * f64::from(visits));
        }
        tree
    }

    fn choose(tree: &mut ActionTree<u32>, keys: &[u32], rule: &Rule) -> u32 {
        let choice = Choice { at: ROOT, seat: 0, keys, rule };
        let mut rng = Rng::new(1);
        let tried = tree.survey(choice, &mut rng);
        let chosen = tree.choose(choice, tried, None, &mut rng).unwrap();
        assert_eq!(tree.node(chosen.node).action(), keys[chosen.key]);
        keys[chosen.key]
    }

    #[test]
    fn p7_exploration_counts_availability_not_parent_visits() {
        // Same visits and means: only the availability differs, and the parent's visits would call it a tie.
        let children = [(10, 20, 0.5), (10, 80, 0.5), (10, 40, 0.5)];
        assert_eq!(choose(&mut tree(children), &[1, 2, 3], &RULE), 2);
        assert_eq!(choose(&mut tree(children), &[1, 3], &RULE), 3, "2 is not legal in this world");
        // The formula itself, with the count that the survey adds: 0.51 + 0.7 sqrt(ln 21 / 10) = 0.896 against
        // 0.44 + 0.7 sqrt(ln 81 / 10) = 0.904 and, a hair lower, 0.43 + the same.
        let children = [(10, 20, 0.51), (10, 80, 0.44), (10, 80, 0.43)];
        assert_eq!(choose(&mut tree(children), &[1, 2, 3], &RULE), 2);
        let children = [(10, 20, 0.52), (10, 80, 0.44), (10, 80, 0.43)];
        assert_eq!(choose(&mut tree(children), &[1, 2, 3], &RULE), 1);
    }

    #[test]
    fn recalling_counts_nothing() {
        let children = [(10, 20, 0.5), (10, 80, 0.5), (10, 40, 0.5)];
        let tree = tree(children);
        let recall = |keys: &[u32]| tree.recall(Choice { at: ROOT, seat: 0, keys, rule: &RULE }).map(|i| keys[i]);
        assert_eq!(recall(&[1, 2, 3]), Some(2));
        assert_eq!(recall(&[1, 3]), Some(3));
        assert_eq!(recall(&[1, 4]), None, "4 was never tried");
        assert_eq!(recall(&[]), None);
        assert_eq!(tree.children(ROOT).map(|c| tree.node(c).available()).collect::<Vec<_>>(), [20, 80, 40]);
    }

    #[test]
    fn only_legal_children_become_available() {
        let mut tree = tree([(1, 1, 0.5), (1, 1, 0.5), (1, 1, 0.5)]);
        choose(&mut tree, &[1, 3], &RULE);
        choose(&mut tree, &[3], &RULE);
        let counts: Vec<u64> = tree.children(ROOT).map(|c| tree.node(c).available()).collect();
        assert_eq!(counts, [2, 1, 3]);
    }

    #[test]
    fn children_stay_sorted_and_seats_apart() {
        let mut tree = ActionTree::new();
        tree.restart(0, 100);
        let top = tree.insert(ROOT, NONE, 0, 9u32);
        let mut rng = Rng::new(3);
        for (seat, keys) in [(1, &[4, 7][..]), (0, &[5, 6]), (1, &[1, 7, 9]), (0, &[5, 8]), (1, &[4, 5])] {
            for _ in 0..keys.len() {
                let choice = Choice { at: top, seat, keys, rule: &RULE };
                let tried = tree.survey(choice, &mut rng);
                let chosen = tree.choose(choice, tried, None, &mut rng).unwrap();
                assert_eq!(tree.node(chosen.node).seat(), seat);
                tree.enter(chosen.node);
                tree.credit(chosen.node, 0.5);
            }
        }
        let found: Vec<_> = tree.children(top).map(|c| (tree.node(c).seat(), tree.node(c).action())).collect();
        assert_eq!(found, [(0, 5), (0, 6), (0, 8), (1, 1), (1, 4), (1, 5), (1, 7), (1, 9)]);
        assert_eq!(tree.outcome(top, 7), tree.outcome(top, 7));
        assert_eq!(tree.children(top).last().map(|c| tree.node(c).seat()), Some(CHANCE));
    }

    #[test]
    fn a_full_tree_takes_nothing_in() {
        let mut tree = ActionTree::new();
        tree.restart(0, 3);
        let mut rng = Rng::new(3);
        let choice = Choice { at: ROOT, seat: 0, keys: &[1u32, 2, 3, 4], rule: &RULE };
        for _ in 0..10 {
            let tried = tree.survey(choice, &mut rng);
            let chosen = tree.choose(choice, tried, None, &mut rng).unwrap();
            tree.enter(chosen.node);
            tree.credit(chosen.node, 0.5);
        }
        assert_eq!(tree.len(), 3);
        assert!(tree.nodes.capacity() <= 64);
        let choice = Choice { at: 1, ..choice };
        let tried = tree.survey(choice, &mut rng);
        assert!(tree.choose(choice, tried, None, &mut rng).is_none());
        assert!(tree.outcome(1, 5).is_none());
    }
}
