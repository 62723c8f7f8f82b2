//! Reasons computed again from nothing but the rules, in random positions: what they say is true.

mod common;

use common::{all_sets, options, random_step, repeats};
use kiebitz_core::{Game, Knowledge, Rng, Scratch, Seat, Session, Turn};
use kiebitz_paodekuai::{
    Action, Belief, Cards, LeadEvidence, MAX_SEATS, PaoDeKuai, PaoDeKuaiKnowledge, Reading, Rules, Situation, Solver,
    State,
};
use std::collections::HashMap;

/// Whether the hand has a play that beats this, from the list of plays.
fn beats(rules: &Rules, hand: Cards, reading: &Reading) -> bool {
    let mut plays = Vec::new();
    rules.plays(&Situation::follow(hand, *reading), &mut plays);
    !plays.is_empty()
}

/// The fewest plays that empty a hand, trying every order of all plays.
fn fewest(rules: &Rules, hand: Cards, known: &mut HashMap<Cards, u8>) -> u8 {
    if hand.is_empty() {
        return 0;
    }
    if let Some(&known) = known.get(&hand) {
        return known;
    }
    let mut plays: Vec<Action> = Vec::new();
    rules.plays(&Situation::lead(hand), &mut plays);
    let best = plays.iter().map(|play| 1 + fewest(rules, hand.minus(play.cards()), known)).min().unwrap_or(u8::MAX);
    known.insert(hand, best);
    best
}

type Hands = [Cards; MAX_SEATS];

fn ways(pool: Cards, taken: Cards) -> f64 {
    let choose = |n: u8, k: u8| (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1));
    (0..13).map(|rank| choose(pool.count(rank), taken.count(rank))).product()
}

/// All hands of the other seats that agree with the proofs, with the number of deals of single cards.
fn worlds(rules: &Rules, state: &State, seat: Seat, belief: &Belief) -> Vec<(Hands, f64)> {
    let own = state.hand(seat).unwrap();
    let played = (0..rules.players()).fold(own, |sum, other| sum.plus(state.played(other)));
    let mut found = vec![([Cards::EMPTY; MAX_SEATS], rules.deck_counts().minus(played), 1.0)];
    for other in (0..rules.players()).filter(|&other| other != seat) {
        found = found
            .into_iter()
            .flat_map(|(hands, pool, weight): (Hands, Cards, f64)| {
                let length = state.hand_len(other);
                let mut taken = Vec::new();
                choose(pool, length, 0, Cards::EMPTY, &mut taken);
                taken.into_iter().map(move |hand| {
                    let mut hands = hands;
                    hands[usize::from(other)] = hand;
                    (hands, pool.minus(hand), weight * ways(pool, hand))
                })
            })
            .collect();
    }
    let proofs = belief.proofs().iter().filter(|proof| proof.seat != seat);
    let allowed = |hands: &Hands| proofs.clone().all(|proof| proof.allows(rules, hands[usize::from(proof.seat)]));
    found.into_iter().filter(|(hands, ..)| allowed(hands)).map(|(hands, _, weight)| (hands, weight)).collect()
}

fn choose(pool: Cards, left: u8, rank: u8, hand: Cards, found: &mut Vec<Cards>) {
    if left == 0 {
        return found.push(hand);
    }
    if rank < 13 {
        for count in 0..=pool.count(rank).min(left) {
            choose(pool, left - count, rank + 1, hand.plus(Cards::of(rank, count)), found);
        }
    }
}

#[derive(Debug, Default)]
struct Checked {
    beaten: usize,
    unbeatable: usize,
    sure: usize,
    proven: usize,
    locked: usize,
    sampled: usize,
}

/// Checks what is said of one action against all worlds.
fn check(
    session: &Session<PaoDeKuai>,
    seat: Seat,
    worlds: &[(Hands, f64)],
    action: Action,
    rng: &mut Rng,
    checked: &mut Checked,
) {
    let seen = session.seen(seat, rng.next_u64());
    let said = PaoDeKuaiKnowledge::default().reasons(&seen, action, None, rng, &mut Scratch::default());
    let (game, belief) = (session.state(), session.belief(seat).unwrap());
    let (rules, state) = (game.rules(), game.state());
    let hand = state.hand(seat).unwrap();
    let find = |code: &str| said.iter().find(|reason| reason.code == format!("paodekuai.{code}"));
    let others = || (0..rules.players()).filter(|&other| other != seat && state.hand_len(other) > 0);
    let here = format!("{:?}, {action:?} of seat {seat}: {said:?}", rules.options());
    let total: f64 = worlds.iter().map(|(_, weight)| weight).sum();
    let chance_of = |reading: &Reading, locks: bool| {
        let answers = |other: &Seat| !locks || !state.is_locked(*other);
        let beaten =
            |hands: &Hands| others().filter(answers).any(|other| beats(rules, hands[usize::from(other)], reading));
        worlds.iter().filter(|(hands, _)| beaten(hands)).map(|(_, weight)| weight).sum::<f64>() / total
    };
    if let Some(proof) = find("proven_win") {
        checked.proven += 1;
        assert!(proof.number("worlds") as usize == worlds.len(), "{here}");
        for _ in 0..20 {
            // A seat that sees all hands wins at least as often.
            let mut world = game.clone();
            world.determinize(seat, belief, rng);
            world.apply(action);
            assert_eq!(Solver::new(rules, 1_000_000).wins(world.state(), seat), Ok(true), "{here}");
        }
    }
    if action.is_pass() || action.cards() == hand {
        assert!(find("beaten").is_none() && find("unbeatable").is_none(), "{here}");
        return;
    }
    let cards = action.cards();
    let reading = match state.trick() {
        None => rules.lead_reading(cards, false),
        Some((_, trick, _)) => rules.follow_reading(cards, &trick, false),
    };
    let chance = chance_of(&reading.unwrap(), true);
    match find("beaten") {
        None => {
            checked.unbeatable += 1;
            assert!(find("unbeatable").is_some() && chance == 0.0, "{chance} {here}");
        }
        Some(beaten) => {
            checked.beaten += 1;
            let (told, error) = (beaten.number("chance"), beaten.number("error"));
            checked.sampled += usize::from(error > 0.0);
            assert!(find("unbeatable").is_none(), "{here}");
            assert!((told - chance).abs() <= 5.0 * error + 1e-9, "{told} for {chance}: {here}");
            assert!(error > 0.0 || chance > 0.0, "{here}");
        }
    }
    checked.locked += usize::from(others().any(|other| state.is_locked(other)));
    if let Some(sure) = find("sure_win") {
        checked.sure += 1;
        let line: Vec<Cards> = sure.subject.iter().map(|text| common::cards(text)).collect();
        assert_eq!(line[0], cards, "{here}");
        assert_eq!(line.iter().fold(Cards::EMPTY, |sum, play| sum.plus(*play)), hand, "{here}");
        let mut rest = hand.minus(cards);
        for play in &line[1..] {
            let mut plays: Vec<Action> = Vec::new();
            let lead = Situation { trick: None, must_include: None, hand: rest, ..state.situation(rules) };
            rules.plays(&lead, &mut plays);
            assert!(plays.contains(&Action::play(*play)), "{play} in {here}");
            rest = rest.minus(*play);
            if !rest.is_empty() {
                let reading = rules.lead_reading(*play, false).unwrap();
                assert_eq!(chance_of(&reading, false), 0.0, "{play} in {here}");
            }
        }
    }
    let plays = find("plays_left").unwrap();
    if hand.len() <= 10 {
        let mut known = HashMap::new();
        assert_eq!(plays.number("before"), f64::from(fewest(rules, hand, &mut known)), "{here}");
        assert_eq!(plays.number("after"), f64::from(fewest(rules, hand.minus(cards), &mut known)), "{here}");
    }
    assert!(plays.number("before") <= plays.number("after") + 1.0, "{here}");
}

#[test]
fn reasons_are_true() {
    let (mut rng, mut buffer, mut checked) = (Rng::new(41), Vec::new(), Checked::default());
    let locks = [
        (r#"{"pass_locks":true,"must_beat":false}"#, 3),
        (r#"{"pass_locks":true,"must_beat":false,"end":"ranking"}"#, 3),
        (r#"{"deck":"d52","hand":13,"pass_locks":true,"must_beat":false,"end":"ranking","baodan":"off"}"#, 4),
        (r#"{"pass_locks":true}"#, 3),
    ];
    let locks = locks.map(|(json, players)| (json.to_owned(), options(json), players));
    let sets: Vec<_> = all_sets().into_iter().chain(locks).collect();
    let (wanted, mut positions) = (repeats(400), 0);
    for round in 0.. {
        let (name, options, players) = &sets[round % sets.len()];
        let mut here = 0;
        let mut session = Session::<PaoDeKuai>::new(*players, options.clone(), None, rng.next_u64() >> 12).unwrap();
        while here < 3 && random_step(&mut session, &mut rng, &mut buffer) {
            let Turn::Seat(seat) = session.turn() else { continue };
            let state = *session.state().state();
            let hidden: u8 = (0..*players).filter(|&other| other != seat).map(|other| state.hand_len(other)).sum();
            let lead = matches!(state.lead_evidence(), LeadEvidence::Nothing | LeadEvidence::PlayedCard);
            session.state().actions(&mut buffer);
            if hidden > 6 || !lead || buffer.len() < 2 || (rng.below(2) > 0 && !state.is_locked(0)) {
                continue;
            }
            let rules = session.state().rules();
            let worlds = worlds(rules, &state, seat, session.belief(seat).unwrap());
            assert!(!worlds.is_empty(), "{name}");
            if worlds.len() > 20_000 {
                continue;
            }
            for _ in 0..3 {
                let action = buffer[rng.below(buffer.len())];
                check(&session, seat, &worlds, action, &mut rng, &mut checked);
            }
            (positions, here) = (positions + 1, here + 1);
        }
        if positions >= wanted {
            break;
        }
    }
    println!("{positions} positions: {checked:?}");
    let Checked { beaten, unbeatable, sure, proven, locked, sampled } = checked;
    let least = [beaten, unbeatable, sure, proven, locked, sampled].into_iter().min();
    assert!(least >= Some(20), "{positions} positions: {checked:?}");
}
