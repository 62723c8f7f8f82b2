//! `kiebitz go fit-patterns`: learning the move prior of Go.

use assert_cmd::Command;

fn fit(words: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiebitz"));
    command.args(["go", "fit-patterns"]).args(words).output().expect("it runs")
}

#[test]
fn strengths_are_fitted_to_files_and_own_games() {
    let place = std::env::temp_dir().join(format!("kiebitz-go-fit-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a directory");
    let (sgf, out) = (place.join("game.sgf"), place.join("gammas.txt"));
    std::fs::write(&sgf, "(;GM[1]FF[4]SZ[5];B[cc];W[bb];B[cb];W[bc];B[])").expect("a file");
    let words = ["--self-play", "12", "--size", "5", "--player", "uct:visits=20", "--rare", "5", "--out"];
    let words: Vec<&str> =
        [sgf.to_str().expect("a path")].into_iter().chain(words).chain([out.to_str().expect("a path")]).collect();
    let first = fit(&words);
    let text = String::from_utf8_lossy(&first.stdout).into_owned();
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    assert!(text.starts_with("13 games, "), "{text}");
    for row in ["learned", "held out", "built in"] {
        assert!(text.lines().any(|line| line.starts_with(row)), "{text}");
    }
    let strengths = std::fs::read_to_string(&out).expect("it wrote the file");
    assert!(strengths.starts_with("kiebitz-go-gammas 1\n# ") && strengths.contains("\npattern "), "{strengths}");
    // Before the work, not after it: nothing is printed.
    let again = fit(&words);
    let errors = String::from_utf8_lossy(&again.stderr).into_owned();
    assert_eq!((again.status.code(), again.stdout.as_slice()), (Some(2), &b""[..]), "{errors}");
    assert!(errors.contains("gammas.txt exists already; choose another name, or add --force"), "{errors}");
    assert_eq!(std::fs::read_to_string(&out).expect("it is still there"), strengths);
    let second = fit(&words.iter().copied().chain(["--force"]).collect::<Vec<_>>());
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(std::fs::read_to_string(&out).expect("again"), strengths, "the same games give the same strengths");
    std::fs::remove_dir_all(&place).expect("it can be removed");
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    for (words, sentence) in [
        (&[][..], "is missing"),
        (&["nowhere.sgf"][..], "nowhere.sgf: there is no such file"),
        (&["/dev"][..], "/dev is a directory: name a file"),
        (&["/dev/zero"][..], "/dev/zero is not an ordinary file: name another"),
        (&["--self-play", "-1"][..], "--self-play -1: it must be a whole number from 0 to 100000"),
        (&["--seed", "x"][..], "--seed x: it must be a whole number from 0 to"),
        (&["--dance"][..], "'kiebitz go fit-patterns --help' lists the options"),
        (&["--self-play", "1", "--force"][..], "--force goes with --out FILE"),
        (&["--self-play", "1", "--out", "/dev/full"][..], "--out: /dev/full is not an ordinary file: name another"),
        (&["--self-play", "1", "--size", "3", "--player", "random"][..], "at least ten games"),
        (&["--self-play", "1", "--player", "uct:foo=1"][..], "no setting 'foo'"),
        (&["--self-play", "1", "--size", "99"][..], "--size"),
    ] {
        let output = fit(words);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
        assert!(errors.contains(sentence) && errors.trim_end().lines().count() == 1, "{words:?}: {errors}");
    }
}
