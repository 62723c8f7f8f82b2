//! Randomness: one concrete generator, and randomness of play indexed by (seed, purpose, k).
//!
//! `rand`'s distributions may change between versions, so the few samplers a game needs are written here and pinned by a
//! golden test: a stored seed must mean the same game for ever.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The one generator of the workspace: Xoshiro256++, seeded through SplitMix64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator whose whole stream follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform integer in `0..n`, without bias (Lemire, "Fast random integer generation in an interval", 2019).
    ///
    /// # Panics
    /// In debug builds when `n` is 0; in release builds the result is then 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0, "an empty range has no element to pick");
        let n = n as u64;
        let mut m = u128::from(self.next_u64()) * u128::from(n);
        if (m as u64) < n {
            let threshold = n.wrapping_neg().checked_rem(n).unwrap_or(0);
            while (m as u64) < threshold {
                m = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (m >> 64) as usize
    }

    /// A uniform number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// `true` with probability `p` (never for `p <= 0`, always for `p >= 1`).
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Shuffles in place (Fisher–Yates): every order is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Indexed randomness: the k-th event of a kind depends on (seed, kind, k) alone.
///
/// Two games with one seed have the same luck whoever plays, however many numbers the players' searches consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Luck(u64);

/// One step of SplitMix64, used to spread related inputs over the whole range.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Luck {
    /// The luck of a game seeded with `seed`.
    pub fn new(seed: u64) -> Self {
        Luck(seed)
    }

    /// The generator of the `k`-th (from 0) event of chance of `kind`.
    pub fn event(self, kind: u8, k: u32) -> Rng {
        self.derive(0, u64::from(kind), u64::from(k))
    }

    /// A stream for anything that is not an event of the game: thread `index` of purpose `purpose`.
    /// Never equal to a generator of [`Luck::event`].
    pub fn stream(self, purpose: u64, index: u64) -> Rng {
        self.derive(1, purpose, index)
    }

    fn derive(self, domain: u64, a: u64, b: u64) -> Rng {
        // Each input is mixed in before the next comes, so that no two seeds share a stream by swapping parts.
        Rng::new([domain, a, b].into_iter().fold(mix(self.0), |state, input| mix(state ^ input)))
    }
}
