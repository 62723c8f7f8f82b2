//! The area score and ownership of any board, finished or not.

mod playout_reference;

use kiebitz_core::Rng;
use kiebitz_go::Size;
use playout_reference::{Reference, random_position};

fn assert_area(reference: &Reference) -> bool {
    let board = reference.playout_board();
    let mut owners = vec![9; reference.size.points()];
    board.ownership(&mut owners);
    assert_eq!(owners, reference.ownership());
    assert_eq!(board.area_score(), reference.area_score());
    owners.contains(&0)
}

#[test]
fn go_13_area_score_of_unfinished_boards() {
    let mut rng = Rng::new(8);
    let mut neutral = 0;
    for (width, height) in [(1, 1), (1, 6), (2, 2), (3, 5), (5, 5), (7, 4), (9, 9), (14, 3), (25, 3)] {
        let size = Size::new(width, height).unwrap();
        assert!(assert_area(&Reference::new(size)), "an empty board is nobody's");
        for i in 0..30 {
            neutral += usize::from(assert_area(&random_position(size, i * size.points() / 12, &mut rng)));
        }
    }
    assert!(neutral > 50);
    assert!(assert_area(&random_position(Size::square(19).unwrap(), 250, &mut rng)));
}

#[test]
fn go_13_regions_of_one_point_and_more() {
    for (rows, score) in [
        (vec![". . .", ". . .", ". . ."], 0),
        (vec![". . .", ". X .", ". . ."], 9),
        (vec![". X O .", ". X O ."], 0),
        (vec![". X . O", "X X . O"], 2),
        // The lone empty points touch both colours; the pair in the middle is Black's.
        (vec!["X . O . O", "X X X O O", "X . . X O", "X X X X ."], 12 - 6),
    ] {
        let reference = Reference::from_diagram(&rows);
        assert_eq!(reference.area_score(), score, "{rows:?}");
        assert_area(&reference);
    }
}

#[test]
fn ownership_writes_what_fits() {
    let board = Reference::from_diagram(&["X . .", ". . ."]).playout_board();
    let mut short = [7i8; 2];
    board.ownership(&mut short);
    assert_eq!(short, [1, 1]);
    let mut long = [7i8; 8];
    board.ownership(&mut long);
    assert_eq!(long, [1, 1, 1, 1, 1, 1, 7, 7]);
}
