//! What a seat knows: proofs that hold of the true deal, views that show nothing else, records that mask the rest.

mod common;

use common::{all_sets, cards, naive, options, play, random_step, session};
use kiebitz_core::record::{By, Line, Record};
use kiebitz_core::{DynGame, Game, GameType, Notation, Observer, Rng, Seat, Session, Turn};
use kiebitz_paodekuai::{
    Belief, Cards, Class, Evidence, Method, Options, PaoDeKuai, Phase, Proof, Reading, Rules, Sampler,
};
use serde_json::json;

/// A proof, judged by the naive rules.
fn allows(options: &Options, proof: &Proof, hand: Cards) -> bool {
    let then = hand.plus(proof.since);
    match &proof.evidence {
        Evidence::Passed(trick) => {
            let is_bomb = |set: &Cards| naive::readings(options, *set, false).iter().any(|r| r.class == Class::Bomb);
            let plays = naive::plays(options, then, Some(trick), None, false);
            plays.iter().all(|set| !options.must_beat_bombs && is_bomb(set))
        }
        Evidence::HighestSingle(rank) => {
            let plays = naive::plays(options, then, None, None, false);
            plays.iter().filter(|set| set.len() == 1).all(|set| set.lowest_rank() <= Some(*rank))
        }
        Evidence::KeptBombs => (0..13).all(|rank| {
            let (played, held) = (proof.on.count(rank), then.count(rank));
            let bomb = held == 4 || (held == 3 && options.triple_bombs >> rank & 1 == 1);
            played == 0 || played == held || !bomb
        }),
    }
}

/// Sections 9.2 and 14.3, 5: at every turn of random games the true deal agrees with every proof, and so does every world that
/// is drawn, with the right numbers of cards, from the same deck.
#[test]
fn true_deal_and_drawn_worlds_agree_with_all_proofs() {
    let mut proofs_seen = 0;
    for (number, (name, options, players)) in all_sets().into_iter().enumerate() {
        let mut rng = Rng::new(number as u64);
        let mut buffer = Vec::new();
        for game in 0..3 {
            let mut session = Session::<PaoDeKuai>::new(players, options.clone(), None, game).unwrap();
            while random_step(&mut session, &mut rng, &mut buffer) {
                let state = session.state();
                if state.state().phase() != Phase::Play {
                    continue;
                }
                let seat = rng.below(usize::from(players)) as Seat;
                let belief = session.belief(seat).unwrap();
                for proof in belief.proofs() {
                    let hand = state.state().hand(proof.seat).unwrap();
                    assert!(proof.allows(state.rules(), hand), "{name}: {proof:?} is wrong about {hand}");
                    if hand.len() + proof.since.len() <= 9 {
                        assert!(allows(&options, proof, hand), "{name}: {proof:?} of {hand} by the naive rules");
                    }
                    proofs_seen += 1;
                }
                let sampler = Sampler::new(state.rules(), state.state(), seat, belief);
                for draw in 0..2 {
                    let world = if draw == 0 {
                        sampler.draw(state.rules(), &mut rng)
                    } else {
                        sampler.draw_exact(state.rules(), &mut rng)
                    };
                    assert!(!matches!(world.method, Method::Approximate | Method::Contradiction), "{name}: {world:?}");
                    let mut sum = state.state().hand(seat).unwrap().code() + world.kitty.code();
                    for other in (0..players).filter(|&other| other != seat) {
                        let hand = world.hands[usize::from(other)];
                        assert_eq!(hand.len(), state.state().hand_len(other), "{name}");
                        sum += hand.code();
                        for proof in belief.proofs().iter().filter(|proof| proof.seat == other) {
                            assert!(proof.allows(state.rules(), hand), "{name}: {hand} against {proof:?}");
                        }
                    }
                    sum += (0..players).map(|other| state.state().played(other).code()).sum::<u64>();
                    assert_eq!(sum, state.rules().deck_counts().code(), "{name}: the deck is conserved");
                }
            }
        }
    }
    assert!(proofs_seen > 20_000, "{proofs_seen}");
}

/// The true deal is among the worlds that are listed when there are few.
#[test]
fn true_deal_is_among_the_listed_worlds() {
    let (mut listed, mut rng, mut buffer) = (0, Rng::new(7), Vec::new());
    for (name, options, players) in all_sets() {
        for game in 0..2 {
            let mut session = Session::<PaoDeKuai>::new(players, options.clone(), None, game).unwrap();
            while random_step(&mut session, &mut rng, &mut buffer) {
                let state = session.state();
                if state.state().phase() != Phase::Play {
                    continue;
                }
                let seat = rng.below(usize::from(players)) as Seat;
                let sampler = Sampler::new(state.rules(), state.state(), seat, session.belief(seat).unwrap());
                let Some(worlds) = sampler.worlds(state.rules(), 500) else { continue };
                let truth = |world: &kiebitz_paodekuai::World| {
                    let others = (0..players).filter(|&other| other != seat);
                    others.into_iter().all(|other| state.state().hand(other) == Some(world.hands[usize::from(other)]))
                };
                assert!(worlds.iter().any(|(world, p)| *p > 0.0 && truth(world)), "{name}: not among {}", worlds.len());
                let sum: f64 = worlds.iter().map(|(_, p)| p).sum();
                assert!((sum - 1.0).abs() < 1e-9);
                listed += 1;
            }
        }
    }
    assert!(listed > 500, "{listed}");
}

/// Replacing what a seat does not know by another possible world changes no byte of what it is shown, and no world drawn for it.
#[test]
fn no_peeking() {
    let mut states = 0;
    let (mut rng, mut buffer) = (Rng::new(3), Vec::new());
    'all: loop {
        for (name, options, players) in all_sets() {
            let mut session = Session::<PaoDeKuai>::new(players, options, None, rng.next_u64()).unwrap();
            while random_step(&mut session, &mut rng, &mut buffer) {
                let state = session.state();
                if state.state().phase() != Phase::Play || rng.below(8) > 0 {
                    continue;
                }
                for seat in 0..players {
                    let belief = session.belief(seat).unwrap();
                    let mut other = state.clone();
                    other.determinize(seat, belief, &mut rng);
                    for observer in [Observer::Seat(seat), Observer::Public] {
                        assert_eq!(other.view(observer).to_string(), state.view(observer).to_string(), "{name}");
                        assert_eq!(other.board_text(observer), state.board_text(observer), "{name}");
                    }
                    assert_eq!(other.information_key(seat), state.information_key(seat), "{name}");
                    let seed = rng.next_u64();
                    let (mut first, mut second) = (state.clone(), other.clone());
                    first.determinize(seat, belief, &mut Rng::new(seed));
                    // A fresh belief, whose sampler is built from the other state.
                    let fresh = Belief::with_proofs(belief.proofs().to_vec());
                    if belief.own().is_none()
                        || state.state().lead_evidence() != kiebitz_paodekuai::LeadEvidence::Lowest
                    {
                        second.determinize(seat, &fresh, &mut Rng::new(seed));
                        assert_eq!(first, second, "{name}");
                    }
                }
                states += 1;
                if states == 1_000 {
                    break 'all;
                }
            }
        }
    }
}

/// The view of a seat has no other hand in it before the deal ends, and all after.
#[test]
fn hands_are_hidden_until_the_deal_ends() {
    let mut session = session(&options("{}"), json!({"hands": ["A", "34567", "89T"], "to_move": 0}));
    assert_eq!(session.view(Observer::Seat(1))["hands"], json!(["?1", "34567", "?3"]));
    assert_eq!(session.view(Observer::Public)["hands"], json!(["?1", "?5", "?3"]));
    assert_eq!(session.view(Observer::Omniscient)["hands"], json!(["A", "34567", "89T"]));
    play(&mut session, &["A"]);
    assert_eq!(session.view(Observer::Seat(1))["hands"], json!(["", "34567", "89T"]));
}

/// The record as one seat sees it: the deal masked, everything else as it was.
fn masked_record(session: &Session<PaoDeKuai>, seat: Seat) -> Record {
    let mut record = DynGame::record(session);
    let mut replay =
        Session::<PaoDeKuai>::new(session.players(), session.options().clone(), None, session.seed()).unwrap();
    for (line, step) in record.lines.iter_mut().zip(session.history()) {
        if let kiebitz_core::Step::Action { by: None, action } = step {
            let masked = replay.state().masked(*action, seat);
            *line = Line::action(By::Chance, &replay.state().action_text(masked));
        }
        replay.perform(step.clone()).unwrap();
    }
    record
}

/// A masked record replays, and gives its seat the same view, the same knowledge and the same worlds as the true game.
#[test]
fn masked_records_replay() {
    let (mut rng, mut buffer) = (Rng::new(11), Vec::new());
    for (name, options, players) in all_sets() {
        if options.hand * players < options.card_set().len() {
            continue; // With a kitty the masked deal does not tell whether the leader holds the lead card.
        }
        for game in 0..2 {
            let mut session = Session::<PaoDeKuai>::new(players, options.clone(), None, game).unwrap();
            while random_step(&mut session, &mut rng, &mut buffer) {}
            for seat in 0..players {
                let record = masked_record(&session, seat);
                let text = record.to_text();
                assert!(text.contains("/?") || text.contains("deal ?"), "{text}");
                let record = Record::read(text.as_bytes()).unwrap().record;
                let mut truth = Session::<PaoDeKuai>::new(players, options.clone(), None, game).unwrap();
                let mut masked = GameType::<PaoDeKuai>::session(&record.header, 0).unwrap();
                for (number, (line, step)) in record.lines.iter().zip(session.history()).enumerate() {
                    DynGame::perform(&mut masked, line).unwrap_or_else(|e| panic!("{name} line {number}: {e}\n{text}"));
                    truth.perform(step.clone()).unwrap();
                    if number == 0 || truth.turn().seat().is_none() {
                        continue;
                    }
                    let observer = Observer::Seat(seat);
                    assert_eq!(masked.view(observer), truth.view(observer), "{name} line {number}");
                    assert_eq!(masked.state().information_key(seat), truth.state().information_key(seat), "{name}");
                    assert_eq!(masked.belief(seat), truth.belief(seat), "{name}");
                    assert_eq!(masked.turn(), truth.turn());
                    if number % 7 == 0 {
                        let salt = rng.next_u64();
                        let (there, here) = (masked.seen(seat, salt), truth.seen(seat, salt));
                        assert_eq!(there.sample_world(), here.sample_world(), "{name} line {number}");
                    }
                    if truth.turn() != Turn::Seat(seat) {
                        assert_eq!(masked.facts().get("legal"), None);
                    }
                }
            }
        }
    }
}

/// Actions of an unseen hand are checked as far as that is possible.
#[test]
fn unseen_hands_cannot_play_what_is_elsewhere() {
    let setup = json!({"hands": ["3K22", "?2", "?4"], "to_move": 1, "trick": {"play": "4", "by": 0},
        "played": ["4", "", ""], "plays_made": [1, 0, 0]});
    let four = options(r#"{"deck":"d52","hand":13}"#);
    let session = session(&four, setup);
    let check = |text: &str| session.state().parse_action(text).and_then(|action| session.state().check(action));
    assert_eq!(session.facts().get("legal"), None);
    assert_eq!(check("5"), Ok(()));
    assert_eq!(check("pass"), Ok(()));
    assert_eq!(check("3").unwrap_err().code, "paodekuai.not_higher");
    assert_eq!(check("555").unwrap_err().code, "paodekuai.not_held");
    assert_eq!(check("2222").unwrap_err().code, "paodekuai.not_held");
    assert_eq!(session.state().state().hand(1), None);
}

/// Proofs are judged on the hand at that time: later, on the hand alone, they can become false.
#[test]
fn proofs_hold_of_the_hand_at_that_time() {
    let rules = Rules::new(&options(r#"{"kicker_pair":true}"#), 3).unwrap();
    let trick = Reading { class: Class::Tri, size: 1, key: 1, kickers: 2, short: false };
    let proof = |since: &str| Proof {
        seat: 1,
        evidence: Evidence::Passed(trick),
        on: common::cards("44433"),
        trick: 1,
        since: common::cards(since),
    };
    // 5556789 has no pair beside the triple; later 555 alone would beat the trick.
    assert!(proof("").allows(&rules, common::cards("5556789")));
    assert!(proof("6789").allows(&rules, common::cards("555")));
    assert!(!proof("").allows(&rules, common::cards("555")));
    let rules = Rules::new(&options(r#"{"must_beat_bombs":false}"#), 3).unwrap();
    let single = Reading { class: Class::Tri, size: 1, key: 1, kickers: 2, short: false };
    let proof = Proof { evidence: Evidence::Passed(single), since: common::cards("5"), ..proof("") };
    // 55556 had only a bomb; later 5556, all that is left, would beat as a short triple.
    assert!(proof.allows(&rules, common::cards("5556")));
    assert!(!Proof { since: Cards::EMPTY, ..proof }.allows(&rules, common::cards("5556")));
}

/// A belief keeps what was proven in all tricks of the deal, with the play that was passed on.
#[test]
fn all_evidence_of_a_deal_is_kept() {
    let mut session = session(&options("{}"), json!({"hands": ["3445KK", "66778T", "99TTJA"], "to_move": 0}));
    play(&mut session, &["KK", "pass", "pass", "3", "6", "9", "pass", "T", "A", "pass", "pass", "J"]);
    let found: Vec<_> =
        session.belief(2).unwrap().proofs().iter().map(|p| (p.seat, p.on.to_string(), p.trick)).collect();
    let expected = [(1, "KK", 1), (2, "KK", 1), (0, "9", 2), (0, "A", 2), (1, "A", 2)];
    assert_eq!(found, expected.map(|(seat, on, trick)| (seat, on.to_owned(), trick)));
    let since: Vec<_> = session.belief(0).unwrap().proofs().iter().map(|p| p.since.to_string()).collect();
    assert_eq!(since, ["6T", "9JA", "", "", ""]);
}

/// Where bombs may not be split, a play of one card of a rank proves that there was no bomb of it.
#[test]
fn parts_of_a_rank_prove_that_it_was_no_bomb() {
    let rules = options(r#"{"bomb_split":false}"#);
    let mut game = session(&rules, json!({"hands": ["456789", "5TTT", "6JJJ"], "to_move": 0}));
    play(&mut game, &["4", "5"]);
    let found: Vec<_> = game.belief(0).unwrap().proofs().iter().filter(|p| p.seat == 1).copied().collect();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].evidence, found[0].on, found[0].since), (Evidence::KeptBombs, cards("5"), cards("5")));
    let kept = |hand: &str| found[0].allows(game.state().rules(), cards(hand));
    assert!(kept("55T") && kept("TTT") && !kept("555"));
    // The same by a set-up.
    let told = json!({"hands": ["56789", "?3", "?3"], "to_move": 0, "played": ["4", "5", ""],
        "evidence": [{"seat": 1, "kept": "5", "played_since": "5"}]});
    let told = session(&rules, told);
    assert_eq!(told.belief(0).unwrap().proofs()[0].evidence, Evidence::KeptBombs);
    // Where they may be split, it proves nothing.
    let split = options("{}");
    let mut free = session(&split, json!({"hands": ["456789", "5TTT", "6JJJ"], "to_move": 0}));
    play(&mut free, &["4", "5"]);
    assert!(free.belief(0).unwrap().proofs().is_empty());
}

/// Section 9.2: where nothing must be beaten a pass proves nothing.
#[test]
fn a_free_pass_proves_nothing() {
    let mut session =
        session(&options(r#"{"must_beat":false}"#), json!({"hands": ["3445", "667789", "99TTJA"], "to_move": 0}));
    play(&mut session, &["44", "pass", "pass"]);
    assert_eq!(session.belief(0).unwrap().proofs(), []);
}

#[test]
fn must_max_proves_the_highest_single() {
    let mut session = session(&options("{}"), json!({"hands": ["35KK", "6", "89T"], "to_move": 0}));
    play(&mut session, &["K"]);
    let proofs = session.belief(1).unwrap().proofs();
    let expected = Proof {
        seat: 0,
        evidence: Evidence::HighestSingle(10),
        on: common::cards("K"),
        trick: 1,
        since: common::cards("K"),
    };
    assert_eq!(proofs, [expected]);
    let rules = session.state().rules();
    assert!(expected.allows(rules, common::cards("35K")) && !expected.allows(rules, common::cards("35A")));
}

#[test]
fn a_set_up_may_bring_evidence() {
    let setup = json!({"hands": ["34", "?2", "?2"], "to_move": 0, "played": ["", "9", ""],
        "evidence": [{"seat": 1, "trick": ["single", 1, 6, 0, false], "played_since": "9"}]});
    let session = session(&options("{}"), setup);
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let world = session.seen(0, rng.next_u64());
        let hand = world.sample_world().state().hand(1).unwrap();
        assert!(hand.highest_rank() <= Some(6), "{hand}: nothing above a nine, on which the seat passed");
    }
}
