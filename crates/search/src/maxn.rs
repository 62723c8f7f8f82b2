//! Max^n: the exact search of games with any number of players.

use kiebitz_core::{Game, Knowledge, Luck, Payoff, Seat, Seen, Settings, SpecError, Turn, Weighted};

use crate::alphabeta::depth_setting;
use crate::limit::Limit;
use crate::negamax::MAX_PLY;
use crate::star::list_outcomes;
use crate::{Context, Report, Row, Search, SearchError, StopReason};

/// Settings of [`MaxN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxNConfig {
    /// Actions of players to look ahead, at most 256; `None`: ever deeper until the budget ends.
    pub depth: Option<u32>,
    /// Leave out what [`Knowledge::prune`] removes. A value is then proven only if nothing was removed.
    pub prune: bool,
    /// Play games with chance too, evaluating nodes of chance as leaves; otherwise such games are refused.
    pub chance_leaves: bool,
}

impl Default for MaxNConfig {
    fn default() -> Self {
        MaxNConfig { depth: None, prune: true, chance_leaves: false }
    }
}

impl MaxNConfig {
    /// Reads `depth` (0 to 256, 0: no limit; default 0), `prune` (on or off; default on), `chance` (refuse or leaf; default
    /// refuse).
    ///
    /// # Errors
    /// When a value cannot be used.
    pub fn from_settings(settings: &mut Settings) -> Result<Self, SpecError> {
        Ok(MaxNConfig {
            depth: depth_setting(settings)?,
            prune: settings.switch("prune", true)?,
            chance_leaves: settings.choice("chance", &["refuse", "leaf"])? == "leaf",
        })
    }
}

/// Max^n with iterative deepening (C. A. Luckhardt, K. B. Irani, "An algorithmic solution of N-person games", 1986): every
/// player maximises the own utility. Of equal actions the first in order counts, which others may see differently: max^n values
/// depend on how ties are broken. The only pruning is immediate: no action is better than one of utility 1.
#[derive(Debug)]
pub struct MaxN<K> {
    config: MaxNConfig,
    knowledge: K,
}

impl<K> MaxN<K> {
    /// A search with this knowledge of the game.
    pub fn new(config: MaxNConfig, knowledge: K) -> Self {
        MaxN { config, knowledge }
    }

    /// Searches `state` as if everybody saw all of it.
    ///
    /// # Errors
    /// When it is not a player's turn, the game does not suit, or neither depth nor budget limit the search.
    pub fn search_state<G: Game>(&mut self, state: &G, context: &Context<'_, G>) -> Result<Report<G>, SearchError>
    where
        K: Knowledge<G>,
    {
        let MaxNConfig { depth, prune, chance_leaves } = self.config;
        if !state.meta().chance.is_empty() && !chance_leaves {
            let reason = "the game has chance; expectimax averages over it, and chance=leaf stops at it";
            return Err(SearchError::Unsuitable { algorithm: "maxn", reason });
        }
        search(Rules { depth, prune, chance: ChanceNodes::Leaf }, &self.knowledge, state, context)
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for MaxN<K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        if root.meta().hidden {
            let reason = "the game hides information; pimc and ismcts search over the worlds that may be true";
            return Err(SearchError::Unsuitable { algorithm: "maxn", reason });
        }
        self.search_state(root.sample_world(), context)
    }
}

/// What happens at a node of chance.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ChanceNodes {
    /// It is evaluated and not looked into.
    Leaf,
    /// Its value is the mean over its outcomes, or over `samples` drawn ones where the game does not list them.
    Average { samples: u32 },
}

/// What the searches set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub depth: Option<u32>,
    pub prune: bool,
    pub chance: ChanceNodes,
}

/// Utilities of all seats, and whether no line behind them was cut.
#[derive(Clone, Copy, Debug)]
struct Found {
    utility: Payoff,
    complete: bool,
}

#[derive(Clone, Debug)]
struct RootAction<A> {
    action: A,
    found: Option<Found>,
    visits: u64,
    pv: Vec<A>,
}

/// Buffers of one ply.
#[derive(Debug)]
struct Ply<A> {
    actions: Vec<A>,
    outcomes: Weighted<A>,
    pv: Vec<A>,
}

impl<A> Default for Ply<A> {
    fn default() -> Self {
        Ply { actions: Vec::new(), outcomes: Vec::new(), pv: Vec::new() }
    }
}

struct Run<'r, 'c, G: Game, K> {
    rules: Rules,
    knowledge: &'r K,
    limit: Limit<'c, G>,
    luck: Luck,
    plies: Vec<Ply<G::Action>>,
    pruned: bool,
}

/// Searches `state` for the seat to move, as if it saw everything.
pub(crate) fn search<G: Game, K: Knowledge<G>>(
    rules: Rules,
    knowledge: &K,
    state: &G,
    context: &Context<'_, G>,
) -> Result<Report<G>, SearchError> {
    let Turn::Seat(seat) = state.turn() else { return Err(SearchError::NotAPlayersTurn) };
    let limit = Limit::new(context, rules.depth.is_some(), 16)?;
    let mut run = Run { rules, knowledge, limit, luck: Luck::new(context.seed), plies: Vec::new(), pruned: false };
    Ok(run.deepen(state, seat))
}

impl<G: Game, K: Knowledge<G>> Run<'_, '_, G, K> {
    fn deepen(&mut self, state: &G, seat: Seat) -> Report<G> {
        let mut game = state.clone();
        let mut actions = Vec::new();
        self.list_actions(&game, &mut actions);
        let root = |action| RootAction { action, found: None, visits: 0, pv: vec![] };
        let mut roots: Vec<RootAction<G::Action>> = actions.into_iter().map(root).collect();
        let forced = roots.len() == 1 && self.rules.depth.is_none();
        let deepest = self.rules.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32);
        let (mut reached, mut stop) = (0, StopReason::Complete);
        for depth in 1..=deepest {
            let before = (depth > 1).then(|| roots.clone());
            if !self.iterate(&mut game, &mut roots, depth) {
                stop = self.limit.reason().unwrap_or(StopReason::Stopped);
                // Values of different depths do not compare: a deeper iteration counts as a whole or not at all.
                for (root, old) in roots.iter_mut().zip(before.into_iter().flatten()) {
                    *root = RootAction { visits: root.visits, ..old };
                }
                break;
            }
            reached = depth;
            if forced || roots.iter().all(|r| r.found.is_some_and(|f| f.complete)) {
                break;
            }
            if self.limit.progress_is_due() {
                self.limit.progress(&self.report(state, seat, &roots, reached, StopReason::Stopped));
            }
        }
        self.report(state, seat, &roots, reached, stop)
    }

    /// Searches all root actions to `depth`; `false` when the budget ran out.
    fn iterate(&mut self, game: &mut G, roots: &mut [RootAction<G::Action>], depth: u32) -> bool {
        for root in roots {
            let visits = self.limit.visits();
            let undo = game.apply_undo(root.action);
            let found = self.visit(game, depth - 1, 1);
            game.undo(undo);
            root.visits += self.limit.visits() - visits;
            if found.is_none() {
                return false;
            }
            self.limit.arm();
            root.found = found;
            root.pv.clear();
            root.pv.push(root.action);
            root.pv.extend_from_slice(&self.plies[1].pv);
        }
        true
    }

    /// The utilities of any state.
    fn visit(&mut self, game: &mut G, depth: u32, ply: usize) -> Option<Found> {
        if !self.limit.tick() {
            return None;
        }
        if self.plies.len() <= ply {
            self.plies.resize_with(ply + 1, Ply::default);
        }
        self.plies[ply].pv.clear();
        match game.turn() {
            Turn::Terminal => Some(Found { utility: game.utility(), complete: true }),
            // A first value soon, when the budget has run out before there is one.
            Turn::Seat(_) | Turn::Chance(_) if self.limit.is_hasty() => Some(self.leaf(game)),
            Turn::Seat(seat) if depth > 0 && ply < MAX_PLY => self.decide(game, seat, depth, ply),
            Turn::Chance(_) if ply < MAX_PLY => match self.rules.chance {
                ChanceNodes::Average { samples } => self.average(game, depth, ply, samples),
                ChanceNodes::Leaf => Some(self.leaf(game)),
            },
            _ => Some(self.leaf(game)),
        }
    }

    fn leaf(&self, game: &G) -> Found {
        Found { utility: self.knowledge.evaluate(game).unwrap_or_else(|| game.utility()), complete: false }
    }

    fn decide(&mut self, game: &mut G, seat: Seat, depth: u32, ply: usize) -> Option<Found> {
        let mut actions = std::mem::take(&mut self.plies[ply].actions);
        self.list_actions(game, &mut actions);
        let mut best: Option<Found> = None;
        let (mut complete, mut aborted) = (true, false);
        for &action in &actions {
            let undo = game.apply_undo(action);
            let found = self.visit(game, depth - 1, ply + 1);
            game.undo(undo);
            let Some(found) = found else {
                aborted = true;
                break;
            };
            complete &= found.complete;
            if best.is_none_or(|best| found.utility.of(seat) > best.utility.of(seat)) {
                best = Some(found);
                let mut pv = std::mem::take(&mut self.plies[ply].pv);
                pv.clear();
                pv.push(action);
                pv.extend_from_slice(&self.plies[ply + 1].pv);
                self.plies[ply].pv = pv;
            }
            // Nothing is better. Actions before this one might turn out as good when looked at deeper, and then count for
            // the others: the value is complete only if theirs are.
            if found.utility.of(seat) >= 1.0 {
                break;
            }
        }
        self.plies[ply].actions = actions;
        if aborted {
            return None;
        }
        // A state without actions that is not the end is against the contract; the evaluation is all there is.
        Some(best.map_or_else(|| self.leaf(game), |best| Found { complete, ..best }))
    }

    fn average(&mut self, game: &mut G, depth: u32, ply: usize, samples: u32) -> Option<Found> {
        let mut outcomes = std::mem::take(&mut self.plies[ply].outcomes);
        let mut complete = list_outcomes(game, samples, self.luck, &mut outcomes);
        let players = game.meta().players;
        let (mut utility, mut aborted) = (Payoff::uniform(players, 0.0), false);
        for &(outcome, p) in &outcomes {
            let undo = game.apply_undo(outcome);
            let found = self.visit(game, depth, ply + 1);
            game.undo(undo);
            let Some(found) = found else {
                aborted = true;
                break;
            };
            complete &= found.complete;
            for seat in 0..players {
                utility.set(seat, utility.of(seat) + p * found.utility.of(seat));
            }
        }
        self.plies[ply].outcomes = outcomes;
        (!aborted).then_some(Found { utility, complete })
    }

    fn list_actions(&mut self, game: &G, actions: &mut Vec<G::Action>) {
        game.actions(actions);
        if self.rules.prune {
            let before = actions.len();
            self.knowledge.prune(game, actions);
            self.pruned |= actions.len() < before;
        }
    }

    fn report(
        &self,
        state: &G,
        seat: Seat,
        roots: &[RootAction<G::Action>],
        depth: u32,
        stop: StopReason,
    ) -> Report<G> {
        let visits = self.limit.visits();
        let players = state.meta().players;
        let row = |root: &RootAction<G::Action>| {
            let found = root.found?;
            Some(Row {
                action: root.action,
                visits: root.visits,
                availability: visits,
                prior: None,
                utility: found.utility,
                utility_error: Payoff::uniform(players, 0.0),
                returns: None,
                pv: root.pv.clone(),
                pv_visits: Vec::new(),
                proven: found.complete && !self.pruned,
            })
        };
        let mut rows: Vec<Row<G::Action>> = roots.iter().filter_map(row).collect();
        rows.sort_by(|a, b| b.utility.of(seat).total_cmp(&a.utility.of(seat)).then(a.action.cmp(&b.action)));
        Report { seat, rows, visits, nodes: 0, bytes: 0, depth, elapsed: self.limit.elapsed(), stop }
    }
}
