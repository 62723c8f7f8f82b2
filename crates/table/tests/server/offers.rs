//! What the server offers: the options of each game, and what they lead to.

use crate::support::{Folder, Running, request};
use serde_json::{Value, json};

fn kind(running: &Running, game: &str) -> Value {
    let info = request(running.addr, "GET", "/api/info", None, None).json();
    let games = info["games"].as_array().expect("games").clone();
    games.into_iter().find(|kind| kind["id"] == game).expect("the game")
}

/// The values of an option, the default first.
fn values(kind: &Value, key: &str) -> Vec<Value> {
    let options = kind["options"].as_array().expect("options");
    let option = options.iter().find(|option| option["key"] == key).unwrap_or_else(|| panic!("no option {key}"));
    option["values"].as_array().expect("values").clone()
}

fn defaults(running: &Running, wish: &Value) -> (u16, Value) {
    let answer = request(running.addr, "POST", "/api/defaults", None, Some(wish));
    (answer.status, answer.json())
}

#[test]
fn the_options_of_pao_de_kuai_are_listed_and_every_value_makes_a_game() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let cards = kind(&running, "paodekuai");
    let keys: Vec<&str> =
        cards["options"].as_array().expect("options").iter().filter_map(|o| o["key"].as_str()).collect();
    assert_eq!(keys, ["preset", "deals", "target", "must_beat", "show_counts"]);
    assert_eq!(values(&cards, "preset").len(), 9);
    assert_eq!(values(&cards, "target"), Vec::<Value>::new(), "a free number");
    for key in ["preset", "deals", "must_beat", "show_counts"] {
        let values = values(&cards, key);
        let (status, plain) = defaults(&running, &json!({"game": "paodekuai", "rules": {key: values[0]}}));
        assert_eq!(status, 200, "{plain}");
        assert_eq!(plain["rules"], json!({}), "{key}: the default comes first");
        for value in values {
            let (status, answer) = defaults(&running, &json!({"game": "paodekuai", "rules": {key: value}}));
            assert_eq!(status, 200, "{key} {value}: {answer}");
            let seats = vec![json!({"kind": "here"}); answer["players"].as_u64().expect("a number") as usize];
            let wish = json!({"game": "paodekuai", "rules": {key: value}, "seats": seats});
            let made = running.owner("POST", "/api/games", Some(&wish));
            assert_eq!(made.status, 201, "{key} {value}: {}", made.text());
        }
    }
    let (status, answer) = defaults(&running, &json!({"game": "paodekuai", "rules": {"target": 50}}));
    assert_eq!((status, &answer["view"]["target"]), (200, &json!(50)));
}

#[test]
fn options_are_told_apart_for_a_number_of_players() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    // Without a number: as many as the preset is for, else as many as usual.
    for (rules, players) in [(json!({}), 3), (json!({"preset": "duel15"}), 2), (json!({"preset": "zsy"}), 4)] {
        let (status, answer) = defaults(&running, &json!({"game": "paodekuai", "rules": rules}));
        assert_eq!((status, &answer["players"]), (200, &json!(players)), "{answer}");
        assert_eq!(answer["view"]["counts"].as_array().map(Vec::len), Some(players));
    }
    let (status, answer) = defaults(&running, &json!({"game": "paodekuai", "players": 2, "rules": {"deals": 4}}));
    assert_eq!((status, &answer["players"], &answer["view"]["deals"]), (200, &json!(2), &json!(4)), "{answer}");
    assert_eq!(answer["rules"], json!({"deals": 4}));
    // What does not go together is refused with a sentence.
    for (wish, code) in [
        (json!({"game": "paodekuai", "players": 3, "rules": {"preset": "duel16"}}), "paodekuai.options"),
        (json!({"game": "paodekuai", "players": 5}), "players"),
        (json!({"game": "paodekuai", "rules": {"deals": 0}}), "paodekuai.option"),
        (json!({"game": "paodekuai", "rules": {"preset": "none"}}), "paodekuai.option"),
        (json!({"game": "go", "players": 3}), "players"),
        (json!({"game": "go", "players": "two"}), "json"),
        (json!({"game": "go", "players": 256}), "json"),
        (json!({"game": "chess"}), "game.unknown_name"),
    ] {
        let (status, answer) = defaults(&running, &wish);
        assert!((400..500).contains(&status), "{wish}: {answer}");
        assert_eq!(answer["code"], code, "{wish}: {answer}");
    }
    let (status, answer) = defaults(&running, &json!({"game": "go", "players": 2, "rules": {"size": 9}}));
    assert_eq!((status, &answer["max_handicap"], &answer["rules"]), (200, &json!(9), &json!({"size": 9})), "{answer}");
}
