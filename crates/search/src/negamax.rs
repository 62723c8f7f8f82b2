//! Depth-first search between two sides, shared by alpha-beta, paranoid search and two-player expectimax.
//!
//! Values are scores in `[-1, 1]` of one side, never utilities of "the player who has just moved": every function names the
//! side whose score it returns, and a score changes its sign exactly where the side changes. A seat may move twice in a row.

use kiebitz_core::{Game, Knowledge, Luck, Payoff, Seat, Turn};
use rustc_hash::FxHashMap;

use crate::limit::Limit;
use crate::ordering::Rank;
use crate::star::Mixture;
use crate::table::{Bound, Table};
use crate::{Context, Report, Row, SearchError, StopReason};

/// The longest line searched, in actions of seats and chance; bounds the recursion.
pub(crate) const MAX_PLY: usize = 256;

/// Open windows: one step outside of all scores, so that the extreme scores are still found exactly.
pub(crate) const LOWEST: f64 = (-1.0f64).next_down();
pub(crate) const HIGHEST: f64 = 1.0f64.next_up();

/// How the window of a search is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Window {
    /// Null windows after the first action (principal variation search), and at the root a narrow window around the value
    /// of the iteration before, widened when the value falls outside.
    #[default]
    Aspiration,
    /// Null windows after the first action, the whole range at the root.
    Null,
    /// Plain alpha-beta.
    Full,
}

/// Who plays against whom.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sides {
    /// Seat 0 against seat 1; the score is the difference of their utilities.
    Duel,
    /// One seat against all others together; the score is its utility scaled to `[-1, 1]`.
    Alone(Seat),
}

/// What happens at a node of chance.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chance {
    /// It is evaluated and not looked into.
    Leaf,
    /// Its value is the mean over its outcomes, or over `samples` drawn ones where the game does not list them.
    Average { star: u8, samples: u32 },
}

/// What the three searches set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub sides: Sides,
    pub chance: Chance,
    pub depth: Option<u32>,
    pub ordering: bool,
    pub window: Window,
    pub extend: u32,
    pub prune: bool,
    pub all_rows: bool,
}

/// A score and whether no line behind it was cut by depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub score: f64,
    pub complete: bool,
}

/// A window for the score of one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub alpha: f64,
    pub beta: f64,
    pub side: bool,
}

impl Span {
    pub fn open(side: bool) -> Self {
        Span { alpha: LOWEST, beta: HIGHEST, side }
    }

    /// The same window for the other side's score.
    fn flipped(self) -> Self {
        Span { alpha: -self.beta, beta: -self.alpha, side: !self.side }
    }
}

/// How much deeper to look: actions of seats, and extra ones while the position is not quiet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub depth: u32,
    extra: u32,
}

/// A root action and what is known of it.
#[derive(Clone, Debug)]
struct RootAction<A> {
    action: A,
    /// For the root's side.
    score: f64,
    bound: Bound,
    complete: bool,
    /// The last iteration that searched it; 0 if none did.
    depth: u32,
    visits: u64,
    pv: Vec<A>,
}

/// Buffers of one ply.
#[derive(Debug)]
pub(crate) struct Ply<A> {
    pub actions: Vec<A>,
    pub ordered: Vec<(Rank, A)>,
    pub killers: [Option<A>; 2],
    pv: Vec<A>,
    mixture: Mixture<A>,
}

impl<A> Default for Ply<A> {
    fn default() -> Self {
        Ply {
            actions: Vec::new(),
            ordered: Vec::new(),
            killers: [None, None],
            pv: Vec::new(),
            mixture: Mixture::default(),
        }
    }
}

/// The memory of a search that is kept from run to run: only buffers, nothing that changes a result.
#[derive(Debug)]
pub(crate) struct Memory<G: Game> {
    pub table: Table<G::Action>,
    pub plies: Vec<Ply<G::Action>>,
    pub history: FxHashMap<(Seat, G::Action), u32>,
}

impl<G: Game> Memory<G> {
    /// Memory with a table of at most `mib` MiB.
    pub fn new(mib: u32) -> Self {
        Memory { table: Table::new(mib), plies: Vec::new(), history: FxHashMap::default() }
    }
}

/// One run.
pub(crate) struct Run<'r, 'c, G: Game, K> {
    pub rules: Rules,
    pub knowledge: &'r K,
    pub memory: &'r mut Memory<G>,
    pub limit: Limit<'c, G>,
    luck: Luck,
    /// The game's hook removed an action somewhere: nothing is proven any more.
    pub pruned: bool,
}

/// Searches `state` for the seat to move, as if it saw everything.
pub(crate) fn search<G: Game, K: Knowledge<G>>(
    rules: Rules,
    knowledge: &K,
    memory: &mut Memory<G>,
    state: &G,
    context: &Context<'_, G>,
) -> Result<Report<G>, SearchError> {
    let Turn::Seat(seat) = state.turn() else { return Err(SearchError::NotAPlayersTurn) };
    let limit = Limit::new(context, rules.depth.is_some(), 16)?;
    memory.table.clear();
    memory.history.clear();
    memory.plies.clear();
    let mut run = Run { rules, knowledge, memory, limit, luck: Luck::new(context.seed), pruned: false };
    Ok(run.deepen(state, seat))
}

impl<G: Game, K: Knowledge<G>> Run<'_, '_, G, K> {
    fn deepen(&mut self, state: &G, seat: Seat) -> Report<G> {
        let side = self.side(seat);
        let mut game = state.clone();
        let mut roots = self.root_actions(&game, seat);
        // Without a depth to reach, a forced action needs no thought beyond a first value.
        let forced = roots.len() == 1 && self.rules.depth.is_none();
        let deepest = self.rules.depth.unwrap_or(MAX_PLY as u32).min(MAX_PLY as u32).max(1);
        let (mut reached, mut value) = (0, 0.0);
        let mut stop = StopReason::Complete;
        for depth in 1..=deepest {
            match self.iterate(&mut game, &mut roots, depth, value, side) {
                None => {
                    stop = self.limit.reason().unwrap_or(StopReason::Stopped);
                    break;
                }
                Some(found) => {
                    (reached, value) = (depth, found.score);
                    if found.complete || forced {
                        break;
                    }
                }
            }
            if self.limit.progress_is_due() {
                self.limit.progress(&self.report(state, seat, &roots, reached, StopReason::Stopped));
            }
        }
        self.report(state, seat, &roots, reached, stop)
    }

    fn root_actions(&mut self, game: &G, seat: Seat) -> Vec<RootAction<G::Action>> {
        let mut actions = Vec::new();
        self.list_actions(game, &mut actions);
        if self.rules.ordering {
            actions.sort_by_key(|&action| std::cmp::Reverse(self.rank(game, seat, action, None, 0)));
        }
        let root = |action| RootAction {
            action,
            score: 0.0,
            bound: Bound::Upper,
            complete: false,
            depth: 0,
            visits: 0,
            pv: vec![],
        };
        actions.into_iter().map(root).collect()
    }

    /// One iteration: searches all root actions to `depth` and leaves the best first. `None` when the budget ran out; the
    /// best found so far is then first.
    fn iterate(
        &mut self,
        game: &mut G,
        roots: &mut [RootAction<G::Action>],
        depth: u32,
        guess: f64,
        side: bool,
    ) -> Option<Found> {
        let mut span = Span::open(side);
        let mut step = 1.0 / 16.0;
        if self.rules.window == Window::Aspiration && depth > 1 && !self.rules.all_rows {
            (span.alpha, span.beta) = ((guess - step).max(LOWEST), (guess + step).min(HIGHEST));
        }
        loop {
            let found = self.search_root(game, roots, depth, span)?;
            step *= 4.0;
            if found.score <= span.alpha && span.alpha > LOWEST {
                span.alpha = if step < 1.0 { (found.score - step).max(LOWEST) } else { LOWEST };
            } else if found.score >= span.beta && span.beta < HIGHEST {
                span.beta = if step < 1.0 { (found.score + step).min(HIGHEST) } else { HIGHEST };
            } else {
                return Some(found);
            }
        }
    }

    fn search_root(
        &mut self,
        game: &mut G,
        roots: &mut [RootAction<G::Action>],
        depth: u32,
        span: Span,
    ) -> Option<Found> {
        let left = Left { depth: depth - 1, extra: self.rules.extend };
        // The first action is the best of the iteration before: if nothing better comes before the budget runs out, what was
        // known of it stands.
        let before = roots[0].clone();
        let (mut best, mut best_score, mut best_exact) = (0, f64::NEG_INFINITY, false);
        let (mut complete, mut lower) = (true, span.alpha);
        for i in 0..roots.len() {
            let visits = self.limit.visits();
            let undo = game.apply_undo(roots[i].action);
            let from = if self.rules.all_rows { LOWEST } else { lower };
            let first = i == 0 || self.rules.all_rows;
            let found = self.principal(game, left, 1, Span { alpha: from, ..span }, first);
            game.undo(undo);
            let root = &mut roots[i];
            root.visits += self.limit.visits() - visits;
            let Some(found) = found else {
                if best_exact {
                    roots[..=best].rotate_right(1);
                } else if before.depth > 0 {
                    // The interrupted search counted its nodes already.
                    roots[0] = RootAction { visits: roots[0].visits, ..before };
                }
                return None;
            };
            root.score = found.score;
            root.complete = found.complete;
            root.depth = depth;
            root.bound = bound(found.score, Span { alpha: from, ..span });
            root.pv.clear();
            root.pv.push(root.action);
            if let Some(next) = self.memory.plies.get(1) {
                root.pv.extend_from_slice(&next.pv);
            }
            // At depth 1 the first action has a value now, and the search may end any time.
            self.limit.arm();
            if found.score > best_score {
                (best, best_score, best_exact) = (i, found.score, root.bound == Bound::Exact);
                lower = lower.max(best_score);
            }
            if best_score >= 1.0 && !self.rules.all_rows {
                complete = found.complete;
                break;
            }
            complete &= found.complete;
            if best_score >= span.beta {
                break;
            }
        }
        // The best moves to the front, the others keep their order. When all fell below the window, none is known as best.
        if best_score > span.alpha {
            roots[..=best].rotate_right(1);
        }
        Some(Found { score: best_score, complete })
    }

    /// The score of the state after an action, by a null window first if it is not the `first` one.
    fn principal(&mut self, game: &mut G, left: Left, ply: usize, span: Span, first: bool) -> Option<Found> {
        if !first && self.rules.window != Window::Full {
            let above = span.alpha.next_up();
            let found = self.visit(game, left, ply, Span { beta: above, ..span })?;
            if found.score <= span.alpha || above >= span.beta || found.score >= span.beta {
                return Some(found);
            }
        }
        self.visit(game, left, ply, span)
    }

    /// The score of any state for the side of the window.
    pub(crate) fn visit(&mut self, game: &mut G, left: Left, ply: usize, span: Span) -> Option<Found> {
        if !self.limit.tick() {
            return None;
        }
        if self.memory.plies.len() <= ply {
            self.memory.plies.resize_with(ply + 1, Ply::default);
        }
        self.memory.plies[ply].pv.clear();
        match game.turn() {
            Turn::Terminal => Some(Found { score: self.score(&game.utility(), span.side), complete: true }),
            Turn::Chance(_) => match self.rules.chance {
                Chance::Average { star, samples } if ply < MAX_PLY && !self.limit.is_hasty() => {
                    let mut mixture = std::mem::take(&mut self.memory.plies[ply].mixture);
                    mixture.list(game, samples, self.luck);
                    let found = self.average(game, left, ply, span, star, &mut mixture);
                    self.memory.plies[ply].mixture = mixture;
                    // What chance will do is not part of the expected line.
                    self.memory.plies[ply].pv.clear();
                    found
                }
                _ => Some(self.leaf(game, span.side)),
            },
            Turn::Seat(seat) if self.side(seat) == span.side => self.decide(game, seat, left, ply, span),
            Turn::Seat(seat) => {
                let found = self.decide(game, seat, left, ply, span.flipped())?;
                Some(Found { score: -found.score, ..found })
            }
        }
    }

    fn leaf(&self, game: &G, side: bool) -> Found {
        let payoff = self.knowledge.evaluate(game).unwrap_or_else(|| game.utility());
        Found { score: self.score(&payoff, side), complete: false }
    }

    /// What is left below a decision; `None` where it is a leaf.
    pub(crate) fn below(&self, game: &G, left: Left, ply: usize) -> Option<Left> {
        match left {
            _ if ply >= MAX_PLY || self.limit.is_hasty() => None,
            Left { depth: 1.., extra } => Some(Left { depth: left.depth - 1, extra }),
            Left { extra: 1.., .. } if !self.knowledge.is_quiet(game) => Some(Left { depth: 0, extra: left.extra - 1 }),
            _ => None,
        }
    }

    /// The score of a state where `seat`, of the side of the window, decides.
    fn decide(&mut self, game: &mut G, seat: Seat, left: Left, ply: usize, span: Span) -> Option<Found> {
        let Span { alpha, beta, side } = span;
        let Some(next) = self.below(game, left, ply) else { return Some(self.leaf(game, side)) };
        let stored = left.depth > 0 && self.memory.table.is_on();
        let key = if stored { game.transposition_key() } else { 0 };
        let mut hint = None;
        if stored && let Some(entry) = self.memory.table.get(key) {
            hint = entry.best;
            let found = Found { score: entry.value, complete: entry.complete };
            // A deeper search does not answer a shallower one, unless no line of it was cut: the result is that of plain
            // minimax at this depth, whatever the table holds.
            let answers = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if answers && (entry.depth == left.depth || entry.complete) {
                if let Some(best) = hint {
                    self.memory.plies[ply].pv.push(best);
                }
                return Some(found);
            }
        }

        let mut ordered = self.order(game, seat, hint, ply);
        let (mut best, mut lower) = (Found { score: f64::NEG_INFINITY, complete: true }, alpha);
        let (mut best_action, mut complete, mut aborted) = (None, true, false);
        for (i, &(_, action)) in ordered.iter().enumerate() {
            let undo = game.apply_undo(action);
            let found = self.principal(game, next, ply + 1, Span { alpha: lower, ..span }, i == 0);
            game.undo(undo);
            let Some(found) = found else {
                aborted = true;
                break;
            };
            complete &= found.complete;
            if found.score > best.score {
                best = found;
                best_action = Some(action);
                if found.score > alpha {
                    self.extend_pv(ply, action);
                }
                lower = lower.max(found.score);
            }
            // Nothing beats a certain win; and what refutes the line before is enough.
            if best.score >= 1.0 || lower >= beta {
                complete = best.complete;
                if self.rules.ordering {
                    self.remember(seat, action, ply, left.depth);
                }
                break;
            }
        }
        ordered.clear();
        self.memory.plies[ply].ordered = ordered;
        if aborted {
            return None;
        }
        if best_action.is_none() {
            // No legal action though the game goes on: against the contract; the evaluation is all there is.
            return Some(self.leaf(game, side));
        }
        if stored {
            let bound = bound(best.score, span);
            let hint = if bound == Bound::Upper { hint.or(best_action) } else { best_action };
            self.memory.table.put(key, best.score, hint, left.depth, bound, complete);
        }
        Some(Found { score: best.score, complete })
    }

    fn extend_pv(&mut self, ply: usize, action: G::Action) {
        let mut pv = std::mem::take(&mut self.memory.plies[ply].pv);
        pv.clear();
        pv.push(action);
        if let Some(next) = self.memory.plies.get(ply + 1) {
            pv.extend_from_slice(&next.pv);
        }
        self.memory.plies[ply].pv = pv;
    }

    /// Whether `seat` is of the side of seat 0 (in a duel) or of the seat that stands alone.
    pub(crate) fn side(&self, seat: Seat) -> bool {
        match self.rules.sides {
            Sides::Duel => seat == 0,
            Sides::Alone(alone) => seat == alone,
        }
    }

    fn score(&self, payoff: &Payoff, side: bool) -> f64 {
        let score = match self.rules.sides {
            Sides::Duel => payoff.of(0) - payoff.of(1),
            Sides::Alone(alone) => 2.0 * payoff.of(alone) - 1.0,
        };
        // The bounds of scores are relied on; an evaluation outside of them breaks its contract.
        let score = score.clamp(-1.0, 1.0);
        if side { score } else { -score }
    }

    /// A score of the root's side as utilities of all seats.
    fn utility(&self, state: &G, seat: Seat, score: f64, pv: &[G::Action]) -> Payoff {
        let own = 0.5 + 0.5 * score;
        match self.rules.sides {
            Sides::Duel => {
                let mut payoff = Payoff::uniform(2, 1.0 - own);
                payoff.set(seat, own);
                payoff
            }
            // The search knows nothing of how the others share the rest: that is read off the end of the expected line.
            Sides::Alone(_) => {
                let mut game = state.clone();
                for &action in pv {
                    if game.try_apply(action).is_err() {
                        break;
                    }
                }
                let mut payoff = game.utility();
                if !game.turn().is_terminal()
                    && let Some(evaluation) = self.knowledge.evaluate(&game)
                {
                    payoff = evaluation;
                }
                payoff.set(seat, own);
                payoff
            }
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
        let mut found: Vec<&RootAction<G::Action>> = roots.iter().filter(|r| r.depth > 0).collect();
        // The first is the best and stays first: a bound of another may equal its value without being it.
        let fixed = usize::from(!self.rules.all_rows);
        if let Some(rest) = found.get_mut(fixed..) {
            rest.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.action.cmp(&b.action)));
        }
        let players = state.meta().players;
        let visits = self.limit.visits();
        let rows = found
            .into_iter()
            .map(|root| {
                let exact = root.bound == Bound::Exact;
                let mut pv = root.pv.clone();
                self.lengthen(state, &mut pv, depth as usize);
                Row {
                    action: root.action,
                    visits: root.visits,
                    availability: visits,
                    prior: None,
                    utility: self.utility(state, seat, root.score, &pv),
                    utility_error: Payoff::uniform(players, if exact { 0.0 } else { 0.5 }),
                    returns: None,
                    pv,
                    pv_visits: Vec::new(),
                    proven: exact && root.complete && !self.pruned,
                }
            })
            .collect();
        Report {
            seat,
            rows,
            visits,
            nodes: self.memory.table.len() as u64,
            bytes: self.memory.table.bytes() as u64,
            depth,
            elapsed: self.limit.elapsed(),
            stop,
        }
    }

    /// Continues a line that was cut short by the table.
    fn lengthen(&self, state: &G, pv: &mut Vec<G::Action>, depth: usize) {
        let mut game = state.clone();
        for i in 0..depth {
            if i >= pv.len() {
                let known =
                    if game.turn().seat().is_some() { self.memory.table.get(game.transposition_key()) } else { None };
                match known {
                    Some(entry) if entry.bound == Bound::Exact => pv.extend(entry.best),
                    _ => return,
                }
            }
            match pv.get(i) {
                Some(&action) if game.try_apply(action).is_ok() => {}
                _ => return pv.truncate(i),
            }
        }
    }
}

/// What a score says that was found with a window. The extreme scores are exact wherever they are found: a window never starts
/// at the highest score or ends at the lowest.
fn bound(score: f64, span: Span) -> Bound {
    if score.abs() >= 1.0 || (score > span.alpha && score < span.beta) {
        Bound::Exact
    } else if score <= span.alpha {
        Bound::Upper
    } else {
        Bound::Lower
    }
}
