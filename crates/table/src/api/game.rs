//! One game: its positions, its record, and games that branch off from it.

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use kiebitz_play::{Lang, go_sgf};
use serde::Deserialize;
use serde_json::Value;

use super::{Query, Shared, Wish, download, here, may_make, table};
use crate::accept::Peer;
use crate::app::Right;
use crate::protocol::common::Phase;
use crate::protocol::http::{Branch, Created, Positions, ReviewState};
use crate::refusal::Refusal;
use crate::store::StoreError;
use crate::{lobby, review};

/// Every position of a game.
pub async fn positions(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Positions>, Refusal> {
    let (table, right) = table(&app, &headers, peer, &id).await?;
    let yours = match right {
        Right::Owner => here(&table.seat_infos()),
        Right::Game(opened) => opened.seat.into_iter().collect(),
    };
    let made = tokio::task::spawn_blocking(move || crate::positions::of(&table, yours)).await;
    made.map_err(|_| Refusal::from(StoreError::Closed))?.map(Json)
}

/// In which form a record is wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordWish {
    #[serde(default)]
    format: String,
    #[serde(default)]
    analysis: String,
}

/// The record of a game.
pub async fn record(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    Query(query): Query<RecordWish>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (table, right) = table(&app, &headers, peer, &id).await?;
    // Several seats of one browser have no view in common.
    let seat = match right {
        Right::Game(opened) => opened.seat,
        Right::Owner => Some(here(&table.seat_infos())).filter(|seats| seats.len() == 1).map(|seats| seats[0]),
    };
    let record = match seat {
        Some(seat) => table.record_for(seat),
        None => table.record(),
    };
    let hidden = || Refusal::new(403, "hidden", "a game that hides something can be exported when it is over");
    let mut record = record.ok_or_else(hidden)?;
    let (bytes, kind, ending) = match query.format.as_str() {
        "" | "jsonl" => (record.to_text().into_bytes(), "application/x-ndjson", "jsonl"),
        "sgf" => {
            if table.phase() == Phase::Scoring && record.header.get("result").is_none() {
                // Nobody has agreed on the dead stones yet: the count of the board is no result.
                record.header.set("result", Value::Null);
            }
            let no_sgf = || Refusal::new(400, "record.format", "SGF is for Go; take the record instead");
            let sgf = match query.analysis.as_str() {
                "" => go_sgf::from_record(&record),
                lang => {
                    let lang: Lang =
                        lang.parse().map_err(|_| Refusal::new(400, "lang", "analysis must be en or zh"))?;
                    let stored = app.store.review(id.clone()).await?;
                    let state: Option<ReviewState> = stored.and_then(|body| serde_json::from_str(&body).ok());
                    let state = state.unwrap_or_else(|| review::none(table.v));
                    let review = review::as_review("go", &state, table.outcome().and_then(|o| o.result));
                    go_sgf::annotated(&record, &review, lang)
                }
            };
            (sgf.ok_or_else(no_sgf)?, "application/x-go-sgf", "sgf")
        }
        _ => return Err(Refusal::new(400, "record.format", "format must be jsonl or sgf")),
    };
    Ok(download(Body::from(bytes), kind, &format!("kiebitz-{id}.{ending}")))
}

/// A new game from a position of this one.
pub async fn branch(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(wish): Wish<Branch>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let (table, _) = table(&app, &headers, peer, &id).await?;
    may_make(&app, &headers, peer)?;
    let created = lobby::branch(&app, &table, wish.step, &wish.actions, wish.seats).await?;
    Ok((StatusCode::CREATED, Json(created)))
}
