//! Fixed handicap placement on all sizes.

mod common;

use common::{game, size};
use kiebitz_core::Game;
use kiebitz_go::{Color, Go, Options, Ruleset, Setup, fixed_handicap, max_fixed_handicap};

fn names(side: usize, stones: usize) -> Vec<String> {
    let size = size(side, side);
    fixed_handicap(size, stones).unwrap().iter().map(|p| p.text(size).to_string()).collect()
}

#[test]
fn nineteen() {
    assert_eq!(names(19, 2), ["D4", "Q16"]);
    assert_eq!(names(19, 3), ["D4", "Q16", "D16"]);
    assert_eq!(names(19, 4), ["D4", "Q16", "D16", "Q4"]);
    assert_eq!(names(19, 5), ["D4", "Q16", "D16", "Q4", "K10"]);
    assert_eq!(names(19, 6), ["D4", "Q16", "D16", "Q4", "D10", "Q10"]);
    assert_eq!(names(19, 7), ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K10"]);
    assert_eq!(names(19, 8), ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16"]);
    assert_eq!(names(19, 9), ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16", "K10"]);
}

/// As GNU Go 3.8 places them.
#[test]
fn other_sizes() {
    let sorted = |side, stones| {
        let mut list = names(side, stones);
        list.sort();
        list
    };
    assert_eq!(sorted(7, 4), ["C3", "C5", "E3", "E5"]);
    assert_eq!(sorted(8, 4), ["C3", "C6", "F3", "F6"]);
    assert_eq!(sorted(9, 9), ["C3", "C5", "C7", "E3", "E5", "E7", "G3", "G5", "G7"]);
    assert_eq!(sorted(10, 4), ["C3", "C8", "H3", "H8"]);
    assert_eq!(sorted(11, 9), ["C3", "C6", "C9", "F3", "F6", "F9", "J3", "J6", "J9"]);
    assert_eq!(sorted(12, 4), ["C10", "C3", "K10", "K3"]);
    assert_eq!(sorted(13, 9), ["D10", "D4", "D7", "G10", "G4", "G7", "K10", "K4", "K7"]);
    assert_eq!(sorted(14, 4), ["D11", "D4", "L11", "L4"]);
}

#[test]
fn how_many_there_are() {
    for side in 1..=25 {
        let most = match side {
            ..=6 => 0,
            7 => 4,
            _ if side % 2 == 1 => 9,
            _ => 4,
        };
        assert_eq!(max_fixed_handicap(size(side, side)), most, "{side}");
        for stones in 0..=12 {
            let placed = fixed_handicap(size(side, side), stones);
            assert_eq!(placed.is_some(), (2..=most).contains(&stones), "{stones} on {side}");
            if let Some(mut points) = placed {
                assert_eq!(points.len(), stones);
                points.sort();
                points.dedup();
                assert_eq!(points.len(), stones);
            }
        }
    }
}

#[test]
fn rectangles() {
    assert_eq!(max_fixed_handicap(size(9, 13)), 9);
    assert_eq!(max_fixed_handicap(size(9, 12)), 4);
    assert_eq!(max_fixed_handicap(size(19, 6)), 0);
    let size = size(9, 13);
    let names: Vec<String> = fixed_handicap(size, 5).unwrap().iter().map(|p| p.text(size).to_string()).collect();
    assert_eq!(names, ["C4", "G10", "C10", "G4", "E7"]);
}

#[test]
fn a_game_with_handicap() {
    let mut options = Options::new(size(19, 19), Ruleset::Japanese);
    options.handicap = 9;
    let go = game(&options);
    assert_eq!((go.board().count(Color::Black), go.to_move(), go.ply()), (9, Color::White, 0));
    let black: Vec<_> = go.board().stones(Color::Black).collect();
    let mut placed = fixed_handicap(options.size, 9).unwrap();
    placed.sort();
    assert_eq!(black, placed);
}

#[test]
fn a_set_up_replaces_the_placement() {
    let mut options = Options::new(size(5, 5), Ruleset::Chinese);
    options.handicap = 2;
    let error = Go::new(2, &options, None).unwrap_err();
    assert_eq!(error.code, "go.handicap");
    let point = |text: &str| kiebitz_go::Point::parse(text, options.size).unwrap();
    let mut setup = Setup { black: vec![point("B2"), point("D4")], ..Setup::default() };
    let go = Go::new(2, &options, Some(&setup)).unwrap();
    assert_eq!((go.board().count(Color::Black), go.to_move()), (2, Color::White));
    setup.to_move = Some(Color::Black);
    assert_eq!(Go::new(2, &options, Some(&setup)).unwrap().to_move(), Color::Black);
    options.handicap = 0;
    setup.to_move = None;
    assert_eq!(Go::new(2, &options, Some(&setup)).unwrap().to_move(), Color::Black);
}
