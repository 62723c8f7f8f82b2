//! Lines that ask for something else than an analysis.

use kiebitz_catalog::Entry;
use serde_json::{Map, Value, json};

use super::fields::{Fields, Problem};
use super::workers::Shared;

/// The actions there are.
const ACTIONS: &str = "query_version, query_models, clear_cache, terminate, terminate_all";

/// Does what the line asks for and echoes it, with what was asked.
pub(crate) fn run(shared: &Shared, action: &str, map: &Map<String, Value>) -> Result<(), Problem> {
    let mut echo = map.clone();
    match action {
        "query_version" => {
            echo.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
            echo.insert("git_hash".to_owned(), "<omitted>".into());
            echo.insert("engine".to_owned(), "kiebitz".into());
        }
        "query_models" => {
            // KataGo lists its networks here. There is none; programs that want one find the program itself.
            let model = json!({
                "name": "kiebitz",
                "internalName": format!("kiebitz-{}", env!("CARGO_PKG_VERSION")),
                "maxBatchSize": 1,
                "usesHumanSLProfile": false,
                "version": 0,
                "usingFP16": "false",
            });
            echo.insert("models".to_owned(), json!([model]));
            let games: Vec<Value> = kiebitz_catalog::games()
                .iter()
                .map(|entry| {
                    let players = entry.game.players();
                    json!({
                        "game": entry.game.id(),
                        "title": entry.titles[0],
                        "players": [players.start(), players.end()],
                        "default": entry.default_player().to_string(),
                    })
                })
                .collect();
            echo.insert("games".to_owned(), games.into());
            echo.insert("players".to_owned(), json!(Entry::player_names()));
        }
        // Nothing is kept from one query to the next.
        "clear_cache" => {}
        "terminate" => {
            let id = map.get("terminateId").and_then(Value::as_str);
            let id = id.ok_or_else(|| Problem::of("terminateId", "it must be the id of the query to end, a text"))?;
            let turns = turns(map)?;
            shared.terminate(|open, turn| open == id && named(&turns, turn));
        }
        "terminate_all" => {
            let turns = turns(map)?;
            shared.terminate(|_, turn| named(&turns, turn));
        }
        _ => return Err(Problem::of("action", format!("it must be one of: {ACTIONS}"))),
    }
    shared.output.send(&Value::Object(echo));
    Ok(())
}

/// The turns that are meant; `None`: all.
fn turns(map: &Map<String, Value>) -> Result<Option<Vec<i64>>, Problem> {
    Fields::new(map).integers("turnNumbers")
}

fn named(turns: &Option<Vec<i64>>, turn: usize) -> bool {
    turns.as_ref().is_none_or(|turns| i64::try_from(turn).is_ok_and(|turn| turns.contains(&turn)))
}
