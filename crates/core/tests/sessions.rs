//! Games in progress: what a player may see, taking back, giving up, records, and the erased layer.

mod duel;

use duel::{Duel, DuelOptions, DuelSetup, Fault, Play};
use kiebitz_core::conformance::chi_squared;
use kiebitz_core::record::{By, Header, Line, Record};
use kiebitz_core::{DynGame, DynGameType, Forfeit, Game, GameType, Observer, Rng, Session, Step, Turn};
use serde_json::{Map, Value, json};

fn session(players: u8, seed: u64) -> Session<Duel> {
    Session::new(players, DuelOptions::default(), None, seed).unwrap()
}

/// A session of three players after these actions, each by whoever is to move.
fn after(seed: u64, actions: &[Play]) -> Session<Duel> {
    let mut session = session(3, seed);
    for &action in actions {
        session.play(action).unwrap();
    }
    session
}

fn chips(chips: i64) -> Map<String, Value> {
    Map::from_iter([("chips".to_owned(), json!(chips))])
}

/// Two games that differ only in what a seat does not see give it the same knowledge, bit for bit.
#[test]
fn nobody_peeks() {
    use Play::{Deal, Draw, Hold, Raise, Roll, Swap};
    // Player 0 holds 4 in both. Player 1 draws a card that player 0 does not see.
    let first = after(1, &[Deal([4, 1, 6]), Roll(2), Raise, Swap, Draw(2), Hold, Roll(1)]);
    let second = after(99, &[Deal([4, 1, 3]), Roll(2), Raise, Swap, Draw(5), Hold, Roll(1)]);
    assert_ne!(first.state(), second.state());
    for salt in 0..200 {
        let (mine, other) = (first.seen(0, salt), second.seen(0, salt));
        assert_eq!(format!("{mine:?}"), format!("{other:?}"), "not even a dump tells them apart");
        assert_eq!(mine.sample_world(), other.sample_world());
        assert_eq!((mine.belief(), mine.seat()), (other.belief(), 0));
        assert_eq!(mine.information_key(), other.information_key());
        let (mut a, mut b) = (Rng::new(salt), Rng::new(salt));
        let mut reused = first.state().clone();
        for _ in 0..5 {
            let world = mine.draw(&mut a);
            assert_eq!(world, other.draw(&mut b));
            assert_eq!((world.card(0), world.pot()), (4, first.state().pot()));
            mine.draw_into(&mut reused, &mut a);
            other.draw(&mut b);
        }
    }
    assert_eq!(first.view(Observer::Seat(0)), second.view(Observer::Seat(0)));
    assert_eq!(first.view(Observer::Public), second.view(Observer::Public));
    assert_ne!(first.view(Observer::Seat(2)), second.view(Observer::Seat(2)));
    // Those who see the difference know different things.
    assert_ne!(first.seen(2, 0).information_key(), second.seen(2, 0).information_key());
}

/// The first world of a search is a guess: over many salts the truth comes no more often than any other world.
#[test]
fn the_guess_knows_nothing() {
    let game = after(1, &[Play::Deal([4, 1, 6]), Play::Roll(2)]);
    let mut counts = [0u64; 25];
    for salt in 0..20_000 {
        let seen = game.seen(0, salt);
        let place = |card: u8| usize::from(if card > 4 { card - 2 } else { card - 1 });
        counts[5 * place(seen.sample_world().card(1)) + place(seen.sample_world().card(2))] += 1;
    }
    let expected: Vec<f64> = (0..25).map(|i| if i / 5 == i % 5 { 0.0 } else { 0.05 }).collect();
    let test = chi_squared(&counts, &expected);
    assert!(test.fits(), "{test:?} {counts:?}");
}

#[test]
fn undo_gives_the_same_luck_again() {
    let mut game = session(2, 5);
    let mut luck = Vec::new();
    let mut states = vec![game.state().clone()];
    while !game.turn().is_terminal() {
        match game.roll() {
            Some(action) => luck.push(action),
            None if luck.len() % 2 == 0 && game.play(Play::Swap).is_ok() => {}
            None => game.play(Play::Raise).unwrap(),
        }
        states.push(game.state().clone());
    }
    let (steps, end) = (game.history().len(), game.state().clone());
    for i in (0..steps).rev() {
        assert!(game.undo());
        assert_eq!((game.state(), game.history().len()), (&states[i], i));
    }
    assert!(!game.undo());
    for state in &states[1..] {
        assert!(game.redo());
        assert_eq!(game.state(), state);
    }
    assert!(!game.redo());
    // Everything back, and played again by its own luck.
    while game.undo() {}
    let mut again = Vec::new();
    while !game.turn().is_terminal() {
        match game.roll() {
            Some(action) => again.push(action),
            None if again.len() % 2 == 0 && game.play(Play::Swap).is_ok() => {}
            None => game.play(Play::Raise).unwrap(),
        }
    }
    assert_eq!((again, game.state()), (luck, &end));
}

/// The k-th roll is the same whatever the players did before it.
#[test]
fn luck_does_not_depend_on_the_players() {
    for seed in 0..50 {
        let rolls = |raise: bool| {
            let mut game = session(3, seed);
            let mut rolls = Vec::new();
            while !game.turn().is_terminal() {
                match game.roll() {
                    Some(Play::Roll(face)) => rolls.push(face),
                    Some(_) => {}
                    None => game.play(if raise { Play::Raise } else { Play::Hold }).unwrap(),
                }
            }
            rolls
        };
        assert_eq!(rolls(true), rolls(false));
    }
}

#[test]
fn a_new_step_ends_redo_but_a_refused_one_does_not() {
    let mut game = after(1, &[Play::Deal([4, 1, 6]), Play::Roll(2), Play::Raise]);
    assert!(game.undo());
    assert!(game.play(Play::Roll(1)).is_err());
    assert!(game.perform(Step::Forfeit(Forfeit::Resign(3))).is_err());
    assert!(game.redo());
    assert!(game.undo());
    game.play(Play::Hold).unwrap();
    assert!(!game.redo());
}

#[test]
fn a_forfeit_ends_the_game() {
    let mut game = after(1, &[Play::Deal([4, 1, 6]), Play::Roll(2)]);
    assert!(DynGame::facts(&game).contains_key("legal"));
    assert_eq!((DynGame::result(&game), game.forfeit()), (None, None));
    game.perform(Step::Forfeit(Forfeit::Resign(1))).unwrap();
    assert_eq!((game.turn(), game.forfeit()), (Turn::Terminal, Some(Forfeit::Resign(1))));
    let facts = Value::Object(game.facts());
    let expected = json!({
        "to_move": null, "terminal": true, "pot": 3, "cards": [4, 1, 6], "result": "player 1 resigned"
    });
    assert_eq!(facts, expected, "no legal… facts are left");
    assert_eq!(DynGame::result(&game).as_deref(), Some("player 1 resigned"));
    assert_eq!(game.utility().as_slice(), [0.5, 0.0, 0.5], "the others share the win");
    assert_eq!(game.win_returns().as_slice(), [0.5, -1.0, 0.5]);
    assert_eq!(DynGame::legal(&game), Vec::<String>::new());
    assert_eq!(game.roll(), None);
    // Nothing more is possible.
    for error in [
        game.play(Play::Hold).unwrap_err(),
        game.perform(Step::Forfeit(Forfeit::Timeout(0))).unwrap_err(),
        game.perform(Step::SetUp(Box::new(DuelSetup { pot: 1 }))).unwrap_err(),
        DynGame::check(&game, "hold").unwrap_err(),
        DynGame::event(&mut game, 0, "tip", &chips(1)).unwrap_err(),
    ] {
        assert_eq!((error.code, &*error.message), ("game.over", "the game is over, no action is possible"));
    }
    assert!(game.undo());
    assert_eq!((game.turn(), game.forfeit()), (Turn::Seat(0), None));
    assert!(DynGame::facts(&game).contains_key("legal"));
    assert!(game.redo() && game.turn().is_terminal());
    // In a record it is an event, and it replays.
    let record = DynGame::record(&game);
    assert_eq!(Value::from(record.lines[2].get("event").cloned()), json!("resign"));
    let mut replay = GameType::<Duel>::new().start(&record.header, 0).unwrap();
    record.lines.iter().for_each(|line| replay.perform(line).unwrap());
    assert_eq!(Value::Object(replay.facts()), expected);
}

#[test]
fn forfeits_that_are_refused() {
    let mut game = session(2, 1);
    let error = game.perform(Step::Forfeit(Forfeit::Timeout(2))).unwrap_err();
    assert_eq!((error.code, &*error.message), ("turn.seat", "there is no player 2; players are numbered 0 to 1"));
    while !game.turn().is_terminal() {
        if game.roll().is_none() {
            game.play(Play::Hold).unwrap();
        }
    }
    let error = game.perform(Step::Forfeit(Forfeit::Resign(0))).unwrap_err();
    assert_eq!(error.code, "game.over", "a finished game cannot be resigned");
    assert_eq!(game.forfeit(), None);
}

#[test]
fn play_as_is_refused_by_default() {
    let mut game = session(3, 1);
    let refused = |game: &mut Session<Duel>, seat, action| {
        let (state, steps) = (game.state().clone(), game.history().len());
        let error = game.play_as(seat, action).unwrap_err();
        assert_eq!((game.state(), game.history().len()), (&state, steps), "nothing is changed");
        (error.code, error.message.into_owned())
    };
    let chance = ("turn.chance", "chance moves now, not player 0".to_owned());
    assert_eq!(refused(&mut game, 0, Play::Deal([1, 2, 3])), chance);
    game.play(Play::Deal([1, 2, 3])).unwrap();
    game.play(Play::Roll(1)).unwrap();
    let other = ("turn.other", "it is the turn of player 0, not of player 1".to_owned());
    assert_eq!(refused(&mut game, 1, Play::Hold), other);
    let none = ("turn.seat", "there is no player 3; players are numbered 0 to 2".to_owned());
    assert_eq!(refused(&mut game, 3, Play::Hold), none);
    let error = game.perform(Step::Action { by: None, action: Play::Hold }).unwrap_err();
    assert_eq!((error.code, &*error.message), ("turn.player", "it is the turn of player 0, not of chance"));
    game.play_as(0, Play::Hold).unwrap();
    assert_eq!(game.turn(), Turn::Seat(1));
}

#[test]
fn set_ups_and_events_are_steps_like_others() {
    let options = DuelOptions { rounds: 1, fault: Fault::None };
    let mut game = Session::<Duel>::new(2, options, Some(DuelSetup { pot: 9 }), 3).unwrap();
    assert_eq!(game.perform(Step::SetUp(Box::new(DuelSetup { pot: 2 }))).unwrap_err().code, "duel.setup");
    game.play(Play::Deal([5, 2, 0])).unwrap();
    game.play(Play::Roll(3)).unwrap();
    DynGame::set_up(&mut game, &json!({"pot": 5})).unwrap();
    DynGame::event(&mut game, 1, "tip", &chips(2)).unwrap();
    assert_eq!(DynGame::event(&mut game, 1, "tip", &chips(7)).unwrap_err().code, "duel.event");
    assert_eq!(DynGame::event(&mut game, 2, "tip", &chips(1)).unwrap_err().code, "turn.seat");
    assert_eq!(DynGame::set_up(&mut game, &json!({"pot": 21})).unwrap_err().code, "duel.value");
    assert_eq!(game.state().pot(), 7);
    game.play(Play::Hold).unwrap();
    game.play(Play::Raise).unwrap();
    assert_eq!(game.returns().as_slice(), [8.0, -8.0]);
    let text = DynGame::record(&game).to_text();
    assert_eq!(
        text,
        concat!(
            r#"{"kiebitz":1,"game":"duel","players":2,"rules":{"rounds":1},"setup":{"pot":9},"seed":3}"#,
            "\n",
            r#"{"by":"chance","action":"deal 5,2"}"#,
            "\n",
            r#"{"by":"chance","action":"roll 3"}"#,
            "\n",
            r#"{"by":"setup","setup":{"pot":5}}"#,
            "\n",
            r#"{"by":1,"event":"tip","chips":2}"#,
            "\n",
            r#"{"by":0,"action":"hold"}"#,
            "\n",
            r#"{"by":1,"action":"raise"}"#,
            "\n",
        )
    );
    let read = Record::read(text.as_bytes()).unwrap().record;
    let mut replay = GameType::<Duel>::new().start(&read.header, 77).unwrap();
    read.lines.iter().for_each(|line| replay.perform(line).unwrap());
    assert_eq!((replay.facts(), replay.record()), (DynGame::facts(&game), read));
    for pot in [7, 7, 5, 12, 9] {
        assert!(replay.undo());
        let typed = replay.as_any().downcast_ref::<Session<Duel>>().unwrap();
        assert_eq!(typed.state().pot(), pot);
    }
}

#[test]
fn lines_that_cannot_be_performed() {
    let mut game = GameType::<Duel>::new().start(&Header::new("duel", 2, Map::new()), 4).unwrap();
    for (line, code) in [
        (Line::action(By::Chance, "deal 1,1"), "duel.phase"),
        (Line::action(By::Chance, "deal ?,1"), "duel.phase"),
        (Line::action(By::Chance, "deal 1"), "duel.text"),
        (Line::action(By::Chance, "hold"), "duel.phase"),
        (Line::action(By::Seat(0), "hold"), "turn.chance"),
        (Line::event(By::Seat(0), "resign", Map::new()), ""),
    ] {
        let before = game.record();
        match game.perform(&line) {
            Ok(()) => assert_eq!(code, ""),
            Err(e) => {
                assert_eq!(e.code, code, "{e}");
                assert_eq!(game.record(), before);
            }
        }
    }
    assert!(game.undo());
    game.play("deal 2,5").unwrap();
    game.play("roll 1").unwrap();
    let error = game.perform(&Line::action(By::Chance, "roll 1")).unwrap_err();
    assert_eq!(error.code, "turn.player");
    let error = game.perform(&Line::event(By::Chance, "resign", Map::new())).unwrap_err();
    assert_eq!(error.code, "record.line");
}

#[test]
fn the_erased_layer() {
    let kind: &dyn DynGameType = &GameType::<Duel>::new();
    assert_eq!((kind.id(), kind.players(), kind.default_players(&Map::new())), ("duel", 2..=3, 2));
    let error = kind.start(&Header::new("duel", 4, Map::new()), 1).unwrap_err();
    assert_eq!((error.code, &*error.message), ("players", "duel is for 2 to 3 players, not for 4"));
    let mut header = Header::new("duel", 2, Map::from_iter([("turns".to_owned(), json!(1))]));
    assert_eq!(kind.start(&header, 1).unwrap_err().code, "duel.option");
    header = Header::new("duel", 2, Map::new());
    header.set("setup", json!({"pot": "x"}));
    assert_eq!(kind.start(&header, 1).unwrap_err().code, "duel.value");
    header.remove("setup");
    // A header without seed plays with the one given, else with its own.
    assert_eq!(kind.start(&header, 6).unwrap().record().header.seed(), Some(6));
    header.set("seed", 8);
    let mut game = kind.start(&header, 6).unwrap();
    assert_eq!(game.record().header.seed(), Some(8));
    assert_eq!((game.id(), game.turn(), game.steps(), game.legal().len()), ("duel", Turn::Chance(0), 0, 30));
    let dealt = game.roll().unwrap();
    assert!(dealt.starts_with("deal ") && game.roll().unwrap().starts_with("roll "));
    assert_eq!((game.roll(), game.legal()), (None, vec!["hold".to_owned(), "raise".to_owned(), "swap".to_owned()]));
    assert_eq!(game.canonical("hold").as_deref(), Ok("hold"));
    assert_eq!(game.canonical("Hold").unwrap_err().code, "duel.text");
    assert!(game.check("swap").is_ok());
    assert_eq!(game.check("roll 2").unwrap_err().code, "duel.phase");
    let copy = game.clone_box();
    game.play("swap").unwrap();
    assert_eq!((game.legal(), game.turn()), (vec![], Turn::Chance(2)), "a draw is only sampled");
    game.roll().unwrap();
    game.play_as(1, "raise").unwrap();
    assert_eq!((game.steps(), copy.steps()), (5, 2));
    assert_eq!(game.meta(), Duel::new(2, &DuelOptions::default(), None).unwrap().meta());
    assert!(game.view(Observer::Public)["cards"].as_array().unwrap().iter().all(Value::is_null));
    assert!(game.board_text(Observer::Omniscient).contains("cards ["));
    assert_eq!(game.returns().as_slice(), [0.0, 0.0]);
}

/// Who followed a game needs one number to see that it went on, and another history has another one.
#[test]
fn histories_have_digests() {
    use Play::{Deal, Hold, Raise, Roll, Swap};
    let one = after(1, &[Deal([4, 1, 6]), Roll(2), Raise, Swap]);
    let mut other = after(99, &[Deal([4, 1, 6]), Roll(2), Raise, Hold]);
    for steps in 0..4 {
        assert_eq!(one.digest(steps), other.digest(steps), "{steps}");
    }
    let all: std::collections::BTreeSet<_> = (0..=4).map(|steps| one.digest(steps).unwrap()).collect();
    assert_eq!(all.len(), 5);
    assert_ne!(one.digest(4), other.digest(4));
    assert_eq!(one.digest(5), None);
    let before = other.digest(4);
    assert!(other.undo());
    assert_eq!((other.digest(3), other.digest(4)), (one.digest(3), None));
    other.perform(Step::Forfeit(Forfeit::Resign(1))).unwrap();
    assert!(other.digest(4).is_some() && other.digest(4) != before);
}
