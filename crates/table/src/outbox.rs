//! What waits to be sent to one page. Bounded: of states only the newest is kept, and who falls behind is let go.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// So many messages besides the state may wait.
const MOST: usize = 64;
/// So many bytes of them.
const MOST_BYTES: usize = 384 << 10;

/// Why the server closes a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Close {
    /// The WebSocket code.
    pub code: u16,
    /// The code in the message `bye`.
    pub why: &'static str,
}

/// The next thing to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A message.
    Text(Arc<str>),
    /// The end.
    Close(Close),
}

#[derive(Debug, Default)]
struct Pending {
    queue: VecDeque<Arc<str>>,
    bytes: usize,
    state: Option<Arc<str>>,
    thinking: Option<Arc<str>>,
    close: Option<Close>,
}

/// What waits to be sent to one page.
#[derive(Debug, Default)]
pub struct Outbox {
    pending: Mutex<Pending>,
    ready: Notify,
}

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message that must arrive; a page that lets too many pile up is let go.
    pub fn send(&self, text: impl Into<Arc<str>>) {
        let text = text.into();
        let mut pending = self.lock();
        if pending.queue.len() >= MOST || pending.bytes + text.len() > MOST_BYTES {
            pending.close.get_or_insert(Close { code: 1008, why: "slow" });
        } else {
            pending.bytes += text.len();
            pending.queue.push_back(text);
        }
        drop(pending);
        self.ready.notify_one();
    }

    /// The game as it stands: replaces one that was not sent yet.
    pub fn state(&self, text: Arc<str>) {
        let mut pending = self.lock();
        pending.state = Some(text);
        pending.thinking = None;
        drop(pending);
        self.ready.notify_one();
    }

    /// How far a computer is: replaces one that was not sent yet.
    pub fn thinking(&self, text: Arc<str>) {
        self.lock().thinking = Some(text);
        self.ready.notify_one();
    }

    /// The end, after what waits.
    pub fn close(&self, close: Close) {
        self.lock().close.get_or_insert(close);
        self.ready.notify_one();
    }

    /// The next thing to send; waits for it.
    pub async fn next(&self) -> Next {
        loop {
            {
                let mut pending = self.lock();
                if let Some(close) = pending.close.filter(|c| c.why == "slow") {
                    return Next::Close(close);
                }
                if let Some(text) = pending.queue.pop_front() {
                    pending.bytes -= text.len();
                    return Next::Text(text);
                }
                if let Some(text) = pending.state.take().or_else(|| pending.thinking.take()) {
                    return Next::Text(text);
                }
                if let Some(close) = pending.close {
                    return Next::Close(close);
                }
            }
            self.ready.notified().await;
        }
    }
}
