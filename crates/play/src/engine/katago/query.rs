//! Reading a query in KataGo's form.

use std::collections::HashMap;
use std::time::Duration;

use kiebitz_core::record::Header;
use kiebitz_core::{Budget, Restriction, Seat, SetupError, Turn};
use kiebitz_go::{Color, Move, Options, Size};
use serde_json::{Map, Value, json};

use super::ReportAs;
use crate::engine::EngineConfig;
use crate::engine::fields::{Fields, Problem, clip, integer, short};
use crate::engine::query::{self, Form, MAX_VISITS, Query, Step};

/// What an answer shall contain.
#[derive(Clone, Debug)]
pub(crate) struct Katago {
    pub size: Size,
    pub report_as: ReportAs,
    pub pv_len: usize,
    pub ownership: bool,
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
    pub policy: bool,
    pub pv_visits: bool,
}

/// Fields of KataGo that shape a network's search and mean nothing here.
const WITHOUT_MEANING: [&str; 3] = ["rootPolicyTemperature", "rootFpuReductionMax", "includeNoResultValue"];

/// Whether a query is in KataGo's form: it names no game, or names Go and has KataGo's fields.
pub(crate) fn is_meant(fields: &Fields) -> bool {
    !fields.has("game") || fields.is_text("game", "go") && (fields.has("moves") || fields.has("boardXSize"))
}

/// Reads the query; what is odd about it is added to `warnings`.
pub(crate) fn read(
    id: &str,
    fields: &mut Fields,
    settings: &EngineConfig,
    bytes: usize,
    warnings: &mut Vec<Problem>,
) -> Result<Query, Problem> {
    let named = fields.text("game")?.is_some();
    if !named && !fields.has("boardXSize") && !fields.has("moves") {
        let message = "the query names no game; say {\"game\":\"go\",…}, or for Go in KataGo's form give \"boardXSize\", \
                       \"boardYSize\", \"rules\" and \"moves\"";
        return Err(Problem::of("game", message));
    }
    let entry = kiebitz_catalog::game("go").map_err(|e| Problem::of("game", e.to_string()))?;
    let size = size(fields)?;
    let mut rules = rules(fields, size)?;
    let moves = moves(fields, "moves", size, true)?;
    let moves =
        moves.ok_or_else(|| Problem::of("moves", "it is missing; the list is empty where nothing was played"))?;
    query::check_length("moves", moves.len())?;
    let stones = stones(fields, size)?;
    let first = fields.get("initialPlayer").map(|v| color("initialPlayer", v)).transpose()?;
    let komi = match fields.number("komi", -10_000.0, 10_000.0)? {
        Some(komi) => json!(komi),
        None => rules.remove("komi").unwrap_or(Value::Null),
    };
    let options = |rules: &Map<String, Value>| Options::from_json(rules).map_err(|e| rules_problem(&e));
    // KataGo does not lower the usual komi for a handicap.
    let komi = if komi.is_null() { json!(options(&rules)?.komi_points()) } else { komi };
    rules.insert("komi".to_owned(), komi);
    let handicap = handicap(&stones, &moves);
    if handicap > 0 {
        rules.insert("handicap".to_owned(), handicap.into());
    }
    options(&rules)?;
    let to_move = first.or(moves.first().map(|m| m.0)).unwrap_or(u8::from(handicap > 0));
    let mut header = Header::new("go", 2, rules);
    header.set("setup", setup(&stones, to_move));

    let turns = query::turns(fields, "analyzeTurns", moves.len())?;
    let common = query::common(fields, settings.seed)?;
    let mut form = Katago {
        size,
        report_as: settings.report_as,
        pv_len: settings.pv_len,
        ownership: fields.flag("includeOwnership")?,
        ownership_stdev: fields.flag("includeOwnershipStdev")?,
        moves_ownership: fields.flag("includeMovesOwnership")?,
        moves_ownership_stdev: fields.flag("includeMovesOwnershipStdev")?,
        policy: fields.flag("includePolicy")?,
        pv_visits: fields.flag("includePVVisits")?,
    };
    let mut budget = Budget::visits(settings.visits);
    override_settings(fields, &mut form, &mut budget, warnings)?;
    if let Some(visits) = fields.whole("maxVisits", 1, MAX_VISITS)? {
        budget.visits = Some(visits);
    }
    if let Some(length) = fields.whole("analysisPVLen", 1, 1_000)? {
        form.pv_len = length as usize;
    }
    let restrictions = restrictions(fields, size)?;
    let spec = match common.spec {
        Some(spec) => {
            query::check_player(entry, &spec)?;
            spec
        }
        None => query::thorough(entry),
    };
    for field in WITHOUT_MEANING {
        if fields.get(field).is_some() {
            warnings.push(Problem::of(field, "this engine has no network; the field is ignored"));
        }
    }
    let steps = moves.into_iter().map(|(seat, action)| Step { by: Some(seat), action }).collect();
    let mut query = Query {
        id: id.to_owned(),
        entry,
        header,
        steps,
        handed: Vec::new(),
        turns,
        spec,
        budget: Some(budget),
        seed: common.seed,
        reasons: common.reasons.unwrap_or(0),
        reports: common.reports,
        restrictions,
        form: Form::Katago(Box::new(form)),
        bytes,
    };
    check_moves(&mut query, warnings)?;
    check_choices(&query)?;
    Ok(query)
}

/// Checks that the restrictions leave a choice at every position that is looked at.
fn check_choices(query: &Query) -> Result<(), Problem> {
    let Some(first) = query.restrictions.first() else { return Ok(()) };
    let field = if first.only { "allowMoves" } else { "avoidMoves" };
    let wrong = |message: String| Problem::of("moves", message);
    let mut game = query.start().map_err(|e| wrong(e.to_string()))?;
    for turn in 0..=query.steps.len() {
        if query.turns.iter().any(|(wanted, _)| *wanted == turn) {
            // Looked at as if it went on, also where the game is over.
            query::resume(game.as_mut());
            if let Turn::Seat(mover) = game.turn() {
                query::check_choice(field, game.as_ref(), turn, mover, &query.restrictions)?;
            }
        }
        query.step(game.as_mut(), turn).map_err(|e| wrong(e.why.to_string()))?;
    }
    Ok(())
}

fn size(fields: &mut Fields) -> Result<Size, Problem> {
    let max = Size::MAX as u64;
    let mut side = |key| {
        let missing = || Problem::of(key, format!("it is missing; it must be a whole number from 1 to {max}"));
        fields.whole(key, 1, max)?.ok_or_else(missing)
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    Size::new(width as usize, height as usize).map_err(|e| Problem::of("boardXSize", e.to_string()))
}

/// The problem of a field for an error in the options.
fn rules_problem(e: &SetupError) -> Problem {
    Problem::of(if e.code == "go.komi" { "komi" } else { "rules" }, e.to_string())
}

/// The rules as in a record's header: from a name, or from KataGo's object, whose absent keys are those of Tromp-Taylor.
fn rules(fields: &mut Fields, size: Size) -> Result<Map<String, Value>, Problem> {
    let wrong = |value: &Value| {
        let message = format!(
            "it is {}, it must be the name of a ruleset such as \"chinese\", or an object such as \
             {{\"ko\":\"SIMPLE\",\"scoring\":\"AREA\"}}",
            short(value)
        );
        Problem::of("rules", message)
    };
    let value = fields.get("rules").ok_or_else(|| wrong(&Value::Null))?;
    let parsed = value.as_str().filter(|s| s.trim_start().starts_with('{')).map(serde_json::from_str::<Value>);
    let mut rules = match (parsed, value) {
        (Some(Ok(Value::Object(map))), _) => map,
        (None, Value::Object(map)) => map.clone(),
        (None, Value::String(name)) => Map::from_iter([("ruleset".to_owned(), Value::from(name.as_str()))]),
        _ => return Err(wrong(value)),
    };
    if !rules.contains_key("ruleset") {
        rules.insert("ruleset".to_owned(), "tromp-taylor".into());
    }
    if let Some(bonus) = fields.get("whiteHandicapBonus") {
        rules.insert("white_bonus".to_owned(), bonus.clone());
        rules.remove("whiteHandicapBonus");
    }
    for key in ["size", "handicap"] {
        if rules.contains_key(key) {
            return Err(Problem::of(
                "rules",
                format!("'{key}' is no rule of KataGo's; the board and its stones say it"),
            ));
        }
    }
    rules.insert("size".to_owned(), json!([size.width(), size.height()]));
    Ok(rules)
}

fn color(field: &str, value: &Value) -> Result<Seat, Problem> {
    let color = value.as_str().and_then(|s| match s.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    });
    let wrong = || Problem::of(field, format!("it has the player {}, it must be \"B\" or \"W\"", short(value)));
    color.map(|c| c.index() as Seat).ok_or_else(wrong)
}

/// The text of a vertex: a point such as `C4`, its coordinates from the top left such as `(2,15)`, or `pass`.
fn vertex(field: &str, value: &Value, size: Size, pass: bool) -> Result<String, Problem> {
    let wrong = |why: &str| Problem::of(field, format!("could not parse board location {}: {why}", short(value)));
    let text = value.as_str().ok_or_else(|| wrong("it must be a text"))?.trim();
    let pair = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).and_then(|t| t.split_once(','));
    if let Some((x, y)) = pair {
        let number = |t: &str| t.trim().parse::<usize>().ok();
        let point = number(x).zip(number(y)).filter(|&(_, y)| y < size.height());
        let point = point.and_then(|(x, y)| size.point(x, size.height() - 1 - y));
        let point = point.ok_or_else(|| wrong("it must be (x,y) from the top left, counted from 0"))?;
        return Ok(point.text(size).to_string());
    }
    match Move::parse(text, size) {
        Ok(mv) if pass || mv.point().is_some() => Ok(mv.text(size).to_string()),
        Ok(_) => Err(wrong("a pass is no stone")),
        Err(e) => Err(wrong(&e.to_string())),
    }
}

/// A list of pairs of a player and a vertex.
fn moves(
    fields: &mut Fields,
    key: &'static str,
    size: Size,
    pass: bool,
) -> Result<Option<Vec<(Seat, String)>>, Problem> {
    let Some(list) = fields.list(key, "pairs such as [\"B\",\"C4\"]")? else { return Ok(None) };
    let pair = |v: &Value| match v.as_array().map(Vec::as_slice) {
        Some([player, place]) => Ok((color(key, player)?, vertex(key, place, size, pass)?)),
        _ => Err(Problem::of(key, format!("it has {} in it, it must be pairs such as [\"B\",\"C4\"]", short(v)))),
    };
    list.iter().map(pair).collect::<Result<_, _>>().map(Some)
}

/// The stones at the start, each on a point of its own.
fn stones(fields: &mut Fields, size: Size) -> Result<Vec<(Seat, String)>, Problem> {
    let stones = moves(fields, "initialStones", size, false)?.unwrap_or_default();
    let mut colors: HashMap<&str, Seat> = HashMap::new();
    for (seat, point) in &stones {
        if let Some(other) = colors.insert(point, *seat) {
            let how = if other == *seat { "twice" } else { "for both players" };
            return Err(Problem::of("initialStones", format!("it has {point} {how}; a point takes one stone")));
        }
    }
    Ok(stones)
}

/// How many handicap stones there are: at the start when only Black has stones there, and those that Black plays before White
/// plays any. One stone is none.
fn handicap(stones: &[(Seat, String)], moves: &[(Seat, String)]) -> usize {
    if stones.iter().any(|(seat, _)| *seat == 1) {
        return 0;
    }
    let played = moves.iter().filter(|(_, place)| place != "pass").take_while(|(seat, _)| *seat == 0).count();
    let (set, played) = (stones.len(), if played > 1 { played } else { 0 });
    if set + played > 1 { set + played } else { 0 }
}

fn setup(stones: &[(Seat, String)], to_move: Seat) -> Value {
    let of = |seat: Seat| -> Vec<&str> {
        stones.iter().filter(|(s, _)| *s == seat).map(|(_, point)| point.as_str()).collect()
    };
    json!({"black": of(0), "white": of(1), "to_move": if to_move == 0 { "black" } else { "white" }})
}

/// Settings of KataGo's configuration that are understood; the others are ignored with a warning.
fn override_settings(
    fields: &mut Fields,
    form: &mut Katago,
    budget: &mut Budget,
    warnings: &mut Vec<Problem>,
) -> Result<(), Problem> {
    let Some(settings) = fields.object("overrideSettings")? else { return Ok(()) };
    let mut ignored = Vec::new();
    for (key, value) in settings {
        let wrong =
            |what: &str| Problem::of("overrideSettings", format!("{key} is {}, it must be {what}", short(value)));
        // Values may be texts, as in a configuration file.
        let number = || value.as_f64().or_else(|| value.as_str().and_then(|s| s.trim().parse().ok()));
        let whole = |max: u64| {
            let n = integer(value).or_else(|| value.as_str().and_then(|s| s.trim().parse().ok()));
            let n = n.and_then(|n| u64::try_from(n).ok()).filter(|n| (1..=max).contains(n));
            n.ok_or_else(|| wrong(&format!("a whole number from 1 to {max}")))
        };
        match key.as_str() {
            "reportAnalysisWinratesAs" => {
                let parsed = value.as_str().and_then(|s| s.parse().ok());
                form.report_as = parsed.ok_or_else(|| wrong("BLACK, WHITE or SIDETOMOVE"))?;
            }
            "maxVisits" | "maxPlayouts" => {
                let visits = whole(MAX_VISITS)?;
                let stricter = budget.visits.filter(|_| key == "maxPlayouts").unwrap_or(u64::MAX);
                budget.visits = Some(visits.min(stricter));
            }
            "maxTime" => {
                let seconds = number().filter(|s| *s > 0.0 && s.is_finite());
                let seconds = seconds.ok_or_else(|| wrong("a number of seconds greater than 0"))?;
                budget.time = Some(Duration::from_secs_f64(seconds.min(1e9)));
            }
            "analysisPVLen" => form.pv_len = whole(1_000)? as usize,
            _ => ignored.push(clip(key)),
        }
    }
    if !ignored.is_empty() {
        ignored.truncate(20);
        let message = format!("unknown or unused settings, ignored: {}", ignored.join(", "));
        warnings.push(Problem::of("overrideSettings", message));
    }
    Ok(())
}

fn restrictions(fields: &mut Fields, size: Size) -> Result<Vec<Restriction>, Problem> {
    if fields.has("allowMoves") && fields.has("avoidMoves") {
        return Err(Problem::of("allowMoves", "it does not go with \"avoidMoves\"; leave one out"));
    }
    let mut restrictions = Vec::new();
    for (key, only) in [("allowMoves", true), ("avoidMoves", false)] {
        let list = fields.list(key, "objects with \"player\", \"moves\" and \"untilDepth\"")?.unwrap_or_default();
        if only && list.len() > 1 {
            return Err(Problem::of(key, format!("it has {} entries, it may have one", list.len())));
        }
        if list.len() > 100 {
            return Err(Problem::of(key, format!("it has {} entries, it may have 100", list.len())));
        }
        for entry in list {
            let wrong = || {
                let message = format!(
                    "it has {} in it, each entry must have \"player\", \"moves\" and \"untilDepth\"",
                    short(entry)
                );
                Problem::of(key, message)
            };
            let map = entry.as_object().ok_or_else(wrong)?;
            let (player, moves) = map.get("player").zip(map.get("moves")).ok_or_else(wrong)?;
            let depth = map.get("untilDepth").and_then(integer).filter(|n| (1..=1_000_000_000).contains(n));
            let moves = moves.as_array().ok_or_else(wrong)?;
            let mut actions = moves.iter().map(|v| vertex(key, v, size, true)).collect::<Result<Vec<_>, _>>()?;
            actions.sort_unstable();
            actions.dedup();
            let plies = depth.ok_or_else(wrong)? as u32;
            restrictions.push(Restriction { seat: color(key, player)?, actions, only, plies });
        }
    }
    Ok(restrictions)
}

/// Checks that the moves can be played. A move that only a rule of repetition forbids is accepted, as KataGo does: the game is
/// then looked at under the simple ko rule.
fn check_moves(query: &mut Query, warnings: &mut Vec<Problem>) -> Result<(), Problem> {
    let played = |query: &Query| -> Result<Result<(), query::BadStep>, Problem> {
        let mut game = query.start().map_err(|e| {
            let field = if matches!(e.code, "go.setup" | "go.no_liberty") { "initialStones" } else { "rules" };
            Problem::of(field, e.to_string())
        })?;
        Ok((0..query.steps.len()).try_for_each(|index| query.step(game.as_mut(), index)))
    };
    let illegal = |query: &Query, bad: &query::BadStep| {
        let place = query.steps.get(bad.index).map_or("", |s| s.action.as_str());
        Problem::of("moves", format!("Illegal move {}: {place}: {}", bad.index, bad.why))
    };
    let Err(bad) = played(query)? else { return Ok(()) };
    let problem = illegal(query, &bad);
    let mut rules = query.header.rules();
    rules.insert("ko".to_owned(), "simple".into());
    query.header.set("rules", rules);
    match played(query)? {
        Ok(()) => {
            warnings.push(Problem::of("moves", format!("{}; looked at under the simple ko rule", problem.message)));
            Ok(())
        }
        Err(_) => Err(problem),
    }
}
