//! Perfect-information Monte Carlo.

mod hidden_support;

use hidden_support::*;
use kiebitz_core::{
    Budget, Game, Knowledge, ManualClock, Outcome, Payoff, Rng, Scratch, Seen, Settings, Turn, Uniform,
};
use kiebitz_examples::{Countdown, CountdownOptions, Kuhn, KuhnAction, TicTacToe};
use kiebitz_search::{
    Combine, Context, Ismcts, IsmctsConfig, Pimc, PimcConfig, Report, Revealed, Search, SearchError, StopReason,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

fn pimc<G: Game>(config: PimcConfig) -> Pimc<G> {
    Pimc::new(config, || Box::new(Minimax) as Box<dyn Search<Revealed<G>>>)
}

fn sampled<G: Game>(config: PimcConfig) -> Pimc<G> {
    Pimc::new(config, || {
        Box::new(Ismcts::new(IsmctsConfig { early: false, ..Default::default() }, Revealed(Uniform)))
            as Box<dyn Search<Revealed<G>>>
    })
}

fn kuhn(cards: &[u8], bets: &[bool]) -> Kuhn {
    let mut deal = [0; 4];
    deal[..cards.len()].copy_from_slice(cards);
    let game = after(&Kuhn::new(cards.len() as u8, &(), None).unwrap(), KuhnAction::Deal(deal));
    bets.iter().fold(game, |game, &bet| after(&game, if bet { KuhnAction::Bet } else { KuhnAction::Pass }))
}

#[test]
fn pimc_is_minimax_with_perfect_information() {
    let mut rng = Rng::new(5);
    for seed in 0..40 {
        let mut game = TicTacToe::new(2, &(), None).unwrap();
        for _ in 0..2 + rng.below(4) {
            game.apply(legal(&game)[rng.below(legal(&game).len())]);
            if game.turn().is_terminal() {
                break;
            }
        }
        if game.turn().is_terminal() {
            continue;
        }
        let seen = seen(&game, seed);
        for samples in [1, 32] {
            let report = run(&mut pimc(PimcConfig { samples, ..Default::default() }), &seen, 1_000, seed);
            let direct = run(&mut Minimax, &seen, 1_000, seed);
            assert_eq!(report.rows, direct.rows, "one world is enough");
            assert_eq!(report.stop, StopReason::Complete);
        }
    }
    // Chance is the inner search's business.
    let dice = Countdown::new(2, &CountdownOptions::default(), None).unwrap();
    let report = run(&mut pimc(PimcConfig::default()), &seen(&dice, 1), 1_000, 1);
    let values = exact_actions(&dice);
    assert!(report.rows.iter().all(|r| values.contains(&(r.action, r.utility))));
}

#[test]
fn kuhn_dominated_actions_are_never_chosen() {
    for players in 2..=4u8 {
        let highest = players + 1;
        for (card, dominated) in [(highest, KuhnAction::Pass), (1, KuhnAction::Bet)] {
            for passes in 0..players {
                let mut bets = vec![false; usize::from(passes)];
                bets.push(true);
                let others = (1..=highest).filter(|&c| c != card).collect::<Vec<_>>();
                let mut cards: Vec<u8> = others[..usize::from(players)].to_vec();
                cards[usize::from((passes + 1) % players)] = card;
                let game = kuhn(&cards, &bets);
                for seed in 0..20 {
                    for combine in [Combine::Mean, Combine::Vote] {
                        let config = PimcConfig { samples: 8, combine, ..Default::default() };
                        assert_ne!(run(&mut pimc(config), &seen(&game, seed), 100, seed).best(), dominated, "{game:?}");
                        let report = run(&mut sampled(config), &seen(&game, seed), 8 * 300, seed);
                        assert_ne!(report.best(), dominated, "{game:?}: {:?}", report.rows);
                    }
                }
            }
        }
    }
}

#[test]
fn votes_and_means() {
    // The middle card facing a bet: calling wins 2 against the 1 and loses 2 to the 3; folding loses 1.
    let game = kuhn(&[1, 2], &[true]);
    let samples = 400;
    let mut search = pimc(PimcConfig { samples, ..Default::default() });
    let report = run(&mut search, &seen(&game, 1), 100_000, 3);
    let votes = search.votes();
    assert_eq!(
        votes.iter().map(|v| v.action).collect::<Vec<_>>(),
        report.rows.iter().map(|r| r.action).collect::<Vec<_>>()
    );
    assert_eq!(votes.iter().map(|v| v.votes).sum::<f64>(), f64::from(samples));
    for v in votes {
        assert_eq!(v.worlds, u64::from(samples));
        let share = v.votes / f64::from(samples);
        // Half of the worlds, within four standard errors.
        assert!((share - 0.5).abs() < 4.0 * 0.5 / f64::from(samples).sqrt(), "{v:?}");
        let wins = votes.iter().find(|v| v.action == KuhnAction::Bet).unwrap().votes / f64::from(samples);
        match v.action {
            KuhnAction::Bet => {
                assert_eq!((v.worst, v.best), (0.0, 1.0));
                assert!((v.utility.mean - wins).abs() < 1e-12);
                assert!((v.utility.error - (wins * (1.0 - wins) / 399.0).sqrt()).abs() < 1e-3);
            }
            _ => assert_eq!((v.worst, v.best, v.utility.mean, v.utility.error), (0.25, 0.25, 0.25, 0.0)),
        }
    }
    // By mean calling is right (0 > -1 chips); by votes it is a coin flip that the seed decides.
    assert_eq!(report.best(), KuhnAction::Bet);
    let by_vote = |seed| {
        let config = PimcConfig { samples: 31, combine: Combine::Vote, ..Default::default() };
        run(&mut pimc(config), &seen(&game, 1), 10_000, seed).best()
    };
    let bets = (0..40).filter(|&seed| by_vote(seed) == KuhnAction::Bet).count();
    assert!((5..=35).contains(&bets), "{bets}");
}

#[test]
fn equal_exact_values_split_their_vote() {
    // Seat 0 may play 7 or 8: all the same.
    let mut search = pimc(PimcConfig { samples: 10, combine: Combine::Vote, ..Default::default() });
    let report = run(&mut search, &seen(&Doors::with([2, 5, 5, 5]), 1), 100, 1);
    assert!(search.votes().iter().all(|v| v.votes == 5.0));
    assert_eq!(report.best(), 7, "ties in action order");
}

#[test]
fn strategy_fusion_is_real() {
    // PIMC believes that it will see the coin; information-set search knows that it will not.
    let report = run(&mut pimc(PimcConfig::default()), &seen(&Coin::default(), 1), 1_000, 1);
    assert_eq!(report.best(), 1);
    assert_eq!(report.rows[0].utility.of(0), 1.0);
    let mut ismcts = Ismcts::new(IsmctsConfig::default(), Uniform);
    assert_eq!(run(&mut ismcts, &seen(&Coin::default(), 1), 10_000, 1).best(), 0);
}

#[test]
fn threads_change_nothing() {
    let game = kuhn(&[2, 3, 1], &[false]);
    for config in [PimcConfig::default(), PimcConfig { samples: 7, combine: Combine::Vote, ..Default::default() }] {
        let one = run(&mut sampled(config), &seen(&game, 1), 10_007, 5);
        assert_eq!(one.visits, 10_007, "nothing of the budget is lost");
        assert_eq!(one.rows.iter().map(|r| r.visits).sum::<u64>(), 10_007);
        assert!(one.rows.iter().all(|r| r.availability == u64::from(config.samples)));
        assert_eq!(run(&mut sampled(config), &seen(&game, 1), 10_007, 5), one);
        assert_ne!(run(&mut sampled(config), &seen(&game, 1), 10_007, 6).rows, one.rows);
        for threads in [2, 3, 64] {
            let mut search = sampled(PimcConfig { threads, ..config });
            assert_eq!(run(&mut search, &seen(&game, 1), 10_007, 5), one, "{threads} threads");
            assert_eq!(run(&mut search, &seen(&game, 1), 10_007, 5), one, "a used search");
        }
    }
    // Fewer visits than worlds.
    let report = run(&mut sampled(PimcConfig::default()), &seen(&game, 1), 5, 5);
    assert_eq!((report.visits, report.stop), (5, StopReason::Visits));
}

#[test]
fn few_visits_look_at_fewer_worlds_but_at_every_action() {
    // With the highest card and a bet to answer, calling is right in every world, whatever the budget.
    let game = kuhn(&[1, 3, 2], &[true]);
    for visits in [4, 10, 50, 1000] {
        let config = PimcConfig { samples: 100, early: false, ..Default::default() };
        let report = run(&mut pimc(config), &seen(&game, 1), visits, 1);
        assert_eq!(report.best(), KuhnAction::Bet, "{visits} visits");
        assert_eq!(report.rows.len(), 2, "{visits} visits");
        assert!(report.visits <= visits && report.rows[0].availability <= 100);
    }
}

/// Raises a flag in the playout of a given number.
struct Flagging {
    count: AtomicU64,
    at: u64,
    flag: &'static AtomicBool,
}

impl<G: Game> Knowledge<G> for Flagging {
    type Buffer = ();
    fn playout(
        &self,
        game: &mut G,
        rng: &mut Rng,
        scratch: &mut Scratch<G, ()>,
        trace: Option<&mut kiebitz_core::Trace<G::Action>>,
    ) -> Outcome {
        if self.count.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            self.flag.store(true, Ordering::Relaxed);
        }
        Uniform.playout(game, rng, scratch, trace)
    }
}

#[test]
fn stop_is_heard_at_once() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let maker = || {
        let knowledge = Flagging { count: AtomicU64::new(0), at: 3, flag: &STOP };
        Box::new(Ismcts::new(IsmctsConfig { early: false, ..Default::default() }, Revealed(knowledge)))
            as Box<dyn Search<Revealed<Kuhn>>>
    };
    let mut search = Pimc::new(PimcConfig::default(), maker);
    let clock = ManualClock::new();
    let context = Context::new(Budget::visits(1_000_000), &clock, &STOP, 1);
    let game = kuhn(&[2, 3, 1], &[false]);
    let report = search.run(&seen(&game, 1), &context).unwrap();
    assert_eq!(report.stop, StopReason::Stopped);
    // Terminal positions need no playout, so there may be more visits than playouts; but there is no second world.
    assert!(
        report.visits >= 3 && report.visits < 1_000 && report.rows.iter().all(|r| r.availability == 1),
        "{report:?}"
    );
    let report = search.run(&seen(&game, 1), &context).unwrap();
    assert_eq!((report.stop, report.visits), (StopReason::Stopped, 1));
}

#[test]
fn time_is_split_over_the_worlds() {
    let (clock, stop) = (Ticking(AtomicU64::new(0), 10), AtomicBool::new(false));
    let budget = Budget::time(Duration::from_millis(40));
    let context = Context::new(budget, &clock, &stop, 1);
    let game = kuhn(&[2, 3, 1], &[false]);
    let report = sampled(PimcConfig { samples: 10, ..Default::default() }).run(&seen(&game, 1), &context).unwrap();
    assert_eq!(report.stop, StopReason::Time);
    assert!(report.rows.iter().all(|r| r.availability == 10));
    assert!(report.elapsed <= Duration::from_millis(41), "{:?}", report.elapsed);
    assert!(report.visits > 1_000, "{}", report.visits);
}

#[test]
fn early_end_does_not_change_the_choice() {
    // The highest card facing a bet: calling is best in every world, by 3 chips of 4.
    let game = kuhn(&[1, 3], &[true]);
    for combine in [Combine::Mean, Combine::Vote] {
        let config = PimcConfig { samples: 64, combine, early: true, threads: 1 };
        let report = run(&mut pimc(config), &seen(&game, 1), 10_000, 1);
        assert_eq!((report.stop, report.best()), (StopReason::Settled, KuhnAction::Bet));
        assert!(report.rows[0].availability < 64);
        for threads in [2, 5] {
            assert_eq!(
                run(&mut pimc(PimcConfig { threads, ..config }), &seen(&game, 1), 10_000, 1).best(),
                KuhnAction::Bet
            );
        }
    }
}

/// Refuses a second world before it forgot the first.
struct Forgetful(bool);

impl<G: Game> Search<G> for Forgetful {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        assert!(!std::mem::replace(&mut self.0, true), "it still remembers another world");
        Minimax.run(root, context)
    }
    fn reset(&mut self) {
        self.0 = false;
    }
}

#[test]
fn nothing_passes_from_world_to_world() {
    for threads in [1, 3] {
        let config = PimcConfig { threads, ..Default::default() };
        let mut search = Pimc::new(config, || Box::new(Forgetful(false)) as Box<dyn Search<Revealed<Kuhn>>>);
        assert_eq!(run(&mut search, &seen(&kuhn(&[1, 2], &[]), 1), 100, 1).rows[0].availability, 32);
    }
}

#[test]
fn progress_is_told() {
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let reports = AtomicU64::new(0);
    let told = |report: &Report<Kuhn>| {
        let n = reports.fetch_add(1, Ordering::Relaxed) + 1;
        assert_eq!(report.rows[0].availability, n);
    };
    let mut context = Context::new(Budget::visits(1_000), &clock, &stop, 1);
    context.progress = Some(&told);
    context.progress_every = Duration::ZERO;
    pimc(PimcConfig::default()).run(&seen(&kuhn(&[1, 2], &[]), 1), &context).unwrap();
    assert_eq!(reports.load(Ordering::Relaxed), 32);
}

#[test]
fn refusals_and_settings() {
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let none = Context::new(Budget::default(), &clock, &stop, 1);
    let game = kuhn(&[1, 2], &[]);
    // The inner search decides whether it needs a budget.
    assert_eq!(sampled(PimcConfig::default()).run(&seen(&game, 1), &none), Err(SearchError::NoBudget));
    assert!(pimc(PimcConfig::default()).run(&seen(&game, 1), &none).is_ok());
    let over = kuhn(&[1, 2], &[true, true]);
    assert_eq!(pimc(PimcConfig::default()).run(&seen(&over, 1), &none), Err(SearchError::NotAPlayersTurn));
    let read = |spec: &str| {
        let mut settings = Settings::new(&spec.parse().unwrap());
        let config = PimcConfig::from_settings(&mut settings)?;
        settings.finish().map(|()| config)
    };
    assert_eq!(read("pimc"), Ok(PimcConfig::default()));
    let expected = PimcConfig { samples: 64, combine: Combine::Vote, threads: 2, early: true };
    assert_eq!(read("pimc:samples=64,combine=vote,threads=2,early=on"), Ok(expected));
    for bad in ["pimc:samples=0", "pimc:combine=sum", "pimc:early=maybe", "pimc:c=1"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_revealed_game_is_the_same_game() {
    fn compare<G: Game>(game: &G, rng: &mut Rng) {
        let (mut plain, mut open) = (game.clone(), Revealed(game.clone()));
        assert!(!open.meta().hidden);
        assert_eq!(open.meta().players, plain.meta().players);
        loop {
            assert_eq!((open.turn(), open.key(), legal(&open)), (plain.turn(), plain.key(), legal(&plain)));
            assert_eq!((open.returns(), open.utility()), (plain.returns(), plain.utility()));
            let mut drawn = open.clone();
            drawn.determinize(0, &(), rng);
            assert_eq!(drawn, open, "nothing is left to draw");
            let actions = legal(&plain);
            if plain.turn() == Turn::Terminal {
                break;
            }
            let action = actions[rng.below(actions.len())];
            let undo = open.apply_undo(action);
            assert_ne!(open.0, plain);
            open.undo(undo);
            assert_eq!(open.0, plain);
            assert_eq!(open.check(action), plain.check(action));
            open.apply(action);
            plain.apply(action);
        }
    }
    let mut rng = Rng::new(1);
    for _ in 0..50 {
        compare(&Kuhn::new(4, &(), None).unwrap(), &mut rng);
        compare(&Countdown::new(2, &CountdownOptions::default(), None).unwrap(), &mut rng);
        compare(&TicTacToe::new(2, &(), None).unwrap(), &mut rng);
    }
    // Two deals that a seat cannot tell apart are different positions once revealed.
    let deals = [kuhn(&[1, 2], &[]), kuhn(&[1, 3], &[])].map(Revealed);
    assert_eq!(deals[0].0.information_key(0), deals[1].0.information_key(0));
    assert_ne!(deals[0].information_key(0), deals[1].information_key(0));
    // The game's knowledge plays the same playouts behind the wrapper.
    let outcome = |open: bool| -> Payoff {
        let (game, mut rng) = (kuhn(&[2, 3, 1], &[]), Rng::new(3));
        if open {
            let mut scratch = Scratch::default();
            Revealed(Uniform).playout(&mut Revealed(game), &mut rng, &mut scratch, None).returns
        } else {
            Uniform.playout(&mut game.clone(), &mut rng, &mut Scratch::default(), None).returns
        }
    };
    assert_eq!(outcome(true), outcome(false));
    let seen: Seen<Revealed<Kuhn>> = seen(&deals[0], 1);
    assert_eq!(seen.sample_world(), &deals[0]);
}
