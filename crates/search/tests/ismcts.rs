//! Single-observer information-set search.

mod hidden_support;

use hidden_support::*;
use kiebitz_core::{Budget, Game, Knowledge, ManualClock, Outcome, Rng, Scratch, Seen, Turn, Uniform};
use kiebitz_examples::{Countdown, CountdownOptions, Kuhn, KuhnAction, TicTacToe};
use kiebitz_search::{ChanceNodes, Context, Ismcts, IsmctsConfig, Search, SearchError, StopReason};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

fn ismcts<G: Game>() -> Ismcts<G, Uniform> {
    Ismcts::new(IsmctsConfig { early: false, ..Default::default() }, Uniform)
}

fn tictactoe(moves: &[u8]) -> TicTacToe {
    moves.iter().fold(TicTacToe::new(2, &(), None).unwrap(), |game, &a| after(&game, a))
}

fn kuhn(cards: &[u8], bets: &[bool]) -> Kuhn {
    let mut deal = [0; 4];
    deal[..cards.len()].copy_from_slice(cards);
    let game = after(&Kuhn::new(cards.len() as u8, &(), None).unwrap(), KuhnAction::Deal(deal));
    bets.iter().fold(game, |game, &bet| after(&game, if bet { KuhnAction::Bet } else { KuhnAction::Pass }))
}

#[test]
fn ismcts_converges_on_tictactoe() {
    let empty = tictactoe(&[]);
    let report = run(&mut ismcts(), &seen(&empty, 1), 200_000, 1);
    let value = report.rows[0].utility.of(0);
    assert!((value - 0.5).abs() < 0.03, "the game is a draw, found {value}");
    // Random positions with up to six empty squares: the choice is always one of the best actions.
    let mut rng = Rng::new(5);
    let mut checked = 0;
    while checked < 60 {
        let mut game = tictactoe(&[]);
        for _ in 0..3 + rng.below(5) {
            let actions = legal(&game);
            if !actions.is_empty() {
                game.apply(actions[rng.below(actions.len())]);
            }
        }
        let Some(seat) = game.turn().seat() else { continue };
        let value = exact(&game).of(seat);
        let report = run(&mut ismcts(), &seen(&game, 1), 5_000, checked);
        let chosen = exact(&after(&game, report.best())).of(seat);
        assert_eq!(chosen, value, "{game:?}: {:?}", report.rows);
        assert!((report.rows[0].utility.of(seat) - value).abs() < 0.1, "{game:?}: {:?}", report.rows[0]);
        checked += 1;
    }
}

#[test]
fn ismcts_converges_on_dice() {
    for start in [3, 7, 12] {
        let game = Countdown::new(2, &CountdownOptions { start, faces: 6 }, None).unwrap();
        let value = exact(&game).of(0);
        let report = run(&mut ismcts(), &seen(&game, 1), 200_000, 3);
        let best = &report.rows[0];
        assert!((best.utility.of(0) - value).abs() < 0.01, "start {start}: {} instead of {value}", best.utility.of(0));
        let mut actions = exact_actions(&game);
        actions.sort_by(|a, b| b.1.of(0).total_cmp(&a.1.of(0)));
        assert_eq!(best.action, actions[0].0, "start {start}");
    }
}

/// Textbook UCT (Kocsis, Szepesvári 2006) with the parent's visits, one new node for each simulation: what information-set
/// search must behave like when nothing is hidden.
fn uct_visits(game: &TicTacToe, visits: u32, c: f64, seed: u64) -> Vec<f64> {
    struct Node {
        children: Vec<(u8, usize)>,
        visits: f64,
        sum: f64,
    }
    let new = || Node { children: Vec::new(), visits: 0.0, sum: 0.0 };
    let mut nodes = vec![new()];
    let mut rng = Rng::new(seed);
    let mut scratch = Scratch::default();
    for _ in 0..visits {
        let (mut state, mut at, mut path) = (game.clone(), 0, vec![]);
        while let Turn::Seat(seat) = state.turn() {
            let untried: Vec<u8> =
                legal(&state).into_iter().filter(|a| nodes[at].children.iter().all(|(b, _)| a != b)).collect();
            let (action, child) = if untried.is_empty() {
                let score = |&(_, n): &(u8, usize)| {
                    nodes[n].sum / nodes[n].visits + c * (nodes[at].visits.ln() / nodes[n].visits).sqrt()
                };
                *nodes[at].children.iter().max_by(|a, b| score(a).total_cmp(&score(b))).unwrap()
            } else {
                let action = untried[rng.below(untried.len())];
                nodes.push(new());
                let child = (action, nodes.len() - 1);
                nodes[at].children.push(child);
                child
            };
            state.apply(action);
            path.push((child, seat));
            at = child;
            if !untried.is_empty() {
                break;
            }
        }
        let outcome = Knowledge::playout(&Uniform, &mut state, &mut rng, &mut scratch, None);
        nodes[0].visits += 1.0;
        for (n, seat) in path {
            nodes[n].visits += 1.0;
            nodes[n].sum += outcome.utility.of(seat);
        }
    }
    legal(game)
        .iter()
        .map(|a| nodes[0].children.iter().find(|(b, _)| a == b).map_or(0.0, |&(_, n)| nodes[n].visits))
        .collect()
}

#[test]
fn ismcts_is_uct_with_perfect_information() {
    let (runs, visits, c) = (200, 600, 0.7);
    for moves in [&[4, 0][..], &[0, 4, 8]] {
        let game = tictactoe(moves);
        let actions = legal(&game);
        let mut samples = vec![(Vec::new(), Vec::new()); actions.len()];
        for seed in 0..runs {
            let report = run(&mut ismcts(), &seen(&game, 1), visits, seed);
            let uct = uct_visits(&game, visits as u32, c, 1_000 + seed);
            for (i, &action) in actions.iter().enumerate() {
                samples[i].0.push(row(&report, action).visits as f64);
                samples[i].1.push(uct[i]);
            }
        }
        let stats = |x: &[f64]| {
            let n = x.len() as f64;
            let mean = x.iter().sum::<f64>() / n;
            (mean, x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0) / n)
        };
        for (action, (ours, theirs)) in actions.iter().zip(&samples) {
            let ((a, va), (b, vb)) = (stats(ours), stats(theirs));
            let z = (a - b) / (va + vb).sqrt();
            // Availability counts start when a child is made, so exploration is a hair smaller than with parent visits.
            assert!(z.abs() < 4.5 || (a - b).abs() < 0.01 * visits as f64, "action {action}: {a} against {b}, z {z}");
        }
    }
}

#[test]
fn p7_availability_counts() {
    // The worth of 0.2 for every door leaves nothing to prefer.
    let game = Doors::with([2, 2, 2, 2]);
    let mut search = ismcts();
    let visits = 30_000;
    let report = run(&mut search, &seen(&game, 1), visits, 11);
    for row in &report.rows {
        assert_eq!(row.availability, visits, "the own actions are legal in every world");
        let branches = search.branches(&[row.action]);
        assert_eq!(branches.iter().map(|b| b.action).collect::<Vec<_>>(), [0, 1, 2, 3]);
        // The simulation that made the node ends there; all others go on to one of its children.
        assert_eq!(branches.iter().map(|b| b.visits).sum::<u64>(), row.visits - 1);
        for (branch, p) in branches.iter().zip([1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0]) {
            assert_eq!(branch.by, Some(1));
            assert!(branch.visits <= branch.availability);
            let n = (row.visits - 1) as f64;
            let deviation = (n * p * (1.0 - p)).sqrt();
            // A child's count begins with the simulation that made it: a few earlier ones may be missing.
            let missing = n * p - branch.availability as f64;
            assert!(missing.abs() < 4.0 * deviation + 8.0, "door {}: {branch:?} of {n}", branch.action);
        }
    }
}

#[test]
fn p7_seldom_available_action_is_still_found() {
    // Door 3 is open in one world of six, and there it is the best: it must be taken nearly whenever it is open, and the
    // doors that are worth less than door 0 must not.
    let game = Doors::with([5, 0, 0, 10]);
    let mut search = ismcts();
    let report = run(&mut search, &seen(&game, 1), 20_000, 2);
    for branch in search.branches(&[report.best()]) {
        let share = branch.visits as f64 / branch.availability as f64;
        match branch.action {
            0 => assert!((branch.mean - 0.5).abs() < 1e-9),
            3 => assert!(share > 0.9, "{branch:?}"),
            _ => assert!(share < 0.02, "{branch:?}"),
        }
    }
    // 5/6 of 0.5 and 1/6 of 1 for seat 1.
    let value = report.rows[0].utility.of(1);
    assert!((value - 7.0 / 12.0).abs() < 0.02, "{value}");
}

#[test]
fn p3_root_formula() {
    // One visit, two visits, and a node limit reached at once: the formula at the root needs no parent.
    for visits in 1..=5 {
        let report = run(&mut ismcts(), &seen(&tictactoe(&[]), 1), visits, 1);
        assert_eq!(report.visits, visits);
        assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), visits);
        assert!(report.rows.iter().all(|r| r.utility.of(0).is_finite() && r.availability == visits));
    }
}

#[test]
fn hidden_actions_share_a_node() {
    let mut search = ismcts();
    let report = run(&mut search, &seen(&Coin::default(), 1), 30_000, 4);
    assert_eq!(report.best(), 0, "{:?}", report.rows);
    let dare = row(&report, 1).utility.of(0);
    assert!((dare - 1.0 / 3.0).abs() < 0.06, "a guess is right one time in three, found {dare}");
    let hands = search.branches(&[1]);
    assert_eq!(hands.iter().map(|b| (b.by, b.action)).collect::<Vec<_>>(), [(Some(1), SOME_HAND)]);
    let guesses = search.branches(&[1, SOME_HAND]);
    assert_eq!(guesses.iter().map(|b| b.action).collect::<Vec<_>>(), [20, 21, 22]);
    // The seat that hides sees its own hand, so for it the three stay apart.
    let hiding = after(&Coin::default(), 1);
    let report = run(&mut ismcts(), &seen(&hiding, 1), 300, 4);
    assert_eq!(report.rows.len(), 3);
}

#[test]
fn kuhn_dominated_actions_are_never_chosen() {
    for players in 2..=4u8 {
        let highest = players + 1;
        for seed in 0..12 {
            for (card, dominated) in [(highest, KuhnAction::Pass), (1, KuhnAction::Bet)] {
                // The first seat bets, the second answers; the first passes, the second bets, and so on.
                for passes in 0..players {
                    let mut bets = vec![false; usize::from(passes)];
                    bets.push(true);
                    let others = (1..=highest).filter(|&c| c != card).collect::<Vec<_>>();
                    let seat = (passes + 1) % players;
                    let mut cards: Vec<u8> = others[..usize::from(players)].to_vec();
                    cards[usize::from(seat)] = card;
                    let game = kuhn(&cards, &bets);
                    let report = run(&mut ismcts(), &seen(&game, seed), 10_000, seed);
                    assert_ne!(report.best(), dominated, "{game:?}: {:?}", report.rows);
                }
            }
        }
    }
}

#[test]
fn reports_repeat() {
    let game = kuhn(&[2, 3, 1], &[false]);
    let mut search = ismcts();
    let first = run(&mut search, &seen(&game, 1), 3_000, 9);
    assert_eq!(run(&mut search, &seen(&game, 1), 3_000, 9), first, "a used search");
    assert_eq!(run(&mut ismcts(), &seen(&game, 1), 3_000, 9), first, "a fresh search");
    assert_ne!(run(&mut ismcts(), &seen(&game, 1), 3_000, 10).rows, first.rows);
    search.reset();
    assert!(search.branches(&[]).is_empty());
    assert_eq!(run(&mut search, &seen(&game, 1), 3_000, 9), first);
}

#[test]
fn threads_lose_nothing() {
    let game = kuhn(&[2, 3, 1], &[]);
    for threads in [2, 3, 8] {
        let config = IsmctsConfig { threads, early: false, ..Default::default() };
        let mut search = Ismcts::new(config, Uniform);
        let report = run(&mut search, &seen(&game, 1), 10_001, 3);
        assert_eq!(report.visits, 10_001);
        assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), 10_001);
        assert!(report.rows.iter().all(|r| r.availability == 10_001));
        let branches = search.branches(&[]);
        assert_eq!(branches.iter().map(|b| b.visits).sum::<u64>(), 10_001);
        for branch in branches {
            let row = row(&report, branch.action);
            assert!((row.utility.of(0) - branch.mean).abs() < 1e-12 && row.visits == branch.visits);
        }
        assert_eq!(run(&mut search, &seen(&game, 1), 10_001, 3), report, "shares of a visit budget are fixed");
    }
    // More threads than simulations.
    let report =
        run(&mut Ismcts::new(IsmctsConfig { threads: 8, ..Default::default() }, Uniform), &seen(&game, 1), 3, 3);
    assert_eq!(report.visits, 3);
}

#[test]
fn a_full_tree_goes_on() {
    let game = Countdown::new(2, &CountdownOptions { start: 60, faces: 6 }, None).unwrap();
    let config = IsmctsConfig { memory: 1, early: false, ..Default::default() };
    let report = run(&mut Ismcts::new(config, Uniform), &seen(&game, 1), 60_000, 3);
    assert_eq!(report.visits, 60_000);
    assert!(report.bytes <= 1 << 20 && report.bytes > (1 << 20) - 64, "{}", report.bytes);
    assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), 60_000);
    let config = IsmctsConfig { memory: 1, threads: 4, early: false, ..Default::default() };
    let report = run(&mut Ismcts::new(config, Uniform), &seen(&game, 1), 60_000, 3);
    assert!(report.bytes <= 1 << 20);
    assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), 60_000);
}

/// Counts playouts, and raises a flag in the one of a given number.
struct Flagging<'a> {
    count: AtomicU64,
    at: u64,
    flag: &'a AtomicBool,
}

impl<G: Game> Knowledge<G> for Flagging<'_> {
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
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let knowledge = Flagging { count: AtomicU64::new(0), at: 10, flag: &stop };
    let mut search = Ismcts::new(IsmctsConfig::default(), knowledge);
    let context = Context::new(Budget::visits(1_000_000), &clock, &stop, 1);
    let report = search.run(&seen(&tictactoe(&[]), 1), &context).unwrap();
    assert_eq!((report.visits, report.stop), (10, StopReason::Stopped));
    // Told before it began: one simulation all the same.
    let report = search.run(&seen(&tictactoe(&[]), 1), &context).unwrap();
    assert_eq!((report.visits, report.stop), (1, StopReason::Stopped));
    let mut search = Ismcts::new(IsmctsConfig { threads: 4, ..Default::default() }, Uniform);
    let report = search.run(&seen(&tictactoe(&[]), 1), &context).unwrap();
    assert_eq!((report.visits, report.stop), (1, StopReason::Stopped));
}

#[test]
fn time_ends_it() {
    let (clock, stop) = (Ticking(AtomicU64::new(0), 10), AtomicBool::new(false));
    for threads in [1, 2] {
        let mut search = Ismcts::new(IsmctsConfig { threads, early: false, ..Default::default() }, Uniform);
        let budget = Budget::time(Duration::from_millis(5));
        let report = search.run(&seen(&tictactoe(&[]), 1), &Context::new(budget, &clock, &stop, 1)).unwrap();
        assert_eq!(report.stop, StopReason::Time);
        assert!((100..=500).contains(&report.visits), "{}", report.visits);
        assert!(report.elapsed >= Duration::from_millis(5));
    }
}

#[test]
fn early_end_does_not_change_the_choice() {
    for seed in 0..20 {
        let game = tictactoe(&[0, 1, 3, 4]);
        let full = run(&mut ismcts(), &seen(&game, 1), 4_000, seed);
        for threads in [1, 3] {
            let config = IsmctsConfig { threads, ..Default::default() };
            let early = run(&mut Ismcts::new(config, Uniform), &seen(&game, 1), 4_000, seed);
            assert_eq!((early.stop, early.best()), (StopReason::Settled, full.best()));
            assert!(early.visits < 4_000);
        }
    }
    // With the middle card both actions are worth much the same: the lead changes hands until late.
    let game = kuhn(&[2, 1], &[]);
    for seed in 0..300 {
        let full = run(&mut ismcts(), &seen(&game, 1), 1_000, seed);
        let early = run(&mut Ismcts::new(IsmctsConfig::default(), Uniform), &seen(&game, 1), 1_000, seed);
        assert_eq!(early.best(), full.best(), "seed {seed}, stopped at {}", early.visits);
    }
    // A single legal action needs no search.
    let forced = tictactoe(&[0, 1, 2, 4, 3, 5, 7, 6]);
    let report = run(&mut Ismcts::new(IsmctsConfig::default(), Uniform), &seen(&forced, 1), 100_000, 1);
    assert_eq!((report.stop, report.rows.len(), report.visits), (StopReason::Complete, 1, 1));
}

#[test]
fn progress_is_told() {
    let (clock, stop) = (Ticking(AtomicU64::new(0), 100), AtomicBool::new(false));
    for threads in [1, 3] {
        let (reports, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let told = |report: &kiebitz_search::Report<TicTacToe>| {
            assert_eq!(report.stop, StopReason::Stopped);
            assert_eq!(report.rows.iter().map(|r| r.visits).sum::<u64>(), report.visits);
            reports.fetch_add(1, Ordering::Relaxed);
            most.fetch_max(report.visits, Ordering::Relaxed);
        };
        let mut context = Context::new(Budget::visits(5_000), &clock, &stop, 1);
        context.progress = Some(&told);
        context.progress_every = Duration::from_millis(1);
        let mut search = Ismcts::new(IsmctsConfig { threads, early: false, ..Default::default() }, Uniform);
        let report = search.run(&seen(&tictactoe(&[]), 1), &context).unwrap();
        assert_eq!(report.visits, 5_000);
        assert!(reports.load(Ordering::Relaxed) > 5);
        assert!(most.load(Ordering::Relaxed) <= 5_000);
    }
}

#[test]
fn refusals() {
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let mut search = ismcts();
    let none = Context::new(Budget::default(), &clock, &stop, 1);
    assert_eq!(search.run(&seen(&kuhn(&[1, 2], &[]), 1), &none), Err(SearchError::NoBudget));
    let some = Context::new(Budget::visits(10), &clock, &stop, 1);
    let undealt = Kuhn::new(2, &(), None).unwrap();
    assert_eq!(search.run(&seen(&undealt, 1), &some), Err(SearchError::NotAPlayersTurn));
    let over = kuhn(&[1, 2], &[true, true]);
    assert_eq!(search.run(&seen(&over, 1), &some), Err(SearchError::NotAPlayersTurn));
    // Another seat's turn.
    let game = kuhn(&[1, 2], &[]);
    let other = Seen::new(&game, 1, &Default::default(), &mut Rng::new(1));
    assert_eq!(search.run(&other, &some), Err(SearchError::NotAPlayersTurn));
}

#[test]
fn lines_can_be_replayed() {
    let game = tictactoe(&[0, 1, 3, 4]);
    let report = run(&mut ismcts(), &seen(&game, 1), 2_000, 1);
    for row in &report.rows {
        assert_eq!(row.pv[0], row.action);
        row.pv.iter().fold(game.clone(), |g, &a| after(&g, a));
    }
    assert!(report.rows[1].pv.len() >= 2, "{:?}", report.rows[1]);
    // Chance ends a line.
    let dice = Countdown::new(2, &CountdownOptions::default(), None).unwrap();
    for chance in [ChanceNodes::Never, ChanceNodes::Listed, ChanceNodes::Always] {
        let config = IsmctsConfig { chance, ..Default::default() };
        let report = run(&mut Ismcts::new(config, Uniform), &seen(&dice, 1), 2_000, 1);
        assert!(report.rows.iter().all(|r| r.pv == [r.action]));
    }
}

/// Priors that know the best door.
struct Knowing;

impl Knowledge<Doors> for Knowing {
    type Buffer = ();
    fn prior(&self, _: &Doors, actions: &[u8], out: &mut [f32]) {
        for (p, &action) in out.iter_mut().zip(actions) {
            *p = if action == 0 || action == 7 { 0.9 } else { 0.1 };
        }
    }
}

#[test]
fn priors_lead_the_first_visits() {
    let game = Doors::with([2, 2, 2, 2]);
    let config = IsmctsConfig { bias: 2.0, early: false, ..Default::default() };
    let report = run(&mut Ismcts::new(config, Knowing), &seen(&game, 1), 1, 1);
    assert_eq!((report.best(), report.rows[0].prior), (7, Some(f64::from(0.9f32))));
    let report = run(&mut Ismcts::new(config, Knowing), &seen(&game, 1), 100, 1);
    assert!(row(&report, 7).visits > row(&report, 8).visits);
    // With urgency below what the first action is worth, the second one waits.
    let config = IsmctsConfig { fpu: 0.3, c: 0.0, early: false, ..Default::default() };
    let report = run(&mut Ismcts::new(config, Uniform), &seen(&game, 1), 100, 1);
    assert_eq!(report.rows.len(), 1, "{:?}", report.rows);
}
