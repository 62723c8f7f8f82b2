//! The tables that say what shows each requirement do not rot: every row is there, and every test they name exists and is
//! named after its row.

use std::path::PathBuf;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A row of a table: its name and what shows it.
struct Row {
    id: String,
    shown_by: String,
}

impl Row {
    /// The tests it names, as file and function.
    fn tests(&self) -> Vec<(&str, &str)> {
        self.shown_by.split('`').skip(1).step_by(2).filter_map(|code| code.split_once("::")).collect()
    }

    /// The commands it names.
    fn commands(&self) -> usize {
        self.shown_by.split('`').skip(1).step_by(2).filter(|code| code.starts_with("kiebitz ")).count()
    }

    /// What stands for it in the names of tests: `go_08` for GO-08, `pd_08` for PD-08, `g1b` for G1b.
    fn is_named_in(&self, test: &str) -> bool {
        let words: Vec<&str> = test.split('_').collect();
        match self.id.split_once('-') {
            Some((game, number)) => words.contains(&&*game.to_lowercase()) && words.contains(&number),
            None => words.contains(&&*self.id.to_lowercase()),
        }
    }
}

fn rows(document: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(workspace().join(document)).expect("the document is there");
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "three columns: {line}");
        if cells[0] != "row" && !cells[0].starts_with('-') {
            rows.push(Row { id: cells[0].to_owned(), shown_by: cells[2].to_owned() });
        }
    }
    rows
}

/// What is wrong with a row whose tests are looked up in the sources.
fn faults(row: &Row, has_test: &dyn Fn(&str, &str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (file, test) in row.tests() {
        if !has_test(file, test) {
            faults.push(format!("{}: {file} has no test {test}", row.id));
        }
    }
    if !row.tests().is_empty() && !row.tests().iter().any(|(_, test)| row.is_named_in(test)) {
        faults.push(format!("{}: no test is named after it", row.id));
    }
    if row.shown_by.split('`').count().is_multiple_of(2) {
        faults.push(format!("{}: a ` has no partner", row.id));
    }
    faults
}

/// Whether a file of the workspace has this test function.
fn in_sources(file: &str, test: &str) -> bool {
    let text = std::fs::read_to_string(workspace().join(file)).unwrap_or_default();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if line == "#[test]" && lines.next().is_some_and(|next| next.starts_with(&format!("fn {test}("))) {
            return true;
        }
    }
    false
}

#[test]
fn every_row_of_go_is_shown_by_something_that_exists() {
    let rows = rows("docs/requirements-go.md");
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let mut expected: Vec<String> = (1..=41).map(|n| format!("GO-{n:02}")).collect();
    expected.extend(["G1", "G1b", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "ok"].map(str::to_owned));
    assert_eq!(ids, expected);
    let faults: Vec<String> = rows.iter().flat_map(|row| faults(row, &in_sources)).collect();
    assert_eq!(faults, Vec::<String>::new());
    for row in &rows {
        match row.id.as_str() {
            // Asked for as a speed or a strength.
            "GO-38" => assert!(row.commands() > 0, "GO-38 names the bench"),
            // Asks for no test.
            "GO-37" => assert!(!row.shown_by.is_empty()),
            _ => assert!(!row.tests().is_empty(), "{} has no test", row.id),
        }
        if ["GO-02", "GO-12", "GO-25", "GO-36"].contains(&row.id.as_str()) {
            assert!(row.commands() > 0, "{} names the command that measures it", row.id);
        }
    }
}

#[test]
fn every_row_of_pao_de_kuai_is_shown_by_something_that_exists() {
    let rows = rows("docs/requirements-paodekuai.md");
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let mut expected: Vec<String> = (1..=41).map(|n| format!("PD-{n:02}")).collect();
    expected.extend((1..=7).map(|n| format!("P{n}")));
    assert_eq!(ids, expected);
    let faults: Vec<String> = rows.iter().flat_map(|row| faults(row, &in_sources)).collect();
    assert_eq!(faults, Vec::<String>::new());
    for row in &rows {
        // Without a test of its own: what asks for none.
        let without = ["PD-10", "PD-41"].contains(&row.id.as_str());
        assert!(row.tests().is_empty() == without, "{}: {}", row.id, row.shown_by);
        assert!(!row.shown_by.is_empty());
    }
}

#[test]
fn a_test_that_is_gone_is_found() {
    let row = |id: &str, shown_by: &str| Row { id: id.to_owned(), shown_by: shown_by.to_owned() };
    let there = |_: &str, test: &str| test != "go_07_gone";
    assert_eq!(faults(&row("GO-07", "`a.rs::go_07_here`"), &there), Vec::<String>::new());
    assert_eq!(faults(&row("GO-07", "`a.rs::go_07_gone`"), &there), ["GO-07: a.rs has no test go_07_gone"]);
    assert_eq!(faults(&row("GO-07", "`a.rs::go_08_here`"), &there), ["GO-07: no test is named after it"]);
    assert_eq!(faults(&row("GO-07", "`a.rs::go_07_here"), &there).len(), 1);
    assert!(!in_sources("crates/catalog/tests/rows_listed.rs", "go_07_here"));
    assert!(in_sources("crates/catalog/tests/rows_listed.rs", "a_test_that_is_gone_is_found"));
}
