//! From bytes to trees: a loop over characters with a list of the open variations; nothing is recursive.

use super::charset::Charset;
use super::check::{check_tree, is_single};
use super::cursor::{Cursor, is_blank};
use super::declared::{Declared, declared, rough_end};
use super::error::SgfError;
use super::guess::guess;
use super::header::{DEFAULT_SIZE, Header, is_other_game};
use super::names::NodeNames;
use super::tree::{Collection, NodeId, Span, Tree};
use super::warning::{TextPosition, Warning, WarningKind, clip};

/// What to do with a file that breaks the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Understand what can be understood and warn.
    Tolerant,
    /// Refuse at the first thing the standard calls an error ([`Warning::breaks_standard`]).
    Strict,
}

/// How much is read at most, so that a file cannot fill the memory.
///
/// At the default limits the result needs at most about 1.5 GB; a usual game needs 15 to 30 times its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file; more than [`Limits::MAX_BYTES`] never.
    pub bytes: usize,
    /// Nodes of all trees together.
    pub nodes: usize,
    /// Property values of all trees together.
    pub values: usize,
    /// Open parentheses at one time.
    pub depth: usize,
}

impl Limits {
    /// 64 MiB, 4 million nodes, 8 million values, 4 million parentheses.
    pub const DEFAULT: Limits = Limits { bytes: 64 << 20, nodes: 4_000_000, values: 8_000_000, depth: 4_000_000 };
    /// The most bytes that can be allowed, 1 GiB: positions have 32 bits, and a byte can become three.
    pub const MAX_BYTES: usize = 1 << 30;
    /// This many warnings are kept, later ones are only counted.
    pub const MAX_WARNINGS: usize = 1000;
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The game trees of Go, at least one.
    pub collection: Collection,
    /// What was repaired, in the order of the file for each tree, values after the structure; at most
    /// [`Limits::MAX_WARNINGS`].
    pub warnings: Vec<Warning>,
    /// How many more warnings there were.
    pub warnings_dropped: usize,
    /// Why trees were left out: another game ([`SgfError::OtherGame`]) or a board that is not supported
    /// ([`SgfError::BadSize`]).
    pub refused: Vec<SgfError>,
}

/// Reads an SGF file: the trees, and warnings about everything that had to be repaired.
///
/// The character set is what a byte order mark says, else each tree's CA, else valid UTF-8, else the most plausible of
/// GB18030, Shift_JIS, Big5, EUC-KR and Latin-1. Each tree of a file may have its own. Text before the first `(;` is
/// skipped.
///
/// # Errors
/// [`SgfError`]: a limit of [`Limits::DEFAULT`], no tree at all, only trees that are refused (then the first refusal), or
/// in [`Mode::Strict`] a file that breaks the standard.
pub fn parse(bytes: &[u8], mode: Mode) -> Result<Parsed, SgfError> {
    parse_with_limits(bytes, mode, &Limits::DEFAULT)
}

/// As [`parse`], with other limits.
///
/// # Errors
/// As [`parse`].
pub fn parse_with_limits(bytes: &[u8], mode: Mode, limits: &Limits) -> Result<Parsed, SgfError> {
    let limit = limits.bytes.min(Limits::MAX_BYTES);
    if bytes.len() > limit {
        return Err(SgfError::TooLong { bytes: bytes.len(), limit });
    }
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => Reader::new(bytes, 3, mode, *limits, true).read(),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            let encoding = if bytes.starts_with(&[0xFF]) { encoding_rs::UTF_16LE } else { encoding_rs::UTF_16BE };
            let (text, bad) = encoding.decode_with_bom_removal(bytes);
            let mut reader = Reader::new(text.as_bytes(), 0, mode, *limits, true);
            if bad {
                let count = text.matches('\u{FFFD}').count();
                let start = reader.cursor.position();
                reader.warn(WarningKind::BadBytes { charset: encoding.name(), count }, start, None)?;
            }
            reader.read()
        }
        _ => Reader::new(bytes, 0, mode, *limits, false).read(),
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    bytes: &'a [u8],
    mode: Mode,
    limits: Limits,
    /// A byte order mark has settled the character set.
    unicode: bool,
    /// Bytes that the search for CA may still look at.
    budget: usize,
    /// Up to which byte the last guess looked, and what it found.
    guessed: (usize, Option<Charset>),
    nodes: usize,
    values: usize,
    /// The number of the tree being read, from 1.
    tree: usize,
    /// The tree is of another game: nothing about it is worth a warning.
    muted: bool,
    /// The tree says `FF[4]`, so that `FF[1]`'s habits are errors in it.
    ff4: bool,
    header: Header,
    names: NodeNames,
    out: Parsed,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], start: usize, mode: Mode, limits: Limits, unicode: bool) -> Self {
        Reader {
            cursor: Cursor::new(bytes, start),
            bytes,
            mode,
            limits,
            unicode,
            budget: bytes.len().saturating_mul(8).saturating_add(1024),
            guessed: (0, None),
            nodes: 0,
            values: 0,
            tree: 0,
            muted: false,
            ff4: false,
            header: Header::default(),
            names: NodeNames::default(),
            out: Parsed::default(),
        }
    }

    fn read(mut self) -> Result<Parsed, SgfError> {
        while self.find_tree()? {
            self.tree += 1;
            self.muted = false;
            self.ff4 = false;
            self.header = Header::default();
            let charset = self.choose_charset()?;
            let mut tree = self.read_tree()?;
            tree.charset = Some(charset);
            tree.file_format = self.header.format;
            match self.header.board(self.tree) {
                Ok(size) => {
                    tree.size = size;
                    self.check(&tree)?;
                    self.out.collection.trees.push(tree);
                }
                Err(refusal) => self.out.refused.push(refusal),
            }
        }
        match (self.out.collection.trees.is_empty(), self.out.refused.first()) {
            (false, _) => Ok(self.out),
            (true, Some(refusal)) => Err(refusal.clone()),
            (true, None) => Err(SgfError::NoTree),
        }
    }

    fn warn(&mut self, kind: WarningKind, position: TextPosition, property: Option<&str>) -> Result<(), SgfError> {
        if self.muted {
            return Ok(());
        }
        let strict = self.mode == Mode::Strict && kind.breaks_standard();
        if !strict && self.out.warnings.len() >= Limits::MAX_WARNINGS {
            self.out.warnings_dropped += 1;
            return Ok(());
        }
        let warning = Warning { kind, position, tree: self.tree, property: property.map(clip) };
        if strict {
            return Err(SgfError::Strict(warning));
        }
        self.out.warnings.push(warning);
        Ok(())
    }

    /// Moves to the next `(` that starts a tree: followed by `;`, or by a property whose `;` is missing.
    fn find_tree(&mut self) -> Result<bool, SgfError> {
        let mut skipped: Option<(usize, TextPosition)> = None;
        let found = loop {
            match self.cursor.peek() {
                None => break false,
                Some(b'(') if starts_tree(self.cursor.rest()) => break true,
                // What stands before the first tree, such as the header of a mail, is nobody's mistake.
                Some(b')') if self.tree > 0 && skipped.is_none() => {
                    let position = self.cursor.position();
                    self.warn(WarningKind::ExtraParenthesis, position, None)?;
                }
                Some(byte) if !is_blank(byte) => {
                    skipped.get_or_insert((self.cursor.at(), self.cursor.position()));
                }
                Some(_) => {}
            }
            self.cursor.step();
        };
        if let Some((start, position)) = skipped
            && self.tree > 0
        {
            let text = self.clip_since(start);
            self.warn(WarningKind::SkippedText { text }, position, None)?;
        }
        Ok(found)
    }

    fn clip_since(&self, start: usize) -> String {
        let bytes = self.cursor.since(start);
        // Enough for what a message quotes, whatever the character set.
        let (text, _) = self.cursor.charset.decode(bytes.get(..200).unwrap_or(bytes));
        clip(text.trim_end())
    }

    fn choose_charset(&mut self) -> Result<Charset, SgfError> {
        let start = self.cursor.at();
        let position = self.cursor.position();
        let found = declared(self.bytes, start, &mut self.budget);
        let charset = match found {
            Declared::Known(charset) if self.unicode && charset != Charset::UTF_8 => {
                let label = charset.name().to_owned();
                self.warn(WarningKind::CharsetOverridden { label }, position, Some("CA"))?;
                Charset::UTF_8
            }
            _ if self.unicode => Charset::UTF_8,
            Declared::Known(charset) => charset,
            Declared::Missing => match self.guess(start) {
                Some(charset) => {
                    self.warn(WarningKind::CharsetGuessed { charset: charset.name() }, position, None)?;
                    charset
                }
                None => Charset::UTF_8,
            },
            Declared::Unknown(label) => {
                let charset = self.guess(start).unwrap_or(Charset::UTF_8);
                let kind = WarningKind::CharsetUnknown { label: clip(&label), charset: charset.name() };
                self.warn(kind, position, Some("CA"))?;
                charset
            }
        };
        self.cursor.charset = charset;
        Ok(charset)
    }

    /// The most plausible character set of the text from `start` to about the end of the tree; `None` for ASCII.
    fn guess(&mut self, start: usize) -> Option<Charset> {
        // Looking again only past the end of the last look keeps the whole linear, whatever the file.
        if start >= self.guessed.0 {
            let end = rough_end(self.bytes, start);
            self.guessed = (end, guess(self.bytes.get(start..end).unwrap_or(&[])));
        }
        self.guessed.1
    }

    /// Reads from the `(` that starts a tree to the `)` that ends it.
    fn read_tree(&mut self) -> Result<Tree, SgfError> {
        let mut tree = Tree::empty(DEFAULT_SIZE, self.cursor.position());
        let mut state = State { open: Vec::new(), current: None, fresh: false, closed: false };
        loop {
            self.cursor.skip_blanks();
            let position = self.cursor.position();
            let Some(byte) = self.cursor.peek() else {
                self.warn(WarningKind::UnclosedTree { open: state.open.len() }, position, None)?;
                break;
            };
            match byte {
                b'(' => {
                    if state.open.len() >= self.limits.depth {
                        return Err(SgfError::TooDeep { limit: self.limits.depth, position });
                    }
                    if state.fresh {
                        self.warn(WarningKind::EmptyVariation, position, None)?;
                    }
                    self.cursor.step();
                    state.open.push(state.current);
                    state.fresh = true;
                    state.closed = false;
                }
                b')' => {
                    if state.fresh {
                        self.warn(WarningKind::EmptyVariation, position, None)?;
                    }
                    self.cursor.step();
                    state.current = state.open.pop().flatten();
                    state.fresh = false;
                    state.closed = true;
                    if state.open.is_empty() {
                        break;
                    }
                }
                b';' => {
                    self.cursor.step();
                    if state.closed {
                        self.warn(WarningKind::NodeAfterVariation, position, None)?;
                    }
                    self.start_node(&mut tree, &mut state, position)?;
                }
                b'[' => {
                    self.warn(WarningKind::NamelessValue, position, None)?;
                    self.skip_value();
                }
                byte if byte.is_ascii_alphabetic() => self.read_property(&mut tree, &mut state, position)?,
                _ => {
                    let start = self.cursor.at();
                    while self.cursor.peek().is_some_and(is_junk) {
                        self.cursor.step();
                    }
                    let text = self.clip_since(start);
                    self.warn(WarningKind::SkippedText { text }, position, None)?;
                }
            }
        }
        Ok(tree)
    }

    fn start_node(&mut self, tree: &mut Tree, state: &mut State, position: TextPosition) -> Result<NodeId, SgfError> {
        if self.nodes >= self.limits.nodes {
            return Err(SgfError::TooManyNodes { limit: self.limits.nodes, position });
        }
        self.nodes += 1;
        let node = match state.current {
            Some(parent) => tree.push_node(parent.0, position),
            None => {
                let root = tree.root();
                tree.set_position(root, position);
                root
            }
        };
        state.current = Some(node);
        state.fresh = false;
        state.closed = false;
        self.names.start();
        Ok(node)
    }

    fn read_property(&mut self, tree: &mut Tree, state: &mut State, position: TextPosition) -> Result<(), SgfError> {
        let start = self.cursor.at();
        while self.cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
            self.cursor.step();
        }
        let written = String::from_utf8_lossy(self.cursor.since(start));
        self.cursor.skip_blanks();
        if self.cursor.peek() != Some(b'[') {
            return self.warn(WarningKind::NoValue { name: clip(&written) }, position, None);
        }
        let mut name = String::with_capacity(written.len());
        name.extend(written.chars().filter(|c| !c.is_ascii_lowercase()).skip_while(char::is_ascii_digit));
        if name.is_empty() {
            self.warn(WarningKind::NamelessValue, position, Some(&written))?;
            while self.cursor.peek() == Some(b'[') {
                self.skip_value();
                self.cursor.skip_blanks();
            }
            return Ok(());
        }
        if name != written || name.contains(|c: char| c.is_ascii_digit()) {
            self.report_spelling(&written, &name, position)?;
        }
        let mut node = match state.current {
            Some(node) if !state.fresh && !state.closed => node,
            _ => {
                self.warn(WarningKind::MissingSemicolon, position, None)?;
                self.start_node(tree, state, position)?
            }
        };

        let first = self.read_value(tree, &name, position)?;
        if node == tree.root() && self.read_header(tree, &name, first, position)? {
            return Ok(());
        }
        let mut property = self.names.find(tree, node, &name);
        let mut repeated = property
            .and_then(|index| tree.property_at(index))
            .is_some_and(|property| property.last_value() == tree.text_of(first));
        let is_move = |name: &str| matches!(name, "B" | "W");
        if is_move(&name)
            && !repeated
            && (self.names.find(tree, node, "B").is_some() || self.names.find(tree, node, "W").is_some())
        {
            self.warn(WarningKind::SeveralMoves, position, Some(&name))?;
            node = self.start_node(tree, state, position)?;
            property = None;
        }
        let property = match property {
            Some(property) => {
                self.warn(WarningKind::DuplicateProperty, position, Some(&name))?;
                property
            }
            None => {
                repeated = false;
                let span = tree.push_text(&name);
                let property = tree.push_property(node, span, position);
                self.names.add(tree, node, &name, property);
                property
            }
        };
        if !repeated {
            tree.push_value(property, first);
        }
        self.cursor.skip_blanks();
        let mut count = 1;
        while self.cursor.peek() == Some(b'[') {
            let value = self.read_value(tree, &name, position)?;
            tree.push_value(property, value);
            self.cursor.skip_blanks();
            count += 1;
        }
        if count > 1 && is_single(&name) {
            self.warn(WarningKind::ExtraValues { count }, position, Some(&name))?;
        }
        Ok(())
    }

    /// GM, FF and CA of the root are kept apart from the properties; SZ is looked at. Whether the property was taken.
    fn read_header(&mut self, tree: &Tree, name: &str, first: Span, position: TextPosition) -> Result<bool, SgfError> {
        let text = tree.text_of(first);
        let known = match name {
            "GM" => self.header.game.is_some(),
            "FF" => self.header.format.is_some(),
            "CA" => self.header.charset,
            "SZ" => {
                if self.header.size.is_none() {
                    self.header.size = Some((text.to_owned(), position));
                }
                return Ok(false);
            }
            _ => return Ok(false),
        };
        match name {
            _ if known => self.warn(WarningKind::DuplicateProperty, position, Some(name))?,
            "GM" => {
                let game = text.trim().to_owned();
                self.muted = is_other_game(&game);
                self.header.game = Some((clip(&game), position));
                if game.is_empty() {
                    let kind = WarningKind::BadNumber { value: game, expected: "1, the number of Go" };
                    self.warn(kind, position, Some(name))?;
                }
            }
            "FF" => match text.trim().parse::<u8>() {
                Ok(format) => {
                    self.header.format = Some(format);
                    self.ff4 = format >= 4;
                }
                Err(_) => {
                    let kind = WarningKind::BadNumber { value: clip(text), expected: "a format number from 1 to 4" };
                    self.warn(kind, position, Some(name))?;
                }
            },
            _ => self.header.charset = true,
        }
        self.cursor.skip_blanks();
        let mut count = 1;
        while self.cursor.peek() == Some(b'[') {
            self.skip_value();
            self.cursor.skip_blanks();
            count += 1;
        }
        if count > 1 {
            self.warn(WarningKind::ExtraValues { count }, position, Some(name))?;
        }
        Ok(true)
    }

    /// In `FF[1]` to `FF[3]` lower-case letters and digits in names were allowed, so that only `FF[4]` makes them an error.
    fn report_spelling(&mut self, written: &str, name: &str, position: TextPosition) -> Result<(), SgfError> {
        if self.mode == Mode::Strict && !self.ff4 {
            return Ok(());
        }
        self.warn(WarningKind::NameSpelling { name: clip(written), read: clip(name) }, position, Some(name))
    }

    /// Reads the value at the cursor, which is on `[`, into the tree's text.
    fn read_value(&mut self, tree: &mut Tree, name: &str, position: TextPosition) -> Result<Span, SgfError> {
        if self.values >= self.limits.values {
            return Err(SgfError::TooManyValues { limit: self.limits.values, position: self.cursor.position() });
        }
        self.values += 1;
        let at = self.cursor.position();
        let (bytes, closed) = self.skip_value();
        if !closed {
            self.warn(WarningKind::UnclosedValue, at, Some(name))?;
        }
        let (text, bad) = self.cursor.charset.decode(bytes);
        if bad > 0 {
            let charset = self.cursor.charset.name();
            self.warn(WarningKind::BadBytes { charset, count: bad }, position, Some(name))?;
        }
        Ok(tree.push_text(&text))
    }

    /// Moves behind the value at the cursor, which is on `[`; its bytes, and whether there was a `]`.
    fn skip_value(&mut self) -> (&'a [u8], bool) {
        self.cursor.step();
        let start = self.cursor.at();
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b']' => {
                    let bytes = self.cursor.since(start);
                    self.cursor.step();
                    return (bytes, true);
                }
                b'\\' => {
                    let before = self.cursor.since(start);
                    self.cursor.step();
                    if self.cursor.peek().is_none() {
                        // A backslash as the last byte would escape the `]` when written.
                        return (before, false);
                    }
                    self.cursor.step();
                }
                _ => self.cursor.step(),
            }
        }
        (self.cursor.since(start), false)
    }

    fn check(&mut self, tree: &Tree) -> Result<(), SgfError> {
        if let Some((value, position)) = self.header.size.take() {
            if value.trim().is_empty() {
                let kind = WarningKind::BadNumber { value, expected: "a board size such as 19" };
                self.warn(kind, position, Some("SZ"))?;
            } else if value.contains(':') && tree.size.width() == tree.size.height() {
                self.warn(WarningKind::SquareSizeTwice, position, Some("SZ"))?;
            }
        }
        check_tree(tree, &mut |kind, property| self.warn(kind, property.position(), Some(property.name())))
    }
}

/// Where the reader is in a tree.
struct State {
    /// For each open `(`, the node it stands behind.
    open: Vec<Option<NodeId>>,
    /// The node that properties belong to.
    current: Option<NodeId>,
    /// Since the last `(` there was no node.
    fresh: bool,
    /// Since the last `)` there was no node.
    closed: bool,
}

/// Whether a tree starts at this `(`: the next thing is `;`, or a property name in capital letters with its `[`.
fn starts_tree(bytes: &[u8]) -> bool {
    let mut rest = bytes.iter().copied().skip(1).skip_while(|&b| is_blank(b)).peekable();
    match rest.peek() {
        Some(b';') => true,
        Some(b'A'..=b'Z') => rest.skip_while(u8::is_ascii_alphabetic).find(|&b| !is_blank(b)) == Some(b'['),
        _ => false,
    }
}

fn is_junk(byte: u8) -> bool {
    !is_blank(byte) && !byte.is_ascii_alphabetic() && !matches!(byte, b'(' | b')' | b';' | b'[')
}
