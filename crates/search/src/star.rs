//! Nodes of chance in a search with windows: Star1 and Star2 (B. W. Ballard, "The *-minimax search procedure for trees
//! containing chance nodes", Artificial Intelligence 21, 1983).
//!
//! The score of such a node is the mean over its outcomes. Each outcome's score lies in `[-1, 1]`, so bounds of the mean are
//! known at any time, and with them the window in which the score of the next outcome still matters (Star1). Star2 first looks
//! at one action of each outcome's successor, which bounds its score from one side.

use kiebitz_core::{Game, Knowledge, Luck, Turn, Weighted};

use crate::negamax::{Found, HIGHEST, LOWEST, Left, Run, Span};
use crate::table::Bound;

/// The outcomes of a chance node with bounds of their scores.
#[derive(Debug)]
pub(crate) struct Mixture<A> {
    outcomes: Weighted<A>,
    bounds: Vec<(f64, f64)>,
    /// Bounds of the mean.
    low: f64,
    high: f64,
    /// Nothing that the bounds rest on was cut by depth or left to sampling.
    complete: bool,
}

impl<A> Default for Mixture<A> {
    fn default() -> Self {
        Mixture { outcomes: Vec::new(), bounds: Vec::new(), low: -1.0, high: 1.0, complete: true }
    }
}

impl<A: Copy + Ord> Mixture<A> {
    /// Starts anew with the outcomes of `game`; of their scores nothing is known.
    pub fn list<G: Game<Action = A>>(&mut self, game: &G, samples: u32, luck: Luck) {
        self.complete = list_outcomes(game, samples, luck, &mut self.outcomes);
        self.bounds.clear();
        self.bounds.resize(self.outcomes.len(), (-1.0, 1.0));
        (self.low, self.high) = (-1.0, 1.0);
    }

    /// The window in which the score of outcome `i` matters: at `alpha` or below, the mean cannot exceed that of `span`,
    /// whatever the others are worth; at `beta` or above it reaches that of `span`.
    fn window(&self, i: usize, span: Span) -> Span {
        let (p, (low, high)) = (self.outcomes[i].1, self.bounds[i]);
        let alpha = (span.alpha - (self.high - p * high)) / p;
        let beta = (span.beta - (self.low - p * low)) / p;
        // Rounding must neither leave the range of scores nor close the window.
        let alpha = alpha.clamp(LOWEST, 1.0f64.next_down());
        let beta = beta.clamp((-1.0f64).next_up(), HIGHEST);
        Span { alpha, beta: beta.max(alpha.next_up()), ..span }
    }

    fn set(&mut self, i: usize, low: f64, high: f64) {
        let (p, old) = (self.outcomes[i].1, self.bounds[i]);
        self.bounds[i] = (low, high);
        self.low += p * (low - old.0);
        self.high += p * (high - old.1);
    }

    /// A bound of the mean that is outside of the window, if one is.
    fn cut(&self, span: Span) -> Option<Found> {
        let complete = self.complete;
        if self.low >= span.beta {
            Some(Found { score: self.low.min(1.0), complete })
        } else if self.high <= span.alpha {
            Some(Found { score: self.high.max(-1.0), complete })
        } else {
            None
        }
    }

    /// The mean, once the score of every outcome is known: summed anew, since the running sums gather rounding errors.
    fn mean(&self) -> f64 {
        let sum: f64 = self.outcomes.iter().zip(&self.bounds).map(|(&(_, p), &(score, _))| p * score).sum();
        sum.clamp(-1.0, 1.0)
    }
}

impl<G: Game, K: Knowledge<G>> Run<'_, '_, G, K> {
    /// The score of a chance node; `None` when the budget ran out.
    pub(crate) fn average(
        &mut self,
        game: &mut G,
        left: Left,
        ply: usize,
        span: Span,
        star: u8,
        mixture: &mut Mixture<G::Action>,
    ) -> Option<Found> {
        if star >= 2 {
            for i in 0..mixture.outcomes.len() {
                let window = mixture.window(i, span);
                let undo = game.apply_undo(mixture.outcomes[i].0);
                let probed = self.probe(game, left, ply + 1, window);
                game.undo(undo);
                let (low, high, complete) = probed?;
                mixture.complete &= complete;
                mixture.set(i, low, high);
                if let Some(found) = mixture.cut(span) {
                    return Some(found);
                }
            }
        }
        for i in 0..mixture.outcomes.len() {
            if mixture.bounds[i].0 >= mixture.bounds[i].1 {
                continue;
            }
            if star >= 1
                && let Some(found) = mixture.cut(span)
            {
                return Some(found);
            }
            let window = if star >= 1 { mixture.window(i, span) } else { Span::open(span.side) };
            let undo = game.apply_undo(mixture.outcomes[i].0);
            let found = self.visit(game, left, ply + 1, window);
            game.undo(undo);
            let found = found?;
            mixture.complete &= found.complete;
            mixture.set(i, found.score, found.score);
            if found.score <= window.alpha {
                // The true score of the outcome is this or less.
                return Some(Found { score: mixture.high.min(span.alpha).max(-1.0), complete: mixture.complete });
            }
            if found.score >= window.beta {
                return Some(Found { score: mixture.low.max(span.beta).min(1.0), complete: mixture.complete });
            }
        }
        Some(Found { score: mixture.mean(), complete: mixture.complete })
    }

    /// Bounds of a state's score from one of its actions, or its score where it is a leaf; and whether they are complete.
    fn probe(&mut self, game: &mut G, left: Left, ply: usize, window: Span) -> Option<(f64, f64, bool)> {
        let (seat, next) = match game.turn() {
            Turn::Chance(_) => return Some((-1.0, 1.0, true)),
            Turn::Seat(seat) if let Some(next) = self.below(game, left, ply) => (seat, next),
            _ => {
                let found = self.visit(game, left, ply, Span::open(window.side))?;
                return Some((found.score, found.score, found.complete));
            }
        };
        let own = self.side(seat) == window.side;
        let stored = left.depth > 0 && self.memory.table.is_on();
        let key = if stored { game.transposition_key() } else { 0 };
        if stored
            && let Some(entry) = self.memory.table.get(key)
            && (entry.depth == left.depth || entry.complete)
        {
            // What is known already needs no probe. Values of the table are for the side to move.
            let (low, high) = match entry.bound {
                Bound::Exact => (entry.value, entry.value),
                Bound::Lower => (entry.value, 1.0),
                Bound::Upper => (-1.0, entry.value),
            };
            let (low, high) = if own { (low, high) } else { (-high, -low) };
            return Some((low, high, entry.complete));
        }
        if !self.limit.tick() {
            return None;
        }
        let Some(action) = self.first_choice(game, seat, left, ply) else { return Some((-1.0, 1.0, true)) };
        // What an action is worth at least bounds a state of the own side from below, what it is worth at most one of the
        // other side from above. The window stays open on that side, so that the found score is such a bound.
        let window = if own { Span { alpha: LOWEST, ..window } } else { Span { beta: HIGHEST, ..window } };
        let undo = game.apply_undo(action);
        let found = self.visit(game, next, ply + 1, window);
        game.undo(undo);
        let Found { score, complete } = found?;
        if stored {
            let value = if own { score } else { -score };
            self.memory.table.put(key, value, Some(action), left.depth, Bound::Lower, complete);
        }
        Some(if own { (score, 1.0, complete) } else { (-1.0, score, complete) })
    }
}

/// Writes the outcomes of a chance node, the likeliest first, or `samples` equally likely draws where the game does not list
/// them. Answers whether they are listed. The draws follow from the seed and the state: a state has the same ones always.
pub(crate) fn list_outcomes<G: Game>(game: &G, samples: u32, luck: Luck, out: &mut Weighted<G::Action>) -> bool {
    game.chance_outcomes(out);
    out.retain(|&(_, p)| p > 0.0);
    if !out.is_empty() {
        out.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        return true;
    }
    let samples = samples.max(1);
    let mut rng = luck.stream(u64::from(b'e'), game.transposition_key());
    let mut scratch = Vec::new();
    for _ in 0..samples {
        out.push((game.sample(&mut rng, &mut scratch), 1.0 / f64::from(samples)));
    }
    false
}
