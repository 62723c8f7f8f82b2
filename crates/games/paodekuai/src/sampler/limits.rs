//! What proofs say of the counts of single ranks and of runs.

use crate::belief::{Evidence, Proof};
use crate::cards::{Cards, RANKS, Rank, TWO, bit};
use crate::reading::{Class, Reading};
use crate::rules::{Kickers, Rules};

/// Which counts of each rank a hand may have: bit c of entry r stands for c cards of rank r.
pub(crate) type Allowed = [u8; RANKS];

/// Runs that a hand did not have: `size` ranks in a row up to the ace, each with at least `level` cards, the highest above
/// `key`; counted with what was played `since`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NoRun {
    pub level: u8,
    pub size: u8,
    pub key: Rank,
    pub since: Cards,
}

impl NoRun {
    /// The length of the run that ends at `rank` when it has `count` cards there, `before` the length at the rank below.
    /// `None` when that run is forbidden. Lengths that do not matter are 0, longer ones than needed are `size`.
    #[inline]
    pub fn step(&self, rules: &Rules, rank: Rank, count: u8, before: u8) -> Option<u8> {
        let then = count + self.since.count(rank);
        // A run that ends above the key starts here at the earliest.
        let matters = rank < TWO && rank + self.size >= self.key + 2;
        if !matters || then < self.level || is_whole(rules, rank, then) {
            return Some(0);
        }
        let length = (before + 1).min(self.size);
        if length == self.size && rank > self.key { None } else { Some(length) }
    }
}

fn is_bomb(rules: &Rules, rank: Rank, count: u8) -> bool {
    count == 4 || (count == 3 && rules.triple_bombs() & bit(rank) != 0)
}

/// Whether so many cards of a rank may only be played together.
fn is_whole(rules: &Rules, rank: Rank, count: u8) -> bool {
    !rules.options().bomb_split && is_bomb(rules, rank, count)
}

/// What a proof leaves to be said besides counts of ranks.
pub(crate) enum Rest {
    /// Nothing.
    Nothing,
    /// Runs.
    NoRun(NoRun),
    /// Something that must be tested on whole hands.
    Test,
}

/// Takes from `allowed`, the counts of a hand of `length` cards now, what the proof excludes whatever the other ranks are.
pub(crate) fn restrict(rules: &Rules, proof: &Proof, length: u8, allowed: &mut Allowed) -> Rest {
    let then = length + proof.since.len();
    let trick = match &proof.evidence {
        Evidence::HighestSingle(key) => {
            exclude(proof, allowed, |rank, count| rank > *key && count >= 1 && !is_whole(rules, rank, count));
            return Rest::Nothing;
        }
        Evidence::KeptBombs => {
            let played = |rank: Rank| proof.on.count(rank);
            exclude(proof, allowed, |rank, count| {
                played(rank) > 0 && count > played(rank) && is_whole(rules, rank, count)
            });
            return Rest::Nothing;
        }
        Evidence::Passed(trick) => trick,
    };
    if rules.options().must_beat_bombs {
        let bombed = trick.class == Class::Bomb;
        exclude(proof, allowed, |rank, count| is_bomb(rules, rank, count) && (!bombed || rank > trick.key));
    }
    let run = |level| Rest::NoRun(NoRun { level, size: trick.size, key: trick.key, since: proof.since });
    let higher = |rank: Rank| rank > trick.key;
    match trick.class {
        Class::Bomb => Rest::Nothing,
        Class::Single => {
            exclude(proof, allowed, |rank, count| higher(rank) && count >= 1 && !is_whole(rules, rank, count));
            Rest::Nothing
        }
        Class::Pair => {
            exclude(proof, allowed, |rank, count| higher(rank) && count >= 2 && !is_whole(rules, rank, count));
            Rest::Nothing
        }
        Class::Straight => run(1),
        Class::Pairrun => run(2),
        Class::Tri => match kickers_suffice(rules, trick, then) {
            Some(false) => Rest::Nothing,
            Some(true) if trick.size == 1 => {
                exclude(proof, allowed, |rank, count| higher(rank) && count == 3);
                // With four of a rank it depends on the fourth card, but those are bombs, mostly excluded above.
                if rules.options().must_beat_bombs { Rest::Nothing } else { Rest::Test }
            }
            Some(true) if rules.same_rank(trick.size) => run(3),
            _ => Rest::Test,
        },
        Class::Quad => Rest::Test,
    }
}

/// Whether a hand of `then` cards that has a body high enough surely has kickers for it (`Some(true)`), surely has not, or
/// whether that depends on the other cards. Bodies with fourth cards are not looked at where those are no kickers.
fn kickers_suffice(rules: &Rules, trick: &Reading, then: u8) -> Option<bool> {
    let Some(left) = then.checked_sub(3 * trick.size) else { return Some(false) };
    let modes =
        (0..=left.min(2 * trick.size)).map(|kickers| rules.kickers(trick.size, kickers, kickers == left, Some(trick)));
    let modes: Vec<Kickers> = modes.collect();
    if modes.contains(&Kickers::Any) && rules.options().bomb_split {
        Some(true)
    } else if modes.iter().all(|mode| *mode == Kickers::Forbidden) {
        Some(false)
    } else {
        None
    }
}

/// Takes the counts out of `allowed` with which the hand at that time had a count that is `excluded`.
fn exclude(proof: &Proof, allowed: &mut Allowed, excluded: impl Fn(Rank, u8) -> bool) {
    for (rank, mask) in (0..).zip(allowed) {
        let since = proof.since.count(rank);
        for count in 0..=4u8.saturating_sub(since) {
            if excluded(rank, count + since) {
                *mask &= !(1 << count);
            }
        }
    }
}

/// Leaves out proofs that an earlier one of the same seat implies: the hand was larger then, and the trick was not higher.
pub(crate) fn drop_implied(rules: &Rules, proofs: &mut Vec<Proof>) {
    // With bombs that may not be split more cards can mean fewer plays.
    if !rules.options().bomb_split {
        return;
    }
    let mut kept: Vec<Proof> = Vec::with_capacity(proofs.len());
    for proof in proofs.iter() {
        let implied = kept.iter().any(|earlier| earlier.seat == proof.seat && implies(earlier, proof));
        if !implied {
            kept.push(*proof);
        }
    }
    *proofs = kept;
}

fn implies(earlier: &Proof, later: &Proof) -> bool {
    if !earlier.since.contains(later.since) {
        return false;
    }
    match (&earlier.evidence, &later.evidence) {
        (Evidence::Passed(a), Evidence::Passed(b)) => {
            // Single, pairs and runs: whoever has more cards has no fewer plays. Not so for triples, whose kickers count.
            let grows = !matches!(a.class, Class::Tri | Class::Quad);
            a.class == b.class && a.size == b.size && a.key <= b.key && grows
        }
        (Evidence::Passed(a), Evidence::HighestSingle(key)) => a.class == Class::Single && a.key <= *key,
        (Evidence::HighestSingle(a), Evidence::HighestSingle(b)) => a <= b,
        (Evidence::HighestSingle(_), Evidence::Passed(_)) | (Evidence::KeptBombs, _) | (_, Evidence::KeptBombs) => {
            false
        }
    }
}
