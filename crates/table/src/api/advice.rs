//! What computers say of a game: looks at single positions, reviews, and answers to the text command line.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::HeaderMap;
use kiebitz_core::Observer;
use tokio::sync::oneshot;

use super::{Shared, Wish, room, table};
use crate::accept::Peer;
use crate::app::{App, Right};
use crate::protocol::common::Phase;
use crate::protocol::http::{Analyse, Analysed, AskText, ReviewState, StartReview, TextAnswer};
use crate::queue::{Control, Job, Priority, Turned};
use crate::refusal::Refusal;
use crate::room::{Command, ReviewWish};
use crate::store::{Opened, StoreError};
use crate::think::{self, Position};
use crate::{go, identity, lobby};

/// How long a look at one position takes.
const LOOK_TIME: Duration = Duration::from_millis(1000);

/// A look at one position.
pub async fn analyse(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(wish): Wish<Analyse>,
) -> Result<Json<Analysed>, Refusal> {
    let (table, right) = table(&app, &headers, peer, &id).await?;
    let allowed = table.phase() == Phase::Over || (table.is_open() && (table.hints || table.people() <= 1));
    if !allowed {
        return Err(Refusal::new(403, "hints.off", "hints are off: not all players have agreed to them"));
    }
    let game = lobby::position(&table, wish.step, &wish.actions)?;
    let mut answer = Analysed {
        view: game.view(Observer::Omniscient),
        turn: game.turn().seat(),
        legal: game.legal(),
        visits: 0,
        candidates: Vec::new(),
        details: Default::default(),
    };
    if answer.turn.is_none() {
        return Ok(Json(answer));
    }
    let position = Position { entry: table.entry, game, seed: identity::new_seed()? };
    let (reply, result) = oneshot::channel();
    let mut reply = Some(reply);
    let work = Box::new(move |control: &Control| {
        let analysis = think::look(&position, LOOK_TIME, control);
        if control.is_preempted() && !control.is_cancelled() {
            return Turned::More;
        }
        if let Some(reply) = reply.take() {
            let _ = reply.send(analysis);
        }
        Turned::Done
    });
    let payer = if right == Right::Owner { None } else { Some(peer.from) };
    let job = Job { priority: Priority::Hint, peer: payer, wall: None, work, panicked: Box::new(|| {}) };
    let _ticket = app.queue.submit(job)?;
    let failed = || Refusal::new(503, "player.failed", "the computer failed; try again");
    let result = tokio::time::timeout(Duration::from_secs(10), result).await;
    let analysis = result.map_err(|_| Refusal::from(crate::queue::QueueError::Full))?.map_err(|_| failed())?;
    let analysis = analysis.map_err(|e| Refusal::new(422, e.code, e.message))?;
    answer.visits = analysis.visits;
    answer.candidates = think::candidates(&analysis);
    answer.details = analysis.details;
    Ok(Json(answer))
}

async fn review_wish(
    app: &Arc<App>,
    peer: Peer,
    id: &str,
    headers: &HeaderMap,
    wish: ReviewWish,
) -> Result<Json<ReviewState>, Refusal> {
    let (room, right) = room(app, headers, peer, id).await?;
    let payer = if right == Right::Owner { None } else { Some(peer.from) };
    let (reply, answer) = oneshot::channel();
    room.send(Command::Review(wish, payer, reply)).await?;
    answer.await.map_err(|_| Refusal::from(StoreError::Closed))?.map(Json)
}

/// Where the review is.
pub async fn review(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ReviewState>, Refusal> {
    review_wish(&app, peer, &id, &headers, ReviewWish::Look).await
}

/// Starts the review.
pub async fn start_review(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(StartReview {}): Wish<StartReview>,
) -> Result<Json<ReviewState>, Refusal> {
    review_wish(&app, peer, &id, &headers, ReviewWish::Start).await
}

/// Stops the review.
pub async fn stop_review(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ReviewState>, Refusal> {
    review_wish(&app, peer, &id, &headers, ReviewWish::Stop).await
}

/// What the text command line asks.
pub async fn text(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(wish): Wish<AskText>,
) -> Result<Json<TextAnswer>, Refusal> {
    let (table, right) = table(&app, &headers, peer, &id).await?;
    let observer = match right {
        Right::Game(Opened { seat: Some(seat), .. }) => Observer::Seat(seat),
        _ => Observer::Public,
    };
    let mut answer = TextAnswer { board: None, groups: Vec::new(), count: None, expected: None };
    if wish.what == "board" {
        answer.board = Some(table.game.board_text(observer));
        return Ok(Json(answer));
    }
    if go::state(table.game.as_ref()).is_none() || !matches!(wish.what.as_str(), "groups" | "score") {
        return Err(Refusal::new(400, "text", "what must be board, or for Go groups or score"));
    }
    if table.phase() == Phase::Playing && !table.hints && table.people() > 1 {
        return Err(Refusal::new(403, "hints.off", "hints are off: not all players have agreed to them"));
    }
    let (reply, result) = oneshot::channel();
    let mut reply = Some(reply);
    let game = table.game.clone_box();
    let seed = table.mind_seed();
    let work = Box::new(move |control: &Control| {
        let assessment = go::assessment(game.as_ref(), seed, &control.stop);
        if control.is_preempted() && !control.is_cancelled() {
            return Turned::More;
        }
        if let Some(reply) = reply.take() {
            let _ = reply.send(assessment);
        }
        Turned::Done
    });
    let payer = if right == Right::Owner { None } else { Some(peer.from) };
    let job = Job { priority: Priority::Hint, peer: payer, wall: None, work, panicked: Box::new(|| {}) };
    let _ticket = app.queue.submit(job)?;
    let assessment = result.await.ok().flatten();
    let assessment = assessment.ok_or_else(|| Refusal::new(503, "player.failed", "the computer failed; try again"))?;
    if wish.what == "groups" {
        answer.groups = go::groups(table.game.as_ref(), Some(&assessment), &[]);
    } else if let Some((count, expected)) = go::estimate(table.game.as_ref(), &assessment) {
        answer.count = Some(count);
        answer.expected = Some(expected);
    }
    Ok(Json(answer))
}
