//! A table of bad inputs: what strict reading answers, word by word, and what tolerant reading does.

use kiebitz_go::sgf::{self, Mode};

/// Refused by strict reading; the last column says whether tolerant reading goes on.
const TABLE: [(&str, &str, &str, bool); 39] = [
    ("", "sgf_no_tree", "no game tree found: expected a text that starts with `(;`", false),
    ("hello", "sgf_no_tree", "no game tree found: expected a text that starts with `(;`", false),
    (";B[aa]", "sgf_no_tree", "no game tree found: expected a text that starts with `(;`", false),
    (
        "(;GM[3]FF[4];W[e2])",
        "sgf_other_game",
        "line 1, column 3 (byte 2), property GM: game tree 1 is a game of chess, not of Go: expected GM[1]",
        false,
    ),
    (
        "(;FF[4]SZ[26])",
        "sgf_bad_size",
        "line 1, column 8 (byte 7), property SZ: `26` is no board size: expected 1 to 25, or two such numbers as in 13:9",
        false,
    ),
    (
        "(;FF[4]SZ[0:9])",
        "sgf_bad_size",
        "line 1, column 8 (byte 7), property SZ: `0:9` is no board size: expected 1 to 25, or two such numbers as in 13:9",
        false,
    ),
    (
        "(;FF[4]SZ[9:9])",
        "sgf_square_size_twice",
        "line 1, column 8 (byte 7), property SZ: a square board must be written with one number",
        true,
    ),
    (
        "(;FF[4]SZ[9]\n;B[jj])",
        "sgf_off_board",
        "line 2, column 2 (byte 14), property B: `jj` is off the 9x9 board and was ignored",
        true,
    ),
    (
        "(;FF[4]SZ[9]\n;B[D4])",
        "sgf_bad_point",
        "line 2, column 2 (byte 14), property B: `D4` is no point or pass and was ignored",
        true,
    ),
    (
        "(;FF[4]AB[aa:bz])",
        "sgf_off_board",
        "line 1, column 8 (byte 7), property AB: `aa:bz` is off the 19x19 board and was ignored",
        true,
    ),
    (
        "(;FF[4]AB[])",
        "sgf_bad_point",
        "line 1, column 8 (byte 7), property AB: `` is no point or rectangle and was ignored",
        true,
    ),
    (
        "(;FF[4]LB[aa])",
        "sgf_bad_point",
        "line 1, column 8 (byte 7), property LB: `aa` is no point with a label and was ignored",
        true,
    ),
    (
        "(;FF[4]AR[aa])",
        "sgf_bad_point",
        "line 1, column 8 (byte 7), property AR: `aa` is no pair of points and was ignored",
        true,
    ),
    (
        "(;FF[4]KM[six])",
        "sgf_bad_number",
        "line 1, column 8 (byte 7), property KM: `six` is no number and was ignored: expected a number of points such as 6.5",
        true,
    ),
    (
        "(;FF[4]KM[6,5])",
        "sgf_number_spelling",
        "line 1, column 8 (byte 7), property KM: `6,5` was read as 6.5: expected a plain number",
        true,
    ),
    (
        "(;FF[4]HA[two])",
        "sgf_bad_number",
        "line 1, column 8 (byte 7), property HA: `two` is no number and was ignored: expected a number of stones such as 2",
        true,
    ),
    (
        "(;FF[four])",
        "sgf_bad_number",
        "line 1, column 3 (byte 2), property FF: `four` is no number and was ignored: expected a format number from 1 to 4",
        true,
    ),
    (
        "(;FF[4]TM[1h])",
        "sgf_number_spelling",
        "line 1, column 8 (byte 7), property TM: `1h` was read as 1: expected a plain number",
        true,
    ),
    (
        "(;FF[4]PL[green])",
        "sgf_bad_color",
        "line 1, column 8 (byte 7), property PL: `green` is no colour: expected B or W",
        true,
    ),
    (
        "(;FF[4]RE[Black won])",
        "sgf_bad_result",
        "line 1, column 8 (byte 7), property RE: `Black won` is no result: expected for example B+12.5, W+R, 0, Void or ?",
        true,
    ),
    (
        "(;FF[4];AB[aa]B[bb])",
        "sgf_setup_with_move",
        "line 1, column 9 (byte 8), property AB: setup and a move must not be in one node, so the setup was taken first",
        true,
    ),
    (
        "(;FF[4]AB[aa]AW[aa])",
        "sgf_setup_conflict",
        "line 1, column 14 (byte 13), property AW: a point is set up twice in one node, so the later property counts",
        true,
    ),
    (
        "(;FF[4];B[aa]W[bb])",
        "sgf_several_moves",
        "line 1, column 14 (byte 13), property W: the node has a move already, so this one was put into a node of its own",
        true,
    ),
    (
        "(;FF[4];B[aa]C[x]C[y])",
        "sgf_duplicate_property",
        "line 1, column 18 (byte 17), property C: the property is in this node already, so both were merged",
        true,
    ),
    (
        "(;FF[4]PB[a][b])",
        "sgf_extra_values",
        "line 1, column 8 (byte 7), property PB: 2 values where one is allowed",
        true,
    ),
    (
        "(;FF[4];SZ[9])",
        "sgf_misplaced_root_property",
        "line 1, column 9 (byte 8), property SZ: this property belongs to the first node of a tree and means nothing here",
        true,
    ),
    (
        "(FF[4])",
        "sgf_missing_semicolon",
        "line 1, column 2 (byte 1): a node must start with `;`, so one was added",
        true,
    ),
    (
        "(;FF[4](;B[aa](;W[bb])",
        "sgf_unclosed_tree",
        "line 1, column 23 (byte 22): the file ends with 2 open `(`, so the missing `)` were added",
        true,
    ),
    ("(;FF[4]))", "sgf_extra_parenthesis", "line 1, column 9 (byte 8): this `)` closes nothing and was skipped", true),
    (
        "(;FF[4]C[abc",
        "sgf_unclosed_value",
        "line 1, column 9 (byte 8), property C: the value has no closing `]`, so it was taken to go on to the end of the file",
        true,
    ),
    (
        "(;FF[4]())",
        "sgf_empty_variation",
        "line 1, column 9 (byte 8): a variation must have a node after its `(`",
        true,
    ),
    (
        "(;FF[4](;B[aa]);W[bb])",
        "sgf_node_after_variation",
        "line 1, column 16 (byte 15): a node cannot follow a variation, so it was read as one more variation",
        true,
    ),
    (
        "(;FF[4];Black[aa])",
        "sgf_name_spelling",
        "line 1, column 9 (byte 8), property B: `Black` is no property name: expected capital letters only, read as B",
        true,
    ),
    (
        "(;FF[4];[aa])",
        "sgf_nameless_value",
        "line 1, column 9 (byte 8): a value must follow a property name in capital letters, so it was left out",
        true,
    ),
    (
        "(;FF[4];B)",
        "sgf_no_value",
        "line 1, column 9 (byte 8): `B` has no value and was left out: expected `[` after a property name",
        true,
    ),
    (
        "(;FF[4]\n\n  %%% ;B[aa])",
        "sgf_skipped_text",
        "line 3, column 3 (byte 11): `%%%` is neither a node nor a property and was skipped",
        true,
    ),
    (
        "(;FF[4]) and more",
        "sgf_skipped_text",
        "line 1, column 10 (byte 9): `and more` is neither a node nor a property and was skipped",
        true,
    ),
    (
        "(;FF[4]CA[UTF-8]\r\n;C[a\u{0}b]MN[x])",
        "sgf_bad_number",
        "line 2, column 8 (byte 25), property MN: `x` is no number and was ignored: expected a number",
        true,
    ),
    (
        "(;FF[4];B[this is much longer than a move])",
        "sgf_bad_point",
        "line 1, column 9 (byte 8), property B: `this is much longer than…` is no point or pass and was ignored",
        true,
    ),
];

#[test]
fn sgf_bad_inputs() {
    for (input, code, message, goes_on) in TABLE {
        let error = sgf::parse(input.as_bytes(), Mode::Strict).expect_err(input);
        assert_eq!(error.to_string(), message, "{input}");
        assert_eq!(error.code(), code, "{input}");
        match sgf::parse(input.as_bytes(), Mode::Tolerant) {
            Ok(parsed) => {
                assert!(goes_on, "{input}");
                assert!(parsed.warnings.iter().any(|w| w.to_string() == message && w.code() == code), "{input}");
            }
            Err(same) => {
                assert!(!goes_on, "{input}");
                assert_eq!(same, error);
            }
        }
    }
}
