//! Information-set search with several observers, and re-determinizing.

#[path = "../../core/tests/duel/mod.rs"]
mod duel;
mod hidden_support;

use duel::{Duel, DuelOptions};
use hidden_support::*;
use kiebitz_core::{Game, Rng, Seat, Seen, Turn, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, Kuhn, KuhnAction, TicTacToe};
use kiebitz_search::{Branch, Ismcts, IsmctsConfig, Observers, Parallel, Report, Search};

const ALL: [Observers; 3] = [Observers::Single, Observers::Multiple, Observers::Redeterminize];
const SEVERAL: [Observers; 2] = [Observers::Multiple, Observers::Redeterminize];

fn config(observers: Observers) -> IsmctsConfig {
    IsmctsConfig { observers, early: false, ..Default::default() }
}

fn search<G: Game>(observers: Observers) -> Ismcts<G, Uniform> {
    Ismcts::new(config(observers), Uniform)
}

fn kuhn(cards: &[u8], bets: &[bool]) -> Kuhn {
    let mut deal = [0; 4];
    deal[..cards.len()].copy_from_slice(cards);
    let game = after(&Kuhn::new(cards.len() as u8, &(), None).unwrap(), KuhnAction::Deal(deal));
    bets.iter().fold(game, |game, &bet| after(&game, if bet { KuhnAction::Bet } else { KuhnAction::Pass }))
}

/// The share of an action among the visits.
fn share<A: PartialEq>(branches: &[Branch<A>], action: A) -> f64 {
    let all: u64 = branches.iter().map(|b| b.visits).sum();
    let its: u64 = branches.iter().filter(|b| b.action == action).map(|b| b.visits).sum();
    its as f64 / all as f64
}

#[test]
fn with_perfect_information_all_are_plain_search() {
    let tictactoe = after(&TicTacToe::new(2, &(), None).unwrap(), 4);
    let dice = Countdown::new(2, &CountdownOptions { start: 12, faces: 6 }, None).unwrap();
    fn check<G: Game>(game: &G) {
        let plain = run(&mut search(Observers::Single), &seen(game, 1), 5_000, 3);
        for observers in SEVERAL {
            assert_eq!(run(&mut search(observers), &seen(game, 1), 5_000, 3), plain);
        }
    }
    check(&tictactoe);
    check(&dice);
}

#[test]
fn other_seats_know_their_own_cards() {
    // The second seat answers a bet: the 3 always calls, the 1 never does, whatever the first seat holds.
    for observers in SEVERAL {
        let mut search = search(observers);
        run(&mut search, &seen(&kuhn(&[2, 3], &[]), 1), 20_000, 5);
        let (high, low) =
            (search.information_set(&kuhn(&[2, 3], &[true])), search.information_set(&kuhn(&[2, 1], &[true])));
        assert!(share(&high, KuhnAction::Bet) > 0.9, "{observers:?}: {high:?}");
        assert!(share(&low, KuhnAction::Pass) > 0.9, "{observers:?}: {low:?}");
        assert!(high.iter().chain(&low).all(|b| b.by == Some(1) && b.visits <= b.availability));
        // What they know does not depend on who asks: the first seat's card is nothing they see.
        assert_eq!(search.information_set(&kuhn(&[1, 3], &[true])), high);
    }
}

#[test]
fn only_redeterminizing_hides_the_own_card() {
    // The first seat holds the 3 and bets. A second seat with the 2 that knew this would never call; one that holds 1 and 3
    // equally likely loses as much by a call as it wins, and a fold loses one.
    let answer = kuhn(&[3, 2], &[true]);
    let calls = |observers| {
        let mut search = search(observers);
        run(&mut search, &seen(&kuhn(&[3, 2], &[]), 1), 20_000, 5);
        share(&search.information_set(&answer), KuhnAction::Bet)
    };
    assert!(calls(Observers::Multiple) < 0.05, "{}", calls(Observers::Multiple));
    assert!(calls(Observers::Redeterminize) > 0.8, "{}", calls(Observers::Redeterminize));
    // So a bet of the best card is worth more than the ante, and is made.
    let report = run(&mut search(Observers::Redeterminize), &seen(&kuhn(&[3, 2], &[]), 1), 20_000, 5);
    assert_eq!(report.best(), KuhnAction::Bet, "{:?}", report.rows);
}

#[test]
fn hidden_choices_stay_hidden() {
    for observers in ALL {
        let mut search = search(observers);
        let report = run(&mut search, &seen(&Coin::default(), 1), 30_000, 4);
        assert_eq!(report.best(), 0, "{observers:?}: {:?}", report.rows);
        let dare = row(&report, 1).utility.of(0);
        assert!((dare - 1.0 / 3.0).abs() < 0.06, "{observers:?}: a guess is right one time in three, found {dare}");
        if observers != Observers::Single {
            let hidden = |hand| after(&after(&Coin::default(), 1), hand);
            let guesses = search.information_set(&hidden(10));
            assert_eq!(guesses.iter().map(|b| b.action).collect::<Vec<_>>(), [20, 21, 22]);
            assert_eq!(search.information_set(&hidden(12)), guesses, "one information set for all hands");
            let hiding = search.information_set(&after(&Coin::default(), 1));
            assert_eq!(hiding.iter().map(|b| b.action).collect::<Vec<_>>(), [10, 11, 12]);
        }
    }
}

#[test]
fn a_seat_that_knows_the_world_plays_it() {
    // Door 3 is the best in one world of six, which seat 1 sees; the searching seat does not.
    let game = Doors::with([5, 0, 0, 10]);
    for observers in SEVERAL {
        let mut search = search(observers);
        let report = run(&mut search, &seen(&game, 1), 20_000, 2);
        let value = report.rows[0].utility.of(1);
        assert!((value - 7.0 / 12.0).abs() < 0.02, "{observers:?}: {value}");
        for (world, best) in [(0, 0), (1, 0), (2, 3)] {
            let at = after(&Doors { world, ..game.clone() }, report.best());
            let branches = search.information_set(&at);
            assert_eq!(branches.iter().map(|b| b.action).collect::<Vec<_>>(), [0, world + 1]);
            assert!(share(&branches, best) > 0.9, "{observers:?}, world {world}: {branches:?}");
        }
    }
}

#[test]
fn dominated_actions_are_never_chosen() {
    for observers in SEVERAL {
        for players in 2..=4u8 {
            let highest = players + 1;
            for (card, dominated) in [(highest, KuhnAction::Pass), (1, KuhnAction::Bet)] {
                for passes in 0..players {
                    let bets = [vec![false; usize::from(passes)], vec![true]].concat();
                    let seat = (passes + 1) % players;
                    let mut cards: Vec<u8> = (1..=highest).filter(|&c| c != card).take(usize::from(players)).collect();
                    cards[usize::from(seat)] = card;
                    let game = kuhn(&cards, &bets);
                    for seed in 0..4 {
                        let report = run(&mut search(observers), &seen(&game, seed), 5_000, seed);
                        assert_ne!(report.best(), dominated, "{observers:?} {game:?}: {:?}", report.rows);
                    }
                }
            }
        }
    }
}

#[test]
fn reports_repeat() {
    let game = kuhn(&[2, 3, 1], &[false]);
    for observers in SEVERAL {
        let mut used = search(observers);
        let first = run(&mut used, &seen(&game, 1), 3_000, 9);
        assert_eq!(first.rows.iter().map(|r| r.visits).sum::<u64>(), 3_000);
        assert!(first.rows.iter().all(|r| r.availability == 3_000));
        assert_eq!(run(&mut used, &seen(&game, 1), 3_000, 9), first, "a used search");
        assert_eq!(run(&mut search(observers), &seen(&game, 1), 3_000, 9), first, "a fresh search");
        used.reset();
        assert!(used.branches(&[]).is_empty() && used.information_set(&game).is_empty());
        let at_root = |search: &Ismcts<Kuhn, Uniform>| search.information_set(&game);
        run(&mut used, &seen(&game, 1), 3_000, 9);
        assert_eq!(at_root(&used), used.branches(&[]), "the root is the information set of the searching seat");
        assert_eq!(at_root(&used).iter().map(|b| b.visits).sum::<u64>(), 3_000);
    }
}

#[test]
fn threads_lose_nothing() {
    let game = kuhn(&[2, 3, 1], &[]);
    for observers in ALL {
        for parallel in [Parallel::Root, Parallel::Tree] {
            for threads in [2, 3, 8] {
                let config = IsmctsConfig { threads, parallel, ..config(observers) };
                let mut search = Ismcts::new(config, Uniform);
                let report = run(&mut search, &seen(&game, 1), 10_001, 3);
                assert_eq!(report.visits, 10_001);
                assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), 10_001);
                assert!(report.rows.iter().all(|r| r.availability == 10_001), "{config:?}: {:?}", report.rows);
                let branches = search.branches(&[]);
                assert_eq!(branches.iter().map(|b| b.visits).sum::<u64>(), 10_001);
                for branch in branches {
                    let row = row(&report, branch.action);
                    assert!((row.utility.of(0) - branch.mean).abs() < 1e-9 && row.visits == branch.visits);
                }
                if parallel == Parallel::Root {
                    assert_eq!(run(&mut search, &seen(&game, 1), 10_001, 3), report, "shares of visits are fixed");
                }
            }
        }
    }
}

#[test]
fn one_tree_for_all_threads_finds_the_same() {
    let tictactoe = [0, 1, 3, 4].into_iter().fold(TicTacToe::new(2, &(), None).unwrap(), |g, a| after(&g, a));
    for threads in [2, 4] {
        let config = IsmctsConfig { threads, parallel: Parallel::Tree, ..config(Observers::Single) };
        let mut search = Ismcts::new(config, Uniform);
        let report = run(&mut search, &seen(&tictactoe, 1), 8_000, 3);
        assert_eq!(exact(&after(&tictactoe, report.best())).of(0), exact(&tictactoe).of(0), "{:?}", report.rows);
        // One tree: what the children of a node were visited adds up to its own visits, less the first.
        for row in &report.rows {
            let below: u64 = search.branches(&[row.action]).iter().map(|b| b.visits).sum();
            let own = search.branches(&[]).iter().find(|b| b.action == row.action).unwrap().visits;
            let ended = after(&tictactoe, row.action).turn() == Turn::Terminal;
            assert!(ended || (own - below) < 1 + threads as u64, "{own} visits, {below} below");
        }
    }
}

#[test]
fn lines_can_be_replayed() {
    let game = kuhn(&[2, 3, 1], &[]);
    for observers in SEVERAL {
        let seen = seen(&game, 1);
        let report = run(&mut search(observers), &seen, 5_000, 1);
        for row in &report.rows {
            assert_eq!(row.pv[0], row.action);
            row.pv.iter().fold(seen.sample_world().clone(), |g, &a| after(&g, a));
        }
        assert!(report.rows.iter().any(|row| row.pv.len() >= 2), "{observers:?}: {:?}", report.rows);
    }
}

/// A game of duel after some random actions, at a player's decision, with the belief of the seat to move.
fn duel(players: u8, rng: &mut Rng) -> Option<(Duel, Seat, <Duel as Game>::Belief)> {
    let mut game = Duel::new(players, &DuelOptions::default(), None).unwrap();
    let mut beliefs = vec![<Duel as Game>::Belief::default(); usize::from(players)];
    let steps = 2 + rng.below(12);
    for step in 0.. {
        let action = match game.turn() {
            Turn::Terminal => return None,
            Turn::Seat(seat) if step >= steps => return Some((game, seat, beliefs[usize::from(seat)].clone())),
            Turn::Seat(_) => {
                let actions = legal(&game);
                actions[rng.below(actions.len())]
            }
            Turn::Chance(_) => game.sample(rng, &mut Vec::new()),
        };
        for (seat, belief) in (0..).zip(&mut beliefs) {
            game.observe(belief, seat, game.masked(action, seat));
        }
        game.apply(action);
    }
    None
}

#[test]
fn hidden_cards_change_nothing() {
    // With chance after hidden draws, and with actions that others see in part.
    let mut rng = Rng::new(17);
    let (mut checked, mut different) = (0, 0);
    while checked < 12 {
        let players = 2 + (checked % 2) as u8;
        let Some((truth, seat, belief)) = duel(players, &mut rng) else { continue };
        let reports = |world: &Duel| -> Vec<Report<Duel>> {
            let seen = Seen::new(world, seat, &belief, &mut Rng::new(42));
            let threads = |observers| IsmctsConfig { threads: 2, ..config(observers) };
            let plain = ALL.map(|o| run(&mut search(o), &seen, 400, 7));
            plain
                .into_iter()
                .chain(SEVERAL.map(|o| run(&mut Ismcts::new(threads(o), Uniform), &seen, 400, 7)))
                .collect()
        };
        let first = reports(&truth);
        for _ in 0..6 {
            let mut other = truth.clone();
            other.determinize(seat, &belief, &mut rng);
            different += u32::from(other != truth);
            assert_eq!(reports(&other), first, "{truth:?} and {other:?}");
        }
        checked += 1;
    }
    assert!(different > 30, "the worlds did differ");
    let deals: Vec<Report<Coin>> = (10..=12)
        .flat_map(|hand| {
            let game = after(&after(&Coin::default(), 1), hand);
            ALL.map(|o| run(&mut search(o), &seen(&game, 42), 300, 7))
        })
        .collect();
    assert!(deals.iter().enumerate().all(|(i, report)| *report == deals[i % 3]));
}
