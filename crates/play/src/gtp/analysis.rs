//! Searching: moves, analysis, and both at once.

use std::time::{Duration, Instant};

use kiebitz_core::{Analysis, Restriction, Rng, Session};
use kiebitz_go::{Color, Go, Move, Size};

use super::arguments::{Arguments, color, flag, number};
use super::framing::{Answer, Fault, Reply};
use super::lines::{Contents, Form, line};
use super::ownership::Mapper;
use super::thinker::Task;
use super::{Call, Engine};
use crate::go_mind::Action;

/// What an analysis command asks for.
struct Wanted {
    color: Option<Color>,
    interval: Option<Duration>,
    restrictions: Vec<Restriction>,
    contents: Contents,
}

/// The shortest time between two lines.
const SHORTEST: Duration = Duration::from_millis(10);

/// The time between two lines of an analysis that names none.
const USUAL: Duration = Duration::from_secs(1);

impl Wanted {
    fn new(form: Form) -> Self {
        let contents = Contents {
            form,
            min_moves: 0,
            max_moves: usize::MAX,
            root_info: false,
            ownership: form == Form::Cgos,
            ownership_stdev: false,
            moves_ownership: false,
            pv_visits: false,
        };
        Wanted { color: None, interval: None, restrictions: Vec::new(), contents }
    }

    /// `[colour] [interval] key value …`.
    fn parse(form: Form, arguments: &mut Arguments<'_>, size: Size) -> Result<Self, Fault> {
        let mut wanted = Wanted::new(form);
        while let Some(word) = arguments.next() {
            if let Some(color) = color(word) {
                wanted.color = Some(color);
                continue;
            }
            if let Some(centiseconds) = number(word) {
                wanted.interval = Some(interval(centiseconds)?);
                continue;
            }
            let contents = &mut wanted.contents;
            let key = word.to_ascii_lowercase();
            match key.as_str() {
                "interval" => wanted.interval = Some(interval(arguments.number()?)?),
                "minmoves" => contents.min_moves = arguments.count()? as usize,
                "maxmoves" => contents.max_moves = arguments.count()? as usize,
                "allow" | "avoid" => restrict(&mut wanted.restrictions, key == "allow", arguments, size)?,
                _ => {
                    let on = flag(arguments.word()?).ok_or_else(Fault::syntax)?;
                    match key.as_str() {
                        "rootinfo" => contents.root_info = on,
                        "ownership" => contents.ownership = on,
                        "ownershipstdev" => contents.ownership_stdev = on,
                        "movesownership" => contents.moves_ownership = on,
                        "pvvisits" => contents.pv_visits = on,
                        // What KataGo has besides, which nothing here corresponds to.
                        "movesownershipstdev" | "pvedgevisits" | "noresultvalue" => {}
                        _ => return Err(Fault::syntax()),
                    }
                }
            }
        }
        Ok(wanted)
    }

    /// How many candidates need ownership maps of their own; `None` when no map is wanted.
    fn maps(&self, analysis: &Analysis) -> Option<usize> {
        let c = &self.contents;
        let any = c.ownership || c.ownership_stdev || c.moves_ownership;
        any.then(|| if c.moves_ownership { c.max_moves.min(analysis.candidates.len()) } else { 0 })
    }
}

fn interval(centiseconds: f64) -> Result<Duration, Fault> {
    if centiseconds < 0.0 {
        return Err(Fault::syntax());
    }
    // A day is long enough for everybody.
    Ok(Duration::from_secs_f64((centiseconds / 100.0).min(86_400.0)).max(SHORTEST))
}

/// `C V,V,… D`: what a colour may (or may only) play in the first D moves.
fn restrict(
    restrictions: &mut Vec<Restriction>,
    only: bool,
    arguments: &mut Arguments<'_>,
    size: Size,
) -> Result<(), Fault> {
    let seat = arguments.color()?.index() as u8;
    let mut actions = Vec::new();
    for vertex in arguments.word()?.split(',').filter(|v| !v.is_empty()) {
        let mv = Move::parse(vertex, size).map_err(|_| Fault::vertex())?;
        actions.push(mv.text(size).to_string());
    }
    let plies = arguments.count()?;
    if actions.is_empty() || plies == 0 {
        return Err(Fault::syntax());
    }
    // Several lists of allowed moves for one colour are one list.
    let same = restrictions.iter_mut().find(|r| only && r.only && r.seat == seat);
    match same {
        Some(known) if known.plies != plies => {
            Err(Fault::new("allow must name the same number of moves for all lists of a color"))
        }
        Some(known) => {
            known.actions.extend(actions);
            Ok(())
        }
        None => {
            restrictions.push(Restriction { seat, actions, only, plies });
            Ok(())
        }
    }
}

/// Writes lines of analysis.
struct Shower {
    mapper: Mapper,
    rng: Rng,
}

impl Shower {
    fn new(seed: u64) -> Self {
        Shower { mapper: Mapper::default(), rng: Rng::new(seed) }
    }

    fn line(&mut self, wanted: &Wanted, state: &Go, analysis: &Analysis) -> String {
        let time = wanted.interval.unwrap_or(USUAL) / 4;
        let maps = wanted
            .maps(analysis)
            .map(|own| self.mapper.maps(state, analysis, own, &mut self.rng, time.min(Duration::from_millis(100))));
        line(&wanted.contents, state, analysis, maps.as_ref())
    }
}

/// The form a command's name asks for.
fn form(name: &str) -> Form {
    match name.split(['-', '_']).next() {
        Some("lz") => Form::Lz,
        Some("kata") => Form::Kata,
        Some("cgos") => Form::Cgos,
        _ => Form::Plain,
    }
}

/// A move that these restrictions allow the colour to move: a pass where they allow it.
fn allowed(game: &Session<Go>, restrictions: &[Restriction]) -> Result<Move, Fault> {
    let (state, seat) = (game.state(), game.state().to_move().index() as u8);
    let allows = |mv: &Move| {
        let text = mv.text(state.size()).to_string();
        restrictions.iter().filter(|r| r.seat == seat).all(|r| r.actions.contains(&text) == r.only)
    };
    if allows(&Move::PASS) {
        return Ok(Move::PASS);
    }
    let mut moves: Vec<Move> = Vec::new();
    kiebitz_core::Game::actions(state, &mut moves);
    moves.into_iter().find(allows).ok_or_else(|| Fault::new("no legal move is allowed"))
}

impl Engine {
    /// The game with this colour to move, or with whoever's turn it is.
    fn seen_by(&self, color: Option<Color>) -> Result<Session<Go>, Fault> {
        let color = color.unwrap_or(self.game.to_move());
        self.game.for_search(color).map_err(|e| Fault::new(e.message))
    }
}

/// Analysis until the next line of input.
pub(crate) fn analyze(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let mut wanted = Wanted::parse(form(call.name), &mut call.arguments, engine.game.size())?;
    let game = engine.seen_by(wanted.color)?;
    allowed(&game, &wanted.restrictions)?;
    wanted.interval.get_or_insert(USUAL);
    let mut shower = Shower::new(engine.thinker.options().seed);
    call.dialogue.write(&format!("={}\n", call.id));
    let restrictions = wanted.restrictions.clone();
    let color = game.state().to_move();
    let task = Task { color, every: wanted.interval, restrictions: &restrictions, cleanup: false };
    let mut show = |analysis: &Analysis| shower.line(&wanted, game.state(), analysis);
    let thinker = &mut engine.thinker;
    let (found, stopped) = call.dialogue.search(true, &mut show, |signals| thinker.analyze(&game, &task, signals));
    if let Ok(analysis) = found {
        if !stopped {
            let text = show(&analysis);
            call.dialogue.write(&text);
        }
        engine.last = Some(analysis);
    }
    // A search that knows everything ends by itself; the reply ends with the next line all the same.
    call.dialogue.wait_for_input();
    Ok(Reply::Streamed)
}

/// Ends thinking on the opponent's time; an analysis has been ended by the line itself.
pub(crate) fn stop(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    engine.thinker.stop();
    Ok(Reply::done())
}

/// What a search for a move does with it.
#[derive(Clone, Copy, Default)]
struct Purpose {
    /// The move is played.
    plays: bool,
    /// Lines of analysis are written, and `play` before the move.
    streams: bool,
    /// The next line of input ends it without a move.
    cancellable: bool,
    /// No pass while dead stones of the opponent are on the board.
    cleanup: bool,
}

/// Searches for a move.
fn find_move(engine: &mut Engine, call: &mut Call<'_, '_>, wanted: &Wanted, purpose: Purpose) -> Answer {
    let started = Instant::now();
    let game = engine.seen_by(wanted.color)?;
    let any = allowed(&game, &wanted.restrictions)?;
    let color = game.state().to_move();
    let every = wanted.interval.filter(|_| purpose.streams);
    let task = Task { color, every, restrictions: &wanted.restrictions, cleanup: purpose.cleanup };
    let mut shower = Shower::new(engine.thinker.options().seed);
    if purpose.streams {
        call.dialogue.write(&format!("={}\n", call.id));
    }
    let mut show = |analysis: &Analysis| shower.line(wanted, game.state(), analysis);
    let (thinker, clocks) = (&mut engine.thinker, &engine.clocks);
    let (found, cancelled) =
        call.dialogue.search(purpose.cancellable, &mut show, |signals| thinker.decide(&game, clocks, &task, signals));
    let action = match found {
        Ok(_) if cancelled => None,
        Ok(decision) => {
            if purpose.streams {
                let text = show(&decision.analysis);
                call.dialogue.write(&text);
            }
            engine.last = Some(decision.analysis);
            Some(decision.action)
        }
        // The reply has begun and must end with a move.
        Err(_) if purpose.streams && any.is_pass() => Some(Action::Pass),
        Err(_) if purpose.streams => Some(Action::Play(any)),
        Err(e) => return Err(Fault::new(e.message)),
    };
    if let Some(mv) = action.and_then(Action::as_move).filter(|_| purpose.plays) {
        engine.game.play(color, mv).map_err(|e| Fault::new(e.message))?;
        engine.clocks.spend(color.index() as u8, started.elapsed());
    }
    let text = match action {
        None => "cancelled".to_owned(),
        Some(Action::Resign) => "resign".to_owned(),
        Some(Action::Pass) => "pass".to_owned(),
        Some(Action::Play(mv)) => mv.text(engine.game.size()).to_string(),
    };
    if purpose.streams {
        call.dialogue.write(&format!("play {text}\n"));
    }
    if purpose.plays {
        engine.thinker.ponder(engine.game.session());
    }
    Ok(if purpose.streams { Reply::Streamed } else { text.into() })
}

fn of_color(call: &mut Call<'_, '_>) -> Result<Wanted, Fault> {
    let mut wanted = Wanted::new(Form::Kata);
    wanted.color = Some(call.arguments.color()?);
    call.arguments.finish()?;
    Ok(wanted)
}

pub(crate) fn genmove(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let wanted = of_color(call)?;
    find_move(engine, call, &wanted, Purpose { plays: true, ..Purpose::default() })
}

pub(crate) fn reg_genmove(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let wanted = of_color(call)?;
    find_move(engine, call, &wanted, Purpose::default())
}

/// Plays on until no dead stone of the opponent is left: does not pass before.
pub(crate) fn genmove_cleanup(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let wanted = of_color(call)?;
    find_move(engine, call, &wanted, Purpose { plays: true, cleanup: true, ..Purpose::default() })
}

pub(crate) fn genmove_analyze(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let wanted = Wanted::parse(form(call.name), &mut call.arguments, engine.game.size())?;
    find_move(engine, call, &wanted, Purpose { plays: true, streams: true, ..Purpose::default() })
}

/// KataGo's searches for a move that is not played.
pub(crate) fn search(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let streams = call.name.contains("_analyze");
    let cancellable = call.name.ends_with("_cancellable");
    let wanted = if streams {
        Wanted::parse(Form::Kata, &mut call.arguments, engine.game.size())?
    } else {
        let mut wanted = Wanted::new(Form::Kata);
        if !call.arguments.is_empty() {
            wanted.color = Some(call.arguments.color()?);
        }
        call.arguments.finish()?;
        wanted
    };
    find_move(engine, call, &wanted, Purpose { streams, cancellable, ..Purpose::default() })
}
