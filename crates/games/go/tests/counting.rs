//! Numbers of legal positions and of games (Tromp & Farnebäck, "Combinatorics of Go"), found by enumeration with the
//! referee, by enumeration with bit masks, and row by row with border states.

mod common;

use std::collections::HashMap;

use common::{game, options, size};
use kiebitz_core::Game;
use kiebitz_go::{Color, Go, KoRule, Options, Ruleset, Setup};

/// Counts the positions that the referee accepts as set-ups.
fn by_referee(width: usize, height: usize) -> u64 {
    let options = Options::new(size(width, height), Ruleset::TrompTaylor);
    let points: Vec<_> = options.size.iter().collect();
    let mut legal = 0;
    for index in 0..3u64.pow(points.len() as u32) {
        let mut rest = index;
        let mut setup = Setup::default();
        for &point in &points {
            match rest % 3 {
                1 => setup.black.push(point),
                2 => setup.white.push(point),
                _ => {}
            }
            rest /= 3;
        }
        match Go::new(2, &options, Some(&setup)) {
            Ok(_) => legal += 1,
            Err(e) => assert_eq!(e.code, "go.no_liberty"),
        }
    }
    legal
}

/// Counts with one bit a point: legal when every stone is reached from an empty point through its own colour.
fn by_masks(width: u32, height: u32) -> u64 {
    let points = width * height;
    let all: u32 = (1 << points) - 1;
    let first_column = (0..height).fold(0, |mask, row| mask | 1 << (row * width));
    let last_column = first_column << (width - 1);
    let spread = |mask: u32| {
        (mask | (mask & !last_column) << 1 | (mask & !first_column) >> 1 | mask << width | mask >> width) & all
    };
    let alive = |stones: u32, empty: u32| {
        let mut reached = spread(empty) & stones;
        loop {
            let next = spread(reached) & stones;
            if next == reached {
                return reached == stones;
            }
            reached = next;
        }
    };
    let mut legal = 0;
    for black in 0..=all {
        let rest = all & !black;
        let mut white = rest;
        loop {
            let empty = rest & !white;
            if alive(black, empty) && alive(white, empty) {
                legal += 1;
            }
            if white == 0 {
                break;
            }
            white = (white - 1) & rest;
        }
    }
    legal
}

/// What the last `width` points say about the rest: 0 empty, 1 black and 2 white stones that have a liberty, 3 and more
/// chains that still need one (odd black, even white), numbered in order of appearance.
type Border = Vec<u8>;

fn renumber(border: &mut Border) {
    let mut names: Vec<u8> = Vec::new();
    for cell in border.iter_mut().filter(|c| **c >= 3) {
        let index = names.iter().position(|name| name == cell).unwrap_or_else(|| {
            names.push(*cell);
            names.len() - 1
        });
        // Even and odd numbers keep the colour.
        *cell = 3 + 2 * index as u8 + (*cell + 1) % 2;
    }
}

/// The border after one more point, or `None` when a chain is left without liberty.
fn extend(border: &Border, column: usize, left: Option<usize>, has_row_below: bool, stone: u8) -> Option<Border> {
    let color = |cell: u8| if cell == 0 { 0 } else { 1 + (cell + 1) % 2 };
    let mut next = border.clone();
    let neighbors: Vec<u8> =
        left.map(|l| border[l]).into_iter().chain(has_row_below.then_some(border[column])).collect();
    let give_liberty = |next: &mut Border, chain: u8| {
        for cell in next.iter_mut().filter(|c| **c == chain) {
            *cell = color(chain);
        }
    };
    if stone == 0 {
        for &n in neighbors.iter().filter(|&&n| n >= 3) {
            give_liberty(&mut next, n);
        }
        next[column] = 0;
    } else {
        let own: Vec<u8> = neighbors.iter().copied().filter(|&n| color(n) == stone).collect();
        let alive = neighbors.contains(&0) || own.iter().any(|&n| n < 3);
        // A number no chain has yet.
        let fresh = 100 + (stone + 1) % 2 + 1;
        let name = if alive { stone } else { fresh };
        for &n in own.iter().filter(|&&n| n >= 3) {
            for cell in next.iter_mut().filter(|c| **c == n) {
                *cell = name;
            }
        }
        next[column] = name;
        // The stone below leaves the border; its chain must not leave with it, unless it has a liberty.
        if has_row_below {
            let below = border[column];
            if below >= 3 && color(below) != stone && !next.contains(&below) {
                return None;
            }
        }
    }
    renumber(&mut next);
    Some(next)
}

fn by_borders(width: usize, height: usize) -> u128 {
    let mut states: HashMap<Border, u128> = HashMap::from([(vec![0; width], 1)]);
    for row in 0..height {
        for column in 0..width {
            let mut next: HashMap<Border, u128> = HashMap::new();
            for (border, count) in &states {
                for stone in 0..3 {
                    let left = column.checked_sub(1);
                    if let Some(border) = extend(border, column, left, row > 0, stone) {
                        *next.entry(border).or_default() += count;
                    }
                }
            }
            states = next;
        }
    }
    states.iter().filter(|(border, _)| border.iter().all(|&c| c < 3)).map(|(_, count)| count).sum()
}

const LISTED: [(usize, usize, u128); 24] = [
    (1, 1, 1),
    (1, 2, 5),
    (1, 3, 15),
    (1, 4, 41),
    (1, 5, 113),
    (1, 6, 313),
    (1, 7, 867),
    (1, 8, 2401),
    (1, 9, 6649),
    (1, 10, 18413),
    (1, 11, 50991),
    (1, 12, 141209),
    (2, 2, 57),
    (2, 3, 489),
    (2, 4, 4125),
    (2, 5, 35117),
    (2, 6, 299681),
    (2, 7, 2557605),
    (3, 3, 12675),
    (3, 4, 321689),
    (4, 4, 24318165),
    (5, 5, 414295148741),
    (6, 6, 62567386502084877),
    (7, 7, 83677847847984287628595),
];

#[test]
fn go_01_legal_positions_by_the_referee() {
    for &(width, height, count) in LISTED.iter().filter(|(w, h, _)| w * h <= 12) {
        assert_eq!(u128::from(by_referee(width, height)), count, "{width}x{height}");
    }
    assert_eq!(by_referee(3, 2), 489);
}

#[test]
fn go_01_legal_positions_by_masks() {
    for &(width, height, count) in LISTED.iter().filter(|(w, h, _)| w * h <= 16) {
        assert_eq!(u128::from(by_masks(width as u32, height as u32)), count, "{width}x{height}");
    }
}

#[test]
fn go_01_legal_positions_by_border_states() {
    for (width, height, count) in LISTED {
        assert_eq!(by_borders(width, height), count, "{width}x{height}");
        assert_eq!(by_borders(height, width), count, "{height}x{width}");
    }
}

/// Games as simple paths: either colour may move at every position, none may come twice, the path without moves counts.
fn paths(go: &mut Go) -> u64 {
    let mut count = 1;
    for point in go.size().iter() {
        for color in Color::ALL {
            if go.play_as(color, point.into()).is_ok() {
                count += paths(go);
                go.undo_last();
            }
        }
    }
    count
}

#[test]
fn numbers_of_games() {
    for (width, height, count) in [(1, 1, 1), (1, 2, 9), (1, 3, 907), (3, 1, 907)] {
        let mut go = game(&options(width, height, KoRule::Positional, true));
        assert_eq!(paths(&mut go), count, "{width}x{height}");
    }
}
