//! Dependencies point down: the folder tree of `docs/architecture.md` is the order, and nothing points up.

use std::process::Command;

use serde_json::Value;

/// From the top down. A crate may depend on crates of later rows only; games, examples and searches share a row and never see
/// each other.
const LAYERS: &[&[&str]] = &[
    &["kiebitz-cli"],
    &["kiebitz-table"],
    &["kiebitz-python"],
    &["kiebitz-arena"],
    &["kiebitz-play"],
    &["kiebitz-catalog"],
    &[
        "kiebitz-go",
        "kiebitz-carcassonne",
        "kiebitz-azul",
        "kiebitz-catan",
        "kiebitz-paodekuai",
        "kiebitz-examples",
        "kiebitz-search",
    ],
    &["kiebitz-core"],
];

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&name))
}

/// What is wrong with these arrows (from, to).
fn faults(edges: &[(String, String)]) -> Vec<String> {
    edges
        .iter()
        .filter_map(|(from, to)| match (layer(from), layer(to)) {
            (None, _) => Some(format!("{from} has no place in the order of crates")),
            (_, None) => Some(format!("{to} has no place in the order of crates")),
            (Some(f), Some(t)) if f >= t => Some(format!("{from} depends on {to}, which is not below it")),
            _ => None,
        })
        .collect()
}

/// The arrows between crates of the workspace, dev-dependencies excepted.
fn edges() -> Vec<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let mut edges = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let from = package["name"].as_str().expect("a name");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let to = dependency["name"].as_str().expect("a name");
            if to.starts_with("kiebitz-") && dependency["kind"].as_str() != Some("dev") {
                edges.push((from.to_owned(), to.to_owned()));
            }
        }
    }
    edges
}

#[test]
fn no_dependency_points_up() {
    let edges = edges();
    assert!(edges.len() >= 10, "the workspace has arrows: {edges:?}");
    assert_eq!(faults(&edges), Vec::<String>::new());
}

#[test]
fn an_arrow_that_points_up_is_found() {
    let arrow = |from: &str, to: &str| vec![(from.to_owned(), to.to_owned())];
    for (from, to) in [
        ("kiebitz-core", "kiebitz-search"),
        ("kiebitz-search", "kiebitz-go"),
        ("kiebitz-go", "kiebitz-search"),
        ("kiebitz-go", "kiebitz-examples"),
        ("kiebitz-catalog", "kiebitz-play"),
        ("kiebitz-play", "kiebitz-cli"),
    ] {
        let mut all = edges();
        all.extend(arrow(from, to));
        assert_eq!(faults(&all), [format!("{from} depends on {to}, which is not below it")]);
    }
    assert_eq!(faults(&arrow("kiebitz-new", "kiebitz-core")), ["kiebitz-new has no place in the order of crates"]);
}
