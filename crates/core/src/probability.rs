//! Exact probabilities of draws without replacement and of dice, and the counts they are made of.
//!
//! Counts are exact integers where they fit into 128 bits, which covers every draw from up to 131 things; beyond that the
//! logarithm of the gamma function is used.

/// Why there is no such probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbabilityError {
    /// More things are drawn than there are.
    #[error("{drawn} cannot be drawn from {population}; at most all of them can")]
    DrawTooLarge {
        /// How many are drawn.
        drawn: u32,
        /// How many there are.
        population: u32,
    },
    /// More things are of the wanted kind than there are.
    #[error("{wanted} of {population} cannot be of the wanted kind; at most all of them can")]
    WantedTooMany {
        /// How many are of the wanted kind.
        wanted: u32,
        /// How many there are.
        population: u32,
    },
    /// A die without faces.
    #[error("a die has at least one face")]
    NoFaces,
    /// The number of ways does not fit into 128 bits.
    #[error("these dice have more than 2^128 results; use fewer dice or fewer faces")]
    TooManyResults,
}

impl ProbabilityError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ProbabilityError::DrawTooLarge { .. } => "probability.draw_too_large",
            ProbabilityError::WantedTooMany { .. } => "probability.wanted_too_many",
            ProbabilityError::NoFaces => "probability.no_faces",
            ProbabilityError::TooManyResults => "probability.too_many_results",
        }
    }
}

/// The number of ways to choose `k` of `n` things; 0 when `k > n`, `None` when it does not fit into 128 bits.
pub fn binomial(n: u32, k: u32) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut ways: u128 = 1;
    for i in 0..k.min(n - k) {
        // C(n, i + 1) = C(n, i) (n - i) / (i + 1). Divide by what the two have in common first, so that nothing overflows
        // that need not.
        let (mut factor, mut divisor) = (u128::from(n - i), u128::from(i + 1));
        let common = gcd(factor, divisor);
        (factor, divisor) = (factor / common, divisor / common);
        ways = (ways / divisor).checked_mul(factor)?;
    }
    Some(ways)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The natural logarithm of `n!`, by the gamma function of `libm`: the same bits on every platform.
pub fn log_factorial(n: u32) -> f64 {
    if n < 2 { 0.0 } else { libm::lgamma(f64::from(n) + 1.0) }
}

/// The natural logarithm of [`binomial`]; minus infinity when `k > n`.
pub fn log_binomial(n: u32, k: u32) -> f64 {
    match binomial(n, k) {
        _ if k > n => f64::NEG_INFINITY,
        Some(ways) => libm::log(ways as f64),
        None => log_factorial(n) - log_factorial(k) - log_factorial(n - k),
    }
}

/// The number of things of the wanted kind in a draw without replacement: the hypergeometric distribution.
///
/// ```
/// use kiebitz_core::probability::Hypergeometric;
///
/// // Five tiles from a bag of 20 with 4 blue ones.
/// let blue = Hypergeometric::new(20, 4, 5).unwrap();
/// assert!((blue.at_least_one() - 0.718_266_253_869_969).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hypergeometric {
    population: u32,
    wanted: u32,
    drawn: u32,
}

impl Hypergeometric {
    /// `drawn` things are drawn from `population`, of which `wanted` are of the wanted kind.
    ///
    /// # Errors
    /// When more are drawn or wanted than there are.
    pub fn new(population: u32, wanted: u32, drawn: u32) -> Result<Self, ProbabilityError> {
        if drawn > population {
            return Err(ProbabilityError::DrawTooLarge { drawn, population });
        }
        if wanted > population {
            return Err(ProbabilityError::WantedTooMany { wanted, population });
        }
        Ok(Hypergeometric { population, wanted, drawn })
    }

    /// The least and the most of the wanted kind that a draw can hold.
    pub fn range(&self) -> std::ops::RangeInclusive<u32> {
        let others = self.population - self.wanted;
        self.drawn.saturating_sub(others)..=self.wanted.min(self.drawn)
    }

    /// The mean number of the wanted kind; 0 when there is nothing to draw from.
    pub fn mean(&self) -> f64 {
        if self.population == 0 {
            return 0.0;
        }
        f64::from(self.drawn) * f64::from(self.wanted) / f64::from(self.population)
    }

    /// The number of draws with exactly `k` of the wanted kind; `None` when it does not fit into 128 bits.
    pub fn ways(&self, k: u32) -> Option<u128> {
        if !self.range().contains(&k) {
            return Some(0);
        }
        binomial(self.wanted, k)?.checked_mul(binomial(self.population - self.wanted, self.drawn - k)?)
    }

    /// The number of all draws; `None` when it does not fit into 128 bits.
    pub fn draws(&self) -> Option<u128> {
        binomial(self.population, self.drawn)
    }

    /// The probability of exactly `k` of the wanted kind.
    pub fn exactly(&self, k: u32) -> f64 {
        if !self.range().contains(&k) {
            return 0.0;
        }
        if let (Some(ways), Some(draws)) = (self.ways(k), self.draws()) {
            return ways as f64 / draws as f64;
        }
        let log = log_binomial(self.wanted, k) + log_binomial(self.population - self.wanted, self.drawn - k)
            - log_binomial(self.population, self.drawn);
        libm::exp(log)
    }

    /// The probability of at least `k` of the wanted kind.
    pub fn at_least(&self, k: u32) -> f64 {
        let (low, high) = self.range().into_inner();
        if k <= low {
            return 1.0;
        }
        if let Some(draws) = self.draws() {
            // All ways sum to the number of draws, so none of them overflows.
            let ways: u128 = (k..=high).filter_map(|k| self.ways(k)).sum();
            return ways as f64 / draws as f64;
        }
        (k..=high).map(|k| self.exactly(k)).sum::<f64>().min(1.0)
    }

    /// The probability of at least one of the wanted kind: 1 - C(N - K, n) / C(N, n).
    pub fn at_least_one(&self) -> f64 {
        if *self.range().end() == 0 {
            return 0.0;
        }
        if *self.range().start() > 0 {
            return 1.0;
        }
        let others = self.population - self.wanted;
        if let (Some(draws), Some(without)) = (self.draws(), binomial(others, self.drawn)) {
            return (draws - without) as f64 / draws as f64;
        }
        // C(N - K, n) / C(N, n) as a product of fractions; wanted and drawn may change places.
        let (fewer, more) = (self.wanted.min(self.drawn), self.wanted.max(self.drawn));
        let mut without = 1.0;
        for i in 0..fewer {
            without *= f64::from(self.population - more - i) / f64::from(self.population - i);
            if without < f64::EPSILON / 4.0 {
                break;
            }
        }
        1.0 - without
    }
}

/// The sum of independent dice, as exact counts of results.
///
/// ```
/// use kiebitz_core::probability::DiceSum;
///
/// let two = DiceSum::of(&[6, 6]).unwrap();
/// assert_eq!(two.counts(), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
/// assert_eq!(two.probability(7), 6.0 / 36.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceSum {
    lowest: u32,
    counts: Vec<u128>,
    results: u128,
}

impl DiceSum {
    /// The sum of no dice: always 0.
    pub fn none() -> Self {
        DiceSum { lowest: 0, counts: vec![1], results: 1 }
    }

    /// One die with these numbers on its equally likely faces; a number may come more than once.
    ///
    /// # Errors
    /// When there is no face.
    pub fn die(faces: &[u16]) -> Result<Self, ProbabilityError> {
        let (Some(&low), Some(&high)) = (faces.iter().min(), faces.iter().max()) else {
            return Err(ProbabilityError::NoFaces);
        };
        let mut counts = vec![0; usize::from(high - low) + 1];
        for &face in faces {
            counts[usize::from(face - low)] += 1;
        }
        Ok(DiceSum { lowest: u32::from(low), counts, results: faces.len() as u128 })
    }

    /// The sum of dice with faces numbered from 1, each given by its number of faces.
    ///
    /// # Errors
    /// When a die has no face, or there are more than 2^128 results.
    pub fn of(dice: &[u16]) -> Result<Self, ProbabilityError> {
        let mut sum = DiceSum::none();
        for &faces in dice {
            let numbers: Vec<u16> = (1..=faces).collect();
            sum = sum.plus(&DiceSum::die(&numbers)?)?;
        }
        Ok(sum)
    }

    /// The sum of these dice and others: the convolution of the two.
    ///
    /// # Errors
    /// When there are more than 2^128 results.
    pub fn plus(&self, other: &DiceSum) -> Result<Self, ProbabilityError> {
        let results = self.results.checked_mul(other.results).ok_or(ProbabilityError::TooManyResults)?;
        self.highest().checked_add(other.highest()).ok_or(ProbabilityError::TooManyResults)?;
        let lowest = self.lowest + other.lowest;
        let mut counts = vec![0u128; self.counts.len() + other.counts.len() - 1];
        for (i, a) in self.counts.iter().enumerate() {
            for (j, b) in other.counts.iter().enumerate() {
                // No count exceeds the number of results, which fits.
                counts[i + j] += a * b;
            }
        }
        Ok(DiceSum { lowest, counts, results })
    }

    /// The lowest sum.
    pub fn lowest(&self) -> u32 {
        self.lowest
    }

    /// The highest sum.
    pub fn highest(&self) -> u32 {
        self.lowest + (self.counts.len() - 1) as u32
    }

    /// In how many ways each sum comes, from the lowest to the highest.
    pub fn counts(&self) -> &[u128] {
        &self.counts
    }

    /// How many equally likely results there are.
    pub fn results(&self) -> u128 {
        self.results
    }

    /// In how many ways `sum` comes.
    pub fn count(&self, sum: u32) -> u128 {
        let index = sum.checked_sub(self.lowest).map(|i| i as usize);
        index.and_then(|i| self.counts.get(i)).copied().unwrap_or(0)
    }

    /// The probability of `sum`.
    pub fn probability(&self, sum: u32) -> f64 {
        self.count(sum) as f64 / self.results as f64
    }

    /// All sums that can come, with their probabilities, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        (self.lowest..).zip(&self.counts).filter(|(_, count)| **count > 0).map(|(sum, _)| (sum, self.probability(sum)))
    }

    /// The mean sum.
    pub fn mean(&self) -> f64 {
        self.iter().map(|(sum, p)| f64::from(sum) * p).sum()
    }
}
