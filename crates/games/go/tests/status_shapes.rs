//! Composed ends of games: seki, dead and living eye spaces, snapback, open neutral points, a ko, boards of one row. What GNU Go
//! 3.8 says of them (`--chinese-rules`, final status) is the same wherever it plays on such a board.

mod common;

use common::{diagram, names, options};
use kiebitz_core::Rng;
use kiebitz_go::status::{Assessment, Cause, Status, assess};
use kiebitz_go::{Color, Go, GoBuffer, KoRule};

fn assessed(text: &str) -> (Go, Assessment) {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let go = diagram(&options(rows[0].len(), rows.len(), KoRule::Simple, false), text);
    let mut buffer = GoBuffer::default();
    let found = assess(&go, 1000, &mut Rng::new(3), |go, rng, out| buffer.ownership(go, rng, out));
    (go, found)
}

/// Asserts the dead stones, for both colours and from both sides of the board.
fn assert_dead(text: &str, dead: &[&str]) {
    let (go, found) = assessed(text);
    let mut expected: Vec<&str> = dead.to_vec();
    expected.sort_unstable();
    let sorted = |mut names: Vec<String>| {
        names.sort_unstable();
        names
    };
    assert_eq!(sorted(names(&go, &found.dead())), expected, "{text}\n{:?}", found.chains);
    // The same with the colours exchanged and the rows mirrored.
    let mirrored: Vec<String> = text
        .lines()
        .filter(|row| !row.trim().is_empty())
        .map(|row| row.replace('X', "x").replace('O', "X").replace('x', "O").chars().rev().collect())
        .collect();
    let (_, found) = assessed(&mirrored.join("\n"));
    assert_eq!(found.dead().len(), expected.len(), "mirrored\n{text}\n{:?}", found.chains);
}

/// Nine rows: these at the bottom, above them Black's area on the left and White's on the right.
fn in_black_land(bottom: &str) -> String {
    let rows = bottom.split_whitespace().count();
    let mut text = "....XO...\n".repeat(9 - rows);
    for row in bottom.split_whitespace() {
        text += row;
        text.push('\n');
    }
    text
}

#[test]
fn one_point_eye_in_enemy_land() {
    assert_dead(&in_black_land("XXX.XO... OOX.XO... .OX.XO..."), &["A2", "B1", "B2"]);
}

#[test]
fn square_four_is_dead() {
    assert_dead(&in_black_land("XXXXXO... OOOXXO... ..OXXO... ..OXXO..."), &["A3", "B3", "C1", "C2", "C3"]);
}

#[test]
fn straight_four_lives() {
    assert_dead(&in_black_land("XXXXXXO.. OOOOOXO.. ....OXO..").replace("....XO...", ".....XO.."), &[]);
}

#[test]
fn a_stone_in_the_middle_of_three_kills() {
    assert_dead(&in_black_land("XXXXXO... OOOOXO... .X.OXO..."), &["A2", "B2", "C2", "D1", "D2"]);
}

#[test]
fn a_stone_in_the_heart_of_five_kills() {
    assert_dead(&in_black_land("XXXXXO... OOOXXO... ..OOXO... .X.OXO..."), &["A3", "B3", "C2", "C3", "D1", "D2"]);
}

#[test]
fn a_false_eye_does_not_save() {
    // White has an eye at A1 and, at C1, one that is false: Black holds D2 and D1.
    assert_dead(&in_black_land("XXXXXO... OOOXXO... .OOXXO... OO.XXO..."), &["A1", "A3", "B1", "B2", "B3", "C2", "C3"]);
}

#[test]
fn two_real_eyes_live() {
    assert_dead(&in_black_land("XXXXXO... OOOOXO... .O.OXO..."), &[]);
}

#[test]
fn dead_stones_in_two_places() {
    let text = "
        .OX.XO...
        OOX.XO.X.
        XX..XO...
        ....XO...
        ....XO...
        ....XO...
        XXX.XO...
        OOX.XO...
        .OX.XO...";
    assert_dead(text, &["A2", "A8", "B1", "B2", "B8", "B9", "H8"]);
}

#[test]
fn stones_that_a_snapback_takes_are_dead() {
    // White throws in at B1; after Black takes it at A1, White takes all by playing B1 again.
    let text = in_black_land("OO..OX... XXO.OX... ..XOOX...").replace("....XO...", "....OX...");
    assert_dead(&text, &["A2", "B2", "C1"]);
}

#[test]
fn open_neutral_points_change_nothing() {
    let text = "
        ....X.O..
        ....X.O..
        ..X.X.O.O
        ....X.O..
        .X..X.O..
        ....X.O..
        ....X.OO.
        ....X.O..
        ....X.O..";
    assert_dead(text, &[]);
    let (go, found) = assessed(text);
    assert_eq!(found.score(&go).margin(), 4 * (45 - 27));
}

#[test]
fn a_ko_left_at_the_end_kills_no_group() {
    // White can take F5 by playing E5, Black can connect there.
    let text = "
        ...XOO...
        ...XOO...
        ...XOO...
        ...XXO...
        ...X.XO..
        ...XXO...
        ...XOO...
        ...XOO...
        ...XOO...";
    let (go, found) = assessed(text);
    let dead = names(&go, &found.dead());
    assert!(dead.iter().all(|name| name == "F5"), "{dead:?}");
}

fn assert_all_in_seki(text: &str, stones: &[&str]) {
    let (go, found) = assessed(text);
    for stone in stones {
        let chain = found.chain(common::point(&go, stone)).unwrap();
        assert_eq!((chain.status, chain.cause), (Status::Seki, Cause::Seki), "{stone} of {text}\n{chain:?}");
        let partner = &found.chains[chain.partners[0]];
        assert_eq!((partner.status, partner.color), (Status::Seki, chain.color.opponent()));
    }
    assert_eq!(found.dead(), []);
}

#[test]
fn a_big_seki_without_eyes() {
    let mut text = "..XO.XO..\n".to_owned();
    text += &"..XOOXO..\n".repeat(7);
    text += "..XO.XO..\n";
    assert_all_in_seki(&text, &["D1", "F1"]);
    let (go, found) = assessed(&text);
    assert_eq!(found.status(common::point(&go, "C5")), Some(Status::Alive));
    assert_eq!(found.status(common::point(&go, "G5")), Some(Status::Alive));
}

#[test]
fn a_small_seki_without_eyes() {
    assert_all_in_seki("..XO.XO..\n..XOOXO..\n..XO.XO..\n", &["D1", "F1"]);
}

#[test]
fn a_seki_with_an_eye_each() {
    // White's eye is D9, Black's G1; they share the liberty E1.
    let text = "
        .XO.OXO..
        .XOOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XOOXOOO
        ..XOOXXXO
        ..XO.X.XO";
    assert_all_in_seki(text, &["D1", "F1"]);
}

#[test]
fn an_eye_against_none_is_no_seki() {
    // As above, but Black's eye is filled: White has an eye and Black none, so Black is dead.
    let text = "
        .XO.OXO..
        .XOOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XOOXO..
        ..XO.XO..";
    assert_dead(text, &["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9"]);
}

#[test]
fn boards_of_one_row() {
    let (_, found) = assessed(".X.X.X.");
    assert_eq!(found.dead(), []);
    let (_, found) = assessed(".X.XO.O.");
    assert_eq!(found.dead(), []);
    let (go, found) = assessed(".");
    assert!(found.chains.is_empty() && found.dead().is_empty(), "{go:?}");
    let (_, found) = assessed("X.");
    assert_eq!(found.chains.len(), 1);
}

#[test]
fn causes_have_names() {
    let (go, found) = assessed(&in_black_land("XXX.XO... OOX.XO... .OX.XO..."));
    let chain = found.chain(common::point(&go, "A2")).unwrap();
    assert!(matches!(chain.cause, Cause::Playouts | Cause::Search), "{chain:?}");
    assert!(chain.danger > 0.5 && chain.partners.is_empty());
    let all =
        [Cause::PassAlive, Cause::PassAliveTerritory, Cause::Playouts, Cause::Search, Cause::BentFour, Cause::Seki];
    let codes: std::collections::BTreeSet<&str> = all.iter().map(|cause| cause.code()).collect();
    assert_eq!(codes.len(), all.len());
    let (go, found) = assessed(".X.XO\nXXXX.\n...XX\nXXXX.\n.....");
    let chain = found.chain(common::point(&go, "E5")).unwrap();
    assert_eq!((chain.cause, chain.color), (Cause::PassAliveTerritory, Color::White));
}
