//! Which actions the searching seat can tell apart.

use kiebitz_core::{Game, Rng, Seat};

/// The legal actions as the searching seat can tell them apart.
#[derive(Debug)]
pub(super) struct Keys<A> {
    /// Whether keys and actions differ here.
    pub(super) masked: bool,
    /// Key and index of each action, sorted.
    pairs: Vec<(A, u32)>,
    unique: Vec<A>,
    /// Where the actions of each key begin in `pairs`, and the end.
    starts: Vec<usize>,
}

impl<A: Copy + Ord> Keys<A> {
    pub(super) fn new() -> Self {
        Keys { masked: false, pairs: Vec::new(), unique: Vec::new(), starts: Vec::new() }
    }

    /// From now on keys are actions.
    pub(super) fn see_all(&mut self) {
        self.masked = false;
    }

    /// Prepares the keys of `actions`, which `mover` may play in `world`, for `viewer`.
    pub(super) fn read<G: Game<Action = A>>(
        &mut self,
        world: &G,
        actions: &[A],
        mover: Seat,
        viewer: Seat,
        hidden: bool,
    ) {
        self.masked = false;
        if !hidden || mover == viewer {
            return;
        }
        self.pairs.clear();
        for (index, &action) in actions.iter().enumerate() {
            let key = world.masked(action, viewer);
            self.masked |= key != action;
            self.pairs.push((key, index as u32));
        }
        if !self.masked {
            return;
        }
        self.pairs.sort_unstable();
        self.unique.clear();
        self.starts.clear();
        for (i, &(key, _)) in self.pairs.iter().enumerate() {
            if self.unique.last() != Some(&key) {
                self.unique.push(key);
                self.starts.push(i);
            }
        }
        self.starts.push(self.pairs.len());
    }

    pub(super) fn keys<'a>(&'a self, actions: &'a [A]) -> &'a [A] {
        if self.masked { &self.unique } else { actions }
    }

    /// One of the actions behind a key, all equally likely.
    pub(super) fn action(&self, key: usize, actions: &[A], rng: &mut Rng) -> A {
        if !self.masked {
            return actions[key];
        }
        let group = &self.pairs[self.starts[key]..self.starts[key + 1]];
        let chosen = if group.len() == 1 { 0 } else { rng.below(group.len()) };
        actions[group[chosen].1 as usize]
    }

    /// Sums the priors of the actions behind each key.
    pub(super) fn sum_priors(&self, priors: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.extend(
            self.starts
                .windows(2)
                .map(|w| self.pairs[w[0]..w[1]].iter().map(|&(_, i)| priors[i as usize]).sum::<f32>()),
        );
    }
}
