//! F-24: importing files that are none, or nearly none.

use std::time::{Duration, Instant};

use crate::support::{Folder, Numbers, Running, mutate, times, upload};
use kiebitz_play::go_sgf;
use serde_json::Value;

const SGF: &[u8] = b"(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[Ada]PW[Bo]KM[6.5]RU[Chinese]AB[cc]C[\xe4\xbd\xa0\xe5\xa5\xbd];W[ee];B[gg]C[good \\] move](;W[cg])(;W[gc];B[]))";
const RECORD: &[u8] = b"{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":5},\"names\":[\"A\",\"B\"]}\n{\"by\":0,\"action\":\"C3\",\"comment\":\"x\"}\n{\"by\":1,\"action\":\"D4\"}\n{\"by\":1,\"event\":\"resign\"}\n";

#[test]
fn f_24_mutated_imports() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let mut numbers = Numbers::new(24);
    let mut made = 0;
    let files = times(10_000, 300);
    let mut taken = Vec::with_capacity(files);
    let beside = crate::support::Beside::start();
    for _ in 0..files {
        let seed = *numbers.pick(&[SGF, RECORD]);
        let bytes = mutate(seed, &mut numbers);
        let since = Instant::now();
        let answer = upload(running.addr, "/api/import", &running.key, &bytes);
        taken.push(since.elapsed());
        match answer.status {
            201 => {
                made += 1;
                let id = answer.json()["id"].as_str().expect("an id").to_owned();
                // What was taken in comes out again, and goes in again as the same game.
                let record = running.owner("GET", &format!("/api/games/{id}/record"), None);
                assert_eq!(record.status, 200);
                let again = upload(running.addr, "/api/import", &running.key, &record.body);
                assert_eq!(again.status, 201, "{}\n{}", again.text(), record.text());
                let other = again.json()["id"].as_str().expect("an id").to_owned();
                let positions = |id: &str| -> Value {
                    running.owner("GET", &format!("/api/games/{id}/positions"), None).json()["positions"].clone()
                };
                assert_eq!(positions(&id), positions(&other));
            }
            400 | 413 | 422 => assert!(answer.json()["code"].is_string()),
            other => panic!("{other}: {}", answer.text()),
        }
    }
    assert!(made > 0);
    taken.sort_unstable();
    let late = crate::support::percentile(&taken, 99);
    let [echo] = beside.end([99]);
    println!(
        "F-24: {files} mutated files imported, {made} of them games that came out and went in the same; 99 % answered within {:.1} ms \
         (an echo beside {:.1} ms), no panic",
        crate::support::ms(late),
        crate::support::ms(echo)
    );
    if times(1, 0) == 1 {
        // Writing to the disk included.
        assert!(
            late < Duration::from_millis(50) + echo,
            "99 % answered within {late:?}, not 50 ms (and {echo:?} of an echo)"
        );
    }
    assert!(running.owner("GET", "/metrics", None).text().contains("kiebitz_panics_total 0\n"));
    running.stop();
}

/// The same without the server, many more.
#[test]
fn f_24_mutated_files_are_read_or_refused() {
    let mut numbers = Numbers::new(2424);
    let (files, mut games) = (times(200_000, 2_000), 0);
    let mut slowest = Duration::ZERO;
    for _ in 0..files {
        let seed = *numbers.pick(&[SGF, RECORD]);
        let bytes = mutate(seed, &mut numbers);
        let since = Instant::now();
        let read = kiebitz_play::load::read(&bytes, false).ok();
        let game = read.as_ref().and_then(|read| kiebitz_play::replay::replay(read, None).ok());
        slowest = slowest.max(since.elapsed());
        let (Some(read), Some(game)) = (read, game) else { continue };
        games += 1;
        // What is written of it is read as the same game.
        let text = read.record.to_text();
        let again = kiebitz_play::load::read(text.as_bytes(), true).unwrap_or_else(|e| panic!("{e}: {text}"));
        let again = kiebitz_play::replay::replay(&again, None).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(game.facts(), again.facts(), "{text}");
    }
    println!(
        "F-24: {files} mutated files read, {games} of them games that are read again from what is written of them; the slowest took {:.1} ms",
        slowest.as_secs_f64() * 1000.0
    );
    assert!(games > 0);
}

#[test]
fn f_24_deep_and_long_files() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let deep = "(;".repeat(100_000);
    let answer = upload(running.addr, "/api/import", &running.key, deep.as_bytes());
    assert_eq!(answer.status, 400, "{}", answer.text());
    let long = format!("(;GM[1]SZ[19]{})", ";B[aa];W[bb]".repeat(2_000));
    let answer = upload(running.addr, "/api/import", &running.key, long.as_bytes());
    assert_eq!(answer.status, 400, "{}", answer.text());
    running.stop();
}

#[test]
fn sgf_in_other_encodings() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    // 黑 and 白 in GB18030.
    let gb = b"(;GM[1]CA[GB18030]SZ[9]PB[\xba\xda]PW[\xb0\xd7];B[ee])";
    let answer = upload(running.addr, "/api/import", &running.key, gb);
    assert_eq!(answer.status, 201, "{}", answer.text());
    let list = running.owner("GET", "/api/games", None).json();
    assert_eq!(list["games"][0]["seats"][0]["name"], "黑");
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    let sgf = running.owner("GET", &format!("/api/games/{id}/record?format=sgf"), None);
    let read = go_sgf::to_record(&sgf.body, true).expect("strict SGF");
    assert_eq!(read.record.header.names(), ["黑", "白"]);
    running.stop();
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A file of a few kilobytes can unpack to millions of moves, or to a comment of many megabytes: refused before anything is played
/// through, however it is packed.
#[test]
fn imports_that_unpack_to_too_much() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let refused = |bytes: &[u8], code: &str| {
        let answer = upload(running.addr, "/api/import", &running.key, bytes);
        assert_eq!((answer.status, answer.json()["code"].as_str()), (400, Some(code)), "{}", answer.text());
    };
    let moves = |n: usize| format!("(;SZ[19]{})", ";B[aa]".repeat(n)).into_bytes();
    refused(&gz(&moves(3_900_000)), "record.too_large");
    refused(&gz(&moves(100_000)), "sgf_too_many_moves");
    refused(&moves(170_000), "sgf_too_many_moves");
    refused(&gz(format!("(;SZ[9]C[{}];B[aa])", "x".repeat(60_000_000)).as_bytes()), "record.too_large");
    refused(&gz(format!("(;SZ[9]{}", "(;B[aa]".repeat(2_000)).as_bytes()), "sgf.depth");
    // 2,000 moves are taken, and the events at the end of a game are no moves.
    let passes = format!("(;SZ[5]{};B[])", ";B[];W[]".repeat(999));
    let answer = upload(running.addr, "/api/import", &running.key, passes.as_bytes());
    assert_eq!(answer.status, 201, "{}", answer.text());
    running.stop();
}

#[test]
fn what_an_imported_game_says_besides_its_moves_stays() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    const TIMED: &[u8] = b"{\"kiebitz\":1,\"game\":\"go\",\"players\":2,\"rules\":{\"size\":5}}\n{\"by\":0,\"action\":\"C3\",\"clock_ms\":1500}\n{\"by\":1,\"action\":\"D4\",\"mood\":7}\n{\"by\":0,\"action\":\"B2\"}\n";
    let said: [(&[u8], &[&str]); 3] = [
        (SGF, &["\"comment\":\"你好\"", "\"comment\":\"good ] move\""]),
        (RECORD, &["\"comment\":\"x\""]),
        (TIMED, &["\"clock_ms\":1500", "\"mood\":7"]),
    ];
    for (file, parts) in said {
        let answer = upload(running.addr, "/api/import", &running.key, file);
        assert_eq!(answer.status, 201, "{}", answer.text());
        let path = format!("/api/games/{}/record", answer.json()["id"].as_str().expect("an id"));
        let record = running.owner("GET", &path, None).text();
        for part in parts {
            assert!(record.contains(part), "{part} in {record}");
        }
        // A move more at the table takes nothing away.
        let mut page = running.sit(answer.json()["id"].as_str().expect("an id"), &[&running.key]);
        let state = page.wait_type("state");
        if state["phase"] == "playing" {
            assert_eq!(page.play(&state["v"], "pass")["type"], "ack");
            let record = running.owner("GET", &path, None).text();
            assert!(parts.iter().all(|part| record.contains(part)), "{record}");
        }
    }
    running.stop();
}

/// What a file tells of its end is kept until somebody plays on, and a count that it contradicts is not taken for the result.
#[test]
fn the_result_of_a_file_is_kept_and_not_replaced() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    // The file, whether the game waits for the dead stones, and the result it is written with.
    let files: [(&[u8], &str, &str); 4] = [
        (b"(;GM[1]FF[4]SZ[9]RE[B+3.5];B[aa];W[bb])", "playing", "RE[B+3.5]"),
        (b"(;GM[1]FF[4]SZ[9]RE[W+F];B[aa];W[bb])", "playing", "RE[W+F]"),
        (b"(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]RE[B+3.5];B[];W[])", "scoring", "RE[B+3.5]"),
        (b"(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]RE[W+7];B[];W[])", "over", "RE[W+7]"),
    ];
    for (file, phase, result) in files {
        let answer = upload(running.addr, "/api/import", &running.key, file);
        assert_eq!(answer.status, 201, "{}", answer.text());
        let warnings = answer.json()["warnings"].as_array().map_or(0, Vec::len);
        assert_eq!(warnings, usize::from(phase == "scoring"), "{}", answer.text());
        let id = answer.json()["id"].as_str().expect("an id").to_owned();
        let mut page = running.sit(&id, &[&running.key]);
        let state = page.wait_type("state");
        assert_eq!(state["phase"], phase);
        let written = || running.owner("GET", &format!("/api/games/{id}/record?format=sgf"), None).text();
        assert!(written().contains(result), "{}", written());
        if phase == "playing" {
            assert_eq!(page.play(&state["v"], "C3")["type"], "ack");
            assert!(!written().contains("RE["), "{}", written());
        }
    }
    running.stop();
}
