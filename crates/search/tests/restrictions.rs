//! Actions that may not be chosen near the root: information-set search and open-loop search keep to them as they look ahead.

#[path = "../../core/tests/duel/mod.rs"]
mod duel;
mod hidden_support;

use std::sync::atomic::AtomicBool;

use duel::{Duel, DuelOptions};
use hidden_support::*;
use kiebitz_core::{Budget, Game, ManualClock, Rng, Seat, Seen, Turn, Uniform};
use kiebitz_examples::{Kuhn, KuhnAction, TicTacToe};
use kiebitz_search::{
    Context, Ismcts, IsmctsConfig, Observers, OpenLoop, OpenLoopConfig, Parallel, Report, Restriction, Search,
};

const ALL: [Observers; 3] = [Observers::Single, Observers::Multiple, Observers::Redeterminize];
const VISITS: u64 = 300;

/// Every variant of information-set search.
fn variants() -> impl Iterator<Item = IsmctsConfig> {
    ALL.into_iter().flat_map(|observers| {
        [(1, Parallel::Root), (3, Parallel::Root), (3, Parallel::Tree)].map(|(threads, parallel)| IsmctsConfig {
            observers,
            threads,
            parallel,
            early: false,
            ..IsmctsConfig::default()
        })
    })
}

fn restricted<G: Game>(
    search: &mut (impl Search<G> + ?Sized),
    seen: &Seen<G>,
    restrictions: &[Restriction<G::Action>],
) -> Report<G> {
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let context = Context { restrictions, ..Context::new(Budget::visits(VISITS), &clock, &stop, 5) };
    search.run(seen, &context).unwrap()
}

fn rule<A>(seat: Seat, actions: Vec<A>, only: bool, plies: u32) -> Vec<Restriction<A>> {
    vec![Restriction { seat, actions, only, plies }]
}

/// The actions of a report, in order, after checking that its visits add up.
fn chosen<G: Game>(report: &Report<G>) -> Vec<G::Action> {
    assert_eq!(report.visits, VISITS);
    assert_eq!(report.rows.iter().map(|row| row.visits).sum::<u64>(), VISITS);
    let mut actions: Vec<_> = report.rows.iter().map(|row| row.action).collect();
    actions.sort_unstable();
    actions
}

/// Looks at one position under all kinds of restrictions of its root.
fn check<G: Game>(search: &mut impl Search<G>, seen: &Seen<G>, repeats: bool) {
    let (seat, all) = (seen.seat(), legal(seen.sample_world()));
    assert!(all.len() >= 2);
    for (place, &action) in all.iter().enumerate() {
        let only = restricted(search, seen, &rule(seat, vec![action], true, 1));
        assert_eq!(chosen(&only), [action]);
        let mut others = all.clone();
        others.remove(place);
        let without = restricted(search, seen, &rule(seat, vec![action], false, 1));
        assert_eq!(chosen(&without), others, "everything else is looked at");
        assert_eq!(chosen(&restricted(search, seen, &rule(seat, others.clone(), true, 1))), others);
    }
    // Nothing is kept from a restricted run, and what restricts another seat's first choice, or leaves nothing, restricts nothing.
    let free = restricted(search, seen, &[]);
    assert_eq!(chosen(&free), all);
    for none in [rule(seat, Vec::new(), true, 1), rule(seat, all.clone(), false, 1), rule(seat + 1, all, false, 1)] {
        let report = restricted(search, seen, &none);
        assert!(if repeats { report == free } else { chosen(&report) == chosen(&free) });
    }
}

/// Positions of a game with hidden cards in which the seat to move has a choice.
fn duels(number: usize) -> Vec<Seen<Duel>> {
    let (mut rng, mut found) = (Rng::new(23), Vec::new());
    while found.len() < number {
        let mut game = Duel::new(2, &DuelOptions::default(), None).unwrap();
        let mut beliefs = vec![<Duel as Game>::Belief::default(); 2];
        for _ in 0..2 + rng.below(10) {
            let action = match game.turn() {
                Turn::Terminal => break,
                Turn::Seat(_) => {
                    let actions = legal(&game);
                    actions[rng.below(actions.len())]
                }
                Turn::Chance(_) => game.sample(&mut rng, &mut Vec::new()),
            };
            for (seat, belief) in (0..).zip(&mut beliefs) {
                game.observe(belief, seat, game.masked(action, seat));
            }
            game.apply(action);
        }
        if let Turn::Seat(seat) = game.turn()
            && legal(&game).len() >= 2
        {
            found.push(Seen::new(&game, seat, &beliefs[usize::from(seat)], &mut Rng::new(1)));
        }
    }
    found
}

#[test]
fn the_root_keeps_to_restrictions() {
    let tictactoe = [4, 0, 8].into_iter().fold(TicTacToe::new(2, &(), None).unwrap(), |g, a| after(&g, a));
    let guess = after(&after(&Coin::default(), 1), 11);
    let duels = duels(3);
    for config in variants() {
        let repeats = config.parallel == Parallel::Root;
        check(&mut Ismcts::new(config, Uniform), &seen(&tictactoe, 1), repeats);
        check(&mut Ismcts::new(config, Uniform), &seen(&guess, 1), repeats);
        duels.iter().for_each(|duel| check(&mut Ismcts::new(config, Uniform), duel, repeats));
    }
    for threads in [1, 3] {
        let config = OpenLoopConfig { threads, early: false, ..OpenLoopConfig::default() };
        check(&mut OpenLoop::new(config, Uniform), &seen(&tictactoe, 1), true);
        duels.iter().for_each(|duel| check(&mut OpenLoop::new(config, Uniform), duel, true));
    }
}

fn kuhn(bets: &[bool]) -> Kuhn {
    let game = after(&Kuhn::new(2, &(), None).unwrap(), KuhnAction::Deal([2, 3, 0, 0]));
    bets.iter().fold(game, |game, &bet| after(&game, if bet { KuhnAction::Bet } else { KuhnAction::Pass }))
}

/// What the seat to move after these bets was seen to do below the root.
fn tried(search: &Ismcts<Kuhn, Uniform>, observers: Observers, bets: &[bool]) -> Vec<KuhnAction> {
    let branches = match observers {
        Observers::Single => {
            let line: Vec<_> = bets.iter().map(|&bet| if bet { KuhnAction::Bet } else { KuhnAction::Pass }).collect();
            search.branches(&line)
        }
        _ => search.information_set(&kuhn(bets)),
    };
    branches.iter().filter(|branch| branch.visits > 0).map(|branch| branch.action).collect()
}

/// The second seat's answer is one ply below the root, the first seat's answer to that two.
#[test]
fn restrictions_hold_for_so_many_plies_and_for_their_seat() {
    use KuhnAction::{Bet, Pass};
    for config in variants() {
        let observers = config.observers;
        let mut search = Ismcts::new(config, Uniform);
        let mut after_run = |rules: &[Restriction<KuhnAction>], bets: &[bool]| {
            let root = chosen(&restricted(&mut search, &seen(&kuhn(&[]), 1), rules));
            (root, tried(&search, observers, bets))
        };
        let both = vec![Pass, Bet];
        for answer in [&[false][..], &[true]] {
            for (plies, answers) in [(1, both.clone()), (2, vec![Pass])] {
                let found = after_run(&rule(1, vec![Bet], false, plies), answer);
                assert_eq!(found, (both.clone(), answers.clone()), "{config:?} {answer:?} {plies}");
            }
        }
        // The first seat passes, the second bets, the first answers.
        for (plies, answers) in [(1, both.clone()), (2, both.clone()), (3, vec![Pass])] {
            let found = after_run(&rule(0, vec![Pass], true, plies), &[false, true]);
            assert_eq!(found, (vec![Pass], answers), "{config:?} {plies}");
        }
    }
}

/// A search that stops early when its choice is settled does not when one action is asked about, but it does when one is legal.
#[test]
fn the_value_of_one_action_can_be_asked_for() {
    let (tictactoe, forced) = (TicTacToe::new(2, &(), None).unwrap(), [0, 1, 2, 4, 3, 5, 7, 6]);
    for config in variants() {
        let mut search = Ismcts::new(IsmctsConfig { early: true, ..config }, Uniform);
        let report = restricted(&mut search, &seen(&tictactoe, 1), &rule(0, vec![8], true, 1));
        assert_eq!((chosen(&report), report.rows[0].visits), (vec![8], VISITS), "{config:?}");
        let last = forced.iter().fold(tictactoe.clone(), |game, &action| after(&game, action));
        assert_eq!(legal(&last), [8]);
        assert!(restricted(&mut search, &seen(&last, 1), &[]).visits < VISITS);
    }
}
