//! Shared by the tests: short ways to make games, and a second, slow engine that knows nothing of the first.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod naive;
pub mod playout;

use kiebitz_core::Game;
use kiebitz_go::{Color, Go, KoRule, Move, Options, Point, Ruleset, Setup, Size};

/// A board of this size.
pub fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).unwrap()
}

/// Tromp-Taylor rules with these changes and no komi.
pub fn options(width: usize, height: usize, ko: KoRule, suicide: bool) -> Options {
    let mut options = Options::new(size(width, height), Ruleset::TrompTaylor);
    options.rules.ko = ko;
    options.rules.suicide = suicide;
    options.komi = 0;
    options
}

/// An empty game.
pub fn game(options: &Options) -> Go {
    Go::new(2, options, None).unwrap()
}

/// A move by its text.
pub fn mv(go: &Go, text: &str) -> Move {
    Move::parse(text, go.size()).unwrap()
}

/// A point by its text.
pub fn point(go: &Go, text: &str) -> Point {
    Point::parse(text, go.size()).unwrap()
}

/// Plays moves for the players in turn.
pub fn play(go: &mut Go, moves: &str) {
    for text in moves.split_whitespace() {
        let action = mv(go, text);
        go.try_apply(action).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

/// Rows from the top: `X` black, `O` white, `.` empty; blanks between are ignored. Black moves next.
pub fn diagram(options: &Options, text: &str) -> Go {
    let rows: Vec<Vec<char>> = text
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<char>>())
        .filter(|row| !row.is_empty())
        .collect();
    assert_eq!(rows.len(), options.size.height(), "rows of the diagram");
    let mut setup = Setup { to_move: Some(Color::Black), ..Setup::default() };
    for (from_top, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), options.size.width(), "columns of the diagram");
        for (column, stone) in row.iter().enumerate() {
            let point = options.size.point(column, rows.len() - 1 - from_top).unwrap();
            match stone {
                'X' => setup.black.push(point),
                'O' => setup.white.push(point),
                _ => assert_eq!(*stone, '.'),
            }
        }
    }
    Go::new(2, options, Some(&setup)).unwrap()
}

/// The board as rows from the top, as [`diagram`] reads them.
pub fn rows(go: &Go) -> String {
    let size = go.size();
    let mut text = String::new();
    for row in (0..size.height()).rev() {
        for column in 0..size.width() {
            text.push(match go.board().stone(size.point(column, row).unwrap()) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            });
        }
        text.push('\n');
    }
    text
}

/// The code of the rule that forbids this move.
pub fn code(go: &Go, text: &str) -> &'static str {
    match go.check(mv(go, text)) {
        Ok(()) => "legal",
        Err(e) => e.code,
    }
}

/// Texts of points.
pub fn names(go: &Go, points: &[Point]) -> Vec<String> {
    points.iter().map(|p| p.text(go.size()).to_string()).collect()
}
