//! The limits of a small self-hosted server, all in one place.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much of everything is allowed. The numbers are start values for a small machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Connections at once from one address.
    pub connections_per_address: usize,
    /// Time to send a request's head, and idle time between requests.
    pub header_time: Duration,
    /// Time for a whole request.
    pub request_time: Duration,
    /// How long a peer may not read what is sent to it.
    pub write_time: Duration,
    /// Bytes of a request's line and headers.
    pub head_bytes: usize,
    /// Headers of a request.
    pub headers: usize,
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Bytes of an import.
    pub import_bytes: usize,
    /// Bytes of a WebSocket message from a page.
    pub message_bytes: usize,
    /// Bytes of a WebSocket message to a page, and of what waits to be written to one.
    pub write_buffer_bytes: usize,
    /// WebSocket messages from a page at once.
    pub message_burst: u32,
    /// WebSocket messages from a page per second.
    pub messages_per_second: f64,
    /// Between two pings of a WebSocket; without any answer for twice that it is closed.
    pub ping_every: Duration,
    /// Open tables.
    pub rooms: usize,
    /// Games one address may make in a day, the owner excepted.
    pub games_per_address: u32,
    /// How long a table without connections stays in memory.
    pub room_idle: Duration,
    /// The longest a computer thinks about one move.
    pub move_time: Duration,
    /// Bytes that the trees which Go computers keep between their moves may take together.
    pub kept_trees: u64,
    /// How long a hint takes.
    pub hint_time: Duration,
    /// Jobs that may wait for a processor, the owner's excepted.
    pub queue: usize,
    /// Jobs of one address at once, the owner's excepted.
    pub jobs_per_address: usize,
    /// Seconds of computing for one address in ten minutes, the owner excepted.
    pub computing_seconds: f64,
    /// Wrong tokens from one address before others are refused unread.
    pub wrong_tokens: u32,
    /// Spectators at one table. They never take the places of its players and of the owner.
    pub spectators_per_room: usize,
    /// Spectators at one table from one address.
    pub spectators_per_address: usize,
    /// Pages that show one seat at a time, and pages of the owner at one table.
    pub pages_per_seat: usize,
    /// Pages of the data file (4 KiB each); unlimited when `None`.
    pub data_pages: Option<u32>,
    /// Simulations for a position in the coarse and the fine pass of a review.
    pub review_visits: [u64; 2],
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 512,
            connections_per_address: 32,
            header_time: Duration::from_secs(5),
            request_time: Duration::from_secs(15),
            write_time: Duration::from_secs(8),
            head_bytes: 16 << 10,
            headers: 64,
            body_bytes: 64 << 10,
            import_bytes: 1 << 20,
            message_bytes: 8 << 10,
            write_buffer_bytes: 512 << 10,
            message_burst: 20,
            messages_per_second: 5.0,
            ping_every: Duration::from_secs(20),
            rooms: 1000,
            games_per_address: 20,
            room_idle: Duration::from_secs(120),
            move_time: Duration::from_secs(10),
            kept_trees: 512 << 20,
            hint_time: Duration::from_millis(1500),
            queue: 32,
            jobs_per_address: 2,
            computing_seconds: 120.0,
            wrong_tokens: 20,
            spectators_per_room: 64,
            spectators_per_address: 16,
            pages_per_seat: 16,
            data_pages: None,
            review_visits: [120, 1200],
        }
    }
}

/// A bucket of tokens that fills by itself.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    size: f64,
    per_second: f64,
    level: f64,
    at: Instant,
}

impl Bucket {
    /// A full bucket.
    pub fn new(size: f64, per_second: f64) -> Self {
        Bucket { size, per_second, level: size, at: Instant::now() }
    }

    fn fill(&mut self) {
        let now = Instant::now();
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + seconds * self.per_second).min(self.size);
        self.at = now;
    }

    /// Takes so much, when it is there.
    pub fn take(&mut self, amount: f64) -> bool {
        self.fill();
        let enough = self.level >= amount;
        if enough {
            self.level -= amount;
        }
        enough
    }

    /// Takes so much whether or not it is there.
    pub fn spend(&mut self, amount: f64) {
        self.fill();
        self.level -= amount;
    }

    /// Whether something is left.
    pub fn has_any(&mut self) -> bool {
        self.fill();
        self.level > 0.0
    }

    fn is_full(&mut self) -> bool {
        self.fill();
        self.level >= self.size
    }
}

/// One bucket for each address; full ones are forgotten, so that addresses do not pile up.
#[derive(Debug)]
pub struct Buckets {
    size: f64,
    per_second: f64,
    by_address: Mutex<HashMap<IpAddr, Bucket>>,
}

/// So many addresses are kept before full buckets are swept.
const SWEEP_AT: usize = 1024;

impl Buckets {
    /// Buckets of this size that fill within `refill`.
    pub fn new(size: f64, refill: Duration) -> Self {
        let per_second = size / refill.as_secs_f64().max(1e-3);
        Buckets { size, per_second, by_address: Mutex::new(HashMap::new()) }
    }

    fn with<T>(&self, address: IpAddr, f: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut map = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if map.len() >= SWEEP_AT && !map.contains_key(&address) {
            map.retain(|_, bucket| !bucket.is_full());
        }
        f(map.entry(address).or_insert_with(|| Bucket::new(self.size, self.per_second)))
    }

    /// See [`Bucket::take`].
    pub fn take(&self, address: IpAddr, amount: f64) -> bool {
        self.with(address, |bucket| bucket.take(amount))
    }

    /// See [`Bucket::spend`].
    pub fn spend(&self, address: IpAddr, amount: f64) {
        self.with(address, |bucket| bucket.spend(amount));
    }

    /// See [`Bucket::has_any`].
    pub fn has_any(&self, address: IpAddr) -> bool {
        self.with(address, Bucket::has_any)
    }
}
