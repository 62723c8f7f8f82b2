//! One decision: time, search, judgement.

use std::time::Duration;

use kiebitz_core::{Analysis, Budget, Candidate, Estimate, PlayerError, Seat, Session, Thinking};
use kiebitz_go::status::{Assessment, Status};
use kiebitz_go::{Color, Go, Move, Point};
use std::sync::atomic::{AtomicBool, Ordering};

use super::pass::{HOPELESS, Standing, Verdict};
use super::{Action, Decision, DynamicKomi, GoMind, Request, cancelled, time};
use crate::clock::ClockState;

/// The part of the points that has to be occupied before anyone asks whether everything is settled.
const LATE: f64 = 0.4;
/// An assessment is made when it is expected to take at most this part of the time.
const ASSESSMENT_SHARE: u32 = 3;
/// It is given up when it has taken this part of the time: what one costs is known only when one was made.
const MOST_ASSESSMENT_SHARE: u32 = 2;
/// A move the mind prefers may win so much less often than the search's best.
const TOLERANCE: f64 = 0.05;
/// The opponent's best answer to a pass may win so often, or so much oftener than the pass assumes.
const ANSWER: (f64, f64) = (0.1, 0.05);
/// Visits to find the opponent's best answer: this part of a search, at most and at least so many.
const ANSWER_VISITS: (u64, u64, u64) = (4, 50, 5_000);

/// What one decision needs all the time.
struct Turn<'a> {
    go: &'a Go,
    color: Color,
    seat: Seat,
    start: Duration,
    /// Time to think and at most; `None` without a limit of time.
    time: Option<(Duration, Duration)>,
}

impl GoMind {
    pub(super) fn decide(
        &mut self,
        session: &Session<Go>,
        clock: &ClockState,
        request: &Request<'_>,
        start: Duration,
    ) -> Result<Decision, PlayerError> {
        let go = session.state();
        let color = go.to_move();
        let seat = color.index() as Seat;
        let budget = self.budget(go, clock, request);
        let time = budget.and_then(|(budget, maximum)| budget.time.map(|time| (time, maximum.unwrap_or(time))));
        let turn = Turn { go, color, seat, start, time };
        let judge = self.options.judge_passes && request.only.is_none() && request.restrictions.is_empty();
        let passed = go.last_move().is_some_and(|(by, mv)| by != color && mv.is_pass());
        let late = (go.board().count(Color::Black) + go.board().count(Color::White)) as f64
            >= LATE * go.size().points() as f64;
        let mut standing = None;
        if request.cleanup {
            standing = Some(Standing::of(go, self.assess(go, request)?));
        } else if judge && (passed || late) && self.can_afford_assessment(&turn) {
            standing = self.standing(&turn, request)?;
        }
        if let Some(standing) = &standing
            && judge
            && !request.cleanup
            && standing.wins_by_passing()
        {
            return Ok(self.pass_at_once(&turn, standing.certain));
        }
        self.begin_komi(go, request)?;
        let only = if request.cleanup { self.cleanup_moves(go, request)? } else { None };
        let budget = budget.map(|(budget, maximum)| self.rest_of(&turn, budget, maximum));
        let mut analysis = self.search(session, request, budget, only.as_deref())?;
        if request.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(cancelled());
        }
        let found = Found::of(&analysis, seat);
        if judge && standing.is_none() && found.wants_pass && self.can_afford_assessment(&turn) {
            standing = self.standing(&turn, request)?;
        }
        let mut chosen = analysis.candidates.first().map(|c| c.action.clone()).unwrap_or_default();
        if request.cleanup {
            // The moves were chosen before the search; without any, nothing dead is left or none can be played.
            if only.is_none() {
                chosen = match self.assessor.known(go).is_some_and(|opinion| has_dead_enemy(opinion, color)) {
                    true => found.other.clone().map_or("pass".to_owned(), |(action, _)| action),
                    false => "pass".to_owned(),
                };
            }
        } else if judge {
            chosen = match &standing {
                Some(standing) => self.judged(session, &turn, request, standing, &found, &analysis),
                // Nobody looked at the stones: a pass needs the literal score.
                None if found.wants_pass => match &found.other {
                    Some((action, value)) if margin_for(go, color) <= 0 && *value >= HOPELESS => action.clone(),
                    _ => chosen,
                },
                None => chosen,
            };
        }
        put_first(&mut analysis, &chosen);
        self.follow_komi(go, &analysis, seat);
        let mut action = match Move::parse(&chosen, go.size()) {
            Ok(mv) if mv.is_pass() => Action::Pass,
            Ok(mv) => Action::Play(mv),
            Err(e) => return Err(PlayerError::new("player.illegal", e.to_string())),
        };
        if self.resigns(&turn, &analysis, found.best) {
            action = Action::Resign;
        }
        let dead = (action == Action::Pass).then(|| self.assessor.known(go).map(Assessment::dead)).flatten();
        Ok(self.decision(&turn, action, analysis, dead))
    }

    fn decision(&self, turn: &Turn<'_>, action: Action, analysis: Analysis, dead: Option<Vec<Point>>) -> Decision {
        let elapsed = self.clock.now().saturating_sub(turn.start);
        Decision { action, analysis, dead, elapsed, allowed: turn.time.map(|(_, most)| most) }
    }

    /// The budget where the request or the clock give one: it overrides the player's own, but for a limit of visits that the spec
    /// has set.
    fn budget(&self, go: &Go, clock: &ClockState, request: &Request<'_>) -> Option<(Budget, Option<Duration>)> {
        if let Some(budget) = request.budget {
            return Some((budget, None));
        }
        let seat = go.to_move().index() as Seat;
        let allocation = time::allocate(go, clock, seat, self.options.lag)?;
        let visits = self.spec.settings.get("visits").and_then(|text| text.replace('_', "").parse().ok());
        let mut target = allocation.target;
        // A time set in the spec is a wish, the clock is the law.
        if let Some(wish) = self.spec.settings.get("time").and_then(|text| kiebitz_core::parse_duration(text)) {
            target = target.min(wish);
        }
        let maximum = if self.options.extend { allocation.maximum.min(2 * target) } else { target };
        Some((Budget { visits, time: Some(target) }, Some(maximum)))
    }

    /// What is left of the budget after what was done before the search.
    fn rest_of(&self, turn: &Turn<'_>, budget: Budget, maximum: Option<Duration>) -> (Budget, Option<Duration>) {
        let spent = self.clock.now().saturating_sub(turn.start);
        let time = budget.time.map(|time| time.saturating_sub(spent).max(kiebitz_search::timing::LEAST));
        (Budget { time, ..budget }, maximum.map(|maximum| maximum.saturating_sub(spent)))
    }

    fn can_afford_assessment(&self, turn: &Turn<'_>) -> bool {
        let Some((target, maximum)) = turn.time else { return true };
        let spent = self.clock.now().saturating_sub(turn.start);
        let cost = self.assessor.expected_cost(turn.go);
        cost * ASSESSMENT_SHARE <= target && cost <= maximum.saturating_sub(spent)
    }

    /// What passing would bring; `None` when finding out takes too long.
    fn standing(&mut self, turn: &Turn<'_>, request: &Request<'_>) -> Result<Option<Standing>, PlayerError> {
        let idle = AtomicBool::new(false);
        let cancel = request.cancel.unwrap_or(&idle);
        let until = turn
            .time
            .map(|(target, maximum)| (self.clock.now() + target / MOST_ASSESSMENT_SHARE).min(turn.start + maximum));
        match self.assessor.assess_until(cancel, until, turn.go, self.clock.as_ref()) {
            Some(opinion) => Ok(Some(Standing::of(turn.go, opinion))),
            None if cancel.load(Ordering::Relaxed) => Err(cancelled()),
            None => Ok(None),
        }
    }

    fn assess(&mut self, go: &Go, request: &Request<'_>) -> Result<&Assessment, PlayerError> {
        let idle = AtomicBool::new(false);
        let cancel = request.cancel.unwrap_or(&idle);
        self.assessor.assess_unless(cancel, go, self.clock.as_ref()).ok_or_else(cancelled)
    }

    /// The decision where the opponent has passed and the count is beyond doubt.
    fn pass_at_once(&self, turn: &Turn<'_>, margin: i32) -> Decision {
        let certain = |mean: f64| Estimate { mean, error: 0.0 };
        let seat = usize::from(turn.seat);
        let (mut utility, mut returns) = (vec![certain(0.0); 2], vec![certain(0.0); 2]);
        utility[seat] = certain(1.0);
        let points = f64::from(margin) / 4.0;
        (returns[seat], returns[1 - seat]) = (certain(points), certain(-points));
        let pv = vec!["pass".to_owned()];
        let candidate = Candidate {
            action: "pass".to_owned(),
            visits: 0,
            prior: None,
            utility,
            returns,
            pv,
            pv_visits: Vec::new(),
            proven: false,
            reasons: Vec::new(),
        };
        let analysis = Analysis {
            seat: turn.seat,
            player: self.spec.to_string(),
            visits: 0,
            seconds: self.clock.now().saturating_sub(turn.start).as_secs_f64(),
            candidates: vec![candidate],
            details: Default::default(),
        };
        let dead = self.assessor.known(turn.go).map(Assessment::dead);
        self.decision(turn, Action::Pass, analysis, dead)
    }

    /// The text of the move to play, by the standing and what the search found.
    fn judged(
        &mut self,
        session: &Session<Go>,
        turn: &Turn<'_>,
        request: &Request<'_>,
        standing: &Standing,
        found: &Found,
        analysis: &Analysis,
    ) -> String {
        let play = || match &found.other {
            Some((action, _)) => action.clone(),
            None => "pass".to_owned(),
        };
        let seat = usize::from(turn.seat);
        let fine =
            |c: &Candidate| c.utility.get(seat).is_some_and(|u| u.mean + TOLERANCE >= found.best || u.mean > 0.95);
        let names = |points: &[Point]| points.iter().map(|p| p.text(turn.go.size()).to_string()).collect::<Vec<_>>();
        let verdict = standing.judge(found.wants_pass, found.best, found.other.as_ref().map(|(_, value)| *value));
        match &verdict {
            Verdict::Pass => return "pass".to_owned(),
            Verdict::Play => return play(),
            Verdict::PlayOneOf(points) => {
                let wanted = names(points);
                let good = analysis.candidates.iter().find(|c| wanted.contains(&c.action) && fine(c));
                return good.map_or_else(play, |c| c.action.clone());
            }
            Verdict::Fill(points) => {
                let wanted = names(points);
                // One that the search never looked at is as good as any.
                let unknown = wanted.iter().find(|name| analysis.candidate(name).is_none()).cloned();
                let good = analysis.candidates.iter().find(|c| wanted.contains(&c.action) && fine(c));
                if let Some(text) = good.map(|c| c.action.clone()).or(unknown) {
                    return text;
                }
            }
            Verdict::PassIfSafe => {}
        }
        if standing.ends || found.wants_pass || self.is_safe_to_pass(session, turn, request, found, analysis) {
            "pass".to_owned()
        } else {
            play()
        }
    }

    /// Whether the opponent's best answer to a pass, a pass in return excepted, does no harm.
    fn is_safe_to_pass(
        &mut self,
        session: &Session<Go>,
        turn: &Turn<'_>,
        request: &Request<'_>,
        found: &Found,
        analysis: &Analysis,
    ) -> bool {
        let mut after = session.clone();
        if after.play(Move::PASS).is_err() || after.turn().is_terminal() {
            return true;
        }
        let answers: Vec<Move> = {
            let mut moves = Vec::new();
            kiebitz_core::Game::actions(after.state(), &mut moves);
            moves.into_iter().filter(|mv| mv.point().is_some_and(|p| !is_eye(after.state(), p))).collect()
        };
        if answers.is_empty() {
            return true;
        }
        let (part, least, most) = ANSWER_VISITS;
        let visits = (analysis.visits / part).clamp(least, most);
        let left = turn.time.map(|(_, maximum)| maximum.saturating_sub(self.clock.now().saturating_sub(turn.start)));
        if left.is_some_and(|left| left < Duration::from_millis(2)) {
            // No time to look: play on.
            return false;
        }
        if self.second.is_none() {
            self.second = (self.build)().ok();
        }
        let idle = AtomicBool::new(false);
        // A request for the move at once cuts the search short, not this: without it nobody would ever pass then.
        let stop = request.cancel.unwrap_or(&idle);
        let seed = self.search_seed(&after);
        let mut thinking = Thinking::new(Budget { visits: Some(visits), time: left }, self.clock.as_ref(), stop, seed);
        let only = super::texts(after.state(), &answers);
        (thinking.hard, thinking.only) = (true, Some(only.as_slice()));
        let Some(second) = &mut self.second else { return false };
        second.reset();
        let Ok(answer) = second.analyze(&after, &thinking) else { return false };
        second.reset();
        if stop.load(Ordering::Relaxed) {
            // What was cut short says nothing.
            return false;
        }
        let other = usize::from(1 - turn.seat);
        let theirs = answer.best().and_then(|c| c.utility.get(other)).map_or(1.0, |u| u.mean);
        theirs <= ANSWER.0.max(1.0 - found.best + ANSWER.1)
    }

    /// Moves that take dead enemy stones off the board; `None` when there are none to take or none to play.
    fn cleanup_moves(&mut self, go: &Go, request: &Request<'_>) -> Result<Option<Vec<Move>>, PlayerError> {
        let standing = Standing::of(go, self.assess(go, request)?);
        let moves = |points: &[Point]| points.iter().map(|&p| Move::from(p)).collect::<Vec<_>>();
        Ok((standing.dead_enemies && !standing.attack.is_empty()).then(|| moves(&standing.attack)))
    }

    fn resigns(&mut self, turn: &Turn<'_>, analysis: &Analysis, win_rate: f64) -> bool {
        let Some(rule) = self.options.resign else { return false };
        if analysis.visits == 0 || !self.hopeless.note(&rule, turn.go, turn.color, win_rate) {
            return false;
        }
        // A search under friendly rules may not know that the opponent's stones are dead.
        let sign = if turn.color == Color::Black { 1 } else { -1 };
        self.assessor.known(turn.go).is_none_or(|opinion| sign * opinion.score(turn.go).margin() <= 0)
    }

    fn begin_komi(&mut self, go: &Go, request: &Request<'_>) -> Result<(), PlayerError> {
        if !self.options.dynamic_komi || !DynamicKomi::applies(go) || !self.komi.is_new(go) {
            return Ok(());
        }
        let margin = go.expected_margin(&self.assess(go, request)?.ownership);
        if self.komi.begin(go, margin) {
            self.player.lock().reset();
        }
        Ok(())
    }

    fn follow_komi(&mut self, go: &Go, analysis: &Analysis, seat: Seat) {
        if !self.options.dynamic_komi || go.options().handicap < 2 {
            return;
        }
        let Some(best) = analysis.best() else { return };
        let of = |list: &[Estimate]| list.get(usize::from(seat)).map(|e| e.mean);
        let Some(win_rate) = of(&best.utility) else { return };
        if self.komi.follow(go, go.to_move(), win_rate, of(&best.returns)) {
            // What the tree holds was counted with the other komi.
            self.player.lock().reset();
        }
    }
}

/// What a search found, as far as passing is concerned.
struct Found {
    /// The best move is the pass.
    wants_pass: bool,
    /// The win rate of the best move.
    best: f64,
    /// The best move that is no pass, and its win rate.
    other: Option<(String, f64)>,
}

impl Found {
    fn of(analysis: &Analysis, seat: Seat) -> Self {
        let value = |c: &Candidate| c.utility.get(usize::from(seat)).map_or(0.5, |u| u.mean);
        let other = analysis.candidates.iter().find(|c| c.action != "pass");
        Found {
            wants_pass: analysis.best().is_some_and(|c| c.action == "pass"),
            best: analysis.best().map_or(0.5, value),
            other: other.map(|c| (c.action.clone(), value(c))),
        }
    }
}

/// The literal margin of a colour in quarter points.
fn margin_for(go: &Go, color: Color) -> i32 {
    if color == Color::Black { go.margin() } else { -go.margin() }
}

fn has_dead_enemy(opinion: &Assessment, color: Color) -> bool {
    opinion.chains.iter().any(|chain| chain.color != color && chain.status == Status::Dead)
}

/// Whether all neighbours of an open point are stones of the colour to move.
fn is_eye(go: &Go, point: Point) -> bool {
    go.size().neighbors(point).all(|n| go.board().stone(n) == Some(go.to_move()))
}

/// Moves the chosen action to the front; one that the search did not look at gets the values of the position.
fn put_first(analysis: &mut Analysis, action: &str) {
    match analysis.candidates.iter().position(|c| c.action == action) {
        Some(at) => analysis.candidates[..=at].rotate_right(1),
        None => {
            let (utility, returns) =
                analysis.best().map(|c| (c.utility.clone(), c.returns.clone())).unwrap_or_default();
            let pv = vec![action.to_owned()];
            let first = Candidate {
                action: action.to_owned(),
                visits: 0,
                prior: None,
                utility,
                returns,
                pv,
                pv_visits: Vec::new(),
                proven: false,
                reasons: Vec::new(),
            };
            analysis.candidates.insert(0, first);
        }
    }
}
