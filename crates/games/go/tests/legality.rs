//! Captures, suicide, ko, passes, the end.

mod common;

use common::{code, diagram, game, mv, options, play, point, rows, size};
use kiebitz_core::{Game, Turn};
use kiebitz_go::{Color, Go, KoRule, Move, Options, Ruleset};

fn chinese(width: usize, height: usize) -> Options {
    Options::new(size(width, height), Ruleset::Chinese)
}

fn moves(go: &Go) -> Vec<Move> {
    let mut out = vec![Move::PASS; 3];
    go.actions(&mut out);
    out
}

#[test]
fn g1_black_c1_white_a1_is_legal() {
    for set in Ruleset::all() {
        let mut go = game(&Options::new(size(9, 9), set));
        play(&mut go, "C1 A1");
        assert_eq!(go.board().stone(point(&go, "A1")), Some(Color::White));
    }
}

#[test]
fn g1_all_opening_pairs_are_legal() {
    for set in [Ruleset::TrompTaylor, Ruleset::Aga, Ruleset::Chinese] {
        let mut go = game(&Options::new(size(9, 9), set));
        for first in go.size().iter() {
            let undo = go.apply_undo(first.into());
            assert_eq!(moves(&go).len(), 81, "80 points and the pass");
            go.undo(undo);
        }
    }
}

#[test]
fn g1b_alternating_rows() {
    let mut go = game(&Options::new(size(5, 5), Ruleset::TrompTaylor));
    play(&mut go, "A2 A1 B2 B1 C2 C1");
    assert_eq!(code(&go, "D2"), "legal");
    play(&mut go, "D2");
    assert_eq!(go.to_move(), Color::White);
    assert_eq!(rows(&go), ".....\n.....\n.....\nXXXX.\nOOO..\n");
}

#[test]
fn go_09_single_capture() {
    let mut go = diagram(&chinese(3, 3), "...\nXO.\n.X.");
    play(&mut go, "C2 pass B3");
    assert_eq!(rows(&go), ".X.\nX.X\n.X.\n");
    assert_eq!((go.captures(Color::Black), go.captures(Color::White)), (1, 0));
}

#[test]
fn go_09_corner_and_edge_captures() {
    let mut go = diagram(&chinese(4, 4), "....\n....\nX...\nO...");
    play(&mut go, "B1");
    assert_eq!(go.board().stone(point(&go, "A1")), None);
    let mut go = diagram(&chinese(4, 4), "....\n....\n.X..\nXO..");
    play(&mut go, "C1");
    assert_eq!(go.board().stone(point(&go, "B1")), None);
}

#[test]
fn go_09_multi_group_capture() {
    // Four chains of white stones at once, one of them of two stones.
    let text = "
        . . X . .
        . X O X .
        X O . O X
        . X O X .
        . X O X .
        . . X . .";
    let mut go = diagram(&options(5, 6, KoRule::Positional, false), text);
    play(&mut go, "C4");
    assert_eq!(go.captures(Color::Black), 5);
    assert_eq!(go.board().count(Color::White), 0);
    assert_eq!(go.board().liberties(point(&go, "C4")).len(), 4);
    go.board().verify().unwrap();
    go.undo_last();
    assert_eq!(go.board().count(Color::White), 5);
    go.board().verify().unwrap();
}

#[test]
fn go_09_snapback() {
    // White takes the stone that Black throws in at B1, and Black takes five back.
    let text = "
        . . . .
        X X X X
        O O O X
        . . O X";
    let mut go = diagram(&chinese(4, 4), text);
    play(&mut go, "B1 A1");
    assert_eq!(go.captures(Color::White), 1);
    assert_eq!(go.ko_point(), None, "a snapback is no ko");
    assert_eq!(code(&go, "B1"), "legal");
    play(&mut go, "B1");
    assert_eq!(go.captures(Color::Black), 5);
    assert_eq!(rows(&go), "....\nXXXX\n...X\n.X.X\n");
}

#[test]
fn go_10_suicide_of_one_stone_is_never_legal() {
    for set in Ruleset::all() {
        let go = diagram(&Options::new(size(3, 3), set), ".O.\nO.O\n.O.");
        for text in ["B2", "A1", "C3"] {
            assert_eq!(code(&go, text), "go.suicide", "{set:?}");
        }
        assert_eq!(moves(&go), [Move::PASS]);
    }
}

#[test]
fn go_10_suicide_of_a_chain_by_rules() {
    // A1 would remove A1 and B1.
    let text = "....\nOO..\n.XO.";
    let chinese = diagram(&chinese(4, 3), text);
    assert_eq!(code(&chinese, "A1"), "go.suicide");
    for set in [Ruleset::TrompTaylor, Ruleset::NewZealand] {
        let mut go = diagram(&Options::new(size(4, 3), set), text);
        let before = go.clone();
        play(&mut go, "A1");
        assert_eq!(rows(&go), "....\nOO..\n..O.\n");
        assert_eq!(go.captures(Color::White), 2);
        assert_eq!(go.to_move(), Color::White);
        go.board().verify().unwrap();
        go.undo_last();
        assert_eq!(go, before);
        go.board().verify().unwrap();
    }
}

#[test]
fn go_10_a_capturing_stone_is_no_suicide() {
    let mut go = diagram(&options(4, 3, KoRule::Simple, false), "OX..\n.OX.\nOX..");
    // A2 has no liberty of its own but takes A1 with nothing, A3 with nothing: both have A2 as last liberty.
    assert_eq!(code(&go, "A2"), "legal");
    play(&mut go, "A2");
    assert_eq!(go.captures(Color::Black), 3);
}

#[test]
fn simple_ko() {
    let text = "
        . X O .
        X O . O
        . X O .";
    for set in Ruleset::all() {
        let mut go = diagram(&Options::new(size(4, 3), set), text);
        play(&mut go, "C2");
        assert_eq!(go.ko_point(), Some(point(&go, "B2")));
        let error = go.check(mv(&go, "B2")).unwrap_err();
        assert_eq!(error.code, "go.ko", "{set:?}");
        assert!(error.message.starts_with("B2 is forbidden for white"), "{error}");
        assert!(!moves(&go).contains(&mv(&go, "B2")));
        // After a move elsewhere by both it may be retaken.
        play(&mut go, "D1 A1");
        assert_eq!(code(&go, "B2"), "legal", "{set:?}");
        play(&mut go, "B2");
        assert_eq!(code(&go, "C2"), "go.ko");
    }
}

#[test]
fn a_pass_does_not_lift_superko_but_lifts_simple_ko() {
    let text = "
        . X O .
        X O . O
        . X O .";
    for (ko, after_passes) in [(KoRule::Simple, "legal"), (KoRule::Positional, "go.superko")] {
        let mut rules = options(4, 3, ko, false);
        rules.rules.button = true;
        let mut go = diagram(&rules, text);
        // White takes the button with the first pass, Black passes, and White may try again.
        play(&mut go, "C2 pass pass");
        assert_eq!(code(&go, "B2"), after_passes, "{ko:?}");
    }
}

#[test]
fn go_07_g5_two_passes_end_the_game() {
    let mut go = game(&chinese(5, 5));
    play(&mut go, "pass");
    assert_eq!(go.turn(), Turn::Seat(1));
    play(&mut go, "C3 pass");
    assert_eq!(go.turn(), Turn::Seat(1), "a stone between");
    play(&mut go, "pass");
    assert_eq!(go.turn(), Turn::Terminal);
    assert_eq!(moves(&go), []);
    let before = go.clone();
    let e5 = mv(&go, "E5");
    assert_eq!(go.try_apply(e5).unwrap_err().code, "game.over");
    assert_eq!(go.play_as(Color::Black, Move::PASS).unwrap_err().code, "game.over");
    assert_eq!(go, before);
    assert!(go.undo_last());
    assert_eq!(go.turn(), Turn::Seat(1));
}

#[test]
fn go_11_go_12_pass_is_always_there_and_last() {
    let go = game(&chinese(9, 9));
    let list = moves(&go);
    assert_eq!(list.len(), 82);
    assert!(list.is_sorted());
    assert_eq!(list.last(), Some(&Move::PASS));
}

#[test]
fn resume_after_two_passes() {
    let mut go = game(&chinese(5, 5));
    play(&mut go, "C3 pass pass");
    go.agree_dead(&[point(&go, "C3")]).unwrap();
    go.resume();
    assert_eq!(go.turn(), Turn::Seat(1));
    assert!(go.dead_stones().is_empty());
    play(&mut go, "B2 pass pass");
    assert_eq!(go.turn(), Turn::Terminal);
}

#[test]
fn errors_name_the_point() {
    let mut go = game(&chinese(9, 9));
    play(&mut go, "E5");
    let message = |go: &Go, text: &str| go.check(mv(go, text)).unwrap_err().to_string();
    assert_eq!(message(&go, "E5"), "E5 is occupied by a black stone");
    assert_eq!(code(&go, "E5"), "go.occupied");
    // A point of a larger board.
    let outside = Move::from(size(19, 19).point(18, 18).unwrap());
    assert_eq!(go.check(outside).unwrap_err().code, "go.off_board");
    let before = go.clone();
    assert!(go.try_apply(outside).is_err());
    assert_eq!(go, before);
}

#[test]
fn either_colour_may_play_out_of_turn() {
    let mut go = game(&chinese(9, 9));
    play(&mut go, "E5");
    let d4 = mv(&go, "D4");
    go.play_as(Color::Black, d4).unwrap();
    assert_eq!(go.board().count(Color::Black), 2);
    assert_eq!(go.to_move(), Color::White);
    let c3 = mv(&go, "C3");
    go.play_as(Color::White, c3).unwrap();
    assert_eq!(go.to_move(), Color::Black);
    assert_eq!(go.play_as(Color::Black, c3).unwrap_err().code, "go.occupied");
    let movers: Vec<Color> = go.moves().map(|(color, _)| color).collect();
    assert_eq!(movers, [Color::Black, Color::Black, Color::White]);
}

#[test]
fn one_row_and_one_point() {
    let mut go = game(&chinese(1, 1));
    assert_eq!(moves(&go), [Move::PASS]);
    assert_eq!(code(&go, "A1"), "go.suicide");
    play(&mut go, "pass pass");
    assert_eq!(go.margin(), -28);
    // One row: stones between the edge or each other.
    let mut go = diagram(&options(5, 1, KoRule::Positional, false), "O....");
    play(&mut go, "B1");
    assert_eq!(rows(&go), ".X...\n");
    assert_eq!(code(&go, "A1"), "go.suicide");
    play(&mut go, "C1 D1");
    assert_eq!(rows(&go), ".X.X.\n");
    assert_eq!(code(&go, "C1"), "go.suicide");
    // One column.
    let mut go = game(&options(1, 3, KoRule::Positional, false));
    play(&mut go, "A2 pass A1 A3");
    assert_eq!(rows(&go), "O\n.\n.\n");
    assert_eq!(go.captures(Color::White), 2);
}

#[test]
fn go_05_sizes() {
    for side in [5, 7, 9, 13, 19, 25] {
        let mut go = game(&chinese(side, side));
        let points = side * side;
        assert_eq!(moves(&go).len(), points + 1);
        let last = go.size().point_at(points - 1).unwrap();
        go.apply(last.into());
        assert_eq!(go.board().liberties(last).len(), 2);
        assert_eq!(
            go.action_name(last),
            ["E5", "G7", "J9", "N13", "T19", "Z25"][[5, 7, 9, 13, 19, 25].iter().position(|&s| s == side).unwrap()]
        );
    }
    for (width, height) in [(25, 1), (1, 25), (25, 2), (3, 25), (13, 9)] {
        let go = game(&chinese(width, height));
        assert_eq!(moves(&go).len(), width * height + 1);
    }
}

trait Name {
    fn action_name(&self, point: kiebitz_go::Point) -> String;
}

impl Name for Go {
    fn action_name(&self, point: kiebitz_go::Point) -> String {
        point.text(self.size()).to_string()
    }
}
