//! A slow, plain playout on the referee itself: uniform over legal points that are no own eye, to the end.

use kiebitz_core::{Game, Rng};
use kiebitz_go::{Go, Move, Point, area_owners};

/// All neighbours are own stones, and the enemy has less than two of the diagonals (none at the edge).
fn is_own_eye(go: &Go, point: Point) -> bool {
    let (size, board, color) = (go.size(), go.board(), go.to_move());
    if !size.neighbors(point).all(|n| board.stone(n) == Some(color)) {
        return false;
    }
    let (column, row) = (point.column(size), point.row(size));
    let (mut enemy, mut outside) = (0, 0);
    for (dc, dr) in [(0, 0), (0, 2), (2, 0), (2, 2)] {
        let diagonal = (column + dc).checked_sub(1).zip((row + dr).checked_sub(1)).and_then(|(c, r)| size.point(c, r));
        match diagonal {
            None => outside += 1,
            Some(p) => enemy += usize::from(board.stone(p) == Some(color.opponent())),
        }
    }
    if outside > 0 { enemy == 0 } else { enemy < 2 }
}

/// Plays from `start` to the end and writes the owner of each point.
pub fn playout(start: &Go, rng: &mut Rng, out: &mut [i8]) {
    let mut go = start.clone();
    let mut empty: Vec<Point> = Vec::new();
    for _ in 0..3 * go.size().points() {
        if go.turn().is_terminal() {
            break;
        }
        empty.clear();
        empty.extend(go.size().iter().filter(|&p| go.board().stone(p).is_none()));
        rng.shuffle(&mut empty);
        let found = empty.iter().find(|&&p| !is_own_eye(&go, p) && go.is_legal(p.into()));
        go.apply(found.map_or(Move::PASS, |&p| p.into()));
    }
    out.copy_from_slice(&area_owners(go.board(), &[]));
}
