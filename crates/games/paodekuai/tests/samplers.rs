//! Samplers against every deal, counted one by one.

mod common;

use std::collections::BTreeMap;

use common::{all_sets, cards, naive, options, random_step, session};
use kiebitz_core::conformance::{chi_squared, chi_squared_critical};
use kiebitz_core::{Game, Rng, Seat, Session};
use kiebitz_paodekuai::{
    Action, Belief, Card, CardSet, Cards, Evidence, LeadEvidence, Method, PaoDeKuai, Phase, Proof, Rules, Sampler,
    World,
};
use serde_json::{Value, json};

/// The quantile of the standard normal distribution for p = 0.001.
const P_001: f64 = 3.0902;

/// The hands and the kitty of a world.
type Key = ([Cards; 4], Cards);

fn key(world: &World) -> Key {
    (world.hands, world.kitty)
}

/// Every deal of the unseen cards of `pool` with these numbers (the seats, then the kitty), by single cards.
fn every_deal(pool: &[Cards], sizes: [u8; 5], found: &mut impl FnMut(Key)) {
    fn go(pool: &[Cards], sizes: [u8; 5], dealt: &mut Key, found: &mut impl FnMut(Key)) {
        let Some((&card, rest)) = pool.split_first() else { return found(*dealt) };
        for place in 0..5 {
            if sizes[place] == 0 {
                continue;
            }
            let mut left = sizes;
            left[place] -= 1;
            let before = *dealt;
            let cards = if place < 4 { &mut dealt.0[place] } else { &mut dealt.1 };
            *cards = cards.plus(card);
            go(rest, left, dealt, found);
            *dealt = before;
        }
    }
    go(pool, sizes, &mut ([Cards::EMPTY; 4], Cards::EMPTY), found);
}

/// The probabilities of all worlds for `seat`, by counting deals of single cards; `None` when there are too many.
fn counted(
    game: &PaoDeKuai,
    seat: Seat,
    proofs: &[Proof],
    allows: &dyn Fn(&Proof, Cards) -> bool,
) -> Option<BTreeMap<Key, f64>> {
    let state = game.state();
    let players = game.players();
    let mut unseen = game.rules().deck_counts().code() - state.hand(seat)?.code();
    let mut sizes = [0u8; 5];
    for other in 0..players {
        unseen -= state.played(other).code();
        if other != seat {
            sizes[usize::from(other)] = state.hand_len(other);
        }
    }
    let unseen = Cards::from_code(unseen)?;
    sizes[4] = unseen.len() - sizes.iter().sum::<u8>();
    let pool: Vec<Cards> = (0..13).flat_map(|rank| (0..unseen.count(rank)).map(move |_| Cards::of(rank, 1))).collect();
    let deals = |sizes: &[u8]| {
        let (mut ways, mut n) = (1.0, 0.0);
        sizes.iter().for_each(|&size| {
            (1..=size).for_each(|k| {
                n += 1.0;
                ways *= n / f64::from(k);
            })
        });
        ways
    };
    if deals(&sizes) > 3000.0 {
        return None;
    }
    let mut all = BTreeMap::new();
    every_deal(&pool, sizes, &mut |key| {
        if proofs.iter().filter(|proof| proof.seat != seat).all(|proof| allows(proof, key.0[usize::from(proof.seat)])) {
            *all.entry(key).or_insert(0.0) += 1.0;
        }
    });
    let total: f64 = all.values().sum();
    all.values_mut().for_each(|weight| *weight /= total);
    Some(all)
}

fn fits(expected: &BTreeMap<Key, f64>, draws: u64, mut draw: impl FnMut() -> World, what: &str) {
    let keys: Vec<&Key> = expected.keys().collect();
    let probabilities: Vec<f64> = expected.values().copied().collect();
    let mut counts = vec![0; keys.len()];
    for _ in 0..draws {
        let world = draw();
        let place = keys.binary_search(&&key(&world)).unwrap_or_else(|_| panic!("{what}: {world:?} is impossible"));
        counts[place] += 1;
    }
    let test = chi_squared(&counts, &probabilities);
    let critical = chi_squared_critical(test.degrees, P_001);
    assert!(test.statistic <= critical, "{what}: {test:?}, at most {critical}; {counts:?} for {probabilities:?}");
}

/// A deck of nine cards: 338 for seat 0, and six unseen ones: 445567.
fn nine() -> kiebitz_paodekuai::Options {
    let keep = "S3H3S4H4S5H5S6S7S8";
    let keep: Vec<&str> = (0..9).map(|i| &keep[2 * i..2 * i + 2]).collect();
    let removed: Vec<String> = (0..52)
        .filter_map(Card::new)
        .map(|card| card.to_string())
        .filter(|card| !keep.contains(&card.as_str()))
        .collect();
    let json = json!({"deck": "custom", "hand": 3, "removed": removed});
    options(&json.to_string())
}

fn check_position(options: &kiebitz_paodekuai::Options, setup: Value, worlds: usize, seed: u64) {
    let session = session(options, setup.clone());
    let (game, belief) = (session.state(), session.belief(0).unwrap());
    let rules = game.rules();
    let expected = counted(game, 0, belief.proofs(), &|proof, hand| proof.allows(rules, hand)).unwrap();
    assert_eq!(expected.len(), worlds, "{setup}");
    let sampler = Sampler::new(rules, game.state(), 0, belief);
    let listed: BTreeMap<Key, f64> =
        sampler.worlds(rules, 5000).unwrap().iter().map(|(world, p)| (key(world), *p)).collect();
    assert_eq!(listed.len(), expected.len());
    for (key, p) in &expected {
        assert!((listed[key] - p).abs() < 1e-12, "{key:?}: {} instead of {p}", listed[key]);
    }
    let mut rng = Rng::new(seed);
    fits(&expected, 20_000, || sampler.draw(rules, &mut rng), &format!("{setup}"));
    let mut rng = Rng::new(seed + 1);
    fits(&expected, 20_000, || sampler.draw_exact(rules, &mut rng), &format!("exact, {setup}"));
}

/// Section 14.3, 6.
#[test]
fn six_unseen_cards_without_passes() {
    check_position(&nine(), json!({"hands": ["338", "?3", "?3"], "to_move": 0}), 10, 1);
    check_position(&nine(), json!({"hands": ["338", "?2", "?2"], "to_move": 0}), 33, 2);
}

#[test]
fn six_unseen_cards_with_passes() {
    let passed = |seat: u8, trick: Value| json!({"seat": seat, "trick": trick, "played_since": ""});
    let start = json!({"hands": ["338", "?3", "?3"], "to_move": 0});
    for (evidence, worlds, seed) in [
        (vec![passed(1, json!(["single", 1, 3, 0, false]))], 0, 3),
        (vec![passed(2, json!(["single", 1, 2, 0, false]))], 0, 4),
        (vec![passed(1, json!(["pair", 1, 0, 0, false]))], 0, 5),
        (vec![passed(1, json!(["pair", 1, 0, 0, false])), passed(2, json!(["single", 1, 3, 0, false]))], 0, 6),
    ] {
        let mut setup = start.clone();
        setup["evidence"] = evidence.into();
        let session = session(&nine(), setup.clone());
        let game = session.state();
        let proofs = session.belief(0).unwrap().proofs();
        let naive = counted(game, 0, proofs, &|proof, hand| passes(game.rules(), proof, hand)).unwrap();
        assert!(naive.len() > worlds && naive.len() < 10, "{setup}: {}", naive.len());
        check_position(&nine(), setup, naive.len(), seed);
    }
}

/// A pass, judged by the naive rules.
fn passes(rules: &Rules, proof: &Proof, hand: Cards) -> bool {
    let then = hand.plus(proof.since);
    let Evidence::Passed(trick) = &proof.evidence else { return proof.allows(rules, hand) };
    naive::plays(rules.options(), then, Some(trick), None, false).is_empty()
}

/// Section 9.3: the kitty counts as a hand: two unseen fives, a six and a seven are dealt 1/6, 1/3, 1/3, 1/6.
#[test]
fn the_kitty_is_a_hand_too() {
    let keep = ["S3", "H3", "S5", "H5", "S6", "S7"];
    let removed: Vec<String> = (0..52)
        .filter_map(Card::new)
        .map(|card| card.to_string())
        .filter(|card| !keep.contains(&card.as_str()))
        .collect();
    let rules = options(&json!({"deck": "custom", "hand": 2, "removed": removed}).to_string());
    let session = session(&rules, json!({"hands": ["33", "?2"], "to_move": 0}));
    let game = session.state();
    let sampler = Sampler::new(game.rules(), game.state(), 0, session.belief(0).unwrap());
    let worlds = sampler.worlds(game.rules(), 100).unwrap();
    let p = |hand: &str| worlds.iter().filter(|(world, _)| world.hands[1] == cards(hand)).map(|(_, p)| *p).sum::<f64>();
    for (hand, expected) in [("55", 1.0 / 6.0), ("56", 1.0 / 3.0), ("57", 1.0 / 3.0), ("67", 1.0 / 6.0)] {
        assert!((p(hand) - expected).abs() < 1e-12, "{hand}: {}", p(hand));
    }
    check_position(&rules, json!({"hands": ["33", "?2"], "to_move": 0}), 4, 7);
}

/// In late positions of random games the listed worlds and the drawn ones are those of all deals, for every option set.
#[test]
fn late_positions_of_random_games() {
    let (mut rng, mut buffer) = (Rng::new(5), Vec::new());
    let (mut compared, mut drawn, mut restricted) = (0, 0, 0);
    for (name, options, players) in all_sets() {
        for game in 0..6 {
            let mut session = Session::<PaoDeKuai>::new(players, options.clone(), None, 100 + game).unwrap();
            while random_step(&mut session, &mut rng, &mut buffer) {
                let state = session.state();
                let evidence = state.state().lead_evidence();
                if state.state().phase() != Phase::Play
                    || matches!(evidence, LeadEvidence::HoldsCard | LeadEvidence::Lowest)
                {
                    continue;
                }
                let seat = rng.below(usize::from(players)) as Seat;
                let (rules, belief) = (state.rules(), session.belief(seat).unwrap());
                let Some(expected) = counted(state, seat, belief.proofs(), &|proof, hand| proof.allows(rules, hand))
                else {
                    continue;
                };
                let sampler = Sampler::new(rules, state.state(), seat, belief);
                let worlds = sampler.worlds(rules, 5000).expect("few worlds");
                assert_eq!(worlds.len(), expected.len(), "{name}");
                for (world, p) in &worlds {
                    let wanted = expected.get(&key(world)).copied().unwrap_or(0.0);
                    assert!((p - wanted).abs() < 1e-9, "{name}: {world:?} has {p} instead of {wanted}");
                }
                compared += 1;
                restricted += usize::from(!sampler.proofs().is_empty());
                if compared % 40 == 0 {
                    let mut rng = Rng::new(compared as u64);
                    fits(&expected, 3000, || sampler.draw(rules, &mut rng), &name);
                    drawn += 1;
                }
            }
        }
    }
    assert!(compared > 300 && drawn > 8 && restricted * 2 > compared, "{compared} {drawn} {restricted}");
}

/// Positions with many worlds: the exact sampler against plain rejection, by how often each seat holds each rank.
#[test]
fn exact_sampler_agrees_with_rejection() {
    let (mut rng, mut buffer, mut compared) = (Rng::new(8), Vec::new(), 0);
    for (name, options, players) in all_sets() {
        let mut session = Session::<PaoDeKuai>::new(players, options.clone(), None, 42).unwrap();
        let mut steps = 0;
        while random_step(&mut session, &mut rng, &mut buffer) {
            steps += 1;
            let state = session.state();
            let lowest = state.state().lead_evidence() == LeadEvidence::Lowest;
            if state.state().phase() != Phase::Play || lowest || ![9, 16].contains(&steps) {
                continue;
            }
            let seat = 0;
            let (rules, belief) = (state.rules(), session.belief(seat).unwrap());
            let proven = Sampler::new(rules, state.state(), seat, belief);
            let free = Sampler::new(rules, state.state(), seat, &Belief::with_proofs(Vec::new()));
            let mut tables = [[0u64; 5 * 13]; 2];
            let mut draws = 0;
            for _ in 0..400_000 {
                let world = free.draw(rules, &mut rng);
                if !proven.allows(rules, &world.hands) {
                    continue;
                }
                draws += 1;
                count(&world, &mut tables[0]);
                let exact = proven.draw_exact(rules, &mut rng);
                assert!(
                    matches!(exact.method, Method::Exact | Method::Enumerated | Method::Uniform),
                    "{name}: {exact:?}"
                );
                count(&exact, &mut tables[1]);
                if draws == 4_000 {
                    break;
                }
            }
            if draws < 1_000 {
                continue;
            }
            compared += 1;
            let [first, second] = &tables;
            for (place, (&a, &b)) in first.iter().zip(second).enumerate() {
                let (a, b) = (a as f64, b as f64);
                // Means of two samples: five standard errors of numbers of cards whose variance is below two.
                let error = 5.0 * (4.0 * f64::from(draws)).sqrt();
                assert!((a - b).abs() < error, "{name} rank {}: {a} and {b} of {draws}", place % 13);
            }
        }
    }
    assert!(compared > 12, "{compared}");
}

fn count(world: &World, table: &mut [u64; 65]) {
    for (place, hand) in world.hands.iter().chain([&world.kitty]).enumerate() {
        for rank in 0..13 {
            table[13 * place + usize::from(rank)] += u64::from(hand.count(rank));
        }
    }
}

/// Section 8: the leader holds the lead card itself; the rest is uniform.
#[test]
fn lead_card_belongs_to_the_leader() {
    let rules = options(r#"{"lead_include":false}"#);
    let mut game = PaoDeKuai::new(3, &rules, None).unwrap();
    // Seat 0 has no three; seat 1 leads.
    let hand =
        |text: &str| -> CardSet { (0..text.len() / 2).filter_map(|i| Card::parse(&text[2 * i..2 * i + 2])).collect() };
    let deck: CardSet = game.rules().deck().iter().copied().collect();
    let own = hand("S4S5S6S7S8S9STSJSQSKH4H5H6H7H8H9");
    let mut rest = deck.without(own).iter();
    let second: CardSet = rest.by_ref().take(16).collect();
    game.deal(&[own, second, rest.collect()]).unwrap();
    assert_eq!(game.state().lead_evidence(), LeadEvidence::HoldsCard);
    let belief = Belief::default();
    let sampler = Sampler::new(game.rules(), game.state(), 0, &belief);
    let (mut one, mut rng) = (0u32, Rng::new(1));
    for _ in 0..40_000 {
        let world = sampler.draw(game.rules(), &mut rng);
        assert!(world.hands[1].count(0) >= 1);
        one += u32::from(world.hands[1].count(0) == 1);
    }
    // Three other threes among 31 places, 15 of them with the leader: C(16,3) / C(31,3) = 560/4495.
    let p = f64::from(one) / 40_000.0;
    assert!((p - 560.0 / 4495.0).abs() < 0.006, "{p}");
}

/// The fallback lead says that no lower card was dealt: against every deal of single cards.
#[test]
fn fallback_lead_tells_what_is_not_dealt() {
    let keep = ["S3", "H3", "C3", "S4", "H4", "C4", "S5", "H5"];
    let removed: Vec<String> = (0..52)
        .filter_map(Card::new)
        .map(|card| card.to_string())
        .filter(|card| !keep.contains(&card.as_str()))
        .collect();
    let rules = options(&json!({"deck": "custom", "hand": 3, "removed": removed}).to_string());
    let deck: Vec<Card> = keep.iter().filter_map(|text| Card::parse(text)).collect();
    let mut checked = 0;
    for own in [["C3", "S4", "H5"], ["S4", "H4", "S5"], ["H4", "S5", "H5"], ["H3", "C4", "S5"]] {
        let own: CardSet = own.iter().filter_map(|text| Card::parse(text)).collect();
        for leader in 0..2u8 {
            // All deals in which nobody holds S3 and `leader` leads, by the ranks of the other hand.
            let mut expected: BTreeMap<Cards, f64> = BTreeMap::new();
            let mut example = None;
            let unseen: Vec<Card> = deck.iter().copied().filter(|&card| !own.contains(card)).collect();
            for mask in 0u32..1 << unseen.len() {
                if mask.count_ones() != 3 {
                    continue;
                }
                let other: CardSet =
                    unseen.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &card)| card).collect();
                let mut game = PaoDeKuai::new(2, &rules, None).unwrap();
                game.deal(&[own, other]).unwrap();
                if game.state().lead_evidence() == LeadEvidence::Lowest && game.state().leader() == leader {
                    *expected.entry(other.ranks()).or_insert(0.0) += 1.0;
                    example = Some((game, other));
                }
            }
            let Some((game, other)) = example else { continue };
            let total: f64 = expected.values().sum();
            let mut session = Session::<PaoDeKuai>::new(2, rules.clone(), None, 0).unwrap();
            let kitty = deck.iter().copied().filter(|&card| !own.contains(card) && !other.contains(card)).collect();
            let deal = kiebitz_paodekuai::Deal::Open { hands: [own, other, CardSet::EMPTY, CardSet::EMPTY], kitty };
            session.play(Action::deal(&deal)).unwrap();
            assert_eq!(session.state(), &game);
            let sampler = Sampler::new(game.rules(), game.state(), 0, session.belief(0).unwrap());
            let mut listed: BTreeMap<Cards, f64> = BTreeMap::new();
            for (world, p) in sampler.worlds(game.rules(), 100).unwrap() {
                *listed.entry(world.hands[1]).or_insert(0.0) += p;
            }
            let mut rng = Rng::new(2);
            let mut drawn: BTreeMap<Cards, f64> = BTreeMap::new();
            for _ in 0..4000 {
                *drawn.entry(sampler.draw(game.rules(), &mut rng).hands[1]).or_insert(0.0) += 1.0 / 4000.0;
            }
            for (hand, weight) in &expected {
                assert!((listed[hand] - weight / total).abs() < 1e-12, "{own} {leader} {hand}: {listed:?}");
                assert!((drawn[hand] - weight / total).abs() < 0.05, "{own} {leader} {hand}: {drawn:?}");
            }
            assert!(
                listed.len() == expected.len() && drawn.len() == expected.len(),
                "{own} {leader}: {listed:?} {expected:?}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 5, "{checked}");
}

/// What the leader played after the fallback lead may have been the lowest card or not: against every deal of single cards, where
/// every choice of the cards that were played counts alike.
#[test]
fn fallback_lead_after_plays_of_the_leader() {
    let keep = ["S3", "H3", "C3", "S4", "H4", "C4", "D4", "S5", "H5", "C5"];
    let removed: Vec<String> = (0..52)
        .filter_map(Card::new)
        .map(|card| card.to_string())
        .filter(|card| !keep.contains(&card.as_str()))
        .collect();
    let rules = options(&json!({"deck": "custom", "hand": 4, "removed": removed}).to_string());
    let deck: Vec<Card> = keep.iter().filter_map(|text| Card::parse(text)).collect();
    let mut checked = 0;
    for own in [["C4", "S5", "H5", "C5"], ["H4", "C4", "D4", "H5"], ["C3", "D4", "S5", "H5"], ["D4", "S5", "H5", "C5"]]
    {
        let own: CardSet = own.iter().filter_map(|text| Card::parse(text)).collect();
        let unseen: Vec<Card> = deck.iter().copied().filter(|&card| !own.contains(card)).collect();
        for plays in [vec!["3"], vec!["4"], vec!["5"], vec!["4", "4"], vec!["44"], vec!["3", "4"], vec!["4", "5"]] {
            let played = cards(&plays.concat());
            let mut expected: BTreeMap<Cards, f64> = BTreeMap::new();
            let mut example = None;
            for mask in 0u32..1 << unseen.len() {
                if mask.count_ones() != 4 {
                    continue;
                }
                let other: Vec<Card> =
                    unseen.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &card)| card).collect();
                let hand: CardSet = other.iter().copied().collect();
                let mut game = PaoDeKuai::new(2, &rules, None).unwrap();
                game.deal(&[own, hand]).unwrap();
                if game.state().lead_evidence() != LeadEvidence::Lowest || game.state().leader() != 1 {
                    continue;
                }
                for choice in 0u32..1 << other.len() {
                    let chosen: CardSet =
                        other.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, &card)| card).collect();
                    if chosen.ranks() == played {
                        *expected.entry(hand.ranks().minus(played)).or_insert(0.0) += 1.0;
                        example = Some(hand);
                    }
                }
            }
            let Some(hand) = example else { continue };
            let total: f64 = expected.values().sum();
            let mut session = Session::<PaoDeKuai>::new(2, rules.clone(), None, 0).unwrap();
            let kitty = deck.iter().copied().filter(|&card| !own.contains(card) && !hand.contains(card)).collect();
            let deal = kiebitz_paodekuai::Deal::Open { hands: [own, hand, CardSet::EMPTY, CardSet::EMPTY], kitty };
            session.play(Action::deal(&deal)).unwrap();
            let last = plays.len() - 1;
            let possible = plays.iter().enumerate().all(|(i, play)| {
                session.play(Action::play(cards(play))).is_ok() && (i == last || session.play(Action::PASS).is_ok())
            });
            if !possible {
                continue;
            }
            let what = format!("{own} {plays:?}");
            let game = session.state();
            let belief = session.belief(0).unwrap();
            assert!(belief.proofs().iter().all(|proof| proof.seat == 0), "{what}");
            let sampler = Sampler::new(game.rules(), game.state(), 0, belief);
            let mut listed: BTreeMap<Cards, f64> = BTreeMap::new();
            for (world, p) in sampler.worlds(game.rules(), 200).unwrap() {
                *listed.entry(world.hands[1]).or_insert(0.0) += p;
            }
            assert_eq!(listed.len(), expected.len(), "{what}: {listed:?} {expected:?}");
            let hands: Vec<&Cards> = expected.keys().collect();
            let probabilities: Vec<f64> = expected.values().map(|weight| weight / total).collect();
            for (hand, p) in hands.iter().zip(&probabilities) {
                assert!((listed[hand] - p).abs() < 1e-12, "{what} {hand}: {} instead of {p}", listed[hand]);
            }
            let mut rng = Rng::new(5);
            for exact in [false, true] {
                let mut counts = vec![0; hands.len()];
                for _ in 0..20_000 {
                    let world = if exact {
                        sampler.draw_exact(game.rules(), &mut rng)
                    } else {
                        sampler.draw(game.rules(), &mut rng)
                    };
                    counts[hands.binary_search(&&world.hands[1]).expect("a possible hand")] += 1;
                }
                if hands.len() > 1 {
                    let test = chi_squared(&counts, &probabilities);
                    let critical = chi_squared_critical(test.degrees, P_001);
                    assert!(test.statistic <= critical, "{what}: {test:?}, at most {critical}");
                }
            }
            checked += 1;
        }
    }
    assert!(checked >= 8, "{checked}");
}

/// The bird card is where the tens are.
#[test]
fn bird_is_drawn_in_proportion() {
    let rules = options(r#"{"bird":"HT","hand":2,"deck":"custom","removed":[]}"#);
    let setup = json!({"hands": ["3T", "4T", "5A"], "to_move": 0});
    let session = session(&rules, setup);
    let mut rng = Rng::new(4);
    let mut seats = [0u32; 2];
    for _ in 0..3000 {
        let mut world = session.state().clone();
        world.determinize(0, session.belief(0).unwrap(), &mut rng);
        match world.state().bird() {
            kiebitz_paodekuai::Bird::Dealt(seat) => {
                assert!(seat > 0 && world.state().hand(seat).unwrap().count(7) > 0);
                seats[usize::from(seat) - 1] += 1;
            }
            kiebitz_paodekuai::Bird::Nowhere => {}
        }
    }
    // The bird is one card of the 50 unseen ones: in a hand of two in 2 of 50 worlds.
    assert!(seats.iter().all(|&n| (60..200).contains(&n)), "{seats:?}");
}
