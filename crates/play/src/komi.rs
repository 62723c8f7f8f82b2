//! Komi as programs and files give it: any number within bounds.

use kiebitz_go::MAX_KOMI;

/// Points as quarter points. One between two half points counts as the quarter between them, which decides every game alike
/// (6.3 as 6.25); `None` for what is no number or lies beyond [`MAX_KOMI`].
pub(crate) fn quarters(points: f64) -> Option<i32> {
    let most = f64::from(MAX_KOMI);
    if !(-most..=most).contains(&points) {
        return None;
    }
    let quarters = points * 4.0;
    Some(if quarters.fract() == 0.0 { quarters as i32 } else { (points * 2.0).floor() as i32 * 2 + 1 })
}

/// The sentence about a komi that [`quarters`] does not take.
pub(crate) fn beyond(komi: &str) -> String {
    let komi: String = komi.chars().take(40).collect();
    format!("komi is {komi}, it must be a number from -{MAX_KOMI} to {MAX_KOMI}")
}

/// The sentence about a komi that [`quarters`] takes as another number; `None` where it does not.
pub(crate) fn changed(komi: &str) -> Option<String> {
    let points: f64 = komi.parse().ok()?;
    let taken = f64::from(quarters(points)?) / 4.0;
    let komi: String = komi.chars().take(40).collect();
    (taken != points).then(|| format!("a komi of {komi} counts as {taken} points, which decides every game alike"))
}

#[cfg(test)]
mod tests {
    use super::{changed, quarters};

    #[test]
    fn a_komi_that_counts_as_another_is_told() {
        let told = changed("6.3").expect("6.25 is another number");
        assert_eq!(told, "a komi of 6.3 counts as 6.25 points, which decides every game alike");
        for same in ["6.5", "7", "-3.75", "0", "1e308", "nan", "six"] {
            assert_eq!(changed(same), None, "{same}");
        }
    }

    #[test]
    fn komi_within_bounds_becomes_quarters() {
        for (points, expected) in [
            (7.5, 30),
            (-7.0, -28),
            (6.3, 25),
            (-6.3, -25),
            (0.0, 0),
            (3.75, 15),
            (10_000.0, 40_000),
            (-10_000.0, -40_000),
        ] {
            assert_eq!(quarters(points), Some(expected), "{points}");
        }
        for points in [10_000.25, -10_000.1, 1e308, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(quarters(points), None, "{points}");
        }
    }
}
