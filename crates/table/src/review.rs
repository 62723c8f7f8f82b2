//! Looking at a whole game in the background: first coarsely, so that the graph is there soon, then finely, then for reasons.

use std::sync::Arc;

use kiebitz_catalog::Entry;
use kiebitz_core::record::{ReadRecord, Record};
use kiebitz_core::{Budget, PlayerError, Thinking};
use kiebitz_play::WallClock;
use kiebitz_play::review::{MoveReview, Review, ReviewError, ReviewOptions, count_moves, review};

use crate::protocol::common::{Measured, ReasonData};
use crate::protocol::http::{ReviewState, ReviewedMove};
use crate::queue::{Control, Turned, Work};

/// Moves looked at between two looks at who else waits, in the coarse pass.
const COARSE_CHUNK: usize = 4;
/// For so many of the worst moves reasons are given.
const WORST: usize = 5;

/// A review that has not begun.
pub fn none(v: u32) -> ReviewState {
    ReviewState {
        status: "none".to_owned(),
        pass: "coarse".to_owned(),
        done: 0,
        total: 0,
        v,
        player: String::new(),
        moves: Vec::new(),
        worst: Vec::new(),
        error: None,
    }
}

/// Where the state of a review goes as it gets further.
pub type Tell = Arc<dyn Fn(ReviewState) + Send + Sync>;

struct Job {
    entry: &'static Entry,
    read: ReadRecord,
    state: ReviewState,
    visits: [u64; 2],
    /// How many of the worst moves have their reasons.
    explained: usize,
    tell: Tell,
}

/// The work of a review, from where `state` left it.
pub fn work(entry: &'static Entry, record: Record, state: ReviewState, visits: [u64; 2], tell: Tell) -> Work {
    let line_numbers = (0..record.lines.len()).map(|i| i + 2).collect();
    let read = ReadRecord { record, line_numbers, warnings: Vec::new() };
    let mut job = Job { entry, read, state, visits, explained: 0, tell };
    Box::new(move |control| job.run(control))
}

impl Job {
    fn run(&mut self, control: &Control) -> Turned {
        match self.step(control) {
            Ok(turned) => turned,
            Err(error) => {
                self.state.status = "failed".to_owned();
                self.state.error = Some(error.to_string());
                (self.tell)(self.state.clone());
                Turned::Done
            }
        }
    }

    fn step(&mut self, control: &Control) -> Result<Turned, ReviewError> {
        if self.state.total == 0 {
            self.state.total = count_moves(&self.read)? as u32;
        }
        self.state.status = "running".to_owned();
        let pass = match self.state.pass.as_str() {
            "coarse" => 0,
            "fine" => 1,
            _ => return Ok(Turned::Done),
        };
        if self.state.done >= self.state.total {
            return self.next_pass(pass, control);
        }
        let from = self.state.done as usize + 1;
        let to = if pass == 0 { from + COARSE_CHUNK - 1 } else { from };
        let found = self.look(from, to, self.visits[pass], 0, control)?;
        if control.stop.load(std::sync::atomic::Ordering::Relaxed) {
            // What was cut short is not to be trusted: it is looked at again.
            return Ok(if control.is_cancelled() { Turned::Done } else { Turned::More });
        }
        self.state.player = found.player;
        for entry in &found.moves {
            let moved = reviewed(entry, if pass == 0 { "coarse" } else { "fine" });
            match self.state.moves.iter_mut().find(|m| m.number == moved.number) {
                Some(old) => *old = moved,
                None => self.state.moves.push(moved),
            }
        }
        self.state.done = (self.state.done + (to + 1 - from) as u32).min(self.state.total);
        self.rank();
        (self.tell)(self.state.clone());
        Ok(Turned::More)
    }

    fn next_pass(&mut self, pass: usize, control: &Control) -> Result<Turned, ReviewError> {
        if pass == 0 {
            self.state.pass = "fine".to_owned();
            self.state.done = 0;
            (self.tell)(self.state.clone());
            return Ok(Turned::More);
        }
        if let Some(&index) = self.state.worst.get(self.explained).filter(|_| self.explained < WORST) {
            let number = self.state.moves[index as usize].number as usize;
            let found = self.look(number, number, self.visits[1], 1, control)?;
            if control.stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Ok(if control.is_cancelled() { Turned::Done } else { Turned::More });
            }
            if let Some(entry) = found.moves.first() {
                self.state.moves[index as usize].reasons = entry.reasons.iter().map(ReasonData::from).collect();
            }
            self.explained += 1;
            return Ok(Turned::More);
        }
        self.state.pass = "complete".to_owned();
        self.state.status = "complete".to_owned();
        (self.tell)(self.state.clone());
        Ok(Turned::Done)
    }

    fn look(
        &self,
        from: usize,
        to: usize,
        visits: u64,
        worst: usize,
        control: &Control,
    ) -> Result<Review, ReviewError> {
        let spec = self.entry.default_player();
        let mut player = self.entry.player(&spec).map_err(|e| PlayerError::new("player.spec", e.to_string()))?;
        let clock = WallClock::start();
        let mut thinking = Thinking::new(Budget::visits(visits), &clock, &control.stop, from as u64);
        thinking.hard = true;
        review(&self.read, player.as_mut(), &thinking, &ReviewOptions { from, to, worst }, |_| {})
    }

    fn rank(&mut self) {
        let loss = |m: &ReviewedMove| m.loss.map_or(0.0, |l| l.mean);
        let moves = &self.state.moves;
        let mut worst: Vec<u32> = (0..moves.len() as u32).filter(|&i| moves[i as usize].mistake).collect();
        worst.sort_by(|&a, &b| loss(&moves[b as usize]).total_cmp(&loss(&moves[a as usize])).then(a.cmp(&b)));
        self.state.worst = worst;
    }
}

fn reviewed(entry: &MoveReview, pass: &str) -> ReviewedMove {
    ReviewedMove {
        number: entry.number as u32,
        step: entry.step as u32,
        seat: entry.seat,
        action: entry.action.clone(),
        best: entry.best.clone(),
        pv: entry.pv.clone(),
        win_rate: entry.win_rate.into(),
        points: entry.points.map(Measured::from),
        loss: entry.loss().map(Measured::from),
        loss_in_points: entry.points_loss.is_some(),
        mistake: entry.mistake,
        pass: pass.to_owned(),
        visits: entry.visits,
        reasons: entry.reasons.iter().map(ReasonData::from).collect(),
    }
}

/// The state of a review as [`kiebitz_play`] has it, for an export with the analysis.
pub fn as_review(game: &str, state: &ReviewState, result: Option<String>) -> Review {
    let estimate = |m: Measured| kiebitz_core::Estimate { mean: m.mean, error: m.error };
    let moves: Vec<MoveReview> = state
        .moves
        .iter()
        .map(|m| MoveReview {
            number: m.number as usize,
            step: m.step as usize,
            seat: m.seat,
            action: m.action.clone(),
            best: m.best.clone(),
            pv: m.pv.clone(),
            win_rate: estimate(m.win_rate),
            points: m.points.map(estimate),
            win_rate_loss: m.loss.filter(|_| !m.loss_in_points).map(estimate),
            points_loss: m.loss.filter(|_| m.loss_in_points).map(estimate),
            mistake: m.mistake,
            visits: m.visits,
            best_visits: Some(m.visits),
            played_visits: Some(m.visits),
            reasons: m
                .reasons
                .iter()
                .map(|r| kiebitz_core::Reason {
                    code: r.code.clone(),
                    subject: r.subject.clone(),
                    numbers: r.numbers.clone(),
                })
                .collect(),
        })
        .collect();
    let worst = state.worst.iter().map(|&i| i as usize).collect();
    Review { game: game.to_owned(), player: state.player.clone(), result, moves, worst }
}
