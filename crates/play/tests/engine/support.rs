//! Runs the engine in this process.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kiebitz_play::engine::{Engine, EngineConfig, serve};
use serde_json::Value;

/// Hands over every line that is written.
struct Lines {
    to: Sender<Value>,
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let value = serde_json::from_slice(&self.line).expect("an answer is JSON");
                self.line.clear();
                let _ = self.to.send(value);
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn lines() -> (Box<dyn Write + Send>, Receiver<Value>) {
    let (to, from) = channel();
    (Box::new(Lines { to, line: Vec::new() }), from)
}

/// The answers to these lines, under a configuration.
pub fn answers_with(config: EngineConfig, input: &str) -> Vec<Value> {
    let (output, from) = lines();
    serve(input.as_bytes(), output, config).expect("memory can be read and written");
    from.iter().collect()
}

/// Writes the answers to these lines as they are.
pub fn serve_to(input: &str, output: &mut Vec<u8>) {
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let shared = Arc::new(Mutex::new(Vec::new()));
    serve(input.as_bytes(), Box::new(Shared(Arc::clone(&shared))), EngineConfig::default()).expect("memory");
    output.append(&mut shared.lock().expect("no panic"));
}

/// The answers of an engine with one worker to these lines.
#[track_caller]
pub fn answers(input: &str) -> Vec<Value> {
    answers_with(EngineConfig::default(), input)
}

/// The only answer to a line.
#[track_caller]
pub fn answer(line: &str) -> Value {
    let mut answers = answers(line);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

/// The one error to a line: its field, and the error.
#[track_caller]
pub fn refused(line: &str) -> (String, String) {
    let answer = answer(line);
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    assert!(answer["error"].is_string(), "{answer}");
    (text("field"), text("error"))
}

/// An engine that is talked to while it works.
pub struct Talk {
    pub engine: Engine,
    from: Receiver<Value>,
}

impl Talk {
    pub fn start(threads: usize) -> Self {
        let (output, from) = lines();
        Talk { engine: Engine::start(EngineConfig { threads, ..EngineConfig::default() }, output), from }
    }

    pub fn say(&self, line: &str) {
        self.engine.line(line.as_bytes());
    }

    /// The next line; a minute without one means that none will come.
    #[track_caller]
    pub fn hear(&self) -> Value {
        self.from.recv_timeout(Duration::from_secs(60)).expect("an answer")
    }

    /// The next line that is no report of a search going on.
    #[track_caller]
    pub fn hear_final(&self) -> Value {
        loop {
            let line = self.hear();
            if line["isDuringSearch"] != true {
                return line;
            }
        }
    }

    /// What has been said so far.
    pub fn heard(&self) -> Vec<Value> {
        self.from.try_iter().collect()
    }

    /// Keeps one worker busy until `blocker` is terminated; returns when it is at work.
    #[track_caller]
    pub fn block(&self) {
        self.say(
            r#"{"id":"blocker","game":"go","rules":{"size":5},"player":"uct:early=off","visits":1000000000000,"reportDuringSearchEvery":0.001,"reasons":0,"priority":1000}"#,
        );
        let report = self.hear();
        assert_eq!((&report["id"], &report["isDuringSearch"]), (&"blocker".into(), &true.into()), "{report}");
    }

    /// The rest of the answers but reports, after the end of the input.
    pub fn finish(self) -> Vec<Value> {
        self.engine.finish().expect("memory can be written");
        self.from.iter().filter(|line| line["isDuringSearch"] != true).collect()
    }
}

/// `isDuringSearch` is false and the id is this: an answer that ends a position.
pub fn is_final(line: &Value, id: &str) -> bool {
    line["id"] == id && line["isDuringSearch"] == false
}

/// Numbers of a list.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|v| v.as_f64().expect("a number")).collect()
}

/// A query about an empty 5x5 board in KataGo's form, with further fields.
pub fn katago(fields: &str) -> String {
    format!(r#"{{"id":"q","rules":"chinese","komi":0,"boardXSize":5,"boardYSize":5,"maxVisits":60{fields}}}"#)
}
