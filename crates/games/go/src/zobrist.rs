//! Random keys for hashing positions (Zobrist 1970).
//!
//! Keys come from a table of independent pseudo-random numbers. Keys made by arithmetic on the point's index collide by
//! construction: with `base * (point + 1) * {1, 3}` a black stone on the third point and a white one on the first hash to
//! the empty board, and superko then forbids legal moves.

use crate::Color;

/// Cells of the largest board with its border: 25 rows and 2 border rows of 25 columns and 1 border column, rounded up to
/// whole words of a bit set.
pub(crate) const CELLS: usize = 704;

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014) applied to the next element of its sequence: a bijection without
/// visible structure.
pub(crate) const fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The `index`-th number of the sequence with this seed.
const fn random(seed: u64, index: usize) -> u64 {
    mix(seed.wrapping_add((index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

const fn table(seed: u64) -> [u64; CELLS] {
    let mut keys = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        keys[i] = random(seed, i);
        i += 1;
    }
    keys
}

static STONES: [[u64; CELLS]; 2] = [table(0x6B69_6562_6974_7A01), table(0x676F_2D77_6869_7465)];
static KO: [u64; CELLS] = table(0x676F_2D6B_6F2D_6B6F);

/// White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = random(0x7475_726E, 0);
/// The game ended without result.
pub(crate) const VOID: u64 = random(0x766F_6964, 0);

/// A stone of this colour on this cell.
#[inline(always)]
pub(crate) fn stone(color: usize, cell: usize) -> u64 {
    STONES[color & 1][cell]
}

/// A ban of retaking the ko at this cell.
pub(crate) fn ko(cell: usize) -> u64 {
    KO[cell]
}

/// This many passes in a row; 0 for none.
pub(crate) fn passes(count: u8) -> u64 {
    if count == 0 { 0 } else { random(0x7061_7373, usize::from(count)) }
}

/// The button was taken by this colour; 0 when nobody has it.
pub(crate) fn button(taken: Option<Color>) -> u64 {
    taken.map_or(0, |color| random(0x6275_7474, color.index()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No two pairs of stones have the same hash, so no set of up to four stones cancels to nothing.
    #[test]
    fn go_16_no_small_set_of_keys_cancels() {
        let keys: Vec<u64> = STONES.iter().flatten().copied().collect();
        let mut pairs: Vec<u64> = Vec::with_capacity(keys.len() * keys.len() / 2);
        for (i, a) in keys.iter().enumerate() {
            assert_ne!(*a, 0);
            for b in &keys[..i] {
                pairs.push(a ^ b);
            }
        }
        pairs.extend(&keys);
        let count = pairs.len();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), count);
        assert!(!pairs.contains(&0));
    }
}
