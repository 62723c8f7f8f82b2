//! 20,000 mutated files: no panic, no blow-up, and whatever is read comes back unchanged from writing and reading.

use std::time::{Duration, Instant};

use kiebitz_core::Rng;
use kiebitz_go::sgf::{self, Limits, Mode};

const SYNTAX: [&[u8]; 40] = [
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b":",
    b"\r",
    b"\n",
    b"\t",
    b"(;",
    b"))",
    b"[]",
    b"\\]",
    b"B[aa]",
    b"W[tt]",
    b"B[]",
    b"AB[aa:zz]",
    b"AE[aa]",
    b"PL[W]",
    b"KM[375]",
    b"KM[6,5]",
    b"SZ[25]",
    b"SZ[9:13]",
    b"SZ[26]",
    b"GM[2]",
    b"FF[3]",
    b"HA[9]",
    b"RU[Chinese]",
    b"CA[Big5]",
    b"CA[Shift_JIS]",
    b"CA[GB18030]",
    b"CA[EUC-KR]",
    b"CA[latin1]",
    b"CA[x]",
    b"LB[aa:x]",
    b"C[",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\x95\\",
];

fn corpus() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = ["fox-app.sgf", "lee-alphago-2016-g4.sgf", "ogs-download.sgf"]
        .iter()
        .map(|name| std::fs::read(format!("{}/tests/data/sgf/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a file"))
        .collect();
    for (encoding, text) in [
        (encoding_rs::GB18030, "(;CA[GB18030]PB[朴埈奭]C[黑棋\n金昞俊];B[aa]C[好])"),
        (encoding_rs::BIG5, "(;CA[Big5]PB[許皓鋐]C[第64屆本因坊戰];B[aa](;W[bb])(;W[cc]))"),
        (encoding_rs::SHIFT_JIS, "(;PB[表ゾ]C[ソ能ゾ十 本因坊];B[aa];W[bb])"),
        (encoding_rs::EUC_KR, "(;PB[이창호]C[흑 불계승];B[aa];W[bb])"),
        (encoding_rs::WINDOWS_1252, "(;PB[Müller]C[Weiß];B[aa];W[bb])"),
        (
            encoding_rs::UTF_8,
            "(;GM[1]FF[4]CA[UTF-8]AP[x:1]ST[2]SZ[13:9]KM[6.5]HA[2]RU[Japanese]AB[aa][cc:dd]AW[ee]PL[W]TM[600]OT[x]RE[B+R]\
            (;W[ff]C[a\\]b\\\\c\\:d]LB[aa:1\\:2]TR[aa:cc]MN[3];B[]N[x])(;AE[aa]DD[]VW[]AR[aa:bb]LN[aa:bb];W[gg]))(;GM[3])(;B[aa]W[bb]B[bb])",
        ),
    ] {
        files.push(encoding.encode(text).0.into_owned());
    }
    files
}

fn mutate(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut file = corpus[rng.below(corpus.len())].clone();
    for _ in 0..=rng.below(12) {
        let at = rng.below(file.len() + 1);
        let end = (at + rng.below(20)).min(file.len());
        match rng.below(8) {
            0 => drop(file.splice(at..at, [rng.below(256) as u8])),
            1 => drop(file.splice(at..end, [])),
            2 => file.truncate(at),
            3 => {
                let piece = file[at..end].repeat(1 + rng.below(50));
                file.splice(at..at, piece);
            }
            4 => {
                let other = &corpus[rng.below(corpus.len())];
                let from = rng.below(other.len());
                let piece = other[from..(from + rng.below(200)).min(other.len())].to_vec();
                file.splice(at..at, piece);
            }
            5 if at < end => file[at] ^= 1 << rng.below(8),
            _ => drop(file.splice(at..at, SYNTAX[rng.below(SYNTAX.len())].iter().copied())),
        }
    }
    file
}

#[test]
fn sgf_20_000_mutated_files() {
    let corpus = corpus();
    let mut rng = Rng::new(2026);
    let (mut read, mut strict, mut slowest) = (0, 0, (Duration::ZERO, 0, 0));
    for number in 0..20_000 {
        let file = mutate(&mut rng, &corpus);
        let start = Instant::now();
        let parsed = sgf::parse(&file, Mode::Tolerant);
        let time = start.elapsed();
        if time > slowest.0 {
            slowest = (time, number, file.len());
        }
        let strictly = sgf::parse(&file, Mode::Strict);
        strict += usize::from(strictly.is_ok());
        match parsed {
            Ok(parsed) => {
                read += 1;
                let written = parsed.collection.to_sgf();
                let again = sgf::parse(written.as_bytes(), Mode::Tolerant).expect("what is written is read");
                assert!(again.collection == parsed.collection, "file {number}: {:?}", String::from_utf8_lossy(&file));
                assert!(again.collection.to_sgf() == written, "file {number}");
                // Strict reading refuses the files with a warning that breaks the standard, and no others. Names with
                // lower-case letters break it only after FF[4].
                if parsed.warnings_dropped == 0 {
                    let breaking = || parsed.warnings.iter().filter(|warning| warning.breaks_standard());
                    let old_name = |warning: &&sgf::Warning| warning.code() == "sgf_name_spelling";
                    assert!(strictly.is_ok() || breaking().count() > 0, "file {number}");
                    assert!(strictly.is_err() || breaking().all(|warning| old_name(&warning)), "file {number}");
                }
                for tree in &parsed.collection.trees {
                    for (_, node) in tree.walk() {
                        let setup = tree.setup(node);
                        assert!(setup.black.iter().chain(&setup.white).all(|p| tree.size().contains(*p)));
                        tree.labels(node);
                    }
                }
            }
            Err(error) => assert!(strictly.is_err(), "file {number} is refused only by tolerant reading: {error}"),
        }
    }
    println!("{read} of 20,000 were read, {strict} strictly; the slowest: {slowest:?} (time, number, bytes)");
    assert!(read > 10_000 && strict > 20, "the mutations leave enough to read: {read}, {strict}");
    assert!(slowest.0 < Duration::from_secs(2), "{slowest:?}");
}

#[test]
fn sgf_mutations_under_limits() {
    let corpus = corpus();
    let mut rng = Rng::new(11);
    let limits = Limits { bytes: 2000, nodes: 50, values: 60, depth: 10 };
    let mut refused = 0;
    for _ in 0..2000 {
        let file = mutate(&mut rng, &corpus);
        match sgf::parse_with_limits(&file, Mode::Tolerant, &limits) {
            Ok(parsed) => assert!(parsed.collection.trees.iter().map(|tree| tree.len()).sum::<usize>() <= 50),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100);
}
