//! A small tree search (UCT with RAVE) on one area of the board, for who owns its points when both sides play there.
//!
//! The objective is the area score of the whole board, but moves are looked for in the area only; both players may pass at any
//! time, and two passes end the line with every stone left on the board alive.

use kiebitz_core::Rng;

use super::Stop;
use super::policy::Local;
use crate::Color;
use crate::playout::{PlayoutBoard, Vertex};

/// The bias of RAVE against play in the minimum-squared-error weighting (Gelly and Silver, Artificial Intelligence 175, 2011).
const RAVE_BIAS: f32 = 0.05;
/// What a move without any visit is assumed to gain over the mean of its parent.
const FIRST_PLAY: f32 = 0.05;
/// The first node.
const ROOT: usize = 0;

/// A move from its parent: numbers are for the player who makes it.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The place in the area; the area's length stands for a pass.
    mv: u16,
    children: u16,
    first_child: u32,
    visits: u32,
    rave_visits: u32,
    sum: f32,
    rave_sum: f32,
    /// Sum of the target's owner, for Black.
    target: f32,
}

impl Node {
    fn new(mv: u16) -> Self {
        Node { mv, children: 0, first_child: 0, visits: 0, rave_visits: 0, sum: 0.0, rave_sum: 0.0, target: 0.0 }
    }
}

/// A search of one area from one position on.
#[derive(Debug)]
pub(super) struct Tree<'a, const N: usize> {
    local: &'a Local<N>,
    board: PlayoutBoard<N>,
    color: Color,
    nodes: Vec<Node>,
    /// By point: sum of owners over all visits.
    sums: Vec<i32>,
    counted: u32,
    owners: Vec<i8>,
    path: Vec<usize>,
    record: Vec<(u8, u16)>,
    first: Vec<u8>,
    order: Vec<u16>,
    exploration: f32,
}

impl<'a, const N: usize> Tree<'a, N> {
    pub(super) fn new(local: &'a Local<N>, color: Color, exploration: f32) -> Self {
        let points = local.board.size().points();
        Tree {
            local,
            board: local.board,
            color,
            nodes: vec![Node::new(local.pass())],
            sums: vec![0; points],
            counted: 0,
            owners: vec![0; points],
            path: Vec::new(),
            record: Vec::new(),
            first: vec![2; local.len() + 1],
            order: (0..local.len() as u16).collect(),
            exploration,
        }
    }

    /// Mean owner by point (1 Black, -1 White) over all visits.
    pub(super) fn ownership(&self) -> Vec<f32> {
        self.sums.iter().map(|&sum| sum as f32 / self.counted.max(1) as f32).collect()
    }

    /// The mean owner of the target at the end of the line that was visited most, as far as it has enough visits.
    pub(super) fn target_owner(&self) -> f32 {
        let enough = (self.nodes[ROOT].visits / 30).max(30);
        let mut at = ROOT;
        while let Some(next) = self.favourite(at).filter(|&next| self.nodes[next].visits >= enough) {
            at = next;
        }
        let node = &self.nodes[at];
        node.target / node.visits.max(1) as f32
    }

    /// The most visited child.
    fn favourite(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let children = node.first_child as usize..node.first_child as usize + usize::from(node.children);
        children.max_by(|&a, &b| self.nodes[a].visits.cmp(&self.nodes[b].visits).then(b.cmp(&a)))
    }

    /// Adds visits, until told to stop.
    pub(super) fn search(&mut self, visits: u32, rng: &mut Rng, stop: Stop<'_>) {
        for _ in 0..visits {
            if stop() {
                return;
            }
            self.visit(rng);
        }
    }

    fn play(&self, board: &mut PlayoutBoard<N>, last: &mut Option<Vertex>, mv: u16, color: Color) -> bool {
        match self.local.vertex(mv) {
            Some(vertex) => {
                *last = Some(vertex);
                board.play(color, vertex)
            }
            None => {
                *last = None;
                board.pass();
                true
            }
        }
    }

    fn visit(&mut self, rng: &mut Rng) {
        let mut board = self.board;
        let mut last = None;
        let mut color = self.color;
        let mut passes = 0;
        let mut at = ROOT;
        self.path.clear();
        self.record.clear();
        self.path.push(at);
        let deepest = 3 * self.local.len() + 8;
        while passes < 2 && self.path.len() < deepest {
            if self.nodes[at].children == 0 {
                if self.nodes[at].visits == 0 && at != ROOT {
                    break;
                }
                self.expand(at, &board, color);
            }
            let next = self.select(at);
            let mv = self.nodes[next].mv;
            let played = self.play(&mut board, &mut last, mv, color);
            debug_assert!(played, "children are legal moves");
            passes = if mv == self.local.pass() { passes + 1 } else { 0 };
            self.record.push((color as u8, mv));
            color = color.opponent();
            at = next;
            self.path.push(at);
        }
        if passes < 2 {
            self.local.playout(&mut board, color, last, passes, rng, &mut self.order, &mut self.record);
        }
        board.ownership(&mut self.owners);
        self.sums.iter_mut().zip(&self.owners).for_each(|(sum, &o)| *sum += i32::from(o));
        self.counted += 1;
        let black = self.local.value(&self.owners);
        let target = self.local.target_owner(&self.owners);
        self.update(black, target);
    }

    fn update(&mut self, black: f32, target: f32) {
        // `first` holds, by move, who plays it first after the node that is looked at: 2 for nobody.
        self.first.fill(2);
        let mut from = self.record.len();
        for depth in (0..self.path.len()).rev() {
            while from > depth {
                from -= 1;
                let (color, mv) = self.record[from];
                self.first[usize::from(mv)] = color;
            }
            let at = self.path[depth];
            // The player to move below this node.
            let mover = if depth % 2 == 0 { self.color } else { self.color.opponent() };
            let value = if mover == Color::Black { black } else { 1.0 - black };
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += 1.0 - value;
            node.target += target;
            let children = node.first_child as usize..node.first_child as usize + usize::from(node.children);
            for child in &mut self.nodes[children] {
                if child.mv != self.local.pass() && self.first[usize::from(child.mv)] == mover as u8 {
                    child.rave_visits += 1;
                    child.rave_sum += value;
                }
            }
        }
    }

    fn expand(&mut self, at: usize, board: &PlayoutBoard<N>, color: Color) {
        let first = self.nodes.len();
        for mv in 0..self.local.len() as u16 {
            if let Some(vertex) = self.local.vertex(mv)
                && board.is_legal(color, vertex)
                && !board.is_eye(color, vertex)
            {
                self.nodes.push(Node::new(mv));
            }
        }
        self.nodes.push(Node::new(self.local.pass()));
        self.nodes[at].first_child = first as u32;
        self.nodes[at].children = (self.nodes.len() - first) as u16;
    }

    fn select(&self, at: usize) -> usize {
        let parent = &self.nodes[at];
        let children = parent.first_child as usize..parent.first_child as usize + usize::from(parent.children);
        let log = libm::logf(parent.visits.max(1) as f32);
        let expected = 1.0 - if parent.visits > 0 { parent.sum / parent.visits as f32 } else { 0.5 };
        let (mut best, mut best_score) = (children.start, f32::NEG_INFINITY);
        for child in children {
            let node = &self.nodes[child];
            let (n, r) = (node.visits as f32, node.rave_visits as f32);
            let rave = if r > 0.0 { node.rave_sum / r } else { expected + FIRST_PLAY };
            let value = if n > 0.0 {
                let weight = if r > 0.0 { r / (r + n + 4.0 * RAVE_BIAS * RAVE_BIAS * r * n) } else { 0.0 };
                (1.0 - weight) * node.sum / n + weight * rave
            } else {
                rave
            };
            let score = value + self.exploration * libm::sqrtf(log / (n + 1.0));
            if score > best_score {
                (best, best_score) = (child, score);
            }
        }
        best
    }
}
