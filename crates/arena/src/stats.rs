//! The statistics of a match: scores, Elo and its interval from blocks of games, Wilson's interval, likelihood of superiority.
//!
//! A *block* is all games with one seed, in which every player sits in every seat once (two games for two players). Games of
//! a block share their luck and are not independent, blocks are: the block is the unit of every interval here.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo points by which the odds grow tenfold.
const ELO_SCALE: f64 = 400.0;

/// The score (0 to 1) that a player who is `elo` points stronger is expected to make: `1 / (1 + 10^(-elo / 400))`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / ELO_SCALE))
}

/// The Elo difference that explains a mean score: `400 log10(s / (1 - s))`. `None` at 0 and 1 (and outside), where no finite
/// difference does.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_SCALE * (score / (1.0 - score)).log10())
}

/// A player's rating after one game: `rating + k (score - expected)`.
pub fn elo_update(rating: f64, opponent: f64, score: f64, k: f64) -> f64 {
    rating + k * (score - expected_score(rating - opponent))
}

/// How many independent games without draws give a 95 % interval of `half_width` Elo points to either side of equality.
/// Linearised at a score of one half, where one point of score is `1600 / ln 10` Elo. `None` for a half width that is not a
/// positive number.
pub fn games_for_half_width(half_width: f64) -> Option<u64> {
    let slope = 4.0 * ELO_SCALE / std::f64::consts::LN_10;
    let games = (Z95 * 0.5 * slope / half_width).powi(2).ceil();
    (half_width > 0.0 && games.is_finite()).then_some(games as u64)
}

/// An interval of probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Wilson's 95 % interval of a proportion (E. B. Wilson, 1927). `successes` may be fractional where draws count half.
/// Without any trial it is [0, 1].
pub fn wilson(successes: f64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = trials as f64;
    let p = (successes / n).clamp(0.0, 1.0);
    let z2 = Z95 * Z95;
    let centre = p + z2 / (2.0 * n);
    let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // At the ends the formula is exactly 0 or 1; rounding must not spoil that.
    let low = if p == 0.0 { 0.0 } else { ((centre - half) / scale).max(0.0) };
    let high = if p == 1.0 { 1.0 } else { ((centre + half) / scale).min(1.0) };
    Interval { low, high }
}

/// Mean scores of blocks, each from 0 to 1: how many, their mean, and their population variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockScores {
    blocks: u64,
    mean: f64,
    variance: f64,
}

/// A difference in Elo points with its 95 % interval. What cannot be known is `None`, never an infinity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloEstimate {
    /// The most likely difference; `None` when every game was won, or every game lost, or there was none.
    pub value: Option<f64>,
    /// The lower end; `None` when the data set no bound.
    pub low: Option<f64>,
    /// The upper end; `None` when the data set no bound.
    pub high: Option<f64>,
    /// `low` or `high` is a one-sided 95 % bound, since every game was won or every game lost.
    pub one_sided: bool,
}

/// A normalised Elo difference with the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NormalizedElo {
    /// The difference.
    pub value: f64,
    /// Half the width of the interval.
    pub half_width: f64,
}

impl BlockScores {
    /// From the score of every block, in a fixed order (sums of floating-point numbers depend on it).
    pub fn new(scores: impl IntoIterator<Item = f64>) -> Self {
        Self::weighted(scores.into_iter().map(|s| (s, 1)))
    }

    /// From pairs of a block score and how often it occurred.
    pub fn from_counts(counts: &[(f64, u64)]) -> Self {
        Self::weighted(counts.iter().copied())
    }

    fn weighted(scores: impl IntoIterator<Item = (f64, u64)>) -> Self {
        let all: Vec<(f64, u64)> = scores.into_iter().filter(|(_, n)| *n > 0).collect();
        let blocks: u64 = all.iter().map(|(_, n)| n).sum();
        if blocks == 0 {
            return BlockScores { blocks: 0, mean: 0.5, variance: 0.0 };
        }
        let n = blocks as f64;
        // Equal scores must have exactly that mean and no variance, whatever rounding does to their sum.
        if all.iter().all(|(s, _)| *s == all[0].0) {
            return BlockScores { blocks, mean: all[0].0, variance: 0.0 };
        }
        let mean = all.iter().map(|&(s, c)| s * c as f64).sum::<f64>() / n;
        let variance = all.iter().map(|&(s, c)| (s - mean).powi(2) * c as f64).sum::<f64>() / n;
        BlockScores { blocks, mean, variance }
    }

    /// How many blocks.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The mean score; one half without any block.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The population variance of the block scores.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The standard error of the mean, `sqrt(variance / blocks)`; `None` for fewer than two blocks and for blocks that are
    /// all alike, which say nothing about how much others would differ.
    pub fn standard_error(&self) -> Option<f64> {
        (self.blocks > 1 && self.variance > 0.0).then(|| (self.variance / self.blocks as f64).sqrt())
    }

    /// The Elo difference and its interval `elo(mean - z se)` to `elo(mean + z se)`.
    ///
    /// When all N blocks are fully won, the bound is `elo(0.05^(1/N))`: blocks won with a smaller probability than that would
    /// all be won in less than 5 % of such matches, and the mean score is at least that probability.
    pub fn elo(&self) -> EloEstimate {
        let none = EloEstimate { value: None, low: None, high: None, one_sided: false };
        if self.blocks == 0 {
            return none;
        }
        let bound = 0.05f64.powf(1.0 / self.blocks as f64);
        if self.mean >= 1.0 {
            return EloEstimate { low: elo_of_score(bound), one_sided: true, ..none };
        }
        if self.mean <= 0.0 {
            return EloEstimate { high: elo_of_score(1.0 - bound), one_sided: true, ..none };
        }
        let value = elo_of_score(self.mean);
        match self.standard_error() {
            None => EloEstimate { value, ..none },
            Some(se) => {
                let (low, high) = (elo_of_score(self.mean - Z95 * se), elo_of_score(self.mean + Z95 * se));
                EloEstimate { value, low, high, one_sided: false }
            }
        }
    }

    /// The likelihood of superiority, Φ((mean − ½) / se); `None` without spread.
    pub fn los(&self) -> Option<f64> {
        self.standard_error().map(|se| Normal::standard().cdf((self.mean - 0.5) / se))
    }

    /// Normalised Elo, `(mean − ½) / (σ √k) · 800 / ln 10` with `k` games a block, which compares matches of different draw
    /// rates; `None` without spread.
    pub fn normalized_elo(&self, games_per_block: usize) -> Option<NormalizedElo> {
        self.standard_error().filter(|_| games_per_block > 0)?;
        let scale = 2.0 * ELO_SCALE / std::f64::consts::LN_10;
        let k = games_per_block as f64;
        Some(NormalizedElo {
            value: (self.mean - 0.5) / (self.variance.sqrt() * k.sqrt()) * scale,
            half_width: Z95 * scale / (self.blocks as f64 * k).sqrt(),
        })
    }
}

impl EloEstimate {
    /// Half the width of the interval, where it has two ends.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

impl std::fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // To a tenth, and never minus zero.
        let tenth = |x: Option<f64>| x.map(|x| (x * 10.0).round() / 10.0 + 0.0);
        match (tenth(self.value), tenth(self.low), tenth(self.high)) {
            (None, Some(low), _) => write!(f, ">{low:+.1} (one-sided 95 % bound)"),
            (None, None, Some(high)) => write!(f, "<{high:+.1} (one-sided 95 % bound)"),
            (None, None, None) => f.write_str("unknown"),
            (Some(value), Some(low), Some(high)) => write!(f, "{value:+.1} [{low:+.1}, {high:+.1}]"),
            (Some(value), Some(low), None) => write!(f, "{value:+.1} [{low:+.1}, no bound]"),
            (Some(value), None, Some(high)) => write!(f, "{value:+.1} [no bound, {high:+.1}]"),
            (Some(value), None, None) => write!(f, "{value:+.1} (no interval)"),
        }
    }
}

/// How much the games of one block hang together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// The correlation of two games of one block, in the scores of one player. Negative when the luck of the seat decides.
    pub correlation: f64,
    /// How many independent games one game of a block is worth, `1 / (1 + correlation (k - 1))`.
    pub efficiency: f64,
}

/// The correlation within blocks, from one player's score in every game, grouped by block (`k` games each): the variance of
/// the block means is `v (1 + ρ (k − 1)) / k`. `None` when there is no spread.
pub fn pairing(blocks: &[Vec<f64>]) -> Option<Pairing> {
    let k = blocks.first()?.len();
    if k < 2 || blocks.iter().any(|b| b.len() != k) {
        return None;
    }
    let games = BlockScores::new(blocks.iter().flatten().copied());
    let means = BlockScores::new(blocks.iter().map(|b| b.iter().sum::<f64>() / k as f64));
    games.standard_error().and(means.standard_error())?;
    let spread = means.variance * k as f64 / games.variance;
    Some(Pairing { correlation: (spread - 1.0) / (k as f64 - 1.0), efficiency: 1.0 / spread })
}
