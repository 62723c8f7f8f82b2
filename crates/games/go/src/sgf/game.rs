//! The Go view of nodes: moves, setup, comments, and the way to a move.

use super::points::{self, PointSet};
use super::tree::{NodeId, Tree};
use super::warning::TextPosition;
use crate::{Color, Move, Point};

/// A move on a line of play, with what a message about it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The node.
    pub node: NodeId,
    /// Which move of the line it is, from 1. Passes count.
    pub number: usize,
    /// Who played. One colour may play several times in a row.
    pub color: Color,
    /// What. It is on the board, but whether it is legal there nobody has checked.
    pub mv: Move,
    /// Where the node starts in the file.
    pub position: TextPosition,
}

/// What a node sets up without a move (AB, AW, AE and PL). A point is in one of the lists at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Points that get a black stone, in index order.
    pub black: Vec<Point>,
    /// Points that get a white stone, in index order.
    pub white: Vec<Point>,
    /// Points that get empty, in index order.
    pub empty: Vec<Point>,
    /// Who is to play from here on.
    pub to_play: Option<Color>,
}

impl Setup {
    /// Whether nothing is set up.
    pub fn is_empty(&self) -> bool {
        self.black.is_empty() && self.white.is_empty() && self.empty.is_empty() && self.to_play.is_none()
    }
}

impl Tree {
    /// The move of a node, read by the size of the board. A node whose move cannot be read has none.
    pub fn played(&self, node: NodeId) -> Option<(Color, Move)> {
        self.properties(node).find_map(|property| {
            let color = match property.name() {
                "B" => Color::Black,
                "W" => Color::White,
                _ => return None,
            };
            points::mv(property.value(), self.size()).ok().map(|mv| (color, mv))
        })
    }

    /// What a node sets up. When it has a move as well, the setup comes first.
    pub fn setup(&self, node: NodeId) -> Setup {
        let size = self.size();
        let [black, white, empty] = setup_sets(self, node).0;
        let to_play = self.property(node, "PL").and_then(|property| color(property.value()));
        Setup { black: black.points(size), white: white.points(size), empty: empty.points(size), to_play }
    }

    /// The comment (C) with line breaks as `\n`; several are joined.
    pub fn comment(&self, node: NodeId) -> Option<String> {
        self.property(node, "C").map(|property| property.text())
    }

    /// The node's name (N).
    pub fn node_name(&self, node: NodeId) -> Option<String> {
        self.property(node, "N").map(|property| property.simple_text())
    }

    /// The move number that a node asks to be printed (MN); numbering restarts from it.
    pub fn printed_number(&self, node: NodeId) -> Option<u32> {
        self.property(node, "MN")?.value().trim().parse().ok()
    }

    /// The moves on a line of nodes, such as [`Tree::main_line`] or [`Tree::path`], numbered from 1.
    pub fn moves_on<I: IntoIterator<Item = NodeId>>(&self, nodes: I) -> impl Iterator<Item = PlayedMove> {
        nodes
            .into_iter()
            .filter_map(|node| self.played(node).map(|played| (node, played)))
            .zip(1..)
            .map(|((node, (color, mv)), number)| PlayedMove { node, number, color, mv, position: self.position(node) })
    }

    /// The moves of the main line.
    pub fn main_line_moves(&self) -> impl Iterator<Item = PlayedMove> + '_ {
        self.moves_on(self.main_line())
    }

    /// The node of the main line's move `number`, from 1; `None` when the line is shorter.
    pub fn node_of_move(&self, number: usize) -> Option<NodeId> {
        self.main_line_moves().nth(number.checked_sub(1)?).map(|played| played.node)
    }
}

/// `B` or `W`; some programs write the word, or the number of the player.
pub(super) fn color(raw: &str) -> Option<Color> {
    match raw.trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(Color::Black),
        "w" | "white" | "2" => Some(Color::White),
        _ => None,
    }
}

/// The points of AB, AW and AE, a later property winning, and whether any point was in two of them.
pub(super) fn setup_sets(tree: &Tree, node: NodeId) -> ([PointSet; 3], bool) {
    let mut sets: [PointSet; 3] = Default::default();
    let mut conflict = false;
    for property in tree.properties(node) {
        let index = match property.name() {
            "AB" => 0,
            "AW" => 1,
            "AE" => 2,
            _ => continue,
        };
        let mut set = PointSet::default();
        for value in property.values() {
            // Values that are no points have been reported when the file was read.
            let _ = set.add(value, tree.size());
        }
        for other in &mut sets {
            conflict |= other.meets(&set);
            other.remove(&set);
        }
        sets[index] = set;
    }
    (sets, conflict)
}
