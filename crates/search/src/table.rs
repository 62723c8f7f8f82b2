//! The transposition table of the depth-first searches.

use std::mem::size_of;

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<A> {
    key: u64,
    /// For the side to move.
    pub value: f64,
    /// The action that was best or refuted the position, for ordering.
    pub best: Option<A>,
    /// The depth searched.
    pub depth: u32,
    /// What `value` is.
    pub bound: Bound,
    /// No line behind the value was cut by depth: it holds at any depth.
    pub complete: bool,
    /// The run that wrote it; entries of other runs count as empty.
    run: u32,
}

/// The first size, in entries.
const START: usize = 1 << 10;

/// A hash table in pairs of entries: the first of a pair keeps the deepest search, the second the latest. It grows while it
/// fills up, to a fixed limit of memory.
#[derive(Debug)]
pub(crate) struct Table<A> {
    entries: Vec<Entry<A>>,
    limit: usize,
    run: u32,
    used: usize,
}

impl<A: Copy> Table<A> {
    /// A table of at most `mib` MiB; 0 switches it off.
    pub fn new(mib: u32) -> Self {
        let most = (u64::from(mib) << 20) / size_of::<Entry<A>>() as u64;
        // The largest power of two of entries that fits; a power of two lets a mask choose the pair.
        let limit = if most < 2 { 0 } else { 1usize << most.ilog2() };
        Table { entries: Vec::new(), limit, run: 0, used: 0 }
    }

    /// Forgets everything, but keeps the memory.
    pub fn clear(&mut self) {
        self.used = 0;
        match self.run.checked_add(1) {
            Some(run) => self.run = run,
            None => {
                self.entries.clear();
                self.run = 1;
            }
        }
    }

    /// Whether it stores anything at all.
    pub fn is_on(&self) -> bool {
        self.limit > 0
    }

    /// Entries in use.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<A>>()
    }

    fn pair(&self, key: u64) -> usize {
        // Keys of small games are not spread over all bits; multiplying by the golden ratio spreads them upwards.
        let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        (spread as usize & (self.entries.len() - 1)) & !1
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry<A>> {
        if self.entries.is_empty() {
            return None;
        }
        let i = self.pair(key);
        self.entries.get(i..i + 2)?.iter().find(|e| e.run == self.run && e.key == key)
    }

    /// Stores what was found out about a position.
    pub fn put(&mut self, key: u64, value: f64, best: Option<A>, depth: u32, bound: Bound, complete: bool) {
        if self.limit == 0 {
            return;
        }
        if self.entries.len() < self.limit && 2 * self.used >= self.entries.len() {
            self.grow();
        }
        self.insert(Entry { key, value, best, depth, bound, complete, run: self.run });
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 4).clamp(START.min(self.limit), self.limit);
        let empty = Entry { key: 0, value: 0.0, best: None, depth: 0, bound: Bound::Upper, complete: false, run: 0 };
        let old = std::mem::replace(&mut self.entries, vec![empty; size]);
        if self.run == 0 {
            self.run = 1;
        }
        self.used = 0;
        let run = self.run;
        old.into_iter().filter(|e| e.run == run).for_each(|entry| self.insert(entry));
    }

    fn insert(&mut self, mut new: Entry<A>) {
        new.run = self.run;
        let (i, run) = (self.pair(new.key), self.run);
        let Some([deep, recent]) = self.entries.get_mut(i..i + 2) else { return };
        if deep.run != run || deep.key == new.key {
            self.used += usize::from(deep.run != run);
            *deep = new;
        } else if new.depth >= deep.depth {
            self.used += usize::from(recent.run != run);
            *recent = *deep;
            *deep = new;
        } else {
            self.used += usize::from(recent.run != run);
            *recent = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_memory_limit() {
        let mut table: Table<u8> = Table::new(1);
        table.clear();
        for key in 0..1_000_000u64 {
            table.put(key, key as f64, None, (key % 7) as u32, Bound::Exact, false);
        }
        assert!(table.bytes() <= 1 << 20 && table.bytes() > 1 << 18);
        let found = (0..1_000_000u64).filter(|&key| table.get(key).is_some_and(|e| e.value == key as f64)).count();
        assert_eq!(found, table.len());
        table.clear();
        assert!((0..1_000_000u64).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn keeps_the_deepest_and_the_latest() {
        let mut table: Table<u8> = Table::new(1);
        table.clear();
        table.put(0, 0.0, None, 9, Bound::Exact, false);
        let size = table.entries.len() as u64;
        // Keys of one pair.
        let home = table.pair(0);
        let rivals: Vec<u64> = (1..size * 64).filter(|&key| table.pair(key) == home).take(5).collect();
        for &key in &rivals {
            table.put(key, 1.0, None, 2, Bound::Exact, false);
        }
        assert!(table.get(0).is_some(), "the deepest stays");
        assert!(table.get(rivals[4]).is_some(), "the latest stays");
        assert!(table.get(rivals[3]).is_none());
    }

    #[test]
    fn off() {
        let mut table: Table<u8> = Table::new(0);
        table.put(1, 1.0, None, 1, Bound::Exact, false);
        assert!(table.get(1).is_none() && table.bytes() == 0 && !table.is_on());
    }
}
