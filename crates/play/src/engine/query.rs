//! A query: a game, the positions of it to look at, and how. What both forms of it have in common.

use std::collections::BTreeMap;
use std::time::Duration;

use kiebitz_catalog::Entry;
use kiebitz_core::record::Header;
use kiebitz_core::{
    Budget, DynGame, Illegal, PlayerSpec, Restriction, Seat, SetupError, SpecError, Turn, parse_duration,
};
use serde_json::{Map, Value};

use super::fields::{Fields, Problem, clip, short};
use super::katago::query::Katago;
use super::masked;

/// The most actions a game may have.
pub const MAX_ACTIONS: usize = 10_000;
/// The longest id, in bytes.
pub const MAX_ID_BYTES: usize = 1_000;
/// Priorities lie within this distance from 0, as in KataGo.
const MAX_PRIORITY: i64 = 0x3fff_ffff_ffff_ffff;
/// The most visits a query may ask for; a search has limits of its own.
pub(crate) const MAX_VISITS: u64 = 1 << 50;
/// The longest time a query may ask for, and the longest between two reports, in seconds.
const MAX_SECONDS: f64 = 1e6;

/// One action of the game.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Who plays it; `None`: whose turn it is.
    pub by: Option<Seat>,
    /// The action.
    pub action: String,
}

/// When to report during a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reports {
    /// The first time.
    pub first: Duration,
    /// Between two of them.
    pub every: Duration,
}

/// In which words the query was asked, and is answered.
#[derive(Debug)]
pub(crate) enum Form {
    /// Our own, for all games.
    Own {
        /// The most candidates to list.
        candidates: usize,
    },
    /// KataGo's, for Go.
    Katago(Box<Katago>),
}

/// A query that can be worked on.
#[derive(Debug)]
pub(crate) struct Query {
    pub id: String,
    pub entry: &'static Entry,
    pub header: Header,
    pub steps: Vec<Step>,
    /// Whose turn it is where the game itself does not know: the number of actions before, and the seat.
    pub handed: Vec<(usize, Seat)>,
    /// The positions to look at, by the number of actions before them, each with its priority.
    pub turns: Vec<(usize, i64)>,
    pub spec: PlayerSpec,
    /// Replaces the budget of `spec`.
    pub budget: Option<Budget>,
    pub seed: u64,
    /// For how many candidates reasons are wanted.
    pub reasons: usize,
    pub reports: Option<Reports>,
    pub restrictions: Vec<Restriction>,
    pub form: Form,
    /// The length of the line it came in.
    pub bytes: usize,
}

/// An action that cannot be played.
#[derive(Debug)]
pub(crate) struct BadStep {
    /// Its index.
    pub index: usize,
    pub why: Illegal,
}

impl Query {
    /// The game at its start.
    pub fn start(&self) -> Result<Box<dyn DynGame>, SetupError> {
        self.entry.game.start(&self.header, 0)
    }

    /// Plays the step with this index.
    pub fn step(&self, game: &mut dyn DynGame, index: usize) -> Result<(), BadStep> {
        let Some(step) = self.steps.get(index) else { return Ok(()) };
        if matches!(self.form, Form::Katago(_)) {
            resume(game);
        }
        let played = match step.by {
            None => game.play(&step.action),
            Some(seat) => game.play_as(seat, &step.action),
        };
        played.map_err(|why| BadStep { index, why })
    }

    /// The position before the step with this index, as it is looked at.
    pub fn position(&self, turn: usize) -> Result<Box<dyn DynGame>, String> {
        let mut game = self.start().map_err(|e| e.to_string())?;
        for index in 0..turn {
            self.step(game.as_mut(), index).map_err(|e| e.why.to_string())?;
        }
        if matches!(self.form, Form::Katago(_)) {
            resume(game.as_mut());
        }
        match self.handed_to(turn) {
            None => Ok(game),
            Some(seat) => game.with_turn_of(seat).map_err(|e| e.to_string()),
        }
    }

    /// Whose turn it is before the step with this index, where the game itself does not know.
    pub fn handed_to(&self, turn: usize) -> Option<Seat> {
        self.handed.iter().find(|(index, _)| *index == turn).map(|(_, seat)| *seat)
    }
}

/// KataGo looks at a finished game of Go as if it went on.
pub(crate) fn resume(game: &mut dyn DynGame) {
    if game.turn().is_terminal() {
        // Where the game cannot be resumed, the next action says that it is over.
        let _ = game.event(0, "resume", &Map::new());
    }
}

/// What the fields common to both forms say.
pub(crate) struct Common {
    pub spec: Option<PlayerSpec>,
    pub seed: u64,
    pub reasons: Option<usize>,
    pub reports: Option<Reports>,
}

/// Reads the common fields besides the turns.
pub(crate) fn common(fields: &mut Fields, seed: u64) -> Result<Common, Problem> {
    let spec = match fields.text("player")? {
        None => None,
        Some(text) => Some(text.parse().map_err(|e| Problem::of("player", format!("{e}")))?),
    };
    let every = fields.number("reportDuringSearchEvery", 0.001, MAX_SECONDS)?;
    let first = fields.number("firstReportDuringSearchAfter", 0.001, MAX_SECONDS)?;
    let reports = match (first, every) {
        (None, None) => None,
        (first, every) => Some(Reports {
            first: Duration::from_secs_f64(first.or(every).unwrap_or(MAX_SECONDS)),
            every: Duration::from_secs_f64(every.unwrap_or(MAX_SECONDS)),
        }),
    };
    Ok(Common {
        spec,
        seed: fields.whole("seed", 0, u64::MAX)?.unwrap_or(seed),
        reasons: fields.whole("reasons", 0, 1_000)?.map(|n| n as usize),
        reports,
    })
}

/// Reads which turns to look at, and how urgent each is. The default is the position after all actions.
pub(crate) fn turns(fields: &mut Fields, key: &'static str, steps: usize) -> Result<Vec<(usize, i64)>, Problem> {
    let turns = match fields.integers(key)? {
        None => vec![steps],
        Some(list) => {
            let turn = |&n: &i64| {
                let fits = usize::try_from(n).ok().filter(|&n| n <= steps);
                fits.ok_or_else(|| Problem::of(key, format!("there is no turn {n}; the game has turns 0 to {steps}")))
            };
            if list.is_empty() {
                return Err(Problem::of(key, "it is empty; leave it out to look at the last position"));
            }
            list.iter().map(turn).collect::<Result<Vec<_>, _>>()?
        }
    };
    let within = |key: &str, n: i64| {
        let fits = (-MAX_PRIORITY..=MAX_PRIORITY).contains(&n);
        if fits { Ok(n) } else { Err(Problem::of(key, format!("{n} is beyond the priorities: they lie within 2^62"))) }
    };
    let one = match fields.get("priority") {
        None => 0,
        Some(value) => {
            let n = super::fields::integer(value)
                .ok_or_else(|| Problem::of("priority", format!("it is {}, it must be a whole number", short(value))))?;
            within("priority", n)?
        }
    };
    let mut with_priority: BTreeMap<usize, i64> = turns.iter().map(|&turn| (turn, one)).collect();
    if let Some(list) = fields.integers("priorities")? {
        if fields.has("priority") {
            return Err(Problem::of("priorities", "it does not go with \"priority\"; leave one out"));
        }
        if !fields.has(key) || list.len() != turns.len() {
            let message = format!("it has {} entries, it must have one for each entry of \"{key}\"", list.len());
            return Err(Problem::of("priorities", message));
        }
        for (&turn, n) in turns.iter().zip(list) {
            with_priority.insert(turn, within("priorities", n)?);
        }
    }
    Ok(with_priority.into_iter().collect())
}

/// Checks that the entry builds the player.
pub(crate) fn check_player(entry: &Entry, spec: &PlayerSpec) -> Result<(), Problem> {
    entry.player(spec).map(drop).map_err(|e| Problem::of("player", e.to_string()))
}

/// The game's default player, told to use up its visits even when its choice is settled: the numbers are what is asked for.
pub(crate) fn thorough(entry: &Entry) -> PlayerSpec {
    let mut spec = entry.default_player();
    spec.settings.insert("early".to_owned(), "off".to_owned());
    match entry.player(&spec) {
        Err(SpecError::UnknownKey { .. }) => entry.default_player(),
        _ => spec,
    }
}

/// Checks the number of actions.
pub(crate) fn check_length(field: &str, length: usize) -> Result<(), Problem> {
    if length > MAX_ACTIONS {
        return Err(Problem::of(field, format!("it has {length} actions, at most {MAX_ACTIONS} are accepted")));
    }
    Ok(())
}

/// Whether a text could be an action.
pub(crate) fn check_action(field: &str, text: &str) -> Result<(), Problem> {
    if text.len() > MAX_ID_BYTES {
        return Err(Problem::of(field, format!("'{}' is too long for an action", clip(text))));
    }
    Ok(())
}

/// A query in our own form.
pub(crate) fn own(
    id: &str,
    fields: &mut Fields,
    settings: &super::EngineConfig,
    bytes: usize,
) -> Result<Query, Problem> {
    let name = fields.text("game")?.unwrap_or_default();
    let entry = kiebitz_catalog::game(name).map_err(|e| Problem::of("game", e.to_string()))?;
    if fields.has("moves") {
        return Err(Problem::of("moves", "the actions of a game belong in \"actions\", as a list of texts"));
    }
    let rules = fields.object("rules")?.cloned().unwrap_or_default();
    let players = match fields.whole("players", 1, kiebitz_core::MAX_PLAYERS as u64)? {
        Some(n) => n as u8,
        None => entry.game.default_players(&rules),
    };
    let mut header = Header::new(entry.game.id(), players, rules);
    let start = |header: &Header| entry.game.start(header, 0);
    start(&header).map_err(|e| Problem::of(if e.code == "players" { "players" } else { "rules" }, e.to_string()))?;
    if let Some(setup) = fields.get("setup") {
        header.set("setup", setup.clone());
        start(&header).map_err(|e| Problem::of("setup", e.to_string()))?;
    }
    let actions = fields.texts("actions")?.unwrap_or_default();
    check_length("actions", actions.len())?;
    actions.iter().try_for_each(|text| check_action("actions", text))?;
    let turns = turns(fields, "turns", actions.len())?;
    let seat = fields.whole("seat", 0, u64::from(players) - 1)?.map(|n| n as Seat);
    let common = common(fields, settings.seed)?;
    let spec = common.spec.unwrap_or_else(|| thorough(entry));
    check_player(entry, &spec)?;
    let budget = own_budget(fields)?;
    let mut query = Query {
        id: id.to_owned(),
        entry,
        header,
        steps: actions.into_iter().map(|action| Step { by: None, action }).collect(),
        handed: Vec::new(),
        turns,
        spec,
        budget,
        seed: common.seed,
        reasons: common.reasons.unwrap_or(3),
        reports: common.reports,
        restrictions: Vec::new(),
        form: Form::Own { candidates: fields.whole("candidates", 1, 10_000)?.map_or(usize::MAX, |n| n as usize) },
        bytes,
    };
    masked::replay(&mut query, seat).map_err(|message| Problem::of("actions", message))?;
    let allow = fields.texts("allow")?.map(|actions| ("allow", actions, true));
    let avoid = fields.texts("avoid")?.map(|actions| ("avoid", actions, false));
    if allow.is_some() && avoid.is_some() {
        return Err(Problem::of("allow", "it does not go with \"avoid\"; leave one out"));
    }
    check_positions(&mut query, seat, allow.or(avoid))?;
    Ok(query)
}

fn own_budget(fields: &mut Fields) -> Result<Option<Budget>, Problem> {
    let visits = fields.whole("visits", 1, MAX_VISITS)?;
    let time = match fields.get("time") {
        None => None,
        Some(Value::String(text)) => {
            let wrong = || Problem::of("time", format!("'{}' is no time; write 0.5, or 500ms or 2s", clip(text)));
            Some(parse_duration(text).ok_or_else(wrong)?)
        }
        Some(_) => fields.number("time", 0.001, MAX_SECONDS)?.map(Duration::from_secs_f64),
    };
    let budget = Budget { visits, time };
    Ok(budget.is_limited().then_some(budget))
}

/// Checks the seat and the restricted actions at every position that is looked at, and makes restrictions of the latter.
fn check_positions(
    query: &mut Query,
    seat: Option<Seat>,
    restricted: Option<(&'static str, Vec<String>, bool)>,
) -> Result<(), Problem> {
    let replay = |e: SetupError| Problem::of("rules", e.to_string());
    let mut game = query.start().map_err(replay)?;
    let wanted: Vec<usize> = query.turns.iter().map(|(turn, _)| *turn).collect();
    for turn in 0..=query.steps.len() {
        if let Some(seat) = query.handed_to(turn) {
            game = game.with_turn_of(seat).map_err(|e| Problem::of("actions", e.to_string()))?;
        }
        if wanted.contains(&turn)
            && let Turn::Seat(mover) = game.turn()
        {
            if let Some(seat) = seat.filter(|&s| s != mover) {
                let message = format!("player {seat} does not move at turn {turn}, player {mover} does");
                return Err(Problem::of("seat", message));
            }
            if game.legal().is_empty() {
                let message =
                    format!("at turn {turn} it is not known what player {mover} holds; give what that seat knows");
                let field = if query.header.setup().is_some() { "setup" } else { "actions" };
                return Err(Problem::of(field, message));
            }
            if let Some((field, actions, only)) = &restricted {
                let canonical = |text: &String| game.canonical(text).map_err(|e| Problem::of(field, e.to_string()));
                let actions = actions.iter().map(canonical).collect::<Result<Vec<_>, _>>()?;
                let here = Restriction { seat: mover, actions, only: *only, plies: 1 };
                check_choice(field, game.as_ref(), turn, mover, std::slice::from_ref(&here))?;
            }
        }
        query.step(game.as_mut(), turn).map_err(|e| Problem::of("actions", e.why.to_string()))?;
    }
    if let Some((_, actions, only)) = restricted {
        let seats = 0..query.header.players();
        query.restrictions = seats.map(|seat| Restriction { seat, actions: actions.clone(), only, plies: 1 }).collect();
    }
    Ok(())
}

/// Checks that restrictions, whose actions are written as the game writes them, leave the seat to move a choice: a search
/// that may choose nothing would look at everything.
pub(crate) fn check_choice(
    field: &str,
    game: &dyn DynGame,
    turn: usize,
    mover: Seat,
    restrictions: &[Restriction],
) -> Result<(), Problem> {
    let here: Vec<&Restriction> = restrictions.iter().filter(|r| r.seat == mover).collect();
    if here.is_empty() || game.legal().iter().any(|action| here.iter().all(|r| r.actions.contains(action) == r.only)) {
        return Ok(());
    }
    let (what, right) = if here.iter().any(|r| r.only) {
        ("none of these actions is legal", "allow at least one that is")
    } else {
        ("these are all the legal actions", "leave at least one out")
    };
    Err(Problem::of(field, format!("at turn {turn} {what}, so player {mover} has no choice left; {right}")))
}
