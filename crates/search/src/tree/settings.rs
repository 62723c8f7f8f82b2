//! What every tree search can be told, whatever its selection rule.

use kiebitz_core::{Budget, Settings, SpecError};

/// How several threads work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// All threads grow one tree; a virtual loss keeps them apart.
    Tree,
    /// Every thread grows its own tree with its share of the budget; the root's statistics are added up at the end. With a
    /// visit budget and without early stop, the result does not depend on how the threads are scheduled.
    Root,
}

/// Settings shared by [`crate::Uct`] and [`crate::Puct`].
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSettings {
    /// The budget where the context of a run has none. Keys `visits`, `time`.
    pub budget: Budget,
    /// Threads, at least 1. Key `threads`.
    pub threads: usize,
    /// How they work together. Key `parallel` = `tree` or `root`.
    pub parallel: Parallel,
    /// Visits without a win that a thread adds to every node on its way down and takes back on its way up, so that the
    /// others go elsewhere; 0 for none. Only where several threads share a tree. Key `vloss`.
    pub virtual_loss: u32,
    /// Visits of a leaf before it gets children: 1 adds the children at the second visit. When more than half of the memory
    /// is used, multiplied by the whole memory over what is left of it. Key `expand`.
    pub expand_after: u32,
    /// The most memory the tree may take, in MiB (but at least one segment of 4,096 nodes for each tree); when it is full,
    /// the tree stops growing and the search goes on. Key `memory`.
    pub memory: u64,
    /// Stops when the second-best action can no longer overtake the best with what is left of the budget, and after one
    /// simulation when there is only one action. Key `early` (or `early-stop`) = `on` or `off`.
    pub early_stop: bool,
    /// Keeps what a run learned of the positions after the actions that [`crate::Search::observe`] tells of, and goes on
    /// from there. A budget of visits counts new simulations, the report's visits count the kept ones too. Key `reuse`.
    pub reuse: bool,
    /// Replaces the seed of the context. Key `seed`.
    pub seed: Option<u64>,
    /// The share of [`kiebitz_core::Knowledge::evaluate`] in the value of a leaf: 0 is the playout alone, 1 the evaluation
    /// alone (no playout is played). Key `eval`.
    pub eval: f64,
}

impl Default for TreeSettings {
    fn default() -> Self {
        TreeSettings {
            budget: Budget::default(),
            threads: 1,
            parallel: Parallel::Tree,
            virtual_loss: 1,
            expand_after: 1,
            memory: 256,
            early_stop: true,
            reuse: true,
            seed: None,
            eval: 0.0,
        }
    }
}

impl TreeSettings {
    /// Reads the settings from a player spec; these settings are the defaults.
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn read(self, settings: &mut Settings) -> Result<Self, SpecError> {
        let mut budget = self.budget;
        let visits = settings.integer("visits", 0, 1, 4_000_000_000)?;
        let time = settings.duration("time")?;
        if visits > 0 || time.is_some() {
            budget = Budget { visits: (visits > 0).then_some(visits), time };
        }
        let words = match self.parallel {
            Parallel::Tree => ["tree", "root"],
            Parallel::Root => ["root", "tree"],
        };
        // Two different defaults tell a seed that was given from one that was not.
        let seed = settings.clone().integer("seed", 0, 0, u64::MAX)?;
        let given = settings.integer("seed", 1, 0, u64::MAX)? == seed;
        let early = settings.switch("early", self.early_stop)?;
        Ok(TreeSettings {
            budget,
            threads: settings.integer("threads", self.threads as u64, 1, 256)? as usize,
            parallel: if settings.choice("parallel", &words)? == "root" { Parallel::Root } else { Parallel::Tree },
            virtual_loss: settings.integer("vloss", u64::from(self.virtual_loss), 0, 64)? as u32,
            expand_after: settings.integer("expand", u64::from(self.expand_after), 1, 1_000_000)? as u32,
            memory: settings.integer("memory", self.memory, 1, 65_536)?,
            early_stop: settings.switch("early-stop", early)?,
            reuse: settings.switch("reuse", self.reuse)?,
            seed: if given { Some(seed) } else { self.seed },
            eval: settings.number("eval", self.eval, 0.0, 1.0)?,
        })
    }
}
