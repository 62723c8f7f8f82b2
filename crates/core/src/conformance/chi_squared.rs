//! Pearson's chi-squared test of goodness of fit.

/// The result of a chi-squared test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    /// The sum over cells of (observed - expected)² / expected.
    pub statistic: f64,
    /// Cells minus one, after rare cells were pooled.
    pub degrees: usize,
    /// What the statistic exceeds with probability one in a million when the sample follows the distribution.
    pub critical: f64,
}

impl ChiSquared {
    /// Whether the sample may follow the distribution.
    pub fn fits(&self) -> bool {
        self.statistic <= self.critical
    }
}

/// The standard normal quantile of 1 - 1e-6.
const ONE_IN_A_MILLION: f64 = 4.753_424_308_822_899;

/// The value that a chi-squared variable of `degrees` degrees of freedom exceeds with the probability that a standard normal
/// one exceeds `z`: the approximation of Wilson and Hilferty, "The distribution of chi-square" (1931). 0 for no degrees.
pub fn chi_squared_critical(degrees: usize, z: f64) -> f64 {
    if degrees == 0 {
        return 0.0;
    }
    let d = degrees as f64;
    let variance = 2.0 / (9.0 * d);
    let root = 1.0 - variance + z * variance.sqrt();
    d * root * root * root
}

/// Compares counts with the probabilities they should follow, one in a million as the level. Cells with an expected count
/// below 5 are pooled into one, as the approximation asks for.
///
/// An observation in a cell of probability zero never fits.
///
/// # Panics
/// When the two lists differ in length.
pub fn chi_squared(observed: &[u64], probabilities: &[f64]) -> ChiSquared {
    assert_eq!(observed.len(), probabilities.len(), "one probability for each count");
    let total: u64 = observed.iter().sum();
    let mut cells = 0;
    let mut statistic = 0.0;
    let mut rare = (0.0, 0.0);
    let mut cell = |count: f64, expected: f64| {
        cells += 1;
        statistic += (count - expected) * (count - expected) / expected;
    };
    for (&count, &p) in observed.iter().zip(probabilities) {
        let (count, expected) = (count as f64, p * total as f64);
        if p <= 0.0 && count > 0.0 {
            return ChiSquared { statistic: f64::INFINITY, degrees: 0, critical: 0.0 };
        } else if expected >= 5.0 {
            cell(count, expected);
        } else {
            rare = (rare.0 + count, rare.1 + expected);
        }
    }
    if rare.1 > 0.0 {
        cell(rare.0, rare.1);
    }
    let degrees = cells.max(1) - 1;
    // With one cell the statistic is rounding noise.
    let statistic = if degrees == 0 { 0.0 } else { statistic };
    ChiSquared { statistic, degrees, critical: chi_squared_critical(degrees, ONE_IN_A_MILLION) }
}
