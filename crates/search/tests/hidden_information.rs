//! What a search of hidden information may know, and how far its strategies are from equilibrium.

mod hidden_support;

use hidden_support::*;
use kiebitz_core::{Game, Rng, Seat, Seen, Uniform};
use kiebitz_examples::{Kuhn, KuhnAction};
use kiebitz_search::{
    ChanceNodes, Combine, Ismcts, IsmctsConfig, Observers, OpenLoop, OpenLoopConfig, Pimc, PimcConfig, Report,
    Revealed, Search,
};

fn ismcts(config: IsmctsConfig) -> Ismcts<Kuhn, Uniform> {
    Ismcts::new(config, Uniform)
}

fn pimc(samples: u32, combine: Combine) -> Pimc<Kuhn> {
    let config = PimcConfig { samples, combine, ..Default::default() };
    Pimc::new(config, || Box::new(Minimax) as Box<dyn Search<Revealed<Kuhn>>>)
}

fn kuhn(cards: &[u8], bets: &[bool]) -> Kuhn {
    let mut deal = [0; 4];
    deal[..cards.len()].copy_from_slice(cards);
    let game = after(&Kuhn::new(cards.len() as u8, &(), None).unwrap(), KuhnAction::Deal(deal));
    bets.iter().fold(game, |game, &bet| after(&game, if bet { KuhnAction::Bet } else { KuhnAction::Pass }))
}

/// All ways to deal the cards that `seat` does not see, its own card being `card`.
fn deals(players: u8, seat: Seat, card: u8) -> Vec<Vec<u8>> {
    let mut deals = vec![Vec::new()];
    for s in 0..players {
        deals = deals
            .into_iter()
            .flat_map(|deal: Vec<u8>| {
                let free =
                    (1..=players + 1).filter(|&c| if s == seat { c == card } else { c != card && !deal.contains(&c) });
                free.map(|c| deal.iter().copied().chain([c]).collect::<Vec<_>>()).collect::<Vec<_>>()
            })
            .collect();
    }
    deals
}

/// Runs every search on `seen`.
fn all_reports(seen: &Seen<Kuhn>, seed: u64) -> Vec<Report<Kuhn>> {
    let revealed = |config| {
        Pimc::new(config, || {
            Box::new(Ismcts::new(IsmctsConfig::default(), Revealed(Uniform))) as Box<dyn Search<Revealed<Kuhn>>>
        })
    };
    vec![
        run(&mut ismcts(IsmctsConfig::default()), seen, 700, seed),
        run(&mut ismcts(IsmctsConfig { threads: 2, early: false, ..Default::default() }), seen, 700, seed),
        run(
            &mut ismcts(IsmctsConfig { chance: ChanceNodes::Always, bias: 1.0, ..Default::default() }),
            seen,
            700,
            seed,
        ),
        run(
            &mut ismcts(IsmctsConfig { observers: Observers::Multiple, bias: 1.0, ..Default::default() }),
            seen,
            700,
            seed,
        ),
        run(
            &mut ismcts(IsmctsConfig {
                observers: Observers::Redeterminize,
                threads: 2,
                early: false,
                ..Default::default()
            }),
            seen,
            700,
            seed,
        ),
        run(&mut OpenLoop::new(OpenLoopConfig::default(), Uniform), seen, 700, seed),
        run(&mut pimc(16, Combine::Mean), seen, 700, seed),
        run(&mut revealed(PimcConfig { combine: Combine::Vote, ..Default::default() }), seen, 700, seed),
    ]
}

#[test]
fn true_hidden_cards_change_nothing() {
    let lines = [&[][..], &[false], &[true], &[false, true], &[false, false], &[false, false, true]];
    for players in 2..=4u8 {
        for bets in lines.iter().filter(|b| b.len() < usize::from(players) + usize::from(b.contains(&true))) {
            for card in 1..=players + 1 {
                let any = kuhn(&(1..=players).collect::<Vec<_>>(), bets);
                let Some(seat) = any.turn().seat() else { continue };
                let mut first: Option<Vec<Report<Kuhn>>> = None;
                for deal in deals(players, seat, card) {
                    let truth = kuhn(&deal, bets);
                    assert_eq!(truth.card(seat), Some(card));
                    let reports = all_reports(&seen(&truth, 42), 7);
                    match &first {
                        None => first = Some(reports),
                        Some(first) => assert_eq!(&reports, first, "{truth:?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn the_world_at_hand_decides_nothing() {
    // Not even the world that was drawn for the seat before the search began: only the line shown may follow it.
    let truth = kuhn(&[2, 4, 1], &[false, true]);
    let without_lines = |seed| {
        let seen = Seen::new(&truth, 2, &Default::default(), &mut Rng::new(seed));
        let mut reports = all_reports(&seen, 7);
        reports.iter_mut().flat_map(|r| &mut r.rows).for_each(|row| row.pv.clear());
        (seen, reports)
    };
    let first = without_lines(0);
    let mut worlds = vec![first.0.sample_world().clone()];
    for seed in 1..12 {
        let (seen, reports) = without_lines(seed);
        assert_eq!(reports, first.1);
        worlds.push(seen.sample_world().clone());
    }
    assert!(worlds.iter().any(|w| w != &worlds[0]), "the worlds did differ");
}

/// The probability of a bet in each of the twelve information sets of Kuhn poker for two: by line (nothing, pass, bet,
/// pass-bet: the seat to move is the first, second, second, first) and card (1, 2, 3).
type Strategy = [[f64; 3]; 4];

const LINES: [&[bool]; 4] = [&[], &[false], &[true], &[false, true]];

/// Kuhn's equilibrium with a bluff of 1/3 (alpha = 1/3).
const EQUILIBRIUM: Strategy =
    [[1.0 / 3.0, 0.0, 1.0], [1.0 / 3.0, 0.0, 1.0], [0.0, 1.0 / 3.0, 1.0], [0.0, 2.0 / 3.0, 1.0]];

/// The value of the game to the first seat.
const VALUE: f64 = -1.0 / 18.0;

/// Chips for the first seat when both follow `strategy`.
fn chips(game: &Kuhn, strategy: &Strategy) -> f64 {
    let Some(seat) = game.turn().seat() else { return game.returns().of(0) };
    let bets: Vec<bool> = game.history().collect();
    let line = LINES.iter().position(|line| *line == bets).unwrap();
    let p = strategy[line][usize::from(game.card(seat).unwrap()) - 1];
    let value = |action| chips(&after(game, action), strategy);
    (1.0 - p) * value(KuhnAction::Pass) + p * value(KuhnAction::Bet)
}

fn value(strategy: &Strategy) -> f64 {
    let all = (1..=3).flat_map(|a| (1..=3).filter(move |&b| b != a).map(move |b| [a, b]));
    all.map(|cards| chips(&kuhn(&cards, &[]), strategy)).sum::<f64>() / 6.0
}

/// What the best response of `seat` to `strategy` wins, over all 64 pure strategies of that seat.
fn best_response(strategy: &Strategy, seat: Seat) -> f64 {
    let lines = if seat == 0 { [0, 3] } else { [1, 2] };
    let pure = |bits: u32| {
        let mut s = *strategy;
        for (i, line) in lines.into_iter().enumerate() {
            for (card, p) in s[line].iter_mut().enumerate() {
                *p = f64::from(bits >> (3 * i + card) & 1);
            }
        }
        s
    };
    let sign = if seat == 0 { 1.0 } else { -1.0 };
    (0..64).map(|bits| sign * value(&pure(bits))).fold(f64::NEG_INFINITY, f64::max)
}

/// What the strategy of each seat loses against a best response, compared with the equilibrium; their mean is the
/// exploitability.
fn losses(strategy: &Strategy) -> [f64; 2] {
    [best_response(strategy, 1) + VALUE, best_response(strategy, 0) - VALUE]
}

/// How often a search bets in each information set, over many seeds. The hidden card follows the seed and does not matter.
fn induced(mut choose: impl FnMut(&Seen<Kuhn>, u64) -> KuhnAction, seeds: u64) -> Strategy {
    let mut strategy = Strategy::default();
    for (line, bets) in LINES.iter().enumerate() {
        for card in 1..=3u8 {
            let other = card % 3 + 1;
            let seat = bets.len() % 2;
            let cards = if seat == 0 { [card, other] } else { [other, card] };
            let bet = |&seed: &u64| choose(&seen(&kuhn(&cards, bets), seed), seed) == KuhnAction::Bet;
            strategy[line][usize::from(card) - 1] = (0..seeds).filter(bet).count() as f64 / seeds as f64;
        }
    }
    strategy
}

/// The chips that the strategy of each seat loses a game, compared with the equilibrium, when the other seat plays that.
fn losses_to_equilibrium(s: &Strategy) -> [f64; 2] {
    let e = &EQUILIBRIUM;
    [VALUE - value(&[s[0], e[1], e[2], s[3]]), value(&[e[0], s[1], s[2], e[3]]) - VALUE]
}

fn show(name: &str, s: &Strategy) -> f64 {
    let [first, second] = losses(s);
    println!("{name}");
    for (line, p) in ["first   ", "pass    ", "bet     ", "pass bet"].iter().zip(s) {
        println!("  {line}  bets with 1, 2, 3: {:.2} {:.2} {:.2}", p[0], p[1], p[2]);
    }
    let own = value(s);
    let [a, b] = losses_to_equilibrium(s);
    println!("  loses to the equilibrium: first seat {a:.4}, second {b:.4}");
    println!(
        "  against itself {own:+.4} (equilibrium {VALUE:+.4}); loses to a best response: first seat {first:.4}, \
         second {second:.4}, mean {:.4}",
        (first + second) / 2.0
    );
    (first + second) / 2.0
}

#[test]
fn the_yardstick_is_right() {
    assert!((value(&EQUILIBRIUM) - VALUE).abs() < 1e-12);
    assert!(losses(&EQUILIBRIUM).iter().all(|loss| loss.abs() < 1e-12));
    assert!(losses_to_equilibrium(&EQUILIBRIUM).iter().all(|loss| loss.abs() < 1e-12));
    // Always betting and always passing, by hand. Who always bets is called by the 3 and, even or better, by the 2.
    let always = [[1.0; 3]; 4];
    assert!(value(&always).abs() < 1e-12);
    assert!((best_response(&always, 1) - 1.0 / 3.0).abs() < 1e-12);
    let never = [[0.0; 3]; 4];
    assert!((best_response(&never, 0) - 1.0).abs() < 1e-12, "every bet wins the ante");
}

/// The exploitability of a kind of information-set search, for several visits and by the most visited action, and last with
/// betting in proportion to visits.
fn exploitability(observers: Observers) -> Vec<f64> {
    let config = IsmctsConfig { observers, early: false, ..Default::default() };
    let name = format!("ismcts, {observers:?}");
    let mut found = Vec::new();
    // More visits change nothing with several observers, and cost more.
    let steps = if observers == Observers::Single { 3 } else { 2 };
    for visits in [1_000, 10_000, 100_000].into_iter().take(steps) {
        let seeds = if visits > 10_000 { 6 } else { 40 };
        let mut search = ismcts(config);
        let strategy = induced(|seen, seed| run(&mut search, seen, visits, seed).best(), seeds);
        found.push(show(&format!("{name}, {visits} visits, most visited, {seeds} seeds"), &strategy));
        // Never folds the 3, never calls with the 1.
        assert_eq!([strategy[2][2], strategy[3][2], strategy[2][0], strategy[3][0]], [1.0, 1.0, 0.0, 0.0]);
    }
    let mut search = ismcts(config);
    let mut shares = Strategy::default();
    induced(
        |seen, seed| {
            let report = run(&mut search, seen, 10_000, seed);
            let bets: Vec<bool> = seen.sample_world().history().collect();
            let line = LINES.iter().position(|line| *line == bets).unwrap();
            let card = usize::from(seen.sample_world().card(seen.seat()).unwrap()) - 1;
            shares[line][card] += row(&report, KuhnAction::Bet).visits as f64 / 10_000.0 / 40.0;
            report.best()
        },
        40,
    );
    found.push(show(&format!("{name}, 10000 visits, in proportion to visits, 40 seeds"), &shares));
    found
}

#[test]
fn known_error_of_information_set_search() {
    // Measured, not wished for: see docs/hidden-information.md. It is far from 0 and does not get there with more visits.
    let losses = exploitability(Observers::Single);
    assert!(losses.iter().all(|&loss| loss > 0.01 && loss < 0.35), "{losses:?}");
}

#[test]
fn known_error_of_several_observers() {
    let losses = exploitability(Observers::Multiple);
    assert!(losses.iter().all(|&loss| loss > 0.01 && loss < 0.35), "{losses:?}");
}

#[test]
fn known_error_of_redeterminizing_search() {
    let losses = exploitability(Observers::Redeterminize);
    assert!(losses.iter().all(|&loss| loss > 0.01 && loss < 0.35), "{losses:?}");
}

#[test]
fn known_error_of_pimc() {
    let mut worst = Vec::new();
    for (combine, name) in [(Combine::Mean, "mean"), (Combine::Vote, "vote")] {
        for samples in [8, 32, 256] {
            let mut search = pimc(samples, combine);
            let strategy = induced(|seen, seed| run(&mut search, seen, 1_000, seed).best(), 100);
            worst.push(show(&format!("pimc by {name}, {samples} worlds, 100 seeds"), &strategy));
            assert_eq!([strategy[2][2], strategy[3][2], strategy[2][0], strategy[3][0]], [1.0, 1.0, 0.0, 0.0]);
        }
    }
    assert!(worst.iter().all(|&loss| loss > 0.01 && loss < 0.35), "{worst:?}");
}
