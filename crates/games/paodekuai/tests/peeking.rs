//! No peeking: a game in which everything that a seat cannot see is replaced by another possible world looks the same to that seat,
//! and its player decides the same. The other game is dealt and played from the start, so that nothing is left of the first.

mod common;

use std::sync::atomic::AtomicBool;

use common::all_sets;
use common::retold::retold;
use kiebitz_core::{
    Budget, Game, Knowledge, ManualClock, Observer, PlayerSpec, Rng, Scratch, Seat, Session, Settings, Turn,
};
use kiebitz_paodekuai::{Action, Options, PaoDeKuai, PaoDeKuaiKnowledge, Phase};
use kiebitz_search::{Context, Report, registry};

static NO_STOP: AtomicBool = AtomicBool::new(false);

/// The players whose decisions are looked at: every kind of search, with every kind of knowledge.
const PLAYERS: [&str; 11] = [
    "ismcts:visits=24",
    "ismcts:visits=24,reward=win,playouts=heavy",
    "ismcts:visits=16,evidence=rule,worlds=16",
    "ismcts:visits=12,opponents=memory,evidence=memory,worlds=8,reward=mixed",
    "ismcts:visits=12,playouts=heavy,priors=learned,bias=1,fpu=0.3,opponents=learned,evidence=learned,worlds=8",
    "pimc:visits=32,samples=4,inner=flat",
    "pimc:visits=60,samples=3,inner=uct,reward=speed",
    "flat:visits=24,bomb=0.5",
    "ismcts:visits=16,observers=multiple,evidence=rule,worlds=8",
    "ismcts:visits=16,observers=redeterminize,reward=win",
    "policy:playouts=heavy",
];

fn decide(spec: &str, session: &Session<PaoDeKuai>, seat: Seat, seed: u64) -> Report<PaoDeKuai> {
    let spec: PlayerSpec = spec.parse().unwrap();
    let mut built = registry::build::<PaoDeKuai, _>(&spec, &PaoDeKuaiKnowledge::default(), &[]).unwrap();
    let clock = ManualClock::new();
    let budget = built.budget.or(Budget::visits(10));
    built.search.run(&session.seen(seat, seed), &Context::new(budget, &clock, &NO_STOP, seed)).unwrap()
}

/// What a seat is told of each action it may choose, and of the position.
fn hints(
    knowledge: &PaoDeKuaiKnowledge,
    session: &Session<PaoDeKuai>,
    seat: Seat,
    actions: &[Action],
    seed: u64,
) -> String {
    let seen = session.seen(seat, seed);
    let (mut rng, mut scratch) = (Rng::new(seed), Scratch::default());
    let reasons: Vec<_> =
        actions.iter().take(3).map(|&action| knowledge.reasons(&seen, action, None, &mut rng, &mut scratch)).collect();
    format!("{reasons:?} {:?}", knowledge.details(&seen, &mut rng, &mut scratch))
}

/// For 1,000 random states and every seat: view, board, facts that a seat may see, legal actions, reasons, belief table, reports of
/// ten players and their decisions are the same, to the byte.
#[test]
fn no_peeking_in_a_thousand_states() {
    let knowledge = {
        let spec: PlayerSpec = "ismcts:evidence=rule,worlds=20".parse().unwrap();
        PaoDeKuaiKnowledge::default().read(&mut Settings::new(&spec)).unwrap()
    };
    let plain = PaoDeKuaiKnowledge::default();
    let states = common::repeats(1_000).min(10_000);
    let (mut rng, mut buffer) = (Rng::new(13), Vec::new());
    let (mut found, mut seats, mut told, mut decisions, mut changed) = (0, 0, 0, 0, 0);
    let sets = all_sets();
    'all: for game in 0.. {
        let (name, options, players): &(String, Options, u8) = &sets[game % sets.len()];
        let mut session = Session::<PaoDeKuai>::new(*players, options.clone(), None, game as u64).unwrap();
        while common::random_step(&mut session, &mut rng, &mut buffer) {
            if session.state().state().phase() != Phase::Play || rng.below(6) > 0 {
                continue;
            }
            for seat in 0..*players {
                let state = session.state();
                let mut world = state.clone();
                world.determinize(seat, session.belief(seat).unwrap(), &mut rng);
                seats += 1;
                let Some(other) = retold(&session, &world, seat) else { continue };
                told += 1;
                changed += usize::from(other.state() != state);
                let here = Observer::Seat(seat);
                assert_eq!(other.view(here).to_string(), session.view(here).to_string(), "{name}");
                let boards = [&other, &session].map(|s| kiebitz_core::Notation::board_text(s.state(), here));
                assert_eq!(boards[0], boards[1], "{name}");
                assert_eq!(other.state().information_key(seat), state.information_key(seat), "{name}");
                assert_eq!(other.belief(seat), session.belief(seat), "{name}");
                assert_eq!(other.turn(), session.turn());
                if session.turn() != Turn::Seat(seat) {
                    continue;
                }
                let mut legal = Vec::new();
                state.actions(&mut buffer);
                other.state().actions(&mut legal);
                assert_eq!(legal, buffer, "{name}");
                let seed = rng.next_u64();
                let knowledge = if decisions % 2 == 0 { &knowledge } else { &plain };
                let hint = |s: &Session<PaoDeKuai>| hints(knowledge, s, seat, &legal, seed);
                assert_eq!(hint(&other), hint(&session), "{name}");
                let spec = PLAYERS[decisions % PLAYERS.len()];
                let (first, second) = (decide(spec, &session, seat, seed), decide(spec, &other, seat, seed));
                assert_eq!(first, second, "{name}: {spec}");
                decisions += 1;
            }
            found += 1;
            if found == states {
                break 'all;
            }
        }
    }
    println!("{found} states, {told} of {seats} seats retold, {changed} in another world, {decisions} decisions");
    assert!(told * 10 >= seats * 9, "{told} of {seats}");
    assert!(changed * 10 > told * 8, "{changed} of {told}");
    assert!(decisions * 10 >= found * 9);
}

/// The test above would find a player that looks: one that is given the true game decides otherwise.
#[test]
fn a_peeking_player_would_be_found() {
    let (mut rng, mut buffer) = (Rng::new(17), Vec::new());
    let mut differ = 0;
    for game in 0..60 {
        let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, game).unwrap();
        for _ in 0..12 {
            common::random_step(&mut session, &mut rng, &mut buffer);
        }
        let Turn::Seat(seat) = session.turn() else { continue };
        let mut world = session.state().clone();
        world.determinize(seat, session.belief(seat).unwrap(), &mut rng);
        let Some(other) = retold(&session, &world, seat) else { continue };
        // It looks at the hand after its own.
        let peek = |s: &Session<PaoDeKuai>| s.state().state().hand((seat + 1) % 3);
        differ += usize::from(peek(&session) != peek(&other));
    }
    assert!(differ > 30, "{differ}");
}
