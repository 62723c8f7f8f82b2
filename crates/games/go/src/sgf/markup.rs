//! Marks on points: shapes, labels, arrows, lines, territory.

use super::points::{self, PointSet};
use super::text::{escape_part, simple_text, split_composed};
use super::tree::{NodeId, Tree};
use crate::Point;

/// A kind of mark that a list of points can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// TR.
    Triangle,
    /// SQ.
    Square,
    /// CR.
    Circle,
    /// MA, a cross.
    Cross,
    /// SL, selected points.
    Selected,
    /// DD, dimmed points.
    Dimmed,
    /// TB, territory of Black.
    BlackTerritory,
    /// TW, territory of White.
    WhiteTerritory,
}

impl Mark {
    /// All kinds.
    pub const ALL: [Mark; 8] = [
        Mark::Triangle,
        Mark::Square,
        Mark::Circle,
        Mark::Cross,
        Mark::Selected,
        Mark::Dimmed,
        Mark::BlackTerritory,
        Mark::WhiteTerritory,
    ];

    /// The property, such as `TR`.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Triangle => "TR",
            Mark::Square => "SQ",
            Mark::Circle => "CR",
            Mark::Cross => "MA",
            Mark::Selected => "SL",
            Mark::Dimmed => "DD",
            Mark::BlackTerritory => "TB",
            Mark::WhiteTerritory => "TW",
        }
    }
}

impl Tree {
    /// The points of a node with a mark, in index order; rectangles are taken apart.
    pub fn marked(&self, node: NodeId, mark: Mark) -> Vec<Point> {
        let mut set = PointSet::default();
        for value in self.property(node, mark.name()).iter().flat_map(|property| property.values()) {
            let _ = set.add(value, self.size());
        }
        set.points(self.size())
    }

    /// The labels of a node (LB) in the order of the file.
    pub fn labels(&self, node: NodeId) -> Vec<(Point, String)> {
        let labels = self.property(node, "LB");
        let values = labels.iter().flat_map(|property| property.values());
        values
            .filter_map(|value| {
                let (point, label) = split_composed(value)?;
                Some((points::point(point, self.size()).ok()?, simple_text(label)))
            })
            .collect()
    }

    /// The arrows of a node (AR), each from the first point to the second.
    pub fn arrows(&self, node: NodeId) -> Vec<(Point, Point)> {
        self.point_pairs(node, "AR")
    }

    /// The lines of a node (LN).
    pub fn lines(&self, node: NodeId) -> Vec<(Point, Point)> {
        self.point_pairs(node, "LN")
    }

    fn point_pairs(&self, node: NodeId, name: &str) -> Vec<(Point, Point)> {
        let pairs = self.property(node, name);
        let values = pairs.iter().flat_map(|property| property.values());
        values
            .filter_map(|value| {
                let (a, b) = split_composed(value)?;
                Some((points::point(a, self.size()).ok()?, points::point(b, self.size()).ok()?))
            })
            .collect()
    }

    /// Marks points, replacing earlier ones of this kind; no points remove the mark. Points off the board are left out.
    pub fn set_marked(&mut self, node: NodeId, mark: Mark, marked: &[Point]) {
        let size = self.size();
        let values: Vec<String> =
            marked.iter().filter(|p| size.contains(**p)).map(|&p| points::point_text(p, size)).collect();
        self.replace(node, mark.name(), values);
    }

    /// Sets the labels (LB), replacing earlier ones; no labels remove them. Points off the board are left out.
    pub fn set_labels<S: AsRef<str>>(&mut self, node: NodeId, labels: &[(Point, S)]) {
        let size = self.size();
        let labels = labels.iter().filter(|(p, _)| size.contains(*p));
        let values: Vec<String> = labels
            .map(|(p, label)| {
                format!("{}:{}", points::point_text(*p, size), escape_part(&label.as_ref().replace(['\r', '\n'], " ")))
            })
            .collect();
        self.replace(node, "LB", values);
    }
}
