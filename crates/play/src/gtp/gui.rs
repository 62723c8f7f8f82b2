//! What GoGui and the servers ask besides.

use kiebitz_core::{Analysis, Knowledge as _, Rng};
use kiebitz_go::{Color, GoKnowledge, Move, Point, area_owners, result_text};

use super::framing::{Answer, Fault, Reply};
use super::lines::from_top;
use super::ownership::Mapper;
use super::{Call, Engine};

pub(crate) fn nothing(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok(Reply::done())
}

/// What GoGui shows in its analyze dialogue: type, label and command.
pub(crate) fn analyze_commands(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let lines = [
        "dboard/Ownership/kiebitz-ownership",
        "dboard/Prior Strength of Moves/kiebitz-prior",
        "bwboard/Area as it Stands/kiebitz-area",
        "gfx/Candidates of the Last Search/kiebitz-candidates",
        "var/Expected Line of the Last Search/kiebitz-line",
        "varc/Expected Line of the Last Search for/kiebitz-line %c",
        "plist/Legal Moves of/all_legal %c",
        "plist/Stones of/list_stones %c",
        "plist/Dead Stones/final_status_list dead",
        "plist/Stones in Seki/final_status_list seki",
        "plist/Territory of Black/final_status_list black_territory",
        "plist/Territory of White/final_status_list white_territory",
        "string/Final Score/final_score",
        "string/Captures of/captures %c",
        "string/Rules/kata-get-rules",
        "string/Board/showboard",
        "none/Clear Search Tree/clear_cache",
    ];
    Ok(lines.join("\n").into())
}

pub(crate) fn title(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let versus = if engine.opponent.is_empty() { String::new() } else { format!(" - {}", engine.opponent) };
    Ok(format!("kiebitz {}{versus}", env!("CARGO_PKG_VERSION")).into())
}

pub(crate) fn rules_game_id(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok("Go".into())
}

/// A board of texts, a row a line from the top.
fn board(engine: &Engine, of: impl Fn(Point) -> String) -> Reply {
    let size = engine.game.size();
    let points: Vec<String> = from_top(size).map(of).collect();
    let rows: Vec<String> = points.chunks(size.width()).map(|row| row.join(" ")).collect();
    rows.join("\n").into()
}

pub(crate) fn rules_board(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let stones = engine.game.state().board();
    Ok(board(engine, |p| match stones.stone(p) {
        Some(Color::Black) => "X".to_owned(),
        Some(Color::White) => "O".to_owned(),
        None => ".".to_owned(),
    }))
}

pub(crate) fn rules_board_size(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let size = engine.game.size();
    Ok(if size.width() == size.height() {
        size.width().to_string().into()
    } else {
        format!("{} {}", size.width(), size.height()).into()
    })
}

/// The moves of the colour to move, pass included; nothing after the end.
pub(crate) fn rules_legal_moves(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let mut moves: Vec<Move> = Vec::new();
    kiebitz_core::Game::actions(engine.game.state(), &mut moves);
    let size = engine.game.size();
    Ok(moves.iter().map(|mv| mv.text(size).to_string()).collect::<Vec<_>>().join(" ").into())
}

pub(crate) fn rules_side_to_move(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok(engine.game.to_move().to_string().into())
}

/// The result after the end; nothing before.
pub(crate) fn rules_final_result(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    if !engine.game.is_over() {
        return Ok(Reply::done());
    }
    if engine.game.state().is_void() {
        return Ok("No result: the position came for the third time".into());
    }
    let margin = engine.score().margin();
    let winner = match margin {
        0 => "Draw".to_owned(),
        margin if margin > 0 => format!("Black wins: {}", result_text(margin)),
        margin => format!("White wins: {}", result_text(margin)),
    };
    Ok(winner.into())
}

pub(crate) fn rules_captured_count(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let state = engine.game.state();
    // Black stones captured, then white ones.
    Ok(format!("{} {}", state.captures(Color::White), state.captures(Color::Black)).into())
}

/// Who ends up with each point, in the mean over playouts: 1 for Black, −1 for White.
pub(crate) fn ownership(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let state = engine.game.looking_on(Color::Black);
    let analysis = Analysis {
        seat: 0,
        player: String::new(),
        visits: 0,
        seconds: 0.0,
        candidates: Vec::new(),
        details: Default::default(),
    };
    let time = std::time::Duration::from_secs(1);
    let maps = Mapper::default().maps(&state, &analysis, 0, &mut Rng::new(engine.thinker.options().seed), time);
    Ok(board(engine, |p| format!("{:.2}", maps.root.mean.get(p.index()).copied().unwrap_or(0.0))))
}

/// The prior probability of each move of the colour to move.
pub(crate) fn prior(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let state = engine.game.looking_on(engine.game.to_move());
    let mut moves: Vec<Move> = Vec::new();
    kiebitz_core::Game::actions(&state, &mut moves);
    let mut priors = vec![0.0; moves.len()];
    GoKnowledge::default().prior(&state, &moves, &mut priors);
    Ok(board(engine, |p| {
        let prior = moves.iter().position(|mv| mv.point() == Some(p)).and_then(|i| priors.get(i).copied());
        format!("{:.4}", prior.unwrap_or(0.0))
    }))
}

/// Who owns each point when all stones are alive.
pub(crate) fn area(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let owners = area_owners(engine.game.state().board(), &[]);
    Ok(board(engine, |p| match owners.get(p.index()) {
        Some(1) => "B".to_owned(),
        Some(-1) => "W".to_owned(),
        _ => "?".to_owned(),
    }))
}

/// The last search as GoGui's graphics: the expected line, win rates as labels, visits as influence.
pub(crate) fn candidates(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let Some(analysis) = &engine.last else { return Ok("TEXT nothing was searched yet".into()) };
    let seat = usize::from(analysis.seat);
    let most = analysis.candidates.iter().map(|c| c.visits).max().unwrap_or(0).max(1);
    let (mut influence, mut labels) = ("INFLUENCE".to_owned(), "LABEL".to_owned());
    for candidate in analysis.candidates.iter().filter(|c| c.action != "pass").take(10) {
        let share = candidate.visits as f64 / most as f64;
        let winrate = candidate.utility.get(seat).map_or(0.5, |e| e.mean);
        influence += &format!(" {} {share:.2}", candidate.action);
        labels += &format!(" {} {}", candidate.action, (100.0 * winrate).round());
    }
    let best = analysis.best().map_or(0.5, |c| c.utility.get(seat).map_or(0.5, |e| e.mean));
    let text = format!("TEXT {} visits, win rate {:.1} %", analysis.visits, 100.0 * best);
    Ok([influence, labels, text].join("\n").into())
}

/// The line the last search expects, colours and moves in turn; with a colour only if it was that colour's search.
pub(crate) fn line(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = if call.arguments.is_empty() { None } else { Some(call.arguments.color()?) };
    call.arguments.finish()?;
    let Some(analysis) = &engine.last else { return Ok(Reply::done()) };
    let Some(mover) = Color::from_index(usize::from(analysis.seat)) else { return Ok(Reply::done()) };
    if color.is_some_and(|c| c != mover) {
        return Ok(Reply::done());
    }
    let line = analysis.best().map(|best| best.pv.as_slice()).unwrap_or_default();
    let colors = [mover, mover.opponent()];
    let letter = |c: Color| if c == Color::Black { 'B' } else { 'W' };
    let moves = line.iter().zip(colors.iter().cycle()).map(|(mv, &c)| format!("{} {mv}", letter(c)));
    Ok(moves.collect::<Vec<_>>().join(" ").into())
}

/// The server says that the game is over; nothing is to be done.
pub(crate) fn game_over(_: &mut Engine, _: &mut Call<'_, '_>) -> Answer {
    Ok(Reply::done())
}

pub(crate) fn opponent_name(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    engine.opponent = call.arguments.rest().chars().take(80).collect();
    Ok(Reply::done())
}

pub(crate) fn opponent_rating(_: &mut Engine, _: &mut Call<'_, '_>) -> Answer {
    Ok(Reply::done())
}

/// `kgs-chat game|private NAME MESSAGE…`: answers with what the last search found.
pub(crate) fn chat(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let kind = call.arguments.word()?;
    if !matches!(kind, "game" | "private") {
        return Err(Fault::syntax());
    }
    call.arguments.word()?;
    let text = match &engine.last {
        None => "I am kiebitz, a program. I have not looked at a position yet.".to_owned(),
        Some(analysis) => {
            let seat = usize::from(analysis.seat);
            let mover = if seat == 0 { "Black" } else { "White" };
            let best = analysis.best();
            let winrate = best.and_then(|c| c.utility.get(seat)).map_or(0.5, |e| e.mean);
            let line = best.map(|c| c.pv.iter().take(6).cloned().collect::<Vec<_>>().join(" ")).unwrap_or_default();
            format!("I am kiebitz, a program. When I last looked, {mover} had {:.0} %: {line}", 100.0 * winrate)
        }
    };
    Ok(text.into())
}
