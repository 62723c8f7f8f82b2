//! The border of a game: players, options and set-ups.

use serde_json::{Map, Value, json};

use super::{Config, Problem, demand, fail};
use crate::{MAX_PLAYERS, Meta, Notation};

/// Looks at everything that needs no game in progress, and returns the game's static facts.
pub(super) fn game<G: Notation>(config: &Config<G>) -> Result<Meta, Problem> {
    let id = G::ID;
    demand!(
        !id.is_empty() && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()),
        "game.id",
        "the name '{id}' must consist of small letters and digits"
    );
    let (low, high) = (*G::PLAYERS.start(), *G::PLAYERS.end());
    demand!(
        1 <= low && low <= high && usize::from(high) <= MAX_PLAYERS,
        "game.players",
        "a game has 1 to {MAX_PLAYERS} players, this one {low} to {high}"
    );
    demand!(
        G::PLAYERS.contains(&G::default_players(&config.options)),
        "game.players",
        "by default there are {} players, which is not from {low} to {high}",
        G::default_players(&config.options)
    );
    for players in [low - 1, high + 1, u8::MAX] {
        demand!(
            G::new(players, &config.options, config.setup.as_ref()).is_err(),
            "game.players",
            "the game is for {low} to {high} players but starts with {players}"
        );
    }
    options::<G>(&G::Options::default())?;
    options::<G>(&config.options)?;
    demand!(
        G::options_to_json(&G::Options::default()).is_empty(),
        "options.default",
        "the default options are written as {:?}; only what differs from the default is",
        G::options_to_json(&G::Options::default())
    );
    let unknown = Map::from_iter([("no_such_rule".to_owned(), Value::from(1))]);
    match G::options_from_json(&unknown) {
        Ok(options) => fail!("options.unknown", "the unknown option no_such_rule is taken as {options:?}"),
        Err(e) => {
            demand!(
                e.message.contains("no_such_rule"),
                "options.unknown",
                "the error about the unknown option no_such_rule does not name it: {e}"
            );
        }
    }
    setups(config)?;
    match G::new(config.players, &config.options, config.setup.as_ref()) {
        Ok(state) => {
            let again = G::new(config.players, &config.options, config.setup.as_ref());
            demand!(again.is_ok_and(|s| s == state), "game.start", "the game does not start the same way twice");
            let meta = state.meta();
            demand!(
                meta.players == config.players && meta.min_return <= meta.max_return,
                "meta.form",
                "meta() of a game of {} players is {meta:?}",
                config.players
            );
            Ok(meta)
        }
        Err(e) => {
            fail!("game.start", "the game does not start: {e}")
        }
    }
}

/// Options survive being written and read.
fn options<G: Notation>(options: &G::Options) -> Result<(), Problem> {
    let rules = G::options_to_json(options);
    match G::options_from_json(&rules) {
        Ok(found) => demand!(
            found == *options,
            "options.round_trip",
            "{options:?} are written as {}, but that is read as {found:?}",
            Value::Object(rules)
        ),
        Err(e) => {
            fail!(
                "options.round_trip",
                "{options:?} are written as {}, but reading that fails: {e}",
                Value::Object(rules)
            );
        }
    }
    // Values of the wrong kind are refused or read, but do not panic.
    for key in rules.keys() {
        for value in [json!(null), json!(-1), json!(1e300), json!(u64::MAX), json!("?"), json!([[]]), json!({"a": 1})] {
            let _ = G::options_from_json(&Map::from_iter([(key.clone(), value)]));
        }
    }
    Ok(())
}

fn setups<G: Notation>(config: &Config<G>) -> Result<(), Problem> {
    if let Some(setup) = &config.setup {
        let json = G::setup_to_json(&config.options, setup);
        match G::setup_from_json(&config.options, &json) {
            Ok(found) => demand!(
                found == *setup,
                "setup.round_trip",
                "{setup:?} is written as {json}, but that is read as {found:?}"
            ),
            Err(e) => {
                fail!("setup.round_trip", "{setup:?} is written as {json}, but reading that fails: {e}");
            }
        }
        for key in json.as_object().into_iter().flat_map(Map::keys) {
            for value in [json!(null), json!(-1), json!(u64::MAX), json!("?"), json!([[[]]]), json!({"a": {"b": -1}})] {
                let mut spoiled = json.clone();
                spoiled[key] = value;
                if let Ok(setup) = G::setup_from_json(&config.options, &spoiled) {
                    let _ = G::new(config.players, &config.options, Some(&setup));
                }
            }
        }
    }
    for nonsense in [json!(7), json!("x"), json!([1, 2]), json!({"no_such_key": 1})] {
        let found = G::setup_from_json(&config.options, &nonsense);
        demand!(found.is_err(), "setup.unknown", "{nonsense} is no set-up, but it is read as {found:?}");
    }
    Ok(())
}
