//! One-ply search: the action with the best value right after it.

use kiebitz_core::{Game, Knowledge, Luck, Payoff, Rng, Seen, Settings, SpecError, Turn, Weighted};

use crate::limit::Limit;
use crate::report::PayoffStats;
use crate::star::list_outcomes;
use crate::{Context, Report, Row, Search, SearchError, StopReason};

/// Settings of [`Greedy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GreedyConfig {
    /// With hidden information: how many worlds to draw and average over. At a chance node that does not list its outcomes:
    /// how many to draw.
    pub samples: u32,
}

impl Default for GreedyConfig {
    fn default() -> Self {
        GreedyConfig { samples: 16 }
    }
}

impl GreedyConfig {
    /// Reads `samples` (1 to 10000; default 16).
    ///
    /// # Errors
    /// When the value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        let default = u64::from(Self::default().samples);
        Ok(GreedyConfig { samples: settings.integer("samples", default, 1, 10_000)? as u32 })
    }
}

/// Chooses the action whose successor has the best value for the seat to move: [`Knowledge::evaluate`] where the game has it,
/// else [`Game::utility`] as if the game stopped there; ties by the seed.
///
/// If chance follows the action, the value is the mean over its outcomes (of further chance right behind it, one outcome is
/// drawn each time). With hidden information it is the mean over drawn worlds, the same ones for every action. Works for every
/// game, and needs no budget; a budget counts evaluated states, and what was not reached is not in the report.
#[derive(Debug)]
pub struct Greedy<K> {
    config: GreedyConfig,
    knowledge: K,
}

impl<K> Greedy<K> {
    /// A search with this knowledge of the game.
    pub fn new(config: GreedyConfig, knowledge: K) -> Self {
        Greedy { config, knowledge }
    }

    fn value<G: Game>(&self, state: &G) -> Payoff
    where
        K: Knowledge<G>,
    {
        match state.turn() {
            Turn::Terminal => state.utility(),
            _ => self.knowledge.evaluate(state).unwrap_or_else(|| state.utility()),
        }
    }
}

/// The mean value after one action, in one world: the values with their weights.
struct Successors<'a, G: Game> {
    samples: u32,
    luck: Luck,
    rng: Rng,
    scratch: Weighted<G::Action>,
    outcomes: Weighted<G::Action>,
    value: &'a dyn Fn(&G) -> Payoff,
}

impl<G: Game> Successors<'_, G> {
    /// Calls `add` with every value and its weight; stops early when it answers `false`. Answers whether the values are all
    /// there are, not a sample.
    fn each(&mut self, state: G, mut add: impl FnMut(Payoff, f64) -> bool) -> bool {
        if !matches!(state.turn(), Turn::Chance(_)) {
            add((self.value)(&state), 1.0);
            return true;
        }
        let mut all = list_outcomes(&state, self.samples, self.luck, &mut self.outcomes);
        for i in 0..self.outcomes.len() {
            let (outcome, p) = self.outcomes[i];
            let mut next = state.clone();
            next.apply(outcome);
            while matches!(next.turn(), Turn::Chance(_)) {
                let drawn = next.sample(&mut self.rng, &mut self.scratch);
                next.apply(drawn);
                all = false;
            }
            if !add((self.value)(&next), p) {
                break;
            }
        }
        all
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Greedy<K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let state = root.sample_world();
        let Turn::Seat(seat) = state.turn() else { return Err(SearchError::NotAPlayersTurn) };
        let mut actions = Vec::new();
        state.actions(&mut actions);
        if actions.is_empty() {
            return Err(SearchError::NotAPlayersTurn);
        }
        let mut limit = Limit::new(context, true, 1)?;
        let luck = Luck::new(context.seed);
        let meta = state.meta();
        let worlds: Vec<G> = if meta.hidden {
            let mut rng = luck.stream(u64::from(b'w'), 0);
            (0..self.config.samples).map(|_| root.draw(&mut rng)).collect()
        } else {
            vec![state.clone()]
        };
        let value = |state: &G| self.value(state);
        let mut rows = Vec::with_capacity(actions.len());
        'actions: for action in actions {
            let mut successors = Successors {
                // Hidden worlds are samples already; one draw in each of them is enough.
                samples: if meta.hidden { 1 } else { self.config.samples },
                luck,
                rng: luck.stream(u64::from(b'g'), 0),
                scratch: Vec::new(),
                outcomes: Vec::new(),
                value: &value,
            };
            let (before, mut spread, mut draws) = (limit.visits(), PayoffStats::default(), PayoffStats::default());
            let mut all = true;
            for world in &worlds {
                let mut next = world.clone();
                next.apply(action);
                let (mut mean, mut whole) = (Payoff::uniform(meta.players, 0.0), true);
                all &= successors.each(next, |value, weight| {
                    whole = limit.tick();
                    draws.add(&value);
                    for s in 0..meta.players {
                        mean.set(s, mean.of(s) + weight * value.of(s));
                    }
                    whole
                });
                if !whole {
                    break 'actions;
                }
                spread.add(&mean);
                if limit.is_hasty() {
                    break;
                }
            }
            limit.arm();
            // The error comes from the worlds drawn, or else from the outcomes drawn; without either the value is exact.
            let (utility, error) = match (meta.hidden, all) {
                (true, _) => spread.payoffs(),
                (false, false) => (spread.payoffs().0, draws.payoffs().1),
                (false, true) => (spread.payoffs().0, Payoff::uniform(meta.players, 0.0)),
            };
            rows.push(Row {
                action,
                visits: limit.visits() - before,
                availability: 0,
                prior: None,
                utility,
                utility_error: error,
                returns: None,
                pv: vec![action],
                pv_visits: Vec::new(),
                proven: false,
            });
        }
        rows.sort_by(|a, b| b.utility.of(seat).total_cmp(&a.utility.of(seat)).then(a.action.cmp(&b.action)));
        let best = rows[0].utility.of(seat);
        let equal = rows.iter().take_while(|row| row.utility.of(seat) == best).count();
        let chosen = luck.stream(u64::from(b't'), 0).below(equal);
        rows[..=chosen].rotate_right(1);
        let visits = limit.visits();
        for row in &mut rows {
            row.availability = visits;
        }
        let stop = limit.reason().unwrap_or(StopReason::Complete);
        Ok(Report { seat, rows, visits, nodes: 0, bytes: 0, depth: 1, elapsed: limit.elapsed(), stop })
    }
}
