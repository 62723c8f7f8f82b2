//! PIMC with the searches it can be given by name.

mod hidden_support;

use hidden_support::*;
use kiebitz_core::{Game, PlayerSpec, Rng, Settings, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, Kuhn, KuhnAction, TicTacToe};
use kiebitz_search::{AlphaBeta, AlphaBetaConfig, Pimc, PimcConfig, PimcInner, Revealed, Search, StopReason, registry};

fn by_spec<G: Game>(spec: &str) -> Box<dyn Search<G>> {
    registry::build::<G, Uniform>(&spec.parse::<PlayerSpec>().unwrap(), &Uniform, &[]).unwrap().search
}

fn kuhn(cards: &[u8], bets: &[bool]) -> Kuhn {
    let mut deal = [0; 4];
    deal[..cards.len()].copy_from_slice(cards);
    let game = after(&Kuhn::new(cards.len() as u8, &(), None).unwrap(), KuhnAction::Deal(deal));
    bets.iter().fold(game, |game, &bet| after(&game, if bet { KuhnAction::Bet } else { KuhnAction::Pass }))
}

#[test]
fn one_world_of_perfect_information_is_alphabeta() {
    let mut rng = Rng::new(9);
    let mut checked = 0;
    while checked < 30 {
        let mut game = TicTacToe::new(2, &(), None).unwrap();
        for _ in 0..1 + rng.below(5) {
            let actions = legal(&game);
            if !actions.is_empty() {
                game.apply(actions[rng.below(actions.len())]);
            }
        }
        if game.turn().is_terminal() {
            continue;
        }
        checked += 1;
        for depth in [None, Some(2)] {
            let config = AlphaBetaConfig { depth, tt: 1, all_rows: true, ..Default::default() };
            let alphabeta = run(&mut AlphaBeta::new(config, Uniform), &seen(&game, 1), 1_000_000, 1);
            let maker =
                move || Box::new(AlphaBeta::new(config, Revealed(Uniform))) as Box<dyn Search<Revealed<TicTacToe>>>;
            let one = PimcConfig { samples: 1, ..Default::default() };
            let pimc = run(&mut Pimc::new(one, maker), &seen(&game, 1), 1_000_000, 1);
            // The order of equally good rows is each search's own.
            assert_eq!(pimc.best(), alphabeta.best());
            assert_eq!(pimc.rows.len(), alphabeta.rows.len());
            for ours in &pimc.rows {
                let theirs = row(&alphabeta, ours.action);
                assert_eq!((ours.utility, ours.utility_error), (theirs.utility, theirs.utility_error));
                assert_eq!((ours.proven, &ours.pv, ours.visits), (theirs.proven, &theirs.pv, theirs.visits));
            }
            assert_eq!((pimc.visits, pimc.depth), (alphabeta.visits, alphabeta.depth));
        }
    }
}

#[test]
fn every_inner_search_plays_kuhn() {
    for players in 2..=4u8 {
        for inner in ["auto", "alphabeta", "maxn", "paranoid", "expectimax", "flat", "uct", "openloop"] {
            if inner == "alphabeta" && players > 2 {
                continue;
            }
            for combine in ["mean", "vote"] {
                // The second seat answers a bet of the first.
                let spec = format!("pimc:samples=8,inner={inner},combine={combine}");
                let highest = players + 1;
                let cards: Vec<u8> = (1..=players).map(|seat| if seat == 2 { highest } else { seat }).collect();
                let report = run(&mut *by_spec(&spec), &seen(&kuhn(&cards, &[true]), 1), 4_000, 1);
                assert_eq!(report.best(), KuhnAction::Bet, "{spec} with {players} players: {:?}", report.rows);
                let cards: Vec<u8> = (1..=players).map(|seat| if seat == 2 { 1 } else { seat.max(2) }).collect();
                let report = run(&mut *by_spec(&spec), &seen(&kuhn(&cards, &[true]), 1), 4_000, 1);
                assert_eq!(report.best(), KuhnAction::Pass, "{spec} with {players} players: {:?}", report.rows);
            }
        }
    }
}

#[test]
fn means_are_of_values_and_not_of_bounds() {
    // The middle card facing a bet: in each world one action is best, and a bound for the other would spoil the means.
    let game = kuhn(&[1, 2], &[true]);
    for seed in 0..10 {
        let report = run(&mut *by_spec("pimc:samples=100"), &seen(&game, seed), 1_000_000, seed);
        assert_eq!(report.stop, StopReason::Complete);
        assert_eq!(row(&report, KuhnAction::Pass).utility.of(1), 0.25, "folding costs a chip in every world");
        let call = row(&report, KuhnAction::Bet);
        assert!((call.utility.of(1) - 0.5).abs() < 0.25 && call.utility_error.of(1) > 0.04);
        assert_eq!(report.best(), KuhnAction::Bet);
    }
}

#[test]
fn expectimax_looks_into_chance() {
    let game = Countdown::new(2, &CountdownOptions::default(), None).unwrap();
    let values = exact_actions(&game);
    for spec in ["pimc:inner=expectimax", "pimc:inner=expectimax,combine=vote"] {
        let report = run(&mut *by_spec(spec), &seen(&game, 1), 10_000_000, 1);
        let best = &report.rows[0];
        let exact = values.iter().find(|(action, _)| *action == best.action).unwrap().1.of(0);
        assert!((best.utility.of(0) - exact).abs() < 1e-9, "{spec}: {best:?}");
        assert!(values.iter().all(|(_, value)| value.of(0) <= exact));
    }
    let report = run(&mut *by_spec("pimc:inner=expectimax"), &seen(&game, 1), 10_000_000, 1);
    for (action, value) in values {
        assert!((row(&report, action).utility.of(0) - value.of(0)).abs() < 1e-9, "every row is exact");
    }
}

#[test]
fn inner_settings_are_read() {
    let read = |spec: &str| {
        let mut settings = Settings::new(&spec.parse().unwrap());
        let combine = PimcConfig::from_settings(&mut settings)?.combine;
        let inner = PimcInner::from_settings(&mut settings, combine)?;
        settings.finish().map(|()| inner)
    };
    let duel = AlphaBetaConfig { tt: 4, all_rows: true, chance_leaves: true, ..Default::default() };
    assert_eq!(read("pimc"), Ok(PimcInner::Auto(duel)));
    assert_eq!(read("pimc:samples=32,depth=3"), Ok(PimcInner::Auto(AlphaBetaConfig { depth: Some(3), ..duel })));
    let vote = AlphaBetaConfig { all_rows: false, tt: 0, ..duel };
    assert_eq!(read("pimc:inner=paranoid,combine=vote,tt=0"), Ok(PimcInner::Paranoid(vote)));
    assert!(matches!(read("pimc:inner=uct,c=0.5"), Ok(PimcInner::Uct(config)) if config.c == 0.5));
    for bad in ["pimc:inner=ismcts", "pimc:depth=-1", "pimc:inner=uct,rave=on"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}
