//! The handlers of the HTTP part: what the server tells of itself, the list of games, one game, and what computers say of it. Here is
//! what they share: bodies, and who may do what.

mod advice;
mod game;
mod games;
mod server;

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::de::DeserializeOwned;

use crate::accept::Peer;
use crate::app::{App, Mode, Right};
use crate::http::right;
use crate::protocol::common::{SeatInfo, SeatKind};
use crate::reading;
use crate::refusal::Refusal;
use crate::room::Handle;
use crate::store::{Opened, TokenKind};
use crate::table::Table;

pub use advice::{analyse, review, start_review, stop_review, text};
pub use game::{RecordWish, branch, positions, record};
pub use games::{ImportName, ListWish, change, create, import, join, links, list, mine};
pub use server::{backup, defaults, health, info, metrics};

type Shared = State<Arc<App>>;

/// A JSON body; what is wrong with it is told as a refusal.
#[derive(Debug)]
pub struct Wish<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Wish<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Refusal::new(415, "json.type", "the body must be JSON, with Content-Type: application/json"));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(too_large)?;
        reading::read(&bytes, "the body").map(Wish).map_err(|why| Refusal::new(400, "json", why))
    }
}

/// What stands in a query string; what is wrong with it is told as a refusal.
#[derive(Debug)]
pub struct Query<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let bad = |why| Refusal::new(400, "query", why);
        let pairs = axum::extract::Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let axum::extract::Query(pairs) =
            pairs.map_err(|_| bad("the query is none: it must be name=value&…".to_owned()))?;
        reading::read_pairs(pairs).map(Query).map_err(bad)
    }
}

fn too_large(e: BytesRejection) -> Refusal {
    match e.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::new(413, "body.too_large", "the body is too large"),
        _ => Refusal::new(400, "body", "the body could not be read"),
    }
}

async fn owner(app: &App, headers: &HeaderMap, peer: Peer) -> Result<(), Refusal> {
    match right(app, headers, peer.from).await? {
        Right::Owner => Ok(()),
        Right::Game(_) => Err(Refusal::forbidden("only the owner of this server may do that")),
    }
}

/// Whether the bearer is the owner; no token, or another one, is no error.
fn is_owner(app: &App, headers: &HeaderMap) -> bool {
    crate::http::bearer(headers).is_some_and(|token| app.is_owner(token))
}

/// Whether somebody may make games now. The owner always; others not on a public server without the key.
fn may_make(app: &App, headers: &HeaderMap, peer: Peer) -> Result<(), Refusal> {
    if is_owner(app, headers) {
        return Ok(());
    }
    if app.config.mode == Mode::Public {
        return Err(Refusal::forbidden("on this server only its owner makes games"));
    }
    if !app.games_made.take(peer.from, 1.0) {
        return Err(Refusal::new(429, "games.rate", "this address has made as many games as it may in a day"));
    }
    Ok(())
}

/// What the bearer may do with a game: `Some` the seat (or `None` inside for spectators), nothing for others.
async fn at_game(app: &App, headers: &HeaderMap, peer: Peer, id: &str) -> Result<Right, Refusal> {
    match right(app, headers, peer.from).await? {
        Right::Game(opened) if opened.game != id => Err(Refusal::new(404, "game.unknown", "there is no such game")),
        right => Ok(right),
    }
}

/// Only the owner, and who made the game.
async fn maker(app: &App, headers: &HeaderMap, peer: Peer, id: &str) -> Result<(), Refusal> {
    match at_game(app, headers, peer, id).await? {
        Right::Owner | Right::Game(Opened { kind: TokenKind::Maker, .. }) => Ok(()),
        Right::Game(_) => Err(Refusal::forbidden("only who made the game may do that")),
    }
}

async fn room(app: &Arc<App>, headers: &HeaderMap, peer: Peer, id: &str) -> Result<(Handle, Right), Refusal> {
    let right = at_game(app, headers, peer, id).await?;
    Ok((app.room(id).await?, right))
}

/// A copy of a game's table, for who only looks.
async fn table(app: &Arc<App>, headers: &HeaderMap, peer: Peer, id: &str) -> Result<(Table, Right), Refusal> {
    let right = at_game(app, headers, peer, id).await?;
    Ok((app.table(id).await?, right))
}

/// The seats of the browser where the game was made: the owner plays them.
fn here(seats: &[SeatInfo]) -> Vec<u8> {
    seats.iter().filter(|s| s.kind == SeatKind::Here).map(|s| s.seat).collect()
}

fn download(body: Body, kind: &'static str, name: &str) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}
