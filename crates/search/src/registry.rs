//! The one list of search algorithms by name. A new algorithm is one file and one line here.

use std::fmt;

use kiebitz_core::{Budget, Game, Knowledge, PlayerSpec, Settings, SpecError};

use crate::guided::Guided;
use crate::{
    AlphaBeta, AlphaBetaConfig, Expectimax, ExpectimaxConfig, Flat, FlatConfig, Greedy, GreedyConfig, Ismcts,
    IsmctsConfig, MaxN, MaxNConfig, OpenLoop, OpenLoopConfig, Paranoid, Pimc, PimcConfig, PimcInner, Policy, Puct,
    PuctSettings, Random, RandomConfig, Search, Uct, UctSettings,
};

/// Reads an algorithm's settings and makes it.
type Builder<G, K> = fn(&mut Settings, &K) -> Result<Box<dyn Search<G>>, SpecError>;

/// An algorithm for games of type `G` with knowledge `K`.
pub struct Algorithm<G: Game, K> {
    /// Its name in player specs.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Reads its settings and makes it.
    build: Builder<G, K>,
}

impl<G: Game, K> fmt::Debug for Algorithm<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Algorithm").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All algorithms.
pub fn algorithms<G: Game, K: Knowledge<G> + Clone + 'static>() -> Vec<Algorithm<G, K>> {
    vec![
        Algorithm {
            name: "random",
            summary: "a random legal action",
            build: |s, _| Ok(Box::new(Random { config: RandomConfig::from_settings(s)? })),
        },
        Algorithm {
            name: "policy",
            summary: "the choice of the playout policy, without search",
            build: |s, k| Ok(Box::new(Policy::new(k.read(s)?))),
        },
        Algorithm {
            name: "greedy",
            summary: "the best action by looking one ahead",
            build: |s, k| Ok(Box::new(Greedy::new(GreedyConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm {
            name: "flat",
            summary: "flat Monte Carlo: playouts shared out among the actions by UCB",
            build: |s, k| Ok(Box::new(Flat::new(FlatConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm {
            name: "uct",
            summary: "UCT with RAVE, for perfect information without chance",
            build: |s, k| {
                let defaults = if k.has_amaf() { UctSettings::rave() } else { UctSettings::default() };
                let settings = defaults.read(s)?;
                Ok(Box::new(Uct::new(k.read(s)?, settings)))
            },
        },
        Algorithm {
            name: "puct",
            summary: "tree search guided by prior probabilities",
            build: |s, k| {
                let settings = PuctSettings::from_settings(s)?;
                Ok(Box::new(Puct::new(k.read(s)?, settings)))
            },
        },
        Algorithm {
            name: "alphabeta",
            summary: "alpha-beta with iterative deepening, for two players without chance",
            build: |s, k| Ok(Box::new(AlphaBeta::new(AlphaBetaConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm {
            name: "paranoid",
            summary: "alpha-beta against all others together",
            build: |s, k| Ok(Box::new(Paranoid::new(AlphaBetaConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm {
            name: "maxn",
            summary: "max^n: everybody maximises the own value",
            build: |s, k| Ok(Box::new(MaxN::new(MaxNConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm {
            name: "expectimax",
            summary: "expectimax with Star1 or Star2, for listed chance",
            build: |s, k| Ok(Box::new(Expectimax::new(ExpectimaxConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm {
            name: "openloop",
            summary: "open-loop tree search with sampled chance",
            build: |s, k| Ok(Box::new(OpenLoop::new(OpenLoopConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm {
            name: "ismcts",
            summary: "information-set tree search with one observer or several, for hidden information",
            build: |s, k| Ok(Box::new(Ismcts::new(IsmctsConfig::from_settings(s)?, k.read(s)?))),
        },
        Algorithm { name: "pimc", summary: "perfect-information Monte Carlo: solves sampled worlds", build: pimc },
    ]
}

/// PIMC's inner search reads its own settings from the same spec.
fn pimc<G: Game, K: Knowledge<G> + Clone + 'static>(
    settings: &mut Settings,
    knowledge: &K,
) -> Result<Box<dyn Search<G>>, SpecError> {
    let config = PimcConfig::from_settings(settings)?;
    let inner = PimcInner::from_settings(settings, config.combine)?;
    let knowledge = knowledge.read(settings)?;
    Ok(Box::new(Pimc::new(config, move || inner.make::<G, K>(&knowledge))))
}

/// A search with the settings that every player has.
pub struct Built<G: Game, K> {
    /// The search.
    pub search: Box<dyn Search<G>>,
    /// The knowledge as the spec wants it: what the search uses, for those who explain what it found.
    pub knowledge: K,
    /// `visits` and `time` of the spec; unlimited where it says nothing.
    pub budget: Budget,
    /// `seed` of the spec, 0 where it says nothing.
    pub seed: u64,
}

impl<G: Game, K> fmt::Debug for Built<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Built").field("budget", &self.budget).field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// Makes the search a spec names. `also` are names the caller understands besides, for the error's list.
///
/// # Errors
/// Unknown names, keys and values; the error lists the known ones.
pub fn build<G: Game, K: Knowledge<G> + Clone + 'static>(
    spec: &PlayerSpec,
    knowledge: &K,
    also: &[&str],
) -> Result<Built<G, K>, SpecError> {
    let algorithms = algorithms::<G, K>();
    let Some(algorithm) = algorithms.iter().find(|a| a.name == spec.name) else {
        let known = also.iter().copied().chain(algorithms.iter().map(|a| a.name)).collect::<Vec<_>>().join(", ");
        return Err(SpecError::UnknownName { name: spec.name.clone(), known });
    };
    let mut settings = Settings::new(spec);
    let visits = settings.integer("visits", 0, 1, 1 << 40).map(|v| (v > 0).then_some(v))?;
    let time = settings.duration("time")?;
    let seed = settings.integer("seed", 0, 0, u64::MAX)?;
    // Read twice: the search reads it for itself. The random player has no use for any.
    let read = match algorithm.name {
        "random" => knowledge.clone(),
        _ => knowledge.read(&mut settings.clone())?,
    };
    let mut search = (algorithm.build)(&mut settings, knowledge)?;
    settings.finish()?;
    // Players without a search have nothing to frame.
    if !matches!(algorithm.name, "random" | "policy") {
        search = Box::new(Guided::new(search, read.clone()));
    }
    Ok(Built { search, knowledge: read, budget: Budget { visits, time }, seed })
}
