//! The generator against the rules written down naively, for leads and follows, in every preset and the option sets of the traces.
//!
//! The full number of hands of the acceptance test: `KIEBITZ_HANDS=10000 cargo test --release -p kiebitz-paodekuai --test legality`.

mod common;

use common::{all_sets, naive, random_hand, repeats};
use kiebitz_core::Rng;
use kiebitz_paodekuai::{Action, Cards, Reading, Rules, Situation};

/// A trick that somebody may have played, of any reading.
fn random_trick(rules: &Rules, rng: &mut Rng) -> Option<Reading> {
    let hand = random_hand(rules, 12, rng);
    let sets = naive::subsets(hand);
    // The longer of two, so that not nearly all are singles.
    for _ in 0..40 {
        let set = sets[rng.below(sets.len())];
        let empties = rng.chance(0.2);
        let readings = naive::readings(rules.options(), set, empties);
        if !readings.is_empty() {
            return Some(readings[rng.below(readings.len())]);
        }
    }
    None
}

fn listed(rules: &Rules, situation: &Situation, buffer: &mut Vec<Action>) -> Vec<Cards> {
    rules.plays(situation, buffer);
    assert!(buffer.windows(2).all(|pair| pair[0] < pair[1]), "sorted, without duplicates: {buffer:?}");
    buffer.iter().map(|action| action.cards()).collect()
}

#[test]
fn legal_plays_equal_brute_force() {
    let mut buffer = Vec::new();
    let (mut follows, mut beaten) = (0, 0);
    for (number, (name, options, players)) in all_sets().into_iter().enumerate() {
        let rules = Rules::new(&options, players).unwrap();
        let mut rng = Rng::new(number as u64);
        for _ in 0..repeats(120) {
            let hand = random_hand(&rules, 12, &mut rng);
            let highest_single = rng.chance(0.3);
            let include = hand.lowest_rank().filter(|_| rng.chance(0.3));
            let lead = Situation { hand, trick: None, must_include: include, highest_single };
            let expected = naive::plays(&options, hand, None, include, highest_single);
            assert!(!expected.is_empty(), "{name}: a legal lead always exists, for {hand}");
            let found = listed(&rules, &lead, &mut buffer);
            assert!(found.iter().eq(expected.iter()), "{name}: leads of {lead:?}\n{found:?}\n{expected:?}");
            for set in naive::subsets(hand) {
                let readings = naive::readings(&options, set, set == hand);
                assert_eq!(rules.readings(set, set == hand), readings, "{name}: {set} of {hand}");
            }
            for _ in 0..4 {
                let Some(trick) = random_trick(&rules, &mut rng) else { continue };
                let follow = Situation { hand, trick: Some(trick), must_include: None, highest_single };
                let expected = naive::plays(&options, hand, Some(&trick), None, highest_single);
                let found = listed(&rules, &follow, &mut buffer);
                assert!(found.iter().eq(expected.iter()), "{name}: on {follow:?}\n{found:?}\n{expected:?}");
                assert_eq!(rules.can_beat(hand, &trick), !expected.is_empty(), "{name}: can {hand} beat {trick:?}?");
                let bomb = |set: &&Cards| {
                    naive::readings(&options, **set, false).iter().any(|r| r.class == kiebitz_paodekuai::Class::Bomb)
                };
                let without = expected.iter().any(|set| !bomb(&set));
                assert_eq!(
                    rules.can_beat_without_bomb(hand, &trick),
                    without,
                    "{name}: {hand} without bomb on {trick:?}"
                );
                follows += 1;
                beaten += usize::from(!expected.is_empty());
                for &set in &expected {
                    let reading = rules.follow_reading(set, &trick, set == hand).expect("a legal play is read");
                    let best = naive::readings(&options, set, set == hand);
                    let best = best.iter().filter(|r| naive::beats(&options, r, &trick)).max_by_key(|r| r.key);
                    assert_eq!(Some(&reading), best, "{name}: {set} on {trick:?}");
                }
            }
        }
    }
    assert!(beaten * 5 > follows, "tricks that nothing beats test little: {beaten} of {follows}");
}

/// Section 14.3, 2: a strict partial order, transitive inside a class, size and number of kickers.
#[test]
fn beating_is_a_strict_order() {
    for (number, (name, options, players)) in all_sets().into_iter().enumerate() {
        let rules = Rules::new(&options, players).unwrap();
        let mut rng = Rng::new(1000 + number as u64);
        let tricks: Vec<Reading> = (0..40).filter_map(|_| random_trick(&rules, &mut rng)).collect();
        for a in &tricks {
            assert!(!rules.beats(a, a), "{name}: {a:?} beats itself");
            for b in &tricks {
                assert!(!(rules.beats(a, b) && rules.beats(b, a)), "{name}: {a:?} and {b:?} beat each other");
                assert_eq!(rules.beats(a, b), naive::beats(&options, a, b), "{name}: {a:?} on {b:?}");
                let alike = |c: &Reading| (c.class, c.size, c.kickers) == (a.class, a.size, a.kickers);
                for c in tricks.iter().filter(|c| alike(c) && alike(b)) {
                    let chain = rules.beats(a, b) && rules.beats(b, c);
                    assert!(!chain || rules.beats(a, c), "{name}: {a:?} over {b:?} over {c:?}");
                }
            }
        }
    }
}
