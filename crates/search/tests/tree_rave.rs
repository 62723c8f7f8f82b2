//! RAVE, priors, progressive bias and widening, PUCT.

mod tree_games;

use std::sync::Mutex;

use kiebitz_core::{Game, Knowledge, Outcome, Payoff, Rng, Scratch, Trace, Turn};
use kiebitz_search::select::{Rave, Widening};
use kiebitz_search::{Puct, PuctSettings, Search, Uct, UctSettings};

use tree_games::explicit::{Explicit, choice, end};
use tree_games::hex::{Hex, HexKnowledge};
use tree_games::{full, run};

fn rave(rave: Rave) -> UctSettings {
    UctSettings { rave, c: 0.0, ..full() }
}

/// A playout that claims to have gone as told: action 5 is a pass.
struct Told(Vec<(u8, u8)>);

impl Knowledge<Explicit> for Told {
    type Buffer = ();

    fn playout(
        &self,
        _: &mut Explicit,
        _: &mut Rng,
        _: &mut Scratch<Explicit>,
        trace: Option<&mut Trace<u8>>,
    ) -> Outcome {
        trace.expect("RAVE asks for the moves").extend(&self.0);
        Outcome { utility: Payoff::new(&[0.75, 0.25]), returns: Payoff::new(&[3.0, 1.0]) }
    }

    fn amaf(&self, _: &Explicit, action: u8) -> Option<u32> {
        (action != 5).then_some(u32::from(action))
    }

    fn amaf_size(&self, _: &Explicit) -> u32 {
        5
    }
}

#[test]
fn go_36_amaf_counts_own_first_moves_only() {
    let side = || choice(1, (0..6).map(|_| choice(0, vec![end(&[0.5, 0.5]), end(&[0.5, 0.5])])).collect());
    let game = Explicit::start(2, choice(0, (0..6).map(|_| side()).collect()));
    // Both seats play 1 and 2, in different order; seat 0 plays 3 twice; 4 is seat 1's; 5 is a pass; 9 is out of the table.
    let told = Told(vec![(1, 1), (0, 2), (1, 2), (0, 1), (0, 3), (1, 4), (0, 3), (0, 5), (0, 9)]);
    let mut search = Uct::new(told, rave(Rave::Mse { bias: 0.01 }));
    let first = run(&mut search, &game, 1, 1).best();
    for action in 0..6u8 {
        let node = search.node(&[action]).unwrap();
        let expected = match action {
            5 => false,
            a if a == first => true,
            2 | 3 => true,
            _ => false,
        };
        assert_eq!(node.amaf_visits, u64::from(expected), "action {action}, first {first}");
        assert_eq!(node.amaf_value, if expected { 0.75 } else { 0.0 }, "in the eyes of seat 0");
    }
    // Deeper down, seat 1's children: they take part in seat 1's result.
    run(&mut search, &game, 200, 1);
    let mut seen = 0;
    for action in 0..6u8 {
        let node = search.node(&[action]).unwrap();
        for &reply in &node.children {
            let child = search.node(&[action, reply]).unwrap();
            let told_so = (reply == 1 || reply == 4) && action != reply;
            // The playout's result or, where the tree reaches an end, that of the end.
            assert!(child.amaf_visits == 0 || (0.25..=0.5).contains(&child.amaf_value));
            if told_so && node.visits > 2 {
                assert!(child.amaf_visits > 0, "{action} {reply}");
                seen += 1;
            }
            if reply == 5 || (reply == 2 || reply == 3) && child.visits == 0 {
                assert_eq!(child.amaf_visits, 0, "{action} {reply}");
            }
        }
    }
    assert!(seen > 0);
}

/// Fills the board in ascending order and notes the result.
struct Ascending(Mutex<Vec<Hex<4>>>);

impl Knowledge<Hex<4>> for Ascending {
    type Buffer = ();

    fn playout(
        &self,
        game: &mut Hex<4>,
        _: &mut Rng,
        scratch: &mut Scratch<Hex<4>>,
        trace: Option<&mut Trace<u16>>,
    ) -> Outcome {
        let trace = trace.unwrap();
        while let Turn::Seat(seat) = game.turn() {
            game.actions(&mut scratch.actions);
            trace.push((seat, scratch.actions[0]));
            game.apply(scratch.actions[0]);
        }
        self.0.lock().unwrap().push(game.clone());
        Outcome::of(game)
    }

    fn amaf(&self, _: &Hex<4>, action: u16) -> Option<u32> {
        Some(u32::from(action))
    }

    fn amaf_size(&self, _: &Hex<4>) -> u32 {
        16
    }
}

#[test]
fn amaf_sums_are_those_of_the_final_positions() {
    let game = Hex::<4>::empty();
    let mut search = Uct::new(Ascending(Mutex::new(Vec::new())), rave(Rave::Hand { k: 50.0 }));
    run(&mut search, &game, 60, 1);
    let told = search.knowledge().0.lock().unwrap();
    assert_eq!(told.len(), 60, "no game ended within the tree");
    for cell in 0..16u16 {
        let own: Vec<_> = told.iter().filter(|end| end.owner(cell) == Some(0)).collect();
        let wins = own.iter().filter(|end| end.utility().of(0) == 1.0).count();
        let node = search.node(&[cell]).unwrap();
        assert_eq!(node.amaf_visits, own.len() as u64, "cell {cell}");
        assert!((node.amaf_value * own.len() as f64 - wins as f64).abs() < 1e-9);
    }
}

/// Plays `games` games of 7x7 Hex with a visit budget, colours in turn, and returns the wins of the first search.
fn duel(first: &UctSettings, second: &UctSettings, visits: u64, games: u64) -> u64 {
    let mut wins = 0;
    for round in 0..games {
        let mut searches = [Uct::new(HexKnowledge, first.clone()), Uct::new(HexKnowledge, second.clone())];
        let mut game = Hex::<7>::empty();
        while let Turn::Seat(seat) = game.turn() {
            let turn = usize::from(seat) ^ (round % 2) as usize;
            let action = run(&mut searches[turn], &game, visits, round * 1000 + 7).best();
            game.apply(action);
            searches.iter_mut().for_each(|search| search.observe(action));
        }
        wins += u64::from(game.utility().of((round % 2) as u8) == 1.0);
    }
    wins
}

#[test]
fn go_36_rave_beats_uct_with_few_visits() {
    let mut uct = UctSettings::default();
    uct.tree.reuse = false;
    let mut with_rave = UctSettings::rave();
    with_rave.tree.reuse = false;
    let wins = duel(&with_rave, &uct, 100, 40);
    // Equal players win 29 or more of 40 with probability 0.003. The seeds are fixed.
    assert!(wins >= 29, "{wins} of 40");
}

/// Prior weights of the root's actions; uniform elsewhere.
struct Prior(Vec<f32>);

impl Knowledge<Explicit> for Prior {
    type Buffer = ();

    fn prior(&self, game: &Explicit, actions: &[u8], out: &mut [f32]) {
        assert!(actions.is_sorted());
        if game.path.is_empty() {
            let sum: f32 = self.0.iter().sum();
            for (out, &action) in out.iter_mut().zip(actions) {
                *out = self.0[usize::from(action)] / sum;
            }
        } else {
            out.fill(1.0 / actions.len() as f32);
        }
    }
}

/// Six actions of equal value.
fn equals() -> Explicit {
    Explicit::start(2, choice(0, (0..6).map(|_| end(&[0.5, 0.5])).collect()))
}

fn weights() -> Prior {
    Prior(vec![1.0, 6.0, 2.0, 5.0, 3.0, 4.0])
}

fn visits(search: &mut impl Search<Explicit>, game: &Explicit, n: u64) -> Vec<u64> {
    let report = run(search, game, n, 1);
    (0..6).map(|a| report.rows.iter().find(|row| row.action == a).map_or(0, |row| row.visits)).collect()
}

#[test]
fn widening_looks_at_the_best_priors_first() {
    let settings = UctSettings { widening: Some(Widening { factor: 1.0, power: 0.5 }), ..full() };
    for (n, width) in [(1, 1), (2, 1), (4, 2), (10, 3), (17, 4), (40, 6)] {
        let counts = visits(&mut Uct::new(weights(), settings.clone()), &equals(), n);
        let tried: Vec<usize> = [1, 3, 5, 4, 2, 0].into_iter().take_while(|&a| counts[a] > 0).collect();
        assert_eq!(tried.len(), counts.iter().filter(|&&n| n > 0).count(), "in the order of the prior: {counts:?}");
        assert_eq!(tried.len(), width, "{n} visits: {counts:?}");
    }
}

#[test]
fn untried_moves_come_by_prior_where_it_is_used() {
    let settings = UctSettings { bias: 0.001, ..full() };
    for n in 1..6 {
        let counts = visits(&mut Uct::new(weights(), settings.clone()), &equals(), n);
        assert_eq!([1, 3, 5, 4, 2, 0].into_iter().filter(|&a| counts[a] > 0).count() as u64, n);
        assert!([1, 3, 5, 4, 2, 0].into_iter().take(n as usize).all(|a| counts[a] == 1), "{counts:?}");
    }
}

#[test]
fn progressive_bias_prefers_and_fades() {
    let spread = |n: u64, bias: f64| {
        let counts = visits(&mut Uct::new(weights(), UctSettings { bias, ..full() }), &equals(), n);
        assert!(counts[1] >= counts[3] && counts[3] >= counts[5] && counts[4] >= counts[2] && counts[2] >= counts[0]);
        counts[1] as f64 / counts[0] as f64
    };
    let (few, many) = (spread(60, 10.0), spread(6000, 10.0));
    assert!(few > 1.2, "{few}");
    assert!(many < few && many < 1.2, "{many}");
    assert!(spread(60, 0.0) < 1.1);
}

#[test]
fn priors_count_as_earlier_visits() {
    // With 20 earlier visits each, the favourite is visited before others are tried at all.
    let settings = UctSettings { prior_visits: 20.0, c: 0.1, ..full() };
    let counts = visits(&mut Uct::new(weights(), settings), &equals(), 12);
    assert!(counts[1] >= 4 && counts[0] == 0, "{counts:?}");
    // Facts overrule the prior in the end.
    let mut ends: Vec<_> = (0..6).map(|_| end(&[0.2, 0.8])).collect();
    ends[0] = end(&[0.9, 0.1]);
    let game = Explicit::start(2, choice(0, ends));
    let settings = UctSettings { prior_visits: 20.0, c: 0.5, ..full() };
    let counts = visits(&mut Uct::new(weights(), settings), &game, 2000);
    assert!(counts[0] > 1000, "{counts:?}");
}

#[test]
fn first_play_urgency_decides_when_others_are_tried() {
    // The first action tried is worth 0.9 for everybody: with urgency 0.8 no other is ever tried while c is 0.
    let game = Explicit::start(2, choice(0, (0..6).map(|_| end(&[0.9, 0.1])).collect()));
    let counts = visits(&mut Uct::new(weights(), UctSettings { fpu: 0.8, c: 0.0, ..full() }), &game, 50);
    assert_eq!(counts.iter().filter(|&&n| n > 0).count(), 1, "{counts:?}");
    let counts = visits(&mut Uct::new(weights(), UctSettings { fpu: 1.0, c: 0.0, ..full() }), &game, 50);
    assert!(counts.iter().all(|&n| n > 0), "{counts:?}");
}

#[test]
fn puct_follows_the_prior_then_the_values() {
    let mut settings = PuctSettings::default();
    settings.tree.early_stop = false;
    let mut search = Puct::new(weights(), settings.clone());
    let report = run(&mut search, &equals(), 1, 1);
    assert_eq!(report.best(), 1);
    assert_eq!(report.rows[0].prior, Some(f64::from(6.0f32 / 21.0)));
    search.reset();
    // With equal values, the visits are in proportion to the prior.
    let counts = visits(&mut search, &equals(), 2100);
    for (action, weight) in [1.0, 6.0, 2.0, 5.0, 3.0, 4.0].into_iter().enumerate() {
        assert!((counts[action] as f64 - 100.0 * weight).abs() < 20.0, "{counts:?}");
    }
    let mut ends: Vec<_> = (0..6).map(|_| end(&[0.2, 0.8])).collect();
    ends[0] = end(&[0.9, 0.1]);
    let game = Explicit::start(2, choice(0, ends));
    let counts = visits(&mut Puct::new(weights(), settings), &game, 1000);
    assert!(counts[0] > 800, "{counts:?}");
}

/// A position is worth what the game says, without a playout.
struct Static;

impl Knowledge<Explicit> for Static {
    type Buffer = ();

    fn playout(
        &self,
        game: &mut Explicit,
        _: &mut Rng,
        _: &mut Scratch<Explicit>,
        _: Option<&mut Trace<u8>>,
    ) -> Outcome {
        Outcome { utility: Payoff::uniform(2, 1.0), returns: game.returns() }
    }

    fn evaluate(&self, _: &Explicit) -> Option<Payoff> {
        Some(Payoff::new(&[0.25, 0.75]))
    }
}

#[test]
fn evaluation_takes_its_share_of_the_value() {
    let game = Explicit::start(2, choice(0, vec![choice(1, vec![end(&[0.0, 0.0])])]));
    for (eval, expected) in [(0.0, 1.0), (0.5, 0.625), (1.0, 0.25)] {
        let mut settings = full();
        settings.tree.eval = eval;
        let report = run(&mut Uct::new(Static, settings), &game, 1, 1);
        assert_eq!(report.rows[0].utility.of(0), expected);
        assert_eq!(report.rows[0].returns.is_some(), eval < 1.0);
    }
}

/// Leaves only even actions to look at.
struct Even;

impl Knowledge<Explicit> for Even {
    type Buffer = ();

    fn prune(&self, _: &Explicit, actions: &mut Vec<u8>) {
        actions.retain(|a| a % 2 == 0);
    }
}

#[test]
fn pruned_actions_never_enter_the_tree() {
    let report = run(&mut Uct::new(Even, full()), &equals(), 100, 1);
    let mut actions: Vec<u8> = report.rows.iter().map(|row| row.action).collect();
    actions.sort_unstable();
    assert_eq!(actions, [0, 2, 4]);
}
