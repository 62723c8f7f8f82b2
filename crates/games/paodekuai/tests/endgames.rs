//! The solver against endgames that an independent program solved, with every root value.

mod common;

use common::{cards, options, position};
use kiebitz_paodekuai::{Cards, Options, Setup, Solver};
use serde_json::Value;

#[test]
fn solved_endgames() {
    let all: Vec<Value> = serde_json::from_str(include_str!("data/paodekuai-endgames.json")).unwrap();
    assert!(all.len() >= 9);
    for row in all {
        let options = options(&row["options"].to_string());
        let hands: Vec<Cards> =
            row["hands"].as_array().unwrap().iter().map(|hand| cards(hand.as_str().unwrap())).collect();
        let mut setup = Setup::lead(&hands, 0);
        setup.leader = 0;
        setup.plays_made = vec![2; hands.len()];
        let game = position(&options, &setup);
        let mut solver = Solver::new(game.rules(), 10_000_000);
        for (seat, forced) in row["forced_win"].as_array().unwrap().iter().enumerate() {
            assert_eq!(solver.wins(game.state(), seat as u8), Ok(forced.as_bool().unwrap()), "{row} seat {seat}");
        }
        assert_eq!(solver.value(game.state(), 0), Ok(row["value"].as_i64().unwrap() as i32), "{row}");
        let solved = solver.root(game.state()).unwrap();
        let root = row["root"].as_array().unwrap();
        assert_eq!(solved.len(), root.len());
        for expected in root {
            let play = cards(expected[0].as_str().unwrap());
            let found = solved.iter().find(|solved| solved.action.cards() == play).expect("a legal action");
            let wanted = (expected[1].as_bool().unwrap(), expected[2].as_i64().unwrap() as i32);
            assert_eq!((found.wins, found.value), wanted, "{play} of {:?}", row["hands"]);
        }
    }
}

#[test]
fn a_limit_is_kept() {
    let game = position(&Options::default(), &Setup::lead(&[cards("447JJK"), cards("45T"), cards("677TJKA")], 0));
    let mut solver = Solver::new(game.rules(), 10);
    assert!(solver.value(game.state(), 0).is_err());
    assert!(Solver::new(game.rules(), 1_000_000).value(game.state(), 0).is_ok());
}
