//! Chance: distributions and samplers.

use super::memory::{Event, Memory};
use super::{Verdict, chi_squared, demand, fail};
use crate::{Game, Rng, Turn, Weighted};

/// How many nodes of each kind of event have their sampler tested.
const TESTED: u32 = 6;

/// The distribution of a node, after looking at it; empty when it is not a listed chance node.
pub(super) fn outcomes<G: Game>(state: &G, legal: &[G::Action]) -> Result<Weighted<G::Action>, super::Problem> {
    let mut outcomes = Vec::new();
    state.chance_outcomes(&mut outcomes);
    let mut again = outcomes.clone();
    again.extend_from_within(..outcomes.len().min(3));
    state.chance_outcomes(&mut again);
    demand!(
        again == outcomes,
        "chance.buffer",
        "a buffer that was not empty gives {again:?} instead of {outcomes:?}: it must be cleared first"
    );
    if !matches!(state.turn(), Turn::Chance(_)) || legal.is_empty() {
        demand!(outcomes.is_empty(), "chance.turn", "this is no listed chance node, but it has outcomes: {outcomes:?}");
        return Ok(outcomes);
    }
    demand!(
        outcomes.iter().map(|o| o.0).eq(legal.iter().copied()),
        "chance.sorted",
        "the outcomes {outcomes:?} are not the listed actions {legal:?} in their order"
    );
    for (action, p) in &outcomes {
        demand!(
            p.is_finite() && *p > 0.0,
            "chance.positive",
            "the probability of {action:?} is {p}, it must be above 0"
        );
    }
    let sum: f64 = outcomes.iter().map(|o| o.1).sum();
    demand!((sum - 1.0).abs() <= 1e-9, "chance.sum", "the probabilities sum to {sum}, not to 1: {outcomes:?}");
    Ok(outcomes)
}

/// The sampler draws legal outcomes, the same from the same generator, and as often as the distribution says.
pub(super) fn sampler<G: Game>(state: &G, outcomes: &Weighted<G::Action>, memory: &mut Memory<G>) -> Verdict {
    let Turn::Chance(kind) = state.turn() else { return Ok(()) };
    let seed = memory.rng.next_u64();
    let mut scratch = Vec::new();
    for i in 0..4 {
        let seed = seed.wrapping_add(i);
        let first = state.sample(&mut Rng::new(seed), &mut Vec::new());
        // Whatever the scratch buffer holds from an earlier node.
        let second = state.sample(&mut Rng::new(seed), &mut scratch);
        demand!(first == second, "chance.repeatable", "one generator gives {first:?} and then {second:?}");
    }
    let tested = &mut memory.sampled[usize::from(kind)];
    let deep = *tested < TESTED;
    *tested += u32::from(deep);
    let mut rng = Rng::new(seed);
    if outcomes.is_empty() {
        for _ in 0..if deep { 50 } else { 3 } {
            let action = state.sample(&mut rng, &mut scratch);
            if let Err(e) = state.check(action) {
                fail!("chance.sampled_legal", "sample draws {action:?}, but check says: {e}; state: {state:?}");
            }
            memory.keep_action(action);
        }
        return Ok(());
    }
    let draws = if deep { (100 * outcomes.len()).clamp(2_000, 20_000) } else { 3 };
    let mut counts = vec![0u64; outcomes.len()];
    for _ in 0..draws {
        let action = state.sample(&mut rng, &mut scratch);
        match outcomes.binary_search_by(|o| o.0.cmp(&action)) {
            Ok(i) => counts[i] += 1,
            Err(_) => fail!("chance.sampled_legal", "sample draws {action:?}, which is none of {outcomes:?}"),
        }
    }
    if deep {
        memory.summary.distributions += 1;
        let probabilities: Vec<f64> = outcomes.iter().map(|o| o.1).collect();
        let test = chi_squared(&counts, &probabilities);
        demand!(
            test.fits(),
            "chance.distribution",
            "{draws} draws do not follow the distribution: chi-squared is {:.1} with {} degrees of freedom, at most {:.1} \
             was to be expected; counts {counts:?} of {outcomes:?}",
            test.statistic,
            test.degrees,
            test.critical
        );
    }
    Ok(())
}

/// Two games of one seed have the same luck: the k-th event of a kind gives the same outcome wherever its distribution is the
/// same, although the players did other things.
pub(super) fn same_luck<G: Game>(first: &[Event<G::Action>], second: &[Event<G::Action>]) -> Verdict {
    let kinds = first.iter().map(|e| e.kind).max().map_or(0, |k| k + 1);
    for kind in 0..kinds {
        let of_kind = |events: &'_ [Event<G::Action>]| {
            events.iter().enumerate().filter(|(_, e)| e.kind == kind).map(|(i, _)| i).collect::<Vec<_>>()
        };
        for (k, (a, b)) in of_kind(first).into_iter().zip(of_kind(second)).enumerate() {
            let (a, b) = (&first[a], &second[b]);
            demand!(
                a.outcomes.is_empty() || a.outcomes != b.outcomes || a.action == b.action,
                "luck.indexed",
                "event {k} of kind {kind} has one distribution in two games of one seed, but gives {:?} and {:?}",
                a.action,
                b.action
            );
        }
    }
    Ok(())
}
