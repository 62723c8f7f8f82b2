//! The three example games keep every promise of the contract.

use kiebitz_core::conformance::{self, Config};
use kiebitz_examples::{Countdown, CountdownOptions, Kuhn, TicTacToe};

#[test]
fn tictactoe() {
    let summary = conformance::check(&Config::<TicTacToe>::new(2).games(60)).unwrap();
    assert_eq!(summary.finished, 60);
    assert!(summary.longest == 9 && summary.states > 400, "{summary:?}");
}

#[test]
fn kuhn() {
    for players in 2..=4 {
        let summary = conformance::check(&Config::<Kuhn>::new(players).games(100)).unwrap();
        assert_eq!((summary.finished, summary.distributions), (100, 6));
        assert!(summary.worlds > 500, "{summary:?}");
    }
}

#[test]
fn countdown() {
    for (start, faces) in [(12, 6), (60, 2), (1, 20), (30, 9)] {
        let config = Config::<Countdown>::new(2).options(CountdownOptions { start, faces }).games(60);
        let summary = conformance::check(&config).unwrap();
        assert_eq!(summary.finished, 60);
        assert!(summary.distributions >= 6, "{summary:?}");
    }
}
