//! The policy that is learned from self-play (row PD-40): records with what a search thought, learning from them, the network that is
//! built in.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::random_step;
use kiebitz_core::record::Record;
use kiebitz_core::{Budget, DynGame, Game, ManualClock, PlayerSpec, Rng, Session, Turn};
use kiebitz_paodekuai::learned::train::{
    Example, Thought, agreement, cross_entropy, decisions, examples, loss, note, probabilities, reinforce, train,
};
use kiebitz_paodekuai::learned::{Features, LearnedModel, Network, PARAMETERS};
use kiebitz_paodekuai::{
    Action, MemoryModel, ModelBuffer, OpponentModel, Options, PaoDeKuai, PaoDeKuaiKnowledge, Phase,
};
use kiebitz_search::{Context, registry};

static NO_STOP: AtomicBool = AtomicBool::new(false);

/// A game of a search against itself, as a record with the visits of its decisions.
fn self_play(seed: u64, visits: u64) -> Record {
    let spec: PlayerSpec = format!("ismcts:visits={visits},playouts=heavy,c=0.35,early=off").parse().unwrap();
    let mut player = registry::build::<PaoDeKuai, _>(&spec, &PaoDeKuaiKnowledge::default(), &[]).unwrap();
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).unwrap();
    let (clock, mut thoughts) = (ManualClock::new(), Vec::new());
    while session.turn() != Turn::Terminal {
        let Turn::Seat(seat) = session.turn() else {
            session.roll();
            thoughts.push(None);
            continue;
        };
        let context = Context::new(Budget::visits(visits), &clock, &NO_STOP, seed);
        let report = player.search.run(&session.seen(seat, seed), &context).unwrap();
        let rows = report.rows.iter();
        let rows = rows.map(|row| Thought { action: row.action, visits: row.visits, value: row.utility.of(seat) });
        thoughts.push(Some((session.state().clone(), rows.collect())));
        session.play(report.best()).unwrap();
    }
    let mut record = DynGame::record(&session);
    for (line, thought) in record.lines.iter_mut().zip(thoughts) {
        let Some((state, thoughts)): Option<(PaoDeKuai, Vec<Thought>)> = thought else { continue };
        note(line, &state, &thoughts);
    }
    record
}

fn uniform(example: &Example) -> Vec<f32> {
    vec![1.0 / example.shares.len() as f32; example.shares.len()]
}

/// Games are written as records, read again as what the network learns from, and learning foretells games better that it has not
/// seen; the same seed learns the same network.
#[test]
fn pd_40_self_play_is_recorded_and_learned() {
    let found = |seeds: std::ops::Range<u64>| {
        let mut found = Vec::new();
        for seed in seeds {
            let text = self_play(seed, 60).to_text();
            let record = Record::read(text.as_bytes()).unwrap().record;
            let all = examples(&record).unwrap();
            assert!(!all.is_empty());
            for Example { features, shares } in &all {
                assert_eq!(features.actions.len(), shares.len());
                assert!(shares.len() > 1 && (shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
            }
            found.extend(all);
        }
        found
    };
    let (learned, held_out) = (found(1..25), found(101..109));
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

/// The lines of decisions tell visits and values; a record that cannot be played is refused, and one without visits teaches
/// nothing.
#[test]
fn pd_40_records_tell_what_was_thought() {
    let mut record = self_play(7, 40);
    let mut told = 0;
    for line in &record.lines {
        let Some(eval) = line.get("eval") else { continue };
        let visits = eval["visits"].as_object().unwrap();
        if visits.len() == 1 {
            continue;
        }
        assert_eq!(visits.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 40);
        let mean =
            |(text, value): (&String, &serde_json::Value)| (visits[text].as_u64().unwrap(), value.as_f64().unwrap());
        assert!(eval["values"].as_object().unwrap().iter().map(mean).all(|(n, v)| n > 0 && (0.0..=1.0).contains(&v)));
        told += 1;
    }
    assert!(told > 10, "{told}");
    let mut without = record.clone();
    without.lines.iter_mut().for_each(|line| line.set("eval", serde_json::Map::new()));
    assert_eq!(examples(&without), Ok(Vec::new()));
    record.lines.swap(1, 2);
    assert!(examples(&record).is_err_and(|e| e.starts_with("line ")));
}

/// What is played in deals that are won becomes likelier: a network that has learned from deals against itself alone is first out
/// more often than those it began as.
#[test]
fn pd_40_deals_against_itself_are_learned() {
    let start = PaoDeKuai::new(3, &Options::default(), None).unwrap();
    let learn = || {
        let mut rng = Rng::new(3);
        let mut network = Network::random(&mut rng);
        let before = network.clone();
        reinforce(&mut network, &start, 4096, 0.005, 0.01, &mut rng);
        (before, network)
    };
    let (before, after) = learn();
    assert_eq!(learn().1, after);
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
    let records: Vec<Record> = (900_001..900_061).map(|seed| self_play(seed, 100)).collect();
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

/// It plays legal actions, takes a play that empties the hand, and sees what its seat sees; a search takes it for playouts, for
/// priors and for the others.
#[test]
fn pd_40_a_search_uses_what_was_learned() {
    let (mut rng, mut buffer, mut asked) = (Rng::new(3), Vec::new(), 0);
    let model = LearnedModel::default();
    for seed in 0..20 {
        let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).unwrap();
        while random_step(&mut session, &mut rng, &mut buffer) {
            let (Turn::Seat(seat), Phase::Play) = (session.turn(), session.state().state().phase()) else { continue };
            let game = session.state();
            game.actions(&mut buffer);
            let (rules, state) = (game.rules(), game.state());
            let mut other = game.clone();
            other.determinize(seat, session.belief(seat).unwrap(), &mut rng);
            assert_eq!(Features::of(rules, other.state(), &buffer), Features::of(rules, state, &buffer));
            let chosen = model.choose(rules, state, &mut Rng::new(seed), &mut ModelBuffer::default());
            assert!(buffer.contains(&chosen));
            let mut weights = Vec::new();
            model.weights(rules, state, &buffer, &mut weights);
            let whole = buffer.iter().position(|&action| Some(action.cards()) == state.hand(seat));
            if let Some(whole) = whole {
                assert!(weights.iter().all(|&weight| weight <= weights[whole]));
                asked += 1;
            }
        }
    }
    assert!(asked > 10, "{asked}");
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
