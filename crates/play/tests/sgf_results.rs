//! What an SGF file says of handicap and result, where it is more than its moves say.

mod gtp_support;

use gtp_support::replies;
use kiebitz_core::record::ReadRecord;
use kiebitz_play::go_sgf::{from_record, to_record};
use kiebitz_play::replay::{Declared, declared, doubt, replay};

fn read(sgf: &str) -> ReadRecord {
    to_record(sgf.as_bytes(), false).expect("a game")
}

fn told(sgf: &str) -> (Declared, Option<String>) {
    let read = read(sgf);
    let game = replay(&read, None).expect("a game that can be played");
    (declared(&read.record.header, game.as_ref()), doubt(&read.record.header, game.as_ref()))
}

#[test]
fn results_that_the_moves_do_not_come_to() {
    // An empty board with both passes is White's by the komi of 7.
    let ended = |re: &str| format!("(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]RE[{re}];B[];W[])");
    assert_eq!(told(&ended("W+7")), (Declared::Same, None));
    assert_eq!(told(&ended("W+7.0")), (Declared::Same, None));
    assert_eq!(told(&ended("W+")), (Declared::Same, None));
    let other = "the file tells the result B+3.5, its moves come to W+7; no dead stones are named";
    assert_eq!(told(&ended("B+3.5")), (Declared::Other, Some(other.to_owned())));
    for open in ["?", "by agreement"] {
        assert_eq!(told(&ended(open)), (Declared::Nothing, None), "{open}");
    }
    assert_eq!(told("(;GM[1]FF[4]SZ[9]RE[B+3.5];B[aa];W[bb])"), (Declared::Nothing, None), "not over");
    assert_eq!(told("(;GM[1]FF[4]SZ[9]RE[B+R];B[aa];W[bb])"), (Declared::Same, None), "White gave up");
}

#[test]
fn handicap_stones_below_the_root_are_a_handicap() {
    let in_root = read("(;GM[1]FF[4]SZ[9]HA[2]RU[AGA]KM[0.5]AB[cg][gc];W[ee];B[gg])");
    let below = read("(;GM[1]FF[4]SZ[9]HA[2]RU[AGA]KM[0.5];AB[cg][gc];W[ee];B[gg])");
    assert_eq!(below.record.header.rules()["handicap"], 2);
    assert_eq!(below.record.header.rules(), in_root.record.header.rules());
    assert_eq!(below.record.lines.len(), 2);
    // White's stone for the handicap counts in both.
    let score = |read: &ReadRecord| replay(read, None).expect("playable").facts()["score"].clone();
    assert_eq!(score(&below), 0.5);
    assert_eq!(score(&in_root), 0.5);
    let written = from_record(&below.record).expect("SGF");
    assert!(String::from_utf8_lossy(&written).contains("HA[2]"));
    assert_eq!(to_record(&written, true).expect("strict").record.header.rules(), in_root.record.header.rules());
    // Stones set after a move are none.
    let later = read("(;GM[1]FF[4]SZ[9]HA[2];W[ee];AB[cg][gc])");
    assert!(later.record.header.rules().get("handicap").is_none());
}

#[test]
fn printsgf_and_final_score_say_the_same() {
    let mut script = String::from("boardsize 7\nkata-set-rules chinese\nkomi 0\n");
    for row in 1..=7 {
        script += &format!("play b C{row}\nplay w D{row}\n");
    }
    // A black stone that cannot live in White's half.
    script += "play b F4\nplay w pass\nplay b pass\nfinal_score\nprintsgf\n";
    let replies = replies(&script);
    let [.., score, sgf] = &replies[..] else { panic!("{replies:?}") };
    assert!(score.contains("W+7"), "{score}");
    assert!(sgf.contains("RE[W+7]"), "{sgf}");
}
