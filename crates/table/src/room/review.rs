//! The review of this table's game.

use std::net::IpAddr;
use std::sync::Arc;

use super::{Command, ReviewWish, Room, views};
use crate::protocol::common::Phase;
use crate::protocol::http::ReviewState;
use crate::protocol::server::ServerMessage;
use crate::queue::{Job, Priority};
use crate::refusal::Refusal;
use crate::review;

/// A review is kept on the disk each time it has got so much further.
const KEEP_EVERY: u32 = 16;

impl Room {
    /// Whether the game may be reviewed: it is over, or hints are allowed and nothing is hidden.
    pub(super) fn may_review(&self) -> bool {
        self.table.phase() == Phase::Over || (self.table.is_open() && self.hints_allowed())
    }

    pub(super) async fn review_wish(&mut self, wish: ReviewWish, peer: Option<IpAddr>) -> Result<ReviewState, Refusal> {
        if !self.may_review() {
            return Err(Refusal::new(403, "hints.off", "a review is possible when the game is over"));
        }
        let read = self.review.is_none();
        if read {
            let stored = self.app.store.review(self.table.id.to_string()).await?;
            self.review = stored.and_then(|body| serde_json::from_str(&body).ok());
        }
        let fits = self.review.as_ref().is_some_and(|r| r.v == self.table.v);
        if !fits && self.reviewing.is_none() {
            self.review = Some(review::none(self.table.v));
        }
        match wish {
            ReviewWish::Look => {}
            ReviewWish::Stop => {
                self.reviewing = None;
                if let Some(state) = self.review.as_mut().filter(|s| s.status == "running" || s.status == "queued") {
                    state.status = "none".to_owned();
                }
            }
            ReviewWish::Start => self.start_review(fits, peer)?,
        }
        // A review takes more memory than its table: one that is only looked at stays on the disk.
        let only_looked = read && wish == ReviewWish::Look;
        let state = if only_looked { self.review.take() } else { self.review.clone() };
        Ok(state.unwrap_or_else(|| review::none(self.table.v)))
    }

    fn start_review(&mut self, fits: bool, peer: Option<IpAddr>) -> Result<(), Refusal> {
        if fits && (self.reviewing.is_some() || self.review.as_ref().is_some_and(|r| r.pass == "complete")) {
            return Ok(());
        }
        self.reviewing = None;
        let mut state = self.review.take().filter(|r| r.v == self.table.v);
        let mut state = state.take().unwrap_or_else(|| review::none(self.table.v));
        state.status = "queued".to_owned();
        state.error = None;
        let Some(record) = self.table.record() else {
            return Err(Refusal::new(403, "hints.off", "a review is possible when the game is over"));
        };
        let commands = self.commands.clone();
        let tell: review::Tell = Arc::new(move |state| {
            let _ = commands.blocking_send(Command::Reviewed(Box::new(state)));
        });
        let visits = self.app.config.limits.review_visits;
        let work = review::work(self.table.entry, record, state.clone(), visits, tell);
        let commands = self.commands.clone();
        let mut failed = state.clone();
        let panicked = Box::new(move || {
            failed.status = "failed".to_owned();
            failed.error = Some("the computer failed; try again".to_owned());
            let _ = commands.blocking_send(Command::Reviewed(Box::new(failed)));
        });
        self.review = Some(state);
        let job = Job { priority: Priority::Review, peer, wall: None, work, panicked };
        match self.app.queue.submit(job) {
            Ok(ticket) => {
                self.reviewing = Some(ticket);
                Ok(())
            }
            Err(error) => {
                self.review = None;
                Err(error.into())
            }
        }
    }

    pub(super) async fn reviewed(&mut self, state: ReviewState) {
        if self.reviewing.is_none() {
            return;
        }
        let ended = matches!(state.status.as_str(), "complete" | "failed");
        let message =
            views::text(&ServerMessage::Review { done: state.done, total: state.total, pass: state.pass.clone() });
        let keep = ended || state.done.is_multiple_of(KEEP_EVERY);
        let mut kept = false;
        if keep && let Ok(body) = serde_json::to_string(&state) {
            kept = self.app.store.keep_review(self.table.id.to_string(), body).await.is_ok();
        }
        self.review = if ended && kept { None } else { Some(state) };
        if ended {
            self.reviewing = None;
            self.quiet_since = tokio::time::Instant::now();
        }
        if self.may_review() {
            for connection in self.connections.values() {
                connection.outbox.send(message.clone());
            }
        }
    }
}
