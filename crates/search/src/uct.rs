//! UCT: Monte-Carlo tree search with UCB1 (Kocsis & Szepesvári, "Bandit based Monte-Carlo Planning", 2006), and the
//! additions that made it strong in Go: RAVE, priors as earlier visits, progressive bias, progressive widening.

use std::fmt;

use kiebitz_core::{Game, Knowledge, Seen, Settings, SpecError};

use crate::select::{PriorForm, Rave, Ucb, Widening};
use crate::tree::{NodeInfo, TreeSearch, TreeSettings};
use crate::{Context, Report, Search, SearchError};

/// Settings of [`Uct`].
///
/// A child with `n` visits, mean `Q`, `m` all-moves-as-first visits of mean `A`, and prior strength `h`
/// ([`crate::select::strength`]; other forms of earlier visits are in [`PriorForm`]), scores
///
/// ```text
/// n' = n + prior_visits                 Q' = (n·Q + prior_visits·h) / n'
/// (1 - β)·Q' + β·A + c·sqrt(ln N / n') + bias·h / (n + 1)        β by `rave`
/// ```
///
/// and `fpu + bias·h` when it has neither visits nor all-moves-as-first visits. With everything off this is UCB1.
#[derive(Clone, Debug, PartialEq)]
pub struct UctSettings {
    /// What all tree searches have.
    pub tree: TreeSettings,
    /// The exploration constant. √2 suits utilities in `[0, 1]` without further knowledge (Auer et al. 2002). Key `c`;
    /// where a spec switches RAVE on or off and does not set it, [`RAVE_C`] or √2.
    pub c: f64,
    /// First-play urgency (Gelly & Wang 2006): the score of an untried child; infinite: all are tried once first. Key `fpu`,
    /// a number or `inf`.
    pub fpu: f64,
    /// RAVE. Keys `rave` = `off`, `hand` or `mse`; `rave-k` for `hand`; `rave-bias` for `mse`.
    pub rave: Rave,
    /// Visits that the prior is worth; 0 for none. Key `prior`.
    pub prior_visits: f64,
    /// What these visits hold. Keys `prior-form` = `mean`, `root` or `wins`, and `prior-wins` for the won visits of `wins`.
    pub prior_form: PriorForm,
    /// Weight of the progressive bias; 0 for none. Key `bias`.
    pub bias: f64,
    /// Progressive widening, the best priors first. Keys `widen` (the factor; 0 for none) and `widen-power`.
    pub widening: Option<Widening>,
}

/// The exploration constant with RAVE: all-moves-as-first explores by itself. Measured on 7x7 Hex; see the tests of RAVE.
pub const RAVE_C: f64 = 0.0;

/// The default of `rave-k`, within the 1,000 to 3,500 of Gelly & Silver.
pub const RAVE_K: f64 = 1000.0;

/// The default of `rave-bias`: `4·bias² = 1/3000`, an equivalence of 3,000 visits.
pub const RAVE_BIAS: f64 = 0.00913;

/// With RAVE, the visits that a prior is worth (the "even" prior of Go programs): measured on 9x9 Go, where 10 to 40 do alike.
pub const RAVE_PRIOR_VISITS: f64 = 20.0;

/// The default of `prior-wins`.
pub const PRIOR_WINS: f64 = 40.0;

impl Default for UctSettings {
    fn default() -> Self {
        UctSettings {
            tree: TreeSettings::default(),
            c: std::f64::consts::SQRT_2,
            fpu: f64::INFINITY,
            rave: Rave::Off,
            prior_visits: 0.0,
            prior_form: PriorForm::Mean,
            bias: 0.0,
            widening: None,
        }
    }
}

impl UctSettings {
    /// Settings for games where all-moves-as-first means something, such as Go and Hex.
    pub fn rave() -> Self {
        let rave = Rave::Mse { bias: RAVE_BIAS };
        let (prior_visits, prior_form) = (RAVE_PRIOR_VISITS, PriorForm::Root);
        UctSettings { c: RAVE_C, rave, prior_visits, prior_form, ..Self::default() }
    }

    /// Reads the settings from a player spec.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        Self::default().read(settings)
    }

    /// Reads the settings from a player spec; these settings are the defaults, such as a game's own.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn read(self, settings: &mut Settings) -> Result<Self, SpecError> {
        let (words, k, bias) = match self.rave {
            Rave::Off => (["off", "hand", "mse"], RAVE_K, RAVE_BIAS),
            Rave::Hand { k } => (["hand", "off", "mse"], k, RAVE_BIAS),
            Rave::Mse { bias } => (["mse", "off", "hand"], RAVE_K, bias),
        };
        let word = settings.choice("rave", &words)?;
        let k = settings.number("rave-k", k, 1.0, 1e9)?;
        let bias = settings.number("rave-bias", bias, 0.0, 1.0)?;
        let rave = match word {
            "hand" => Rave::Hand { k },
            "mse" => Rave::Mse { bias },
            _ => Rave::Off,
        };
        let c = match (rave == Rave::Off, self.rave == Rave::Off) {
            (true, false) => std::f64::consts::SQRT_2,
            (false, true) => RAVE_C,
            _ => self.c,
        };
        let (words, wins) = match self.prior_form {
            PriorForm::Mean => (["mean", "root", "wins"], PRIOR_WINS),
            PriorForm::Root => (["root", "mean", "wins"], PRIOR_WINS),
            PriorForm::Wins { wins } => (["wins", "mean", "root"], wins),
        };
        let word = settings.choice("prior-form", &words)?;
        let wins = settings.number("prior-wins", wins, 0.0, 1e6)?;
        let prior_form = match word {
            "root" => PriorForm::Root,
            "wins" => PriorForm::Wins { wins },
            _ => PriorForm::Mean,
        };
        let (factor, power) = self.widening.map_or((0.0, 0.5), |w| (w.factor, w.power));
        let factor = settings.number("widen", factor, 0.0, 1e6)?;
        let power = settings.number("widen-power", power, 0.01, 1.0)?;
        Ok(UctSettings {
            tree: self.tree.read(settings)?,
            c: settings.number("c", c, 0.0, 1e6)?,
            fpu: settings.number("fpu", self.fpu, 0.0, f64::INFINITY)?,
            rave,
            prior_visits: settings.number("prior", self.prior_visits, 0.0, 1e6)?,
            prior_form,
            bias: settings.number("bias", self.bias, 0.0, 1e6)?,
            widening: (factor > 0.0).then_some(Widening { factor, power }),
        })
    }
}

/// UCT for games without chance and hidden information, two to six players (max^n: every seat maximises its own utility).
///
/// The chosen action is the most visited one; ties by mean, then by action order. Untried actions come in an order drawn from
/// the seed, or by prior where the settings use one. With a visit budget, one thread and a seed the report is the same on
/// every machine.
///
/// The mean utility of the seat to move is that of all visits. After a subtree was kept, the other seats' utilities and
/// all returns are those of the new simulations alone, and the standard error is the largest one possible for that mean.
pub struct Uct<G: Game, K> {
    search: TreeSearch<G, K, Ucb>,
    settings: UctSettings,
}

impl<G: Game, K: Knowledge<G>> Uct<G, K> {
    /// A search with the game's knowledge ([`kiebitz_core::Uniform`] for none).
    pub fn new(knowledge: K, settings: UctSettings) -> Self {
        let rule = Ucb {
            c: settings.c,
            fpu: settings.fpu,
            rave: settings.rave,
            prior_visits: settings.prior_visits,
            prior_form: settings.prior_form,
            bias: settings.bias,
            widening: settings.widening,
        };
        Uct { search: TreeSearch::new(knowledge, rule, settings.tree.clone()), settings }
    }

    /// The game's knowledge.
    pub fn knowledge(&self) -> &K {
        &self.search.knowledge
    }

    /// The settings.
    pub fn settings(&self) -> &UctSettings {
        &self.settings
    }

    /// Looks into the tree of the last run: the node after `path`, counted from the last root and the actions observed since;
    /// `None` where there is none. Of root-parallel search the first tree.
    pub fn node(&self, path: &[G::Action]) -> Option<NodeInfo<G::Action>> {
        self.search.node(0, path)
    }

    /// As [`Uct::node`], once for each tree: one entry, or one for each thread of root-parallel search.
    pub fn nodes(&self, path: &[G::Action]) -> Vec<Option<NodeInfo<G::Action>>> {
        (0..self.search.trees()).map(|tree| self.search.node(tree, path)).collect()
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Uct<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        self.search.run(root, context)
    }

    fn observe(&mut self, action: G::Action) {
        self.search.observe(action);
    }

    fn serves_any_seat(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.search.reset();
    }
}

impl<G: Game, K> fmt::Debug for Uct<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uct").field("settings", &self.settings).finish_non_exhaustive()
    }
}
