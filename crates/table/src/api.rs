//! The handlers of the HTTP part.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{Extension, FromRequest, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kiebitz_catalog::Entry;
use kiebitz_core::Observer;
use kiebitz_core::record::Header;
use kiebitz_go::Ruleset;
use kiebitz_play::{Lang, go_sgf};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::accept::Peer;
use crate::app::{App, Mode, Right};
use crate::http::right;
use crate::protocol::common::{Phase, SeatInfo, SeatKind};
use crate::protocol::http::*;
use crate::queue::{Job, Priority, Turned};
use crate::refusal::Refusal;
use crate::room::{Command, Handle, ReviewWish};
use crate::store::{Deleted, NewToken, Opened, Row, StoreError, TokenKind};
use crate::think::{self, Position};
use crate::{go, identity, lobby, review};

type Shared = State<Arc<App>>;

/// So many tokens `mine` takes.
const MOST_TOKENS: usize = 100;
/// How long a look at one position takes.
const LOOK_TIME: Duration = Duration::from_millis(1000);

/// A JSON body; what is wrong with it is told as a refusal.
#[derive(Debug)]
pub struct Wish<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Wish<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(wish)) => Ok(Wish(wish)),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(Refusal::new(415, "json.type", "the body must be JSON, with Content-Type: application/json"))
            }
            Err(JsonRejection::BytesRejection(e)) => Err(too_large(e)),
            Err(e) => {
                let text: String = e.body_text().chars().filter(|c| !c.is_control()).take(200).collect();
                Err(Refusal::new(400, "json", text))
            }
        }
    }
}

fn too_large(e: BytesRejection) -> Refusal {
    match e.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::new(413, "body.too_large", "the body is too large"),
        _ => Refusal::new(400, "body", "the body could not be read"),
    }
}

/// Whether the server lives.
pub async fn health(State(app): Shared) -> Response {
    let ok = !*app.closing.borrow();
    let status = if ok { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({"ok": ok, "name": "kiebitz", "version": env!("CARGO_PKG_VERSION")}))).into_response()
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

/// The counters.
pub async fn metrics(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Result<String, Refusal> {
    owner(&app, &headers, peer).await?;
    Ok(app.metrics.text(app.queue.panics()))
}

fn options(entry: &Entry) -> Vec<OptionKind> {
    let kind = |key: &str, values: Vec<Value>| OptionKind { key: key.to_owned(), values };
    match entry.game.id() {
        "go" => vec![
            kind("size", vec![json!(19), json!(9), json!(13)]),
            kind("ruleset", Ruleset::all().map(|r| json!(r.name())).collect()),
            kind("komi", Vec::new()),
            kind("handicap", [0, 2, 3, 4, 5, 6, 7, 8, 9].iter().map(|n| json!(n)).collect()),
        ],
        _ => Vec::new(),
    }
}

fn game_kind(entry: &'static Entry) -> Option<GameKind> {
    let header = Header::new(entry.game.id(), entry.game.default_players(), Default::default());
    let game = entry.game.start(&header, 0).ok()?;
    Some(GameKind {
        id: entry.game.id().to_owned(),
        titles: entry.titles.map(str::to_owned),
        example: entry.example,
        players_min: *entry.game.players().start(),
        players_max: *entry.game.players().end(),
        players_default: entry.game.default_players(),
        hidden: game.meta().hidden,
        options: options(entry),
    })
}

/// What this server offers.
pub async fn info(State(app): Shared, headers: HeaderMap) -> Json<Info> {
    let host = headers.get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let base = app.link_base.lock().map(|b| b.clone()).unwrap_or_default();
    Json(Info {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        owner: is_owner(&app, &headers),
        mode: app.config.mode.name().to_owned(),
        link_base: if base.is_empty() { format!("http://{host}") } else { base },
        games: kiebitz_catalog::games().iter().filter_map(game_kind).collect(),
        players: Entry::player_names().iter().map(|&n| n.to_owned()).collect(),
    })
}

/// What options lead to.
pub async fn defaults(Wish(wish): Wish<AskDefaults>) -> Result<Json<Defaults>, Refusal> {
    let entry = kiebitz_catalog::game(&wish.game).map_err(|e| Refusal::new(404, "game.unknown_name", e.to_string()))?;
    let header = Header::new(entry.game.id(), entry.game.default_players(), wish.rules);
    let game = entry.game.start(&header, 0)?;
    let max_handicap = go::state(game.as_ref()).map(|go| kiebitz_go::max_fixed_handicap(go.size()) as u32);
    Ok(Json(Defaults { view: game.view(Observer::Public), max_handicap }))
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

fn summary(row: Row, yours: Vec<u8>) -> Option<GameSummary> {
    let mut summary: GameSummary = serde_json::from_str(&row.summary).ok()?;
    summary.title = row.title;
    summary.created = row.created;
    summary.updated = row.updated;
    if row.broken.is_some() {
        summary.phase = Phase::Over;
        summary.view = Value::Null;
    }
    summary.broken = row.broken;
    summary.yours = yours;
    Some(summary)
}

/// The seats of the browser where the game was made: the owner plays them.
fn here(seats: &[SeatInfo]) -> Vec<u8> {
    seats.iter().filter(|s| s.kind == SeatKind::Here).map(|s| s.seat).collect()
}

/// Which games are listed.
#[derive(Debug, Deserialize)]
pub struct ListWish {
    #[serde(default)]
    deleted: u8,
}

/// All games, for the owner.
pub async fn list(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Query(query): Query<ListWish>,
    headers: HeaderMap,
) -> Result<Json<GameList>, Refusal> {
    owner(&app, &headers, peer).await?;
    let rows = app.store.list(if query.deleted == 1 { Deleted::Only } else { Deleted::Without }).await?;
    let owned = |row: Row| {
        let mut game = summary(row, Vec::new())?;
        game.yours = here(&game.seats);
        Some(game)
    };
    Ok(Json(GameList { games: rows.into_iter().filter_map(owned).collect() }))
}

/// The games that tokens open.
pub async fn mine(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Wish(wish): Wish<Mine>,
) -> Result<Json<GameList>, Refusal> {
    let mut seats: Vec<(String, Vec<u8>)> = Vec::new();
    let mut wrong = false;
    for token in wish.tokens.iter().take(MOST_TOKENS) {
        if !identity::is_secret(token) {
            continue;
        }
        // An empty list would say that the games are gone.
        if !app.may_try(peer.from) {
            return Err(crate::http::token_refusal(crate::app::TokenError::TooMany));
        }
        let Some(opened) = app.store.opened(identity::hash(token)).await?.filter(|o| o.kind != TokenKind::Invite)
        else {
            wrong |= !app.store.is_token(identity::hash(token)).await?;
            continue;
        };
        match seats.iter_mut().find(|(id, _)| *id == opened.game) {
            Some((_, seats)) => seats.extend(opened.seat),
            None => seats.push((opened.game, opened.seat.into_iter().collect())),
        }
    }
    // A browser keeps tokens of deleted games: those are not wrong.
    if wrong {
        app.wrong_token(peer.from);
    }
    let mut games = Vec::new();
    for (id, yours) in seats {
        if let Ok(row) = app.store.row(id).await {
            games.extend(summary(row, yours));
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
    if !app.may_try(peer.from) {
        return Err(crate::http::token_refusal(crate::app::TokenError::TooMany));
    }
    let unknown = || {
        app.wrong_token(peer.from);
        Refusal::new(
            404,
            "invite.unknown",
            "this link is not known, or somebody has used it already; ask for a new one",
        )
    };
    if !identity::is_secret(&wish.code) {
        return Err(unknown());
    }
    let hash = identity::hash(&wish.code);
    match app.store.opened(hash).await? {
        Some(Opened { game, kind: TokenKind::Watch, .. }) => {
            Ok(Json(Joined { id: game, token: None, watch: Some(wish.code) }))
        }
        Some(Opened { kind: TokenKind::Invite, .. }) => {
            let secret = identity::new_secret()?;
            let accepted = app.store.accept(hash, identity::hash(&secret)).await?;
            let Some(Opened { game, seat: Some(seat), .. }) = accepted else { return Err(unknown()) };
            let room = app.room(&game).await?;
            room.send(Command::Seat(seat, name, true)).await?;
            Ok(Json(Joined { id: game, token: Some(SeatToken { seat, token: secret }), watch: None }))
        }
        _ => Err(unknown()),
    }
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
        app.store.set_deleted(id.clone(), None).await?;
    } else {
        maker(&app, &headers, peer, &id).await?;
    }
    if let Some(title) = &wish.title {
        let title = lobby::name(title)?;
        app.store.rename(id.clone(), title.clone()).await?;
        if let Ok(room) = app.room(&id).await {
            let _ = room.send(Command::Title(title)).await;
        }
    }
    if wish.deleted == Some(true) {
        app.store.set_deleted(id.clone(), Some(app.time_of_day())).await?;
        // A room that is open is closed; to open one for this would fail now.
        if let Ok(room) = app.room(&id).await {
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
    for (seat, name) in free {
        room.send(Command::Seat(seat, name, false)).await?;
    }
    Ok(Json(created))
}

async fn room(app: &Arc<App>, headers: &HeaderMap, peer: Peer, id: &str) -> Result<(Handle, Right), Refusal> {
    let right = at_game(app, headers, peer, id).await?;
    Ok((app.room(id).await?, right))
}

/// Every position of a game.
pub async fn positions(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Positions>, Refusal> {
    let (room, right) = room(&app, &headers, peer, &id).await?;
    let table = room.snapshot().await?;
    let yours = match right {
        Right::Owner => here(&table.seat_infos()),
        Right::Game(opened) => opened.seat.into_iter().collect(),
    };
    let made = tokio::task::spawn_blocking(move || crate::positions::of(&table, yours)).await;
    made.map_err(|_| Refusal::from(StoreError::Closed))?.map(Json)
}

/// In which form a record is wanted.
#[derive(Debug, Deserialize)]
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
    let (room, _) = room(&app, &headers, peer, &id).await?;
    let table = room.snapshot().await?;
    let hidden = || Refusal::new(403, "hidden", "a game that hides something can be exported when it is over");
    let record = table.record().ok_or_else(hidden)?;
    let (bytes, kind, ending) = match query.format.as_str() {
        "" | "jsonl" => (record.to_text().into_bytes(), "application/x-ndjson", "jsonl"),
        "sgf" => {
            let no_sgf = || Refusal::new(400, "record.format", "SGF is for Go; take the record instead");
            let sgf = match query.analysis.as_str() {
                "" => go_sgf::from_record(&record),
                lang => {
                    let lang: Lang =
                        lang.parse().map_err(|_| Refusal::new(400, "lang", "analysis must be en or zh"))?;
                    let stored = app.store.review(id.clone()).await?;
                    let state: Option<ReviewState> = stored.and_then(|body| serde_json::from_str(&body).ok());
                    let state = state.unwrap_or_else(|| review::none(table.v));
                    let review = review::as_review("go", &state, table.game.result());
                    go_sgf::annotated(&record, &review, lang)
                }
            };
            (sgf.ok_or_else(no_sgf)?, "application/x-go-sgf", "sgf")
        }
        _ => return Err(Refusal::new(400, "record.format", "format must be jsonl or sgf")),
    };
    Ok(download(Body::from(bytes), kind, &format!("kiebitz-{id}.{ending}")))
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

/// A new game from a position of this one.
pub async fn branch(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(wish): Wish<Branch>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let (room, _) = room(&app, &headers, peer, &id).await?;
    may_make(&app, &headers, peer)?;
    let table = room.snapshot().await?;
    let created = lobby::branch(&app, &table, wish.step, &wish.actions, wish.seats).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// A look at one position.
pub async fn analyse(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Wish(wish): Wish<Analyse>,
) -> Result<Json<Analysed>, Refusal> {
    let (room, right) = room(&app, &headers, peer, &id).await?;
    let table = room.snapshot().await?;
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
    let work = Box::new(move |control: &crate::queue::Control| {
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
    let job = Job { priority: Priority::Review, peer: payer, wall: None, work, panicked: Box::new(|| {}) };
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
    Wish(_): Wish<Value>,
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
    let (room, right) = room(&app, &headers, peer, &id).await?;
    let table = room.snapshot().await?;
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
    let work = Box::new(move |_: &crate::queue::Control| {
        if let Some(reply) = reply.take() {
            let _ = reply.send(go::assessment(game.as_ref()));
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

/// Everything as one file.
pub async fn backup(
    State(app): Shared,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    owner(&app, &headers, peer).await?;
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = app.config.data.join(format!("backup-{}-{number}.part", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let made = app.store.backup(path.clone()).await;
    let bytes = match made {
        Ok(()) => tokio::task::spawn_blocking({
            let path = path.clone();
            move || std::fs::read(path)
        })
        .await
        .map_err(|_| Refusal::from(StoreError::Closed))?
        .map_err(|e| Refusal::new(503, "backup", format!("the backup cannot be read: {}", e.kind()))),
        Err(error) => Err(error.into()),
    };
    let _ = std::fs::remove_file(&path);
    Ok(download(Body::from(bytes?), "application/vnd.sqlite3", "kiebitz-backup.db"))
}
