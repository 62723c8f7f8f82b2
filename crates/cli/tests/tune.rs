//! `kiebitz tune`: the table of values, duplicate deals, and going on from journals.

mod run;

use run::{directory, json, kiebitz, refused};
use serde_json::Value;

/// The part of the result that must not differ from run to run.
fn result(line: &str) -> Value {
    let mut result = json(line);
    let timing = result.as_object_mut().expect("an object").shift_remove("timing").expect("timing");
    assert_eq!(timing.as_array().map(Vec::len), result["rows"].as_array().map(Vec::len));
    result
}

#[test]
fn pd_37_tuning_prints_a_table() {
    let line =
        "tune kuhn ismcts:visits=20 --key c --values 0.5,0.7,1.0,1.5,1.4142 --against random --games 60 --seed 3";
    let ran = kiebitz(line);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().skip(3).take(5).map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(rows.iter().map(|r| r[0]).collect::<Vec<_>>(), ["0.5", "0.7", "1.0", "1.5", "1.4142"]);
    assert!(rows.iter().all(|r| r[1] == "60"), "{}", ran.stdout);
    let result = result(&format!("{line} --json"));
    let found = result["rows"].as_array().expect("rows");
    assert_eq!((found.len(), result["par"].as_f64()), (5, Some(0.5)));
    for (row, printed) in found.iter().zip(&rows) {
        assert_eq!(row["value"], printed[0]);
        let (share, interval) = (&row["result"]["win_share"], &row["result"]["wilson"]);
        let text = format!("{:.3}", share.as_f64().expect("a share"));
        assert_eq!(text, printed[5]);
        assert_eq!(format!("[{:.3},", interval["low"].as_f64().expect("a bound")), printed[6]);
        assert!(row["result"]["name"].as_str().is_some_and(|n| n.contains(&format!("c={}", printed[0]))), "{row}");
    }
    let shares: Vec<f64> = found.iter().map(|r| r["result"]["win_share"].as_f64().expect("a share")).collect();
    let best = found.iter().position(|r| r["value"] == result["best"]).expect("the best is a row");
    assert!(shares.iter().all(|&s| s <= shares[best]));
    assert!(ran.stdout.contains(&format!("most games won with c={}", found[best]["value"].as_str().expect("text"))));
}

#[test]
fn values_have_the_same_deals() {
    // A setting that changes nothing: all rows are equal.
    let result =
        result("tune kuhn ismcts:visits=10 --players 3 --key memory --values 5,6,7 --against random --games 30 --json");
    assert_eq!(result["players"], 3);
    assert!((result["par"].as_f64().expect("par") - 1.0 / 3.0).abs() < 1e-12);
    let rows = result["rows"].as_array().expect("rows");
    for row in rows {
        for key in ["wins", "draws", "losses", "margin", "seats"] {
            assert_eq!(row["result"][key], rows[0]["result"][key]);
        }
        // One seat of three is the player's own.
        let count = |key: &str| row["result"][key].as_u64().expect("a number");
        assert_eq!(count("wins") + count("draws") + count("losses"), 30);
    }
    assert_eq!(result["best"], "5", "of equals the first");
}

#[test]
fn tuning_goes_on_from_its_journals() {
    let directory = directory("tune-resume");
    let line = "tune kuhn ismcts:visits=10 --key c --values 0.5,1 --against random --games 20 --json";
    let whole = result(line);
    let line = format!("{line} --journal {}", directory.join("run.jsonl").display());
    assert_eq!(result(&line), whole);
    let second = directory.join("run.c=1.jsonl");
    let text = std::fs::read_to_string(&second).expect("the journal");
    assert!(directory.join("run.c=0.5.jsonl").exists());
    let head: Vec<&str> = text.lines().take(7).collect();
    std::fs::write(&second, head.join("\n") + "\n{\"id\":3").expect("the journal");
    assert_eq!(result(&line), whole);
    assert_eq!(std::fs::read_to_string(&second).expect("the journal").lines().count(), text.lines().count());
}

#[test]
fn bad_values_are_refused() {
    let tune = |rest: &str| format!("tune kuhn ismcts:c=1 --against random {rest}");
    refused(&tune("--key c --values 1,2"), "'ismcts:c=1' sets c=1 itself; leave that out, --values sets c");
    refused(&tune("--key fpu --values 1,,2"), "--values: a value is empty; write them as 0.5,0.7,1.0");
    refused(&tune("--key fpu --values 1,2,1"), "--values: 1 is given twice; leave one out");
    refused(
        &tune("--key fpu --values 1,x"),
        "player 'ismcts': fpu=x cannot be used, it must be a number from 0 to 100",
    );
    refused(&tune("--key fpu --values 1 --games -1"), "--games -1: it must be a whole number from 1 to 10000000");
    let unknown = kiebitz(&tune("--key nothing --values 1"));
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.stderr.starts_with("kiebitz: player 'ismcts' has no setting 'nothing'; it has: "),
        "{}",
        unknown.stderr
    );
}
