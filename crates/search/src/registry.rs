//! The one list of search algorithms by name. A new algorithm is one file and one line here.

use std::fmt;

use kiebitz_core::{Budget, Game, Knowledge, PlayerSpec, Settings, SpecError};

use crate::random::Random;
use crate::{Ismcts, IsmctsConfig, OpenLoop, OpenLoopConfig, Search};

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
        Algorithm { name: "random", summary: "a random legal action", build: |_, _| Ok(Box::new(Random)) },
        Algorithm {
            name: "openloop",
            summary: "Monte Carlo tree search that keeps chance out of its tree",
            build: |settings, knowledge| {
                Ok(Box::new(OpenLoop::new(OpenLoopConfig::from_settings(settings)?, knowledge.clone())))
            },
        },
        Algorithm {
            name: "ismcts",
            summary: "Monte Carlo tree search over what the seat can tell apart",
            build: |settings, knowledge| {
                Ok(Box::new(Ismcts::new(IsmctsConfig::from_settings(settings)?, knowledge.clone())))
            },
        },
    ]
}

/// A search with the settings that every player has.
pub struct Built<G: Game> {
    /// The search.
    pub search: Box<dyn Search<G>>,
    /// `visits` and `time` of the spec; unlimited where it says nothing.
    pub budget: Budget,
    /// `seed` of the spec, 0 where it says nothing.
    pub seed: u64,
}

impl<G: Game> fmt::Debug for Built<G> {
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
) -> Result<Built<G>, SpecError> {
    let algorithms = algorithms::<G, K>();
    let Some(algorithm) = algorithms.iter().find(|a| a.name == spec.name) else {
        let known = also.iter().copied().chain(algorithms.iter().map(|a| a.name)).collect::<Vec<_>>().join(", ");
        return Err(SpecError::UnknownName { name: spec.name.clone(), known });
    };
    let mut settings = Settings::new(spec);
    let visits = settings.integer("visits", 0, 1, 1 << 40).map(|v| (v > 0).then_some(v))?;
    let time = settings.duration("time")?;
    let seed = settings.integer("seed", 0, 0, u64::MAX)?;
    let search = (algorithm.build)(&mut settings, knowledge)?;
    settings.finish()?;
    Ok(Built { search, budget: Budget { visits, time }, seed })
}
