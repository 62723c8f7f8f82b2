//! How a tree search chooses among children: the formulas as functions, and the rules made of them.
//!
//! In all of them a mean is that of the seat that chooses, `[0, 1]`, and the larger score is chosen.

use crate::tree::Node;

/// UCB1 (Auer, Cesa-Bianchi & Fischer 2002; UCT: Kocsis & Szepesvári 2006): `w/n + c·sqrt(ln N / n)` for a child with mean
/// `w/n` over `n > 0` visits. `ln_parent` is the logarithm of the parent's visits `N`.
#[inline]
pub fn ucb1(mean: f64, n: f64, ln_parent: f64, c: f64) -> f64 {
    mean + c * (ln_parent / n).sqrt()
}

/// Weight of the all-moves-as-first mean by the hand-selected schedule of Gelly & Silver (ICML 2007):
/// `sqrt(k / (3n + k))`; one half at `n = k` visits.
#[inline]
pub fn rave_hand(n: f64, k: f64) -> f64 {
    (k / (3.0 * n + k)).sqrt()
}

/// Weight of the all-moves-as-first mean by the minimum-MSE schedule of Gelly & Silver (Artificial Intelligence 175, 2011):
/// `m / (n + m + 4·n·m·bias²)` with `n` visits and `m` all-moves-as-first visits; 0 without the latter.
#[inline]
pub fn rave_mse(n: f64, m: f64, bias: f64) -> f64 {
    if m > 0.0 { m / (n + m + 4.0 * n * m * bias * bias) } else { 0.0 }
}

/// The mean blended with the all-moves-as-first mean by [`rave_mse`], from the sums of both: with one division instead of
/// four, which counts when every child of every node on the way is scored.
#[inline]
pub fn blend_mse(sum: f64, n: f64, amaf_sum: f64, m: f64, bias: f64) -> f64 {
    let doubt = 4.0 * bias * bias * m;
    (sum * (1.0 + doubt) + amaf_sum) / (n + m + n * doubt)
}

/// A prior probability among `count` actions as a mean: the chance that the action beats an average one when probabilities
/// are Bradley–Terry strengths (Coulom 2007), `p·count / (p·count + 1)`; one half for a uniform prior.
#[inline]
pub fn strength(prior: f64, count: usize) -> f64 {
    let gamma = prior * count as f64;
    gamma / (gamma + 1.0)
}

/// What a prior is worth as earlier visits: their sum of utilities and their number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PriorForm {
    /// `visits` visits of mean [`strength`] of the probability.
    Mean,
    /// `visits` visits of mean [`strength`] of the square root of `p·count`: between that of an average action and that of
    /// `Mean`, for priors so sharp that most actions would start near 0.
    Root,
    /// `visits` even visits, and `wins·sqrt(p)` won ones, as in Pachi (Baudiš & Gailly 2011).
    Wins {
        /// The won visits of an action of probability 1.
        wins: f64,
    },
}

impl PriorForm {
    /// The sum and the number of the earlier visits of an action of prior probability `p` among `count`.
    #[inline]
    pub fn visits(self, p: f64, count: usize, visits: f64) -> (f64, f64) {
        match self {
            PriorForm::Mean => (visits * strength(p, count), visits),
            PriorForm::Root => {
                let gamma = (p * count as f64).sqrt();
                (visits * gamma / (gamma + 1.0), visits)
            }
            PriorForm::Wins { wins } => {
                let won = wins * p.sqrt();
                (0.5 * visits + won, visits + won)
            }
        }
    }
}

/// Progressive widening (Couëtoux et al. 2011): how many children, the best priors first, are looked at after `visits`
/// visits of the parent: `ceil(factor·visits^power)`, at least one.
pub fn widening(visits: u32, factor: f64, power: f64) -> usize {
    let width = (factor * libm::pow(f64::from(visits), power)).ceil();
    if width >= 1.0 { width as usize } else { 1 }
}

/// PUCT as in AlphaGo Zero (Silver et al. 2017): `Q + c·P·sqrt(N) / (1 + n)`.
#[inline]
pub fn puct(mean: f64, prior: f64, n: f64, sqrt_parent: f64, c: f64) -> f64 {
    mean + c * prior * sqrt_parent / (1.0 + n)
}

/// How the all-moves-as-first mean is blended with the mean (RAVE: rapid action value estimation).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rave {
    /// Not at all; no statistics are kept.
    Off,
    /// By [`rave_hand`].
    Hand {
        /// The visits at which both weigh the same.
        k: f64,
    },
    /// By [`rave_mse`].
    Mse {
        /// The supposed bias of the all-moves-as-first mean.
        bias: f64,
    },
}

/// See [`widening`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// Children after one visit.
    pub factor: f64,
    /// How their number grows with the visits, `(0, 1]`.
    pub power: f64,
}

/// A selection rule of a tree search.
pub(crate) trait Rule: Send + Sync {
    /// The algorithm's name in messages.
    const NAME: &'static str;
    /// Whether the game's prior is asked for; children are then kept in its order.
    fn uses_prior(&self) -> bool;
    /// Whether all-moves-as-first statistics are kept.
    fn uses_amaf(&self) -> bool;
    /// The index of the child to descend to; of equal scores the first. `children` is not empty, `visits` are the parent's.
    fn choose<A: Copy>(&self, visits: u32, children: &[Node<A>]) -> usize;
}

/// UCB1 with its additions for games with large choices; see [`crate::UctSettings`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ucb {
    pub c: f64,
    pub fpu: f64,
    pub rave: Rave,
    pub prior_visits: f64,
    pub prior_form: PriorForm,
    pub bias: f64,
    pub widening: Option<Widening>,
}

impl Ucb {
    /// The rule as the formula has it, without additions.
    fn choose_plain<A: Copy>(&self, ln: f64, children: &[Node<A>]) -> usize {
        let (mut best, mut best_score) = (0, f64::NEG_INFINITY);
        for (i, child) in children.iter().enumerate() {
            let n = child.visits.get();
            let score = if n == 0 {
                if self.fpu == f64::INFINITY {
                    return i;
                }
                self.fpu
            } else {
                let n = f64::from(n);
                ucb1(child.sum.get() / n, n, ln, self.c)
            };
            if score > best_score {
                (best, best_score) = (i, score);
            }
        }
        best
    }

    /// The score of a child whose parent has `count` children.
    fn score<A: Copy>(&self, ln: f64, child: &Node<A>, count: usize) -> f64 {
        let n = f64::from(child.visits.get());
        // The prior counts as earlier visits ("equivalent experience", Gelly & Silver 2007).
        let (earlier_sum, earlier) = if self.prior_visits > 0.0 {
            self.prior_form.visits(child.prior(), count, self.prior_visits)
        } else {
            (0.0, 0.0)
        };
        let weight = n + earlier;
        let bias = if self.bias > 0.0 { self.bias * strength(child.prior(), count) / (n + 1.0) } else { 0.0 };
        let (m, amaf_sum) = match self.rave {
            Rave::Off => (0.0, 0.0),
            _ => child.amaf.get(),
        };
        if weight == 0.0 && m == 0.0 {
            return self.fpu + bias;
        }
        let sum = child.sum.get() + earlier_sum;
        let value = match self.rave {
            Rave::Hand { k } if m > 0.0 => {
                let mean = if weight > 0.0 { sum / weight } else { 0.0 };
                let beta = rave_hand(weight, k);
                (1.0 - beta) * mean + beta * amaf_sum / m
            }
            Rave::Mse { bias } if m > 0.0 => blend_mse(sum, weight, amaf_sum, m, bias),
            _ => sum / weight,
        };
        if self.c == 0.0 {
            return value + bias;
        }
        // An untried child with all-moves-as-first visits explores as if it had been visited once.
        ucb1(value, weight.max(1.0), ln, self.c) + bias
    }
}

impl Rule for Ucb {
    const NAME: &'static str = "uct";

    fn uses_prior(&self) -> bool {
        self.prior_visits > 0.0 || self.bias > 0.0 || self.widening.is_some()
    }

    fn uses_amaf(&self) -> bool {
        self.rave != Rave::Off
    }

    fn choose<A: Copy>(&self, visits: u32, children: &[Node<A>]) -> usize {
        // `ln` decides, and its last bit differs between platforms, hence libm. Square roots are exact everywhere.
        let ln = libm::log(f64::from(visits.max(1)));
        let count = children.len();
        let width = self.widening.map_or(count, |w| widening(visits, w.factor, w.power).min(count));
        let children = &children[..width];
        if self.rave == Rave::Off && self.prior_visits == 0.0 && self.bias == 0.0 {
            return self.choose_plain(ln, children);
        }
        let (mut best, mut best_score) = (0, f64::NEG_INFINITY);
        for (i, child) in children.iter().enumerate() {
            let score = self.score(ln, child, count);
            if score > best_score {
                (best, best_score) = (i, score);
            }
        }
        best
    }
}

/// PUCT with first-play urgency reduction; see [`crate::PuctSettings`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PriorUcb {
    pub c: f64,
    pub fpu_reduction: f64,
}

impl Rule for PriorUcb {
    const NAME: &'static str = "puct";

    fn uses_prior(&self) -> bool {
        true
    }

    fn uses_amaf(&self) -> bool {
        false
    }

    fn choose<A: Copy>(&self, _visits: u32, children: &[Node<A>]) -> usize {
        let (mut sum, mut visits, mut mass) = (0.0, 0.0, 0.0);
        for child in children {
            let n = child.visits.get();
            if n > 0 {
                sum += child.sum.get();
                visits += f64::from(n);
                mass += child.prior();
            }
        }
        // The parent's value in the eyes of the seat that chooses here: its own sum belongs to another seat.
        let parent = if visits > 0.0 { sum / visits } else { 0.5 };
        let untried = parent - self.fpu_reduction * mass.sqrt();
        let root = visits.max(1.0).sqrt();
        let (mut best, mut best_score) = (0, f64::NEG_INFINITY);
        for (i, child) in children.iter().enumerate() {
            let n = f64::from(child.visits.get());
            let mean = if n > 0.0 { child.sum.get() / n } else { untried };
            let score = puct(mean, child.prior(), n, root, self.c);
            if score > best_score {
                (best, best_score) = (i, score);
            }
        }
        best
    }
}
