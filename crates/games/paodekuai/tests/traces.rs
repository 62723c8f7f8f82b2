//! The 64 records of an independent implementation, every fact of them.

use std::path::PathBuf;

use kiebitz_core::record::Record;
use kiebitz_core::{DynGameType, GameType};
use kiebitz_paodekuai::PaoDeKuai;

/// Facts in all records together.
const FACTS: usize = 9_992;

#[test]
fn every_record_replays_with_its_facts() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let (mut records, mut facts) = (0, 0);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gz"));
    files.sort();
    for file in files {
        let read = Record::read(&std::fs::read(&file).unwrap()).unwrap();
        let mut game = GameType::<PaoDeKuai>::new().start(&read.record.header, 0).unwrap();
        for (line, number) in read.record.lines.iter().zip(&read.line_numbers) {
            game.perform(line).unwrap_or_else(|e| panic!("{} line {number}: {e}", file.display()));
            let found = game.facts();
            for (key, expected) in line.expect().into_iter().flatten() {
                assert_eq!(found.get(key), Some(expected), "{} line {number}: {key}", file.display());
                facts += 1;
            }
        }
        assert!(game.turn().is_terminal(), "{}", file.display());
        assert_eq!(game.returns().as_slice().iter().sum::<f64>(), 0.0);
        records += 1;
    }
    assert_eq!((records, facts), (64, FACTS));
}
