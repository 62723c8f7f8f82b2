//! The memory of information-set search: its limit holds, whatever the trees are, and it does not grow from move to move.

mod hidden_support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use hidden_support::*;
use kiebitz_core::{Game, Illegal, Meta, Payoff, Rng, Seat, SetupError, Turn, Uniform, snapshot_undo};
use kiebitz_search::{Ismcts, IsmctsConfig, Observers, Parallel};

/// Counts the bytes in use, and the most since it was asked last.
struct Counting;

static BYTES: AtomicU64 = AtomicU64::new(0);
static MOST: AtomicU64 = AtomicU64::new(0);

fn grow(bytes: usize) {
    let now = BYTES.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
    MOST.fetch_max(now, Ordering::Relaxed);
}

fn shrink(bytes: usize) {
    BYTES.fetch_sub(bytes as u64, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The allocator extends large blocks in place or moves their pages: old and new do not exist side by side.
        if size > layout.size() {
            grow(size - layout.size())
        } else {
            shrink(layout.size() - size)
        }
        unsafe { System.realloc(old, layout, size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        shrink(layout.size());
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Two seats with a secret number each name eight numbers each in turn; 5 is the best to begin with, the rest hardly
/// matters. The trees have no end.
#[derive(Clone, Debug, PartialEq)]
struct Whispers {
    secrets: [u16; 2],
    named: u64,
    length: u32,
}

const LENGTH: u32 = 16;

impl Game for Whispers {
    const ID: &'static str = "whispers";
    const PLAYERS: RangeInclusive<u8> = 2..=2;
    type Options = ();
    type Setup = ();
    type Action = u8;
    type Belief = ();
    snapshot_undo!();

    fn new(_: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        Ok(Whispers { secrets: [7, 9], named: 0, length: 0 })
    }

    fn meta(&self) -> Meta {
        let max_length = LENGTH;
        Meta { players: 2, zero_sum: true, hidden: true, max_length, min_return: 0.0, max_return: 1.0, chance: &[] }
    }

    fn turn(&self) -> Turn {
        if self.length == LENGTH { Turn::Terminal } else { Turn::Seat((self.length % 2) as Seat) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        if self.length < LENGTH {
            out.extend(0..8);
        }
    }

    fn check(&self, action: u8) -> Result<(), Illegal> {
        if legal(self).contains(&action) { Ok(()) } else { Err(Illegal::new("whispers.no", "not now")) }
    }

    fn apply(&mut self, action: u8) {
        self.named = self.named << 3 | u64::from(action);
        self.length += 1;
    }

    fn returns(&self) -> Payoff {
        self.utility()
    }

    fn utility(&self) -> Payoff {
        let first = self.named >> (3 * (LENGTH - 1)) & 7;
        let noise = (self.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / (1u64 << 24) as f64;
        let value = 0.2 + 0.3 * f64::from(u8::from(first == 5)) + 0.5 * noise;
        Payoff::new(&[value, 1.0 - value])
    }

    fn key(&self) -> u64 {
        self.named ^ u64::from(self.secrets[0]) << 48 ^ u64::from(self.secrets[1]) << 32 ^ u64::from(self.length) << 60
    }

    fn information_key(&self, seat: Seat) -> u128 {
        let own = u128::from(self.secrets[usize::from(seat)]);
        own << 80 | u128::from(self.length) << 64 | u128::from(self.named)
    }

    fn determinize(&mut self, seat: Seat, _: &(), rng: &mut Rng) {
        // Sixteen hands: most come back, so that all trees grow.
        self.secrets[1 - usize::from(seat)] = rng.below(16) as u16;
    }
}

/// The most bytes in use, beyond what there was before, while `act` runs.
fn most<R>(act: impl FnOnce() -> R) -> (R, u64) {
    let before = BYTES.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let result = act();
    (result, MOST.load(Ordering::Relaxed) - before)
}

// One test: others in the same process would be counted too.
#[test]
fn pd_35_memory_is_bounded() {
    let game = Whispers::new(2, &(), None).unwrap();
    let make = |observers, parallel, threads| {
        let config = IsmctsConfig { observers, parallel, threads, memory: 1, early: false, ..Default::default() };
        Ismcts::<Whispers, Uniform>::new(config, Uniform)
    };
    let position = seen(&game, 1);
    // Tables that are made once.
    run(&mut make(Observers::Single, Parallel::Root, 1), &position, 10, 1);
    for observers in [Observers::Single, Observers::Multiple, Observers::Redeterminize] {
        for (parallel, threads) in [(Parallel::Root, 1), (Parallel::Root, 3), (Parallel::Tree, 3)] {
            let mut search = make(observers, parallel, threads);
            let (report, bytes) = most(|| run(&mut search, &position, 40_000, 3));
            let limit = (1 << 20) + (1 << 20) / 20;
            assert!(bytes <= limit, "{observers:?} {parallel:?} {threads}: {bytes} bytes");
            assert!(
                bytes > 1 << 19,
                "{observers:?} {parallel:?} {threads}: only {bytes} bytes, the trees did not fill"
            );
            assert!(report.bytes <= 1 << 20);
            assert_eq!(report.visits, 40_000);
            assert_eq!(report.best(), 5, "{observers:?} {parallel:?} {threads}: {:?}", report.rows);
            // A second run in a used search needs no more.
            let (_, more) = most(|| run(&mut search, &position, 40_000, 4));
            assert!(bytes + more <= limit, "{observers:?} {parallel:?} {threads}: {more} bytes more");
        }
        // A thousand decisions of one player.
        let mut search = make(observers, Parallel::Root, 1);
        let mut after = Vec::with_capacity(1_000);
        for decision in 0..1_000 {
            run(&mut search, &position, 200, decision);
            after.push(BYTES.load(Ordering::Relaxed));
        }
        let (early, late) = (after[100] as f64, after[999] as f64);
        assert!(
            (late / early - 1.0).abs() < 0.05,
            "{observers:?}: {early} bytes after 100 decisions, {late} after 1,000"
        );
    }
}
