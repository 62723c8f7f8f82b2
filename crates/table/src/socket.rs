//! The WebSocket of one page: reads with bounds, writes what waits in its outbox.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use kiebitz_core::Seat;
use tokio::sync::oneshot;
use tokio::time::{Instant, interval_at, timeout};

use crate::accept::{Held, Peer};
use crate::app::{App, Right, TokenError};
use crate::http::token_refusal;
use crate::identity;
use crate::limits::Bucket;
use crate::metrics::Metrics;
use crate::outbox::{Close, Next, Outbox};
use crate::protocol::client::ClientMessage;
use crate::protocol::common::SeatKind;
use crate::protocol::http::SeatToken;
use crate::protocol::server::ServerMessage;
use crate::reading;
use crate::refusal::Refusal;
use crate::room::{Command, Handle, NewConnection};
use crate::store::{Opened, StoreError, TokenKind};

/// Time to say hello.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// So many tokens a page may show.
const MOST_TOKENS: usize = 16;
/// An idle connection needs little.
const READ_BUFFER: usize = 4096;

/// Opens the WebSocket of a page.
pub async fn upgrade(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Extension(held): Extension<Held>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return Refusal::new(400, "upgrade", "this path is for WebSockets: it takes GET with Upgrade: websocket")
            .into_response();
    };
    let limits = &app.config.limits;
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(limits.write_buffer_bytes)
        .max_message_size(limits.message_bytes)
        .max_frame_size(limits.message_bytes)
        .on_upgrade(move |socket| async move {
            let _held = held;
            serve(app, peer.from, socket).await;
        })
}

type Sink = SplitSink<WebSocket, Message>;
type Source = SplitStream<WebSocket>;

/// Why reading ended.
enum Ended {
    /// The peer is gone.
    Gone,
    /// It broke a rule.
    Broke(Close),
}

async fn serve(app: Arc<App>, from: IpAddr, socket: WebSocket) {
    let (mut sink, mut source) = socket.split();
    let Greeted { room, connection, game, held, shown } =
        match timeout(HELLO_TIME, hello(&app, from, &mut source)).await {
            Ok(Ok(greeted)) => greeted,
            Ok(Err((close, refusal))) => {
                if let Some(message) = refusal {
                    let _ = timeout(HELLO_TIME, sink.send(text(&message))).await;
                }
                return end(&mut sink, close).await;
            }
            Err(_) => return end(&mut sink, Close { code: 4001, why: "hello" }).await,
        };
    let id = connection.id;
    let outbox = connection.outbox.clone();
    let (reply, answer) = oneshot::channel();
    if room.send(Command::Join(connection, reply)).await.is_err() || answer.await != Ok(true) {
        return end(&mut sink, Close { code: 1013, why: "full" }).await;
    }
    // Links that were replaced between the greeting and now did not find this page at the table; nothing was written to it yet.
    if !still_opens(&app, &shown).await {
        let _ = room.send(Command::Leave(id)).await;
        return end(&mut sink, Close { code: 4001, why: "replaced" }).await;
    }
    // After it sits at the table: a rematch that is made from now on is told to it there.
    for message in rematches(&app, &game, &held).await {
        outbox.send(serde_json::to_string(&message).unwrap_or_default());
    }
    let mut reader = tokio::spawn(read(app.clone(), id, room.clone(), source, outbox.clone()));
    write(&app, &mut sink, &outbox, &mut reader).await;
    reader.abort();
    let _ = room.send(Command::Leave(id)).await;
}

fn text(message: &ServerMessage) -> Message {
    Message::Text(serde_json::to_string(message).unwrap_or_default().into())
}

async fn end(sink: &mut Sink, close: Close) {
    let frame = CloseFrame { code: close.code, reason: close.why.into() };
    let _ = timeout(HELLO_TIME, sink.send(Message::Close(Some(frame)))).await;
}

fn refusal(code: &str, message: &str) -> ServerMessage {
    ServerMessage::Error {
        code: code.to_owned(),
        message: message.to_owned(),
        cid: None,
        id: None,
        v: None,
        retry_after: None,
    }
}

/// A page that may come in.
struct Greeted {
    room: Handle,
    connection: NewConnection,
    /// The game's id.
    game: String,
    /// The seats' tokens that it showed.
    held: Vec<(String, Opened)>,
    /// What of its tokens opened the game, none for the owner.
    shown: Vec<String>,
}

/// Whether all these tokens still open what they opened.
async fn still_opens(app: &App, shown: &[String]) -> bool {
    for token in shown {
        if !matches!(app.store.opened(identity::hash(token)).await, Ok(Some(_))) {
            return false;
        }
    }
    true
}

/// The rematches of a game in which these tokens' holders have seats, with their tokens for those.
async fn rematches(app: &App, game: &str, held: &[(String, Opened)]) -> Vec<ServerMessage> {
    let mut found: BTreeMap<String, Vec<SeatToken>> = BTreeMap::new();
    for (old, opened) in held {
        let Some(seat) = opened.seat else { continue };
        let Ok(Some(heir)) = app.store.heir(game.to_owned(), seat).await else { continue };
        let token = identity::secret_after(old, &heir.next);
        let hash = identity::hash(&token);
        let there = matches!(app.store.opened(hash).await, Ok(Some(_)));
        if there || matches!(app.store.inherit(heir.clone(), opened.kind, hash).await, Ok(true)) {
            found.entry(heir.next).or_default().push(SeatToken { seat: heir.seat, token });
        }
    }
    let message = |(id, tokens)| ServerMessage::Rematch { id, tokens, invites: Vec::new(), watch: None };
    found.into_iter().map(message).collect()
}

type NotGreeted = (Close, Option<ServerMessage>);

/// Waits for the first message and finds out what the page may do.
async fn hello(app: &Arc<App>, from: IpAddr, source: &mut Source) -> Result<Greeted, NotGreeted> {
    let wrong = |why: &str| (Close { code: 4001, why: "hello" }, Some(refusal("hello", why)));
    let message = loop {
        match source.next().await {
            Some(Ok(Message::Text(text))) => break text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Binary(_))) => return Err((Close { code: 1003, why: "binary" }, None)),
            Some(Err(error)) => return Err((broken(&error), None)),
            _ => return Err((Close { code: 1000, why: "gone" }, None)),
        }
    };
    let Ok(ClientMessage::Hello { game, tokens }) = reading::read(message.as_bytes(), "the message") else {
        return Err(wrong("the first message must be hello with the game and its tokens"));
    };
    let mut seats: Vec<Seat> = Vec::new();
    let mut owner = false;
    let mut shown: Vec<String> = Vec::new();
    let mut held = Vec::new();
    let mut failed = None;
    for token in tokens.iter().take(MOST_TOKENS) {
        match app.right(token, from).await {
            Ok(Right::Owner) => owner = true,
            Ok(Right::Game(opened)) if opened.game == game => {
                shown.push(token.clone());
                if matches!(opened.kind, TokenKind::Seat | TokenKind::Maker) {
                    seats.extend(opened.seat);
                    held.push((token.clone(), opened));
                }
            }
            Ok(Right::Game(_)) | Err(TokenError::Wrong) => {}
            Err(error) => failed = Some(error),
        }
    }
    // One token that opens the table is enough, whatever the others are.
    match failed.filter(|_| !owner && shown.is_empty()) {
        None | Some(TokenError::Wrong) => {}
        Some(error @ (TokenError::Gone | TokenError::TooMany | TokenError::Store)) => {
            let close = match error {
                TokenError::Gone => Close { code: 4010, why: "deleted" },
                TokenError::TooMany => Close { code: 1008, why: "rate" },
                _ => Close { code: 1013, why: "store" },
            };
            let told = token_refusal(error);
            let mut message = refusal(&told.code, &told.message);
            if let ServerMessage::Error { retry_after, .. } = &mut message {
                *retry_after = told.retry_after;
            }
            return Err((close, Some(message)));
        }
    }
    let gone = || {
        (
            Close { code: 4004, why: "game" },
            Some(refusal("game.unknown", "there is no such game, or the link to it is no longer good")),
        )
    };
    if !owner && shown.is_empty() {
        return Err(gone());
    }
    // A room that ends at this very moment is opened anew.
    let mut tries = 0;
    let room = loop {
        match app.room(&game).await {
            Ok(room) if !room.is_closed() || tries > 2 => break room,
            Ok(_) => tries += 1,
            Err(StoreError::Unknown) => return Err(gone()),
            Err(error) => {
                return Err((Close { code: 4004, why: "game" }, Some(refusal(error.code(), &error.to_string()))));
            }
        }
    };
    if owner {
        // The owner plays the seats of the browser where the game was made, if it was made by the owner or nobody else can.
        let table = room.snapshot().await.map_err(|_| (Close { code: 1013, why: "full" }, None))?;
        let here = table.seats.iter().enumerate().filter(|(_, h)| h.made.kind == SeatKind::Here);
        seats.extend(here.map(|(seat, _)| seat as Seat));
    }
    seats.sort_unstable();
    seats.dedup();
    if owner {
        shown.clear();
    }
    let peer = if owner { None } else { Some(from) };
    let outbox = Arc::new(Outbox::default());
    let connection = NewConnection { id: app.next_connection(), seats, owner, peer, outbox };
    Ok(Greeted { room, connection, game, held, shown })
}

/// The close code for an error of the WebSocket.
fn broken(error: &axum::Error) -> Close {
    let words = error_words(error);
    if words.contains("too long") || words.contains("too big") || words.contains("Space limit exceeded") {
        Close { code: 1009, why: "large" }
    } else if words.contains("UTF-8") || words.contains("utf-8") {
        Close { code: 1007, why: "utf8" }
    } else {
        Close { code: 1002, why: "protocol" }
    }
}

fn error_words(error: &axum::Error) -> String {
    let mut words = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        words.push_str(&inner.to_string());
        source = inner.source();
    }
    words
}

async fn read(app: Arc<App>, id: u64, room: Handle, mut source: Source, outbox: Arc<Outbox>) {
    let limits = &app.config.limits;
    let mut bucket = Bucket::new(f64::from(limits.message_burst), limits.messages_per_second);
    let ended = loop {
        let message = match timeout(2 * limits.ping_every, source.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(error))) => break Ended::Broke(broken(&error)),
            Ok(None) => break Ended::Gone,
            Err(_) => break Ended::Broke(Close { code: 1008, why: "silent" }),
        };
        let content = match message {
            Message::Text(content) => content,
            Message::Binary(_) => break Ended::Broke(Close { code: 1003, why: "binary" }),
            Message::Close(_) => break Ended::Gone,
            Message::Ping(_) => {
                // Answered by the library; a flood of them counts as messages do.
                if bucket.take(1.0) { continue } else { break Ended::Broke(Close { code: 1008, why: "rate" }) }
            }
            Message::Pong(_) => continue,
        };
        Metrics::count(&app.metrics.messages);
        if !bucket.take(1.0) {
            break Ended::Broke(Close { code: 1008, why: "rate" });
        }
        match reading::read::<ClientMessage>(content.as_bytes(), "the message") {
            Ok(message) => {
                if room.send(Command::Say(id, message)).await.is_err() {
                    break Ended::Broke(Close { code: 1001, why: "shutdown" });
                }
            }
            Err(why) => {
                Metrics::count(&app.metrics.messages_refused);
                outbox.send(serde_json::to_string(&refusal("message", &why)).unwrap_or_default());
            }
        }
    };
    match ended {
        Ended::Gone => outbox.close(Close { code: 1000, why: "gone" }),
        Ended::Broke(close) => outbox.close(close),
    }
}

async fn write(app: &App, sink: &mut Sink, outbox: &Outbox, reader: &mut tokio::task::JoinHandle<()>) {
    let limits = &app.config.limits;
    let mut ping = interval_at(Instant::now() + limits.ping_every, limits.ping_every);
    let mut reading = true;
    loop {
        let message = tokio::select! {
            next = outbox.next() => match next {
                Next::Text(text) => Message::Text(text.to_string().into()),
                Next::Close(close) => {
                    if close.code != 1000 {
                        let bye = ServerMessage::Bye { code: close.why.to_owned() };
                        let _ = timeout(limits.write_time, sink.send(text(&bye))).await;
                    }
                    return end(sink, close).await;
                }
            },
            _ = ping.tick() => Message::Ping(axum::body::Bytes::new()),
            _ = &mut *reader, if reading => {
                // What the reader had to say is in the outbox.
                reading = false;
                outbox.close(Close { code: 1000, why: "gone" });
                continue;
            }
        };
        match timeout(limits.write_time, sink.send(message)).await {
            Ok(Ok(())) => {}
            // It does not read, or is gone: nothing more can be said.
            _ => return,
        }
    }
}
