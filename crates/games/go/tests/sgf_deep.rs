//! Long and deep trees on small stacks, and input made to be slow: time and memory must stay linear.
//!
//! Nothing here is timed: a reader that is quadratic in any of these sizes needs minutes, and one that is recursive aborts.

use std::fmt::Write as _;

use kiebitz_go::sgf::{self, Mode, Parsed};

/// Everything happens in a thread with 256 KiB of stack, so that recursion over nodes could not survive.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

/// Reads, walks, compares, writes, reads again, copies and drops.
fn check(file: &[u8]) -> Parsed {
    let parsed = sgf::parse(file, Mode::Tolerant).expect("a tree");
    let written = parsed.collection.to_sgf();
    let again = sgf::parse(written.as_bytes(), Mode::Tolerant).expect("what is written is read");
    assert!(again.collection == parsed.collection);
    let copy = again.collection.clone();
    drop(again);
    assert!(copy == parsed.collection);
    for tree in &copy.trees {
        assert_eq!(tree.walk().count(), tree.len());
    }
    parsed
}

#[test]
fn sgf_300_000_plies() {
    on_small_stack(|| {
        let mut file = String::from("(;GM[1]FF[4]SZ[19]");
        for ply in 0..300_000u32 {
            let letter = |n: u32| char::from(b'a' + (n % 19) as u8);
            let color = if ply % 2 == 0 { 'B' } else { 'W' };
            write!(file, ";{color}[{}{}]", letter(ply), letter(ply / 19)).expect("a string grows");
        }
        file.push(')');
        let parsed = check(file.as_bytes());
        assert_eq!(parsed.warnings, []);
        let tree = &parsed.collection.trees[0];
        assert_eq!(tree.len(), 300_001);
        assert_eq!(tree.main_line_moves().last().map(|m| m.number), Some(300_000));
        let last = tree.node_of_move(300_000).expect("the last move");
        assert_eq!(tree.path(last).len(), 300_001);
    });
}

#[test]
fn sgf_nested_variations() {
    on_small_stack(|| {
        for depth in [100_000, 300_000] {
            // Only children, and variations that branch at every step.
            let straight = "(;B[aa]".repeat(depth) + &")".repeat(depth);
            let tree = &check(straight.as_bytes()).collection.trees[0];
            assert_eq!((tree.len(), tree.walk().last().map(|(depth, _)| depth)), (depth, Some(depth - 1)));
            let branching = "(;B[aa](;W[bb])".repeat(depth) + &")".repeat(depth);
            let tree = &check(branching.as_bytes()).collection.trees[0];
            assert_eq!(tree.len(), 2 * depth);
        }
    });
}

#[test]
fn sgf_nested_and_unclosed() {
    on_small_stack(|| {
        let parsed = check("(;B[aa]".repeat(300_000).as_bytes());
        assert_eq!(parsed.warnings.last().map(|w| w.code()), Some("sgf_unclosed_tree"));
        let parsed = check(format!("(;{}", "(".repeat(300_000)).as_bytes());
        assert_eq!(parsed.collection.trees[0].len(), 1);
        assert_eq!(parsed.warnings.len() + parsed.warnings_dropped, 300_000);
        // Each `(` here could start a tree, none does.
        assert_eq!(sgf::parse("(".repeat(300_000).as_bytes(), Mode::Tolerant).unwrap_err().code(), "sgf_no_tree");
        assert_eq!(sgf::parse("(A".repeat(300_000).as_bytes(), Mode::Tolerant).unwrap_err().code(), "sgf_no_tree");
        let strict = sgf::parse("(;B[aa]".repeat(300_000).as_bytes(), Mode::Strict).unwrap_err();
        assert_eq!(strict.code(), "sgf_unclosed_tree");
    });
}

#[test]
fn sgf_wide_trees() {
    on_small_stack(|| {
        let many = 200_000;
        let variations = format!("(;SZ[9]{})", "(;B[aa];W[bb])".repeat(many));
        let tree = &check(variations.as_bytes()).collection.trees[0];
        assert_eq!(tree.children(tree.root()).count(), many);
        assert_eq!(check("(;B[aa])".repeat(many).as_bytes()).collection.trees.len(), many);
        assert_eq!(check(format!("(;{})", ";".repeat(many)).as_bytes()).collection.trees[0].len(), many + 1);
        check(format!("(;{})", "()".repeat(many)).as_bytes());
        check(format!("(;{})", ")".repeat(many)).as_bytes());
    });
}

#[test]
fn sgf_wide_nodes() {
    on_small_stack(|| {
        let many = 200_000;
        // One property many times, many values, many different properties, and moves that must be taken apart.
        let tree = &check(format!("(;{})", "AB[aa]AW[bb]".repeat(many)).as_bytes()).collection.trees[0];
        assert_eq!(tree.properties(tree.root()).count(), 2);
        let tree = &check(format!("(;SZ[25]AB{})", "[aa:yy]".repeat(many)).as_bytes()).collection.trees[0];
        assert_eq!(tree.setup(tree.root()).black.len(), 625);
        let mut names = String::from("(;");
        for number in 0..many {
            write!(names, "X{number}[]").expect("a string grows");
        }
        names.push_str("X7[x]X100000[y])");
        let tree = &check(names.as_bytes()).collection.trees[0];
        assert_eq!(tree.properties(tree.root()).count(), many);
        assert_eq!(tree.property(tree.root(), "X100000").map(|p| p.values().count()), Some(2));
        let tree = &check(format!("(;{})", "B[aa]B[bb]".repeat(many)).as_bytes()).collection.trees[0];
        assert_eq!(tree.len(), 2 * many);
        check(format!("(;{}[x])", "A".repeat(1 << 20)).as_bytes());
        check(format!("(;C[{}])", "\\]".repeat(1 << 20)).as_bytes());
        check(
            format!("(;KM[{}]HA[{}]RU[{}])", "9".repeat(1 << 20), "9 ".repeat(1 << 20), "x".repeat(1 << 20)).as_bytes(),
        );
    });
}

/// Files whose character set can only be found by looking at much of them, again and again.
#[test]
fn sgf_misleading_character_sets() {
    on_small_stack(|| {
        let many = 50_000;
        // In Latin-1 each `\]` goes on with the value, in Shift_JIS the backslash is half a character.
        check(&b"(;C[\x95\\])".repeat(many));
        check(&[&b"(;C[\x95\\])".repeat(many)[..], b"(;CA[Shift_JIS])"].concat());
        check(&b"(;C[\x95\\]CA[Big5])(;C[\xB3\\]CA[Shift_JIS])".repeat(many / 2));
        check(&b"(;C[\xE9])(;C[\x95\\]CA[GBK])(;C[\xFC".repeat(many / 2));
        check(&b"(;CA[?]C[\xE9])".repeat(many));
        check(&b"(;FF[4]PB[\xE9]CA[UTF-8])".repeat(many));
    });
}
