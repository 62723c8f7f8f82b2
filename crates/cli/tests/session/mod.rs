//! Runs the program with files, input and golden texts.
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the program did.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The output of a run that must succeed without a word on stderr.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self.stdout
    }
}

/// A directory of its own for one test, in which the program is run.
pub struct Place(PathBuf);

impl Place {
    /// A fresh directory.
    pub fn new(test: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).expect("a directory for tests");
        Place(directory)
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), bytes).expect("a file");
        self
    }

    /// Reads a file as text.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file of text")
    }

    /// Runs `kiebitz` with these arguments and this input, in English unless they say otherwise.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kiebitz"))
            .args(arguments)
            .current_dir(&self.0)
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut stdin = child.stdin.take().expect("its input");
        let input = input.to_vec();
        // The program may end before it has read everything.
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().expect("the program ends");
        let _ = writer.join().expect("the writer ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Ran { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Runs the words of `line` without input.
    pub fn say(&self, line: &str) -> Ran {
        self.run(&line.split_whitespace().collect::<Vec<_>>(), b"")
    }
}

/// A file of this crate's `tests/data`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Replaces the number before each ` ms` and ` 毫秒` by `#`: it differs from run to run.
pub fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = [" ms", " 毫秒"].iter().filter_map(|unit| rest.find(unit)).min() {
        let digits = rest[..at].chars().rev().take_while(char::is_ascii_digit).count();
        out.push_str(&rest[..at - digits]);
        if digits > 0 {
            out.push('#');
        }
        out.push_str(&rest[at..at + 1]);
        rest = &rest[at + 1..];
    }
    out + rest
}

/// Compares a text with the golden file of this name; `KIEBITZ_BLESS=1` writes the file instead.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = data("transcripts").join(name);
    if std::env::var_os("KIEBITZ_BLESS").is_some() {
        std::fs::write(&path, text).expect("the golden file");
        return;
    }
    let expected = std::fs::read_to_string(&path).expect("the golden file");
    if expected != text {
        let same = expected.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
        panic!(
            "{name}, line {}:\n expected {:?}\n found    {:?}\n the whole text:\n{text}",
            same + 1,
            expected.lines().nth(same),
            text.lines().nth(same)
        );
    }
}
