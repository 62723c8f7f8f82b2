//! Proven wins (sections 12.3 and 12.5): what is claimed is true, small positions are proven whenever that is possible, and a seat
//! that plays proven actions never loses its proof.

mod common;

use common::{all_sets, options, session};
use kiebitz_core::{Game, Knowledge, Rng, Seat, Session, Turn};
use kiebitz_paodekuai::{
    Action, HeavyPolicy, LightPolicy, Options, PaoDeKuai, PaoDeKuaiKnowledge, ProofEffort, Setup, SetupHand, WinProof,
    proven_wins,
};
use serde_json::json;

fn proofs(session: &Session<PaoDeKuai>) -> Vec<WinProof> {
    let seat = session.turn().seat().unwrap();
    proven_wins(&session.seen(seat, 1), &ProofEffort::default())
}

fn texts(session: &Session<PaoDeKuai>) -> Vec<String> {
    proofs(session).iter().map(|proof| proof.action.cards().to_string()).collect()
}

#[test]
fn plays_that_nobody_can_beat() {
    let setup = json!({"hands": ["3AA", "?3", "?3"], "to_move": 0, "played": ["", "22", ""]});
    let d52 = options(r#"{"deck":"d52","hand":13}"#);
    // Two twos are out, and a bomb may be.
    assert!(texts(&session(&d52, setup.clone())).is_empty());
    let mut safe = setup.clone();
    safe["played"] = json!(["3456789TJQK", "456789TJQK222", ""]);
    let found = proofs(&session(&d52, safe));
    let lines: Vec<Vec<String>> =
        found.iter().map(|proof| proof.line.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(lines, [["AA", "3"]]);
    assert!(found.iter().all(|proof| proof.worlds == 0));
}

/// Two aces and a two are still out, but who passed on queens has no pair of them.
#[test]
fn passes_make_plays_unbeatable() {
    let mut setup = json!({"hands": ["3KK", "?3", "?3"], "to_move": 0,
        "played": ["3456789TJQ2", "456789TJQKA", "5566778899TTJJ"], "plays_made": [3, 3, 3]});
    assert!(texts(&session(&options("{}"), setup.clone())).is_empty());
    setup["evidence"] = json!([{"seat": 1, "trick": ["pair", 1, 9, 0, false], "played_since": ""},
        {"seat": 2, "trick": ["pair", 1, 9, 0, false], "played_since": ""}]);
    assert_eq!(texts(&session(&options("{}"), setup)), ["KK"]);
}

/// All worlds that a seat holds possible, by brute force and from the game alone, and whether one way to play wins in all of them.
mod naive {
    use super::*;

    /// Hands of these sizes out of a pool, each once.
    fn deals(pool: &[u8; 13], sizes: &[u8], hands: &mut Vec<[u8; 13]>, found: &mut Vec<Vec<[u8; 13]>>) {
        let Some((&size, rest)) = sizes.split_first() else { return found.push(hands.clone()) };
        fn subsets(pool: &[u8; 13], rank: usize, left: u8, hand: &mut [u8; 13], each: &mut dyn FnMut(&[u8; 13])) {
            if left == 0 {
                return each(hand);
            }
            if rank == 13 {
                return;
            }
            for count in 0..=pool[rank].min(left) {
                hand[rank] = count;
                subsets(pool, rank + 1, left - count, hand, each);
            }
            hand[rank] = 0;
        }
        let mut all = Vec::new();
        subsets(pool, 0, size, &mut [0; 13], &mut |hand| all.push(*hand));
        for hand in all {
            let mut left = *pool;
            left.iter_mut().zip(&hand).for_each(|(left, count)| *left -= count);
            hands.push(hand);
            deals(&left, rest, hands, found);
            hands.pop();
        }
    }

    /// The games that `setup`, whose seat 0 is known, may be.
    pub fn worlds(options: &Options, setup: &Setup) -> Vec<PaoDeKuai> {
        let rules = common::rules(options);
        let mut pool = rules.deck_counts().counts();
        let mut sizes = Vec::new();
        for hand in &setup.hands {
            match hand {
                SetupHand::Cards(cards) => {
                    pool.iter_mut().zip(cards.counts()).for_each(|(left, count)| *left -= count);
                }
                SetupHand::Unseen(number) => sizes.push(*number),
            }
        }
        for played in &setup.played {
            pool.iter_mut().zip(played.counts()).for_each(|(left, count)| *left -= count);
        }
        let mut found = Vec::new();
        deals(&pool, &sizes, &mut Vec::new(), &mut found);
        let world = |hands: Vec<[u8; 13]>| {
            let mut open = setup.clone();
            let mut hands = hands.into_iter();
            for hand in &mut open.hands {
                if let SetupHand::Unseen(_) = hand {
                    *hand = SetupHand::Cards(kiebitz_paodekuai::Cards::from_counts(hands.next().unwrap()));
                }
            }
            common::position(options, &open)
        };
        found.into_iter().map(world).collect()
    }

    pub fn wins_after(games: &[PaoDeKuai], seat: Seat, action: Action) -> bool {
        let after = |game: &PaoDeKuai| {
            let mut game = game.clone();
            game.apply(action);
            game
        };
        wins(&games.iter().map(after).collect::<Vec<_>>(), seat)
    }

    fn wins(games: &[PaoDeKuai], seat: Seat) -> bool {
        let first = &games[0];
        if let Some(out) = first.state().finishing_order().next() {
            return out == seat;
        }
        let mut actions = Vec::new();
        if first.turn() == Turn::Seat(seat) {
            first.actions(&mut actions);
            return actions.iter().any(|&action| wins_after(games, seat, action));
        }
        let mut all: Vec<(Action, PaoDeKuai)> = Vec::new();
        for game in games {
            game.actions(&mut actions);
            all.extend(actions.iter().map(|&action| (action, game.clone())));
        }
        all.sort_by_key(|(action, _)| *action);
        all.chunk_by(|(a, _), (b, _)| a == b).all(|group| {
            let games: Vec<PaoDeKuai> = group.iter().map(|(_, game)| game.clone()).collect();
            wins_after(&games, seat, group[0].0)
        })
    }
}

/// In small positions an action is proven exactly when brute force over all worlds together finds a win after it. Where plays that
/// nobody can beat do it, only those are named.
#[test]
fn small_positions_are_proven_exactly_when_they_can_be() {
    let mut rng = Rng::new(11);
    let (mut won, mut by_worlds, mut fused) = (0, 0, 0);
    for rules in ["{}", r#"{"must_beat":false}"#, r#"{"bomb_split":false,"triple_bombs":"A"}"#] {
        let options = options(rules);
        let deck = common::rules(&options).deck().to_vec();
        for _ in 0..150 {
            let mut cards = deck.clone();
            rng.shuffle(&mut cards);
            let ranks = |range: std::ops::Range<usize>| {
                cards[range].iter().copied().collect::<kiebitz_paodekuai::CardSet>().ranks()
            };
            let players = 2 + rng.below(2);
            let own = 2 + rng.below(3);
            let sizes: Vec<usize> = (1..players).map(|_| 1 + rng.below(2)).collect();
            let hidden: usize = sizes.iter().sum::<usize>() + rng.below(2);
            // All other cards were played.
            let mut hands = vec![SetupHand::Cards(ranks(0..own))];
            hands.extend(sizes.iter().map(|&size| SetupHand::Unseen(size as u8)));
            let mut setup = Setup::lead(&vec![kiebitz_paodekuai::Cards::EMPTY; players], 0);
            setup.hands = hands;
            setup.played = vec![ranks(own + hidden..deck.len())];
            setup.played.resize(players, kiebitz_paodekuai::Cards::EMPTY);
            setup.plays_made = vec![3; players];
            let options = Options { players: Some(players as u8), ..options.clone() };
            let session = Session::<PaoDeKuai>::new(players as u8, options.clone(), Some(setup.clone()), 0).unwrap();
            let worlds = naive::worlds(&options, &setup);
            let mut actions = Vec::new();
            session.state().actions(&mut actions);
            if actions.len() < 2 {
                continue;
            }
            let found = proofs(&session);
            let wins: Vec<Action> =
                actions.iter().copied().filter(|&action| naive::wins_after(&worlds, 0, action)).collect();
            let named: Vec<Action> = {
                let mut named: Vec<Action> = found.iter().map(|proof| proof.action).collect();
                named.sort();
                named
            };
            if found.first().is_some_and(|proof| proof.worlds > 0) {
                assert_eq!(named, wins, "{setup:?}");
                by_worlds += 1;
            } else {
                assert!(named.iter().all(|action| wins.contains(action)), "{setup:?}: {named:?} of {wins:?}");
                assert_eq!(named.is_empty(), wins.is_empty(), "{setup:?}");
            }
            won += usize::from(!wins.is_empty());
            // Wins in every world by itself, but not in all together.
            let apart =
                |action: Action| worlds.iter().all(|world| naive::wins_after(std::slice::from_ref(world), 0, action));
            fused += usize::from(wins.is_empty() && actions.iter().any(|&action| apart(action)));
        }
    }
    assert!(won > 100 && by_worlds > 10, "{won} won, {by_worlds} by worlds, {fused} only apart");
}

/// Three games in a thousand seats would be enough to find a mistake: whoever has a proof plays it, and is first out in every game,
/// whatever the others do.
#[test]
fn pd_39_a_proven_win_is_never_thrown_away() {
    let knowledge = PaoDeKuaiKnowledge::default();
    let (light, heavy) = (LightPolicy::default(), HeavyPolicy { temperature: 0.5, ..HeavyPolicy::default() });
    let sets = all_sets();
    let (mut rng, mut buffer, mut scores) = (Rng::new(21), Vec::new(), Vec::new());
    let (mut proven, mut by_worlds, mut early) = (0, 0, 0);
    let games = common::repeats(1_000).min(20_000);
    for number in 0..games {
        // Every other deal by the usual rules, the others by all sets in turn.
        let (name, options, players) = &sets[if number % 2 == 0 { 0 } else { (number / 2) % sets.len() }];
        let mut session = Session::<PaoDeKuai>::new(*players, options.clone(), None, number as u64).unwrap();
        let prover = (number % usize::from(*players)) as Seat;
        let mut has_proof = false;
        loop {
            match session.turn() {
                Turn::Terminal => break,
                Turn::Chance(_) => {
                    session.roll().unwrap();
                    continue;
                }
                Turn::Seat(seat) => {
                    let state = session.state().state();
                    // In a ranking the rest of the deal does not matter.
                    if state.finishing_order().next().is_some() {
                        break;
                    }
                    session.state().actions(&mut buffer);
                    let rules = session.state().rules();
                    let action = if seat == prover {
                        let found = knowledge.proven(&session.seen(seat, number as u64));
                        if buffer.len() > 1 {
                            assert!(!has_proof || !found.is_empty(), "{name}: the proof of game {number} is lost");
                        }
                        if let Some(first) = found.first() {
                            early += usize::from(!has_proof && session.state().state().hand_len(seat) > 4);
                            by_worlds += usize::from(!has_proof && proofs(&session)[0].worlds > 0);
                            has_proof = true;
                            // Any of them will do.
                            found.get(rng.below(found.len())).unwrap_or(first).action
                        } else {
                            light.choose(rules, state, &mut rng, &mut Vec::new())
                        }
                    } else {
                        match number % 3 {
                            0 => buffer[rng.below(buffer.len())],
                            1 => buffer[heavy.choose(rules, state, &buffer, &mut rng, &mut scores)],
                            _ => light.choose(rules, state, &mut rng, &mut Vec::new()),
                        }
                    };
                    session.play(action).unwrap();
                }
            }
        }
        if has_proof {
            proven += 1;
            let winner = session.state().state().finishing_order().next();
            assert_eq!(winner, Some(prover), "{name}: game {number} was proven and thrown away");
        }
    }
    println!("{proven} of {games} proven, {by_worlds} by worlds, {early} with more than four cards");
    assert!(proven * 6 > games && by_worlds * 100 > games, "{proven} proven, {by_worlds} by worlds");
}

/// The exact value of a proven win is told only where the reward is winning.
#[test]
fn proven_values_are_exact() {
    let setup = json!({"hands": ["3KK", "?3", "?3"], "to_move": 0, "played": ["3456789TJQ2", "456789TJQA", "55A"]});
    let session = session(&options("{}"), setup);
    let seen = session.seen(0, 1);
    let win = PaoDeKuaiKnowledge {
        reward: kiebitz_paodekuai::Reward { kind: kiebitz_paodekuai::RewardKind::Win, ..Default::default() },
        ..Default::default()
    };
    let found = win.proven(&seen);
    assert_eq!(found[0].utility.unwrap().as_slice(), [1.0, 0.0, 0.0]);
    assert_eq!(PaoDeKuaiKnowledge::default().proven(&seen)[0].utility, None);
    let off = PaoDeKuaiKnowledge { proofs: None, ..win };
    assert!(off.proven(&seen).is_empty());
}
