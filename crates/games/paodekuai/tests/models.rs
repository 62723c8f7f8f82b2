//! Models of the other seats: in playouts, and for what their actions tell of their cards (section 9.4).

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{options, random_step, session};
use kiebitz_core::{Game, Knowledge, Rng, Scratch, Session, Turn};
use kiebitz_paodekuai::{
    Action, LightPolicy, Model, ModelBuffer, OpponentModel, Options, PaoDeKuai, PaoDeKuaiKnowledge, Phase, Reward,
    Rules, SoftEvidence, State, WeightedWorlds, log_likelihood, weigh,
};
use serde_json::json;

/// Positions of random games in which the seat to move has a choice, and has seen the others play.
fn positions(number: usize, seed: u64) -> Vec<Session<PaoDeKuai>> {
    let (mut rng, mut buffer, mut found) = (Rng::new(seed), Vec::new(), Vec::new());
    for seed in seed * 1_000.. {
        let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).unwrap();
        while random_step(&mut session, &mut rng, &mut buffer) {
            let Turn::Seat(seat) = session.turn() else { continue };
            session.state().actions(&mut buffer);
            let seen = session.belief(seat).unwrap().decisions().count();
            if buffer.len() > 1 && seen > 0 && rng.below(5) == 0 {
                found.push(session.clone());
                if found.len() == number {
                    return found;
                }
            }
        }
    }
    found
}

/// Plays a deal with this model in all seats, up to some place.
fn played_by(model: &Model, seed: u64, actions: usize) -> Session<PaoDeKuai> {
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).unwrap();
    let (mut rng, mut buffer) = (Rng::new(seed), ModelBuffer::default());
    session.roll().unwrap();
    for _ in 0..actions {
        let state = session.state();
        if state.state().phase() != Phase::Play {
            break;
        }
        let action = model.choose(state.rules(), state.state(), &mut rng, &mut buffer);
        session.play(action).unwrap();
    }
    session
}

/// Every model is a distribution over the legal actions, and does not depend on what the seat to move cannot see.
#[test]
fn pd_08_pd_38_models_see_what_their_seat_sees() {
    let mut rng = Rng::new(2);
    for session in positions(60, 1) {
        let seat = session.turn().seat().unwrap();
        let game = session.state();
        let mut other = game.clone();
        other.determinize(seat, session.belief(seat).unwrap(), &mut rng);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        for name in Model::NAMES {
            let model = Model::named(name).unwrap();
            assert_eq!(model.name(), name);
            let (mut first, mut second) = (Vec::new(), Vec::new());
            model.weights(game.rules(), game.state(), &actions, &mut first);
            model.weights(other.rules(), other.state(), &actions, &mut second);
            assert_eq!(first, second, "{name}");
            assert!(first.len() == actions.len() && first.iter().all(|&w| w >= 0.0 && w.is_finite()), "{name}");
            let mut buffer = ModelBuffer::default();
            let sum: f64 =
                actions.iter().map(|&a| model.probability(game.rules(), game.state(), a, &mut buffer).unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{name}: {sum}");
        }
    }
    assert!(Model::named("oracle").is_none());
}

/// Models draw what they say, as often as they say it.
#[test]
fn models_draw_by_their_probabilities() {
    for (number, session) in positions(6, 2).into_iter().enumerate() {
        let game = session.state();
        let mut actions = Vec::new();
        game.actions(&mut actions);
        for name in Model::NAMES {
            let model = Model::named(name).unwrap();
            let (mut rng, mut buffer) = (Rng::new(number as u64), ModelBuffer::default());
            let draws = 4_000;
            let mut counts = vec![0.0; actions.len()];
            for _ in 0..draws {
                let action = model.choose(game.rules(), game.state(), &mut rng, &mut buffer);
                counts[actions.binary_search(&action).unwrap()] += 1.0;
            }
            for (&action, count) in actions.iter().zip(counts) {
                let p = model.probability(game.rules(), game.state(), action, &mut buffer).unwrap();
                let error = (f64::from(draws) * p * (1.0 - p)).sqrt();
                assert!((count - f64::from(draws) * p).abs() <= 4.5 * error + 1.0, "{name}: {action:?} {count} {p}");
            }
        }
    }
}

/// Bombs and aces are held back by the careful model until somebody is nearly out.
#[test]
fn pd_38_risk_keeps_bombs_for_key_rounds() {
    let share = |hand: &str, name: &str| {
        let setup = json!({"hands": ["37777A", hand, "88993"], "to_move": 0, "trick": {"play": "K", "by": 2}});
        let game = session(&options(r#"{"must_beat":false}"#), setup);
        let state = game.state();
        let bomb = Action::play(common::cards("7777"));
        let model = Model::named(name).unwrap();
        model.probability(state.rules(), state.state(), bomb, &mut ModelBuffer::default()).unwrap()
    };
    assert!(share("4556TTQ", "risk") < share("4556TTQ", "memory"));
    assert!(share("45", "risk") > share("45", "memory"));
}

/// A model that somebody brings, such as a learned one: here a table of what it has seen played.
#[derive(Debug)]
struct Table {
    asked: Arc<AtomicUsize>,
}

impl OpponentModel for Table {
    fn name(&self) -> &str {
        "table"
    }

    fn weights(&self, _: &Rules, state: &State, actions: &[Action], out: &mut Vec<f32>) {
        assert!(state.hand(state.to_move()).is_some());
        self.asked.fetch_add(1, Ordering::Relaxed);
        out.clear();
        out.extend(actions.iter().map(|action| f32::from(action.cards().len()) + 0.1));
    }
}

/// Any model can be plugged in: for the others in playouts, but not for the searching seat, and for what they have played.
#[test]
fn pd_08_models_are_pluggable() {
    let asked = Arc::new(AtomicUsize::new(0));
    let model = Model::new(Table { asked: Arc::clone(&asked) });
    let knowledge = PaoDeKuaiKnowledge { opponents: Some(model.clone()), ..PaoDeKuaiKnowledge::default() };
    let session = positions(1, 3).remove(0);
    let seat = session.turn().seat().unwrap();
    let mut scratch = Scratch::default();
    // Without a frame nobody is the searching seat.
    knowledge.playout(&mut session.state().clone(), &mut Rng::new(1), &mut scratch, None);
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let framed = session.state().framed(seat, Reward::default());
    let mut trace = Vec::new();
    knowledge.playout(&mut framed.clone(), &mut Rng::new(1), &mut scratch, Some(&mut trace));
    let others = trace.iter().filter(|(mover, _)| *mover != seat).count();
    let calls = asked.load(Ordering::Relaxed);
    assert!(calls > 0 && calls <= others, "{calls} of {others}");
    let soft = SoftEvidence { worlds: 20, ..SoftEvidence::new(model) };
    let (rules, state) = (session.state().rules(), session.state().state());
    weigh(rules, state, seat, session.belief(seat).unwrap(), &soft, &mut Rng::new(1)).unwrap();
    assert!(asked.load(Ordering::Relaxed) > calls);
}

/// What is remembered of the others' decisions holds no cards, and is enough to tell how likely they were.
#[test]
fn decisions_are_remembered_without_cards() {
    let model = Model::named("memory").unwrap();
    let session = played_by(&model, 5, 14);
    let game = session.state();
    for seat in 0..3 {
        let belief = session.belief(seat).unwrap();
        let mut expected = 0.0;
        let mut replay = Session::<PaoDeKuai>::new(3, Options::default(), None, 5).unwrap();
        replay.roll().unwrap();
        let mut buffer = ModelBuffer::default();
        let mut seen: Vec<Action> = Vec::new();
        for step in &session.history()[1..] {
            let kiebitz_core::Step::Action { action, .. } = step else { continue };
            let state = replay.state().state();
            if state.to_move() != seat {
                seen.push(*action);
                if let Some(p) = model.probability(game.rules(), state, *action, &mut buffer) {
                    expected += p.max(1e-3).ln();
                }
            }
            replay.play(*action).unwrap();
        }
        seen.reverse();
        assert_eq!(belief.decisions().map(|decision| decision.action).collect::<Vec<_>>(), seen);
        assert!(belief.decisions().all(|decision| (0..3).all(|other| decision.state.hand(other).is_none())));
        let hands = std::array::from_fn(|other| game.state().hand(other as u8).unwrap_or_default());
        let found = log_likelihood(game.rules(), game.state(), belief, &hands, &model, &mut buffer);
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

/// How well a set of worlds tells which ranks the others hold: the mean logarithm of what it gave to the truth.
fn log_score(session: &Session<PaoDeKuai>, weighted: &WeightedWorlds, weights: &[f64]) -> f64 {
    let seat = session.turn().seat().unwrap();
    let state = session.state().state();
    let (mut sum, mut number) = (0.0, 0.0);
    for other in (0..3u8).filter(|&other| other != seat) {
        let truth = state.hand(other).unwrap();
        for rank in 0..13 {
            let holds = |hand: kiebitz_paodekuai::Cards| hand.count(rank) > 0;
            let share: f64 = weighted
                .worlds
                .iter()
                .zip(weights)
                .map(|(world, weight)| if holds(world.hands[usize::from(other)]) { *weight } else { 0.0 })
                .sum();
            let share = share.clamp(0.005, 0.995);
            sum += if holds(truth) { share.ln() } else { (1.0 - share).ln() };
            number += 1.0;
        }
    }
    sum / number
}

/// Where the others play by the model, its evidence tells more of their hands than the proofs alone: at 95 % by far.
#[test]
fn soft_evidence_finds_the_true_holders() {
    for name in ["rule", "memory"] {
        let model = Model::named(name).unwrap();
        let mut gains = Vec::new();
        for seed in 0..60 {
            let session = played_by(&model, seed, 9 + (seed % 15) as usize);
            let Turn::Seat(seat) = session.turn() else { continue };
            let (rules, state) = (session.state().rules(), session.state().state());
            let soft = SoftEvidence { beta: 1.0, worlds: 300, ..SoftEvidence::new(model.clone()) };
            let belief = session.belief(seat).unwrap();
            let Some(weighted) = weigh(rules, state, seat, belief, &soft, &mut Rng::new(seed)) else { continue };
            let flat = SoftEvidence { beta: 0.0, ..soft };
            let plain = weigh(rules, state, seat, belief, &flat, &mut Rng::new(seed)).unwrap();
            assert_eq!(plain.worlds, weighted.worlds);
            assert!((weighted.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            gains.push(
                log_score(&session, &weighted, &weighted.weights) - log_score(&session, &weighted, &plain.weights),
            );
        }
        let n = gains.len() as f64;
        let mean = gains.iter().sum::<f64>() / n;
        let error = (gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / n / (n - 1.0)).sqrt();
        println!("{name}: {mean:.4} ± {error:.4} a rank and seat, {n} positions");
        assert!(mean > 1.645 * error, "{name}: {mean} ± {error}");
    }
}

/// The exponent is lowered until a tenth of the worlds counts.
#[test]
fn the_effective_sample_is_not_too_small() {
    let model = Model::named("rule").unwrap();
    let mut lowered = 0;
    for seed in 0..10 {
        let session = played_by(&model, seed, 24);
        let Turn::Seat(seat) = session.turn() else { continue };
        let (rules, state) = (session.state().rules(), session.state().state());
        let soft = SoftEvidence { model: model.clone(), beta: 4.0, worlds: 200 };
        let weighted = weigh(rules, state, seat, session.belief(seat).unwrap(), &soft, &mut Rng::new(seed)).unwrap();
        let ess = 1.0 / weighted.weights.iter().map(|w| w * w).sum::<f64>();
        assert!((ess - weighted.ess).abs() < 1e-9);
        assert!(weighted.ess >= weighted.worlds.len() as f64 / 10.0 - 1e-9 || weighted.worlds.len() < 200);
        lowered += usize::from(weighted.beta < 4.0);
        // Systematic: each world its expected number of times, rounded down or up.
        let drawn = weighted.resample(500, &mut Rng::new(seed));
        assert_eq!(drawn.len(), 500);
        for (world, weight) in weighted.worlds.iter().zip(&weighted.weights) {
            let same = weighted.worlds.iter().zip(&weighted.weights).filter(|(other, _)| *other == world);
            let expected: f64 = same.clone().map(|(_, weight)| weight * 500.0).sum();
            let count = drawn.iter().filter(|other| *other == world).count() as f64;
            assert!((count - expected).abs() < same.count() as f64 + 1e-6, "{count} for {expected} ({weight})");
        }
    }
    assert!(lowered > 3, "{lowered}");
}

/// A framed search draws its worlds from the resampled ones, and all of them agree with what is proven.
#[test]
fn framed_roots_draw_weighted_worlds() {
    let soft = SoftEvidence { worlds: 50, ..SoftEvidence::new(Model::named("rule").unwrap()) };
    let knowledge = PaoDeKuaiKnowledge { evidence: Some(soft), ..PaoDeKuaiKnowledge::default() };
    for session in positions(20, 7) {
        let seat = session.turn().seat().unwrap();
        let seen = session.seen(seat, 3);
        let framed = knowledge.frame(&seen, &mut Rng::new(4)).unwrap();
        assert_eq!(framed.information_key(), seen.information_key());
        let mut rng = Rng::new(5);
        let mut hands: Vec<_> = (0..400)
            .map(|_| {
                let world = framed.draw(&mut rng);
                let state = world.state();
                for proof in seen.belief().proofs().iter().filter(|proof| proof.seat != seat) {
                    assert!(proof.allows(world.rules(), state.hand(proof.seat).unwrap()));
                }
                std::array::from_fn::<_, 3, _>(|other| state.hand(other as u8).unwrap())
            })
            .collect();
        hands.sort();
        hands.dedup();
        assert!(hands.len() <= 50, "{}", hands.len());
    }
}

/// The light policy is the model `rule` without slips.
#[test]
fn rule_is_the_light_policy() {
    let light = LightPolicy::default();
    let model = Model::new(kiebitz_paodekuai::RuleModel { light, slip: 0.0 });
    for session in positions(30, 9) {
        let game = session.state();
        let choice = light.choose(game.rules(), game.state(), &mut Rng::new(0), &mut Vec::new());
        let p = model.probability(game.rules(), game.state(), choice, &mut ModelBuffer::default());
        assert_eq!(p, Some(1.0));
    }
}
