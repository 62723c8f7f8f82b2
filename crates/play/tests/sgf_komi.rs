//! The komi of an SGF file: any number within bounds counts, one beyond them is never taken for another in silence.

use kiebitz_play::go_sgf::{SgfRecordError, to_record};

fn sgf(komi: &str) -> Vec<u8> {
    format!("(;GM[1]FF[4]CA[UTF-8]SZ[5]RU[Chinese]KM[{komi}];B[cc])").into_bytes()
}

#[test]
fn komi_beyond_all_bounds_is_told() {
    for komi in ["20000", "-10000.5"] {
        let sentence = format!("komi is {komi}, it must be a number from -10000 to 10000");
        let error = to_record(&sgf(komi), true).expect_err("strict");
        assert_eq!((error.code(), matches!(error, SgfRecordError::Komi { .. })), ("sgf_komi", true));
        assert_eq!(error.to_string(), format!("the komi of the game at line 1 is impossible: {sentence}"));
        let read = to_record(&sgf(komi), false).expect("readers go on");
        assert_eq!(read.warnings, [format!("komi was left out: {sentence}")]);
        assert!(read.record.header.rules().get("komi").is_none());
    }
    for komi in ["1e308", "nan", "inf"] {
        assert_eq!(to_record(&sgf(komi), true).expect_err("strict").code(), "sgf_bad_number", "{komi}");
        assert_eq!(to_record(&sgf(komi), false).expect("readers go on").warnings.len(), 1, "{komi}");
    }
}

#[test]
fn komi_between_quarters_counts_as_the_quarter_between() {
    let read = to_record(&sgf("6.3"), false).expect("a game");
    assert_eq!(read.warnings, ["a komi of 6.3 counts as 6.25 points, which decides every game alike"]);
    assert_eq!(read.record.header.rules()["komi"], 6.25);
    for (komi, points) in [("6.5", 6.5), ("-3", -3.0), ("0", 0.0), ("10000", 10_000.0)] {
        let read = to_record(&sgf(komi), true).expect("a game");
        assert_eq!((read.warnings.len(), read.record.header.rules()["komi"].as_f64()), (0, Some(points)));
    }
}
