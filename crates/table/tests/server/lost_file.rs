//! What becomes of the data file under a running server: it is deleted, moved, or a cell of it is damaged.

use crate::support::{Folder, Running, hot_seat};
use kiebitz_table::store::FILE;
use serde_json::{Value, json};

/// Nothing is acknowledged that nobody will ever find again.
#[cfg(unix)]
#[test]
fn a_data_file_that_is_gone_is_noticed() {
    let folder = Folder::new();
    let data = folder.path().join("data");
    let aside = folder.path().join("aside");
    let running = Running::new(&data);
    let made = running.create(&hot_seat(9));
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&running.key]);
    let state = page.wait_type("state");
    assert_eq!(page.play(&state["v"], "C3")["type"], "ack");
    let state = page.wait_state("the move", |s| s["ply"] == 1);
    let refused = |running: &Running, page: &mut crate::support::Page| {
        assert_eq!(page.play(&state["v"], "G7")["code"], "store.gone");
        let made = running.owner("POST", "/api/games", Some(&hot_seat(9)));
        assert_eq!((made.status, &made.json()["code"]), (503, &json!("store.gone")));
        let health = running.owner("GET", "/healthz", None);
        assert_eq!((health.status, &health.json()["ok"]), (503, &json!(false)));
        assert_eq!(health.json()["code"], "store.gone");
    };
    std::fs::rename(&data, &aside).expect("moved");
    refused(&running, &mut page);
    // Another one in its place is not it.
    std::fs::create_dir(&data).expect("a folder");
    std::fs::copy(aside.join(FILE), data.join(FILE)).expect("a copy");
    refused(&running, &mut page);
    // Back in its place all goes on.
    std::fs::remove_dir_all(&data).expect("removed");
    std::fs::rename(&aside, &data).expect("moved back");
    assert_eq!(running.owner("GET", "/healthz", None).status, 200);
    assert_eq!(page.play(&state["v"], "G7")["type"], "ack");
    let state = page.wait_state("the move", |s| s["ply"] == 2);
    std::fs::remove_dir_all(&data).expect("removed");
    assert_eq!(page.play(&state["v"], "G3")["code"], "store.gone");
    running.stop();
}

#[test]
fn a_game_whose_line_in_the_list_is_damaged_is_listed_all_the_same() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let mut wish = hot_seat(9);
    wish["title"] = json!("lost");
    let [mended, cleared, deleted, broken] = [0; 4].map(|_| running.create(&wish));
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let token = mended["tokens"][0]["token"].as_str().unwrap();
    let mut page = running.sit(&id(&mended), &[token]);
    let state = page.wait_type("state");
    assert_eq!(page.play(&state["v"], "C3")["type"], "ack");
    let path = format!("/api/games/{}", id(&deleted));
    assert_eq!(running.owner("PATCH", &path, Some(&json!({"deleted": true}))).status, 204);
    let file = rusqlite::Connection::open(folder.path().join(FILE)).expect("it opens");
    let set = |sql: &str, of: &Value| assert_eq!(file.execute(sql, [id(of)]).expect("it runs"), 1);
    set("UPDATE games SET summary = 'x' WHERE id = ?1", &mended);
    set("UPDATE games SET summary = '{}' WHERE id = ?1", &cleared);
    set("UPDATE games SET summary = CAST(x'ff00' AS TEXT) WHERE id = ?1", &deleted);
    set("UPDATE games SET summary = '' WHERE id = ?1", &broken);
    set("UPDATE events SET body = '{}' WHERE game = ?1", &broken);
    for _ in 0..2 {
        let list = running.owner("GET", "/api/games", None).json();
        let game = |of: &Value| {
            let games = list["games"].as_array().expect("games");
            games.iter().find(|g| g["id"] == of["id"]).unwrap_or_else(|| panic!("not in the list: {list}")).clone()
        };
        let whole = game(&mended);
        assert_eq!((&whole["ply"], &whole["game"], &whole["title"]), (&json!(1), &json!("go"), &json!("lost")));
        assert_eq!((&whole["yours"], &whole["broken"]), (&json!([0, 1]), &json!(null)));
        assert_eq!((&game(&cleared)["ply"], &game(&cleared)["broken"]), (&json!(0), &json!(null)));
        let lost = game(&broken);
        assert_eq!((&lost["title"], &lost["phase"]), (&json!("lost"), &json!("over")));
        assert!(lost["broken"].as_str().is_some_and(|why| why.contains("damaged")), "{lost}");
        let gone = running.owner("GET", "/api/games?deleted=1", None).json();
        assert_eq!((&gone["games"][0]["id"], &gone["games"][0]["game"]), (&deleted["id"], &json!("go")));
        let mine = running.owner("POST", "/api/mine", Some(&json!({"tokens": [token]}))).json();
        assert_eq!(mine["games"][0]["ply"], 1);
    }
    // The row itself was mended.
    let summary: String =
        file.query_row("SELECT summary FROM games WHERE id = ?1", [id(&mended)], |row| row.get(0)).expect("a row");
    assert!(summary.starts_with('{'), "{summary}");
    running.stop();
}
