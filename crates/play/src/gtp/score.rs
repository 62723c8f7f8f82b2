//! Commands that look at the board: stones, legal moves, what is dead, the score.

use kiebitz_go::status::{Assessment, Status};
use kiebitz_go::{Color, Point, Score, Size, result_text};

use super::framing::{Answer, Fault, Reply};
use super::{Call, Engine};

/// Points as one line.
fn line(points: &[Point], size: Size) -> String {
    points.iter().map(|p| p.text(size).to_string()).collect::<Vec<_>>().join(" ")
}

impl Engine {
    /// What becomes of the stones on the board.
    pub(crate) fn assessment(&mut self) -> Assessment {
        self.thinker.assessment(self.game.session())
    }

    /// The score; under rules with friendly passes dead stones are taken off first.
    pub(crate) fn score(&mut self) -> Score {
        if self.game.options().rules.friendly_pass {
            let assessment = self.assessment();
            assessment.score(self.game.state())
        } else {
            self.game.state().score()
        }
    }
}

pub(crate) fn final_score(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok(result_text(engine.score().margin()).into())
}

/// Stones of a status, a chain a line; or points of one colour's territory.
pub(crate) fn final_status_list(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let wanted = call.arguments.word()?.to_ascii_lowercase();
    call.arguments.finish()?;
    let size = engine.game.size();
    let sign = match wanted.as_str() {
        "alive" | "dead" | "seki" => {
            let of = |status| match status {
                Status::Alive | Status::Unknown => "alive",
                Status::Dead => "dead",
                Status::Seki => "seki",
            };
            let assessment = engine.assessment();
            let chains = assessment.chains.iter().filter(|chain| of(chain.status) == wanted);
            return Ok(chains.map(|chain| line(&chain.stones, size)).collect::<Vec<_>>().join("\n").into());
        }
        "black_territory" => 1,
        "white_territory" => -1,
        _ => return Err(Fault::syntax()),
    };
    let color = if sign > 0 { Color::Black } else { Color::White };
    let assessment = engine.assessment();
    let owner = assessment.score(engine.game.state()).owner;
    let board = engine.game.state().board();
    let own = |p: &Point| owner.get(p.index()) == Some(&sign) && board.stone(*p) != Some(color);
    let points: Vec<Point> = size.iter().filter(own).collect();
    Ok(line(&points, size).into())
}

/// The board with X for Black and O for White, who is to move, captures, rules and komi.
pub(crate) fn showboard(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let state = engine.game.state();
    let size = state.size();
    let letters: String = (0..size.width())
        .filter_map(|column| size.point(column, 0))
        .map(|p| p.text(size).to_string())
        .map(|name| format!(" {}", &name[..1]))
        .collect();
    // The first line of a reply stands behind `=`.
    let mut lines = vec![format!("{} to move", state.to_move()), format!("  {letters}")];
    let last = state.last_move().and_then(|(_, mv)| mv.point());
    for row in (0..size.height()).rev() {
        let mut line = format!("{:>2}", row + 1);
        let mut close = ' ';
        for point in (0..size.width()).filter_map(|column| size.point(column, row)) {
            let stone = state.board().stone(point);
            let is_last = last == Some(point) && stone.is_some();
            line.push(if is_last { '(' } else { close });
            close = if is_last { ')' } else { ' ' };
            line.push(match stone {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            });
        }
        line.push(close);
        line.push_str(&(row + 1).to_string());
        lines.push(line);
    }
    lines.push(format!("  {letters}"));
    let rules = state.options().ruleset_name().map_or("own rules", |set| set.name());
    lines.push(format!(
        "{rules}, komi {}, captured by black {}, by white {}",
        state.options().komi_points(),
        state.captures(Color::Black),
        state.captures(Color::White)
    ));
    Ok(lines.join("\n").into())
}

pub(crate) fn list_stones(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    call.arguments.finish()?;
    let stones: Vec<Point> = engine.game.state().board().stones(color).collect();
    Ok(line(&stones, engine.game.size()).into())
}

pub(crate) fn captures(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    call.arguments.finish()?;
    Ok(engine.game.state().captures(color).to_string().into())
}

pub(crate) fn is_legal(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    let mv = call.arguments.vertex(engine.game.size())?;
    call.arguments.finish()?;
    Ok(Reply::from(if engine.game.is_legal(color, mv) { "1" } else { "0" }))
}

pub(crate) fn all_legal(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    call.arguments.finish()?;
    Ok(line(&engine.game.legal_points(color), engine.game.size()).into())
}
