//! How long two-player endgames with open cards take: `cargo run --release -p kiebitz-paodekuai --example solver_times`.
//!
//! Random hands out of the deck of `duel16`, seat 0 leads; every position is solved for win or loss by a solver that remembers
//! nothing of the one before.

use std::time::Instant;

use kiebitz_core::{Game, Rng};
use kiebitz_paodekuai::{CardSet, Options, PaoDeKuai, Setup, Solver};

fn times(cards: usize, number: usize, value: bool, rng: &mut Rng) {
    let options = Options::preset("duel16").expect("a preset");
    let (mut times, mut visits, mut wins, mut unsolved) = (Vec::new(), Vec::new(), 0, 0);
    for _ in 0..number {
        let start = PaoDeKuai::new(2, &options, None).expect("a preset is possible");
        let mut deck = start.rules().deck().to_vec();
        rng.shuffle(&mut deck);
        let hand = |from: usize| deck[from..from + cards].iter().copied().collect::<CardSet>().ranks();
        let mut setup = Setup::lead(&[hand(0), hand(cards)], 0);
        setup.plays_made = vec![1, 1];
        let game = PaoDeKuai::new(2, &options, Some(&setup)).expect("a possible position");
        let begin = Instant::now();
        let mut solver = Solver::new(game.rules(), 50_000_000);
        let solved =
            if value { solver.value(game.state(), 0).map(|value| value > 0) } else { solver.wins(game.state(), 0) };
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        visits.push(solver.visited());
        match solved {
            Ok(won) => wins += usize::from(won),
            Err(_) => unsolved += 1,
        }
    }
    times.sort_by(f64::total_cmp);
    visits.sort_unstable();
    let at = |share: f64| ((number - 1) as f64 * share) as usize;
    println!(
        "{} {cards}+{cards}: median {:.3} ms, 90 % {:.3} ms, 99 % {:.3} ms, longest {:.1} ms; positions median {}, most {}; leader wins {:.1} %, unsolved {unsolved}",
        if value { "value" } else { "win or loss" },
        times[at(0.5)],
        times[at(0.9)],
        times[at(0.99)],
        times[at(1.0)],
        visits[at(0.5)],
        visits[at(1.0)],
        100.0 * wins as f64 / number as f64
    );
}

fn main() {
    let mut rng = Rng::new(1);
    for cards in [5, 8, 10, 12] {
        times(cards, 500, false, &mut rng);
    }
    for cards in [5, 8] {
        times(cards, 200, true, &mut rng);
    }
}
