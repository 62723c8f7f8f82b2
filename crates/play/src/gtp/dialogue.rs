//! Input, output and a search at the same time: lines are read by a thread of their own, and while a search runs on another
//! the dialogue waits for whatever comes first. Lines that came meanwhile wait their turn, in order.
//!
//! A `quit` that comes during a search stops it. One that was sent along with the command that searches, as a script from a
//! file or a pipe is, does not: the script wants its answer. So does the end of the input.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kiebitz_core::Analysis;

use super::framing::{is_interrupt, is_quit};

/// The longest line that is read, in bytes; a position of 625 stones takes less than 5,000.
const MAX_LINE: usize = 1 << 20;

/// Lines that come within this time of each other were sent together: no controller waits for so short a time, and no script
/// takes longer.
const TOGETHER: Duration = Duration::from_millis(100);

/// Something that happened.
enum Event {
    Line(Arrived),
    /// GoGui's `# interrupt`.
    Interrupt,
    /// The input has ended.
    End,
    /// A search left the state of its analysis to be printed.
    Progress,
    /// A search has ended.
    Done,
    /// Nobody reads the replies any more.
    Closed,
}

/// A line and when it came.
struct Arrived {
    line: Line,
    at: Instant,
}

impl Arrived {
    /// Whether it is a `quit` that was sent later than a line that came at `at`.
    fn quits_after(&self, at: Instant) -> bool {
        matches!(&self.line, Line::Text(text) if is_quit(text)) && self.at.saturating_duration_since(at) > TOGETHER
    }
}

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Its text.
    Text(String),
    /// It was longer than anything a controller sends; the rest of it was skipped.
    TooLong,
}

/// What a running search and the dialogue share.
pub(crate) struct Signals {
    /// Tells the search to stop.
    pub stop: AtomicBool,
    /// Tells it, besides, that nobody wants to know what it found.
    pub cancel: AtomicBool,
    latest: Mutex<Option<Analysis>>,
    sender: Sender<Event>,
}

impl Signals {
    /// Leaves the state of the analysis to be printed; one that was not printed yet is replaced.
    pub fn report(&self, analysis: &Analysis) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.replace(analysis.clone()).is_none() {
            let _ = self.sender.send(Event::Progress);
        }
    }

    fn take(&self) -> Option<Analysis> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Says that the search has ended, even if it panicked.
struct SayDone(Sender<Event>);

impl Drop for SayDone {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Done);
    }
}

/// The two ends of the pipe.
pub(crate) struct Dialogue<'w> {
    events: Receiver<Event>,
    sender: Sender<Event>,
    waiting: VecDeque<Arrived>,
    /// When the line came that is being carried out.
    current: Instant,
    ended: bool,
    /// Nobody reads the replies any more.
    closed: Arc<AtomicBool>,
    out: &'w mut dyn Write,
    failed: Option<io::Error>,
}

impl<'w> Dialogue<'w> {
    /// Starts the thread that reads `input`. It ends with the input, or with the process: a blocked read cannot be ended.
    pub fn new<R: Read + Send + 'static>(input: R, out: &'w mut dyn Write) -> Self {
        let (sender, events) = channel();
        let lines = sender.clone();
        std::thread::spawn(move || read_lines(input, &lines));
        Dialogue {
            events,
            sender,
            waiting: VecDeque::new(),
            current: Instant::now(),
            ended: false,
            closed: Arc::default(),
            out,
            failed: None,
        }
    }

    /// Ends the dialogue when `closed` returns: nobody reads the replies any more, though none was written that would have shown
    /// it. The thread that waits for it ends with it, or with the process.
    pub fn watch(&self, closed: impl FnOnce() + Send + 'static) {
        let (sender, flag) = (self.sender.clone(), Arc::clone(&self.closed));
        std::thread::spawn(move || {
            closed();
            flag.store(true, Ordering::Relaxed);
            let _ = sender.send(Event::Closed);
        });
    }

    /// The next line, as soon as there is one; `None` at the end of the input.
    pub fn next_line(&mut self) -> Option<Line> {
        loop {
            // Only this is looked for before what comes before it in the queue.
            if self.closed.load(Ordering::Relaxed) {
                self.close();
            }
            if self.failed.is_some() {
                return None;
            }
            if let Some(arrived) = self.waiting.pop_front() {
                self.current = arrived.at;
                return Some(arrived.line);
            }
            if self.ended {
                return None;
            }
            self.receive();
        }
    }

    /// Waits until a line is there, the input has ended or nobody reads.
    pub fn wait_for_input(&mut self) {
        while self.waiting.is_empty() && !self.ended && self.failed.is_none() {
            self.receive();
        }
    }

    fn receive(&mut self) {
        match self.events.recv() {
            Ok(event) => self.note(event),
            Err(_) => self.ended = true,
        }
    }

    /// Takes in what happened while no search runs.
    fn note(&mut self, event: Event) {
        match event {
            Event::Line(arrived) => self.waiting.push_back(arrived),
            Event::End => self.ended = true,
            Event::Closed => self.close(),
            Event::Interrupt | Event::Progress | Event::Done => {}
        }
    }

    /// Nothing is to be written any more.
    fn close(&mut self) {
        self.failed.get_or_insert_with(|| io::ErrorKind::BrokenPipe.into());
    }

    /// Whether somebody wants the program to end, more than to know what a search for the current line finds.
    fn is_told_to_quit(&self) -> bool {
        self.waiting.iter().any(|arrived| arrived.quits_after(self.current))
    }

    /// Writes and flushes. The first failure is kept for [`Dialogue::failure`].
    pub fn write(&mut self, text: &str) {
        if self.failed.is_none()
            && let Err(e) = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush())
        {
            self.failed = Some(e);
        }
    }

    /// Why nothing can be written any more.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.failed.take()
    }

    /// Runs `work` on a thread until it ends or is stopped: if `at_input` by any line of input, else by a `quit` that came later
    /// than the current line. What `show` makes of its reports is written at once. Returns what it found, and whether a line of
    /// input was to stop it (`at_input`) and did.
    pub fn search<T: Send>(
        &mut self,
        at_input: bool,
        show: &mut dyn FnMut(&Analysis) -> String,
        work: impl FnOnce(&Signals) -> T + Send,
    ) -> (T, bool) {
        let mut by_input = at_input && (self.ended || !self.waiting.is_empty());
        let signals = Signals {
            stop: AtomicBool::new(by_input || self.is_told_to_quit() || self.failed.is_some()),
            cancel: AtomicBool::new(self.failed.is_some()),
            latest: Mutex::new(None),
            sender: self.sender.clone(),
        };
        let found = std::thread::scope(|scope| {
            let signals = &signals;
            let done = SayDone(self.sender.clone());
            let thread = scope.spawn(move || {
                let _done = done;
                work(signals)
            });
            loop {
                match self.events.recv().unwrap_or(Event::Done) {
                    Event::Done => break,
                    Event::Line(arrived) => {
                        if arrived.quits_after(self.current) {
                            signals.stop.store(true, Ordering::Relaxed);
                        }
                        self.waiting.push_back(arrived);
                        by_input |= at_input;
                    }
                    Event::End => {
                        self.ended = true;
                        by_input |= at_input;
                    }
                    Event::Closed => self.close(),
                    Event::Interrupt => signals.stop.store(true, Ordering::Relaxed),
                    Event::Progress => {
                        if let Some(analysis) = signals.take()
                            && !signals.stop.load(Ordering::Relaxed)
                        {
                            let text = show(&analysis);
                            self.write(&text);
                        }
                    }
                }
                if by_input {
                    signals.stop.store(true, Ordering::Relaxed);
                }
                // Nobody reads: there is no use in going on.
                if self.failed.is_some() {
                    signals.cancel.store(true, Ordering::Relaxed);
                    signals.stop.store(true, Ordering::Relaxed);
                }
            }
            match thread.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        (found, by_input)
    }
}

fn read_lines<R: Read>(input: R, sender: &Sender<Event>) {
    let mut input = BufReader::new(input);
    let mut at = Instant::now();
    loop {
        // What is read at once came at once.
        let fresh = input.buffer().is_empty();
        let line = read_line(&mut input);
        if fresh {
            at = Instant::now();
        }
        let event = match line {
            Ok(Some(Line::Text(text))) if is_interrupt(&text) => Event::Interrupt,
            Ok(Some(line)) => Event::Line(Arrived { line, at }),
            Ok(None) | Err(_) => Event::End,
        };
        let last = matches!(event, Event::End);
        if sender.send(event).is_err() || last {
            return;
        }
    }
}

/// The next line without its end; `None` when there is none. What is not UTF-8 becomes replacement characters.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.pop_if(|b| *b == b'\n').is_some() || bytes.len() <= MAX_LINE {
        return Ok(Some(Line::Text(String::from_utf8_lossy(&bytes).into_owned())));
    }
    // A comment has no answer, however long it is; nor has what follows a `#`, so a command in front of one is whole.
    let comment = bytes.iter().position(|&b| b == b'#');
    let mut rest = Vec::new();
    loop {
        rest.clear();
        let more = input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut rest)?;
        if more == 0 || rest.last() == Some(&b'\n') {
            return Ok(Some(match comment {
                Some(at) => Line::Text(String::from_utf8_lossy(&bytes[..at]).into_owned()),
                None => Line::TooLong,
            }));
        }
    }
}
