//! The light playout: what it may play, how often, how it ends, and that a seed fixes it.

mod playout_reference;

use kiebitz_core::{Rng, Trace};
use kiebitz_go::playout::{AnyPlayoutBoard, PlayoutEnd, Start};
use kiebitz_go::{Color, Move, Point, Size};
use playout_reference::{Reference, random_position};

/// Replays a playout on the reference and checks every move against the policy's definition.
fn check_playout(reference: &mut Reference, to_move: Color, trace: &Trace<Move>) {
    let mut color = to_move;
    for &(seat, mv) in trace {
        assert_eq!(usize::from(seat), color.index());
        match mv.point() {
            Some(point) => {
                assert!(reference.is_legal(color, point), "illegal {}", point.text(reference.size));
                assert!(!reference.is_eye(color, point), "fills its eye {}", point.text(reference.size));
            }
            None => assert!(reference.light_moves(color).is_empty(), "passes with a move left"),
        }
        reference.play(color, mv);
        color = color.opponent();
    }
}

fn sizes() -> impl Iterator<Item = (Size, usize)> {
    let small = (1..=7).flat_map(|w| (1..=7).map(move |h| (w, h, 6)));
    let large = [(3, 5, 20), (9, 9, 20), (13, 9, 4), (19, 19, 1), (25, 2, 4)];
    small.chain(large).map(|(w, h, games)| (Size::new(w, h).unwrap(), games))
}

#[test]
fn go_27_every_move_is_legal_and_no_eye_and_passes_come_last() {
    let mut rng = Rng::new(3);
    let mut trace = Vec::new();
    for (size, games) in sizes() {
        for game in 0..games {
            let mut reference = random_position(size, rng.below(size.points()), &mut rng);
            let to_move = Color::ALL[game % 2];
            let mut board = reference.playout_board();
            // A position set up without its history has no ko.
            reference.play(to_move.opponent(), Move::PASS);
            trace.clear();
            let playout = board.light_playout(Start::of(to_move), &mut rng, Some(&mut trace));
            assert_eq!(playout.moves as usize, trace.len());
            check_playout(&mut reference, to_move, &trace);
            let last_two = &trace[trace.len().saturating_sub(2)..];
            match playout.end {
                PlayoutEnd::Passes => assert!(last_two.len() == 2 && last_two.iter().all(|m| m.1.is_pass())),
                PlayoutEnd::Length => assert_eq!(trace.len(), 3 * size.points()),
                PlayoutEnd::Mercy => panic!("the mercy rule was off"),
            }
            for point in size.iter() {
                assert_eq!(board.stone(point), reference.stone(point));
            }
            assert_eq!(playout.score, reference.area_score());
            let mut owners = vec![9; size.points()];
            board.ownership(&mut owners);
            assert_eq!(owners, reference.ownership());
            // The board is still sound: it goes on with moves of our own.
            for point in size.iter() {
                let legal = reference.is_legal(to_move, point);
                assert_eq!(board.play(to_move, Move::from(point)), legal);
                if legal {
                    reference.play(to_move, Move::from(point));
                }
            }
            assert_eq!(board.area_score(), reference.area_score());
        }
    }
}

#[test]
fn passes_before_the_playout_count() {
    let reference = Reference::from_diagram(&[". X . X", "X X X X", "O O O O", ". O . O"]);
    let mut rng = Rng::new(0);
    let mut trace = Vec::new();
    for (passes, moves) in [(0, 2), (1, 1), (2, 0), (255, 0)] {
        let mut board = reference.playout_board();
        trace.clear();
        let playout = board.light_playout(Start { passes, ..Start::of(Color::White) }, &mut rng, Some(&mut trace));
        assert_eq!((playout.moves, playout.end, playout.score), (moves, PlayoutEnd::Passes, 0));
        assert_eq!(trace, [(1, Move::PASS), (0, Move::PASS)][..moves as usize]);
    }
}

/// The first move of many playouts against the uniform distribution over the light moves.
fn assert_uniform(reference: &Reference, board: &AnyPlayoutBoard, color: Color, rng: &mut Rng) {
    let moves = reference.light_moves(color);
    assert!(!moves.is_empty());
    let draws = 600 * moves.len();
    let mut counts = vec![0usize; reference.size.points()];
    let mut copy = AnyPlayoutBoard::new(reference.size);
    let mut trace = Vec::new();
    for _ in 0..draws {
        copy.clone_from(board);
        trace.clear();
        copy.light_playout(Start::of(color), rng, Some(&mut trace));
        counts[trace[0].1.point().expect("a stone").index()] += 1;
    }
    let chosen = moves.iter().map(|p| counts[p.index()]).collect::<Vec<_>>();
    assert_eq!(chosen.iter().sum::<usize>(), draws, "only light moves");
    let chi: f64 = chosen.iter().map(|&n| (n as f64 - 600.0).powi(2) / 600.0).sum();
    // Mean df, variance 2 df: five standard deviations and a margin for the skew of few degrees.
    let df = (moves.len() - 1) as f64;
    assert!(chi < df + 5.0 * (2.0 * df).sqrt() + 10.0, "chi squared {chi:.1} with {df} degrees: {chosen:?}");
}

#[test]
fn each_move_is_uniform_over_the_legal_points_that_are_no_eye() {
    let mut rng = Rng::new(4);
    // Black: six eyes and points that are suicide for one colour or the other, and few points to play.
    let crowded = Reference::from_diagram(&[
        ". X . X O O .",
        "X X X X O . O",
        ". X . X O O O",
        "X X X X O . O",
        ". O O O O O .",
        "O O . O . X O",
        ". . O O X . .",
    ]);
    for color in Color::ALL {
        assert!(crowded.light_moves(color).len() >= 3);
        assert_uniform(&crowded, &crowded.playout_board(), color, &mut rng);
    }
    let empty = Reference::new(Size::new(4, 3).unwrap());
    assert_uniform(&empty, &empty.playout_board(), Color::Black, &mut rng);
    // Boards that moves and captures have gone over, so that the list of empty points is in disorder.
    for size in [Size::square(5).unwrap(), Size::new(6, 4).unwrap()] {
        let mut reference = Reference::new(size);
        let mut board = reference.playout_board();
        for i in 0..30 {
            let color = Color::ALL[i % 2];
            let moves = reference.light_moves(color);
            let mv = moves.get(rng.below(moves.len().max(1))).map_or(Move::PASS, |&p| Move::from(p));
            reference.play(color, mv);
            assert!(board.play(color, mv));
        }
        assert_uniform(&reference, &board, Color::Black, &mut rng);
    }
}

#[test]
fn the_ko_point_is_not_drawn() {
    let reference = Reference::from_diagram(&[". X O .", "X O . O", ". X O .", ". . . ."]);
    let size = reference.size;
    let ko = Point::parse("C3", size).unwrap();
    let mut board = AnyPlayoutBoard::new(size);
    let mut rng = Rng::new(5);
    let mut trace = Vec::new();
    let mut first = |ko: Option<Point>| {
        (0..400)
            .filter(|_| {
                board.set_up(size, reference.stones(), Color::Black, ko).unwrap();
                trace.clear();
                board.light_playout(Start::of(Color::Black), &mut rng, Some(&mut trace));
                trace[0].1.point() == Some(Point::parse("C3", size).unwrap())
            })
            .count()
    };
    assert_eq!(first(Some(ko)), 0);
    assert!(first(None) > 10);
}

#[test]
fn go_27_g7_playouts_end_filled_and_by_two_passes() {
    let mut rng = Rng::new(6);
    for (side, moves, empties) in [(9, 106.0..116.0, 10.0..18.0), (19, 440.0..470.0, 40.0..80.0)] {
        let size = Size::square(side).unwrap();
        let n = 400;
        let (mut all_moves, mut all_empties, mut by_passes) = (0, 0, 0);
        let mut board = AnyPlayoutBoard::new(size);
        for _ in 0..n {
            board.set_up(size, [], Color::Black, None).unwrap();
            let playout = board.light_playout(Start::of(Color::Black), &mut rng, None);
            all_moves += playout.moves;
            by_passes += usize::from(playout.end == PlayoutEnd::Passes);
            for point in size.iter().filter(|&p| board.stone(p).is_none()) {
                all_empties += 1;
                assert!(size.neighbors(point).all(|q| board.stone(q).is_some()), "two empty points side by side");
            }
        }
        let (mean_moves, mean_empties) = (f64::from(all_moves) / f64::from(n), f64::from(all_empties) / f64::from(n));
        println!("{size}: mean length {mean_moves:.1}, mean empty points {mean_empties:.1}");
        assert_eq!(by_passes, n as usize);
        assert!(moves.contains(&mean_moves), "{mean_moves}");
        assert!(empties.contains(&mean_empties), "{mean_empties}");
    }
}

#[test]
fn a_group_with_one_eye_in_enemy_land_is_captured() {
    // White lives at the top; the White corner group has the eye A1 and nothing else, and Black lives around it.
    let reference = Reference::from_diagram(&[
        ". O . O . O O",
        "O O O O O O O",
        "X X X X X X X",
        "X . X X X . X",
        "X X X X X X X",
        "O O X . X X X",
        ". O X X X X X",
    ]);
    let size = reference.size;
    let dead = ["B1", "A2", "B2"].map(|t| Point::parse(t, size).unwrap());
    let eye = Point::parse("A1", size).unwrap();
    assert!(reference.is_eye(Color::White, eye));
    for seed in 0..200 {
        let mut board = reference.playout_board();
        let mut rng = Rng::new(seed);
        let mut trace = Vec::new();
        board.light_playout(Start::of(Color::ALL[seed as usize % 2]), &mut rng, Some(&mut trace));
        assert!(trace.contains(&(0, Move::from(eye))), "Black captures");
        let mut owners = vec![0; size.points()];
        board.ownership(&mut owners);
        assert!(dead.iter().all(|p| owners[p.index()] == 1), "seed {seed}");
        // Two eyes live, whatever happens.
        assert!(size.iter().filter(|p| p.row(size) >= 5).all(|p| owners[p.index()] == -1));
    }
}

#[test]
fn the_mercy_rule_ends_early_and_counts_exactly() {
    let mut rng = Rng::new(7);
    let mut ended = [0; 3];
    for size in [Size::square(9).unwrap(), Size::new(5, 6).unwrap()] {
        for _ in 0..300 {
            let mut reference = Reference::new(size);
            let mut board = reference.playout_board();
            let mut trace = Vec::new();
            let playout =
                board.light_playout(Start { mercy: true, ..Start::of(Color::Black) }, &mut rng, Some(&mut trace));
            let mut leads = Vec::new();
            for &(seat, mv) in &trace {
                reference.play(Color::ALL[usize::from(seat)], mv);
                let stones = reference.stones();
                let black = stones.iter().filter(|s| s.1 == Color::Black).count();
                leads.push(10 * black.abs_diff(stones.len() - black) > 3 * size.points());
            }
            ended[playout.end as usize] += 1;
            let decided = leads.iter().position(|&l| l);
            assert_eq!(decided, (playout.end == PlayoutEnd::Mercy).then_some(trace.len() - 1));
            assert_eq!(playout.score, reference.area_score());
        }
    }
    assert!(ended[PlayoutEnd::Mercy as usize] > 50 && ended[PlayoutEnd::Passes as usize] > 50, "{ended:?}");
}

#[test]
fn a_cycle_ends_by_length_with_an_exact_score() {
    // Mutual captures on the smallest boards; larger ones hardly ever need the limit.
    let size = Size::new(2, 2).unwrap();
    let mut by_length = 0;
    for seed in 0..200 {
        let mut board = AnyPlayoutBoard::new(size);
        let mut trace = Vec::new();
        let playout = board.light_playout(Start::of(Color::Black), &mut Rng::new(seed), Some(&mut trace));
        assert!(playout.moves <= 12);
        by_length += usize::from(playout.end == PlayoutEnd::Length);
        let mut reference = Reference::new(size);
        check_playout(&mut reference, Color::Black, &trace);
        assert_eq!(playout.score, reference.area_score());
    }
    assert!(by_length > 0);
}

#[test]
fn a_seed_fixes_the_playout() {
    // FNV-1a over the moves and scores; changes only when the policy or the use of the generator changes.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut mix = |n: u64| hash = (hash ^ n).wrapping_mul(0x0100_0000_01b3);
    for (width, height) in [(1, 1), (1, 2), (5, 4), (9, 9), (13, 13), (19, 19), (25, 25)] {
        let size = Size::new(width, height).unwrap();
        for seed in 0..3 {
            let run = |traced: bool| {
                let mut rng = Rng::new(seed);
                let mut trace = Vec::new();
                let mut board = AnyPlayoutBoard::new(size);
                let end = board.light_playout(Start::of(Color::Black), &mut rng, traced.then_some(&mut trace));
                (end, rng, trace)
            };
            let (end, rng, trace) = run(true);
            let (again, rng_again, _) = run(false);
            assert_eq!((end, &rng), (again, &rng_again), "a trace changes nothing");
            mix(end.score as u64);
            for (seat, mv) in trace {
                mix(u64::from(seat) << 32 | mv.point().map_or(u64::MAX, |p| p.index() as u64));
            }
        }
    }
    assert_eq!(hash, 11_707_775_472_293_770_763);
}
