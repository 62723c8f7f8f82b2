//! Looks at all values of a tree that mean something in Go and reports those the view will have to leave out or repair.

use super::error::SgfError;
use super::game::{color, setup_sets};
use super::info::{Report, read_info, read_number};
use super::points::{self, PointError, PointSet};
use super::text::split_composed;
use super::tree::{NodeId, Property, Tree};
use super::warning::{WarningKind, clip};
use crate::{Point, Size};

/// Reports every value of the tree that does not say what it should.
pub(super) fn check_tree(tree: &Tree, report: &mut Report<'_>) -> Result<(), SgfError> {
    let info = read_info(tree, report)?;
    if info.handicap >= 2 {
        check_handicap(tree, info.handicap, report)?;
    }
    for (_, node) in tree.walk() {
        check_node(tree, node, report)?;
    }
    Ok(())
}

/// Handicap stones stand on the root, or at least before the first move.
fn check_handicap(tree: &Tree, handicap: u16, report: &mut Report<'_>) -> Result<(), SgfError> {
    let mut stones = PointSet::default();
    for node in tree.main_line().take_while(|&node| tree.played(node).is_none()) {
        for value in tree.property(node, "AB").iter().flat_map(Property::values) {
            let _ = stones.add(value, tree.size());
        }
    }
    let Some(property) = tree.property(tree.root(), "HA") else { return Ok(()) };
    match stones.len() {
        0 => report(WarningKind::HandicapWithoutStones { handicap }, property),
        stones if stones != usize::from(handicap) => {
            report(WarningKind::HandicapMismatch { handicap, stones }, property)
        }
        _ => Ok(()),
    }
}

fn check_node(tree: &Tree, node: NodeId, report: &mut Report<'_>) -> Result<(), SgfError> {
    let size = tree.size();
    let root = node == tree.root();
    let (mut setup, mut stone_lists, mut moved) = (None, 0, false);
    for property in tree.properties(node) {
        let name = property.name();
        match name {
            "B" | "W" => {
                moved = true;
                if let Err(error) = points::mv(property.value(), size) {
                    report(point_warning(error, property.value(), "point or pass", size), property)?;
                }
            }
            "AB" | "AW" | "AE" | "TR" | "SQ" | "CR" | "MA" | "SL" | "DD" | "VW" | "TB" | "TW" => {
                if matches!(name, "AB" | "AW" | "AE") {
                    setup = Some(property);
                    stone_lists += 1;
                }
                // These four may have an empty list, which ends what an earlier node began.
                let may_be_empty = matches!(name, "DD" | "VW" | "TB" | "TW");
                for value in property.values().filter(|value| !(may_be_empty && value.is_empty())) {
                    if let Err(error) = PointSet::default().add(value, size) {
                        report(point_warning(error, value, "point or rectangle", size), property)?;
                    }
                }
            }
            "PL" => {
                setup = Some(property);
                if color(property.value()).is_none() {
                    report(WarningKind::BadColor { value: clip(property.value()) }, property)?;
                }
            }
            "LB" => {
                for value in property.values() {
                    let point = split_composed(value).map_or(Err(PointError::Syntax), |(p, _)| points::point(p, size));
                    if let Err(error) = point {
                        report(point_warning(error, value, "point with a label", size), property)?;
                    }
                }
            }
            "AR" | "LN" => {
                for value in property.values() {
                    if let Err(error) = pair(value, size) {
                        report(point_warning(error, value, "pair of points", size), property)?;
                    }
                }
            }
            "MN" | "BL" | "WL" | "OB" | "OW" | "V" => {
                read_number(property, "a number", report)?;
            }
            "AP" | "CA" | "FF" | "GM" | "ST" | "SZ" if !root => {
                report(WarningKind::MisplacedRootProperty, property)?;
            }
            _ => {}
        }
    }
    if let Some(property) = setup {
        if moved {
            report(WarningKind::SetupWithMove, property)?;
        }
        if stone_lists > 1 && setup_sets(tree, node).1 {
            report(WarningKind::SetupConflict, property)?;
        }
    }
    Ok(())
}

fn pair(value: &str, size: Size) -> Result<(Point, Point), PointError> {
    let (a, b) = split_composed(value).ok_or(PointError::Syntax)?;
    Ok((points::point(a, size)?, points::point(b, size)?))
}

fn point_warning(error: PointError, value: &str, expected: &'static str, size: Size) -> WarningKind {
    match error {
        PointError::Syntax => WarningKind::BadPoint { value: clip(value), expected },
        PointError::OffBoard => WarningKind::OffBoard { value: clip(value), size },
    }
}

/// Whether the standard gives the property one value.
pub(super) fn is_single(name: &str) -> bool {
    const NAMES: [&str; 52] = [
        "B", "W", "KO", "MN", "PL", "C", "N", "DM", "GB", "GW", "HO", "UC", "V", "BM", "DO", "IT", "TE", "AP", "FF",
        "GM", "ST", "SZ", "AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "ON", "OT", "PB", "PC", "PW", "RE", "RO",
        "RU", "SO", "TM", "US", "WR", "WT", "BL", "OB", "OW", "WL", "FG", "PM", "HA", "KM", "CA",
    ];
    NAMES.contains(&name)
}
