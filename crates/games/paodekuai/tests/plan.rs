//! Plays a hand needs, plays that nobody beats, and wins that are sure.

mod common;

use common::{all_sets, cards, options, random_hand, rules};
use kiebitz_core::Rng;
use kiebitz_paodekuai::{Action, Cards, MinPlays, Options, Rules, Situation, estimated_plays, might_beat, sure_win};

/// The fewest plays by trying every order.
fn by_brute_force(rules: &Rules, hand: Cards) -> u8 {
    if hand.is_empty() {
        return 0;
    }
    let mut plays: Vec<Action> = Vec::new();
    rules.plays(&Situation::lead(hand), &mut plays);
    plays.iter().map(|play| 1 + by_brute_force(rules, hand.minus(play.cards()))).min().unwrap_or(u8::MAX)
}

#[test]
fn fewest_plays_equal_brute_force() {
    let (mut rng, mut compared) = (Rng::new(1), 0);
    for (name, options, players) in all_sets() {
        let rules = Rules::new(&options, players).unwrap();
        let mut table = MinPlays::new(&rules);
        for _ in 0..25 {
            let hand = random_hand(&rules, 7, &mut rng);
            assert_eq!(table.of(hand), by_brute_force(&rules, hand), "{name}: {hand}");
            compared += 1;
        }
    }
    assert!(compared > 300);
}

/// Values from an independent search, of hands as long as they are dealt. The last splits a bomb: `333JQ 34888 556677`.
#[test]
fn long_hands_are_counted_exactly() {
    let rules = rules(&Options::default());
    for (hand, plays) in [("3455667789TJQA", 3), ("4467789TJQQQQKAA", 3), ("33334556677888JQ", 3)] {
        assert_eq!(MinPlays::new(&rules).of(cards(hand)), plays, "{hand}");
    }
}

/// A search that is cut off says nothing instead of something wrong, and goes on from what it has found.
#[test]
fn a_search_that_is_cut_off_says_so() {
    let rules = rules(&Options::default());
    let hand = cards("33334556677888JQ");
    let mut table = MinPlays::new(&rules);
    assert_eq!(table.within(hand, 5), None);
    assert_eq!(table.within(hand, 1_000_000), Some(3));
}

#[test]
fn estimates_are_near() {
    let rules = rules(&Options::default());
    let (mut rng, mut table, mut off) = (Rng::new(2), MinPlays::new(&rules), 0.0);
    for _ in 0..200 {
        let hand = random_hand(&rules, 10, &mut rng);
        let (exact, estimate) = (f32::from(table.of(hand)), estimated_plays(&rules, hand));
        assert!((exact - estimate).abs() <= 4.0, "{hand}: {estimate} for {exact}");
        off += (exact - estimate).abs();
    }
    assert!(off / 200.0 < 0.6, "{}", off / 200.0);
    assert_eq!(estimated_plays(&rules, cards("34567")), 1.0);
    assert_eq!(estimated_plays(&rules, cards("33344")), 1.0);
    assert_eq!(estimated_plays(&rules, cards("335577")), 3.0);
}

/// Whatever a hand out of the unseen cards can beat is among what might be beaten.
#[test]
fn what_cannot_be_beaten_is_not() {
    let mut rng = Rng::new(3);
    let mut locked = 0;
    for (name, options, players) in all_sets() {
        let rules = Rules::new(&options, players).unwrap();
        let mut plays = Vec::new();
        for _ in 0..60 {
            let unseen = random_hand(&rules, 12, &mut rng);
            let others: Vec<Cards> = common::naive::subsets(unseen);
            let hand = random_hand(&rules, 8, &mut rng);
            rules.plays(&Situation::lead(hand), &mut plays);
            for play in plays.iter().take(10) {
                let Some(reading) = rules.lead_reading(play.cards(), play.cards() == hand) else { continue };
                for longest in [2, 5] {
                    if might_beat(&rules, unseen, longest, &reading) {
                        continue;
                    }
                    locked += 1;
                    let beater =
                        others.iter().find(|other| other.len() <= longest && rules.can_beat(**other, &reading));
                    assert_eq!(beater, None, "{name}: {reading:?} out of {unseen}");
                }
            }
        }
    }
    assert!(locked > 1_000, "{locked}");
}

#[test]
fn sure_wins_are_lines_of_plays_that_nobody_beats() {
    let rules = rules(&options("{}"));
    let line = |hand: &str, unseen: &str| {
        let line = sure_win(&rules, &Situation::lead(cards(hand)), cards(unseen), 10, 10_000);
        line.map(|line| line.iter().map(Cards::to_string).collect::<Vec<_>>())
    };
    assert_eq!(line("AA3", "KKQQ4"), Some(vec!["AA".to_owned(), "3".to_owned()]));
    assert_eq!(line("2A35", "KKQQ4"), None);
    assert_eq!(line("2A3", "KKQQ4"), Some(vec!["A".to_owned(), "2".to_owned(), "3".to_owned()]));
    assert_eq!(line("AA3", "4444"), None, "a bomb is possible");
    let mut duty = Situation::lead(cards("35K"));
    duty.highest_single = true;
    assert_eq!(sure_win(&rules, &duty, cards("4"), 1, 100).map(|line| line.len()), Some(3));
}
