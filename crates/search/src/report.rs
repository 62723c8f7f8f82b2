//! What a search found.

use std::time::Duration;

use kiebitz_core::{Estimate, Game, MAX_PLAYERS, Payoff, Seat};

/// One root action with what the search learned of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<A> {
    /// The action.
    pub action: A,
    /// Simulations through it; nodes for depth-first searches.
    pub visits: u64,
    /// How often it was legal in the worlds drawn; equals the root's visits with perfect information.
    pub availability: u64,
    /// Prior probability, where the search uses one.
    pub prior: Option<f64>,
    /// Mean utility per seat, `[0, 1]`.
    pub utility: Payoff,
    /// Standard error of `utility` per seat; 0 for exact values.
    pub utility_error: Payoff,
    /// Mean returns per seat in the game's points and their standard error, where the search knows them.
    pub returns: Option<(Payoff, Payoff)>,
    /// The expected line, this action first.
    pub pv: Vec<A>,
    /// Simulations through each action of `pv`; empty where the search does not count them.
    pub pv_visits: Vec<u64>,
    /// The value is exact.
    pub proven: bool,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The visits of the budget are used up.
    Visits,
    /// The time of the budget is used up.
    Time,
    /// It was told to stop.
    Stopped,
    /// The second-best action could no longer overtake the best.
    Settled,
    /// Everything is known (a solved position, a single legal action, the depth asked for).
    Complete,
}

/// The result of a search, or of its progress so far: rows best first, never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<G: Game> {
    /// The seat to move.
    pub seat: Seat,
    /// Every root action that was looked at, the best first; ties in action order.
    pub rows: Vec<Row<G::Action>>,
    /// Simulations in all; nodes for depth-first searches.
    pub visits: u64,
    /// Nodes in the tree (or table entries), and their bytes.
    pub nodes: u64,
    /// See `nodes`.
    pub bytes: u64,
    /// The depth reached in plies (depth-first: completed iterations; tree search: the longest path).
    pub depth: u32,
    /// Time by the clock passed in.
    pub elapsed: Duration,
    /// Why it ended; of a progress report, [`StopReason::Stopped`].
    pub stop: StopReason,
}

impl<G: Game> Report<G> {
    /// The chosen action.
    ///
    /// # Panics
    /// Never for a report made by a search: rows are not empty.
    pub fn best(&self) -> G::Action {
        self.rows[0].action
    }
}

/// Running sums of payoffs: mean and standard error per seat without keeping the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PayoffStats {
    count: u64,
    players: u8,
    sum: [f64; MAX_PLAYERS],
    squares: [f64; MAX_PLAYERS],
}

impl PayoffStats {
    /// Adds one sample.
    #[inline]
    pub fn add(&mut self, sample: &Payoff) {
        self.count += 1;
        self.players = sample.players();
        for (seat, &x) in sample.as_slice().iter().enumerate() {
            self.sum[seat] += x;
            self.squares[seat] += x * x;
        }
    }

    /// Adds the samples of another.
    pub fn merge(&mut self, other: &PayoffStats) {
        self.count += other.count;
        self.players = self.players.max(other.players);
        for seat in 0..MAX_PLAYERS {
            self.sum[seat] += other.sum[seat];
            self.squares[seat] += other.squares[seat];
        }
    }

    /// How many samples.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean and standard error of one seat; an error of 0.5 stands for a single sample, whose spread is unknown.
    pub fn estimate(&self, seat: Seat) -> Estimate {
        let (s, n) = (usize::from(seat), self.count as f64);
        if self.count == 0 {
            return Estimate { mean: 0.0, error: 0.5 };
        }
        let mean = self.sum[s] / n;
        let error = if self.count < 2 {
            0.5
        } else {
            let variance = ((self.squares[s] - n * mean * mean) / (n - 1.0)).max(0.0);
            (variance / n).sqrt()
        };
        Estimate { mean, error }
    }

    /// As [`PayoffStats::payoffs`] for samples in `[0, 1]`, with errors that stay honest when there are few: they are those of
    /// the samples and two more, a 0 and a 1 (Agresti & Coull, The American Statistician 52, 1998). Nine wins of nine are
    /// 100 % ± 9, not ± 0.
    pub fn utilities(&self) -> (Payoff, Payoff) {
        let (mean, mut error) = self.payoffs();
        let n = self.count as f64 + 2.0;
        for seat in 0..self.players {
            let s = usize::from(seat);
            let center = (self.sum[s] + 1.0) / n;
            let variance = ((self.squares[s] + 1.0) / n - center * center).max(0.0);
            error.set(seat, (variance / n).sqrt());
        }
        (mean, error)
    }

    /// Means and standard errors of all seats.
    pub fn payoffs(&self) -> (Payoff, Payoff) {
        let mut mean = Payoff::uniform(self.players, 0.0);
        let mut error = mean;
        for seat in 0..self.players {
            let e = self.estimate(seat);
            mean.set(seat, e.mean);
            error.set(seat, e.error);
        }
        (mean, error)
    }
}

#[cfg(test)]
mod tests {
    use super::PayoffStats;
    use kiebitz_core::Payoff;

    fn wins(won: u32, of: u32) -> PayoffStats {
        let mut stats = PayoffStats::default();
        for i in 0..of {
            stats.add(&Payoff::new(&[f64::from(u8::from(i < won)), f64::from(u8::from(i >= won))]));
        }
        stats
    }

    #[test]
    fn few_samples_without_spread_have_an_error() {
        let (mean, error) = wins(9, 9).utilities();
        assert_eq!(mean.as_slice(), [1.0, 0.0]);
        // sqrt(10/11 · 1/11 / 11)
        assert!((error.of(0) - 0.08668).abs() < 1e-5, "{error:?}");
        assert_eq!(wins(9, 9).payoffs().1.of(0), 0.0);
    }

    #[test]
    fn many_samples_have_the_usual_error() {
        let (plain, smoothed) = (wins(6000, 10_000).payoffs().1.of(1), wins(6000, 10_000).utilities().1.of(1));
        assert!((plain - 0.0049).abs() < 1e-4 && (smoothed - plain).abs() < 1e-6, "{plain} {smoothed}");
    }

    #[test]
    fn merged_statistics_are_those_of_all_samples() {
        let mut merged = wins(3, 5);
        merged.merge(&wins(1, 4));
        assert_eq!(merged.count(), 9);
        assert_eq!(merged.estimate(0).mean, 4.0 / 9.0);
        assert_eq!(merged.payoffs(), wins(4, 9).payoffs());
    }
}
