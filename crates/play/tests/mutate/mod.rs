//! Texts made wrong: a seeded source of inputs that nobody meant.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use kiebitz_core::Rng;

/// How many inputs a loop tries: `usual`, or what `KIEBITZ_FUZZ` says.
pub fn count(usual: u64) -> u64 {
    std::env::var("KIEBITZ_FUZZ").ok().and_then(|n| n.replace('_', "").parse().ok()).unwrap_or(usual)
}

/// Changes the seeds of all loops: what `KIEBITZ_FUZZ_SEED` says, else 0.
fn other_seed() -> u64 {
    std::env::var("KIEBITZ_FUZZ_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// One of the items.
pub fn pick<'a, T: ?Sized>(rng: &mut Rng, items: &[&'a T]) -> &'a T {
    items[rng.below(items.len())]
}

/// A corpus text with one to five changes: bytes flipped, pieces cut out, doubled, moved in from another text or from
/// `tokens`, numbers changed, the end cut off.
pub fn mutate(rng: &mut Rng, corpus: &[&[u8]], tokens: &[&str]) -> Vec<u8> {
    let mut text = pick(rng, corpus).to_vec();
    for _ in 0..1 + rng.below(5) {
        let at = rng.below(text.len() + 1);
        let end = (at + rng.below(12)).min(text.len());
        match rng.below(8) {
            0 if at < text.len() => text[at] = rng.next_u64() as u8,
            1 if at < text.len() => text[at] ^= 1 << rng.below(8),
            2 => drop(text.drain(at..end)),
            3 => {
                let piece = text[at..end].to_vec();
                for _ in 0..1 + rng.below(3) {
                    text.splice(at..at, piece.iter().copied());
                }
            }
            4 => {
                let other = pick(rng, corpus);
                let from = rng.below(other.len() + 1);
                let to = (from + rng.below(40)).min(other.len());
                text.splice(at..end, other[from..to].iter().copied());
            }
            5 => drop(text.splice(at..end, pick(rng, tokens).bytes())),
            6 => {
                // The next number becomes another one.
                if let Some(digit) = text[at..].iter().position(u8::is_ascii_digit) {
                    let numbers =
                        ["0", "-1", "1", "25", "26", "99", "1e9", "0.25", "65536", "18446744073709551616", "NaN"];
                    text.splice(at + digit..=at + digit, pick(rng, &numbers).bytes());
                }
            }
            _ if rng.below(4) == 0 => text.truncate(at),
            _ => text.insert(at, rng.next_u64() as u8),
        }
    }
    text
}

/// Runs `try_one` on `inputs` inputs. A panic is reported with the input that made it; the slowest input is printed.
pub fn run(
    name: &str,
    inputs: u64,
    seed: u64,
    mut make: impl FnMut(&mut Rng) -> Vec<u8>,
    mut try_one: impl FnMut(&[u8]),
) {
    let mut rng = Rng::new(seed ^ other_seed().rotate_left(32));
    let mut slowest = (Duration::ZERO, String::new());
    for number in 0..inputs {
        let input = make(&mut rng);
        let start = Instant::now();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| try_one(&input))) {
            let why = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            panic!("{name}, input {number}: {}\n{}", why.unwrap_or("a panic"), shown(&input));
        }
        let took = start.elapsed();
        if took > slowest.0 {
            slowest = (took, shown(&input));
        }
    }
    let shortened: String = slowest.1.chars().take(300).collect();
    println!("{name}: {inputs} inputs; the slowest took {:?}: {shortened}", slowest.0);
}

/// An input as a Rust byte string.
fn shown(input: &[u8]) -> String {
    let mut text = String::from("b\"");
    for byte in input {
        let _ = write!(text, "{}", byte.escape_ascii());
    }
    text + "\""
}
