//! The accept loop. The usual one sets no timer for headers and does not bound connections; this one does both, and lets go of
//! peers that do not read.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep};
use tower::ServiceExt;

use crate::app::App;
use crate::forwarded::origin_of;
use crate::metrics::Metrics;
use crate::protocol::http::ErrorBody;
use crate::refusal::Refusal;

/// Who is at the other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its address; behind a trusted proxy, the one that the proxy names.
    pub from: IpAddr,
    /// The address of ours that it reached.
    pub at: SocketAddr,
}

type PerAddress = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// A connection counted for its address.
struct Counted {
    counts: PerAddress,
    address: IpAddr,
}

impl Counted {
    /// `None` when the address has enough.
    fn new(counts: &PerAddress, address: IpAddr, most: usize) -> Option<Self> {
        let mut map = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = map.entry(address).or_insert(0);
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted { counts: counts.clone(), address })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut map = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = map.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                map.remove(&self.address);
            }
        }
    }
}

/// Accepts connections until the server stops, then waits a moment for those that are open.
pub async fn run(app: Arc<App>, listener: TcpListener, router: Router) {
    let limits = &app.config.limits;
    let places = Arc::new(Semaphore::new(limits.connections));
    let counts: PerAddress = Arc::default();
    let mut closing = app.closing.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closing.changed() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(_) => {
                // Out of file descriptors, most likely: others will be closed soon.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        Metrics::count(&app.metrics.connections);
        let address = peer.ip().to_canonical();
        let place = places.clone().try_acquire_owned();
        // All who come through a proxy have its address: they share the places of everybody.
        let most = match app.config.trusted_proxies.contains(&address) {
            true => limits.connections,
            false => limits.connections_per_address,
        };
        let counted = Counted::new(&counts, address, most);
        let (Ok(place), Some(counted)) = (place, counted) else {
            Metrics::count(&app.metrics.connections_refused);
            drop(stream);
            continue;
        };
        let (app, router) = (app.clone(), router.clone());
        tokio::spawn(async move {
            // A WebSocket keeps its place through this: it is in the request's extensions until its task ends.
            let held = Arc::new((place, counted));
            serve(&app, stream, address, router, held).await;
        });
    }
    drop(listener);
    // Pages are told by their tables; requests that are on their way may end.
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(Duration::from_secs(2), places.acquire_many(all)).await;
}

/// What keeps a connection's place: cloned into upgraded ones.
#[derive(Clone)]
pub struct Held {
    _held: Arc<dyn Send + Sync>,
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Held")
    }
}

async fn serve(app: &Arc<App>, stream: TcpStream, from: IpAddr, router: Router, held: Arc<dyn Send + Sync>) {
    let limits = &app.config.limits;
    let Ok(at) = stream.local_addr() else { return };
    let _ = stream.set_nodelay(true);
    let held = Held { _held: held };
    let (request_time, metrics) = (limits.request_time, app.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        let from = origin_of(from, request.headers(), &metrics.config.trusted_proxies);
        request.extensions_mut().insert(Peer { from, at });
        request.extensions_mut().insert(held.clone());
        let (router, app) = (router.clone(), metrics.clone());
        async move {
            Metrics::count(&app.metrics.requests);
            let answer = router.oneshot(request.map(Body::new));
            let response = match tokio::time::timeout(request_time, answer).await {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => Refusal::new(408, "timeout", "the request took too long; try again").into_response(),
            };
            if response.status().as_u16() >= 400 {
                Metrics::count(&app.metrics.requests_refused);
            }
            Ok::<_, std::convert::Infallible>(response)
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(limits.head_bytes.max(8192))
        .max_headers(limits.headers)
        .half_close(false);
    let io = TokioIo::new(Impatient::new(stream, limits.write_time));
    let connection = builder.serve_connection(io, service).with_upgrades();
    tokio::pin!(connection);
    let mut closing = app.closing.clone();
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// A stream that fails when the peer does not read for too long. When it is dropped, what the peer still sends is read for a
/// moment: else the system would tell it "reset" before it has read our last words.
struct Impatient {
    stream: Option<TcpStream>,
    patience: Duration,
    blocked: Option<Pin<Box<Sleep>>>,
    instead: Option<Instead>,
}

/// What is written in place of a refusal of the library's own, which has no words.
struct Instead {
    bytes: Vec<u8>,
    written: usize,
    /// So many bytes it stands for.
    of: usize,
}

impl Instead {
    /// What is no HTTP is refused before any handler has seen it, with an empty body. All others of our refusals have one.
    fn of(head: &[u8]) -> Option<Self> {
        const EMPTY: &str = "content-length: 0\r\n";
        if !head.starts_with(b"HTTP/1.1 4") || !head.ends_with(b"\r\n\r\n") {
            return None;
        }
        let text = std::str::from_utf8(head).ok().filter(|text| text.contains(EMPTY))?;
        let message = match text.get(9..12) {
            Some("431") => "the head of the request is too large",
            Some("414") => "the path of the request is too long",
            _ => "this is no HTTP request that this server understands",
        };
        let body = serde_json::to_string(&ErrorBody { code: "http".to_owned(), message: message.to_owned() }).ok()?;
        let length = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        let bytes = (text.replacen(EMPTY, &length, 1) + &body).into_bytes();
        Some(Instead { bytes, written: 0, of: head.len() })
    }
}

/// So many streams linger at once.
const LINGERING: usize = 128;
/// How long, and how much is read meanwhile.
const LINGER_TIME: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 256 << 10;

async fn linger(mut stream: TcpStream) {
    static STREAMS: AtomicUsize = AtomicUsize::new(0);
    if STREAMS.fetch_add(1, Ordering::Relaxed) < LINGERING {
        let read = async {
            let _ = stream.shutdown().await;
            let (mut buffer, mut bytes) = ([0; 4096], 0);
            while let Ok(n) = stream.read(&mut buffer).await {
                bytes += n;
                if n == 0 || bytes > LINGER_BYTES {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(LINGER_TIME, read).await;
    }
    STREAMS.fetch_sub(1, Ordering::Relaxed);
}

impl Drop for Impatient {
    fn drop(&mut self) {
        if let (Some(stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) {
            runtime.spawn(linger(stream));
        }
    }
}

impl Impatient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Impatient { stream: Some(stream), patience, blocked: None, instead: None }
    }

    fn stream(&mut self) -> Pin<&mut TcpStream> {
        match &mut self.stream {
            Some(stream) => Pin::new(stream),
            None => unreachable!("the stream is taken only when this is dropped"),
        }
    }

    /// Writes the rest of what stands in place of the library's words.
    fn write_instead(&mut self, context: &mut Context<'_>) -> Option<Poll<io::Result<usize>>> {
        let mut instead = self.instead.take()?;
        while let Some(rest) = instead.bytes.get(instead.written..).filter(|rest| !rest.is_empty()) {
            match self.stream().poll_write(context, rest) {
                Poll::Ready(Ok(0)) => return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(n)) => instead.written += n,
                Poll::Ready(Err(e)) => return Some(Poll::Ready(Err(e))),
                Poll::Pending => {
                    self.instead = Some(instead);
                    return Some(Poll::Pending);
                }
            }
        }
        Some(Poll::Ready(Ok(instead.of)))
    }

    fn watch<T>(&mut self, result: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.blocked = None;
            return result;
        }
        let until = Instant::now() + self.patience;
        let blocked = self.blocked.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
        match blocked.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Impatient {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.get_mut().stream().poll_read(context, buffer)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.instead.is_none() {
            this.instead = Instead::of(bytes);
        }
        let result = match this.write_instead(context) {
            Some(result) => result,
            None => this.stream().poll_write(context, bytes),
        };
        this.watch(result, context)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let result = this.stream().poll_flush(context);
        this.watch(result, context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().stream().poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.instead.is_none()
            && let [only] = slices
        {
            this.instead = Instead::of(only);
        }
        let result = match this.write_instead(context) {
            Some(result) => result,
            None => this.stream().poll_write_vectored(context, slices),
        };
        this.watch(result, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
