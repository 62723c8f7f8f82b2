//! One table with the people at it: a task of its own that does one thing after the other.
//!
//! Every change is an event: prepared on a copy, written to the disk, and only then applied and told to everybody.

mod advice;
mod computer;
mod play;
mod review;
mod views;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use kiebitz_core::Seat;
use kiebitz_go::status::Assessment;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::app::App;
use crate::events::Event;
use crate::metrics::Metrics;
use crate::outbox::{Close, Outbox};
use crate::protocol::client::ClientMessage;
use crate::protocol::common::{Asked, Phase};
use crate::protocol::http::ReviewState;
use crate::protocol::server::ServerMessage;
use crate::queue::Ticket;
use crate::refusal::Refusal;
use crate::store::StoreError;
use crate::table::Table;
use crate::think::Choice;

/// So many commands may wait for a table.
const WAITING: usize = 256;
/// Between two reports that a computer thinks.
const TICK: Duration = Duration::from_millis(200);

/// A page that sits down.
#[derive(Debug)]
pub struct NewConnection {
    /// Its number.
    pub id: u64,
    /// The seats it plays.
    pub seats: Vec<Seat>,
    /// It is the owner's.
    pub owner: bool,
    /// Its address; `None` for the owner.
    pub peer: Option<IpAddr>,
    /// Where messages to it go.
    pub outbox: Arc<Outbox>,
}

/// What a computer came up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thought {
    /// What it wants to do.
    Chosen(Choice),
    /// It gave no answer.
    Failed,
}

/// What a room is asked to do.
#[derive(Debug)]
pub enum Command {
    /// A page sits down; the answer is whether there is room.
    Join(NewConnection, oneshot::Sender<bool>),
    /// A page goes away.
    Leave(u64),
    /// A page says something.
    Say(u64, ClientMessage),
    /// A computer has decided about version `v`.
    Thought(u32, Thought),
    /// A message about advice number `id` for a connection; `true` for the last one.
    Advice(u64, u32, Box<ServerMessage>, bool),
    /// Which stones are dead in version `v`.
    Assessed(u32, Option<Box<Assessment>>),
    /// A copy of the table.
    Snapshot(oneshot::Sender<Table>),
    /// A person has taken a seat, or a seat is free again.
    Seat(Seat, String, bool),
    /// The spectators' link was replaced.
    NewWatch,
    /// It has another title.
    Title(String),
    /// It was deleted.
    Deleted,
    /// The review has got further.
    Reviewed(Box<ReviewState>),
    /// Starts the review, or stops it, or only asks.
    Review(ReviewWish, Option<IpAddr>, oneshot::Sender<Result<ReviewState, Refusal>>),
}

/// What is wanted of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewWish {
    /// To know where it is.
    Look,
    /// That it begins or goes on.
    Start,
    /// That it stops.
    Stop,
}

/// The way to a room.
#[derive(Clone, Debug)]
pub struct Handle {
    commands: mpsc::Sender<Command>,
}

impl Handle {
    /// Whether the room has ended.
    pub fn is_closed(&self) -> bool {
        self.commands.is_closed()
    }

    /// Asks for something.
    ///
    /// # Errors
    /// When the room has ended.
    pub async fn send(&self, command: Command) -> Result<(), StoreError> {
        self.commands.send(command).await.map_err(|_| StoreError::Closed)
    }

    /// A copy of the table.
    ///
    /// # Errors
    /// When the room has ended.
    pub async fn snapshot(&self) -> Result<Table, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(Command::Snapshot(reply)).await?;
        answer.await.map_err(|_| StoreError::Closed)
    }
}

struct Connection {
    seats: Vec<Seat>,
    owner: bool,
    peer: Option<IpAddr>,
    outbox: Arc<Outbox>,
    /// The seat for which the curtain is drawn aside, and in which version.
    looked: Option<(Seat, u32)>,
    advice: Option<Advice>,
}

impl Connection {
    /// It has neither a seat nor the owner's key.
    fn only_watches(&self) -> bool {
        self.seats.is_empty() && !self.owner
    }
}

struct Advice {
    id: u32,
    ticket: Ticket,
    what_if: Option<String>,
}

/// What was asked among the seats, and what is done when all agree.
struct Question {
    asked: Asked,
    event: Event,
    cid: Option<(u64, String)>,
}

struct Room {
    app: Arc<App>,
    table: Table,
    commands: mpsc::Sender<Command>,
    connections: BTreeMap<u64, Connection>,
    away_since: BTreeMap<Seat, Duration>,
    /// When the seat to move began to think, as far as this room knows: a turn during which the room was opened begins then, and a
    /// turn of a seat that was free when somebody takes it.
    turn_began: Duration,
    computer: Option<(Seat, Ticket)>,
    /// The queue was full: another try at the next tick.
    again: bool,
    question: Option<Question>,
    questions: u32,
    assessing: Option<Ticket>,
    assessment: Option<Box<Assessment>>,
    dead: Vec<String>,
    accepted: Vec<bool>,
    rematch: Vec<Seat>,
    rematched: bool,
    review: Option<ReviewState>,
    reviewing: Option<Ticket>,
    /// Whose computing it is when nobody is there.
    payer: Option<IpAddr>,
    quiet_since: Instant,
    ended: bool,
}

/// Starts the task of a room.
pub fn start(app: Arc<App>, table: Table) -> Handle {
    let (commands, receiver) = mpsc::channel(WAITING);
    let handle = Handle { commands: commands.clone() };
    let id = table.id.clone();
    let players = table.seats.len();
    let room = Room {
        turn_began: app.now(),
        app: app.clone(),
        table,
        commands,
        connections: BTreeMap::new(),
        away_since: BTreeMap::new(),
        computer: None,
        again: false,
        question: None,
        questions: 0,
        assessing: None,
        assessment: None,
        dead: Vec::new(),
        accepted: vec![false; players],
        rematch: Vec::new(),
        rematched: false,
        review: None,
        reviewing: None,
        payer: None,
        quiet_since: Instant::now(),
        ended: false,
    };
    tokio::spawn(async move {
        // A room that panics takes nothing with it: its game is in the log and opens again.
        if AssertUnwindSafe(room.run(receiver)).catch_unwind().await.is_err() {
            Metrics::count(&app.metrics.panics);
        }
        app.forget(&id);
    });
    handle
}

impl Room {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        let mut closing = self.app.closing.clone();
        self.drive();
        while !self.ended {
            let deadline = self.deadline();
            tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.handle(command).await,
                    None => break,
                },
                () = until(deadline) => self.time_is_up().await,
                () = until(self.next_tick()) => self.tick(),
                _ = closing.changed() => {
                    self.say_goodbye(Close { code: 1001, why: "shutdown" });
                    break;
                }
                () = until(self.idle_until()) => break,
            }
        }
        commands.close();
        // Whoever came in the last moment is sent away and comes back.
        while let Some(command) = commands.recv().await {
            if let Command::Join(connection, _) = command {
                connection.outbox.close(Close { code: 1001, why: "shutdown" });
            }
        }
    }

    async fn handle(&mut self, command: Command) {
        match command {
            Command::Join(connection, reply) => self.join(connection, reply),
            Command::Leave(id) => self.leave(id),
            Command::Say(id, message) => self.say(id, message).await,
            Command::Thought(v, thought) => self.thought(v, thought).await,
            Command::Advice(id, number, message, done) => self.forward_advice(id, number, &message, done),
            Command::Assessed(v, assessment) => self.assessed(v, assessment).await,
            Command::Snapshot(reply) => {
                let _ = reply.send(self.table.clone());
            }
            Command::Seat(seat, name, taken) => {
                if !taken {
                    // Its token is gone, whatever the disk says now.
                    self.let_go(|c| c.seats.contains(&seat) && !c.owner);
                }
                if self.append(&Event::Seat { seat, name, taken }).await.is_ok() {
                    if self.table.turn() == Some(seat) {
                        self.turn_began = self.app.now();
                    }
                    if !taken {
                        self.seat_is_free(seat).await;
                    }
                    self.broadcast();
                }
            }
            Command::NewWatch => self.let_go(Connection::only_watches),
            Command::Title(title) => {
                self.table.title = title;
                let ids: Vec<u64> = self.connections.keys().copied().collect();
                ids.into_iter().for_each(|id| self.welcome(id));
            }
            Command::Deleted => {
                self.say_goodbye(Close { code: 4010, why: "deleted" });
                self.ended = true;
            }
            Command::Reviewed(state) => self.reviewed(*state).await,
            Command::Review(wish, peer, reply) => {
                let answer = self.review_wish(wish, peer).await;
                let _ = reply.send(answer);
            }
        }
    }

    fn join(&mut self, new: NewConnection, reply: oneshot::Sender<bool>) {
        let full = self.is_full_for(&new);
        if reply.send(!full).is_err() || full {
            return;
        }
        for seat in &new.seats {
            self.away_since.remove(seat);
        }
        if !new.owner && !new.seats.is_empty() {
            self.payer = new.peer;
        }
        let NewConnection { id, seats, owner, peer, outbox } = new;
        self.connections.insert(id, Connection { seats, owner, peer, outbox, looked: None, advice: None });
        self.welcome(id);
        self.send_state(id);
        self.presence(Some(id));
        self.drive();
    }

    /// Whether there is no place left for this page. The owner, each seat and the spectators have places of their own: nobody can
    /// keep a player from the board by taking all of them.
    fn is_full_for(&self, new: &NewConnection) -> bool {
        let limits = &self.app.config.limits;
        let count = |is: &dyn Fn(&Connection) -> bool| self.connections.values().filter(|c| is(c)).count();
        if new.owner {
            return count(&|c| c.owner) >= limits.pages_per_seat;
        }
        if new.seats.is_empty() {
            return count(&Connection::only_watches) >= limits.spectators_per_room
                || count(&|c| c.only_watches() && c.peer == new.peer) >= limits.spectators_per_address;
        }
        // Who has a place at one of the seats comes in with all of them.
        new.seats.iter().all(|seat| count(&|c| !c.owner && c.seats.contains(seat)) >= limits.pages_per_seat)
    }

    fn leave(&mut self, id: u64) {
        let Some(gone) = self.connections.remove(&id) else { return };
        let now = self.app.now();
        for seat in gone.seats {
            if !self.is_online(seat) {
                self.away_since.insert(seat, now);
            }
        }
        self.quiet_since = Instant::now();
        self.presence(None);
    }

    /// Ends connections whose token was replaced: they are told and see nothing more.
    fn let_go(&mut self, which: impl Fn(&Connection) -> bool) {
        let gone: Vec<u64> = self.connections.iter().filter(|(_, c)| which(c)).map(|(id, _)| *id).collect();
        for id in gone {
            if let Some(connection) = self.connections.get(&id) {
                connection.outbox.close(Close { code: 4001, why: "replaced" });
            }
            self.leave(id);
        }
    }

    fn is_online(&self, seat: Seat) -> bool {
        self.connections.values().any(|c| c.seats.contains(&seat))
    }

    fn say_goodbye(&mut self, close: Close) {
        self.computer = None;
        self.reviewing = None;
        self.assessing = None;
        for connection in self.connections.values_mut() {
            connection.advice = None;
            connection.outbox.close(close);
        }
    }

    /// Appends an event: to the disk first, then here.
    async fn append(&mut self, event: &Event) -> Result<u32, Refusal> {
        let mut event = event.clone();
        if let Some(ms) = event.thought_before() {
            *ms = self.left_now().map(|_| self.turn_ms());
        }
        let prepared = self.table.prepare(&event, self.app.time_of_day())?;
        let over = prepared.table.phase() == Phase::Over;
        let summary = serde_json::to_string(&prepared.table.summary()).unwrap_or_default();
        let id = self.table.id.to_string();
        let written = self.app.store.append(id, prepared.event, prepared.digest, over, summary).await;
        if let Err(error) = written {
            Metrics::count(&self.app.metrics.events_failed);
            if matches!(error, StoreError::Stale) {
                // The log has events this room does not know: it opens anew.
                self.say_goodbye(Close { code: 1001, why: "shutdown" });
                self.ended = true;
            }
            return Err(error.into());
        }
        Metrics::count(&self.app.metrics.events);
        self.table = prepared.table;
        if event.moves_on() {
            self.moved_on();
        }
        Ok(self.table.v)
    }

    /// The position has changed: what was about the old one is over.
    fn moved_on(&mut self) {
        self.turn_began = self.app.now();
        self.computer = None;
        self.again = false;
        self.question = None;
        self.assessing = None;
        self.assessment = None;
        self.dead.clear();
        self.accepted.fill(false);
        self.rematch.clear();
        for connection in self.connections.values_mut() {
            connection.advice = None;
        }
    }

    /// After a change: computers go on, everybody is told.
    fn changed(&mut self) {
        self.drive();
        self.broadcast();
    }

    /// When the seat to move loses on time.
    fn deadline(&self) -> Option<Instant> {
        let left = self.left_now()?;
        Some(Instant::now() + Duration::from_millis(left))
    }

    /// Milliseconds left of the seat to move, where its clock runs: after the first move, and for somebody who is there to play.
    fn left_now(&self) -> Option<u64> {
        let seat = self.table.turn().filter(|_| self.table.phase() == Phase::Playing && self.table.ply() > 0)?;
        self.table.seats.get(usize::from(seat)).filter(|holder| holder.taken)?;
        let left = *self.table.left_ms.get(usize::from(seat))?;
        Some(left.saturating_sub(self.turn_ms()))
    }

    fn turn_ms(&self) -> u64 {
        u64::try_from(self.app.now().saturating_sub(self.turn_began).as_millis()).unwrap_or(u64::MAX)
    }

    async fn time_is_up(&mut self) {
        if self.left_now() != Some(0) {
            return;
        }
        let Some(seat) = self.table.turn() else { return };
        if self.append(&Event::Forfeit { seat, timeout: true, cid: None }).await.is_ok() {
            self.changed();
        } else {
            // The disk may have space again soon.
            tokio::time::sleep(TICK).await;
        }
    }

    fn next_tick(&self) -> Option<Instant> {
        let advice = self.connections.values().any(|c| c.advice.is_some());
        let busy = self.computer.is_some() || self.again || advice;
        busy.then(|| Instant::now() + TICK)
    }

    fn idle_until(&self) -> Option<Instant> {
        let busy = self.computer.is_some() || self.reviewing.is_some() || self.assessing.is_some() || self.again;
        let quiet = self.connections.is_empty() && !busy && self.left_now().is_none();
        quiet.then(|| self.quiet_since + self.app.config.limits.room_idle)
    }
}

/// Waits until then; for ever without a time.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
