//! The policy that is learned from self-play (row PD-40): records with what a search thought, learning from them, the network that is
//! built in.

#[allow(dead_code)] // A part of each of these programs is tried here.
#[path = "../examples/ablation.rs"]
mod ablation;
mod common;
#[allow(dead_code)]
#[path = "../examples/selfplay.rs"]
mod selfplay;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ablation::duplicate;
use common::random_step;
use kiebitz_core::record::Record;
use kiebitz_core::{Budget, DynGame, Game, GameType, ManualClock, Notation, PlayerSpec, Rng, Session, Turn};
use kiebitz_paodekuai::learned::train::{
    Example, agreement, cross_entropy, decisions, examples, loss, probabilities, reinforce, train,
};
use kiebitz_paodekuai::learned::{Features, LearnedModel, Network, PARAMETERS};
use kiebitz_paodekuai::{
    Action, MemoryModel, ModelBuffer, OpponentModel, Options, PaoDeKuai, PaoDeKuaiKnowledge, Phase,
};
use kiebitz_search::{Context, registry};
use selfplay::self_play;

static NO_STOP: AtomicBool = AtomicBool::new(false);

/// The player of the games that are learned from.
const TEACHER: &str = "ismcts:visits=300,playouts=heavy,c=0.35,reward=speed,early=off";

/// The decisions of these games, written as text and read again.
fn found(games: std::ops::Range<u64>) -> Vec<Example> {
    let read = |number| Record::read(self_play(TEACHER, number).to_text().as_bytes()).unwrap().record;
    games.flat_map(|number| examples(&read(number)).unwrap()).collect()
}

fn uniform(example: &Example) -> Vec<f32> {
    vec![1.0 / example.shares.len() as f32; example.shares.len()]
}

/// What was written replays to the end of the same deal. The lines of decisions tell all visits of the search and what each action
/// was worth; a record that cannot be played is refused, and one without visits teaches nothing.
#[test]
fn pd_40_records_tell_what_was_thought() {
    const SPEC: &str = "ismcts:visits=40,playouts=heavy,c=0.35,early=off";
    let mut told = 0;
    for number in 1..11 {
        let text = self_play(SPEC, number).to_text();
        assert_eq!(self_play(SPEC, number).to_text(), text);
        let read = Record::read(text.as_bytes()).unwrap();
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let mut game = GameType::<PaoDeKuai>::session(&read.record.header, 0).unwrap();
        let mut actions = Vec::new();
        for line in &read.record.lines {
            let choice = game.turn().seat().is_some() && {
                game.state().actions(&mut actions);
                actions.len() > 1
            };
            let eval = line.get("eval");
            assert_eq!(choice, eval.is_some(), "{text}");
            if let Some(eval) = eval {
                let visits = eval["visits"].as_object().unwrap();
                let texts: Vec<String> = actions.iter().map(|&action| game.state().action_text(action)).collect();
                assert!(visits.keys().all(|action| texts.contains(action)), "{text}");
                assert_eq!(visits.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 40);
                for (action, value) in eval["values"].as_object().unwrap() {
                    assert!(visits[action].as_u64() > Some(0) && (0.0..=1.0).contains(&value.as_f64().unwrap()));
                }
                told += 1;
            }
            DynGame::perform(&mut game, line).unwrap();
        }
        assert!(game.turn().is_terminal());
        assert_eq!(DynGame::record(&game).header.seed(), Some(number));
        let mut without = read.record.clone();
        without.lines.iter_mut().for_each(|line| line.set("eval", serde_json::Map::new()));
        assert_eq!(examples(&without), Ok(Vec::new()));
        let mut broken = read.record;
        broken.lines.swap(0, 1);
        assert!(examples(&broken).is_err_and(|e| e.starts_with("line ")));
    }
    assert!(told > 50, "{told}");
}

/// Learning from games foretells others, which it has not seen, better than the start and than a uniform guess; the same games and
/// the same seed learn the same network.
#[test]
fn pd_40_self_play_is_learned() {
    let (learned, held_out) = (found(1..41), found(101..121));
    for Example { features, shares } in learned.iter().chain(&held_out) {
        assert_eq!(features.actions.len(), shares.len());
        assert!(shares.len() > 1 && (shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
    }
    let least = cross_entropy(&held_out, |example| example.shares.clone());
    let learn = || {
        let mut rng = Rng::new(2);
        let mut network = Network::random(&mut rng);
        let before = loss(&network, &held_out, 1.0);
        train(&mut network, &learned, 12, 0.01, &mut rng);
        (before, network)
    };
    let (before, network) = learn();
    let (after, guess) = (loss(&network, &held_out, 1.0), cross_entropy(&held_out, uniform));
    println!("{} decisions: {before:.3} to {after:.3}, uniform {guess:.3}, least {least:.3}", learned.len());
    assert!(least < after && after < before - 0.05 && after < guess - 0.05, "{least} < {after} < {before}, {guess}");
    assert_eq!(learn().1, network);
    // The text of the weights keeps what was learned.
    let read = Network::parse(&network.to_text()).unwrap();
    assert!((loss(&read, &held_out, 1.0) - after).abs() < 0.01);
    assert_eq!(network.to_text().split_whitespace().count(), PARAMETERS);
    assert_eq!(Network::parse("1 2 3"), None);
    assert_eq!(Network::parse(&network.to_text().replacen(' ', " nan ", 1)), None);
}

/// What is played in deals that are won becomes likelier: a network that has learned from deals against itself alone is first out
/// more often than those it began as.
#[test]
fn pd_40_deals_against_itself_are_learned() {
    let start = PaoDeKuai::new(3, &Options::default(), None).unwrap();
    let learn = |deals| {
        let mut rng = Rng::new(3);
        let mut network = Network::random(&mut rng);
        let before = network.clone();
        reinforce(&mut network, &start, deals, 0.005, 0.01, &mut rng);
        (before, network)
    };
    assert_eq!(learn(512), learn(512));
    let (before, after) = learn(10_000);
    let model = |network: Network| LearnedModel { network: Arc::new(network), temperature: 1.0 };
    let (one, others) = (model(after), model(before));
    let (mut rng, mut buffer, mut none, mut won) = (Rng::new(4), ModelBuffer::default(), Vec::new(), 0);
    for number in 0..600u16 {
        let place = (number % 3) as u8;
        let mut game = start.clone();
        game.apply(game.sample(&mut rng, &mut none));
        while let Turn::Seat(seat) = game.turn() {
            let player = if seat == place { &one } else { &others };
            game.apply(player.choose(game.rules(), game.state(), &mut rng, &mut buffer));
        }
        won += u32::from(game.state().winner() == Some(place));
    }
    println!("first out in {won} of 600 deals");
    assert!(won > 270, "{won}");
}

/// The network that is built in was learned: in games it has never seen, what searches visit most is what it likes best more often
/// than it is for the heavy policy, and its probabilities, made flatter, are better than a uniform guess.
#[test]
fn pd_40_the_built_in_network_has_learned() {
    let records: Vec<Record> = (900_001..900_041).map(|number| self_play(TEACHER, number)).collect();
    let found: Vec<Example> = records.iter().flat_map(|record| examples(record).unwrap()).collect();
    let (network, heavy, mut by_heavy) = (Network::built_in(), MemoryModel::default(), Vec::new());
    for record in &records {
        let each = |game: &PaoDeKuai, actions: &[Action], _| {
            let mut weights = Vec::new();
            heavy.weights(game.rules(), game.state(), actions, &mut weights);
            by_heavy.push(weights);
        };
        decisions(record, each).unwrap();
    }
    let mut by_heavy = by_heavy.into_iter();
    let learned = agreement(&found, |example| probabilities(&network, example));
    let heavy = agreement(&found, |_| by_heavy.next().unwrap());
    let (loss, guess) = (loss(&network, &found, 5.0), cross_entropy(&found, uniform));
    println!("{} decisions: agrees {learned:.3}, heavy {heavy:.3}; {loss:.3} nats, uniform {guess:.3}", found.len());
    assert!(learned > heavy, "{learned} and {heavy}");
    assert!(loss < guess - 0.03, "{loss} and {guess}");
}

/// The network reads what the seat to move knows: with other cards in the other hands all scores are the same. The policy plays
/// legal actions, and a play that empties the hand where there is one.
#[test]
fn pd_40_scores_do_not_depend_on_hidden_cards() {
    let (mut rng, mut buffer, mut changed, mut emptied) = (Rng::new(3), Vec::new(), 0, 0);
    let model = LearnedModel::default();
    let weights = |game: &PaoDeKuai, actions: &[Action]| {
        let mut weights = Vec::new();
        model.weights(game.rules(), game.state(), actions, &mut weights);
        weights
    };
    for seed in 0..20 {
        let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).unwrap();
        while random_step(&mut session, &mut rng, &mut buffer) {
            let (Turn::Seat(seat), Phase::Play) = (session.turn(), session.state().state().phase()) else { continue };
            let game = session.state();
            game.actions(&mut buffer);
            let (rules, state) = (game.rules(), game.state());
            let mut other = game.clone();
            other.determinize(seat, session.belief(seat).unwrap(), &mut rng);
            changed += u32::from(other.state() != state);
            assert_eq!(Features::of(rules, other.state(), &buffer), Features::of(rules, state, &buffer));
            let found = weights(game, &buffer);
            assert_eq!(weights(&other, &buffer), found);
            let chosen = model.choose(rules, state, &mut Rng::new(seed), &mut ModelBuffer::default());
            assert!(buffer.contains(&chosen));
            if let Some(whole) = buffer.iter().position(|&action| Some(action.cards()) == state.hand(seat)) {
                assert_eq!(chosen, buffer[whole]);
                assert!(found.iter().all(|&weight| weight <= found[whole]));
                emptied += 1;
            }
        }
    }
    assert!(changed > 200 && emptied > 10, "{changed} and {emptied}");
}

/// A search takes it for playouts, for priors and for the others.
#[test]
fn pd_40_a_search_uses_what_was_learned() {
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, 5).unwrap();
    session.roll();
    let seat = session.turn().seat().unwrap();
    let run = |more: &str| {
        let spec: PlayerSpec = format!("ismcts:visits=40,early=off,{more}").parse().unwrap();
        let mut built = registry::build::<PaoDeKuai, _>(&spec, &PaoDeKuaiKnowledge::default(), &[]).unwrap();
        let clock = ManualClock::new();
        built.search.run(&session.seen(seat, 1), &Context::new(Budget::visits(40), &clock, &NO_STOP, 1)).unwrap()
    };
    for (plain, learned) in [
        ("playouts=heavy", "playouts=learned"),
        ("bias=1", "bias=1,priors=learned"),
        ("playouts=heavy", "playouts=heavy,opponents=learned"),
    ] {
        assert_ne!(run(plain), run(learned), "{learned} changes nothing");
        assert_eq!(run(learned), run(learned));
    }
}

/// What was learned makes players stronger at equal time: a search with fewer visits, by what learned priors cost, and a player without
/// any search, which takes about as long as the heavy policy. These are the first deals of the matches in `docs/paodekuai.md`, where
/// the time was measured; what is asserted needs no clock.
#[test]
fn pd_40_what_was_learned_is_stronger_at_equal_time() {
    const PLAIN: &str = "ismcts:visits=32,playouts=heavy,c=0.35,reward=speed";
    const LEARNED: &str = "ismcts:visits=22,playouts=heavy,c=0.35,reward=speed,priors=learned,bias=1,fpu=0.3";
    let policies = ["policy:playouts=learned,temperature=0", "policy:playouts=heavy"];
    for ([player, others], deals) in [(policies, 600), ([LEARNED, PLAIN], 200)] {
        let (mean, half) = duplicate(player, others, deals, 10_000_000).first_out;
        println!("{player}: first out in {mean:.3} ± {half:.3} against two of {others}");
        assert!(mean - half > 1.0 / 3.0, "{player}: {mean} ± {half}");
    }
}
