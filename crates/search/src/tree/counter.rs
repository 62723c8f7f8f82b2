//! Counters that lose nothing when threads share them.
//!
//! Utilities are kept in units of 2^-30. A sum of less than 2^32 of them is less than 2^62: it cannot overflow before the
//! 32-bit visit count does, and a search ends before that ([`MAX_VISITS`]).

use super::sync::{AtomicU32, AtomicU64, Ordering, wait};

/// The most visits a tree may hold; a search that reaches it stops. The gap to 2^32 is for virtual losses.
pub(crate) const MAX_VISITS: u64 = (1 << 32) - (1 << 20);

const SCALE: f64 = (1u64 << 30) as f64;

/// A utility in units of 2^-30; what lies outside `[0, 1]` is moved to its border.
#[inline]
pub(crate) fn to_fixed(utility: f64) -> u64 {
    (utility.clamp(0.0, 1.0) * SCALE + 0.5) as u64
}

/// The most all-moves-as-first visits of a node; further ones are not counted. With so many, its own mean rules anyway.
const MAX_AMAF: u64 = (1 << 26) - (1 << 16);

const AMAF_SCALE: f64 = (1u64 << 12) as f64;

/// One all-moves-as-first visit of this utility, to be added to an [`Amaf`]; several may be summed up before.
#[inline]
pub(crate) fn amaf_visit(utility: f64) -> u64 {
    1 << 38 | (utility.clamp(0.0, 1.0) * AMAF_SCALE + 0.5) as u64
}

/// All-moves-as-first visits and the sum of their utilities in one word: the number in bits 38.., the sum in units of 2^-12
/// below. Where threads share the tree, only the holder of the parent's [`Writer`] adds.
#[derive(Debug)]
pub(crate) struct Amaf(AtomicU64);

impl Amaf {
    pub fn new() -> Self {
        Amaf(AtomicU64::new(0))
    }

    /// The number of visits and the sum of their utilities.
    #[inline]
    pub fn get(&self) -> (f64, f64) {
        let word = self.0.load(Ordering::Relaxed);
        ((word >> 38) as f64, (word & ((1 << 38) - 1)) as f64 * (1.0 / AMAF_SCALE))
    }

    /// Adds what [`amaf_visit`] made. The gap above the limit is larger than what is ever added at once.
    #[inline]
    pub fn add(&self, visit: u64) {
        let word = self.0.load(Ordering::Relaxed);
        if word >> 38 < MAX_AMAF {
            self.0.store(word + visit, Ordering::Relaxed);
        }
    }
}

/// The right to add to the all-moves-as-first counters of all children of a node. Half of them take part in every simulation:
/// one locked instruction for all is much cheaper than one for each. Held for well under a microsecond; readers do not
/// care about it.
#[derive(Debug)]
pub(crate) struct Writer(AtomicU32);

impl Writer {
    pub fn new() -> Self {
        Writer(AtomicU32::new(0))
    }

    /// Takes the right until the result is dropped.
    #[inline]
    pub fn hold(&self) -> Held<'_> {
        let mut tries = 0;
        while self.0.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            wait(tries);
            tries += 1;
        }
        Held(self)
    }
}

/// See [`Writer::hold`].
#[derive(Debug)]
pub(crate) struct Held<'a>(&'a Writer);

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.0.store(0, Ordering::Release);
    }
}

/// A number of visits.
#[derive(Debug)]
pub(crate) struct Visits(AtomicU32);

impl Visits {
    pub fn new() -> Self {
        Visits(AtomicU32::new(0))
    }

    #[inline]
    pub fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds `n`, modulo 2^32: a virtual loss of `v` is taken back by adding `1 - v`. `shared` says that other threads may
    /// write at the same time; a thread that is alone saves the locked instruction.
    #[inline]
    pub fn add(&self, n: u32, shared: bool) {
        if shared {
            self.0.fetch_add(n, Ordering::Relaxed);
        } else {
            self.0.store(self.get().wrapping_add(n), Ordering::Relaxed);
        }
    }
}

/// A sum of utilities.
#[derive(Debug)]
pub(crate) struct Sum(AtomicU64);

impl Sum {
    pub fn new() -> Self {
        Sum(AtomicU64::new(0))
    }

    /// The sum as a number of utilities.
    #[inline]
    pub fn get(&self) -> f64 {
        self.0.load(Ordering::Relaxed) as f64 * (1.0 / SCALE)
    }

    /// Adds what [`to_fixed`] made; `shared` as in [`Visits::add`].
    #[inline]
    pub fn add(&self, fixed: u64, shared: bool) {
        if shared {
            self.0.fetch_add(fixed, Ordering::Relaxed);
        } else {
            self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(fixed), Ordering::Relaxed);
        }
    }
}
