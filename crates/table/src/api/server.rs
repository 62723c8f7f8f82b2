//! What the server tells of itself and offers.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kiebitz_catalog::Entry;
use kiebitz_core::Observer;
use kiebitz_core::record::Header;
use kiebitz_go::Ruleset;
use kiebitz_paodekuai::PRESETS;
use serde_json::{Map, Value, json};

use super::{Shared, Wish, download, is_owner, owner};
use crate::accept::Peer;
use crate::go;
use crate::protocol::http::{AskDefaults, Defaults, GameKind, Info, OptionKind};
use crate::refusal::Refusal;
use crate::store::StoreError;

/// Whether the server lives.
pub async fn health(State(app): Shared) -> Response {
    let closing = if *app.closing.borrow() { Err(StoreError::Closed) } else { Ok(()) };
    let mut told = json!({"ok": true, "name": "kiebitz", "version": env!("CARGO_PKG_VERSION")});
    let Err(error) = closing.and_then(|()| app.store.check_place()) else { return Json(told).into_response() };
    told["ok"] = json!(false);
    told["code"] = json!(error.code());
    told["message"] = json!(error.to_string());
    (StatusCode::SERVICE_UNAVAILABLE, Json(told)).into_response()
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
        "paodekuai" => vec![
            kind("preset", PRESETS.iter().map(|name| json!(name)).collect()),
            kind("deals", [1, 2, 4, 6, 10, 20].iter().map(|n| json!(n)).collect()),
            kind("target", Vec::new()),
            kind("must_beat", vec![json!(true), json!(false)]),
            kind("show_counts", vec![json!(true), json!(false)]),
        ],
        _ => Vec::new(),
    }
}

fn game_kind(entry: &'static Entry) -> Option<GameKind> {
    let players_default = entry.game.default_players(&Map::new());
    let header = Header::new(entry.game.id(), players_default, Default::default());
    let game = entry.game.start(&header, 0).ok()?;
    Some(GameKind {
        id: entry.game.id().to_owned(),
        titles: entry.titles.map(str::to_owned),
        example: entry.example,
        players_min: *entry.game.players().start(),
        players_max: *entry.game.players().end(),
        players_default,
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
    let players = wish.players.unwrap_or_else(|| entry.game.default_players(&wish.rules));
    let header = Header::new(entry.game.id(), players, wish.rules);
    let game = entry.game.start(&header, 0)?;
    let max_handicap = go::state(game.as_ref()).map(|go| kiebitz_go::max_fixed_handicap(go.size()) as u32);
    let rules = game.record().header.rules();
    Ok(Json(Defaults { players, rules, view: game.view(Observer::Public), max_handicap }))
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
