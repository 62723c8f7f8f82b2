//! No peeking through the engine: what it answers about a position of Pao De Kuai does not change by one byte when everything that
//! the seat to move cannot see is replaced by another possible world. Queries that leave out what the seat does not know are
//! answered in the same way as those that give the whole record.

use kiebitz_core::{DynGame, Game, Notation, Rng, Session, Turn};
use kiebitz_paodekuai::{Action, Cards, Options, PaoDeKuai, Phase, Setup, SetupHand, SetupTrick};
use serde_json::{Value, json};

use crate::cards::retold::retold;
use crate::cards::{all_sets, random_step, repeats};
use crate::support::{answer, refused, serve_to};

/// The players that are asked: every kind of search, with every kind of knowledge; the default one first.
const PLAYERS: [&str; 12] = [
    "best:level=1",
    "ismcts:early=off",
    "ismcts:playouts=heavy,reward=win",
    "ismcts:evidence=rule,worlds=16",
    "ismcts:opponents=memory,evidence=memory,worlds=8,reward=mixed",
    "ismcts:observers=multiple,evidence=risk,worlds=8",
    "ismcts:observers=redeterminize,reward=win",
    "ismcts:threads=2,early=off",
    "pimc:samples=3,inner=uct,reward=speed",
    "flat:bomb=0.5",
    "openloop:proofs=off",
    "policy:playouts=heavy,evidence=memory,worlds=8",
];

/// The answers to these queries, one line each and in their order, without the time they took. Ids are put in for the engine and
/// taken out of its answers.
fn answers_to(queries: &[Value]) -> Vec<String> {
    let id = |number: usize| format!("\"id\":\"q{number}\",");
    let named = |(number, query): (usize, &Value)| format!("{{{}{}\n", id(number), &query.to_string()[1..]);
    let input: String = queries.iter().enumerate().map(named).collect();
    let mut output = Vec::new();
    serve_to(&input, &mut output);
    let text = String::from_utf8(output).expect("UTF-8");
    let without_time = |line: &str| match line.split_once("\"seconds\":") {
        Some((before, after)) => {
            let end = after.find([',', '}']).expect("a number ends");
            assert!(after[..end].parse::<f64>().is_ok() && !after.contains("\"seconds\":"));
            before.to_owned() + &after[end..]
        }
        None => line.to_owned(),
    };
    assert_eq!(text.lines().count(), queries.len(), "{text}");
    let answer = |number: usize| {
        let line = text.lines().find(|line| line.contains(&id(number)));
        without_time(line.expect("an answer")).replace(&id(number), "")
    };
    (0..queries.len()).map(answer).collect()
}

/// What all queries about a game have in common.
fn about(options: &Options, players: u8, more: Value) -> Value {
    let mut query = json!({"game": "paodekuai", "players": players});
    query["rules"] = PaoDeKuai::options_to_json(options).into();
    for (key, value) in more.as_object().expect("an object") {
        query[key] = value.clone();
    }
    query
}

/// All actions of a game, nothing masked.
fn actions(session: &Session<PaoDeKuai>) -> Vec<String> {
    let lines = DynGame::record(session).lines;
    let text = |line: &kiebitz_core::record::Line| match line.what() {
        kiebitz_core::record::What::Action(text) => text.to_owned(),
        other => panic!("{other:?} is no action"),
    };
    lines.iter().map(text).collect()
}

/// The position with all hands open, as a set-up.
fn setup(session: &Session<PaoDeKuai>) -> Value {
    let state = session.state().state();
    let seats = 0..session.players();
    let setup = Setup {
        hands: seats.clone().map(|seat| SetupHand::Cards(state.hand(seat).expect("a known hand"))).collect(),
        to_move: state.to_move(),
        trick: state.trick().map(|(play, reading, by)| SetupTrick { play, by, reading: Some(reading) }),
        passes: state.passes(),
        must_include: state.include_duty(),
        plays_made: state.plays_made()[..usize::from(session.players())].to_vec(),
        leader: state.leader(),
        locked: seats.clone().filter(|&seat| state.is_locked(seat)).collect(),
        out: state.finishing_order().collect(),
        bombs: state.bombs_paid_to().collect(),
        offence: state.offence(),
        played: seats.clone().map(|seat| state.played(seat)).collect(),
        kitty: Some({
            let all = seats.map(|seat| state.hand(seat).unwrap_or_default().plus(state.played(seat)));
            session.state().rules().deck_counts().minus(all.fold(Cards::EMPTY, Cards::plus))
        }),
        evidence: session.belief(state.to_move()).expect("a seat").proofs().to_vec(),
    };
    setup.to_json(session.options())
}

/// The game played on at random to its end.
fn finished(session: &Session<PaoDeKuai>, rng: &mut Rng, buffer: &mut Vec<Action>) -> Session<PaoDeKuai> {
    let mut whole = session.clone();
    while random_step(&mut whole, rng, buffer) {}
    whole
}

/// For random positions under 27 sets of rules, and for every seat: an analysis, a hint, an analysis with some actions avoided, the
/// same with the whole record, as a set-up with all hands open, and what is answered where it is not the seat's turn.
#[test]
fn no_peeking_through_the_engine() {
    let states = repeats(270).min(5_000);
    let (mut rng, mut buffer, sets) = (Rng::new(29), Vec::new(), all_sets());
    let (mut found, mut changed, mut answered, mut masked) = (0, 0, 0, 0);
    'all: for game in 0.. {
        let (name, options, players): &(String, Options, u8) = &sets[game % sets.len()];
        let kitty = options.hand * players < options.card_set().len();
        let mut session = Session::<PaoDeKuai>::new(*players, options.clone(), None, game as u64).expect(name);
        let mut here = 0;
        // A few positions of each game, so that all rules come up.
        while here < 3 && random_step(&mut session, &mut rng, &mut buffer) {
            let (Turn::Seat(seat), Phase::Play) = (session.turn(), session.state().state().phase()) else { continue };
            if rng.below(9) > 0 {
                continue;
            }
            let mut world = session.state().clone();
            world.determinize(seat, session.belief(seat).expect("a seat"), &mut rng);
            let Some(other) = retold(&session, &world, seat) else { continue };
            changed += usize::from(other.state() != session.state());
            let legal = DynGame::legal(&session);
            let player = PLAYERS[found % PLAYERS.len()];
            let (seed, turn) = (rng.next_u64() >> 12, DynGame::steps(&session));
            let avoided = &legal[..legal.len().min(2) - 1];
            let looked = json!({"player": player, "visits": 16, "seed": seed, "seat": seat});
            let queries = |told: &Session<PaoDeKuai>, rng: &mut Rng, buffer: &mut Vec<Action>| -> Vec<Value> {
                let ask = |more: Value| {
                    let mut query = about(options, *players, looked.clone());
                    for (key, value) in more.as_object().expect("an object") {
                        query[key] = value.clone();
                    }
                    query
                };
                let so_far = actions(told);
                let mut queries = vec![
                    ask(json!({"actions": so_far, "reasons": 0})),
                    ask(json!({"actions": so_far, "reasons": 3})),
                    ask(json!({"actions": so_far, "reasons": 1, "avoid": avoided})),
                    // What comes later is not looked at, and chance may have it otherwise.
                    ask(json!({"actions": actions(&finished(told, rng, buffer)), "turns": [turn], "reasons": 3})),
                    ask(json!({"setup": setup(told), "reasons": 3})),
                    ask(json!({"actions": so_far, "reasons": 1, "seat": null})),
                ];
                // Seats whose turn it is not are told so, whatever they hold.
                queries
                    .extend((0..*players).filter(|&s| s != seat).map(|s| ask(json!({"actions": so_far, "seat": s}))));
                queries
            };
            let first = answers_to(&queries(&session, &mut rng, &mut buffer));
            let second = answers_to(&queries(&other, &mut rng, &mut buffer));
            for (number, (first, second)) in first.iter().zip(&second).enumerate() {
                assert_eq!(first, second, "{name}: {player}, query {number}");
                assert_eq!(first.contains("\"analysis\""), number < 6, "{name}: {player}, query {number}: {first}");
                answered += 1;
            }
            assert_eq!(first[1], first[3], "{name}: {player}: the rest of the record changes something");
            // Only what the seat knows: its own cards of the deal. With a kitty that does not tell whether the lead card was dealt.
            let seen: Vec<String> =
                DynGame::seen_steps(&session, Some(seat)).into_iter().map(|step| step.action).collect();
            assert!(seen[0].contains('?'), "{}", seen[0]);
            let mut query = about(options, *players, looked.clone());
            (query["actions"], query["reasons"]) = (json!(seen), json!(3));
            let told = answers_to(&[query]).remove(0);
            assert!(told.contains("\"analysis\""), "{name}: {told}");
            if !kitty {
                assert_eq!(told, first[1], "{name}: {player}, masked");
                masked += 1;
            }
            (found, here) = (found + 1, here + 1);
            if found == states {
                break 'all;
            }
        }
    }
    println!("{found} states, {changed} in another world, {answered} answers, {masked} with a masked deal");
    assert!(changed * 10 > found * 8, "{changed} of {found}");
    assert!(masked * 3 > found, "{masked} of {found}");
}

#[test]
fn a_masked_deal_must_tell_what_the_seat_knows() {
    let mine = "D3S4H4S5H5S6H6S7H7S8H8S9H9STHTSJ";
    let ask = |deal: &str, seat: u8, plays: &[&str]| {
        let actions: Vec<&str> = std::iter::once(deal).chain(plays.iter().copied()).collect();
        json!({"id": "q", "game": "paodekuai", "actions": actions, "seat": seat, "visits": 8}).to_string()
    };
    // Seat 0 does not hold the lead card: seat 1 begins, for seat 0 is to move after two plays.
    let deal = format!("deal {mine}/?16/?16");
    let fine = answer(&ask(&deal, 0, &["3", "4"]));
    assert_eq!((&fine["toMove"], &fine["analysis"]["seat"]), (&json!(0), &json!(0)), "{fine}");
    assert!(fine["analysis"]["candidates"].as_array().is_some_and(|list| list.iter().any(|c| c["action"] == "5")));
    // After one play it is seat 2 that began.
    assert_eq!(answer(&ask(&deal, 0, &["3"]))["analysis"]["seat"], 0);
    // Another seat's cards, nobody's cards, a seat that sees more than it can, and nothing to tell who began.
    let (field, error) = refused(&ask(&deal, 1, &["3"]));
    assert_eq!(field, "actions");
    assert!(error.contains("player 1 sees no possible action"), "{error}");
    let (field, error) = refused(&ask("deal ?16/?16/?16", 0, &["3"]));
    assert_eq!(field, "actions");
    assert!(error.contains("it is not known what player 0 holds"), "{error}");
    let line = json!({"id": "q", "game": "paodekuai", "actions": [deal, "3"], "seat": 0, "turns": [0]}).to_string();
    let (field, error) = refused(&line);
    assert_eq!(field, "actions");
    assert!(error.contains("who began"), "{error}");
    let line =
        json!({"id": "q", "game": "paodekuai", "setup": {"hands": ["?3", "44", "?2"], "to_move": 0}}).to_string();
    let (field, error) = refused(&line);
    assert_eq!((field.as_str(), error.contains("it is not known what player 0 holds")), ("setup", true), "{error}");
}
