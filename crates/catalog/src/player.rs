//! A typed search behind the erased player interface.

use std::sync::atomic::Ordering;

use kiebitz_core::{
    Analysis, Budget, Candidate, DynGame, DynPlayer, Estimate, Game, Knowledge, Luck, Notation, Overview, Payoff,
    PlayerError, PlayerSpec, Reason, Scratch, Seat, Seen, Session, Step, Thinking, Turn,
};
use kiebitz_search::{Context, Report, Restriction, Row, Search, registry};

/// Purposes of [`Luck::stream`] used here.
const STREAM_REASONS: u64 = 0x7265_6173;
const STREAM_OVERVIEW: u64 = 0x6f76_6572;
/// The search for what the opponents threaten is at most this long.
const MAX_THREAT_VISITS: u64 = 2_000;
/// A move with fewer simulations tells nothing that a sentence could repeat: their spread is hardly known.
const ENOUGH_VISITS: u64 = 10;

/// A search for the game `G` with its knowledge `K`, playing sessions whose type is erased.
pub(crate) struct Erased<G: Notation, K: Knowledge<G>> {
    pub(crate) spec: PlayerSpec,
    pub(crate) search: Box<dyn Search<G>>,
    /// With the settings of the spec, as the search has it.
    pub(crate) knowledge: K,
    /// The budget of the spec.
    pub(crate) budget: Budget,
    /// The spec's own seed, mixed into the caller's.
    pub(crate) seed: u64,
    /// The game the search last saw, and for which seat, so that it can be told what was played since: the number of steps and
    /// their digest, for comparing or copying all of them at every move would take long in long games.
    pub(crate) followed: (usize, u64),
    pub(crate) seat: Option<Seat>,
    pub(crate) scratch: Scratch<G, K::Buffer>,
}

impl<G: Notation, K: Knowledge<G> + Clone + 'static> Erased<G, K> {
    /// Tells the search what was played since the last run, or that this is another game.
    fn follow(&mut self, session: &Session<G>, seat: Seat, any_seat: bool) {
        let history = session.history();
        let (known, digest) = self.followed;
        let any_seat = any_seat && !session.state().meta().hidden && self.search.serves_any_seat();
        let same_seat = self.seat == Some(seat) || (any_seat && self.seat.is_some());
        let continues = same_seat && session.digest(known) == Some(digest);
        let only_actions = continues && history[known..].iter().all(|s| matches!(s, Step::Action { .. }));
        if only_actions {
            // A search of a game with hidden information is told only that time has passed.
            let hidden = session.state().meta().hidden;
            for step in &history[known..] {
                match step {
                    Step::Action { action, .. } if !hidden => self.search.observe(*action),
                    _ => self.search.reset(),
                }
            }
        } else {
            self.search.reset();
        }
        self.followed = (history.len(), session.digest(history.len()).unwrap_or_default());
        self.seat = Some(seat);
    }

    /// What the next player would do if the seat did nothing: subject the action, numbers what the seat would lose by it in
    /// utility and (where known) returns, against its best action. `None` where the loss is not above its standard error, and
    /// where either is known from a few simulations only.
    fn threat(&self, seen: &Seen<G>, report: &Report<G>, thinking: &Thinking<'_>) -> Option<Reason> {
        let nothing = self.knowledge.null_action(seen.sample_world())?;
        let best = report.rows.first().filter(|row| row.action != nothing)?;
        let after = seen.after(nothing)?;
        let mut search = registry::build::<G, K>(&self.spec, &self.knowledge, &[]).ok()?.search;
        let visits = (report.visits / 4).clamp(1, MAX_THREAT_VISITS);
        let context = Context::new(Budget::visits(visits), thinking.clock, thinking.stop, thinking.seed);
        let reply = search.run(&after, &context).ok()?;
        // A pass in answer threatens nothing.
        let row = reply.rows.first().filter(|row| row.action != nothing)?;
        let seat = seen.seat();
        if !is_told(best, seat) || !is_told(row, seat) {
            return None;
        }
        let errors = |one: f64, other: f64| (one * one + other * other).sqrt();
        let utility = best.utility.of(seat) - row.utility.of(seat);
        let mut numbers = vec![("utility", utility)];
        let mut loss = (utility, errors(best.utility_error.of(seat), row.utility_error.of(seat)));
        let (mine, theirs) = (returns(best, seat), returns(row, seat));
        if let (Some(mine), Some(theirs)) = (mine, theirs) {
            loss = (mine.mean - theirs.mean, errors(mine.error, theirs.error));
            numbers.push(("points", loss.0));
            numbers.push(("error", loss.1));
        }
        if loss.0 <= loss.1 {
            return None;
        }
        Some(Reason::new("threat", [after.sample_world().action_text(row.action)], numbers))
    }

    fn analysis(&self, state: &G, report: &Report<G>) -> Analysis {
        Analysis {
            seat: report.seat,
            player: self.spec.to_string(),
            visits: report.visits,
            seconds: report.elapsed.as_secs_f64(),
            candidates: report.rows.iter().map(|row| candidate(state, row)).collect(),
            details: Default::default(),
        }
    }
}

/// The session behind `game`, and the seat that decides there.
fn decision<G: Notation>(game: &dyn DynGame) -> Result<(&Session<G>, Seat), PlayerError> {
    let Some(session) = game.as_any().downcast_ref::<Session<G>>() else {
        let message = format!("this player was made for {}, not for {}", G::ID, game.id());
        return Err(PlayerError::new("player.game", message));
    };
    match session.turn() {
        Turn::Seat(seat) => Ok((session, seat)),
        _ => Err(PlayerError::new("player.turn", "it is not a player's turn, there is nothing to decide")),
    }
}

fn estimates(mean: &Payoff, error: &Payoff) -> Vec<Estimate> {
    mean.as_slice().iter().zip(error.as_slice()).map(|(&mean, &error)| Estimate { mean, error }).collect()
}

/// The legal actions among these texts.
fn allowed<G: Notation>(state: &G, texts: &[String]) -> Result<Vec<G::Action>, PlayerError> {
    let actions = texts.iter().filter_map(|text| state.parse_action(text).ok());
    let legal: Vec<G::Action> = actions.filter(|&action| state.is_legal(action)).collect();
    if legal.is_empty() {
        return Err(PlayerError::new("player.only", "none of the actions it may choose from is legal"));
    }
    Ok(legal)
}

/// The text of a line, each action written in the state it is played in. `world` is one the seat holds possible; the line stops
/// where it is not legal there.
fn line_text<G: Notation>(world: &G, pv: &[G::Action]) -> Vec<String> {
    let mut world = world.clone();
    let mut texts = Vec::with_capacity(pv.len());
    for &action in pv {
        if !world.is_legal(action) {
            break;
        }
        texts.push(world.action_text(action));
        world.apply(action);
    }
    texts
}

/// Restrictions with actions of the game.
fn restrictions<G: Notation>(world: &G, given: &[kiebitz_core::Restriction]) -> Vec<Restriction<G::Action>> {
    let typed = |r: &kiebitz_core::Restriction| Restriction {
        seat: r.seat,
        actions: r.actions.iter().filter_map(|text| world.parse_action(text).ok()).collect(),
        only: r.only,
        plies: r.plies,
    };
    given.iter().map(typed).collect()
}

/// Whether a root action may be chosen.
fn is_allowed<G: Game>(report: &Report<G>, restrictions: &[Restriction<G::Action>], row: &Row<G::Action>) -> bool {
    restrictions.iter().all(|r| r.allows(0, report.seat, &row.action))
}

/// Whether the values of an action rest on enough simulations, or are exact.
fn is_told<A>(row: &Row<A>, seat: Seat) -> bool {
    row.proven || row.utility_error.of(seat) == 0.0 || row.visits >= ENOUGH_VISITS
}

/// The returns of a seat; `None` where they are those of a single simulation, whose error is told as 0.5.
fn returns<A>(row: &Row<A>, seat: Seat) -> Option<Estimate> {
    let estimate = row.returns.map(|(mean, error)| Estimate { mean: mean.of(seat), error: error.of(seat) });
    estimate.filter(|e| row.proven || e.error != 0.5)
}

fn candidate<G: Notation>(world: &G, row: &Row<G::Action>) -> Candidate {
    Candidate {
        action: world.action_text(row.action),
        visits: row.visits,
        prior: row.prior,
        utility: estimates(&row.utility, &row.utility_error),
        returns: row.returns.map(|(mean, error)| estimates(&mean, &error)).unwrap_or_default(),
        pv: line_text(world, &row.pv),
        pv_visits: row.pv_visits.clone(),
        proven: row.proven,
        reasons: Vec::new(),
    }
}

impl<G: Notation, K: Knowledge<G> + Clone + 'static> DynPlayer for Erased<G, K> {
    fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    fn analyze(&mut self, game: &dyn DynGame, thinking: &Thinking<'_>) -> Result<Analysis, PlayerError> {
        let (session, seat) = decision::<G>(game)?;
        let only = thinking.only.map(|texts| allowed(session.state(), texts)).transpose()?;
        self.follow(session, seat, thinking.any_seat);
        let seed = thinking.seed ^ self.seed.rotate_left(17);
        let seen: Seen<G> = session.seen(seat, seed);
        let budget = if thinking.hard { thinking.budget } else { self.budget.or(thinking.budget) };
        let mut context = Context::new(budget, thinking.clock, thinking.stop, seed);
        context.progress_every = thinking.progress_every;
        context.maximum = thinking.maximum.filter(|_| thinking.hard);
        let mut restrictions = restrictions(seen.sample_world(), thinking.restrictions);
        restrictions.extend(only.as_ref().map(|only| Restriction {
            seat,
            actions: only.clone(),
            only: true,
            plies: 1,
        }));
        context.restrictions = &restrictions;
        let report = match thinking.progress {
            None => self.search.run(&seen, &context),
            Some(progress) => {
                let spec = self.spec.to_string();
                let forward = |report: &Report<G>| {
                    let rows = report.rows.iter().filter(|row| is_allowed(report, &restrictions, row));
                    if !restrictions.is_empty() && rows.clone().next().is_none() {
                        // Nothing that may be chosen has been looked at yet.
                        return;
                    }
                    progress(&Analysis {
                        seat: report.seat,
                        player: spec.clone(),
                        visits: report.visits,
                        seconds: report.elapsed.as_secs_f64(),
                        candidates: rows.map(|row| candidate(seen.sample_world(), row)).collect(),
                        details: Default::default(),
                    });
                };
                context.progress = Some(&forward);
                self.search.run(&seen, &context)
            }
        };
        let mut report = report.map_err(|e| PlayerError::new(e.code(), e.to_string()))?;
        if !restrictions.is_empty() {
            let rows: Vec<_> =
                report.rows.iter().filter(|row| is_allowed(&report, &restrictions, row)).cloned().collect();
            if rows.is_empty() {
                let message =
                    "the search has looked at none of the actions it may choose from; it needs more visits or time";
                return Err(PlayerError::new("player.only", message));
            }
            report.rows = rows;
        }
        let mut analysis = self.analysis(seen.sample_world(), &report);
        if !thinking.reasons_after_stop && thinking.stop.load(Ordering::Relaxed) {
            return Ok(analysis);
        }
        let mut rng = Luck::new(seed).stream(STREAM_REASONS, session.history().len() as u64);
        // Reasons cost playouts: who wants the player to stop does not wait for them.
        let stopped = || thinking.stop.load(Ordering::Relaxed);
        for (row, candidate) in report.rows.iter().zip(&mut analysis.candidates).take(thinking.reasons) {
            if stopped() {
                break;
            }
            let returns = returns(row, seat).filter(|_| is_told(row, seat));
            candidate.reasons = self.knowledge.reasons(&seen, row.action, returns, &mut rng, &mut self.scratch);
        }
        if thinking.reasons > 0 && !stopped() {
            analysis.details = self.knowledge.details(&seen, &mut rng, &mut self.scratch);
            if let Some(threat) = self.threat(&seen, &report, thinking) {
                analysis.candidates[0].reasons.push(threat);
            }
        }
        Ok(analysis)
    }

    fn overview(&mut self, game: &dyn DynGame, thinking: &Thinking<'_>) -> Result<Overview, PlayerError> {
        let (session, seat) = decision::<G>(game)?;
        let seed = thinking.seed ^ self.seed.rotate_left(17);
        let seen: Seen<G> = session.seen(seat, seed);
        let mut rng = Luck::new(seed).stream(STREAM_OVERVIEW, session.history().len() as u64);
        let details = self.knowledge.details(&seen, &mut rng, &mut self.scratch);
        let world = seen.sample_world();
        let mut actions = Vec::new();
        world.actions(&mut actions);
        let mut priors = vec![0.0; actions.len()];
        self.knowledge.prior(world, &actions, &mut priors);
        let priors = actions.iter().zip(priors).map(|(&a, p)| (world.action_text(a), f64::from(p))).collect();
        Ok(Overview { details, priors })
    }

    fn reset(&mut self) {
        self.search.reset();
        self.followed = (0, 0);
        self.seat = None;
    }
}
