//! F-12: guessing tokens, and who is not locked out by that.

use crate::places::{Made, made};
use crate::support::{Folder, Running, request, times};
use serde_json::{Value, json};

/// A secret that nobody was given.
fn guess(n: usize) -> String {
    format!("{n:022}")
}

fn wrong_tokens(running: &Running) -> u64 {
    let metrics = running.owner("GET", "/metrics", None).text();
    let line = metrics.lines().find_map(|l| l.strip_prefix("kiebitz_wrong_tokens_total ")).expect("the counter");
    line.parse().expect("a number")
}

/// Guesses until the limiter engages.
fn use_up(running: &Running, path: &str) {
    for n in 0..40 {
        if request(running.addr, "GET", path, Some(&guess(n)), None).status == 429 {
            return;
        }
    }
    panic!("the limiter does not engage");
}

#[test]
fn f_12_guessing_tokens() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Made { id, .. } = made(&running);
    let path = format!("/api/games/{id}/positions");
    let mut read = 0;
    for n in 0..times(100_000, 60) {
        let answer = request(running.addr, "GET", &path, Some(&guess(n)), None);
        match answer.status {
            401 => read += 1,
            429 => assert_eq!(answer.json()["code"], "token.rate"),
            other => panic!("{other} for a guess"),
        }
    }
    // While it goes on for long, the bucket fills again: 20 in ten minutes.
    assert!((15..=20 + times(40, 2)).contains(&read), "{read} guesses were answered as wrong");
    // Invitations are guarded by the same counter, and so are lists and pages.
    let ask = |path: &str, body: &Value| request(running.addr, "POST", path, None, Some(body)).status;
    assert_eq!(ask("/api/join", &json!({"code": guess(1)})), 429);
    assert_eq!(ask("/api/mine", &json!({"tokens": [guess(1), guess(2)]})), 429);
    let mut page = running.sit(&id, &[&guess(2)]);
    assert_eq!(page.wait_type("error")["code"], "token.rate");
    assert_eq!(page.wait_closed(), 1008);
    running.stop();
}

#[test]
fn f_12_who_holds_a_token_is_never_locked_out() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Made { id, ada, bo, watch } = made(&running);
    let other = running.create(&json!({"game": "go", "seats": [{"kind": "here"}, {"kind": "link"}]}));
    let path = format!("/api/games/{id}/positions");
    use_up(&running, &path);
    // All of them share the address of the one who guesses.
    assert_eq!(running.owner("GET", &path, None).status, 200);
    for token in [&ada, &bo, &watch] {
        assert_eq!(request(running.addr, "GET", &path, Some(token), None).status, 200);
        running.sit(&id, &[token]).wait_type("state");
        // Together with others that open nothing any more.
        running.sit(&id, &[&guess(7), token, &guess(8)]).wait_type("state");
        let mine = request(running.addr, "POST", "/api/mine", None, Some(&json!({"tokens": [guess(9), token]})));
        assert_eq!((mine.status, &mine.json()["games"][0]["id"]), (200, &json!(id)));
    }
    let code = json!({"code": other["invites"][0]["code"]});
    assert_eq!(request(running.addr, "POST", "/api/join", None, Some(&code)).status, 200);
    let program = format!(
        "POST /api/mine HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {ada}\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{{\"tokens\":[]}}",
        running.addr
    );
    assert_eq!(crate::support::raw(running.addr, program.as_bytes()).expect("an answer").status, 200);
    running.stop();
}

#[test]
fn tokens_of_a_deleted_game_are_told_so_and_are_no_guesses() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Made { id, ada, watch, .. } = made(&running);
    let path = format!("/api/games/{id}");
    assert_eq!(running.owner("PATCH", &path, Some(&json!({"deleted": true}))).status, 204);
    let before = wrong_tokens(&running);
    for n in 0..30 {
        let token = if n % 2 == 0 { &ada } else { &watch };
        let gone = request(running.addr, "GET", &format!("{path}/positions"), Some(token), None);
        assert_eq!((gone.status, &gone.json()["code"]), (410, &json!("game.gone")));
        let mut page = running.sit(&id, &[token]);
        assert_eq!(page.wait_type("error")["code"], "game.gone");
        assert_eq!(page.wait_closed(), 4010);
        let mine = request(running.addr, "POST", "/api/mine", None, Some(&json!({"tokens": [token]})));
        assert_eq!((mine.status, mine.json()), (200, json!({"games": []})));
        let join = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": token})));
        assert_eq!((join.status, &join.json()["code"]), (410, &json!("game.gone")));
    }
    assert_eq!(wrong_tokens(&running), before);
    // The browser keeps them: when the game is back, they open it again.
    assert_eq!(running.owner("PATCH", &path, Some(&json!({"deleted": false}))).status, 204);
    running.sit(&id, &[&ada]).wait_type("state");
    running.stop();
}

/// Welch's t of two samples.
fn welch(a: &[f64], b: &[f64]) -> f64 {
    let moments = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        (mean, x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0) / n)
    };
    let ((mean_a, error_a), (mean_b, error_b)) = (moments(a), moments(b));
    (mean_a - mean_b) / (error_a + error_b).sqrt()
}

#[test]
fn f_12_the_time_of_an_answer_tells_nothing() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let Made { ada, .. } = made(&running);
    let app = running.app().clone();
    let near = |n: usize| {
        // All letters but one or two at the end are those of a token.
        let letter = |n: usize| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[n % 64]);
        format!("{}{}{}", &ada[..20], letter(n), letter(n / 64))
    };
    let key = running.key.clone();
    let near_key = |n: usize| format!("{}{:02}", &key[..20], n % 100);
    let from = std::net::IpAddr::from([10, 1, 2, 3]);
    let mut taken = [Vec::new(), Vec::new(), Vec::new()];
    running.runtime.block_on(async {
        for n in 0..times(5000, 100) {
            // In another order each time, so that none is always the first.
            for kind in (0..3).map(|i| (i + n) % 3) {
                let token = [guess(n), near(n), near_key(n)][kind].clone();
                let since = std::time::Instant::now();
                let right = app.right(&token, from).await;
                taken[kind].push(since.elapsed().as_secs_f64());
                assert!(right.is_err() || token == ada || token == key, "a guess opened something");
            }
        }
    });
    // The slowest twentieth is the machine's, not ours.
    for sample in &mut taken {
        sample.sort_by(f64::total_cmp);
        sample.truncate(sample.len() * 19 / 20);
    }
    let t = [welch(&taken[0], &taken[1]), welch(&taken[0], &taken[2])];
    println!(
        "F-12: Welch's t of wrong against nearly right tokens {:.2}, against nearly the owner's {:.2}",
        t[0], t[1]
    );
    if times(1, 0) == 1 {
        // |t| of 4.9 is p = 1e-6 with so many.
        assert!(t.iter().all(|t| t.abs() < 4.9), "{t:?}");
    }
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
