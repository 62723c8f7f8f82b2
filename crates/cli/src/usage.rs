//! What the argument parser has to say against a command line, as one sentence.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// The longest piece of the command line a sentence repeats, in characters.
const LONGEST: usize = 40;

/// The sentence for an error; `None` where the parser's own page of help is the answer. `words` is the command line without the
/// program's name.
pub fn sentence(error: &Error, command: &Command, words: &[String]) -> Option<String> {
    let argument = || text(error, ContextKind::InvalidArg);
    let sentence = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::MissingSubcommand => return None,
        ErrorKind::InvalidSubcommand => {
            let (command, line) = reached(command, words);
            let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let wrong = quoted(&text(error, ContextKind::InvalidSubcommand));
            match line.strip_prefix("kiebitz ") {
                Some(of) => format!("no command of '{of}' is called {wrong}; there are: {}", names.join(", ")),
                None => format!("no command is called {wrong}; there are: {}", names.join(", ")),
            }
        }
        ErrorKind::UnknownArgument => {
            let wrong = argument();
            let meant = text(error, ContextKind::SuggestedArg);
            let page = page(command, words);
            if let Some(name) = commanded_later(command, words, &wrong) {
                return Some(format!("{0} goes after the command: kiebitz {name} … {0}", clip(&wrong)));
            }
            match (wrong.starts_with('-'), meant.is_empty()) {
                (true, false) => format!("there is no option {}; did you mean {meant}?", clip(&wrong)),
                (true, true) => format!("there is no option {}; {page} lists the options", clip(&wrong)),
                _ => format!("{} is one argument too many; {page} says what there is", quoted(&wrong)),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = argument();
            let are = if missing.contains(", ") { "are" } else { "is" };
            format!("{missing} {are} missing; {} says what goes where", page(command, words))
        }
        ErrorKind::ArgumentConflict => {
            let (one, other) = (flag(&argument()), flag(&text(error, ContextKind::PriorArg)));
            if one == other {
                format!("{one} is given twice; leave one out")
            } else {
                format!("{one} and {other} do not go together; leave one out")
            }
        }
        ErrorKind::InvalidValue if text(error, ContextKind::InvalidValue).is_empty() => {
            format!("{} needs a value: {}", flag(&argument()), argument())
        }
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let flag = flag(&argument());
            let value = text(error, ContextKind::InvalidValue);
            match error.source().map(|why| plainly(&why.to_string())) {
                Some(why) if !why.starts_with("it must") => format!("{flag}: {why}"),
                Some(why) => format!("{flag} {}: {why}", word(&value)),
                None => {
                    format!("{flag} {}: it must be one of {}", word(&value), text(error, ContextKind::ValidValue))
                }
            }
        }
        _ => {
            let page = page(command, words);
            let whole = error.to_string();
            let first = whole.lines().next().unwrap_or_default();
            format!("{}; {page} says what is right", first.strip_prefix("error: ").unwrap_or(first))
        }
    };
    Some(sentence)
}

/// What the parser's own readers of numbers say, in words for everybody.
fn plainly(why: &str) -> String {
    if let Some((low, high)) = why.split_once(" is not in ").and_then(|(_, range)| range.split_once("..=")) {
        return format!("it must be a whole number from {low} to {high}");
    }
    let integer = ["invalid digit", "number too", "cannot parse integer"].iter().any(|start| why.starts_with(start));
    let other = why.starts_with("invalid float") || why.starts_with("cannot parse float");
    match (integer, other) {
        (true, _) => "it must be a whole number".to_owned(),
        (_, true) => "it must be a number".to_owned(),
        _ => why.to_owned(),
    }
}

fn text(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    }
}

/// `--komi` of `--komi <POINTS>`.
fn flag(argument: &str) -> String {
    argument.split(' ').next().unwrap_or_default().to_owned()
}

/// A value as it was typed, in quotes where it would be hard to see.
fn word(value: &str) -> String {
    if value.is_empty() || value.contains(char::is_whitespace) { quoted(value) } else { clip(value) }
}

fn quoted(value: &str) -> String {
    format!("'{}'", clip(value))
}

fn clip(value: &str) -> String {
    let short: String = value.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.chars().nth(LONGEST).is_some() { short + "…" } else { short }
}

/// The command that the words lead to, and how it is called.
fn reached<'a>(command: &'a Command, words: &[String]) -> (&'a Command, String) {
    let (mut command, mut line) = (command, "kiebitz".to_owned());
    for word in words {
        if let Some(sub) = command.find_subcommand(word) {
            command = sub;
            line += &format!(" {word}");
        }
    }
    (command, line)
}

/// The command behind an option in front of it that belongs after it.
fn commanded_later<'a>(command: &'a Command, words: &[String], option: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| word.split('=').next() == Some(option))?;
    let (here, _) = reached(command, &words[..at]);
    let sub = words[at + 1..].iter().find_map(|word| here.find_subcommand(word))?;
    sub.get_arguments()
        .any(|a| a.get_long().is_some() && a.get_long() == option.strip_prefix("--"))
        .then(|| sub.get_name())
}

/// The command that prints the fitting page of help.
fn page(command: &Command, words: &[String]) -> String {
    format!("'{} --help'", reached(command, words).1)
}
