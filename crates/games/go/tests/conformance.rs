//! Go keeps every promise of the contract.

mod common;

use common::{diagram, options, size};
use kiebitz_core::conformance::{self, Config};
use kiebitz_go::{Go, KoRule, Options, Ruleset, Setup};

#[test]
fn every_ruleset_on_small_boards() {
    for set in Ruleset::all() {
        for (width, height) in [(1, 1), (2, 2), (3, 2), (1, 7), (5, 5)] {
            let config =
                Config::<Go>::new(2).options(Options::new(size(width, height), set)).games(6).max_actions(1500);
            let summary = conformance::check(&config).unwrap();
            assert!(summary.states >= 8, "{set:?} {width}x{height}: {summary:?}");
        }
    }
}

#[test]
fn usual_boards() {
    for (side, ruleset, actions) in [
        (9, Ruleset::TrompTaylor, 1000),
        (9, Ruleset::Japanese, 500),
        (13, Ruleset::Aga, 400),
        (19, Ruleset::Chinese, 300),
    ] {
        let config =
            Config::<Go>::new(2).options(Options::new(size(side, side), ruleset)).games(2).max_actions(actions);
        let summary = conformance::check(&config).unwrap();
        assert!(summary.longest >= actions.min(60), "{side}: {summary:?}");
    }
}

#[test]
fn games_with_handicap_and_set_up() {
    let mut handicap = Options::new(size(9, 9), Ruleset::Aga);
    handicap.handicap = 4;
    conformance::check(&Config::<Go>::new(2).options(handicap).games(2).max_actions(60)).unwrap();
    let options = options(4, 3, KoRule::Positional, true);
    let go = diagram(&options, "....\nXOO.\n.X.O");
    let stones = |color| go.board().stones(color).collect();
    let setup = Setup {
        black: stones(kiebitz_go::Color::Black),
        white: stones(kiebitz_go::Color::White),
        to_move: Some(kiebitz_go::Color::White),
        ..Setup::default()
    };
    conformance::check(&Config::<Go>::new(2).options(options).setup(setup).games(10).max_actions(80)).unwrap();
}
