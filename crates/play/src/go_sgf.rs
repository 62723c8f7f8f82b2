//! Go games between SGF and records.

use kiebitz_core::record::{By, Header, Line, ReadRecord, Record, What};
use kiebitz_core::{Forfeit, Game, GameType, Notation, Session, Step};
use kiebitz_go::sgf::{self, GameInfo, GameResult, Margin, Mark, Mode, SgfError, Tree};
use kiebitz_go::{Color, Go, Move, Point, Setup, Size};
use serde_json::{Map, Value, json};

use crate::komi::{beyond, quarters};
use crate::review::Review;
use crate::{Lang, review_text, sgf_keep};

/// The longest main line that is read: several times the moves after which a game on any board is void.
pub const MOST_NODES: usize = 20_000;

/// Why an SGF file does not make a record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SgfRecordError {
    /// The file cannot be read.
    #[error("{}", sgf_sentence(.0))]
    Sgf(#[from] SgfError),
    /// A move is illegal, in strict mode.
    #[error("move {number} ({color} {text}) at line {line} is illegal: {why}")]
    Illegal {
        /// The move's number on the main line, from 1.
        number: usize,
        /// Who played.
        color: Color,
        /// What.
        text: String,
        /// Where in the file.
        line: usize,
        /// The rule it breaks.
        why: String,
    },
    /// The position set up is impossible.
    #[error("the set-up at line {line} is impossible: {why}")]
    Setup {
        /// Where in the file.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The main line is longer than is read.
    #[error("the main line of the game at line {line} has more than {most} nodes, which is no game")]
    TooLong {
        /// Where the game begins in the file.
        line: usize,
        /// The most nodes.
        most: usize,
    },
    /// The komi is beyond all bounds, in strict mode.
    #[error("the komi of the game at line {line} is impossible: {why}")]
    Komi {
        /// Where the game begins in the file.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

/// A warning that strict mode refuses was phrased for readers who go on.
fn sgf_sentence(error: &SgfError) -> String {
    if matches!(error, SgfError::Strict(_)) { format!("refused in strict mode: {error}") } else { error.to_string() }
}

impl SgfRecordError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            SgfRecordError::Sgf(e) => e.code(),
            SgfRecordError::Illegal { .. } => "sgf_illegal_move",
            SgfRecordError::Setup { .. } => "sgf_setup",
            SgfRecordError::TooLong { .. } => "sgf_too_many_moves",
            SgfRecordError::Komi { .. } => "sgf_komi",
        }
    }
}

fn set_up_of(setup: &sgf::Setup) -> Setup {
    Setup { black: setup.black.clone(), white: setup.white.clone(), empty: setup.empty.clone(), to_move: setup.to_play }
}

/// The stones of the start, and the node they stand on: the root, or with a handicap the first node before any move that sets
/// black stones, where many programs write them.
fn start_of(tree: &Tree) -> (sgf::Setup, sgf::NodeId) {
    let root = (tree.setup(tree.root()), tree.root());
    if tree.info().handicap < 2 || !root.0.is_empty() || tree.played(tree.root()).is_some() {
        return root;
    }
    for node in tree.main_line() {
        let setup = tree.setup(node);
        if !setup.black.is_empty() {
            return (setup, node);
        }
        if !setup.is_empty() || tree.played(node).is_some() {
            break;
        }
    }
    root
}

/// Reads the main line of the first game of Go in an SGF file as a record; what the file holds besides (variations, markup,
/// unknown properties) stays in the record's header, so that it is there again when the game is written as SGF. As the standard says, illegal moves are executed: they
/// become set-ups, with a warning; in strict mode they are errors.
///
/// # Errors
/// When the bytes are no SGF of Go, when the main line has more than [`MOST_NODES`] nodes, or in strict mode anything departs from the standard or the rules.
pub fn to_record(bytes: &[u8], strict: bool) -> Result<ReadRecord, SgfRecordError> {
    to_record_within(bytes, strict, MOST_NODES)
}

/// As [`to_record`], with at most `most` nodes on the main line: what is longer is refused before it is played through.
///
/// # Errors
/// As [`to_record`].
pub fn to_record_within(bytes: &[u8], strict: bool, most: usize) -> Result<ReadRecord, SgfRecordError> {
    let parsed = sgf::parse(bytes, if strict { Mode::Strict } else { Mode::Tolerant })?;
    // Rules that `header` understands need no warning.
    let own_rules = parsed.collection.trees.first().is_some_and(|tree| own_rules(tree).is_some());
    let worth_saying = parsed.warnings.iter().filter(|w| !(own_rules && w.code() == "sgf_unknown_rules"));
    let mut warnings: Vec<String> = worth_saying.map(ToString::to_string).collect();
    if parsed.warnings_dropped > 0 {
        warnings.push(format!("and {} further warnings", parsed.warnings_dropped));
    }
    warnings.extend(parsed.refused.iter().map(|e| format!("a game was left out: {e}")));
    let trees = &parsed.collection.trees;
    if trees.len() > 1 {
        warnings.push(format!("the file holds {} games; the first one is used", trees.len()));
    }
    let Some(tree) = trees.first() else {
        return Ok(ReadRecord {
            record: Record::new(Header::new("go", 2, Map::new())),
            line_numbers: Vec::new(),
            warnings,
        });
    };
    if tree.main_line().nth(most).is_some() {
        return Err(SgfRecordError::TooLong { line: tree.position(tree.root()).line as usize, most });
    }
    let (header, session) = header(tree, strict, &mut warnings)?;
    let mut converter =
        Converter { tree, strict, session, record: Record::new(header), line_numbers: Vec::new(), warnings };
    converter.lines()?;
    converter.ending();
    let Converter { mut record, line_numbers, mut warnings, .. } = converter;
    if let Some(mut written) = build(&record, |_| None) {
        warnings.extend(sgf_keep::note(&mut record, tree, &mut written));
    }
    Ok(ReadRecord { record, line_numbers, warnings })
}

/// Rules without a name, which [`build`] writes into RU as the keys of a record's header.
pub(crate) fn own_rules(tree: &Tree) -> Option<Map<String, Value>> {
    let mut rules: Map<String, Value> = serde_json::from_str(&tree.info().rules?).ok()?;
    rules.retain(|key, _| !matches!(key.as_str(), "size" | "komi" | "handicap"));
    Go::options_from_json(&rules).is_ok().then_some(rules)
}

/// The header of a tree, and the session it starts. Options that this build cannot play are dropped with a warning.
fn header(tree: &Tree, strict: bool, warnings: &mut Vec<String>) -> Result<(Header, Session<Go>), SgfRecordError> {
    let info = tree.info();
    let size = info.size;
    let mut rules = Map::new();
    let size_value =
        if size.width() == size.height() { json!(size.width()) } else { json!([size.width(), size.height()]) };
    rules.insert("size".to_owned(), size_value);
    if let Some(ruleset) = info.ruleset {
        rules.insert("ruleset".to_owned(), ruleset.into());
    }
    rules.extend(own_rules(tree).unwrap_or_default());
    let (root_setup, _) = start_of(tree);
    if info.handicap >= 2 && !root_setup.black.is_empty() {
        rules.insert("handicap".to_owned(), info.handicap.into());
    }
    let place = tree.position(tree.root()).line as usize;
    match info.komi.map(|komi| (komi, quarters(komi))) {
        Some((komi, Some(quarters))) => {
            let points = f64::from(quarters) / 4.0;
            if points != komi {
                warnings.push(format!("a komi of {komi} counts as {points} points, which decides every game alike"));
            }
            rules.insert("komi".to_owned(), json!(points));
        }
        Some((komi, None)) if strict => {
            return Err(SgfRecordError::Komi { line: place, why: beyond(&komi.to_string()) });
        }
        Some((komi, None)) => warnings.push(format!("komi was left out: {}", beyond(&komi.to_string()))),
        None => {}
    }
    for key in ["komi", "handicap", "ruleset"] {
        if let Err(e) = Go::options_from_json(&rules)
            && rules.shift_remove(key).is_some()
        {
            warnings.push(format!("{key} was left out: {e}"));
        }
    }
    // Only what differs from the default goes into a header.
    if let Ok(options) = Go::options_from_json(&rules) {
        rules = Go::options_to_json(&options);
    }
    let mut header = Header::new("go", 2, rules);
    if !root_setup.is_empty() {
        let mut setup = set_up_of(&root_setup);
        let empty_board = vec![None; size.points()];
        if remove_dead(size, empty_board, &mut setup) {
            let why = "a chain would have no liberty".to_owned();
            if strict {
                return Err(SgfRecordError::Setup { line: place, why });
            }
            warnings.push(format!("the set-up at line {place} leaves chains without liberties; they were removed"));
        }
        header.set("setup", setup.to_json(size));
    }
    let names: Vec<String> = [&info.black, &info.white].iter().map(|p| p.name.clone().unwrap_or_default()).collect();
    if names.iter().any(|n| !n.is_empty()) {
        header.set("names", names);
    }
    if let Some(date) = &info.date {
        header.set("date", date.as_str());
    }
    if let Some(result) = info.result.map(|r| r.to_string()).or(info.result_text.clone()) {
        header.set("result", result);
    }
    if let Some(event) = &info.event {
        header.set("event", event.as_str());
    }
    if let Some(comment) = tree.comment(tree.root()) {
        header.set("comment", comment);
    }
    let session =
        GameType::<Go>::session(&header, 0).map_err(|e| SgfRecordError::Setup { line: place, why: e.to_string() })?;
    Ok((header, session))
}

struct Converter<'a> {
    tree: &'a Tree,
    strict: bool,
    session: Session<Go>,
    record: Record,
    line_numbers: Vec<usize>,
    warnings: Vec<String>,
}

impl Converter<'_> {
    fn push(&mut self, line: Line, place: usize) {
        self.record.lines.push(line);
        self.line_numbers.push(place);
    }

    fn lines(&mut self) -> Result<(), SgfRecordError> {
        let mut number = 0;
        let (_, start) = start_of(self.tree);
        for node in self.tree.main_line() {
            let place = self.tree.position(node).line as usize;
            if node != self.tree.root() && node != start {
                let setup = self.tree.setup(node);
                if !setup.is_empty() {
                    self.set_up(set_up_of(&setup), place)?;
                }
            }
            if let Some((color, mv)) = self.tree.played(node) {
                number += 1;
                self.play(color, mv, number, place)?;
                if node != self.tree.root()
                    && let Some(comment) = self.tree.comment(node)
                    && let Some(last) = self.record.lines.last_mut()
                {
                    last.set("comment", comment);
                }
            }
        }
        Ok(())
    }

    /// What ended the game besides moves: the dead stones that territory marks on the last node tell, and a resignation or a
    /// loss on time that RE tells.
    fn ending(&mut self) {
        let Some(last) = self.tree.main_line().last() else { return };
        let place = self.tree.position(last).line as usize;
        let state = self.session.state();
        if state.passes() >= 2 && !state.is_void() {
            let dead: Vec<Value> = [(Mark::BlackTerritory, Color::White), (Mark::WhiteTerritory, Color::Black)]
                .iter()
                .flat_map(|&(mark, color)| self.tree.marked(last, mark).into_iter().map(move |p| (p, color)))
                .filter(|&(point, color)| state.board().stone(point) == Some(color))
                .map(|(point, _)| point.text(state.size()).to_string().into())
                .collect();
            if !dead.is_empty() {
                let data = Map::from_iter([("stones".to_owned(), Value::Array(dead))]);
                self.event(0, "dead", data, place);
            }
        }
        if let Some(GameResult::Win { winner, by }) = self.tree.info().result {
            let loser = winner.opponent().index() as u8;
            match by {
                Margin::Resignation => self.event(loser, "resign", Map::new(), place),
                Margin::Time => self.event(loser, "timeout", Map::new(), place),
                _ => {}
            }
        }
    }

    /// Adds an event where it is possible; a game that is over takes no resignation.
    fn event(&mut self, seat: u8, name: &str, data: Map<String, Value>, place: usize) {
        if kiebitz_core::DynGame::event(&mut self.session, seat, name, &data).is_ok() {
            self.push(Line::event(By::Seat(seat), name, data), place);
        }
    }

    fn size(&self) -> Size {
        self.session.state().size()
    }

    fn stones(&self) -> Vec<Option<Color>> {
        self.size().iter().map(|p| self.session.state().board().stone(p)).collect()
    }

    fn set_up(&mut self, mut setup: Setup, place: usize) -> Result<(), SgfRecordError> {
        if remove_dead(self.size(), self.stones(), &mut setup) {
            if self.strict {
                return Err(SgfRecordError::Setup { line: place, why: "a chain would have no liberty".to_owned() });
            }
            self.warnings
                .push(format!("the set-up at line {place} leaves chains without liberties; they were removed"));
        }
        let json = setup.to_json(self.size());
        self.session
            .perform(Step::SetUp(Box::new(setup)))
            .map_err(|e| SgfRecordError::Setup { line: place, why: e.to_string() })?;
        self.push(Line::setup(json), place);
        Ok(())
    }

    fn play(&mut self, color: Color, mv: Move, number: usize, place: usize) -> Result<(), SgfRecordError> {
        let seat = color.index() as u8;
        let text = mv.text(self.size()).to_string();
        match self.session.play_as(seat, mv) {
            Ok(()) => {
                self.push(Line::action(By::Seat(seat), &text), place);
                Ok(())
            }
            Err(e) if self.strict => {
                Err(SgfRecordError::Illegal { number, color, text, line: place, why: e.to_string() })
            }
            Err(e) => {
                self.warnings
                    .push(format!("move {number} ({color} {text}) at line {place} is illegal and was executed: {e}"));
                if self.session.turn().is_terminal() {
                    self.set_up(Setup { to_move: Some(color), ..Setup::default() }, place)?;
                    if self.session.play_as(seat, mv).is_ok() {
                        self.push(Line::action(By::Seat(seat), &text), place);
                        return Ok(());
                    }
                }
                let setup = executed(self.size(), self.stones(), color, mv.point());
                self.set_up(setup, place)
            }
        }
    }
}

/// The set-up that has the effect of a move nobody checked: the stone is put, chains without liberties are taken off, the
/// opponent's first.
fn executed(size: Size, mut stones: Vec<Option<Color>>, color: Color, point: Option<Point>) -> Setup {
    let mut setup = Setup { to_move: Some(color.opponent()), ..Setup::default() };
    let Some(point) = point else { return setup };
    stones[point.index()] = Some(color);
    for victim in [color.opponent(), color] {
        for dead in dead_stones(size, &stones, victim) {
            stones[dead.index()] = None;
            setup.empty.push(dead);
        }
    }
    if stones[point.index()].is_some() {
        if color == Color::Black { setup.black.push(point) } else { setup.white.push(point) }
    }
    setup
}

/// The stones of `color` in chains without liberties.
fn dead_stones(size: Size, stones: &[Option<Color>], color: Color) -> Vec<Point> {
    let mut dead = Vec::new();
    let mut visited = vec![false; stones.len()];
    for start in size.iter() {
        if visited[start.index()] || stones[start.index()] != Some(color) {
            continue;
        }
        let (mut chain, mut next, mut alive) = (vec![start], 0, false);
        visited[start.index()] = true;
        while let Some(&point) = chain.get(next) {
            next += 1;
            for neighbour in size.neighbors(point) {
                match stones[neighbour.index()] {
                    None => alive = true,
                    Some(c) if c == color && !visited[neighbour.index()] => {
                        visited[neighbour.index()] = true;
                        chain.push(neighbour);
                    }
                    Some(_) => {}
                }
            }
        }
        if !alive {
            dead.append(&mut chain);
        }
    }
    dead
}

/// Changes `setup` so that it leaves no chain without liberties on `stones`; says whether it had to.
fn remove_dead(size: Size, mut stones: Vec<Option<Color>>, setup: &mut Setup) -> bool {
    for (points, stone) in
        [(&setup.black, Some(Color::Black)), (&setup.white, Some(Color::White)), (&setup.empty, None)]
    {
        for point in points {
            if let Some(place) = stones.get_mut(point.index()) {
                *place = stone;
            }
        }
    }
    let dead: Vec<Point> = Color::ALL.iter().flat_map(|&c| dead_stones(size, &stones, c)).collect();
    if dead.is_empty() {
        return false;
    }
    setup.black.retain(|p| !dead.contains(p));
    setup.white.retain(|p| !dead.contains(p));
    setup.empty.retain(|p| !dead.contains(p));
    setup.empty.extend(dead);
    true
}

/// The game of a record as SGF, with all that a file it came from held besides; `None` when it is no game of Go that can be
/// replayed. It tells the result where there is one, unless the record's header says `null`: both have passed, but nobody
/// has agreed on dead stones yet.
pub fn from_record(record: &Record) -> Option<Vec<u8>> {
    Some(build(record, |_| None)?.to_sgf().into_bytes())
}

/// The game with the review's findings as comments, and the better line as a variation where a move was a mistake.
pub fn annotated(record: &Record, review: &Review, lang: Lang) -> Option<Vec<u8>> {
    let tree = build(record, |step| {
        let entry = review.moves.iter().find(|m| m.step == step)?;
        let variation = if entry.mistake { entry.pv.clone() } else { Vec::new() };
        Some((review_text::comment(entry, "go", lang), variation))
    })?;
    Some(tree.to_sgf().into_bytes())
}

/// Marks the territory, dead stones in it included, as the players agreed.
fn mark_territory(tree: &mut Tree, node: sgf::NodeId, go: &Go) {
    let owner = go.score().owner;
    for (mark, sign, color) in [(Mark::BlackTerritory, 1, Color::Black), (Mark::WhiteTerritory, -1, Color::White)] {
        let points: Vec<Point> = go
            .size()
            .iter()
            .filter(|&p| owner.get(p.index()) == Some(&sign) && go.board().stone(p) != Some(color))
            .collect();
        tree.set_marked(node, mark, &points);
    }
}

/// Builds the tree; `note` gives the comment and the better line for the step with this index.
fn build(record: &Record, note: impl Fn(usize) -> Option<(String, Vec<String>)>) -> Option<Tree> {
    if !record.header.game().eq_ignore_ascii_case(Go::ID) {
        return None;
    }
    let mut session = GameType::<Go>::session(&record.header, 0).ok()?;
    let state = session.state();
    let size = state.size();
    let mut info = GameInfo::new(size);
    info.komi = Some(state.options().komi_points());
    info.handicap = state.options().handicap;
    match state.options().ruleset_name() {
        Some(name) => info.ruleset = Some(name.name()),
        None => {
            // Rules without a name are written as the keys of a record's header, which `header` reads back.
            let mut rules = Go::options_to_json(state.options());
            rules.retain(|key, _| !matches!(key.as_str(), "size" | "komi" | "handicap"));
            info.rules = Some(Value::Object(rules).to_string());
        }
    }
    let names = record.header.names();
    let name = |i: usize| names.get(i).filter(|n| !n.is_empty()).cloned();
    (info.black.name, info.white.name) = (name(0), name(1));
    let text = |key: &str| record.header.get(key).and_then(Value::as_str).map(str::to_owned);
    info.date = text("date");
    info.event = text("event");
    info.result = text("result").as_deref().and_then(GameResult::parse);
    let setup = sgf::Setup {
        black: state.board().stones(Color::Black).collect(),
        white: state.board().stones(Color::White).collect(),
        empty: Vec::new(),
        to_play: record.header.setup().and_then(|s| s.get("to_move")).map(|_| state.to_move()),
    };
    let mut tree = Tree::new(&info, &setup);
    if let Some(comment) = text("comment") {
        tree.set_comment(tree.root(), &comment);
    }
    let mut node = tree.root();
    for (step, line) in record.lines.iter().enumerate() {
        let before = node;
        let to_move = session.state().to_move();
        match (line.by(), line.what()) {
            (By::Seat(seat), What::Action(text)) => {
                let mv = session.state().parse_action(text).ok()?;
                node = tree.add_move(before, Color::ALL[usize::from(seat.min(1))], mv);
            }
            (By::Setup, What::Setup(json)) => {
                let setup = Go::setup_from_json(session.options(), json).ok()?;
                let setup =
                    sgf::Setup { black: setup.black, white: setup.white, empty: setup.empty, to_play: setup.to_move };
                node = tree.add_setup(before, &setup);
            }
            _ => {}
        }
        kiebitz_core::DynGame::perform(&mut session, line).ok()?;
        if let What::Event("dead") = line.what() {
            mark_territory(&mut tree, node, session.state());
        }
        if let Some(forfeit) = session.forfeit() {
            let (seat, by) = match forfeit {
                Forfeit::Resign(seat) => (seat, Margin::Resignation),
                Forfeit::Timeout(seat) => (seat, Margin::Time),
            };
            tree.set_result(GameResult::Win { winner: Color::ALL[usize::from(seat.min(1))].opponent(), by });
        }
        if let Some(comment) = line.get("comment").and_then(Value::as_str) {
            tree.add_comment(node, comment);
        }
        if let Some((comment, variation)) = note(step) {
            tree.add_comment(node, &comment);
            let (mut at, mut color) = (before, to_move);
            for text in &variation {
                let Ok(mv) = session.state().parse_action(text) else { break };
                at = tree.add_move(at, color, mv);
                color = color.opponent();
            }
        }
    }
    if info.result.is_none()
        && !record.header.get("result").is_some_and(Value::is_null)
        && session.forfeit().is_none()
        && let Some(result) = session.state().result_text(None).as_deref().and_then(GameResult::parse)
    {
        tree.set_result(result);
    }
    sgf_keep::restore(&mut tree, record);
    Some(tree)
}
