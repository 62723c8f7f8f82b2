//! Statistics against printed values: computed by an independent script, the marked rows also published by others.

use kiebitz_arena::stats::{
    BlockScores, elo_of_score, elo_update, expected_score, games_for_half_width, pairing, wilson,
};

/// `x` is `expected` as printed with `digits` decimals.
#[track_caller]
fn printed(x: f64, expected: f64, digits: i32) {
    assert!((x - expected).abs() <= 0.5001 * 10f64.powi(-digits), "{x} is not {expected}");
}

/// Block scores from counts of 0, ¼, ½, ¾, 1.
fn pairs(counts: [u64; 5]) -> BlockScores {
    BlockScores::from_counts(&std::array::from_fn::<_, 5, _>(|k| (k as f64 / 4.0, counts[k])))
}

/// Single games: losses, draws, wins.
fn singles(losses: u64, draws: u64, wins: u64) -> BlockScores {
    BlockScores::from_counts(&[(0.0, losses), (0.5, draws), (1.0, wins)])
}

#[test]
fn elo_from_score() {
    let rows = [
        (0.50, 0.0),
        (0.51, 6.9496),
        (0.55, 34.8601),
        (0.60, 70.4365),
        (0.64, 99.9510),
        (0.75, 190.8485),
        (0.76, 200.2409),
        (0.90, 381.6970),
        (0.99, 798.2541),
    ];
    for (score, elo) in rows {
        printed(elo_of_score(score).unwrap(), elo, 4);
        printed(elo_of_score(1.0 - score).unwrap(), -elo, 4);
    }
    for none in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
        assert_eq!(elo_of_score(none), None);
    }
}

#[test]
fn score_from_elo() {
    let rows = [
        (1.0, 0.501439),
        (2.0, 0.502878),
        (5.0, 0.507195),
        (10.0, 0.514387),
        (20.0, 0.528751),
        (50.0, 0.571463),
        (100.0, 0.640065),
        (200.0, 0.759747),
        (400.0, 0.909091),
    ];
    for (elo, score) in rows {
        printed(expected_score(elo), score, 6);
    }
}

#[test]
fn one_elo_update() {
    printed(elo_update(1500.0, 1700.0, 1.0, 32.0), 1524.3119, 4);
}

#[test]
fn games_needed_for_half_width() {
    for (half_width, games) in [(50.0, 186), (20.0, 1160), (10.0, 4638), (5.0, 18549)] {
        assert_eq!(games_for_half_width(half_width), Some(games));
    }
    assert_eq!(games_for_half_width(0.0), None);
    assert_eq!(games_for_half_width(-1.0), None);
}

#[test]
fn wilson_intervals() {
    let rows = [
        (60.0, 100, 0.502003, 0.690599),
        (600.0, 1000, 0.569309, 0.629925),
        (10.0, 10, 0.722467, 1.0),
        (30.0, 100, 0.218949, 0.395849),
    ];
    for (successes, trials, low, high) in rows {
        let interval = wilson(successes, trials);
        printed(interval.low, low, 6);
        printed(interval.high, high, 6);
    }
    assert_eq!(wilson(10.0, 10).high, 1.0);
    assert_eq!(wilson(0.0, 10).low, 0.0);
    assert_eq!((wilson(0.0, 0).low, wilson(0.0, 0).high), (0.0, 1.0));
}

#[test]
fn elo_of_pairs_as_published() {
    // Counts, Elo and half width, normalised Elo and half width, LOS.
    let rows = [
        ([379, 10170, 21828, 10640, 343], Some((1.5946, 1.2087, 4)), Some((3.0505, 2.3124, 4)), Some(0.99514)),
        ([134, 987, 1944, 1102, 147], Some((5.678, 4.472, 3)), Some((9.311, 7.331, 3)), Some(0.99360)),
        ([78, 2504, 5251, 2695, 95], Some((3.680, 2.459, 3)), Some((6.990, 4.672, 3)), None),
        ([143, 1508, 3308, 1499, 179], Some((1.649, 3.362, 3)), None, None),
        ([57, 1119, 2907, 1213, 61], Some((3.308, 3.365, 3)), None, None),
        ([10, 30, 100, 60, 20], None, Some((58.761, 32.464, 3)), None),
    ];
    for (counts, elo, normalized, los) in rows {
        let scores = pairs(counts);
        if let Some((value, half_width, digits)) = elo {
            printed(scores.elo().value.unwrap(), value, digits);
            printed(scores.elo().half_width().unwrap(), half_width, digits);
        }
        if let Some((value, half_width, digits)) = normalized {
            let found = scores.normalized_elo(2).unwrap();
            printed(found.value, value, digits);
            printed(found.half_width, half_width, digits);
        }
        if let Some(los) = los {
            printed(scores.los().unwrap(), los, 5);
        }
    }
}

#[test]
fn elo_intervals() {
    let rows = [
        (pairs([4, 4, 11, 15, 3]), 42.47, -19.36, 107.13, 2),
        (pairs([10, 30, 100, 60, 20]), 39.653, 17.684, 61.942, 3),
        (singles(400, 0, 600), 70.436, 48.705, 92.726, 3),
        (singles(100, 0, 140), 58.451, 14.573, 104.268, 3),
    ];
    for (scores, value, low, high, digits) in rows {
        let elo = scores.elo();
        for (found, expected) in [(elo.value, value), (elo.low, low), (elo.high, high)] {
            // The printed figures of matches without draws count 0.001 draws, which shifts them by less than 0.0005.
            assert!((found.unwrap() - expected).abs() <= 10f64.powi(-digits), "{found:?} is not {expected}");
        }
        assert!(!elo.one_sided);
    }
}

#[test]
fn all_won_gives_a_one_sided_bound() {
    let elo = singles(0, 0, 10).elo();
    // The bound by hand: 0.05^(1/10) = 0.741134.
    printed(expected_score(elo.low.unwrap()), 0.741134, 6);
    assert_eq!((elo.value, elo.high, elo.one_sided), (None, None, true));
    assert_eq!(elo.to_string(), ">+182.7 (one-sided 95 % bound)");
    let elo = singles(10, 0, 0).elo();
    assert_eq!((elo.value, elo.low, elo.one_sided), (None, None, true));
    assert_eq!(elo.to_string(), "<-182.7 (one-sided 95 % bound)");
    // Three times 1/3 + 2/3 sums to a little more or less than three; equal blocks are exactly what they are.
    assert!(BlockScores::new([1.0; 3]).elo().one_sided);
}

#[test]
fn too_little_data_gives_no_interval_and_no_nan() {
    let none = pairs([0; 5]);
    assert_eq!((none.mean(), none.elo().value, none.los()), (0.5, None, None));
    assert_eq!(none.elo().to_string(), "unknown");
    assert_eq!(singles(100_001, 0, 100_000).elo().to_string(), "+0.0 [-1.5, +1.5]");
    let one = pairs([0, 0, 0, 1, 0]);
    assert_eq!((one.elo().low, one.elo().high, one.los(), one.normalized_elo(2)), (None, None, None, None));
    assert_eq!(one.elo().to_string(), "+190.8 (no interval)");
    // A hundred pairs all drawn say that the players are equal, not how sure that is.
    let alike = pairs([0, 0, 100, 0, 0]);
    assert_eq!((alike.elo().value, alike.elo().low, alike.los()), (Some(0.0), None, None));
    assert!(BlockScores::new(vec![0.1; 1000]).standard_error().is_none());
    // The interval reaches past a score of 1: no upper bound, not infinity.
    let elo = singles(1, 0, 9).elo();
    assert!(elo.value.is_some() && elo.low.is_some() && elo.high.is_none() && !elo.one_sided);
    assert_eq!(elo.half_width(), None);
}

#[test]
fn pairing_shows_how_games_of_a_block_hang_together() {
    // The seat decides: who is first wins, so each block is 1 + 0 and its mean never varies.
    assert_eq!(pairing(&[vec![1.0, 0.0], vec![0.0, 1.0]]), None);
    // Independent: all four combinations alike.
    let independent = [vec![1.0, 1.0], vec![1.0, 0.0], vec![0.0, 1.0], vec![0.0, 0.0]];
    let found = pairing(&independent).unwrap();
    assert_eq!((found.correlation, found.efficiency), (0.0, 1.0));
    // The same result twice: the second game tells nothing.
    let same = pairing(&[vec![1.0, 1.0], vec![0.0, 0.0]]).unwrap();
    assert_eq!((same.correlation, same.efficiency), (1.0, 0.5));
    // By hand: means 1/2, 1/2, 1; variance of games 2/9, of means 1/18: 2/18 / (2/9) = 1/2.
    let seat = pairing(&[vec![1.0, 0.0], vec![0.0, 1.0], vec![1.0, 1.0]]).unwrap();
    assert!((seat.efficiency - 2.0).abs() < 1e-12 && (seat.correlation + 0.5).abs() < 1e-12, "{seat:?}");
    assert_eq!(pairing(&[]), None);
}
