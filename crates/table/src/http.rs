//! The routes, and what every request must pass: the right host, the right origin, bounded bodies; and what every answer carries.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::accept::Peer;
use crate::app::{App, Mode, Right, TokenError};
use crate::refusal::Refusal;
use crate::{api, files, socket};

/// What the page may load and speak to.
const POLICY: &str = "default-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// A JSON answer shorter than this is not compressed.
const WORTH_COMPRESSING: usize = 1400;

/// What the holder of a deleted game's token is told.
pub const GONE: &str = "this game was deleted; the owner of this server can bring it back";

/// All routes.
pub fn router(app: Arc<App>, files: files::Files) -> Router {
    let body = DefaultBodyLimit::max(app.config.limits.body_bytes);
    let import = DefaultBodyLimit::max(app.config.limits.import_bytes);
    Router::new()
        .route("/healthz", get(api::health))
        .route("/metrics", get(api::metrics))
        .route("/ws", get(socket::upgrade))
        .route("/api/info", get(api::info))
        .route("/api/defaults", post(api::defaults))
        .route("/api/games", get(api::list).post(api::create))
        .route("/api/mine", post(api::mine))
        .route("/api/join", post(api::join))
        .route("/api/games/{id}", axum::routing::patch(api::change))
        .route("/api/games/{id}/links", post(api::links))
        .route("/api/games/{id}/positions", get(api::positions))
        .route("/api/games/{id}/record", get(api::record))
        .route("/api/games/{id}/branch", post(api::branch))
        .route("/api/games/{id}/analyse", post(api::analyse))
        .route("/api/games/{id}/review", get(api::review).post(api::start_review).delete(api::stop_review))
        .route("/api/games/{id}/text", post(api::text))
        .route("/api/backup", get(api::backup))
        .route("/api/import", post(api::import).layer(import))
        .fallback(move |request: Request| {
            let files = files.clone();
            async move { page(&files, &request) }
        })
        .layer(body)
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

fn page(files: &files::Files, request: &Request) -> Response {
    if request.uri().path().starts_with("/api/") {
        return Refusal::new(404, "path", "there is no such path").into_response();
    }
    match *request.method() {
        Method::GET | Method::HEAD => files.answer(request.uri().path(), request.headers()),
        _ => (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET,HEAD")]).into_response(),
    }
}

/// So much of what the library says of a request is looked at.
const MOST_WORDS: usize = 4096;

/// A refusal of the library as all others are: with a code and one sentence.
async fn worded(response: Response) -> Response {
    let status = response.status();
    let is_json = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/json");
    if status.as_u16() < 400 || response.headers().get(header::CONTENT_TYPE).is_some_and(is_json) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let allowed = parts.headers.get(header::ALLOW).and_then(|v| v.to_str().ok()).unwrap_or("another method");
    let refusal = match status {
        StatusCode::NOT_FOUND => Refusal::new(404, "path", "there is no such page"),
        StatusCode::METHOD_NOT_ALLOWED => Refusal::new(405, "method", format!("this path takes {allowed} only")),
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::new(413, "body.too_large", "the body is too large"),
        _ => {
            let said = axum::body::to_bytes(body, MOST_WORDS).await.unwrap_or_default();
            let said: String = String::from_utf8_lossy(&said).chars().filter(|c| !c.is_control()).take(200).collect();
            let said = if said.is_empty() { "the request cannot be understood".to_owned() } else { said };
            Refusal { status: status.as_u16(), ..Refusal::new(400, "request", said) }
        }
    };
    let mut response = refusal.into_response();
    for name in [header::ALLOW, header::UPGRADE, header::SEC_WEBSOCKET_VERSION] {
        if let Some(value) = parts.headers.get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let gzip = files::takes_gzip(request.headers());
    let is_api = request.uri().path().starts_with("/api/");
    // A browser takes this header only from an origin it trusts, and complains about it from plain HTTP elsewhere.
    let isolate = request.extensions().get::<Peer>().is_none_or(|peer| peer.at.ip().is_loopback());
    let (parts, body) = request.into_parts();
    let mut response = match check(&app, &parts).await {
        Ok(()) => worded(next.run(Request::from_parts(parts, body)).await).await,
        Err(refusal) => refusal.into_response(),
    };
    if gzip && is_api {
        response = compressed(response).await;
    }
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::CACHE_CONTROL, "no-store");
    if isolate {
        set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    }
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

async fn check(app: &App, request: &Parts) -> Result<(), Refusal> {
    let peer = request.extensions.get::<Peer>().copied();
    let Some(peer) = peer else { return Err(Refusal::new(400, "peer", "who is asking?")) };
    let headers = &request.headers;
    let host =
        one(headers, &header::HOST).ok_or_else(|| Refusal::new(400, "host", "a request needs one Host header"))?;
    // A target with a host of its own (`GET http://host/path`) is meant for that host, whatever the header says.
    let meant = request.uri.authority().map_or(host, |authority| authority.as_str());
    if !meant.eq_ignore_ascii_case(host) || !host_allowed(app, host, peer) {
        return Err(Refusal::new(
            421,
            "host",
            "this server does not answer to that name; use its address, or start it with --allow-origin",
        ));
    }
    let changes = !matches!(request.method, Method::GET | Method::HEAD);
    let upgrades = headers.contains_key(header::UPGRADE);
    if !changes && !upgrades {
        return Ok(());
    }
    match headers.get(header::ORIGIN) {
        Some(_) => {
            let origin = one(headers, &header::ORIGIN).unwrap_or_default();
            if !origin_allowed(app, origin, host) {
                return Err(Refusal::new(403, "origin", "pages of other sites may not speak to this server"));
            }
        }
        None => {
            // A program: browsers always name the origin.
            right(app, headers, peer.from).await.map_err(|_| {
                Refusal::new(
                    403,
                    "origin",
                    "a program without Origin header needs a token: Authorization: Bearer TOKEN",
                )
            })?;
        }
    }
    Ok(())
}

/// The one value of a header; `None` when there is none, several, or it is no text.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// The name and the port of a Host header or an origin without scheme.
fn split_port(host: &str) -> Option<(&str, Option<u16>)> {
    if let Some(rest) = host.strip_prefix('[') {
        let (name, after) = rest.split_once(']')?;
        return match after.strip_prefix(':') {
            Some(port) => Some((name, Some(port.parse().ok()?))),
            None => after.is_empty().then_some((name, None)),
        };
    }
    match host.split_once(':') {
        Some((name, port)) => Some((name, Some(port.parse().ok()?))),
        None => Some((host, None)),
    }
}

/// Whether a request for this host is meant for us. Names that others control are refused, for they may be made to lead here.
fn host_allowed(app: &App, host: &str, peer: Peer) -> bool {
    let configured =
        app.config.allow_origin.iter().filter_map(|o| o.split_once("://")).any(|(_, h)| h.eq_ignore_ascii_case(host));
    if configured {
        return true;
    }
    let Some((name, port)) = split_port(host) else { return false };
    if port.unwrap_or(80) != peer.at.port() {
        return false;
    }
    let address: Option<IpAddr> = name.parse().ok();
    if name.eq_ignore_ascii_case("localhost") {
        return peer.at.ip().to_canonical().is_loopback();
    }
    match (app.config.mode, address) {
        // The address the connection came in at, whatever it is.
        (Mode::Lan | Mode::Public, Some(address)) => address.to_canonical() == peer.at.ip().to_canonical(),
        (Mode::Local, Some(address)) => {
            address.to_canonical().is_loopback() && address.to_canonical() == peer.at.ip().to_canonical()
        }
        (_, None) => false,
    }
}

/// The page's own origin, or one that was allowed.
fn origin_allowed(app: &App, origin: &str, host: &str) -> bool {
    let own = origin.strip_prefix("http://").is_some_and(|o| o.eq_ignore_ascii_case(host));
    own || app.config.allow_origin.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
}

/// The bearer token of a request.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = one(headers, &header::AUTHORIZATION)?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// What the bearer of a request may do.
///
/// # Errors
/// 401 without or with a wrong token, 429 after too many wrong ones.
pub async fn right(app: &App, headers: &HeaderMap, from: IpAddr) -> Result<Right, Refusal> {
    let Some(token) = bearer(headers) else {
        return Err(Refusal::new(401, "token", "this needs a token: Authorization: Bearer TOKEN"));
    };
    app.right(token, from).await.map_err(token_refusal)
}

/// The refusal of a token.
pub fn token_refusal(error: TokenError) -> Refusal {
    match error {
        TokenError::Wrong => Refusal::new(401, "token", "this token opens nothing"),
        TokenError::Gone => Refusal::new(410, "game.gone", GONE),
        TokenError::TooMany => Refusal {
            retry_after: Some(60),
            ..Refusal::new(429, "token.rate", "too many wrong tokens came from this address; try again in a minute")
        },
        TokenError::Store => Refusal::new(503, "store.other", "the data file cannot be read"),
    }
}

async fn compressed(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let is_text = parts.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).is_some_and(|kind| {
        kind.starts_with("application/json") || kind.starts_with("text/") || kind.starts_with("application/x-")
    });
    if !is_text || parts.headers.contains_key(header::CONTENT_ENCODING) {
        return Response::from_parts(parts, body);
    }
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if bytes.len() < WORTH_COMPRESSING {
        return Response::from_parts(parts, Body::from(bytes));
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    Response::from_parts(parts, Body::from(files::compress_fast(&bytes)))
}
