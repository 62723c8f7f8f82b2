//! The policy that is learned from self-play (row PD-40): records with what a search thought, learning from them, the network that is
//! built in.

mod common;

use std::sync::atomic::AtomicBool;

use common::random_step;
use kiebitz_core::record::Record;
use kiebitz_core::{Budget, DynGame, Game, ManualClock, PlayerSpec, Rng, Session, Turn};
use kiebitz_paodekuai::learned::train::{Example, cross_entropy, examples, loss, note_visits, train};
use kiebitz_paodekuai::learned::{Features, LearnedModel, Network, PARAMETERS};
use kiebitz_paodekuai::{Action, ModelBuffer, OpponentModel, Options, PaoDeKuai, PaoDeKuaiKnowledge, Phase};
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
        thoughts.push(Some((session.state().clone(), report.rows.iter().map(|r| (r.action, r.visits)).collect())));
        session.play(report.best()).unwrap();
    }
    let mut record = DynGame::record(&session);
    for (line, thought) in record.lines.iter_mut().zip(thoughts) {
        let Some((state, visits)): Option<(PaoDeKuai, Vec<(Action, u64)>)> = thought else { continue };
        note_visits(line, &state, visits);
    }
    record
}

fn uniform(example: &Example) -> Vec<f32> {
    vec![1.0 / example.shares.len() as f32; example.shares.len()]
}

/// Games are written as records, read again as what the network learns from, and learning foretells them better; the same seed
/// learns the same network.
#[test]
fn pd_40_self_play_is_recorded_and_learned() {
    let mut found = Vec::new();
    for seed in 1..=6 {
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
    let least = cross_entropy(&found, |example| example.shares.clone());
    let learn = || {
        let mut rng = Rng::new(2);
        let mut network = Network::random(&mut rng);
        let before = loss(&network, &found);
        train(&mut network, &found, 30, 0.01, &mut rng);
        (before, network)
    };
    let (before, network) = learn();
    let (after, guess) = (loss(&network, &found), cross_entropy(&found, uniform));
    assert!(least < after && after < before && after < guess - 0.1, "{least} < {after} < {before}, {guess}");
    assert_eq!(learn().1, network);
    // The text of the weights keeps what was learned.
    let read = Network::parse(&network.to_text()).unwrap();
    assert!((loss(&read, &found) - after).abs() < 0.01);
    assert_eq!(network.to_text().split_whitespace().count(), PARAMETERS);
    assert_eq!(Network::parse("1 2 3"), None);
    assert_eq!(Network::parse(&network.to_text().replacen(' ', " nan ", 1)), None);
    // A record that cannot be played is refused, and one without visits teaches nothing.
    let mut record = self_play(7, 5);
    let without = record.to_text().lines().map(|l| l.split(",\"eval\"").next().unwrap().to_owned()).collect::<Vec<_>>();
    let without: String =
        without.iter().map(|l| if l.ends_with('}') { l.clone() } else { l.clone() + "}" } + "\n").collect();
    assert_eq!(examples(&Record::read(without.as_bytes()).unwrap().record), Ok(Vec::new()));
    record.lines.swap(1, 2);
    assert!(examples(&record).is_err_and(|e| e.starts_with("line ")));
}

/// The network that is built in was learned: games it has never seen are foretold far better by it than by a uniform guess.
#[test]
fn pd_40_the_built_in_network_has_learned() {
    let found: Vec<Example> = (9_001..9_005).flat_map(|seed| examples(&self_play(seed, 100)).unwrap()).collect();
    let (learned, guess) = (loss(&Network::built_in(), &found), cross_entropy(&found, uniform));
    println!("{} decisions: {learned:.3} nats, uniform {guess:.3}", found.len());
    assert!(learned < guess - 0.15, "{learned} and {guess}");
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
