//! Runs the program.
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::path::PathBuf;

use serde_json::Value;

/// What the program did.
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `kiebitz` with the words of `line`, in English.
pub fn kiebitz(line: &str) -> Ran {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_kiebitz"));
    let output = command.args(line.split_whitespace()).env("LC_ALL", "C").output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a command that must succeed and prints JSON.
pub fn json(line: &str) -> Value {
    let ran = kiebitz(line);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{line}");
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// Runs a command that must fail with status 2 and one sentence.
#[track_caller]
pub fn refused(line: &str, sentence: &str) {
    let ran = kiebitz(line);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
    assert_eq!(ran.stderr, format!("kiebitz: {sentence}\n"), "{line}");
}

/// A fresh directory for one test.
pub fn directory(test: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory for tests");
    directory
}
