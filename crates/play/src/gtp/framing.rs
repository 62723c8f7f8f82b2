//! Lines and replies of GTP version 2 (draft 2, sections 2.5 to 2.9).

use crate::terminal::controls_terminal;

/// One command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The number in front of the command, echoed as it was written.
    pub id: String,
    /// The command's name; empty when there is only a number.
    pub command: String,
    /// The words after it.
    pub words: Vec<String>,
}

/// What to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// `=` with this text, which may be empty or have several lines.
    Text(String),
    /// The reply was written already, all but the empty line that ends it.
    Streamed,
}

impl Reply {
    /// `=` and nothing else.
    pub fn done() -> Self {
        Reply::Text(String::new())
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Reply::Text(text)
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Reply::Text(text.to_owned())
    }
}

/// Why a command was not done: the text after `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub String);

impl Fault {
    /// Arguments of the wrong number or form.
    pub fn syntax() -> Self {
        Fault("syntax error".to_owned())
    }

    /// A bad colour or vertex.
    pub fn vertex() -> Self {
        Fault("invalid color or coordinate".to_owned())
    }

    /// Any other text.
    pub fn new(text: impl Into<String>) -> Self {
        Fault(text.into())
    }
}

/// What a command gives.
pub(crate) type Answer = Result<Reply, Fault>;

/// Reads a line: control characters are dropped, as is the byte order mark that some editors put before a script; tabs are
/// blanks, `#` starts a comment. `None` when nothing is left.
pub(crate) fn parse(line: &str) -> Option<Request> {
    let line = line.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default();
    let clean: String =
        line.chars().filter(|&c| c == '\t' || !c.is_control()).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let mut words = clean.split(' ').filter(|w| !w.is_empty());
    let first = words.next()?;
    let is_id = first.bytes().all(|b| b.is_ascii_digit());
    let (id, command) = if is_id { (first, words.next().unwrap_or_default()) } else { ("", first) };
    Some(Request { id: id.to_owned(), command: command.to_owned(), words: words.map(str::to_owned).collect() })
}

/// Whether the line is GoGui's comment that asks for the running command to be cut short.
pub(crate) fn is_interrupt(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    (words.next(), words.next(), words.next()) == (Some("#"), Some("interrupt"), None)
}

/// Whether the line is the command that ends the program.
pub(crate) fn is_quit(line: &str) -> bool {
    parse(line).is_some_and(|request| request.command == "quit" && request.words.is_empty())
}

/// The whole reply with the empty line that ends it. Empty lines inside would end it early: they are left out.
pub(crate) fn reply(id: &str, answer: &Answer) -> String {
    let (mark, text) = match answer {
        Ok(Reply::Streamed) => return "\n".to_owned(),
        Ok(Reply::Text(text)) => ('=', text.as_str()),
        Err(Fault(text)) => ('?', text.as_str()),
    };
    let mut out = format!("{mark}{id}");
    let mut separator = ' ';
    for line in text.split('\n').map(clean_line).filter(|line| !line.is_empty()) {
        out.push(separator);
        out.push_str(&line);
        separator = '\n';
    }
    out.push_str("\n\n");
    out
}

/// A line of output without what controls a terminal, and without blanks at its end.
fn clean_line(line: &str) -> String {
    let line: String = line.chars().filter(|&c| c == '\t' || !controls_terminal(c)).collect();
    line.trim_end().to_owned()
}
