//! PUCT: tree search guided by a prior (Rosin 2011; in this form Silver et al., "Mastering the game of Go without human
//! knowledge", 2017).

use std::fmt;

use kiebitz_core::{Game, Knowledge, Seen, Settings, SpecError};

use crate::select::PriorUcb;
use crate::tree::{NodeInfo, TreeSearch, TreeSettings};
use crate::{Context, Report, Search, SearchError};

/// Settings of [`Puct`]: a child with `n` visits, mean `Q` and prior `P` scores `Q + c·P·sqrt(N) / (1 + n)`, where `N` are the
/// visits of all children.
#[derive(Clone, Debug, PartialEq)]
pub struct PuctSettings {
    /// What all tree searches have.
    pub tree: TreeSettings,
    /// The exploration constant for utilities in `[0, 1]`. Key `c`.
    pub c: f64,
    /// First-play urgency reduction: an untried child counts as `V - reduction·sqrt(mass)`, where `V` is the mean of all
    /// visits so far and `mass` the prior of the tried children (KataGo and Leela Chess Zero do so). Key `fpu`.
    pub fpu_reduction: f64,
}

impl Default for PuctSettings {
    fn default() -> Self {
        PuctSettings { tree: TreeSettings::default(), c: 1.0, fpu_reduction: 0.1 }
    }
}

impl PuctSettings {
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
        Ok(PuctSettings {
            tree: self.tree.read(settings)?,
            c: settings.number("c", self.c, 0.0, 1e6)?,
            fpu_reduction: settings.number("fpu", self.fpu_reduction, 0.0, 1.0)?,
        })
    }
}

/// PUCT for games without chance and hidden information, two to six players. All else is as in [`crate::Uct`].
pub struct Puct<G: Game, K> {
    search: TreeSearch<G, K, PriorUcb>,
    settings: PuctSettings,
}

impl<G: Game, K: Knowledge<G>> Puct<G, K> {
    /// A search with the game's knowledge, whose prior guides it.
    pub fn new(knowledge: K, settings: PuctSettings) -> Self {
        let rule = PriorUcb { c: settings.c, fpu_reduction: settings.fpu_reduction };
        Puct { search: TreeSearch::new(knowledge, rule, settings.tree.clone()), settings }
    }

    /// The game's knowledge.
    pub fn knowledge(&self) -> &K {
        &self.search.knowledge
    }

    /// The settings.
    pub fn settings(&self) -> &PuctSettings {
        &self.settings
    }

    /// Looks into the tree as [`crate::Uct::node`].
    pub fn node(&self, path: &[G::Action]) -> Option<NodeInfo<G::Action>> {
        self.search.node(0, path)
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Puct<G, K> {
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

impl<G: Game, K> fmt::Debug for Puct<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Puct").field("settings", &self.settings).finish_non_exhaustive()
    }
}
