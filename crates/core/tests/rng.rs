//! The generator and its samplers, pinned: a stored seed must mean the same game for ever.

use kiebitz_core::conformance::chi_squared;
use kiebitz_core::{Luck, Rng};

/// FNV-1a over the little-endian bytes of the values.
fn hash(values: impl IntoIterator<Item = u64>) -> u64 {
    let bytes = values.into_iter().flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// Xoshiro256++ 1.0 seeded by SplitMix64, written from the reference code of Blackman and Vigna (prng.di.unimi.it).
struct Reference([u64; 4]);

impl Reference {
    fn new(mut seed: u64) -> Self {
        Reference(std::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
}

/// The reference code itself: the first outputs from the state 1, 2, 3, 4, as published with the generator.
#[test]
fn the_reference_is_right() {
    let mut reference = Reference([1, 2, 3, 4]);
    let found: Vec<u64> = (0..4).map(|_| reference.next()).collect();
    assert_eq!(found, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
}

#[test]
fn outputs_follow_the_reference() {
    for seed in [0, 1, 7, 0xdead_beef, u64::MAX] {
        let (mut rng, mut reference) = (Rng::new(seed), Reference::new(seed));
        for i in 0..1_000 {
            assert_eq!(rng.next_u64(), reference.next(), "seed {seed}, output {i}");
        }
    }
}

#[test]
fn golden_outputs() {
    let mut rng = Rng::new(1);
    let first: Vec<u64> = (0..1_000).map(|_| rng.next_u64()).collect();
    assert_eq!(first[..8], GOLDEN_FIRST);
    assert_eq!(hash(first), GOLDEN_HASH);
}

#[test]
fn golden_samplers() {
    let mut rng = Rng::new(2);
    let below: Vec<u64> = (1..=1_000).map(|n| rng.below(n) as u64).collect();
    assert_eq!(below[..12], GOLDEN_BELOW_FIRST);
    assert_eq!(hash(below), GOLDEN_BELOW);
    // A range so large that a third of the numbers are drawn again.
    let large: Vec<u64> = (0..1_000).map(|_| rng.below(usize::MAX / 3 * 2) as u64).collect();
    assert!(large.iter().all(|&x| x < (usize::MAX / 3 * 2) as u64));
    assert_eq!(hash(large), GOLDEN_BELOW_LARGE);
    let units: Vec<f64> = (0..1_000).map(|_| rng.unit()).collect();
    assert!(units.iter().all(|u| (0.0..1.0).contains(u)));
    assert_eq!(hash(units.iter().map(|u| u.to_bits())), GOLDEN_UNIT);
    let chances = (0..1_000).map(|i| u64::from(rng.chance(f64::from(i) / 1_000.0)));
    assert_eq!(hash(chances), GOLDEN_CHANCE);
    let mut cards: Vec<u64> = (0..52).collect();
    rng.shuffle(&mut cards);
    assert_eq!(cards[..10], GOLDEN_SHUFFLE_FIRST);
    assert_eq!(hash(cards), GOLDEN_SHUFFLE);
}

#[test]
fn golden_luck() {
    let luck = Luck::new(3);
    let firsts = |f: &dyn Fn(u64, u64) -> Rng| -> Vec<u64> {
        (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).map(|(a, b)| f(a, b).next_u64()).collect()
    };
    let events = firsts(&|kind, k| luck.event(kind as u8, k as u32));
    let streams = firsts(&|purpose, index| luck.stream(purpose, index));
    assert_eq!(events[..4], GOLDEN_EVENTS_FIRST);
    assert_eq!(streams[..4], GOLDEN_STREAMS_FIRST);
    assert_eq!((hash(events), hash(streams)), GOLDEN_LUCK);
}

#[test]
fn luck_is_indexed() {
    let luck = Luck::new(9);
    let event = luck.event(2, 40).next_u64();
    // Whatever was drawn before, from whatever else.
    luck.event(2, 39).next_u64();
    luck.stream(2, 40).next_u64();
    assert_eq!(Luck::new(9).event(2, 40).next_u64(), event);
    let mut all: Vec<u64> = (0..3u64)
        .flat_map(|seed| {
            let luck = Luck::new(seed);
            let events = (0..200).flat_map(move |k| (0..5).map(move |kind| luck.event(kind, k).next_u64()));
            let streams = (0..200).flat_map(move |i| (0..5).map(move |purpose| luck.stream(purpose, i).next_u64()));
            events.chain(streams)
        })
        .collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "no two generators start alike");
}

/// Neighbouring events are as good as independent: their first numbers are uniform, and so are their sums.
#[test]
fn luck_is_uniform() {
    let luck = Luck::new(4);
    let (mut faces, mut sums) = ([0u64; 6], [0u64; 11]);
    for k in 0..20_000 {
        let a = luck.event(0, k).below(6);
        let b = luck.event(1, k).below(6);
        faces[a] += 1;
        sums[a + b] += 1;
    }
    assert!(chi_squared(&faces, &[1.0 / 6.0; 6]).fits(), "{faces:?}");
    let two = kiebitz_core::probability::DiceSum::of(&[6, 6]).unwrap();
    let expected: Vec<f64> = two.iter().map(|(_, p)| p).collect();
    assert!(chi_squared(&sums, &expected).fits(), "{sums:?}");
}

#[test]
fn below_is_uniform() {
    let mut rng = Rng::new(5);
    for n in [1, 2, 3, 6, 7, 36, 100, 361] {
        let mut counts = vec![0u64; n];
        for _ in 0..200 * n.max(20) {
            counts[rng.below(n)] += 1;
        }
        let test = chi_squared(&counts, &vec![1.0 / n as f64; n]);
        assert!(test.fits(), "{n}: {test:?}");
    }
}

#[test]
fn unit_and_chance_are_uniform() {
    let mut rng = Rng::new(6);
    let mut counts = [0u64; 50];
    let mut hits = [0u64; 2];
    for _ in 0..50_000 {
        counts[(rng.unit() * 50.0) as usize] += 1;
        hits[usize::from(rng.chance(0.3))] += 1;
    }
    assert!(chi_squared(&counts, &[0.02; 50]).fits());
    assert!(chi_squared(&hits, &[0.7, 0.3]).fits());
    assert!((0..1_000).all(|_| !rng.chance(0.0) && !rng.chance(-1.0) && rng.chance(1.0) && rng.chance(2.0)));
}

/// Every order of four things comes equally often.
#[test]
fn shuffle_is_uniform() {
    let mut rng = Rng::new(7);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let mut items = [0, 1, 2, 3];
        rng.shuffle(&mut items);
        *counts.entry(items).or_insert(0u64) += 1;
    }
    let counts: Vec<u64> = counts.into_values().collect();
    assert_eq!(counts.len(), 24);
    assert!(chi_squared(&counts, &[1.0 / 24.0; 24]).fits(), "{counts:?}");
    // Nothing to do is no harm.
    rng.shuffle(&mut [0u8; 0]);
    rng.shuffle(&mut [1]);
}

// Computed by an implementation of the generator and the samplers in another language.
const GOLDEN_FIRST: [u64; 8] = [
    14_971_601_782_005_023_387,
    13_781_649_495_232_077_965,
    1_847_458_086_238_483_744,
    13_765_271_635_752_736_470,
    3_406_718_355_780_431_780,
    10_892_412_867_582_108_485,
    18_204_613_561_675_945_223,
    9_655_336_933_892_813_345,
];
const GOLDEN_HASH: u64 = 0x9f75_c2bc_0b54_7c66;
const GOLDEN_BELOW_FIRST: [u64; 12] = [0, 1, 1, 1, 2, 4, 2, 5, 4, 8, 5, 8];
const GOLDEN_BELOW: u64 = 0x6541_236b_32e3_651c;
const GOLDEN_BELOW_LARGE: u64 = 0x2f80_8ac6_ce9e_8ec9;
const GOLDEN_UNIT: u64 = 0x22d8_7236_2fdd_765e;
const GOLDEN_CHANCE: u64 = 0x404c_ca18_82dc_35e4;
const GOLDEN_SHUFFLE_FIRST: [u64; 10] = [40, 45, 9, 20, 29, 35, 24, 14, 11, 10];
const GOLDEN_SHUFFLE: u64 = 0xe918_61bd_637a_f2a5;
const GOLDEN_EVENTS_FIRST: [u64; 4] =
    [16_615_287_815_589_863_547, 2_217_624_724_002_405_675, 2_838_523_239_814_073_182, 8_801_696_644_557_266_203];
const GOLDEN_STREAMS_FIRST: [u64; 4] =
    [18_045_525_015_515_109_532, 5_704_826_607_886_389_534, 8_576_550_333_245_263_436, 7_986_463_011_849_821_110];
const GOLDEN_LUCK: (u64, u64) = (0xb1c3_b482_9b78_7317, 0x44d4_f333_5a8e_4948);
