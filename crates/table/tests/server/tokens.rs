//! F-12: guessing tokens.

use crate::support::{Folder, Running, hot_seat, request, times};
use serde_json::json;

#[test]
fn f_12_guessing_tokens() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made = running.create(&hot_seat(9));
    let path = format!("/api/games/{}/positions", made["id"].as_str().unwrap());
    let guess = |n: usize| format!("{n:022}");
    let mut read = 0;
    for n in 0..times(100_000, 60) {
        let answer = request(running.addr, "GET", &path, Some(&guess(n)), None);
        match answer.status {
            401 => read += 1,
            429 => assert_eq!(answer.json()["code"], "token.rate"),
            other => panic!("{other} for a guess"),
        }
    }
    assert!((15..=22).contains(&read), "{read} guesses were looked at");
    // Invitations are guarded by the same counter, and so are pages.
    let join = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": guess(1)})));
    assert_eq!(join.status, 429);
    let mut page = running.sit(made["id"].as_str().unwrap(), &[&guess(2)]);
    assert_eq!(page.wait_closed(), 1008);
    // The owner is not locked out.
    assert_eq!(running.owner("GET", &path, None).status, 200);
    running.stop();
}

#[test]
fn tokens_are_not_stored() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let made =
        running.create(&json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "link"}], "rules": {"size": 9}}));
    let secrets = [&made["tokens"][0]["token"], &made["invites"][0]["code"], &made["watch"]]
        .map(|s| s.as_str().unwrap().to_owned());
    running.stop();
    for file in std::fs::read_dir(folder.path()).expect("a folder") {
        let path = file.expect("a file").path();
        let bytes = std::fs::read(&path).expect("it can be read");
        for secret in &secrets {
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()), "a token in {}", path.display());
        }
        #[cfg(unix)]
        if path.extension().is_some_and(|e| e == "db") || path.ends_with("owner-key") {
            use std::os::unix::fs::PermissionsExt;
            let mode = path.metadata().expect("metadata").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{} may be read by others", path.display());
        }
    }
}
