//! Making games, listing them, getting in, and what their makers may do with them.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::Value;

use super::{Query, Shared, Wish, here, maker, may_make, owner, too_large};
use crate::accept::Peer;
use crate::app::{App, Right, TokenError};
use crate::http::token_refusal;
use crate::protocol::common::{Phase, SeatKind};
use crate::protocol::http::{
    ChangeGame, CreateGame, Created, GameList, GameSummary, Invite, Join, Joined, Mine, NewLinks, SeatToken,
};
use crate::refusal::Refusal;
use crate::room::Command;
use crate::store::{Deleted, NewToken, Opened, Row, TokenKind};
use crate::{identity, lobby};

/// So many tokens `mine` takes.
const MOST_TOKENS: usize = 100;

/// Makes a game.
pub async fn create(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    Wish(wish): Wish<CreateGame>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    may_make(&app, &headers, peer)?;
    Ok((StatusCode::CREATED, Json(lobby::create(&app, wish).await?)))
}

/// The title of an imported game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportName {
    #[serde(default)]
    name: String,
}

/// Makes a game from a file.
pub async fn import(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Query(query): Query<ImportName>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    if kind != "application/octet-stream" {
        return Err(Refusal::new(415, "import.type", "the file must come with Content-Type: application/octet-stream"));
    }
    may_make(&app, &headers, peer)?;
    let bytes = body.map_err(too_large)?;
    Ok((StatusCode::CREATED, Json(lobby::import(&app, bytes.to_vec(), &query.name).await?)))
}

/// What a game's row says; where that is damaged, what its log says.
async fn summary(app: &App, mut row: Row) -> GameSummary {
    let mut summary = match serde_json::from_str::<GameSummary>(&row.summary) {
        Ok(summary) => summary,
        Err(_) => match app.load_even_deleted(&row.id).await {
            Ok(table) => {
                let summary = table.summary();
                let text = serde_json::to_string(&summary).unwrap_or_default();
                let _ = app.store.mend_summary(row.id.clone(), row.summary, text).await;
                summary
            }
            Err(error) => {
                row.broken.get_or_insert_with(|| error.to_string());
                if row.title.is_empty() {
                    row.title.clone_from(&row.id);
                }
                unreadable(&row)
            }
        },
    };
    summary.title = row.title;
    summary.created = row.created;
    summary.updated = row.updated;
    if row.broken.is_some() {
        summary.phase = Phase::Over;
        summary.view = Value::Null;
    }
    summary.broken = row.broken;
    summary
}

/// A game of which nothing can be read.
fn unreadable(row: &Row) -> GameSummary {
    GameSummary {
        id: row.id.clone(),
        game: String::new(),
        title: String::new(),
        phase: Phase::Over,
        seats: Vec::new(),
        ply: 0,
        turn: None,
        result: None,
        view: Value::Null,
        created: row.created,
        updated: row.updated,
        yours: Vec::new(),
        broken: None,
        parent: None,
    }
}

/// Which games are listed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListWish {
    #[serde(default)]
    deleted: Which,
}

/// Those that are there, or the deleted ones.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
enum Which {
    #[default]
    #[serde(rename = "0")]
    There,
    #[serde(rename = "1")]
    Deleted,
}

/// All games, for the owner.
pub async fn list(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Query(query): Query<ListWish>,
    headers: HeaderMap,
) -> Result<Json<GameList>, Refusal> {
    owner(&app, &headers, peer).await?;
    let rows = app.store.list(if query.deleted == Which::Deleted { Deleted::Only } else { Deleted::Without }).await?;
    let mut games = Vec::with_capacity(rows.len());
    for row in rows {
        let mut game = summary(&app, row).await;
        game.yours = here(&game.seats);
        games.push(game);
    }
    Ok(Json(GameList { games }))
}

/// The games that tokens open.
pub async fn mine(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Wish(wish): Wish<Mine>,
) -> Result<Json<GameList>, Refusal> {
    let mut seats: Vec<(String, Vec<u8>)> = Vec::new();
    let mut failed = None;
    for token in wish.tokens.iter().take(MOST_TOKENS) {
        match app.right(token, peer.from).await {
            Ok(Right::Game(opened)) => match seats.iter_mut().find(|(id, _)| *id == opened.game) {
                Some((_, seats)) => seats.extend(opened.seat),
                None => seats.push((opened.game, opened.seat.into_iter().collect())),
            },
            // The owner has a list of its own; a browser keeps tokens that open nothing any more.
            Ok(Right::Owner) | Err(TokenError::Wrong | TokenError::Gone) => {}
            Err(error @ TokenError::Store) => return Err(token_refusal(error)),
            Err(error @ TokenError::TooMany) => failed = Some(error),
        }
    }
    // An empty list would say that the games are gone.
    if let Some(error) = failed.filter(|_| seats.is_empty()) {
        return Err(token_refusal(error));
    }
    let mut games = Vec::new();
    for (id, yours) in seats {
        if let Ok(row) = app.store.row(id).await {
            let mut game = summary(&app, row).await;
            game.yours = yours;
            games.push(game);
        }
    }
    games.sort_by_key(|g| (g.phase == Phase::Over, std::cmp::Reverse(g.updated)));
    Ok(Json(GameList { games }))
}

/// Exchanges an invitation for a token.
pub async fn join(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Wish(wish): Wish<Join>,
) -> Result<Json<Joined>, Refusal> {
    let name = lobby::name(&wish.name)?;
    let unknown = || {
        Refusal::new(
            404,
            "invite.unknown",
            "this link is not known, or somebody has used it already; ask for a new one",
        )
    };
    let opened = app.opened(&wish.code, peer.from).await.map_err(|error| match error {
        TokenError::Wrong => unknown(),
        error => token_refusal(error),
    })?;
    match opened.kind {
        TokenKind::Watch => Ok(Json(Joined { id: opened.game, token: None, watch: Some(wish.code) })),
        TokenKind::Invite => {
            let secret = identity::new_secret()?;
            let accepted = app.store.accept(identity::hash(&wish.code), identity::hash(&secret)).await?;
            let Some(Opened { game, seat: Some(seat), .. }) = accepted else { return Err(unknown()) };
            let room = app.room(&game).await?;
            room.send(Command::Seat(seat, name, true)).await?;
            Ok(Json(Joined { id: game, token: Some(SeatToken { seat, token: secret }), watch: None }))
        }
        TokenKind::Seat | TokenKind::Maker => Err(unknown()),
    }
}

/// Renames or deletes a game, or brings it back.
pub async fn change(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(wish): Wish<ChangeGame>,
) -> Result<StatusCode, Refusal> {
    if wish.deleted == Some(false) {
        // A deleted game's tokens open nothing until it is back.
        owner(&app, &headers, peer).await?;
    } else {
        maker(&app, &headers, peer, &id).await?;
    }
    // Everything is looked at before anything is changed.
    let title = wish.title.as_deref().map(lobby::name).transpose()?;
    app.store.change(id.clone(), title.clone(), wish.deleted, app.time_of_day()).await?;
    if let Some(room) = app.open_room(&id).await {
        if let Some(title) = title {
            let _ = room.send(Command::Title(title)).await;
        }
        if wish.deleted == Some(true) {
            let _ = room.send(Command::Deleted).await;
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Makes new links.
pub async fn links(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(wish): Wish<NewLinks>,
) -> Result<Json<Created>, Refusal> {
    maker(&app, &headers, peer, &id).await?;
    let room = app.room(&id).await?;
    let table = room.snapshot().await?;
    let watch = identity::new_secret()?;
    let mut tokens = vec![NewToken { hash: identity::hash(&watch), kind: TokenKind::Watch, seat: None }];
    let mut created = Created { id: id.clone(), tokens: Vec::new(), invites: Vec::new(), watch, warnings: Vec::new() };
    let mut free = Vec::new();
    for (seat, holder) in table.seats.iter().enumerate() {
        let seat = seat as u8;
        if holder.made.kind != SeatKind::Link || (holder.taken && !wish.taken) {
            continue;
        }
        let code = identity::new_secret()?;
        tokens.push(NewToken { hash: identity::hash(&code), kind: TokenKind::Invite, seat: Some(seat) });
        created.invites.push(Invite { seat, code });
        if holder.taken {
            free.push((seat, holder.made.name.clone()));
        }
    }
    app.store.replace_tokens(id, tokens, free.iter().map(|(seat, _)| *seat).collect()).await?;
    room.send(Command::NewWatch).await?;
    for (seat, name) in free {
        room.send(Command::Seat(seat, name, false)).await?;
    }
    Ok(Json(created))
}
