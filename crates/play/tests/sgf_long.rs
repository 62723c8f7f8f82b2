//! SGF files that are too long to be a game are refused before they are played through.

use kiebitz_play::go_sgf::{MOST_NODES, to_record};
use kiebitz_play::load::{Limits, read_within};

fn moves(count: usize) -> Vec<u8> {
    format!("(;SZ[19]{})", ";B[aa]".repeat(count)).into_bytes()
}

#[test]
fn main_lines_that_are_no_game() {
    let error = to_record(&moves(MOST_NODES), false).unwrap_err();
    assert_eq!(error.code(), "sgf_too_many_moves");
    assert_eq!(error.to_string(), "the main line of the game at line 1 has more than 20000 nodes, which is no game");
    // Variations are no part of the main line.
    let branches = format!("(;SZ[19];B[aa]{})", "(;W[bb])".repeat(MOST_NODES + 1));
    assert_eq!(to_record(branches.as_bytes(), false).expect("a game").record.lines.len(), 2);
}

#[test]
fn limits_are_kept_to_the_byte() {
    let limits = Limits { bytes: 1 << 20, nodes: 10 };
    assert_eq!(read_within(&moves(9), false, limits).expect("ten nodes with the root").record.lines.len(), 9);
    assert_eq!(read_within(&moves(10), false, limits).unwrap_err().code(), "sgf_too_many_moves");
    let padded = |bytes: usize| {
        let mut file = moves(3);
        file.resize(bytes, b' ');
        file
    };
    assert!(read_within(&padded(1 << 20), false, limits).is_ok());
    let error = read_within(&padded((1 << 20) + 1), false, limits).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("record.too_large", "line 1: the record is larger than 1 MiB")
    );
}
