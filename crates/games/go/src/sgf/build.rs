//! Building trees and adding to those that were read.

use super::info::GameInfo;
use super::points::{move_text, point_text};
use super::rules::rules_text;
use super::text::{escape, escape_part};
use super::tree::{NodeId, Tree};
use super::warning::TextPosition;
use super::{GameResult, Setup};
use crate::{Color, Move, Point, Size};

impl Tree {
    /// A new tree whose root has the game information and the setup, such as handicap stones.
    ///
    /// AP names this program and version unless `info.application` says otherwise; RU is `info.rules`, else the name of
    /// `info.ruleset`; RE is `info.result`, else `info.result_text`. What is `None` is not written.
    pub fn new(info: &GameInfo, setup: &Setup) -> Tree {
        let mut tree = Tree::empty(info.size, TextPosition::default());
        let root = tree.root();
        let application = match &info.application {
            // The colon between name and version is part of the value's form.
            Some(application) => match application.split_once(':') {
                Some((name, version)) => format!("{}:{}", escape_part(name), escape_part(version)),
                None => escape_part(application),
            },
            None => concat!("kiebitz:", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        tree.replace(root, "AP", [application]);
        tree.replace(root, "SZ", [size_text(info.size)]);
        tree.replace(root, "KM", info.komi.filter(|komi| komi.is_finite()).map(|komi| (komi + 0.0).to_string()));
        tree.replace(root, "RU", line(info.rules.as_deref().or(info.ruleset.map(rules_text))));
        tree.replace(root, "HA", (info.handicap > 0).then(|| info.handicap.to_string()));
        tree.write_setup(root, setup);
        let time = info.time.filter(|seconds| seconds.is_finite()).map(|seconds| seconds.to_string());
        let result = info.result.map(|result| result.to_string());
        for (name, text) in [
            ("PB", info.black.name.as_deref()),
            ("BR", info.black.rank.as_deref()),
            ("BT", info.black.team.as_deref()),
            ("PW", info.white.name.as_deref()),
            ("WR", info.white.rank.as_deref()),
            ("WT", info.white.team.as_deref()),
            ("DT", info.date.as_deref()),
            ("EV", info.event.as_deref()),
            ("RO", info.round.as_deref()),
            ("PC", info.place.as_deref()),
            ("GN", info.game_name.as_deref()),
            ("TM", time.as_deref()),
            ("OT", info.overtime.as_deref()),
            ("ON", info.opening.as_deref()),
            ("RE", result.as_deref().or(info.result_text.as_deref())),
            ("AN", info.annotator.as_deref()),
            ("CP", info.copyright.as_deref()),
            ("SO", info.source.as_deref()),
            ("US", info.user.as_deref()),
        ] {
            tree.replace(root, name, line(text));
        }
        tree.replace(root, "GC", info.comment.as_deref().map(escape));
        tree
    }

    /// A new last child of `parent` with a move. The first child of a node is its main variation.
    pub fn add_move(&mut self, parent: NodeId, color: Color, mv: Move) -> NodeId {
        let node = self.add_node(parent);
        let name = match color {
            Color::Black => "B",
            Color::White => "W",
        };
        self.replace(node, name, [move_text(mv, self.size())]);
        node
    }

    /// New nodes below `parent` with these moves one after the other, as a variation shows them; gives the last node, or
    /// `parent` without moves.
    pub fn add_moves<I: IntoIterator<Item = (Color, Move)>>(&mut self, parent: NodeId, moves: I) -> NodeId {
        moves.into_iter().fold(parent, |node, (color, mv)| self.add_move(node, color, mv))
    }

    /// A new last child of `parent` that sets up stones. The standard wants setup and moves in different nodes.
    pub fn add_setup(&mut self, parent: NodeId, setup: &Setup) -> NodeId {
        let node = self.add_node(parent);
        self.write_setup(node, setup);
        node
    }

    /// Replaces the comment; an empty one is removed.
    pub fn set_comment(&mut self, node: NodeId, comment: &str) {
        self.replace(node, "C", (!comment.is_empty()).then(|| escape(comment)));
    }

    /// Adds to the comment after a line break.
    pub fn add_comment(&mut self, node: NodeId, comment: &str) {
        let comment = match self.comment(node) {
            Some(old) if !old.is_empty() => format!("{old}\n{comment}"),
            _ => comment.to_owned(),
        };
        self.set_comment(node, &comment);
    }

    /// Replaces the node's name (N); an empty one is removed.
    pub fn set_node_name(&mut self, node: NodeId, name: &str) {
        self.replace(node, "N", line(Some(name).filter(|name| !name.is_empty())));
    }

    /// Replaces the result (RE) of the root.
    pub fn set_result(&mut self, result: GameResult) {
        self.replace(self.root(), "RE", [result.to_string()]);
    }

    fn write_setup(&mut self, node: NodeId, setup: &Setup) {
        let size = self.size();
        let list = |points: &[Point]| -> Vec<String> {
            points.iter().filter(|p| size.contains(**p)).map(|&p| point_text(p, size)).collect()
        };
        self.replace(node, "AB", list(&setup.black));
        self.replace(node, "AW", list(&setup.white));
        self.replace(node, "AE", list(&setup.empty));
        let to_play = setup.to_play.map(|color| match color {
            Color::Black => "B".to_owned(),
            Color::White => "W".to_owned(),
        });
        self.replace(node, "PL", to_play);
    }
}

/// A SimpleText value: one line.
fn line(text: Option<&str>) -> Option<String> {
    text.map(|text| escape(&text.replace("\r\n", " ").replace(['\r', '\n'], " ")))
}

/// The standard wants one number for a square board.
fn size_text(size: Size) -> String {
    if size.width() == size.height() { size.width().to_string() } else { format!("{}:{}", size.width(), size.height()) }
}
