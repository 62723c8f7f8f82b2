//! Perft on games whose counts are known or easy to count by hand.

use kiebitz_core::{Game, Perft, PerftError, perft};
use kiebitz_examples::{Countdown, Kuhn, TicTacToe};

#[test]
fn tictactoe_counts() {
    let game = TicTacToe::new(2, &(), None).unwrap();
    // 9!, less what ends early; 255168 games in all (well known), by length below.
    let counts = perft(&game, 10).unwrap().counts;
    assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]);
    let divide = perft(&game, 6).unwrap().divide;
    assert_eq!(divide.len(), 9);
    assert_eq!(divide.iter().map(|(_, n)| n).sum::<u64>(), 54720);
    // The centre wins earlier than a corner, so fewer sequences go on.
    assert!(divide[4].1 < divide[0].1);
}

#[test]
fn chance_outcomes_count_as_actions() {
    // Two or three players: 6 or 24 deals, then pass and bet.
    let counts = |players, depth| perft(&Kuhn::new(players, &(), None).unwrap(), depth).unwrap().counts;
    assert_eq!(counts(2, 5), [6, 12, 24, 12, 0]);
    assert_eq!(counts(3, 3), [24, 48, 96]);
    // One die or two: 6 or 11 sums.
    let game = Countdown::new(2, &Default::default(), None).unwrap();
    let Perft { counts, divide } = perft(&game, 3).unwrap();
    // After 12 (two dice) the game is over: 16 of 17 go on.
    assert_eq!(counts, [2, 17, 32]);
    assert_eq!(divide.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [12, 20]);
}

#[test]
fn depth_must_be_positive() {
    let game = TicTacToe::new(2, &(), None).unwrap();
    let error = perft(&game, 0).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), ("perft.depth", "the depth is 0; it must be at least 1"));
    assert_eq!(perft(&game, 1).unwrap().divide.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [1; 9]);
    let sampled = PerftError::Sampled { kind: "deal", ply: 1 };
    assert_eq!(sampled.code(), "perft.sampled");
}
