//! Probabilities against exact integers.

use kiebitz_core::Rng;
use kiebitz_core::probability::{DiceSum, Hypergeometric, ProbabilityError, binomial, log_binomial, log_factorial};

/// Pascal's triangle up to row `n`, by addition alone.
fn pascal(n: usize) -> Vec<Vec<u128>> {
    let mut rows = vec![vec![1u128]];
    for i in 1..=n {
        let row = (0..=i).map(|k| if k == 0 || k == i { 1 } else { rows[i - 1][k - 1] + rows[i - 1][k] });
        let row = row.collect();
        rows.push(row);
    }
    rows
}

/// `a * b` as 256 bits, high half first.
fn product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let middle2 = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 64) + (middle2 >> 64), middle2 << 64 | low & LOW)
}

/// A number from 0 to 1 as a whole multiple of 2^-120; exact for every one that is 0 or at least 2^-68.
fn parts(p: f64) -> u128 {
    assert!((0.0..=1.0).contains(&p), "{p}");
    let scaled = p * 2f64.powi(120);
    assert!(scaled == 0.0 || scaled >= 2f64.powi(52));
    scaled as u128
}

/// Whether `p` is `numerator / denominator` up to the three roundings of `a as f64 / b as f64`, compared in integers alone.
fn is_quotient(p: f64, numerator: u128, denominator: u128) -> bool {
    if numerator == 0 || numerator == denominator {
        return p == if numerator == 0 { 0.0 } else { 1.0 };
    }
    let tolerance = 1.5 * f64::EPSILON * p;
    let (low, high) = (parts(p - tolerance), parts((p + tolerance).min(1.0)));
    let exact = product(numerator, 1 << 120);
    product(low, denominator) <= exact && exact <= product(high, denominator)
}

#[test]
fn products_of_128_bits() {
    assert_eq!(product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
    assert_eq!(product(1 << 100, 1 << 100), (1 << 72, 0));
    assert_eq!(product((1 << 70) + 3, (1 << 64) + 5), (1 << 6, (5 << 70) + (3 << 64) + 15));
    assert!(is_quotient(1.0 / 3.0, 1, 3) && !is_quotient(1.0 / 3.0 + 1e-15, 1, 3));
}

/// AZ-10: exact comparison for every bag of up to 100 things.
#[test]
fn az_10_hypergeometric_is_exact_up_to_100() {
    let pascal = pascal(100);
    for population in 0..=100u32 {
        for drawn in 0..=population {
            let draws = pascal[population as usize][drawn as usize];
            for wanted in 0..=population {
                let law = Hypergeometric::new(population, wanted, drawn).unwrap();
                assert_eq!(law.draws(), Some(draws));
                let others = population - wanted;
                let without = if drawn <= others { pascal[others as usize][drawn as usize] } else { 0 };
                let p = law.at_least_one();
                assert!(is_quotient(p, draws - without, draws), "{law:?}: {p}");
                assert_eq!(p, law.at_least(1));
            }
        }
    }
}

#[test]
fn az_10_every_number_of_wanted_things() {
    let pascal = pascal(60);
    for population in [1, 5, 20, 41, 60u32] {
        for (drawn, wanted) in (0..=population).flat_map(|d| (0..=population).map(move |w| (d, w))) {
            let law = Hypergeometric::new(population, wanted, drawn).unwrap();
            let (others, draws) = (population - wanted, pascal[population as usize][drawn as usize]);
            let ways = |k: u32| match drawn.checked_sub(k) {
                Some(rest) if k <= wanted && rest <= others => {
                    pascal[wanted as usize][k as usize] * pascal[others as usize][rest as usize]
                }
                _ => 0,
            };
            let mut left = draws;
            for k in 0..=drawn + 1 {
                assert_eq!(law.ways(k), Some(ways(k)));
                assert_eq!(law.range().contains(&k), ways(k) > 0);
                if ways(k) as f64 / draws as f64 > 1e-18 || ways(k) == 0 {
                    assert!(is_quotient(law.exactly(k), ways(k), draws), "{law:?}, exactly {k}");
                    assert!(is_quotient(law.at_least(k), left, draws), "{law:?}, at least {k}");
                }
                left -= ways(k);
            }
            assert_eq!(left, 0, "the ways sum to all draws");
        }
    }
}

/// AZ-13: the edges. A9: ten things, seven wanted, five drawn.
#[test]
fn az_13_edges_and_a9() {
    let at_least_one = |n, k, d| Hypergeometric::new(n, k, d).map(|law| law.at_least_one());
    assert_eq!(at_least_one(10, 0, 5), Ok(0.0));
    assert_eq!(at_least_one(10, 3, 0), Ok(0.0));
    assert_eq!(at_least_one(0, 0, 0), Ok(0.0));
    assert_eq!(at_least_one(10, 7, 5), Ok(1.0), "A9: only three are of another kind");
    assert_eq!(at_least_one(10, 1, 10), Ok(1.0));
    assert_eq!(at_least_one(10, 7, 12), Err(ProbabilityError::DrawTooLarge { drawn: 12, population: 10 }), "A9");
    assert_eq!(at_least_one(10, 11, 5), Err(ProbabilityError::WantedTooMany { wanted: 11, population: 10 }));
    let error = Hypergeometric::new(10, 7, 12).unwrap_err();
    assert_eq!(error.to_string(), "12 cannot be drawn from 10; at most all of them can");
    assert_eq!(error.code(), "probability.draw_too_large");
    assert_eq!(Hypergeometric::new(10, 4, 5).unwrap().mean(), 2.0);
    assert_eq!(Hypergeometric::new(0, 0, 0).unwrap().mean(), 0.0);
}

/// A8: 20 of 100 tiles have the colour; all of 1, 2, 3, 4 draws hit it. More tiles needed must be less likely.
#[test]
fn a8_all_draws_hit() {
    let mut expected = 1.0;
    for (draws, shown) in [(1u32, 0.2), (2, 0.0384), (3, 0.007_05), (4, 0.001_24)] {
        expected *= f64::from(21 - draws) / f64::from(101 - draws);
        let p = Hypergeometric::new(100, 20, draws).unwrap().at_least(draws);
        assert!((p - expected).abs() < 1e-15 && (p / shown - 1.0).abs() < 0.005, "{draws}: {p}");
    }
}

/// Large bags use logarithms; they agree with exact counting where both can be had.
#[test]
fn large_bags() {
    let law = Hypergeometric::new(1_000, 300, 100).unwrap();
    assert_eq!(law.draws(), None, "this needs the logarithms");
    let total: f64 = (0..=100).map(|k| law.exactly(k)).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    let mean: f64 = (0..=100).map(|k| f64::from(k) * law.exactly(k)).sum();
    assert!((mean - 30.0).abs() < 1e-8, "{mean}");
    assert!((law.at_least(0) - 1.0).abs() < 1e-15 && law.at_least(101) == 0.0);
    // At least one, as a product of simple fractions.
    let without: f64 = (0..20).map(|i| f64::from(1_000 - 30 - i) / f64::from(1_000 - i)).product();
    let p = Hypergeometric::new(1_000, 30, 20).unwrap().at_least_one();
    assert!((p - (1.0 - without)).abs() < 1e-12, "{p}");
}

/// AZ-14 and AZ-12: exact binomial coefficients, and logarithms beyond them.
#[test]
fn az_12_az_14_binomials() {
    let pascal = pascal(131);
    for (n, row) in pascal.iter().enumerate() {
        for (k, &exact) in row.iter().enumerate() {
            assert_eq!(binomial(n as u32, k as u32), Some(exact), "C({n},{k})");
        }
        assert_eq!(binomial(n as u32, n as u32 + 1), Some(0));
        assert_eq!(log_binomial(n as u32, n as u32 + 1), f64::NEG_INFINITY);
    }
    assert_eq!(binomial(132, 66), None, "does not fit into 128 bits");
    assert_eq!(binomial(500, 30), None);
    assert_eq!(binomial(4_000_000_000, 2), Some(4_000_000_000 * 3_999_999_999 / 2));
    // C(500,30) = 1.4e48 > 2^63: as a product of fractions, and from its 49 digits.
    let product: f64 = (1..=30).map(|i| f64::from(470 + i) / f64::from(i)).product();
    assert!((log_binomial(500, 30).exp() / product - 1.0).abs() < 1e-11);
    assert!((product / 1.445_259_588_120_573_5e48 - 1.0).abs() < 1e-14, "{product:e}");
}

/// AZ-12: errors of logarithms below 1e-10 up to n = 100.
#[test]
fn az_12_logarithms() {
    // ln n! from the exact factorial as far as it fits, and by compensated addition of logarithms beyond.
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    let mut factorial: u128 = 1;
    for n in 0..=100u32 {
        if n > 1 {
            let term = f64::from(n).ln() - lost;
            let next = sum + term;
            (lost, sum) = ((next - sum) - term, next);
        }
        let found = log_factorial(n);
        assert!((found - sum).abs() < 1e-10, "ln {n}!: {found}, not {sum}");
        if n <= 34 {
            factorial *= u128::from(n.max(1));
            assert!((found - (factorial as f64).ln()).abs() < 1e-10);
        }
    }
    for (n, row) in pascal(100).iter().enumerate() {
        for (k, &exact) in row.iter().enumerate() {
            let exact = (exact as f64).ln();
            let by_factorials = log_factorial(n as u32) - log_factorial(k as u32) - log_factorial((n - k) as u32);
            assert!((log_binomial(n as u32, k as u32) - exact).abs() < 1e-10);
            assert!((by_factorials - exact).abs() < 1e-10, "C({n},{k})");
        }
    }
}

/// KA-06: two dice.
#[test]
fn ka_06_two_dice() {
    let two = DiceSum::of(&[6, 6]).unwrap();
    assert_eq!((two.lowest(), two.highest(), two.results()), (2, 12, 36));
    assert_eq!(two.counts(), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    for (sum, p) in two.iter() {
        assert_eq!(p * 36.0, f64::from(6 - sum.abs_diff(7)));
    }
    assert_eq!((two.count(1), two.count(13), two.probability(0)), (0, 0, 0.0));
    assert!((two.mean() - 7.0).abs() < 1e-14);
}

#[test]
fn ka_06_any_dice() {
    // Three dice by hand; a four-sided, a six-sided and a twenty-sided one by listing all results.
    assert_eq!(DiceSum::of(&[6; 3]).unwrap().counts()[..8], [1, 3, 6, 10, 15, 21, 25, 27]);
    let mixed = DiceSum::of(&[4, 6, 20]).unwrap();
    let mut listed = vec![0u128; 31];
    for (a, b, c) in (1..=4).flat_map(|a| (1..=6).flat_map(move |b| (1..=20).map(move |c| (a, b, c)))) {
        listed[a + b + c] += 1;
    }
    assert!((0..31).all(|sum| mixed.count(sum as u32) == listed[sum]));
    assert_eq!(mixed.counts().iter().sum::<u128>(), 480);
    // Sicherman's dice, whose faces repeat, give the sums of two usual dice.
    let small = DiceSum::die(&[1, 2, 2, 3, 3, 4]).unwrap();
    let large = DiceSum::die(&[1, 3, 4, 5, 6, 8]).unwrap();
    assert_eq!(small.plus(&large), DiceSum::of(&[6, 6]));
    // A die with a gap and a zero.
    let odd = DiceSum::die(&[0, 5, 5]).unwrap();
    assert_eq!((odd.counts(), odd.iter().count()), (&[1, 0, 0, 0, 0, 2][..], 2));
    assert_eq!(DiceSum::of(&[]), Ok(DiceSum::none()));
    assert_eq!((DiceSum::none().mean(), DiceSum::none().probability(0)), (0.0, 1.0));
    assert_eq!(DiceSum::die(&[]), Err(ProbabilityError::NoFaces));
    assert_eq!(DiceSum::of(&[6, 0]), Err(ProbabilityError::NoFaces));
    // 6^49 fits into 128 bits, 6^50 does not.
    assert_eq!(DiceSum::of(&[6; 49]).unwrap().results(), 6u128.pow(49));
    assert_eq!(DiceSum::of(&[6; 50]), Err(ProbabilityError::TooManyResults));
}

/// The order of convolution does not matter, and probabilities sum to 1.
#[test]
fn convolution_of_random_dice() {
    let mut rng = Rng::new(11);
    for _ in 0..200 {
        let mut dice: Vec<u16> = (0..rng.below(6)).map(|_| 1 + rng.below(12) as u16).collect();
        let sum = DiceSum::of(&dice).unwrap();
        assert_eq!(sum.results(), dice.iter().map(|&d| u128::from(d)).product());
        assert_eq!(sum.counts().iter().sum::<u128>(), sum.results());
        assert!((sum.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
        let mean: f64 = dice.iter().map(|&d| (f64::from(d) + 1.0) / 2.0).sum();
        assert!((sum.mean() - mean).abs() < 1e-10);
        rng.shuffle(&mut dice);
        assert_eq!(DiceSum::of(&dice).unwrap(), sum);
    }
}
