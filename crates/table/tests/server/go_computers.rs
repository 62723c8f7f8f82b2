//! The Go computer at the table knows when to pass, which stones are dead and when to give up.

use crate::support::{Folder, Page, Running, config};
use kiebitz_go::Size;
use serde_json::{Value, json};

/// Black has the left, White the right, all of it alive, the borders closed.
const CLOSED: [&str; 7] = [".XX.XOO", "XXXXXO.", ".XXXXOO", "XXXXXO.", "X.XXXOO", "XXXXXO.", "X.XXXOO"];
/// As [`CLOSED`] with a dead white stone in Black's area, where there is more room.
const DEAD_WHITE: [&str; 7] = ["...XXOO", ".O.XXO.", "...XXOO", "XXXXXO.", "X.XXXOO", "XXXXXO.", "X.XXXOO"];
/// Two open columns on either side: nobody lives in the other's.
const OPEN: [&str; 7] = ["..XXO..", "..XXO..", "..XXO..", "..XXO..", "..XXO..", "..XXO..", "..XXO.."];

const RULESETS: [&str; 11] = [
    "tromp-taylor",
    "chinese",
    "chinese-ogs",
    "chinese-kgs",
    "japanese",
    "korean",
    "stone-scoring",
    "aga",
    "bga",
    "new-zealand",
    "aga-button",
];

fn stones(rows: &[&str], mark: char) -> Vec<String> {
    let (width, height) = (rows[0].len(), rows.len());
    let size = Size::new(width, height).expect("a board");
    let at = |row: usize, column: usize| size.point(column, height - 1 - row).expect("a point").text(size).to_string();
    let mut found = Vec::new();
    for (row, line) in rows.iter().enumerate() {
        let columns = line.chars().enumerate().filter(|(_, c)| *c == mark);
        found.extend(columns.map(|(column, _)| at(row, column)));
    }
    found
}

/// A game from a position between a computer with the black stones and a person with the white ones, who is to move.
fn against_black(rows: &[&str], ruleset: &str, player: &str) -> Value {
    json!({
        "game": "go",
        "seats": [{"kind": "computer", "player": player}, {"kind": "here"}],
        "rules": {"size": [rows[0].len(), rows.len()], "ruleset": ruleset, "komi": 0.5},
        "setup": {"black": stones(rows, 'X'), "white": stones(rows, 'O'), "to_move": "white"},
    })
}

/// The person passes each time until nobody is to move; what the computer did, and the last state.
fn pass_until_the_end(page: &mut Page) -> (Vec<String>, Value) {
    let mut state = page.wait_type("state");
    for _ in 0..60 {
        if state["phase"] != "playing" {
            let moves = state["moves"].as_array().expect("moves").clone();
            let own = moves.iter().filter(|m| m["by"] == 0 && m["kind"] == "action");
            return (own.map(|m| m["action"].as_str().expect("text").to_owned()).collect(), state);
        }
        if state["turn"] == 1 {
            assert_eq!(page.play(&state["v"], "pass")["type"], "ack");
        }
        let v = state["v"].clone();
        state = page
            .state("the next state", |s| s["v"].as_u64() > v.as_u64() && (s["turn"] == 1 || s["phase"] != "playing"));
    }
    panic!("the game does not end: {}", state["view"]);
}

#[test]
fn a_computer_that_has_won_answers_a_pass_by_a_pass() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let key = running.key.clone();
    for ruleset in RULESETS {
        for player in ["best:level=1", "uct:visits=200"] {
            let made = running.create(&against_black(&CLOSED, ruleset, player));
            let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
            let (moves, state) = pass_until_the_end(&mut page);
            assert!(moves.iter().all(|m| m == "pass"), "{ruleset} {player}: {moves:?}");
            if state["phase"] == "over" {
                assert_eq!(state["outcome"]["winners"], json!([0]), "{ruleset} {player}");
            } else {
                assert_eq!(state["phase"], "scoring", "{ruleset} {player}");
            }
        }
    }
    running.stop();
}

#[test]
fn the_computer_never_fills_its_own_territory_while_the_person_passes() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let key = running.key.clone();
    for rows in [CLOSED, OPEN] {
        for ruleset in RULESETS {
            // Beginners' levels may err here.
            let made = running.create(&against_black(&rows, ruleset, "uct:visits=300"));
            let mut page = running.sit(made["id"].as_str().unwrap(), &[&key]);
            let (moves, _) = pass_until_the_end(&mut page);
            // Columns A to E (or D) are Black's.
            let last = if rows == OPEN { 'D' } else { 'E' };
            let filled: Vec<&String> = moves.iter().filter(|m| *m != "pass" && m.starts_with(|c| c <= last)).collect();
            // Where an invasion may look possible, a move or two against it are caution; to go on after that is filling.
            let most = if rows == OPEN { 3 } else { 0 };
            assert!(filled.len() <= most, "{ruleset}: {filled:?}");
        }
    }
    running.stop();
}

#[test]
fn the_dead_list_is_the_one_the_computer_passed_with() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&against_black(&DEAD_WHITE, "chinese", "uct:visits=200"));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let (moves, _) = pass_until_the_end(&mut page);
    assert_eq!(moves, ["pass"]);
    let state = page.state("the proposal", |s| s["scoring"]["pending"] == false);
    assert_eq!(state["scoring"]["dead"], json!(["B6"]));
    // Asked for in another way, or after a restart, the same opinion.
    let groups = running.owner("POST", &format!("/api/games/{id}/text"), Some(&json!({"what": "groups"}))).json();
    let facts = |groups: &Value| {
        let group = |g: &Value| json!([g["stones"], g["status"], g["danger"]]);
        groups.as_array().expect("groups").iter().map(group).collect::<Vec<_>>()
    };
    assert_eq!(facts(&groups["groups"]), facts(&state["scoring"]["groups"]));
    running.stop();
    let running = Running::new(folder.path());
    let mut page = running.sit(&id, &[&running.key.clone()]);
    let again = page.wait_state("the proposal", |s| s["scoring"]["pending"] == false);
    assert_eq!(again["scoring"]["groups"], state["scoring"]["groups"]);
    running.stop();
}

#[test]
fn a_computer_without_hope_gives_up() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    // More komi than the board has points.
    let made = running.create(&json!({
        "game": "go",
        "seats": [{"kind": "here"}, {"kind": "computer", "player": "uct:visits=50"}],
        "rules": {"size": 5, "komi": -40},
    }));
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&running.key.clone()]);
    let mut state = page.wait_type("state");
    for _ in 0..40 {
        if state["phase"] != "playing" {
            break;
        }
        let action = state["legal"][0].as_str().expect("a legal action").to_owned();
        let ack = page.play(&state["v"], &action);
        let v = ack["v"].as_u64();
        state = page.state("the answer", |s| s["v"].as_u64() > v && (s["turn"] == 0 || s["phase"] != "playing"));
    }
    assert_eq!(state["phase"], "over");
    let outcome = &state["outcome"];
    assert_eq!((&outcome["result"], &outcome["how"], &outcome["by"]), (&json!("B+R"), &json!("resign"), &json!(1)));
    running.stop();
}

#[test]
fn what_a_computer_learned_is_kept_within_bounds_and_goes_with_the_table() {
    for (most, kept) in [(512 << 20, 1), (0, 0)] {
        let folder = Folder::new();
        let mut config = config(folder.path());
        config.limits.kept_trees = most;
        let running = Running::start(config);
        let made = running.create(&crate::support::against("best:level=2", 9));
        let id = made["id"].as_str().unwrap().to_owned();
        let mut page = running.sit(&id, &[&running.key.clone()]);
        let mut state = page.wait_type("state");
        for action in ["E5", "C3", "G7"] {
            let legal = state["legal"].as_array().expect("legal actions").clone();
            let action = if legal.contains(&json!(action)) { json!(action) } else { legal[0].clone() };
            let v = page.play(&state["v"], action.as_str().expect("text"))["v"].as_u64();
            state = page.state("the answer", |s| s["v"].as_u64() > v && s["turn"] == 0);
            assert_eq!(running.app().minds.len(), kept);
        }
        assert_eq!(running.owner("PATCH", &format!("/api/games/{id}"), Some(&json!({"deleted": true}))).status, 204);
        page.wait_closed();
        let until = std::time::Instant::now() + crate::support::PATIENCE;
        while !running.app().minds.is_empty() {
            assert!(std::time::Instant::now() < until, "it is still there");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        running.stop();
    }
}
