//! The playout board against the slow reference: legality, captures, ko, chains and counters after every move.

mod playout_reference;

use kiebitz_core::Rng;
use kiebitz_go::playout::{PlayoutBoard, SetUpError, Vertex};
use kiebitz_go::{Color, Move, Point, Size};
use playout_reference::Reference;

/// Everything the board says of itself, computed again from the reference.
fn assert_same<const N: usize>(board: &PlayoutBoard<N>, reference: &Reference) {
    let size = reference.size;
    assert_eq!(board.size(), size);
    let mut empties: Vec<Vertex> = board.empty_points().collect();
    empties.sort();
    let mut expected_empties = Vec::new();
    let mut lead = 0;
    for point in size.iter() {
        let vertex = board.vertex(point);
        assert_eq!(board.point(vertex), Some(point));
        assert_eq!(board.stone(vertex), reference.stone(point));
        match reference.stone(point) {
            None => {
                expected_empties.push(vertex);
                assert_eq!(board.chain(vertex).count(), 0);
                assert_eq!((board.chain_length(vertex), board.pseudo_liberties(vertex)), (0, 0));
                assert_eq!(board.in_atari(vertex), None);
                for color in Color::ALL {
                    assert_eq!(board.is_eye(color, vertex), reference.is_eye(color, point));
                }
            }
            Some(color) => {
                lead += if color == Color::Black { 1 } else { -1 };
                let stones = reference.region(point);
                let mut chain: Vec<Point> = board.chain(vertex).map(|v| board.point(v).unwrap()).collect();
                chain.sort();
                assert_eq!(chain, stones);
                assert_eq!(board.chain_length(vertex), stones.len());
                let pairs =
                    stones.iter().flat_map(|&s| size.neighbors(s)).filter(|&n| reference.stone(n).is_none()).count();
                assert_eq!(board.pseudo_liberties(vertex), pairs);
                let liberties = reference.liberties(point);
                let only = (liberties.len() == 1).then(|| board.vertex(liberties[0]));
                assert_eq!(board.in_atari(vertex), only);
                assert!(!board.is_eye(color, vertex));
            }
        }
        for color in Color::ALL {
            assert_eq!(board.is_legal(color, vertex), reference.is_legal(color, point), "{}", point.text(size));
        }
    }
    assert_eq!(empties, expected_empties);
    assert_eq!(board.lead(), lead);
    assert_eq!(board.area_score(), reference.area_score());
}

/// One random game with passes and moves out of turn; every position is also set up anew and compared.
fn random_game<const N: usize>(size: Size, moves: usize, every: usize, rng: &mut Rng) -> [usize; 3] {
    let mut board = PlayoutBoard::<N>::new();
    board.set_up(size, [], Color::Black, None).unwrap();
    let mut reference = Reference::new(size);
    let mut color = Color::Black;
    let [mut captures, mut kos, mut refused] = [0; 3];
    for i in 0..moves {
        let mv = match rng.below(40) {
            0 => Move::PASS,
            _ => Move::from(size.point_at(rng.below(size.points())).unwrap()),
        };
        let stones = reference.stones().len();
        let occupied = mv.point().is_some_and(|p| reference.stone(p).is_some());
        match mv.point() {
            None => {
                board.pass();
                reference.play(color, mv);
            }
            Some(point) => {
                let legal = reference.is_legal(color, point);
                assert_eq!(board.play(color, board.vertex(point)), legal);
                if legal {
                    reference.play(color, mv);
                    captures += usize::from(reference.stones().len() <= stones);
                } else {
                    refused += usize::from(!occupied);
                    continue;
                }
            }
        }
        if board.ko().is_some() {
            kos += 1;
            assert_eq!(reference.stones().len(), stones, "a ko takes one stone for one");
        }
        if i % every == 0 || board.ko().is_some() {
            assert_same(&board, &reference);
            let mut fresh = PlayoutBoard::<N>::new();
            let ko = board.ko().and_then(|v| board.point(v));
            fresh.set_up(size, reference.stones(), color.opponent(), ko).unwrap();
            assert_same(&fresh, &reference);
        }
        if rng.below(20) != 0 {
            color = color.opponent();
        }
    }
    assert_same(&board, &reference);
    [captures, kos, refused]
}

fn add(a: [usize; 3], b: [usize; 3]) -> [usize; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[test]
fn go_09_10_15_small_boards_agree_with_the_reference_after_every_move() {
    let mut rng = Rng::new(1);
    let mut seen = [0; 3];
    for width in 1..=7 {
        for height in 1..=7 {
            let size = Size::new(width, height).unwrap();
            for _ in 0..5 {
                seen = add(seen, random_game::<128>(size, 6 * size.points(), 1, &mut rng));
            }
        }
    }
    // The comparison means something only when captures, kos and refused stones on empty points really came up.
    assert!(seen[0] > 500 && seen[1] > 50 && seen[2] > 500, "{seen:?}");
}

#[test]
fn go_09_10_15_large_boards_agree_with_the_reference() {
    let mut rng = Rng::new(2);
    let size = |w, h| Size::new(w, h).unwrap();
    let mut seen = [0; 3];
    for _ in 0..4 {
        seen = add(seen, random_game::<128>(size(9, 9), 600, 3, &mut rng));
        seen = add(seen, random_game::<256>(size(13, 11), 900, 40, &mut rng));
        seen = add(seen, random_game::<512>(size(19, 19), 2500, 250, &mut rng));
    }
    // Small boards on large capacities, and the largest board.
    random_game::<512>(size(3, 5), 200, 1, &mut rng);
    random_game::<1024>(size(5, 4), 200, 1, &mut rng);
    random_game::<1024>(size(25, 25), 3000, 1000, &mut rng);
    random_game::<1024>(size(25, 1), 200, 10, &mut rng);
    random_game::<1024>(size(1, 25), 200, 10, &mut rng);
    assert!(seen[0] > 200 && seen[1] > 20 && seen[2] > 200, "{seen:?}");
}

#[test]
fn every_capacity_holds_its_largest_board_full_of_one_chain() {
    fn fill<const N: usize>(side: usize) {
        let size = Size::square(side).unwrap();
        assert_eq!(PlayoutBoard::<N>::MAX_SIDE, side);
        // Every second column, joined along the top row: the most pseudo-liberties a chain has.
        let comb: Vec<_> = size
            .iter()
            .filter(|p| p.column(size) % 2 == 0 || p.row(size) + 1 == side)
            .map(|p| (p, Color::White))
            .collect();
        let mut board = PlayoutBoard::<N>::new();
        board.set_up(size, comb, Color::Black, None).unwrap();
        let last = board.empty_points().next().unwrap();
        let stone = board.vertex(size.point(0, 0).unwrap());
        for vertex in board.empty_points().filter(|&v| v != last).collect::<Vec<_>>() {
            assert_eq!(board.in_atari(stone), None);
            assert!(board.play(Color::White, vertex));
        }
        assert_eq!(board.in_atari(stone), Some(last));
        assert_eq!(board.chain(stone).count(), size.points() - 1);
        assert!(!board.play(Color::White, last), "suicide of the whole board");
        assert!(board.play(Color::Black, last), "captures the whole board");
        assert_eq!(board.lead(), 1);
        assert_eq!(board.empty_points().len(), size.points() - 1);
    }
    fill::<128>(9);
    fill::<256>(13);
    fill::<512>(19);
    fill::<1024>(25);
}

#[test]
fn ko_binds_one_move_of_the_opponent() {
    let reference = Reference::from_diagram(&[". X O .", "X . X O", ". X O .", ". . . ."]);
    let size = reference.size;
    let point = |text: &str| Point::parse(text, size).unwrap();
    let mut board = PlayoutBoard::<128>::new();
    board.set_up(size, reference.stones(), Color::White, None).unwrap();
    let at = |board: &PlayoutBoard<128>, text: &str| board.vertex(point(text));
    assert!(board.play(Color::White, at(&board, "B3")));
    let ko = at(&board, "C3");
    assert_eq!(board.ko(), Some(ko));
    assert!(!board.is_legal(Color::Black, ko));
    assert!(board.is_legal(Color::White, ko), "White may fill it");
    assert_eq!(format!("{board:?}"), "PlayoutBoard<128> 4x4\n.XO.\nXOkO\n.XO.\n....");
    let mut passed = board;
    passed.pass();
    assert!(passed.is_legal(Color::Black, ko));
    assert!(board.play(Color::Black, at(&board, "A1")));
    assert!(board.play(Color::White, at(&board, "D1")));
    assert!(board.play(Color::Black, ko));
    assert_eq!(board.ko(), Some(at(&board, "B3")));

    // The same ko given from outside.
    let taken = Reference::from_diagram(&[". X O .", "X O . O", ". X O .", ". . . ."]);
    board.set_up(size, taken.stones(), Color::Black, Some(point("C3"))).unwrap();
    assert!(!board.is_legal(Color::Black, ko));
    board.set_up(size, taken.stones(), Color::Black, None).unwrap();
    assert!(board.is_legal(Color::Black, ko));
}

#[test]
fn snapback_is_no_ko() {
    let reference = Reference::from_diagram(&["X O . O", "X X O O", ". X X X", ". . . ."]);
    let size = reference.size;
    let mut board = PlayoutBoard::<128>::new();
    board.set_up(size, reference.stones(), Color::Black, None).unwrap();
    let c4 = board.vertex(Point::parse("C4", size).unwrap());
    assert!(board.is_legal(Color::Black, c4), "takes five stones");
    assert!(board.play(Color::Black, c4));
    assert_eq!(board.ko(), None);
    assert_eq!(board.empty_points().len(), 4 + 1 + 4);
}

#[test]
fn bad_positions_are_refused_and_leave_a_sound_board() {
    let nine = Size::square(9).unwrap();
    let big = Size::new(10, 3).unwrap();
    let a1 = nine.point_at(0).unwrap();
    let b1 = nine.point_at(1).unwrap();
    let off = Size::square(19).unwrap().point_at(200).unwrap();
    let mut board = PlayoutBoard::<128>::new();
    let stones = [(b1, Color::Black)];
    let tries = [
        (board.set_up(big, [], Color::Black, None), "go_playout_size"),
        (board.set_up(nine, [(off, Color::Black)], Color::Black, None), "go_playout_off_board"),
        (board.set_up(nine, stones, Color::Black, Some(off)), "go_playout_off_board"),
        (board.set_up(nine, [(a1, Color::Black), (a1, Color::White)], Color::Black, None), "go_playout_occupied"),
        (board.set_up(nine, stones, Color::Black, Some(b1)), "go_playout_occupied"),
    ];
    for (result, code) in tries {
        assert_eq!(result.map_err(|e| e.code()), Err(code));
    }
    let mut reference = Reference::new(nine);
    reference.play(Color::Black, Move::from(b1));
    assert_same(&board, &reference);
    let error = SetUpError::Occupied { point: b1, size: nine };
    assert_eq!(error.to_string(), "B1 is given twice: a point has one stone, or the ko");
    // A foreign point is the border: never legal, never a stone, never a panic.
    let foreign = board.vertex(off);
    assert!(
        !board.play(Color::Black, foreign) && board.stone(foreign).is_none() && !board.is_eye(Color::White, foreign)
    );
    assert_eq!(board.point(foreign), None);
}
