//! Whether a chain can be taken by ataris alone, as in a ladder.

use kiebitz_core::Game;

use crate::{Go, Move, Point};

/// Positions looked at for one question. A ladder over the whole of a 19x19 board has about 70.
const BUDGET: u32 = 400;

/// Whether the player to move takes the chain of the opponent's stone on `stone`, when each of his moves gives atari or takes
/// it; the opponent may extend, and take what is in atari next to the chain. `None` where that is not found out: the reading
/// is too long, or a ko decides.
pub(crate) fn is_caught(go: &Go, stone: Point) -> Option<bool> {
    let mut budget = BUDGET;
    caught(&mut go.clone(), stone, &mut budget)
}

/// The pursuer moves.
fn caught(go: &mut Go, stone: Point, budget: &mut u32) -> Option<bool> {
    let liberties = go.board().liberties(stone);
    if liberties.len() > 2 {
        return Some(false);
    }
    *budget = budget.checked_sub(1)?;
    if liberties.len() < 2 {
        // A single liberty that may not be taken now is a ko.
        return liberties.iter().any(|&l| is_legal(go, l)).then_some(true);
    }
    let mut found = Some(false);
    for liberty in liberties {
        if !is_legal(go, liberty) {
            continue;
        }
        go.apply(Move::from(liberty));
        let escapes = escapes(go, stone, budget);
        go.undo_last();
        match escapes {
            Some(false) => return Some(true),
            Some(true) => {}
            None => found = None,
        }
    }
    found
}

/// The owner of the chain moves.
fn escapes(go: &mut Go, stone: Point, budget: &mut u32) -> Option<bool> {
    let liberties = go.board().liberties(stone);
    // The pursuer's stone came off the board again.
    if liberties.len() != 1 {
        return Some(true);
    }
    let mut moves: Vec<Point> = Vec::new();
    for &own in &go.board().chain(stone) {
        for next in go.size().neighbors(own).filter(|&n| go.board().stone(n) == Some(go.to_move().opponent())) {
            if let [only] = go.board().liberties(next)[..]
                && !moves.contains(&only)
            {
                moves.push(only);
            }
        }
    }
    if !moves.contains(&liberties[0]) {
        moves.push(liberties[0]);
    }
    let mut found = Some(false);
    for point in moves {
        if !is_legal(go, point) {
            continue;
        }
        go.apply(Move::from(point));
        // By suicide the chain may be gone.
        let caught = if go.board().stone(stone).is_none() { Some(true) } else { caught(go, stone, budget) };
        go.undo_last();
        match caught {
            Some(false) => return Some(true),
            Some(true) => {}
            None => found = None,
        }
    }
    found
}

fn is_legal(go: &Go, point: Point) -> bool {
    !go.turn().is_terminal() && go.is_legal(Move::from(point))
}
