//! The rules of combinations again, written down from their text without any trick, to compare with.

use std::collections::BTreeSet;

use kiebitz_paodekuai::{Cards, Class, Options, Reading, SameRank};

type Counts = [u8; 13];

fn consecutive(counts: &Counts, each: u8, least: usize) -> Option<(u8, u8)> {
    let ranks: Vec<usize> = (0..13).filter(|&rank| counts[rank] > 0).collect();
    let same = ranks.iter().all(|&rank| counts[rank] == each);
    let top = *ranks.last()?;
    let row = top - ranks[0] + 1 == ranks.len();
    (same && row && top <= 11 && ranks.len() >= least).then_some((ranks.len() as u8, top as u8))
}

/// All readings of a multiset, sorted.
pub fn readings(options: &Options, cards: Cards, empties: bool) -> Vec<Reading> {
    let counts = cards.counts();
    let n: usize = counts.iter().map(|&count| usize::from(count)).sum();
    let ranks: Vec<usize> = (0..13).filter(|&rank| counts[rank] > 0).collect();
    let plain = |class, size: u8, key: usize| Reading { class, size, key: key as u8, kickers: 0, short: false };
    let mut found = Vec::new();
    if n == 0 {
        return found;
    }
    if ranks.len() == 1 {
        let triple = n == 3 && options.triple_bombs >> ranks[0] & 1 == 1;
        if n == 4 || triple {
            return vec![plain(Class::Bomb, 1, ranks[0])];
        }
        if n <= 2 {
            found.push(plain(if n == 1 { Class::Single } else { Class::Pair }, 1, ranks[0]));
        }
    }
    if let Some((size, top)) = consecutive(&counts, 1, usize::from(options.straight_min)) {
        found.push(plain(Class::Straight, size, usize::from(top)));
    }
    if let Some((size, top)) = consecutive(&counts, 2, usize::from(options.pairrun_min)) {
        found.push(plain(Class::Pairrun, size, usize::from(top)));
    }
    let most = (0..3).filter(|c| options.triple_kickers >> c & 1 == 1).max().unwrap_or(0);
    for low in 0..13 {
        for triples in 1..=13 - low {
            let body = low..low + triples;
            let top = low + triples - 1;
            if (triples >= 2 && top > 11) || body.clone().any(|rank| counts[rank] < 3) {
                continue;
            }
            let fourth = match options.kicker_same_rank {
                SameRank::Never => false,
                SameRank::Plane => triples >= 2,
                SameRank::Always => true,
            };
            if !fourth && body.clone().any(|rank| counts[rank] != 3) {
                continue;
            }
            let kickers = n - 3 * triples;
            let mut rest = counts;
            body.for_each(|rank| rest[rank] -= 3);
            let pairs = rest.iter().all(|count| count % 2 == 0);
            let by_number = (0..3).any(|c| {
                options.triple_kickers >> c & 1 == 1
                    && kickers == c * triples
                    && (c != 2 || !options.kicker_pair || pairs)
            });
            let by_range = options.plane_range && triples >= 2 && triples <= kickers && kickers <= 2 * triples;
            let short = options.short_last && empties && kickers < triples * most;
            if by_number || by_range || short {
                found.push(Reading {
                    class: Class::Tri,
                    size: triples as u8,
                    key: top as u8,
                    kickers: kickers as u8,
                    short: short && !by_range,
                });
            }
        }
    }
    for rank in (0..13).filter(|&rank| counts[rank] == 4) {
        let kickers = n - 4;
        if (kickers == 2 || kickers == 3) && options.quad_kickers >> kickers & 1 == 1 {
            found.push(Reading { kickers: kickers as u8, ..plain(Class::Quad, 1, rank) });
        }
    }
    found.sort();
    found
}

/// Whether one reading beats another.
pub fn beats(options: &Options, p: &Reading, t: &Reading) -> bool {
    if p.class == Class::Bomb {
        return t.class != Class::Bomb || p.key > t.key;
    }
    if t.class == Class::Bomb || p.class != t.class || p.size != t.size || p.key <= t.key {
        return false;
    }
    p.kickers == t.kickers
        || (p.class == Class::Tri
            && ((options.short_follow && (p.short || t.short))
                || (options.plane_range && p.size >= 2 && !p.short && !t.short)))
}

/// Every sub-multiset of a hand but the empty one.
pub fn subsets(hand: Cards) -> Vec<Cards> {
    let counts = hand.counts();
    let mut all = vec![Cards::EMPTY];
    for (rank, &count) in counts.iter().enumerate() {
        all = all.iter().flat_map(|&set| (0..=count).map(move |c| set.plus(Cards::of(rank as u8, c)))).collect();
    }
    all.retain(|set| !set.is_empty());
    all
}

fn is_bomb(options: &Options, rank: usize, count: u8) -> bool {
    count == 4 || (count == 3 && options.triple_bombs >> rank & 1 == 1)
}

/// The legal plays, by looking at every sub-multiset of the hand. Filters in the order of section 4.5.
pub fn plays(
    options: &Options,
    hand: Cards,
    trick: Option<&Reading>,
    include: Option<u8>,
    highest_single: bool,
) -> BTreeSet<Cards> {
    let held = hand.counts();
    let mut legal: BTreeSet<Cards> = subsets(hand)
        .into_iter()
        .filter(|&set| include.is_none_or(|rank| set.count(rank) > 0))
        .filter(|&set| {
            let used = set.counts();
            options.bomb_split
                || (0..13)
                    .all(|rank| !is_bomb(options, rank, held[rank]) || used[rank] == 0 || used[rank] == held[rank])
        })
        .filter(|&set| {
            let readings = readings(options, set, set == hand);
            readings.iter().any(|reading| trick.is_none_or(|trick| beats(options, reading, trick)))
        })
        .collect();
    if highest_single {
        let best = legal.iter().filter(|set| set.len() == 1).map(|set| set.lowest_rank()).max().flatten();
        legal.retain(|set| set.len() != 1 || set.lowest_rank() == best);
    }
    legal
}
