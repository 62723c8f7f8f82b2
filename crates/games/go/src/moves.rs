//! Which moves are legal, and why others are not.

use kiebitz_core::{Game, Illegal};

use crate::board::{EMPTY, NONE};
use crate::zobrist::{self, CELLS};
use crate::{Color, Go, KoRule, Move};

/// What the rules say about a stone on an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Legal,
    /// It would remove itself alone.
    SingleSuicide,
    /// It would remove its own chain, which these rules forbid.
    Suicide,
    /// It would retake a ko at once.
    Ko,
    /// It would repeat an earlier position.
    Superko,
}

/// The liberties of chains by head, 2 for two or more, counted once each: 0 is not yet counted.
struct Liberties([u8; CELLS]);

impl Liberties {
    fn new() -> Self {
        Liberties([0; CELLS])
    }

    #[inline]
    fn of(&mut self, go: &Go, stone: usize) -> u8 {
        let head = go.board.head(stone);
        if self.0[head] == 0 {
            self.0[head] = go.board.liberties_to_two(head);
        }
        self.0[head]
    }
}

impl Go {
    /// Clears `out` and writes the legal moves of the player to move: points in index order, then the pass. Nothing after
    /// the end.
    pub(crate) fn legal_moves(&self, out: &mut Vec<Move>) {
        out.clear();
        if self.turn().is_terminal() {
            return;
        }
        let size = self.size();
        let mut liberties = Liberties::new();
        let cells = self.board.cells();
        let mut points = size.iter();
        for row in 1..=size.height() {
            let start = row * self.board.stride();
            for (cell, point) in (start..start + size.width()).zip(points.by_ref()) {
                if cells[cell] == EMPTY && self.verdict(cell, self.to_move, &mut liberties) == Verdict::Legal {
                    out.push(point.into());
                }
            }
        }
        out.push(Move::PASS);
    }

    /// Whether `color` may play `mv` now, were it its turn.
    ///
    /// # Errors
    /// `game.over`, `go.off_board`, `go.occupied`, `go.suicide`, `go.ko` or `go.superko`, with a sentence that names the
    /// point.
    pub fn check_as(&self, color: Color, mv: Move) -> Result<(), Illegal> {
        if self.turn().is_terminal() {
            return Err(Illegal::game_over());
        }
        let Some(point) = mv.point() else { return Ok(()) };
        let size = self.size();
        let name = point.text(size);
        if !size.contains(point) {
            return Err(Illegal::new("go.off_board", format!("the point {name} is off the {size} board")));
        }
        if let Some(stone) = self.board.stone(point) {
            return Err(Illegal::new("go.occupied", format!("{name} is occupied by a {stone} stone")));
        }
        let (code, reason) = match self.verdict(self.board.cell(point), color, &mut Liberties::new()) {
            Verdict::Legal => return Ok(()),
            Verdict::SingleSuicide => ("go.suicide", "the stone would have no liberty and takes nothing"),
            Verdict::Suicide => ("go.suicide", "its chain would have no liberty, and these rules forbid suicide"),
            Verdict::Ko => ("go.ko", "it would retake the ko at once"),
            Verdict::Superko => ("go.superko", "it would repeat an earlier position of the whole board"),
        };
        Err(Illegal::new(code, format!("{name} is forbidden for {color}: {reason}")))
    }

    /// Whether only the repetition rule forbids this move to the player to move.
    pub(crate) fn is_banned_by_repetition(&self, mv: Move) -> bool {
        matches!(self.check(mv), Err(e) if matches!(e.code, "go.ko" | "go.superko"))
    }

    /// Judges a stone of `color` on an empty cell.
    #[inline]
    fn verdict(&self, cell: usize, color: Color, liberties: &mut Liberties) -> Verdict {
        let cells = self.board.cells();
        let neighbors = self.board.neighbors(cell);
        let open = neighbors.into_iter().any(|n| cells[n] == EMPTY);
        let rules = &self.options.rules;
        // A ko has no empty neighbour. A stone where its colour never had one makes a position that never was.
        let unrepeatable = rules.ko == KoRule::Simple || !self.occupied[color.index()].contains(cell);
        if open && unrepeatable {
            return Verdict::Legal;
        }
        let (mut alive, mut captures, mut joins) = (open, false, false);
        for n in neighbors {
            if cells[n] == color as u8 {
                joins = true;
                alive = alive || liberties.of(self, n) >= 2;
            } else if cells[n] < EMPTY {
                captures = captures || liberties.of(self, n) == 1;
            }
        }
        let suicide = !alive && !captures;
        if suicide {
            if !joins {
                return Verdict::SingleSuicide;
            }
            if !rules.suicide {
                return Verdict::Suicide;
            }
        }
        let retakes = usize::from(self.ko) == cell && self.ko != NONE && self.is_opponent_of_last_mover(color);
        if rules.ko == KoRule::Simple {
            return if retakes { Verdict::Ko } else { Verdict::Legal };
        }
        if (unrepeatable && !suicide) || !self.repeats(cell, color, suicide, liberties) {
            return Verdict::Legal;
        }
        if retakes { Verdict::Ko } else { Verdict::Superko }
    }

    fn is_opponent_of_last_mover(&self, color: Color) -> bool {
        self.plies.last().is_some_and(|ply| ply.color() != color)
    }

    /// Whether a stone on this cell would make a position that superko forbids. By hash first; a hit is compared stone by
    /// stone with the position of the log.
    #[cold]
    #[inline(never)]
    fn repeats(&self, cell: usize, color: Color, suicide: bool, liberties: &mut Liberties) -> bool {
        let cells = self.board.cells();
        // The heads of the chains that would go; at most four.
        let mut gone = [usize::MAX; 4];
        let mut hash = self.board.hash();
        if !suicide {
            hash ^= zobrist::stone(color.index(), cell);
        }
        for (i, n) in self.board.neighbors(cell).into_iter().enumerate() {
            let goes = if suicide {
                cells[n] == color as u8
            } else {
                cells[n] == color.opponent() as u8 && liberties.of(self, n) == 1
            };
            if goes && !gone.contains(&self.board.head(n)) {
                gone[i] = self.board.head(n);
                hash ^= self.board.chain_key(n);
            }
        }
        if !self.filter.may_contain(hash) {
            return false;
        }
        let mut after: Option<[u8; CELLS]> = None;
        for (t, _) in self.hashes.iter().enumerate().rev().filter(|&(_, &h)| h == hash) {
            if !self.counts_for_superko(t, color.opponent()) {
                continue;
            }
            let after = after.get_or_insert_with(|| {
                let mut position = self.position();
                for head in gone.into_iter().filter(|&head| head != usize::MAX) {
                    for stone in self.board.ring(head) {
                        position[stone] = EMPTY;
                    }
                }
                if !suicide {
                    position[cell] = color as u8;
                }
                position
            });
            if self.position_at(t) == *after {
                return true;
            }
        }
        false
    }

    /// Whether the superko in force looks at position `t` of the log when `next` would be to move.
    fn counts_for_superko(&self, t: usize, next: Color) -> bool {
        let by = t.checked_sub(1).map(|last| self.plies[last]);
        let pair = by.map_or(self.first_to_move, |ply| ply.color().opponent()) == next;
        match self.options.rules.ko {
            KoRule::Simple => false,
            KoRule::Positional => true,
            KoRule::Situational => pair,
            KoRule::Natural => pair && by.is_some_and(|ply| !ply.is_pass()),
        }
    }

    /// The stones of the board as it is.
    fn position(&self) -> [u8; CELLS] {
        let mut position = [EMPTY; CELLS];
        let cells = self.board.cells();
        position[..cells.len()].copy_from_slice(cells);
        position
    }

    /// The stones at position `t` of the log (0: where it starts), found by walking back from now.
    fn position_at(&self, t: usize) -> [u8; CELLS] {
        let mut position = self.position();
        let mut removed = &self.removed[..];
        for ply in self.plies[t..].iter().rev().filter(|ply| !ply.is_pass()) {
            let (rest, own) = removed.split_at(removed.len() - usize::from(ply.removed));
            removed = rest;
            let color = if ply.is_suicide() { ply.color() } else { ply.color().opponent() };
            for &cell in own {
                position[usize::from(cell)] = color as u8;
            }
            position[usize::from(ply.cell)] = EMPTY;
        }
        position
    }

    /// Whether the position that the last move of the log made, with this hash (not yet in the log), was there twice
    /// before with the same player to move and no pass between.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_third_time(&self, hash: u64) -> bool {
        if !self.filter.may_contain(hash) {
            return false;
        }
        let now = self.position();
        let mut times = 1;
        // Position t is the one before ply t of the log.
        for t in (0..self.plies.len()).rev() {
            if self.plies[t].is_pass() {
                return false;
            }
            let next = t.checked_sub(1).map_or(self.first_to_move, |last| self.plies[last].color().opponent());
            if self.hashes[t] == hash && next == self.to_move && self.position_at(t) == now {
                times += 1;
                if times == 3 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use kiebitz_core::Rng;

    use super::*;
    use crate::{Ruleset, Size};

    /// Walking back over the log gives the boards that were there, so a hash that hits by accident is found out.
    #[test]
    fn go_08_positions_of_the_log() {
        let mut rng = Rng::new(11);
        let mut actions = Vec::new();
        let mut compared = 0;
        for set in [Ruleset::TrompTaylor, Ruleset::Chinese].repeat(5) {
            for (width, height) in [(2, 2), (3, 4), (5, 5), (1, 6)] {
                let mut go = Go::with_ruleset(Size::new(width, height).expect("a size"), set);
                let mut boards = vec![go.position()];
                while !go.turn().is_terminal() && boards.len() < 120 {
                    go.actions(&mut actions);
                    go.apply(actions[rng.below(actions.len())]);
                    boards.push(go.position());
                    for (t, board) in boards.iter().enumerate() {
                        assert!(go.position_at(t) == *board, "position {t} of {go:?}");
                    }
                }
                compared += boards.len();
            }
        }
        assert!(compared > 500, "{compared}");
    }

    /// An entry with the hash of the new position but another board does not forbid the move.
    #[test]
    fn go_08_a_false_hit_forbids_nothing() {
        let mut go = Go::with_ruleset(Size::square(5).expect("a size"), Ruleset::TrompTaylor);
        let b2 = go.size().point(1, 1).expect("a point");
        let c3 = go.size().point(2, 2).expect("a point");
        for mv in [Move::from(b2), c3.into()] {
            go.apply(mv);
        }
        // Forge the history: the first position gets the hash that black D4 would make, and Black was there before.
        let d4 = go.size().point(3, 3).expect("a point");
        let cell = go.board.cell(d4);
        let hash = go.board.hash() ^ zobrist::stone(0, cell);
        go.occupied[0].insert(cell);
        go.forge(0, hash);
        assert_eq!(go.verdict(cell, Color::Black, &mut Liberties::new()), Verdict::Legal);
        assert!(go.filter.may_contain(hash));
    }
}
