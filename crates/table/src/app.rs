//! What all parts of the server share.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kiebitz_core::Clock;
use kiebitz_play::WallClock;
use tokio::sync::{OnceCell, watch};

use crate::identity::{self, SecretHash};
use crate::limits::{Buckets, Limits};
use crate::metrics::Metrics;
use crate::minds::Minds;
use crate::queue::Queue;
use crate::room::{self, Handle};
use crate::store::{Opened, Store, StoreError, StoredGame, TokenKind};
use crate::table::Table;

/// Who may reach the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// This machine.
    Local,
    /// The local network.
    Lan,
    /// Everybody.
    Public,
}

impl Mode {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Local => "local",
            Mode::Lan => "lan",
            Mode::Public => "public",
        }
    }
}

/// Faults that tests cause on purpose.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Every so many moves of computers one panics.
    pub computer_panic: Option<u64>,
    /// Every state carries the other seats' legal actions, the seed and everybody's hidden cards.
    pub leak: bool,
    /// The time of day is wrong by so many milliseconds.
    pub day_shift: Arc<AtomicI64>,
}

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub addr: SocketAddr,
    /// Who may reach it.
    pub mode: Mode,
    /// Where games are kept.
    pub data: PathBuf,
    /// The page is read from this folder instead of the program.
    pub dev: Option<PathBuf>,
    /// Further origins from which pages may speak to it, such as `https://play.example.org`.
    pub allow_origin: Vec<String>,
    /// Addresses of proxies in front of the server: what they say of the address of a request (`X-Forwarded-For`) is believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// The limits.
    pub limits: Limits,
    /// Threads for computers.
    pub workers: usize,
    /// Faults that tests cause.
    #[doc(hidden)]
    pub faults: Faults,
}

impl Config {
    /// A server for this machine, with games in `data`.
    pub fn local(addr: SocketAddr, data: PathBuf) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Config {
            addr,
            mode: Mode::Local,
            data,
            dev: None,
            allow_origin: Vec::new(),
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            workers: cores.saturating_sub(1).max(1),
            faults: Faults::default(),
        }
    }
}

/// What a bearer of a token may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// Everything.
    Owner,
    /// What a seat or spectator of one game may.
    Game(Opened),
}

/// Why a token opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// There is no such token.
    Wrong,
    /// There is no such token, and too many such came from this address.
    TooMany,
    /// Its game was deleted.
    Gone,
    /// The store cannot be read.
    Store,
}

/// What all parts of the server share.
#[derive(Debug)]
pub struct App {
    /// How it is set up.
    pub config: Config,
    /// Where games are kept.
    pub store: Store,
    /// The computers.
    pub queue: Queue,
    /// What those that play Go keep between their moves.
    pub minds: Minds,
    /// The counters.
    pub metrics: Metrics,
    /// Games made, by address.
    pub games_made: Buckets,
    /// Becomes `true` when the server stops.
    pub closing: watch::Receiver<bool>,
    /// The address that links begin with.
    pub link_base: Mutex<String>,
    owner: SecretHash,
    wrong_tokens: Buckets,
    rooms: Mutex<HashMap<Arc<str>, Arc<OnceCell<Handle>>>>,
    clock: WallClock,
    connections: AtomicU64,
    moves: AtomicU64,
}

impl App {
    /// The shared parts of a server.
    pub fn new(config: Config, store: Store, queue: Queue, owner_key: &str, closing: watch::Receiver<bool>) -> Self {
        let limits = &config.limits;
        App {
            games_made: Buckets::new(f64::from(limits.games_per_address), Duration::from_secs(86_400)),
            wrong_tokens: Buckets::new(f64::from(limits.wrong_tokens), Duration::from_secs(600)),
            owner: identity::hash(owner_key),
            minds: Minds::new(limits.kept_trees),
            metrics: Metrics::default(),
            rooms: Mutex::new(HashMap::new()),
            clock: WallClock::start(),
            connections: AtomicU64::new(0),
            moves: AtomicU64::new(0),
            link_base: Mutex::new(String::new()),
            config,
            store,
            queue,
            closing,
        }
    }

    /// Monotonic time. Durations are measured with it, never with the time of day, which jumps.
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// The time of day: milliseconds since 1970. It may jump: only the list of games and the log show it.
    pub fn time_of_day(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        now.saturating_add(self.config.faults.day_shift.load(Ordering::Relaxed))
    }

    /// A number for a new connection.
    pub fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether a test wants this computer's move to panic.
    pub(crate) fn panics_now(&self) -> bool {
        let Some(every) = self.config.faults.computer_panic else { return false };
        self.moves.fetch_add(1, Ordering::Relaxed) % every.max(1) == every.max(1) - 1
    }

    /// Whether this is the owner key.
    pub fn is_owner(&self, token: &str) -> bool {
        identity::same(&identity::hash(token), &self.owner)
    }

    /// What a token opens. Only tokens that nobody was ever given count as wrong: those that open something do so for everybody,
    /// also where a neighbour behind the same address guesses, and those of deleted games are no guesses.
    ///
    /// # Errors
    /// When it opens nothing.
    pub async fn right(&self, token: &str, from: IpAddr) -> Result<Right, TokenError> {
        if self.is_owner(token) {
            return Ok(Right::Owner);
        }
        match self.opened(token, from).await? {
            // Spectators' codes are tokens, invitations are not.
            opened if opened.kind == TokenKind::Invite => Err(TokenError::Wrong),
            opened => Ok(Right::Game(opened)),
        }
    }

    /// What a token or an invitation opens.
    ///
    /// # Errors
    /// As [`App::right`].
    pub async fn opened(&self, secret: &str, from: IpAddr) -> Result<Opened, TokenError> {
        let opened = match identity::is_secret(secret) {
            true => self.store.opened(identity::hash(secret)).await.map_err(|_| TokenError::Store)?,
            false => None,
        };
        match opened {
            Some(opened) if opened.deleted => Err(TokenError::Gone),
            Some(opened) => Ok(opened),
            None => Err(self.wrong_token(from)),
        }
    }

    /// Counts a wrong token or invitation of an address, and answers what to tell it.
    fn wrong_token(&self, from: IpAddr) -> TokenError {
        Metrics::count(&self.metrics.wrong_tokens);
        if self.wrong_tokens.take(from, 1.0) { TokenError::Wrong } else { TokenError::TooMany }
    }

    fn rooms(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, Arc<OnceCell<Handle>>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many tables are open.
    pub fn open_rooms(&self) -> usize {
        self.rooms().len()
    }

    /// The room of a game, opened when it is not.
    ///
    /// # Errors
    /// When there is no such game, its log is damaged (it is set aside then), or too many are open.
    pub async fn room(self: &Arc<Self>, id: &str) -> Result<Handle, StoreError> {
        if !identity::is_id(id) {
            return Err(StoreError::Unknown);
        }
        let cell = {
            let mut rooms = self.rooms();
            if let Some(cell) = rooms.get(id) {
                if cell.get().is_some_and(Handle::is_closed) {
                    rooms.insert(id.into(), Arc::default());
                }
            } else if rooms.len() >= self.config.limits.rooms {
                return Err(StoreError::Refused("too many tables are open; try again later"));
            } else {
                rooms.insert(id.into(), Arc::default());
            }
            rooms.get(id).cloned().unwrap_or_default()
        };
        let opened = cell.get_or_try_init(|| self.open(id)).await.cloned();
        if opened.is_err() {
            let mut rooms = self.rooms();
            if rooms.get(id).is_some_and(|c| Arc::ptr_eq(c, &cell) && !c.initialized()) {
                rooms.remove(id);
            }
        }
        opened
    }

    /// The room of a game if it is open, or about to be.
    pub async fn open_room(self: &Arc<Self>, id: &str) -> Option<Handle> {
        let known = self.rooms().contains_key(id);
        if known { self.room(id).await.ok() } else { None }
    }

    /// A copy of a game's table. Where it is not open it is read from the store: to look at a game does not open it, or many looks
    /// would fill the memory with tables at which nobody sits.
    ///
    /// # Errors
    /// When there is no such game, or its log is damaged (it is set aside then).
    pub async fn table(self: &Arc<Self>, id: &str) -> Result<Table, StoreError> {
        if !identity::is_id(id) {
            return Err(StoreError::Unknown);
        }
        if let Some(room) = self.open_room(id).await
            && let Ok(table) = room.snapshot().await
        {
            return Ok(table);
        }
        self.load_or_set_aside(id).await
    }

    async fn open(self: &Arc<Self>, id: &str) -> Result<Handle, StoreError> {
        Ok(room::start(self.clone(), self.load_or_set_aside(id).await?))
    }

    async fn load_or_set_aside(&self, id: &str) -> Result<Table, StoreError> {
        let loaded = self.load(id).await;
        if let Err(error @ (StoreError::Log { .. } | StoreError::Damaged)) = &loaded {
            let _ = self.store.set_aside(id.to_owned(), error.to_string()).await;
        }
        loaded
    }

    /// A game from the store, replayed off the async threads.
    ///
    /// # Errors
    /// When there is none, it is deleted, or its log is damaged.
    pub async fn load(&self, id: &str) -> Result<Table, StoreError> {
        let stored = self.store.load(id.to_owned()).await?;
        if stored.deleted {
            return Err(StoreError::Unknown);
        }
        Self::replay(id, stored).await
    }

    /// As [`App::load`], of a deleted game too.
    ///
    /// # Errors
    /// When there is none, or its log is damaged.
    pub async fn load_even_deleted(&self, id: &str) -> Result<Table, StoreError> {
        let stored = self.store.load(id.to_owned()).await?;
        Self::replay(id, stored).await
    }

    async fn replay(id: &str, stored: StoredGame) -> Result<Table, StoreError> {
        let id = id.to_owned();
        tokio::task::spawn_blocking(move || Table::replay(&id, stored)).await.map_err(|_| StoreError::Closed)?
    }

    /// Forgets a room that has ended.
    pub(crate) fn forget(&self, id: &str) {
        let mut rooms = self.rooms();
        if rooms.get(id).and_then(|cell| cell.get()).is_some_and(Handle::is_closed) {
            rooms.remove(id);
        }
        drop(rooms);
        let minds = self.minds.forget(id);
        if !minds.is_empty() {
            tokio::task::spawn_blocking(move || drop(minds));
        }
    }

    /// Replays all unfinished games once, so that damaged ones are set aside before somebody sits down.
    pub async fn check_unfinished(&self) {
        let Ok(ids) = self.store.unfinished().await else { return };
        for id in ids {
            let _ = self.load_or_set_aside(&id).await;
        }
    }
}
